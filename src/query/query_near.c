/* What a ray meets first, and what is nearest to a point.
 *
 * A node is left out only where its box is entered later, or is further away, than the best that was found; and no element counts as entered
 * sooner, or as nearer, than its own box. What is compared then grows with the box to the bit, rounding included, so that the
 * answer is the same for every tree, and for none. */
#include "base/float_env.h"
#include "query/query.h"

#include <string.h>

/* What is sought: a ray or a point. */
typedef struct seeker {
    const pliant_query *query;
    pliant_query_filter filter;
    bool                is_ray;
    pliant__ray         ray; /* of a point: where it is */
    double              best;
    bool                found;
    uint32_t            body, element; /* number of all; body PLIANT__NONE: a collider's index */
    pliant__d3          normal;
} seeker;

/* When a box is entered, or how far off it is; false: never. `thickness` included. */
static bool reaches_box(const seeker *s, const pliant__box *box, double thickness, double slack, double *at)
{
    if (s->is_ray) return pliant__ray_enters(&s->ray, box, thickness + slack, at);
    *at = pliant__box_distance(box, s->ray.from) - thickness;
    return *at < INFINITY;
}

/* The normal at the nearest point. */
static pliant__d3 normal_towards(const pliant__thick *t, pliant__d3 off)
{
    const pliant__d3 n = d3_cross(d3_sub(t->x[1], t->x[0]), d3_sub(t->x[2], t->x[0]));
    pliant__d3       face, unit;
    d3_split(n, d3(0, 1, 0), &face);
    d3_split(off, face, &unit);
    return unit;
}

static bool reaches(const seeker *s, const pliant__thick *t, double *at, pliant__d3 *normal)
{
    if (s->is_ray) return pliant__thick_ray(t, &s->ray, at, normal);
    double           weight[3];
    const pliant__d3 off = pliant__thick_nearest(t, s->ray.from, weight);
    *at = sqrt(d3_dot(off, off)) - t->thickness;
    *normal = normal_towards(t, off);
    return true;
}

/* ---- bodies ---- */

static void try_element(seeker *s, uint32_t body, uint32_t e)
{
    const pliant_query *q = s->query;
    const pliant__thick t = pliant__query_element(q, body, e);
    double              box, at;
    pliant__d3          normal = {0, 1, 0};
    if (!reaches_box(s, &q->box[e], t.thickness, q->bodies[body].slack, &box) || box > s->best) return;
    if (!reaches(s, &t, &at, &normal)) return;
    at = d_max(at, box);
    if (!(at <= s->best) || (s->found && !(at < s->best) && !(s->body == body && e < s->element))) return;
    s->found = true;
    s->best = at;
    s->body = body;
    s->element = e;
    s->normal = normal;
}

static void try_leaf(seeker *s, uint32_t body, uint32_t leaf)
{
    const pliant__query_body *b = &s->query->bodies[body];
    for (uint32_t i = leaf * PLIANT__QUERY_LEAF; i < leaf * PLIANT__QUERY_LEAF + PLIANT__QUERY_LEAF && i < b->count; i++)
        try_element(s, body, b->first + b->tree.order[i]);
}

typedef struct waiting {
    uint32_t node;
    double   at;
} waiting;

/* Nearer children first. */
static void try_body(seeker *s, uint32_t body)
{
    const pliant__query_body *b = &s->query->bodies[body];
    const double              thickness = d_widen(s->query->model->bodies[body].thickness);
    waiting                   stack[PLIANT__QUERY_DEEPEST], child[2];
    uint32_t                  top = 0;
    if (!b->count || !reaches_box(s, &b->tree.node[0], thickness, b->slack, &stack[0].at)) return;
    stack[top++].node = 0;
    while (top) {
        const waiting at = stack[--top];
        if (at.at > s->best) continue;
        if (at.node >= b->tree.leaves - 1) {
            try_leaf(s, body, at.node - (b->tree.leaves - 1));
            continue;
        }
        uint32_t count = 0;
        for (uint32_t k = 0; k < 2; k++) {
            child[count].node = 2 * at.node + 1 + k;
            count += reaches_box(s, &b->tree.node[child[count].node], thickness, b->slack, &child[count].at);
        }
        const uint32_t last = count == 2 && child[1].at < child[0].at;
        if (count == 2) stack[top++] = child[1 - last];
        if (count) stack[top++] = child[last];
    }
}

/* ---- colliders ---- */

/* A ray that begins inside is there at once. */
static bool ray_reaches_shape(const seeker *s, const pliant__query_collider *c, double *at, pliant__d3 *normal)
{
    const pliant__d3 from = pliant__into_frame(&c->frame, s->ray.from), along = pliant__turn_into(&c->frame, s->ray.along);
    pliant__wide_hit hit = {{0, 0, 0}, {0, 1, 0}, 0};
    pliant__grown_nearest(&c->shape, from, &hit);
    *at = 0;
    if (hit.depth <= 0) {
        if (!pliant__grown_sweep(&c->shape, from, d3_madd(from, along, s->best), &hit, at)) return false;
        *at *= s->best;
    }
    *normal = pliant__turn_out_of(&c->frame, hit.normal);
    return true;
}

static void try_collider(seeker *s, uint32_t index)
{
    const pliant__query_collider *c = &s->query->colliders[index];
    double                        at;
    pliant__d3                    normal;
    if (s->is_ray) {
        if (!ray_reaches_shape(s, c, &at, &normal)) return;
    } else {
        pliant__wide_hit hit = {{0, 0, 0}, {0, 1, 0}, 0};
        pliant__grown_nearest(&c->shape, pliant__into_frame(&c->frame, s->ray.from), &hit);
        at = -hit.depth;
        normal = pliant__turn_out_of(&c->frame, hit.normal);
    }
    if (s->found ? !(at < s->best) : !(at <= s->best)) return;
    s->found = true;
    s->best = at;
    s->body = PLIANT__NONE;
    s->element = index;
    s->normal = normal;
}

/* ---- the answer ---- */

static void name_element(const seeker *s, pliant__d3 point, pliant_query_hit *hit)
{
    const pliant_query *q = s->query;
    const uint32_t     *slot = q->slot + 3 * (size_t)s->element;
    const pliant__thick t = pliant__query_element(q, s->body, s->element);
    double              weight[3];
    pliant__thick_nearest(&t, point, weight);
    hit->body.id = q->model->bodies[s->body].id;
    hit->element = s->element - q->bodies[s->body].first;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t to = 0;
        while (to < k && slot[to] != slot[k]) to++;
        hit->particles[to] = pliant__model_particle(q->model, slot[k]);
        hit->weights[to] = (pliant_real)((double)hit->weights[to] + weight[k]);
    }
}

static void answer(const seeker *s, pliant_real most, pliant_query_hit *hit)
{
    memset(hit, 0, sizeof *hit);
    hit->distance = most;
    if (!s->found) return;
    const pliant__d3 point = s->is_ray ? d3_madd(s->ray.from, s->ray.along, s->best) : d3_madd(s->ray.from, s->normal, -s->best);
    hit->distance = d_narrow(s->best);
    hit->point = d3_narrow(point);
    hit->normal = d3_narrow(s->normal);
    if (s->body == PLIANT__NONE)
        hit->collider.id = s->query->model->colliders[s->element].id;
    else
        name_element(s, point, hit);
}

static pliant_code seek(seeker *s, pliant_real most, pliant_query_hit *hit)
{
    const pliant_model *m = s->query->model;
    s->best = d_widen(most);
    for (uint32_t b = 0; b < model_count(m, bodies); b++)
        if (pliant__query_asks(s->query, &s->filter, b)) try_body(s, b);
    for (uint32_t c = 0; c < model_count(m, colliders) && s->filter.colliders; c++)
        if (pliant__query_asks_collider(s->query, &s->filter, c)) try_collider(s, c);
    answer(s, most, hit);
    return PLIANT_OK;
}

pliant_code pliant_query_ray(const pliant_query *query, pliant_vec3 origin, pliant_vec3 direction, pliant_real max_distance,
                             const pliant_query_filter *filter, pliant_query_hit *hit)
{
    PLIANT_FLOAT_SCOPE;
    const pliant__d3 none = {0, 0, 0};
    pliant__d3       along;
    seeker           s = {.query = query, .is_ray = true};
    if (!query || !hit || !pliant__query_filter(filter, &s.filter) || !v3_finite(origin) || !v3_finite(direction) ||
        !r_finite(max_distance) || max_distance < 0 || !(d3_split(d3_widen(direction), none, &along) > 0))
        return PLIANT_ERROR_ARGUMENT;
    s.ray = pliant__ray_of(d3_widen(origin), along);
    return seek(&s, max_distance, hit);
}

pliant_code pliant_query_closest(const pliant_query *query, pliant_vec3 point, pliant_real max_distance, const pliant_query_filter *filter,
                                 pliant_query_hit *hit)
{
    PLIANT_FLOAT_SCOPE;
    seeker s = {.query = query, .is_ray = false};
    if (!query || !hit || !pliant__query_filter(filter, &s.filter) || !v3_finite(point) || !r_finite(max_distance) || max_distance < 0)
        return PLIANT_ERROR_ARGUMENT;
    s.ray.from = d3_widen(point);
    return seek(&s, max_distance, hit);
}
