/* Stitches: threads that are drawn shut: an interaction. They come one after another, on the calling thread.
 *
 * A stitch holds a particle near a point among up to three others. With d from that point to the particle it is the row C = |d| - length, which pulls
 * and never pushes: the multiplier stays at or below 0 (XPBD, Macklin 2016, with limits as PLIANT_AT_MOST has them). Both points get the same impulse along d,
 * so that momentum and angular momentum are kept.
 *
 * The length follows from how long the stitch was when it began, which the state has, and from the time alone. What draws it shut works: its tension times
 * by how much the length falls. Energy is convex in points and length together, so that an implicit substep gains no more than that.
 *
 * A stitch that pulls with more than its force when a substep ends is broken from the next one on. */
#include "base/alloc.h"
#include "solver/energies.h"
#include "solver/interactions.h"
#include "solver/laws.h"
#include "solver/legs.h"
#include "solver/solver.h"
#include "solver/stitches.h"
#include "state/inputs.h"
#include "state/state.h"

#define SWEEPS 8u /* of stitches that share particles: what is left of a gap is a five-hundredth of a micrometre */

/* Whether some slot has two stitches. */
static bool share_slots(const pliant_model *m, uint8_t *has)
{
    bool shared = false;
    for (size_t i = 0; i < model_count(m, each_stitch); i++)
        for (uint32_t k = 0; k < 4; k++) {
            const pliant__model_stitch *t = &m->each_stitch[i];
            if (k && t->weight[k - 1] == 0) continue;
            shared = shared || has[t->slot[k]];
            has[t->slot[k]] = 1;
        }
    return shared;
}

static bool create(pliant_solver *s)
{
    pliant__stitches *t = s->stitches = pliant__alloc(&s->allocator, sizeof *t);
    if (!t) return false;
    t->of = pliant__alloc_array(&s->allocator, model_count(s->model, each_stitch), sizeof *t->of);
    t->changes = pliant__alloc_array(&s->allocator, model_count(s->model, stitches), sizeof *t->changes);
    uint8_t *has = pliant__alloc_array(&s->allocator, s->model->header->slot_count, sizeof *has);
    if (!t->of || !t->changes || !has) {
        pliant__free(&s->allocator, has);
        return false;
    }
    t->sweeps = share_slots(s->model, has) ? SWEEPS : 1;
    pliant__free(&s->allocator, has);
    return true;
}

static void destroy(pliant_solver *s)
{
    if (!s->stitches) return;
    pliant__free(&s->allocator, s->stitches->of);
    pliant__free(&s->allocator, s->stitches->changes);
    pliant__free(&s->allocator, s->stitches);
}

static bool wanted(const pliant_solver *s) { return model_count(s->model, stitches) > 0; }

static bool is_off(const pliant_solver *s, const pliant__model_stitches *of)
{
    return s->off.bodies[of->body[0]] || s->off.bodies[of->body[1]];
}

/* ---- a substep begins ---- */

static void move_stitch(pliant_solver *s, const pliant__model_stitches *of, uint32_t i, double before, double after)
{
    pliant__stitch_now *now = &s->stitches->of[i];
    double             *start = &s->state->stitch_start[i];
    now->lambda = 0; /* a method may ask for forces before its first sweep */
    now->pulls = pliant__stitches_pull(of, after) && !s->state->stitch_broken[i] && !is_off(s, of);
    const bool begins = now->pulls && *start < 0;
    if (begins) *start = (double)v3_length(pliant__across_stitch(s->state->x, &s->model->each_stitch[i]));
    now->before = begins ? *start : pliant__stitch_length(of, *start, before); /* it begins as long as it is, however late it is */
    now->length = pliant__stitch_length(of, *start, after);
    if (now->pulls && now->before > now->length) s->stitches->changes[of - s->model->stitches] = true;
}

static void move(pliant_solver *s)
{
    const pliant_model *m = s->model;
    const double        before = pliant__time_after(s, s->substep), after = pliant__time_after(s, s->substep + 1);
    for (size_t k = 0; k < model_count(m, stitches); k++) {
        s->stitches->changes[k] = pliant__stitches_pull(&m->stitches[k], before) != pliant__stitches_pull(&m->stitches[k], after);
        for (uint32_t i = m->stitches[k].first; i < m->stitches[k].first + m->stitches[k].count; i++)
            move_stitch(s, &m->stitches[k], i, before, after);
    }
}

/* ---- a sweep ---- */

/* Sum of w |grad C|^2, 1/kg. */
static double response_of(const pliant_real *x, const pliant__model_stitch *stitch)
{
    double sum = (double)PLIANT__SLOT(x, stitch->slot[0])[3];
    for (uint32_t k = 0; k < 3; k++)
        sum += (double)PLIANT__SLOT(x, stitch->slot[k + 1])[3] * (double)stitch->weight[k] * (double)stitch->weight[k];
    return sum;
}

static void push(pliant_real *x, uint32_t slot, pliant_vec3 along, double by)
{
    if (PLIANT__SLOT(x, slot)[3] != 0) pliant__set_slot_x(x, slot, v3_madd(pliant__slot_x(x, slot), along, (pliant_real)by));
}

static void project_stitch(pliant_solver *s, uint32_t i, bool first)
{
    const pliant__model_stitch *stitch = &s->model->each_stitch[i];
    pliant__stitch_now         *now = &s->stitches->of[i];
    pliant_real                *x = s->state->x;
    const pliant_vec3           d = pliant__across_stitch(x, stitch);
    const double alpha = (double)s->model->stitches[stitch->stitches].compliance / (s->h * s->h), size = (double)v3_length(d),
                 response = pliant__ease_of_groups(s) * response_of(x, stitch);
    if (first) now->lambda = 0;
    if (!now->pulls || !(response + alpha > 0) || !(size > 0)) return;
    double change = (now->length - size - alpha * now->lambda) / (response + alpha);
    if (now->lambda + change > 0) change = -now->lambda;
    now->lambda += change;
    const pliant_vec3 along = v3_scale(d, (pliant_real)(1 / size));
    push(x, stitch->slot[0], along, change * (double)PLIANT__SLOT(x, stitch->slot[0])[3]);
    for (uint32_t k = 1; k < 4; k++)
        if (stitch->weight[k - 1] != 0)
            push(x, stitch->slot[k], along, -change * (double)stitch->weight[k - 1] * (double)PLIANT__SLOT(x, stitch->slot[k])[3]);
}

/* Forwards and backwards by turns, since stitches that share particles undo what those before them did. */
static void project(pliant_solver *s, bool first)
{
    const uint32_t count = (uint32_t)model_count(s->model, each_stitch);
    for (uint32_t k = 0; k < s->stitches->sweeps; k++)
        for (uint32_t i = 0; i < count; i++) project_stitch(s, k % 2 ? count - 1 - i : i, first && k == 0);
}

/* Breaks what pulls too hard. */
static void settle(pliant_solver *s)
{
    for (size_t i = 0; i < model_count(s->model, each_stitch); i++) {
        const double most = (double)s->model->stitches[s->model->each_stitch[i].stitches].break_force;
        if (most > 0 && s->stitches->of[i].pulls && -s->stitches->of[i].lambda > most * (s->h * s->h)) s->state->stitch_broken[i] = 1;
    }
}

/* ---- reports ---- */

/* What a stitch does to a slot of it, times h^2, N s^2: number k of its slots. */
static pliant_vec3 impulse_on(const pliant_solver *s, uint32_t i, uint32_t k)
{
    const pliant__model_stitch *stitch = &s->model->each_stitch[i];
    const double                share = k ? -(double)stitch->weight[k - 1] : 1;
    return v3_scale(v3_unit(pliant__across_stitch(s->state->x, stitch)), (pliant_real)(share * s->stitches->of[i].lambda));
}

static void gather(pliant_solver *s)
{
    for (uint32_t i = 0; i < model_count(s->model, each_stitch); i++)
        for (uint32_t k = 0; k < 4; k++) {
            const uint32_t slot = s->model->each_stitch[i].slot[k];
            if (s->stitches->of[i].pulls && PLIANT__SLOT(s->state->x, slot)[3] != 0)
                pliant__set_slot_x(s->sum, slot, v3_add(pliant__slot_x(s->sum, slot), impulse_on(s, i, k)));
        }
}

/* A sweep does no more to a stitch than a spring of compliance spring S does (row_energy.h). */
static double energy_of(const pliant_solver *s, uint32_t i)
{
    const pliant__model_stitch   *stitch = &s->model->each_stitch[i];
    const pliant__model_stitches *of = &s->model->stitches[stitch->stitches];
    const double                  time = s->state->header->time, start = s->state->stitch_start[i];
    if (start < 0 || s->state->stitch_broken[i] || is_off(s, of) || !pliant__stitches_pull(of, time)) return 0;
    const double over = (double)v3_length(pliant__across_stitch(s->state->x, stitch)) - pliant__stitch_length(of, start, time),
                 spring = pliant__spring_of_groups(s) * response_of(s->state->x, stitch),
                 alpha = (double)of->compliance > spring ? (double)of->compliance : spring;
    return over > 0 && alpha > 0 ? 0.5 * over * over / alpha : 0;
}

static void energy(pliant_solver *s)
{
    for (uint32_t i = 0; i < model_count(s->model, each_stitch); i++) {
        pliant_energy *body = &s->energies->bodies[s->model->stitches[s->model->each_stitch[i].stitches].body[0]];
        const double   held = energy_of(s, i);
        body->elastic += held;
        body->unresolved -= held; /* which is reckoned as elastic, less the least that rows hold */
    }
}

/* What draws stitches shut works, and what leads their particles. */
static void work(pliant_solver *s)
{
    for (uint32_t i = 0; i < model_count(s->model, each_stitch); i++) {
        const pliant__model_stitch *stitch = &s->model->each_stitch[i];
        const pliant__stitch_now   *now = &s->stitches->of[i];
        double                     *sum = &s->energies->bodies[s->model->stitches[stitch->stitches].body[0]].work;
        if (!now->pulls) continue;
        *sum -= now->lambda * (now->before - now->length) / (s->h * s->h);
        for (uint32_t k = 0; k < 4 && s->energies->leads; k++)
            if (PLIANT__SLOT(s->state->x, stitch->slot[k])[3] == 0)
                *sum -= pliant__dot(impulse_on(s, i, k), pliant__way_of(s, stitch->slot[k])) / (s->h * s->h);
    }
}

const pliant__interaction pliant__interaction_stitches = {.create = create,
                                                          .destroy = destroy,
                                                          .wanted = wanted,
                                                          .move = move,
                                                          .project = project,
                                                          .settle = settle,
                                                          .gather = gather,
                                                          .energy = energy,
                                                          .work = work};
