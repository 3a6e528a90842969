/* Patches, and what follows on them, in an order that keeps near what they share. */
#ifndef PLIANT_STEP_FLOW_H
#define PLIANT_STEP_FLOW_H

#include "compile/model.h"

#include <stdatomic.h>

/* A range or a list to solve (a patch), or, where `late`, particles of a range (patch) that lists have moved for the last time. */
typedef struct pliant__flow_task {
    uint32_t patch, round;
    uint32_t first_need, need_count;
    bool     late;
} pliant__flow_task;

typedef struct pliant__flow {
    pliant__flow_task *tasks;      /* each behind what it needs */
    uint32_t          *needs;      /* of tasks: their numbers */
    uint32_t          *first_late; /* per range and one more: its first one of the model's later_slots */
    uint32_t           task_count;
    _Atomic uint32_t  *done; /* per task: the walk that has done it last */
    _Atomic uint32_t   next; /* to be taken */
    uint32_t           walk;
} pliant__flow;

/* For so many threads; false if out of memory. */
bool pliant__flow_create(const pliant_allocator *allocator, const pliant_model *model, uint32_t threads, pliant__flow *flow);
void pliant__flow_destroy(const pliant_allocator *allocator, pliant__flow *flow);

/* A walk begins. */
void pliant__flow_begin(pliant__flow *flow);

/* The number of the next task for this thread, or one past the last. */
uint32_t pliant__flow_take(pliant__flow *flow);

/* Returns when all that a task needs is done. Tasks must be taken by threads that all go on: they wait for each other. */
void pliant__flow_wait(const pliant__flow *flow, uint32_t task);
void pliant__flow_done(pliant__flow *flow, uint32_t task);

#endif
