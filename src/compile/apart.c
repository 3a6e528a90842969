/* A particle or an edge that lies exactly in the surface of a body that it meets, when a scene begins, has no side: no row could tell where to push
 * it, and it would stay in for ever, or go through. So it begins a little aside: by a thousandth of the distance that the two keep, or more than
 * rounding may take.
 *
 * Which side: of two bodies the one that was added later moves, along the normal of the other one's surface; out of a solid, and a solid away from
 * the elements that lie in its own surface; between two lines along what is perpendicular to both. That depends on no more than numbers of bodies and
 * vertices. All corners of a part that lies in another move as one, so that a body that bends through a plane keeps its shape. Of three sheets in one
 * plane the third one moves twice as far. Pinned particles stay: then the other body moves, the other way.
 *
 * Only positions move, and no lengths or angles at rest: those were measured before. */
#include "compile/compile.h"

#include "base/tree.h"
#include "constraints/closest.h"

#include <float.h>

#define PART K(1e-3) /* of how far two bodies keep apart: how far aside */
#define SLACK K(16)  /* units in the last place of coordinates that rounding may take: so near counts as in the surface */
#define CLEAR K(4)   /* times that rounding, the least distance to go aside */
#define LEAF 4u

#ifdef PLIANT_DOUBLE
#define EPSILON DBL_EPSILON
#else
#define EPSILON FLT_EPSILON
#endif

/* Where a slot goes. */
typedef struct aside {
    pliant_vec3 way;  /* sum of the unit directions that its elements ask for */
    pliant_vec3 last; /* the latest of these directions */
    pliant_real by;   /* m, how far it goes for each rank */
    uint32_t    rank; /* bodies that lie below this one; 0: the slot stays */
    uint32_t    body; /* the model's body that the slot lies in */
} aside;

/* Particles of a scene while they are put aside. */
typedef struct parting {
    pliant__compiler *c;
    aside            *of;        /* per slot */
    pliant__box      *box;       /* per element */
    pliant__box      *body;      /* per body, around its elements */
    pliant_real      *outward;   /* per body: 1 or -1, by which normals of a solid lead outwards; 0 for sheets, ropes and particles */
    uint32_t         *first;     /* per body, and one more: its elements begin here */
    ARRAY(uint32_t) some;        /* elements of two bodies that are near each other */
    pliant__box          *near;  /* boxes of these elements */
    pliant__element_pairs pairs; /* of `some` */
    ARRAY(pliant__key) bodies;   /* pairs of bodies, as keys: the later one, then the earlier one */
} parting;

static const uint32_t *corners(const parting *p, uint32_t e) { return p->c->elements.data + 3 * (size_t)e; }

static pliant_vec3 place(const parting *p, uint32_t slot)
{
    const pliant_real *x = PLIANT__SLOT(p->c->x.data, slot);
    return v3(x[0], x[1], x[2]);
}

static bool moves(const parting *p, uint32_t slot) { return PLIANT__SLOT(p->c->x.data, slot)[3] > 0; }

/* ---- elements that lie in each other ---- */

static bool is_triangle(const uint32_t *slot) { return slot[0] != slot[1] && slot[1] != slot[2] && slot[2] != slot[0]; }

/* One lane. */
static vvec wide(pliant_vec3 a) { return vvec_of(a.x, a.y, a.z); }

static pliant_real square_to_triangle(const pliant_vec3 *x, const pliant_vec3 *t)
{
    vreal weight[3];
    closest_on_triangle(wide(x[0]), wide(t[0]), wide(t[1]), wide(t[2]), weight);
    const pliant_vec3 off = v3_add(v3_add(v3_scale(v3_sub(t[0], x[0]), weight[0]), v3_scale(v3_sub(t[1], x[0]), weight[1])),
                                   v3_scale(v3_sub(t[2], x[0]), weight[2]));
    return v3_dot(off, off);
}

static pliant_real square_of_edges(pliant_vec3 a, pliant_vec3 b, pliant_vec3 c, pliant_vec3 d)
{
    vreal s, t;
    closest_on_edges(wide(a), wide(b), wide(c), wide(d), &s, &t);
    const pliant_vec3 off = v3_sub(v3_add(v3_sub(c, a), v3_scale(v3_sub(d, c), t)), v3_scale(v3_sub(b, a), s));
    return v3_dot(off, off);
}

/* Whether two elements touch, to within a distance; those with a corner in common, or corners that are sewn to each other, do not. */
static bool touch(const parting *p, uint32_t e, uint32_t f, pliant_real within)
{
    for (uint32_t k = 0; k < 9; k++)
        if (corners(p, e)[k / 3] == corners(p, f)[k % 3]) return false;
    if (pliant__are_sewn(p->c->sewn.data, p->c->sewn.count, corners(p, e), 3, corners(p, f), 3)) return false;
    pliant_vec3 x[3], y[3];
    pliant_real least = (pliant_real)INFINITY;
    for (uint32_t k = 0; k < 3; k++) {
        x[k] = place(p, corners(p, e)[k]);
        y[k] = place(p, corners(p, f)[k]);
    }
    for (uint32_t k = 0; k < 3; k++) least = r_min(least, r_min(square_to_triangle(&x[k], y), square_to_triangle(&y[k], x)));
    for (uint32_t k = 0; k < 9; k++) least = r_min(least, square_of_edges(x[k / 3], x[(k / 3 + 1) % 3], y[k % 3], y[(k % 3 + 1) % 3]));
    return least <= within * within;
}

/* ---- which way ---- */

static pliant_vec3 normal_of(const parting *p, uint32_t e)
{
    const uint32_t   *slot = corners(p, e);
    const pliant_vec3 a = place(p, slot[0]);
    return v3_cross(v3_sub(place(p, slot[1]), a), v3_sub(place(p, slot[2]), a));
}

static pliant_vec3 along(const parting *p, uint32_t e) { return v3_sub(place(p, corners(p, e)[1]), place(p, corners(p, e)[0])); }

/* A direction perpendicular to a line; up where the line has no length. */
static pliant_vec3 across(pliant_vec3 line)
{
    const pliant_vec3 up = v3(0, 1, 0), aside_of = v3_cross(line, v3_cross(up, line));
    if (v3_dot(line, line) == 0) return up;
    return v3_dot(aside_of, aside_of) > K(1e-6) * v3_dot(line, line) * v3_dot(line, line) ? aside_of
                                                                                          : v3_cross(v3_cross(v3(1, 0, 0), line), line);
}

/* Which way element `f` of a later body leaves element `e`. */
static pliant_vec3 way_out(const parting *p, uint32_t e, uint32_t f)
{
    const uint32_t   *body = p->c->element_body.data;
    const pliant_real mine = p->outward[body[e]], its = p->outward[body[f]];
    if (mine != 0) return v3_scale(normal_of(p, e), mine);
    if (its != 0) return v3_scale(normal_of(p, f), -its);
    if (is_triangle(corners(p, e))) return normal_of(p, e);
    if (is_triangle(corners(p, f))) return v3_scale(normal_of(p, f), -1);
    const pliant_vec3 a = along(p, e), b = along(p, f), both = v3_cross(a, b);
    return v3_dot(both, both) > K(1e-6) * v3_dot(a, a) * v3_dot(b, b) ? both : across(v3_dot(a, a) > 0 ? a : b);
}

/* ---- putting slots aside ---- */

/* Lets those corners of an element that move go along `way`; false if none does. */
static bool let_go(parting *p, uint32_t e, pliant_vec3 way, pliant_real by, uint32_t rank, uint32_t other)
{
    bool any = false;
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t slot = corners(p, e)[k];
        aside         *a = &p->of[slot];
        if (!moves(p, slot)) continue;
        any = true;
        a->way = v3_add(a->way, way);
        a->last = way;
        a->by = r_max(a->by, by);
        if (rank > a->rank) a->rank = rank, a->body = other;
    }
    return any;
}

static void look_at(parting *p, uint32_t e, uint32_t f)
{
    const pliant__compiler *c = p->c;
    const uint32_t          one = c->element_body.data[e], other = c->element_body.data[f];
    pliant_real             size = 0;
    uint32_t                rank = 0;
    for (uint32_t k = 0; k < 6; k++) {
        const pliant_vec3 x = place(p, k < 3 ? corners(p, e)[k] : corners(p, f)[k - 3]);
        size = r_max(size, r_max(r_abs(x.x), r_max(r_abs(x.y), r_abs(x.z))));
    }
    const pliant_real within = SLACK * EPSILON * size, thick = c->bodies.data[one].thickness + c->bodies.data[other].thickness;
    if (!touch(p, e, f, within)) return;
    for (uint32_t k = 0; k < 3; k++) rank = p->of[corners(p, e)[k]].rank > rank ? p->of[corners(p, e)[k]].rank : rank;
    const pliant_vec3 out = way_out(p, e, f);
    const pliant_real length = v3_length(out), by = r_max(PART * thick, CLEAR * within);
    const pliant_vec3 way = length > 0 ? v3_scale(out, 1 / length) : v3(0, 1, 0);
    if (!let_go(p, f, way, by, rank + 1, one)) let_go(p, e, v3_scale(way, -1), by, 1, other);
}

/* ---- elements that are near ---- */

static bool bodies_meet(const parting *p, uint32_t a, uint32_t b)
{
    const pliant__model_body *m = &p->c->bodies.data[a], *n = &p->c->bodies.data[b];
    if (!(m->contact_group & n->contact_mask) || !(n->contact_group & m->contact_mask)) return false;
    for (size_t i = 0; i < p->c->contact_pairs.count; i++) {
        const pliant__model_contact_pair *pair = &p->c->contact_pairs.data[i];
        if (pair->body == a && pair->other == b && pair->ignore) return false;
    }
    return true;
}

static bool add_near(parting *p, uint32_t body, const pliant__box *other)
{
    bool ok = true;
    for (uint32_t e = p->first[body]; ok && e < p->first[body + 1]; e++)
        if (boxes_meet(&p->box[e], other)) ok = array_push(p->c->allocator, &p->some, e);
    return ok;
}

/* Elements of two bodies, `a` the earlier one. */
static bool look_at_bodies(parting *p, uint32_t a, uint32_t b)
{
    const pliant_allocator *allocator = p->c->allocator;
    pliant__box_tree        tree = {0};
    p->some.count = 0;
    if (!add_near(p, a, &p->body[b])) return false;
    const size_t mine = p->some.count;
    if (!mine) return true;
    if (!add_near(p, b, &p->body[a])) return false;
    if (p->some.count == mine) return true;
    for (size_t i = 0; i < p->some.count; i++) p->near[i] = p->box[p->some.data[i]];
    bool ok = pliant__tree_create(allocator, (uint32_t)p->some.count, LEAF, &tree);
    if (ok) {
        pliant__tree_fit(&tree, p->near);
        ok = pliant__tree_pairs(allocator, &tree, p->near, SIZE_MAX, &p->pairs);
    }
    pliant__tree_destroy(allocator, &tree);
    for (size_t i = 0; ok && i < p->pairs.count; i++)
        if (p->pairs.data[i].a < mine && p->pairs.data[i].b >= mine)
            look_at(p, p->some.data[p->pairs.data[i].a], p->some.data[p->pairs.data[i].b]);
    return ok;
}

/* ---- all of them ---- */

static bool allocate(parting *p)
{
    const pliant_allocator *a = p->c->allocator;
    const size_t            elements = p->c->element_body.count, bodies = p->c->bodies.count;
    p->of = pliant__alloc_array(a, p->c->x.count / 4, sizeof *p->of);
    p->box = pliant__alloc_array(a, elements, sizeof *p->box);
    p->near = pliant__alloc_array(a, elements, sizeof *p->near);
    p->body = pliant__alloc_array(a, bodies, sizeof *p->body);
    p->outward = pliant__alloc_array(a, bodies, sizeof *p->outward);
    p->first = pliant__alloc_array(a, bodies + 1, sizeof *p->first);
    return p->of && p->box && p->near && p->body && p->outward && p->first;
}

static void free_all(parting *p)
{
    const pliant_allocator *a = p->c->allocator;
    void                   *all[] = {p->of, p->box, p->near, p->body, p->outward, p->first};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(a, all[i]);
    array_free(a, &p->some);
    array_free(a, &p->pairs);
    array_free(a, &p->bodies);
}

/* Boxes of elements and bodies, where each body's elements begin, and which bodies are solids: their triangles' normals lead outwards, or inwards where a scale mirrors. */
static void measure(parting *p)
{
    const pliant__compiler *c = p->c;
    for (uint32_t b = 0, e = 0; b < c->bodies.count; b++) {
        double volume = 0;
        p->body[b] = box_of_nothing();
        p->first[b] = e;
        for (; e < c->element_body.count && c->element_body.data[e] == b; e++) {
            pliant_vec3 x[3];
            p->box[e] = box_of_nothing();
            for (uint32_t k = 0; k < 3; k++) box_add(&p->box[e], x[k] = place(p, corners(p, e)[k]));
            const pliant_vec3 far = v3(r_max(-p->box[e].low.x, p->box[e].high.x), r_max(-p->box[e].low.y, p->box[e].high.y),
                                       r_max(-p->box[e].low.z, p->box[e].high.z));
            p->box[e] = box_grown(p->box[e], SLACK * EPSILON * r_max(far.x, r_max(far.y, far.z)));
            p->body[b] = box_of_both(p->body[b], p->box[e]);
            const pliant_vec3 from = place(p, corners(p, p->first[b])[0]);
            volume += (double)v3_dot(v3_sub(x[0], from), v3_cross(v3_sub(x[1], from), v3_sub(x[2], from)));
        }
        p->outward[b] = c->bodies.data[b].type != PLIANT_BODY_SOFT ? 0 : volume < 0 ? -1 : 1;
        p->first[b + 1] = e;
    }
}

static bool find_bodies(parting *p)
{
    const pliant_allocator *a = p->c->allocator;
    pliant__box_tree        tree = {0};
    bool                    ok = pliant__tree_create(a, (uint32_t)p->c->bodies.count, LEAF, &tree);
    if (ok) {
        pliant__tree_fit(&tree, p->body);
        ok = pliant__tree_pairs(a, &tree, p->body, SIZE_MAX, &p->pairs) && array_reserve(a, &p->bodies, 2 * p->pairs.count);
    }
    pliant__tree_destroy(a, &tree);
    for (size_t i = 0; ok && i < p->pairs.count; i++)
        p->bodies.data[p->bodies.count++] = (pliant__key){(uint64_t)p->pairs.data[i].b << 32 | p->pairs.data[i].a, 0};
    return ok;
}

/* Puts slots aside, and notes the number of these particles in the header, and the two bodies of the first of them. */
static void put_aside(parting *p)
{
    pliant__compiler *c = p->c;
    for (uint32_t b = 0; b < c->bodies.count; b++)
        for (uint32_t i = 0; i < c->bodies.data[b].slot_count; i++) {
            const uint32_t slot = c->bodies.data[b].first_slot + i;
            const aside   *a = &p->of[slot];
            if (!a->rank) continue;
            const pliant_vec3 way = v3_length(a->way) > K(0.1) ? a->way : a->last;
            const pliant_vec3 x = v3_madd(place(p, slot), way, (pliant_real)a->rank * a->by / v3_length(way));
            pliant_real      *to = PLIANT__SLOT(c->x.data, slot);
            to[0] = x.x, to[1] = x.y, to[2] = x.z;
            if (!c->header.parted++) c->header.parted_bodies[0] = b, c->header.parted_bodies[1] = a->body;
            c->header.parted_by = r_max(c->header.parted_by, (pliant_real)a->rank * a->by);
        }
}

bool pliant__put_apart(pliant__compiler *c)
{
    parting p = {.c = c};
    if (c->element_body.count == 0 || c->element_body.data[0] == c->element_body.data[c->element_body.count - 1])
        return true; /* of one body */
    bool ok = allocate(&p);
    if (ok) {
        measure(&p);
        ok = find_bodies(&p);
    }
    if (ok) {
        const size_t       count = p.bodies.count;
        const pliant__key *key = pliant__sort_keys(p.bodies.data, p.bodies.data + count, count);
        for (size_t i = 0; ok && i < count; i++) {
            const uint32_t a = (uint32_t)key[i].key, b = (uint32_t)(key[i].key >> 32);
            ok = !bodies_meet(&p, a, b) || look_at_bodies(&p, a, b);
        }
    }
    if (ok) put_aside(&p);
    free_all(&p);
    return ok || pliant__compile_memory(c);
}
