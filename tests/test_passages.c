/* The check of crossings: what cuts through what is found exactly as by the checker of tests/crossings.h, which shares no text with it; only bodies that
 * meet count; and bodies that pass through each other between two states are found though neither state shows it. */
#include "crossings.h"
#include "trial.h"

#include "collide/triangle_side.h"
#include "compile/model.h"
#include "state/state.h"

static uint64_t seed = 1;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

/* ---- the side of a plane ---- */

/* Four points: anywhere; in a plane but for the last bits; of whole numbers; far apart in size; equal. */
static void draw_points(double x[4][3], int kind)
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            x[i][k] = uniform(-1, 1);
            if (kind == 2) x[i][k] = floor(3 * x[i][k]);
            if (kind == 3) x[i][k] = ldexp(x[i][k], (int)uniform(-60, 60));
        }
    const double s = uniform(-2, 2), t = uniform(-2, 2);
    for (int k = 0; k < 3 && (kind == 1 || kind == 4); k++) x[3][k] = x[0][k] + s * (x[1][k] - x[0][k]) + t * (x[2][k] - x[0][k]);
    if (kind == 4) x[3][(int)uniform(0, 3)] += ldexp(uniform(-1, 1), -52);
    if (kind == 5) memcpy(x[(int)uniform(0, 4)], x[(int)uniform(0, 4)], sizeof x[0]);
}

static void sides_are_those_of_another_text(void **unused)
{
    (void)unused;
    uint32_t of[3] = {0, 0, 0};
    for (int i = 0; i < 60000; i++) {
        double x[4][3];
        draw_points(x, i % 6);
        const int side = pliant__plane_side(x[0], x[1], x[2], x[3]);
        assert_int_equal(side, side_of(x[0], x[1], x[2], x[3]));
        assert_int_equal(side, -pliant__plane_side(x[1], x[0], x[2], x[3]));
        of[side + 1]++;
    }
    assert_true(of[0] > 10000 && of[1] > 5000 && of[2] > 10000);
}

/* ---- states ---- */

static pliant_body add_sheet(trial *w, double y, uint32_t group, uint32_t mask, bool itself, bool fixed)
{
    pliant_cloth_def d = pliant_cloth_def_default();
    d.cells_x = d.cells_z = 6;
    d.size_x = d.size_z = 1;
    d.material = plain_material();
    d.material.thickness = R(0.01);
    d.body.placement.position = vec(0, y, 0);
    d.body.contact_group = group;
    d.body.contact_mask = mask;
    d.body.self_contact = itself;
    d.body.fixed = fixed;
    const pliant_body body = pliant_scene_add_cloth(w->scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

static uint32_t sum_of(const pliant_crossing *found, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++) sum += found[i].count;
    return sum;
}

static uint32_t count_crossings(const pliant_state *state)
{
    pliant_crossing found[16];
    uint32_t        count;
    assert_int_equal(pliant_state_crossings(state, found, 16, &count), PLIANT_OK);
    assert_true(count <= 16);
    return sum_of(found, count);
}

static size_t count_independently(const trial *w)
{
    const size_t slots = w->model->header->slot_count;
    double      *x = malloc(3 * slots * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < 3 * slots; i++) x[i] = (double)w->state->x[4 * (i / 3) + i % 3];
    const size_t found = crossings(x, w->model->elements, model_count(w->model, element_body), NULL, 0);
    free(x);
    return found;
}

/* Crumples a body: anywhere, on whole numbers, or flat, so that much touches and lies in one plane. */
static void crumple(trial *w, pliant_body body, int kind)
{
    pliant_vec3    at[MAX_POINTS];
    const uint32_t count = vertex_count(w, body);
    for (uint32_t i = 0; i < count; i++) {
        at[i] = vec(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
        if (kind == 1) at[i] = vec(floor(uniform(0, 4)), floor(uniform(0, 4)), floor(uniform(0, 4)));
        if (kind == 2) at[i].y = R(floor(uniform(0, 2)));
    }
    assert_int_equal(pliant_state_set_positions(w->state, body, 0, count, at), PLIANT_OK);
}

/* A sheet stands on another, its rows of vertices exactly above the other's, and goes down through it: while it touches nothing crosses, then all of it does, though
 * no edge goes through the inside of a triangle when a row lies exactly in the other. Two that lie in one plane do not cross. */
static void rows_of_vertices_cross_too(void **unused)
{
    (void)unused;
    static const double at[] = {0.5, 0.25, 0, -0.25, -0.5};
    trial               w;
    pliant_vec3         x[49], turned[49];
    trial_begin(&w, 0, 1, 1);
    const pliant_body still = add_sheet(&w, 0, 1, 1, false, false), other = add_sheet(&w, 1, 1, 1, false, false);
    trial_compile(&w);
    for (int i = 0; i < 49; i++) x[i] = vec(i % 7 * 0.25 - 0.75, 0, i / 7 * 0.25 - 0.75);
    assert_int_equal(pliant_state_set_positions(w.state, still, 0, 49, x), PLIANT_OK);
    assert_int_equal(pliant_state_set_positions(w.state, other, 0, 49, x), PLIANT_OK);
    assert_int_equal(count_crossings(w.state), 0);
    for (size_t k = 0; k < sizeof at / sizeof *at; k++)
        for (int side = -1; side <= 1; side += 2) {
            for (int i = 0; i < 49; i++) turned[i] = vec(0, side * ((double)x[i].x + 0.25 + at[k]), (double)x[i].z);
            assert_int_equal(pliant_state_set_positions(w.state, other, 0, 49, turned), PLIANT_OK);
            const uint32_t found = count_crossings(w.state);
            print_message("    %g: %u\n", at[k], found);
            assert_true(at[k] == 0.5 ? found == 0 : found >= 6);
        }
    trial_end(&w);
}

static void crossings_are_those_of_another_text(void **unused)
{
    (void)unused;
    trial  w;
    size_t all = 0;
    trial_begin(&w, 9.81, 10, 1);
    const pliant_body one = add_sheet(&w, 0, 1, 1, true, false), other = add_sheet(&w, 0.1, 1, 1, true, false);
    pliant_rope_def   d = pliant_rope_def_default();
    d.from = vec(0, 1, 0);
    d.to = vec(1, 1, 0);
    d.segments = 9;
    d.material = plain_material();
    d.material.thickness = R(0.01);
    d.body.self_contact = true;
    d.body.contact_mask = 1;
    const pliant_body rope = pliant_scene_add_rope(w.scene, &d, NULL);
    assert_int_not_equal(rope.id, 0);
    trial_compile(&w);
    assert_int_equal(count_crossings(w.state), 0);
    for (int i = 0; i < 60; i++) {
        crumple(&w, one, i % 3);
        crumple(&w, other, i % 3);
        crumple(&w, rope, i % 3);
        const uint32_t found = count_crossings(w.state);
        assert_int_equal(found, count_independently(&w));
        all += found;
    }
    assert_true(all > 10000);
    trial_end(&w);
}

/* Two sheets through each other: they are told where they meet, and one can move. */
static void only_who_meets_counts(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t group, mask;
        bool     fixed, counts;
    } rows[] = {{1, 1, false, true}, {2, 1, false, false}, {1, 2, false, false}, {1, 1, true, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        trial           w;
        pliant_crossing found[4];
        uint32_t        count;
        trial_begin(&w, 9.81, 10, 1);
        const pliant_body one = add_sheet(&w, 0, 1, 1, false, rows[i].fixed),
                          other = add_sheet(&w, 0.1, rows[i].group, rows[i].mask, false, rows[i].fixed);
        trial_compile(&w);
        crumple(&w, other, 0);
        assert_int_equal(pliant_state_crossings(w.state, found, 4, &count), PLIANT_OK);
        assert_int_equal(count, rows[i].counts); /* and neither with itself */
        if (count) assert_true(found[0].bodies[0].id == one.id && found[0].bodies[1].id == other.id && found[0].count > 0);
        uint32_t more = 9;
        assert_int_equal(pliant_state_crossings(w.state, NULL, 0, &more), PLIANT_OK);
        assert_int_equal(more, count);
        trial_end(&w);
    }
}

/* One sheet falls through another between two states: neither shows it, the way does. What goes along with it is not passed. */
static void passages_are_seen(void **unused)
{
    (void)unused;
    static const struct {
        double fall[2]; /* of the upper one, 0.1 m above, and of the lower one */
        bool   passes;
    } rows[] = {{{0, 0}, false}, {{0.05, 0}, false}, {{0.2, 0}, true}, {{5, 5}, false}, {{5, 4.5}, true}, {{0, -0.15}, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        trial           w;
        pliant_crossing found[4];
        uint32_t        count;
        trial_begin(&w, 9.81, 10, 1);
        const pliant_body body[2] = {add_sheet(&w, 0.1, 1, 1, true, false), add_sheet(&w, 0, 1, 1, true, false)};
        trial_compile(&w);
        pliant_state *before = pliant_state_create(w.model, NULL);
        assert_non_null(before);
        for (size_t k = 0; k < 2; k++) {
            pliant_vec3 at[49];
            assert_int_equal(pliant_state_positions(before, body[k], 0, 49, at), PLIANT_OK);
            for (int v = 0; v < 49; v++) at[v].y -= R(rows[i].fall[k]);
            assert_int_equal(pliant_state_set_positions(w.state, body[k], 0, 49, at), PLIANT_OK);
        }
        assert_int_equal(count_crossings(w.state), 0);
        assert_int_equal(pliant_state_passages(before, w.state, found, 4, &count), PLIANT_OK);
        if (count != rows[i].passes) fail_msg("row %zu: %u", i, count);
        if (count) assert_true(found[0].bodies[0].id == body[0].id && found[0].bodies[1].id == body[1].id && found[0].count >= 49);
        pliant_state_destroy(before);
        trial_end(&w);
    }
}

static void bad_arguments_are_answers(void **unused)
{
    (void)unused;
    trial    w, v;
    uint32_t count;
    trial_begin(&w, 9.81, 10, 1);
    add_sheet(&w, 0, 1, 1, true, false);
    trial_compile(&w);
    trial_begin(&v, 9.81, 10, 1);
    add_sheet(&v, 0.5, 1, 1, true, false);
    trial_compile(&v);
    assert_int_equal(pliant_state_crossings(NULL, NULL, 0, &count), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_crossings(w.state, NULL, 0, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_passages(w.state, v.state, NULL, 0, &count), PLIANT_ERROR_ARGUMENT);
    w.state->x[0] = R(NAN);
    assert_int_equal(pliant_state_crossings(w.state, NULL, 0, &count), PLIANT_ERROR_DIVERGED);
    trial_end(&w);
    trial_end(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_are_those_of_another_text),
        cmocka_unit_test(crossings_are_those_of_another_text),
        cmocka_unit_test(rows_of_vertices_cross_too),
        cmocka_unit_test(only_who_meets_counts),
        cmocka_unit_test(passages_are_seen),
        cmocka_unit_test(bad_arguments_are_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
