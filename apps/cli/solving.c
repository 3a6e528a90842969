/* What verbs that step a solver share: how it is made, what is noted of a model, what is said of a step. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* With fewer substeps than this from edge to edge a solid gives way more than twice as much as its material: docs/materials.md#how-many-substeps. */
#define FEW_SUBSTEPS 0.5

uint32_t cli_processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 64 ? 64 : (uint32_t)n;
}

uint32_t cli_default_threads(void)
{
    uint32_t processors = cli_processors();
    return processors < 16 ? processors : 16;
}

double cli_substep_of(const pliant_model *model, double fps)
{
    const uint32_t count = pliant_model_substeps(model, 1 / fps);
    return count ? 1 / fps / count : pliant_model_settings(model).substep;
}

bool cli_read_method(const char *text, const pliant_model *model, pliant_method_def *method)
{
    pliant_error error = {0};
    *method = pliant_model_settings(model).method;
    return pliant_method_read(text, method, &error) == PLIANT_OK || (cli_fail(&error), false);
}

bool cli_can_simulate(pliant_error *error)
{
    pliant_vec3          origin = {0, 0, 0};
    pliant_particles_def def = pliant_particles_def_default();
    pliant_scene        *scene = pliant_scene_create(NULL, error);
    def.positions = &origin;
    def.count = 1;
    pliant_model  *model = scene && pliant_scene_add_particles(scene, &def, error).id ? pliant_scene_compile(scene, error) : NULL;
    pliant_solver *solver = model ? pliant_solver_create(model, NULL, error) : NULL;
    bool           can = solver != NULL;
    pliant_solver_destroy(solver);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
    return can;
}

/* ---- notes ---- */

void cli_note_relaxation(const char *name, const pliant_model *model, const pliant_method_def *method, uint32_t iterations)
{
    const double most = pliant_relaxation_most(method->method, iterations, pliant_model_settings(model).integration);
    char         text[512];
    if ((double)method->relaxation <= most) return;
    snprintf(text, sizeof text,
             "%.200s: relaxation %g is more than %.3g, which rigid rows bear with %u iteration%s; take less, or more iterations, or they "
             "fly apart "
             "(docs/methods/gauss_seidel.md)",
             name, (double)method->relaxation, most, iterations, iterations == 1 ? "" : "s");
    cli_print_notice(text, NULL);
}

void cli_note_parted(const char *name, const pliant_model *model)
{
    const pliant_parted p = pliant_model_parted(model);
    char                text[512];
    if (!p.count) return;
    snprintf(text, sizeof text,
             "%.200s: %u particle%s of bodies that meet, the first in \"%s\", begin%s up to %.3g m aside, since bodies lie exactly in each "
             "other, here in \"%s\"; put them apart (docs/contact.md)",
             name, p.count, p.count == 1 ? "" : "s", pliant_model_body(model, p.body).name, p.count == 1 ? "s" : "", (double)p.by,
             pliant_model_body(model, p.other).name);
    cli_print_notice(text, NULL);
}

void cli_note_substeps(const char *name, const pliant_model *model)
{
    const uint32_t substeps = pliant_model_wave_substeps(model);
    char           text[400];
    if (!substeps) return;
    snprintf(
        text, sizeof text,
        "%.200s: %u substeps, since soft bodies are too stiff for fewer; say \"substeps\" to have others (docs/quality.md#soft-bodies)",
        name, substeps);
    cli_print_notice(text, NULL);
}

/* The error falls with the square of the substeps, and with the iterations: docs/materials.md#how-many-substeps. */
double *cli_crossing_substeps(const pliant_model *model, double substep, uint32_t iterations)
{
    const uint32_t count = pliant_model_body_count(model);
    pliant_wave   *waves = malloc((count + 1u) * sizeof *waves);
    double        *out = calloc(count + 1u, sizeof *out);
    const bool     ok = waves && out && pliant_model_waves(model, waves) == PLIANT_OK;
    for (uint32_t i = 0; ok && i < count; i++)
        out[i] = waves[i].speed > 0 ? waves[i].edge / (waves[i].speed * substep) * sqrt((double)iterations) : 0;
    free(waves);
    if (ok) return out;
    free(out);
    return NULL;
}

void cli_note_soft(const char *name, const pliant_model *model, const pliant_method_def *method, double substep, uint32_t iterations)
{
    const bool sweeps = method->method != PLIANT_METHOD_NEWTON && method->method != PLIANT_METHOD_MULTIGRID;
    double    *crossing = sweeps ? cli_crossing_substeps(model, substep, iterations) : NULL;
    uint32_t   softest = 0, soft = 0;
    char       text[512], others[48] = "";
    for (uint32_t i = 0; crossing && i < pliant_model_body_count(model); i++) {
        if (crossing[i] == 0 || crossing[i] >= FEW_SUBSTEPS || pliant_model_body_at(model, i).type != PLIANT_BODY_SOFT) continue;
        if (!soft++ || crossing[i] < crossing[softest]) softest = i;
    }
    if (soft > 1) snprintf(others, sizeof others, " (and so do%s %u other%s)", soft == 2 ? "es" : "", soft - 1, soft == 2 ? "" : "s");
    if (soft)
        snprintf(
            text, sizeof text,
            "%.200s: \"%s\" gives way more than its material says%s, since an elastic wave crosses its edges in %.2g of a substep; with "
            "%.0f times as many substeps it takes one (docs/materials.md#how-many-substeps)",
            name, pliant_model_body_at(model, softest).name, others, crossing[softest], ceil(1 / crossing[softest]));
    if (soft) cli_print_notice(text, NULL);
    free(crossing);
}

/* "particle 4 of rope moves at 1e+05 m/s at (0, 1, 0)", "found no positions that satisfy the constraints near particle 4 of rope" */
static void describe_divergence(const pliant_model *model, const pliant_divergence *d, char *out, size_t size)
{
    const char *body = pliant_model_body(model, d->particle.body).name;
    int         length = snprintf(out, size, "particle %u of %s ", d->particle.vertex, body ? body : "a body");
    if (length < 0 || (size_t)length >= size) return;
    if (d->unsolved)
        snprintf(out, size, "found no positions that satisfy the constraints near particle %u of %s", d->particle.vertex,
                 body ? body : "a body");
    else if (d->not_a_number)
        snprintf(out + length, size - (size_t)length, "is not a number");
    else
        snprintf(out + length, size - (size_t)length, "moves at %.3g m/s at (%.3g, %.3g, %.3g)", d->speed, (double)d->position.x,
                 (double)d->position.y, (double)d->position.z);
}

void cli_explain_step(pliant_error *error, pliant_code code, const pliant_model *model, const pliant_solver *solver, uint32_t frame)
{
    pliant_divergence d = pliant_solver_divergence(solver);
    char              what[160];
    *error = (pliant_error){.code = code};
    if (code == PLIANT_ERROR_MEMORY)
        snprintf(error->message, sizeof error->message,
                 "no room for contacts between bodies in frame %u: too much is near too much (make the thickness smaller beside the edges)",
                 frame);
    if (code != PLIANT_ERROR_DIVERGED) return;
    describe_divergence(model, &d, what, sizeof what);
    snprintf(error->message, sizeof error->message, "%s in frame %u, substep %u: %s (%s)", d.unsolved ? "unsolved" : "diverged", frame,
             d.substep, what, d.unsolved ? "take more substeps" : "more substeps, or more compliance, may help");
}

uint32_t cli_note_restored(const char *name, const pliant_model *model, const pliant_solver *solver, uint32_t frame,
                           const cli_progress *progress, bool said)
{
    uint32_t          bodies = pliant_solver_statistics(solver).restored_bodies;
    pliant_divergence d = pliant_solver_divergence(solver);
    char              what[160];
    if (!bodies || said) return bodies;
    describe_divergence(model, &d, what, sizeof what);
    cli_progress_pause(progress);
    fprintf(stderr, "%s: frame %u: %s; the body is put back to where the frame began\n", name, frame, what);
    return bodies;
}
