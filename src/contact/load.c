/* What colliders are pushed with: the impulses of contacts, turned round and summed up for each collider.
 *
 * In a substep of length H a contact moves its particle by p metres, and that is a force of p m / h^2, with h = H or two thirds of it (BDF2). Then it changes the
 * velocity by d, when it bounces: an impulse of d m. BDF2 keeps a momentum of (3 v_{n+1} - v_n) m / 2, and what a contact makes of both velocities counts so.
 * With the impulse of gravity and others these add up to the change of a body's momentum, to rounding. On one thread, in the order of contacts. */
#include "contact/contacts.h"
#include "solver/solver.h"
#include "state/inputs.h"
#include "state/state.h"

#include <string.h>

void pliant__begin_loads(pliant_solver *s)
{
    if (s->contacts->loads) memset(s->contacts->loads, 0, model_count(s->model, colliders) * sizeof *s->contacts->loads);
    s->contacts->loads_known = s->contacts->loads != NULL;
    s->contacts->load_share = s->carries ? s->substep_h / s->inputs->dt : s->substeps ? 1.0 / s->substeps : 0;
}

/* The velocity that a change is counted of. */
static pliant_vec3 counted_velocity(const pliant_solver *s, uint32_t slot)
{
    const pliant_vec3 v = pliant__slot_x(s->state->v, slot);
    if (!pliant__is_bdf2(s->model)) return v;
    return v3_madd(v3_scale(v, (pliant_real)1.5), pliant__slot_x(s->state->previous_v, slot), -(pliant_real)0.5);
}

void pliant__begin_bounce(pliant_solver *s, const pliant__touch *t)
{
    pliant_vec3 *b = &s->contacts->bounced[t - s->contacts->touches];
    *b = v3_sub(*b, counted_velocity(s, t->slot));
}

void pliant__end_bounce(pliant_solver *s, const pliant__touch *t)
{
    pliant_vec3 *b = &s->contacts->bounced[t - s->contacts->touches];
    *b = v3_add(*b, counted_velocity(s, t->slot));
}

static void add_touch(pliant_solver *s, const pliant__touch *t, const pliant_vec3 *bounced)
{
    const double w = (double)PLIANT__SLOT(s->state->x, t->slot)[3];
    if (!(w > 0)) return;
    const pliant_vec3 push = v3_madd(t->friction, t->normal, t->lambda), x = pliant__slot_x(s->state->x, t->slot),
                      arm = v3_sub(x, s->colliders[t->collider].after.position);
    const double  moved = -1 / (w * s->h * s->h), thrown = -1 / (w * s->substep_h);
    const double  f[3] = {moved * (double)push.x + thrown * (double)bounced->x, moved * (double)push.y + thrown * (double)bounced->y,
                          moved * (double)push.z + thrown * (double)bounced->z};
    const double  r[3] = {(double)arm.x, (double)arm.y, (double)arm.z};
    pliant__load *l = &s->contacts->loads[t->collider];
    for (int k = 0; k < 3; k++) {
        l->force[k] += f[k];
        l->torque[k] += r[(k + 1) % 3] * f[(k + 2) % 3] - r[(k + 2) % 3] * f[(k + 1) % 3];
    }
}

void pliant__stage_loads(pliant_solver *s)
{
    for (size_t i = 0; i < model_count(s->model, chunks) && model_count(s->model, colliders); i++)
        for (uint32_t k = 0; k < s->chunks[i].touch_count; k++) {
            const uint32_t at = s->chunks[i].first_touch + k;
            add_touch(s, &s->contacts->touches[at], &s->contacts->bounced[at]);
        }
}

pliant_code pliant_solver_collider_load(const pliant_solver *solver, pliant_collider collider, pliant_vec3 *force, pliant_vec3 *torque)
{
    const bool    known = solver && solver->contacts->loads_known && collider.id && collider.id <= model_count(solver->model, colliders);
    const double  by = known ? solver->contacts->load_share : 0;
    const double *f = known ? solver->contacts->loads[collider.id - 1].force : NULL,
                 *m = known ? solver->contacts->loads[collider.id - 1].torque : NULL;
    if (force) *force = known ? v3((pliant_real)(f[0] * by), (pliant_real)(f[1] * by), (pliant_real)(f[2] * by)) : v3(0, 0, 0);
    if (torque) *torque = known ? v3((pliant_real)(m[0] * by), (pliant_real)(m[1] * by), (pliant_real)(m[2] * by)) : v3(0, 0, 0);
    return known ? PLIANT_OK : PLIANT_ERROR_ARGUMENT;
}
