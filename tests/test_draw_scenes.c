/* Laws of pictures of scenes: a body's colour is where the body is and nowhere else; what moves changes the picture; every overlay shows; a
 * frame of a cache is the frame of the run; every way to OpenGL draws the same. */
#define _POSIX_C_SOURCE 200809L /* glob */
#include "draw/film.h"
#include "draw/painter.h"
#include "draw/picture.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "more.h"
#include "offscreen.h"

enum { WIDTH = 320, HEIGHT = 180, PIXELS = WIDTH * HEIGHT };

typedef struct picture {
    uint8_t rgb[PIXELS][3];
} picture;

/* A scene, what steps it, and what draws it. */
typedef struct rig {
    pliant_scene_file file;
    pliant_model     *model;
    pliant_solver    *solver;
    pliant_state     *state;
    pliant_inputs    *inputs;
    draw_subject     *subject;
    draw_painter     *painter;
    draw_frame        frame;
    draw_view         view;
} rig;

static rig rig_of(const char *path)
{
    rig          r;
    pliant_error error = {0};
    memset(&r, 0, sizeof r);
    bool ok = pliant_scene_read(path, NULL, &r.file, &error) == PLIANT_OK;
    if (!ok) print_error("%s:%d: %s\n", error.path, error.line, error.message);
    assert_true(ok);
    r.model = pliant_scene_compile(r.file.scene, NULL);
    r.solver = pliant_solver_create(r.model, NULL, NULL);
    r.state = pliant_state_create(r.model, NULL);
    r.inputs = pliant_inputs_create(r.model, NULL);
    r.subject = draw_subject_create(r.model, &error);
    r.painter = draw_painter_create(r.subject, &error);
    if (!r.painter) print_error("%s\n", error.message);
    assert_non_null(r.painter);
    r.view = (draw_view){.width = WIDTH, .height = HEIGHT, .stage = draw_bounds_empty()};
    return r;
}

static void rig_end(rig *r)
{
    draw_painter_destroy(r->painter);
    draw_subject_destroy(r->subject);
    draw_frame_free(&r->frame);
    pliant_inputs_destroy(r->inputs);
    pliant_state_destroy(r->state);
    pliant_solver_destroy(r->solver);
    pliant_model_destroy(r->model);
    pliant_scene_destroy(r->file.scene);
}

static void run(rig *r, uint32_t frames)
{
    while (frames--) {
        assert_int_equal(pliant_inputs_reset(r->inputs, 1 / r->file.fps), PLIANT_OK);
        assert_int_equal(pliant_solver_step(r->solver, r->state, r->inputs), PLIANT_OK);
    }
}

static void look(rig *r, uint32_t show)
{
    const draw_source source = {.state = r->state, .solver = r->solver, .show = show};
    assert_true(draw_frame_fill(&r->frame, r->subject, &source, NULL));
}

static void fit(rig *r)
{
    r->view.stage = r->frame.all;
    r->view.camera = draw_camera_fit(&r->frame.all, (float)WIDTH / HEIGHT, NULL);
}

static void paint(rig *r, picture *out)
{
    pliant_error error = {0};
    bool         ok = draw_painter_paint(r->painter, &r->frame, &r->view, &error);
    if (!ok) print_error("%s\n", error.message);
    assert_true(ok);
    draw_painter_read(r->painter, out->rgb[0]);
}

static uint32_t differing(const picture *a, const picture *b, int by)
{
    uint32_t n = 0;
    for (int i = 0; i < PIXELS; i++) {
        bool differs = false;
        for (int c = 0; c < 3; c++) differs |= abs(a->rgb[i][c] - b->rgb[i][c]) > by;
        n += differs;
    }
    return n;
}

/* ---- colours ---- */

#define MOST_COLOURS 100u /* bodies of a scene, of which each is looked for by its colour */

/* Hue in [0, 6) and saturation. Light and shade change neither much. */
static float hue(const uint8_t *c, float *saturation)
{
    float r = c[0], g = c[1], b = c[2], most = fmaxf(r, fmaxf(g, b)), least = fminf(r, fminf(g, b)), span = most - least;
    *saturation = most > 0 ? span / most : 0;
    if (span <= 0) return 0;
    if (most == r) return fmodf((g - b) / span + 6, 6);
    return most == g ? (b - r) / span + 2 : (r - g) / span + 4;
}

static bool has_colour(const uint8_t *pixel, draw_colour colour)
{
    const uint8_t want[3] = {colour.r, colour.g, colour.b};
    float         a, b, apart = fabsf(hue(pixel, &a) - hue(want, &b));
    return a > 0.75f * b && fminf(apart, 6 - apart) < 0.18f;
}

typedef struct box {
    int left, top, right, bottom;
} box;

static void box_add(box *b, const rig *r, const m4 *m, f3 p, float radius)
{
    float x, y, around = radius / f3_length(f3_sub(p, r->view.camera.eye)) * HEIGHT * 2 + 2;
    assert_true(m4_project(m, p, &x, &y));
    float column = (x * 0.5f + 0.5f) * WIDTH, row = (0.5f - y * 0.5f) * HEIGHT;
    b->left = (int)fminf((float)b->left, column - around);
    b->right = (int)fmaxf((float)b->right, column + around);
    b->top = (int)fminf((float)b->top, row - around);
    b->bottom = (int)fmaxf((float)b->bottom, row + around);
}

/* Where a body is on the picture, by public calls alone. */
static box project(const rig *r, const draw_body *body)
{
    box          b = {WIDTH, HEIGHT, 0, 0};
    f3           middle = draw_bounds_center(&r->frame.all);
    m4           m = draw_camera_matrix(&r->view.camera, (float)WIDTH / HEIGHT, middle, 10 * draw_bounds_radius(&r->frame.all));
    uint32_t     n = body->info.surface_vertex_count;
    pliant_vec3 *x = calloc(n + 1u, sizeof *x);
    assert_int_equal(pliant_state_write_positions(r->state, body->info.body, x, sizeof *x), PLIANT_OK);
    for (uint32_t v = 0; v < n; v++) box_add(&b, r, &m, f3_from(x[v]), body->vertex_count ? 0 : body->radius);
    free(x);
    return b;
}

static uint32_t count_colour(const picture *p, draw_colour colour, const box *inside, uint32_t *outside)
{
    uint32_t n = 0;
    *outside = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            if (!has_colour(p->rgb[y * WIDTH + x], colour)) continue;
            if (x >= inside->left && x <= inside->right && y >= inside->top && y <= inside->bottom)
                n++;
            else
                ++*outside;
        }
    return n;
}

/* Of a body with a texture: pixels where it is that are of any colour; floor, sky and colliders are nearly grey. */
static uint32_t count_coloured(const picture *p, const box *inside)
{
    uint32_t n = 0;
    float    saturation;
    for (int y = inside->top < 0 ? 0 : inside->top; y <= inside->bottom && y < HEIGHT; y++)
        for (int x = inside->left < 0 ? 0 : inside->left; x <= inside->right && x < WIDTH; x++) {
            hue(p->rgb[y * WIDTH + x], &saturation);
            n += saturation > 0.35f;
        }
    return n;
}

/* Where there are more bodies than colours, and bodies in front of each other, a colour says nothing of one. */
static bool colours_are_where_bodies_are(const rig *r, const picture *p, const char *name)
{
    bool good = true;
    if (r->subject->body_count > MOST_COLOURS) return true;
    for (uint32_t i = 0; i < r->subject->body_count; i++) {
        const draw_body *body = &r->subject->bodies[i];
        box              b = project(r, body);
        uint32_t         outside, inside = count_colour(p, body->colour, &b, &outside), least = body->vertex_count ? 40 : 4;
        if (body->textured) inside = count_coloured(p, &b), outside = 0;
        if (inside >= least && outside == 0) continue;
        print_error("%s: %s: %u pixels of its colour where it is, %u elsewhere\n", name, body->info.name, inside, outside);
        good = false;
    }
    return good;
}

/* At the start, and with `moves` 30 frames later, too. */
static bool picture_of(const char *path, bool moves)
{
    static picture first, later;
    const char    *name = strrchr(path, '/') + 1;
    rig            r = rig_of(path);
    look(&r, 0);
    fit(&r);
    paint(&r, &first);
    bool good = colours_are_where_bodies_are(&r, &first, name);
    if (!moves) {
        rig_end(&r);
        return good;
    }
    run(&r, 30);
    look(&r, 0);
    paint(&r, &later); /* from where the first was seen */
    if (differing(&first, &later, 8) < 30) {
        print_error("%s: frame 30 looks like frame 0\n", name);
        good = false;
    }
    fit(&r);
    paint(&r, &later);
    good &= colours_are_where_bodies_are(&r, &later, name);
    rig_end(&r);
    return good;
}

static void every_scene_shows_its_bodies_where_they_are(void **unused)
{
    glob_t found;
    bool   good = true;
    (void)unused;
    assert_int_equal(glob(PLIANT_SOURCE_DIR "/scenes/*.json", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) good &= picture_of(found.gl_pathv[i], (i + this_turn()) % 2 == 0 || takes_its_time());
    assert_true(found.gl_pathc >= 8);
    globfree(&found);
    assert_true(good);
}

/* ---- overlays ---- */

static uint32_t count_near(const picture *p, int r, int g, int b)
{
    uint32_t n = 0;
    for (int i = 0; i < PIXELS; i++) n += abs(p->rgb[i][0] - r) < 30 && abs(p->rgb[i][1] - g) < 30 && abs(p->rgb[i][2] - b) < 30;
    return n;
}

static void overlays_show_what_they_say(void **unused)
{
    static picture bare, p;
    rig            r = rig_of(PLIANT_SOURCE_DIR "/scenes/net.json");
    (void)unused;
    run(&r, 45);
    look(&r, 0);
    fit(&r);
    paint(&r, &bare);
    for (uint32_t i = 0; draw_overlay_name(i); i++) {
        look(&r, 1u << i);
        paint(&r, &p);
        if (differing(&bare, &p, 20) < 100) print_error("%s shows nothing\n", draw_overlay_name(i));
        assert_true(differing(&bare, &p, 20) >= 100);
        look(&r, 0);
        paint(&r, &p);
        assert_int_equal(differing(&bare, &p, 0), 0); /* and goes again */
    }
    look(&r, DRAW_CONTACTS);
    assert_true(pliant_solver_contacts(r.solver, NULL, 0) > 0);
    assert_int_equal(r.frame.line_count, 6 * pliant_solver_contacts(r.solver, NULL, 0));
    look(&r, DRAW_STRAIN);
    paint(&r, &p);
    assert_true(count_near(&p, 250, 250, 250) > 150); /* the legend's paper */
    assert_true(r.frame.strain_most - r.frame.strain_least >= 0.05f);
    look(&r, DRAW_CONSTRAINT_COLOURS);
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < r.subject->row_count; i++) pairs += r.subject->rows[i].count * (r.subject->rows[i].count - 1);
    assert_int_equal(r.frame.line_count, pairs);
    rig_end(&r);
}

/* Contacts with colliders and of bodies with each other, their forces, and all pairs: each has its lines, and goes where they are. */
static void marks_are_those_of_the_solver(void **unused)
{
    static const char *const scenes[] = {PLIANT_SOURCE_DIR "/scenes/folded.json", PLIANT_SOURCE_DIR "/scenes/stack.json"};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        static picture bare, p;
        rig            r = rig_of(scenes[i]);
        run(&r, 100);
        const uint32_t touching = pliant_solver_contacts(r.solver, NULL, 0), pushing = pliant_solver_pair_contacts(r.solver, NULL, 0),
                       pairs = pliant_solver_near_pairs(r.solver, r.state, NULL, 0);
        assert_true(touching > 10 && pushing > 10 && pairs > pushing);
        look(&r, 0);
        fit(&r);
        paint(&r, &bare);
        look(&r, DRAW_CONTACTS);
        assert_int_equal(r.frame.line_count, 6 * (touching + pushing));
        look(&r, DRAW_NORMALS);
        assert_int_equal(r.frame.line_count, 2 * touching + 4 * pushing);
        assert_true(r.frame.force_most > 0);
        paint(&r, &p);
        assert_true(differing(&bare, &p, 20) > 300);
        look(&r, DRAW_PAIRS);
        assert_int_equal(r.frame.line_count, 2 * pairs);
        assert_int_equal(r.frame.pair_count, pairs);
        const draw_line_end *end = (const draw_line_end *)(const void *)(r.frame.block + r.frame.lines_at);
        for (uint32_t k = 0; k < 2 * pairs; k += 2) { /* none is further than what is looked for, or outside of everything */
            assert_true(f3_length(f3_sub(end[k].x, end[k + 1].x)) < 0.2f);
            for (uint32_t side = k; side < k + 2; side++) {
                const f3 low = f3_sub(end[side].x, r.frame.all.low), high = f3_sub(r.frame.all.high, end[side].x);
                assert_true(low.x >= -1e-4f && low.y >= -1e-4f && low.z >= -1e-4f);
                assert_true(high.x >= -1e-4f && high.y >= -1e-4f && high.z >= -1e-4f);
            }
        }
        paint(&r, &p);
        assert_true(differing(&bare, &p, 20) > 300);
        look(&r, DRAW_CONTACTS | DRAW_NORMALS | DRAW_PAIRS);
        assert_int_equal(r.frame.line_count, 8 * touching + 10 * pushing + 2 * pairs);
        rig_end(&r);
    }
}

/* Blown up to 110 %, of whatever constraints it is: its colour is that of the end of the scale, and the back of it is the darker one. */
static void strain_has_the_colour_of_the_scale(void **unused)
{
    static const char *const bodies[] = {
        "\"type\": \"cloth\", \"cells\": [2, 2]",
        "\"type\": \"cloth\", \"cells\": [2, 2], \"model\": \"strain\", \"material\": \"silk\"",
        "\"type\": \"cloth\", \"cells\": [2, 2], \"model\": \"stvk\", \"material\": \"silk\", \"tear\": {\"stretch\": 2}",
        "\"type\": \"soft\", \"cells\": [2, 2, 2], \"model\": \"neo_hookean\"",
        "\"type\": \"soft\", \"cells\": [2, 2, 2], \"model\": \"corotated\"",
        "\"type\": \"soft\", \"cells\": [2, 2, 2], \"model\": \"stvk\"",
        "\"type\": \"soft\", \"cells\": [2, 2, 2], \"model\": \"strain\"",
    };
    static picture p;
    (void)unused;
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        char         text[256];
        pliant_vec3  x[64];
        pliant_error error = {PLIANT_OK, 0, "", ""};
        rig          r;
        memset(&r, 0, sizeof r);
        const bool soft = strstr(bodies[k], "soft") != NULL;
        const int  size = snprintf(text, sizeof text, "{\"pliant\": 1, \"bodies\": [{%s, \"name\": \"c\", \"size\": [1, 1%s]}]}", bodies[k],
                                  soft ? ", 1" : "");
        if (pliant_scene_read_text(text, (size_t)size, "text", NULL, NULL, &r.file, &error) != PLIANT_OK)
            fail_msg("%s: %s", text, error.message);
        r.model = pliant_scene_compile(r.file.scene, NULL);
        r.state = pliant_state_create(r.model, NULL);
        r.subject = draw_subject_create(r.model, NULL);
        r.painter = draw_painter_create(r.subject, NULL);
        const pliant_body_info body = pliant_model_body_at(r.model, 0);
        const uint32_t         count = body.vertex_count - body.spare_count;
        assert_true(count <= 64);
        assert_int_equal(pliant_state_positions(r.state, body.body, 0, count, x), PLIANT_OK);
        for (uint32_t i = 0; i < count; i++) x[i].x *= (pliant_real)1.1, x[i].y *= (pliant_real)1.1, x[i].z *= (pliant_real)1.1;
        assert_int_equal(pliant_state_set_positions(r.state, body.body, 0, count, x), PLIANT_OK);
        look(&r, DRAW_STRAIN);
        if (fabsf(r.frame.strain_most - 0.1f) > 1e-4f) fail_msg("%s: %g", text, (double)r.frame.strain_most);
        const draw_vertex *v = (const draw_vertex *)(const void *)(r.frame.block + r.frame.vertices_at);
        const draw_colour  end = draw_strain_colour(1);
        for (uint32_t i = 0; i < count && !soft; i++) assert_memory_equal(&v[i].tint, &end, sizeof end);
        const f3 above = {0, 1, 0.001f};
        r.view = (draw_view){.width = WIDTH, .height = HEIGHT, .stage = r.frame.all};
        r.view.camera = draw_camera_fit(&r.frame.all, (float)WIDTH / HEIGHT, &above);
        paint(&r, &p);
        assert_true(has_colour(p.rgb[HEIGHT / 2 * WIDTH + WIDTH / 2], end));
        rig_end(&r);
    }
}

/* A bar of tetrahedra that is cut in two, with its halves apart, is not strained, and constraints that the user adds have no face. */
static void strain_of_what_is_torn_is_that_of_its_parts(void **unused)
{
    static const char *const texts[] = {
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"soft\", \"name\": \"c\", \"cells\": [1, 4, 1], \"size\": [0.25, 1, 0.25], \"model\": "
        "\"neo_hookean\", "
        "\"tear\": {\"stretch\": 2, \"spare\": 2}}]}",
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"c\", \"cells\": [4, 4], \"size\": [1, 1], \"rotation\": {\"axis\": "
        "[1, 0, 0], "
        "\"angle\": 90}, \"model\": \"strain\", \"material\": \"silk\", \"tear\": {\"stretch\": 2, \"spare\": 2}, \"constraints\": "
        "[{\"kind\": "
        "\"triangle_strain\", \"ids\": [0, 1, 6]}]}]}",
    };
    (void)unused;
    for (size_t k = 0; k < 2; k++) {
        pliant_error error = {PLIANT_OK, 0, "", ""};
        rig          r;
        memset(&r, 0, sizeof r);
        if (pliant_scene_read_text(texts[k], strlen(texts[k]), "text", NULL, NULL, &r.file, &error) != PLIANT_OK)
            fail_msg("%s", error.message);
        r.model = pliant_scene_compile(r.file.scene, NULL);
        r.state = pliant_state_create(r.model, NULL);
        r.subject = draw_subject_create(r.model, NULL);
        r.painter = draw_painter_create(r.subject, NULL);
        const pliant_body_info body = pliant_model_body_at(r.model, 0);
        pliant_vec3            x[256], blade[3] = {{-50, 0, -50}, {50, 0, -50}, {0, 0, 100}};
        assert_true(body.vertex_count <= 256);
        assert_true(pliant_state_cut(r.state, body.body, blade) > 0);
        assert_int_equal(pliant_state_positions(r.state, body.body, 0, body.vertex_count, x), PLIANT_OK);
        const uint32_t *face = pliant_state_faces(r.state, body.body);
        bool            upper[256] = {false};
        for (uint32_t f = 0; 3 * f + 2 < body.face_index_count; f++) { /* corners of a face are of one part */
            double middle = 0;
            for (int c = 0; c < 3; c++) middle += (double)x[face[3 * f + (uint32_t)c]].y;
            for (int c = 0; c < 3; c++) upper[face[3 * f + (uint32_t)c]] |= middle > 1e-3;
        }
        for (uint32_t v = 0; v < body.vertex_count; v++) x[v].y += upper[v] ? 1 : 0;
        assert_int_equal(pliant_state_set_positions(r.state, body.body, 0, body.vertex_count, x), PLIANT_OK);
        look(&r, DRAW_STRAIN);
        if (fabsf(r.frame.strain_most) > 1e-4f || fabsf(r.frame.strain_least) > 1e-4f)
            fail_msg("%zu: strain from %g to %g", k, (double)r.frame.strain_least, (double)r.frame.strain_most);
        rig_end(&r);
    }
}

/* ---- cameras ---- */

static void a_fitted_camera_sees_everything_and_no_more_than_it_must(void **unused)
{
    static const float shapes[][3] = {{1, 1, 1}, {5, 0.1f, 0.1f}, {0.1f, 5, 0.1f}, {0.1f, 0.1f, 5}, {3, 0, 2}, {0, 0, 0}, {1e-3f, 1e3f, 1}};
    (void)unused;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int wide = 0; wide < 2; wide++) {
            const float *s = shapes[i], aspect = wide ? 16.0f / 9 : 0.6f;
            draw_bounds  b = {{3 - s[0], -s[1], 7 - s[2]}, {3 + s[0], s[1], 7 + s[2]}};
            draw_camera  c = draw_camera_fit(&b, aspect, NULL);
            m4           m = draw_camera_matrix(&c, aspect, draw_bounds_center(&b), draw_bounds_radius(&b));
            float        most = 0;
            for (int k = 0; k < 8; k++) {
                float x, y;
                assert_true(
                    m4_project(&m, f3_of(k & 1 ? b.high.x : b.low.x, k & 2 ? b.high.y : b.low.y, k & 4 ? b.high.z : b.low.z), &x, &y));
                most = fmaxf(most, fmaxf(fabsf(x), fabsf(y)));
            }
            assert_true(most < 1.0f);
            assert_true(most > 0.75f || f3_length(f3_sub(b.high, b.low)) == 0);
        }
}

static void a_camera_is_printed_as_it_is_read(void **unused)
{
    static const char *const bad[] = {"",
                                      "1",
                                      "1,2,3",
                                      "1,2,3:4,5",
                                      "1,2,3:4,5,6:",
                                      "1,2,3:4,5,6:0",
                                      "1,2,3:1,2,3",
                                      "a,2,3:4,5,6",
                                      "1,2,3:4,5,6:35:1",
                                      "nan,2,3:4,5,6",
                                      "1;2;3:4,5,6"};
    draw_camera              c = {{1.5f, -2, 3}, {0, 0.25f, 1e-3f}, 42}, back;
    char                     text[200];
    (void)unused;
    draw_camera_print(&c, text, sizeof text);
    assert_true(draw_camera_parse(text, &back));
    assert_memory_equal(&c, &back, sizeof c);
    assert_true(draw_camera_parse("1,2,3:4,5,6", &back));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(draw_camera_parse(bad[i], &back));
}

static void orbits_keep_the_distance_and_pans_the_view(void **unused)
{
    draw_camera c = {{0, 1, 5}, {0, 1, 0}, 35}, d = c;
    (void)unused;
    for (int i = 0; i < 50; i++) draw_camera_orbit(&d, 0.3f, 0.2f); /* it stops short of the pole */
    assert_true(fabsf(f3_length(f3_sub(d.eye, d.target)) - 5) < 1e-3f);
    assert_true(d.eye.y < 6 && d.eye.y > 5.9f);
    d = c;
    draw_camera_pan(&d, 0.5f, 0);
    assert_true(d.eye.x > 0 && fabsf(d.eye.x - d.target.x) < 1e-5f && fabsf(d.eye.y - c.eye.y) < 1e-5f);
    f3 ahead = draw_camera_ray(&c, 1, 0, 0);
    assert_true(fabsf(ahead.z + 1) < 1e-6f);
    d = c;
    draw_camera_zoom(&d, 0.5f);
    assert_true(fabsf(d.eye.z - 2.5f) < 1e-5f);
}

/* ---- what must not matter ---- */

/* EGL and OSMesa are one rasteriser here; a card's may differ at edges. */
static void every_way_to_opengl_draws_the_same(void **unused)
{
    static const char *const ways[] = {"egl-device", "egl-surfaceless", "osmesa"};
    static picture           p[3];
    int                      n = 0;
    (void)unused;
    close_offscreen(NULL);
    for (int i = 0; i < 3; i++) {
        pliant_error error = {0};
        offscreen = draw_offscreen_create(ways[i], &error);
        if (!offscreen) {
            print_message("%s\n", error.message);
            continue;
        }
        rig r = rig_of(PLIANT_SOURCE_DIR "/scenes/demo.json");
        run(&r, 30);
        look(&r, DRAW_STRAIN | DRAW_WIREFRAME);
        fit(&r);
        paint(&r, &p[n++]);
        rig_end(&r);
        close_offscreen(NULL);
    }
    assert_true(n >= 1);
    for (int i = 1; i < n; i++) assert_true(differing(&p[0], &p[i], 16) < PIXELS / 50);
    assert_int_equal(open_offscreen(NULL), 0);
}

static void a_picture_too_large_is_an_error(void **unused)
{
    rig          r = rig_of(PLIANT_SOURCE_DIR "/scenes/chain.json");
    pliant_error error = {0};
    (void)unused;
    look(&r, 0);
    fit(&r);
    r.view.width = r.view.height = 1000000;
    assert_false(draw_painter_paint(r.painter, &r.frame, &r.view, &error));
    assert_int_equal(error.code, PLIANT_ERROR_UNAVAILABLE);
    static picture p;
    r.view.width = WIDTH, r.view.height = HEIGHT;
    paint(&r, &p); /* and nothing is lost */
    rig_end(&r);
}

/* A body of the size of nothing, one that is gone far away, and none at all. */
static void odd_scenes_are_drawn(void **unused)
{
    static const char *const texts[] = {
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"particles\", \"particles\": [{\"x\": [0, 0, 0]}]}]}",
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"particles\", \"particles\": [{\"x\": [1e8, 0, 0]}, {\"x\": [-1e8, 0, 0]}]}]}",
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"particles\", \"particles\": [{\"x\": [0, 0, 0]}, {\"x\": [0, 0, 0]}], \"constraints\": "
        "[{\"kind\": \"distance\", \"ids\": [0, 1], \"rest\": 0}]}], \"colliders\": [{\"type\": \"plane\", \"normal\": [1, 0, 0]}, "
        "{\"type\": \"plane\"}, {\"type\": \"capsule\", \"radius\": 1, \"half_height\": 2}]}",
    };
    static picture p;
    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        rig r;
        memset(&r, 0, sizeof r);
        assert_int_equal(pliant_scene_read_text(texts[i], strlen(texts[i]), "text", NULL, NULL, &r.file, NULL), PLIANT_OK);
        r.model = pliant_scene_compile(r.file.scene, NULL);
        r.state = pliant_state_create(r.model, NULL);
        r.subject = draw_subject_create(r.model, NULL);
        r.painter = draw_painter_create(r.subject, NULL);
        r.view = (draw_view){.width = WIDTH, .height = HEIGHT, .stage = draw_bounds_empty()};
        look(&r, 31);
        fit(&r);
        paint(&r, &p);
        rig_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_shows_its_bodies_where_they_are),
        cmocka_unit_test(overlays_show_what_they_say),
        cmocka_unit_test(marks_are_those_of_the_solver),
        cmocka_unit_test(strain_has_the_colour_of_the_scale),
        cmocka_unit_test(strain_of_what_is_torn_is_that_of_its_parts),
        cmocka_unit_test(a_fitted_camera_sees_everything_and_no_more_than_it_must),
        cmocka_unit_test(a_camera_is_printed_as_it_is_read),
        cmocka_unit_test(orbits_keep_the_distance_and_pans_the_view),
        cmocka_unit_test(every_way_to_opengl_draws_the_same),
        cmocka_unit_test(a_picture_too_large_is_an_error),
        cmocka_unit_test(odd_scenes_are_drawn),
    };
    return cmocka_run_group_tests(tests, open_offscreen, close_offscreen);
}
