/* Walks over patches. */
#ifndef PLIANT_SOLVER_WALK_H
#define PLIANT_SOLVER_WALK_H

#include "solver/patch_schedule.h"
#include "solver/solver.h"
#include "solver/sweep.h"

/* Runs task(solver, patch) for every patch, round after round, since patches of one round share no particle that moves. */
void pliant__walk_patches(pliant_solver *s, void (*task)(pliant_solver *s, uint32_t patch));

/* The same for one round. `substeps`: the task takes its patch through a whole step of so many; 0: it solves it once. */
void pliant__walk_round(pliant_solver *s, uint32_t round, void (*task)(pliant_solver *s, uint32_t patch), uint32_t substeps);

/* Runs task(solver, task) for all tasks of the schedule, each when what it needs is done. Only where pliant__schedules: threads of a host may not wait for each other. */
void pliant__walk_schedule(pliant_solver *s, void (*task)(pliant_solver *s, const pliant__schedule_task *task));

static inline bool pliant__schedules(const pliant_solver *s) { return !s->def.tasks.enqueue; }

/* Projects the rows of a patch. */
void pliant__project_patch(const pliant_solver *s, uint32_t patch, const pliant__sweep *sweep);

/* Projects the rows of all patches. */
void pliant__project_patches(pliant_solver *s);

/* Of one patch, as a task of a walk. */
void pliant__project_list(pliant_solver *s, uint32_t patch);

#endif
