/* Particles with paths that may be cut: by barriers between bodies (pair_bounds.c), or by colliders (collider_bounds.c). */
#include "contact/pairs.h"
#include "solver/solver.h"
#include "state/state.h"

/* Its path may be cut from now on. Where it wants to go is where it is, since its path was not cut. */
void pliant__bound_slot(pliant_solver *s, uint32_t slot)
{
    pliant__pairs *p = s->pairs;
    if (!p->bound[slot]) {
        p->most[slot] = 1;
        p->stands[slot] = PLIANT__STANDS_NOWHERE;
        pliant__set_slot_x(p->wanted, slot, pliant__slot_x(s->state->x, slot));
        PLIANT__SLOT(p->wanted, slot)[3] = 1;
    }
    p->bound[slot] = 1;
}
