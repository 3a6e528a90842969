/* Seams that rounding has parted.
 *
 * An exporter writes a vertex once per seam, and where each copy went through a matrix or a decimal number of its own, they differ in their last
 * digits. Exactly equal places are one already; a vertex nearer than PLIANT__NEAR of the mesh's diagonal to the first such vertex is joined with it,
 * too. No gap that was meant is as small as that beside its mesh. Where a face would lose a place by it, the mesh has details so small, and nothing
 * is joined.
 *
 * Vertices that are farther apart, and nearly coincide all the same, are counted and left: vertices of open edges that are nearer to one of another
 * open edge than a fiftieth of the mean length of edges. */
#include "scene/weld.h"

#include "surface/equal.h"

#define NEARLY 0.02

typedef struct joining {
    pliant__scratch   s;
    pliant__triangles t;
    uint32_t         *first; /* per vertex: the first one near it */
    uint32_t         *number, *places;
    pliant_mended    *mended;
} joining;

static double gap_of(const joining *j, uint32_t v) { return p_distance(j->t.x[j->first[v]], j->t.x[v]); }

/* For each place the one that it is joined to. */
static uint32_t *find_joined(joining *j)
{
    uint32_t *to = pliant__scratch_take(&j->s, *j->places, sizeof *to, "welding");
    for (uint32_t p = 0; to && p < *j->places; p++) to[p] = p;
    for (uint32_t v = 0; to && v < j->t.vertex_count; v++)
        if (j->t.used[v]) to[j->number[v]] = j->number[j->first[v]];
    return to;
}

/* Whether a face would lose a place. */
static bool flattens(const joining *j, const uint32_t *to)
{
    for (uint32_t i = 0; i < j->t.count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t a = j->number[j->t.corners[3 * i + k]], b = j->number[j->t.corners[3 * i + (k + 1) % 3]];
            if (a != b && to[a] == to[b]) return true;
        }
    return false;
}

/* Numbers places anew, in the order in which they first occur. */
static bool join(joining *j, const uint32_t *to)
{
    uint32_t *fresh = pliant__scratch_take(&j->s, *j->places, sizeof *fresh, "welding"), count = 0;
    if (!fresh) return false;
    memset(fresh, 0xff, *j->places * sizeof *fresh);
    for (uint32_t v = 0; v < j->t.vertex_count; v++) {
        const uint32_t was = j->number[v], place = to[was];
        if (j->t.used[v] && place != was) {
            j->mended->joined++;
            j->mended->gap = (pliant_real)p_max((double)j->mended->gap, gap_of(j, v));
        }
        if (fresh[place] == UINT32_MAX) fresh[place] = count++;
        j->number[v] = fresh[place];
    }
    *j->places = count;
    return true;
}

static bool join_parted(joining *j)
{
    const int mark = j->s.count;
    if (!pliant__find_near(&j->s, &j->t, PLIANT__NEAR * pliant__diagonal(&j->t), j->first)) return false;
    const uint32_t *to = find_joined(j);
    if (!to || (!flattens(j, to) && !join(j, to))) return false;
    pliant__scratch_drop(&j->s, mark);
    return true;
}

/* ---- vertices that nearly coincide: counted only ---- */

/* Marks vertices at edges with one face; 0, or the mean length of edges. */
static bool find_open(joining *j, bool *open, double *length)
{
    size_t             count;
    double             sum = 0;
    uint32_t           found = 0;
    const pliant__key *sides;
    uint32_t          *vertex_at = pliant__scratch_take(&j->s, *j->places, sizeof *vertex_at, "welding");
    if (!vertex_at) return false;
    for (uint32_t left = j->t.vertex_count; left; left--) vertex_at[j->number[left - 1]] = left - 1;
    for (uint32_t v = 0; v < j->t.vertex_count; v++) j->t.place[v] = vertex_at[j->number[v]];
    if (!(sides = pliant__find_mesh_sides(&j->s, &j->t, NULL, &count))) return false;
    for (size_t i = 0, end; i < count; i = end) {
        const uint32_t low = (uint32_t)(sides[i].key >> 32), high = (uint32_t)sides[i].key;
        end = pliant__run_end(sides, i, count);
        sum += p_distance(j->t.x[low], j->t.x[high]);
        found++;
        if (end - i == 1) open[low] = open[high] = true;
    }
    *length = found ? sum / found : 0;
    return true;
}

static bool count_near(joining *j)
{
    double length;
    bool  *open = pliant__scratch_take(&j->s, j->t.vertex_count, sizeof *open, "welding");
    if (!open || !find_open(j, open, &length)) return false;
    const double least = PLIANT__NEAR * pliant__diagonal(&j->t), near = NEARLY * length;
    for (uint32_t v = 0; v < j->t.vertex_count; v++) j->t.used[v] = open[v] && j->t.place[v] == v;
    if (!(near > least)) return true;
    if (!pliant__find_near(&j->s, &j->t, near, j->first)) return false;
    for (uint32_t v = 0; v < j->t.vertex_count; v++) {
        if (j->first[v] == v) continue;
        j->mended->near++;
        j->mended->weld = (pliant_real)p_max((double)j->mended->weld, gap_of(j, v));
    }
    return true;
}

bool pliant__join_parted(const pliant_allocator *allocator, const pliant_mesh_view *mesh, uint32_t *number, uint32_t *places,
                         pliant_mended *mended, pliant_error *error)
{
    joining j = {.s = {.allocator = allocator, .error = error}, .number = number, .places = places, .mended = mended};
    bool    ok = pliant__triangles_take(&j.s, mesh, &j.t);
    j.first = ok ? pliant__scratch_take(&j.s, j.t.vertex_count, sizeof *j.first, "welding") : NULL;
    ok = j.first && join_parted(&j) && count_near(&j);
    pliant__scratch_drop(&j.s, 0);
    return ok;
}
