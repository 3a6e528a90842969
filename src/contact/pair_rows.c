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
 * Where sides slide past each other the plane is that of where they are predicted, unless it is nearer: else a rim ahead would be met aslant, and braked.
 * Friction acts on positions: the slip since the substep began is undone while what undoes it is within mu_s lambda, and otherwise reduced by
 * mu_d lambda (Macklin 2014, Unified Particle Physics, eq. 24), weighted over the pair's particles. A rope that rolls has its slip along itself and
 * across itself apart, each with a friction of its own.
 *
 * What lay nearer than `distance` already comes no nearer, and apart by a part of what overlaps in each substep: all of it at once would be a
 * velocity that nothing had. That also makes what lies in a pile come to rest, though a sweep over rows leaves some of them unsolved.
 *
 * Rows have colours (pair_colours.c), and are solved 16 at a time; those of loose particles are found by themselves (pair_points.c). */
#include "contact/pairs.h"
#include "solver/interactions.h"
#include "solver/pair_kernels.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"

#include <string.h>

#define BLOCKS 16u /* blocks of rows of one */

/* ---- a substep begins ---- */

static pliant_real friction_of(pliant_real a, pliant_real b) { return a < 0 ? r_max(b, 0) : b < 0 ? a : r_sqrt(a * b); }

/* The axis of a side that is a rope: of its segment, or between the neighbours of its corner. */
static pliant_vec3 axis_of(const pliant_solver *s, const pliant__model_body *rope, const pliant__pair_lanes *at, uint32_t lane, bool second)
{
    const uint32_t first = !second ? 0 : at->edges ? 2 : 1;
    uint32_t       end[2] = {at->slot[first][lane], at->slot[first + 1][lane]};
    if (!second && !at->edges) pliant__rope_neighbours(s->model, rope, at->slot[0][lane], end);
    return v3_sub(pliant__slot_x(s->pairs->path_start, end[1]), pliant__slot_x(s->pairs->path_start, end[0]));
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
        rows->friction_static[lane] = pliant__given(own->friction_static, rows->friction_static[lane]);
        rows->friction_dynamic[lane] = pliant__given(own->friction_dynamic, rows->friction_dynamic[lane]);
        rows->restitution[lane] = pliant__given(own->restitution, rows->restitution[lane]);
        rows->hold[lane] = own->adhesion * s->rh * s->rh;
    }
    if (s->pairs->rolls) add_rolling(s, p, q, rows, lane);
}

/* The same for all, where bodies do not differ: once for each block that there ever was. */
static void add_one_material(const pliant_solver *s, pliant__pair_rows *rows)
{
    for (uint32_t i = 0; i < PLIANT__BLOCK; i++) {
        const pliant__model_body *body = &s->model->bodies[0];
        rows->friction_static[i] = friction_of(body->friction_static, body->friction_static);
        rows->friction_dynamic[i] = friction_of(body->friction_dynamic, body->friction_dynamic);
        rows->restitution[i] = r_max(body->restitution, 0);
        rows->hold[i] = 0;
    }
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
    const bool alike = rows->points && s->pairs->loose.alike && !s->pairs->rolls;
    for (uint32_t i = 0; i < (alike ? 1 : PLIANT__BLOCK); i++) {
        uint32_t body[2];
        pliant__row_bodies(s->pairs, rows, i < count ? i : 0, body);
        add_materials(s, body[0], body[1], rows, i);
    }
    if (alike) spread_materials(rows);
}

/* Lanes that are no pairs are the first again; returns how many are. */
static uint32_t fill_lanes(pliant__pair_rows *rows)
{
    uint32_t count = PLIANT__BLOCK;
    if (rows->pair[PLIANT__BLOCK - 1] == PLIANT__NO_PAIR)
        for (count = 1; rows->pair[count] != PLIANT__NO_PAIR;) count++;
    for (uint32_t i = count; i < PLIANT__BLOCK; i++) {
        for (uint32_t k = 0; k < 4; k++) rows->at.slot[k][i] = rows->at.slot[k][0];
        rows->at.distance[i] = rows->at.distance[0];
    }
    return count;
}

static void begin_some(void *solver, uint32_t index)
{
    pliant_solver *s = solver;
    pliant__pairs *p = s->pairs;
    const size_t   end = (size_t)(index + 1) * BLOCKS < p->rows.count ? (size_t)(index + 1) * BLOCKS : p->rows.count;
    for (size_t b = (size_t)index * BLOCKS; b < end; b++) {
        pliant__pair_rows *rows = &p->rows.data[b];
        const uint32_t     count = fill_lanes(rows);
        rows->rows = (uint16_t)((1u << count) - 1);
        rows->at.edges = !rows->points && pliant__are_edges(p, rows->pair[0]);
        rows->rolls = false;
        if (p->one_material && b >= p->materials_made) add_one_material(s, rows);
        if (!p->one_material) add_all_materials(s, rows, count);
        s->backend.kernels->begin_rows(rows, p->path_start, s->state->x, s->substep_rh);
    }
}

/* Candidates that are no further apart than what makes a row, wherever they may have gone since they were found. */
static bool find_rows(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    if (!pliant__list_points(s, false) || !pliant__ask_near(s, true, false) || !pliant__order_rows(s)) return false;
    pliant__run_counted(s, begin_some, (uint32_t)((p->rows.count + BLOCKS - 1) / BLOCKS),
                        (uint64_t)PLIANT__BEGIN_WORK * PLIANT__BLOCK * p->rows.count);
    if (p->materials_made < p->rows.count) p->materials_made = p->rows.count;
    return true;
}

static void find(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    pliant__find_pairs(s);
    if (!p->failed) p->failed = !find_rows(s);
    pliant__note_ways(s);
    if (p->failed) p->rows.count = 0;
}

/* ---- a sweep ---- */

/* Some blocks of the colour that is being walked. */
static void walk_some(void *solver, uint32_t index)
{
    pliant_solver *s = solver;
    pliant__pairs *p = s->pairs;
    const uint32_t last = p->first[p->colour + 1], first = p->first[p->colour] + index * BLOCKS;
    for (uint32_t b = first; b < last && b < first + BLOCKS; b++) p->each(s, &p->rows.data[b]);
}

/* Colour by colour: rows of one share no slot that moves. */
static void walk_colours(pliant_solver *s, void (*each)(pliant_solver *s, pliant__pair_rows *rows))
{
    pliant__pairs *p = s->pairs;
    if (!p->rows.count) return;
    p->each = each;
    for (p->colour = 0; p->colour < p->colour_count; p->colour++) {
        const uint32_t blocks = p->first[p->colour + 1] - p->first[p->colour];
        pliant__run_counted(s, walk_some, (blocks + BLOCKS - 1) / BLOCKS, (uint64_t)PLIANT__PAIR_WORK * PLIANT__BLOCK * blocks);
    }
    p->colour = PLIANT__PAIR_COLOURS;
    for (uint32_t b = p->first[p->colour]; b < p->first[p->colour + 1]; b++) each(s, &p->rows.data[b]);
}

static void project_rows(pliant_solver *s, pliant__pair_rows *rows) { s->backend.kernels->project_pairs(rows, s->state->x); }

static void project(pliant_solver *s, bool first)
{
    (void)first; /* what rows have pushed begins with 0 when they are found */
    walk_colours(s, project_rows);
}

/* ---- velocities ---- */

/* What pushed does not fly apart, but for what it bounces: a push is no motion. */
static void settle_rows(pliant_solver *s, pliant__pair_rows *rows)
{
    s->backend.kernels->settle_pairs(rows, s->state->v, s->pairs->resting, s->rh);
}

static void settle(pliant_solver *s)
{
    s->pairs->resting = 2 * s->substep_rh * v3_length(s->inputs->gravity);
    walk_colours(s, settle_rows);
}

/* ---- the interaction ---- */

/* Bodies that are off meet nothing. */
static void begin(pliant_solver *s)
{
    if (s->off.switched) pliant__leave_out_pairs(s, s->off.any ? s->off.bodies : NULL);
    s->off.switched = false;
}

static bool wanted(const pliant_solver *s) { return model_count(s->model, elements) > 0; }

static void destroy(pliant_solver *s) { pliant__free_pairs(s); }

const pliant__interaction pliant__interaction_pairs = {.create = pliant__make_pairs,
                                                       .destroy = destroy,
                                                       .wanted = wanted,
                                                       .begin = begin,
                                                       .find = find,
                                                       .project = project,
                                                       .note = pliant__note_pair_contacts,
                                                       .hold = pliant__hold_pairs,
                                                       .settle = settle,
                                                       .count = pliant__count_pairs};
