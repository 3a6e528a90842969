/* The text that the kinds of bending of flat shapes have in common. With D = sum_i c_i x_i, constants c_i that sum to zero and of which parameters
 * are all but c_0, the shape has turned by the angle 2 asin(|D| / 2), where nothing stretches. C is that angle, within 0.5 % up to 90 degrees: with q
 * = |D|^2,
 *   C = |D| f,   f = 1 + q (10 + 3 q) / (12 (20 + q^2)),
 * 2.41 where the shape is folded back, 5/4 |D| far beyond, where it is stretched, and
 *   grad_i C = c_i g D / |D|,   g = f + 2 q f' = f + 5/3 q (20 + 12 q - q^2) / (20 + q^2)^2.
 * f is smooth and has a limit; C is the angle up to the third power of |D| (f begins with 1 + q / 24), and within 0.1 % at 90 degrees.
 *
 * D is linear in positions, and its square a quadratic form with a constant matrix: Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006, A Quadratic
 * Bending Model for Inextensible Surfaces, eq. 3. That is C = |D|, of which a fold of 90 degrees is a fifth too soft, and sharp folds of coarse cloth show it. */
#ifndef PLIANT_CONSTRAINTS_BENDING_H
#define PLIANT_CONSTRAINTS_BENDING_H

#include "constraints/project.h"

KERNEL vreal first_coefficient(uint32_t slots, const vreal *parameter)
{
    vreal sum = parameter[0];
    UNROLL
    for (uint32_t i = 1; i + 1 < slots; i++) sum = sum + parameter[i];
    return -sum;
}

KERNEL vvec bending_sum(uint32_t slots, const vvec *x, const vreal *parameter)
{
    vvec D = vscale(vsub(x[1], x[0]), parameter[0]);
    UNROLL
    for (uint32_t i = 2; i < slots; i++) D = vadd(D, vscale(vsub(x[i], x[0]), parameter[i - 1]));
    return D;
}

/* f and g of |D|^2; 1e8 where it is more, for which f is 5/4 to seven digits and no power overflows. */
KERNEL void bending_factors(vreal square, vreal *f, vreal *g)
{
    const vreal q = vmin(square, vsplat(K(1e8))), r = K(1) / (K(20) + q * q);
    *f = K(1) + q * (K(10.0 / 12) + q * K(3.0 / 12)) * r;
    *g = *f + q * (K(100.0 / 3) + q * (K(20) - q * K(5.0 / 3))) * (r * r);
}

KERNEL void bending_value(uint32_t slots, const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    const vvec  D = bending_sum(slots, x, parameter);
    const vreal length = vlength(D);
    vreal       f, g;
    bending_factors(vdot(D, D), &f, &g);
    const vvec n = vscale(D, g * vinverse(length));
    gradient[0] = vscale(n, first_coefficient(slots, parameter));
    UNROLL
    for (uint32_t i = 1; i < slots; i++) gradient[i] = vscale(n, parameter[i - 1]);
    C[0] = length * f;
}

/* The same, projected without a square root where no multiplier is kept. Slots move along c_i D instead of along gradients, and the multiplier's change
 * over |D| / g is
 *   k g (-f - alpha~ lambda / |D|) / (e g^2 S + alpha~),   S = sum_i w_i c_i^2,
 * and 0 where nothing can move, or D is beyond what a number can hold. A row that is not compliant has k = 1 and e = 1. `kept`: lambda may be other
 * than 0; it is left alone where D has no direction. */
KERNEL vreal bending_change(uint32_t slots, const vvec *x, const vreal *w, const vreal *parameter, bool compliant, bool kept, vlaw law,
                            vreal lambda, vvec *along, vreal *length)
{
    const vvec  D = bending_sum(slots, x, parameter);
    const vreal first = first_coefficient(slots, parameter), q = vdot(D, D);
    vreal       f, g, S = w[0] * (first * first);
    bending_factors(q, &f, &g);
    UNROLL
    for (uint32_t i = 1; i < slots; i++) S = S + w[i] * (parameter[i - 1] * parameter[i - 1]);
    vreal       numerator = -f, denominator = S * (g * g);
    const vmask valid = (S >= KERNEL_TINY) & (q < K(1e24) * S);
    *length = vsplat(1);
    if (kept) {
        const vreal size = vsqrt(q);
        *length = vkeep(valid, size / g);
        numerator = numerator - law.alpha * lambda * vinverse(size);
    }
    if (compliant) {
        numerator = numerator * law.stiffness;
        denominator = law.ease * denominator + law.alpha;
    }
    along[0] = vscale(D, first);
    UNROLL
    for (uint32_t i = 1; i < slots; i++) along[i] = vscale(D, parameter[i - 1]);
    return vkeep(valid, g * numerator / denominator);
}

#endif
