/* Pliant: the state, with everything that is needed to go on bit for bit: positions, velocities (of second order: also those of a substep before),
 * pins, active bits, poses, which bodies and colliders are off, time. One flat block. */
#ifndef PLIANT_STATE_H
#define PLIANT_STATE_H

#include "pliant/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A state at the model's start. NULL on error. The model must outlive it. */
PLIANT_API pliant_state *pliant_state_create(const pliant_model *model, pliant_error *error);

/** Frees a state. NULL is allowed. */
PLIANT_API void pliant_state_destroy(pliant_state *state);

/** Back to the model's start. */
PLIANT_API void pliant_state_reset(pliant_state *state);

/** Makes `to` equal to `from`: one memcpy. Both must be of one model, else PLIANT_ERROR_ARGUMENT. */
PLIANT_API pliant_code pliant_state_copy(pliant_state *to, const pliant_state *from);

/** The state's bytes, for saving. Valid until the state is destroyed. */
PLIANT_API const void *pliant_state_data(const pliant_state *state, size_t *size);

/** Takes bytes that pliant_state_data gave for the same model; refuses others, and those of a state with a NaN or an infinity in it, and
 * leaves the state as it was. */
PLIANT_API pliant_code pliant_state_load(pliant_state *state, const void *data, size_t size, pliant_error *error);

/** A hash of everything in a state: two runs agree to the bit exactly when their hashes do. */
PLIANT_API uint64_t pliant_state_hash(const pliant_state *state);

/** The model it belongs to. */
PLIANT_API const pliant_model *pliant_state_model(const pliant_state *state);

/** What fills a closed surface, now. */
typedef struct pliant_group_now {
    pliant_group_kind kind;
    double            number;   /**< the first number of its kind, as keys, inputs and leaks have left it */
    double            rest;     /**< m^3, the volume at rest */
    double            volume;   /**< m^3, the volume inside; below 0 where the surface is turned inside out */
    double            pressure; /**< Pa, what its law presses with at that volume, less the air outside */
    double            mouth;    /**< m^2, the area of the faces of its mouth; 0: it has none, or it is shut */
} pliant_group_now;

/** Part number `part` of what pliant_scene_group filled; from 0, in the order of the parts' first triangles. PLIANT_ERROR_ARGUMENT: the body has no such
 * part. */
PLIANT_API pliant_code pliant_state_group(const pliant_state *state, pliant_body body, uint32_t part, pliant_group_now *out);

/** What stitches of one call are now. */
typedef struct pliant_stitches_now {
    uint32_t count;  /**< stitches */
    uint32_t sewn;   /**< of them: they have begun, and are neither undone nor broken */
    uint32_t broken; /**< of them */
    double   gap;    /**< m, the most that two points of those that are sewn are apart; 0: none is sewn */
    double   excess; /**< m, the most by which these are further apart than their stitch is long now; below 0 where all hang loose */
} pliant_stitches_now;

/** How stitches are now. PLIANT_ERROR_ARGUMENT: the model has none of that id. */
PLIANT_API pliant_code pliant_state_stitches(const pliant_state *state, pliant_stitches stitches, pliant_stitches_now *out);

/** Whether stitch `number` of a call is broken; numbers are in the order of the vertices that were sewn: of a, or where b has more along the path, of b. */
PLIANT_API bool pliant_state_stitch_broken(const pliant_state *state, pliant_stitches stitches, uint32_t number);

/** Breaks a stitch, or mends it: it is then drawn shut again at its pace, or at once where its time is over. PLIANT_ERROR_ARGUMENT: there is no
 * such stitch. */
PLIANT_API pliant_code pliant_state_break_stitch(pliant_state *state, pliant_stitches stitches, uint32_t number, bool broken);

/** Simulated time in seconds. */
PLIANT_API double pliant_state_time(const pliant_state *state);

/** Seconds that steps have asked for and no substep has simulated yet: less than a substep, with PLIANT_SUBSTEP_CARRY; else 0. What is drawn
 * at the time that steps have asked for may be put this much further along its velocity. */
PLIANT_API double pliant_state_carried(const pliant_state *state);

/** Steps taken. */
PLIANT_API uint64_t pliant_state_steps(const pliant_state *state);

/** Writes `surface_vertex_count` positions (three pliant_real at the head of every `stride` bytes) in the caller's vertex order. */
PLIANT_API pliant_code pliant_state_write_positions(const pliant_state *state, pliant_body body, void *out, size_t stride);

/** Writes `surface_vertex_count` velocities, likewise; those of a visual surface are blended as its positions are. */
PLIANT_API pliant_code pliant_state_write_velocities(const pliant_state *state, pliant_body body, void *out, size_t stride);

/** Writes position and unit normal (six pliant_real at the head of every `stride` bytes) per surface vertex; stride holds both. Normals
 * are weighted by area; a vertex without faces gets (0, 0, 0). */
PLIANT_API pliant_code pliant_state_write_vertices(const pliant_state *state, pliant_body body, void *out, size_t stride);

/** Reads positions of the simulated vertices [first, first + count). For a soft body with a visual surface, of its tetrahedra. */
PLIANT_API pliant_code pliant_state_positions(const pliant_state *state, pliant_body body, uint32_t first, uint32_t count,
                                              pliant_vec3 *out);

/** Reads velocities, likewise. */
PLIANT_API pliant_code pliant_state_velocities(const pliant_state *state, pliant_body body, uint32_t first, uint32_t count,
                                               pliant_vec3 *out);

/** Reads inverse masses as they are now (0 while pinned), likewise. */
PLIANT_API pliant_code pliant_state_inverse_masses(const pliant_state *state, pliant_body body, uint32_t first, uint32_t count,
                                                   pliant_real *out);

/** Puts vertices elsewhere; finite numbers only. Welded vertices share one particle: the last one counts. */
PLIANT_API pliant_code pliant_state_set_positions(pliant_state *state, pliant_body body, uint32_t first, uint32_t count,
                                                  const pliant_vec3 *positions);

/** Sets velocities, likewise. */
PLIANT_API pliant_code pliant_state_set_velocities(pliant_state *state, pliant_body body, uint32_t first, uint32_t count,
                                                   const pliant_vec3 *velocities);

/** Says where vertices were `h` seconds ago and how fast they were then, for models of PLIANT_INTEGRATION_BDF2: an exact second value to
 * start with. m and m/s; finite numbers only. It counts if the next substep is `h` long to the bit (dt / substeps), and until positions,
 * velocities or pins of the vertices are set; vertices of which nothing is said start as if they had flown freely. Pinned ones need none.
 * PLIANT_ERROR_ARGUMENT for models of another integration, vertices that there are not, or `h` not in (0, 1]. */
PLIANT_API pliant_code pliant_state_set_previous(pliant_state *state, pliant_body body, uint32_t first, uint32_t count, double h,
                                                 const pliant_vec3 *positions, const pliant_vec3 *velocities);

/** Releases a vertex or pins it again where it is. Only vertices that were pinned releasably or attached; for others, and for pins for
 * ever, PLIANT_ERROR_ARGUMENT. */
PLIANT_API pliant_code pliant_state_set_pinned(pliant_state *state, pliant_body body, uint32_t vertex, bool pinned);

/** Whether a vertex is pinned now; of one that stands by, whether the vertex is beside which it was put. */
PLIANT_API bool pliant_state_pinned(const pliant_state *state, pliant_body body, uint32_t vertex);

/** The corners of a body's faces as they are now, in the order of pliant_model_faces and with its sizes; they are the state's, and change with it. Of a
 * body that does not tear they are the model's. NULL if there is no such body.
 *
 * A body that tears has its caller's vertices first, then vertices that stand by. Where a vertex is split, one of these takes some of its faces. Until then no face
 * has it, and it is written out where a vertex of the body is. The faces of a solid are those of its surface, then those between tetrahedra, which open two by two
 * where it tears: the first pliant_state_face_count of all of them are its surface now. The rest has one vertex three times. */
PLIANT_API const uint32_t *pliant_state_faces(const pliant_state *state, pliant_body body);

/** How many of a body's faces, from the first on, are its surface now: all of them but those that stand by. 0 if there is no such body. */
PLIANT_API uint32_t pliant_state_face_count(const pliant_state *state, pliant_body body);

/** A number that changes when faces do: a hash of the splits so far, in their order; 0: there was none. */
PLIANT_API uint64_t pliant_state_topology(const pliant_state *state);

/** The caller's vertex that a vertex was split from, or itself; UINT32_MAX of one that stands by, and of one that is none. */
PLIANT_API uint32_t pliant_state_origin(const pliant_state *state, pliant_body body, uint32_t vertex);

/** How often so far a vertex was to be split and no vertex stood by, or too few faces: above 0, a body wants a larger `spare`. */
PLIANT_API uint64_t pliant_state_unsplit(const pliant_state *state);

/** Cuts bodies that tear along a blade: vertices are split that have elements on both sides of the triangle's plane and come to lie in the triangle, measured along its normal, no
 * farther from it than the longest side of their elements. Elements stay whole, so the cut runs along their sides; an element with a corner that was split along the plane before
 * stays on the side that it came to then, so that triangles one after another are one cut. One without area cuts nothing. Returns how many vertices there are more. */
PLIANT_API uint32_t pliant_state_cut(pliant_state *state, pliant_body body, const pliant_vec3 corners[3]);

/** Constraint number `position` in the order solved, as pliant_model_solved has it, with the vertices that it has now: where its body is torn, those that were
 * split off others. */
PLIANT_API pliant_solved_constraint pliant_state_solved(const pliant_state *state, uint32_t position);

/** Turns a constraint off or on. One that is broken is whole again when it is turned on. */
PLIANT_API pliant_code pliant_state_set_active(pliant_state *state, pliant_constraint constraint, bool active);

/** Whether a constraint is on. */
PLIANT_API bool pliant_state_active(const pliant_state *state, pliant_constraint constraint);

/** Whether a constraint is broken: it pulled with more than the break_force of its law. */
PLIANT_API bool pliant_state_broken(const pliant_state *state, pliant_constraint constraint);

/** Whether a rope is broken between a vertex and the next one: pliant_law.break_force of its material's `stretch`. false of other bodies. */
PLIANT_API bool pliant_state_snapped(const pliant_state *state, pliant_body body, uint32_t vertex);

/** Writes a constraint's parameters as they are now: those of pliant_model_solved, or, where its law has a yield, what has become of them
 * (docs/plasticity.md). As many as its kind has, in the kind's units. PLIANT_ERROR_ARGUMENT of users' constraints, and of what the model does not have. */
PLIANT_API pliant_code pliant_state_rest(const pliant_state *state, pliant_constraint constraint, pliant_real *parameters);

/** Sets them, within the ranges of the kind; NULL: as they are in the model. PLIANT_ERROR_ARGUMENT where the constraint's law has no yield. */
PLIANT_API pliant_code pliant_state_set_rest(pliant_state *state, pliant_constraint constraint, const pliant_real *parameters);

/** Where a collider is now. */
PLIANT_API pliant_pose pliant_state_collider_pose(const pliant_state *state, pliant_collider collider);

/** Whether a collider is on: pliant_inputs_collider_active switches it off. false where there is none. */
PLIANT_API bool pliant_state_collider_active(const pliant_state *state, pliant_collider collider);

/** Whether a body is on: pliant_inputs_body_active switches it off. false where there is none. Where it is off its inverse masses are 0. */
PLIANT_API bool pliant_state_body_active(const pliant_state *state, pliant_body body);

/** Reads where skinned targets [first, first + count) of a body are, and their unit normals; either may be NULL. */
PLIANT_API pliant_code pliant_state_skin(const pliant_state *state, pliant_body body, uint32_t first, uint32_t count,
                                         pliant_vec3 *positions, pliant_vec3 *normals);

/** What the distances and tethers of a state look like. */
typedef struct pliant_strain {
    double largest; /**< largest |x0 - x1| / rest - 1 of distances with rest > 0; negative if all are shorter; 0 if there are none */
    double mean;    /**< mean of its absolute value */
    pliant_constraint constraint;   /**< the one with the largest; id 0 if there are none */
    pliant_particle   particles[2]; /**< between which it is: the first vertices welded into them */
    double            rest;         /**< m, how long it is when nothing pulls */
    uint32_t          law;          /**< its number in pliant_model_law */
} pliant_strain;

/** Measures active distances as they are now, where at least one particle moves by itself: a distance between two pins or targets says nothing about
 * the solver. */
PLIANT_API pliant_strain pliant_state_strain(const pliant_state *state);

#ifdef __cplusplus
}
#endif
#endif
