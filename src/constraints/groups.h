/* Groups as the step asks for them: dispatch from the table to what each file of groups/ has. */
#ifndef PLIANT_CONSTRAINTS_GROUPS_H
#define PLIANT_CONSTRAINTS_GROUPS_H

#include "constraints/groups/match.h"
#include "constraints/groups/press.h"

pliant_group_over pliant__group_over(pliant_group_kind kind);

/* Of kinds over faces. */
void   pliant__press(pliant_group_kind kind, const double *number, double rest, double volume, press *out);
double pliant__pumped(pliant_group_kind kind, double rest, double volume, double pressure);

/* Of kinds over members nothing is ever lost. */
bool   pliant__may_lose(pliant_group_kind kind, const double *number);
double pliant__lost(pliant_group_kind kind, const double *number, double rest, double volume, double h);

double pliant__blown(pliant_group_kind kind, const double *number, double rest, double volume, const opening *of);

/* Of kinds over members. */
match_order pliant__match_order(pliant_group_kind kind);
void        pliant__match_stiffness(pliant_group_kind kind, const double *number, const match_size *size, double stiffness[MATCH_ROWS]);
match_yield pliant__match_yield(pliant_group_kind kind, const double *number);

#endif
