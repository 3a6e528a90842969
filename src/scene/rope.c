/* Ropes: a distance along every segment, and a distance across every two for bending. Points are never welded, but those that follow each other at one place
 * are one particle. */
#include "scene/builder.h"

#include "base/float_env.h"

pliant_rope_def pliant_rope_def_default(void)
{
    pliant_rope_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.body = pliant__body_def_default();
    def.material = pliant_material_default();
    def.to = v3(1, 0, 0);
    def.segments = 16;
    def.bend = true;
    return def;
}

static pliant_real between(pliant_real from, pliant_real to, double t)
{
    return t == 1 ? to : (pliant_real)((double)from + ((double)to - (double)from) * t);
}

static bool make_line(pliant__builder *b, const pliant_rope_def *def)
{
    if (!pliant__check_vector(def->from, "from", b->error) || !pliant__check_vector(def->to, "to", b->error)) return false;
    for (uint32_t i = 0; i <= def->segments; i++) {
        const double t = (double)i / (double)def->segments;
        b->x[i] = v3(between(def->from.x, def->to.x, t), between(def->from.y, def->to.y, t), between(def->from.z, def->to.z, t));
    }
    return true;
}

static bool make_points(pliant__builder *b, const pliant_rope_def *def)
{
    if (def->points && def->point_count < 2) return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "a rope needs at least two points");
    if (!def->points && def->point_count)
        return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "point_count is %zu, but points is NULL", def->point_count);
    if (!def->points && !def->segments) return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "a rope needs at least one segment");
    const uint64_t count = def->points ? def->point_count : (uint64_t)def->segments + 1;
    if (!pliant__fits(0, count, "points", b->error) || !pliant__has_room(b, count, (count - 1) * (def->bend ? 2 : 1) - def->bend))
        return false;
    b->particle_count = (uint32_t)count;
    b->x = pliant__take(b, count, sizeof *b->x, "points");
    b->extent = pliant__take(b, count, sizeof *b->extent, "points");
    if (!b->x || !b->extent) return false;
    if (!def->points) return make_line(b, def) && pliant__place(b, b->x, (size_t)count);
    return pliant__read_positions(b, def->points, sizeof *def->points, (size_t)count, "points", b->x) &&
           pliant__place(b, b->x, (size_t)count);
}

/* A point at the place of the one before is the same particle: a segment has a length. */
static bool number_particles(pliant__builder *b, uint32_t **particle_of)
{
    const uint32_t points = b->particle_count;
    uint32_t      *number = *particle_of = pliant__take(b, points, sizeof *number, "points"), last = 0;
    b->first_vertex = pliant__take(b, points, sizeof *b->first_vertex, "points");
    if (!number || !b->first_vertex) return false;
    for (uint32_t i = 1; i < points; i++) {
        const pliant_vec3 p = b->x[last], q = b->x[i];
        if (q.x != p.x || q.y != p.y || q.z != p.z) {
            b->x[++last] = q;
            b->first_vertex[last] = i;
        }
        number[i] = last;
    }
    b->particle_count = last + 1;
    b->body.mended.flat = points - b->particle_count;
    return last ||
           pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "segment 0 has no length, and no other one has: all points are at one place");
}

/* Half of each segment to each of its ends. */
static bool share_length(pliant__builder *b)
{
    for (uint32_t i = 0; i + 1 < b->particle_count; i++) {
        const pliant_vec3 p = b->x[i], q = b->x[i + 1];
        const double      x = (double)q.x - (double)p.x, y = (double)q.y - (double)p.y, z = (double)q.z - (double)p.z;
        const double      half = sqrt(x * x + y * y + z * z) / 2;
        if (half == 0)
            return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "the segment from point %u has a length that is no number above 0",
                                b->first_vertex[i]);
        b->extent[i] += half;
        b->extent[i + 1] += half;
    }
    return true;
}

/* Pairs of points `step` apart. */
static bool find_pairs(pliant__builder *b, uint32_t step, uint32_t **out, size_t *count)
{
    *count = b->particle_count > step ? b->particle_count - step : 0;
    *out = pliant__take(b, 2 * (uint64_t)*count, sizeof **out, "segments");
    for (uint32_t i = 0; *out && i < *count; i++) {
        (*out)[2 * (size_t)i] = i;
        (*out)[2 * (size_t)i + 1] = i + step;
    }
    return *out != NULL;
}

static bool build(pliant__builder *b, const pliant_rope_def *def)
{
    uint32_t *segments, *bends, *particle_of;
    uint32_t  points;
    size_t    segment_count, bend_count;
    return pliant__check_not_negative(def->tether, "tether", b->error) &&
           pliant__check_snap_tether(PLIANT_BODY_ROPE, &def->material, def->tether, b->error) && make_points(b, def) &&
           (points = b->particle_count, number_particles(b, &particle_of)) && share_length(b) &&
           pliant__build_particles(b, particle_of, points) && find_pairs(b, 1, &segments, &segment_count) &&
           find_pairs(b, 2, &bends, &bend_count) &&
           pliant__build_constraints(b, PLIANT_CONSTRAINT_DISTANCE, "stretch", &def->material.stretch, segments, segment_count) &&
           pliant__build_constraints(b, PLIANT_CONSTRAINT_DISTANCE, "bend", &def->material.bend, bends, def->bend ? bend_count : 0) &&
           pliant__build_tether_edges(b, def->untethered ? -1 : def->tether, segments, segment_count);
}

pliant_body pliant_scene_add_rope(pliant_scene *scene, const pliant_rope_def *def, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    const pliant_body none = {0};
    pliant__builder   b;
    if (!pliant__check_call(scene, def, error) ||
        !pliant__check_size(def->size, sizeof *def, "pliant_rope_def", "pliant_rope_def_default", error))
        return none;
    bool ok = pliant__builder_begin(&b, scene, &def->body, &def->material, PLIANT_BODY_ROPE, error) && build(&b, def);
    return pliant__builder_end(&b, ok);
}
