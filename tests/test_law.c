/* A passive scene never gains energy: a hundred of them at random, and those that once did. tests/law.h says how to run one of them alone:
 * LAW_FIRST and LAW_COUNT choose, LAW_TRACE prints every frame, LAW_PLAIN shrinks nothing. */
#include "law.h"

#define MOST 2e6 /* projections of rows, of each scene */

static void scenes_at_random_gain_no_energy(void **unused)
{
    (void)unused;
    law_check(0, 100, MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(scenes_at_random_gain_no_energy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
