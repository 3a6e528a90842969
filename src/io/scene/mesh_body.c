#include "io/scene/mesh_body.h"

#include "base/vec.h"
#include "io/files/file.h"
#include "io/mesh/surface.h"
#include "io/mesh/tets.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys ---- */

static const char *const unit_words[] = {"mm", "cm", "m", "in", NULL};
static const double      unit_metres[] = {1e-3, 1e-2, 1, 0.0254};
static const char *const up_words[] = {"y", "z", NULL};

const char pliant__units_schema[] =
    "{\"oneOf\": [{\"enum\": [\"mm\", \"cm\", \"m\", \"in\"]}, {\"type\": \"number\", \"exclusiveMinimum\": 0}]}";
const char pliant__up_schema[] = "{\"enum\": [\"y\", \"z\"]}";

bool pliant__read_units(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    uint32_t word;
    (void)key;
    if (node->type == PLIANT__NODE_NUMBER) return pliant__read_number(r, node, 0, 1e9, true, field);
    if (!pliant__read_word(r, node, unit_words, &word)) return false;
    *(double *)field = unit_metres[word];
    return true;
}

bool pliant__read_up(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field)
{
    uint32_t word;
    (void)key;
    if (!pliant__read_word(r, node, up_words, &word)) return false;
    *(uint32_t *)field = (uint32_t)up_words[word][0];
    return true;
}

bool pliant__read_weld(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *spec)
{
    pliant__mesh_spec *s = spec;
    (void)key;
    s->weld = true;
    s->weld_exactly = node->type == PLIANT__NODE_NUMBER;
    if (node->type == PLIANT__NODE_NUMBER) return pliant__read_real(r, node, 0, DBL_MAX, false, &s->weld_distance);
    if (node->type != PLIANT__NODE_BOOL) return pliant__expected(r, node, "true, false or a distance");
    return pliant__read_bool(r, node, &s->weld);
}

/* ---- files ---- */

static char *mesh_path(pliant__reader *r, const char *name)
{
    size_t folder = name[0] == '/' ? 0 : strlen(r->folder), length = strlen(name);
    bool   slash = folder && r->folder[folder - 1] != '/';
    char  *path = pliant__read_memory(r, folder + length + 2, 1);
    if (!path) return NULL;
    memcpy(path, r->folder, folder);
    if (slash) path[folder] = '/';
    memcpy(path + folder + slash, name, length);
    return path;
}

static const char *root_of(const pliant__reader *r) { return r->def->root ? r->def->root : *r->folder ? r->folder : "."; }

/* A scene from elsewhere reads only files that came with it. */
bool pliant__may_read(pliant__reader *r, const pliant__node *node, const char *name, const char *path)
{
    switch (pliant__file_where(path, root_of(r))) {
    case PLIANT__INSIDE:
        if (r->def->reads) r->def->reads(path, r->def->reads_context);
        return true;
    case PLIANT__NO_MEMORY: return pliant__fail_memory(r->error, strlen(path), "a path");
    case PLIANT__NO_FILE: return pliant__complain(r, node, "%.60s: a folder, a pipe or a device, not a file", name);
    default:
        return pliant__complain(r, node, "%.60s lies outside %s (--root DIR allows what is in DIR)", name,
                                r->def->root ? "the root folder" : "the scene's folder");
    }
}

char *pliant__read_path(pliant__reader *r, const pliant__node *node, const char *name)
{
    char *path = mesh_path(r, name);
    return path && pliant__may_read(r, node, name, path) ? path : NULL;
}

/* ---- metres, y up ---- */

static double extent_of(const pliant_real *x, size_t vertices)
{
    double largest = 0;
    for (size_t k = 0; k < 3 && vertices; k++) {
        double low = (double)x[k], high = low;
        for (size_t v = 1; v < vertices; v++) {
            const double c = (double)x[3 * v + k];
            low = c < low ? c : low;
            high = c > high ? c : high;
        }
        largest = high - low > largest ? high - low : largest;
    }
    return largest;
}

/* A guess is only noted, and never acted upon. */
static void notice_size(pliant__reader *r, const pliant__node *node, const char *name, double extent)
{
    if (extent > 50) {
        const bool cm = extent <= 500;
        pliant__notice(r, node, "%.60s: %.4g across; taken as metres; say \"units\": \"%s\" if it is in %s", name, extent, cm ? "cm" : "mm",
                       cm ? "centimetres" : "millimetres");
    } else if (extent > 0 && extent < 1e-3) {
        pliant__notice(r, node, "%.60s: %.4g across; taken as metres; say \"units\" if it is in something larger", name, extent);
    }
}

static void notice_frame(pliant__reader *r, const pliant__node *node, const char *name, const pliant__mesh_spec *s, double unit, char up)
{
    const bool differs = unit < s->unit || unit > s->unit;
    if (s->unit > 0 && unit > 0 && differs)
        pliant__notice(r, node, "%.60s: its unit is %.6g m by itself; \"units\" overrules that", name, unit);
    if (s->unit <= 0 && unit > 0 && (unit < 1 || unit > 1))
        pliant__notice(r, node, "%.60s: its unit is %.6g m, as the file says", name, unit);
    if (s->up == 'z' && up == 'y') pliant__notice(r, node, "%.60s: it is y up by itself; \"up\": \"z\" turns it over all the same", name);
    if (!s->up && up == 'x')
        pliant__notice(r, node, "%.60s: neither y nor z is up, as the file says; it is taken as it is (\"rotation\" turns it)", name);
    if (!s->up && up == 'z') pliant__notice(r, node, "%.60s: z is up, as the file says; it is turned", name);
}

/* Units and axes of the body, else of the file, else numbers as they are. */
static bool settle_frame(pliant__reader *r, const pliant__node *node, const char *name, const pliant__mesh_spec *s, double unit, char up,
                         pliant_real *x, size_t vertices)
{
    pliant_error inner = {0};
    notice_frame(r, node, name, s, unit, up);
    if (s->unit <= 0 && unit <= 0 && !s->sized) notice_size(r, node, name, extent_of(x, vertices));
    return pliant_positions_convert(x, vertices, s->unit > 0 ? s->unit : unit, s->up ? (char)s->up : up, &inner) == PLIANT_OK ||
           pliant__blame(r, node, &inner);
}

/* ---- reading ---- */

static void notice_surface(pliant__reader *r, const pliant__node *node, const char *name, const pliant_mesh *mesh)
{
    if (!mesh->in_order)
        pliant__notice(r, node,
                       "%.60s: its vertices are numbered as its reader numbers them, not as the file does; a cache fits the mesh that -o "
                       "FOLDER/ writes",
                       name);
    if (mesh->left_out)
        pliant__notice(r, node, "%.60s: %zu points, lines, or faces with a vertex twice are left out", name, mesh->left_out);
}

static bool load_surface(pliant__reader *r, const pliant__node *node, const char *name, const char *path, bool uvs, pliant_mesh *mesh)
{
    bool              ok;
    pliant_error      inner = {0};
    pliant_import_def import = r->def->import ? *r->def->import : pliant_import_def_default();
    if (!import.root) import.root = root_of(r);
    import.uvs = uvs;
    import.as_is = true; /* faces that have a vertex twice are left out later on, and counted */
    char *beside = pliant__surface_part(path, &ok);
    if (!ok) return pliant__fail_memory(r->error, strlen(path), "a path");
    ok = pliant__may_read(r, node, name, path) && (!beside || pliant__may_read(r, node, name, beside));
    free(beside);
    return ok && (pliant_mesh_import(path, &import, mesh, &inner) == PLIANT_OK || pliant__blame(r, node, &inner));
}

bool pliant__load_surface(pliant__reader *r, const pliant__node *node, const char *name, const pliant__mesh_spec *spec, pliant_mesh *mesh)
{
    char known[256], *path = mesh_path(r, name);
    if (!path) return false;
    if (pliant__is_tets(name)) return pliant__complain(r, node, "%.60s has tetrahedra; here a surface (.obj) is needed", name);
    pliant__surface_endings(known, sizeof known);
    if (!pliant__is_surface(name)) return pliant__complain(r, node, "%.60s: unknown mesh format (known are %s)", name, known);
    if (!load_surface(r, node, name, path, spec->uvs, mesh)) return false;
    notice_surface(r, node, name, mesh);
    return settle_frame(r, node, name, spec, mesh->unit, mesh->up, mesh->positions, mesh->vertex_count);
}

static bool may_read_parts(pliant__reader *r, const pliant__node *node, const char *name, const char *path)
{
    bool ok = true;
    for (int k = 0; ok; k++) {
        char *one = pliant__tets_part(path, k, &ok);
        if (!ok) return pliant__fail_memory(r->error, strlen(path), "a path");
        if (!one) break;
        ok = pliant__may_read(r, node, name, one);
        free(one);
    }
    return ok;
}

static void notice_tets(pliant__reader *r, const pliant__node *node, const char *name, const pliant_tets *tets)
{
    if (tets->other_count)
        pliant__notice(r, node, "%.60s: %zu elements that are no tetrahedra are left out; %zu tetrahedra are taken", name,
                       tets->other_count, tets->tetrahedron_count);
    if (tets->curved_count)
        pliant__notice(r, node, "%.60s: of %zu tetrahedra of higher order the corners are taken", name, tets->curved_count);
}

bool pliant__load_tets(pliant__reader *r, const pliant__node *node, const char *name, const pliant__mesh_spec *spec, pliant_tets *tets)
{
    pliant_error inner = {0};
    char         known[64], *path = mesh_path(r, name);
    if (!path) return false;
    if (pliant__is_surface(name))
        return pliant__complain(r, node, "%.60s is a surface; a soft body needs tetrahedra (pliant mesh makes them of a surface)", name);
    pliant__tets_endings(known, sizeof known);
    if (!pliant__is_tets(name)) return pliant__complain(r, node, "%.60s: unknown mesh format (known are %s)", name, known);
    if (!may_read_parts(r, node, name, path)) return false;
    if (pliant_tets_load(path, tets, &inner) != PLIANT_OK) return pliant__blame(r, node, &inner);
    notice_tets(r, node, name, tets);
    return settle_frame(r, node, name, spec, 0, 0, tets->positions, tets->vertex_count);
}

/* ---- welding ---- */

static bool weld(pliant__reader *r, const pliant__node *node, const char *name, const pliant__mesh_spec *spec, const pliant_mesh *mesh,
                 uint32_t *place)
{
    pliant_error           inner = {0};
    const pliant_mesh_view view = pliant_mesh_view_from(mesh);
    const size_t           vertices = mesh->vertex_count;
    size_t                 places;
    if (pliant_mesh_weld(&view, spec->weld_distance, place, &places, &inner) != PLIANT_OK) return pliant__blame(r, node, &inner);
    if (places < vertices)
        pliant__notice(r, node, "%.60s: %zu vertices at %zu places are welded; all %zu are written out", name, vertices, places, vertices);
    return true;
}

bool pliant__notice_weld(pliant__reader *r, const pliant__node *node, const char *name, const pliant__mesh_spec *spec,
                         const pliant_mesh *mesh)
{
    if (!spec->weld && mesh->loose)
        pliant__notice(r, node, "%.60s: no two faces share a vertex, and it is not welded: it falls apart", name);
    if (!spec->weld || (mesh->in_order && !mesh->loose && !(spec->weld_distance > 0))) return true;
    uint32_t *place = pliant__alloc_array(NULL, mesh->vertex_count, sizeof *place);
    if (!place) return pliant__fail_memory(r->error, mesh->vertex_count * sizeof *place, "welding");
    const bool ok = weld(r, node, name, spec, mesh, place);
    pliant__free(NULL, place);
    return ok;
}

void pliant__notice_count(pliant__reader *r, const pliant__node *node, const char *name, uint32_t count, const char *one, const char *many)
{
    if (count) pliant__notice(r, node, "%.60s%s%u %s", name ? name : "", name ? ": " : "", count, count == 1 ? one : many);
}

/* A distance of two digits, larger by a tenth at the least but for rounding. */
static double round_up(double distance)
{
    double digit = 1;
    if (!(distance > 0)) return 0;
    while (digit * 10 > distance) digit /= 10;
    while (digit * 100 <= distance) digit *= 10;
    const double times = 1.1 * distance / digit - 1e-3, whole = (double)(int)times; /* 11 to 110 */
    return (whole < times ? whole + 1 : whole) * digit;
}

void pliant__notice_joined(pliant__reader *r, const pliant__node *node, const char *name, pliant_mended m, bool welds)
{
    const char *stop = name ? ": " : "", *of = name ? name : "";
    if (m.joined)
        pliant__notice(r, node, "%.60s%s%u vert%s nearly, %.2g m apart at the most, and %s joined%s", of, stop, m.joined,
                       m.joined == 1 ? "ex coincides with another one" : "ices coincide with another one", (double)m.gap,
                       m.joined == 1 ? "is" : "are", welds ? " (\"weld\": 0 leaves them apart)" : "");
    if (!m.near) return;
    pliant__notice(r, node, "%.60s%s%u vert%s open edges nearly coincide%s with another one, and %s left apart; %s%.2g%s", of, stop, m.near,
                   m.near == 1 ? "ex at" : "ices at", m.near == 1 ? "s" : "", m.near == 1 ? "is" : "are",
                   welds ? "\"weld\": " : "they are ", welds ? round_up((double)m.weld) : (double)m.weld,
                   welds ? " joins them" : " m apart at the most: join them where the mesh was made");
}
