/* Bodies and colliders that are elsewhere all of a sudden, and such that appear or vanish, before a step begins: whatever a state has of a body is moved rigidly, so that nothing
 * of it is stretched and no velocity comes of it. */
#include "state/inputs.h"
#include "state/state.h"

/* Position and velocity of a slot, and those of a substep before. */
static void teleport_slot(pliant_state *s, uint32_t slot, const pliant_pose *motion)
{
    pliant__set_slot_x(s->x, slot, pose_apply(*motion, pliant__slot_x(s->x, slot)));
    pliant__set_slot_x(s->v, slot, quat_rotate(motion->rotation, pliant__slot_x(s->v, slot)));
    if (!pliant__is_bdf2(s->model)) return;
    pliant__set_slot_x(s->previous_x, slot, pose_apply(*motion, pliant__slot_x(s->previous_x, slot)));
    pliant__set_slot_x(s->previous_v, slot, quat_rotate(motion->rotation, pliant__slot_x(s->previous_v, slot)));
}

static void teleport_body(pliant_state *s, const pliant__model_body *b, const pliant_pose *motion)
{
    const pliant_model *m = s->model;
    for (uint32_t slot = b->first_slot; slot < b->first_slot + b->slot_count; slot++) teleport_slot(s, slot, motion);
    for (uint32_t i = b->first_target; i < b->first_target + b->target_count; i++) { /* a hard one is its particle */
        const pliant__model_target *t = &m->targets[m->body_target[i]];
        if (t->soft) teleport_slot(s, t->slot, motion);
    }
    for (uint32_t i = b->first_skin; i < b->first_skin + b->skin_count; i++) {
        s->skins[i].x = pose_apply(*motion, s->skins[i].x);
        s->skins[i].normal = quat_rotate(motion->rotation, s->skins[i].normal);
    }
}

/* One that appears is where the inputs want it at the end of the step all along, unless they have said where it begins. */
static void switch_collider(pliant_state *s, const pliant_inputs *in, size_t i)
{
    const bool off = in->collider_switch[i] == PLIANT__SWITCH_OFF;
    if (in->collider_switch[i] == PLIANT__SWITCH_UNSAID || off == pliant__is_off(s, i)) return;
    s->collider_off[i] = off;
    pliant__disturb(s);
    if (off || in->collider_teleport_set[i]) return;
    s->colliders[i] =
        in->collider_set[i] ? in->collider[i] : pliant__collider_at(s->model, &s->model->colliders[i], s->header->time, s->colliders[i]);
}

/* Its particles are held while it is off; pins that may be let go are as they were, or as they were set meanwhile. Switched off, it rests; velocities that
 * are set from then on are those that it begins with. */
static void switch_body(pliant_state *s, const pliant_inputs *in, size_t i)
{
    const pliant__model_body *b = &s->model->bodies[i];
    const bool                off = in->body_switch[i] == PLIANT__SWITCH_OFF;
    if (in->body_switch[i] == PLIANT__SWITCH_UNSAID || off == (s->body_off[i] != 0)) return;
    s->body_off[i] = off;
    pliant__disturb(s);
    for (uint32_t slot = b->first_slot; slot < b->first_slot + b->slot_count; slot++) {
        pliant_real *w = &PLIANT__SLOT(s->x, slot)[3];
        pliant__forget_history(s, slot);
        if (off) {
            pliant__set_off_pinned(s, slot, *w == 0);
            pliant__set_slot_x(s->v, slot, v3(0, 0, 0));
            *w = 0;
        } else {
            *w = pliant__off_pinned(s, slot) ? 0 : pliant__free_w_of(s)[slot];
            pliant__set_off_pinned(s, slot, false);
            if (pliant__may_sleep(s->model)) pliant__put_down(s, slot);
        }
    }
}

void pliant__teleport(pliant_state *state, const pliant_inputs *in)
{
    const pliant_model *m = state->model;
    for (size_t i = 0; i < model_count(m, bodies) && in->teleports; i++)
        if (in->teleport_set[i]) teleport_body(state, &m->bodies[i], &in->teleport[i]);
    for (size_t i = 0; i < model_count(m, colliders) && in->teleports; i++)
        if (in->collider_teleport_set[i]) state->colliders[i] = in->collider_teleport[i];
    for (size_t i = 0; i < model_count(m, colliders) && in->switches; i++) switch_collider(state, in, i);
    for (size_t i = 0; i < model_count(m, bodies) && in->body_switches; i++) switch_body(state, in, i);
}
