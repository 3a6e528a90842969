/* Options by table: parsing, usage, help, man page and completion. */
#define _XOPEN_SOURCE 700
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool cli_ends_with(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n > m && strcasecmp(path + n - m, ending) == 0;
}

/* ---- parsing ---- */

static const cli_option *find(const cli_verb *verb, const char *name, size_t length)
{
    for (size_t i = 0; i < verb->option_count; i++)
        if (strlen(verb->options[i].name) == length && strncmp(verb->options[i].name, name, length) == 0) return &verb->options[i];
    return NULL;
}

static const cli_option *find_letter(const cli_verb *verb, char letter)
{
    for (size_t i = 0; i < verb->option_count; i++)
        if (letter && verb->options[i].letter == letter) return &verb->options[i];
    return NULL;
}

static bool set_count(const cli_option *o, const char *value, uint32_t *field)
{
    double number = 0;
    size_t length = strlen(value);
    bool   good = length > 0 && length <= 10;
    for (size_t i = 0; good && i < length; i++) {
        good = value[i] >= '0' && value[i] <= '9';
        number = number * 10 + (value[i] - '0');
    }
    if (good && number >= o->low && number <= o->high) {
        *field = (uint32_t)number;
        return true;
    }
    cli_usage_error("--%s takes a whole number from %.0f to %.0f, not %s", o->name, o->low, o->high, value);
    return false;
}

static bool set_real(const cli_option *o, const char *value, double *field)
{
    char  *end;
    double number = strtod(value, &end);
    if (end != value && *end == 0 && (number > o->low || (o->from_low && number == o->low)) && number < o->high) {
        *field = number;
        return true;
    }
    cli_usage_error("--%s takes a number %s %g and below %g, not %s", o->name, o->from_low ? "from" : "above", o->low, o->high, value);
    return false;
}

static bool is_word(const char *words, const char *value)
{
    size_t length = strlen(value);
    for (const char *w = words; w; w = strchr(w, '|') ? strchr(w, '|') + 1 : NULL) {
        size_t n = strcspn(w, "|");
        if (n == length && strncmp(w, value, n) == 0) return true;
    }
    return false;
}

/* The folder that a path is in, without links and detours, from malloc; NULL if it is not there. `name`: its name in that folder. */
static char *folder_of(const char *path, const char **name, size_t *length)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/') end--;
    size_t head = end;
    while (head && path[head - 1] != '/') head--;
    *name = path + head;
    *length = end - head;
    char *text = malloc(head + 2);
    if (!text) return NULL;
    memcpy(text, path, head);
    strcpy(text + head, ".");
    char *folder = realpath(text, NULL);
    free(text);
    return folder;
}

bool cli_same_place(const char *a, const char *b)
{
    const char *name_a, *name_b;
    size_t      length_a, length_b;
    char       *folder_a = folder_of(a, &name_a, &length_a), *folder_b = folder_of(b, &name_b, &length_b);
    bool        folders = folder_a && folder_b && strcmp(folder_a, folder_b) == 0;
    free(folder_a);
    free(folder_b);
    return strcmp(a, b) == 0 || (folders && length_a == length_b && strncmp(name_a, name_b, length_a) == 0);
}

static bool add_path(cli_paths *paths, const char *value)
{
    if (!*value || paths->count == CLI_MAX_PATHS) {
        cli_usage_error(*value ? "more than %d outputs" : "an output needs a path", CLI_MAX_PATHS);
        return false;
    }
    for (uint32_t i = 0; i < paths->count; i++)
        if (cli_same_place(paths->path[i], value)) {
            cli_usage_error("the output %s is given twice", value);
            return false;
        }
    paths->path[paths->count++] = value;
    return true;
}

/* Where the values of options go that are of the path before them; NULL: into their own fields. */
typedef struct latest {
    uint32_t *every;
    bool     *exploded;
} latest;

static bool set(const cli_option *o, const char *value, void *options, latest *path)
{
    void *field = (char *)options + o->offset;
    if (o->takes_every) path->every = NULL;
    switch (o->type) {
    case CLI_FLAG: *(bool *)field = true; return true;
    case CLI_EXPLODED: *(path->exploded ? path->exploded : (bool *)field) = true; return true;
    case CLI_COUNT: return set_count(o, value, field);
    case CLI_REAL: return set_real(o, value, field);
    case CLI_TEXT: *(const char **)field = value; return true;
    case CLI_WORD:
        if (!is_word(o->words, value)) {
            cli_usage_error("--%s takes %s, not %s", o->name, o->words, value);
            return false;
        }
        *(const char **)field = value;
        return true;
    case CLI_PATHS: {
        cli_paths *paths = field;
        if (!add_path(paths, value)) return false;
        *path = (latest){&paths->every[paths->count - 1], &paths->exploded[paths->count - 1]};
        return true;
    }
    case CLI_EVERY: return set_count(o, value, path->every ? path->every : field);
    }
    return false;
}

/* An option at argv[*i], with its value behind "=", behind the letter, or in the next argument. */
static bool parse_option(const cli_verb *verb, int argc, char **argv, int *i, void *options, latest *path)
{
    const char       *arg = argv[*i], *value = NULL;
    const cli_option *o;
    if (arg[1] == '-') {
        size_t length = strcspn(arg + 2, "=");
        o = find(verb, arg + 2, length);
        if (arg[2 + length] == '=') value = arg + 3 + length;
    } else {
        o = find_letter(verb, arg[1]);
        if (arg[2]) value = arg + 2;
    }
    if (!o) {
        cli_usage_error("%s: unknown option %s (pliant help %s lists them)", verb->name, arg, verb->name);
        return false;
    }
    if (o->type == CLI_FLAG || o->type == CLI_EXPLODED) {
        if (!value) return set(o, NULL, options, path);
        cli_usage_error("--%s takes no value", o->name);
        return false;
    }
    if (!value && *i + 1 < argc) value = argv[++*i];
    if (value) return set(o, value, options, path);
    cli_usage_error("--%s needs %s", o->name, o->value);
    return false;
}

static void set_defaults(const cli_verb *verb, void *options)
{
    for (size_t i = 0; i < verb->option_count; i++) {
        const cli_option *o = &verb->options[i];
        void             *field = (char *)options + o->offset;
        if (o->type == CLI_COUNT) *(uint32_t *)field = (uint32_t)o->initial;
        if (o->type == CLI_REAL) *(double *)field = o->initial;
    }
}

bool cli_parse(const cli_verb *verb, int argc, char **argv, void *options, bool *help)
{
    cli_operands *operands = options;
    latest        path = {NULL, NULL};
    bool          only_operands = false;
    set_defaults(verb, options);
    for (int i = 0; i < argc; i++) {
        const char *arg = argv[i];
        if (!only_operands && (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0)) {
            *help = true;
            return true;
        }
        if (!only_operands && strcmp(arg, "--") == 0) {
            only_operands = true;
        } else if (!only_operands && arg[0] == '-' && arg[1]) {
            if (!parse_option(verb, argc, argv, &i, options, &path)) return false;
        } else if (operands->count == verb->most) {
            cli_usage_error("%s: %s is one too many (pliant help %s)", verb->name, arg, verb->name);
            return false;
        } else {
            operands->operand[operands->count++] = arg;
        }
    }
    if (operands->count >= verb->least) return true;
    cli_usage_error("%s needs %s (pliant help %s)", verb->name, verb->operands, verb->name);
    return false;
}

/* ---- printing ---- */

static const char *option_form(const cli_option *o, char *out, size_t size)
{
    const char *sep = o->value ? " " : "", *value = o->value ? o->value : "";
    if (o->letter)
        snprintf(out, size, "-%c%s%s, --%s%s%s", o->letter, sep, value, o->name, sep, value);
    else
        snprintf(out, size, "--%s%s%s", o->name, sep, value);
    return out;
}

void cli_print_usage(const cli_verb *verb)
{
    printf("usage: pliant %s", verb->name);
    if (*verb->operands) printf(" %s", verb->operands);
    for (size_t i = 0; i < verb->option_count; i++) {
        const cli_option *o = &verb->options[i];
        if (o->hidden) continue;
        char form[2] = {o->letter, 0};
        printf(" [%s%s%s%s]%s", o->letter ? "-" : "--", o->letter ? form : o->name, o->value ? " " : "", o->value ? o->value : "",
               o->type == CLI_PATHS ? "..." : "");
    }
    printf("\n");
}

void cli_print_help(const cli_verb *verb)
{
    cli_print_usage(verb);
    printf("\n%s.\n\n%s\n", verb->summary, verb->description);
    if (verb->option_count) printf("\n");
    for (size_t i = 0; i < verb->option_count; i++) {
        char form[128];
        if (!verb->options[i].hidden) printf("  %-24s %s\n", option_form(&verb->options[i], form, sizeof form), verb->options[i].text);
    }
}

/* Text for roff: backslashes and leading dots are special, and a dash is a hyphen unless it is told otherwise. */
static void print_roff(const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '\\')
            fputs("\\e", stdout);
        else if (*c == '-')
            fputs("\\-", stdout);
        else if ((*c == '.' || *c == '\'') && (c == text || c[-1] == '\n'))
            printf("\\&%c", *c);
        else
            putchar(*c);
    }
}

void cli_print_man(const cli_verb *const *verbs)
{
    printf(".TH PLIANT 1 \"\" \"pliant %s\" \"User Commands\"\n", pliant_build().version);
    printf(".SH NAME\npliant \\- position\\-based dynamics: a scene file in, an animation out\n");
    printf(".SH SYNOPSIS\n.B pliant\n.I VERB\n[\\fIOPTION\\fR]... [\\fIFILE\\fR]\n.SH VERBS\n");
    for (size_t v = 0; verbs[v]; v++) {
        const cli_verb *verb = verbs[v];
        printf(".SS \"pliant %s %s\"\n", verb->name, verb->operands);
        print_roff(verb->summary);
        printf(".\n.PP\n");
        print_roff(verb->description);
        printf("\n");
        for (size_t i = 0; i < verb->option_count; i++) {
            char form[128];
            if (verb->options[i].hidden) continue;
            printf(".TP\n.B ");
            print_roff(option_form(&verb->options[i], form, sizeof form));
            printf("\n");
            print_roff(verb->options[i].text);
            printf("\n");
        }
    }
    printf(".SH EXIT STATUS\n0 good, 1 a check failed, 2 usage, bad or missing input, 3 input or output failed, 4 diverged or gained "
           "energy, 5 out of memory,\n"
           "6 a part is not available here, 130 interrupted.\n");
    printf(".SH ENVIRONMENT\n.TP\n.B PLIANT_WIDTH\nLane width of the kernels, instead of the widest that the processor runs. Results do "
           "not depend on it.\n");
}

/* Whether no verb before has an option of this name, which then takes the same words. */
static bool is_first(const cli_verb *const *verbs, size_t verb, const cli_option *option)
{
    for (size_t v = 0; v < verb; v++)
        if (find(verbs[v], option->name, strlen(option->name))) return false;
    return true;
}

void cli_print_bash(const cli_verb *const *verbs)
{
    printf("# bash completion for pliant\n_pliant()\n{\n    local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} "
           "last=${COMP_WORDS[COMP_CWORD-1]}\n");
    printf("    COMPREPLY=()\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"");
    for (size_t v = 0; verbs[v]; v++) printf("%s%s", v ? " " : "", verbs[v]->name);
    printf("\" -- \"$word\"))\n        return\n    fi\n    local options=\n    case $verb in\n");
    for (size_t v = 0; verbs[v]; v++) {
        printf("    %s) options=\"--help", verbs[v]->name);
        for (size_t i = 0; i < verbs[v]->option_count; i++)
            if (!verbs[v]->options[i].hidden) printf(" --%s", verbs[v]->options[i].name);
        printf("\" ;;\n");
    }
    printf("    esac\n    case $last in\n");
    for (size_t v = 0; verbs[v]; v++)
        for (size_t i = 0; i < verbs[v]->option_count; i++)
            if (verbs[v]->options[i].type == CLI_WORD && is_first(verbs, v, &verbs[v]->options[i])) {
                printf("    --%s) COMPREPLY=($(compgen -W \"", verbs[v]->options[i].name);
                for (const char *w = verbs[v]->options[i].words; *w; w++) putchar(*w == '|' ? ' ' : *w);
                printf("\" -- \"$word\")); return ;;\n");
            }
    printf("    esac\n    if [[ $word == -* ]]; then\n        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n    else\n");
    printf("        COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}\ncomplete -o filenames -F _pliant pliant\n");
}
