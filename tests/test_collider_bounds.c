/* Laws of colliders where paths are cut: no particle with a cut path ends inside one; one that yields goes no further than what it pushes has room
 * for, is said to be behind, and catches up; one that does not is where it shall be; and all of it depends on no thread, width or solver. */
#include "crossings.h"
#include "more.h"
#include "trial.h"

#include "compile/model.h"
#include "solver/solver.h"
#include "state/state.h"

#define DT (1.0 / 60)
#define THICK 0.005 /* m, of sheets */
#define BALL 0.1
#define CELLS 10u

/* ---- how deep ---- */

/* How deep the deepest particle is in a collider where the state has it, m. */
static double deepest(const trial *w)
{
    double most = 0;
    for (size_t c = 0; c < model_count(w->model, colliders); c++) {
        const pliant__shape shape = pliant__shape_of(w->model, (uint32_t)c);
        for (size_t b = 0; b < model_count(w->model, bodies); b++) {
            const pliant__model_body *body = &w->model->bodies[b];
            for (uint32_t slot = body->first_slot; slot < body->first_slot + body->slot_count; slot++) {
                const pliant_vec3 x = pose_invert(w->state->colliders[c], pliant__slot_x(w->state->x, slot));
                if (w->state->x[4 * (size_t)slot + 3] == 0) continue;
                most = fmax(most, (double)pliant__shape_nearest(&shape, body->thickness + w->model->colliders[c].thickness, x).depth);
            }
        }
    }
    return most;
}

static size_t crossings_now(const trial *w)
{
    const pliant_model *m = w->model;
    const size_t        slots = m->header->slot_count, elements = model_count(m, element_body);
    double             *x = malloc(3 * slots * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < slots; i++)
        for (size_t k = 0; k < 3; k++) x[3 * i + k] = (double)w->state->x[4 * i + k];
    const size_t found = crossings(x, m->elements, elements, NULL, 0);
    free(x);
    return found;
}

/* What the solver said, added up over substeps. */
typedef struct said {
    double   deep, momentum;
    uint32_t held;
    size_t   crossed;
} said;

typedef struct watched {
    const trial *w;
    double       deep;
} watched;

static void watch_depth(void *context, const pliant_state *state, uint32_t part)
{
    watched *at = context;
    (void)part;
    assert_ptr_equal(state, at->w->state);
    at->deep = fmax(at->deep, deepest(at->w));
}

/* A step of as many parts as it has substeps, so that each is looked at. */
static void look_at_step(trial *w, said *s)
{
    watched at = {w, 0};
    assert_int_equal(pliant_solver_step_parts(w->solver, w->state, w->inputs, w->inputs->substeps, watch_depth, &at), PLIANT_OK);
    const pliant_statistics now = pliant_solver_statistics(w->solver);
    s->deep = fmax(s->deep, fmax(at.deep, deepest(w)));
    s->momentum += now.momentum_held;
    s->held += now.particles_held;
    s->crossed += crossings_now(w);
}

/* ---- a ball that is pushed into sheets ---- */

static pliant_body add_sheet(trial *w, double y, double velocity)
{
    pliant_cloth_def d = pliant_cloth_def_default();
    const uint32_t   corner[4] = {0, CELLS, CELLS * (CELLS + 1), CELLS * (CELLS + 2)};
    d.cells_x = d.cells_z = CELLS;
    d.size_x = d.size_z = R(0.4);
    d.material = plain_material();
    d.material.density = R(0.3);
    d.material.thickness = R(THICK);
    d.body.placement.position = vec(0, y, 0);
    d.body.velocity = vec(0, velocity, 0);
    d.body.self_contact = true;
    d.body.contact_mask = 1;
    const pliant_body body = pliant_scene_add_cloth(w->scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    assert_int_equal(pliant_scene_pin(w->scene, body, corner, 4, true, NULL), PLIANT_OK);
    return body;
}

typedef struct stack {
    trial           w;
    pliant_body     sheet[4];
    pliant_collider ball, floor;
} stack;

#define SHEETS 4

/* Sheets held at their corners, on each other and on a floor, and a ball that just touches them. */
static void begin_stack(stack *s, pliant_contact_bound bound, bool yields)
{
    pliant_collider_def d = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
    trial_begin(&s->w, 9.81, 10, 2);
    pliant_scene_destroy(s->w.scene);
    s->w.def.contact_bound = bound;
    trial_begin_def(&s->w);
    for (int i = 0; i < SHEETS; i++) s->sheet[i] = add_sheet(&s->w, THICK * (2 * i + 1), 0);
    s->floor = pliant_scene_add_floor(s->w.scene, 0, NULL);
    d.radius = R(BALL);
    d.yields = yields;
    d.pose.position.y = R(2 * SHEETS * THICK + BALL + 0.002);
    s->ball = add_collider(&s->w, &d);
    trial_compile(&s->w);
}

/* The ball is to go down at a speed, to a place far below the floor. */
static void push_ball(stack *s, uint32_t step, double speed)
{
    const double at = 2 * SHEETS * THICK + BALL + 0.002 - speed * DT * step;
    pliant_pose  pose = {vec(0, fmax(at, -0.3), 0), {0, 0, 0, 1}};
    assert_int_equal(pliant_inputs_reset(s->w.inputs, DT), PLIANT_OK);
    assert_int_equal(pliant_inputs_collider(s->w.inputs, s->ball, &pose), PLIANT_OK);
}

static double ball_height(const stack *s) { return (double)pliant_state_collider_pose(s->w.state, s->ball).position.y; }

#define TOLERANCE BOUND(1e-6, 1e-5) /* m */

/* Between sheets and a floor there is no room for a ball: it stops where they are pressed together, in none of them and with none in it, and is said to be as far
 * behind as it is. When the floor goes and they are let go it goes on to where it shall be. */
static void a_ball_stops_where_there_is_no_room(void **unused)
{
    (void)unused;
    static const pliant_contact_bound bounds[] = {PLIANT_CONTACT_BOUND_PATHS, PLIANT_CONTACT_BOUND_CONTINUOUS};
    static const double               speeds[] = {0.5, 2, 10};
    const bool                        all = takes_its_time();
    const uint32_t                    pushes = all ? 40 : 20;
    for (int i = 0; i < 6; i++) {
        stack  s;
        said   heard = {0};
        double lag = 0;
        if (!all && i % 3 % 2 != i / 3) continue; /* paths at 0.5 and 10 m/s, the other bound at 2 */
        begin_stack(&s, bounds[i / 3], true);
        for (uint32_t step = 1; step <= pushes; step++) {
            push_ball(&s, step, speeds[i % 3]);
            look_at_step(&s.w, &heard);
            const pliant_statistics now = pliant_solver_statistics(s.w.solver);
            lag = (double)now.collider_lag;
            assert_int_equal(now.colliders_held, lag > 0);
            near(lag, ball_height(&s) - fmax(2 * SHEETS * THICK + BALL + 0.002 - speeds[i % 3] * DT * step, -0.3), 1e-6);
        }
        print_message("    %g m/s: %u held, %.3g kg m/s; %.3g m behind, %.3g m deep, lowest point at %.4f\n", speeds[i % 3], heard.held,
                      heard.momentum, lag, heard.deep, ball_height(&s) - BALL);
        assert_int_equal(heard.crossed, 0);
        assert_true(heard.deep < TOLERANCE);
        assert_true(ball_height(&s) - BALL > 0);
        assert_true(lag > 0.1 && heard.held > 0 && heard.momentum > 0);
        const pliant_pose away = {vec(0, -50, 0), {0, 0, 0, 1}};
        const uint32_t    corner[4] = {0, CELLS, CELLS * (CELLS + 1), CELLS * (CELLS + 2)};
        for (int k = 0; k < SHEETS; k++)
            for (int j = 0; j < 4; j++) assert_int_equal(pliant_state_set_pinned(s.w.state, s.sheet[k], corner[j], false), PLIANT_OK);
        for (uint32_t step = 1; step <= 20; step++) {
            push_ball(&s, 10000, 1);
            if (step == 1) assert_int_equal(pliant_inputs_teleport_collider(s.w.inputs, s.floor, &away), PLIANT_OK);
            look_at_step(&s.w, &heard);
        }
        assert_int_equal(pliant_solver_statistics(s.w.solver).colliders_held, 0);
        assert_true(pliant_solver_statistics(s.w.solver).collider_lag == 0);
        assert_true(pliant_state_collider_pose(s.w.state, s.ball).position.y == R(-0.3));
        assert_int_equal(heard.crossed, 0);
        assert_true(heard.deep < TOLERANCE);
        trial_end(&s.w);
    }
}

/* One that does not yield is where it shall be to the bit, and presses what has no room into itself: the test above could see that. */
static void one_that_does_not_yield_is_where_it_shall_be(void **unused)
{
    (void)unused;
    stack s;
    said  heard = {0};
    begin_stack(&s, PLIANT_CONTACT_BOUND_PATHS, false);
    for (uint32_t step = 1; step <= 20; step++) {
        push_ball(&s, step, 2);
        look_at_step(&s.w, &heard);
        assert_true(ball_height(&s) == (double)R(fmax(2 * SHEETS * THICK + BALL + 0.002 - 2 * DT * step, -0.3)));
        assert_int_equal(pliant_solver_statistics(s.w.solver).colliders_held, 0);
    }
    print_message("    %u held, %.3g kg m/s; %.3g m deep\n", heard.held, heard.momentum, heard.deep);
    assert_int_equal(heard.crossed, 0);
    assert_true(heard.deep > 100 * TOLERANCE);
    trial_end(&s.w);
}

/* With room it is where it shall be to the bit, too. */
static void one_that_has_room_is_not_held(void **unused)
{
    (void)unused;
    stack s[2];
    for (int k = 0; k < 2; k++) begin_stack(&s[k], PLIANT_CONTACT_BOUND_PATHS, k == 1);
    for (uint32_t step = 1; step <= 30; step++)
        for (int k = 0; k < 2; k++) {
            push_ball(&s[k], step, -0.5);
            trial_step(&s[k].w);
            assert_int_equal(pliant_solver_statistics(s[k].w.solver).colliders_held, 0);
        }
    assert_memory_equal(s[0].w.state->x, s[1].w.state->x, 4 * s[0].w.model->header->slot_count * sizeof(pliant_real));
    assert_memory_equal(s[0].w.state->colliders, s[1].w.state->colliders, 2 * sizeof(pliant_pose));
    for (int k = 0; k < 2; k++) trial_end(&s[k].w);
}

/* ---- particles that meet no body ---- */

/* Between a floor and a press there is room for one particle and no more. */
static void a_press_stops_on_what_lies_on_a_floor(void **unused)
{
    (void)unused;
    static const double x[1][3] = {{0.1, 0, 0.2}};
    trial               w;
    double              at[3];
    trial_begin(&w, 9.81, 10, 1);
    const pliant_body   body = add_points(&w, 1, x, NULL, NULL, NULL);
    pliant_collider_def d = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    pliant_scene_add_floor(w.scene, 0, NULL);
    d.yields = true;
    d.pose = (pliant_pose){vec(0, 0.1, 0), {0, 0, 1, 0}};
    const pliant_collider press = add_collider(&w, &d);
    trial_compile(&w);
    for (int step = 1; step <= 20; step++) {
        const double wanted = 0.1 - step * DT;
        d.pose.position.y = R(wanted);
        assert_int_equal(pliant_inputs_reset(w.inputs, DT), PLIANT_OK);
        assert_int_equal(pliant_inputs_collider(w.inputs, press, &d.pose), PLIANT_OK);
        trial_step(&w);
        point_of(&w, body, 0, at);
        near(at[1], 0, 1e-6);
        near((double)pliant_state_collider_pose(w.state, press).position.y, fmax(wanted, 0), 1e-6);
        near((double)pliant_solver_statistics(w.solver).collider_lag, fmax(-wanted, 0), 1e-6);
    }
    trial_end(&w);
}

/* A box that cannot go on does not let in the particles that follow it. */
static void who_follows_what_is_held_stays_outside(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        static const double x[2][3] = {{0.1, 0, 0}, {-0.103, 0, 0.01}}, v[2][3] = {{0, 0, 0}, {2, 0, 0}};
        const pliant_quat   back = {0, 0, R(sqrt(0.5)), R(sqrt(0.5))}; /* +y to -x */
        trial               w;
        double              at[3];
        pliant_material     material = plain_material();
        trial_begin(&w, 0, 10, 1);
        const pliant_body   body = add_points(&w, 2, x, v, NULL, &material);
        pliant_collider_def wall = pliant_collider_def_default(PLIANT_SHAPE_PLANE), box = pliant_collider_def_default(PLIANT_SHAPE_BOX);
        wall.pose = (pliant_pose){vec(0.1, 0, 0), back};
        box.half_extent = vec(0.1, 0.1, 0.1);
        box.yields = k == 0;
        add_collider(&w, &wall);
        const pliant_collider moved = add_collider(&w, &box);
        trial_compile(&w);
        for (int step = 1; step <= 10; step++) {
            box.pose.position.x = R(2 * DT * step);
            assert_int_equal(pliant_inputs_reset(w.inputs, DT), PLIANT_OK);
            assert_int_equal(pliant_inputs_collider(w.inputs, moved, &box.pose), PLIANT_OK);
            trial_step(&w);
            point_of(&w, body, 1, at);
            if (k == 0) {
                assert_true(at[0] < -0.1 + TOLERANCE);
                assert_true(deepest(&w) < TOLERANCE);
            }
        }
        if (k == 1) assert_true(at[0] > 0); /* where the box was */
        trial_end(&w);
    }
}

/* ---- what is cut stays out of what stands still ---- */

/* Sheets and a jelly that fall onto a ball and a floor: what is cut there does not end inside them. */
static void who_is_cut_is_not_put_into_what_is_fixed(void **unused)
{
    (void)unused;
    static const pliant_contact_bound bounds[] = {PLIANT_CONTACT_BOUND_PATHS, PLIANT_CONTACT_BOUND_CONTINUOUS};
    for (size_t i = 0; i < 2; i++) {
        trial               w;
        said                heard = {0};
        pliant_cloth_def    d = pliant_cloth_def_default();
        pliant_soft_def     jelly = pliant_soft_def_default();
        pliant_collider_def ball = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
        trial_begin(&w, 9.81, 10, 1);
        pliant_scene_destroy(w.scene);
        w.def.contact_bound = bounds[i];
        trial_begin_def(&w);
        d.cells_x = d.cells_z = 14;
        d.size_x = d.size_z = R(0.9);
        d.material = jelly.material = plain_material();
        d.material.density = R(0.2);
        d.material.bend.compliance = R(1);
        d.material.thickness = jelly.material.thickness = R(THICK);
        d.body.self_contact = jelly.body.self_contact = true;
        d.body.contact_mask = jelly.body.contact_mask = 1;
        d.body.velocity = jelly.body.velocity = vec(0, -3, 0);
        for (int k = 0; k < 3; k++) {
            const double angle = TEST_PI / 16 * k;
            d.body.placement.position = vec(0, 0.46 + 0.04 * k, 0);
            d.body.placement.rotation = (pliant_quat){0, R(sin(angle)), 0, R(cos(angle))};
            assert_int_not_equal(pliant_scene_add_cloth(w.scene, &d, NULL).id, 0);
        }
        jelly.cells[0] = jelly.cells[1] = jelly.cells[2] = 3;
        jelly.extent = vec(0.2, 0.2, 0.2);
        jelly.material.density = 150;
        jelly.body.placement.position = vec(0, 0.7, 0);
        assert_int_not_equal(pliant_scene_add_soft(w.scene, &jelly, NULL).id, 0);
        pliant_scene_add_floor(w.scene, 0, NULL);
        ball.radius = R(0.25);
        ball.pose.position = vec(0, 0.18, 0);
        add_collider(&w, &ball);
        trial_compile(&w);
        for (uint32_t step = 0; step < 40; step++) {
            assert_int_equal(pliant_inputs_reset(w.inputs, DT), PLIANT_OK);
            look_at_step(&w, &heard);
        }
        print_message("    %u held, %.3g kg m/s; %.3g m deep\n", heard.held, heard.momentum, heard.deep);
        assert_int_equal(heard.crossed, 0);
        assert_true(heard.held > 0);
        assert_true(heard.deep < TOLERANCE);
        trial_end(&w);
    }
}

/* ---- the same bits ---- */

static void threads_and_solvers_do_not_matter(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t width, threads;
        bool     anew; /* the solver is thrown away after every step */
    } ways[] = {{1, 1, false}, {0, 2, false}, {4, 1, true}, {8, 2, true}};
    static const pliant_contact_bound bounds[] = {PLIANT_CONTACT_BOUND_PATHS, PLIANT_CONTACT_BOUND_CONTINUOUS};
    const uint32_t                    steps = takes_its_time() ? 30 : 6; /* it is held from the second on */
    for (size_t i = 0; i < 2; i++) {
        uint64_t hash = 0;
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
            stack             s;
            pliant_solver_def def = pliant_solver_def_default();
            pliant_error      error = {.code = PLIANT_OK};
            def.width = ways[k].width;
            def.threads = ways[k].threads;
            begin_stack(&s, bounds[i], true);
            pliant_solver *solver = pliant_solver_create(s.w.model, &def, &error);
            for (uint32_t step = 1; step <= steps && error.code != PLIANT_ERROR_UNAVAILABLE; step++) {
                assert_non_null(solver);
                push_ball(&s, step, 2);
                assert_int_equal(pliant_solver_step(solver, s.w.state, s.w.inputs), PLIANT_OK);
                if (!ways[k].anew) continue;
                pliant_solver_destroy(solver);
                solver = pliant_solver_create(s.w.model, &def, NULL);
            }
            const uint64_t now = error.code == PLIANT_ERROR_UNAVAILABLE ? hash : pliant_state_hash(s.w.state); /* a build of one width */
            if (k && now != hash) fail_msg("another hash with %u lanes and %u threads", ways[k].width, ways[k].threads);
            hash = now;
            pliant_solver_destroy(solver);
            trial_end(&s.w);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_stops_where_there_is_no_room),    cmocka_unit_test(one_that_does_not_yield_is_where_it_shall_be),
        cmocka_unit_test(one_that_has_room_is_not_held),          cmocka_unit_test(a_press_stops_on_what_lies_on_a_floor),
        cmocka_unit_test(who_follows_what_is_held_stays_outside), cmocka_unit_test(who_is_cut_is_not_put_into_what_is_fixed),
        cmocka_unit_test(threads_and_solvers_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
