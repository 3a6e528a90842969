/* Skins of garments: a model's skinned targets lie in the order of their slots, so that those of a body lie side by side; a list leads to them
 * from the numbers that the user knows. */
#include "compile/compile.h"

#include "base/keys.h"

typedef struct skinner {
    pliant__compiler *c;
    uint32_t         *number; /* per slot: of the body that is laid out, the number in its list, then in the model; or PLIANT__NONE */
    uint32_t          times, first_time; /* keys that were given together share their times */
} skinner;

static bool add_skin(skinner *k, const pliant__draft_skin *d, uint32_t slot)
{
    pliant__compiler   *c = k->c;
    const pliant_scene *s = c->scene;
    pliant__model_skin  m;
    memset(&m, 0, sizeof m);
    const bool again = d->key_count && d->time_first == k->times;
    if (!again) k->first_time = (uint32_t)c->target_time.count;
    k->times = d->key_count ? d->time_first : PLIANT__NONE;
    m.slot = slot;
    m.body = c->body[d->body];
    m.first_key = k->first_time;
    m.key_count = d->key_count;
    m.first_position = (uint32_t)c->target_position.count;
    m.max_distance = d->max_distance;
    m.backstop_radius = d->backstop_radius;
    m.backstop_offset = d->backstop_offset;
    m.x = s->particles.data[d->particle].x;
    if (d->key_count)
        m.x = pliant__position_key(s->target_key_times.data + d->time_first, s->target_key_positions.data + d->key_first, d->key_count, 0);
    bool ok = array_push(c->allocator, &c->skins, m);
    for (uint32_t i = 0; ok && i < d->key_count; i++)
        ok = (again || array_push(c->allocator, &c->target_time, s->target_key_times.data[d->time_first + i])) &&
             array_push(c->allocator, &c->target_position, s->target_key_positions.data[d->key_first + i]);
    return ok;
}

/* Lists the triangles with three skinned corners, from which normals come; normals are needed only where a target has a backstop. */
static bool add_triangles(const skinner *k, const pliant__draft_body *b, pliant__model_body *m)
{
    pliant__compiler   *c = k->c;
    const pliant_scene *s = c->scene;
    bool                wanted = false;
    m->first_skin_triangle = (uint32_t)(c->skin_triangles.count / 3);
    for (uint32_t i = 0; i < b->skin_count && !wanted; i++) wanted = s->skins.data[b->first_skin + i].backstop_radius > 0;
    for (uint32_t t = 0; wanted && t < b->triangle_count; t++) {
        uint32_t corner[3];
        for (uint32_t i = 0; i < 3; i++) corner[i] = k->number[c->slot[s->triangles.data[3 * ((size_t)b->first_triangle + t) + i]]];
        if (corner[0] == PLIANT__NONE || corner[1] == PLIANT__NONE || corner[2] == PLIANT__NONE) continue;
        for (uint32_t i = 0; i < 3; i++)
            if (!array_push(c->allocator, &c->skin_triangles, corner[i])) return false;
    }
    m->skin_triangle_count = (uint32_t)(c->skin_triangles.count / 3) - m->first_skin_triangle;
    return true;
}

static bool lay_out_skin(skinner *k, const pliant__draft_body *b, pliant__model_body *m)
{
    pliant__compiler *c = k->c;
    m->first_skin = (uint32_t)c->skins.count;
    m->first_listed_skin = (uint32_t)c->listed_skins.count;
    m->listed_skin_count = b->skin_count;
    for (uint32_t i = m->first_slot; i < m->first_slot + m->slot_count; i++) k->number[i] = PLIANT__NONE;
    for (uint32_t i = 0; i < b->skin_count; i++) k->number[c->slot[c->scene->skins.data[b->first_skin + i].particle]] = i;
    for (uint32_t slot = m->first_slot; slot < m->first_slot + m->slot_count; slot++) {
        if (k->number[slot] == PLIANT__NONE) continue;
        if (!add_skin(k, &c->scene->skins.data[b->first_skin + k->number[slot]], slot)) return false;
        k->number[slot] = (uint32_t)c->skins.count - 1;
    }
    m->skin_count = (uint32_t)c->skins.count - m->first_skin;
    for (uint32_t i = 0; i < b->skin_count; i++)
        if (!array_push(c->allocator, &c->listed_skins, k->number[c->slot[c->scene->skins.data[b->first_skin + i].particle]])) return false;
    return add_triangles(k, b, m);
}

bool pliant__lay_out_skins(pliant__compiler *c)
{
    skinner k = {c, NULL, PLIANT__NONE, 0};
    if (!c->scene->skins.count) return true;
    k.number = pliant__alloc_array(c->allocator, c->header.slot_count, sizeof *k.number);
    bool ok = k.number != NULL;
    for (size_t b = 0; ok && b < c->scene->bodies.count; b++)
        if (c->body[b] != PLIANT__NONE && c->scene->bodies.data[b].skin_count)
            ok = lay_out_skin(&k, &c->scene->bodies.data[b], &c->bodies.data[c->body[b]]);
    pliant__free(c->allocator, k.number);
    return ok || pliant__compile_memory(c);
}
