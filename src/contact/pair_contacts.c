/* Contacts of bodies with each other, for the user. A row's multiplier moves its particles by w c lambda n, so lambda is a mass times a way, and
 * lambda / h^2 the force that it stands for in a substep. Nothing is listed before a caller asks: rows stay as they are until the next substep, and where
 * particles were when they pushed is noted. */
#include "contact/pair_contacts.h"

#include "base/float_env.h"
#include "contact/pair_text.h"
#include "contact/pairs.h"
#include "solver/pair_kernels.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/state.h"

#include <string.h>

uint32_t pliant__count_row_lanes(const pliant_solver *s) { return s->pairs->is_noted ? (uint32_t)s->pairs->rows.count * PLIANT__BLOCK : 0; }

bool pliant__read_row(const pliant_solver *s, uint32_t number, pliant__pair_contact *contact)
{
    const pliant__pair_rows *row = &s->pairs->rows.data[number / PLIANT__BLOCK];
    const uint32_t           lane = number % PLIANT__BLOCK;
    if (!(row->rows >> lane & 1) || !(r_abs(row->lambda[lane]) > 0)) return false;
    const uint32_t    first = row->at.edges ? 2 : 1;
    const pliant_vec3 origin = pliant__slot_x(s->pairs->noted, row->at.slot[0][lane]);
    pliant_vec3       side[2] = {{0, 0, 0}, {0, 0, 0}}; /* the nearest points, from the origin */
    for (uint32_t k = 0; k < 4; k++) {
        const pliant_real weight = row->weight[k][lane];
        const pliant_vec3 at = v3_sub(pliant__slot_x(s->pairs->noted, row->at.slot[k][lane]), origin);
        contact->slot[k] = row->at.slot[k][lane];
        contact->weight[k] = weight;
        side[k >= first] = v3_madd(side[k >= first], at, k >= first ? -weight : weight);
    }
    contact->sides = first;
    contact->point = v3_madd(origin, v3_add(side[0], side[1]), (pliant_real)0.5);
    contact->normal = v3(row->normal[0][lane], row->normal[1][lane], row->normal[2][lane]);
    contact->distance = v3_dot(contact->normal, v3_sub(side[0], side[1]));
    contact->lambda = row->lambda[lane];
    contact->friction = v3_length(v3(row->friction[0][lane], row->friction[1][lane], row->friction[2][lane]));
    contact->approach = row->approach[lane];
    return true;
}

#define BLOCKS 256u /* blocks of rows of a task */

static uint32_t tasks_of(const pliant__pairs *p) { return (uint32_t)((p->rows.count + BLOCKS - 1) / BLOCKS); }

static size_t task_end(const pliant__pairs *p, uint32_t task)
{
    return (size_t)(task + 1) * BLOCKS < p->rows.count ? (size_t)(task + 1) * BLOCKS : p->rows.count;
}

static void count_some(void *solver, uint32_t index)
{
    pliant__pairs *p = ((pliant_solver *)solver)->pairs;
    uint32_t       rows = 0, touching = 0;
    for (size_t b = (size_t)index * BLOCKS, end = task_end(p, index); b < end; b++)
        for (uint32_t i = 0; i < PLIANT__BLOCK; i++) {
            const uint32_t is = p->rows.data[b].rows >> i & 1;
            rows += is;
            touching += is & (r_abs(p->rows.data[b].lambda[i]) > 0);
        }
    p->counts.data[index] = (pliant__row_counts){rows, touching};
}

void pliant__count_pairs(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    const uint32_t tasks = tasks_of(p);
    if (p->failed) return;
    s->statistics.pair_candidates = (uint32_t)(pliant__count_near_lists(&p->loose.lists) + p->pair.count);
    p->counts.count = 0;
    if (!array_reserve(&s->allocator, &p->counts, tasks)) return;
    pliant__run_light(s, count_some, tasks);
    for (uint32_t i = 0; i < tasks; i++) {
        s->statistics.pairs += p->counts.data[i].rows;
        s->statistics.pair_contacts += p->counts.data[i].touching;
    }
}

void pliant__note_pair_contacts(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    p->is_noted = s->substep + 1 == s->substeps || s->def.contacts;
    if (p->is_noted) memcpy(p->noted, s->state->x, pliant__slot_numbers(s->model->header->slot_count) * sizeof *p->noted);
}

static void name_particles(const pliant_model *m, const pliant__pair_contact *from, pliant_pair_contact *to)
{
    for (uint32_t k = 0; k < 4; k++) {
        const bool unneeded = from->weight[k] == 0;
        to->weights[k] = from->weight[k];
        to->particles[k] = unneeded ? (pliant_particle){{0}, 0} : pliant__model_particle(m, from->slot[k]);
    }
    to->bodies[0] = pliant__model_particle(m, from->slot[0]).body;
    to->bodies[1] = pliant__model_particle(m, from->slot[from->sides]).body;
}

static pliant_pair_contact told(const pliant_model *m, const pliant__pair_contact *from, pliant_real per_newton)
{
    pliant_pair_contact to;
    memset(&to, 0, sizeof to);
    name_particles(m, from, &to);
    to.point = from->point;
    to.normal = from->normal;
    to.distance = from->distance;
    to.force = from->lambda / per_newton;
    to.friction = from->friction / per_newton;
    return to;
}

uint32_t pliant_solver_pair_contacts(const pliant_solver *solver, pliant_pair_contact *out, uint32_t capacity)
{
    PLIANT_FLOAT_SCOPE;
    if (!solver) return 0;
    const pliant_real per_newton = solver->rh * solver->rh;
    const uint32_t    lanes = pliant__count_row_lanes(solver);
    uint32_t          count = 0;
    for (uint32_t i = 0; i < lanes; i++) {
        pliant__pair_contact from = {0};
        if (!pliant__read_row(solver, i, &from)) continue;
        if (out && count < capacity) out[count] = told(solver->model, &from, per_newton);
        count++;
    }
    return count;
}

/* ---- all pairs ---- */

static void name_pair(const pliant_solver *s, const pliant_state *state, const uint32_t *slot, bool edges, pliant_real touching,
                      pliant_near_pair *out)
{
    vvec  x[4], between;
    vreal weight[4];
    for (uint32_t k = 0; k < 4; k++) {
        const pliant_vec3 at = pliant__slot_x(state->x, slot[k]);
        x[k] = vvec_of(at.x, at.y, at.z);
    }
    pair_weights(x, edges, weight);
    between = pair_between(x, weight);
    vvec one = x[0];
    if (edges) one = vadd(one, vscale(vsub(x[1], x[0]), weight[1]));
    out->bodies[0] = pliant__model_particle(s->model, slot[0]).body;
    out->bodies[1] = pliant__model_particle(s->model, slot[edges ? 2 : 1]).body;
    out->points[0] = v3(one.x, one.y, one.z);
    out->points[1] = v3(one.x - between.x, one.y - between.y, one.z - between.z);
    out->distance = vlength(between);
    out->touching = touching;
}

/* Pairs of loose particles, in the order of their lists. */
static size_t name_points(const pliant_solver *s, const pliant_state *state, pliant_near_pair *out, size_t capacity)
{
    const pliant__loose *c = &s->pairs->loose;
    size_t               count = 0;
    for (uint32_t i = 0; i < c->count && c->lists.stretches && count < capacity; i++)
        for (uint32_t k = 0; k < c->lists.length[i] && count < capacity; k++) {
            const uint32_t a = c->cells.packed.tag[i] >> c->cells.packed.bits,
                           b = c->lists.near.data[c->lists.begin[i] + k] >> c->cells.packed.bits;
            uint32_t    side[2][PLIANT__BLOCK];
            pliant_real distance[PLIANT__BLOCK];
            for (uint32_t lane = 0; lane < PLIANT__BLOCK; lane++) side[0][lane] = a, side[1][lane] = b;
            pliant__touch_points(s, side[0], side[1], distance);
            name_pair(s, state, (const uint32_t[4]){a, b, b, b}, false, distance[0], &out[count++]);
        }
    return count;
}

uint32_t pliant_solver_near_pairs(const pliant_solver *solver, const pliant_state *state, pliant_near_pair *out, uint32_t capacity)
{
    PLIANT_FLOAT_SCOPE;
    if (!solver || !state || state->header->model != solver->model->header->hash) return 0;
    const pliant__pairs *p = solver->pairs;
    const size_t         points = pliant__count_near_lists(&p->loose.lists), count = points + p->pair.count;
    if (out) name_points(solver, state, out, capacity);
    for (size_t i = points; i < count && i < capacity && out; i++) {
        const uint32_t      number = (uint32_t)(i - points);
        const pliant__pair *pair = &p->pair.data[number];
        uint32_t            slot[4];
        pliant__find_slots(p, pair->feature, pliant__are_edges(p, number), slot);
        name_pair(solver, state, slot, pliant__are_edges(p, number), pair->distance, &out[i]);
    }
    return (uint32_t)count;
}
