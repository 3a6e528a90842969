/* Whether a corner and a triangle, or two edges, that move straight meet on their way, and the time of impact. Continuous collision detection that
 * misses no impact, whatever rounding does.
 *
 * That two are apart for a while is proven by a plane that turns between them; the proof takes account of its own rounding. Time goes on from proof to
 * proof, and an impact is where none is found. So an error of the search can only stop it too early, never let it pass. Pure functions,
 * of + - * / sqrt and comparisons in double; bounded work; no memory. */
#ifndef PLIANT_COLLIDE_CONTINUOUS_H
#define PLIANT_COLLIDE_CONTINUOUS_H

#include <stdbool.h>
#include <stdint.h>

/* Four points that move straight and evenly from their places at time 0 to those at time 1. */
typedef struct pliant__straight_motion {
    double from[4][3], to[4][3];
} pliant__straight_motion;

/* The answer of a query.
 *
 * Not `meets`: all along they are further apart than the distance.
 * `meets`: until `time` they are; and at `time` they are within distance + tolerance, if the answer is `settled`. The first impact may be as much later as
 * they take for the tolerance, or, if they only graze, never come.
 * Not `settled`: at `time` the work was at its bound (PLIANT__MOST_LOOKS), or a number was not finite. `meets` is true then, to be safe. */
typedef struct pliant__impact {
    bool     meets, settled;
    double   time;  /* in [0, 1]; 1 if they do not meet */
    uint32_t looks; /* the work: number of times at which directions were sought */
} pliant__impact;

#define PLIANT__MOST_LOOKS 256u

/* Whether corner 0 comes within `distance` of the triangle 1 2 3, its inside, sides and corners, in the time [0, 1]. Triangles may have no area.
 *
 * `distance` >= 0; 0 asks for touch. `tolerance` > 0 is by how much more an answer may be wrong to the safe side; below 1e-13 times the size of
 * the motion (the largest coordinate of a difference between two points, at either end) rounding has more to say. Coordinates are 0 or
 * between 1e-70 and 1e70 in size. */
pliant__impact pliant__corner_meets_triangle(const pliant__straight_motion *m, double distance, double tolerance);

/* Likewise for the edge 0 1 and the edge 2 3. Edges may have no length. */
pliant__impact pliant__edges_meet(const pliant__straight_motion *m, double distance, double tolerance);

#endif
