/* Laws of the tables of methods and of their settings: a setting is one row. What holds for every setting is tested for every
 * setting: by name, by number, by text, in a scene file. */
#include "pliant/io.h"
#include "trial.h"

#define FOR_SETTINGS(s) for (uint32_t i = 0; (s = pliant_setting_at(i)); i++)
#define FOR_METHODS(m)                                                              \
    for (const pliant_method_info *m = pliant_method_describe((pliant_method)0); m; \
         m = pliant_method_describe((pliant_method)(m->method + 1)))

/* A def of the first method that has this setting. */
static pliant_method_def owner_of(const char *setting)
{
    pliant_method_def def = pliant_method_def_default();
    FOR_METHODS(m)
    {
        def.method = m->method;
        if (pliant_method_has(m->method, setting)) return def;
    }
    fail_msg("no method has the setting %s", setting);
    return def;
}

/* Some value that is allowed and not the default. */
static double another_value(const pliant_setting_info *s)
{
    if (s->kind == PLIANT_SETTING_WORD) return s->initial > 0 ? 0 : 1;
    double high = s->high < 1e6 ? s->high : s->low + 10;
    double values[] = {s->low, high, s->low + (high - s->low) / 4, s->low + (high - s->low) / 2, s->low + 1};
    for (int i = 0; i < 5; i++) {
        pliant_method_def def = owner_of(s->name);
        double            v = s->kind == PLIANT_SETTING_COUNT ? floor(values[i]) : values[i];
        if (v != s->initial && pliant_method_set(&def, s->name, v, NULL) == PLIANT_OK) return v;
    }
    fail_msg("%s can only be its default", s->name);
    return 0;
}

static void settings_columns_name_settings(void **state)
{
    (void)state;
    const pliant_setting_info *s;
    FOR_METHODS(m)
    {
        char words[512], *next = words;
        assert_true(strlen(m->settings) < sizeof words);
        strcpy(words, m->settings);
        for (char *word; (word = strtok(next, " ")); next = NULL) {
            if (!pliant_setting_find(word)) fail_msg("the method %s has the setting %s, which there is not", m->name, word);
            assert_true(pliant_method_has(m->method, word));
        }
        assert_false(pliant_method_has(m->method, ""));
        assert_false(pliant_method_has(m->method, "relax"));
        assert_false(pliant_method_has(m->method, NULL));
    }
    FOR_SETTINGS(s) owner_of(s->name);
    assert_false(pliant_method_has(PLIANT_METHOD_COUNT, "relaxation"));
}

static void settings_are_described(void **state)
{
    (void)state;
    const pliant_setting_info *s;
    uint32_t                   count = 0;
    FOR_SETTINGS(s)
    {
        count++;
        assert_ptr_equal(pliant_setting_find(s->name), s);
        if (!strstr(s->text, "default")) fail_msg("%s does not say its default", s->name);
        FOR_METHODS(m)
        if (pliant_method_has(m->method, s->name) && !strstr(s->text, m->name))
            fail_msg("%s does not say that it is of %s", s->name, m->name);
        if (s->kind != PLIANT_SETTING_WORD)
            assert_true(s->low < s->high);
        else
            assert_non_null(s->words[1]);
    }
    assert_true(count > 0);
    assert_null(pliant_setting_at(count));
    assert_null(pliant_setting_find("simplex"));
    assert_null(pliant_setting_find(NULL));
}

static void defaults_are_those_of_the_table(void **state)
{
    (void)state;
    const pliant_setting_info *s;
    pliant_method_def          def = pliant_method_def_default();
    FOR_SETTINGS(s) assert_true(fabs(pliant_method_get(&def, s->name) - s->initial) <= EPSILON * fabs(s->initial));
    assert_true(isnan(pliant_method_get(&def, "simplex")));
    assert_true(isnan(pliant_method_get(NULL, "relaxation")));
}

static void every_setting_can_be_set(void **state)
{
    (void)state;
    const pliant_setting_info *s, *other;
    FOR_SETTINGS(s)
    {
        pliant_method_def def = owner_of(s->name), before = def;
        double            value = another_value(s);
        assert_int_equal(pliant_method_set(&def, s->name, value, NULL), PLIANT_OK);
        assert_true(fabs(pliant_method_get(&def, s->name) - value) <= EPSILON * fabs(value));
        for (uint32_t k = 0; (other = pliant_setting_at(k)); k++)
            if (other != s) assert_true(pliant_method_get(&def, other->name) == pliant_method_get(&before, other->name));
    }
}

static void values_out_of_range_are_refused(void **state)
{
    (void)state;
    const pliant_setting_info *s;
    FOR_SETTINGS(s)
    {
        double bad[] = {NAN, HUGE_VAL, -HUGE_VAL, -1, s->low - 1, s->high + 1, s->above ? s->low : NAN, s->below ? s->high : NAN, 0.5};
        if (s->kind == PLIANT_SETTING_REAL) bad[8] = NAN;
        if (s->low <= -1) bad[3] = NAN;
        if (s->kind == PLIANT_SETTING_WORD)
            for (bad[5] = 0; s->words[(int)bad[5]];) bad[5]++;
        for (int k = 0; k < 9; k++) {
            pliant_method_def def = owner_of(s->name), before = def;
            pliant_error      error = {0};
            if (pliant_method_set(&def, s->name, bad[k], &error) == PLIANT_OK) fail_msg("%s can be %g", s->name, bad[k]);
            assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
            assert_non_null(strstr(error.message, s->name));
            assert_memory_equal(&def, &before, sizeof def);
        }
    }
}

static void others_settings_are_refused(void **state)
{
    (void)state;
    const pliant_setting_info *s;
    FOR_METHODS(m) FOR_SETTINGS(s)
    {
        pliant_method_def def = pliant_method_def_default();
        pliant_error      error = {0};
        def.method = m->method;
        assert_int_equal(pliant_method_set(&def, s->name, s->initial, &error) == PLIANT_OK, pliant_method_has(m->method, s->name));
        if (error.code) assert_non_null(strstr(error.message, *m->settings ? m->settings : "none"));
    }
    pliant_method_def def = pliant_method_def_default();
    assert_int_not_equal(pliant_method_set(&def, "simplex", 1, NULL), PLIANT_OK);
    assert_int_not_equal(pliant_method_set(NULL, "relaxation", 1, NULL), PLIANT_OK);
    assert_int_not_equal(pliant_method_set(&def, NULL, 1, NULL), PLIANT_OK);
}

/* ---- by text ---- */

static void say(const pliant_setting_info *s, double value, char *out, size_t size)
{
    if (s->kind == PLIANT_SETTING_WORD)
        snprintf(out, size, "%s", s->words[(int)value]);
    else
        snprintf(out, size, "%.9g", value);
}

static void every_setting_can_be_said(void **state)
{
    (void)state;
    const pliant_setting_info *s;
    FOR_SETTINGS(s)
    {
        pliant_method_def def = pliant_method_def_default(), owner = owner_of(s->name);
        char              value[64], text[256];
        say(s, another_value(s), value, sizeof value);
        snprintf(text, sizeof text, "%s:%s=%s", pliant_method_describe(owner.method)->name, s->name, value);
        assert_int_equal(pliant_method_read(text, &def, NULL), PLIANT_OK);
        assert_int_equal(def.method, owner.method);
        assert_true(fabs(pliant_method_get(&def, s->name) - another_value(s)) <= EPSILON * fabs(another_value(s)));
    }
}

static void every_setting_is_a_key_of_scene_files(void **state)
{
    (void)state;
    const pliant_setting_info *s;
    FOR_SETTINGS(s)
    {
        pliant_method_def owner = owner_of(s->name);
        pliant_scene_file file;
        pliant_error      error = {0};
        char              value[64], text[512];
        const char       *quote = s->kind == PLIANT_SETTING_WORD ? "\"" : "";
        say(s, another_value(s), value, sizeof value);
        snprintf(
            text, sizeof text,
            "{\"pliant\": 1, \"solver\": {\"method\": \"%s\", \"%s\": %s%s%s}, \"bodies\": [{\"type\": \"cloth\", \"cells\": [1, 1]}]}",
            pliant_method_describe(owner.method)->name, s->name, quote, value, quote);
        if (pliant_scene_read_text(text, strlen(text), "test", NULL, NULL, &file, &error) != PLIANT_OK) fail_msg("%s", error.message);
        pliant_model     *model = pliant_scene_compile(file.scene, NULL);
        pliant_method_def found = pliant_model_settings(model).method;
        assert_int_equal(found.method, owner.method);
        assert_true(fabs(pliant_method_get(&found, s->name) - another_value(s)) <= EPSILON * fabs(another_value(s)));
        pliant_model_destroy(model);
        pliant_scene_destroy(file.scene);
    }
}

static void what_is_not_said_stays_for_the_same_method_only(void **state)
{
    (void)state;
    pliant_method_def def = pliant_method_def_default();
    def.method = PLIANT_METHOD_JACOBI;
    def.relaxation = R(0.5);
    assert_int_equal(pliant_method_read("jacobi:averaging=classic", &def, NULL), PLIANT_OK);
    assert_true(def.relaxation == R(0.5) && def.averaging == PLIANT_AVERAGING_CLASSIC);
    assert_int_equal(pliant_method_read("gauss_seidel", &def, NULL), PLIANT_OK);
    assert_true(def.method == PLIANT_METHOD_GAUSS_SEIDEL && def.relaxation == 1 && def.averaging == PLIANT_AVERAGING_ROW);
    assert_int_equal(pliant_method_read("jacobi:averaging=classic:relaxation=1.25e0", &def, NULL), PLIANT_OK);
    assert_true(def.relaxation == R(1.25) && def.averaging == PLIANT_AVERAGING_CLASSIC);
}

static void bad_texts_are_refused_with_what_there_is(void **state)
{
    (void)state;
    static const char *const bad[][2] = {{"", "known are gauss_seidel, jacobi"},
                                         {"simplex", "known are gauss_seidel, jacobi"},
                                         {"jakobi", "did you mean jacobi?"},
                                         {"jacobi:", "averaging, relaxation"},
                                         {"jacobi:relaxaton=1", "did you mean relaxation?"},
                                         {"gauss_seidel:averaging=row", "known are relaxation"},
                                         {"jacobi:averaging", "known are row, classic"},
                                         {"jacobi:averaging=rwo", "did you mean row?"},
                                         {"jacobi:relaxation", "takes a number, not nothing"},
                                         {"jacobi:relaxation=fast", "takes a number, not fast"},
                                         {"jacobi:relaxation=1,2", "takes a number"},
                                         {"jacobi:relaxation=1 ", "takes a number"},
                                         {"jacobi:relaxation=nan", "takes a number"},
                                         {"jacobi:relaxation=0", "above 0 and below 2"},
                                         {"jacobi:relaxation=2", "above 0 and below 2"},
                                         {"jacobi:relaxation=1.9999999999999", NULL},
                                         {"jacobi:relaxation=1:", "averaging, relaxation"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pliant_method_def def = pliant_method_def_default(), before = def;
        pliant_error      error = {0};
        bool              read = pliant_method_read(bad[i][0], &def, &error) == PLIANT_OK;
        if (!bad[i][1]) { /* only where it is rounded to float */
            assert_int_equal(read, sizeof(pliant_real) == 8);
            continue;
        }
        if (read) fail_msg("taken: %s", bad[i][0]);
        assert_int_equal(error.code, PLIANT_ERROR_INPUT);
        if (!strstr(error.message, bad[i][1])) fail_msg("%s: %s", bad[i][0], error.message);
        assert_memory_equal(&def, &before, sizeof def);
        assert_int_not_equal(pliant_method_read(bad[i][0], &def, NULL), PLIANT_OK);
    }
    assert_int_not_equal(pliant_method_read(NULL, NULL, NULL), PLIANT_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_columns_name_settings),
        cmocka_unit_test(settings_are_described),
        cmocka_unit_test(defaults_are_those_of_the_table),
        cmocka_unit_test(every_setting_can_be_set),
        cmocka_unit_test(values_out_of_range_are_refused),
        cmocka_unit_test(others_settings_are_refused),
        cmocka_unit_test(every_setting_can_be_said),
        cmocka_unit_test(every_setting_is_a_key_of_scene_files),
        cmocka_unit_test(what_is_not_said_stays_for_the_same_method_only),
        cmocka_unit_test(bad_texts_are_refused_with_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
