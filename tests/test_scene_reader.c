/* Laws of the reader of scene files: everything that scene.h can say can be said; a mistake is refused with its line and its
 * place; the reader and the JSON Schema say the same. (tests/test_cli.sh has the long list of mistakes.) */
#include "io/files/words.h"
#include "io/scene/keys.h"
#include "pliant/io.h"
#include "scene/draft.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static pliant_scene_file read_good(const char *text)
{
    pliant_scene_file file;
    pliant_error      error = {0};
    if (pliant_scene_read_text(text, strlen(text), "test", NULL, NULL, &file, &error) != PLIANT_OK)
        fail_msg("line %d: %s", error.line, error.message);
    return file;
}

static pliant_error read_bad(const char *text)
{
    pliant_scene_file file;
    pliant_error      error = {0};
    assert_int_not_equal(pliant_scene_read_text(text, strlen(text), "test", NULL, NULL, &file, &error), PLIANT_OK);
    assert_null(file.scene);
    assert_int_equal(error.code, PLIANT_ERROR_INPUT);
    assert_string_equal(error.path, "test");
    assert_true(error.line > 0);
    assert_int_not_equal(pliant_scene_read_text(text, strlen(text), "test", NULL, NULL, &file, NULL),
                         PLIANT_OK); /* the error may be left out */
    return error;
}

#define near(a, b) assert_true(fabs((double)(a) - (double)(b)) <= 1e-6 * (1 + fabs((double)(b))))

/* ---- what can be said ---- */

/* A scene that says any of what a quality chooses has none; and whether it is tethered is then as said, too. */
static void a_quality_is_what_is_left_unsaid(void **state)
{
    (void)state;
    static const struct {
        const char    *solver;
        pliant_quality quality;
    } rows[] = {{"", PLIANT_QUALITY_GOOD},
                {"\"gravity\": [0, 0, 0], \"damping\": 1", PLIANT_QUALITY_GOOD},
                {"\"quality\": \"preview\"", PLIANT_QUALITY_PREVIEW},
                {"\"quality\": \"good\"", PLIANT_QUALITY_GOOD},
                {"\"quality\": \"final\"", PLIANT_QUALITY_FINAL},
                {"\"substeps\": 10", PLIANT_QUALITY_GIVEN},
                {"\"substep\": 0.001", PLIANT_QUALITY_GIVEN},
                {"\"iterations\": 1", PLIANT_QUALITY_GIVEN},
                {"\"method\": \"gauss_seidel\"", PLIANT_QUALITY_GIVEN},
                {"\"integration\": \"bdf2\"", PLIANT_QUALITY_GIVEN}};
    char text[256];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text,
                 "{\"pliant\": 1, \"solver\": {%s}, \"bodies\": [{\"type\": \"cloth\", \"cells\": [1, 1], \"tether\": 0}]}",
                 rows[i].solver);
        pliant_scene_file f = read_good(text);
        assert_int_equal(f.scene->settings.quality, rows[i].quality);
        assert_true(f.scene->bodies.data[0].tether < 0); /* none is none, whatever a quality would choose */
        pliant_scene_destroy(f.scene);
    }
    static const char *const beside[] = {"substeps\": 20", "substep\": 0.001", "iterations\": 1", "method\": \"jacobi\"",
                                         "integration\": \"bdf2\""};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        char key[64];
        snprintf(text, sizeof text, "{\"pliant\": 1, \"solver\": {\"%s, \"quality\": \"good\"}, \"bodies\": [{\"type\": \"cloth\"}]}",
                 beside[i]);
        const pliant_error error = read_bad(text);
        snprintf(key, sizeof key, "leave out \"%.*s\", or \"quality\"", (int)strcspn(beside[i], "\""), beside[i]);
        assert_non_null(strstr(error.message, "solver.quality: quality chooses substeps"));
        assert_non_null(strstr(error.message, key));
    }
}

static void defaults_are_as_documented(void **state)
{
    (void)state;
    pliant_scene_file f = read_good("{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [1, 1]}]}");
    pliant_scene_def *s = &f.scene->settings;
    assert_int_equal(f.frames, 240);
    assert_true(f.fps == 60);
    assert_int_equal(s->order, PLIANT_ORDER_COLOUR);
    assert_int_equal(s->quality, PLIANT_QUALITY_GOOD);
    near(s->gravity.y, -9.81);
    assert_string_equal(f.scene->bodies.data[0].name, "body1");
    pliant_scene_destroy(f.scene);
}

static void solver_settings_arrive(void **state)
{
    (void)state;
    pliant_scene_file f = read_good(
        "{\"pliant\": 1, \"frames\": 7, \"fps\": 23.976, \"solver\": {\"substeps\": 3, \"iterations\": 4, \"gravity\": [1, 2, 3], "
        "\"order\": \"given\", \"method\": \"gauss_seidel\", \"damping\": 0.5, \"drag\": 0.25, \"max_speed\": 99, "
        "\"on_divergence\": \"restore\", \"on_energy\": \"warn\", \"easing\": \"none\", \"contact_bound\": \"speed\"}, \"bodies\": "
        "[{\"type\": \"cloth\", "
        "\"cells\": [1, 1]}]}");
    pliant_scene_def *s = &f.scene->settings;
    assert_int_equal(f.frames, 7);
    assert_true(f.fps == 23.976);
    assert_int_equal(s->substeps, 3);
    assert_int_equal(s->iterations, 4);
    assert_int_equal(s->order, PLIANT_ORDER_GIVEN);
    assert_int_equal(s->on_divergence, PLIANT_DIVERGENCE_RESTORES);
    assert_int_equal(s->on_energy, PLIANT_ENERGY_WARNS);
    assert_int_equal(s->easing, PLIANT_EASING_NONE);
    assert_int_equal(s->contact_bound, PLIANT_CONTACT_BOUND_SPEED);
    near(s->gravity.z, 3);
    near(s->damping, 0.5);
    near(s->drag, 0.25);
    near(s->max_speed, 99);
    pliant_scene_destroy(f.scene);
    f = read_good(
        "{\"pliant\": 1, \"solver\": {\"contact_bound\": \"continuous\"}, \"bodies\": [{\"type\": \"cloth\", \"cells\": [1, 1]}]}");
    assert_int_equal(f.scene->settings.contact_bound, PLIANT_CONTACT_BOUND_CONTINUOUS);
    pliant_scene_destroy(f.scene);
}

static void materials_begin_with_a_preset_and_are_changed_key_by_key(void **state)
{
    (void)state;
    pliant_scene_file f =
        read_good("{\"pliant\": 1, \"materials\": {\"mine\": {\"preset\": \"denim\", \"stretch\": {\"damping\": 3}, \"friction\": "
                  "{\"static\": 0.7, \"dynamic\": 0.6}}},"
                  "\"bodies\": [{\"type\": \"cloth\", \"cells\": [2, 2], \"material\": \"mine\", \"stretch\": {\"limit\": \"range\", "
                  "\"range\": [0.9, 1.2]},"
                  "  \"density\": 0.3, \"thickness\": 0.02, \"restitution\": 0.5, \"drag\": 1, \"damping\": 2, \"air_drag\": 3, "
                  "\"air_lift\": 4, \"area\": true},"
                  "{\"type\": \"cloth\", \"cells\": [2, 2], \"material\": \"silk\", \"friction\": 0.2, \"shear\": {\"stiffness\": 0.4}},"
                  "{\"type\": \"cloth\", \"cells\": [2, 2], \"material\": {\"preset\": \"cotton\", \"bend\": {\"compliance\": 5}}, "
                  "\"bend\": {\"model\": \"distance\", \"damping\": 1}},"
                  "{\"type\": \"rope\", \"from\": [0, 0, 0], \"to\": [1, 0, 0], \"segments\": 2, \"rolling_friction\": 0.05}]}");
    const pliant_material *a = &f.scene->bodies.data[0].material, *b = &f.scene->bodies.data[1].material,
                          *c = &f.scene->bodies.data[2].material, *d = &f.scene->bodies.data[3].material;
    pliant_material denim = pliant_material_preset(PLIANT_DENIM);
    assert_string_equal(a->name, "mine");
    near(a->stretch.compliance, denim.stretch.compliance);
    near(a->stretch.damping, 3);
    assert_true(a->stretch.limited && a->stretch.limit == PLIANT_RANGE);
    near(a->stretch.range_max, 1.2);
    near(a->friction_static, 0.7);
    near(a->friction_dynamic, 0.6);
    near(a->density, 0.3);
    near(a->thickness, 0.02);
    near(a->restitution, 0.5);
    near(a->air_lift, 4);
    near(d->rolling_friction, 0.05);
    assert_true(a->has_area);
    assert_string_equal(b->name, "silk");
    near(b->friction_dynamic, 0.2);
    near(b->shear.stiffness, 0.4);
    near(b->shear.compliance, 0); /* PBD replaces the preset's XPBD */
    near(c->bend.compliance, 5);
    near(c->bend.damping, 1);
    pliant_scene_destroy(f.scene);
}

static void bodies_are_placed(void **state)
{
    (void)state;
    pliant_scene_file f = read_good(
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [1, 1], \"size\": [2, 2], \"position\": [10, 0, 0], \"scale\": [1, "
        "1, 3], "
        "\"rotation\": {\"axis\": [0, 0, 2], \"angle\": 90}, \"velocity\": [0, 0, 5]},"
        "{\"type\": \"rope\", \"points\": [[0, 0, 0], [1, 0, 0], [1, 1, 0]], \"masses\": [1, 2, 3], \"fixed\": true, \"bend\": \"none\"},"
        "{\"type\": \"rope\", \"from\": [0, 0, 0], \"to\": [3, 0, 0], \"segments\": 3, \"scale\": 2}]}");
    pliant_vec3 p = f.scene->particles.data[0].x; /* (-1, 0, -1), scaled, turned about z, moved */
    near(p.x, 10);
    near(p.y, -1);
    near(p.z, -3);
    near(f.scene->particles.data[0].v.z, 5);
    assert_int_equal(f.scene->particles.data[4].pin, PLIANT__ANCHOR);
    near(f.scene->particles.data[6].mass, 3);
    near(f.scene->particles.data[10].x.x, 6);
    pliant_scene_destroy(f.scene);
}

static void bodies_say_whom_they_meet(void **state)
{
    (void)state;
    pliant_scene_file f = read_good(
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [1, 1], \"thickness\": 0.01, \"self_contact\": true},"
        "{\"type\": \"rope\", \"points\": [[0, 3, 0], [1, 3, 0]], \"thickness\": 0.02, \"contact_group\": 4294967295, \"contact_mask\": 6},"
        "{\"type\": \"particles\", \"particles\": [{\"x\": [0, 5, 0]}], \"contact_group\": 0}]}");
    const pliant__draft_body *b = f.scene->bodies.data;
    pliant_error              error;
    pliant_model             *m = pliant_scene_compile(f.scene, &error);
    assert_true(b[0].self_contact && !b[1].self_contact && !b[2].self_contact);
    assert_int_equal(b[0].contact_group, 1);
    assert_int_equal(b[0].contact_mask, 0);
    assert_true(b[1].contact_group == UINT32_MAX && b[1].contact_mask == 6);
    assert_int_equal(b[2].contact_group, 0);
    assert_non_null(m);
    for (uint32_t i = 0; i < 3; i++) {
        const pliant_body_info info = pliant_model_body_at(m, i);
        assert_true(info.self_contact == b[i].self_contact && info.contact_group == b[i].contact_group &&
                    info.contact_mask == b[i].contact_mask);
    }
    pliant_model_destroy(m);
    pliant_scene_destroy(f.scene);
}

/* What is not said is as the default has it; the model knows all of it. */
static void looks_arrive(void **state)
{
    (void)state;
    pliant_scene_file f = read_good(
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [1, 1], \"look\": {\"color\": \"#c3f\", \"roughness\": 0.25, "
        "\"pattern\": \"dots\", \"pattern_size\": 0.5}},"
        "{\"type\": \"rope\", \"points\": [[0, 3, 0], [1, 3, 0]], \"look\": {\"color\": \"#01AbfE\"}},"
        "{\"type\": \"particles\", \"particles\": [{\"x\": [0, 5, 0]}]}]}");
    pliant_model *m = pliant_scene_compile(f.scene, NULL);
    assert_non_null(m);
    const pliant_look a = pliant_model_body_at(m, 0).look, b = pliant_model_body_at(m, 1).look, c = pliant_model_body_at(m, 2).look;
    assert_true(a.color == 0xcc33ff && a.pattern == PLIANT_PATTERN_DOTS && a.pattern_size == (pliant_real)0.5 &&
                a.roughness == (pliant_real)0.25);
    assert_true(b.color == 0x01abfe && b.pattern == PLIANT_PATTERN_PLAIN && b.pattern_size == 0 && b.roughness == -1);
    assert_true(c.color == PLIANT_COLOR_CHOSEN && c.pattern == PLIANT_PATTERN_PLAIN && c.roughness == -1);
    pliant_model_destroy(m);
    pliant_scene_destroy(f.scene);
}

static void colors_that_are_none_are_refused(void **state)
{
    static const char *const bad[] = {"\"red\"", "\"#12\"", "\"#12345g\"", "\"#1234567\"", "\"\"", "\"#\"", "17", "[1, 0, 0]"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char              text[300];
        pliant_scene_file f;
        pliant_error      error;
        snprintf(text, sizeof text, "{\"pliant\": 1, \"bodies\": [\n{\"type\": \"cloth\", \"cells\": [1, 1], \"look\": {\"color\": %s}}]}",
                 bad[i]);
        assert_int_not_equal(pliant_scene_read_text(text, strlen(text), "text", NULL, NULL, &f, &error), PLIANT_OK);
        assert_int_equal(error.line, 2);
        assert_non_null(strstr(error.message, "a color is"));
    }
}

#define TWO_AND_A_FLOOR                                                                           \
    "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"skirt\", \"cells\": [1, 1]}," \
    "{\"type\": \"rope\", \"name\": \"leg\", \"points\": [[0, 3, 0], [1, 3, 0]]}],"               \
    "\"colliders\": [{\"type\": \"plane\"}, {\"type\": \"plane\", \"name\": \"floor\"}],\n\"contact_pairs\": "

static void contact_pairs_arrive(void **state)
{
    (void)state;
    pliant_scene_file f = read_good(
        TWO_AND_A_FLOOR
        "[{\"a\": \"skirt\", \"b\": 1, \"friction\": {\"static\": 0.8, \"dynamic\": 0.5}, \"restitution\": 0.25, \"adhesion\": 0.5},"
        "{\"b\": \"leg\", \"a\": \"leg\", \"ignore\": true}, {\"a\": \"leg\", \"collider\": \"floor\", \"friction\": 0},"
        "{\"a\": \"skirt\", \"collider\": 0, \"restitution\": 1}]}");
    const pliant_contact_pair_def *p = f.scene->contact_pairs.data;
    assert_int_equal(f.scene->contact_pairs.count, 4);
    assert_true(p[0].body.id == 1 && p[0].other.id == 2 && !p[0].collider.id && !p[0].ignore);
    near(p[0].friction_static, 0.8);
    near(p[0].friction_dynamic, 0.5);
    near(p[0].restitution, 0.25);
    near(p[0].adhesion, 0.5);
    assert_true(p[1].body.id == 2 && p[1].other.id == 2 && p[1].ignore && p[1].friction_static == -1 && p[1].restitution == -1);
    assert_true(p[2].body.id == 2 && !p[2].other.id && p[2].collider.id == 2 && p[2].friction_static == 0 && p[2].friction_dynamic == 0);
    assert_true(p[3].body.id == 1 && p[3].collider.id == 1 && p[3].restitution == 1);
    pliant_scene_destroy(f.scene);
}

static void bad_contact_pairs_have_a_line(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"{}", "contact_pairs: must be a list"},
        {"[3]", "contact_pairs[0]: must be an object"},
        {"[{\"b\": \"leg\", \"ignore\": true}]", "contact_pairs[0]: \"a\" is missing"},
        {"[{\"a\": \"leg\", \"ignore\": true}]", "needs \"b\", a body, or \"collider\", and not both"},
        {"[{\"a\": \"leg\", \"b\": \"leg\", \"collider\": 0, \"ignore\": true}]", "needs \"b\", a body, or \"collider\", and not both"},
        {"[{\"a\": \"leg\", \"b\": \"skrit\", \"ignore\": true}]", "contact_pairs[0].b: no body is called skrit (did you mean skirt?)"},
        {"[{\"a\": 2, \"b\": \"leg\", \"ignore\": true}]", "contact_pairs[0].a: 2 is not a body: there are 2, from 0"},
        {"[{\"a\": \"leg\", \"collider\": \"flor\", \"ignore\": true}]", "no collider is called flor (did you mean floor?)"},
        {"[{\"a\": \"leg\", \"collider\": \"wall\", \"ignore\": true}]", "contact_pairs[0].collider: no collider is called wall"},
        {"[{\"a\": \"leg\", \"collider\": 2, \"ignore\": true}]", "contact_pairs[0].collider: 2 is not a collider: there are 2, from 0"},
        {"[{\"a\": \"leg\", \"b\": \"skirt\", \"friction\": -1}]", "contact_pairs[0].friction"},
        {"[{\"a\": \"leg\", \"b\": \"skirt\", \"restitution\": 2}]", "contact_pairs[0].restitution"},
        {"[{\"a\": \"leg\", \"b\": \"skirt\", \"adhesion\": -1}]", "contact_pairs[0].adhesion"},
        {"[{\"a\": \"leg\", \"collider\": \"floor\", \"adhesion\": 1}]", "give the body or the collider a thickness"},
        {"[{\"a\": \"leg\", \"b\": \"skirt\"}]", "a contact pair says nothing"},
        {"[{\"a\": \"leg\", \"b\": \"skirt\", \"ignore\": true, \"friction\": 1}]", "what ignores each other does not touch"},
        {"[{\"a\": \"leg\", \"b\": \"skirt\", \"frction\": 1}]", "unknown key (did you mean friction?)"},
        {"[{\"a\": \"leg\", \"b\": \"skirt\", \"ignore\": true}, {\"a\": \"skirt\", \"b\": \"leg\", \"friction\": 1}]",
         "contact_pairs[1]: these two are contact pair 0 already"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1024];
        snprintf(text, sizeof text, TWO_AND_A_FLOOR "%s}", rows[i][0]);
        const pliant_error e = read_bad(text);
        assert_int_equal(e.line, 2);
        if (!strstr(e.message, rows[i][1])) fail_msg("row %zu: %s", i, e.message);
    }
}

static void particles_have_masses_or_inverse_masses(void **state)
{
    (void)state;
    pliant_scene_file f = read_good(
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"particles\", \"velocity\": [1, 0, 0], \"particles\": [{\"x\": [0, 0, 0], \"w\": 0}, "
        "{\"x\": [1, 0, 0], \"mass\": 4}, {\"x\": [2, 0, 0], \"w\": 0.5, \"v\": [0, 7, 0]}, {\"x\": [3, 0, 0]}]}]}");
    pliant_error  error;
    pliant_model *m = pliant_scene_compile(f.scene, &error);
    pliant_state *s = pliant_state_create(m, &error);
    pliant_real   w[4];
    pliant_vec3   v[4];
    pliant_body   body = pliant_model_body_at(m, 0).body;
    pliant_state_inverse_masses(s, body, 0, 4, w);
    pliant_state_velocities(s, body, 0, 4, v);
    near(w[0], 0);
    near(w[1], 0.25);
    near(w[2], 0.5);
    near(w[3], 1);
    near(v[1].x, 1);
    near(v[2].y, 7);
    near(v[2].x, 0);
    pliant_state_destroy(s);
    pliant_model_destroy(m);
    pliant_scene_destroy(f.scene);
}

static void constraints_keep_their_order_and_numbers(void **state)
{
    (void)state;
    pliant_scene_file f = read_good("{\"pliant\": 1, \"bodies\": [{\"type\": \"particles\", \"name\": \"p\", \"particles\": [{\"x\": [0, "
                                    "0, 0]}, {\"x\": [1, 0, 0]}, {\"x\": [0, 2, 0]}, {\"x\": [0, 0, 3]}],"
                                    "\"constraints\": [{\"kind\": \"tet_volume\", \"ids\": [0, 1, 2, 3]}, {\"kind\": \"distance\", "
                                    "\"ids\": [0, 1], \"rest\": 1.25, \"stiffness\": 0.5},"
                                    "{\"kind\": \"point_triangle\", \"ids\": [3, 0, 1, 2], \"thickness\": 0.1}, {\"kind\": \"attachment\", "
                                    "\"ids\": [2], \"target\": [0, 2, 1], \"compliance\": 0.5}]}],"
                                    "\"constraints\": [{\"kind\": \"distance\", \"particles\": [[\"p\", 2], [0, 3]], \"limit\": "
                                    "\"at_most\", \"damping\": 2, \"compliance\": 1e-3}]}");
    const pliant__draft_constraint *c = f.scene->constraints.data;
    assert_int_equal(f.scene->constraints.count, 5);
    assert_int_equal(c[0].kind, PLIANT_CONSTRAINT_TET_VOLUME);
    near(c[0].parameters[0], 1);
    near(c[1].parameters[0], 1.25);
    near(f.scene->laws.data[c[1].law].law.stiffness, 0.5);
    near(c[2].parameters[0], 0.1);
    assert_int_equal(c[3].kind, PLIANT_CONSTRAINT_ATTACHMENT);
    near(f.scene->targets.data[0].x.z, 1);
    near(c[4].parameters[0], sqrt(13));
    assert_int_equal(f.scene->laws.data[c[4].law].law.limit, PLIANT_AT_MOST);
    near(f.scene->laws.data[c[4].law].law.damping, 2);
    pliant_scene_destroy(f.scene);
}

static void vertices_are_selected(void **state)
{
    (void)state;
    pliant_scene_file f =
        read_good("{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [2, 2], \"size\": [2, 2], \"position\": [0, 5, 0], "
                  "\"pins\": [0, {\"side\": \"+x+z\"}, "
                  "{\"nearest\": [0.1, 5.2, 0.1], \"releasable\": true}, {\"box\": [[-0.1, 4, -2], [0.1, 6, -0.5]]}, {\"vertices\": [3]}]},"
                  "{\"type\": \"cloth\", \"cells\": [1, 1], \"pins\": {\"all\": true}}]}");
    static const uint8_t pins[9] = {PLIANT__ANCHOR, PLIANT__ANCHOR, 0, PLIANT__ANCHOR, PLIANT__RELEASABLE, 0, 0, 0, PLIANT__ANCHOR};
    for (int i = 0; i < 9; i++) assert_int_equal(f.scene->particles.data[i].pin, pins[i]);
    for (int i = 9; i < 13; i++) assert_int_equal(f.scene->particles.data[i].pin, PLIANT__ANCHOR);
    pliant_scene_destroy(f.scene);
}

static void attachments_have_targets_and_keys(void **state)
{
    (void)state;
    pliant_scene_file f = read_good("{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [1, 1], \"size\": [2, 2], \"attach\": "
                                    "[{\"vertices\": [0], \"keys\": "
                                    "[{\"time\": 0, \"translate\": [0, 0, 0]}, {\"time\": 2, \"translate\": [0, 1, 0]}]},"
                                    "{\"vertices\": [1, 2], \"soft\": {\"compliance\": 0.25}, \"targets\": [[0, 0, 0], [1, 1, 1]], "
                                    "\"keys\": [{\"time\": 1, \"positions\": [[2, 2, 2], [3, 3, 3]]}]}]}]}");
    const pliant__draft_target *t = f.scene->targets.data;
    assert_int_equal(f.scene->targets.count, 3);
    assert_false(t[0].soft);
    assert_int_equal(t[0].key_count, 2);
    near(f.scene->target_key_positions.data[t[0].key_first + 1].y, 1);
    near(f.scene->target_key_positions.data[t[0].key_first + 1].x, -1);
    assert_true(t[1].soft && t[2].soft);
    near(t[2].x.y, 1);
    near(f.scene->target_key_positions.data[t[2].key_first].z, 3);
    pliant_scene_destroy(f.scene);
}

static void colliders_and_forces_arrive(void **state)
{
    (void)state;
    pliant_scene_file f =
        read_good("{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"c\", \"cells\": [1, 1]}], \"colliders\": ["
                  "{\"type\": \"plane\", \"normal\": [0, 1, 0], \"offset\": -2, \"stick\": true},"
                  "{\"type\": \"plane\", \"normal\": [2, 0, 0], \"offset\": 3}, {\"type\": \"plane\", \"normal\": [0, -1, 0]},"
                  "{\"type\": \"capsule\", \"name\": \"arm\", \"radius\": 0.5, \"half_height\": 2, \"friction\": {\"static\": 0.9, "
                  "\"dynamic\": 0.1}, \"restitution\": 0.7, "
                  "\"thickness\": 0.03, \"position\": [1, 2, 3], \"keys\": [{\"time\": 1}, {\"time\": 2, \"position\": [4, 5, 6]}, "
                  "{\"time\": 3, \"rotation\": [0, 2, 0, 0]}]},"
                  "{\"type\": \"box\", \"half_extent\": [1, 2, 3]}], \"forces\": [{\"type\": \"wind\", \"velocity\": [1, 2, 3], "
                  "\"air_density\": 1.5, \"body\": \"c\"},"
                  "{\"type\": \"acceleration\", \"vector\": [0, 0, 4]}, {\"type\": \"body\", \"vector\": [5, 0, 0], \"body\": 0}]}");
    const pliant__draft_collider *c = f.scene->colliders.data;
    assert_true(c[0].def.stick);
    near(c[0].def.pose.position.y, -2);
    assert_true(c[0].def.pose.rotation.w == 1 && c[0].def.pose.rotation.x == 0);
    near(c[1].def.pose.position.x, 3);
    near(c[1].def.pose.rotation.z, -sqrt(0.5)); /* turns +y to +x */
    near(c[1].def.pose.rotation.w, sqrt(0.5));
    near(c[2].def.pose.rotation.x, 1);
    assert_string_equal(c[3].def.name, "arm");
    near(c[3].def.friction_static, 0.9);
    near(c[3].def.friction_dynamic, 0.1);
    near(c[3].def.half_height, 2);
    assert_int_equal(c[3].key_count, 3);
    near(f.scene->collider_key_poses.data[c[3].key_first].position.z, 3);
    near(f.scene->collider_key_poses.data[c[3].key_first + 2].position.z, 6);
    near(f.scene->collider_key_poses.data[c[3].key_first + 2].rotation.y, 1);
    near(c[4].def.half_extent.z, 3);
    assert_int_equal(f.scene->forces.count, 3);
    assert_int_equal(f.scene->forces.data[0].def.body.id, 1);
    near(f.scene->forces.data[0].def.air_density, 1.5);
    near(f.scene->forces.data[1].def.vector.z, 4);
    assert_int_equal(f.scene->forces.data[1].def.body.id, 0);
    pliant_scene_destroy(f.scene);
}

static void colliders_of_triangles_and_heights_are_read(void **state)
{
    (void)state;
    pliant_scene_file f = read_good(
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"particles\", \"particles\": [{\"x\": [0, 0, 0]}]}], \"colliders\": ["
        "{\"type\": \"hull\", \"scale\": 2, \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]},"
        "{\"type\": \"mesh\", \"two_sided\": true, \"points\": [[0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]], "
        "\"triangles\": [[0, 1, 2], [3, 4, 5]]},"
        "{\"type\": \"height_field\", \"cell\": 0.5, \"heights\": [[1, 2, 3], [4, 5, 6]], \"friction\": 0.9, \"position\": [0, 1, 0]}]}");
    const pliant_scene           *s = f.scene;
    const pliant__draft_collider *c = s->colliders.data;
    assert_int_equal(c[0].point_count, 4); /* of the five one is inside */
    assert_int_equal(c[0].triangle_count, 4);
    near(s->collider_points.data[c[0].point_first + 1].x, 2);
    assert_int_equal(c[1].point_count, 4); /* of the six two are there twice */
    assert_int_equal(c[1].triangle_count, 2);
    assert_true(c[1].def.two_sided && !c[0].def.two_sided);
    assert_int_equal(c[2].number_count, 6);
    assert_int_equal(c[2].def.columns, 3);
    assert_int_equal(c[2].def.rows, 2);
    near(s->collider_numbers.data[c[2].number_first + 3], 4);
    near(c[2].def.cell, 0.5);
    near(c[2].def.friction_static, 0.9);
    pliant_scene_destroy(f.scene);
}

static void mistakes_in_them_have_a_sentence(void **state)
{
    (void)state;
    const struct {
        const char *collider, *message;
    } rows[] = {
        {"\"hull\"", "colliders[0]: a hull needs a \"mesh\" or \"points\""},
        {"\"hull\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]",
         "colliders[0]: a hull needs points that are not all in one plane; give a flat one some depth"},
        {"\"hull\", \"points\": [[0, 0, 0]], \"units\": \"cm\"", "colliders[0].units: the collider has no file that this could be said of"},
        {"\"hull\", \"points\": [[0, 0, 0]], \"up\": \"z\"", "colliders[0].up: the collider has no file that this could be said of"},
        {"\"hull\", \"points\": [[0, 0, 0]], \"triangles\": []", "colliders[0].triangles: unknown key"},
        {"\"hull\", \"points\": [[0, 0]]", "colliders[0].points[0]: "},
        {"\"hull\", \"points\": [[0, 0, 0]], \"scale\": 0", "colliders[0].scale: "},
        {"\"hull\", \"points\": [[1e30, 0, 0]], \"scale\": 1e30", sizeof(pliant_real) == 4
                                                                      ? "colliders[0].points: point 0, scaled, is not finite"
                                                                      : "colliders[0]: vertex 0 of the collider's mesh is farther"},
        {"\"hull\", \"mesh\": \"a.obj\", \"points\": []", "colliders[0].points: the collider has a \"mesh\" already"},
        {"\"hull\", \"mesh\": \"a.node\"", "colliders[0].mesh: a.node has tetrahedra; here a surface (.obj) is needed"},
        {"\"mesh\", \"points\": [[0, 0, 0]]", "colliders[0]: a mesh needs a \"mesh\", or \"points\" and \"triangles\""},
        {"\"mesh\", \"points\": [[0, 0, 0], [1, 0, 0]], \"triangles\": [[0, 1, 2]]", "colliders[0].triangles[0][2]: "},
        {"\"mesh\", \"points\": [[0, 0, 0], [1, 0, 0]], \"triangles\": [[0, 1]]",
         "colliders[0].triangles[0]: must be three numbers of points, not a list"},
        {"\"mesh\", \"points\": [[0, 0, 0], [1, 0, 0]], \"triangles\": [[0, 1, 1]]",
         "colliders[0]: the collider's mesh has no face with three places"},
        {"\"height_field\", \"cell\": 1", "colliders[0]: \"heights\" is missing"},
        {"\"height_field\", \"heights\": [[0, 0], [0, 0]]", "colliders[0]: \"cell\" is missing"},
        {"\"height_field\", \"cell\": 1, \"heights\": [[0, 0]]", "colliders[0].heights: "},
        {"\"height_field\", \"cell\": 1, \"heights\": [[0], [0]]", "colliders[0].heights[0]: "},
        {"\"height_field\", \"cell\": 1, \"heights\": [0, [0, 1]]", "colliders[0].heights[0]: "},
        {"\"height_field\", \"cell\": 1, \"heights\": [[0, 0], [0, 0, 0]]",
         "colliders[0].heights[1]: 3 heights in a row; the first row has 2"},
        {"\"height_field\", \"cell\": 1, \"heights\": [[0, 0], [0, 1e16]]", "colliders[0].heights[1][1]: "},
        {"\"height_field\", \"cell\": -1, \"heights\": [[0, 0], [0, 0]]", "colliders[0].cell: "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        snprintf(text, sizeof text, "{\"pliant\": 1, \"bodies\": [],\n\"colliders\": [{\"type\": %s}]}", rows[i].collider);
        pliant_error e = read_bad(text);
        assert_int_equal(e.line, 2);
        if (!strstr(e.message, rows[i].message)) fail_msg("%s: \"%s\" is not \"%s\"", rows[i].collider, e.message, rows[i].message);
    }
}

/* ---- cameras ---- */

static void a_camera_is_read_as_it_is_said(void **state)
{
    (void)state;
    static const char bodies[] =
        "\"bodies\": [{\"type\": \"cloth\", \"cells\": [1, 1]}, {\"type\": \"cloth\", \"name\": \"b\", \"cells\": [1, 1]}]";
    char text[512];
    snprintf(text, sizeof text,
             "{\"pliant\": 1, \"camera\": {\"eye\": [1, 2, 3], \"target\": [4, 5, 6], \"fov\": 20, \"follow\": \"b\"}, %s}", bodies);
    pliant_scene_file f = read_good(text);
    assert_true(f.camera.given && f.camera.placed && f.camera.follows);
    for (int a = 0; a < 3; a++) assert_true(f.camera.eye[a] == 1 + a && f.camera.target[a] == 4 + a);
    assert_true(f.camera.fov == 20 && f.camera.body.id == 2);
    pliant_scene_destroy(f.scene);
    snprintf(text, sizeof text, "{\"pliant\": 1, %s, \"camera\": {\"from\": \"top\"}}", bodies);
    f = read_good(text);
    assert_true(f.camera.given && !f.camera.placed && !f.camera.follows && f.camera.from == PLIANT_CAMERA_TOP);
    pliant_scene_destroy(f.scene);
    snprintf(text, sizeof text, "{\"pliant\": 1, %s}", bodies);
    f = read_good(text);
    assert_false(f.camera.given);
    pliant_scene_destroy(f.scene);
}

/* What a cloth says of its threads goes with its model, and with its material. */
static void threads_go_with_a_model_of_them(void **state)
{
    (void)state;
    static const struct {
        const char *cloth, *message;
    } rows[] = {
        {"\"cells\": [1, 1], \"model\": \"strain\"", "bodies[0]: a cloth of this model needs stretch_warp and shear_stiffness"},
        {"\"cells\": [1, 1], \"model\": \"stvk\", \"material\": \"legacy_silk\"", "the laws stretch and shear are of the model distance"},
        {"\"cells\": [1, 1], \"model\": \"strain\", \"material\": \"silk\", \"warp\": [1, 0, 0]",
         "bodies[0].warp: is said of a mesh; a grid's warp runs along its x"},
        {"\"cells\": [1, 1], \"warp\": [1, 0, 0]", "bodies[0].warp: goes with the model strain or stvk"},
        {"\"cells\": [1, 1], \"model\": \"strain\", \"stretch_warp\": 1000, \"shear_stiffness\": 20, \"young\": 1e5, \"poisson\": 0.3",
         "bodies[0].poisson: is of soft bodies; what cloth narrows by is its plane_poisson"},
        {"\"cells\": [1, 1], \"material\": \"silk\", \"plane_poisson\": 0.2", "plane_poisson is of the models strain and stvk"},
        {"\"cells\": [1, 1], \"plane_poisson\": 1", "bodies[0].plane_poisson"},
        {"\"cells\": [1, 1], \"model\": \"cotton\"", "bodies[0].model"},
        {"\"cells\": [1, 1], \"bending_rigidity\": [1e-5]", "bodies[0].bending_rigidity: must be a number, or a list of two"},
        {"\"cells\": [1, 1], \"bending_rigidity\": [1e-5, 0]", "bodies[0].bending_rigidity[1]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400];
        snprintf(text, sizeof text, "{\"pliant\": 1, \"bodies\": [\n{\"type\": \"cloth\", %s}]}", rows[i].cloth);
        const pliant_error e = read_bad(text);
        assert_int_equal(e.line, 2);
        if (!strstr(e.message, rows[i].message)) fail_msg("%s: \"%s\" is not \"%s\"", rows[i].cloth, e.message, rows[i].message);
    }
}

static void a_camera_that_shows_nothing_is_refused(void **state)
{
    (void)state;
    const struct {
        const char *camera, *message;
    } rows[] = {
        {"{\"eye\": [0, 0, 1]}", "camera: eye and target come together"},
        {"{\"target\": [0, 0, 1]}", "camera: eye and target come together"},
        {"{\"eye\": [0, 0, 1], \"target\": [0, 0, 1]}", "camera.target: the eye is there already"},
        {"{\"eye\": [1e-30, 0, 0], \"target\": [0, 0, 0]}", "camera.target: the eye is there already"},
        {"{\"eye\": [0, 0, 1], \"target\": [0, 0, 0], \"from\": \"top\"}", "camera.from: beside eye and target"},
        {"{\"eye\": [0, 0, 1e20], \"target\": [0, 0, 0]}", "camera.eye: 1e+20 is too far away"},
        {"{\"eye\": [0, 0, 1], \"target\": [0, 0, 0], \"fov\": 170}", "camera.fov: "},
        {"{\"fov\": 30}", "camera.fov: only with eye and target"},
        {"{\"from\": \"behind\"}", "camera.from: "},
        {"{\"follow\": \"shet\"}", "camera.follow: no body is called shet (did you mean sheet?)"},
        {"{\"follow\": 1}", "camera.follow: 1 is not a body"},
        {"{\"folow\": 0}", "camera.folow: unknown key (did you mean follow?)"},
        {"[]", "camera: "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"sheet\", \"cells\": [1, 1]}],\n\"camera\": %s}",
                 rows[i].camera);
        pliant_error e = read_bad(text);
        assert_int_equal(e.line, 2);
        if (!strstr(e.message, rows[i].message)) fail_msg("%s: \"%s\" is not \"%s\"", rows[i].camera, e.message, rows[i].message);
    }
}

/* JSON with tabs, without any space, with escapes, with a comment of YAML; and YAML. */
static void forms_of_json_and_yaml_are_taken(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"pliant\":1,\"frames\":5,\"bodies\":[{\"type\":\"cloth\",\"name\":\"\\u00e9\\n\",\"cells\":[1,1]}]}",
        "{\t\"pliant\"\t:\t1,\t\"frames\":5,\r\n\t\"bodies\": [\t{\"type\": \"cloth\",\t\"cells\": [1, 1]}\n]\t}\n",
        "# a scene\npliant: 1\nframes: 5\nbodies:\n- type: cloth\n  cells: [1, 1]\n",
    };
    for (size_t i = 1; i < sizeof texts / sizeof *texts; i++) {
        pliant_scene_file f = read_good(texts[i]);
        assert_int_equal(f.frames, 5);
        pliant_scene_destroy(f.scene);
    }
    assert_non_null(strstr(read_bad(texts[0]).message, "control characters"));
}

static void the_demo_is_embedded(void **state)
{
    (void)state;
    size_t            length;
    const char       *text = pliant_demo_scene(&length);
    pliant_scene_file f = read_good(text);
    assert_int_equal(strlen(text), length);
    assert_int_equal(f.frames, 240);
    pliant_scene_destroy(f.scene);
}

/* ---- mistakes ---- */

static void a_mistake_has_a_line_and_a_place(void **state)
{
    (void)state;
    pliant_error e = read_bad(
        "{\"pliant\": 1,\n \"bodies\": [\n  {\"type\": \"cloth\", \"cells\": [1, 1],\n   \"stretch\": {\n    \"complaince\": 1e-7}}]}");
    assert_int_equal(e.line, 5);
    assert_string_equal(e.message, "bodies[0].stretch.complaince: unknown key (did you mean compliance?)");
    e = read_bad("{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [1, 1], \"name\": \"x\",\n\"pins\": "
                 "[0,\n1,\n{\"vertices\": [2,\n7]}]}]}");
    assert_int_equal(e.line, 5);
    assert_string_equal(e.message, "bodies[0].pins[2].vertices[1]: 7 is not a vertex: the body has 4");
}

/* A key that is spelt well, and stands in the wrong place, is told where it belongs. */
static void an_unknown_key_is_told_where_it_is_known(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        {"\"forces\": [{\"type\": \"body\", \"vector\": [0, 0, 0], \"gust\": 2}]",
         "forces[0].gust: unknown key of a force on bodies; a wind has it"},
        {"\"substeps\": 3", "substeps: unknown key of the file itself; the solver has it"},
        {"\"solver\": {\"fps\": 3}", "solver.fps: unknown key of the solver; the file itself and keys from a cache have it"},
        {"\"colliders\": [{\"type\": \"sphere\", \"radius\": 1, \"stretch\": {}}]",
         "colliders[0].stretch: unknown key of a sphere; a material and a tear have it"},
        {"\"colliders\": [{\"type\": \"sphere\", \"radius\": 1, \"box\": []}]",
         "unknown key of a sphere; a selection, an acceleration and a wind have it"},
        {"\"colliders\": [{\"type\": \"plane\", \"radius\": 1}]",
         "unknown key of a plane; a sphere, a capsule, an acceleration and others have it"},
        {"\"solver\": {\"position\": [0, 0, 0]}",
         "unknown key of the solver; a body, a collider, a key of a collider or a frame and others have it"},
        {"\"solver\": {\"elasticity\": 1}", "solver.elasticity: unknown key"},
        {"\"solver\": {\"drug\": 1}", "solver.drug: unknown key (did you mean drag?)"},
        {"\"solver\": {\"velocity\": 1}", "solver.velocity: unknown key of the solver; a body, "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        snprintf(text, sizeof text, "{\"pliant\": 1, %s, \"bodies\": [{\"type\": \"cloth\", \"cells\": [1, 1]}]}", rows[i].text);
        const pliant_error e = read_bad(text);
        const size_t       length = strlen(e.message), wanted = strlen(rows[i].sentence);
        const bool         open = rows[i].sentence[wanted - 1] == ' ';
        if (!strstr(e.message, rows[i].sentence) || (!open && strcmp(e.message + length - wanted, rows[i].sentence) != 0))
            fail_msg("%s\ninstead of\n%s", e.message, rows[i].sentence);
    }
}

/* No two objects of a scene file are called alike, so that the sentence names one. */
static void objects_have_different_names(void **state)
{
    (void)state;
    for (size_t i = 0; pliant__schema_object(i); i++)
        for (size_t k = 0; k < i; k++) {
            char a[80], b[80];
            assert_string_not_equal(pliant__object_noun(pliant__schema_object(i), a, sizeof a),
                                    pliant__object_noun(pliant__schema_object(k), b, sizeof b));
        }
}

static void only_near_words_are_suggested(void **state)
{
    (void)state;
    static const char *const words[] = {"compliance", "stiffness", "damping", "x", "w", NULL};
    assert_string_equal(pliant__nearest_word("complaince", words), "compliance");
    assert_string_equal(pliant__nearest_word("dampening", words), "damping");
    assert_string_equal(pliant__nearest_word("Stiffness", words), "stiffness");
    assert_null(pliant__nearest_word("elasticity", words));
    assert_null(pliant__nearest_word("a-word-that-is-much-longer-than-any-key-could-ever-sensibly-be", words));
}

/* Every prefix and a good many damaged copies of a scene: an error or a scene, never anything else. */
static void damaged_files_do_no_harm(void **state)
{
    (void)state;
    size_t      length;
    const char *text = pliant_demo_scene(&length);
    char       *copy = malloc(length + 1);
    uint32_t    seed = 12345;
    assert_non_null(copy);
    for (size_t i = 0; i < length + 600; i++) {
        pliant_scene_file f;
        pliant_error      error = {0};
        size_t            n = i < length ? i : length;
        memcpy(copy, text, length);
        for (int k = 0; i >= length && k < 3; k++) {
            seed = seed * 1664525u + 1013904223u;
            copy[(seed >> 8) % length] = (char)(seed >> 3);
        }
        /* Damage that makes a grid of millions is not what this is about. */
        if (pliant_scene_read_text(copy, n, "damaged", NULL, NULL, &f, &error) == PLIANT_OK)
            pliant_scene_destroy(f.scene);
        else
            assert_true(*error.message && error.code != PLIANT_OK);
    }
    free(copy);
}

static void a_long_name_and_a_long_key_are_cut_not_overrun(void **state)
{
    (void)state;
    char text[4096], word[1000];
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = 0;
    snprintf(text, sizeof text, "{\"pliant\": 1, \"%s\": 1, \"bodies\": []}", word);
    assert_non_null(strstr(read_bad(text).message, "unknown key"));
    snprintf(text, sizeof text, "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [1, 1], \"name\": \"%s\"}]}", word);
    assert_non_null(strstr(read_bad(text).message, "63 bytes"));
    snprintf(text, sizeof text, "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [1, 1], \"mesh\": \"%s.obj\"}]}", word);
    read_bad(text);
}

/* An allocator that fails at the n-th request. */
static void *failing_alloc(size_t bytes, size_t align, void *context)
{
    int *left = context;
    if ((*left)-- <= 0) return NULL;
    return aligned_alloc(align < 64 ? 64 : align, (bytes + 63) / 64 * 64);
}

static void plain_release(void *memory, void *context)
{
    (void)context;
    free(memory);
}

static void running_out_of_memory_is_an_error(void **state)
{
    (void)state;
    size_t      length;
    const char *text = pliant_demo_scene(&length);
    int         n = 0;
    for (; n < 10000; n++) {
        int               left = n;
        pliant_scene_file f;
        pliant_error      error = {0};
        pliant_read_def   def = pliant_read_def_default();
        def.allocator = (pliant_allocator){failing_alloc, plain_release, &left, NULL};
        if (pliant_scene_read_text(text, length, "test", NULL, &def, &f, &error) == PLIANT_OK) {
            left = 1 << 30;
            pliant_scene_destroy(f.scene);
            break;
        }
        assert_int_equal(error.code, PLIANT_ERROR_MEMORY);
        assert_null(f.scene);
    }
    assert_true(n > 3 && n < 10000);
}

/* ---- the schema ---- */

static char *schema_text(void)
{
    size_t size = pliant_scene_schema(NULL, 0) + 1;
    char  *text = malloc(size);
    assert_non_null(text);
    assert_int_equal(pliant_scene_schema(text, size), size - 1);
    return text;
}

/* The schema is JSON, and its tree has every key of every table. */
static void the_schema_has_every_key(void **state)
{
    (void)state;
    static const struct {
        const char           *definition;
        const pliant__object *object;
    } pairs[] = {
        {"cloth", &pliant__cloth_object},
        {"soft", &pliant__soft_object},
        {"rope", &pliant__rope_object},
        {"particles", &pliant__particles_object},
        {"material", &pliant__material_object},
        {"law", &pliant__law_object},
        {"solver", &pliant__solver_object},
        {"pin", &pliant__pin_object},
        {"attachment", &pliant__attachment_object},
        {"plane", &pliant__plane_object},
        {"capsule", &pliant__capsule_object},
        {"hull", &pliant__hull_object},
        {"mesh", &pliant__mesh_object},
        {"distance_field", &pliant__distance_field_object},
        {"height_field", &pliant__height_field_object},
        {"wind", &pliant__wind_object},
    };
    pliant__tree tree;
    pliant_error error = {0};
    char        *text = schema_text();
    if (!pliant__tree_parse(&tree, text, strlen(text), "schema", NULL, &error)) fail_msg("line %d: %s", error.line, error.message);
    const pliant__node *definitions = pliant__node_get(tree.root, "$defs");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const pliant__node *properties = pliant__node_get(pliant__node_get(definitions, pairs[i].definition), "properties");
        assert_non_null(properties);
        uint32_t count = 0;
        for (const pliant__object *o = pairs[i].object; o; o = o->base)
            for (size_t k = 0; k < o->count; k++) {
                size_t offset;
                assert_non_null(pliant__node_get(properties, o->keys[k].name));
                count += pliant__key_find(pairs[i].object, o->keys[k].name, &offset) == &o->keys[k];
            }
        assert_int_equal(properties->count, count);
    }
    assert_int_equal(pliant__node_get(pliant__node_get(definitions, "constraint"), "oneOf")->count, PLIANT_CONSTRAINT_COUNT);
    pliant__tree_free(&tree);
    free(text);
}

/* Made by `pliant info --schema`; made again whenever a table changes. */
static void the_schema_in_docs_is_this_one(void **state)
{
    (void)state;
    char *text = schema_text();
    FILE *file = fopen(PLIANT_SOURCE_DIR "/docs/scene.schema.json", "rb");
    assert_non_null(file);
    char  *there = calloc(1, strlen(text) + 2);
    size_t got = fread(there, 1, strlen(text) + 1, file);
    fclose(file);
    assert_int_equal(got, strlen(text));
    assert_string_equal(there, text);
    free(there);
    free(text);
}

/* docs/scene-file.md names every key of every table. */
static void the_manual_names_every_key(void **state)
{
    (void)state;
    static const pliant__object *const objects[] = {
        &pliant__file_object,
        &pliant__solver_object,
        &pliant__law_object,
        &pliant__friction_object,
        &pliant__material_object,
        &pliant__bend_object,
        &pliant__cloth_object,
        &pliant__soft_object,
        &pliant__rope_object,
        &pliant__particles_object,
        &pliant__particle_object,
        &pliant__pin_object,
        &pliant__attachment_object,
        &pliant__target_key_object,
        &pliant__constraint_object,
        &pliant__between_object,
        &pliant__plane_object,
        &pliant__sphere_object,
        &pliant__capsule_object,
        &pliant__box_object,
        &pliant__hull_object,
        &pliant__mesh_object,
        &pliant__distance_field_object,
        &pliant__height_field_object,
        &pliant__pose_key_object,
        &pliant__acceleration_object,
        &pliant__body_force_object,
        &pliant__wind_object,
        &pliant__contact_pair_object,
    };
    FILE *file = fopen(PLIANT_SOURCE_DIR "/docs/scene-file.md", "rb");
    char *text = calloc(1, 1 << 16);
    assert_true(file && text && fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        for (const pliant__object *o = objects[i]; o; o = o->base)
            for (size_t k = 0; k < o->count; k++) {
                char ticked[80], quoted[80];
                snprintf(ticked, sizeof ticked, "`%.60s`", o->keys[k].name);
                snprintf(quoted, sizeof quoted, "\"%.60s\":", o->keys[k].name);
                if (!strstr(text, ticked) && !strstr(text, quoted)) fail_msg("%s is not in docs/scene-file.md", o->keys[k].name);
            }
    free(text);
}

static pliant_vec3 start_of(const pliant_scene *scene, uint32_t vertex)
{
    return scene->particles.data[scene->vertex_particle.data[vertex]].x;
}

/* As docs/scene-file.md says: cells of different numbers and sizes along each axis. */
static void lattices_and_grids_are_numbered_as_the_manual_says(void **state)
{
    (void)state;
    static const char *const said[] = {"number (k (ny + 1) + j) (nx + 1) + i", "number j (nx + 1) + i"};
    enum { NX = 2, NY = 3, NZ = 4 };
    pliant_scene_file f = read_good(
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"soft\", \"cells\": [2, 3, 4], \"size\": [4, 9, 16], \"pins\": {\"side\": \"+y\"}},"
        "{\"type\": \"cloth\", \"cells\": [2, 3], \"size\": [4, 9]}]}");
    for (uint32_t k = 0; k <= NZ; k++)
        for (uint32_t j = 0; j <= NY; j++)
            for (uint32_t i = 0; i <= NX; i++) {
                const uint32_t    v = (k * (NY + 1) + j) * (NX + 1) + i;
                const pliant_vec3 x = start_of(f.scene, v);
                near(x.x, 2.0 * i - 2);
                near(x.y, 3.0 * j - 4.5);
                near(x.z, 4.0 * k - 8);
                assert_int_equal(f.scene->particles.data[f.scene->vertex_particle.data[v]].pin, j == NY ? PLIANT__ANCHOR : PLIANT__FREE);
            }
    const uint32_t sheet = f.scene->bodies.data[1].first_vertex;
    assert_int_equal(sheet, (NX + 1) * (NY + 1) * (NZ + 1));
    for (uint32_t j = 0; j <= NY; j++)
        for (uint32_t i = 0; i <= NX; i++) {
            const pliant_vec3 x = start_of(f.scene, sheet + j * (NX + 1) + i);
            near(x.x, 2.0 * i - 2);
            near(x.z, 3.0 * j - 4.5);
        }
    pliant_scene_destroy(f.scene);
    FILE *file = fopen(PLIANT_SOURCE_DIR "/docs/scene-file.md", "rb");
    char *text = calloc(1, 1 << 16);
    assert_true(file && text && fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (!strstr(text, said[i])) fail_msg("the manual does not say: %s", said[i]);
    free(text);
}

static void count_notice(const char *text, void *context)
{
    assert_non_null(strstr(text, "test:2: bodies[0].constraints: 1 of 3 "));
    ++*(int *)context;
}

static void a_constraint_listed_twice_is_noticed(void **state)
{
    (void)state;
    static const char text[] =
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"particles\", \"particles\": [{\"x\": [0, 0, 0]}, {\"x\": [1, 0, 0]}],\n\"constraints\": "
        "["
        "{\"kind\": \"distance\", \"ids\": [0, 1]}, {\"kind\": \"tether\", \"ids\": [0, 1]}, {\"kind\": \"distance\", \"ids\": [1, 0]}]}]}";
    int               notices = 0;
    pliant_read_def   def = pliant_read_def_default();
    pliant_scene_file f;
    def.notice = count_notice;
    def.notice_context = &notices;
    assert_int_equal(pliant_scene_read_text(text, strlen(text), "test", NULL, &def, &f, NULL), PLIANT_OK);
    assert_int_equal(notices, 1);
    pliant_scene_destroy(f.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_as_documented),
        cmocka_unit_test(a_quality_is_what_is_left_unsaid),
        cmocka_unit_test(solver_settings_arrive),
        cmocka_unit_test(materials_begin_with_a_preset_and_are_changed_key_by_key),
        cmocka_unit_test(bodies_are_placed),
        cmocka_unit_test(bodies_say_whom_they_meet),
        cmocka_unit_test(looks_arrive),
        cmocka_unit_test(colors_that_are_none_are_refused),
        cmocka_unit_test(contact_pairs_arrive),
        cmocka_unit_test(bad_contact_pairs_have_a_line),
        cmocka_unit_test(particles_have_masses_or_inverse_masses),
        cmocka_unit_test(constraints_keep_their_order_and_numbers),
        cmocka_unit_test(vertices_are_selected),
        cmocka_unit_test(attachments_have_targets_and_keys),
        cmocka_unit_test(colliders_and_forces_arrive),
        cmocka_unit_test(forms_of_json_and_yaml_are_taken),
        cmocka_unit_test(colliders_of_triangles_and_heights_are_read),
        cmocka_unit_test(mistakes_in_them_have_a_sentence),
        cmocka_unit_test(a_camera_is_read_as_it_is_said),
        cmocka_unit_test(threads_go_with_a_model_of_them),
        cmocka_unit_test(a_camera_that_shows_nothing_is_refused),
        cmocka_unit_test(the_demo_is_embedded),
        cmocka_unit_test(a_mistake_has_a_line_and_a_place),
        cmocka_unit_test(an_unknown_key_is_told_where_it_is_known),
        cmocka_unit_test(objects_have_different_names),
        cmocka_unit_test(only_near_words_are_suggested),
        cmocka_unit_test(damaged_files_do_no_harm),
        cmocka_unit_test(a_long_name_and_a_long_key_are_cut_not_overrun),
        cmocka_unit_test(running_out_of_memory_is_an_error),
        cmocka_unit_test(the_schema_has_every_key),
        cmocka_unit_test(the_schema_in_docs_is_this_one),
        cmocka_unit_test(the_manual_names_every_key),
        cmocka_unit_test(lattices_and_grids_are_numbered_as_the_manual_says),
        cmocka_unit_test(a_constraint_listed_twice_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
