/* What each particle does by itself: predict, and velocities from positions (Müller 2007, algorithm 1, lines 7 and 13).
 *
 * The velocity is v + (x - predicted) / h rather than (x - start) / h. The two are the same rule, but the second divides the rounding of x
 * by h and feeds it back every substep: in float, a body some metres from the origin would fall up to a percent too fast or too slow. With
 * the first a particle that nothing holds keeps its velocity to the bit.
 *
 * BDF2 uses the same two rules, from where history.c has put x and v. */
#include "step/solver.h"

#include <string.h>

static void predict_chunk(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant__chunk *chunk = &s->model->chunks[index];
    pliant_real         *x = s->state->x + 4 * (size_t)chunk->first, *start = s->start + 4 * (size_t)chunk->first;
    const pliant_real   *v = s->state->v + 4 * (size_t)chunk->first;
    for (uint32_t i = 0; i < 4 * chunk->count; i += 4) {
        if (x[i + 3] == 0) continue;
        for (uint32_t k = 0; k < 3; k++) {
            start[i + k] = x[i + k];
            x[i + k] += s->rh * v[i + k];
        }
    }
}

void pliant__stage_predict(pliant_solver *s) { pliant__run_light(s, predict_chunk, (uint32_t)model_count(s->model, chunks)); }

static void velocities_of_chunk(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant__chunk *chunk = &s->model->chunks[index];
    pliant_real         *v = s->state->v + 4 * (size_t)chunk->first, per_h = 1 / s->rh;
    const pliant_real   *x = s->state->x + 4 * (size_t)chunk->first, *start = s->start + 4 * (size_t)chunk->first;
    for (uint32_t i = 0; i < 4 * chunk->count; i += 4) {
        if (x[i + 3] == 0) continue;
        for (uint32_t k = 0; k < 3; k++) v[i + k] += (x[i + k] - (start[i + k] + s->rh * v[i + k])) * per_h;
    }
    if (pliant__is_bdf2(s->model)) pliant__end_stuck(s, chunk);
    pliant__guard_chunk(s, index);
}

void pliant__stage_velocities(pliant_solver *s) { pliant__run_light(s, velocities_of_chunk, (uint32_t)model_count(s->model, chunks)); }
