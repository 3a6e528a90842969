/* The moving frame that a body is simulated as seen from. */
#include "scene/builder.h"

#include "base/float_env.h"

pliant_frame_def pliant_frame_def_default(void)
{
    pliant_frame_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.felt = pliant_inertia_of(1);
    return def;
}

static bool check_share(pliant_real share, const char *what, pliant_error *error)
{
    if (share >= 0 && share <= 1) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s of a frame must be from 0 to 1, not %g", what, (double)share);
}

static bool check_frame(const pliant__draft_body *body, const pliant_frame_def *def, pliant_error *error)
{
    if (body->has_frame) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "body \"%s\" has a frame already", body->name);
    if (!check_share(def->felt.linear, "linear inertia", error) || !check_share(def->felt.angular, "angular inertia", error) ||
        !check_share(def->felt.centrifugal, "centrifugal inertia", error))
        return false;
    if (!def->key_count || !def->key_times || !def->key_poses)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a frame has no keys; give key_times and key_poses");
    if (!pliant__fits(0, def->key_count, "keys", error) || !pliant__check_times(def->key_times, def->key_count, error)) return false;
    for (size_t i = 0; i < def->key_count; i++)
        if (!pliant__check_vector(def->key_poses[i].position, "a key's position", error) ||
            !pliant__check_rotation(def->key_poses[i].rotation, "a key's rotation", error))
            return false;
    return true;
}

pliant_code pliant_scene_frame(pliant_scene *scene, pliant_body body, const pliant_frame_def *def, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!pliant__check_call(scene, def, error) ||
        !pliant__check_size(def->size, sizeof *def, "pliant_frame_def", "pliant_frame_def_default", error))
        return PLIANT_ERROR_ARGUMENT;
    pliant__draft_body *found = pliant__find_body(scene, body, error);
    if (!found || !check_frame(found, def, error) || !pliant__fits(scene->frame_key_times.count, def->key_count, "keys", error))
        return PLIANT_ERROR_ARGUMENT;
    if (!array_reserve(&scene->allocator, &scene->frames, 1) ||
        !array_reserve(&scene->allocator, &scene->frame_key_times, def->key_count) ||
        !array_reserve(&scene->allocator, &scene->frame_key_poses, def->key_count)) {
        pliant__fail_memory(error, def->key_count * (sizeof *def->key_poses + sizeof *def->key_times), "a frame");
        return PLIANT_ERROR_MEMORY;
    }
    const pliant__draft_frame frame = {body.id - 1, (uint32_t)scene->frame_key_times.count, (uint32_t)def->key_count, def->felt};
    scene->frames.data[scene->frames.count++] = frame;
    for (size_t i = 0; i < def->key_count; i++) {
        const pliant_pose pose = {def->key_poses[i].position, quat_normalize(def->key_poses[i].rotation)};
        scene->frame_key_times.data[scene->frame_key_times.count++] = def->key_times[i];
        scene->frame_key_poses.data[scene->frame_key_poses.count++] = pose;
    }
    found->has_frame = true;
    return PLIANT_OK;
}
