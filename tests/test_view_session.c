/* Laws of a session: it simulates as any caller of the library does, to the bit, also after going back; the user's actions enter the steps and
 * nothing else does; it can always be spoken to and always ends. */
#include "view/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char flag[] = PLIANT_SOURCE_DIR "/scenes/flag.json", net[] = PLIANT_SOURCE_DIR "/scenes/net.json";

/* The hash after so many frames of a scene that the user leaves alone. */
static uint64_t hash_at(const char *path, uint32_t frames)
{
    pliant_scene_file file;
    assert_int_equal(pliant_scene_read(path, NULL, &file, NULL), PLIANT_OK);
    pliant_model  *model = pliant_scene_compile(file.scene, NULL);
    pliant_solver *solver = pliant_solver_create(model, NULL, NULL);
    pliant_state  *state = pliant_state_create(model, NULL);
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    while (frames--) {
        pliant_inputs_reset(inputs, 1 / file.fps);
        assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
    }
    uint64_t hash = pliant_state_hash(state);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_solver_destroy(solver);
    pliant_model_destroy(model);
    pliant_scene_destroy(file.scene);
    return hash;
}

static view_session *open(const char *path)
{
    pliant_error  error = {PLIANT_OK, 0, "", ""};
    view_session *s = view_session_open(path, NULL, 2, NULL, &error);
    if (!s) print_error("%s\n", error.message);
    assert_non_null(s);
    return s;
}

static view_status status(view_session *s)
{
    view_status v;
    view_session_settle(s);
    view_session_status(s, &v);
    return v;
}

static void steps(view_session *s, uint32_t count)
{
    while (count--) view_session_command(s, VIEW_STEP, 0);
    view_session_settle(s);
}

static void stepping_is_the_run_and_going_back_changes_no_bit(void **unused)
{
    view_session  *s = open(net);
    const uint64_t at40 = hash_at(net, 40), at45 = hash_at(net, 45);
    (void)unused;
    assert_int_equal(status(s).frame, 0);
    assert_int_equal(status(s).hash, hash_at(net, 0));
    steps(s, 45);
    assert_int_equal(status(s).frame, 45);
    assert_int_equal(status(s).hash, at45);
    view_session_command(s, VIEW_SEEK, 40);
    view_status back = status(s);
    assert_int_equal(back.frame, 40);
    assert_int_equal(back.last, 45);
    assert_int_equal(back.hash, at40);
    steps(s, 5);
    assert_int_equal(status(s).hash, at45);
    for (int i = 0; i < 5; i++) view_session_command(s, VIEW_BACK, 0);
    assert_int_equal(status(s).hash, at40);
    view_session_command(s, VIEW_SEEK, 3);
    steps(s, 1);
    assert_int_equal(status(s).last, 4); /* what came after is forgotten */
    view_session_command(s, VIEW_RESET, 0);
    assert_int_equal(status(s).frame, 0);
    assert_int_equal(status(s).last, 0);
    steps(s, 40);
    assert_int_equal(status(s).hash, at40);
    view_session_close(s);
}

static void playing_goes_on_by_itself_until_paused(void **unused)
{
    view_session *s = open(flag);
    view_status   v;
    (void)unused;
    view_controls c = {.speed = 0};
    view_session_control(s, &c);
    view_session_command(s, VIEW_PLAY, 0);
    do view_session_status(s, &v);
    while (v.frame < 12);
    assert_true(v.playing);
    view_session_command(s, VIEW_PAUSE, 0);
    v = status(s);
    assert_false(v.playing);
    assert_int_equal(status(s).frame, v.frame);
    assert_int_equal(v.hash, hash_at(flag, v.frame));
    assert_int_equal(v.curve_count, v.frame < VIEW_CURVE ? v.frame : VIEW_CURVE);
    view_session_close(s);
}

/* The scene says 3 frames. */
static void playing_ends_with_the_scene_or_begins_again(void **unused)
{
    static const char text[] =
        "{\"pliant\": 1, \"frames\": 3, \"bodies\": [{\"type\": \"rope\", \"from\": [0, 1, 0], \"to\": [1, 1, 0], \"segments\": 3}]}";
    view_session *s = view_session_open("text", text, 1, NULL, NULL);
    view_controls c = {.speed = 0};
    view_status   v;
    (void)unused;
    assert_non_null(s);
    view_session_control(s, &c);
    view_session_command(s, VIEW_PLAY, 0);
    do view_session_status(s, &v);
    while (v.playing);
    assert_int_equal(v.frame, 3);
    const uint64_t end = v.hash;
    view_session_command(s, VIEW_PLAY, 0); /* and from there on for good */
    do view_session_status(s, &v);
    while (v.frame < 8);
    assert_true(v.playing);
    c.loop = true; /* past the end it goes back, too */
    view_session_control(s, &c);
    do view_session_status(s, &v);
    while (v.frame > 3);
    for (int backs = 0, last = 0; backs < 3; last = (int)v.frame) {
        view_session_status(s, &v);
        backs += (int)v.frame < last;
        assert_true(v.frame <= 3);
    }
    assert_true(v.playing);
    view_session_command(s, VIEW_PAUSE, 0);
    view_session_command(s, VIEW_SEEK, 0);
    steps(s, 3);
    assert_int_equal(status(s).hash, end); /* the same to the bit in every round */
    view_session_close(s);
}

/* Nor is a loop of no frames a standstill. */
static void a_scene_without_frames_plays_on(void **unused)
{
    static const char text[] =
        "{\"pliant\": 1, \"frames\": 0, \"bodies\": [{\"type\": \"rope\", \"from\": [0, 1, 0], \"to\": [1, 1, 0], \"segments\": 3}]}";
    (void)unused;
    for (int loop = 0; loop < 2; loop++) {
        view_session *s = view_session_open("text", text, 1, NULL, NULL);
        view_controls c = {.speed = 0, .loop = loop};
        view_status   v;
        assert_non_null(s);
        view_session_control(s, &c);
        view_session_command(s, VIEW_PLAY, 0);
        do view_session_status(s, &v);
        while (v.frame < 5);
        assert_true(v.playing);
        view_session_close(s);
    }
}

static void energies_are_drawn_when_asked_for_and_change_no_bit(void **unused)
{
    view_session *s = open(net);
    view_controls c = {.speed = 1, .energy = true};
    (void)unused;
    steps(s, 3);
    assert_int_equal(status(s).energy_count, 0);
    view_session_control(s, &c);
    steps(s, 12);
    view_status v = status(s);
    assert_int_equal(v.hash, hash_at(net, 15));
    assert_int_equal(v.energy_count, 12);
    assert_true(v.curve_energy[VIEW_KINETIC][11] > 0);
    assert_true(v.curve_energy[VIEW_TOTAL][11] ==
                (float)(v.statistics.energy.kinetic + v.statistics.energy.gravity + v.statistics.energy.elastic));
    for (int i = 0; i < 240; i++) view_session_command(s, VIEW_STEP, 0);
    v = status(s);
    assert_int_equal(v.energy_count, VIEW_CURVE);
    assert_true(v.curve_energy[VIEW_GRAVITY][VIEW_CURVE - 1] == (float)v.statistics.energy.gravity);
    c.energy = false;
    view_session_control(s, &c);
    steps(s, 1);
    v = status(s);
    assert_true(v.energy_count == 0 && v.statistics.energy.kinetic == 0);
    view_session_close(s);
}

static void a_frame_is_the_state_that_the_status_tells(void **unused)
{
    view_session *s = open(flag);
    bool          fresh;
    (void)unused;
    steps(s, 7);
    const draw_frame *f = view_session_frame(s, &fresh);
    assert_true(fresh);
    assert_int_equal(f->number, 7);
    assert_non_null(f->points);
    assert_true(f->vertex_count > 0);
    assert_ptr_equal(view_session_frame(s, &fresh), f);
    assert_false(fresh);
    view_controls c = {.speed = 1, .show = DRAW_VELOCITIES};
    view_session_control(s, &c);
    view_session_settle(s);
    f = view_session_frame(s, &fresh); /* another overlay, without a step */
    assert_true(fresh && f->line_count > 0 && f->number == 7);
    view_session_close(s);
}

/* How far the vertex that is grabbed is from where it is drawn to, after some steps. */
static float grabbed(bool grab)
{
    view_session     *s = open(flag);
    const pliant_body body = pliant_model_body_at(view_session_model(s), 0).body;
    view_controls c = {.speed = 1, .grabbing = grab, .grab_body = body, .grab_vertex = 200, .grab_target = {1, 2, 3}, .grab_compliance = 0};
    view_session_control(s, &c);
    steps(s, 30);
    const draw_frame *f = view_session_frame(s, NULL);
    float             off = f3_length(f3_sub(f->points[200], f3_of(1, 2, 3)));
    view_session_close(s);
    return off;
}

static void a_grab_draws_its_vertex(void **unused)
{
    (void)unused;
    assert_true(grabbed(true) < 0.4f * grabbed(false));
}

/* What fills a body and how stiff its clusters are, likewise; and groups that there are none of are left alone. */
static void groups_that_are_set_enter_the_steps(void **unused)
{
    static const char text[] = "{\"pliant\": 1, \"bodies\": [{\"type\": \"soft\", \"cells\": [3, 3, 3], \"size\": [0.3, 0.3, 0.3], "
                               "\"model\": \"shape_matching\", \"shape\": {\"linear\": {\"young\": 1e4}}, \"pressure\": {\"gas\": 0}}], "
                               "\"colliders\": [{\"type\": \"plane\", \"position\": [0, -0.2, 0]}]}";
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    view_session     *s = view_session_open("cube.json", text, 1, NULL, &error);
    const double      numbers[2] = {300, 3e5};
    (void)unused;
    if (!s) fail_msg("%s", error.message);
    assert_int_equal(pliant_model_group_count(view_session_model(s)), 2);
    steps(s, 12);
    const uint64_t plain = status(s).hash;
    for (uint32_t i = 0; i < 3; i++) {
        view_session_command(s, VIEW_RESET, 0);
        view_session_group(s, i, &numbers[i % 2]);
        steps(s, 12);
        assert_true((status(s).hash == plain) == (i == 2));
        view_session_group(s, i, NULL);
        view_session_command(s, VIEW_RESET, 0);
        steps(s, 12);
        assert_int_equal(status(s).hash, plain);
    }
    view_session_close(s);
    assert_int_equal(pliant_model_group(NULL, 0).body.id, 0);
}

/* Each control in turn: the run is another one while it holds, and the scene's own again when it is taken back. */
static void what_is_set_enters_the_steps_and_what_is_taken_back_leaves_them(void **unused)
{
    const uint64_t plain = hash_at(net, 41);
    const uint64_t plain_flag = hash_at(flag, 5);
    view_session  *s = open(net), *t = open(flag);
    (void)unused;
    for (int what = 0; what < 5; what++) {
        view_controls c = {.speed = 1};
        pliant_law    law = pliant_model_law(view_session_model(s), 0).law;
        pliant_pose   pose = {{0, 1, 0}, {0, 0, 0, 1}};
        pliant_vec3   wind = {0, 5, 0};
        law.compliance *= 3;
        view_session_command(s, VIEW_RESET, 0);
        view_session_command(t, VIEW_RESET, 0);
        if (what == 0) c.gravity_set = true, c.gravity.y = -1;
        if (what == 1) c.substeps = 7;
        view_session_control(s, &c);
        if (what == 2) view_session_law(s, 0, &law);
        if (what == 3) view_session_collider(s, 0, &pose);
        if (what == 4) view_session_force(t, 0, &wind);
        steps(s, 41);
        steps(t, 5);
        assert_true((status(s).hash == plain) == (what == 4));
        assert_true((status(t).hash == plain_flag) == (what != 4));
        c = (view_controls){.speed = 1};
        view_session_control(s, &c);
        view_session_law(s, 0, NULL);
        view_session_collider(s, 0, NULL);
        view_session_force(t, 0, NULL);
        view_session_command(s, VIEW_RESET, 0);
        view_session_command(t, VIEW_RESET, 0);
        steps(s, 41);
        steps(t, 5);
        assert_int_equal(status(s).hash, plain);
        assert_int_equal(status(t).hash, plain_flag);
    }
    view_session_close(s);
    view_session_close(t);
}

static void a_full_past_keeps_its_ends(void **unused)
{
    view_session *s = open(flag);
    (void)unused;
    view_session_limit(s, 24);
    steps(s, 50);
    assert_int_equal(status(s).last, 50);
    view_session_command(s, VIEW_SEEK, 50);
    assert_int_equal(status(s).hash, hash_at(flag, 50));
    view_session_command(s, VIEW_SEEK, 45); /* the nearest before that is kept */
    view_status v = status(s);
    assert_true(v.frame > 0 && v.frame <= 45);
    assert_int_equal(v.hash, hash_at(flag, v.frame));
    view_session_command(s, VIEW_SEEK, 0);
    assert_int_equal(status(s).hash, hash_at(flag, 0));
    view_session_close(s);
}

static void the_last_word_counts(void **unused)
{
    view_session *s = open(net);
    (void)unused;
    for (int i = 0; i < 40; i++) view_session_command(s, VIEW_STEP, 0);
    view_session_command(s, VIEW_PAUSE, 0);
    view_session_command(s, VIEW_RESET, 0);
    assert_int_equal(status(s).frame, 0);
    view_session_command(s, VIEW_STEP, 0);
    view_session_command(s, VIEW_BACK, 0);
    assert_int_equal(status(s).frame, 0);
    view_session_limit(s, 0); /* the least that there is */
    steps(s, 20);
    assert_int_equal(status(s).last, 20);
    view_session_close(s);
}

/* The solver's contacts are those of the frame it came to last; another frame is shown without. */
static void contacts_are_those_of_the_frame(void **unused)
{
    view_session *s = open(net);
    (void)unused;
    view_controls c = {.speed = 1, .show = DRAW_CONTACTS};
    view_session_control(s, &c);
    steps(s, 45);
    assert_true(view_session_frame(s, NULL)->line_count > 0);
    view_session_command(s, VIEW_SEEK, 5);
    view_session_settle(s);
    const draw_frame *f = view_session_frame(s, NULL);
    assert_true(f->number == 5 && f->line_count == 0);
    steps(s, 40);
    assert_true(view_session_frame(s, NULL)->line_count > 0);
    view_session_close(s);
}

static void a_clock_that_was_slow_does_not_stay_slow(void **unused)
{
    view_session *s = open(flag);
    view_controls c = {.speed = 1e-6};
    view_status   v;
    (void)unused;
    view_session_control(s, &c);
    view_session_command(s, VIEW_PLAY, 0);
    do view_session_status(s, &v);
    while (v.frame < 1);
    c.speed = 1;
    view_session_control(s, &c);
    do view_session_status(s, &v);
    while (v.frame < 4); /* or the test never ends */
    view_session_close(s);
}

static void what_diverges_stops_and_says_so(void **unused)
{
    static const char text[] =
        "{\"pliant\": 1, \"solver\": {\"max_speed\": 2}, \"bodies\": [{\"type\": \"particles\", \"name\": \"stone\", "
        "\"particles\": [{\"x\": [0, 0, 0]}]}]}";
    view_session *s = view_session_open("text", text, 1, NULL, NULL);
    (void)unused;
    assert_non_null(s);
    view_controls c = {.speed = 0};
    view_status   v;
    view_session_control(s, &c);
    for (int i = 0; i < 200; i++) { /* stopped and the reason why are seen in one moment, however often one looks */
        view_session_command(s, VIEW_PLAY, 0);
        do view_session_status(s, &v);
        while (v.playing);
        assert_non_null(strstr(v.message, "stone"));
        assert_true(v.frame > 5 && v.frame < 20);
        view_session_command(s, VIEW_RESET, 0);
        v = status(s);
        assert_true(v.frame == 0 && !*v.message);
    }
    view_session_close(s);
}

static void what_cannot_be_opened_is_an_error(void **unused)
{
    pliant_error error = {PLIANT_OK, 0, "", ""};
    (void)unused;
    assert_null(view_session_open("nothing.json", NULL, 1, NULL, &error));
    assert_int_not_equal(error.code, PLIANT_OK);
    assert_null(view_session_open("text", "{\"pliant\": 1, \"bodies\": 3}", 1, NULL, &error));
    assert_non_null(strstr(error.message, "bodies"));
    view_session_close(NULL);
    view_session *s = open(flag); /* closed while it plays */
    view_session_command(s, VIEW_PLAY, 0);
    view_session_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stepping_is_the_run_and_going_back_changes_no_bit),
        cmocka_unit_test(playing_goes_on_by_itself_until_paused),
        cmocka_unit_test(playing_ends_with_the_scene_or_begins_again),
        cmocka_unit_test(a_scene_without_frames_plays_on),
        cmocka_unit_test(energies_are_drawn_when_asked_for_and_change_no_bit),
        cmocka_unit_test(a_frame_is_the_state_that_the_status_tells),
        cmocka_unit_test(a_grab_draws_its_vertex),
        cmocka_unit_test(groups_that_are_set_enter_the_steps),
        cmocka_unit_test(what_is_set_enters_the_steps_and_what_is_taken_back_leaves_them),
        cmocka_unit_test(a_full_past_keeps_its_ends),
        cmocka_unit_test(the_last_word_counts),
        cmocka_unit_test(contacts_are_those_of_the_frame),
        cmocka_unit_test(a_clock_that_was_slow_does_not_stay_slow),
        cmocka_unit_test(what_diverges_stops_and_says_so),
        cmocka_unit_test(what_cannot_be_opened_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
