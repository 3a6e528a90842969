/* Newton's method on moderate scenes at random (tests/law.h): bodies of every kind, as they are built, at the
 * steps of a user. More of them than test_newton_scenes.c has, and longer. */
#include "law.h"

#define MOST 4e5 /* projections of rows, of each scene */

static void no_longer_moderate_scene_ends_unsolved_and_one_substep_in_a_hundred_falls_back(void **unused)
{
    (void)unused;
    if (!trial_linear()) skip();
    law_check_solved(300, 700, MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_longer_moderate_scene_ends_unsolved_and_one_substep_in_a_hundred_falls_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
