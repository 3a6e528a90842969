/* What a quality chooses, and that cloth of every preset then stretches hardly more than its law lets it (src/scene/quality.c). */
#include "pliant/io.h"
#include "trial.h"

#define CORNERS 0
#define SIDE 1
#define LOOSE 2
#define SIDES 3 /* two, opposite */
#define AROUND 4
#define DRAPED 5 /* over a ball of 0.25 m, loose */

typedef struct sheet {
    pliant_quality  quality;
    pliant_material material;
    uint32_t        cells, held;
    double          tether;
    bool            releasable, untethered;
    pliant_bend     bend;
} sheet;

/* A level sheet of 1 m; drag brings it to rest. */
static pliant_body begin(trial *t, const sheet *s)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    uint32_t         pins[256], count = 0;
    memset(t, 0, sizeof *t);
    t->def = pliant_scene_def_default();
    t->def.quality = s->quality;
    t->def.substeps = 160;
    trial_begin_def(t);
    def.cells_x = def.cells_z = s->cells;
    def.size_x = def.size_z = 1;
    def.material = s->material;
    def.bend = s->bend;
    def.material.drag = 2;
    def.tether = R(s->tether);
    def.untethered = s->untethered;
    const pliant_body body = pliant_scene_add_cloth(t->scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    for (uint32_t i = 0; i <= s->cells && s->held != LOOSE && s->held != DRAPED; i++) {
        const uint32_t row = s->cells + 1;
        if (s->held != CORNERS || i == 0 || i == s->cells) pins[count++] = i;
        if (s->held == SIDES || s->held == AROUND) pins[count++] = s->cells * row + i;
        if (s->held == AROUND && i > 0 && i < s->cells) {
            pins[count++] = i * row;
            pins[count++] = i * row + s->cells;
        }
    }
    if (count) assert_int_equal(pliant_scene_pin(t->scene, body, pins, count, s->releasable, NULL), PLIANT_OK);
    if (s->held == DRAPED) {
        pliant_collider_def ball = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
        ball.radius = R(0.25);
        ball.pose.position = vec(0, -0.3, 0);
        add_collider(t, &ball);
    }
    trial_compile(t);
    return body;
}

static uint32_t tethers_of(const sheet *s, double *factor)
{
    trial             t;
    const pliant_body body = begin(&t, s);
    const uint32_t    count = pliant_model_constraint_count(t.model, PLIANT_CONSTRAINT_TETHER);
    *factor = (double)pliant_model_body(t.model, body).tether;
    trial_end(&t);
    return count;
}

static void what_hangs_is_tethered(void **unused)
{
    (void)unused;
    const sheet hung = {PLIANT_QUALITY_GOOD, pliant_material_preset(PLIANT_COTTON), 8, CORNERS, 0, false, false, PLIANT_BEND_ANGLE};
    double      factor;
    assert_int_equal(tethers_of(&hung, &factor), 2 * (9 * 9 - 2)); /* to both pins */
    assert_true(factor > 1 && factor < 1.01);

    sheet other = hung;
    other.untethered = true;
    assert_int_equal(tethers_of(&other, &factor), 0);
    assert_true(factor == 0);
    other = hung;
    other.tether = 1.25;
    assert_true(tethers_of(&other, &factor) > 0 && factor == 1.25);
    other = hung;
    other.held = LOOSE;
    assert_true(!tethers_of(&other, &factor) && factor == 0);
    other = hung;
    other.releasable = true;
    assert_true(!tethers_of(&other, &factor) && factor == 0);
    other = hung;
    other.quality = PLIANT_QUALITY_GIVEN;
    assert_true(!tethers_of(&other, &factor) && factor == 0);
    other = hung;
    other.material.stretch_warp /= 1000; /* its weight would stretch it by more than a quarter */
    other.material.stretch_weft = other.material.stretch_warp;
    assert_true(!tethers_of(&other, &factor) && factor == 0);
}

/* What is taut between pins pulls far more than it weighs. */
static void what_is_taut_between_pins_is_not_tethered(void **unused)
{
    (void)unused;
    sheet  held = {PLIANT_QUALITY_GOOD, pliant_material_preset(PLIANT_COTTON), 16, SIDES, 0, false, false, PLIANT_BEND_ANGLE};
    double factor;
    assert_true(!tethers_of(&held, &factor) && factor == 0);
    held.held = AROUND;
    assert_true(!tethers_of(&held, &factor) && factor == 0);
    held.held = SIDE;
    assert_true(tethers_of(&held, &factor) > 0 && factor > 1);
}

/* A load that is not the body's own weight is the matter of its law. Each row is a whole scene but for the braces, whose first body hangs. */
static void what_is_loaded_is_not_tethered(void **unused)
{
#define HUNG \
    "{\"type\": \"cloth\", \"name\": \"sheet\", \"cells\": [8, 8], \"position\": [0, 2, 0], \"pins\": [0, 8], \"material\": \"cotton\""
#define LOAD "{\"type\": \"particles\", \"name\": \"load\", \"particles\": [{\"x\": [0, 0, 0]}]}"
    static const struct {
        bool        tethered;
        const char *scene;
    } rows[] = {
        {true, "\"bodies\": [" HUNG "}, " LOAD "], \"colliders\": [{\"type\": \"plane\"}]"},
        {false, "\"solver\": {\"gravity\": [0, 0, 0]}, \"bodies\": [" HUNG "}]"},
        {false, "\"bodies\": [" HUNG "}], \"forces\": [{\"type\": \"wind\", \"velocity\": [1, 0, 0]}]"},
        {false, "\"bodies\": [" HUNG ", \"frame\": {\"keys\": [{\"time\": 1, \"position\": [1, 0, 0]}]}}]"},
        {false, "\"bodies\": [" HUNG ", \"attach\": [{\"vertices\": [40]}]}]"},
        {false, "\"bodies\": [" HUNG ", \"contact_mask\": 1, \"thickness\": 0.01}, " LOAD "]"},
        {false, "\"bodies\": [" HUNG
                "}], \"colliders\": [{\"type\": \"sphere\", \"radius\": 0.1, \"keys\": [{\"time\": 1, \"position\": [1, 0, 0]}]}]"},
        {false, "\"bodies\": [" HUNG "}, " LOAD
                "], \"constraints\": [{\"kind\": \"distance\", \"particles\": [[\"sheet\", 40], [\"load\", 0]], \"rest\": 1}]"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char              text[1024];
        pliant_error      error = {0};
        pliant_model_file file;
        snprintf(text, sizeof text, "{\"pliant\": 1, %s}", rows[i].scene);
        if (!pliant_model_read_text(text, strlen(text), "test", NULL, NULL, &file, &error))
            fail_msg("%zu: line %d: %s", i, error.line, error.message);
        assert_int_equal(pliant_model_settings(file.model).quality, PLIANT_QUALITY_GOOD);
        assert_true((pliant_model_body_at(file.model, 0).tether > 1) == rows[i].tethered);
        assert_true((pliant_model_constraint_count(file.model, PLIANT_CONSTRAINT_TETHER) > 0) == rows[i].tethered);
        pliant_model_destroy(file.model);
    }
}

/* A tether lets pass four times what the sheet stretches by its own weight, hung on its width. */
static void tethers_are_no_tighter_than_the_law(void **unused)
{
    (void)unused;
    sheet  hung = {PLIANT_QUALITY_GOOD, pliant_material_preset(PLIANT_RUBBER_SHEET), 16, SIDE, 0, false, false, PLIANT_BEND_ANGLE};
    double factor;
    const pliant_material m = hung.material;
    tethers_of(&hung, &factor);
    const double strain = (double)m.density * 9.81 / (double)m.stretch_warp;
    assert_true(factor - 1 > 4 * strain);
    assert_true(factor - 1 < 12 * strain); /* the softest edges are those of the sides, of half a width, and the sheet has diagonals, too */
}

static void substeps_are_chosen_by_edges_across(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t       cells;
        pliant_quality quality;
        uint32_t       substeps;
        pliant_bend    bend;
    } rows[] = {{8, PLIANT_QUALITY_PREVIEW, 10, PLIANT_BEND_ANGLE},   {64, PLIANT_QUALITY_PREVIEW, 10, PLIANT_BEND_ISOMETRIC},
                {8, PLIANT_QUALITY_GOOD, 10, PLIANT_BEND_ANGLE},      {12, PLIANT_QUALITY_GOOD, 10, PLIANT_BEND_ANGLE},
                {13, PLIANT_QUALITY_GOOD, 20, PLIANT_BEND_ANGLE},     {64, PLIANT_QUALITY_GOOD, 20, PLIANT_BEND_ANGLE},
                {32, PLIANT_QUALITY_GOOD, 20, PLIANT_BEND_ISOMETRIC}, {33, PLIANT_QUALITY_GOOD, 40, PLIANT_BEND_ISOMETRIC},
                {64, PLIANT_QUALITY_GOOD, 40, PLIANT_BEND_ISOMETRIC}, {64, PLIANT_QUALITY_GOOD, 20, PLIANT_BEND_NONE},
                {64, PLIANT_QUALITY_GOOD, 20, PLIANT_BEND_DISTANCE},  {8, PLIANT_QUALITY_FINAL, 20, PLIANT_BEND_ANGLE},
                {32, PLIANT_QUALITY_FINAL, 40, PLIANT_BEND_ANGLE},    {33, PLIANT_QUALITY_FINAL, 80, PLIANT_BEND_ANGLE},
                {8, PLIANT_QUALITY_GIVEN, 160, PLIANT_BEND_ANGLE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const sheet s = {rows[i].quality, pliant_material_preset(PLIANT_SILK), rows[i].cells, SIDE, 0, false, false, rows[i].bend};
        trial       t;
        begin(&t, &s);
        const pliant_scene_def settings = pliant_model_settings(t.model);
        assert_int_equal(settings.substeps, rows[i].substeps);
        assert_int_equal(settings.quality, rows[i].quality);
        trial_end(&t);
    }
}

/* All cloth of more than 32 edges has to bend by lines; what is coarser may bend as it will. */
static void one_fine_cloth_with_angles_is_enough(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t    cells[2];
        pliant_bend bend[2];
        uint32_t    substeps;
    } rows[] = {{{40, 8}, {PLIANT_BEND_ISOMETRIC, PLIANT_BEND_ANGLE}, 40},
                {{8, 40}, {PLIANT_BEND_ANGLE, PLIANT_BEND_ISOMETRIC}, 40},
                {{40, 40}, {PLIANT_BEND_ISOMETRIC, PLIANT_BEND_ISOMETRIC}, 40},
                {{40, 40}, {PLIANT_BEND_ISOMETRIC, PLIANT_BEND_ANGLE}, 20},
                {{40, 40}, {PLIANT_BEND_ANGLE, PLIANT_BEND_ISOMETRIC}, 20}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pliant_scene_def settings = pliant_scene_def_default();
        settings.quality = PLIANT_QUALITY_GOOD;
        pliant_scene *scene = pliant_scene_create(&settings, NULL);
        for (int k = 0; k < 2; k++) {
            pliant_cloth_def def = pliant_cloth_def_default();
            def.cells_x = def.cells_z = rows[i].cells[k];
            def.bend = rows[i].bend[k];
            assert_int_not_equal(pliant_scene_add_cloth(scene, &def, NULL).id, 0);
        }
        pliant_model *model = pliant_scene_compile(scene, NULL);
        assert_int_equal(pliant_model_settings(model).substeps, rows[i].substeps);
        pliant_model_destroy(model);
        pliant_scene_destroy(scene);
    }
}

static void a_quality_goes_with_nothing_that_it_chooses(void **unused)
{
    (void)unused;
    pliant_scene_def defs[4];
    pliant_error     error;
    for (int i = 0; i < 4; i++) {
        defs[i] = pliant_scene_def_default();
        defs[i].quality = PLIANT_QUALITY_GOOD;
    }
    defs[0].substep = 0.001;
    defs[1].iterations = 2;
    defs[2].method.method = PLIANT_METHOD_JACOBI;
    defs[3].integration = PLIANT_INTEGRATION_BDF2;
    for (int i = 0; i < 4; i++) {
        assert_null(pliant_scene_create(&defs[i], &error));
        assert_non_null(strstr(error.message, "quality chooses"));
    }
}

static pliant_strain strain_at_rest(const sheet *s)
{
    trial t;
    begin(&t, s);
    trial_run(&t, 1.0 / 60, 240);
    const pliant_strain strain = pliant_state_strain(t.state);
    trial_end(&t);
    return strain;
}

/* Beside the same sheet in 160 substeps without tethers, which is at rest where forces balance. */
static void cloth_stretches_no_more_than_its_law(void **unused)
{
    static const pliant_preset presets[] = {PLIANT_SILK, PLIANT_COTTON, PLIANT_DENIM, PLIANT_RUBBER_SHEET};
    static const char *const   names[] = {"silk", "cotton", "denim", "rubber_sheet"};
    (void)unused;
    for (int p = 0; p < 4; p++)
        for (uint32_t held = CORNERS; held <= SIDE; held++)
            for (uint32_t cells = 8; cells <= 16; cells *= 2) {
                sheet s = {PLIANT_QUALITY_GOOD, pliant_material_preset(presets[p]), cells, held, 0, false, false, PLIANT_BEND_ANGLE};
                const pliant_strain chosen = strain_at_rest(&s);
                s.quality = PLIANT_QUALITY_GIVEN;
                const pliant_strain exact = strain_at_rest(&s);
                print_message("%s, %u cells, by %s: largest %.2f %%, mean %.2f %%; in 160 substeps %.2f and %.2f %%\n", names[p], cells,
                              held == SIDE ? "a side" : "corners", 100 * chosen.largest, 100 * chosen.mean, 100 * exact.largest,
                              100 * exact.mean);
                assert_true(chosen.largest < exact.largest + 0.05);
                assert_true(chosen.mean < exact.mean + 0.01);
                assert_true(chosen.mean > 0.25 * exact.mean); /* and it is no stiffer than it should be */
            }
}

/* What 32 cells of cotton are brought to at rest. */
static void finer_cloth_stretches_so_far(void **unused)
{
    static const struct {
        uint32_t held;
        double   largest, mean;
    } rows[] = {{SIDE, 0.02, 0.003}, {DRAPED, 0.065, 0.006}, {CORNERS, 0.1, 0.006}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const sheet s = {PLIANT_QUALITY_GOOD, pliant_material_preset(PLIANT_COTTON), 32, rows[i].held, 0, false, false, PLIANT_BEND_ANGLE};
        const pliant_strain strain = strain_at_rest(&s);
        print_message("32 cells, %s: largest %.2f %%, mean %.2f %%\n",
                      i == 0   ? "by a side"
                      : i == 1 ? "on a ball"
                               : "by corners",
                      100 * strain.largest, 100 * strain.mean);
        assert_true(strain.largest < rows[i].largest);
        assert_true(strain.mean < rows[i].mean);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_hangs_is_tethered),
        cmocka_unit_test(what_is_taut_between_pins_is_not_tethered),
        cmocka_unit_test(what_is_loaded_is_not_tethered),
        cmocka_unit_test(tethers_are_no_tighter_than_the_law),
        cmocka_unit_test(one_fine_cloth_with_angles_is_enough),
        cmocka_unit_test(substeps_are_chosen_by_edges_across),
        cmocka_unit_test(a_quality_goes_with_nothing_that_it_chooses),
        cmocka_unit_test(cloth_stretches_no_more_than_its_law),
        cmocka_unit_test(finer_cloth_stretches_so_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
