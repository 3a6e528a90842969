/* From a constraint's value and gradients to its multiplier's change: PBD and XPBD, equality and inequality, one row or a block of rows.
 *
 * With S = sum_i w_i |grad_i C|^2, alpha~ = alpha / h^2, gamma = alpha beta / h (Macklin 2016, eq. 26):
 *   raw(C) = lambda + k (-C - alpha~ lambda - gamma grad C . (x - x_start)) / ((1 + gamma) e S + alpha~)
 * and the new multiplier is
 *   equal: raw(C);   at most: min(0, raw(C));   at least: max(0, raw(C));   range: max(min(0, raw(C - high)), raw(C - low))
 * where low and high are what the range allows C to be. A multiplier that is clamped may shrink again in a later iteration: that is what
 * keeping lambda over iterations is for. e is 1 but where a substep is shorter than those before it (solver/ease.c). Several rows of one constraint are solved as one block by LDL^T, which leaves no residual
 * within the block. */
#ifndef PLIANT_CONSTRAINTS_PROJECT_H
#define PLIANT_CONSTRAINTS_PROJECT_H

#include "constraints/kernel.h"

/* A law made ready for a substep, one number per lane. */
typedef struct vlaw {
    vreal alpha;     /* alpha / h^2 */
    vreal gamma;     /* alpha beta / h */
    vreal stiffness; /* k' = 1 - (1 - k)^(1 / iterations) */
    vreal low, high; /* range: smallest and largest stretch, minus 1 */
    vreal ease;      /* e >= 1: S counts e times, so that old violation is corrected over several substeps; solver/ease.c */
} vlaw;

/* What a batch does, the same for all its lanes; constants where a kernel is made for the plain case. */
typedef struct project_mode {
    bool         compliant; /* alpha may be > 0, and lambda is needed; or k may be other than 1 */
    bool         damped;    /* gamma may be > 0 */
    pliant_limit limit;
} project_mode;

/* Sum of w |gradient|^2 over the slots of one row. */
KERNEL vreal weighted_norm(uint32_t slots, const vvec *gradient, const vreal *w)
{
    vreal sum = w[0] * vdot(gradient[0], gradient[0]);
    UNROLL
    for (uint32_t i = 1; i < slots; i++) sum = sum + w[i] * vdot(gradient[i], gradient[i]);
    return sum;
}

/* grad C . (x - start) of one row. */
KERNEL vreal path_derivative(uint32_t slots, const vvec *gradient, const vvec *x, const vvec *start)
{
    vreal sum = vdot(gradient[0], vsub(x[0], start[0]));
    UNROLL
    for (uint32_t i = 1; i < slots; i++) sum = sum + vdot(gradient[i], vsub(x[i], start[i]));
    return sum;
}

/* k numerator / denominator; 0 where nothing can move (pins, or no direction), and where the gradient is so small beside C that the correction
 * would throw particles out of the world: |numerator| / sqrt(S) is how far it moves them, for masses near 1 kg. No finite input then gives
 * anything that is not finite. */
KERNEL vreal quotient(vlaw law, vreal numerator, vreal S, vreal denominator)
{
    vmask dead = (S < KERNEL_TINY) | (numerator * numerator >= K(1e24) * S); /* false for a NaN, which goes on, to be noticed */
    return vselect(dead, vsplat(0), numerator * (law.stiffness / denominator));
}

/* The change of one row's multiplier. `S` is its weighted norm, `rest` scales a range, `path` is its path derivative. */
KERNEL vreal multiplier_change(project_mode mode, vlaw law, vreal C, vreal S, vreal path, vreal rest, vreal lambda)
{
    vreal numerator = -C, denominator = S;
    if (mode.compliant) {
        numerator = numerator - law.alpha * lambda;
        denominator = law.ease * denominator;
        if (mode.damped) {
            numerator = numerator - law.gamma * path;
            denominator = (K(1) + law.gamma) * denominator;
        }
        denominator = denominator + law.alpha;
    }
    if (mode.limit == PLIANT_EQUAL) return quotient(law, numerator, S, denominator);

    vreal next;
    if (mode.limit == PLIANT_AT_MOST)
        next = vmin(lambda + quotient(law, numerator, S, denominator), vsplat(0));
    else if (mode.limit == PLIANT_AT_LEAST)
        next = vmax(lambda + quotient(law, numerator, S, denominator), vsplat(0));
    else {
        vreal upper = lambda + quotient(law, numerator + law.high * rest, S, denominator);
        vreal lower = lambda + quotient(law, numerator + law.low * rest, S, denominator);
        next = vmax(vmin(upper, vsplat(0)), lower); /* high >= low, so at most one of the two sides acts */
    }
    return next - lambda;
}

/* A pivot that is this small a share of its row is rounding. */
#ifdef PLIANT_DOUBLE
#define DEPENDENT K(1e-13)
#else
#define DEPENDENT K(1e-6)
#endif

/* The changes of all multipliers of a constraint with several rows that are equalities, by one block. `rows` <= PLIANT_MAX_ROWS. A row that
 * depends on those before it (or has no gradient) and no compliance gets no change of its own. */
KERNEL void block_change(uint32_t rows, uint32_t slots, project_mode mode, vlaw law, const vreal *C, const vvec *gradient, const vreal *w,
                         const vvec *x, const vvec *start, const vreal *lambda, vreal *change)
{
    vreal L[PLIANT_MAX_ROWS][PLIANT_MAX_ROWS], D[PLIANT_MAX_ROWS]; /* D holds inverses of the pivots */
    UNROLL
    for (uint32_t r = 0; r < rows; r++) {
        const vvec *g = gradient + r * slots;
        vreal       b = -C[r];
        if (mode.compliant) b = b - law.alpha * lambda[r];
        if (mode.damped) b = b - law.gamma * path_derivative(slots, g, x, start);
        UNROLL
        for (uint32_t c = 0; c <= r; c++) {
            const vvec *o = gradient + c * slots;
            vreal       a = w[0] * vdot(g[0], o[0]);
            UNROLL
            for (uint32_t i = 1; i < slots; i++) a = a + w[i] * vdot(g[i], o[i]);
            if (mode.compliant) a = law.ease * a;
            if (mode.damped) a = (K(1) + law.gamma) * a;
            if (mode.compliant && c == r) a = a + law.alpha;
            vreal whole = a;
            UNROLL
            for (uint32_t k = 0; k < c; k++) a = a - L[r][k] * L[c][k] * D[k]; /* L is not yet divided by the pivots */
            L[r][c] = a;
            if (c == r) D[r] = vkeep(a > whole * DEPENDENT, vinverse(a));
        }
        UNROLL
        for (uint32_t k = 0; k < r; k++) b = b - L[r][k] * D[k] * change[k];
        change[r] = b; /* forward substitution leaves z with L z = b */
    }
    UNROLL
    for (uint32_t r = rows; r-- > 0;) {
        vreal sum = change[r] * D[r];
        UNROLL
        for (uint32_t k = r + 1; k < rows; k++) sum = sum - L[k][r] * D[r] * change[k];
        change[r] = sum;
    }
    UNROLL
    for (uint32_t r = 0; r < rows; r++) change[r] = vselect(vabs(change[r]) >= K(1e30), vsplat(0), change[r] * law.stiffness);
}

/* The same for rows that are projected one after another (PLIANT_ROW_IN_TURN): each by its formula, with C as those before it have left it, to first
 * order, and with S no less than `least` has for the row. Rows with gradients that are nearly one and the same, and values that are not, then leave a little of
 * what they ask for, where a block would move the particles far to meet them both. */
KERNEL void turn_change(uint32_t rows, uint32_t slots, project_mode mode, vlaw law, const vreal *C, const vvec *gradient, const vreal *w,
                        const vvec *x, const vvec *start, const vreal *lambda, const vreal *least, vreal *change)
{
    UNROLL
    for (uint32_t r = 0; r < rows; r++) {
        const vvec *g = gradient + r * slots;
        const vreal S = weighted_norm(slots, g, w), path = mode.damped ? path_derivative(slots, g, x, start) : vsplat(0);
        vreal       value = C[r];
        UNROLL
        for (uint32_t c = 0; c < r; c++) {
            const vvec *o = gradient + c * slots;
            vreal       a = w[0] * vdot(g[0], o[0]);
            UNROLL
            for (uint32_t i = 1; i < slots; i++) a = a + w[i] * vdot(g[i], o[i]);
            if (mode.damped) a = (K(1) + law.gamma) * a;
            value = value + vkeep(change[c] != vsplat(0), a * change[c]); /* where S is too large for a number, a is none */
        }
        const vreal by = multiplier_change(mode, law, value, vmax(S, least[r]), path, vsplat(0), lambda[r]);
        change[r] = vselect(S < KERNEL_TINY, vsplat(0), by); /* nothing moves along it; a NaN goes on, to be noticed */
    }
}

/* How far a row is from being satisfied: |C + alpha~ lambda|, of an inequality only where it is violated or pushes. */
KERNEL vreal row_residual(pliant_limit limit, vlaw law, vreal C, vreal rest, vreal lambda)
{
    vreal zero = vsplat(0), r = C + law.alpha * lambda;
    if (limit == PLIANT_EQUAL) return vabs(r);
    if (limit == PLIANT_AT_MOST) return vselect(lambda < K(0), vabs(r), vmax(r, zero));
    if (limit == PLIANT_AT_LEAST) return vselect(lambda > K(0), vabs(r), vmax(-r, zero));
    vreal above = r - law.high * rest, below = r - law.low * rest;
    return vselect(lambda < K(0), vabs(above), vselect(lambda > K(0), vabs(below), vmax(zero, vmax(above, -below))));
}

#endif
