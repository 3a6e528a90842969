/* The builder of a body: particles, laws and constraints are appended to the scene's flat arrays, and after an error all of them are cut off again,
 * so that the scene is as before. Scratch memory lives until the builder ends. */
#ifndef PLIANT_SCENE_BUILDER_H
#define PLIANT_SCENE_BUILDER_H

#include "base/vec.h"
#include "scene/check.h"
#include "scene/draft.h"

#define PLIANT__LIMIT 0x7fffffffu /* counts stay below it, so that an index has a bit to spare */

#define PLIANT__SCENE_ARRAYS(X) \
    X(bodies)                   \
    X(particles)                \
    X(vertex_particle)          \
    X(triangles)                \
    X(face_sizes)               \
    X(face_cuts)                \
    X(face_indices)             \
    X(face_uvs)                 \
    X(pictures)                 \
    X(picture_bytes)            \
    X(embeddings)               \
    X(laws)                     \
    X(constraints)              \
    X(constraint_particles)     \
    X(constraint_parameters)    \
    X(users)                    \
    X(targets)                  \
    X(skins)                    \
    X(target_key_times)         \
    X(target_key_positions)     \
    X(frames)                   \
    X(frame_key_times)          \
    X(frame_key_poses)          \
    X(strengths)                \
    X(groups)                   \
    X(group_key_times)          \
    X(group_key_values)         \
    X(cuts)                     \
    X(cut_key_times)            \
    X(cut_key_edges)            \
    X(stitches)                 \
    X(each_stitch)              \
    X(group_cluster_sizes)      \
    X(group_cluster_members)    \
    X(group_mouths)             \
    X(colliders)                \
    X(collider_key_times)       \
    X(collider_key_poses)       \
    X(collider_points)          \
    X(collider_corners)         \
    X(collider_distances)       \
    X(collider_numbers)         \
    X(forces)                   \
    X(force_key_times)          \
    X(force_key_vectors)        \
    X(force_key_shares)         \
    X(contact_pairs)

/* How long each array was. */
typedef struct pliant__mark {
#define PLIANT__COUNT(name) size_t name;
    PLIANT__SCENE_ARRAYS(PLIANT__COUNT)
#undef PLIANT__COUNT
} pliant__mark;

pliant__mark pliant__scene_mark(const pliant_scene *scene);
void         pliant__scene_rollback(pliant_scene *scene, const pliant__mark *mark);

typedef struct pliant__builder {
    pliant_scene          *scene;
    pliant_error          *error;
    const pliant_body_def *def;
    pliant__mark           mark;
    pliant__draft_body     body; /* under construction; appended at the end */
    uint32_t               index;
    pliant_placement       placement; /* rotation of unit length */
    void                  *scratch;   /* list of blocks */

    /* Particles of the body, by local number from 0; filled by the builder of the body's kind, read by the functions below. */
    uint32_t           particle_count;
    pliant_vec3       *x;            /* placed */
    double            *extent;       /* share of area, volume or length; NULL: every particle has 1 kg unless masses or `w` say otherwise */
    uint32_t          *first_vertex; /* for messages; NULL: particles are vertices */
    const bool        *loose;        /* particles that no face or tetrahedron uses: anchors without mass; NULL: none */
    const pliant_real *w;            /* inverse masses as given, or NULL */
    const pliant_vec3 *v;            /* velocities as given, or NULL */
    bool               lays_out;     /* texture coordinates are read though there is no texture: they say where warp runs */
    double             cell[3];      /* between neighbours of body.grid, scaled; 0: positions were given, and rest values are theirs */
} pliant__builder;

/* The default: in place, at rest, masses by density. */
pliant_body_def pliant__body_def_default(void);

/* Neither is NULL. */
bool pliant__check_call(const pliant_scene *scene, const void *def, pliant_error *error);

/* Checks the def that all bodies have. */
bool pliant__builder_begin(pliant__builder *b, pliant_scene *scene, const pliant_body_def *def, const pliant_material *material,
                           pliant_body_type type, pliant_error *error);

/* Appends the body if `ok`, else takes everything back. Frees the scratch either way. id 0 if there is no body. */
pliant_body pliant__builder_end(pliant__builder *b, bool ok);

/* Zeroed scratch memory, or NULL with the error filled. */
void *pliant__take(pliant__builder *b, uint64_t count, size_t size, const char *what);

/* Gives back one block of scratch memory before the builder ends. */
void pliant__give_back(pliant__builder *b, void *taken);

/* Whether the host has room for a body of so many particles and constraints, where it says; asked before anything of it is taken. */
bool pliant__has_room(const pliant__builder *b, uint64_t particles, uint64_t constraints);

/* Whether an array of `count` elements can have `extra` more: counts stay below PLIANT__LIMIT. */
bool pliant__fits(uint64_t count, uint64_t extra, const char *what, pliant_error *error);

/* Reads `count` positions; refuses what is not finite. -0 becomes 0. */
bool pliant__read_positions(pliant__builder *b, const void *positions, size_t stride, size_t count, const char *what, pliant_vec3 *out);

/* Where the placement puts them, in place. */
bool pliant__place(pliant__builder *b, pliant_vec3 *x, size_t count);

/* Appends the particles with masses and velocities, and the table from vertices to them. `particle_of` NULL: each its own. */
bool pliant__build_particles(pliant__builder *b, const uint32_t *particle_of, uint32_t vertex_count);

/* Appends the particles of a body that tears which stand by, behind all others and beside some of them. Nothing for one that does not. */
bool pliant__build_spares(pliant__builder *b, const pliant_tear *tear);

/* Appends the faces of a solid that tears which stand by, behind those of its surface and as many as its spares may open. `inner`: sides of tetrahedra that are
 * not in the surface. */
bool pliant__build_spare_faces(pliant__builder *b, uint64_t inner);

/* Checks where a body tears, and that it meets no bodies. What it says of a body that does not is not looked at. */
bool pliant__check_tear(const pliant_tear *tear, const pliant_body_def *body, pliant_error *error);

/* Room for so many constraints; without it they find room as they come, which takes more of it. */
bool pliant__reserve_constraints(pliant__builder *b, size_t count);

/* Gives a constraint of a kind its draft particles and its parameters; false: out of memory, or too many. */
bool pliant__fill_constraint(pliant_scene *scene, pliant__draft_constraint *c, const uint32_t *particles, const pliant_real *parameters,
                             pliant_error *error);

/* Appends a law and `count` constraints of it between local particles `ids` (slots numbers each), rest values measured. Nothing for
 * count 0. */
bool pliant__build_constraints(pliant__builder *b, pliant_constraint_kind kind, const char *role, const pliant_law *law,
                               const uint32_t *ids, size_t count);

/* Appends a law of the body's material; `share`: see pliant__draft_law; NULL: none. PLIANT__NONE on error. */
uint32_t pliant__build_law(pliant__builder *b, pliant_constraint_kind kind, const char *role, const pliant_law *law,
                           const pliant__share *share);

/* Appends constraints each of a law of its own, numbers of the scene's. */
bool pliant__build_constraints_of(pliant__builder *b, pliant_constraint_kind kind, const uint32_t *laws, const uint32_t *ids, size_t count);

/* Appends constraints of one law with the parameters that are said, so many numbers each as the kind has. */
bool pliant__build_constraints_said(pliant__builder *b, pliant_constraint_kind kind, uint32_t law, const uint32_t *ids,
                                    const pliant_real *parameters, size_t count);

/* Where particles are for a constraint's shape at rest. In a grid made here that is where they would be without rounding, around the first of them, its x
 * along x and its z along -y: what is alike in the grid has the same shape to the bit. */
void pliant__rest_positions(const pliant__builder *b, const uint32_t *ids, uint32_t slots, pliant_vec3 *x);

/* Appends the edges that tethers run along. A factor of 0: there are none, or as a quality chooses; below 0: none. */
bool pliant__build_tether_edges(pliant__builder *b, pliant_real factor, const uint32_t *edges, size_t count);

/* pliant_constraint_measure, of vectors. */
void pliant__measure(pliant_constraint_kind kind, const pliant_vec3 *x, pliant_real *parameter);

/* Whether a shape has parameters of PLIANT_ROW_SHAPED that a row may have, and C is 0 with them; what bends from flat has to be flat. */
bool pliant__can_rest(pliant_constraint_kind kind, const pliant_vec3 *x);

/* A law of no body's material; reuses the last one if it is the same. PLIANT__NONE if out of memory. */
uint32_t pliant__loose_law(pliant_scene *scene, pliant_constraint_kind kind, const char *role, const pliant_law *law);

/* The draft particle of a vertex, or PLIANT__NONE with the error filled. */
uint32_t pliant__find_particle(const pliant_scene *scene, pliant_body body, uint32_t vertex, pliant_error *error);

/* Keys of targets, at so many times and for `count` of them: makes room for all, and keeps their times; then the positions of one, which lie `each`
 * apart. What keys replace stays where it is, unused. */
bool pliant__keep_key_times(pliant_scene *scene, const double *times, size_t key_count, size_t count, uint32_t *first, pliant_error *error);
uint32_t pliant__keep_key_positions(pliant_scene *scene, const pliant_vec3 *positions, size_t key_count, size_t each);

/* The body if it is there and was not removed, else NULL with the error filled. */
pliant__draft_body *pliant__find_body(const pliant_scene *scene, pliant_body body, pliant_error *error);

#endif
