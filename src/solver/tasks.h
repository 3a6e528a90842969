/* Tasks: pieces of a stage that run on any threads. */
#ifndef PLIANT_SOLVER_TASKS_H
#define PLIANT_SOLVER_TASKS_H

#include "solver/solver.h"

/* Runs task(solver, i) for every i in [0, count). Not from within a task. */
void pliant__run(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count);

/* The same, without a span for the profile. */
void pliant__hand_out(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count);

/* The same for tasks of less than a microsecond: a few of them are done sooner here than handed out. */
void pliant__run_light(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count);

/* Runs task(solver, chunk) for every chunk of s->part, one after another, or of all of the model as pliant__run or pliant__run_light do. */
void pliant__run_chunks(pliant_solver *s, void (*task)(void *solver, uint32_t chunk));
void pliant__run_chunks_light(pliant_solver *s, void (*task)(void *solver, uint32_t chunk));

#endif
