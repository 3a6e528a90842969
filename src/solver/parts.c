/* Which parts a model falls into. Ranges belong together where a list has rows between them, where a tether of one hangs on an anchor of the other, and where
 * both have rows to one soft target. Nodes are ranges, and behind them soft targets. */
#include "solver/parts.h"

#include "base/alloc.h"

#include <string.h>

typedef struct builder {
    const pliant_allocator *a;
    const pliant_model     *m;
    pliant__parts          *parts;
    uint32_t                ranges;
    uint32_t               *range_of; /* per particle's slot */
    uint32_t               *parent;   /* per node; a root is its own, and the lowest of its part */
    uint32_t               *part_of;  /* per node */
    uint32_t               *next;     /* per part: where its next number goes */
} builder;

static uint32_t node_of(const builder *b, uint32_t slot)
{
    const uint32_t particles = b->m->header->particle_count;
    return slot < particles ? b->range_of[slot] : b->ranges + (slot - particles);
}

static uint32_t root_of(const builder *b, uint32_t node)
{
    while (b->parent[node] != node) node = b->parent[node] = b->parent[b->parent[node]];
    return node;
}

static void join(const builder *b, uint32_t one, uint32_t other)
{
    const uint32_t p = root_of(b, one), q = root_of(b, other);
    b->parent[p < q ? q : p] = p < q ? p : q;
}

static void join_lists(const builder *b)
{
    for (size_t i = b->ranges; i < model_count(b->m, patches); i++) {
        const pliant__patch *p = &b->m->patches[i];
        for (uint32_t k = 1; k < p->slot_count; k++)
            join(b, node_of(b, b->m->patch_slots[p->first_listed]), node_of(b, b->m->patch_slots[p->first_listed + k]));
    }
}

static void join_held(const builder *b)
{
    for (size_t i = 0; i < model_count(b->m, batches); i++) {
        const pliant__batch *batch = &b->m->batches[i];
        for (uint32_t row = 0; row < batch->count && batch->shape == PLIANT__HELD; row++) {
            uint32_t slots[2];
            if (!pliant__has_row(b->m, batch, row)) continue;
            pliant__row_slots(b->m, batch, row, 2, slots);
            join(b, node_of(b, slots[0]), node_of(b, slots[1]));
        }
    }
}

/* Numbers parts by their first ranges; a soft target without a row is the first part's. */
static void number_parts(builder *b, uint32_t nodes)
{
    for (uint32_t i = 0; i < nodes; i++) {
        const uint32_t root = root_of(b, i);
        if (root >= b->ranges)
            b->part_of[i] = 0;
        else
            b->part_of[i] = root == i ? b->parts->count++ : b->part_of[root];
    }
}

static uint32_t part_of_slot(const builder *b, uint32_t slot) { return b->part_of[node_of(b, slot)]; }

static uint32_t part_of_patch(const builder *b, uint32_t patch)
{
    return patch < b->ranges ? b->part_of[patch] : part_of_slot(b, b->m->patch_slots[b->m->patches[patch].first_listed]);
}

static uint32_t part_of_target(const builder *b, uint32_t target) { return part_of_slot(b, b->m->targets[target].slot); }
static uint32_t part_of_anchor(const builder *b, uint32_t anchor) { return part_of_slot(b, b->m->anchors[anchor]); }

/* Sorts numbers below `count` by their parts, ascending in each, and points each part to its own. */
static uint32_t *sort_by_part(builder *b, uint32_t count, uint32_t (*part_of)(const builder *b, uint32_t number), size_t numbers,
                              size_t number_count)
{
    uint32_t *sorted = pliant__alloc_array(b->a, (size_t)count + 1, sizeof *sorted), at = 0;
    if (!sorted) return NULL;
    memset(b->next, 0, b->parts->count * sizeof *b->next);
    for (uint32_t i = 0; i < count; i++) b->next[part_of(b, i)]++;
    for (uint32_t p = 0; p < b->parts->count; p++) {
        const uint32_t *first = sorted + at;
        memcpy((char *)&b->parts->data[p] + numbers, &first, sizeof first);
        memcpy((char *)&b->parts->data[p] + number_count, &b->next[p], sizeof b->next[p]);
        at += b->next[p];
        b->next[p] = at - b->next[p];
    }
    for (uint32_t i = 0; i < count; i++) sorted[b->next[part_of(b, i)]++] = i;
    return sorted;
}

static void measure_parts(builder *b)
{
    for (uint32_t i = 0; i < b->parts->count; i++) {
        pliant__model_part *p = &b->parts->data[i];
        uint32_t            slots = 0;
        for (uint32_t k = 0; k < p->patch_count && p->patches[k] < b->ranges; k++, p->range_count++)
            slots += b->m->patches[p->patches[k]].slot_count;
        if (slots > b->parts->largest) b->parts->largest = slots;
    }
}

static bool build(builder *b)
{
    const pliant_model *m = b->m;
    pliant__parts      *parts = b->parts;
    const uint32_t      nodes = b->ranges + (m->header->slot_count - m->header->particle_count);
    b->range_of = pliant__alloc_array(b->a, (size_t)m->header->particle_count + 1, sizeof *b->range_of);
    b->parent = pliant__alloc_array(b->a, (size_t)nodes + 1, sizeof *b->parent);
    b->part_of = pliant__alloc_array(b->a, (size_t)nodes + 1, sizeof *b->part_of);
    if (!b->range_of || !b->parent || !b->part_of) return false;
    for (uint32_t i = 0; i < b->ranges; i++)
        for (uint32_t k = 0; k < m->patches[i].slot_count; k++) b->range_of[m->patches[i].first_slot + k] = i;
    for (uint32_t i = 0; i < nodes; i++) b->parent[i] = i;
    join_lists(b);
    join_held(b);
    number_parts(b, nodes);
    parts->data = pliant__alloc_array(b->a, (size_t)parts->count + 1, sizeof *parts->data);
    b->next = pliant__alloc_array(b->a, (size_t)parts->count + 1, sizeof *b->next);
    if (!parts->data || !b->next) return false;
    parts->patches = sort_by_part(b, (uint32_t)model_count(m, patches), part_of_patch, offsetof(pliant__model_part, patches),
                                  offsetof(pliant__model_part, patch_count));
    parts->targets = sort_by_part(b, (uint32_t)model_count(m, targets), part_of_target, offsetof(pliant__model_part, targets),
                                  offsetof(pliant__model_part, target_count));
    parts->anchors = sort_by_part(b, (uint32_t)model_count(m, anchors), part_of_anchor, offsetof(pliant__model_part, anchors),
                                  offsetof(pliant__model_part, anchor_count));
    if (!parts->patches || !parts->targets || !parts->anchors) return false;
    measure_parts(b);
    return true;
}

bool pliant__parts_create(const pliant_allocator *a, const pliant_model *m, pliant__parts *parts)
{
    builder    b = {.a = a, .m = m, .parts = parts, .ranges = m->rounds[0].patch_count};
    const bool made = !b.ranges || build(&b);
    void      *all[] = {b.range_of, b.parent, b.part_of, b.next};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(a, all[i]);
    return made;
}

void pliant__parts_destroy(const pliant_allocator *a, pliant__parts *parts)
{
    pliant__free(a, parts->data);
    pliant__free(a, parts->patches);
    pliant__free(a, parts->targets);
    pliant__free(a, parts->anchors);
}
