/* A scene's frames into files: the loop that run and demo share. */
#define _POSIX_C_SOURCE 200809L
#include "crossings.h"
#include "energy.h"
#include "keeper.h"
#include "profile.h"
#include "stretch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run_state {
    const cli_job *job;
    pliant_solver *solver;
    pliant_state  *state;
    pliant_inputs *inputs;
    pliant_writer *writers[CLI_MAX_PATHS + 1];
    uint32_t       writer_count;
    uint32_t       done;    /* frames */
    uint32_t       written; /* frames that outputs have */
    uint32_t       first;   /* frame that it began with */
    double         seconds;
    double         output_seconds; /* of it all: writing frames, and bringing them to the disk */
    double         started;
    uint32_t       restored, restored_frames; /* bodies put back, counted anew in each frame; frames in which any was */
    uint64_t       pair_searches, pair_partial_searches, particles_held, particles_limited; /* of all steps of this run */
    double         momentum_held;                                                           /* kg m/s, likewise */
    uint64_t       colliders_held;                   /* likewise: each in each step that it is behind */
    double         collider_lag;                     /* m, the farthest that any ever was */
    uint64_t       substeps_done, fallback_substeps; /* of all steps of this run */
    bool           diverged;
    cli_keeper     keeper;
    cli_crossings  crossings;
    cli_energies   energies;
    pliant_error   error;

    pliant_checkpoint from;   /* where it began */
    pliant_method_def method; /* its method, substeps and iterations; 0: the scene's */
    uint32_t          substeps, iterations;
    uint32_t          subframes; /* states that outputs get per frame */
    pliant_state    **between;   /* those before the frame's own, subframes - 1 */
} run_state;

/* 0: the number depends on the time carried from the frames before. */
static uint32_t substeps_of(const run_state *r)
{
    return r->substeps ? r->substeps : pliant_model_substeps(r->job->model, 1 / r->job->fps);
}

static bool make_solver(run_state *r)
{
    pliant_solver_def def = pliant_solver_def_default();
    def.threads = r->job->threads ? r->job->threads : cli_default_threads();
    def.lean = true;
    def.measure = r->job->json;
    def.energy = r->job->json || r->job->energy || r->job->on_energy != PLIANT_ENERGY_IGNORED;
    def.method = &r->method;
    def.linear = cli_linear();
    def.profile = cli_profile_hook(r->job->profile);
    cli_profile_enter(r->job->profile, "solver", NULL);
    r->solver = pliant_solver_create(r->job->model, &def, &r->error);
    cli_profile_leave(r->job->profile);
    return r->solver &&
           cli_profile_ready(r->job->profile, r->job->name, r->job->model, r->solver, substeps_of(r), r->iterations, &r->method, &r->error);
}

static bool open_writer(run_state *r, const char *path, const pliant_write_def *def)
{
    pliant_writer *w = pliant_writer_open(path, r->job->model, def, &r->error);
    if (w) r->writers[r->writer_count++] = w;
    return w != NULL;
}

/* ---- which states go where ----
 *
 * States are counted through: state k is part k % subframes of a frame, 0 the frame itself. Output i gets those that every[i] divides, under
 * the number start + k. So how many it has follows from the frame that the run is at. */

static uint32_t every_of(const run_state *r, uint32_t output)
{
    const cli_paths *outputs = r->job->outputs;
    return outputs->every[output] ? outputs->every[output] : 1;
}

/* How many of the states up to a frame's own an output gets. */
static uint64_t states_until(const run_state *r, uint32_t output, uint32_t frame)
{
    return (uint64_t)frame * r->subframes / every_of(r, output) + 1;
}

static pliant_write_def how_to_write(const run_state *r, uint32_t output)
{
    pliant_write_def def = pliant_write_def_default();
    def.every = every_of(r, output);
    def.exploded = r->job->outputs->exploded[output];
    def.fps = r->job->fps * r->subframes / def.every;
    def.first_frame = r->job->start;
    def.there = r->written ? (uint32_t)states_until(r, output, r->written - 1) : 0;
    def.frames = (uint32_t)states_until(r, output, r->job->frames);
    return def;
}

__attribute__((format(printf, 2, 3))) static bool fail_input(run_state *r, const char *format, ...)
{
    va_list args;
    r->error = (pliant_error){.code = PLIANT_ERROR_INPUT};
    va_start(args, format);
    vsnprintf(r->error.message, sizeof r->error.message, format, args);
    va_end(args);
    return false;
}

/* Substeps that are a multiple, numbers that there are, and memory for the states on the way. */
static bool make_between(run_state *r)
{
    const uint32_t substeps = substeps_of(r);
    if (!substeps && (r->subframes > 1 || r->job->crossings))
        return fail_input(r, "%s: with \"substep_rest\": \"carry\" frames do not end with substeps (--substeps N has N that fill a frame)",
                          r->job->crossings ? "--crossings" : "--subframes");
    if (substeps % r->subframes)
        return fail_input(r, "--subframes %u: the %u substeps of a frame are no multiple of it (--substeps changes them)", r->subframes,
                          substeps);
    if (r->job->start + (uint64_t)r->job->frames * r->subframes > UINT32_MAX)
        return fail_input(r, "the last frame would have number %llu, and the highest is %u",
                          (unsigned long long)(r->job->start + (uint64_t)r->job->frames * r->subframes), UINT32_MAX);
    r->between = calloc(r->subframes, sizeof *r->between);
    if (!r->between) return r->error.code = PLIANT_ERROR_MEMORY, false;
    for (uint32_t i = 0; i + 1 < r->subframes; i++)
        if (!(r->between[i] = pliant_state_create(r->job->model, &r->error))) return false;
    return true;
}

static void keep_part(void *context, const pliant_state *state, uint32_t part)
{
    run_state *r = context;
    pliant_state_copy(r->between[part - 1], state);
}

static bool go_on(run_state *r)
{
    pliant_checkpoint from = pliant_checkpoint_default();
    from.method = r->method;
    from.substeps = r->job->substeps;
    from.iterations = r->job->iterations;
    from.subframes = r->job->subframes ? r->job->subframes : 1;
    if (r->job->resume && !cli_resume(r->job, r->state, &from, &r->error)) return false;
    r->from = from;
    r->method = from.method;
    r->substeps = from.substeps;
    r->iterations = from.iterations;
    r->subframes = from.subframes;
    r->done = r->first = from.frame;
    r->written = from.written;
    return true;
}

/* As the user wrote it. */
static const char *output_path(const run_state *r, uint32_t output)
{
    const cli_paths *outputs = r->job->outputs;
    return outputs && output < outputs->count ? outputs->path[output] : r->job->last;
}

/* Puts together the files that cannot grow frame by frame. */
static bool finish_writers(run_state *r, pliant_error *error)
{
    bool ok = true;
    for (uint32_t i = 0; i < r->writer_count; i++) {
        cli_profile_enter(r->job->profile, "finish", output_path(r, i));
        ok = pliant_writer_finish(r->writers[i], ok ? error : NULL) == PLIANT_OK && ok;
        cli_profile_leave(r->job->profile);
    }
    return ok;
}

/* The profile of a run that went wrong is of use too. */
static bool finish_profile(run_state *r, pliant_error *error)
{
    pliant_error why = {0};
    const bool   ok = cli_profile_write(r->job->profile, &why) && cli_profile_finish(r->job->profile, &why);
    if (!ok && error) *error = why;
    return ok;
}

static bool open_writers(run_state *r)
{
    const cli_job *job = r->job;
    for (uint32_t i = 0; job->outputs && i < job->outputs->count; i++) {
        const pliant_write_def def = how_to_write(r, i);
        if (!open_writer(r, job->outputs->path[i], &def)) return false;
    }
    return true;
}

/* Everything that is going to be written, before anything is. */
static bool look_ahead(run_state *r)
{
    cli_planned    outputs[CLI_MAX_PATHS + 1];
    const cli_job *job = r->job;
    uint32_t       count = 0;
    for (uint32_t i = 0; job->outputs && i < job->outputs->count; i++)
        outputs[count++] = (cli_planned){job->outputs->path[i], how_to_write(r, i)};
    if (job->last) {
        outputs[count] = (cli_planned){job->last, pliant_write_def_default()};
        outputs[count++].def.frames = 1;
    }
    return cli_look_ahead(job, outputs, count, &r->error) && cli_profile_open(job->profile, job->profile_path, job->force, &r->error);
}

static bool start_keeper(run_state *r)
{
    const cli_job *job = r->job;
    cli_keeper    *k = &r->keeper;
    k->path = job->checkpoint ? job->checkpoint : job->resume;
    k->name = job->name;
    k->every = job->checkpoint_every;
    k->frames = job->frames;
    k->at = pliant_checkpoint_default();
    k->at.fps = job->fps;
    k->at.method = r->method;
    k->at.substeps = r->substeps;
    k->at.iterations = r->iterations;
    k->at.subframes = r->subframes;
    k->profile = job->profile;
    return cli_keeper_start(k, job->model, &r->error);
}

static bool prepare(run_state *r)
{
    const cli_job *job = r->job;
    r->method = job->method ? *job->method : pliant_model_settings(job->model).method;
    r->state = pliant_state_create(job->model, &r->error);
    r->inputs = r->state ? pliant_inputs_create(job->model, &r->error) : NULL;
    if (!r->inputs || !go_on(r)) return false;
    cli_note_relaxation(job->name, job->model, &r->method, r->iterations ? r->iterations : pliant_model_settings(job->model).iterations);
    cli_note_parted(job->name, job->model);
    if (!job->quiet && !r->substeps) cli_note_substeps(job->name, job->model);
    if (!job->quiet)
        cli_note_soft(job->name, job->model, &r->method, r->substeps ? 1 / job->fps / r->substeps : cli_substep_of(job->model, job->fps),
                      r->iterations ? r->iterations : pliant_model_settings(job->model).iterations);
    if (!job->quiet && !job->resume) {
        cli_inside *found;
        uint32_t    count;
        const bool  good = cli_find_inside(job->model, &found, &count, &r->error);
        if (good) cli_note_inside(job->name, job->model, found, count);
        free(found);
        if (!good) return false;
    }
    return make_between(r) && look_ahead(r) && cli_energies_start(&r->energies, job, &r->from, &r->error) && make_solver(r) &&
           start_keeper(r) && open_writers(r);
}

/* The states on the way to a frame, and its own. */
static bool write_frame(run_state *r)
{
    const uint64_t last = (uint64_t)r->done * r->subframes;
    const double   start = cli_seconds();
    bool           ok = true;
    for (uint32_t part = r->done ? 1 : r->subframes; part <= r->subframes; part++)
        for (uint32_t i = 0; ok && i < r->writer_count; i++) {
            const pliant_state *state = part < r->subframes ? r->between[part - 1] : r->state;
            if ((last - (r->subframes - part)) % every_of(r, i)) continue;
            cli_profile_enter(r->job->profile, "write", output_path(r, i));
            ok = pliant_writer_frame(r->writers[i], state, &r->error) == PLIANT_OK;
            cli_profile_leave(r->job->profile);
        }
    if (ok) r->written = r->done + 1;
    r->output_seconds += cli_seconds() - start;
    return ok;
}

/* Outputs first: a checkpoint that counts frames which a disk has lost could not be gone on from. */
static bool keep(run_state *r)
{
    double start = cli_seconds();
    bool   ok = true;
    cli_profile_enter(r->job->profile, "checkpoint", r->keeper.path);
    for (uint32_t i = 0; ok && i < r->writer_count; i++) ok = pliant_writer_sync(r->writers[i], &r->error) == PLIANT_OK;
    ok = ok && cli_energies_sync(&r->energies, &r->error);
    r->keeper.at.energy = cli_energies_books(&r->energies, r->done);
    ok = ok && cli_keeper_write(&r->keeper, r->state, r->done, r->written, &r->error);
    cli_profile_leave(r->job->profile);
    r->output_seconds += cli_seconds() - start;
    return ok;
}

/* ---- a step ---- */

/* With --crossings every substep is looked at. */
static void look_at_substep(void *context, const pliant_state *state, uint32_t part)
{
    run_state     *r = context;
    const uint32_t each = substeps_of(r) / r->subframes;
    cli_crossings_substep(&r->crossings, state, r->done + 1, pliant_solver_statistics(r->solver).restored_bodies > 0);
    if (part % each == 0) keep_part(r, state, part / each);
}

static pliant_code solve(run_state *r)
{
    if (!r->crossings.name) return pliant_solver_step_parts(r->solver, r->state, r->inputs, r->subframes, keep_part, r);
    return pliant_solver_step_parts(r->solver, r->state, r->inputs, substeps_of(r), look_at_substep, r);
}

/* A body that was put back is no error, but no result either: the first time is said at once, how often at the end. */
static void note_restored(run_state *r, const cli_progress *progress)
{
    uint32_t bodies = cli_note_restored(r->job->name, r->job->model, r->solver, r->done, progress, r->restored > 0);
    r->restored += bodies;
    r->restored_frames += bodies > 0;
}

static bool step(run_state *r)
{
    if (r->job->new_solver && r->done) {
        pliant_solver_destroy(r->solver);
        if (!make_solver(r)) return false;
    }
    double      start = cli_seconds(), looked = r->crossings.seconds;
    pliant_code code = pliant_inputs_reset(r->inputs, 1 / r->job->fps);
    if (code == PLIANT_OK) code = pliant_inputs_substeps(r->inputs, r->substeps, r->iterations);
    r->keeper.at.energy = cli_energies_books(&r->energies, r->done);
    cli_keeper_before_step(&r->keeper, r->state, r->done);
    if (code == PLIANT_OK) code = solve(r);
    cli_keeper_after_step(&r->keeper);
    r->seconds += cli_seconds() - start - (r->crossings.seconds - looked);
    if (code != PLIANT_OK) {
        cli_explain_step(&r->error, code, r->job->model, r->solver, r->done + 1);
        snprintf(r->error.path, sizeof r->error.path, "%.200s", r->job->name);
        r->diverged = code == PLIANT_ERROR_DIVERGED;
        return false;
    }
    r->done++;
    const pliant_statistics s = pliant_solver_statistics(r->solver);
    r->pair_searches += s.pair_searches;
    r->pair_partial_searches += s.pair_partial_searches;
    r->particles_held += s.particles_held;
    r->particles_limited += s.particles_limited;
    r->momentum_held += s.momentum_held;
    r->colliders_held += s.colliders_held;
    r->substeps_done += s.substeps;
    r->fallback_substeps += s.fallback_substeps;
    if ((double)s.collider_lag > r->collider_lag) r->collider_lag = (double)s.collider_lag;
    return true;
}

static void print_hash(const run_state *r) { printf("frame %u hash %016llx\n", r->done, (unsigned long long)pliant_state_hash(r->state)); }

/* Whether a frame has gained energy, and that ends the run. */
static bool stop_for_energy(run_state *r)
{
    if (r->job->on_energy != PLIANT_ENERGY_STOPS || !r->energies.gained_frame) return false;
    r->error = (pliant_error){.code = PLIANT_ERROR_DIVERGED};
    snprintf(r->error.path, sizeof r->error.path, "%.200s", r->job->name);
    return r->diverged = cli_energies_gained(&r->energies, r->job->model, r->error.message, sizeof r->error.message);
}

static bool run_frame(run_state *r, cli_progress *progress)
{
    cli_profile *p = r->job->profile;
    pliant_error why = {0};
    cli_profile_frame(p, r->done + 1);
    cli_profile_enter(p, "frame", NULL);
    bool ok = step(r);
    if (ok) note_restored(r, progress);
    if (ok && r->crossings.name) {
        const bool put_back = pliant_solver_statistics(r->solver).restored_bodies > 0;
        ok = cli_crossings_frame(&r->crossings, r->state, r->done, put_back, progress, &r->error);
    }
    ok = ok && cli_energies_frame(&r->energies, r->job->model, r->solver, r->state, r->done, &r->error);
    ok = ok && write_frame(r) && (!cli_keeper_wants(&r->keeper, r->done) || keep(r));
    cli_profile_leave(p);
    if (!ok || cli_profile_write(p, &why)) return ok;
    r->error = why;
    return false;
}

static bool run_frames(run_state *r, cli_progress *progress)
{
    const cli_job *job = r->job;
    if (job->crossings && !cli_crossings_start(&r->crossings, job->name, job->model, r->state, r->done, progress, &r->error)) return false;
    if (!r->written && r->keeper.path && !keep(r)) return false;
    if (!r->written && !write_frame(r)) return false;
    if (!cli_profile_write(job->profile, &r->error)) return false;
    if (job->hash_every) print_hash(r);
    while (r->done < job->frames && !cli_interrupted()) {
        if (!run_frame(r, progress) || stop_for_energy(r)) return false;
        if (job->hash_every && (r->done % job->hash_every == 0 || r->done == job->frames)) print_hash(r);
        cli_progress_step(progress, r->done);
    }
    return true;
}

/* ---- the end ---- */

static void print_residuals(const pliant_solver *solver)
{
    printf("\"residuals\": {");
    for (int k = 0, n = 0; k <= PLIANT_CONSTRAINT_COUNT; k++) {
        const pliant_kind_statistics s = pliant_solver_kind_statistics(solver, (pliant_constraint_kind)k);
        if (!s.constraints) continue;
        printf("%s\"%s\": {\"max\": ", n++ ? ", " : "",
               k < PLIANT_CONSTRAINT_COUNT ? pliant_constraint_describe((pliant_constraint_kind)k)->name : "user");
        cli_print_json_number(s.residual_max, 9);
        printf(", \"mean\": ");
        cli_print_json_number(s.residual_mean, 9);
        printf("}");
    }
    printf("}");
}

/* Pairs are those of the last substep, as contacts are; the rest is of the whole run, for a cut that is over would else not be seen. */
static void print_pairs(const run_state *r, const pliant_statistics *s)
{
    printf("\"pairs\": %u, \"pair_contacts\": %u, \"pair_candidates\": %u, \"pair_searches\": %llu, \"pair_partial_searches\": %llu, "
           "\"particles_held\": %llu, \"particles_limited\": %llu, \"momentum_held\": ",
           s->pairs, s->pair_contacts, s->pair_candidates, (unsigned long long)r->pair_searches,
           (unsigned long long)r->pair_partial_searches, (unsigned long long)r->particles_held, (unsigned long long)r->particles_limited);
    cli_print_json_number(r->momentum_held, 9);
    printf(", \"colliders_held\": %llu, \"collider_lag\": ", (unsigned long long)r->colliders_held);
    cli_print_json_number(r->collider_lag, 9);
    printf(", \"fallback_substeps\": %llu, ", (unsigned long long)r->fallback_substeps);
}

static cli_stretch stretch_of(const run_state *r)
{
    const cli_stretch_run run = {.model = r->job->model,
                                 .state = r->state,
                                 .method = &r->method,
                                 .fps = r->job->fps,
                                 .said_substeps = r->substeps,
                                 .substeps = r->done > r->first ? pliant_solver_statistics(r->solver).substeps : 0,
                                 .iterations = r->iterations};
    return cli_stretch_of(&run);
}

static void print_energies(const pliant_energy *e)
{
    const struct column {
        const char *name;
        double      value;
    } columns[] = {{"kinetic", e->kinetic}, {"gravity", e->gravity},       {"elastic", e->elastic},
                   {"work", e->work},       {"dissipated", e->dissipated}, {"unresolved", e->unresolved}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        printf("%s\"%s\": ", i ? ", " : "", columns[i].name);
        cli_print_json_number(columns[i].value, 9);
    }
}

/* The first frame that gained energy, if any did. */
static void print_gained(const run_state *r)
{
    const cli_energies *e = &r->energies;
    printf(", \"gained\": ");
    if (!e->gained_frame) {
        printf("null");
        return;
    }
    printf("{\"frame\": %u, \"body\": ", e->gained_frame);
    cli_print_json_text(pliant_model_body_at(r->job->model, e->gained_body).name);
    printf(", \"energy\": ");
    cli_print_json_number(e->gained, 9);
    printf(", \"turned\": ");
    cli_print_json_number(e->gained_turned, 9);
    printf("}");
}

static void print_energy(const run_state *r, const pliant_statistics *s)
{
    printf("\"energy\": {");
    print_energies(&s->energy);
    printf(", \"work_known\": %s", s->work_known ? "true" : "false");
    if (r->energies.asked) print_gained(r);
    for (uint32_t i = 0; r->job->energy_bodies && i < pliant_model_body_count(r->job->model); i++) {
        const pliant_body_info body = pliant_model_body_at(r->job->model, i);
        pliant_energy          of;
        pliant_solver_energy(r->solver, body.body, &of);
        printf(i ? ", {\"name\": " : ", \"bodies\": [{\"name\": ");
        cli_print_json_text(body.name);
        printf(", ");
        print_energies(&of);
        printf("}");
    }
    printf(r->job->energy_bodies ? "]}, " : "}, ");
}

/* Where no vertex stood by a body tore no further, which its frames do not show. */
static void note_unsplit(const run_state *r)
{
    const uint64_t unsplit = pliant_state_unsplit(r->state);
    if (unsplit)
        fprintf(
            stderr,
            "%s: a tear found no spare vertex %llu time%s, and went no further there; give \"tear\" a larger \"spare\" (docs/tearing.md)\n",
            r->job->name, (unsigned long long)unsplit, unsplit == 1 ? "" : "s");
}

static void print_json(const run_state *r)
{
    pliant_statistics s = pliant_solver_statistics(r->solver);
    const cli_stretch stretch = stretch_of(r);
    pliant_scene_def  settings = pliant_model_settings(r->job->model);
    printf("{\"hash\": \"%016llx\", \"frames\": %u, \"interrupted\": %s, \"diverged\": %s, ",
           (unsigned long long)pliant_state_hash(r->state), r->done, cli_interrupted() && r->done < r->job->frames ? "true" : "false",
           r->diverged ? "true" : "false");
    printf("\"particles\": %u, \"constraints\": %u, \"ms_per_frame\": ", pliant_model_particle_count(r->job->model),
           pliant_model_constraint_count(r->job->model, PLIANT_CONSTRAINT_COUNT));
    cli_print_json_number(r->done > r->first ? 1e3 * r->seconds / (r->done - r->first) : 0, 6);
    printf(", \"seconds\": ");
    cli_print_json_number(cli_seconds() - r->started, 6);
    printf(", \"output_seconds\": ");
    cli_print_json_number(r->output_seconds, 6);
    printf(", \"max_stretch\": ");
    cli_print_json_number(stretch.strain.largest, 9);
    printf(", \"mean_stretch\": ");
    cli_print_json_number(stretch.strain.mean, 9);
    cli_stretch_print_json(&stretch, r->job->model);
    printf(", \"time\": ");
    cli_print_json_number(pliant_state_time(r->state), 17);
    printf(", \"steps\": %llu, \"substeps\": %u, \"iterations\": %u, \"width\": %u, \"threads\": %u, ",
           (unsigned long long)pliant_state_steps(r->state), s.substeps, r->iterations ? r->iterations : settings.iterations,
           pliant_solver_width(r->solver), pliant_solver_threads(r->solver));
    printf("\"method\": \"%s\", ", pliant_method_describe(r->method.method)->name);
    printf("\"real_bytes\": %u, \"contacts\": %u, \"max_speed\": ", pliant_build().real_bytes, s.contacts);
    cli_print_json_number(s.max_speed, 9);
    printf(", \"restored_bodies\": %u, \"unsplit\": %llu, ", r->restored, (unsigned long long)pliant_state_unsplit(r->state));
    print_pairs(r, &s);
    cli_crossings_print(&r->crossings);
    print_energy(r, &s);
    print_residuals(r->solver);
    if (r->job->profile) {
        printf(", \"profile\": ");
        cli_print_json_text(r->job->profile_path);
    }
    printf(", \"files\": [");
    for (uint32_t w = 0, n = 0; w < r->writer_count; w++) {
        const char *path;
        for (uint32_t i = 0; i < 32 && (path = pliant_writer_path(r->writers[w], i)); i++) {
            printf("%s", n++ ? ", " : "");
            cli_print_json_text(path);
        }
    }
    printf("]}\n");
}

static void print_paths(const run_state *r)
{
    for (uint32_t w = 0; w < r->writer_count; w++) {
        uint32_t count = 0;
        while (pliant_writer_path(r->writers[w], count)) count++;
        for (uint32_t i = 0; i < count && i < 8; i++) printf("wrote %s\n", pliant_writer_path(r->writers[w], i));
        if (count > 8) printf("... to %s, %u files\n", pliant_writer_path(r->writers[w], count - 1), count);
    }
    uint64_t dropped;
    if (r->job->profile)
        printf("wrote %s: %llu spans, to be opened in ui.perfetto.dev or chrome://tracing\n", r->job->profile_path,
               (unsigned long long)cli_profile_count(r->job->profile, &dropped));
}

/* Also where nothing else is said: a profile with holes must not be taken for a whole one. */
static void note_dropped(const cli_job *job)
{
    uint64_t dropped = 0;
    if (job->profile) cli_profile_count(job->profile, &dropped);
    if (dropped)
        fprintf(stderr, "%s: %llu spans found no room and are missing; otherData.dropped says so too\n", job->profile_path,
                (unsigned long long)dropped);
}

/* Notes substeps of newton that fell back: no error, but not the asked method either. */
static bool describe_fallback(const run_state *r, char *out, size_t size)
{
    if (!r->fallback_substeps) return false;
    static const char *const how[] = {"start", "predicted", "implicit"};
    const pliant_gradients   g = r->method.gradients;
    snprintf(out, size, "gradients \"%s\" had no%s solution in %llu of %llu substeps, which took %s (fallback)", how[g],
             g == PLIANT_GRADIENTS_IMPLICIT ? " exact" : "", (unsigned long long)r->fallback_substeps, (unsigned long long)r->substeps_done,
             g == PLIANT_GRADIENTS_IMPLICIT ? "a little compliance" : "\"implicit\"");
    return true;
}

static void print_summary(const run_state *r)
{
    const pliant_model *m = r->job->model;
    printf("%s: %u frames at %g Hz: %u particles, %u constraints, %u colliders\n", r->job->name, r->done, r->job->fps,
           pliant_model_particle_count(m), pliant_model_constraint_count(m, PLIANT_CONSTRAINT_COUNT), pliant_model_collider_count(m));
    for (uint32_t i = 0; i < pliant_model_body_count(m) && i < 16; i++) {
        static const char *const types[] = {"cloth", "soft body", "rope", "particles"};
        pliant_body_info         b = pliant_model_body_at(m, i);
        printf("  %s: %s, %u vertices, %.3g kg\n", b.name, types[b.type], b.vertex_count, b.mass);
    }
    printf("%.3f ms per frame (%u threads, %u lanes)\n", r->done > r->first ? 1e3 * r->seconds / (r->done - r->first) : 0.0,
           pliant_solver_threads(r->solver), pliant_solver_width(r->solver));
    if (r->restored) printf("bodies put back %u times, in %u frames (on_divergence)\n", r->restored, r->restored_frames);
    if (r->pair_searches) {
        const pliant_statistics s = pliant_solver_statistics(r->solver);
        printf("contacts between bodies: %u pairs in the last substep, %u of them push; %llu searches; %llu paths cut, which took %.3g kg "
               "m/s\n",
               s.pairs, s.pair_contacts, (unsigned long long)r->pair_searches, (unsigned long long)r->particles_held, r->momentum_held);
        if (r->particles_limited) printf("velocities limited %llu times (contact_bound)\n", (unsigned long long)r->particles_limited);
    }
    char what[160];
    if (describe_fallback(r, what, sizeof what)) printf("%s\n", what);
    if (r->colliders_held)
        printf("colliders held %llu times, %.3g m behind at the most (yields)\n", (unsigned long long)r->colliders_held, r->collider_lag);
    if (r->crossings.name && !r->crossings.frames) printf("no crossings (looking for them took %.3g s)\n", r->crossings.seconds);
    const cli_stretch stretch = stretch_of(r);
    cli_stretch_print(&stretch, m);
    printf("hash of the final state %016llx\n", (unsigned long long)pliant_state_hash(r->state));
    print_paths(r);
}

static void release(run_state *r)
{
    cli_keeper_end(&r->keeper);
    cli_crossings_end(&r->crossings);
    cli_energies_end(&r->energies);
    for (uint32_t i = 0; i < r->writer_count; i++) pliant_writer_leave(r->writers[i], NULL);
    pliant_inputs_destroy(r->inputs);
    pliant_state_destroy(r->state);
    pliant_solver_destroy(r->solver);
    for (uint32_t i = 0; r->between && i + 1 < r->subframes; i++) pliant_state_destroy(r->between[i]);
    free(r->between);
}

/* The last frame, into an output of its own. */
static bool write_last(run_state *r)
{
    pliant_write_def def = pliant_write_def_default();
    def.fps = r->job->fps;
    def.first_frame = r->done;
    def.frames = 1;
    return open_writer(r, r->job->last, &def) && pliant_writer_frame(r->writers[r->writer_count - 1], r->state, &r->error) == PLIANT_OK;
}

/* A run that gained energy looks like any other in its files. */
static void note_energy(const run_state *r, bool ok)
{
    char what[240];
    if (!r->job->energy && r->job->on_energy == PLIANT_ENERGY_IGNORED) return; /* only --json reckons them */
    if (ok && cli_energies_gained(&r->energies, r->job->model, what, sizeof what)) fprintf(stderr, "%s: %s\n", r->job->name, what);
}

int cli_simulate(const cli_job *job)
{
    run_state    r = {.job = job, .started = cli_seconds()};
    cli_progress progress;
    cli_catch_signals();
    cli_profile_enter(job->profile, "prepare", NULL);
    bool       ok = prepare(&r);
    const bool prepared = ok;
    cli_profile_leave(job->profile);
    cli_progress_start(&progress, job->quiet || !ok, job->frames);
    ok = ok && run_frames(&r, &progress);
    cli_progress_end(&progress);
    if (ok && job->last) ok = write_last(&r);
    const bool early = ok && cli_interrupted() && r.done < job->frames;
    if (!early || !r.keeper.path) ok = finish_writers(&r, ok ? &r.error : NULL) && ok; /* long: else the next run does it */
    if (prepared) ok = finish_profile(&r, ok ? &r.error : NULL) && ok;
    if (prepared && (ok || r.diverged)) ok = cli_energies_finish(&r.energies, early, ok ? &r.error : &(pliant_error){0}) && ok;
    int code = ok ? CLI_GOOD : cli_fail(&r.error);
    note_energy(&r, ok);
    if (cli_crossings_any(&r.crossings, r.done - r.first) && ok) code = CLI_CHECK_FAILED;
    if (r.restored > 1)
        fprintf(stderr, "%s: bodies were put back %u times, in %u of %u frames\n", job->name, r.restored, r.restored_frames, r.done);
    if (ok && early) {
        fprintf(stderr, "%s: interrupted after frame %u of %u; what was written is whole%s%s%s\n", job->name, r.done, job->frames,
                r.keeper.path ? ", and --resume " : "", r.keeper.path ? r.keeper.path : "", r.keeper.path ? " goes on from there" : "");
        code = CLI_INTERRUPTED;
    }
    char fallback[160];
    if ((job->quiet || job->json) && describe_fallback(&r, fallback, sizeof fallback)) fprintf(stderr, "%s: %s\n", job->name, fallback);
    if (prepared) note_dropped(job);
    if (prepared && ok) note_unsplit(&r);
    if (ok && !job->quiet && !job->json) print_summary(&r);
    if ((ok || r.diverged) && job->json) print_json(&r);
    release(&r);
    return code;
}
