/* The law: stitches draw what they join shut within their time, pull and never push, move no body as a whole, make no energy beyond the work of what draws them,
 * come undone when they are to, and break at their force; what is sewn does not push itself apart. */
#include "trial.h"

#include "pliant/io.h"
#include "pliant/query.h"

/* ---- scenes ---- */

/* A grid of cloth of 0.4 by 0.4 m in the plane y = 0, its middle at `x`, of 0.2 kg/m^2. */
static pliant_body add_square(trial *t, double x, uint32_t cells, double thickness)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    pliant_error     error = {PLIANT_OK, 0, "", ""};
    def.cells_x = def.cells_z = cells;
    def.size_x = def.size_z = R(0.4);
    def.body.placement.position = vec(x, 0, 0);
    def.body.self_contact = thickness > 0;
    def.body.contact_mask = thickness > 0;
    def.material.density = R(0.2);
    def.material.thickness = R(thickness);
    def.material.bend.compliance = 1; /* no rigid angles, which would hold what no sweep resolves */
    def.material.has_bend = true;
    def.material.stretch.compliance = R(1e-5);
    def.material.has_stretch = true;
    const pliant_body body = pliant_scene_add_cloth(t->scene, &def, &error);
    if (!body.id) fail_msg("%s", error.message);
    return body;
}

/* Vertices of a square at its edge towards +x, or -x, in the order of z. */
static size_t edge_of(uint32_t cells, bool high, uint32_t *out)
{
    for (uint32_t k = 0; k <= cells; k++) out[k] = k * (cells + 1) + (high ? cells : 0);
    return cells + 1;
}

static pliant_stitches sew_squares(trial *t, pliant_body a, uint32_t cells_a, pliant_body b, uint32_t cells_b, pliant_stitches_def def)
{
    uint32_t     left[64], right[64];
    pliant_error error = {PLIANT_OK, 0, "", ""};
    def.a = a;
    def.b = b;
    def.a_vertices = left;
    def.b_vertices = right;
    def.a_count = edge_of(cells_a, true, left);
    def.b_count = edge_of(cells_b, false, right);
    if (cells_a != cells_b) def.way = PLIANT_STITCH_ALONG;
    const pliant_stitches sewn = pliant_scene_add_stitches(t->scene, &def, &error);
    if (!sewn.id) fail_msg("%s", error.message);
    return sewn;
}

static pliant_stitches_now now_of(const trial *t, pliant_stitches stitches)
{
    pliant_stitches_now now;
    assert_int_equal(pliant_state_stitches(t->state, stitches, &now), PLIANT_OK);
    return now;
}

/* Two squares with a gap of 0.1 m, sewn from 0.1 s on within 0.5 s. */
typedef struct pair {
    pliant_body     a, b;
    pliant_stitches stitches;
} pair;

static pair add_pair(trial *t, uint32_t cells_a, uint32_t cells_b, double thickness)
{
    pair                p;
    pliant_stitches_def def = pliant_stitches_def_default();
    def.from = 0.1;
    def.time = 0.5;
    p.a = add_square(t, -0.25, cells_a, thickness);
    p.b = add_square(t, 0.25, cells_b, thickness);
    p.stitches = sew_squares(t, p.a, cells_a, p.b, cells_b, def);
    return p;
}

static void begin(trial *t, double g, uint32_t substeps, uint32_t iterations, pliant_method method)
{
    t->def = pliant_scene_def_default();
    t->def.gravity = vec(0, -g, 0);
    t->def.substeps = substeps;
    t->def.iterations = iterations;
    t->def.method.method = method;
    trial_begin_def(t);
}

static const pliant_method methods[] = {PLIANT_METHOD_GAUSS_SEIDEL, PLIANT_METHOD_HIERARCHICAL};

/* ---- drawn shut ---- */

/* Seams of edges with as many vertices, and with more on either side; with contact of both with each other, and without. */
static void a_seam_is_shut_within_its_time(void **unused)
{
    static const uint32_t cells[][2] = {{8, 8}, {8, 11}, {11, 8}, {8, 16}};
    (void)unused;
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
            for (int meet = 0; meet < 2; meet++) {
                trial t;
                begin(&t, 0, 10, 1, methods[m]);
                const pair p = add_pair(&t, cells[i][0], cells[i][1], meet ? 0.002 : 0);
                trial_compile(&t);
                trial_run(&t, 1.0 / 60, 5);
                pliant_stitches_now now = now_of(&t, p.stitches);
                assert_int_equal(now.count, (cells[i][0] > cells[i][1] ? cells[i][0] : cells[i][1]) + 1);
                assert_int_equal(now.sewn, 0);
                trial_run(&t, 1.0 / 60, 16); /* 0.35 s: half of the way */
                now = now_of(&t, p.stitches);
                assert_int_equal(now.sewn, now.count);
                near(now.gap, 0.05, 2e-3);
                trial_run(&t, 1.0 / 60, 15);
                for (int f = 0; f < 24; f++) {
                    now = now_of(&t, p.stitches);
                    if (!(now.gap < 1e-4))
                        fail_msg("%u to %u cells, %s, %s: %g m at %g s", cells[i][0], cells[i][1], pliant_method_describe(methods[m])->name,
                                 meet ? "they meet" : "they do not", now.gap, pliant_state_time(t.state));
                    trial_run(&t, 1.0 / 60, 1);
                }
                uint32_t crossings;
                assert_int_equal(pliant_state_crossings(t.state, NULL, 0, &crossings), PLIANT_OK);
                assert_int_equal(crossings, 0);
                trial_end(&t);
            }
}

/* What is sewn, and shut, lies still: no vertex goes faster than what rounding makes of it. */
static void a_seam_at_rest_rests(void **unused)
{
    trial  t;
    double most = 0;
    (void)unused;
    begin(&t, 0, 10, 1, PLIANT_METHOD_GAUSS_SEIDEL);
    const pair          p = {add_square(&t, -0.2, 8, 0.002), add_square(&t, 0.2, 8, 0.002), {0}};
    pliant_stitches_def def = pliant_stitches_def_default();
    def.time = 0;
    sew_squares(&t, p.a, 8, p.b, 8, def);
    trial_compile(&t);
    trial_run(&t, 1.0 / 60, 120);
    for (uint32_t v = 0; v < vertex_count(&t, p.a); v++) {
        double speed[3];
        speed_of(&t, p.a, v, speed);
        most = fmax(most, length3(speed));
    }
    print_message("fastest vertex: %g m/s\n", most);
    assert_true(most < BOUND(1e-12, 1e-4));
    trial_end(&t);
}

/* A button: a vertex on the middle of a triangle, with a shank. */
static void a_button_is_held_at_its_point(void **unused)
{
    trial               t;
    pliant_stitches_def def = pliant_stitches_def_default();
    pliant_error        error = {PLIANT_OK, 0, "", ""};
    uint32_t            all[25];
    const double        at[1][3] = {{0.02, 0.3, 0.01}};
    const uint32_t      one = 0;
    (void)unused;
    begin(&t, 0, 10, 1, PLIANT_METHOD_GAUSS_SEIDEL);
    const pliant_body square = add_square(&t, 0, 4, 0);
    pliant_rope_def   rope = pliant_rope_def_default();
    rope.from = vec(at[0][0], at[0][1], at[0][2]);
    rope.to = vec(at[0][0], at[0][1] + 0.1, at[0][2]);
    rope.segments = 2;
    rope.material.density = R(0.1);
    const pliant_body cord = pliant_scene_add_rope(t.scene, &rope, &error);
    assert_int_not_equal(cord.id, 0);
    for (uint32_t v = 0; v < 25; v++) all[v] = v;
    def.a = cord;
    def.b = square;
    def.a_vertices = &one;
    def.a_count = 1;
    def.b_vertices = all;
    def.b_count = 25;
    def.way = PLIANT_STITCH_SURFACE;
    def.time = 0.5;
    def.length = R(0.01);
    const pliant_stitches button = pliant_scene_add_stitches(t.scene, &def, &error);
    if (!button.id) fail_msg("%s", error.message);
    trial_compile(&t);
    trial_run(&t, 1.0 / 60, 1);
    near(now_of(&t, button).gap, 0.3, 2e-3); /* straight below it */
    trial_run(&t, 1.0 / 60, 29);
    for (int f = 0; f < 30; f++) { /* it may come nearer, since nothing pushes it away */
        assert_true(now_of(&t, button).gap < 0.01 + 1e-4);
        trial_run(&t, 1.0 / 60, 1);
    }
    trial_end(&t);
}

/* Squares that fly towards each other faster than their stitches shorten come together as if there were none. */
static void a_stitch_never_pushes(void **unused)
{
    trial               t;
    pliant_stitches_def def = pliant_stitches_def_default();
    (void)unused;
    begin(&t, 0, 10, 1, PLIANT_METHOD_GAUSS_SEIDEL);
    const pliant_body a = add_square(&t, -0.25, 4, 0), b = add_square(&t, 0.25, 4, 0);
    def.time = 10;
    sew_squares(&t, a, 4, b, 4, def);
    trial_compile(&t);
    for (uint32_t v = 0; v < 25; v++) {
        const pliant_vec3 right = vec(0.1, 0, 0), left = vec(-0.1, 0, 0);
        assert_int_equal(pliant_state_set_velocities(t.state, a, v, 1, &right), PLIANT_OK);
        assert_int_equal(pliant_state_set_velocities(t.state, b, v, 1, &left), PLIANT_OK);
    }
    trial_run(&t, 1.0 / 60, 24);
    for (uint32_t v = 0; v < 25; v++) {
        double speed[3];
        speed_of(&t, a, v, speed);
        near(speed[0], 0.1, BOUND(1e-9, 1e-4));
    }
    trial_end(&t);
}

/* A shirt from its pattern: ten seams, and at each armpit the corners of four panels. When its time is over it is sewn, and nothing of it crosses anything. */
static void a_shirt_is_sewn_from_its_pattern(void **unused)
{
    trial             t;
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    pliant_scene_file file;
    double            most = 0;
    uint32_t          crossings, all = 0;
    (void)unused;
    if (pliant_scene_read(PLIANT_SOURCE_DIR "/scenes/shirt.json", NULL, &file, &error) != PLIANT_OK) fail_msg("%s", error.message);
    t.scene = file.scene;
    trial_compile(&t);
    for (int f = 1; f <= 110; f++) {
        trial_run(&t, 1.0 / 60, 1);
        if (f % 10) continue;
        assert_int_equal(pliant_state_crossings(t.state, NULL, 0, &crossings), PLIANT_OK);
        assert_int_equal(crossings, 0);
    }
    for (uint32_t i = 1; i <= 10; i++) {
        const pliant_stitches_now now = now_of(&t, (pliant_stitches){i});
        assert_int_equal(now.sewn, now.count);
        most = fmax(most, now.gap);
        all += now.count;
    }
    assert_int_equal(pliant_model_stitch_count(t.model), all);
    assert_int_equal(pliant_model_stitch_count(NULL), 0);
    print_message("widest gap of the shirt: %.4f mm\n", 1000 * most);
    assert_true(most < 1e-4);
    trial_end(&t);
}

/* ---- momentum and energy ---- */

static void sum_up(const trial *t, pliant_body body, double sum[7])
{
    for (uint32_t v = 0; v < vertex_count(t, body); v++) {
        double      x[3], speed[3], turn[3];
        pliant_real w;
        assert_int_equal(pliant_state_inverse_masses(t->state, body, v, 1, &w), PLIANT_OK);
        point_of(t, body, v, x);
        speed_of(t, body, v, speed);
        cross3(x, speed, turn);
        for (int c = 0; c < 3; c++) {
            sum[c] += speed[c] / (double)w;
            sum[3 + c] += turn[c] / (double)w;
        }
        sum[6] += length3(speed) / (double)w;
    }
}

static void stitches_move_no_body_as_a_whole(void **unused)
{
    (void)unused;
    for (int soft = 0; soft < 2; soft++) {
        trial               t;
        double              sum[7] = {0}, most = 0;
        pliant_stitches_def def = pliant_stitches_def_default();
        uint64_t            seed = 7;
        begin(&t, 0, 10, 1, PLIANT_METHOD_GAUSS_SEIDEL);
        const pliant_body a = add_square(&t, -0.25, 6, 0), b = add_square(&t, 0.25, 9, 0);
        def.time = 0.5;
        def.compliance = R(soft ? 1e-3 : 0);
        sew_squares(&t, a, 6, b, 9, def);
        trial_compile(&t);
        for (uint32_t v = 0; v < vertex_count(&t, a); v++) {
            const pliant_vec3 kick = vec(0.3 * chance(&seed), 0.3 * chance(&seed), 0.3 * chance(&seed));
            assert_int_equal(pliant_state_set_velocities(t.state, a, v, 1, &kick), PLIANT_OK);
        }
        double before[7] = {0};
        sum_up(&t, a, before);
        sum_up(&t, b, before);
        for (int f = 0; f < 40; f++) {
            for (int c = 0; c < 7; c++) sum[c] = 0;
            trial_run(&t, 1.0 / 60, 1);
            sum_up(&t, a, sum);
            sum_up(&t, b, sum);
            most = fmax(most, sum[6]);
        }
        for (int c = 0; c < 6; c++) near(sum[c], before[c], BOUND(c < 3 ? 1e-12 : 3e-3, 3e-3) * most);
        trial_end(&t);
    }
}

/* Over substeps, iterations, methods and gravity there is never more energy than there was, less the work, but for 2 % of what was turned over. Each square is
 * held at its far edge where things fall. */
static void stitches_make_no_energy_but_their_work(void **unused)
{
    static const uint32_t ways[][2] = {{1, 1}, {3, 2}, {10, 1}, {20, 4}, {60, 1}};
    double                worst = 0, all = 0;
    (void)unused;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
            for (int k = 0; k < 4; k++) { /* bit 0: gravity; bit 1: soft */
                trial               t;
                pliant_solver_def   sd = pliant_solver_def_default();
                pliant_stitches_def def = pliant_stitches_def_default();
                double              least = 0, turned = 0, work = 0, last = 0;
                begin(&t, k & 1 ? 10 : 0, ways[i][0], ways[i][1], methods[m]);
                const pliant_body a = add_square(&t, -0.22, 8, 0), b = add_square(&t, 0.22, 10, 0);
                for (uint32_t z = 0; k & 1 && z <= 8; z++) {
                    const uint32_t v = 9 * z;
                    assert_int_equal(pliant_scene_pin(t.scene, a, &v, 1, false, NULL), PLIANT_OK);
                }
                for (uint32_t z = 0; k & 1 && z <= 10; z++) {
                    const uint32_t v = 11 * z + 10;
                    assert_int_equal(pliant_scene_pin(t.scene, b, &v, 1, false, NULL), PLIANT_OK);
                }
                def.from = 0.2;
                def.time = 0.4;
                def.compliance = R(k & 2 ? 1e-2 : 0);
                sew_squares(&t, a, 8, b, 10, def);
                trial_compile(&t);
                sd.energy = true;
                pliant_solver *solver = pliant_solver_create(t.model, &sd, NULL);
                assert_non_null(solver);
                for (int f = 0; f < 60; f++) {
                    pliant_inputs_reset(t.inputs, 1.0 / 60);
                    assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
                    const pliant_statistics now = pliant_solver_statistics(solver);
                    const pliant_energy    *one = &now.energy_before, *two = &now.energy;
                    if (!f) least = last = one->kinetic + one->gravity + one->elastic;
                    work += two->work;
                    const double most = two->kinetic + two->gravity + two->elastic - work,
                                 total = most - two->unresolved; /* without what was done */
                    turned += fabs(most - last) + fabs(two->work);
                    last = most;
                    worst = fmax(worst, (total - least) / (turned + 1e-4));
                    if (total - least > 0.02 * turned + 1e-6)
                        fail_msg("%u substeps of %u, %s, case %d: %g J in frame %d, of %g", ways[i][0], ways[i][1],
                                 pliant_method_describe(methods[m])->name, k, total - least, f, turned);
                    least = fmin(least, most);
                }
                assert_true(work > 0);
                all += work;
                pliant_solver_destroy(solver);
                trial_end(&t);
            }
    print_message("the most that there was more than the least before: %.3f %% of what was turned over; work of all: %g J\n", 100 * worst,
                  all);
}

/* A particle of 1 kg is drawn in against a spring; what the work of the stitch is follows from where it ends: 0.5 k d^2. */
static void the_work_is_what_the_spring_holds(void **unused)
{
    trial               t;
    pliant_stitches_def def = pliant_stitches_def_default();
    pliant_solver_def   sd = pliant_solver_def_default();
    const uint32_t      ends[2] = {0, 2};
    double              work = 0;
    pliant_error        error = {PLIANT_OK, 0, "", ""};
    pliant_rope_def     rope = pliant_rope_def_default();
    (void)unused;
    begin(&t, 0, 100, 1, PLIANT_METHOD_GAUSS_SEIDEL);
    const pliant_vec3 points[3] = {vec(0, 0, 0), vec(1, 0, 0), vec(1.5, 0, 0)};
    rope.points = points;
    rope.point_count = 3;
    rope.material.density = 1;
    rope.material.stretch.compliance = R(1e-2);
    rope.material.has_stretch = true;
    rope.material.damping = 5;
    const pliant_body body = pliant_scene_add_rope(t.scene, &rope, &error);
    if (!body.id) fail_msg("%s", error.message);
    assert_int_equal(pliant_scene_pin(t.scene, body, ends, 2, false, NULL), PLIANT_OK); /* both ends; the middle is drawn to the far one */
    const uint32_t middle = 1;
    def.a = def.b = body;
    def.a_vertices = &middle;
    def.b_vertices = &ends[1];
    def.a_count = def.b_count = 1;
    def.time = 2;
    def.length = R(0.25);
    const pliant_stitches thread = pliant_scene_add_stitches(t.scene, &def, &error);
    if (!thread.id) fail_msg("%s", error.message);
    trial_compile(&t);
    sd.energy = true;
    pliant_solver *solver = pliant_solver_create(t.model, &sd, NULL);
    assert_non_null(solver);
    for (int f = 0; f < 150; f++) {
        pliant_inputs_reset(t.inputs, 1.0 / 60);
        assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
        work += pliant_solver_statistics(solver).energy.work;
    }
    near(now_of(&t, thread).gap, 0.25, 1e-4);
    const pliant_energy held = pliant_solver_statistics(solver).energy;
    print_message("work %g J, held %g J\n", work, held.elastic);
    near(work, held.elastic, 0.02 * held.elastic);
    assert_true(held.elastic > 1);
    pliant_solver_destroy(solver);
    trial_end(&t);
}

/* ---- undone, broken ---- */

/* A weight of 1 kg on a thread that is undone at 0.5 s hangs until then, and falls after. */
static void stitches_are_undone_when_they_are_to(void **unused)
{
    trial               t;
    pliant_stitches_def def = pliant_stitches_def_default();
    double              x[3];
    (void)unused;
    begin(&t, 10, 10, 1, PLIANT_METHOD_GAUSS_SEIDEL);
    const pair p = {add_square(&t, -0.2, 4, 0), add_square(&t, 0.2, 4, 0), {0}};
    for (uint32_t v = 0; v < 25; v++) assert_int_equal(pliant_scene_pin(t.scene, p.a, &v, 1, false, NULL), PLIANT_OK);
    def.time = 0;
    def.until = 0.5;
    const pliant_stitches thread = sew_squares(&t, p.a, 4, p.b, 4, def);
    trial_compile(&t);
    trial_run(&t, 1.0 / 60, 30);
    point_of(&t, p.b, 0, x);
    near(x[1], 0, 1e-4);
    assert_int_equal(now_of(&t, thread).sewn, 5);
    trial_run(&t, 1.0 / 60, 30);
    point_of(&t, p.b, 0, x);
    assert_true(x[1] < -1); /* 0.5 s of free fall, and its edge swings up */
    assert_int_equal(now_of(&t, thread).sewn, 0);
    assert_int_equal(now_of(&t, thread).broken, 0);
    trial_end(&t);
}

/* A weight on a thread, with gravity that grows: it breaks at its force, to within what that grows by in a substep, and not before. */
static void a_stitch_breaks_at_its_force(void **unused)
{
    (void)unused;
    for (int soft = 0; soft < 2; soft++) {
        trial               t;
        pliant_stitches_def def = pliant_stitches_def_default();
        pliant_error        error = {PLIANT_OK, 0, "", ""};
        const uint32_t      ends[3] = {0, 1, 2};
        double              mass = 0;
        begin(&t, 0, 1, 1, PLIANT_METHOD_GAUSS_SEIDEL);
        pliant_body bodies[2];
        for (int i = 0; i < 2; i++) {
            pliant_rope_def rope = pliant_rope_def_default();
            rope.from = vec(0, -i, 0);
            rope.to = vec(0, -i - 0.1, 0);
            rope.segments = 2;
            rope.material.density = R(0.5);
            bodies[i] = pliant_scene_add_rope(t.scene, &rope, &error);
            assert_int_not_equal(bodies[i].id, 0);
        }
        assert_int_equal(pliant_scene_pin(t.scene, bodies[0], ends, 3, false, NULL), PLIANT_OK);
        def.a = bodies[1];
        def.b = bodies[0];
        def.a_vertices = &ends[0];
        def.b_vertices = &ends[2];
        def.a_count = def.b_count = 1;
        def.time = 0;
        def.length = R(0.9);
        def.compliance = R(soft ? 1e-4 : 0);
        def.break_force = 1;
        const pliant_stitches thread = pliant_scene_add_stitches(t.scene, &def, &error);
        if (!thread.id) fail_msg("%s", error.message);
        trial_compile(&t);
        for (uint32_t v = 0; v < 3; v++) {
            pliant_real w;
            assert_int_equal(pliant_state_inverse_masses(t.state, bodies[1], v, 1, &w), PLIANT_OK);
            mass += 1 / (double)w;
        }
        double g = 0;
        while (!pliant_state_stitch_broken(t.state, thread, 0) && g < 100) {
            g += 2e-4 / mass;
            pliant_inputs_reset(t.inputs, 1.0 / 600);
            pliant_inputs_gravity(t.inputs, vec(0, -g, 0));
            assert_int_equal(pliant_solver_step(t.solver, t.state, t.inputs), PLIANT_OK);
        }
        print_message("broke at %g N\n", mass * g);
        near(mass * g, 1, soft ? 0.03 : 0.01);
        assert_int_equal(now_of(&t, thread).broken, 1);
        assert_int_equal(now_of(&t, thread).sewn, 0);
        assert_int_equal(pliant_state_break_stitch(t.state, thread, 0, false), PLIANT_OK);
        assert_int_equal(now_of(&t, thread).sewn, 1);
        assert_int_equal(pliant_state_break_stitch(t.state, thread, 1, false), PLIANT_ERROR_ARGUMENT);
        trial_end(&t);
    }
}

/* A seam that is pulled open at one end goes stitch by stitch from there. */
static void a_seam_opens_stitch_by_stitch(void **unused)
{
    trial               t;
    pliant_stitches_def def = pliant_stitches_def_default();
    uint32_t            last = 0;
    (void)unused;
    begin(&t, 10, 20, 1, PLIANT_METHOD_GAUSS_SEIDEL);
    const pliant_body a = add_square(&t, -0.2, 8, 0), b = add_square(&t, 0.2, 8, 0);
    for (uint32_t v = 0; v < 81; v++) assert_int_equal(pliant_scene_pin(t.scene, a, &v, 1, false, NULL), PLIANT_OK);
    for (uint32_t v = 0; v < 9; v++) /* the row of the least z is heavier */
        assert_int_equal(pliant_scene_set_masses(t.scene, b, &v, &(pliant_real){R(0.05)}, 1, NULL), PLIANT_OK);
    def.time = 0;
    def.break_force = R(0.4);
    const pliant_stitches seam = sew_squares(&t, a, 8, b, 8, def);
    trial_compile(&t);
    for (int f = 0; f < 600 && now_of(&t, seam).broken < 9; f++) {
        pliant_inputs_reset(t.inputs, 1.0 / 600);
        assert_int_equal(pliant_solver_step(t.solver, t.state, t.inputs), PLIANT_OK);
        uint32_t broken = 0;
        while (broken < 9 && pliant_state_stitch_broken(t.state, seam, broken)) broken++;
        assert_true(broken >= last);
        assert_int_equal(now_of(&t, seam).broken, broken); /* no other one but the first ones */
        last = broken;
    }
    assert_true(last > 2);
    trial_end(&t);
}

/* ---- the same everywhere ---- */

static uint64_t hash_with(const pliant_model *model, uint32_t threads, uint32_t width, bool fresh, pliant_stitches stitches)
{
    pliant_solver_def def = pliant_solver_def_default();
    pliant_state     *state = pliant_state_create(model, NULL);
    pliant_inputs    *inputs = pliant_inputs_create(model, NULL);
    def.threads = threads;
    def.width = width;
    pliant_solver      *solver = pliant_solver_create(model, &def, NULL);
    pliant_stitches_now now;
    assert_true(state && inputs && solver);
    for (int f = 0; f < 50; f++) {
        pliant_inputs_reset(inputs, 1.0 / 60);
        assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
        if (!fresh || f % 7) continue;
        size_t         size;
        const void    *data = pliant_state_data(state, &size);
        unsigned char *copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, data, size);
        pliant_solver_destroy(solver);
        pliant_state_reset(state);
        assert_int_equal(pliant_state_load(state, copy, size, NULL), PLIANT_OK);
        solver = pliant_solver_create(model, &def, NULL);
        free(copy);
    }
    assert_int_equal(pliant_state_stitches(state, stitches, &now), PLIANT_OK);
    assert_true(now.broken > 0 && now.sewn > 0); /* else nothing of it was tried */
    const uint64_t hash = pliant_state_hash(state);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    return hash;
}

static void results_are_the_same_for_threads_widths_and_fresh_solvers(void **unused)
{
    (void)unused;
    for (int sleeps = 0; sleeps < 2; sleeps++) {
        trial               t;
        pliant_stitches_def def = pliant_stitches_def_default();
        t.def = pliant_scene_def_default();
        t.def.substeps = 10;
        t.def.gravity = vec(0, -10, 0);
        t.def.sleep_speed = R(sleeps ? 0.01 : 0);
        trial_begin_def(&t);
        const pliant_body a = add_square(&t, -0.22, 12, 0.002), b = add_square(&t, 0.22, 14, 0.002);
        for (uint32_t z = 0; z <= 12; z++) assert_int_equal(pliant_scene_pin(t.scene, a, &(uint32_t){13 * z}, 1, false, NULL), PLIANT_OK);
        assert_int_equal(pliant_scene_pin(t.scene, b, &(uint32_t){14}, 1, false, NULL), PLIANT_OK);
        def.from = 0.1;
        def.time = 0.3;
        def.break_force = R(0.34);
        const pliant_stitches seam = sew_squares(&t, a, 12, b, 14, def);
        trial_compile(&t);
        const uint64_t first = hash_with(t.model, 1, 1, false, seam);
        for (uint32_t width = 1; width <= 16; width *= 2)
            if (pliant_constraint_has_width(PLIANT_CONSTRAINT_DISTANCE, width))
                assert_true(hash_with(t.model, width > 4 ? 3 : width, width, width == 4, seam) == first);
        trial_end(&t);
    }
}

/* In a scene that was edited they go on where they were. */
static void stitches_go_on_in_an_edited_scene(void **unused)
{
    trial         t;
    const double  at[1][3] = {{5, 5, 5}};
    pliant_state *carried = NULL;
    (void)unused;
    begin(&t, 0, 10, 1, PLIANT_METHOD_GAUSS_SEIDEL);
    const pair p = add_pair(&t, 4, 4, 0);
    trial_compile(&t);
    trial_run(&t, 1.0 / 60, 20);
    assert_int_equal(pliant_state_break_stitch(t.state, p.stitches, 2, true), PLIANT_OK);
    const pliant_stitches_now before = now_of(&t, p.stitches);
    add_points(&t, 1, at, NULL, NULL, NULL);
    pliant_model *edited = pliant_scene_recompile(t.scene, t.state, &carried, NULL);
    assert_non_null(carried);
    pliant_stitches_now now;
    assert_int_equal(pliant_state_stitches(carried, p.stitches, &now), PLIANT_OK);
    assert_true(now.count == before.count && now.sewn == before.sewn && now.broken == before.broken);
    near(now.gap, before.gap, 0);
    near(now.excess, before.excess, 0);
    assert_int_equal(now.broken, 1);
    pliant_state_destroy(carried);
    pliant_model_destroy(edited);
    trial_end(&t);
}

/* ---- refusals ---- */

static void what_cannot_be_sewn_is_refused(void **unused)
{
    trial               t;
    pliant_error        error = {PLIANT_OK, 0, "", ""};
    const uint32_t      some[3] = {0, 1, 99};
    const double        at[2][3] = {{0, 1, 0}, {0, 2, 0}};
    pliant_stitches_now now;
    (void)unused;
    begin(&t, 0, 10, 1, PLIANT_METHOD_GAUSS_SEIDEL);
    const pliant_body         square = add_square(&t, 0, 4, 0), points = add_points(&t, 2, at, NULL, NULL, NULL);
    const pliant_stitches_def plain = {
        .size = sizeof plain, .a = square, .b = square, .a_vertices = some, .b_vertices = some + 1, .a_count = 1, .b_count = 1};
#define REFUSED(change, says)                                                                    \
    do {                                                                                         \
        pliant_stitches_def def = plain;                                                         \
        change;                                                                                  \
        assert_int_equal(pliant_scene_add_stitches(t.scene, &def, &error).id, 0);                \
        assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);                                     \
        if (!strstr(error.message, says)) fail_msg("\"%s\" instead of %s", error.message, says); \
    } while (0)
    REFUSED(def.size = 0, "default");
    REFUSED(def.a_vertices = NULL, "needs 1 vert");
    REFUSED(def.b_count = 0, "needs 1 vert");
    REFUSED(def.way = PLIANT_STITCH_ALONG, "needs 2 vert");
    REFUSED(def.way = (pliant_stitch_way)7, "way");
    REFUSED(def.a_count = 2, "as many");
    REFUSED(def.b_vertices = some, "itself");
    REFUSED(def.b_vertices = some + 2, "no vertex 99");
    REFUSED(def.a.id = 7, "no body");
    REFUSED(def.b = points; def.b_vertices = some, "loose");
    REFUSED(def.from = -1, "from");
    REFUSED(def.time = (double)NAN, "time");
    REFUSED(def.until = 1; def.from = 2, "undone");
    REFUSED(def.length = -1, "length");
    REFUSED(def.compliance = R(NAN), "compliance");
    REFUSED(def.break_force = -1, "break_force");
    REFUSED(def.way = PLIANT_STITCH_SURFACE, "no triangle");
#undef REFUSED
    const pliant_stitches fine = pliant_scene_add_stitches(t.scene, &plain, &error);
    assert_int_not_equal(fine.id, 0);
    t.def.method.method = PLIANT_METHOD_CHEBYSHEV;
    pliant_model *model = pliant_scene_compile(t.scene, &error);
    assert_non_null(model);
    assert_false(pliant_method_takes(model, &t.def.method, &error));
    assert_non_null(strstr(error.message, "stitches"));
    pliant_state *state = pliant_state_create(model, NULL);
    assert_int_equal(pliant_state_stitches(state, (pliant_stitches){9}, &now), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_stitches(state, fine, NULL), PLIANT_ERROR_ARGUMENT);
    assert_false(pliant_state_stitch_broken(state, fine, 5));
    pliant_state_destroy(state);
    pliant_model_destroy(model);
    pliant_scene_destroy(t.scene);
}

/* In a scene file, with file, line and place. */
static void what_a_file_cannot_sew_has_a_line(void **unused)
{
    static const struct {
        const char *stitches, *says;
    } cases[] = {
        {"{}", "stitches[0]: \"a\" is missing"},
        {"3", "stitches[0]: must be an object"},
        {"{\"a\": {\"body\": \"x\", \"vertices\": [0]}, \"b\": {\"body\": \"rope\", \"vertices\": [1]}}", "no body is called x"},
        {"{\"a\": {\"body\": \"rope\", \"vertices\": [0]}, \"b\": {\"body\": \"rope\", \"vertices\": [0]}}", "sewn to itself"},
        {"{\"a\": {\"body\": \"rope\", \"vertices\": [0]}, \"b\": {\"body\": \"rope\", \"vertices\": [7]}}", "7"},
        {"{\"a\": {\"body\": \"rope\", \"vertices\": [0]}, \"b\": {\"body\": \"rope\", \"vertices\": [1, 2]}}", "as many"},
        {"{\"a\": {\"body\": \"rope\", \"vertices\": [0]}, \"b\": {\"body\": \"rope\", \"vertices\": [1]}, \"pair\": \"weave\"}", "pair"},
        {"{\"a\": {\"body\": \"rope\", \"vertices\": [0]}, \"b\": {\"body\": \"rope\", \"vertices\": [1]}, \"break\": 0}", "break"},
        {"{\"a\": {\"body\": \"rope\", \"vertices\": [0]}, \"b\": {\"body\": \"rope\", \"vertices\": [1]}, \"from\": 2, \"until\": 1}",
         "undone"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char              text[1000];
        pliant_error      error = {PLIANT_OK, 0, "", ""};
        pliant_scene_file file;
        snprintf(text, sizeof text,
                 "{\"pliant\": 1, \"bodies\": [{\"type\": \"rope\", \"name\": \"rope\", \"from\": [0, 0, 0], \"to\": [1, 0, 0], "
                 "\"segments\": 3}],\n"
                 "\"stitches\": [\n%s]}",
                 cases[i].stitches);
        assert_int_equal(pliant_scene_read_text(text, strlen(text), "scene", "", NULL, &file, &error), PLIANT_ERROR_INPUT);
        assert_int_equal(error.line, 3);
        if (!strstr(error.message, cases[i].says)) fail_msg("\"%s\" instead of %s", error.message, cases[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seam_is_shut_within_its_time),
        cmocka_unit_test(a_seam_at_rest_rests),
        cmocka_unit_test(a_button_is_held_at_its_point),
        cmocka_unit_test(a_stitch_never_pushes),
        cmocka_unit_test(a_shirt_is_sewn_from_its_pattern),
        cmocka_unit_test(stitches_move_no_body_as_a_whole),
        cmocka_unit_test(stitches_make_no_energy_but_their_work),
        cmocka_unit_test(the_work_is_what_the_spring_holds),
        cmocka_unit_test(stitches_are_undone_when_they_are_to),
        cmocka_unit_test(a_stitch_breaks_at_its_force),
        cmocka_unit_test(a_seam_opens_stitch_by_stitch),
        cmocka_unit_test(results_are_the_same_for_threads_widths_and_fresh_solvers),
        cmocka_unit_test(stitches_go_on_in_an_edited_scene),
        cmocka_unit_test(what_cannot_be_sewn_is_refused),
        cmocka_unit_test(what_a_file_cannot_sew_has_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
