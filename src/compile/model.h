/* The inside of a pliant_model: one block of bytes, a header and arrays at offsets, without pointers; and the handle that points into it.
 *
 * Every array of the block is a row of MODEL_ARRAYS. From it come the layout, the handle's pointers, and the check of a mapped block.
 *
 *   slot          where a particle lies in x, v, ...: bodies one after another, each contiguous, then targets, then inert ones up to a
 *                 multiple of 16. Those from slot 'inert' on have inverse mass 0, and no row names them.
 *   patch         some thousand slots and the rows among them, solved by one task, from the nearest caches. Either a range of slots, or,
 *                 for rows between such ranges, a list. Slots have numbers in a patch, written with 16 bits and so that 8 times it is
 *                 how many bytes into the range the slot has its packed position.
 *   round         patches that share no particle that moves; rounds are solved one after another. The first has all the ranges.
 *   row           one constraint, packed: its slots and its parameters. Rows lie in blocks of 16.
 *   batch         rows of one patch, colour, kind, law, limit and anchor mask, padded to whole blocks: one kernel call walks them. Its rows
 *                 share no particle that moves, unless it is serial and walked row by row. A patch's batches are solved one after another.
 *   wave          a name for rows that share no particle in the whole model: colour k of the patches of one round.
 *
 *   tile          a range that is part of a regular body, its slots in groups of up to 16 lanes: see compile/regular.c.
 *   block run     blocks of a batch; a tile is solved in block runs, strip by strip, with the result of batch by batch: see compile/tile_strips.c.
 *   cluster       rows of a few batches, lane by lane among the same few particles, which a kernel may solve at once: in whole blocks.
 *
 * Within a block, arrays run lane by lane: block b of a batch with n slots in its index and p parameters has its indices at
 * row_index + batch.index + b * 16 * n, slot s of row r at [place[s] * 16 + r], and its parameters at row_parameter + batch.parameter + b * step,
 * likewise. Any width W <= 16 walks a block in 16 / W strides of W consecutive numbers. Padding repeats the indices of the first row; batches of clusters have none.
 *
 * A regular batch has for each block, at row_index + batch.index + b * 2 * slots, for each slot the low and the high half of 64 times its
 * group, and how many lanes further on than the row's own it lies there added: where it is among the numbers of a tile in lanes. Which of the
 * block's 16 lanes have a row is in block_rows.
 *
 * A held batch has for each block, at row_index + batch.index + b * 18, in two halves where its 16 slots begin (64 times the group of a tile, or else
 * the number in the patch), and then 16 numbers of anchors: row r ties slot r of these to the anchor. Lanes that have a row are in block_rows. */
#ifndef PLIANT_COMPILE_MODEL_H
#define PLIANT_COMPILE_MODEL_H

#include "base/vec.h"
#include "pliant/model.h"
#include "scene/settings.h"

#define PLIANT__BLOCK 16u                                  /* rows per block: the widest kernel */
#define PLIANT__PATCH 16384u                               /* slots of a patch that is a range, at most */
#define PLIANT__LIST 4096u                                 /* of one that is a list, as soon as it has so many it is closed */
#define PLIANT__NUMBER ((uint32_t)sizeof(pliant_real) / 2) /* a slot's number i in its patch is written as this times i: 8 bytes each */
#define PLIANT__CHUNK 256u                                 /* slots per task of the particle-wise stages */
#define PLIANT__MODEL_MEANING 21u /* to be raised where an array or a field means something else and keeps its name and size */
#define PLIANT__NONE UINT32_MAX
#define PLIANT__MOST_MEMBERS 7u /* of a cluster */
#define PLIANT__MOST_SLOTS 5u

#define PLIANT__NOBODY (UINT32_MAX - 1)

typedef struct pliant__batch {
    uint32_t kind, limit;
    uint32_t law;                      /* or PLIANT__NONE: each row has its own, at row_law + own_laws */
    uint32_t anchors;                  /* bit s: slot s is an anchor in every row and is not written */
    uint32_t count;                    /* rows that are not padding; of a regular or held batch all of its blocks */
    uint32_t first_row;                /* packed row, a multiple of 16 */
    uint32_t index, parameter, lambda; /* where its blocks begin */
    uint32_t parameter_step;           /* numbers from one block's parameters to the next's; 0 where all rows have the same */
    uint32_t flow;                     /* 0, or where a row's law has a yield: 1 + where its blocks' parameters begin in a state's `flow` */
    uint32_t own_laws;                 /* where rows' own laws begin; of a regular or held batch where its block_rows do */
    uint32_t serial;                   /* rows may share particles: one after another */
    uint32_t compliant, damped;        /* any law of its rows is, where each row has its own */
    uint32_t patch, wave;
    uint8_t  shape, member;           /* of clusters: batches of all members follow one another and have one index */
    uint8_t  index_slots;             /* slots that a row of the index has; of regular and held batches: numbers that a block has */
    uint8_t  place[PLIANT_MAX_SLOTS]; /* which of them are the constraint's */
    uint8_t  unused;
    uint32_t first_solved; /* rows solved before it */
} pliant__batch;

/* Shapes of clusters, rows with the same few particles: see compile/cluster.c; tetrahedra.c for a volume with its edges; for regular ones
 * regular.c. */
enum pliant__cluster_shape {
    PLIANT__SINGLE,
    PLIANT__CLIQUE,
    PLIANT__TRIANGLE,
    PLIANT__REGULAR,
    PLIANT__TETRAHEDRON,
    PLIANT__PAIR,
    PLIANT__DIAMOND,
    PLIANT__VEE,
    PLIANT__HELD, /* rows of tethers to anchors: compile/held.c */
    PLIANT__SHAPE_COUNT
};

typedef struct pliant__shape_info {
    uint32_t slots, members;
    uint8_t  pair[6][2]; /* which of its slots each distance joins */
    uint32_t volumes;    /* so many of the members, the last ones, are volumes */
    uint8_t  volume[2][4];
} pliant__shape_info;
extern const pliant__shape_info pliant__shapes[PLIANT__SHAPE_COUNT];

typedef struct pliant__patch {
    uint32_t first_slot, slot_count; /* number i is slot first_slot + i, */
    uint32_t first_listed;           /* or, if this is not PLIANT__NONE, patch_slots[first_listed + i] */
    uint32_t first_batch, batch_count;
    uint32_t first_chunk, chunk_count;         /* of a range */
    uint32_t groups, lanes, full_groups;       /* of a tile, else 0: of its groups so many have `lanes` lanes, the others one less */
    uint32_t row;                              /* of a tile of a sheet: groups from one row of the sheet to the next; else 0 */
    uint32_t first_block_run, block_run_count; /* of a tile: its blocks in the order solved */
} pliant__patch;

/* Blocks of a batch that are solved one after another: see compile/tile_strips.c. */
typedef struct pliant__block_run {
    uint32_t batch, first, count;
} pliant__block_run;

typedef struct pliant__round {
    uint32_t first_patch, patch_count;
} pliant__round;

/* Slots of one body and one patch, at most 256: the work of one particle-wise task. */
typedef struct pliant__chunk {
    uint32_t first, count, body;
} pliant__chunk;

/* Numbers that laws of all kinds have together, and room for those of one. */
enum {
    PLIANT__LAWS_HAVE_NUMBERS = 0
#define ROW(NAME, name, slots, rows, count, parameters, ...) +PLIANT_NUMBERS(count, parameters)
    PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW
        ,
    PLIANT__LAW_ROOM = PLIANT__LAWS_HAVE_NUMBERS ? PLIANT_MAX_NUMBERS : 1
};

typedef struct pliant__model_law {
    uint32_t    kind, limit;
    uint32_t    count; /* rows that have it */
    uint32_t    limited;
    pliant_real compliance, damping, stiffness, range_min, range_max;
    pliant_real yield, creep, hardening, most; /* as pliant_law has them, and so is */
    pliant_real break_force;
    uint32_t    snaps;                    /* 1: of segments of a rope, one of which breaks at a time */
    pliant_real number[PLIANT__LAW_ROOM]; /* as the kind's row names them; else 0 */
    char        material[32], role[16];
} pliant__model_law;

typedef struct pliant__model_body {
    uint32_t    id, type;
    uint32_t    first_slot, slot_count;
    uint32_t    first_vertex, vertex_count;
    uint32_t    first_embedding, embedding_count;
    uint32_t    first_triangle, triangle_count; /* where there are some */
    uint32_t    first_face, face_count, first_face_index, face_index_count;
    uint32_t    first_target, target_count; /* into body_target */
    uint32_t    first_skin, skin_count, first_listed_skin, listed_skin_count, first_skin_triangle, skin_triangle_count;
    pliant_real thickness, friction_static, friction_dynamic, restitution;
    pliant_real rolling_friction, tether; /* below 0: it does not roll; ropes alone do. 0: it has no tethers */
    pliant_real damping, drag, air_drag, air_lift;
    uint32_t    self_contact, contact_group, contact_mask, collider_mask;
    uint32_t    color, pattern; /* as pliant_look has them, and so are */
    pliant_real pattern_size, roughness;
    uint32_t    first_segment;            /* of a rope that snaps: into segments, one per vertex; else any */
    uint32_t    picture, first_uv;        /* picture: PLIANT__NONE without a texture; first_uv: into face_uvs, two per face index */
    uint32_t    first_spare, spare_count; /* into spares */
    uint32_t    spare_face_count, unused; /* of its faces the last ones: they stand by until tetrahedra come apart */
    double      tear;                     /* stretch at which its elements tear; 0: it does not */
    double      mass;
    char        name[64], material[32];
} pliant__model_body;

/* Of a vertex of a rope that snaps: the rows of the segment to the next vertex, and of what bends across that and the one after. */
typedef struct pliant__model_segment {
    uint32_t row, bend;   /* packed rows; PLIANT__NONE: there is none */
    uint32_t lambda, law; /* of `row`: where its multiplier is, and its law */
    double   strength;    /* of `row`: what it bears, over what its law says; 1 of the weakest segment of a rope */
} pliant__model_segment;

typedef struct pliant__model_picture {
    uint32_t first, size; /* into picture_bytes */
} pliant__model_picture;

typedef struct pliant__model_target {
    uint32_t slot;                                 /* slot that moves: the target's own if soft, the particle's if hard */
    uint32_t body, soft;                           /* model's body */
    uint32_t first_key, key_count, first_position; /* position of key k: target_position[first_position + k] */
} pliant__model_target;

typedef struct pliant__model_skin {
    uint32_t    slot, body;                           /* model's body */
    uint32_t    first_key, key_count, first_position; /* as those of a target */
    uint32_t    unused;
    pliant_real max_distance, backstop_radius, backstop_offset;
    pliant_vec3 x; /* at the start */
} pliant__model_skin;

/* What fills a closed surface, or holds the clusters of a body. */
typedef struct pliant__model_group {
    uint32_t kind, body;                   /* pliant_group_kind; model's body */
    uint32_t first_member, member_count;   /* over faces: into group_members, and group_first_edge; over members: into matches */
    uint32_t first_key, key_count;         /* into group_time and group_value */
    double   rest;                         /* m^3, the volume at rest */
    double   number[PLIANT_GROUP_NUMBERS]; /* as the kind's row has them; else 0 */
} pliant__model_group;

/* The mouth of a filled surface. */
typedef struct pliant__model_mouth {
    uint32_t group, unused;
    uint32_t first_face, face_count; /* into mouth_faces */
    double   from, until;            /* s, when it opens and shuts; `until` 0: never */
    double   discharge;              /* area of the jet over that of its faces */
    double   density;                /* kg/m^3 of the gas at 101,325 Pa */
} pliant__model_mouth;

/* Stitches of one call, and each of them. A point is a slot, or a mean of others. */
typedef struct pliant__model_stitches {
    uint32_t    id, first, count, unused; /* first: into each_stitch */
    uint32_t    body[2];                  /* the model's */
    double      from, time, until;        /* s; until: INFINITY where they are never undone */
    pliant_real length, compliance;       /* m, m/N */
    pliant_real break_force;              /* N; 0: none breaks */
    pliant_real unused_too;
} pliant__model_stitches;

typedef struct pliant__model_stitch {
    uint32_t    slot[4];
    pliant_real weight[3]; /* of the slots behind the first; those without weight are the second again */
    uint32_t    stitches;  /* which call's */
} pliant__model_stitch;

/* A slot of a body that tears which stands by until a particle is split: it is the body's vertex then. */
typedef struct pliant__model_spare {
    uint32_t slot, home; /* it was put beside slot `home`, where its vertex is written out until it has a face */
    uint32_t
        own; /* 1: rows of `home` run between ranges, and their lists have this slot, too: it is for `home` alone. 0: for particles of its range that no list has */
} pliant__model_spare;

/* An element of a body that tears: a row of a kind with PLIANT_ROW_TEARS. */
typedef struct pliant__model_torn {
    uint32_t row, batch; /* packed row, and its batch */
    uint32_t body;       /* model's body */
    uint32_t number;     /* of its body's elements, in their order: of a sheet's, that of its face */
} pliant__model_torn;

/* A blade. Two keys of one time are those of a flat blade, which cuts at once. */
typedef struct pliant__model_cut {
    uint32_t body;                 /* model's body */
    uint32_t first_key, key_count; /* into cut_time, and twice that into cut_edge */
    uint32_t unused;
} pliant__model_cut;

/* Another row that a body which tears was made with. It goes with the elements that have all of their particles among its own: bending of an edge with the
 * triangles beside it. One that has none, as bending along a line has not, ends where one of its particles is split. */
typedef struct pliant__model_follower {
    uint32_t row, batch;
    uint32_t element[2]; /* or PLIANT__NONE */
} pliant__model_follower;

/* A cluster of shape matching. Symmetric matrices are xx yy zz xy yz zx. A member's place at rest, q, is that from the cluster's centre of mass. */
typedef struct pliant__model_match {
    uint32_t group, first_member, member_count; /* model's group; into match_slots and match_offsets */
    uint32_t quadratic;                         /* number in match_quadratics, or PLIANT__NONE */
    uint32_t flow, unused;                      /* 0, or where it has a yield: 1 + its number in a state's match_plastic */
    double   mass, volume;                      /* kg, m^3: what its members bring, each the same to every cluster that has it */
    double   spacing2, reach2;                  /* m^2: the volume of a member to 2/3; the mean square of a coordinate of q */
    double   centre[3];                         /* m, of mass, from the first member */
    double   inverse[6], range[6];              /* 1/(kg m^2): the inverse of sum m q q^T, in the directions where q differ; and these */
} pliant__model_match;

/* Of a cluster that a quadratic map fits: s = (xx yy zz xy yz zx) of q, less what a linear map of q makes of it. */
typedef struct pliant__model_quadratic {
    double mean[6], slope[6][3]; /* s = products - mean - slope q */
    double inverse[6][6];        /* of sum m s s^T, in the directions where s differ */
} pliant__model_quadratic;

typedef struct pliant__model_frame {
    uint32_t       body, first_key, key_count, unused;
    pliant_inertia felt;
} pliant__model_frame;

typedef struct pliant__model_user {
    uint32_t id, particle_count, row_count, function;
    uint32_t slots[PLIANT_MAX_SLOTS];
    uint64_t tag;
    uint32_t law, lambda;
} pliant__model_user;

/* Of a shape's facets: arrays about all colliders, of which a collider has a piece. */
typedef struct pliant__model_facets {
    uint32_t first_point, point_count;
    uint32_t first_triangle, triangle_count; /* their corners are numbered from the collider's first point */
    uint32_t first_node, levels;             /* a tree of boxes, its root first: level l has 2 to the l nodes, level 0 is the root */
    uint32_t two_sided;
    uint32_t closed;                      /* every edge has two triangles that turn the same way: there is an inside */
    uint32_t columns, rows, first_number; /* of a height field: how many heights, and where they begin */
    uint32_t first_block, block_count;    /* its blocks of two by two cells, by number, in the order of the tree's leaves */
    uint32_t unused;
} pliant__model_facets;

typedef struct pliant__model_box {
    pliant_vec3 low, high;
} pliant__model_box;

/* Of a shape's field: where its values begin, and their grid. */
typedef struct pliant__model_grid {
    uint32_t    first, count[3];
    pliant_vec3 origin;
    pliant_real cell;
} pliant__model_grid;

typedef struct pliant__model_collider {
    uint32_t             id, shape, stick, first_key, key_count, yields, contact_group, contact_mask;
    pliant__model_facets facets;
    pliant__model_grid   grid;
    pliant_real          radius, half_height;
    pliant_vec3          half_extent;
    pliant_pose          pose;
    pliant_real          friction_static, friction_dynamic, restitution, thickness;
    pliant_real          cell; /* of a height field */
    char                 name[64];
} pliant__model_collider;

typedef struct pliant__model_force {
    uint32_t    type, body; /* body: model's, PLIANT__NONE: all, or PLIANT__NOBODY: it was removed */
    uint32_t    region, gust_seed, first_key, key_count;
    pliant_vec3 vector;
    pliant_real air_density;
    pliant_vec3 center, axis; /* axis: of length 1 */
    pliant_real radius, swirl, pull, gust, gust_size;
    pliant_vec3 region_low, region_high; /* a sphere's centre is the first */
    pliant_real region_radius, falloff;
} pliant__model_force;

/* The def of a model's force. */
#define PLIANT__FORCE_SAYS(X) \
    X(vector)                 \
    X(air_density)            \
    X(center)                 \
    X(radius)                 \
    X(swirl)                  \
    X(pull)                   \
    X(gust)                   \
    X(gust_size)              \
    X(gust_seed)              \
    X(region_low)             \
    X(region_high)            \
    X(region_radius)          \
    X(falloff)

/* Whether a force differs from place to place, so that it is computed for each triangle or particle. */
static inline bool pliant__is_local(const pliant__model_force *f)
{
    return f->region || f->gust > 0 || f->swirl > 0 || f->swirl < 0 || f->pull > 0 || f->pull < 0;
}

typedef struct pliant__model_embedding {
    uint32_t    slots[4];
    pliant_real weights[4];
} pliant__model_embedding;

#define PLIANT__REACH 1.25 /* of the distance at which two bodies touch: nearer than that they may act on each other */

/* A contact pair: friction and restitution between two bodies, or a body and a collider; below 0: as follows from both. */
typedef struct pliant__model_contact_pair {
    uint32_t body, other; /* body <= other; colliders are numbered after all bodies */
    uint32_t ignore, unused;
#define X(name, ...) pliant_real name;
    CONTACT_PAIR_NUMBERS(X)
#undef X
} pliant__model_contact_pair;

/* X(type, name, meaning) */
#define MODEL_ARRAYS(X)                                                                                                          \
    X(pliant_real, x, "4 per slot: initial position, inverse mass as it is at the start (0 while pinned)")                       \
    X(pliant_real, v, "4 per slot: initial velocity, 0; empty where all are at rest")                                            \
    X(pliant_real, free_w, "per slot: inverse mass when it is not pinned; 0 for anchors and targets")                            \
    X(uint8_t, pin, "per slot: enum pliant__pin of the draft")                                                                   \
    X(uint32_t, slot_vertex, "per slot: the body's first vertex that is this particle; of a target, its number")                 \
    X(uint32_t, vertex_slot, "per vertex of all bodies: its slot")                                                               \
    X(pliant__model_body, bodies, "bodies that were not removed, in order")                                                      \
    X(uint32_t, body_of_id, "id - 1 to index in bodies, or none")                                                                \
    X(pliant__chunk, chunks, "all bodies' slots")                                                                                \
    X(pliant__model_embedding, embeddings, "visual surfaces' vertices")                                                          \
    X(uint32_t, triangles, "3 slots each: simulated surfaces, where wind blows at them or faces are others")                     \
    X(uint32_t, triangle_body, "per triangle")                                                                                   \
    X(uint32_t, corner_first, "per slot + 1: where its corners begin; empty without wind")                                       \
    X(uint32_t, corners, "triangle number of each corner, by slot")                                                              \
    X(uint32_t, face_sizes, "written-out faces: 3 or 4")                                                                         \
    X(uint32_t, face_indices, "their vertices, of those that are written out")                                                   \
    X(uint8_t, face_cuts, "a bit per face: a quad that is cut from its corner 1 to 3; else from 0 to 2")                         \
    X(float, face_uvs, "two per face index of bodies with a texture")                                                            \
    X(pliant__model_picture, pictures, "textures")                                                                               \
    X(uint8_t, picture_bytes, "PNG files, one after another")                                                                    \
    X(pliant__model_law, laws, "what constraints share")                                                                         \
    X(pliant__round, rounds, "in the order solved")                                                                              \
    X(pliant__patch, patches, "by round")                                                                                        \
    X(uint32_t, patch_slots, "slots of patches that are lists, ascending")                                                       \
    X(uint8_t, later, "a bit per slot: rounds after the first move it too")                                                      \
    X(uint32_t, later_slots, "these slots, ascending")                                                                           \
    X(pliant__batch, batches, "in the order solved")                                                                             \
    X(pliant__block_run, block_runs, "of tiles: blocks, strip by strip")                                                         \
    X(uint16_t, row_index, "slots of rows by their numbers in the patch, in blocks")                                             \
    X(pliant_real, row_parameter, "parameters of rows, in blocks")                                                               \
    X(uint16_t, block_rows, "of regular and held batches, per block: which lanes have a row")                                    \
    X(uint32_t, anchors, "slots that held batches tie particles to, ascending")                                                  \
    X(uint32_t, row_law, "laws of rows in batches with several (padding: 0)")                                                    \
    X(uint8_t, row_constraint, "`number_bytes` per packed row and user's constraint, and on: pliant__constraint_of")             \
    X(uint32_t, constraint_back, "per 8 of these, of the marked one: the marked one before it; compile/ids.c")                   \
    X(pliant__model_user, users, "users' constraints, in order")                                                                 \
    X(pliant__model_target, targets, "what attached vertices follow")                                                            \
    X(uint32_t, body_target, "numbers of targets, by body")                                                                      \
    X(pliant__model_skin, skins, "skinned targets of garments, by slot")                                                         \
    X(uint32_t, listed_skins, "numbers of skins, by body, as the user lists them")                                               \
    X(uint32_t, skin_triangles, "3 numbers of skins each, by body: what their normals are made of")                              \
    X(pliant__model_group, groups, "closed surfaces that are filled, and bodies with clusters, by body")                         \
    X(uint32_t, group_members, "slots of the particles of each, ascending")                                                      \
    X(uint32_t, group_first_edge, "per member + 1: its first edge")                                                              \
    X(uint32_t, group_edges, "2 slots each: of a member's triangles the edge opposite to it, as the triangle turns")             \
    X(pliant__model_mouth, mouths, "of filled surfaces, by group, at most one each")                                             \
    X(uint32_t, mouth_faces, "3 slots each, turned outwards")                                                                    \
    X(pliant__model_match, matches, "clusters of shape matching, by group")                                                      \
    X(uint32_t, match_slots, "slots of the members of each, ascending")                                                          \
    X(pliant_real, match_offsets, "4 per member: at rest, from the first member's place; its share of the mass, kg")             \
    X(pliant__model_quadratic, match_quadratics, "of clusters that a quadratic map fits")                                        \
    X(uint32_t, matched_slots, "slots that are in clusters, ascending")                                                          \
    X(uint32_t, matched_first, "per such slot + 1: where its members begin in matched_members")                                  \
    X(uint32_t, matched_members, "numbers in match_slots, by slot")                                                              \
    X(double, group_time, "keys")                                                                                                \
    X(double, group_value, "per key: of the first number")                                                                       \
    X(pliant__model_spare, spares, "particles of bodies that tear which stand by, by slot")                                      \
    X(pliant_real, strengths, "per slot: factor of the stretch at which its elements tear there; empty where no body tears")     \
    X(pliant__model_torn, torn_elements, "of bodies that tear, by packed row")                                                   \
    X(uint32_t, torn_faces, "4 per element, where some are tetrahedra: of all faces the one opposite to each corner, or none")   \
    X(pliant_real, torn_limits, "per packed row: square of the stretch that its weakest corner bears; 0: it is no such element") \
    X(uint32_t, torn_first, "per slot + 1: where its elements begin in torn_at")                                                 \
    X(uint32_t, torn_at, "elements around a particle as it is at first, ascending")                                              \
    X(pliant__model_follower, followers, "rows that go with elements, by packed row")                                            \
    X(uint32_t, follower_first, "per slot + 1: where its followers begin in follower_at")                                        \
    X(uint32_t, follower_at, "followers around a particle as it is at first, ascending")                                         \
    X(pliant__model_cut, cuts, "blades, in order; one of every body is one of each")                                             \
    X(double, cut_time, "keys")                                                                                                  \
    X(pliant_vec3, cut_edge, "2 per key: the ends of the edge")                                                                  \
    X(pliant__model_stitches, stitches, "stitches of a call, in order")                                                          \
    X(pliant__model_stitch, each_stitch, "by call, and there in the order of the vertices that are sewn")                        \
    X(uint64_t, sewn, "pairs of slots with a stitch between them, the lower one first, ascending")                               \
    X(pliant__model_segment, segments, "per vertex of ropes that snap, by body")                                                 \
    X(pliant__model_frame, frames, "moving frames of bodies")                                                                    \
    X(double, frame_time, "keys")                                                                                                \
    X(pliant_pose, frame_pose, "keys")                                                                                           \
    X(double, target_time, "keys")                                                                                               \
    X(pliant_vec3, target_position, "keys")                                                                                      \
    X(pliant__model_collider, colliders, "in order")                                                                             \
    X(double, collider_time, "keys")                                                                                             \
    X(pliant_pose, collider_pose, "keys")                                                                                        \
    X(pliant_vec3, collider_point, "of hulls and meshes: corners of triangles, in the collider's frame")                         \
    X(pliant_vec3, collider_normal, "per such point: what is in front of it, by angles; 0 at a border")                          \
    X(uint32_t, collider_corner, "3 points per triangle, in the order of the tree's leaves")                                     \
    X(uint32_t, collider_across, "per corner: the triangle beyond the edge from it to the next, or none")                        \
    X(pliant_real, collider_number, "heights of height fields, row by row")                                                      \
    X(uint32_t, collider_block, "blocks of cells of height fields, in the order of the tree's leaves")                           \
    X(pliant__model_box, collider_node, "trees of boxes")                                                                        \
    X(float, collider_distance, "of fields: m, x runs fastest, then y")                                                          \
    X(pliant__model_force, forces, "in order")                                                                                   \
    X(double, force_time, "keys")                                                                                                \
    X(pliant_vec3, force_vector, "per key")                                                                                      \
    X(pliant_real, force_share, "per key: of swirl, pull and gusts")                                                             \
    X(pliant__model_contact_pair, contact_pairs, "ascending by body, then by other")                                             \
    X(uint32_t, elements, "3 slots each: surfaces of bodies that meet bodies: triangles, segments a b b, points a a a")          \
    X(uint32_t, element_body, "per element: its body")                                                                           \
    X(uint8_t, element_owns, "per element, bits: 0 to 2 corners, 3 to 5 edges from a corner to the next that no element before it has")

/* The version of models of this library: a hash of their tables, so that whatever changes a layout, a constraint or a size makes
 * another one. */
uint32_t pliant__model_version(void);

enum pliant__model_array {
#define X(type, name, meaning) PLIANT__MODEL_##name,
    MODEL_ARRAYS(X)
#undef X
        PLIANT__MODEL_ARRAY_COUNT
};

/* A pliant_method_def without its size. */
typedef struct pliant__model_method {
    pliant_method method;
#define X(type, name, ...) type name;
    PLIANT_METHOD_SETTINGS(X)
#undef X
} pliant__model_method;

typedef struct pliant__model_header {
    char     magic[8]; /* "PLIANTM" */
    uint32_t version, real_bytes;
    uint64_t bytes, hash; /* of the whole block; hash with this field 0 */
    uint32_t slot_count;  /* with targets and inert ones, a multiple of 16 */
    uint32_t particle_count, target_slot_count, inert;
    uint32_t packed_rows;  /* a multiple of 16 */
    uint32_t id_count;     /* constraints' ids are 1 to this; some have no row */
    uint32_t number_bytes; /* 2 to 4, that a number of row_constraint has, the lowest first */
    uint32_t lambda_count;
    uint32_t flow_count;       /* numbers that flow: a state's `flow` */
    uint32_t match_flow_count; /* clusters that flow: a state's `match_plastic` */
    uint32_t breaks;           /* 1: some law has a force at which constraints break */
    uint32_t solved_count;
    uint32_t first_tether;                                  /* constraints from this id on are tethers */
    uint32_t constraint_count[PLIANT_CONSTRAINT_COUNT + 1]; /* solved, per kind; users' last */
    uint32_t substeps, iterations, wave_count, across;      /* across: edges across the cloth or rope that has the most */
#define X(type, name, last) uint32_t name;
    SCENE_CHOICES(X)
#undef X
    pliant_real gravity[3];
#define X(name, check) pliant_real name;
    SCENE_NUMBERS(X)
#undef X
    uint32_t             parted, parted_bodies[2]; /* particles that begin aside, apart.c; the first one's body, and the other's */
    pliant_real          parted_by;                /* m, the farthest */
    pliant__model_method method;
    uint32_t wave_substeps;     /* what a quality has for the sake of soft bodies, wave.c; 0: `substeps` are by the edges across, or said */
    _Alignas(8) double substep; /* s; 0: steps have `substeps` of them */
    _Alignas(8) double frame;   /* s, how long steps are meant to be */
    _Alignas(8) uint64_t offset[PLIANT__MODEL_ARRAY_COUNT];
    uint64_t count[PLIANT__MODEL_ARRAY_COUNT];
} pliant__model_header;

/* A block lies the same on every machine: an 8-byte member at a multiple of 8, though 32-bit x86 would be content with 4. */
_Static_assert(offsetof(pliant__model_body, mass) % 8 == 0 && sizeof(pliant__model_body) % 8 == 0, "bodies lie the same everywhere");
_Static_assert(offsetof(pliant__model_user, tag) % 8 == 0 && sizeof(pliant__model_user) % 8 == 0, "users lie the same everywhere");
_Static_assert(offsetof(pliant__model_header, bytes) % 8 == 0 && offsetof(pliant__model_header, offset) % 8 == 0 &&
                   offsetof(pliant__model_header, gravity) % sizeof(pliant_real) == 0,
               "headers lie the same everywhere");
_Static_assert(offsetof(pliant__model_group, rest) % 8 == 0 && sizeof(pliant__model_group) % 8 == 0, "groups lie the same everywhere");
_Static_assert(offsetof(pliant__model_mouth, from) % 8 == 0 && sizeof(pliant__model_mouth) % 8 == 0, "mouths lie the same everywhere");
_Static_assert(offsetof(pliant__model_stitches, from) % 8 == 0 && sizeof(pliant__model_stitches) % 8 == 0,
               "stitches lie the same everywhere");
_Static_assert(offsetof(pliant__model_match, mass) % 8 == 0 && sizeof(pliant__model_match) % 8 == 0, "clusters lie the same everywhere");
_Static_assert(offsetof(pliant__model_skin, max_distance) % sizeof(pliant_real) == 0, "skins lie the same everywhere");
_Static_assert(offsetof(pliant__model_collider, radius) % sizeof(pliant_real) == 0, "colliders lie the same everywhere");

/* A step that is so much of a substep away from a whole number of them has that number: 1 / 60 s are ten of 1 / 600. */
#define PLIANT__SUBSTEP_FUZZ 1e-6
#define PLIANT__MAX_SUBSTEPS 10000u

struct pliant_model {
    pliant_allocator            allocator;
    const pliant__model_header *header; /* the block begins here */
    void                       *owned;  /* the block, where the model must free it */
#define X(type, name, meaning) const type *name;
    MODEL_ARRAYS(X)
#undef X
};

/* Whether substeps are of a fixed length, and the rest of a step is carried over to the next one: step/step.c. */
static inline bool pliant__may_carry(const pliant_model *model)
{
    return model->header->substep > 0 && model->header->substep_rest == PLIANT_SUBSTEP_CARRY;
}

/* Whether particles that stay in one place sleep: step/sleep.c. */
static inline bool pliant__may_sleep(const pliant_model *model) { return model->header->sleep_speed > 0; }

/* Whether some law of it breaks: step/breaks.c. */
static inline bool pliant__breaks(const pliant_model *model) { return model->header->breaks != 0; }

/* Whether some body of it tears: state/tear.c. */
static inline bool pliant__may_tear(const pliant_model *model) { return model->header->count[PLIANT__MODEL_spares] > 0; }

/* Whether its states have a history, and its steps use it: step/history.c. */
static inline bool pliant__is_bdf2(const pliant_model *model) { return model->header->integration == PLIANT_INTEGRATION_BDF2; }

/* How many elements an array has. */
#define model_count(model, name) ((size_t)(model)->header->count[PLIANT__MODEL_##name])

/* The particles beside a slot of a rope, or itself at an end: its direction goes from one to the other. */
static inline void pliant__rope_neighbours(const pliant_model *m, const pliant__model_body *rope, uint32_t slot, uint32_t out[2])
{
    const uint32_t v = m->slot_vertex[slot], last = rope->vertex_count - 1;
    out[0] = m->vertex_slot[rope->first_vertex + (v > 0 ? v - 1 : 0)];
    out[1] = m->vertex_slot[rope->first_vertex + (v < last ? v + 1 : last)];
}

/* The contact pair of a body and another body, or a collider, body <= other, or NULL where there is none. */
static inline const pliant__model_contact_pair *pliant__contact_pair(const pliant_model *m, uint32_t body, uint32_t other)
{
    size_t low = 0, high = model_count(m, contact_pairs);
    while (low < high) {
        const size_t                      middle = low + (high - low) / 2;
        const pliant__model_contact_pair *pair = &m->contact_pairs[middle];
        if (pair->body == body && pair->other == other) return pair;
        if (pair->body < body || (pair->body == body && pair->other < other))
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static inline bool pliant__ignores(const pliant_model *m, uint32_t body, uint32_t other)
{
    const pliant__model_contact_pair *pair = pliant__contact_pair(m, body, other);
    return pair && pair->ignore;
}

/* Two slots as an element of `sewn`. */
static inline uint64_t pliant__sewn_key(uint32_t a, uint32_t b) { return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a; }

static inline bool pliant__is_sewn(const uint64_t *sewn, size_t count, uint32_t a, uint32_t b)
{
    const uint64_t key = pliant__sewn_key(a, b);
    size_t         low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sewn[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && sewn[low] == key;
}

/* Whether a stitch joins any of some slots with any of others: parts of surfaces with these corners do not meet. */
static inline bool pliant__are_sewn(const uint64_t *sewn, size_t count, const uint32_t *slot, uint32_t slots, const uint32_t *other,
                                    uint32_t others)
{
    for (uint32_t i = 0; i < slots && count; i++)
        for (uint32_t k = 0; k < others; k++)
            if (pliant__is_sewn(sewn, count, slot[i], other[k])) return true;
    return false;
}

/* Whether bodies, the model's numbers, meet each other. */
static inline bool pliant__bodies_meet(const pliant_model *m, uint32_t a, uint32_t b)
{
    const pliant__model_body *p = &m->bodies[a], *q = &m->bodies[b];
    const bool meet = a == b ? p->self_contact : (p->contact_group & q->contact_mask) && (q->contact_group & p->contact_mask);
    return meet && !pliant__ignores(m, a < b ? a : b, a < b ? b : a);
}

/* Whether a body, the model's number, meets a collider. */
static inline bool pliant__meets_collider(const pliant_model *m, uint32_t body, uint32_t collider)
{
    const pliant__model_body     *b = &m->bodies[body];
    const pliant__model_collider *c = &m->colliders[collider];
    const bool                    kept_out = c->contact_mask == UINT32_MAX || (c->contact_mask & b->contact_group),
               takes = b->collider_mask == UINT32_MAX || (b->collider_mask & c->contact_group);
    return kept_out && takes && !pliant__ignores(m, body, (uint32_t)model_count(m, bodies) + collider);
}

/* A pair's value, or else the one that follows from both. */
static inline pliant_real pliant__given(pliant_real given, pliant_real together) { return given < 0 ? together : given; }

/* Arrays over slots have four numbers per slot: x, y, z and a fourth, which is the inverse mass beside a position and 0 beside a velocity. Those of one slot,
 * in an array that may be constant or not; and how many numbers so many slots have. */
#define PLIANT__SLOT(array, slot) ((array) + 4 * (size_t)(slot))
static inline size_t pliant__slot_numbers(size_t slots) { return 4 * slots; }

/* Whether rows of a kind have a flag of the table; a kind that is none of the table's has none. */
static inline bool pliant__kind_has(uint32_t kind, pliant_constraint_flags flag)
{
    const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)kind);
    return info && info->flags & (uint32_t)flag;
}

static inline uint32_t pliant__blocks(const pliant__batch *b) { return (b->count + PLIANT__BLOCK - 1) / PLIANT__BLOCK; }

/* Parameters of a block: number p of lane i at [p * 16 + i]. */
static inline const pliant_real *pliant__parameters(const pliant_model *m, const pliant__batch *b, uint32_t block)
{
    return m->row_parameter + b->parameter + (size_t)block * b->parameter_step;
}

/* Whether anything of a model flows: some law, or some group, has a yield. */
static inline bool pliant__flows(const pliant_model *m) { return m->header->flow_count || m->header->match_flow_count; }

/* The same as they are now: of a batch that flows in `flow`, the state's. */
static inline const pliant_real *pliant__parameters_now(const pliant_model *m, const pliant_real *flow, const pliant__batch *b,
                                                        uint32_t block)
{
    return b->flow ? flow + (b->flow - 1) + (size_t)block * b->parameter_step : pliant__parameters(m, b, block);
}

/* The slot that has number `local` in a patch. */
static inline uint32_t pliant__patch_slot(const pliant_model *m, const pliant__patch *p, uint32_t local)
{
    return p->first_listed == PLIANT__NONE ? p->first_slot + local : m->patch_slots[p->first_listed + local];
}

/* The first slot of a group of a tile. */
static inline uint32_t pliant__group_slot(const pliant__patch *p, uint32_t group)
{
    const uint32_t full = group < p->full_groups ? group : p->full_groups;
    return p->first_slot + full * p->lanes + (group - full) * (p->lanes - 1);
}

/* The slot of a place in the order of the grid that a tile is of. */
static inline uint32_t pliant__tile_slot(const pliant__patch *p, uint32_t place)
{
    return pliant__group_slot(p, place % p->groups) + place / p->groups;
}

/* The slot of lane 0 of a block by what its index has for it. */
static inline uint32_t pliant__lanes_slot(const pliant__patch *p, const uint16_t *half)
{
    const uint32_t at = half[0] | (uint32_t)half[1] << 16;
    return pliant__group_slot(p, at / (4 * PLIANT__BLOCK)) + at % (4 * PLIANT__BLOCK);
}

/* Numbers that a block of a held batch has. */
#define PLIANT__HELD_NUMBERS (2 + PLIANT__BLOCK)

/* The slot of lane 0 of a block of a held batch by its index. */
static inline uint32_t pliant__held_slot(const pliant__patch *p, const uint16_t *half)
{
    return p->groups ? pliant__lanes_slot(p, half) : p->first_slot + (half[0] | (uint32_t)half[1] << 16);
}

/* Whether some lanes of its blocks have no row, though they are no padding. */
static inline bool pliant__has_gaps(const pliant__batch *b) { return b->shape == PLIANT__REGULAR || b->shape == PLIANT__HELD; }

/* Which lanes of a block have a row, a bit each. */
static inline uint32_t pliant__block_rows(const pliant_model *m, const pliant__batch *b, uint32_t block)
{
    const uint32_t left = b->count - block * PLIANT__BLOCK;
    if (pliant__has_gaps(b)) return m->block_rows[b->own_laws + block];
    return left < PLIANT__BLOCK ? (1u << left) - 1 : UINT16_MAX;
}

/* Whether number `row` < count of a batch is a row; there are gaps in regular and held ones. */
static inline bool pliant__has_row(const pliant_model *m, const pliant__batch *b, uint32_t row)
{
    return pliant__block_rows(m, b, row / PLIANT__BLOCK) >> row % PLIANT__BLOCK & 1;
}

/* Slots of a row of a batch of constraints with `count` slots; `index`: the model's row_index, or a state's. */
static inline void pliant__row_slots_by(const pliant_model *m, const uint16_t *index, const pliant__batch *b, uint32_t row, uint32_t count,
                                        uint32_t *out)
{
    if (b->shape == PLIANT__REGULAR) {
        const pliant__patch *p = &m->patches[b->patch];
        const uint16_t      *block = index + b->index + (size_t)(row / PLIANT__BLOCK) * 2 * (size_t)count;
        for (uint32_t s = 0; s < count; s++)
            out[s] = pliant__has_row(m, b, row) ? pliant__lanes_slot(p, block + 2 * s) + row % PLIANT__BLOCK : p->first_slot;
        return;
    }
    if (b->shape == PLIANT__HELD) {
        const pliant__patch *p = &m->patches[b->patch];
        const uint16_t      *block = index + b->index + (size_t)(row / PLIANT__BLOCK) * PLIANT__HELD_NUMBERS;
        out[0] = pliant__has_row(m, b, row) ? pliant__held_slot(p, block) + row % PLIANT__BLOCK : p->first_slot;
        out[1] = m->anchors[block[2 + row % PLIANT__BLOCK]];
        return;
    }
    const size_t at = b->index + (size_t)(row / PLIANT__BLOCK) * PLIANT__BLOCK * b->index_slots + row % PLIANT__BLOCK;
    for (uint32_t s = 0; s < count; s++)
        out[s] = pliant__patch_slot(m, &m->patches[b->patch], index[at + b->place[s] * PLIANT__BLOCK] / PLIANT__NUMBER);
}

/* The same, as they are at first. */
static inline void pliant__row_slots(const pliant_model *m, const pliant__batch *b, uint32_t row, uint32_t count, uint32_t *out)
{
    pliant__row_slots_by(m, m->row_index, b, row, count, out);
}

/* Law of a row of a batch. */
static inline uint32_t pliant__row_law(const pliant_model *m, const pliant__batch *b, uint32_t row)
{
    return b->law == PLIANT__NONE ? m->row_law[b->own_laws + row] : b->law;
}

/* The id of the constraint of a packed row that is no padding, users' constraints being behind the rows. */
static inline uint32_t pliant__constraint_of(const pliant_model *m, uint32_t row)
{
    const uint32_t bytes = m->header->number_bytes;
    const uint8_t *at = m->row_constraint + (size_t)row * bytes;
    return (at[0] | (uint32_t)at[1] << 8 | (bytes > 2 ? (uint32_t)at[2] << 16 : 0) | (bytes > 3 ? (uint32_t)at[3] << 24 : 0)) + 1;
}

/* Whether a number is the marked one of its 8: one that follows from which 8 these are, and from nothing that rows have to do with. */
static inline bool pliant__is_marked(uint32_t number) { return number % 8 == ((uint64_t)(number / 8) * 2654435769u >> 29 & 7); }

/* The packed row of a constraint, users' constraints being behind the rows; PLIANT__NONE if it is not solved. */
uint32_t pliant__row_of(const pliant_model *model, pliant_constraint constraint);

/* The batch that has a packed row. */
const pliant__batch *pliant__batch_of(const pliant_model *model, uint32_t packed_row);

/* Body with this id, or NULL. */
const pliant__model_body *pliant__model_body_of(const pliant_model *model, pliant_body body);

/* Bytes of an element of each array. */
extern const size_t pliant__model_element[PLIANT__MODEL_ARRAY_COUNT];

/* A handle on a finished block; takes the block over if `owned`. NULL if out of memory. */
pliant_model *pliant__model_wrap(const pliant_allocator *allocator, const void *block, bool owned);

/* The hash that belongs into a block's header. */
uint64_t pliant__model_block_hash(const pliant__model_header *header);

/* The body that a slot belongs to, and the vertex there. Body id 0 for targets. */
pliant_particle pliant__model_particle(const pliant_model *model, uint32_t slot);

#endif
