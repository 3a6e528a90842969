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
 * Rows share laws: their compliances divided by 1/modulus, the shares, are put into classes (share_out). */
#include "scene/elastic.h"

#include "scene/tetrahedron.h"

#define LEAST 0.02

static bool is_default(const pliant_law *law) { return law->compliance == 0 && law->stiffness == 1 && !law->limited; }

bool pliant__is_elastic(const pliant_material *m, pliant_constraint_kind kind)
{
    if (kind == PLIANT_CONSTRAINT_DISTANCE) return m->young > 0 && !m->has_stretch && is_default(&m->stretch);
    return m->young > 0 && !m->has_volume && is_default(&m->volume);
}

pliant_law pliant__elastic_law(const pliant_material *m, pliant_constraint_kind kind, double share)
{
    const bool   distance = kind == PLIANT_CONSTRAINT_DISTANCE;
    pliant_law   law = distance ? m->stretch : m->volume;
    const double nu = (double)m->poisson, shear = (double)m->young / (2 * (1 + nu));
    if (pliant__is_elastic(m, kind)) law.compliance = (pliant_real)(share / (distance ? shear : shear * (4 * nu - 1) / (1 - 2 * nu)));
    return law;
}

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

static void lattice_shares(const pliant__builder *b, const pliant__list *edges, double *out)
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
        out[e] = 1 / (cubes * stiffness[along]);
    }
}

static double volume_of(const pliant__builder *b, const uint32_t *tet)
{
    const pliant_vec3 x[4] = {b->x[tet[0]], b->x[tet[1]], b->x[tet[2]], b->x[tet[3]]};
    return pliant__volume6(x) / 6;
}

static double square_length(const pliant__builder *b, uint32_t p, uint32_t q)
{
    const double d[3] = {(double)b->x[q].x - (double)b->x[p].x, (double)b->x[q].y - (double)b->x[p].y,
                         (double)b->x[q].z - (double)b->x[p].z};
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

/* The number of an edge, which is among those that are there, ascending. */
static size_t edge_of(const pliant__list *edges, uint32_t p, uint32_t q)
{
    const uint64_t key = p < q ? (uint64_t)p << 32 | q : (uint64_t)q << 32 | p;
    size_t         low = 0, high = edges->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (((uint64_t)edges->data[2 * middle] << 32 | edges->data[2 * middle + 1]) <= key)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void mesh_shares(const pliant__builder *b, const pliant__list *edges, const uint32_t *tets, size_t tet_count, double *out)
{
    for (size_t t = 0; t < tet_count; t++) {
        const uint32_t *tet = tets + 4 * t;
        const double    volume = volume_of(b, tet);
        for (uint32_t i = 0; i < 4; i++)
            for (uint32_t j = 0; j < i; j++) out[edge_of(edges, tet[i], tet[j])] += volume;
    }
    for (size_t e = 0; e < edges->count; e++) out[e] = square_length(b, edges->data[2 * e], edges->data[2 * e + 1]) / (2.5 * out[e]);
}

/* ---- classes ---- */

#define MOST_EXACT 16u /* so many different shares each have a law */
#define STEP 1.5       /* more of them: those of a class differ by no more than this factor */

/* Rows of a kind, and how they are classed. */
typedef struct classing {
    pliant__builder       *b;
    pliant_constraint_kind kind;
    const char            *role;
    const double          *share, *square; /* per row: its share, and the square of its rest value */
    uint32_t              *law;            /* per row: its law's number */
    const pliant__key     *sorted;         /* rows by share */
    size_t                 count;
} classing;

/* Where the class of sorted row `from` ends. */
static size_t class_end(const classing *c, size_t from, bool exact)
{
    const double most = STEP * c->share[c->sorted[from].value];
    size_t       end = pliant__run_end(c->sorted, from, c->count);
    while (!exact && end < c->count && c->share[c->sorted[end].value] <= most) end++;
    return end;
}

/* The share that stores the same energy as those of sorted rows [from, end) do where all are stretched by the same ratio. */
static double common_share(const classing *c, size_t from, size_t end)
{
    double squares = 0, energy = 0;
    for (size_t i = from; i < end; i++) {
        const uint32_t row = c->sorted[i].value;
        squares += c->square[row];
        energy += c->square[row] / c->share[row];
    }
    return c->sorted[from].key == c->sorted[end - 1].key ? c->share[c->sorted[from].value] : squares / energy;
}

static bool make_classes(classing *c)
{
    size_t different = 0;
    for (size_t i = 0; i < c->count; i = pliant__run_end(c->sorted, i, c->count)) different++;
    for (size_t i = 0, end; i < c->count; i = end) {
        end = class_end(c, i, different <= MOST_EXACT);
        const double     share = common_share(c, i, end);
        const pliant_law law = pliant__elastic_law(&c->b->body.material, c->kind, share);
        const uint32_t   number = pliant__build_law(c->b, c->kind, c->role, &law, share);
        if (number == PLIANT__NONE) return false;
        for (size_t k = i; k < end; k++) c->law[c->sorted[k].value] = number;
    }
    return true;
}

/* Puts rows by share: positive doubles are in the order of their bits. */
static bool share_out(classing *c)
{
    pliant__key *keys = pliant__take(c->b, c->count, sizeof *keys, "shares"),
                *scratch = pliant__take(c->b, c->count, sizeof *keys, "shares");
    c->law = pliant__take(c->b, c->count, sizeof *c->law, "laws of rows");
    if (!keys || !scratch || !c->law) return false;
    for (size_t i = 0; i < c->count; i++) {
        memcpy(&keys[i].key, &c->share[i], sizeof keys[i].key);
        keys[i].value = (uint32_t)i;
    }
    c->sorted = pliant__sort_keys(keys, scratch, c->count);
    const bool ok = make_classes(c);
    pliant__give_back(c->b, keys);
    pliant__give_back(c->b, scratch);
    return ok;
}

static bool build_distances(pliant__builder *b, const pliant__list *edges, const uint32_t *tets, size_t tet_count)
{
    double *share = pliant__take(b, edges->count, sizeof *share, "shares"),
           *square = pliant__take(b, edges->count, sizeof *square, "shares");
    classing c = {b, PLIANT_CONSTRAINT_DISTANCE, "stretch", share, square, NULL, NULL, edges->count};
    if (!share || !square) return false;
    for (size_t e = 0; e < edges->count; e++) square[e] = square_length(b, edges->data[2 * e], edges->data[2 * e + 1]);
    if (b->cell[0] != 0)
        lattice_shares(b, edges, share);
    else
        mesh_shares(b, edges, tets, tet_count, share);
    return share_out(&c) && pliant__build_constraints_of(b, c.kind, c.law, edges->data, edges->count);
}

static bool build_volumes(pliant__builder *b, const uint32_t *tets, size_t tet_count)
{
    double  *share = pliant__take(b, tet_count, sizeof *share, "shares"), *square = pliant__take(b, tet_count, sizeof *square, "shares");
    classing c = {b, PLIANT_CONSTRAINT_TET_VOLUME, "volume", share, square, NULL, NULL, tet_count};
    const double cube = b->cell[0] * b->cell[1] * b->cell[2], size = cube < 0 ? -cube : cube;
    if (!share || !square) return false;
    for (size_t t = 0; t < tet_count; t++) {
        share[t] = size == 0 ? volume_of(b, tets + 4 * t) : t % 5 == 4 ? size / 3 : size / 6; /* of a cube, the fifth is in its middle */
        square[t] = share[t] * share[t];
    }
    return share_out(&c) && pliant__build_constraints_of(b, c.kind, c.law, tets, tet_count);
}

bool pliant__build_elastic(pliant__builder *b, const pliant__list *edges, const uint32_t *tets, size_t tet_count)
{
    return build_distances(b, edges, tets, tet_count) && build_volumes(b, tets, tet_count);
}
