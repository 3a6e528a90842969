/* Particles against colliders.
 *
 * Found after the prediction (touches.c): the particle's path, taken relative to the collider, enters (continuous) or ends inside or near (static;
 * Müller 2007, section 3.4). What is found is a plane: point q and normal n, C = n . (x - q) >= 0. Each sweep of the constraints is
 * followed by one over the contacts, which first looks again at particles that have none: a stretched cloth can pull a particle that was at
 * rest right through a thin collider within one sweep. A contact touches one particle only, so chunks of particles run in parallel.
 *
 * Normal: lambda, metres pushed, is kept over iterations and clamped. Friction (Macklin 2014, Unified Particle Physics, eq. 24) acts on
 * positions: the displacement along the surface since the start of the substep, relative to the collider's, is undone while what undoes it
 * is within mu_s lambda, and otherwise reduced by mu_d lambda. What was undone is remembered, so that sweeps add up to one Coulomb cone.
 * A particle that begins near a collider that it adheres to is drawn to it, too: lambda may go below 0, by no more than the adhesion, and friction presses
 * with both, as between bodies (pair_rows.c).
 * Velocities then follow from positions; the last stage only adds restitution (Müller 2020, Detailed Rigid Body Simulation, eq. 34) and
 * the friction that its impulse causes. */
#include "contact/contacts.h"

#include "base/box.h"
#include "contact/collider_tree.h"
#include "contact/pairs.h"
#include "solver/energies.h"
#include "solver/guard.h"
#include "solver/history.h"
#include "solver/interactions.h"
#include "solver/method.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"

#include <assert.h>
#include <string.h>

/* ---- projecting ---- */

/* Far from the origin a correction may be smaller than what x can hold. What x does not take is kept, and given to the velocity: friction
 * would else vanish with small substeps. */
static void move_by(pliant__touch *t, pliant_vec3 *x, pliant_vec3 by)
{
    pliant_vec3 moved = v3_add(*x, by);
    t->lost = v3_add(t->lost, v3_sub(by, v3_sub(moved, *x)));
    *x = moved;
}

/* What friction leaves of what would undo all slip; across what rolls apart. backends/cpu_width_press.c does the same in lanes. */
static pliant_vec3 bound_friction(pliant__touch *t, pliant_vec3 impulse, pliant_real press)
{
    const bool        rolls = pliant__rolls(t);
    const pliant_real most = rolls ? t->rolling * press : 0, part = rolls ? v3_dot(t->across, impulse) : 0;
    if (rolls) impulse = v3_madd(impulse, t->across, -part);
    const pliant_real length = v3_length(impulse);
    t->slides = length > t->friction_static * press;
    if (t->slides > 0) impulse = v3_scale(impulse, t->friction_dynamic * press / length);
    if (!rolls) return impulse;
    if (r_abs(part) > most) t->slides = 1;
    return v3_madd(impulse, t->across, r_max(r_min(part, most), -most));
}

static void project_touch(pliant_solver *s, pliant__touch *t)
{
    pliant_vec3 x = pliant__slot_x(s->state->x, t->slot);
    pliant_real C = v3_dot(t->normal, x) - t->offset, lambda = r_max(t->lambda - C, -t->hold);
    move_by(t, &x, v3_scale(t->normal, lambda - t->lambda));
    t->lambda = lambda;
    if (lambda > -t->hold || v3_dot(t->friction, t->friction) > 0) {
        pliant_vec3 slip = v3_sub(v3_sub(x, pliant__slot_x(s->from, t->slot)), t->drift);
        slip = v3_madd(slip, t->normal, -v3_dot(t->normal, slip));
        pliant_vec3 impulse = bound_friction(t, v3_sub(t->friction, slip), lambda + t->hold); /* the slip that would have to be undone */
        move_by(t, &x, v3_sub(impulse, t->friction));
        t->friction = impulse;
    }
    pliant__set_slot_x(s->state->x, t->slot, x);
}

#define LIST 256u /* touches that kernels are given at a time */

/* Touches of a chunk that are sorted, of which none rolls: first one of each particle that has any, then the second ones, and so on. */
static void project_sorted(pliant_solver *s, const pliant__chunk_now *now)
{
    pliant__touch           *t = s->contacts->touches + now->first_touch;
    const pliant__touch_key *key = s->contacts->keys + now->first_touch;
    uint16_t                 list[LIST];
    bool                     more = true;
    for (uint32_t round = 0; more; round++) {
        uint32_t count = 0, before = 0; /* in the list; of the same particle before this one */
        more = false;
        for (uint32_t i = 0; i < now->sorted_touches; i++) {
            before = i && key[i].slot == key[i - 1].slot ? before + 1 : 0;
            more = more || before > round;
            if (before != round) continue;
            list[count++] = (uint16_t)i;
            if (count < LIST) continue;
            s->backend.kernels->press(t, list, count, s->state->x, s->from);
            count = 0;
        }
        if (count) s->backend.kernels->press(t, list, count, s->state->x, s->from);
    }
}

void pliant__project_touches_of(pliant_solver *s, uint32_t index)
{
    const pliant__chunk_now *now = &s->chunks[index];
    const bool               rolls = s->model->bodies[s->model->chunks[index].body].rolling_friction >= 0;
    pliant__find_touches_again(s, index);
    if (!rolls) project_sorted(s, now);
    for (uint32_t i = rolls ? 0 : now->sorted_touches; i < now->touch_count; i++)
        project_touch(s, &s->contacts->touches[now->first_touch + i]);
}

static void project_chunk(void *solver, uint32_t index) { pliant__project_touches_of(solver, index); }

static void project(pliant_solver *s, bool first)
{
    (void)first;
    pliant__run_chunks(s, project_chunk, PLIANT__TOUCH_WORK);
}

/* ---- velocities ---- */

/* It decides how fast its particle goes along its normal: it pushes, or holds on with less than it could. */
static bool decides(const pliant__touch *t) { return t->lambda > -t->hold; }

/* Slower than this a contact does not bounce: what gravity gives in two substeps is resting, not impact. */
static pliant_real resting_speed(const pliant_solver *s) { return 2 * s->substep_rh * v3_length(s->inputs->gravity); }

static bool hits(const pliant__touch *t, pliant_real resting) { return t->approach < -resting; }

/* Whether it changed the velocity. */
static bool bounce(pliant_solver *s, const pliant__touch *t, pliant_real resting)
{
    if (!(t->lambda > 0) || !hits(t, resting) || !(t->restitution > 0 || pliant__is_bdf2(s->model))) return false;
    pliant_vec3 surface = v3_scale(t->drift, 1 / s->substep_rh), v = v3_sub(pliant__slot_x(s->state->v, t->slot), surface);
    pliant_real vn = v3_dot(t->normal, v), push = -t->restitution * t->approach - vn;
    if (!(push > 0)) return false;
    pliant_vec3 along = v3_madd(v, t->normal, -vn);
    v = v3_madd(v, t->normal, push);
    if (pliant__rolls(t)) {
        const pliant_real part = v3_dot(t->across, along), most = t->rolling * push;
        along = v3_madd(along, t->across, -part);
        v = v3_madd(v, t->across, -r_max(r_min(part, most), -most));
    }
    pliant_real speed = v3_length(along), slower = r_min(t->friction_dynamic * push, speed);
    if (speed > 0) v = v3_madd(v, along, -slower / speed);
    pliant__set_slot_x(s->state->v, t->slot, v3_add(v, surface));
    return true;
}

/* A velocity of second order, (3 x - 4 x_n + x_{n-1}) / 2 h, would throw back what a contact has stopped: a particle that fell at u has
 * x_{n-1} = x_n + u h, and if it is at x_n now, that is u / 2 upwards. So BDF2's contacts are of first order, wherever a collider decides:
 *   a particle that hits    its velocity is (x - x_n) / h, then it bounces, by e = 0 too, with friction, which completes the impulse
 *   one that friction holds its velocity is (x - x_n) / h
 *   one that slides         its velocity along the normal is that of (x - x_n) / h; along the surface it stays as it is
 * and its history is straight, in the same directions. What rests or slides steadily has that history anyway. */
static bool stop(pliant_solver *s, const pliant__touch *t, pliant_real resting)
{
    if (!decides(t)) return false;
    const pliant_vec3 path = v3_sub(pliant__slot_x(s->state->x, t->slot), pliant__slot_x(s->from, t->slot));
    const pliant_vec3 straight = v3_scale(v3_add(path, t->lost), 1 / s->substep_rh), v = pliant__slot_x(s->state->v, t->slot);
    if (hits(t, resting) || !(t->slides > 0)) {
        pliant__set_slot_x(s->state->v, t->slot, straight);
        pliant__straighten_history(s, t->slot);
        return true;
    }
    const pliant_vec3 stopped = v3_madd(v, t->normal, v3_dot(t->normal, v3_sub(straight, v)));
    pliant_vec3       x = pliant__slot_x(s->state->previous_x, t->slot), u = pliant__slot_x(s->state->previous_v, t->slot);
    const pliant_vec3 before = v3_madd(pliant__slot_x(s->state->x, t->slot), stopped, -s->substep_rh);
    x = v3_madd(x, t->normal, v3_dot(t->normal, v3_sub(before, x)));
    u = v3_madd(u, t->normal, v3_dot(t->normal, v3_sub(stopped, u)));
    pliant__set_slot_x(s->state->v, t->slot, stopped);
    pliant__set_slot_x(s->state->previous_x, t->slot, x);
    pliant__set_slot_x(s->state->previous_v, t->slot, u);
    return true;
}

/* Touches that act, and particles that have one: touches come in the order of slots. */
typedef struct contact_count {
    uint32_t acting, particles, last; /* `last`: slot of the one that was counted before */
} contact_count;

static void count_contact(contact_count *c, const pliant__touch *t, uint32_t slot)
{
    if (!pliant__touch_acts(t)) return;
    c->acting++;
    c->particles += slot != c->last;
    c->last = slot;
}

/* Whether touches of a model may change velocities. */
static bool may_bounce(const pliant_model *m)
{
    bool may = pliant__is_bdf2(m);
    for (size_t i = 0; i < model_count(m, bodies); i++) may = may || m->bodies[i].restitution > 0;
    for (size_t i = 0; i < model_count(m, colliders); i++) may = may || m->colliders[i].restitution > 0;
    for (size_t i = 0; i < model_count(m, contact_pairs); i++) may = may || m->contact_pairs[i].restitution > 0;
    return may;
}

static bool bounce_or_stop(pliant_solver *s, const pliant__touch *t, pliant_real resting)
{
    bool any;
    if (s->contacts->bounced) {
        s->contacts->bounced[t - s->contacts->touches] = v3(0, 0, 0);
        pliant__begin_bounce(s, t);
    }
    any = pliant__is_bdf2(s->model) ? stop(s, t, resting) : bounce(s, t, resting);
    if (s->contacts->bounced) pliant__end_bounce(s, t);
    return any;
}

static void bounce_chunk(void *solver, uint32_t index)
{
    pliant_solver           *s = solver;
    pliant__chunk_now       *now = &s->chunks[index];
    const pliant__touch     *touches = s->contacts->touches + now->first_touch;
    const pliant__touch_key *keys = s->contacts->keys + now->first_touch;
    pliant_real             *v = s->state->v;
    const pliant_real        resting = resting_speed(s), per = 1 / s->rh;
    const bool               asks = s->contacts->bounces || s->contacts->bounced;
    bool                     any = false;
    contact_count            c = {.last = PLIANT__NONE};
    pliant__sort_touches(s, now);
    for (uint32_t i = 0; i < now->touch_count; i++) {
        const pliant__touch *t = &touches[i];
        const uint32_t       slot = keys[i].slot;
        count_contact(&c, t, slot);
        if (t->lambda > 0 || t->hold > 0) pliant__set_slot_x(v, slot, v3_madd(pliant__slot_x(v, slot), t->lost, per));
        if (asks) any |= bounce_or_stop(s, t, resting);
    }
    now->acting = c.acting;
    now->in_contact = c.particles;
    for (uint32_t i = 0; i < now->touch_count && any && pliant__is_bdf2(s->model); i++) {
        const pliant__touch *t = &s->contacts->touches[now->first_touch + i];
        if (s->contacts->bounced) pliant__begin_bounce(s, t);
        if (bounce(s, t, resting)) pliant__straighten_history(s, t->slot);
        if (s->contacts->bounced) pliant__end_bounce(s, t);
    }
    if (any) pliant__guard_chunk(s, index);
}

/* What touches made of velocities: of several of one particle, that counts which faces the change most. */
static void add_bounce_work(pliant_solver *s)
{
    for (size_t i = 0; i < model_count(s->model, chunks); i++) {
        const pliant__touch *t = s->contacts->touches + s->chunks[i].first_touch;
        for (uint32_t k = 0, next; k < s->chunks[i].touch_count; k = next) {
            const uint32_t    slot = t[k].slot;
            const double      w = (double)PLIANT__SLOT(s->state->x, slot)[3];
            const pliant_vec3 by = v3_sub(pliant__slot_x(s->state->v, slot), pliant__slot_x(s->energies->v, slot));
            uint32_t          best = k;
            for (next = k + 1; next < s->chunks[i].touch_count && t[next].slot == slot; next++)
                if (pliant__dot(t[next].normal, by) > pliant__dot(t[best].normal, by)) best = next;
            if (w > 0) s->energies->bodies[s->model->chunks[i].body].work += pliant__dot(by, t[best].drift) / (w * s->substep_h);
        }
    }
}

static void settle(pliant_solver *s)
{
    if (s->energies) memcpy(s->energies->v, s->state->v, pliant__slot_numbers(s->model->header->slot_count) * sizeof *s->state->v);
    pliant__run_chunks(s, bounce_chunk, PLIANT__MOVE_WORK);
    if (s->energies) add_bounce_work(s);
}

/* ---- reports ---- */

/* Of the last substep. */
static void count(pliant_solver *s)
{
    uint32_t contacts = 0, dropped = 0, touching = 0;
    for (size_t i = 0; i < model_count(s->model, chunks); i++) {
        dropped += s->chunks[i].dropped;
        contacts += s->chunks[i].acting;
        touching += s->chunks[i].in_contact;
    }
    s->statistics.contacts = contacts;
    s->statistics.contacts_dropped = dropped;
    s->statistics.particles_in_contact = touching;
}

/* What a contact moved is w times its force. */
static void gather_chunk(void *solver, uint32_t index)
{
    pliant_solver           *s = solver;
    const pliant__chunk_now *now = &s->chunks[index];
    for (uint32_t i = 0; i < now->touch_count; i++) {
        const pliant__touch *t = &s->contacts->touches[now->first_touch + i];
        pliant_vec3          push = v3_add(v3_scale(t->normal, t->lambda), t->friction), sum = pliant__slot_x(s->sum, t->slot);
        pliant_real          w = PLIANT__SLOT(s->state->x, t->slot)[3];
        if (w > 0) pliant__set_slot_x(s->sum, t->slot, v3_madd(sum, push, 1 / w));
    }
}

static void gather(pliant_solver *s) { pliant__run_light(s, gather_chunk, (uint32_t)model_count(s->model, chunks)); }

static void work(pliant_solver *s)
{
    const double per = 1 / (s->h * s->h);
    for (size_t i = 0; i < model_count(s->model, chunks); i++)
        for (uint32_t k = 0; k < s->chunks[i].touch_count; k++) {
            const pliant__touch *t = &s->contacts->touches[s->chunks[i].first_touch + k];
            const double         w = (double)PLIANT__SLOT(s->state->x, t->slot)[3];
            if (!(w > 0) || !pliant__moves(t->drift)) continue;
            const pliant_vec3 push = v3_add(v3_scale(t->normal, t->lambda), t->friction);
            s->energies->bodies[s->model->chunks[i].body].work += per / w * pliant__dot(push, t->drift);
        }
}

/* ---- the interaction ---- */

/* Contacts per particle for which there is room; memory that is not touched costs nothing. */
#define ROOM_PER_PARTICLE 4u

static bool create(pliant_solver *s)
{
    const pliant_model      *m = s->model;
    const pliant_allocator  *a = &s->allocator;
    const size_t             colliders = model_count(m, colliders);
    const uint32_t           room = colliders < ROOM_PER_PARTICLE ? (uint32_t)colliders : ROOM_PER_PARTICLE;
    struct pliant__contacts *own = s->contacts = pliant__alloc(a, sizeof *own);
    uint32_t                 touches = 0;
    for (size_t i = 0; i < model_count(m, chunks); i++) {
        s->chunks[i].first_touch = touches;
        s->chunks[i].touch_capacity = m->chunks[i].count * room;
        touches += s->chunks[i].touch_capacity;
    }
    if (own) own->bounces = may_bounce(m);
    for (size_t i = 0; i < colliders && own; i++) own->may_yield = own->may_yield || m->colliders[i].yields;
    return own CONTACT_SCRATCH(SCRATCH_MAKE) && pliant__make_collider_tree(s);
}

static void destroy(pliant_solver *s)
{
    const pliant_allocator  *a = &s->allocator;
    struct pliant__contacts *own = s->contacts;
    if (!own) return;
    pliant__free_collider_tree(s);
    CONTACT_SCRATCH(SCRATCH_FREE)
    pliant__free(a, own);
}

static bool wanted(const pliant_solver *s) { return model_count(s->model, colliders) > 0; }

/* Particles of all parts hold a collider that yields, and cut paths may lead anywhere. */
static bool goes_by_parts(const pliant_solver *s) { return !s->contacts->may_yield && !s->pairs->elements; }

const pliant__interaction pliant__interaction_contacts = {.create = create,
                                                          .destroy = destroy,
                                                          .wanted = wanted,
                                                          .goes_by_parts = goes_by_parts,
                                                          .find = pliant__find_touches,
                                                          .project = project,
                                                          .hold = pliant__hold_contacts,
                                                          .settle = settle,
                                                          .gather = gather,
                                                          .work = work,
                                                          .count = count};

/* ---- for the user ---- */

uint32_t pliant_solver_contacts(const pliant_solver *solver, pliant_contact *out, uint32_t capacity)
{
    if (!solver) return 0;
    const pliant_solver *s = solver;
    uint32_t             count = 0;
    for (size_t i = 0; i < model_count(s->model, chunks); i++)
        for (uint32_t k = 0; k < s->chunks[i].touch_count; k++) {
            const pliant__touch *t = &s->contacts->touches[s->chunks[i].first_touch + k];
            if (!pliant__touch_acts(t)) continue;
            if (count++ >= capacity || !out) continue;
            pliant_contact *c = &out[count - 1];
            pliant_real     w = (s->torn_w ? s->torn_w : s->model->free_w)[t->slot], per_newton = w * s->rh * s->rh;
            c->particle = pliant__model_particle(s->model, t->slot);
            c->collider.id = s->model->colliders[t->collider].id;
            c->point = t->point;
            c->normal = t->normal;
            c->force = w > 0 ? t->lambda / per_newton : 0;
            c->friction = w > 0 ? v3_length(t->friction) / per_newton : 0;
        }
    return count;
}
