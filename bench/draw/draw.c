/* The time of a picture: a cloth of N x N drawn by the painter, against a bare draw of the same buffers at the same sampling (one upload, one program
 * that only transforms, one colour, the samples resolved). Both are timed in turn, to the last pixel; medians and their ratio. */
#include "draw/gl.h"
#include "draw/offscreen.h"
#include "draw/painter.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1280, HEIGHT = 720, SAMPLES = 4, MOST_ROUNDS = 101 };

typedef struct bare {
    GLuint program, block, indices, array, target, colour, depth, plain, plain_colour;
    GLint  picture;
} bare;

static GLuint shader(GLenum type, const char *text)
{
    GLuint s = glCreateShader(type);
    glShaderSource(s, 1, &text, NULL);
    glCompileShader(s);
    return s;
}

static bare make_bare(const draw_subject *s)
{
    bare b;
    b.program = glCreateProgram();
    glAttachShader(b.program, shader(GL_VERTEX_SHADER, "#version 330 core\nlayout(location = 0) in vec3 a_x;\nuniform mat4 u_picture;\n"
                                                       "void main() { gl_Position = u_picture * vec4(a_x, 1.0); }\n"));
    glAttachShader(b.program,
                   shader(GL_FRAGMENT_SHADER, "#version 330 core\nout vec4 o;\nvoid main() { o = vec4(0.8, 0.3, 0.2, 1.0); }\n"));
    glLinkProgram(b.program);
    b.picture = glGetUniformLocation(b.program, "u_picture");
    glGenBuffers(1, &b.block);
    glGenBuffers(1, &b.indices);
    glGenVertexArrays(1, &b.array);
    glBindVertexArray(b.array);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, b.indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(s->index_count * sizeof(uint32_t)), s->indices, GL_STATIC_DRAW);
    glGenFramebuffers(1, &b.plain);
    glGenRenderbuffers(1, &b.plain_colour);
    glBindRenderbuffer(GL_RENDERBUFFER, b.plain_colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_SRGB8_ALPHA8, WIDTH, HEIGHT);
    glBindFramebuffer(GL_FRAMEBUFFER, b.plain);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, b.plain_colour);
    glGenFramebuffers(1, &b.target);
    glGenRenderbuffers(1, &b.colour);
    glGenRenderbuffers(1, &b.depth);
    glBindRenderbuffer(GL_RENDERBUFFER, b.colour);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, SAMPLES, GL_SRGB8_ALPHA8, WIDTH, HEIGHT);
    glBindRenderbuffer(GL_RENDERBUFFER, b.depth);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, SAMPLES, GL_DEPTH_COMPONENT24, WIDTH, HEIGHT);
    glBindFramebuffer(GL_FRAMEBUFFER, b.target);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, b.colour);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, b.depth);
    return b;
}

static void draw_bare(const bare *b, const draw_subject *s, const draw_frame *f, const draw_view *view)
{
    m4 picture = draw_camera_matrix(&view->camera, (float)WIDTH / HEIGHT, draw_bounds_center(&f->all), 2 * draw_bounds_radius(&f->all));
    glBindFramebuffer(GL_FRAMEBUFFER, b->target);
    glViewport(0, 0, WIDTH, HEIGHT);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_FRAMEBUFFER_SRGB);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glBindVertexArray(b->array);
    glBindBuffer(GL_ARRAY_BUFFER, b->block);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)f->size, f->block, GL_STREAM_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(draw_vertex), NULL);
    glUseProgram(b->program);
    glUniformMatrix4fv(b->picture, 1, GL_FALSE, picture.m);
    for (uint32_t i = 0; i < s->body_count; i++)
        glDrawElements(GL_TRIANGLES, (GLsizei)s->bodies[i].triangles.count, GL_UNSIGNED_INT,
                       (const void *)(uintptr_t)(s->bodies[i].triangles.first * sizeof(uint32_t)));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, b->target);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, b->plain);
    glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glFinish();
}

/* A cloth of n x n quads, in waves, over a floor if wanted. */
static pliant_model *make_cloth(uint32_t n, bool floor_too)
{
    pliant_scene    *scene = pliant_scene_create(NULL, NULL);
    pliant_cloth_def def = pliant_cloth_def_default();
    def.cells_x = def.cells_z = n - 1;
    pliant_scene_add_cloth(scene, &def, NULL);
    if (floor_too) pliant_scene_add_floor(scene, -0.5f, NULL);
    pliant_model *model = pliant_scene_compile(scene, NULL);
    pliant_scene_destroy(scene);
    return model;
}

static void wave(pliant_state *state, uint32_t count)
{
    pliant_body  body = pliant_model_body_at(pliant_state_model(state), 0).body;
    pliant_vec3 *x = malloc(count * sizeof *x);
    if (!x) return;
    pliant_state_positions(state, body, 0, count, x);
    for (uint32_t i = 0; i < count; i++) x[i].y += (pliant_real)(0.06 * sin(9 * (double)x[i].x) * cos(7 * (double)x[i].z));
    pliant_state_set_positions(state, body, 0, count, x);
    free(x);
}

static bool compare(uint32_t n, bool floor_too, uint32_t rounds)
{
    pliant_error  error = {PLIANT_OK, 0, "", ""};
    pliant_model *model = make_cloth(n, floor_too);
    pliant_state *state = pliant_state_create(model, NULL);
    draw_subject *subject = draw_subject_create(model, &error);
    draw_painter *painter = subject ? draw_painter_create(subject, &error) : NULL;
    draw_frame    frame;
    double        painted[MOST_ROUNDS], plain[MOST_ROUNDS], filled[MOST_ROUNDS];
    if (!painter) return fprintf(stderr, "%s\n", error.message), false;
    memset(&frame, 0, sizeof frame);
    wave(state, n * n);
    const draw_source source = {.state = state};
    draw_frame_fill(&frame, subject, &source, NULL);
    draw_view view = {.width = WIDTH, .height = HEIGHT, .stage = frame.all};
    view.camera = draw_camera_fit(&frame.all, (float)WIDTH / HEIGHT, NULL);
    bare b = make_bare(subject);
    for (uint32_t i = 0; i < rounds; i++) {
        double start = processor_seconds();
        draw_frame_fill(&frame, subject, &source, NULL);
        double from = processor_seconds();
        if (!draw_painter_paint(painter, &frame, &view, &error)) return fprintf(stderr, "%s\n", error.message), false;
        glFinish();
        double middle = processor_seconds();
        draw_bare(&b, subject, &frame, &view);
        filled[i] = from - start, painted[i] = middle - from, plain[i] = processor_seconds() - middle;
    }
    const double paints = median(painted, rounds), plains = median(plain, rounds);
    printf("%4u x %-4u %-9s %9.2f %9.2f %9.2f %9.2f\n", n, n, floor_too ? "on floor" : "alone", 1e3 * median(filled, rounds), 1e3 * paints,
           1e3 * plains, paints / plains);
    draw_frame_free(&frame);
    draw_painter_destroy(painter);
    draw_subject_destroy(subject);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
    return true;
}

int main(int argc, char **argv)
{
    pliant_error    error = {PLIANT_OK, 0, "", ""};
    uint32_t        rounds = argc > 1 ? (uint32_t)atoi(argv[1]) : 31;
    draw_offscreen *offscreen = draw_offscreen_create(NULL, &error);
    if (!offscreen || rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "%s\n", offscreen ? "usage: pliant_bench_draw [ROUNDS]" : error.message);
        return offscreen ? 2 : 6;
    }
    printf("%s, %d x %d, %d samples; medians of %u in turn, ms of all processors\n", draw_offscreen_name(offscreen), WIDTH, HEIGHT, SAMPLES,
           rounds);
    printf("cloth       scene       frame   painter      bare     ratio\n");
    bool good = true;
    for (int i = 0; good && i < 6; i++) good = compare((const uint32_t[]){64, 256, 512}[i / 2], i % 2, rounds);
    draw_offscreen_destroy(offscreen);
    return good ? 0 : 1;
}
