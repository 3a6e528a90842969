/* Carrying a state over an edit of its scene: what both models have keeps going, by ids. */
#include "base/error.h"
#include "state/inputs.h"
#include "state/state.h"
#include "state/tear.h"

#include <string.h>

/* Soft targets; a hard one is its particle. One that is new is where its keys have it by now. */
static void carry_targets(const pliant__model_body *from, const pliant__model_body *to, const pliant_state *old, pliant_state *fresh)
{
    const pliant_model *a = old->model, *b = fresh->model; /* `from` NULL: the body is new */
    for (uint32_t t = 0; t < to->target_count; t++) {
        const pliant__model_target *q = &b->targets[b->body_target[to->first_target + t]];
        const pliant__model_target *p = from && t < from->target_count ? &a->targets[a->body_target[from->first_target + t]] : NULL;
        if (!q->soft) continue;
        if (!p || !p->soft) {
            pliant_vec3 now = pliant__target_at(b, q, old->header->time, pliant__slot_x(fresh->x, q->slot));
            pliant__set_slot_x(fresh->x, q->slot, now);
            continue;
        }
        pliant__set_slot_x(fresh->x, q->slot, pliant__slot_x(old->x, p->slot));
        pliant__set_slot_x(fresh->v, q->slot, pliant__slot_x(old->v, p->slot));
    }
}

/* One that is new is where its keys have it by now. */
static void carry_skin(const pliant__model_body *from, const pliant__model_body *to, const pliant_state *old, pliant_state *fresh)
{
    const pliant_model *a = old->model, *b = fresh->model; /* `from` NULL: the body is new */
    for (uint32_t i = to->first_skin; i < to->first_skin + to->skin_count; i++)
        fresh->skins[i].x = pliant__skin_at(b, &b->skins[i], old->header->time, fresh->skins[i].x);
    pliant__skin_normals(b, to, fresh->skins);
    for (uint32_t i = 0; from && i < from->listed_skin_count && i < to->listed_skin_count; i++)
        fresh->skins[b->listed_skins[to->first_listed_skin + i]] = old->skins[a->listed_skins[from->first_listed_skin + i]];
}

/* The number of a body's first group, and how many follow it. */
static uint32_t groups_of(const pliant_model *m, const pliant__model_body *body, uint32_t *count)
{
    uint32_t first = 0;
    *count = 0;
    while (first < model_count(m, groups) && m->groups[first].body != (uint32_t)(body - m->bodies)) first++;
    while (first + *count < model_count(m, groups) && m->groups[first + *count].body == (uint32_t)(body - m->bodies)) ++*count;
    return first;
}

static bool rests_as_before(const pliant_model *a, const pliant__model_match *was, const pliant_model *b, const pliant__model_match *is)
{
    return was->member_count == is->member_count &&
           memcmp(a->match_offsets + 4 * (size_t)was->first_member, b->match_offsets + 4 * (size_t)is->first_member,
                  4 * sizeof(pliant_real) * (size_t)is->member_count) == 0;
}

/* A cluster that flows goes on with its plastic map where it rests in the scene as it did. */
static void carry_plastic(const pliant__model_match *was, const pliant__model_match *is, const pliant_state *old, pliant_state *fresh)
{
    if (was->flow && is->flow && rests_as_before(old->model, was, fresh->model, is))
        memcpy(fresh->match_plastic + 9 * (size_t)(is->flow - 1), old->match_plastic + 9 * (size_t)(was->flow - 1),
               9 * sizeof(pliant_real));
}

/* Clusters keep their rotations, and what has flowed, where there are as many as before. */
static void carry_rotations(const pliant__model_group *from, const pliant__model_group *to, const pliant_state *old, pliant_state *fresh)
{
    if (pliant_group_describe((pliant_group_kind)to->kind)->over != PLIANT_OVER_MEMBERS || from->member_count != to->member_count) return;
    memcpy(fresh->match_rotation + 4 * (size_t)to->first_member, old->match_rotation + 4 * (size_t)from->first_member,
           4 * sizeof(pliant_real) * (size_t)to->member_count);
    for (uint32_t i = 0; i < to->member_count; i++)
        carry_plastic(&old->model->matches[from->first_member + i], &fresh->model->matches[to->first_member + i], old, fresh);
}

/* One of the same kind keeps its number; one that is new has what its keys say by now. */
static void carry_groups(const pliant__model_body *from, const pliant__model_body *to, const pliant_state *old, pliant_state *fresh)
{
    const pliant_model *a = old->model, *b = fresh->model; /* `from` NULL: the body is new */
    uint32_t            had = 0, has;
    const uint32_t      first = groups_of(b, to, &has), was = from ? groups_of(a, from, &had) : 0;
    for (uint32_t i = 0; i < has; i++) {
        double *number = &fresh->group_number[first + i];
        *number = pliant__group_at(b, &b->groups[first + i], old->header->time, *number);
        if (i >= had || a->groups[was + i].kind != b->groups[first + i].kind) continue;
        *number = old->group_number[was + i];
        carry_rotations(&a->groups[was + i], &b->groups[first + i], old, fresh);
    }
}

static bool is_off(const pliant_state *state, const pliant__model_body *body) { return state->body_off[body - state->model->bodies] != 0; }

static bool was_pinned(const pliant_state *old, const pliant__model_body *body, uint32_t slot)
{
    return is_off(old, body) ? pliant__off_pinned(old, slot) : PLIANT__SLOT(old->x, slot)[3] == 0;
}

/* One that was off is: its particles are held, and what pins they have is noted. */
static void carry_off(const pliant__model_body *from, const pliant__model_body *to, const pliant_state *old, pliant_state *fresh)
{
    if (!is_off(old, from)) return;
    fresh->body_off[to - fresh->model->bodies] = 1;
    for (uint32_t slot = to->first_slot; slot < to->first_slot + to->slot_count; slot++) {
        pliant__set_off_pinned(fresh, slot, PLIANT__SLOT(fresh->x, slot)[3] == 0);
        PLIANT__SLOT(fresh->x, slot)[3] = 0;
    }
}

static void carry_body(const pliant__model_body *from, const pliant__model_body *to, const pliant_state *old, pliant_state *fresh)
{
    const pliant_model *a = old->model, *b = fresh->model;
    uint32_t            count = from->vertex_count < to->vertex_count ? from->vertex_count : to->vertex_count;
    if (from->spare_count || to->spare_count) { /* what is torn is vertices of its own */
        const uint32_t p = from->vertex_count - from->spare_count, q = to->vertex_count - to->spare_count;
        count = p < q ? p : q;
    }
    for (uint32_t v = 0; v < count; v++) {
        uint32_t     p = a->vertex_slot[from->first_vertex + v], q = b->vertex_slot[to->first_vertex + v];
        pliant_real *x = PLIANT__SLOT(fresh->x, q);
        pliant__set_slot_x(fresh->x, q, pliant__slot_x(old->x, p));
        pliant__set_slot_x(fresh->v, q, pliant__slot_x(old->v, p));
        if (a->pin[p] == b->pin[q]) x[3] = was_pinned(old, from, p) ? 0 : b->free_w[q];
        if (pliant__is_bdf2(a) && pliant__is_bdf2(b)) {
            memcpy(PLIANT__SLOT(fresh->previous_x, q), PLIANT__SLOT(old->previous_x, p), 4 * sizeof(pliant_real));
            memcpy(PLIANT__SLOT(fresh->previous_v, q), PLIANT__SLOT(old->previous_v, p), 4 * sizeof(pliant_real));
        }
    }
    pliant__carry_tears(from, to, old, fresh);
    carry_off(from, to, old, fresh);
    carry_targets(from, to, old, fresh);
    carry_skin(from, to, old, fresh);
    carry_groups(from, to, old, fresh);
}

/* A tether as a number that ascends with its particle, then with its pin: both are vertices of one body. */
typedef struct tethered {
    uint32_t body, vertex, pin;
} tethered;

static tethered tethered_by(const pliant_model *m, uint32_t row)
{
    const pliant__batch *b = pliant__batch_of(m, row);
    uint32_t             slots[2];
    pliant__row_slots(m, b, row - b->first_row, 2, slots);
    const pliant_particle p = pliant__model_particle(m, slots[0]), q = pliant__model_particle(m, slots[1]);
    return (tethered){p.body.id, p.vertex, q.vertex};
}

static int compare(tethered a, tethered b)
{
    if (a.body != b.body) return a.body < b.body ? -1 : 1;
    if (a.vertex != b.vertex) return a.vertex < b.vertex ? -1 : 1;
    return a.pin < b.pin ? -1 : a.pin > b.pin;
}

/* Tethers are listed anew by each compile, in the order of the particles that they hold, and of the pins that these have. */
static void carry_tethers(const pliant_state *old, pliant_state *fresh)
{
    const pliant_model *a = old->model, *b = fresh->model;
    uint32_t            j = b->header->first_tether, end = b->header->id_count;
    for (uint32_t i = a->header->first_tether; i <= a->header->id_count; i++) {
        const uint32_t row = pliant__row_of(a, (pliant_constraint){i});
        if (row == PLIANT__NONE || pliant__is_active(old->active, row)) continue;
        const tethered cut = tethered_by(a, row);
        for (; j <= end; j++) {
            const uint32_t other = pliant__row_of(b, (pliant_constraint){j});
            if (other == PLIANT__NONE) continue;
            const int order = compare(tethered_by(b, other), cut);
            if (order > 0) break;
            if (order == 0) pliant_state_set_active(fresh, (pliant_constraint){j}, false);
        }
    }
}

static void carry_constraints(const pliant_state *old, pliant_state *fresh)
{
    const pliant_model *m = old->model;
    const uint32_t      a = m->header->first_tether, b = fresh->model->header->first_tether, rows = m->header->packed_rows;
    for (uint32_t row = 0; row < rows + model_count(m, users); row++) {
        if (pliant__is_active(old->active, row)) continue; /* as padding is */
        const uint32_t id = pliant__constraint_of(m, row);
        if (!(id < a && id < b)) continue;
        pliant_state_set_active(fresh, (pliant_constraint){id}, false);
        const uint32_t other = pliant__row_of(fresh->model, (pliant_constraint){id});
        if (pliant__breaks(m) && pliant__breaks(fresh->model) && other != PLIANT__NONE && pliant__is_active(old->broken, row))
            fresh->broken[other / PLIANT__BLOCK] |= (uint16_t)(1u << other % PLIANT__BLOCK);
    }
    carry_tethers(old, fresh);
}

/* Parameters of a row as they are now go to the row of the same constraint, if that rests in the model as this one does: another shape begins anew. */
static void carry_flow(const pliant_state *old, pliant_state *fresh, const pliant__batch *from, uint32_t row)
{
    const uint32_t id = pliant__constraint_of(old->model, from->first_row + row), block = row / PLIANT__BLOCK, lane = row % PLIANT__BLOCK;
    const uint32_t other = pliant__row_of(fresh->model, (pliant_constraint){id});
    if (other == PLIANT__NONE || other >= fresh->model->header->packed_rows) return;
    const pliant__batch *to = pliant__batch_of(fresh->model, other);
    if (!to->flow || to->kind != from->kind) return;
    const uint32_t     at = other - to->first_row, count = pliant_constraint_describe((pliant_constraint_kind)to->kind)->parameter_count;
    const pliant_real *was = pliant__parameters(old->model, from, block) + lane,
                      *now = pliant__parameters_now(old->model, old->flow, from, block) + lane,
                      *is = pliant__parameters(fresh->model, to, at / PLIANT__BLOCK) + at % PLIANT__BLOCK;
    pliant_real *out = pliant__flowing(fresh, to, at / PLIANT__BLOCK) + at % PLIANT__BLOCK;
    for (uint32_t i = 0; i < count; i++)
        if (was[i * PLIANT__BLOCK] != is[i * PLIANT__BLOCK]) return;
    for (uint32_t i = 0; i < count; i++) out[i * PLIANT__BLOCK] = now[i * PLIANT__BLOCK];
}

static void carry_flows(const pliant_state *old, pliant_state *fresh)
{
    const pliant_model *m = old->model;
    for (size_t i = 0; i < model_count(m, batches); i++)
        for (uint32_t row = 0; m->batches[i].flow && row < m->batches[i].count; row++)
            if (pliant__has_row(m, &m->batches[i], row)) carry_flow(old, fresh, &m->batches[i], row);
}

/* Stitches of a call that has as many as before. */
static void carry_stitches(const pliant_state *old, pliant_state *fresh)
{
    const pliant_model *a = old->model, *b = fresh->model;
    for (size_t i = 0, k = 0; i < model_count(b, stitches); i++) {
        const pliant__model_stitches *to = &b->stitches[i];
        while (k < model_count(a, stitches) && a->stitches[k].id < to->id) k++;
        if (k == model_count(a, stitches) || a->stitches[k].id != to->id || a->stitches[k].count != to->count) continue;
        memcpy(fresh->stitch_start + to->first, old->stitch_start + a->stitches[k].first, to->count * sizeof *fresh->stitch_start);
        memcpy(fresh->stitch_broken + to->first, old->stitch_broken + a->stitches[k].first, to->count * sizeof *fresh->stitch_broken);
    }
}

/* A collider that is new is where its keys have it by now. */
static void carry_colliders(const pliant_state *old, pliant_state *fresh)
{
    const pliant_model *m = fresh->model;
    for (size_t i = 0; i < model_count(m, colliders); i++)
        fresh->colliders[i] = i < model_count(old->model, colliders)
                                  ? old->colliders[i]
                                  : pliant__collider_at(m, &m->colliders[i], old->header->time, fresh->colliders[i]);
    for (size_t i = 0; i < model_count(m, colliders) && i < model_count(old->model, colliders); i++)
        fresh->collider_off[i] = old->collider_off[i];
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
        if (from)
            carry_body(from, &model->bodies[i], old_state, fresh);
        else {
            carry_targets(NULL, &model->bodies[i], old_state, fresh);
            carry_skin(NULL, &model->bodies[i], old_state, fresh);
            carry_groups(NULL, &model->bodies[i], old_state, fresh);
        }
    }
    carry_constraints(old_state, fresh);
    carry_flows(old_state, fresh);
    carry_stitches(old_state, fresh);
    carry_colliders(old_state, fresh);
    fresh->header->time = old_state->header->time;
    fresh->header->time_lost = old_state->header->time_lost;
    if (pliant__may_carry(model)) { /* what is more than a new substep would be one at once */
        const double carried = pliant_state_carried(old_state), most = model->header->substep;
        *fresh->carried = carried < most ? carried : most;
    }
    fresh->header->steps = old_state->header->steps;
    fresh->header->longest_substep = old_state->header->longest_substep;
    fresh->header->history_step = pliant__is_bdf2(model) ? old_state->header->history_step : 0;
    *state = fresh;
    return model;
}
