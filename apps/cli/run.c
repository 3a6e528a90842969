/* pliant run: a scene file in, an animation out. */
#include "profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run_options {
    cli_operands operands;
    cli_paths    outputs;
    uint32_t     frames, substeps, iterations, threads, hash_every, every, start, subframes;
    const char  *order, *replay, *method, *checkpoint, *resume, *profile, *energy, *on_energy;
    bool         quiet, json, dump_order, mend, new_solver, force, crossings, energy_bodies, exploded;
    const char  *root;
} run_options;

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATHS,
     .value = "PATH",
     .offset = offsetof(run_options, outputs),
     .text = "write the animation, by its ending as one of the formats that pliant info lists (.pc2, .abc, .glb, .vtkhdf ...), or a folder "
             "NAME/ of .obj; may be given several times"},
    {.name = "frames",
     .type = CLI_COUNT,
     .value = "N",
     .high = 100000000,
     .initial = CLI_UNSAID,
     .offset = offsetof(run_options, frames),
     .text = "simulate N frames instead of as many as the scene says; 0: the start alone"},
    {.name = "substeps",
     .type = CLI_COUNT,
     .value = "N",
     .low = 1,
     .high = 10000,
     .offset = offsetof(run_options, substeps),
     .text = "N substeps of a frame instead of the scene's"},
    {.name = "iterations",
     .type = CLI_COUNT,
     .value = "N",
     .low = 1,
     .high = 10000,
     .offset = offsetof(run_options, iterations),
     .text = "N iterations of a substep instead of the scene's"},
    {.name = "threads",
     .type = CLI_COUNT,
     .value = "N",
     .low = 1,
     .high = 64,
     .offset = offsetof(run_options, threads),
     .text = "threads to use, 1 to 64; results do not depend on it (default: the processors, up to 16)"},
    {.name = "order",
     .type = CLI_WORD,
     .value = "ORDER",
     .words = "given",
     .offset = offsetof(run_options, order),
     .text = "given: solve constraints serially, as the scene lists them"},
    {.name = "method",
     .type = CLI_TEXT,
     .value = "NAME",
     .offset = offsetof(run_options, method),
     .text = "solve by another method than the scene's: NAME[:SETTING=VALUE]..., as pliant info lists them"},
    {.name = "checkpoint",
     .type = CLI_TEXT,
     .value = "FILE",
     .offset = offsetof(run_options, checkpoint),
     .takes_every = true,
     .text = "keep a checkpoint in FILE, from which a run that was stopped or killed goes on"},
    {.name = "every",
     .type = CLI_EVERY,
     .value = "N",
     .low = 1,
     .high = 100000000,
     .offset = offsetof(run_options, every),
     .text = "of the -o before it: write every Nth frame only; of the --checkpoint or --resume before it: keep a checkpoint every N frames "
             "(default: 10), and after the last"},
    {.name = "exploded",
     .type = CLI_EXPLODED,
     .offset = offsetof(run_options, exploded),
     .text =
         "of the -o before it: write bodies that tear with a vertex per corner of a face, for formats with the same faces in all frames"},
    {.name = "start",
     .type = CLI_COUNT,
     .value = "N",
     .low = 0,
     .high = 1000000000,
     .offset = offsetof(run_options, start),
     .text = "the number of the first frame in outputs, 1001 for example (default: 0)"},
    {.name = "subframes",
     .type = CLI_COUNT,
     .value = "N",
     .low = 1,
     .high = 1000,
     .offset = offsetof(run_options, subframes),
     .text = "write N states per frame, equally far apart, taken at substeps; their number is a multiple of N; results are the same"},
    {.name = "resume",
     .type = CLI_TEXT,
     .value = "FILE",
     .offset = offsetof(run_options, resume),
     .takes_every = true,
     .text = "go on from a checkpoint, which is kept on; outputs are cut to its frame. Where there is none yet, begin"},
    {.name = "quiet", .letter = 'q', .type = CLI_FLAG, .offset = offsetof(run_options, quiet), .text = "no progress and no summary"},
    {.name = "json", .type = CLI_FLAG, .offset = offsetof(run_options, json), .text = "end with one line of JSON on standard output"},
    {.name = "dump-order",
     .type = CLI_FLAG,
     .offset = offsetof(run_options, dump_order),
     .text = "print the constraints in the order solved, as a scene's \"constraints\", and simulate nothing"},
    {.name = "replay",
     .type = CLI_TEXT,
     .value = "FILE",
     .offset = offsetof(run_options, replay),
     .text = "solve the constraints of FILE, a list as --dump-order prints it, serially, instead of the scene's own"},
    CLI_OPTION_MEND(run_options),
    CLI_OPTION_ROOT(run_options),
    CLI_OPTION_FORCE(run_options),
    {.name = "profile",
     .type = CLI_TEXT,
     .value = "FILE",
     .offset = offsetof(run_options, profile),
     .text = "write what each thread did when, step by step and patch by patch, for ui.perfetto.dev or chrome://tracing (docs/profile.md)"},
    {.name = "crossings",
     .type = CLI_FLAG,
     .offset = offsetof(run_options, crossings),
     .text = "look for bodies that cut through each other, in every frame and from substep to substep; exit code 1 if any do "
             "(docs/contact.md)"},
    {.name = "energy",
     .type = CLI_TEXT,
     .value = "FILE",
     .offset = offsetof(run_options, energy),
     .text =
         "write kinetic, gravity and elastic energy of every frame, and what was done and dissipated, as columns (.csv) or a plot (.svg), "
         "and say so if energy comes from nowhere (docs/energy.md)"},
    {.name = "energy-bodies",
     .type = CLI_FLAG,
     .offset = offsetof(run_options, energy_bodies),
     .text = "with --energy FILE.csv columns of each body, too; with --json what each has in the last frame"},
    {.name = "on-energy",
     .type = CLI_WORD,
     .value = "WHAT",
     .words = "ignore|warn|stop",
     .offset = offsetof(run_options, on_energy),
     .text =
         "instead of the scene's \"on_energy\": stop: a frame that gains energy from nowhere ends the run with exit code 4; warn: a line "
         "at the end says so; ignore: energies are reckoned only for --energy and --json (docs/energy.md)"},
    {.name = "hash-every",
     .type = CLI_COUNT,
     .value = "N",
     .low = 1,
     .high = 100000000,
     .offset = offsetof(run_options, hash_every),
     .text = "print a hash of the state every N frames"},
    {.name = "every-frame-new-solver",
     .type = CLI_FLAG,
     .offset = offsetof(run_options, new_solver),
     .text = "throw the solver away after every frame: a check that everything that counts is in the state"},
};

/* Keys of targets can make an entry as long as they please. */
static int dump_order(const pliant_scene *scene, const pliant_model *model)
{
    uint32_t count = pliant_model_solved_count(model);
    size_t   room = 0;
    char    *line = NULL;
    printf("[");
    for (uint32_t i = 0; i < count; i++) {
        size_t length = pliant_order_entry(scene, model, i, line, room);
        if (length >= room) {
            char *more = realloc(line, 2 * length + 1);
            if (!more) {
                free(line);
                return cli_fail(&(pliant_error){.code = PLIANT_ERROR_MEMORY});
            }
            line = more;
            room = 2 * length + 1;
            pliant_order_entry(scene, model, i, line, room);
        }
        printf("%s\n%s", i ? "," : "", line);
    }
    printf("\n]\n");
    free(line);
    return CLI_GOOD;
}

/* The checkpoint is no output too, nor is the profile one of them. */
static bool check_paths(const run_options *o)
{
    const struct other {
        const char *path, *what;
    } others[] = {
        {o->checkpoint ? o->checkpoint : o->resume, "the checkpoint"}, {o->profile, "the profile"}, {o->energy, "the file of energies"}};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        for (uint32_t i = 0; others[k].path && i < o->outputs.count; i++)
            if (cli_same_place(others[k].path, o->outputs.path[i])) {
                cli_usage_error("%s is given as an output and as %s", others[k].path, others[k].what);
                return false;
            }
    if (others[0].path && o->profile && cli_same_place(others[0].path, o->profile)) {
        cli_usage_error("%s is given as the checkpoint and as the profile", o->profile);
        return false;
    }
    return true;
}

/* All is read. */
static void note_compiling(void *profile)
{
    cli_profile_leave(profile);
    cli_profile_enter(profile, "compile", NULL);
}

static pliant_on_energy on_energy_of(const run_options *o, const pliant_model *model)
{
    if (!o->on_energy) return pliant_model_settings(model).on_energy;
    return strcmp(o->on_energy, "stop") == 0   ? PLIANT_ENERGY_STOPS
           : strcmp(o->on_energy, "warn") == 0 ? PLIANT_ENERGY_WARNS
                                               : PLIANT_ENERGY_IGNORED;
}

static int run_with(const run_options *o, cli_profile *profile)
{
    pliant_error      error = {0};
    pliant_model_file file;
    pliant_read_def   def = pliant_read_def_default();
    def.allocator = cli_memory();
    def.reads = cli_note_read;
    def.mend = o->mend;
    def.root = o->root;
    def.replay = o->replay;
    def.compiles = note_compiling;
    def.compiles_context = profile;
    def.order_given = o->order && strcmp(o->order, "given") == 0;
    if (!o->quiet) def.notice = cli_print_notice;
    if (o->every && !o->checkpoint && !o->resume)
        return cli_usage_error("--every belongs to the -o, --checkpoint or --resume before it, and there is none");
    if (o->exploded) return cli_usage_error("--exploded belongs to the -o before it, and there is none");
    if (!check_paths(o)) return CLI_BAD_INPUT;
    if (o->energy && !cli_ends_with(o->energy, ".csv") && !cli_ends_with(o->energy, ".svg"))
        return cli_usage_error("--energy %s: its ending is neither .csv (columns) nor .svg (a plot)", o->energy);
    if (o->energy_bodies && !(o->energy && cli_ends_with(o->energy, ".csv")) && !o->json)
        return cli_usage_error("--energy-bodies adds to --energy FILE.csv or to --json, and there is neither");
    cli_profile_enter(profile, "read", o->operands.operand[0]);
    if (pliant_model_read(o->operands.operand[0], &def, &file, &error) != PLIANT_OK) return cli_fail(&error);
    cli_profile_leave(profile);
    int               code;
    pliant_method_def method;
    if (!o->method && !cli_takes(&file, o->operands.operand[0], &error)) {
        code = cli_fail(&error);
    } else if (o->dump_order && !file.scene) {
        code = cli_usage_error("--dump-order takes a scene file, not a cooked model");
    } else if (o->dump_order) {
        code = dump_order(file.scene, file.model);
    } else if (o->method && !cli_read_method(o->method, file.model, &method)) {
        code = CLI_BAD_INPUT;
    } else {
        cli_job job = {.name = o->operands.operand[0],
                       .model = file.model,
                       .frames = o->frames != CLI_UNSAID ? o->frames : file.frames,
                       .fps = file.fps,
                       .substeps = o->substeps,
                       .iterations = o->iterations,
                       .threads = o->threads,
                       .method = o->method ? &method : NULL,
                       .outputs = &o->outputs,
                       .quiet = o->quiet,
                       .json = o->json,
                       .new_solver = o->new_solver,
                       .force = o->force,
                       .crossings = o->crossings,
                       .hash_every = o->hash_every,
                       .checkpoint = o->checkpoint,
                       .checkpoint_every = o->every ? o->every : 10,
                       .start = o->start,
                       .subframes = o->subframes,
                       .resume = o->resume,
                       .profile = profile,
                       .profile_path = o->profile,
                       .energy = o->energy,
                       .energy_bodies = o->energy_bodies,
                       .on_energy = on_energy_of(o, file.model)};
        code = cli_simulate(&job);
    }
    pliant_model_close(&file);
    return code;
}

static int run(const void *given)
{
    const run_options *o = given;
    if (o->profile && o->dump_order) return cli_usage_error("--dump-order simulates nothing, so there is nothing for --profile");
    cli_profile *profile = o->profile ? cli_profile_start() : NULL;
    if (o->profile && !profile) return cli_fail(&(pliant_error){.code = PLIANT_ERROR_MEMORY});
    const int code = run_with(o, profile);
    cli_profile_end(profile);
    return code;
}

const cli_verb cli_run = {
    "run",
    "SCENE",
    1,
    1,
    "simulate a scene and write its animation",
    "Reads a scene file (JSON or YAML, docs/scene-file.md) or a cooked model (pliant cook), simulates it, and writes frame 0, the initial "
    "state, and every\n"
    "frame after it to each output. Without -o nothing is written. Every output is whole after every frame: Ctrl-C ends after\n"
    "the current one, and what was written before can be used. Those that cannot grow frame by frame (.mdd, .glb, .usda) are put together\n"
    "at the end, after Ctrl-C too if no checkpoint is kept; until then they are a work file, FILE.mdd.part, from which --resume goes on.",
    CLI_OPTIONS(options),
    sizeof(run_options),
    run};
