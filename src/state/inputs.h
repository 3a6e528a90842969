/* The inside of pliant_inputs: what was said since the last reset. */
#ifndef PLIANT_STATE_INPUTS_H
#define PLIANT_STATE_INPUTS_H

#include "compile/model.h"
#include "pliant/solver.h"
#include "state/state.h"

#define PLIANT__MAX_GRABS 64u

/* What was said of a skinned target. */
enum pliant__skin_input { PLIANT__SKIN_UNSAID, PLIANT__SKIN_POSITION, PLIANT__SKIN_NORMAL }; /* NORMAL: both */

/* What was said of whether a collider or a body is on. */
enum pliant__switch_input { PLIANT__SWITCH_UNSAID, PLIANT__SWITCH_ON, PLIANT__SWITCH_OFF };

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
    pliant_vec3         *force;     /* per force */
    uint8_t             *force_set; /* per force: not as its keys say */
    pliant_vec3         *target;    /* per target */
    uint8_t             *target_set;
    pliant__skin_now    *skin;     /* per skin */
    uint8_t             *skin_set; /* enum pliant__skin_input */
    double              *group;    /* per group: its first number in the end of the step */
    uint8_t             *group_set;
    pliant_pose         *collider; /* per collider */
    uint8_t             *collider_set;
    bool                 teleports; /* some body or collider does */
    pliant_pose         *teleport;  /* per body: its motion */
    uint8_t             *teleport_set;
    pliant_pose         *collider_teleport; /* per collider: where to */
    uint8_t             *collider_teleport_set;
    bool                 switches;        /* some collider is switched on or off */
    uint8_t             *collider_switch; /* per collider: enum pliant__switch_input */
    bool                 body_switches;   /* some body is */
    uint8_t             *body_switch;     /* per body: enum pliant__switch_input */
    bool                 framed;          /* some body has a frame */
    pliant__frame_input *frame;           /* per body */
    uint8_t             *frame_set;
    pliant__model_law   *law; /* per law */
    uint32_t             grab_count;
    pliant__grab         grab[PLIANT__MAX_GRABS];
};

/* Numbers of each law that are saved: none where no kind has any. */
#define PLIANT__SAVED_NUMBERS (PLIANT__LAWS_HAVE_NUMBERS ? PLIANT_MAX_NUMBERS : 0)

/* What inputs have behind what is one number, as bytes, in this order.
 *
 * X(type, name, count, lanes)
 * lanes: what has to hold of inputs `a` and `b` of a model `m` if their states are to step in lanes of one walk (step_states.c), which has gravity,
 * forces, targets and colliders of each. */
#define INPUT_PARTS(X)                                                                                            \
    X(pliant_vec3, gravity, 1, true)                                                                              \
    X(pliant_vec3, force, model_count(m, forces), true)                                                           \
    X(uint8_t, force_set, model_count(m, forces), true)                                                           \
    X(pliant_vec3, target, model_count(m, targets), true)                                                         \
    X(uint8_t, target_set, model_count(m, targets), true)                                                         \
    X(pliant__skin_now, skin, model_count(m, skins), !model_count(m, skins))                                      \
    X(uint8_t, skin_set, model_count(m, skins), !model_count(m, skins))                                           \
    X(double, group, model_count(m, groups), !model_count(m, groups))                                             \
    X(uint8_t, group_set, model_count(m, groups), !model_count(m, groups))                                        \
    X(pliant_pose, collider, model_count(m, colliders), true)                                                     \
    X(uint8_t, collider_set, model_count(m, colliders), true)                                                     \
    X(pliant_pose, teleport, model_count(m, bodies), !a->teleports && !b->teleports)                              \
    X(uint8_t, teleport_set, model_count(m, bodies), !a->teleports && !b->teleports)                              \
    X(pliant_pose, collider_teleport, model_count(m, colliders), !a->teleports && !b->teleports)                  \
    X(uint8_t, collider_teleport_set, model_count(m, colliders), !a->teleports && !b->teleports)                  \
    X(uint8_t, collider_switch, model_count(m, colliders), !a->switches && !b->switches)                          \
    X(uint8_t, body_switch, model_count(m, bodies), !a->body_switches && !b->body_switches)                       \
    X(pliant__frame_input, frame, model_count(m, bodies), !a->framed && !b->framed)                               \
    X(uint8_t, frame_set, model_count(m, bodies), !a->framed && !b->framed)                                       \
    X(pliant_real, law, 3 * model_count(m, laws), !memcmp(a->law, b->law, model_count(m, laws) * sizeof *a->law)) \
    X(pliant_real, law_number, PLIANT__SAVED_NUMBERS *model_count(m, laws),                                       \
      !memcmp(a->law, b->law, model_count(m, laws) * sizeof *a->law))                                             \
    X(pliant__saved_grab, grab, PLIANT__MAX_GRABS, !a->grab_count && !b->grab_count)

typedef struct pliant__saved_grab {
    uint64_t    slot; /* 8 bytes: nothing lies between */
    pliant_vec3 target;
    pliant_real compliance;
} pliant__saved_grab;

/* Where a target, a skinned target or a collider shall be at `time`, by its keys; `now` if it has none. */
pliant_vec3 pliant__target_at(const pliant_model *model, const pliant__model_target *target, double time, pliant_vec3 now);
pliant_vec3 pliant__skin_at(const pliant_model *model, const pliant__model_skin *skin, double time, pliant_vec3 now);
pliant_pose pliant__collider_at(const pliant_model *model, const pliant__model_collider *collider, double time, pliant_pose now);

/* Puts what the inputs teleport where it shall be, and switches colliders and bodies, once, before the step begins: teleport.c. */
void pliant__teleport(pliant_state *state, const pliant_inputs *inputs);

#endif
