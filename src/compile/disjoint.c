/* Sets of rows, no two of which share a row, so that as many rows as possible are in one.
 *
 * Greedy: the set that shares rows with the fewest others that could still be chosen comes next, and these can no longer be chosen. Of several with
 * as few conflicts it is the set with conflicts that changed last: a choice grows from where it is, and so repeats itself where a mesh does. */
#include "compile/disjoint.h"

#define NO_SET UINT32_MAX

enum row_state { FREE, TOUCHED, TAKEN };

void pliant__choice_free(const pliant_allocator *a, pliant__choice *c)
{
    array_free(a, &c->first);
    array_free(a, &c->uses);
    array_free(a, &c->of_row);
    array_free(a, &c->touched_rows);
    array_free(a, &c->row_state);
    array_free(a, &c->next);
    array_free(a, &c->previous);
    array_free(a, &c->touched);
    array_free(a, &c->place);
}

/* Makes room; counts stay 0, since the next choice uses nothing of the last one. */
static bool make_room(const pliant_allocator *a, pliant__choice *c, uint32_t count, uint32_t members, uint32_t rows)
{
    return array_reserve(a, &c->first, (size_t)rows + 2) && array_reserve(a, &c->uses, rows) &&
           array_reserve(a, &c->of_row, (size_t)count * members) && array_reserve(a, &c->touched_rows, rows) &&
           array_reserve(a, &c->row_state, rows) && array_reserve(a, &c->next, count) && array_reserve(a, &c->previous, count) &&
           array_reserve(a, &c->touched, count) && array_reserve(a, &c->place, count);
}

static void put(pliant__choice *c, const pliant__set *sets, uint32_t i, uint32_t members)
{
    uint32_t conflicts = 0;
    for (uint32_t m = 0; m < members; m++) conflicts += c->uses.data[sets[i].rows[m]] - 1;
    const uint32_t place = conflicts < PLIANT__CONFLICTS ? conflicts : PLIANT__CONFLICTS - 1, next = c->head[place];
    c->place.data[i] = (uint16_t)place;
    c->next.data[i] = next;
    c->previous.data[i] = NO_SET;
    if (next != NO_SET) c->previous.data[next] = i;
    c->head[place] = i;
    if (place < c->lowest) c->lowest = place;
}

static void take_out(pliant__choice *c, uint32_t i, enum pliant__set_place to)
{
    const uint32_t next = c->next.data[i], previous = c->previous.data[i];
    if (next != NO_SET) c->previous.data[next] = previous;
    if (previous != NO_SET)
        c->next.data[previous] = next;
    else
        c->head[c->place.data[i]] = next;
    c->place.data[i] = (uint16_t)to;
}

static void list_sets(pliant__choice *c, const pliant__set *sets, uint32_t count, uint32_t members, uint32_t rows)
{
    uint32_t *first = c->first.data;
    memset(first, 0, ((size_t)rows + 2) * sizeof *first);
    memset(c->row_state.data, FREE, rows);
    memset(c->head, 0xff, sizeof c->head);
    c->lowest = PLIANT__CONFLICTS;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t m = 0; m < members; m++) first[sets[i].rows[m] + 2]++;
    memcpy(c->uses.data, first + 2, rows * sizeof *first);
    for (uint32_t r = 0; r < rows; r++) first[r + 2] += first[r + 1];
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t m = 0; m < members; m++) c->of_row.data[first[sets[i].rows[m] + 1]++] = i;
    for (uint32_t i = count; i > 0; i--) put(c, sets, i - 1, members);
}

/* A set can no longer be chosen: its rows that are not taken have one use less. Returns how many rows were touched in all. */
static uint32_t drop(pliant__choice *c, const pliant__set *dropped, uint32_t number, uint32_t members, uint32_t touched)
{
    take_out(c, number, PLIANT__SET_DROPPED);
    for (uint32_t m = 0; m < members; m++) {
        const uint32_t row = dropped->rows[m];
        if (c->row_state.data[row] == FREE) {
            c->row_state.data[row] = TOUCHED;
            c->touched_rows.data[touched++] = row;
        }
    }
    return touched;
}

/* Forgets the dropped ones of a row's sets; the others are touched. Returns how many sets were touched in all. */
static uint32_t touch(pliant__choice *c, uint32_t row, uint32_t touched)
{
    const uint32_t uses = c->uses.data[row];
    uint32_t      *set = c->of_row.data + c->first.data[row], left = 0;
    for (uint32_t k = 0; k < uses; k++) {
        const uint32_t i = set[k], place = c->place.data[i];
        if (place == PLIANT__SET_DROPPED) continue;
        set[left++] = i;
        if (place == PLIANT__SET_TOUCHED) continue;
        take_out(c, i, PLIANT__SET_TOUCHED);
        c->touched.data[touched++] = i;
    }
    c->uses.data[row] = left;
    c->row_state.data[row] = FREE;
    return touched;
}

static void choose(pliant__choice *c, const pliant__set *sets, uint32_t chosen, uint32_t members)
{
    uint32_t rows = 0, touched = 0;
    take_out(c, chosen, PLIANT__SET_CHOSEN);
    for (uint32_t m = 0; m < members; m++) c->row_state.data[sets[chosen].rows[m]] = TAKEN;
    for (uint32_t m = 0; m < members; m++) {
        const uint32_t row = sets[chosen].rows[m], uses = c->uses.data[row], *set = c->of_row.data + c->first.data[row];
        for (uint32_t k = 0; k < uses; k++)
            if (c->place.data[set[k]] < PLIANT__SET_TOUCHED) rows = drop(c, &sets[set[k]], set[k], members, rows);
    }
    for (uint32_t k = 0; k < rows; k++) touched = touch(c, c->touched_rows.data[k], touched);
    for (uint32_t k = touched; k > 0; k--) put(c, sets, c->touched.data[k - 1], members);
}

bool pliant__choose_disjoint(const pliant_allocator *a, pliant__choice *c, const pliant__set *sets, uint32_t count, uint32_t members,
                             uint32_t rows)
{
    if (!make_room(a, c, count, members, rows)) return false;
    list_sets(c, sets, count, members, rows);
    while (c->lowest < PLIANT__CONFLICTS)
        if (c->head[c->lowest] == NO_SET)
            c->lowest++;
        else
            choose(c, sets, c->head[c->lowest], members);
    return true;
}
