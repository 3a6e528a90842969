/* Pairs as rows.
 *
 * When a substep begins nothing crosses anything. Candidates that are near enough then have their nearest points, and a plane between their
 * sides, perpendicular to what joins them. As a row it says that these points are `distance` apart along the plane's normal:
 *
 *   C = n . sum_k c_k x_k - distance >= 0,   c: weights of the nearest points, above 0 on the first side, below on the second
 *
 * projected like a constraint, with one multiplier that only pushes; where bodies hold on to each other it pulls too, by no more than their adhesion,
 * which is constant as long as the pair is a row, and so is what friction has beside the push (Derjaguin, Muller, Toporov 1975). Momentum stays; angular momentum but for what the points slip along the
 * plane in a substep. (A normal that followed the points as they slip would keep it, and turn a part of what pushes against what slides.)
 * Friction acts on positions: the slip since the substep began is undone while what undoes it is within mu_s lambda, and otherwise reduced by
 * mu_d lambda (Macklin 2014, Unified Particle Physics, eq. 24), weighted over the pair's particles. A rope that rolls has its slip along itself and
 * across itself apart, each with a friction of its own.
 *
 * What lay nearer than `distance` already comes no nearer, and apart by a part of what overlaps in each substep: all of it at once would be a
 * velocity that nothing had. That also makes what lies in a pile come to rest, though a sweep over rows leaves some of them unsolved.
 *
 * Rows are coloured in every substep, loose particles' first by their slots (pair_points.c), the others in the order of their parts: rows of one colour share no slot that moves, and are solved 16 at a time. A row
 * has the first free one of colours of its own, so that it keeps its place among its neighbours while others come and go. */
#include "step/solver.h"

#include <string.h>

#define SURELY K(1.001) /* more than rounding may take */
#define LOOKED 64u      /* blocks of 16 candidates of a task */
#define BLOCKS 16u      /* blocks of rows of a task */

/* ---- candidates that are near ---- */

/* How far a part may have moved since candidates were found, and go in this substep. Not of one corner: the nearest point may have moved with one, and
 * another may have the longest step. */
static pliant_real part_moved(const pliant__pairs *p, const pliant__parts *parts, uint32_t part, pliant_real stepped)
{
    const pliant__strayed *of = &p->strayed;
    const uint32_t        *slot = parts->slot + 3 * (size_t)part;
    pliant_real            most = of->moved[slot[0]], step = of->stepped[slot[0]];
    for (uint32_t k = 1; k < parts->corners; k++) {
        most = r_max(most, of->moved[slot[k]]);
        step = r_max(step, of->stepped[slot[k]]);
    }
    return most + stepped * step;
}

/* Keeps those whose own sides have moved enough; returns how many. */
static uint32_t keep_moved(const pliant__pairs *p, const pliant_real *value, pliant_real stepped, uint32_t *listed, uint32_t count,
                           bool edges)
{
    const pliant__parts *first = &p->parts[pliant__first_kind(edges)], *second = &p->parts[pliant__second_kind(edges)];
    uint32_t             some = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t   *part = p->pair.data[listed[i]].part;
        const pliant_real mine = part_moved(p, first, part[0], stepped), its = part_moved(p, second, part[1], stepped);
        listed[some] = listed[i];
        some += value[listed[i]] <= SURELY * (mine + its);
    }
    return some;
}

static void move_parts(const pliant__pairs *p, const pliant__parts *parts, pliant_real stepped)
{
    for (uint32_t i = 0; i < parts->count; i++) parts->moved[i] = part_moved(p, parts, i, stepped);
}

/* The same, of many: each part is looked at once. */
static uint32_t keep_moved_parts(const pliant__pairs *p, const pliant_real *value, pliant_real stepped, uint32_t *listed, uint32_t count,
                                 bool edges)
{
    const pliant__parts *first = &p->parts[pliant__first_kind(edges)], *second = &p->parts[pliant__second_kind(edges)];
    uint32_t             some = 0;
    move_parts(p, first, stepped);
    if (first != second) move_parts(p, second, stepped);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *part = p->pair.data[listed[i]].part;
        listed[some] = listed[i];
        some += value[listed[i]] <= SURELY * (first->moved[part[0]] + second->moved[part[1]]);
    }
    return some;
}

/* Candidates of a kind, from one number on. */
static uint32_t list_kind(pliant_solver *s, const pliant_real *value, pliant_real stepped, uint32_t first, uint32_t count, bool edges,
                          uint32_t *listed)
{
    pliant__pairs    *p = &s->pairs;
    const pliant_real most = SURELY * 2 * (p->strayed.from_ref + stepped * p->strayed.step);
    const uint32_t    parts = p->parts[pliant__first_kind(edges)].count;
    uint32_t          some;
    s->backend.kernels->below(value, first, count, most, listed, &some);
    return some < parts ? keep_moved(p, value, stepped, listed, some, edges) : keep_moved_parts(p, value, stepped, listed, some, edges);
}

bool pliant__list_near(pliant_solver *s, const pliant_real *value, pliant_real stepped)
{
    pliant__pairs *p = &s->pairs;
    const uint32_t count = (uint32_t)p->pair.count, corners = (uint32_t)p->corner_pairs;
    p->listed.count = 0;
    if (!array_reserve(&s->allocator, &p->listed, count + PLIANT__BLOCK)) return false;
    p->listed_corners = list_kind(s, value, stepped, 0, corners, false, p->listed.data);
    p->listed.count = p->listed_corners + list_kind(s, value, stepped, corners, count - corners, true, p->listed.data + p->listed_corners);
    return true;
}

/* Blocks of 16 listed candidates, corners' and edges' apart. */
static uint32_t corner_blocks(const pliant__pairs *p) { return (uint32_t)(p->listed_corners + PLIANT__BLOCK - 1) / PLIANT__BLOCK; }

static uint32_t listed_blocks(const pliant__pairs *p)
{
    return corner_blocks(p) + (uint32_t)(p->listed.count - p->listed_corners + PLIANT__BLOCK - 1) / PLIANT__BLOCK;
}

/* Where a block begins in the list, and how many it has. */
static uint32_t block_first(const pliant__pairs *p, uint32_t block, uint32_t *count)
{
    const uint32_t corners = corner_blocks(p);
    const size_t   first = block < corners ? (size_t)block * PLIANT__BLOCK : p->listed_corners + (size_t)(block - corners) * PLIANT__BLOCK,
                 end = block < corners ? p->listed_corners : p->listed.count;
    *count = (uint32_t)(end - first < PLIANT__BLOCK ? end - first : PLIANT__BLOCK);
    return (uint32_t)first;
}

static void ask_some(void *solver, uint32_t index)
{
    pliant_solver     *s = solver;
    pliant__pairs     *p = &s->pairs;
    pliant__pair_lanes at;
    const uint32_t     blocks = listed_blocks(p), end = (index + 1) * LOOKED < blocks ? (index + 1) * LOOKED : blocks;
    for (uint32_t block = index * LOOKED; block < end; block++) {
        uint32_t       count, bits;
        const uint32_t first = block_first(p, block, &count);
        pliant__gather_pairs(p, p->listed.data + first, count, &at);
        p->ask(&at, p->begun, s->state->x, &bits);
        p->bits.data[block] = (uint16_t)(bits & ((1u << count) - 1));
    }
}

bool pliant__ask_listed(pliant_solver *s, pliant__pair_question *ask)
{
    pliant__pairs *p = &s->pairs;
    const uint32_t blocks = listed_blocks(p);
    p->bits.count = p->active.count = 0;
    if (!array_reserve(&s->allocator, &p->bits, blocks) || !array_reserve(&s->allocator, &p->active, p->listed.count)) return false;
    p->ask = ask;
    pliant__run_light(s, ask_some, (blocks + LOOKED - 1) / LOOKED);
    for (uint32_t block = 0; block < blocks; block++) {
        uint32_t       count;
        const uint32_t first = block_first(p, block, &count);
        for (uint32_t i = 0; i < count; i++)
            if (p->bits.data[block] >> i & 1) p->active.data[p->active.count++] = p->listed.data[first + i];
    }
    return true;
}

/* ---- their order ---- */

/* Rows of each colour: loose particles', corners', edges'. */
enum { OF_POINTS, OF_CORNERS, OF_EDGES, KINDS };
typedef struct colour_counts {
    uint32_t of[KINDS][PLIANT__PAIR_COLOURS + 1];
} colour_counts;

#define NO_COLOUR PLIANT__PAIR_COLOURS

#define WISHES 8u

static uint64_t hash_parts(uint32_t first, uint32_t second)
{
    const uint64_t mixed = (first * UINT64_C(0x9E3779B97F4A7C15) ^ second) * UINT64_C(0xC2B2AE3D27D4EB4F);
    return mixed ^ mixed >> 29;
}

static uint32_t wish(uint64_t mixed, uint32_t i) { return (uint32_t)(mixed >> (6 * i + 2)) % 64; }

/* One of the colours that are free. Each pair has wishes of its own, whatever else there is, and takes the first that is free. Were it the lowest, a
 * row that comes or goes would change the order of many others, and what lies would never come to rest. */
static uint32_t choose_colour(uint64_t mixed, uint64_t taken)
{
    uint32_t granted = 0;
    if (!(taken >> wish(mixed, 0) & 1)) return wish(mixed, 0);
    for (uint32_t i = 1; i < WISHES; i++) granted |= (uint32_t)(~taken >> wish(mixed, i) & 1) << i;
    return granted ? wish(mixed, (uint32_t)__builtin_ctz(granted)) : (uint32_t)__builtin_ctzll(~taken);
}

static void find_row_slots(const pliant__pairs *p, size_t row, uint32_t *slot)
{
    const uint32_t number = p->active.data[row];
    pliant__find_slots(p, p->pair.data[number].part, pliant__are_edges(p, number), slot);
}

/* Nobody has a colour of this round yet, of those whose rows have none. */
static void clear_colours(pliant__pairs *p)
{
    const uint32_t      *colour_of = p->colour_of.data;
    const pliant__cells *c = &p->cells;
    for (uint32_t i = 0; i < c->count; i++) p->colours[c->slot[i]] = 0;
    for (size_t i = 0; i < p->active.count; i++) {
        uint32_t slot[4];
        if (colour_of[i] != NO_COLOUR) continue;
        find_row_slots(p, i, slot);
        for (uint32_t k = 0; k < 4; k++) p->colours[slot[k]] = 0;
    }
}

/* The same of loose particles' rows, which come first, by their slots. */
static size_t colour_points(pliant_solver *s, uint32_t round)
{
    pliant__pairs *p = &s->pairs;
    pliant__cells *c = &p->cells;
    size_t         none = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t slot = c->slot[i], first = c->first_pair[slot];
        if (!c->pairs[slot]) continue;
        const uint32_t *other = c->side[1].data + first;
        uint16_t       *colour_of = c->colour_of.data + first;
        const bool      moves = s->state->x[4 * (size_t)slot + 3] > 0;
        uint64_t        mine = p->colours[slot];
        for (uint32_t k = 0; k < c->pairs[slot]; k++) {
            if (round && colour_of[k] != NO_COLOUR) continue;
            const uint64_t taken = mine | p->colours[other[k]];
            colour_of[k] = NO_COLOUR;
            none += taken == UINT64_MAX;
            if (taken == UINT64_MAX) continue;
            const uint32_t colour = choose_colour(hash_parts(slot, other[k]), taken);
            mine |= (uint64_t)moves << colour;
            p->colours[other[k]] |= (uint64_t)(s->state->x[4 * (size_t)other[k] + 3] > 0) << colour;
            colour_of[k] = (uint16_t)(64 * round + colour);
        }
        p->colours[slot] = mine;
    }
    return none;
}

/* Gives what has no colour one of the 64 of a round, as long as there are any. Returns how many have none. */
static size_t colour_round(pliant_solver *s, uint32_t round)
{
    pliant__pairs *p = &s->pairs;
    uint32_t      *colour_of = p->colour_of.data;
    clear_colours(p);
    size_t none = colour_points(s, round);
    for (size_t i = 0; i < p->active.count; i++) {
        if (colour_of[i] != NO_COLOUR) continue;
        uint32_t slot[4];
        uint64_t taken = 0;
        find_row_slots(p, i, slot);
        for (uint32_t k = 0; k < 4; k++) taken |= p->colours[slot[k]];
        none += taken == UINT64_MAX;
        if (taken == UINT64_MAX) continue;
        const uint32_t *part = p->pair.data[p->active.data[i]].part, colour = choose_colour(hash_parts(part[0], part[1]), taken);
        for (uint32_t k = 0; k < 4; k++)
            if (s->state->x[4 * (size_t)slot[k] + 3] > 0) p->colours[slot[k]] |= (uint64_t)1 << colour;
        colour_of[i] = 64 * round + colour;
    }
    return none;
}

static uint32_t kind_of(const pliant__pairs *p, size_t row) { return pliant__are_edges(p, p->active.data[row]) ? OF_EDGES : OF_CORNERS; }

/* Two rows of one colour share no slot that moves. */
static void colour_rows(pliant_solver *s, colour_counts *some)
{
    pliant__pairs *p = &s->pairs;
    memset(some, 0, sizeof *some);
    for (size_t i = 0; i < p->active.count; i++) p->colour_of.data[i] = NO_COLOUR;
    for (uint32_t round = 0; round < PLIANT__PAIR_ROUNDS && colour_round(s, round); round++) continue;
    for (size_t i = 0; i < p->active.count; i++) some->of[kind_of(p, i)][p->colour_of.data[i]]++;
    for (uint32_t i = 0; i < p->cells.stretches; i++) {
        const pliant__stretch *st = &p->cells.stretch[i];
        for (uint32_t k = 0; k < st->pairs; k++) some->of[OF_POINTS][p->cells.colour_of.data[st->at + k]]++;
    }
}

/* Where blocks of each colour begin: loose particles', corners', then edges'. Rows without a colour have a block each. */
static void place_blocks(pliant__pairs *p, const colour_counts *some, colour_counts *place)
{
    uint32_t block = 0;
    p->colour_count = 0;
    for (uint32_t c = 0; c <= PLIANT__PAIR_COLOURS; c++) {
        const uint32_t each = c < PLIANT__PAIR_COLOURS ? PLIANT__BLOCK : 1;
        p->first[c] = block;
        for (uint32_t kind = 0; kind < KINDS; kind++) {
            if (c < PLIANT__PAIR_COLOURS && some->of[kind][c]) p->colour_count = c + 1;
            place->of[kind][c] = block * each;
            block += (some->of[kind][c] + each - 1) / each;
        }
    }
    p->first[PLIANT__PAIR_COLOURS + 1] = block;
}

/* Puts a row, by a number that its kind knows it by, into its place. */
static void put_row(pliant__pairs *p, colour_counts *place, uint32_t kind, uint32_t colour, uint32_t number)
{
    const uint32_t     each = colour < PLIANT__PAIR_COLOURS ? PLIANT__BLOCK : 1, at = place->of[kind][colour]++;
    pliant__pair_rows *rows = &p->rows.data[at / each];
    rows->pair[at % each] = number;
    rows->points = kind == OF_POINTS;
    rows->rows |= (uint16_t)(1u << at % each);
}

static bool order_rows(pliant_solver *s)
{
    pliant__pairs *p = &s->pairs;
    pliant__cells *c = &p->cells;
    colour_counts  some, place;
    p->colour_of.count = p->rows.count = c->colour_of.count = 0;
    if (!array_reserve(&s->allocator, &p->colour_of, p->active.count) || !array_reserve(&s->allocator, &c->colour_of, c->side[0].capacity))
        return false;
    colour_rows(s, &some);
    place_blocks(p, &some, &place);
    const uint32_t blocks = p->first[PLIANT__PAIR_COLOURS + 1];
    if (!array_reserve(&s->allocator, &p->rows, blocks)) return false;
    p->rows.count = blocks;
    for (uint32_t b = 0; b < blocks; b++) p->rows.data[b].rows = 0;
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t k = c->first_pair[c->slot[i]], end = k + c->pairs[c->slot[i]]; k < end; k++)
            put_row(p, &place, OF_POINTS, c->colour_of.data[k], k);
    for (size_t i = 0; i < p->active.count; i++) put_row(p, &place, kind_of(p, i), p->colour_of.data[i], p->active.data[i]);
    return true;
}

/* ---- a substep begins ---- */

static pliant_real friction_of(pliant_real a, pliant_real b) { return a < 0 ? r_max(b, 0) : b < 0 ? a : r_sqrt(a * b); }

/* The axis of a side that is a rope: of its segment, or between the neighbours of its corner. */
static pliant_vec3 axis_of(const pliant_solver *s, const pliant__model_body *rope, const pliant__pair_lanes *at, uint32_t lane, bool second)
{
    const uint32_t first = !second ? 0 : at->edges ? 2 : 1;
    uint32_t       end[2] = {at->slot[first][lane], at->slot[first + 1][lane]};
    if (!second && !at->edges) pliant__rope_neighbours(s->model, rope, at->slot[0][lane], end);
    return v3_sub(pliant__slot_x(s->pairs.begun, end[1]), pliant__slot_x(s->pairs.begun, end[0]));
}

/* Of two that can roll the one that does so more easily rolls. */
static void add_rolling(const pliant_solver *s, const pliant__model_body *a, const pliant__model_body *b, pliant__pair_rows *rows,
                        uint32_t lane)
{
    const bool                second = a->rolling_friction < 0 || (b->rolling_friction >= 0 && b->rolling_friction < a->rolling_friction);
    const pliant__model_body *rope = second ? b : a;
    const bool                rolls = rope->rolling_friction >= 0;
    const pliant_vec3         axis = rolls ? axis_of(s, rope, &rows->at, lane, second) : v3(0, 0, 0);
    rows->rolls |= rolls;
    rows->across[0][lane] = axis.x, rows->across[1][lane] = axis.y, rows->across[2][lane] = axis.z;
    rows->rolling[lane] = rolls ? r_min(rope->rolling_friction, rows->friction_dynamic[lane]) : 0;
}

/* What bodies of a pair are to each other. */
static void add_materials(const pliant_solver *s, uint32_t a, uint32_t b, pliant__pair_rows *rows, uint32_t lane)
{
    const pliant__model_body *p = &s->model->bodies[a], *q = &s->model->bodies[b];
    rows->friction_static[lane] = friction_of(p->friction_static, q->friction_static);
    rows->friction_dynamic[lane] = friction_of(p->friction_dynamic, q->friction_dynamic);
    rows->restitution[lane] = r_max(r_max(p->restitution, q->restitution), 0);
    rows->hold[lane] = 0;
    const pliant__model_contact_pair *own = pliant__contact_pair(s->model, a < b ? a : b, a < b ? b : a);
    if (own) {
        rows->friction_static[lane] = pliant__said(own->friction_static, rows->friction_static[lane]);
        rows->friction_dynamic[lane] = pliant__said(own->friction_dynamic, rows->friction_dynamic[lane]);
        rows->restitution[lane] = pliant__said(own->restitution, rows->restitution[lane]);
        rows->hold[lane] = own->adhesion * s->rh * s->rh;
    }
    if (s->pairs.rolls) add_rolling(s, p, q, rows, lane);
}

/* The same in all lanes as in the first. */
static void spread_materials(pliant__pair_rows *rows)
{
    pliant_real *of[] = {rows->friction_static, rows->friction_dynamic, rows->restitution, rows->hold};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        for (uint32_t i = 1; i < PLIANT__BLOCK; i++) of[k][i] = of[k][0];
}

static void add_all_materials(const pliant_solver *s, pliant__pair_rows *rows, uint32_t count)
{
    const bool alike = rows->points && s->pairs.cells.alike && !s->pairs.rolls;
    for (uint32_t i = 0; i < (alike ? 1 : PLIANT__BLOCK); i++) {
        uint32_t body[2];
        pliant__row_bodies(&s->pairs, rows, i < count ? i : 0, body);
        add_materials(s, body[0], body[1], rows, i);
    }
    if (alike) spread_materials(rows);
}

/* Slots of up to 16 pairs of loose particles, as kernels take them; lanes past `count` are the first again. */
static void gather_points(const pliant_solver *s, const uint32_t *number, uint32_t count, pliant__pair_lanes *out)
{
    const pliant__cells *c = &s->pairs.cells;
    out->edges = false;
    for (uint32_t i = 0; i < PLIANT__BLOCK; i++) {
        const uint32_t at = number[i < count ? i : 0];
        out->slot[0][i] = c->side[0].data[at];
        for (uint32_t k = 1; k < 4; k++) out->slot[k][i] = c->side[1].data[at];
        out->distance[i] = c->distance.data[at];
    }
}

static void begin_some(void *solver, uint32_t index)
{
    pliant_solver *s = solver;
    pliant__pairs *p = &s->pairs;
    const size_t   end = (size_t)(index + 1) * BLOCKS < p->rows.count ? (size_t)(index + 1) * BLOCKS : p->rows.count;
    for (size_t b = (size_t)index * BLOCKS; b < end; b++) {
        pliant__pair_rows *rows = &p->rows.data[b];
        uint32_t           count = 0;
        while (count < PLIANT__BLOCK && rows->rows >> count & 1) count++;
        if (rows->points)
            gather_points(s, rows->pair, count, &rows->at);
        else
            pliant__gather_pairs(p, rows->pair, count, &rows->at);
        rows->rolls = false;
        add_all_materials(s, rows, count);
        s->backend.kernels->begin_rows(rows, p->begun, s->state->x, s->substep_rh);
    }
}

/* Candidates that are no further apart than what makes a row, wherever they may have gone since they were found. */
static bool find_rows(pliant_solver *s)
{
    if (!pliant__list_points(s, false) || !pliant__list_near(s, s->pairs.slack.data, 1) ||
        !pliant__ask_listed(s, s->backend.kernels->look) || !order_rows(s))
        return false;
    pliant__run_light(s, begin_some, (uint32_t)((s->pairs.rows.count + BLOCKS - 1) / BLOCKS));
    return true;
}

void pliant__stage_pairs(pliant_solver *s)
{
    pliant__pairs *p = &s->pairs;
    pliant__find_pairs(s);
    if (!p->failed) p->failed = !find_rows(s);
    pliant__note_ways(s);
    if (p->failed) p->rows.count = 0;
}

/* ---- a sweep ---- */

/* Some blocks of the colour that is being walked, or all of those that have none. */
static void walk_some(void *solver, uint32_t index)
{
    pliant_solver *s = solver;
    pliant__pairs *p = &s->pairs;
    const uint32_t last = p->first[p->colour + 1], first = p->first[p->colour] + index * BLOCKS;
    for (uint32_t b = first; b < last && b < first + BLOCKS; b++) p->each(s, &p->rows.data[b]);
}

/* Colour by colour: rows of one share no slot that moves. */
static void walk_colours(pliant_solver *s, void (*each)(pliant_solver *s, pliant__pair_rows *rows))
{
    pliant__pairs *p = &s->pairs;
    if (!p->rows.count) return;
    p->each = each;
    for (p->colour = 0; p->colour < p->colour_count; p->colour++)
        pliant__run_light(s, walk_some, (p->first[p->colour + 1] - p->first[p->colour] + BLOCKS - 1) / BLOCKS);
    p->colour = PLIANT__PAIR_COLOURS;
    for (uint32_t b = p->first[p->colour]; b < p->first[p->colour + 1]; b++) each(s, &p->rows.data[b]);
}

static void project_rows(pliant_solver *s, pliant__pair_rows *rows) { s->backend.kernels->project_pairs(rows, s->state->x); }

void pliant__project_pairs(pliant_solver *s) { walk_colours(s, project_rows); }

/* ---- velocities ---- */

/* What pushed does not fly apart, but for what it bounces: a push is no motion. */
static void settle_rows(pliant_solver *s, pliant__pair_rows *rows)
{
    s->backend.kernels->settle_pairs(rows, s->state->v, s->pairs.resting);
}

void pliant__stage_pair_velocities(pliant_solver *s)
{
    s->pairs.resting = 2 * s->substep_rh * v3_length(s->inputs->gravity);
    walk_colours(s, settle_rows);
}
