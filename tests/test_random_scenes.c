/* Laws that hold for every scene file: a hundred scenes that are drawn at random (scene_draw.h) are tried against the table of scene_laws.h.
 *
 *     SCENES_FIRST=7 SCENES_COUNT=1 build/tests/test_random_scenes     others; SCENES_SECONDS instead of SCENES_COUNT: as many as that takes
 *     SCENE_FILE=scene.json SCENE_NUMBER=7 build/tests/test_random_scenes     a file that was written of one that breaks a law
 *
 * What breaks a law is shrunk and written to SCENES_OUT/scene-NUMBER/, with the files that it names; SCENES_OUT is the working folder by default. */
#define _POSIX_C_SOURCE 200809L
#include "files.h"
#include "scene_draw.h"
#include "scene_laws.h"
#include "scene_schema.h"
#include "scene_shrink.h"
#include "trial.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TRIALS = 600, SHRUNK = 4, DRAWN = 20000 };

static char started_in[4096];

static uint64_t number_of(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

/* ---- what is found ---- */

typedef struct fault {
    uint64_t number;
    int      result;
} fault;

static bool shows_fault(const json *scene, void *context)
{
    const fault        *f = context;
    const scene_verdict v = scene_judge(scene, f->number, f->result, 60);
    if (getenv("SCENES_TRACE") && v.result == SCENE_CRASHED) {
        char *text = json_write(scene);
        print_message("crashes on the way: %s\n%s", v.why, text);
        free(text);
    }
    return v.result == f->result;
}

static void copy_file(const char *name, const char *folder)
{
    char   path[8192];
    size_t size;
    char  *data = read_whole(name, &size);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_bytes(path, data, size);
    free(data);
}

/* Into a folder of its own, and says what repeats it. */
static void write_scene(const json *scene, uint64_t number)
{
    char        folder[5000], path[5100];
    const char *out = getenv("SCENES_OUT");
    char       *text = json_write(scene);
    snprintf(folder, sizeof folder, "%s/scene-%llu", out && *out ? out : started_in, (unsigned long long)number);
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/scene.json", folder);
    write_text(path, text);
    for (size_t i = 0; scene_draw_file(i); i++)
        if (strstr(text, scene_draw_file(i))) copy_file(scene_draw_file(i), folder);
    print_message("  SCENE_FILE=%s SCENE_NUMBER=%llu %s/tests/test_random_scenes\n%s", path, (unsigned long long)number,
                  getenv("PLIANT_BUILD_DIR") ? getenv("PLIANT_BUILD_DIR") : "build", text);
    free(text);
}

static void report(const json *scene, uint64_t number, const scene_verdict *v, uint32_t broken)
{
    fault f = {number, v->result};
    print_message("scene %llu: %s: %s\n", (unsigned long long)number, scene_fault_name(v), v->why);
    if (broken > SHRUNK && !getenv("SCENES_SECONDS")) return;
    json      plain = json_copy(scene);
    const int trials = scene_shrink(&plain, shows_fault, &f, TRIALS);
    print_message("  as plain as it is still so, after %d trials:\n", trials);
    write_scene(&plain, number);
    json_clear(&plain);
}

/* ---- laws ---- */

typedef struct tally {
    uint32_t count, taken, broken, asked[SCENE_LAWS_MOST];
} tally;

static void judge_one(uint64_t number, tally *t)
{
    json               *scene = scene_draw(number);
    const scene_verdict v = scene_judge(scene, number, -1, 300);
    t->count++;
    t->taken += v.result != SCENE_REFUSED;
    for (int i = 0; i < scene_law_count; i++) t->asked[i] += v.asked[i];
    if (getenv("SCENES_TRACE"))
        print_message("%llu: %s %s\n", (unsigned long long)number,
                      v.result == SCENE_TAKEN     ? "taken"
                      : v.result == SCENE_REFUSED ? "refused"
                                                  : scene_fault_name(&v),
                      v.why);
    if (scene_is_fault(&v)) report(scene, number, &v, ++t->broken);
    json_free(scene);
}

static void print_tally(const tally *t)
{
    print_message("%u scenes, %u taken; asked:", t->count, t->taken);
    for (int i = 0; i < scene_law_count; i++)
        print_message(" %s %u%s", scene_laws[i].name, t->asked[i], i + 1 < scene_law_count ? "," : "\n");
}

static void random_scenes_keep_every_law(void **unused)
{
    const uint64_t first = number_of("SCENES_FIRST", 0), count = number_of("SCENES_COUNT", 100), seconds = number_of("SCENES_SECONDS", 0);
    const time_t   end = time(NULL) + (time_t)seconds;
    tally          t = {0};
    (void)unused;
    for (uint64_t i = 0; seconds ? time(NULL) < end : i < count; i++) judge_one(first + i, &t);
    print_tally(&t);
    assert_int_equal(t.broken, 0);
    if (t.count < 100) return;
    assert_true(t.taken * 2 > t.count);
    for (int i = 0; i < scene_law_count; i++)
        if (t.asked[i] * 50 < t.count) fail_msg("the law of %s is asked of %u scenes in %u", scene_laws[i].name, t.asked[i], t.count);
}

/* A rope through points at random, which is pulled together and meets itself on its way. */
static json *tangle_of(uint64_t number)
{
    uint64_t seed = number + 1;
    FILE    *f = fopen("tangle.json", "w");
    assert_non_null(f);
    fprintf(f, "{\"pliant\": 1, \"frames\": 3, \"solver\": {\"substeps\": 2, \"iterations\": 3, \"contact_bound\": \"%s\"}, ",
            number % 2 ? "continuous" : "paths");
    fprintf(f, "\"bodies\": [{\"type\": \"rope\", \"self_contact\": true, \"thickness\": 0.004, \"bend\": \"%s\", \"points\": [",
            number % 3 ? "distance" : "none");
    for (int i = 0; i < 12; i++) {
        const double x = 0.8 * chance(&seed) - 0.4, y = 0.8 * chance(&seed), z = 0.8 * chance(&seed) - 0.4;
        fprintf(f, "%s[%.3f, %.3f, %.3f]", i ? ", " : "", x, y, z);
    }
    fprintf(f, "], \"pins\": {\"vertices\": [0, 6]}, \"tether\": 0.%d}]}", 2 + (int)(number % 5));
    fclose(f);
    return json_read("tangle.json");
}

/* Boxes along the axes find what may meet; what meets, and where its path is cut, does not depend on how it lies to them. */
static void what_meets_goes_the_same_way_when_it_is_turned(void **unused)
{
    int      motion = 0;
    uint32_t asked = 0;
    (void)unused;
    while (strcmp(scene_laws[motion].name, "motion")) motion++;
    for (uint64_t number = 0; number < 60; number++) {
        json               *scene = tangle_of(number);
        const scene_verdict v = scene_judge(scene, number, motion, 60);
        json_free(scene);
        asked += v.asked[motion];
        if (v.result != SCENE_TAKEN) fail_msg("tangle %llu: %s", (unsigned long long)number, v.why);
    }
    print_message("    %u tangles\n", asked);
    assert_true(asked > 30);
}

static void the_scene_of_a_file_keeps_every_law(void **unused)
{
    const char *path = getenv("SCENE_FILE");
    (void)unused;
    if (!path) return;
    char absolute[8192];
    snprintf(absolute, sizeof absolute, "%s%s%s", *path == '/' ? "" : started_in, *path == '/' ? "" : "/", path);
    json               *scene = json_read(absolute);
    const scene_verdict v = scene_judge(scene, number_of("SCENE_NUMBER", 0), -1, 0);
    print_message("%s: %s\n",
                  v.result == SCENE_TAKEN     ? "every law is kept"
                  : v.result == SCENE_REFUSED ? "refused"
                                              : scene_fault_name(&v),
                  v.why);
    json_free(scene);
    assert_false(scene_is_fault(&v));
}

/* ---- the generator ---- */

static size_t forgotten;

static void count_forgotten(const char *place)
{
    (void)place;
    forgotten++;
}

/* Draws until no more than so many parts of the schema are left, or for long enough. */
static void draw_until(json *schema, size_t left)
{
    for (uint64_t i = 0; i < DRAWN && (i % 1000 || i == 0 || scene_schema_unmarked(schema, count_forgotten) > left); i++) {
        json *scene = scene_draw(i);
        scene_schema_mark(schema, scene);
        json_free(scene);
    }
}

static void say_forgotten(const char *place) { print_error("no scene says %s\n", place); }

/* What the schema has and no row of scene_draw.c, is forgotten there. */
static void everything_in_the_schema_is_drawn(void **unused)
{
    json *schema = json_read(PLIANT_SOURCE_DIR "/docs/scene.schema.json");
    (void)unused;
    draw_until(schema, 0);
    assert_int_equal(scene_schema_unmarked(schema, say_forgotten), 0);
    json_free(schema);
}

/* A word that is added to the schema is one that no scene says. */
static void what_is_added_to_the_schema_is_missed(void **unused)
{
    json *schema = json_read(PLIANT_SOURCE_DIR "/docs/scene.schema.json");
    json *solver = json_find(json_find(json_find(schema, "$defs"), "solver"), "properties");
    (void)unused;
    json_add(json_find(json_find(solver, "order"), "enum"), json_of_text("by_size"));
    json_put(solver, "haste", json_copy(json_find(solver, "drag")));
    draw_until(schema, 2);
    forgotten = 0;
    assert_int_equal(scene_schema_unmarked(schema, count_forgotten), 2);
    assert_int_equal(forgotten, 2);
    json_free(schema);
}

static void a_number_draws_one_scene(void **unused)
{
    (void)unused;
    for (uint64_t i = 0; i < 50; i++) {
        json *a = scene_draw(i), *b = scene_draw(i), *c = scene_draw(i + 1);
        assert_true(json_same(a, b));
        assert_false(json_same(a, c));
        json_free(a);
        json_free(b);
        json_free(c);
    }
}

/* ---- the shrinker ---- */

/* As if a wind on a scene with a sphere were a fault. */
static bool has_wind_and_sphere(const json *scene, void *context)
{
    bool        wind = false, sphere = false;
    const json *forces = json_find(scene, "forces"), *colliders = json_find(scene, "colliders");
    (void)context;
    for (size_t i = 0; forces && i < forces->count; i++) {
        const json *type = json_find(&forces->items[i], "type");
        wind = wind || (type && !strcmp(type->text, "wind"));
    }
    for (size_t i = 0; colliders && i < colliders->count; i++) {
        const json *radius = json_find(&colliders->items[i], "radius");
        sphere = sphere || (radius && radius->number > 0.1);
    }
    return wind && sphere && json_find(scene, "bodies");
}

static void a_fault_is_shrunk_to_what_it_needs(void **unused)
{
    uint32_t found = 0;
    (void)unused;
    for (uint64_t i = 0; found < 3; i++) {
        json *scene = scene_draw(i);
        if (scene_theme_of(i) == SCENE_ANY && has_wind_and_sphere(scene, NULL)) {
            found++;
            scene_shrink(scene, has_wind_and_sphere, NULL, 5000);
            char *text = json_write(scene);
            assert_string_equal(text,
                                "{\n    \"bodies\": [],\n    \"colliders\": [\n        {\"radius\": 1}\n    ],\n    \"forces\": [\n        "
                                "{\"type\": \"wind\"}\n    ]\n}\n");
            free(text);
        }
        json_free(scene);
    }
}

static int begin(void **state)
{
    if (!getcwd(started_in, sizeof started_in) || enter_folder(state) != 0) return -1;
    scene_draw_files();
    return 0;
}

int main(void)
{
    const struct CMUnitTest file[] = {cmocka_unit_test(the_scene_of_a_file_keeps_every_law)},
                            tests[] = {cmocka_unit_test(everything_in_the_schema_is_drawn),
                                       cmocka_unit_test(what_is_added_to_the_schema_is_missed),
                                       cmocka_unit_test(a_number_draws_one_scene),
                                       cmocka_unit_test(a_fault_is_shrunk_to_what_it_needs),
                                       cmocka_unit_test(what_meets_goes_the_same_way_when_it_is_turned),
                                       cmocka_unit_test(random_scenes_keep_every_law)};
    if (getenv("SCENE_FILE")) return cmocka_run_group_tests(file, begin, remove_folder);
    return cmocka_run_group_tests(tests, begin, remove_folder);
}
