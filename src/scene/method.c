/* The tables of methods and of their settings as data; settings by name, and their check. */
#include "base/vec.h"
#include "scene/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const pliant_method_info table[] = {
#define ROW(NAME, name, settings, text, converges, source) {PLIANT_METHOD_##NAME, #name, settings, text, converges, source},
    PLIANT_METHOD_TABLE(ROW)
#undef ROW
};

const pliant_method_info *pliant_method_describe(pliant_method method)
{
    return (unsigned)method < PLIANT_METHOD_COUNT ? &table[method] : NULL;
}

const pliant_method_info *pliant_method_find(const char *name)
{
    for (int i = 0; name && i < PLIANT_METHOD_COUNT; i++)
        if (!strcmp(name, table[i].name)) return &table[i];
    return NULL;
}

/* ---- settings ---- */

/* clang-format off */
static const pliant_setting_info settings[] = {
#define ROW(type, name_, KIND, initial_, allowed, text_) {.name = #name_, .kind = PLIANT_SETTING_##KIND, .initial = initial_, allowed, .text = text_},
    PLIANT_METHOD_SETTINGS(ROW)
#undef ROW
};
/* clang-format on */
#define SETTING_COUNT (sizeof settings / sizeof *settings)

/* Every field by its own type. */
#define ROW(type, name, ...)                                                             \
    static double get_##name(const pliant_method_def *def) { return (double)def->name; } \
    static void   set_##name(pliant_method_def *def, double value) { def->name = (type)value; }
PLIANT_METHOD_SETTINGS(ROW)
#undef ROW

static const struct access {
    double (*get)(const pliant_method_def *def);
    void (*set)(pliant_method_def *def, double value);
} access[SETTING_COUNT] = {
#define ROW(type, name, ...) {get_##name, set_##name},
    PLIANT_METHOD_SETTINGS(ROW)
#undef ROW
};

const pliant_setting_info *pliant_setting_at(uint32_t index) { return index < SETTING_COUNT ? &settings[index] : NULL; }

const pliant_setting_info *pliant_setting_find(const char *name)
{
    for (size_t i = 0; name && i < SETTING_COUNT; i++)
        if (!strcmp(name, settings[i].name)) return &settings[i];
    return NULL;
}

bool pliant_method_has(pliant_method method, const char *setting)
{
    const pliant_method_info *info = pliant_method_describe(method);
    size_t                    length = setting ? strlen(setting) : 0;
    for (const char *w = info && length ? info->settings : ""; *w; w += strcspn(w, " "), w += *w == ' ')
        if (strcspn(w, " ") == length && !strncmp(w, setting, length)) return true;
    return false;
}

pliant_method_def pliant_method_def_default(void)
{
    pliant_method_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.method = PLIANT_METHOD_GAUSS_SEIDEL;
    for (size_t i = 0; i < SETTING_COUNT; i++) access[i].set(&def, settings[i].initial);
    return def;
}

static uint32_t word_count(const pliant_setting_info *s)
{
    uint32_t count = 0;
    while (s->words[count]) count++;
    return count;
}

static bool check_setting(const pliant_setting_info *s, double value, pliant_error *error)
{
    const char *and = s->high < HUGE_VAL ? s->below ? " and below " : " and at most " : "";
    char high[32] = "";
    if (s->kind == PLIANT_SETTING_WORD) {
        if (value >= 0 && value < word_count(s) && !(value > floor(value))) return true;
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s is %g, which is none of its enumerators", s->name, value);
    }
    bool whole = s->kind == PLIANT_SETTING_REAL || (value <= UINT32_MAX && !(value > floor(value)));
    bool least = s->above ? value > s->low : value >= s->low, most = s->below ? value < s->high : value <= s->high;
    if (value - value == 0 && least && most && whole) return true;
    if (*and) snprintf(high, sizeof high, "%g", s->high);
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s must be %s%s %g%s%s", s->name,
                        s->kind == PLIANT_SETTING_COUNT ? "a whole number, " : "", s->above ? "above" : "at least", s->low, and, high);
}

bool pliant__check_method(const pliant_method_def *def, pliant_error *error)
{
    if (!pliant__check_size(def->size, sizeof *def, "pliant_method_def", "pliant_method_def_default", error) ||
        !pliant__check_choice((int)def->method, PLIANT_METHOD_COUNT, "method", error))
        return false;
    for (size_t i = 0; i < SETTING_COUNT; i++)
        if (!check_setting(&settings[i], access[i].get(def), error)) return false;
    return true;
}

double pliant_method_get(const pliant_method_def *def, const char *setting)
{
    const pliant_setting_info *s = pliant_setting_find(setting);
    return def && s ? access[s - settings].get(def) : NAN;
}

static bool set_method(pliant_method_def *def, const char *setting, double value, pliant_error *error)
{
    if (!def || !setting) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a setting needs a def and a name");
    const pliant_setting_info *s = pliant_setting_find(setting);
    const pliant_method_info  *m = pliant_method_describe(def->method);
    if (!m || !s || !pliant_method_has(def->method, setting))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s has no setting %.40s (it has: %s)", m ? m->name : "no method", setting,
                            m && *m->settings ? m->settings : "none");
    pliant_method_def changed = *def;
    if (!check_setting(s, value, error)) return false;
    access[s - settings].set(&changed, value);
    if (!check_setting(s, access[s - settings].get(&changed), error)) return false; /* rounded to float it may be too large */
    *def = changed;
    return true;
}

pliant_code pliant_method_set(pliant_method_def *def, const char *setting, double value, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(set_method(def, setting, value, &why), &why, error);
}
