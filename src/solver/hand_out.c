/* Tasks are handed out to the back-end's executor, each in the floating-point mode that results are promised for. */
#include "base/float_env.h"
#include "solver/solver.h"
#include "solver/tasks.h"

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

void pliant__hand_out(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count)
{
    if (count == 1) { /* the calling thread has entered already */
        task(s, 0);
        return;
    }
    guarded g = {s, task};
    if (count) s->backend.run(s->backend.executor, run_guarded, &g, count);
}
