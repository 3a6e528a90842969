/* What each particle does by itself: predict, and velocities from positions (Müller 2007, algorithm 1, lines 7 and 13).
 *
 * The velocity is v + (x - predicted) / h rather than (x - start) / h. The two are the same rule, but the second divides the rounding of x
 * by h and feeds it back every substep: in float, a body some metres from the origin would fall up to a percent too fast or too slow. With
 * the first a particle that nothing holds keeps its velocity to the bit. */
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
    pliant__chunk_now   *now = &s->chunks[index];
    pliant_real         *v = s->state->v + 4 * (size_t)chunk->first;
    const pliant_real   *x = s->state->x + 4 * (size_t)chunk->first, *start = s->start + 4 * (size_t)chunk->first;
    pliant_real          limit = s->model->header->max_speed * s->model->header->max_speed, largest = 0, per_h = 1 / s->rh;
    now->bad = PLIANT__NONE;
    for (uint32_t i = 0; i < 4 * chunk->count; i += 4) {
        if (x[i + 3] == 0) continue;
        pliant_real speed2 = 0;
        for (uint32_t k = 0; k < 3; k++) {
            v[i + k] += (x[i + k] - (start[i + k] + s->rh * v[i + k])) * per_h;
            speed2 += v[i + k] * v[i + k];
        }
        if (!(speed2 <= limit) && now->bad == PLIANT__NONE) now->bad = chunk->first + i / 4;
        if (speed2 > largest) largest = speed2;
    }
    now->max_speed2 = largest;
}

/* ---- divergence ---- */

static void note_divergence(pliant_solver *s, uint32_t slot)
{
    if (s->divergence.diverged) return;
    pliant_vec3 v = pliant__slot_x(s->state->v, slot);
    double      speed2 = (double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z;
    s->divergence.diverged = true;
    s->divergence.particle = pliant__model_particle(s->model, slot);
    s->divergence.not_a_number = !v3_finite(v) || speed2 != speed2;
    s->divergence.speed = sqrt(speed2);
    s->divergence.substep = s->substep;
}

/* The body goes back to where the step began, at rest. */
static void restore_body(pliant_solver *s, uint32_t body)
{
    const pliant__model_body *b = &s->model->bodies[body];
    size_t                    first = 4 * (size_t)b->first_slot, count = 4 * (size_t)b->slot_count;
    memcpy(s->state->x + first, s->before + first, count * sizeof *s->before);
    memset(s->state->v + first, 0, count * sizeof *s->state->v);
    s->statistics.restored_bodies++;
}

void pliant__stage_velocities(pliant_solver *s)
{
    uint32_t    count = (uint32_t)model_count(s->model, chunks), restored = PLIANT__NONE;
    pliant_real largest = 0;
    pliant__run_light(s, velocities_of_chunk, count);
    for (uint32_t i = 0; i < count; i++) {
        const pliant__chunk_now *now = &s->chunks[i];
        if (now->max_speed2 > largest) largest = now->max_speed2;
        if (now->bad == PLIANT__NONE) continue;
        note_divergence(s, now->bad);
        if (s->before && restored != s->model->chunks[i].body) restore_body(s, restored = s->model->chunks[i].body);
    }
    s->statistics.max_speed = r_sqrt(largest);
}
