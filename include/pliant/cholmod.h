/* Pliant, optional library (libpliant_cholmod): sparse factors by CHOLMOD (Chen, Davis, Hager, Rajamanickam 2008), for methods that want them. */
#ifndef PLIANT_CHOLMOD_H
#define PLIANT_CHOLMOD_H

#include "pliant/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/** CHOLMOD for pliant_solver_def.linear: simplicial L D L^T, the order by approximate minimum degree, each system factored by one thread. Valid
 * as long as the program runs. NULL where CHOLMOD itself is not found: it is loaded by the first call, as the shared library that this one was built
 * with. What it answers depends on the system alone, on one machine with one CHOLMOD. */
PLIANT_API const pliant_linear_solver *pliant_cholmod(void);

/** How many numbers the factor L of a system has: what its analysis says. */
PLIANT_API size_t pliant_cholmod_entries(const void *system);

#ifdef __cplusplus
}
#endif
#endif
