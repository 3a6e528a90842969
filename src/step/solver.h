/* The inside of a pliant_solver: scratch that a step needs, made from the model, thrown away at will. */
#ifndef PLIANT_STEP_SOLVER_H
#define PLIANT_STEP_SOLVER_H

#include "base/scratch.h"
#include "collide/collide.h"
#include "pliant/solver.h"
#include "step/collider_tree.h"
#include "step/fields.h"
#include "step/flow.h"
#include "step/contacts.h"
#include "step/grabs.h"
#include "step/skins.h"
#include "step/interactions.h"
#include "step/pair_contacts.h"
#include "step/pairs.h"
#include "step/inputs.h"
#include "step/stages.h"
#include "step/state.h"
#include "step/sweep.h"

/* Who does the work: kernels of one width, and a way to run tasks. A back-end fills it and frees it. */
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

#define PLIANT__WHOLE_PARTS 4u /* of a piece of scratch, for patches that go through whole steps there */

/* Memory for tasks that run at once, each of which takes a piece for a while. */
typedef struct pliant__scratch {
    unsigned char   *memory;
    size_t           bytes; /* of a piece */
    uint32_t         count; /* pieces, at most 64 */
    _Atomic uint64_t taken; /* a bit per piece */
} pliant__scratch;

/* Tasks that are handed out in pieces while somebody asks where the time goes. */
typedef struct pliant__watched {
    void (*task)(void *solver, uint32_t index);
    uint32_t count, each;
    uint64_t step; /* of the step that is running */
} pliant__watched;

/* States that go through a step at once, in lanes: many.c. */
typedef struct pliant__many {
    pliant__rows               *rows; /* per batch */
    uint32_t                   *slot, *law;
    pliant_real                *parameter;
    pliant_state *const        *states; /* of the call that runs, and which of them lanes hold */
    const pliant_inputs *const *inputs;
    uint32_t                   *taken;
    uint32_t                    count;
    pliant__watch              *watches; /* per group of 16 */
} pliant__many;

/* Of a batch: from the first block that has a row of a body that is on to behind the last; 0, 0: there is none, or nothing was off yet. */
typedef struct pliant__blocks_on {
    uint32_t first, end;
} pliant__blocks_on;

/* Of a patch's rows: which are of bodies that are off. */
enum pliant__part_off { PLIANT__NONE_OFF, PLIANT__SOME_OFF, PLIANT__ALL_OFF };

/* What a solver keeps beside what interactions and its method keep (base/scratch.h). m: the model; slots, colliders: how many it has; measured: residuals
 * are asked for. */
#define SOLVER_SCRATCH(X)                                                                                                                  \
    X(pliant_real, start, array, true, slots, 4, "per slot: x = start + h v at the end of the substep; first order: where it begins")      \
    X(pliant_real, anchors, array, true, model_count(m, anchors), 8, "of held batches: sweep.h")                                           \
    X(pliant_real, lambda, untouched, true, m->header->lambda_count, 1, "written before it is read; never touched while nothing needs it") \
    X(uint8_t, restored, array, true, model_count(m, bodies), 1, "per body: put back in this step")                                        \
    X(uint8_t, dragged, array, true, model_count(m, bodies), 1,                                                                            \
      "per body: in this substep something that moves by itself touches it; sleep.c")                                                      \
    X(uint8_t, unsolved, array, true, model_count(m, bodies), 1, "per body: in this substep the method found no solution")                 \
    X(pliant_real, before, array, m->header->on_divergence == PLIANT_DIVERGENCE_RESTORES, slots, 4,                                        \
      "m, positions at the start of the step")                                                                                             \
    X(pliant__law_now, laws, array, true, model_count(m, laws), 1, "as this step has them")                                                \
    X(pliant__chunk_now, chunks, array, true, model_count(m, chunks), 1, "per chunk")                                                      \
    X(pliant_vec3, target_from, array, true, model_count(m, targets), 1,                                                                   \
      "m, per target: where the step, or the substep of one that carries, begins")                                                         \
    X(pliant_vec3, target_to, array, true, model_count(m, targets), 1, "m, where it ends")                                                 \
    X(pliant__frame_now, frames, array, true, model_count(m, bodies), 1, "per body")                                                       \
    X(pliant__collider_now, colliders, array, true, colliders, 1, "per collider")                                                          \
    X(pliant__motion, motion, array, true, model_count(m, bodies), 1, "per body")                                                          \
    X(pliant__rigid, rigid, array, true, model_count(m, bodies), 1, "per body: what damping leaves alone")                                 \
    X(pliant_real, begun_v, array, pliant__is_closed(m), slots, 4, "m/s, velocities at the start of a step that is taken whole")           \
    X(pliant_vec3, triangle_force, array, true, model_count(m, triangle_body), 1, "N, per triangle: of the wind")                          \
    X(pliant_vec3, triangle_air, array, true, pliant__has_local_wind(m) ? model_count(m, triangle_body) : 0, 1,                            \
      "m/s per triangle, in this step: of winds that vary from place to place")                                                            \
    X(pliant_vec3, pull, array, pliant__has_local_pull(m), slots, 1,                                                                       \
      "m/s^2: of accelerations that vary from place to place; NULL: there are none")                                                       \
    X(pliant__force_now, forces, array, true, model_count(m, forces), 1, "per force, in this step")                                        \
    X(pliant__residuals, batch_residuals, array, true, model_count(m, batches), 1, "per batch, while residuals are measured")              \
    X(pliant_real, sum, array, measured || (s->how->needs & PLIANT__NEEDS_SUM), slots, 4,                                                  \
      "what rows gather, 0 between walks; how many rows touch the slot. NULL: not needed")                                                 \
    X(pliant_real, predicted, array, measured || (s->how->needs & PLIANT__NEEDS_PREDICTED), slots, 4,                                      \
      "m, x as the iterations found it. NULL: not needed")

/* Calls of a substep: one for each stage, or of those that interactions act in one for each of these. */
#define PLIANT__STEP_CALLS (PLIANT_STAGE_COUNT + 4 * PLIANT__INTERACTION_COUNT)

struct pliant_solver {
    pliant_allocator             allocator;
    const pliant_model          *model;
    pliant_solver_def            def;
    pliant__backend              backend;
    pliant_method_def            method;
    pliant_linear_solver         linear; /* zero where there is none */
    const struct pliant__method *how;

/* what each interaction keeps, by its name */
#define X(NAME, name, text) struct pliant__##name *name;
    INTERACTIONS(X)
#undef X

    SOLVER_SCRATCH(SCRATCH_FIELD)
    pliant__collider_tree    crowd;   /* of colliders */
    pliant__watch           *watches; /* per patch, and behind them per range for its later slots */
    pliant__flow             flow;    /* the order in which patches are taken */
    pliant_real             *begun;   /* 4 per later slot: where it was at the start of the substep, while a walk takes whole substeps */
    pliant__scratch          scratch;
    pliant__many             many;
    double                  *triangle_power; /* W, of the wind at each of a triangle's corners; NULL: not asked for */
    void                    *own;            /* the method's */
    struct pliant__energies *energies;       /* NULL: not asked for; energy.c */

    /* of bodies that are off: off.c */
    uint8_t           *off;           /* per body: it takes no part in this step */
    uint8_t           *changed;       /* per body: it does now, or it does not any more */
    uint16_t          *on_rows;       /* as a state's active bits: rows that no body has which is off */
    uint16_t          *active_now;    /* and which of them are active in this step, where some body is off */
    const uint16_t    *active;        /* these, or a state's: rows that are solved in this step */
    uint8_t           *patch_off;     /* per patch: enum pliant__part_off */
    uint8_t           *patch_between; /* per patch: a row of it is between a body that is off and one that is on */
    pliant__blocks_on *blocks_on;     /* per batch; of patches of which some rows are off */
    bool               some_off;

    /* of the step that is running */
    pliant_state        *state;
    const pliant_inputs *inputs;
    pliant_real         *from;            /* 4 per slot: position at the start of the substep; `start`, or BDF2's previous_x */
    double               substep_h;       /* s */
    pliant_real          substep_rh;      /* the same */
    double               longest_substep; /* s, from which what stands violated may stem */
    double               h;               /* of the backward Euler step that a substep is: the substep, or for BDF2 two thirds of it */
    pliant_real          rh;              /* the same */
    bool                 framed;          /* some body's frame moves */
    bool                 limited;         /* some law has a limit */
    bool                 begins;          /* BDF2: the history is not of this length; the first substep is of first order */
    pliant_real         *damped_v;        /* 4 per slot: the velocities that are being damped */
    uint32_t             substep, substeps, iterations;
    bool                 carries; /* substeps are of the model's length, and what they leave is carried over */
    double               span;    /* what there is to simulate, in substeps: `substeps`, or with a fraction if it carries */
    double               carried; /* s, what will be left of that */
    bool                 keep_lambda;
    bool                 softened, damped;   /* inputs gave a law compliance or damping that the model's has not */
    pliant__sweep        sweep;              /* what kernels need */
    uint32_t             round, first_patch; /* of the round that is being walked */
    void (*patch_task)(pliant_solver *s, uint32_t patch);
    void (*flow_task)(pliant_solver *s, const pliant__flow_task *task);
    pliant_stage      stage;       /* that is running */
    const char       *running;     /* its name, or that of the interaction that runs in it; NULL outside of stages */
    uint32_t          iteration;   /* iterations of the substep that are done */
    pliant__watched   watched;     /* profile.c */
    bool              wants_start; /* some law needs to know where particles began */
    uint32_t          ways;        /* a bit for each enum pliant__way in which the step can be taken */
    uint32_t          interacting; /* a bit for each enum pliant__interaction_number that the step wants */
    enum pliant__way  way;         /* the one in which it is taken, or was */
    bool              enough;      /* said the user's trace */
    double            solving_since, solving_seconds;
    pliant__residuals measured[PLIANT_CONSTRAINT_COUNT + 1];

    /* of the step that ran */
    pliant_statistics statistics;
    double            seconds[PLIANT__STEP_CALLS]; /* s, per call of a substep (step.c), with def.timing */
    pliant_divergence divergence;
};

/* Whether contacts are bounded by speeds instead of paths. */
static inline bool pliant__bounds_speed(const pliant_model *m) { return m->header->contact_bound == PLIANT_CONTACT_BOUND_SPEED; }

/* Whether the step that runs can be taken so. */
static inline bool pliant__takes(const pliant_solver *s, enum pliant__way way) { return s->ways >> way & 1; }

/* Makes a solver around a back-end, which it takes over; NULL on error, the back-end destroyed. */
pliant_solver *pliant__solver_new(const pliant_model *model, const pliant_solver_def *def, pliant__backend backend, pliant_error *error);

/* Runs task(solver, i) for every i in [0, count). Not from within a task. */
void pliant__run(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count);

/* The same, with nobody told of what runs. */
void pliant__hand_out(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count);

/* The same for tasks of less than a microsecond: a few of them are done sooner here than handed out. */
void pliant__run_light(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count);

/* Runs task(solver, patch) for every patch, round after round, since patches of one round share no particle that moves. */
void pliant__walk_patches(pliant_solver *s, void (*task)(pliant_solver *s, uint32_t patch));

/* The same for one round. */
void pliant__walk_round(pliant_solver *s, uint32_t round, void (*task)(pliant_solver *s, uint32_t patch));

/* Runs task(solver, task) for all tasks of the flow, each when what it needs is done. Only where
 * pliant__flows: threads of a host may not wait for each other. */
void               pliant__walk_flow(pliant_solver *s, void (*task)(pliant_solver *s, const pliant__flow_task *task));
static inline bool pliant__flows(const pliant_solver *s) { return !s->def.tasks.enqueue; }

/* k' of PBD: what one of `iterations` sweeps must do so that all of them together leave 1 - k (Müller 2007, section 3.3). */
pliant_real pliant__sweep_stiffness(double stiffness, uint32_t iterations);

/* Makes a solver ready for a step: what stages and kernels look at. False arguments change nothing of a state. */
pliant_code pliant__begin_step(pliant_solver *s, pliant_state *state, const pliant_inputs *inputs);

/* Time goes on: Kahan's sum. */
void pliant__add_time(pliant__state_header *header, double dt);

/* What a step leaves in the header beside the time. */
void pliant__end_step(const pliant_solver *s, pliant__state_header *header);

/* How much old violation a row may turn into speed: ease.c. */
void   pliant__begin_ease(pliant_solver *s);
double pliant__longest_substep(const pliant__state_header *header, double dt, double substep);
double pliant__ease_of(const pliant_solver *s, const pliant__model_law *law);
double pliant__share_done(const pliant_solver *s, uint32_t law); /* of what a compliant row asks for: relaxation, PBD's stiffness */
double pliant__beside_law(const pliant_solver *s, uint32_t law); /* how often spring S is added to alpha for the least; 0: the larger */
double pliant__spring_of(const pliant_solver *s, uint32_t law,
                         bool least); /* s^2; times S: the compliance of rigid rows; -1: they do nothing */

/* Many states at once: many.c. */
uint64_t pliant__many_bytes(const pliant_model *model); /* of scratch, for a group; may be more than there is memory */
bool     pliant__make_many(pliant_solver *s);
void     pliant__free_many(pliant_solver *s);

/* The h that a substep is solved with, and laws for it. */
void pliant__set_h(pliant_solver *s, double h);

#define PLIANT__BDF2_SHARE (2.0 / 3) /* h of a substep */

/* Whether this substep is one of BDF2, and not the one that it begins with. */
static inline bool pliant__has_history(const pliant_solver *s) { return pliant__is_bdf2(s->model) && !(s->begins && s->substep == 0); }

/* Where the time goes: profile.c. Between open and close, on one thread, lies what a span is of; without a profile both do nothing. */
void pliant__open_span(pliant_solver *s, pliant_span_kind kind, pliant_span *span);
void pliant__close_span(const pliant_solver *s, pliant_span *span);
void pliant__run_watched(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count);
void pliant__open_patch_span(pliant_solver *s, uint32_t round, uint32_t patch, pliant_span *span);

static inline void pliant__open(pliant_solver *s, pliant_span_kind kind, pliant_span *span)
{
    if (s->def.profile.end) pliant__open_span(s, kind, span);
}

static inline void pliant__open_patch(pliant_solver *s, uint32_t round, uint32_t patch, pliant_span *span)
{
    if (s->def.profile.end) pliant__open_patch_span(s, round, patch, span);
}

static inline void pliant__close(const pliant_solver *s, pliant_span *span)
{
    if (s->def.profile.end) pliant__close_span(s, span);
}

/* The stages, one file per family. Each works on s->state for substep s->substep. */
void pliant__stage_kinematic(pliant_solver *s);  /* kinematic.c */
void pliant__stage_history(pliant_solver *s);    /* history.c */
void pliant__stage_forces(pliant_solver *s);     /* forces.c */
void pliant__stage_damping(pliant_solver *s);    /* damping.c */
void pliant__stage_predict(pliant_solver *s);    /* particles.c */
void pliant__stage_rest(pliant_solver *s);       /* sleep.c */
void pliant__stage_project(pliant_solver *s);    /* project.c */
void pliant__stage_sleepers(pliant_solver *s);   /* sleep.c */
void pliant__stage_work(pliant_solver *s);       /* work.c */
void pliant__stage_residuals(pliant_solver *s);  /* project.c */
void pliant__stage_velocities(pliant_solver *s); /* particles.c */
void pliant__stage_limits(pliant_solver *s);     /* limits.c */
void pliant__stage_guard(pliant_solver *s);      /* guard.c */
void pliant__stage_log(pliant_solver *s);        /* contact_log.c */
void pliant__stage_loads(pliant_solver *s);      /* load.c */
void pliant__stage_measure(pliant_solver *s);    /* measure.c; once, after the last substep */

/* What is moved goes straight to where it shall be in the end of a step, a share per substep; where the step carries, in each substep by itself, so
 * that its way does not depend on how time was cut into steps: how many substeps that takes, and how many are over when this one is. */
static inline uint32_t pliant__leg(const pliant_solver *s) { return s->carries ? 1 : s->substeps; }
static inline uint32_t pliant__leg_done(const pliant_solver *s) { return s->carries ? 1 : s->substep + 1; }

/* The simulated time when a leg that begins now ends. */
static inline double pliant__leg_end(const pliant_solver *s)
{
    return s->state->header->time + (s->carries ? s->substep_h : s->inputs->dt);
}

/* The share of the way to where inputs want something in the end of the step that a leg beginning now goes. */
static inline pliant_real pliant__leg_share(const pliant_solver *s)
{
    const double left = s->span - s->substep;
    return s->carries && left > 1 ? (pliant_real)(1 / left) : 1;
}

static inline pliant_vec3 pliant__toward(pliant_vec3 from, pliant_vec3 to, pliant_real share)
{
    return share == 1 ? to : v3_lerp(from, to, share);
}

/* forces.c. Keys of forces are asked for at force_time: the middle of the step, or of the substep where they are of one length. A body's motion is of what
 * is the same everywhere; so is its acceleration, m/s^2, which without `keyed` leaves gravity and forces with keys out. */
double         pliant__force_time(const pliant_solver *s);
pliant__motion pliant__motion_of(const pliant_solver *s, const pliant_inputs *inputs, uint32_t body, double time);
pliant_vec3    pliant__acceleration_of(const pliant_model *m, const pliant_inputs *inputs, uint32_t body, double time, bool keyed);

/* Pieces of stages that others call. */
pliant_real *pliant__begin_history(pliant_solver *s); /* history.c: whether there is one; the positions that substeps start from */
void         pliant__straighten_history(pliant_solver *s, uint32_t slot); /* history.c: as if it had always gone as it goes now */
void     pliant__end_stuck(pliant_solver *s, const pliant__chunk *chunk); /* history.c: velocities of what a collider has stuck to itself */
void     pliant__ready_motion(pliant_solver *s);                          /* forces.c: s->motion */
void     pliant__apply_forces(pliant_solver *s);                          /* forces.c: to velocities */
void     pliant__fused_forces(pliant_solver *s);                          /* fused.c: the same, unless that can wait */
bool     pliant__are_velocities_seen(const pliant_model *model);          /* fused.c: between forces and prediction */
bool     pliant__is_closed(const pliant_model *model);                    /* whole.c: whether a step can be one walk over patches */
bool     pliant__step_whole(pliant_solver *s);                            /* whole.c: takes it; false: it has not, or has undone it */
void     pliant__note_damped_laws(pliant_solver *s);                      /* fused.c: s->wants_start */
bool     pliant__walks_once(const pliant_solver *s); /* fused.c: whether a substep's iterations are one walk over the patches */
bool     pliant__make_scratch(pliant_solver *s);     /* fused.c: memory for it */
void     pliant__walk_fused(pliant_solver *s);       /* fused.c: forces, predict, all rounds, velocities */
bool     pliant__fused_guard(pliant_solver *s);      /* fused.c: the highest speed; false: chunks must look */
uint32_t pliant__take_scratch(pliant_solver *s, pliant_real **piece); /* fused.c: memory for a patch, until it is given back */
void     pliant__give_scratch(pliant_solver *s, uint32_t number);
void     pliant__project_patch(const pliant_solver *s, uint32_t patch, const pliant__sweep *sweep);                         /* project.c */
void     pliant__project_list(pliant_solver *s, uint32_t patch);                                                            /* project.c */
void     pliant__evaluate_user(const pliant_solver *s, const pliant__model_user *u, pliant_real *C, pliant_vec3 *gradient); /* measure.c */
void     pliant__wind(pliant_solver *s);                                          /* forces.c: s->triangle_force */
void     pliant__damp(pliant_solver *s, pliant_real *velocities, double seconds); /* damping.c: as that long a time does */
bool     pliant__is_damped(const pliant_model *model);                            /* damping.c: a body or the scene is */
bool     pliant__is_timed(const pliant_model *model);                             /* forces.c: something follows keys or a frame */
double   pliant__drag_rate(const pliant_model *model, uint32_t body);             /* forces.c: 1/s */
void     pliant__guard_chunk(pliant_solver *s, uint32_t chunk);  /* guard.c: its fastest particle, and the first that went wrong */
void     pliant__note_unsolved(pliant_solver *s, uint32_t slot); /* guard.c: a method found no solution near this particle of a body */
void     pliant__begin_kinematic(pliant_solver *s);              /* kinematic.c: where targets and colliders go during the step */
void     pliant__end_kinematic(pliant_solver *s);
void     pliant__lead_slot(pliant_solver *s, uint32_t body, uint32_t slot, pliant_vec3 before, pliant_vec3 after,
                           bool soft);                               /* kinematic.c: in this substep */
void     pliant__begin_frames(pliant_solver *s);                     /* frames.c: how they move in the step; changes nothing of the state */
void     pliant__move_frames(pliant_solver *s);                      /* frames.c: bodies follow what they do not feel, in this substep */
void     pliant__push_frames(pliant_solver *s);                      /* frames.c: what else there is of centrifugal forces, to velocities */
double   pliant__constraint_residual(pliant_solver *s);              /* measure.c: sqrt(sum of squares), m sqrt(kg); fills s->measured */
double   pliant__primal_residual(pliant_solver *s, double *largest); /* measure.c: the same; its largest in N */
void     pliant__gather_users(pliant_solver *s);                     /* measure.c: adds users' constraints' grad C lambda to s->sum */
void     pliant__find_pairs(pliant_solver *s);                       /* pair_search.c */
void     pliant__find_missed_pairs(pliant_solver *s);                /* pair_search.c: where somebody went astray since */
void     pliant__note_ways(pliant_solver *s);                        /* pair_bounds.c: where particles are predicted to go */
void     pliant__bound_slot(pliant_solver *s, uint32_t slot);        /* pair_bounds.c: its path may be cut from now on */
void     pliant__look_again(pliant_solver *s);                       /* contacts.c: who touches whom on the way to where it is now */
void     pliant__begin_collider_bounds(pliant_solver *s);            /* collider_bounds.c */
void     pliant__hold_contacts(pliant_solver *s);                    /* collider_bounds.c: interaction */
bool     pliant__bound_by_colliders(pliant_solver *s);               /* collider_bounds.c: whether paths must be cut anew */
void     pliant__end_collider_bounds(pliant_solver *s);              /* collider_bounds.c */
void     pliant__count_held_colliders(pliant_solver *s);             /* collider_bounds.c: for the statistics */
pliant_real pliant__way_reach(const pliant__shape *shape, pliant_pose before,
                              pliant_pose after);                           /* contacts.c: how far its points go at the most */
void        pliant__begin_sleep(pliant_solver *s);                          /* sleep.c: all wake where the inputs are others */
bool        pliant__make_pairs(pliant_solver *s);                           /* pair_search.c: interaction */
void        pliant__free_pairs(pliant_solver *s);                           /* pair_search.c */
void        pliant__hold_pairs(pliant_solver *s);                           /* pair_bounds.c: interaction */
void        pliant__note_pair_contacts(pliant_solver *s);                   /* pair_contacts.c: interaction */
void        pliant__work_of_interactions(pliant_solver *s);                 /* interactions.c */
void        pliant__count_pairs(pliant_solver *s);                          /* pair_contacts.c: into the statistics */
void        pliant__begin_loads(pliant_solver *s);                          /* load.c: of the step */
void        pliant__begin_bounce(pliant_solver *s, const pliant__touch *t); /* load.c: before a touch changes velocities */
void        pliant__end_bounce(pliant_solver *s, const pliant__touch *t);   /* load.c: and when it has */
bool        pliant__make_energies(pliant_solver *s);                        /* energy.c */
void        pliant__free_energies(pliant_solver *s);                        /* energy.c */
void        pliant__begin_energies(pliant_solver *s);                       /* energy.c: of the step */
void        pliant__end_energies(pliant_solver *s);                         /* energy.c: likewise */
void        pliant__before_substep(pliant_solver *s);                       /* work.c: notes where particles are */
void        pliant__add_wind_work(pliant_solver *s);                        /* work.c: after forces */
void        pliant__note_velocities(pliant_solver *s);                      /* work.c: before contacts change them */
void        pliant__add_bounce_work(pliant_solver *s);                      /* work.c: and when they have */

/* off.c: notes which bodies are off in the step that begins. Whether some row is between a body that is off and one that is on. */
bool pliant__make_off(pliant_solver *s);
void pliant__free_off(pliant_solver *s);
void pliant__find_off(pliant_solver *s);
bool pliant__ties_off(const pliant_solver *s);

/* off.c: calls `walk` with pieces of a batch, and of the members of clusters behind it, that have rows of bodies that are on. */
void pliant__for_live_blocks(const pliant_solver *s, const pliant__sweep *sweep, const pliant__batch *b, uint32_t members,
                             void (*walk)(const pliant_solver *s, const pliant__sweep *sweep, const pliant__batch *b, uint32_t members));

/* pair_search.c: bodies that meet nothing from now on; NULL: none. */
void pliant__leave_out_pairs(pliant_solver *s, const uint8_t *off);

#endif
