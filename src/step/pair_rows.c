/* Pairs as rows, and as bounds.
 *
 * When a substep begins nothing crosses anything. Each pair then has its nearest points, and a plane between its sides, perpendicular to
 * what joins them. As a row it says that these points are `distance` apart along the plane's normal:
 *
 *   C = n . sum_k c_k x_k - distance >= 0,   c: weights of the nearest points, above 0 on the first side, below on the second
 *
 * projected like a constraint, with one multiplier that only pushes. Momentum stays; angular momentum but for what the points slip along the
 * plane in a substep. (A normal that followed the points as they slip would keep it, and turn a part of what pushes against what slides.)
 * Friction acts on positions: the slip since the substep began is undone while what undoes it is within mu_s lambda, and otherwise reduced by
 * mu_d lambda (Macklin 2014, Unified Particle Physics, eq. 24), weighted over the pair's particles.
 *
 * What lay nearer than `distance` already comes apart, but no faster than EASE: it would else be thrown.
 *
 * Rows alone are not enough: later rows undo what earlier ones did. In the end no particle of a pair may come nearer to the pair's plane than to a
 * part of the gap; its path is cut there (bounds as in Offset Geometric Contact, Chen et al. 2025, but only along the plane's normal, and
 * in proportion to what each side wants). Paths count from where those that hang together by pairs go on the whole, so that what falls
 * together is not held back. Nothing can pass through anything then, whatever rows are left unsolved. */
#include "step/solver.h"

#include "collide/closest.h"

#include <string.h>

#define EASE ((pliant_real)1)   /* m/s, as colliders have it */
#define USED ((pliant_real)0.9) /* of a gap: so much of it may be closed in a substep */
#define TASK 256u               /* pairs */

void pliant__pair_weights(const vvec *x, bool edges, vreal *weight)
{
    if (edges) {
        vreal s, t;
        closest_on_edges(x[0], x[1], x[2], x[3], &s, &t);
        weight[0] = 1 - s;
        weight[1] = s;
        weight[2] = t - 1;
        weight[3] = -t;
        return;
    }
    vreal on[3];
    closest_on_triangle(x[0], x[1], x[2], x[3], on);
    weight[0] = 1;
    for (uint32_t k = 0; k < 3; k++) weight[k + 1] = -on[k];
}

/* Differences first: far from the origin weighted positions would lose it. */
vvec pliant__pair_between(const vvec *x, const vreal *weight)
{
    vvec d = vvec_of(0, 0, 0);
    for (uint32_t k = 1; k < 4; k++) d = vadd(d, vscale(vsub(x[k], x[0]), weight[k]));
    return d;
}

static pliant_vec3 narrowed(vvec a) { return v3(a.x, a.y, a.z); }

static vvec widened(const pliant_real *x, uint32_t slot)
{
    x += 4 * (size_t)slot;
    return vvec_of(x[0], x[1], x[2]);
}

static vvec begun_at(const pliant_solver *s, uint32_t slot)
{
    const pliant_vec3 at = s->pairs.begun[s->pairs.number[slot]];
    return vvec_of(at.x, at.y, at.z);
}

/* ---- a substep begins ---- */

/* How far the sides are apart along a normal: where it was not found quite right, or is rounded, that is less than the distance. */
static pliant_real room_between(const vvec *x, bool edges, pliant_vec3 normal)
{
    const uint32_t first = edges ? 2 : 1;
    pliant_real    least = 0;
    for (uint32_t i = 0; i < first; i++)
        for (uint32_t j = first; j < 4; j++) {
            const pliant_real apart = v3_dot(normal, narrowed(vsub(x[i], x[j])));
            if ((!i && j == first) || apart < least) least = apart;
        }
    return r_max(least, 0);
}

/* One slot, one weight. */
static void merge_weights(const pliant__pair *pair, pliant_real *weight)
{
    for (uint32_t k = 1; k < 4; k++)
        for (uint32_t j = 0; j < k; j++)
            if (pair->slot[j] == pair->slot[k]) weight[j] += weight[k], weight[k] = 0;
}

/* Whether no end of an edge is its nearest point: those are corners, which have rows of their own. */
static bool is_inner(const pliant__pair *pair, const pliant_real *weight)
{
    return !pair->edges || (weight[0] > 0 && weight[1] > 0 && weight[2] < 0 && weight[3] < 0);
}

static void begin_row(const pliant_solver *s, const pliant__pair *pair, pliant__pair_row *row)
{
    vvec        x[4], to[4];
    pliant_real sum = 0;
    for (uint32_t k = 0; k < 4; k++) x[k] = begun_at(s, pair->slot[k]), to[k] = widened(s->state->x, pair->slot[k]);
    memset(row, 0, sizeof *row);
    row->target = -1;
    pliant__pair_weights(x, pair->edges, row->weight);
    const vvec        between = pliant__pair_between(x, row->weight);
    const pliant_real gap = vlength(between);
    if (!(gap > KERNEL_TINY)) return;
    row->normal = narrowed(vscale(between, 1 / gap));
    row->gap = room_between(x, pair->edges, row->normal);
    const pliant_real then = v3_dot(row->normal, narrowed(pliant__pair_between(to, row->weight)));
    if (!(r_min(gap, then) < 2 * pair->distance) || !is_inner(pair, row->weight)) return;
    row->approach = (then - gap) / s->substep_rh;
    row->target = r_min(pair->distance, gap + EASE * s->substep_rh);
    merge_weights(pair, row->weight);
    for (uint32_t k = 0; k < 4; k++) sum += s->state->x[4 * (size_t)pair->slot[k] + 3] * row->weight[k] * row->weight[k];
    row->inverse = sum > KERNEL_TINY ? 1 / sum : 0;
}

static void begin_rows(void *solver, uint32_t index)
{
    pliant_solver *s = solver;
    pliant__pairs *p = &s->pairs;
    const size_t   first = (size_t)index * TASK, end = first + TASK < p->pair.count ? first + TASK : p->pair.count;
    for (size_t i = first; i < end; i++) begin_row(s, &p->pair.data[i], &p->row.data[i]);
}

void pliant__stage_pairs(pliant_solver *s)
{
    pliant__find_pairs(s);
    pliant__run_light(s, begin_rows, (uint32_t)((s->pairs.pair.count + TASK - 1) / TASK));
}

/* ---- a sweep ---- */

/* Some pairs of the colour that is being walked, or all of those that have none. */
static void walk_some(void *solver, uint32_t index)
{
    pliant_solver *s = solver;
    pliant__pairs *p = &s->pairs;
    const bool     none = p->colour == PLIANT__NONE;
    const size_t   first = (none ? p->first[PLIANT__PAIR_COLOURS] : p->first[p->colour]) + (size_t)index * TASK,
                 last = none ? p->pair.count : p->first[p->colour + 1], end = none || first + TASK > last ? last : first + TASK;
    for (size_t i = first; i < end; i++) p->each(s, &p->pair.data[i], &p->row.data[i]);
}

/* Colour by colour: pairs of one share no slot that moves. */
static void walk_colours(pliant_solver *s, void (*each)(pliant_solver *s, const pliant__pair *pair, pliant__pair_row *row))
{
    pliant__pairs *p = &s->pairs;
    p->each = each;
    for (p->colour = 0; p->colour < p->colour_count; p->colour++)
        pliant__run_light(s, walk_some, (p->first[p->colour + 1] - p->first[p->colour] + TASK - 1) / TASK);
    p->colour = PLIANT__NONE;
    walk_some(s, 0);
}

static void push(pliant_solver *s, const pliant__pair *pair, const pliant_real *weight, pliant_vec3 by)
{
    for (uint32_t k = 0; k < 4; k++) {
        pliant_real *x = s->state->x + 4 * (size_t)pair->slot[k];
        if (weight[k] == 0 || x[3] == 0) continue;
        x[0] += x[3] * weight[k] * by.x;
        x[1] += x[3] * weight[k] * by.y;
        x[2] += x[3] * weight[k] * by.z;
    }
}

static vvec between_now(const pliant_real *x, const pliant__pair *pair, const pliant_real *weight)
{
    vvec at[4];
    for (uint32_t k = 0; k < 4; k++) at[k] = widened(x, pair->slot[k]);
    return pliant__pair_between(at, weight);
}

static void project_row(pliant_solver *s, const pliant__pair *pair, pliant__pair_row *row)
{
    if (row->target < 0 || row->inverse == 0) return;
    const pliant_real C = v3_dot(row->normal, narrowed(between_now(s->state->x, pair, row->weight))) - row->target;
    const pliant_real lambda = r_max(row->lambda - C * row->inverse, 0);
    if (lambda != row->lambda) push(s, pair, row->weight, v3_scale(row->normal, lambda - row->lambda));
    row->lambda = lambda;
    if (!(lambda > 0 || v3_dot(row->friction, row->friction) > 0)) return;
    pliant_vec3 slip = narrowed(vsub(between_now(s->state->x, pair, row->weight), between_now(s->from, pair, row->weight)));
    slip = v3_madd(slip, row->normal, -v3_dot(row->normal, slip));
    pliant_vec3       whole = v3_madd(row->friction, slip, -row->inverse);
    const pliant_real pull = v3_length(whole);
    if (pull > pair->friction_static * lambda) whole = v3_scale(whole, pair->friction_dynamic * lambda / pull);
    push(s, pair, row->weight, v3_sub(whole, row->friction));
    row->friction = whole;
}

void pliant__project_pairs(pliant_solver *s)
{
    if (s->pairs.pair.count) walk_colours(s, project_row);
}

/* ---- bounds ---- */

static bool is_fixed(const pliant_solver *s, uint32_t slot) { return s->state->x[4 * (size_t)slot + 3] == 0; }

/* Where each island goes on the whole: with what does not yield, if it has such particles, for they move as they were told; else all of it. */
static void find_drifts(pliant_solver *s)
{
    pliant__pairs *p = &s->pairs;
    for (uint32_t i = 0; i < p->slots; i++) {
        p->drift[i] = v3(0, 0, 0);
        p->drift_count[i] = p->anchored[i] = 0;
        p->share[i] = 1;
    }
    for (uint32_t i = 0; i < p->slots; i++) p->anchored[p->island[i]] |= is_fixed(s, p->slot[i]);
    for (uint32_t i = 0; i < p->slots; i++) {
        const uint32_t slot = p->slot[i], island = p->island[i];
        if (p->anchored[island] != is_fixed(s, slot)) continue;
        p->drift[island] = v3_add(p->drift[island], v3_sub(pliant__slot_x(s->state->x, slot), p->begun[i]));
        p->drift_count[island]++;
    }
    for (uint32_t i = 0; i < p->slots; i++)
        if (p->drift_count[i]) p->drift[i] = v3_scale(p->drift[i], 1 / (pliant_real)p->drift_count[i]);
}

/* How far a particle goes towards the other side, beside its island's drift. */
static pliant_real approach(const pliant_solver *s, const pliant__pair *pair, const pliant__pair_row *row, uint32_t k, bool first_side)
{
    const pliant__pairs *p = &s->pairs;
    const uint32_t       slot = pair->slot[k], number = p->number[slot];
    const pliant_vec3    path = v3_sub(v3_sub(pliant__slot_x(s->state->x, slot), p->begun[number]), p->drift[p->island[number]]);
    const pliant_real    along = v3_dot(row->normal, path);
    return first_side ? -along : along;
}

static void bound_pair(pliant_solver *s, const pliant__pair *pair, pliant__pair_row *row)
{
    const uint32_t    first = pair->edges ? 2 : 1; /* slots of the first side */
    const pliant_real room = USED * row->gap;
    pliant_real       wants[2] = {0, 0}, must[2] = {0, 0}, may[2], by[4];
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t side = k >= first;
        by[k] = approach(s, pair, row, k, !side);
        wants[side] = r_max(wants[side], by[k]);
        if (is_fixed(s, pair->slot[k])) must[side] = r_max(must[side], by[k]);
    }
    if (wants[0] + wants[1] <= room) return;
    may[0] = r_max(r_min(room * wants[0] / (wants[0] + wants[1]), room - must[1]), must[0]);
    may[1] = r_max(room - may[0], 0);
    for (uint32_t k = 0; k < 4; k++) {
        pliant_real *share = &s->pairs.share[s->pairs.number[pair->slot[k]]];
        if (by[k] > may[k >= first] && !is_fixed(s, pair->slot[k])) *share = r_min(*share, may[k >= first] / by[k]);
    }
}

static void count_pairs(pliant_solver *s)
{
    uint32_t touching = 0;
    for (size_t i = 0; i < s->pairs.pair.count; i++) touching += s->pairs.row.data[i].target >= 0 && s->pairs.row.data[i].lambda > 0;
    s->statistics.pairs = (uint32_t)s->pairs.pair.count;
    s->statistics.pair_contacts = touching;
}

/* What a share takes from a particle's path. */
static void cut_path(pliant_solver *s, uint32_t number, pliant_real share)
{
    pliant__pairs    *p = &s->pairs;
    const uint32_t    slot = p->slot[number];
    const pliant_vec3 to = pliant__slot_x(s->state->x, slot), whole = v3_add(p->begun[number], p->drift[p->island[number]]);
    pliant__set_slot_x(s->state->x, slot, share > 0 ? v3_madd(whole, v3_sub(to, whole), share) : whole);
}

/* Cuts paths at the planes of pairs; returns how many were. */
static uint32_t cut_paths(pliant_solver *s)
{
    pliant__pairs *p = &s->pairs;
    uint32_t       cut = 0;
    find_drifts(s);
    walk_colours(s, bound_pair);
    for (uint32_t i = 0; i < p->slots; i++) {
        if (!(p->share[i] < 1)) continue;
        cut_path(s, i, p->share[i]);
        cut++;
    }
    return cut;
}

/* What was taken from particles whose paths were cut. */
static void count_held(pliant_solver *s)
{
    const pliant__pairs *p = &s->pairs;
    double               taken[3] = {0, 0, 0};
    for (uint32_t i = 0; i < p->slots; i++) {
        const pliant_vec3 back = v3_sub(p->wanted[i], pliant__slot_x(s->state->x, p->slot[i]));
        const double      w = (double)s->state->x[4 * (size_t)p->slot[i] + 3];
        if (!(v3_dot(back, back) > 0) || w == 0) continue;
        taken[0] += (double)back.x / w, taken[1] += (double)back.y / w, taken[2] += (double)back.z / w;
        s->statistics.particles_held++;
    }
    s->statistics.momentum_held += sqrt(taken[0] * taken[0] + taken[1] * taken[1] + taken[2] * taken[2]) / s->substep_h;
}

#define MOST_ROUNDS 8u

/* Nobody moves but what is moved: the last resort. */
static void go_back(pliant_solver *s)
{
    for (uint32_t i = 0; i < s->pairs.slots; i++)
        if (!is_fixed(s, s->pairs.slot[i])) pliant__set_slot_x(s->state->x, s->pairs.slot[i], s->pairs.begun[i]);
}

/* A path that is cut may lead to where nobody looked for pairs: then they are found for where it leads now, and paths are cut again. */
void pliant__bound_pairs(pliant_solver *s)
{
    pliant__pairs *p = &s->pairs;
    if (!p->elements) return;
    count_pairs(s);
    for (uint32_t i = 0; i < p->slots; i++) p->wanted[i] = pliant__slot_x(s->state->x, p->slot[i]);
    uint32_t round = 0, cut = 1;
    while (cut && !p->failed && round++ < MOST_ROUNDS) {
        if (pliant__find_missed_pairs(s))
            pliant__run_light(s, begin_rows, (uint32_t)((p->pair.count + TASK - 1) / TASK));
        else if (round > 1)
            break;
        cut = cut_paths(s);
    }
    if (round > MOST_ROUNDS) go_back(s);
    count_held(s);
}

/* ---- velocities ---- */

static pliant_vec3 velocity_between(const pliant_solver *s, const pliant__pair *pair, const pliant__pair_row *row)
{
    pliant_vec3 v = v3(0, 0, 0);
    for (uint32_t k = 0; k < 4; k++) v = v3_madd(v, pliant__slot_x(s->state->v, pair->slot[k]), row->weight[k]);
    return v;
}

/* What pushed does not fly apart, but for what it bounces: a push is no motion. */
static void settle_pair(pliant_solver *s, const pliant__pair *pair, pliant__pair_row *row)
{
    if (row->target < 0 || !(row->lambda > 0)) return;
    const pliant_real now = v3_dot(row->normal, velocity_between(s, pair, row));
    const pliant_real wanted = row->approach < -s->pairs.resting ? -pair->restitution * row->approach : 0;
    if (now <= wanted && pair->restitution == 0) return;
    for (uint32_t k = 0; k < 4; k++) {
        pliant_real      *v = s->state->v + 4 * (size_t)pair->slot[k];
        const pliant_real by = (wanted - now) * row->inverse * row->weight[k] * s->state->x[4 * (size_t)pair->slot[k] + 3];
        if (by == 0) continue;
        v[0] += by * row->normal.x;
        v[1] += by * row->normal.y;
        v[2] += by * row->normal.z;
    }
}

void pliant__stage_pair_velocities(pliant_solver *s)
{
    s->pairs.resting = 2 * s->substep_rh * v3_length(s->inputs->gravity);
    if (s->pairs.pair.count) walk_colours(s, settle_pair);
}
