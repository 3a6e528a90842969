/* The order of rows. They are coloured in every substep in which they are not those of the substep before, or other particles can move than did in it: rows of loose
 * particles first, in the order of their slots (pair_points.c), then the others in the order of their features. Rows of one colour share no slot that moves. A row
 * takes the first free one of a list of colours that follows from its features, so that it keeps its colour while other rows come and go. A few rows close ranks
 * then, without a change of the order of any two that share a slot.
 *
 * The rows of a colour are put into blocks of 16; a block has rows of loose particles, of corners or of edges alone. Colours are given by one thread, since each
 * row asks which colours the rows before it have; blocks are filled by all threads, from pieces of the list of rows, each of which knows how many rows of
 * each colour come before it. */
#include "contact/pairs.h"
#include "solver/pair_kernels.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/state.h"

#include <string.h>

#define NO_COLOUR PLIANT__PAIR_COLOURS

#define WISHES 8u

static uint64_t hash_features(uint32_t first, uint32_t second)
{
    const uint64_t mixed = (first * UINT64_C(0x9E3779B97F4A7C15) ^ second) * UINT64_C(0xC2B2AE3D27D4EB4F);
    return mixed ^ mixed >> 29;
}

static uint32_t wish(uint64_t mixed, uint32_t i) { return (uint32_t)(mixed >> (6 * i + 2)) % 64; }

/* A free colour: the first that is free of a pair's WISHES wishes, which follow from its features alone, or else the lowest free one. If every row took the lowest, a
 * row that comes or goes would change the colours of many others, and what lies in a pile would never come to rest. */
static uint32_t choose_colour(uint64_t mixed, uint64_t taken)
{
    uint32_t granted = 0;
    for (uint32_t i = 0; i < WISHES; i++) granted |= (uint32_t)(~taken >> wish(mixed, i) & 1) << i;
    return granted ? wish(mixed, (uint32_t)__builtin_ctz(granted)) : (uint32_t)__builtin_ctzll(~taken);
}

static void find_row_slots(const pliant__pairs *p, size_t row, uint32_t *slot)
{
    const uint32_t number = p->active.data[row];
    pliant__find_slots(p, p->pair.data[number].feature, pliant__are_edges(p, number), slot);
}

#define AHEAD 32u /* rows */

/* Prefetches the pair of a row further on: rows are scattered among the candidates. */
static void fetch(const pliant__pairs *p, size_t row)
{
    if (row + AHEAD < p->active.count) __builtin_prefetch(&p->pair.data[p->active.data[row + AHEAD]]);
}

/* Clears the colours that the slots of some rows (NULL: of all) have. */
static void forget_colours(pliant_solver *s, const uint32_t *rows, size_t count)
{
    pliant__pairs *p = s->pairs;
    if (count > s->model->header->slot_count / 8 || p->loose.count) {
        memset(p->colours, 0, s->model->header->slot_count * sizeof *p->colours);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t slot[4];
        find_row_slots(p, rows ? rows[i] : i, slot);
        for (uint32_t k = 0; k < 4; k++) p->colours[slot[k]] = 0;
    }
}

/* Gives loose particles' rows one of the 64 colours of a round, by their slots; those that have one from a round before keep it. Returns how many have none. */
static size_t colour_points(pliant_solver *s, uint32_t round)
{
    pliant__pairs *p = s->pairs;
    pliant__loose *c = &p->loose;
    size_t         none = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t slot = c->slot[i], first = c->first_pair[slot];
        if (!c->pairs[slot]) continue;
        const uint32_t *other = c->side[1].data + first;
        uint16_t       *colour_of = c->colour_of.data + first;
        uint64_t        mine = p->colours[slot];
        for (uint32_t k = 0; k < c->pairs[slot]; k++) {
            if (round && colour_of[k] != NO_COLOUR) continue;
            const uint64_t taken = mine | p->colours[other[k]];
            colour_of[k] = NO_COLOUR;
            none += taken == UINT64_MAX;
            if (taken == UINT64_MAX) continue;
            const uint32_t colour = choose_colour(hash_features(slot, other[k]), taken);
            mine |= (uint64_t)p->free[slot] << colour;
            p->colours[other[k]] |= (uint64_t)p->free[other[k]] << colour;
            colour_of[k] = (uint16_t)(64 * round + colour);
        }
        p->colours[slot] = mine;
    }
    return none;
}

/* Counts loose particles' rows by their colours. */
static void count_points(pliant__pairs *p)
{
    memset(p->points, 0, sizeof p->points);
    for (uint32_t i = 0; i < p->loose.lists.stretches; i++) {
        const pliant__stretch *st = &p->loose.lists.stretch[i];
        for (uint32_t k = 0; k < st->pairs; k++) p->points[p->loose.colour_of.data[st->at + k]]++;
    }
}

/* Gives rows (NULL: all of them) one of the 64 colours of a round, as long as there are any. Lists those that have none in p->colourless; returns how many. */
static size_t colour_round(pliant_solver *s, uint32_t round, const uint32_t *rows, size_t count)
{
    pliant__pairs *p = s->pairs;
    size_t         none = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t row = rows ? rows[i] : i;
        uint32_t     slot[4];
        uint64_t     taken = 0;
        fetch(p, row);
        find_row_slots(p, row, slot);
        for (uint32_t k = 0; k < 4; k++) taken |= p->colours[slot[k]];
        if (taken == UINT64_MAX) {
            p->colourless.data[none++] = (uint32_t)row;
            continue;
        }
        const uint32_t *feature = p->pair.data[p->active.data[row]].feature,
                       colour = choose_colour(hash_features(feature[0], feature[1]), taken);
        for (uint32_t k = 0; k < 4; k++) p->colours[slot[k]] |= (uint64_t)p->free[slot[k]] << colour;
        p->colour_of.data[row] = (uint16_t)(64 * round + colour);
        p->piece[row >> p->piece_bits].of[pliant__are_edges(p, p->active.data[row])][64 * round + colour]++;
    }
    return none;
}

/* Gives all rows a colour, in rounds of 64 colours as long as some have none, and counts each piece's rows of each colour. */
static void colour_rows(pliant_solver *s)
{
    pliant__pairs  *p = s->pairs;
    const uint32_t *rows = NULL;
    size_t          count = p->active.count, points = p->loose.count;
    for (p->piece_bits = 12; count >> p->piece_bits >= PLIANT__PIECES;) p->piece_bits++;
    p->pieces = (uint32_t)(count >> p->piece_bits) + 1;
    memset(p->piece, 0, p->pieces * sizeof *p->piece);
    for (uint32_t round = 0; round < PLIANT__PAIR_ROUNDS && count + points; round++) {
        forget_colours(s, rows, count);
        if (points) points = colour_points(s, round);
        count = colour_round(s, round, rows, count);
        rows = p->colourless.data;
    }
    for (size_t i = 0; i < count; i++) {
        p->colour_of.data[rows[i]] = NO_COLOUR;
        p->piece[rows[i] >> p->piece_bits].of[pliant__are_edges(p, p->active.data[rows[i]])][NO_COLOUR]++;
    }
    count_points(p);
}

#define CROWD 8192u /* rows: so many fill the blocks of all colours */

/* Lists rows that have a colour by their colours, in p->colourless, which is needed no more. Returns how many there are. */
static uint32_t list_by_colours(pliant__pairs *p)
{
    uint32_t begin[PLIANT__PAIR_COLOURS + 2] = {0};
    for (size_t i = 0; i < p->active.count; i++) begin[p->colour_of.data[i] + 1]++;
    for (uint32_t c = 0; c < PLIANT__PAIR_COLOURS; c++) begin[c + 1] += begin[c];
    const uint32_t count = begin[PLIANT__PAIR_COLOURS];
    for (size_t i = 0; i < p->active.count; i++)
        if (p->colour_of.data[i] != NO_COLOUR) p->colourless.data[begin[p->colour_of.data[i]]++] = (uint32_t)i;
    return count;
}

/* Gives rows the lowest colour behind all rows of lower colours with which they share a slot that moves. Rows that share one stay in their order, so what
 * comes of them is the same to the bit; a few rows are in a few blocks then, and not in one or two for each of 64 colours. */
static void close_ranks(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    if (p->keeps_colours || p->loose.count || p->active.count > CROWD) return;
    const uint32_t count = list_by_colours(p);
    forget_colours(s, NULL, p->active.count);
    memset(p->piece, 0, p->pieces * sizeof *p->piece);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t row = p->colourless.data[i];
        uint32_t       slot[4];
        uint64_t       colour = 0; /* of a slot: the lowest that is free of it */
        find_row_slots(p, row, slot);
        for (uint32_t k = 0; k < 4; k++)
            if (p->free[slot[k]] && p->colours[slot[k]] > colour) colour = p->colours[slot[k]];
        for (uint32_t k = 0; k < 4; k++)
            if (p->free[slot[k]]) p->colours[slot[k]] = colour + 1;
        p->colour_of.data[row] = (uint16_t)colour;
    }
    for (size_t i = 0; i < p->active.count; i++)
        p->piece[i >> p->piece_bits].of[pliant__are_edges(p, p->active.data[i])][p->colour_of.data[i]]++;
}

/* Puts places in the place of counts: where the rows of a colour and a kind go that each piece has, from `begin` on. Returns where they end. */
static uint32_t place_pieces(pliant__pairs *p, uint32_t kind, uint32_t colour, uint32_t begin)
{
    for (uint32_t i = 0; i < p->pieces; i++) {
        const uint32_t count = p->piece[i].of[kind][colour];
        p->piece[i].of[kind][colour] = begin;
        begin += count;
    }
    return begin;
}

/* The same of loose particles' rows. */
static uint32_t place_points(pliant__pairs *p, uint32_t colour, uint32_t begin)
{
    const uint32_t count = p->points[colour];
    p->points[colour] = begin;
    return begin + count;
}

/* How many of the lowest colours may have rows. */
static uint32_t used_colours(const pliant__pairs *p)
{
    uint32_t last = 0;
    if (p->loose.count) return NO_COLOUR;
    for (size_t i = 0; i < p->active.count; i++)
        if (p->colour_of.data[i] < NO_COLOUR && p->colour_of.data[i] >= last) last = p->colour_of.data[i] + 1u;
    return last;
}

/* Where the blocks of a colour end that begin with `block`: those of loose particles, then of corners, then of edges. */
static uint32_t place_colour(pliant__pairs *p, uint32_t colour, uint32_t block)
{
    const uint32_t each = colour < NO_COLOUR ? PLIANT__BLOCK : 1;
    p->first[colour] = block;
    block = (place_points(p, colour, block * each) + each - 1) / each;
    for (uint32_t kind = 0; kind < 2; kind++) block = (place_pieces(p, kind, colour, block * each) + each - 1) / each;
    return block;
}

/* Finds where the blocks of each colour begin. A row without a colour has a block of its own. */
static void place_blocks(pliant__pairs *p)
{
    uint32_t block = 0;
    p->colour_count = 0;
    p->used = used_colours(p);
    for (uint32_t c = 0; c < p->used; c++) {
        block = place_colour(p, c, block);
        if (block > p->first[c]) p->colour_count = c + 1;
    }
    for (uint32_t c = p->used; c < NO_COLOUR; c++) p->first[c] = block;
    p->first[NO_COLOUR + 1] = place_colour(p, NO_COLOUR, block);
}

/* Puts the rows of a piece into their blocks. */
static void place_piece(void *solver, uint32_t index)
{
    pliant__pairs     *p = ((pliant_solver *)solver)->pairs;
    pliant__row_count *place = &p->piece[index];
    const size_t       end = (size_t)(index + 1) << p->piece_bits;
    for (size_t i = (size_t)index << p->piece_bits; i < end && i < p->active.count; i++) {
        const uint32_t      number = p->active.data[i], colour = p->colour_of.data[i], each = colour < NO_COLOUR ? PLIANT__BLOCK : 1;
        const bool          edges = pliant__are_edges(p, number);
        const pliant__pair *pair = &p->pair.data[number];
        const uint32_t      at = place->of[edges][colour]++, lane = at % each;
        pliant__pair_rows  *rows = &p->rows.data[at / each];
        uint32_t            slot[4];
        fetch(p, i);
        pliant__find_slots(p, pair->feature, edges, slot);
        for (uint32_t k = 0; k < 4; k++) rows->at.slot[k][lane] = slot[k];
        rows->at.distance[lane] = pair->distance;
        rows->pair[lane] = number;
        if (!lane) rows->points = false; /* a block may be filled from two pieces, but has one first row */
    }
}

/* Puts loose particles' rows into their blocks, in the order of slots. */
static void put_points(pliant__pairs *p)
{
    const pliant__loose *c = &p->loose;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t slot = c->slot[i], first = c->first_pair[slot];
        for (uint32_t k = first; k < first + c->pairs[slot]; k++) {
            const uint32_t     colour = c->colour_of.data[k], each = colour < NO_COLOUR ? PLIANT__BLOCK : 1, at = p->points[colour]++;
            pliant__pair_rows *rows = &p->rows.data[at / each];
            const uint32_t     lane = at % each;
            rows->at.slot[0][lane] = slot;
            for (uint32_t side = 1; side < 4; side++) rows->at.slot[side][lane] = c->side[1].data[k];
            rows->at.distance[lane] = c->distance.data[k];
            rows->pair[lane] = k;
            rows->points = true;
        }
    }
}

/* Marks the lanes without a row in the last block of each colour and kind. All rows have been placed by now, so the places of the last piece are where the
 * rows end. */
static void end_blocks(pliant__pairs *p)
{
    const pliant__row_count *last = &p->piece[p->pieces - 1];
    for (uint32_t c = 0; c < p->used; c++) {
        const uint32_t end[3] = {p->points[c], last->of[0][c], last->of[1][c]};
        for (uint32_t kind = 0; kind < 3; kind++)
            for (uint32_t at = end[kind]; at % PLIANT__BLOCK; at++)
                p->rows.data[at / PLIANT__BLOCK].pair[at % PLIANT__BLOCK] = PLIANT__NO_PAIR;
    }
    for (uint32_t b = p->first[NO_COLOUR]; b < p->first[NO_COLOUR + 1]; b++)
        for (uint32_t i = 1; i < PLIANT__BLOCK; i++) p->rows.data[b].pair[i] = PLIANT__NO_PAIR;
}

/* Of some slots: which can move, and whether that is as it was. */
static void free_some(void *solver, uint32_t index)
{
    pliant_solver *s = solver;
    pliant__pairs *p = s->pairs;
    const uint32_t first = index * PLIANT__STRAYS, left = s->model->header->slot_count - first,
                   count = left < PLIANT__STRAYS ? left : PLIANT__STRAYS;
    const pliant_real *x = s->state->x + pliant__slot_numbers(first);
    uint8_t           *is_free = p->free + first, changes = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t is = x[4 * i + 3] > 0;
        changes |= is ^ is_free[i];
        is_free[i] = is;
    }
    p->changes[index] = changes;
}

/* Finds which particles can move in this substep; whether that is as it was. */
static bool find_free(pliant_solver *s)
{
    const uint32_t slots = s->model->header->slot_count, tasks = (slots + PLIANT__STRAYS - 1) / PLIANT__STRAYS;
    uint8_t        changes = 0;
    pliant__run_light_counted(s, free_some, tasks, (uint64_t)PLIANT__MOVE_WORK * slots);
    for (uint32_t i = 0; i < tasks; i++) changes |= s->pairs->changes[i];
    return !changes;
}

/* Whether the rows are those that were put in order last, and in their blocks. */
static bool are_ordered(const pliant__pairs *p)
{
    return p->kept && !p->loose.count && p->active.count == p->ordered.count && p->rows.count == p->first[NO_COLOUR + 1] &&
           memcmp(p->active.data, p->ordered.data, p->active.count * sizeof *p->active.data) == 0;
}

/* Notes the candidates of the rows that are in order now; `ordered` has room for them. */
static void note_order(pliant__pairs *p)
{
    p->kept = true;
    p->orderings++;
    p->ordered.count = p->active.count;
    memcpy(p->ordered.data, p->active.data, p->active.count * sizeof *p->active.data);
}

bool pliant__order_rows(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    const size_t   room = p->rows.capacity;
    if (find_free(s) && are_ordered(p)) return true;
    p->kept = false;
    p->colour_of.count = p->colourless.count = p->rows.count = p->loose.colour_of.count = p->ordered.count = 0;
    if (!array_reserve(&s->allocator, &p->colour_of, p->active.count) || !array_reserve(&s->allocator, &p->colourless, p->active.count) ||
        !array_reserve(&s->allocator, &p->ordered, p->active.count) ||
        !array_reserve(&s->allocator, &p->loose.colour_of, p->loose.side[0].capacity))
        return false;
    colour_rows(s);
    close_ranks(s);
    place_blocks(p);
    const uint32_t blocks = p->first[PLIANT__PAIR_COLOURS + 1];
    if (!array_reserve(&s->allocator, &p->rows, blocks)) return false;
    if (p->rows.capacity != room) p->materials_made = 0;
    p->rows.count = blocks;
    put_points(p);
    pliant__run_light(s, place_piece, p->pieces);
    end_blocks(p);
    note_order(p);
    return true;
}
