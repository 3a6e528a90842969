/* Coarse levels of a model's distances: which particles they have, what bounds the distances between them, and how positions go up and
 * corrections come down. Made once per solver, from the model alone. */
#ifndef PLIANT_METHODS_LEVELS_H
#define PLIANT_METHODS_LEVELS_H

#include "base/array.h"
#include "solver/sweep.h"

#define PLIANT__PARENTS 1u      /* every particle that a level leaves out has this many neighbours in it */
#define PLIANT__MOST_LEVELS 24u /* coarse ones */

#define PLIANT__LEVEL_KIND PLIANT_CONSTRAINT_DISTANCE /* what the rows of coarse levels are */

/* ---- graphs (level_graph.c) ---- */

/* A neighbour, as one of the two sees it. */
typedef struct pliant__link {
    uint32_t to;
    uint8_t  exact;      /* the distance is held from both sides */
    double   length;     /* m: the most the two can be apart */
    double   compliance; /* m/N, along the way */
    double   stiffness;  /* PBD's k: the least along the way */
} pliant__link;

/* Neighbours of each slot, ascending: links[first[slot]] to links[first[slot + 1]]. */
typedef struct pliant__graph {
    uint32_t      slot_count;
    uint32_t     *first; /* per slot + 1 */
    pliant__link *links;
} pliant__graph;

/* One link, before it is sorted in. */
typedef struct pliant__edge {
    uint32_t     from;
    pliant__link link;
} pliant__edge;

typedef ARRAY(pliant__edge) pliant__edges;

/* Appends an edge in both directions; false if out of memory. */
bool pliant__add_edge(const pliant_allocator *a, pliant__edges *edges, uint32_t p, uint32_t q, pliant__link link);

/* Makes a graph of edges; of several between the same two slots the shortest stays. False if out of memory. */
bool pliant__graph_make(const pliant_allocator *a, pliant__graph *g, uint32_t slot_count, pliant__edges *edges);
void pliant__graph_free(const pliant_allocator *a, pliant__graph *g);

/* Makes the graph of those distances of the model that the two particles may not exceed. */
bool pliant__graph_of_model(const pliant_allocator *a, const pliant_model *model, pliant__graph *out);

/* ---- lengths (level_length.c) ---- */

typedef struct pliant__ruler pliant__ruler;

/* A ruler measures along the links of a graph, which must outlive it. NULL if out of memory. */
pliant__ruler *pliant__ruler_create(const pliant_allocator *a, const pliant__graph *fine);
void           pliant__ruler_destroy(pliant__ruler *r);

/* Fills length, compliance and stiffness of all links of a graph between slots of the ruler's: how far the two can be apart. */
bool pliant__measure_links(pliant__ruler *r, pliant__graph *g);

/* ---- levels (levels.c, level_pack.c) ---- */

/* A coarse level. Its particles are numbered from 0 in the order of their slots; "finer" is the next finer level, for the finest coarse one the
 * model's slots. */
typedef struct pliant__level {
    uint32_t count, finer_count;

    /* distances, in waves of rows that share no particle; a wave is one batch */
    uint32_t       wave_count, row_count; /* row_count: with the rows that pad blocks, which refer to particle `count` */
    pliant__batch *waves;
    uint32_t      *row_index, *row_law;
    pliant_real   *row_parameter;          /* m: the most the two can be apart */
    double        *compliance, *stiffness; /* per packed row: what its law is made of; NULL where all are rigid */

    /* up: the particles that a particle averages the displacements of */
    uint32_t    *own;         /* per particle: its number in the finer level */
    uint32_t    *up;          /* per finer particle: its number here, or PLIANT__NONE */
    pliant_real *w;           /* per particle: inverse of its lumped mass */
    uint32_t    *child_first; /* per particle + 1 */
    uint32_t    *child;       /* numbers in the finer level */
    pliant_real *share;       /* of a child's displacement; with own_share they sum to 1 */
    pliant_real *own_share;

    /* down: the particles that one which is left out takes corrections from */
    uint32_t     left_count;
    uint32_t    *left;         /* numbers in the finer level */
    uint32_t    *parent_first; /* per left + 1 */
    uint32_t    *parent;       /* numbers here */
    pliant_real *weight;       /* inverse distances over their sum */
} pliant__level;

typedef struct pliant__levels {
    uint32_t      count;                      /* coarse ones */
    pliant__level level[PLIANT__MOST_LEVELS]; /* the finest first */
} pliant__levels;

/* At most `most` coarse levels, or as many as make sense if 0. NULL if out of memory. */
pliant__levels *pliant__levels_create(const pliant_allocator *a, const pliant_model *model, uint32_t most);
void            pliant__levels_destroy(const pliant_allocator *a, pliant__levels *levels);

/* Colours and packs a level's distances. `number` per slot, in the level; `anchored` per slot: it can never move. */
bool pliant__level_pack(const pliant_allocator *a, pliant__level *level, const pliant__graph *g, const uint32_t *number,
                        const uint8_t *anchored);

#endif
