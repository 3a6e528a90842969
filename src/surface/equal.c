/* Tuples that are equal, and vertices that are equal or nearly. */
#include "surface/equal.h"

#include "base/hash.h"

static void sort_few(uint32_t *v, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t j = i; j && v[j - 1] > v[j]; j--) {
            const uint32_t swap = v[j];
            v[j] = v[j - 1];
            v[j - 1] = swap;
        }
}

bool pliant__find_equal(pliant__scratch *s, const uint32_t *tuples, uint32_t size, size_t count, uint32_t *first)
{
    const int    mark = s->count;
    uint32_t    *sorted = pliant__scratch_take(s, 4 * count, sizeof *sorted, "faces");
    pliant__key *keys = pliant__scratch_take(s, 2 * count, sizeof *keys, "faces");
    if (!sorted || !keys) return false;
    for (size_t i = 0; i < count; i++) {
        memcpy(sorted + 4 * i, tuples + size * i, size * sizeof *tuples);
        sort_few(sorted + 4 * i, size);
        keys[i] = (pliant__key){pliant__hash(sorted + 4 * i, 4 * sizeof *sorted, 0), (uint32_t)i};
        first[i] = (uint32_t)i;
    }
    keys = pliant__sort_keys(keys, keys + count, count);
    for (size_t i = 0; i < count; i++) /* equal keys nearly always are equal tuples */
        for (size_t j = i + 1; j < count && keys[j].key == keys[i].key; j++) {
            const uint32_t a = keys[i].value, b = keys[j].value;
            if (first[b] != b || memcmp(sorted + 4 * (size_t)a, sorted + 4 * (size_t)b, 4 * sizeof *sorted) != 0) continue;
            first[b] = first[a];
        }
    pliant__scratch_drop(s, mark);
    return true;
}

/* ---- near ---- */

/* Cells with sides four times as long as the distance that counts as near: a vertex near another one is in one of the at most eight cells that this
 * distance around it reaches. */
typedef struct cells {
    double       low[3], cell, near;
    pliant__key *keys; /* used vertices by cell */
    size_t       count;
} cells;

static uint64_t cell_of(const cells *c, pliant__point p)
{
    uint64_t key = 0;
    for (int k = 0; k < 3; k++) key = key << 21 | (uint64_t)((p.c[k] - c->low[k]) / c->cell + 1);
    return key;
}

static uint32_t first_near(const cells *c, const pliant__triangles *t, const uint32_t *first, uint32_t v)
{
    uint32_t best = v;
    uint64_t seen[8];
    for (int corner = 0; corner < 8; corner++) {
        pliant__point p = t->x[v];
        bool          again = false;
        for (int k = 0; k < 3; k++) p.c[k] += corner >> k & 1 ? c->near : -c->near;
        seen[corner] = cell_of(c, p);
        for (int i = 0; i < corner; i++) again = again || seen[i] == seen[corner];
        if (again) continue;
        for (size_t i = pliant__find_key(c->keys, c->count, seen[corner]); i < c->count && c->keys[i].key == seen[corner]; i++) {
            const uint32_t other = c->keys[i].value;
            if (other < best && first[other] == other && p_distance(t->x[other], t->x[v]) <= c->near) best = other;
        }
    }
    return best;
}

static pliant__box box_of(const pliant__triangles *t)
{
    pliant__box around = pliant__box_empty();
    for (uint32_t v = 0; v < t->vertex_count; v++)
        if (t->used[v]) pliant__box_take(&around, t->x[v]);
    return around;
}

double pliant__diagonal(const pliant__triangles *t)
{
    const pliant__box around = box_of(t);
    double            square = 0;
    for (int k = 0; k < 3; k++) square += (around.high[k] - around.low[k]) * (around.high[k] - around.low[k]);
    return sqrt(square);
}

bool pliant__find_near(pliant__scratch *s, const pliant__triangles *t, double near, uint32_t *first)
{
    const int         mark = s->count;
    const size_t      n = t->vertex_count;
    const pliant__box around = box_of(t);
    cells             c = {.near = near, .cell = near > 0 ? 4 * near : 1};
    c.keys = pliant__scratch_take(s, 2 * n, sizeof *c.keys, "vertices");
    if (!c.keys) return false;
    memcpy(c.low, around.low, sizeof c.low);
    for (uint32_t v = 0; v < n; v++) {
        first[v] = v;
        if (t->used[v]) c.keys[c.count++] = (pliant__key){cell_of(&c, t->x[v]), v};
    }
    c.keys = pliant__sort_keys(c.keys, c.keys + n, c.count);
    for (uint32_t v = 0; v < n; v++)
        if (t->used[v]) first[v] = first_near(&c, t, first, v);
    pliant__scratch_drop(s, mark);
    return true;
}
