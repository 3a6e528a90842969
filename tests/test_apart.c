/* Bodies that meet and begin exactly in each other begin aside, on a side that is the same everywhere, come apart, and never cross. */
#include "trial.h"

#include "compile/model.h"
#include "contact/pair_text.h"
#include "state/state.h"

#define THICK 0.005
#define DT (1.0 / 60)
#define MOST 3

typedef enum what { NOTHING, SHEET, OVER, STRIP, ROPE, BOX, POINT } what;

typedef struct put {
    what   what;
    double at[3], turn; /* turned about x, degrees */
    bool   pinned;
} put;

typedef struct row {
    const char *name;
    put         of[MOST];
    double      tilt; /* of all of it, about z, degrees: numbers are then rounded */
    uint32_t    parted;
} row;

static pliant_material material(void)
{
    pliant_material m = pliant_material_preset(PLIANT_COTTON);
    m.thickness = R(THICK);
    return m;
}

static pliant_quat turned(double x, double z)
{
    const double a = x * TEST_PI / 360, b = z * TEST_PI / 360;
    return (pliant_quat){R(cos(b) * sin(a)), R(sin(b) * sin(a)), R(sin(b) * cos(a)), R(cos(b) * cos(a))};
}

static pliant_vec3 tilted(const double at[3], double tilt)
{
    const double c = cos(tilt * TEST_PI / 180), s = sin(tilt * TEST_PI / 180);
    return vec(c * at[0] - s * at[1], s * at[0] + c * at[1], at[2]);
}

static void body_of(const put *p, double tilt, pliant_body_def *body)
{
    body->placement.position = tilted(p->at, tilt);
    body->placement.rotation = turned(p->turn, tilt);
    body->contact_mask = 1;
    body->fixed = p->pinned;
}

static void add_cloth(trial *t, const put *p, double tilt)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    def.cells_x = p->what == STRIP ? 1 : 4;
    def.cells_z = p->what == STRIP ? 1 : 4;
    def.size_x = p->what == STRIP ? R(0.1) : 1;
    def.size_z = p->what == OVER ? R(0.4) : 1;
    def.material = material();
    body_of(p, tilt, &def.body);
    assert_int_not_equal(pliant_scene_add_cloth(t->scene, &def, NULL).id, 0);
}

static void add_soft(trial *t, const put *p, double tilt)
{
    pliant_soft_def def = pliant_soft_def_default();
    def.cells[0] = def.cells[1] = def.cells[2] = 2;
    def.extent = vec(0.4, 0.4, 0.4);
    def.material.thickness = R(THICK);
    body_of(p, tilt, &def.body);
    assert_int_not_equal(pliant_scene_add_soft(t->scene, &def, NULL).id, 0);
}

static void add_rope(trial *t, const put *p, double tilt)
{
    const double    end = p->turn != 0 ? 0 : 0.5, other = p->turn != 0 ? 0.5 : 0;
    pliant_rope_def def = pliant_rope_def_default();
    def.from = tilted((const double[3]){p->at[0] - end, p->at[1], p->at[2] - other}, tilt);
    def.to = tilted((const double[3]){p->at[0] + end, p->at[1], p->at[2] + other}, tilt);
    def.segments = 5;
    def.material.thickness = R(THICK);
    def.body.contact_mask = 1;
    def.body.fixed = p->pinned;
    assert_int_not_equal(pliant_scene_add_rope(t->scene, &def, NULL).id, 0);
}

static void add_point(trial *t, const put *p, double tilt)
{
    const pliant_vec3    x = tilted(p->at, tilt);
    pliant_particles_def def = pliant_particles_def_default();
    def.positions = &x;
    def.count = 1;
    def.material.thickness = R(THICK);
    def.body.contact_mask = 1;
    def.body.fixed = p->pinned;
    assert_int_not_equal(pliant_scene_add_particles(t->scene, &def, NULL).id, 0);
}

static void add(trial *t, const put *p, double tilt)
{
    switch (p->what) {
    case NOTHING: break;
    case SHEET:
    case OVER:
    case STRIP: add_cloth(t, p, tilt); break;
    case ROPE: add_rope(t, p, tilt); break;
    case BOX: add_soft(t, p, tilt); break;
    case POINT: add_point(t, p, tilt); break;
    }
}

/* ---- how far apart ---- */

static double apart(const trial *t, const uint32_t slot[4], bool edges)
{
    vvec  x[4];
    vreal weight[4];
    for (uint32_t k = 0; k < 4; k++) {
        const pliant_vec3 at = pliant__slot_x(t->state->x, slot[k]);
        x[k] = vvec_of(at.x, at.y, at.z);
    }
    pair_weights(x, edges, weight);
    return (double)vlength(pair_between(x, weight));
}

static double least_distance(const trial *t)
{
    const pliant_model *m = t->model;
    const size_t        count = model_count(m, element_body);
    double              least = 1;
    for (size_t e = 0; e < count; e++)
        for (size_t f = e + 1; f < count; f++) {
            const uint32_t *p = m->elements + 3 * e, *q = m->elements + 3 * f;
            if (m->element_body[e] == m->element_body[f]) continue;
            for (uint32_t i = 0; i < 9; i++)
                least = fmin(least, apart(t, (const uint32_t[4]){p[i / 3], p[(i / 3 + 1) % 3], q[i % 3], q[(i % 3 + 1) % 3]}, true));
            for (uint32_t i = 0; i < 3; i++) {
                least = fmin(least, apart(t, (const uint32_t[4]){p[i], q[0], q[1], q[2]}, false));
                least = fmin(least, apart(t, (const uint32_t[4]){q[i], p[0], p[1], p[2]}, false));
            }
        }
    return least;
}

static uint32_t crossings(const trial *t)
{
    uint32_t count = 0;
    assert_int_equal(pliant_state_crossings(t->state, NULL, 0, &count), PLIANT_OK);
    return count;
}

/* ---- the law ---- */

#define NONE                         \
    {                                \
        NOTHING, {0, 0, 0}, 0, false \
    }
static const row rows[] = {
    {"two sheets in one plane", {{SHEET, {0, 0, 0}, 0, false}, {OVER, {0.03, 0, 0.02}, 0, false}, NONE}, 0, 15},
    {"the same, tilted", {{SHEET, {1, 2, 3}, 0, false}, {OVER, {1.03, 2, 3.02}, 0, false}, NONE}, 30, 15},
    {"the same sheet twice", {{SHEET, {0, 0, 0}, 0, false}, {SHEET, {0, 0, 0}, 0, false}, NONE}, 0, 25},
    {"the same sheet twice, one upside down", {{SHEET, {0, 0, 0}, 0, false}, {SHEET, {0, 0, 0}, 180, false}, NONE}, 0, 25},
    {"three sheets in one plane", {{SHEET, {0, 0, 0}, 0, false}, {SHEET, {0, 0, 0}, 0, false}, {SHEET, {0, 0, 0}, 0, false}}, 0, 50},
    {"strips across each other, without a vertex in the other", {{STRIP, {0, 0, 0}, 0, false}, {ROPE, {0, 0, 0}, 0, false}, NONE}, 0, 2},
    {"a rope in a sheet", {{SHEET, {0, 0, 0}, 0, false}, {ROPE, {0, 0, 0.05}, 0, false}, NONE}, 0, 6},
    {"a sheet about a rope", {{ROPE, {0, 0, 0.05}, 0, false}, {SHEET, {0, 0, 0}, 0, false}, NONE}, 20, 10},
    {"two ropes across each other", {{ROPE, {0, 0, 0}, 0, false}, {ROPE, {0, 0, 0}, 90, false}, NONE}, 20, 2},
    {"two ropes in one line", {{ROPE, {0, 0, 0}, 0, false}, {ROPE, {0, 0, 0}, 0, false}, NONE}, 20, 6},
    {"boxes that touch", {{BOX, {0, 0, 0}, 0, false}, {BOX, {0, 0.4, 0}, 0, false}, NONE}, 0, 9},
    {"boxes that touch, tilted", {{BOX, {0, 0, 0}, 0, false}, {BOX, {0.1, 0.4, 0.1}, 0, false}, NONE}, 30, 9},
    {"a sheet on a box", {{BOX, {0, 0, 0}, 0, false}, {SHEET, {0, 0.2, 0}, 0, false}, NONE}, 0, 9},
    {"a box on a sheet", {{SHEET, {0, 0, 0}, 0, false}, {BOX, {0, 0.2, 0}, 0, false}, NONE}, 0, 9},
    {"a box under a sheet", {{SHEET, {0, 0, 0}, 0, false}, {BOX, {0, -0.2, 0}, 0, false}, NONE}, 0, 9},
    {"a particle in a sheet", {{SHEET, {0, 0, 0}, 0, false}, {POINT, {0.1, 0, 0.1}, 0, false}, NONE}, 10, 1},
    {"a sheet about a particle", {{POINT, {0.1, 0, 0.1}, 0, false}, {SHEET, {0, 0, 0}, 0, false}, NONE}, 10, 3},
    {"two particles in one place", {{POINT, {0, 0, 0}, 0, false}, {POINT, {0, 0, 0}, 0, false}, NONE}, 0, 1},
    {"a sheet in a pinned one", {{SHEET, {0, 0, 0}, 0, true}, {OVER, {0, 0, 0}, 0, false}, NONE}, 0, 15},
    {"a pinned sheet in a sheet", {{SHEET, {0, 0, 0}, 0, false}, {OVER, {0, 0, 0}, 0, true}, NONE}, 0, 15},
    {"pinned both", {{SHEET, {0, 0, 0}, 0, true}, {OVER, {0, 0, 0}, 0, true}, NONE}, 0, 0},
};

static void what_begins_in_something_comes_out_of_it(void **unused)
{
    uint32_t wrong = 0;
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        trial    t;
        uint32_t crossed = 0;
        memset(&t, 0, sizeof t);
        trial_begin(&t, 0, 10, 1);
        for (int k = 0; k < MOST; k++) add(&t, &rows[i].of[k], rows[i].tilt);
        trial_compile(&t);
        const pliant_parted parted = pliant_model_parted(t.model);
        const double        begun = least_distance(&t);
        crossed += crossings(&t);
        for (int f = 0; f < 30 && rows[i].parted; f++) {
            trial_run(&t, DT, 1);
            crossed += crossings(&t);
        }
        const double least = least_distance(&t);
        const bool   good = rows[i].parted ? parted.count >= rows[i].parted && parted.body.id != parted.other.id &&
                                               (double)parted.by < 0.1 * THICK && begun > 1e-6 && !crossed && least > 0.9 * 2 * THICK
                                           : parted.count == 0;
        if (!good)
            print_message("%s: %u particles aside by %g m, %g m apart at first, %u crossings, %g m apart at last\n", rows[i].name,
                          parted.count, (double)parted.by, begun, crossed, least);
        wrong += !good;
        trial_end(&t);
    }
    assert_int_equal(wrong, 0);
}

/* Bodies that do not meet, or a pair that ignores each other, stay where they are, to the bit. */
static void what_does_not_meet_stays(void **unused)
{
    (void)unused;
    for (int how = 0; how < 2; how++) {
        trial t;
        memset(&t, 0, sizeof t);
        trial_begin(&t, 0, 10, 1);
        for (int k = 0; k < 2; k++) {
            pliant_cloth_def def = pliant_cloth_def_default();
            def.material = material();
            def.body.contact_mask = how ? 1 : 0;
            assert_int_not_equal(pliant_scene_add_cloth(t.scene, &def, NULL).id, 0);
        }
        pliant_contact_pair_def pair = pliant_contact_pair_def_default();
        pair.body.id = 1;
        pair.other.id = 2;
        pair.ignore = true;
        if (how) assert_int_equal(pliant_scene_contact_pair(t.scene, &pair, NULL), PLIANT_OK);
        trial_compile(&t);
        assert_int_equal(pliant_model_parted(t.model).count, 0);
        for (uint32_t v = 0; v < vertex_count(&t, (pliant_body){2}); v++) {
            double x[3], y[3];
            point_of(&t, (pliant_body){1}, v, x);
            point_of(&t, (pliant_body){2}, v, y);
            assert_memory_equal(x, y, sizeof x);
        }
        trial_end(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_begins_in_something_comes_out_of_it),
                                       cmocka_unit_test(what_does_not_meet_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
