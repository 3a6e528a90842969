/* Pliant: events for programs: two bodies, or a body and a collider, begin or end to touch. */
#ifndef PLIANT_CONTACT_LOG_H
#define PLIANT_CONTACT_LOG_H

#include "pliant/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A log is the caller's, and goes with a state: solvers that are made with it (pliant_solver_def.contacts) write down the contacts that push in every
 * substep, so that no bounce between two steps is missed, and at the end of a step there is a list of events. Solvers may be thrown away at any time;
 * a caller that goes back to an earlier state goes back to a copy of the log, too. A step with a log allocates no more than one without. */

/** What makes a log. */
typedef struct pliant_contact_log_def {
    size_t           size;
    pliant_allocator allocator; /**< zeroed: the model's */
    uint32_t         capacity;  /**< contacts that it has room for: those of this step and of the one before, each counted once; default
                                     1024, at most 2^24 */
    bool each; /**< an event for each particle on a collider and each pair of corner and triangle or of edges; default false: one for
                                 each two that touch, bodies or a body and a collider */
} pliant_contact_log_def;

PLIANT_API pliant_contact_log_def pliant_contact_log_def_default(void);

/** A log without contacts. `def` may be NULL. NULL on error. The model must outlive it. */
PLIANT_API pliant_contact_log *pliant_contact_log_create(const pliant_model *model, const pliant_contact_log_def *def, pliant_error *error);

/** Frees a log. NULL is allowed. */
PLIANT_API void pliant_contact_log_destroy(pliant_contact_log *log);

/** Forgets all contacts, without an event: for a state that was reset, or put elsewhere. */
PLIANT_API void pliant_contact_log_reset(pliant_contact_log *log);

/** Makes `to` equal to `from`. Both must be of one model, one capacity and one `each`, else PLIANT_ERROR_ARGUMENT. */
PLIANT_API pliant_code pliant_contact_log_copy(pliant_contact_log *to, const pliant_contact_log *from);

/** What changed with the step. */
typedef enum pliant_contact_change {
    PLIANT_CONTACT_BEGINS,   /**< pushed in the step, and not in the one before */
    PLIANT_CONTACT_PERSISTS, /**< pushed in both */
    PLIANT_CONTACT_ENDS      /**< pushed in the step before only: bodies, collider, particles, point and normal are those of then, all else
                                  is 0 */
} pliant_contact_change;

/** One event. */
typedef struct pliant_contact_event {
    pliant_contact_change change;
    pliant_body     bodies[2];    /**< by their order in the scene; the same twice: a body with itself. The second has id 0: a collider */
    pliant_collider collider;     /**< id 0: two bodies */
    pliant_particle particles[4]; /**< with `each`: those of the contact, else body ids 0 */
    uint32_t        contacts;     /**< contacts between the two that pushed in one substep, at the most */
    pliant_vec3     point;        /**< the mean of these contacts' points, weighed by force */
    pliant_vec3     normal;       /**< the mean of their normals likewise, of length 1: from the second body, or out of the collider, to the
                                 first; of a body with itself as pliant_pair_contact has it. 0 where they cancel out */
    pliant_real
        force; /**< N, the sum of the contacts' forces along their normals, on average over the step: times dt it is the momentum that they
                    give, without the share of restitution */
    pliant_real friction; /**< N, likewise along the surface */
    pliant_real speed;    /**< m/s, the largest speed of approach of a contact that pushed */
} pliant_contact_event;

/** The events of the last step, by first body, second body, collider, particles: `*events` is theirs until the next step. Returns how many. */
PLIANT_API uint32_t pliant_contact_log_events(const pliant_contact_log *log, const pliant_contact_event **events);

/** Contacts without room in the last step, counted each time that they pushed: 0 if `capacity` is large enough. */
PLIANT_API uint64_t pliant_contact_log_dropped(const pliant_contact_log *log);

#ifdef __cplusplus
}
#endif
#endif
