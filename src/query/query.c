/* Making a query, and fitting it around a state. Which elements a body has is told by what the model has of its surface: its faces, the simulated
 * triangles where faces are a visual surface's, or its vertices. */
#include "query/query.h"

#include "base/error.h"
#include "base/float_env.h"
#include "scene/draft.h"
#include "state/state.h"

#include <string.h>

/* ---- elements ---- */

/* Gets the elements of bodies one after another; counts them where there is no room yet. */
typedef struct lister {
    uint32_t *slot;
    size_t    count;
} lister;

static void add(lister *l, uint32_t a, uint32_t b, uint32_t c)
{
    if (l->slot) l->slot[3 * l->count] = a, l->slot[3 * l->count + 1] = b, l->slot[3 * l->count + 2] = c;
    l->count++;
}

static void add_faces(lister *l, const pliant_model *m, const uint32_t *faces, const pliant__model_body *b)
{
    const uint32_t *corner = faces + b->first_face_index, *slot = m->vertex_slot + b->first_vertex;
    for (uint32_t f = b->first_face; f < b->first_face + b->face_count; corner += m->face_sizes[f++]) {
        const bool second = m->face_cuts[f / 8] >> f % 8 & 1;
        for (uint32_t t = 0; t + 2 < m->face_sizes[f]; t++)
            add(l, slot[corner[pliant__cut_corner(second, 3 * t)]], slot[corner[pliant__cut_corner(second, 3 * t + 1)]],
                slot[corner[pliant__cut_corner(second, 3 * t + 2)]]);
    }
}

static void add_body(lister *l, const pliant_model *m, const uint32_t *faces, const pliant__model_body *b)
{
    const uint32_t *slot = m->vertex_slot + b->first_vertex, *corner = m->triangles + 3 * (size_t)b->first_triangle;
    switch ((pliant_body_type)b->type) {
    case PLIANT_BODY_ROPE:
        for (uint32_t i = 0; i + 1 < b->vertex_count; i++) add(l, slot[i], slot[i + 1], slot[i + 1]);
        break;
    case PLIANT_BODY_PARTICLES:
        for (uint32_t i = 0; i < b->vertex_count; i++) add(l, slot[i], slot[i], slot[i]);
        break;
    case PLIANT_BODY_CLOTH:
    case PLIANT_BODY_SOFT:
        for (uint32_t i = 0; b->embedding_count && i < b->triangle_count; i++, corner += 3) add(l, corner[0], corner[1], corner[2]);
        if (!b->embedding_count) add_faces(l, m, faces, b);
        break;
    }
}

/* `faces`: face_indices of the model, or of a state. */
static size_t list_elements(pliant_query *q, const uint32_t *faces)
{
    const pliant_model *m = q->model;
    lister              l = {q->slot, 0};
    for (size_t b = 0; b < model_count(m, bodies); b++) {
        q->bodies[b].first = (uint32_t)l.count;
        add_body(&l, m, faces, &m->bodies[b]);
        q->bodies[b].count = (uint32_t)l.count - q->bodies[b].first;
    }
    return l.count;
}

/* ---- making ---- */

static bool allocate(pliant_query *q)
{
    const pliant_model     *m = q->model;
    const pliant_allocator *a = &q->allocator;
    q->bodies = pliant__alloc_array(a, model_count(m, bodies), sizeof *q->bodies);
    q->colliders = pliant__alloc_array(a, model_count(m, colliders), sizeof *q->colliders);
    q->x = pliant__alloc_array(a, m->header->slot_count, sizeof *q->x);
    if (!q->bodies || !q->colliders || !q->x) return false;
    const size_t elements = list_elements(q, m->face_indices);
    q->slot = pliant__alloc_array(a, elements, 3 * sizeof *q->slot);
    q->box = pliant__alloc_array(a, elements, sizeof *q->box);
    if (!q->slot || !q->box) return false;
    list_elements(q, m->face_indices);
    for (size_t b = 0; b < model_count(m, bodies); b++)
        if (!pliant__tree_create(a, q->bodies[b].count, PLIANT__QUERY_LEAF, &q->bodies[b].tree)) return false;
    return true;
}

/* ---- where they are ---- */

static void fit_body(pliant_query *q, uint32_t body)
{
    pliant__query_body *b = &q->bodies[body];
    double              farthest = d_widen(q->model->bodies[body].thickness);
    for (uint32_t e = b->first; e < b->first + b->count; e++) {
        q->box[e] = box_of_nothing();
        for (uint32_t k = 0; k < 3; k++) {
            const pliant_vec3 x = q->x[q->slot[3 * (size_t)e + k]];
            box_add(&q->box[e], x);
            farthest = d_max(farthest, d_max(d_abs(d_widen(x.x)), d_max(d_abs(d_widen(x.y)), d_abs(d_widen(x.z)))));
        }
    }
    b->slack = 1e-12 * farthest;
    pliant__tree_fit(&b->tree, q->box + b->first);
}

static void fit(pliant_query *q, const pliant_real *x, const pliant_state *state)
{
    const pliant_model *m = q->model;
    for (uint32_t i = 0; i < m->header->slot_count; i++) q->x[i] = pliant__slot_x(x, i);
    for (uint32_t b = 0; b < model_count(m, bodies); b++) {
        q->bodies[b].off = state && state->body_off[b];
        if (!q->bodies[b].off) fit_body(q, b);
    }
    for (size_t i = 0; i < model_count(m, colliders); i++) {
        const pliant__model_collider *c = &m->colliders[i];
        pliant__query_collider       *to = &q->colliders[i];
        to->of = pliant__shape_of(m, (uint32_t)i);
        to->shape = pliant__shape_grow(&to->of, c->thickness);
        to->frame = pliant__frame_of(state ? state->colliders[i] : c->pose);
        to->off = state && pliant__is_off(state, i);
    }
}

pliant_query *pliant_query_create(const pliant_model *model, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!model) {
        pliant__fail(error, PLIANT_ERROR_ARGUMENT, "no model to make a query of");
        return NULL;
    }
    pliant_query *q = pliant__alloc(&model->allocator, sizeof *q);
    if (q) {
        q->allocator = model->allocator;
        q->model = model;
        if (allocate(q)) {
            fit(q, model->x, NULL);
            return q;
        }
    }
    pliant_query_destroy(q);
    pliant__fail_memory(error, (uint64_t)model->header->slot_count * 100, "a query");
    return NULL;
}

void pliant_query_destroy(pliant_query *query)
{
    if (!query) return;
    const pliant_allocator a = query->allocator;
    for (size_t b = 0; query->bodies && b < model_count(query->model, bodies); b++) pliant__tree_destroy(&a, &query->bodies[b].tree);
    pliant__free(&a, query->bodies);
    pliant__free(&a, query->colliders);
    pliant__free(&a, query->x);
    pliant__free(&a, query->slot);
    pliant__free(&a, query->box);
    pliant__free(&a, query);
}

static bool is_finite(const pliant_state *state)
{
    const pliant_model *m = state->model;
    bool                finite = true;
    for (uint32_t i = 0; i < m->header->slot_count; i++) finite &= v3_finite(pliant__slot_x(state->x, i));
    for (size_t i = 0; i < model_count(m, colliders); i++) {
        const pliant_quat q = state->colliders[i].rotation;
        finite &= v3_finite(state->colliders[i].position) && r_finite(q.x + q.y + q.z + q.w);
    }
    return finite;
}

pliant_code pliant_query_update(pliant_query *query, const pliant_state *state)
{
    PLIANT_FLOAT_SCOPE;
    if (!query || !state || state->header->model != query->model->header->hash) return PLIANT_ERROR_ARGUMENT;
    if (!is_finite(state)) return PLIANT_ERROR_DIVERGED;
    if (pliant__may_tear(query->model)) list_elements(query, state->face_indices);
    fit(query, state->x, state);
    return PLIANT_OK;
}

/* ---- filters ---- */

pliant_query_filter pliant_query_filter_default(void)
{
    pliant_query_filter f;
    memset(&f, 0, sizeof f);
    f.size = sizeof f;
    f.groups = UINT32_MAX;
    f.colliders = true;
    return f;
}

bool pliant__query_filter(const pliant_query_filter *given, pliant_query_filter *filter)
{
    *filter = given ? *given : pliant_query_filter_default();
    return filter->size == sizeof *filter;
}

bool pliant__query_asks(const pliant_query *q, const pliant_query_filter *filter, uint32_t body)
{
    const pliant__model_body *b = &q->model->bodies[body], *by = pliant__model_body_of(q->model, filter->met_by);
    if ((filter->only.id && b->id != filter->only.id) || (filter->met_by.id && !by)) return false;
    if (q->bodies[body].off) return false;
    if (by && !pliant__bodies_meet(q->model, (uint32_t)(by - q->model->bodies), body)) return false;
    return (filter->groups == UINT32_MAX || (filter->groups & b->contact_group)) && b->id != filter->except.id;
}

bool pliant__query_asks_collider(const pliant_query *q, const pliant_query_filter *filter, uint32_t collider)
{
    const pliant__model_body *by = pliant__model_body_of(q->model, filter->met_by);
    if (!filter->colliders || q->colliders[collider].off || (filter->met_by.id && !by)) return false;
    return !by || pliant__meets_collider(q->model, (uint32_t)(by - q->model->bodies), collider);
}
