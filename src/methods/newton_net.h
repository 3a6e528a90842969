/* Newton's method on graphs of constraints: newton.c gives it what is no tree. */
#ifndef PLIANT_METHODS_NEWTON_NET_H
#define PLIANT_METHODS_NEWTON_NET_H

#include "methods/net.h"

typedef struct pliant__newton_net pliant__newton_net;

/* Made with the solver's settings and its linear solver; NULL with an error. */
pliant__newton_net *pliant__newton_net_create(pliant_solver *s, pliant_error *error);
void                pliant__newton_net_destroy(pliant_solver *s, pliant__newton_net *n);

/* The iterations of one substep; n is in `own`. */
void pliant__newton_net_solve(pliant_solver *s, pliant__newton_net *n);

#endif
