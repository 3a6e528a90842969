/* Animated meshes of glTF as samples: the vertices of all primitives, in the order of the scene's nodes, parents first, and of their meshes, where
 * the animation has them at the times that are asked for. A vertex is moved by morph targets first, and then by the joints of its skin, or by its
 * node (specification, 3.7). Numbers are doubles, and no library's sines are asked, so samples are the same bits everywhere. */
#include "io/motion/gltf_motion.h"

#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAMPLES = 1000000, MOST_VERTICES = 1 << 26 }; /* a mesh may be in many places, so a small file may ask for any number of them */
enum { MESHES = 3 };                                      /* of the lists of pliant__gltf */
enum { UNSIGNED_BYTE = 5121, UNSIGNED_SHORT = 5123 };     /* types of joints' numbers */

static void *some(pliant__gltf_motion *m, uint64_t count, size_t size)
{
    void *memory = count < SIZE_MAX / 2 / size ? pliant__tree_alloc(&m->g.tree, (size_t)count * size + 1) : NULL;
    if (!memory) pliant__fail_memory(m->g.error, count * size, "an animated mesh");
    return memory;
}

static const char *name_of(const pliant__node *map)
{
    const pliant__node *name = map ? pliant__node_get(map, "name") : NULL;
    return name && name->type == PLIANT__NODE_TEXT ? name->text : "";
}

/* ---- transforms ---- */

static pliant__transform transform_of(const pliant__gltf_pose *p)
{
    pliant__transform out = pliant__transform_turn(p->rotation);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) out.m[4 * i + k] *= p->scale[k];
        out.m[4 * i + 3] = p->translation[i];
    }
    return out;
}

/* Sixteen numbers, column by column. */
static pliant__transform from_columns(const double c[16])
{
    pliant__transform out;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) out.m[4 * i + k] = c[4 * k + i];
    return out;
}

/* ---- nodes ---- */

/* A rotation is of unit length (specification, 3.5.2); files round it. */
static bool make_unit(pliant__gltf_motion *m, const pliant__gltf_node *n, double q[4])
{
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0.9 && length < 1.1))
        return pliant__gltf_fail(&m->g, pliant__node_get(n->json, "rotation"), "is not a rotation: a quaternion has length 1");
    for (int k = 0; k < 4; k++) q[k] /= length;
    return true;
}

static bool read_place(pliant__gltf_motion *m, pliant__gltf_node *n)
{
    double columns[16];
    n->rest = (pliant__gltf_pose){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    n->has_matrix = pliant__node_get(n->json, "matrix") != NULL;
    if (!pliant__gltf_numbers(&m->g, n->json, "translation", 3, n->rest.translation) ||
        !pliant__gltf_numbers(&m->g, n->json, "rotation", 4, n->rest.rotation) ||
        !pliant__gltf_numbers(&m->g, n->json, "scale", 3, n->rest.scale) || !pliant__gltf_numbers(&m->g, n->json, "matrix", 16, columns))
        return false;
    if (!make_unit(m, n, n->rest.rotation)) return false;
    if (n->has_matrix) n->matrix = from_columns(columns);
    return true;
}

/* Numbers of the morph targets of a node's mesh, and where they are without an animation. */
static bool read_weights(pliant__gltf_motion *m, pliant__gltf_node *n)
{
    if (n->mesh == PLIANT__GLTF_NONE) return true;
    const pliant__node *mesh = pliant__gltf_at(&m->g, "meshes", n->mesh, n->json),
                       *primitives = mesh ? pliant__node_get(mesh, "primitives") : NULL;
    if (!mesh) return false;
    if (!primitives || primitives->type != PLIANT__NODE_LIST) return pliant__gltf_fail(&m->g, mesh, "needs primitives");
    for (const pliant__node *p = primitives->first; p; p = p->next) {
        const pliant__node *targets = p->type == PLIANT__NODE_MAP ? pliant__node_get(p, "targets") : NULL;
        if (targets && targets->type == PLIANT__NODE_LIST && targets->count > n->weight_count) n->weight_count = targets->count;
    }
    n->rest_weights = some(m, n->weight_count, sizeof *n->rest_weights);
    n->weights = some(m, n->weight_count, sizeof *n->weights);
    if (!n->rest_weights || !n->weights) return false;
    const pliant__node *own = pliant__node_get(n->json, "weights");
    return !n->weight_count || pliant__gltf_numbers(&m->g, own ? n->json : mesh, "weights", n->weight_count, n->rest_weights);
}

static bool read_node(pliant__gltf_motion *m, uint32_t index)
{
    pliant__gltf_node *n = &m->nodes[index];
    uint64_t           mesh = PLIANT__GLTF_NONE, skin = PLIANT__GLTF_NONE;
    n->json = pliant__gltf_at(&m->g, "nodes", index, NULL);
    if (!n->json || !pliant__gltf_index(&m->g, n->json, "mesh", pliant__gltf_count(&m->g, "meshes"), &mesh) ||
        !pliant__gltf_index(&m->g, n->json, "skin", pliant__gltf_count(&m->g, "skins"), &skin))
        return false;
    n->mesh = (uint32_t)mesh;
    n->skin = (uint32_t)skin;
    n->global = pliant__transform_identity();
    return read_place(m, n) && read_weights(m, n);
}

static bool child_number(pliant__gltf_motion *m, const pliant__node *n, uint32_t *child)
{
    if (n->type != PLIANT__NODE_NUMBER || !(n->number >= 0 && n->number < m->node_count) || (double)(uint32_t)n->number < n->number)
        return pliant__gltf_fail(&m->g, n, "is not a node: there are %u", m->node_count);
    *child = (uint32_t)n->number;
    return true;
}

/* A node's children, each of which must not have been seen, onto the stack, the first on top. */
static bool push_children(pliant__gltf_motion *m, uint32_t node, bool *seen, uint32_t *stack, uint32_t *depth)
{
    const pliant__node *children = pliant__node_get(m->nodes[node].json, "children");
    uint32_t            child = 0;
    if (!children) return true;
    if (children->type != PLIANT__NODE_LIST) return pliant__gltf_fail(&m->g, children, "must be a list");
    for (const pliant__node *n = children->first; n; n = n->next) {
        if (!child_number(m, n, &child)) return false;
        if (seen[child]) return pliant__gltf_fail(&m->g, n, "node %u is in the tree twice", child);
        seen[child] = true;
        m->nodes[child].parent = node;
    }
    *depth += children->count;
    for (const pliant__node *n = children->first; n; n = n->next)
        if (!child_number(m, n, &stack[*depth - 1 - n->index])) return false;
    return true;
}

/* Appends a node to the order, and behind it every node that hangs on it. */
static bool order_from(pliant__gltf_motion *m, uint32_t root, bool in_scene, bool *seen, uint32_t *stack)
{
    uint32_t depth = 0;
    if (seen[root]) return pliant__gltf_fail(&m->g, m->nodes[root].json, "node %u is in the tree twice", root);
    seen[root] = true;
    stack[depth++] = root;
    while (depth) {
        const uint32_t now = stack[--depth];
        m->order[m->order_count++] = now;
        m->nodes[now].in_scene = in_scene;
        if (!push_children(m, now, seen, stack, &depth)) return false;
    }
    return true;
}

/* The roots of the scene that is shown. NULL: there are no scenes. */
static bool find_roots(pliant__gltf_motion *m, const pliant__node **roots)
{
    const pliant__node *scenes = pliant__node_get(m->g.root, "scenes");
    uint64_t            number = 0;
    *roots = NULL;
    if (!scenes || scenes->type != PLIANT__NODE_LIST || !scenes->count) return true;
    if (!pliant__gltf_index(&m->g, m->g.root, "scene", scenes->count, &number)) return false;
    const pliant__node *scene = scenes->first;
    for (uint64_t i = 0; i < number; i++) scene = scene->next;
    *roots = scene->type == PLIANT__NODE_MAP ? pliant__node_get(scene, "nodes") : NULL;
    return (*roots && (*roots)->type == PLIANT__NODE_LIST) || pliant__gltf_fail(&m->g, scene, "the scene has no nodes");
}

/* The scene's nodes, and then those that are in no scene, for joints that are there. */
static bool order_nodes(pliant__gltf_motion *m)
{
    const pliant__node *roots;
    bool               *seen = some(m, m->node_count, sizeof *seen), *is_child = some(m, m->node_count, sizeof *is_child);
    uint32_t           *stack = some(m, m->node_count, sizeof *stack), root = 0;
    m->order = some(m, m->node_count, sizeof *m->order);
    if (!seen || !is_child || !stack || !m->order || !find_roots(m, &roots)) return false;
    for (uint32_t i = 0; i < m->node_count; i++) {
        const pliant__node *children = pliant__node_get(m->nodes[i].json, "children");
        for (const pliant__node *n = children ? children->first : NULL; n; n = n->next)
            if (n->type == PLIANT__NODE_NUMBER && n->number >= 0 && n->number < m->node_count) is_child[(uint32_t)n->number] = true;
    }
    for (const pliant__node *n = roots ? roots->first : NULL; n; n = n->next)
        if (!child_number(m, n, &root) || !order_from(m, root, true, seen, stack)) return false;
    for (uint32_t i = 0; i < m->node_count; i++)
        if (!seen[i] && !is_child[i] && !order_from(m, i, !roots, seen, stack)) return false;
    return m->order_count == m->node_count || pliant__gltf_fail(&m->g, NULL, "nodes that are children of each other in a circle");
}

static bool read_nodes(pliant__gltf_motion *m)
{
    m->node_count = pliant__gltf_count(&m->g, "nodes");
    m->nodes = some(m, m->node_count, sizeof *m->nodes);
    if (!m->nodes) return false;
    for (uint32_t i = 0; i < m->node_count; i++) m->nodes[i].parent = PLIANT__GLTF_NONE;
    for (uint32_t i = 0; i < m->node_count; i++)
        if (!read_node(m, i)) return false;
    return order_nodes(m);
}

/* ---- skins ---- */

static bool read_inverse(pliant__gltf_motion *m, const pliant__node *json, pliant__gltf_skin *s)
{
    uint64_t              number = PLIANT__GLTF_NONE;
    pliant__gltf_accessor a;
    for (uint32_t i = 0; i < s->count; i++) s->inverse[i] = pliant__transform_identity();
    if (!pliant__gltf_index(&m->g, json, "inverseBindMatrices", pliant__gltf_count(&m->g, "accessors"), &number)) return false;
    if (number == PLIANT__GLTF_NONE) return true;
    if (!pliant__gltf_accessor_open(&m->g, (uint32_t)number, json, 16, &a)) return false;
    if (a.count < s->count) return pliant__gltf_fail(&m->g, json, "fewer inverseBindMatrices than joints");
    for (uint32_t i = 0; i < s->count; i++) {
        double columns[16];
        for (uint32_t k = 0; k < 16; k++) columns[k] = pliant__gltf_get(&a, i, k);
        s->inverse[i] = from_columns(columns);
    }
    return true;
}

static bool read_skins(pliant__gltf_motion *m)
{
    m->skin_count = pliant__gltf_count(&m->g, "skins");
    m->skins = some(m, m->skin_count, sizeof *m->skins);
    if (!m->skins) return false;
    for (uint32_t i = 0; i < m->skin_count; i++) {
        pliant__gltf_skin  *s = &m->skins[i];
        const pliant__node *json = pliant__gltf_at(&m->g, "skins", i, NULL), *joints = json ? pliant__node_get(json, "joints") : NULL;
        if (!json) return false;
        if (!joints || joints->type != PLIANT__NODE_LIST || !joints->count) return pliant__gltf_fail(&m->g, json, "needs joints");
        s->count = joints->count;
        s->joints = some(m, s->count, sizeof *s->joints);
        s->inverse = some(m, s->count, sizeof *s->inverse);
        s->matrices = some(m, s->count, sizeof *s->matrices);
        if (!s->joints || !s->inverse || !s->matrices) return false;
        for (const pliant__node *n = joints->first; n; n = n->next)
            if (!child_number(m, n, &s->joints[n->index])) return false;
        if (!read_inverse(m, json, s)) return false;
    }
    return true;
}

/* ---- primitives ---- */

/* An attribute of `count` vertices; *there: whether it is said. */
static bool read_attribute(pliant__gltf_motion *m, const pliant__node *attributes, const char *name, uint32_t width, uint64_t count,
                           bool *there, pliant__gltf_accessor *out)
{
    uint64_t number = PLIANT__GLTF_NONE;
    if (!pliant__gltf_index(&m->g, attributes, name, pliant__gltf_count(&m->g, "accessors"), &number)) return false;
    *there = number != PLIANT__GLTF_NONE;
    if (!*there) return true;
    if (!pliant__gltf_accessor_open(&m->g, (uint32_t)number, attributes, width, out)) return false;
    return out->count == count || !count ||
           pliant__gltf_fail(&m->g, attributes, "%llu of %s where there are %llu vertices", (unsigned long long)out->count, name,
                             (unsigned long long)count);
}

static bool read_targets(pliant__gltf_motion *m, const pliant__node *primitive, pliant__gltf_part *part)
{
    const pliant__node *list = pliant__node_get(primitive, "targets");
    if (!list || list->type != PLIANT__NODE_LIST) return true;
    part->target = some(m, list->count, sizeof *part->target);
    if (!part->target) return false;
    part->targets = list->count;
    for (const pliant__node *n = list->first; n; n = n->next) {
        bool there = false;
        if (n->type != PLIANT__NODE_MAP) return pliant__gltf_fail(&m->g, n, "must be an object");
        if (!read_attribute(m, n, "POSITION", 3, part->position.count, &there, &part->target[n->index])) return false;
    }
    return true;
}

static bool check_joints(pliant__gltf_motion *m, const pliant__node *attributes, const pliant__gltf_part *part, uint32_t set)
{
    const uint32_t joints = m->skins[m->nodes[part->node].skin].count, component = part->joints[set].component;
    if (component != UNSIGNED_BYTE && component != UNSIGNED_SHORT)
        return pliant__gltf_fail(&m->g, attributes,
                                 "JOINTS_%u is of componentType %u: joints are of 5121 or 5123, unsigned bytes or shorts", set, component);
    for (uint64_t v = 0; v < part->position.count; v++)
        for (uint32_t k = 0; k < 4; k++) {
            const double weight = pliant__gltf_get(&part->weights[set], v, k);
            if (!(weight >= 0 && weight - weight == 0))
                return pliant__gltf_fail(&m->g, attributes, "vertex %llu has a weight in WEIGHTS_%u that is negative or not finite",
                                         (unsigned long long)v, set);
            if (pliant__gltf_get_whole(&part->joints[set], v, k) >= joints && weight > 0)
                return pliant__gltf_fail(&m->g, attributes, "vertex %llu has a joint that its skin has not", (unsigned long long)v);
        }
    return true;
}

static bool read_joints(pliant__gltf_motion *m, const pliant__node *attributes, pliant__gltf_part *part)
{
    if (m->nodes[part->node].skin == PLIANT__GLTF_NONE) return true;
    part->joints = some(m, attributes->count, sizeof *part->joints);
    part->weights = some(m, attributes->count, sizeof *part->weights);
    if (!part->joints || !part->weights) return false;
    for (uint32_t set = 0; set < attributes->count; set++) {
        char joints[24], weights[24];
        bool there, both;
        snprintf(joints, sizeof joints, "JOINTS_%u", set);
        snprintf(weights, sizeof weights, "WEIGHTS_%u", set);
        if (!read_attribute(m, attributes, joints, 4, part->position.count, &there, &part->joints[set]) ||
            !read_attribute(m, attributes, weights, 4, part->position.count, &both, &part->weights[set]))
            return false;
        if (!there || !both) break;
        part->sets++;
        if (!check_joints(m, attributes, part, set)) return false;
    }
    return true;
}

static bool read_part(pliant__gltf_motion *m, uint32_t node, const pliant__node *primitive, uint64_t *vertices)
{
    const pliant__node *attributes = primitive->type == PLIANT__NODE_MAP ? pliant__node_get(primitive, "attributes") : NULL;
    pliant__gltf_part  *part = &m->parts[m->part_count];
    bool                there = false;
    if (!attributes || attributes->type != PLIANT__NODE_MAP) return pliant__gltf_fail(&m->g, primitive, "needs attributes");
    *part = (pliant__gltf_part){.node = node};
    if (!read_attribute(m, attributes, "POSITION", 3, 0, &there, &part->position)) return false;
    if (!there || !part->position.count) return true;
    if (!part->position.data) return pliant__gltf_fail(&m->g, attributes, "its POSITION has no bufferView");
    *vertices += part->position.count;
    m->part_count++;
    if (*vertices > MOST_VERTICES) return pliant__gltf_fail(&m->g, attributes, "too many vertices");
    return read_targets(m, primitive, part) && read_joints(m, attributes, part);
}

static bool is_wanted(const pliant__gltf_motion *m, const pliant__gltf_node *n, const pliant__points_def *def)
{
    if (n->mesh == PLIANT__GLTF_NONE || !n->in_scene) return false;
    return !def || !def->object || strcmp(name_of(n->json), def->object) == 0 ||
           strcmp(name_of(m->g.lists[MESHES][n->mesh]), def->object) == 0;
}

static const pliant__node *primitives_of(const pliant__gltf_motion *m, const pliant__gltf_node *n)
{
    return pliant__node_get(m->g.lists[MESHES][n->mesh], "primitives");
}

static bool fail_object(const pliant__gltf_motion *m, const pliant__points_def *def)
{
    const char *first = "";
    for (uint32_t i = 0; i < m->order_count && !*first; i++)
        if (m->nodes[m->order[i]].mesh != PLIANT__GLTF_NONE) first = name_of(m->nodes[m->order[i]].json);
    if (!def || !def->object) return pliant__gltf_fail(&m->g, NULL, "there are no vertices in its scene");
    return pliant__gltf_fail(&m->g, NULL, "there is no mesh \"%.60s\" in its scene%s%.60s%s", def->object,
                             *first ? "; the first is \"" : "", first, *first ? "\"" : "");
}

static bool read_parts(pliant__gltf_motion *m, const pliant__points_def *def, uint64_t *vertices)
{
    uint64_t count = 0;
    *vertices = 0;
    for (uint32_t i = 0; i < m->node_count; i++)
        if (is_wanted(m, &m->nodes[i], def)) count += primitives_of(m, &m->nodes[i])->count;
    m->parts = some(m, count, sizeof *m->parts);
    if (!m->parts) return false;
    for (uint32_t i = 0; i < m->order_count; i++) {
        const uint32_t node = m->order[i];
        if (!is_wanted(m, &m->nodes[node], def)) continue;
        for (const pliant__node *p = primitives_of(m, &m->nodes[node])->first; p; p = p->next)
            if (!read_part(m, node, p, vertices)) return false;
    }
    return *vertices || fail_object(m, def);
}

/* ---- where vertices are ---- */

static void place_nodes(pliant__gltf_motion *m)
{
    for (uint32_t i = 0; i < m->order_count; i++) {
        pliant__gltf_node      *n = &m->nodes[m->order[i]];
        const pliant__transform own = n->has_matrix ? n->matrix : transform_of(&n->now);
        n->global = n->parent == PLIANT__GLTF_NONE ? own : pliant__transform_compose(&m->nodes[n->parent].global, &own);
    }
    for (uint32_t i = 0; i < m->skin_count; i++)
        for (uint32_t k = 0; k < m->skins[i].count; k++)
            m->skins[i].matrices[k] = pliant__transform_compose(&m->nodes[m->skins[i].joints[k]].global, &m->skins[i].inverse[k]);
}

static void morph(const pliant__gltf_part *p, const double *weights, uint64_t v, double x[3])
{
    for (uint32_t k = 0; k < 3; k++) x[k] = pliant__gltf_get(&p->position, v, k);
    for (uint32_t t = 0; t < p->targets; t++) {
        if ((!p->target[t].data && !p->target[t].sparse_count) || !(weights[t] < 0 || weights[t] > 0)) continue;
        for (uint32_t k = 0; k < 3; k++) x[k] += weights[t] * pliant__gltf_get(&p->target[t], v, k);
    }
}

/* Sums a place as each joint transforms it, by shares; false if none has a share. */
static bool bend(const pliant__gltf_skin *s, const pliant__gltf_part *p, uint64_t v, const double x[3], double out[3])
{
    double shares = 0, sum[3] = {0, 0, 0};
    for (uint32_t set = 0; set < p->sets; set++)
        for (uint32_t k = 0; k < 4; k++) {
            const double share = pliant__gltf_get(&p->weights[set], v, k);
            double       to[3];
            if (!(share > 0)) continue;
            pliant__transform_apply(&s->matrices[pliant__gltf_get_whole(&p->joints[set], v, k)], x, to);
            for (int i = 0; i < 3; i++) sum[i] += share * to[i];
            shares += share;
        }
    for (int i = 0; i < 3 && shares > 0; i++) out[i] = sum[i] / shares;
    return shares > 0;
}

static bool read_sample(const pliant__points *points, uint32_t sample, pliant_vec3 *out, pliant_error *error)
{
    pliant__gltf_motion *m = points->own;
    pliant__gltf_animate(m, points->times[sample]);
    place_nodes(m);
    for (uint32_t i = 0; i < m->part_count; i++) {
        const pliant__gltf_part *p = &m->parts[i];
        const pliant__gltf_node *n = &m->nodes[p->node];
        for (uint64_t v = 0; v < p->position.count; v++, out++) {
            double x[3], to[3];
            morph(p, n->weights, v, x);
            if (!p->sets || !bend(&m->skins[n->skin], p, v, x, to)) pliant__transform_apply(&n->global, x, to);
            if (!pliant__points_take(to[0], to[1], to[2], out))
                return pliant__points_refuse(points, *out, error, "vertex %llu at %.6g s", (unsigned long long)v, points->times[sample]);
        }
    }
    return true;
}

/* ---- samples ---- */

/* A sample per frame from when the animation begins, and one when it ends. */
static bool set_samples(pliant__points *points, const pliant__points_def *def, pliant_error *error)
{
    pliant__gltf_motion *m = points->own;
    const double         fps = def && def->fps > 0 ? def->fps : 60;
    double               from, to;
    m->frame = 1 / fps;
    pliant__gltf_span(m, &from, &to);
    const double frames = (to - from) * fps;
    if (!(frames < MOST_SAMPLES))
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, points->file.path, 0, "an animation of %.3g s, %.3g frames, is too long",
                               to - from, frames);
    points->samples = (uint32_t)ceil(frames - 1e-3) + 1;
    if (frames <= 1e-3) points->samples = to > from ? 2 : 1;
    points->times = malloc(points->samples * sizeof *points->times);
    points->numbers = malloc(points->samples * sizeof *points->numbers);
    if (!points->times || !points->numbers) return pliant__fail_memory(error, points->samples * 2 * sizeof *points->times, "times");
    for (uint32_t i = 0; i < points->samples; i++) {
        points->times[i] = i + 1 < points->samples || i == 0 ? from + i / fps : to;
        points->numbers[i] = points->times[i] * fps;
    }
    points->start = points->numbers[0];
    return true;
}

static bool open_gltf(pliant__points *points, const pliant__points_def *def, pliant_error *error)
{
    uint64_t             vertices = 0;
    pliant__gltf_motion *m = points->own = calloc(1, sizeof *m);
    if (!m) return pliant__fail_memory(error, sizeof *m, "an animated mesh");
    const pliant__gltf_beside beside = {def ? def->may_read : NULL, def ? def->context : NULL};
    if (!pliant__gltf_open(&m->g, points->file.path, points->bytes, (size_t)points->size, &beside, error) || !read_nodes(m) ||
        !read_skins(m) || !read_parts(m, def, &vertices) || !pliant__gltf_channels_read(m, def))
        return false;
    points->vertices = (uint32_t)vertices;
    points->unit = 1;
    points->up = 'y';
    return set_samples(points, def, error);
}

static void close_gltf(pliant__points *points)
{
    pliant__gltf_motion *m = points->own;
    if (m) pliant__gltf_close(&m->g);
    free(m);
}

const pliant__points_format pliant__points_gltf = {.ending = ".glb",
                                                   .other = ".gltf",
                                                   .in_memory = true,
                                                   .objects = true,
                                                   .animations = true,
                                                   .open = open_gltf,
                                                   .read = read_sample,
                                                   .close = close_gltf};
