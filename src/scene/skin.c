/* Garments: vertices with a limited distance from skinned targets, and the keys of these targets. */
#include "scene/builder.h"

#include "base/float_env.h"

pliant_skin_def pliant_skin_def_default(void)
{
    pliant_skin_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.max_distance = -1;
    return def;
}

static uint32_t vertex_at(const pliant_skin_def *def, size_t i) { return def->vertices ? def->vertices[i] : (uint32_t)i; }

/* The limits that the def has for the vertex that it lists as number i. */
static pliant__draft_skin skin_of(const pliant_skin_def *def, size_t i)
{
    pliant__draft_skin s = {0};
    s.max_distance = def->max_distance_of ? def->max_distance_of[i] : def->max_distance;
    s.backstop_radius = def->backstop_radius_of ? def->backstop_radius_of[i] : def->backstop_radius;
    s.backstop_offset = def->backstop_offset_of ? def->backstop_offset_of[i] : def->backstop_offset;
    return s;
}

static bool check_number(pliant_real value, pliant_real least, uint32_t vertex, const char *what, pliant_error *error)
{
    if (r_finite(value) && value >= least) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "vertex %u: %s of %g is %s", vertex, what, (double)value,
                        r_finite(value) ? "below 0" : "not finite");
}

static bool check_skin(const pliant_scene *scene, pliant_body body, const pliant_skin_def *def, size_t i, pliant_error *error)
{
    const uint32_t           vertex = vertex_at(def, i), particle = pliant__find_particle(scene, body, vertex, error);
    const pliant__draft_skin s = skin_of(def, i);
    if (particle == PLIANT__NONE || !check_number(s.max_distance, -INFINITY, vertex, "max_distance", error) ||
        !check_number(s.backstop_radius, 0, vertex, "backstop_radius", error) ||
        !check_number(s.backstop_offset, 0, vertex, "backstop_offset", error))
        return false;
    const pliant__draft_particle *p = &scene->particles.data[particle];
    if (s.max_distance != 0 || (p->pin != PLIANT__ANCHOR && p->attached != PLIANT__BY_TARGET)) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "vertex %u is %s, so a max_distance of 0 cannot say where it is", vertex,
                        p->pin == PLIANT__ANCHOR ? "pinned for ever" : "attached to a target");
}

pliant_code pliant_scene_skin(pliant_scene *scene, pliant_body body, const pliant_skin_def *def, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!pliant__check_call(scene, def, error) ||
        !pliant__check_size(def->size, sizeof *def, "pliant_skin_def", "pliant_skin_def_default", error))
        return PLIANT_ERROR_ARGUMENT;
    pliant__draft_body *found = pliant__find_body(scene, body, error);
    if (!found) return PLIANT_ERROR_ARGUMENT;
    const size_t count = def->vertices ? def->vertex_count : found->vertex_count;
    if (found->skin_count) pliant__fail(error, PLIANT_ERROR_ARGUMENT, "body \"%s\" has a skin already", found->name);
    if (!count) pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the skin of body \"%s\" has no vertices", found->name);
    if (found->skin_count || !count || !pliant__fits(scene->skins.count, count, "skinned vertices", error)) return PLIANT_ERROR_ARGUMENT;
    for (size_t i = 0; i < count; i++)
        if (!check_skin(scene, body, def, i, error)) return PLIANT_ERROR_ARGUMENT;
    if (!array_reserve(&scene->allocator, &scene->skins, count)) {
        pliant__fail_memory(error, count * sizeof *scene->skins.data, "a skin");
        return PLIANT_ERROR_MEMORY;
    }
    found->first_skin = (uint32_t)scene->skins.count;
    found->skin_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        pliant__draft_skin s = skin_of(def, i);
        s.body = body.id - 1;
        s.particle = scene->vertex_particle.data[found->first_vertex + vertex_at(def, i)];
        scene->skins.data[scene->skins.count++] = s;
        pliant__draft_particle *p = &scene->particles.data[s.particle];
        if (s.max_distance != 0) continue;
        p->pin = PLIANT__RELEASABLE;
        p->attached = PLIANT__BY_SKIN;
        p->v = v3(0, 0, 0);
    }
    return PLIANT_OK;
}

static bool check_keys(const pliant__draft_body *body, const double *times, size_t key_count, const pliant_vec3 *positions,
                       pliant_error *error)
{
    const uint64_t all = (uint64_t)key_count * body->skin_count;
    if (!body->skin_count) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "body \"%s\" has no skin to give keys to", body->name);
    if (!key_count || !times || !positions)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "there are no keys; give times and positions");
    if (!pliant__fits(0, key_count, "keys", error) || !pliant__fits(0, all, "keys", error)) return false;
    if (!pliant__check_times(times, key_count, error)) return false;
    for (uint64_t i = 0; i < all; i++)
        if (!v3_finite(positions[i]))
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "key %zu: the position of skinned target %u is not finite",
                                (size_t)(i / body->skin_count), (unsigned)(i % body->skin_count));
    return true;
}

pliant_code pliant_scene_key_skin(pliant_scene *scene, pliant_body body, const double *times, size_t key_count,
                                  const pliant_vec3 *positions, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    const pliant__draft_body *found = pliant__check_call(scene, scene, error) ? pliant__find_body(scene, body, error) : NULL;
    if (!found || !check_keys(found, times, key_count, positions, error) ||
        !pliant__fits(scene->target_key_times.count, key_count, "keys", error) ||
        !pliant__fits(scene->target_key_positions.count, (uint64_t)key_count * found->skin_count, "keys", error))
        return PLIANT_ERROR_ARGUMENT;
    const size_t count = found->skin_count;
    uint32_t     time_first;
    if (!pliant__keep_key_times(scene, times, key_count, count, &time_first, error)) return PLIANT_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        pliant__draft_skin *s = &scene->skins.data[found->first_skin + i];
        s->time_first = time_first;
        s->key_first = pliant__keep_key_positions(scene, positions + i, key_count, count);
        s->key_count = (uint32_t)key_count;
    }
    return PLIANT_OK;
}
