/* The inside of pliant_inputs: what was said since the last reset. */
#ifndef PLIANT_STEP_INPUTS_H
#define PLIANT_STEP_INPUTS_H

#include "compile/model.h"
#include "pliant/solver.h"
#include "step/state.h"

#define PLIANT__MAX_GRABS 64u

/* What was said of a skinned target. */
enum pliant__skin_input { PLIANT__SKIN_UNSAID, PLIANT__SKIN_POSITION, PLIANT__SKIN_NORMAL }; /* NORMAL: both */

typedef struct pliant__grab {
    uint32_t    slot;
    pliant_vec3 target;
    pliant_real compliance;
} pliant__grab;

/* A frame's motion in a step. */
typedef struct pliant__frame_input {
    pliant_pose    before, after;
    pliant_inertia felt;
} pliant__frame_input;

struct pliant_inputs {
    pliant_allocator     allocator;
    const pliant_model  *model;
    double               dt;                   /* 0: never reset */
    uint32_t             substeps, iterations; /* substeps 0: as many as fill with what the state carries */
    pliant_vec3          gravity;
    pliant_vec3         *force;  /* per force */
    pliant_vec3         *target; /* per target */
    uint8_t             *target_set;
    pliant__skin_now    *skin;     /* per skin */
    uint8_t             *skin_set; /* enum pliant__skin_input */
    pliant_pose         *collider; /* per collider */
    uint8_t             *collider_set;
    bool                 teleports; /* some body or collider does */
    pliant_pose         *teleport;  /* per body: its motion */
    uint8_t             *teleport_set;
    pliant_pose         *collider_teleport; /* per collider: where to */
    uint8_t             *collider_teleport_set;
    bool                 framed; /* some body has a frame */
    pliant__frame_input *frame;  /* per body */
    uint8_t             *frame_set;
    pliant__model_law   *law; /* per law */
    uint32_t             grab_count;
    pliant__grab         grab[PLIANT__MAX_GRABS];
};

/* Where a target, a skinned target or a collider shall be at `time`, by its keys; `now` if it has none. */
pliant_vec3 pliant__target_at(const pliant_model *model, const pliant__model_target *target, double time, pliant_vec3 now);
pliant_vec3 pliant__skin_at(const pliant_model *model, const pliant__model_skin *skin, double time, pliant_vec3 now);
pliant_pose pliant__collider_at(const pliant_model *model, const pliant__model_collider *collider, double time, pliant_pose now);

/* Puts what the inputs teleport where it shall be, once, before the step begins: teleport.c. */
void pliant__teleport(pliant_state *state, const pliant_inputs *inputs);

#endif
