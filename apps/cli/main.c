/* pliant: finds the verb, reads its options, runs it. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const cli_verb *const cli_verbs[] = {&cli_run,     &cli_render, &cli_view, &cli_demo,     &cli_cook, &cli_record, &cli_replay, &cli_check,
                                     &cli_compare, &cli_bench,  &cli_info, &cli_selftest, &cli_eval, &cli_mesh,   &cli_help,   NULL};

const cli_verb *cli_find_verb(const char *name)
{
    for (size_t i = 0; cli_verbs[i]; i++)
        if (strcmp(cli_verbs[i]->name, name) == 0) return cli_verbs[i];
    return NULL;
}

int cli_exit_code(pliant_code code)
{
    static const int codes[] = {CLI_GOOD,      CLI_BAD_INPUT, CLI_BAD_INPUT,   CLI_IO_FAILED,
                                CLI_NO_MEMORY, CLI_DIVERGED,  CLI_UNAVAILABLE, CLI_INTERRUPTED};
    return (unsigned)code < sizeof codes / sizeof *codes ? codes[code] : CLI_CHECK_FAILED;
}

/* One line on standard error, whatever is in the names that it has: a line break or a terminal's command in one is a question mark. */
static void say(const char *format, ...)
{
    char    line[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < 32 || *c == 127) *c = '?';
    fprintf(stderr, "%s\n", line);
}

int cli_fail(const pliant_error *error)
{
    const char *message = *error->message ? error->message : pliant_code_name(error->code);
    char        line[16] = "", memory[96] = "";
    uint64_t    wanted, there;
    if (*error->path && error->line) snprintf(line, sizeof line, ":%d", error->line);
    if (error->code == PLIANT_ERROR_MEMORY && cli_memory_refused(&wanted, &there)) {
        const int length = snprintf(memory, sizeof memory, " (%llu bytes in all", (unsigned long long)wanted);
        if (wanted > there)
            snprintf(memory + length, sizeof memory - (size_t)length, ", and there are %llu)", (unsigned long long)there);
        else
            strcpy(memory + length, ")");
    }
    say("%s%s: %s%s", *error->path ? error->path : "pliant", line, message, memory);
    return cli_exit_code(error->code);
}

void cli_print_notice(const char *text, void *context)
{
    (void)context;
    say("pliant: note: %s", text);
}

int cli_usage_error(const char *format, ...)
{
    char    text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say("pliant: %s", text);
    return CLI_BAD_INPUT;
}

static void print_overview(FILE *to)
{
    fputs("pliant: position-based dynamics\n\nusage: pliant VERB [OPTION]... [FILE]\n\n", to);
    for (size_t i = 0; cli_verbs[i]; i++) fprintf(to, "  %-9s %s\n", cli_verbs[i]->name, cli_verbs[i]->summary);
    fputs("\npliant help VERB says more, pliant version which copy this is. Exit codes: 0 good, 1 a check failed, 2 usage, bad or missing "
          "input, 3 "
          "input or output failed,\n"
          "4 diverged or gained energy, 5 out of memory, 6 a part is not available here, 130 interrupted.\n",
          to);
}

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
    const cli_verb *verb = cli_find_verb(word);
    if (!verb) return cli_usage_error("unknown verb %s (pliant help lists them)", word);
    return finish(run_verb(verb, argc - 2, argv + 2));
}
