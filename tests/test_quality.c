/* What a quality chooses, and that cloth of every preset then stretches hardly more than its law lets it (src/scene/quality.c). */
#include "more.h"
#include "shapes.h"

#include "pliant/io.h"

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

/* A load of unknown greatest size is the matter of the body's law. Each row is a whole scene but for the braces; its first body hangs. */
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
        {true, "\"bodies\": [" HUNG "}], \"forces\": [{\"type\": \"wind\", \"velocity\": [1, 0, 0]}]"},
        {true, "\"bodies\": [" HUNG "}], \"forces\": [{\"type\": \"acceleration\", \"vector\": [1, 0, 0]}]"},
        {true, "\"bodies\": [" HUNG "}], \"forces\": [{\"type\": \"body\", \"vector\": [1, 0, 0]}]"},
        {false, "\"bodies\": [" HUNG "}], \"forces\": [{\"type\": \"wind\", \"velocity\": [20, 0, 0]}]"}, /* more than a quarter */
        {true, "\"bodies\": [" HUNG "}, " LOAD "], \"forces\": [{\"type\": \"wind\", \"velocity\": [20, 0, 0], \"body\": \"load\"}]"},
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
        if (pliant_model_read_text(text, strlen(text), "test", NULL, NULL, &file, &error) != PLIANT_OK)
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

/* A sheet of 1 m and 0.124 kg in a scene of its own: a flag on a pole, or level and hung. Substeps 0: chosen. `more` goes into its material. */
typedef struct flag {
    uint32_t    cells, substeps;
    const char *pins, *more, *forces;
    bool        upright;
    double      tether; /* below 0: nothing is said */
} flag;

static void begin_flag(trial *t, const flag *f)
{
    char              text[2048], solver[64] = "", tether[64] = "";
    pliant_error      error = {0};
    pliant_scene_file file;
    memset(t, 0, sizeof *t);
    if (f->substeps) snprintf(solver, sizeof solver, "\"solver\": {\"substeps\": %u}, ", f->substeps);
    if (f->tether >= 0) snprintf(tether, sizeof tether, ", \"tether\": %.17g", f->tether);
    const int length =
        snprintf(text, sizeof text,
                 "{\"pliant\": 1, %s\"bodies\": [{\"type\": \"cloth\", \"name\": \"flag\", \"cells\": [%u, %u], \"size\": [1, 1]%s, "
                 "\"pins\": %s, \"material\": {\"preset\": \"cotton\"%s}%s}], \"forces\": [%s]}",
                 solver, f->cells, f->cells, f->upright ? ", \"rotation\": {\"axis\": [1, 0, 0], \"angle\": 90}" : "", f->pins, f->more,
                 tether, f->forces);
    if (pliant_scene_read_text(text, (size_t)length, "flag", NULL, NULL, &file, &error) != PLIANT_OK) fail_msg("%s", error.message);
    t->scene = file.scene;
    trial_compile(t);
}

static double chosen_for(const flag *f)
{
    trial t;
    begin_flag(&t, f);
    const double factor = (double)pliant_model_body_at(t.model, 0).tether;
    trial_end(&t);
    return factor;
}

#define ON_POLE "{\"side\": \"-x\"}"
#define BY_UPPER_SIDE "{\"side\": \"-z\"}"
#define BY_CORNERS "[{\"side\": \"-x-z\"}, {\"side\": \"+x-z\"}]"

/* N that tethers of a flag of 8 x 8 cells are made for beside its weight, from what they let pass with and without. */
static double load_by(const char *forces, const char *more)
{
    const flag   calm = {8, 0, ON_POLE, more, "", true, -1}, f = {8, 0, ON_POLE, more, forces, true, -1};
    const double weight = 0.124 * 9.81;
    return weight * (chosen_for(&f) - 1) / (chosen_for(&calm) - 1) - weight;
}

/* Each force adds the most that it may pull by, in whatever direction; winds are one air. */
static void tethers_are_as_much_longer_as_forces_pull_more(void **unused)
{
    static const struct {
        const char *forces, *more;
        double      load; /* N */
    } rows[] = {
        {"{\"type\": \"acceleration\", \"vector\": [0, 3, 4]}", "", 0.124 * 5},
        {"{\"type\": \"body\", \"vector\": [1, 2, 2]}", "", 3},
        {"{\"type\": \"wind\", \"velocity\": [0, 3, 4]}", "", 0.6 * 25},
        {"{\"type\": \"wind\", \"velocity\": [0, 0, 0]}", "", 0},
        {"{\"type\": \"wind\", \"velocity\": [5, 0, 0], \"air_density\": 0.6}", ", \"air_drag\": 0.5, \"air_lift\": 0", 0.3 * 25 * 0.5},
        {"{\"type\": \"wind\", \"velocity\": [5, 0, 0]}", ", \"air_drag\": 0, \"air_lift\": 2", 0.6 * 25 * 1}, /* at 45 degrees */
        {"{\"type\": \"body\", \"vector\": [1, 0, 0]}, {\"type\": \"wind\", \"velocity\": [0, 0, 5]}", "", 1 + 0.6 * 25},
        {"{\"type\": \"wind\", \"velocity\": [0, 0, 2]}, {\"type\": \"wind\", \"velocity\": [0, 0, 3]}", "", 0.6 * 25},
        {"{\"type\": \"wind\", \"velocity\": [0, 0, 5]}, {\"type\": \"wind\", \"velocity\": [0, 0, -5]}", "", 0},
        /* Of what varies the strongest, as if all blew the same way: keys that turn a wind, a region, a whirl, gusts of three times their mean. */
        {"{\"type\": \"wind\", \"velocity\": [0, 0, 3]}, {\"type\": \"wind\", \"velocity\": [0, 0, -2], \"keys\": [{\"time\": 0}, "
         "{\"time\": 1, \"velocity\": [0, 0, 2]}]}",
         "", 0.6 * 25},
        {"{\"type\": \"wind\", \"velocity\": [0, 0, 3]}, {\"type\": \"wind\", \"velocity\": [0, 0, -2], \"box\": [[8, 8, 8], [9, 9, 9]]}",
         "", 0.6 * 25},
        {"{\"type\": \"wind\", \"velocity\": [0, 0, 3], \"swirl\": -2}", "", 0.6 * 25},
        {"{\"type\": \"wind\", \"velocity\": [0, 0, 2], \"gust\": 1}", "", 0.6 * 25},
        {"{\"type\": \"body\", \"vector\": [1, 0, 0], \"keys\": [{\"time\": 0}, {\"time\": 1, \"vector\": [0, 2, 0]}]}", "", 2},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) near(load_by(rows[i].forces, rows[i].more), rows[i].load, BOUND(1e-4, 2e-3));
}

/* N, by how a flag that was at rest moves after a millisecond in which nothing but wind pulls it, at `angle` to its normal. */
static double pull_of_wind(double angle, const char *more)
{
    char  forces[128];
    trial t;
    flag  f = {2, 1, "[]", more, forces, false, 0};
    snprintf(forces, sizeof forces, "{\"type\": \"wind\", \"velocity\": [%.9f, %.9f, 0]}", 5 * sin(angle), 5 * cos(angle));
    begin_flag(&t, &f);
    pliant_inputs_reset(t.inputs, R(1e-3));
    pliant_inputs_gravity(t.inputs, vec(0, 0, 0));
    trial_step(&t);
    double sum[3] = {0, 0, 0};
    for (uint32_t i = 0; i < 9; i++) {
        static const double share[3] = {1, 2, 1}; /* of a sixteenth: mass by area, about */
        double              v[3];
        speed_of(&t, (pliant_body){1}, i, v);
        for (int k = 0; k < 3; k++) sum[k] += v[k] * share[i % 3] * share[i / 3] / 16;
    }
    trial_end(&t);
    return 0.124 * length3(sum) / 1e-3;
}

static void wind_pulls_by_no_more_at_any_angle(void **unused)
{
    static const char *const coefficients[] = {"", ", \"air_drag\": 0.3, \"air_lift\": 1.5", ", \"air_drag\": 0, \"air_lift\": 1"};
    (void)unused;
    for (int i = 0; i < 3; i++) {
        const double most = load_by("{\"type\": \"wind\", \"velocity\": [0, 0, 5]}", coefficients[i]);
        double       found = 0;
        for (int k = 0; k <= 45; k++) found = fmax(found, pull_of_wind(k * 2 * TEST_PI / 180, coefficients[i]));
        print_message("%s: %.3f N of %.3f\n", *coefficients[i] ? coefficients[i] + 2 : "cotton", found, most);
        assert_true(found < 1.001 * most);
        assert_true(found > 0.8 * most);
    }
}

/* The largest and the mean stretch of a flag, means over the second half of `frames`. */
static pliant_strain stretch_in_wind(const flag *f, uint32_t frames)
{
    trial         t;
    pliant_strain sum = {0};
    begin_flag(&t, f);
    for (uint32_t i = 0; i < frames; i++) {
        trial_run(&t, 1.0 / 60, 1);
        const pliant_strain now = pliant_state_strain(t.state);
        if (i < frames / 2) continue;
        sum.largest += now.largest / (frames - frames / 2);
        sum.mean += now.mean / (frames - frames / 2);
    }
    trial_end(&t);
    return sum;
}

/* Soft cotton in so much wind that its tethers let the most pass that they may: in 160 substeps they change nothing. */
static void soft_cloth_in_strong_wind_stretches_as_its_law_lets_it(void **unused)
{
    static const struct {
        const char *name, *pins, *more, *forces;
        bool        upright;
    } rows[] = {
        {"on a pole", ON_POLE, ", \"stretch_warp\": 1000", "{\"type\": \"wind\", \"velocity\": [6, 0, 2]}", true},
        {"by a side", BY_UPPER_SIDE, ", \"stretch_warp\": 1000", "{\"type\": \"wind\", \"velocity\": [0, 0, 6.4]}", false},
        {"by corners", BY_CORNERS, ", \"stretch_warp\": 1000", "{\"type\": \"wind\", \"velocity\": [0, 0, 4.4]}", false},
        {"by corners, pulled aside", BY_CORNERS, ", \"stretch_warp\": 400", "{\"type\": \"body\", \"vector\": [0, 0, 3.5]}", false},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if ((i + this_turn()) % 2 && !takes_its_time()) continue;
        flag         f = {12, 0, rows[i].pins, rows[i].more, rows[i].forces, rows[i].upright, -1};
        const double factor = chosen_for(&f);
        assert_true(factor > 1.15 && factor < 1.25);
        f.substeps = 160;
        f.tether = 0;
        const pliant_strain law = stretch_in_wind(&f, 180);
        f.tether = factor;
        const pliant_strain tethered = stretch_in_wind(&f, 180);
        print_message("%s, tethers %.3f: largest %.2f %%, mean %.3f %%; by the law alone %.2f and %.3f %%\n", rows[i].name, factor,
                      100 * tethered.largest, 100 * tethered.mean, 100 * law.largest, 100 * law.mean);
        assert_true(fabs(tethered.largest - law.largest) < 0.1 * law.largest);
        assert_true(fabs(tethered.mean - law.mean) < 0.1 * law.mean);
    }
}

/* In 28 substeps: the more of them, the less is left to tethers. The mean of 32 cells is as it is without: most of a flag is far from taut. */
static void a_flag_stretches_less_by_the_tethers_that_are_chosen(void **unused)
{
    static const struct {
        uint32_t cells;
        double   largest, mean; /* of what it is without */
    } rows[] = {{32, 0.6, 1.05}, {64, 0.8, 1}};
    (void)unused;
    for (size_t i = 0; i < (takes_its_time() ? sizeof rows / sizeof *rows : 1); i++) {
        flag f = {rows[i].cells, 0, ON_POLE, "", "{\"type\": \"wind\", \"velocity\": [4.75, 0, 1.56]}", true, -1};
        f.tether = chosen_for(&f);
        f.substeps = 28;
        const pliant_strain chosen = stretch_in_wind(&f, 240);
        f.tether = 0;
        const pliant_strain without = stretch_in_wind(&f, 240);
        print_message("%u cells on a pole: largest %.1f %%, mean %.2f %%; without tethers %.1f and %.2f %%\n", f.cells,
                      100 * chosen.largest, 100 * chosen.mean, 100 * without.largest, 100 * without.mean);
        assert_true(chosen.largest < rows[i].largest * without.largest);
        assert_true(chosen.mean < rows[i].mean * without.mean);
    }
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
                {13, PLIANT_QUALITY_GOOD, 16, PLIANT_BEND_ANGLE},     {20, PLIANT_QUALITY_GOOD, 16, PLIANT_BEND_ANGLE},
                {21, PLIANT_QUALITY_GOOD, 32, PLIANT_BEND_ANGLE},     {80, PLIANT_QUALITY_GOOD, 40, PLIANT_BEND_ANGLE},
                {81, PLIANT_QUALITY_GOOD, 34, PLIANT_BEND_ANGLE},     {64, PLIANT_QUALITY_GOOD, 40, PLIANT_BEND_ANGLE},
                {32, PLIANT_QUALITY_GOOD, 32, PLIANT_BEND_ISOMETRIC}, {33, PLIANT_QUALITY_GOOD, 40, PLIANT_BEND_ANGLE},
                {81, PLIANT_QUALITY_GOOD, 40, PLIANT_BEND_ISOMETRIC}, {64, PLIANT_QUALITY_GOOD, 40, PLIANT_BEND_ISOMETRIC},
                {64, PLIANT_QUALITY_GOOD, 40, PLIANT_BEND_NONE},      {64, PLIANT_QUALITY_GOOD, 40, PLIANT_BEND_DISTANCE},
                {8, PLIANT_QUALITY_FINAL, 20, PLIANT_BEND_ANGLE},     {32, PLIANT_QUALITY_FINAL, 40, PLIANT_BEND_ANGLE},
                {33, PLIANT_QUALITY_FINAL, 80, PLIANT_BEND_ANGLE},    {8, PLIANT_QUALITY_GIVEN, 160, PLIANT_BEND_ANGLE}};
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

/* By JSON, since masses of vertices are given there. */
static uint32_t across_of(const char *body)
{
    char              text[800];
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    pliant_scene_file file;
    const int         length = snprintf(text, sizeof text, "{\"pliant\": 1, \"bodies\": [%s]}", body);
    if (pliant_scene_read_text(text, (size_t)length, "text", NULL, NULL, &file, &error) != PLIANT_OK) fail_msg("%s", error.message);
    pliant_model  *model = pliant_scene_compile(file.scene, &error);
    const uint32_t across = pliant_model_edges_across(model);
    pliant_model_destroy(model);
    pliant_scene_destroy(file.scene);
    return across;
}

static void masses_that_are_given_change_no_edges_across(void **unused)
{
    (void)unused;
    static const char rope[] = "{\"type\": \"rope\", \"points\": [[0, 0, 0], [0.1, 0, 0], [0.2, 0, 0], [0.3, 0, 0], [0.4, 0, 0]]%s}";
    char              given[400], plain[400];
    snprintf(plain, sizeof plain, rope, "");
    snprintf(given, sizeof given, rope, ", \"masses\": [1, 1, 1, 1, 1]");
    assert_int_equal(across_of(given), across_of(plain));
}

/* Whatever holds it: nothing, an anchor, a pin that may be released, a target. */
static void pins_change_no_substeps(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t cells, held;
        bool     releasable, target;
        uint32_t substeps;
    } rows[] = {{12, CORNERS, false, false, 10}, {20, CORNERS, false, false, 16}, {21, LOOSE, false, false, 32},
                {32, CORNERS, false, false, 32}, {80, LOOSE, false, false, 40},   {80, CORNERS, false, false, 40},
                {81, SIDE, false, false, 34},    {40, SIDE, true, false, 40},     {40, LOOSE, false, true, 40},
                {40, DRAPED, false, false, 40}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const sheet s = {
            PLIANT_QUALITY_GOOD, pliant_material_preset(PLIANT_COTTON), rows[i].cells, rows[i].held, 0, rows[i].releasable, false,
            PLIANT_BEND_ANGLE};
        trial             t;
        const pliant_body body = begin(&t, &s);
        const uint32_t    corner = 0;
        if (rows[i].target) assert_int_equal(pliant_scene_attach(t.scene, body, &corner, 1, NULL), PLIANT_OK);
        pliant_model *model = pliant_scene_compile(t.scene, NULL);
        assert_int_equal(pliant_model_settings(model).substeps, rows[i].substeps);
        assert_string_equal(pliant_model_quality_reason(model), rows[i].substeps == 10 ? "" : "all of grids");
        pliant_model_destroy(model);
        trial_end(&t);
    }
    assert_string_equal(pliant_model_quality_reason(NULL), "");
}

/* All cloth of more than 80 edges has to bend by lines; what is coarser may bend as it will. */
static void one_wide_cloth_with_angles_is_enough(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t    cells[2];
        pliant_bend bend[2];
        uint32_t    substeps;
    } rows[] = {{{90, 80}, {PLIANT_BEND_ISOMETRIC, PLIANT_BEND_ANGLE}, 40},
                {{8, 90}, {PLIANT_BEND_ANGLE, PLIANT_BEND_ISOMETRIC}, 40},
                {{90, 90}, {PLIANT_BEND_ISOMETRIC, PLIANT_BEND_ISOMETRIC}, 40},
                {{90, 90}, {PLIANT_BEND_ISOMETRIC, PLIANT_BEND_ANGLE}, 34},
                {{90, 90}, {PLIANT_BEND_ANGLE, PLIANT_BEND_ISOMETRIC}, 34}};
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

typedef enum part { NOTHING, GRID, MODEST_GRID, MESH, COARSE_MESH, ROPE } part;

static void add_part(pliant_scene *scene, part which)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    pliant_rope_def  rope = pliant_rope_def_default();
    shape            of = ball(which == MESH ? 3 : 2, 0, 0, 0, 0.2); /* 258 or 66 vertices */
    def.cells_x = def.cells_z = which == GRID ? 24 : 16;
    if (which == MESH || which == COARSE_MESH) def.mesh = shape_view(&of);
    rope.segments = 60;
    if (which == ROPE) assert_int_not_equal(pliant_scene_add_rope(scene, &rope, NULL).id, 0);
    if (which != ROPE && which != NOTHING) assert_int_not_equal(pliant_scene_add_cloth(scene, &def, NULL).id, 0);
    shape_free(&of);
}

/* Beyond 12 edges meshes have fewer substeps than fine grids, for their rows cost more, and so have grids beside them. A rope has no fewer beside a grid. */
static void meshes_and_ropes_have_fewer_substeps(void **unused)
{
    (void)unused;
    static const struct {
        part     parts[2];
        uint32_t substeps;
    } rows[] = {{{MESH, NOTHING}, 20},        {{COARSE_MESH, NOTHING}, 10}, {{ROPE, NOTHING}, 20},     {{GRID, NOTHING}, 32},
                {{GRID, MESH}, 20},           {{MESH, GRID}, 20},           {{GRID, ROPE}, 32},        {{GRID, COARSE_MESH}, 32},
                {{MODEST_GRID, NOTHING}, 16}, {{MODEST_GRID, ROPE}, 20},    {{ROPE, MODEST_GRID}, 20}, {{MODEST_GRID, MESH}, 20}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pliant_scene_def settings = pliant_scene_def_default();
        settings.quality = PLIANT_QUALITY_GOOD;
        pliant_scene *scene = pliant_scene_create(&settings, NULL);
        for (int k = 0; k < 2; k++) add_part(scene, rows[i].parts[k]);
        pliant_model *model = pliant_scene_compile(scene, NULL);
        assert_int_equal(pliant_model_settings(model).substeps, rows[i].substeps);
        pliant_model_destroy(model);
        pliant_scene_destroy(scene);
    }
}

/* The substeps that a wave takes from edge to edge of a block, of soft bodies alone, by the speed and the edge that pliant_model_waves has. */
static void soft_bodies_have_as_many_substeps_as_waves_take(void **unused)
{
    static const double frames[] = {1.0 / 60, 1.0 / 24}, youngs[] = {1e5, 5e6, 2e7, 1e9};
    (void)unused;
    for (int quality = PLIANT_QUALITY_GIVEN; quality <= PLIANT_QUALITY_FINAL; quality++)
        for (int i = 0; i < 8; i++) {
            trial           t;
            pliant_wave     wave;
            pliant_soft_def def = pliant_soft_def_default();
            memset(&t, 0, sizeof t);
            t.def = pliant_scene_def_default();
            t.def.quality = (pliant_quality)quality;
            t.def.frame = frames[i / 4];
            trial_begin_def(&t);
            def.cells[0] = def.cells[1] = def.cells[2] = 3;
            def.extent = vec(0.3, 0.3, 0.3);
            def.material.density = 1000;
            def.material.young = R(youngs[i % 4]);
            assert_int_not_equal(pliant_scene_add_soft(t.scene, &def, NULL).id, 0);
            trial_compile(&t);
            assert_int_equal(pliant_model_waves(t.model, &wave), PLIANT_OK);
            const bool     last = quality == PLIANT_QUALITY_FINAL, chosen = last || quality == PLIANT_QUALITY_GOOD;
            const uint32_t before = last ? 20 : 10, most = last ? 120 : 60;
            const double   wanted = chosen ? (last ? 2 : 1) * wave.speed * frames[i / 4] / wave.edge : 0;
            const uint32_t expected = wanted > before ? (uint32_t)fmin(ceil(wanted), most) : before;
            assert_int_equal(pliant_model_settings(t.model).substeps, expected);
            assert_int_equal(pliant_model_wave_substeps(t.model), expected > before ? expected : 0);
            assert_string_equal(pliant_model_quality_reason(t.model), "");
            assert_true(pliant_model_settings(t.model).frame == frames[i / 4]);
            if (i % 4 == 3) assert_int_equal(expected, chosen ? most : 10);
            if (i % 4 == 0) assert_int_equal(expected, before);
            trial_end(&t);
        }
    assert_int_equal(pliant_model_wave_substeps(NULL), 0);
    pliant_scene_def none = pliant_scene_def_default();
    none.frame = 0;
    assert_null(pliant_scene_create(&none, NULL));
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
                if (cells > 8 && (uint32_t)p % 4 != held && !takes_its_time())
                    continue; /* the finer one of silk by corners, and of cotton by a side */
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
        cmocka_unit_test(tethers_are_as_much_longer_as_forces_pull_more),
        cmocka_unit_test(wind_pulls_by_no_more_at_any_angle),
        cmocka_unit_test(soft_cloth_in_strong_wind_stretches_as_its_law_lets_it),
        cmocka_unit_test(a_flag_stretches_less_by_the_tethers_that_are_chosen),
        cmocka_unit_test(one_wide_cloth_with_angles_is_enough),
        cmocka_unit_test(substeps_are_chosen_by_edges_across),
        cmocka_unit_test(masses_that_are_given_change_no_edges_across),
        cmocka_unit_test(pins_change_no_substeps),
        cmocka_unit_test(meshes_and_ropes_have_fewer_substeps),
        cmocka_unit_test(soft_bodies_have_as_many_substeps_as_waves_take),
        cmocka_unit_test(a_quality_goes_with_nothing_that_it_chooses),
        cmocka_unit_test(cloth_stretches_no_more_than_its_law),
        cmocka_unit_test(finer_cloth_stretches_so_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
