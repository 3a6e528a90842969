/* From Young's modulus and Poisson's ratio to the law of a row: elastic.c says how. */
#include "scene/elastic.h"

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
