/* What overlaps a ball or a box. Trees give elements in an order of their own; the lowest that there is room for are kept in a heap, and sorted. */
#include "base/float_env.h"
#include "query/query.h"

/* The elements of one body, in the caller's memory. */
typedef struct heap {
    pliant_query_overlap *item; /* the highest element first, while it is a heap */
    uint32_t              count, room;
} heap;

static void swap(heap *h, uint32_t i, uint32_t j)
{
    const pliant_query_overlap a = h->item[i];
    h->item[i] = h->item[j];
    h->item[j] = a;
}

static void sink(heap *h, uint32_t count)
{
    for (uint32_t i = 0, child = 1; child < count; i = child, child = 2 * i + 1) {
        if (child + 1 < count && h->item[child + 1].element > h->item[child].element) child++;
        if (h->item[child].element <= h->item[i].element) return;
        swap(h, i, child);
    }
}

static void keep(heap *h, pliant_query_overlap item)
{
    if (h->count < h->room) {
        uint32_t i = h->count++;
        h->item[i] = item;
        for (; i && h->item[i].element > h->item[(i - 1) / 2].element; i = (i - 1) / 2) swap(h, i, (i - 1) / 2);
    } else if (h->room && item.element < h->item[0].element) {
        h->item[0] = item;
        sink(h, h->count);
    }
}

static void sort(heap *h)
{
    for (uint32_t left = h->count; left > 1; left--) {
        swap(h, 0, left - 1);
        sink(h, left - 1);
    }
}

/* ---- bodies ---- */

typedef struct gatherer {
    const pliant_query    *query;
    pliant_query_filter    filter;
    pliant__overlap_region region;
    heap                   kept;
    uint32_t               found; /* on all bodies so far */
    pliant_query_overlap   body;  /* the body that is asked now */
} gatherer;

/* False: this body needs no further looking. */
static bool gather_leaf(gatherer *g, uint32_t body, uint32_t leaf, double grow)
{
    const pliant_query       *q = g->query;
    const pliant__query_body *b = &q->bodies[body];
    for (uint32_t i = leaf * PLIANT__QUERY_LEAF; i < leaf * PLIANT__QUERY_LEAF + PLIANT__QUERY_LEAF && i < b->count; i++) {
        const uint32_t      e = b->first + b->tree.order[i];
        const pliant__thick t = pliant__query_element(q, body, e);
        if (!pliant__overlap_region_meets_box(&g->region, &q->box[e], grow) || !pliant__overlap_region_meets(&g->region, &t)) continue;
        g->found++;
        g->body.element = g->filter.bodies_once ? 0 : b->tree.order[i];
        keep(&g->kept, g->body);
        if (g->filter.bodies_once) return false;
    }
    return true;
}

static void gather_body(gatherer *g, uint32_t body)
{
    const pliant__query_body *b = &g->query->bodies[body];
    const double              grow = d_widen(g->query->model->bodies[body].thickness) + b->slack;
    uint32_t                  stack[PLIANT__QUERY_DEEPEST], top = 0;
    g->body = (pliant_query_overlap){.body = {g->query->model->bodies[body].id}};
    if (b->count) stack[top++] = 0;
    while (top) {
        const uint32_t node = stack[--top];
        if (!pliant__overlap_region_meets_box(&g->region, &b->tree.node[node], grow)) continue;
        if (node < b->tree.leaves - 1) {
            stack[top++] = 2 * node + 1;
            stack[top++] = 2 * node + 2;
        } else if (!gather_leaf(g, body, node - (b->tree.leaves - 1), grow))
            break;
    }
    sort(&g->kept);
}

static pliant_code gather(gatherer *g, pliant_query_overlap *out, uint32_t capacity, uint32_t *count)
{
    const pliant_model *m = g->query->model;
    uint32_t            used = 0;
    for (uint32_t b = 0; b < model_count(m, bodies); b++) {
        if (!pliant__query_asks(g->query, &g->filter, b)) continue;
        g->kept = (heap){out ? out + used : NULL, 0, out ? capacity - used : 0};
        gather_body(g, b);
        used += g->kept.count;
    }
    for (uint32_t c = 0; c < model_count(m, colliders) && g->filter.colliders; c++) {
        if (!pliant__query_asks_collider(g->query, &g->filter, c)) continue;
        if (!pliant__overlap_region_meets_shape(&g->region, &g->query->colliders[c].shape, &g->query->colliders[c].frame)) continue;
        g->found++;
        if (out && used < capacity) out[used++] = (pliant_query_overlap){.collider = {m->colliders[c].id}};
    }
    if (count) *count = g->found;
    return PLIANT_OK;
}

pliant_code pliant_query_overlap_sphere(const pliant_query *query, pliant_vec3 centre, pliant_real radius,
                                        const pliant_query_filter *filter, pliant_query_overlap *out, uint32_t capacity, uint32_t *count)
{
    PLIANT_FLOAT_SCOPE;
    gatherer g = {.query = query};
    if (!query || !pliant__query_filter(filter, &g.filter) || !v3_finite(centre) || !r_finite(radius) || radius < 0)
        return PLIANT_ERROR_ARGUMENT;
    g.region.frame.origin = d3_widen(centre);
    g.region.radius = d_widen(radius);
    return gather(&g, out, capacity, count);
}

pliant_code pliant_query_overlap_box(const pliant_query *query, const pliant_pose *pose, pliant_vec3 half_extent,
                                     const pliant_query_filter *filter, pliant_query_overlap *out, uint32_t capacity, uint32_t *count)
{
    PLIANT_FLOAT_SCOPE;
    gatherer g = {.query = query};
    if (!query || !pose || !pliant__query_filter(filter, &g.filter) || !v3_finite(pose->position) || !v3_finite(half_extent) ||
        half_extent.x < 0 || half_extent.y < 0 || half_extent.z < 0)
        return PLIANT_ERROR_ARGUMENT;
    const pliant_quat r = pose->rotation;
    const pliant_real size = r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w;
    if (!(size > 0) || !r_finite(size)) return PLIANT_ERROR_ARGUMENT;
    g.region =
        (pliant__overlap_region){pliant__frame_of(*pose), -1, {d_widen(half_extent.x), d_widen(half_extent.y), d_widen(half_extent.z)}};
    return gather(&g, out, capacity, count);
}
