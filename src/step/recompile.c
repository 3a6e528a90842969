/* Carrying a state over an edit of its scene: what both models have keeps going, by ids. */
#include "step/state.h"

#include "base/error.h"

static void carry_body(const pliant__model_body *from, const pliant__model_body *to, const pliant_state *old, pliant_state *fresh)
{
    const pliant_model *a = old->model, *b = fresh->model;
    uint32_t            count = from->vertex_count < to->vertex_count ? from->vertex_count : to->vertex_count;
    for (uint32_t v = 0; v < count; v++) {
        uint32_t     p = a->vertex_slot[from->first_vertex + v], q = b->vertex_slot[to->first_vertex + v];
        pliant_real *x = fresh->x + 4 * (size_t)q;
        pliant__set_slot_x(fresh->x, q, pliant__slot_x(old->x, p));
        pliant__set_slot_x(fresh->v, q, pliant__slot_x(old->v, p));
        if (a->pin[p] == b->pin[q]) x[3] = old->x[4 * (size_t)p + 3] == 0 ? 0 : b->free_w[q];
    }
    uint32_t targets = from->target_count < to->target_count ? from->target_count : to->target_count;
    for (uint32_t t = 0; t < targets; t++) {
        const pliant__model_target *p = &a->targets[a->body_target[from->first_target + t]];
        const pliant__model_target *q = &b->targets[b->body_target[to->first_target + t]];
        if (p->soft && q->soft) pliant__set_slot_x(fresh->x, q->slot, pliant__slot_x(old->x, p->slot));
    }
}

static void carry_constraints(const pliant_state *old, pliant_state *fresh)
{
    size_t a = model_count(old->model, constraint_row), b = model_count(fresh->model, constraint_row);
    for (uint32_t i = 0; i < a && i < b; i++) {
        pliant_constraint c = {i + 1};
        if (old->model->constraint_row[i] != PLIANT__NONE && !pliant_state_active(old, c)) pliant_state_set_active(fresh, c, false);
    }
}

pliant_model *pliant_scene_recompile(const pliant_scene *scene, const pliant_state *old_state, pliant_state **state, pliant_error *error)
{
    if (state) *state = NULL;
    if (!old_state || !state) {
        pliant__fail(error, PLIANT_ERROR_ARGUMENT, "recompile needs the old state and room for the new one");
        return NULL;
    }
    pliant_model *model = pliant_scene_compile(scene, error);
    pliant_state *fresh = model ? pliant_state_create(model, error) : NULL;
    if (!fresh) {
        pliant_model_destroy(model);
        return NULL;
    }
    for (size_t i = 0; i < model_count(model, bodies); i++) {
        const pliant__model_body *from = pliant__model_body_of(old_state->model, (pliant_body){model->bodies[i].id});
        if (from) carry_body(from, &model->bodies[i], old_state, fresh);
    }
    carry_constraints(old_state, fresh);
    for (size_t i = 0; i < model_count(model, colliders) && i < model_count(old_state->model, colliders); i++)
        fresh->colliders[i] = old_state->colliders[i];
    fresh->header->time = old_state->header->time;
    fresh->header->time_lost = old_state->header->time_lost;
    fresh->header->steps = old_state->header->steps;
    *state = fresh;
    return model;
}
