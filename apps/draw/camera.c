/* Cameras: fitted to a box, moved by hand, read from words. */
#include "draw/camera.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RADIANS 0.01745329252f
#define FOV 35.0f
#define MARGIN 1.08f

draw_bounds draw_bounds_empty(void)
{
    draw_bounds b = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    return b;
}

bool draw_bounds_is_empty(const draw_bounds *b) { return b->low.x > b->high.x; }

void draw_bounds_add(draw_bounds *b, f3 p, float radius)
{
    if (!f3_finite(p)) return;
    b->low = f3_min(b->low, f3_of(p.x - radius, p.y - radius, p.z - radius));
    b->high = f3_max(b->high, f3_of(p.x + radius, p.y + radius, p.z + radius));
}

void draw_bounds_join(draw_bounds *b, const draw_bounds *other)
{
    b->low = f3_min(b->low, other->low);
    b->high = f3_max(b->high, other->high);
}

f3 draw_bounds_center(const draw_bounds *b) { return draw_bounds_is_empty(b) ? f3_of(0, 0, 0) : f3_scale(f3_add(b->low, b->high), 0.5f); }

float draw_bounds_radius(const draw_bounds *b)
{
    return draw_bounds_is_empty(b) ? 1 : fmaxf(1e-3f, 0.5f * f3_length(f3_sub(b->high, b->low)));
}

void draw_camera_axes(const draw_camera *c, f3 *right, f3 *up, f3 *forward)
{
    *forward = f3_unit(f3_sub(c->target, c->eye));
    f3 side = f3_cross(*forward, f3_of(0, 1, 0));
    *right = f3_length(side) > 1e-6f ? f3_unit(side) : f3_of(1, 0, 0);
    *up = f3_cross(*right, *forward);
}

draw_camera draw_camera_fit(const draw_bounds *b, float aspect, const f3 *from)
{
    f3   size = draw_bounds_is_empty(b) ? f3_of(1, 1, 1) : f3_sub(b->high, b->low), center = draw_bounds_center(b), right, up, forward;
    bool along_x = size.x * 1.3f >= size.z;
    f3   away = f3_unit(from ? *from : along_x ? f3_of(0.45f, 0.34f, 1) : f3_of(1, 0.34f, -0.45f));
    draw_camera c = {f3_add(center, away), center, FOV};
    float       tangent_y = tanf(c.fov * RADIANS / 2), tangent_x = tangent_y * aspect, distance = 0;
    draw_camera_axes(&c, &right, &up, &forward);
    /* Seen from the distance d, a corner at (x, y, z towards the eye) is inside if |x| <= tangent_x (d - z), and y likewise. Once as seen
     * from the middle of the box, then from where its picture is in the middle. */
    for (int round = 0; round < 3; round++) {
        float least_x = 0, most_x = 0, least_y = 0, most_y = 0, nearest = 0;
        distance = 0;
        for (int i = 0; i < 8; i++) {
            f3 corner = f3_of(i & 1 ? b->high.x : b->low.x, i & 2 ? b->high.y : b->low.y, i & 4 ? b->high.z : b->low.z);
            if (draw_bounds_is_empty(b)) corner = f3_of(i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f);
            f3    p = f3_sub(corner, c.target);
            float x = f3_dot(p, right), y = f3_dot(p, up), z = -f3_dot(p, forward);
            distance = fmaxf(distance, fmaxf(fabsf(x) * MARGIN / tangent_x, fabsf(y) * MARGIN / tangent_y) + z);
            nearest = fmaxf(nearest, z);
        }
        distance = fmaxf(distance, nearest + 0.02f * draw_bounds_radius(b));
        for (int i = 0; i < 8; i++) {
            f3    corner = f3_of(i & 1 ? b->high.x : b->low.x, i & 2 ? b->high.y : b->low.y, i & 4 ? b->high.z : b->low.z);
            f3    p = f3_sub(corner, c.target);
            float depth = distance + f3_dot(p, forward), x = f3_dot(p, right) / depth, y = f3_dot(p, up) / depth;
            if (draw_bounds_is_empty(b)) x = y = 0;
            least_x = fminf(least_x, x), most_x = fmaxf(most_x, x), least_y = fminf(least_y, y), most_y = fmaxf(most_y, y);
        }
        if (round == 2) break;
        c.target =
            f3_add(c.target, f3_add(f3_scale(right, distance * (least_x + most_x) / 2), f3_scale(up, distance * (least_y + most_y) / 2)));
    }
    c.eye = f3_sub(c.target, f3_scale(forward, distance));
    return c;
}

const char *draw_camera_word(pliant_camera_from from)
{
    static const char *const words[] = {"auto", "front", "side", "top"}; /* in the order of pliant_camera_from */
    return words[from];
}

const f3 *draw_camera_side(const char *word)
{
    static const struct {
        const char *word;
        f3          from;
    } sides[] = {{"front", {0, 0.02f, 1}}, {"side", {1, 0.02f, 0}}, {"top", {0, 1, 0.001f}}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        if (strcmp(word, sides[i].word) == 0) return &sides[i].from;
    return NULL;
}

draw_camera draw_camera_fit_beside(const draw_bounds *b, float aspect, float covered, const f3 *from)
{
    draw_camera c = draw_camera_fit(b, aspect * (1 - covered), from);
    draw_camera_pan(&c, -0.5f * covered * aspect, 0); /* to the middle of the uncovered part, in heights of the picture */
    return c;
}

void draw_camera_orbit(draw_camera *c, float yaw, float pitch)
{
    f3    away = f3_sub(c->eye, c->target);
    float distance = fmaxf(f3_length(away), 1e-6f), now_yaw = atan2f(away.x, away.z) + yaw;
    float now_pitch = asinf(fmaxf(-1, fminf(1, away.y / distance))) + pitch, limit = 89 * RADIANS;
    now_pitch = fmaxf(-limit, fminf(limit, now_pitch));
    f3 direction = f3_of(cosf(now_pitch) * sinf(now_yaw), sinf(now_pitch), cosf(now_pitch) * cosf(now_yaw));
    c->eye = f3_add(c->target, f3_scale(direction, distance));
}

void draw_camera_zoom(draw_camera *c, float factor)
{
    f3    away = f3_sub(c->eye, c->target);
    float distance = fmaxf(1e-4f, fminf(1e6f, f3_length(away) * factor));
    c->eye = f3_add(c->target, f3_scale(f3_unit(away), distance));
}

void draw_camera_pan(draw_camera *c, float right, float up)
{
    f3    x, y, z;
    float height = 2 * f3_length(f3_sub(c->target, c->eye)) * tanf(c->fov * RADIANS / 2);
    draw_camera_axes(c, &x, &y, &z);
    f3 by = f3_add(f3_scale(x, right * height), f3_scale(y, up * height));
    c->eye = f3_add(c->eye, by);
    c->target = f3_add(c->target, by);
}

m4 draw_camera_matrix(const draw_camera *c, float aspect, f3 center, float radius)
{
    f3    right, up, forward;
    float middle = f3_length(f3_sub(center, c->eye)), far_plane = middle + radius;
    float near_plane = fmaxf(fmaxf(middle - radius, 0.02f * f3_length(f3_sub(c->target, c->eye))), 1e-4f * far_plane);
    draw_camera_axes(c, &right, &up, &forward);
    return m4_multiply(m4_perspective(c->fov * RADIANS, aspect, near_plane, fmaxf(far_plane, 2 * near_plane)),
                       m4_view(c->eye, right, up, forward));
}

f3 draw_camera_ray(const draw_camera *c, float aspect, float x, float y)
{
    f3    right, up, forward;
    float tangent = tanf(c->fov * RADIANS / 2);
    draw_camera_axes(c, &right, &up, &forward);
    return f3_unit(f3_add(forward, f3_add(f3_scale(right, x * tangent * aspect), f3_scale(up, y * tangent))));
}

void draw_camera_of(const pliant_camera *of, draw_camera *out)
{
    *out = (draw_camera){f3_of((float)of->eye[0], (float)of->eye[1], (float)of->eye[2]),
                         f3_of((float)of->target[0], (float)of->target[1], (float)of->target[2]), (float)of->fov};
}

bool draw_camera_parse(const char *text, draw_camera *out)
{
    float n[7] = {0, 0, 0, 0, 0, 0, FOV};
    int   count = 0;
    for (const char *at = text;; at++) {
        char *end;
        n[count] = strtof(at, &end);
        if (end == at || !isfinite(n[count])) return false;
        count++;
        at = end;
        if (*at == 0) break;
        if (count == 7 || *at != (count % 3 == 0 ? ':' : ',')) return false;
    }
    *out = (draw_camera){f3_of(n[0], n[1], n[2]), f3_of(n[3], n[4], n[5]), n[6]};
    return count >= 6 && out->fov >= 1 && out->fov <= 150 && f3_length(f3_sub(out->eye, out->target)) > 0;
}

void draw_camera_print(const draw_camera *c, char *out, size_t size)
{
    snprintf(out, size, "%.4g,%.4g,%.4g:%.4g,%.4g,%.4g:%.4g", (double)c->eye.x, (double)c->eye.y, (double)c->eye.z, (double)c->target.x,
             (double)c->target.y, (double)c->target.z, (double)c->fov);
}
