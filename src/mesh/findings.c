/* What may be wrong with a mesh, in words. */
#include "mesh/examine.h"

#include <math.h>

static const pliant_finding_info findings[PLIANT_FINDING_COUNT] = {
    [PLIANT_FINDING_OPEN_EDGES] = {"open edges", "the surface ends there: it is not closed", "fills small holes (--holes N)", false},
    [PLIANT_FINDING_CROWDED_EDGES] = {"crowded edges", "more than two faces meet there; take inner faces out", NULL, false},
    [PLIANT_FINDING_PINCHED_VERTICES] = {"pinched vertices", "faces meet there that share no edge; move them apart", NULL, false},
    [PLIANT_FINDING_TURNED_FACES] = {"turned faces", "they face the other way than their neighbours", "turns them", false},
    [PLIANT_FINDING_INSIDE_OUT] = {"parts inside out", "their faces look inwards", "turns them", false},
    [PLIANT_FINDING_DEGENERATE_FACES] = {"degenerate faces", "they have no area", "takes them out, or moves an edge", false},
    [PLIANT_FINDING_SLIVERS] = {"slivers", "they are a thousand times as long as high", "moves an edge where that helps", false},
    [PLIANT_FINDING_DUPLICATE_FACES] = {"duplicate faces", "they have the same vertices as another one", "takes them out", false},
    [PLIANT_FINDING_DUPLICATE_VERTICES] = {"duplicate vertices", "they lie exactly where another one does", "welds them", false},
    [PLIANT_FINDING_NEAR_VERTICES] = {"near vertices", "they lie almost where another one does", "welds them", false},
    [PLIANT_FINDING_UNUSED_VERTICES] = {"unused vertices", "no face or tetrahedron has them", "takes them out", false},
    [PLIANT_FINDING_FOLDS] = {"folds",
                              "two faces lie on each other; a face that is not convex is cut so: cut it up where the mesh was made", NULL,
                              false},
    [PLIANT_FINDING_CROSSINGS] = {"crossings", "two faces cut through each other; pull them apart where the mesh was made", NULL, false},
    [PLIANT_FINDING_SIZE] =
        {"unusual size",
         "Pliant counts in metres, and this is below 1 mm or above 100 m; in another unit? (--scale 0.001 makes metres of millimetres)",
         NULL, true},
    [PLIANT_FINDING_FAR] = {"far from 0",
                            "over a thousand times its size: numbers there have fewer digits left for its shape; move it nearer", NULL,
                            true},
    [PLIANT_FINDING_INVERTED_TETS] = {"inverted tetrahedra", "their volume is negative; --mend of run, check and the others turns them",
                                      NULL, false},
    [PLIANT_FINDING_FLAT_TETS] = {"flat tetrahedra", "they have no volume; a scene refuses them", NULL, false},
    [PLIANT_FINDING_SLIVER_TETS] = {"sliver tetrahedra", "they have an angle below 5 or above 175 degrees, and solve badly", NULL, false},
    [PLIANT_FINDING_DUPLICATE_TETS] = {"duplicate tetrahedra", "they have the same vertices as another one", NULL, false},
    [PLIANT_FINDING_CROWDED_FACES] = {"crowded faces", "more than two tetrahedra have them", NULL, false},
    [PLIANT_FINDING_HINGES] = {"hinges", "tetrahedra hang together there by a vertex or an edge only, and swing", NULL, false},
};

const pliant_finding_info *pliant_finding_describe(pliant_finding finding)
{
    return (unsigned)finding < PLIANT_FINDING_COUNT ? &findings[finding] : NULL;
}

bool pliant_examination_good(const pliant_examination *e)
{
    for (int i = 0; i < PLIANT_FINDING_COUNT; i++)
        if (e->count[i] && !findings[i].note) return false;
    return true;
}

void pliant__found_around(pliant_examination *e, const pliant__box *around)
{
    double longest = 0, farthest = 0;
    for (int k = 0; k < 3; k++) {
        e->low[k] = around->low[k];
        e->high[k] = around->high[k];
        longest = p_max(longest, around->high[k] - around->low[k]);
        farthest = p_max(farthest, p_max(fabs(around->low[k]), fabs(around->high[k])));
    }
    if (longest > 100 || longest < 1e-3) pliant__found(e, PLIANT_FINDING_SIZE, NULL, 0);
    if (farthest > 1000 * longest) pliant__found(e, PLIANT_FINDING_FAR, NULL, 0);
}

void pliant__found(pliant_examination *e, pliant_finding kind, const uint32_t *vertices, uint32_t count)
{
    if (e->count[kind]++) return;
    e->vertex_count[kind] = count < 4 ? count : 4;
    for (uint32_t i = 0; i < e->vertex_count[kind]; i++) e->vertices[kind][i] = vertices[i];
}
