/* Finding pairs: once a step, with a margin.
 *
 * A particle is foreseen to go straight, as it does without constraints. Elements have boxes around what is foreseen for the rest of the step,
 * grown by their thickness and by a margin; pairs are sought among elements whose boxes meet. As long as nobody is further from what was foreseen than
 * the margin, nobody else can touch; when somebody is, pairs are found anew, from where everybody is and goes then. The margin is half a
 * thickness: what rests stays within it for the whole step. Where somebody goes far beside the others, pairs are found for fewer substeps.
 *
 * What is nearer than the thickness when nothing has moved yet, in one body, is let be that near. */
#include "step/solver.h"

#include "collide/closest.h"

#include <string.h>

/* How far from what was foreseen a particle of a body may be. */
static pliant_real margin_of(const pliant_solver *s, uint32_t body) { return s->model->bodies[body].thickness / 2; }

/* ---- making ---- */

static void list_slots(const pliant_model *m, pliant__pairs *p)
{
    const uint32_t slots = m->header->slot_count;
    for (uint32_t i = 0; i < slots; i++) p->number[i] = PLIANT__NONE;
    for (size_t i = 0; i < 3 * (size_t)p->elements; i++) p->number[m->elements[i]] = 0;
    for (uint32_t i = 0; i < slots; i++)
        if (p->number[i] != PLIANT__NONE) p->number[i] = p->slots++;
}

bool pliant__make_pairs(pliant_solver *s)
{
    const pliant_model     *m = s->model;
    const pliant_allocator *a = &s->allocator;
    pliant__pairs          *p = &s->pairs;
    p->elements = (uint32_t)model_count(m, element_body);
    if (!p->elements) return true;
    p->number = pliant__alloc_array(a, m->header->slot_count, sizeof *p->number);
    if (!p->number) return false;
    list_slots(m, p);
    p->slot = pliant__alloc_array(a, p->slots, sizeof *p->slot);
    p->path = pliant__alloc_array(a, p->slots, 8 * sizeof *p->path);
    p->island = pliant__alloc_array(a, p->slots, sizeof *p->island);
    p->drift = pliant__alloc_array(a, p->slots, sizeof *p->drift);
    p->drift_count = pliant__alloc_array(a, p->slots, sizeof *p->drift_count);
    p->anchored = pliant__alloc_array(a, p->slots, sizeof *p->anchored);
    p->wanted = pliant__alloc_array(a, p->slots, sizeof *p->wanted);
    p->begun = pliant__alloc_array(a, p->slots, sizeof *p->begun);
    p->share = pliant__alloc_array(a, p->slots, sizeof *p->share);
    p->colours = pliant__alloc_array(a, p->slots, sizeof *p->colours);
    p->box = pliant__alloc_array(a, p->elements, sizeof *p->box);
    p->part_box = pliant__alloc_array(a, p->elements, 6 * sizeof *p->part_box);
    p->margin = pliant__alloc_array(a, p->slots, sizeof *p->margin);
    if (!p->slot || !p->path || !p->island || !p->drift || !p->drift_count || !p->anchored || !p->begun || !p->wanted || !p->share ||
        !p->colours || !p->box || !p->part_box || !p->margin)
        return false;
    for (uint32_t i = 0; i < m->header->slot_count; i++)
        if (p->number[i] != PLIANT__NONE) p->slot[p->number[i]] = i;
    for (size_t i = 0; i < 3 * (size_t)p->elements; i++)
        p->margin[p->number[m->elements[i]]] = margin_of(s, m->element_body[i / 3]); /* a slot is of one body */
    return pliant__tree_create(a, p->elements, &p->tree);
}

void pliant__free_pairs(pliant_solver *s)
{
    pliant__pairs *p = &s->pairs;
    void          *all[] = {p->number, p->slot,   p->path,  p->island,  p->drift, p->drift_count, p->anchored,
                            p->begun,  p->wanted, p->share, p->colours, p->box,   p->part_box,    p->margin};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(&s->allocator, all[i]);
    pliant__tree_destroy(&s->allocator, &p->tree);
    array_free(&s->allocator, &p->near);
    array_free(&s->allocator, &p->key);
    array_free(&s->allocator, &p->found);
    array_free(&s->allocator, &p->pair);
    array_free(&s->allocator, &p->row);
    array_free(&s->allocator, &p->order);
}

/* ---- what is foreseen ---- */

static void foresee(pliant_solver *s)
{
    pliant__pairs *p = &s->pairs;
    for (uint32_t i = 0; i < p->slots; i++) {
        const pliant_vec3 from = p->begun[i], to = pliant__slot_x(s->state->x, p->slot[i]);
        const pliant_vec3 v = v3_scale(v3_sub(to, from), 1 / s->substep_rh);
        pliant_real      *path = p->path + 8 * (size_t)i;
        path[0] = from.x, path[1] = from.y, path[2] = from.z;
        path[4] = v.x, path[5] = v.y, path[6] = v.z;
    }
    p->found_at = s->substep * s->substep_h;
}

static pliant_vec3 foreseen(const pliant__pairs *p, uint32_t number, pliant_real time)
{
    const pliant_real *path = p->path + 8 * (size_t)number;
    return v3(path[0] + time * path[4], path[1] + time * path[5], path[2] + time * path[6]);
}

/* Whether somebody is not where it was foreseen, or will not be when the substep ends. */
static bool is_astray(const pliant_solver *s, pliant_real times_margin)
{
    const pliant__pairs *p = &s->pairs;
    const pliant_real    now = (pliant_real)(s->substep * s->substep_h - p->found_at), then = now + s->substep_rh;
    bool                 astray = false;
    for (uint32_t i = 0; i < p->slots && !astray; i++) {
        const pliant_real margin = times_margin * p->margin[i];
        const pliant_vec3 here = v3_sub(p->begun[i], foreseen(p, i, now)),
                          there = v3_sub(pliant__slot_x(s->state->x, p->slot[i]), foreseen(p, i, then));
        astray = !(v3_dot(here, here) <= margin * margin && v3_dot(there, there) <= margin * margin);
    }
    return astray;
}

#define FARTHEST 4 /* thicknesses that anybody goes beside the others in the time that pairs are found for; one substep at least */

/* How far all of them go on the whole in the time that is left. Boxes are in a frame that goes with them. Where somebody goes far beside the others
 * the time is shorter: boxes would else hold everything. Returns how many substeps it is. */
static uint32_t find_common(pliant_solver *s, uint32_t substeps)
{
    pliant__pairs *p = &s->pairs;
    double         sum[3] = {0, 0, 0}, fastest = 0;
    for (uint32_t i = 0; i < p->slots; i++)
        for (uint32_t k = 0; k < 3; k++) sum[k] += (double)p->path[8 * (size_t)i + 4 + k];
    for (uint32_t k = 0; k < 3; k++) sum[k] /= p->slots;
    for (uint32_t i = 0; i < p->slots; i++) {
        const pliant_real *v = p->path + 8 * (size_t)i + 4;
        const double       x = (double)v[0] - sum[0], y = (double)v[1] - sum[1], z = (double)v[2] - sum[2],
                     speed = sqrt(x * x + y * y + z * z) * s->substep_h / (2 * (double)p->margin[i]);
        fastest = speed > fastest ? speed : fastest;
    }
    if (fastest * substeps > FARTHEST) substeps = fastest > FARTHEST ? 1 : (uint32_t)(FARTHEST / fastest);
    p->left = (pliant_real)(substeps * s->substep_h);
    p->common = v3_scale(v3((pliant_real)sum[0], (pliant_real)sum[1], (pliant_real)sum[2]), p->left);
    return substeps;
}

/* Where some slots of a body are foreseen to be, seen from that frame, and as far around as somebody has to be to touch them. */
static pliant__box room_of(const pliant_solver *s, const uint32_t *slot, uint32_t count, uint32_t body)
{
    const pliant__pairs *p = &s->pairs;
    pliant__box          b = box_of_nothing();
    for (uint32_t i = 0; i < count; i++) {
        box_add(&b, foreseen(p, p->number[slot[i]], 0));
        box_add(&b, v3_sub(foreseen(p, p->number[slot[i]], p->left), p->common));
    }
    return box_grown(b, s->model->bodies[body].thickness + margin_of(s, body));
}

/* Boxes of elements, and of the corners and edges that they own: the rest have none. */
static void surround(pliant_solver *s)
{
    pliant__pairs *p = &s->pairs;
    for (uint32_t e = 0; e < p->elements; e++) {
        const uint32_t *slot = s->model->elements + 3 * (size_t)e, body = s->model->element_body[e];
        p->box[e] = room_of(s, slot, 3, body);
        for (uint32_t k = 0; k < 6; k++) {
            const uint32_t end[2] = {slot[k % 3], slot[(k + 1) % 3]};
            p->part_box[6 * (size_t)e + k] = s->model->element_owns[e] >> k & 1 ? room_of(s, end, k < 3 ? 1 : 2, body) : box_of_nothing();
        }
    }
}

/* ---- who may touch whom ---- */

/* So many there are room for: a crowd in one place ends in an error, and not with the machine's memory. */
static size_t most_pairs(const pliant__pairs *p) { return 256 * (size_t)p->elements; }

static bool bodies_meet(const pliant_model *m, uint32_t a, uint32_t b)
{
    const pliant__model_body *p = &m->bodies[a], *q = &m->bodies[b];
    return a == b ? p->self_contact : (p->contact_group & q->contact_mask) && (q->contact_group & p->contact_mask);
}

static bool have_common_slot(const uint32_t *a, uint32_t count, const uint32_t *b, uint32_t others)
{
    bool common = false;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < others; j++) common |= a[i] == b[j];
    return common;
}

static vvec at_rest(const pliant_model *m, uint32_t slot)
{
    const pliant_real *x = m->x + 4 * (size_t)slot;
    return vvec_of(x[0], x[1], x[2]);
}

/* The distance of a pair before anything moved. */
static pliant_real distance_at_rest(const pliant_model *m, const pliant__pair *pair)
{
    vvec  x[4];
    vreal weight[4];
    for (uint32_t k = 0; k < 4; k++) x[k] = at_rest(m, pair->slot[k]);
    pliant__pair_weights(x, pair->edges, weight);
    return vlength(pliant__pair_between(x, weight));
}

/* Whether its sides are too far apart to touch in the time that is left: no two points of them come nearer to each other than its particles do. */
static bool is_far(const pliant_solver *s, const pliant__pair *pair, pliant_real margin)
{
    const pliant__pairs *p = &s->pairs;
    pliant_vec3          path[4];
    vvec                 x[4];
    vreal                weight[4], farthest2 = 0;
    for (uint32_t k = 0; k < 4; k++) {
        const pliant_vec3 from = foreseen(p, p->number[pair->slot[k]], 0);
        path[k] = v3_sub(foreseen(p, p->number[pair->slot[k]], p->left), from);
        x[k] = vvec_of(from.x, from.y, from.z);
        const pliant_vec3 beside = v3_sub(path[k], path[0]);
        farthest2 = r_max(farthest2, v3_dot(beside, beside));
    }
    pliant__pair_weights(x, pair->edges, weight);
    return vlength(pliant__pair_between(x, weight)) > pair->distance + margin + 2 * r_sqrt(farthest2);
}

static pliant_real friction_of(pliant_real a, pliant_real b) { return a < 0 ? r_max(b, 0) : b < 0 ? a : r_sqrt(a * b); }

static bool add_pair(pliant_solver *s, const uint32_t slot[4], bool edges, uint32_t a, uint32_t b)
{
    const pliant_model       *m = s->model;
    const pliant__model_body *p = &m->bodies[a], *q = &m->bodies[b];
    bool                      moves = false;
    for (uint32_t k = 0; k < 4; k++) moves |= m->free_w[slot[k]] > 0;
    if (!moves) return true;
    pliant__pair pair = {.edges = edges,
                         .distance = p->thickness + q->thickness,
                         .friction_static = friction_of(p->friction_static, q->friction_static),
                         .friction_dynamic = friction_of(p->friction_dynamic, q->friction_dynamic),
                         .restitution = r_max(r_max(p->restitution, q->restitution), 0)};
    memcpy(pair.slot, slot, sizeof pair.slot);
    if (is_far(s, &pair, margin_of(s, a) + margin_of(s, b))) return true;
    if (a == b) pair.distance = r_min(pair.distance, distance_at_rest(m, &pair));
    return !(pair.distance > 0) || (s->pairs.found.count < 2 * most_pairs(&s->pairs) && array_push(&s->allocator, &s->pairs.found, pair));
}

/* Corners that element e owns, against element f. */
static bool add_corners(pliant_solver *s, uint32_t e, uint32_t f)
{
    const pliant_model *m = s->model;
    const uint32_t     *corner = m->elements + 3 * (size_t)e, *other = m->elements + 3 * (size_t)f;
    bool                ok = true;
    for (uint32_t k = 0; k < 3 && ok; k++) {
        if (!boxes_meet(&s->pairs.part_box[6 * (size_t)e + k], &s->pairs.box[f]) || have_common_slot(&corner[k], 1, other, 3)) continue;
        const uint32_t slot[4] = {corner[k], other[0], other[1], other[2]};
        ok = add_pair(s, slot, false, m->element_body[e], m->element_body[f]);
    }
    return ok;
}

/* Edges that they own, against each other. */
static bool add_edges(pliant_solver *s, uint32_t e, uint32_t f)
{
    const pliant_model *m = s->model;
    const uint32_t     *p = m->elements + 3 * (size_t)e, *q = m->elements + 3 * (size_t)f;
    const pliant__box  *box = s->pairs.part_box + 3;
    bool                ok = true;
    for (uint32_t k = 0; k < 3 && ok; k++) {
        const uint32_t mine[2] = {p[k], p[(k + 1) % 3]};
        if (!boxes_meet(&box[6 * (size_t)e + k], &s->pairs.box[f])) continue;
        for (uint32_t j = 0; j < 3 && ok; j++) {
            const uint32_t its[2] = {q[j], q[(j + 1) % 3]}, slot[4] = {mine[0], mine[1], its[0], its[1]};
            if (!boxes_meet(&box[6 * (size_t)e + k], &box[6 * (size_t)f + j]) || have_common_slot(mine, 2, its, 2)) continue;
            ok = add_pair(s, slot, true, m->element_body[e], m->element_body[f]);
        }
    }
    return ok;
}

/* ---- their order ---- */

/* Two pairs of one colour share no slot that moves. */
static bool order_pairs(pliant_solver *s)
{
    pliant__pairs *p = &s->pairs;
    const size_t   count = p->found.count;
    uint32_t       some[PLIANT__PAIR_COLOURS + 2] = {0};
    p->order.count = p->pair.count = p->row.count = 0;
    uint32_t *colour = array_extend(&s->allocator, &p->order, count);
    if (!colour || !array_extend(&s->allocator, &p->pair, count) || !array_extend(&s->allocator, &p->row, count)) return false;
    memset(p->colours, 0, p->slots * sizeof *p->colours);
    for (size_t i = 0; i < count; i++) {
        uint64_t        taken = 0;
        const uint32_t *slot = p->found.data[i].slot;
        for (uint32_t k = 0; k < 4; k++) taken |= p->colours[p->number[slot[k]]];
        colour[i] = 0;
        while (colour[i] < PLIANT__PAIR_COLOURS && taken >> colour[i] & 1) colour[i]++;
        for (uint32_t k = 0; k < 4 && colour[i] < PLIANT__PAIR_COLOURS; k++)
            if (s->model->free_w[slot[k]] > 0) p->colours[p->number[slot[k]]] |= (uint64_t)1 << colour[i];
        some[colour[i] + 1]++;
    }
    p->colour_count = 0;
    for (uint32_t c = 0; c <= PLIANT__PAIR_COLOURS; c++) {
        if (c < PLIANT__PAIR_COLOURS && some[c + 1]) p->colour_count = c + 1;
        some[c + 1] += some[c];
    }
    memcpy(p->first, some, sizeof some);
    for (size_t i = 0; i < count; i++) p->pair.data[some[colour[i]]++] = p->found.data[i];
    return true;
}

/* ---- who hangs together ---- */

static uint32_t root_of(uint32_t *of, uint32_t i)
{
    while (of[i] != i) i = of[i] = of[of[i]];
    return i;
}

static void find_islands(pliant__pairs *p)
{
    for (uint32_t i = 0; i < p->slots; i++) p->island[i] = i;
    for (size_t i = 0; i < p->pair.count; i++)
        for (uint32_t k = 1; k < 4; k++) {
            const uint32_t a = root_of(p->island, p->number[p->pair.data[i].slot[0]]),
                           b = root_of(p->island, p->number[p->pair.data[i].slot[k]]);
            p->island[a < b ? b : a] = a < b ? a : b;
        }
    for (uint32_t i = 0; i < p->slots; i++) p->island[i] = root_of(p->island, i);
}

/* ---- the search ---- */

/* Pairs of elements in the order of their numbers: no tree's. */
static bool find_near(pliant_solver *s)
{
    pliant__pairs *p = &s->pairs;
    if (!pliant__tree_pairs(&s->allocator, &p->tree, p->box, most_pairs(p), &p->near)) return false;
    p->key.count = 0;
    pliant__key *key = array_extend(&s->allocator, &p->key, 2 * p->near.count);
    for (size_t i = 0; key && i < p->near.count; i++)
        key[i] = (pliant__key){(uint64_t)p->near.data[i].a << 32 | p->near.data[i].b, (uint32_t)i};
    p->sorted = key ? pliant__sort_keys(key, key + p->near.count, p->near.count) : NULL;
    return key != NULL;
}

/* For so many substeps, or fewer. */
static bool search(pliant_solver *s, uint32_t substeps)
{
    pliant__pairs *p = &s->pairs;
    foresee(s);
    p->left_substeps = find_common(s, substeps);
    surround(s);
    pliant__tree_fit(&p->tree, p->box);
    p->found.count = 0;
    bool ok = find_near(s);
    for (size_t i = 0; ok && i < p->near.count; i++) {
        const uint32_t e = (uint32_t)(p->sorted[i].key >> 32), f = (uint32_t)p->sorted[i].key;
        if (!bodies_meet(s->model, s->model->element_body[e], s->model->element_body[f])) continue;
        ok = add_corners(s, e, f) && add_corners(s, f, e) && add_edges(s, e, f);
    }
    ok = ok && order_pairs(s);
    if (ok) find_islands(p);
    s->statistics.pair_searches++;
    return ok;
}

static void find(pliant_solver *s, uint32_t substeps)
{
    pliant__pairs *p = &s->pairs;
    p->failed = !search(s, substeps);
    if (!p->failed) return;
    p->left_substeps = 0;
    p->pair.count = 0;
}

void pliant__find_pairs(pliant_solver *s)
{
    pliant__pairs *p = &s->pairs;
    for (uint32_t i = 0; i < p->slots; i++) p->begun[i] = pliant__slot_x(s->from, p->slot[i]);
    if (!s->substep || !p->left_substeps || is_astray(s, 1)) find(s, s->substeps - s->substep);
    p->left_substeps -= p->left_substeps > 0;
}

/* Pairs that were not found are further apart than their thickness and two margins. */
bool pliant__find_missed_pairs(pliant_solver *s)
{
    if (!is_astray(s, 2)) return false;
    find(s, 1);
    s->pairs.left_substeps = 0;
    return true;
}
