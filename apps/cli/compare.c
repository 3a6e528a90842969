/* pliant compare: how fast methods bring down the residual of a scene's constraints. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

typedef struct compare_options {
    cli_operands operands;
    cli_paths    outputs;
    const char  *methods, *reference;
    double       until;
    uint32_t     frame, iterations, substeps, threads, repeat;
    bool         mend, quiet, json, force;
    const char  *root;
} compare_options;

static const cli_option options[] = {
    {.name = "methods",
     .type = CLI_TEXT,
     .value = "LIST",
     .offset = offsetof(compare_options, methods),
     .text = "methods with commas between, each NAME[:SETTING=VALUE]..., as pliant info lists them (default: all)"},
    {.name = "reference",
     .type = CLI_TEXT,
     .value = "METHOD",
     .offset = offsetof(compare_options, reference),
     .text = "measure how far from the end of this method's substep each one is: newton:gradients=implicit (default: not measured)"},
    {.name = "frame",
     .type = CLI_COUNT,
     .value = "N",
     .high = 100000000,
     .initial = CLI_UNSAID,
     .offset = offsetof(compare_options, frame),
     .text = "start from frame N; 0 is the initial state (default: one second on, or the last frame if that is earlier)"},
    {.name = "until",
     .type = CLI_REAL,
     .value = "SHARE",
     .high = 1,
     .initial = 1e-4,
     .offset = offsetof(compare_options, until),
     .text = "the residual to reach, as a share of the first one (default: 0.0001)"},
    {.name = "iterations",
     .type = CLI_COUNT,
     .value = "N",
     .low = 1,
     .high = 10000,
     .initial = 1000,
     .offset = offsetof(compare_options, iterations),
     .text = "follow N iterations of each (default: 1000)"},
    {.name = "substeps",
     .type = CLI_COUNT,
     .value = "N",
     .low = 1,
     .high = 10000,
     .offset = offsetof(compare_options, substeps),
     .text = "take a substep of 1/N of a frame (default: the scene's)"},
    {.name = "threads",
     .type = CLI_COUNT,
     .value = "N",
     .low = 1,
     .high = 64,
     .initial = 1,
     .offset = offsetof(compare_options, threads),
     .text = "threads to iterate with, 1 to 64 (default: 1)"},
    {.name = "repeat",
     .type = CLI_COUNT,
     .value = "N",
     .low = 1,
     .high = COMPARE_MOST_REPETITIONS,
     .initial = 3,
     .offset = offsetof(compare_options, repeat),
     .text = "measure times N times in turn, and take medians (default: 3)"},
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATHS,
     .value = "PATH",
     .offset = offsetof(compare_options, outputs),
     .text = "write the curves: FILE.csv, or a picture of them: FILE.svg; may be given several times"},
    CLI_OPTION_MEND(compare_options),
    CLI_OPTION_ROOT(compare_options),
    CLI_OPTION_FORCE(compare_options),
    {.name = "quiet", .letter = 'q', .type = CLI_FLAG, .offset = offsetof(compare_options, quiet), .text = "no progress and no table"},
    {.name = "json", .type = CLI_FLAG, .offset = offsetof(compare_options, json), .text = "one line of JSON instead of the table"},
};

/* ---- methods ---- */

static bool add_method(compare_job *job, const char *label, size_t length)
{
    compare_curve *c = &job->curves[job->count];
    if (job->count == COMPARE_MOST_METHODS || length >= sizeof c->label) {
        cli_usage_error(length >= sizeof c->label ? "--methods: %.40s... is too long for a method" : "--methods: too many, from %.40s on",
                        label);
        return false;
    }
    memcpy(c->label, label, length);
    for (uint32_t i = 0; i < job->count; i++)
        if (strcmp(job->curves[i].label, c->label) == 0) {
            cli_usage_error("--methods: %s is given twice", c->label);
            return false;
        }
    job->count++;
    return cli_read_method(c->label, job->moments.model, &c->method);
}

static bool read_methods(compare_job *job, const char *list)
{
    for (int m = 0; !list && m < PLIANT_METHOD_COUNT; m++) {
        const char *name = pliant_method_describe((pliant_method)m)->name;
        if (!add_method(job, name, strlen(name))) return false;
    }
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!add_method(job, at, strcspn(at, ","))) return false;
    return true;
}

/* The method that errors are measured from, if one is asked for. */
static bool read_reference(compare_job *job, const char *text)
{
    compare_curve *c = &job->reference;
    job->referred = text != NULL;
    if (!text) return true;
    if (strlen(text) >= sizeof c->label) return cli_usage_error("--reference: %.40s... is too long for a method", text), false;
    snprintf(c->label, sizeof c->label, "%s", text);
    job->prediction.method = pliant_method_def_default();
    return cli_read_method(c->label, job->moments.model, &c->method);
}

/* ---- outputs ---- */

static const struct output {
    const char *ending;
    void (*write)(FILE *to, const compare_job *job);
    pliant_output what;
} outputs[] = {{".csv", compare_write_csv, PLIANT_OUTPUT_CURVES}, {".svg", compare_write_svg, PLIANT_OUTPUT_CHART}};

static const struct output *output_of(const char *path)
{
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (cli_ends_with(path, outputs[i].ending)) return &outputs[i];
    return NULL;
}

static int check_outputs(const cli_paths *paths, bool force)
{
    pliant_error error = {0};
    for (uint32_t i = 0; i < paths->count; i++) {
        const struct output *output = output_of(paths->path[i]);
        if (!output) return cli_usage_error("compare writes FILE.csv and FILE.svg, not %s", paths->path[i]);
        if (!cli_may_write(paths->path[i], output->what, force, &error)) return cli_fail(&error);
    }
    return CLI_GOOD;
}

static int open_outputs(compare_job *job, const cli_paths *paths)
{
    pliant_error error = {0};
    for (uint32_t i = 0; i < paths->count; i++) {
        job->out_count++;
        if (!cli_out_open(&job->outs[i], paths->path[i], &error)) return cli_fail(&error);
    }
    return CLI_GOOD;
}

static int write_outputs(compare_job *job)
{
    pliant_error error = {0};
    for (uint32_t i = 0; i < job->out_count; i++) output_of(job->outs[i].path)->write(job->outs[i].file, job);
    return cli_out_finish(job->outs, job->out_count, &error) ? CLI_GOOD : cli_fail(&error);
}

/* ---- the verb ---- */

/* From frame 0 to the one that is compared, by the scene's own method. */
static int go_to_frame(compare_job *job)
{
    cli_progress progress;
    pliant_error error = {0};
    bool         ok = true;
    cli_progress_start(&progress, job->quiet, job->frame);
    while (ok && job->moments.now < job->frame && !cli_interrupted()) {
        ok = cli_moments_next(&job->moments, &error);
        if (ok) cli_progress_step(&progress, job->moments.now);
    }
    cli_progress_end(&progress);
    if (ok) return cli_interrupted() ? CLI_INTERRUPTED : CLI_GOOD;
    snprintf(error.path, sizeof error.path, "%.200s", job->name);
    return cli_fail(&error);
}

static void print(const compare_job *job, const compare_options *o)
{
    if (o->json)
        compare_print_json(job);
    else if (!o->quiet)
        compare_print_table(job);
}

static int compare(compare_job *job, const compare_options *o)
{
    if (!read_methods(job, o->methods) || !read_reference(job, o->reference)) return CLI_BAD_INPUT;
    int code = compare_prepare(job);
    if (code == CLI_GOOD && !compare_any(job)) {
        print(job, o); /* prints the reason */
        fprintf(stderr, "%s: none of the methods can take this scene\n", job->name);
        return CLI_CHECK_FAILED;
    }
    if (code == CLI_GOOD) code = open_outputs(job, &o->outputs);
    if (code == CLI_GOOD) code = go_to_frame(job);
    if (code == CLI_GOOD) code = compare_measure(job);
    if (code == CLI_GOOD && job->referred) code = compare_errors(job);
    if (code == CLI_GOOD) code = write_outputs(job);
    if (code == CLI_GOOD) print(job, o);
    if (code == CLI_INTERRUPTED) fprintf(stderr, "%s: interrupted; nothing was written\n", job->name);
    return code;
}

static void release_curve(compare_curve *c)
{
    double *all[] = {c->iteration, c->ms, c->constraint, c->primal, c->relative[0], c->relative[1], c->primal_max, c->times};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    pliant_solver_destroy(c->solver);
}

static void release(compare_job *job)
{
    for (uint32_t i = 0; i < job->out_count; i++) cli_out_drop(&job->outs[i]);
    for (uint32_t i = 0; i < job->count; i++) release_curve(&job->curves[i]);
    release_curve(&job->reference);
    release_curve(&job->prediction);
    cli_moments_end(&job->moments);
    free(job);
}

static uint32_t frame_of(const compare_options *o, const pliant_model_file *file)
{
    uint32_t second = (uint32_t)(file->fps + 0.5);
    if (o->frame != CLI_UNSAID) return o->frame;
    return second < file->frames ? second : file->frames;
}

static int run(const void *given)
{
    const compare_options *o = given;
    pliant_error           error = {0};
    pliant_model_file      file;
    pliant_read_def        def = pliant_read_def_default();
    cli_note_read(o->operands.operand[0], NULL);
    int outputs_code = check_outputs(&o->outputs, o->force);
    if (outputs_code != CLI_GOOD) return outputs_code;
    def.allocator = cli_memory();
    def.reads = cli_note_read;
    def.mend = o->mend;
    def.root = o->root;
    if (!o->quiet) def.notice = cli_print_notice;
    if (pliant_model_read(o->operands.operand[0], &def, &file, &error) != PLIANT_OK) return cli_fail(&error);
    compare_job *job = calloc(1, sizeof *job);
    int          code = CLI_NO_MEMORY;
    if (job) {
        cli_catch_signals();
        job->name = o->operands.operand[0];
        job->frame = frame_of(o, &file);
        job->iterations = o->iterations;
        job->threads = o->threads;
        job->repeat = o->repeat;
        job->until = o->until;
        job->quiet = o->quiet;
        bool made = cli_moments_begin(&job->moments, &file, 0, NULL, &error);
        if (!made && !*error.path) snprintf(error.path, sizeof error.path, "%.255s", job->name);
        if (made) job->h = o->substeps ? 1 / file.fps / o->substeps : cli_substep_of(job->moments.model, file.fps);
        code = made ? compare(job, o) : cli_fail(&error);
        release(job);
    }
    pliant_model_close(&file);
    return code;
}

const cli_verb cli_compare = {
    "compare",
    "SCENE",
    1,
    1,
    "compare methods on a scene: residuals by iterations and by time",
    "Simulates a scene to a frame by its own method, takes one substep from there with each method, and follows what is left of its\n"
    "constraints and of its equation of motion from iteration to iteration (docs/compare.md). Prints a table and names the fastest to\n"
    "the wanted residual. A method that cannot take the scene is listed with its reason; where none can, that is exit code 1.",
    CLI_OPTIONS(options),
    sizeof(compare_options),
    run};
