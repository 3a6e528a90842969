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
 * Rows are coloured in every substep (pair_colours.c), and solved 16 at a time; those of loose particles are found by themselves (pair_points.c). */
#include "step/solver.h"
#include "step/pair_text.h"

#include <string.h>

#define SURELY K(1.001)  /* more than rounding may take */
#define ROUNDING K(1e-6) /* of distances: as much as may be lost when they are reckoned back */
#define FARTHEST 8       /* margins that `travel` may grow to */
#define LOOKED 2048u     /* candidates of a task */
#define MOVED 8192u      /* parts of one */
#define BLOCKS 16u       /* blocks of rows of one */

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

/* Whether a candidate may be what is asked for, of which both sides have moved so far. Of who may not be a row it is noted when it is to be looked at again:
 * as long as nobody has gone further than what is missing, it is none. */
static bool may_be(pliant__pairs *p, uint32_t number, pliant_real moved)
{
    const pliant_real room = p->room.data[number], distance = p->pair.data[number].distance, apart = room + PLIANT__PAIR_LEFT * distance,
                      needs = p->inquiry.rows ? apart - pair_reach(distance, p->beyond) - ROUNDING * (apart + distance) : room,
                      least = SURELY * moved;
    if (!(needs > least)) return true;
    if (p->inquiry.rows) p->wake.data[number] = needs - least + SURELY * 2 * (pliant_real)p->travel;
    return false;
}

/* Keeps those that may be what is asked for; returns how many. */
static uint32_t keep_moved(pliant__pairs *p, uint32_t *near, uint32_t count, bool edges)
{
    const pliant__parts *first = &p->parts[pliant__first_kind(edges)], *second = &p->parts[pliant__second_kind(edges)];
    const pliant_real    stepped = p->inquiry.stepped;
    uint32_t             some = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = near[i], *part = p->pair.data[number].part;
        near[some] = number;
        some += may_be(p, number, part_moved(p, first, part[0], stepped) + part_moved(p, second, part[1], stepped));
    }
    return some;
}

/* The same where parts know how far they have moved. */
static uint32_t keep_moved_parts(pliant__pairs *p, uint32_t *near, uint32_t count, bool edges)
{
    const pliant_real *first = p->parts[pliant__first_kind(edges)].moved, *second = p->parts[pliant__second_kind(edges)].moved;
    uint32_t           some = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = near[i], *part = p->pair.data[number].part;
        near[some] = number;
        some += may_be(p, number, first[part[0]] + second[part[1]]);
    }
    return some;
}

/* Looks how far each part has moved, before many candidates ask. */
static void move_some(void *solver, uint32_t index)
{
    pliant__pairs *p = &((pliant_solver *)solver)->pairs;
    for (uint32_t k = 0; k < PLIANT__PART_KINDS; k++) {
        const pliant__parts *parts = &p->parts[k];
        const uint32_t       first = index * MOVED < parts->count ? index * MOVED : parts->count,
                       end = first + MOVED < parts->count ? first + MOVED : parts->count;
        for (uint32_t i = first; i < end; i++) parts->moved[i] = part_moved(p, parts, i, p->inquiry.stepped);
    }
}

/* Whether a lane has a corner with a path that may be cut: others' barriers have it. */
static bool is_cut(const pliant__pairs *p, const pliant__pair_lanes *at, uint32_t lane)
{
    return p->bound[at->slot[0][lane]] | p->bound[at->slot[1][lane]] | p->bound[at->slot[2][lane]] | p->bound[at->slot[3][lane]];
}

void pliant__gather_pairs(const pliant__pairs *p, const uint32_t *number, uint32_t count, bool edges, pliant__pair_lanes *out)
{
    const pliant__parts *a = &p->parts[pliant__first_kind(edges)], *b = &p->parts[pliant__second_kind(edges)];
    const bool           widens = p->widens && !p->inquiry.rows;
    out->edges = edges;
    out->beyond = p->beyond;
    for (uint32_t i = 0; i < PLIANT__BLOCK; i++) {
        const pliant__pair  *pair = &p->pair.data[number[i < count ? i : 0]];
        const pliant__about *one = &a->about[pair->part[0]], *other = &b->about[pair->part[1]];
        out->slot[0][i] = one->slot[0];
        out->slot[1][i] = edges ? one->slot[1] : other->slot[0];
        out->slot[2][i] = edges ? other->slot[0] : other->slot[1];
        out->slot[3][i] = edges ? other->slot[1] : other->slot[2];
        out->distance[i] = pair->distance;
        out->loose[i] = p->reaching[one->body].margin + p->reaching[other->body].margin;
        out->wide[i] = widens && is_cut(p, out, i) ? PLIANT__PAIR_WIDE * pair->distance : 0;
    }
}

static uint32_t corner_tasks(const pliant__pairs *p) { return (uint32_t)((p->corner_pairs + LOOKED - 1) / LOOKED); }

static uint32_t inquiry_tasks(const pliant__pairs *p)
{
    return corner_tasks(p) + (uint32_t)((p->pair.count - p->corner_pairs + LOOKED - 1) / LOOKED);
}

/* The first candidate of a task, and how many it has: corners' and edges' apart. */
static uint32_t task_first(const pliant__pairs *p, uint32_t task, uint32_t *count)
{
    const bool   edges = task >= corner_tasks(p);
    const size_t first = edges ? p->corner_pairs + (size_t)(task - corner_tasks(p)) * LOOKED : (size_t)task * LOOKED,
                 left = (edges ? p->pair.count : p->corner_pairs) - first;
    *count = (uint32_t)(left < LOOKED ? left : LOOKED);
    return (uint32_t)first;
}

/* How near a lane that is in question must come. */
static pliant_real must_come(const pliant_solver *s, const pliant__pair_lanes *at, uint32_t lane, bool far)
{
    const pliant_real distance = at->distance[lane];
    if (s->pairs.inquiry.rows) return pair_reach(distance, at->beyond);
    return far ? r_max(at->wide[lane], PLIANT__PAIR_LEFT * distance) : PLIANT__PAIR_LEFT * distance;
}

/* Whether it is what is asked for: boxes that hold ways meet along the axes or do not, however the sides lie, and where the world is turned others do;
 * how near they come is the same. */
static bool comes_near(const pliant_solver *s, const pliant__pair_lanes *at, uint32_t lane, bool far)
{
    const uint32_t slot[4] = {at->slot[0][lane], at->slot[1][lane], at->slot[2][lane], at->slot[3][lane]};
    return pliant__pair_meets(s, slot, at->edges, (double)must_come(s, at, lane, far)).meets;
}

/* Those of a task are put where their candidates would be among all. */
static void ask_some(void *solver, uint32_t index)
{
    pliant_solver         *s = solver;
    pliant__pairs         *p = &s->pairs;
    const pliant__inquiry *q = &p->inquiry;
    const bool             edges = index >= corner_tasks(p);
    uint32_t               near[LOOKED + PLIANT__BLOCK], count, some, bits, far, n = 0;
    const uint32_t         first = task_first(p, index, &count);
    pliant__pair_lanes     at;
    s->backend.kernels->below(q->value, first, count, q->most, near, &some);
    p->asked.data[index].below = some;
    some = (q->many ? keep_moved_parts : keep_moved)(p, near, some, edges);
    for (uint32_t i = 0; i < some; i += PLIANT__BLOCK) {
        const uint32_t lanes = some - i < PLIANT__BLOCK ? some - i : PLIANT__BLOCK;
        pliant__gather_pairs(p, near + i, lanes, edges, &at);
        q->ask(&at, p->begun, s->state->x, &bits, &far);
        for (bits &= (1u << lanes) - 1; bits; bits &= bits - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(bits);
            const bool     is_far = far >> lane & 1;
            if (q->all || (q->rows && !is_far) || comes_near(s, &at, lane, is_far)) p->active.data[first + n++] = near[i + lane];
        }
    }
    p->asked.data[index].yes = n;
}

/* From how far on candidates are looked at. When much has been gone, all are, so that its rounding is less than what is missing. */
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
    pliant__pairs *p = &s->pairs;
    const uint32_t tasks = inquiry_tasks(p);
    const size_t   parts = p->parts[PLIANT__EDGES].count + p->parts[PLIANT__TRIANGLES].count;
    size_t         below = 0;
    p->active.count = p->asked.count = 0;
    if (!array_reserve(&s->allocator, &p->active, p->pair.count) || !array_reserve(&s->allocator, &p->asked, tasks)) return false;
    p->inquiry =
        (pliant__inquiry){.rows = rows, .all = all, .stepped = rows ? 1 : 1 / PLIANT__PAIR_USED, .many = 2 * p->asked_before[rows] > parts};
    p->inquiry.value = rows ? p->wake.data : p->room.data;
    p->inquiry.most = rows ? wakes_at(p) : SURELY * 2 * (p->strayed.from_ref + p->inquiry.stepped * p->strayed.step);
    p->inquiry.ask = rows ? s->backend.kernels->look : s->backend.kernels->passes;
    if (p->inquiry.many) pliant__run(s, move_some, (p->most_parts + MOVED - 1) / MOVED);
    pliant__run_light(s, ask_some, tasks);
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
    const bool alike = rows->points && s->pairs.cells.alike && !s->pairs.rolls;
    for (uint32_t i = 0; i < (alike ? 1 : PLIANT__BLOCK); i++) {
        uint32_t body[2];
        pliant__row_bodies(&s->pairs, rows, i < count ? i : 0, body);
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
    pliant__pairs *p = &s->pairs;
    const size_t   end = (size_t)(index + 1) * BLOCKS < p->rows.count ? (size_t)(index + 1) * BLOCKS : p->rows.count;
    for (size_t b = (size_t)index * BLOCKS; b < end; b++) {
        pliant__pair_rows *rows = &p->rows.data[b];
        const uint32_t     count = fill_lanes(rows);
        rows->rows = (uint16_t)((1u << count) - 1);
        rows->at.edges = !rows->points && pliant__are_edges(p, rows->pair[0]);
        rows->rolls = false;
        if (p->one_material && b >= p->materials_made) add_one_material(s, rows);
        if (!p->one_material) add_all_materials(s, rows, count);
        s->backend.kernels->begin_rows(rows, p->begun, s->state->x, s->substep_rh);
    }
}

/* Candidates that are no further apart than what makes a row, wherever they may have gone since they were found. */
static bool find_rows(pliant_solver *s)
{
    pliant__pairs *p = &s->pairs;
    if (!pliant__list_points(s, false) || !pliant__ask_near(s, true, false) || !pliant__order_rows(s)) return false;
    pliant__run_light(s, begin_some, (uint32_t)((p->rows.count + BLOCKS - 1) / BLOCKS));
    if (p->materials_made < p->rows.count) p->materials_made = p->rows.count;
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

/* Some blocks of the colour that is being walked. */
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
    s->backend.kernels->settle_pairs(rows, s->state->v, s->pairs.resting, s->rh);
}

void pliant__stage_pair_velocities(pliant_solver *s)
{
    s->pairs.resting = 2 * s->substep_rh * v3_length(s->inputs->gravity);
    walk_colours(s, settle_rows);
}
