/* Signed volume of a tetrahedron.
 *
 * C = V - rest with V = ((x1 - x0) x (x2 - x0)) . (x3 - x0) / 6; the gradients are the opposite faces' cross products over 6:
 *   grad1 C = (x2 - x0) x (x3 - x0) / 6,   grad2 C = (x3 - x0) x (x1 - x0) / 6,   grad3 C = (x1 - x0) x (x2 - x0) / 6,
 *   grad0 C = -(grad1 C + grad2 C + grad3 C).
 * Some texts use C = 6 (V - rest): their compliance is 36 times this one's for the same body.
 *
 * Source: Müller et al. 2015, Strain Based Dynamics; Bender, Müller, Macklin 2017, section 5. */
KERNEL void tet_volume_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    vvec a = vsub(x[1], x[0]), b = vsub(x[2], x[0]), c = vsub(x[3], x[0]);
    gradient[1] = vscale(vcross(b, c), vsplat(K(1.0 / 6)));
    gradient[2] = vscale(vcross(c, a), vsplat(K(1.0 / 6)));
    gradient[3] = vscale(vcross(a, b), vsplat(K(1.0 / 6)));
    gradient[0] = vneg(vadd(vadd(gradient[1], gradient[2]), gradient[3]));
    C[0] = vdot(gradient[3], c) - parameter[0];
}
