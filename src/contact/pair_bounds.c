/* Pairs as bounds: no particle passes through anything.
 *
 * Rows alone are not enough: later rows undo what earlier ones did. When the substep's iterations are done, pairs that have sides which come nearer on their way
 * than a part of their distance are barriers: no particle of one may come nearer to its plane than to a part of the gap that there was, and its
 * path is cut there (bounds as in Offset Geometric Contact, Chen et al. 2025, but only along the plane's normal, and in proportion to what each side
 * wants). Paths count from where those that hang together by barriers go on the whole, so that what falls together is not held back.
 *
 * Where a cut makes a particle go beside others that have gone, there may be new barriers: then paths are cut anew, with those too. Whether sides meet is asked
 * exactly (collide/continuous.h), of those alone that have their ways in boxes that meet: boxes go along the axes, and if they decided, a scene that is turned
 * would go another way. Where that comes to no end in MOST_ROUNDS, boxes suffice for as many more.
 *
 * Colliders bound paths, too, and may be bound themselves (collider_bounds.c).
 *
 * A plane also holds what would slide past it later on its way. So a scene may have a barrier cut paths to just before its sides meet on them; then all
 * barriers are asked again. Those that meet in too many rounds get their planes after all. */
#include "contact/contacts.h"
#include "contact/pair_text.h"
#include "contact/pairs.h"
#include "solver/pair_kernels.h"
#include "solver/solver.h"
#include "state/state.h"

#include <string.h>

static bool is_fixed(const pliant_solver *s, uint32_t slot) { return PLIANT__SLOT(s->state->x, slot)[3] == 0; }

static pliant_vec3 path_start_at(const pliant__pairs *p, uint32_t slot) { return pliant__slot_x(p->path_start, slot); }

/* ---- impacts ---- */

/* Whether sides come nearer than a part of their distance on their way to where they are now, and when: never too late. */
static bool meets(const pliant_solver *s, const pliant__barrier *b, double *time)
{
    const pliant__impact met = pliant__pair_meets(s, b->slot, b->edges, (double)(PLIANT__PAIR_LEFT * b->pair.distance));
    *time = met.time;
    return met.meets;
}

/* ---- barriers ---- */

static bool is_before(const pliant__barrier *a, const pliant__barrier *b)
{
    if (a->points != b->points) return a->points;
    if (a->edges != b->edges) return a->edges < b->edges;
    return a->pair.feature[0] != b->pair.feature[0] ? a->pair.feature[0] < b->pair.feature[0] : a->pair.feature[1] < b->pair.feature[1];
}

/* Finds the plane of a barrier and the gap along it, from positions at the beginning of the substep; its slots are filled. */
static void add_plane(const pliant__pairs *p, pliant__barrier *b)
{
    vvec  x[4];
    vreal weight[4];
    for (uint32_t k = 0; k < 4; k++) {
        const pliant_vec3 at = path_start_at(p, b->slot[k]);
        x[k] = vvec_of(at.x, at.y, at.z);
    }
    pair_weights(x, b->edges, weight);
    const vvec  between = pair_between(x, weight);
    const vreal gap = vlength(between);
    const vvec  normal = vscale(between, vinverse(gap));
    b->normal = v3(normal.x, normal.y, normal.z);
    b->gap = pair_room(x, b->edges, normal);
}

/* Copies barriers that there are already and that come before `here` to p->more; `was`: the first that is not copied. Returns whether `here` is there already. */
static bool take_before(pliant__pairs *p, const pliant__barrier *here, size_t *was)
{
    while (*was < p->barrier.count && is_before(&p->barrier.data[*was], here)) p->more.data[p->more.count++] = p->barrier.data[(*was)++];
    return *was < p->barrier.count && !is_before(here, &p->barrier.data[*was]);
}

/* Adds a barrier behind those that come before it, unless it is there already; returns how many were added. */
static int64_t add_barrier(pliant__pairs *p, pliant__barrier here, size_t *was)
{
    if (take_before(p, &here, was)) return 0;
    add_plane(p, &here);
    p->more.data[p->more.count++] = here;
    return 1;
}

/* Adds barriers of near pairs of loose particles, in the order of slots; returns how many were added. */
static int64_t add_point_barriers(pliant_solver *s, size_t *was)
{
    pliant__pairs       *p = s->pairs;
    const pliant__loose *c = &p->loose;
    int64_t              added = 0;
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t a = c->slot[i], k = c->first_pair[a], end = k + c->pairs[a]; k < end; k++) {
            const uint32_t b = c->side[1].data[k];
            added += add_barrier(p, (pliant__barrier){.pair = {{a, b}, c->distance.data[k], 0}, .points = true, .slot = {a, b, b, b}}, was);
        }
    return added;
}

/* Adds candidates as barriers that are none yet: those with sides that meet on their ways to where they are now, or, with `all`, with ways in boxes that meet.
 * Barriers and candidates are in the same order, so they are merged. Returns how many were added, or -1 if there is no room. */
static int64_t add_barriers(pliant_solver *s, bool all)
{
    pliant__pairs *p = s->pairs;
    if (!pliant__list_points(s, true) || !pliant__ask_near(s, false, all)) return -1;
    p->more.count = 0;
    if (!array_reserve(&s->allocator, &p->more, p->barrier.count + p->active.count + pliant__count_near(&p->loose))) return -1;
    size_t  was = 0;
    int64_t added = add_point_barriers(s, &was);
    for (size_t i = 0; i < p->active.count; i++) {
        const uint32_t  number = p->active.data[i];
        pliant__barrier here = {.pair = p->pair.data[number], .edges = pliant__are_edges(p, number)};
        pliant__find_slots(p, here.pair.feature, here.edges, here.slot);
        added += add_barrier(p, here, &was);
    }
    while (was < p->barrier.count) p->more.data[p->more.count++] = p->barrier.data[was++];
    const pliant__barriers old = p->barrier;
    p->barrier = p->more;
    p->more = old;
    return added;
}

/* Lists slots that barriers have: paths of other slots are not cut. */
static void list_bounded(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    for (size_t i = 0; i < p->barrier.count; i++)
        for (uint32_t k = 0; k < 4; k++) pliant__bound_slot(s, p->barrier.data[i].slot[k]);
    p->bounded_count = 0;
    for (uint32_t i = 0; i < p->slots; i++) {
        p->bounded[p->bounded_count] = p->slot[i];
        p->bounded_count += p->bound[p->slot[i]];
    }
}

static void forget_bounded(pliant__pairs *p)
{
    for (uint32_t i = 0; i < p->bounded_count; i++) p->bound[p->bounded[i]] = 0;
    p->bounded_count = 0;
}

/* ---- islands ---- */

static uint32_t root_of(uint32_t *of, uint32_t i)
{
    while (of[i] != i) i = of[i] = of[of[i]];
    return i;
}

static void find_islands(pliant__pairs *p)
{
    for (uint32_t i = 0; i < p->bounded_count; i++) p->island[p->bounded[i]] = p->bounded[i];
    for (size_t i = 0; i < p->barrier.count; i++)
        for (uint32_t k = 1; k < 4; k++) {
            const uint32_t *slot = p->barrier.data[i].slot, a = root_of(p->island, slot[0]), b = root_of(p->island, slot[k]);
            p->island[a < b ? b : a] = a < b ? a : b;
        }
    for (uint32_t i = 0; i < p->bounded_count; i++) p->island[p->bounded[i]] = root_of(p->island, p->bounded[i]);
}

static pliant_vec3 path_of(const pliant__pairs *p, uint32_t slot)
{
    return v3_sub(pliant__slot_x(p->wanted, slot), path_start_at(p, slot));
}

/* Whether a particle is fixed and does not move in this substep: then it keeps its island from being carried along. */
static bool is_still(const pliant_solver *s, uint32_t slot)
{
    const pliant_vec3 path = path_of(s->pairs, slot);
    return is_fixed(s, slot) && v3_dot(path, path) == 0;
}

/* What a particle says of the drift of its island: 3: there is none; 1: the island goes where this particle goes; 0: nothing, if another one says something. */
static uint8_t anchors(const pliant_solver *s, uint32_t slot)
{
    if (is_still(s, slot) || s->pairs->stands[slot] == PLIANT__STANDS_STILL) return 3;
    return is_fixed(s, slot) || s->pairs->stands[slot] == PLIANT__FOLLOWS;
}

/* Where each island goes on the whole: nowhere, if it has particles that stand still; with those that are moved, if it has such; else all of it. */
static void find_drifts(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    for (uint32_t i = 0; i < p->bounded_count; i++) {
        const uint32_t slot = p->bounded[i];
        p->drift[slot] = v3(0, 0, 0);
        p->drift_count[slot] = p->anchored[slot] = 0;
        p->share[slot] = 1;
    }
    for (uint32_t i = 0; i < p->bounded_count; i++) {
        const uint32_t slot = p->bounded[i];
        p->anchored[p->island[slot]] |= anchors(s, slot);
    }
    for (uint32_t i = 0; i < p->bounded_count; i++) {
        const uint32_t slot = p->bounded[i], island = p->island[slot];
        if (p->anchored[island] == 3 || p->anchored[island] != anchors(s, slot)) continue;
        p->drift[island] = v3_add(p->drift[island], p->stands[slot] == PLIANT__FOLLOWS ? p->led[slot] : path_of(p, slot));
        p->drift_count[island]++;
    }
    for (uint32_t i = 0; i < p->bounded_count; i++) {
        const uint32_t slot = p->bounded[i];
        if (p->drift_count[slot]) p->drift[slot] = v3_scale(p->drift[slot], 1 / (pliant_real)p->drift_count[slot]);
    }
}

/* ---- cuts ---- */

/* m: how far a particle wants to go towards the other side of a barrier, beside the drift of its island. */
static pliant_real approach(const pliant__pairs *p, const pliant__barrier *b, uint32_t slot, bool first_side)
{
    const pliant_real along = v3_dot(b->normal, v3_sub(path_of(p, slot), p->drift[p->island[slot]]));
    return first_side ? -along : along;
}

/* What is moved, as a target, is cut like all else, and catches up in later substeps. */
static void bound_sides(pliant_solver *s, const pliant__barrier *b)
{
    const uint32_t    first = b->edges ? 2 : 1; /* slots of the first side */
    const pliant_real room = pair_may_close(b->gap, b->pair.distance);
    pliant_real       wants[2] = {0, 0}, by[4];
    for (uint32_t k = 0; k < 4; k++) {
        by[k] = approach(s->pairs, b, b->slot[k], k < first);
        wants[k >= first] = r_max(wants[k >= first], by[k]);
    }
    if (wants[0] + wants[1] <= room) return;
    const pliant_real part = room / (wants[0] + wants[1]);
    for (uint32_t k = 0; k < 4; k++) {
        const pliant_real may = part * wants[k >= first];
        pliant_real      *share = &s->pairs->share[b->slot[k]];
        if (by[k] > may) *share = r_min(*share, may / by[k]);
    }
}

/* What a share leaves of a particle's path. */
static void cut_path(pliant_solver *s, uint32_t slot)
{
    pliant__pairs    *p = s->pairs;
    const pliant_real share = p->share[slot];
    const pliant_vec3 to = pliant__slot_x(p->wanted, slot), base = v3_add(path_start_at(p, slot), p->drift[p->island[slot]]);
    pliant__set_slot_x(s->state->x, slot, share < 1 ? share > 0 ? v3_madd(base, v3_sub(to, base), share) : base : to);
}

static void begin_cuts(pliant_solver *s)
{
    list_bounded(s);
    find_islands(s->pairs);
    find_drifts(s);
}

/* The part that a particle goes of its path so far. Beside its island's drift all four of a pair go alike, so that the pair is where it was at that time. */
static pliant_real *gone(pliant__pairs *p, uint32_t slot) { return &PLIANT__SLOT(p->wanted, slot)[3]; }

/* Cuts all paths, by barriers, or by those alone that are planes; and again where colliders say so. */
static void cut_paths(pliant_solver *s, bool all)
{
    pliant__pairs *p = s->pairs;
    do {
        begin_cuts(s);
        for (uint32_t i = 0; i < p->bounded_count; i++) p->share[p->bounded[i]] = r_min(*gone(p, p->bounded[i]), p->most[p->bounded[i]]);
        for (size_t i = 0; i < p->barrier.count; i++)
            if (all || p->barrier.data[i].plane) bound_sides(s, &p->barrier.data[i]);
        for (uint32_t i = 0; i < p->bounded_count; i++) cut_path(s, p->bounded[i]);
    } while (pliant__bound_by_colliders(s));
}

#define MOST_ROUNDS 8u

/* No particle moves: the last resort. */
static void go_back(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    for (uint32_t i = 0; i < p->slots; i++) pliant__bound_slot(s, p->slot[i]);
    begin_cuts(s);
    for (uint32_t i = 0; i < p->slots; i++) {
        p->share[p->slot[i]] = 0;
        pliant__set_slot_x(s->state->x, p->slot[i], path_start_at(p, p->slot[i]));
    }
    while (pliant__bound_by_colliders(s)) continue;
}

static void bound_by_planes(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    for (uint32_t round = 0; round < 2 * MOST_ROUNDS && !p->failed; round++) {
        pliant__find_missed_pairs(s, round < MOST_ROUNDS);
        const int64_t added = p->failed ? -1 : add_barriers(s, round >= MOST_ROUNDS);
        p->failed = added < 0;
        if (p->failed || (!added && (round || !pliant__bound_by_colliders(s)))) break;
        if (round + 1 < 2 * MOST_ROUNDS)
            cut_paths(s, true);
        else
            go_back(s);
    }
}

/* ---- cuts where sides meet ---- */

#define EARLY 0.1 /* of a path */

static void cut_before(pliant__pairs *p, const pliant__barrier *b, double time)
{
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t slot = b->slot[k];
        p->share[slot] = r_min(p->share[slot], PLIANT__PAIR_USED * (pliant_real)time * *gone(p, slot));
    }
}

/* Cuts paths of those that meet on them as they are now; whether any do. A pair that would meet early, as sides that lie pressed together do, has its plane at once, along
 * which they may slide. */
static bool cut_impacts(pliant_solver *s, bool by_planes)
{
    pliant__pairs *p = s->pairs;
    bool           any = false;
    begin_cuts(s);
    for (uint32_t i = 0; i < p->bounded_count; i++) p->share[p->bounded[i]] = *gone(p, p->bounded[i]);
    for (size_t i = 0; i < p->barrier.count; i++) {
        pliant__barrier *b = &p->barrier.data[i];
        double           time;
        if (b->plane || !meets(s, b, &time)) continue;
        any = true;
        b->plane = by_planes || !(time > EARLY);
        if (!b->plane) cut_before(p, b, time);
    }
    if (!any && !pliant__bound_by_colliders(s)) return false;
    for (uint32_t i = 0; i < p->bounded_count; i++) *gone(p, p->bounded[i]) = p->share[p->bounded[i]];
    cut_paths(s, false);
    return true;
}

/* As if no path had been cut. */
static void start_over(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    for (uint32_t i = 0; i < p->bounded_count; i++)
        pliant__set_slot_x(s->state->x, p->bounded[i], pliant__slot_x(p->wanted, p->bounded[i]));
    p->barrier.count = 0;
    forget_bounded(p);
}

static void bound_by_impacts(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    for (uint32_t round = 0; round < 2 * MOST_ROUNDS; round++) {
        pliant__find_missed_pairs(s, true);
        p->failed = p->failed || add_barriers(s, false) < 0;
        if (p->failed || !cut_impacts(s, round >= MOST_ROUNDS)) return;
    }
    start_over(s);
    bound_by_planes(s);
}

/* ---- what it was ---- */

/* What a particle that is put back by so much has lost, times the substep's length. */
static void add_taken(const pliant_solver *s, uint32_t slot, pliant_vec3 back, double taken[3])
{
    const double w = (double)PLIANT__SLOT(s->state->x, slot)[3];
    taken[0] += (double)back.x / w, taken[1] += (double)back.y / w, taken[2] += (double)back.z / w;
}

static void note_taken(pliant_solver *s, const double taken[3])
{
    s->statistics.momentum_held += sqrt(taken[0] * taken[0] + taken[1] * taken[1] + taken[2] * taken[2]) / s->substep_h;
}

/* What was taken from particles with paths that were cut. */
static void count_held(pliant_solver *s)
{
    const pliant__pairs *p = s->pairs;
    double               taken[3] = {0, 0, 0};
    for (uint32_t i = 0; i < p->bounded_count; i++) {
        const pliant_vec3 back = v3_sub(pliant__slot_x(p->wanted, p->bounded[i]), pliant__slot_x(s->state->x, p->bounded[i]));
        if (!(v3_dot(back, back) > 0) || is_fixed(s, p->bounded[i])) continue;
        add_taken(s, p->bounded[i], back, taken);
        s->statistics.particles_held++;
    }
    note_taken(s, taken);
}

/* ---- the other bound ----
 *
 * Rows were found for the way that each particle was predicted to go, and for what is within its margin beside it. So if only velocities are bounded,
 * no particle ends further from that way than its margin: it may stop at any time, and be pushed aside or on by that much. What rows leave
 * unsolved within these bounds may pass. What is pushed goes no more than its margin further than all do on average, so that its rows have less to undo. */

void pliant__note_ways(pliant_solver *s)
{
    if (pliant__bounds_speed(s->model))
        memcpy(s->pairs->wanted, s->state->x, pliant__slot_numbers(s->model->header->slot_count) * sizeof *s->pairs->wanted);
}

/* How far all of them would go on average: how long that is. */
static pliant_real common_way(const pliant__pairs *p)
{
    double sum[3] = {0, 0, 0};
    for (uint32_t i = 0; i < p->slots; i++) {
        const pliant_vec3 way = path_of(p, p->slot[i]);
        sum[0] += (double)way.x, sum[1] += (double)way.y, sum[2] += (double)way.z;
    }
    return (pliant_real)(sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / p->slots);
}

/* The part of its way that each may go: of what is pushed, no more than all go together, and its margin. */
static void share_ways(pliant__pairs *p)
{
    const pliant_real common = common_way(p);
    for (uint32_t i = 0; i < p->slots; i++) p->share[p->slot[i]] = 1;
    for (size_t b = 0; b < p->rows.count; b++) {
        const pliant__pair_rows *rows = &p->rows.data[b];
        for (uint32_t i = 0; i < PLIANT__BLOCK; i++)
            for (uint32_t k = 0; k < 4 && rows->rows >> i & 1 && rows->lambda[i] > 0; k++) {
                const uint32_t    slot = rows->at.slot[k][i];
                const pliant_real length = v3_length(path_of(p, slot)), may = common + PLIANT__SLOT(p->ref, slot)[3];
                if (length > may) p->share[slot] = may / length;
            }
    }
}

/* The nearest place to where it is that is no further from its way than the margin; false if it is there already. */
static bool limit_way(const pliant_solver *s, uint32_t slot, pliant_vec3 *to)
{
    const pliant__pairs *p = s->pairs;
    const pliant_real    margin = PLIANT__SLOT(p->ref, slot)[3];
    const pliant_vec3    path_start = path_start_at(p, slot), way = path_of(p, slot),
                      gone = v3_sub(pliant__slot_x(s->state->x, slot), path_start);
    const pliant_real length2 = v3_dot(way, way), share = length2 > 0 ? r_min(r_max(v3_dot(gone, way) / length2, 0), p->share[slot]) : 0;
    const pliant_vec3 off = v3_madd(gone, way, -share);
    const pliant_real far = v3_length(off);
    if (!(far > margin)) return false;
    *to = v3_add(path_start, v3_madd(v3_scale(way, share), off, margin / far));
    return true;
}

static void limit_speeds(pliant_solver *s)
{
    const pliant__pairs *p = s->pairs;
    double               taken[3] = {0, 0, 0};
    share_ways(s->pairs);
    for (uint32_t i = 0; i < p->slots; i++) {
        const uint32_t    slot = p->slot[i];
        const pliant_vec3 from = pliant__slot_x(s->state->x, slot);
        pliant_vec3       to;
        if (is_fixed(s, slot) || !limit_way(s, slot, &to)) continue;
        add_taken(s, slot, v3_sub(from, to), taken);
        pliant__set_slot_x(s->state->x, slot, to);
        s->statistics.particles_limited++;
    }
    note_taken(s, taken);
}

/* ---- the end of a substep ---- */

static void bound_paths(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    p->barrier.count = 0;
    forget_bounded(p);
    if (s->model->header->contact_bound == PLIANT_CONTACT_BOUND_CONTINUOUS)
        bound_by_impacts(s);
    else
        bound_by_planes(s);
    if (p->bounded_count && !p->failed) count_held(s);
}

void pliant__hold_pairs(pliant_solver *s)
{
    if (s->pairs->failed) return;
    if (pliant__bounds_speed(s->model)) {
        limit_speeds(s);
        return;
    }
    pliant__begin_collider_bounds(s);
    bound_paths(s);
    pliant__end_collider_bounds(s);
}
