/* A tree of boxes: fitted from its leaves to its root, walked against itself. */
#include "base/tree.h"

#include "base/curve.h"

bool pliant__tree_create(const pliant_allocator *a, uint32_t count, uint32_t leaf, pliant__box_tree *tree)
{
    *tree = (pliant__box_tree){.count = count, .leaf = leaf, .leaves = 1};
    while ((uint64_t)tree->leaves * leaf < count) tree->leaves *= 2;
    tree->order = pliant__alloc_array(a, count, sizeof *tree->order);
    tree->node = pliant__alloc_array(a, 2 * (size_t)tree->leaves, sizeof *tree->node);
    tree->key = pliant__alloc_array(a, 2 * (size_t)count, sizeof *tree->key);
    return tree->order && tree->node && tree->key;
}

void pliant__tree_destroy(const pliant_allocator *a, pliant__box_tree *tree)
{
    pliant__free(a, tree->order);
    pliant__free(a, tree->node);
    pliant__free(a, tree->key);
}

/* ---- the order of elements ---- */

/* Where between low and high, in 2^21 parts. */
static uint64_t part_of(pliant_real at, pliant_real low, pliant_real high)
{
    const double share = ((double)at - (double)low) / ((double)high - (double)low) * 2097151.0;
    return share > 0 ? share < 2097151.0 ? (uint64_t)share : 2097151u : 0;
}

void pliant__tree_sort(pliant__box_tree *t, const pliant__box *box)
{
    pliant__box all = box_of_nothing();
    for (uint32_t i = 0; i < t->count; i++) box_add(&all, v3_lerp(box[i].low, box[i].high, (pliant_real)0.5));
    for (uint32_t i = 0; i < t->count; i++) {
        const pliant_vec3 at = v3_lerp(box[i].low, box[i].high, (pliant_real)0.5);
        t->key[i] = (pliant__key){pliant__spread_bits(part_of(at.x, all.low.x, all.high.x)) |
                                      pliant__spread_bits(part_of(at.y, all.low.y, all.high.y)) << 1 |
                                      pliant__spread_bits(part_of(at.z, all.low.z, all.high.z)) << 2,
                                  i};
    }
    const pliant__key *sorted = pliant__sort_keys(t->key, t->key + t->count, t->count);
    for (uint32_t i = 0; i < t->count; i++) t->order[i] = sorted[i].value;
}

/* ---- boxes ---- */

static double half_surface(const pliant__box *b)
{
    const double x = (double)b->high.x - (double)b->low.x, y = (double)b->high.y - (double)b->low.y,
                 z = (double)b->high.z - (double)b->low.z;
    return x >= 0 ? x * y + y * z + z * x : 0;
}

double pliant__tree_raise(pliant__box_tree *t)
{
    double         size = 0;
    const uint32_t first = t->leaves - 1;
    for (uint32_t left = first + t->leaves; left; left--) {
        const uint32_t n = left - 1;
        if (n < first) t->node[n] = box_of_both(t->node[2 * n + 1], t->node[2 * n + 2]);
        size += half_surface(&t->node[n]);
    }
    return size;
}

static double fit_nodes(pliant__box_tree *t, const pliant__box *box)
{
    for (uint32_t leaf = 0; leaf < t->leaves; leaf++) {
        pliant__box *b = &t->node[t->leaves - 1 + leaf];
        *b = box_of_nothing();
        for (uint32_t i = leaf * t->leaf; i < (leaf + 1) * t->leaf && i < t->count; i++) *b = box_of_both(*b, box[t->order[i]]);
    }
    return pliant__tree_raise(t);
}

void pliant__tree_fit(pliant__box_tree *t, const pliant__box *box)
{
    if (t->size > 0 && fit_nodes(t, box) <= PLIANT__ROT * t->size) return;
    pliant__tree_sort(t, box);
    t->size = fit_nodes(t, box);
}

/* ---- pairs ---- */

static bool leaf_pairs(const pliant_allocator *a, const pliant__box_tree *t, const pliant__box *box, uint32_t p, uint32_t q, size_t most,
                       pliant__element_pairs *out)
{
    const uint32_t first = t->leaves - 1, at = (p - first) * t->leaf, to = (q - first) * t->leaf;
    for (uint32_t i = at; i < at + t->leaf && i < t->count; i++)
        for (uint32_t j = p == q ? i + 1 : to; j < to + t->leaf && j < t->count; j++) {
            const uint32_t e = t->order[i], f = t->order[j];
            if (!boxes_meet(&box[e], &box[f])) continue;
            if (out->count >= most || !array_push(a, out, (pliant__element_pair){e < f ? e : f, e < f ? f : e})) return false;
        }
    return true;
}

#define DEEPEST 128u /* pairs that wait: three for each of 32 levels, and some */

bool pliant__tree_pairs(const pliant_allocator *a, const pliant__box_tree *t, const pliant__box *box, size_t most,
                        pliant__element_pairs *out)
{
    pliant__element_pair stack[DEEPEST];
    uint32_t             top = 0;
    out->count = 0;
    if (t->count) stack[top++] = (pliant__element_pair){0, 0};
    while (top) {
        const pliant__element_pair n = stack[--top];
        if (n.a != n.b && !boxes_meet(&t->node[n.a], &t->node[n.b])) continue;
        if (n.a >= t->leaves - 1) {
            if (!leaf_pairs(a, t, box, n.a, n.b, most, out)) return false;
        } else if (n.a == n.b) {
            stack[top++] = (pliant__element_pair){2 * n.a + 1, 2 * n.a + 1};
            stack[top++] = (pliant__element_pair){2 * n.a + 2, 2 * n.a + 2};
            stack[top++] = (pliant__element_pair){2 * n.a + 1, 2 * n.a + 2};
        } else { /* both on one level */
            for (uint32_t k = 0; k < 4; k++) stack[top++] = (pliant__element_pair){2 * n.a + 1 + k / 2, 2 * n.b + 1 + k % 2};
        }
    }
    return true;
}
