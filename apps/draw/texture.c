#include "draw/texture.h"

#include "draw/fail.h"
#include "draw/picture.h"

#include <stdlib.h>
#include <string.h>

/* The upper row comes first in a picture and last in a texture. */
static void turn(uint8_t *rgb, uint32_t width, uint32_t height)
{
    const size_t row = (size_t)width * 3;
    for (uint32_t y = 0; y < height / 2; y++)
        for (size_t i = 0; i < row; i++) {
            uint8_t *a = rgb + y * row + i, *b = rgb + (height - 1 - y) * row + i, kept = *a;
            *a = *b;
            *b = kept;
        }
}

/* Whether no corner of the bodies with a picture is off it: then its edge does not take from the edge opposite. */
static bool is_within(const draw_subject *subject, const void *picture)
{
    for (uint32_t b = 0; b < subject->body_count; b++) {
        const draw_body *body = &subject->bodies[b];
        const float     *uv = body->info.look.texture == picture ? pliant_model_uvs(subject->model, body->info.body) : NULL;
        for (uint32_t i = 0; uv && i < 2 * body->info.face_index_count; i++)
            if (!(uv[i] >= 0 && uv[i] <= 1)) return false;
    }
    return true;
}

static GLuint upload(const uint8_t *rgb, uint32_t width, uint32_t height, GLint beyond)
{
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8, (GLsizei)width, (GLsizei)height, 0, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, beyond);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, beyond);
    glGenerateMipmap(GL_TEXTURE_2D);
    return texture;
}

GLuint draw_texture_make(const draw_subject *subject, const draw_body *body, pliant_error *error)
{
    const pliant_look *look = &body->info.look;
    pliant_error       inner = {0};
    uint32_t           width, height;
    GLint              most = 0;
    uint8_t           *rgb = draw_picture_decode(look->texture, look->texture_bytes, &width, &height, &inner);
    if (!rgb) {
        draw_fail(error, inner.code, NULL, "the texture of body \"%s\" is no whole PNG: %s", body->info.name, inner.message);
        return 0;
    }
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    if (width > (uint32_t)most || height > (uint32_t)most) {
        free(rgb);
        draw_fail(error, PLIANT_ERROR_INPUT, NULL, "the texture of body \"%s\" is larger than this machine can draw: %u x %u pixels of %d",
                  body->info.name, width, height, most);
        return 0;
    }
    turn(rgb, width, height);
    const GLuint texture = upload(rgb, width, height, is_within(subject, look->texture) ? GL_CLAMP_TO_EDGE : GL_REPEAT);
    free(rgb);
    return texture;
}
