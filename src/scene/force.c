/* Force fields. */
#include "scene/builder.h"

pliant_force_def pliant_force_def_default(pliant_force_type type)
{
    pliant_force_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.type = type;
    def.air_density = (pliant_real)1.2;
    def.axis = v3(0, 1, 0);
    def.radius = def.gust_size = 1;
    return def;
}

static bool refuse(const char *text, pliant_error *error) { return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s", text); }

#define LEAST 1e-6 /* m */
#define MOST 1e6   /* m, and m/s or m/s^2 */

static bool has_length(pliant_vec3 a) { return a.x != 0 || a.y != 0 || a.z != 0; }

/* Whether a force differs from place to place. */
static bool check_field(const pliant_force_def *d, pliant_error *error)
{
    const pliant_vec3 low = d->region_low, high = d->region_high;
    const bool turns = d->swirl > 0 || d->swirl < 0, local = turns || d->pull > 0 || d->pull < 0 || d->region != PLIANT_REGION_EVERYWHERE;
    if (!pliant__check_vector(d->center, "center", error) || !pliant__check_vector(d->axis, "axis", error) ||
        !pliant__check_between(d->swirl, -MOST, MOST, "swirl", error) || !pliant__check_between(d->pull, -MOST, MOST, "pull", error) ||
        !pliant__check_between(d->gust, 0, MOST, "gust", error) || !pliant__check_between(d->gust_size, LEAST, MOST, "gust_size", error) ||
        !pliant__check_between(d->radius, LEAST, MOST, "radius", error) ||
        !pliant__check_choice((int)d->region, PLIANT_REGION_SPHERE + 1, "region", error) ||
        !pliant__check_vector(low, "region_low", error) || !pliant__check_vector(high, "region_high", error) ||
        !pliant__check_between(d->falloff, 0, MOST, "falloff", error))
        return false;
    if (turns && !has_length(d->axis)) return refuse("axis has no length, so nothing can swirl around it", error);
    if (d->region == PLIANT_REGION_BOX && !(low.x <= high.x && low.y <= high.y && low.z <= high.z))
        return refuse("the region's second corner is below the first in some axis", error);
    if (d->region == PLIANT_REGION_SPHERE && !pliant__check_between(d->region_radius, LEAST, MOST, "region_radius", error)) return false;
    if (d->type == PLIANT_FORCE_BODY && local)
        return refuse("a force on whole bodies is the same everywhere: swirl, pull and a region are a wind's, or an acceleration's", error);
    if (d->type != PLIANT_FORCE_WIND && d->gust > 0) return refuse("gusts are a wind's", error);
    return true;
}

static bool check_keys(const pliant_scene *scene, const pliant_force_def *d, pliant_error *error)
{
    if (!d->key_count && !d->key_times && !d->key_vectors && !d->key_shares) return true;
    if (!d->key_count || !d->key_times || !d->key_vectors)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "keys need key_times, key_vectors and key_count, or none of them");
    if (!pliant__fits(scene->force_key_times.count, d->key_count, "keys of forces", error) ||
        !pliant__check_times(d->key_times, d->key_count, error))
        return false;
    for (size_t i = 0; i < d->key_count; i++)
        if (!pliant__check_vector(d->key_vectors[i], "a key's vector", error) ||
            (d->key_shares && !pliant__check_between(d->key_shares[i], -MOST, MOST, "a key's share", error)))
            return false;
    return true;
}

static bool keep(pliant_scene *scene, const pliant_force_def *def)
{
    const pliant_allocator *a = &scene->allocator;
    pliant__draft_force     f = {.def = *def, .key_first = (uint32_t)scene->force_key_times.count};
    if (!array_reserve(a, &scene->forces, 1) || !array_reserve(a, &scene->force_key_times, def->key_count) ||
        !array_reserve(a, &scene->force_key_vectors, def->key_count) || !array_reserve(a, &scene->force_key_shares, def->key_count))
        return false;
    for (size_t i = 0; i < def->key_count; i++) {
        scene->force_key_times.data[scene->force_key_times.count++] = def->key_times[i];
        scene->force_key_vectors.data[scene->force_key_vectors.count++] = def->key_vectors[i];
        scene->force_key_shares.data[scene->force_key_shares.count++] = def->key_shares ? def->key_shares[i] : 1;
    }
    f.def.key_times = NULL; /* the caller's */
    f.def.key_vectors = NULL;
    f.def.key_shares = NULL;
    scene->forces.data[scene->forces.count++] = f;
    return true;
}

pliant_force pliant_scene_add_force(pliant_scene *scene, const pliant_force_def *def, pliant_error *error)
{
    const pliant_force none = {0};
    if (!pliant__check_call(scene, def, error) ||
        !pliant__check_size(def->size, sizeof *def, "pliant_force_def", "pliant_force_def_default", error) ||
        !pliant__check_choice((int)def->type, PLIANT_FORCE_WIND + 1, "type", error) ||
        !pliant__check_vector(def->vector, "vector", error) || !pliant__check_not_negative(def->air_density, "air_density", error) ||
        !check_field(def, error) || !check_keys(scene, def, error) || (def->body.id && !pliant__find_body(scene, def->body, error)) ||
        !pliant__fits(scene->forces.count, 1, "forces", error))
        return none;
    if (!keep(scene, def)) {
        pliant__fail_memory(error, sizeof *def, "a force");
        return none;
    }
    return (pliant_force){(uint32_t)scene->forces.count};
}
