/* Groups as the step asks for them: dispatch from the table to what each file of groups/ has. */
#ifndef PLIANT_CONSTRAINTS_GROUPS_H
#define PLIANT_CONSTRAINTS_GROUPS_H

#include "constraints/groups/press.h"

void   pliant__press(pliant_group_kind kind, const double *number, double rest, double volume, press *out);
double pliant__lost(pliant_group_kind kind, const double *number, double rest, double volume, double h);

#endif
