/* The inside of pliant_inputs: what was said since the last reset. */
#ifndef PLIANT_STEP_INPUTS_H
#define PLIANT_STEP_INPUTS_H

#include "compile/model.h"
#include "pliant/solver.h"

#define PLIANT__MAX_GRABS 64u

typedef struct pliant__grab {
    uint32_t    slot;
    pliant_vec3 target;
    pliant_real compliance;
} pliant__grab;

struct pliant_inputs {
    pliant_allocator    allocator;
    const pliant_model *model;
    double              dt; /* 0: never reset */
    uint32_t            substeps, iterations;
    pliant_vec3         gravity;
    pliant_vec3        *force;  /* per force */
    pliant_vec3        *target; /* per target */
    uint8_t            *target_set;
    pliant_pose        *collider; /* per collider */
    uint8_t            *collider_set;
    pliant__model_law  *law; /* per law */
    uint32_t            grab_count;
    pliant__grab        grab[PLIANT__MAX_GRABS];
};

/* Where a target or a collider shall be at `time`, by its keys; `now` if it has none. */
pliant_vec3 pliant__target_at(const pliant_model *model, const pliant__model_target *target, double time, pliant_vec3 now);
pliant_pose pliant__collider_at(const pliant_model *model, const pliant__model_collider *collider, double time, pliant_pose now);

#endif
