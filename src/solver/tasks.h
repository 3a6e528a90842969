/* Tasks: pieces of a stage that run on any threads.
 *
 * Work is counted, never timed: in particles that forces move in a substep, of which a thread does two or three in a nanosecond. A stage with less than
 * PLIANT__LEAST_WORK is done by the thread that steps alone: a thread that sleeps takes longer to come. Results are the same either way.
 *
 * In the pool (base/threads.h) a thread has the same part of the particles in each stage, so its caches keep them; a stage that one thread does alone takes
 * them out of the other caches, and costs others more than it takes. So the stages of large models are all handed out, but for those that do next to nothing:
 * sheets of 100 x 100 gain by it, and those of 71 x 71 lose (docs/speed.md). */
#ifndef PLIANT_SOLVER_TASKS_H
#define PLIANT_SOLVER_TASKS_H

#include "solver/solver.h"

#define PLIANT__LEAST_WORK 65536u
#define PLIANT__SPREAD 8192u       /* slots of a model that is large */
#define PLIANT__LEAST_SPREAD 4096u /* in the place of PLIANT__LEAST_WORK, for such a model */
#define PLIANT__ONCE_WORK 12u      /* times as much has what is handed out once a step: threads have slept since the step before */

/* What a stage does for a particle, a row or a pair, in that count. */
enum {
    PLIANT__MOVE_WORK = 1,
    PLIANT__SUM_WORK = 3,     /* momentum, in double */
    PLIANT__TOUCH_WORK = 8,   /* a particle that is asked for colliders once more, and pushed */
    PLIANT__FIND_WORK = 12,   /* a particle that is asked for colliders */
    PLIANT__STEP_WORK = 32,   /* a particle with its rows and contacts in a substep */
    PLIANT__PAIR_WORK = 16,   /* a candidate that is looked at; a row of a pair in a sweep */
    PLIANT__BEGIN_WORK = 40,  /* a row of a pair that is made */
    PLIANT__ORDER_WORK = 8,   /* a pair that is moved */
    PLIANT__SEARCH_WORK = 64, /* a feature that neighbours are sought of */
    PLIANT__BOX_WORK = 8      /* a feature that gets a box, or is asked how far it has moved; a particle that is asked so */
};

/* Runs task(solver, i) for every i in [0, count). Not from within a task. */
void pliant__run(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count);

/* The same for tasks that do so much work together. */
void pliant__run_counted(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count, uint64_t work);

/* The same, without a span for the profile. */
void pliant__hand_out(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count);

/* Hands tasks out, or does them here where they do too little work together; without a span likewise. */
void pliant__hand_out_counted(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count, uint64_t work);

/* The same for tasks of less than a microsecond: a few of them are done sooner here than handed out. */
void pliant__run_light(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count);
void pliant__run_light_counted(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count, uint64_t work);

/* Runs task(solver, chunk) for every chunk of s->part, one after another, or of all of the model as pliant__run_counted or pliant__run_light_counted do,
 * with so much work for each particle. */
void pliant__run_chunks(pliant_solver *s, void (*task)(void *solver, uint32_t chunk), uint32_t each);
void pliant__run_chunks_light(pliant_solver *s, void (*task)(void *solver, uint32_t chunk), uint32_t each);

/* How much a stage does that does so much for each particle of the model. */
static inline uint64_t pliant__work_of_particles(const pliant_solver *s, uint32_t each)
{
    return (uint64_t)each * s->model->header->slot_count;
}

#endif
