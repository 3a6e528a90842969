/* How far positions are from a solution. */
#ifndef PLIANT_SOLVER_RESIDUALS_H
#define PLIANT_SOLVER_RESIDUALS_H

#include "solver/solver.h"

/* Value and gradients of a user's constraint. */
void pliant__evaluate_user(const pliant_solver *s, const pliant__model_user *u, pliant_real *C, pliant_vec3 *gradient);

/* sqrt(sum of squares) of C + alpha~ lambda, m sqrt(kg); fills s->measured. */
double pliant__constraint_residual(pliant_solver *s);

/* The same of M (x - predicted) - J^T lambda; its largest in N. */
double pliant__primal_residual(pliant_solver *s, double *largest);

/* Adds users' constraints' grad C lambda to s->sum. */
void pliant__gather_users(pliant_solver *s);

/* Fills residuals of each kind of constraints, once, after the last substep. */
void pliant__stage_measure(pliant_solver *s);

/* In the last substep, before velocities: the primal residual. */
void pliant__stage_residuals(pliant_solver *s);

#endif
