/* From the measured stiffness of a fabric to the law of a row: fabric.c says how. */
#include "scene/fabric.h"
#include "scene/sheet.h"

#define LEAST 0.02

static bool is_default(const pliant_law *law) { return law->compliance == 0 && law->stiffness == 1; }
static bool is_stretch(const pliant_material *m) { return m->stretch_warp > 0 && !m->has_stretch && is_default(&m->stretch); }
static bool is_shear(const pliant_material *m) { return m->shear_stiffness > 0 && !m->has_shear && is_default(&m->shear); }
static bool is_bend(const pliant_material *m) { return m->bending_rigidity > 0 && !m->has_bend && is_default(&m->bend); }

static double stretch_stiffness(const pliant_material *m, const pliant__share *share)
{
    const double *part = share->part;
    const double  warp = (double)m->stretch_warp, weft = m->stretch_weft > 0 ? (double)m->stretch_weft : warp;
    const double  shear = is_shear(m) ? (double)m->shear_stiffness : 0, s = (1 + sqrt(1 + 4 * shear * shear / (warp * weft))) / 2;
    const double  own =
        part[PLIANT__ALONG_WARP] * warp * s + part[PLIANT__ALONG_WEFT] * weft * s + part[PLIANT__ANY_WAY] * (warp + weft) / 2;
    const double rest = own - part[PLIANT__OF_SHEAR] * shear;
    return rest > LEAST * own ? rest : LEAST * own;
}

/* Bending rigidity differs along warp and weft. */
static bool is_uneven(const pliant_material *m) { return m->bending_weft > 0 && m->bending_weft != m->bending_rigidity; }

/* Factors of a grid's hinges, which bend warp or weft, and of its cuts: see fabric.c. */
static void hinge_stiffness(double warp, double weft, double t, double out[3])
{
    const double least = 8 / 3.0 * sqrt(warp * weft), most = 1.5 * (warp * t > weft / t ? warp * t : weft / t);
    double       x = 4 / 3.0 * warp, z = 4 / 3.0 * weft, r = most > least ? most : least;
    for (int i = 0; i < 60; i++) {
        x = warp * (z + r * t) / (z + r * t - warp * t * t);
        z = weft * (x + r / t) / (x + r / t - weft / (t * t));
    }
    out[0] = x;
    out[1] = z;
    out[2] = r;
}

/* Of a row of bending in a cloth with two rigidities. What knows no direction has the geometric mean. */
static double uneven_stiffness(const pliant_material *m, const pliant__share *share)
{
    const double *part = share->part, warp = (double)m->bending_rigidity, weft = (double)m->bending_weft;
    double        of[3] = {warp, weft, sqrt(warp * weft)};
    const double  sum = part[PLIANT__ALONG_WARP] + part[PLIANT__ALONG_WEFT] + part[PLIANT__OF_SHEAR];
    if (!(sum > 0)) return of[2] / share->size;
    if (share->slope > 0) hinge_stiffness(warp, weft, share->slope, of);
    const double own = part[PLIANT__ALONG_WARP] * of[0] + part[PLIANT__ALONG_WEFT] * of[1] + part[PLIANT__OF_SHEAR] * of[2];
    const double least = sum * (warp < weft ? warp : weft) / 4;
    return own > least ? own : least;
}

static double bending_stiffness(const pliant_material *m, const pliant__share *share)
{
    if (is_uneven(m)) return uneven_stiffness(m, share);
    return share->part[PLIANT__ANY_WAY] > 0 ? (double)m->bending_rigidity * share->part[PLIANT__ANY_WAY]
                                            : (double)m->bending_rigidity / share->size;
}

static pliant_law with_stiffness(const pliant_law *law, double stiffness)
{
    pliant_law out = *law;
    out.compliance = (pliant_real)(1 / stiffness);
    return out;
}

/* The compliance is the inverse of warp's stiffness, and the others are numbers of the law, as parts of it. */
pliant_law pliant__sheet_law(const pliant_material *m)
{
    pliant_law   law = pliant_law_default();
    const double warp = (double)m->stretch_warp;
    law.compliance = (pliant_real)(1 / warp);
    law.numbers[0] = m->stretch_weft > 0 ? (pliant_real)((double)m->stretch_weft / warp) : 1;
    law.numbers[1] = (pliant_real)((double)m->shear_stiffness / warp);
    law.numbers[2] = m->plane_poisson;
    law.given = 7;
    return law;
}

pliant_law pliant__fabric_law(const pliant_material *m, const char *role, const pliant__share *share)
{
    if (!strcmp(role, "sheet")) return pliant__sheet_law(m);
    if (!strcmp(role, "stretch")) return is_stretch(m) ? with_stiffness(&m->stretch, stretch_stiffness(m, share)) : m->stretch;
    if (!strcmp(role, "shear")) return is_shear(m) ? with_stiffness(&m->shear, (double)m->shear_stiffness / share->size) : m->shear;
    return is_bend(m) ? with_stiffness(&m->bend, bending_stiffness(m, share)) : m->bend;
}

bool pliant__is_fabric_rigid_in_shear(const pliant_material *m)
{
    const pliant__share unit = {.size = 1, .part = {0.5, 0.5, 0, 0}};
    const pliant_law    edge = pliant__fabric_law(m, "stretch", &unit), diagonal = pliant__fabric_law(m, "shear", &unit);
    return diagonal.compliance <= edge.compliance && diagonal.stiffness >= edge.stiffness && !diagonal.limited;
}
