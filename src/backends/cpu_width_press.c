/* Touches that push their particles, W at a time: what project_touch of contact/contacts.c does of each, to the bit, by the same operations in the same order.
 * The kernel is described in solver/collider_kernels.h. */
#include "backends/lanes.h"
#include "solver/collider_kernels.h"
#include "solver/sweep.h"

#define X(name, parameters, text) extern void PLIANT__OF_WIDTH(name) parameters;
PLIANT__COLLIDER_KERNELS(X)
#undef X

/* W touches: where they lie, as slots, their particles, and bits of those that count. */
typedef struct some_touches {
    pliant_real    *numbers;
    const uint32_t *row, *slot;
    uint32_t        bits;
} some_touches;

KERNEL void load_packs(const some_touches *t, uint32_t number, vvec *three, vreal *fourth)
{
    load_slots(t->numbers + 4 * number, wide_slots(t->row), three, fourth);
}

KERNEL void store_packs(const some_touches *t, uint32_t number, vvec three, vreal fourth)
{
    store_slots(t->numbers + 4 * number, wide_slots(t->row), t->bits, three, fourth);
#if W == 1
    t->numbers[4 * (number + (size_t)t->row[0]) + 3] = fourth;
#endif
}

KERNEL vvec vselect_vec(vmask m, vvec a, vvec b) { return vvec_of(vselect(m, a.x, b.x), vselect(m, a.y, b.y), vselect(m, a.z, b.z)); }

/* move_by */
KERNEL void move_by(vvec *x, vvec *lost, vvec by)
{
    const vvec moved = vadd(*x, by);
    *lost = vadd(*lost, vsub(by, vsub(moved, *x)));
    *x = moved;
}

KERNEL void press_some(some_touches t, pliant_real *positions, const pliant_real *from)
{
    vvec  x, start, normal, drift, friction, lost, coefficients;
    vreal w, unused, offset, hold, lambda, slides;
    load_slots(positions, wide_slots(t.slot), &x, &w);
    load_slots(from, wide_slots(t.slot), &start, &unused);
    load_packs(&t, PLIANT__NORMAL_OFFSET, &normal, &offset);
    load_packs(&t, PLIANT__DRIFT_HOLD, &drift, &hold);
    load_packs(&t, PLIANT__FRICTION_LAMBDA, &friction, &lambda);
    load_packs(&t, PLIANT__LOST_SLIDES, &lost, &slides);
    load_packs(&t, PLIANT__COEFFICIENTS, &coefficients, &unused);

    const vreal C = vdot(normal, x) - offset, pressed = vmax(lambda - C, -hold);
    move_by(&x, &lost, vscale(normal, pressed - lambda));

    const vmask rubs = (pressed > -hold) | (vdot(friction, friction) > vsplat(0));
    vvec        slip = vsub(vsub(x, start), drift), rubbed = x, left = lost;
    slip = vadd(slip, vscale(normal, -vdot(normal, slip)));
    vvec        undone = vsub(friction, slip);
    const vreal press = pressed + hold, length = vlength(undone);
    const vmask slid = length > coefficients.x * press;
    undone = vselect_vec(slid, vscale(undone, coefficients.y * press / length), undone);
    move_by(&rubbed, &left, vsub(undone, friction));

    store_slots(positions, wide_slots(t.slot), t.bits, vselect_vec(rubs, rubbed, x), w);
    store_packs(&t, PLIANT__FRICTION_LAMBDA, vselect_vec(rubs, undone, friction), pressed);
    store_packs(&t, PLIANT__LOST_SLIDES, vselect_vec(rubs, left, lost), vselect(rubs, vselect(slid, vsplat(1), vsplat(0)), slides));
}

void PLIANT__OF_WIDTH(press)(pliant__touch *touches, const uint16_t *at, uint32_t count, pliant_real *positions, const pliant_real *from)
{
    for (uint32_t i = 0; i < count; i += W) {
        uint32_t row[W], slot[W];
        if (count - i >= W && at[i + W - 1] - at[i] == W - 1) { /* side by side, since numbers ascend: the compiler knows where each is */
            pliant__touch *first = touches + at[i];
            for (uint32_t k = 0; k < W; k++) {
                row[k] = PLIANT__TOUCH_PACKS * k;
                slot[k] = first[k].slot;
            }
            press_some((some_touches){(pliant_real *)first, row, slot, EVERY_LANE}, positions, from);
        } else {
            for (uint32_t k = 0; k < W; k++) {
                const uint32_t own = at[i + k < count ? i + k : count - 1];
                row[k] = PLIANT__TOUCH_PACKS * own;
                slot[k] = touches[own].slot;
            }
            press_some((some_touches){(pliant_real *)touches, row, slot, count - i < W ? (1u << (count - i)) - 1 : EVERY_LANE}, positions,
                       from);
        }
    }
}
