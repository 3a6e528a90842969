/* What each particle does by itself: predict, and velocities from positions (Müller 2007, algorithm 1, lines 7 and 13).
 *
 * The velocity is v + (x - predicted) / h rather than (x - start) / h. The two are the same rule, but the second divides the rounding of x
 * by h and feeds it back every substep: in float, a body some metres from the origin would fall up to a percent too fast or too slow. With
 * the first a particle that nothing holds keeps its velocity to the bit.
 *
 * BDF2 uses the same two rules, from where history.c has put x and v. */
#include "step/particles.h"

#include "solver/guard.h"
#include "solver/history.h"
#include "solver/solver.h"
#include "solver/sweep.h"
#include "solver/tasks.h"
#include "state/state.h"

static void predict_chunk(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant__chunk *chunk = &s->model->chunks[index];
    const size_t         first = pliant__slot_numbers(chunk->first);
    if (s->off.bodies[chunk->body]) return;
    s->backend.kernels->predict(s->state->x + first, s->start + first, s->state->v + first, chunk->count, &s->motion[chunk->body]);
}

void pliant__stage_predict(pliant_solver *s)
{
    if (s->way != PLIANT__WAY_SUBSTEPS) pliant__run_chunks_light(s, predict_chunk, PLIANT__MOVE_WORK);
}

static void velocities_of_chunk(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant__chunk *chunk = &s->model->chunks[index];
    const size_t         first = pliant__slot_numbers(chunk->first);
    pliant__watch        watch = {0, false};
    s->chunks[index].bad = PLIANT__NONE;
    s->chunks[index].max_speed2 = 0;
    if (s->off.bodies[chunk->body]) return;
    s->backend.kernels->velocities(s->state->x + first, s->start + first, s->state->v + first, chunk->count, &s->motion[chunk->body],
                                   &watch);
    s->chunks[index].max_speed2 = watch.largest2;
    if (pliant__is_bdf2(s->model)) pliant__end_stuck(s, chunk);
    if (pliant__is_bdf2(s->model) || watch.bad) pliant__guard_chunk(s, index);
}

void pliant__stage_velocities(pliant_solver *s)
{
    if (s->way != PLIANT__WAY_SUBSTEPS) pliant__run_chunks_light(s, velocities_of_chunk, PLIANT__MOVE_WORK);
}
