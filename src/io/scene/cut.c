/* Cuts of a scene file: blades, and when they cut. */
#include "io/scene/keys.h"

#include <stddef.h>

#define POINTS_SCHEMA(least, most) \
    "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/vec3\"}, \"minItems\": " least ", \"maxItems\": " most "}"

typedef struct cut_key_spec {
    double              time;
    const pliant__node *edge;
} cut_key_spec;

static const pliant__key cut_key_keys[] = {
    {.name = "time",
     .type = PLIANT__KEY_DOUBLE,
     .low = 0,
     .high = 1e9,
     .offset = offsetof(cut_key_spec, time),
     .required = true,
     .text = "s"},
    {.name = "edge",
     .type = PLIANT__KEY_NODE,
     .schema = POINTS_SCHEMA("2", "2"),
     .offset = offsetof(cut_key_spec, edge),
     .required = true,
     .text = "Its two ends then, m"},
};
const pliant__object pliant__cut_key_object = {"cut_key", "Where the edge of a blade is at a time", PLIANT__KEYS(cut_key_keys), NULL, 0};

typedef struct cut_spec {
    pliant_cut_def      def;
    const pliant__node *body, *corners, *keys;
} cut_spec;

#define FIELD(f) .offset = offsetof(cut_spec, f)
static const pliant__key cut_keys[] = {
    {.name = "body",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"type\": [\"string\", \"integer\"]}",
     FIELD(body),
     .text = "The body that is cut, by name or number; it has tear. Default: every body that has"},
    {.name = "time",
     .type = PLIANT__KEY_DOUBLE,
     .low = 0,
     .high = 1e9,
     FIELD(def.time),
     .text = "s, when a blade with corners cuts; default 0"},
    {.name = "corners",
     .type = PLIANT__KEY_NODE,
     .schema = POINTS_SCHEMA("3", "4"),
     FIELD(corners),
     .text = "Of a flat blade that cuts at once, one after another around it, m"},
    {.name = "keys",
     .type = PLIANT__KEY_NODE,
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/cut_key\"}}",
     FIELD(keys),
     .text = "Or where the edge of a blade is at times, ascending: it cuts along what it sweeps; in between straight, before and after "
             "there is "
             "none"},
};
const pliant__object pliant__cut_object = {"cut", "A blade that cuts bodies that tear", PLIANT__KEYS(cut_keys), NULL, 0};

static bool read_points(pliant__reader *r, const pliant__node *list, size_t least, size_t most, const char *of_what, pliant_vec3 *out)
{
    if (!pliant__read_list(r, list, 0, "points")) return false;
    if (list->count < least || list->count > most) {
        if (least == most) return pliant__complain(r, list, "%s has %zu points, not %u", of_what, least, list->count);
        return pliant__complain(r, list, "%s has %zu or %zu points, not %u", of_what, least, most, list->count);
    }
    for (const pliant__node *n = list->first; n; n = n->next)
        if (!pliant__read_vec3(r, n, out++)) return false;
    return true;
}

static bool read_keys(pliant__reader *r, cut_spec *s)
{
    if (!pliant__read_list(r, s->keys, 2, "keys")) return false;
    double      *times = pliant__read_memory(r, s->keys->count, sizeof *times);
    pliant_vec3 *edges = pliant__read_memory(r, 2 * (size_t)s->keys->count, sizeof *edges);
    size_t       k = 0;
    if (!times || !edges) return false;
    for (const pliant__node *n = s->keys->first; n; n = n->next, k++) {
        cut_key_spec key = {0, NULL};
        if (!pliant__read_object(r, n, &pliant__cut_key_object, &key) || !read_points(r, key.edge, 2, 2, "an edge", edges + 2 * k))
            return false;
        if (k && key.time <= times[k - 1]) return pliant__complain(r, n, "times of keys ascend");
        times[k] = key.time;
    }
    s->def.key_times = times;
    s->def.key_edges = edges;
    s->def.key_count = k;
    return true;
}

bool pliant__read_cut(pliant__reader *r, const pliant__node *node)
{
    cut_spec     s = {.def = pliant_cut_def_default()};
    pliant_vec3  corners[4];
    pliant_error inner = {0};
    uint32_t     body;
    if (!pliant__read_object(r, node, &pliant__cut_object, &s)) return false;
    if ((s.corners != NULL) == (s.keys != NULL))
        return pliant__complain(r, node, "needs \"corners\", of a blade that cuts at once, or \"keys\", of an edge that moves");
    if (s.keys && pliant__node_get(node, "time"))
        return pliant__complain(r, pliant__node_get(node, "time"), "an edge that moves has the times of its keys; leave this one out");
    if (s.corners) {
        if (!read_points(r, s.corners, 3, 4, "a flat blade", corners)) return false;
        s.def.corners = corners;
        s.def.corner_count = s.corners->count;
    } else if (!read_keys(r, &s))
        return false;
    if (s.body) {
        if (!pliant__read_body_name(r, s.body, &body)) return false;
        s.def.body = r->bodies[body];
    }
    inner.code = pliant_scene_cut(r->scene, &s.def, &inner);
    return inner.code == PLIANT_OK || pliant__blame(r, node, &inner);
}
