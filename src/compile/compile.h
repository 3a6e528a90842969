/* Data and functions that the passes of compile share, and the table of passes, COMPILE_PASSES, in their order. */
#ifndef PLIANT_COMPILE_COMPILE_H
#define PLIANT_COMPILE_COMPILE_H

#include "base/array.h"
#include "base/sort.h"
#include "compile/model.h"
#include "scene/draft.h"

/* A constraint on its way: slots instead of draft particles, and where the passes put it. There are as many of them at once as constraints, so
 * they are small: slots of a kind with more than there is room for lie elsewhere, as those of the draft do. */
typedef struct pliant__row {
    uint32_t id;  /* public id */
    uint32_t law; /* merged */
    uint32_t patch;
    uint32_t family; /* of a tile: regular.c */
    uint16_t colour;
    uint8_t  kind;
    uint8_t  anchors; /* a bit per slot */
    union {
        uint32_t slots[PLIANT__OWN_SLOTS];
        uint32_t first_slot; /* of a kind with more: into row_slots */
    };
} pliant__row;
_Static_assert(PLIANT_CONSTRAINT_COUNT <= UINT8_MAX, "a row's kind has 8 bits");
_Static_assert(PLIANT_MAX_SLOTS <= 8, "a row's anchors have 8 bits");

/* Rows that are solved together. */
typedef struct pliant__cluster {
    uint16_t shape, colour;
    uint32_t laws;                      /* which member_laws */
    uint32_t slots[PLIANT__MOST_SLOTS]; /* numbers in the patch */
    uint32_t rows[PLIANT__MOST_MEMBERS];
    uint32_t number; /* in the order of their particles */
    uint64_t rank;   /* groups are solved in this order */
} pliant__cluster;

typedef struct pliant__member_laws {
    uint32_t law[PLIANT__MOST_MEMBERS];
} pliant__member_laws;

typedef struct pliant__compiler {
    const pliant_scene     *scene;
    const pliant_allocator *allocator;
    pliant_error           *error;
    pliant__model_header    header;
    uint32_t               *slot;        /* draft particle to slot, PLIANT__NONE for removed bodies */
    uint32_t               *target_slot; /* target to the slot that moves */
    uint32_t               *body;        /* draft body to model's body */
    uint32_t               *law;         /* draft law to merged law */
    uint16_t               *local;       /* per slot: its number in the list that is being packed */
    pliant__tethers         tethers;
    uint32_t                tether_law;
    uint32_t                chunk_patch; /* the patch that the next chunk is of */
    ARRAY(pliant__row) rows;             /* in the order of the scene */
    ARRAY(uint32_t) row_slots;           /* of rows with more slots than they have room for */
    ARRAY(pliant__cluster) clusters;     /* of the patch that is being packed */
    ARRAY(pliant__member_laws) member_laws;
    ARRAY(uint32_t) merged; /* hash table over laws */
    ARRAY(uint32_t) row_id; /* per packed row: id of its constraint, 0 for padding */
#define X(type, name, meaning) ARRAY(type) name;
    MODEL_ARRAYS(X)
#undef X
} pliant__compiler;

/* Slots of a row; as many as its kind has. */
static inline const uint32_t *pliant__slots_of_row(const pliant__compiler *c, const pliant__row *row)
{
    return pliant__kind_slots(row->kind) > PLIANT__OWN_SLOTS ? c->row_slots.data + row->first_slot : row->slots;
}

/* Parameters of constraints, kind by kind. */
static inline const pliant_real *pliant__row_parameters(const pliant__compiler *c, const pliant__row *row)
{
    const size_t drafted = c->scene->constraints.count, number = row->id - 1;
    return number < drafted ? pliant__draft_parameters(c->scene, &c->scene->constraints.data[number])
                            : &c->tethers.data[number - drafted].rest;
}

/* The passes, in their order; each returns false with the error filled.
 *
 * X(function, what comes out) */
#define COMPILE_PASSES(X)                                                                                                                 \
    X(pliant__number,                                                                                                                     \
      "each particle has a slot; slots of a body are contiguous, and a body that is too large for a cache is cut across its "             \
      "longest side, and its parts again: ranges. Small bodies share a range")                                                            \
    X(pliant__lay_out_bodies,                                                                                                             \
      "bodies, surfaces, targets, colliders (colliders.c, their triangles and trees: facets.c, grid.c) and forces, by slot")              \
    X(pliant__lay_out_skins, "skinned targets of garments by slot, and the triangles that their normals are made of")                     \
    X(pliant__lay_out_groups,                                                                                                             \
      "closed surfaces that are filled: their particles by slot, and the edges around each; clusters of shape matching: matches.c")       \
    X(pliant__lay_out_stitches, "stitches by slot, and which slots are sewn to which")                                                    \
    X(pliant__lay_out_contact_pairs, "what two bodies, or a body and a collider, are to each other")                                      \
    X(pliant__lay_out_elements,                                                                                                           \
      "triangles, segments and points that may meet others, and which of them owns an edge or a corner that several share")               \
    X(pliant__collect_rows, "constraints with slots in place of particles; equal laws are one; what can never move is left out")          \
    X(pliant__list_anchors, "particles that nothing moves and rows hang on: they conflict with nothing")                                  \
    X(pliant__patch_rows, "rows in patches: of a range, those with all particles in it; of a list of slots, those between ranges. Lists " \
                          "that share no particle that moves make a round; ranges are the first round")                                   \
    X(pliant__pack,                                                                                                                       \
      "patch by patch, rows of one colour and law are a batch, in blocks of 16: cluster.c finds distances among the same three or four "  \
      "particles, disjoint.c which of them to take, colour.c the colours of the rest, regular.c those of tiles")                          \
    X(pliant__lay_out_tears, "of bodies that tear: which elements, and which rows that go with elements, are around each particle")       \
    X(pliant__number_constraints, "which row has which constraint, and the way back: ids.c")                                              \
    X(pliant__lay_out_breaks, "whether any law breaks, and of ropes that snap the rows of each segment: breaks.c")                        \
    X(pliant__put_apart, "what lies exactly in something that it meets is moved aside")

#define X(function, text) bool function(pliant__compiler *c);
COMPILE_PASSES(X)
#undef X

/* Parts of passes. */
bool pliant__lay_out_spares(pliant__compiler *c, const pliant__draft_body *b, pliant__model_body *m); /* tears.c: for the pass before */
bool pliant__list_spares(pliant__compiler *c); /* tears.c: spares of particles that lists have are in these lists, too */
bool pliant__lay_out_matches(pliant__compiler *c, const pliant__draft_group *d, uint32_t first_key); /* matches.c: the clusters of a body */
bool pliant__lay_out_matched(pliant__compiler *c);                                                   /* of each slot, its members */
bool pliant__lay_out_colliders(pliant__compiler *c);                                                 /* colliders.c: for the pass before */
bool pliant__lay_out_field(pliant__compiler *c, const pliant__draft_collider *d, pliant__model_facets *out);  /* facets.c: likewise */
bool pliant__lay_out_facets(pliant__compiler *c, const pliant__draft_collider *d, pliant__model_facets *out); /* facets.c: likewise */
bool pliant__lay_out_grid(pliant__compiler *c, const pliant__draft_collider *d, pliant__model_grid *out);     /* grid.c: likewise */
bool pliant__find_regular(pliant__compiler *c); /* regular.c: families of tiles; other rows of tiles lose their patch */

/* Colours of rows with one patch and kind, so that two of one colour share no particle that moves. `used`: room for the patch's slots, all
 * zero, and so again in the end. */
typedef struct pliant__colours {
    uint64_t word[4];
} pliant__colours;
/* Rows of one kind and with the same anchors; colours from `first` on. Returns the one after the last of them. */
uint32_t pliant__colour_rows(pliant__compiler *c, const uint32_t *rows, uint32_t count, uint32_t first,
                             pliant__colours *used); /* colour.c */

/* The lowest colour that has none of these numbers yet, which it has then; PLIANT__SERIAL_COLOUR if there is none left. */
uint16_t pliant__colour_numbers(pliant__colours *used, const uint32_t *numbers, uint32_t count); /* colour.c */

/* Colours of clusters of one shape, likewise; `used` is all zero again in the end. */
void pliant__colour_clusters(pliant__cluster *clusters, size_t count, pliant__colours *used); /* colour.c */

/* Tiles: how the particles of a part of a grid lie in lanes; the slot of a place in its order; where a row of a family lies. */
typedef struct pliant__groups {
    uint16_t group[PLIANT_MAX_SLOTS], shift[PLIANT_MAX_SLOTS];
} pliant__groups;
void     pliant__lay_out_tile(pliant__patch *p, const uint32_t size[3]);
uint32_t pliant__tile_place(const pliant__patch *p, uint32_t slot); /* of a slot, in the order of the grid */
uint32_t pliant__regular_block(const pliant__compiler *c, const pliant__row *r, uint32_t *lane, pliant__groups *out); /* its group */

/* Tiles: in which strip a block of groups is solved, and blocks of batches, in the order of these, as block runs: tile_strips.c. */
typedef struct pliant__strip_run {
    uint32_t          strip;
    pliant__block_run block_run;
} pliant__strip_run;
typedef struct pliant__strips {
    uint32_t *of_group; /* the strip that last moved it */
    ARRAY(pliant__strip_run) block_runs;
} pliant__strips;
bool     pliant__strips_create(const pliant_allocator *a, uint32_t groups, pliant__strips *s); /* room for tiles of so many */
void     pliant__strips_destroy(const pliant_allocator *a, pliant__strips *s);
void     pliant__begin_strips(pliant__strips *s, const pliant__patch *tile);
uint32_t pliant__move_in_strip(pliant__strips *s, const uint16_t *group, uint32_t count); /* returns the strip */
bool     pliant__add_block_run(const pliant_allocator *a, pliant__strips *s, uint32_t strip, pliant__block_run block_run);
bool     pliant__end_strips(pliant__compiler *c, pliant__strips *s, pliant__patch *tile);

/* Finds c->clusters among rows of a patch, group by group; rows that are in none move to the front. Returns how many these are; PLIANT__NONE: out of
 * memory. */
typedef struct pliant__finder pliant__finder;
pliant__finder               *pliant__finder_create(const pliant_allocator *a, uint32_t slots, uint32_t rows); /* of a patch, at most */
void                          pliant__finder_destroy(const pliant_allocator *a, pliant__finder *f);
uint32_t pliant__find_clusters(pliant__compiler *c, pliant__finder *f, const pliant__patch *patch, uint32_t *rows, uint32_t count,
                               pliant__colours *used); /* cluster.c */

/* Whether a row is a tether to an anchor, which needs no colour: held.c. None is where the order is given. */
bool pliant__is_held(const pliant__compiler *c, const pliant__row *row);

/* Held rows of a patch that come `column`th of their particles: blocks, by slot. */
typedef struct pliant__held_block {
    uint32_t place, lanes; /* as in its index; bits: which of them have a row */
    uint32_t strip;        /* of a tile */
    uint32_t row[PLIANT__BLOCK];
    uint16_t anchor[PLIANT__BLOCK];
} pliant__held_block;
uint32_t pliant__held_blocks(const pliant__compiler *c, const pliant__patch *p, const pliant__key *rows, uint32_t count,
                             pliant__held_block *out); /* held.c; returns how many */

/* A key by which held rows of a patch lie column by column, and there by slot; `earlier` rows of its particle come before it. */
uint64_t pliant__held_key(const pliant__patch *p, const pliant__row *row, uint32_t earlier); /* held.c */

/* Which laws the members of a cluster have, as a number; the same for clusters of a patch with the same ones. PLIANT__NONE: out of memory. */
uint32_t pliant__number_laws(pliant__compiler *c, const pliant__member_laws *laws); /* cluster.c */

/* The order of the laws of a kind. The rows solved last are nearest to being satisfied: distances that bend a cloth come before its threads and
 * diagonals, which then stretch a quarter less with the same sweeps (and the threads of a seam between patches no more than others); the rest as the
 * scene has it. Tiles have an order of their own: pack.c. */
static inline uint32_t pliant__rank_of_law(const pliant__compiler *c, uint32_t law)
{
    return strcmp(c->laws.data[law].role, "bend") == 0 ? 0 : law + 1;
}

/* Likewise for tetrahedra: volumes with their edges, and pairs of volumes, which it turns. Rows that are in none move to the front. Returns how many
 * these are; PLIANT__NONE: out of memory. */
uint32_t pliant__find_tetrahedra(pliant__compiler *c, const pliant__patch *patch, uint32_t *rows, uint32_t count); /* tetrahedra.c */

/* Number of a slot in the patch that is being packed. */
static inline uint32_t pliant__local(const pliant__compiler *c, const pliant__patch *p, uint32_t slot)
{
    return p->first_listed == PLIANT__NONE ? slot - p->first_slot : c->local[slot];
}

/* Asserts the promises of all passes to the step; nothing where asserts are off. */
/* More substeps than those of the header, in it, where a quality has them for the sake of soft bodies; false: no memory. */
bool pliant__choose_wave_substeps(const pliant_model *model, pliant__model_header *header); /* wave.c */

void pliant__check_promises(const pliant__compiler *c); /* promises.c */

/* Fails with "out of memory", for all passes. */
bool pliant__compile_memory(pliant__compiler *c);

/* Colour of rows that found none: they are solved one after another, last. */
#define PLIANT__SERIAL_COLOUR UINT16_MAX

#endif
