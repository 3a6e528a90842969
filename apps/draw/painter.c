/* The passes of a picture. */
#include "draw/painter.h"

#include "draw/fail.h"
#include "draw/gl.h"
#include "draw/legend.h"
#include "draw/lights.h"
#include "draw/texture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUN_SIZE = 1024, SKY_SIZE = 512, FLOOR_SIZE = 192, SAMPLES = 4, MANY_TUBES = 2000, FINE_FROM = 40000, MOST_PASSES = 4 };
enum { SUN_UNIT, SKY_UNIT, FLOOR_UNIT, DRAWN_UNIT, TEXTURE_UNIT }; /* of textures */

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

/* Unit balls, from fine to coarse: how many corners around, how many rings to the pole, and how many between the halves, where they are the ends of
 * tubes: light is known at corners. */
enum { FINE, MIDDLE, COARSE, COARSEST, BALL_COUNT };
static const struct {
    uint32_t around, rings, between;
} ball_sizes[BALL_COUNT] = {{48, 13, 5}, {20, 5, 3}, {10, 3, 0}, {6, 2, 0}};

/* ---- programs ---- */

#define UNIFORMS(X) \
    X(picture)      \
    X(eye)          \
    X(middle)       \
    X(light)        \
    X(colour)       \
    X(look)         \
    X(pattern)      \
    X(parts)        \
    X(floor)        \
    X(near)         \
    X(suns)         \
    X(skies)        \
    X(bias)         \
    X(place)        \
    X(along)        \
    X(across)       \
    X(haze)         \
    X(zenith)       \
    X(extent)       \
    X(grid)         \
    X(drawn)        \
    X(texture)

enum {
#define X(name) U_##name,
    UNIFORMS(X)
#undef X
        UNIFORM_COUNT
};

typedef enum program_name {
    SURFACE,
    SURFACE_TINTED,
    FINE_SURFACE,
    FINE_SURFACE_TINTED,
    PATTERNED,
    TEXTURED,
    FACETS,
    SURFACE_DEPTH,
    EDGES,
    TUBE,
    TUBE_DEPTH,
    GROUND,
    FLOOR,
    SUM,
    SKY,
    LINE,
    PROGRAM_COUNT
} program_name;

extern const char draw_head_glsl[], draw_surface_vert[], draw_tube_vert[], draw_lit_frag[], draw_nothing_frag[], draw_ground_vert[],
    draw_ground_frag[], draw_whole_vert[], draw_floor_frag[], draw_sum_frag[], draw_sky_frag[], draw_line_vert[], draw_line_frag[],
    draw_plain_frag[];

static const struct {
    const char *name, *defines, *vertex, *fragment;
} program_texts[PROGRAM_COUNT] = {
    [SURFACE] = {"surface", "#define ROUND\n", draw_surface_vert, draw_lit_frag},
    [SURFACE_TINTED] = {"tinted surface", "#define ROUND\n#define TINT\n", draw_surface_vert, draw_lit_frag},
    [FINE_SURFACE] = {"fine surface", "#define FINE\n", draw_surface_vert, draw_lit_frag},
    [FINE_SURFACE_TINTED] = {"fine tinted surface", "#define FINE\n#define TINT\n", draw_surface_vert, draw_lit_frag},
    [PATTERNED] = {"pattern", "#define ROUND\n#define PATTERN\n", draw_surface_vert, draw_lit_frag},
    [TEXTURED] = {"texture", "#define ROUND\n#define TEXTURE\n", draw_surface_vert, draw_lit_frag},
    [FACETS] = {"facets", "", draw_surface_vert, draw_lit_frag},
    [SURFACE_DEPTH] = {"depth of surfaces", "#define BARE\n", draw_surface_vert, draw_nothing_frag},
    [EDGES] = {"edges", "#define BARE\n", draw_surface_vert, draw_plain_frag},
    [TUBE] = {"tubes", "#define TINT\n#define BANDS\n", draw_tube_vert, draw_lit_frag},
    [TUBE_DEPTH] = {"depth of tubes", "#define BARE\n", draw_tube_vert, draw_nothing_frag},
    [GROUND] = {"ground", "", draw_ground_vert, draw_ground_frag},
    [FLOOR] = {"floor", "", draw_whole_vert, draw_floor_frag},
    [SUM] = {"sum", "", draw_whole_vert, draw_sum_frag},
    [SKY] = {"sky", "", draw_whole_vert, draw_sky_frag},
    [LINE] = {"lines", "", draw_line_vert, draw_line_frag},
};

typedef struct program {
    GLuint id;
    GLint  at[UNIFORM_COUNT];
} program;

struct draw_painter {
    const draw_subject *subject;
    program             programs[PROGRAM_COUNT];
    GLuint              block, indices, shapes; /* buffers: the frame's, the subject's, unit balls */
    GLuint              places, uvs;
    GLuint             *textures;                                                           /* per body; 0: it has none */
    GLuint              surfaces, tubes, lines, nothing, legend_lines, legend_block;        /* vertex arrays, and the legend's own buffer */
    GLuint              sun_map, sky_map, floor_map, map_target, floor_target, light_block; /* maps of depths, and the visible sky of the
                                                                                               floor */
    GLuint              sampled, sampled_colour, sampled_depth;                             /* a pass, with samples */
    GLuint              drawn, drawn_colour, plain, plain_colour, sum, sum_colour;          /* without; the picture; the passes so far */
    uint32_t            width, height;
    draw_range          balls[BALL_COUNT]; /* their indices lie behind the subject's */
    f3                  light, middle;     /* of the stage */
    float               radius;
    draw_lights         lights;
    uint32_t            first_sky, sky_step, sun_count; /* which directions of the sky count, and how many points of the sun */
    draw_legend         legend;
};

static bool fail(pliant_error *error, const char *what, const char *why)
{
    return draw_fail(error, PLIANT_ERROR_UNAVAILABLE, NULL, "OpenGL: %s: %.300s", what, why);
}

static GLuint compile(GLenum type, const char *defines, const char *text, char *log, GLsizei size)
{
    static const char version[] = "#version 330 core\n#define SUNS " TEXT(DRAW_SUNS) "\n#define SKIES " TEXT(DRAW_SKIES) "\n";
    const char       *parts[] = {version, type == GL_VERTEX_SHADER ? "#define VERTEX\n" : "", defines, draw_head_glsl, text};
    GLuint            shader = glCreateShader(type);
    GLint             good = 0;
    glShaderSource(shader, 5, parts, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (!good) glGetShaderInfoLog(shader, size, NULL, log);
    return shader;
}

static bool make_program(program *p, program_name name, pliant_error *error)
{
    static const char *const uniforms[] = {
#define X(u) "u_" #u,
        UNIFORMS(X)
#undef X
    };
    char   log[400] = "";
    GLint  good = 0;
    GLuint vertex = compile(GL_VERTEX_SHADER, program_texts[name].defines, program_texts[name].vertex, log, sizeof log);
    GLuint fragment = compile(GL_FRAGMENT_SHADER, program_texts[name].defines, program_texts[name].fragment, log, sizeof log);
    p->id = glCreateProgram();
    glAttachShader(p->id, vertex);
    glAttachShader(p->id, fragment);
    glLinkProgram(p->id);
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    glGetProgramiv(p->id, GL_LINK_STATUS, &good);
    if (!good && !*log) glGetProgramInfoLog(p->id, sizeof log, NULL, log);
    if (!good) return fail(error, program_texts[name].name, log);
    for (int u = 0; u < UNIFORM_COUNT; u++) p->at[u] = glGetUniformLocation(p->id, uniforms[u]);
    glUseProgram(p->id);
    glUniform1i(p->at[U_suns], SUN_UNIT);
    glUniform1i(p->at[U_skies], SKY_UNIT);
    glUniform1i(p->at[U_floor], FLOOR_UNIT);
    glUniform1i(p->at[U_drawn], DRAWN_UNIT);
    glUniform1i(p->at[U_texture], TEXTURE_UNIT);
    const GLuint lights = glGetUniformBlockIndex(p->id, "lights");
    if (lights != GL_INVALID_INDEX) glUniformBlockBinding(p->id, lights, 0);
    return true;
}

/* ---- buffers and maps, made once ---- */

/* A unit ball, its lower half (w 0) and its upper half (w 1) with an equator each, and rings from one to the other. */
static uint32_t make_ball(float *out, uint32_t *indices, uint32_t around, uint32_t rings, uint32_t between, uint32_t first)
{
    uint32_t v = 0, n = 0, rows = 2 * rings + between;
    for (uint32_t row = 0; row < rows; row++) {
        const float along = fmaxf(0, fminf(1, ((float)row - (float)rings + 1) / (float)(between + 1)));
        const float ring = row < rings ? (float)row - (float)(rings - 1) : fmaxf(0, (float)row - (float)(rings + between));
        const float latitude = 1.57079633f * ring / (float)(rings - 1);
        for (uint32_t i = 0; i < around; i++, v++) {
            float longitude = 6.28318531f * (float)i / (float)around;
            out[4 * v] = cosf(latitude) * cosf(longitude);
            out[4 * v + 1] = sinf(latitude);
            out[4 * v + 2] = cosf(latitude) * sinf(longitude);
            out[4 * v + 3] = along;
        }
    }
    for (uint32_t row = 0; row + 1 < rows; row++)
        for (uint32_t i = 0; i < around; i++) {
            uint32_t       a = first + row * around + i, b = first + row * around + (i + 1) % around, c = a + around, d = b + around;
            const uint32_t two[6] = {a, c, b, b, c, d};
            memcpy(indices + n, two, sizeof two);
            n += 6;
        }
    return n;
}

static void make_places(draw_painter *p)
{
    const draw_subject *s = p->subject;
    const size_t        vertices = (size_t)s->vertex_count + s->copy_count + s->seam_count;
    if (s->places) {
        glGenBuffers(1, &p->places);
        glBindBuffer(GL_ARRAY_BUFFER, p->places);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(vertices * sizeof(f3)), s->places, GL_STATIC_DRAW);
    }
    if (s->uvs) {
        glGenBuffers(1, &p->uvs);
        glBindBuffer(GL_ARRAY_BUFFER, p->uvs);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(vertices * 2 * sizeof(float)), s->uvs, GL_STATIC_DRAW);
    }
}

/* Bodies with one picture have one texture. */
static bool make_textures(draw_painter *p, pliant_error *error)
{
    const draw_subject *s = p->subject;
    p->textures = calloc(s->body_count + 1u, sizeof *p->textures);
    if (!p->textures) return fail(error, "painter", "out of memory");
    glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT);
    for (uint32_t i = 0; i < s->body_count; i++) {
        const draw_body *b = &s->bodies[i];
        for (uint32_t k = 0; k < i && b->textured && !p->textures[i]; k++)
            if (s->bodies[k].textured && s->bodies[k].info.look.texture == b->info.look.texture) p->textures[i] = p->textures[k];
        if (b->textured && !p->textures[i] && !(p->textures[i] = draw_texture_make(s, b, error))) return false;
    }
    return true;
}

static void make_buffers(draw_painter *p)
{
    enum { VERTICES = 48 * 31 + 20 * 13 + 10 * 6 + 6 * 4, INDICES = 6 * VERTICES };
    static float    ball[4 * VERTICES];
    static uint32_t indices[INDICES];
    for (uint32_t i = 0, vertex = 0, index = 0; i < BALL_COUNT; i++) {
        p->balls[i].first = p->subject->index_count + index;
        p->balls[i].count =
            make_ball(ball + 4 * vertex, indices + index, ball_sizes[i].around, ball_sizes[i].rings, ball_sizes[i].between, vertex);
        vertex += ball_sizes[i].around * (2 * ball_sizes[i].rings + ball_sizes[i].between);
        index += p->balls[i].count;
    }
    GLuint *buffers[] = {&p->block, &p->indices, &p->shapes, &p->legend_block};
    for (int i = 0; i < 4; i++) glGenBuffers(1, buffers[i]);
    GLuint *arrays[] = {&p->surfaces, &p->tubes, &p->lines, &p->nothing, &p->legend_lines};
    for (int i = 0; i < 5; i++) glGenVertexArrays(1, arrays[i]);
    glBindBuffer(GL_ARRAY_BUFFER, p->shapes);
    glBufferData(GL_ARRAY_BUFFER, sizeof ball, ball, GL_STATIC_DRAW);
    glBindVertexArray(p->surfaces);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, p->indices);
    const size_t mine = p->subject->index_count * sizeof(uint32_t);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(mine + sizeof indices), NULL, GL_STATIC_DRAW);
    if (mine) glBufferSubData(GL_ELEMENT_ARRAY_BUFFER, 0, (GLsizeiptr)mine, p->subject->indices);
    glBufferSubData(GL_ELEMENT_ARRAY_BUFFER, (GLintptr)mine, sizeof indices, indices);
}

/* A map of depths per light. */
static GLuint make_map(GLsizei size, GLsizei layers)
{
    static const float one[4] = {1, 1, 1, 1};
    GLuint             texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH_COMPONENT16, size, size, layers, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, NULL);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    glTexParameterfv(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BORDER_COLOR, one);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    return texture;
}

static void make_floor(draw_painter *p)
{
    glGenTextures(1, &p->floor_map);
    glBindTexture(GL_TEXTURE_2D, p->floor_map);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, FLOOR_SIZE, FLOOR_SIZE, 0, GL_RED, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glGenFramebuffers(1, &p->floor_target);
    glBindFramebuffer(GL_FRAMEBUFFER, p->floor_target);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, p->floor_map, 0);
}

static void make_maps(draw_painter *p)
{
    p->sun_map = make_map(SUN_SIZE, DRAW_SUNS);
    p->sky_map = make_map(SKY_SIZE, DRAW_SKIES);
    glGenFramebuffers(1, &p->map_target);
    glBindFramebuffer(GL_FRAMEBUFFER, p->map_target);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    glGenBuffers(1, &p->light_block);
    glBindBuffer(GL_UNIFORM_BUFFER, p->light_block);
    glBufferData(GL_UNIFORM_BUFFER, sizeof p->lights, NULL, GL_STREAM_DRAW);
    glGenFramebuffers(1, &p->sampled);
    glGenFramebuffers(1, &p->drawn);
    glGenFramebuffers(1, &p->plain);
    glGenFramebuffers(1, &p->sum);
    glGenRenderbuffers(1, &p->sampled_colour);
    glGenRenderbuffers(1, &p->sampled_depth);
    glGenRenderbuffers(1, &p->plain_colour);
    make_floor(p);
    glGenTextures(1, &p->drawn_colour);
    glGenTextures(1, &p->sum_colour);
}

draw_painter *draw_painter_create(const draw_subject *subject, pliant_error *error)
{
    draw_painter *p = calloc(1, sizeof *p);
    bool          ok = p != NULL || fail(error, "painter", "out of memory");
    if (!ok) return NULL;
    p->subject = subject;
    p->light = draw_lights_sun();
    make_buffers(p);
    make_places(p);
    make_maps(p);
    ok = make_textures(p, error);
    for (int i = 0; ok && i < PROGRAM_COUNT; i++) ok = make_program(&p->programs[i], (program_name)i, error);
    if (ok && glGetError() != GL_NO_ERROR) ok = fail(error, "painter", "buffers and textures were refused");
    if (ok) return p;
    draw_painter_destroy(p);
    return NULL;
}

void draw_painter_destroy(draw_painter *p)
{
    if (!p) return;
    for (int i = 0; i < PROGRAM_COUNT; i++)
        if (p->programs[i].id) glDeleteProgram(p->programs[i].id);
    const GLuint buffers[] = {p->block, p->indices, p->shapes, p->legend_block, p->light_block, p->places, p->uvs};
    const GLuint arrays[] = {p->surfaces, p->tubes, p->lines, p->nothing, p->legend_lines};
    const GLuint targets[] = {p->map_target, p->floor_target, p->sampled, p->drawn, p->plain, p->sum};
    const GLuint textures[] = {p->sun_map, p->sky_map, p->floor_map, p->drawn_colour, p->sum_colour};
    const GLuint pictures[] = {p->sampled_colour, p->sampled_depth, p->plain_colour};
    glDeleteBuffers(sizeof buffers / sizeof *buffers, buffers);
    glDeleteVertexArrays(sizeof arrays / sizeof *arrays, arrays);
    glDeleteFramebuffers(sizeof targets / sizeof *targets, targets);
    glDeleteTextures(sizeof textures / sizeof *textures, textures);
    if (p->textures) glDeleteTextures((GLsizei)p->subject->body_count, p->textures); /* one that is there twice goes once, and 0 is none */
    free(p->textures);
    glDeleteRenderbuffers(sizeof pictures / sizeof *pictures, pictures);
    free(p);
}

/* ---- a picture's size ---- */

static void make_page(GLuint texture, GLint format, uint32_t width, uint32_t height, GLuint target)
{
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, format, (GLsizei)width, (GLsizei)height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
}

static bool is_whole(GLuint target)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static bool make_picture(draw_painter *p, uint32_t width, uint32_t height, pliant_error *error)
{
    GLint most = 0, samples = 0;
    if (p->width == width && p->height == height) return true;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
    glGetIntegerv(GL_MAX_SAMPLES, &samples);
    if (width > (uint32_t)most || height > (uint32_t)most) return fail(error, "picture", "larger than this machine can draw");
    if (samples > SAMPLES) samples = SAMPLES;
    p->width = p->height = 0; /* until it is whole */
    glBindRenderbuffer(GL_RENDERBUFFER, p->sampled_colour);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_SRGB8_ALPHA8, (GLsizei)width, (GLsizei)height);
    glBindRenderbuffer(GL_RENDERBUFFER, p->sampled_depth);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, (GLsizei)width, (GLsizei)height);
    glBindRenderbuffer(GL_RENDERBUFFER, p->plain_colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_SRGB8_ALPHA8, (GLsizei)width, (GLsizei)height);
    glBindFramebuffer(GL_FRAMEBUFFER, p->sampled);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, p->sampled_colour);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, p->sampled_depth);
    glBindFramebuffer(GL_FRAMEBUFFER, p->plain);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, p->plain_colour);
    glActiveTexture(GL_TEXTURE0 + DRAWN_UNIT);
    make_page(p->drawn_colour, GL_SRGB8_ALPHA8, width, height, p->drawn);
    make_page(p->sum_colour, GL_RGBA16F, width, height, p->sum);
    const bool whole = is_whole(p->sampled) && is_whole(p->plain) && is_whole(p->drawn) && is_whole(p->sum);
    if (!whole || glGetError() != GL_NO_ERROR) return fail(error, "picture", "no memory for a picture of this size");
    p->width = width;
    p->height = height;
    return true;
}

/* ---- passes ---- */

static float linear(uint8_t c) { return powf((float)c / 255, 2.2f); }

/* `off`: how far the surface may be from the one that casts shadows, m. */
static void set_look(const draw_painter *p, const program *g, float roughness, float sheen, float off)
{
    glUniform4f(g->at[U_look], roughness, sheen, fmaxf(2 * p->radius / SUN_SIZE, off), fmaxf(1.5f * p->radius / SKY_SIZE, off));
}

static const program *use(draw_painter *p, program_name name, const m4 *picture)
{
    const program *g = &p->programs[name];
    glUseProgram(g->id);
    glUniformMatrix4fv(g->at[U_picture], 1, GL_FALSE, picture->m);
    glUniform3f(g->at[U_light], p->light.x, p->light.y, p->light.z);
    glUniform3f(g->at[U_middle], p->middle.x, p->middle.y, p->middle.z);
    glUniform3i(g->at[U_parts], (GLint)p->first_sky, (GLint)p->sky_step, (GLint)p->sun_count);
    set_look(p, g, 0.6f, 0, 0);
    return g;
}

static void set_colour(const program *g, draw_colour c)
{
    glUniform4f(g->at[U_colour], linear(c.r), linear(c.g), linear(c.b), (float)c.a / 255);
}

static const void *at_byte(size_t offset) { return (const void *)(uintptr_t)offset; }

static void attribute(GLuint slot, GLint count, GLenum type, size_t stride, size_t offset, GLuint divisor)
{
    glEnableVertexAttribArray(slot);
    glVertexAttribPointer(slot, count, type, type == GL_UNSIGNED_BYTE, (GLsizei)stride, at_byte(offset));
    glVertexAttribDivisor(slot, divisor);
}

static void upload(draw_painter *p, const draw_frame *f)
{
    glBindBuffer(GL_ARRAY_BUFFER, p->block);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(f->size ? f->size : 1), f->size ? f->block : NULL, GL_STREAM_DRAW);
    glBindVertexArray(p->surfaces);
    attribute(0, 3, GL_FLOAT, sizeof(draw_vertex), f->vertices_at + offsetof(draw_vertex, x), 0);
    attribute(1, 3, GL_FLOAT, sizeof(draw_vertex), f->vertices_at + offsetof(draw_vertex, normal), 0);
    attribute(2, 4, GL_UNSIGNED_BYTE, sizeof(draw_vertex), f->vertices_at + offsetof(draw_vertex, tint), 0);
    glBindVertexArray(p->lines);
    attribute(0, 3, GL_FLOAT, sizeof(draw_line_end), f->lines_at + offsetof(draw_line_end, x), 0);
    attribute(1, 4, GL_UNSIGNED_BYTE, sizeof(draw_line_end), f->lines_at + offsetof(draw_line_end, colour), 0);
}

static void draw_range_of(draw_range r, GLenum what)
{
    if (r.count) glDrawElements(what, (GLsizei)r.count, GL_UNSIGNED_INT, at_byte(r.first * sizeof(uint32_t)));
}

static void draw_tubes(draw_painter *p, size_t offset, uint32_t count, draw_range ball)
{
    if (!count) return;
    glBindVertexArray(p->tubes);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, p->indices);
    glBindBuffer(GL_ARRAY_BUFFER, p->shapes);
    attribute(0, 4, GL_FLOAT, 4 * sizeof(float), 0, 0);
    glBindBuffer(GL_ARRAY_BUFFER, p->block);
    attribute(1, 3, GL_FLOAT, sizeof(draw_tube), offset, 1);
    attribute(2, 3, GL_FLOAT, sizeof(draw_tube), offset + sizeof(f3), 1);
    attribute(3, 1, GL_FLOAT, sizeof(draw_tube), offset + offsetof(draw_tube, radius), 1);
    attribute(4, 4, GL_UNSIGNED_BYTE, sizeof(draw_tube), offset + offsetof(draw_tube, colour), 1);
    attribute(5, 4, GL_FLOAT, sizeof(draw_tube), offset + offsetof(draw_tube, along), 1);
    glDrawElementsInstanced(GL_TRIANGLES, (GLsizei)ball.count, GL_UNSIGNED_INT, at_byte(ball.first * sizeof(uint32_t)), (GLsizei)count);
}

static draw_range tube_ball(const draw_painter *p, const draw_frame *f)
{
    return f->tube_count > MANY_TUBES ? p->balls[COARSE] : p->balls[MIDDLE];
}

/* Everything that stands in the light, into a map of depths. */
static void draw_depths(draw_painter *p, const draw_frame *f, const m4 *map, draw_range ball)
{
    const m4 matrix = draw_lights_drawn(map);
    glClear(GL_DEPTH_BUFFER_BIT);
    use(p, SURFACE_DEPTH, &matrix);
    glBindVertexArray(p->surfaces);
    for (uint32_t i = 0; i < p->subject->body_count; i++) draw_range_of(p->subject->bodies[i].coarse, GL_TRIANGLES);
    if (f->box_count) glDrawArrays(GL_TRIANGLES, (GLint)f->vertex_count, (GLsizei)f->box_count);
    use(p, TUBE_DEPTH, &matrix);
    draw_tubes(p, f->tubes_at, f->tube_count, ball);
    draw_tubes(p, f->rounds_at, f->round_count, p->balls[MIDDLE]);
}

/* Two directions along a plane, and the point of it that is nearest to the stage. */
static void lay_plane(const draw_painter *p, const draw_plane *plane, f3 *middle, f3 *along, f3 *across)
{
    *middle = f3_sub(p->middle, f3_scale(plane->normal, f3_dot(f3_sub(p->middle, plane->point), plane->normal)));
    *along = f3_across(plane->normal);
    *across = f3_cross(*along, plane->normal);
}

static const draw_plane *find_floor(const draw_frame *f)
{
    for (uint32_t i = 0; i < f->plane_count; i++)
        if (f->planes[i].normal.y > 0.7f) return &f->planes[i];
    return NULL;
}

static void draw_layers(draw_painter *p, const draw_frame *f, GLuint map, GLsizei size, const m4 *lights, int count, int step,
                        draw_range ball)
{
    glBindFramebuffer(GL_FRAMEBUFFER, p->map_target);
    glViewport(0, 0, size, size);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 2);
    for (int i = 0; i < count; i += step) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, map, 0, i);
        draw_depths(p, f, &lights[i], ball);
    }
    glDisable(GL_POLYGON_OFFSET_FILL);
}

static float floor_extent(const draw_painter *p) { return 1.6f * p->radius; }

/* How much of the sky the floor sees. */
static void draw_floor(draw_painter *p, const draw_frame *f)
{
    static const m4   none = {{0}};
    const draw_plane *plane = find_floor(f);
    if (!plane) return;
    f3 middle, along, across;
    lay_plane(p, plane, &middle, &along, &across);
    const program *g = use(p, FLOOR, &none);
    glUniform3f(g->at[U_place], middle.x, middle.y, middle.z);
    glUniform3f(g->at[U_along], along.x, along.y, along.z);
    glUniform3f(g->at[U_across], across.x, across.y, across.z);
    glUniform1f(g->at[U_near], floor_extent(p));
    glBindFramebuffer(GL_FRAMEBUFFER, p->floor_target);
    glViewport(0, 0, FLOOR_SIZE, FLOOR_SIZE);
    glDisable(GL_DEPTH_TEST);
    glBindVertexArray(p->nothing);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEnable(GL_DEPTH_TEST);
}

/* Those of the sun in every pass, those of the sky in the first. */
static void draw_maps(draw_painter *p, const draw_frame *f, uint32_t pass, uint32_t passes)
{
    p->sun_count = draw_lights_place(&p->lights, p->middle, p->radius, pass, passes);
    glBindBuffer(GL_UNIFORM_BUFFER, p->light_block);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof p->lights, &p->lights);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, p->light_block);
    draw_layers(p, f, p->sun_map, SUN_SIZE, p->lights.suns, (int)p->sun_count, 1, p->balls[COARSE]);
    const int        all = passes > 1 ? 1 : 2; /* of one pass every other direction of the sky is enough */
    const draw_range ball = p->balls[f->tube_count > MANY_TUBES ? COARSEST : COARSE];
    if (!pass) draw_layers(p, f, p->sky_map, SKY_SIZE, p->lights.skies, DRAW_SKIES, all, ball);
    glActiveTexture(GL_TEXTURE0 + SUN_UNIT);
    glBindTexture(GL_TEXTURE_2D_ARRAY, p->sun_map);
    glActiveTexture(GL_TEXTURE0 + SKY_UNIT);
    glBindTexture(GL_TEXTURE_2D_ARRAY, p->sky_map);
    glActiveTexture(GL_TEXTURE0 + FLOOR_UNIT);
    glBindTexture(GL_TEXTURE_2D, p->floor_map);
    p->first_sky = 0, p->sky_step = (uint32_t)all;
    if (!pass) draw_floor(p, f);
    if (passes > 1) p->first_sky = pass, p->sky_step = passes;
}

static const f3 haze = {0.66f, 0.69f, 0.73f}, zenith = {0.34f, 0.42f, 0.55f};

/* The background, behind the surfaces: the samples are resolved by then, and empty pixels have no alpha. */
static void draw_sky(draw_painter *p, const draw_view *view, const m4 *picture)
{
    f3 right, up, forward;
    draw_camera_axes(&view->camera, &right, &up, &forward);
    float          steep = -forward.y / sqrtf(fmaxf(1e-6f, 1 - forward.y * forward.y));
    const program *g = use(p, SKY, picture);
    glUniform3f(g->at[U_haze], haze.x, haze.y, haze.z);
    glUniform3f(g->at[U_zenith], zenith.x, zenith.y, zenith.z);
    glUniform1f(g->at[U_grid], 0.5f + 0.5f * steep / tanf(view->camera.fov * 0.00872664626f));
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE_MINUS_DST_ALPHA, GL_ONE);
    glBindVertexArray(p->nothing);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
}

/* Those that are seen from their free side. The floor reaches to the haze; a wall is a pane, or it would hide too much. */
static void draw_planes(draw_painter *p, const draw_frame *f, const draw_view *view, const m4 *picture)
{
    const program *g = use(p, GROUND, picture);
    float          grid = powf(10, floorf(log10f(fmaxf(p->radius, 1e-6f))));
    glUniform3f(g->at[U_haze], haze.x, haze.y, haze.z);
    glUniform1f(g->at[U_grid], grid);
    glBindVertexArray(p->nothing);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    for (uint32_t i = 0; i < f->plane_count; i++) {
        const draw_plane *plane = &f->planes[i];
        bool              level = plane->normal.y > 0.7f;
        f3                middle, along, across;
        if (f3_dot(f3_sub(view->camera.eye, plane->point), plane->normal) <= 0) continue;
        lay_plane(p, plane, &middle, &along, &across);
        set_colour(g, (draw_colour){214, 211, 204, level ? 255 : 90});
        glUniform3f(g->at[U_place], middle.x, middle.y, middle.z);
        glUniform3f(g->at[U_along], along.x, along.y, along.z);
        glUniform3f(g->at[U_across], across.x, across.y, across.z);
        glUniform1f(g->at[U_near], plane == find_floor(f) ? floor_extent(p) : 0);
        glUniform1f(g->at[U_extent], (level ? 10.0f : 1.6f) * p->radius);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    glDisable(GL_BLEND);
}

static bool is_patterned(const draw_body *b) { return b->pattern != PLIANT_PATTERN_PLAIN && b->vertex_count; }

/* The program for surfaces of a body, with the uniforms that all bodies share. */
static const program *use_surface(draw_painter *p, const draw_frame *f, const draw_view *view, const m4 *picture, const draw_body *b)
{
    const bool         tinted = f->show & DRAW_STRAIN, fine = b->vertex_count >= FINE_FROM;
    const program_name plain = fine ? (tinted ? FINE_SURFACE_TINTED : FINE_SURFACE) : tinted ? SURFACE_TINTED : SURFACE;
    const program     *g = use(p, tinted || !(b->textured || is_patterned(b)) ? plain : b->textured ? TEXTURED : PATTERNED, picture);
    glUniform3f(g->at[U_eye], view->camera.eye.x, view->camera.eye.y, view->camera.eye.z);
    return g;
}

/* Where vertices are on the pattern or the texture of a body; other bodies have no such numbers. */
static void lay_on(draw_painter *p, uint32_t body)
{
    const draw_body *b = &p->subject->bodies[body];
    glDisableVertexAttribArray(3);
    glDisableVertexAttribArray(4);
    if (is_patterned(b)) {
        glBindBuffer(GL_ARRAY_BUFFER, p->places);
        attribute(3, 3, GL_FLOAT, sizeof(f3), 0, 0);
    }
    if (b->textured) {
        glBindBuffer(GL_ARRAY_BUFFER, p->uvs);
        attribute(4, 2, GL_FLOAT, 2 * sizeof(float), 0, 0);
        glBindTexture(GL_TEXTURE_2D, p->textures[body]);
    }
}

static void draw_bodies(draw_painter *p, const draw_frame *f, const draw_view *view, const m4 *picture)
{
    const draw_subject *s = p->subject;
    glBindVertexArray(p->surfaces);
    glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT);
    for (uint32_t i = 0; i < s->body_count; i++) {
        const draw_body *b = &s->bodies[i];
        const program   *g = use_surface(p, f, view, picture, b);
        lay_on(p, i);
        glUniform1i(g->at[U_pattern], (GLint)b->pattern);
        set_colour(g, b->colour);
        set_look(p, g, b->roughness, b->sheen, b->coarseness);
        draw_range_of(b->triangles, GL_TRIANGLES);
    }
    glDisableVertexAttribArray(3); /* colliders lie behind the bodies and have no places */
    glDisableVertexAttribArray(4);
    const program *g = use(p, FACETS, picture);
    glUniform3f(g->at[U_eye], view->camera.eye.x, view->camera.eye.y, view->camera.eye.z);
    set_colour(g, (draw_colour){168, 168, 172, 255});
    if (f->box_count) glDrawArrays(GL_TRIANGLES, (GLint)f->vertex_count, (GLsizei)f->box_count); /* meshes are seen from behind, too */
    glEnable(GL_CULL_FACE);
    g = use(p, TUBE, picture);
    set_colour(g, (draw_colour){255, 255, 255, 255});
    glUniform3f(g->at[U_eye], view->camera.eye.x, view->camera.eye.y, view->camera.eye.z);
    draw_tubes(p, f->tubes_at, f->tube_count, tube_ball(p, f));
    draw_tubes(p, f->rounds_at, f->round_count, p->balls[FINE]);
    glDisable(GL_CULL_FACE);
}

static void draw_overlays(draw_painter *p, const draw_frame *f, const m4 *picture)
{
    if (f->show & DRAW_WIREFRAME) {
        m4 nearer = *picture; /* just in front of the surface that it lies on */
        for (int c = 0; c < 4; c++) nearer.m[4 * c + 2] -= 2e-4f * nearer.m[4 * c + 3];
        const program *g = use(p, EDGES, &nearer);
        set_colour(g, (draw_colour){30, 30, 34, 255});
        glBindVertexArray(p->surfaces);
        for (uint32_t i = 0; i < p->subject->body_count; i++) draw_range_of(p->subject->bodies[i].edges, GL_LINES);
    }
    if (!f->line_count) return;
    const program *g = use(p, LINE, picture);
    glUniform1f(g->at[U_bias], 5e-4f);
    glBindVertexArray(p->lines);
    if (f->show & (DRAW_STRAIN | DRAW_PAIRS)) glDisable(GL_DEPTH_TEST); /* strained links may lie inside, pairs lie between surfaces */
    glDrawArrays(GL_LINES, 0, (GLsizei)f->line_count);
    glEnable(GL_DEPTH_TEST);
}

static void draw_words(draw_painter *p, const draw_frame *f, const draw_view *view)
{
    draw_legend_make(&p->legend, f, view->covered, view->height, view->strain_range);
    if (!p->legend.count) return;
    const float    w = (float)view->width, h = (float)view->height;
    const m4       flat = {{2 / w, 0, 0, 0, 0, -2 / h, 0, 0, 0, 0, 1, 0, -1, 1, 0, 1}};
    const program *g = use(p, LINE, &flat);
    glUniform1f(g->at[U_bias], 0);
    glBindVertexArray(p->legend_lines);
    glBindBuffer(GL_ARRAY_BUFFER, p->legend_block);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(p->legend.count * sizeof *p->legend.corners), p->legend.corners, GL_STREAM_DRAW);
    attribute(0, 3, GL_FLOAT, sizeof(draw_line_end), offsetof(draw_line_end, x), 0);
    attribute(1, 4, GL_UNSIGNED_BYTE, sizeof(draw_line_end), offsetof(draw_line_end, colour), 0);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)p->legend.count);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
}

static void set_stage(draw_painter *p, const draw_frame *f, const draw_view *view)
{
    draw_bounds stage = view->stage;
    draw_bounds_join(&stage, &f->all);
    p->middle = draw_bounds_center(&stage);
    p->radius = 1.02f * draw_bounds_radius(&stage);
}

/* Sixteen samples of four passes lie as four do, on no common row or column: each pass a quarter of a sample's distance aside. */
static m4 moved(m4 picture, uint32_t pass, const draw_view *view)
{
    static const float aside[MOST_PASSES][2] = {{-0.03125f, -0.09375f}, {0.09375f, -0.03125f}, {-0.09375f, 0.03125f}, {0.03125f, 0.09375f}};
    for (int c = 0; c < 4; c++) {
        picture.m[4 * c] += 2 * aside[pass][0] / (float)view->width * picture.m[4 * c + 3];
        picture.m[4 * c + 1] += 2 * aside[pass][1] / (float)view->height * picture.m[4 * c + 3];
    }
    return picture;
}

static void copy_picture(const draw_painter *p, GLuint from, GLuint to)
{
    const GLint w = (GLint)p->width, h = (GLint)p->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, to);
}

/* One picture with its samples, into the target `to`. */
static void draw_pass(draw_painter *p, const draw_frame *f, const draw_view *view, const m4 *picture, GLuint to)
{
    glBindFramebuffer(GL_FRAMEBUFFER, p->sampled);
    glViewport(0, 0, (GLsizei)view->width, (GLsizei)view->height);
    glEnable(GL_FRAMEBUFFER_SRGB);
    glEnable(GL_MULTISAMPLE);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw_bodies(p, f, view, picture);
    draw_planes(p, f, view, picture);
    draw_overlays(p, f, picture);
    copy_picture(p, p->sampled, to);
    draw_sky(p, view, picture);
}

/* Draws a texture onto the bound framebuffer, times `part`, over the picture there or added to it. */
static void add_page(draw_painter *p, GLuint page, float part, bool add)
{
    static const m4 none = {{0}};
    const program  *g = use(p, SUM, &none);
    glActiveTexture(GL_TEXTURE0 + DRAWN_UNIT);
    glBindTexture(GL_TEXTURE_2D, page);
    glUniform1f(g->at[U_grid], part);
    glDisable(GL_DEPTH_TEST);
    if (add) glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glBindVertexArray(p->nothing);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
}

static void draw_passes(draw_painter *p, const draw_frame *f, const draw_view *view, const m4 *picture)
{
    const uint32_t passes = view->passes < 2 ? 1 : view->passes < MOST_PASSES ? view->passes : MOST_PASSES;
    for (uint32_t pass = 0; pass < passes; pass++) {
        const m4 matrix = passes > 1 ? moved(*picture, pass, view) : *picture;
        draw_maps(p, f, pass, passes);
        draw_pass(p, f, view, &matrix, passes > 1 ? p->drawn : p->plain);
        if (passes == 1) return;
        glBindFramebuffer(GL_FRAMEBUFFER, p->sum);
        add_page(p, p->drawn_colour, 1 / (float)passes, pass > 0);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, p->plain);
    add_page(p, p->sum_colour, 1, false);
}

bool draw_painter_paint(draw_painter *p, const draw_frame *f, const draw_view *view, pliant_error *error)
{
    if (!make_picture(p, view->width, view->height, error)) return false;
    set_stage(p, f, view);
    m4 picture = draw_camera_matrix(&view->camera, (float)view->width / (float)view->height, p->middle,
                                    find_floor(f) ? 10 * p->radius : 1.7f * p->radius);
    for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; i++) continue; /* of others, before */
    glEnable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    upload(p, f);
    draw_passes(p, f, view, &picture);
    draw_words(p, f, view);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glActiveTexture(GL_TEXTURE0);
    return glGetError() == GL_NO_ERROR || fail(error, "picture", "drawing was refused");
}

void draw_read_framebuffer(uint32_t framebuffer, uint32_t width, uint32_t height, uint8_t *rgb)
{
    size_t row = (size_t)width * 3;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, (GLsizei)width, (GLsizei)height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    for (uint32_t y = 0; y < height / 2; y++)
        for (size_t i = 0; i < row; i++) {
            uint8_t *a = rgb + y * row + i, *b = rgb + (height - 1 - y) * row + i, kept = *a;
            *a = *b;
            *b = kept;
        }
}

void draw_painter_read(draw_painter *p, uint8_t *rgb) { draw_read_framebuffer(p->plain, p->width, p->height, rgb); }

void draw_painter_show(draw_painter *p, uint32_t framebuffer) { copy_picture(p, p->plain, framebuffer); }
