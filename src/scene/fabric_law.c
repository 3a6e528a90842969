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
    return is_bend(m) ? with_stiffness(&m->bend, (double)m->bending_rigidity / share->size) : m->bend;
}

bool pliant__is_fabric_rigid_in_shear(const pliant_material *m)
{
    const pliant__share unit = {1, {0.5, 0.5, 0, 0}};
    const pliant_law    edge = pliant__fabric_law(m, "stretch", &unit), diagonal = pliant__fabric_law(m, "shear", &unit);
    return diagonal.compliance <= edge.compliance && diagonal.stiffness >= edge.stiffness && !diagonal.limited;
}
