/* Contacts of bodies with each other, as the user gets them. */
#ifndef PLIANT_CONTACT_PAIR_CONTACTS_H
#define PLIANT_CONTACT_PAIR_CONTACTS_H

#include "base/vec.h"

/* A pair that pushed, or held on, when its substep's iterations were done. */
typedef struct pliant__pair_contact {
    uint32_t    slot[4];
    uint32_t    sides; /* slots of the first side */
    pliant_real weight[4];
    pliant_vec3 point, normal;
    pliant_real distance;
    pliant_real lambda;   /* m kg, along the normal; below 0: it holds on */
    pliant_real friction; /* m kg */
    pliant_real approach; /* m/s, as it came; below 0: towards each other */
} pliant__pair_contact;

struct pliant_solver;

/* Lanes that rows of the last substep lie in (with a log, of any), and the one in a lane; false if there is none, or it did nothing. Nothing else of
 * reports knows how rows are kept. */
uint32_t pliant__count_row_lanes(const struct pliant_solver *s);
bool     pliant__read_row(const struct pliant_solver *s, uint32_t number, pliant__pair_contact *contact);

#endif
