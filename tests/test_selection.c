/* Laws of choosing vertices: wherever a scene file names vertices, every way of choosing them is taken and means the same; what chooses nothing says how
 * near it came; constraints pair two selections. */
#include "files.h"

#include "io/scene/keys.h"
#include "io/scene/nearest.h"
#include "pliant/io.h"
#include "scene/draft.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define R(a) ((pliant_real)(a))

/* Nine vertices of a sheet, 1 m apart, row by row along x; the first row is red and the group "hem", the last vertex nearly so. */
static const char sheet_obj[] = "o sheet\nv 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 2 0 0 1 0 0\nv 0 0 1 0 1 0\nv 1 0 1 0 1 0\nv 2 0 1 0 1 0\nv 0 0 "
                                "2 0 0 1\nv 1 0 2 0 0 1\nv 2 0 2 0.9 0.1 0\n"
                                "g hem left\nf 1 2 5 4\ng right hem\nf -8 -7 -4 -5\ng rest\nf 4 5 8 7\nf 5 6 9 8\n";

/* An example of each way, and what it chooses of the sheet. */
static const struct way {
    const char *key, *says;
    uint32_t    count, vertices[9];
} ways[] = {
    {"vertices", "\"vertices\": [7, 3]", 2, {7, 3}},
    {"box", "\"box\": [[0.5, -1, -1], [3, 1, 0.5]]", 2, {1, 2}},
    {"sphere", "\"sphere\": {\"center\": [0, 0, 0], \"radius\": 1.1}", 3, {0, 1, 3}},
    {"nearest", "\"nearest\": [1.9, 4, 0.9]", 1, {5}},
    {"side", "\"side\": \"+x\"", 3, {2, 5, 8}},
    {"side", "\"side\": \"+x-z\"", 1, {2}},
    {"group", "\"group\": \"rest\"", 6, {3, 4, 5, 6, 7, 8}},
    {"group", "\"group\": \"hem\"", 6, {0, 1, 2, 3, 4, 5}},
    {"group", "\"group\": \"left\"", 4, {0, 1, 3, 4}},
    {"group", "\"group\": \"sheet\"", 9, {0, 1, 2, 3, 4, 5, 6, 7, 8}},
    {"color", "\"color\": \"#00ff00\"", 3, {3, 4, 5}},
    {"color", "\"color\": {\"like\": \"#FF0000\", \"tolerance\": 0.05}", 3, {0, 1, 2}},
    {"color", "\"color\": \"#ff0000\"", 4, {0, 1, 2, 8}},
    {"color", "\"color\": {\"channel\": \"blue\"}", 2, {6, 7}},
    {"color", "\"color\": {\"channel\": \"red\", \"least\": 0.5, \"most\": 0.95}", 1, {8}},
    {"all", "\"all\": true", 9, {0, 1, 2, 3, 4, 5, 6, 7, 8}},
};

/* Where vertices are named: what stands behind the body's own keys, and behind its end; @ is the selection. `one`: exactly one is taken. */
static const struct place {
    const char *name, *in_body, *behind;
    bool        one;
} places[] = {
    {"pins", ", \"pins\": [{@, \"releasable\": true}]", "", false},
    {"the only pin", ", \"pins\": {@}", "", false},
    {"attach", ", \"attach\": [{@, \"keys\": [{\"time\": 0, \"translate\": [0, 0, 0]}]}]", "", false},
    {"soft attach", ", \"attach\": [{@, \"soft\": {\"compliance\": 0.1}}]", "", false},
    {"skin", ", \"skin\": {@, \"max_distance\": 0.25}", "", false},
    {"max_distance", ", \"skin\": {\"max_distance\": [{@, \"value\": 0.5}]}", "", false},
    {"backstop",
     ", \"skin\": {\"backstop\": {\"radius\": [{\"all\": true, \"value\": 0.1}, {@, \"value\": 0.5}], \"offset\": [{@, \"value\": 0.1}]}}",
     "", false},
    {"masses", ", \"spin\": [1, 2, 3], \"masses\": [{@, \"value\": 0.125}]", "", false},
    {"a", ", \"constraints\": [{\"kind\": \"distance\", \"a\": {@}, \"b\": {\"vertices\": [0, 8]}}]", "", false},
    {"b",
     ", \"constraints\": [{\"kind\": \"tether\", \"a\": {\"all\": true}, \"b\": {\"vertices\": [0, 8]}},"
     "{\"kind\": \"distance\", \"a\": {\"vertices\": [1, 4]}, \"b\": {@}, \"rest\": 0.5}]",
     "", false},
    {"ids", ", \"constraints\": [{\"kind\": \"distance\", \"ids\": [{@}, 0]}]", "", true},
    {"particles", "", ", \"constraints\": [{\"kind\": \"distance\", \"particles\": [[\"dot\", 0], [\"sheet\", {@}]]}]", true},
    {"a between", "", ", \"constraints\": [{\"kind\": \"distance\", \"a\": {\"body\": \"sheet\", @}, \"b\": {\"body\": 1, \"all\": true}}]",
     false},
};

static void put_scene(char *out, size_t size, const struct place *p, const char *says)
{
    char        text[2048];
    const char *half;
    snprintf(text, sizeof text,
             "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"sheet\", \"mesh\": \"sheet.obj\"%s},\n"
             "{\"type\": \"particles\", \"name\": \"dot\", \"particles\": [{\"x\": [5, 5, 5]}, {\"x\": [0, 5, 0]}]}]%s}",
             p->in_body, p->behind);
    *out = 0;
    for (const char *at = text; *at; at = half) {
        half = strchr(at, '@');
        if (!half) half = at + strlen(at);
        const size_t length = strlen(out);
        snprintf(out + length, size - length, "%.*s%s", (int)(half - at), at, *half ? says : "");
        half += *half != 0;
    }
}

static pliant_scene_file read_good(const char *text)
{
    pliant_scene_file file;
    pliant_error      error = {0};
    if (pliant_scene_read_text(text, strlen(text), "test", NULL, NULL, &file, &error) != PLIANT_OK)
        fail_msg("%s\nline %d: %s", text, error.line, error.message);
    return file;
}

static uint64_t hash_of(const char *text)
{
    pliant_scene_file f = read_good(text);
    pliant_error      error = {0};
    pliant_model     *m = pliant_scene_compile(f.scene, &error);
    if (!m) fail_msg("%s\n%s", text, error.message);
    pliant_state  *s = pliant_state_create(m, &error);
    const uint64_t hash = pliant_model_hash(m) ^ pliant_state_hash(s) << 1;
    pliant_state_destroy(s);
    pliant_model_destroy(m);
    pliant_scene_destroy(f.scene);
    return hash;
}

static void expect(const char *text, int line, const char *sentence)
{
    pliant_scene_file f;
    pliant_error      error = {0};
    if (pliant_scene_read_text(text, strlen(text), "test", NULL, NULL, &f, &error) == PLIANT_OK) fail_msg("taken: %s", text);
    if (!strstr(error.message, sentence)) fail_msg("%s\ninstead of\n%s", error.message, sentence);
    assert_int_equal(error.line, line);
}

static void every_place_takes_every_way_and_it_means_the_same(void **state)
{
    (void)state;
    write_text("sheet.obj", sheet_obj);
    for (size_t k = 0; k < pliant__selection_object.count; k++) {
        size_t found = 0;
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) found += !strcmp(ways[i].key, pliant__selection_object.keys[k].name);
        if (!found) fail_msg("no example of %s", pliant__selection_object.keys[k].name);
    }
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            char   chosen[4096], numbered[4096], numbers[128] = "\"vertices\": [";
            size_t at = strlen(numbers);
            for (uint32_t k = 0; k < ways[i].count; k++)
                at += (size_t)snprintf(numbers + at, sizeof numbers - at, "%s%u", k ? ", " : "", ways[i].vertices[k]);
            snprintf(numbers + at, sizeof numbers - at, "]");
            put_scene(chosen, sizeof chosen, &places[p], ways[i].says);
            put_scene(numbered, sizeof numbered, &places[p], numbers);
            if (places[p].one && ways[i].count > 1)
                expect(chosen, places[p].behind[0] ? 2 : 1, "vertices, where one is needed");
            else if (hash_of(chosen) != hash_of(numbered))
                fail_msg("%s: %s is not %s", places[p].name, ways[i].says, numbers);
        }
}

/* The law above holds where selections count for nothing, too: what is chosen is what is pinned. */
static void what_is_chosen_is_what_is_meant(void **state)
{
    (void)state;
    write_text("sheet.obj", sheet_obj);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char text[4096];
        bool pinned[9] = {false};
        for (uint32_t k = 0; k < ways[i].count; k++) pinned[ways[i].vertices[k]] = true;
        put_scene(text, sizeof text, &places[1], ways[i].says);
        pliant_scene_file f = read_good(text);
        for (int v = 0; v < 9; v++) assert_int_equal(f.scene->particles.data[v].pin, pinned[v] ? PLIANT__ANCHOR : PLIANT__FREE);
        pliant_scene_destroy(f.scene);
    }
}

static void what_chooses_nothing_says_how_near_it_came(void **state)
{
    (void)state;
    static const struct {
        const char *says, *sentence;
    } rows[] = {
        {"\"box\": [[3, 0, 4], [4, 1, 5]]", "no vertex starts in this box; the nearest is vertex 8, 2.24 m from it"},
        {"\"sphere\": {\"center\": [-2, 0, 1], \"radius\": 0.5}",
         "no vertex starts in this sphere; the nearest is vertex 3, 1.5 m from it"},
        {"\"side\": \"+x-x\"", "no vertex is outermost in all of these at once; the nearest is vertex 1, 1.41 m from there"},
        {"\"group\": \"hen\"", "the mesh has no group hen (did you mean hem?)"},
        {"\"group\": \"sleeve\"", "the mesh has no group sleeve (known are sheet, hem, left, right, rest)"},
        {"\"color\": \"#808080\"", "no vertex has such a colour; the nearest is vertex 0, with 1 0 0 1"},
        {"\"color\": {\"channel\": \"alpha\", \"most\": 0.75}", "no vertex has such a colour; the nearest is vertex 0, with 1 0 0 1"},
        {"\"color\": \"red\"", "a colour is six digits of 16, such as \"#ff0000\""},
        {"\"color\": {\"like\": \"#ff0000\", \"channel\": \"red\"}", "needs \"like\" and its \"tolerance\", or a \"channel\""},
        {"\"color\": {\"channel\": \"red\", \"tolerance\": 1}", "needs \"like\" and its \"tolerance\", or a \"channel\""},
        {"\"color\": {\"channel\": \"red\", \"least\": 0.5, \"most\": 0.25}", "the least is more than the most"},
        {"\"releasable\": true", "needs one of \"vertices\", \"box\", \"sphere\", \"nearest\", \"side\", \"group\", \"color\" and \"all\""},
        {"\"side\": \"+x\", \"group\": \"hem\"", "not several"},
    };
    char text[4096];
    write_text("sheet.obj", sheet_obj);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put_scene(text, sizeof text, &places[1], rows[i].says);
        expect(text, 1, rows[i].sentence);
    }
    expect("{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [1, 1], \"pins\": {\"group\": \"hem\"}}]}", 1,
           "the body has no mesh with groups");
    expect("{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [1, 1], \"pins\": {\"color\": \"#ff0000\"}}]}", 1,
           "the body has no mesh with colours");
}

/* ---- pairs ---- */

typedef struct pair {
    uint32_t a, b;
} pair;

static void expect_pairs(const char *entry, const pair *pairs, size_t count)
{
    char         text[4096];
    struct place p = {"", text, "", false};
    char         scene[8192];
    snprintf(text, sizeof text, ", \"weld\": false, \"constraints\": [%s]", entry);
    put_scene(scene, sizeof scene, &p, "");
    pliant_scene_file f = read_good(scene);
    size_t            found = 0;
    for (size_t i = 0; i < f.scene->constraints.count; i++) {
        const pliant__draft_constraint *c = &f.scene->constraints.data[i];
        if (c->kind != PLIANT_CONSTRAINT_TETHER) continue;
        assert_true(found < count);
        assert_int_equal(c->particles[0], pairs[found].a);
        assert_int_equal(c->particles[1], pairs[found].b);
        found++;
    }
    assert_int_equal(found, count);
    pliant_scene_destroy(f.scene);
}

static void constraints_pair_the_nearest_or_in_order(void **state)
{
    (void)state;
    write_text("sheet.obj", sheet_obj);
    /* Each of a with the nearest of b, itself left out; the same pair once. */
    expect_pairs("{\"kind\": \"tether\", \"a\": {\"side\": \"-z\"}, \"b\": {\"side\": \"+z\"}}", (pair[]){{0, 6}, {1, 7}, {2, 8}}, 3);
    expect_pairs("{\"kind\": \"tether\", \"pair\": \"nearest\", \"a\": {\"vertices\": [8, 0]}, \"b\": {\"vertices\": [2, 6, 4]}}",
                 (pair[]){{8, 4}, {0, 4}}, 2);
    expect_pairs("{\"kind\": \"tether\", \"a\": {\"side\": \"-z\"}, \"b\": {\"side\": \"-z\"}}", (pair[]){{0, 1}, {2, 1}}, 2);
    expect_pairs("{\"kind\": \"tether\", \"pair\": \"order\", \"a\": {\"vertices\": [8, 0]}, \"b\": {\"vertices\": [2, 6]}}",
                 (pair[]){{8, 2}, {0, 6}}, 2);
    expect_pairs("{\"kind\": \"tether\", \"pair\": \"order\", \"a\": {\"side\": \"-z\"}, \"b\": {\"side\": \"+x\"}, \"rest\": 1}",
                 (pair[]){{0, 2}, {1, 5}, {2, 8}}, 0 + 3);
}

/* Vertices 1 and 4 lie in one place: one particle, and one pair with vertex 0. */
static void welded_vertices_are_paired_once(void **state)
{
    (void)state;
    write_text("seam.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\nf 1 2 3\nf 5 4 3\n");
    for (int turned = 0; turned < 2; turned++) {
        char   scene[1024];
        size_t found = 0;
        snprintf(scene, sizeof scene,
                 "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"mesh\": \"seam.obj\", \"constraints\": [{\"kind\": \"tether\", "
                 "\"%s\": {\"vertices\": [1, 4]}, \"%s\": {\"vertices\": [0]}}]}]}",
                 turned ? "b" : "a", turned ? "a" : "b");
        pliant_scene_file f = read_good(scene);
        for (size_t i = 0; i < f.scene->constraints.count; i++) found += f.scene->constraints.data[i].kind == PLIANT_CONSTRAINT_TETHER;
        assert_int_equal(found, 1);
        pliant_scene_destroy(f.scene);
    }
}

/* Whichever plane points lie in, and of points that are as near the first. */
static void the_nearest_point_is_that_of_a_walk_over_all(void **state)
{
    enum { MANY = 200 };
    pliant_vec3          x[MANY];
    uint32_t             group[MANY];
    pliant__sorted_point order[MANY];
    (void)state;
    for (int plane = 0; plane < 3; plane++) {
        pliant__points_sorted s = {.x = x, .group = group, .count = MANY, .order = order};
        for (int i = 0; i < MANY; i++) {
            const pliant_real a = R(i * 37 % 50), b = R(i * 53 % 41), c = R(i % 3 * 0.1);
            x[i] = plane == 0 ? (pliant_vec3){c, a, b} : plane == 1 ? (pliant_vec3){a, c, b} : (pliant_vec3){b, a, c};
            group[i] = (uint32_t)i % 5;
        }
        pliant__points_sort(&s);
        assert_int_equal(s.axis, plane == 0 ? 1 : plane == 1 ? 0 : 1);
        for (int q = 0; q < 60; q++) {
            const pliant_vec3 at = {R(q * 7 % 53 - 1.5), R(q * 11 % 43 - 1), R(q * 13 % 29)};
            double            least = HUGE_VAL;
            uint32_t          best = UINT32_MAX;
            for (uint32_t i = 0; i < MANY; i++) {
                const double dx = (double)x[i].x - (double)at.x, dy = (double)x[i].y - (double)at.y, dz = (double)x[i].z - (double)at.z,
                             d = dx * dx + dy * dy + dz * dz;
                if (group[i] == 2 || !(d < least)) continue;
                least = d;
                best = i;
            }
            assert_int_equal(pliant__points_nearest(&s, at, 2), best);
        }
    }
}

static void rest_lengths_of_pairs_are_measured_or_said(void **state)
{
    (void)state;
    char               scene[4096];
    const struct place p = {"", ", \"constraints\": [{\"kind\": \"tether\", \"a\": {\"side\": \"-z\"}, \"b\": {\"vertices\": [6]}@}]", "",
                            false};
    for (int said = 0; said < 2; said++) {
        const double measured[3] = {2, sqrt(5), sqrt(8)};
        write_text("sheet.obj", sheet_obj);
        put_scene(scene, sizeof scene, &p, said ? ", \"rest\": 0.25, \"compliance\": 0.5" : "");
        pliant_scene_file f = read_good(scene);
        size_t            found = 0;
        for (size_t i = 0; i < f.scene->constraints.count; i++) {
            const pliant__draft_constraint *c = &f.scene->constraints.data[i];
            if (c->kind != PLIANT_CONSTRAINT_TETHER) continue;
            assert_true(fabs((double)c->parameters[0] - (said ? 0.25 : measured[found])) < 1e-6);
            assert_true(fabs((double)f.scene->laws.data[c->law].law.compliance - (said ? 0.5 : 0)) < 1e-6);
            found++;
        }
        assert_int_equal(found, 3);
        pliant_scene_destroy(f.scene);
    }
}

static void mistakes_in_pairs_have_a_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *entry, *sentence;
    } rows[] = {
        {"{\"kind\": \"distance\", \"a\": {\"side\": \"+x\"}}", "\"b\" is missing"},
        {"{\"kind\": \"distance\"}", "\"ids\" is missing, or \"a\" and \"b\""},
        {"{\"kind\": \"triangle_area\"}", "\"ids\" is missing"},
        {"{\"kind\": \"distance\", \"a\": {\"side\": \"+x\"}, \"b\": {\"side\": \"-x\"}, \"ids\": [0, 1]}", "stand instead of \"ids\""},
        {"{\"kind\": \"triangle_area\", \"a\": {\"side\": \"+x\"}, \"b\": {\"side\": \"-x\"}}", "triangle_area is between 3 vertices"},
        {"{\"kind\": \"distance\", \"pair\": \"order\", \"ids\": [0, 1]}", "\"a\" and \"b\" are paired, and neither is there"},
        {"{\"kind\": \"distance\", \"pair\": \"order\", \"a\": {\"side\": \"+x\"}, \"b\": {\"vertices\": [0]}}",
         "a chooses 3 vertices and b 1"},
        {"{\"kind\": \"distance\", \"pair\": \"order\", \"a\": {\"side\": \"+x\"}, \"b\": {\"side\": \"+x\"}}",
         "vertex 2 would be paired with itself"},
        {"{\"kind\": \"distance\", \"a\": {\"vertices\": [3]}, \"b\": {\"vertices\": [3]}}",
         "vertex 3 of a has none in b to be paired with but itself"},
        {"{\"kind\": \"distance\", \"pair\": \"ordr\", \"a\": {\"side\": \"+x\"}, \"b\": {\"side\": \"-x\"}}", "did you mean order?"},
        {"{\"kind\": \"attachment\", \"a\": {\"side\": \"+x\"}, \"b\": {\"side\": \"-x\"}, \"target\": [0, 0, 0]}",
         "stand instead of \"target\""},
    };
    char scene[4096];
    write_text("sheet.obj", sheet_obj);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char               in_body[1024];
        const struct place p = {"", in_body, "", false};
        snprintf(in_body, sizeof in_body, ", \"constraints\": [\n%s]", rows[i].entry);
        put_scene(scene, sizeof scene, &p, "");
        expect(scene, 2, rows[i].sentence);
    }
}

/* ---- numbers of vertices ---- */

static void later_values_count_over_earlier_ones(void **state)
{
    (void)state;
    char               scene[4096];
    const struct place p = {
        "", ", \"masses\": [{\"all\": true, \"value\": 2}, {\"side\": \"-z\", \"value\": 3}, {\"vertices\": [0], \"value\": 4}]", "",
        false};
    write_text("sheet.obj", sheet_obj);
    put_scene(scene, sizeof scene, &p, "");
    pliant_scene_file   f = read_good(scene);
    static const double mass[9] = {4, 3, 3, 2, 2, 2, 2, 2, 2};
    for (int v = 0; v < 9; v++) assert_true(f.scene->particles.data[v].mass == mass[v]);
    pliant_scene_destroy(f.scene);
}

/* Vertices that are named nowhere weigh what density makes of them; and a body that is turned goes on turning about its centre of mass. */
static void vertices_without_a_value_weigh_by_density(void **state)
{
    (void)state;
    char               scene[4096];
    const struct place with = {"", ", \"spin\": [0, 1, 0], \"masses\": [{\"vertices\": [8], \"value\": 100}]", "", false},
                       without = {"", "", "", false};
    write_text("sheet.obj", sheet_obj);
    put_scene(scene, sizeof scene, &without, "");
    pliant_scene_file f = read_good(scene);
    put_scene(scene, sizeof scene, &with, "");
    pliant_scene_file g = read_good(scene);
    double            momentum[3] = {0, 0, 0}, size = 0;
    for (int v = 0; v < 9; v++) {
        const pliant__draft_particle *p = &f.scene->particles.data[v], *q = &g.scene->particles.data[v];
        assert_true(v == 8 ? q->mass == 100 : q->mass == p->mass);
        const double m[3] = {q->mass * (double)q->v.x, q->mass * (double)q->v.y, q->mass * (double)q->v.z};
        for (int k = 0; k < 3; k++) momentum[k] += m[k], size += fabs(m[k]);
    }
    for (int k = 0; k < 3; k++) assert_true(fabs(momentum[k]) < 1e-5 * size);
    pliant_scene_destroy(f.scene);
    pliant_scene_destroy(g.scene);
}

static void masses_of_vertices_that_there_are_not_are_refused(void **state)
{
    (void)state;
    pliant_scene     *scene = pliant_scene_create(NULL, NULL);
    pliant_cloth_def  def = pliant_cloth_def_default();
    pliant_error      e = {0};
    const uint32_t    vertices[2] = {0, 4};
    const pliant_real good[2] = {1, 1}, none[2] = {0, 1};
    def.cells_x = def.cells_z = 1;
    const pliant_body body = pliant_scene_add_cloth(scene, &def, &e);
    const double      before = scene->particles.data[0].mass;
    assert_int_equal(pliant_scene_set_masses(scene, body, vertices, good, 2, &e), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_scene_set_masses(scene, body, vertices, none, 1, &e), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_scene_set_masses(scene, (pliant_body){7}, vertices, good, 1, &e), PLIANT_ERROR_ARGUMENT);
    assert_true(scene->particles.data[0].mass == before);
    assert_int_equal(pliant_scene_set_masses(scene, body, vertices, good, 1, &e), PLIANT_OK);
    assert_true(scene->particles.data[0].mass == 1);
    pliant_scene_destroy(scene);
}

/* ---- what meshes say ---- */

static const char ply[] =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\n"
    "property uchar green\nproperty uchar blue\nproperty float nx\nproperty float waist\nelement face 1\n"
    "property list uchar int vertex_indices\nend_header\n"
    "0 0 0 255 0 0 9 0\n1 0 0 0 51 0 9 0.25\n1 0 1 0 0 255 9 -1\n0 0 1 0 0 0 9 1\n4 0 1 2 3\n";

static void a_ply_has_colours_and_its_other_numbers_are_groups(void **state)
{
    (void)state;
    pliant_mesh  m;
    pliant_error e = {0};
    write_text("quad.ply", ply);
    assert_int_equal(pliant_mesh_load("quad.ply", &m, &e), PLIANT_OK);
    assert_non_null(m.colors);
    assert_true(m.colors[0] == 1 && m.colors[1] == 0 && m.colors[3] == 1 && m.colors[10] == 1);
    assert_true(fabs((double)m.colors[5] - 0.2) < 1e-6);
    assert_int_equal(m.group_count, 1);
    assert_string_equal(m.groups[0].name, "waist");
    assert_int_equal(m.groups[0].vertex_count, 2);
    assert_int_equal(m.groups[0].vertices[0], 1);
    assert_int_equal(m.groups[0].vertices[1], 3);
    pliant_mesh_free(&m);
}

static void an_obj_has_a_colour_where_three_numbers_follow(void **state)
{
    (void)state;
    pliant_mesh  m;
    pliant_error e = {0};
    write_text("some.obj", "v 0 0 0\nv 1 0 0 0.5 0 2\nv 0 1 0 1\nf 1 2 3\n");
    assert_int_equal(pliant_mesh_load("some.obj", &m, &e), PLIANT_OK);
    static const float colors[12] = {1, 1, 1, 1, 0.5F, 0, 1, 1, 1, 1, 1, 1};
    assert_non_null(m.colors);
    for (int i = 0; i < 12; i++) assert_true(m.colors[i] == colors[i]);
    assert_int_equal(m.group_count, 0);
    pliant_mesh_free(&m);
    write_text("none.obj", "v 0 0 0 1\nv 1 0 0 # 0.5 0 2\nv 0 1 0\nf 1 2 3\n");
    assert_int_equal(pliant_mesh_load("none.obj", &m, &e), PLIANT_OK);
    assert_null(m.colors);
    pliant_mesh_free(&m);
}

static void a_group_that_is_opened_often_is_one(void **state)
{
    (void)state;
    pliant_mesh  m;
    pliant_error e = {0};
    write_text("often.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\no a  b \ng x\nf 3 1 2\ng y\nf 2 4 3\ng x\nf 2 4 3\ng\nf 1 2 4\n");
    assert_int_equal(pliant_mesh_load("often.obj", &m, &e), PLIANT_OK);
    assert_int_equal(m.group_count, 3);
    assert_string_equal(m.groups[0].name, "a  b");
    assert_string_equal(m.groups[1].name, "x");
    assert_int_equal(m.groups[0].vertex_count, 4);
    assert_int_equal(m.groups[1].vertex_count, 4);
    assert_int_equal(m.groups[2].vertex_count, 3);
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(m.groups[2].vertices[i], i + 1);
    pliant_mesh_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_place_takes_every_way_and_it_means_the_same, clear_folder),
        cmocka_unit_test_teardown(what_is_chosen_is_what_is_meant, clear_folder),
        cmocka_unit_test_teardown(what_chooses_nothing_says_how_near_it_came, clear_folder),
        cmocka_unit_test_teardown(constraints_pair_the_nearest_or_in_order, clear_folder),
        cmocka_unit_test(the_nearest_point_is_that_of_a_walk_over_all),
        cmocka_unit_test_teardown(welded_vertices_are_paired_once, clear_folder),
        cmocka_unit_test_teardown(rest_lengths_of_pairs_are_measured_or_said, clear_folder),
        cmocka_unit_test_teardown(mistakes_in_pairs_have_a_sentence, clear_folder),
        cmocka_unit_test_teardown(later_values_count_over_earlier_ones, clear_folder),
        cmocka_unit_test_teardown(vertices_without_a_value_weigh_by_density, clear_folder),
        cmocka_unit_test(masses_of_vertices_that_there_are_not_are_refused),
        cmocka_unit_test_teardown(a_ply_has_colours_and_its_other_numbers_are_groups, clear_folder),
        cmocka_unit_test_teardown(an_obj_has_a_colour_where_three_numbers_follow, clear_folder),
        cmocka_unit_test_teardown(a_group_that_is_opened_often_is_one, clear_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
