/* The scene's constraints as rows: particles become slots, equal laws become one, and constraints of removed bodies, or between anchors only, drop
 * out. */
#include "compile/compile.h"

#include "base/hash.h"
#include "constraints/eval.h"

static pliant__model_law merged_form(const pliant__draft_law *d)
{
    pliant__model_law m;
    memset(&m, 0, sizeof m);
    m.kind = d->kind;
    m.limited = d->law.limited;
    const pliant_constraint_info *info = pliant_constraint_describe(d->kind); /* none for users' constraints: equalities */
    m.limit = d->law.limited ? d->law.limit : info ? info->limit : PLIANT_EQUAL;
    m.compliance = d->law.compliance;
    m.damping = d->law.damping;
    m.stiffness = d->law.stiffness;
    m.range_min = d->law.range_min;
    m.range_max = d->law.range_max;
    m.yield = d->law.yield;
    m.creep = d->law.creep;
    m.hardening = d->law.hardening;
    m.most = d->law.most;
    m.break_force = d->law.break_force;
    m.snaps = d->body != PLIANT__NONE && d->law.break_force > 0; /* of laws of bodies, those of ropes alone break: scene/check.c */
    pliant__law_numbers(d->kind, &d->law, m.number);
    memcpy(m.material, d->material, sizeof m.material);
    for (size_t i = 0; d->role && d->role[i] && i + 1 < sizeof m.role; i++) m.role[i] = d->role[i];
    return m;
}

/* Finds the law among those there are, or adds it. `merged` is an open hash table of numbers + 1, of a power of two, at most half full. */
static bool merge_law(pliant__compiler *c, const pliant__draft_law *d, uint32_t *number)
{
    pliant__model_law m = merged_form(d);
    size_t            mask = c->merged.count - 1;
    for (size_t i = (size_t)pliant__hash(&m, sizeof m, 1) & mask;; i = (i + 1) & mask) {
        if (!c->merged.data[i]) {
            *number = (uint32_t)c->laws.count;
            c->merged.data[i] = *number + 1;
            return array_push(c->allocator, &c->laws, m) || pliant__compile_memory(c);
        }
        *number = c->merged.data[i] - 1;
        if (!memcmp(&c->laws.data[*number], &m, sizeof m)) return true;
    }
}

static bool merge_laws(pliant__compiler *c)
{
    const pliant_scene *s = c->scene;
    size_t              room = 16;
    while (room < 2 * (s->laws.count + 2)) room *= 2;
    c->law = pliant__alloc_array(c->allocator, s->laws.count + 1, sizeof *c->law);
    if (!c->law || !array_extend(c->allocator, &c->merged, room)) return pliant__compile_memory(c);
    for (size_t i = 0; i < s->laws.count; i++)
        if (!merge_law(c, &s->laws.data[i], &c->law[i])) return false;
    pliant__draft_law tether = {PLIANT_CONSTRAINT_TETHER, "", "tether", PLIANT__NONE, pliant_law_default(), {.size = 0}};
    return !c->tethers.count || merge_law(c, &tether, &c->tether_law);
}

/* False in `*keep` where a slot is gone or none of them can move. Writes which are anchors. */
static void check_slots(const pliant__compiler *c, const uint32_t *slots, uint32_t count, uint32_t *anchors, bool *keep)
{
    *anchors = 0;
    *keep = true;
    for (uint32_t k = 0; k < count; k++) {
        if (slots[k] == PLIANT__NONE) {
            *keep = false;
            return;
        }
        if (c->pin.data[slots[k]] == PLIANT__ANCHOR) *anchors |= 1u << k;
    }
    if (*anchors == (1u << count) - 1) *keep = false;
}

static uint32_t slot_of(const pliant__compiler *c, uint32_t particle)
{
    return particle & PLIANT__TARGET_SLOT ? c->target_slot[particle & ~PLIANT__TARGET_SLOT] : c->slot[particle];
}

static bool add_user(pliant__compiler *c, uint32_t id, const pliant__draft_constraint *d)
{
    const pliant__draft_user *u = &c->scene->users.data[d->particles[0]];
    pliant__model_user        m;
    memset(&m, 0, sizeof m);
    m.id = id;
    m.particle_count = u->particle_count;
    m.row_count = u->row_count;
    m.function = u->function;
    m.tag = u->tag;
    m.law = c->law[d->law];
    for (uint32_t k = 0; k < u->particle_count; k++) m.slots[k] = slot_of(c, u->particles[k]);
    uint32_t anchors;
    bool     keep;
    check_slots(c, m.slots, m.particle_count, &anchors, &keep);
    if (!keep) return true;
    c->laws.data[m.law].count++;
    c->header.constraint_count[PLIANT_CONSTRAINT_COUNT]++;
    return array_push(c->allocator, &c->users, m) || pliant__compile_memory(c);
}

/* `slots`: as many as the row's kind has. */
static bool add_row(pliant__compiler *c, pliant__row row, const uint32_t *slots)
{
    const uint32_t count = pliant__kind_slots(row.kind);
    uint32_t       anchors;
    bool           keep;
    check_slots(c, slots, count, &anchors, &keep);
    if (!keep) return true;
    if (count > PLIANT__OWN_SLOTS) {
        uint32_t *to = array_extend(c->allocator, &c->row_slots, count);
        if (!to) return pliant__compile_memory(c);
        memcpy(to, slots, count * sizeof *to);
        row.first_slot = (uint32_t)(to - c->row_slots.data);
    } else
        memcpy(row.slots, slots, count * sizeof *slots);
    row.anchors = (uint8_t)anchors;
    c->laws.data[row.law].count++;
    c->header.constraint_count[row.kind]++;
    return array_push(c->allocator, &c->rows, row) || pliant__compile_memory(c);
}

bool pliant__collect_rows(pliant__compiler *c)
{
    const pliant_scene *s = c->scene;
    if (!pliant__scene_tethers(s, &c->tethers, c->error) || !merge_laws(c)) return false;
    size_t ids = s->constraints.count + c->tethers.count;
    if (ids > INT32_MAX) return pliant__fail(c->error, PLIANT_ERROR_INPUT, "%zu constraints are more than 2147483647", ids);
    if (!array_reserve(c->allocator, &c->rows, ids)) return pliant__compile_memory(c);
    c->header.id_count = (uint32_t)ids;

    for (size_t i = 0; i < s->constraints.count; i++) {
        const pliant__draft_constraint *d = &s->constraints.data[i];
        if (d->removed || (d->body != PLIANT__NONE && s->bodies.data[d->body].removed)) continue;
        if (d->user) {
            if (!add_user(c, (uint32_t)i + 1, d)) return false;
            continue;
        }
        pliant__row row;
        memset(&row, 0, sizeof row);
        row.id = (uint32_t)i + 1;
        row.law = c->law[d->law];
        row.kind = (uint8_t)d->kind;
        const uint32_t *particles = pliant__draft_particles(s, d);
        uint32_t        slots[PLIANT_MAX_SLOTS];
        for (uint32_t k = 0; k < pliant__kind_slots(d->kind); k++) slots[k] = slot_of(c, particles[k]);
        if (!add_row(c, row, slots)) return false;
    }
    for (size_t i = 0; i < c->tethers.count; i++) {
        const pliant__tether *t = &c->tethers.data[i];
        pliant__row           row;
        memset(&row, 0, sizeof row);
        row.id = (uint32_t)(s->constraints.count + i + 1);
        row.law = c->tether_law;
        row.kind = PLIANT_CONSTRAINT_TETHER;
        const uint32_t slots[2] = {c->slot[t->particle], c->slot[t->pin]};
        c->bodies.data[c->body[t->body]].tether = t->factor;
        if (!add_row(c, row, slots)) return false;
    }
    c->header.solved_count = (uint32_t)c->rows.count;
    c->header.first_tether = (uint32_t)s->constraints.count + 1;
    return true;
}
