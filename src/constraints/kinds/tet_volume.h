/* Signed volume of a tetrahedron.
 *
 * C = V - rest with V = ((x1 - x0) x (x2 - x0)) . (x3 - x0) / 6; the gradients are the opposite faces' cross products over 6:
 *   grad1 C = (x2 - x0) x (x3 - x0) / 6,   grad2 C = (x3 - x0) x (x1 - x0) / 6,   grad3 C = (x1 - x0) x (x2 - x0) / 6,
 *   grad0 C = -(grad1 C + grad2 C + grad3 C).
 * Some texts use C = 6 (V - rest): their compliance is 36 times this one's for the same body.
 *
 * Source: Müller et al. 2015, Strain Based Dynamics; Bender, Müller, Macklin 2017, section 5. */
/* C, and six times the gradients, the first of them turned round. */
KERNEL vreal tet_volume_sixfold(const vvec *x, const vreal *parameter, vvec *sixfold)
{
    vvec a = vsub(x[1], x[0]), b = vsub(x[2], x[0]), c = vsub(x[3], x[0]);
    sixfold[1] = vcross(b, c);
    sixfold[2] = vcross(c, a);
    sixfold[3] = vcross(a, b);
    sixfold[0] = vadd(vadd(sixfold[1], sixfold[2]), sixfold[3]);
    return vdot(sixfold[3], c) * K(1.0 / 6) - parameter[0];
}

KERNEL void tet_volume_value(const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    C[0] = tet_volume_sixfold(x, parameter, gradient);
    gradient[0] = vneg(gradient[0]);
    UNROLL
    for (int i = 0; i < 4; i++) gradient[i] = vscale(gradient[i], vsplat(K(1.0 / 6)));
}

/* The least S of a tetrahedron of rest volume V: that of a regular one: its faces are the smallest that enclose V; |grad C|^2 is a^4 / 48 with
 * a^4 = (72 V^2)^(2/3). The cube root of V is V^(1/4 + 1/16 + 1/64): 1 % too large where V is 0.1, 11 % where it is 1e-9. */
KERNEL vreal tet_volume_least(const vreal *w, vreal rest)
{
    vreal V = vabs(rest), fourth = vsqrt(vsqrt(V)), sixteenth = vsqrt(vsqrt(fourth));
    return (w[0] + w[1] + w[2] + w[3]) * V * (K(17.306965 / 48) * fourth * sixteenth * vsqrt(vsqrt(sixteenth)));
}

/* The same, projected along six times the gradients, the first of them turned round: the multiplier's change is six times
 *   k (-C - alpha~ lambda) / (max(e S, S + (e - 1) least) / 6 + 6 alpha~),   S = sum_i w_i |6 grad_i C|^2,
 * and 0 where `quotient` has it 0 (project.h), or something is not a number. S vanishes where the tetrahedron is crushed: what eases it may not,
 * or it would be the stiffer the flatter it is, and give more on its way back than it took on its way there. */
KERNEL vreal tet_volume_change(const vvec *x, const vreal *w, const vreal *parameter, bool compliant, bool kept, vlaw law, vreal lambda,
                               vvec *sixfold, vreal *length)
{
    (void)kept;
    *length = vsplat(6);
    vreal numerator = -tet_volume_sixfold(x, parameter, sixfold), S = weighted_norm(4, sixfold, w) * K(1.0 / 6), denominator = S;
    if (compliant) {
        vreal least = tet_volume_least(w, parameter[0]) * K(6);
        numerator = numerator - law.alpha * lambda;
        denominator = vmax(law.ease * S, S + (law.ease - K(1)) * least) + law.alpha * K(6);
    }
    vmask valid = (S >= KERNEL_TINY) & (numerator * numerator < K(1e24 / 6) * S);
    return vkeep(valid, numerator * law.stiffness / denominator);
}

#ifdef KIND
#define KIND_CHANGE tet_volume_change
#define KIND_AGAINST 0
#endif
