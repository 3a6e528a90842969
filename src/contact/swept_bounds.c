/* Where a collider may be met in a substep. */
#include "base/box.h"
#include "collide/grown.h"
#include "contact/contacts.h"
#include "solver/collider_kernels.h"
#include "solver/solver.h"

/* How far a shape's points move at the most: between its two end boxes its path may bulge out of them, but not by more than this. */
pliant_real pliant__way_reach(const pliant__shape *shape, pliant_pose before, pliant_pose after)
{
    pliant_quat p = before.rotation, q = after.rotation;
    pliant_real cosine = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w; /* of half the angle */
    pliant_real chord = 2 * pliant__shape_radius(shape) * r_sqrt(r_max(0, 1 - cosine * cosine));
    return v3_length(v3_sub(after.position, before.position)) + chord;
}

pliant__swept_bound pliant__swept_bound_of(const pliant__shape *shape, pliant_pose before, pliant_pose after, pliant_real grow)
{
    const pliant_quat   p = before.rotation, q = after.rotation;
    const bool          turns = p.x != q.x || p.y != q.y || p.z != q.z || p.w != q.w;
    pliant__swept_bound l = {.at = before.position};
    pliant__shape_way_bounds(shape, grow + pliant__way_reach(shape, before, after), before, after, &l.box.low, &l.box.high);
    l.plane = !turns && shape->type == PLIANT_SHAPE_PLANE;
    l.round = !turns && (shape->type == PLIANT_SHAPE_SPHERE || shape->type == PLIANT_SHAPE_CAPSULE);
    l.up = quat_rotate(before.rotation, v3(0, 1, 0));
    l.half_height = shape->type == PLIANT_SHAPE_CAPSULE ? shape->half_height : 0;
    const pliant_real grown = l.round ? shape->radius + grow : grow, gone = v3_length(v3_sub(after.position, before.position)),
                      size = r_abs(l.at.x) + r_abs(l.at.y) + r_abs(l.at.z) + r_abs(grown) + l.half_height;
    l.reach = grown + PLIANT__PATH_LENGTHS * gone + (pliant_real)pliant__shape_grow(shape, grow).touch + PLIANT__PATH_ROUNDING * size;
    if (l.plane) l.reach += v3_dot(l.at, l.up);
    return l;
}
