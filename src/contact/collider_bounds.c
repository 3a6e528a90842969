/* Colliders under the bound of cut paths.
 *
 * Touches keep particles out of colliders while rows are solved; then paths are cut, and lead elsewhere.
 *
 * A path counts from where its island goes on the whole. If that is into a collider, a path that is cut would end in it. So an island of which particles do
 * that goes only along the collider, or where the collider goes; or nowhere if that does not suffice: then what is left of a path lies between two places
 * outside the plane.
 *
 * A plane is only where a collider was met. A path that leads far around it may have its beginning below that plane, and go through when it is cut; then
 * it is cut by half as often as it takes.
 *
 * A collider that yields goes only so far towards its pose that no particle with a path that was cut is inside it, and none that has no room between it and
 * another collider. All of the collider goes the same part of its way. A particle that follows where the collider was to leave goes no larger part of its own
 * way: its path is cut, too, and so every particle and collider is asked again, until nothing changes. The parts only become smaller. */
#include "collide/grown.h"
#include "contact/contacts.h"
#include "contact/pairs.h"
#include "solver/solver.h"
#include "state/state.h"

#define ROUNDS 8u  /* then what still changes anything does not go at all */
#define UNITS K(8) /* units in the last place of coordinates that rounding may take */

/* ---- touches ---- */

static bool yields(const pliant_solver *s, const pliant__touch *t) { return s->model->colliders[t->collider].yields != 0; }

/* How far the collider comes along the normal. */
static pliant_real advance(const pliant__touch *t) { return v3_dot(t->normal, t->drift); }

static pliant_real above(const pliant__touch *t, pliant_vec3 x) { return v3_dot(t->normal, x) - t->offset; }

/* Whether a particle has its path cut where it meets bodies. */
static bool meets_bodies(const pliant_solver *s, uint32_t slot) { return s->pairs->elements && PLIANT__SLOT(s->pairs->way, slot)[3] > 0; }

static pliant_vec3 path_start_at(const pliant_solver *s, uint32_t slot)
{
    return pliant__slot_x(meets_bodies(s, slot) ? s->pairs->path_start : s->from, slot);
}

static pliant_real rounding_of(const pliant__touch *t, pliant_vec3 x)
{
    return UNITS * PLIANT__REAL_EPSILON * (r_abs(x.x) + r_abs(x.y) + r_abs(x.z) + r_abs(t->offset));
}

/* How deep it is by more than rounding, and than it was when the substep began; 0 if it is not. */
static pliant_real depth(const pliant_solver *s, const pliant__touch *t)
{
    const pliant_vec3 x = pliant__slot_x(s->state->x, t->slot);
    const pliant_real was = r_min(above(t, path_start_at(s, t->slot)) + advance(t), 0), deep = was - above(t, x);
    return deep > rounding_of(t, x) ? deep : 0;
}

/* Runs through touches. */
#define EACH_TOUCH(s, t)                                                                                                                 \
    for (size_t c_ = 0; c_ < model_count((s)->model, chunks); c_++)                                                                      \
        for (pliant__touch *t = (s)->contacts->touches + (s)->chunks[c_].first_touch, *end_ = t + (s)->chunks[c_].touch_count; t < end_; \
             t++)

/* The same, where few of them matter and their keys tell which. */
#define EACH_KEY(s, key)                                                                                                                  \
    for (size_t c_ = 0; c_ < model_count((s)->model, chunks); c_++)                                                                       \
        for (const pliant__touch_key *key = (s)->contacts->keys + (s)->chunks[c_].first_touch, *end_ = key + (s)->chunks[c_].touch_count; \
             key < end_; key++)

static pliant__touch *touch_of(const pliant_solver *s, const pliant__touch_key *key)
{
    return &s->contacts->touches[key - s->contacts->keys];
}

/* ---- islands ---- */

/* Whether any path was cut, and whether one was that counts from where an island goes. */
static bool any_cut(const pliant__pairs *p, bool *carried)
{
    bool any = false;
    *carried = false;
    for (uint32_t i = 0; i < p->bounded_count && !*carried; i++) {
        const uint32_t slot = p->bounded[i];
        any = any || p->share[slot] < 1;
        *carried = p->share[slot] < 1 && v3_dot(p->drift[p->island[slot]], p->drift[p->island[slot]]) > 0;
    }
    return any;
}

/* Whether a particle's path was cut, and its island moves it. */
static bool is_carried(const pliant_solver *s, uint32_t slot)
{
    const pliant__pairs *p = s->pairs;
    if (!meets_bodies(s, slot) || !p->bound[slot] || !(p->share[slot] < 1)) return false;
    return v3_dot(p->drift[p->island[slot]], p->drift[p->island[slot]]) > 0;
}

/* Its island goes along what it touches, or with it, and if it did so already, nowhere. To stand still does not help against what comes on regardless. */
static bool stand(pliant_solver *s, const pliant__touch *t)
{
    pliant__pairs    *p = s->pairs;
    const uint32_t    slot = t->slot;
    const bool        moves = v3_dot(t->drift, t->drift) > 0;
    const pliant_vec3 drift = p->drift[p->island[slot]];
    if (p->stands[slot] == PLIANT__STANDS_STILL) return false;
    if (moves && p->stands[slot] == PLIANT__FOLLOWS && !yields(s, t)) return false;
    p->stands[slot] = p->stands[slot] == PLIANT__STANDS_NOWHERE ? PLIANT__FOLLOWS : PLIANT__STANDS_STILL;
    p->led[slot] =
        moves ? t->drift : v3_madd(drift, t->normal, -r_min(v3_dot(t->normal, drift) + r_max(above(t, path_start_at(s, slot)), 0), 0));
    return true;
}

static bool stand_all(pliant_solver *s)
{
    bool any = false;
    EACH_KEY(s, key) any = (is_carried(s, key->slot) && depth(s, touch_of(s, key)) > 0 && stand(s, touch_of(s, key))) || any;
    return any;
}

/* ---- round colliders ---- */

/* A path that leads far around a collider has its plane at one end, and the other lies below that: in between it may go through. */
static bool goes_through(const pliant_solver *s, const pliant__touch *t)
{
    const pliant__collider_now *c = &s->colliders[t->collider];
    const pliant__model_body   *b = &s->model->bodies[s->model->body_of_id[pliant__model_particle(s->model, t->slot).body.id - 1]];
    const pliant_real           grow = b->thickness + s->model->colliders[t->collider].thickness;
    const pliant_vec3           path_start = path_start_at(s, t->slot), x = pliant__slot_x(s->state->x, t->slot);
    if (!(above(t, path_start) + advance(t) < 0)) return false;
    const pliant_real was = pliant__shape_nearest(&c->shape, grow, pose_invert(c->before, path_start)).depth,
                      is = pliant__shape_nearest(&c->shape, grow, pose_invert(c->after, x)).depth;
    return is - r_max(was, 0) > rounding_of(t, x);
}

/* A particle that goes through a collider that stands still or yields, because either is cut, goes half as far. */
static bool shorten_all(pliant_solver *s, bool last)
{
    pliant__pairs *p = s->pairs;
    bool           any = false;
    EACH_KEY(s, key)
    {
        const uint32_t    slot = key->slot;
        const bool        bound = meets_bodies(s, slot) && p->bound[slot], held = s->colliders[key->collider].share < 1;
        const pliant_real share = bound ? p->share[slot] : 1;
        if (!meets_bodies(s, slot) || !(held || share < 1) || (bound && !(p->most[slot] > 0))) continue;
        const pliant__touch *t = touch_of(s, key);
        if ((v3_dot(t->drift, t->drift) > 0 && !yields(s, t)) || !goes_through(s, t)) continue;
        pliant__bound_slot(s, slot);
        p->most[slot] = last ? 0 : share / 2;
        p->stands[slot] = PLIANT__STANDS_STILL;
        any = true;
    }
    return any;
}

/* ---- colliders that yield ---- */

/* The part of what each collider has yet to go that leaves no particle inside it. */
static void find_parts(pliant_solver *s, bool last)
{
    for (size_t i = 0; i < model_count(s->model, colliders); i++) s->colliders[i].part = 1;
    EACH_TOUCH(s, t)
    {
        const pliant_real comes = advance(t), deep = yields(s, t) && comes > 0 ? depth(s, t) : 0;
        pliant_real      *part = &s->colliders[t->collider].part;
        if (deep > 0) *part = last ? 0 : r_max(r_min(*part, 1 - deep / comes), 0);
    }
}

/* Takes colliders back, and their touches with them; whether any. */
static bool take_back(pliant_solver *s)
{
    bool any = false;
    for (size_t i = 0; i < model_count(s->model, colliders); i++) {
        pliant__collider_now *c = &s->colliders[i];
        if (!(c->part < 1)) continue;
        any = true;
        c->share *= c->part;
        c->after = c->share > 0 ? pose_lerp(c->before, c->wanted, c->share) : c->before;
    }
    if (!any) return false;
    EACH_TOUCH(s, t)
    {
        const pliant_real part = s->colliders[t->collider].part;
        if (!(part < 1)) continue;
        t->offset -= (1 - part) * advance(t);
        t->point = v3_madd(t->point, t->drift, part - 1);
        t->drift = v3_scale(t->drift, part);
    }
    return true;
}

/* A particle inside a collider that was to leave goes no larger part of its way than the collider; false if it goes no more than that already. */
static bool follow(pliant_solver *s, const pliant__touch *t, bool last)
{
    pliant__pairs    *p = s->pairs;
    const uint32_t    slot = t->slot;
    const pliant_real share = s->colliders[t->collider].share;
    pliant__bound_slot(s, slot);
    const pliant_real most = last || !(p->most[slot] > share) ? 0 : share;
    if (!(p->most[slot] > most) && p->stands[slot] == PLIANT__STANDS_STILL) return false;
    p->most[slot] = r_min(p->most[slot], most);
    p->stands[slot] = PLIANT__STANDS_STILL;
    return true;
}

static bool follow_all(pliant_solver *s, bool last)
{
    bool any = false;
    EACH_TOUCH(s, t)
    {
        const pliant_real deep = s->colliders[t->collider].share < 1 && !(advance(t) > 0) ? depth(s, t) : 0;
        if (!(deep > 0)) continue;
        if (meets_bodies(s, t->slot))
            any = follow(s, t, last) || any;
        else
            pliant__set_slot_x(s->state->x, t->slot, v3_madd(pliant__slot_x(s->state->x, t->slot), t->normal, deep));
    }
    return any;
}

/* ---- the bound ---- */

static bool any_yields(const pliant_solver *s)
{
    if (!s->contacts->may_yield) return false;
    for (size_t i = 0; i < model_count(s->model, colliders); i++)
        if (s->model->colliders[i].yields && !s->colliders[i].off) return true;
    return false;
}

/* A particle that has no room between colliders is inside the one that yields, and not in the others. */
void pliant__begin_collider_bounds(pliant_solver *s)
{
    s->contacts->bound_rounds = 0;
    if (!any_yields(s)) return;
    pliant__look_again(s); /* it may have been pushed into another in the last sweep */
    EACH_TOUCH(s, t)
    {
        const pliant_real deep = yields(s, t) ? 0 : depth(s, t);
        if (deep > 0) pliant__set_slot_x(s->state->x, t->slot, v3_madd(pliant__slot_x(s->state->x, t->slot), t->normal, deep));
    }
}

bool pliant__bound_by_colliders(pliant_solver *s)
{
    if (!model_count(s->model, colliders)) return false;
    bool       carried;
    const bool cut = any_cut(s->pairs, &carried), yields = any_yields(s), last = s->contacts->bound_rounds >= ROUNDS;
    if (!cut && !yields) return false;
    if (carried || yields) {
        pliant__look_again(s);
        if (stand_all(s)) return true;
    }
    bool again = shorten_all(s, last);
    if (yields && !again) {
        find_parts(s, last);
        again = take_back(s);
        again = follow_all(s, last) || again;
    }
    s->contacts->bound_rounds += again;
    return again;
}

void pliant__end_collider_bounds(pliant_solver *s)
{
    for (size_t i = 0; i < model_count(s->model, colliders); i++) {
        pliant__collider_now *c = &s->colliders[i];
        if (!c->held && !(c->share < 1)) continue;
        if (!c->held) c->gone = (double)s->substep / s->substeps;
        c->held = true;
        c->gone += (double)c->share / s->substeps;
    }
}

void pliant__count_held_colliders(pliant_solver *s)
{
    s->statistics.colliders_held = 0;
    s->statistics.collider_lag = 0;
    for (size_t i = 0; i < model_count(s->model, colliders); i++) {
        const pliant__collider_now *c = &s->colliders[i];
        if (!c->held) continue;
        s->statistics.colliders_held++;
        s->statistics.collider_lag = r_max(s->statistics.collider_lag, pliant__way_reach(&c->shape, c->after, c->to));
    }
}

/* Where pairs are wanted, they hold both in turn. Without colliders that yield and paths that are cut there is nothing to hold. */
void pliant__hold_contacts(pliant_solver *s)
{
    if (!s->contacts->may_yield && !s->pairs->elements) return;
    if (pliant__interacts(s, PLIANT__INTERACTION_PAIRS) || pliant__bounds_speed(s->model)) return;
    pliant__begin_collider_bounds(s);
    while (pliant__bound_by_colliders(s)) continue;
    pliant__end_collider_bounds(s);
}
