/* Colliders with numbers as large, as small and as uneven as they come: each is refused in words, or particles that fall on it stay finite. Draws
 * are the same every time. */
#include "files.h"
#include "pliant/io.h"
#include "scene_draw.h"
#include "shapes.h"

#include <inttypes.h>

#define H60 (1.0 / 60)
enum { SHAPES = PLIANT_SHAPE_FIELD + 1, DRAWS = 250, POINTS = 12, SIDE = 5 };

typedef struct draw {
    uint64_t            seed;
    pliant_collider_def def;
    shape               mesh;
    pliant_real         height[SIDE * SIDE];
    float               distance[SIDE * SIDE * SIDE];
    double              size; /* about so large, m */
} draw;

static double part(draw *d) { return chance(&d->seed); }

/* Any number that a length may be: ordinary, at the ends of what is allowed, or at those of float. */
static double length(draw *d)
{
    static const double odd[] = {1e-45, 1e-38, 1e-30, 1e-15, 1e-6, 1e-3, 0.01, 0.1, 1, 10, 1e3, 1e6, 1e9, 1e15, 1e30, 3e38};
    return odd[(size_t)(part(d) * (sizeof odd / sizeof *odd))] * (part(d) < 0.5 ? 1 : 0.1 + 0.9 * part(d));
}

static double milder(draw *d) { return part(d) < 0.5 ? 0.01 + part(d) : length(d); }
static double either(draw *d) { return (part(d) < 0.5 ? -1 : 1) * milder(d); }

/* Needles, points in a line or a plane, points that coincide nearly, twice the same triangle, and triangles without an area. */
static void draw_mesh(draw *d)
{
    const uint32_t vertices = 4 + (uint32_t)(part(d) * 20);
    const double   scale = milder(d), thin[3] = {part(d) < 0.3 ? length(d) : 1, part(d) < 0.3 ? length(d) : 1, part(d) < 0.3 ? 0 : 1};
    for (uint32_t v = 0; v < vertices; v++) {
        const double far = part(d) < 0.05 ? length(d) : 1;
        shape_vertex(&d->mesh, scale * far * thin[0] * (part(d) - 0.5), scale * far * thin[1] * (part(d) - 0.5),
                     scale * thin[2] * (part(d) - 0.5));
    }
    for (uint32_t t = 0; t < 2 * vertices; t++) {
        uint32_t c[3];
        for (int k = 0; k < 3; k++) c[k] = (uint32_t)(part(d) * vertices);
        shape_triangle(&d->mesh, c[0], c[1], c[2]);
        if (t % 2) shape_triangle(&d->mesh, c[0], c[2], c[1]);
    }
    d->def.mesh = shape_view(&d->mesh);
    d->def.two_sided = part(d) < 0.3;
    d->size = scale;
}

/* Of ordinary heights, some of which stand for no data. */
static void draw_heights(draw *d)
{
    const double steep = part(d) < 0.3 ? 0.3 : 0, none = either(d);
    d->def.columns = 2 + (uint32_t)(part(d) * (SIDE - 1));
    d->def.rows = 2 + (uint32_t)(part(d) * (SIDE - 1));
    d->def.heights = d->height;
    d->def.cell = R(milder(d));
    d->size = SIDE * (double)d->def.cell;
    const double high = part(d) < 0.5 ? d->size : d->size * 2e4;
    for (int i = 0; i < SIDE * SIDE; i++) d->height[i] = R(part(d) < steep ? none : high * (part(d) - 0.5));
}

/* Of a ball, in cells that are drawn, sometimes with one value that is not of it. */
static void draw_field(draw *d)
{
    const double cell = milder(d);
    d->def.field = (pliant_field_view){.origin = vec(either(d), either(d), either(d)), .cell = R(cell), .count = {SIDE, SIDE, SIDE}};
    if (part(d) < 0.5) d->def.field.origin = vec(-2 * cell, -2 * cell, -2 * cell);
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const double x = i % SIDE - 2, y = i / SIDE % SIDE - 2, z = i / SIDE / SIDE - 2;
        d->distance[i] = (float)(cell * (sqrt(x * x + y * y + z * z) - 1.3));
    }
    if (part(d) < 0.3) d->distance[(int)(part(d) * SIDE * SIDE * SIDE)] = (float)either(d);
    d->def.field.distance = d->distance;
    d->size = cell;
}

static void draw_shape(draw *d, pliant_shape type)
{
    d->def = pliant_collider_def_default(type);
    d->def.radius = R(milder(d));
    d->def.half_height = R(milder(d));
    d->def.half_extent = vec(milder(d), milder(d), milder(d));
    d->size = type == PLIANT_SHAPE_BOX ? (double)d->def.half_extent.x : (double)d->def.radius;
    if (type == PLIANT_SHAPE_HULL || type == PLIANT_SHAPE_MESH) draw_mesh(d);
    if (type == PLIANT_SHAPE_HEIGHT_FIELD) draw_heights(d);
    if (type == PLIANT_SHAPE_FIELD) draw_field(d);
    if (part(d) < 0.3) d->def.thickness = R(length(d));
    if (part(d) < 0.3) d->def.pose.position = vec(either(d), either(d), either(d));
    if (part(d) < 0.3) d->def.pose.rotation = (pliant_quat){R(part(d) - 0.5), R(part(d) - 0.5), R(part(d) - 0.5), R(1)};
}

/* Particles on and in the shape's bounds, at ordinary speeds and at speeds of its size. */
static pliant_body add_falling(trial *t, draw *d)
{
    double       x[POINTS][3], v[POINTS][3];
    const double about = d->size < 1e6 ? d->size : 1e6;
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < 3; k++) {
            const double at = k == 0   ? (double)d->def.pose.position.x
                              : k == 1 ? (double)d->def.pose.position.y
                                       : (double)d->def.pose.position.z;
            x[i][k] = (fabs(at) < 1e6 ? at : 0) + about * (i % 3 ? part(d) : 2.4 * part(d) - 1.2) * (i % 4 == 3 ? 1e-3 : 1);
            v[i][k] = i % 2 ? (part(d) - 0.5) * 10 : (part(d) - 0.5) * 60 * about;
        }
    return add_points(t, POINTS, (const double(*)[3])x, (const double(*)[3])v, NULL, NULL);
}

static bool refused(const char *name, const pliant_error *error)
{
    if (!error->message[0] || strchr(error->message, '\n')) fail_msg("a %s is refused in no words, or in many lines", name);
    return false;
}

static bool accepts(trial *t, draw *d, pliant_body *body)
{
    const char  *name = pliant_shape_name(d->def.shape);
    pliant_error error = {0};
    if (!pliant_scene_add_collider(t->scene, &d->def, &error).id) return refused(name, &error);
    *body = add_falling(t, d);
    pliant_model *model = pliant_scene_compile(t->scene, &error);
    pliant_model_destroy(model);
    return model || refused(name, &error);
}

static void check_finite(const trial *t, pliant_body body, pliant_shape type, uint64_t seed)
{
    for (uint32_t i = 0; i < POINTS; i++) {
        double x[3];
        point_of(t, body, i, x);
        for (int k = 0; k < 3; k++)
            if (!(x[k] - x[k] == 0)) fail_msg("%s %" PRIu64 ": particle %u is not finite", pliant_shape_name(type), seed, i);
    }
}

/* A particle in the middle of a sphere of 1e30 m goes to its surface, which the step says; more is not asked of that. */
static bool runs(pliant_shape type, uint64_t seed)
{
    trial t;
    draw  d = {.seed = seed};
    trial_begin(&t, 9.81, 4, 1);
    draw_shape(&d, type);
    pliant_body body = {0};
    const bool  taken = accepts(&t, &d, &body);
    if (taken) {
        pliant_code result = PLIANT_OK;
        trial_compile(&t);
        assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
        for (uint32_t frame = 0; frame < 3 && result == PLIANT_OK; frame++) {
            result = pliant_solver_step(t.solver, t.state, t.inputs);
            assert_true(result == PLIANT_OK || result == PLIANT_ERROR_DIVERGED);
            if (result == PLIANT_OK) check_finite(&t, body, type, seed);
        }
    }
    trial_end(&t);
    shape_free(&d.mesh);
    return taken;
}

/* And a third of them at the least are taken: else nothing would be tested. */
static void any_numbers_are_refused_or_simulated(void **unused)
{
    (void)unused;
    for (int type = 0; type < SHAPES; type++) {
        uint32_t taken = 0;
        for (uint64_t i = 0; i < DRAWS; i++) taken += runs((pliant_shape)type, 1000 * (uint64_t)(type + 1) + i);
        if (3 * taken < DRAWS) fail_msg("of %d of shape %s only %u are taken", DRAWS, pliant_shape_name((pliant_shape)type), taken);
    }
}

/* ---- height fields ---- */

static pliant_collider_def field_of(const pliant_real *heights, double cell)
{
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_HEIGHT_FIELD);
    def.heights = heights;
    def.columns = def.rows = 3;
    def.cell = R(cell);
    return def;
}

static void a_cell_too_steep_to_be_resolved_is_named(void **unused)
{
    (void)unused;
    for (int at = 0; at < 9; at++)
        for (int sign = -1; sign <= 1; sign += 2) {
            pliant_real  heights[9] = {0};
            pliant_error error = {0};
            trial        t;
            char         place[64];
            heights[at] = R(sign * 1e9);
            const pliant_collider_def def = field_of(heights, 0.2);
            trial_begin(&t, 9.81, 4, 1);
            assert_int_equal(pliant_scene_add_collider(t.scene, &def, &error).id, 0);
            snprintf(place, sizeof place, "row %d, column %d", at / 3, at % 3);
            if (!strstr(error.message, place)) fail_msg("\"%s\" does not name %s", error.message, place);
            trial_end(&t);
        }
}

/* As steep as a cell may be: what falls on the flat part beside it lies there. */
static void what_lies_beside_the_steepest_cell_lies(void **unused)
{
    const double      x[1][3] = {{0.3, 0.1, 0.3}};
    const pliant_real heights[9] = {R(-1.9e4), 0, 0, 0, 0, 0, 0, 0, 0};
    double            end[3];
    trial             t;
    (void)unused;
    const pliant_collider_def def = field_of(heights, 0.2);
    trial_begin(&t, 9.81, 10, 1);
    add_collider(&t, &def);
    const pliant_body body = add_points(&t, 1, x, NULL, NULL, NULL);
    trial_compile(&t);
    trial_run(&t, H60, 120);
    point_of(&t, body, 0, end);
    near(end[1], 0, 0.2 * 1.9e4 / 1e5); /* what counts as touching is rounding of the greatest height */
    trial_end(&t);
}

/* A particle in each of the ways that a triangle of a steep cell is looked at: over it, on its edges, below it, in its wall. */
static void steep_cells_are_met_from_everywhere(void **unused)
{
    static const double places[] = {-0.01, 0, 0.002, 0.06, 0.1, 0.2, 0.21};
    (void)unused;
    for (int at = 0; at < 9; at++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double      x[49][3];
            pliant_real heights[9] = {0};
            trial       t;
            heights[at] = R(sign * 1.9e4);
            for (int i = 0; i < 49; i++) {
                x[i][0] = places[i % 7];
                x[i][1] = i % 2 ? 0.01 : sign * 30;
                x[i][2] = places[i / 7];
            }
            const pliant_collider_def def = field_of(heights, 0.2);
            trial_begin(&t, 9.81, 4, 1);
            add_collider(&t, &def);
            const pliant_body body = add_points(&t, 49, (const double(*)[3])x, NULL, NULL, NULL);
            trial_compile(&t);
            trial_run(&t, H60, 5);
            for (uint32_t i = 0; i < 49; i++) {
                point_of(&t, body, i, x[i]);
                for (int k = 0; k < 3; k++) assert_true(x[i][k] - x[i][k] == 0);
            }
            trial_end(&t);
        }
}

/* ---- in files ---- */

enum { NUMBERS = 64 };

/* All numbers in a value, the first of many. */
static uint32_t find_numbers(json *value, json **out, uint32_t count)
{
    if (value->type == JSON_NUMBER && count < NUMBERS) out[count++] = value;
    for (size_t i = 0; i < value->count; i++) count = find_numbers(&value->items[i], out, count);
    return count;
}

/* Of a file's scene: as `runs`. */
static bool file_runs(const json *scene)
{
    pliant_error      error = {0};
    pliant_model_file file = {0};
    char             *text = json_write(scene);
    trial             t = {.def = {0}};
    pliant_code       result = PLIANT_OK;
    const bool        taken = pliant_model_read_text(text, strlen(text), "odd.json", NULL, NULL, &file, &error) == PLIANT_OK ||
                       refused("collider in a file", &error);
    if (taken) {
        t.state = pliant_state_create(file.model, NULL);
        t.inputs = pliant_inputs_create(file.model, NULL);
        t.solver = pliant_solver_create(file.model, NULL, NULL);
        assert_int_equal(pliant_inputs_reset(t.inputs, H60), PLIANT_OK);
    }
    for (uint32_t frame = 0; taken && frame < 2 && result == PLIANT_OK; frame++) {
        result = pliant_solver_step(t.solver, t.state, t.inputs);
        assert_true(result == PLIANT_OK || result == PLIANT_ERROR_DIVERGED);
        for (uint32_t b = 1; b <= pliant_model_body_count(file.model) && result == PLIANT_OK; b++)
            for (uint32_t v = 0; v < pliant_model_body(file.model, (pliant_body){b}).vertex_count; v++) {
                double x[3];
                point_of(&t, (pliant_body){b}, v, x);
                if (!(length3(x) - length3(x) == 0)) fail_msg("vertex %u of body %u is not finite, in\n%s", v, b, text);
            }
    }
    pliant_inputs_destroy(t.inputs);
    pliant_solver_destroy(t.solver);
    pliant_state_destroy(t.state);
    pliant_model_close(&file);
    free(text);
    return taken;
}

/* Every number that a collider of a file has, in turn, at every end of what a number may be, or a text that looks like one. */
static void any_number_of_a_file_is_refused_or_simulated(void **unused)
{
    json odd;
    (void)unused;
    scene_draw_files();
    for (uint32_t type = 0;; type++) {
        uint32_t tried = 0, taken = 0;
        for (uint64_t number = 0; number < 3; number++) {
            json *scene = scene_draw_collider(type, number), *numbers[NUMBERS];
            if (!scene) {
                assert_true(type >= SHAPES);
                return;
            }
            const uint32_t count = find_numbers(json_find(scene, "colliders"), numbers, 0);
            for (uint32_t i = 0; i < count; i++)
                for (size_t k = 0; scene_odd(k, &odd); k++) {
                    const json before = *numbers[i];
                    *numbers[i] = odd;
                    tried++;
                    taken += file_runs(scene);
                    json_clear(numbers[i]);
                    *numbers[i] = before;
                }
            json_free(scene);
        }
        if (10 * taken < tried || taken == tried) fail_msg("of %u colliders of type %u %u are taken", tried, type, taken);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_numbers_are_refused_or_simulated),         cmocka_unit_test(a_cell_too_steep_to_be_resolved_is_named),
        cmocka_unit_test(what_lies_beside_the_steepest_cell_lies),      cmocka_unit_test(steep_cells_are_met_from_everywhere),
        cmocka_unit_test(any_number_of_a_file_is_refused_or_simulated),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
