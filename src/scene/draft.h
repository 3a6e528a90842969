/* The inside of a pliant_scene: everything that bodies, pins, colliders and forces were expanded into, in the order in which it was said.
 *
 * Bodies append to the flat arrays below as they are added. A removed body keeps its place, with `removed` set, so that ids stay; compile
 * leaves out what refers to it. Draft particles are the welded ones; a body's vertices map to them. */
#ifndef PLIANT_SCENE_DRAFT_H
#define PLIANT_SCENE_DRAFT_H

#include "base/array.h"
#include "base/error.h"
#include "pliant/model.h"

#define PLIANT__NONE UINT32_MAX

/* Whether a particle moves by itself, is pinned, or is pinned for ever. */
enum pliant__pin { PLIANT__FREE, PLIANT__RELEASABLE, PLIANT__ANCHOR };

/* Whether a target moves the particle, so that it cannot be pinned for ever. */
enum pliant__attached { PLIANT__UNATTACHED, PLIANT__BY_TARGET, PLIANT__BY_SKIN };

typedef struct pliant__draft_particle {
    pliant_vec3 x, v;
    double      mass; /* kg, what it weighs when it is not pinned; > 0 unless `w0` */
    pliant_real w;    /* 1/kg as given, where the user gave inverse masses; else 0 and mass counts */
    uint8_t     pin;  /* enum pliant__pin */
    uint8_t     given_w;
    uint8_t     attached; /* enum pliant__attached */
    double      extent;   /* its share of the body's area, volume or length: mass = extent * density; 0 where masses were given */
} pliant__draft_particle;

/* A row's share of the stiffness of the material, by its place in the mesh: elastic.c, fabric.c. */
enum pliant__part { PLIANT__ALONG_WARP, PLIANT__ALONG_WEFT, PLIANT__ANY_WAY, PLIANT__OF_SHEAR, PLIANT__PARTS };
typedef struct pliant__share {
    double size; /* compliance times modulus; 0: the law is the material's as it is */
    double part
        [PLIANT__PARTS]; /* stiffness over each modulus, of which it is the sum: stretch of cloth; bending, over the rigidity of warp, of weft, of either
                                 * (where all directions are one, `size` apart), and, of shear, over the root of both */
    double slope; /* angles of a grid: the square of the ratio of its cells' sides, along z over along x; else 0 */
} pliant__share;

/* A law as several constraints share it. The compiler merges equal ones of one kind, material and role. */
typedef struct pliant__draft_law {
    pliant_constraint_kind kind;
    char                   material[32];
    const char            *role; /* static string */
    uint32_t               body; /* index of the body with the material that the law follows, or PLIANT__NONE */
    pliant_law             law;
    pliant__share          share; /* of soft bodies and cloth; else zeroed */
} pliant__draft_law;

/* The law that a material gives to rows with the share of this one, which has a size above 0. */
pliant_law pliant__shared_law(const pliant_material *m, pliant_body_type type, const pliant__draft_law *law);

/* The law with the damping that a material's damping_time gives it: Kelvin and Voigt's, in proportion to stiffness. */
static inline pliant_law pliant__law_in_time(const pliant_material *m, const pliant_law *law)
{
    pliant_law out = *law;
    if (m->damping_time > 0 && law->damping == 0 && law->compliance > 0)
        out.damping = (pliant_real)((double)m->damping_time / (double)law->compliance);
    return out;
}

/* A target that attached vertices follow. */
typedef struct pliant__draft_target {
    uint32_t    body, particle;       /* draft indices */
    bool        soft;                 /* soft: an attachment constraint to a slot of its own; hard: the particle itself is moved */
    pliant_vec3 x;                    /* where it starts */
    uint32_t    key_first, key_count; /* into target_key_positions; count 0: no keys */
    uint32_t    time_first;           /* into target_key_times; one for all targets that were keyed in one call */
} pliant__draft_target;

/* A skinned target: the place that a vertex of a garment stays near. */
typedef struct pliant__draft_skin {
    uint32_t    body, particle; /* draft indices */
    pliant_real max_distance, backstop_radius, backstop_offset;
    uint32_t    key_first, key_count, time_first; /* as those of a target */
} pliant__draft_skin;

/* The moving frame of a body. */
typedef struct pliant__draft_frame {
    uint32_t       body, key_first, key_count; /* into frame_key_times and frame_key_poses */
    pliant_inertia felt;
} pliant__draft_frame;

/* How strong a particle of a body that tears is beside the others. */
typedef struct pliant__draft_strength {
    uint32_t    particle;
    pliant_real strength;
} pliant__draft_strength;

/* What a body's closed surface is filled with, or what its clusters are. */
typedef struct pliant__draft_group {
    uint32_t body, kind, key_first, key_count; /* keys: into group_key_times and group_key_values */
    double   number[PLIANT_GROUP_NUMBERS];     /* as the kind's row has them; else 0 */
    double   cluster;                          /* m, side of a cube; 0: the whole body, or as listed */
    uint32_t size_first, size_count;           /* clusters as listed: into group_cluster_sizes; count 0: they are not */
    uint32_t member_first;                     /* into group_cluster_members: draft particles */
    uint32_t mouth_first, mouth_count;         /* into group_mouths: draft particles; count 0: it has no mouth */
    double   from, until;                      /* s, when the mouth opens and shuts; `until` 0: never */
    double   discharge, density;               /* of the mouth, as in pliant_mouth_def */
    int      line;                             /* of the file that was read, where it says so; 0: none */
} pliant__draft_group;

/* A blade. */
typedef struct pliant__draft_cut {
    uint32_t body;                 /* draft index, or PLIANT__NONE: every body of the first `bodies` that tears */
    uint32_t bodies;               /* how many there were when it was added */
    uint32_t key_first, key_count; /* into cut_key_times, and twice that into cut_key_edges */
} pliant__draft_cut;

/* Stitches of one call, and each of them: the point of its first particle, and one among the others. */
typedef struct pliant__draft_stitches {
    pliant_stitches_def def;          /* its lists are NULL */
    uint32_t            first, count; /* into each_stitch */
} pliant__draft_stitches;

typedef struct pliant__draft_stitch {
    uint32_t    particles[4]; /* draft particles; one that has no weight is the second again */
    pliant_real weights[3];   /* of those behind the first; their sum is 1 */
} pliant__draft_stitch;

#define PLIANT__TARGET_SLOT 0x80000000u /* in a draft constraint: the number of a target, not of a particle */

/* There are as many constraints as anything, and most kinds have few particles and parameters: a constraint has room for so many itself. All particles, or
 * parameters, of a kind with more lie in an array of the scene's. */
#define PLIANT__OWN_SLOTS 4u
#define PLIANT__OWN_PARAMETERS 3u

typedef struct pliant__draft_constraint {
    uint16_t kind;
    uint8_t  user; /* 1: `kind` is meaningless, see `users[particles[0]]` */
    uint8_t  removed;
    uint32_t law;  /* into laws */
    uint32_t body; /* body that generated it, or PLIANT__NONE: added one by one */
    union {
        uint32_t particles[PLIANT__OWN_SLOTS]; /* draft particles; users' constraints keep theirs in `users` */
        uint32_t first_particle;               /* of a kind with more: into constraint_particles */
    };
    union {
        pliant_real parameters[PLIANT__OWN_PARAMETERS]; /* as the row of the table has them */
        uint32_t    first_parameter;                    /* of a kind with more: into constraint_parameters */
    };
} pliant__draft_constraint;

/* So many particles and parameters has a constraint of a kind. */
static inline uint32_t pliant__kind_slots(uint32_t kind)
{
    static const uint8_t slots_of[] = {
#define ROW(NAME, name, slots, ...) slots,
        PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW
    };
    return slots_of[kind];
}

static inline uint32_t pliant__kind_parameters(uint32_t kind)
{
    static const uint8_t parameters_of[] = {
#define ROW(NAME, name, slots, rows, count, ...) count,
        PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW
    };
    return parameters_of[kind];
}

typedef struct pliant__draft_user {
    uint32_t particles[PLIANT_MAX_SLOTS];
    uint32_t particle_count, row_count, function;
    uint64_t tag;
} pliant__draft_user;

/* Corner k < 6 of the two triangles that a quad is cut into, from corner 0 to 2 or, `second`, from 1 to 3. The first is also a triangle's own. */
static inline uint32_t pliant__cut_corner(bool second, uint32_t k)
{
    static const uint8_t ways[2][6] = {{0, 1, 2, 0, 2, 3}, {0, 1, 3, 1, 2, 3}};
    return ways[second][k];
}

/* A vertex of a visual surface: a blend of four particles of the body. */
typedef struct pliant__embedding {
    uint32_t    particles[4]; /* draft particles */
    pliant_real weights[4];
} pliant__embedding;

typedef struct pliant__draft_body {
    pliant_body_type   type;
    bool               removed;
    char               name[64];
    pliant_vec3        spin; /* that it began with, rad/s */
    pliant_material    material;
    pliant_solid_model model; /* of a soft body */
    pliant_cloth_model cloth_model;
    pliant_real        tear;             /* stretch at which its elements tear; 0: it does not */
    uint32_t           spare_count;      /* its last particles: they stand by, without a vertex of the caller's, until others are split */
    uint32_t           first_element;    /* of a body that tears: the constraint of its first triangle or tetrahedron */
    uint32_t           spare_face_count; /* of its faces the last ones: they stand by until tetrahedra come apart */
    bool               self_contact;
    uint32_t           contact_group, contact_mask, collider_mask;
    pliant_look        look;    /* its texture is NULL: */
    uint32_t           picture; /* into pictures, or PLIANT__NONE: no texture */
    uint32_t           first_particle, particle_count;
    uint32_t           grid[3];                        /* particles along each side where they are a grid in its order, x fastest; else 0 */
    uint32_t           first_vertex, vertex_count;     /* vertex_particle[first_vertex + v] is the draft particle of vertex v */
    uint32_t           first_triangle, triangle_count; /* simulated surface, draft particles: wind */
    uint32_t           first_face, face_count, first_face_index, face_index_count; /* written-out faces, of the surface's own vertices */
    uint32_t           first_uv;                         /* with a texture: into face_uvs, two for each of the face indices */
    uint32_t           first_embedding, embedding_count; /* visual surface; count 0: the vertices themselves are written out */
    pliant_real        tether;                           /* factor; 0: none, or as quality.c chooses; below 0: none */
    bool               was_tethered;                     /* before its constraints were removed: its particles keep their numbers */
    bool               has_frame;
    uint8_t            has_groups; /* a bit per pliant_group_over */
    pliant_mended      mended;
    uint32_t           first_skin, skin_count; /* skinned targets, in the order listed */
    ARRAY(uint32_t) edges;                     /* pairs of draft particles, for tethers: only if there may be any */
    ARRAY(uint32_t) targets;                   /* numbers in scene->targets, in the order attached */
} pliant__draft_body;

/* A PNG file. */
typedef struct pliant__picture {
    uint32_t first, size; /* into picture_bytes */
} pliant__picture;

typedef struct pliant__draft_force {
    pliant_force_def def;       /* without pointers */
    uint32_t         key_first; /* into force_key_times, _vectors and _shares; def.key_count of them */
} pliant__draft_force;

typedef struct pliant__draft_collider {
    pliant_collider_def def;                            /* its pointers are NULL */
    uint32_t            key_first, key_count;           /* into collider_key_times / collider_key_poses */
    uint32_t            point_first, point_count;       /* into collider_points */
    uint32_t            triangle_first, triangle_count; /* into collider_corners, which are numbered from its first point */
    uint32_t            distance_first, distance_count; /* into collider_distances */
    uint32_t            number_first, number_count;     /* into collider_numbers: heights */
    pliant_mended       mended;
} pliant__draft_collider;

struct pliant_scene {
    pliant_scene_def settings;
    pliant_allocator allocator;
    ARRAY(pliant__draft_body) bodies; /* id = index + 1 */
    ARRAY(pliant__draft_particle) particles;
    ARRAY(uint32_t) vertex_particle;
    ARRAY(uint32_t) triangles;  /* 3 draft particles each */
    ARRAY(uint32_t) face_sizes; /* 3 or 4 */
    ARRAY(uint8_t) face_cuts;   /* 1: a quad that is cut from its corner 1 to 3; else from 0 to 2 */
    ARRAY(uint32_t) face_indices;
    ARRAY(float) face_uvs; /* of bodies with a texture */
    ARRAY(pliant__picture) pictures;
    ARRAY(uint8_t) picture_bytes;
    ARRAY(pliant__embedding) embeddings;
    ARRAY(pliant__draft_law) laws;
    ARRAY(pliant__draft_constraint) constraints; /* id = index + 1 */
    ARRAY(uint32_t) constraint_particles;        /* of kinds with more than a constraint has room for */
    ARRAY(pliant_real) constraint_parameters;    /* likewise */
    ARRAY(pliant__draft_user) users;
    ARRAY(pliant__draft_target) targets;
    ARRAY(pliant__draft_skin) skins;
    ARRAY(double) target_key_times; /* of skins too */
    ARRAY(pliant_vec3) target_key_positions;
    ARRAY(pliant__draft_frame) frames;
    ARRAY(double) frame_key_times;
    ARRAY(pliant_pose) frame_key_poses;
    ARRAY(pliant__draft_strength) strengths;
    ARRAY(pliant__draft_group) groups;
    ARRAY(double) group_key_times;
    ARRAY(double) group_key_values;
    ARRAY(pliant__draft_cut) cuts;
    ARRAY(double) cut_key_times;
    ARRAY(pliant_vec3) cut_key_edges;       /* 2 per key */
    ARRAY(pliant__draft_stitches) stitches; /* id = index + 1 */
    ARRAY(pliant__draft_stitch) each_stitch;
    ARRAY(uint32_t) group_cluster_sizes;
    ARRAY(uint32_t) group_cluster_members;
    ARRAY(uint32_t) group_mouths;
    ARRAY(pliant__draft_collider) colliders; /* id = index + 1 */
    ARRAY(double) collider_key_times;
    ARRAY(pliant_pose) collider_key_poses;
    ARRAY(pliant_vec3) collider_points;
    ARRAY(uint32_t) collider_corners; /* 3 points per triangle */
    ARRAY(float) collider_distances;  /* of fields */
    ARRAY(pliant_real) collider_numbers;
    ARRAY(pliant__draft_force) forces;
    ARRAY(double) force_key_times;
    ARRAY(pliant_vec3) force_key_vectors;
    ARRAY(pliant_real) force_key_shares;
    ARRAY(pliant_contact_pair_def) contact_pairs;
    int method_line; /* of the file that was read, where it says how it is solved; 0: none */
};

/* The particle, numbered in the body, that a spare is put beside: spares are spread over all. */
static inline uint32_t pliant__spare_home(const pliant__draft_body *b, uint32_t spare)
{
    return (uint32_t)((uint64_t)spare * (b->particle_count - b->spare_count) / b->spare_count);
}

/* Draft particles of a constraint of the table's, and its parameters. */
static inline const uint32_t *pliant__draft_particles(const pliant_scene *s, const pliant__draft_constraint *d)
{
    return pliant__kind_slots(d->kind) > PLIANT__OWN_SLOTS ? s->constraint_particles.data + d->first_particle : d->particles;
}

static inline const pliant_real *pliant__draft_parameters(const pliant_scene *s, const pliant__draft_constraint *d)
{
    return pliant__kind_parameters(d->kind) > PLIANT__OWN_PARAMETERS ? s->constraint_parameters.data + d->first_parameter : d->parameters;
}

/* Lists the tethers that the scene's pins ask for now, as (free particle, pin, rest length) triples. Deterministic. False if
 * out of memory. */
typedef struct pliant__tether {
    uint32_t    body, particle, pin;
    pliant_real rest, factor; /* m, rest length; rest length over the distance along the body */
} pliant__tether;
typedef ARRAY(pliant__tether) pliant__tethers;
bool pliant__scene_tethers(const pliant_scene *scene, pliant__tethers *out, pliant_error *error);

#endif
