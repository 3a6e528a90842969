/* Fields of colliders. */
#include "compile/compile.h"

#include "scene/field.h"

/* Whether a body has adhesion with a collider. */
static bool holds_on(const pliant_scene *s, uint32_t body, const pliant__draft_collider *d)
{
    const uint32_t id = (uint32_t)(d - s->colliders.data) + 1;
    for (size_t i = 0; i < s->contact_pairs.count; i++) {
        const pliant_contact_pair_def *p = &s->contact_pairs.data[i];
        if (p->collider.id == id && p->body.id == body && p->adhesion > 0) return true;
    }
    return false;
}

/* Refuses a thickness with which a body would touch the field outside its grid, where there are no values. */
static bool check_thickness(pliant__compiler *c, const pliant__draft_collider *d, const pliant_field_view *field)
{
    const double border = pliant__field_border(field);
    for (size_t i = 0; i < c->bodies.count && !d->def.stick; i++) {
        const double thickness = (double)c->bodies.data[i].thickness + (double)d->def.thickness;
        if (!(thickness * (holds_on(c->scene, c->bodies.data[i].id, d) ? PLIANT__REACH : 1) < border))
            return pliant__fail(
                c->error, PLIANT_ERROR_ARGUMENT,
                "the field of collider \"%s\" goes %g m beyond its surface, and body \"%s\" touches it from %g m: it needs a larger margin",
                d->def.name, border, c->bodies.data[i].name, thickness);
    }
    return true;
}

bool pliant__lay_out_grid(pliant__compiler *c, const pliant__draft_collider *d, pliant__model_grid *out)
{
    pliant_field_view field = d->def.field;
    field.distance = c->scene->collider_distances.data + d->distance_first;
    if (!check_thickness(c, d, &field)) return false;
    out->first = (uint32_t)c->collider_distance.count;
    out->origin = field.origin;
    out->cell = field.cell;
    memcpy(out->count, field.count, sizeof out->count);
    float *to = array_extend(c->allocator, &c->collider_distance, d->distance_count);
    if (!to) return pliant__compile_memory(c);
    memcpy(to, field.distance, d->distance_count * sizeof *to);
    return true;
}
