#include "io/mesh/gltf_uvs.h"

#include "base/array.h"
#include "base/clock.h"
#include "io/files/file.h"
#include "io/files/gltf.h"

#include <stdlib.h>
#include <string.h>

enum { FLOAT = 5126 };

/* Bytes that a vertex takes at least: three doubles from pliant-import, and two floats here. */
enum { OF_VERTEX = 32 };

/* The tree is walked twice: to count, and, where there are whole numbers, to take them. */
typedef struct walk {
    pliant__gltf             g;
    const char              *root; /* the folder that buffers lie in */
    const pliant_import_def *def;
    double                   until; /* of pliant__clock */
    uint32_t                *stack, count;
    bool                    *seen; /* per node: it is in the tree */
    uint64_t                 vertices;
    float                   *uvs;   /* NULL while counting */
    bool                     whole; /* some are whole numbers */
} walk;

static bool may_read(void *context, const char *path)
{
    const walk *w = context;
    return pliant__file_where(path, w->root) == PLIANT__INSIDE ||
           pliant__gltf_fail(&w->g, NULL, "%.60s lies outside the root folder", path);
}

static bool in_time(const walk *w)
{
    return pliant__clock() < w->until || pliant__gltf_fail(&w->g, NULL, "the reader of glTF took longer than %g s", w->def->seconds);
}

static bool open_attribute(const walk *w, const pliant__node *attributes, const char *key, uint32_t width, bool *there,
                           pliant__gltf_accessor *out)
{
    uint64_t index = UINT64_MAX;
    if (!pliant__gltf_index(&w->g, attributes, key, pliant__gltf_count(&w->g, "accessors"), &index)) return false;
    *there = index != UINT64_MAX;
    return !*there || pliant__gltf_accessor_open(&w->g, (uint32_t)index, attributes, width, out);
}

static bool take_uvs(const walk *w, const pliant__gltf_accessor *from, float *out)
{
    for (uint64_t v = 0; v < from->count; v++) {
        if (v % 65536 == 65535 && !in_time(w)) return false;
        const double u = pliant__gltf_get(from, v, 0), down = pliant__gltf_get(from, v, 1);
        out[2 * v] = (float)u;
        out[2 * v + 1] = (float)(1 - down);
    }
    return true;
}

static bool read_primitive(walk *w, const pliant__node *primitive)
{
    const pliant__node   *attributes = primitive->type == PLIANT__NODE_MAP ? pliant__node_get(primitive, "attributes") : NULL;
    pliant__gltf_accessor points, uvs;
    bool                  has_points, has_uvs;
    if (!attributes || attributes->type != PLIANT__NODE_MAP) return true; /* pliant-import refuses such a file */
    if (!open_attribute(w, attributes, "POSITION", 3, &has_points, &points) ||
        !open_attribute(w, attributes, "TEXCOORD_0", 2, &has_uvs, &uvs))
        return false;
    if (!has_points) return true;
    if (has_uvs && uvs.count != points.count)
        return pliant__gltf_fail(&w->g, attributes, "there are %llu texture coordinates for %llu vertices", (unsigned long long)uvs.count,
                                 (unsigned long long)points.count);
    if (points.count > UINT64_MAX / OF_VERTEX - w->vertices) return pliant__gltf_fail(&w->g, attributes, "too many vertices");
    w->whole = w->whole || (has_uvs && uvs.component != FLOAT);
    if (w->uvs && has_uvs && !take_uvs(w, &uvs, w->uvs + 2 * w->vertices)) return false;
    w->vertices += points.count;
    return true;
}

static bool read_node(walk *w, const pliant__node *node)
{
    uint64_t mesh = UINT64_MAX;
    if (!pliant__gltf_index(&w->g, node, "mesh", pliant__gltf_count(&w->g, "meshes"), &mesh)) return false;
    if (mesh == UINT64_MAX) return true;
    const pliant__node *m = pliant__gltf_at(&w->g, "meshes", (uint32_t)mesh, node), *list = m ? pliant__node_get(m, "primitives") : NULL;
    if (!m) return false;
    for (const pliant__node *p = list ? list->first : NULL; p; p = p->next)
        if (!in_time(w) || !read_primitive(w, p)) return false;
    return true;
}

/* Onto the stack, the first on top. Each node is in the tree once, so there is room. */
static bool push(walk *w, const pliant__node *list)
{
    const uint32_t nodes = pliant__gltf_count(&w->g, "nodes");
    if (!list || list->type != PLIANT__NODE_LIST) return true;
    if (list->count > nodes - w->count) return pliant__gltf_fail(&w->g, list, "a node is in the tree twice");
    uint32_t i = w->count += list->count;
    for (const pliant__node *n = list->first; n; n = n->next) {
        if (n->type != PLIANT__NODE_NUMBER || !(n->number >= 0 && n->number < nodes))
            return pliant__gltf_fail(&w->g, n, "no number of a node");
        const uint32_t node = (uint32_t)n->number;
        if (w->seen[node]) return pliant__gltf_fail(&w->g, n, "a node is in the tree twice");
        w->seen[node] = true;
        w->stack[--i] = node;
    }
    return true;
}

static bool walk_nodes(walk *w)
{
    const pliant__node *scenes = pliant__node_get(w->g.root, "scenes"), *scene = scenes ? scenes->first : NULL;
    uint64_t            number = 0;
    w->vertices = 0;
    memset(w->seen, 0, pliant__gltf_count(&w->g, "nodes") * sizeof *w->seen);
    if (!pliant__gltf_index(&w->g, w->g.root, "scene", scenes ? scenes->count : 0, &number)) return false;
    for (; scene && number; number--) scene = scene->next;
    if (!scene || scene->type != PLIANT__NODE_MAP) return true;
    if (!push(w, pliant__node_get(scene, "nodes"))) return false;
    while (w->count) {
        const pliant__node *node = pliant__gltf_at(&w->g, "nodes", w->stack[--w->count], NULL);
        if (!in_time(w) || !node || !read_node(w, node) || !push(w, pliant__node_get(node, "children"))) return false;
    }
    return true;
}

static bool make_room(walk *w)
{
    const size_t nodes = pliant__gltf_count(&w->g, "nodes");
    w->stack = pliant__alloc_array(NULL, nodes + 1, sizeof *w->stack);
    w->seen = pliant__alloc_array(NULL, nodes + 1, sizeof *w->seen);
    return (w->stack && w->seen) || pliant__fail_memory(w->g.error, nodes * sizeof *w->stack, "nodes");
}

/* Where all are floats, there is nothing to take, and pliant-import bounds their number. */
static bool read_tree(walk *w)
{
    if (!make_room(w) || !walk_nodes(w)) return false;
    if (!w->whole) return true;
    if (w->vertices > w->def->memory / OF_VERTEX) return pliant__gltf_fail(&w->g, NULL, "its reader needs more memory than it may have");
    if (w->vertices > UINT32_MAX / 8) return pliant__gltf_fail(&w->g, NULL, "too many vertices");
    w->uvs = pliant__alloc_array(NULL, 2 * (size_t)w->vertices + 1, sizeof *w->uvs);
    if (!w->uvs) return pliant__fail_memory(w->g.error, 2 * (size_t)w->vertices * sizeof *w->uvs, "texture coordinates");
    memset(w->uvs, 0, 2 * (size_t)w->vertices * sizeof *w->uvs);
    return walk_nodes(w);
}

/* How many bytes a character of a name in JSON takes that is `c`, as it is or as \u and four digits; 0: it is another one. */
static size_t length_of(const char *at, size_t left, char c)
{
    static const char digits[] = "0123456789abcdef";
    unsigned          code = 0;
    if (left && *at == c) return 1;
    if (left < 6 || at[0] != '\\' || at[1] != 'u') return 0;
    for (int i = 2; i < 6; i++) {
        const char *digit = memchr(digits, at[i] >= 'A' && at[i] <= 'F' ? at[i] - 'A' + 'a' : at[i], sizeof digits - 1);
        if (!digit) return 0;
        code = 16 * code + (unsigned)(digit - digits);
    }
    return code == (unsigned char)c ? 6 : 0;
}

/* A file without such coordinates, or one that only pliant-import reads, is left to it. */
static bool has_some(const char *bytes, size_t size)
{
    static const char word[] = "TEXCOORD_0";
    for (size_t i = 0; i < size; i++) {
        size_t at = i, length = 1;
        if (bytes[i] != 'T' && bytes[i] != '\\') continue;
        for (size_t k = 0; k < sizeof word - 1 && length; k++) at += length = length_of(bytes + at, size - at, word[k]);
        if (length) return true;
    }
    return false;
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t      length = slash ? (size_t)(slash - path) + (slash == path) : 1;
    char       *out = malloc(length + 1);
    if (!out) return NULL;
    memcpy(out, slash ? path : ".", length);
    out[length] = 0;
    return out;
}

bool pliant__gltf_uvs(const char *path, const pliant_import_def *def, float **uvs, uint64_t *vertices, pliant_error *error)
{
    walk                      w = {.def = def, .until = pliant__clock() + def->seconds};
    const pliant__gltf_beside from = {.may_read = may_read, .context = &w};
    size_t                    size;
    *uvs = NULL;
    char *bytes = pliant__file_read(path, &size, error), *folder = bytes ? folder_of(path) : NULL;
    if (!bytes) return false;
    w.root = def->root ? def->root : folder;
    bool ok = folder != NULL || pliant__fail_memory(error, strlen(path), "a path");
    if (ok && has_some(bytes, size)) {
        ok = pliant__gltf_open(&w.g, path, bytes, size, &from, error) && read_tree(&w);
        pliant__gltf_close(&w.g);
    }
    if (ok && w.whole) {
        *vertices = w.vertices;
        *uvs = w.uvs;
        w.uvs = NULL;
    }
    pliant__free(NULL, w.uvs);
    pliant__free(NULL, w.stack);
    pliant__free(NULL, w.seen);
    free(folder);
    free(bytes);
    return ok;
}
