/* Elements, the parts of bodies that may meet: of a body that meets others, or itself, the triangles of its surface, the segments of a rope, loose
 * particles. A corner or an edge that several elements have is owned by the first of them, so that each pair of a corner and a triangle, or of two
 * edges, is found once (representative triangles: Curtis, Tamstorf, Manocha 2008). Corners of a pair's elements that are welded share a slot. */
#include "compile/compile.h"

#include "base/sort.h"

static bool meets(const pliant__draft_body *b) { return !b->removed && (b->self_contact || b->contact_mask); }

static bool add_element(pliant__compiler *c, uint32_t body, uint32_t p, uint32_t q, uint32_t r)
{
    uint32_t *slots = array_extend(c->allocator, &c->elements, 3);
    if (!slots || !array_push(c->allocator, &c->element_body, body) || !array_push(c->allocator, &c->element_owns, 0))
        return pliant__compile_memory(c);
    slots[0] = c->slot[p];
    slots[1] = c->slot[q];
    slots[2] = c->slot[r];
    return true;
}

static bool add_surface(pliant__compiler *c, const pliant__draft_body *b, uint32_t body)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < b->triangle_count; i++) {
        const uint32_t *t = c->scene->triangles.data + 3 * ((size_t)b->first_triangle + i);
        ok = add_element(c, body, t[0], t[1], t[2]);
    }
    for (uint32_t i = 0; ok && b->type == PLIANT_BODY_ROPE && i + 1 < b->particle_count; i++)
        ok = add_element(c, body, b->first_particle + i, b->first_particle + i + 1, b->first_particle + i + 1);
    for (uint32_t i = 0; ok && b->type == PLIANT_BODY_PARTICLES && i < b->particle_count; i++)
        ok = add_element(c, body, b->first_particle + i, b->first_particle + i, b->first_particle + i);
    return ok;
}

/* A corner has its slot twice, an edge both of its own; keys of one part of the surface are equal and lie in the order of elements. */
static size_t list_parts(const pliant__compiler *c, pliant__key *key)
{
    const size_t elements = c->element_body.count;
    size_t       count = 0;
    for (size_t e = 0; e < elements; e++) {
        const uint32_t *slot = c->elements.data + 3 * e;
        for (uint32_t k = 0; k < 6; k++) {
            const uint32_t a = slot[k % 3], b = k < 3 ? a : slot[(k + 1) % 3];
            if (k >= 3 && a == b) continue;
            key[count++] = (pliant__key){(uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a), (uint32_t)(8 * e + k)};
        }
    }
    return count;
}

bool pliant__lay_out_elements(pliant__compiler *c)
{
    const pliant_scene *s = c->scene;
    for (uint32_t b = 0; b < s->bodies.count; b++)
        if (meets(&s->bodies.data[b]) && !add_surface(c, &s->bodies.data[b], c->body[b])) return false;
    const size_t elements = c->element_body.count;
    if (!elements) return true;
    if (elements > UINT32_MAX / 8)
        return pliant__fail(c->error, PLIANT_ERROR_ARGUMENT, "%zu triangles meet bodies; at most %u can", elements, UINT32_MAX / 8);
    pliant__key *key = pliant__alloc_array(c->allocator, 12 * elements, sizeof *key);
    if (!key) return pliant__compile_memory(c);
    const size_t       count = list_parts(c, key);
    const pliant__key *sorted = pliant__sort_keys(key, key + 6 * elements, count);
    for (size_t i = 0; i < count; i = pliant__run_end(sorted, i, count))
        c->element_owns.data[sorted[i].value / 8] |= (uint8_t)(1u << sorted[i].value % 8);
    pliant__free(c->allocator, key);
    return true;
}
