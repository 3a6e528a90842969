/* States that go through a step in lanes, and what is done to each by itself. A state has a view for that: a copy of the solver, as threads have for parts of a scene (part_steps.c),
 * to which the whole model is one part. Stages that can act on a part alone act on it: targets are led, colliders are led as they are met, and contacts are found,
 * solved and settled. Positions are laid apart for it, and what has moved, targets and particles with a touch, goes back into its lane: all arithmetic is that of a step
 * of one state, in the same order. */
#include "step/lane_views.h"

#include "base/alloc.h"
#include "contact/state_touches.h"
#include "solver/guard.h"
#include "solver/interactions.h"
#include "solver/method.h"
#include "solver/parts.h"
#include "solver/pieces.h"
#include "state/inputs.h"
#include "state/state.h"
#include "step/kinematic.h"
#include "step/step.h"

#include <string.h>

#define LANES PLIANT__BLOCK
#define GROUP (4 * (size_t)LANES) /* numbers of a slot's 16 states */

struct pliant__lane_view {
    pliant_solver           solver;
    pliant_state            state; /* a copy of the state's arrays, with x and v in scratch */
    struct pliant__contacts contacts;
    pliant__state_search   *search; /* of the first of 16 views, for all of them; NULL: of another */
};

/* ---- making ---- */

/* The whole model as one part. */
static bool make_whole(pliant_solver *s)
{
    const pliant_model     *m = s->model;
    const pliant_allocator *a = &s->allocator;
    pliant__lane_states    *k = &s->lane_states;
    const uint32_t          ranges = m->rounds[0].patch_count, targets = (uint32_t)model_count(m, targets),
                   most = ranges > targets ? ranges : targets;
    k->numbers = pliant__alloc_array(a, (size_t)most + 1, sizeof *k->numbers);
    if (!k->numbers) return false;
    for (uint32_t i = 0; i < most; i++) k->numbers[i] = i;
    k->whole = (pliant__model_part){
        .patches = k->numbers, .targets = k->numbers, .range_count = ranges, .patch_count = ranges, .target_count = targets};
    return true;
}

static bool has_views(const pliant_solver *s)
{
    return s->def.many && pliant__has_lane_views(s->model) && !s->method_row->extrapolates && !s->def.loads;
}

static size_t aligned(size_t bytes) { return (bytes + PLIANT_ALIGN - 1) / PLIANT_ALIGN * PLIANT_ALIGN; }

/* What a view has beside its solver: X(type, of what, name, count). */
#define VIEW_ARRAYS(X)                                                    \
    X(pliant__chunk_now, solver, chunks, model_count(m, chunks))          \
    X(pliant__collider_now, solver, colliders, model_count(m, colliders)) \
    X(pliant_vec3, solver, target_from, model_count(m, targets))          \
    X(pliant_vec3, solver, target_to, model_count(m, targets))            \
    X(uint32_t, contacts, led, model_count(m, colliders))                 \
    X(pliant__collider_seen, contacts, seen, model_count(m, colliders))   \
    X(pliant__touch, contacts, touches, touches_of(m))                    \
    X(pliant__touch_key, contacts, keys, touches_of(m))                   \
    X(pliant_real, contacts, begun, pliant__rolls_anything(m) ? pliant__slot_numbers(m->header->slot_count) : 0)

#define TOUCHES 2u /* of a particle, for which a view has room */

static uint32_t room_of(const pliant_model *m, const pliant__chunk *chunk)
{
    const size_t colliders = model_count(m, colliders);
    return chunk->count * (colliders < TOUCHES ? (uint32_t)colliders : TOUCHES);
}

static size_t touches_of(const pliant_model *m)
{
    size_t touches = 0;
    for (size_t i = 0; i < model_count(m, chunks); i++) touches += room_of(m, &m->chunks[i]);
    return touches;
}

static size_t bytes_of_view(const pliant_model *m)
{
    size_t bytes = 0;
#define X(type, of, name, count) bytes += aligned((count) * sizeof(type));
    VIEW_ARRAYS(X)
#undef X
    return bytes;
}

static size_t bytes_of_piece(const pliant_model *m) { return LANES * bytes_of_view(m) + aligned(sizeof(pliant__state_search)); }

#define HOSTS_PIECES 16u /* of a host with any number of threads: groups that find none go one by one */

bool pliant__make_lane_views(pliant_solver *s)
{
    pliant__lane_states *k = &s->lane_states;
    if (!has_views(s)) return true;
    if (!make_whole(s)) return false;
    k->pieces = s->scratch.count < HOSTS_PIECES || !s->def.tasks.enqueue ? s->scratch.count : HOSTS_PIECES;
    k->views = pliant__alloc_untouched(&s->allocator, (size_t)k->pieces * LANES, sizeof *k->views);
    k->viewed = pliant__alloc_untouched(&s->allocator, k->pieces, bytes_of_piece(s->model));
    return k->views && k->viewed;
}

void pliant__free_lane_views(pliant_solver *s)
{
    pliant__lane_states *k = &s->lane_states;
    pliant__free(&s->allocator, k->views);
    pliant__free(&s->allocator, k->viewed);
    pliant__free(&s->allocator, k->numbers);
}

bool pliant__lanes_have_views(const pliant_solver *s)
{
    return s->lane_states.views && !(s->interacting & ~(1u << PLIANT__INTERACTION_CONTACTS));
}

/* ---- beginning ---- */

static void begin_chunks(const pliant_solver *s, pliant__chunk_now *chunks)
{
    const pliant_model *m = s->model;
    uint32_t            touches = 0;
    for (size_t i = 0; i < model_count(m, chunks); i++) {
        chunks[i] = (pliant__chunk_now){.first_touch = touches, .touch_capacity = room_of(m, &m->chunks[i])};
        touches += chunks[i].touch_capacity;
    }
}

/* Copies what steps, and points it to arrays of its own, from `at` on. */
static void ready_view(const pliant_solver *s, pliant__lane_view *v, unsigned char *at)
{
    const pliant_model *m = s->model;
    v->solver = *s;
    v->contacts = *s->contacts;
#define X(type, of, name, count)     \
    v->of.name = (type *)(void *)at; \
    at += aligned((count) * sizeof(type));
    VIEW_ARRAYS(X)
#undef X
    if (!pliant__rolls_anything(m)) v->contacts.begun = NULL;
    begin_chunks(s, v->solver.chunks);
    v->contacts.tree = (pliant__collider_tree){.bounded = NULL};
    v->contacts.given = NULL;
    v->solver.contacts = &v->contacts;
    v->solver.part = &s->lane_states.whole;
    memset(&v->solver.def.profile, 0, sizeof v->solver.def.profile);
}

/* A task passes over a piece of scratch only while another task of the call has it: so none gets a piece with a number beyond that of groups. */
void pliant__ready_lane_views(pliant_solver *s, uint32_t groups)
{
    const pliant__lane_states *k = &s->lane_states;
    for (uint32_t i = 0; i < k->pieces && i < groups; i++) {
        unsigned char *at = k->viewed + i * bytes_of_piece(s->model);
        for (uint32_t lane = 0; lane < LANES; lane++, at += bytes_of_view(s->model)) {
            ready_view(s, &k->views[i * LANES + lane], at);
            k->views[i * LANES + lane].search = NULL;
        }
        k->views[i * LANES].search = (pliant__state_search *)(void *)at;
    }
}

static void begin_view(const pliant_solver *s, pliant__lane_view *v, pliant_state *state, const pliant_inputs *inputs,
                       pliant_real *const *room)
{
    const size_t numbers = pliant__slot_numbers(s->model->header->slot_count), colliders = model_count(s->model, colliders);
    v->state = *state;
    v->state.x = room[0];
    v->state.v = room[1];
    memcpy(v->state.x, state->x, numbers * sizeof *state->x);
    memcpy(v->state.v, state->v, numbers * sizeof *state->v);
    v->solver.state = &v->state;
    v->solver.inputs = inputs;
    v->solver.from = v->solver.start = room[2];
    v->solver.substep = 0;
    if (colliders) memcpy(v->solver.colliders, s->colliders, colliders * sizeof *s->colliders);
    if (colliders) memset(v->contacts.led, 0, colliders * sizeof *v->contacts.led);
    v->contacts.turn = 0;
    pliant__begin_kinematic(&v->solver);
}

static void keep_ways(const pliant_solver *s, const pliant__lane_view *views, uint32_t states, pliant__target_way *ways)
{
    for (size_t t = 0; t < model_count(s->model, targets); t++)
        for (uint32_t i = 0; i < LANES; i++) {
            const pliant_solver *own = &views[i < states ? i : 0].solver;
            const pliant_vec3    from = own->target_from[t], to = own->target_to[t];
            ways[t].from[0][i] = from.x, ways[t].from[1][i] = from.y, ways[t].from[2][i] = from.z;
            ways[t].to[0][i] = to.x, ways[t].to[1][i] = to.y, ways[t].to[2][i] = to.z;
        }
}

pliant__lane_view *pliant__begin_lane_views(pliant_solver *s, uint32_t piece, const uint32_t *taken, uint32_t states, pliant_real *room,
                                            pliant__target_way *ways)
{
    const size_t       numbers = pliant__slot_numbers(s->model->header->slot_count);
    pliant__lane_view *views = &s->lane_states.views[(size_t)piece * LANES];
    for (uint32_t i = 0; i < states; i++, room += PLIANT__VIEWED_PARTS * numbers)
        begin_view(s, &views[i], s->lane_states.states[taken[i]], s->lane_states.inputs[taken[i]],
                   (pliant_real *const[PLIANT__VIEWED_PARTS]){room, room + numbers, room + 2 * numbers});
    keep_ways(s, views, states, ways);
    return views;
}

/* ---- between lanes and views ---- */

static void put_in_lane(pliant_real *lanes, const pliant_real *of, uint32_t lane, uint32_t slot)
{
    for (uint32_t k = 0; k < 3; k++) lanes[GROUP * slot + k * LANES + lane] = PLIANT__SLOT(of, slot)[k];
}

static void take_from_lane(const pliant_real *lanes, pliant_real *to, uint32_t lane, uint32_t slot)
{
    for (uint32_t k = 0; k < 3; k++) PLIANT__SLOT(to, slot)[k] = lanes[GROUP * slot + k * LANES + lane];
}

/* Velocities of all particles, or where their substeps begin as what rolls asks for it, into the views. */
static void give_all(pliant__lane_view *views, const pliant__lanes *l, bool velocities)
{
    const pliant_solver *s = &views->solver;
    pliant_real         *to[LANES];
    for (uint32_t i = 0; i < LANES; i++) {
        const pliant__lane_view *v = &views[i < l->states ? i : 0];
        to[i] = velocities ? v->state.v : v->contacts.begun;
    }
    s->backend.kernels->store_states(velocities ? l->v : l->start, to, l->states, 0, s->model->header->slot_count);
}

/* Between a lane and its view: where a slot's particle is, and where the substep begins for it, which what eases it out of a collider moves, too. */
typedef void carry(const pliant__lane_view *v, const pliant__lanes *l, uint32_t lane, uint32_t slot);

static void give_slot(const pliant__lane_view *v, const pliant__lanes *l, uint32_t lane, uint32_t slot)
{
    take_from_lane(l->x, v->state.x, lane, slot);
    take_from_lane(l->start, v->solver.start, lane, slot);
}

static void take_slot(const pliant__lane_view *v, const pliant__lanes *l, uint32_t lane, uint32_t slot)
{
    put_in_lane(l->x, v->state.x, lane, slot);
    put_in_lane(l->start, v->solver.start, lane, slot);
}

/* Carries particles of a chunk that colliders are near, and those that touch one: contacts look at no others, and move no others. */
static void carry_chunk(const pliant__lane_view *v, const pliant__lanes *l, uint32_t lane, uint32_t chunk, carry *how)
{
    const pliant_solver      *s = &v->solver;
    const pliant__chunk_now  *now = &s->chunks[chunk];
    const pliant__given_near *given = s->contacts->given;
    for (uint32_t w = 0; w < PLIANT__CHUNK_WORDS; w++) {
        uint64_t any = 0;
        for (uint32_t i = 0; i < given->count; i++) any |= given->near[i].word[w];
        for (; any; any &= any - 1) how(v, l, lane, s->model->chunks[chunk].first + 64 * w + (uint32_t)__builtin_ctzll(any));
    }
    for (uint32_t i = 0; i < now->touch_count; i++) how(v, l, lane, v->contacts.keys[now->first_touch + i].slot);
}

/* ---- stages ---- */

/* One coordinate of a target in 16 states, by the arithmetic of stage kinematic: lead_target of step/kinematic.c. */
static void lead_number(pliant_real *x, pliant_real *v, pliant_real *start, const pliant_real *w, const pliant__target_way *way, uint32_t k,
                        bool arrives, pliant_real part, pliant_real per_h)
{
    for (uint32_t i = 0; i < LANES; i++) {
        const pliant_real before = x[i], on = way->from[k][i] + (way->to[k][i] - way->from[k][i]) * part,
                          after = arrives ? way->to[k][i] : on, speed = (after - before) * per_h;
        if (w[i] != 0) continue; /* released, or no state */
        start[i] = before;
        x[i] = after;
        v[i] = speed;
    }
}

void pliant__lead_lanes(pliant__lane_view *views, const pliant__lanes *l, uint32_t substep)
{
    const pliant_solver *s = &views->solver;
    const pliant_model  *m = s->model;
    const bool           arrives = substep + 1 == s->substeps;
    const pliant_real    part = (pliant_real)((double)(substep + 1) / s->substeps), per_h = 1 / s->substep_rh;
    for (uint32_t lane = 0; lane < l->states; lane++) views[lane].solver.substep = substep;
    for (size_t i = 0; i < model_count(m, targets); i++) {
        const size_t at = GROUP * m->targets[i].slot;
        for (uint32_t k = 0; k < 3; k++)
            lead_number(l->x + at + k * LANES, l->v + at + k * LANES, l->start + at + k * LANES, l->x + at + 3 * LANES, &l->ways[i], k,
                        arrives, part, per_h);
    }
}

/* Seeks colliders near each chunk, and then finds touches, or solves them, state by state. */
static void act_on_chunks(pliant__lane_view *views, const pliant__lanes *l, bool finds)
{
    const pliant_model   *m = views->solver.model;
    pliant__state_search *search = views->search;
    search->states = l->states;
    search->start = l->start;
    search->x = l->x;
    for (uint32_t lane = 0; lane < l->states; lane++) search->solver[lane] = &views[lane].solver;
    for (uint32_t c = 0; c < (uint32_t)model_count(m, chunks); c++) {
        pliant__search_states(search, c);
        for (uint32_t lane = 0; lane < l->states; lane++) {
            pliant__lane_view *v = &views[lane];
            pliant__chunk_now *now = &v->solver.chunks[c];
            if (finds) now->touch_count = now->sorted_touches = now->dropped = 0;
            if (!search->near[lane].count && !now->touch_count) continue;
            v->contacts.given = &search->near[lane];
            carry_chunk(v, l, lane, c, give_slot);
            (finds ? pliant__find_touches_of : pliant__project_touches_of)(&v->solver, c);
            carry_chunk(v, l, lane, c, take_slot);
            v->contacts.given = NULL;
        }
    }
}

void pliant__find_in_lanes(pliant__lane_view *views, const pliant__lanes *l)
{
    if (!views->solver.interacting) return;
    for (uint32_t lane = 0; lane < l->states; lane++) pliant__begin_turn(&views[lane].solver);
    if (views->contacts.begun) give_all(views, l, false);
    act_on_chunks(views, l, true);
}

/* Whether a chunk had no room for all its touches. */
static bool is_full(const pliant__lane_view *v)
{
    bool full = false;
    for (size_t c = 0; c < model_count(v->solver.model, chunks) && !full; c++) full = v->solver.chunks[c].dropped > 0;
    return full;
}

bool pliant__press_lanes(pliant__lane_view *views, const pliant__lanes *l)
{
    bool full = false;
    if (!views->solver.interacting) return true;
    act_on_chunks(views, l, false);
    for (uint32_t lane = 0; lane < l->states && !full; lane++) full = is_full(&views[lane]);
    return !full;
}

/* Velocities of touched particles, from lanes to views or back. */
static void carry_touched(pliant__lane_view *v, const pliant__lanes *l, uint32_t lane, bool back)
{
    const pliant_solver *s = &v->solver;
    for (size_t c = 0; c < model_count(s->model, chunks); c++)
        for (uint32_t i = 0; i < s->chunks[c].touch_count; i++) {
            const uint32_t slot = v->contacts.keys[s->chunks[c].first_touch + i].slot;
            if (back)
                put_in_lane(l->v, v->state.v, lane, slot);
            else
                take_from_lane(l->v, v->state.v, lane, slot);
        }
}

/* As chunks of one state watch their velocities, before touches change them and after. */
static void watch_chunks(const pliant__lane_view *v, pliant__watch *watch)
{
    for (size_t c = 0; c < model_count(v->solver.model, chunks); c++) {
        const pliant__chunk_now *now = &v->solver.chunks[c];
        watch->bad = watch->bad || now->bad != PLIANT__NONE;
        watch->largest2 = r_max(watch->largest2, now->max_speed2);
    }
}

static void guard_chunks(pliant__lane_view *v)
{
    for (size_t c = 0; c < model_count(v->solver.model, chunks); c++) pliant__guard_chunk(&v->solver, (uint32_t)c);
}

void pliant__settle_lanes(pliant__lane_view *views, const pliant__lanes *l, pliant__watch *watch)
{
    const bool bounces = views->contacts.bounces; /* then a chunk is watched as a whole once more, and needs all of its velocities */
    if (!views->solver.interacting) return;
    if (bounces) {
        give_all(views, l, true);
        *watch = (pliant__watch){0, watch->bad};
    }
    for (uint32_t lane = 0; lane < l->states; lane++) {
        if (bounces)
            guard_chunks(&views[lane]);
        else
            carry_touched(&views[lane], l, lane, false);
    }
    for (uint32_t lane = 0; lane < l->states; lane++) {
        pliant__interactions[PLIANT__INTERACTION_CONTACTS]->settle(&views[lane].solver);
        carry_touched(&views[lane], l, lane, true);
        if (bounces) watch_chunks(&views[lane], watch);
    }
}

/* ---- ending ---- */

void pliant__end_lane_views(pliant__lane_view *views, uint32_t states, pliant__lane_group *sum)
{
    for (uint32_t lane = 0; lane < states; lane++) {
        pliant_solver *s = &views[lane].solver;
        pliant__end_colliders(s);
        pliant__count_interactions(s);
        pliant__end_kinematic(s);
        sum->contacts += s->statistics.contacts;
        sum->in_contact += s->statistics.particles_in_contact;
    }
}
