/* Plastic flow: how far a constraint's shape at rest goes with the shape that it is forced into.
 *
 * The strain e of a constraint is measured from its rest now, the plastic strain p of that rest from the rest that the scene gave it. Beyond
 * |e| = yield + hardening |p| it flows: p goes after e until that holds, at once or by a share in each substep,
 *   dp = (|e| - yield - hardening |p|) share,   share = 1 / (1 + hardening), or (1 - exp(-creep (1 + hardening) h)) / (1 + hardening),
 * which is what dp/dt = creep (|e| - yield - hardening |p|) gives while what it is forced into is held. |p| stops at the law's largest.
 * The rest goes towards the shape that there is, and never past it: the elastic energy of the constraint falls, and particles do not move.
 *
 * Source: Müller and Gross 2004, Interactive Virtual Materials, section 3.4 (yield, creep, max), with linear hardening (Simo and Hughes 1998, Computational
 * Inelasticity, section 1.2), and creep as an exponential so that it does not depend on the substeps. */
#ifndef PLIANT_CONSTRAINTS_FLOW_H
#define PLIANT_CONSTRAINTS_FLOW_H

#include "constraints/kernel.h"

/* A law made ready for a substep, one number per lane. */
typedef struct vflow {
    vreal yield;     /* strain; so large that nothing reaches it where the law has none */
    vreal share;     /* of what is beyond it */
    vreal hardening; /* strain per plastic strain */
    vreal most;      /* plastic strain */
} vflow;

#define FLOW_LARGEST K(1e6) /* what is strained by more is about to diverge: it does not flow */

/* By how much the plastic strain changes; 0 below the yield. */
KERNEL vreal plastic_change(vflow law, vreal strain, vreal plastic)
{
    const vmask back = strain < vsplat(0);
    const vreal excess = vmax(vabs(strain) - (law.yield + law.hardening * vabs(plastic)), vsplat(0)); /* of a NaN 0 */
    const vreal room = vmax(law.most - vflip(back, plastic), vsplat(0));
    return vkeep(vabs(strain) < FLOW_LARGEST, vflip(back, vmin(excess * law.share, room)));
}

#endif
