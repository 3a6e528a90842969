/* Clusters of shape matching: which particles each has, where these lie at rest, and of each slot the clusters that have it.
 *
 * A body is one cluster, or has those that were listed, or is cut into cubes that overlap by half: cells of half a cube's side, of which each two by two by two
 * neighbours make a cluster, so that each particle is in eight of them. A cluster of less than four particles, or of a plane where the body is none, is left out if others
 * have all its particles.
 *
 * A particle that is in n clusters brings an n-th of its mass, and of the volume that it stands for, to each of them. */
#include "base/alloc.h"
#include "base/sort.h"
#include "base/trig.h"
#include "base/vec.h"
#include "compile/compile.h"
#include "constraints/groups.h"
#include "constraints/matching.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_MEMBERS 4u

typedef struct member {
    uint32_t slot, particle; /* particle: of the draft */
    uint32_t owners;         /* clusters that have it */
    double   mass, volume;   /* kg, m^3 */
} member;

typedef struct lister {
    pliant__compiler          *c;
    const pliant__draft_group *d;
    const pliant__draft_body  *body;
    member                    *members; /* of the body, by slot */
    uint32_t                   count;
    pliant__key               *entries, *spare, *sorted; /* a cluster's number, and a member of it */
    size_t                     entry_count;
} lister;

/* ---- members ---- */

static int by_slot(const void *a, const void *b)
{
    const member *p = a, *q = b;
    return p->slot < q->slot ? -1 : p->slot > q->slot;
}

static double mass_of(const pliant__draft_particle *p) { return !p->given_w ? p->mass : p->w > 0 ? 1 / (double)p->w : 0; }

/* Particles with a mass; and, of loose ones, those that were given none: they weigh what the others do on the average. */
static bool list_members(lister *l)
{
    const pliant_scene *s = l->c->scene;
    double              sum = 0;
    uint32_t            heavy = 0;
    l->members = pliant__alloc_array(l->c->allocator, l->body->particle_count, sizeof *l->members);
    if (!l->members) return false;
    for (uint32_t i = l->body->first_particle; i < l->body->first_particle + l->body->particle_count; i++) {
        const pliant__draft_particle *p = &s->particles.data[i];
        const double                  mass = mass_of(p);
        sum += mass;
        heavy += mass > 0;
        if (!(mass > 0) && l->body->type != PLIANT_BODY_PARTICLES) continue;
        l->members[l->count++] = (member){.slot = l->c->slot[i], .particle = i, .mass = mass};
    }
    const double density = l->d->number[1] > 0 ? l->d->number[1] : 1000;
    for (uint32_t i = 0; i < l->count; i++) {
        member                       *m = &l->members[i];
        const pliant__draft_particle *p = &s->particles.data[m->particle];
        if (!(m->mass > 0)) m->mass = heavy ? sum / heavy : 1;
        const bool own = !(l->d->number[1] > 0) && l->body->type == PLIANT_BODY_SOFT;
        m->volume = m->mass / (own && p->extent > 0 ? p->mass / p->extent : own ? (double)l->body->material.density : density);
    }
    qsort(l->members, l->count, sizeof *l->members, by_slot);
    return true;
}

/* ---- which cluster has which ---- */

static bool take_entries(lister *l, size_t count)
{
    l->entries = pliant__alloc_array(l->c->allocator, count, sizeof *l->entries);
    l->spare = pliant__alloc_array(l->c->allocator, count, sizeof *l->spare);
    return l->entries && l->spare;
}

static void add_entry(lister *l, uint64_t cluster, uint32_t number) { l->entries[l->entry_count++] = (pliant__key){cluster, number}; }

static bool list_whole(lister *l)
{
    if (!take_entries(l, l->count)) return false;
    for (uint32_t i = 0; i < l->count; i++) add_entry(l, 0, i);
    return true;
}

/* A vertex may be named twice, and welded vertices are one particle. */
static bool list_given(lister *l)
{
    const pliant_scene *s = l->c->scene;
    const uint32_t     *size = s->group_cluster_sizes.data + l->d->size_first, *of = s->group_cluster_members.data + l->d->member_first;
    size_t              all = 0;
    uint32_t           *number = pliant__alloc_array(l->c->allocator, l->body->particle_count, sizeof *number), *seen = NULL;
    for (uint32_t k = 0; k < l->d->size_count; k++) all += size[k];
    if (number) seen = pliant__alloc_array(l->c->allocator, l->body->particle_count, sizeof *seen);
    const bool ok = seen && take_entries(l, all);
    for (uint32_t i = 0; ok && i < l->body->particle_count; i++) number[i] = PLIANT__NONE;
    for (uint32_t i = 0; ok && i < l->count; i++) number[l->members[i].particle - l->body->first_particle] = i;
    for (uint32_t k = 0; ok && k < l->d->size_count; of += size[k++])
        for (uint32_t i = 0; i < size[k]; i++) {
            const uint32_t at = of[i] - l->body->first_particle;
            if (number[at] == PLIANT__NONE || seen[at] == k + 1) continue;
            seen[at] = k + 1;
            add_entry(l, (uint64_t)k << 32 | number[at], number[at]);
        }
    pliant__free(l->c->allocator, number);
    pliant__free(l->c->allocator, seen);
    return ok;
}

static double coordinate(const pliant_vec3 *x, int axis) { return axis == 0 ? (double)x->x : axis == 1 ? (double)x->y : (double)x->z; }

/* Cells of half a side, as many along each axis as hold the body, which is in their middle. */
static bool list_cubes(lister *l)
{
    const pliant__draft_particle *p = l->c->scene->particles.data;
    const double                  cell = l->d->cluster / 2;
    double                        begin[3];
    if (!take_entries(l, 8 * (size_t)l->count)) return false;
    for (int k = 0; k < 3; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (uint32_t i = 0; i < l->count; i++) {
            const double x = coordinate(&p[l->members[i].particle].x, k);
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        begin[k] = (low + high) / 2 - cell * (floor((high - low) / cell * (1 + 1e-6)) + 1) / 2;
    }
    for (uint32_t i = 0; i < l->count; i++) {
        uint64_t at[3];
        for (int k = 0; k < 3; k++) {
            const double x = (coordinate(&p[l->members[i].particle].x, k) - begin[k]) / cell;
            at[k] = x > 0 ? (uint64_t)x : 0;
        }
        for (uint64_t corner = 0; corner < 8; corner++)
            add_entry(l, (at[2] + (corner >> 2)) << 42 | (at[1] + (corner >> 1 & 1)) << 21 | (at[0] + (corner & 1)), i);
    }
    return true;
}

/* ---- clusters ---- */

/* In how many directions the members of some entries differ. */
static double rank_of(const lister *l, const pliant__key *entries, size_t count)
{
    double sum[3] = {0, 0, 0}, mass = 0, b[9] = {0}, inverse[9], range[9];
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < count; i++) {
            const member      *m = &l->members[entries[i].value];
            const pliant_vec3 *x = &l->c->scene->particles.data[m->particle].x;
            double             q[3];
            for (int k = 0; k < 3; k++) q[k] = coordinate(x, k) - (pass ? sum[k] / mass : 0);
            for (int k = 0; k < 3 && !pass; k++) sum[k] += m->mass * q[k];
            for (int k = 0; k < 9 && pass; k++) b[k] += m->mass * q[k / 3] * q[k % 3];
            mass += pass ? 0 : m->mass;
        }
    pliant__partial_inverse(3, b, inverse, range);
    return range[0] + range[4] + range[8];
}

/* Leaves out clusters of which others have each particle, where they are small, or flat though the body is not. Counts owners. */
static void thin_out(lister *l)
{
    size_t left = 0;
    for (size_t i = 0; i < l->entry_count; i++) l->members[l->sorted[i].value].owners++;
    if (!(l->d->cluster > 0)) return;
    const double whole = rank_of(l, l->sorted, l->entry_count) - 0.5;
    for (size_t i = 0; i < l->entry_count;) {
        const size_t end = pliant__run_end(l->sorted, i, l->entry_count);
        bool         needed = end - i >= LEAST_MEMBERS && rank_of(l, l->sorted + i, end - i) > whole;
        for (size_t k = i; k < end; k++) needed = needed || l->members[l->sorted[k].value].owners == 1;
        for (; i < end; i++)
            if (needed)
                l->sorted[left++] = l->sorted[i];
            else
                l->members[l->sorted[i].value].owners--;
    }
    l->entry_count = left;
}

/* Places at rest as the step will see them: from the first member, in pliant_real. */
static void offset_of(const pliant__compiler *c, uint32_t slot, uint32_t first, double out[3])
{
    const pliant_real *x = PLIANT__SLOT(c->x.data, slot), *from = PLIANT__SLOT(c->x.data, first);
    for (int k = 0; k < 3; k++) out[k] = (double)(pliant_real)(x[k] - from[k]);
}

static void products(const double q[3], double out[6])
{
    for (int k = 0; k < 3; k++) {
        out[k] = q[k] * q[k];
        out[3 + k] = q[k] * q[(k + 1) % 3];
    }
}

/* The place at rest of a member, from the centre of mass. */
static double place_of(const pliant__compiler *c, const pliant__model_match *m, uint32_t number, double q[3])
{
    const pliant_real *o = c->match_offsets.data + 4 * (size_t)(m->first_member + number);
    for (int k = 0; k < 3; k++) q[k] = (double)o[k] - m->centre[k];
    return (double)o[3];
}

static void fit_linear(const pliant__compiler *c, pliant__model_match *m)
{
    double b[9] = {0}, inverse[9], range[9];
    for (uint32_t i = 0; i < m->member_count; i++) {
        double       q[3];
        const double mass = place_of(c, m, i, q);
        for (int k = 0; k < 9; k++) b[k] += mass * q[k / 3] * q[k % 3];
    }
    m->reach2 = (b[0] + b[4] + b[8]) / (3 * m->mass);
    pliant__partial_inverse(3, b, inverse, range);
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3;
        m->inverse[k] = inverse[4 * k];
        m->range[k] = range[4 * k];
        m->inverse[3 + k] = inverse[3 * k + next];
        m->range[3 + k] = range[3 * k + next];
    }
}

static void fit_quadratic(const pliant__compiler *c, const pliant__model_match *m, pliant__model_quadratic *f)
{
    const pliant__square inverse = pliant__of_symmetric(m->inverse);
    double               with[6][3] = {{0}}, square[36] = {0};
    memset(f, 0, sizeof *f);
    for (uint32_t i = 0; i < m->member_count; i++) {
        double       q[3], s[6];
        const double mass = place_of(c, m, i, q);
        products(q, s);
        for (int k = 0; k < 6; k++) {
            f->mean[k] += mass * s[k] / m->mass;
            for (int j = 0; j < 3; j++) with[k][j] += mass * s[k] * q[j];
        }
    }
    for (int k = 0; k < 6; k++)
        for (int j = 0; j < 3; j++)
            f->slope[k][j] = with[k][0] * inverse.m[0][j] + with[k][1] * inverse.m[1][j] + with[k][2] * inverse.m[2][j];
    for (uint32_t i = 0; i < m->member_count; i++) {
        double       q[3], s[6];
        const double mass = place_of(c, m, i, q);
        products(q, s);
        for (int k = 0; k < 6; k++) s[k] -= f->mean[k] + f->slope[k][0] * q[0] + f->slope[k][1] * q[1] + f->slope[k][2] * q[2];
        for (int k = 0; k < 36; k++) square[k] += mass * s[k / 6] * s[k % 6];
    }
    double least = 1e-12 * m->mass * m->reach2 * m->reach2, trace = 0;
    for (int k = 0; k < 6; k++) trace += square[7 * k];
    if (trace > least) pliant__partial_inverse(6, square, &f->inverse[0][0], NULL);
}

/* A cluster of `count` sorted entries. */
static bool add_cluster(lister *l, uint32_t group, const pliant__key *entries, uint32_t count)
{
    pliant__compiler   *c = l->c;
    const uint32_t      first = l->members[entries[0].value].slot;
    pliant__model_match m;
    memset(&m, 0, sizeof m);
    m.group = group;
    m.first_member = (uint32_t)c->match_slots.count;
    m.member_count = count;
    m.quadratic = PLIANT__NONE;
    for (uint32_t i = 0; i < count; i++) {
        const member     *p = &l->members[entries[i].value];
        const pliant_real mass = (pliant_real)(p->mass / p->owners);
        double            q[3];
        offset_of(c, p->slot, first, q);
        for (int k = 0; k < 3; k++) {
            m.centre[k] += (double)mass * q[k];
            if (!array_push(c->allocator, &c->match_offsets, (pliant_real)q[k])) return false;
        }
        if (!array_push(c->allocator, &c->match_offsets, mass) || !array_push(c->allocator, &c->match_slots, p->slot)) return false;
        m.mass += (double)mass;
        m.volume += p->volume / p->owners;
    }
    for (int k = 0; k < 3; k++) m.centre[k] /= m.mass;
    m.spacing2 = 0;
    for (uint32_t i = 0; i < count; i++) m.spacing2 += l->members[entries[i].value].volume / count;
    m.spacing2 = pliant__pow(m.spacing2, 2.0 / 3);
    fit_linear(c, &m);
    if (pliant__match_yield((pliant_group_kind)l->d->kind, l->d->number).yield > 0) m.flow = ++c->header.match_flow_count;
    if (pliant__match_order((pliant_group_kind)l->d->kind) == MATCH_QUADRATIC) {
        pliant__model_quadratic f;
        fit_quadratic(c, &m, &f);
        m.quadratic = (uint32_t)c->match_quadratics.count;
        if (!array_push(c->allocator, &c->match_quadratics, f)) return false;
    }
    return array_push(c->allocator, &c->matches, m);
}

static bool add_clusters(lister *l, pliant__model_group *g)
{
    const uint32_t group = (uint32_t)l->c->groups.count;
    for (size_t i = 0; i < l->entry_count;) {
        size_t end = i + 1;
        if (l->d->size_count)
            while (end < l->entry_count && l->sorted[end].key >> 32 == l->sorted[i].key >> 32) end++;
        else
            end = pliant__run_end(l->sorted, i, l->entry_count);
        for (size_t k = i; k < end; k++) g->rest += l->members[l->sorted[k].value].volume / l->members[l->sorted[k].value].owners;
        if (!add_cluster(l, group, l->sorted + i, (uint32_t)(end - i))) return false;
        g->member_count++;
        i = end;
    }
    return true;
}

bool pliant__lay_out_matches(pliant__compiler *c, const pliant__draft_group *d, uint32_t first_key)
{
    lister              l = {.c = c, .d = d, .body = &c->scene->bodies.data[d->body]};
    pliant__model_group g;
    memset(&g, 0, sizeof g);
    g.kind = d->kind;
    g.body = c->body[d->body];
    g.first_member = (uint32_t)c->matches.count;
    g.first_key = first_key;
    g.key_count = d->key_count;
    memcpy(g.number, d->number, sizeof g.number);
    bool ok = list_members(&l) && (d->size_count ? list_given(&l) : d->cluster > 0 ? list_cubes(&l) : list_whole(&l));
    if (ok) {
        l.sorted = pliant__sort_keys(l.entries, l.spare, l.entry_count);
        thin_out(&l);
        ok = add_clusters(&l, &g) && array_push(c->allocator, &c->groups, g);
    }
    pliant__free(c->allocator, l.members);
    pliant__free(c->allocator, l.entries);
    pliant__free(c->allocator, l.spare);
    return ok;
}

/* The members of all clusters by slot. */
bool pliant__lay_out_matched(pliant__compiler *c)
{
    const size_t count = c->match_slots.count;
    pliant__key *keys = pliant__alloc_array(c->allocator, count, sizeof *keys), *spare = NULL;
    if (keys) spare = pliant__alloc_array(c->allocator, count, sizeof *spare);
    bool ok = spare != NULL;
    for (size_t i = 0; ok && i < count; i++) keys[i] = (pliant__key){c->match_slots.data[i], (uint32_t)i};
    const pliant__key *sorted = ok ? pliant__sort_keys(keys, spare, count) : NULL;
    for (size_t i = 0; ok && i < count; i++) {
        if (!i || sorted[i].key != sorted[i - 1].key)
            ok = array_push(c->allocator, &c->matched_slots, (uint32_t)sorted[i].key) &&
                 array_push(c->allocator, &c->matched_first, (uint32_t)i);
        ok = ok && array_push(c->allocator, &c->matched_members, sorted[i].value);
    }
    ok = ok && array_push(c->allocator, &c->matched_first, (uint32_t)count);
    pliant__free(c->allocator, keys);
    pliant__free(c->allocator, spare);
    return ok;
}
