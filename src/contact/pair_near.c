/* Candidates that are near: which of them may be rows in this substep, or barriers, and whether their sides meet on their way. */
#include "contact/pair_text.h"
#include "contact/pairs.h"
#include "solver/pair_kernels.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/state.h"

#include <string.h>

#define SURELY K(1.001)  /* more than rounding may take */
#define ROUNDING K(1e-6) /* of distances: as much as may be lost when they are reckoned back */
#define FARTHEST 8       /* margins that `travel` may grow to */
#define LOOKED 2048u     /* candidates of a task that asks */
#define MOVED 8192u      /* features of a task that looks how far they have moved */
#define NEARLY 1e-3      /* tolerance of continuous queries, in distances: sides may be said to meet that stay so much further apart */

/* ---- impacts ---- */

pliant__impact pliant__pair_meets(const pliant_solver *s, const uint32_t slot[4], bool edges, double distance)
{
    pliant__straight_motion m;
    for (uint32_t k = 0; k < 4; k++) {
        const pliant_vec3 from = pliant__slot_x(s->pairs->path_start, slot[k]), to = pliant__slot_x(s->state->x, slot[k]);
        m.from[k][0] = (double)from.x, m.from[k][1] = (double)from.y, m.from[k][2] = (double)from.z;
        m.to[k][0] = (double)to.x, m.to[k][1] = (double)to.y, m.to[k][2] = (double)to.z;
    }
    return edges ? pliant__edges_meet(&m, distance, NEARLY * distance) : pliant__corner_meets_triangle(&m, distance, NEARLY * distance);
}

/* ---- candidates ---- */

/* m, the most that a point of a feature may have moved since candidates were found, and `stepped` times the most that it goes in this substep. The two are
 * looked for among the feature's corners apart from each other: its nearest point may have moved with one corner and go on with another. */
static pliant_real feature_moved(const pliant__pairs *p, const pliant__features *features, uint32_t feature, pliant_real stepped)
{
    const pliant__strayed *of = &p->strayed;
    const uint32_t        *slot = features->slot + 3 * (size_t)feature;
    pliant_real            most = of->moved[slot[0]], step = of->stepped[slot[0]];
    for (uint32_t k = 1; k < features->corners; k++) {
        most = r_max(most, of->moved[slot[k]]);
        step = r_max(step, of->stepped[slot[k]]);
    }
    return most + stepped * step;
}

/* Whether a candidate may be what the inquiry is for, a row or a barrier. `moved`: m, how far its two sides have moved, in sum. Where rows are asked for, a
 * candidate that cannot be one is let sleep: twice `travel` has to grow by the distance that it lacks before it is looked at again (wake). */
static bool may_be(pliant__pairs *p, uint32_t number, pliant_real moved)
{
    const pliant_real room = p->room.data[number], distance = p->pair.data[number].distance, apart = room + PLIANT__PAIR_LEFT * distance,
                      needs = p->inquiry.rows
                                  ? apart - pair_reach(distance, p->beyond, p->pair.data[number].rest) - ROUNDING * (apart + distance)
                                  : room,
                      least = SURELY * moved;
    if (!(needs > least)) return true;
    if (p->inquiry.rows) p->wake.data[number] = needs - least + SURELY * 2 * (pliant_real)p->travel;
    return false;
}

/* Keeps those of the candidates `near` that may be what the inquiry is for; returns how many. */
static uint32_t keep_moved(pliant__pairs *p, uint32_t *near, uint32_t count, bool edges)
{
    const pliant__features *first = &p->features[pliant__first_kind(edges)], *second = &p->features[pliant__second_kind(edges)];
    const pliant_real       stepped = p->inquiry.stepped;
    uint32_t                kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = near[i], *feature = p->pair.data[number].feature;
        near[kept] = number;
        kept += may_be(p, number, feature_moved(p, first, feature[0], stepped) + feature_moved(p, second, feature[1], stepped));
    }
    return kept;
}

/* The same, where pliant__features.moved is filled. */
static uint32_t keep_moved_features(pliant__pairs *p, uint32_t *near, uint32_t count, bool edges)
{
    const pliant_real *first = p->features[pliant__first_kind(edges)].moved, *second = p->features[pliant__second_kind(edges)].moved;
    uint32_t           kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = near[i], *feature = p->pair.data[number].feature;
        near[kept] = number;
        kept += may_be(p, number, first[feature[0]] + second[feature[1]]);
    }
    return kept;
}

/* Fills pliant__features.moved of some features of each kind: where candidates are many, each feature is looked at once, not once per candidate. */
static void move_some(void *solver, uint32_t index)
{
    pliant__pairs *p = ((pliant_solver *)solver)->pairs;
    for (uint32_t k = 0; k < PLIANT__FEATURE_KINDS; k++) {
        const pliant__features *features = &p->features[k];
        const uint32_t          first = index * MOVED < features->count ? index * MOVED : features->count,
                       end = first + MOVED < features->count ? first + MOVED : features->count;
        for (uint32_t i = first; i < end; i++) features->moved[i] = feature_moved(p, features, i, p->inquiry.stepped);
    }
}

void pliant__gather_pairs(const pliant__pairs *p, const uint32_t *number, uint32_t count, bool edges, pliant__pair_lanes *out)
{
    const pliant__features *a = &p->features[pliant__first_kind(edges)], *b = &p->features[pliant__second_kind(edges)];
    out->edges = edges;
    out->beyond = p->beyond;
    for (uint32_t i = 0; i < PLIANT__BLOCK; i++) {
        const pliant__pair  *pair = &p->pair.data[number[i < count ? i : 0]];
        const pliant__about *one = &a->about[pair->feature[0]], *other = &b->about[pair->feature[1]];
        out->slot[0][i] = one->slot[0];
        out->slot[1][i] = edges ? one->slot[1] : other->slot[0];
        out->slot[2][i] = edges ? other->slot[0] : other->slot[1];
        out->slot[3][i] = edges ? other->slot[1] : other->slot[2];
        out->distance[i] = pair->distance;
        out->rest[i] = pair->rest;
        out->loose[i] = p->reaching[one->body].sudden + p->reaching[other->body].sudden;
    }
}

static uint32_t corner_tasks(const pliant__pairs *p) { return (uint32_t)((p->corner_pairs + LOOKED - 1) / LOOKED); }

static uint32_t inquiry_tasks(const pliant__pairs *p)
{
    return corner_tasks(p) + (uint32_t)((p->pair.count - p->corner_pairs + LOOKED - 1) / LOOKED);
}

/* Tasks of corners and of edges by turns, as many of each among the first ones as among the last: threads that take a stretch of them have corners and edges of one
 * part of a mesh. */
static uint32_t task_of_turn(const pliant__pairs *p, uint32_t turn)
{
    const uint64_t corners = corner_tasks(p), all = inquiry_tasks(p), before = turn * corners / all;
    return (uint32_t)((turn + 1) * corners / all > before ? before : corners + turn - before);
}

/* Number of a task's first candidate, and how many the task has. Its candidates are corners' pairs or edges', never both. */
static uint32_t task_first(const pliant__pairs *p, uint32_t task, uint32_t *count)
{
    const bool   edges = task >= corner_tasks(p);
    const size_t first = edges ? p->corner_pairs + (size_t)(task - corner_tasks(p)) * LOOKED : (size_t)task * LOOKED,
                 left = (edges ? p->pair.count : p->corner_pairs) - first;
    *count = (uint32_t)(left < LOOKED ? left : LOOKED);
    return (uint32_t)first;
}

/* Whether the sides of the pair in a lane come as near on their ways as the inquiry asks, by a continuous query. The kernel has asked the boxes around the
 * ways; whether boxes meet depends on how the ways lie to the axes, and how near the sides come does not. */
static bool comes_near(const pliant_solver *s, const pliant__pair_lanes *at, uint32_t lane)
{
    const pliant_real distance = at->distance[lane],
                      near = s->pairs->inquiry.rows ? pair_reach(distance, at->beyond, at->rest[lane]) : PLIANT__PAIR_LEFT * distance;
    const uint32_t slot[4] = {at->slot[0][lane], at->slot[1][lane], at->slot[2][lane], at->slot[3][lane]};
    return pliant__pair_meets(s, slot, at->edges, (double)near).meets;
}

/* Asks the candidates of a task. Those with a yes are written to `active` from the number of the task's first candidate on; pliant__ask_near closes the
 * gaps. */
static void ask_some(void *solver, uint32_t turn)
{
    pliant_solver         *s = solver;
    pliant__pairs         *p = s->pairs;
    const uint32_t         index = task_of_turn(p, turn);
    const pliant__inquiry *q = &p->inquiry;
    const bool             edges = index >= corner_tasks(p);
    uint32_t               near[LOOKED + PLIANT__BLOCK], count, kept, bits, far, n = 0;
    const uint32_t         first = task_first(p, index, &count);
    pliant__pair_lanes     at;
    s->backend.kernels->below(q->value, first, count, q->most, near, &kept);
    p->asked.data[index].below = kept;
    kept = (q->many ? keep_moved_features : keep_moved)(p, near, kept, edges);
    for (uint32_t i = 0; i < kept; i += PLIANT__BLOCK) {
        const uint32_t lanes = kept - i < PLIANT__BLOCK ? kept - i : PLIANT__BLOCK;
        pliant__gather_pairs(p, near + i, lanes, edges, &at);
        q->ask(&at, p->path_start, s->state->x, &bits, &far);
        for (bits &= (1u << lanes) - 1; bits; bits &= bits - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(bits);
            if (q->all || !(far >> lane & 1) || comes_near(s, &at, lane)) p->active.data[first + n++] = near[i + lane];
        }
    }
    p->asked.data[index].yes = n;
}

/* m, the `wake` up to which candidates are looked at in this substep. When `travel` has grown to FARTHEST margins, all candidates are woken and it begins at
 * 0 again, so that its rounding stays less than the distances that they lack. */
static pliant_real wakes_at(pliant__pairs *p)
{
    if (!(p->travel < FARTHEST * (double)p->farthest)) {
        for (size_t i = 0; i < p->wake.count; i++) p->wake.data[i] = PLIANT__AWAKE;
        p->travel = 0;
    }
    return SURELY * SURELY * 2 * ((pliant_real)p->travel + p->strayed.step);
}

bool pliant__ask_near(pliant_solver *s, bool rows, bool all)
{
    pliant__pairs *p = s->pairs;
    const uint32_t tasks = inquiry_tasks(p);
    const size_t   features = p->features[PLIANT__EDGES].count + p->features[PLIANT__TRIANGLES].count;
    size_t         below = 0;
    p->active.count = p->asked.count = 0;
    if (!array_reserve(&s->allocator, &p->active, p->pair.count) || !array_reserve(&s->allocator, &p->asked, tasks)) return false;
    p->inquiry = (pliant__inquiry){
        .rows = rows, .all = all, .stepped = rows ? 1 : 1 / PLIANT__PAIR_USED, .many = 2 * p->asked_before[rows] > features};
    p->inquiry.value = rows ? p->wake.data : p->room.data;
    p->inquiry.most = rows ? wakes_at(p) : SURELY * 2 * (p->strayed.from_ref + p->inquiry.stepped * p->strayed.step);
    p->inquiry.ask = rows ? s->backend.kernels->look : s->backend.kernels->passes;
    if (p->inquiry.many)
        pliant__run_counted(s, move_some, (p->most_features + MOVED - 1) / MOVED, (uint64_t)PLIANT__BOX_WORK * p->most_features);
    pliant__run_counted(s, ask_some, tasks, p->pair.count + (uint64_t)PLIANT__PAIR_WORK * p->asked_before[rows]);
    for (uint32_t i = 0; i < tasks; i++) {
        uint32_t       count;
        const uint32_t first = task_first(p, i, &count), yes = p->asked.data[i].yes;
        below += p->asked.data[i].below;
        if (p->active.count < first) memmove(p->active.data + p->active.count, p->active.data + first, yes * sizeof *p->active.data);
        p->active.count += yes;
    }
    p->asked_before[rows] = below;
    return true;
}
