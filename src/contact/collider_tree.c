/* Which colliders may be near a chunk's paths, by a tree over the boxes of their whole ways in a step.
 *
 * A collider is found if its swept bound (swept_bounds.c) meets the box in question, and some are found beside: the swept bound decides. So a step is the same with the tree
 * as without.
 *
 * A collider's box is that of its shape where the step begins, grown by twice what any body is kept away from it and by three times its way in the step. A
 * shape that is grown by g has no point farther from the shape than sqrt(3) g, at a box's corners; no point of it goes farther than its way; and a swept bound is
 * grown by the way of its substep, sqrt(3) times that at corners. Planes have no end and are in no tree.
 *
 * A body in a moving frame sees a collider begin a substep elsewhere: carried along by the frame's motion that the body does not feel (touches.c,
 * before_of), and turned with it. How far it is carried grows with the distance from the frame's origin, so a node is asked with a box that is grown by three
 * times as far as any point of the node is carried. Where any frame moves a collider's box has room for a shape that is turned as it likes at both ends of a
 * swept bound: no point of that is farther from the position where the substep ends than the swept bound's way, the radius, and sqrt(3) times what it is grown by, its
 * way (a turn moves a point by no more than two radii) among that; and that position is no farther than the step's way from where the step begins.
 *
 * A chunk asks twice in each substep, and goes little farther from one to the next. So it asks with a box that is larger, and what is found is kept for the
 * step: while its paths stay within that box, nothing else can be near. */
#include "contact/collider_tree.h"

#include "collide/grown.h"
#include "contact/contacts.h"
#include "solver/pair_kernels.h"
#include "solver/solver.h"

#include <string.h>

#define LEAF 4u     /* colliders of a leaf */
#define FEW 4u      /* no more than so many are all asked about, without a tree */
#define DEEP 64u    /* nodes that wait while the tree is walked: one for each of 32 levels, and some */
#define SLACK K(16) /* units in the last place of coordinates that rounding may take */

static const pliant__model_collider *model_of(const pliant_solver *s, uint32_t i)
{
    return &s->model->colliders[s->contacts->tree.bounded[i]];
}

/* ---- making ---- */

static bool is_bounded(const pliant__model_collider *c) { return c->shape != PLIANT_SHAPE_PLANE; }

/* How far any body is kept away from colliders, or drawn to them, at the most, beside what the collider's own thickness adds. */
static void measure_bodies(pliant_solver *s)
{
    pliant__collider_tree *t = &s->contacts->tree;
    for (size_t i = 0; i < model_count(s->model, bodies); i++) t->thickest = r_max(t->thickest, s->model->bodies[i].thickness);
    t->draws = false;
    for (size_t i = 0; i < model_count(s->model, contact_pairs); i++) t->draws = t->draws || s->model->contact_pairs[i].adhesion > 0;
}

bool pliant__make_collider_tree(pliant_solver *s)
{
    pliant__collider_tree  *t = &s->contacts->tree;
    const pliant_allocator *a = &s->allocator;
    const uint32_t          count = (uint32_t)model_count(s->model, colliders);
    if (count <= FEW) return true;
    t->bounded = pliant__alloc_array(a, count, sizeof *t->bounded);
    t->unbounded = pliant__alloc_array(a, count, sizeof *t->unbounded);
    if (!t->bounded || !t->unbounded) return false;
    uint32_t bounded = 0;
    for (uint32_t c = 0; c < count; c++) {
        if (is_bounded(&s->model->colliders[c]))
            t->bounded[bounded++] = c;
        else
            t->unbounded[t->unbounded_count++] = c;
    }
    measure_bodies(s);
    t->box = pliant__alloc_array(a, bounded, sizeof *t->box);
    t->kept = pliant__alloc_array(a, model_count(s->model, chunks), sizeof *t->kept);
    return t->box && t->kept && pliant__tree_create(a, bounded, LEAF, &t->tree);
}

void pliant__free_collider_tree(pliant_solver *s)
{
    pliant__collider_tree *t = &s->contacts->tree;
    pliant__tree_destroy(&s->allocator, &t->tree);
    pliant__free(&s->allocator, t->box);
    pliant__free(&s->allocator, t->kept);
    pliant__free(&s->allocator, t->bounded);
    pliant__free(&s->allocator, t->unbounded);
}

/* ---- fitting ---- */

static bool is_finite(pliant_real a) { return a - a == 0; }

/* What rounding may take of a box's coordinates, beside those that have no end. */
static pliant_real rounding_of(const pliant__box *b)
{
    const pliant_real at[6] = {-b->low.x, -b->low.y, -b->low.z, b->high.x, b->high.y, b->high.z};
    pliant_real       most = 0;
    for (int i = 0; i < 6; i++) most = is_finite(at[i]) ? r_max(most, r_abs(at[i])) : most;
    return SLACK * PLIANT__REAL_EPSILON * most;
}

/* A height field has no bottom. */
static bool is_endless(const pliant__shape *shape)
{
    pliant__box b;
    pliant__shape_bounds(shape, 0, pliant_pose_identity(), &b.low, &b.high);
    const pliant_vec3 size = v3_sub(b.high, b.low);
    return !is_finite(size.x) || !is_finite(size.y) || !is_finite(size.z);
}

static bool turns(const pliant__collider_now *c)
{
    const pliant_quat p = c->from.rotation, q = c->to.rotation;
    return p.x != q.x || p.y != q.y || p.z != q.z || p.w != q.w;
}

static pliant__box box_of_step(const pliant_solver *s, uint32_t i)
{
    const pliant__collider_now *c = &s->colliders[s->contacts->tree.bounded[i]];
    const pliant_real           keep = s->contacts->tree.thickest + model_of(s, i)->thickness,
                      most = s->contacts->tree.draws ? PLIANT__PAIR_REACH * keep : keep;
    const pliant_real way = pliant__way_reach(&c->shape, c->from, c->to);
    const pliant_vec3 all = v3((pliant_real)INFINITY, (pliant_real)INFINITY, (pliant_real)INFINITY);
    pliant__box       b = {c->from.position, c->from.position};
    if ((s->framed || turns(c)) && is_endless(&c->shape))
        return (pliant__box){v3_scale(all, -1), all}; /* what has no end may be anywhere when turned */
    if (s->framed)
        b = box_grown(b, 2 * most + 4 * way + 5 * pliant__shape_radius(&c->shape));
    else
        pliant__shape_bounds(&c->shape, 2 * most + 3 * way, c->from, &b.low, &b.high);
    return box_grown(b, rounding_of(&b));
}

void pliant__fit_collider_tree(pliant_solver *s)
{
    pliant__collider_tree *t = &s->contacts->tree;
    if (!t->bounded) return;
    for (uint32_t i = 0; i < t->tree.count; i++) t->box[i] = box_of_step(s, i);
    pliant__tree_fit(&t->tree, t->box);
    for (size_t i = 0; i < model_count(s->model, chunks); i++) t->kept[i].count = PLIANT__NONE;
}

/* ---- asking ---- */

/* How far a frame carries a point of a box at the most. */
static pliant_real carried_by(const pliant__frame_now *f, const pliant__box *b)
{
    const pliant_vec3 low = v3_sub(b->low, f->origin), high = v3_sub(b->high, f->origin);
    const pliant_vec3 far = v3(r_max(-low.x, high.x), r_max(-low.y, high.y), r_max(-low.z, high.z));
    const pliant_quat q = f->rotation;
    const pliant_real chord = f->turns ? 2 * r_sqrt(q.x * q.x + q.y * q.y + q.z * q.z) : 0;
    return v3_length(f->by) + (chord > 0 ? chord * v3_length(far) : 0) + rounding_of(b);
}

static bool may_meet(const pliant__frame_now *moving, const pliant__box *mine, const pliant__box *node)
{
    if (!moving) return boxes_meet(mine, node);
    const pliant__box grown = box_grown(*mine, 3 * carried_by(moving, node));
    return boxes_meet(&grown, node);
}

static void sort_numbers(uint32_t *number, uint32_t count)
{
    for (uint32_t gap = count / 2; gap; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (uint32_t i = gap; i < count; i++) {
            const uint32_t held = number[i];
            uint32_t       at = i;
            for (; at >= gap && number[at - gap] > held; at -= gap) number[at] = number[at - gap];
            number[at] = held;
        }
}

/* Adds colliders of the tree that are on and have boxes that may meet `mine`; false where `out` has no room for them. */
static bool walk(const pliant__collider_tree *t, const pliant__collider_now *now, const pliant__frame_now *moving, const pliant__box *mine,
                 pliant__nearby_colliders *out)
{
    uint32_t stack[DEEP], top = 0;
    if (t->tree.count) stack[top++] = 0;
    while (top) {
        const uint32_t n = stack[--top], first = t->tree.leaves - 1;
        if (!may_meet(moving, mine, &t->tree.node[n])) continue;
        if (n < first) {
            stack[top++] = 2 * n + 2;
            stack[top++] = 2 * n + 1;
            continue;
        }
        for (uint32_t i = (n - first) * LEAF; i < (n - first + 1) * LEAF && i < t->tree.count; i++) {
            const uint32_t e = t->tree.order[i];
            if (now[t->bounded[e]].off || !may_meet(moving, mine, &t->box[e])) continue;
            if (out->count == PLIANT__NEARBY_COLLIDERS) return false;
            out->collider[out->count++] = t->bounded[e];
        }
    }
    return true;
}

/* Fills `out` from the tree and what has no end. */
static void ask(const pliant_solver *s, const pliant__frame_now *moving, const pliant__box *mine, pliant__nearby_colliders *out)
{
    const pliant__collider_tree *t = &s->contacts->tree;
    for (out->count = 0; out->count < t->unbounded_count; out->count++) out->collider[out->count] = t->unbounded[out->count];
    out->all = !walk(t, s->colliders, moving, mine, out);
    if (out->all)
        out->count = (uint32_t)model_count(s->model, colliders);
    else
        sort_numbers(out->collider, out->count);
}

static bool is_within(const pliant__box *a, const pliant__box *b)
{
    return a->low.x >= b->low.x && a->low.y >= b->low.y && a->low.z >= b->low.z && a->high.x <= b->high.x && a->high.y <= b->high.y &&
           a->high.z <= b->high.z;
}

/* The box that a chunk asks with: an eighth of its longest side larger. */
static pliant__box box_to_keep(const pliant__box *mine)
{
    const pliant_vec3 size = v3_sub(mine->high, mine->low);
    return box_grown(*mine, r_max(size.x, r_max(size.y, size.z)) / 8);
}

void pliant__find_nearby_colliders(const pliant_solver *s, uint32_t chunk, const pliant__box *mine, pliant__nearby_colliders *out)
{
    const pliant__collider_tree *t = &s->contacts->tree;
    const uint32_t               body = s->model->chunks[chunk].body;
    const pliant__frame_now     *moving = s->framed && s->frames[body].moves ? &s->frames[body] : NULL;
    out->all = true;
    out->count = (uint32_t)model_count(s->model, colliders);
    if (!t->bounded || t->unbounded_count > PLIANT__NEARBY_COLLIDERS) return;
    if (moving) {
        ask(s, moving, mine, out);
        return;
    }
    pliant__kept_colliders *kept = &t->kept[chunk];
    if (kept->count != PLIANT__NONE && is_within(mine, &kept->box)) {
        out->all = false;
        out->count = kept->count;
        memcpy(out->collider, kept->collider, kept->count * sizeof *kept->collider);
        return;
    }
    kept->box = box_to_keep(mine);
    ask(s, NULL, &kept->box, out);
    kept->count = out->all || out->count > PLIANT__KEPT_COLLIDERS ? PLIANT__NONE : out->count;
    if (kept->count != PLIANT__NONE) memcpy(kept->collider, out->collider, kept->count * sizeof *kept->collider);
}
