/* Contacts between bodies, and of a body with itself: pairs of a corner and a triangle, or of two edges.
 *
 * Candidates are pairs that might touch: found by a search, and kept until a particle has left the path that was foreseen for it (pair_search.c). In
 * every substep those that are near get a plane that keeps their sides apart, and are rows like a constraint's (pair_rows.c); afterwards no
 * particle goes further than its planes allow (pair_bounds.c).
 *
 * Which pairs are rows, in which order, and which bound paths of which particles follows from positions alone, and never from what else is among the candidates. So
 * they may be kept from step to step, and a solver that finds them anew does the same. */
#ifndef PLIANT_CONTACT_PAIRS_H
#define PLIANT_CONTACT_PAIRS_H

#include "base/scratch.h"
#include "base/sort.h"
#include "solver/solver.h"
#include "collide/continuous.h"
#include "contact/near_lists.h"
#include "solver/pair_kernels.h"

/* Corners, edges and triangles of surfaces, each once; the search has a tree of each. */
enum pliant__feature_kind { PLIANT__CORNERS, PLIANT__EDGES, PLIANT__TRIANGLES, PLIANT__FEATURE_KINDS };

/* What is looked up of a feature for every pair with it, side by side. */
typedef struct pliant__about {
    uint32_t slot[3], body;
} pliant__about;

/* What is looked up of a body for every pair with it, m. */
typedef struct pliant__reaching {
    pliant_real thickness, margin; /* margin: how far a particle may be from what was foreseen */
    pliant_real sudden;            /* what its particles go further in a substep may make pairs rows that are not near when it begins */
    bool        shaped;            /* a cloth that does not hold on to itself: neighbours are kept apart by what keeps its shape */
} pliant__reaching;

typedef struct pliant__features {
    uint32_t     count, corners; /* features of the kind; corners of a feature */
    uint32_t    *slot; /* 3 per feature; those past `corners` are the first again. Features ascend by their slots, triangles by elements */
    uint32_t    *body;
    pliant_real *moved; /* m, per feature: how far it may have moved since candidates were found, and goes in this substep (pair_near.c) */
    pliant__box_tree    tree;
    pliant__moving_box *node;                                /* per leaf of the tree */
    pliant_real        *group;                               /* PLIANT__LEAF_BOXES per group of leaves, or of groups, level after level */
    uint32_t            level[PLIANT__GROUP_LEVELS], levels; /* the first group of each level; how many */
    pliant_real        *leaf_box;                            /* PLIANT__LEAF_BOXES per leaf */
    pliant_real        *leaf_shape;                          /* PLIANT__LEAF_SHAPES per leaf */
    uint32_t           *leaf_slot;                           /* 3 x 16 per leaf */
    pliant__about      *about;                               /* per feature */
    uint8_t            *free;                                /* per feature: something of it can move, if not pinned for now */
    uint8_t            *strayed;                             /* per feature: a corner of it left what was foreseen */
    uint16_t           *leaf_astray;                         /* per leaf, a bit each */
    pliant__moving_box *astray_box;                          /* per leaf that has some: around these alone */
} pliant__features;

/* A candidate. There are many, so it is as small as can be; its features have the rest. */
typedef struct pliant__pair {
    uint32_t    feature[2]; /* corner and triangle, or two edges, the lower number first */
    pliant_real distance;   /* m, at which it touches */
    pliant_real rest;       /* m, of one body: how far its sides are apart at rest; 0: it is of two, or of one that is not shaped */
} pliant__pair;

/* A pair that a search has found, before it is a candidate; they are in no order. */
typedef struct pliant__found {
    uint32_t    feature[2];
    pliant_real apart, distance, rest; /* m, between its sides now; as a pair has them */
} pliant__found;

#define PLIANT__SEARCHES 32u /* of a tree's branches, each on its own */

/* A search from a branch on, as far as there is room for what it finds. */
typedef struct pliant__branch {
    pliant__walk  walk;
    uint32_t      count;
    size_t        first; /* the place of the first pair that it finds, among those of all branches */
    pliant__found found[PLIANT__MOST_FOUND];
} pliant__branch;

/* A pair with sides that might pass through each other in a substep. */
typedef struct pliant__barrier {
    pliant__pair pair;
    bool         points;       /* two loose particles: features are their slots */
    bool         edges, plane; /* plane: it cuts by that, and not only where its sides meet */
    uint32_t     slot[4];
    pliant_vec3  normal;
    pliant_real  gap; /* m, along it */
} pliant__barrier;
typedef ARRAY(pliant__barrier) pliant__barriers;

/* Loose particles among themselves: each pair is found once, by cells (pair_cells.c, pair_lists.c), and is a row if it is near (pair_points.c). */
typedef struct pliant__loose {
    uint32_t     count;          /* loose particles, ascending by their slots */
    uint32_t    *slot, *element; /* of each */
    uint32_t    *of_slot;        /* which of them a slot has, or PLIANT__NOT_LOOSE */
    bool         surfaces;       /* there are others, too */
    bool         picky;          /* some of them do not meet, or do not move */
    bool         alike;          /* they are one body's */
    pliant_real *still;   /* per slot, m: how near to it others matter, if it goes with all; below 0: the slot has no loose particle */
    pliant_real *thick;   /* per slot, m */
    uint32_t    *body;    /* per slot */
    uint8_t     *crowded; /* per slot: at rest some of its body are nearer to it than they are thick */

    /* the last search */
    pliant_real       *reach; /* per slot, m */
    pliant__cells      cells; /* pairs with those that are outside are the trees' */
    pliant__near_lists lists;
    uint32_t          *place; /* per slot, where it is in the packed points */
    ARRAY(pliant__key) apart; /* pairs that trees have found */

    /* the substep */
    pliant_real      *close; /* per slot: how near it must have been to others */
    pliant__closeness closeness;
    pliant__points    asked;
    ARRAY(uint32_t) side[2];      /* slots of pairs that are near, by stretches; the first side has the lower slot */
    ARRAY(pliant_real) distance;  /* m, at which they touch */
    uint32_t *first_pair, *pairs; /* per slot: of which it is the first side, in the order of second sides */
    ARRAY(uint16_t) colour_of;    /* each row's */
} pliant__loose;

#define PLIANT__NOT_LOOSE UINT32_MAX

/* Whether a particle that touches a collider has its island go along or with it, or nowhere. */
enum pliant__standing { PLIANT__STANDS_NOWHERE, PLIANT__FOLLOWS, PLIANT__STANDS_STILL };

#define PLIANT__PAIR_ROUNDS 4u
#define PLIANT__PAIR_COLOURS (64u * PLIANT__PAIR_ROUNDS) /* a bit each, 64 a round; it is the number of those that found none, too */

#define PLIANT__STRAYS 1024u /* slots of a task that looks at all particles; a multiple of a block */
#define PLIANT__PIECES 32u   /* of all rows, or of what was found: so many threads may put them in order at once */

/* Rows of each colour in a piece: corners', edges'. Then where the next one goes. */
typedef struct pliant__row_count {
    uint32_t of[2][PLIANT__PAIR_COLOURS + 1];
} pliant__row_count;

#define PLIANT__NO_PAIR UINT32_MAX /* the number of what is none */

struct pliant_solver;
typedef struct pliant__pairs pliant__pairs;

/* What a kernel says of 16 pairs, a bit each; and which are so only if they come near on their way, which it has asked of boxes alone. */
typedef void pliant__pair_question(const pliant__pair_lanes *at, const pliant_real *path_start, const pliant_real *x, uint32_t *bits,
                                   uint32_t *far);

/* What is asked of candidates with sides that can have come near each other since they were found. */
typedef struct pliant__inquiry {
    bool                   rows;          /* it is for rows; else for barriers */
    bool                   all;           /* a yes of the boxes around ways suffices, without a continuous query */
    const pliant_real     *value;         /* m, per candidate: `wake` or `room`. One with a value above `most` is passed over */
    pliant_real            stepped, most; /* stepped: how many times its step in this substep a side may go */
    pliant__pair_question *ask;
    bool                   many; /* pliant__features.moved is filled, since many candidates are looked at */
} pliant__inquiry;
typedef struct pliant__row_counts {
    uint32_t rows, touching; /* of some blocks: how many pairs are rows, and how many of these act */
} pliant__row_counts;
#define PLIANT__BINS 256u /* into which found pairs are dealt out to be sorted: pair_order.c */

/* Of a piece of the found pairs: how many of them go to each bin; then the place of the next one in each. */
typedef struct pliant__deal {
    uint32_t to[PLIANT__BINS];
} pliant__deal;
typedef struct pliant__dealt {
    uint32_t features, pieces, bins, bits; /* features: how many first features there are; 2 to the power of `bits` of them share a bin */
    size_t   base;                         /* number of the first candidate that is made of found pairs */
    bool     in_place;        /* found pairs become candidates as they are sorted; false: they are merged into those there are */
    pliant__found *from, *to; /* where the bins' pairs are, and where they are sorted to */
} pliant__dealt;
typedef struct pliant__answers {
    uint32_t below, yes; /* of a task, candidates: those with a value that is not above inquiry.most; those with a yes */
} pliant__answers;

/* Arrays with numbers for every slot of the model. */
#define PAIR_SLOT_SCRATCH(X)                                                                                                             \
    X(pliant_real, path_start, array, true, slots, 4, "where it was when the substep began, whatever contacts with colliders say later") \
    X(pliant_real, ref, array, true, slots, 4, "when candidates were found: where it was, and its margin")                               \
    X(pliant_real, way, array, true, slots, 4, "likewise: its velocity, and how far its box reaches")                                    \
    X(pliant_real, usual, array, true, slots, 1, "m, the margin of its body")                                                            \
    X(pliant_real, spread, array, true, slots, 1, "m, how far its box reaches beside its margin")                                        \
    X(pliant_real, jolt, array, true, slots, 1, "m, how far it goes beside a straight way in a substep, as far as known")                \
    X(pliant_real, wanted, array, true, slots, 4,                                                                                        \
      "where it is to be when the substep ends, uncut; the part of the way there that impacts leave")                                    \
    X(uint64_t, colours, array, true, slots, 1, "a bit for each that a row of it has")                                                   \
    X(uint32_t, bounded, array, true, slots, 1, "slots that barriers have, ascending")                                                   \
    X(uint8_t, bound, array, true, slots, 1, "it is one of them")                                                                        \
    X(uint32_t, island, array, true, slots, 1, "a slot of the particles that hang together by barriers, for those; so is what follows")  \
    X(pliant_vec3, drift, array, true, slots, 1, "per island: how far all of it goes in this substep")                                   \
    X(uint32_t, drift_count, array, true, slots, 1, "per island: so many particles of it go on")                                         \
    X(uint8_t, anchored, array, true, slots, 1, "per island: it has particles that do not yield")                                        \
    X(pliant_real, share, array, true, slots, 1, "the part of its path that it may go")                                                  \
    X(pliant_real, most, array, true, slots, 1, "of those bound: the part that a collider which is held leaves")                         \
    X(uint8_t, stands, array, true, slots, 1, "likewise: enum pliant__standing")                                                         \
    X(pliant_vec3, led, array, true, slots, 1, "likewise: how far that is")                                                              \
    X(uint8_t, astray, array, true, slots, 1, "it has left what was foreseen, or nearly")                                                \
    X(pliant_real, noted, array, true, slots, 4, "where it was before paths were cut, if is_noted")                                      \
    X(uint8_t, free, array, true, slots, 1, "it can move in this substep")

/* And for the search: by features, branches and pieces. */
#define PAIR_FEATURE_SCRATCH(X)                                                                                                  \
    X(pliant__branch, branch, array, true, own->branches, 1, "of trees that are searched at once")                               \
    X(uint32_t, first_pair, array, true, own->most_features + (size_t)1, 1,                                                      \
      "per feature of a kind, and one: where pairs that begin with it begin, or end")                                            \
    X(pliant__box, box, array, true, own->most_features, 1, "per feature of a kind, while they are ordered")                     \
    X(pliant__row_count, piece, array, true, PLIANT__PIECES, 1, "of rows, while they get colours")                               \
    X(pliant__deal, deal, array, true, PLIANT__PIECES, 1, "of candidates, while they are put in order")                          \
    X(pliant__strayed, strays, array, true, slots / PLIANT__STRAYS + 1, 1, "per task of what `strayed` is of all: of its slots") \
    X(uint8_t, changes, array, true, slots / PLIANT__STRAYS + 1, 1, "per so many slots: `free` of some is another one than before")

struct pliant__pairs {
    uint32_t          elements, slots; /* elements of the model; slots that elements have */
    uint32_t          most_features;   /* how many features the kind with most of them has */
    pliant__reaching *reaching;        /* per body */
    pliant_real       farthest;        /* m, the largest margin */
    pliant_real       beyond;          /* m, how far constraints may move a particle in this substep; as pair_reach takes it */
    uint64_t         *meeting;         /* per body a bit for each: they meet; NULL where there are very many */
    size_t            meeting_words;
    const uint8_t    *off;   /* per body: it meets nothing in this step; NULL: none is off */
    uint32_t         *slot;  /* the slots that elements have, ascending */
    bool              rolls; /* some body does */
    pliant__features  features[PLIANT__FEATURE_KINDS];

    PAIR_SLOT_SCRATCH(SCRATCH_FIELD)
    uint32_t bounded_count;

    /* the search */
    PAIR_FEATURE_SCRATCH(SCRATCH_FIELD)
    bool                    searched;
    bool                    jolted;        /* particles were foreseen before, so that `jolt` is known */
    bool                    varies;        /* margins follow `jolt` */
    pliant_real             least;         /* then: times the usual margin, the least one of a particle */
    uint32_t                lasted;        /* substeps since the last search for all */
    uint32_t                sought_some;   /* searches for some since then */
    pliant_real             way_share;     /* pliant__walk.share, of the last search for all */
    pliant_real             time, horizon; /* s since candidates were found; s for which particles were foreseen then */
    pliant_vec3             mean;          /* m/s, of all particles, when they were foreseen */
    pliant__foreseen        foreseen;      /* what kernels were last told to find out which particles have left the way foreseen for them */
    uint32_t                branches;
    pliant__features       *fitted;       /* the features that get boxes now */
    bool                    fits_strayed; /* only of leaves with features that left what was foreseen */
    bool                    boxed;        /* there are boxes */
    const pliant__features *sought[2];    /* the two kinds of features of the pairs that are looked for */
    pliant__loose           loose;
    ARRAY(pliant__found) found, sorted;
    ARRAY(pliant__pair) pair; /* corners and triangles first, then edges, by their features */
    ARRAY(pliant_real)
    room; /* m, per candidate: how far apart its sides were when found, less PLIANT__PAIR_LEFT of the distance at which they touch */
    ARRAY(pliant_real) wake;    /* m, per candidate: it cannot be a row before twice the sum of `travel` and the longest step is as much */
    double        travel;       /* m, the most by which any particle may have got further from where it was foreseen, in all */
    size_t        corner_pairs; /* pairs that are a corner's */
    pliant__dealt dealt;

    /* the substep */
    pliant__strayed strayed;
    pliant__inquiry inquiry;
    size_t          asked_before[2];           /* how many could have come near when rows, and when barriers were asked for */
    ARRAY(pliant__answers) asked;              /* per task */
    ARRAY(uint32_t) active;                    /* candidates with a yes: rows, or barriers */
    ARRAY(uint32_t) ordered;                   /* the candidates of the rows that were put in order last */
    bool     kept;                             /* candidates have their numbers since rows were put in order last */
    uint64_t orderings;                        /* how often rows were put in order; for tests */
    ARRAY(uint32_t) colourless;                /* rows that have no colour yet */
    ARRAY(uint16_t) colour_of;                 /* each row's */
    uint32_t points[PLIANT__PAIR_COLOURS + 1]; /* the same of loose particles' rows */
    uint32_t pieces, piece_bits;               /* how many are in use; a piece has 2 to the power of these rows */
    bool     keeps_colours;                    /* false: rows that are few close ranks */
    bool     one_material;                     /* all bodies are the same to each other */
    size_t   materials_made;
    ARRAY(pliant__pair_rows) rows;
    ARRAY(pliant__row_counts) counts;            /* of those, per task */
    uint32_t    first[PLIANT__PAIR_COLOURS + 2]; /* blocks of each colour; pairs that found none are the last, a block each */
    uint32_t    used;                            /* colours that are not below it have no rows */
    uint32_t    colour_count;                    /* colours in use, the pairs without one not counted */
    uint32_t    colour;                          /* the one that is being walked */
    pliant_real resting;                         /* m/s: sides that approach each other more slowly do not bounce */
    void (*each)(struct pliant_solver *s, pliant__pair_rows *rows); /* what is done to blocks of a colour */
    pliant__barriers barrier, more;
    bool             is_noted;
    bool             failed; /* out of memory */
};

#define PLIANT__AWAKE (-K(1e30)) /* `wake` of a candidate that is looked at in the next substep */

/* The most pairs that a model may have: a crowd in one place ends in an error, and does not take all of the machine's memory. */
static inline size_t pliant__most_pairs(const pliant__pairs *p)
{
    const uint64_t most = 512 * (uint64_t)p->elements, numbers = UINT32_MAX - PLIANT__FOUND;
    return (size_t)(most < numbers ? most : numbers);
}

/* Makes candidate number `at` of a found pair; the arrays have room for it. */
static inline void pliant__put_found(pliant__pairs *p, size_t at, const pliant__found *f)
{
    p->pair.data[at] = (pliant__pair){{f->feature[0], f->feature[1]}, f->distance, f->rest};
    p->room.data[at] = f->apart - PLIANT__PAIR_LEFT * f->distance;
    p->wake.data[at] = PLIANT__AWAKE;
}

/* Merges found pairs, of corners or of edges, into the candidates: pair_order.c. False if out of memory. */
bool pliant__merge_found(struct pliant_solver *s, bool edges);

/* Forgets candidates with a feature that has left the way foreseen for it (pliant__features.strayed). */
bool pliant__drop_astray(struct pliant_solver *s);

/* Loose particles, their cells and lists; corners are there already. False if out of memory. */
bool pliant__make_loose(struct pliant_solver *s);
void pliant__free_loose(struct pliant_solver *s);

/* Finds particles that lie near others of their body in the model's initial positions (pliant__loose.crowded). Two of them that are of one body touch at no more
 * than their distance there; of other pairs that distance is not looked up. */
void pliant__find_crowded(struct pliant_solver *s);

/* Puts loose particles into cells as they are foreseen, all but those that would need cells much larger than others do. */
void pliant__fill_loose(struct pliant_solver *s);

/* Whether trees look for this pair of a corner and an element. */
bool pliant__is_for_trees(const pliant__loose *c, uint32_t corner_slot, uint32_t element_slot, uint32_t element);

/* Lists of pairs in cells. False if there is no room. */
bool pliant__find_in_cells(struct pliant_solver *s);

/* Takes pairs of loose particles from what trees have found into these lists. */
bool pliant__take_apart(struct pliant_solver *s);

/* Finds the pairs of loose particles that are rows in this substep, or, if `passes`, that might pass through each other: pliant__loose.side. */
bool pliant__list_points(struct pliant_solver *s, bool passes);

/* How many these are. */
size_t pliant__count_near(const pliant__loose *c);

/* At what distance pairs touch; a block of them. */
void pliant__touch_points(const struct pliant_solver *s, const uint32_t *a, const uint32_t *b, pliant_real *distance);

/* Whether a candidate is two edges, by its number. */
static inline bool pliant__are_edges(const pliant__pairs *p, uint32_t number) { return number >= p->corner_pairs; }

/* The kinds of a pair's features. */
static inline uint32_t pliant__first_kind(bool edges) { return edges ? PLIANT__EDGES : PLIANT__CORNERS; }
static inline uint32_t pliant__second_kind(bool edges) { return edges ? PLIANT__EDGES : PLIANT__TRIANGLES; }

/* Whether two bodies meet. */
static inline bool pliant__may_meet(const pliant_model *m, const pliant__pairs *p, uint32_t body, uint32_t other)
{
    if (p->off && (p->off[body] || p->off[other])) return false;
    return p->meeting ? p->meeting[body * p->meeting_words + other / 64] >> other % 64 & 1 : pliant__bodies_meet(m, body, other);
}

/* Slots of both sides: 0 against 1, 2, 3, or of edges 0, 1 against 2, 3. In a degenerate triangle, which is a rope's segment or a loose particle,
 * slots repeat. */
static inline void pliant__find_slots(const pliant__pairs *p, const uint32_t *feature, bool edges, uint32_t *slot)
{
    const uint32_t *a = p->features[pliant__first_kind(edges)].slot + 3 * (size_t)feature[0],
                   *b = p->features[pliant__second_kind(edges)].slot + 3 * (size_t)feature[1];
    slot[0] = a[0];
    slot[1] = edges ? a[1] : b[0];
    slot[2] = edges ? b[0] : b[1];
    slot[3] = edges ? b[1] : b[2];
}

/* The bodies of a row. */
static inline void pliant__row_bodies(const pliant__pairs *p, const pliant__pair_rows *rows, uint32_t lane, uint32_t *body)
{
    if (rows->points) {
        body[0] = p->loose.body[rows->at.slot[0][lane]];
        body[1] = p->loose.body[rows->at.slot[1][lane]];
        return;
    }
    const pliant__pair *pair = &p->pair.data[rows->pair[lane]];
    body[0] = p->features[pliant__first_kind(rows->at.edges)].body[pair->feature[0]];
    body[1] = p->features[pliant__second_kind(rows->at.edges)].body[pair->feature[1]];
}

/* Up to 16 candidates of a kind by their numbers, as kernels take them; lanes past `count` are the first again. */
void pliant__gather_pairs(const pliant__pairs *p, const uint32_t *number, uint32_t count, bool edges, pliant__pair_lanes *out);

/* Candidates with sides that can have come so near each other since they were found, by what both have moved and go in this substep, that they might be
 * `rows`, or else barriers; a kernel asks that of each. They go to s->pairs->active, in order. A barrier counts only if its sides meet on their way, or, with
 * `all`, if the boxes of their ways meet. */
bool pliant__ask_near(struct pliant_solver *s, bool rows, bool all);

/* Whether two sides come within a distance on their way through the substep, to where they are now, and when: never too late. */
pliant__impact pliant__pair_meets(const struct pliant_solver *s, const uint32_t slot[4], bool edges, double distance);

/* Gives rows, which are s->pairs->active, their colours and their places in blocks: pair_colours.c. False if out of memory. */
bool pliant__order_rows(struct pliant_solver *s);

/* Makes and frees what pairs keep. */
bool pliant__make_pairs(pliant_solver *s);

void pliant__free_pairs(pliant_solver *s);

/* Bodies that meet nothing from now on, a byte each; NULL: there are none. */
void pliant__leave_out_pairs(pliant_solver *s, const uint8_t *off);

/* Finds candidates, if some particle may have left what was foreseen. */
void pliant__find_pairs(pliant_solver *s);

/* The same, where particles went astray since. `barriers`: it is for those that come near on their way alone. */
void pliant__find_missed_pairs(pliant_solver *s, bool barriers);

/* Notes where particles are predicted to go. */
void pliant__note_ways(pliant_solver *s);

/* A particle's path may be cut from now on. */
void pliant__bound_slot(pliant_solver *s, uint32_t slot);

/* The function `hold` of pairs: cuts paths that lead through something. */
void pliant__hold_pairs(pliant_solver *s);

/* The function `note` of pairs. */
void pliant__note_pair_contacts(pliant_solver *s);

/* The function `count` of pairs. */
void pliant__count_pairs(pliant_solver *s);

#endif
