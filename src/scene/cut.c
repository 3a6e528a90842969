/* Blades that cut bodies that tear. */
#include "scene/builder.h"

#include "base/float_env.h"

pliant_cut_def pliant_cut_def_default(void)
{
    pliant_cut_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    return def;
}

/* The keys that a def comes to. A flat blade has two of one time: between the edge from its first corner to the second and the one from its last to the third. */
typedef struct keys {
    const double      *times;
    const pliant_vec3 *edges; /* 2 each */
    size_t             count;
    double             time[2]; /* of a flat blade */
    pliant_vec3        edge[4];
} keys;

static bool check_time(double time, pliant_error *error)
{
    return (time >= 0 && time <= 1e9) ||
           pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the time of a cut must be from 0 to 1e9 s, not %g", time);
}

static bool find_keys(const pliant_cut_def *def, keys *out, pliant_error *error)
{
    const bool flat = def->corner_count || def->corners, moves = def->key_count || def->key_times || def->key_edges;
    if (flat == moves)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                            "a cut has either corners, of a blade that cuts at once, or keys, of an edge that moves");
    if (flat) {
        if (!def->corners || def->corner_count < 3 || def->corner_count > 4)
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a blade that cuts at once has 3 or 4 corners, not %zu", def->corner_count);
        out->edge[0] = def->corners[0];
        out->edge[1] = def->corners[1];
        out->edge[2] = def->corners[def->corner_count - 1];
        out->edge[3] = def->corners[2];
        out->time[0] = out->time[1] = def->time;
        out->times = out->time;
        out->edges = out->edge;
        out->count = 2;
        return check_time(def->time, error);
    }
    if (!def->key_times || !def->key_edges || def->key_count < 2)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "an edge that cuts goes from key to key: it needs two keys at the least");
    out->times = def->key_times;
    out->edges = def->key_edges;
    out->count = def->key_count;
    return pliant__fits(0, def->key_count, "keys", error) && pliant__check_times(def->key_times, def->key_count, error) &&
           check_time(def->key_times[0], error) && check_time(def->key_times[def->key_count - 1], error);
}

static bool has_area(pliant_vec3 a, pliant_vec3 b, pliant_vec3 c) { return v3_length(v3_cross(v3_sub(b, a), v3_sub(c, a))) > 0; }

static bool check_blade(const keys *k, pliant_error *error)
{
    bool any = false;
    for (size_t i = 0; i < 2 * k->count; i++)
        if (!pliant__check_vector(k->edges[i], k->times == k->time ? "a corner of a cut" : "an end of an edge", error)) return false;
    for (size_t i = 0; i + 1 < k->count; i++) {
        const pliant_vec3 *e = k->edges + 2 * i;
        any = any || has_area(e[0], e[1], e[3]) || has_area(e[0], e[3], e[2]);
    }
    return any || pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the blade has no area, so it cuts nothing: %s",
                               k->times == k->time ? "put its corners off one line" : "let the edge move, and not along itself");
}

/* The body tears, or any of them. */
static bool check_tears(const pliant_scene *scene, pliant_body body, pliant_error *error)
{
    bool any = false;
    if (body.id) {
        const pliant__draft_body *b = pliant__find_body(scene, body, error);
        return b && (b->tear > 0 || pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                                                 "body \"%s\" does not tear, so it has no vertices that stand by for a cut: give it "
                                                 "\"tear\", with as much \"spare\" as the cut needs",
                                                 b->name));
    }
    for (size_t i = 0; i < scene->bodies.count; i++) any = any || (!scene->bodies.data[i].removed && scene->bodies.data[i].tear > 0);
    return any || pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                               "no body tears, so none has vertices that stand by for a cut: give the one that is to be cut \"tear\"");
}

pliant_code pliant_scene_cut(pliant_scene *scene, const pliant_cut_def *def, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    keys k;
    if (!pliant__check_call(scene, def, error) ||
        !pliant__check_size(def->size, sizeof *def, "pliant_cut_def", "pliant_cut_def_default", error) || !find_keys(def, &k, error) ||
        !check_blade(&k, error) || !check_tears(scene, def->body, error) ||
        !pliant__fits(2 * (uint64_t)scene->cut_key_times.count, 2 * (uint64_t)k.count, "keys", error))
        return PLIANT_ERROR_ARGUMENT;
    if (!array_reserve(&scene->allocator, &scene->cuts, 1) || !array_reserve(&scene->allocator, &scene->cut_key_times, k.count) ||
        !array_reserve(&scene->allocator, &scene->cut_key_edges, 2 * k.count)) {
        pliant__fail_memory(error, k.count * (sizeof *k.times + 2 * sizeof *k.edges), "a cut");
        return PLIANT_ERROR_MEMORY;
    }
    const pliant__draft_cut cut = {def->body.id ? def->body.id - 1 : PLIANT__NONE, (uint32_t)scene->bodies.count,
                                   (uint32_t)scene->cut_key_times.count, (uint32_t)k.count};
    scene->cuts.data[scene->cuts.count++] = cut;
    for (size_t i = 0; i < k.count; i++) scene->cut_key_times.data[scene->cut_key_times.count++] = k.times[i];
    for (size_t i = 0; i < 2 * k.count; i++) scene->cut_key_edges.data[scene->cut_key_edges.count++] = k.edges[i];
    return PLIANT_OK;
}
