/* A method and its settings as a person types them: "jacobi:averaging=row:relaxation=1.2". */
#include "base/error.h"
#include "io/files/number.h"
#include "io/files/words.h"
#include "pliant/io.h"

#include <stdio.h>
#include <string.h>

#define MOST_SETTINGS 32 /* of one method */
#define LONGEST_PART 63

typedef struct part {
    char text[LONGEST_PART + 1];
} part;

/* The part of `text` before one of `ends`; moves on to there. A part that is too long is cut, and no name is that long. */
static part take(const char **text, const char *ends)
{
    part   p = {""};
    size_t length = strcspn(*text, ends);
    memcpy(p.text, *text, length < LONGEST_PART ? length : LONGEST_PART);
    *text += length;
    return p;
}

static bool read_name(const char *name, pliant_method_def *def, pliant_error *error)
{
    static const char *const names[] = {
#define X(NAME, name, ...) #name,
        PLIANT_METHOD_TABLE(X)
#undef X
            NULL
    };
    char                      known[320];
    const pliant_method_info *info = pliant_method_find(name);
    if (!info)
        return pliant__fail(error, PLIANT_ERROR_INPUT, "unknown method %s %s", name, pliant__known_words(name, names, known, sizeof known));
    if (def->method == info->method) return true;
    *def = pliant_method_def_default();
    def->method = info->method;
    return true;
}

/* The settings that the method has, for a message about one that it has not. */
static bool fail_setting(const char *name, const pliant_method_info *method, pliant_error *error)
{
    const char *words[MOST_SETTINGS + 1] = {NULL};
    char        known[320];
    size_t      count = 0;
    for (uint32_t i = 0; pliant_setting_at(i) && count < MOST_SETTINGS; i++)
        if (pliant_method_has(method->method, pliant_setting_at(i)->name)) words[count++] = pliant_setting_at(i)->name;
    if (!count) return pliant__fail(error, PLIANT_ERROR_INPUT, "%s has no setting %s, and no others", method->name, name);
    return pliant__fail(error, PLIANT_ERROR_INPUT, "%s has no setting %s %s", method->name, name,
                        pliant__known_words(name, words, known, sizeof known));
}

static bool read_value(const pliant_setting_info *setting, const char *text, double *out, pliant_error *error)
{
    char known[320];
    if (setting->kind != PLIANT_SETTING_WORD) {
        if (pliant__parse_number(text, strlen(text), out) == PLIANT__NUMBER_OK) return true;
        return pliant__fail(error, PLIANT_ERROR_INPUT, "%s takes a number, not %s", setting->name, *text ? text : "nothing");
    }
    for (uint32_t i = 0; setting->words[i]; i++)
        if (strcmp(setting->words[i], text) == 0) {
            *out = i;
            return true;
        }
    return pliant__fail(error, PLIANT_ERROR_INPUT, "%s: unknown word %s %s", setting->name, text,
                        pliant__known_words(text, setting->words, known, sizeof known));
}

static bool read_setting(const char *name, const char *value, pliant_method_def *def, pliant_error *error)
{
    const pliant_method_info *method = pliant_method_describe(def->method);
    double                    number = 0;
    if (!pliant_method_has(def->method, name)) return fail_setting(name, method, error);
    if (!read_value(pliant_setting_find(name), value, &number, error)) return false;
    if (pliant_method_set(def, name, number, error) == PLIANT_OK) return true;
    if (error) error->code = PLIANT_ERROR_INPUT;
    return false;
}

static bool read_method(const char *text, pliant_method_def *def, pliant_error *error)
{
    if (!text || !def || def->size != sizeof *def)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a method needs a text, and a def from pliant_method_def_default");
    pliant_method_def made = *def;
    if (!read_name(take(&text, ":").text, &made, error)) return false;
    while (*text++ == ':') {
        part name = take(&text, "=:"), value = {""};
        if (*text == '=') {
            text++;
            value = take(&text, ":");
        }
        if (!read_setting(name.text, value.text, &made, error)) return false;
    }
    *def = made;
    return true;
}

pliant_code pliant_method_read(const char *text, pliant_method_def *def, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(read_method(text, def, &why), &why, error);
}

/* ---- writing ---- */

typedef struct text {
    char  *out;
    size_t size, length;
} text;

static void put(text *t, const char *what)
{
    for (; *what; what++, t->length++)
        if (t->length + 1 < t->size) t->out[t->length] = *what;
}

size_t pliant_method_write(const pliant_method_def *def, char *out, size_t size)
{
    const pliant_method_info *info = def ? pliant_method_describe(def->method) : NULL;
    text                      t = {out, size, 0};
    char                      number[PLIANT__NUMBER_SIZE];
    if (info) put(&t, info->name);
    for (uint32_t i = 0; info && pliant_setting_at(i); i++) {
        const pliant_setting_info *s = pliant_setting_at(i);
        if (!pliant_method_has(def->method, s->name)) continue;
        double value = pliant_method_get(def, s->name);
        put(&t, ":");
        put(&t, s->name);
        put(&t, "=");
        if (s->kind != PLIANT_SETTING_WORD) pliant__format_shortest(number, value);
        put(&t, s->kind == PLIANT_SETTING_WORD ? s->words[(size_t)value] : number);
    }
    if (size) out[t.length < size ? t.length : size - 1] = 0;
    return t.length;
}
