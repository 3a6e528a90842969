/* Colliders. */
#include "scene/builder.h"
#include "scene/facets.h"
#include "scene/field.h"

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
    def.cell = 1;
    def.pose = pliant_pose_identity();
    def.friction_static = def.friction_dynamic = (pliant_real)0.3;
    def.contact_group = 1;
    def.contact_mask = UINT32_MAX;
    return def;
}

const char *pliant_shape_name(pliant_shape shape)
{
    static const char *const names[] = {"plane", "sphere", "capsule", "box", "hull", "mesh", "height_field", "distance_field"};
    return (unsigned)shape < sizeof names / sizeof *names ? names[shape] : NULL;
}

/* Metres up per metre across. Beyond it a cell is smaller than what counts as lying on the surface, which is rounding of the largest height. */
#define STEEPEST 1e5

static bool check_slope(const pliant_collider_def *def, size_t from, size_t to, pliant_error *error)
{
    const double step = (double)def->heights[from] - (double)def->heights[to];
    if ((step < 0 ? -step : step) <= STEEPEST * (double)def->cell) return true;
    return pliant__fail(
        error, PLIANT_ERROR_ARGUMENT,
        "the heights of row %zu, column %zu and row %zu, column %zu are %g m apart in a cell of %g m, and 1e5 times its side is the most; "
        "values that stand for no data need a height",
        from / def->columns, from % def->columns, to / def->columns, to % def->columns, step < 0 ? -step : step, (double)def->cell);
}

static bool check_heights(const pliant_collider_def *def, pliant_error *error)
{
    const uint64_t count = (uint64_t)def->columns * def->rows, most = PLIANT__LIMIT / 4;
    if (def->columns < 2 || def->rows < 2 || !def->heights)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a height field has two rows and two columns at least");
    if (count > most) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a height field has %u heights at most", (uint32_t)most);
    for (size_t i = 0; i < count; i++)
        if (!(r_abs(def->heights[i]) <= 1e15f))
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the height of row %zu, column %zu is not a number of metres up to 1e15",
                                i / def->columns, i % def->columns);
    if (!pliant__check_positive(def->cell, "cell", error) ||
        !pliant__check_between(def->cell * (pliant_real)(def->columns > def->rows ? def->columns : def->rows), 0, 1e15,
                               "cell times columns or rows", error))
        return false;
    for (size_t i = 0; i < count; i++)
        if ((i % def->columns && !check_slope(def, i - 1, i, error)) ||
            (i >= def->columns && !check_slope(def, i - def->columns, i, error)))
            return false;
    return true;
}

static bool check_shape(const pliant_collider_def *def, pliant_error *error)
{
    if (!pliant__check_choice((int)def->shape, PLIANT_SHAPE_FIELD + 1, "shape", error)) return false;
    switch (def->shape) {
    case PLIANT_SHAPE_SPHERE: return pliant__check_positive(def->radius, "radius", error);
    case PLIANT_SHAPE_CAPSULE:
        return pliant__check_positive(def->radius, "radius", error) && pliant__check_not_negative(def->half_height, "half_height", error);
    case PLIANT_SHAPE_BOX:
        return pliant__check_positive(def->half_extent.x, "half_extent.x", error) &&
               pliant__check_positive(def->half_extent.y, "half_extent.y", error) &&
               pliant__check_positive(def->half_extent.z, "half_extent.z", error);
    case PLIANT_SHAPE_PLANE:
    case PLIANT_SHAPE_HULL:
    case PLIANT_SHAPE_MESH: break; /* their points, faces, heights and distances are checked as they are read */
    case PLIANT_SHAPE_FIELD: return pliant__check_field(&def->field, error);
    case PLIANT_SHAPE_HEIGHT_FIELD: return check_heights(def, error);
    }
    return true;
}

static size_t distances_of(const pliant_collider_def *def)
{
    return def->shape == PLIANT_SHAPE_FIELD ? pliant__field_values(&def->field) : 0;
}

static size_t number_count(const pliant_collider_def *def)
{
    return def->shape == PLIANT_SHAPE_HEIGHT_FIELD ? (size_t)def->columns * def->rows : 0;
}

static bool read_facets(const pliant_scene *scene, const pliant_collider_def *def, pliant__facet_list *out, pliant_error *error)
{
    const pliant_allocator *a = &scene->allocator;
    if (def->shape == PLIANT_SHAPE_HULL && !pliant__read_hull_facets(a, &def->mesh, out, error)) return false;
    if (def->shape == PLIANT_SHAPE_MESH && !pliant__read_mesh_facets(a, &def->mesh, out, error)) return false;
    return pliant__fits(scene->collider_points.count, out->points.count, "points of colliders", error) &&
           pliant__fits(scene->collider_corners.count, out->corners.count, "triangles of colliders", error) &&
           pliant__fits(scene->collider_distances.count, distances_of(def), "values of fields", error) &&
           pliant__fits(scene->collider_numbers.count, number_count(def), "heights of colliders", error);
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
           pliant__check_share(def->restitution, "restitution", error) && pliant__check_not_negative(def->thickness, "thickness", error) &&
           pliant__fits(scene->colliders.count, 1, "colliders", error) && check_keys(scene, def, error);
}

/* Makes room for everything that a collider appends, before anything is appended. */
static bool reserve(pliant_scene *scene, const pliant_collider_def *def, const pliant__facet_list *facets)
{
    const pliant_allocator *a = &scene->allocator;
    const size_t            keys = def->key_count;
    return array_reserve(a, &scene->collider_distances, distances_of(def)) && array_reserve(a, &scene->colliders, 1) &&
           array_reserve(a, &scene->collider_key_times, keys) && array_reserve(a, &scene->collider_key_poses, keys) &&
           array_reserve(a, &scene->collider_points, facets->points.count) &&
           array_reserve(a, &scene->collider_corners, facets->corners.count) &&
           array_reserve(a, &scene->collider_numbers, number_count(def));
}

static void append_keys(pliant_scene *scene, const pliant_collider_def *def, pliant__draft_collider *c)
{
    c->key_first = (uint32_t)scene->collider_key_times.count;
    c->key_count = (uint32_t)def->key_count;
    for (size_t i = 0; i < def->key_count; i++) {
        pliant_pose pose = def->key_poses[i];
        pose.rotation = quat_normalize(pose.rotation);
        scene->collider_key_times.data[scene->collider_key_times.count++] = def->key_times[i];
        scene->collider_key_poses.data[scene->collider_key_poses.count++] = pose;
    }
}

static void append_facets(pliant_scene *scene, const pliant__facet_list *facets, pliant__draft_collider *c)
{
    c->point_first = (uint32_t)scene->collider_points.count;
    c->point_count = (uint32_t)facets->points.count;
    c->triangle_first = (uint32_t)(scene->collider_corners.count / 3);
    c->triangle_count = (uint32_t)(facets->corners.count / 3);
    for (size_t i = 0; i < facets->points.count; i++) scene->collider_points.data[scene->collider_points.count++] = facets->points.data[i];
    for (size_t i = 0; i < facets->corners.count; i++)
        scene->collider_corners.data[scene->collider_corners.count++] = facets->corners.data[i];
}

static void append_field(pliant_scene *scene, const pliant_collider_def *def, pliant__draft_collider *c)
{
    c->distance_first = (uint32_t)scene->collider_distances.count;
    c->distance_count = (uint32_t)distances_of(def);
    for (size_t i = 0; i < c->distance_count; i++)
        scene->collider_distances.data[scene->collider_distances.count++] = def->field.distance[i] + 0; /* no -0 */
    c->def.field.distance = NULL;
}

static void append_numbers(pliant_scene *scene, const pliant_collider_def *def, pliant__draft_collider *c)
{
    c->number_first = (uint32_t)scene->collider_numbers.count;
    c->number_count = (uint32_t)number_count(def);
    for (size_t i = 0; i < c->number_count; i++)
        scene->collider_numbers.data[scene->collider_numbers.count++] = def->heights[i] + 0; /* no -0 */
}

pliant_collider pliant_scene_add_collider(pliant_scene *scene, const pliant_collider_def *def, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    pliant_collider    id = {0};
    pliant__facet_list facets = {.mended = {0}};
    if (!pliant__check_call(scene, def, error) || !check(scene, def, error)) return id;
    bool ok = read_facets(scene, def, &facets, error);
    if (ok && !reserve(scene, def, &facets))
        ok = pliant__fail_memory(error, sizeof(pliant__draft_collider) + def->key_count * (sizeof(double) + sizeof(pliant_pose)),
                                 "a collider");
    if (ok) {
        pliant__draft_collider collider;
        memset(&collider, 0, sizeof collider);
        collider.def = *def;
        collider.def.pose.rotation = quat_normalize(def->pose.rotation);
        collider.def.key_times = NULL;
        collider.def.key_poses = NULL;
        collider.def.key_count = 0;
        memset(&collider.def.mesh, 0, sizeof collider.def.mesh);
        collider.def.heights = NULL;
        collider.mended = facets.mended;
        append_keys(scene, def, &collider);
        append_facets(scene, &facets, &collider);
        append_field(scene, def, &collider);
        append_numbers(scene, def, &collider);
        scene->colliders.data[scene->colliders.count++] = collider;
        id.id = (uint32_t)scene->colliders.count;
    }
    pliant__free_facets(&scene->allocator, &facets);
    return id;
}

pliant_mended pliant_scene_collider_mended(const pliant_scene *scene, pliant_collider collider)
{
    static const pliant_mended nothing = {0};
    return scene && collider.id && collider.id <= scene->colliders.count ? scene->colliders.data[collider.id - 1].mended : nothing;
}

pliant_collider pliant_scene_add_capsule(pliant_scene *scene, pliant_real radius, pliant_real half_height, pliant_pose pose,
                                         pliant_error *error)
{
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_CAPSULE);
    def.radius = radius;
    def.half_height = half_height;
    def.pose = pose;
    return pliant_scene_add_collider(scene, &def, error);
}

pliant_collider pliant_scene_add_sphere(pliant_scene *scene, pliant_real radius, pliant_pose pose, pliant_error *error)
{
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
    def.radius = radius;
    def.pose = pose;
    return pliant_scene_add_collider(scene, &def, error);
}

pliant_collider pliant_scene_add_floor(pliant_scene *scene, pliant_real height, pliant_error *error)
{
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    def.pose.position.y = height;
    return pliant_scene_add_collider(scene, &def, error);
}
