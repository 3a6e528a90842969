/* Materials: the default, and a few to begin with.
 *
 * How a preset's numbers follow from measurements:
 * - Cloth: stretch stiffness along warp and weft, shear stiffness and bending rigidity of a fabric; what each edge, diagonal and hinge gets of them is
 *   in fabric.c. Where the numbers come from stands beside them, and docs/materials.md has them in a table.
 *   Of what the Kawabata system reports (Kawabata 1980, The Standardization and Analysis of Hand Evaluation): 1 gf cm^2/cm = 9.81e-5 N m,
 *   1 gf/(cm degree) = 56.2 N/m.
 * - Damping of cloth: a spring of frequency f and loss factor eta loses exp(-pi eta f t) of its amplitude, and a spring damped by a rate d exp(-d t /
 * 2);
 *   so d = 2 pi eta f, with f = 1 Hz, about as fast as a fold swings.
 * - Soft bodies: Young's modulus and Poisson's ratio; what each edge and tetrahedron gets of them is in elastic.c.
 * - Ropes: a segment of length l has stiffness E A / l; l is taken as 5 cm, the rope as 10 mm thick. */
#include "scene/check.h"

#include <string.h>

pliant_material pliant_material_default(void)
{
    pliant_material m;
    memset(&m, 0, sizeof m);
    m.size = sizeof m;
    m.density = 1;
    m.stretch = m.shear = m.bend = m.area = m.volume = pliant_law_default();
    m.young = (pliant_real)1e5;
    m.poisson = (pliant_real)0.45;
    m.friction_static = m.friction_dynamic = m.restitution = m.rolling_friction = -1;
    m.air_drag = 1;
    m.air_lift = (pliant_real)0.5;
    return m;
}

typedef struct preset {
    const char *name;
    double      density, stretch, shear, bend, thickness, friction_static, friction_dynamic, restitution, damping, young, poisson;
    double      warp, weft, shearing, bending; /* of cloth: N/m, N/m, N/m, N m */
} preset;

static const preset presets[PLIANT_PRESET_COUNT] = {
    /* The fabrics' numbers below are typical of their kind and weight in the Kawabata system, not one specimen's: 1 gf cm^2/cm and
     * 1 gf/(cm degree) are its units; docs/materials.md has the sources.
     * Shirting, 124 g/m^2: E t 4 kN/m, shear 1.07, bending 0.118. */
    [PLIANT_COTTON] = {"cotton", 0.124, 0, 0, 0, 1.5e-4, 0.5, 0.4, -1, 0.5, 0, 0, 4000, 4000, 60, 1.16e-5},
    /* Habotai, 60 g/m^2: E t 2 kN/m, shear 0.27, bending 0.011. */
    [PLIANT_SILK] = {"silk", 0.060, 0, 0, 0, 7.5e-5, 0.3, 0.25, -1, 0.3, 0, 0, 2000, 2000, 15, 1.1e-6},
    /* Twill, 328 g/m^2: E t 10 kN/m along warp and 6 along weft, shear 2.1, bending 0.98. */
    [PLIANT_DENIM] = {"denim", 0.328, 0, 0, 0, 4e-4, 0.6, 0.5, -1, 0.6, 0, 0, 10000, 6000, 120, 9.6e-5},
    /* 1 mm of natural rubber, 1100 kg/m^3: E 1.5 MPa, G = E/3, B = E t^3 / (12 (1 - 0.25)). */
    [PLIANT_RUBBER_SHEET] = {"rubber_sheet", 1.1, 0, 0, 0, 5e-4, 1, 0.8, 0.3, 0.4, 0, 0, 1500, 1500, 500, 1.67e-4},
    /* The legacy fabrics, with one compliance for every edge, diagonal and hinge: an edge 1 / (E t), a diagonal 1 / (G t), a hinge 1 / (1.5 B).
     * Shirting, 150 g/m^2, 0.3 mm: E t 4 kN/m, G t 40 N/m, B 5e-6 N m. */
    [PLIANT_LEGACY_COTTON] = {"legacy_cotton", 0.15, 2.5e-4, 2.5e-2, 1.3e5, 1.5e-4, 0.5, 0.4, -1, 0.5, 0, 0, 0, 0, 0, 0},
    /* Habotai, 60 g/m^2, 0.15 mm: E t 3 kN/m, G t 20 N/m, B 2e-6 N m. */
    [PLIANT_LEGACY_SILK] = {"legacy_silk", 0.06, 3.3e-4, 5e-2, 3.3e5, 7.5e-5, 0.3, 0.25, -1, 0.3, 0, 0, 0, 0, 0, 0},
    /* Twill of 12 oz/yd^2, 0.8 mm: E t 10 kN/m, G t 150 N/m, B 4e-5 N m. */
    [PLIANT_LEGACY_DENIM] = {"legacy_denim", 0.4, 1e-4, 6.7e-3, 1.7e4, 4e-4, 0.6, 0.5, -1, 1, 0, 0, 0, 0, 0, 0},
    /* 1 mm of natural rubber. */
    [PLIANT_LEGACY_RUBBER_SHEET] = {"legacy_rubber_sheet", 1.1, 6.7e-4, 2e-3, 4e3, 5e-4, 1, 0.8, 0.3, 0.2, 0, 0, 0, 0, 0, 0},
    /* Table gelatine: E 5 kPa (gels of 4 to 6 % by weight have 3 to 10 kPa), nearly incompressible; nu as near to 1/2 as small steps keep up
     * with, a bulk modulus of 17 E. */
    [PLIANT_JELLY] = {"jelly", 1050, 0, 0, 0, 0, 0.4, 0.3, -1, 0.5, 5e3, 0.49, 0, 0, 0, 0},
    /* Natural rubber: E 1.5 MPa, 1100 kg/m^3. */
    [PLIANT_RUBBER] = {"rubber", 1100, 0, 0, 0, 0, 1, 0.8, 0.5, 0.2, 1.5e6, 0.49, 0, 0, 0, 0},
    /* The legacy jelly and rubber: an edge of length l stands for a rod of section about l^2, so its stiffness is about E l; l is taken as 5 cm
     * whatever the mesh. Volumes are rigid. */
    [PLIANT_LEGACY_JELLY] = {"legacy_jelly", 1050, 4e-3, 4e-3, 0, 0, 0.4, 0.3, -1, 0.5, 0, 0, 0, 0, 0, 0},
    [PLIANT_LEGACY_RUBBER] = {"legacy_rubber", 1100, 1.3e-5, 1.3e-5, 0, 0, 1, 0.8, 0.5, 0.2, 0, 0, 0, 0, 0, 0},
    /* Laid nylon, 62 g/m: E A 20 kN, hardly resists bending. */
    [PLIANT_ROPE] = {"rope", 0.062, 2.5e-6, 2.5e-6, 1e-2, 5e-3, 0.4, 0.35, -1, 0.5, 0, 0, 0, 0, 0, 0},
    /* Wire rope, 0.4 kg/m: E A 4 MN (half of the section is steel, and the lay gives), springs back from a bend. */
    [PLIANT_STEEL_CABLE] = {"steel_cable", 0.4, 1.25e-8, 1.25e-8, 1e-5, 5e-3, 0.25, 0.2, -1, 0.2, 0, 0, 0, 0, 0, 0},
};

pliant_material pliant_material_preset(pliant_preset number)
{
    pliant_material m = pliant_material_default();
    if ((int)number < 0 || (int)number >= PLIANT_PRESET_COUNT) return m;
    const preset *p = &presets[number];
    memcpy(m.name, p->name, strlen(p->name));
    m.density = (pliant_real)p->density;
    m.stretch.compliance = (pliant_real)p->stretch;
    m.shear.compliance = (pliant_real)p->shear;
    m.bend.compliance = (pliant_real)p->bend;
    m.young = (pliant_real)p->young;
    m.poisson = (pliant_real)p->poisson;
    m.stretch_warp = (pliant_real)p->warp;
    m.stretch_weft = (pliant_real)p->weft;
    m.shear_stiffness = (pliant_real)p->shearing;
    m.bending_rigidity = (pliant_real)p->bending;
    m.thickness = (pliant_real)p->thickness;
    m.friction_static = (pliant_real)p->friction_static;
    m.friction_dynamic = (pliant_real)p->friction_dynamic;
    m.restitution = (pliant_real)p->restitution;
    m.damping = (pliant_real)p->damping;
    return m;
}

const char *pliant_preset_name(pliant_preset number)
{
    return (int)number >= 0 && (int)number < PLIANT_PRESET_COUNT ? presets[number].name : NULL;
}
