/* Histories of single particles, which BDF2 has: straight ones, where contacts decide how a particle goes on. */
#include "solver/history.h"

#include "solver/solver.h"
#include "state/state.h"

void pliant__straighten_history(pliant_solver *s, uint32_t slot)
{
    const pliant_vec3 v = pliant__slot_x(s->state->v, slot);
    pliant__set_slot_x(s->state->previous_x, slot, v3_madd(pliant__slot_x(s->state->x, slot), v, -s->substep_rh));
    pliant__set_slot_x(s->state->previous_v, slot, v);
    PLIANT__SLOT(s->state->previous_x, slot)[3] = 1;
}

void pliant__end_stuck(pliant_solver *s, const pliant__chunk *chunk)
{
    for (uint32_t slot = chunk->first; slot < chunk->first + chunk->count; slot++) {
        if (PLIANT__SLOT(s->state->x, slot)[3] == 0 || PLIANT__SLOT(s->state->previous_x, slot)[3] != 0) continue;
        const pliant_vec3 path = v3_sub(pliant__slot_x(s->state->x, slot), pliant__slot_x(s->from, slot));
        pliant__set_slot_x(s->state->v, slot, v3_scale(path, 1 / s->substep_rh));
        pliant__straighten_history(s, slot);
    }
}
