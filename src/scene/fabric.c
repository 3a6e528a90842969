/* From the measured stiffness of a fabric to the compliance of each distance and angle of a cloth.
 *
 * Measured: stretch stiffness along warp and weft, E_1 and E_2 (N/m: force per width and strain of a strip with free sides), shear stiffness g (N/m:
 * force per width and radian), bending rigidity B (N m: moment per width and curvature). Warp runs along a grid's x, weft along its z.
 *
 * Stretch and shear. Springs of stiffness k along lines of length l and direction n make a sheet with the elasticity
 *   C_ijkl = 1/A sum k l^2 n_i n_j n_k n_l.
 * A grid of cells a x b has, per cell, an edge along each axis and both diagonals, of length L. Diagonals make the shear modulus: C_1212 = 2 k a b / L^2,
 * so each has k = g L^2 / (2 a b), which is g in a square cell. They make C_1122 = g too, and add g a^2/b^2 to C_1111, which is taken off the edges:
 *   k_warp = b/a C_1 - a/b g,   k_weft = a/b C_2 - b/a g.
 * A strip with free sides has E_1 = C_1 - g^2/C_2 and E_2 = C_2 - g^2/C_1; with C_1 = s E_1 and C_2 = s E_2 that is s^2 - s = g^2 / (E_1 E_2), so
 *   s = (1 + sqrt(1 + 4 g^2 / (E_1 E_2))) / 2.
 * Each of the cells at an edge brings half of it, so an edge at the boundary has half. Cells so long that an edge would have to push keep LEAST (fabric_law.c).
 *
 * Quads of a mesh bring the same, with sides that are means of opposite ones; a mesh has no warp, and E is the mean of both.
 * A triangle of area A brings k = E A / l^2 to each of its edges (after Van Gelder 1998, Approximate Simulation of Elastic Membranes by Triangulated
 * Spring Meshes): equal in all directions, C_1111 = 3 C_1122, and the strip has E = 8/3 C_1122. So triangles have a shear stiffness of 3/8 E, whatever
 * the fabric's is.
 *
 * Bending. A hinge of length l between triangles of areas A_1 and A_2 has the energy k/2 theta^2, k = B l^2 / (A_1 + A_2): a sheet bent about its hinges to a
 * curvature c has theta = c h there, h the mean of the heights, l h = A_1 + A_2 (Grinspun et al. 2003, Discrete Shells; Bridson et al. 2003). Triangles of
 * equal sides have B in all directions then, and a Poisson's ratio of -1/3: a strip with free sides has 8/9 B.
 *
 * A grid's quads are cut by turns, so every second particle has eight triangles around it and the others four. Around these four all of the edges' angles
 * are measured, none at the others, which give way: with B b/a a grid has 3/4 B. With x_1 and x_2 the factors of edges, r B a b / L^2 the stiffness of cuts,
 * L c_12 the theta of cuts, and d what the particles of one kind are moved out of the surface by, the energy per area is
 *   B/2 (x_1 (c_11 + 2 d/a^2)^2 + x_2 (c_22 + 2 d/b^2)^2 + r c_12^2 + r (2 d / (a b))^2).
 * The least of it over d has B/2 c_11^2 and B/2 c_22^2 where, with t = b^2/a^2,
 *   x_1 = (x_2/t + r) / (x_2/t + r - t),   x_2 = (x_1 t + r) / (x_1 t + r - 1/t).
 * Square cells have x_1 = x_2 = 4/3 and r = 8/3, with which all directions are alike, as in the triangles of equal sides. In longer cells r has to
 * grow, or x would have no bounds: they resist twist too much, by r / (8/3).
 * Isometric bending of a grid needs no triangles, and no factors. A row of three particles along a line has theta = c_11 a, and stands for a b of the sheet (half
 * of it at the boundary); the diagonal's hinge of a whole quad has theta = L c_12, whichever diagonal it is. The energy per area
 *   B/2 (c_11^2 + c_22^2 + 2 c_12^2)
 * is alike in all directions, in cells of any sides, and a strip with free sides has B: lines have k = B b/a, quads k = 2 B a b / L^2.
 *
 * Where warp and weft have rigidities of their own, B_1 and B_2, a sheet that curves along a direction at an angle f from warp has
 *   (sqrt(B_1) cos^2 f + sqrt(B_2) sin^2 f)^2,
 * and twist the root of both. Lines of a grid have that of their axis, quads that of twist. A hinge of triangles of equal sides turns by its height times
 * c_nn - c_tt / 3, n at right angles to it and t along it; so a sheet of them, one of its three edges along weft or along warp, has B_1 along warp and B_2 along
 * weft where hinges with n at an angle f from warp have
 *   (B_1 + B_2) / 2 + (B_1 - B_2) (3/2 cos 2f - cos^3 2f),
 * which is B_1 and B_2 along the axes, too. With
 * X_1 = x_1 B_1, X_2 = x_2 B_2 and R = r sqrt(B_1 B_2) the least over d above is B_1/2 c_11^2 and B_2/2 c_22^2 where
 *   X_1 = B_1 (X_2 + R t) / (X_2 + R t - B_1 t^2),   X_2 = B_2 (X_1 + R/t) / (X_1 + R/t - B_2/t^2);
 * R is 8/3 sqrt(B_1 B_2), or more where one of them would have no bounds, and the sheet resists twist too much then.
 *
 * Distances across two edges resist a fold by its fourth power; they have the energy of the hinge at one radian: see across_shares.
 *
 * Rows of a grid have one law for each place: along warp or weft, inside or at the boundary. Those of a mesh are put into classes (share.c). */
#include "scene/fabric.h"

#include "scene/share.h"

#define LOWEST 1e-3 /* no row of a mesh has less of a modulus, or more than 1 / LOWEST: slivers */

static double bounded(double share) { return share > LOWEST ? share < 1 / LOWEST ? share : 1 / LOWEST : LOWEST; } /* not a number: LOWEST */

/* ---- grids ---- */

/* Where a row of a grid lies: the axes that it goes along, and whether it is at the boundary. */
enum place { ALONG_X = 1, ALONG_Z = 2, AT_BOUNDARY = 4, PLACES = 8 };

static uint32_t place_of(const pliant__builder *b, uint32_t p, uint32_t q)
{
    const uint32_t *n = b->body.grid;
    const uint32_t  px = p % n[0], pz = p / n[0], qx = q % n[0], qz = q / n[0];
    const uint32_t  along = (px != qx ? ALONG_X : 0) | (pz != qz ? ALONG_Z : 0);
    const bool      boundary = along == ALONG_X ? pz == 0 || pz + 1 == n[1] : along == ALONG_Z && (px == 0 || px + 1 == n[0]);
    return along | (boundary ? AT_BOUNDARY : 0);
}

/* Factors of hinges about z and about x, and of cuts: see above. */
static void hinge_factors(double t, double factor[3])
{
    const double most = 1.5 * (t > 1 ? t : 1 / t);
    double       x = 4 / 3.0, z = 4 / 3.0, r = most > 8 / 3.0 ? most : 8 / 3.0;
    for (int i = 0; i < 40; i++) {
        x = (z / t + r) / (z / t + r - t);
        z = (x * t + r) / (x * t + r - 1 / t);
    }
    factor[0] = x;
    factor[1] = z;
    factor[2] = r;
}

/* The shares of rows of a role in their places. */
static void grid_shares(const pliant__builder *b, const char *role, bool isometric, pliant__share share[PLACES])
{
    const double a = b->cell[0] < 0 ? -b->cell[0] : b->cell[0], c = b->cell[1] < 0 ? -b->cell[1] : b->cell[1], square = a * a + c * c;
    memset(share, 0, PLACES * sizeof *share);
    if (!strcmp(role, "bend") && isometric) {
        for (int cells = 1; cells <= 2; cells++) {
            const uint32_t at = cells == 1 ? AT_BOUNDARY : 0;
            share[ALONG_X | at] = (pliant__share){.size = 2 * a / (cells * c), .part = {cells * c / (2 * a), 0, 0, 0}};
            share[ALONG_Z | at] = (pliant__share){.size = 2 * c / (cells * a), .part = {0, cells * a / (2 * c), 0, 0}};
        }
        share[ALONG_X | ALONG_Z] = (pliant__share){.size = square / (2 * a * c), .part = {0, 0, 0, 2 * a * c / square}};
        return;
    }
    if (!strcmp(role, "bend")) {
        double factor[3];
        hinge_factors(c * c / (a * a), factor);
        const double slope = c * c / (a * a); /* what lies along x bends weft */
        share[ALONG_X] = (pliant__share){.size = c / (a * factor[1]), .part = {0, a / c, 0, 0}, .slope = slope};
        share[ALONG_Z] = (pliant__share){.size = a / (c * factor[0]), .part = {c / a, 0, 0, 0}, .slope = slope};
        share[ALONG_X | ALONG_Z] = (pliant__share){.size = square / (factor[2] * a * c), .part = {0, 0, 0, a * c / square}, .slope = slope};
        share[ALONG_X | AT_BOUNDARY] = share[ALONG_X];
        share[ALONG_Z | AT_BOUNDARY] = share[ALONG_Z];
        return;
    }
    if (!strcmp(role, "shear")) {
        share[ALONG_X | ALONG_Z].size = 2 * a * c / square;
        return;
    }
    for (int cells = 1; cells <= 2; cells++) {
        const uint32_t at = cells == 1 ? AT_BOUNDARY : 0;
        share[ALONG_X | at] = (pliant__share){.size = 2 * a / (cells * c), .part = {cells * c / (2 * a), 0, 0, cells * a / (2 * c)}};
        share[ALONG_Z | at] = (pliant__share){.size = 2 * c / (cells * a), .part = {0, cells * a / (2 * c), 0, cells * c / (2 * a)}};
    }
}

/* Appends rows of a role, `slots` particles each, the first two of which say where it lies. */
static bool build_grid_rows(pliant__builder *b, pliant_constraint_kind kind, const char *role, const pliant__list *rows, uint32_t slots)
{
    pliant__share share[PLACES];
    uint32_t      number[PLACES], *law;
    if (!rows->count) return true;
    law = pliant__take(b, rows->count, sizeof *law, "laws of rows");
    if (!law) return false;
    grid_shares(b, role, kind == PLIANT_CONSTRAINT_LINE_BENDING || kind == PLIANT_CONSTRAINT_ISOMETRIC_BENDING, share);
    for (int i = 0; i < PLACES; i++) number[i] = PLIANT__NONE;
    for (size_t r = 0; r < rows->count; r++) {
        const uint32_t place = place_of(b, rows->data[slots * r], rows->data[slots * r + 1]);
        if (number[place] == PLIANT__NONE) number[place] = pliant__build_shared_law(b, kind, role, &share[place]);
        if (number[place] == PLIANT__NONE) return false;
        law[r] = number[place];
    }
    const bool ok = pliant__build_constraints_of(b, kind, law, rows->data, rows->count);
    pliant__give_back(b, law);
    return ok;
}

/* Isometric bending: a line of three around every particle along either axis, and every quad about its diagonal. */
static bool build_grid_isometric(pliant__builder *b)
{
    const uint32_t *n = b->body.grid;
    pliant__list    lines = {0}, quads = {0};
    lines.data = pliant__take(b, (uint64_t)n[0] * n[1], 6 * sizeof *lines.data, "lines");
    quads.data = pliant__take(b, (uint64_t)n[0] * n[1], 4 * sizeof *quads.data, "hinges");
    if (!lines.data || !quads.data) return false;
    for (uint32_t j = 0; j < n[1]; j++)
        for (uint32_t i = 0; i < n[0]; i++) {
            const uint32_t at = j * n[0] + i, along[2] = {1, n[0]};
            const bool     inside[2] = {i > 0 && i + 1 < n[0], j > 0 && j + 1 < n[1]};
            for (int axis = 0; axis < 2; axis++)
                if (inside[axis]) {
                    const uint32_t line[3] = {at, at - along[axis], at + along[axis]};
                    memcpy(lines.data + 3 * lines.count++, line, sizeof line);
                }
            if (i + 1 < n[0] && j + 1 < n[1]) {
                const uint32_t quad[4] = {at, at + n[0] + 1, at + 1, at + n[0]};
                memcpy(quads.data + 4 * quads.count++, quad, sizeof quad);
            }
        }
    return build_grid_rows(b, PLIANT_CONSTRAINT_LINE_BENDING, "bend", &lines, 3) &&
           build_grid_rows(b, PLIANT_CONSTRAINT_ISOMETRIC_BENDING, "bend", &quads, 4);
}

/* ---- meshes ---- */

static double square_of(const pliant__builder *b, const uint32_t *pair) { return pliant__square_length(b, pair[0], pair[1]); }

static double area_of(const pliant__builder *b, uint32_t p, uint32_t q, uint32_t r)
{
    const pliant_vec3 *x = b->x;
    const double       u[3] = {(double)x[q].x - (double)x[p].x, (double)x[q].y - (double)x[p].y, (double)x[q].z - (double)x[p].z};
    const double       v[3] = {(double)x[r].x - (double)x[p].x, (double)x[r].y - (double)x[p].y, (double)x[r].z - (double)x[p].z};
    const double       n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    return sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
}

/* The stiffness that triangles bring to their edges. */
static void share_triangles(const pliant__builder *b, const pliant__fabric *f, pliant__share *edge)
{
    for (size_t t = 0; t < f->faces.triangle_count; t++) {
        const uint32_t *c = f->faces.corners + 3 * t;
        const double    area = area_of(b, c[0], c[1], c[2]);
        for (int k = 0; k < 3; k++) {
            const size_t e = pliant__pair_at(&f->edges, c[k], c[(k + 1) % 3]);
            edge[e].part[PLIANT__ANY_WAY] += bounded(area / square_of(b, &f->edges.data[2 * e]));
        }
    }
}

/* Sides of a quad, means of opposite ones, squared, and its area. */
static void measure_quad(const pliant__builder *b, const pliant__fabric *f, size_t quad, double square[2], double *area)
{
    const uint32_t *c = f->faces.corners + 3 * f->faces.triangle_count + 4 * quad,
                   *t = f->triangles + 3 * f->faces.triangle_count + 6 * quad;
    *area = area_of(b, t[0], t[1], t[2]) + area_of(b, t[3], t[4], t[5]);
    for (int k = 0; k < 2; k++) {
        const double mean = (sqrt(pliant__square_length(b, c[k], c[k + 1])) + sqrt(pliant__square_length(b, c[k + 2], c[(k + 3) % 4]))) / 2;
        square[k] = mean * mean;
    }
}

/* The stiffness that quads bring to their edges. */
static void share_quads(const pliant__builder *b, const pliant__fabric *f, pliant__share *edge)
{
    for (size_t q = 0; q < f->faces.quad_count; q++) {
        const uint32_t *c = f->faces.corners + 3 * f->faces.triangle_count + 4 * q;
        double          square[2], area;
        measure_quad(b, f, q, square, &area);
        for (int k = 0; k < 4; k++) {
            double      *part = edge[pliant__pair_at(&f->edges, c[k], c[(k + 1) % 4])].part;
            const double width = bounded(area / square[k % 2]) / 2; /* over length, of the strip that the edge stands for in this quad */
            part[PLIANT__ALONG_WARP] += width / 2;
            part[PLIANT__ALONG_WEFT] += width / 2;
            part[PLIANT__OF_SHEAR] += bounded(square[k % 2] / area) / 2;
        }
    }
}

static bool build_edges(pliant__builder *b, const pliant__fabric *f)
{
    pliant__shared_rows rows;
    if (!pliant__take_shares(b, &rows, PLIANT_CONSTRAINT_DISTANCE, "stretch", f->edges.data, f->edges.count)) return false;
    share_triangles(b, f, rows.share);
    share_quads(b, f, rows.share);
    for (size_t e = 0; e < rows.count; e++) {
        const double *part = rows.share[e].part;
        rows.share[e].size = 1 / (part[PLIANT__ALONG_WARP] + part[PLIANT__ALONG_WEFT] + part[PLIANT__ANY_WAY]);
        rows.square[e] = square_of(b, rows.ids + 2 * e);
    }
    return pliant__build_shared(b, &rows);
}

static bool build_diagonals(pliant__builder *b, const pliant__fabric *f)
{
    pliant__shared_rows rows;
    if (!pliant__take_shares(b, &rows, PLIANT_CONSTRAINT_DISTANCE, "shear", f->diagonals.data, f->diagonals.count)) return false;
    for (size_t q = 0; q < f->faces.quad_count; q++) {
        const uint32_t *c = f->faces.corners + 3 * f->faces.triangle_count + 4 * q;
        double          square[2], area;
        measure_quad(b, f, q, square, &area);
        for (int k = 0; k < 2; k++) {
            const size_t d = pliant__pair_at(&f->diagonals, c[k], c[k + 2]);
            if (d != SIZE_MAX) rows.share[d].size += bounded(square_of(b, rows.ids + 2 * d) / (2 * area)); /* stiffness, for now */
        }
    }
    for (size_t d = 0; d < rows.count; d++) {
        rows.share[d].size = 1 / rows.share[d].size;
        rows.square[d] = square_of(b, rows.ids + 2 * d);
    }
    return pliant__build_shared(b, &rows);
}

/* How much of a hinge's curvature is that of warp, by the mean of the threads at both ends: the edge's share of warp is that of weft's curvature. The size becomes
 * what the hinge has of the material's rigidities, so that rows which differ by their direction are of different classes. */
static void turn_share(const pliant__builder *b, const pliant__fabric *f, const uint32_t *hinge, pliant__share *share)
{
    const pliant_material *m = &b->body.material;
    const pliant_vec3     *x = b->x;
    const double           e[3] = {(double)x[hinge[1]].x - (double)x[hinge[0]].x, (double)x[hinge[1]].y - (double)x[hinge[0]].y,
                                   (double)x[hinge[1]].z - (double)x[hinge[0]].z};
    double                 along = 0, all = 0;
    for (int end = 0; end < 2; end++) {
        const double *t = f->threads + 6 * (size_t)hinge[end]; /* xx yy zz xy yz zx */
        along += t[0] * e[0] * e[0] + t[1] * e[1] * e[1] + t[2] * e[2] * e[2] +
                 2 * (t[3] * e[0] * e[1] + t[4] * e[1] * e[2] + t[5] * e[2] * e[0]);
        all += (t[0] + t[1] + t[2]) * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    }
    const double weft = all > 0 ? along < all ? along / all : 1 : 0.5, turn = 1 - 2 * weft; /* cos 2 f */
    const double lean = turn * (1.5 - turn * turn), whole = 1 / share->size;
    *share = (pliant__share){.size = share->size, .part = {(0.5 + lean) * whole, (0.5 - lean) * whole, 0, 0}};
    const pliant_law law = pliant__fabric_law(m, "bend", share);
    if (!(m->bending_weft > 0 && law.compliance > 0)) return;
    share->size = (double)m->bending_rigidity * (double)law.compliance;
    share->part[PLIANT__ANY_WAY] = whole;
}

static void hinge_shares(const pliant__builder *b, const pliant__fabric *f, pliant__shared_rows *rows)
{
    for (size_t r = 0; r < rows->count; r++) {
        const uint32_t *hinge = rows->ids + 4 * r;
        const double    area = area_of(b, hinge[0], hinge[1], hinge[2]) + area_of(b, hinge[0], hinge[1], hinge[3]);
        const bool      cut = pliant__pair_at(&f->edges, hinge[0], hinge[1]) == SIZE_MAX;
        rows->share[r].size = bounded(cut ? square_of(b, hinge) / (2 * area) : area / square_of(b, hinge));
        rows->square[r] = 1;
        if (f->threads) turn_share(b, f, hinge, &rows->share[r]);
    }
}

/* Two particles d apart, across a hinge between triangles d/2 high, come nearer by d theta^2 / 8. The hinge is S / (d/2) long, S being the area of a
 * particle; at one radian both have the same energy where k = 256 B S / d^4. */
static void across_shares(const pliant__builder *b, pliant__shared_rows *rows)
{
    for (size_t r = 0; r < rows->count; r++) {
        const uint32_t *pair = rows->ids + 2 * r;
        const double    square = square_of(b, pair), extent = (b->extent[pair[0]] + b->extent[pair[1]]) / 2;
        rows->share[r].size = square / 16 * bounded(square / (16 * extent));
        rows->square[r] = square;
    }
}

static bool build_bends_of(pliant__builder *b, const pliant__fabric *f, pliant_constraint_kind kind, const pliant__list *bends)
{
    pliant__shared_rows rows;
    if (!pliant__take_shares(b, &rows, kind, "bend", bends->data, bends->count)) return false;
    if (kind == PLIANT_CONSTRAINT_DISTANCE)
        across_shares(b, &rows);
    else
        hinge_shares(b, f, &rows);
    return pliant__build_shared(b, &rows);
}

/* Hinges that are flat bend isometrically, the others by their angle. */
static bool build_flat_bends(pliant__builder *b, const pliant__fabric *f)
{
    pliant__list flat = {0}, bent = {0};
    flat.data = pliant__take(b, f->bends.count, 4 * sizeof *flat.data, "hinges");
    bent.data = pliant__take(b, f->bends.count, 4 * sizeof *bent.data, "hinges");
    if (!flat.data || !bent.data) return false;
    for (size_t i = 0; i < f->bends.count; i++) {
        const uint32_t   *hinge = f->bends.data + 4 * i;
        const pliant_vec3 x[4] = {b->x[hinge[0]], b->x[hinge[1]], b->x[hinge[2]], b->x[hinge[3]]};
        pliant__list     *to = pliant__can_rest(f->bend, x) ? &flat : &bent;
        memcpy(to->data + 4 * to->count++, hinge, 4 * sizeof *hinge);
    }
    return build_bends_of(b, f, f->bend, &flat) && build_bends_of(b, f, PLIANT_CONSTRAINT_DIHEDRAL_ANGLE, &bent);
}

static bool build_bends(pliant__builder *b, const pliant__fabric *f)
{
    return f->bend == PLIANT_CONSTRAINT_ISOMETRIC_BENDING ? build_flat_bends(b, f) : build_bends_of(b, f, f->bend, &f->bends);
}

bool pliant__build_fabric(pliant__builder *b, const pliant__fabric *f)
{
    const bool grid = b->cell[0] != 0;
    return (grid ? build_grid_rows(b, PLIANT_CONSTRAINT_DISTANCE, "stretch", &f->edges, 2) : build_edges(b, f)) &&
           (grid ? build_grid_rows(b, PLIANT_CONSTRAINT_DISTANCE, "shear", &f->diagonals, 2) : build_diagonals(b, f));
}

bool pliant__build_fabric_bends(pliant__builder *b, const pliant__fabric *f)
{
    const bool grid = b->cell[0] != 0, hinges = f->bend == PLIANT_CONSTRAINT_DIHEDRAL_ANGLE;
    if (grid && f->bend == PLIANT_CONSTRAINT_ISOMETRIC_BENDING) return build_grid_isometric(b);
    return grid && hinges ? build_grid_rows(b, f->bend, "bend", &f->bends, 4) : build_bends(b, f);
}
