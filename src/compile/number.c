/* Which slot each particle gets.
 *
 * A body's slots are contiguous. Inside, particles keep their order, unless sorting them along a space-filling curve (Morton's) brings
 * the ends of its constraints nearer together in memory: meshes that come shuffled gain, grids stay as they are. Constraints that were
 * removed count too, and the order of solving does not, so that a scene keeps its numbers when its constraints are replaced. */
#include "compile/compile.h"

#include <stdlib.h>

typedef struct placed {
    uint64_t key;
    uint32_t particle;
} placed;

static int by_key(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return p->particle < q->particle ? -1 : p->particle > q->particle;
}

/* Spreads the low 21 bits to every third bit. */
static uint64_t spread(uint64_t v)
{
    v &= 0x1fffff;
    v = (v | v << 32) & 0x1f00000000ffffu;
    v = (v | v << 16) & 0x1f0000ff0000ffu;
    v = (v | v << 8) & 0x100f00f00f00f00fu;
    v = (v | v << 4) & 0x10c30c30c30c30c3u;
    return (v | v << 2) & 0x1249249249249249u;
}

static uint64_t cell(pliant_real x, pliant_real low, double scale)
{
    double c = ((double)x - (double)low) * scale;
    return c < 0 ? 0 : c > 2097151 ? 2097151 : (uint64_t)c;
}

static void sort_along_curve(const pliant__draft_particle *particles, uint32_t count, placed *out)
{
    pliant_vec3 low = particles[0].x, high = low;
    for (uint32_t i = 1; i < count; i++) {
        pliant_vec3 x = particles[i].x;
        low = v3(r_min(low.x, x.x), r_min(low.y, x.y), r_min(low.z, x.z));
        high = v3(r_max(high.x, x.x), r_max(high.y, x.y), r_max(high.z, x.z));
    }
    double extent = (double)r_max(high.x - low.x, r_max(high.y - low.y, high.z - low.z));
    double scale = extent > 0 ? 2097151 / extent : 0;
    for (uint32_t i = 0; i < count; i++) {
        pliant_vec3 x = particles[i].x;
        out[i].key = spread(cell(x.x, low.x, scale)) | spread(cell(x.y, low.y, scale)) << 1 | spread(cell(x.z, low.z, scale)) << 2;
        out[i].particle = i;
    }
    qsort(out, count, sizeof *out, by_key);
}

/* Sum over all constraints of how far apart in memory their ends lie, per body, under the numbering in c->slot. */
static void measure_spans(const pliant__compiler *c, uint64_t *span)
{
    const pliant_scene *s = c->scene;
    for (size_t i = 0; i < s->constraints.count; i++) {
        const pliant__draft_constraint *d = &s->constraints.data[i];
        if (d->user || d->body == PLIANT__NONE) continue;
        uint32_t n = pliant_constraint_describe((pliant_constraint_kind)d->kind)->slots;
        for (uint32_t k = 1; k < n; k++) {
            if ((d->particles[0] | d->particles[k]) & PLIANT__TARGET_SLOT) continue;
            uint32_t a = c->slot[d->particles[0]], b = c->slot[d->particles[k]];
            span[d->body] += a < b ? b - a : a - b;
        }
    }
}

static void renumber(pliant__compiler *c, uint64_t *before, uint64_t *after, uint32_t *sorted, placed *scratch)
{
    const pliant_scene *s = c->scene;
    measure_spans(c, before);
    for (size_t b = 0; b < s->bodies.count; b++) {
        const pliant__draft_body *body = &s->bodies.data[b];
        if (body->removed || !body->particle_count) continue;
        sort_along_curve(s->particles.data + body->first_particle, body->particle_count, scratch);
        uint32_t first = c->slot[body->first_particle];
        for (uint32_t i = 0; i < body->particle_count; i++) sorted[body->first_particle + scratch[i].particle] = first + i;
    }
    uint32_t *identity = c->slot;
    c->slot = sorted;
    measure_spans(c, after);
    c->slot = identity;
    for (size_t b = 0; b < s->bodies.count; b++) {
        const pliant__draft_body *body = &s->bodies.data[b];
        if (body->removed || !body->particle_count || after[b] + after[b] / 4 >= before[b]) continue;
        memcpy(c->slot + body->first_particle, sorted + body->first_particle, body->particle_count * sizeof *sorted);
    }
}

bool pliant__number(pliant__compiler *c)
{
    const pliant_scene *s = c->scene;
    size_t              n = s->particles.count;
    c->slot = pliant__alloc_array(c->allocator, n + 1, sizeof *c->slot);
    c->target_slot = pliant__alloc_array(c->allocator, s->targets.count + 1, sizeof *c->target_slot);
    c->body = pliant__alloc_array(c->allocator, s->bodies.count + 1, sizeof *c->body);
    uint64_t *before = pliant__alloc_array(c->allocator, s->bodies.count + 1, 2 * sizeof *before);
    uint32_t *sorted = pliant__alloc_array(c->allocator, n + 1, sizeof *sorted);
    placed   *scratch = pliant__alloc_array(c->allocator, n + 1, sizeof *scratch);
    bool      ok = c->slot && c->target_slot && c->body && before && sorted && scratch;
    if (ok) {
        uint32_t next = 0, live = 0;
        for (size_t i = 0; i < n; i++) c->slot[i] = sorted[i] = PLIANT__NONE;
        for (size_t b = 0; b < s->bodies.count; b++) {
            const pliant__draft_body *body = &s->bodies.data[b];
            c->body[b] = body->removed ? PLIANT__NONE : live++;
            for (uint32_t i = 0; !body->removed && i < body->particle_count; i++) c->slot[body->first_particle + i] = next++;
        }
        c->header.particle_count = next;
        renumber(c, before, before + s->bodies.count, sorted, scratch);
        for (size_t t = 0; t < s->targets.count; t++) {
            const pliant__draft_target *target = &s->targets.data[t];
            bool                        gone = s->bodies.data[target->body].removed;
            c->target_slot[t] = gone ? PLIANT__NONE : target->soft ? next++ : c->slot[target->particle];
        }
        c->header.target_slot_count = next - c->header.particle_count;
        c->header.inert = next;
        c->header.slot_count = (next + 1 + 15) / 16 * 16;
    }
    pliant__free(c->allocator, before);
    pliant__free(c->allocator, sorted);
    pliant__free(c->allocator, scratch);
    return ok || pliant__compile_memory(c);
}
