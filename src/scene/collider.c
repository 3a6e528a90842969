/* Colliders. */
#include "scene/builder.h"

#include "base/float_env.h"

#include <stdio.h>

pliant_collider_def pliant_collider_def_default(pliant_shape shape)
{
    pliant_collider_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.shape = shape;
    def.radius = 1;
    def.half_height = 1;
    def.half_extent = v3(1, 1, 1);
    def.pose = pliant_pose_identity();
    def.friction_static = def.friction_dynamic = (pliant_real)0.3;
    return def;
}

static bool check_shape(const pliant_collider_def *def, pliant_error *error)
{
    if (!pliant__check_choice((int)def->shape, PLIANT_SHAPE_BOX + 1, "shape", error)) return false;
    switch (def->shape) {
    case PLIANT_SHAPE_SPHERE: return pliant__check_positive(def->radius, "radius", error);
    case PLIANT_SHAPE_CAPSULE:
        return pliant__check_positive(def->radius, "radius", error) && pliant__check_not_negative(def->half_height, "half_height", error);
    case PLIANT_SHAPE_BOX:
        return pliant__check_positive(def->half_extent.x, "half_extent.x", error) &&
               pliant__check_positive(def->half_extent.y, "half_extent.y", error) &&
               pliant__check_positive(def->half_extent.z, "half_extent.z", error);
    case PLIANT_SHAPE_PLANE: break;
    }
    return true;
}

static bool check_name(const pliant_scene *scene, const pliant_collider_def *def, pliant_error *error)
{
    if (!pliant__check_name(def->name, sizeof def->name, "the collider's name", error)) return false;
    for (size_t i = 0; i < scene->colliders.count && def->name[0]; i++)
        if (!strcmp(scene->colliders.data[i].def.name, def->name))
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "there is a collider named \"%s\" already; names are unique", def->name);
    return true;
}

static bool check_pose(const pliant_pose *pose, const char *what, size_t key, pliant_error *error)
{
    char text[64] = "pose";
    if (what) snprintf(text, sizeof text, "%s %zu", what, key);
    return pliant__check_vector(pose->position, text, error) && pliant__check_rotation(pose->rotation, text, error);
}

static bool check_keys(const pliant_scene *scene, const pliant_collider_def *def, pliant_error *error)
{
    if (!def->key_count && !def->key_times && !def->key_poses) return true;
    if (!def->key_count || !def->key_times || !def->key_poses)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "keys need key_times, key_poses and key_count, or none of them");
    if (!pliant__fits(scene->collider_key_times.count, def->key_count, "keys of colliders", error) ||
        !pliant__check_times(def->key_times, def->key_count, error))
        return false;
    for (size_t i = 0; i < def->key_count; i++)
        if (!check_pose(&def->key_poses[i], "key", i, error)) return false;
    return true;
}

static bool check(const pliant_scene *scene, const pliant_collider_def *def, pliant_error *error)
{
    return pliant__check_size(def->size, sizeof *def, "pliant_collider_def", "pliant_collider_def_default", error) &&
           check_name(scene, def, error) && check_shape(def, error) && check_pose(&def->pose, NULL, 0, error) &&
           pliant__check_not_negative(def->friction_static, "friction_static", error) &&
           pliant__check_not_negative(def->friction_dynamic, "friction_dynamic", error) &&
           pliant__check_between(def->restitution, 0, 1, "restitution", error) &&
           pliant__check_not_negative(def->thickness, "thickness", error) && pliant__fits(scene->colliders.count, 1, "colliders", error) &&
           check_keys(scene, def, error);
}

pliant_collider pliant_scene_add_collider(pliant_scene *scene, const pliant_collider_def *def, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    pliant_collider id = {0};
    if (!pliant__check_call(scene, def, error) || !check(scene, def, error)) return id;
    const size_t keys = def->key_count;
    if (!array_reserve(&scene->allocator, &scene->colliders, 1) || !array_reserve(&scene->allocator, &scene->collider_key_times, keys) ||
        !array_reserve(&scene->allocator, &scene->collider_key_poses, keys)) {
        pliant__fail_memory(error, sizeof(pliant__draft_collider) + keys * (sizeof(double) + sizeof(pliant_pose)), "a collider");
        return id;
    }
    pliant__draft_collider collider;
    memset(&collider, 0, sizeof collider);
    collider.def = *def;
    collider.def.pose.rotation = quat_normalize(def->pose.rotation);
    collider.def.key_times = NULL;
    collider.def.key_poses = NULL;
    collider.def.key_count = 0;
    collider.key_first = (uint32_t)scene->collider_key_times.count;
    collider.key_count = (uint32_t)keys;
    for (size_t i = 0; i < keys; i++) {
        pliant_pose pose = def->key_poses[i];
        pose.rotation = quat_normalize(pose.rotation);
        scene->collider_key_times.data[scene->collider_key_times.count++] = def->key_times[i];
        scene->collider_key_poses.data[scene->collider_key_poses.count++] = pose;
    }
    scene->colliders.data[scene->colliders.count++] = collider;
    id.id = (uint32_t)scene->colliders.count;
    return id;
}

pliant_collider pliant_scene_add_capsule(pliant_scene *scene, pliant_real radius, pliant_real half_height)
{
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_CAPSULE);
    def.radius = radius;
    def.half_height = half_height;
    return pliant_scene_add_collider(scene, &def, NULL);
}

pliant_collider pliant_scene_add_sphere(pliant_scene *scene, pliant_real radius)
{
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
    def.radius = radius;
    return pliant_scene_add_collider(scene, &def, NULL);
}

pliant_collider pliant_scene_add_floor(pliant_scene *scene, pliant_real height)
{
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    def.pose.position.y = height;
    return pliant_scene_add_collider(scene, &def, NULL);
}
