/* Vertices of bodies that are drafted: where they are, what holds them, and the keys that they follow. */
#include "base/keys.h"
#include "io/scene/keys.h"
#include "scene/draft.h"

pliant_vec3 pliant__vertex_position(const pliant_scene *scene, pliant_body body, uint32_t v)
{
    const pliant__draft_body *b = &scene->bodies.data[body.id - 1];
    return scene->particles.data[scene->vertex_particle.data[b->first_vertex + v]].x;
}

uint32_t pliant__target_count(const pliant_scene *scene, pliant_body body)
{
    return (uint32_t)scene->bodies.data[body.id - 1].targets.count;
}

pliant_vec3 pliant__skin_start(const pliant_scene *scene, pliant_body body, uint32_t number, pliant_real *most)
{
    const pliant__draft_skin *s = &scene->skins.data[scene->bodies.data[body.id - 1].first_skin + number];
    *most = s->max_distance;
    return pliant__position_key(scene->target_key_times.data + s->time_first, scene->target_key_positions.data + s->key_first, s->key_count,
                                0);
}

bool pliant__is_pinned_for_ever(const pliant_scene *scene, pliant_body body, uint32_t v)
{
    const pliant__draft_body *b = &scene->bodies.data[body.id - 1];
    return scene->particles.data[scene->vertex_particle.data[b->first_vertex + v]].pin == PLIANT__ANCHOR;
}

bool pliant__has_pins(const pliant_scene *scene, pliant_body body)
{
    const pliant__draft_body *b = &scene->bodies.data[body.id - 1];
    for (size_t e = 0; e < b->edges.count; e++)
        if (scene->particles.data[b->edges.data[e]].pin != PLIANT__FREE) return true;
    return false;
}

const char *pliant__body_name(const pliant_scene *scene, pliant_body body) { return scene->bodies.data[body.id - 1].name; }

bool pliant__key_followers(pliant__reader *r, const pliant__node *node, const pliant__followers *f, const double *times, size_t key_count,
                           const pliant_vec3 *positions)
{
    pliant_error inner = {0};
    if (f->skin)
        inner.code = pliant_scene_key_skin(r->scene, f->body, times, key_count, positions, &inner);
    else
        inner.code = pliant_scene_key_targets(r->scene, f->body, f->first, f->count, times, key_count, positions, &inner);
    return inner.code == PLIANT_OK || pliant__blame(r, node, &inner);
}
