/* Mouths of filled surfaces: a part of the interaction of groups. */
#ifndef PLIANT_STEP_MOUTHS_H
#define PLIANT_STEP_MOUTHS_H

#include "solver/solver.h"

#include <stdbool.h>
#include <stdint.h>

bool pliant__create_mouths(pliant_solver *s);
void pliant__destroy_mouths(pliant_solver *s);

/* A substep begins. Returns whether any mouth is open in it. */
bool pliant__open_mouths(pliant_solver *s);

/* What flows through the mouth of a group, if it has one, in this substep, which found it with these numbers and this volume: by how much the first number falls. */
double pliant__flow_through_mouth(pliant_solver *s, uint32_t group, const double *number, double volume);

/* Takes the push of each mouth's jet from where its faces are; gives what corresponds to the last change of multipliers to particles; and adds the whole
 * multiplier's to forces, times h^2. */
void pliant__aim_mouths(pliant_solver *s);
void pliant__push_at_mouths(pliant_solver *s);
void pliant__gather_mouths(pliant_solver *s);

/* Adds the work of jets on particles in this substep. */
void pliant__work_of_mouths(pliant_solver *s);

#endif
