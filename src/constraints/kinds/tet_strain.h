/* Strain-based solid: a tetrahedron that keeps the lengths of three axes and the angles between them.
 *
 * F is the deformation gradient, from the shape at rest to x0 x1 x2 x3, with columns f1 f2 f3, J = det F, V the volume at rest. The strain has six numbers:
 * what axes are stretched by, and the cosines of the angles between them,
 *   s_i = |f_i| - 1,   h_ij = f_i . f_j / (n_i n_j),   n_i = max(|f_i|, 0.1).
 * To first order s_i and h_ij / 2 are the entries of the strain that other solids have, so with these the energy per volume
 *   psi = mu (|s|^2 + |h|^2 / 2) + lambda/2 (s1 + s2 + s3)^2
 * is that of a material of Lame's moduli mu and lambda where it is hardly strained. There are two rows,
 *   C0 = sqrt(V) sqrt(2 |s|^2 + |h|^2),   C1 = sqrt(V lambda / mu) (s1 + s2 + s3),
 * of one compliance, 1 / mu; lambda / mu = 2 nu / (1 - 2 nu). Both are 0 at rest. C0 is the length of a strain: it has no direction at rest, where its
 * gradients are left to rounding, which is as small as C0 is. With u_i = f_i / |f_i|,
 *   ds_i/df_i = u_i,   dh_ij/df_i = (f_j / n_j - h_ij u_i) / n_i, without the second term where |f_i| < 0.1.
 *
 * The axes are those of the tetrahedron at rest: the first along x1 - x0, the second in the plane of x0 x1 x2. Where strains are large, how stiff it is depends on
 * which way they lie: an axis that is stretched shears as easily as one that is not.
 *
 * The strain does not know what is mirrored. So where J < 0.3 the energy has a term mu/2 T^2 more, T = 2 t^2 / (1 + t), t = 1 - J / 0.3, and
 * C0 = sqrt(V (2 |s|^2 + |h|^2 + T^2)), with the slope T dT/dJ cof F of T^2 / 2. That leaves no other minimum: what is mirrored, or flat, unfolds. What is pressed less than to three tenths of its
 * volume does not know of it.
 *
 * F, B and V stand at the head of src/constraints/solid.h. A tetrahedron that is too large to compute with has gradients of 0.
 *
 * Source: Müller, Chentanez, Kim, Macklin 2014, Strain Based Dynamics, for the six numbers; that they share an energy in physical units, and the term for
 * what is mirrored, are Pliant's own. */
#include "constraints/solid.h"

#define LEAST_AXIS K(0.1)

KERNEL void tet_strain_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    vvec        f[3], u[3], g[3], of_square[3];
    vreal       s[3], over[3], lean[3];
    const vmask can = solid_strain(x, parameter, f);
    solid_unfold_point(vdot(f[0], f[0]) + vdot(f[1], f[1]) + vdot(f[2], f[2]), f);
    const vreal V = solid_volume(parameter), root = vsqrt(V), bulk = root * vsqrt(solid_bulk(parameter[6]));
    UNROLL
    for (int i = 0; i < 3; i++) {
        const vreal n = vlength(f[i]);
        u[i] = vscale(f[i], vinverse(n));
        s[i] = n - K(1);
        over[i] = K(1) / vmax(n, vsplat(LEAST_AXIS));
        g[i] = vscale(f[i], over[i]);
        lean[i] = vkeep(n > LEAST_AXIS, over[i]);
    }
    const vvec  c[3] = {vcross(f[1], f[2]), vcross(f[2], f[0]), vcross(f[0], f[1])};
    const vreal h12 = vdot(g[0], g[1]), h13 = vdot(g[0], g[2]), h23 = vdot(g[1], g[2]);
    vreal       fold;
    const vreal T = solid_unfolding(vdot(f[0], c[0]), &fold);
    const vreal shear = h12 * h12 + h13 * h13 + h23 * h23;
    const vreal length = vsqrt(K(2) * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) + shear + T * T);
    const vreal along[3] = {K(2) * s[0] - lean[0] * (h12 * h12 + h13 * h13), K(2) * s[1] - lean[1] * (h12 * h12 + h23 * h23),
                            K(2) * s[2] - lean[2] * (h13 * h13 + h23 * h23)};
    of_square[0] = vscale(vadd(vscale(g[1], h12), vscale(g[2], h13)), over[0]);
    of_square[1] = vscale(vadd(vscale(g[0], h12), vscale(g[2], h23)), over[1]);
    of_square[2] = vscale(vadd(vscale(g[0], h13), vscale(g[1], h23)), over[2]);
    UNROLL
    for (int i = 0; i < 3; i++) of_square[i] = vadd(of_square[i], vadd(vscale(u[i], along[i]), vscale(c[i], fold)));
    C[0] = root * length;
    C[1] = bulk * (s[0] + s[1] + s[2]);
    solid_gradients(of_square, vkeep(can, root * vinverse(length)), parameter, gradient);
    solid_gradients(u, vkeep(can, bulk), parameter, gradient + 4);
}

/* C0 has gradients along its strain, which may vanish on the way from what is mirrored to what is not: what would be thrown there is held back. */
KERNEL void tet_strain_least(const vreal *w, const vreal *parameter, vreal *least) { solid_least(w, parameter, least); }

static inline bool tet_strain_rest(const rest_vec *x, double *parameter) { return solid_rest(x, parameter); }

#define KIND_LEAST
#define KIND_REST
