/* Vertices at one place, found by a grid in a hash table.
 *
 * A vertex joins the first of the vertices that began a place and are near enough. Which these are depends on the order of the vertices, so
 * they are gone through in that order, one after the other; the table only says where to look, and what it says in which order does not
 * matter, as the first in the mesh's order is taken. Cells are twice as wide as the distance: then near vertices are in neighbouring cells
 * however the division rounds, and as those that begin places are farther from each other than the distance, a cell has few. */
#include "scene/weld.h"

#include "base/alloc.h"
#include "base/float_env.h"
#include "base/hash.h"
#include "base/vec.h"

#define MOST_CELLS 1125899906842624.0 /* 2^50: beyond, neighbours cannot be told from each other */
#define NOTHING UINT32_MAX

typedef struct grid {
    const pliant_vec3 *x;
    double             distance;
    uint32_t          *heads, *next; /* chains of vertices that began a place, by the hash of their cell */
    uint64_t           mask;
} grid;

typedef struct cell {
    int64_t at[3];
} cell;

/* With distance 0 every position is its own cell. */
static cell cell_of(const grid *g, pliant_vec3 x)
{
    const double c[3] = {(double)x.x + 0, (double)x.y + 0, (double)x.z + 0};
    cell         out;
    for (int k = 0; k < 3; k++) {
        const double q = g->distance > 0 ? c[k] / (2 * g->distance) : 0;
        if (!(g->distance > 0))
            memcpy(&out.at[k], &c[k], sizeof out.at[k]);
        else
            out.at[k] = (int64_t)q - ((double)(int64_t)q > q);
    }
    return out;
}

static uint32_t *head_of(const grid *g, const cell *c)
{
    uint64_t h = 0;
    for (int k = 0; k < 3; k++) h = pliant__hash_mix(h ^ (uint64_t)c->at[k]);
    return &g->heads[h & g->mask];
}

static bool is_near(const grid *g, uint32_t a, uint32_t b)
{
    const pliant_vec3 p = g->x[a], q = g->x[b];
    const double      x = ((double)p.x - (double)q.x) / g->distance, y = ((double)p.y - (double)q.y) / g->distance,
                 z = ((double)p.z - (double)q.z) / g->distance;
    return x * x + y * y + z * z <= 1; /* squares of the distance itself may be too small for a number */
}

static bool is_same(const grid *g, uint32_t a, uint32_t b)
{
    const pliant_vec3 p = g->x[a], q = g->x[b];
    return p.x == q.x && p.y == q.y && p.z == q.z;
}

/* The first vertex of one cell's chain that is near, if it comes before `first`. */
static uint32_t first_in(const grid *g, const cell *c, uint32_t vertex, uint32_t first)
{
    for (uint32_t v = *head_of(g, c); v != NOTHING; v = g->next[v])
        if (v < first && (g->distance > 0 ? is_near(g, v, vertex) : is_same(g, v, vertex))) first = v;
    return first;
}

static uint32_t find_first(const grid *g, const cell *own, uint32_t vertex)
{
    if (!(g->distance > 0)) return first_in(g, own, vertex, NOTHING);
    uint32_t first = NOTHING;
    for (int64_t i = -1; i <= 1; i++)
        for (int64_t j = -1; j <= 1; j++)
            for (int64_t k = -1; k <= 1; k++) {
                const cell c = {{own->at[0] + i, own->at[1] + j, own->at[2] + k}};
                first = first_in(g, &c, vertex, first);
            }
    return first;
}

static bool check_distance(const grid *g, uint32_t count, pliant_error *error)
{
    double largest = 0;
    for (uint32_t v = 0; v < count; v++) {
        const double c[3] = {(double)r_abs(g->x[v].x), (double)r_abs(g->x[v].y), (double)r_abs(g->x[v].z)};
        for (int k = 0; k < 3; k++) largest = c[k] > largest ? c[k] : largest;
    }
    return !(g->distance > 0) || largest / (2 * g->distance) < MOST_CELLS ||
           pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a distance of %g is too small to weld by beside a coordinate of %g; weld by 0",
                        g->distance, largest);
}

bool pliant__weld(const pliant_allocator *allocator, const pliant_vec3 *x, uint32_t count, pliant_real distance, uint32_t *number,
                  uint32_t *places, pliant_error *error)
{
    grid     g = {.x = x, .distance = (double)distance};
    uint64_t size = 16;
    if (!check_distance(&g, count, error)) return false;
    while (size < 2 * (uint64_t)count) size *= 2;
    g.mask = size - 1;
    g.heads = pliant__alloc_array(allocator, (size_t)size, sizeof *g.heads);
    g.next = pliant__alloc_array(allocator, count, sizeof *g.next);
    const bool ok = (g.heads && g.next) || pliant__fail_memory(error, (size_t)size * sizeof *g.heads, "welding");
    if (ok) memset(g.heads, 0xff, (size_t)size * sizeof *g.heads);
    *places = 0;
    for (uint32_t v = 0; ok && v < count; v++) {
        const cell     own = cell_of(&g, x[v]);
        const uint32_t first = find_first(&g, &own, v);
        number[v] = first == NOTHING ? (*places)++ : number[first];
        if (first != NOTHING) continue;
        uint32_t *head = head_of(&g, &own);
        g.next[v] = *head;
        *head = v;
    }
    pliant__free(allocator, g.heads);
    pliant__free(allocator, g.next);
    return ok;
}

static bool take_positions(const pliant_mesh_view *mesh, pliant_vec3 *out, pliant_error *error)
{
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        memcpy(&out[v], (const char *)mesh->positions + v * mesh->stride, sizeof *out);
        if (!v3_finite(out[v])) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "vertex %zu: a position is not finite", v);
    }
    return true;
}

static bool weld_mesh(const pliant_mesh_view *mesh, pliant_real distance, uint32_t *number, size_t *count, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    uint32_t places = 0;
    if (!mesh || !number || !mesh->positions || !mesh->vertex_count || mesh->stride < sizeof(pliant_vec3) || mesh->vertex_count >= NOTHING)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "welding needs a mesh with vertices and a place for their numbers");
    if (!(distance >= 0 && r_finite(distance)))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a distance to weld by is 0 or more, and finite");
    pliant_vec3 *x = pliant__alloc_untouched(NULL, mesh->vertex_count, sizeof *x);
    if (!x) return pliant__fail_memory(error, mesh->vertex_count * sizeof *x, "welding");
    const bool ok = take_positions(mesh, x, error) && pliant__weld(NULL, x, (uint32_t)mesh->vertex_count, distance, number, &places, error);
    pliant__free(NULL, x);
    if (count && ok) *count = places;
    return ok;
}

pliant_code pliant_mesh_weld(const pliant_mesh_view *mesh, pliant_real distance, uint32_t *number, size_t *count, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    if (count) *count = 0;
    return pliant__answer(weld_mesh(mesh, distance, number, count, &why), &why, error);
}
