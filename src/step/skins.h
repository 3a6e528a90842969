/* What skins keep. */
#ifndef PLIANT_STEP_SKINS_H
#define PLIANT_STEP_SKINS_H

#include "base/scratch.h"
#include "state/state.h"

#define SKIN_SCRATCH(X)                                                                                                      \
    X(pliant__skin_now, from, array, true, count, 1, "per skin: where the step, or the substep of one that carries, begins") \
    X(pliant__skin_now, to, array, true, count, 1, "where it ends")                                                          \
    X(pliant__skin_now, now, array, true, count, 1, "where this substep ends")                                               \
    X(pliant_vec3, push, array, true, count, 1, "m, how far it has moved its vertex in this substep")

struct pliant__skins {
    SKIN_SCRATCH(SCRATCH_FIELD)
};

#endif
