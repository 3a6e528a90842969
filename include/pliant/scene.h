/* Pliant: the scene, a draft of what is to be simulated. It grows by calls, is checked, and is compiled into a model.
 *
 * Defs are filled by their default function first, then changed; a def that was not is refused. Arrays in a def belong to the caller
 * and are read during the call only. Vertices of a body are numbered as the caller's mesh numbers them, always. */
#ifndef PLIANT_SCENE_H
#define PLIANT_SCENE_H

#include "pliant/constraints.h"
#include "pliant/groups.h"
#include "pliant/methods.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pliant_scene pliant_scene;
typedef struct pliant_model pliant_model;
typedef struct pliant_state pliant_state;

/** A body of a scene; stays valid through compile, so it also names the body in the model. id 0 is no body. */
typedef struct pliant_body {
    uint32_t id;
} pliant_body;

/** A collider of a scene and of its model. id 0 is no collider. */
typedef struct pliant_collider {
    uint32_t id;
} pliant_collider;

/** A force of a scene and of its model: 1, 2, ... in the order in which they were added. id 0 is no force. */
typedef struct pliant_force {
    uint32_t id;
} pliant_force;

/** The order in which a scene solves its constraints. */
typedef enum pliant_order {
    PLIANT_ORDER_COLOUR, /**< by colours: wide and parallel */
    PLIANT_ORDER_GIVEN   /**< one after another, as listed */
} pliant_order;

/** How a substep goes from velocities to positions: docs/integration.md. */
typedef enum pliant_integration {
    PLIANT_INTEGRATION_FIRST_ORDER, /**< backward Euler: error in proportion to the substep, and it damps */
    PLIANT_INTEGRATION_BDF2 /**< backward differentiation of second order: error in proportion to its square, and it damps far less */
} pliant_integration;

/** What happens when a NaN or a runaway speed appears. */
typedef enum pliant_on_divergence {
    PLIANT_DIVERGENCE_STOPS,   /**< the step returns PLIANT_ERROR_DIVERGED */
    PLIANT_DIVERGENCE_RESTORES /**< the body goes back to where the step began, at rest */
} pliant_on_divergence;

/** What a run does that gains energy from nowhere: docs/energy.md. A step does nothing about it; `pliant run` and `pliant demo` do. */
typedef enum pliant_on_energy {
    PLIANT_ENERGY_IGNORED, /**< nothing; energies are reckoned only where something else asks for them */
    PLIANT_ENERGY_WARNS,   /**< it says so in one line at its end */
    PLIANT_ENERGY_STOPS    /**< it ends with the first frame that gains any */
} pliant_on_energy;

/** What is chosen when a scene is compiled, so that cloth and ropes hardly stretch beyond what their laws let them, and soft bodies are as stiff as their
 * materials: docs/quality.md. */
typedef enum pliant_quality {
    PLIANT_QUALITY_GIVEN,   /**< nothing: substeps and tethers are as the scene says */
    PLIANT_QUALITY_PREVIEW, /**< 10 substeps, and tethers for cloth and ropes that hang on pins by weight and steady forces */
    PLIANT_QUALITY_GOOD, /**< 10 to 40 substeps, by how many edges lie across the finest cloth or rope and whether all cloth is grids, and tethers;
                            up to 60 if soft bodies are too stiff for fewer */
    PLIANT_QUALITY_FINAL /**< 20 to 80, and up to 120 for soft bodies */
} pliant_quality;

/** How much of a violation that a substep finds becomes speed in it: docs/energy.md. */
typedef enum pliant_easing {
    PLIANT_EASING_AS_NEEDED, /**< where substeps grow shorter, and of volumes in substeps below 1/300 s, only a part: no energy is gained by it */
    PLIANT_EASING_NONE /**< all of it, as XPBD is published (Macklin 2016, eq. 18): for comparisons with that, and energy may be gained */
} pliant_easing;

/** What keeps bodies that meet from passing through each other where their pairs have not been solved to the end: docs/contact.md. */
typedef enum pliant_contact_bound {
    PLIANT_CONTACT_BOUND_PATHS,     /**< paths are cut at planes between pairs, so that nothing passes through anything */
    PLIANT_CONTACT_BOUND_SPEED,     /**< velocities are limited to what pairs were found for, and something may pass */
    PLIANT_CONTACT_BOUND_CONTINUOUS /**< paths are cut where pairs meet on them, by continuous queries; nothing passes either */
} pliant_contact_bound;

/** What becomes of the part of a step that substeps of a fixed length do not fill. */
typedef enum pliant_substep_rest {
    PLIANT_SUBSTEP_SPREAD, /**< substeps are made shorter until they fill the step: dt / ceil(dt / substep). For frames of one length */
    PLIANT_SUBSTEP_CARRY /**< substeps are all of that length, and the rest is left to the next step: the state is up to a substep behind what
                                steps have asked for. For steps of uneven length: docs/time.md */
} pliant_substep_rest;

/** What holds for a whole scene. */
typedef struct pliant_scene_def {
    size_t           size;
    pliant_allocator allocator; /**< kept by the scene and by models compiled from it */
    pliant_vec3      gravity;   /**< m/s^2; default (0, -9.81, 0) */
    uint32_t         substeps;  /**< per step, 1 to 10000; default 10. Not used where `substep` is above 0 */
    double substep; /**< s, how long a substep is, 1e-6 to 1, whatever the step; default 0: `substeps` count. A step has 10000 at most */
    pliant_substep_rest substep_rest; /**< default PLIANT_SUBSTEP_SPREAD */
    uint32_t            iterations;   /**< per substep, 1 to 10000; default 1 */
    pliant_order        order;
    pliant_method_def   method;      /**< how constraints are solved; a solver may be told otherwise */
    pliant_real         damping;     /**< 1/s, of all motion but the rigid one of the whole system (Müller 2007, 3.5) */
    pliant_real         drag;        /**< 1/s, of every velocity */
    pliant_real         max_speed;   /**< m/s; beyond it the run counts as diverged; default 1e4 */
    pliant_real         sleep_speed; /**< m/s; a particle sleeps that in half a second has gone no further than this speed takes it; default
                                        0: none sleeps */
    pliant_on_divergence on_divergence;
    pliant_integration   integration;   /**< default PLIANT_INTEGRATION_FIRST_ORDER */
    pliant_contact_bound contact_bound; /**< default PLIANT_CONTACT_BOUND_PATHS */
    pliant_on_energy     on_energy;     /**< default PLIANT_ENERGY_IGNORED */
    pliant_easing        easing;        /**< default PLIANT_EASING_AS_NEEDED */
    pliant_quality       quality; /**< default PLIANT_QUALITY_GIVEN. The others choose `substeps`, whatever it says, and go with neither
                                             `substep`, nor other iterations than 1, nor other methods than gauss_seidel, nor BDF2 */
    double
        frame; /**< s, how long steps are meant to be, 1e-6 to 1, by which a quality chooses substeps for soft bodies; default 1/60, in scene files 1 / fps */
} pliant_scene_def;

PLIANT_API pliant_scene_def pliant_scene_def_default(void);

/** Starts an empty scene. `def` may be NULL. NULL on error. */
PLIANT_API pliant_scene *pliant_scene_create(const pliant_scene_def *def, pliant_error *error);

/** Frees a scene; models compiled from it live on. NULL is allowed. */
PLIANT_API void pliant_scene_destroy(pliant_scene *scene);

/* ---- materials ---- */

/** What a body is made of. Laws of kinds that the body does not have are ignored. */
typedef struct pliant_material {
    size_t      size;
    char        name[32]; /**< for statistics and live changes; may be empty */
    pliant_real density;  /**< kg/m^2 for cloth, kg/m^3 for soft bodies, kg/m for ropes */
    pliant_law  stretch;  /**< distances along edges */
    pliant_law  shear;    /**< distances along the diagonals of quads */
    pliant_law  bend;     /**< dihedral angles (rad/(N m)) or distances across two edges (m/N) */
    pliant_law  area;     /**< areas of triangles */
    pliant_law  volume;   /**< volumes of tetrahedra */
    pliant_real young;    /**< Pa, of soft bodies; default 1e5. 0: they have the laws `stretch` and `volume` as they are */
    pliant_real
        poisson; /**< Poisson's ratio that goes with it: from 0 and below 0.5; of a body of distances above 0.25, of other models at most 0.4999; default 0.45 */
    pliant_real
        stretch_warp; /**< N/m, of cloth: force per width and strain of a strip along a grid's x; default 0: cloth has the law `stretch` as it is */
    pliant_real stretch_weft; /**< N/m, along a grid's z; default 0: as warp. A mesh has the mean of both in all directions */
    pliant_real
        shear_stiffness; /**< N/m, of cloth: force per width and radian between warp and weft; default 0: the law `shear` as it is */
    pliant_real bending_rigidity; /**< N m, of cloth: moment per width and curvature; default 0: the law `bend` as it is */
    pliant_real
        bending_weft; /**< N m, of cloth that bends about its warp, so that weft curves; `bending_rigidity` is of warp then. Default 0: as that */
    pliant_real
        plane_poisson; /**< of cloth of other models than distance: Poisson's ratio in its plane, the geometric mean of those along warp and weft, 0 to 0.99; default 0 */
    pliant_real
        yield; /**< of soft bodies of elastic models: equivalent strain from which they flow, as pliant_law has it; default 0: never */
    pliant_real creep;     /**< 1/s, as pliant_law has it, and so are these */
    pliant_real hardening; /**< yield per plastic strain */
    pliant_real most;      /**< largest plastic strain; 0: any */
    pliant_real
        damping_time; /**< s, of every law of the body that has a compliance and no damping of its own: it is damped by this over the compliance, so that
                                 within it what is let go comes back to 1/e where its mass does not matter. Default 0 */
    bool
        has_stretch; /**< a body obeys `stretch`, rigid or not, though `young` or `stretch_warp` is above 0; default false: only a law other
                          than the rigid one counts */
    bool        has_shear;        /**< likewise for `shear` and `shear_stiffness` */
    bool        has_bend;         /**< likewise for `bend` and `bending_rigidity` */
    bool        has_volume;       /**< likewise for `volume` and `young` */
    bool        has_area;         /**< cloth keeps areas too; default false */
    pliant_real thickness;        /**< m, radius of a particle in contacts; default 0 */
    pliant_real friction_static;  /**< default -1: whatever the collider has */
    pliant_real friction_dynamic; /**< default -1: whatever the collider has */
    pliant_real restitution;      /**< default -1: whatever the collider has */
    pliant_real rolling_friction; /**< of ropes, across themselves where they lie on something; default -1: they do not roll, but slide */
    pliant_real damping;          /**< 1/s, of all motion but the rigid one of the body (Müller 2007, 3.5) */
    pliant_real drag;             /**< 1/s, of every velocity */
    pliant_real air_drag;         /**< drag coefficient of triangles in wind; default 1 */
    pliant_real air_lift;         /**< lift coefficient of triangles in wind; default 0.5 */
} pliant_material;

/** Materials to begin with. */
typedef enum pliant_preset {
    PLIANT_COTTON,
    PLIANT_SILK,
    PLIANT_DENIM,
    PLIANT_RUBBER_SHEET, /**< cloth */
    PLIANT_JELLY,
    PLIANT_RUBBER, /**< soft bodies */
    PLIANT_ROPE,
    PLIANT_STEEL_CABLE, /**< ropes */
    PLIANT_LEGACY_JELLY,
    PLIANT_LEGACY_RUBBER, /**< soft bodies as they were before they had a Young's modulus: a compliance per edge, rigid volumes */
    PLIANT_LEGACY_COTTON,
    PLIANT_LEGACY_SILK,
    PLIANT_LEGACY_DENIM,
    PLIANT_LEGACY_RUBBER_SHEET, /**< cloth as it was before it had stiffness by measure: a compliance per edge, diagonal and hinge */
    PLIANT_PRESET_COUNT
} pliant_preset;

/** Rigid laws, density 1, nothing else; soft bodies have a Young's modulus of 1e5 Pa and a Poisson's ratio of 0.45. */
PLIANT_API pliant_material pliant_material_default(void);

/** A ready material; an unknown preset gives the default one. */
PLIANT_API pliant_material pliant_material_preset(pliant_preset preset);

/** The preset's name in scene files ("cotton"), or NULL past the last. */
PLIANT_API const char *pliant_preset_name(pliant_preset preset);

/* ---- meshes ---- */

/** A surface in the caller's memory: triangles, quads, or both. */
typedef struct pliant_mesh_view {
    const void     *positions; /**< three pliant_real at the head of every vertex */
    size_t          stride;    /**< bytes from one vertex to the next, >= 3 sizeof(pliant_real) */
    size_t          vertex_count;
    const uint32_t *triangles; /**< 3 per triangle */
    size_t          triangle_count;
    const uint32_t *quads; /**< 4 per quad, in turning order */
    size_t          quad_count;
    const float *
        uvs; /**< texture coordinates, 2 per corner of the triangles and then of the quads: to the right and up, (0, 0) at the lower left of
                              the picture; NULL: none. Bodies with a look.texture need them, others leave them out */
} pliant_mesh_view;

/** A triangle mesh view in one call. */
static inline pliant_mesh_view pliant_mesh_view_of(const void *positions, size_t stride, size_t vertex_count, const uint32_t *triangles,
                                                   size_t triangle_count)
{
    pliant_mesh_view m = {positions, stride, vertex_count, triangles, triangle_count, NULL, 0, NULL};
    return m;
}

/** Finds which vertices of a mesh are at one place, for caps and seams that do not share theirs. `number[v]`, of each of `vertex_count`
 * vertices, is that of its place; places are numbered from 0 in the order in which they first occur. A vertex is at the place of the first
 * vertex, among those that began a place, that is at most `distance` (m, or what the positions are in) away from it; if there is none it
 * begins one itself. So two vertices of one place may be up to twice as far from each other, and a chain of near vertices does not become
 * one place. With distance 0 positions are equal, -0 and 0 being so. `count` (may be NULL) gets how many places there are, 0 on error. An error:
 * positions that are not finite, a distance below 0, or one so small beside the positions that they cannot tell it (less than 1e-15 of them). Linear. */
PLIANT_API pliant_code pliant_mesh_weld(const pliant_mesh_view *mesh, pliant_real distance, uint32_t *number, size_t *count,
                                        pliant_error *error);

/** What was found in the mesh of a body or of a collider as it was added, and what was done about it: counts, all 0 for a mesh that is whole. All
 * vertices are there still, with their numbers, whatever faces are left out. */
typedef struct pliant_mended {
    uint32_t flat; /**< faces with less than three places, or without area where nothing else gives their vertices mass, tetrahedra without
                           volume, segments of ropes without length: left out */
    uint32_t doubled;   /**< faces or tetrahedra with the vertices of another one: left out */
    uint32_t joined;    /**< vertices that rounding had parted from another one, which they are joined with */
    pliant_real gap;    /**< m: the largest distance between joined vertices */
    uint32_t    near;   /**< vertices at open edges that nearly coincide with one of another edge, and are left apart */
    pliant_real weld;   /**< m: the largest distance between such vertices */
    uint32_t    turned; /**< triangles of a collider that looked the other way than most of their part, by area, and were turned */
    uint32_t    visual; /**< faces of a soft body's visual surface that have a vertex twice: left out */
} pliant_mended;

/** Tetrahedra in the caller's memory. */
typedef struct pliant_tet_view {
    const void     *positions; /**< three pliant_real at the head of every vertex */
    size_t          stride;
    size_t          vertex_count;
    const uint32_t *tetrahedra; /**< 4 per tetrahedron; positive volume: (x1-x0) x (x2-x0) . (x3-x0) > 0 */
    size_t          tetrahedron_count;
} pliant_tet_view;

/** Where a body is put: scaled, then rotated, then moved. */
typedef struct pliant_placement {
    pliant_vec3 position;
    pliant_quat rotation;
    pliant_vec3 scale;
} pliant_placement;

/* ---- bodies ---- */

/** The pattern on a surface, in two shades of its colour: docs/pictures.md. */
typedef enum pliant_pattern {
    PLIANT_PATTERN_PLAIN,
    PLIANT_PATTERN_CHECKER,
    PLIANT_PATTERN_STRIPES,
    PLIANT_PATTERN_DOTS,
    PLIANT_PATTERN_WEAVE,
    PLIANT_PATTERN_COUNT
} pliant_pattern;

#define PLIANT_COLOR_CHOSEN UINT32_MAX

/** How a body looks in pictures, in the window, and in files that have colours. It changes no result; but states and checkpoints belong to a model with its looks. */
typedef struct pliant_look {
    uint32_t       color;   /**< 0xRRGGBB, as screens have it; default PLIANT_COLOR_CHOSEN: by its place among the bodies */
    pliant_pattern pattern; /**< of surfaces, as they are at the start, and along ropes; default PLIANT_PATTERN_PLAIN */
    pliant_real
                pattern_size; /**< m, from one square, stripe, dot or thread to the next but one; default 0: a fifth of the body's longest side, or of a rope's length */
    pliant_real roughness; /**< from 0, a mirror's gloss, to 1, none; default -1: 0.45 of soft bodies, 0.7 of others */
    const void    *
        texture; /**< the bytes of a PNG file, copied; it lies on the surface by the mesh's uvs, or by a grid's own, and `color`, white by default, is
                              multiplied with it. A cloth, or a soft body with a visual surface, can have one, without a pattern. NULL: none */
    size_t texture_bytes; /**< 64 MiB at the most */
} pliant_look;

/** What every body has, first member of every body's def. */
typedef struct pliant_body_def {
    char               name[64]; /**< unique in the scene; empty: "body1", "body2", ... */
    pliant_placement   placement;
    pliant_vec3        velocity;      /**< m/s, of every particle at the start */
    pliant_vec3        spin;          /**< rad/s about the centre of mass, at the start */
    const pliant_real *masses;        /**< kg per vertex instead of by density; NULL: by density. Welded vertices add up */
    bool               fixed;         /**< every particle is an anchor for ever */
    bool               self_contact;  /**< no part of its surface passes through another; needs a thickness of the material */
    uint32_t           contact_group; /**< bits: the groups that it is in; default 1 */
    uint32_t    contact_mask; /**< bits: it does not pass through bodies of these groups; default 0, none. Two bodies meet where each has a
                                      group of the other in its mask; then both need a thickness of the material */
    pliant_look look;
    uint32_t
        collider_mask; /**< bits: groups of colliders that keep this body out; default UINT32_MAX, colliders of every group and of none. A
                                      body and a collider meet where each has a group of the other in its mask */
} pliant_body_def;

/** How cloth resists bending. */
typedef enum pliant_bend {
    PLIANT_BEND_ANGLE,    /**< dihedral angle at every inner edge */
    PLIANT_BEND_DISTANCE, /**< distance between the vertices across every inner edge (two apart along a quad mesh's lines) */
    PLIANT_BEND_NONE,
    PLIANT_BEND_ISOMETRIC /**< as PLIANT_BEND_ANGLE, with isometric bending where the surface is flat at rest: cheaper, and softer beyond 90 degrees */
} pliant_bend;

/** By which constraints a cloth is as stiff in its plane as its material says. */
typedef enum pliant_cloth_model {
    PLIANT_CLOTH_DISTANCE, /**< a distance per edge, and per diagonal of a quad */
    PLIANT_CLOTH_STRAIN,   /**< a triangle_strain per triangle, quads cut in two: warp, weft and shear as measured, in any mesh */
    PLIANT_CLOTH_STVK,     /**< a triangle_stvk per triangle, likewise */
    PLIANT_CLOTH_SHAPE, /**< no constraint: the mesh is the surface of what pliant_scene_group holds in shape, and says nothing of its material */
    PLIANT_CLOTH_COUNT
} pliant_cloth_model;

/** Where a body tears: elements that are stretched beyond what the particles at their corners bear come apart there. Strengths of single vertices:
 * pliant_scene_set_strengths. */
typedef struct pliant_tear {
    pliant_real stretch; /**< largest length over length at rest, in any direction, that it bears: above 1; 0: it does not tear */
    pliant_real
        spare; /**< vertices that stand by for splits, as a share of its particles: (0, 4]. When they are used up it tears no further */
} pliant_tear;

/** A cloth: from `mesh`, or a grid where `mesh.positions` is NULL. A grid lies in the xz plane, centred, normal +y, its vertex
 * (i, j) is number j * (cells_x + 1) + i, x growing with i and z with j. Vertices of a mesh that no face uses are pinned for ever where
 * they are placed: they have no mass, whatever `body.masses` says, and nothing touches them. */
typedef struct pliant_cloth_def {
    size_t           size;
    pliant_body_def  body;
    pliant_material  material;
    pliant_mesh_view mesh;
    uint32_t         cells_x, cells_z; /**< grid: quads along x and z */
    pliant_real      size_x, size_z;   /**< grid: m */
    pliant_bend      bend;
    bool             weld;          /**< vertices at one place become one particle; default true */
    pliant_real      weld_distance; /**< m, of the mesh before it is placed: how near counts as one place, as pliant_mesh_weld has it, and
                                            all come out where the first one is; default 0, one place but for rounding: what
                                            is nearer than 1e-5 of the mesh's diagonal, unless a face would be lost by it */
    bool             weld_exactly;  /**< with a distance of 0: what rounding has parted stays apart; default false */
    pliant_real      tether;        /**< > 0: every vertex has a tether to every pin or, of more than four, to up to four that lie in
                                            different directions. A tether is this many times as long as the way over the cloth: straight
                                            across triangles, and across quads with diagonals that give way no more than edges; else along
                                            edges. Pins are those known when the scene is compiled. Default 0: none, or as the scene's
                                            `quality` chooses */
    bool             untethered;    /**< it has no tethers, whatever `tether` says or a quality would choose */
    pliant_cloth_model
        model; /**< default PLIANT_CLOTH_DISTANCE. Others have no laws of the material's, `stretch` and `shear`, and need `stretch_warp` and `shear_stiffness` */
    pliant_vec3
        warp; /**< of other models than distance, from a mesh: along this direction of the mesh, before it is placed, warp runs in each triangle; of any
                          length. Default 0: along u of the mesh's `uvs`, which must be there then. A grid's warp runs along x */
    pliant_tear
        tear; /**< default: it does not tear, spare 0.25. A body that tears is of another model than distance, has no tethers and meets no bodies, its
                           faces are triangles, and its vertices are followed by those that stand by: pliant_state_faces */
} pliant_cloth_def;

PLIANT_API pliant_cloth_def pliant_cloth_def_default(void);

/** Adds a cloth. id 0 on error. */
PLIANT_API pliant_body pliant_scene_add_cloth(pliant_scene *scene, const pliant_cloth_def *def, pliant_error *error);

/** By which constraints a soft body is as stiff as material.young and material.poisson ask for. */
typedef enum pliant_solid_model {
    PLIANT_SOLID_DISTANCE, /**< a distance per edge and a volume per tetrahedron; poisson above 0.25 */
    PLIANT_SOLID_NEO_HOOKEAN, /**< a tet_neo_hookean per tetrahedron, by the material's modulus and ratio in any mesh; poisson from 0 to 0.4999 */
    PLIANT_SOLID_COROTATED, /**< a tet_corotated per tetrahedron, likewise */
    PLIANT_SOLID_STVK,      /**< a tet_stvk per tetrahedron, likewise */
    PLIANT_SOLID_STRAIN,    /**< a tet_strain per tetrahedron, likewise */
    PLIANT_SOLID_SHAPE,     /**< no constraint: pliant_scene_group holds it in shape */
    PLIANT_SOLID_BY_MATERIAL, /**< neo_hookean, or distance where the material says something of the law `stretch` or `volume` or has no `young` */
    PLIANT_SOLID_COUNT
} pliant_solid_model;

/** The model of a soft body of this material where its def says PLIANT_SOLID_BY_MATERIAL. */
PLIANT_API pliant_solid_model pliant_material_solid_model(const pliant_material *material);

/** The law that a material's moduli give to the elements of an elastic kind, as a body with it has: `young` and `poisson` to tetrahedra of the models of a pliant_solid_model,
 * `stretch_warp`, `stretch_weft`, `shear_stiffness` and `plane_poisson` to triangles of those of a pliant_cloth_model. pliant_inputs_law takes it, to change moduli while a
 * scene runs. Its size is 0 if the kind is none of these, or the material has no `young` or no `stretch_warp`. */
PLIANT_API pliant_law pliant_material_law(const pliant_material *material, pliant_constraint_kind kind);

/** A soft body: from `mesh`, or a lattice of cubes, five tetrahedra each, where `mesh.positions` is NULL, centred at the origin, its
 * vertex (i, j, k) number (k * (cells[1] + 1) + j) * (cells[0] + 1) + i. Edges and tetrahedra are as stiff as material.young and
 * material.poisson ask for, or keep their lengths by material.stretch and their volumes by material.volume where these say something. Vertices of a mesh that no tetrahedron uses are pinned for ever, as those of a cloth's that no face uses. A
 * `visual` surface rides on the tetrahedra by barycentric coordinates and is then what is written out. */
typedef struct pliant_soft_def {
    size_t           size;
    pliant_body_def  body;
    pliant_material  material;
    pliant_tet_view  mesh;
    uint32_t         cells[3];
    pliant_vec3      extent; /**< lattice: m along x, y, z */
    bool             mend;   /**< inverted tetrahedra are turned round instead of refused */
    pliant_mesh_view visual; /**< in the same frame as the mesh, before placement; positions NULL: none */
    pliant_solid_model
        model; /**< default PLIANT_SOLID_BY_MATERIAL. Others than distance have no laws of the material's, `stretch` and `volume`, and need `young` */
    pliant_tear
        tear; /**< default: it does not tear, spare 0.25. A body that tears is of a model with tetrahedra (neo_hookean, corotated, stvk, strain), has no
                           `visual` and meets no bodies. Its vertices and its faces are followed by those that stand by: pliant_state_faces */
} pliant_soft_def;

PLIANT_API pliant_soft_def pliant_soft_def_default(void);

/** Adds a soft body. id 0 on error. */
PLIANT_API pliant_body pliant_scene_add_soft(pliant_scene *scene, const pliant_soft_def *def, pliant_error *error);

/** A rope along a polyline, or straight from `from` to `to`. Bending is a distance across two segments. */
typedef struct pliant_rope_def {
    size_t             size;
    pliant_body_def    body;
    pliant_material    material;
    pliant_vec3        from, to;
    uint32_t           segments;
    const pliant_vec3 *points; /**< a polyline instead; NULL: straight */
    size_t             point_count;
    bool               bend;       /**< default true */
    pliant_real        tether;     /**< as in pliant_cloth_def */
    bool               untethered; /**< as in pliant_cloth_def */
} pliant_rope_def;

PLIANT_API pliant_rope_def pliant_rope_def_default(void);

/** Adds a rope. id 0 on error. */
PLIANT_API pliant_body pliant_scene_add_rope(pliant_scene *scene, const pliant_rope_def *def, pliant_error *error);

/** Loose particles, to which constraints are added one by one. */
typedef struct pliant_particles_def {
    size_t             size;
    pliant_body_def    body;
    pliant_material    material;
    const pliant_vec3 *positions;
    const pliant_vec3 *velocities;     /**< NULL: body.velocity */
    const pliant_real *inverse_masses; /**< 1/kg, 0 pins for ever; NULL: body.masses, or 1 */
    size_t             count;
} pliant_particles_def;

PLIANT_API pliant_particles_def pliant_particles_def_default(void);

/** Adds particles. id 0 on error. */
PLIANT_API pliant_body pliant_scene_add_particles(pliant_scene *scene, const pliant_particles_def *def, pliant_error *error);

/** What was mended in a body's mesh; all 0 if there is no such body. */
PLIANT_API pliant_mended pliant_scene_body_mended(const pliant_scene *scene, pliant_body body);

/** Takes a body out, with its constraints, keys, pairs and everything else that refers to it. Other ids stay as they are. */
PLIANT_API pliant_code pliant_scene_remove_body(pliant_scene *scene, pliant_body body);

/** Takes out all constraints that there are: those that bodies were made with, tethers, soft attachments, users' own. Particles, pins and
 * hard targets stay, and constraints can be added anew; their ids are not used again. */
PLIANT_API pliant_code pliant_scene_remove_constraints(pliant_scene *scene);

/** Gives a body another material; its topology stays. */
PLIANT_API pliant_code pliant_scene_set_material(pliant_scene *scene, pliant_body body, const pliant_material *material,
                                                 pliant_error *error);

/** Gives vertices of a body masses, kg, above 0, in place of their own; welded vertices weigh the sum of the masses given to them. Vertices that are
 * named twice count twice. What was pinned for ever stays. A body that is added with a spin goes on turning about its centre of mass. */
PLIANT_API pliant_code pliant_scene_set_masses(pliant_scene *scene, pliant_body body, const uint32_t *vertices, const pliant_real *masses,
                                               size_t count, pliant_error *error);

/** How strong a body that tears is at its vertices: each bears its strength times the stretch that its `tear` says, 0 < strength <= 1000. */
PLIANT_API pliant_code pliant_scene_set_strengths(pliant_scene *scene, pliant_body body, const uint32_t *vertices,
                                                  const pliant_real *strengths, size_t count, pliant_error *error);

/* ---- pins and attachments ---- */

/** Pins vertices where they are. For ever: they take no part in colouring. Releasable: pliant_state_set_pinned lets them go. */
PLIANT_API pliant_code pliant_scene_pin(pliant_scene *scene, pliant_body body, const uint32_t *vertices, size_t count, bool releasable,
                                        pliant_error *error);

/** Attaches vertices hard to targets that move: pliant_inputs_targets says where to. Releasable. Targets of a body are numbered in the
 * order in which they were attached, hard and soft ones together. */
PLIANT_API pliant_code pliant_scene_attach(pliant_scene *scene, pliant_body body, const uint32_t *vertices, size_t count,
                                           pliant_error *error);

/** Attaches vertices to targets by springs: `law` may have compliance and damping. Targets start where the vertices are, or at
 * `positions` if not NULL, or where keys say. */
PLIANT_API pliant_code pliant_scene_attach_soft(pliant_scene *scene, pliant_body body, const uint32_t *vertices, size_t count,
                                                const pliant_law *law, const pliant_vec3 *positions, pliant_error *error);

/** Gives keys to targets [first, first + count) of a body: at `times[k]` (s, ascending) target i is at positions[k * count + i].
 * In between, straight; outside, the end keys. Inputs override keys. A soft target begins where its keys say at time 0; a hard one
 * begins with its vertex, where the body is placed, and goes to its keys during the first step. */
PLIANT_API pliant_code pliant_scene_key_targets(pliant_scene *scene, pliant_body body, uint32_t first, uint32_t count, const double *times,
                                                size_t key_count, const pliant_vec3 *positions, pliant_error *error);

/* ---- garments: vertices that stay near an animated mesh ---- */

/** How far vertices may leave skinned targets, which move with an animated mesh. Each holds in every substep, after all else but contacts
 * between bodies: docs/garments.md. Numbers are for all vertices, or `..._of` has one for each. */
typedef struct pliant_skin_def {
    size_t             size;
    const uint32_t    *vertices;        /**< NULL: all of the body's, in their order */
    size_t             vertex_count;    /**< of `vertices` */
    pliant_real        max_distance;    /**< m from the target; 0: the vertex is where the target is; below 0, the default: any distance */
    pliant_real        backstop_radius; /**< m, of a sphere behind the target that the vertex stays out of; default 0, none */
    pliant_real        backstop_offset; /**< m, >= 0: how far behind the target, against its normal, the sphere begins; default 0 */
    const pliant_real *max_distance_of, *backstop_radius_of, *backstop_offset_of; /**< one per vertex; NULL: the number above */
} pliant_skin_def;

PLIANT_API pliant_skin_def pliant_skin_def_default(void);

/** Gives vertices of a body skinned targets, numbered as `def` lists them; once per body. They begin where the vertices are, or where keys
 * say, and go where keys or pliant_inputs_skin say. Those with max_distance 0 are attached, hard, and can be let go. Of welded vertices the
 * last one counts. */
PLIANT_API pliant_code pliant_scene_skin(pliant_scene *scene, pliant_body body, const pliant_skin_def *def, pliant_error *error);

/** Gives keys to all skinned targets of a body: at `times[k]` (s, ascending) target i of n is at positions[k * n + i]. In between, straight;
 * outside, the end keys. Inputs override keys. Normals are those of the body's triangles at the targets' positions. */
PLIANT_API pliant_code pliant_scene_key_skin(pliant_scene *scene, pliant_body body, const double *times, size_t key_count,
                                             const pliant_vec3 *positions, pliant_error *error);

/* ---- moving frames ---- */

/** The shares of a frame's motion that a body feels, each from 0, not at all, to 1, as in the world. */
typedef struct pliant_inertia {
    pliant_real linear;      /**< of the translation of its origin */
    pliant_real angular;     /**< of its rotation */
    pliant_real centrifugal; /**< of the centrifugal acceleration of its rotation */
} pliant_inertia;

/** One share of all. */
static inline pliant_inertia pliant_inertia_of(pliant_real share)
{
    pliant_inertia i = {share, share, share};
    return i;
}

/** A frame that a body is simulated as seen from: docs/frames.md. */
typedef struct pliant_frame_def {
    size_t             size;
    pliant_inertia     felt;      /**< default 1: the frame is not noticed */
    const double      *key_times; /**< s, ascending; outside, the end keys. Inputs override */
    const pliant_pose *key_poses;
    size_t             key_count;
} pliant_frame_def;

PLIANT_API pliant_frame_def pliant_frame_def_default(void);

/** Gives a body a frame that moves by keys; once per body. pliant_inputs_frame needs none. */
PLIANT_API pliant_code pliant_scene_frame(pliant_scene *scene, pliant_body body, const pliant_frame_def *def, pliant_error *error);

/* ---- groups: constraints of a whole surface, or of clusters of particles ---- */

/** The mouth of a filled surface: an opening through which gas flows between its inside and the air. While it is open the gas flows out of it by the orifice law
 * (Torricelli and Bernoulli; Batchelor 1967, section 5.1): with p the gauge pressure, A the area of the mouth's faces as they are now and C the discharge,
 * C A sqrt(2 rho p) kg/s leave at the speed sqrt(2 p / rho), and the body is pushed the other way by the momentum of that jet, 2 C A p. Where the pressure is
 * below that of the air outside, air flows in likewise, which pushes nothing. */
typedef struct pliant_mouth_def {
    size_t          size;
    const uint32_t *vertices; /**< of the body; the mouth is the faces with all corners among them */
    size_t          count;    /**< 0: it has no mouth */
    double          from;     /**< s, when it opens; default 0 */
    double          until;    /**< s, when it shuts, after `from`; default 0: never */
    double
           discharge; /**< area of the jet over that of the mouth, from 0 to 1: about 0.61 of a hole with a sharp edge (default), 0.5 of a short tube that reaches
                           inwards (Borda), 1 of a round nozzle */
    double density; /**< kg/m^3 of the gas at 101,325 Pa, from 0.001 to 1e4; default 1.2, that of air at 20 degrees Celsius */
} pliant_mouth_def;

PLIANT_API pliant_mouth_def pliant_mouth_def_default(void);

/** What presses on a closed surface from within, or holds the shape of clusters. */
typedef struct pliant_group_def {
    size_t            size;
    pliant_group_kind kind;
    double            numbers[PLIANT_GROUP_NUMBERS]; /**< as the row of the kind has them, in its units */
    const double     *key_times;                     /**< s, ascending; outside, the end keys. NULL: the first number stays */
    const double     *key_values;                    /**< of the first number, in its unit; in between, straight */
    size_t            key_count;
    /* Of kinds over members. Without either the whole body is one cluster. */
    pliant_real     cluster;         /**< m: side of cubes that overlap by half, each a cluster of the particles in it; default 0 */
    const uint32_t *cluster_sizes;   /**< instead: how many vertices each cluster has */
    const uint32_t *cluster_members; /**< vertices of one cluster after another */
    size_t          cluster_count;
    /* Of the kind gas. */
    pliant_mouth_def mouth; /**< default: none */
} pliant_group_def;

PLIANT_API pliant_group_def pliant_group_def_default(pliant_group_kind kind);

/** Gives a body a group, at most one over faces and one over members.
 * Over faces: fills the body's surface, that of its triangles or of its tetrahedra, which must be closed: every edge has two triangles. Parts that
 * share no edge are filled each for itself. The volume at rest is that at the start. Fails, and says where the surface is open, with
 * PLIANT_ERROR_ARGUMENT; so it does where a mouth has no face, is all of a part, or is not of a gas.
 * Over members: clusters of the body's particles keep the shape that they have at the start (shape matching, Müller et al. 2005 and 2022:
 * docs/shape-matching.md). A particle that is in several clusters goes where they put it on the average. Vertices without mass, which no face or tetrahedron
 * uses, are in none. */
PLIANT_API pliant_code pliant_scene_group(pliant_scene *scene, pliant_body body, const pliant_group_def *def, pliant_error *error);

/* ---- cuts ---- */

/** A blade that cuts bodies that tear while the scene runs: docs/tearing.md. Either it is flat and cuts at once, or an edge goes from place to place and cuts
 * along what it sweeps. Elements stay whole, so that a cut runs along their sides, as that of pliant_state_cut does. */
typedef struct pliant_cut_def {
    size_t      size;
    pliant_body body; /**< one that tears; id 0 (default): every body that tears and was added before */
    /* At once. */
    const pliant_vec3 *corners;      /**< m, 3 or 4, one after another around the blade; those of 4 are two triangles, 0 1 2 and 0 2 3 */
    size_t             corner_count; /**< default 0: an edge moves */
    double             time;         /**< s, at least 0: when it cuts, in the step that begins then or earlier and ends later */
    /* Or along what an edge sweeps. */
    const double      *key_times; /**< s, at least 0, ascending; in between the edge goes straight, before and after there is none */
    const pliant_vec3 *key_edges; /**< m, two for each key: the ends of the edge */
    size_t             key_count; /**< at least 2; default 0 */
} pliant_cut_def;

PLIANT_API pliant_cut_def pliant_cut_def_default(void);

/** Cuts bodies while the scene runs, at the beginning of steps, as pliant_state_cut does. At once: with the triangles of the corners. With an edge: in each step with
 * what the edge sweeps until the step ends, and has swept for as long as the step takes before it began, so that what moves between steps is not missed; each piece
 * between keys is two triangles, a b b' and a b' a', with a and b the ends of the edge at its beginning, a' and b' those at its end.
 * PLIANT_ERROR_ARGUMENT where the body does not tear, or none does; where a number is no number, times do not ascend, or the blade has no area. */
PLIANT_API pliant_code pliant_scene_cut(pliant_scene *scene, const pliant_cut_def *def, pliant_error *error);

/* ---- stitches ---- */

/** How the points of two sides are sewn to each other. */
typedef enum pliant_stitch_way {
    PLIANT_STITCH_ORDER, /**< vertex k of a to vertex k of b: as many of one as of the other */
    PLIANT_STITCH_ALONG, /**< both lists are paths, at least two vertices each: each vertex of the side that has more to the point of the other
                           * side's path that is as far along it, as a share of its length at the start */
    PLIANT_STITCH_SURFACE /**< each vertex of a to the nearest point, at the start, of the triangles of b that have all their vertices in its list */
} pliant_stitch_way;

/** Threads that are drawn shut, and may be undone, or break: docs/stitches.md. A stitch pulls its two points together, and never pushes them apart. */
typedef struct pliant_stitches_def {
    size_t            size;
    pliant_body       a, b; /**< may be the same one; cloth, ropes and soft bodies */
    const uint32_t   *a_vertices, *b_vertices;
    size_t            a_count, b_count;
    pliant_stitch_way way;  /**< default PLIANT_STITCH_ORDER */
    double            from; /**< s, when stitches begin to be drawn shut; until then they do nothing. Default 0 */
    double      time;   /**< s, within which the length of each falls from how far its points are apart at `from`; default 1; 0: at once */
    double      until;  /**< s, when they are undone, after `from`; default 0: never */
    pliant_real length; /**< m, how long each is in the end; default 0: its points meet */
    pliant_real compliance;  /**< m/N of each; default 0: rigid */
    pliant_real break_force; /**< N: one that pulls more, at the end of a substep, is broken from then on; default 0: none breaks */
} pliant_stitches_def;

PLIANT_API pliant_stitches_def pliant_stitches_def_default(void);

/** Stitches of one call. id 0 is none. */
typedef struct pliant_stitches {
    uint32_t id;
} pliant_stitches;

/** Sews two bodies to each other, or a body to itself. Parts that share a sewn point do not touch each other. Methods gauss_seidel and
 * hierarchical take stitches. id 0 on error: PLIANT_ERROR_ARGUMENT where a body or vertex is not there, lists do not fit the way, or a number is out of
 * range. */
PLIANT_API pliant_stitches pliant_scene_add_stitches(pliant_scene *scene, const pliant_stitches_def *def, pliant_error *error);

/* ---- constraints one by one ---- */

/** A vertex of a body. */
typedef struct pliant_particle {
    pliant_body body;
    uint32_t    vertex;
} pliant_particle;

/** One constraint between vertices of any bodies. */
typedef struct pliant_constraint_def {
    size_t                 size;
    pliant_constraint_kind kind;
    pliant_particle        particles[PLIANT_MAX_SLOTS];
    pliant_real            parameters[PLIANT_MAX_PARAMETERS]; /**< what the row says, in its units: rest lengths in m, ... */
    bool                   measure; /**< parameters are measured from the initial positions: pliant_constraint_measure */
    pliant_law             law;
} pliant_constraint_def;

PLIANT_API pliant_constraint_def pliant_constraint_def_default(pliant_constraint_kind kind);

/** Names a constraint of the scene and of its model. id 0 is none. */
typedef struct pliant_constraint {
    uint32_t id;
} pliant_constraint;

/** Adds a constraint. id 0 on error. */
PLIANT_API pliant_constraint pliant_scene_add_constraint(pliant_scene *scene, const pliant_constraint_def *def, pliant_error *error);

/** A constraint of the user's own, solved as one block of rows. Its function is given to the solver (pliant_solver_def.user), under the
 * number `function`: models hold no pointers. Runs on the calling thread, after the others in each sweep, in the order added. */
typedef struct pliant_user_constraint_def {
    size_t          size;
    pliant_particle particles[PLIANT_MAX_SLOTS];
    uint32_t        particle_count; /**< 1 to PLIANT_MAX_SLOTS */
    uint32_t        row_count;      /**< 1 to PLIANT_MAX_ROWS */
    uint32_t        function;       /**< 0 to 15 */
    uint64_t        tag;            /**< handed to the function */
    pliant_law      law;            /**< limit: EQUAL, AT_MOST or AT_LEAST, row by row; limits make rows be solved one after another */
} pliant_user_constraint_def;

PLIANT_API pliant_user_constraint_def pliant_user_constraint_def_default(void);

/** Adds a user's constraint. id 0 on error. */
PLIANT_API pliant_constraint pliant_scene_add_user_constraint(pliant_scene *scene, const pliant_user_constraint_def *def,
                                                              pliant_error *error);

/* ---- colliders ---- */

/** What a collider looks like, in its own frame. */
typedef enum pliant_shape {
    PLIANT_SHAPE_PLANE,        /**< local half space y <= 0 is solid */
    PLIANT_SHAPE_SPHERE,       /**< `radius` about the local origin */
    PLIANT_SHAPE_CAPSULE,      /**< `radius` about the local segment (0, -half_height, 0) to (0, half_height, 0) */
    PLIANT_SHAPE_BOX,          /**< |x|, |y|, |z| <= half_extent */
    PLIANT_SHAPE_HULL,         /**< the convex hull of the points of `mesh` */
    PLIANT_SHAPE_MESH,         /**< the faces of `mesh`: solid behind them, or `two_sided` */
    PLIANT_SHAPE_HEIGHT_FIELD, /**< solid below `heights`, down to where there is no bottom, with walls at its sides */
    PLIANT_SHAPE_FIELD         /**< where `field` is negative */
} pliant_shape;

/** Signed distances to a closed surface, at the points of a grid, in the caller's memory. */
typedef struct pliant_field_view {
    pliant_vec3 origin;   /**< where the first value is, m */
    pliant_real cell;     /**< from one value to the next, m */
    uint32_t    count[3]; /**< values along x, y and z, at least 2 */
    /** m, negative inside; value (i, j, k) is number i + count[0] (j + count[1] k). Neighbours differ by no more than the cell is long, and the
     * outermost ones are positive. */
    const float *distance;
} pliant_field_view;

/** A solid that bodies touch and that nothing moves but the user. */
typedef struct pliant_collider_def {
    size_t             size;
    char               name[64];
    pliant_shape       shape;
    pliant_real        radius, half_height; /**< m */
    pliant_vec3        half_extent;         /**< m */
    pliant_mesh_view   mesh;                /**< hull: its vertices, of which four do not lie in one plane; mesh: its faces, too. Copied */
    pliant_field_view  field;               /**< distances to a closed surface. Copied */
    const pliant_real *heights; /**< m, `rows` times `columns`: that of row j, column i is at x = i cell, z = j cell. Copied. A cell is
                                             * two triangles, cut from its corner of least x and z to that of greatest where i + j is even, else along the other diagonal */
    uint32_t           columns, rows;    /**< 2 or more each */
    pliant_real        cell;             /**< m, default 1 */
    bool               two_sided;        /**< mesh: each side keeps what is on it; default false: what is behind comes out in front */
    pliant_pose        pose;             /**< at the start; with keys, these say where that is */
    pliant_real        friction_static;  /**< default 0.3; of a pair: the geometric mean */
    pliant_real        friction_dynamic; /**< default 0.3; likewise */
    pliant_real        restitution;      /**< default 0; of a pair: the larger */
    pliant_real        thickness;        /**< m, added all around; default 0 */
    bool               stick;            /**< a particle predicted inside stays where it was; see docs/colliders.md */
    bool     yields;        /**< goes no further than what it pushes has room for, where paths are cut, and catches up later; default false:
                                * it is where keys and inputs say, and presses what has no room into itself. docs/contact.md */
    uint32_t contact_group; /**< bits: the groups that it is in; default 1 */
    uint32_t
        contact_mask; /**< bits: groups of bodies that this collider keeps out; default UINT32_MAX, bodies of every group and of none */
    const double      *key_times; /**< s, ascending, the run begins at 0; outside, the end keys. NULL: none. Inputs override */
    const pliant_pose *key_poses;
    size_t             key_count;
} pliant_collider_def;

PLIANT_API pliant_collider_def pliant_collider_def_default(pliant_shape shape);

/** The shape's name in scene files ("capsule"), or NULL past the last. */
PLIANT_API const char *pliant_shape_name(pliant_shape shape);

/** Adds a collider. id 0 on error. */
PLIANT_API pliant_collider pliant_scene_add_collider(pliant_scene *scene, const pliant_collider_def *def, pliant_error *error);

/** What was mended about a collider's mesh; all 0 if there is no such collider. */
PLIANT_API pliant_mended pliant_scene_collider_mended(const pliant_scene *scene, pliant_collider collider);

/** A capsule that begins at `pose`, with all else by default. `half_height` is that of its segment, along y of the pose. A capsule that begins
 * elsewhere than the first step's inputs say sweeps to there in that step. id 0 on error, as of pliant_scene_add_collider. */
PLIANT_API pliant_collider pliant_scene_add_capsule(pliant_scene *scene, pliant_real radius, pliant_real half_height, pliant_pose pose,
                                                    pliant_error *error);

/** A sphere that begins at `pose`, likewise. */
PLIANT_API pliant_collider pliant_scene_add_sphere(pliant_scene *scene, pliant_real radius, pliant_pose pose, pliant_error *error);

/** A floor at y = `height`. id 0 on error. */
PLIANT_API pliant_collider pliant_scene_add_floor(pliant_scene *scene, pliant_real height, pliant_error *error);

/* ---- contact pairs ---- */

/** Friction, restitution and adhesion between two bodies, a body and itself, or a body and a collider, in place of those that follow from their
 * materials: docs/contact.md. */
typedef struct pliant_contact_pair_def {
    size_t          size;
    pliant_body     body;
    pliant_body     other;            /**< may be the same one: a body with itself */
    pliant_collider collider;         /**< instead of `other` */
    bool            ignore;           /**< they do not meet, whatever their groups; default false */
    pliant_real     friction_static;  /**< default -1: what both say together */
    pliant_real     friction_dynamic; /**< default -1: what both say together */
    pliant_real     restitution;      /**< default -1: what both say together */
    pliant_real     adhesion;         /**< N that each contact holds on with; default 0 */
} pliant_contact_pair_def;

PLIANT_API pliant_contact_pair_def pliant_contact_pair_def_default(void);

/** Adds a contact pair; once for each two, in either order. */
PLIANT_API pliant_code pliant_scene_contact_pair(pliant_scene *scene, const pliant_contact_pair_def *def, pliant_error *error);

/* ---- forces ---- */

/** What a force acts on, and what its vector means. */
typedef enum pliant_force_type {
    PLIANT_FORCE_ACCELERATION, /**< `vector` m/s^2 on every particle */
    PLIANT_FORCE_BODY,         /**< `vector` N on each body, spread over its particles by mass */
    PLIANT_FORCE_WIND /**< air of `air_density` moving at `vector` m/s past triangles; winds of a body are one air, and their velocities add up */
} pliant_force_type;

/** Where a force acts. */
typedef enum pliant_region {
    PLIANT_REGION_EVERYWHERE,
    PLIANT_REGION_BOX,   /**< between `region_low` and `region_high` */
    PLIANT_REGION_SPHERE /**< within `region_radius` of `region_low` */
} pliant_region;

/** A force field. A wind or an acceleration may differ from place to place, and any force from time to time: docs/forces.md. */
typedef struct pliant_force_def {
    size_t            size;
    pliant_force_type type;
    pliant_body       body; /**< id 0: every body */
    pliant_vec3       vector;
    pliant_real       air_density; /**< kg/m^3; default 1.2 */
    pliant_vec3       center;      /**< m: what `swirl` goes around, and `pull` leads to */
    pliant_vec3       axis;        /**< of `swirl`, of any length; default y */
    pliant_real       radius;      /**< m from the axis, or the centre, where swirl, or pull, is strongest; default 1 */
    pliant_real
        swirl; /**< in the unit of `vector`, at `radius`: around the axis, as a right hand's fingers go around its thumb; default 0 */
    pliant_real        pull;          /**< in the unit of `vector`, at `radius`: towards the centre; below 0 away from it; default 0 */
    pliant_real        gust;          /**< m/s, of a wind: root mean square of the speed of its turbulence; default 0 */
    pliant_real        gust_size;     /**< m, of a wind: the size of the largest eddies; default 1 */
    uint32_t           gust_seed;     /**< other numbers, other gusts */
    pliant_region      region;        /**< default PLIANT_REGION_EVERYWHERE */
    pliant_vec3        region_low;    /**< m: a corner of the box, or the sphere's centre */
    pliant_vec3        region_high;   /**< m: the box's other corner, in no axis below the first */
    pliant_real        region_radius; /**< m, of the sphere */
    pliant_real        falloff;       /**< m outside the region over which the force fades; default 0 */
    const double      *key_times;     /**< s, ascending; NULL without keys. In between straight, outside the end keys */
    const pliant_vec3 *key_vectors;   /**< per key: in place of `vector` */
    const pliant_real *key_shares;    /**< per key: of swirl, pull and gust; NULL: 1 */
    size_t             key_count;
} pliant_force_def;

PLIANT_API pliant_force_def pliant_force_def_default(pliant_force_type type);

/** Adds a force. id 0 on error. */
PLIANT_API pliant_force pliant_scene_add_force(pliant_scene *scene, const pliant_force_def *def, pliant_error *error);

/* ---- compiling ---- */

/** Compiles the scene into a model: particles numbered, constraints coloured and packed. The scene can be edited and compiled again.
 * NULL on error. */
PLIANT_API pliant_model *pliant_scene_compile(const pliant_scene *scene, pliant_error *error);

/** Compiles the edited scene and carries a state of the old model over: particles of bodies that are in both keep position, velocity and
 * pins, constraints keep their active bits, colliders their poses, both whether they are on, time goes on. `*state` belongs to the caller, as the model does.
 * NULL on error. */
PLIANT_API pliant_model *pliant_scene_recompile(const pliant_scene *scene, const pliant_state *old_state, pliant_state **state,
                                                pliant_error *error);

#ifdef __cplusplus
}
#endif
#endif
