/* Contact pairs, friction and adhesion between two bodies or a body and a collider, in the order in which the step looks them up. */
#include "compile/compile.h"

#include "base/sort.h"

static pliant__key key_of(const pliant__compiler *c, size_t number)
{
    const pliant_contact_pair_def *d = &c->scene->contact_pairs.data[number];
    const uint32_t                 body = c->body[d->body.id - 1];
    const uint32_t                 other = d->collider.id ? (uint32_t)c->bodies.count + d->collider.id - 1 : c->body[d->other.id - 1];
    return (pliant__key){(uint64_t)(body < other ? body : other) << 32 | (body < other ? other : body), (uint32_t)number};
}

static bool is_there(const pliant__compiler *c, const pliant_contact_pair_def *d)
{
    return c->body[d->body.id - 1] != PLIANT__NONE && (d->collider.id || c->body[d->other.id - 1] != PLIANT__NONE);
}

bool pliant__lay_out_contact_pairs(pliant__compiler *c)
{
    const pliant_scene *s = c->scene;
    const size_t        most = s->contact_pairs.count;
    size_t              count = 0;
    if (!most) return true;
    pliant__key                *key = pliant__alloc_array(c->allocator, 2 * most, sizeof *key);
    pliant__model_contact_pair *out = array_extend(c->allocator, &c->contact_pairs, most);
    if (!key || !out) {
        pliant__free(c->allocator, key);
        return pliant__compile_memory(c);
    }
    for (size_t i = 0; i < most; i++)
        if (is_there(c, &s->contact_pairs.data[i])) key[count++] = key_of(c, i);
    const pliant__key *sorted = pliant__sort_keys(key, key + most, count);
    for (size_t i = 0; i < count; i++) {
        const pliant_contact_pair_def *d = &s->contact_pairs.data[sorted[i].value];
        out[i] = (pliant__model_contact_pair){
            .body = (uint32_t)(sorted[i].key >> 32), .other = (uint32_t)(sorted[i].key & UINT32_MAX), .ignore = d->ignore};
#define X(name, ...) out[i].name = d->name;
        CONTACT_PAIR_NUMBERS(X)
#undef X
    }
    c->contact_pairs.count = count;
    pliant__free(c->allocator, key);
    return true;
}
