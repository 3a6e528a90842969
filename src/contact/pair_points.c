/* Pairs of loose particles in a substep: which of the pairs in the lists (pair_lists.c) are rows, or might pass through each other.
 *
 * A list has bits that say how far each pair was apart when it was found. Pairs that cannot have come near since are passed over by these bits; the others are
 * asked from positions alone, as pairs of surfaces' features are. Near pairs are kept by stretches of lists, in the order of cells, with the slots of both sides.
 * Rows are coloured in the order of slots: first_pair and pairs say where a slot's pairs are. */
#include "contact/pairs.h"
#include "solver/pair_kernels.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/state.h"

#include <string.h>

#define SURELY K(1.001) /* more than rounding may take */

/* Fills `close`: m, per slot; a pair may be asked about if it was no further apart when it was found than the sum of its two. A slot's is what it has moved
 * since, and goes in this substep, and its share of the distance at which two touch. */
static void find_closeness(pliant_solver *s, pliant_real part, pliant_real stepped)
{
    pliant__pairs         *p = s->pairs;
    pliant__loose         *c = &p->loose;
    const pliant__strayed *of = &p->strayed;
    pliant_real            least = (pliant_real)INFINITY, most = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t    slot = c->slot[i];
        const pliant_real near = part * c->thick[slot] + SURELY * (of->moved[slot] + stepped * of->stepped[slot]);
        c->close[slot] = near;
        c->pairs[slot] = 0;
        least = near < least ? near : least;
        most = near > most ? near : most;
    }
    c->closeness = (pliant__closeness){c->close, least, most};
}

/* Makes room for all pairs that each stretch has, and a block more, since kernels write whole blocks. */
static bool make_room(pliant_solver *s)
{
    pliant__loose *c = &s->pairs->loose;
    size_t         at = 0;
    for (uint32_t i = 0; i < c->lists.stretches; i++) {
        c->lists.stretch[i].at = at;
        at += c->lists.stretch[i].total + PLIANT__BLOCK;
    }
    c->side[0].count = c->side[1].count = c->distance.count = 0;
    return array_reserve(&s->allocator, &c->side[0], at) && array_reserve(&s->allocator, &c->side[1], at) &&
           array_reserve(&s->allocator, &c->distance, at);
}

static void look_at_stretch(void *solver, uint32_t index)
{
    pliant_solver      *s = solver;
    pliant__loose      *c = &s->pairs->loose;
    pliant__stretch    *st = &c->lists.stretch[index];
    uint32_t           *a = c->side[0].data + st->at, *b = c->side[1].data + st->at, near;
    const pliant__lists lists = pliant__lists_of(&c->lists, &c->cells);
    s->backend.kernels->close_points(&lists, &c->closeness, st->first, st->end, a, b, &near);
    s->backend.kernels->ask_points(&c->asked, a, b, near, c->distance.data + st->at, &st->pairs);
    for (uint32_t i = 0; i < st->pairs; i++) {
        if (!i || a[i] != a[i - 1]) c->first_pair[a[i]] = (uint32_t)st->at + i;
        c->pairs[a[i]]++;
    }
}

bool pliant__list_points(pliant_solver *s, bool passes)
{
    pliant__loose *c = &s->pairs->loose;
    if (!c->count) return true;
    if (passes)
        find_closeness(s, PLIANT__PAIR_LEFT, 1 / PLIANT__PAIR_USED);
    else
        find_closeness(s, PLIANT__PAIR_REACH, 1);
    if (!make_room(s)) return false;
    c->asked.path_start = s->pairs->path_start;
    c->asked.x = s->state->x;
    c->asked.passes = passes;
    pliant__run_light(s, look_at_stretch, c->lists.stretches);
    return true;
}

void pliant__touch_points(const pliant_solver *s, const uint32_t *a, const uint32_t *b, pliant_real *distance)
{
    s->backend.kernels->touch_points(&s->pairs->loose.asked, a, b, distance);
}

size_t pliant__count_near(const pliant__loose *c)
{
    size_t count = 0;
    for (uint32_t i = 0; i < c->lists.stretches; i++) count += c->lists.stretch[i].pairs;
    return count;
}
