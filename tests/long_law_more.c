/* A passive scene never gains energy: 2,000 more at random, so that with those of test_law.c and long_law.c they are 3,000. It comes after all other long
 * tests: a limit of time leaves it out first. tests/law.h says how to run a scene alone. */
#include "law.h"

#define MOST 2e5 /* projections of rows, of each scene */

static void two_thousand_scenes_gain_no_energy(void **unused)
{
    static const law_known known[] = {
        /* Rubber and rigid volumes that collapse, or begin turned inside out or at random, with 1 to 5 substeps a frame: a correction is as long as an edge. */
        {.number = 1456, .share = 0.24},
        {.number = 1469, .share = 0.27},
        {.number = 1523, .share = 0.06},
        {.number = 1541, .share = 0.17},
        {.number = 1864, .share = 0.3}, /* two that meet: by how near barriers have to come (docs/energy.md) */
        {.number = 2666, .share = 0.18},
        {.number = 2719, .share = 0.1},  /* meets itself, likewise */
        {.number = 1509, .share = 0.04}, /* at random, 397 substeps: its first frame */
        /* Exact: rigid volumes thrown on the edge of a box. */
        {.number = 2678, .share = 0.25},
        /* Free ropes that begin stretched alike all along: the first sweep makes that spring up to twice as stiff as a row alone. */
        {.number = 1770, .share = 0.11},
        {.number = 2111, .share = 0.23},
        /* Steel cables, which one sweep leaves unsolved. */
        {.number = 1727, .share = 0.03},
        {.number = 1812, .share = 0.03},
        {.number = 2039, .share = 0.03},
        {.number = 2458, .share = 0.03},
        /* Steps that become shorter. */
        {.number = 1632, .share = 0.03},
        {.number = 1883, .share = 0.17},
        /* BDF2 in the order given, which overshoots along a chain; of 349 segments it diverges. */
        {.number = 1769, .share = 0.64, .diverges = true},
        {.number = 2051, .share = 0.08},
    };
    (void)unused;
    law_check(law_random, 1000, 2000, MOST, known, sizeof known / sizeof *known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_thousand_scenes_gain_no_energy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
