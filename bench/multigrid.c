/* Until the constraints have 1 % of the residual that the prediction left them, on one thread: multigrid in both of its systems, and
 * Gauss-Seidel, which gets up to MOST_SWEEPS. Multigrid must also leave no more of the motion's residual than Gauss-Seidel does. How many
 * iterations that takes is found with a trace; timed runs have none. The beam is 1 m long, held at one end and falls for 1/60 s in one
 * substep; edges and volumes have Young's modulus E, 1 / (E l) and V / E. Its lattice is as it is, or with inner vertices moved by up to 0.3
 * cells and all numbers shuffled. */
#include "bench.h"
#include "pliant/pliant.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 3
#define SHARE 0.01
#define MOST_SWEEPS 3000
#define MOST_ITERATIONS 6

typedef struct mesh {
    uint32_t     vertex_count, tet_count;
    pliant_vec3 *x;
    uint32_t    *tets;
    bool        *held;
} mesh;

static uint32_t draw(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    return *seed ^= *seed << 5;
}

static void shuffle(uint32_t *list, uint32_t count, uint32_t *seed)
{
    for (uint32_t i = 0; i < count; i++) list[i] = i;
    for (uint32_t i = count; i-- > 1;) {
        uint32_t j = draw(seed) % (i + 1), t = list[i];
        list[i] = list[j];
        list[j] = t;
    }
}

static mesh make_mesh(const uint32_t n[3], bool irregular)
{
    static const uint8_t kuhn[6][4] = {{0, 1, 3, 7}, {0, 5, 1, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 6, 4, 7}};
    const uint32_t       row = n[0] + 1, layer = row * (n[1] + 1);
    const double         cell = 1.0 / n[0];
    uint32_t             seed = 1;
    mesh                 m = {.vertex_count = layer * (n[2] + 1), .tet_count = 6 * n[0] * n[1] * n[2]};
    m.x = malloc(m.vertex_count * sizeof *m.x);
    m.held = malloc(m.vertex_count * sizeof *m.held);
    m.tets = malloc(4 * (size_t)m.tet_count * sizeof *m.tets);
    uint32_t *name = malloc(m.vertex_count * sizeof *name), *place = malloc(m.tet_count * sizeof *place);
    shuffle(name, m.vertex_count, &seed);
    shuffle(place, m.tet_count, &seed);
    for (uint32_t v = 0; v < m.vertex_count; v++) {
        const uint32_t at[3] = {v % row, v / row % (n[1] + 1), v / layer};
        double         c[3];
        for (int k = 0; k < 3; k++) {
            const double off = 0.6 * ((double)draw(&seed) / 4294967296.0 - 0.5);
            c[k] = cell * (at[k] + (irregular && at[k] > 0 && at[k] < n[k] ? off : 0));
        }
        if (!irregular) name[v] = v;
        m.x[name[v]] = (pliant_vec3){(pliant_real)c[0], (pliant_real)c[1], (pliant_real)c[2]};
        m.held[name[v]] = at[0] == 0;
    }
    for (uint32_t t = 0; t < m.tet_count; t++) {
        const uint32_t cube = t / 6, i = cube % n[0], j = cube / n[0] % n[1], k = cube / n[0] / n[1];
        for (uint32_t c = 0; c < 4; c++) {
            const uint32_t corner = kuhn[t % 6][c];
            m.tets[4 * (size_t)(irregular ? place[t] : t) + c] =
                name[(k + (corner >> 2)) * layer + (j + (corner >> 1 & 1)) * row + i + (corner & 1)];
        }
    }
    free(name);
    free(place);
    return m;
}

static pliant_model *make_model(const mesh *m, double cell, double youngs)
{
    pliant_error     error = {0};
    pliant_scene_def d = pliant_scene_def_default();
    d.substeps = 1;
    d.iterations = 10000;
    pliant_scene   *s = pliant_scene_create(&d, &error);
    pliant_soft_def soft = pliant_soft_def_default();
    soft.mesh = (pliant_tet_view){m->x, sizeof *m->x, m->vertex_count, m->tets, m->tet_count};
    soft.mend = true;
    soft.material.density = 1000;
    soft.material.stretch.compliance = (pliant_real)(1 / (youngs * cell));
    soft.material.volume.compliance = (pliant_real)(cell * cell * cell / 6 / youngs);
    pliant_body b = s ? pliant_scene_add_soft(s, &soft, &error) : (pliant_body){0};
    if (!b.id) stop(&error);
    for (uint32_t i = 0; i < m->vertex_count; i++)
        if (m->held[i] && pliant_scene_pin(s, b, &i, 1, false, &error) != PLIANT_OK) stop(&error);
    pliant_model *model = pliant_scene_compile(s, &error);
    if (!model) stop(&error);
    pliant_scene_destroy(s);
    return model;
}

/* ---- one contestant ---- */

typedef struct contestant {
    const char   *name;
    pliant_method method;
    pliant_system system;
    uint32_t      cycles, most;
} contestant;

enum { DISPLACEMENTS, MULTIPLIERS, GAUSS_SEIDEL, CONTESTANTS };

static const contestant contestants[CONTESTANTS] = {
    {"displacements", PLIANT_METHOD_MULTIGRID, PLIANT_SYSTEM_DISPLACEMENTS, 12, MOST_ITERATIONS},
    {"multipliers", PLIANT_METHOD_MULTIGRID, PLIANT_SYSTEM_MULTIPLIERS, 60, MOST_ITERATIONS},
    {"gauss_seidel", PLIANT_METHOD_GAUSS_SEIDEL, PLIANT_SYSTEM_DISPLACEMENTS, 12, MOST_SWEEPS},
};

typedef struct course {
    double   first, constraint, primal; /* residuals: at the start; where it ended */
    double   allowed;                   /* of the motion */
    uint32_t iterations;
    bool     arrived;
} course;

typedef struct times {
    double wall[ROUNDS], processor[ROUNDS];
} times;

static bool watch(const pliant_progress *p, void *context)
{
    course *c = context;
    if (!p->iteration) c->first = p->constraint;
    c->constraint = p->constraint;
    c->primal = p->primal;
    c->iterations = p->iteration;
    c->arrived = c->constraint <= SHARE * c->first && c->primal <= c->allowed;
    return !c->arrived;
}

/* One step of so many iterations: followed by `c`, or timed into `t`, or both NULL. */
static void run(const pliant_model *model, const contestant *who, uint32_t iterations, course *c, times *t, int round)
{
    pliant_error      error = {0};
    pliant_method_def method = pliant_method_def_default();
    pliant_solver_def d = pliant_solver_def_default();
    method.method = who->method;
    method.system = who->system;
    method.cycles = who->cycles;
    d.method = &method;
    d.trace = c ? watch : NULL;
    d.trace_context = c;
    pliant_state  *state = pliant_state_create(model, &error);
    pliant_inputs *in = pliant_inputs_create(model, &error);
    pliant_solver *solver = pliant_solver_create(model, &d, &error);
    if (!state || !in || !solver) stop(&error);
    pliant_inputs_reset(in, 1.0 / 60);
    pliant_inputs_substeps(in, 1, iterations);
    const double wall = wall_seconds(), processor = processor_seconds();
    pliant_solver_step(solver, state, in);
    if (t) {
        t->wall[round] = wall_seconds() - wall;
        t->processor[round] = processor_seconds() - processor;
    }
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(in);
    pliant_state_destroy(state);
}

/* ---- a line ---- */

static void line(const mesh *m, double cell, double youngs, bool irregular)
{
    pliant_model *model = make_model(m, cell, youngs);
    course        c[CONTESTANTS];
    times         t[CONTESTANTS];
    double        wall[CONTESTANTS], processor[CONTESTANTS];
    for (int i = CONTESTANTS; i-- > 0;) {
        c[i] = (course){.allowed = i == GAUSS_SEIDEL ? 1e30 : c[GAUSS_SEIDEL].primal};
        run(model, &contestants[i], contestants[i].most, &c[i], NULL, 0);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < CONTESTANTS; i++) {
            if (i == GAUSS_SEIDEL || c[i].arrived || !round)
                run(model, &contestants[i], c[i].iterations, NULL, &t[i], round);
            else { /* once is enough of the longest run, which gets nowhere */
                t[i].wall[round] = t[i].wall[0];
                t[i].processor[round] = t[i].processor[0];
            }
        }
    for (int i = 0; i < CONTESTANTS; i++) {
        wall[i] = median(t[i].wall, ROUNDS);
        processor[i] = median(t[i].processor, ROUNDS);
    }
    for (int i = 0; i < CONTESTANTS; i++)
        printf("%-9s %6.0e  %-13s  %8.3f  %8.3f  %10u  %8.4f %%  %8.1e  %s%.1f\n", irregular ? "irregular" : "lattice", youngs,
               contestants[i].name, processor[i], wall[i], c[i].iterations, 100 * c[i].constraint / c[i].first, c[i].primal,
               c[GAUSS_SEIDEL].arrived == c[i].arrived ? ""
               : c[i].arrived                          ? "more than "
                                                       : "less than ",
               processor[GAUSS_SEIDEL] / processor[i]);
    fflush(stdout);
    pliant_model_destroy(model);
}

void bench_multigrid(bool quick)
{
    static const double youngs[] = {1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    const uint32_t      cells[3] = {quick ? 32 : 64, quick ? 8 : 16, quick ? 8 : 16};
    printf("\nseconds until the constraints of %u tetrahedra have 1 %% of their first residual, one thread; medians of %d interleaved "
           "runs\n\n",
           6 * cells[0] * cells[1] * cells[2], ROUNDS);
    printf("beam      E, Pa   method      processor      wall  iterations  constraints    motion  times faster\n");
    for (int irregular = 0; irregular < 2; irregular++) {
        mesh m = make_mesh(cells, irregular);
        for (size_t i = 0; i < sizeof youngs / sizeof *youngs; i++) line(&m, 1.0 / cells[0], youngs[i], irregular);
        free(m.x);
        free(m.tets);
        free(m.held);
    }
}
