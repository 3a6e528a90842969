/* What kinds of bending of flat shapes have in common: C = |D| with D = sum_i c_i x_i, constants c_i that sum to zero and of which parameters are all but c_0.
 *
 * D is linear in positions, and its square is a quadratic form with a constant matrix: Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006, A Quadratic
 * Bending Model for Inextensible Surfaces, eq. 3. */
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

/* grad_i C = c_i D / |D|. */
KERNEL void bending_value(uint32_t slots, const vvec *x, const vreal *parameter, vreal *C, vvec *gradient)
{
    const vvec  D = bending_sum(slots, x, parameter);
    const vreal length = vlength(D);
    const vvec  n = vscale(D, vinverse(length));
    gradient[0] = vscale(n, first_coefficient(slots, parameter));
    UNROLL
    for (uint32_t i = 1; i < slots; i++) gradient[i] = vscale(n, parameter[i - 1]);
    C[0] = length;
}

/* The same, projected without a square root where no multiplier is kept. Slots move along c_i D instead of along gradients, and the multiplier's change
 * over |D| is
 *   k (-1 - alpha~ lambda / |D|) / (e S + alpha~),   S = sum_i w_i c_i^2,
 * and 0 where nothing can move, D has no direction but a multiplier, or is beyond what a number can hold. What is not compliant has k = 1 and e = 1. `kept`:
 * lambda may be other than 0. */
KERNEL vreal bending_change(uint32_t slots, const vvec *x, const vreal *w, const vreal *parameter, bool compliant, bool kept, vlaw law,
                            vreal lambda, vvec *along, vreal *length)
{
    const vvec  D = bending_sum(slots, x, parameter);
    const vreal first = first_coefficient(slots, parameter), square = vdot(D, D);
    vreal       S = w[0] * (first * first), numerator = vsplat(-1);
    UNROLL
    for (uint32_t i = 1; i < slots; i++) S = S + w[i] * (parameter[i - 1] * parameter[i - 1]);
    vreal denominator = S;
    vmask valid = (S >= KERNEL_TINY) & (square < K(1e24) * S);
    *length = vsplat(1);
    if (kept) {
        *length = vsqrt(square);
        numerator = numerator - law.alpha * lambda * vinverse(*length);
    }
    if (compliant) {
        numerator = numerator * law.stiffness;
        denominator = law.ease * denominator + law.alpha;
    }
    along[0] = vscale(D, first);
    UNROLL
    for (uint32_t i = 1; i < slots; i++) along[i] = vscale(D, parameter[i - 1]);
    return vkeep(valid, numerator / denominator);
}

#endif
