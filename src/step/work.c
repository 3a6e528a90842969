/* The work of what moves by command, substep by substep: energy.c says how it is reckoned. On one thread, in one order. */
#include "constraints/eval.h"
#include "solver/energies.h"
#include "solver/interactions.h"
#include "solver/solver.h"
#include "state/inputs.h"
#include "state/state.h"
#include "step/energy.h"
#include "step/forces.h"

#include <string.h>

/* ---- rows at what is led ---- */

static void add_led_row(pliant_solver *s, const pliant__led *led)
{
    const pliant_model           *m = s->model;
    const pliant__batch          *b = &m->batches[led->batch];
    const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)b->kind);
    uint32_t                      slot[PLIANT_MAX_SLOTS] = {0};
    vvec                          x[PLIANT_MAX_SLOTS], gradient[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
    vreal                         parameter[PLIANT_MAX_PARAMETERS + PLIANT_MAX_NUMBERS], C[PLIANT_MAX_ROWS];
    bool                          any = false;
    if (!pliant__is_active(s->active, b->first_row + led->row)) return;
    pliant__row_slots_by(m, pliant__row_index_of(s->state), b, led->row, info->slots, slot);
    for (uint32_t k = 0; k < info->slots; k++) {
        const pliant_real *at = PLIANT__SLOT(s->state->x, slot[k]);
        x[k] = vvec_of(at[0], at[1], at[2]);
        any = any || (at[3] == 0 && pliant__moves(pliant__way_of(s, slot[k])));
    }
    if (!any) return;
    pliant__row_numbers(m, s->state->flow, s->inputs->law, b, led->row, parameter);
    pliant__constraint_value((pliant_constraint_kind)b->kind, x, parameter, C, gradient);
    for (uint32_t r = 0; r < info->rows; r++) {
        const size_t at = b->lambda + (size_t)(led->row / PLIANT__BLOCK * info->rows + r) * PLIANT__BLOCK + led->row % PLIANT__BLOCK;
        const double force = (double)s->lambda[at] / (s->h * s->h);
        for (uint32_t k = 0; k < info->slots; k++) {
            const vvec n = gradient[r * info->slots + k];
            if (PLIANT__SLOT(s->state->x, slot[k])[3] == 0)
                s->energies->bodies[s->energies->row_body[b->first_row + led->row]].work -=
                    force * pliant__dot(v3(n.x, n.y, n.z), pliant__way_of(s, slot[k]));
        }
    }
}

/* ---- others ---- */

/* Accelerations and forces with a potential that changes, or none: what has keys, and what differs from place to place. */
static void add_fields(pliant_solver *s)
{
    const pliant_model *m = s->model;
    for (size_t i = 0; i < model_count(m, chunks); i++) {
        const pliant__chunk *c = &m->chunks[i];
        const pliant_vec3    steady = v3_add(s->inputs->gravity, pliant__acceleration_of(m, s->inputs, c->body, 0, false));
        const pliant_vec3    keyed = v3_sub(s->motion[c->body].acceleration, steady);
        for (uint32_t slot = c->first; slot < c->first + c->count; slot++) {
            const double      w = (double)PLIANT__SLOT(s->state->x, slot)[3];
            const pliant_vec3 a = s->pull ? v3_add(keyed, s->pull[slot]) : keyed;
            if (w > 0) s->energies->bodies[c->body].work += pliant__dot(a, pliant__way_of(s, slot)) / w;
        }
    }
}

static bool has_fields(const pliant_solver *s) { return s->pull || model_count(s->model, force_time); }

void pliant__before_substep(pliant_solver *s)
{
    if (!s->energies->leads && !model_count(s->model, users) && !model_count(s->model, mouths) && !s->inputs->grab_count && !has_fields(s))
        return; /* no way is asked for */
    memcpy(s->energies->was, s->state->x, pliant__slot_numbers(s->model->header->slot_count) * sizeof *s->state->x);
}

void pliant__stage_work(pliant_solver *s)
{
    for (uint32_t i = 0; s->energies->leads && i < s->energies->led_count; i++) add_led_row(s, &s->energies->led[i]);
    pliant__work_of_interactions(s);
    if (has_fields(s)) add_fields(s);
}
