/* A ball or a turned box in space, and whether parts of bodies and colliders overlap it. In double, as queries are. A box that meets an element with
 * a thickness is grown by it with sharp corners, as a collider's box is. */
#ifndef PLIANT_COLLIDE_OVERLAP_REGION_H
#define PLIANT_COLLIDE_OVERLAP_REGION_H

#include "collide/thick.h"

/* A frame: its origin, and unit vectors along its axes. */
typedef struct pliant__frame {
    pliant__d3 origin, axis[3];
} pliant__frame;

pliant__frame pliant__frame_of(pliant_pose pose);
pliant__d3    pliant__into_frame(const pliant__frame *f, pliant__d3 p);   /* a place */
pliant__d3    pliant__turn_into(const pliant__frame *f, pliant__d3 v);    /* a direction */
pliant__d3    pliant__out_of_frame(const pliant__frame *f, pliant__d3 p); /* and back */
pliant__d3    pliant__turn_out_of(const pliant__frame *f, pliant__d3 v);

typedef struct pliant__overlap_region {
    pliant__frame frame;
    double        radius;  /* of a ball; below 0: a box */
    double        half[3]; /* of a box */
} pliant__overlap_region;

/* Whether a box with `grow` all around may overlap it: true where it does, and for a larger box where for a smaller. */
bool pliant__overlap_region_meets_box(const pliant__overlap_region *r, const pliant__box *box, double grow);

bool pliant__overlap_region_meets(const pliant__overlap_region *r, const pliant__thick *t);

/* A shape in a frame, grown. */
bool pliant__overlap_region_meets_shape(const pliant__overlap_region *r, const pliant__grown *shape, const pliant__frame *frame);

#endif
