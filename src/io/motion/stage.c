/* See stage.h. The grammar is that of "USDA File Format" (OpenUSD), of which the rest is passed over by its brackets. */
#include "io/motion/stage.h"

#include "io/files/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 64 }; /* prims inside each other: a prim's transform is a product over all prims above it, at every time */

/* ---- words ---- */

bool pliant__words_fail(const pliant__words *w, const char *format, ...)
{
    char    what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return pliant__fail_at(w->error, PLIANT_ERROR_INPUT, w->path, w->line, "%s", what);
}

static bool is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':' || c == '.' || c == '-' ||
           c == '+' || c == '|' || (unsigned char)c >= 128;
}

static void skip_blanks(pliant__words *w)
{
    for (; w->at < w->end; w->at++) {
        if (*w->at == '\n') w->line++;
        if (*w->at == '#')
            while (w->at + 1 < w->end && w->at[1] != '\n') w->at++;
        else if (*w->at != ' ' && *w->at != '\t' && *w->at != '\r' && *w->at != '\n')
            return;
    }
}

/* From a quote to the same, one or three of them; or from @ to @, or from < to >. */
static bool take_string(pliant__words *w, pliant__word *out)
{
    const char  quote = *w->at == '<' ? '>' : *w->at;
    const bool  three = quote != '>' && w->end - w->at >= 3 && w->at[1] == quote && w->at[2] == quote;
    const char *begin = w->at += three ? 3 : 1;
    for (; w->at < w->end; w->at++) {
        if (*w->at == '\n') w->line++;
        if (*w->at == '\\' && (quote == '"' || quote == '\'') && w->at + 1 < w->end)
            w->at++;
        else if (*w->at == quote && (!three || (w->end - w->at >= 3 && w->at[1] == quote && w->at[2] == quote))) {
            *out = (pliant__word){PLIANT__WORD_STRING, begin, (size_t)(w->at - begin), out->line};
            w->at += three ? 3 : 1;
            return true;
        }
    }
    w->line = out->line;
    return pliant__words_fail(w, "a text that does not end: cut off, or damaged");
}

bool pliant__words_next(pliant__words *w, pliant__word *out)
{
    skip_blanks(w);
    *out = (pliant__word){PLIANT__WORD_END, w->at, 0, w->line};
    if (w->at == w->end) return true;
    if (*w->at == '"' || *w->at == '\'' || *w->at == '@' || *w->at == '<') return take_string(w, out);
    out->kind = is_name_character(*w->at) ? PLIANT__WORD_NAME : PLIANT__WORD_MARK;
    w->at++;
    while (out->kind == PLIANT__WORD_NAME && w->at < w->end && is_name_character(*w->at)) w->at++;
    if (out->kind == PLIANT__WORD_NAME && w->end - w->at >= 2 && w->at[0] == '[' && w->at[1] == ']') w->at += 2;
    out->length = (size_t)(w->at - out->text);
    return true;
}

bool pliant__word_is(const pliant__word *word, const char *text)
{
    return (word->kind == PLIANT__WORD_NAME || word->kind == PLIANT__WORD_MARK) && word->length == strlen(text) &&
           memcmp(word->text, text, word->length) == 0;
}

static bool peek(const pliant__words *w, pliant__word *out)
{
    pliant__words copy = *w;
    return pliant__words_next(&copy, out);
}

bool pliant__words_expect(pliant__words *w, const char *mark)
{
    pliant__word word;
    if (!pliant__words_next(w, &word)) return false;
    if (pliant__word_is(&word, mark)) return true;
    if (word.kind == PLIANT__WORD_END) return pliant__words_fail(w, "it ends here, where \"%s\" should be: cut off", mark);
    return pliant__words_fail(w, "\"%.*s\" where \"%s\" should be", word.length < 40 ? (int)word.length : 40, word.text, mark);
}

bool pliant__words_skip(pliant__words *w, uint64_t *tuples)
{
    uint64_t     depth = 0, count = 0;
    pliant__word word;
    do {
        if (!pliant__words_next(w, &word)) return false;
        if (word.kind == PLIANT__WORD_END) return pliant__words_fail(w, "it ends here: cut off");
        if (word.kind != PLIANT__WORD_MARK) continue;
        const char c = *word.text;
        count += c == '(' && depth == 1;
        if (c == '[' || c == '(' || c == '{') depth++;
        if (c != ']' && c != ')' && c != '}') continue;
        if (!depth) return pliant__words_fail(w, "a \"%c\" that nothing opens", c);
        depth--;
    } while (depth);
    if (tuples) *tuples = count;
    return true;
}

bool pliant__words_number(pliant__words *w, double *out)
{
    pliant__word word;
    do {
        if (!pliant__words_next(w, &word)) return false;
    } while (word.kind == PLIANT__WORD_MARK && (*word.text == '(' || *word.text == ')' || *word.text == '[' || *word.text == ','));
    return (word.kind == PLIANT__WORD_NAME && pliant__parse_number(word.text, word.length, out) == PLIANT__NUMBER_OK) ||
           pliant__words_fail(w, "\"%.*s\" where a number should be", word.length < 40 ? (int)word.length : 40, word.text);
}

bool pliant__words_triple(pliant__words *w, double out[3], int *odd)
{
    pliant__word word;
    for (int k = 0; k <= 3; k++) {
        int opened = 0, closed = 0;
        for (;;) {
            if (!peek(w, &word)) return false;
            if (word.kind != PLIANT__WORD_MARK || (*word.text != '(' && *word.text != '[' && *word.text != ',' && *word.text != ')')) break;
            opened += *word.text == '(';
            closed += *word.text == ')';
            if (k == 3) break;
            w->at = word.text + 1;
            w->line = word.line;
        }
        if (k == 0 ? opened != 1 : opened || closed != (k == 3)) *odd = w->line;
        if (k < 3 && !pliant__words_number(w, &out[k])) return false;
    }
    return pliant__words_next(w, &word);
}

/* ---- values ---- */

static bool out_of_memory(const pliant__words *w) { return pliant__fail_memory(w->error, 64, "a stage"); }

static bool take_value(pliant__words *w, pliant__stage_value *out)
{
    pliant__word word;
    if (!peek(w, &word)) return false;
    *out = (pliant__stage_value){.text = word.text, .line = word.line};
    return pliant__words_skip(w, &out->tuples);
}

/* { code: value, code: value, } */
static bool take_samples(pliant__words *w, pliant__stage_values *values)
{
    pliant__word word;
    values->samples.count = 0;
    if (!pliant__words_expect(w, "{")) return false;
    for (;;) {
        pliant__stage_value value;
        pliant__words       back = *w;
        if (!pliant__words_next(w, &word)) return false;
        if (pliant__word_is(&word, "}")) return true;
        if (pliant__word_is(&word, ",")) continue;
        if (word.kind != PLIANT__WORD_NAME || !word.length) return pliant__words_fail(w, "a time should be here");
        /* "1:" is one word with its colon. */
        const bool colon = word.text[word.length - 1] == ':';
        double     code;
        if (pliant__parse_number(word.text, word.length - colon, &code) != PLIANT__NUMBER_OK || !(code >= -1e12 && code <= 1e12)) {
            *w = back;
            return pliant__words_fail(w, "a time should be here");
        }
        if (!colon && !pliant__words_expect(w, ":")) return false;
        if (!take_value(w, &value)) return false;
        value.code = code;
        if (values->samples.count && !(code > values->samples.data[values->samples.count - 1].code))
            return pliant__words_fail(w, "time samples do not ascend");
        if (!array_push(NULL, &values->samples, value)) return out_of_memory(w);
    }
}

const pliant__stage_value *pliant__stage_at(const pliant__stage_values *values, double code, const pliant__stage_value **next,
                                            double *share)
{
    const pliant__stage_value *s = values->samples.data;
    size_t                     low = 0, high = values->samples.count;
    *share = 0;
    *next = NULL;
    if (!high) return values->has_default ? &values->fixed : NULL;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (s[middle].code <= code)
            low = middle;
        else
            high = middle;
    }
    if (code > s[low].code && low + 1 < values->samples.count) {
        *next = &s[low + 1];
        *share = (code - s[low].code) / (s[low + 1].code - s[low].code);
    }
    return &s[low];
}

/* ---- prims ---- */

static bool begins_with(const pliant__word *word, const char *text)
{
    return word->length >= strlen(text) && memcmp(word->text, text, strlen(text)) == 0;
}

static pliant__stage_op *op_of(pliant__stage_prim *prim, const char *name, size_t length)
{
    for (size_t i = 0; i < prim->ops.count; i++)
        if (prim->ops.data[i].length == length && memcmp(prim->ops.data[i].name, name, length) == 0) return &prim->ops.data[i];
    return array_push(NULL, &prim->ops, (pliant__stage_op){.name = name, .length = length}) ? &prim->ops.data[prim->ops.count - 1] : NULL;
}

static bool take_into(pliant__words *w, pliant__stage_values *values, bool samples)
{
    if (samples) return take_samples(w, values);
    values->has_default = true;
    return take_value(w, &values->fixed);
}

/* The value of a property, kept if it is of points or of a transform. */
static bool take_property(pliant__words *w, pliant__stage_prim *prim, const pliant__word *property)
{
    static const char by_time[] = ".timeSamples", op[] = "xformOp:";
    const size_t      tail = sizeof by_time - 1, head = sizeof op - 1;
    const bool        samples = property->length > tail && memcmp(property->text + property->length - tail, by_time, tail) == 0;
    const size_t      length = property->length - (samples ? tail : 0);
    pliant__word      word;
    if (prim && length == 6 && begins_with(property, "points")) return take_into(w, &prim->points, samples);
    if (prim && length > head && begins_with(property, op)) {
        pliant__stage_op *to = op_of(prim, property->text + head, length - head);
        return to ? take_into(w, &to->values, samples) : out_of_memory(w);
    }
    if (prim && pliant__word_is(property, "xformOpOrder")) {
        if (!peek(w, &word)) return false;
        prim->order = word.text;
        prim->order_line = word.line;
    }
    return pliant__words_skip(w, NULL);
}

static bool skip_metadata(pliant__words *w)
{
    pliant__word word;
    return peek(w, &word) && (!pliant__word_is(&word, "(") || pliant__words_skip(w, NULL));
}

/* Whether a prim is active, behind "active". */
static bool take_active(pliant__words *w, bool *active)
{
    pliant__word value;
    if (!pliant__words_expect(w, "=") || !pliant__words_next(w, &value)) return false;
    *active = pliant__word_is(&value, "true") || pliant__word_is(&value, "1");
    return *active || pliant__word_is(&value, "false") || pliant__word_is(&value, "0") ||
           pliant__words_fail(w, "active must be true or false");
}

/* Metadata of a prim, of which only "active" matters: one that is not active is not there, nor what is inside it. */
static bool take_prim_metadata(pliant__words *w, bool *active)
{
    static const char opening[] = "([{", closing[] = ")]}";
    char              open[DEEPEST]; /* closing brackets of those that are open */
    uint32_t          depth = 0;
    pliant__word      word;
    if (!peek(w, &word)) return false;
    if (!pliant__word_is(&word, "(")) return true;
    do {
        if (!pliant__words_next(w, &word)) return false;
        const char *kind = word.kind == PLIANT__WORD_MARK ? strchr(opening, *word.text) : NULL;
        if (word.kind == PLIANT__WORD_END) return pliant__words_fail(w, "it ends here: cut off");
        if (kind) {
            if (depth == DEEPEST) return pliant__words_fail(w, "more than %d brackets inside each other", DEEPEST);
            open[depth++] = closing[kind - opening];
        } else if (word.kind == PLIANT__WORD_MARK && strchr(closing, *word.text)) {
            if (*word.text != open[--depth]) return pliant__words_fail(w, "\"%c\" where \"%c\" should be", *word.text, open[depth]);
        } else if (depth == 1 && pliant__word_is(&word, "active") && !take_active(w, active)) {
            return false;
        }
    } while (depth);
    return true;
}

/* A statement that begins with `word`: words of its line, of which the last is the name; perhaps a value; perhaps metadata. */
static bool take_statement(pliant__words *w, pliant__stage_prim *prim, pliant__word word)
{
    pliant__word next;
    const int    line = word.line;
    for (;;) {
        if (!peek(w, &next)) return false;
        if (next.kind != PLIANT__WORD_NAME || next.line != line) break;
        if (!pliant__words_next(w, &word)) return false;
    }
    if (pliant__word_is(&next, "=") && (!pliant__words_next(w, &next) || !take_property(w, prim, &word))) return false;
    return skip_metadata(w);
}

static bool begin_prim(pliant__stage *stage, pliant__words *w, bool defined, uint32_t *current)
{
    pliant__stage_prim prim = {.parent = *current};
    pliant__word       word;
    if (!pliant__words_next(w, &word)) return false;
    if (word.kind == PLIANT__WORD_NAME) {
        prim.type = word.text;
        prim.type_length = word.length;
        if (word.length == 13 && begins_with(&word, "SkelAnimation")) stage->has_skeleton = true;
        if (!pliant__words_next(w, &word)) return false;
    }
    if (word.kind != PLIANT__WORD_STRING) return pliant__words_fail(w, "a prim needs a name");
    prim.name = word.text;
    prim.name_length = word.length;
    bool active = true;
    if (!take_prim_metadata(w, &active) || !pliant__words_expect(w, "{")) return false;
    prim.defined = defined && active && (*current == PLIANT__STAGE_NONE || stage->prims.data[*current].defined);
    if (stage->prims.count >= UINT32_MAX - 1 || !array_push(NULL, &stage->prims, prim)) return out_of_memory(w);
    *current = (uint32_t)stage->prims.count - 1;
    return true;
}

static bool read_prims(pliant__stage *stage, pliant__words *w)
{
    uint32_t     current = PLIANT__STAGE_NONE, depth = 0;
    pliant__word word;
    for (;;) {
        pliant__stage_prim *prim = current == PLIANT__STAGE_NONE ? NULL : &stage->prims.data[current];
        if (!pliant__words_next(w, &word)) return false;
        if (word.kind == PLIANT__WORD_END) return !prim || pliant__words_fail(w, "it ends here, within a prim: cut off");
        if (pliant__word_is(&word, "}")) {
            if (!prim) return pliant__words_fail(w, "a \"}\" that nothing opens");
            current = prim->parent;
            depth--;
        } else if (pliant__word_is(&word, "def") || pliant__word_is(&word, "over") || pliant__word_is(&word, "class")) {
            if (depth++ == DEEPEST) return pliant__words_fail(w, "more than %d prims inside each other", DEEPEST);
            if (!begin_prim(stage, w, *word.text == 'd', &current)) return false;
        } else if (pliant__word_is(&word, "variantSet")) {
            if (!pliant__words_skip(w, NULL) || !pliant__words_expect(w, "=") || !pliant__words_skip(w, NULL)) return false;
        } else if (word.kind == PLIANT__WORD_NAME) {
            if (!take_statement(w, prim, word)) return false;
        } else if (!pliant__word_is(&word, ";"))
            return pliant__words_fail(w, "\"%.*s\" is not expected here", word.length < 40 ? (int)word.length : 40, word.text);
    }
}

/* ---- the stage ---- */

static bool take_number(pliant__words *w, double *out)
{
    return pliant__words_number(w, out) && ((*out > 0 && *out < 1e9) || pliant__words_fail(w, "must be a number above 0"));
}

/* ( name = value ... ), where one stands. */
static bool read_metadata(pliant__stage *stage, pliant__words *w)
{
    pliant__word word, value;
    double       frames = 0;
    if (!peek(w, &word)) return false;
    if (!pliant__word_is(&word, "(")) return true;
    for (pliant__words_next(w, &word);;) {
        if (!pliant__words_next(w, &word)) return false;
        if (word.kind == PLIANT__WORD_END) return pliant__words_fail(w, "it ends here: cut off");
        if (pliant__word_is(&word, ")")) break;
        if (!peek(w, &value)) return false;
        if (word.kind != PLIANT__WORD_NAME || !pliant__word_is(&value, "=")) continue;
        if (!pliant__words_next(w, &value) || !peek(w, &value)) return false;
        double *const to = pliant__word_is(&word, "metersPerUnit")        ? &stage->unit
                           : pliant__word_is(&word, "timeCodesPerSecond") ? &stage->rate
                           : pliant__word_is(&word, "framesPerSecond")    ? &frames
                                                                          : NULL;
        if (pliant__word_is(&word, "upAxis") && value.length == 1) stage->up = *value.text == 'Z' ? 'z' : *value.text == 'Y' ? 'y' : 0;
        if (to ? !take_number(w, to) : !pliant__words_skip(w, NULL)) return false;
    }
    if (!(stage->rate > 0)) stage->rate = frames;
    return true;
}

bool pliant__stage_read(pliant__stage *stage, pliant__words *w)
{
    if (w->end - w->at < 5 || memcmp(w->at, "#usda", 5) != 0)
        return pliant__words_fail(w, "not a .usda: the first line is no \"#usda 1.0\"");
    return read_metadata(stage, w) && read_prims(stage, w);
}

void pliant__stage_free(pliant__stage *stage)
{
    for (size_t i = 0; i < stage->prims.count; i++) {
        pliant__stage_prim *p = &stage->prims.data[i];
        for (size_t k = 0; k < p->ops.count; k++) array_free(NULL, &p->ops.data[k].values.samples);
        array_free(NULL, &p->ops);
        array_free(NULL, &p->points.samples);
    }
    array_free(NULL, &stage->prims);
}
