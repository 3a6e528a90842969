/* Laws of light in pictures: shadows have soft edges and none on smooth folds; what hides the sky makes darker; edges of solids stay edges and coarse
 * round meshes are round; stills have more samples than films. And of what there is to see: colliders that are off are not, ropes in crowds have one
 * hue. */
#include "draw/painter.h"

#include "pliant/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "files.h"
#include "offscreen.h"

enum { WIDTH = 320, HEIGHT = 180, PIXELS = WIDTH * HEIGHT };

typedef struct rig {
    pliant_scene_file file;
    pliant_model     *model;
    pliant_state     *state;
    draw_subject     *subject;
    draw_painter     *painter;
    draw_frame        frame;
    draw_view         view;
    uint8_t           rgb[PIXELS][3];
} rig;

static void look(rig *r)
{
    const draw_source source = {.state = r->state};
    assert_true(draw_frame_fill(&r->frame, r->subject, &source, NULL));
    r->view.stage = r->frame.all;
}

static void rig_end(rig *r)
{
    draw_painter_destroy(r->painter);
    draw_subject_destroy(r->subject);
    draw_frame_free(&r->frame);
    pliant_state_destroy(r->state);
    pliant_model_destroy(r->model);
    pliant_scene_destroy(r->file.scene);
    free(r);
}

static void paint(rig *r, const char *camera)
{
    assert_true(draw_camera_parse(camera, &r->view.camera));
    assert_true(draw_painter_paint(r->painter, &r->frame, &r->view, NULL));
    draw_painter_read(r->painter, r->rgb[0]);
}

static int brightness(const rig *r, int x, int y)
{
    const uint8_t *c = r->rgb[y * WIDTH + x];
    return c[0] + c[1] + c[2];
}

/* ---- shadows ---- */

static rig *rig_of_model(pliant_scene_file file)
{
    rig *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->file = file;
    r->model = pliant_scene_compile(r->file.scene, NULL);
    r->state = pliant_state_create(r->model, NULL);
    r->subject = draw_subject_create(r->model, NULL);
    r->painter = draw_painter_create(r->subject, NULL);
    assert_non_null(r->painter);
    r->view = (draw_view){.width = WIDTH, .height = HEIGHT};
    look(r);
    return r;
}

static rig *rig_of(const char *text)
{
    pliant_scene_file file;
    pliant_error      error = {0};
    const bool        read = pliant_scene_read_text(text, strlen(text), "text", NULL, NULL, &file, &error) == PLIANT_OK;
    if (!read) print_error("%s\n", error.message);
    assert_true(read);
    return rig_of_model(file);
}

/* A fold that goes over into shade, of triangles that each as a whole are turned to the sun or away from it: from pixel to pixel it changes little. */
static void a_fold_goes_into_shade_without_steps(void **unused)
{
    static const char meets[] = "\"self_contact\": true,"; /* the fold that is looked at is that of a sheet that does not meet itself */
    pliant_scene_file file;
    size_t            size;
    char             *text = read_whole(PLIANT_SOURCE_DIR "/scenes/drape.json", &size), *at = strstr(text, meets);
    (void)unused;
    assert_non_null(at);
    memmove(at, at + sizeof meets - 1, strlen(at + sizeof meets - 1) + 1);
    assert_int_equal(pliant_scene_read_text(text, strlen(text), "drape", NULL, NULL, &file, NULL), PLIANT_OK);
    free(text);
    rig           *r = rig_of_model(file);
    pliant_inputs *in = pliant_inputs_create(r->model, NULL);
    pliant_solver *solver = pliant_solver_create(r->model, NULL, NULL);
    for (int i = 0; i < 200; i++) {
        assert_int_equal(pliant_inputs_reset(in, 1 / file.fps), PLIANT_OK);
        assert_int_equal(pliant_solver_step(solver, r->state, in), PLIANT_OK);
    }
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(in);
    look(r);
    for (int still = 0; still < 2; still++) {
        int step = 0, most = 0, least = 765;
        r->view.passes = still ? DRAW_STILL : DRAW_FAST;
        paint(r, "0.25,0.8,0.9:0.1,0.55,0");
        for (int y = 10; y < 70; y++)
            for (int x = 96; x < 130; x++) {
                const int b = brightness(r, x, y), apart = abs(b - brightness(r, x + 1, y));
                step = apart > step ? apart : step;
                most = b > most ? b : most;
                least = b < least ? b : least;
            }
        if (step > (still ? 20 : 32)) print_error("a step of %d\n", step);
        assert_true(step <= (still ? 20 : 32) && most - least > 60); /* and there are light and shade */
    }
    rig_end(r);
}

static const char plate[] =
    "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [4, 4], \"size\": [0.8, 0.8], \"position\": [0, %g, 0]}], "
    "\"colliders\": [{\"type\": \"plane\"}]}";

static rig *plate_at(double height)
{
    char text[300];
    snprintf(text, sizeof text, plate, height);
    return rig_of(text);
}

/* Along a line of the floor from the light into the shadow: how many pixels are neither. */
static int penumbra(double height)
{
    rig *r = plate_at(height);
    r->view.passes = DRAW_STILL;
    draw_camera c = {{-(float)height * 0.5f - 0.6f, 1.2f, 0.0f}, {-(float)height * 0.5f - 0.39f, 0, 0}, 35};
    r->view.camera = c;
    assert_true(draw_painter_paint(r->painter, &r->frame, &r->view, NULL));
    draw_painter_read(r->painter, r->rgb[0]);
    int most = 0, least = 1000, between = 0;
    for (int i = 0; i < WIDTH; i++) {
        const int b = brightness(r, i, HEIGHT / 2);
        most = b > most ? b : most;
        least = b < least ? b : least;
    }
    for (int i = 0; i < WIDTH; i++) {
        const int b = brightness(r, i, HEIGHT / 2);
        between += b > least + (most - least) / 4 && b < most - (most - least) / 4;
    }
    rig_end(r);
    return between;
}

static void shadows_are_softer_the_farther_they_fall(void **unused)
{
    (void)unused;
    const int near = penumbra(0.05), far = penumbra(1);
    if (far < near + 3) print_error("%d pixels near, %d far\n", near, far);
    assert_true(far >= near + 3);
}

/* In the shadow of a plate, of which the sun shows nothing in both cases. */
static void what_hides_the_sky_makes_darker(void **unused)
{
    int shade[2];
    (void)unused;
    for (int i = 0; i < 2; i++) {
        rig *r = plate_at(i ? 0.5 : 0.1);
        paint(r, i ? "-0.6,0.1,1.4:-0.2,0,-0.2:20" : "0,0.02,1.4:0,0,0:4");
        shade[i] = brightness(r, WIDTH / 2, HEIGHT / 2);
        rig_end(r);
    }
    if (shade[0] + 60 > shade[1]) print_error("%d near, %d far\n", shade[0], shade[1]);
    assert_true(shade[0] + 60 <= shade[1]);
}

/* ---- samples ---- */

/* Along the edge of a sheet that hangs a little aslant before the sky: how many shades there are between the two. */
static int shades_of_an_edge(uint32_t passes)
{
    static rig *r;
    bool        seen[256] = {false};
    int         count = 0;
    r = rig_of("{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [1, 1], \"size\": [1, 1]}]}");
    r->view.passes = passes;
    paint(r, "0.5,3,0.02:0.55,0,0.05:20");
    for (int y = 20; y < HEIGHT - 20; y++)
        for (int x = 1; x + 1 < WIDTH; x++) {
            const uint8_t blue = r->rgb[y * WIDTH + x][2];
            const bool    between = blue > 90 && blue < 200;
            if (between) seen[blue] = true;
        }
    for (int i = 0; i < 256; i++) count += seen[i];
    rig_end(r);
    return count;
}

static void stills_have_more_samples_than_films(void **unused)
{
    (void)unused;
    const int fast = shades_of_an_edge(DRAW_FAST), still = shades_of_an_edge(DRAW_STILL);
    if (still < 2 * fast || fast < 2) print_error("%d shades, %d in stills\n", fast, still);
    assert_true(fast >= 2 && still >= 2 * fast);
}

/* ---- normals ---- */

/* The corners of a cube's triangles have its faces' normals, though the library has one normal per vertex. */
static void edges_of_solids_stay_edges(void **unused)
{
    rig               *r = rig_of("{\"pliant\": 1, \"bodies\": [{\"type\": \"soft\", \"cells\": [2, 2, 2], \"size\": [1, 1, 1]}]}");
    const draw_vertex *v = (const draw_vertex *)(const void *)(r->frame.block + r->frame.vertices_at);
    const draw_body   *b = &r->subject->bodies[0];
    (void)unused;
    assert_true(b->triangles.count >= 3 * 48);
    for (uint32_t i = 0; i < b->triangles.count; i += 3) {
        const uint32_t *t = r->subject->indices + b->triangles.first + i;
        const f3        n = f3_unit(f3_cross(f3_sub(v[t[1]].x, v[t[0]].x), f3_sub(v[t[2]].x, v[t[0]].x)));
        for (int k = 0; k < 3; k++) assert_true(f3_dot(n, v[t[k]].normal) > 0.9999f);
    }
    rig_end(r);
}

/* A hull of twelve corners about a ball, and a cube: triangles of the one meet at 42 degrees, of the other at 90. */
static void colliders_are_round_where_their_triangles_meet_at_small_angles(void **unused)
{
    rig *r = rig_of(
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"particles\", \"particles\": [{\"x\": [0, 9, 0]}]}], \"colliders\": ["
        "{\"type\": \"hull\", \"points\": [[0, 1, 1.618], [0, -1, 1.618], [0, 1, -1.618], [0, -1, -1.618], [1, 1.618, 0], [-1, 1.618, 0], "
        "[1, -1.618, 0], [-1, -1.618, 0], [1.618, 0, 1], [-1.618, 0, 1], [1.618, 0, -1], [-1.618, 0, -1]]},"
        "{\"type\": \"hull\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]]}]}");
    const draw_vertex *v = (const draw_vertex *)(const void *)(r->frame.block + r->frame.boxes_at);
    (void)unused;
    assert_int_equal(r->frame.box_count, 3 * (20 + 12));
    for (int i = 0; i < 60; i++) assert_true(f3_dot(v[i].normal, f3_unit(v[i].x)) > 0.999f);
    for (int i = 60; i < 96; i++) {
        const f3 n = v[i].normal;
        assert_true(fmaxf(fabsf(n.x), fmaxf(fabsf(n.y), fabsf(n.z))) > 0.9999f);
    }
    rig_end(r);
}

/* ---- what there is to see ---- */

static void colliders_that_are_off_are_not_drawn(void **unused)
{
    rig *r = rig_of("{\"pliant\": 1, \"bodies\": [{\"type\": \"particles\", \"particles\": [{\"x\": [0, 9, 0]}]}], \"colliders\": "
                    "[{\"type\": \"box\", \"half_extent\": [1, 1, 1]}, {\"type\": \"sphere\", \"radius\": 1, \"position\": [50, 0, 0]}, "
                    "{\"type\": \"plane\"}]}");
    pliant_inputs *in = pliant_inputs_create(r->model, NULL);
    pliant_solver *solver = pliant_solver_create(r->model, NULL, NULL);
    (void)unused;
    assert_true(r->frame.box_count > 0 && r->frame.round_count == 1 && r->frame.plane_count == 1 && r->frame.all.high.x > 40);
    assert_int_equal(pliant_inputs_reset(in, 0.01), PLIANT_OK);
    for (uint32_t i = 0; i < 3; i++) {
        pliant_collider id;
        pliant_model_collider_at(r->model, i, &id);
        assert_int_equal(pliant_inputs_collider_active(in, id, false), PLIANT_OK);
    }
    assert_int_equal(pliant_solver_step(solver, r->state, in), PLIANT_OK);
    look(r);
    assert_true(r->frame.box_count == 0 && r->frame.round_count == 0 && r->frame.plane_count == 0 && r->frame.all.high.x < 40);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(in);
    rig_end(r);
}

static void many_ropes_have_one_hue_and_few_have_their_own(void **unused)
{
    (void)unused;
    for (int many = 2; many <= 30; many += 28) {
        char text[4000] = "{\"pliant\": 1, \"bodies\": [";
        for (int i = 0; i < many; i++)
            snprintf(text + strlen(text), 120, "%s{\"type\": \"rope\", \"from\": [%d, 0, 0], \"to\": [%d, 1, 0], \"segments\": 2}",
                     i ? ", " : "", i, i);
        strcat(text, "]}");
        rig *r = rig_of(text);
        bool same = true, shades = false;
        for (int i = 1; i < many; i++) {
            const draw_colour a = r->subject->bodies[0].colour, b = r->subject->bodies[i].colour;
            same &= abs(a.r * b.g - a.g * b.r) < 260 && abs(a.r * b.b - a.b * b.r) < 260;
            shades |= a.r != b.r;
        }
        assert_true(shades && same == (many > 4));
        rig_end(r);
    }
}

/* Along lines over a sheet: how often it goes over from one shade into the other. */
static int changes(const char *look)
{
    char text[300];
    snprintf(text, sizeof text, "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [4, 4], \"size\": [1, 1], \"look\": %s}]}",
             look);
    rig *r = rig_of(text);
    int  count = 0;
    r->view.passes = DRAW_STILL;
    paint(r, "0,3,0.001:0,0,0:20");
    for (int y = 60; y < 120; y++)
        for (int x = 100; x < 220; x++) {
            const uint8_t *a = r->rgb[y * WIDTH + x], *b = a + 3;
            assert_true(a[0] > a[1] + 8); /* the colour is the body's, light or dark */
            count += (a[1] > 120) != (b[1] > 120);
        }
    rig_end(r);
    return count;
}

static void looks_are_drawn(void **unused)
{
    (void)unused;
    const int plain = changes("{\"color\": \"#c22\"}"),
              fine = changes("{\"color\": \"#c22\", \"pattern\": \"stripes\", \"pattern_size\": 0.1}"),
              coarse = changes("{\"color\": \"#c22\", \"pattern\": \"stripes\", \"pattern_size\": 0.3}"),
              checker = changes("{\"color\": \"#c22\", \"pattern\": \"checker\", \"pattern_size\": 0.1}"),
              dots = changes("{\"color\": \"#c22\", \"pattern\": \"dots\", \"pattern_size\": 0.1}");
    if (!(plain == 0 && fine > 2 * coarse && coarse > 60 && checker > 60 && dots > 60))
        print_error("%d %d %d %d %d\n", plain, fine, coarse, checker, dots);
    assert_true(plain == 0 && fine > 2 * coarse && coarse > 60 && checker > 60 && dots > 60);
}

/* What covers the left of a window covers neither the legend nor a scene that is fitted beside it. */
static void nothing_is_behind_what_covers_the_left(void **unused)
{
    rig              *r = rig_of("{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"cells\": [2, 2], \"size\": [1, 1]}]}");
    const draw_source source = {.state = r->state, .show = DRAW_STRAIN};
    (void)unused;
    assert_true(draw_frame_fill(&r->frame, r->subject, &source, NULL));
    for (uint32_t covered = 0; covered <= 120; covered += 120) {
        r->view.covered = covered;
        paint(r, "0,3,0.001:0,0,0:50");
        int left = WIDTH;
        for (int y = HEIGHT - 40; y < HEIGHT; y++)
            for (int x = 0; x < left; x++)
                if (brightness(r, x, y) > 700) left = x; /* the legend's paper */
        if (left < (int)covered || left >= (int)covered + 20) print_error("at %d, not behind %u\n", left, covered);
        assert_true(left >= (int)covered && left < (int)covered + 20);
    }
    const float aspect = (float)WIDTH / HEIGHT;
    for (int part = 0; part < 2; part++) {
        const draw_camera c = draw_camera_fit_beside(&r->frame.all, aspect, part ? 0.4f : 0, NULL);
        const m4          m = draw_camera_matrix(&c, aspect, draw_bounds_center(&r->frame.all), draw_bounds_radius(&r->frame.all));
        float             least = 1, most = -1;
        for (int k = 0; k < 8; k++) {
            const draw_bounds *b = &r->frame.all;
            float              x, y;
            assert_true(
                m4_project(&m, f3_of(k & 1 ? b->high.x : b->low.x, k & 2 ? b->high.y : b->low.y, k & 4 ? b->high.z : b->low.z), &x, &y));
            least = fminf(least, x), most = fmaxf(most, x);
            assert_true(fabsf(y) < 1);
        }
        assert_true(least > (part ? -0.2f : -1) && most < 1);
        assert_true(fabsf(0.5f * (least + most) - (part ? 0.4f : 0)) < 0.05f);
    }
    rig_end(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fold_goes_into_shade_without_steps),
        cmocka_unit_test(shadows_are_softer_the_farther_they_fall),
        cmocka_unit_test(what_hides_the_sky_makes_darker),
        cmocka_unit_test(stills_have_more_samples_than_films),
        cmocka_unit_test(edges_of_solids_stay_edges),
        cmocka_unit_test(colliders_are_round_where_their_triangles_meet_at_small_angles),
        cmocka_unit_test(colliders_that_are_off_are_not_drawn),
        cmocka_unit_test(looks_are_drawn),
        cmocka_unit_test(nothing_is_behind_what_covers_the_left),
        cmocka_unit_test(many_ropes_have_one_hue_and_few_have_their_own),
    };
    return cmocka_run_group_tests(tests, open_offscreen, close_offscreen);
}
