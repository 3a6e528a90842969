/* The work of what moves by command, substep by substep: energy.c says how it is reckoned. On one thread, in one order. */
#include "constraints/eval.h"
#include "step/energies.h"

#include <string.h>

static double dot(pliant_vec3 a, pliant_vec3 b)
{
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

static pliant_vec3 way_of(const pliant_solver *s, uint32_t slot)
{
    return v3_sub(pliant__slot_x(s->state->x, slot), pliant__slot_x(s->energies->was, slot));
}

static bool moves(pliant_vec3 a) { return a.x != 0 || a.y != 0 || a.z != 0; }

/* ---- contacts ---- */

static void add_touches(pliant_solver *s)
{
    const double per = 1 / (s->h * s->h);
    for (size_t i = 0; i < model_count(s->model, chunks); i++)
        for (uint32_t k = 0; k < s->chunks[i].touch_count; k++) {
            const pliant__touch *t = &s->touches[s->chunks[i].first_touch + k];
            const double         w = (double)s->state->x[4 * (size_t)t->slot + 3];
            if (!(w > 0) || !moves(t->drift)) continue;
            const pliant_vec3 push = v3_add(v3_scale(t->normal, t->lambda), t->friction);
            s->energies->bodies[s->model->chunks[i].body].work += per / w * dot(push, t->drift);
        }
}

/* What touches made of velocities: of several of one particle, that counts which faces the change most. */
void pliant__add_bounce_work(pliant_solver *s)
{
    for (size_t i = 0; i < model_count(s->model, chunks); i++) {
        const pliant__touch *t = s->touches + s->chunks[i].first_touch;
        for (uint32_t k = 0, next; k < s->chunks[i].touch_count; k = next) {
            const uint32_t    slot = t[k].slot;
            const double      w = (double)s->state->x[4 * (size_t)slot + 3];
            const pliant_vec3 by = v3_sub(pliant__slot_x(s->state->v, slot), pliant__slot_x(s->energies->v, slot));
            uint32_t          best = k;
            for (next = k + 1; next < s->chunks[i].touch_count && t[next].slot == slot; next++)
                if (dot(t[next].normal, by) > dot(t[best].normal, by)) best = next;
            if (w > 0) s->energies->bodies[s->model->chunks[i].body].work += dot(by, t[best].drift) / (w * s->substep_h);
        }
    }
}

/* ---- rows at what is led ---- */

static void add_led_row(pliant_solver *s, const pliant__led *led)
{
    const pliant_model           *m = s->model;
    const pliant__batch          *b = &m->batches[led->batch];
    const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)b->kind);
    uint32_t                      slot[PLIANT_MAX_SLOTS] = {0};
    vvec                          x[PLIANT_MAX_SLOTS], gradient[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
    vreal                         parameter[PLIANT_MAX_PARAMETERS], C[PLIANT_MAX_ROWS];
    bool                          any = false;
    if (!pliant__is_active(s->active, b->first_row + led->row)) return;
    pliant__row_slots(m, b, led->row, info->slots, slot);
    for (uint32_t k = 0; k < info->slots; k++) {
        const pliant_real *at = s->state->x + 4 * (size_t)slot[k];
        x[k] = vvec_of(at[0], at[1], at[2]);
        any = any || (at[3] == 0 && moves(way_of(s, slot[k])));
    }
    if (!any) return;
    const pliant_real *p = pliant__parameters(m, b, led->row / PLIANT__BLOCK) + led->row % PLIANT__BLOCK;
    for (uint32_t k = 0; k < info->parameter_count; k++) parameter[k] = p[k * PLIANT__BLOCK];
    pliant__constraint_value((pliant_constraint_kind)b->kind, x, parameter, C, gradient);
    for (uint32_t r = 0; r < info->rows; r++) {
        const size_t at = b->lambda + (size_t)(led->row / PLIANT__BLOCK * info->rows + r) * PLIANT__BLOCK + led->row % PLIANT__BLOCK;
        const double force = (double)s->lambda[at] / (s->h * s->h);
        for (uint32_t k = 0; k < info->slots; k++) {
            const vvec n = gradient[r * info->slots + k];
            if (s->state->x[4 * (size_t)slot[k] + 3] == 0)
                s->energies->bodies[s->energies->row_body[b->first_row + led->row]].work -=
                    force * dot(v3(n.x, n.y, n.z), way_of(s, slot[k]));
        }
    }
}

static void add_users(pliant_solver *s)
{
    const pliant_model *m = s->model;
    for (uint32_t i = 0; i < model_count(m, users); i++) {
        const pliant__model_user *u = &m->users[i];
        pliant_vec3               gradient[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
        pliant_real               C[PLIANT_MAX_ROWS];
        bool                      any = false;
        for (uint32_t k = 0; k < u->particle_count; k++)
            any = any || (s->state->x[4 * (size_t)u->slots[k] + 3] == 0 && moves(way_of(s, u->slots[k])));
        if (!any || !pliant__is_active(s->active, m->header->packed_rows + i)) continue;
        pliant__evaluate_user(s, u, C, gradient);
        for (uint32_t r = 0; r < u->row_count; r++)
            for (uint32_t k = 0; k < u->particle_count; k++) {
                const uint32_t body = s->energies->slot_body[u->slots[k]];
                if (s->state->x[4 * (size_t)u->slots[k] + 3] != 0 || body == PLIANT__NONE) continue;
                s->energies->bodies[body].work -=
                    (double)s->lambda[u->lambda + r] / (s->h * s->h) * dot(gradient[r * u->particle_count + k], way_of(s, u->slots[k]));
            }
    }
}

/* ---- others ---- */

static void add_grabs(pliant_solver *s)
{
    for (uint32_t i = 0; i < s->inputs->grab_count; i++) {
        const uint32_t     slot = s->inputs->grab[i].slot;
        const pliant_real *l = s->grab_lambda[i];
        if (s->state->x[4 * (size_t)slot + 3] == 0) continue;
        s->energies->bodies[s->energies->slot_body[slot]].work += dot(v3(l[0], l[1], l[2]), way_of(s, slot)) / (s->h * s->h);
    }
}

static void add_skins(pliant_solver *s)
{
    for (size_t i = 0; i < model_count(s->model, skins); i++) {
        const pliant__model_skin *k = &s->model->skins[i];
        const double              w = (double)s->state->x[4 * (size_t)k->slot + 3];
        const pliant_vec3         way = v3_sub(s->skins[i].x, s->energies->skin_was[i]);
        if (w > 0) s->energies->bodies[k->body].work += dot(s->skin_push[i], way) / (w * s->h * s->h);
        s->energies->skin_was[i] = s->skins[i].x;
    }
}

/* Accelerations and forces with a potential that changes, or none: what has keys, and what differs from place to place. */
static void add_fields(pliant_solver *s)
{
    const pliant_model *m = s->model;
    for (size_t i = 0; i < model_count(m, chunks); i++) {
        const pliant__chunk *c = &m->chunks[i];
        const pliant_vec3    steady = v3_add(s->inputs->gravity, pliant__acceleration_of(m, s->inputs, c->body, 0, false));
        const pliant_vec3    keyed = v3_sub(s->motion[c->body].acceleration, steady);
        for (uint32_t slot = c->first; slot < c->first + c->count; slot++) {
            const double      w = (double)s->state->x[4 * (size_t)slot + 3];
            const pliant_vec3 a = s->pull ? v3_add(keyed, s->pull[slot]) : keyed;
            if (w > 0) s->energies->bodies[c->body].work += dot(a, way_of(s, slot)) / w;
        }
    }
}

static bool has_fields(const pliant_solver *s) { return s->pull || model_count(s->model, force_time); }

void pliant__add_wind_work(pliant_solver *s)
{
    const pliant_model *m = s->model;
    if (!model_count(m, corner_first)) return;
    for (size_t t = 0; t < model_count(m, triangle_body); t++)
        for (int k = 0; k < 3; k++)
            if (s->state->x[4 * (size_t)m->triangles[3 * t + (size_t)k] + 3] > 0)
                s->energies->bodies[m->triangle_body[t]].work += s->substep_h * s->triangle_power[t];
}

void pliant__note_velocities(pliant_solver *s)
{
    memcpy(s->energies->v, s->state->v, 4 * (size_t)s->model->header->slot_count * sizeof *s->state->v);
}

void pliant__before_substep(pliant_solver *s)
{
    if (!s->energies->leads && !model_count(s->model, users) && !s->inputs->grab_count && !has_fields(s)) return; /* no way is asked for */
    memcpy(s->energies->was, s->state->x, 4 * (size_t)s->model->header->slot_count * sizeof *s->state->x);
}

void pliant__stage_work(pliant_solver *s)
{
    if (model_count(s->model, colliders)) add_touches(s);
    for (uint32_t i = 0; s->energies->leads && i < s->energies->led_count; i++) add_led_row(s, &s->energies->led[i]);
    add_users(s);
    add_grabs(s);
    add_skins(s);
    if (has_fields(s)) add_fields(s);
}
