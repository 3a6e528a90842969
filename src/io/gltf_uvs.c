#include "io/gltf_uvs.h"

#include "base/array.h"
#include "io/file.h"
#include "io/gltf.h"

#include <stdlib.h>
#include <string.h>

enum { FLOAT = 5126 };

typedef struct walk {
    pliant__gltf g;
    const char  *root; /* the folder that buffers lie in */
    ARRAY(uint32_t) stack;
    ARRAY(float) uvs;
    bool whole; /* some are whole numbers */
} walk;

static bool may_read(void *context, const char *path)
{
    const walk *w = context;
    return pliant__file_where(path, w->root) == PLIANT__INSIDE ||
           pliant__gltf_fail(&w->g, NULL, "%.60s lies outside the root folder", path);
}

static bool fail_memory(const walk *w) { return pliant__fail_memory(w->g.error, w->uvs.count * sizeof(float), "texture coordinates"); }

static bool open_attribute(const walk *w, const pliant__node *attributes, const char *key, uint32_t width, bool *there,
                           pliant__gltf_accessor *out)
{
    uint64_t index = UINT64_MAX;
    if (!pliant__gltf_index(&w->g, attributes, key, pliant__gltf_count(&w->g, "accessors"), &index)) return false;
    *there = index != UINT64_MAX;
    return !*there || pliant__gltf_accessor_open(&w->g, (uint32_t)index, attributes, width, out);
}

static bool read_primitive(walk *w, const pliant__node *primitive)
{
    const pliant__node   *attributes = primitive->type == PLIANT__NODE_MAP ? pliant__node_get(primitive, "attributes") : NULL;
    pliant__gltf_accessor points, uvs;
    bool                  has_points, has_uvs;
    if (!attributes || attributes->type != PLIANT__NODE_MAP) return true; /* the reader of the rest says so */
    if (!open_attribute(w, attributes, "POSITION", 3, &has_points, &points) ||
        !open_attribute(w, attributes, "TEXCOORD_0", 2, &has_uvs, &uvs))
        return false;
    if (!has_points) return true;
    if (has_uvs && uvs.count != points.count)
        return pliant__gltf_fail(&w->g, attributes, "there are %llu texture coordinates for %llu vertices", (unsigned long long)uvs.count,
                                 (unsigned long long)points.count);
    if (points.count > UINT32_MAX / 8 - w->uvs.count / 2) return pliant__gltf_fail(&w->g, attributes, "too many vertices");
    float *out = array_extend(NULL, &w->uvs, 2 * points.count);
    if (!out) return fail_memory(w);
    w->whole = w->whole || (has_uvs && uvs.component != FLOAT);
    for (uint64_t v = 0; has_uvs && v < uvs.count; v++) {
        const double u = pliant__gltf_get(&uvs, v, 0), down = pliant__gltf_get(&uvs, v, 1);
        out[2 * v] = (float)u;
        out[2 * v + 1] = (float)(1 - down);
    }
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
        if (!read_primitive(w, p)) return false;
    return true;
}

/* Onto the stack, the first on top. */
static bool push(walk *w, const pliant__node *list)
{
    const uint32_t nodes = pliant__gltf_count(&w->g, "nodes");
    const size_t   at = w->stack.count;
    if (!list || list->type != PLIANT__NODE_LIST) return true;
    if (!array_extend(NULL, &w->stack, list->count)) return fail_memory(w);
    size_t i = w->stack.count;
    for (const pliant__node *n = list->first; n && i > at; n = n->next) {
        if (n->type != PLIANT__NODE_NUMBER || !(n->number >= 0 && n->number < nodes))
            return pliant__gltf_fail(&w->g, n, "no number of a node");
        w->stack.data[--i] = (uint32_t)n->number;
    }
    return true;
}

/* Each node is in the tree once. */
static bool walk_nodes(walk *w)
{
    const pliant__node *scenes = pliant__node_get(w->g.root, "scenes"), *scene = scenes ? scenes->first : NULL;
    uint64_t            number = 0;
    uint32_t            left = pliant__gltf_count(&w->g, "nodes");
    if (!pliant__gltf_index(&w->g, w->g.root, "scene", scenes ? scenes->count : 0, &number)) return false;
    for (; scene && number; number--) scene = scene->next;
    if (!scene || scene->type != PLIANT__NODE_MAP) return true;
    if (!push(w, pliant__node_get(scene, "nodes"))) return false;
    for (; w->stack.count; left--) {
        const pliant__node *node = pliant__gltf_at(&w->g, "nodes", w->stack.data[--w->stack.count], NULL);
        if (!left) return pliant__gltf_fail(&w->g, NULL, "a node is in the tree twice");
        if (!node || !read_node(w, node) || !push(w, pliant__node_get(node, "children"))) return false;
    }
    return true;
}

/* A file without them, or one that only the other reader takes, is none of this one's. */
static bool has_some(const char *bytes, size_t size)
{
    static const char word[] = "TEXCOORD_0";
    for (size_t i = 0; i + sizeof word - 1 <= size; i++)
        if (bytes[i] == 'T' && memcmp(bytes + i, word, sizeof word - 1) == 0) return true;
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
    walk                     w = {.whole = false};
    const pliant__points_def from = {.may_read = may_read, .context = &w};
    size_t                   size;
    *uvs = NULL;
    char *bytes = pliant__file_read(path, &size, error), *folder = bytes ? folder_of(path) : NULL;
    if (!bytes) return false;
    w.root = def->root ? def->root : folder;
    bool ok = folder != NULL || pliant__fail_memory(error, strlen(path), "a path");
    if (ok && has_some(bytes, size)) {
        ok = pliant__gltf_open(&w.g, path, bytes, size, &from, error) && walk_nodes(&w);
        pliant__gltf_close(&w.g);
    }
    if (ok && w.whole) {
        *vertices = w.uvs.count / 2;
        *uvs = w.uvs.data;
        w.uvs.data = NULL;
    }
    pliant__free(NULL, w.uvs.data);
    array_free(NULL, &w.stack);
    free(folder);
    free(bytes);
    return ok;
}
