/* Shapes as a model has them. */
#include "collide/distances.h"

#include <string.h>

static void point_into(const pliant_model *model, const pliant__model_facets *m, pliant__facets *f)
{
    f->node = model->collider_node + m->first_node;
    f->levels = m->levels;
    f->closed = m->closed != 0;
    f->two_sided = m->two_sided != 0;
    if (m->columns) {
        f->height = model->collider_number + m->first_number;
        f->block = model->collider_block + m->first_block;
        f->count = m->block_count;
        f->columns = m->columns;
        f->rows = m->rows;
    }
    if (!m->triangle_count) return;
    f->point = model->collider_point + m->first_point;
    f->normal = model->collider_normal + m->first_point;
    f->corner = model->collider_corner + 3 * (size_t)m->first_triangle;
    f->across = model->collider_across + 3 * (size_t)m->first_triangle;
    f->count = m->triangle_count;
}

pliant__shape pliant__shape_of(const pliant_model *model, uint32_t collider)
{
    const pliant__model_collider *c = &model->colliders[collider];
    pliant__shape s = {.type = (pliant_shape)c->shape, .radius = c->radius, .half_height = c->half_height, .half_extent = c->half_extent};
    point_into(model, &c->facets, &s.facets);
    if (c->shape == PLIANT_SHAPE_FIELD) {
        s.field = (pliant__field){.origin = c->grid.origin, .cell = c->grid.cell, .distance = model->collider_distance + c->grid.first};
        memcpy(s.field.count, c->grid.count, sizeof s.field.count);
    }
    s.facets.cell = (double)c->cell;
    return s;
}

pliant_real pliant__shape_radius(const pliant__shape *shape)
{
    if (shape->type == PLIANT_SHAPE_BOX) return v3_length(shape->half_extent);
    if (!shape->facets.count && !shape->field.distance) return shape->radius + shape->half_height;
    const pliant__model_box box = shape->field.distance ? pliant__field_box(&shape->field) : *shape->facets.node;
    const pliant_vec3       a = box.low, b = box.high;
    return v3_length(v3(r_max(-a.x, b.x), r_max(-a.y, b.y), r_max(-a.z, b.z)));
}
