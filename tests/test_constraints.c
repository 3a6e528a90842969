/* What holds for every row of the table of constraints, tested from the table; and the numbers that laws must give.
 *
 * A row that may not promise something says so by a flag; the tests print each such exception, and fail where a flag is not needed. */
#include "law_draw.h"
#include "law_single.h"

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_projection_follows_the_formula),
        cmocka_unit_test(one_projection_keeps_momentum),
        cmocka_unit_test(gradients_are_slopes),
        cmocka_unit_test(rigid_motion_changes_nothing),
        cmocka_unit_test(pins_get_no_correction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
