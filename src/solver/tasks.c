/* Tasks: what a stage does in pieces, by the back-end's executor, each in the floating-point mode that results are promised for. */
#include "solver/tasks.h"

#include "base/float_env.h"
#include "solver/profile.h"
#include "solver/solver.h"

typedef struct guarded {
    pliant_solver *solver;
    void (*task)(void *solver, uint32_t index);
} guarded;

static void run_guarded(void *data, uint32_t index)
{
    guarded          *g = data;
    pliant__float_env before = pliant__float_enter();
    g->task(g->solver, index);
    pliant__float_leave(before);
}

void pliant__run(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count)
{
    (s->def.profile.end ? pliant__run_watched : pliant__hand_out)(s, task, count);
}

void pliant__hand_out(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count)
{
    if (count == 1) { /* the calling thread has entered already */
        task(s, 0);
        return;
    }
    guarded g = {s, task};
    if (count) s->backend.run(s->backend.executor, run_guarded, &g, count);
}

#define LIGHT_TASKS 8u

void pliant__run_light(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count)
{
    if (count >= LIGHT_TASKS)
        pliant__run(s, task, count);
    else
        for (uint32_t i = 0; i < count; i++) task(s, i);
}
