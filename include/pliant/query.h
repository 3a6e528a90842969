/* Pliant: questions about where things are: rays, nearest points, overlaps. */
#ifndef PLIANT_QUERY_H
#define PLIANT_QUERY_H

#include "pliant/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A picture of a state for questions: the surfaces of all bodies, also of those that meet no other (triangles of cloth, outer faces
 * of soft bodies' tetrahedra, segments of ropes, loose particles), and colliders. Thicknesses are those of contacts: a surface reaches as far as its
 * material's `thickness`, a collider is grown by its own (a box with sharp corners). Of bodies without thickness a ray hits triangles only. A soft
 * body has no inside, only a surface. Answers depend on positions alone, to the bit; of several surfaces at one distance the answer is the first
 * body's, in it the lowest element's, and a collider's only where no body is as near. */
typedef struct pliant_query pliant_query;

/** A query of a model, as the model starts. All of its memory is taken here. NULL on error. The model must outlive it. */
PLIANT_API pliant_query *pliant_query_create(const pliant_model *model, pliant_error *error);

/** Frees a query. NULL is allowed. */
PLIANT_API void pliant_query_destroy(pliant_query *query);

/** Copies the positions of a state and of its colliders, without the bodies and colliders that are off in it; later changes of the state change no
 * answer. PLIANT_ERROR_ARGUMENT for a state of another model, PLIANT_ERROR_DIVERGED where a position is no finite number: the query is then as it
 * was. */
PLIANT_API pliant_code pliant_query_update(pliant_query *query, const pliant_state *state);

/** Which bodies and colliders a question is about. */
typedef struct pliant_query_filter {
    size_t      size;
    uint32_t    groups;      /**< bits: bodies in one of these groups (pliant_body_def.contact_group); default all: every body */
    pliant_body except;      /**< a body that is left out; default id 0, none */
    pliant_body only;        /**< of bodies this one alone; default id 0, every one */
    pliant_body met_by;      /**< only bodies and colliders that this body meets, by groups and contact pairs; default id 0, all */
    bool        colliders;   /**< default true */
    bool        bodies_once; /**< overlaps list a body once, as element 0, whatever of it overlaps; default false */
} pliant_query_filter;

PLIANT_API pliant_query_filter pliant_query_filter_default(void);

/** An answer: a point of a body or of a collider. If it is of a body, `collider` has id 0, and the other way round; both ids are 0 where nothing was
 * found. */
typedef struct pliant_query_hit {
    pliant_body     body;
    pliant_collider collider;
    uint32_t        element;      /**< of the body: number of the triangle, segment or particle, from 0. Quads are two triangles */
    pliant_particle particles[3]; /**< its corners; places that it does not need have body id 0 */
    pliant_real     weights[3];   /**< of the corners: their weighted sum is the point of the element that is nearest to `point` */
    pliant_vec3     point;        /**< on the surface, thickness included; of a ray that begins inside, where it begins */
    pliant_vec3     normal;       /**< out of the surface, towards the side that was asked from */
    pliant_real     distance;     /**< m; of a nearest point below 0 inside a thickness or a collider; where nothing was found, the largest
                                   asked for */
} pliant_query_hit;

/** The first surface that a ray meets, up to `max_distance` m. The direction may have any length but 0. A ray that begins inside a thickness or a
 * collider meets it at distance 0. Any number of threads may ask one query at once. PLIANT_ERROR_ARGUMENT for what is not finite, a distance below 0,
 * or a filter that is none; `filter` NULL: everything. */
PLIANT_API pliant_code pliant_query_ray(const pliant_query *query, pliant_vec3 origin, pliant_vec3 direction, pliant_real max_distance,
                                        const pliant_query_filter *filter, pliant_query_hit *hit);

/** The surface that is nearest to a point, if it is not further than `max_distance` m from it. Filter, errors and threads as with rays. */
PLIANT_API pliant_code pliant_query_closest(const pliant_query *query, pliant_vec3 point, pliant_real max_distance,
                                            const pliant_query_filter *filter, pliant_query_hit *hit);

/** One that overlaps: an element of a body, or a collider; the other one has id 0. */
typedef struct pliant_query_overlap {
    pliant_body     body;
    pliant_collider collider;
    uint32_t        element;
} pliant_query_overlap;

/** What overlaps a ball: up to `capacity` to `out`, by body and element, colliders last; `count` gets how many there are. Touching is overlapping.
 * Errors and threads as with rays. */
PLIANT_API pliant_code pliant_query_overlap_sphere(const pliant_query *query, pliant_vec3 centre, pliant_real radius,
                                                   const pliant_query_filter *filter, pliant_query_overlap *out, uint32_t capacity,
                                                   uint32_t *count);

/** What overlaps a box of half extents about a pose, likewise. For what has a thickness the box is larger by it, its corners sharp. A mesh, a
 * height field or a distance field is looked for from the middle of the box, nearest point by nearest point: where it is not convex, a part of its surface
 * that overlaps the box may be missed. */
PLIANT_API pliant_code pliant_query_overlap_box(const pliant_query *query, const pliant_pose *pose, pliant_vec3 half_extent,
                                                const pliant_query_filter *filter, pliant_query_overlap *out, uint32_t capacity,
                                                uint32_t *count);

/* ---- what went wrong between bodies ---- */

/** Two bodies that cut through each other, or twice the same one. */
typedef struct pliant_crossing {
    pliant_body bodies[2];
    uint32_t    count;
} pliant_crossing;

/** Counts pairs of triangles that cut through each other in a state, where their bodies meet (groups, masks, `self_contact`), without rounding: an
 * edge of one goes through the inside of the other. A rope's segment may go through a triangle likewise. Triangles that only touch do not count, nor
 * do two that can never move, nor two of one body that touched in the model at the start. Writes up to `capacity` pairs of bodies to `out`, ordered
 * by their place in the model, and how many there are to `count`. Takes memory and gives it back. PLIANT_ERROR_ARGUMENT without a state or `count`,
 * PLIANT_ERROR_DIVERGED where a position is no finite number, PLIANT_ERROR_MEMORY. */
PLIANT_API pliant_code pliant_state_crossings(const pliant_state *state, pliant_crossing *out, uint32_t capacity, uint32_t *count);

/** Counts pairs of triangles of two bodies, likewise, that are nearer than their thicknesses together and that no push parts: their nearest points are
 * pinned, attached or fixed on both sides, or hang on a corner that may move with so small a weight that a push is next to nothing. They stay that
 * near. */
PLIANT_API pliant_code pliant_state_held(const pliant_state *state, pliant_crossing *out, uint32_t capacity, uint32_t *count);

/** Counts corners that meet triangles, and edges that meet edges, likewise, while each particle goes straight from where it is in `from` to
 * where it is in `to`: two states of one model, a substep apart. None is missed, whatever rounding does (src/collide/continuous.h); what passes
 * by within a billionth of the scene's size may be counted too. */
PLIANT_API pliant_code pliant_state_passages(const pliant_state *from, const pliant_state *to, pliant_crossing *out, uint32_t capacity,
                                             uint32_t *count);

#ifdef __cplusplus
}
#endif
#endif
