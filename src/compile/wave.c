/* The fastest elastic wave through a body: how many substeps it takes to cross an edge says how much softer than its material a body will look. */
#include "compile/model.h"

#include <math.h>

/* Sums over the elements of a body. */
typedef struct elements {
    double size, edges; /* m^3 or m^2, at rest; m */
    double modulus;     /* Pa or N/m, the largest */
    size_t count;
} elements;

/* Of a tetrahedron: the modulus of what is pressed and cannot give way sideways, lambda + 2 mu; compliance is 1 / mu. */
static double solid_modulus(const pliant__model_law *law)
{
    const double mu = 1 / (double)law->compliance, poisson = (double)law->number[0];
    return 2 * mu * (1 + poisson / (1 - 2 * poisson));
}

/* Of a triangle: the stiffness along warp or weft, whichever is larger, where both are held; compliance is one over that of a strip along warp. */
static double sheet_modulus(const pliant__model_law *law)
{
    const double warp = 1 / (double)law->compliance, weft = (double)law->number[0], poisson = (double)law->number[2];
    return warp * fmax(1, weft) / (1 - poisson * poisson);
}

static void add_element(elements *e, const pliant_solved_constraint *c, const pliant__model_law *law)
{
    const pliant_real *b = c->parameters;
    const bool         solid = pliant_constraint_describe(c->kind)->slots == 4;
    if (!(law->compliance > 0)) return;
    const double size = solid ? 1 / (6 * fabs((double)b[0] * (double)b[3] * (double)b[5]))
                              : 0.5 / fabs((double)b[0] * (double)b[3] - (double)b[1] * (double)b[2]);
    e->size += size;
    e->edges += solid ? cbrt(6 * sqrt(2) * size) : sqrt(4 / sqrt(3) * size); /* of the regular one of this size */
    e->modulus = fmax(e->modulus, solid ? solid_modulus(law) : sheet_modulus(law));
    e->count++;
}

pliant_wave pliant_model_wave(const pliant_model *model, pliant_body body)
{
    pliant_wave               wave = {0, 0};
    elements                  e = {0, 0, 0, 0};
    const pliant__model_body *b = model ? pliant__model_body_of(model, body) : NULL;
    for (uint32_t i = 0, count = b ? pliant_model_solved_count(model) : 0; i < count; i++) {
        const pliant_solved_constraint c = pliant_model_solved(model, i);
        if (!(pliant_constraint_describe(c.kind)->flags & (PLIANT_ROW_SOLID | PLIANT_ROW_TEARS))) continue;
        if (c.particles[0].body.id == body.id) add_element(&e, &c, &model->laws[c.law]);
    }
    if (!e.count || !(b->mass > 0)) return wave;
    wave.speed = sqrt(e.modulus * e.size / b->mass);
    wave.edge = e.edges / (double)e.count;
    return wave;
}
