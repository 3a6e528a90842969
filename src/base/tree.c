/* A tree of boxes: fitted from its leaves to its root, walked against itself. */
#include "base/tree.h"

#include <string.h>

bool pliant__tree_create(const pliant_allocator *a, uint32_t count, uint32_t leaf, pliant__box_tree *tree)
{
    *tree = (pliant__box_tree){.count = count, .leaf = leaf, .leaves = 1};
    while ((uint64_t)tree->leaves * leaf < count) tree->leaves *= 2;
    tree->order = pliant__alloc_array(a, count, sizeof *tree->order);
    tree->node = pliant__alloc_array(a, 2 * (size_t)tree->leaves, sizeof *tree->node);
    tree->key = pliant__alloc_array(a, count, sizeof *tree->key);
    return tree->order && tree->node && tree->key;
}

void pliant__tree_destroy(const pliant_allocator *a, pliant__box_tree *tree)
{
    pliant__free(a, tree->order);
    pliant__free(a, tree->node);
    pliant__free(a, tree->key);
}

/* ---- the order of elements ---- */

static pliant_vec3 middle_of(const pliant__box *b) { return v3_lerp(b->low, b->high, (pliant_real)0.5); }

/* A whole number with the order of a real one. */
static uint64_t ascending(pliant_real number)
{
    const float narrow = (float)number;
    uint32_t    bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits >> 31 ? ~bits : bits | 1u << 31;
}

static bool is_before(pliant__key a, pliant__key b) { return a.key != b.key ? a.key < b.key : a.value < b.value; }

static pliant__key middle_key(pliant__key a, pliant__key b, pliant__key c)
{
    if (is_before(b, a)) return is_before(c, b) ? b : is_before(c, a) ? c : a;
    return is_before(c, a) ? a : is_before(c, b) ? c : b;
}

/* Puts the `before` lowest of some keys before all others. */
static void part_keys(pliant__key *key, size_t count, size_t before)
{
    size_t first = 0, end = count;
    while (end - first > 1) {
        const pliant__key by = middle_key(key[first], key[first + (end - first) / 2], key[end - 1]);
        size_t            low = first, high = end;
        for (;;) { /* keys before `low` are not after that one, keys from `high` on not before it */
            while (is_before(key[low], by)) low++;
            do high--;
            while (is_before(by, key[high]));
            if (low >= high) break;
            const pliant__key swapped = key[low];
            key[low++] = key[high];
            key[high] = swapped;
        }
        if (low == before) return;
        if (before < low)
            end = low;
        else
            first = low;
    }
}

/* Orders keys, with elements as their values, so that elements below one node are near each other: a plane across the longest side of the box around all middles
 * has as many on one side as half of the tree holds, those of each side are parted likewise, and so on. */
static void part_leaves(const pliant__box *box, pliant__key *key, size_t count, size_t leaf, size_t half)
{
    for (; count > leaf; half /= 2) {
        if (count <= half) continue;
        pliant__box all = box_of_nothing();
        for (size_t i = 0; i < count; i++) box_add(&all, middle_of(&box[key[i].value]));
        const pliant_vec3 size = v3_sub(all.high, all.low);
        const uint32_t    axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        for (size_t i = 0; i < count; i++) {
            const pliant_vec3 at = middle_of(&box[key[i].value]);
            key[i].key = ascending(axis == 0 ? at.x : axis == 1 ? at.y : at.z);
        }
        part_keys(key, count, half);
        part_leaves(box, key, half, leaf, half / 2);
        key += half;
        count -= half;
    }
}

void pliant__tree_sort(pliant__box_tree *t, const pliant__box *box)
{
    for (uint32_t i = 0; i < t->count; i++) t->key[i] = (pliant__key){0, i};
    part_leaves(box, t->key, t->count, t->leaf, (size_t)t->leaves * t->leaf / 2);
    for (uint32_t i = 0; i < t->count; i++) t->order[i] = t->key[i].value;
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
