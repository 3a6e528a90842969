/* Finding pairs that might touch: with a margin, so that it is seldom done.
 *
 * A particle is foreseen to go straight, as it does without constraints. Parts of surfaces have boxes around what is foreseen for the rest of the step,
 * grown by what makes a row and by a margin; candidates are pairs of features that have boxes which meet and can come near enough. As long as no particle is
 * further from what was foreseen than the margin, no other pair can touch, in this step or the next one. When a few are, theirs are found anew, from
 * where these are and go then, seen from the others; when many are, all of them. Where all go alike beside what was foreseen, as things fall, no particle
 * counts as having left it.
 *
 * Loose particles are found among themselves by cells, always all of them (cells.h); trees look for pairs that a surface is in.
 *
 * What is nearer than the thickness when nothing has moved yet, in one body, is let be that near. */
#include "base/sort.h"
#include "contact/contacts.h"
#include "contact/pair_text.h"
#include "contact/pairs.h"
#include "solver/pair_kernels.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"

#include <string.h>

#define JOLTS K(4)        /* a margin: how far from its way a particle is after two substeps more, and some */
#define JOLTS_ONCE K(1.5) /* the same where one substep alone is foreseen */
#define LEAST K(0.3)      /* times the usual margin: the least one of a particle */
#define LEAST_ALONE K(2)  /* the same where next to nothing is near anything */
#define MOST K(4)

#define NO_MARGIN ((pliant_real)1e35) /* of what takes no part */

/* How far a particle of a body goes in a substep without a pair being a row that is not near when it begins; and how far from what was foreseen it may be, at
 * the most. */
static pliant_real sudden_of(const pliant_solver *s, uint32_t body)
{
    const pliant__model_body *b = &s->model->bodies[body];
    return b->thickness * (b->type == PLIANT_BODY_PARTICLES ? PLIANT__LOOSE_MARGIN : K(0.5)); /* loose ones have so many around them */
}

static pliant_real margin_of(const pliant_solver *s, uint32_t body) { return s->pairs->reaching[body].margin; }

/* How far around it others are looked for, without the margin: of two bodies these are together no less than what makes a row. */
static pliant_real reach_of(const pliant_solver *s, uint32_t body)
{
    return pair_reach(s->model->bodies[body].thickness, s->pairs->beyond, 0);
}

/* ---- features ---- */

/* What elements own, by slots: a corner has its slot twice. */
static size_t list_owned(const pliant_model *m, uint32_t elements, bool edges, pliant__key *key)
{
    size_t count = 0;
    for (uint32_t e = 0; e < elements; e++)
        for (uint32_t k = 0; k < 3; k++) {
            if (!(m->element_owns[e] >> (edges ? k + 3 : k) & 1)) continue;
            const uint32_t a = m->elements[3 * (size_t)e + k], b = edges ? m->elements[3 * (size_t)e + (k + 1) % 3] : a;
            key[count++] = (pliant__key){(uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a), e};
        }
    return count;
}

/* Notes where levels of groups begin, and returns how many groups there are in all. */
static uint32_t count_groups(pliant__features *p)
{
    uint32_t groups = p->tree.leaves, all = 0;
    p->levels = 0;
    do {
        groups = (groups + PLIANT__BLOCK - 1) / PLIANT__BLOCK;
        p->level[p->levels++] = all;
        all += groups;
    } while (groups > 1);
    return all;
}

/* Where a group has the boxes around a child of it: lanes of their numbers. */
static pliant_real *child_box(const pliant__features *features, uint32_t level, uint32_t child)
{
    return features->group + PLIANT__LEAF_BOXES * (features->level[level] + child / PLIANT__BLOCK) + child % PLIANT__BLOCK;
}

static void set_child(const pliant__features *features, uint32_t level, uint32_t child, const pliant__moving_box *box)
{
    const pliant_real *from = &box->from.low.x;
    pliant_real       *to = child_box(features, level, child);
    for (uint32_t k = 0; k < 12; k++) to[k * PLIANT__BLOCK] = from[k];
}

/* Children that a group has not got meet nothing. */
static void empty_groups(const pliant__features *features)
{
    const pliant__moving_box nothing = {box_of_nothing(), box_of_nothing()};
    for (uint32_t level = 0, children = features->tree.leaves; level < features->levels;
         level++, children = (children + PLIANT__BLOCK - 1) / PLIANT__BLOCK)
        for (uint32_t child = children; child % PLIANT__BLOCK; child++) set_child(features, level, child, &nothing);
}

static bool make_features(pliant_solver *s, uint32_t count, uint32_t corners, pliant__features *p)
{
    const pliant_allocator *a = &s->allocator;
    p->count = count;
    p->corners = corners;
    p->slot = pliant__alloc_array(a, count, 3 * sizeof *p->slot);
    p->body = pliant__alloc_array(a, count, sizeof *p->body);
    p->moved = pliant__alloc_array(a, count, sizeof *p->moved);
    p->about = pliant__alloc_array(a, count, sizeof *p->about);
    p->free = pliant__alloc_array(a, count, sizeof *p->free);
    p->strayed = pliant__alloc_array(a, count, sizeof *p->strayed);
    if (!p->slot || !p->body || !p->moved || !p->about || !p->free || !p->strayed ||
        !pliant__tree_create(a, count, PLIANT__BLOCK, &p->tree))
        return false;
    p->leaf_box = pliant__alloc_array(a, p->tree.leaves, PLIANT__LEAF_BOXES * sizeof *p->leaf_box);
    p->leaf_shape = pliant__alloc_array(a, p->tree.leaves, PLIANT__LEAF_SHAPES(corners) * sizeof *p->leaf_shape);
    p->group = pliant__alloc_array(a, count_groups(p), PLIANT__LEAF_BOXES * sizeof *p->group);
    p->node = pliant__alloc_array(a, p->tree.leaves, sizeof *p->node);
    p->leaf_slot = pliant__alloc_array(a, p->tree.leaves, 3 * PLIANT__BLOCK * sizeof *p->leaf_slot);
    p->leaf_astray = pliant__alloc_array(a, p->tree.leaves, sizeof *p->leaf_astray);
    p->astray_box = pliant__alloc_array(a, p->tree.leaves, sizeof *p->astray_box);
    if (!p->leaf_box || !p->leaf_shape || !p->group || !p->node || !p->leaf_slot || !p->leaf_astray || !p->astray_box) return false;
    empty_groups(p);
    return true;
}

static void describe(const pliant_solver *s, pliant__features *p)
{
    const pliant_real *w = s->model->free_w;
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t *slot = p->slot + 3 * (size_t)i;
        p->about[i] = (pliant__about){{slot[0], slot[1], slot[2]}, p->body[i]};
        p->free[i] = w[slot[0]] > 0 || w[slot[1]] > 0 || w[slot[2]] > 0;
    }
}

static bool make_owned(pliant_solver *s, bool edges, pliant__features *p)
{
    const pliant_model *m = s->model;
    const size_t        most = 3 * (size_t)s->pairs->elements;
    pliant__key        *key = pliant__alloc_array(&s->allocator, 2 * most, sizeof *key);
    if (!key) return false;
    const size_t       count = list_owned(m, s->pairs->elements, edges, key);
    const pliant__key *sorted = pliant__sort_keys(key, key + most, count);
    const bool         ok = make_features(s, (uint32_t)count, edges ? 2 : 1, p);
    for (size_t i = 0; ok && i < count; i++) {
        p->slot[3 * i] = p->slot[3 * i + 2] = (uint32_t)(sorted[i].key >> 32);
        p->slot[3 * i + 1] = edges ? (uint32_t)(sorted[i].key & UINT32_MAX) : p->slot[3 * i];
        p->body[i] = m->element_body[sorted[i].value];
    }
    if (ok) describe(s, p);
    pliant__free(&s->allocator, key);
    return ok;
}

static bool make_triangles(pliant_solver *s, pliant__features *p)
{
    const pliant_model *m = s->model;
    if (!make_features(s, s->pairs->elements, 3, p)) return false;
    memcpy(p->slot, m->elements, 3 * (size_t)p->count * sizeof *p->slot);
    memcpy(p->body, m->element_body, p->count * sizeof *p->body);
    describe(s, p);
    return true;
}

static void free_features(pliant_solver *s, pliant__features *p)
{
    void *all[] = {p->slot,       p->body,  p->moved, p->about,     p->free,        p->strayed,   p->leaf_box,
                   p->leaf_shape, p->group, p->node,  p->leaf_slot, p->leaf_astray, p->astray_box};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(&s->allocator, all[i]);
    pliant__tree_destroy(&s->allocator, &p->tree);
}

/* ---- making ---- */

/* How far boxes reach around particles, m: p->way[3] of slots that elements have. Those of bodies that are off are empty: they meet no others, and add
 * nothing to boxes around them. */
static void find_reaches(pliant_solver *s)
{
    const pliant_model *m = s->model;
    for (size_t i = 0; i < 3 * (size_t)s->pairs->elements; i++) {
        const uint32_t body = m->element_body[i / 3]; /* a slot is of one body */
        const bool     off = s->pairs->off && s->pairs->off[body];
        s->pairs->spread[m->elements[i]] = off ? -(pliant_real)INFINITY : reach_of(s, body);
        PLIANT__SLOT(s->pairs->way, m->elements[i])[3] = s->pairs->spread[m->elements[i]] + margin_of(s, body);
    }
}

#define FALLS 4 /* times what gravity alone moves a particle in a substep */

/* How far constraints may move a particle in a substep, as pair_reach takes it, up to the next power of two: so it stays as it is where steps differ a little.
 * Where it grows, candidates are found anew. */
static void look_further(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    const double   moves = FALLS * (double)v3_length(s->inputs->gravity) * s->substep_h * s->substep_h;
    int            exponent;
    frexp(moves, &exponent);
    const pliant_real beyond = moves > 0 ? (pliant_real)ldexp(1, exponent) : 0;
    const bool        further = beyond > p->beyond;
    p->beyond = beyond;
    if (!further) return;
    find_reaches(s);
    p->searched = p->boxed = false;
}

/* Slots that elements of bodies have which are on: each gets a margin, the others none. */
static void mark_slots(pliant_solver *s)
{
    const pliant_model *m = s->model;
    pliant__pairs      *p = s->pairs;
    const uint32_t      slots = m->header->slot_count;
    p->slots = 0;
    for (uint32_t i = 0; i < slots; i++) PLIANT__SLOT(p->ref, i)[3] = NO_MARGIN;
    for (size_t i = 0; i < 3 * (size_t)p->elements; i++) {
        const uint32_t slot = m->elements[i], body = m->element_body[i / 3];
        if (p->off && p->off[body]) continue;
        p->slots += PLIANT__SLOT(p->ref, slot)[3] == NO_MARGIN;
        PLIANT__SLOT(p->ref, slot)[3] = p->usual[slot] = margin_of(s, body);
    }
    find_reaches(s);
}

static void list_marked(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    for (uint32_t i = 0, n = 0; i < s->model->header->slot_count; i++)
        if (PLIANT__SLOT(p->ref, i)[3] < NO_MARGIN) p->slot[n++] = i;
}

static bool list_slots(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    mark_slots(s);
    p->slot = pliant__alloc_array(&s->allocator, p->slots, sizeof *p->slot);
    if (p->slot) list_marked(s);
    return p->slot;
}

void pliant__leave_out_pairs(pliant_solver *s, const uint8_t *off)
{
    pliant__pairs *p = s->pairs;
    const size_t   slots = s->model->header->slot_count;
    p->searched = false; /* what is on now was not looked for */
    p->off = off;
    if (!p->elements) return;
    mark_slots(s);
    list_marked(s);
    memset(p->astray, 0, slots * sizeof *p->astray);
    memset(p->strayed.stepped, 0, slots * sizeof *p->strayed.stepped);
}

static uint32_t most_features(const pliant__pairs *p)
{
    uint32_t most = 0;
    for (uint32_t k = 0; k < PLIANT__FEATURE_KINDS; k++) most = p->features[k].count > most ? p->features[k].count : most;
    return most;
}

/* Whether all pairs of bodies have the same friction and restitution, and nothing rolls. */
static bool has_one_material(const pliant_model *m)
{
    const pliant__model_body *first = &m->bodies[0];
    bool                      one = !model_count(m, contact_pairs);
    for (size_t i = 0; i < model_count(m, bodies); i++) {
        const pliant__model_body *body = &m->bodies[i];
        one = one && !(body->rolling_friction >= 0) && body->friction_static == first->friction_static &&
              body->friction_dynamic == first->friction_dynamic && body->restitution == first->restitution;
    }
    return one;
}

#define CLOSE \
    K(0.083) /* of a side of its elements: the margin of a body that meets itself. With more, all neighbours of a thick one are candidates */

/* m, the mean length of what sides have of a body's elements, of which the first is given; 0: there are none. `next`: the first element of the next body. */
static pliant_real mean_side(const pliant_model *m, size_t first, size_t elements, size_t *next)
{
    double   sum = 0;
    uint64_t count = 0;
    for (*next = first; *next < elements && m->element_body[*next] == m->element_body[first]; ++*next)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t *slot = m->elements + 3 * *next;
            if (slot[k] == slot[(k + 1) % 3]) continue;
            sum += (double)v3_length(v3_sub(pliant__slot_x(m->x, slot[k]), pliant__slot_x(m->x, slot[(k + 1) % 3])));
            count++;
        }
    return count ? (pliant_real)(sum / (double)count) : 0;
}

/* Narrows the margins of bodies that meet themselves. Where velocities are bounded by margins, these stay. */
static void narrow_margins(pliant_solver *s)
{
    const pliant_model *m = s->model;
    for (size_t first = 0, next; first < s->pairs->elements && !pliant__bounds_speed(m); first = next) {
        const uint32_t    body = m->element_body[first];
        const pliant_real side = mean_side(m, first, s->pairs->elements, &next);
        if (m->bodies[body].self_contact && side > 0)
            s->pairs->reaching[body].margin = r_min(s->pairs->reaching[body].margin, CLOSE * side);
    }
}

#define MOST_BODIES 1024u /* of which each may say at once whether it meets another */

static bool describe_bodies(pliant_solver *s)
{
    const pliant_model *m = s->model;
    pliant__pairs      *p = s->pairs;
    const uint32_t      bodies = (uint32_t)model_count(m, bodies);
    p->meeting_words = (bodies + 63) / 64;
    p->reaching = pliant__alloc_array(&s->allocator, bodies, sizeof *p->reaching);
    if (bodies <= MOST_BODIES) p->meeting = pliant__alloc_array(&s->allocator, bodies * p->meeting_words, sizeof *p->meeting);
    if (!p->reaching || (bodies <= MOST_BODIES && !p->meeting)) return false;
    for (uint32_t i = 0; i < bodies; i++) {
        const pliant__model_contact_pair *own = pliant__contact_pair(m, i, i);
        p->reaching[i] = (pliant__reaching){m->bodies[i].thickness, sudden_of(s, i), sudden_of(s, i),
                                            m->bodies[i].type == PLIANT_BODY_CLOTH && !(own && own->adhesion > 0)};
        p->farthest = r_max(p->farthest, p->reaching[i].margin);
    }
    narrow_margins(s);
    for (uint32_t i = 0; i < bodies && p->meeting; i++)
        for (uint32_t k = 0; k < bodies; k++) p->meeting[i * p->meeting_words + k / 64] |= (uint64_t)pliant__bodies_meet(m, i, k) << k % 64;
    return true;
}

bool pliant__make_pairs(pliant_solver *s)
{
    const pliant_allocator *a = &s->allocator;
    pliant__pairs          *p = s->pairs = pliant__alloc(a, sizeof *p), *own = p;
    const size_t            slots = s->model->header->slot_count;
    if (!p) return false;
    p->elements = (uint32_t)model_count(s->model, element_body);
    if (!p->elements) return true;
    for (size_t i = 0; i < model_count(s->model, bodies); i++) p->rolls = p->rolls || s->model->bodies[i].rolling_friction >= 0;
    p->strayed.moved = pliant__alloc_array(a, slots, sizeof *p->strayed.moved);
    p->strayed.stepped = pliant__alloc_array(a, slots, sizeof *p->strayed.stepped);
    if (!p->strayed.moved || !p->strayed.stepped || !(true PAIR_SLOT_SCRATCH(SCRATCH_MAKE)) || !describe_bodies(s) || !list_slots(s) ||
        !make_owned(s, false, &p->features[PLIANT__CORNERS]) || !make_owned(s, true, &p->features[PLIANT__EDGES]) ||
        !make_triangles(s, &p->features[PLIANT__TRIANGLES]) || !pliant__make_loose(s))
        return false;
    for (uint32_t k = 0; k < PLIANT__FEATURE_KINDS; k++)
        if (p->branches < p->features[k].tree.leaves) p->branches = p->features[k].tree.leaves;
    if (p->branches > PLIANT__SEARCHES) p->branches = PLIANT__SEARCHES;
    p->most_features = most_features(p);
    p->one_material = has_one_material(s->model);
    p->varies = !pliant__bounds_speed(s->model) && !p->loose.count;
    p->least = LEAST;
    if (!(true PAIR_FEATURE_SCRATCH(SCRATCH_MAKE))) return false;
    pliant__find_crowded(s);
    return true;
}

void pliant__free_pairs(pliant_solver *s)
{
    const pliant_allocator *a = &s->allocator;
    pliant__pairs          *p = s->pairs, *own = p;
    if (!p) return;
    PAIR_SLOT_SCRATCH(SCRATCH_FREE)
    PAIR_FEATURE_SCRATCH(SCRATCH_FREE)
    pliant__free(a, p->slot);
    pliant__free(a, p->reaching);
    pliant__free(a, p->meeting);
    pliant__free(a, p->strayed.moved);
    pliant__free(a, p->strayed.stepped);
    for (uint32_t k = 0; k < PLIANT__FEATURE_KINDS; k++) free_features(s, &p->features[k]);
    pliant__free_loose(s);
    array_free(&s->allocator, &p->found);
    array_free(&s->allocator, &p->sorted);
    array_free(&s->allocator, &p->pair);
    array_free(&s->allocator, &p->room);
    array_free(&s->allocator, &p->wake);
    array_free(&s->allocator, &p->asked);
    array_free(&s->allocator, &p->active);
    array_free(&s->allocator, &p->ordered);
    array_free(&s->allocator, &p->colourless);
    array_free(&s->allocator, &p->colour_of);
    array_free(&s->allocator, &p->rows);
    array_free(&s->allocator, &p->counts);
    array_free(&s->allocator, &p->barrier);
    array_free(&s->allocator, &p->more);
    pliant__free(&s->allocator, p);
    s->pairs = NULL;
}

/* ---- what is foreseen ---- */

/* How many slots kernels foresee: up to the last one of a body that is on, in whole blocks. */
static uint32_t slots_that_count(const pliant_solver *s)
{
    const pliant__pairs *p = s->pairs;
    const uint32_t       all = s->model->header->slot_count,
                   last = p->off ? p->slot[p->slots - 1] / PLIANT__BLOCK * PLIANT__BLOCK + PLIANT__BLOCK : all;
    return last < all ? last : all;
}

#define SAMPLES 64u /* at most so many particles are looked at for the motion that most of them share */

/* Finds the motion that most particles share beside what was foreseen, by the mean of some of them. It is taken off before any particle counts as astray; that it is
 * known roughly does no harm. */
static void find_shifts(const pliant__pairs *p, pliant__foreseen *f)
{
    double         sum[4][3] = {{0}}, count = 0;
    const uint32_t each = p->slots / SAMPLES + 1;
    for (uint32_t i = 0; i < p->slots; i += each, count++)
        for (uint32_t k = 0; k < 3; k++) {
            const size_t at = pliant__slot_numbers(p->slot[i]) + k;
            const double ref = (double)f->ref[at], path_start = (double)f->path_start[at], x = (double)f->x[at], v = (double)f->way[at];
            sum[0][k] += path_start - ref - (double)f->now * v;
            sum[1][k] += x - ref - (double)f->then * v;
            sum[2][k] += path_start - ref;
            sum[3][k] += x - path_start;
        }
    pliant_vec3 *out[4] = {&f->shift_now, &f->shift_then, &f->shift, &f->step};
    for (uint32_t i = 0; i < 4; i++)
        *out[i] = v3((pliant_real)(sum[i][0] / count), (pliant_real)(sum[i][1] / count), (pliant_real)(sum[i][2] / count));
}

#define ALMOST K(0.99) /* of the margin: the rest is for rounding */

/* Usual margins, for barriers. Pairs that are no candidates were found to stay further apart than both margins and what makes a row, 1.25 times the distance at which they touch;
 * to be a barrier they have to come nearer than a twentieth of that distance. A particle has half of its share of it as its usual margin, a loose one a quarter, so it may
 * go further than its own margin by 2.3 usual ones. */
#define FAR K(2.3)

/* Looks at some slots. */
static void stray_some(void *solver, uint32_t index)
{
    pliant_solver   *s = solver;
    pliant__pairs   *p = s->pairs;
    pliant__strayed *out = &p->strays[index];
    pliant__foreseen f = p->foreseen;
    const uint32_t   first = index * PLIANT__STRAYS, left = slots_that_count(s) - first;
    const size_t     at = pliant__slot_numbers(first);
    f.path_start += at;
    f.x += at;
    f.ref += at;
    f.way += at;
    f.usual += first;
    out->moved = p->strayed.moved + first;
    out->stepped = p->strayed.stepped + first;
    s->backend.kernels->stray(&f, left < PLIANT__STRAYS ? left : PLIANT__STRAYS, out);
}

/* Looks how far particles are from where they were foreseen (p->strayed). */
static void find_strays(pliant_solver *s)
{
    pliant__pairs   *p = s->pairs;
    pliant__strayed *all = &p->strayed;
    const uint32_t   slots = slots_that_count(s), tasks = (slots + PLIANT__STRAYS - 1) / PLIANT__STRAYS;
    pliant__run_light_counted(s, stray_some, tasks, (uint64_t)PLIANT__BOX_WORK * slots);
    all->off = all->from_ref = all->step = all->changed = 0;
    for (uint32_t i = 0; i < tasks; i++) {
        all->off = r_max(all->off, p->strays[i].off);
        all->from_ref = r_max(all->from_ref, p->strays[i].from_ref);
        all->step = r_max(all->step, p->strays[i].step);
        all->changed = r_max(all->changed, p->strays[i].changed);
    }
}

/* Looks how far particles are from where they were foreseen, at the beginning and at the end of the substep (p->strayed). False if one is further than its
 * margin and `further` times its usual one. */
static bool is_foreseen(pliant_solver *s, pliant_real further)
{
    pliant__pairs *p = s->pairs;
    if (!p->searched) return false;
    pliant__foreseen *f = &p->foreseen;
    *f = (pliant__foreseen){
        .path_start = p->path_start, .x = s->state->x, .ref = p->ref, .way = p->way, .usual = p->usual, .further = further};
    f->now = r_min(p->time, p->horizon);
    f->then = r_min(p->time + s->substep_rh, p->horizon);
    find_shifts(p, f);
    find_strays(s);
    p->travel += (double)p->strayed.changed;
    return p->strayed.off <= ALMOST;
}

#define NEARLY K(0.75) /* of the margin: particles that are further than that are foreseen anew, if any is */

/* m^2: how far a particle is from where it was foreseen, squared, at the beginning or at the end of the substep, whichever is more. */
static pliant_real off2(const pliant__foreseen *f, uint32_t slot)
{
    const pliant_vec3 ref = pliant__slot_x(f->ref, slot), way = pliant__slot_x(f->way, slot),
                      now = v3_sub(v3_sub(v3_madd(pliant__slot_x(f->path_start, slot), way, -f->now), ref), f->shift_now),
                      then = v3_sub(v3_sub(v3_madd(pliant__slot_x(f->x, slot), way, -f->then), ref), f->shift_then);
    return r_max(v3_dot(now, now), v3_dot(then, then));
}

/* Marks particles that are astray, further than NEARLY from where they were foreseen, and returns how many they are. */
static uint32_t find_astray(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    uint32_t       count = 0;
    for (uint32_t i = 0; i < p->slots; i++) {
        const uint32_t    slot = p->slot[i];
        const pliant_real most = NEARLY * PLIANT__SLOT(p->ref, slot)[3];
        p->astray[slot] = !(off2(&p->foreseen, slot) <= most * most);
        count += p->astray[slot];
    }
    return count;
}

/* The margin of a particle that was astray: it is twice as wide until all are foreseen anew. Then it follows from the jolt that JOLTS of make this margin, or from a larger
 * one that the particle has. */
static void widen_margin(pliant__pairs *p, uint32_t slot)
{
    if (!p->varies) return;
    const pliant_real margin = r_min(2 * PLIANT__SLOT(p->ref, slot)[3], MOST * p->usual[slot]);
    PLIANT__SLOT(p->ref, slot)[3] = margin;
    PLIANT__SLOT(p->way, slot)[3] = p->spread[slot] + margin;
    p->jolt[slot] = r_max(p->jolt[slot], margin / JOLTS);
}

/* Foresees marked particles anew, from where they are and as they go in this substep. `ref` and `way` of all others stay, and so does the time; so theirs are set as if
 * they had been foreseen with these, the motion that all share (find_shifts) taken off. Behind the time that was foreseen they are foreseen to stay. */
static void foresee_astray(pliant_solver *s)
{
    pliant__pairs          *p = s->pairs;
    const pliant__foreseen *f = &p->foreseen;
    const pliant_real       rate = p->time < p->horizon ? 1 / s->substep_rh : 0;
    for (uint32_t i = 0; i < p->slots; i++) {
        const uint32_t slot = p->slot[i];
        if (!p->astray[slot]) continue;
        const pliant_vec3 path_start = pliant__slot_x(p->path_start, slot),
                          way = v3_scale(v3_sub(pliant__slot_x(s->state->x, slot), path_start), rate);
        pliant__set_slot_x(p->way, slot, way);
        widen_margin(p, slot);
        const pliant_vec3 ref = v3_sub(v3_madd(path_start, way, -f->now), f->shift_now);
        pliant__set_slot_x(p->ref, slot, ref);
        p->strayed.moved[slot] = v3_length(v3_sub(v3_sub(path_start, ref), f->shift)); /* this is no way that it has gone */
    }
}

/* m: the mean of how far some particles go in this substep: boxes are in a frame that moves so, and therefore smaller. `beside`: beside what was foreseen. */
static pliant_vec3 mean_step(const pliant_solver *s, bool beside)
{
    const pliant__pairs *p = s->pairs;
    double               sum[3] = {0, 0, 0}, count = 0;
    const uint32_t       each = p->slots / SAMPLES + 1;
    for (uint32_t i = 0; i < p->slots; i += each, count++)
        for (uint32_t k = 0; k < 3; k++) {
            const size_t at = pliant__slot_numbers(p->slot[i]) + k;
            sum[k] += (double)s->state->x[at] - (double)p->path_start[at];
            if (beside) sum[k] -= (double)p->way[at] * (double)s->substep_rh;
        }
    return v3((pliant_real)(sum[0] / count), (pliant_real)(sum[1] / count), (pliant_real)(sum[2] / count));
}

#define FARTHEST \
    16 /* usual margins: the time that is foreseen is so short that no particle goes further in it beside the mean motion; but one substep at least */

/* So many jolts are a margin. Where no more than one substep was foreseen before, since some go too far in two, or since the step ended, margins need last no longer. */
static pliant_real jolts_of(const pliant_solver *s)
{
    return s->pairs->jolted && s->pairs->horizon < K(1.5) * s->substep_rh ? JOLTS_ONCE : JOLTS;
}

/* Foresees all particles from where they are, for `substeps`, or for fewer where one goes far beside the mean motion: its boxes would meet nearly all others. */
static void foresee(pliant_solver *s, uint32_t substeps)
{
    pliant__pairs             *p = s->pairs;
    const pliant__foreseen_all all = {.path_start = p->path_start,
                                      .x = s->state->x,
                                      .ref = p->ref,
                                      .way = p->way,
                                      .rate = 1 / s->substep_rh,
                                      .step = mean_step(s, false),
                                      .usual = p->usual,
                                      .spread = p->spread,
                                      .jolt = p->jolt,
                                      .last = p->jolted ? r_min(s->substep_rh / p->time, 1) : 0,
                                      .turned = mean_step(s, true),
                                      .jolts = jolts_of(s),
                                      .least = p->varies ? p->least : 1,
                                      .most = p->varies ? MOST : 1};
    pliant_real                far;
    s->backend.kernels->foresee(&all, slots_that_count(s), &p->strayed, &far);
    if ((double)far * substeps > FARTHEST) substeps = far > FARTHEST ? 1 : (uint32_t)(FARTHEST / (double)far);
    p->horizon = (pliant_real)(substeps * s->substep_h);
    p->way_share = PLIANT__PAIR_REACH * s->substep_rh / p->horizon;
    p->mean = v3_scale(all.step, all.rate);
    p->time = 0;
    p->searched = p->jolted = true;
}

/* m, per slot: how far a particle is foreseen to go in a substep beside the mean motion. Called when some were foreseen anew. */
static void find_steps(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    for (uint32_t i = 0; i < p->slots; i++)
        p->strayed.stepped[p->slot[i]] = s->substep_rh * v3_length(v3_sub(pliant__slot_x(p->way, p->slot[i]), p->mean));
}

/* ---- boxes ---- */

/* Marks leaves of a tree that have features which are astray (features->strayed). */
static void mark_leaves(pliant__features *features)
{
    for (uint32_t leaf = 0; leaf < features->tree.leaves; leaf++) {
        const uint32_t at = leaf * PLIANT__BLOCK, end = at + PLIANT__BLOCK < features->count ? at + PLIANT__BLOCK : features->count;
        uint32_t       bits = 0;
        for (uint32_t i = at; i < end; i++) bits |= (uint32_t)features->strayed[features->tree.order[i]] << (i - at);
        features->leaf_astray[leaf] = (uint16_t)bits;
    }
}

static void order_leaves(pliant_solver *s, pliant__features *features)
{
    pliant__pairs *p = s->pairs;
    pliant__box   *box = p->box;
    for (uint32_t i = 0; i < features->count; i++) {
        box[i] = box_of_nothing();
        for (uint32_t k = 0; k < features->corners; k++) {
            const uint32_t slot = features->slot[3 * (size_t)i + k];
            box_add(&box[i], v3_madd(pliant__slot_x(p->ref, slot), pliant__slot_x(p->way, slot), p->horizon / 2));
        }
    }
    pliant__tree_sort(&features->tree, box);
    for (uint32_t i = 0; i < features->tree.leaves * PLIANT__BLOCK; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t feature = features->tree.order[i < features->count ? i : features->count - 1];
            features->leaf_slot[(size_t)(i / PLIANT__BLOCK * 3 + k) * PLIANT__BLOCK + i % PLIANT__BLOCK] =
                features->slot[3 * (size_t)feature + k];
        }
}

#define LEAVES 64u /* of a task */
#define EVERY_FEATURE ((1u << PLIANT__BLOCK) - 1)

static pliant__moving_box moving_box_of_both(pliant__moving_box a, pliant__moving_box b)
{
    return (pliant__moving_box){box_of_both(a.from, b.from), box_of_both(a.to, b.to)};
}

/* The box around those features of a leaf that have a bit. */
static pliant__moving_box box_of_some(const pliant_real *box, uint32_t bits)
{
    pliant__moving_box all = {box_of_nothing(), box_of_nothing()};
    for (; bits; bits &= bits - 1) {
        const pliant_real       *b = box + __builtin_ctz(bits), *e = b + 6 * PLIANT__BLOCK;
        const pliant__moving_box one = {
            {v3(b[0], b[PLIANT__BLOCK], b[2 * PLIANT__BLOCK]), v3(b[3 * PLIANT__BLOCK], b[4 * PLIANT__BLOCK], b[5 * PLIANT__BLOCK])},
            {v3(e[0], e[PLIANT__BLOCK], e[2 * PLIANT__BLOCK]), v3(e[3 * PLIANT__BLOCK], e[4 * PLIANT__BLOCK], e[5 * PLIANT__BLOCK])}};
        all = moving_box_of_both(all, one);
    }
    return all;
}

static pliant_real *leaf_boxes(const pliant__features *features, uint32_t leaf) { return features->leaf_box + PLIANT__LEAF_BOXES * leaf; }

/* Fits the groups over those of leaves. */
static void fit_groups(const pliant__features *features)
{
    for (uint32_t level = 1; level < features->levels; level++)
        for (uint32_t group = 0; group < features->level[level] - features->level[level - 1]; group++) {
            const pliant__moving_box all = box_of_some(child_box(features, level - 1, group * PLIANT__BLOCK), EVERY_FEATURE);
            set_child(features, level, group, &all);
        }
}

static void fit_some(void *solver, uint32_t index)
{
    pliant_solver    *s = solver;
    pliant__pairs    *p = s->pairs;
    pliant__features *features = p->fitted;
    pliant__box_tree *t = &features->tree;
    for (uint32_t leaf = index * LEAVES; leaf < (index + 1) * LEAVES && leaf < t->leaves; leaf++) {
        if (p->fits_strayed && !features->leaf_astray[leaf]) continue;
        pliant_real   *box = leaf_boxes(features, leaf);
        const uint32_t first = leaf * PLIANT__BLOCK, left = first < t->count ? t->count - first : 0;
        s->backend.kernels->surround(box, features->leaf_shape + PLIANT__LEAF_SHAPES(features->corners) * leaf,
                                     features->leaf_slot + 3 * PLIANT__BLOCK * (size_t)leaf, features->corners,
                                     left < PLIANT__BLOCK ? left : PLIANT__BLOCK, p->ref, p->way, p->horizon, p->way_share);
        const pliant__moving_box all = box_of_some(box, left < PLIANT__BLOCK ? (1u << left) - 1 : EVERY_FEATURE);
        features->node[leaf] = all;
        t->node[t->leaves - 1 + leaf] = all.from;
        set_child(features, 0, leaf, &all);
    }
}

static void fit(pliant_solver *s, pliant__features *features, bool strayed)
{
    s->pairs->fitted = features;
    s->pairs->fits_strayed = strayed;
    pliant__run_counted(s, fit_some, (features->tree.leaves + LEAVES - 1) / LEAVES, (uint64_t)PLIANT__BOX_WORK * features->count);
    fit_groups(features);
}

/* Fits the boxes of a tree: `strayed`: only those of leaves with features that are astray. A tree that has grown much larger since it was sorted is sorted anew when
 * all are fitted. */
static void surround(pliant_solver *s, pliant__features *features, bool strayed)
{
    if (features->tree.size > 0) {
        fit(s, features, strayed);
        if (strayed || pliant__tree_raise(&features->tree) <= PLIANT__ROT * features->tree.size) return;
    }
    order_leaves(s, features);
    mark_leaves(features);
    fit(s, features, false);
    features->tree.size = pliant__tree_raise(&features->tree);
}

/* Fits boxes around the astray features of each leaf alone: where they are few, these boxes are much smaller. */
static void surround_astray(pliant__features *features)
{
    for (uint32_t leaf = 0; leaf < features->tree.leaves; leaf++)
        if (features->leaf_astray[leaf]) features->astray_box[leaf] = box_of_some(leaf_boxes(features, leaf), features->leaf_astray[leaf]);
}

/* ---- pairs that may touch ---- */

/* Up to 16 pairs of features with boxes that meet, before a kernel says which of them can come near enough to be candidates. */
typedef struct sieve {
    pliant__pair_lanes at;
    uint32_t           feature[2][PLIANT__BLOCK], count;
    uint32_t           same;     /* a bit per pair: both features are of one body */
    uint32_t           shaped;   /* likewise: and that is shaped */
    uint32_t           body[2];  /* the bodies of the last pair, and what holds for them; of the first one: NO_BODY */
    pliant_real        distance; /* m, at which they touch */
    bool               meet, one, one_shaped;
} sieve;

#define NO_BODY UINT32_MAX

/* Looks up what holds for pairs of two bodies. Most pairs are of the same two as the pair before. */
static void ask_bodies(const pliant_solver *s, sieve *v, uint32_t body, uint32_t other)
{
    const pliant__pairs   *p = s->pairs;
    const pliant__reaching mine = p->reaching[body], its = p->reaching[other];
    v->body[0] = body;
    v->body[1] = other;
    v->meet = pliant__may_meet(s->model, p, body, other);
    v->distance = mine.thickness + its.thickness;
    v->one = body == other;
    v->one_shaped = v->one && mine.shaped;
}

static void add_to_sieve(const pliant_solver *s, sieve *v, const pliant__features *a, const pliant__features *b, pliant__element_pair found)
{
    const pliant__pairs *p = s->pairs;
    const pliant__about *one = &a->about[found.a], *other = &b->about[found.b];
    const uint32_t       i = v->count;
    if (one->body != v->body[0] || other->body != v->body[1]) ask_bodies(s, v, one->body, other->body);
    if (!v->meet || (!a->free[found.a] && !b->free[found.b])) return;
    if (pliant__are_sewn(s->model->sewn, model_count(s->model, sewn), one->slot, a->corners, other->slot, b->corners)) return;
    if (!v->at.edges && p->loose.count && !pliant__is_for_trees(&p->loose, one->slot[0], other->slot[0], found.b)) return;
    v->at.slot[0][i] = one->slot[0];
    v->at.slot[1][i] = v->at.edges ? one->slot[1] : other->slot[0];
    v->at.slot[2][i] = v->at.edges ? other->slot[0] : other->slot[1];
    v->at.slot[3][i] = v->at.edges ? other->slot[1] : other->slot[2];
    v->at.distance[i] = v->distance;
    v->feature[0][i] = found.a;
    v->feature[1][i] = found.b;
    v->same |= (uint32_t)v->one << i;
    v->shaped |= (uint32_t)v->one_shaped << i;
    v->count++;
}

static void fill_up(sieve *v)
{
    for (uint32_t i = v->count; i < PLIANT__BLOCK; i++) {
        for (uint32_t k = 0; k < 4; k++) v->at.slot[k][i] = v->at.slot[k][0];
        v->at.distance[i] = v->at.distance[0];
    }
}

/* Asks the pairs of a sieve; those that can come near enough are found pairs of the branch. */
static void empty_sieve(const pliant_solver *s, sieve *v, pliant__branch *to)
{
    const pliant__pairs *p = s->pairs;
    pliant_real          apart[PLIANT__BLOCK], rest[PLIANT__BLOCK];
    uint32_t             bits;
    fill_up(v);
    v->at.beyond = p->beyond;
    s->backend.kernels->near(&v->at, p->ref, p->way, p->horizon, s->substep_rh, apart, &bits);
    bits &= (1u << v->count) - 1;
    if (bits & v->same) s->backend.kernels->apart(&v->at, s->model->x, rest);
    for (uint32_t i = 0; i < v->count; i++) {
        if (!(bits >> i & 1)) continue;
        const pliant_real distance = v->same >> i & 1 ? r_min(v->at.distance[i], rest[i]) : v->at.distance[i];
        if (distance > 0)
            to->found[to->count++] =
                (pliant__found){{v->feature[0][i], v->feature[1][i]}, apart[i], distance, v->shaped >> i & 1 ? rest[i] : 0};
    }
    v->count = v->same = v->shaped = 0;
}

/* Goes on with the search of a branch until its array of found pairs is full, or the branch is done. */
static void search_branch(void *solver, uint32_t index)
{
    pliant_solver  *s = solver;
    pliant__branch *branch = &s->pairs->branch[index];
    sieve           v = {.at.edges = s->pairs->sought[0] == s->pairs->sought[1], .body = {NO_BODY, NO_BODY}};
    branch->count = branch->walk.count = 0;
    s->backend.kernels->walk(&branch->walk);
    for (uint32_t i = 0; i < branch->walk.count; i++) {
        add_to_sieve(s, &v, s->pairs->sought[0], s->pairs->sought[1], branch->walk.found[i]);
        if (v.count == PLIANT__BLOCK) empty_sieve(s, &v, branch);
    }
    if (v.count) empty_sieve(s, &v, branch);
}

static pliant__leaves leaves_of(const pliant__features *p, bool all)
{
    return (pliant__leaves){.order = p->tree.order,
                            .node = p->node,
                            .box = p->leaf_box,
                            .shape = p->leaf_shape,
                            .slot = p->leaf_slot,
                            .group = p->group,
                            .level = p->level,
                            .levels = p->levels,
                            .wanted_lanes = all ? NULL : p->leaf_astray,
                            .wanted_box = p->astray_box,
                            .corners = p->corners};
}

/* Begins to search branch by branch. A branch is a range of leaves of the first tree, which are walked against all of the second tree, or of one tree against
 * themselves and those after them; `turned`: leaves of the second tree against the first. Not `all`: only astray features of the branch's tree count. Returns how many
 * branches there are. */
static uint32_t begin_branches(pliant__pairs *p, bool all, bool turned)
{
    const pliant__features *first = p->sought[turned], *second = p->sought[!turned];
    const uint32_t leaves = (first->count + PLIANT__BLOCK - 1) / PLIANT__BLOCK, count = leaves < p->branches ? leaves : p->branches;
    for (uint32_t i = 0; i < count; i++) {
        pliant__walk *w = &p->branch[i].walk;
        w->a = leaves_of(first, all);
        w->b = leaves_of(second, all);
        w->itself = first == second;
        w->turned = turned;
        w->share = p->way_share;
        w->leaf = (uint32_t)((uint64_t)leaves * i / count);
        w->end = (uint32_t)((uint64_t)leaves * (i + 1) / count);
        w->depth = 0;
    }
    return count;
}

/* Copies what a branch has found. */
static void copy_found(void *solver, uint32_t index)
{
    pliant__pairs        *p = ((pliant_solver *)solver)->pairs;
    const pliant__branch *b = &p->branch[index];
    memcpy(p->found.data + b->first, b->found, b->count * sizeof *b->found);
}

/* Appends what branches have found to p->found, unsorted. Returns whether any branch is not done; `ok`: there was room. */
static bool take_found(pliant_solver *s, uint32_t branches, bool *ok)
{
    pliant__pairs *p = s->pairs;
    bool           more = false;
    size_t         count = p->found.count;
    for (uint32_t i = 0; i < branches; i++) {
        pliant__branch *b = &p->branch[i];
        b->first = count;
        count += b->count;
        more = more || b->walk.depth || b->walk.leaf < b->walk.end;
    }
    *ok = p->pair.count + count <= pliant__most_pairs(p) && array_reserve(&s->allocator, &p->found, count - p->found.count);
    if (!*ok) return false;
    p->found.count = count;
    pliant__run_counted(s, copy_found, branches, p->found.count);
    return more;
}

static bool walk_branches(pliant_solver *s, bool all, bool turned)
{
    const uint32_t branches = begin_branches(s->pairs, all, turned);
    const uint64_t work = (uint64_t)PLIANT__SEARCH_WORK * s->pairs->sought[turned]->count;
    bool           ok = true, more = true;
    while (more) {
        pliant__run_counted(s, search_branch, branches, work);
        more = take_found(s, branches, &ok);
    }
    return ok;
}

/* Finds the pairs of two kinds of features that have boxes which meet and may be candidates; not `all`: only those with an astray feature. */
static bool walk(pliant_solver *s, const pliant__features *a, const pliant__features *b, bool all)
{
    if (!a->count || !b->count) return true;
    s->pairs->sought[0] = a;
    s->pairs->sought[1] = b;
    return walk_branches(s, all, false) && (all || a == b || walk_branches(s, false, true));
}

/* ---- the search ---- */

/* Marks the features that have a marked particle as astray, and their leaves. */
static void mark_strayed(pliant__pairs *p, const uint8_t *marked)
{
    for (uint32_t k = 0; k < PLIANT__FEATURE_KINDS; k++) {
        pliant__features *features = &p->features[k];
        for (uint32_t i = 0; i < features->count; i++) {
            const uint32_t *slot = features->slot + 3 * (size_t)i;
            features->strayed[i] = marked[slot[0]] | marked[slot[1]] | marked[slot[2]];
        }
        if (features->count) mark_leaves(features);
    }
}

/* Whether trees have something to find: parts of surfaces, or loose particles that are in no cell. */
static bool has_trees(const pliant__pairs *p) { return p->loose.surfaces || p->loose.cells.inside < p->loose.count; }

/* Adds what trees find to the candidates: pairs of all features, or those with an astray feature. */
static bool find_both(pliant_solver *s, bool all)
{
    pliant__pairs    *p = s->pairs;
    pliant__features *corners = &p->features[PLIANT__CORNERS], *triangles = &p->features[PLIANT__TRIANGLES],
                     *edges = &p->features[PLIANT__EDGES];
    for (uint32_t k = 0; !all && k < PLIANT__FEATURE_KINDS; k++)
        if (p->features[k].count) surround_astray(&p->features[k]);
    if ((has_trees(p) && !walk(s, corners, triangles, all)) || !pliant__take_apart(s) || !pliant__merge_found(s, false)) return false;
    p->found.count = 0;
    return walk(s, edges, edges, all) && pliant__merge_found(s, true);
}

/* Fits the boxes of all features, or of those leaves alone that have astray features. */
static void make_boxes(pliant_solver *s, bool all)
{
    pliant__pairs *p = s->pairs;
    for (uint32_t k = 0; k < PLIANT__FEATURE_KINDS; k++)
        if (p->features[k].count) surround(s, &p->features[k], !all);
    p->boxed = true;
}

static void forget_pairs(pliant__pairs *p)
{
    p->pair.count = p->room.count = p->wake.count = p->corner_pairs = 0;
    p->kept = false;
    p->loose.lists.stretches = 0;
    p->travel = 0;
}

/* Searches for all candidates, with particles foreseen for `substeps`, or fewer. False if out of memory, or there are too many. */
static bool search(pliant_solver *s, uint32_t substeps)
{
    pliant__pairs *p = s->pairs;
    foresee(s, substeps);
    pliant__fill_loose(s);
    p->boxed = false;
    if (has_trees(p)) make_boxes(s, true);
    forget_pairs(p);
    s->statistics.pair_searches++;
    p->found.count = 0;
    if (!pliant__find_in_cells(s)) return false;
    if (!has_trees(p)) return true;
    if (p->loose.cells.inside) mark_strayed(p, p->loose.cells.outside);
    return find_both(s, !p->loose.cells.inside);
}

/* ---- the search for some ---- */

/* Searches for the candidates of astray particles alone. Pairs of loose particles are all found anew, which costs hardly more than to put them into cells. */
static bool search_astray(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    foresee_astray(s);
    find_steps(s);
    pliant__fill_loose(s);
    s->statistics.pair_partial_searches++;
    p->sought_some++;
    p->found.count = 0;
    if (!pliant__find_in_cells(s)) return false;
    p->boxed = p->boxed && has_trees(p); /* else features that were foreseen anew now have other boxes than there are */
    if (!has_trees(p)) return true;
    for (uint32_t i = 0; i < p->loose.count; i++) p->astray[p->loose.slot[i]] |= p->loose.cells.outside[p->loose.slot[i]];
    mark_strayed(p, p->astray);
    make_boxes(s, !p->boxed);
    return pliant__drop_astray(s) && find_both(s, false);
}

#define ALONE 4u /* particles to a candidate, at the least */

#define ENOUGH K(1)  /* times the usual margin: where each particle has a candidate, the least one is no wider */
#define WIDER K(1.5) /* times as wide, or as narrow, are margins next */
#define LASTS 8u     /* substeps: ways that go wrong sooner do not last, whatever margins they have */
#define OFTEN 3u     /* likewise where some are sought more often than every so many substeps */
/* Looks at candidates that take as long as a feature takes in a search for all, 20, times three: of a fold of 128 x 128 a search took 17 ms, 170 ns a feature, and a candidate
 * 8 ns in a substep. */
#define SOUGHT 60u

/* Margins follow what they cost; p->lasted substeps have gone by between the last two searches for all. Where fewer than one of ALONE particles has a candidate,
 * wide ones cost next to nothing. Where each has one, and ways did not last, margins are as narrow as they may be; where they did, margins are wider while
 * searches cost more than a third of what looking at candidates costs, and narrower when they cost less. */
static void fit_margins(pliant__pairs *p)
{
    uint64_t features = 0;
    for (uint32_t k = 0; k < PLIANT__FEATURE_KINDS; k++) features += p->features[k].count;
    if (ALONE * p->pair.count < p->slots)
        p->least = r_min(LEAST_ALONE, 2 * p->least);
    else if (p->pair.count > p->slots) {
        if (p->lasted < LASTS || OFTEN * p->sought_some > p->lasted || p->least > ENOUGH)
            p->least = LEAST;
        else if (SOUGHT * features > (uint64_t)p->lasted * p->pair.count)
            p->least = r_min(ENOUGH, WIDER * p->least);
        else
            p->least = r_max(LEAST, p->least / WIDER);
    }
    p->lasted = p->sought_some = 0;
}

/* Searches for all. Where there are too many candidates, the least margins are narrow; where there is no room for them then, either, margins are no wider than usual from then on,
 * and particles are foreseen to the end of the step alone. */
static bool search_all(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    bool           found = search(s, s->substeps);
    if (!found && p->varies && p->least > LEAST) {
        p->least = LEAST;
        found = search(s, s->substeps);
    }
    if (found) {
        fit_margins(p);
        return true;
    }
    if (!p->varies) return false;
    p->varies = false;
    return search(s, s->substeps - s->substep);
}

#define FEW 8u /* an eighth of all particles: if more are astray, all are looked for anew */

static void find_anew(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    const bool     few = p->searched && p->time < p->horizon && find_astray(s) <= p->slots / FEW;
    p->failed = few && !search_astray(s);
    if (few && !p->failed && is_foreseen(s, 0)) return;
    p->failed = (p->failed && !p->varies) || !search_all(s);
    if (p->failed) {
        p->searched = false;
        forget_pairs(p);
    }
}

static void find_missed(pliant_solver *s, pliant_real further)
{
    if (!s->pairs->slots) { /* all are off */
        forget_pairs(s->pairs);
        return;
    }
    if (!is_foreseen(s, further)) find_anew(s);
}

void pliant__find_missed_pairs(pliant_solver *s, bool barriers) { find_missed(s, barriers ? FAR : 0); }

void pliant__find_pairs(pliant_solver *s)
{
    pliant__pairs *p = s->pairs;
    p->failed = false; /* there may be room again */
    memcpy(p->path_start, s->from, pliant__slot_numbers(s->model->header->slot_count) * sizeof *p->path_start);
    p->time += s->substep_rh;
    p->lasted++;
    look_further(s);
    find_missed(s, 0);
}
