/* From Young's modulus and Poisson's ratio to the law of a row: elastic.c says how. */
#include "scene/elastic.h"

#include "scene/check.h"

bool pliant__says_law(const pliant_law *law, bool has) { return has || law->compliance != 0 || law->stiffness != 1 || law->limited; }

pliant_constraint_kind pliant__solid_kind(pliant_solid_model model)
{
    static const pliant_constraint_kind kinds[PLIANT_SOLID_COUNT] = {
        [PLIANT_SOLID_DISTANCE] = PLIANT_CONSTRAINT_COUNT,          [PLIANT_SOLID_NEO_HOOKEAN] = PLIANT_CONSTRAINT_TET_NEO_HOOKEAN,
        [PLIANT_SOLID_COROTATED] = PLIANT_CONSTRAINT_TET_COROTATED, [PLIANT_SOLID_STVK] = PLIANT_CONSTRAINT_TET_STVK,
        [PLIANT_SOLID_STRAIN] = PLIANT_CONSTRAINT_TET_STRAIN,       [PLIANT_SOLID_SHAPE] = PLIANT_CONSTRAINT_COUNT};
    return kinds[model];
}

bool pliant__says_distances(const pliant_material *m)
{
    return pliant__says_law(&m->stretch, m->has_stretch) || pliant__says_law(&m->volume, m->has_volume) || m->stretch.damping > 0 ||
           m->volume.damping > 0 || m->stretch.yield > 0;
}

pliant_solid_model pliant_material_solid_model(const pliant_material *material)
{
    return material->young > 0 && !pliant__says_distances(material) ? PLIANT_SOLID_NEO_HOOKEAN : PLIANT_SOLID_DISTANCE;
}

bool pliant__is_elastic(const pliant_material *m, pliant_constraint_kind kind)
{
    if (kind == PLIANT_CONSTRAINT_DISTANCE) return m->young > 0 && !pliant__says_law(&m->stretch, m->has_stretch);
    return m->young > 0 && !pliant__says_law(&m->volume, m->has_volume);
}

/* Of a solid the compliance is 1 / mu, and the ratio is a number of the law. */
static pliant_law solid_law(const pliant_material *m)
{
    pliant_law law = pliant_law_default();
    law.compliance = (pliant_real)(2 * (1 + (double)m->poisson) / (double)m->young);
    law.numbers[0] = m->poisson;
    law.given = 1;
    law.yield = m->yield;
    law.creep = m->creep;
    law.hardening = m->hardening;
    law.most = m->most;
    return law;
}

pliant_law pliant__elastic_law(const pliant_material *m, pliant_constraint_kind kind, double share)
{
    if (kind != PLIANT_CONSTRAINT_DISTANCE && kind != PLIANT_CONSTRAINT_TET_VOLUME) return solid_law(m);
    const bool   distance = kind == PLIANT_CONSTRAINT_DISTANCE;
    pliant_law   law = distance ? m->stretch : m->volume;
    const double nu = (double)m->poisson, shear = (double)m->young / (2 * (1 + nu));
    if (pliant__is_elastic(m, kind)) law.compliance = (pliant_real)(share / (distance ? shear : shear * (4 * nu - 1) / (1 - 2 * nu)));
    return law;
}
