/* Small displacements of a body, solved for exactly from the rows of the draft: the stiffness of a row is gradient times gradient over compliance, and
 * conjugate gradients in double make the forces balance. A constraint of one row with PLIANT_ROW_SHAPED is the length of a vector that is 0 at rest: it is
 * stiff along each axis. */
#ifndef PLIANT_TESTS_STATICS_H
#define PLIANT_TESTS_STATICS_H

#include "scene/draft.h"
#include "trial.h"

typedef struct statics {
    pliant_scene *scene;
    uint32_t      count, rows;               /* particles; rows of all constraints */
    uint32_t     *constraint;                /* of each row */
    double       *x, *u, *r, *p, *q, *force; /* three per particle: place, displacement, scratch, scratch, force of the rows, load */
    double       *gradient;                  /* 12 per row; along x of one that is stiff along each axis */
    double       *stiffness;
    bool         *held; /* per coordinate */
} statics;

void *statics_zeros(size_t count, size_t size);

/* Of all rows of a scene, which is destroyed with it. */
statics statics_of(pliant_scene *scene);
void    statics_end(statics *b);

/* out = K u */
void statics_multiply(const statics *b, const double *u, double *out);

/* Held coordinates of `u` are given; the others become what `force` bends them to (Hestenes and Stiefel 1952). */
void statics_balance(statics *b);

#endif
