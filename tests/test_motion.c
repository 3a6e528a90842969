/* What moves freely: momentum that internal constraints must keep, damping that must leave rigid motion alone, drag, wind and forces. */
#include "trial.h"

#define H60 (1.0 / 60)

/* ---- momentum ---- */

enum { CLOUD = 12 };

static void random_cloud(double x[CLOUD][3], double w[CLOUD], uint64_t *seed)
{
    for (int i = 0; i < CLOUD; i++) {
        for (int c = 0; c < 3; c++) x[i][c] = 2 * chance(seed) - 1;
        w[i] = 0.2 + 5 * chance(seed);
    }
}

#define MOST_LINKS (4 * PLIANT_CONSTRAINT_COUNT)

/* Per link: of a solid with a rotation that is far from unique where it is mirrored, and is found to fewer digits there. */
static bool links_near_ridge[MOST_LINKS];

/* Two constraints of every kind that does not know its frame, with and without compliance, most of them far from satisfied. */
static uint32_t random_links(trial *t, pliant_body body, pliant_constraint *links, uint64_t *seed)
{
    uint32_t count = 0;
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)kind);
        for (int k = 0; k < 4 && !(info->flags & PLIANT_ROW_FRAME_BOUND); k++) {
            uint32_t         ids[PLIANT_MAX_SLOTS], first = (uint32_t)(chance(seed) * CLOUD), by = k % 2 ? 1 : 5;
            const pliant_law law = compliant(k < 2 ? 0 : 1e-3);
            for (uint32_t i = 0; i < info->slots; i++) ids[i] = (first + by * i) % CLOUD;
            links_near_ridge[count] = info->flags & PLIANT_ROW_SOLID && info->flags & PLIANT_ROW_PIECEWISE;
            links[count++] = add_link(t, body, info->kind, ids, 0.1 + 0.5 * chance(seed), &law);
        }
    }
    return count;
}

static void sum_momentum(const trial *t, pliant_body body, const double *w, const double about[CLOUD][3], double p[3], double L[3])
{
    for (int c = 0; c < 3; c++) p[c] = L[c] = 0;
    for (uint32_t i = 0; i < CLOUD; i++) {
        double v[3], l[3];
        speed_of(t, body, i, v);
        cross3(about[i], v, l);
        for (int c = 0; c < 3; c++) {
            p[c] += v[c] / w[i];
            L[c] += l[c] / w[i];
        }
    }
}

/* Linear momentum of a closed system stays through any number of sweeps. */
static void sweeps_keep_momentum(void **unused)
{
    double            x[CLOUD][3], v[CLOUD][3], w[CLOUD], p[3], q[3], L[3], moved = 0;
    pliant_constraint links[MOST_LINKS];
    uint64_t          seed = 7;
    trial             t;
    (void)unused;
    random_cloud(x, w, &seed);
    for (int i = 0; i < CLOUD; i++)
        for (int c = 0; c < 3; c++) v[i][c] = 0.1 * chance(&seed);
    trial_begin(&t, 0, 5, 20);
    pliant_body body = add_points(&t, CLOUD, x, v, w, NULL);
    assert_true(random_links(&t, body, links, &seed) >= 20);
    trial_compile(&t);
    sum_momentum(&t, body, w, x, p, L);
    trial_run(&t, 1, 20);
    sum_momentum(&t, body, w, x, q, L);
    for (int c = 0; c < 3; c++) near(q[c], p[c], BOUND(3e-13, 1e-4)); /* 2000 sweeps, of a momentum near 1 */
    for (uint32_t i = 0; i < CLOUD; i++) {
        double at[3];
        point_of(&t, body, i, at);
        for (int c = 0; c < 3; c++) moved += fabs(at[c] - x[i][c] - v[i][c] * 20);
    }
    assert_true(moved > 1); /* and the constraints did act */
    trial_end(&t);
}

/* Each projection, taken by itself through the solver, exerts no torque: from rest, the speeds it leaves have no angular momentum about the
 * positions that it was taken at. (Over a step the rule v = (x - start) / h is of first order only, here too.) */
static void each_projection_keeps_angular_momentum(void **unused)
{
    double            x[CLOUD][3], w[CLOUD], p[3], L[3], largest = 0;
    pliant_constraint links[MOST_LINKS];
    uint64_t          seed = 11;
    trial             t;
    (void)unused;
    random_cloud(x, w, &seed);
    trial_begin(&t, 0, 1, 1);
    pliant_body body = add_points(&t, CLOUD, x, NULL, w, NULL);
    uint32_t    count = random_links(&t, body, links, &seed);
    trial_compile(&t);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(pliant_state_set_active(t.state, links[i], false), PLIANT_OK);
    for (uint32_t n = 0; n < 50 * count; n++) {
        const pliant_vec3 still[CLOUD] = {{0, 0, 0}};
        assert_int_equal(pliant_state_set_velocities(t.state, body, 0, CLOUD, still), PLIANT_OK);
        for (uint32_t i = 0; i < CLOUD; i++) point_of(&t, body, i, x[i]);
        assert_int_equal(pliant_state_set_active(t.state, links[n % count], true), PLIANT_OK);
        trial_run(&t, 1, 1);
        assert_int_equal(pliant_state_set_active(t.state, links[n % count], false), PLIANT_OK);
        sum_momentum(&t, body, w, x, p, L);
        for (int c = 0; c < 3; c++) {
            near(p[c], 0, BOUND(1e-13, 5e-5));
            near(L[c], 0, links_near_ridge[n % count] ? BOUND(1e-11, 5e-4) : BOUND(1e-13, 5e-5));
        }
        double fastest = (double)pliant_solver_statistics(t.solver).max_speed;
        if (fastest > largest) largest = fastest;
    }
    assert_true(largest > 0.1);
    trial_end(&t);
}

/* Where a body turns, angular momentum is lost in proportion to the step. */
static double spin_lost(uint32_t substeps)
{
    static const double x[4][3] = {{1, 0, 0}, {-0.5, 0.8, 0}, {-0.5, -0.8, 0.3}, {0, 0.1, -0.7}}, w[4] = {1, 0.5, 2, 0.8};
    double              v[4][3], spin[3] = {1, 3, 2}, centre[3] = {0, 0, 0}, mass = 0, L[2] = {0, 0};
    for (int i = 0; i < 4; i++) mass += 1 / w[i];
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) centre[c] += x[i][c] / w[i] / mass;
    for (int i = 0; i < 4; i++) {
        double r[3] = {x[i][0] - centre[0], x[i][1] - centre[1], x[i][2] - centre[2]};
        cross3(spin, r, v[i]);
    }
    trial t;
    trial_begin(&t, 0, substeps, 4);
    pliant_body body = add_points(&t, 4, x, v, w, NULL);
    for (uint32_t a = 0; a < 4; a++)
        for (uint32_t b = a + 1; b < 4; b++) {
            const double d[3] = {x[a][0] - x[b][0], x[a][1] - x[b][1], x[a][2] - x[b][2]};
            add_distance(&t, body, a, b, length3(d), NULL);
        }
    trial_compile(&t);
    for (int turn = 0; turn < 2; turn++) {
        double sum[3] = {0, 0, 0};
        for (uint32_t i = 0; i < 4; i++) {
            double r[3], u[3], l[3];
            point_of(&t, body, i, r);
            speed_of(&t, body, i, u);
            cross3(r, u, l);
            for (int c = 0; c < 3; c++) sum[c] += l[c] / w[i];
        }
        L[turn] = length3(sum);
        if (!turn) trial_run(&t, H60, 60);
    }
    trial_end(&t);
    return 1 - L[1] / L[0];
}

static void spin_lost_vanishes_with_the_step(void **unused)
{
    (void)unused;
    double coarse = spin_lost(5), fine = spin_lost(20);
    assert_true(coarse < 0.05 && coarse > 0);
    near(coarse / fine, 4, 0.4);
}

/* ---- damping ---- */

/* A rate of d per second takes 1 - exp(-d h) in a substep; here a quarter. */
static void damping_leaves_rotation(void **unused)
{
    static const double x[4][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    double              v[4][3], after[3];
    pliant_material     material = plain_material();
    trial               t;
    (void)unused;
    for (int i = 0; i < 4; i++) {
        v[i][0] = -2 * x[i][1] + 0.3 * x[i][0];
        v[i][1] = 2 * x[i][0] + 0.3 * x[i][1];
        v[i][2] = 0;
    }
    material.damping = R(-log(0.75) * 10);
    trial_begin(&t, 0, 1, 1);
    pliant_body body = add_points(&t, 4, x, v, NULL, &material);
    trial_compile(&t);
    trial_run(&t, 0.1, 1);
    for (uint32_t i = 0; i < 4; i++) {
        speed_of(&t, body, i, after);
        near(after[0], -2 * x[i][1] + 0.225 * x[i][0], BOUND(1e-14, 3e-6));
        near(after[1], 2 * x[i][0] + 0.225 * x[i][1], BOUND(1e-14, 3e-6));
        near(after[2], 0, BOUND(1e-14, 3e-6));
    }
    trial_end(&t);
}

/* What is left after a second does not know how many substeps it had. */
static void rates_do_not_know_substeps(void **unused)
{
    static const uint32_t substeps[] = {1, 7, 40};
    static const double   x[2][3] = {{0, 0, 0}, {1, 0, 0}}, apart[2][3] = {{-1, 0, 0}, {1, 0, 0}}, along[2][3] = {{1, 0, 0}, {1, 0, 0}};
    (void)unused;
    for (int what = 0; what < 4; what++)
        for (size_t k = 0; k < 3; k++) {
            pliant_material material = plain_material();
            double          v[3];
            trial           t;
            memset(&t, 0, sizeof t);
            t.def = pliant_scene_def_default();
            t.def.gravity = vec(0, 0, 0);
            t.def.substeps = substeps[k];
            *(what == 0 ? &material.damping : what == 1 ? &t.def.damping : what == 2 ? &material.drag : &t.def.drag) = R(1.5);
            trial_begin_def(&t);
            pliant_body body = add_points(&t, 2, x, what < 2 ? apart : along, NULL, &material);
            trial_compile(&t);
            trial_run(&t, 0.1, 10);
            speed_of(&t, body, 1, v);
            near(v[0], exp(-1.5), BOUND(1e-11, 2e-3));
            trial_end(&t);
        }
}

/* Per body: each keeps its own rigid motion. Over the system: they come to share one, and its momentum is theirs. */
static void damping_of_bodies_and_of_the_system(void **unused)
{
    static const double a[3][3] = {{-2, 0, 0}, {-2, 1, 0}, {-1, 0.5, 1}}, b[3][3] = {{2, 0, 0}, {2, 1, 0}, {1, 0.5, 1}};
    static const double right[3][3] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, left[3][3] = {{-2, 0, 0}, {-2, 0, 0}, {-2, 0, 0}};
    (void)unused;
    for (int whole = 0; whole < 2; whole++) {
        pliant_material material = plain_material();
        double          v[3];
        trial           t;
        memset(&t, 0, sizeof t);
        t.def = pliant_scene_def_default();
        t.def.gravity = vec(0, 0, 0);
        t.def.damping = whole ? 10000 : 0;
        material.damping = whole ? 0 : 10000;
        trial_begin_def(&t);
        pliant_body one = add_points(&t, 3, a, right, NULL, &material), two = add_points(&t, 3, b, left, NULL, &material);
        trial_compile(&t);
        trial_run(&t, H60, 1);
        double sum[3] = {0, 0, 0}, closing = 0;
        for (uint32_t i = 0; i < 6; i++) {
            speed_of(&t, i < 3 ? one : two, i % 3, v);
            for (int c = 0; c < 3; c++) sum[c] += v[c];
            closing += i < 3 ? v[0] / 3 : -v[0] / 3;
            if (!whole) near(v[0], i < 3 ? 1 : -2, BOUND(1e-11, 2e-3));
        }
        near(sum[0], -3, BOUND(1e-10, 1e-2));
        near(sum[1], 0, BOUND(1e-10, 1e-2));
        near(closing, whole ? 0 : 3, BOUND(1e-10, 1e-2));
        trial_end(&t);
    }
}

/* A body that only moves rigidly is not damped at all; one that does anything else ends up moving rigidly, with the same momenta. */
static void damping_ends_in_rigid_motion(void **unused)
{
    double          x[CLOUD][3], v[CLOUD][3], w[CLOUD], p[3], L[3], q[3], M[3], r[CLOUD][3], u[CLOUD][3];
    uint64_t        seed = 3;
    pliant_material material = plain_material();
    trial           t;
    (void)unused;
    random_cloud(x, w, &seed);
    for (int i = 0; i < CLOUD; i++)
        for (int c = 0; c < 3; c++) v[i][c] = 2 * chance(&seed) - 1;
    material.damping = 400;
    trial_begin(&t, 0, 1, 1);
    pliant_body body = add_points(&t, CLOUD, x, v, w, &material);
    trial_compile(&t);
    sum_momentum(&t, body, w, x, p, L);
    trial_run(&t, 0.1, 1); /* exp(-40) is left */
    sum_momentum(&t, body, w, x, q, M);
    for (int c = 0; c < 3; c++) {
        near(q[c], p[c], BOUND(1e-12, 2e-4));
        near(M[c], L[c], BOUND(1e-12, 2e-4));
    }
    for (uint32_t i = 0; i < CLOUD; i++) speed_of(&t, body, i, u[i]);
    for (int i = 0; i < CLOUD; i++)
        for (int j = 0; j < i; j++) { /* rigid: no two points come closer */
            for (int c = 0; c < 3; c++) {
                r[0][c] = x[i][c] - x[j][c];
                r[1][c] = u[i][c] - u[j][c];
            }
            near(dot3(r[0], r[1]), 0, BOUND(1e-12, 1e-4));
        }
    trial_end(&t);
}

/* What a jelly that begins with 3 rad/s has after a second of damping and of drag. */
static double spin_left(double damping, double drag)
{
    pliant_soft_def def = pliant_soft_def_default();
    double          spin = 0, inertia = 0, at[3], v[3];
    trial           t;
    def.cells[0] = def.cells[1] = def.cells[2] = 2;
    def.extent = vec(0.4, 0.4, 0.4);
    def.body.spin = vec(0, 3, 0);
    def.material.damping = R(damping);
    def.material.drag = R(drag);
    trial_begin(&t, 0, 20, 2);
    pliant_body body = pliant_scene_add_soft(t.scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    trial_compile(&t);
    trial_run(&t, H60, 60);
    for (uint32_t i = 0; i < vertex_count(&t, body); i++) {
        point_of(&t, body, i, at);
        speed_of(&t, body, i, v);
        spin += at[2] * v[0] - at[0] * v[2];
        inertia += at[2] * at[2] + at[0] * at[0];
    }
    trial_end(&t);
    return spin / inertia;
}

/* Damping of 3.5 leaves a jelly spinning as it would without; drag of that rate leaves 3 % of it. */
static void damping_does_not_stop_a_spinning_body(void **unused)
{
    (void)unused;
    near(spin_left(0, 0), 3, 0.15); /* substeps take some of it */
    near(spin_left(3.5, 0), spin_left(0, 0), 0.03);
    near(spin_left(0, 3.5), 3 * exp(-3.5), 0.02);
}

/* Inertia without an inverse: one particle, two, three in a line. Turning and moving stay, coming closer does not. */
static void damping_of_points_and_lines(void **unused)
{
    static const double x[3][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, v[3][3] = {{1, -1, 2}, {1.5, 0, 2}, {2, 1, 2}};
    (void)unused;
    for (uint32_t count = 1; count <= 3; count++) {
        pliant_material material = plain_material();
        double          u[3], middle = 1 + 0.25 * (count - 1);
        trial           t;
        material.damping = 1000;
        trial_begin(&t, 0, 1, 1);
        pliant_body body = add_points(&t, count, x, v, NULL, &material);
        trial_compile(&t);
        trial_run(&t, 0.1, 1);
        for (uint32_t i = 0; i < count; i++) {
            speed_of(&t, body, i, u);
            near(u[0], middle, BOUND(1e-13, 1e-5));
            near(u[1], v[i][1], BOUND(1e-13, 1e-5));
            near(u[2], 2, BOUND(1e-13, 1e-5));
        }
        trial_end(&t);
    }
}

/* ---- wind ---- */

static void add_wind(trial *t, double x, double y, double z)
{
    pliant_force_def wind = pliant_force_def_default(PLIANT_FORCE_WIND);
    wind.vector = vec(x, y, z);
    assert_int_not_equal(pliant_scene_add_force(t->scene, &wind, NULL).id, 0);
}

static void mean_place(const trial *t, pliant_body body, double mean[3])
{
    uint32_t count = vertex_count(t, body);
    mean[0] = mean[1] = mean[2] = 0;
    for (uint32_t i = 0; i < count; i++) {
        double at[3];
        point_of(t, body, i, at);
        for (int c = 0; c < 3; c++) mean[c] += at[c] / count;
    }
}

static void wind_blows_a_flag_downwind(void **unused)
{
    static const double blows[3] = {0, 6, -6};
    double              mean[3][3];
    (void)unused;
    for (int k = 0; k < 3; k++) {
        trial t;
        trial_begin(&t, 9.81, 10, 1);
        pliant_body body = hang_cloth(&t, 0, 0, 8);
        if (k) add_wind(&t, 0, 0, blows[k]);
        trial_compile(&t);
        trial_run(&t, H60, 120);
        mean_place(&t, body, mean[k]);
        trial_end(&t);
    }
    near(mean[0][2], 0, 1e-3);
    assert_true(mean[1][2] > 0.15 && mean[2][2] < -0.15);
    near(mean[1][2], -mean[2][2], 0.05);
}

typedef struct blast {
    double z, density;
} blast;

/* Where a sheet of silk that is pinned at its upper edge is after half a second of one substep a frame, at the place of vertex 40. */
static void blow_silk(const blast *winds, size_t count, double end[3])
{
    pliant_cloth_def def = pliant_cloth_def_default();
    uint32_t         pins[9];
    trial            t;
    def.cells_x = def.cells_z = 8;
    def.size_x = def.size_z = 1;
    def.material = pliant_material_preset(PLIANT_SILK);
    def.body.placement.rotation = (pliant_quat){R(sqrt(0.5)), 0, 0, R(sqrt(0.5))};
    trial_begin(&t, 9.81, 1, 4);
    const pliant_body body = pliant_scene_add_cloth(t.scene, &def, NULL);
    for (uint32_t i = 0; i < 9; i++) pins[i] = i;
    pliant_scene_pin(t.scene, body, pins, 9, false, NULL);
    for (size_t i = 0; i < count; i++) {
        pliant_force_def wind = pliant_force_def_default(PLIANT_FORCE_WIND);
        wind.vector = vec(0, 0, winds[i].z);
        wind.air_density = R(winds[i].density);
        assert_int_not_equal(pliant_scene_add_force(t.scene, &wind, NULL).id, 0);
    }
    trial_compile(&t);
    trial_run(&t, H60, 30);
    point_of(&t, body, 40, end);
    trial_end(&t);
}

static void blows_alike(const blast *one, size_t ones, const blast *other, size_t others)
{
    double a[3], b[3];
    blow_silk(one, ones, a);
    blow_silk(other, others, b);
    for (int c = 0; c < 3; c++) near(a[c], b[c], 0);
}

/* And so what bounds the force of one wind in a long step bounds that of many. */
static void winds_are_one_air_that_moves_with_their_sum(void **unused)
{
    (void)unused;
    blows_alike((blast[]){{10, 1.2}}, 1, (blast[]){{10, 1.2}, {0, 1.2}}, 2);
    blows_alike((blast[]){{10, 1.2}}, 1, (blast[]){{0, 1.2}, {14, 1.2}, {-4, 1.2}}, 3);
    blows_alike((blast[]){{8, 1.2}}, 1, (blast[]){{1, 1.2}, {1, 1.2}, {1, 1.2}, {1, 1.2}, {1, 1.2}, {1, 1.2}, {1, 1.2}, {1, 1.2}}, 8);
}

/* How fast silk gets, free or pinned at an edge, in two seconds of a wind; the step may not end as diverged. */
static double fastest_silk(pliant_integration integration, uint32_t substeps, bool pinned, double wind)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    uint32_t         pins[13];
    double           fastest = 0, v[3];
    trial            t;
    def.cells_x = def.cells_z = 12;
    def.size_x = def.size_z = 1;
    def.material = pliant_material_preset(PLIANT_SILK);
    def.body.placement.rotation = (pliant_quat){R(0.5), 0, 0, R(sqrt(0.75))};
    trial_begin(&t, 9.81, substeps, 1);
    t.def.integration = integration;
    pliant_scene_destroy(t.scene);
    trial_begin_def(&t);
    const pliant_body body = pliant_scene_add_cloth(t.scene, &def, NULL);
    for (uint32_t i = 0; i < 13; i++) pins[i] = i;
    if (pinned) pliant_scene_pin(t.scene, body, pins, 13, false, NULL);
    add_wind(&t, wind, 0, 0);
    trial_compile(&t);
    for (int frame = 0; frame < 120; frame++) {
        trial_run(&t, H60, 1);
        for (uint32_t i = 0; i < 169; i++) {
            speed_of(&t, body, i, v);
            fastest = fmax(fastest, length3(v));
        }
    }
    trial_end(&t);
    return fastest;
}

/* Six triangles push at a particle: what bounds the force of each in a long step must bound all of them, and with BDF2 an extrapolated one. */
static void no_wind_drives_silk_without_bound(void **unused)
{
    static const double winds[] = {30, 60, 200};
    (void)unused;
    for (int integration = 0; integration < 2; integration++)
        for (uint32_t substeps = 1; substeps <= 2; substeps++)
            for (int pinned = 0; pinned < 2; pinned++)
                for (size_t i = 0; i < 3; i++) {
                    const double fastest =
                        fastest_silk(integration ? PLIANT_INTEGRATION_BDF2 : PLIANT_INTEGRATION_FIRST_ORDER, substeps, pinned, winds[i]);
                    print_message("%s, %u substeps, %s, wind of %g m/s: %.1f m/s\n", integration ? "bdf2" : "first order", substeps,
                                  pinned ? "pinned" : "free", winds[i], fastest);
                    assert_true(fastest < (pinned ? 1.5 : 1.25) * winds[i]); /* it flutters, and what is pinned is a spring, too */
                }
}

/* The densest is how dense all is; of thinner air the share counts, and none of what has no density. */
static void thinner_air_moves_the_densest_by_its_share(void **unused)
{
    (void)unused;
    blows_alike((blast[]){{6, 1.0}}, 1, (blast[]){{4, 1.0}, {4, 0.5}}, 2);
    blows_alike((blast[]){{6, 1.0}}, 1, (blast[]){{4, 0.5}, {4, 1.0}}, 2);
    blows_alike((blast[]){{6, 1.0}}, 1, (blast[]){{6, 1.0}, {50, 0}}, 2);
}

/* A sheet that falls flat: half rho A C_D v^2 = m g, so v = sqrt(2 m g / (rho A)) = 1.808 m/s at 0.2 kg/m^2. */
static void terminal_speed_of_a_sheet(void **unused)
{
    static const uint32_t substeps[] = {1, 4, 20};
    (void)unused;
    for (size_t k = 0; k < 3; k++) {
        pliant_cloth_def def = pliant_cloth_def_default();
        double           v[3];
        trial            t;
        def.cells_x = def.cells_z = 6;
        def.size_x = def.size_z = 1;
        def.material.density = R(0.2);
        trial_begin(&t, 9.81, substeps[k], 5);
        pliant_body body = pliant_scene_add_cloth(t.scene, &def, NULL);
        add_wind(&t, 0, 0, 0);
        trial_compile(&t);
        trial_run(&t, H60, 120);
        speed_of(&t, body, 24, v);
        near(v[1], -sqrt(2 * 0.2 * 9.81 / 1.2), k ? 0.02 : 0.08);
        trial_end(&t);
    }
}

/* One triangle without constraints, its normal +y turned by `attack` about z, so that the wind along +x meets its lower side (attack > 0).
 * What the air does to it in one substep, as newtons on its mass, apart from what a light triangle must be spared (see below). */
typedef struct gust {
    double attack, air, fly; /* radians; m/s of the air along +x; m/s of the triangle along -x */
    double drag, lift, density;
    bool   turned; /* wound the other way: the normal is the opposite one */
} gust;

enum { GUST_SIDE = 2 }; /* m: legs of a right triangle */
static const double gust_area = 0.5 * GUST_SIDE * GUST_SIDE, gust_mass = 20 * 0.5 * GUST_SIDE * GUST_SIDE;

static void force_of(const gust *g, double force[3])
{
    const double      c = cos(g->attack), s = sin(g->attack), h = 1.0 / 64;
    const pliant_vec3 x[3] = {vec(0, 0, 0), vec(0, 0, GUST_SIDE), vec(GUST_SIDE * c, -GUST_SIDE * s, 0)};
    const uint32_t    wound[2][3] = {{0, 1, 2}, {0, 2, 1}};
    pliant_cloth_def  def = pliant_cloth_def_default();
    pliant_force_def  wind = pliant_force_def_default(PLIANT_FORCE_WIND);
    double            v[3][3];
    trial             t;
    def.mesh = pliant_mesh_view_of(x, sizeof *x, 3, wound[g->turned], 1);
    def.bend = PLIANT_BEND_NONE;
    def.material.density = 20;
    def.material.stretch = def.material.shear = compliant(1e6);
    def.material.air_drag = R(g->drag);
    def.material.air_lift = R(g->lift);
    def.body.velocity = vec(-g->fly, 0, 0);
    wind.vector = vec(g->air, 0, 0);
    wind.air_density = R(g->density);
    trial_begin(&t, 0, 1, 1);
    pliant_body body = pliant_scene_add_cloth(t.scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    assert_int_not_equal(pliant_scene_add_force(t.scene, &wind, NULL).id, 0);
    trial_compile(&t);
    trial_run(&t, h, 1);
    for (uint32_t i = 0; i < 3; i++) speed_of(&t, body, i, v[i]);
    /* It is divided by 1 + h s, s the rate at which a corner, a third of the mass under a third of the force, would decay. */
    const double rate = 0.5 * g->density * gust_area * fabs(s) * (g->air + g->fly) * (g->drag + g->lift) / gust_mass;
    for (int k = 0; k < 3; k++) {
        for (int i = 1; i < 3; i++) near(v[i][k], v[0][k], BOUND(1e-12, 1e-4)); /* it does not turn */
        force[k] = gust_mass * (v[0][k] + (k == 0 ? g->fly : 0)) / h * (1 + h * rate);
    }
    trial_end(&t);
}

/* With U the speed of the air past the triangle, drag (rho / 2) A C_D U^2 sin a along the wind, and lift (rho / 2) A C_L U^2 sin a cos a
 * across it, towards the lee side: up where the wind meets the lower side. Which way the triangle is wound does not matter. */
static void drag_and_lift_of_a_triangle(void **unused)
{
    static const gust rows[] = {
        {10, 6, 0, 1, 0.5, 1.2, false},   {10, 6, 0, 1, 0.5, 1.2, true},  {-10, 6, 0, 1, 0.5, 1.2, false}, {30, 6, 0, 0.3, 1.7, 1.2, false},
        {-30, 6, 0, 0.3, 1.7, 1.2, true}, {45, 6, 0, 0, 1, 1.2, false},   {45, 6, 0, 1, 0, 1.2, true},     {60, 6, 0, 1, 0.5, 0.4, false},
        {60, 3, 3, 1, 0.5, 0.4, false},   {60, 0, 6, 1, 0.5, 0.4, true},  {-80, 4, 8, 1.2, 0.6, 2, false}, {30, 12, 0, 1, 0.5, 1.2, false},
        {0, 6, 0, 1, 0.5, 1.2, false},    {90, 6, 0, 1, 0.5, 1.2, false}, {-90, 6, 0, 1, 0.5, 1.2, true},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gust   g = rows[i];
        double force[3];
        g.attack *= TEST_PI / 180;
        const double a = fabs(g.attack), u = g.air + g.fly, whole = 0.5 * g.density * gust_area * u * u;
        const double drag = whole * g.drag * sin(a), lift = whole * g.lift * sin(a) * cos(a);
        force_of(&g, force);
        near(force[0], drag, BOUND(1e-9, 1e-2)); /* of 20 to 300 N; speeds of 12 m/s are known to 1e-6, forces so to 2.5e-3 */
        near(force[1], g.attack > 0 ? lift : -lift, BOUND(1e-9, 1e-2));
        near(force[2], 0, BOUND(1e-9, 1e-2));
    }
}

static void forces_on_bodies(void **unused)
{
    static const double x[2][3] = {{0, 0, 0}, {1, 0, 0}}, w[2] = {1, 1.0 / 3};
    double              v[3];
    trial               t;
    (void)unused;
    trial_begin(&t, 0, 10, 1);
    pliant_body      one = add_points(&t, 2, x, NULL, w, NULL), two = add_points(&t, 2, x, NULL, w, NULL);
    pliant_force_def push = pliant_force_def_default(PLIANT_FORCE_BODY), all = pliant_force_def_default(PLIANT_FORCE_ACCELERATION);
    push.vector = vec(8, 0, 0);
    push.body = one;
    all.vector = vec(0, 0, 3);
    assert_int_equal(pliant_scene_add_force(t.scene, &push, NULL).id, 1);
    assert_int_equal(pliant_scene_add_force(t.scene, &all, NULL).id, 2);
    trial_compile(&t);
    trial_run(&t, H60, 60);
    for (uint32_t i = 0; i < 4; i++) { /* 8 N on 4 kg */
        speed_of(&t, i < 2 ? one : two, i % 2, v);
        near(v[0], i < 2 ? 2 : 0, BOUND(1e-10, 4e-2)); /* as in free flight */
        near(v[2], 3, BOUND(1e-10, 4e-2));
    }
    trial_end(&t);
}

/* ---- what hangs by one corner ---- */

enum { HANGING = 15 * 15, BESIDE = 1 };

/* What hangs about the vertical through the pin, kg m2/s for each kilogram: what there is in the end, and what the time stepping has made of it. */
typedef struct about_pin {
    double in_the_end, by_time_stepping;
} about_pin;

/* A substep of h goes on with the speeds of its end, v, so that rows that turn nothing about where particles end turn the speeds of its start, u: by
 * h m v x u, and that sum is known. A square metre of cloth is let go level, held by the vertex beside a corner, which is symmetric about no plane. */
static about_pin hang_by_a_corner(pliant_method method, double seconds)
{
    const double      h = 1.0 / 600;
    about_pin         out = {0, 0};
    double            mass = 0, u[HANGING][3] = {{0}};
    pliant_cloth_def  def = pliant_cloth_def_default();
    pliant_method_def by = pliant_method_def_default();
    pliant_real       w[HANGING];
    const uint32_t    pin = BESIDE;
    trial             t;
    trial_begin(&t, 9.81, 1, 1);
    pliant_scene_destroy(t.scene);
    by.method = method;
    t.def.method = by;
    trial_begin_def(&t);
    def.cells_x = def.cells_z = 14;
    def.size_x = def.size_z = 1;
    def.material = pliant_material_preset(PLIANT_COTTON);
    const pliant_body cloth = pliant_scene_add_cloth(t.scene, &def, NULL);
    assert_int_equal(pliant_scene_pin(t.scene, cloth, &pin, 1, false, NULL), PLIANT_OK);
    trial_compile(&t);
    assert_int_equal(pliant_state_inverse_masses(t.state, cloth, 0, HANGING, w), PLIANT_OK);
    for (int step = 0; step < seconds / h; step++) {
        double held[3], x[3], v[3];
        trial_run(&t, h, 1);
        point_of(&t, cloth, pin, held);
        out.in_the_end = mass = 0;
        for (uint32_t i = 0; i < HANGING; i++) {
            if (!(w[i] > 0)) continue;
            const double m = 1 / (double)w[i];
            point_of(&t, cloth, i, x);
            speed_of(&t, cloth, i, v);
            mass += m;
            out.in_the_end += m * ((x[2] - held[2]) * v[0] - (x[0] - held[0]) * v[2]);
            out.by_time_stepping += h * m * (v[2] * u[i][0] - v[0] * u[i][2]);
            memcpy(u[i], v, sizeof v);
        }
    }
    trial_end(&t);
    return (about_pin){out.in_the_end / mass, out.by_time_stepping / mass};
}

/* docs/methods/README.md, Angular momentum: neither weight nor the pin has a torque about the vertical. Jacobi's rows push where they all were, and turn
 * nothing; what is pushed one after another is pushed where it no longer is when the substep ends. */
static void jacobi_turns_what_hangs_by_time_stepping_alone(void **unused)
{
    (void)unused;
    const about_pin jacobi = hang_by_a_corner(PLIANT_METHOD_JACOBI, 4), in_turn = hang_by_a_corner(PLIANT_METHOD_GAUSS_SEIDEL, 4);
    print_message("    %.5f, %.5f by time stepping; gauss_seidel %.5f, %.5f\n", jacobi.in_the_end, jacobi.by_time_stepping,
                  in_turn.in_the_end, in_turn.by_time_stepping);
    near(jacobi.in_the_end, jacobi.by_time_stepping, 1e-4);
    assert_true(fabs(jacobi.by_time_stepping) > 1e-3);
    assert_true(fabs(in_turn.in_the_end - in_turn.by_time_stepping) > 3e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_keep_momentum),
        cmocka_unit_test(each_projection_keeps_angular_momentum),
        cmocka_unit_test(spin_lost_vanishes_with_the_step),
        cmocka_unit_test(damping_leaves_rotation),
        cmocka_unit_test(rates_do_not_know_substeps),
        cmocka_unit_test(damping_of_bodies_and_of_the_system),
        cmocka_unit_test(damping_ends_in_rigid_motion),
        cmocka_unit_test(damping_does_not_stop_a_spinning_body),
        cmocka_unit_test(damping_of_points_and_lines),
        cmocka_unit_test(wind_blows_a_flag_downwind),
        cmocka_unit_test(winds_are_one_air_that_moves_with_their_sum),
        cmocka_unit_test(no_wind_drives_silk_without_bound),
        cmocka_unit_test(thinner_air_moves_the_densest_by_its_share),
        cmocka_unit_test(terminal_speed_of_a_sheet),
        cmocka_unit_test(drag_and_lift_of_a_triangle),
        cmocka_unit_test(forces_on_bodies),
        cmocka_unit_test(jacobi_turns_what_hangs_by_time_stepping_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
