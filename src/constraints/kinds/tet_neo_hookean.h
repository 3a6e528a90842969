/* Neo-Hookean solid: a tetrahedron of a material with Young's modulus and Poisson's ratio.
 *
 * F is the deformation gradient, from the shape at rest to x0 x1 x2 x3, J = det F, I the sum of the squares of F's entries, and V the volume at rest. Per volume
 * the material stores
 *   psi = mu/2 (I - 3) - mu (J - 1) + (lambda + mu)/2 (J - 1)^2,
 * of which mu and lambda are Lame's moduli where it is hardly strained. (That is the energy of Macklin and Müller 2021 with lambda + mu in the place of their
 * lambda, but for a constant: with lambda itself a ratio of 0.3 becomes 0.167.) It is a sum of two squares, 2 psi = mu Q + lambda (J - 1)^2, with
 *   Q = I + J^2 - 4 J,
 * which is 0 of rotations, and above 0 of all else but F = 0. So there are two rows,
 *   C0 = sqrt(V) sqrt(Q),   C1 = sqrt(V lambda / mu) (J - 1),
 * of one compliance, 1 / mu; lambda / mu = 2 nu / (1 - 2 nu). Both are 0 at rest: no row pushes against another there, as those of the paper do, which lets
 * a body explode where substeps are long. C0 is the length of a strain: it has no direction at rest, where its gradients are left to rounding,
 * which is as small as C0 is. Q is a difference of numbers near 3 and 4. With E = F^T F - 1, of the size of the strain, it is also
 *   Q = 2 (J - 1)^2 - (E11 E22 + E22 E33 + E33 E11 - E12^2 - E23^2 - E13^2) - det E.
 *
 * At F = 0 Q would be 0, and what is crushed to nearly a point would shrink to one. Where I < 0.9, about half of the size on all sides, Q has 0.9 t^2
 * more, t = 1 - I / 0.9, and half of its gradient - 2 t F B^T. What is a point unfolds as src/constraints/solid.h says.
 *
 * The parameters are B, the inverse of the edges from x0 of the shape at rest, which is turned so that B is upper triangular: F = [x1 - x0, x2 - x0, x3 - x0] B,
 * and V = 1 / (6 b11 b22 b33). With D1 = (x2 - x0) x (x3 - x0), D2 and D3 likewise, and p = b11 b22 b33:
 *   J = p D1 . (x1 - x0),   grad_i J = p D_i,   grad_i Q / 2 = (F B^T)_i + (J - 2) p D_i,   i = 1, 2, 3;   those of x0 are minus their sums.
 *
 * Source: Macklin and Müller 2021, A Constraint-based Formulation of Stable Neo-Hookean Materials, after Smith, de Goes and Kim 2018, Stable Neo-Hookean
 * Flesh Simulation. */
#include "constraints/solid.h"
#include "constraints/solid_flow.h"

/* Q and J - 1; half of the gradients of Q, and those of J, of x1, x2, x3. A tetrahedron that is too large to compute with counts as one without edges:
 * its gradients are 0. */
KERNEL void tet_neo_hookean_strain(const vvec *x, const vreal *b, vreal *square, vreal *volume, vvec *of_square, vvec *of_volume)
{
    vvec        d1 = vsub(x[1], x[0]), d2 = vsub(x[2], x[0]), d3 = vsub(x[3], x[0]);
    const vreal p = b[0] * b[3] * b[5];
    vvec        f[3] = {vscale(d1, b[0]), vadd(vscale(d1, b[1]), vscale(d2, b[3])),
                        vadd(vadd(vscale(d1, b[2]), vscale(d2, b[4])), vscale(d3, b[5]))};
    const vreal all = vdot(f[0], f[0]) + vdot(f[1], f[1]) + vdot(f[2], f[2]);
    const vmask can = all < LARGEST_SQUARE;
    d1 = kept_vector(can, d1);
    d2 = kept_vector(can, d2);
    d3 = kept_vector(can, d3);
    UNROLL
    for (int i = 0; i < 3; i++) f[i] = kept_vector(can, f[i]);
    solid_unfold_point(all, f);
    const vreal s11 = vdot(f[0], f[0]), s22 = vdot(f[1], f[1]), s33 = vdot(f[2], f[2]);
    const vvec  D1 = vcross(d2, d3), D2 = vcross(d3, d1), D3 = vcross(d1, d2);
    const vreal J = vdot(D1, d1) * p, j = J - K(1), across = (J - K(2)) * p;
    const vreal e11 = s11 - K(1), e22 = s22 - K(1), e33 = s33 - K(1);
    const vreal crush = vmax(K(1) - (s11 + s22 + s33) * K(1 / 0.9), vsplat(0)), less = K(1) - K(2) * crush;
    const vreal e12 = vdot(f[0], f[1]), e13 = vdot(f[0], f[2]), e23 = vdot(f[1], f[2]);
    const vreal m33 = e11 * e22 - e12 * e12, m22 = e11 * e33 - e13 * e13, m11 = e22 * e33 - e23 * e23;
    const vreal det = e11 * m11 - e12 * (e12 * e33 - e13 * e23) + e13 * (e12 * e23 - e22 * e13);
    *square = vmax(K(2) * (j * j) - (m11 + m22 + m33) - det, vsplat(0)) + K(0.9) * (crush * crush);
    *volume = j;
    UNROLL
    for (int i = 0; i < 3; i++) f[i] = vscale(f[i], less);
    of_square[0] = vadd(vadd(vadd(vscale(f[0], b[0]), vscale(f[1], b[1])), vscale(f[2], b[2])), vscale(D1, across));
    of_square[1] = vadd(vadd(vscale(f[1], b[3]), vscale(f[2], b[4])), vscale(D2, across));
    of_square[2] = vadd(vscale(f[2], b[5]), vscale(D3, across));
    of_volume[0] = vscale(D1, p);
    of_volume[1] = vscale(D2, p);
    of_volume[2] = vscale(D3, p);
}

KERNEL void tet_neo_hookean_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    vreal       square, volume;
    vvec        of_square[3], of_volume[3];
    const vreal root = vsqrt(vinverse(K(6) * (parameter[0] * parameter[3] * parameter[5]))), nu = parameter[6];
    const vreal bulk = root * vsqrt(K(2) * nu / (K(1) - K(2) * nu));
    tet_neo_hookean_strain(x, parameter, &square, &volume, of_square, of_volume);
    const vreal length = vsqrt(square), along = root * vinverse(length);
    C[0] = root * length;
    C[1] = bulk * volume;
    UNROLL
    for (int i = 0; i < 3; i++) {
        gradient[i + 1] = vscale(of_square[i], along);
        gradient[i + 5] = vscale(of_volume[i], bulk);
    }
    UNROLL
    for (int r = 0; r < 8; r += 4) gradient[r] = vneg(vadd(vadd(gradient[r + 1], gradient[r + 2]), gradient[r + 3]));
}

/* Gradients vanish where C does not: of C1 where the tetrahedron is crushed, of C0 where it is pressed to 0.55 of its edges on all sides. What would be
 * thrown there is moved as if S were a quarter, of C1 five sixteenths, of what it is at rest: V lambda / mu sum_i w_i |grad_i J|^2, with the rows of B for
 * grad_i J; of C0 between the least and the largest of its directions. With a 32nd, as solids of other laws have it, a block that is pressed to a tenth explodes where substeps are few
 * for its stiffness: docs/decisions/0035. */
KERNEL void tet_neo_hookean_least(const vreal *w, const vreal *parameter, vreal *least)
{
    solid_least(w, parameter, least);
    least[0] = K(8) * least[0];
    least[1] = K(10) * least[1];
}

static inline bool tet_neo_hookean_rest(const rest_vec *x, double *parameter) { return solid_rest(x, parameter); }

KERNEL void tet_neo_hookean_flow(const vvec *x, const vreal *C, const vreal *rest, vflow law, vreal *parameter)
{
    (void)C;
    solid_flow(x, rest, law, parameter);
}

#ifdef KIND
#define KIND_FLOW
#endif
#define KIND_LEAST
#define KIND_REST
