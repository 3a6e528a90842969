/* Where warp runs in each triangle of a cloth, and the triangle's shape at rest in the axes of warp and weft.
 *
 * Warp is fixed in the cloth, not turned to an edge of each triangle: u is the unit vector in the triangle's plane that lies nearest to the warp's direction, or
 * along which the first texture coordinate grows, and v is at right angles to it. With the edges from x0 in these axes, d1 and d2, the parameters are
 *   B = [d1 d2]^-1 = 1 / det (d2.v, -d2.u; -d1.v, d1.u),   det = d1.u d2.v - d2.u d1.v.
 * Which way v points makes no difference: both entries of its column change their sign, and so do weft's thread and the shear. */
#include "scene/sheet.h"

#include "scene/fabric.h"

#define STEEP 1e-3    /* a direction of warp with a smaller share in a triangle's plane is none */
#define MOST 0.999999 /* of the bound of B: a triangle lower than a micrometre holds nothing, as one without area does */

pliant_constraint_kind pliant__sheet_kind(pliant_cloth_model model)
{
    return model == PLIANT_CLOTH_STVK ? PLIANT_CONSTRAINT_TRIANGLE_STVK : PLIANT_CONSTRAINT_TRIANGLE_STRAIN;
}

static void difference(pliant_vec3 from, pliant_vec3 to, double d[3])
{
    d[0] = (double)to.x - (double)from.x;
    d[1] = (double)to.y - (double)from.y;
    d[2] = (double)to.z - (double)from.z;
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Along which the first texture coordinate of three corners grows; false: they lie in a line. */
static bool along_first(const float *const at[3], const double d[2][3], double warp[3])
{
    const double u1 = (double)at[1][0] - (double)at[0][0], v1 = (double)at[1][1] - (double)at[0][1];
    const double u2 = (double)at[2][0] - (double)at[0][0], v2 = (double)at[2][1] - (double)at[0][1], det = u1 * v2 - u2 * v1;
    for (int k = 0; k < 3; k++) warp[k] = det > 0 ? d[0][k] * v2 - d[1][k] * v1 : d[1][k] * v1 - d[0][k] * v2;
    return det != 0;
}

/* Warp's direction in a triangle, not yet in its plane. */
static bool warp_of(const pliant__weave *weave, size_t triangle, const double d[2][3], double warp[3])
{
    const float *at[3];
    difference(v3(0, 0, 0), weave->warp, warp);
    if (dot(warp, warp) > 0) return true;
    for (uint32_t k = 0; k < 3; k++) at[k] = weave->surface->uvs + 2 * (size_t)weave->surface->cut[3 * triangle + k];
    return along_first(at, d, warp);
}

/* The axes of warp and weft in the plane with a normal. */
static bool axes_of(const double warp[3], const double normal[3], double u[3], double v[3])
{
    const double off = dot(warp, normal) / dot(normal, normal);
    for (int k = 0; k < 3; k++) u[k] = warp[k] - off * normal[k];
    if (!(dot(u, u) > STEEP * STEEP * dot(warp, warp))) return false;
    cross(normal, u, v);
    const double length = sqrt(dot(u, u)), width = sqrt(dot(v, v));
    for (int k = 0; k < 3; k++) {
        u[k] /= length;
        v[k] /= width;
    }
    return true;
}

static bool refuse(const pliant__builder *b, const pliant__weave *weave, const uint32_t *t)
{
    const uint32_t vertex = b->first_vertex ? b->first_vertex[t[0]] : t[0];
    if (v3_dot(weave->warp, weave->warp) > 0)
        return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "warp is at right angles to the triangle at vertex %u; give another direction",
                            vertex);
    return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT,
                        "the triangle at vertex %u has texture coordinates in a line, which say no direction of warp; give warp", vertex);
}

static void note_thread(double *threads, const uint32_t *t, const double u[3])
{
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 3; a++) {
            threads[6 * (size_t)t[k] + (size_t)a] += u[a] * u[a];
            threads[6 * (size_t)t[k] + 3 + (size_t)a] += u[a] * u[(a + 1) % 3];
        }
}

/* B of a triangle; 0 of one that has no area. */
static bool measure(const pliant__builder *b, const pliant__weave *weave, const uint32_t *t, size_t triangle, pliant_real *parameter)
{
    pliant_vec3 x[3];
    double      d[2][3], normal[3], warp[3] = {1, 0, 0}, u[3], v[3];
    memset(parameter, 0, 4 * sizeof *parameter);
    pliant__rest_positions(b, t, 3, x);
    for (int k = 0; k < 2; k++) difference(x[0], x[k + 1], d[k]);
    cross(d[0], d[1], normal);
    if (!(dot(normal, normal) > 0)) return true;
    if (b->cell[0] == 0 && !warp_of(weave, triangle, (const double(*)[3])d, warp)) return refuse(b, weave, t);
    if (!axes_of(warp, normal, u, v)) return refuse(b, weave, t);
    if (weave->threads) note_thread(weave->threads, t, u);
    const double p = dot(d[0], u), q = dot(d[0], v), r = dot(d[1], u), s = dot(d[1], v), det = p * s - r * q;
    const double entry[4] = {s / det, -r / det, -q / det, p / det}, most = MOST * 1e6;
    for (int k = 0; k < 4; k++)
        if (!(fabs(entry[k]) < most)) return true;
    for (int k = 0; k < 4; k++) parameter[k] = (pliant_real)(entry[k] + 0);
    return true;
}

bool pliant__build_sheet(pliant__builder *b, const uint32_t *triangles, size_t count, const pliant__weave *weave)
{
    const pliant_constraint_kind kind = pliant__sheet_kind(b->body.cloth_model);
    const pliant__share          whole = {.size = 1}; /* the law follows from the material alone */
    const pliant_law             law = pliant__sheet_law(&b->body.material);
    pliant_real                 *parameters = pliant__take(b, 4 * (uint64_t)count, sizeof *parameters, "shapes of triangles");
    if (!parameters) return false;
    for (size_t t = 0; t < count; t++)
        if (!measure(b, weave, triangles + 3 * t, t, parameters + 4 * t)) return false;
    b->body.first_element = (uint32_t)b->scene->constraints.count;
    const uint32_t number = pliant__build_law(b, kind, "sheet", &law, &whole);
    const bool     ok = number != PLIANT__NONE && pliant__build_constraints_said(b, kind, number, triangles, parameters, count);
    pliant__give_back(b, parameters);
    return ok;
}
