/* Saint Venant and Kirchhoff's solid: a tetrahedron with a stress in proportion to Green's strain.
 *
 * F is the deformation gradient, from the shape at rest to x0 x1 x2 x3, E = (F^T F - 1) / 2 Green's strain, J = det F, V the volume at rest. Per volume the
 * material stores
 *   psi = mu |E|^2 + lambda/2 tr(E)^2,
 * of which mu and lambda are Lame's moduli. So there are two rows,
 *   C0 = sqrt(2 V) |E|,   C1 = sqrt(V lambda / mu) tr E,
 * of one compliance, 1 / mu; lambda / mu = 2 nu / (1 - 2 nu). Both are 0 at rest. C0 is the length of a strain: it has no direction at rest, where its
 * gradients are left to rounding, which is as small as C0 is.
 *   dC0/dF = sqrt(2 V) F E / |E|,   dC1/dF = sqrt(V lambda / mu) F.
 *
 * E does not know what is mirrored, and a tetrahedron that is flat is as good as one that is pressed to nothing: F E is 0 across it. So where J < 0.3
 * the energy has a term mu/2 T^2 more, T = 2 t^2 / (1 + t), t = 1 - J / 0.3, and
 *   C0 = sqrt(V (2 |E|^2 + T^2)),   C0 dC0/dF = V (2 F E + T dT/dJ cof F),
 * with the cofactors cof F = dJ/dF. That leaves no other minimum: what is mirrored, or flat, unfolds. What is pressed less than to three tenths of its volume does not know
 * of it.
 *
 * F, B and V stand at the head of src/constraints/solid.h. A tetrahedron that is too large to compute with has gradients of 0.
 *
 * Source: Sifakis and Barbic 2012, FEM Simulation of 3D Deformable Solids, part 1, section 3.3; of energies as constraints, Bender, Koschier, Charrier,
 * Weber 2014, Position-based Simulation of Continuous Materials. The term for what is mirrored is Pliant's own. */
#include "constraints/solid.h"

KERNEL void tet_stvk_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    vvec        f[3], of_square[3];
    const vmask can = solid_strain(x, parameter, f);
    solid_unfold_point(vdot(f[0], f[0]) + vdot(f[1], f[1]) + vdot(f[2], f[2]), f);
    const vreal half = vsplat(K(0.5)), V = solid_volume(parameter), root = vsqrt(V), bulk = root * vsqrt(solid_bulk(parameter[6]));
    const vreal e11 = half * (vdot(f[0], f[0]) - K(1)), e22 = half * (vdot(f[1], f[1]) - K(1)), e33 = half * (vdot(f[2], f[2]) - K(1));
    const vreal e12 = half * vdot(f[0], f[1]), e13 = half * vdot(f[0], f[2]), e23 = half * vdot(f[1], f[2]);
    const vvec  c[3] = {vcross(f[1], f[2]), vcross(f[2], f[0]), vcross(f[0], f[1])};
    vreal       slope;
    const vreal T = solid_unfolding(vdot(f[0], c[0]), &slope), fold = half * slope;
    const vreal square = e11 * e11 + e22 * e22 + e33 * e33 + K(2) * (e12 * e12 + e13 * e13 + e23 * e23);
    const vreal length = vsqrt(K(2) * square + T * T);
    of_square[0] = vadd(vadd(vadd(vscale(f[0], e11), vscale(f[1], e12)), vscale(f[2], e13)), vscale(c[0], fold));
    of_square[1] = vadd(vadd(vadd(vscale(f[0], e12), vscale(f[1], e22)), vscale(f[2], e23)), vscale(c[1], fold));
    of_square[2] = vadd(vadd(vadd(vscale(f[0], e13), vscale(f[1], e23)), vscale(f[2], e33)), vscale(c[2], fold));
    C[0] = root * length;
    C[1] = bulk * (e11 + e22 + e33);
    solid_gradients(of_square, vkeep(can, K(2) * root * vinverse(length)), parameter, gradient);
    solid_gradients(f, vkeep(can, bulk), parameter, gradient + 4);
}

/* Gradients vanish where C does not: of C0 on the way between what is mirrored and what is not, of both where the tetrahedron is crushed. */
KERNEL void tet_stvk_least(const vreal *w, const vreal *parameter, vreal *least) { solid_least(w, parameter, least); }

static inline bool tet_stvk_rest(const rest_vec *x, double *parameter) { return solid_rest(x, parameter); }

#define KIND_LEAST
#define KIND_REST
