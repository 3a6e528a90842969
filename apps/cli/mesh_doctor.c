/* pliant mesh --doctor and --mend. */
#include "mesh.h"

#include <stdio.h>
#include <string.h>

typedef struct patient {
    bool               is_tets;
    pliant_mesh        surface;
    pliant_tets        tets;
    pliant_examination found;
} patient;

bool mesh_is_tets(const char *path)
{
    static const char *const endings[] = {".node", ".ele", ".msh", ".vtk"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (cli_ends_with(path, endings[i])) return true;
    return false;
}

static bool examine(patient *p, pliant_error *error)
{
    const pliant_mesh_view surface = pliant_mesh_view_from(&p->surface);
    const pliant_tet_view  tets = pliant_tet_view_from(&p->tets);
    return p->is_tets ? pliant_tets_examine(&tets, &p->found, error) == PLIANT_OK
                      : pliant_mesh_examine(&surface, &p->found, error) == PLIANT_OK;
}

static const pliant_real *position(const patient *p, uint32_t vertex)
{
    return (p->is_tets ? p->tets.positions : p->surface.positions) + 3 * (size_t)vertex;
}

/* Whether duplicate vertices are the format's: it has no vertices that faces share, or its reader splits them. A scene welds them, so they are only
 * noted. */
static bool is_format(const patient *p, pliant_finding kind)
{
    return kind == PLIANT_FINDING_DUPLICATE_VERTICES && !p->is_tets && (p->surface.loose || !p->surface.in_order);
}

static bool is_note(const patient *p, pliant_finding kind) { return pliant_finding_describe(kind)->note || is_format(p, kind); }

static bool is_good(const patient *p)
{
    for (int i = 0; i < PLIANT_FINDING_COUNT; i++)
        if (p->found.count[i] && !is_note(p, (pliant_finding)i)) return false;
    return true;
}

/* ---- in words ---- */

static void print_size(const patient *p, const char *path)
{
    const pliant_examination *e = &p->found;
    printf("%s: ", path);
    if (p->is_tets)
        printf("%zu vertices, %zu tetrahedra", p->tets.vertex_count, p->tets.tetrahedron_count);
    else
        printf("%zu vertices, %zu triangles, %zu quads", p->surface.vertex_count, p->surface.triangle_count, p->surface.quad_count);
    printf(", %u part%s, %.4g x %.4g x %.4g m", e->parts, e->parts == 1 ? "" : "s", e->high[0] - e->low[0], e->high[1] - e->low[1],
           e->high[2] - e->low[2]);
    if (p->is_tets)
        printf(", %.4g m3, dihedral angles from %.1f to %.1f degrees\n", e->volume, e->least_angle, e->greatest_angle);
    else if (!e->count[PLIANT_FINDING_OPEN_EDGES])
        printf(", %.4g m2, %.4g m3\n", e->area, e->volume);
    else
        printf(", %.4g m2\n", e->area);
}

static void print_finding(const patient *p, pliant_finding kind)
{
    const pliant_examination  *e = &p->found;
    const pliant_finding_info *info = pliant_finding_describe(kind);
    printf("  %s", info->name);
    if (!info->note) printf(": %llu", (unsigned long long)e->count[kind]);
    if (kind == PLIANT_FINDING_OPEN_EDGES) printf(" around %u hole%s", e->loops, e->loops == 1 ? "" : "s");
    if (e->vertex_count[kind]) {
        const pliant_real *x = position(p, e->vertices[kind][0]);
        printf(", the first at vert%s", e->vertex_count[kind] == 1 ? "ex" : "ices");
        for (uint32_t i = 0; i < e->vertex_count[kind]; i++) printf(" %u", e->vertices[kind][i]);
        printf(" (%.4g, %.4g, %.4g)", (double)x[0], (double)x[1], (double)x[2]);
    }
    printf(". %c%s", info->text[0] - (info->text[0] >= 'a' && info->text[0] <= 'z' ? 32 : 0), info->text + 1);
    if (is_format(p, kind)) printf(", as the format has them, and a scene welds them");
    if (info->mended && !p->is_tets) printf("; --mend %s", info->mended); /* it is for surfaces */
    printf("\n");
}

static void print_findings(const patient *p)
{
    bool none = true;
    for (int i = 0; i < PLIANT_FINDING_COUNT; i++)
        if (p->found.count[i]) {
            print_finding(p, (pliant_finding)i);
            none = false;
        }
    if (none) printf("  nothing is wrong\n");
}

/* Counts of mending, a row each. */
typedef struct deed {
    const char *name, *text; /* of the JSON; in words */
    size_t      offset;
} deed;

static const deed deeds[] = {
    {"welded", "vertices welded to another one at their place", offsetof(pliant_mending, welded)},
    {"removed", "faces without area taken out", offsetof(pliant_mending, removed)},
    {"duplicates", "duplicate faces taken out", offsetof(pliant_mending, duplicates)},
    {"moved", "edges of slivers moved", offsetof(pliant_mending, moved)},
    {"turned", "faces turned like their neighbours", offsetof(pliant_mending, turned)},
    {"parts", "parts turned right side out", offsetof(pliant_mending, parts)},
    {"holes", "holes filled", offsetof(pliant_mending, holes)},
    {"added", "triangles added for that", offsetof(pliant_mending, added)},
    {"unused", "unused vertices taken out", offsetof(pliant_mending, unused)},
};

enum { DEEDS = sizeof deeds / sizeof *deeds };

static unsigned long long count_of(const pliant_mending *done, int i)
{
    uint64_t count;
    memcpy(&count, (const char *)done + deeds[i].offset, sizeof count);
    return count;
}

static void print_done(const mesh_options *o, const pliant_mending *done)
{
    bool none = true;
    for (int i = 0; i < DEEDS; i++)
        if (count_of(done, i)) {
            printf("  mended: %s: %llu\n", deeds[i].text, count_of(done, i));
            none = false;
        }
    if (o->scale < 1 || o->scale > 1)
        printf("  scaled by %g\n", o->scale);
    else if (none)
        printf("  nothing to mend\n");
    if (done->welded || done->unused)
        printf("  %llu vertices are gone, so those behind them have other numbers; their order is the same\n",
               (unsigned long long)(done->welded + done->unused));
}

/* ---- as JSON ---- */

static void print_json(const mesh_options *o, const patient *p, const pliant_mending *done)
{
    const pliant_examination *e = &p->found;
    printf("{\"file\": ");
    cli_print_json_text(o->mend ? o->output : o->operands.operand[0]);
    if (p->is_tets)
        printf(", \"vertices\": %zu, \"tetrahedra\": %zu", p->tets.vertex_count, p->tets.tetrahedron_count);
    else
        printf(", \"vertices\": %zu, \"triangles\": %zu, \"quads\": %zu", p->surface.vertex_count, p->surface.triangle_count,
               p->surface.quad_count);
    printf(", \"parts\": %u, \"box\": [", e->parts);
    for (int k = 0; k < 6; k++) {
        printf(k ? ", " : "");
        cli_print_json_number(k < 3 ? e->low[k] : e->high[k - 3], 9);
    }
    printf("], \"volume\": ");
    cli_print_json_number(e->volume, 9);
    if (p->is_tets) {
        printf(", \"least_angle\": ");
        cli_print_json_number(e->least_angle, 6);
        printf(", \"greatest_angle\": ");
        cli_print_json_number(e->greatest_angle, 6);
    }
    printf(", \"good\": %s, \"findings\": [", is_good(p) ? "true" : "false");
    for (int i = 0, n = 0; i < PLIANT_FINDING_COUNT; i++) {
        if (!e->count[i]) continue;
        const pliant_finding_info *info = pliant_finding_describe((pliant_finding)i);
        printf("%s{\"name\": \"%s\", \"count\": %llu, \"note\": %s, \"vertices\": [", n++ ? ", " : "", info->name,
               (unsigned long long)e->count[i], is_note(p, (pliant_finding)i) ? "true" : "false");
        for (uint32_t k = 0; k < e->vertex_count[i]; k++) printf("%s%u", k ? ", " : "", e->vertices[i][k]);
        printf("]");
        if (i == PLIANT_FINDING_OPEN_EDGES) printf(", \"holes\": %u", e->loops);
        printf("}");
    }
    printf("]");
    if (o->mend) {
        printf(", \"mended\": {");
        for (int i = 0; i < DEEDS; i++) printf("%s\"%s\": %llu", i ? ", " : "", deeds[i].name, count_of(done, i));
        printf(", \"scale\": ");
        cli_print_json_number(o->scale, 9);
        printf("}");
    }
    printf("}\n");
}

/* ---- doing it ---- */

static bool treat(const mesh_options *o, patient *p, pliant_mending *done, pliant_error *error)
{
    pliant_mend_def def = pliant_mend_def_default();
    def.hole_edges = o->holes;
    def.scale = o->scale;
    return pliant_mesh_mend(&p->surface, &def, done, error) == PLIANT_OK && examine(p, error) &&
           pliant_mesh_write(o->output, &p->surface, error) == PLIANT_OK;
}

int mesh_doctor(const mesh_options *o)
{
    const char    *path = o->operands.operand[0];
    patient        p = {.is_tets = mesh_is_tets(path)};
    pliant_mending done = {0};
    pliant_error   error = {0};
    bool           speak = !o->quiet && !o->json;
    if (o->mend && p.is_tets)
        return cli_usage_error("mesh: --mend is for surfaces; inverted tetrahedra are turned by --mend of run, check and the others");
    bool ok = (!o->mend || mesh_may_write(o, &error)) &&
              (p.is_tets ? pliant_tets_load(path, &p.tets, &error) == PLIANT_OK : mesh_load(o, true, &p.surface, &error)) &&
              examine(&p, &error);
    if (ok && speak) print_size(&p, path);
    if (ok && speak) print_findings(&p);
    if (ok && o->mend) {
        ok = treat(o, &p, &done, &error);
        if (ok && speak) print_done(o, &done);
        if (ok && speak) print_size(&p, o->output);
        if (ok && speak) print_findings(&p);
    }
    if (!ok && !*error.path) snprintf(error.path, sizeof error.path, "%.255s", path);
    if (ok && o->json) print_json(o, &p, &done);
    pliant_mesh_free(&p.surface);
    pliant_tets_free(&p.tets);
    if (!ok) return cli_fail(&error);
    return is_good(&p) ? CLI_GOOD : CLI_CHECK_FAILED;
}
