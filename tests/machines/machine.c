/* Plays a cooked model by libpliant alone, on a machine that may be another than the one that cooked it: in every lane width that it has, and
 * in the widest on more threads than one. A line for each way: `width W threads T hash H`.
 *
 *   machine FILE.pliant FRAMES FPS THREADS */
#include "pliant/pliant.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The whole file at a multiple of 64 bytes; freed when the program ends. */
static void *read_aligned(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    rewind(file);
    unsigned char *memory = length > 0 ? malloc((size_t)length + 63) : NULL;
    unsigned char *bytes = memory ? memory + (64 - (uintptr_t)memory % 64) % 64 : NULL;
    if (bytes && fread(bytes, 1, (size_t)length, file) != (size_t)length) bytes = NULL;
    fclose(file);
    *size = bytes ? (size_t)length : 0;
    return bytes;
}

static int complain(const char *what, const pliant_error *error)
{
    fprintf(stderr, "machine: %s: %s\n", what, error && *error->message ? error->message : "failed");
    return EXIT_FAILURE;
}

static int play(const pliant_model *model, uint32_t frames, double fps, uint32_t width, uint32_t threads)
{
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    pliant_solver_def def = pliant_solver_def_default();
    def.width = width;
    def.threads = threads;
    pliant_solver *solver = pliant_solver_create(model, &def, &error);
    pliant_state  *state = pliant_state_create(model, &error);
    pliant_inputs *inputs = pliant_inputs_create(model, &error);
    if (!solver || !state || !inputs) return complain("cannot begin", &error);
    for (uint32_t f = 0; f < frames; f++) {
        pliant_inputs_reset(inputs, 1 / fps);
        if (pliant_solver_step(solver, state, inputs) != PLIANT_OK) return complain("a step failed", NULL);
    }
    printf("width %u threads %u hash %016llx\n", (unsigned)width, (unsigned)threads, (unsigned long long)pliant_state_hash(state));
    fflush(stdout);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_solver_destroy(solver);
    return EXIT_SUCCESS;
}

int main(int count, char **argument)
{
    pliant_error error = {PLIANT_OK, 0, "", ""};
    size_t       size = 0;
    if (count != 5) {
        fprintf(stderr, "usage: machine FILE.pliant FRAMES FPS THREADS\n");
        return 2;
    }
    void *bytes = read_aligned(argument[1], &size);
    if (!bytes || size < PLIANT_COOKED_TAIL) return complain(argument[1], NULL);
    pliant_model *model = pliant_model_map(bytes, size - PLIANT_COOKED_TAIL, NULL, &error);
    if (!model) return complain(argument[1], &error);
    const uint32_t          frames = (uint32_t)strtoul(argument[2], NULL, 10), threads = (uint32_t)strtoul(argument[4], NULL, 10);
    const double            fps = strtod(argument[3], NULL);
    const pliant_build_info build = pliant_build();
    int                     status = EXIT_SUCCESS;
    for (uint32_t w = 0; w < build.width_count && status == EXIT_SUCCESS; w++)
        if (build.runs[w]) status = play(model, frames, fps, build.widths[w], 1);
    for (uint32_t t = 2; t <= threads && status == EXIT_SUCCESS; t++) status = play(model, frames, fps, build.default_width, t);
    pliant_model_destroy(model);
    return status;
}
