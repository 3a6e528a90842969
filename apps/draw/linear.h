/* Vectors and matrices for drawing: float, column-major as OpenGL has them. No simulation uses them. */
#ifndef DRAW_LINEAR_H
#define DRAW_LINEAR_H

#include "pliant/pliant.h"

#include <math.h>

typedef struct f3 {
    float x, y, z;
} f3;

typedef struct m4 {
    float m[16]; /* m[4 * column + row] */
} m4;

static inline f3 f3_of(float x, float y, float z)
{
    f3 v = {x, y, z};
    return v;
}
static inline f3    f3_from(pliant_vec3 v) { return f3_of((float)v.x, (float)v.y, (float)v.z); }
static inline f3    f3_add(f3 a, f3 b) { return f3_of(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline f3    f3_sub(f3 a, f3 b) { return f3_of(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline f3    f3_scale(f3 a, float s) { return f3_of(a.x * s, a.y * s, a.z * s); }
static inline float f3_dot(f3 a, f3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline f3    f3_cross(f3 a, f3 b) { return f3_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
static inline float f3_length(f3 a) { return sqrtf(f3_dot(a, a)); }
static inline f3    f3_min(f3 a, f3 b) { return f3_of(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)); }
static inline f3    f3_max(f3 a, f3 b) { return f3_of(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)); }
static inline bool  f3_finite(f3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

/* Of unit length; (0, 1, 0) if there is no length. */
static inline f3 f3_unit(f3 a)
{
    float length = f3_length(a);
    return length > 0 && isfinite(length) ? f3_scale(a, 1 / length) : f3_of(0, 1, 0);
}

/* A direction across `a`, of unit length. */
static inline f3 f3_across(f3 a) { return f3_unit(f3_cross(fabsf(a.y) < 0.9f ? f3_of(0, 1, 0) : f3_of(1, 0, 0), a)); }

/* `v` turned by a unit quaternion. */
static inline f3 f3_turn(pliant_quat q, f3 v)
{
    f3 axis = f3_of((float)q.x, (float)q.y, (float)q.z), t = f3_scale(f3_cross(axis, v), 2);
    return f3_add(f3_add(v, f3_scale(t, (float)q.w)), f3_cross(axis, t));
}
static inline f3 f3_place(pliant_pose pose, f3 v) { return f3_add(f3_turn(pose.rotation, v), f3_from(pose.position)); }

static inline m4 m4_multiply(m4 a, m4 b)
{
    m4 out;
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            float sum = 0;
            for (int k = 0; k < 4; k++) sum += a.m[4 * k + r] * b.m[4 * c + k];
            out.m[4 * c + r] = sum;
        }
    return out;
}

/* The world as seen from `eye`: -z is `forward`, x is `right`. All of unit length, across each other. */
static inline m4 m4_view(f3 eye, f3 right, f3 up, f3 forward)
{
    m4 out = {{right.x, up.x, -forward.x, 0, right.y, up.y, -forward.y, 0, right.z, up.z, -forward.z, 0, -f3_dot(right, eye),
               -f3_dot(up, eye), f3_dot(forward, eye), 1}};
    return out;
}

/* A box |x| <= half_width, |y| <= half_height, -far <= z <= -near, without perspective. */
static inline m4 m4_orthographic(float half_width, float half_height, float near_plane, float far_plane)
{
    float depth = far_plane - near_plane;
    m4    out = {{1 / half_width, 0, 0, 0, 0, 1 / half_height, 0, 0, 0, 0, -2 / depth, 0, 0, 0, -(far_plane + near_plane) / depth, 1}};
    return out;
}

static inline m4 m4_perspective(float fov_y, float aspect, float near_plane, float far_plane)
{
    float s = 1 / tanf(fov_y / 2), depth = far_plane - near_plane;
    m4 out = {{s / aspect, 0, 0, 0, 0, s, 0, 0, 0, 0, -(far_plane + near_plane) / depth, -1, 0, 0, -2 * far_plane * near_plane / depth, 0}};
    return out;
}

/* Where a point lands: x and y in [-1, 1] across the picture; false if it is behind the eye. */
static inline bool m4_project(const m4 *m, f3 p, float *x, float *y)
{
    float w = m->m[3] * p.x + m->m[7] * p.y + m->m[11] * p.z + m->m[15];
    *x = (m->m[0] * p.x + m->m[4] * p.y + m->m[8] * p.z + m->m[12]) / w;
    *y = (m->m[1] * p.x + m->m[5] * p.y + m->m[9] * p.z + m->m[13]) / w;
    return w > 0;
}

#endif
