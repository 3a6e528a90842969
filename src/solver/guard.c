/* What went wrong is noted, and its body put back where the scene says so. A NaN or a runaway speed is noticed in the substep in which it
 * appears: chunks look at their particles while these are at hand (after velocities, and again where contacts changed them); the stage picks
 * up what they found, in the order of slots. That there is no solution is for a method to say. */
#include "solver/guard.h"

#include "solver/solver.h"
#include "state/state.h"

#include <string.h>

void pliant__guard_chunk(pliant_solver *s, uint32_t index)
{
    const pliant__chunk *chunk = &s->model->chunks[index];
    pliant__chunk_now   *now = &s->chunks[index];
    const pliant_real   *v = PLIANT__SLOT(s->state->v, chunk->first), *x = PLIANT__SLOT(s->state->x, chunk->first);
    pliant_real          limit = s->model->header->max_speed * s->model->header->max_speed, largest = 0;
    now->bad = PLIANT__NONE;
    now->max_speed2 = 0;
    if (s->off.bodies[chunk->body]) return;
    for (uint32_t i = 0; i < 4 * chunk->count; i += 4) {
        if (x[i + 3] == 0) continue;
        pliant_real speed2 = v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2];
        if (!(speed2 <= limit) && now->bad == PLIANT__NONE) {
            now->bad = chunk->first + i / 4;
            now->bad_x = v3(x[i], x[i + 1], x[i + 2]);
            now->bad_v = v3(v[i], v[i + 1], v[i + 2]);
        }
        if (speed2 > largest) largest = speed2;
    }
    now->max_speed2 = largest;
}

static void note_divergence(pliant_solver *s, uint32_t slot, pliant_vec3 x, pliant_vec3 v, bool unsolved)
{
    if (s->divergence.diverged) return;
    double speed2 = (double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z;
    s->divergence.diverged = true;
    s->divergence.particle = pliant__model_particle(s->model, slot);
    s->divergence.not_a_number = !unsolved && !v3_finite(v);
    s->divergence.unsolved = unsolved;
    s->divergence.speed = sqrt(speed2);
    s->divergence.position = x;
    s->divergence.substep = s->substep;
}

void pliant__note_unsolved(pliant_solver *s, uint32_t slot)
{
    note_divergence(s, slot, pliant__slot_x(s->state->x, slot), pliant__slot_x(s->state->v, slot), true);
    for (size_t i = 0; i < model_count(s->model, bodies); i++) {
        const pliant__model_body *b = &s->model->bodies[i];
        if (slot >= b->first_slot && slot - b->first_slot < b->slot_count) s->unsolved[i] = 1;
    }
}

/* What was split in the step stays so: parts go back to where their particle was. */
static void restore_torn(pliant_solver *s, const pliant__model_body *b)
{
    for (uint32_t slot = b->first_slot; b->spare_count && slot < b->first_slot + b->slot_count; slot++) {
        const uint32_t from = s->state->origin[slot];
        pliant_real   *x = PLIANT__SLOT(s->state->x, slot);
        if (from == PLIANT__NONE) continue;
        if (x[3] == 0 && from != slot) memcpy(x, PLIANT__SLOT(s->before, from), 4 * sizeof *x);
        if (x[3] != 0) x[3] = s->state->free_w[slot];
    }
}

/* The body goes back to where the step began, at rest. What has yielded or torn in it stays so. */
static void restore_body(pliant_solver *s, uint32_t body)
{
    const pliant__model_body *b = &s->model->bodies[body];
    size_t                    first = pliant__slot_numbers(b->first_slot), count = pliant__slot_numbers(b->slot_count);
    memcpy(s->state->x + first, s->before + first, count * sizeof *s->before);
    memset(s->state->v + first, 0, count * sizeof *s->state->v);
    restore_torn(s, b);
    for (uint32_t slot = b->first_slot; slot < b->first_slot + b->slot_count; slot++) {
        pliant__forget_history(s->state, slot);
        if (pliant__may_sleep(s->model)) pliant__put_down(s->state, slot);
    }
    if (!s->restored[body]) s->statistics.restored_bodies++;
    s->restored[body] = 1;
}

/* Which of its many bit patterns a NaN has depends on the processor's mood (the order of operands); one is chosen, so that what is left of a
 * run that diverged is the same everywhere too. */
static void settle_nans(pliant_solver *s)
{
    const pliant_real quiet = (pliant_real)NAN;
    for (size_t i = 0; i < pliant__slot_numbers(s->model->header->slot_count); i++) {
        if (s->state->x[i] != s->state->x[i]) s->state->x[i] = quiet;
        if (s->state->v[i] != s->state->v[i]) s->state->v[i] = quiet;
    }
    for (size_t i = 0; i < pliant__rest_count(s->model); i++)
        if (s->state->rest[i] != s->state->rest[i]) s->state->rest[i] = quiet;
    for (size_t i = 0; i < pliant__history_count(s->model); i++) {
        if (s->state->previous_x[i] != s->state->previous_x[i]) s->state->previous_x[i] = quiet;
        if (s->state->previous_v[i] != s->state->previous_v[i]) s->state->previous_v[i] = quiet;
    }
}

/* What patches saw where substeps were walked patch by patch: the highest speed. False: chunks must look. */
static bool patches_are_good(pliant_solver *s)
{
    const pliant_model *m = s->model;
    const uint32_t      ranges = m->rounds[0].patch_count;
    pliant_real         largest = 0;
    for (size_t i = 0; i < model_count(m, patches) + ranges; i++) {
        if (i >= ranges && i < model_count(m, patches)) continue; /* lists see no velocities */
        if (s->watches[i].bad) return false;
        if (s->watches[i].largest2 > largest) largest = s->watches[i].largest2;
    }
    s->statistics.max_speed = r_sqrt(largest);
    return true;
}

void pliant__stage_guard(pliant_solver *s)
{
    uint32_t    count = (uint32_t)model_count(s->model, chunks), last = PLIANT__NONE;
    pliant_real largest = 0;
    if (s->part) return; /* part_steps.c looks at its chunks */
    if (s->way == PLIANT__WAY_SUBSTEPS && patches_are_good(s)) return;
    for (uint32_t i = 0; s->way == PLIANT__WAY_SUBSTEPS && i < count; i++) pliant__guard_chunk(s, i);
    for (uint32_t i = 0; i < count; i++) {
        const pliant__chunk_now *now = &s->chunks[i];
        uint32_t                 body = s->model->chunks[i].body;
        if (now->bad == PLIANT__NONE) continue;
        note_divergence(s, now->bad, now->bad_x, now->bad_v, false);
        if (s->before && last != body) restore_body(s, last = body);
    }
    for (uint32_t i = 0; s->divergence.diverged && i < (uint32_t)model_count(s->model, bodies); i++) {
        if (s->unsolved[i] && s->before) restore_body(s, i);
        s->unsolved[i] = 0;
    }
    if (s->divergence.diverged && !s->before) settle_nans(s);
    for (uint32_t i = 0; i < count; i++)
        if (s->model->chunks[i].body != last && s->chunks[i].max_speed2 > largest) largest = s->chunks[i].max_speed2;
    s->statistics.max_speed = r_sqrt(largest);
}
