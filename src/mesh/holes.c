/* Filling holes. The open sides of triangles make rims; a rim of n sides is closed by n - 2 triangles of the least area in all, which is found by
 * going from short stretches of the rim to long ones (Barequet and Sharir 1995):
 *
 *   least(i, k) = min over j between: least(i, j) + least(j, k) + area of i j k
 *
 * A line across the hole that is an edge of the mesh already is not taken. A rim with a filling as large as the whole part that it belongs to is the
 * boundary of a sheet, and no hole. */
#include "mesh/mend.h"

#define SHEET 0.9

typedef struct rims {
    pliant__patient  *p;
    pliant__triangles t;
    pliant__key      *sides;
    size_t            side_count;
    uint32_t         *next;  /* per vertex: an open side that begins there, + 1; 0: none */
    uint32_t         *after; /* per side: another one that begins there */
    uint32_t         *path;  /* open sides, one behind the other */
    uint32_t         *at;    /* per vertex: 1 + where the path passes it */
    size_t            most;  /* sides of a rim */
    double           *least; /* most x most */
    uint16_t         *middle;
    uint32_t         *part;  /* per vertex */
    double           *areas; /* per part, twice */
} rims;

static bool prepare(rims *r)
{
    pliant__scratch *s = &r->p->s;
    r->most = r->p->def.hole_edges;
    if (!pliant__patient_triangles(r->p, &r->t)) return false;
    r->sides = pliant__find_mesh_sides(s, &r->t, NULL, &r->side_count);
    r->next = pliant__scratch_take(s, r->t.vertex_count, sizeof *r->next, "holes");
    r->after = pliant__scratch_take(s, 3 * (size_t)r->t.count, sizeof *r->after, "holes");
    r->path = pliant__scratch_take(s, (size_t)r->t.vertex_count + 1, sizeof *r->path, "holes");
    r->at = pliant__scratch_take(s, r->t.vertex_count, sizeof *r->at, "holes");
    r->least = pliant__scratch_take(s, r->most * r->most, sizeof *r->least, "holes");
    r->middle = pliant__scratch_take(s, r->most * r->most, sizeof *r->middle, "holes");
    r->part = pliant__scratch_take(s, r->t.vertex_count, sizeof *r->part, "holes");
    r->areas = pliant__scratch_take(s, r->t.vertex_count, sizeof *r->areas, "holes");
    if (!r->part || !r->areas || !r->sides || !r->next || !r->after || !r->path || !r->at || !r->least || !r->middle) return false;
    for (uint32_t v = 0; v < r->t.vertex_count; v++) r->part[v] = v;
    for (uint32_t i = 0; i < r->t.count; i++)
        for (uint32_t k = 1; k < 3; k++) pliant__join(r->part, r->t.corners[3 * i], r->t.corners[3 * i + k]);
    for (uint32_t i = 0; i < r->t.count; i++) r->areas[pliant__root(r->part, r->t.corners[3 * i])] += p_length(pliant__area2(&r->t, i));
    for (size_t i = r->side_count; i--;) {
        const bool alone =
            (i == 0 || r->sides[i - 1].key != r->sides[i].key) && (i + 1 == r->side_count || r->sides[i + 1].key != r->sides[i].key);
        if (!alone) continue;
        const uint32_t side = r->sides[i].value, from = r->t.corners[side];
        r->after[side] = r->next[from];
        r->next[from] = side + 1;
    }
    return true;
}

/* Where an edge is, or would be, among the sides. */
static size_t find_edge(const rims *r, uint32_t a, uint32_t b)
{
    const uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    return pliant__find_key(r->sides, r->side_count, key);
}

static bool has_edge(const rims *r, uint32_t a, uint32_t b)
{
    const size_t at = find_edge(r, a, b);
    return at < r->side_count && r->sides[at].key == (a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a);
}

/* Whether three corners of a rim are those of a triangle that is there: its own rim. */
static bool is_face(const rims *r, const uint32_t *rim)
{
    const uint32_t side = r->sides[find_edge(r, rim[0], rim[1])].value;
    return r->t.corners[side / 3 * 3 + (side % 3 + 2) % 3] == rim[2];
}

static double area(const rims *r, uint32_t a, uint32_t b, uint32_t c)
{
    const pliant__point *x = r->t.x;
    return p_length(p_cross(p_sub(x[b], x[a]), p_sub(x[c], x[a])));
}

/* Adds the triangles between corners i and k of a rim; they run against it. */
static bool put(rims *r, const uint32_t *rim, uint32_t i, uint32_t k)
{
    if (k - i < 2) return true;
    const uint32_t   j = r->middle[i * r->most + k];
    pliant__patient *p = r->p;
    const bool       ok = array_push(NULL, &p->corners, rim[i]) && array_push(NULL, &p->corners, rim[k]) &&
                    array_push(NULL, &p->corners, rim[j]) && array_push(NULL, &p->quads, 0);
    p->done.added += ok;
    return ok ? put(r, rim, i, j) && put(r, rim, j, k) : pliant__fail_memory(p->s.error, p->corners.count, "a hole");
}

static bool fill(rims *r, const uint32_t *rim, uint32_t n)
{
    if (n < 3 || n > r->p->def.hole_edges || (n == 3 && is_face(r, rim))) return true;
    for (uint32_t length = 1; length < n; length++)
        for (uint32_t i = 0; i + length < n; i++) {
            const uint32_t k = i + length;
            double        *best = &r->least[i * r->most + k];
            *best = length == 1 ? 0 : HUGE_VAL;
            if (length > 1 && length + 1 < n && has_edge(r, rim[i], rim[k])) continue;
            for (uint32_t j = i + 1; j < k; j++) {
                const double sum = r->least[i * r->most + j] + r->least[j * r->most + k] + area(r, rim[i], rim[j], rim[k]);
                if (sum < *best) *best = sum, r->middle[i * r->most + k] = (uint16_t)j;
            }
        }
    if (!(r->least[n - 1] < SHEET * r->areas[pliant__root(r->part, rim[0])])) return true;
    r->p->done.holes++;
    return put(r, rim, 0, n - 1);
}

/* Follows open sides from a vertex on. Where the path meets itself it has gone around a rim, which is cut off and filled. */
static bool follow(rims *r, uint32_t start)
{
    uint32_t length = 0, v = start;
    bool     ok = true;
    r->at[v] = 1;
    r->path[0] = v;
    while (ok && r->next[v]) {
        const uint32_t side = r->next[v] - 1;
        r->next[v] = r->after[side];
        v = r->t.corners[side / 3 * 3 + (side % 3 + 1) % 3];
        if (!r->at[v]) {
            r->path[++length] = v;
            r->at[v] = length + 1;
            continue;
        }
        const uint32_t from = r->at[v] - 1;
        ok = fill(r, r->path + from, length + 1 - from);
        for (uint32_t i = from + 1; i <= length; i++) r->at[r->path[i]] = 0;
        length = from;
    }
    for (uint32_t i = 0; i <= length; i++) r->at[r->path[i]] = 0;
    return ok;
}

bool pliant__fill_holes(pliant__patient *p)
{
    const int mark = p->s.count;
    rims      r = {.p = p};
    bool      ok = !p->def.hole_edges || prepare(&r);
    for (uint32_t v = 0; ok && p->def.hole_edges && v < r.t.vertex_count; v++)
        while (ok && r.next[v]) ok = follow(&r, v);
    pliant__scratch_drop(&p->s, mark);
    return ok;
}
