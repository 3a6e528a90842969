/* A surface while it is read: vertices and faces, each looked at as it comes. */
#include "io/mesh/surface.h"

#include <string.h>

bool pliant__surface_coordinate(pliant__surface *s, double value, int line)
{
    if (value - value != 0) return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, line, "a coordinate is not a finite number");
    if (value >= 3e38 || value <= -3e38) return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, line, "a coordinate is too large");
    return array_push(NULL, &s->positions, (pliant_real)value) ||
           pliant__fail_memory(s->error, s->positions.count * sizeof(pliant_real), s->path);
}

static bool check_corners(pliant__surface *s, const uint32_t *corners, size_t count, int line)
{
    const size_t vertices = s->positions.count / 3;
    if (count < 3) return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, line, "a face has at least three corners");
    for (size_t i = 0; i < count; i++) {
        if (corners[i] >= vertices)
            return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, line, "a face has vertex %u, and there are %zu vertices",
                                   s->base + corners[i], vertices);
        for (size_t j = 0; j < i && count <= 64 && !s->as_is; j++)
            if (corners[i] == corners[j])
                return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, line, "a face has vertex %u twice", s->base + corners[i]);
    }
    return true;
}

bool pliant__surface_uv(pliant__surface *s, double value, int line, float *out)
{
    if (!(value < 3e38 && value > -3e38))
        return pliant__fail_at(s->error, PLIANT_ERROR_INPUT, s->path, line, "a texture coordinate is %s",
                               value - value != 0 ? "not a finite number" : "too large");
    *out = (float)value;
    return true;
}

/* Faces before the first face with texture coordinates get 0. */
static bool add_uvs(pliant__surface *s, const float *uvs, size_t count)
{
    float at[3][2] = {{0}};
    s->has_uvs = s->has_uvs || uvs;
    if (!s->has_uvs) return true;
    if (!array_extend(NULL, &s->triangle_uvs, 2 * s->triangles.count - s->triangle_uvs.count) ||
        !array_extend(NULL, &s->quad_uvs, 2 * s->quads.count - s->quad_uvs.count))
        return false;
    if (!uvs) return true;
    if (count == 4) return memcpy(s->quad_uvs.data + s->quad_uvs.count - 8, uvs, 8 * sizeof *uvs), true;
    float *to = s->triangle_uvs.data + s->triangle_uvs.count - 6 * (count - 2);
    for (size_t i = 2; i < count; i++, to += 6) {
        const float *from[3] = {uvs, uvs + 2 * (i - 1), uvs + 2 * i};
        for (int k = 0; k < 3; k++) memcpy(at[k], from[k], sizeof at[k]);
        memcpy(to, at, sizeof at);
    }
    return true;
}

bool pliant__surface_face(pliant__surface *s, const uint32_t *corners, size_t count, int line)
{
    return pliant__surface_face_uvs(s, corners, NULL, count, line);
}

bool pliant__surface_face_uvs(pliant__surface *s, const uint32_t *corners, const float *uvs, size_t count, int line)
{
    bool ok = true;
    if (!check_corners(s, corners, count, line)) return false;
    if (count == 4) {
        for (int i = 0; i < 4 && ok; i++) ok = array_push(NULL, &s->quads, corners[i]);
    } else {
        for (size_t i = 2; i < count && ok; i++)
            ok = array_push(NULL, &s->triangles, corners[0]) && array_push(NULL, &s->triangles, corners[i - 1]) &&
                 array_push(NULL, &s->triangles, corners[i]);
    }
    return (ok && add_uvs(s, uvs, count)) || pliant__fail_memory(s->error, count * sizeof *corners, s->path);
}
