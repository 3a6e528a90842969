/* Patches, and what follows on them, in an order that keeps near what they share. */
#ifndef PLIANT_SOLVER_PATCH_SCHEDULE_H
#define PLIANT_SOLVER_PATCH_SCHEDULE_H

#include "compile/model.h"

#include <stdatomic.h>

/* A range or a list to solve (a patch), or, where `late`, particles of a range (patch) that lists have moved for the last time. */
typedef struct pliant__schedule_task {
    uint32_t patch, round;
    uint32_t first_need, need_count;
    bool     late;
} pliant__schedule_task;

typedef struct pliant__schedule {
    pliant__schedule_task *tasks;      /* each behind what it needs */
    uint32_t              *needs;      /* of tasks: their numbers */
    uint32_t              *first_late; /* per range and one more: its first one of the model's later_slots */
    uint32_t               task_count;
    _Atomic uint32_t      *done; /* per task: the walk that has done it last */
    _Atomic uint32_t       next; /* to be taken */
    uint32_t               walk;
} pliant__schedule;

/* For so many threads; false if out of memory. */
bool pliant__schedule_create(const pliant_allocator *allocator, const pliant_model *model, uint32_t threads, pliant__schedule *schedule);
void pliant__schedule_destroy(const pliant_allocator *allocator, pliant__schedule *schedule);

/* A walk begins. */
void pliant__schedule_begin(pliant__schedule *schedule);

/* The number of the next task for this thread, or one past the last. */
uint32_t pliant__schedule_take(pliant__schedule *schedule);

/* Returns when each task that this one needs is done. Threads that take tasks must all go on, since they wait for each other. */
void pliant__schedule_wait(const pliant__schedule *schedule, uint32_t task);
void pliant__schedule_done(pliant__schedule *schedule, uint32_t task);

#endif
