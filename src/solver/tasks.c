/* Tasks: what a stage does in pieces, with spans for the host's profiler where it has one. */
#include "solver/tasks.h"

#include "solver/profile.h"
#include "solver/solver.h"

void pliant__run(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count)
{
    (s->def.profile.end ? pliant__run_watched : pliant__hand_out)(s, task, count);
}

#define LIGHT_TASKS 8u

void pliant__run_light(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count)
{
    if (count >= LIGHT_TASKS)
        pliant__run(s, task, count);
    else
        for (uint32_t i = 0; i < count; i++) task(s, i);
}
