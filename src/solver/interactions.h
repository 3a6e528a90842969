/* Interactions: what is solved beside the rows of patches. An interaction is a file and a row of this table.
 *
 * A step's stages call the functions of each interaction that is wanted, in the order of the rows; settle in the reverse order, so that velocities are
 * put right last where positions were put right first. What an interaction keeps is its own: struct pliant__name, which its file defines, behind the
 * pointer `name` of the solver.
 *
 * X(NAME, name, what it does) */
#ifndef PLIANT_SOLVER_INTERACTIONS_H
#define PLIANT_SOLVER_INTERACTIONS_H

#include <stdbool.h>

#define INTERACTIONS(X)                                                                         \
    X(GROUPS, groups, "closed surfaces that are filled: each pushes all its particles at once") \
    X(MATCHES, matches, "clusters of particles that keep their shape: shape matching")          \
    X(STITCHES, stitches, "threads that are drawn shut, one after another")                     \
    X(USERS, users, "constraints that the caller defines, one after another")                   \
    X(GRABS, grabs, "points that pull a particle each, one after another")                      \
    X(PAIRS, pairs, "features of bodies that meet those of other bodies, or of their own")      \
    X(CONTACTS, contacts, "particles that touch colliders")                                     \
    X(SKINS, skins, "vertices that stay near targets which an animated mesh carries")

enum pliant__interaction_number {
#define X(NAME, name, text) PLIANT__INTERACTION_##NAME,
    INTERACTIONS(X)
#undef X
        PLIANT__INTERACTION_COUNT
};
_Static_assert(PLIANT__INTERACTION_COUNT <= 32, "a solver notes in 32 bits which a step wants");

#define X(NAME, name, text) struct pliant__##name;
INTERACTIONS(X)
#undef X

struct pliant_solver;

/* What a file of an interaction defines, as pliant__interaction_name. A function that is NULL does nothing; `wanted` is never NULL. */
typedef struct pliant__interaction {
    bool needs_lambda; /* s->lambda is kept in a step that wants it */
    /* Makes and frees what it keeps. create is false where memory runs out; destroy then frees what there is. NULL: it keeps nothing. */
    bool (*create)(struct pliant_solver *s);
    void (*destroy)(struct pliant_solver *s);
    /* Whether it has anything to do in the step that begins; no other function below is called where it has not. */
    bool (*wanted)(const struct pliant_solver *s);
    /* Whether in the step that begins find, project, note, hold and settle can act on the particles of a part alone, s->part, while other parts are in other
     * substeps. NULL: never. */
    bool (*goes_by_parts)(const struct pliant_solver *s);
    /* How it goes during the step, or where the step carries substeps over, during the next substep; called before its first stage. */
    void (*begin)(struct pliant_solver *s);
    /* Moves what goes by command to where the substep ends: stage kinematic. */
    void (*move)(struct pliant_solver *s);
    /* Finds what it acts on, from where particles are predicted: stage find. */
    void (*find)(struct pliant_solver *s);
    /* One sweep: moves positions, after the rows of patches; `first`: multipliers count as 0. */
    void (*project)(struct pliant_solver *s, bool first);
    /* Keeps what reports need of positions as the iterations leave them: stage note. */
    void (*note)(struct pliant_solver *s);
    /* Takes back what of a particle's way must not be: stage hold. */
    void (*hold)(struct pliant_solver *s);
    /* Changes velocities when they are known: stage settle. */
    void (*settle)(struct pliant_solver *s);
    /* Lets what is strained beyond its yield flow: stage flow. Particles stay. */
    void (*flow)(struct pliant_solver *s);
    /* Adds its forces times h^2 to s->sum, for residuals. */
    void (*gather)(struct pliant_solver *s);
    /* Adds what it holds of energy in the state to the bodies': energy.c. */
    void (*energy)(struct pliant_solver *s);
    /* Adds the work of what it led by command in this substep: stage work. */
    void (*work)(struct pliant_solver *s);
    /* Puts into the state where it is now: when what `begin` began ends, and before a caller looks at the state between substeps. */
    void (*end)(struct pliant_solver *s);
    /* Fills the statistics of a step, after its last substep. */
    void (*count)(struct pliant_solver *s);
} pliant__interaction;

/* The table, by enum pliant__interaction_number, and names: step/interactions.c. A solver points to it. */
extern const pliant__interaction *const pliant__interactions[PLIANT__INTERACTION_COUNT];
extern const char *const                pliant__interaction_names[PLIANT__INTERACTION_COUNT];

/* Makes and frees all. */
bool pliant__make_interactions(struct pliant_solver *s);
void pliant__free_interactions(struct pliant_solver *s);

/* Whether one that is wanted needs s->lambda. */
bool pliant__lambda_is_needed(const struct pliant_solver *s);

/* Notes in s->interacting which are wanted. */
void pliant__choose_interactions(struct pliant_solver *s);

/* Whether each that is wanted goes by parts. */
bool pliant__interactions_go_by_parts(const struct pliant_solver *s);

/* Calls one of the functions of each that is wanted. */
void pliant__begin_interactions(struct pliant_solver *s);
void pliant__move_interactions(struct pliant_solver *s);
void pliant__gather_interactions(struct pliant_solver *s);
void pliant__flow_interactions(struct pliant_solver *s);
void pliant__end_interactions(struct pliant_solver *s);
void pliant__count_interactions(struct pliant_solver *s);
void pliant__work_of_interactions(struct pliant_solver *s);
void pliant__energy_of_interactions(struct pliant_solver *s);

/* One sweep of each that is wanted. */
void pliant__project_interactions(struct pliant_solver *s, bool first);

#endif
