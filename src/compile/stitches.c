/* Stitches by slot, and which slots are sewn to which: those that a stitch joins, and those that lie in one point when all stitches from vertex to vertex are
 * shut. */
#include "compile/compile.h"

#include "base/alloc.h"
#include "base/sort.h"

static bool add_call(pliant__compiler *c, uint32_t number)
{
    const pliant_scene           *s = c->scene;
    const pliant__draft_stitches *d = &s->stitches.data[number];
    pliant__model_stitches        m;
    memset(&m, 0, sizeof m);
    m.id = number + 1;
    m.first = (uint32_t)c->each_stitch.count;
    m.count = d->count;
    m.body[0] = c->body[d->def.a.id - 1];
    m.body[1] = c->body[d->def.b.id - 1];
    m.from = d->def.from;
    m.time = d->def.time;
    m.until = d->def.until > 0 ? d->def.until : (double)INFINITY;
    m.length = d->def.length;
    m.compliance = d->def.compliance;
    m.break_force = d->def.break_force;
    for (uint32_t i = d->first; i < d->first + d->count; i++) {
        const pliant__draft_stitch *from = &s->each_stitch.data[i];
        pliant__model_stitch        to;
        memset(&to, 0, sizeof to);
        for (uint32_t k = 0; k < 4; k++) to.slot[k] = c->slot[from->particles[k]];
        for (uint32_t k = 0; k < 3; k++) to.weight[k] = from->weights[k];
        to.stitches = (uint32_t)c->stitches.count;
        if (!array_push(c->allocator, &c->each_stitch, to)) return false;
    }
    return array_push(c->allocator, &c->stitches, m);
}

/* ---- which slots are sewn to which ---- */

#define MOST_TOGETHER 64u /* slots of a point: of one with more, only those that a stitch joins */

typedef ARRAY(pliant__key) keys;

static uint32_t root_of(uint32_t *parent, uint32_t slot)
{
    while (parent[slot] != slot) slot = parent[slot] = parent[parent[slot]];
    return slot;
}

/* Whether a stitch is from vertex to vertex. */
static bool is_plain(const pliant__model_stitch *s) { return s->weight[1] == 0 && s->weight[2] == 0; }

static bool add_joined(const pliant__compiler *c, keys *out)
{
    bool ok = true;
    for (size_t i = 0; ok && i < 3 * c->each_stitch.count; i++) {
        const pliant__model_stitch *s = &c->each_stitch.data[i / 3];
        const pliant__key           key = {pliant__sewn_key(s->slot[0], s->slot[1 + i % 3]), 0};
        if (s->weight[i % 3] != 0) ok = array_push(c->allocator, out, key);
    }
    return ok;
}

/* Adds all pairs of slots that hang together by stitches from vertex to vertex: where seams meet, a point has a vertex of each panel. */
static bool add_together(const pliant__compiler *c, uint32_t *parent, keys *slots, keys *out)
{
    bool ok = true;
    for (size_t i = 0; ok && i < 2 * c->each_stitch.count; i++) {
        const pliant__model_stitch *s = &c->each_stitch.data[i / 2];
        const uint32_t              slot = s->slot[i % 2];
        const pliant__key           key = {(uint64_t)root_of(parent, slot) << 32 | slot, slot};
        if (is_plain(s)) ok = array_push(c->allocator, slots, key);
    }
    const size_t count = slots->count;
    if (!ok || !array_reserve(c->allocator, slots, count)) return false;
    const pliant__key *sorted = pliant__sort_keys(slots->data, slots->data + count, count);
    for (size_t first = 0, end; ok && first < count; first = end) {
        uint32_t at[MOST_TOGETHER], together = 0;
        for (end = first; end < count && sorted[end].key >> 32 == sorted[first].key >> 32; end++)
            if (end == first || sorted[end].value != sorted[end - 1].value) {
                if (together < MOST_TOGETHER) at[together] = sorted[end].value;
                together++;
            }
        for (uint32_t i = 0; ok && together <= MOST_TOGETHER && i < together; i++)
            for (uint32_t k = 0; ok && k < i; k++) ok = array_push(c->allocator, out, ((pliant__key){pliant__sewn_key(at[i], at[k]), 0}));
    }
    return ok;
}

static void join_plain(const pliant__compiler *c, uint32_t *parent)
{
    for (size_t i = 0; i < c->each_stitch.count; i++) {
        const pliant__model_stitch *s = &c->each_stitch.data[i];
        if (!is_plain(s)) continue;
        const uint32_t a = root_of(parent, s->slot[0]), b = root_of(parent, s->slot[1]);
        parent[a < b ? b : a] = a < b ? a : b;
    }
}

static bool write_sewn(pliant__compiler *c, keys *found)
{
    const size_t count = found->count;
    if (!array_reserve(c->allocator, found, count)) return false;
    const pliant__key *sorted = pliant__sort_keys(found->data, found->data + count, count);
    bool               ok = true;
    for (size_t i = 0; ok && i < count; i++)
        if (i == 0 || sorted[i].key != sorted[i - 1].key) ok = array_push(c->allocator, &c->sewn, sorted[i].key);
    return ok;
}

static bool list_sewn(pliant__compiler *c)
{
    const size_t slots = c->x.count / 4;
    keys         found = {0}, at = {0};
    uint32_t    *parent = pliant__alloc_array(c->allocator, slots, sizeof *parent);
    for (size_t i = 0; parent && i < slots; i++) parent[i] = (uint32_t)i;
    if (parent) join_plain(c, parent);
    const bool ok = parent && add_joined(c, &found) && add_together(c, parent, &at, &found) && write_sewn(c, &found);
    pliant__free(c->allocator, parent);
    array_free(c->allocator, &found);
    array_free(c->allocator, &at);
    return ok;
}

bool pliant__lay_out_stitches(pliant__compiler *c)
{
    const pliant_scene *s = c->scene;
    bool                ok = true;
    for (uint32_t i = 0; ok && i < s->stitches.count; i++) {
        const pliant_stitches_def *def = &s->stitches.data[i].def;
        if (c->body[def->a.id - 1] != PLIANT__NONE && c->body[def->b.id - 1] != PLIANT__NONE) ok = add_call(c, i);
    }
    if (ok && c->each_stitch.count) ok = list_sewn(c);
    return ok || pliant__compile_memory(c);
}
