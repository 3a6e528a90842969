/* Keys from a baked mesh: targets that follow vertices of a point cache, and colliders that follow them as a rigid body does.
 *
 * Samples of the file become ordinary keys, one per sample, when the scene is read: from there on a cooked model, a checkpoint or a recording does
 * not depend on the file. Only followed vertices are kept, so memory grows with their number, not with the cache's; see
 * docs/decisions/0009-baked-motion-is-keys.md. */
#include "base/vec.h"
#include "io/scene/baked.h"
#include "io/scene/fit.h"
#include "io/scene/mesh_body.h"
#include "io/scene/nearest.h"
#include "io/motion/points.h"

#include <stdlib.h>
#include <string.h>

typedef struct baked_spec {
    const char         *cache, *object, *animation;
    double              first_frame, fps;
    const pliant__node *vertices; /* targets: one per target, or "nearest"; poses: a list, or "all" */
    bool                relative;
    pliant__mesh_spec   file; /* units and up */
} baked_spec;

#define FIELD(f) .offset = offsetof(baked_spec, f)
static const pliant__key baked_keys[] = {
    {.name = "cache",
     .type = PLIANT__KEY_TEXT,
     FIELD(cache),
     .required = true,
     .text = "A .pc2, .mdd, .glb, .gltf, .usda or .abc file, beside the scene or below"},
    {.name = "object",
     .type = PLIANT__KEY_TEXT,
     FIELD(object),
     .text = "The mesh of the file that is followed, by its name; default: every mesh, one after another"},
    {.name = "animation",
     .type = PLIANT__KEY_TEXT,
     FIELD(animation),
     .text = "The animation of a .glb or .gltf file, by its name; default: its first, and others that move something else"},
    {.name = "first_frame",
     .type = PLIANT__KEY_DOUBLE,
     .low = -1e9,
     .high = 1e9,
     FIELD(first_frame),
     .text = "The cache's frame that is at time 0; default: its first"},
    {.name = "fps",
     .type = PLIANT__KEY_DOUBLE,
     .low = 1e-3,
     .high = 1e6,
     FIELD(fps),
     .text = "Frames of the cache per second; default: the scene's fps, or the times that an .mdd, .usda or .abc file has"},
    {.name = "units",
     .type = PLIANT__KEY_CUSTOM,
     .read = pliant__read_units,
     .schema = pliant__units_schema,
     FIELD(file.unit),
     .text =
         "What one unit of the cache is: mm, cm, m, in, or metres as a number; default: m, unless another fits what follows it far better"},
    {.name = "up",
     .type = PLIANT__KEY_CUSTOM,
     .read = pliant__read_up,
     .schema = pliant__up_schema,
     FIELD(file.up),
     .text = "Which axis of the cache points up, y or z; default: y, unless z fits what follows it far better"},
};
static const pliant__object baked_object = {"baked", "", PLIANT__KEYS(baked_keys), NULL, 0};

static const pliant__key target_keys[] = {
    {.name = "map",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"oneOf\": [{\"const\": \"nearest\"}, {\"type\": \"array\", \"items\": {\"type\": \"integer\", \"minimum\": 0}}]}",
     FIELD(vertices),
     .text = "The cache's vertex that each target follows, or \"nearest\", at time 0; default: the one of the same number"},
    {.name = "relative",
     .type = PLIANT__KEY_BOOL,
     FIELD(relative),
     .text = "Targets begin where they are and move as the cache's vertices do; default: they are where those are"},
};
static const pliant__key pose_keys[] = {
    {.name = "vertices",
     .type = PLIANT__KEY_NODE,
     .schema =
         "{\"oneOf\": [{\"const\": \"all\"}, {\"type\": \"array\", \"items\": {\"type\": \"integer\", \"minimum\": 0}, \"minItems\": 1}]}",
     FIELD(vertices),
     .text = "The cache's vertices that it follows; default \"all\""},
};
const pliant__object pliant__baked_targets_object = {"baked_targets", "Targets that follow vertices of a baked mesh",
                                                     PLIANT__KEYS(target_keys), &baked_object, 0};
const pliant__object pliant__baked_pose_object = {"baked_pose", "A collider that moves as vertices of a baked mesh do, as a rigid body",
                                                  PLIANT__KEYS(pose_keys), &baked_object, 0};

/* A cache being followed. */
typedef struct baked {
    baked_spec          spec;
    pliant__points      points;
    double             *times; /* of its samples, in the scene; all three from malloc */
    pliant_vec3        *x, *first;
    pliant__axes        axes; /* of the file's numbers */
    pliant__reader     *reader;
    const pliant__node *cache; /* for messages */
} baked;

/* ---- the cache ---- */

/* In the scene: the samples' frames, less the one at time 0; or by the file's own seconds. */
static double time_of(const baked *b, double frame) { return (frame - b->spec.first_frame) / b->spec.fps; }

/* The file's own time of a frame, which may lie between two samples, or, by as much time per frame, before the first or behind the last. */
static double own_time(const baked *b, double frame)
{
    const double *t = b->points.times;
    uint32_t      low = 0, high = b->points.samples - 1;
    if (!high) return t[0] + (frame - pliant__points_number(&b->points, 0)) / b->spec.fps;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (pliant__points_number(&b->points, middle) <= frame)
            low = middle;
        else
            high = middle;
    }
    const double before = pliant__points_number(&b->points, low), after = pliant__points_number(&b->points, high);
    const double step = (t[high] - t[low]) / (after - before);
    if (frame >= after) return t[high] + (frame - after) * step;
    return frame < before ? t[low] + (frame - before) * step : t[low] + (t[high] - t[low]) * ((frame - before) / (after - before));
}

/* Notes a first_frame behind the last sample, or so far before the first that the scene ends first: most likely it is counted from another number. */
static void notice_missed(const baked *b)
{
    const pliant__points *p = &b->points;
    const pliant__reader *r = b->reader;
    const uint32_t        last = p->samples - 1;
    const char           *when = NULL;
    if (b->times[last] <= 0) when = "all over at time 0";
    if (b->times[0] > 0 && b->times[0] >= r->frames / r->fps) when = "all behind the scene's end";
    if (last && when)
        pliant__notice(b->reader, b->cache, "%.60s: its frames are %g to %g, %s, so nothing follows it (\"first_frame\")", b->spec.cache,
                       pliant__points_number(p, 0), pliant__points_number(p, last), when);
}

static bool set_times(baked *b, const pliant__node *node)
{
    pliant__reader *r = b->reader;
    const bool      says_fps = pliant__node_get(node, "fps") != NULL, own = b->points.times && !says_fps;
    if (!says_fps) b->spec.fps = r->fps;
    if (!pliant__node_get(node, "first_frame")) b->spec.first_frame = b->points.start;
    for (uint32_t i = 0; i < b->points.samples; i++)
        b->times[i] = own ? b->points.times[i] - own_time(b, b->spec.first_frame) : time_of(b, pliant__points_number(&b->points, i));
    for (uint32_t i = 1; i < b->points.samples; i++)
        if (!(b->times[i] > b->times[i - 1]))
            return pliant__complain(r, b->cache, "sample %u of the cache is not after sample %u%s", i, i - 1,
                                    own ? "; say \"fps\" to set its times aside" : "");
    notice_missed(b);
    return true;
}

static bool read_sample(baked *b, uint32_t sample, pliant_vec3 *out)
{
    pliant_error inner = {0};
    return (pliant__points_read(&b->points, sample, out, &inner) &&
            pliant_positions_convert(&out->x, b->points.vertices, b->axes.unit, b->axes.up, &inner) == PLIANT_OK) ||
           pliant__blame(b->reader, b->cache, &inner);
}

/* Where the vertices are at time 0: between two samples, or in the first or last. */
static bool read_first(baked *b)
{
    const pliant__points *p = &b->points;
    uint32_t              k = 0;
    while (k + 1 < p->samples && b->times[k + 1] <= 0) k++;
    if (!read_sample(b, k, b->first)) return false;
    if (k + 1 == p->samples || b->times[k] >= 0) return true;
    pliant_real share = (pliant_real)(-b->times[k] / (b->times[k + 1] - b->times[k]));
    if (!read_sample(b, k + 1, b->x)) return false;
    for (uint32_t i = 0; i < p->vertices; i++) b->first[i] = v3_lerp(b->first[i], b->x[i], share);
    return true;
}

static bool fail_memory(baked *b, size_t bytes) { return pliant__fail_memory(b->reader->error, bytes, "a cache's motion"); }

static bool may_read(void *context, const char *path)
{
    const baked *b = context;
    return pliant__may_read(b->reader, b->cache, path, path);
}

static void notice(void *context, const char *text)
{
    const baked *b = context;
    pliant__notice(b->reader, b->cache, "%.60s: %s", b->spec.cache, text);
}

/* Units and axes of the scene, else of the file, else metres and y up. */
static void set_axes(baked *b)
{
    const double unit = b->spec.file.unit > 0 ? b->spec.file.unit : b->points.unit;
    b->axes = (pliant__axes){unit > 0 ? unit : 1, b->spec.file.up ? (char)b->spec.file.up : b->points.up ? b->points.up : 'y'};
}

static bool open_points(baked *b, const pliant__node *node)
{
    const pliant__points_def def = {b->spec.fps > 0 ? b->spec.fps : b->reader->fps, b->spec.object, b->spec.animation, may_read, notice, b};
    pliant_error             inner = {0};
    char                    *path = pliant__read_path(b->reader, b->cache, b->spec.cache);
    if (!path) return false;
    const pliant__points_format *format = pliant__points_format_of(path);
    const char *key = b->spec.object && !format->objects ? "object" : b->spec.animation && !format->animations ? "animation" : NULL;
    if (key) return pliant__complain(b->reader, pliant__node_get(node, key), "%.60s has no names: leave \"%s\" out", b->spec.cache, key);
    if (pliant__points_open(&b->points, path, &def, &inner)) return true;
    return inner.code != PLIANT_OK && pliant__blame(b->reader, b->cache, &inner);
}

static bool open_baked(baked *b, pliant__reader *r, const pliant__node *node, const pliant__object *object)
{
    *b = (baked){.reader = r, .points.file.handle = -1};
    if (!pliant__read_object(r, node, object, &b->spec)) return false;
    const pliant__node *cache = b->cache = pliant__node_get(node, "cache");
    if (!pliant__points_format_of(b->spec.cache)) {
        char known[96];
        pliant__points_endings(known, sizeof known);
        return pliant__complain(r, cache, "%.60s: unknown format of a cache to follow (known are %s)", b->spec.cache, known);
    }
    if (!open_points(b, node)) return false;
    b->times = malloc(b->points.samples * sizeof *b->times);
    b->x = malloc(b->points.vertices * sizeof *b->x);
    b->first = malloc(b->points.vertices * sizeof *b->first);
    if (!b->times || !b->x || !b->first) return fail_memory(b, 2 * b->points.vertices * sizeof *b->x);
    set_axes(b);
    return set_times(b, node) && read_first(b);
}

/* Units and axes that the scene does not have are guessed from the things that lie on the cache at time 0. */
static bool settle_axes(baked *b, const pliant__rest *rest)
{
    const double       unit = b->spec.file.unit > 0 ? b->spec.file.unit : b->points.unit;
    const pliant__axes given = {unit, b->spec.file.up ? (char)b->spec.file.up : b->points.up}, before = b->axes;
    if (!pliant__guess_axes(b->reader, b->cache, b->spec.cache, given, b->first, b->points.vertices, rest, &b->axes)) return false;
    const bool same = b->axes.up == before.up && !(b->axes.unit < before.unit || b->axes.unit > before.unit);
    return same || read_first(b);
}

static void close_baked(baked *b)
{
    pliant__points_close(&b->points);
    free(b->times);
    free(b->x);
    free(b->first);
}

static bool read_numbers(baked *b, const pliant__node *list, uint32_t *out)
{
    for (const pliant__node *n = list->first; n; n = n->next, out++) {
        if (!pliant__read_count(b->reader, n, 0, UINT32_MAX, out)) return false;
        if (*out >= b->points.vertices)
            return pliant__complain(b->reader, n, "%s is not a vertex: the cache has %u", n->text, b->points.vertices);
    }
    return true;
}

/* ---- targets ---- */

static bool map_nearest(baked *b, uint32_t count, const pliant_vec3 *start, uint32_t *map)
{
    pliant__points_sorted sorted = {.x = b->first, .count = b->points.vertices};
    sorted.order = malloc(sorted.count * sizeof *sorted.order);
    if (!sorted.order) return fail_memory(b, sorted.count * sizeof *sorted.order);
    pliant__points_sort(&sorted);
    for (uint32_t i = 0; i < count; i++) map[i] = pliant__points_nearest(&sorted, start[i], 0);
    free(sorted.order);
    return true;
}

static bool read_map(baked *b, const pliant__node *node, const pliant__followers *f, uint32_t *map)
{
    const pliant__node *list = b->spec.vertices;
    pliant__reader     *r = b->reader;
    pliant__rest        rest = {f->count, map, f->start, b->spec.relative};
    if (list && list->type == PLIANT__NODE_TEXT) {
        static const char *const words[] = {"nearest", NULL};
        uint32_t                 word;
        rest.ids = NULL;
        return pliant__read_word(r, list, words, &word) && settle_axes(b, &rest) && map_nearest(b, f->count, f->start, map);
    }
    if (list) {
        if (!pliant__read_list(r, list, 0, "vertices")) return false;
        if (list->count != f->count)
            return pliant__complain(r, list, "needs a vertex of the cache for each of the %u targets, has %u", f->count, list->count);
        return read_numbers(b, list, map) && settle_axes(b, &rest);
    }
    if (b->points.vertices != f->vertex_count)
        return pliant__complain(r, node, "the cache has %u vertices and the body has %u: say by \"map\" which follows which",
                                b->points.vertices, f->vertex_count);
    memcpy(map, f->ids, f->count * sizeof *map);
    return settle_axes(b, &rest);
}

static bool key_targets(baked *b, const pliant__followers *f, const uint32_t *map)
{
    const uint32_t samples = b->points.samples;
    pliant_vec3   *positions =
        f->count < SIZE_MAX / sizeof *positions / samples ? malloc((size_t)samples * f->count * sizeof *positions) : NULL;
    if (!positions) return fail_memory(b, (size_t)samples * f->count * sizeof *positions);
    bool ok = true;
    for (uint32_t k = 0; ok && k < samples; k++) {
        pliant_vec3 *to = positions + (size_t)k * f->count;
        ok = read_sample(b, k, b->x);
        for (uint32_t i = 0; ok && i < f->count; i++) {
            to[i] = b->x[map[i]];
            if (b->spec.relative) to[i] = v3_add(f->start[i], v3_sub(to[i], b->first[map[i]]));
        }
    }
    ok = ok && pliant__key_followers(b->reader, b->cache, f, b->times, samples, positions);
    free(positions);
    return ok;
}

bool pliant__read_baked_targets(pliant__reader *r, const pliant__node *node, const pliant__followers *followers)
{
    baked     b;
    uint32_t *map = pliant__read_memory(r, followers->count, sizeof *map);
    bool      ok = map && open_baked(&b, r, node, &pliant__baked_targets_object) && read_map(&b, node, followers, map) &&
              key_targets(&b, followers, map);
    if (map) close_baked(&b);
    return ok;
}

/* ---- poses ---- */

#define LARGE_ERROR 0.01 /* of the size of the followed vertices */

typedef struct follower {
    uint32_t *ids; /* NULL: all */
    size_t    count;
    double   *from, *to;
    bool      turns;
    uint32_t  unclear, worst; /* samples that leave the rotation open; the sample with the largest error */
    double    error;
} follower;

static pliant__cluster gather(const follower *f, const pliant_vec3 *x, double *out)
{
    for (size_t i = 0; i < f->count; i++) {
        pliant_vec3 p = x[f->ids ? f->ids[i] : i];
        out[3 * i] = p.x;
        out[3 * i + 1] = p.y;
        out[3 * i + 2] = p.z;
    }
    return pliant__cluster_make(out, f->count);
}

static void multiply(const double a[4], const double b[4], double out[4])
{
    out[0] = a[3] * b[0] + a[0] * b[3] + (a[1] * b[2] - a[2] * b[1]);
    out[1] = a[3] * b[1] + a[1] * b[3] + (a[2] * b[0] - a[0] * b[2]);
    out[2] = a[3] * b[2] + a[2] * b[3] + (a[0] * b[1] - a[1] * b[0]);
    out[3] = a[3] * b[3] - (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

/* The pose of a collider that is at `rest` when the points are in their first places. */
static pliant_pose carry(const pliant_pose *rest, const pliant__cluster *from, const pliant__cluster *to, const double rotation[4])
{
    double q[4], arm[3], x[3], own[4] = {rest->rotation.x, rest->rotation.y, rest->rotation.z, rest->rotation.w};
    arm[0] = rest->position.x - from->centre[0];
    arm[1] = rest->position.y - from->centre[1];
    arm[2] = rest->position.z - from->centre[2];
    pliant__turn(rotation, arm, x);
    multiply(rotation, own, q);
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] /= length;
    return (pliant_pose){{(pliant_real)(to->centre[0] + x[0]), (pliant_real)(to->centre[1] + x[1]), (pliant_real)(to->centre[2] + x[2])},
                         {(pliant_real)q[0], (pliant_real)q[1], (pliant_real)q[2], (pliant_real)q[3]}};
}

/* q and -q are one rotation; the one nearer to the pose before. */
static pliant_quat short_way(pliant_quat before, pliant_quat q)
{
    if (before.x * q.x + before.y * q.y + before.z * q.z + before.w * q.w >= 0) return q;
    return (pliant_quat){-q.x, -q.y, -q.z, -q.w};
}

static bool fit_samples(baked *b, follower *f, const pliant_pose *rest, pliant_pose *poses)
{
    const pliant__cluster from = gather(f, b->first, f->from);
    double                rotation[4] = {0, 0, 0, 1};
    f->turns = pliant__cluster_turns(&from);
    for (uint32_t k = 0; k < b->points.samples; k++) {
        if (!read_sample(b, k, b->x)) return false;
        const pliant__cluster to = gather(f, b->x, f->to);
        if (f->turns) f->unclear += !pliant__fit_rotation(&from, &to, rotation);
        double error = pliant__fit_error(&from, &to, rotation);
        if (error > f->error) {
            f->error = error;
            f->worst = k;
        }
        poses[k] = carry(rest, &from, &to, rotation);
        poses[k].rotation = short_way(k ? poses[k - 1].rotation : rest->rotation, poses[k].rotation);
    }
    if (!f->turns)
        pliant__notice(b->reader, b->spec.vertices,
                       "%zu vertices of %.60s that lie on a line, or are fewer than three: the collider follows them without turning",
                       f->count, b->spec.cache);
    else if (f->unclear)
        pliant__notice(b->reader, b->spec.vertices, "%u samples of %.60s do not say how the collider is turned: it stays as it was before",
                       f->unclear, b->spec.cache);
    if (f->error > LARGE_ERROR * from.size)
        pliant__notice(b->reader, b->spec.vertices,
                       "the vertices of %.60s do not move as a rigid body: in sample %u they are %.3g m off on average (root mean square)",
                       b->spec.cache, f->worst, f->error);
    return true;
}

static bool read_vertices(baked *b, follower *f)
{
    const pliant__node *list = b->spec.vertices;
    f->count = b->points.vertices;
    if (!list) return true;
    if (list->type == PLIANT__NODE_TEXT) {
        static const char *const words[] = {"all", NULL};
        uint32_t                 word;
        return pliant__read_word(b->reader, list, words, &word);
    }
    if (!pliant__read_list(b->reader, list, 1, "vertices")) return false;
    f->count = list->count;
    f->ids = pliant__read_memory(b->reader, f->count, sizeof *f->ids);
    return f->ids && read_numbers(b, list, f->ids);
}

/* A collider's own vertices, if the cache has as many: the places to compare with those that it follows. *x is NULL if there are none; free(). */
static bool rest_of(baked *b, const follower *f, const pliant_collider_def *def, pliant_vec3 **x, uint32_t **ids)
{
    const uint32_t count = (uint32_t)f->count;
    *x = NULL;
    *ids = NULL;
    if (!def->mesh.positions || def->mesh.vertex_count != b->points.vertices) return true;
    *x = malloc(count * sizeof **x);
    *ids = malloc(count * sizeof **ids);
    if (!*x || !*ids) return fail_memory(b, count * (sizeof **x + sizeof **ids));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t id = (*ids)[i] = f->ids ? f->ids[i] : i;
        pliant_vec3    own;
        memcpy(&own, (const char *)def->mesh.positions + id * def->mesh.stride, sizeof own);
        (*x)[i] = v3_add(def->pose.position, quat_rotate(def->pose.rotation, own));
    }
    return true;
}

static bool settle_collider(baked *b, const follower *f, const pliant_collider_def *def)
{
    pliant_vec3 *x;
    uint32_t    *ids;
    bool         ok = rest_of(b, f, def, &x, &ids);
    pliant__rest rest = {(uint32_t)f->count, ids, x, false};
    ok = ok && settle_axes(b, x ? &rest : NULL);
    free(x);
    free(ids);
    return ok;
}

bool pliant__read_baked_poses(pliant__reader *r, const pliant__node *node, pliant_collider_def *def)
{
    baked        b;
    follower     f = {0};
    double      *times = NULL;
    pliant_pose *poses = NULL;
    bool         ok = open_baked(&b, r, node, &pliant__baked_pose_object) && read_vertices(&b, &f) && settle_collider(&b, &f, def);
    if (ok) {
        times = pliant__read_memory(r, b.points.samples, sizeof *times);
        poses = pliant__read_memory(r, b.points.samples, sizeof *poses);
        f.from = malloc(3 * f.count * sizeof *f.from);
        f.to = malloc(3 * f.count * sizeof *f.to);
        ok = times && poses && ((f.from && f.to) || fail_memory(&b, 6 * f.count * sizeof *f.to));
    }
    if (!b.spec.vertices) b.spec.vertices = node;
    ok = ok && fit_samples(&b, &f, &def->pose, poses);
    if (ok) memcpy(times, b.times, b.points.samples * sizeof *times);
    if (ok) {
        def->key_times = times;
        def->key_poses = poses;
        def->key_count = b.points.samples;
    }
    free(f.from);
    free(f.to);
    close_baked(&b);
    return ok;
}
