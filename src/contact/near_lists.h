/* Lists of what is near each particle, from cells (cells.h).
 *
 * A pair is an entry in the list of the one with the lower slot: four bytes, the other's slot and in the bits that this leaves free the square of how far
 * they were apart (pliant__lists). Two that matter to each other are always there; some that are further apart, by 8 of 8184 parts of a cell at the most,
 * are there as well. Lists ascend, so what is read from them is in an order that has nothing to do with cells. They lie in the order of cells,
 * in which particles that are near each other are near in memory. */
#ifndef PLIANT_CONTACT_NEAR_LISTS_H
#define PLIANT_CONTACT_NEAR_LISTS_H

#include "base/array.h"
#include "contact/cells.h"

#define PLIANT__STRETCHES 32u

/* A stretch of the packed points; its lists are made by themselves, as far as there is room; the last stretch is of particles that are in no cell. */
typedef struct pliant__stretch {
    uint32_t          first, end;             /* places in the packed points */
    pliant__cell_walk walk;                   /* over these; what is next to be listed */
    size_t            room, room_end, needed; /* where lists go; how much more the next one might take */
    size_t            total;                  /* entries of its lists */
    size_t            at;                     /* for the user: where its pairs go in a substep */
    uint32_t          pairs;                  /* of those, how many there are */
} pliant__stretch;

typedef struct pliant__near_lists {
    ARRAY(uint32_t) near;           /* entries */
    uint32_t       *begin, *length; /* per place in the packed points: where its list begins, and how many entries it has */
    pliant__stretch stretch[PLIANT__STRETCHES + 1];
    uint32_t        stretches;
    /* Keeps some of the entries of a slot, in their order, and returns how many; on any thread. NULL: all are kept. The user sets both. */
    uint32_t (*keep)(const void *context, uint32_t slot, uint32_t *entries, uint32_t count);
    const void *context;
} pliant__near_lists;

/* Room for what each particle of the cells has. False if out of memory; to be freed all the same. */
bool pliant__make_near_lists(const pliant_allocator *allocator, const pliant__cells *cells, pliant__near_lists *lists);
void pliant__free_near_lists(const pliant_allocator *allocator, pliant__near_lists *lists);

/* Begins lists anew, after cells were filled: stretches of about as many particles, and one of those that are in no cell, with lists that are empty. */
void pliant__begin_near_lists(pliant__near_lists *lists, const pliant__cells *cells);

/* Gives room to each stretch that wants more. Returns whether any do; then stretches [0, stretches - 1) are to be filled, on any threads, and this is to be
 * asked again. `ok` is false where there is no room, or where there are more than `most` entries. */
bool pliant__give_near_lists_room(pliant__near_lists *lists, const pliant_allocator *allocator, size_t most, bool *ok);
void pliant__fill_near_lists(pliant__near_lists *lists, const pliant__cells *cells, const pliant__cell_kernels *kernels, uint32_t stretch);

/* The same as kernels take them. */
static inline pliant__lists pliant__lists_of(const pliant__near_lists *l, const pliant__cells *c)
{
    return (pliant__lists){l->near.data, l->begin, l->length, c->packed.tag, c->packed.bits, c->packed.scale, c->packed.slack};
}

/* How many entries lists have. */
size_t pliant__count_near_lists(const pliant__near_lists *lists);

#endif
