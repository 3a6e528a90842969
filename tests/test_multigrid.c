/* Laws of the method multigrid: its hierarchy against dense matrices, its steps against dense solutions, what its iterations converge to, and
 * that neither widths nor threads nor a solver made anew change a bit. */
#include "more.h"
#include "sample_scenes.h"
#include "trial.h"

#include "methods/multigrid.h"

#define FOR_SYSTEMS(system) \
    for (pliant_system system = PLIANT_SYSTEM_DISPLACEMENTS; system <= PLIANT_SYSTEM_MULTIPLIERS; system = (pliant_system)(system + 1))

static pliant_method_def multigrid(pliant_system system, uint32_t cycles)
{
    pliant_method_def def = pliant_method_def_default();
    def.method = PLIANT_METHOD_MULTIGRID;
    def.system = system;
    def.cycles = cycles;
    return def;
}

/* ---- a beam ---- */

#define FRAME (1.0 / 60)
#define MOST_ITERATIONS 64

typedef struct record {
    uint32_t count, stop;
    double   constraint[MOST_ITERATIONS + 1], primal[MOST_ITERATIONS + 1];
} record;

static bool keep(const pliant_progress *p, void *context)
{
    record *r = context;
    r->constraint[p->iteration] = p->constraint;
    r->primal[p->iteration] = p->primal;
    r->count = p->iteration + 1;
    return p->iteration < r->stop;
}

typedef struct beam {
    pliant_scene  *scene;
    pliant_model  *model;
    pliant_state  *state;
    pliant_solver *solver;
    pliant_inputs *inputs;
    pliant_body    body;
    uint32_t       vertices;
    pliant_vec3   *x;
    record         seen;
} beam;

typedef struct tets {
    uint32_t    vertex_count, tet_count;
    pliant_vec3 x[1000];
    uint32_t    tets[4 * 3000];
    bool        held[1000];
} tets;

/* A number in [-1, 1) that is the same everywhere. */
static double draw(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1;
}

static void shuffle(uint32_t *list, uint32_t count, uint32_t *seed)
{
    for (uint32_t i = 0; i < count; i++) list[i] = i;
    for (uint32_t i = count; i-- > 1;) {
        uint32_t j = (uint32_t)((draw(seed) + 1) / 2 * (i + 1)), t = list[i];
        list[i] = list[j];
        list[j] = t;
    }
}

/* Six tetrahedra per cell; inner vertices moved by up to 0.3 cells; vertices and tetrahedra in any order. */
static void irregular_tets(tets *m, uint32_t length, uint32_t side)
{
    static const uint8_t kuhn[6][4] = {{0, 1, 3, 7}, {0, 5, 1, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 6, 4, 7}};
    const uint32_t       n[3] = {length, side, side}, row = length + 1, layer = row * (side + 1);
    uint32_t             seed = 3, name[1000], place[3000];
    m->vertex_count = layer * (side + 1);
    m->tet_count = 6 * length * side * side;
    assert_true(m->vertex_count <= 1000 && m->tet_count <= 3000);
    shuffle(name, m->vertex_count, &seed);
    shuffle(place, m->tet_count, &seed);
    for (uint32_t v = 0; v < m->vertex_count; v++) {
        const uint32_t at[3] = {v % row, v / row % (side + 1), v / layer};
        double         c[3];
        for (int k = 0; k < 3; k++) c[k] = (at[k] + (at[k] > 0 && at[k] < n[k] ? 0.3 * draw(&seed) : 0)) / length;
        m->x[name[v]] = vec(c[0], c[1], c[2]);
        m->held[name[v]] = at[0] == 0;
    }
    for (uint32_t t = 0; t < m->tet_count; t++) {
        const uint32_t cube = t / 6, first = cube / length / side * layer + cube / length % side * row + cube % length;
        for (uint32_t c = 0; c < 4; c++) {
            const uint32_t corner = kuhn[t % 6][c];
            m->tets[4 * place[t] + c] = name[first + (corner >> 2) * layer + (corner >> 1 & 1) * row + (corner & 1)];
        }
    }
}

/* 1 m long, of cells of 1 / length m, 1000 kg/m^3, held at one end. `youngs` 0: rigid. `mesh`: instead of a lattice. */
static void beam_begin_with(beam *b, uint32_t length, uint32_t side, const tets *mesh, double youngs, pliant_method_def method,
                            tally *memory)
{
    pliant_error     error = {0};
    pliant_scene_def d = pliant_scene_def_default();
    const double     cell = 1.0 / length;
    memset(b, 0, sizeof *b);
    d.substeps = 1;
    d.iterations = MOST_ITERATIONS;
    b->scene = pliant_scene_create(&d, &error);
    pliant_soft_def soft = pliant_soft_def_default();
    soft.cells[0] = length;
    soft.cells[1] = soft.cells[2] = side;
    soft.extent = vec(1, side * cell, side * cell);
    if (mesh) {
        soft.mesh = (pliant_tet_view){mesh->x, sizeof *mesh->x, mesh->vertex_count, mesh->tets, mesh->tet_count};
        soft.mend = true;
    }
    soft.material.density = 1000;
    soft.material.stretch.compliance = R(youngs > 0 ? 1 / (youngs * cell) : 0);
    soft.material.volume.compliance = R(youngs > 0 ? cell * cell * cell / 6 / youngs : 0);
    b->body = pliant_scene_add_soft(b->scene, &soft, &error);
    if (!b->body.id) fail_msg("%s", error.message);
    b->vertices = (length + 1) * (side + 1) * (side + 1);
    for (uint32_t i = 0; i < b->vertices; i++)
        if (mesh ? mesh->held[i] : i % (length + 1) == 0)
            assert_int_equal(pliant_scene_pin(b->scene, b->body, &i, 1, false, &error), PLIANT_OK);
    b->model = pliant_scene_compile(b->scene, &error);
    assert_non_null(b->model);
    b->state = pliant_state_create(b->model, &error);
    b->inputs = pliant_inputs_create(b->model, &error);
    b->x = malloc(b->vertices * sizeof *b->x);
    pliant_state_positions(b->state, b->body, 0, b->vertices, b->x);
    pliant_solver_def sd = pliant_solver_def_default();
    sd.method = &method;
    sd.trace = keep;
    sd.trace_context = &b->seen;
    if (memory) sd.allocator = tally_allocator(memory);
    b->solver = pliant_solver_create(b->model, &sd, &error);
    assert_non_null(b->solver);
}

static void beam_begin(beam *b, uint32_t length, uint32_t side, double youngs, uint32_t cycles, tally *memory)
{
    beam_begin_with(b, length, side, NULL, youngs, multigrid(PLIANT_SYSTEM_DISPLACEMENTS, cycles), memory);
}

static void beam_end(beam *b)
{
    pliant_solver_destroy(b->solver);
    pliant_inputs_destroy(b->inputs);
    pliant_state_destroy(b->state);
    pliant_model_destroy(b->model);
    pliant_scene_destroy(b->scene);
    free(b->x);
}

static void beam_step(beam *b, uint32_t iterations)
{
    pliant_inputs_reset(b->inputs, FRAME);
    b->seen.stop = iterations;
    assert_int_equal(pliant_solver_step(b->solver, b->state, b->inputs), PLIANT_OK);
}

static void beam_shake(beam *b, double metres)
{
    uint32_t seed = 7;
    for (uint32_t i = 0; i < b->vertices; i++) {
        if (pliant_state_pinned(b->state, b->body, i)) continue;
        pliant_vec3 *x = &b->x[i];
        *x = vec((double)x->x + metres * draw(&seed), (double)x->y + metres * draw(&seed), (double)x->z + metres * draw(&seed));
    }
    pliant_state_set_positions(b->state, b->body, 0, b->vertices, b->x);
}

static pliant__mg *inside(const beam *b) { return b->solver->method_data; }

/* ---- the hierarchy ---- */

/* H of a level, whole: n x n with n = count * dofs. */
static double *dense(const pliant__mg_level *l)
{
    const size_t n = (size_t)l->count * l->dofs;
    double      *m = calloc(n * n, sizeof *m);
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t k = l->first[i]; k < l->first[i + 1]; k++)
            for (uint32_t r = 0; r < l->dofs; r++)
                for (uint32_t c = 0; c < l->dofs; c++)
                    m[((size_t)i * l->dofs + r) * n + (size_t)l->column[k] * l->dofs + c] =
                        l->exact ? l->exact[36 * (size_t)k + r * 6 + c] : (double)l->block[12 * (size_t)k + c * 4 + r];
    return m;
}

/* How a rigid motion of its aggregate moves a node: dofs x 6. */
static void rigid_motion(const pliant__mg *g, const pliant__mg_level *l, uint32_t node, double T[6][6])
{
    const double *a = l->place[node].arm;
    memset(T, 0, 36 * sizeof(double));
    if (l->dofs == 3 && g->still[node]) return;
    for (uint32_t i = 0; i < l->dofs; i++) T[i][i] = 1;
    T[0][4] = a[2], T[0][5] = -a[1], T[1][3] = -a[2], T[1][5] = a[0], T[2][3] = a[1], T[2][4] = -a[0];
}

static double *prolongation(const pliant__mg *g, const pliant__mg_level *l)
{
    const size_t m = (size_t)l[1].count * 6;
    double      *P = calloc((size_t)l->count * l->dofs * m, sizeof *P);
    for (uint32_t i = 0; i < l->count; i++) {
        double T[6][6];
        if (l->aggregate[i] == PLIANT__NONE) continue;
        rigid_motion(g, l, i, T);
        for (uint32_t r = 0; r < l->dofs; r++)
            for (uint32_t c = 0; c < 6; c++) P[((size_t)i * l->dofs + r) * m + (size_t)l->aggregate[i] * 6 + c] = T[r][c];
    }
    return P;
}

static void aggregates_cover_every_particle_that_can_move_exactly_once(void **unused)
{
    (void)unused;
    beam b;
    beam_begin(&b, 12, 3, 1e6, 12, NULL);
    const pliant__mg *g = inside(&b);
    assert_true(g->levels >= 2);
    for (uint32_t n = 0; n + 1 < g->levels; n++) {
        const pliant__mg_level *l = &g->level[n];
        uint32_t               *size = calloc(l[1].count, sizeof *size);
        assert_true(l[1].count * 3 < l->count);
        for (uint32_t i = 0; i < l->count; i++) {
            const bool linked = l->first[i + 1] - l->first[i] > 1;
            assert_int_equal(linked, l->aggregate[i] != PLIANT__NONE);
            if (n == 0 && b.model->free_w[i] > 0) assert_true(linked);
            if (!linked) continue;
            assert_true(l->aggregate[i] < l[1].count);
            size[l->aggregate[i]]++;
        }
        for (uint32_t i = 0; i < l[1].count; i++) assert_true(size[i] > 0);
        free(size);
    }
    beam_end(&b);
}

/* Level n + 1's matrix is P^T H P, H n x n and P n x m. */
static void is_galerkin(const pliant__mg_level *coarse, size_t n, const double *H, const double *P)
{
    const size_t m = (size_t)coarse->count * 6;
    double      *have = dense(coarse), *half = calloc(n * m, sizeof *half);
    double       largest = 0, worst = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < m && H[i * n + k] != 0; j++) half[i * m + j] += H[i * n + k] * P[k * m + j];
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++) sum += P[k * m + i] * half[k * m + j];
            worst = fmax(worst, fabs(sum - have[i * m + j]));
            largest = fmax(largest, fabs(sum));
        }
    assert_true(largest > 0);
    assert_true(worst <= 100 * EPSILON * largest);
    free(have);
    free(half);
}

/* Of the levels from `first` on. */
static void coarse_levels_are_galerkin(const pliant__mg *g, uint32_t first)
{
    for (uint32_t level = first; level + 1 < g->levels; level++) {
        double *H = dense(&g->level[level]), *P = prolongation(g, &g->level[level]);
        is_galerkin(&g->level[level + 1], (size_t)g->level[level].count * g->level[level].dofs, H, P);
        free(H);
        free(P);
    }
}

static void coarse_matrices_are_galerkin_products(void **unused)
{
    (void)unused;
    beam b;
    beam_begin(&b, 12, 3, 1e5, 12, NULL);
    beam_shake(&b, 0.01);
    beam_step(&b, 1);
    coarse_levels_are_galerkin(inside(&b), 0);
    beam_end(&b);
}

/* ---- a sheet ---- */

/* A square metre of cotton, upright, held by its two upper corners, with 10 substeps of 2 iterations and 12 cycles. */
static pliant_body hang_by_corners(trial *t, uint32_t cells)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    trial_begin(t, 9.81, 10, 2);
    def.cells_x = def.cells_z = cells;
    def.size_x = def.size_z = 1;
    def.material = pliant_material_preset(PLIANT_COTTON);
    def.body.placement.rotation = (pliant_quat){R(sqrt(0.5)), 0, 0, R(sqrt(0.5))};
    const pliant_body body = pliant_scene_add_cloth(t->scene, &def, NULL);
    const uint32_t    corners[2] = {0, cells};
    assert_int_equal(pliant_scene_pin(t->scene, body, corners, 2, false, NULL), PLIANT_OK);
    trial_compile(t);
    const pliant_method_def method = multigrid(PLIANT_SYSTEM_DISPLACEMENTS, 12);
    pliant_solver_def       def_of_solver = pliant_solver_def_default();
    pliant_solver_destroy(t->solver);
    def_of_solver.method = &method;
    def_of_solver.energy = true;
    t->solver = pliant_solver_create(t->model, &def_of_solver, NULL);
    assert_non_null(t->solver);
    assert_int_equal(pliant_inputs_reset(t->inputs, FRAME), PLIANT_OK);
    return body;
}

static double fastest_of(const trial *t, pliant_body body, uint32_t count)
{
    static pliant_vec3 v[41 * 41];
    double             most = 0;
    assert_true(count <= sizeof v / sizeof *v);
    assert_int_equal(pliant_state_velocities(t->state, body, 0, count, v), PLIANT_OK);
    for (uint32_t i = 0; i < count; i++) {
        const double x = (double)v[i].x, y = (double)v[i].y, z = (double)v[i].z;
        most = fmax(most, sqrt(x * x + y * y + z * z));
    }
    return most;
}

/* It sags by some centimetres and swings in its plane: with rows that resisted nothing across themselves some of it had 8 m/s. */
static void a_fine_sheet_by_two_corners_moves_as_it_falls_and_gains_no_energy(void **unused)
{
    (void)unused;
    trial             t;
    const pliant_body body = hang_by_corners(&t, 40);
    double            lowest = HUGE_VAL, turned = 0;
    for (uint32_t frame = 0; frame < 10; frame++) {
        trial_step(&t);
        const pliant_energy e = pliant_solver_statistics(t.solver).energy;
        const double        total = e.kinetic + e.gravity + e.elastic;
        turned = fmax(turned, e.kinetic);
        lowest = fmin(lowest, total);
        assert_true(fastest_of(&t, body, 41 * 41) < 0.5);
        assert_true(total - lowest <= 0.02 * turned);
    }
    trial_end(&t);
}

static void coarse_matrices_of_a_taut_sheet_are_galerkin_products(void **unused)
{
    (void)unused;
    trial t;
    hang_by_corners(&t, 12);
    assert_int_equal(pliant_inputs_substeps(t.inputs, 1, 1), PLIANT_OK);
    for (uint32_t i = 0; i < 3; i++) trial_step(&t);
    coarse_levels_are_galerkin(t.solver->method_data, 0);
    trial_end(&t);
}

/* After a step, rows are as they are at its end; so is all else after this. */
static void look_again(beam *b)
{
    inside(b)->stale = true;
    pliant__mg_solve_multipliers(b->solver);
}

/* A, column by column. */
static double *dense_rows(beam *b)
{
    const pliant__mg_multipliers *m = inside(b)->multipliers;
    const size_t                  n = m->rows.count;
    double                       *A = calloc(n * n, sizeof *A);
    pliant_real                  *p = calloc(n, sizeof *p), *q = calloc(n, sizeof *q);
    for (size_t j = 0; j < n; j++) {
        if (!(inside(b)->k[j] > 0)) continue;
        p[j] = 1;
        pliant__mg_multiply_rows(b->solver, p, q);
        p[j] = 0;
        for (size_t i = 0; i < n; i++) A[i * n + j] = (double)q[i];
    }
    free(p);
    free(q);
    return A;
}

static void coarse_matrices_of_multipliers_are_too(void **unused)
{
    (void)unused;
    beam b;
    beam_begin_with(&b, 8, 2, NULL, 1e5, multigrid(PLIANT_SYSTEM_MULTIPLIERS, 12), NULL);
    beam_shake(&b, 0.01);
    beam_step(&b, 1);
    look_again(&b);
    const pliant__mg             *g = inside(&b);
    const pliant__mg_multipliers *m = g->multipliers;
    const size_t                  n = m->rows.count, columns = 6 * (size_t)g->level[1].count;
    double                       *A = dense_rows(&b), *P = calloc(n * columns, sizeof *P);
    for (size_t i = 0; i < n; i++)
        for (uint32_t c = 0; c < 6 && m->rows.aggregate[i] != PLIANT__NONE; c++)
            P[i * columns + 6 * (size_t)m->rows.aggregate[i] + c] = (double)m->column[6 * i + c];
    is_galerkin(&g->level[1], n, A, P);
    coarse_levels_are_galerkin(g, 1);
    free(A);
    free(P);
    beam_end(&b);
}

/* What the smoothers of multipliers build on, by power iterations on D^-1 A. */
static void no_eigenvalue_of_the_rows_is_above_the_bound(void **unused)
{
    (void)unused;
    for (int irregular = 0; irregular < 2; irregular++) {
        static tets mesh;
        beam        b;
        irregular_tets(&mesh, 12, 3);
        beam_begin_with(&b, 12, 3, irregular ? &mesh : NULL, 1e7, multigrid(PLIANT_SYSTEM_MULTIPLIERS, 12), NULL);
        beam_shake(&b, 0.01);
        beam_step(&b, 1);
        look_again(&b);
        pliant__mg_multipliers *m = inside(&b)->multipliers;
        double                  norm = 0;
        uint32_t                seed = 5;
        for (size_t i = 0; i < m->rows.count; i++) m->p[i] = m->rows.inverse[i] > 0 ? R(draw(&seed)) : 0;
        for (uint32_t k = 0; k < 200; k++) {
            pliant__mg_multiply_rows(b.solver, m->p, m->q);
            norm = 0;
            for (size_t i = 0; i < m->rows.count; i++) norm += (double)m->q[i] * (double)m->q[i] * (double)m->rows.inverse[i];
            norm = sqrt(norm);
            for (size_t i = 0; i < m->rows.count; i++) m->p[i] = R((double)m->q[i] * (double)m->rows.inverse[i] / norm);
        }
        print_message("largest eigenvalue about %g, bound %g\n", norm, m->rows.highest);
        assert_true(norm > 1 && norm <= m->rows.highest && m->rows.highest < 3 * norm);
        beam_end(&b);
    }
}

/* z = cycle(r) for a drawn r, 4 numbers per slot or one per row. */
static void apply_cycle(beam *b, uint32_t seed, double *r, double *z)
{
    pliant__mg       *g = inside(b);
    pliant__mg_level *l = g->multipliers ? &g->multipliers->rows : &g->level[0];
    const size_t      n = l->count * (size_t)(g->multipliers ? 1 : 4);
    for (size_t i = 0; i < n; i++) {
        const bool counts = g->multipliers ? g->k[i] > 0 : i % 4 < 3 && !g->still[i / 4];
        l->b[i] = counts ? R(draw(&seed)) : 0;
        r[i] = (double)l->b[i];
    }
    (g->multipliers ? pliant__mg_cycle_rows : pliant__mg_cycle)(b->solver);
    for (size_t i = 0; i < n; i++) z[i] = g->multipliers || i % 4 < 3 ? (double)l->x[i] : 0;
}

static double inner(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void a_cycle_is_symmetric_and_positive(pliant_system system)
{
    beam b;
    beam_begin_with(&b, 24, 6, NULL, 1e5, multigrid(system, 12), NULL);
    beam_shake(&b, 0.002);
    beam_step(&b, 1);
    assert_true(inside(&b)->levels >= 3);
    const size_t n = system == PLIANT_SYSTEM_MULTIPLIERS ? inside(&b)->multipliers->rows.count : 4 * (size_t)inside(&b)->level[0].count;
    double      *r[4], *z[4];
    for (uint32_t i = 0; i < 4; i++) {
        r[i] = calloc(n, sizeof **r);
        z[i] = calloc(n, sizeof **z);
        apply_cycle(&b, 11 + i, r[i], z[i]);
    }
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(inner(n, r[i], z[i]) > 0);
        for (uint32_t j = 0; j < i; j++) {
            const double scale = sqrt(inner(n, r[i], z[i]) * inner(n, r[j], z[j]));
            assert_true(fabs(inner(n, r[i], z[j]) - inner(n, r[j], z[i])) <= BOUND(1e-10, 1e-3) * scale);
        }
    }
    for (uint32_t i = 0; i < 4; i++) {
        free(r[i]);
        free(z[i]);
    }
    beam_end(&b);
}

static void the_cycle_is_symmetric_and_positive(void **unused)
{
    (void)unused;
    FOR_SYSTEMS(system) a_cycle_is_symmetric_and_positive(system);
}

/* ---- a step ---- */

/* Solves the n x n system with one right-hand side by elimination. */
static void eliminate(size_t n, double *a, double *b)
{
    for (size_t c = 0; c < n; c++) /* positive definite: pivots need not be looked for */
        for (size_t r = c + 1; r < n; r++) {
            const double f = a[r * n + c] / a[c * n + c];
            for (size_t k = c; k < n && f != 0; k++) a[r * n + k] -= f * a[c * n + k];
            b[r] -= f * b[c];
        }
    for (size_t r = n; r-- > 0;) {
        for (size_t k = r + 1; k < n; k++) b[r] -= a[r * n + k] * b[k];
        b[r] /= a[r * n + r];
    }
}

/* Every row as its file says it, where the beam is or where the step predicts it to be. */
typedef struct dense_system {
    size_t       slots, rows;
    pliant_real *x;
    double      *J, *C, *alpha, *A; /* A = J W J^T + alpha~ */
    size_t      *lambda;            /* where the solver has the row */
} dense_system;

static void list_row(dense_system *d, const pliant_model *m, const pliant__batch *batch, uint32_t row)
{
    const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)batch->kind);
    pliant_eval_input             in = {.dt = R(FRAME), .law = pliant_law_default()};
    pliant_eval_output            out;
    uint32_t                      slot[PLIANT_MAX_SLOTS] = {0};
    pliant__row_slots(m, batch, row, info->slots, slot);
    for (uint32_t k = 0; k < info->slots; k++) {
        memcpy(in.x[k], d->x + 4 * (size_t)slot[k], sizeof in.x[k]);
        in.w[k] = d->x[4 * (size_t)slot[k] + 3];
    }
    in.parameters[0] = pliant__parameters(m, batch, row / PLIANT__BLOCK)[row % PLIANT__BLOCK];
    assert_int_equal(pliant_constraint_eval((pliant_constraint_kind)batch->kind, &in, &out), PLIANT_OK);
    assert_int_equal(info->rows, 1);
    d->C[d->rows] = (double)out.C[0];
    d->alpha[d->rows] = (double)m->laws[pliant__row_law(m, batch, row)].compliance / (FRAME * FRAME);
    d->lambda[d->rows] = batch->lambda + row;
    for (uint32_t k = 0; k < info->slots; k++)
        for (uint32_t c = 0; c < 3; c++) d->J[d->rows * 3 * d->slots + 3 * (size_t)slot[k] + c] = (double)out.gradient[0][k][c];
    d->rows++;
}

static dense_system dense_begin(const beam *b, bool predicted)
{
    const pliant_model *m = b->model;
    dense_system        d = {.slots = m->header->slot_count};
    const size_t        room = m->header->packed_rows;
    const pliant_real   h = R(FRAME), dv = h * R(-9.81);
    d.x = malloc(4 * d.slots * sizeof *d.x);
    memcpy(d.x, b->state->x, 4 * d.slots * sizeof *d.x);
    for (size_t i = 0; i < d.slots; i++)
        if (predicted && d.x[4 * i + 3] > 0) d.x[4 * i + 1] += h * dv;
    d.J = calloc(room * 3 * d.slots, sizeof *d.J);
    d.C = calloc(room, sizeof *d.C);
    d.alpha = calloc(room, sizeof *d.alpha);
    d.lambda = calloc(room, sizeof *d.lambda);
    for (size_t i = 0; i < model_count(m, batches); i++)
        for (uint32_t row = 0; row < m->batches[i].count; row++) list_row(&d, m, &m->batches[i], row);
    d.A = calloc(d.rows * d.rows, sizeof *d.A);
    for (size_t i = 0; i < d.rows; i++) {
        for (size_t k = 0; k < 3 * d.slots; k++)
            for (size_t j = 0; j < d.rows && d.J[i * 3 * d.slots + k] != 0; j++)
                d.A[i * d.rows + j] += (double)d.x[4 * (k / 3) + 3] * d.J[i * 3 * d.slots + k] * d.J[j * 3 * d.slots + k];
        d.A[i * d.rows + i] += d.alpha[i];
    }
    return d;
}

static void dense_end(dense_system *d) { free(d->x), free(d->J), free(d->C), free(d->alpha), free(d->lambda), free(d->A); }

/* A p as a walk there and back has it, and as a matrix has it. */
static void the_product_of_multipliers_is_that_of_the_matrix(void **unused)
{
    (void)unused;
    for (int irregular = 0; irregular < 2; irregular++) {
        static tets mesh;
        beam        b;
        irregular_tets(&mesh, 4, 2);
        beam_begin_with(&b, 4, 2, irregular ? &mesh : NULL, 1e4, multigrid(PLIANT_SYSTEM_MULTIPLIERS, 12), NULL);
        beam_step(&b, 1);
        dense_system d = dense_begin(&b, false);
        const size_t n = inside(&b)->multipliers->rows.count;
        pliant_real *p = calloc(n, sizeof *p), *q = calloc(n, sizeof *q);
        uint32_t     seed = 9, counting = 0;
        double       largest = 0, worst = 0;
        for (size_t i = 0; i < d.rows; i++) p[d.lambda[i]] = R(draw(&seed));
        pliant__mg_multiply_rows(b.solver, p, q);
        for (size_t i = 0; i < d.rows; i++) {
            double sum = 0;
            for (size_t j = 0; j < d.rows; j++) sum += d.A[i * d.rows + j] * (double)p[d.lambda[j]];
            if (!(inside(&b)->k[d.lambda[i]] > 0)) continue; /* between particles that are held */
            counting++;
            largest = fmax(largest, fabs(sum));
            worst = fmax(worst, fabs(sum - (double)q[d.lambda[i]]));
        }
        assert_true(counting > d.rows / 2 && largest > 1);
        assert_true(worst <= 50 * EPSILON * largest);
        free(p);
        free(q);
        dense_end(&d);
        beam_end(&b);
    }
}

/* (J W J^T + alpha~) dlambda = -C with dx = W J^T dlambda, dense; of the systems one solves another. */
static void one_iteration_is_the_dense_solution_in_multipliers(void **unused)
{
    (void)unused;
    FOR_SYSTEMS(system)
    for (int irregular = 0; irregular < 2; irregular++) {
        static tets mesh;
        beam        b;
        irregular_tets(&mesh, 4, 2);
        beam_begin_with(&b, 4, 2, irregular ? &mesh : NULL, 1e4, multigrid(system, 200), NULL);
        dense_system d = dense_begin(&b, true);
        double      *lambda = calloc(d.rows, sizeof *lambda);
        for (size_t i = 0; i < d.rows; i++) lambda[i] = -d.C[i];
        eliminate(d.rows, d.A, lambda);
        beam_step(&b, 1);
        double largest = 0, worst = 0, force = 0, worst_force = 0;
        for (size_t k = 0; k < 3 * d.slots; k++) {
            const size_t at = 4 * (k / 3) + k % 3;
            double       dx = 0;
            for (size_t i = 0; i < d.rows; i++) dx += (double)d.x[4 * (k / 3) + 3] * d.J[i * 3 * d.slots + k] * lambda[i];
            if (!(d.x[4 * (k / 3) + 3] > 0)) continue;
            largest = fmax(largest, fabs(dx));
            worst = fmax(worst, fabs(dx - ((double)b.state->x[at] - (double)d.x[at])));
        }
        for (size_t i = 0; i < d.rows; i++) {
            if (!(inside(&b)->k[d.lambda[i]] > 0)) continue;
            force = fmax(force, fabs(lambda[i]));
            worst_force = fmax(worst_force, fabs(lambda[i] - (double)b.solver->lambda[d.lambda[i]]));
        }
        assert_true(largest > 1e-4);
        assert_true(worst <= BOUND(1e-9, 1e-3) * largest);
        assert_true(worst_force <= BOUND(1e-9, 1e-3) * force);
        free(lambda);
        dense_end(&d);
        beam_end(&b);
    }
}

/* A mesh that is too large for dense matrices, in both systems. */
static void both_systems_have_one_solution(void **unused)
{
    (void)unused;
    static const double youngs[] = {1e4, 1e6};
    static tets         mesh;
    irregular_tets(&mesh, 16, 4);
    for (uint32_t i = 0; i < 2; i++) {
        beam   b[2];
        double worst = 0, largest = 0;
        FOR_SYSTEMS(system)
        {
            beam_begin_with(&b[system], 16, 4, &mesh, youngs[i], multigrid(system, 300), NULL);
            beam_step(&b[system], 6);
        }
        for (size_t k = 0; k < 4 * (size_t)b[0].model->header->slot_count; k++) {
            worst = fmax(worst, fabs((double)b[0].state->x[k] - (double)b[1].state->x[k]));
            largest = fmax(largest, fabs((double)b[0].state->x[k] - (double)b[0].model->x[k]));
        }
        print_message("E = %g: %g m apart after %g m\n", youngs[i], worst, largest);
        assert_true(largest > 2e-5);
        assert_true(worst <= BOUND(1e-9, 3e-6));
        beam_end(&b[0]);
        beam_end(&b[1]);
    }
}

/* As long as conjugate gradients gain enough, they keep their coarse matrices; with one cycle the gain is unknown. */
static void coarse_matrices_are_made_anew_when_they_are_bad(void **unused)
{
    (void)unused;
    for (uint32_t cycles = 1; cycles < 20; cycles += 11) {
        beam b[2];
        for (uint32_t i = 0; i < 2; i++) {
            beam_begin(&b[i], 12, 3, 1e5, cycles, NULL);
            beam_step(&b[i], 1 + i);
        }
        const pliant__mg_level *one = &inside(&b[0])->level[1], *two = &inside(&b[1])->level[1];
        const bool              same = !memcmp(one->exact, two->exact, 36 * (size_t)one->blocks * sizeof *one->exact);
        assert_int_equal(same, cycles > 1);
        beam_end(&b[0]);
        beam_end(&b[1]);
    }
}

/* ---- iterations ---- */

static void both_residuals_fall(void **unused)
{
    (void)unused;
    static const double youngs[] = {1e4, 1e6, 1e8};
    FOR_SYSTEMS(system)
    for (uint32_t i = 0; i < 3; i++)
        for (int shaken = 0; shaken < 2; shaken++) {
            beam b;
            beam_begin_with(&b, 16, 4, NULL, youngs[i], multigrid(system, system == PLIANT_SYSTEM_MULTIPLIERS ? 400 : 20), NULL);
            if (shaken) beam_shake(&b, 0.01);
            beam_step(&b, 5);
            const record *r = &b.seen;
            assert_int_equal(r->count, 6);
            for (uint32_t k = 1; k < 4; k++)
                assert_true(r->constraint[k] < r->constraint[k - 1] || r->constraint[k] < 1e-5 * r->constraint[0]);
            assert_true(r->constraint[3] < 1e-2 * r->constraint[0]);
            assert_true(r->primal[4] < BOUND(1e-3, 2e-2) * r->primal[1]);
            beam_end(&b);
        }
}

/* C = 1 m is far from any line that Newton's method could trust; the energy still may not grow. */
static void a_beam_pulled_to_twice_its_length_comes_back(void **unused)
{
    (void)unused;
    static const double youngs[] = {1e5, 1e7};
    FOR_SYSTEMS(system)
    for (uint32_t i = 0; i < 2; i++) {
        beam b;
        beam_begin_with(&b, 16, 4, NULL, youngs[i], multigrid(system, 12), NULL);
        const double end = (double)b.x[0].x;
        for (uint32_t v = 0; v < b.vertices; v++) b.x[v].x = R(end + 2 * ((double)b.x[v].x - end));
        pliant_state_set_positions(b.state, b.body, 0, b.vertices, b.x);
        beam_step(&b, 10);
        for (uint32_t k = 1; k < b.seen.count; k++) assert_true(b.seen.constraint[k] < b.seen.constraint[0]);
        assert_true(b.seen.constraint[10] < 0.2 * b.seen.constraint[0]);
        beam_end(&b);
    }
}

/* Compliance 0 has no inverse, and more rows than unknowns have no solution: a little compliance comes instead. */
static void a_rigid_mesh_that_is_over_determined_is_solved_too(void **unused)
{
    (void)unused;
    beam b;
    beam_begin(&b, 16, 4, 0, 20, NULL);
    beam_step(&b, 4);
    assert_true(b.seen.constraint[4] < 0.1 * b.seen.constraint[0]);
    beam_end(&b);
}

/* A spring takes the particle far inside of where a string begins to pull; the string would push, and may not. */
static void a_string_does_not_push(void **unused)
{
    (void)unused;
    FOR_SYSTEMS(system)
    {
        trial             t;
        pliant_law        spring = compliant(1e-7), string = compliant(1e-3);
        const double      x[2][3] = {{0, 0, 0}, {1, 0, 0}}, w[2] = {0, 1};
        pliant_solver_def sd = pliant_solver_def_default();
        pliant_method_def method = multigrid(system, 6);
        string.limited = true;
        string.limit = PLIANT_AT_MOST;
        sd.method = &method;
        trial_begin(&t, 0, 1, 1);
        pliant_body body = add_points(&t, 2, x, NULL, w, NULL);
        add_distance(&t, body, 0, 1, 0.5, &spring);
        add_distance(&t, body, 0, 1, 0.9, &string);
        trial_compile(&t);
        pliant_solver *solver = pliant_solver_create(t.model, &sd, NULL);
        pliant_inputs_reset(t.inputs, FRAME);
        assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
        uint32_t pulling = 0;
        for (size_t i = 0; i < t.model->header->lambda_count; i++) {
            assert_true(((const pliant__mg *)solver->method_data)->multiplier[i] <= 0);
            pulling += ((const pliant__mg *)solver->method_data)->multiplier[i] < 0;
        }
        assert_int_equal(pulling, 1);
        pliant_solver_destroy(solver);
        trial_end(&t);
    }
}

/* ---- promises ---- */

static uint64_t run_sample(const sample *which, const pliant_model *model, pliant_system system, uint32_t width, uint32_t threads,
                           bool anew)
{
    pliant_error      error = {0};
    pliant_method_def method = multigrid(system, 6);
    pliant_solver_def sd = sample_solver_def();
    sd.width = width;
    sd.threads = threads;
    sd.method = &method;
    pliant_state  *state = pliant_state_create(model, &error);
    pliant_inputs *in = pliant_inputs_create(model, &error);
    pliant_solver *solver = pliant_solver_create(model, &sd, &error);
    assert_non_null(solver);
    for (uint32_t f = 0; f < which->frames; f++) {
        pliant_inputs_reset(in, FRAME);
        if (which->drive) which->drive(model, in, state, f);
        pliant_code code = pliant_solver_step(solver, state, in);
        assert_true(code == PLIANT_OK || code == PLIANT_ERROR_DIVERGED);
        if (anew) {
            pliant_solver_destroy(solver);
            solver = pliant_solver_create(model, &sd, &error);
        }
    }
    uint64_t hash = pliant_state_hash(state);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(in);
    pliant_state_destroy(state);
    return hash;
}

/* Of each sample and system one of these in turn, or all where there is time. */
static void widths_threads_and_new_solvers_change_no_bit(void **unused)
{
    (void)unused;
    const bool              all = takes_its_time();
    const pliant_build_info build = pliant_build();
    uint32_t                taken = 0;
    for (uint32_t i = 0; i < sample_count; i++) {
        pliant_model *model = sample_model(&samples[i]);
        FOR_SYSTEMS(system)
        {
            pliant_method_def method = multigrid(system, 6);
            if (!pliant_method_takes(model, &method, NULL)) continue;
            const uint64_t expected = run_sample(&samples[i], model, system, 1, 1, false);
            for (uint32_t w = 0; w < build.width_count; w++)
                if (build.runs[w] && build.widths[w] > 1 && (all || w % 3 == (taken + this_turn()) % 3))
                    assert_true(run_sample(&samples[i], model, system, build.widths[w], 1, false) == expected);
            const bool threaded = (i + (uint32_t)system + this_turn()) % 2; /* so that both systems have both */
            if (all || threaded) assert_true(run_sample(&samples[i], model, system, 0, 3, false) == expected);
            if (all || !threaded) assert_true(run_sample(&samples[i], model, system, 0, 1, true) == expected);
            taken++;
        }
        pliant_model_destroy(model);
    }
    print_message("%u of %u samples\n", taken, 2 * sample_count);
    assert_true(taken > 0);
}

/* Large enough that threads have something to share. */
static void threads_change_no_bit_of_a_beam(void **unused)
{
    (void)unused;
    FOR_SYSTEMS(system)
    {
        uint64_t hash[3];
        for (uint32_t i = 0; i < 3; i++) {
            beam b;
            beam_begin_with(&b, 48, 10, NULL, 1e6, multigrid(system, 6), NULL);
            if (i) {
                pliant_error      error = {0};
                pliant_method_def method = multigrid(system, 6);
                pliant_solver_def sd = pliant_solver_def_default();
                pliant_solver_destroy(b.solver);
                sd.method = &method;
                sd.threads = 1 + i;
                b.solver = pliant_solver_create(b.model, &sd, &error);
            }
            pliant_inputs_reset(b.inputs, FRAME);
            pliant_inputs_substeps(b.inputs, 2, 2);
            b.seen.stop = 2;
            assert_int_equal(pliant_solver_step(b.solver, b.state, b.inputs), PLIANT_OK);
            hash[i] = pliant_state_hash(b.state);
            beam_end(&b);
        }
        assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
    }
}

static void a_warm_step_allocates_nothing(void **unused)
{
    (void)unused;
    FOR_SYSTEMS(system)
    {
        tally memory;
        beam  b;
        beam_begin_with(&b, 12, 3, NULL, 1e6, multigrid(system, 6), &memory);
        const size_t calls = memory.calls;
        assert_true(calls > 0);
        beam_step(&b, 2);
        assert_int_equal(memory.calls, calls);
        beam_end(&b);
        assert_int_equal(memory.live, 0);
    }
}

/* Every allocation of a solver fails once. */
static void without_memory_there_is_no_solver_and_no_leak(void **unused)
{
    (void)unused;
    FOR_SYSTEMS(system)
    {
        tally memory;
        beam  b;
        beam_begin_with(&b, 8, 2, NULL, 1e6, multigrid(system, 6), &memory);
        const size_t calls = memory.calls;
        beam_end(&b);
        beam_begin_with(&b, 8, 2, NULL, 1e6, multigrid(system, 6), NULL);
        pliant_method_def method = multigrid(system, 6);
        pliant_solver_def sd = pliant_solver_def_default();
        sd.method = &method;
        for (size_t i = 0; i < calls; i++) {
            pliant_error error = {0};
            sd.allocator = tally_allocator(&memory);
            memory.left = i;
            assert_null(pliant_solver_create(b.model, &sd, &error));
            assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
            assert_int_equal(memory.live, 0);
        }
        beam_end(&b);
    }
}

static void what_it_cannot_solve_is_refused_with_the_reason(void **unused)
{
    (void)unused;
    pliant_error    error = {0};
    pliant_scene   *scene = pliant_scene_create(NULL, &error);
    pliant_rope_def rope = pliant_rope_def_default();
    rope.material = plain_material();
    rope.material.stretch.stiffness = R(0.5);
    rope.to = vec(1, 0, 0);
    rope.segments = 3;
    assert_true(pliant_scene_add_rope(scene, &rope, &error).id > 0);
    pliant_model     *model = pliant_scene_compile(scene, &error);
    pliant_method_def method = multigrid(PLIANT_SYSTEM_DISPLACEMENTS, 6);
    assert_false(pliant_method_takes(model, &method, &error));
    assert_non_null(strstr(error.message, "give a compliance instead"));
    method.cycles = 0;
    assert_false(pliant_method_takes(model, &method, &error));
    assert_non_null(strstr(error.message, "cycles"));
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aggregates_cover_every_particle_that_can_move_exactly_once),
        cmocka_unit_test(coarse_matrices_are_galerkin_products),
        cmocka_unit_test(a_fine_sheet_by_two_corners_moves_as_it_falls_and_gains_no_energy),
        cmocka_unit_test(coarse_matrices_of_a_taut_sheet_are_galerkin_products),
        cmocka_unit_test(coarse_matrices_of_multipliers_are_too),
        cmocka_unit_test(no_eigenvalue_of_the_rows_is_above_the_bound),
        cmocka_unit_test(the_cycle_is_symmetric_and_positive),
        cmocka_unit_test(one_iteration_is_the_dense_solution_in_multipliers),
        cmocka_unit_test(the_product_of_multipliers_is_that_of_the_matrix),
        cmocka_unit_test(both_systems_have_one_solution),
        cmocka_unit_test(coarse_matrices_are_made_anew_when_they_are_bad),
        cmocka_unit_test(both_residuals_fall),
        cmocka_unit_test(a_beam_pulled_to_twice_its_length_comes_back),
        cmocka_unit_test(a_rigid_mesh_that_is_over_determined_is_solved_too),
        cmocka_unit_test(a_string_does_not_push),
        cmocka_unit_test(widths_threads_and_new_solvers_change_no_bit),
        cmocka_unit_test(threads_change_no_bit_of_a_beam),
        cmocka_unit_test(a_warm_step_allocates_nothing),
        cmocka_unit_test(without_memory_there_is_no_solver_and_no_leak),
        cmocka_unit_test(what_it_cannot_solve_is_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
