/* A field takes seconds to compute and does not change with the rest of a scene, so it can be kept in a file. The file has a hash of the mesh that
 * the field was computed from; for another mesh the field is computed and written anew. Only files of this kind are written over. */
#include "io/scene/distances.h"

#include "base/vec.h"
#include "io/files/file.h"

#include <string.h>

#define MARGIN 2 /* cells, unless something else is said */

typedef struct request {
    const pliant__node    *node; /* for messages */
    const pliant_mesh_view mesh;
    pliant_real            cell, margin;
} request;

static bool compute(pliant__reader *r, const request *q, pliant_field *field)
{
    pliant_error inner = {0};
    return pliant_field_from_mesh(&q->mesh, q->cell, q->margin, field, &inner) == PLIANT_OK || pliant__blame(r, q->node, &inner);
}

/* Whether a file begins as a kept field does. */
static bool is_ours(const char *path, bool *kept)
{
    pliant__source    file;
    char              head[64];
    static const char none[8];
    const bool        read =
        pliant__source_open(&file, path, NULL) && file.size >= sizeof head && pliant__source_read(&file, 0, head, sizeof head, NULL);
    pliant__source_close(&file);
    *kept = read && memcmp(head, "PLIANTF", 8) == 0 && memcmp(head + 56, none, sizeof none) != 0;
    return *kept || !pliant__file_is_there(path);
}

static bool keep(pliant__reader *r, const request *q, const char *name, const char *path, pliant_field *field)
{
    pliant_error inner = {0};
    uint64_t     source;
    bool         kept;
    if (pliant_field_source(&q->mesh, q->cell, q->margin, &source, &inner) != PLIANT_OK) return pliant__blame(r, q->node, &inner);
    if (!is_ours(path, &kept))
        return pliant__complain(r, q->node, "%.60s is no field that was computed for a scene, and is not written over", name);
    if (kept && pliant_field_load(path, field, NULL) == PLIANT_OK) {
        if (field->source == source) return true;
        pliant_field_free(field);
    }
    return compute(r, q, field) && (pliant_field_write(path, field, &inner) == PLIANT_OK || pliant__blame(r, q->node, &inner));
}

static bool scale_points(pliant__reader *r, const pliant__node *node, pliant_mesh *mesh, pliant_real scale)
{
    for (size_t i = 0; i < 3 * mesh->vertex_count; i++) {
        mesh->positions[i] *= scale;
        if (!r_finite(mesh->positions[i])) return pliant__complain(r, node, "point %zu, scaled, is not finite", i / 3);
    }
    return true;
}

static bool from_mesh(pliant__reader *r, const pliant__node *node, const pliant__distance_spec *spec, const char *name,
                      pliant__mesh_spec *file, pliant_real scale, pliant_field *field)
{
    const pliant__node *at = pliant__node_get(node, "mesh"), *margin = pliant__node_get(node, "margin");
    pliant_mesh         mesh = {0};
    if (!(spec->cell > 0)) return pliant__complain(r, at, "a field of a mesh needs a \"cell\"");
    if (margin && spec->margin < spec->cell) return pliant__complain(r, margin, "the margin is at least a cell");
    file->sized = pliant__node_get(node, "scale") != NULL;
    bool ok = pliant__load_surface(r, at, name, file, &mesh) && scale_points(r, at, &mesh, scale);
    if (ok) {
        const request q = {at, pliant_mesh_view_from(&mesh), spec->cell, margin ? spec->margin : MARGIN * spec->cell};
        const char   *path = spec->cache ? pliant__read_path(r, pliant__node_get(node, "cache"), spec->cache) : NULL;
        ok = spec->cache ? path && keep(r, &q, spec->cache, path, field) : compute(r, &q, field);
    }
    pliant_mesh_free(&mesh);
    return ok;
}

/* Refuses keys that do not go with a field from a file. */
static bool check_alone(pliant__reader *r, const pliant__node *node)
{
    static const char *const others[] = {"mesh", "cell", "margin", "cache", "units", "up", "scale"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const pliant__node *other = pliant__node_get(node, others[i]);
        if (other) return pliant__complain(r, other, "the field is in a \"file\" already");
    }
    return true;
}

bool pliant__read_distances(pliant__reader *r, const pliant__node *node, const pliant__distance_spec *spec, const char *mesh,
                            pliant__mesh_spec *file, pliant_real scale, pliant_collider_def *def, pliant_field *field)
{
    bool ok;
    if (spec->file) {
        const pliant__node *at = pliant__node_get(node, "file");
        pliant_error        inner = {0};
        const char         *path;
        ok = check_alone(r, node) && (path = pliant__read_path(r, at, spec->file)) != NULL &&
             (pliant_field_load(path, field, &inner) == PLIANT_OK || pliant__blame(r, at, &inner));
    } else if (mesh)
        ok = from_mesh(r, node, spec, mesh, file, scale, field);
    else
        ok = pliant__complain(r, node, "a distance field needs a \"mesh\" and a \"cell\", or a \"file\"");
    if (ok) def->field = pliant_field_view_from(field);
    return ok;
}
