/* From Young's modulus and Poisson's ratio to the compliance of each distance and volume of a soft body.
 *
 * Springs of stiffness k_e along edges of length l and direction n make a solid with the elasticity
 *   C_ijkl = 1/V sum_e k_e l^2 n_i n_j n_k n_l,
 * which is the same whatever way its indices are exchanged. Where it is the same in all directions, both of Lame's moduli are one: lambda = mu,
 * Poisson's ratio is 1/4 (Cauchy's relations; Born and Huang 1954, section 11). The volumes of tetrahedra, of energy kappa/2 V (dV/V)^2, add
 * kappa to lambda and nothing to mu. So with mu = E / (2 (1 + nu)) and lambda = 2 mu nu / (1 - 2 nu):
 *   distances have mu, and volumes kappa = lambda - mu = mu (4 nu - 1) / (1 - 2 nu), of a compliance V / kappa each.
 *
 * Which k_e make the sum above equal in all directions:
 * - A lattice of cubes a x b x c that are cut by turns has, per cube, an edge along each axis and a diagonal in each plane, half of them one
 *   way and half the other. The conditions for xxyy and xxxx give k = mu V (1/a^2 + 1/b^2) for the diagonal of x and y, and
 *   k = mu V (3 / a^2 - 1/b^2 - 1/c^2) for the edge along x: diagonals are twice as stiff as edges where a = b = c. Each of the cubes around
 *   an edge brings a quarter of it, or half of a diagonal; so what lies in the surface is softer. Where cubes are so long that an edge would have
 *   to push (beyond a ratio of 1.4), it keeps LEAST of 3 / a^2, and the lattice is too stiff along it.
 * - In a mesh, each tetrahedron brings k = 5/2 mu V / l^2 to each of its edges: l^2 k is the same for all (after Van Gelder 1998, Approximate
 *   Simulation of Elastic Membranes by Triangulated Spring Meshes), and the trace of the sum is right. Directions are equal in so far as the mesh
 *   has none.
 *
 * Rows share laws: their compliances divided by 1/modulus, the shares, are put into classes (share.c). */
#include "scene/elastic.h"

#include "scene/share.h"
#include "scene/tetrahedron.h"

#define LEAST 0.02

/* ---- shares: compliance times modulus ---- */

/* Stiffness over shear modulus that a cube of the lattice brings to an edge or a diagonal, by the axes that it goes along (bits). */
static void cube_stiffness(const double cell[3], double out[8])
{
    const double a[3] = {cell[0] < 0 ? -cell[0] : cell[0], cell[1] < 0 ? -cell[1] : cell[1], cell[2] < 0 ? -cell[2] : cell[2]};
    const double volume = a[0] * a[1] * a[2];
    for (int i = 0; i < 3; i++) {
        const int    j = (i + 1) % 3, k = (i + 2) % 3;
        const double own = 3 / (a[i] * a[i]), edge = own - 1 / (a[j] * a[j]) - 1 / (a[k] * a[k]);
        out[1 << i] = volume * (edge > LEAST * own ? edge : LEAST * own) / 4;
        out[1 << i | 1 << j] = volume * (1 / (a[i] * a[i]) + 1 / (a[j] * a[j])) / 2;
    }
}

static void lattice_shares(const pliant__builder *b, const pliant__list *edges, pliant__share *out)
{
    const uint32_t *n = b->body.grid;
    double          stiffness[8] = {0};
    cube_stiffness(b->cell, stiffness);
    for (size_t e = 0; e < edges->count; e++) {
        uint32_t along = 0, cubes = 1;
        for (uint32_t k = 0, step = 1; k < 3; step *= n[k++]) {
            const uint32_t p = edges->data[2 * e] / step % n[k], q = edges->data[2 * e + 1] / step % n[k];
            if (p != q)
                along |= 1u << k;
            else if (p > 0 && p + 1 < n[k])
                cubes *= 2;
        }
        out[e].size = 1 / (cubes * stiffness[along]);
    }
}

static double volume_of(const pliant__builder *b, const uint32_t *tet)
{
    const pliant_vec3 x[4] = {b->x[tet[0]], b->x[tet[1]], b->x[tet[2]], b->x[tet[3]]};
    return pliant__volume6(x) / 6;
}

static void mesh_shares(const pliant__builder *b, const pliant__list *edges, const uint32_t *tets, size_t tet_count, pliant__share *out)
{
    for (size_t t = 0; t < tet_count; t++) {
        const uint32_t *tet = tets + 4 * t;
        const double    volume = volume_of(b, tet);
        for (uint32_t i = 0; i < 4; i++)
            for (uint32_t j = 0; j < i; j++) out[pliant__pair_at(edges, tet[i], tet[j])].size += volume;
    }
    for (size_t e = 0; e < edges->count; e++)
        out[e].size = pliant__square_length(b, edges->data[2 * e], edges->data[2 * e + 1]) / (2.5 * out[e].size);
}

/* ---- rows ---- */

static bool build_distances(pliant__builder *b, const pliant__list *edges, const uint32_t *tets, size_t tet_count)
{
    pliant__shared_rows rows;
    if (!pliant__take_shares(b, &rows, PLIANT_CONSTRAINT_DISTANCE, "stretch", edges->data, edges->count)) return false;
    for (size_t e = 0; e < edges->count; e++) rows.square[e] = pliant__square_length(b, edges->data[2 * e], edges->data[2 * e + 1]);
    if (b->cell[0] != 0)
        lattice_shares(b, edges, rows.share);
    else
        mesh_shares(b, edges, tets, tet_count, rows.share);
    return pliant__build_shared(b, &rows);
}

static bool build_volumes(pliant__builder *b, const uint32_t *tets, size_t tet_count)
{
    pliant__shared_rows rows;
    const double        cube = b->cell[0] * b->cell[1] * b->cell[2], size = cube < 0 ? -cube : cube;
    if (!pliant__take_shares(b, &rows, PLIANT_CONSTRAINT_TET_VOLUME, "volume", tets, tet_count)) return false;
    for (size_t t = 0; t < tet_count; t++) { /* of a cube, the fifth is in its middle */
        const double share = size == 0 ? volume_of(b, tets + 4 * t) : t % 5 == 4 ? size / 3 : size / 6;
        rows.share[t].size = share;
        rows.square[t] = share * share;
    }
    return pliant__build_shared(b, &rows);
}

bool pliant__build_solid(pliant__builder *b, const uint32_t *tets, size_t tet_count)
{
    const pliant_constraint_kind kind = pliant__solid_kind(b->body.model);
    const pliant__share          whole = {.size = 1}; /* the law follows from the material alone */
    const uint32_t               law = pliant__build_shared_law(b, kind, "solid", &whole);
    uint32_t                    *laws = pliant__take(b, tet_count, sizeof *laws, "laws of rows");
    if (law == PLIANT__NONE || !laws) return false;
    for (size_t t = 0; t < tet_count; t++) laws[t] = law;
    b->body.first_element = (uint32_t)b->scene->constraints.count;
    return pliant__build_constraints_of(b, kind, laws, tets, tet_count);
}

bool pliant__build_elastic(pliant__builder *b, const pliant__list *edges, const uint32_t *tets, size_t tet_count)
{
    return build_distances(b, edges, tets, tet_count) && build_volumes(b, tets, tet_count);
}
