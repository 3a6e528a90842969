/* Colliders of a model. */
#include "compile/compile.h"

#include "base/keys.h"

static pliant__model_collider describe(const pliant__compiler *c, const pliant__draft_collider *d, uint32_t id)
{
    const pliant_scene    *s = c->scene;
    pliant__model_collider m;
    memset(&m, 0, sizeof m);
    m.id = id;
    m.shape = d->def.shape;
    m.stick = d->def.stick;
    m.yields = d->def.yields;
    m.contact_group = d->def.contact_group;
    m.contact_mask = d->def.contact_mask;
    m.first_key = (uint32_t)c->collider_time.count;
    m.key_count = d->key_count;
    m.radius = d->def.radius;
    m.half_height = d->def.half_height;
    m.half_extent = d->def.half_extent;
    m.cell = d->def.cell;
    m.pose = d->def.pose;
    m.friction_static = d->def.friction_static;
    m.friction_dynamic = d->def.friction_dynamic;
    m.restitution = d->def.restitution;
    m.thickness = d->def.thickness;
    memcpy(m.name, d->def.name, sizeof m.name);
    if (d->key_count)
        m.pose = pliant__pose_key(s->collider_key_times.data + d->key_first, s->collider_key_poses.data + d->key_first, d->key_count, 0);
    return m;
}

bool pliant__lay_out_colliders(pliant__compiler *c)
{
    const pliant_scene *s = c->scene;
    for (size_t i = 0; i < s->colliders.count; i++) {
        const pliant__draft_collider *d = &s->colliders.data[i];
        pliant__model_collider        m = describe(c, d, (uint32_t)i + 1);
        if (d->triangle_count && !pliant__lay_out_facets(c, d, &m.facets)) return false;
        if (d->distance_count && !pliant__lay_out_grid(c, d, &m.grid)) return false;
        if (d->number_count && !pliant__lay_out_field(c, d, &m.facets)) return false;
        bool ok = array_push(c->allocator, &c->colliders, m);
        for (uint32_t k = 0; ok && k < d->key_count; k++)
            ok = array_push(c->allocator, &c->collider_time, s->collider_key_times.data[d->key_first + k]) &&
                 array_push(c->allocator, &c->collider_pose, s->collider_key_poses.data[d->key_first + k]);
        if (!ok) return pliant__compile_memory(c);
    }
    return true;
}
