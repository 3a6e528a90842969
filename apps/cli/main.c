/* pliant: finds the verb, reads its options, runs it. The verb help is here, since it is about verbs; it also prints the man page and the completion. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- verbs ---- */

typedef struct help_options {
    cli_operands operands;
    bool         man, bash;
} help_options;

static const cli_option help_rows[] = {
    {.name = "man", .type = CLI_FLAG, .offset = offsetof(help_options, man), .text = "print the man page"},
    {.name = "bash", .type = CLI_FLAG, .offset = offsetof(help_options, bash), .text = "print the completion for bash"},
};

static int run_help(const void *given);

static const cli_verb verb_help = {
    "help",  "[VERB]", 0, 1, "say what a verb does", "Without a verb, lists all of them.", CLI_OPTIONS(help_rows), sizeof(help_options),
    run_help};

static const cli_verb *const verbs[] = {&cli_run,    &cli_render, &cli_view,    &cli_demo,  &cli_cook, &cli_record,
                                        &cli_replay, &cli_check,  &cli_compare, &cli_bench, &cli_info, &cli_selftest,
                                        &cli_eval,   &cli_mesh,   &verb_help,   NULL};

static const cli_verb *find_verb(const char *name)
{
    for (size_t i = 0; verbs[i]; i++)
        if (strcmp(verbs[i]->name, name) == 0) return verbs[i];
    return NULL;
}

/* ---- help ---- */

static int run_help(const void *given)
{
    const help_options *o = given;
    if (o->man) cli_print_man(verbs);
    if (o->bash) cli_print_bash(verbs);
    if (o->man || o->bash) return CLI_GOOD;
    if (!o->operands.count) {
        for (size_t i = 0; verbs[i]; i++) cli_print_usage(verbs[i]);
        return CLI_GOOD;
    }
    const cli_verb *verb = find_verb(o->operands.operand[0]);
    if (!verb) return cli_usage_error("unknown verb %s (pliant help lists them)", o->operands.operand[0]);
    cli_print_help(verb);
    return CLI_GOOD;
}

static void print_overview(FILE *to)
{
    fputs("pliant: position-based dynamics\n\nusage: pliant VERB [OPTION]... [FILE]\n\n", to);
    for (size_t i = 0; verbs[i]; i++) fprintf(to, "  %-9s %s\n", verbs[i]->name, verbs[i]->summary);
    fputs("\npliant help VERB says more, pliant version which copy this is. Exit codes: 0 good, 1 a check failed, 2 usage, bad or missing "
          "input, 3 "
          "input or output failed,\n"
          "4 diverged or gained energy, 5 out of memory, 6 a part is not available here, 130 interrupted.\n",
          to);
}

/* ---- running ---- */

static int run_verb(const cli_verb *verb, int argc, char **argv)
{
    void *options = calloc(1, verb->size);
    bool  help = false;
    if (!options) return cli_fail(&(pliant_error){.code = PLIANT_ERROR_MEMORY});
    int code = CLI_BAD_INPUT;
    if (cli_parse(verb, argc, argv, options, &help)) {
        if (help) cli_print_help(verb);
        code = help ? CLI_GOOD : verb->run(options);
    }
    free(options);
    return code;
}

/* Checks that the printed bytes have arrived: they may not, on a full disk, say. */
static int finish(int code)
{
    bool lost = fflush(stdout) != 0 || ferror(stdout);
    if (lost && code == CLI_GOOD) {
        fputs("pliant: standard output could not be written\n", stderr);
        return CLI_IO_FAILED;
    }
    return code;
}

/* A closed stream is opened in the mode that its users cannot use: else the next file gets its number, and is read or written in the place of the
 * stream. */
static void occupy_streams(void)
{
    for (int stream = 0; stream < 3; stream++)
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) < 0) return;
}

int main(int argc, char **argv)
{
    occupy_streams();
#ifdef SIGXFSZ
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error to report, not a reason to die */
#endif
    signal(SIGPIPE, SIG_IGN);
    if (argc < 2) {
        print_overview(stderr);
        return CLI_BAD_INPUT;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || (strcmp(word, "help") == 0 && argc == 2)) {
        print_overview(stdout);
        return finish(CLI_GOOD);
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "version") == 0) {
        printf("pliant %s\n", pliant_build().version);
        return finish(CLI_GOOD);
    }
    const cli_verb *verb = find_verb(word);
    if (!verb) return cli_usage_error("unknown verb %s (pliant help lists them)", word);
    return finish(run_verb(verb, argc - 2, argv + 2));
}
