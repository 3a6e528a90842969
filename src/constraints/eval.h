/* Projecting one constraint at a time, one lane wide: users' constraints, grabs, `pliant eval`. */
#ifndef PLIANT_CONSTRAINTS_EVAL_H
#define PLIANT_CONSTRAINTS_EVAL_H

#include "constraints/project.h"

/* A law made ready for substeps of h seconds; `stiffness` is k'. */
vlaw pliant__law_ready(const pliant_law *law, double h, pliant_real stiffness);

/* The numbers of a law of a kind, as many as its row has: as said, or as usual. */
void pliant__law_numbers(pliant_constraint_kind kind, const pliant_law *law, pliant_real *out);

/* The limit of constraints of a kind under a law; `default_limit` is the kind's own. */
project_mode pliant__law_mode(const pliant_law *law, pliant_limit default_limit);

/* C and gradients of one constraint: what its file says. Behind the parameters come the numbers of its law. */
void pliant__constraint_value(pliant_constraint_kind kind, const vvec *x, const vreal *parameter, vreal *C, vvec *gradient);

/* The changes of the multipliers of one constraint: one row with any limit, a block of equalities, or, where `least` is not NULL, equalities in turn with S no
 * less than that. */
void pliant__project_one(const vreal *least, uint32_t rows, uint32_t slots, const pliant_law *law, project_mode mode, double h,
                         pliant_real stiffness, pliant_real rest, const pliant_real *C, const vvec *gradient, const pliant_real *w,
                         const vvec *x, const vvec *start, const pliant_real *lambda, pliant_real *change);

#endif
