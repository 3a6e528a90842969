/* pliant cook: a scene, compiled, in one file that needs no other. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

typedef struct cook_options {
    cli_operands operands;
    const char  *output, *order;
    bool         quiet, mend, force;
    const char  *root;
} cook_options;

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_TEXT,
     .value = "FILE",
     .offset = offsetof(cook_options, output),
     .text = "the cooked model, FILE.pliant"},
    {.name = "order",
     .type = CLI_WORD,
     .value = "ORDER",
     .words = "given",
     .offset = offsetof(cook_options, order),
     .text = "given: as if the scene said so"},
    CLI_OPTION_MEND(cook_options),
    CLI_OPTION_ROOT(cook_options),
    CLI_OPTION_FORCE(cook_options),
    {.name = "quiet", .letter = 'q', .type = CLI_FLAG, .offset = offsetof(cook_options, quiet), .text = "say nothing"},
};

static int run(const void *given)
{
    const cook_options *o = given;
    const char         *scene = o->operands.operand[0];
    pliant_error        error = {0};
    pliant_model_file   file;
    pliant_read_def     def = pliant_read_def_default();
    if (!o->output) return cli_usage_error("cook: say where to, -o FILE.pliant");
    if (!cli_ends_with(o->output, ".pliant")) return cli_usage_error("cook: %s does not end in .pliant", o->output);
    def.allocator = cli_memory();
    def.reads = cli_note_read;
    def.mend = o->mend;
    def.root = o->root;
    def.order_given = o->order != NULL;
    if (!o->quiet) def.notice = cli_print_notice;
    if (pliant_model_read(scene, &def, &file, &error) != PLIANT_OK) return cli_fail(&error);
    int code = CLI_GOOD;
    if (!cli_takes(&file, scene, &error)) {
        code = cli_fail(&error);
    } else if (!cli_may_write(o->output, PLIANT_OUTPUT_COOKED, o->force, &error) || /* now that the files are known that the scene reads */
               pliant_cooked_write(o->output, file.model, file.frames, file.fps, &error) != PLIANT_OK) {
        code = cli_fail(&error);
    } else if (!o->quiet) {
        size_t bytes;
        pliant_model_data(file.model, &bytes);
        printf("wrote %s: %u particles, %u constraints, %zu bytes, model %016llx\n", o->output, pliant_model_particle_count(file.model),
               pliant_model_constraint_count(file.model, PLIANT_CONSTRAINT_COUNT), bytes + PLIANT_COOKED_TAIL,
               (unsigned long long)pliant_model_hash(file.model));
    }
    pliant_model_close(&file);
    return code;
}

const cli_verb cli_cook = {
    "cook",
    "SCENE",
    1,
    1,
    "compile a scene into one file that needs no mesh",
    "Reads and compiles a scene as run does, and writes the model as it lies in memory. The other verbs take such a file as they take\n"
    "a scene; they map it, and read no mesh. It fits the version and the precision of pliant that cooked it.",
    CLI_OPTIONS(options),
    sizeof(cook_options),
    run};
