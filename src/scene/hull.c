/* The convex hull of points.
 *
 * Quickhull (Barber, Dobkin, Huhdanpaa 1996): a tetrahedron of points that lie far apart grows. Each triangle keeps the points that are outside
 * of it; the farthest of these points sees some triangles, and new triangles from the rim of these to the point take their place. A triangle counts
 * as seen where the point lies in its plane, so no triangle ever has its corners on a line, however many points lie on a face or an edge.
 *
 * All is computed in double. A point nearer than `flat` to a plane lies in it. Where rounding has made a hull that is not closed or not convex
 * after all, it is computed again with a larger `flat`. */
#include "scene/facets.h"

#include "base/vec.h"

#define NOTHING UINT32_MAX

typedef struct place {
    double x, y, z;
} place;

typedef struct face {
    uint32_t corner[3];
    uint32_t across[3]; /* the face beyond the edge from a corner to the next */
    place    normal;
    double   offset;
    uint32_t outside, farthest; /* first of the chain of points outside the face; the farthest of them */
    double   height;            /* of the farthest point above the face */
    bool     gone, seen;
} face;

typedef struct hull {
    const pliant_allocator *allocator;
    const pliant_vec3      *x;
    uint32_t                count;
    uint32_t               *next; /* per point: chains */
    uint32_t               *rim;  /* per point: the new face with the edge of the rim that begins there */
    double                  flat, size;
    place                   middle;
    ARRAY(face) faces;
    ARRAY(uint32_t) stack;
    bool broken; /* rounding has made it something else than a hull */
} hull;

static place sub(place a, place b)
{
    const place c = {a.x - b.x, a.y - b.y, a.z - b.z};
    return c;
}
static place cross(place a, place b)
{
    const place c = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return c;
}
static double dot(place a, place b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static place  at(const hull *h, uint32_t p)
{
    const place c = {(double)h->x[p].x, (double)h->x[p].y, (double)h->x[p].z};
    return sub(c, h->middle);
}
static double height(const hull *h, const face *f, uint32_t p) { return dot(f->normal, at(h, p)) - f->offset; }

/* NOTHING if out of memory. */
static uint32_t add_face(hull *h, uint32_t a, uint32_t b, uint32_t c)
{
    face         f = {.corner = {a, b, c}, .across = {NOTHING, NOTHING, NOTHING}, .outside = NOTHING, .farthest = NOTHING};
    const place  from = at(h, a);
    const place  n = cross(sub(at(h, b), from), sub(at(h, c), from));
    const double length = sqrt(dot(n, n));
    if (!(length > 0)) h->broken = true;
    f.normal = (place){n.x / length, n.y / length, n.z / length};
    f.offset = dot(f.normal, from);
    return array_push(h->allocator, &h->faces, f) ? (uint32_t)h->faces.count - 1 : NOTHING;
}

/* Gives a point to the first face from `first` on that has it outside. */
static void assign(hull *h, uint32_t point, uint32_t first)
{
    for (uint32_t i = first; i < h->faces.count; i++) {
        face        *f = &h->faces.data[i];
        const double above = f->gone ? 0 : height(h, f, point);
        if (!(above > h->flat)) continue;
        h->next[point] = f->outside;
        f->outside = point;
        if (!(above > f->height)) return;
        f->height = above;
        f->farthest = point;
        return;
    }
}

/* ---- the first tetrahedron ---- */

static double spread(const hull *h, const uint32_t *corner, uint32_t count, uint32_t p)
{
    const place  from = at(h, corner[0]), d = sub(at(h, p), from);
    const place  u = count > 1 ? sub(at(h, corner[1]), from) : (place){0, 0, 0};
    const double length = sqrt(dot(u, u));
    if (count < 2) return sqrt(dot(d, d));
    const place c = cross(u, d);
    if (count < 3) return sqrt(dot(c, c)) / length;
    const place  n = cross(u, sub(at(h, corner[2]), from));
    const double away = dot(n, d) / sqrt(dot(n, n));
    return away < 0 ? -away : away;
}

/* Finds four points far from each other; returns the number of points found, each of which lies off the line or plane of those before it. */
static uint32_t find_corners(hull *h, uint32_t corner[4])
{
    place low = at(h, 0), high = low;
    corner[0] = 0;
    for (uint32_t p = 1; p < h->count; p++) {
        const place c = at(h, p);
        if (c.x < low.x) corner[0] = p, low.x = c.x;
        if (c.y < low.y) low.y = c.y;
        if (c.z < low.z) low.z = c.z;
        if (c.x > high.x) high.x = c.x;
        if (c.y > high.y) high.y = c.y;
        if (c.z > high.z) high.z = c.z;
    }
    const place d = sub(high, low);
    h->size = sqrt(dot(d, d));
    for (uint32_t k = 1; k < 4; k++) {
        double most = 0;
        for (uint32_t p = 0; p < h->count; p++) {
            const double away = spread(h, corner, k, p);
            if (away > most) most = away, corner[k] = p;
        }
        if (!(most > 1e-6 * h->size)) return k;
    }
    return 4;
}

static void join(hull *h, uint32_t f, uint32_t edge, uint32_t g)
{
    face *a = &h->faces.data[f], *b = &h->faces.data[g];
    for (uint32_t k = 0; k < 3; k++)
        if (b->corner[k] == a->corner[(edge + 1) % 3] && b->corner[(k + 1) % 3] == a->corner[edge]) {
            a->across[edge] = g;
            b->across[k] = f;
        }
}

static bool make_tetrahedron(hull *h, const uint32_t c[4])
{
    static const uint8_t sides[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    const place          from = at(h, c[0]);
    const place          n = cross(sub(at(h, c[1]), from), sub(at(h, c[2]), from));
    const bool           turned = dot(n, sub(at(h, c[3]), from)) > 0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint8_t *s = sides[i];
        if (add_face(h, c[s[0]], c[s[turned ? 2 : 1]], c[s[turned ? 1 : 2]]) == NOTHING) return false;
    }
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t k = 0; k < 3; k++)
            for (uint32_t j = 0; j < 4; j++)
                if (i != j) join(h, i, k, j);
    for (uint32_t p = 0; p < h->count; p++) assign(h, p, 0);
    return true;
}

/* ---- growing ---- */

/* Marks the faces that a point sees, from one that it does, and lists them. */
static bool find_seen(hull *h, uint32_t point, uint32_t first, uint32_t *chain)
{
    h->stack.count = 0;
    h->faces.data[first].seen = true;
    if (!array_push(h->allocator, &h->stack, first)) return false;
    for (size_t i = 0; i < h->stack.count; i++) {
        const face *f = &h->faces.data[h->stack.data[i]];
        for (uint32_t k = 0; k < 3; k++) {
            face *g = &h->faces.data[f->across[k]];
            if (g->seen || !(height(h, g, point) > -h->flat)) continue;
            g->seen = true;
            if (!array_push(h->allocator, &h->stack, f->across[k])) return false;
        }
    }
    *chain = NOTHING;
    for (size_t i = 0; i < h->stack.count; i++) {
        face *f = &h->faces.data[h->stack.data[i]];
        for (uint32_t p = f->outside, next; p != NOTHING; p = next) {
            next = h->next[p];
            h->next[p] = *chain;
            *chain = p;
        }
        f->gone = true;
    }
    return true;
}

/* New faces from the rim of the seen faces to the point. */
static bool cover(hull *h, uint32_t point, uint32_t first)
{
    uint32_t edges = 0;
    for (size_t i = 0; i < h->stack.count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const face     f = h->faces.data[h->stack.data[i]];
            const uint32_t beyond = f.across[k], a = f.corner[k], b = f.corner[(k + 1) % 3];
            if (h->faces.data[beyond].seen) continue;
            const uint32_t fresh = add_face(h, a, b, point);
            if (fresh == NOTHING) return false;
            join(h, fresh, 0, beyond);
            if (h->rim[a] != NOTHING || h->faces.data[fresh].across[0] != beyond) h->broken = true;
            h->rim[a] = fresh;
            edges++;
        }
    for (uint32_t f = first; f < first + edges; f++) { /* its neighbour has the edge that begins where the edge of f ends */
        const uint32_t beside = h->rim[h->faces.data[f].corner[1]];
        if (beside == NOTHING) {
            h->broken = true;
            continue;
        }
        h->faces.data[f].across[1] = beside;
        h->faces.data[beside].across[2] = f;
    }
    for (uint32_t f = first; f < first + edges; f++) h->rim[h->faces.data[f].corner[0]] = NOTHING;
    h->broken = h->broken || edges < 3;
    return true;
}

static bool add_point(hull *h, uint32_t point, uint32_t seen)
{
    const uint32_t first = (uint32_t)h->faces.count;
    uint32_t       chain;
    if (!find_seen(h, point, seen, &chain) || !cover(h, point, first)) return false;
    for (uint32_t p = chain, next; p != NOTHING && !h->broken; p = next) {
        next = h->next[p];
        if (p != point) assign(h, p, first);
    }
    return true;
}

static bool grow(hull *h, const uint32_t corner[4])
{
    h->faces.count = 0;
    h->broken = false;
    for (uint32_t p = 0; p < h->count; p++) h->rim[p] = NOTHING;
    if (!make_tetrahedron(h, corner)) return false;
    for (uint32_t f = 0; f < h->faces.count && !h->broken; f++) {
        const face *from = &h->faces.data[f];
        if (!from->gone && from->farthest != NOTHING && !add_point(h, from->farthest, f)) return false;
    }
    return true;
}

/* Whether no point lies outside by more than rounding. */
static bool is_hull(const hull *h)
{
    for (uint32_t i = 0; i < h->faces.count && !h->broken; i++) {
        const face *f = &h->faces.data[i];
        for (uint32_t p = 0; p < h->count && !f->gone; p++)
            if (height(h, f, p) > 4 * h->flat) return false;
    }
    return !h->broken;
}

/* ---- what is left of it ---- */

static bool write_hull(hull *h, pliant__facet_list *list)
{
    uint32_t    *number = h->rim, count = 0;
    pliant_vec3 *x = list->points.data;
    for (uint32_t p = 0; p < h->count; p++) number[p] = NOTHING;
    list->corners.count = 0;
    for (size_t i = 0; i < h->faces.count; i++)
        for (uint32_t k = 0; k < 3 && !h->faces.data[i].gone; k++) number[h->faces.data[i].corner[k]] = 0;
    for (uint32_t p = 0; p < h->count; p++)
        if (number[p] != NOTHING) {
            number[p] = count;
            x[count++] = x[p];
        }
    list->points.count = count;
    for (size_t i = 0; i < h->faces.count; i++)
        for (uint32_t k = 0; k < 3 && !h->faces.data[i].gone; k++)
            if (!array_push(h->allocator, &list->corners, number[h->faces.data[i].corner[k]])) return false;
    return true;
}

static bool make(hull *h, pliant__facet_list *list, pliant_error *error)
{
    static const char *const spans[] = {"", "at one place", "on one line", "in one plane"};
    uint32_t                 corner[4];
    const uint32_t           span = find_corners(h, corner);
    if (span < 4)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a hull needs points that are not all %s; give a flat one some depth",
                            spans[span]);
    for (h->flat = 1e-10 * h->size; h->flat < 1e-4 * h->size; h->flat *= 30) {
        if (!grow(h, corner)) return pliant__fail_memory(error, h->count * sizeof(face), "a convex hull");
        if (is_hull(h)) return write_hull(h, list) || pliant__fail_memory(error, h->count * sizeof(face), "a convex hull");
    }
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                        "the convex hull of these points cannot be computed; leave out some that nearly coincide");
}

bool pliant__make_hull(const pliant_allocator *a, pliant__facet_list *list, pliant_error *error)
{
    hull h = {.allocator = a, .x = list->points.data, .count = (uint32_t)list->points.count};
    h.middle = at(&h, 0);
    h.next = pliant__alloc_array(a, h.count, sizeof *h.next);
    h.rim = pliant__alloc_array(a, h.count, sizeof *h.rim);
    const bool ok = h.next && h.rim ? make(&h, list, error) : pliant__fail_memory(error, h.count * sizeof *h.rim, "a convex hull");
    pliant__free(a, h.next);
    pliant__free(a, h.rim);
    array_free(a, &h.faces);
    array_free(a, &h.stack);
    return ok;
}
