/* The coarse levels of the method `hierarchical`, and what it does with them. */
#include "../bench/methods/irregular.h"
#include "pliant/io.h"
#include "methods/levels.h"
#include "state/state.h"
#include "trial.h"

#define H60 (1.0 / 60)

/* ---- scenes ---- */

enum { GRID, MESH, FOLDED, LATTICE, ROPE, SCENES };

static void use_method(trial *t, pliant_method method, uint32_t substeps, uint32_t iterations, double gravity)
{
    memset(t, 0, sizeof *t);
    t->def = pliant_scene_def_default();
    t->def.gravity = vec(0, -gravity, 0);
    t->def.substeps = substeps;
    t->def.iterations = iterations;
    t->def.method.method = method;
    trial_begin_def(t);
}

static void pin(trial *t, pliant_body body, const uint32_t *vertices, size_t count)
{
    pliant_error error = {0};
    assert_int_equal(pliant_scene_pin(t->scene, body, vertices, count, false, &error), PLIANT_OK);
}

/* Along the middle, by 120 degrees. */
static void fold(irregular *m)
{
    for (uint32_t i = 0; i < m->vertex_count; i++)
        if (m->x[i].x > 0) m->x[i] = vec(-0.5 * (double)m->x[i].x, (double)m->x[i].y, 0.8660254037844386 * (double)m->x[i].x);
}

/* A sheet of n x n particles. Pinned: by its upper edge. */
static pliant_body add_sheet(trial *t, int scene, uint32_t n, double alpha, bool pinned)
{
    pliant_error     error = {0};
    pliant_cloth_def d = pliant_cloth_def_default();
    irregular        m = irregular_sheet(n);
    d.bend = PLIANT_BEND_NONE;
    d.material.stretch.compliance = d.material.shear.compliance = R(alpha);
    if (scene == GRID) {
        d.cells_x = d.cells_z = n - 1;
        d.size_x = d.size_z = 2;
        for (uint32_t i = 0; i < n; i++) m.top[i] = i;
    }
    if (scene == FOLDED) fold(&m);
    if (scene != GRID) d.mesh = pliant_mesh_view_of(m.x, sizeof *m.x, m.vertex_count, m.triangles, m.triangle_count);
    pliant_body b = pliant_scene_add_cloth(t->scene, &d, &error);
    if (!b.id) fail_msg("%s", error.message);
    if (pinned) pin(t, b, m.top, m.top_count);
    irregular_free(&m);
    return b;
}

static pliant_body add_thing(trial *t, int scene, uint32_t n, bool pinned)
{
    pliant_error error = {0};
    pliant_body  b = {0};
    if (scene == LATTICE) {
        pliant_soft_def d = pliant_soft_def_default();
        d.model = PLIANT_SOLID_DISTANCE;
        d.cells[0] = d.cells[1] = d.cells[2] = n / 4;
        d.material.stretch.compliance = d.material.volume.compliance = 0;
        b = pliant_scene_add_soft(t->scene, &d, &error);
    } else if (scene == ROPE) {
        pliant_rope_def d = pliant_rope_def_default();
        d.from = vec(0, 0, 0);
        d.to = vec(0, -1, 0);
        d.segments = 4 * n;
        d.bend = false;
        d.material.stretch.compliance = 0;
        b = pliant_scene_add_rope(t->scene, &d, &error);
    } else
        return add_sheet(t, scene, n, 0, pinned);
    if (!b.id) fail_msg("%s", error.message);
    const uint32_t first = 0;
    if (pinned) pin(t, b, &first, 1);
    return b;
}

static pliant__levels *levels_of(const trial *t)
{
    pliant__levels *l = pliant__levels_create(&t->model->allocator, t->model, 0);
    assert_non_null(l);
    return l;
}

static void each_model(void (*check)(const trial *t, const pliant__levels *l, int scene, bool pinned))
{
    for (int scene = 0; scene < SCENES; scene++)
        for (int pinned = 0; pinned < 2; pinned++) {
            trial t;
            use_method(&t, PLIANT_METHOD_HIERARCHICAL, 1, 1, 10);
            add_thing(&t, scene, 32, pinned);
            trial_compile(&t);
            pliant__levels *l = levels_of(&t);
            check(&t, l, scene, pinned);
            pliant__levels_destroy(&t.model->allocator, l);
            trial_end(&t);
        }
}

/* ---- levels ---- */

static void check_sizes(const trial *t, const pliant__levels *l, int scene, bool pinned)
{
    (void)t;
    assert_true(l->count >= 2);
    for (uint32_t i = 1; i < l->count; i++) {
        assert_int_equal(l->level[i].finer_count, l->level[i - 1].count);
        assert_true(l->level[i].count < l->level[i].finer_count);
    }
    assert_true(l->level[l->count - 1].count <= (pinned && scene != LATTICE && scene != ROPE ? 32 : 0) + 40u);
}

static void levels_get_smaller(void **unused)
{
    (void)unused;
    each_model(check_sizes);
}

static uint32_t parent_count(const pliant__level *v, uint32_t left) { return v->parent_first[left + 1] - v->parent_first[left]; }

static void check_parents(const trial *t, const pliant__levels *l, int scene, bool pinned)
{
    (void)t;
    (void)scene;
    (void)pinned;
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t k = 0; k < l->level[i].left_count; k++) assert_true(parent_count(&l->level[i], k) >= PLIANT__PARENTS);
}

static void who_is_left_out_has_enough_neighbours_that_stay(void **unused)
{
    (void)unused;
    each_model(check_parents);
}

/* On the finest level, with the model's graph: parents are neighbours, and a particle that stays is a pin, has too few parents, or is one that
 * another cannot do without. */
static void check_maximal(const trial *t, const pliant__levels *l, int scene, bool pinned)
{
    const pliant__level *v = &l->level[0];
    uint32_t            *parents = calloc(t->model->header->slot_count, sizeof *parents);
    pliant__graph        g = {0};
    (void)scene;
    (void)pinned;
    assert_true(pliant__graph_of_model(&t->model->allocator, t->model, &g));
    for (uint32_t k = 0; k < v->left_count; k++) {
        const uint32_t slot = v->left[k];
        for (uint32_t i = g.first[slot]; i < g.first[slot + 1]; i++) parents[slot] += v->up[g.links[i].to] != PLIANT__NONE;
        assert_int_equal(parents[slot], parent_count(v, k));
        assert_true(t->model->x[4 * (size_t)slot + 3] > 0);
    }
    for (uint32_t p = 0; p < v->count; p++) {
        const uint32_t slot = v->own[p];
        uint32_t       staying = 0;
        bool           needed = !(t->model->x[4 * (size_t)slot + 3] > 0);
        for (uint32_t i = g.first[slot]; i < g.first[slot + 1]; i++) {
            const uint32_t to = g.links[i].to;
            staying += v->up[to] != PLIANT__NONE;
            needed = needed || (v->up[to] == PLIANT__NONE && parents[to] == PLIANT__PARENTS);
        }
        assert_true(needed || staying < PLIANT__PARENTS);
    }
    pliant__graph_free(&t->model->allocator, &g);
    free(parents);
}

static void none_who_stays_could_be_left_out_as_well(void **unused)
{
    (void)unused;
    each_model(check_maximal);
}

static void check_weights(const trial *t, const pliant__levels *l, int scene, bool pinned)
{
    double finer = 0;
    (void)scene;
    for (uint32_t p = 0; p < t->model->header->slot_count; p++) finer += t->model->free_w[p] > 0 ? 1 / (double)t->model->free_w[p] : 0;
    for (uint32_t i = 0; i < l->count; i++) {
        const pliant__level *v = &l->level[i];
        double               mass = 0;
        for (uint32_t k = 0; k < v->left_count; k++) {
            double sum = 0;
            for (uint32_t j = v->parent_first[k]; j < v->parent_first[k + 1]; j++) sum += (double)v->weight[j];
            assert_true(fabs(sum - 1) < 4 * EPSILON);
        }
        for (uint32_t p = 0; p < v->count; p++) {
            double sum = (double)v->own_share[p];
            for (uint32_t j = v->child_first[p]; j < v->child_first[p + 1]; j++) sum += (double)v->share[j];
            assert_true(fabs(sum - 1) < 16 * EPSILON);
            mass += v->w[p] > 0 ? 1 / (double)v->w[p] : 0;
        }
        if (!pinned) assert_true(fabs(mass / finer - 1) < 1e-5);
        assert_true(mass <= finer * (1 + 1e-5));
        finer = mass;
    }
}

static void weights_and_shares_sum_to_1_and_masses_to_the_mass(void **unused)
{
    (void)unused;
    each_model(check_weights);
}

/* Slot of a level's particle. */
static uint32_t slot_of(const pliant__levels *l, uint32_t level, uint32_t particle)
{
    for (uint32_t i = level + 1; i-- > 0;) particle = l->level[i].own[particle];
    return particle;
}

/* The largest and the smallest length over the distance, and rows of a level. */
static void compare_lengths(const trial *t, const pliant__levels *l, uint32_t level, const pliant_vec3 *flat, double *least, double *most)
{
    const pliant__level *v = &l->level[level];
    for (uint32_t w = 0; w < v->wave_count; w++)
        for (uint32_t r = v->waves[w].first_row; r < v->waves[w].first_row + v->waves[w].count; r++) {
            const uint32_t *index = v->row_index + r / PLIANT__BLOCK * 2 * PLIANT__BLOCK + r % PLIANT__BLOCK;
            uint32_t        p = t->model->slot_vertex[slot_of(l, level, index[0])],
                     q = t->model->slot_vertex[slot_of(l, level, index[PLIANT__BLOCK])];
            double ratio = (double)v->row_parameter[r] / (double)v3_length(v3_sub(flat[p], flat[q]));
            *least = fmin(*least, ratio);
            *most = fmax(*most, ratio);
        }
}

/* A flat sheet's lengths are those of the straight lines. Where it rests folded they do not act, and let it unfold. */
static void lengths_are_those_of_the_unfolded_sheet(void **unused)
{
    (void)unused;
    for (int scene = MESH; scene <= FOLDED; scene++) {
        irregular m = irregular_sheet(32);
        trial     t;
        double    least = 1e9, most = 0;
        use_method(&t, PLIANT_METHOD_HIERARCHICAL, 1, 1, 10);
        add_sheet(&t, scene, 32, 0, false);
        trial_compile(&t);
        if (scene == FOLDED) fold(&m);
        pliant__levels *l = levels_of(&t);
        for (uint32_t i = 0; i < l->count; i++) compare_lengths(&t, l, i, m.x, &least, &most);
        assert_true(least >= 1);
        assert_true(scene == MESH ? most < 1.03 : most > 1.5);
        pliant__levels_destroy(&t.model->allocator, l);
        trial_end(&t);
        irregular_free(&m);
    }
}

/* ---- what it does ---- */

/* To the bit where rest lengths are those of the positions: along a rope, and in a grid with cells of a power of two. Those of another grid are its
 * cells', and its positions are rounded. */
static void what_rests_stays_at_rest_to_the_bit(void **unused)
{
    static const struct {
        int      scene;
        uint32_t n;
        bool     exact;
    } things[] = {{GRID, 24, false}, {GRID, 33, true}, {MESH, 24, false}, {FOLDED, 24, false}, {LATTICE, 24, false}, {ROPE, 24, true}};
    (void)unused;
    for (size_t k = 0; k < sizeof things / sizeof *things; k++) {
        trial t;
        use_method(&t, PLIANT_METHOD_HIERARCHICAL, 3, 2, 0);
        add_thing(&t, things[k].scene, things[k].n, true);
        trial_compile(&t);
        const size_t bytes = 4 * (size_t)t.model->header->slot_count * sizeof(pliant_real);
        trial_run(&t, H60, 5);
        if (things[k].exact) assert_memory_equal(t.state->x, t.model->x, bytes);
        for (size_t i = 0; i < bytes / sizeof(pliant_real); i++)
            assert_true(fabs((double)t.state->x[i] - (double)t.model->x[i]) < 4 * EPSILON);
        trial_end(&t);
    }
}

static void run_frames(trial *t, pliant_method method, int scene, uint32_t substeps, uint32_t iterations, uint32_t frames)
{
    use_method(t, method, substeps, iterations, 10);
    add_thing(t, scene, 40, true);
    trial_compile(t);
    trial_run(t, H60, frames);
}

static void pins_stay(void **unused)
{
    (void)unused;
    for (int scene = 0; scene < SCENES; scene++) {
        trial t;
        run_frames(&t, PLIANT_METHOD_HIERARCHICAL, scene, 2, 2, 20);
        for (size_t i = 0; i < t.model->header->slot_count; i++)
            if (t.model->x[4 * i + 3] == 0) assert_memory_equal(t.state->x + 4 * i, t.model->x + 4 * i, 4 * sizeof(pliant_real));
        trial_end(&t);
    }
}

/* At as many sweeps on the finest level as Gauss-Seidel has: the mean is at most this share of its, after twenty frames of one substep. */
static void it_stretches_less_than_gauss_seidel_with_as_many_sweeps(void **unused)
{
    static const double share[SCENES] = {[GRID] = 0.3, [MESH] = 0.2, [FOLDED] = 0.2, [ROPE] = 0.2};
    (void)unused;
    for (int scene = 0; scene < SCENES; scene++) {
        if (scene == LATTICE) continue; /* its volumes are on the finest level only */
        double mean[2];
        for (int m = 0; m < 2; m++) {
            trial t;
            run_frames(&t, m ? PLIANT_METHOD_HIERARCHICAL : PLIANT_METHOD_GAUSS_SEIDEL, scene, 1, 2, 20);
            mean[m] = pliant_state_strain(t.state).mean;
            trial_end(&t);
        }
        assert_true(mean[1] < share[scene] * mean[0]);
    }
}

/* The states of two models cannot be compared by their own hashes. */
static uint64_t hash_of_positions(const trial *t)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < 4 * (size_t)t->model->header->slot_count * sizeof(pliant_real); i++)
        hash = hash * 31 + ((const unsigned char *)t->state->x)[i];
    return hash;
}

/* What is compressed, and may be: coarse levels do nothing, so every bit is Gauss-Seidel's. */
static void coarse_levels_do_not_push(void **unused)
{
    uint64_t hash[2];
    (void)unused;
    for (int m = 0; m < 2; m++) {
        trial t;
        use_method(&t, m ? PLIANT_METHOD_HIERARCHICAL : PLIANT_METHOD_GAUSS_SEIDEL, 1, 1, 0);
        add_sheet(&t, MESH, 24, 0, false);
        trial_compile(&t);
        for (size_t i = 0; i < t.model->header->slot_count; i++)
            for (size_t c = 0; c < 3 && t.model->x[4 * i + 3] > 0; c++) t.state->x[4 * i + c] *= R(0.8);
        trial_run(&t, H60, 1);
        hash[m] = hash_of_positions(&t);
        trial_end(&t);
    }
    assert_true(hash[0] == hash[1]);
}

/* Linear momentum of what nothing holds stays, and angular momentum nearly: averages of a turning neighbourhood are not quite on its turning
 * particle. */
static void momentum_is_kept(void **unused)
{
    (void)unused;
    for (int scene = GRID; scene <= LATTICE; scene++) {
        trial    t;
        double   p[3] = {0, 0, 0}, all = 0;
        uint64_t seed = 5;
        use_method(&t, PLIANT_METHOD_HIERARCHICAL, 4, 2, 0);
        add_thing(&t, scene, 24, false);
        trial_compile(&t);
        for (size_t i = 0; i < t.model->header->slot_count; i++)
            for (size_t c = 0; c < 3 && t.model->x[4 * i + 3] > 0; c++) t.state->v[4 * i + c] = R(2 * chance(&seed) - 1);
        for (int step = 0; step < 2; step++) {
            for (size_t i = 0; i < t.model->header->slot_count; i++)
                for (size_t c = 0; c < 3 && t.model->x[4 * i + 3] > 0; c++) {
                    const double part = (double)t.state->v[4 * i + c] / (double)t.model->x[4 * i + 3];
                    p[c] += step ? part : -part;
                    all += fabs(part);
                }
            if (!step) trial_run(&t, H60, 10);
        }
        for (int c = 0; c < 3; c++) assert_true(fabs(p[c]) < BOUND(1e-11, 2e-5) * all);
        trial_end(&t);
    }
}

static uint64_t hash_after(const pliant_model *model, uint32_t width, uint32_t threads, bool anew)
{
    pliant_error      error = {0};
    pliant_solver_def d = pliant_solver_def_default();
    pliant_state     *s = pliant_state_create(model, &error);
    pliant_inputs    *in = pliant_inputs_create(model, &error);
    pliant_solver    *k = NULL;
    d.width = width;
    d.threads = threads;
    for (int frame = 0; frame < 6; frame++) {
        if (!k || anew) {
            pliant_solver_destroy(k);
            k = pliant_solver_create(model, &d, &error);
            assert_non_null(k);
        }
        pliant_inputs_reset(in, H60);
        assert_int_equal(pliant_solver_step(k, s, in), PLIANT_OK);
    }
    const uint64_t hash = pliant_state_hash(s);
    pliant_solver_destroy(k);
    pliant_state_destroy(s);
    pliant_inputs_destroy(in);
    return hash;
}

/* Rigid and compliant, in contact, large enough that levels are walked in several tasks. */
static void neither_widths_nor_threads_nor_a_new_solver_change_a_bit(void **unused)
{
    (void)unused;
    for (int soft = 0; soft < 2; soft++) {
        pliant_error error = {0};
        trial        t;
        memset(&t, 0, sizeof t);
        t.def = pliant_scene_def_default();
        t.def.substeps = 2;
        t.def.method.method = PLIANT_METHOD_HIERARCHICAL;
        t.def.method.coarse_iterations = 2;
        trial_begin_def(&t);
        add_sheet(&t, soft ? MESH : GRID, 56, soft ? 1e-4 : 0, true);
        pliant_collider_def c = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
        c.radius = R(0.5);
        c.pose.position = soft ? vec(0, -1, 0.45) : vec(0, -0.5, 0);
        assert_int_not_equal(pliant_scene_add_collider(t.scene, &c, &error).id, 0);
        trial_compile(&t);
        const uint64_t          first = hash_after(t.model, 1, 1, false);
        const pliant_build_info build = pliant_build();
        for (uint32_t w = 0; w < build.width_count; w++)
            for (uint32_t threads = 1; build.runs[w] && threads <= 3; threads++)
                assert_true(hash_after(t.model, build.widths[w], threads, threads == 2) == first);
        trial_end(&t);
    }
}

/* How much longer a rope of compliance is that hangs at rest. */
static double longer_by(pliant_method method, double alpha, uint32_t iterations)
{
    pliant_error    error = {0};
    trial           t;
    pliant_rope_def d = pliant_rope_def_default();
    pliant_vec3     end;
    const uint32_t  first = 0;
    memset(&t, 0, sizeof t);
    t.def = pliant_scene_def_default();
    t.def.gravity = vec(0, -10, 0);
    t.def.iterations = iterations;
    t.def.drag = 10;
    t.def.method.method = method;
    trial_begin_def(&t);
    d.to = vec(0, -1, 0);
    d.segments = 64;
    d.bend = false;
    d.material.density = R(0.1);
    d.material.stretch.compliance = R(alpha);
    pliant_body b = pliant_scene_add_rope(t.scene, &d, &error);
    assert_int_not_equal(b.id, 0);
    pin(&t, b, &first, 1);
    trial_compile(&t);
    trial_run(&t, H60, 300);
    pliant_state_positions(t.state, b, 64, 1, &end);
    trial_end(&t);
    return -(double)end.y - 1;
}

/* A segment is longer by alpha times the weight below it: together alpha g m / 2 times the number of segments. Soft, it is Gauss-Seidel's
 * own result; stiffer, where coarse levels take part and carry a share, it is between that and nothing. */
static void compliance_is_not_made_rigid(void **unused)
{
    (void)unused;
    for (uint32_t i = 1; i <= 100; i *= 10)
        for (int k = 0; k < 3; k++) {
            const double alpha = k == 0 ? 2e-3 : k == 1 ? 1e-4 : 2e-5, exact = alpha * 10 * 0.1 * 64 / 2;
            const double plain = longer_by(PLIANT_METHOD_GAUSS_SEIDEL, alpha, i), is = longer_by(PLIANT_METHOD_HIERARCHICAL, alpha, i);
            if (getenv("PLIANT_TEST_NUMBERS"))
                printf("alpha %g, %u iterations: %.6f, gauss_seidel %.6f, exact %.6f\n", alpha, i, is, plain, exact);
            if (k == 0 && i >= 10) assert_true(fabs(is - exact) < 0.01 * exact);
            assert_true(is > 0 && is <= plain * 1.02 + 1e-6);
        }
}

/* Where the state or the inputs take away what coarse levels were made from, they rest. */
static void what_is_switched_off_is_not_held(void **unused)
{
    uint64_t hash[2];
    (void)unused;
    for (int m = 0; m < 2; m++) {
        trial t;
        use_method(&t, m ? PLIANT_METHOD_HIERARCHICAL : PLIANT_METHOD_GAUSS_SEIDEL, 2, 2, 10);
        add_sheet(&t, GRID, 24, 0, true);
        trial_compile(&t);
        for (uint32_t i = 0; i < 40; i++)
            assert_int_equal(pliant_state_set_active(t.state, (pliant_constraint){i + 501}, false), PLIANT_OK);
        trial_run(&t, H60, 5);
        hash[m] = hash_of_positions(&t);
        trial_end(&t);
    }
    assert_true(hash[0] == hash[1]);
}

static void nothing_passes_through_a_floor(void **unused)
{
    pliant_error        error = {0};
    pliant_collider_def c = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    trial               t;
    (void)unused;
    use_method(&t, PLIANT_METHOD_HIERARCHICAL, 5, 1, 10);
    add_sheet(&t, MESH, 32, 0, false);
    c.pose.position = vec(0, -2.1, 0);
    assert_int_not_equal(pliant_scene_add_collider(t.scene, &c, &error).id, 0);
    trial_compile(&t);
    trial_run(&t, H60, 90);
    for (size_t i = 0; i < t.model->header->slot_count; i++)
        if (t.model->x[4 * i + 3] > 0) assert_true((double)t.state->x[4 * i + 1] > -2.1 - 1e-4);
    assert_true(pliant_solver_statistics(t.solver).contacts > 5);
    trial_end(&t);
}

/* ---- settings ---- */

static void settings_are_checked(void **unused)
{
    pliant_error      error = {0};
    trial             t;
    pliant_method_def d = pliant_method_def_default();
    (void)unused;
    use_method(&t, PLIANT_METHOD_HIERARCHICAL, 1, 1, 10);
    add_sheet(&t, GRID, 8, 0, true);
    trial_compile(&t);
    d.method = PLIANT_METHOD_HIERARCHICAL;
    assert_true(pliant_method_takes(t.model, &d, &error));
    d.coarse_iterations = 0;
    assert_false(pliant_method_takes(t.model, &d, &error));
    assert_non_null(strstr(error.message, "coarse_iterations"));
    trial_end(&t);
}

static void levels_are_no_setting_of_others(void **unused)
{
    static const char text[] = "{\"pliant\": 1, \"solver\": {\"levels\": 3}, \"bodies\": [{\"type\": \"cloth\", \"cells\": [2, 2]}]}";
    pliant_error      error = {0};
    pliant_scene_file file;
    (void)unused;
    assert_int_not_equal(pliant_scene_read_text(text, strlen(text), "text", "", NULL, &file, &error), PLIANT_OK);
    assert_non_null(strstr(error.message, "hierarchical"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_get_smaller),
        cmocka_unit_test(who_is_left_out_has_enough_neighbours_that_stay),
        cmocka_unit_test(none_who_stays_could_be_left_out_as_well),
        cmocka_unit_test(weights_and_shares_sum_to_1_and_masses_to_the_mass),
        cmocka_unit_test(lengths_are_those_of_the_unfolded_sheet),
        cmocka_unit_test(what_rests_stays_at_rest_to_the_bit),
        cmocka_unit_test(pins_stay),
        cmocka_unit_test(it_stretches_less_than_gauss_seidel_with_as_many_sweeps),
        cmocka_unit_test(coarse_levels_do_not_push),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(neither_widths_nor_threads_nor_a_new_solver_change_a_bit),
        cmocka_unit_test(compliance_is_not_made_rigid),
        cmocka_unit_test(what_is_switched_off_is_not_held),
        cmocka_unit_test(nothing_passes_through_a_floor),
        cmocka_unit_test(settings_are_checked),
        cmocka_unit_test(levels_are_no_setting_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
