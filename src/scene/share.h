/* Rows of a kind get laws that follow from their places in the mesh. They are put into classes, and the rows of a class have one law. */
#ifndef PLIANT_SCENE_SHARE_H
#define PLIANT_SCENE_SHARE_H

#include "scene/topology.h"

/* Rows to be put into classes. `scratch`, as all arrays here, is the builder's. */
typedef struct pliant__shared_rows {
    pliant_constraint_kind kind;
    const char            *role;
    pliant__share         *share;  /* per row */
    double                *square; /* per row: its weight in the mean of its class, the square of its rest value where that is a length */
    const uint32_t        *ids;    /* particles, slots numbers per row */
    size_t                 count;
} pliant__shared_rows;

/* Zeroed shares and squares for rows between `ids`. */
bool pliant__take_shares(pliant__builder *b, pliant__shared_rows *rows, pliant_constraint_kind kind, const char *role, const uint32_t *ids,
                         size_t count);

/* Appends the rows. Up to 16 different sizes have a law each; of more, those of a class differ by no more than half, and share a law that stores the
 * same energy as their own would where all are stretched by the same ratio. */
bool pliant__build_shared(pliant__builder *b, const pliant__shared_rows *rows);

/* Appends the law that the body's material has for a share. PLIANT__NONE on error. */
uint32_t pliant__build_shared_law(pliant__builder *b, pliant_constraint_kind kind, const char *role, const pliant__share *share);

/* The square of the distance of two particles. */
double pliant__square_length(const pliant__builder *b, uint32_t p, uint32_t q);

/* The number of the pair p, q among pairs, which are ascending; SIZE_MAX if it is none of them. */
size_t pliant__pair_at(const pliant__list *pairs, uint32_t p, uint32_t q);

#endif
