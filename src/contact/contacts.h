/* What contacts of particles with colliders keep: touches.c finds them, contacts.c solves them, load.c sums up what colliders are pushed with. */
#ifndef PLIANT_CONTACT_CONTACTS_H
#define PLIANT_CONTACT_CONTACTS_H

#include "base/scratch.h"
#include "base/vec.h"
#include "contact/collider_tree.h"
#include "solver/collider_kernels.h"
#include "solver/solver.h"

/* What a contact has done to positions, metres. */
typedef struct pliant__push {
    pliant_real lambda;
    pliant_vec3 friction;
} pliant__push;

/* What a collider is pushed with, summed over substeps: N; N m about where it is. */
typedef struct pliant__load {
    double force[3], torque[3];
} pliant__load;

/* Slot and collider of a touch, for loops that need nothing else of it: far less to read. */
typedef struct pliant__touch_key {
    uint32_t slot, collider;
} pliant__touch_key;

/* Whether a touch pushes or holds on, so that reports count it as a contact; being near a collider is not enough. */
static inline bool pliant__touch_acts(const pliant__touch *t) { return t->lambda > 0 || (t->hold > 0 && t->lambda < 0); }

/* Whether colliders are few enough, beside chunks, to be prepared for all of them. */
static inline bool pliant__sees_colliders(const pliant_model *m) { return model_count(m, colliders) <= 4 * model_count(m, chunks); }

/* A collider as a body's particles find it in a substep: what is the same for each of them. */
typedef struct pliant__facing {
    uint32_t      collider;
    bool          upright, still; /* turned at neither end; at both ends the same */
    pliant_pose   before, after;
    pliant__grown grown;
    pliant_real   friction_static, friction_dynamic, restitution;
    pliant_real   adhesion, draws; /* N; m, how far from where they touch they are drawn to it */
} pliant__facing;

/* A collider as most bodies find it in a substep: those that are as thick as the first one, and that no moving frame carries along. */
typedef struct pliant__collider_seen {
    pliant_real         grow; /* m: what is kept away from it */
    pliant__swept_bound bound;
    pliant__facing      facing; /* with the first body's materials */
} pliant__collider_seen;

/* Whether some body of a model rolls. */
static inline bool pliant__rolls_anything(const pliant_model *m)
{
    bool rolls = false;
    for (size_t i = 0; i < model_count(m, bodies) && !rolls; i++) rolls = m->bodies[i].rolling_friction >= 0;
    return rolls;
}

#define PLIANT__CHUNK_WORDS (PLIANT__CHUNK / 64)

/* A bit for each of a chunk's particles. */
typedef struct pliant__chunk_bits {
    uint64_t word[PLIANT__CHUNK_WORDS];
} pliant__chunk_bits;

/* Colliders near the paths of a chunk's particles in one of 16 states, found beside those of the others (state_touches.c): ascending, with the particles that might
 * touch each, and the box of its way, m, grown by what is kept away from it. */
typedef struct pliant__given_near {
    uint32_t           count, collider[PLIANT__VIEWED_COLLIDERS];
    pliant__chunk_bits near[PLIANT__VIEWED_COLLIDERS];
    pliant__box        box[PLIANT__VIEWED_COLLIDERS];
} pliant__given_near;

#define CONTACT_SCRATCH(X)                                                                                          \
    X(pliant__touch, touches, untouched, true, touches, 1, "each chunk has a piece: pliant__chunk_now.first_touch") \
    X(pliant__touch_key, keys, untouched, true, touches, 1, "of the touches, in the same order")                    \
    X(pliant__push, earlier, untouched, s->method_row->extrapolates, touches, 2,                                    \
      "2 per touch: what it had done an iteration and two ago; NULL: the method does not extrapolate")              \
    X(pliant_real, begun, untouched, pliant__rolls_anything(m), m->header->slot_count, 4,                           \
      "m, where the substep began, before anything was eased out of a collider; NULL: nothing rolls")               \
    X(pliant_vec3, bounced, array, s->def.loads, touches, 1,                                                        \
      "m/s per touch: what it has made of velocities; NULL: loads are not asked for")                               \
    X(pliant__collider_seen, seen, untouched, pliant__sees_colliders(s->model), colliders, 1,                       \
      "per collider; NULL: so many colliders are asked for as they are met")                                        \
    X(pliant__load, loads, array, s->def.loads, colliders, 1, "per collider: what it is pushed with; NULL: not asked for")

struct pliant__contacts {
    CONTACT_SCRATCH(SCRATCH_FIELD)
    pliant__collider_tree     tree;        /* of colliders */
    bool                      bounces;     /* touches may change velocities */
    bool                      may_yield;   /* some collider yields */
    uint32_t                 *led;         /* per collider, of a solver that steps parts: the turn in which it was led last, and prepared */
    const pliant__given_near *given;       /* of the chunk that is looked at, in a solver of a state in lanes; NULL: they are sought */
    uint32_t                  turn;        /* a number for each substep of each part, from 1 on in each step */
    bool                      loads_known; /* a step has ended */
    double                    load_share;  /* the part of the last step's dt that a substep takes */
    uint32_t                  bound_rounds; /* rounds in which this substep's paths were cut anew: collider_bounds.c */
};

/* Whether contacts are bounded by speeds instead of paths. */
static inline bool pliant__bounds_speed(const pliant_model *m) { return m->header->contact_bound == PLIANT_CONTACT_BOUND_SPEED; }

/* Finds touches of particles with colliders on their way to where they are predicted. */
void pliant__find_touches(pliant_solver *s);

/* Finds those on their way to where particles are now: of a chunk, and of all. */
void pliant__find_touches_again(pliant_solver *s, uint32_t chunk);
void pliant__look_again(pliant_solver *s);

/* Finds touches of a chunk's particles, on their way to where they are predicted; and solves those of a chunk, as far as they are found and those that are found then. */
void pliant__find_touches_of(pliant_solver *s, uint32_t chunk);
void pliant__project_touches_of(pliant_solver *s, uint32_t chunk);

/* The bound of a collider as a body's particles look for it in this substep: `own`, filled, or what was prepared. */
const pliant__swept_bound *pliant__bound_of_collider(const pliant_solver *s, const pliant__chunk *chunk, uint32_t collider,
                                                     pliant__swept_bound *own);

/* Leads a collider that a part meets to where it is in the part's substep, once in the substep. */
void pliant__meet_collider(const pliant_solver *s, uint32_t collider);

/* Begins a substep of a part. */
void pliant__begin_turn(pliant_solver *s);

/* Puts a chunk's touches into their order, by slot, then by collider. */
void pliant__sort_touches(pliant_solver *s, pliant__chunk_now *now);

/* m, how far a shape's points go at the most between two poses. */
pliant_real pliant__way_reach(const pliant__shape *shape, pliant_pose before, pliant_pose after);

/* The function `hold` of contacts. */
void pliant__hold_contacts(pliant_solver *s);

/* Begins to keep cut paths out of colliders. */
void pliant__begin_collider_bounds(pliant_solver *s);

/* Whether paths must be cut anew. */
bool pliant__bound_by_colliders(pliant_solver *s);

/* Notes how far held colliders have gone. */
void pliant__end_collider_bounds(pliant_solver *s);

/* For the statistics. */
void pliant__count_held_colliders(pliant_solver *s);

/* Of the step. */
void pliant__begin_loads(pliant_solver *s);

/* Before a touch changes velocities. */
void pliant__begin_bounce(pliant_solver *s, const pliant__touch *t);

/* And when it has. */
void pliant__end_bounce(pliant_solver *s, const pliant__touch *t);

void pliant__stage_loads(pliant_solver *s);

#endif
