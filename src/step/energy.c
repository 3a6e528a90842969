/* What a state has of energy, and what is done to it in a step. Rows are evaluated by a kernel, each into a place of its own, particles chunk by
 * chunk, and all is added in one order, so that neither threads nor widths change a bit. Work is added up substep by substep from what moves by
 * command: the impulse that it gave times its own way. It is never what is left of the balance, which is dissipated.
 *
 *   contacts        what a touch has pushed, over w h^2: a force; times how far the collider's surface moved there; and what restitution gave
 *   pins, targets   against what rows do to them, lambda grad C / h^2, times how far they moved
 *   skins           what they pushed, times how far their targets moved
 *   wind            its force times how far the air went
 *   grabs           their force times how far the particle went
 *   uniform forces  the fall of their potential
 *   fields          forces with keys, and accelerations that differ from place to place: theirs times how far the particle went */
#include "step/energy.h"

#include "base/alloc.h"
#include "constraints/eval.h"
#include "solver/energies.h"
#include "solver/laws.h"
#include "solver/method.h"
#include "solver/residuals.h"
#include "solver/row_energy.h"
#include "solver/solver.h"
#include "solver/sweep.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"
#include "step/forces.h"

#include <stddef.h>
#include <string.h>

/* ---- what it needs ---- */

static void note_bodies(pliant_solver *s)
{
    const pliant_model *m = s->model;
    pliant__energies   *e = s->energies;
    memset(e->slot_body, 0xff, m->header->slot_count * sizeof *e->slot_body);
    for (size_t i = 0; i < model_count(m, targets); i++) e->slot_body[m->targets[i].slot] = m->targets[i].body;
    for (size_t i = 0; i < model_count(m, chunks); i++)
        for (uint32_t k = 0; k < m->chunks[i].count; k++) e->slot_body[m->chunks[i].first + k] = m->chunks[i].body;
}

static void note_users(pliant_solver *s)
{
    const pliant_model *m = s->model;
    for (size_t i = 0; i < model_count(m, users); i++)
        for (uint32_t k = 0; k < m->users[i].particle_count; k++) s->energies->sharing[m->users[i].slots[k]]++;
}

static bool may_be_led(const pliant_solver *s, uint32_t slot)
{
    const pliant_model *m = s->model;
    return m->pin[slot] != 0 || m->free_w[slot] == 0 || PLIANT__SLOT(m->x, slot)[3] == 0;
}

/* The bodies of all rows, how many rows share each particle, and which rows may be pulled by what moves by command. Called twice: to count, and to
 * list. */
static void note_rows(pliant_solver *s, bool list)
{
    const pliant_model *m = s->model;
    pliant__energies   *e = s->energies;
    bool                sticky = false;
    for (size_t i = 0; i < model_count(m, colliders); i++) sticky = sticky || m->colliders[i].stick;
    e->led_count = 0;
    e->leads = sticky || model_count(m, targets) > 0;
    for (uint32_t i = 0; i < model_count(m, batches); i++) {
        const pliant__batch *b = &m->batches[i];
        const uint32_t       slots = pliant_constraint_describe((pliant_constraint_kind)b->kind)->slots;
        for (uint32_t row = 0; row < b->count; row++) {
            if (!pliant__has_row(m, b, row)) continue;
            uint32_t slot[PLIANT_MAX_SLOTS] = {0}, body = PLIANT__NONE;
            bool     led = sticky;
            pliant__row_slots(m, b, row, slots, slot);
            for (uint32_t k = 0; k < slots; k++) {
                if (body == PLIANT__NONE) body = e->slot_body[slot[k]];
                led = led || may_be_led(s, slot[k]);
                e->sharing[slot[k]] += !list;
            }
            e->row_body[b->first_row + row] = body;
            if (led && list) e->led[e->led_count] = (pliant__led){i, row};
            e->led_count += led;
        }
    }
}

bool pliant__make_energies(pliant_solver *s)
{
    const pliant_model     *m = s->model;
    const pliant_allocator *a = &s->allocator;
    if (!s->def.energy) return true;
    pliant__energies *e = s->energies = pliant__alloc(a, sizeof *e);
    if (!e) return false;
    e->laws = pliant__alloc_array(a, model_count(m, laws), sizeof *e->laws);
    e->rows = pliant__alloc_array(a, m->header->packed_rows, sizeof *e->rows);
    e->shared = pliant__alloc_array(a, m->header->slot_count, 4 * sizeof *e->shared);
    e->sharing = pliant__alloc_array(a, m->header->slot_count, sizeof *e->sharing);
    e->row_body = pliant__alloc_array(a, m->header->packed_rows, sizeof *e->row_body);
    e->slot_body = pliant__alloc_array(a, m->header->slot_count, sizeof *e->slot_body);
    e->bodies = pliant__alloc_array(a, model_count(m, bodies), sizeof *e->bodies);
    e->chunks = pliant__alloc_array(a, model_count(m, chunks), sizeof *e->chunks);
    e->was = pliant__alloc_array(a, m->header->slot_count, 4 * sizeof *e->was);
    e->v = pliant__alloc_array(a, m->header->slot_count, 4 * sizeof *e->v);
    e->skin_was = pliant__alloc_array(a, model_count(m, skins), sizeof *e->skin_was);
    s->triangle_power = pliant__alloc_array(a, model_count(m, triangle_body), sizeof *s->triangle_power);
    if (!e->laws || !e->rows || !e->shared || !e->sharing || !e->row_body || !e->slot_body || !e->bodies || !e->chunks || !e->was ||
        !e->v || !e->skin_was || !s->triangle_power)
        return false;
    memset(e->sharing, 0, m->header->slot_count * sizeof *e->sharing);
    note_bodies(s);
    note_rows(s, false);
    note_users(s);
    e->led = pliant__alloc_array(a, e->led_count, sizeof *e->led);
    if (e->led) note_rows(s, true);
    return e->led != NULL;
}

void pliant__free_energies(pliant_solver *s)
{
    pliant__energies *e = s->energies;
    if (!e) return;
    void *all[] = {e->laws,   e->rows, e->shared, e->sharing,  e->row_body, e->slot_body,     e->bodies,
                   e->chunks, e->was,  e->v,      e->skin_was, e->led,      s->triangle_power};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(&s->allocator, all[i]);
    pliant__free(&s->allocator, e);
}

/* ---- energies of a state ---- */

static void rows_of_patch(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant__patch *p = &s->model->patches[index];
    for (uint32_t i = p->first_batch; i < p->first_batch + p->batch_count; i++) {
        const pliant__batch *b = &s->model->batches[i];
        s->backend.kernels->kinds[b->kind]->energy(&s->sweep, b, 0, pliant__blocks(b), s->energies->rows);
    }
}

static void particles_of_chunk(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant__chunk *c = &s->model->chunks[index];
    const pliant_vec3    g = s->inputs->gravity, a = pliant__acceleration_of(s->model, s->inputs, c->body, 0, false);
    pliant__chunk_energy sum = {0, 0, 0};
    for (size_t i = pliant__slot_numbers(c->first); i < pliant__slot_numbers(c->first + c->count); i += 4) {
        const pliant_real *x = s->state->x + i, *v = s->state->v + i;
        if (!(x[3] > 0)) continue;
        const double mass = 1 / (double)x[3];
        sum.kinetic += 0.5 * mass * ((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2]);
        sum.gravity -= mass * ((double)g.x * (double)x[0] + (double)g.y * (double)x[1] + (double)g.z * (double)x[2]);
        sum.forces += mass * ((double)a.x * (double)x[0] + (double)a.y * (double)x[1] + (double)a.z * (double)x[2]);
    }
    s->energies->chunks[index] = sum;
}

/* `x`: the inverse masses to count with. */
static double user_energy(const pliant_solver *s, const pliant__model_user *u, const pliant_real *x)
{
    const pliant__law_now *law = &s->energies->laws[u->law];
    pliant_vec3            gradient[PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
    pliant_real            C[PLIANT_MAX_ROWS];
    double                 sum = 0;
    pliant__evaluate_user(s, u, C, gradient);
    for (uint32_t r = 0; r < u->row_count; r++) {
        double S = 0;
        for (uint32_t k = 0; k < u->particle_count; k++) {
            const pliant_vec3 n = gradient[r * u->particle_count + k];
            S += (double)(PLIANT__SLOT(x, u->slots[k])[3] * v3_dot(n, n));
        }
        sum += pliant__row_energy((pliant_limit)s->inputs->law[u->law].limit, law, (double)C[r], S, 0, 0);
    }
    return sum;
}

static bool user_is_active(const pliant_solver *s, uint32_t user)
{
    return pliant__is_active(s->active, s->model->header->packed_rows + user);
}

static uint32_t user_body(const pliant_solver *s, const pliant__model_user *u)
{
    for (uint32_t k = 0; k < u->particle_count; k++)
        if (s->energies->slot_body[u->slots[k]] != PLIANT__NONE) return s->energies->slot_body[u->slots[k]];
    return 0;
}

/* Particles as if each had its mass split among the rows that share it. */
static void share_masses(pliant_solver *s)
{
    pliant__energies *e = s->energies;
    memcpy(e->shared, s->state->x, pliant__slot_numbers(s->model->header->slot_count) * sizeof *e->shared);
    for (size_t i = 0; i < s->model->header->slot_count; i++)
        if (e->sharing[i]) e->shared[4 * i + 3] *= (pliant_real)e->sharing[i];
}

/* Laws for the least that rows may have, or for the most. */
static void count_least(pliant_solver *s, bool least)
{
    for (uint32_t i = 0; i < model_count(s->model, laws); i++) {
        s->energies->laws[i].ease = (pliant_real)pliant__spring_of(s, i, least);
        s->energies->laws[i].stiffness = least ? (pliant_real)pliant__beside_law(s, i) : 0;
    }
}

/* Adds `sign` times the elastic energies that rows have with the inverse masses of `x` to a number of each body, `at` bytes into what it has. */
static void add_rows(pliant_solver *s, pliant_real *x, size_t at, double sign)
{
    const pliant_model *m = s->model;
    pliant__energies   *e = s->energies;
    s->sweep.x = x;
    pliant__run(s, rows_of_patch, (uint32_t)model_count(m, patches));
    for (size_t i = 0; i < m->header->packed_rows; i++)
        if (e->rows[i] > 0) *(double *)((char *)&e->bodies[e->row_body[i]] + at) += sign * e->rows[i];
    for (uint32_t i = 0; i < model_count(m, users); i++)
        if (user_is_active(s, i))
            *(double *)((char *)&e->bodies[user_body(s, &m->users[i])] + at) += sign * user_energy(s, &m->users[i], x);
}

/* The bodies' energies now; work and what was dissipated stay. What forces have a potential for is taken off, or given to, the work. */
static void evaluate(pliant_solver *s, double sign)
{
    const pliant_model *m = s->model;
    pliant__energies   *e = s->energies;
    pliant__begin_sweep(s, false);
    s->sweep.laws = e->laws;
    share_masses(s);
    pliant__run_light(s, particles_of_chunk, (uint32_t)model_count(m, chunks));
    for (size_t i = 0; i < model_count(m, bodies); i++)
        e->bodies[i].kinetic = e->bodies[i].gravity = e->bodies[i].elastic = e->bodies[i].unresolved = 0;
    for (size_t i = 0; i < model_count(m, chunks); i++) {
        pliant_energy *to = &e->bodies[m->chunks[i].body];
        to->kinetic += e->chunks[i].kinetic;
        to->gravity += e->chunks[i].gravity;
        to->work += sign * e->chunks[i].forces;
    }
    add_rows(s, s->state->x, offsetof(pliant_energy, elastic), 1);
    pliant__energy_of_interactions(s);
    count_least(s, true);
    add_rows(s, e->shared, offsetof(pliant_energy, unresolved), -1);
    count_least(s, false);
    for (size_t i = 0; i < model_count(m, bodies); i++) {
        e->bodies[i].unresolved += e->bodies[i].elastic;
        if (!(e->bodies[i].unresolved > 0)) e->bodies[i].unresolved = 0;
    }
}

static double total_of(const pliant_energy *e) { return e->kinetic + e->gravity + e->elastic; }

void pliant__begin_energies(pliant_solver *s)
{
    const pliant_model *m = s->model;
    pliant__energies   *e = s->energies;
    for (size_t i = 0; i < model_count(m, laws); i++) {
        const pliant__model_law *l = &s->inputs->law[i];
        e->laws[i] = (pliant__law_now){.alpha = (pliant_real)((double)l->compliance / pliant__share_done(s, (uint32_t)i)),
                                       .gamma = 1 - 1 / s->laws[i].ease,
                                       .low = l->range_min - 1,
                                       .high = l->range_max - 1,
                                       .ease = (pliant_real)pliant__spring_of(s, (uint32_t)i, false)};
    }
    memset(e->bodies, 0, model_count(m, bodies) * sizeof *e->bodies);
    evaluate(s, -1);
    s->statistics.energy_before = (pliant_energy){0, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < model_count(m, bodies); i++) {
        e->bodies[i].dissipated = total_of(&e->bodies[i]);
        s->statistics.energy_before.kinetic += e->bodies[i].kinetic;
        s->statistics.energy_before.gravity += e->bodies[i].gravity;
        s->statistics.energy_before.elastic += e->bodies[i].elastic;
        s->statistics.energy_before.unresolved += e->bodies[i].unresolved;
    }
    for (size_t i = 0; i < model_count(m, skins); i++) e->skin_was[i] = s->state->skins[i].x;
    s->statistics.work_known = !s->framed;
    e->known = false;
}

void pliant__end_energies(pliant_solver *s)
{
    pliant__energies *e = s->energies;
    pliant_energy     sum = {0, 0, 0, 0, 0, 0};
    evaluate(s, 1);
    for (size_t i = 0; i < model_count(s->model, bodies); i++) {
        pliant_energy *b = &e->bodies[i];
        b->dissipated += b->work - total_of(b);
        sum.kinetic += b->kinetic;
        sum.gravity += b->gravity;
        sum.elastic += b->elastic;
        sum.unresolved += b->unresolved;
        sum.work += b->work;
        sum.dissipated += b->dissipated;
    }
    s->statistics.energy = sum;
    e->known = true;
}

pliant_code pliant_solver_energy(const pliant_solver *solver, pliant_body body, pliant_energy *out)
{
    const pliant_energy none = {0, 0, 0, 0, 0, 0};
    if (!out) return PLIANT_ERROR_ARGUMENT;
    *out = none;
    const pliant__model_body *b = solver ? pliant__model_body_of(solver->model, body) : NULL;
    if (!b || !solver->energies || !solver->energies->known) return PLIANT_ERROR_ARGUMENT;
    *out = solver->energies->bodies[b - solver->model->bodies];
    return PLIANT_OK;
}
