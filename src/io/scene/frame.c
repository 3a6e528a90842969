/* The moving frame of a body. */
#include "io/scene/keys.h"

#include "base/vec.h"

typedef struct frame_spec {
    pliant_pose         pose;
    pliant_inertia      felt;
    const pliant__node *keys;
} frame_spec;

#define FIELD(f) .offset = offsetof(frame_spec, f)
#define SHARE(key, field, what)                                                                     \
    {                                                                                               \
        .name = key, .type = PLIANT__KEY_REAL, .low = 0, .high = 1, FIELD(felt.field), .text = what \
    }
static const pliant__key frame_keys[] = {
    {.name = "position", .type = PLIANT__KEY_VEC3, FIELD(pose.position), .text = "m"},
    {.name = "rotation",
     .type = PLIANT__KEY_CUSTOM,
     .read = pliant__read_rotation_key,
     .schema = "{\"$ref\": \"#/$defs/rotation\"}",
     FIELD(pose.rotation),
     .text = "A quaternion x y z w, or an axis and degrees"},
    {.name = "keys",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"oneOf\": [{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/pose_key\"}}, {\"$ref\": \"#/$defs/baked_pose\"}]}",
     FIELD(keys),
     .required = true,
     .text = "How it moves: where it is at times, or the baked mesh that it follows"},
    SHARE("linear_inertia", linear, "The share of its translation that the body feels; default 1"),
    SHARE("angular_inertia", angular, "The share of its rotation that the body feels; default 1"),
    SHARE("centrifugal", centrifugal, "The share of its centrifugal acceleration that the body feels; default 1"),
};
const pliant__object pliant__frame_object = {"frame", "A moving frame that a body is simulated as seen from", PLIANT__KEYS(frame_keys),
                                             NULL, 0};

bool pliant__read_frame(pliant__reader *r, const pliant__node *node, pliant_body body)
{
    frame_spec          s = {.pose = pliant_pose_identity(), .felt = pliant_inertia_of(1)};
    pliant_collider_def moves = pliant_collider_def_default(PLIANT_SHAPE_SPHERE); /* keys of poses are read as a collider's */
    pliant_frame_def    def = pliant_frame_def_default();
    pliant_error        inner = {0};
    if (!pliant__read_object(r, node, &pliant__frame_object, &s)) return false;
    moves.pose = s.pose;
    if (!pliant__read_pose_keys(r, s.keys, &moves)) return false;
    def.felt = s.felt;
    def.key_times = moves.key_times;
    def.key_poses = moves.key_poses;
    def.key_count = moves.key_count;
    inner.code = pliant_scene_frame(r->scene, body, &def, &inner);
    return inner.code == PLIANT_OK || pliant__blame(r, node, &inner);
}
