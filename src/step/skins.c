/* Garments: vertices that stay near skinned targets, which move with an animated mesh, and out of what lies behind these.
 *
 * A target at t with unit normal n allows a vertex the ball |x - t| <= m, less the inside of a sphere of radius R about t - (o + R) n with
 * its surface o behind the target: the backstop (as in NvCloth's motion and separation constraints, and Unreal's maximum distance and backstop).
 * As o >= 0 the target itself is always allowed, so there is something left. After each sweep of all else a vertex goes to the nearest point
 * that is allowed: where it is, or on the ball, or on the sphere, or, where each of these is what the other forbids, on the circle in which
 * the two meet. A row has one particle, so rows run in parallel, and what they hold they hold to rounding.
 *
 * All is measured from t: with d = x - t, |d + (o + R) n|^2 - R^2 = d.d + 2 (o + R) d.n + o (o + 2 R), which keeps its digits where R is large.
 *
 * BDF2's velocity would throw back what is held, as it does with contacts (contacts.c): a vertex that its skin moves has no history, and goes on
 * at (x - x_n) / h. */
#include "step/skins.h"

#include "solver/energies.h"
#include "solver/interactions.h"
#include "solver/legs.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"
#include "step/kinematic.h"

#define SKINS_PER_TASK 256u

/* ---- moving ---- */

static void begin(pliant_solver *s)
{
    const pliant_model  *m = s->model;
    const pliant_inputs *in = s->inputs;
    const double         end = pliant__leg_end(s);
    const pliant_real    share = pliant__leg_share(s);
    for (size_t i = 0; i < model_count(m, skins); i++) {
        s->skins->from[i] = s->skins->now[i] = s->state->skins[i];
        const pliant_vec3 from = s->skins->from[i].x;
        s->skins->to[i].x = in->skin_set[i] ? pliant__toward(from, in->skin[i].x, share) : pliant__skin_at(m, &m->skins[i], end, from);
    }
    for (size_t b = 0; b < model_count(m, bodies); b++) {
        const pliant__model_body *body = &m->bodies[b];
        if (!body->skin_triangle_count) /* no backstop needs normals, or there are no triangles to make them of: they stay */
            for (uint32_t i = body->first_skin; i < body->first_skin + body->skin_count; i++)
                s->skins->to[i].normal = s->skins->from[i].normal;
        else
            pliant__skin_normals(m, body, s->skins->to);
    }
    for (size_t i = 0; i < model_count(m, skins); i++)
        if (in->skin_set[i] == PLIANT__SKIN_NORMAL)
            s->skins->to[i].normal =
                share == 1 ? in->skin[i].normal : v3_unit(v3_lerp(s->skins->from[i].normal, in->skin[i].normal, share));
}

/* A target where the substep ends; one that a vertex may not leave at all takes it along. */
static void move_skin(pliant_solver *s, uint32_t i)
{
    const pliant__model_skin *k = &s->model->skins[i];
    const pliant__skin_now   *from = &s->skins->from[i], *to = &s->skins->to[i];
    s->skins->push[i] = v3(0, 0, 0);
    const pliant_real share = (pliant_real)((double)pliant__leg_done(s) / pliant__leg(s));
    if (pliant__leg_done(s) == pliant__leg(s))
        s->skins->now[i] = *to;
    else
        s->skins->now[i] = (pliant__skin_now){v3_lerp(from->x, to->x, share), v3_unit(v3_lerp(from->normal, to->normal, share))};
    if (k->max_distance == 0 && !s->off.bodies[k->body] && PLIANT__SLOT(s->state->x, k->slot)[3] == 0)
        pliant__lead_slot(s, k->body, k->slot, pliant__slot_x(s->state->x, k->slot), s->skins->now[i].x, false);
}

static uint32_t end_of_task(const pliant_solver *s, uint32_t task)
{
    const uint32_t count = (uint32_t)model_count(s->model, skins), end = (task + 1) * SKINS_PER_TASK;
    return end < count ? end : count;
}

static uint32_t task_count(const pliant_solver *s)
{
    return (uint32_t)((model_count(s->model, skins) + SKINS_PER_TASK - 1) / SKINS_PER_TASK);
}

static void move_task(void *solver, uint32_t task)
{
    pliant_solver *s = solver;
    for (uint32_t i = task * SKINS_PER_TASK; i < end_of_task(s, task); i++) move_skin(s, i);
}

static void move(pliant_solver *s) { pliant__run_light(s, move_task, task_count(s)); }

static void end(pliant_solver *s)
{
    for (size_t i = 0; i < model_count(s->model, skins); i++) s->state->skins[i] = s->skins->now[i];
}

/* ---- holding ---- */

/* A skin's backstop as seen from its target. */
typedef struct backstop {
    pliant_vec3 normal;
    pliant_real radius, reach; /* reach: from the target to its centre */
    pliant_real behind;        /* reach^2 - radius^2 */
} backstop;

/* |d - centre|^2 - radius^2: below 0 inside. */
static pliant_real power(const backstop *b, pliant_vec3 d) { return v3_dot(d, d) + 2 * b->reach * v3_dot(d, b->normal) + b->behind; }

/* The nearest point of the sphere; out of its centre along the normal. */
static pliant_vec3 pushed_out(const backstop *b, pliant_vec3 d)
{
    const pliant_vec3 arm = v3_madd(d, b->normal, b->reach);
    const pliant_real length = v3_length(arm), deep = -power(b, d) / (b->radius + length);
    return length > 0 ? v3_madd(d, arm, deep / length) : v3_madd(d, b->normal, b->radius);
}

/* A unit vector across n: along an axis that n is far from. */
static pliant_vec3 any_across(pliant_vec3 n)
{
    const pliant_real x = r_abs(n.x), y = r_abs(n.y), z = r_abs(n.z);
    const pliant_vec3 axis = x <= y && x <= z ? v3(1, 0, 0) : y <= z ? v3(0, 1, 0) : v3(0, 0, 1);
    return v3_unit(v3_cross(n, axis));
}

/* The nearest point of the circle in which the ball's surface and the sphere meet. */
static pliant_vec3 on_circle(const backstop *b, pliant_real most, pliant_vec3 d)
{
    const pliant_real depth = r_min((b->behind + most * most) / (2 * b->reach), most); /* behind the target */
    const pliant_real radius = r_sqrt(r_max(most * most - depth * depth, 0));
    const pliant_vec3 across = v3_madd(d, b->normal, -v3_dot(d, b->normal));
    const pliant_real length = v3_length(across);
    const pliant_vec3 out = length > 0 ? v3_scale(across, radius / length) : v3_scale(any_across(b->normal), radius);
    return v3_madd(out, b->normal, -depth);
}

/* The nearest place to target + d that the skin allows, as seen from the target. */
static pliant_vec3 allowed(const pliant__model_skin *k, pliant_vec3 normal, pliant_vec3 d)
{
    const pliant_real most = k->max_distance, square = v3_dot(d, d);
    const bool        far = most >= 0 && square > most * most;
    const pliant_vec3 near = far ? v3_scale(d, most / r_sqrt(square)) : d;
    const backstop    b = {normal, k->backstop_radius, k->backstop_offset + k->backstop_radius,
                           k->backstop_offset * (k->backstop_offset + 2 * k->backstop_radius)};
    if (!(b.radius > 0) || v3_dot(normal, normal) == 0 || !(power(&b, near) < 0)) return near;
    if (power(&b, d) < 0) {
        const pliant_vec3 out = pushed_out(&b, d);
        if (most < 0 || v3_dot(out, out) <= most * most) return out;
    }
    return on_circle(&b, most, d);
}

static void hold_task(void *solver, uint32_t task)
{
    pliant_solver *s = solver;
    for (uint32_t i = task * SKINS_PER_TASK; i < end_of_task(s, task); i++) {
        const pliant__model_skin *k = &s->model->skins[i];
        const pliant__skin_now   *at = &s->skins->now[i];
        if (PLIANT__SLOT(s->state->x, k->slot)[3] == 0) continue;
        const pliant_vec3 d = v3_sub(pliant__slot_x(s->state->x, k->slot), at->x), to = allowed(k, at->normal, d);
        if (to.x == d.x && to.y == d.y && to.z == d.z) continue;
        s->skins->push[i] = v3_add(s->skins->push[i], v3_sub(to, d));
        pliant__set_slot_x(s->state->x, k->slot, v3_add(at->x, to));
        pliant__forget_history(s->state, k->slot);
    }
}

static void project(pliant_solver *s, bool first)
{
    (void)first;
    pliant__run_light(s, hold_task, task_count(s));
}

/* ---- reports ---- */

/* What a skin moved is w times its force. */
static void gather(pliant_solver *s)
{
    for (uint32_t i = 0; i < model_count(s->model, skins); i++) {
        const uint32_t    slot = s->model->skins[i].slot;
        const pliant_real w = PLIANT__SLOT(s->state->x, slot)[3];
        if (w > 0) pliant__set_slot_x(s->sum, slot, v3_madd(pliant__slot_x(s->sum, slot), s->skins->push[i], 1 / w));
    }
}

static void work(pliant_solver *s)
{
    for (size_t i = 0; i < model_count(s->model, skins); i++) {
        const pliant__model_skin *k = &s->model->skins[i];
        const double              w = (double)PLIANT__SLOT(s->state->x, k->slot)[3];
        const pliant_vec3         way = v3_sub(s->skins->now[i].x, s->energies->skin_was[i]);
        if (w > 0) s->energies->bodies[k->body].work += pliant__dot(s->skins->push[i], way) / (w * s->h * s->h);
        s->energies->skin_was[i] = s->skins->now[i].x;
    }
}

/* ---- the interaction ---- */

static bool create(pliant_solver *s)
{
    const pliant_allocator *a = &s->allocator;
    const size_t            count = model_count(s->model, skins);
    struct pliant__skins   *own = s->skins = pliant__alloc(a, sizeof *own);
    return own              SKIN_SCRATCH(SCRATCH_MAKE);
}

static void destroy(pliant_solver *s)
{
    const pliant_allocator *a = &s->allocator;
    struct pliant__skins   *own = s->skins;
    if (!own) return;
    SKIN_SCRATCH(SCRATCH_FREE)
    pliant__free(a, own);
}

static bool wanted(const pliant_solver *s) { return model_count(s->model, skins) > 0; }

const pliant__interaction pliant__interaction_skins = {.create = create,
                                                       .destroy = destroy,
                                                       .wanted = wanted,
                                                       .begin = begin,
                                                       .move = move,
                                                       .project = project,
                                                       .gather = gather,
                                                       .work = work,
                                                       .end = end};
