/* The table of a width's kernels: those of each kind of constraint (backends/kind_kernels.h, one file of the build each), and those that are
 * of no kind. Compiled once per width. */
#include "solver/sweep.h"

#define X(name, parameters, text) extern void PLIANT__OF_WIDTH(name) parameters;
PLIANT__PARTICLE_KERNELS(X)
PLIANT__PAIR_KERNELS(X)
PLIANT__POINT_KERNELS(X)
PLIANT__COLLIDER_KERNELS(X)
PLIANT__CELL_KERNELS(X)
#undef X
extern void PLIANT__OF_WIDTH(project_clusters)(const pliant__sweep *sweep, const pliant__batch *first);

#define ROW(NAME, name, ...) extern const pliant__kind_kernels PLIANT__OF_WIDTH(kernels_of_##name);
PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW

extern const pliant__kernels PLIANT__OF_WIDTH(kernels);
const pliant__kernels        PLIANT__OF_WIDTH(kernels) = {
           PLIANT_W,
#define X(name, parameters, text) PLIANT__OF_WIDTH(name),
    PLIANT__PARTICLE_KERNELS(X) PLIANT__PAIR_KERNELS(X) PLIANT__POINT_KERNELS(X) PLIANT__COLLIDER_KERNELS(X){PLIANT__CELL_KERNELS(X)},
#undef X
    PLIANT__OF_WIDTH(project_clusters),
    {
#define ROW(NAME, name, ...) &PLIANT__OF_WIDTH(kernels_of_##name),
        PLIANT_CONSTRAINT_TABLE(ROW)
#undef ROW
    },
};
