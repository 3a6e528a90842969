/* Force fields. */
#include "scene/builder.h"

pliant_force_def pliant_force_def_default(pliant_force_type type)
{
    pliant_force_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.type = type;
    def.air_density = (pliant_real)1.2;
    return def;
}

int pliant_scene_add_force(pliant_scene *scene, const pliant_force_def *def, pliant_error *error)
{
    if (!pliant__check_call(scene, def, error) ||
        !pliant__check_size(def->size, sizeof *def, "pliant_force_def", "pliant_force_def_default", error) ||
        !pliant__check_choice((int)def->type, PLIANT_FORCE_WIND + 1, "type", error) ||
        !pliant__check_vector(def->vector, "vector", error) || !pliant__check_not_negative(def->air_density, "air_density", error) ||
        (def->body.id && !pliant__find_body(scene, def->body, error)) || !pliant__fits(scene->forces.count, 1, "forces", error))
        return -1;
    if (!array_push(&scene->allocator, &scene->forces, *def)) {
        pliant__fail_memory(error, sizeof *def, "a force");
        return -1;
    }
    return (int)(scene->forces.count - 1);
}
