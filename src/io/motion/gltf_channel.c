/* Channels of a glTF's animations, read and evaluated (specification, 3.11 and appendix C). */
#include "io/motion/gltf_motion.h"

#include "base/trig.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const path_names[] = {"translation", "rotation", "scale", "weights"};
static const char *const way_names[] = {"LINEAR", "STEP", "CUBICSPLINE"};

static bool is_text(const pliant__node *n, const char *text) { return n && n->type == PLIANT__NODE_TEXT && strcmp(n->text, text) == 0; }

static const pliant__node *list_in(const pliant__node *map, const char *key)
{
    const pliant__node *list = map->type == PLIANT__NODE_MAP ? pliant__node_get(map, key) : NULL;
    return list && list->type == PLIANT__NODE_LIST ? list : NULL;
}

static void *some(pliant__gltf_motion *m, uint64_t count, size_t size)
{
    void *memory = count < SIZE_MAX / 2 / size ? pliant__tree_alloc(&m->g.tree, (size_t)count * size + 1) : NULL;
    if (!memory) pliant__fail_memory(m->g.error, count * size, "an animation");
    return memory;
}

/* ---- reading ---- */

/* The target of a channel: its node, NONE where that is not followed, and its path. */
static bool read_target(pliant__gltf_motion *m, const pliant__node *channel, pliant__gltf_channel *c)
{
    const pliant__node *target = pliant__node_get(channel, "target"), *path;
    uint64_t            node = PLIANT__GLTF_NONE;
    c->node = PLIANT__GLTF_NONE;
    if (!target || target->type != PLIANT__NODE_MAP) return pliant__gltf_fail(&m->g, channel, "needs a target");
    if (!pliant__gltf_index(&m->g, target, "node", m->node_count, &node)) return false;
    path = pliant__node_get(target, "path");
    uint32_t k = 0;
    while (k < 4 && !is_text(path, path_names[k])) k++;
    if (k == 4 || node == PLIANT__GLTF_NONE) return true; /* an extension's */
    if (k == PLIANT__GLTF_WEIGHTS && !m->nodes[node].weight_count) return true;
    c->path = (pliant__gltf_path)k;
    c->width = k == PLIANT__GLTF_WEIGHTS ? m->nodes[node].weight_count : k == PLIANT__GLTF_ROTATION ? 4 : 3;
    c->node = (uint32_t)node;
    return true;
}

static bool read_times(pliant__gltf_motion *m, const pliant__node *sampler, uint32_t index, pliant__gltf_channel *c)
{
    pliant__gltf_accessor a;
    if (!pliant__gltf_accessor_open(&m->g, index, sampler, 1, &a)) return false;
    if (!a.count || a.count > INT32_MAX || !a.data) return pliant__gltf_fail(&m->g, sampler, "its input has no times");
    c->count = (uint32_t)a.count;
    c->times = some(m, a.count, sizeof *c->times);
    if (!c->times) return false;
    for (uint32_t i = 0; i < c->count; i++) {
        c->times[i] = pliant__gltf_get(&a, i, 0);
        if (!(c->times[i] >= -1e9 && c->times[i] <= 1e9)) return pliant__gltf_fail(&m->g, sampler, "time %u is not a number of seconds", i);
        if (i && !(c->times[i] > c->times[i - 1])) return pliant__gltf_fail(&m->g, sampler, "time %u is not after time %u", i, i - 1);
    }
    return true;
}

/* Numbers of keys that are used: of a spline not the tangent into its first key, nor that out of its last. */
static bool check_values(pliant__gltf_motion *m, const pliant__node *sampler, const pliant__gltf_channel *c)
{
    const uint64_t skip = c->way != PLIANT__GLTF_CUBIC      ? 0
                          : c->path == PLIANT__GLTF_WEIGHTS ? c->width
                                                            : 1,
                   end = c->output.count - skip, odd = pliant__gltf_odd(&c->output, skip, end);
    return odd == end || pliant__gltf_fail(&m->g, sampler, "value %llu of its output is not finite", (unsigned long long)odd);
}

static bool read_sampler(pliant__gltf_motion *m, const pliant__node *sampler, pliant__gltf_channel *c)
{
    const pliant__node *way = pliant__node_get(sampler, "interpolation");
    uint64_t            input = UINT64_MAX, output = UINT64_MAX, values;
    const uint32_t      accessors = pliant__gltf_count(&m->g, "accessors");
    uint32_t            k = 0;
    while (k < 3 && way && !is_text(way, way_names[k])) k++;
    if (k == 3) return pliant__gltf_fail(&m->g, way, "not an interpolation: LINEAR, STEP and CUBICSPLINE are");
    c->way = (pliant__gltf_way)k;
    if (!pliant__gltf_index(&m->g, sampler, "input", accessors, &input) ||
        !pliant__gltf_index(&m->g, sampler, "output", accessors, &output))
        return false;
    if (input == UINT64_MAX || output == UINT64_MAX) return pliant__gltf_fail(&m->g, sampler, "needs an input and an output");
    if (!read_times(m, sampler, (uint32_t)input, c) ||
        !pliant__gltf_accessor_open(&m->g, (uint32_t)output, sampler, c->path == PLIANT__GLTF_WEIGHTS ? 1 : c->width, &c->output))
        return false;
    values = (uint64_t)c->count * (c->way == PLIANT__GLTF_CUBIC ? 3 : 1) * (c->path == PLIANT__GLTF_WEIGHTS ? c->width : 1);
    if (c->output.count != values)
        return pliant__gltf_fail(&m->g, sampler, "%llu values where its times need %llu", (unsigned long long)c->output.count,
                                 (unsigned long long)values);
    return check_values(m, sampler, c);
}

/* Samplers of an animation, by their numbers. */
typedef struct sampler_list {
    const pliant__node **nodes;
    uint32_t             count;
} sampler_list;

static bool index_samplers(pliant__gltf_motion *m, const pliant__node *list, sampler_list *out)
{
    out->count = list ? list->count : 0;
    out->nodes = some(m, out->count, sizeof *out->nodes);
    if (!out->nodes) return false;
    for (const pliant__node *n = list ? list->first : NULL; n; n = n->next) out->nodes[n->index] = n;
    return true;
}

static bool read_channel(pliant__gltf_motion *m, const pliant__node *channel, const sampler_list *samplers, pliant__gltf_channel *c)
{
    uint64_t number = UINT64_MAX;
    if (channel->type != PLIANT__NODE_MAP) return pliant__gltf_fail(&m->g, channel, "must be an object");
    if (!read_target(m, channel, c)) return false;
    if (c->node == PLIANT__GLTF_NONE) return true;
    if (!pliant__gltf_index(&m->g, channel, "sampler", samplers->count, &number)) return false;
    if (number == UINT64_MAX) return pliant__gltf_fail(&m->g, channel, "needs a sampler");
    const pliant__node *sampler = samplers->nodes[number];
    if (sampler->type != PLIANT__NODE_MAP) return pliant__gltf_fail(&m->g, sampler, "must be an object");
    return read_sampler(m, sampler, c);
}

/* Appends the channels of an animation. */
static bool read_animation(pliant__gltf_motion *m, const pliant__node *animation)
{
    const pliant__node *channels = list_in(animation, "channels");
    sampler_list        samplers;
    if (!index_samplers(m, list_in(animation, "samplers"), &samplers)) return false;
    for (const pliant__node *n = channels ? channels->first : NULL; n; n = n->next) {
        pliant__gltf_channel *c = &m->channels[m->channel_count];
        *c = (pliant__gltf_channel){.animation = animation->index};
        if (!read_channel(m, n, &samplers, c)) return false;
        m->channel_count += c->node != PLIANT__GLTF_NONE;
    }
    return true;
}

/* ---- choosing ---- */

static const char *name_of(const pliant__node *animation)
{
    const pliant__node *name = animation->type == PLIANT__NODE_MAP ? pliant__node_get(animation, "name") : NULL;
    return name && name->type == PLIANT__NODE_TEXT ? name->text : "";
}

/* A number for the property that a channel moves: a node's place, or its shape, the weights. Two animations of one kind are alternatives; one of each
 * kind go together. */
static size_t what_of(const pliant__gltf_channel *c) { return 2 * (size_t)c->node + (c->path == PLIANT__GLTF_WEIGHTS); }

static bool moves_another(pliant__gltf_motion *m, const pliant__node *animation, const bool *moved)
{
    const pliant__node *channels = list_in(animation, "channels");
    for (const pliant__node *n = channels ? channels->first : NULL; n; n = n->next) {
        pliant__gltf_channel c = {0};
        if (n->type != PLIANT__NODE_MAP) continue;
        if (read_target(m, n, &c) && c.node != PLIANT__GLTF_NONE && moved[what_of(&c)]) return false;
    }
    return true;
}

static void mark_moved(const pliant__gltf_motion *m, uint32_t from, bool *moved)
{
    for (uint32_t i = from; i < m->channel_count; i++) moved[what_of(&m->channels[i])] = true;
}

static bool read_named(pliant__gltf_motion *m, const pliant__node *list, const char *name)
{
    for (const pliant__node *n = list ? list->first : NULL; n; n = n->next)
        if (strcmp(name_of(n), name) == 0) return read_animation(m, n);
    return pliant__gltf_fail(&m->g, NULL, "there is no animation \"%.60s\"%s%.60s%s", name, list && list->count ? "; the first is \"" : "",
                             list && list->count ? name_of(list->first) : "", list && list->count ? "\"" : "");
}

/* Chooses the first animation, and each further one that moves nothing that the chosen ones move: an exporter that makes an animation per object
 * means all of them together; an exporter that has a walk and a run in one file means one of the two. */
static bool read_first(pliant__gltf_motion *m, const pliant__node *list, const pliant__points_def *def)
{
    enum { NAMES = 3 };
    const pliant__node *names[NAMES];
    bool               *moved = some(m, 2 * (uint64_t)m->node_count, sizeof *moved);
    uint32_t            left = 0;
    if (!moved) return false;
    for (const pliant__node *n = list ? list->first : NULL; n; n = n->next) {
        const uint32_t from = m->channel_count;
        if (n->index && !moves_another(m, n, moved)) {
            if (left < NAMES) names[left] = n;
            left++;
            continue;
        }
        if (!read_animation(m, n)) return false;
        mark_moved(m, from, moved);
    }
    if (left && def && def->notice) {
        char   text[320];
        size_t length =
            (size_t)snprintf(text, sizeof text, "of %u animations \"%.40s\" is followed, and", list->count, name_of(list->first));
        for (uint32_t i = 0; i < left && i < NAMES; i++)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s \"%.40s\"",
                                       i == 0          ? ""
                                       : i + 1 == left ? " and"
                                                       : ",",
                                       name_of(names[i]));
        if (left > NAMES)
            length += (size_t)snprintf(text + length, sizeof text - length, " and %u other%s", left - NAMES, left - NAMES > 1 ? "s" : "");
        snprintf(text + length, sizeof text - length, ", which move%s the same, %s not (\"animation\")", left > 1 ? "" : "s",
                 left > 1 ? "are" : "is");
        def->notice(def->context, text);
    }
    return true;
}

static bool is_list(pliant__gltf_motion *m, const pliant__node *map, const char *key)
{
    const pliant__node *list = pliant__node_get(map, key);
    return !list || list->type == PLIANT__NODE_LIST || pliant__gltf_fail(&m->g, list, "must be a list");
}

/* Refuses a member of another type than the specification's; it is not treated as missing. */
static bool are_lists(pliant__gltf_motion *m)
{
    if (!is_list(m, m->g.root, "animations")) return false;
    const pliant__node *list = list_in(m->g.root, "animations");
    for (const pliant__node *n = list ? list->first : NULL; n; n = n->next) {
        if (n->type != PLIANT__NODE_MAP) return pliant__gltf_fail(&m->g, n, "must be an object");
        if (!is_list(m, n, "channels") || !is_list(m, n, "samplers")) return false;
    }
    return true;
}

bool pliant__gltf_channels_read(pliant__gltf_motion *m, const pliant__points_def *def)
{
    if (!are_lists(m)) return false;
    const pliant__node *list = list_in(m->g.root, "animations");
    uint64_t            count = 0;
    uint32_t            widest = 4;
    for (const pliant__node *n = list ? list->first : NULL; n; n = n->next)
        count += list_in(n, "channels") ? list_in(n, "channels")->count : 0;
    m->channels = some(m, count, sizeof *m->channels);
    if (!m->channels || !(def && def->animation ? read_named(m, list, def->animation) : read_first(m, list, def))) return false;
    for (uint32_t i = 0; i < m->channel_count; i++)
        if (m->channels[i].path != PLIANT__GLTF_WEIGHTS) m->nodes[m->channels[i].node].has_matrix = false;
    for (uint32_t i = 0; i < m->channel_count; i++) widest = m->channels[i].width > widest ? m->channels[i].width : widest;
    m->scratch = some(m, widest, sizeof *m->scratch);
    return m->scratch != NULL;
}

/* ---- evaluating ---- */

void pliant__gltf_span(const pliant__gltf_motion *m, double *from, double *to)
{
    *from = *to = m->channel_count ? m->channels[0].times[0] : 0;
    for (uint32_t i = 0; i < m->channel_count; i++) {
        const pliant__gltf_channel *c = &m->channels[i];
        if (c->times[0] < *from) *from = c->times[0];
        if (c->times[c->count - 1] > *to) *to = c->times[c->count - 1];
    }
}

/* Times of keys are floats, rounded from the exporter's times, and a frame's time is a double: a step is taken up to a thousandth of a frame early,
 * and up to the two roundings. */
static double early(const pliant__gltf_motion *m, double time) { return 1e-3 * m->frame + fabs(time) * 0x1p-23; }

/* The last key that is not after a time, if there is one. */
static uint32_t key_at(const pliant__gltf_channel *c, double time)
{
    uint32_t low = 0, high = c->count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (c->times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Number k of the value, or the tangents, of a key: of a cubic channel `part` is 0 for the tangent in, 1 for the value, 2 for the tangent out. */
static double number_of(const pliant__gltf_channel *c, uint32_t key, uint32_t part, uint32_t k)
{
    const uint64_t value = c->way == PLIANT__GLTF_CUBIC ? 3 * (uint64_t)key + part : key;
    return c->path == PLIANT__GLTF_WEIGHTS ? pliant__gltf_get(&c->output, value * c->width + k, 0) : pliant__gltf_get(&c->output, value, k);
}

static void unit_rotation(double q[4])
{
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++) q[k] = length > 0 ? q[k] / length : k == 3;
}

/* Between two rotations, the short way, at an even pace. */
static void turn_between(const pliant__gltf_channel *c, uint32_t key, double share, double out[4])
{
    double a[4], b[4], dot = 0, p = 1 - share, q = share;
    for (uint32_t k = 0; k < 4; k++) {
        a[k] = number_of(c, key, 1, k);
        b[k] = number_of(c, key + 1, 1, k);
        dot += a[k] * b[k];
    }
    const double sign = dot < 0 ? -1 : 1, d = dot * sign;
    if (d < 0.9995) {
        const double angle = pliant__atan2(sqrt(1 - d * d), d), whole = pliant__sin(angle);
        p = pliant__sin(p * angle) / whole;
        q = pliant__sin(q * angle) / whole;
    }
    for (int k = 0; k < 4; k++) out[k] = p * a[k] + q * sign * b[k];
}

static void evaluate(const pliant__gltf_motion *m, const pliant__gltf_channel *c, double time, double *out)
{
    const uint32_t key = key_at(c, c->way == PLIANT__GLTF_STEP ? time + early(m, time) : time);
    const bool     inside = key + 1 < c->count && time > c->times[key] && c->way != PLIANT__GLTF_STEP;
    const double   apart = inside ? c->times[key + 1] - c->times[key] : 1, s = inside ? (time - c->times[key]) / apart : 0;
    if (inside && c->path == PLIANT__GLTF_ROTATION && c->way == PLIANT__GLTF_LINEAR) {
        turn_between(c, key, s, out);
        return;
    }
    for (uint32_t k = 0; k < c->width; k++) {
        const double a = number_of(c, key, 1, k), b = inside ? number_of(c, key + 1, 1, k) : a;
        out[k] = inside ? a + (b - a) * s : a;
        if (!inside || c->way != PLIANT__GLTF_CUBIC) continue;
        const double s2 = s * s, s3 = s2 * s;
        out[k] = (2 * s3 - 3 * s2 + 1) * a + apart * (s3 - 2 * s2 + s) * number_of(c, key, 2, k) + (3 * s2 - 2 * s3) * b +
                 apart * (s3 - s2) * number_of(c, key + 1, 0, k);
    }
}

void pliant__gltf_animate(pliant__gltf_motion *m, double time)
{
    for (uint32_t i = 0; i < m->node_count; i++) {
        pliant__gltf_node *n = &m->nodes[i];
        n->now = n->rest;
        if (n->weight_count) memcpy(n->weights, n->rest_weights, n->weight_count * sizeof *n->weights);
    }
    for (uint32_t i = 0; i < m->channel_count; i++) {
        const pliant__gltf_channel *c = &m->channels[i];
        pliant__gltf_node          *n = &m->nodes[c->node];
        double *const               places[] = {n->now.translation, n->now.rotation, n->now.scale, n->weights};
        evaluate(m, c, time, m->scratch);
        if (c->path == PLIANT__GLTF_ROTATION) unit_rotation(m->scratch);
        memcpy(places[c->path], m->scratch, c->width * sizeof *m->scratch);
    }
}
