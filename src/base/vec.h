/* Vectors and quaternions of pliant_real, one at a time. (Constraints have their own, W at a time: constraints/kernel.h.) */
#ifndef PLIANT_BASE_VEC_H
#define PLIANT_BASE_VEC_H

#include "pliant/base.h"

#include <math.h>

static inline pliant_real r_sqrt(pliant_real a)
{
#ifdef PLIANT_DOUBLE
    return sqrt(a);
#else
    return sqrtf(a);
#endif
}

static inline pliant_real r_abs(pliant_real a) { return a < 0 ? -a : a; }
static inline pliant_real r_min(pliant_real a, pliant_real b) { return a < b ? a : b; }
static inline pliant_real r_max(pliant_real a, pliant_real b) { return a > b ? a : b; }
static inline bool        r_finite(pliant_real a) { return a - a == 0; }

static inline pliant_vec3 v3(pliant_real x, pliant_real y, pliant_real z)
{
    pliant_vec3 v = {x, y, z};
    return v;
}
static inline pliant_vec3 v3_add(pliant_vec3 a, pliant_vec3 b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline pliant_vec3 v3_sub(pliant_vec3 a, pliant_vec3 b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline pliant_vec3 v3_mul(pliant_vec3 a, pliant_vec3 b) { return v3(a.x * b.x, a.y * b.y, a.z * b.z); }
static inline pliant_vec3 v3_scale(pliant_vec3 a, pliant_real s) { return v3(a.x * s, a.y * s, a.z * s); }
static inline pliant_vec3 v3_madd(pliant_vec3 a, pliant_vec3 b, pliant_real s) { return v3(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s); }
static inline pliant_real v3_dot(pliant_vec3 a, pliant_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline pliant_vec3 v3_cross(pliant_vec3 a, pliant_vec3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline pliant_real v3_length(pliant_vec3 a) { return r_sqrt(v3_dot(a, a)); }
static inline pliant_vec3 v3_lerp(pliant_vec3 a, pliant_vec3 b, pliant_real t) { return v3_madd(a, v3_sub(b, a), t); }
/* The vector scaled to length 1: in two steps, so that its square neither overflows nor vanishes. 0 stays 0. */
static inline pliant_vec3 v3_unit(pliant_vec3 a)
{
    const pliant_real largest = r_max(r_max(r_abs(a.x), r_abs(a.y)), r_abs(a.z));
    if (!(largest > 0)) return v3(0, 0, 0);
    a = v3(a.x / largest, a.y / largest, a.z / largest);
    return v3_scale(a, 1 / v3_length(a));
}
static inline bool v3_finite(pliant_vec3 a) { return r_finite(a.x) && r_finite(a.y) && r_finite(a.z); }

static inline pliant_vec3 quat_rotate(pliant_quat q, pliant_vec3 v)
{
    pliant_vec3 u = v3(q.x, q.y, q.z);
    pliant_vec3 t = v3_scale(v3_cross(u, v), 2);
    return v3_add(v3_madd(v, t, q.w), v3_cross(u, t));
}
static inline pliant_quat quat_conjugate(pliant_quat q)
{
    pliant_quat c = {-q.x, -q.y, -q.z, q.w};
    return c;
}
/* The rotation b followed by the rotation a. */
static inline pliant_quat quat_multiply(pliant_quat a, pliant_quat b)
{
    pliant_quat q = {a.w * b.x + a.x * b.w + (a.y * b.z - a.z * b.y), a.w * b.y + a.y * b.w + (a.z * b.x - a.x * b.z),
                     a.w * b.z + a.z * b.w + (a.x * b.y - a.y * b.x), a.w * b.w - (a.x * b.x + a.y * b.y + a.z * b.z)};
    return q;
}
/* Unit length; a zero or non-finite quaternion becomes the identity. */
static inline pliant_quat quat_normalize(pliant_quat q)
{
    pliant_real l = r_sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    pliant_quat n = {0, 0, 0, 1};
    if (l > 0 && r_finite(l)) {
        n.x = q.x / l;
        n.y = q.y / l;
        n.z = q.z / l;
        n.w = q.w / l;
    }
    return n;
}
/* Between two rotations, the short way, normalised linear. */
static inline pliant_quat quat_nlerp(pliant_quat a, pliant_quat b, pliant_real t)
{
    pliant_real s = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? (pliant_real)-1 : (pliant_real)1;
    pliant_quat q = {a.x + (s * b.x - a.x) * t, a.y + (s * b.y - a.y) * t, a.z + (s * b.z - a.z) * t, a.w + (s * b.w - a.w) * t};
    return quat_normalize(q);
}

static inline pliant_vec3 pose_apply(pliant_pose p, pliant_vec3 local) { return v3_add(quat_rotate(p.rotation, local), p.position); }
static inline pliant_vec3 pose_invert(pliant_pose p, pliant_vec3 world)
{
    return quat_rotate(quat_conjugate(p.rotation), v3_sub(world, p.position));
}
static inline pliant_pose pose_lerp(pliant_pose a, pliant_pose b, pliant_real t)
{
    pliant_pose p = {v3_lerp(a.position, b.position, t), quat_nlerp(a.rotation, b.rotation, t)};
    return p;
}

#endif
