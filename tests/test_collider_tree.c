/* A crowd of colliders: what is far from a body changes nothing, to the bit, with a tree over colliders as without; many near one body keep it out as few do; and
 * groups say which bodies meet which colliders. */
#include "trial.h"

#include "collide/collide.h"
#include "compile/model.h"
#include "solver/solver.h"
#include "contact/collider_tree.h"
#include "contact/contacts.h"
#include "solver/collider_kernels.h"

#define DT (1.0 / 60)
#define FRAMES 40

/* ---- what is far ---- */

enum { FEW = 9, CROWD = 300, BODIES = 4 };

static pliant_pose pose_at(double x, double y, double z, double turn)
{
    return (pliant_pose){vec(x, y, z), {R(0.6 * sin(turn / 2)), R(0.8 * sin(turn / 2)), 0, R(cos(turn / 2))}};
}

/* One of each shape; the meshes are a tetrahedron. */
static pliant_collider_def shape_def(pliant_shape shape)
{
    static const pliant_real points[4][3] = {{0, R(0.3), 0}, {R(-0.3), R(-0.2), R(0.3)}, {R(0.3), R(-0.2), R(0.3)}, {0, R(-0.2), R(-0.4)}};
    static const uint32_t    triangles[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    static const pliant_real heights[9] = {0, R(0.1), 0, R(0.1), R(0.2), 0, 0, R(0.1), R(0.1)};
    static float             distances[125];
    pliant_collider_def      def = pliant_collider_def_default(shape);
    for (int i = 0; i < 125; i++) {
        const double x = i % 5 - 2, y = i / 5 % 5 - 2, z = i / 25 - 2;
        distances[i] = (float)(0.15 * sqrt(x * x + y * y + z * z) - 0.2);
    }
    def.radius = R(0.2);
    def.half_height = R(0.3);
    def.half_extent = vec(0.3, 0.1, 0.2);
    def.mesh = pliant_mesh_view_of(points, sizeof *points, 4, triangles, 4);
    def.heights = heights;
    def.columns = def.rows = 3;
    def.cell = R(0.2);
    if (shape == PLIANT_SHAPE_FIELD)
        def.field = (pliant_field_view){.origin = vec(-0.3, -0.3, -0.3), .cell = R(0.15), .count = {5, 5, 5}, .distance = distances};
    def.thickness = R(0.01);
    return def;
}

/* Colliders of each shape in a ring below where the bodies fall, the floor first. */
static void add_few(trial *t)
{
    for (int i = 0; i < FEW; i++) {
        pliant_collider_def def = shape_def(i ? (pliant_shape)(1 + (i - 1) % (PLIANT_SHAPE_FIELD)) : PLIANT_SHAPE_PLANE);
        def.pose = i ? pose_at(0.6 * cos(i), 0.3, 0.6 * sin(i), 0) : pose_at(0, 0, 0, 0);
        add_collider(t, &def);
    }
}

/* Others, all out of reach; every third one of them moves. */
static void add_far(trial *t, uint32_t count, uint64_t *seed)
{
    for (uint32_t i = 0; i < count; i++) {
        pliant_collider_def def = shape_def((pliant_shape)(1 + i % (PLIANT_SHAPE_FIELD)));
        const double        far = 20 + 60 * chance(seed), turn = 2 * TEST_PI * chance(seed);
        def.pose = pose_at(far * cos(turn), -40 + 80 * chance(seed), far * sin(turn), chance(seed));
        add_collider(t, &def);
    }
}

static void add_bodies(trial *t, pliant_body body[BODIES])
{
    for (int i = 0; i < BODIES; i++) {
        pliant_cloth_def def = pliant_cloth_def_default();
        def.cells_x = def.cells_z = 12;
        def.size_x = def.size_z = 1;
        def.material = pliant_material_preset(PLIANT_COTTON);
        def.material.thickness = R(0.005 + 0.003 * i);
        def.body.placement.position = vec(0.3 * i - 0.4, 0.8 + 0.2 * i, 0.2 * i);
        body[i] = pliant_scene_add_cloth(t->scene, &def, NULL);
        assert_int_not_equal(body[i].id, 0);
    }
}

/* The first body is in a moving frame that it does not feel; colliders of the ring turn and go to and fro, and one jumps. */
static void drive(trial *t, const pliant_body body[BODIES], uint32_t first, uint32_t count, int frame)
{
    pliant_inertia felt;
    memset(&felt, 0, sizeof felt);
    const pliant_pose before = pose_at(0.02 * frame, 0, 0, 0.03 * frame), after = pose_at(0.02 * (frame + 1), 0, 0, 0.03 * (frame + 1));
    assert_int_equal(pliant_inputs_frame(t->inputs, body[0], &before, &after, felt), PLIANT_OK);
    for (uint32_t i = 1; i < count; i++) {
        const pliant_collider c = {first + i + 1};
        const pliant_pose     to = pose_at(0.6 * cos(i) + 0.1 * sin(0.3 * frame), 0.3, 0.6 * sin(i), i % 2 ? 0.2 * frame : 0);
        assert_int_equal(pliant_inputs_collider(t->inputs, c, &to), PLIANT_OK);
    }
    if (frame != FRAMES / 2) return;
    const pliant_pose to = pose_at(0, 0.4, 0.1, 1);
    assert_int_equal(pliant_inputs_teleport_collider(t->inputs, (pliant_collider){first + 2}, &to), PLIANT_OK);
}

enum { MOST = BODIES * 13 * 13 };

/* Positions at the end, and how many touches there were in all frames. `first`, `after`: how many colliders out of reach there are before the ring and after it. */
static uint64_t fall(uint32_t first, uint32_t after, bool framed, pliant_vec3 x[MOST])
{
    trial       t;
    pliant_body body[BODIES];
    uint64_t    seed = 5, touches = 0;
    memset(&t, 0, sizeof t);
    trial_begin(&t, 9.81, 8, 2);
    add_bodies(&t, body);
    add_far(&t, first, &seed);
    add_few(&t);
    add_far(&t, after, &seed);
    pliant_contact_pair_def pair = pliant_contact_pair_def_default();
    pair.body = body[1];
    pair.collider.id = first + 3;
    pair.adhesion = R(0.02);
    assert_int_equal(pliant_scene_contact_pair(t.scene, &pair, NULL), PLIANT_OK);
    trial_compile(&t);
    if (!first && !after) { /* all are asked about */
        pliant__free_collider_tree(t.solver);
        memset(&t.solver->contacts->tree, 0, sizeof t.solver->contacts->tree);
    }
    for (int f = 0; f < FRAMES; f++) {
        assert_int_equal(pliant_inputs_reset(t.inputs, DT), PLIANT_OK);
        assert_int_equal(pliant_inputs_substeps(t.inputs, 8, 2), PLIANT_OK);
        if (framed) drive(&t, body, first, FEW, f);
        assert_int_equal(pliant_solver_step(t.solver, t.state, t.inputs), PLIANT_OK);
        touches += pliant_solver_statistics(t.solver).contacts;
    }
    for (int i = 0; i < BODIES; i++)
        assert_int_equal(pliant_state_positions(t.state, body[i], 0, MOST / BODIES, x + i * (MOST / BODIES)), PLIANT_OK);
    trial_end(&t);
    return touches;
}

static void colliders_out_of_reach_change_nothing(void **unused)
{
    static pliant_vec3    alone[MOST], beside[MOST];
    static const uint32_t crowd[][2] = {{0, CROWD}, {CROWD, 0}, {20, 20}};
    (void)unused;
    for (int framed = 0; framed < 2; framed++) {
        const uint64_t touches = fall(0, 0, framed, alone);
        if (touches < 1000) fail_msg("framed %d: %llu touches only", framed, (unsigned long long)touches);
        for (size_t i = 0; i < sizeof crowd / sizeof *crowd; i++) {
            assert_int_equal(fall(crowd[i][0], crowd[i][1], framed, beside), touches);
            if (memcmp(alone, beside, sizeof alone))
                fail_msg("framed %d: with %u before and %u after they lie elsewhere", framed, crowd[i][0], crowd[i][1]);
        }
    }
}

/* ---- what the tree finds ---- */

/* A collider is found if its swept bound meets a box, wherever the box is, also where frames move bodies: the tree's promise, held against the swept bounds themselves. */
static void a_tree_misses_no_swept_bound(void **unused)
{
    trial       t;
    pliant_body body[BODIES];
    uint64_t    seed = 11, met = 0, found = 0;
    (void)unused;
    memset(&t, 0, sizeof t);
    trial_begin(&t, 0, 4, 1);
    add_bodies(&t, body);
    add_few(&t);
    add_far(&t, CROWD, &seed);
    trial_compile(&t);
    const uint32_t count = (uint32_t)model_count(t.model, colliders);
    for (int f = 0; f < 40; f++) {
        assert_int_equal(pliant_inputs_reset(t.inputs, DT), PLIANT_OK);
        const bool wild = f >= 20;
        for (uint32_t c = 2; c <= count; c++) {
            pliant_pose to = pliant_state_collider_pose(t.state, (pliant_collider){c});
            if (wild)
                to = pose_at(40 * chance(&seed) - 20, 40 * chance(&seed) - 20, 40 * chance(&seed) - 20, 6 * chance(&seed));
            else
                to.position.x += R(0.2 * chance(&seed));
            if (c % 5 < 2) assert_int_equal(pliant_inputs_collider(t.inputs, (pliant_collider){c}, &to), PLIANT_OK);
        }
        pliant_inertia felt;
        memset(&felt, 0, sizeof felt);
        const pliant_pose before = pose_at(5, 0, 0, 0), after = pose_at(5 + chance(&seed), chance(&seed), 0, f % 3 ? chance(&seed) : 0);
        if (f % 2) assert_int_equal(pliant_inputs_frame(t.inputs, body[0], &before, &after, felt), PLIANT_OK);
        assert_int_equal(pliant_solver_step(t.solver, t.state, t.inputs), PLIANT_OK);
        const pliant_solver *s = t.solver; /* as its last substep has left it */
        for (int i = 0; i < 100; i++) {
            const pliant_vec3               at = vec(60 * chance(&seed) - 30, 60 * chance(&seed) - 30, 60 * chance(&seed) - 30);
            const pliant__box               mine = {at, v3_add(at, vec(3 * chance(&seed), 3 * chance(&seed), 3 * chance(&seed)))};
            const uint32_t                  b = (uint32_t)i % 2;
            static pliant__nearby_colliders out;
            pliant__find_nearby_colliders(s, b, &mine, &out);
            assert_false(out.all);
            if (!wild) found += out.count;
            uint32_t k = 0;
            for (uint32_t c = 0; c < count; c++) {
                pliant_pose              from = s->colliders[c].before;
                const pliant__frame_now *frame = &s->frames[b];
                if (s->framed && frame->moves)
                    from = (pliant_pose){pliant__carried(frame, from.position), quat_multiply(frame->rotation, from.rotation)};
                const pliant_real         grow = s->model->bodies[b].thickness + s->model->colliders[c].thickness;
                const pliant__swept_bound l = pliant__swept_bound_of(&s->colliders[c].shape, from, s->colliders[c].after, grow);
                while (k < out.count && out.collider[k] < c) k++;
                if (!boxes_meet(&mine, &l.box)) continue;
                met++;
                if (k == out.count || out.collider[k] != c) fail_msg("frame %d, box %d: collider %u is not found", f, i, c);
            }
        }
    }
    assert_true(met > 10000);
    /* Height fields that are turned have no end, and are always found: one of seven. */
    const double mean = (double)found / 2000;
    if (!(mean < 70)) fail_msg("%g of %u colliders found on average: the tree sorts nothing out", mean, count);
    trial_end(&t);
}

/* What a chunk has been told is kept for boxes within the one that it asked about, and no longer than a step: a ball that comes from afar is found by the same box. */
static void what_is_kept_holds_for_a_step(void **unused)
{
    enum { STEPS = 20, CROWDED = 20 };
    trial    t;
    uint32_t met = 0, far = 0, kept = 0;
    (void)unused;
    memset(&t, 0, sizeof t);
    trial_begin(&t, 0, 2, 1);
    pliant_cloth_def def = pliant_cloth_def_default();
    assert_int_not_equal(pliant_scene_add_cloth(t.scene, &def, NULL).id, 0);
    for (int i = 0; i <= CROWDED; i++) {
        pliant_collider_def ball = shape_def(PLIANT_SHAPE_SPHERE);
        ball.pose.position = vec(i ? 100 + 3 * i : STEPS / 2, 0, 0);
        ball.contact_mask = 0; /* the cloth lies still and asks, too */
        add_collider(&t, &ball);
    }
    trial_compile(&t);
    for (int f = 0; f < STEPS; f++) {
        const pliant_pose to = pose_at(STEPS / 2 - f - 1, 0, 0, 0);
        assert_int_equal(pliant_inputs_reset(t.inputs, DT), PLIANT_OK);
        assert_int_equal(pliant_inputs_collider(t.inputs, (pliant_collider){1}, &to), PLIANT_OK);
        assert_int_equal(pliant_solver_step(t.solver, t.state, t.inputs), PLIANT_OK);
        const pliant__collider_now *ball = &t.solver->colliders[0];
        const pliant_real           grow = t.model->bodies[0].thickness + t.model->colliders[0].thickness;
        const pliant__swept_bound   l = pliant__swept_bound_of(&ball->shape, ball->before, ball->after, grow);
        for (int i = 0; i < 3; i++) { /* the first box, one that is within what is kept of it, and one that is not */
            const double                    out = i == 2 ? 4 : 0.5 + 0.01 * i;
            const pliant__box               mine = {vec(-out, -out, -out), vec(out, out, out)};
            static pliant__nearby_colliders found;
            pliant__find_nearby_colliders(t.solver, 0, &mine, &found);
            assert_false(found.all);
            const bool is_met = boxes_meet(&mine, &l.box), is_found = found.count && found.collider[0] == 0;
            if (is_met && !is_found) fail_msg("step %d, box %d: the ball is not found", f, i);
            met += is_met;
            far += !is_found;
            kept += i && t.solver->contacts->tree.kept[0].box.high.x > R(out + 0.05);
        }
    }
    assert_true(met > 5 && far > 5 && kept > STEPS);
    trial_end(&t);
}

/* ---- many that are near ---- */

/* A sheet of one chunk lies on a bed of 900 balls: more than are looked at together, and each of them counts. */
static void a_bed_of_many_balls_holds_a_sheet(void **unused)
{
    trial t;
    (void)unused;
    memset(&t, 0, sizeof t);
    trial_begin(&t, 9.81, 10, 1);
    for (int i = 0; i < 900; i++) {
        pliant_collider_def ball = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
        ball.radius = R(0.03);
        ball.pose.position = vec(0.04 * (i % 30) - 0.58, -0.03, 0.04 * (i / 30) - 0.58);
        add_collider(&t, &ball);
    }
    pliant_cloth_def def = pliant_cloth_def_default();
    def.cells_x = def.cells_z = 15;
    def.size_x = def.size_z = 1;
    def.material = pliant_material_preset(PLIANT_COTTON);
    def.material.friction_static = def.material.friction_dynamic = 1;
    def.material.thickness = R(0.005);
    def.body.placement.position = vec(0.013, 0.05, 0.017);
    const pliant_body body = pliant_scene_add_cloth(t.scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    trial_compile(&t);
    trial_run(&t, DT, 120);
    for (uint32_t v = 0; v < vertex_count(&t, body); v++) {
        double x[3], deep = 1;
        point_of(&t, body, v, x);
        for (int i = 0; i < 900; i++) {
            const double d[3] = {x[0] - (0.04 * (i % 30) - 0.58), x[1] + 0.03, x[2] - (0.04 * (i / 30) - 0.58)};
            deep = fmin(deep, length3(d) - 0.035);
        }
        if (!(deep > -1e-4) || !(x[1] < 0.01)) fail_msg("vertex %u is at a height of %g m, %g m off the balls", v, x[1], deep);
    }
    trial_end(&t);
}

/* ---- groups ---- */

static void groups_say_what_meets_what(void **unused)
{
    static const struct {
        uint32_t group, colliders; /* of the body */
        uint32_t of, mask;         /* of the collider */
        bool     meet;
    } rows[] = {
        {1, UINT32_MAX, 1, UINT32_MAX, true},
        {0, UINT32_MAX, 0, UINT32_MAX, true},
        {1, 0, 1, UINT32_MAX, false},
        {1, UINT32_MAX, 1, 0, false},
        {2, UINT32_MAX, 1, 1, false},
        {2, UINT32_MAX, 1, 2, true},
        {1, 4, 1, UINT32_MAX, false},
        {1, 4, 6, UINT32_MAX, true},
        {0, UINT32_MAX, 1, 1, false},
        {2, 4, 4, 2, true},
        {2, 4, 4, 1, false},
        {2, 4, 2, 2, false},
    };
    (void)unused;
    for (size_t crowd = 0; crowd < 40; crowd += 39) /* without a tree, and with one */
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            trial t;
            memset(&t, 0, sizeof t);
            trial_begin(&t, 9.81, 10, 1);
            pliant_cloth_def def = pliant_cloth_def_default();
            def.cells_x = def.cells_z = 2;
            def.size_x = def.size_z = R(0.1);
            def.body.placement.position = vec(0, 0.1, 0);
            def.body.contact_group = rows[i].group;
            def.body.collider_mask = rows[i].colliders;
            const pliant_body   body = pliant_scene_add_cloth(t.scene, &def, NULL);
            pliant_collider_def box = pliant_collider_def_default(PLIANT_SHAPE_BOX);
            for (size_t k = 0; k <= crowd; k++) {
                box.pose.position = vec(3.0 * (double)k, -1, 0);
                box.contact_group = rows[i].of;
                box.contact_mask = rows[i].mask;
                add_collider(&t, &box);
            }
            trial_compile(&t);
            assert_int_equal(pliant_model_body(t.model, body).collider_mask, rows[i].colliders);
            const pliant_collider_def said = pliant_model_collider_at(t.model, (uint32_t)crowd, NULL);
            assert_int_equal(said.contact_group, rows[i].of);
            assert_int_equal(said.contact_mask, rows[i].mask);
            trial_run(&t, DT, 30);
            double x[3];
            point_of(&t, body, 4, x);
            if ((x[1] > -0.01) != rows[i].meet) fail_msg("row %zu, %zu more: it is at a height of %g m", i, crowd, x[1]);
            trial_end(&t);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(colliders_out_of_reach_change_nothing),
                                       cmocka_unit_test(a_tree_misses_no_swept_bound), cmocka_unit_test(what_is_kept_holds_for_a_step),
                                       cmocka_unit_test(a_bed_of_many_balls_holds_a_sheet), cmocka_unit_test(groups_say_what_meets_what)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
