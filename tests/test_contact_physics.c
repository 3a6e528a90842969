/* What contacts, moving colliders, attachments and pins must do: Coulomb's law, restitution, nothing passes through, targets are followed. */
#include "trial.h"

#define H60 (1.0 / 60)
#define G 9.81

/* ---- friction and restitution ---- */

/* A particle on a plane that falls towards +x at `slope`; how far it has come along the slope, and how far off it is. */
typedef struct slide {
    double along, off, speed;
} slide;

static slide slide_of(double slope, double friction_static, double friction_dynamic, uint32_t substeps, double seconds)
{
    static const double x[1][3] = {{0, 0, 0}};
    const double        down[3] = {cos(slope), -sin(slope), 0}, out[3] = {sin(slope), cos(slope), 0};
    double              at[3], v[3];
    trial               t;
    trial_begin(&t, G, substeps, 1);
    pliant_collider_def plane = plane_def(slope, friction_static, friction_dynamic, 0);
    pliant_body         body = add_points(&t, 1, x, NULL, NULL, NULL);
    add_collider(&t, &plane);
    trial_compile(&t);
    trial_run(&t, H60, (uint32_t)(seconds * 60 + 0.5));
    point_of(&t, body, 0, at);
    speed_of(&t, body, 0, v);
    slide result = {dot3(at, down), dot3(at, out), dot3(v, down)};
    trial_end(&t);
    return result;
}

static void block_sticks_below_the_threshold(void **unused)
{
    static const double rows[][2] = {{0.3, 0.31}, {0.3, 0.6}, {0.9, 0.95}, {0.05, 0.3}, {0, 0.3}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        slide s = slide_of(atan(rows[i][0]), rows[i][1], rows[i][1] / 2, 10, 10);
        near(s.along, 0, 1e-3);
        near(s.off, 0, 1e-6);
    }
}

/* a = g (sin - mu_d cos), from rest: a t (t + h) / 2 in steps of h. */
static void block_slides_past_the_threshold(void **unused)
{
    static const double rows[][3] = {{0.3, 0.29, 0.29}, {0.3, 0.29, 0.1}, {0.9, 0.5, 0.4}, {0.5, 0, 0}, {0.5, 0.4, 0.2}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double slope = atan(rows[i][0]), a = G * (sin(slope) - rows[i][2] * cos(slope)), h = H60 / 10;
        slide        s = slide_of(slope, rows[i][1], rows[i][2], 10, 2);
        near(s.along, a * 2 * (2 + h) / 2, BOUND(1e-3 * a, 2e-2 * a + 0.01));
        near(s.speed, 2 * a, BOUND(1e-3 * a, 2e-2 * a + 0.01));
        near(s.off, 0, 1e-5);
    }
}

/* A belt runs beneath a block: mu_d g until it has the belt's speed, then with it, to a millimetre. */
static void belt_takes_a_block_along(void **unused)
{
    static const double x[1][3] = {{0, 0, 0}};
    double              at[3], v[3], before = 0;
    trial               t;
    (void)unused;
    trial_begin(&t, G, 10, 1);
    pliant_collider_def plane = plane_def(0, 0.5, 0.2, 0);
    pliant_body         body = add_points(&t, 1, x, NULL, NULL, NULL);
    pliant_collider     belt = add_collider(&t, &plane);
    trial_compile(&t);
    for (uint32_t frame = 1; frame <= 240; frame++) {
        pliant_pose pose = plane.pose;
        pose.position.x = R(frame * H60 * 1.5); /* 1.5 m/s; 0.2 g reaches it after 0.765 s */
        assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
        assert_int_equal(pliant_inputs_collider(t.inputs, belt, &pose), PLIANT_OK);
        trial_step(&t);
        point_of(&t, body, 0, at);
        speed_of(&t, body, 0, v);
        if (frame == 30) near(v[0], 0.2 * G * 0.5, 0.02);
        if (frame == 60) before = at[0] - frame * H60 * 1.5;
    }
    near(v[0], 1.5, 2e-3);
    near(at[0] - 4 * 1.5, before, 1e-3);
    trial_end(&t);
}

/* A lift: the plane rises and the block with it, pressed with its weight; a slope that moves takes along what sticks. */
static void moving_slope_takes_along_what_sticks(void **unused)
{
    static const double x[1][3] = {{0, 0, 0}};
    const double        slope = atan(0.3);
    double              at[3];
    trial               t;
    (void)unused;
    trial_begin(&t, G, 10, 1);
    pliant_collider_def plane = plane_def(slope, 0.6, 0.5, 0);
    pliant_body         body = add_points(&t, 1, x, NULL, NULL, NULL);
    pliant_collider     lift = add_collider(&t, &plane);
    trial_compile(&t);
    for (uint32_t frame = 1; frame <= 120; frame++) {
        pliant_pose pose = plane.pose;
        double      s = frame / 120.0, place = s * s * (3 - 2 * s);
        pose.position = vec(0.2 * place, 0.8 * place, 0.3 * place);
        assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
        assert_int_equal(pliant_inputs_collider(t.inputs, lift, &pose), PLIANT_OK);
        trial_step(&t);
    }
    point_of(&t, body, 0, at);
    near(at[0], 0.2, 2e-3);
    near(at[1], 0.8, 2e-3);
    near(at[2], 0.3, 2e-3);
    trial_end(&t);
}

static void ball_bounces(void **unused)
{
    static const double rows[] = {0, 0.3, 0.5, 0.8, 1}, x[1][3] = {{0, 1, 0}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double e = rows[i];
        double       at[3], highest = 0;
        bool         touched = false;
        trial        t;
        trial_begin(&t, G, 20, 1);
        pliant_collider_def plane = plane_def(0, 0.3, 0.3, e);
        pliant_body         body = add_points(&t, 1, x, NULL, NULL, NULL);
        add_collider(&t, &plane);
        trial_compile(&t);
        for (uint32_t frame = 0; frame < (uint32_t)(60 * (0.4515 + 0.85 * e)); frame++) { /* to just before it lands again */
            trial_run(&t, H60, 1);
            point_of(&t, body, 0, at);
            touched = touched || frame >= 27;
            if (touched && at[1] > highest) highest = at[1];
        }
        if (e > 0)
            near(highest, e * e, 0.03 * e * e);
        else
            near(highest, 0, 2 * G * H60 / 20);
        trial_end(&t);
    }
}

/* Restitution is relative to the collider: a wall at 2 m/s meets a particle at rest, which leaves at 2 + 2 e. */
static void moving_wall_bats(void **unused)
{
    static const double rows[] = {0, 0.5, 1}, x[1][3] = {{0, 0.1, 0}};
    (void)unused;
    for (size_t i = 0; i < 3; i++) {
        double      v[3];
        pliant_pose pose;
        trial       t;
        trial_begin(&t, 0, 10, 1);
        pliant_collider_def plane = plane_def(0, 0, 0, rows[i]);
        pliant_body         body = add_points(&t, 1, x, NULL, NULL, NULL);
        pliant_collider     wall = add_collider(&t, &plane);
        trial_compile(&t);
        pose = plane.pose;
        for (int step = 1; step <= 2; step++) {
            pose.position.y = R(0.2 * step);
            assert_int_equal(pliant_inputs_reset(t.inputs, 0.1), PLIANT_OK);
            assert_int_equal(pliant_inputs_collider(t.inputs, wall, &pose), PLIANT_OK);
            trial_step(&t);
        }
        speed_of(&t, body, 0, v);
        near(v[1], 2 + 2 * rows[i], BOUND(1e-10, 1e-3));
        trial_end(&t);
    }
}

/* Slow things lie; the plane carries the weight of what lies on it, and its friction what would slide. */
static void contacts_can_be_read(void **unused)
{
    static const double x[3][3] = {{0, 0, 0}, {0, 0, 1}, {0, 5, 0}}, w[3] = {1, 0.25, 1};
    const double        slope = atan(0.4);
    pliant_contact      contact[4];
    trial               t;
    (void)unused;
    trial_begin(&t, G, 10, 1);
    pliant_collider_def plane = plane_def(slope, 0.6, 0.5, 0);
    pliant_body         body = add_points(&t, 3, x, NULL, w, NULL);
    pliant_collider     collider = add_collider(&t, &plane);
    trial_compile(&t);
    trial_run(&t, H60, 30);
    assert_int_equal(pliant_solver_contacts(t.solver, NULL, 0), 2);
    assert_int_equal(pliant_solver_contacts(t.solver, contact, 4), 2);
    assert_int_equal(pliant_solver_statistics(t.solver).particles_in_contact, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const pliant_contact *c = &contact[i];
        const double          weight = G / w[i];
        assert_int_equal(c->particle.body.id, body.id);
        assert_int_equal(c->particle.vertex, i);
        assert_int_equal(c->collider.id, collider.id);
        near((double)c->force, weight * cos(slope), 0.03 * weight);
        near((double)c->friction, weight * sin(slope), 0.03 * weight);
        near((double)c->normal.x, sin(slope), 1e-6);
        near((double)c->normal.y, cos(slope), 1e-6);
        near((double)c->point.z, i, 1e-3);
    }
    trial_end(&t);
}

/* A pair's friction is the geometric mean, its restitution the larger; a material that does not say leaves it to the collider. */
static void materials_meet_colliders(void **unused)
{
    static const double x[1][3] = {{0, 0, 0}}, v[1][3] = {{1, 0, 0}}, rows[][2] = {{-1, 0.25}, {0.04, 0.1}, {0, 0}};
    (void)unused;
    for (size_t i = 0; i < 3; i++) { /* the collider has 0.25: 1 m/s lasts 1 / (mu g) */
        pliant_material material = plain_material();
        double          u[3];
        trial           t;
        material.friction_static = material.friction_dynamic = R(rows[i][0]);
        trial_begin(&t, G, 10, 1);
        pliant_collider_def plane = plane_def(0, 0.25, 0.25, 0);
        pliant_body         body = add_points(&t, 1, x, v, NULL, &material);
        add_collider(&t, &plane);
        trial_compile(&t);
        trial_run(&t, H60, 15);
        speed_of(&t, body, 0, u);
        near(u[0], 1 - rows[i][1] * G * 0.25, 0.01);
        trial_end(&t);
    }
}

/* What is said of a body and a collider counts, whatever both say, and for that body alone; one that ignores a collider falls through it, be it one
 * of hundreds. */
static void pairs_with_colliders(void **unused)
{
    static const double x[1][3] = {{0, 0, 0}}, v[1][3] = {{1, 0, 0}};
    (void)unused;
    for (uint32_t before = 0; before <= 300; before += 300) {
        pliant_material         material = plain_material();
        pliant_contact_pair_def pair = pliant_contact_pair_def_default();
        pliant_body             body[3];
        double                  u[3], at[3];
        trial                   t;
        material.friction_static = material.friction_dynamic = 1;
        trial_begin(&t, G, 10, 1);
        const pliant_collider_def plane = plane_def(0, 0.25, 0.25, 0);
        for (uint32_t i = 0; i < before; i++) pliant_scene_add_floor(t.scene, R(-100), NULL);
        for (int i = 0; i < 3; i++) body[i] = add_points(&t, 1, x, v, NULL, &material);
        pair.collider = add_collider(&t, &plane);
        pair.body = body[1];
        pair.friction_static = pair.friction_dynamic = R(0.1);
        assert_int_equal(pliant_scene_contact_pair(t.scene, &pair, NULL), PLIANT_OK);
        pair = pliant_contact_pair_def_default();
        pair.collider.id = before + 1;
        pair.body = body[2];
        pair.ignore = true;
        assert_int_equal(pliant_scene_contact_pair(t.scene, &pair, NULL), PLIANT_OK);
        trial_compile(&t);
        trial_run(&t, H60, 15);
        speed_of(&t, body[0], 0, u);
        near(u[0], 0, 0.01);
        speed_of(&t, body[1], 0, u);
        near(u[0], 1 - 0.1 * G * 0.25, 0.01);
        speed_of(&t, body[2], 0, u);
        near(u[0], 1, BOUND(1e-9, 1e-5));
        point_of(&t, body[2], 0, at);
        near(at[1], -G * 0.25 * 0.25 / 2, 0.02);
        trial_end(&t);
    }
}

/* ---- what rolls ---- */

/* A straight rope on a plane that falls towards +x, turned by `turn` from lying across the slope: how far it has come across itself, down, and along
 * itself in a second. */
static void rolled(double slope, double turn, double friction, double rolling, double out[2])
{
    const double    along[3] = {sin(turn) * cos(slope), -sin(turn) * sin(slope), cos(turn)};
    const double    across[3] = {cos(turn) * cos(slope), -cos(turn) * sin(slope), -sin(turn)};
    pliant_rope_def d = pliant_rope_def_default();
    double          x[3], y[3];
    trial           t;
    trial_begin(&t, G, 20, 1);
    d.from = vec(-along[0], -along[1], -along[2]);
    d.to = vec(along[0], along[1], along[2]);
    d.segments = 8;
    d.material = plain_material();
    d.material.friction_static = d.material.friction_dynamic = R(friction);
    d.material.rolling_friction = R(rolling);
    pliant_collider_def plane = plane_def(slope, friction, friction, 0);
    const pliant_body   body = pliant_scene_add_rope(t.scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    add_collider(&t, &plane);
    trial_compile(&t);
    point_of(&t, body, 3, x);
    trial_run(&t, H60, 60);
    point_of(&t, body, 3, y);
    const double way[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
    out[0] = dot3(way, across);
    out[1] = dot3(way, along);
    trial_end(&t);
}

/* A rope that lies on a slope rolls across itself with g (sin - mu_r cos), and holds along itself by its friction, whichever way it lies; without a rolling
 * friction, or with one that is not less than its friction, it slides or sticks as anything does. */
static void ropes_roll_down(void **unused)
{
    (void)unused;
    static const double turns[] = {0, TEST_PI / 4, TEST_PI / 2}, rolling[] = {0, 0.1};
    const double        slope = atan(0.5), h = H60 / 20;
    double              way[2];
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 2; k++) {
            const double a = G * (sin(slope) * cos(turns[i]) - rolling[k] * cos(slope));
            rolled(slope, turns[i], 2, rolling[k], way);
            near(way[0], a > 0 ? a * (1 + h) / 2 : 0, 0.01 * fabs(a) + 1e-3);
            near(way[1], 0, 5e-3);
        }
    rolled(slope, 0, 2, -1, way);
    near(way[0], 0, 1e-3);
    rolled(slope, 0, 0.3, 5, way);
    near(way[0], G * (sin(slope) - 0.3 * cos(slope)) / 2, 0.03);
}

/* ---- nothing passes ---- */

/* How near the straight way from `a` to `b` comes to the origin. */
static double nearest_of_way(const double a[3], const double b[3])
{
    const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, along = dot3(d, d);
    double       share = along > 0 ? -dot3(a, d) / along : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    const double q[3] = {a[0] + share * d[0], a[1] + share * d[1], a[2] + share * d[2]};
    return length3(q);
}

/* A sphere flies through the middle of a hanging cloth at 20 m/s. Seen from the sphere, no particle may be inside it at the end of a step;
 * and where steps are single substeps, no way from one to the next may lead through it: a tenth of the radius is what the chord of a particle cuts off that slides round
 * the sphere, which it may: the meshes of a coarse cloth stretch as wide as that. */
static void sphere_through_cloth(double radius, uint32_t substeps, uint32_t steps_per_frame)
{
    enum { CELLS = 20, COUNT = (CELLS + 1) * (CELLS + 1) };
    static double    before[COUNT][3];
    pliant_cloth_def def = pliant_cloth_def_default();
    uint32_t         top[CELLS + 1], pushed = 0;
    trial            t;
    def.cells_x = def.cells_z = CELLS;
    def.size_x = def.size_z = 1;
    def.body.placement.rotation = (pliant_quat){R(sqrt(0.5)), 0, 0, R(sqrt(0.5))};
    def.material.density = R(0.2);
    trial_begin(&t, G, substeps, 1);
    pliant_body body = pliant_scene_add_cloth(t.scene, &def, NULL);
    for (uint32_t i = 0; i <= CELLS; i++) top[i] = i;
    assert_int_equal(pliant_scene_pin(t.scene, body, top, CELLS + 1, false, NULL), PLIANT_OK);
    pliant_collider_def sphere = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
    const double        times[2] = {0, 0.1};
    const pliant_pose   poses[2] = {{{0, 0, -1}, {0, 0, 0, 1}}, {{0, 0, 1}, {0, 0, 0, 1}}};
    sphere.radius = R(radius);
    sphere.pose = poses[0];
    sphere.key_times = times;
    sphere.key_poses = poses;
    sphere.key_count = 2;
    pliant_collider ball = add_collider(&t, &sphere);
    trial_compile(&t);
    for (uint32_t step = 0; step <= 6 * steps_per_frame; step++) {
        const double z = -1 + 20 * H60 / steps_per_frame * step;
        near((double)pliant_state_collider_pose(t.state, ball).position.z, z, 1e-5);
        for (uint32_t i = 0; i < COUNT; i++) {
            double at[3];
            point_of(&t, body, i, at);
            at[2] -= z;
            assert_true(length3(at) > radius - 1e-4);
            if (step && substeps == 1) assert_true(nearest_of_way(before[i], at) > 0.9 * radius);
            pushed += z > radius && at[2] > 0 && length3(at) < 1.2 * radius; /* it lies on the front */
            memcpy(before[i], at, sizeof at);
        }
        trial_run(&t, H60 / steps_per_frame, 1);
    }
    assert_true(pushed > 0);
    trial_end(&t);
}

static void fast_sphere_tunnels_no_particle(void **unused)
{
    (void)unused;
    sphere_through_cloth(0.1, 10, 1);
    sphere_through_cloth(0.1, 1, 10);   /* the same substeps, looked at one by one */
    sphere_through_cloth(0.015, 1, 10); /* goes farther in a substep than it is thick */
}

/* 100 m/s is 17 cm per substep; the board is 1 mm thick, turned and not. */
static void bullet_stops_at_a_thin_board(void **unused)
{
    static const double rows[] = {0, 0.3, -1};
    (void)unused;
    for (size_t i = 0; i < 3; i++)
        for (int k = 0; k < 7; k++) {
            const double x[1][3] = {{-1 - 0.02 * k, 0.01, 0.02}}, v[1][3] = {{100, 0, 0}}, half = rows[i] / 2;
            double       at[3];
            trial        t;
            trial_begin(&t, 0, 10, 1);
            pliant_collider_def board = pliant_collider_def_default(PLIANT_SHAPE_BOX);
            board.half_extent = vec(0.0005, 1, 1);
            board.pose.rotation = (pliant_quat){0, 0, R(sin(half)), R(cos(half))};
            board.friction_static = board.friction_dynamic = 1;
            pliant_body body = add_points(&t, 1, x, v, NULL, NULL);
            add_collider(&t, &board);
            trial_compile(&t);
            trial_run(&t, H60, 1);
            point_of(&t, body, 0, at);
            near(cos(rows[i]) * at[0] + sin(rows[i]) * at[1], -0.0005, 1e-6);
            trial_end(&t);
        }
}

/* Constraints cannot pull a particle through either: a rope drawn tight round a post stays on its side. */
static void rope_pulled_against_a_post(void **unused)
{
    enum { N = 21 };
    double x[N][3], w[N], at[3];
    trial  t;
    (void)unused;
    for (int i = 0; i < N; i++) { /* half a circle round the post, the ends pulled back */
        x[i][0] = 0.12 * cos(TEST_PI * i / (N - 1));
        x[i][1] = 0.12 * sin(TEST_PI * i / (N - 1));
        x[i][2] = 0;
        w[i] = i % (N - 1) ? 1 : 0;
    }
    trial_begin(&t, G, 10, 2);
    pliant_body body = add_points(&t, N, x, NULL, w, NULL);
    for (uint32_t i = 0; i + 1 < N; i++) add_distance(&t, body, i, i + 1, 0.1 * TEST_PI / (N - 1), NULL);
    pliant_collider_def post = pliant_collider_def_default(PLIANT_SHAPE_CAPSULE);
    post.radius = R(0.1);
    post.half_height = 1;
    post.pose.rotation = (pliant_quat){R(sqrt(0.5)), 0, 0, R(sqrt(0.5))}; /* along z */
    add_collider(&t, &post);
    trial_compile(&t);
    trial_run(&t, H60, 120);
    for (uint32_t i = 0; i < N; i++) {
        point_of(&t, body, i, at);
        assert_true(hypot(at[0], at[1]) > 0.0999);
        if (i && i + 1 < N) assert_true(at[1] > 0);
    }
    trial_end(&t);
}

/* ---- stick ---- */

static void stick_is_decided_once_in_the_prediction(void **unused)
{
    static const double x[4][3] = {{0, 0.001, 0}, {1, 0.001, 0}, {2, 0, 0}, {2, -0.5, 0}}, w[4] = {1, 1, 1, 0};
    static const double v[4][3] = {{3, -1, 2}, {3, 1, 2}, {0, 0, 0}, {0, 0, 0}};
    double              at[3], u[3];
    trial               t;
    (void)unused;
    trial_begin(&t, 0, 1, 1);
    pliant_collider_def plane = plane_def(0, 0, 0, 1);
    plane.stick = true;
    pliant_body body = add_points(&t, 4, x, v, w, NULL);
    add_distance(&t, body, 2, 3, 0.3, NULL);
    add_collider(&t, &plane);
    trial_compile(&t);
    trial_run(&t, 0.01, 1);
    point_of(&t, body, 0, at); /* predicted inside: back to the start, then to the surface; its speed is that of this way */
    speed_of(&t, body, 0, u);
    near(at[0], 0, 0);
    near(at[1], 0, 1e-9);
    near(at[2], 0, 0);
    near(u[0], 0, 0);
    near(u[1], -0.1, BOUND(1e-12, 1e-5));
    near(u[2], 0, 0);
    point_of(&t, body, 1, at); /* predicted outside: left alone */
    near(at[0], 1.03, 1e-6);
    near(at[1], 0.011, 1e-6);
    point_of(&t, body, 2, at); /* on the surface is not inside, and a constraint may pull it below */
    near(at[1], -0.2, 1e-6);
    assert_int_equal(pliant_solver_contacts(t.solver, NULL, 0), 0);
    trial_end(&t);
}

/* ---- what the user moves ---- */

static void collider_follows_its_keys(void **unused)
{
    const double      times[3] = {0.1, 0.2, 0.4}, half = sqrt(0.5);
    const pliant_pose poses[3] = {{{1, 0, 0}, {0, 0, 0, 1}}, {{2, 0, 0}, {0, 0, 0, 1}}, {{2, 4, 0}, {0, R(half), 0, R(half)}}};
    const struct {
        double x, y;
    } expected[] = {{1, 0}, {1.5, 0}, {2, 0}, {2, 1}, {2, 2}, {2, 3}, {2, 4}, {2, 4}};
    trial t;
    (void)unused;
    trial_begin(&t, G, 3, 1);
    pliant_collider_def ball = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
    ball.radius = 1;
    ball.key_times = times;
    ball.key_poses = poses;
    ball.key_count = 3;
    pliant_collider c = add_collider(&t, &ball);
    add_points(&t, 1, (const double[1][3]){{9, 9, 9}}, NULL, NULL, NULL);
    trial_compile(&t);
    trial_run(&t, 0.1, 1);
    for (size_t i = 0; i < 8; i++) {
        pliant_pose pose = pliant_state_collider_pose(t.state, c);
        near((double)pose.position.x, expected[i].x, 1e-5);
        near((double)pose.position.y, expected[i].y, 1e-5);
        near((double)(pose.rotation.y * pose.rotation.y + pose.rotation.w * pose.rotation.w), 1, 1e-5);
        if (i >= 6) near((double)pose.rotation.y, half, 1e-6);
        trial_run(&t, 0.05, 1);
    }
    pliant_pose put = pliant_pose_identity();
    put.position.z = 7;
    assert_int_equal(pliant_inputs_reset(t.inputs, 0.05), PLIANT_OK);
    assert_int_equal(pliant_inputs_collider(t.inputs, c, &put), PLIANT_OK); /* inputs override keys */
    trial_step(&t);
    near((double)pliant_state_collider_pose(t.state, c).position.z, 7, 0);
    trial_end(&t);
}

static void hard_attachment_ends_where_it_shall(void **unused)
{
    static const double x[3][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    const uint32_t      held[1] = {0};
    double              at[3], v[3];
    uint64_t            seed = 5;
    trial               t;
    (void)unused;
    trial_begin(&t, G, 7, 3);
    pliant_body body = add_points(&t, 3, x, NULL, NULL, NULL);
    add_distance(&t, body, 0, 1, 1, NULL);
    add_distance(&t, body, 1, 2, 1, NULL);
    assert_int_equal(pliant_scene_attach(t.scene, body, held, 1, NULL), PLIANT_OK);
    trial_compile(&t);
    double before[3] = {0, 0, 0};
    for (int step = 0; step < 50; step++) {
        pliant_vec3 target = vec(0.1 * chance(&seed), 0.1 * chance(&seed), 0.1 * chance(&seed));
        assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
        assert_int_equal(pliant_inputs_targets(t.inputs, body, &target, sizeof target), PLIANT_OK);
        trial_step(&t);
        point_of(&t, body, 0, at);
        speed_of(&t, body, 0, v);
        assert_true(at[0] == (double)target.x && at[1] == (double)target.y && at[2] == (double)target.z);
        for (int c = 0; c < 3; c++) near(v[c], (at[c] - before[c]) * 60, BOUND(1e-11, 2e-3));
        memcpy(before, at, sizeof at);
    }
    trial_run(&t, H60, 300); /* the rest hangs from it */
    point_of(&t, body, 1, v);
    double d[3] = {v[0] - at[0], v[1] - at[1], v[2] - at[2]};
    near(length3(d), 1, 1e-2);
    trial_end(&t);
}

static void soft_attachment_hangs_by_its_compliance(void **unused)
{
    static const double x[1][3] = {{0, 0, 0}}, w[1] = {0.5};
    const uint32_t      held[1] = {0};
    const pliant_law    law = compliant(1e-3);
    const pliant_vec3   target = vec(0.3, 0.4, -0.2);
    double              at[3];
    trial               t;
    (void)unused;
    trial_begin(&t, G, 1, 2);
    pliant_body body = add_points(&t, 1, x, NULL, w, NULL);
    assert_int_equal(pliant_scene_attach_soft(t.scene, body, held, 1, &law, &target, NULL), PLIANT_OK);
    trial_compile(&t);
    trial_run(&t, H60, 600);
    point_of(&t, body, 0, at);
    near(at[0], 0.3, BOUND(1e-9, 1e-5));
    near(at[1], 0.4 - 2 * G * 1e-3, BOUND(1e-9, 1e-5));
    near(at[2], -0.2, BOUND(1e-9, 1e-5));
    trial_end(&t);
}

static void keyed_target_is_followed(void **unused)
{
    static const double x[1][3] = {{0, 0, 0}};
    const uint32_t      held[1] = {0};
    const double        times[2] = {0, 1};
    const pliant_vec3   places[2] = {vec(0, 0, 0), vec(1, 2, 3)};
    double              at[3];
    trial               t;
    (void)unused;
    trial_begin(&t, G, 5, 1);
    pliant_body body = add_points(&t, 1, x, NULL, NULL, NULL);
    assert_int_equal(pliant_scene_attach(t.scene, body, held, 1, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_key_targets(t.scene, body, 0, 1, times, 2, places, NULL), PLIANT_OK);
    trial_compile(&t);
    for (int step = 1; step <= 15; step++) {
        double share = step < 10 ? step / 10.0 : 1;
        trial_run(&t, 0.1, 1);
        point_of(&t, body, 0, at);
        near(at[0], share, 1e-6);
        near(at[1], 2 * share, 1e-6);
        near(at[2], 3 * share, 1e-6);
    }
    trial_end(&t);
}

static void grab_pulls(void **unused)
{
    static const double x[2][3] = {{0, 0, 0}, {1, 0, 0}};
    double              at[3];
    trial               t;
    (void)unused;
    trial_begin(&t, G, 1, 4);
    pliant_body body = add_points(&t, 2, x, NULL, NULL, NULL);
    trial_compile(&t);
    for (int step = 0; step < 600; step++) {
        assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
        assert_int_equal(pliant_inputs_grab(t.inputs, body, 0, vec(0, 1, 0), R(2e-3)), PLIANT_OK);
        trial_step(&t);
    }
    point_of(&t, body, 0, at);
    near(at[1], 1 - G * 2e-3, BOUND(1e-9, 1e-5));
    point_of(&t, body, 1, at);
    assert_true(at[1] < -400); /* this one was not held */
    trial_end(&t);
}

static void released_pin_falls(void **unused)
{
    static const double x[2][3] = {{0, 0, 0}, {0.5, 0, 0}};
    const uint32_t      held[1] = {0}, ever[1] = {1};
    double              at[3];
    trial               t;
    (void)unused;
    trial_begin(&t, G, 10, 1);
    pliant_body body = add_points(&t, 2, x, NULL, NULL, NULL);
    assert_int_equal(pliant_scene_pin(t.scene, body, held, 1, true, NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_pin(t.scene, body, ever, 1, false, NULL), PLIANT_OK);
    trial_compile(&t);
    trial_run(&t, H60, 30);
    point_of(&t, body, 0, at);
    assert_true(at[0] == 0 && at[1] == 0 && at[2] == 0);
    assert_int_equal(pliant_state_set_pinned(t.state, body, 1, false), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_set_pinned(t.state, body, 0, false), PLIANT_OK);
    assert_false(pliant_state_pinned(t.state, body, 0));
    trial_run(&t, H60, 30);
    point_of(&t, body, 0, at);
    near(at[1], -G / 2 * 0.25 - G / 2 * 0.5 / 600, BOUND(1e-9, 5e-3)); /* g h^2 n (n + 1) / 2 */
    point_of(&t, body, 1, at);
    assert_true(at[1] == 0);
    assert_int_equal(pliant_state_set_pinned(t.state, body, 0, true), PLIANT_OK);
    double before[3];
    point_of(&t, body, 0, before);
    trial_run(&t, H60, 30);
    point_of(&t, body, 0, at);
    assert_memory_equal(at, before, sizeof at);
    trial_end(&t);
}

/* A block that stuck to its slope slides once the friction below it is gone: here, once the slope is steeper than it allows. */
static void tilting_lets_a_block_go(void **unused)
{
    static const double x[1][3] = {{0, 0, 0}};
    double              at[3] = {0, 0, 0};
    trial               t;
    (void)unused;
    trial_begin(&t, G, 10, 1);
    pliant_collider_def plane = plane_def(0, 0.5, 0.5, 0);
    pliant_body         body = add_points(&t, 1, x, NULL, NULL, NULL);
    pliant_collider     table = add_collider(&t, &plane);
    trial_compile(&t);
    for (uint32_t frame = 1; frame <= 180; frame++) {
        double      angle = (frame < 60 ? frame / 60.0 : frame < 120 ? 1 : 1 + (frame - 120) / 20.0) * 0.9 * atan(0.5);
        pliant_pose pose = plane.pose;
        pose.rotation = (pliant_quat){0, 0, R(-sin(angle / 2)), R(cos(angle / 2))};
        assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
        assert_int_equal(pliant_inputs_collider(t.inputs, table, &pose), PLIANT_OK);
        trial_step(&t);
        point_of(&t, body, 0, at);
        if (frame == 120) near(hypot(at[0], at[1]), 0, 1e-3);
    }
    assert_true(at[0] > 0.1 && at[1] < -0.1);
    trial_end(&t);
}

/* Friction stops a block after v^2 / (2 mu g), far from the origin and with small substeps too, where one substep's correction is less than
 * a position in float can hold. */
static void friction_does_not_depend_on_where_it_is(void **unused)
{
    static const double   places[] = {0, 5, 20, 100};
    static const uint32_t substeps[] = {10, 100, 400};
    (void)unused;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (size_t k = 0; k < sizeof substeps / sizeof *substeps; k++) {
            const double x[1][3] = {{places[i], 0, 0}}, v[1][3] = {{2, 0, 0}};
            double       at[3];
            trial        t;
            trial_begin(&t, G, substeps[k], 1);
            pliant_collider_def plane = plane_def(0, 0.3, 0.3, 0);
            pliant_body         body = add_points(&t, 1, x, v, NULL, NULL);
            add_collider(&t, &plane);
            trial_compile(&t);
            trial_run(&t, H60, 120);
            point_of(&t, body, 0, at);
            near(at[0] - places[i], 4 / (2 * 0.3 * G), 2.0 * H60 / substeps[k] + 1e-3);
            trial_end(&t);
        }
}

/* What begins inside a collider comes out at a walk, and then rests: coming out is no motion. */
static void overlap_at_the_start_launches_nothing(void **unused)
{
    static const double depths[] = {1e-3, 0.01, 0.05, 0.3};
    (void)unused;
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        const double x[1][3] = {{0, -depths[i], 0}};
        double       at[3], v[3];
        trial        t;
        trial_begin(&t, G, 10, 1);
        pliant_collider_def plane = plane_def(0, 0.3, 0.3, 0);
        pliant_body         body = add_points(&t, 1, x, NULL, NULL, NULL);
        add_collider(&t, &plane);
        trial_compile(&t);
        for (uint32_t frame = 0; frame < 60; frame++) {
            trial_run(&t, H60, 1);
            point_of(&t, body, 0, at);
            speed_of(&t, body, 0, v);
            assert_true(at[1] < 1e-4 && fabs(v[1]) < 0.02);
        }
        near(at[1], 0, 1e-5);
        trial_end(&t);
    }
}

/* PUSH_OUT: what begins inside comes out at 1 m/s and not faster or slower, whatever the substeps, through each shape. */
static void overlap_is_resolved_at_a_walk(void **unused)
{
    static const uint32_t substeps[] = {1, 10};
    const double          x[1][3] = {{0, 0.7, 0}};
    (void)unused;
    static const uint32_t    quads[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    static const pliant_real heights[4] = {0, 0, 0, 0};
    pliant_vec3              corners[8];
    for (int i = 0; i < 8; i++) corners[i] = vec(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    for (int shape = PLIANT_SHAPE_PLANE; shape <= PLIANT_SHAPE_HEIGHT_FIELD; shape++)
        for (int k = 0; k < 2; k++) {
            double at[3];
            trial  t;
            trial_begin(&t, G, substeps[k], 1);
            pliant_collider_def def = pliant_collider_def_default((pliant_shape)shape);
            def.radius = R(shape == PLIANT_SHAPE_CAPSULE ? 0.5 : 1);
            def.half_height = R(0.5);
            def.half_extent = vec(1, 1, 1);
            def.mesh =
                (pliant_mesh_view){.positions = corners, .stride = sizeof *corners, .vertex_count = 8, .quads = quads, .quad_count = 6};
            def.heights = heights;
            def.columns = def.rows = 2;
            def.cell = 2;
            if (shape == PLIANT_SHAPE_PLANE) def.pose.position.y = 1;
            if (shape == PLIANT_SHAPE_HEIGHT_FIELD) def.pose.position = vec(-1, 1, -1);
            pliant_body body = add_points(&t, 1, x, NULL, NULL, NULL);
            add_collider(&t, &def);
            trial_compile(&t);
            for (int frame = 1; frame <= 30; frame++) {
                trial_run(&t, H60, 1);
                point_of(&t, body, 0, at);
                near(at[1], fmin(0.7 + frame * H60, 1), 1e-4);
            }
            trial_end(&t);
        }
}

/* ---- finding ---- */

/* There is room for four contacts per particle, summed over the particles of a chunk: further contacts are counted, every substep anew. */
static void contacts_without_room_are_counted(void **unused)
{
    enum { N = 3, PLANES = 7 };
    static const double x[N][3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 9}};
    (void)unused;
    for (uint32_t planes = 3; planes <= PLANES; planes++) {
        trial t;
        trial_begin(&t, G, 5, 1);
        add_points(&t, N, x, NULL, NULL, NULL);
        for (uint32_t i = 0; i < planes; i++) {
            pliant_collider_def plane = plane_def(0, 0, 0, 0);
            add_collider(&t, &plane);
        }
        trial_compile(&t);
        for (int frame = 0; frame < 3; frame++) {
            trial_run(&t, H60, 1);
            const pliant_statistics s = pliant_solver_statistics(t.solver);
            assert_true(s.contacts <= N); /* the first plane pushes, and leaves nothing to the others */
            if (planes <= 4)
                assert_int_equal(s.contacts_dropped, 0);
            else /* looking again after a sweep finds them, and no room for them, again */
                assert_int_equal(s.contacts_dropped, 2 * N * (planes - 4));
        }
        trial_end(&t);
    }
}

/* A capsule, or a board, that turns by a right angle in one substep sweeps what lies in neither of its end boxes. */
static void what_a_turning_collider_sweeps_is_met(void **unused)
{
    static const pliant_shape shapes[] = {PLIANT_SHAPE_CAPSULE, PLIANT_SHAPE_BOX};
    static const double       x[2][3] = {{0, 0.97, 0}, {0, 1.6, 0}}; /* within its reach, and not */
    const double              eighth = TEST_PI / 8;                  /* of a half angle: from -45 to 45 degrees about z */
    (void)unused;
    for (int i = 0; i < 2; i++) {
        double at[3];
        trial  t;
        trial_begin(&t, 0, 1, 1);
        pliant_collider_def def = pliant_collider_def_default(shapes[i]);
        def.radius = R(0.05);
        def.half_height = 1;
        def.half_extent = vec(0.05, 1, 0.05);
        def.pose.rotation = (pliant_quat){0, 0, R(-sin(eighth)), R(cos(eighth))};
        pliant_body     body = add_points(&t, 2, x, NULL, NULL, NULL);
        pliant_collider c = add_collider(&t, &def);
        trial_compile(&t);
        def.pose.rotation.z = R(sin(eighth));
        assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
        assert_int_equal(pliant_inputs_collider(t.inputs, c, &def.pose), PLIANT_OK);
        trial_step(&t);
        assert_int_equal(pliant_solver_statistics(t.solver).particles_in_contact, 1);
        point_of(&t, body, 0, at);
        assert_true(at[0] < -0.1); /* it turns from +x to -x */
        point_of(&t, body, 1, at);
        assert_true(at[0] == 0);
        trial_end(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_sticks_below_the_threshold),
        cmocka_unit_test(block_slides_past_the_threshold),
        cmocka_unit_test(friction_does_not_depend_on_where_it_is),
        cmocka_unit_test(overlap_at_the_start_launches_nothing),
        cmocka_unit_test(overlap_is_resolved_at_a_walk),
        cmocka_unit_test(contacts_without_room_are_counted),
        cmocka_unit_test(what_a_turning_collider_sweeps_is_met),
        cmocka_unit_test(belt_takes_a_block_along),
        cmocka_unit_test(moving_slope_takes_along_what_sticks),
        cmocka_unit_test(tilting_lets_a_block_go),
        cmocka_unit_test(ball_bounces),
        cmocka_unit_test(moving_wall_bats),
        cmocka_unit_test(contacts_can_be_read),
        cmocka_unit_test(materials_meet_colliders),
        cmocka_unit_test(pairs_with_colliders),
        cmocka_unit_test(ropes_roll_down),
        cmocka_unit_test(fast_sphere_tunnels_no_particle),
        cmocka_unit_test(bullet_stops_at_a_thin_board),
        cmocka_unit_test(rope_pulled_against_a_post),
        cmocka_unit_test(stick_is_decided_once_in_the_prediction),
        cmocka_unit_test(collider_follows_its_keys),
        cmocka_unit_test(hard_attachment_ends_where_it_shall),
        cmocka_unit_test(soft_attachment_hangs_by_its_compliance),
        cmocka_unit_test(keyed_target_is_followed),
        cmocka_unit_test(grab_pulls),
        cmocka_unit_test(released_pin_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
