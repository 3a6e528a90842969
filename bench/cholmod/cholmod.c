/* The exact step by sparse factors: processor seconds per Newton step, Newton steps, fill; by size, for cloth and for a beam of tetrahedra.
 *
 * A square of cloth that hangs on two corners, and a beam that is held at one end, both just let go: a sixtieth of a second, in one step where
 * gradients are those of the end, in ten where they are those of the start. Usage: build/pliant_bench_cholmod */
#include "pliant/cholmod.h"
#include "pliant/io.h"
#include "timing.h"

#include <stdio.h>
#include <string.h>

/* ---- CHOLMOD, counted ---- */

typedef struct tally {
    uint32_t count;
    size_t   matrix, factor; /* entries, of all systems */
    double   analysing, factoring, solving;
    uint32_t factors, solves;
} tally;

static tally counted;

static void *analyse(uint32_t count, const uint32_t *first, const uint32_t *row, void *context)
{
    const double began = processor_seconds();
    void        *system = pliant_cholmod()->analyse(count, first, row, context);
    counted.analysing += processor_seconds() - began;
    counted.count += count;
    counted.matrix += first[count];
    counted.factor += system ? pliant_cholmod_entries(system) : 0;
    return system;
}

static pliant_code factor(void *system, const double *value, uint32_t *negative)
{
    const double      began = processor_seconds();
    const pliant_code code = pliant_cholmod()->factor(system, value, negative);
    counted.factoring += processor_seconds() - began;
    counted.factors++;
    return code;
}

static pliant_code solve(void *system, double *x)
{
    const double      began = processor_seconds();
    const pliant_code code = pliant_cholmod()->solve(system, x);
    counted.solving += processor_seconds() - began;
    counted.solves++;
    return code;
}

/* ---- a step ---- */

static bool count_step(const pliant_progress *p, void *context)
{
    *(uint32_t *)context += p->iteration > 0;
    return true;
}

static int run(const char *name, const char *scene, const char *gradients)
{
    char                 text[64];
    pliant_error         error = {.code = PLIANT_OK};
    pliant_scene_file    file;
    pliant_method_def    method = pliant_method_def_default();
    pliant_linear_solver linear = {analyse, factor, solve, pliant_cholmod()->release, NULL};
    pliant_solver_def    def = pliant_solver_def_default();
    uint32_t             steps = 0;
    snprintf(text, sizeof text, "newton:linear=sparse:gradients=%s", gradients);
    if (pliant_scene_read_text(scene, strlen(scene), name, NULL, NULL, &file, &error) != PLIANT_OK ||
        pliant_method_read(text, &method, &error) != PLIANT_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    pliant_model  *model = pliant_scene_compile(file.scene, &error);
    pliant_state  *state = pliant_state_create(model, &error);
    pliant_inputs *inputs = pliant_inputs_create(model, &error);
    def.method = &method;
    def.linear = &linear;
    def.trace = count_step;
    def.trace_context = &steps;
    counted = (tally){.count = 0};
    pliant_solver *solver = pliant_solver_create(model, &def, &error);
    pliant_inputs_reset(inputs, 1.0 / 60);
    const double began = processor_seconds();
    pliant_code  code = pliant_solver_step(solver, state, inputs);
    const double took = processor_seconds() - began;
    printf("%-10s %-9s %7u unknowns, %8zu entries, factor %9zu (%.1f times), analysis %.3f s; %s: %u steps, %.4f s each, %u factors of "
           "%.4f s, "
           "%u solves of %.4f s\n",
           name, gradients, counted.count, counted.matrix, counted.factor, (double)counted.factor / (double)counted.matrix,
           counted.analysing, pliant_code_name(code), steps, took / steps, counted.factors, counted.factoring / counted.factors,
           counted.solves, counted.solving / counted.solves);
    fflush(stdout);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
    pliant_scene_destroy(file.scene);
    return 0;
}

int main(void)
{
    static const char *const gradients[] = {"implicit", "start"};
    int                      failed = 0;
    for (size_t g = 0; g < sizeof gradients / sizeof *gradients; g++) {
        for (int cells = 16; cells <= 64; cells *= 2) {
            char scene[512], name[32];
            snprintf(scene, sizeof scene,
                     "{\"pliant\": 1, \"solver\": {\"substeps\": %d}, \"bodies\": [{\"type\": \"cloth\", \"name\": \"c\", \"material\": "
                     "\"cotton\", \"cells\": [%d, %d], \"size\": [1, 1], \"position\": [0, 1, 0], \"pins\": [0, %d]}]}",
                     g ? 10 : 1, cells, cells, cells);
            snprintf(name, sizeof name, "cloth %d", cells);
            failed += run(name, scene, gradients[g]);
        }
        for (int cells = 8; cells <= 24; cells *= 2) {
            char scene[512], name[32];
            snprintf(
                scene, sizeof scene,
                "{\"pliant\": 1, \"solver\": {\"substeps\": %d}, \"bodies\": [{\"type\": \"soft\", \"name\": \"b\", \"density\": 1000, "
                "\"stretch\": {\"compliance\": 1e-5}, \"volume\": {\"compliance\": 1e-11}, \"cells\": [%d, %d, %d], \"size\": [0.8, 0.2, "
                "0.2], \"pins\": {\"side\": \"-x\"}}]}",
                g ? 10 : 1, cells, cells / 4, cells / 4);
            snprintf(name, sizeof name, "beam %d", cells);
            failed += run(name, scene, gradients[g]);
        }
    }
    return failed;
}
