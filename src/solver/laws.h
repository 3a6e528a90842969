/* The length of a substep, and laws for it. */
#ifndef PLIANT_SOLVER_LAWS_H
#define PLIANT_SOLVER_LAWS_H

#include "solver/solver.h"
#include "state/state.h"

#define PLIANT__BDF2_SHARE (2.0 / 3) /* h of a substep, of its length */

/* Sets the h, s, that a substep is solved with, and laws for it. */
void pliant__set_h(pliant_solver *s, double h);

/* k' of PBD: what one of `iterations` sweeps must do so that all of them together leave 1 - k (Müller 2007, section 3.3). */
pliant_real pliant__sweep_stiffness(double stiffness, uint32_t iterations);

/* Sets the longest substep of late, from which the ease of rows follows. */
void pliant__begin_ease(pliant_solver *s);

/* s, what the longest substep of late is when a step of dt with such substeps begins. */
double pliant__longest_substep(const pliant__state_header *header, double dt, double substep);

/* How much less of an old violation a row of a law may turn into speed: a factor of S, 1 or more. */
double pliant__ease_of(const pliant_solver *s, const pliant__model_law *law);

/* The same for groups; and s^2, times S: the compliance that a sweep gives rigid ones. */
double pliant__ease_of_groups(const pliant_solver *s);
double pliant__spring_of_groups(const pliant_solver *s);

/* The share of what a compliant row asks for that a sweep does: relaxation, PBD's stiffness. */
double pliant__share_done(const pliant_solver *s, uint32_t law);

/* How often spring S is added to alpha for the least energy that a row may have; 0: the larger of both counts. */
double pliant__beside_law(const pliant_solver *s, uint32_t law);

/* s^2; times S: the compliance that a sweep gives rigid rows; -1: they do nothing. */
double pliant__spring_of(const pliant_solver *s, uint32_t law, bool least);

#endif
