/* The tree is complete: level l has 2^l nodes; the deepest one are the leaves. Node j of level l, which is number 2^l - 1 + j, has those of `count`
 * things that are from j count / 2^l to (j + 1) count / 2^l (rounded down) in their order, so nothing need be stored but its box. They are those of
 * the node above, cut in the middle along the longest side of the box about their middles. */
#include "compile/box_tree.h"

#include <string.h>

/* Twice the middle of a box along an axis. */
static double middle_of(const pliant__model_box *b, int axis) { return (double)(&b->low.x)[axis] + (double)(&b->high.x)[axis]; }

/* Bits that sort as the number does. */
static uint64_t bits_of(double a)
{
    uint64_t u;
    a += 0; /* no -0 */
    memcpy(&u, &a, sizeof u);
    return u >> 63 ? ~u : u | (uint64_t)1 << 63;
}

static int longest_side(const pliant__model_box *box, const uint32_t *order, uint32_t from, uint32_t to)
{
    int    longest = 0;
    double most = -1;
    for (int k = 0; k < 3; k++) {
        double low = middle_of(&box[order[from]], k), high = low;
        for (uint32_t i = from + 1; i < to; i++) {
            const double m = middle_of(&box[order[i]], k);
            low = m < low ? m : low;
            high = m > high ? m : high;
        }
        if (high - low > most) most = high - low, longest = k;
    }
    return longest;
}

void pliant__tree_order(const pliant__model_box *box, uint32_t count, uint32_t levels, uint32_t *order, pliant__key *key)
{
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    for (uint32_t level = 0; level < levels; level++)
        for (uint32_t node = 0; node < (uint32_t)1 << level; node++) {
            const uint32_t from = pliant__tree_begin(count, level, node), to = pliant__tree_begin(count, level, node + 1);
            const int      side = longest_side(box, order, from, to);
            for (uint32_t i = from; i < to; i++) key[i - from] = (pliant__key){bits_of(middle_of(&box[order[i]], side)), order[i]};
            const pliant__key *sorted = pliant__sort_keys(key, key + (to - from), to - from);
            for (uint32_t i = from; i < to; i++) order[i] = sorted[i - from].value;
        }
}

static pliant__model_box both(const pliant__model_box *a, const pliant__model_box *b)
{
    const pliant__model_box c = {v3(r_min(a->low.x, b->low.x), r_min(a->low.y, b->low.y), r_min(a->low.z, b->low.z)),
                                 v3(r_max(a->high.x, b->high.x), r_max(a->high.y, b->high.y), r_max(a->high.z, b->high.z))};
    return c;
}

void pliant__tree_nodes(const pliant__model_box *box, uint32_t count, uint32_t levels, const uint32_t *order, pliant__model_box *node)
{
    for (uint32_t left = levels + 1; left; left--)
        for (uint32_t level = left - 1, j = 0; j < (uint32_t)1 << level; j++) {
            const uint32_t n = ((uint32_t)1 << level) - 1 + j;
            if (level < levels) {
                node[n] = both(&node[2 * n + 1], &node[2 * n + 2]);
                continue;
            }
            const uint32_t from = pliant__tree_begin(count, level, j), to = pliant__tree_begin(count, level, j + 1);
            node[n] = box[order[from]];
            for (uint32_t i = from + 1; i < to; i++) node[n] = both(&node[n], &box[order[i]]);
        }
}
