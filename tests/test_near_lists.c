/* Cells and lists of what is near, by themselves: no model and no solver, only positions and reaches. */
#include "trial.h"

#include "backends/width.h"
#include "contact/near_lists.h"

#include <string.h>

#define SLOTS 1600u
#define COUNT 1500u

/* Particles in a box of some size: every slot but the last ones, and every 16th not. */
typedef struct swarm {
    pliant_real *x, *reach;
    uint32_t     slot[COUNT], count;
} swarm;

static const struct spread {
    const char *name;
    double      size[3];      /* m */
    double      reach, other; /* m, of most and of every 50th */
    bool        lost;         /* some are far away, and one is nowhere */
} spreads[] = {{"a heap", {1, 1, 1}, 0.05, 0.05, false},
               {"a sheet", {4, 0, 4}, 0.06, 0.04, false},
               {"a line", {30, 0, 0}, 0.01, 0.01, false},
               {"few in much space", {300, 300, 300}, 5, 6, false},
               {"some reach further", {1, 1, 1}, 0.03, 0.2, false},
               {"lost", {1, 2, 1}, 0.05, 0.05, true},
               {"all in one place", {1e-3, 1e-3, 1e-3}, 0.05, 0.05, false}};

enum { SPREADS = sizeof spreads / sizeof *spreads };

static void make(swarm *w, const struct spread *s)
{
    uint64_t seed = 7;
    w->x = pliant__alloc_array(NULL, 4 * SLOTS, sizeof *w->x);
    w->reach = pliant__alloc_array(NULL, SLOTS, sizeof *w->reach);
    assert_true(w->x && w->reach);
    w->count = 0;
    for (uint32_t i = 0; i < SLOTS && w->count < COUNT; i++) {
        if (i % 16 == 5) continue;
        for (uint32_t k = 0; k < 3; k++) w->x[4 * (size_t)i + k] = R(s->size[k] * chance(&seed));
        w->reach[i] = R(w->count % 50 ? s->reach : s->other);
        if (s->lost && w->count % 300 == 17) w->x[4 * (size_t)i] = R(w->count % 600 == 17 ? -1e6 : 3e8);
        if (s->lost && w->count == 900) w->x[4 * (size_t)i + 1] = (pliant_real)NAN;
        w->slot[w->count++] = i;
    }
}

static void forget(swarm *w)
{
    pliant__free(NULL, w->x);
    pliant__free(NULL, w->reach);
}

static double apart(const swarm *w, uint32_t a, uint32_t b)
{
    double sum = 0;
    for (uint32_t k = 0; k < 3; k++) {
        const double d = (double)w->x[4 * (size_t)a + k] - (double)w->x[4 * (size_t)b + k];
        sum += d * d;
    }
    return sqrt(sum);
}

static double most_reach(const swarm *w, const pliant__cells *c)
{
    double most = 0;
    for (uint32_t i = 0; i < w->count; i++)
        if (!c->outside[w->slot[i]]) most = fmax(most, (double)w->reach[w->slot[i]]);
    return most;
}

/* How often each pair is listed or met, the lower slot first. */
static uint8_t often[SLOTS][SLOTS];

/* Pairs of which both are inside: near ones have to be there, and none that is clearly further apart than both reach; others have none. */
static size_t check_pairs(const swarm *w, const pliant__cells *c, const char *name, bool exact)
{
    const double slack = 16.0 / PLIANT__UNITS * 2.1 * most_reach(w, c);
    size_t       near = 0;
    for (uint32_t i = 0; i < w->count; i++)
        for (uint32_t k = i + 1; k < w->count; k++) {
            const uint32_t a = w->slot[i], b = w->slot[k];
            const double   d = apart(w, a, b), reach = (double)w->reach[a] + (double)w->reach[b];
            const bool     inside = !c->outside[a] && !c->outside[b], is_near = inside && d < reach * (1 - 1e-6);
            if (often[a][b] > 1 || (is_near && !often[a][b]) || (often[a][b] && !inside) || (exact && often[a][b] && d > reach + slack))
                fail_msg("%s: %u and %u, %g m apart, reaching %g, are there %u times", name, a, b, d, reach, often[a][b]);
            near += is_near;
        }
    return near;
}

static void list(const swarm *w, const pliant__cells *c, pliant__near_lists *l, const pliant__cell_kernels *kernels)
{
    bool ok = true;
    pliant__begin_near_lists(l, c);
    while (pliant__give_near_lists_room(l, NULL, (size_t)w->count * w->count, &ok))
        for (uint32_t i = 0; i + 1 < l->stretches; i++) pliant__fill_near_lists(l, c, kernels, i);
    assert_true(ok);
}

static size_t note_lists(const swarm *w, const pliant__cells *c, const pliant__near_lists *l)
{
    const pliant__lists lists = pliant__lists_of(l, c);
    size_t              count = 0;
    memset(often, 0, sizeof often);
    for (uint32_t i = 0; i < w->count; i++)
        for (uint32_t k = 0, last = 0; k < lists.length[i]; k++, count++) {
            const uint32_t a = lists.tag[i] >> lists.bits, b = lists.near[lists.begin[i] + k] >> lists.bits;
            assert_true(a < b && (!k || last < b));
            last = b;
            often[a][b]++;
        }
    return count;
}

static const pliant__cell_kernels *const all[] = {
#define X(W) &pliant__kernels_##W.cells,
    PLIANT_WIDTHS(X)
#undef X
};

/* Whatever the width, the same pairs: each that is near, once, with ascending slots. */
static void each_near_pair_is_listed_once(void **unused)
{
    (void)unused;
    const pliant_build_info build = pliant_build();
    for (size_t i = 0; i < SPREADS; i++) {
        swarm  w;
        size_t first = 0;
        make(&w, &spreads[i]);
        for (uint32_t k = 0; k < build.width_count; k++) {
            pliant__cells      c;
            pliant__near_lists l;
            if (!build.runs[k]) continue;
            assert_true(pliant__make_cells(NULL, SLOTS, w.slot, w.count, &c) && pliant__make_near_lists(NULL, &c, &l));
            pliant__fill_cells(&c, all[k], w.x, w.reach, NULL);
            list(&w, &c, &l, all[k]);
            const size_t count = note_lists(&w, &c, &l), near = check_pairs(&w, &c, spreads[i].name, true);
            assert_int_equal(count, pliant__count_near_lists(&l));
            if (!k) print_message("    %s: %zu near, %zu listed, %u of %u inside\n", spreads[i].name, near, count, c.inside, w.count);
            assert_true(near > 100 && c.inside > w.count * 9 / 10);
            assert_true(k == 0 || count == first);
            first = count;
            pliant__free_near_lists(NULL, &l);
            pliant__free_cells(NULL, &c);
        }
        forget(&w);
    }
}

/* A walk in parts, from one cell to the next: what is near a particle is around its cell. */
static void a_walk_comes_by_each_near_pair(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < SPREADS; i++) {
        swarm             w;
        pliant__cells     c;
        pliant__cell_walk walk;
        pliant__around    around;
        make(&w, &spreads[i]);
        assert_true(pliant__make_cells(NULL, SLOTS, w.slot, w.count, &c));
        pliant__fill_cells(&c, all[0], w.x, w.reach, NULL);
        memset(often, 0, sizeof often);
        for (uint32_t part = 0; part < 3; part++) {
            pliant__begin_cell_walk(&c, c.inside * part / 3, c.inside * (part + 1) / 3, &walk);
            while (walk.next < walk.end) {
                const uint32_t end = pliant__next_cell(&c, &walk, &around);
                assert_true(end > walk.next);
                for (; walk.next < end; walk.next++)
                    for (uint32_t r = 0; r < around.count; r++)
                        for (uint32_t k = around.run[r].first; k < around.run[r].end; k++)
                            if (c.order[walk.next] < c.order[k]) often[c.order[walk.next]][c.order[k]]++;
            }
        }
        assert_true(check_pairs(&w, &c, spreads[i].name, false) > 100);
        pliant__free_cells(NULL, &c);
        forget(&w);
    }
}

/* Particles that have gone elsewhere are filled in anew, with the same memory. */
static void cells_are_filled_again(void **unused)
{
    (void)unused;
    swarm              w, next;
    pliant__cells      c;
    pliant__near_lists l;
    make(&w, &spreads[0]);
    assert_true(pliant__make_cells(NULL, SLOTS, w.slot, w.count, &c) && pliant__make_near_lists(NULL, &c, &l));
    for (size_t i = 0; i < 2 * SPREADS; i++) {
        make(&next, &spreads[i % SPREADS]);
        pliant__fill_cells(&c, all[0], next.x, next.reach, NULL);
        list(&next, &c, &l, all[0]);
        note_lists(&next, &c, &l);
        assert_true(check_pairs(&next, &c, spreads[i % SPREADS].name, true) > 100);
        forget(&next);
    }
    pliant__free_near_lists(NULL, &l);
    pliant__free_cells(NULL, &c);
    forget(&w);
}

/* The user may leave out some. */
static uint32_t keep_even(const void *context, uint32_t slot, uint32_t *entries, uint32_t count)
{
    const pliant__cells *c = context;
    uint32_t             kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (((entries[i] >> c->packed.bits) + slot) % 2 == 0) entries[kept++] = entries[i];
    return kept;
}

static void lists_keep_what_they_are_told_to(void **unused)
{
    (void)unused;
    swarm              w;
    pliant__cells      c;
    pliant__near_lists l;
    make(&w, &spreads[0]);
    assert_true(pliant__make_cells(NULL, SLOTS, w.slot, w.count, &c) && pliant__make_near_lists(NULL, &c, &l));
    pliant__fill_cells(&c, all[0], w.x, w.reach, NULL);
    list(&w, &c, &l, all[0]);
    note_lists(&w, &c, &l);
    size_t even = 0;
    for (uint32_t a = 0; a < SLOTS; a++)
        for (uint32_t b = a + 1; b < SLOTS; b++) even += (a + b) % 2 == 0 ? often[a][b] : 0;
    l.keep = keep_even;
    l.context = &c;
    list(&w, &c, &l, all[0]);
    assert_true(even > 100);
    assert_int_equal(note_lists(&w, &c, &l), even);
    assert_int_equal(pliant__count_near_lists(&l), even);
    pliant__free_near_lists(NULL, &l);
    pliant__free_cells(NULL, &c);
    forget(&w);
}

/* No particles: nothing is near. More entries than are allowed: no room. */
static void ends_are_no_trouble(void **unused)
{
    (void)unused;
    swarm              w;
    pliant__cells      c;
    pliant__near_lists l;
    bool               ok = true;
    assert_true(pliant__make_cells(NULL, SLOTS, NULL, 0, &c) && pliant__make_near_lists(NULL, &c, &l));
    pliant__fill_cells(&c, all[0], NULL, NULL, NULL);
    pliant__begin_near_lists(&l, &c);
    assert_false(pliant__give_near_lists_room(&l, NULL, 0, &ok));
    assert_true(ok && pliant__count_near_lists(&l) == 0);
    pliant__free_near_lists(NULL, &l);
    pliant__free_cells(NULL, &c);
    make(&w, &spreads[0]);
    assert_true(pliant__make_cells(NULL, SLOTS, w.slot, w.count, &c) && pliant__make_near_lists(NULL, &c, &l));
    pliant__fill_cells(&c, all[0], w.x, w.reach, NULL);
    pliant__begin_near_lists(&l, &c);
    while (pliant__give_near_lists_room(&l, NULL, 10, &ok))
        for (uint32_t i = 0; i + 1 < l.stretches; i++) pliant__fill_near_lists(&l, &c, all[0], i);
    assert_false(ok);
    pliant__free_near_lists(NULL, &l);
    pliant__free_cells(NULL, &c);
    forget(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_near_pair_is_listed_once), cmocka_unit_test(a_walk_comes_by_each_near_pair),
        cmocka_unit_test(cells_are_filled_again),        cmocka_unit_test(lists_keep_what_they_are_told_to),
        cmocka_unit_test(ends_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
