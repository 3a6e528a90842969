/* Colliders near a chunk's particles, in 16 states of a model at once: each lane is a state, with colliders where that state has them. What is found is what the states would
 * find one by one (touches.c), to the bit: paths, their boxes and the bounds of colliders are reckoned by the same operations. */
#include "contact/state_touches.h"

#include "solver/off.h"
#include "state/state.h"

#include <string.h>

#define STATES PLIANT__BLOCK

static void set_three(pliant_real (*to)[STATES], uint32_t state, pliant_vec3 a)
{
    to[0][state] = a.x;
    to[1][state] = a.y;
    to[2][state] = a.z;
}

static void set_bound(pliant__state_lot *l, uint32_t at, uint32_t state, const pliant__swept_bound *own, pliant_real rounding)
{
    pliant__state_bound *b = &l->bound[at];
    b->states |= 1u << state;
    set_three(b->low, state, own->box.low);
    set_three(b->high, state, own->box.high);
    set_three(b->at, state, own->at);
    set_three(b->up, state, own->up);
    b->half_height[state] = own->half_height;
    b->reach[state] = (b->told == PLIANT__BY_BOX ? 0 : own->reach) + rounding;
    l->box[at][state] = own->box;
}

/* Puts what a lot has found to each state. */
static void give(pliant__state_search *search)
{
    const pliant__state_paths *paths = &search->paths;
    pliant__state_lot         *l = &search->lot;
    search->solver[0]->backend.kernels->state_bounds(l->bound, l->count, paths, l->near);
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t begun = 0; /* bits of states that have the collider in their lists */
        for (uint32_t k = 0; k < paths->count; k++)
            for (uint32_t left = l->near[i][k]; left; left &= left - 1) {
                const uint32_t      state = (uint32_t)__builtin_ctz(left);
                pliant__given_near *g = &search->near[state];
                if (!(begun >> state & 1)) {
                    begun |= 1u << state;
                    g->collider[g->count] = l->collider[i];
                    g->box[g->count] = l->box[i][state];
                    g->near[g->count++] = (pliant__chunk_bits){{0}};
                }
                g->near[g->count - 1].word[k / 64] |= (uint64_t)1 << k % 64;
            }
    }
    l->count = 0;
}

/* Adds a collider to the lot, once for each way of telling it, in those states in which its box meets that of the paths. */
static void add_collider(pliant__state_search *search, const pliant__chunk *chunk, uint32_t c)
{
    const pliant__state_paths *paths = &search->paths;
    pliant__state_lot         *l = &search->lot;
    uint32_t                   at[PLIANT__BY_CAPSULE + 1];
    memset(at, 0xff, sizeof at);
    for (uint32_t i = 0; i < search->states; i++) {
        const pliant_solver *s = search->solver[i];
        pliant__swept_bound  own;
        if (s->colliders[c].off) continue;
        pliant__meet_collider(s, c);
        const pliant__swept_bound *bound = pliant__bound_of_collider(s, chunk, c, &own);
        if (!boxes_meet(&paths->box[i], &bound->box)) continue;
        const enum pliant__told told = pliant__told_by(bound);
        if (at[told] == PLIANT__NONE) {
            at[told] = l->count++;
            l->collider[at[told]] = c;
            memset(&l->bound[at[told]], 0, sizeof l->bound[at[told]]);
            l->bound[at[told]].told = told;
        }
        set_bound(l, at[told], i, bound, paths->rounding[i]);
    }
}

void pliant__search_states(pliant__state_search *search, uint32_t index)
{
    const pliant_solver *s = search->solver[0];
    const pliant__chunk *chunk = &s->model->chunks[index];
    const size_t         first = (size_t)chunk->first * 4 * STATES;
    s->backend.kernels->state_paths(search->start + first, search->x + first, chunk->count, &search->paths);
    search->lot.count = 0;
    for (uint32_t i = 0; i < search->states; i++) search->near[i].count = 0;
    for (uint32_t c = 0; c < (uint32_t)model_count(s->model, colliders); c++) {
        if (!pliant__meets_collider(s->model, chunk->body, c)) continue;
        if (search->lot.count + PLIANT__BY_CAPSULE + 1 > PLIANT__STATE_BOUNDS) give(search);
        add_collider(search, chunk, c);
    }
    if (search->lot.count) give(search);
}
