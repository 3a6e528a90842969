/* A choice among sets of rows, no two of which may share a row: compile/disjoint.c. */
#ifndef PLIANT_COMPILE_DISJOINT_H
#define PLIANT_COMPILE_DISJOINT_H

#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>

#define PLIANT__SET_ROWS 6u
#define PLIANT__CONFLICTS 256u /* more are not told apart */

typedef struct pliant__set {
    uint32_t rows[PLIANT__SET_ROWS]; /* of them as many as all sets of a choice have */
    uint16_t slots[4];
} pliant__set;

/* Scratch memory of a choice. */
typedef struct pliant__choice {
    ARRAY(uint32_t) first, uses, of_row; /* sets that have a row, without dropped ones: so many from of_row[first[row]] on */
    ARRAY(uint32_t) touched_rows;
    ARRAY(uint8_t) row_state;                 /* enum row_state */
    ARRAY(uint32_t) next, previous, touched;  /* per set: its neighbours in a list of those with as many conflicts */
    ARRAY(uint16_t) place;                    /* per set: which list it is in, or enum pliant__set_place */
    uint32_t head[PLIANT__CONFLICTS], lowest; /* lists; those before the lowest are empty */
} pliant__choice;

enum pliant__set_place { PLIANT__SET_CHOSEN = UINT16_MAX, PLIANT__SET_DROPPED = UINT16_MAX - 1, PLIANT__SET_TOUCHED = UINT16_MAX - 2 };

/* Chooses among `count` sets of `members` rows each, all below `rows`; set i was then chosen if c->place.data[i] is PLIANT__SET_CHOSEN. False: out
 * of memory. */
bool pliant__choose_disjoint(const pliant_allocator *a, pliant__choice *c, const pliant__set *sets, uint32_t count, uint32_t members,
                             uint32_t rows);
void pliant__choice_free(const pliant_allocator *a, pliant__choice *c);

#endif
