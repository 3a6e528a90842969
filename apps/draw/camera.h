/* The camera: eye, target and field of view. */
#ifndef DRAW_CAMERA_H
#define DRAW_CAMERA_H

#include "draw/linear.h"
#include "pliant/io.h"

typedef struct draw_camera {
    f3    eye, target;
    float fov; /* of the picture's height, degrees */
} draw_camera;

/* A box that things lie in; empty while low > high. */
typedef struct draw_bounds {
    f3 low, high;
} draw_bounds;

draw_bounds draw_bounds_empty(void);
bool        draw_bounds_is_empty(const draw_bounds *b);
void        draw_bounds_add(draw_bounds *b, f3 p, float radius);
void        draw_bounds_join(draw_bounds *b, const draw_bounds *other);
f3          draw_bounds_center(const draw_bounds *b);
float       draw_bounds_radius(const draw_bounds *b); /* half the diagonal; at least 1e-3 */

/* Shows the whole box from as near as can be: from the direction `from`, or, where that is NULL, three quarters from the front and a little
 * from above, the longer horizontal side across the picture. */
draw_camera draw_camera_fit(const draw_bounds *b, float aspect, const f3 *from);

/* "auto", "front", "side" or "top". */
const char *draw_camera_word(pliant_camera_from from);

/* The direction of "front", "side" or "top", from which to fit; NULL for other words. */
const f3 *draw_camera_side(const char *word);

/* The same as draw_camera_fit for a picture of which something covers the left, a part in [0, 1): the box is shown in the uncovered part. */
draw_camera draw_camera_fit_beside(const draw_bounds *b, float aspect, float covered, const f3 *from);

/* Moves the eye about the target by angles in radians, towards or away from it by a factor, and both across the picture by parts of its
 * height. */
void draw_camera_orbit(draw_camera *c, float yaw, float pitch);
void draw_camera_zoom(draw_camera *c, float factor);
void draw_camera_pan(draw_camera *c, float right, float up);

/* Unit vectors to the right, up and forward. */
void draw_camera_axes(const draw_camera *c, f3 *right, f3 *up, f3 *forward);

/* The matrix from the world to the picture; near and far plane are chosen so that the ball about `center` is inside. */
m4 draw_camera_matrix(const draw_camera *c, float aspect, f3 center, float radius);

/* The direction of unit length from the eye through a place of the picture, x and y in [-1, 1]. */
f3 draw_camera_ray(const draw_camera *c, float aspect, float x, float y);

/* The eye of a scene's camera that has one. */
void draw_camera_of(const pliant_camera *of, draw_camera *out);

/* "EX,EY,EZ:TX,TY,TZ[:FOV]": eye, target, field of view. False if it is not that. */
bool draw_camera_parse(const char *text, draw_camera *out);
void draw_camera_print(const draw_camera *c, char *out, size_t size);

#endif
