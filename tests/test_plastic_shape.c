/* The law: a cluster of shape matching that is strained beyond its yield keeps the shape that it is forced into, less the yield, at once or at a rate, harder the
 * more it has flowed and no further than its most. It keeps its volume, makes no energy, and has one result whatever steps it. Below the yield, and in any rigid
 * motion, nothing differs from a cluster without one. */
#include "trial.h"

static const pliant_group_kind kinds[] = {PLIANT_GROUP_LINEAR, PLIANT_GROUP_QUADRATIC};
#define KINDS (sizeof kinds / sizeof *kinds)

typedef struct clay {
    double young, poisson, yield, creep, hardening, most, cluster, drag;
} clay;

static const clay usual = {5e4, 0.3, 0.1, 0, 0, 0, 0, 0};

/* A block of 4 by 4 by 4 cells, 0.4 m a side, in the middle of which is (0, height, 0). */
static pliant_body add_block(trial *t, pliant_group_kind kind, clay of, double height)
{
    pliant_soft_def  def = pliant_soft_def_default();
    pliant_group_def group = pliant_group_def_default(kind);
    pliant_error     error = {PLIANT_OK, 0, "", ""};
    def.cells[0] = def.cells[1] = def.cells[2] = 4;
    def.extent = vec(0.4, 0.4, 0.4);
    def.model = PLIANT_SOLID_SHAPE;
    def.material.density = 1000;
    def.material.drag = R(of.drag);
    def.body.placement.position = vec(0, height, 0);
    const pliant_body body = pliant_scene_add_soft(t->scene, &def, &error);
    if (!body.id) fail_msg("%s", error.message);
    group.numbers[0] = of.young;
    group.numbers[2] = of.poisson;
    group.numbers[4] = of.yield;
    group.numbers[5] = of.creep;
    group.numbers[6] = of.hardening;
    group.numbers[7] = of.most;
    group.cluster = R(of.cluster);
    if (pliant_scene_group(t->scene, body, &group, &error) != PLIANT_OK) fail_msg("%s", error.message);
    return body;
}

/* Puts a body at rest at where the map of its places in the scene leads, from the middle. */
static void map_to(const trial *t, pliant_body body, double height, const double map[3][3])
{
    const uint32_t count = vertex_count(t, body);
    pliant_state  *scene = pliant_state_create(t->model, NULL);
    pliant_vec3   *x = malloc(count * sizeof *x), *still = calloc(count, sizeof *still);
    assert_true(scene && x && still);
    assert_int_equal(pliant_state_write_positions(scene, body, x, sizeof *x), PLIANT_OK);
    for (uint32_t v = 0; v < count; v++) {
        const double q[3] = {(double)x[v].x, (double)x[v].y - height, (double)x[v].z};
        double       to[3];
        for (int k = 0; k < 3; k++) to[k] = map[k][0] * q[0] + map[k][1] * q[1] + map[k][2] * q[2];
        x[v] = vec(to[0], height + to[1], to[2]);
    }
    assert_int_equal(pliant_state_set_positions(t->state, body, 0, count, x), PLIANT_OK);
    assert_int_equal(pliant_state_set_velocities(t->state, body, 0, count, still), PLIANT_OK);
    pliant_state_destroy(scene);
    free(x);
    free(still);
}

/* To `height` of its own, with its volume. */
static void press_to(const trial *t, pliant_body body, double height)
{
    const double across = 1 / sqrt(height), map[3][3] = {{across, 0, 0}, {0, height, 0}, {0, 0, across}};
    map_to(t, body, 0, map);
}

/* Lengths of its sides over those in the scene. */
static void sides_of(const trial *t, pliant_body body, double side[3])
{
    double low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9};
    for (uint32_t v = 0; v < vertex_count(t, body); v++) {
        double x[3];
        point_of(t, body, v, x);
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], x[k]);
            high[k] = fmax(high[k], x[k]);
        }
    }
    for (int k = 0; k < 3; k++) side[k] = (high[k] - low[k]) / 0.4;
}

/* Presses a cluster that is too soft to move to `height` for so many frames, makes it stiff, and lets it go in syrup: what sides it keeps. */
static void press_and_release(pliant_group_kind kind, clay of, double height, uint32_t substeps, uint32_t frames, double side[3])
{
    trial t;
    clay  weak = of;
    weak.young = 1e-9;
    weak.drag = 60;
    trial_begin(&t, 0, substeps, 1);
    const pliant_body body = add_block(&t, kind, weak, 0);
    trial_compile(&t);
    press_to(&t, body, height);
    trial_run(&t, 1.0 / 60, frames);
    sides_of(&t, body, side);
    near(side[1], height, BOUND(1e-9, 1e-6)); /* it was held there */
    for (int f = 0; f < 240; f++) {
        pliant_inputs_reset(t.inputs, 1.0 / 60);
        if (!f) assert_int_equal(pliant_inputs_shape(t.inputs, body, of.young), PLIANT_OK);
        assert_int_equal(pliant_solver_step(t.solver, t.state, t.inputs), PLIANT_OK);
    }
    sides_of(&t, body, side);
    trial_end(&t);
}

/* The height of a block that keeps its volume and has the equivalent strain e: a^-1/2 - a = 3/2 e. */
static double height_of(double e)
{
    double low = 0.01, high = 1;
    for (int i = 0; i < 60; i++) {
        const double a = 0.5 * (low + high);
        if (1 / sqrt(a) - a > 1.5 * e)
            low = a;
        else
            high = a;
    }
    return low;
}

/* ---- how far it flows ---- */

static void a_pressed_block_keeps_the_press_less_its_yield(void **unused)
{
    static const double heights[] = {0.9, 0.6, 0.3}, yields[] = {0.05, 0.1, 0.2};
    double              worst = 0;
    (void)unused;
    for (size_t k = 0; k < KINDS; k++)
        for (size_t h = 0; h < sizeof heights / sizeof *heights; h++)
            for (size_t y = 0; y < sizeof yields / sizeof *yields; y++) {
                clay         of = usual;
                double       side[3];
                const double bears = height_of(yields[y]), kept = heights[h] < bears ? heights[h] / bears : 1;
                of.yield = yields[y];
                press_and_release(kinds[k], of, heights[h], 4, 3, side);
                worst = fmax(worst, fabs(side[1] - kept));
                near(side[1], kept, BOUND(1e-6, 1e-5));
                near(side[0] * side[1] * side[2], 1, BOUND(1e-6, 2e-5));
                near(side[0], 1 / sqrt(kept), BOUND(1e-6, 1e-5));
                near(side[1], fmin(heights[h] / (1 - yields[y]), 1), 0.02); /* press less yield, one after the other */
            }
    print_message("what is kept: to %.2g\n", worst);
}

/* p where e of what is held has come down to yield + hardening p, or p to its most. */
static void it_hardens_and_stops_at_its_most(void **unused)
{
    static const clay hard = {5e4, 0.3, 0.05, 0, 2, 0, 0, 0}, most = {5e4, 0.3, 0.05, 0, 0, 0.12, 0, 0};
    double            side[3], low = 0.5, high = 1;
    (void)unused;
    for (size_t k = 0; k < KINDS; k++) {
        low = 0.5, high = 1;
        for (int i = 0; i < 60; i++) { /* the height a at rest, of what is pressed to 0.5 */
            const double a = 0.5 * (low + high), p = (1 / sqrt(a) - a) / 1.5, b = 0.5 / a, e = (1 / sqrt(b) - b) / 1.5;
            if (e > hard.yield + hard.hardening * p)
                high = a;
            else
                low = a;
        }
        press_and_release(kinds[k], hard, 0.5, 4, 20, side);
        near(side[1], low, BOUND(1e-4, 1e-4));
        press_and_release(kinds[k], most, 0.5, 4, 20, side);
        near(side[1], height_of(0.12), BOUND(1e-6, 1e-5));
    }
}

/* de/dt = -creep (e - yield), e of the elastic part of a shape that is held. */
static void it_creeps_at_its_rate_whatever_the_substeps(void **unused)
{
    static const uint32_t substeps[] = {1, 7, 60};
    const double          e = (1 / sqrt(0.6) - 0.6) / 1.5, left = 0.1 + (e - 0.1) * exp(-2 * 0.5);
    (void)unused;
    for (size_t i = 0; i < sizeof substeps / sizeof *substeps; i++) {
        trial t;
        clay  of = usual;
        of.young = 1e-9;
        of.creep = 2;
        trial_begin(&t, 0, substeps[i], 1);
        const pliant_body body = add_block(&t, PLIANT_GROUP_LINEAR, of, 0);
        pliant_energy     energy;
        trial_compile(&t);
        press_to(&t, body, 0.6);
        trial_run(&t, 1.0 / 60, 29);
        /* The energy that it holds says what is left: V mu (2 (s - 1)^2 + (a - 1)^2) + V lambda / 2 tr^2 of stretches s, s, a. */
        pliant_solver_def def = pliant_solver_def_default();
        def.energy = true;
        pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
        assert_non_null(solver);
        pliant_inputs_reset(t.inputs, 1.0 / 60);
        assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
        assert_int_equal(pliant_solver_energy(solver, body, &energy), PLIANT_OK);
        const double a = height_of(left), s = 1 / sqrt(a), mu = 1e-9 / 2.6, lambda = 1e-9 * 0.3 / (1.3 * 0.4), trace = 2 * s + a - 3;
        const double expected = 0.064 * (mu * (2 * (s - 1) * (s - 1) + (a - 1) * (a - 1)) + 0.5 * lambda * trace * trace);
        near(energy.elastic / expected, 1, BOUND(1e-5, 1e-4));
        pliant_solver_destroy(solver);
        trial_end(&t);
    }
}

/* ---- below the yield ---- */

static uint64_t positions_hash(const trial *t, pliant_body body)
{
    uint64_t h = 0;
    for (uint32_t v = 0; v < vertex_count(t, body); v++) {
        double   x[3];
        uint64_t bits[3];
        point_of(t, body, v, x);
        memcpy(bits, x, sizeof bits);
        for (int k = 0; k < 3; k++) h = h * UINT64_C(31) % UINT64_C(0x1fffffffffffff) + bits[k] % UINT64_C(0x1fffffffffffff);
    }
    return h;
}

static uint64_t falls(pliant_group_kind kind, double yield)
{
    trial t;
    clay  of = usual;
    of.yield = yield;
    of.cluster = 0.2;
    trial_begin(&t, 10, 4, 1);
    const pliant_body   body = add_block(&t, kind, of, 0.6);
    pliant_collider_def floor = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    add_collider(&t, &floor);
    trial_compile(&t);
    trial_run(&t, 1.0 / 60, 60);
    const uint64_t h = positions_hash(&t, body);
    trial_end(&t);
    return h;
}

static void below_the_yield_no_bit_differs(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < KINDS; k++) {
        assert_true(falls(kinds[k], 0) == falls(kinds[k], 900));
        assert_true(falls(kinds[k], 0) != falls(kinds[k], 0.001));
    }
}

/* A block that is turned, half turns too, rests: its rest flows in no rigid motion, and with it nothing moves. */
static void rigid_motion_leaves_it(void **unused)
{
    uint64_t seed = 5;
    (void)unused;
    for (int n = 0; n < 12; n++) {
        trial  t;
        clay   of = usual;
        double q[4], length = 0, side[3], map[3][3];
        of.yield = 1e-4;
        trial_begin(&t, 0, 2, 1);
        const pliant_body body = add_block(&t, kinds[n % 2], of, 0);
        trial_compile(&t);
        for (int k = 0; k < 4; k++) {
            q[k] = n < 4 ? k == n : chance(&seed) - 0.5;
            length += q[k] * q[k];
        }
        for (int k = 0; k < 4; k++) q[k] /= sqrt(length);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                const int    l = (i + 1) % 3;
                const double cross = i == j ? 0 : j == l ? -q[3 - i - j] : q[3 - i - j];
                map[i][j] = 2 * (q[i] * q[j] + q[3] * cross) + (i == j ? 2 * q[3] * q[3] - 1 : 0);
            }
        map_to(&t, body, 0, map);
        trial_run(&t, 1.0 / 60, 5);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) map[i][j] = i == j;
        map_to(&t, body, 0, map);
        trial_run(&t, 1.0 / 60, 20);
        sides_of(&t, body, side);
        for (int k = 0; k < 3; k++) near(side[k], 1, BOUND(1e-9, 2e-5));
        trial_end(&t);
    }
}

/* ---- energy ---- */

/* Blocks dropped, crushed and pulled at random, in one cluster and in cubes. */
static void flow_makes_no_energy(void **unused)
{
    static const uint32_t ways[][2] = {{1, 1}, {1, 4}, {5, 1}, {20, 2}};
    static const double   yields[] = {0.005, 0.1}, moduli[] = {2e3, 5e4, 1e7};
    uint64_t              seed = 77;
    double                worst = 0;
    (void)unused;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (int n = 0; n < 36; n++) {
            trial               t;
            pliant_solver_def   def = pliant_solver_def_default();
            pliant_collider_def floor = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
            clay                of = usual;
            double              most = 0, turned = 0, last = 0, map[3][3];
            of.young = moduli[n % 3];
            of.yield = yields[n / 3 % 2];
            of.cluster = n / 6 % 2 ? 0.2 : 0;
            of.creep = n % 5 ? 0 : 20;
            of.hardening = n % 7 ? 0 : 1;
            of.poisson = n % 4 ? 0.3 : 0.49;
            trial_begin(&t, n < 12 ? 9.81 : 0, ways[i][0], ways[i][1]);
            const pliant_body body = add_block(&t, kinds[n / 2 % 2], of, 0.6);
            if (n < 12) add_collider(&t, &floor);
            trial_compile(&t);
            for (int k = 0; k < 9; k++) map[k / 3][k % 3] = (k % 4 ? 0 : 0.1 + 1.6 * chance(&seed)) + 0.6 * (chance(&seed) - 0.5);
            if (n >= 12) map_to(&t, body, 0.6, map);
            def.energy = true;
            pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
            assert_non_null(solver);
            for (int f = 0; f < 60; f++) {
                pliant_inputs_reset(t.inputs, 1.0 / 60);
                assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
                const pliant_statistics now = pliant_solver_statistics(solver);
                if (!f) most = last = now.energy_before.kinetic + now.energy_before.gravity + now.energy_before.elastic;
                const double total = now.energy.kinetic + now.energy.gravity + now.energy.elastic - now.energy.unresolved;
                turned += fabs(total - last);
                last = total;
                if (total > most) worst = fmax(worst, (total - most) / (turned + 1e-3));
                if (total > most + 0.02 * turned + 1e-3)
                    fail_msg("%u substeps of %u, trial %d: %g J in frame %d, of %g", ways[i][0], ways[i][1], n, total, f, most);
            }
            pliant_solver_destroy(solver);
            trial_end(&t);
        }
    print_message("gains at the most %.2g of what was turned over\n", worst);
}

/* A cluster that is pressed and held is soft: what it gives up when it flows is counted as dissipated. */
static void what_flows_is_dissipated(void **unused)
{
    trial             t;
    clay              of = usual;
    pliant_solver_def def = pliant_solver_def_default();
    pliant_energy     energy;
    (void)unused;
    of.young = 1e-6;
    trial_begin(&t, 0, 4, 1);
    const pliant_body body = add_block(&t, PLIANT_GROUP_LINEAR, of, 0);
    trial_compile(&t);
    press_to(&t, body, 0.6);
    def.energy = true;
    pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
    assert_non_null(solver);
    pliant_inputs_reset(t.inputs, 1.0 / 60);
    assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
    const pliant_statistics now = pliant_solver_statistics(solver);
    assert_int_equal(pliant_solver_energy(solver, body, &energy), PLIANT_OK);
    assert_true(now.energy.elastic < 0.2 * now.energy_before.elastic);
    near(energy.dissipated / (now.energy_before.elastic - now.energy.elastic), 1, BOUND(1e-6, 1e-3));
    pliant_solver_destroy(solver);
    trial_end(&t);
}

/* ---- states ---- */

static uint64_t hash_of_run(uint32_t threads, uint32_t width, int what)
{
    trial             t;
    pliant_solver_def def = pliant_solver_def_default();
    clay              of = usual;
    trial_begin(&t, 9.81, 4, 2);
    for (size_t k = 0; k < KINDS; k++) {
        of.cluster = k ? 0.2 : 0;
        of.yield = 0.01;
        add_block(&t, kinds[k], of, 0.3 + 0.6 * (double)k);
    }
    pliant_collider_def floor = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    add_collider(&t, &floor);
    trial_compile(&t);
    def.threads = threads;
    def.width = width;
    pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
    assert_non_null(solver);
    for (int f = 0; f < 40; f++) {
        if (what == 1 && f == 23) { /* a new solver, and a state from its bytes */
            size_t        size;
            const void   *bytes = pliant_state_data(t.state, &size);
            pliant_state *other = pliant_state_create(t.model, NULL);
            assert_int_equal(pliant_state_load(other, bytes, size, NULL), PLIANT_OK);
            pliant_state_destroy(t.state);
            t.state = other;
            pliant_solver_destroy(solver);
            solver = pliant_solver_create(t.model, &def, NULL);
        }
        if (what == 2 && f == 23) { /* a scene that is compiled again */
            pliant_state *carried = NULL;
            pliant_model *again = pliant_scene_recompile(t.scene, t.state, &carried, NULL);
            assert_true(again && carried);
            pliant_solver_destroy(solver);
            pliant_state_destroy(t.state);
            pliant_inputs_destroy(t.inputs);
            pliant_solver_destroy(t.solver);
            pliant_model_destroy(t.model);
            t.model = again;
            t.state = carried;
            t.solver = pliant_solver_create(t.model, NULL, NULL);
            t.inputs = pliant_inputs_create(t.model, NULL);
            solver = pliant_solver_create(t.model, &def, NULL);
        }
        pliant_inputs_reset(t.inputs, 1.0 / 60);
        assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
    }
    const uint64_t hash = pliant_state_hash(t.state);
    pliant_solver_destroy(solver);
    trial_end(&t);
    return hash;
}

static void runs_are_the_same_to_the_bit(void **unused)
{
    const uint64_t hash = hash_of_run(1, 0, 0);
    (void)unused;
    for (uint32_t threads = 2; threads <= 3; threads++) assert_true(hash_of_run(threads, 0, 0) == hash);
    const pliant_build_info build = pliant_build();
    for (uint32_t w = 0; w < build.width_count; w++) assert_true(hash_of_run(2, build.widths[w], 0) == hash);
    assert_true(hash_of_run(2, 0, 1) == hash);
    assert_true(hash_of_run(2, 0, 2) == hash);
}

/* A state has nine numbers more per cluster that may flow, and none where no shape has a yield. */
static void a_state_grows_by_its_plastic_maps_alone(void **unused)
{
    size_t size[2];
    (void)unused;
    for (int k = 0; k < 2; k++) {
        trial t;
        clay  of = usual;
        of.yield = k ? 0.1 : 0;
        trial_begin(&t, 0, 1, 1);
        add_block(&t, PLIANT_GROUP_LINEAR, of, 0);
        trial_compile(&t);
        size[k] = pliant_model_state_size(t.model);
        trial_end(&t);
    }
    assert_true(size[1] > size[0] && size[1] - size[0] <= 128);
}

/* ---- refusals ---- */

static void refuse_shape(pliant_group_kind kind, uint32_t number, double value, double yield, const char *word)
{
    trial            t;
    pliant_error     error = {PLIANT_OK, 0, "", ""};
    pliant_group_def group = pliant_group_def_default(kind);
    pliant_soft_def  def = pliant_soft_def_default();
    trial_begin(&t, 0, 1, 1);
    def.model = PLIANT_SOLID_SHAPE;
    const pliant_body body = pliant_scene_add_soft(t.scene, &def, &error);
    assert_true(body.id != 0);
    group.numbers[4] = yield;
    group.numbers[number] = value;
    assert_int_equal(pliant_scene_group(t.scene, body, &group, &error), PLIANT_ERROR_ARGUMENT);
    if (!strstr(error.message, word)) fail_msg("\"%s\" says nothing of %s", error.message, word);
    trial_end(&t);
}

static void what_cannot_flow_is_refused(void **unused)
{
    trial        t;
    pliant_error error = {PLIANT_OK, 0, "", ""};
    (void)unused;
    for (size_t k = 0; k < KINDS; k++) {
        refuse_shape(kinds[k], 4, -0.1, 0, "yield");
        refuse_shape(kinds[k], 4, NAN, 0, "yield");
        refuse_shape(kinds[k], 4, 2000, 0, "yield");
        refuse_shape(kinds[k], 5, -1, 0.1, "creep");
        refuse_shape(kinds[k], 6, 1e7, 0.1, "hardening");
        refuse_shape(kinds[k], 7, -1, 0.1, "most");
        for (uint32_t n = 5; n < 8; n++) refuse_shape(kinds[k], n, 1, 0, "say a yield above 0");
    }
    const pliant_group_info *rigid = pliant_group_describe(PLIANT_GROUP_RIGID);
    for (uint32_t n = 0; n < rigid->number_count; n++) assert_string_not_equal(rigid->numbers[n].name, "yield");
    memset(&t, 0, sizeof t);
    t.def = pliant_scene_def_default();
    t.def.integration = PLIANT_INTEGRATION_BDF2;
    trial_begin_def(&t);
    add_block(&t, PLIANT_GROUP_LINEAR, usual, 0);
    t.model = pliant_scene_compile(t.scene, &error);
    assert_non_null(t.model);
    assert_null(pliant_solver_create(t.model, NULL, &error));
    assert_non_null(strstr(error.message, "bdf2"));
    trial_end(&t);
}

/* A state in which a plastic map has lost its volume is refused, be it by a single number. */
static void a_plastic_map_without_a_volume_is_refused(void **unused)
{
    trial             t;
    size_t            size;
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    const pliant_real map[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero = 0;
    uint32_t          found = 0;
    (void)unused;
    trial_begin(&t, 0, 1, 1);
    add_block(&t, PLIANT_GROUP_LINEAR, usual, 0);
    trial_compile(&t);
    const void    *data = pliant_state_data(t.state, &size);
    unsigned char *bytes = malloc(size);
    assert_non_null(bytes);
    memcpy(bytes, data, size);
    for (size_t at = 0; at + sizeof map <= size; at += sizeof zero) {
        if (memcmp(bytes + at, map, sizeof map) != 0) continue;
        found++;
        memcpy(bytes + at, &zero, sizeof zero);
        assert_int_equal(pliant_state_load(t.state, bytes, size, &error), PLIANT_ERROR_INPUT);
        assert_non_null(strstr(error.message, "volume"));
        memcpy(bytes + at, map, sizeof map);
        assert_int_equal(pliant_state_load(t.state, bytes, size, &error), PLIANT_OK);
    }
    assert_int_equal(found, 1);
    free(bytes);
    trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pressed_block_keeps_the_press_less_its_yield),
        cmocka_unit_test(it_hardens_and_stops_at_its_most),
        cmocka_unit_test(it_creeps_at_its_rate_whatever_the_substeps),
        cmocka_unit_test(below_the_yield_no_bit_differs),
        cmocka_unit_test(rigid_motion_leaves_it),
        cmocka_unit_test(flow_makes_no_energy),
        cmocka_unit_test(what_flows_is_dissipated),
        cmocka_unit_test(runs_are_the_same_to_the_bit),
        cmocka_unit_test(a_state_grows_by_its_plastic_maps_alone),
        cmocka_unit_test(what_cannot_flow_is_refused),
        cmocka_unit_test(a_plastic_map_without_a_volume_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
