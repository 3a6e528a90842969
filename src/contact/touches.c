/* Particles that touch colliders are found: planes that they have to stay above. See contacts.c. */
#include "base/box.h"
#include "collide/grown.h"
#include "contact/collider_tree.h"
#include "contact/contacts.h"
#include "solver/collider_kernels.h"
#include "solver/history.h"
#include "solver/legs.h"
#include "solver/pair_kernels.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"

#include <assert.h>
#include <string.h>

static pliant_real combined_friction(pliant_real body, pliant_real collider) { return body < 0 ? collider : r_sqrt(body * collider); }

/* The number of a collider among contact pairs. */
static uint32_t number_of(const pliant_solver *s, uint32_t collider) { return (uint32_t)model_count(s->model, bodies) + collider; }

/* A rope rolls across itself: across the line from one neighbour to the other, where these began the substep. They may lie in another chunk, which eases them out of a
 * collider at the same time, so positions of before are asked. */
static void add_rolling(const pliant_solver *s, const pliant__model_body *rope, pliant__touch *t)
{
    uint32_t end[2];
    pliant__rope_neighbours(s->model, rope, t->slot, end);
    const pliant_vec3 across =
        v3_cross(t->normal, v3_sub(pliant__slot_x(s->contacts->begun, end[1]), pliant__slot_x(s->contacts->begun, end[0])));
    const pliant_real length = v3_length(across);
    t->across = length > 0 ? v3_scale(across, 1 / length) : v3(0, 0, 0);
    t->rolling = r_min(rope->rolling_friction, t->friction_dynamic);
}

/* How far from where it touches a collider a body is drawn to it. */
static pliant_real adhesion_reach(const pliant_solver *s, uint32_t body, uint32_t collider)
{
    if (!model_count(s->model, contact_pairs)) return 0;
    const pliant__model_contact_pair *own = pliant__contact_pair(s->model, body, number_of(s, collider));
    return own && own->adhesion > 0
               ? (PLIANT__PAIR_REACH - 1) * (s->model->bodies[body].thickness + s->model->colliders[collider].thickness)
               : 0;
}

static void add_materials(const pliant_solver *s, uint32_t body, pliant__facing *f)
{
    const pliant__model_body         *b = &s->model->bodies[body];
    const pliant__model_collider     *c = &s->model->colliders[f->collider];
    const pliant__model_contact_pair *own = pliant__contact_pair(s->model, body, number_of(s, f->collider));
    f->friction_static = combined_friction(b->friction_static, c->friction_static);
    f->friction_dynamic = combined_friction(b->friction_dynamic, c->friction_dynamic);
    f->restitution = r_max(b->restitution, c->restitution);
    if (!own) return;
    f->friction_static = pliant__given(own->friction_static, f->friction_static);
    f->friction_dynamic = pliant__given(own->friction_dynamic, f->friction_dynamic);
    f->restitution = pliant__given(own->restitution, f->restitution);
    f->adhesion = r_max(own->adhesion, 0);
}

/* Where a collider is when the substep begins, as seen from a body: of a frame's motion that the body does not feel it has been carried along. */
static pliant_pose before_of(const pliant_solver *s, size_t body, uint32_t collider)
{
    const pliant_pose        before = s->colliders[collider].before;
    const pliant__frame_now *f = &s->frames[body];
    if (!s->framed || !f->moves) return before;
    return (pliant_pose){pliant__carried(f, before.position), f->turns ? quat_multiply(f->rotation, before.rotation) : before.rotation};
}

static bool is_upright(pliant_quat q) { return q.x == 0 && q.y == 0 && q.z == 0 && q.w == 1; }

static bool is_same(const pliant_pose *a, const pliant_pose *b)
{
    const pliant_vec3 p = a->position, q = b->position;
    return p.x == q.x && p.y == q.y && p.z == q.z && a->rotation.x == b->rotation.x && a->rotation.y == b->rotation.y &&
           a->rotation.z == b->rotation.z && a->rotation.w == b->rotation.w;
}

/* What was prepared of a collider, if a body for which it keeps `grow` away finds it so; else NULL. */
static const pliant__collider_seen *seen_alike(const pliant_solver *s, uint32_t body, uint32_t collider, pliant_real grow)
{
    const pliant__collider_seen *seen = s->contacts->seen ? &s->contacts->seen[collider] : NULL;
    return seen && seen->grow == grow && !(s->framed && s->frames[body].moves) ? seen : NULL;
}

/* Of a collider that is at `before` when the substep begins. */
static void face(const pliant_solver *s, uint32_t body, uint32_t collider, pliant_pose before, const pliant__grown *grown,
                 pliant__facing *f)
{
    *f = (pliant__facing){.collider = collider, .before = before, .after = s->colliders[collider].after, .grown = *grown};
    f->upright = is_upright(f->before.rotation) && is_upright(f->after.rotation);
    f->still = is_same(&f->before, &f->after);
    f->draws = adhesion_reach(s, body, collider);
    add_materials(s, body, f);
}

/* Prepares a collider as it is now. */
static void see_collider(const pliant_solver *s, uint32_t i)
{
    const pliant__collider_now *now = &s->colliders[i];
    pliant__collider_seen      *seen = &s->contacts->seen[i];
    seen->grow = s->model->bodies[0].thickness + s->model->colliders[i].thickness;
    seen->bound = pliant__swept_bound_of(&now->shape, now->before, now->after, seen->grow);
    const pliant__grown grown = pliant__shape_grow(&now->shape, seen->grow);
    face(s, 0, i, now->before, &grown, &seen->facing);
}

static void see_colliders(pliant_solver *s)
{
    for (uint32_t i = 0; s->contacts->seen && i < model_count(s->model, colliders); i++)
        if (!s->colliders[i].off) see_collider(s, i);
}

/* Leads a collider that a part meets to where it is in the part's substep, and prepares it, once in the substep. */
void pliant__meet_collider(const pliant_solver *s, uint32_t i)
{
    struct pliant__contacts *own = s->contacts;
    if (!s->part || own->led[i] == own->turn) return;
    own->led[i] = own->turn;
    pliant__lead_collider(&s->colliders[i], s->substeps, s->substep);
    if (own->seen) see_collider(s, i);
}

/* Whether a body's particles find in a collider what the first body's do, that was prepared as far as it is equal. */
static bool has_first_materials(const pliant_solver *s, uint32_t body)
{
    const pliant__model_body *a = &s->model->bodies[0], *b = &s->model->bodies[body];
    return !model_count(s->model, contact_pairs) && a->friction_static == b->friction_static &&
           a->friction_dynamic == b->friction_dynamic && a->restitution == b->restitution;
}

/* A collider as a body's particles find it: what was prepared, or `own`, filled. */
static const pliant__facing *facing_of(const pliant_solver *s, uint32_t body, uint32_t collider, pliant__facing *own)
{
    const pliant_real            grow = s->model->bodies[body].thickness + s->model->colliders[collider].thickness;
    const pliant__collider_seen *seen = seen_alike(s, body, collider, grow);
    if (seen && has_first_materials(s, body)) return &seen->facing;
    const pliant__grown grown = seen ? seen->facing.grown : pliant__shape_grow(&s->colliders[collider].shape, grow);
    face(s, body, collider, before_of(s, body, collider), &grown, own);
    return own;
}

/* Between the world and the shape's frame; what is not turned need not be turned back. */
static pliant_vec3 into(const pliant__facing *f, pliant_pose pose, pliant_vec3 world)
{
    return f->upright ? v3_sub(world, pose.position) : pose_invert(pose, world);
}

static pliant_vec3 out_of(const pliant__facing *f, pliant_pose pose, pliant_vec3 local)
{
    return f->upright ? v3_add(local, pose.position) : pose_apply(pose, local);
}

/* A particle that was inside already when the substep began (it was put there, or its collider was) must come out, but that is no motion:
 * the start of the substep and where it is now move out together, not faster than PUSH_OUT, so that it gains no speed. What is left
 * inside is let be until the next substep. Returns whether the particle has been moved. */
#define PUSH_OUT 1 /* m/s */

static bool ease_out(pliant_solver *s, pliant__touch *t, const pliant__facing *f, pliant_vec3 surface)
{
    pliant_vec3 start = pliant__slot_x(s->from, t->slot);
    pliant_real deep = v3_dot(t->normal, v3_sub(surface, start));
    if (!(deep > 0)) return false;
    pliant__wide_hit nearest;
    pliant__grown_nearest(&f->grown, d3_widen(into(f, f->before, start)), &nearest);
    deep = r_min(deep, d_narrow(nearest.depth));
    if (!(deep > 0)) return false;
    pliant_real out = r_min(deep, PUSH_OUT * s->substep_rh);
    pliant__set_slot_x(s->from, t->slot, v3_madd(start, t->normal, out));
    if (s->start != s->from) pliant__set_slot_x(s->start, t->slot, v3_madd(pliant__slot_x(s->start, t->slot), t->normal, out));
    pliant__set_slot_x(s->state->x, t->slot, v3_madd(pliant__slot_x(s->state->x, t->slot), t->normal, out));
    if (s->predicted) pliant__set_slot_x(s->predicted, t->slot, v3_madd(pliant__slot_x(s->predicted, t->slot), t->normal, out));
    t->offset -= deep - out;
    return true;
}

/* What it pulls with at the most: it holds on if it was near when the substep began. */
static pliant_real hold_of(const pliant_solver *s, uint32_t slot, const pliant__facing *f)
{
    pliant__wide_hit nearest;
    pliant__grown_nearest(&f->grown, d3_widen(into(f, f->before, pliant__slot_x(s->from, slot))), &nearest);
    return d_narrow(nearest.depth) > -f->draws ? f->adhesion * PLIANT__SLOT(s->state->x, slot)[3] * s->rh * s->rh : 0;
}

/* Returns whether the particle has been moved. */
static bool add_touch(pliant_solver *s, pliant__chunk_now *now, const pliant__model_body *b, uint32_t slot, const pliant__facing *f,
                      const pliant__hit *hit)
{
    if (now->touch_count == now->touch_capacity) {
        now->dropped++;
        return false;
    }
    assert(slot >= b->first_slot && slot - b->first_slot < b->slot_count && PLIANT__SLOT(s->state->x, slot)[3] > 0);
    const uint32_t at = now->first_touch + now->touch_count++;
    pliant__touch *t = &s->contacts->touches[at];
    s->contacts->keys[at] = (pliant__touch_key){slot, f->collider};
    t->slot = slot;
    t->collider = f->collider;
    t->normal = f->upright ? hit->normal : quat_rotate(f->after.rotation, hit->normal);
    t->point = out_of(f, f->after, hit->point);
    t->offset = v3_dot(t->normal, t->point);
    const pliant_vec3 was = f->still ? t->point : out_of(f, f->before, hit->point);
    t->drift = v3_sub(t->point, was);
    pliant_vec3 path = v3_sub(pliant__slot_x(s->state->x, slot), pliant__slot_x(s->from, slot));
    t->approach = v3_dot(t->normal, v3_sub(path, t->drift)) / s->substep_rh;
    t->friction_static = f->friction_static;
    t->friction_dynamic = f->friction_dynamic;
    t->restitution = f->restitution;
    t->hold = f->adhesion > 0 ? hold_of(s, slot, f) : 0;
    t->rolling = -1;
    if (b->rolling_friction >= 0) add_rolling(s, b, t);
    t->lambda = 0;
    t->friction = t->lost = v3(0, 0, 0);
    if (s->contacts->earlier) memset(s->contacts->earlier + 2 * (size_t)at, 0, 2 * sizeof *s->contacts->earlier);
    t->slides = 0;
    return ease_out(s, t, f, was);
}

/* What the teaching codes do: a particle that is predicted inside stays where it was, moved to the nearest point of the surface. */
static void stick(pliant_solver *s, uint32_t slot, const pliant__collider_now *c)
{
    pliant_vec3 predicted = pose_invert(c->after, pliant__slot_x(s->state->x, slot));
    if (!(pliant__shape_nearest(&c->shape, 0, predicted).depth > 0)) return;
    pliant_vec3 start = pose_invert(c->after, pliant__slot_x(s->from, slot));
    pliant__set_slot_x(s->state->x, slot, pose_apply(c->after, pliant__shape_nearest(&c->shape, 0, start).point));
    pliant__forget_history(s->state, slot);
}

static bool meet(pliant_solver *s, pliant__chunk_now *now, const pliant__model_body *b, uint32_t slot, const pliant__facing *f)
{
    pliant_vec3       from = into(f, f->before, pliant__slot_x(s->from, slot)), to = into(f, f->after, pliant__slot_x(s->state->x, slot));
    const pliant__d3  here = d3_widen(from), there = d3_widen(to);
    const pliant_real margin = v3_length(v3_sub(to, from)) + f->draws; /* constraints may yet push it as far again */
    const double      reach = d_max(d_widen(margin), pliant__grown_touch(&f->grown, there));
    pliant__wide_hit  wide;
    if (!pliant__grown_contact(&f->grown, reach, here, there, &wide)) return false;
    const pliant__hit hit = d_narrow_hit(&wide);
    return add_touch(s, now, b, slot, f, &hit);
}

#define NEAR 256u /* so many colliders are looked at together; where more are near a chunk, they come one lot after another */

#define GROUPS (PLIANT__CHUNK / PLIANT__BLOCK) /* words of bits as kernels have them */
#define WORDS PLIANT__CHUNK_WORDS

typedef pliant__chunk_bits bits;

static bits bits_of_groups(const uint16_t *groups)
{
    bits b;
    for (uint32_t w = 0; w < WORDS; w++)
        b.word[w] =
            groups[4 * w] | (uint64_t)groups[4 * w + 1] << 16 | (uint64_t)groups[4 * w + 2] << 32 | (uint64_t)groups[4 * w + 3] << 48;
    return b;
}

static bool is_empty(const bits *b)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < WORDS; w++) any |= b->word[w];
    return !any;
}

static bool has_bit(const bits *b, uint32_t at) { return b->word[at / 64] >> at % 64 & 1; }

static void set_bit(bits *b, uint32_t at) { b->word[at / 64] |= (uint64_t)1 << at % 64; }

static void clear_bit(bits *b, uint32_t at) { b->word[at / 64] &= ~((uint64_t)1 << at % 64); }

/* Of those that are near so many are faced once for all particles, of more each time. Of these so many are met in lanes if they are plain: what is found of
 * them lies on the stack, 32 kB, in float64 60. */
#define FACED 8u
#define IN_LANES 4u

/* A plain shape: the particles that are near it, ascending, which of them meet it, which are to be asked one by one, and where they meet it, by places in that
 * list. */
typedef struct met_in_lanes {
    uint32_t           begin[WORDS + 1]; /* of each 64 particles in the list, which is where the list ends in the last */
    uint16_t           list[PLIANT__CHUNK];
    bits               met, unsure; /* by particle */
    pliant__plain_hits hits;
} met_in_lanes;

/* Colliders near a chunk's paths that its body meets, ascending, and a bit for each of its particles that can move and might touch them. */
typedef struct nearby {
    uint32_t              count, collider[NEAR];
    const pliant__facing *faced[FACED];
    pliant__facing        own[FACED];      /* what some of `faced` are */
    bool                  plain[IN_LANES]; /* it was met in lanes */
    pliant__plain         shape[IN_LANES]; /* then */
    met_in_lanes          lanes[IN_LANES];
    pliant__paths         paths;
    bits                  near[NEAR];
    pliant__box           box[NEAR]; /* of a collider's way, grown by what is kept away from it */

    pliant__nearby_colliders among; /* what they are sought among, and how many of those were looked at */
    uint32_t looked, in_lot;        /* `in_lot`: of a lot, those with boxes that meet that of all paths; it ends with NEAR of them */
} nearby;

const pliant__swept_bound *pliant__bound_of_collider(const pliant_solver *s, const pliant__chunk *chunk, uint32_t c,
                                                     pliant__swept_bound *own)
{
    const pliant__collider_now *now = &s->colliders[c];
    const pliant_real grow = s->model->bodies[chunk->body].thickness + s->model->colliders[c].thickness + adhesion_reach(s, chunk->body, c);
    const pliant__collider_seen *seen = seen_alike(s, chunk->body, c, grow);
    if (seen) return &seen->bound;
    *own = pliant__swept_bound_of(&now->shape, before_of(s, chunk->body, c), now->after, grow);
    return own;
}

/* Adds a collider that some are near. */
static void add_nearby(const pliant_solver *s, const pliant__chunk *chunk, uint32_t c, const bits *near, const pliant__box *box, nearby *n)
{
    n->near[n->count] = *near;
    n->box[n->count] = *box;
    if (n->count < FACED) n->faced[n->count] = facing_of(s, chunk->body, c, &n->own[n->count]);
    n->collider[n->count++] = c;
}

/* Adds a collider if it is near as paths are now. */
static void look_at(const pliant_solver *s, const pliant__chunk *chunk, uint32_t c, const pliant__box *mine, nearby *n)
{
    pliant__swept_bound        own;
    uint16_t                   groups[GROUPS] = {0};
    const pliant__swept_bound *l = pliant__bound_of_collider(s, chunk, c, &own);
    if (!boxes_meet(mine, &l->box)) return;
    s->backend.kernels->swept_bound(l, &n->paths, groups);
    const bits near = bits_of_groups(groups);
    n->in_lot++;
    if (!is_empty(&near)) add_nearby(s, chunk, c, &near, &l->box, n);
}

/* Every collider that was found near the chunk, in one lot. */
static bool take_given(const pliant_solver *s, const pliant__chunk *chunk, nearby *n)
{
    const pliant__given_near *given = s->contacts->given;
    if (n->looked) return false;
    n->looked = 1;
    n->count = 0;
    for (uint32_t i = 0; i < given->count; i++) add_nearby(s, chunk, given->collider[i], &given->near[i], &given->box[i], n);
    return n->count > 0;
}

/* The next lot in which some are near, as paths are now; false if there is none. */
static bool find_nearby(const pliant_solver *s, const pliant__chunk *chunk, nearby *n)
{
    pliant__box mine;
    if (s->contacts->given) return take_given(s, chunk, n);
    if (n->looked && n->looked == n->among.count) return false;
    s->backend.kernels->paths(s->from, s->state->x, chunk->first, chunk->count, &n->paths, &mine);
    if (!n->looked) pliant__find_nearby_colliders(s, (uint32_t)(chunk - s->model->chunks), &mine, &n->among);
    n->count = n->in_lot = 0;
    for (; n->looked < n->among.count && (n->in_lot < NEAR || !n->count); n->looked++) {
        const uint32_t c = pliant__nearby_collider(&n->among, n->looked);
        if (n->in_lot == NEAR) n->in_lot = 0; /* a lot in which none was near */
        if (s->colliders[c].off || !pliant__meets_collider(s->model, chunk->body, c)) continue;
        pliant__meet_collider(s, c);
        look_at(s, chunk, c, &mine, n);
    }
    return n->count > 0;
}

/* Particles with a bit, ascending. */
static void list_near(const bits *near, met_in_lanes *l)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < WORDS; w++) {
        l->begin[w] = count;
        for (uint64_t left = near->word[w]; left; left &= left - 1) l->list[count++] = (uint16_t)(64 * w + (uint32_t)__builtin_ctzll(left));
    }
    l->begin[WORDS] = count;
}

static uint32_t count_of(const met_in_lanes *l) { return l->begin[WORDS]; }

static uint32_t count_bits(uint64_t a)
{
    a -= a >> 1 & 0x5555555555555555;
    a = (a & 0x3333333333333333) + (a >> 2 & 0x3333333333333333);
    return (uint32_t)(((a + (a >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
}

/* The place of a particle in the list of those that are near, of which it is one. */
static uint32_t place_in(const met_in_lanes *l, const bits *near, uint32_t at)
{
    return l->begin[at / 64] + count_bits(near->word[at / 64] & (((uint64_t)1 << at % 64) - 1));
}

/* Bits by particle, of bits by places in a list of those that are near: most often each of these has one, or none does. */
static bits spread(const met_in_lanes *l, const bits *near, const uint16_t *groups)
{
    const uint32_t count = count_of(l), whole = count / PLIANT__BLOCK, rest = (1u << count % PLIANT__BLOCK) - 1;
    bits           out = {{0}};
    bool           all = !rest || groups[whole] == rest;
    for (uint32_t i = 0; i < whole && all; i++) all = groups[i] == 0xffff;
    if (all) return *near;
    for (uint32_t i = 0; i < count; i += PLIANT__BLOCK)
        for (uint32_t left = groups[i / PLIANT__BLOCK]; left; left &= left - 1) set_bit(&out, l->list[i + (uint32_t)__builtin_ctz(left)]);
    return out;
}

/* Plain shapes are met by all particles that are near at once. */
static void meet_in_lanes(const pliant_solver *s, const pliant__chunk *chunk, nearby *n)
{
    for (uint32_t k = 0; k < n->count && k < IN_LANES; k++) {
        const pliant__facing *f = n->faced[k];
        met_in_lanes         *l = &n->lanes[k];
        uint16_t              met[GROUPS], unsure[GROUPS];
        n->plain[k] = pliant__is_plain(f->grown.type) && !s->model->colliders[f->collider].stick;
        if (!n->plain[k]) continue;
        n->shape[k] = (pliant__plain){&f->grown, f->before, f->after, f->upright, f->still, f->draws};
        list_near(&n->near[k], l);
        s->backend.kernels->plain(&n->shape[k], s->from, s->state->x, chunk->first, l->list, count_of(l), met, unsure, &l->hits);
        l->met = spread(l, &n->near[k], met);
        l->unsure = spread(l, &n->near[k], unsure);
    }
}

static bool was_met_in_lanes(const nearby *n, uint32_t k) { return k < IN_LANES && n->plain[k]; }

/* Which of 64 particles touch a collider, or are to be asked. */
static uint64_t left_of(const nearby *n, uint32_t k, uint32_t word)
{
    return was_met_in_lanes(n, k) ? n->lanes[k].met.word[word] | n->lanes[k].unsure.word[word] : n->near[k].word[word];
}

/* Returns whether it has moved the particle. */
static bool find_at(pliant_solver *s, const pliant__chunk *chunk, uint32_t slot, const pliant__facing *f)
{
    if (!s->model->colliders[f->collider].stick)
        return meet(s, &s->chunks[chunk - s->model->chunks], &s->model->bodies[chunk->body], slot, f);
    stick(s, slot, &s->colliders[f->collider]);
    return true;
}

static bool find_faced_anew(pliant_solver *s, const pliant__chunk *chunk, uint32_t slot, uint32_t collider)
{
    pliant__facing own;
    return find_at(s, chunk, slot, facing_of(s, chunk->body, collider, &own));
}

static pliant_vec3 at_place(const pliant_real (*of)[PLIANT__CHUNK], uint32_t i) { return v3(of[0][i], of[1][i], of[2][i]); }

static bool touch_plain(pliant_solver *s, const pliant__chunk *chunk, uint32_t at, const pliant__facing *f, const met_in_lanes *l,
                        uint32_t place)
{
    const pliant__hit hit = {at_place(l->hits.point, place), at_place(l->hits.normal, place), 0};
    return add_touch(s, &s->chunks[chunk - s->model->chunks], &s->model->bodies[chunk->body], chunk->first + at, f, &hit);
}

/* Whether a path, grown by its length, meets a box. */
static bool path_meets(pliant_vec3 from, pliant_vec3 to, const pliant__box *box)
{
    pliant__box path = box_of_nothing();
    box_add(&path, from);
    box_add(&path, to);
    path = box_grown(path, v3_length(v3_sub(to, from)));
    return boxes_meet(&path, box);
}

/* A particle and those near it, by their bits. Once it has been moved, what was found in lanes is not true of it any more, and colliders are asked where it is now:
 * those with boxes that its path met as it was. */
static void find_near(pliant_solver *s, const pliant__chunk *chunk, uint32_t at, const nearby *n)
{
    const pliant_vec3 from = pliant__slot_x(s->from, chunk->first + at), to = pliant__slot_x(s->state->x, chunk->first + at);
    bool              moved = false;
    for (uint32_t k = 0; k < n->count; k++) {
        if (!has_bit(&n->near[k], at) || !path_meets(from, to, &n->box[k])) continue;
        if (k >= FACED)
            moved |= find_faced_anew(s, chunk, chunk->first + at, n->collider[k]);
        else if (moved || !was_met_in_lanes(n, k) || has_bit(&n->lanes[k].unsure, at))
            moved |= find_at(s, chunk, chunk->first + at, n->faced[k]);
        else if (has_bit(&n->lanes[k].met, at))
            moved = touch_plain(s, chunk, at, n->faced[k], &n->lanes[k], place_in(&n->lanes[k], &n->near[k], at));
    }
}

/* Particles that meet one collider alone and are near none that comes later, by the collider, where kernels make the touches: where among a chunk's touches each
 * is to be, by its place in the list of those that are near, else PLIANT__NO_TOUCH. */
typedef struct alone {
    bool     may[IN_LANES], any[IN_LANES]; /* kernels make touches of the body with the collider; and do so of some */
    uint16_t at[IN_LANES][PLIANT__CHUNK];
} alone;

/* Whether kernels make touches of a body with a collider: they know neither adhesion nor what rolls. */
static bool touches_in_lanes(const pliant_solver *s, const pliant__chunk *chunk, uint32_t k, const nearby *n)
{
    return n->plain[k] && !(n->faced[k]->adhesion > 0) && !(s->model->bodies[chunk->body].rolling_friction >= 0);
}

static void touch_in_lanes(pliant_solver *s, const pliant__chunk *chunk, uint32_t k, const alone *a, const nearby *n)
{
    const pliant__facing       *f = n->faced[k];
    const pliant__plain_touches l = {
        .shape = &n->shape[k],
        .hits = &n->lanes[k].hits,
        .collider = f->collider,
        .first = chunk->first,
        .friction_static = f->friction_static,
        .friction_dynamic = f->friction_dynamic,
        .restitution = f->restitution,
        .rh = s->substep_rh,
        .out = PUSH_OUT * s->substep_rh,
        .x = s->state->x,
        .from = s->from,
        .start = s->start != s->from ? s->start : NULL,
        .predicted = s->predicted,
        .touches = s->contacts->touches + s->chunks[chunk - s->model->chunks].first_touch,
    };
    s->backend.kernels->touch(&l, n->lanes[k].list, a->at[k], count_of(&n->lanes[k]));
}

/* Room for touches that kernels make of particles: of those of 64 that have a bit in `these`, each with the collider k of the one `lanes[k]` that has it, too. */
static void take_room(pliant_solver *s, const pliant__chunk *chunk, uint32_t word, uint64_t these, const uint64_t *lanes, const nearby *n,
                      alone *a)
{
    pliant__chunk_now *now = &s->chunks[chunk - s->model->chunks];
    pliant__touch_key *key = s->contacts->keys + now->first_touch;
    const uint32_t     before = now->touch_count, capacity = now->touch_capacity;
    uint32_t           touch = before;
    uint16_t           number[64]; /* of the touch of each */
    uint64_t           left = these;
    for (; left && touch < capacity; left &= left - 1) number[__builtin_ctzll(left)] = (uint16_t)touch++;
    these &= ~left;
    now->dropped += count_bits(left);
    for (uint32_t k = 0; k < n->count && k < IN_LANES; k++) {
        const met_in_lanes *l = &n->lanes[k];
        const uint64_t      own = lanes[k] & these;
        for (uint32_t i = own ? l->begin[word] : 0, end = own ? l->begin[word + 1] : 0; i < end; i++) {
            const uint32_t at = l->list[i] % 64;
            if (!(own >> at & 1)) continue;
            a->at[k][i] = number[at];
            key[number[at]] = (pliant__touch_key){chunk->first + l->list[i], n->collider[k]};
        }
    }
    if (s->contacts->earlier)
        memset(s->contacts->earlier + 2 * ((size_t)now->first_touch + before), 0,
               2 * (size_t)(touch - before) * sizeof *s->contacts->earlier);
    now->touch_count = touch;
}

/* Of 64 particles: bits of those that a kernel touches with a collider; and whether there are any. It gets no particle that is near a collider which comes later:
 * it may move it, and that collider has to be asked where the particle then is. */
static uint64_t alone_with(const alone *a, uint32_t k, uint32_t word, uint64_t one, const nearby *n)
{
    uint64_t lanes = a->may[k] ? one & n->lanes[k].met.word[word] : 0;
    for (uint32_t later = k + 1; later < n->count && lanes; later++) lanes &= ~n->near[later].word[word];
    return lanes;
}

/* Touches of 64 particles. */
static void find_in_word(pliant_solver *s, const pliant__chunk *chunk, uint32_t word, const nearby *n, alone *a)
{
    uint64_t any = 0, more = 0, lanes[IN_LANES] = {0}, one_by_one;
    for (uint32_t k = 0; k < n->count; k++) {
        const uint64_t left = left_of(n, k, word);
        more |= any & left;
        any |= left;
    }
    if (!any) return;
    one_by_one = any;
    for (uint32_t k = 0; k < n->count && k < IN_LANES; k++) {
        lanes[k] = alone_with(a, k, word, any & ~more, n);
        a->any[k] = a->any[k] || lanes[k];
        one_by_one &= ~lanes[k];
    }
    while (any) { /* ascending */
        const uint64_t next = one_by_one ? one_by_one & (~one_by_one + 1) : 0, these = one_by_one ? any & (next - 1) : any;
        if (these) take_room(s, chunk, word, these, lanes, n, a);
        if (next) find_near(s, chunk, 64 * word + (uint32_t)__builtin_ctzll(next), n);
        any &= ~(these | next);
        one_by_one &= ~next;
    }
}

/* Touches of a lot of colliders, those of a particle one after another. */
static void find_in_lot(pliant_solver *s, const pliant__chunk *chunk, nearby *n)
{
    alone a;
    meet_in_lanes(s, chunk, n);
    for (uint32_t k = 0; k < n->count && k < IN_LANES; k++) {
        a.any[k] = false;
        a.may[k] = touches_in_lanes(s, chunk, k, n);
        if (n->plain[k]) memset(a.at[k], 0xff, count_of(&n->lanes[k]) * sizeof *a.at[k]);
    }
    for (uint32_t w = 0; w < WORDS; w++) find_in_word(s, chunk, w, n, &a);
    for (uint32_t k = 0; k < n->count && k < IN_LANES; k++)
        if (a.any[k]) touch_in_lanes(s, chunk, k, &a, n);
}

/* Touches that were found late go to their place: by slot, then by collider. */
void pliant__sort_touches(pliant_solver *s, pliant__chunk_now *now)
{
    pliant__touch     *t = s->contacts->touches + now->first_touch;
    pliant__touch_key *key = s->contacts->keys + now->first_touch;
    for (uint32_t i = now->sorted_touches; i < now->touch_count; i++) {
        const pliant__touch_key late = key[i];
        uint32_t                at = i;
        while (at && (key[at - 1].slot > late.slot || (key[at - 1].slot == late.slot && key[at - 1].collider > late.collider))) at--;
        if (at == i) continue;
        const pliant__touch touch = t[i];
        memmove(t + at + 1, t + at, (i - at) * sizeof *t);
        memmove(key + at + 1, key + at, (i - at) * sizeof *key);
        t[at] = touch;
        key[at] = late;
    }
    now->sorted_touches = now->touch_count;
}

void pliant__find_touches_of(pliant_solver *s, uint32_t index)
{
    const pliant__chunk *chunk = &s->model->chunks[index];
    pliant__chunk_now   *now = &s->chunks[index];
    nearby               n;
    now->touch_count = now->sorted_touches = now->dropped = 0;
    if (s->off.bodies[chunk->body]) return;
    for (n.looked = 0; find_nearby(s, chunk, &n);) {
        const bool first = now->touch_count == 0;
        find_in_lot(s, chunk, &n);
        if (first) now->sorted_touches = now->touch_count; /* of one lot they are in order */
    }
    pliant__sort_touches(s, now);
}

static void find_in_chunk(void *solver, uint32_t index) { pliant__find_touches_of(solver, index); }

/* The place of a collider among those that are near, or PLIANT__NONE. */
static uint32_t place_of(const nearby *n, uint32_t collider)
{
    uint32_t low = 0, high = n->count;
    while (high - low > 4) {
        const uint32_t middle = low + (high - low) / 2;
        if (n->collider[middle] > collider)
            high = middle;
        else
            low = middle;
    }
    while (low < high && n->collider[low] != collider) low++;
    return low < high ? low : PLIANT__NONE;
}

/* Leaves out a particle with a collider that it touches already, and colliders that stick. Returns whether any is left. */
static bool leave_out_touches(const pliant_solver *s, uint32_t index, nearby *n)
{
    const pliant__chunk_now *now = &s->chunks[index];
    const pliant__touch_key *t = s->contacts->keys + now->first_touch;
    for (uint32_t i = 0, k = PLIANT__NONE; i < now->touch_count; i++) {
        const uint32_t at = t[i].slot - s->model->chunks[index].first;
        if (!i || t[i].collider != t[i - 1].collider) k = place_of(n, t[i].collider);
        if (k != PLIANT__NONE) clear_bit(&n->near[k], at);
    }
    bool any = false;
    for (uint32_t k = 0; k < n->count; k++) {
        if (s->model->colliders[n->collider[k]].stick) n->near[k] = (bits){{0}};
        any = any || !is_empty(&n->near[k]);
    }
    return any;
}

/* Particles without a touch, with a path that leads into a collider, constraints included. */
void pliant__find_touches_again(pliant_solver *s, uint32_t index)
{
    const pliant__chunk *chunk = &s->model->chunks[index];
    nearby               n;
    if (s->off.bodies[chunk->body]) return;
    for (n.looked = 0; find_nearby(s, chunk, &n);) {
        if (leave_out_touches(s, index, &n)) find_in_lot(s, chunk, &n);
    }
}

static void keep_beginning(void *solver, uint32_t index)
{
    const pliant_solver *s = solver;
    const pliant__chunk *chunk = &s->model->chunks[index];
    const size_t         at = pliant__slot_numbers(chunk->first);
    if (s->model->bodies[chunk->body].rolling_friction >= 0)
        memcpy(s->contacts->begun + at, s->from + at, pliant__slot_numbers(chunk->count) * sizeof *s->from);
}

void pliant__begin_turn(pliant_solver *s) { s->contacts->turn++; }

void pliant__find_touches(pliant_solver *s)
{
    if (s->part)
        pliant__begin_turn(s);
    else
        see_colliders(s);
    if (s->contacts->begun) pliant__run_chunks_light(s, keep_beginning, PLIANT__MOVE_WORK);
    pliant__run_chunks(s, find_in_chunk, PLIANT__FIND_WORK);
}

static void look_in_chunk(void *solver, uint32_t index) { pliant__find_touches_again(solver, index); }

void pliant__look_again(pliant_solver *s)
{
    see_colliders(s); /* those that yield may have been taken back */
    pliant__run_counted(s, look_in_chunk, (uint32_t)model_count(s->model, chunks), pliant__work_of_particles(s, PLIANT__TOUCH_WORK));
}
