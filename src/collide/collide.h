/* Contacts of particles with colliders. Pure functions of one particle and one shape; the step calls them. */
#ifndef PLIANT_COLLIDE_COLLIDE_H
#define PLIANT_COLLIDE_COLLIDE_H

#include "base/vec.h"
#include "compile/model.h"

/* The triangles or heights of a shape, where a model has them: see compile/facets.c. */
typedef struct pliant__facets {
    const pliant_vec3       *point, *normal;
    const uint32_t          *corner, *across;
    const pliant__model_box *node;
    uint32_t                 count, levels; /* count: triangles, or blocks of a height field, in the tree's leaves */
    bool                     closed;        /* it has an inside */
    bool                     two_sided;     /* particles on either side stay on their side */
    const pliant_real       *height;        /* of a height field; else NULL */
    const uint32_t          *block;
    uint32_t                 columns, rows;
    double                   cell;
} pliant__facets;

/* Signed distances on a grid: value (i, j, k) lies at origin + cell (i, j, k), at distance[i + count[0] (j + count[1] k)]: metres to the surface,
 * negative inside. Neighbours differ by no more than they are apart, and the grown surface stays within the grid: see scene/field.c. */
typedef struct pliant__field {
    pliant_vec3  origin;
    pliant_real  cell;
    uint32_t     count[3]; /* each at least 2 */
    const float *distance;
} pliant__field;

/* A shape, in its own frame. */
typedef struct pliant__shape {
    pliant_shape   type;
    pliant_real    radius, half_height;
    pliant_vec3    half_extent;
    pliant__facets facets;
    pliant__field  field;
} pliant__shape;

/* The shape of a model's collider. It points into the model. */
pliant__shape pliant__shape_of(const pliant_model *model, uint32_t collider);

/* The radius of a ball about the local origin that holds the shape. */
pliant_real pliant__shape_radius(const pliant__shape *shape);

typedef struct pliant__hit {
    pliant_vec3 point;  /* q on the surface of the shape grown by `grow`, in the shape's frame */
    pliant_vec3 normal; /* n, unit, out of the shape */
    pliant_real depth;  /* how far the end of the path lies below the tangent plane: -(p - q).n; negative outside */
} pliant__hit;

/* Nearest point on the surface of the shape grown by `grow` >= 0 to local point p, inside or out. `depth` > 0 inside. Never fails: where
 * several points are equally near (a sphere's centre, a capsule's axis, a box's middle planes) one of them is taken, always the same.
 * A grown box keeps sharp corners: its half extents are `grow` larger. Hulls and meshes have round ones: the points no farther than `grow`.
 * A mesh that is open, or two-sided, is a sheet, and solid where it is `grow` near. Of an open one, points behind it count as inside, down to three
 * times `grow`. The surface of a field is where it is `grow`; the point is the nearest one as far as the field is the distance to it. */
pliant__hit pliant__shape_nearest(const pliant__shape *shape, pliant_real grow, pliant_vec3 p);

/* First point where the segment a to b enters the grown shape. False if a is inside by more than rounding, or the segment misses. A start
 * on the surface to within rounding enters at time 0 if the segment leads inwards and misses if it does not, so that a particle at rest on a surface
 * neither falls through nor flickers. `depth` is that of b below the tangent plane at the entry. `time` in [0, 1]. */
bool pliant__shape_sweep(const pliant__shape *shape, pliant_real grow, pliant_vec3 a, pliant_vec3 b, pliant__hit *hit, pliant_real *time);

/* Both kinds of contact in one call (Müller 2007, section 3.4): the particle's path a to b, both in the shape's frame, each at the
 * shape's pose of its time. Continuous where a is outside and the path enters; static (nearest surface point of b) where both ends are
 * inside or b lies outside by less than `margin`. A particle that starts inside by less than `margin`, with a path to the other side of a thin shape,
 * stays on its own side. False if there is no contact. */
bool pliant__shape_contact(const pliant__shape *shape, pliant_real grow, pliant_real margin, pliant_vec3 a, pliant_vec3 b,
                           pliant__hit *hit);

/* World box of the shape grown by `grow`, at a pose. Infinite where the shape is (planes). */
void pliant__shape_bounds(const pliant__shape *shape, pliant_real grow, pliant_pose pose, pliant_vec3 *low, pliant_vec3 *high);

/* A box around where it is at both ends of a way: both boxes together. */
void pliant__shape_way_bounds(const pliant__shape *shape, pliant_real grow, pliant_pose before, pliant_pose after, pliant_vec3 *low,
                              pliant_vec3 *high);

#endif
