/* What should not be: bodies that meet and cut through each other, in a state or on the straight way from one to another. A check of what the
 * solver promises, so it shares nothing with it but what counts as a pair: bodies that meet, features of which something can move, and that did not
 * touch in one body before anything moved. */
#include "base/float_env.h"
#include "base/sort.h"
#include "collide/grown.h"
#include "collide/impact_times.h"
#include "collide/triangle_side.h"
#include "contact/pair_text.h"
#include "pliant/query.h"
#include "solver/pair_kernels.h"
#include "state/state.h"

#define NEARLY 1e-9 /* of the scene's size: passing so near counts as meeting */

typedef struct work {
    const pliant_model *m;
    uint32_t            elements;
    double             *x[2];    /* 3 per slot, at both ends */
    const pliant_real  *weight;  /* every fourth is of a slot, kg^-1: 0 where nothing moves it now */
    const uint8_t      *off[2];  /* per body, at both ends: 1: it is off, and meets none; NULL: there is no such end */
    double              size;    /* m, the largest coordinate */
    uint32_t           *body_of; /* per slot */
    ARRAY(pliant__key) met;      /* two bodies each */
    pliant__box          *box;
    pliant__box_tree      tree;
    pliant__element_pairs near_by;
    pliant__mesh_impacts  impacts;
} work;

static void free_work(work *w)
{
    const pliant_allocator *a = &w->m->allocator;
    for (int i = 0; i < 2; i++) pliant__free(a, w->x[i]);
    pliant__free(a, w->body_of);
    pliant__free(a, w->box);
    pliant__tree_destroy(a, &w->tree);
    array_free(a, &w->met);
    array_free(a, &w->near_by);
    array_free(a, &w->impacts);
}

/* ---- where things are ---- */

static pliant_code take_places(work *w, int end, const pliant_state *state)
{
    const size_t slots = w->m->header->slot_count;
    w->x[end] = pliant__alloc_array(&w->m->allocator, slots, 3 * sizeof *w->x[end]);
    if (!w->x[end]) return PLIANT_ERROR_MEMORY;
    w->off[end] = state->body_off;
    for (size_t i = 0; i < slots; i++)
        for (size_t k = 0; k < 3; k++) w->x[end][3 * i + k] = (double)state->x[4 * i + k];
    for (size_t i = 0; i < 3 * (size_t)w->elements; i++) {
        const double *x = w->x[end] + 3 * (size_t)w->m->elements[i];
        if (!v3_finite(pliant__slot_x(state->x, w->m->elements[i]))) return PLIANT_ERROR_DIVERGED;
        for (int k = 0; k < 3; k++) w->size = d_max(w->size, d_abs(x[k]));
    }
    return PLIANT_OK;
}

/* ---- what counts ---- */

static bool moves(const work *w, uint32_t slot) { return w->m->free_w[slot] > 0; }

static bool counts(const void *context, uint32_t one, uint32_t other)
{
    const work    *w = context;
    const uint32_t body = w->m->element_body[one], meets = w->m->element_body[other];
    for (int end = 0; end < 2; end++)
        if (w->off[end] && (w->off[end][body] || w->off[end][meets])) return false;
    return pliant__bodies_meet(w->m, body, meets);
}

/* Whether a corner and a triangle, or two edges, touched before anything moved. */
static bool touched(const work *w, const uint32_t slot[4], bool edges)
{
    vvec  x[4];
    vreal weight[4];
    for (uint32_t k = 0; k < 4; k++) {
        const pliant_vec3 at = pliant__slot_x(w->m->x, slot[k]);
        x[k] = vvec_of(at.x, at.y, at.z);
    }
    pair_weights(x, edges, weight);
    return !(vlength(pair_between(x, weight)) > 0);
}

/* Whether a stitch joins a corner of one side to one of the other. */
static bool are_sewn(const work *w, const uint32_t slot[4], bool edges)
{
    return pliant__are_sewn(w->m->sewn, model_count(w->m, sewn), slot, edges ? 2 : 1, slot + (edges ? 2 : 1), edges ? 2 : 3);
}

static bool has(const uint32_t *corner, uint32_t slot) { return corner[0] == slot || corner[1] == slot || corner[2] == slot; }

/* Whether any two features of two elements of one body did, that have no corner in common. */
static bool elements_touched(const work *w, const uint32_t *p, const uint32_t *q)
{
    for (uint32_t i = 0; i < 9; i++) {
        const uint32_t a = p[i / 3], b = p[(i / 3 + 1) % 3], c = q[i % 3], d = q[(i % 3 + 1) % 3];
        if (a != c && a != d && b != c && b != d && touched(w, (const uint32_t[4]){a, b, c, d}, true)) return true;
    }
    for (uint32_t i = 0; i < 3; i++) {
        if (!has(q, p[i]) && touched(w, (const uint32_t[4]){p[i], q[0], q[1], q[2]}, false)) return true;
        if (!has(p, q[i]) && touched(w, (const uint32_t[4]){q[i], p[0], p[1], p[2]}, false)) return true;
    }
    return false;
}

static bool note(work *w, uint32_t body, uint32_t other, uint32_t how)
{
    const uint64_t low = body < other ? body : other, high = body < other ? other : body;
    return array_push(&w->m->allocator, &w->met, (pliant__key){low << 32 | high, how});
}

/* ---- in a state ---- */

/* Whether an edge of one element goes through another, of which it has no corner, and how; something of both moves. */
static uint32_t cuts(const work *w, const uint32_t *one, const uint32_t *other)
{
    const double *const t[3] = {w->x[0] + 3 * (size_t)other[0], w->x[0] + 3 * (size_t)other[1], w->x[0] + 3 * (size_t)other[2]};
    const bool          moved = moves(w, other[0]) || moves(w, other[1]) || moves(w, other[2]);
    uint32_t            how = 0;
    for (uint32_t k = 0; k < 3 && !(how & PLIANT__THROUGH_INSIDE); k++) {
        const uint32_t a = one[k], b = one[(k + 1) % 3];
        const uint32_t edge[2] = {a, b};
        if (has(other, a) || has(other, b) || pliant__are_sewn(w->m->sewn, model_count(w->m, sewn), edge, 2, other, 3) ||
            !(moved || moves(w, a) || moves(w, b)))
            continue;
        how |= pliant__goes_through(w->x[0] + 3 * (size_t)a, w->x[0] + 3 * (size_t)b, t);
    }
    return how;
}

/* The same, put aside to the other side. */
static uint32_t opposite(uint32_t how)
{
    return (how & PLIANT__THROUGH_INSIDE) | (how & PLIANT__THROUGH_BESIDE ? PLIANT__THROUGH_OPPOSITE : 0) |
           (how & PLIANT__THROUGH_OPPOSITE ? PLIANT__THROUGH_BESIDE : 0);
}

static bool look_at(work *w, uint32_t e, uint32_t f)
{
    const uint32_t *p = w->m->elements + 3 * (size_t)e, *q = w->m->elements + 3 * (size_t)f;
    const uint32_t  body = w->m->element_body[e], other = w->m->element_body[f];
    if (!counts(w, e, f)) return true;
    const uint32_t how = cuts(w, p, q) | opposite(cuts(w, q, p)); /* `p` put aside, `q` where it is */
    if (body == other) return !(how & PLIANT__THROUGH_INSIDE) || elements_touched(w, p, q) || note(w, body, other, how);
    return !how || note(w, body, other, body < other ? how : opposite(how));
}

/* ---- what is held too near ---- */

/* A push is reduced by the square of how far a lever exceeds PLIANT__PAIR_LEVER (cpu_width_pairs.c): by a ten thousandth here, which parts nothing. */
#define HELD_LEVER (100 * PLIANT__PAIR_LEVER)

/* Whether a corner and a triangle, or two edges, are nearer than `distance`, and no row moves them apart: nothing that moves has a share in what is
 * nearest, or so little that its lever is too long. */
static bool is_held(const work *w, const uint32_t slot[4], bool edges, double distance)
{
    vvec  x[4];
    vreal weight[4], most = 0, sum = 0;
    for (uint32_t k = 0; k < 4; k++) {
        const double *at = w->x[0] + 3 * (size_t)slot[k];
        x[k] = vvec_of((pliant_real)at[0], (pliant_real)at[1], (pliant_real)at[2]);
    }
    pair_weights(x, edges, weight);
    if (!((double)vlength(pair_between(x, weight)) < distance)) return false;
    for (uint32_t k = 0; k < 4; k++) {
        const vreal pull = PLIANT__SLOT(w->weight, slot[k])[0] * weight[k];
        most = vmax(vabs(pull), most);
        sum += pull * weight[k];
    }
    return !(most > 0) || most > HELD_LEVER * sum;
}

/* Less what may be rounding: what is held as far apart as it is thick is not too near. */
static double distance_of(const work *w, uint32_t body, uint32_t other)
{
    return (double)w->m->bodies[body].thickness + (double)w->m->bodies[other].thickness - 8 * (double)PLIANT__REAL_EPSILON * w->size;
}

/* Whether a corner moves now: it is not pinned, attached or fixed. */
static bool is_free(const work *w, uint32_t slot) { return PLIANT__SLOT(w->weight, slot)[0] > 0; }

/* Only of elements with a corner that nothing moves can anything be held. */
static bool may_be_held(const work *w, uint32_t e)
{
    const uint32_t *p = w->m->elements + 3 * (size_t)e;
    return !is_free(w, p[0]) || !is_free(w, p[1]) || !is_free(w, p[2]);
}

static bool look_at_held(work *w, uint32_t e, uint32_t f)
{
    const uint32_t *p = w->m->elements + 3 * (size_t)e, *q = w->m->elements + 3 * (size_t)f;
    const uint32_t  body = w->m->element_body[e], other = w->m->element_body[f];
    const double    distance = distance_of(w, body, other);
    bool            any = false, held = false;
    for (uint32_t i = 0; i < 3; i++) any = any || is_free(w, p[i]) || is_free(w, q[i]);
    if (body == other || !any || !counts(w, e, f)) return true;
    for (uint32_t i = 0; i < 9 && !held; i++)
        held = is_held(w, (const uint32_t[4]){p[i / 3], p[(i / 3 + 1) % 3], q[i % 3], q[(i % 3 + 1) % 3]}, true, distance);
    for (uint32_t i = 0; i < 3 && !held; i++)
        held = is_held(w, (const uint32_t[4]){p[i], q[0], q[1], q[2]}, false, distance) ||
               is_held(w, (const uint32_t[4]){q[i], p[0], p[1], p[2]}, false, distance);
    return !held || note(w, body, other, PLIANT__THROUGH_INSIDE);
}

/* ---- elements that are near each other ---- */

static bool find_near(work *w, bool held)
{
    const pliant_allocator *a = &w->m->allocator;
    w->box = pliant__alloc_array(a, w->elements, sizeof *w->box);
    if (!w->box || !pliant__tree_create(a, w->elements, 4, &w->tree)) return false;
    for (size_t e = 0; e < w->elements; e++) {
        w->box[e] = box_of_nothing();
        for (uint32_t k = 0; k < 3; k++) {
            const double *x = w->x[0] + 3 * (size_t)w->m->elements[3 * e + k];
            box_add(&w->box[e], v3((pliant_real)x[0], (pliant_real)x[1], (pliant_real)x[2]));
        }
        if (held && may_be_held(w, (uint32_t)e)) w->box[e] = box_grown(w->box[e], w->m->bodies[w->m->element_body[e]].thickness);
    }
    pliant__tree_fit(&w->tree, w->box);
    bool ok = pliant__tree_pairs(a, &w->tree, w->box, SIZE_MAX, &w->near_by);
    for (size_t i = 0; ok && i < w->near_by.count; i++) ok = (held ? look_at_held : look_at)(w, w->near_by.data[i].a, w->near_by.data[i].b);
    return ok;
}

/* ---- on the way ---- */

static bool find_passages(work *w)
{
    const pliant_model       *m = w->m;
    const pliant__moving_mesh mesh = {w->x[0], w->x[1], m->elements, m->header->slot_count, w->elements, counts, w};
    const double              nearly = d_max(NEARLY * w->size, 1e-60);
    w->body_of = pliant__alloc_array(&m->allocator, m->header->slot_count, sizeof *w->body_of);
    if (!w->body_of) return false;
    for (size_t i = 0; i < 3 * (size_t)w->elements; i++) w->body_of[m->elements[i]] = m->element_body[i / 3];
    bool ok = pliant__find_impacts(&m->allocator, &mesh, 0, nearly, SIZE_MAX, &w->impacts);
    for (size_t i = 0; ok && i < w->impacts.count; i++) {
        const pliant__mesh_impact *f = &w->impacts.data[i];
        const uint32_t            *v = f->vertex;
        const uint32_t             body = w->body_of[v[0]], other = w->body_of[v[3]];
        if (f->edges && (v[0] == v[1] || v[2] == v[3])) continue; /* a corner, which is a feature of its own */
        if (!moves(w, v[0]) && !moves(w, v[1]) && !moves(w, v[2]) && !moves(w, v[3])) continue;
        if (are_sewn(w, v, f->edges)) continue;
        if (body != other || !touched(w, v, f->edges)) ok = note(w, body, other, PLIANT__THROUGH_INSIDE);
    }
    return ok;
}

/* ---- the answer ---- */

/* Of two bodies. Where rows of vertices of one lie exactly in the other, no edge goes through the inside of a triangle: then the fewer of those that
 * cut when the first is put aside and when it is to the other side, which is none where they touch from one side. */
static uint32_t count_of(const pliant__key *key, size_t first, size_t end)
{
    uint32_t count[3] = {0, 0, 0};
    for (size_t i = first; i < end; i++)
        for (uint32_t k = 0; k < 3; k++) count[k] += key[i].value >> k & 1;
    return count[2] ? count[2] : count[0] < count[1] ? count[0] : count[1];
}

static pliant_code answer(work *w, pliant_crossing *out, uint32_t capacity, uint32_t *count)
{
    const size_t keys = w->met.count;
    if (!array_reserve(&w->m->allocator, &w->met, keys)) return PLIANT_ERROR_MEMORY;
    const pliant__key *sorted = pliant__sort_keys(w->met.data, w->met.data + keys, keys);
    for (size_t i = 0, end; i < keys; i = end) {
        end = pliant__run_end(sorted, i, keys);
        const uint32_t found = count_of(sorted, i, end), at = *count;
        *count += found > 0;
        if (!found || at >= capacity || !out) continue;
        out[at].bodies[0].id = w->m->bodies[sorted[i].key >> 32].id;
        out[at].bodies[1].id = w->m->bodies[sorted[i].key & UINT32_MAX].id;
        out[at].count = found;
    }
    return PLIANT_OK;
}

static pliant_code check(const pliant_state *from, const pliant_state *to, bool held, pliant_crossing *out, uint32_t capacity,
                         uint32_t *count)
{
    work        w = {.m = from->model, .weight = from->x + 3, .elements = (uint32_t)model_count(from->model, element_body)};
    pliant_code code = PLIANT_OK;
    *count = 0;
    if (!w.elements) return PLIANT_OK;
    code = take_places(&w, 0, from);
    if (code == PLIANT_OK && to) code = take_places(&w, 1, to);
    if (code == PLIANT_OK && !(to ? find_passages(&w) : find_near(&w, held))) code = PLIANT_ERROR_MEMORY;
    if (code == PLIANT_OK) code = answer(&w, out, capacity, count);
    free_work(&w);
    return code;
}

pliant_code pliant_state_crossings(const pliant_state *state, pliant_crossing *out, uint32_t capacity, uint32_t *count)
{
    PLIANT_FLOAT_SCOPE;
    if (!state || !count) return PLIANT_ERROR_ARGUMENT;
    return check(state, NULL, false, out, capacity, count);
}

pliant_code pliant_state_held(const pliant_state *state, pliant_crossing *out, uint32_t capacity, uint32_t *count)
{
    PLIANT_FLOAT_SCOPE;
    if (!state || !count) return PLIANT_ERROR_ARGUMENT;
    return check(state, NULL, true, out, capacity, count);
}

pliant_code pliant_state_passages(const pliant_state *from, const pliant_state *to, pliant_crossing *out, uint32_t capacity,
                                  uint32_t *count)
{
    PLIANT_FLOAT_SCOPE;
    if (!from || !to || !count || from->header->model != to->header->model) return PLIANT_ERROR_ARGUMENT;
    return check(from, to, false, out, capacity, count);
}
