/* Work of what moves by command is its impulse times its own way: closed forms, with every method, and the balance of random scenes. */
#include "trial.h"

static const double frame = 1.0 / 60;

/* The distance of the first two points, as a user may write it. */
static void user_distance(const pliant_vec3 *x, uint32_t particles, uint32_t rows, uint64_t tag, pliant_real *C, pliant_vec3 *gradient,
                          void *context)
{
    (void)particles, (void)rows, (void)tag, (void)context;
    const double d[3] = {(double)(x[0].x - x[1].x), (double)(x[0].y - x[1].y), (double)(x[0].z - x[1].z)}, length = length3(d);
    C[0] = R(length - 1);
    gradient[0] = vec(d[0] / length, d[1] / length, d[2] / length);
    gradient[1] = vec(-d[0] / length, -d[1] / length, -d[2] / length);
}

/* A solver of a method that reckons energies; false where the method cannot take the scene. */
static bool ready_with(trial *t, pliant_method method)
{
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    pliant_solver_def def = pliant_solver_def_default();
    pliant_method_def how = pliant_method_def_default();
    how.method = method;
    def.energy = true;
    def.method = &how;
    def.linear = trial_linear();
    def.user[0] = user_distance;
    if (!t->model) t->model = pliant_scene_compile(t->scene, &error);
    if (!t->model) print_error("%s\n", error.message);
    assert_non_null(t->model);
    if (!pliant_method_takes(t->model, &how, NULL) || (pliant_method_wants_linear(t->model, &how, NULL) && !def.linear)) return false;
    t->state = pliant_state_create(t->model, &error);
    t->inputs = pliant_inputs_create(t->model, &error);
    t->solver = pliant_solver_create(t->model, &def, &error);
    assert_true(t->state && t->inputs && t->solver);
    return true;
}

static void ready(trial *t) { assert_true(ready_with(t, PLIANT_METHOD_GAUSS_SEIDEL)); }

typedef struct sum {
    double        work, dissipated;
    pliant_energy end, begin;
} sum;

static void add_frame(const trial *t, sum *s, bool first)
{
    const pliant_statistics of = pliant_solver_statistics(t->solver);
    s->work += of.energy.work;
    s->dissipated += of.energy.dissipated;
    s->end = of.energy;
    if (first) s->begin = of.energy_before;
    assert_true(of.work_known);
}

static sum frames(trial *t, uint32_t count)
{
    sum s = {0};
    for (uint32_t i = 0; i < count; i++) {
        trial_run(t, frame, 1);
        add_frame(t, &s, i == 0);
    }
    return s;
}

static double total_of(const pliant_energy *e) { return e->kinetic + e->gravity + e->elastic; }

static void balances(const sum *s)
{
    near(total_of(&s->end) - total_of(&s->begin), s->work - s->dissipated, 1e-5 * (fabs(s->work) + fabs(total_of(&s->begin))) + 1e-9);
}

/* Of what moves by itself: its mass, and its momentum. */
static double momentum_of(const trial *t, pliant_body body, double p[3])
{
    double mass = 0;
    p[0] = p[1] = p[2] = 0;
    for (uint32_t i = 0; i < vertex_count(t, body); i++) {
        pliant_real w;
        double      v[3];
        pliant_state_inverse_masses(t->state, body, i, 1, &w);
        speed_of(t, body, i, v);
        if (!(w > 0)) continue;
        mass += 1 / (double)w;
        for (int k = 0; k < 3; k++) p[k] += v[k] / (double)w;
    }
    return mass;
}

static void where_they_begin(const trial *t, pliant_body body, const uint32_t *vertices, uint32_t count, pliant_vec3 *out)
{
    pliant_model *model = pliant_scene_compile(t->scene, NULL);
    pliant_state *state = pliant_state_create(model, NULL);
    assert_non_null(state);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(pliant_state_positions(state, body, vertices[i], 1, &out[i]), PLIANT_OK);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
}

static double between(uint64_t *seed, double low, double high) { return low + (high - low) * chance(seed); }

/* A cloth, a soft body, a rope: softer than a substep resolves. */
static pliant_body add_body(trial *t, uint64_t *seed, int kind, pliant_vec3 at)
{
    pliant_body body;
    if (kind == 0) {
        pliant_cloth_def cloth = pliant_cloth_def_default();
        cloth.cells_x = cloth.cells_z = 3 + (uint32_t)between(seed, 0, 6);
        cloth.size_x = cloth.size_z = R(0.8);
        cloth.material.density = 1;
        cloth.material.stretch.compliance = cloth.material.shear.compliance = R(between(seed, 1e-2, 3e-2));
        cloth.bend = PLIANT_BEND_NONE;
        cloth.body.placement.position = at;
        body = pliant_scene_add_cloth(t->scene, &cloth, NULL);
    } else if (kind == 1) {
        pliant_soft_def soft = pliant_soft_def_default();
        soft.cells[0] = soft.cells[1] = soft.cells[2] = 2;
        soft.extent = vec(0.3, 0.3, 0.3);
        soft.material.density = 500;
        soft.material.young = R(between(seed, 5e3, 2e4));
        soft.material.poisson = R(0.3);
        soft.body.placement.position = at;
        body = pliant_scene_add_soft(t->scene, &soft, NULL);
    } else {
        pliant_rope_def rope = pliant_rope_def_default();
        rope.from = at;
        rope.to = vec((double)at.x + 0.8, (double)at.y, (double)at.z);
        rope.segments = 12;
        rope.material.density = 1;
        rope.material.stretch.compliance = R(between(seed, 1e-2, 3e-2));
        rope.bend = false;
        body = pliant_scene_add_rope(t->scene, &rope, NULL);
    }
    assert_int_not_equal(body.id, 0);
    return body;
}

static const double up = 0.5; /* m/s */

/* ---- colliders ---- */

/* It lifts m by h, and gives it its own speed at once, by the impulse m u: half of m u u becomes motion. */
static void a_piston_lifts_a_weight(void **unused)
{
    (void)unused;
    static const double x[3][3] = {{0, 0, 0}, {0.5, 0, 0.2}, {-0.3, 0, 0.1}}, inverse[3] = {1, 0.5, 0.1};
    const double        times[2] = {0, 1}, mass = 1 + 2 + 10;
    pliant_pose         poses[2] = {pliant_pose_identity(), pliant_pose_identity()};
    pliant_collider_def plane = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    trial               t;
    poses[1].position = vec(0, up, 0);
    plane.key_times = times;
    plane.key_poses = poses;
    plane.key_count = 2;
    trial_begin(&t, 10, 10, 1);
    add_points(&t, 3, x, NULL, inverse, NULL);
    add_collider(&t, &plane);
    ready(&t);
    const sum s = frames(&t, 60);
    near(s.work, mass * (10 * up + up * up), 0.01 * s.work);
    near(s.end.gravity, mass * 10 * up, 0.01 * s.work);
    near(s.end.kinetic, 0.5 * mass * up * up, 0.01 * s.work);
    balances(&s);
    trial_end(&t);
}

/* A belt drags what lies on it by friction: the force mu m g, times how far the belt went until the mass goes along. */
static void a_belt_drags(void **unused)
{
    (void)unused;
    static const double x[1][3] = {{0, 0, 0}};
    const double        times[2] = {0, 2}, mu = 0.2, u = 1.5;
    pliant_pose         poses[2] = {pliant_pose_identity(), pliant_pose_identity()};
    pliant_collider_def plane = plane_def(0, mu, mu, 0);
    trial               t;
    poses[1].position = vec(2 * u, 0, 0);
    plane.key_times = times;
    plane.key_poses = poses;
    plane.key_count = 2;
    trial_begin(&t, 10, 20, 1);
    add_points(&t, 1, x, NULL, NULL, NULL);
    add_collider(&t, &plane);
    ready(&t);
    const sum s = frames(&t, 90); /* it takes u / (mu g) = 0.75 s, and half of m u u is lost */
    near(s.work, u * u, 0.02 * u * u);
    near(s.end.kinetic, 0.5 * u * u, 0.02 * u * u);
    balances(&s);
    trial_end(&t);
}

/* ---- pins, targets, users' constraints ---- */

typedef enum bond { BOND_DISTANCE, BOND_USER, BOND_SOFT, BOND_COUNT } bond;

/* Two points: the first is led by keys along `way`, for a second; the second, of 1 kg, hangs on it by a law, 1 m away. For a soft target there
 * is but one point, which begins at its target. */
static pliant_body begin_pair(trial *t, double gravity, bond how, const pliant_law *law, const double way[3])
{
    static const double x[2][3] = {{0, 0, 0}, {0, -1, 0}}, along[2][3] = {{0, 0, 0}, {-1, 0, 0}};
    const uint32_t      first = 0;
    const double        times[2] = {0, 1};
    const pliant_vec3   targets[2] = {vec(0, 0, 0), vec(way[0], way[1], way[2])};
    trial_begin(t, gravity, 50, 1);
    const pliant_body body = add_points(t, how == BOND_SOFT ? 1 : 2, way[1] > 0 ? x : along, NULL, NULL, NULL);
    if (how == BOND_SOFT)
        assert_int_equal(pliant_scene_attach_soft(t->scene, body, &first, 1, law, NULL, NULL), PLIANT_OK);
    else
        assert_int_equal(pliant_scene_attach(t->scene, body, &first, 1, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_key_targets(t->scene, body, 0, 1, times, 2, targets, NULL), PLIANT_OK);
    if (how == BOND_DISTANCE) add_distance(t, body, 0, 1, 1, law);
    if (how == BOND_USER) {
        pliant_user_constraint_def user = pliant_user_constraint_def_default();
        user.particles[0] = (pliant_particle){body, 0};
        user.particles[1] = (pliant_particle){body, 1};
        user.particle_count = 2;
        user.row_count = 1;
        user.law = *law;
        assert_int_not_equal(pliant_scene_add_user_constraint(t->scene, &user, NULL).id, 0);
    }
    return body;
}

static void a_pin_lifts_a_weight(void **unused)
{
    (void)unused;
    const double     way[3] = {0, up, 0};
    const pliant_law law = rigid();
    for (bond how = BOND_DISTANCE; how <= BOND_USER; how++)
        for (pliant_method method = (pliant_method)0; method < PLIANT_METHOD_COUNT; method++) {
            trial t;
            begin_pair(&t, 10, how, &law, way);
            if (ready_with(&t, method)) {
                const sum s = frames(&t, 60);
                near(s.work, 10 * up + up * up, 0.01 * s.work);
                near(s.end.kinetic, 0.5 * up * up, 0.01 * s.work);
                balances(&s);
            }
            trial_end(&t);
        }
}

/* A mass m on a spring k with its other end moving at u: the force k u / w sin wt, so the work m u^2 (1 - cos wt), w^2 = k / m. */
static void a_led_spring_drags_a_mass(void **unused)
{
    (void)unused;
    const double     u = 0.8, k = 40, way[3] = {u, 0, 0};
    const pliant_law law = compliant(1 / k);
    for (bond how = BOND_DISTANCE; how < BOND_COUNT; how++)
        for (pliant_method method = (pliant_method)0; method < PLIANT_METHOD_COUNT; method++) {
            trial t;
            begin_pair(&t, 0, how, &law, way);
            if (ready_with(&t, method)) {
                const sum half = frames(&t, 20), s = frames(&t, 8);
                near(half.work, u * u * (1 - cos(sqrt(k) * 20 * frame)), 0.02 * u * u);
                near(half.work + s.work, u * u * (1 - cos(sqrt(k) * 28 * frame)), 0.02 * u * u);
                balances(&half);
                balances(&s);
            }
            trial_end(&t);
        }
}

/* What is led along at u, by some of its vertices, gets momentum by nothing but these and its weight: the work is u.(p + m g t). */
static void led_bodies_get_u_times_momentum(void **unused)
{
    (void)unused;
    const double     times[2] = {0, 1}, u[3] = {0.4, 0.3, -0.5};
    const uint32_t   led[2] = {0, 3};
    const pliant_law law = compliant(1e-3);
    for (uint64_t kind = 0; kind < 3; kind++)
        for (int soft = 0; soft < 2; soft++)
            for (pliant_method method = (pliant_method)0; method < PLIANT_METHOD_COUNT; method++) {
                uint64_t    seed = 7;
                trial       t;
                double      p[3], mass = 0;
                pliant_vec3 targets[4];
                trial_begin(&t, 9.81, 20, 1);
                const pliant_body body = add_body(&t, &seed, (int)kind, vec(0, 0, 0));
                where_they_begin(&t, body, led, 2, targets);
                for (int i = 0; i < 2; i++)
                    targets[2 + i] = vec((double)targets[i].x + u[0], (double)targets[i].y + u[1], (double)targets[i].z + u[2]);
                if (soft)
                    pliant_scene_attach_soft(t.scene, body, led, 2, &law, NULL, NULL);
                else
                    pliant_scene_attach(t.scene, body, led, 2, NULL);
                assert_int_equal(pliant_scene_key_targets(t.scene, body, 0, 2, times, 2, targets, NULL), PLIANT_OK);
                if (ready_with(&t, method)) {
                    const sum s = frames(&t, 40);
                    mass = momentum_of(&t, body, p);
                    const double wanted = dot3(u, p) + mass * 9.81 * u[1] * 40 * frame;
                    near(s.work, wanted, 5e-3 * wanted);
                    balances(&s);
                }
                trial_end(&t);
            }
}

/* ---- inputs ---- */

/* From rest to where it is drawn: all of k d^2 / 2 is work, and becomes motion. */
static void a_grab_does_the_work_of_its_spring(void **unused)
{
    (void)unused;
    static const double x[1][3] = {{0, 0, 0}};
    const double        k = 40, d = 0.3;
    trial               t;
    sum                 s = {0};
    trial_begin(&t, 0, 50, 1);
    const pliant_body body = add_points(&t, 1, x, NULL, NULL, NULL);
    ready(&t);
    for (uint32_t i = 0; i < 12; i++) {
        pliant_inputs_reset(t.inputs, frame);
        assert_int_equal(pliant_inputs_grab(t.inputs, body, 0, vec(d, 0, 0), R(1 / k)), PLIANT_OK);
        trial_step(&t);
        add_frame(&t, &s, i == 0);
    }
    const double sine = sin(sqrt(k) * 12 * frame);
    near(s.work, 0.5 * k * d * d * sine * sine, 0.02 * k * d * d);
    balances(&s);
    trial_end(&t);
}

/* Loose for 0.1 m, then each is taken along at u by the impulse m u. */
static void a_skin_drags_what_it_holds(void **unused)
{
    (void)unused;
    static const double x[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, inverse[3] = {1, 0.5, 0.25};
    const double        times[2] = {0, 1}, u = 0.5, mass = 1 + 2 + 4;
    pliant_vec3         targets[2][3];
    pliant_skin_def     skin = pliant_skin_def_default();
    trial               t;
    skin.max_distance = R(0.1);
    for (int i = 0; i < 3; i++) {
        targets[0][i] = vec(x[i][0], x[i][1], x[i][2]);
        targets[1][i] = vec(x[i][0], x[i][1] + u, x[i][2]);
    }
    trial_begin(&t, 0, 20, 1);
    const pliant_body body = add_points(&t, 3, x, NULL, inverse, NULL);
    assert_int_equal(pliant_scene_skin(t.scene, body, &skin, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_key_skin(t.scene, body, times, 2, targets[0], NULL), PLIANT_OK);
    ready(&t);
    const sum s = frames(&t, 55);
    near(s.work, mass * u * u, 0.01 * s.work);
    near(s.end.kinetic, 0.5 * mass * u * u, 0.01 * s.work);
    balances(&s);
    trial_end(&t);
}

/* ---- forces ---- */

static pliant_body add_sheet(trial *t, uint32_t cells, double density)
{
    pliant_cloth_def cloth = pliant_cloth_def_default();
    cloth.cells_x = cloth.cells_z = cells;
    cloth.size_x = cloth.size_z = 1;
    cloth.material.density = R(density);
    cloth.material.stretch.compliance = cloth.material.shear.compliance = R(1e-4);
    cloth.material.air_drag = R(1.1);
    const pliant_body body = pliant_scene_add_cloth(t->scene, &cloth, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

static void add_wind(trial *t, double x, double y, double z)
{
    pliant_force_def wind = pliant_force_def_default(PLIANT_FORCE_WIND);
    wind.vector = vec(x, y, z);
    assert_true(pliant_scene_add_force(t->scene, &wind, NULL).id);
}

/* Of one wind that blows everywhere alike the work is u.p of the momentum p that it gives, whatever the sheet does, and whichever method solves it. */
static void wind_gives_its_speed_times_momentum(void **unused)
{
    (void)unused;
    const double u[3] = {1, 4, -2};
    for (int second_order = 0; second_order < 2; second_order++)
        for (pliant_method method = (pliant_method)0; method < PLIANT_METHOD_COUNT; method++) {
            trial  t;
            double p[3];
            trial_begin(&t, 0, 10, 2);
            if (second_order) {
                pliant_scene_destroy(t.scene);
                t.def.integration = PLIANT_INTEGRATION_BDF2;
                trial_begin_def(&t);
            }
            const pliant_body sheet = add_sheet(&t, 4, 0.3);
            add_wind(&t, u[0], u[1], u[2]);
            if (ready_with(&t, method)) {
                const sum s = frames(&t, 20);
                momentum_of(&t, sheet, p);
                assert_true(s.work > 0.1);
                near(dot3(p, u), s.work, (second_order ? 0.01 : 1e-3) * s.work);
                balances(&s);
            }
            trial_end(&t);
        }
}

/* A sheet that its springs hold against the wind takes rho / 2 cd A u^2, times u for every second; all of it is lost. */
static void wind_on_what_stands_still_is_lost(void **unused)
{
    (void)unused;
    const double u = 3, drag = 1.1, power = 0.5 * 1.2 * drag * 1 * u * u * u;
    for (pliant_method method = (pliant_method)0; method < PLIANT_METHOD_COUNT; method++) {
        trial      t;
        uint32_t   all[25];
        pliant_law law = rigid();
        trial_begin(&t, 0, 10, 1);
        const pliant_body sheet = add_sheet(&t, 4, 1);
        for (uint32_t i = 0; i < 25; i++) all[i] = i;
        assert_int_equal(pliant_scene_attach_soft(t.scene, sheet, all, 25, &law, NULL, NULL), PLIANT_OK);
        add_wind(&t, 0, u, 0);
        if (ready_with(&t, method)) {
            const sum s = frames(&t, 30);
            near(s.work, power * 30 * frame, 0.01 * s.work);
            near(s.dissipated, s.work, 0.01 * s.work);
        }
        trial_end(&t);
    }
}

/* Still air only takes. */
static void still_air_does_no_work(void **unused)
{
    (void)unused;
    trial t;
    trial_begin(&t, 9.81, 10, 1);
    add_sheet(&t, 4, 0.2);
    add_wind(&t, 0, 0, 0);
    ready(&t);
    const sum s = frames(&t, 30);
    assert_true(s.work == 0 && s.dissipated > 0);
    trial_end(&t);
}

/* F.x, whatever is in between. */
static void uniform_forces_do_work_by_their_way(void **unused)
{
    (void)unused;
    trial            t;
    double           x[3];
    pliant_force_def all = pliant_force_def_default(PLIANT_FORCE_ACCELERATION), push = pliant_force_def_default(PLIANT_FORCE_BODY);
    all.vector = vec(0, 0, 1.5);
    push.vector = vec(2, 0, 0);
    trial_begin(&t, 0, 10, 1);
    const pliant_body sheet = add_sheet(&t, 1, 0.5); /* four equal masses, of half a kilogram together */
    pliant_scene_add_force(t.scene, &all, NULL);
    pliant_scene_add_force(t.scene, &push, NULL);
    ready(&t);
    const sum s = frames(&t, 60);
    double    way[3] = {0, 0, 0};
    for (uint32_t i = 0; i < 4; i++) {
        point_of(&t, sheet, i, x);
        for (int k = 0; k < 3; k++) way[k] += x[k] / 4;
    }
    near(s.work, 2 * way[0] + 0.5 * 1.5 * way[2], 1e-4 * s.work);
    balances(&s);
    trial_end(&t);
}

static void add_keyed_collider(trial *t, uint64_t *seed)
{
    static const pliant_shape shapes[] = {PLIANT_SHAPE_SPHERE, PLIANT_SHAPE_BOX, PLIANT_SHAPE_CAPSULE};
    pliant_collider_def       def = pliant_collider_def_default(shapes[(int)between(seed, 0, 3)]);
    double                    times[4];
    pliant_pose               poses[4];
    def.radius = R(between(seed, 0.1, 0.3));
    def.half_height = R(0.2);
    def.half_extent = vec(0.2, 0.2, 0.2);
    def.restitution = R(chance(seed) < 0.3 ? 0.5 : 0);
    for (int i = 0; i < 4; i++) {
        const double angle = between(seed, -1, 1);
        times[i] = 0.3 * i;
        poses[i].position = vec(between(seed, -0.5, 0.5), i ? between(seed, -0.3, 0.6) : -0.4, between(seed, -0.5, 0.5));
        poses[i].rotation = (pliant_quat){0, R(sin(angle / 2)), 0, R(cos(angle / 2))};
    }
    def.key_times = times;
    def.key_poses = poses;
    def.key_count = 4;
    add_collider(t, &def);
}

/* Some of its vertices go where keys say. */
static void lead_some(trial *t, uint64_t *seed, pliant_body body)
{
    const uint32_t   vertices[2] = {0, 3};
    const double     times[3] = {0, 0.3, 0.9};
    const bool       soft = chance(seed) < 0.5;
    const pliant_law law = compliant(1e-3);
    pliant_vec3      targets[6];
    where_they_begin(t, body, vertices, 2, targets);
    for (int k = 0; k < 2; k++) {
        for (int i = 1; i < 3; i++)
            targets[2 * i + k] = vec((double)targets[k].x + between(seed, -0.3, 0.3), (double)targets[k].y + between(seed, -0.3, 0.3),
                                     (double)targets[k].z + between(seed, -0.3, 0.3));
    }
    if (soft)
        assert_int_equal(pliant_scene_attach_soft(t->scene, body, vertices, 2, &law, NULL, NULL), PLIANT_OK);
    else
        assert_int_equal(pliant_scene_attach(t->scene, body, vertices, 2, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_key_targets(t->scene, body, 0, 2, times, 3, targets, NULL), PLIANT_OK);
}

/* How far total less work was above its lowest value so far, at the most, beside what had been turned over by then. */
static double worst_of(uint64_t number)
{
    uint64_t seed = number;
    trial    t;
    double   lowest = 0, turned = 0, work = 0, worst = 0;
    trial_begin(&t, chance(&seed) < 0.2 ? 0 : 9.81, 10 + (uint32_t)between(&seed, 0, 20), 1);
    const pliant_body body = add_body(&t, &seed, (int)between(&seed, 0, 3), vec(0, 0.4, 0));
    const bool        led = chance(&seed) < 0.6, grabbed = chance(&seed) < 0.3, windy = chance(&seed) < 0.4;
    if (led) lead_some(&t, &seed, body);
    if (chance(&seed) < 0.6)
        add_keyed_collider(&t, &seed);
    else
        pliant_scene_add_floor(t.scene, R(-0.4), NULL); /* nothing is squeezed between two: there only the collider's impulse is known */
    if (windy) add_wind(&t, between(&seed, -5, 5), between(&seed, -2, 2), between(&seed, -5, 5));
    ready(&t);
    for (int i = 0; i < 60; i++) {
        pliant_inputs_reset(t.inputs, frame);
        if (grabbed && i > 10 && i < 40) pliant_inputs_grab(t.inputs, body, 5, vec(0.3, 0.5 + 0.01 * i, 0.1), R(0.01));
        trial_step(&t);
        const pliant_statistics s = pliant_solver_statistics(t.solver);
        const pliant_energy    *now = &s.energy, *was = &s.energy_before;
        if (i == 0) lowest = total_of(was);
        work += now->work;
        turned += fabs(now->kinetic - was->kinetic) + fabs(now->gravity - was->gravity) + fabs(now->elastic - was->elastic);
        const double left = total_of(now) - work;
        worst = fmax(worst, (left - lowest) / (turned + 1e-9));
        lowest = fmin(lowest, left);
    }
    trial_end(&t);
    return worst;
}

static void what_is_led_gains_no_more_than_its_work(void **unused)
{
    (void)unused;
    int         bad = 0;
    const char *many = getenv("PLIANT_SCENES");
    const int   count = many ? atoi(many) : 60;
    for (int i = 1; i <= count; i++) {
        const double worst = worst_of((uint64_t)i * 7919);
        if (worst <= 0.02) continue;
        print_error("scene %d gains %.3g of what it turned over\n", i, worst);
        bad++;
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_piston_lifts_a_weight),
        cmocka_unit_test(a_belt_drags),
        cmocka_unit_test(a_pin_lifts_a_weight),
        cmocka_unit_test(a_led_spring_drags_a_mass),
        cmocka_unit_test(led_bodies_get_u_times_momentum),
        cmocka_unit_test(a_grab_does_the_work_of_its_spring),
        cmocka_unit_test(a_skin_drags_what_it_holds),
        cmocka_unit_test(wind_gives_its_speed_times_momentum),
        cmocka_unit_test(wind_on_what_stands_still_is_lost),
        cmocka_unit_test(still_air_does_no_work),
        cmocka_unit_test(uniform_forces_do_work_by_their_way),
        cmocka_unit_test(what_is_led_gains_no_more_than_its_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
