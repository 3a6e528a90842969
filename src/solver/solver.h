/* The inside of a pliant_solver: scratch that a step needs, made from the model, thrown away at will. */
#ifndef PLIANT_SOLVER_SOLVER_H
#define PLIANT_SOLVER_SOLVER_H

#include "base/scratch.h"
#include "collide/collide.h"
#include "pliant/solver.h"
#include "solver/interactions.h"
#include "solver/parts.h"
#include "solver/patch_schedule.h"
#include "solver/sweep.h"
#include "solver/ways.h"
#include "state/inputs.h"
#include "state/state.h"

/* A back-end: kernels of one width, and a way to run tasks. It fills this and frees it. */
typedef struct pliant__backend {
    const pliant__kernels *kernels; /* as wide as asked for */
    const pliant__kernels *serial;  /* one lane wide */
    void (*run)(void *executor, void (*task)(void *data, uint32_t index), void *data, uint32_t count);
    void (*destroy)(void *executor, const pliant_allocator *allocator);
    void    *executor;
    uint32_t threads;
} pliant__backend;

/* A collider during a substep. */
typedef struct pliant__collider_now {
    pliant_pose   from, to;      /* of the whole step */
    pliant_pose   before, after; /* of this substep */
    pliant__shape shape;
    pliant_pose   wanted;      /* where this substep would take it */
    pliant_real   share, part; /* of the way there that bounds leave it; of what was left of that, while they are found */
    bool          held;        /* in this step */
    bool          off;         /* in this step: nothing meets it */
    double        gone;        /* then: what part of the step's way it has gone */
} pliant__collider_now;

/* A body's moving frame during a substep: frames.c. */
typedef struct pliant__frame_now {
    bool           moves;    /* in this step, and is not felt as a whole */
    pliant_pose    from, to; /* of the whole step */
    pliant_inertia felt;
    pliant_vec3    origin, by, centre; /* of this substep: where it begins; what of its way is done to the body; where it ends */
    bool           turns;
    pliant_quat    rotation; /* what of its rotation is done to the body */
    pliant_vec3    rate;     /* rad/s, how fast it turns */
} pliant__frame_now;

/* Where a frame takes a point or a vector of its body in this substep. */
static inline pliant_vec3 pliant__carried(const pliant__frame_now *f, pliant_vec3 x)
{
    return f->turns ? v3_add(v3_add(quat_rotate(f->rotation, v3_sub(x, f->origin)), f->by), f->origin) : v3_add(x, f->by);
}

static inline pliant_vec3 pliant__turned(const pliant__frame_now *f, pliant_vec3 v) { return f->turns ? quat_rotate(f->rotation, v) : v; }

/* What a chunk of slots remembers between stages. */
typedef struct pliant__chunk_now {
    uint32_t    first_touch, touch_capacity;          /* its own piece of `touches` */
    uint32_t    touch_count, sorted_touches, dropped; /* those found late lie behind the sorted ones */
    uint32_t    acting, in_contact;                   /* of the last substep: touches that act, and particles that have one */
    pliant_real max_speed2;
    uint32_t    bad;                   /* first slot with a NaN or a runaway speed, or PLIANT__NONE */
    pliant_vec3 bad_x, bad_v;          /* where it was, and how it moved, when it was seen: later stages go on with both */
    double      sums[PLIANT__MOMENTS]; /* damping.c */
    uint32_t    sleeping;
} pliant__chunk_now;

#define PLIANT__WHOLE_PARTS 4u       /* of a piece of scratch, for patches that go through whole steps there */
#define PLIANT__VIEWED_PARTS 3u      /* and behind them, for views of states in lanes */
#define PLIANT__VIEWED_COLLIDERS 64u /* the most of a model with views: these have no tree over them, and each chunk asks for all */

/* Memory for tasks that run at once, each of which takes a piece for a while. */
typedef struct pliant__scratch {
    unsigned char   *memory;
    size_t           bytes; /* of a piece */
    uint32_t         count; /* pieces, at most 64 */
    _Atomic uint64_t taken; /* a bit per piece */
} pliant__scratch;

/* Tasks that are handed out in pieces while a profile asks where the time goes. */
typedef struct pliant__watched {
    void (*task)(void *solver, uint32_t index);
    uint32_t count, each;
    uint64_t step; /* of the step that is running */
} pliant__watched;

/* Where a target begins and ends in the step, in each of 16 states: m; x of all 16, y, z. */
typedef struct pliant__target_way {
    pliant_real from[3][PLIANT__BLOCK], to[3][PLIANT__BLOCK];
} pliant__target_way;

/* What became of 16 states that went through a step in lanes. */
typedef struct pliant__lane_group {
    pliant__watch watch;
    bool          good;                 /* no speed ran away, and there was room for all touches: the states have had their step */
    uint32_t      contacts, in_contact; /* then: touches that act in the last substep, and particles that have one; of all states */
} pliant__lane_group;

/* States that go through a step at once, in lanes: step_states.c. */
typedef struct pliant__lane_states {
    pliant__rows               *rows; /* per batch */
    uint32_t                   *slot, *law;
    pliant_real                *parameter;
    pliant_state *const        *states; /* of the call that runs, and which of them lanes hold */
    const pliant_inputs *const *inputs;
    uint32_t                   *taken;
    uint32_t                    count;
    pliant__lane_group         *groups;  /* per group of 16 */
    struct pliant__lane_view   *views;   /* 16 for each of the first pieces of scratch: lane_views.c; NULL: no state needs any */
    unsigned char              *viewed;  /* their arrays, piece by piece */
    uint32_t                    pieces;  /* so many have views */
    pliant__model_part          whole;   /* all of the model, as views have it */
    uint32_t                   *numbers; /* 0, 1, ... */
} pliant__lane_states;

/* Of a batch: from the first block that has a row of a body that is on to behind the last; 0, 0: there is none, or nothing was off yet. */
typedef struct pliant__blocks_on {
    uint32_t first, end;
} pliant__blocks_on;

/* Of a patch's rows: which are of bodies that are off. */
enum pliant__part_off { PLIANT__NONE_OFF, PLIANT__SOME_OFF, PLIANT__ALL_OFF };

/* What a step passes over for bodies that are off: off.c. */
typedef struct pliant__off {
    uint8_t           *bodies;      /* per body: it takes no part in this step */
    uint8_t           *changed;     /* per body: it does now, or it does not any more */
    uint16_t          *on_rows;     /* as a state's active bits: rows of which no body is off */
    uint16_t          *active_rows; /* and which of them are active in this step, where some body is off */
    uint8_t           *patches;     /* per patch: enum pliant__part_off */
    uint8_t           *between;     /* per patch: a row of it is between a body that is off and one that is on */
    pliant__blocks_on *blocks_on;   /* per batch; of patches of which some rows are off */
    bool               any;         /* some body is off */
    bool               switched;    /* some body was switched, and pairs do not know it yet */
} pliant__off;

/* What a solver keeps beside what interactions and its method keep (base/scratch.h). m: the model; slots, colliders: how many it has; measured: residuals
 * are asked for. */
#define SOLVER_SCRATCH(X)                                                                                                      \
    X(pliant_real, anchors, array, true, model_count(m, anchors), 8, "of held batches: sweep.h")                               \
    X(uint8_t, restored, array, true, model_count(m, bodies), 1, "per body: put back in this step")                            \
    X(uint8_t, dragged, array, true, model_count(m, bodies), 1,                                                                \
      "per body: in this substep something that moves by itself touches it; sleep.c")                                          \
    X(uint8_t, unsolved, array, true, model_count(m, bodies), 1, "per body: in this substep the method found no solution")     \
    X(pliant_real, before, array, m->header->on_divergence == PLIANT_DIVERGENCE_RESTORES, slots, 4,                            \
      "m, positions at the start of the step")                                                                                 \
    X(pliant__law_now, laws, array, true, model_count(m, laws), 1, "as this step has them")                                    \
    X(pliant__flow_law, flow_laws, array, true, m->header->flow_count ? model_count(m, laws) : 0, 1, "per law, in a substep")  \
    X(pliant__chunk_now, chunks, array, true, model_count(m, chunks), 1, "per chunk")                                          \
    X(pliant_vec3, target_from, array, true, model_count(m, targets), 1,                                                       \
      "m, per target: where the step, or the substep of one that carries, begins")                                             \
    X(pliant_vec3, target_to, array, true, model_count(m, targets), 1, "m, where it ends")                                     \
    X(pliant__frame_now, frames, array, true, model_count(m, bodies), 1, "per body")                                           \
    X(pliant__collider_now, colliders, array, true, colliders, 1, "per collider")                                              \
    X(pliant__motion, motion, array, true, model_count(m, bodies), 1, "per body")                                              \
    X(pliant__rigid, rigid, array, true, model_count(m, bodies), 1, "per body: what damping leaves alone")                     \
    X(pliant_real, start_v, array, pliant__is_closed(m) || s->part_views, slots, 4,                                            \
      "m/s, velocities at the start of a step that is taken whole")                                                            \
    X(pliant_real, start_x, array, s->part_views, slots, 4, "m, positions at the start of a step that goes part by part")      \
    X(pliant_vec3, triangle_force, array, true, model_count(m, triangle_body), 1, "N, per triangle: of the wind")              \
    X(pliant_vec3, triangle_air, array, true, pliant__has_local_wind(m) ? model_count(m, triangle_body) : 0, 1,                \
      "m/s per triangle, in this step: of winds that vary from place to place")                                                \
    X(pliant_vec3, pull, array, pliant__has_local_pull(m), slots, 1,                                                           \
      "m/s^2: of accelerations that vary from place to place; NULL: there are none")                                           \
    X(struct pliant__force_now, forces, array, true, model_count(m, forces), 1, "per force, in this step")                     \
    X(uint16_t, torn, array, pliant__may_tear(m), m->header->packed_rows / PLIANT__BLOCK, 1,                                   \
      "per block of packed rows, a bit each: an element that is stretched beyond what one of its particles bears; tear.c")     \
    X(pliant_real, torn_w, array, pliant__may_tear(m), slots, 1, "1/kg, inverse masses as the last step left them")            \
    X(pliant_real, torn_stretch2, array, pliant__may_tear(m), model_count(m, torn_elements), 1,                                \
      "per element that tears: the square of its largest stretch in this substep; below 0: not asked yet")                     \
    X(pliant_real, torn_mean, array, pliant__may_tear(m), slots, 1, "per slot: the mean of these around it, likewise")         \
    X(uint8_t, torn_near, array, pliant__may_tear(m), slots, 1, "an element that has it had a particle split in this substep") \
    X(pliant__residuals, batch_residuals, array, true, model_count(m, batches), 1, "per batch, while residuals are measured")  \
    X(pliant_real, sum, array, measured || (s->method_row->needs & PLIANT__NEEDS_SUM), slots, 4,                               \
      "what rows gather, 0 between walks; how many rows touch the slot. NULL: not needed")                                     \
    X(pliant_real, predicted, array, measured || (s->method_row->needs & PLIANT__NEEDS_PREDICTED), slots, 4,                   \
      "m, x as the iterations found it. NULL: not needed")

/* Calls of a substep: one for each stage, or of those that interactions act in one for each of these. */
#define PLIANT__ACTING_STAGES 4 /* stages that interactions act in: rows of SUBSTEP_STAGES with EACH */
#define PLIANT__STEP_CALLS (PLIANT_STAGE_COUNT + PLIANT__ACTING_STAGES * PLIANT__INTERACTION_COUNT)

struct pliant_solver {
    pliant_allocator             allocator;
    const pliant_model          *model;
    pliant_solver_def            def;
    pliant__backend              backend;
    pliant_method_def            method;
    pliant_linear_solver         linear; /* zero where there is none */
    const struct pliant__method *method_row;
    uint64_t                     least_work; /* a stage that does less is not handed out: tasks.h */

    /* the table, and what each interaction keeps, by its name */
    const pliant__interaction *const *interactions;
#define X(NAME, name, text) struct pliant__##name *name;
    INTERACTIONS(X)
#undef X

    SOLVER_SCRATCH(SCRATCH_FIELD)
    pliant_real
        *start; /* 4 per slot: x = start + h v at the end of the substep; first order: where it begins. NULL: not needed, solver_def.lean */
    pliant_real               *lambda;     /* multipliers of packed rows, written before they are read. NULL: not needed */
    pliant__watch             *watches;    /* per patch, and behind them per range for its later slots */
    pliant__schedule           schedule;   /* the order in which patches are taken */
    pliant__parts              parts;      /* of the model */
    struct pliant__part_views *part_views; /* solvers of one part at a time: part_steps.c; NULL: the model is not stepped so */
    pliant_real             *late_start; /* 4 per later slot: where it was at the start of the substep, while a walk takes whole substeps */
    pliant__scratch          scratch;
    pliant__lane_states      lane_states;
    double                  *triangle_power; /* W, of the wind at each of a triangle's corners; NULL: not asked for */
    void                    *method_data;    /* the method's */
    struct pliant__energies *energies;       /* NULL: not asked for; energy.c */

    pliant__off     off;
    const uint16_t *active; /* a state's active bits, or off.active_rows: rows that are solved in this step */

    /* of the step that is running */
    pliant_state             *state;
    const pliant_inputs      *inputs;
    pliant_real              *from;            /* 4 per slot: position at the start of the substep; `start`, or BDF2's previous_x */
    double                    substep_h;       /* s */
    pliant_real               substep_rh;      /* the same */
    double                    longest_substep; /* s, from which what stands violated may stem */
    double                    h;               /* of the backward Euler step that a substep is: the substep, or for BDF2 two thirds of it */
    pliant_real               rh;              /* the same */
    bool                      framed;          /* some body's frame moves */
    bool                      limited;         /* some law has a limit */
    bool                      begins;          /* BDF2: the history is not of this length; the first substep is of first order */
    pliant_real              *damped_v;        /* 4 per slot: the velocities that are being damped */
    uint32_t                  substep, substeps, iterations;
    bool                      carries; /* substeps are of the model's length, and what they leave is carried over */
    double                    span;    /* what there is to simulate, in substeps: `substeps`, or with a fraction if it carries */
    double                    carried; /* s, what will be left of that */
    bool                      tears;   /* something may tear in this step: tear.c */
    bool                      keep_lambda;
    bool                      softened, damped;   /* inputs gave a law compliance or damping that the model's has not */
    pliant__sweep             sweep;              /* what kernels need */
    const pliant__model_part *part;               /* the one that stages act on; NULL: on all of the model */
    uint32_t                  round, first_patch; /* of the round that is being walked */
    void (*patch_task)(pliant_solver *s, uint32_t patch);
    void (*schedule_task)(pliant_solver *s, const pliant__schedule_task *task);
    pliant_stage      stage;       /* that is running */
    const char       *running;     /* its name, or that of the interaction that runs in it; NULL outside of stages */
    uint32_t          iteration;   /* iterations of the substep that are done */
    pliant__watched   watched;     /* profile.c */
    bool              wants_start; /* some law needs to know where particles began */
    uint32_t          stages;      /* a bit for each stage that the step wants, or of a step that carries the substep */
    uint32_t          ways;        /* a bit for each enum pliant__way in which the step can be taken */
    uint32_t          interacting; /* a bit for each enum pliant__interaction_number that the step wants */
    enum pliant__way  way;         /* the one in which it is taken, or was */
    bool              stopped;     /* the user's trace has asked for no more iterations */
    double            solving_since, solving_seconds;
    pliant__residuals measured[PLIANT_CONSTRAINT_COUNT + 1];

    /* of the step that ran */
    pliant_statistics      statistics;
    pliant_kind_statistics kinds[PLIANT_CONSTRAINT_COUNT + 1]; /* by kind, users' last */
    double                 seconds[PLIANT__STEP_CALLS];        /* s, per call of a substep (step.c), with def.timing */
    pliant_divergence      divergence;
};

/* Whether the step that runs can be taken so. */
static inline bool pliant__takes(const pliant_solver *s, enum pliant__way way) { return s->ways >> way & 1; }

/* Whether the step that runs wants an interaction. */
static inline bool pliant__interacts(const pliant_solver *s, enum pliant__interaction_number number)
{
    return s->interacting >> number & 1;
}

#endif
