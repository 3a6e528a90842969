/* A passive scene never gains energy: 900 of them at random, and the largest, smallest, fastest and slowest there are; long_law_more.c has 2,000
 * more. tests/law.h says how to run one of them alone. */
#include "law.h"

#define MOST 2e5 /* projections of rows, of each scene */

static void nine_hundred_scenes_gain_no_energy(void **unused)
{
    /* Rubber and rigid volumes that collapse in one substep a frame, or begin at random; cables and a rope where substeps become shorter. */
    static const law_known known[] = {{.number = 428, .share = 0.04}, {.number = 719, .share = 0.05}, {.number = 792, .share = 0.02},
                                      {.number = 922, .share = 0.12}, {.number = 953, .share = 0.04}, {.number = 984, .share = 0.33},
                                      {.number = 996, .share = 0.09}};
    (void)unused;
    law_check(law_random, 100, 900, MOST, known, sizeof known / sizeof *known);
}

static void extremes_gain_no_energy(void **unused)
{
    static const law_scene scenes[] = {
        {.seed = 1,
         .body = LAW_CLOTH,
         .preset = PLIANT_COTTON,
         .edge = 5,
         .cells_x = 256,
         .cells_y = 1,
         .cells_z = 256,
         .bodies = 1,
         .drop = 1,
         .share = 0.5,
         .turned = 1,
         .undamped = 1,
         .collider = LAW_SPHERE,
         .substeps = 10,
         .iterations = 1,
         .rate = 60,
         .seconds = 0.5},
        {.seed = 2,
         .body = LAW_CLOTH,
         .preset = PLIANT_DENIM,
         .edge = 0.05,
         .cells_x = 64,
         .cells_y = 1,
         .cells_z = 64,
         .bodies = 1,
         .share = 0.5,
         .undamped = 1,
         .pins = LAW_CORNERS,
         .substeps = 1,
         .iterations = 8,
         .rate = 24,
         .seconds = 1},
        {.seed = 3,
         .body = LAW_LATTICE,
         .preset = PLIANT_JELLY,
         .edge = 0.5,
         .cells_x = 20,
         .cells_y = 20,
         .cells_z = 20,
         .bodies = 1,
         .drop = 10,
         .turned = 1,
         .share = 0.5,
         .undamped = 1,
         .collider = LAW_PLANE,
         .substeps = 10,
         .iterations = 1,
         .rate = 60,
         .seconds = 0.5},
        {.seed = 4,
         .body = LAW_LATTICE,
         .preset = PLIANT_LEGACY_JELLY,
         .edge = 1,
         .cells_x = 3,
         .cells_y = 3,
         .cells_z = 3,
         .bodies = 1,
         .drop = 1.6,
         .turned = 1,
         .share = 0.5,
         .undamped = 1,
         .collider = LAW_PLANE,
         .substeps = 100,
         .iterations = 1,
         .rate = 60,
         .seconds = 1},
        {.seed = 5,
         .body = LAW_LATTICE,
         .preset = PLIANT_RUBBER,
         .edge = 0.05,
         .cells_x = 1,
         .cells_y = 1,
         .cells_z = 1,
         .bodies = 1,
         .drop = 10,
         .turned = 1,
         .share = 0.5,
         .undamped = 1,
         .collider = LAW_BOX,
         .bouncy = 1,
         .substeps = 40,
         .iterations = 1,
         .rate = 240,
         .seconds = 1},
        {.seed = 6,
         .body = LAW_ROPE,
         .preset = PLIANT_STEEL_CABLE,
         .edge = 5,
         .cells_x = 500,
         .cells_y = 1,
         .cells_z = 1,
         .bodies = 1,
         .share = 0.5,
         .undamped = 1,
         .pins = LAW_CORNER,
         .substeps = 10,
         .iterations = 1,
         .rate = 60,
         .seconds = 1},
    };
    (void)unused;
    law_check_scenes(scenes, sizeof scenes / sizeof *scenes, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nine_hundred_scenes_gain_no_energy), cmocka_unit_test(extremes_gain_no_energy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
