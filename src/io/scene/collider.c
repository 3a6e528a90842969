/* Colliders and forces of a scene file. */
#include "base/vec.h"
#include "io/scene/distances.h"
#include "io/scene/facets.h"

#include <float.h>
#include <string.h>

/* ---- colliders ---- */

static const char *const shape_words[] = {"plane", "sphere", "capsule", "box", "hull", "mesh", "height_field", "distance_field", NULL};

typedef struct collider_spec {
    pliant_collider_def   def;
    const pliant__node   *keys;
    pliant_vec3           normal;
    double                offset;
    pliant__facet_spec    facets;
    pliant__distance_spec distances;
} collider_spec;

typedef struct pose_key_spec {
    double      time;
    pliant_pose pose;
} pose_key_spec;

static const pliant__key pose_key_keys[] = {
    {.name = "time",
     .type = PLIANT__KEY_DOUBLE,
     .low = -1e9,
     .high = 1e9,
     .offset = offsetof(pose_key_spec, time),
     .required = true,
     .text = "s"},
    {.name = "position", .type = PLIANT__KEY_VEC3, .offset = offsetof(pose_key_spec, pose.position), .text = "m; default: as before"},
    {.name = "rotation",
     .type = PLIANT__KEY_CUSTOM,
     .read = pliant__read_rotation_key,
     .schema = "{\"$ref\": \"#/$defs/rotation\"}",
     .offset = offsetof(pose_key_spec, pose.rotation),
     .text = "Default: as before"},
};
const pliant__object pliant__pose_key_object = {"pose_key", "Where a collider or a frame is at a time", PLIANT__KEYS(pose_key_keys), NULL,
                                                0};

#define FIELD(f) .offset = offsetof(collider_spec, f)
static const pliant__key collider_keys[] = {
    {.name = "name", .type = PLIANT__KEY_NAME, FIELD(def.name), .text = "For messages and for moving it"},
    {.name = "position", .type = PLIANT__KEY_VEC3, FIELD(def.pose.position), .text = "m"},
    {.name = "rotation",
     .type = PLIANT__KEY_CUSTOM,
     .read = pliant__read_rotation_key,
     .schema = "{\"$ref\": \"#/$defs/rotation\"}",
     FIELD(def.pose.rotation),
     .text = "A quaternion x y z w, or an axis and degrees"},
    {.name = "friction",
     .type = PLIANT__KEY_CUSTOM,
     .read = pliant__read_friction,
     .schema = pliant__friction_schema,
     FIELD(def.friction_static),
     .text = "Friction; default 0.3"},
    {.name = "restitution", .type = PLIANT__KEY_REAL, .low = 0, .high = 1, FIELD(def.restitution), .text = "Bounce; default 0"},
    {.name = "thickness",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = DBL_MAX,
     FIELD(def.thickness),
     .text = "m, added all around; default 0"},
    {.name = "stick",
     .type = PLIANT__KEY_BOOL,
     FIELD(def.stick),
     .text = "What is predicted inside stays where it was, on the surface; nothing else is done about contacts"},
    {.name = "yields",
     .type = PLIANT__KEY_BOOL,
     FIELD(def.yields),
     .text = "Goes no further than what it pushes has room for, where paths are cut, and catches up later; default false"},
    {.name = "contact_group",
     .type = PLIANT__KEY_COUNT,
     .low = 0,
     .high = UINT32_MAX,
     FIELD(def.contact_group),
     .text = "The groups that it is in, a bit each, of which a body's collider_mask has one where they meet; default 1"},
    {.name = "contact_mask",
     .type = PLIANT__KEY_COUNT,
     .low = 0,
     .high = UINT32_MAX,
     FIELD(def.contact_mask),
     .text = "Groups of bodies that this collider keeps out, a bit each; default 4294967295, bodies of every group and of none"},
    {.name = "keys",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"oneOf\": [{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/pose_key\"}}, {\"$ref\": \"#/$defs/baked_pose\"}]}",
     FIELD(keys),
     .text = "How it moves: where it is at times, or the baked mesh that it follows"},
};
static const pliant__object collider_object = {"collider", "", PLIANT__KEYS(collider_keys), NULL, 0};

#define TYPE(word)                                                                                                               \
    {                                                                                                                            \
        .name = "type", .type = PLIANT__KEY_LATER, .schema = "{\"const\": \"" word "\"}", .required = true, .text = "What it is" \
    }
#define LENGTH(key, field, what)                                                                                                          \
    {                                                                                                                                     \
        .name = key, .type = PLIANT__KEY_REAL, .low = 0, .above = true, .high = DBL_MAX, FIELD(def.field), .required = true, .text = what \
    }
static const pliant__key plane_keys[] = {
    TYPE("plane"),
    {.name = "normal", .type = PLIANT__KEY_VEC3, FIELD(normal), .text = "Out of the solid side; default [0, 1, 0]"},
    {.name = "offset",
     .type = PLIANT__KEY_DOUBLE,
     .low = -1e15,
     .high = 1e15,
     FIELD(offset),
     .text = "Of the plane along its normal, m; default 0"},
};
static const pliant__key sphere_keys[] = {TYPE("sphere"), LENGTH("radius", radius, "m")};
static const pliant__key capsule_keys[] = {TYPE("capsule"), LENGTH("radius", radius, "m"),
                                           LENGTH("half_height", half_height, "Half the length of the segment between the round ends, m")};
static const pliant__key box_keys[] = {
    TYPE("box"),
    {.name = "half_extent", .type = PLIANT__KEY_VEC3, FIELD(def.half_extent), .required = true, .text = "Half its edges, m"},
};

#define FACETS                                                                                                                    \
    {.name = "points",                                                                                                            \
     .type = PLIANT__KEY_NODE,                                                                                                    \
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/vec3\"}}",                                                  \
     FIELD(facets.points),                                                                                                        \
     .text = "m, instead of a file"},                                                                                             \
        {.name = "units",                                                                                                         \
         .type = PLIANT__KEY_CUSTOM,                                                                                              \
         .read = pliant__read_units,                                                                                              \
         .schema = pliant__units_schema,                                                                                          \
         FIELD(facets.file.unit),                                                                                                 \
         .text = "What one unit of its file is: mm, cm, m, in, or metres as a number; default: what the file says, else metres"}, \
        {.name = "up",                                                                                                            \
         .type = PLIANT__KEY_CUSTOM,                                                                                              \
         .read = pliant__read_up,                                                                                                 \
         .schema = pliant__up_schema,                                                                                             \
         FIELD(facets.file.up),                                                                                                   \
         .text = "Which axis of its file points up; default: what the file says, else y"},                                        \
    {                                                                                                                             \
        .name = "scale", .type = PLIANT__KEY_REAL, .low = 0, .above = true, .high = DBL_MAX, FIELD(facets.scale),                 \
        .text = "Its points are multiplied by it; default 1"                                                                      \
    }
static const pliant__key hull_keys[] = {
    TYPE("hull"),
    {.name = "mesh",
     .type = PLIANT__KEY_TEXT,
     FIELD(facets.mesh),
     .text = "A file beside the scene with a surface (.obj, .ply, .stl, ...), of which the vertices count"},
    FACETS,
};
static const pliant__key mesh_keys[] = {
    TYPE("mesh"),
    {.name = "mesh",
     .type = PLIANT__KEY_TEXT,
     FIELD(facets.mesh),
     .text = "A file beside the scene with a surface (.obj, .ply, .stl, ...)"},
    FACETS,
    {.name = "triangles",
     .type = PLIANT__KEY_NODE,
     .schema =
         "{\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": {\"type\": \"integer\", \"minimum\": 0}, \"minItems\": 3, "
         "\"maxItems\": 3}}",
     FIELD(facets.triangles),
     .text = "Three numbers of points each, from 0, turning left as seen from the front"},
    {.name = "two_sided",
     .type = PLIANT__KEY_BOOL,
     FIELD(def.two_sided),
     .text = "Each side keeps what is on it; default false: what is behind comes out in front"},
};
static const pliant__key field_keys[] = {
    TYPE("height_field"),
    {.name = "heights",
     .type = PLIANT__KEY_NODE,
     .schema =
         "{\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": {\"type\": \"number\"}, \"minItems\": 2}, \"minItems\": 2}",
     FIELD(facets.heights),
     .required = true,
     .text = "m: rows along z, each along x, from its corner at the origin"},
    LENGTH("cell", cell, "From one height to the next, m"),
};
const pliant__object pliant__plane_object = {"plane", "A half space", PLIANT__KEYS(plane_keys), &collider_object, 0};
const pliant__object pliant__sphere_object = {"sphere", "A sphere", PLIANT__KEYS(sphere_keys), &collider_object, 0};
const pliant__object pliant__capsule_object = {"capsule", "A capsule along its y axis", PLIANT__KEYS(capsule_keys), &collider_object, 0};
const pliant__object pliant__box_object = {"box", "A box", PLIANT__KEYS(box_keys), &collider_object, 0};

const pliant__object pliant__hull_object = {"hull", "The convex hull of points", PLIANT__KEYS(hull_keys), &collider_object, 0};
const pliant__object pliant__height_field_object = {"height_field", "Ground below heights on a grid", PLIANT__KEYS(field_keys),
                                                    &collider_object, 0};
const pliant__object pliant__mesh_object = {"mesh", "A mesh of triangles", PLIANT__KEYS(mesh_keys), &collider_object, 0};

static const pliant__key distance_field_keys[] = {
    TYPE("distance_field"),
    {.name = "mesh",
     .type = PLIANT__KEY_TEXT,
     FIELD(facets.mesh),
     .text = "A file beside the scene with a closed surface (.obj, .ply, .stl, ...)"},
    {.name = "units",
     .type = PLIANT__KEY_CUSTOM,
     .read = pliant__read_units,
     .schema = pliant__units_schema,
     FIELD(facets.file.unit),
     .text = "What one unit of its file is: mm, cm, m, in, or metres as a number; default: what the file says, else metres"},
    {.name = "up",
     .type = PLIANT__KEY_CUSTOM,
     .read = pliant__read_up,
     .schema = pliant__up_schema,
     FIELD(facets.file.up),
     .text = "Which axis of its file points up; default: what the file says, else y"},
    {.name = "scale",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .above = true,
     .high = DBL_MAX,
     FIELD(facets.scale),
     .text = "Its points are multiplied by it; default 1"},
    {.name = "cell",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .above = true,
     .high = DBL_MAX,
     FIELD(distances.cell),
     .text = "m, from one distance to the next; needed with a mesh"},
    {.name = "margin",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .above = true,
     .high = DBL_MAX,
     FIELD(distances.margin),
     .text = "m, how far the grid goes beyond the mesh: more than what touches it is thick; default two cells"},
    {.name = "cache",
     .type = PLIANT__KEY_TEXT,
     FIELD(distances.cache),
     .text = "A file beside the scene where the distances are kept, and written anew when the mesh, the cell or the margin changes"},
    {.name = "file", .type = PLIANT__KEY_TEXT, FIELD(distances.file), .text = "A file with the distances themselves, instead of a mesh"},
};
const pliant__object pliant__distance_field_object = {"distance_field", "Signed distances to a closed surface, on a grid",
                                                      PLIANT__KEYS(distance_field_keys), &collider_object, 0};

static const pliant__object *const shape_objects[] = {&pliant__plane_object,        &pliant__sphere_object,        &pliant__capsule_object,
                                                      &pliant__box_object,          &pliant__hull_object,          &pliant__mesh_object,
                                                      &pliant__height_field_object, &pliant__distance_field_object};

/* A plane by normal and offset: +y turned to the normal the short way. */
static bool place_plane(pliant__reader *r, const pliant__node *node, collider_spec *s)
{
    const pliant__node *normal = pliant__node_get(node, "normal"), *offset = pliant__node_get(node, "offset");
    if (!normal && !offset) return true;
    if (pliant__node_get(node, "position") || pliant__node_get(node, "rotation"))
        return pliant__complain(r, node, "a plane has \"normal\" and \"offset\", or \"position\" and \"rotation\"");
    double x = s->normal.x, y = s->normal.y, z = s->normal.z, length = sqrt(x * x + y * y + z * z);
    if (!(length > 1e-30)) return pliant__complain(r, normal, "a normal has a length");
    x /= length, y /= length, z /= length;
    double qx = z, qz = -x, qw = 1 + y;
    if (qw < 1e-12) qx = 1, qz = 0, qw = 0; /* straight down: half a turn about x */
    double n = sqrt(qx * qx + qz * qz + qw * qw);
    s->def.pose.rotation = (pliant_quat){(pliant_real)(qx / n), 0, (pliant_real)(qz / n), (pliant_real)(qw / n)};
    s->def.pose.position = v3((pliant_real)(x * s->offset), (pliant_real)(y * s->offset), (pliant_real)(z * s->offset));
    return true;
}

bool pliant__read_pose_keys(pliant__reader *r, const pliant__node *keys, pliant_collider_def *def)
{
    if (keys->type == PLIANT__NODE_MAP) return pliant__read_baked_poses(r, keys, def);
    if (!pliant__read_list(r, keys, 1, "keys")) return false;
    double      *times = pliant__read_memory(r, keys->count, sizeof *times);
    pliant_pose *poses = pliant__read_memory(r, keys->count, sizeof *poses);
    if (!times || !poses) return false;
    pose_key_spec key = {.pose = def->pose};
    size_t        k = 0;
    for (const pliant__node *n = keys->first; n; n = n->next, k++) {
        if (!pliant__read_object(r, n, &pliant__pose_key_object, &key)) return false;
        if (k && key.time <= times[k - 1]) return pliant__complain(r, n, "times of keys ascend");
        times[k] = key.time;
        poses[k] = key.pose;
    }
    def->key_times = times;
    def->key_poses = poses;
    def->key_count = k;
    return true;
}

static void notice_mended(pliant__reader *r, const pliant__node *node, const pliant__facet_spec *s, pliant_mended m)
{
    const pliant__node *file = pliant__node_get(node, "mesh"), *at = file ? file : node;
    pliant__notice_joined(r, at, s->mesh, m, false);
    pliant__notice_count(r, at, s->mesh, m.turned, "face looks the other way than its neighbours, and is turned",
                         "faces look the other way than their neighbours, and are turned");
    pliant__notice_count(r, at, s->mesh, m.flat, "face has less than three places, and is left out",
                         "faces have less than three places, and are left out");
}

bool pliant__read_collider(pliant__reader *r, const pliant__node *node)
{
    if (node->type != PLIANT__NODE_MAP) return pliant__expected(r, node, "an object");
    const pliant__node *type = pliant__node_get(node, "type"), *extent = pliant__node_get(node, "half_extent");
    uint32_t            shape;
    if (!type) return pliant__complain(r, node, "\"type\" is missing");
    if (!pliant__read_word(r, type, shape_words, &shape)) return false;
    collider_spec s = {.def = pliant_collider_def_default((pliant_shape)shape), .normal = {0, 1, 0}, .facets.scale = 1};
    if (!pliant__read_object(r, node, shape_objects[shape], &s)) return false;
    pliant_vec3 e = s.def.half_extent;
    if (extent && !(e.x > 0 && e.y > 0 && e.z > 0)) return pliant__complain(r, extent, "must be above 0 in every axis");
    if (shape == PLIANT_SHAPE_PLANE && !place_plane(r, node, &s)) return false;
    pliant_error inner = {0};
    pliant_mesh  mesh = {0};
    pliant_field field = {.distance = NULL};
    bool         ok = true;
    if (shape == PLIANT_SHAPE_HEIGHT_FIELD) ok = pliant__read_heights(r, &s.facets, &s.def);
    if (shape == PLIANT_SHAPE_HULL || shape == PLIANT_SHAPE_MESH) ok = pliant__read_facets(r, node, &s.facets, &s.def, &mesh);
    if (shape == PLIANT_SHAPE_FIELD)
        ok = pliant__read_distances(r, node, &s.distances, s.facets.mesh, &s.facets.file, s.facets.scale, &s.def, &field);
    ok = ok && (!s.keys || pliant__read_pose_keys(r, s.keys, &s.def));
    const pliant_collider added = ok ? pliant_scene_add_collider(r->scene, &s.def, &inner) : (pliant_collider){0};
    if (ok && !added.id) ok = pliant__blame(r, node, &inner);
    if (ok) notice_mended(r, node, &s.facets, pliant_scene_collider_mended(r->scene, added));
    pliant_mesh_free(&mesh);
    pliant_field_free(&field);
    return ok;
}

/* ---- forces ---- */

static const char *const force_words[] = {"acceleration", "body", "wind", NULL};

typedef struct force_spec {
    pliant_force_def    def;
    const pliant__node *body, *keys, *box, *sphere;
} force_spec;

typedef struct force_key_spec {
    double      time;
    pliant_vec3 vector;
    pliant_real share;
} force_key_spec;

#define FORCE_KEY_TIME                                                                                                                    \
    {                                                                                                                                     \
        .name = "time", .type = PLIANT__KEY_DOUBLE, .low = -1e9, .high = 1e9, .offset = offsetof(force_key_spec, time), .required = true, \
        .text = "s"                                                                                                                       \
    }
#define FORCE_KEY_SHARE(of)                                                                                             \
    {                                                                                                                   \
        .name = "share", .type = PLIANT__KEY_REAL, .low = -1e6, .high = 1e6, .offset = offsetof(force_key_spec, share), \
        .text = "Of " of "; default: as before, at first 1"                                                             \
    }
static const pliant__key force_key_keys[] = {
    FORCE_KEY_TIME,
    {.name = "vector", .type = PLIANT__KEY_VEC3, .offset = offsetof(force_key_spec, vector), .text = "Default: as before"},
    FORCE_KEY_SHARE("swirl and pull"),
};
static const pliant__key wind_key_keys[] = {
    FORCE_KEY_TIME,
    {.name = "velocity", .type = PLIANT__KEY_VEC3, .offset = offsetof(force_key_spec, vector), .text = "m/s; default: as before"},
    FORCE_KEY_SHARE("swirl, pull and gusts"),
};
const pliant__object pliant__force_key_object = {"force_key", "What a force is at a time", PLIANT__KEYS(force_key_keys), NULL, 0};
const pliant__object pliant__wind_key_object = {"wind_key", "What a wind is at a time", PLIANT__KEYS(wind_key_keys), NULL, 0};

#undef FIELD
#define FIELD(f) .offset = offsetof(force_spec, f)
static const pliant__key force_keys[] = {
    {.name = "body",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"type\": [\"string\", \"integer\"]}",
     FIELD(body),
     .text = "The body that feels it, by name or number; default: every body"},
};
static const pliant__object force_object = {"force", "", PLIANT__KEYS(force_keys), NULL, 0};

#define VECTOR(key, what)                                                                        \
    {                                                                                            \
        .name = key, .type = PLIANT__KEY_VEC3, FIELD(def.vector), .required = true, .text = what \
    }
#define KEYS(object)                                                                                                    \
    {                                                                                                                   \
        .name = "keys", .type = PLIANT__KEY_NODE,                                                                       \
        .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/" object "\"}, \"minItems\": 1}", FIELD(keys), \
        .text = "Times, ascending, and what it is then; in between straight, outside the end keys"                      \
    }
#define PLACES(unit)                                                                                                         \
    {.name = "center", .type = PLIANT__KEY_VEC3, FIELD(def.center), .text = "m: what swirl goes around, and pull leads to"}, \
        {.name = "axis", .type = PLIANT__KEY_VEC3, FIELD(def.axis), .text = "Of swirl; default y"},                          \
        {.name = "radius",                                                                                                   \
         .type = PLIANT__KEY_REAL,                                                                                           \
         .low = 1e-6,                                                                                                        \
         .high = 1e6,                                                                                                        \
         FIELD(def.radius),                                                                                                  \
         .text = "m from axis or center where it is strongest; default 1"},                                                  \
        {.name = "swirl",                                                                                                    \
         .type = PLIANT__KEY_REAL,                                                                                           \
         .low = -1e6,                                                                                                        \
         .high = 1e6,                                                                                                        \
         FIELD(def.swirl),                                                                                                   \
         .text = unit " at radius, around the axis by the right hand"},                                                      \
        {.name = "pull",                                                                                                     \
         .type = PLIANT__KEY_REAL,                                                                                           \
         .low = -1e6,                                                                                                        \
         .high = 1e6,                                                                                                        \
         FIELD(def.pull),                                                                                                    \
         .text = unit " at radius, towards center; below 0 away from it"},                                                   \
        {.name = "box",                                                                                                      \
         .type = PLIANT__KEY_NODE,                                                                                           \
         .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/vec3\"}, \"minItems\": 2, \"maxItems\": 2}",       \
         FIELD(box),                                                                                                         \
         .text = "It acts between two corners only"},                                                                        \
        {.name = "sphere",                                                                                                   \
         .type = PLIANT__KEY_NODE,                                                                                           \
         .schema = "{\"$ref\": \"#/$defs/ball\"}",                                                                           \
         FIELD(sphere),                                                                                                      \
         .text = "It acts in a ball only"},                                                                                  \
    {                                                                                                                        \
        .name = "falloff", .type = PLIANT__KEY_REAL, .low = 0, .high = 1e6, FIELD(def.falloff),                              \
        .text = "m outside of box or sphere over which it fades; default 0"                                                  \
    }
static const pliant__key acceleration_keys[] = {TYPE("acceleration"), VECTOR("vector", "m/s^2 on every particle"), KEYS("force_key"),
                                                PLACES("m/s^2")};
static const pliant__key body_force_keys[] = {TYPE("body"), VECTOR("vector", "N on the body, spread over its particles by mass"),
                                              KEYS("force_key")};
static const pliant__key wind_keys[] = {
    TYPE("wind"),
    VECTOR("velocity", "Of the air, m/s"),
    KEYS("wind_key"),
    {.name = "air_density", .type = PLIANT__KEY_REAL, .low = 0, .high = 1e6, FIELD(def.air_density), .text = "kg/m^3; default 1.2"},
    {.name = "gust",
     .type = PLIANT__KEY_REAL,
     .low = 0,
     .high = 1e6,
     FIELD(def.gust),
     .text = "m/s: root mean square of its turbulence; default 0"},
    {.name = "gust_size",
     .type = PLIANT__KEY_REAL,
     .low = 1e-6,
     .high = 1e6,
     FIELD(def.gust_size),
     .text = "m, of the largest eddies; default 1"},
    {.name = "gust_seed",
     .type = PLIANT__KEY_COUNT,
     .low = 0,
     .high = 4294967295.0,
     FIELD(def.gust_seed),
     .text = "Other numbers, other gusts; default 0"},
    PLACES("m/s"),
};
const pliant__object pliant__acceleration_object = {"acceleration", "A uniform acceleration", PLIANT__KEYS(acceleration_keys),
                                                    &force_object, 0};
const pliant__object pliant__body_force_object = {"body_force", "A force on bodies", PLIANT__KEYS(body_force_keys), &force_object, 0};
const pliant__object pliant__wind_object = {"wind", "Wind: drag and lift of triangles", PLIANT__KEYS(wind_keys), &force_object, 0};

static const pliant__object *const force_objects[] = {&pliant__acceleration_object, &pliant__body_force_object, &pliant__wind_object};

static bool read_region(pliant__reader *r, const pliant__node *node, force_spec *s)
{
    if (s->box && s->sphere) return pliant__complain(r, s->sphere, "box and sphere are two places; write two forces");
    if (s->def.falloff > 0 && !s->box && !s->sphere)
        return pliant__complain(r, pliant__node_get(node, "falloff"), "falloff is that of a box or a sphere");
    if (s->box) {
        if (!pliant__read_corners(r, s->box, &s->def.region_low, &s->def.region_high)) return false;
        s->def.region = PLIANT_REGION_BOX;
    }
    if (s->sphere) {
        if (!pliant__read_ball(r, s->sphere, &s->def.region_low, &s->def.region_radius)) return false;
        s->def.region = PLIANT_REGION_SPHERE;
    }
    return true;
}

static bool read_force_keys(pliant__reader *r, uint32_t type, force_spec *s)
{
    if (!s->keys) return true;
    if (!pliant__read_list(r, s->keys, 1, "keys")) return false;
    double        *times = pliant__read_memory(r, s->keys->count, sizeof *times);
    pliant_vec3   *vectors = pliant__read_memory(r, s->keys->count, sizeof *vectors);
    pliant_real   *shares = pliant__read_memory(r, s->keys->count, sizeof *shares);
    force_key_spec key = {0, s->def.vector, 1};
    size_t         k = 0;
    if (!times || !vectors || !shares) return false;
    for (const pliant__node *n = s->keys->first; n; n = n->next, k++) {
        if (!pliant__read_object(r, n, type == PLIANT_FORCE_WIND ? &pliant__wind_key_object : &pliant__force_key_object, &key))
            return false;
        if (k && key.time <= times[k - 1]) return pliant__complain(r, n, "times of keys ascend");
        times[k] = key.time;
        vectors[k] = key.vector;
        shares[k] = key.share;
    }
    s->def.key_times = times;
    s->def.key_vectors = vectors;
    s->def.key_shares = shares;
    s->def.key_count = k;
    return true;
}

bool pliant__read_force(pliant__reader *r, const pliant__node *node)
{
    if (node->type != PLIANT__NODE_MAP) return pliant__expected(r, node, "an object");
    const pliant__node *type = pliant__node_get(node, "type");
    uint32_t            number, body;
    if (!type) return pliant__complain(r, node, "\"type\" is missing");
    if (!pliant__read_word(r, type, force_words, &number)) return false;
    force_spec s = {.def = pliant_force_def_default((pliant_force_type)number)};
    if (!pliant__read_object(r, node, force_objects[number], &s)) return false;
    if (!read_region(r, node, &s) || !read_force_keys(r, number, &s)) return false;
    if (s.body) {
        if (!pliant__read_body_name(r, s.body, &body)) return false;
        s.def.body = r->bodies[body];
    }
    pliant_error inner = {0};
    return pliant_scene_add_force(r->scene, &s.def, &inner).id || pliant__blame(r, node, &inner);
}
