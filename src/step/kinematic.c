/* What the user moves: targets of attached vertices, skinned targets (skins.c), and colliders. During a step they go straight from where the state has them to where
 * the inputs, or else their keys, want them at its end. A collider that was held on its way goes on at its pace, and catches up in later steps: the state has
 * where it is. */
#include "step/kinematic.h"

#include "contact/collider_tree.h"
#include "contact/contacts.h"
#include "solver/history.h"
#include "solver/interactions.h"
#include "solver/legs.h"
#include "solver/solver.h"
#include "state/inputs.h"
#include "state/state.h"
#include "step/frames.h"

static void begin_collider(pliant_solver *s, uint32_t i)
{
    const pliant_inputs          *in = s->inputs;
    const pliant__model_collider *m = &s->model->colliders[i];
    pliant__collider_now         *c = &s->colliders[i];
    const bool                    paced = pliant__keeps_pace(s, i);
    const pliant_real share = paced && s->carries ? (pliant_real)(s->substeps < s->span ? s->substeps / s->span : 1) : pliant__leg_share(s);
    const double      end = paced && s->carries ? s->state->header->time + s->substeps * s->substep_h : pliant__leg_end(s);
    if (paced && s->substep) return;
    c->from = c->before = c->after = s->state->colliders[i];
    c->held = false;
    c->off = pliant__is_off(s->state, i);
    if (!in->collider_set[i])
        c->to = pliant__collider_at(s->model, m, end, c->from);
    else
        c->to = share == 1 ? in->collider[i] : pose_lerp(c->from, in->collider[i], share);
}

void pliant__begin_kinematic(pliant_solver *s)
{
    const pliant_model  *m = s->model;
    const pliant_inputs *in = s->inputs;
    const double         end = pliant__leg_end(s);
    const pliant_real    share = pliant__leg_share(s);
    for (size_t i = 0; i < model_count(m, targets); i++) {
        const pliant__model_target *t = &m->targets[i];
        s->target_from[i] = pliant__slot_x(s->state->x, t->slot);
        s->target_to[i] =
            in->target_set[i] ? pliant__toward(s->target_from[i], in->target[i], share) : pliant__target_at(m, t, end, s->target_from[i]);
    }
    for (uint32_t i = 0; i < model_count(m, colliders); i++) begin_collider(s, i);
    pliant__fit_collider_tree(s);
    pliant__begin_interactions(s);
}

/* Where a target is when `done` substeps of its way are over; after the last exactly where it shall be. */
static pliant_vec3 target_after(const pliant_solver *s, size_t target, uint32_t done)
{
    if (done == pliant__leg(s)) return s->target_to[target];
    return v3_lerp(s->target_from[target], s->target_to[target], (pliant_real)((double)done / pliant__leg(s)));
}

void pliant__lead_slot(pliant_solver *s, uint32_t body, uint32_t slot, pliant_vec3 before, pliant_vec3 after, bool soft)
{
    if (s->framed && s->frames[body].moves) before = pliant__carried(&s->frames[body], before); /* its velocity is as that of its body */
    const pliant_vec3 v = v3_scale(v3_sub(after, before), 1 / s->substep_rh);
    pliant__set_slot_x(s->start, slot, pliant__has_history(s) ? v3_madd(after, v, -s->rh) : before);
    if (s->from != s->start && !soft) pliant__set_slot_x(s->from, slot, before);
    pliant__set_slot_x(s->state->x, slot, after);
    pliant__set_slot_x(s->state->v, slot, v);
}

static void lead_target(pliant_solver *s, uint32_t i)
{
    const pliant__model_target *t = &s->model->targets[i];
    if (PLIANT__SLOT(s->state->x, t->slot)[3] != 0) return; /* released */
    if (!t->soft && s->off.bodies[t->body]) return;
    pliant__lead_slot(s, t->body, t->slot, pliant__slot_x(s->state->x, t->slot), target_after(s, i, pliant__leg_done(s)), t->soft != 0);
}

static void move_collider(pliant_solver *s, uint32_t i)
{
    pliant__collider_now *c = &s->colliders[i];
    const bool            paced = pliant__keeps_pace(s, i);
    c->before = c->after;
    if (c->held)
        c->after = pose_lerp(c->from, c->to, (pliant_real)(c->gone + 1.0 / s->substeps));
    else
        c->after = pliant__collider_after(c, paced ? s->substeps : 1, paced ? s->substep + 1 : 1);
    c->wanted = c->after;
    c->share = 1;
}

/* Colliders that parts meet are led as they are met (touches.c). */
void pliant__stage_kinematic(pliant_solver *s)
{
    const uint32_t targets = s->part ? s->part->target_count : (uint32_t)model_count(s->model, targets),
                   colliders = s->part ? 0 : (uint32_t)model_count(s->model, colliders);
    if (s->framed) pliant__move_frames(s);
    for (uint32_t i = 0; i < targets; i++) lead_target(s, s->part ? s->part->targets[i] : i);
    pliant__move_interactions(s);
    for (uint32_t i = 0; i < colliders; i++) move_collider(s, i);
}

void pliant__end_colliders(pliant_solver *s)
{
    for (uint32_t i = 0; i < model_count(s->model, colliders); i++) {
        pliant__collider_now *c = &s->colliders[i];
        pliant__lead_collider(c, s->substeps, s->substeps - 1);
    }
}

void pliant__end_kinematic(pliant_solver *s)
{
    for (size_t i = 0; i < model_count(s->model, colliders); i++) s->state->colliders[i] = s->colliders[i].after;
    pliant__count_held_colliders(s);
    pliant__end_interactions(s);
}
