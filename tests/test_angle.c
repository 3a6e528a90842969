/* Angles of hinges by kernels that know only + - * / and roots: beside the long double's arc tangent, in units of the last place. */
#include "constraints/kernel.h"

#include "constraints/kinds/dihedral_angle.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define CASES 2000000
#define UNITS 2.0L
#define PI 3.141592653589793238462643L

#ifdef PLIANT_DOUBLE
#define DIGITS DBL_MANT_DIG
#else
#define DIGITS FLT_MANT_DIG
#endif

static uint64_t seed = 1;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

/* Anywhere; of any size; and as near as that to a half turn. */
static double angle_of(int i)
{
    const double side = uniform(-1, 1) < 0 ? -1 : 1;
    if (i % 3 == 0) return uniform(-1, 1) * (double)PI;
    const double little = pow(10, uniform(-8, 0));
    return side * (i % 3 == 1 ? little : (double)PI - little);
}

static long double units_off(pliant_real y, pliant_real x)
{
    const long double angle = atan2l((long double)y, (long double)x);
    int               power;
    frexpl(angle, &power);
    return fabsl((long double)vatan2(y, x) - angle) / ldexpl(1, power - DIGITS);
}

static void an_angle_is_right_to_two_units_of_its_last_place(void **unused)
{
    long double most = 0;
    (void)unused;
    for (int i = 0; i < CASES; i++) {
        const double angle = angle_of(i), size = pow(10, uniform(-15, 15));
        most = fmaxl(most, units_off((pliant_real)(size * sin(angle)), (pliant_real)(size * cos(angle))));
    }
    print_message("%.2Lf units\n", most);
    assert_true(most < UNITS);
}

static void angles_on_the_axes_are_quarters_of_a_turn(void **unused)
{
    (void)unused;
    assert_true(vatan2(K(0), K(0)) == K(0));
    assert_true(vatan2(K(0), K(3)) == K(0));
    assert_true(vatan2(K(3), K(0)) == K(1.5707963267948966));
    assert_true(vatan2(K(-3), K(0)) == K(-1.5707963267948966));
    assert_true(vatan2(K(0), K(-3)) == K(3.141592653589793));
}

static void angles_are_odd(void **unused)
{
    (void)unused;
    for (int i = 0; i < CASES / 10; i++) {
        const pliant_real y = (pliant_real)uniform(-1, 1), x = (pliant_real)uniform(-1, 1);
        if (!(vatan2(-y, x) == -vatan2(y, x))) fail_msg("of (%g, %g)", (double)x, (double)y);
    }
}

/* A wing may be as thin as it likes, and its edge as long. */
static void gradients_beside_long_edges_are_numbers(void **unused)
{
    const pliant_real rest[1] = {0};
    (void)unused;
    for (int power = -8; power <= 8; power++)
        for (int thin = -4; thin <= 12; thin++) {
            const pliant_real length = (pliant_real)pow(10, power);
            const pliant_real height = (pliant_real)(sqrt((double)KERNEL_TINY * pow(10, thin)) / (double)length);
            const vvec        x[4] = {vvec_of(0, 0, 0), vvec_of(length, 0, 0), vvec_of(length / 3, height, 0),
                                      vvec_of(length / 2, -height, height)};
            vvec              gradient[4];
            vreal             C[1];
            dihedral_angle_value(x, rest, C, gradient);
            for (int s = 0; s < 4; s++)
                if (!isfinite(gradient[s].x) || !isfinite(gradient[s].y) || !isfinite(gradient[s].z) || !isfinite(C[0]))
                    fail_msg("an edge of 1e%d m, %d", power, thin);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_angle_is_right_to_two_units_of_its_last_place),
                                       cmocka_unit_test(angles_on_the_axes_are_quarters_of_a_turn), cmocka_unit_test(angles_are_odd),
                                       cmocka_unit_test(gradients_beside_long_edges_are_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
