/* Pliant: the model, what a scene was compiled into. Immutable: many states, solvers and threads may share one.
 * It is one relocatable block of bytes, which can be saved and mapped. */
#ifndef PLIANT_MODEL_H
#define PLIANT_MODEL_H

#include "pliant/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Frees a model. Its states and solvers must be gone. NULL is allowed. */
PLIANT_API void pliant_model_destroy(pliant_model *model);

/** The model's bytes, for saving. They are the same on every machine. */
PLIANT_API const void *pliant_model_data(const pliant_model *model, size_t *size);

/** A model from bytes that pliant_model_data gave, used in place: they must stay, 64-byte aligned, as long as the model does.
 * `allocator` NULL: the C library's. NULL on error: not a model, of another version or precision, or damaged. The checksum finds damage, not malice:
 * map only bytes that you trust. */
PLIANT_API pliant_model *pliant_model_map(const void *data, size_t size, const pliant_allocator *allocator, pliant_error *error);

/** A cooked model, as pliant_cooked_write makes it, is a model's bytes and behind them so many bytes of how it is to be played. So
 * pliant_model_map(data, size - PLIANT_COOKED_TAIL, ...) takes one that lies in memory, without the library that reads files. */
#define PLIANT_COOKED_TAIL 64u

/** A number that is the same for the same model everywhere. */
PLIANT_API uint64_t pliant_model_hash(const pliant_model *model);

/** The settings it was compiled with. `allocator` is zeroed. */
PLIANT_API pliant_scene_def pliant_model_settings(const pliant_model *model);

/** How many substeps a step of `dt` seconds (1e-6 to 1) has where its inputs say nothing else. 0 where PLIANT_SUBSTEP_CARRY makes that depend
 * on the state, and for another dt. */
PLIANT_API uint32_t pliant_model_substeps(const pliant_model *model, double dt);

/** How many edges lie across the cloth or rope that has the most: the longer side of a grid, the root of a mesh's particles, half the segments of a
 * rope. By it a quality chooses substeps (pliant_scene_def.quality). 0: there is neither. */
PLIANT_API uint32_t pliant_model_edges_across(const pliant_model *model);

/** Why PLIANT_QUALITY_GOOD has the substeps of pliant_model_settings(), beside the edges across: "all of grids". "" where the
 * edges alone have chosen them, or soft bodies, or no quality did. The text is never freed. */
PLIANT_API const char *pliant_model_quality_reason(const pliant_model *model);

/** The substeps of pliant_model_settings(), where a quality has more of them than edges across ask for, since an elastic wave would go through a soft body by more
 * than an edge in a substep: docs/quality.md#soft-bodies. 0: it has not, or no quality chose them. */
PLIANT_API uint32_t pliant_model_wave_substeps(const pliant_model *model);

/** What a body was made as. */
typedef enum pliant_body_type { PLIANT_BODY_CLOTH, PLIANT_BODY_SOFT, PLIANT_BODY_ROPE, PLIANT_BODY_PARTICLES } pliant_body_type;

/** A body of a model. */
typedef struct pliant_body_info {
    pliant_body      body;
    pliant_body_type type;
    const char      *name;
    const char      *material;             /**< its material's name */
    uint32_t         vertex_count;         /**< of the caller's simulated mesh, before welding; and of what stands by */
    uint32_t         spare_count;          /**< its last vertices, which stand by until others are split; 0: it does not tear */
    uint32_t         particle_count;       /**< after welding */
    uint32_t         surface_vertex_count; /**< of what is written out: the visual surface, or vertex_count */
    bool             visual;               /**< what is written out is a visual surface that rides along, not the simulated vertices */
    uint32_t         face_count;           /**< of what is written out; 0 for ropes and particles */
    uint32_t         face_index_count;     /**< sum of the faces' sizes */
    uint32_t         spare_face_count; /**< its last faces, triangles that stand by until a solid opens: pliant_state_face_count; else 0 */
    uint32_t         target_count;     /**< attached vertices */
    uint32_t         skin_count;       /**< skinned targets, as pliant_skin_def lists them */
    double           mass;             /**< kg, of what is not pinned for ever */
    pliant_real      thickness;        /**< m */
    pliant_real
        tether; /**< the length of its tethers over that of their ways along the body: as its def says or a quality chose; 0: it has none */
    bool        self_contact; /**< as in pliant_body_def, as are the groups and masks */
    uint32_t    contact_group, contact_mask, collider_mask;
    pliant_look look;
} pliant_body_info;

/** The fastest elastic wave through a body. */
typedef struct pliant_wave {
    double speed; /**< m/s: of pressure, that of a slab; 0: the body has no triangles or tetrahedra with laws of their own, or no mass */
    double edge;  /**< m, of a regular element as large as the body's are on the average */
} pliant_wave;

/** Writes the waves of all bodies, in their order, pliant_model_body_count of them; all 0 of those without triangles or tetrahedra with laws of their own. The fewer
 * substeps one takes to cross an edge, the softer does the body look than its material: docs/materials.md#how-many-substeps. PLIANT_ERROR_ARGUMENT without a model
 * or an `out`, PLIANT_ERROR_MEMORY. */
PLIANT_API pliant_code pliant_model_waves(const pliant_model *model, pliant_wave *out);

/** Particles that begin aside of where the scene has them, since they lie there, to within rounding, in the surface of a body that theirs meets. They are put
 * aside by a thousandth of the distance that the two bodies keep, or more where rounding may take that; to which side depends on the numbers of bodies and
 * vertices. docs/contact.md. */
typedef struct pliant_parted {
    uint32_t    count; /**< particles; 0: the rest says nothing */
    pliant_body body;  /**< of the first of them */
    pliant_body other; /**< what it lies in */
    pliant_real by;    /**< m, how far the farthest one is put aside */
} pliant_parted;

/** What begins aside in a model; all 0 without a model. */
PLIANT_API pliant_parted pliant_model_parted(const pliant_model *model);

/** Clusters of shape matching of a body: docs/shape-matching.md. One that is small or flat resists next to no deformation. */
typedef struct pliant_shape_clusters {
    uint32_t count; /**< 0: the body has no shape */
    uint32_t small; /**< of them: with fewer than four particles, where all clusters of the body together have four */
    uint32_t
        flat; /**< of the others: in a plane or on a line, where the particles of all clusters of the body together span one dimension more */
} pliant_shape_clusters;

/** The clusters that hold a body in shape; all 0 if the model has no such body. */
PLIANT_API pliant_shape_clusters pliant_model_shape_clusters(const pliant_model *model, pliant_body body);

/** Stitches of all calls of pliant_scene_add_stitches, broken ones too; 0 without a model. */
PLIANT_API uint32_t pliant_model_stitch_count(const pliant_model *model);

/** How many bodies there are. */
PLIANT_API uint32_t pliant_model_body_count(const pliant_model *model);

/** Body number `index` from 0, in the order added. */
PLIANT_API pliant_body_info pliant_model_body_at(const pliant_model *model, uint32_t index);

/** The body with this name; id 0 if there is none. */
PLIANT_API pliant_body pliant_model_find_body(const pliant_model *model, const char *name);

/** Information on a body; zeroed if the model has no such body. */
PLIANT_API pliant_body_info pliant_model_body(const pliant_model *model, pliant_body body);

/** The faces that are written out: `sizes[face_count]`, `indices[face_index_count]`, in the caller's vertex numbers and order. */
PLIANT_API void pliant_model_faces(const pliant_model *model, pliant_body body, const uint32_t **sizes, const uint32_t **indices);

/** Texture coordinates of a body with a texture, two per corner: `uvs[2 * face_index_count]`, beside the indices of pliant_model_faces. NULL of others. */
PLIANT_API const float *pliant_model_uvs(const pliant_model *model, pliant_body body);

/** Simulated particles of all bodies, without targets. */
PLIANT_API uint32_t pliant_model_particle_count(const pliant_model *model);

/** Constraints of a kind; of all kinds and users' constraints for PLIANT_CONSTRAINT_COUNT. */
PLIANT_API uint32_t pliant_model_constraint_count(const pliant_model *model, pliant_constraint_kind kind);

/** One constraint as it is solved. */
typedef struct pliant_solved_constraint {
    pliant_constraint      constraint;
    pliant_constraint_kind kind;
    uint32_t               wave;                        /**< constraints of one wave share no particle and run at once: the colour */
    uint32_t               law;                         /**< its number in pliant_model_law */
    pliant_particle        particles[PLIANT_MAX_SLOTS]; /**< vertex is the first vertex welded into the particle. For a target, body
                                                             is id 0 and vertex counts the targets of the model */
    pliant_real            parameters[PLIANT_MAX_PARAMETERS];
} pliant_solved_constraint;

/** Constraints that are solved (those between anchors only are left out), users' constraints excluded. */
PLIANT_API uint32_t pliant_model_solved_count(const pliant_model *model);

/** Constraint number `position` in the order solved. Visiting all in order is linear. */
PLIANT_API pliant_solved_constraint pliant_model_solved(const pliant_model *model, uint32_t position);

/** How many waves a sweep has. */
PLIANT_API uint32_t pliant_model_wave_count(const pliant_model *model);

/** A law that constraints of the model share. */
typedef struct pliant_law_info {
    pliant_constraint_kind kind;
    const char            *material; /**< name of the material; empty for constraints added one by one */
    const char            *role;     /**< "stretch", "shear", "bend", "area", "volume", "solid", "sheet", "tether", "attachment" or "" */
    pliant_law             law;
    uint32_t               count; /**< constraints that have it */
} pliant_law_info;

/** A group of a body: what fills one of its closed surfaces, or the clusters that hold it in shape. */
typedef struct pliant_body_group {
    pliant_group_kind kind;
    pliant_body       body;
    double            numbers
        [PLIANT_GROUP_NUMBERS]; /**< as pliant_group_describe(kind) names them; the first is what pliant_inputs_group or pliant_inputs_shape change */
} pliant_body_group;

/** How many groups there are: of a body with several closed surfaces one for each of them. */
PLIANT_API uint32_t pliant_model_group_count(const pliant_model *model);

/** Group number `index`; all 0 if there is none. */
PLIANT_API pliant_body_group pliant_model_group(const pliant_model *model, uint32_t index);

/** How many laws there are. */
PLIANT_API uint32_t pliant_model_law_count(const pliant_model *model);

/** Law number `index`. pliant_inputs_law changes it live. */
PLIANT_API pliant_law_info pliant_model_law(const pliant_model *model, uint32_t index);

/** How many colliders there are. */
PLIANT_API uint32_t pliant_model_collider_count(const pliant_model *model);

/** Collider number `index` from 0: as it was added, with its keys left out, its pose the one at time 0. `name` is in the def. The mesh of one
 * that is a hull or a mesh is the model's: of a hull its corners and triangles, of a mesh its triangles, vertices at one place being one. The
 * heights of a height field and the values of a field of distances are the model's, too. */
PLIANT_API pliant_collider_def pliant_model_collider_at(const pliant_model *model, uint32_t index, pliant_collider *collider);

/** Whether a body meets a collider: their groups say so, and no contact pair says that they ignore each other. false where one of them is none. */
PLIANT_API bool pliant_model_meets_collider(const pliant_model *model, pliant_body body, pliant_collider collider);

/** The collider with this name; id 0 if there is none. */
PLIANT_API pliant_collider pliant_model_find_collider(const pliant_model *model, const char *name);

/** How many forces there are. */
PLIANT_API uint32_t pliant_model_force_count(const pliant_model *model);

/** Force number `index`, and its id in `force` (may be NULL), 0 past the last. */
PLIANT_API pliant_force_def pliant_model_force_at(const pliant_model *model, uint32_t index, pliant_force *force);

/** How many contact pairs there are. */
PLIANT_API uint32_t pliant_model_contact_pair_count(const pliant_model *model);

/** Contact pair number `index`: those of bodies by their order, `body` not behind `other`, and after a body's those with colliders. */
PLIANT_API pliant_contact_pair_def pliant_model_contact_pair_at(const pliant_model *model, uint32_t index);

/** Bytes of one state of this model. */
PLIANT_API size_t pliant_model_state_size(const pliant_model *model);

#ifdef __cplusplus
}
#endif
#endif
