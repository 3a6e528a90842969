/* A list, which has the rows between ranges, is taken as soon as its ranges are solved, not after all ranges, and the particles of a range
 * that lists have moved get their velocities as soon as no list will move them again: all of it while they are still in a cache. What is done to
 * a particle before what stays as the rounds have it, so the result is the same to the bit.
 *
 * The order is fixed when the solver is made: ranges as they lie, and between them what has become possible. Threads take tasks one after
 * another and wait, without a lock, for what a task needs. All of that stands before it, so the first task that is not done has nothing to
 * wait for, and its thread goes on. With more threads a task comes as many places later, so that what it needs is done by then. */
#include "solver/patch_schedule.h"

#include "base/array.h"
#include "base/threads.h"

/* ---- what needs what ---- */

/* Lists that have touched a range: those of the last round with any, and of the one before that. */
typedef struct touched {
    uint32_t round, last, before; /* heads of chains of links */
} touched;

typedef struct link {
    uint32_t list, next;
} link;

typedef struct need {
    uint32_t node, needed;
} need;

/* Nodes: patches by their numbers, and behind them one per range for its later slots. */
typedef struct builder {
    const pliant_allocator *a;
    const pliant_model     *m;
    pliant__schedule       *f;
    uint32_t                ranges, lists, nodes;
    touched                *touched; /* per range */
    ARRAY(link) links;
    ARRAY(need) needs;                             /* by node */
    uint32_t *waits, *first_following, *following; /* per node: how many nodes it waits for; nodes that wait for it */
    uint32_t *order, *place, *ready;               /* nodes as they are taken; where each is; those that wait for nothing */
    uint8_t  *wanted;                              /* per node: whether there is anything to do */
} builder;

static bool add_need(builder *b, uint32_t node, uint32_t needed)
{
    b->waits[node]++;
    return array_push(b->a, &b->needs, (need){node, needed});
}

static bool add_chain(builder *b, uint32_t node, uint32_t head)
{
    for (uint32_t l = head; l != PLIANT__NONE; l = b->links.data[l].next)
        if (!add_need(b, node, b->links.data[l].list)) return false;
    return true;
}

/* A list touches a range: it needs the lists of the round before that did, or else the range. */
static bool touch(builder *b, uint32_t list, uint32_t round, uint32_t range)
{
    touched *t = &b->touched[range];
    if (t->round != round) *t = (touched){round, PLIANT__NONE, t->last};
    if (!array_push(b->a, &b->links, (link){list, t->last})) return false;
    t->last = (uint32_t)b->links.count - 1;
    return t->before == PLIANT__NONE ? add_need(b, list, range) : add_chain(b, list, t->before);
}

static bool find_needs_of_list(builder *b, uint32_t list, uint32_t round)
{
    const pliant__patch *p = &b->m->patches[list];
    uint32_t             range = 0, seen = PLIANT__NONE;
    for (uint32_t i = 0; i < p->slot_count; i++) {
        const uint32_t slot = b->m->patch_slots[p->first_listed + i];
        if (slot >= b->m->header->particle_count) break; /* targets are in no range */
        while (slot >= b->m->patches[range].first_slot + b->m->patches[range].slot_count) range++;
        if (range != seen && !touch(b, list, round, range)) return false;
        seen = range;
    }
    return true;
}

static bool find_needs(builder *b)
{
    for (uint32_t i = 0; i < b->ranges; i++) b->touched[i] = (touched){0, PLIANT__NONE, PLIANT__NONE};
    for (uint32_t r = 1; r < model_count(b->m, rounds); r++)
        for (uint32_t i = 0; i < b->m->rounds[r].patch_count; i++)
            if (!find_needs_of_list(b, b->m->rounds[r].first_patch + i, r)) return false;
    for (uint32_t i = 0; i < b->ranges; i++)
        if (b->wanted[b->ranges + b->lists + i] && !add_chain(b, b->ranges + b->lists + i, b->touched[i].last)) return false;
    return true;
}

/* Where the later slots of each range begin, and which ranges have any. */
static void find_late(builder *b)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < b->ranges; i++) {
        const uint32_t end = b->m->patches[i].first_slot + b->m->patches[i].slot_count;
        b->f->first_late[i] = at;
        while (at < model_count(b->m, later_slots) && b->m->later_slots[at] < end) at++;
        b->wanted[b->ranges + b->lists + i] = at > b->f->first_late[i];
    }
    b->f->first_late[b->ranges] = at;
    memset(b->wanted, 1, b->ranges + b->lists);
}

static void find_following(builder *b)
{
    for (size_t i = 0; i < b->needs.count; i++) b->first_following[b->needs.data[i].needed + 2]++;
    for (uint32_t i = 0; i < b->nodes; i++) b->first_following[i + 2] += b->first_following[i + 1];
    for (size_t i = 0; i < b->needs.count; i++) b->following[b->first_following[b->needs.data[i].needed + 1]++] = b->needs.data[i].node;
}

/* ---- the order ---- */

static void find_order(builder *b, uint32_t threads)
{
    uint32_t ready = 0, taken = 0, ordered = 0, passed = 0, range = 0;
    while (taken < ready || range < b->ranges || passed < ordered) {
        if (taken < ready || range < b->ranges) {
            const uint32_t node = taken < ready ? b->ready[taken++] : range++;
            b->place[node] = ordered;
            b->order[ordered++] = node;
        }
        while (passed < ordered && (passed + threads <= ordered || (taken == ready && range == b->ranges))) {
            const uint32_t node = b->order[passed++];
            for (uint32_t i = b->first_following[node]; i < b->first_following[node + 1]; i++)
                if (!--b->waits[b->following[i]]) b->ready[ready++] = b->following[i];
        }
    }
    b->f->task_count = ordered;
}

static uint32_t round_of(const pliant_model *m, uint32_t patch)
{
    uint32_t r = 0;
    while (patch >= m->rounds[r].first_patch + m->rounds[r].patch_count) r++;
    return r;
}

/* Tasks in their order, with what they need; the needs of a node follow one another. */
static void write_tasks(builder *b)
{
    size_t at = 0;
    for (uint32_t i = 0; i < b->f->task_count; i++) {
        const uint32_t node = b->order[i], patches = b->ranges + b->lists, late = node >= patches, patch = late ? node - patches : node;
        b->f->tasks[i] = (pliant__schedule_task){.patch = patch, .round = round_of(b->m, patch), .late = late};
    }
    for (size_t i = 0; i < b->needs.count; i++) {
        pliant__schedule_task *task = &b->f->tasks[b->place[b->needs.data[i].node]];
        if (!task->need_count) task->first_need = (uint32_t)at;
        b->f->needs[at++] = b->place[b->needs.data[i].needed];
        task->need_count++;
    }
}

/* ---- making it ---- */

static bool build(builder *b, uint32_t threads)
{
    const size_t nodes = (size_t)b->nodes + 1;
    b->touched = pliant__alloc_array(b->a, nodes, sizeof *b->touched);
    b->waits = pliant__alloc_array(b->a, nodes, sizeof *b->waits);
    b->first_following = pliant__alloc_array(b->a, nodes + 2, sizeof *b->first_following);
    b->order = pliant__alloc_array(b->a, nodes, sizeof *b->order);
    b->place = pliant__alloc_array(b->a, nodes, sizeof *b->place);
    b->ready = pliant__alloc_array(b->a, nodes, sizeof *b->ready);
    b->wanted = pliant__alloc_array(b->a, nodes, sizeof *b->wanted);
    b->f->first_late = pliant__alloc_array(b->a, (size_t)b->ranges + 1, sizeof *b->f->first_late);
    b->f->tasks = pliant__alloc_array(b->a, nodes, sizeof *b->f->tasks);
    b->f->done = pliant__alloc_array(b->a, nodes, sizeof *b->f->done);
    if (!b->touched || !b->waits || !b->first_following || !b->order || !b->place || !b->ready || !b->wanted || !b->f->first_late ||
        !b->f->tasks || !b->f->done)
        return false;
    find_late(b);
    if (!find_needs(b)) return false;
    b->following = pliant__alloc_array(b->a, b->needs.count + 1, sizeof *b->following);
    b->f->needs = pliant__alloc_array(b->a, b->needs.count + 1, sizeof *b->f->needs);
    if (!b->following || !b->f->needs) return false;
    find_following(b);
    find_order(b, threads);
    write_tasks(b);
    for (uint32_t i = 0; i < b->f->task_count; i++) atomic_init(&b->f->done[i], 0);
    atomic_init(&b->f->next, 0);
    return true;
}

bool pliant__schedule_create(const pliant_allocator *a, const pliant_model *m, uint32_t threads, pliant__schedule *f)
{
    builder b = {.a = a, .m = m, .f = f, .ranges = m->rounds[0].patch_count};
    b.lists = (uint32_t)model_count(m, patches) - b.ranges;
    b.nodes = 2 * b.ranges + b.lists;
    const bool ok = build(&b, threads);
    array_free(a, &b.links);
    array_free(a, &b.needs);
    void *all[] = {b.touched, b.waits, b.first_following, b.following, b.order, b.place, b.ready, b.wanted};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(a, all[i]);
    return ok;
}

void pliant__schedule_destroy(const pliant_allocator *a, pliant__schedule *f)
{
    pliant__free(a, f->tasks);
    pliant__free(a, f->needs);
    pliant__free(a, f->first_late);
    pliant__free(a, (void *)f->done);
}

/* ---- a walk ---- */

void pliant__schedule_begin(pliant__schedule *f)
{
    f->walk++;
    atomic_store_explicit(&f->next, 0, memory_order_relaxed);
}

uint32_t pliant__schedule_take(pliant__schedule *f)
{
    uint32_t next = atomic_load_explicit(&f->next, memory_order_relaxed);
    while (next < f->task_count &&
           !atomic_compare_exchange_weak_explicit(&f->next, &next, next + 1, memory_order_relaxed, memory_order_relaxed)) {
    }
    return next;
}

void pliant__schedule_wait(const pliant__schedule *f, uint32_t task)
{
    const pliant__schedule_task *t = &f->tasks[task];
    for (uint32_t i = 0, spins = 0; i < t->need_count; i++)
        while (atomic_load_explicit(&f->done[f->needs[t->first_need + i]], memory_order_acquire) != f->walk) pliant__relax(spins++);
}

void pliant__schedule_done(pliant__schedule *f, uint32_t task) { atomic_store_explicit(&f->done[task], f->walk, memory_order_release); }
