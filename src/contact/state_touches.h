/* Which colliders are near a chunk's particles in each of 16 states of a model, that lie side by side in lanes. */
#ifndef PLIANT_CONTACT_STATE_TOUCHES_H
#define PLIANT_CONTACT_STATE_TOUCHES_H

#include "contact/contacts.h"

#define PLIANT__STATE_BOUNDS 8u /* colliders that kernels look at in one walk over the paths */

/* Colliders that are looked at next: numbers of the model's, their boxes in each state, m, and what is found. */
typedef struct pliant__state_lot {
    uint32_t            count, collider[PLIANT__STATE_BOUNDS];
    pliant__state_bound bound[PLIANT__STATE_BOUNDS];
    pliant__box         box[PLIANT__STATE_BOUNDS][PLIANT__BLOCK];
    uint16_t            near[PLIANT__STATE_BOUNDS][PLIANT__CHUNK];
} pliant__state_lot;

/* A search in 16 states, for one chunk after another. */
typedef struct pliant__state_search {
    pliant_solver      *solver[PLIANT__BLOCK]; /* of each state, the whole model being its part */
    uint32_t            states;                /* so many are there */
    const pliant_real  *start, *x;             /* of the model's slots in lanes: m, where the substep begins and where it is now */
    pliant__given_near  near[PLIANT__BLOCK];   /* of each state: what was found */
    pliant__state_paths paths;                 /* of the chunk */
    pliant__state_lot   lot;
} pliant__state_search;

/* Fills `near` for the paths of a chunk's particles. */
void pliant__search_states(pliant__state_search *search, uint32_t chunk);

#endif
