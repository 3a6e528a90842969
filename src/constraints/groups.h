/* Groups as the step asks for them: dispatch from the table to what each file of groups/ has. */
#ifndef PLIANT_CONSTRAINTS_GROUPS_H
#define PLIANT_CONSTRAINTS_GROUPS_H

#include "constraints/groups/press.h"

void   pliant__press(pliant_group_kind kind, const double *number, double rest, double volume, press *out);
bool   pliant__may_lose(pliant_group_kind kind, const double *number);
double pliant__pumped(pliant_group_kind kind, double rest, double volume, double pressure);
double pliant__lost(pliant_group_kind kind, const double *number, double rest, double volume, double h);

#endif
