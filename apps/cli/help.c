/* pliant help: verbs and options; also the man page and the completion, from the same rows. */
#include "cli.h"

typedef struct help_options {
    cli_operands operands;
    bool         man, bash;
} help_options;

static const cli_option options[] = {
    {.name = "man", .type = CLI_FLAG, .offset = offsetof(help_options, man), .text = "print the man page"},
    {.name = "bash", .type = CLI_FLAG, .offset = offsetof(help_options, bash), .text = "print the completion for bash"},
};

static int run(const void *given)
{
    const help_options *o = given;
    if (o->man) cli_print_man();
    if (o->bash) cli_print_bash();
    if (o->man || o->bash) return CLI_GOOD;
    if (!o->operands.count) {
        for (size_t i = 0; cli_verbs[i]; i++) cli_print_usage(cli_verbs[i]);
        return CLI_GOOD;
    }
    const cli_verb *verb = cli_find_verb(o->operands.operand[0]);
    if (!verb) return cli_usage_error("unknown verb %s (pliant help lists them)", o->operands.operand[0]);
    cli_print_help(verb);
    return CLI_GOOD;
}

const cli_verb cli_help = {
    "help", "[VERB]", 0, 1, "say what a verb does", "Without a verb, lists all of them.", CLI_OPTIONS(options), sizeof(help_options), run};
