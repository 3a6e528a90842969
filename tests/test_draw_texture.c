/* Laws of pictures on bodies: a pixel of the texture is in the picture where its corner is, upright, from behind as seen through; a color is multiplied with
 * it; its seams are no edges of the surface; a file that is no whole PNG is one line where it is drawn; ropes have patterns along them. */
#include "draw/painter.h"
#include "draw/picture.h"
#include "files.h"

#include "pliant/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "offscreen.h"

enum { WIDTH = 320, HEIGHT = 180, PIXELS = WIDTH * HEIGHT };

static uint8_t rgb[PIXELS][3];

static draw_painter *painter_of(const pliant_model *model, draw_subject **subject, pliant_error *error)
{
    *subject = draw_subject_create(model, error);
    assert_non_null(*subject);
    return draw_painter_create(*subject, error);
}

static pliant_model *model_of(const char *bodies)
{
    char              text[2000];
    pliant_error      error = {0};
    pliant_scene_file file;
    snprintf(text, sizeof text, "{\"pliant\": 1, \"bodies\": [%s]}", bodies);
    if (pliant_scene_read_text(text, strlen(text), "text", NULL, NULL, &file, &error) != PLIANT_OK) fail_msg("%s", error.message);
    pliant_model *model = pliant_scene_compile(file.scene, &error);
    assert_non_null(model);
    pliant_scene_destroy(file.scene);
    return model;
}

static void paint(const char *bodies, const char *camera, uint32_t show)
{
    pliant_error  error = {0};
    draw_subject *subject;
    draw_frame    frame = {.block = NULL};
    draw_view     view = {.width = WIDTH, .height = HEIGHT};
    pliant_model *model = model_of(bodies);
    pliant_state *state = pliant_state_create(model, NULL);
    draw_painter *painter = painter_of(model, &subject, &error);
    if (!painter) fail_msg("%s", error.message);
    const draw_source source = {.state = state, .show = show};
    assert_true(draw_frame_fill(&frame, subject, &source, NULL));
    view.stage = frame.all;
    assert_true(draw_camera_parse(camera, &view.camera));
    assert_true(draw_painter_paint(painter, &frame, &view, NULL));
    draw_painter_read(painter, rgb[0]);
    draw_painter_destroy(painter);
    draw_subject_destroy(subject);
    draw_frame_free(&frame);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
}

/* Red, green; blue, yellow. */
enum { SIDE = 32 };

static void write_quarters(const char *path)
{
    static const uint8_t colours[4][3] = {{230, 20, 20}, {20, 230, 20}, {20, 20, 230}, {230, 230, 20}};
    uint8_t              pixels[SIDE * SIDE][3];
    for (int i = 0; i < SIDE * SIDE; i++) memcpy(pixels[i], colours[(i % SIDE >= SIDE / 2) + 2 * (i / SIDE >= SIDE / 2)], 3);
    assert_true(draw_picture_write(path, pixels[0], SIDE, SIDE, NULL));
}

/* 'r', 'g', 'b', 'y', or '.' where it is none of them, about a pixel. */
static char colour_at(int x, int y)
{
    const uint8_t *c = rgb[y * WIDTH + x];
    const bool     r = c[0] > 2 * c[2] + 20 && c[0] > 60, g = c[1] > 2 * c[2] + 20 && c[1] > 60;
    if (r && g && c[0] < 2 * c[1] && c[1] < 2 * c[0]) return 'y';
    if (c[0] > 60 && c[0] > 2 * c[1] && c[0] > 2 * c[2]) return 'r';
    if (c[1] > 60 && c[1] > 2 * c[0] && c[1] > 2 * c[2]) return 'g';
    return c[2] > 60 && c[2] > 2 * c[0] && c[2] > 2 * c[1] ? 'b' : '.';
}

/* Of what is in the middle of the picture: left above, right above, left below, right below. */
static void assert_quarters(const char *what, const char *expected)
{
    char seen[5] = "";
    for (int i = 0; i < 4; i++) seen[i] = colour_at(WIDTH / 2 + (i % 2 ? 25 : -25), HEIGHT / 2 + (i / 2 ? 25 : -25));
    if (strcmp(seen, expected) != 0) fail_msg("%s: %s, not %s", what, seen, expected);
}

#define LOOK "\"look\": {\"texture\": \"q.png\"}"
#define UPRIGHT "\"rotation\": {\"axis\": [1, 0, 0], \"angle\": 90}"

static void a_pixel_of_the_texture_is_where_its_corner_is(void **unused)
{
    (void)unused;
    write_quarters("q.png");
    paint("{\"type\": \"cloth\", \"cells\": [3, 3], " LOOK "}", "0,2,0.001:0,0,0:40", 0);
    assert_quarters("from above", "rgby");
    paint("{\"type\": \"cloth\", \"cells\": [3, 3], " UPRIGHT ", " LOOK "}", "0,0,2:0,0,0:40", 0);
    assert_quarters("from the front", "rgby");
    paint("{\"type\": \"cloth\", \"cells\": [3, 3], " UPRIGHT ", " LOOK "}", "0,0,-2:0,0,0:40", 0);
    assert_quarters("from behind, as seen through", "gryb");
}

/* Two quads that each show all of it, by way of the vertices between them. */
static const char pair_obj[] = "v -1 -0.5 0\nv 0 -0.5 0\nv 1 -0.5 0\nv -1 0.5 0\nv 0 0.5 0\nv 1 0.5 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
                               "f 1/1 2/2 5/3 4/4\nf 2/1 3/2 6/3 5/4\n";

static void a_seam_shows_each_side_its_own(void **unused)
{
    (void)unused;
    write_quarters("q.png");
    write_text("pair.obj", pair_obj);
    for (int i = 0; i < 2; i++) {
        char body[200];
        snprintf(body, sizeof body, "{\"type\": \"cloth\", \"mesh\": \"pair.obj\", \"position\": [%g, 0, 0], " LOOK "}", i ? -0.5 : 0.5);
        paint(body, "0,0,2:0,0,0:40", 0);
        assert_quarters(i ? "right" : "left", "rgby");
    }
}

/* What is seen of the middle with a color. */
static void mean_of(const char *look, double mean[3])
{
    char body[300];
    snprintf(body, sizeof body, "{\"type\": \"cloth\", \"cells\": [2, 2], \"look\": {\"texture\": \"w.png\"%s}}", look);
    paint(body, "0,2,0.001:0,0,0:40", 0);
    for (int k = 0; k < 3; k++) mean[k] = rgb[HEIGHT / 2 * WIDTH + WIDTH / 2][k];
}

/* Grey of the same brightness from screen to screen: 188 is half the light of 255. */
static void a_color_is_multiplied_with_it_as_light_is(void **unused)
{
    (void)unused;
    uint8_t white[4][3], grey[4][3];
    double  a[3], b[3], c[3];
    memset(white, 255, sizeof white);
    memset(grey, 188, sizeof grey);
    assert_true(draw_picture_write("w.png", white[0], 2, 2, NULL));
    mean_of("", a);
    mean_of(", \"color\": \"#bcbcbc\"", b);
    assert_true(draw_picture_write("w.png", grey[0], 2, 2, NULL));
    mean_of("", c);
    assert_true(a[0] > b[0] + 20 && a[0] - a[2] < 40);
    for (int k = 0; k < 3; k++) assert_true(c[k] - b[k] <= 5 && b[k] - c[k] <= 5);
    mean_of(", \"color\": \"#f00\"", b);
    assert_true(b[0] > 2 * b[1] && b[0] > 2 * b[2]);
}

/* A roof over a round vault, each quad with the whole picture on it. */
static void write_vault(void)
{
    FILE *f = fopen("vault.obj", "wb");
    assert_non_null(f);
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 9; i++) {
            const float angle = 3.14159265f * (float)i / 8;
            fprintf(f, "v %.9g %.9g %d\n", (double)cosf(angle), (double)sinf(angle), j);
        }
    for (int j = 0; j < 2; j++) fprintf(f, "v 1 -1 %d\n", j); /* an edge, where the wall begins aside */
    for (int j = 0; j < 2; j++) fprintf(f, "v 2 0 %d\n", j);
    fprintf(f, "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n");
    for (int i = 1; i < 9; i++) fprintf(f, "f %d/1 %d/2 %d/3 %d/4\n", i, i + 1, i + 10, i + 9);
    fprintf(f, "f 1/1 10/2 22/3 21/4\n");
    fclose(f);
}

static void seams_of_a_texture_are_no_edges(void **unused)
{
    (void)unused;
    static uint8_t before[PIXELS][3];
    uint8_t        white[4][3];
    int            most = 0, least = 255;
    memset(white, 255, sizeof white);
    assert_true(draw_picture_write("w.png", white[0], 2, 2, NULL));
    write_vault();
    paint("{\"type\": \"cloth\", \"mesh\": \"vault.obj\", \"look\": {\"color\": \"#fff\"}}", "1,3,4:0,0.5,0.5:40", 0);
    memcpy(before, rgb, sizeof before);
    paint("{\"type\": \"cloth\", \"mesh\": \"vault.obj\", \"look\": {\"texture\": \"w.png\"}}", "1,3,4:0,0.5,0.5:40", 0);
    for (int i = 0; i < PIXELS; i++)
        for (int k = 0; k < 3; k++) {
            if (abs(rgb[i][k] - before[i][k]) > 1) fail_msg("pixel %d, %d: %d, not %d", i % WIDTH, i / WIDTH, rgb[i][k], before[i][k]);
            most = rgb[i][k] > most ? rgb[i][k] : most;
            least = rgb[i][k] < least ? rgb[i][k] : least;
        }
    assert_true(most > least + 60);
}

/* Strain is seen, and not the picture below it. */
static void strain_hides_the_texture(void **unused)
{
    (void)unused;
    write_quarters("q.png");
    paint("{\"type\": \"cloth\", \"cells\": [3, 3], " LOOK "}", "0,2,0.001:0,0,0:40", DRAW_STRAIN);
    assert_quarters("strain", "....");
}

static void what_is_no_whole_picture_is_one_line_where_it_is_drawn(void **unused)
{
    (void)unused;
    size_t size;
    write_quarters("whole.png");
    char         *bytes = read_whole("whole.png", &size);
    draw_subject *subject;
    pliant_error  error = {0};
    write_bytes("q.png", bytes, size / 2);
    pliant_model *model =
        model_of("{\"type\": \"cloth\", \"name\": \"sail\", \"cells\": [1, 1], " LOOK "}"); /* which is read all the same */
    assert_null(painter_of(model, &subject, &error));
    assert_int_equal(error.code, PLIANT_ERROR_INPUT);
    assert_non_null(strstr(error.message, "the texture of body \"sail\" is no whole PNG: "));
    assert_null(strchr(error.message, '\n'));
    draw_subject_destroy(subject);
    pliant_model_destroy(model);
    free(bytes);
}

/* Along the middle of a rope across the picture: how often it goes over from one shade into the other. */
static int changes_along(const char *look)
{
    char body[300];
    int  count = 0;
    snprintf(body, sizeof body,
             "{\"type\": \"rope\", \"from\": [-1, 0, 0], \"to\": [1, 0, 0], \"segments\": 7, \"thickness\": 0.1, \"look\": {\"color\": "
             "\"#c22\"%s}}",
             look);
    paint(body, "0,0,4:0,0,0:20", 0);
    for (int x = 60; x < 260; x++) count += (rgb[90 * WIDTH + x][1] > 110) != (rgb[90 * WIDTH + x + 1][1] > 110);
    return count;
}

static void ropes_have_bands(void **unused)
{
    (void)unused;
    const int plain = changes_along(""), fine = changes_along(", \"pattern\": \"stripes\", \"pattern_size\": 0.1"),
              coarse = changes_along(", \"pattern\": \"stripes\", \"pattern_size\": 0.2"),
              fifth = changes_along(", \"pattern\": \"stripes\"");
    if (!(plain == 0 && abs(fine - 2 * coarse) <= 2 && coarse >= 14 && coarse <= 18 && abs(coarse - 2 * fifth) <= 2))
        fail_msg("%d %d %d %d", plain, fine, coarse, fifth);
    paint("{\"type\": \"rope\", \"from\": [0, -1, 0], \"to\": [0, 1, 0], \"segments\": 7, \"thickness\": 0.1, \"look\": {\"color\": "
          "\"#c22\", "
          "\"pattern\": \"stripes\"}}",
          "0,0,4:0,0,0:20", 0);
    for (int y = 60; y < 120; y++) /* the bands go across: at one height there is one shade */
        assert_int_equal(rgb[y * WIDTH + WIDTH / 2 - 2][1] > 110, rgb[y * WIDTH + WIDTH / 2 + 2][1] > 110);
}

/* Seen from the side where the angle about a rope begins anew, a pattern has no line along it that is lighter than what lies beside it. */
static void a_pattern_has_no_seam_along_a_rope(void **unused)
{
    (void)unused;
    paint("{\"type\": \"rope\", \"from\": [-1, 0, 0], \"to\": [1, 0, 0], \"segments\": 30, \"thickness\": 0.1, \"look\": {\"color\": "
          "\"#c22\", "
          "\"pattern\": \"weave\"}}",
          "0,0.1,0.9:0,0,0:20", 0);
    int on = 0;
    for (int y = 40; y < 140; y++)
        for (int x = 60; x < 260; x++) {
            const int above = rgb[(y - 2) * WIDTH + x][0], here = rgb[y * WIDTH + x][0], below = rgb[(y + 2) * WIDTH + x][0];
            on += here > 2 * rgb[y * WIDTH + x][2];
            if (here > above + 20 && here > below + 20) fail_msg("%d %d: %d between %d and %d", x, y, here, above, below);
        }
    assert_true(on > 3000);
}

static int set_up(void **state) { return enter_folder(state) || open_offscreen(state); }
static int tear_down(void **state) { return close_offscreen(state) || remove_folder(state); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pixel_of_the_texture_is_where_its_corner_is),
        cmocka_unit_test(a_seam_shows_each_side_its_own),
        cmocka_unit_test(a_color_is_multiplied_with_it_as_light_is),
        cmocka_unit_test(seams_of_a_texture_are_no_edges),
        cmocka_unit_test(strain_hides_the_texture),
        cmocka_unit_test(what_is_no_whole_picture_is_one_line_where_it_is_drawn),
        cmocka_unit_test(ropes_have_bands),
        cmocka_unit_test(a_pattern_has_no_seam_along_a_rope),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
