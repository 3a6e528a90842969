/* Where particles meet planes, balls, capsules and boxes, D at a time in double: what pliant__grown_contact finds of each, to the bit, by the same
 * operations in the same order (collide/contact.c, nearest.c, sweep.c have the rules). A path or a distance with a square
 * below 1e-200 or above 1e200 m2 is not told here, but for a path of length 0. The kernel is described in solver/collider_kernels.h. */
#include "backends/doubles.h"
#include "collide/grown.h"
#include "solver/collider_kernels.h"
#include "solver/sweep.h"

#define X(name, parameters, text) extern void PLIANT__OF_WIDTH(name) parameters;
PLIANT__COLLIDER_KERNELS(X)
#undef X

#define FEW 2 /* so many particles, or fewer, are left to be asked one by one, which is less work */

/* W paths as seen from a shape, and the distance up to which they are near it, m. */
typedef struct seen {
    pliant_real from[3][W], to[3][W], margin[W];
} seen;

KERNEL vvec splat(pliant_vec3 a) { return vvec_of(vsplat(a.x), vsplat(a.y), vsplat(a.z)); }

/* quat_rotate */
KERNEL vvec rotate(pliant_quat q, vvec v)
{
    const vvec u = splat(v3(q.x, q.y, q.z)), t = vscale(vcross(u, v), vsplat(2));
    return vadd(vadd(v, vscale(t, vsplat(q.w))), vcross(u, t));
}

KERNEL vvec into(const pliant__plain *l, pliant_pose pose, vvec world)
{
    const vvec off = vsub(world, splat(pose.position));
    return l->upright ? off : rotate(quat_conjugate(pose.rotation), off);
}

/* Particles of a list, W at a time; past its end, its last. */
KERNEL void read_list(const uint16_t *list, uint32_t first, uint32_t count, uint32_t more, uint32_t *out)
{
    for (uint32_t i = 0; i < W; i++) out[i] = more + list[first + i < count ? first + i : count - 1];
}

KERNEL uint32_t lanes_left(uint32_t first, uint32_t count) { return count - first < W ? (1u << (count - first)) - 1 : EVERY_LANE; }

KERNEL void see(const pliant__plain *l, const pliant_real *start, const pliant_real *x, const uint32_t *slot, seen *out)
{
    vvec  a, b;
    vreal w;
    load_slots(start, wide_slots(slot), &a, &w);
    load_slots(x, wide_slots(slot), &b, &w);
    const vvec from = into(l, l->before, a), to = into(l, l->after, b);
    store_lanes(out->from[0], from.x), store_lanes(out->from[1], from.y), store_lanes(out->from[2], from.z);
    store_lanes(out->to[0], to.x), store_lanes(out->to[1], to.y), store_lanes(out->to[2], to.z);
    store_lanes(out->margin, vlength(vsub(to, from)) + vsplat(l->draws));
}

typedef struct vd3 {
    vdouble x, y, z;
} vd3;

KERNEL vd3     vd3_sub(vd3 a, vd3 b) { return (vd3){a.x - b.x, a.y - b.y, a.z - b.z}; }
KERNEL vd3     vd3_madd(vd3 a, vd3 b, vdouble s) { return (vd3){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s}; }
KERNEL vdouble vd3_dot(vd3 a, vd3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
KERNEL vd3     vd3_chosen(vchoice which, vd3 a, vd3 b)
{
    return (vd3){chosen(which, a.x, b.x), chosen(which, a.y, b.y), chosen(which, a.z, b.z)};
}

KERNEL vdouble wide_at(const pliant_real *of) { return within(load_doubles(of), -1e60, 1e60); }

KERNEL vd3 seen_at(pliant_real of[3][W], uint32_t i) { return (vd3){wide_at(of[0] + i), wide_at(of[1] + i), wide_at(of[2] + i)}; }

KERNEL void store_narrow(pliant_real *to, vdouble a) { store_doubles(to, within(a, -(double)PLIANT__REAL_MAX, (double)PLIANT__REAL_MAX)); }

/* A pliant__wide_hit of each. */
typedef struct vhit {
    vd3     point, normal;
    vdouble depth;
} vhit;

KERNEL vhit hit_chosen(vchoice which, vhit a, vhit b)
{
    return (vhit){vd3_chosen(which, a.point, b.point), vd3_chosen(which, a.normal, b.normal), chosen(which, a.depth, b.depth)};
}

/* d3_split, where its square is in range; and where that is. */
KERNEL vdouble split(vd3 v, vd3 *direction, vchoice *told)
{
    const vdouble square = vd3_dot(v, v), length = root_of(square);
    *told = all_of(square > number_of(1e-200), square < number_of(1e200));
    *direction = (vd3){v.x / length, v.y / length, v.z / length};
    return length;
}

KERNEL vchoice no_choice(void) { return number_of(0) > number_of(0); }

/* What a path meets. */
typedef struct vmeets {
    vhit    hit;
    vdouble deep; /* the path begins so deep */
    vchoice met, unsure;
} vmeets;

/* ---- planes ---- */

/* pliant__grown_touch of a plane */
KERNEL vdouble plane_touch(const pliant__grown *g, vd3 p)
{
    return number_of(g->touch) + number_of(16 * (double)PLIANT__REAL_EPSILON) * larger_of(size_of(p.x), size_of(p.z));
}

/* pliant__plane_contact */
KERNEL vmeets meet_plane(const pliant__grown *g, vd3 from, vd3 to, vdouble margin)
{
    const vdouble height = number_of(g->half[1]), zero = number_of(0), reach = larger_of(margin, plane_touch(g, to)),
                  above = from.y - height, fall = from.y - to.y, depth = height - to.y;
    const vchoice enters = all_of(all_of(none_of(above < -plane_touch(g, from)), fall > zero), none_of(to.y > height)),
                  far = all_of(depth < zero, -depth >= reach);
    const vdouble time = within(above / fall, 0, 1);
    const vd3     point = {chosen(enters, from.x + (to.x - from.x) * time, to.x), height,
                           chosen(enters, from.z + (to.z - from.z) * time, to.z)};
    return (vmeets){{point, {zero, number_of(1), zero}, depth}, height - from.y, any_of(enters, none_of(far)), no_choice()};
}

/* ---- balls and capsules ---- */

/* pliant__grown_nearest */
KERNEL vhit nearest_round(const pliant__grown *g, bool ball, vd3 p, vchoice *unsure)
{
    const vdouble zero = number_of(0), radius = number_of(g->radius), y = ball ? zero : within(p.y, -g->half_height, g->half_height);
    vhit          hit;
    vchoice       told;
    const vdouble distance = split((vd3){p.x, p.y - y, p.z}, &hit.normal, &told);
    hit.point = vd3_madd((vd3){zero, y, zero}, hit.normal, radius);
    hit.depth = radius - distance;
    *unsure = any_of(*unsure, none_of(told));
    return hit;
}

/* pliant__enter_round */
KERNEL vchoice enter_round(vdouble radius, vd3 a, vd3 d, vdouble *time, vchoice *unsure)
{
    const vdouble zero = number_of(0), square = vd3_dot(d, d), along = vd3_dot(a, d), middle = -along / square;
    const vchoice nears = all_of(square > number_of(1e-200), along < zero);
    vd3           unused;
    vchoice       told;
    const vdouble distance = split(vd3_madd(a, d, middle), &unused, &told),
                  t = middle - root_of((radius - distance) * (radius + distance) / square);
    *unsure = any_of(*unsure, all_of(nears, none_of(told)));
    *time = chosen(t > zero, t, zero);
    return all_of(all_of(nears, distance < radius), none_of(t > number_of(1)));
}

/* Where a path from outside first enters: above 1 where it does not. */
KERNEL vdouble first_entry(const pliant__grown *g, bool ball, vd3 a, vd3 d, vchoice *unsure)
{
    const vdouble radius = number_of(g->radius), zero = number_of(0), h = number_of(ball ? 0 : g->half_height);
    const bool    side = !ball && g->half_height > 0;
    vdouble       first = number_of(2), t;
    vchoice       enters;
    if (side) {
        enters = enter_round(radius, (vd3){a.x, zero, a.z}, (vd3){d.x, zero, d.z}, &t, unsure);
        first = chosen(all_of(enters, none_of(size_of(a.y + t * d.y) > h)), t, first);
    }
    enters = enter_round(radius, (vd3){a.x, a.y - h, a.z}, d, &t, unsure);
    first = chosen(all_of(enters, t < first), t, first);
    if (!side) return first;
    enters = enter_round(radius, (vd3){a.x, a.y + h, a.z}, d, &t, unsure);
    return chosen(all_of(enters, t < first), t, first);
}

/* ---- boxes ---- */

/* pliant__grown_nearest: outside, and inside out through the nearest face, y before x before z. */
KERNEL vhit nearest_box(const pliant__grown *g, vd3 p, vchoice *unsure)
{
    const vdouble zero = number_of(0), one = number_of(1);
    const vd3     q = {within(p.x, -g->half[0], g->half[0]), within(p.y, -g->half[1], g->half[1]), within(p.z, -g->half[2], g->half[2])},
              deep = {number_of(g->half[0]) - size_of(p.x), number_of(g->half[1]) - size_of(p.y), number_of(g->half[2]) - size_of(p.z)},
              sign = {chosen(p.x < zero, -one, one), chosen(p.y < zero, -one, one), chosen(p.z < zero, -one, one)};
    const vchoice outside = any_of(any_of(any_of(q.x<p.x, q.x> p.x), any_of(q.y<p.y, q.y> p.y)), any_of(q.z<p.z, q.z> p.z)),
                  by_x = deep.x < deep.y, by_z = deep.z < chosen(by_x, deep.x, deep.y), x = all_of(by_x, none_of(by_z)),
                  y = none_of(any_of(by_x, by_z));
    const vhit in = {{chosen(x, sign.x * number_of(g->half[0]), q.x), chosen(y, sign.y * number_of(g->half[1]), q.y),
                      chosen(by_z, sign.z * number_of(g->half[2]), q.z)},
                     {chosen(x, sign.x, zero), chosen(y, sign.y, zero), chosen(by_z, sign.z, zero)},
                     chosen(by_z, deep.z, chosen(by_x, deep.x, deep.y))};
    vhit       out = {.point = q};
    vchoice    told;
    out.depth = -split(vd3_sub(p, q), &out.normal, &told);
    *unsure = any_of(*unsure, all_of(outside, none_of(told)));
    return hit_chosen(outside, out, in);
}

/* Of a path in the three slabs: when it enters the last and leaves the first, and which they are. */
typedef struct slabs {
    vdouble enter, leave;
    vchoice face[3], back[3], outside;
} slabs;

KERNEL void pass_slab(double half, double touch, vdouble a, vdouble d, int axis, slabs *s)
{
    const vdouble near = number_of(touch < 0.5 * half ? touch : 0.5 * half), zero = number_of(0), one = number_of(1),
                  side = chosen(d < zero, one, -one), to_face = side * a - number_of(half), to_back = side * a + number_of(half),
                  in = chosen(none_of(size_of(to_face) > near), zero, to_face / size_of(d)),
                  out = chosen(all_of(none_of(size_of(to_back) > near), near > zero), zero, to_back / size_of(d));
    const vchoice goes = size_of(d) > number_of(1e-200), last = all_of(goes, in > s->enter), first = all_of(goes, out < s->leave);
    s->outside = any_of(s->outside, all_of(none_of(goes), none_of(size_of(a) < number_of(half) - near)));
    s->enter = chosen(last, in, s->enter);
    s->leave = chosen(first, out, s->leave);
    for (int i = 0; i < 3; i++) {
        s->face[i] = i == axis ? any_of(s->face[i], last) : all_of(s->face[i], none_of(last));
        s->back[i] = i == axis ? any_of(s->back[i], first) : all_of(s->back[i], none_of(first));
    }
}

/* pliant__grown_sweep; the depth is left to the caller. */
KERNEL vchoice sweep_box(const pliant__grown *g, vd3 a, vd3 d, vhit *hit)
{
    const vdouble zero = number_of(0), one = number_of(1);
    const vchoice no = no_choice();
    slabs         s = {number_of(-1), number_of(2), {no, no, no}, {no, no, no}, no};
    pass_slab(g->half[0], g->touch, a.x, d.x, 0, &s);
    pass_slab(g->half[1], g->touch, a.y, d.y, 1, &s);
    pass_slab(g->half[2], g->touch, a.z, d.z, 2, &s);
    const vchoice some = any_of(any_of(s.face[0], s.face[1]), s.face[2]),
                  same = any_of(any_of(all_of(s.face[0], s.back[0]), all_of(s.face[1], s.back[1])), all_of(s.face[2], s.back[2])),
                  misses = any_of(any_of(s.outside, s.enter < zero),
                                  any_of(s.enter > one, any_of(s.enter > s.leave, all_of(none_of(s.enter < s.leave), none_of(same)))));
    const vd3 n = {chosen(d.x < zero, one, -one), chosen(d.y < zero, one, -one), chosen(d.z < zero, one, -one)},
              q = vd3_madd(a, d, s.enter);
    hit->normal = (vd3){chosen(s.face[0], n.x, zero), chosen(s.face[1], n.y, zero), chosen(s.face[2], n.z, zero)};
    hit->point = (vd3){chosen(s.face[0], n.x * number_of(g->half[0]), within(q.x, -g->half[0], g->half[0])),
                       chosen(s.face[1], n.y * number_of(g->half[1]), within(q.y, -g->half[1], g->half[1])),
                       chosen(s.face[2], n.z * number_of(g->half[2]), within(q.z, -g->half[2], g->half[2]))};
    hit->depth = zero;
    return all_of(some, none_of(misses));
}

/* ---- contacts ---- */

/* pliant__grown_contact of balls, capsules and boxes; of the lanes with a bit in `near`, others may be anything. What no such lane needs is left out. */
KERNEL vmeets meet_solid(const pliant__grown *g, vd3 from, vd3 to, vdouble margin, uint32_t near)
{
    const bool    ball = g->type == PLIANT_SHAPE_SPHERE, box = g->type == PLIANT_SHAPE_BOX;
    const vdouble zero = number_of(0), reach = larger_of(margin, number_of(g->touch));
    const vd3     path = vd3_sub(to, from);
    vd3           unused;
    vchoice       told, unsure = no_choice(), enters, here = no_choice();
    const vdouble length = split(path, &unused, &told);
    const vchoice goes = any_of(any_of(none_of(path.x == zero), none_of(path.y == zero)), none_of(path.z == zero));
    const vhit    start = box ? nearest_box(g, from, &unsure) : nearest_round(g, ball, from, &unsure);
    const vchoice far = -start.depth > number_of(1.000001) * (chosen(goes, length, zero) + reach);
    vhit          at;
    unsure = any_of(unsure, all_of(goes, none_of(told)));
    if (!(near & choice_bits(any_of(none_of(far), unsure)))) return (vmeets){start, start.depth, no_choice(), no_choice()};
    if (box) {
        vhit entry;
        enters = sweep_box(g, from, path, &entry);
        at = hit_chosen(enters, entry, nearest_box(g, to, &unsure));
    } else {
        const vchoice outside = start.depth < zero, on = all_of(none_of(outside), none_of(start.depth > number_of(g->touch)));
        const vchoice short_of = -start.depth > number_of(1.000001) * length + number_of(g->touch),
                      may = all_of(outside, none_of(short_of));
        vdouble first = zero;
        enters = no_choice();
        if (near & choice_bits(may)) {
            vchoice doubts = no_choice();
            first = first_entry(g, ball, from, path, &doubts);
            unsure = any_of(unsure, all_of(may, doubts));
            enters = all_of(may, none_of(first > number_of(1)));
        }
        here = all_of(on, vd3_dot(path, start.normal) < zero);
        at = nearest_round(g, ball, vd3_chosen(enters, vd3_madd(from, path, first), to), &unsure);
    }
    const vchoice crosses = all_of(all_of(vd3_dot(start.normal, at.normal) < zero, vd3_dot(path, start.normal) < zero),
                                   all_of(all_of(start.depth > zero, start.depth < reach), none_of(enters))),
                  stays = none_of(all_of(at.depth < zero, -at.depth >= reach));
    return (vmeets){hit_chosen(any_of(here, crosses), start, at), start.depth,
                    all_of(none_of(far), any_of(any_of(enters, here), any_of(crosses, stays))), unsure};
}

/* Of D of W paths, those from i on: bits of those that meet a shape, and of those that are not told; and where, from place `at` on. */
KERNEL void meet(const pliant__plain *l, seen *s, uint32_t i, uint32_t near, uint32_t *met, uint32_t *unsure, pliant__plain_hits *out,
                 uint32_t at)
{
    const vd3     from = seen_at(s->from, i), to = seen_at(s->to, i);
    const vdouble margin = wide_at(s->margin + i);
    const vmeets  m =
        l->grown->type == PLIANT_SHAPE_PLANE ? meet_plane(l->grown, from, to, margin) : meet_solid(l->grown, from, to, margin, near);
    *met |= (near & choice_bits(m.met)) << i;
    *unsure |= (near & choice_bits(m.unsure)) << i;
    store_narrow(out->deep + at, m.deep);
    store_narrow(out->point[0] + at, m.hit.point.x), store_narrow(out->point[1] + at, m.hit.point.y);
    store_narrow(out->point[2] + at, m.hit.point.z);
    store_narrow(out->normal[0] + at, m.hit.normal.x), store_narrow(out->normal[1] + at, m.hit.normal.y);
    store_narrow(out->normal[2] + at, m.hit.normal.z);
}

void PLIANT__OF_WIDTH(plain)(const pliant__plain *l, const pliant_real *from, const pliant_real *x, uint32_t first, const uint16_t *list,
                             uint32_t count, uint16_t *met, uint16_t *unsure, pliant__plain_hits *hits)
{
    for (uint32_t i = 0; i < count; i += PLIANT__BLOCK) met[i / PLIANT__BLOCK] = unsure[i / PLIANT__BLOCK] = 0;
    if (count <= FEW) {
        if (count) unsure[0] = (uint16_t)((1u << count) - 1);
        return;
    }
    for (uint32_t i = 0; i < count; i += W) {
        const uint32_t lanes = lanes_left(i, count);
        uint32_t       slot[W], meets = 0, doubts = 0;
        seen           s;
        read_list(list, i, count, first, slot);
        see(l, from, x, slot, &s);
        for (uint32_t d = 0; d < W; d += D) {
            const uint32_t near = lanes >> d & ((1u << D) - 1);
            if (near) meet(l, &s, d, near, &meets, &doubts, hits, i + d);
        }
        met[i / PLIANT__BLOCK] |= (uint16_t)((meets & ~doubts) << i % PLIANT__BLOCK);
        unsure[i / PLIANT__BLOCK] |= (uint16_t)(doubts << i % PLIANT__BLOCK);
    }
}

KERNEL vvec vec_of(const pliant_real (*of)[PLIANT__CHUNK], uint32_t i)
{
    return vvec_of(load_lanes(of[0] + i), load_lanes(of[1] + i), load_lanes(of[2] + i));
}

/* ---- touches ---- */

KERNEL vvec out_of(const pliant__plain *l, pliant_pose pose, vvec local)
{
    return vadd(l->upright ? local : rotate(pose.rotation, local), splat(pose.position));
}

KERNEL void move_some(pliant_real *x, const uint32_t *slot, uint32_t bits, vvec normal, vreal by)
{
    vvec  at;
    vreal w;
    load_slots(x, wide_slots(slot), &at, &w);
    store_slots(x, wide_slots(slot), bits, vadd(at, vscale(normal, by)), w);
}

/* ease_out of contact/touches.c: of lanes that began inside. Returns how far their planes move in. */
KERNEL vreal ease_out(const pliant__plain_touches *l, const uint32_t *slot, uint32_t bits, vvec normal, vreal deep, vreal nearest)
{
    const vreal least = vmin(deep, nearest), out = vmin(least, vsplat(l->out));
    const vmask eases = vboth(deep > vsplat(0), least > vsplat(0));
    bits &= bits_of(eases);
    if (!bits) return vsplat(0);
    move_some(l->from, slot, bits, normal, out);
    if (l->start) move_some(l->start, slot, bits, normal, out);
    move_some(l->x, slot, bits, normal, out);
    if (l->predicted) move_some(l->predicted, slot, bits, normal, out);
    return vkeep(eases, least - out);
}

/* Packs of W lanes, so that each can be copied to its touch. */
typedef struct lane_packs {
    pliant_real of[4 * W] __attribute__((aligned(sizeof(vreal))));
} lane_packs;

KERNEL lane_packs packs_of(vvec three, vreal fourth)
{
    lane_packs p;
#if W == 1
    p.of[0] = three.x, p.of[1] = three.y, p.of[2] = three.z, p.of[3] = fourth;
#else
    vreal groups[4];
    turn_back(groups, three, fourth);
    memcpy(p.of, groups, sizeof p.of);
#endif
    return p;
}

KERNEL void put_pack(pliant__touch *t, uint32_t number, const pliant_real *four)
{
    memcpy((pliant_real *)t + 4 * (size_t)number, four, 4 * sizeof *four);
}

KERNEL uint32_t pack_at(uint32_t lane) { return W == 1 ? 0 : lane % 4 * W + lane / 4 * 4; }

void PLIANT__OF_WIDTH(touch)(const pliant__plain_touches *l, const uint16_t *list, const uint16_t *at, uint32_t count)
{
    const pliant_real nothing[4] = {0, 0, 0, 0}, coefficients[4] = {l->friction_static, l->friction_dynamic, l->restitution, -1};
    for (uint32_t i = 0; i < count; i += W) {
        uint32_t slot[W], bits = 0;
        for (uint32_t k = 0; k < W && i + k < count; k++) bits |= (uint32_t)(at[i + k] != PLIANT__NO_TOUCH) << k;
        if (!bits) continue;
        const vvec  local = vec_of(l->hits->normal, i), q = vec_of(l->hits->point, i);
        const vreal deep = load_lanes(l->hits->deep + i);
        vvec        from, to;
        vreal       unused;
        read_list(list, i, count, l->first, slot);
        load_slots(l->from, wide_slots(slot), &from, &unused);
        load_slots(l->x, wide_slots(slot), &to, &unused);
        const vvec normal = l->shape->upright ? local : rotate(l->shape->after.rotation, local),
                   point = out_of(l->shape, l->shape->after, q), was = l->shape->still ? point : out_of(l->shape, l->shape->before, q),
                   drift = vsub(point, was);
        const vreal approach = vdot(normal, vsub(vsub(to, from), drift)) / vsplat(l->rh),
                    offset = vdot(normal, point) - ease_out(l, slot, bits, normal, vdot(normal, vsub(was, from)), deep);
        const lane_packs normals = packs_of(normal, offset), drifts = packs_of(drift, vsplat(0)), points = packs_of(point, approach);
        for (; bits; bits &= bits - 1) {
            const uint32_t k = (uint32_t)__builtin_ctz(bits), own = pack_at(k);
            pliant__touch *t = &l->touches[at[i + k]];
            put_pack(t, PLIANT__NORMAL_OFFSET, normals.of + own);
            put_pack(t, PLIANT__DRIFT_HOLD, drifts.of + own);
            put_pack(t, PLIANT__FRICTION_LAMBDA, nothing);
            put_pack(t, PLIANT__LOST_SLIDES, nothing);
            put_pack(t, PLIANT__COEFFICIENTS, coefficients);
            put_pack(t, PLIANT__POINT_APPROACH, points.of + own);
            t->slot = slot[k];
            t->collider = l->collider;
        }
    }
}
