/* pliant info: version, kinds, methods, formats and widths of this copy. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct info_options {
    cli_operands operands;
    bool         json, schema;
} info_options;

static const cli_option options[] = {
    {.name = "json", .type = CLI_FLAG, .offset = offsetof(info_options, json), .text = "print it as one line of JSON"},
    {.name = "schema", .type = CLI_FLAG, .offset = offsetof(info_options, schema), .text = "print the JSON Schema of scene files"},
};

static int print_schema(void)
{
    size_t size = pliant_scene_schema(NULL, 0) + 1;
    char  *text = malloc(size);
    if (!text) return CLI_NO_MEMORY;
    pliant_scene_schema(text, size);
    fputs(text, stdout);
    free(text);
    return CLI_GOOD;
}

static bool is_wide(const pliant_build_info *b, pliant_constraint_kind kind)
{
    for (uint32_t i = 0; i < b->width_count; i++)
        if (!pliant_constraint_has_width(kind, b->widths[i])) return false;
    return true;
}

static void print_widths(const pliant_build_info *b)
{
    for (uint32_t i = 0; i < b->width_count; i++)
        printf("%s%u%s", i ? ", " : "", b->widths[i], b->runs[i] ? "" : " (not on this processor)");
}

static const char *limit_name(pliant_limit limit)
{
    static const char *const names[] = {"equal", "at most", "at least", "range"};
    return names[limit];
}

#ifdef PLIANT_DRAW
static const bool draws = true;
#else
static const bool draws = false;
#endif
#ifdef PLIANT_VIEW
static const bool views = true;
#else
static const bool views = false;
#endif

static bool imports(void)
{
    char path[4096];
    return pliant_import_find(NULL, path, sizeof path) == PLIANT_OK;
}

/* Formats that this build cannot write need HDF5. */
static bool has_hdf5(void)
{
    bool all = true;
    for (uint32_t i = 0; pliant_format_at(i); i++) all &= pliant_format_is_written(i);
    return all;
}

static void print_text(const pliant_build_info *b)
{
    printf("version     %s\n", b->version);
    printf("compiler    %s\n", b->compiler);
    printf("numbers     %s\n", b->real_bytes == 8 ? "float64" : "float32");
    printf("widths      ");
    print_widths(b);
    printf("; default %u\n", b->default_width);
    printf("threads     %u processors here, 1 to 64 threads\n", cli_processors());
    printf("\nconstraints (wide: there is a kernel for every width)\n");
    for (int k = 0; k < PLIANT_CONSTRAINT_COUNT; k++) {
        const pliant_constraint_info *c = pliant_constraint_describe((pliant_constraint_kind)k);
        printf("  %-16s %-6s  %u particles, %u row%s, %-8s  %s\n", c->name, is_wide(b, c->kind) ? "wide" : "narrow", c->slots, c->rows,
               c->rows == 1 ? " " : "s", limit_name(c->limit), c->formula);
    }
    printf("\nmethods (and their settings)\n");
    for (int m = 0; m < PLIANT_METHOD_COUNT; m++) {
        const pliant_method_info *info = pliant_method_describe((pliant_method)m);
        printf("  %-16s %-36s %s\n", info->name, info->settings, info->text);
    }
    printf("\nformats\n");
    for (uint32_t i = 0; pliant_format_at(i); i++)
        printf("  %-8s %s: %s\n", pliant_format_at(i)->ending, pliant_format_at(i)->name, pliant_format_at(i)->text);
    printf("\nmeshes\n");
    for (uint32_t i = 0; pliant_mesh_format_at(i); i++) {
        const pliant_mesh_format_info *m = pliant_mesh_format_at(i);
        printf("  %-8s %s: %s%s\n", m->ending, m->name, m->tetrahedra ? "tetrahedra" : "a surface",
               m->imported && !imports() ? " (pliant-import is not here)" : "");
    }
    printf("\nmaterials  ");
    for (int i = 0; i < PLIANT_PRESET_COUNT; i++) printf(" %s", pliant_preset_name((pliant_preset)i));
    printf("\nparts       pictures and films: %s; viewer: %s; sparse factors (CHOLMOD): %s; other meshes (Assimp): %s; writing .vtkhdf "
           "(HDF5): "
           "%s\n",
           draws ? "yes" : "not built in", views ? "yes" : "not built in", cli_lacks_cholmod() ? cli_lacks_cholmod() : "yes",
           imports() ? "yes" : "no pliant-import", has_hdf5() ? "yes" : "not built in");
}

static void print_json(const pliant_build_info *b)
{
    printf("{\"version\": ");
    cli_print_json_text(b->version);
    printf(", \"compiler\": ");
    cli_print_json_text(b->compiler);
    printf(", \"real_bytes\": %u, \"widths\": [", b->real_bytes);
    for (uint32_t i = 0; i < b->width_count; i++) printf("%s%u", i ? ", " : "", b->widths[i]);
    printf("], \"runs\": [");
    for (uint32_t i = 0, n = 0; i < b->width_count; i++)
        if (b->runs[i]) printf("%s%u", n++ ? ", " : "", b->widths[i]);
    printf("], \"default_width\": %u, \"processors\": %u, \"constraints\": [", b->default_width, cli_processors());
    for (int k = 0; k < PLIANT_CONSTRAINT_COUNT; k++) {
        const pliant_constraint_info *c = pliant_constraint_describe((pliant_constraint_kind)k);
        printf("%s{\"name\": \"%s\", \"particles\": %u, \"rows\": %u, \"wide\": %s}", k ? ", " : "", c->name, c->slots, c->rows,
               is_wide(b, c->kind) ? "true" : "false");
    }
    printf("], \"methods\": [");
    for (int m = 0; m < PLIANT_METHOD_COUNT; m++) {
        pliant_method_def def = pliant_method_def_default();
        def.method = (pliant_method)m;
        printf("%s{\"name\": \"%s\", \"settings\": ", m ? ", " : "", pliant_method_describe(def.method)->name);
        cli_print_json_settings(&def);
        printf("}");
    }
    printf("], \"formats\": [");
    for (uint32_t i = 0; pliant_format_at(i); i++) printf("%s\"%s\"", i ? ", " : "", pliant_format_at(i)->ending);
    printf("], \"meshes\": [");
    for (uint32_t i = 0; pliant_mesh_format_at(i); i++) printf("%s\"%s\"", i ? ", " : "", pliant_mesh_format_at(i)->ending);
    printf("], \"draws\": %s, \"views\": %s, \"cholmod\": %s, \"imports\": %s, \"hdf5\": %s}\n", draws ? "true" : "false",
           views ? "true" : "false", cli_lacks_cholmod() ? "false" : "true", imports() ? "true" : "false", has_hdf5() ? "true" : "false");
}

static int run(const void *given)
{
    const info_options *o = given;
    pliant_build_info   b = pliant_build();
    if (o->schema) return print_schema();
    if (o->json)
        print_json(&b);
    else
        print_text(&b);
    return CLI_GOOD;
}

const cli_verb cli_info = {"info",
                           "",
                           0,
                           0,
                           "say what this copy of pliant is and has",
                           "Prints version, compiler, lane widths and which of them this processor runs, constraints, methods with their "
                           "settings,\nformats and materials.",
                           CLI_OPTIONS(options),
                           sizeof(info_options),
                           run};
