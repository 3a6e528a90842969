/* Laws of the method multigrid: its hierarchy against dense matrices, its steps against dense solutions, what its iterations converge to, and
 * that neither widths nor threads nor a solver made anew change a bit. */
#include "sample_scenes.h"
#include "trial.h"

#include "step/methods/multigrid.h"

static pliant_method_def multigrid(uint32_t cycles)
{
    pliant_method_def def = pliant_method_def_default();
    def.method = PLIANT_METHOD_MULTIGRID;
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

/* 1 m long, of cells of 1 / length m, 1000 kg/m^3, held at one end. `youngs` 0: rigid. */
static void beam_begin(beam *b, uint32_t length, uint32_t side, double youngs, uint32_t cycles, tally *memory)
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
    soft.material.density = 1000;
    soft.material.stretch.compliance = R(youngs > 0 ? 1 / (youngs * cell) : 0);
    soft.material.volume.compliance = R(youngs > 0 ? cell * cell * cell / 6 / youngs : 0);
    b->body = pliant_scene_add_soft(b->scene, &soft, &error);
    b->vertices = (length + 1) * (side + 1) * (side + 1);
    for (uint32_t i = 0; i < b->vertices; i += length + 1)
        assert_int_equal(pliant_scene_pin(b->scene, b->body, &i, 1, false, &error), PLIANT_OK);
    b->model = pliant_scene_compile(b->scene, &error);
    assert_non_null(b->model);
    b->state = pliant_state_create(b->model, &error);
    b->inputs = pliant_inputs_create(b->model, &error);
    b->x = malloc(b->vertices * sizeof *b->x);
    pliant_state_positions(b->state, b->body, 0, b->vertices, b->x);
    pliant_method_def method = multigrid(cycles);
    pliant_solver_def sd = pliant_solver_def_default();
    sd.method = &method;
    sd.trace = keep;
    sd.trace_context = &b->seen;
    if (memory) sd.allocator = tally_allocator(memory);
    b->solver = pliant_solver_create(b->model, &sd, &error);
    assert_non_null(b->solver);
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

/* A number in [-1, 1) that is the same everywhere. */
static double draw(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1;
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

static pliant__mg *inside(const beam *b) { return b->solver->own; }

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

static void coarse_matrices_are_galerkin_products(void **unused)
{
    (void)unused;
    beam b;
    beam_begin(&b, 12, 3, 1e5, 12, NULL);
    beam_shake(&b, 0.01);
    beam_step(&b, 1);
    const pliant__mg *g = inside(&b);
    for (uint32_t level = 0; level + 1 < g->levels; level++) {
        const pliant__mg_level *l = &g->level[level];
        const size_t            n = (size_t)l->count * l->dofs, m = (size_t)l[1].count * 6;
        double                 *H = dense(l), *P = prolongation(g, l), *coarse = dense(l + 1), *half = calloc(n * m, sizeof *half);
        double                  largest = 0, worst = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < n; k++)
                for (size_t j = 0; j < m && H[i * n + k] != 0; j++) half[i * m + j] += H[i * n + k] * P[k * m + j];
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < m; j++) {
                double sum = 0;
                for (size_t k = 0; k < n; k++) sum += P[k * m + i] * half[k * m + j];
                worst = fmax(worst, fabs(sum - coarse[i * m + j]));
                largest = fmax(largest, fabs(sum));
            }
        assert_true(worst <= 100 * EPSILON * largest);
        free(H);
        free(P);
        free(coarse);
        free(half);
    }
    beam_end(&b);
}

/* z = cycle(r) for a drawn r. */
static void apply_cycle(beam *b, uint32_t seed, double *r, double *z)
{
    pliant__mg       *g = inside(b);
    pliant__mg_level *l = &g->level[0];
    for (size_t i = 0; i < 4 * (size_t)l->count; i++) l->b[i] = i % 4 < 3 && !g->still[i / 4] ? R(draw(&seed)) : 0;
    for (size_t i = 0; i < 4 * (size_t)l->count; i++) r[i] = i % 4 < 3 ? (double)l->b[i] : 0;
    pliant__mg_cycle(b->solver);
    for (size_t i = 0; i < 4 * (size_t)l->count; i++) z[i] = i % 4 < 3 ? (double)l->x[i] : 0;
}

static double inner(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void the_cycle_is_symmetric_and_positive(void **unused)
{
    (void)unused;
    beam b;
    beam_begin(&b, 24, 6, 1e5, 12, NULL);
    beam_shake(&b, 0.002);
    beam_step(&b, 1);
    assert_true(inside(&b)->levels >= 3);
    const size_t n = 4 * (size_t)inside(&b)->level[0].count;
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

/* (J W J^T + alpha~) dlambda = -C with dx = W J^T dlambda, dense, in the multipliers: another system than the one that is solved inside. */
static void one_iteration_is_the_dense_solution_in_multipliers(void **unused)
{
    (void)unused;
    beam b;
    beam_begin(&b, 4, 2, 1e4, 200, NULL);
    const pliant_model *m = b.model;
    const size_t        slots = m->header->slot_count;
    pliant_real        *x = malloc(4 * slots * sizeof *x);
    /* the prediction, as the step has it */
    memcpy(x, b.state->x, 4 * slots * sizeof *x);
    const pliant_real h = R(FRAME), dv = h * R(-9.81);
    for (size_t i = 0; i < slots; i++)
        if (x[4 * i + 3] > 0) x[4 * i + 1] += h * dv;
    size_t  rows = 0, room = m->header->packed_rows;
    double *J = calloc(room * 3 * slots, sizeof *J), *C = calloc(room, sizeof *C), *alpha = calloc(room, sizeof *alpha);
    for (size_t i = 0; i < model_count(m, batches); i++) {
        const pliant__batch          *batch = &m->batches[i];
        const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)batch->kind);
        for (uint32_t row = 0; row < batch->count; row++, rows++) {
            pliant_eval_input  in = {.dt = h, .law = pliant_law_default()};
            pliant_eval_output out;
            const uint32_t    *slot = m->row_index + batch->index + (size_t)(row / 16) * 16 * info->slots + row % 16;
            for (uint32_t k = 0; k < info->slots; k++) {
                memcpy(in.x[k], x + 4 * (size_t)slot[16 * k], sizeof in.x[k]);
                in.w[k] = x[4 * (size_t)slot[16 * k] + 3];
            }
            in.parameters[0] = m->row_parameter[batch->parameter + (size_t)(row / 16) * 16 + row % 16];
            assert_int_equal(pliant_constraint_eval((pliant_constraint_kind)batch->kind, &in, &out), PLIANT_OK);
            C[rows] = (double)out.C[0];
            alpha[rows] = (double)m->laws[m->row_law[batch->first_row + row]].compliance / (FRAME * FRAME);
            for (uint32_t k = 0; k < info->slots; k++)
                for (uint32_t c = 0; c < 3; c++) J[rows * 3 * slots + 3 * (size_t)slot[16 * k] + c] = (double)out.gradient[0][k][c];
        }
    }
    double *A = calloc(rows * rows, sizeof *A), *lambda = calloc(rows, sizeof *lambda);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < rows; j++)
            for (size_t k = 0; k < 3 * slots; k++)
                A[i * rows + j] += (double)x[4 * (k / 3) + 3] * J[i * 3 * slots + k] * J[j * 3 * slots + k];
        A[i * rows + i] += alpha[i];
        lambda[i] = -C[i];
    }
    eliminate(rows, A, lambda);
    beam_step(&b, 1);
    double largest = 0, worst = 0;
    for (size_t k = 0; k < 3 * slots; k++) {
        const size_t at = 4 * (k / 3) + k % 3;
        double       dx = 0;
        for (size_t i = 0; i < rows; i++) dx += (double)x[4 * (k / 3) + 3] * J[i * 3 * slots + k] * lambda[i];
        if (!(x[4 * (k / 3) + 3] > 0)) continue;
        largest = fmax(largest, fabs(dx));
        worst = fmax(worst, fabs(dx - ((double)b.state->x[at] - (double)x[at])));
    }
    assert_true(largest > 1e-4);
    assert_true(worst <= BOUND(1e-9, 1e-3) * largest);
    free(x), free(J), free(C), free(alpha), free(A), free(lambda);
    beam_end(&b);
}

/* ---- iterations ---- */

static void both_residuals_fall(void **unused)
{
    (void)unused;
    static const double youngs[] = {1e4, 1e6, 1e8};
    for (uint32_t i = 0; i < 3; i++)
        for (int shaken = 0; shaken < 2; shaken++) {
            beam b;
            beam_begin(&b, 16, 4, youngs[i], 20, NULL);
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
    for (uint32_t i = 0; i < 2; i++) {
        beam b;
        beam_begin(&b, 16, 4, youngs[i], 12, NULL);
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

/* ---- promises ---- */

static uint64_t run_sample(const sample *which, const pliant_model *model, uint32_t width, uint32_t threads, bool anew)
{
    pliant_error      error = {0};
    pliant_method_def method = multigrid(6);
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

static void widths_threads_and_new_solvers_change_no_bit(void **unused)
{
    (void)unused;
    pliant_method_def method = multigrid(6);
    pliant_build_info build = pliant_build();
    uint32_t          taken = 0;
    for (uint32_t i = 0; i < sample_count; i++) {
        pliant_model *model = sample_model(&samples[i]);
        if (pliant_method_takes(model, &method, NULL)) {
            const uint64_t expected = run_sample(&samples[i], model, 1, 1, false);
            for (uint32_t w = 0; w < build.width_count; w++)
                if (build.runs[w]) assert_true(run_sample(&samples[i], model, build.widths[w], 1, false) == expected);
            assert_true(run_sample(&samples[i], model, 0, 3, false) == expected);
            assert_true(run_sample(&samples[i], model, 0, 1, true) == expected);
            taken++;
        }
        pliant_model_destroy(model);
    }
    print_message("%u of %u samples\n", taken, sample_count);
    assert_true(taken > 0);
}

/* Large enough that threads have something to share. */
static void threads_change_no_bit_of_a_beam(void **unused)
{
    (void)unused;
    uint64_t hash[3];
    for (uint32_t i = 0; i < 3; i++) {
        beam b;
        beam_begin(&b, 48, 10, 1e6, 6, NULL);
        if (i) {
            pliant_error      error = {0};
            pliant_method_def method = multigrid(6);
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

static void a_warm_step_allocates_nothing(void **unused)
{
    (void)unused;
    tally memory;
    beam  b;
    beam_begin(&b, 12, 3, 1e6, 6, &memory);
    const size_t calls = memory.calls;
    assert_true(calls > 0);
    beam_step(&b, 2);
    assert_int_equal(memory.calls, calls);
    beam_end(&b);
    assert_int_equal(memory.live, 0);
}

/* Every allocation of a solver fails once. */
static void without_memory_there_is_no_solver_and_no_leak(void **unused)
{
    (void)unused;
    tally memory;
    beam  b;
    beam_begin(&b, 8, 2, 1e6, 6, &memory);
    const size_t calls = memory.calls;
    beam_end(&b);
    beam_begin(&b, 8, 2, 1e6, 6, NULL);
    pliant_method_def method = multigrid(6);
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
    pliant_method_def method = multigrid(6);
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
        cmocka_unit_test(the_cycle_is_symmetric_and_positive),
        cmocka_unit_test(one_iteration_is_the_dense_solution_in_multipliers),
        cmocka_unit_test(both_residuals_fall),
        cmocka_unit_test(a_beam_pulled_to_twice_its_length_comes_back),
        cmocka_unit_test(a_rigid_mesh_that_is_over_determined_is_solved_too),
        cmocka_unit_test(widths_threads_and_new_solvers_change_no_bit),
        cmocka_unit_test(threads_change_no_bit_of_a_beam),
        cmocka_unit_test(a_warm_step_allocates_nothing),
        cmocka_unit_test(without_memory_there_is_no_solver_and_no_leak),
        cmocka_unit_test(what_it_cannot_solve_is_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
