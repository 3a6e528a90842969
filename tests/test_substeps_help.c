/* More substeps are never worse: of each preset's body, dropped and hung, what it gains of energy falls as substeps shrink, or stays below what the law
 * allows; and the largest stretch of what hangs, of cloth and ropes, falls until only their own compliance is left, which swings add a few per cent to. */
#include "law.h"

#define FLOOR 0.02  /* of what was turned over: what the law allows */
#define SWINGS 0.04 /* of stretch */

static void check(law_scene scene, const char *what)
{
    static const uint32_t substeps[] = {5, 10, 20, 40, 80, 160, 320};
    double                before = 1, stretch = 0, first = 0;
    for (int i = 0; i < 7; i++) {
        scene.substeps = substeps[i];
        const law_result r = law_run(&scene, false);
        const double     gain = r.share > r.start_share ? r.share : r.start_share;
        assert_false(r.refused[0] || r.diverged);
        if (gain > FLOOR && gain > before)
            print_message("%s, %s: %.4f with %u substeps, %.4f with fewer\n", pliant_preset_name((pliant_preset)scene.preset), what, gain,
                          substeps[i], before);
        assert_true(gain <= FLOOR || gain <= before);
        before = gain;
        if (scene.pins && scene.body >= LAW_CLOTH) assert_true(i == 0 || r.stretch <= stretch + SWINGS);
        if (scene.pins && scene.body >= LAW_CLOTH && i == 6) assert_true(r.stretch < first / 2);
        stretch = r.stretch;
        if (i == 0) first = r.stretch;
    }
}

static void no_preset_gains_more_energy_with_more_substeps(void **unused)
{
    (void)unused;
    for (uint32_t preset = 0; preset < PLIANT_PRESET_COUNT; preset++) {
        const bool rope = preset == PLIANT_ROPE || preset == PLIANT_STEEL_CABLE, cloth = preset <= PLIANT_RUBBER_SHEET;
        law_scene  s = {.seed = 3,
                        .preset = preset,
                        .edge = rope ? 1 : 0.5,
                        .bodies = 1,
                        .share = 0.5,
                        .undamped = 1,
                        .turned = 1,
                        .iterations = 1,
                        .rate = 60,
                        .seconds = 0.7};
        s.body = rope ? LAW_ROPE : cloth ? LAW_CLOTH : LAW_LATTICE;
        s.cells_x = rope ? 20 : cloth ? 10 : 3;
        s.cells_y = cloth || rope ? 1 : 3;
        s.cells_z = rope ? 1 : s.cells_x;
        law_scene hung = s;
        hung.pins = LAW_CORNERS;
        check(hung, "hung");
        s.drop = 1.6;
        s.collider = LAW_PLANE;
        check(s, "dropped");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_preset_gains_more_energy_with_more_substeps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
