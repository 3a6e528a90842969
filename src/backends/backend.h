/* What a solver asks of a back-end: kernels of one lane width, and a way to run tasks (solver/solver.h, struct pliant__backend). Which stages another
 * one would do as a whole: docs/decisions/0031-kernels-by-kind-and-back-ends.md. */
#ifndef PLIANT_BACKENDS_BACKEND_H
#define PLIANT_BACKENDS_BACKEND_H

#include "solver/solver.h"

/* The processor: the lane width that `def` or the environment asks for, or the widest that it has, and threads of Pliant's own or the host's. The caller
 * destroys it with backend->destroy. False with an error. */
bool pliant__cpu_backend(const pliant_solver_def *def, const pliant_allocator *allocator, pliant__backend *backend, pliant_error *error);

#endif
