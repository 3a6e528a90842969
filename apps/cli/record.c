/* pliant record, pliant replay: the inputs and hashes of a run, and the same steps again. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

typedef struct record_options {
    cli_operands operands;
    const char  *output, *method, *root;
    uint32_t     frames, threads;
    bool         quiet, force;
} record_options;

static const cli_option record_table[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_TEXT,
     .value = "FILE",
     .offset = offsetof(record_options, output),
     .text = "the recording"},
    {.name = "frames",
     .type = CLI_COUNT,
     .value = "N",
     .low = 1,
     .high = 100000000,
     .offset = offsetof(record_options, frames),
     .text = "simulate N frames instead of as many as the scene says"},
    {.name = "threads",
     .type = CLI_COUNT,
     .value = "N",
     .low = 1,
     .high = 64,
     .offset = offsetof(record_options, threads),
     .text = "threads to use, 1 to 64 (default: the processors, up to 16)"},
    {.name = "method",
     .type = CLI_TEXT,
     .value = "NAME",
     .offset = offsetof(record_options, method),
     .text = "solve by another method than the scene's: NAME[:SETTING=VALUE]..."},
    CLI_OPTION_ROOT(record_options),
    CLI_OPTION_FORCE(record_options),
    {.name = "quiet", .letter = 'q', .type = CLI_FLAG, .offset = offsetof(record_options, quiet), .text = "no progress and no summary"},
};

typedef struct replay_options {
    cli_operands operands;
    uint32_t     frames, threads;
    bool         quiet;
} replay_options;

static const cli_option replay_table[] = {
    {.name = "frames",
     .type = CLI_COUNT,
     .value = "N",
     .low = 1,
     .high = 100000000,
     .offset = offsetof(replay_options, frames),
     .text = "stop after frame N"},
    {.name = "threads",
     .type = CLI_COUNT,
     .value = "N",
     .low = 1,
     .high = 64,
     .offset = offsetof(replay_options, threads),
     .text = "threads to use, 1 to 64 (default: the processors, up to 16)"},
    {.name = "quiet", .letter = 'q', .type = CLI_FLAG, .offset = offsetof(replay_options, quiet), .text = "no progress and no summary"},
};

/* A model that is stepped, in both verbs. */
typedef struct tape {
    const char         *name;
    const pliant_model *model;
    pliant_solver      *solver;
    pliant_state       *state;
    pliant_inputs      *inputs;
    pliant_recorder    *recorder;
    cli_progress        progress;
    uint32_t            done, frames;
    pliant_error        error;
} tape;

static bool make(tape *t, const pliant_model *model, const pliant_method_def *method, uint32_t threads)
{
    pliant_solver_def def = pliant_solver_def_default();
    def.threads = threads ? threads : cli_default_threads();
    def.method = method;
    def.linear = cli_linear();
    t->model = model;
    t->solver = pliant_solver_create(model, &def, &t->error);
    t->state = t->solver ? pliant_state_create(model, &t->error) : NULL;
    t->inputs = t->state ? pliant_inputs_create(model, &t->error) : NULL;
    return t->inputs != NULL;
}

static void release(tape *t)
{
    pliant_recorder_close(t->recorder, NULL);
    pliant_inputs_destroy(t->inputs);
    pliant_state_destroy(t->state);
    pliant_solver_destroy(t->solver);
}

static bool step(tape *t)
{
    pliant_code code = pliant_solver_step(t->solver, t->state, t->inputs);
    if (code == PLIANT_OK) return true;
    cli_explain_step(&t->error, code, t->model, t->solver, t->done + 1);
    return false;
}

static int end(tape *t, bool ok)
{
    cli_progress_end(&t->progress);
    if (!ok && !*t->error.path) snprintf(t->error.path, sizeof t->error.path, "%.255s", t->name);
    int code = ok ? CLI_GOOD : cli_fail(&t->error);
    if (ok && t->done < t->frames) {
        fprintf(stderr, "%s: interrupted after frame %u of %u\n", t->name, t->done, t->frames);
        code = CLI_INTERRUPTED;
    }
    return code;
}

/* ---- record ---- */

static bool record_frames(tape *t, double fps)
{
    while (t->done < t->frames && !cli_interrupted()) {
        if (pliant_inputs_reset(t->inputs, 1 / fps) != PLIANT_OK || !step(t)) return false;
        if (pliant_recorder_frame(t->recorder, t->inputs, t->state, &t->error) != PLIANT_OK) return false;
        cli_progress_step(&t->progress, ++t->done);
    }
    return true;
}

static int record(const void *given)
{
    const record_options *o = given;
    tape                  t = {.name = o->operands.operand[0]};
    pliant_model_file     file;
    pliant_method_def     method;
    pliant_read_def       def = pliant_read_def_default();
    if (!o->output) return cli_usage_error("record: say where to, -o FILE");
    def.allocator = cli_memory();
    def.reads = cli_note_read;
    def.root = o->root;
    if (!o->quiet) def.notice = cli_print_notice;
    if (pliant_model_read(t.name, &def, &file, &t.error) != PLIANT_OK) return cli_fail(&t.error);
    int code = CLI_BAD_INPUT;
    if (!o->method && !cli_takes(&file, t.name, &t.error)) {
        code = cli_fail(&t.error);
    } else if (!o->method || cli_read_method(o->method, file.model, &method)) {
        cli_catch_signals();
        t.frames = o->frames ? o->frames : file.frames;
        if (!t.frames)
            t.error = (pliant_error){.code = PLIANT_ERROR_INPUT, .message = "there are no frames to record (--frames says how many)"};
        bool ok = t.frames &&
                  cli_may_write(o->output, PLIANT_OUTPUT_RECORDING, o->force, &t.error) && /* now that the files are known that the scene
                                                                                              reads */
                  make(&t, file.model, o->method ? &method : NULL, o->threads);
        t.recorder = ok ? pliant_recorder_open(o->output, t.state, o->method ? &method : NULL, &t.error) : NULL;
        ok = ok && t.recorder;
        cli_progress_start(&t.progress, o->quiet || !ok, t.frames);
        code = end(&t, ok && record_frames(&t, file.fps));
        if (code == CLI_GOOD && !o->quiet)
            printf("wrote %s: %u frames, hash %016llx\n", o->output, t.done, (unsigned long long)pliant_state_hash(t.state));
        release(&t);
    }
    pliant_model_close(&file);
    return code;
}

const cli_verb cli_record = {"record",
                             "SCENE",
                             1,
                             1,
                             "simulate a scene and record what was asked of it",
                             "Writes one file with the model, the state at the start, and of every frame the inputs and the hash of the "
                             "state after it. It is valid\n"
                             "after every frame. pliant replay does the same again and compares, on any machine. A host records in the "
                             "same way: pliant_recorder_open.",
                             CLI_OPTIONS(record_table),
                             sizeof(record_options),
                             record};

/* ---- replay ---- */

static bool replay_frames(tape *t, const pliant_recording *recording, int *code)
{
    uint64_t hash;
    while (t->done < t->frames && !cli_interrupted()) {
        if (pliant_recording_frame(recording, t->done, t->inputs, &hash, &t->error) != PLIANT_OK || !step(t)) return false;
        cli_progress_step(&t->progress, ++t->done);
        if (pliant_state_hash(t->state) == hash) continue;
        *code = CLI_CHECK_FAILED;
        cli_progress_end(&t->progress);
        fprintf(stderr, "%s: frame %u has hash %016llx, and was recorded with %016llx\n", t->name, t->done,
                (unsigned long long)pliant_state_hash(t->state), (unsigned long long)hash);
        return true;
    }
    return true;
}

static int replay(const void *given)
{
    const replay_options *o = given;
    tape                  t = {.name = o->operands.operand[0]};
    pliant_recording     *recording = pliant_recording_open(t.name, &t.error);
    if (!recording) return cli_fail(&t.error);
    const pliant_method_def method = pliant_recording_method(recording);
    int                     differs = CLI_GOOD;
    cli_catch_signals();
    t.frames = pliant_recording_frames(recording);
    if (o->frames && o->frames < t.frames) t.frames = o->frames;
    bool ok = make(&t, pliant_recording_model(recording), &method, o->threads) &&
              pliant_recording_begin(recording, t.state, &t.error) == PLIANT_OK;
    cli_progress_start(&t.progress, o->quiet || !ok, t.frames);
    ok = ok && replay_frames(&t, recording, &differs);
    int code = differs ? differs : end(&t, ok);
    if (code == CLI_GOOD && !o->quiet)
        printf("%s: %u frames, each as it was recorded; hash %016llx\n", t.name, t.done, (unsigned long long)pliant_state_hash(t.state));
    release(&t);
    pliant_recording_close(recording);
    return code;
}

const cli_verb cli_replay = {
    "replay",
    "RECORDING",
    1,
    1,
    "do again what was recorded, and compare frame by frame",
    "Needs nothing but the recording. Ends with 1 at the first frame with another hash than was recorded, and names it.",
    CLI_OPTIONS(replay_table),
    sizeof(replay_options),
    replay};
