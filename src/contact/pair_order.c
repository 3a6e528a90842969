/* The order of candidates: corners' pairs first, then edges', each by the numbers of their features. It is the order of rows too, so it may depend on nothing else.
 *
 * What a search has found is sorted in two passes, each on all threads: pieces of it are dealt out to bins, a bin having the pairs of some consecutive first
 * features, and then each bin is sorted by itself, in the nearest cache. What is sorted becomes the candidates, or is merged into those that there are. */
#include "contact/pairs.h"
#include "solver/tasks.h"

#include <string.h>

#define PIECE 65536u /* found pairs of a piece, at most on average, as long as there are fewer than PLIANT__PIECES pieces */
#define BIN 32768u   /* of a bin likewise, and PLIANT__BINS */

static void put_pair(pliant__pairs *p, size_t at, pliant__pair pair, pliant_real room, pliant_real wake)
{
    p->pair.data[at] = pair;
    p->room.data[at] = room;
    p->wake.data[at] = wake;
}

static void move_pairs(pliant__pairs *p, size_t to, size_t from, size_t count)
{
    memmove(p->pair.data + to, p->pair.data + from, count * sizeof *p->pair.data);
    memmove(p->room.data + to, p->room.data + from, count * sizeof *p->room.data);
    memmove(p->wake.data + to, p->wake.data + from, count * sizeof *p->wake.data);
}

/* Makes room for `more` corners' or edges' pairs, behind those that there are; `end`: the number that the first of them gets. False if out of memory. */
static bool make_room(pliant_solver *s, size_t more, bool edges, size_t *end)
{
    pliant__pairs *p = s->pairs;
    if (!array_reserve(&s->allocator, &p->pair, more) || !array_reserve(&s->allocator, &p->room, more) ||
        !array_reserve(&s->allocator, &p->wake, more))
        return false;
    *end = edges ? p->pair.count : p->corner_pairs;
    move_pairs(p, *end + more, *end, p->pair.count - *end);
    p->kept = false;
    p->pair.count += more;
    p->room.count += more;
    p->wake.count += more;
    if (!edges) p->corner_pairs += more;
    return true;
}

/* ---- what was found ---- */

static size_t piece_end(const pliant__pairs *p, uint32_t piece) { return p->found.count * (piece + 1) / p->dealt.pieces; }

/* Counts how many pairs of a piece go to each bin. */
static void count_piece(void *solver, uint32_t index)
{
    pliant__pairs *p = ((pliant_solver *)solver)->pairs;
    uint32_t      *place = p->deal[index].to;
    memset(place, 0, p->dealt.bins * sizeof *place);
    for (size_t i = index ? piece_end(p, index - 1) : 0, end = piece_end(p, index); i < end; i++)
        place[p->found.data[i].feature[0] >> p->dealt.bits]++;
}

static void deal_piece(void *solver, uint32_t index)
{
    pliant__pairs *p = ((pliant_solver *)solver)->pairs;
    uint32_t      *to = p->deal[index].to;
    for (size_t i = index ? piece_end(p, index - 1) : 0, end = piece_end(p, index); i < end; i++)
        p->sorted.data[to[p->found.data[i].feature[0] >> p->dealt.bits]++] = p->found.data[i];
}

/* Puts places in the place of these counts: where the first pair of a piece goes in each bin. */
static void place_deals(pliant__pairs *p)
{
    uint32_t at = 0;
    for (uint32_t bin = 0; bin < p->dealt.bins; bin++)
        for (uint32_t piece = 0; piece < p->dealt.pieces; piece++) {
            const uint32_t place = p->deal[piece].to[bin];
            p->deal[piece].to[bin] = at;
            at += place;
        }
}

/* Puts a found pair to its sorted place: among the candidates, or, if not `whole`, in dealt.from, which is merged later. */
static void put_in_order(pliant__pairs *p, size_t at, const pliant__found *found)
{
    if (p->dealt.in_place)
        pliant__put_found(p, p->dealt.base + at, found);
    else
        p->dealt.from[at] = *found;
}

#define FEW 16u

/* Sorts up to FEW found pairs of one first feature by their second features: the place of each is the number of those with a lower one. */
static void order_few(pliant__pairs *p, pliant__found *here, uint32_t count, size_t at)
{
    if (count < 2) {
        if (count) put_in_order(p, at, here);
        return;
    }
    int32_t  key[FEW];
    uint32_t lower[FEW] = {0};
    for (uint32_t i = 0; i < FEW; i++) key[i] = i < count ? (int32_t)here[i].feature[1] : INT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < FEW; k++) lower[k] += key[i] < key[k];
    for (uint32_t i = 0; i < count; i++) put_in_order(p, at + lower[i], &here[i]);
}

static void order_many(pliant__pairs *p, pliant__found *here, uint32_t count, size_t at)
{
    for (uint32_t i = 1; i < count; i++) {
        const pliant__found found = here[i];
        uint32_t            k = i;
        for (; k && here[k - 1].feature[1] > found.feature[1]; k--) here[k] = here[k - 1];
        here[k] = found;
    }
    for (uint32_t i = 0; i < count; i++) put_in_order(p, at + i, &here[i]);
}

/* Sorts a bin: by first features, counting how many pairs each has, and then the pairs of each first feature by their second features. */
static void order_bin(void *solver, uint32_t index)
{
    pliant__pairs       *p = ((pliant_solver *)solver)->pairs;
    const pliant__dealt *d = &p->dealt;
    const uint32_t       first = index << d->bits, left = d->features - first, features = left < 1u << d->bits ? left : 1u << d->bits,
                   *end = p->deal[d->pieces - 1].to, begin = index ? end[index - 1] : 0;
    uint32_t *place = p->first_pair + first, at = begin;
    memset(place, 0, features * sizeof *place);
    for (uint32_t i = begin; i < end[index]; i++) place[d->from[i].feature[0] - first]++;
    for (uint32_t i = 0; i < features; i++) {
        const uint32_t here = place[i];
        place[i] = at;
        at += here;
    }
    for (uint32_t i = begin; i < end[index]; i++) d->to[place[d->from[i].feature[0] - first]++] = d->from[i];
    at = begin;
    for (uint32_t i = 0; i < features; i++) {
        (place[i] - at <= FEW ? order_few : order_many)(p, d->to + at, place[i] - at, at);
        at = place[i];
    }
}

/* Sorts what was found. `in_place`: it becomes candidates, from number `base` on; else it is left in p->dealt.from. False if out of memory. */
static bool sort_found(pliant_solver *s, uint32_t features, bool in_place, size_t base)
{
    pliant__pairs *p = s->pairs;
    const uint64_t work = (uint64_t)PLIANT__ORDER_WORK * p->found.count;
    const size_t   count = p->found.count, pieces = 1 + count / PIECE, bins = 1 + count / BIN;
    if (!array_reserve(&s->allocator, &p->sorted, count)) return false;
    if (!count) return true;
    p->dealt = (pliant__dealt){.features = features, .base = base, .in_place = in_place, .from = p->sorted.data, .to = p->found.data};
    p->dealt.pieces = (uint32_t)(pieces < PLIANT__PIECES ? pieces : PLIANT__PIECES);
    while ((features - 1) >> p->dealt.bits >= (bins < PLIANT__BINS ? bins : PLIANT__BINS)) p->dealt.bits++;
    p->dealt.bins = ((features - 1) >> p->dealt.bits) + 1;
    if (p->dealt.bins > 1) {
        pliant__run_counted(s, count_piece, p->dealt.pieces, work);
        place_deals(p);
        pliant__run_counted(s, deal_piece, p->dealt.pieces, work);
    } else {
        p->dealt.from = p->found.data;
        p->dealt.to = p->sorted.data;
        p->dealt.pieces = 1;
        p->deal[0].to[0] = (uint32_t)count;
    }
    pliant__run_counted(s, order_bin, p->dealt.bins, work);
    return true;
}

/* ---- to the candidates ---- */

static bool is_after(const pliant__pair *pair, const pliant__found *found)
{
    return pair->feature[0] != found->feature[0] ? pair->feature[0] > found->feature[0] : pair->feature[1] > found->feature[1];
}

/* The first of the sorted candidates [first, end) that comes after a found pair; `end` if none does. It is looked for from the end, which it is near. */
static size_t find_after(const pliant__pairs *p, size_t first, size_t end, const pliant__found *found)
{
    size_t step = 1;
    while (end > first) {
        const size_t look = end - first > step ? end - step : first;
        if (!is_after(&p->pair.data[look], found)) {
            first = look + 1;
            step = (end - first) / 2 + 1;
        } else {
            end = look;
            step *= 2;
        }
    }
    return end;
}

bool pliant__merge_found(pliant_solver *s, bool edges)
{
    pliant__pairs *p = s->pairs;
    const size_t   first = edges ? p->corner_pairs : 0, count = p->found.count;
    size_t         end;
    if (!make_room(s, count, edges, &end) || !sort_found(s, p->features[pliant__first_kind(edges)].count, end == first, end)) return false;
    for (size_t i = end == first ? 0 : count; i; i--) { /* from the last on: in place */
        const pliant__found *found = &p->dealt.from[i - 1];
        const size_t         after = find_after(p, first, end, found);
        move_pairs(p, after + i, after, end - after);
        end = after;
        pliant__put_found(p, end + i - 1, found);
    }
    return true;
}

/* ---- what is forgotten ---- */

#define CANDIDATES 4096u /* of a task */

static bool is_left(const pliant__pairs *p, size_t number)
{
    const pliant__pair *pair = &p->pair.data[number];
    const bool          edges = pliant__are_edges(p, (uint32_t)number);
    return p->features[pliant__first_kind(edges)].strayed[pair->feature[0]] |
           p->features[pliant__second_kind(edges)].strayed[pair->feature[1]];
}

static void drop_some(void *solver, uint32_t index)
{
    pliant__pairs *p = ((pliant_solver *)solver)->pairs;
    const size_t   first = (size_t)index * CANDIDATES, end = first + CANDIDATES < p->pair.count ? first + CANDIDATES : p->pair.count;
    size_t         kept = first;
    uint32_t       corners = 0;
    for (size_t i = first; i < end; i++) {
        if (is_left(p, i)) continue;
        put_pair(p, kept++, p->pair.data[i], p->room.data[i], p->wake.data[i]);
        corners += i < p->corner_pairs;
    }
    p->asked.data[index] = (pliant__answers){corners, (uint32_t)(kept - first)};
}

bool pliant__drop_astray(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    const uint32_t tasks = (uint32_t)((p->pair.count + CANDIDATES - 1) / CANDIDATES);
    size_t         kept = 0, corners = 0;
    p->asked.count = 0;
    if (!array_reserve(&s->allocator, &p->asked, tasks)) return false;
    pliant__run_counted(s, drop_some, tasks, (uint64_t)PLIANT__ORDER_WORK * p->pair.count);
    for (uint32_t i = 0; i < tasks; i++) {
        const pliant__answers here = p->asked.data[i];
        if (kept < (size_t)i * CANDIDATES) move_pairs(p, kept, (size_t)i * CANDIDATES, here.yes);
        kept += here.yes;
        corners += here.below;
    }
    p->kept = false;
    p->pair.count = p->room.count = p->wake.count = kept;
    p->corner_pairs = corners;
    return true;
}
