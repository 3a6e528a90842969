/* What the solver hands to a kernel that walks a batch, and the table of such kernels: the seam between step and backends. */
#ifndef PLIANT_SOLVER_SWEEP_H
#define PLIANT_SOLVER_SWEEP_H

#include "compile/model.h"
#include "solver/cell_kernels.h"
#include "solver/collider_kernels.h"
#include "solver/pair_kernels.h"

#include <string.h>

/* A law as a substep needs it; lanes copy it. See constraints/project.h. */
typedef struct pliant__law_now {
    pliant_real alpha, gamma, stiffness, low, high, ease;
    bool        soft, damped; /* soft: alpha > 0, or stiffness or ease is not 1 */
} pliant__law_now;

/* How rows of a law flow in a substep: see constraints/flow.h. */
typedef struct pliant__flow_law {
    pliant_real yield, share, hardening, most;
} pliant__flow_law;

/* What rows leave in `sum` when x is not to change. */
enum pliant__gathering {
    PLIANT__SPLIT, /* corrections w grad C dlambda, w counted in the denominator once for each row that touches the particle; lambda goes on */
    PLIANT__AVERAGE, /* corrections where every w is 1 */
    PLIANT__FORCE    /* grad C lambda; lambda stays */
};

typedef struct pliant__sweep {
    const pliant_model *model;
    const uint16_t     *row_index;  /* the model's, or the state's */
    const uint32_t     *wide_index; /* slots of rows where there are no patches, or NULL */
    pliant_real        *x;          /* 4 per slot from `origin` on: position and inverse mass */
    uint32_t            origin;     /* 0, or the first slot of the one range that x holds */
    pliant_real        *lanes;      /* or NULL: groups of a tile, which then takes the place of x; all batches are regular and plain */
    const pliant_real  *start;      /* 4 per slot: position at the start of the substep; NULL where no law asks for it */
    const pliant_real  *anchors; /* per anchor of the model's list 4 as in x and 4 as in start; NULL: they are read there, from origin 0 */
    pliant_real        *lambda;  /* NULL where neither a law nor a caller needs it */
    const uint16_t     *active;  /* per block of packed rows, a bit each */
    pliant_real        *flow;    /* parameters of batches that flow, the state's */
    const pliant__law_now   *laws;
    const pliant__model_law *given_laws;       /* laws as the inputs have them: numbers of kinds with some */
    const pliant__flow_law  *flow_laws;        /* per law; only where rows flow */
    bool                     far;              /* the model is larger than the nearest caches: rows are fetched ahead */
    bool                     first;            /* first iteration: lambda counts as 0 */
    bool                     softened, damped; /* rows with laws of their own may be compliant or damped, whatever their batch says */
    pliant_real             *sum;              /* gathering: 4 per slot, what rows add up to and how many rows touch it */
    enum pliant__gathering   gathering;
} pliant__sweep;

/* All numbers of a row that its text takes: its parameters, as they are now, and those of its law as the inputs have it. */
static inline void pliant__row_numbers(const pliant_model *m, const pliant_real *flow, const pliant__model_law *laws,
                                       const pliant__batch *b, uint32_t row, pliant_real out[PLIANT_MAX_PARAMETERS + PLIANT_MAX_NUMBERS])
{
    const uint32_t     count = pliant_constraint_describe((pliant_constraint_kind)b->kind)->parameter_count;
    const pliant_real *p = pliant__parameters_now(m, flow, b, row / PLIANT__BLOCK) + row % PLIANT__BLOCK;
    for (uint32_t k = 0; k < count; k++) out[k] = p[k * PLIANT__BLOCK];
    memcpy(out + count, laws[pliant__row_law(m, b, row)].number, sizeof laws->number);
}

/* What rows of a batch have left: |C + alpha~ lambda|, row by row in their order. */
typedef struct pliant__residuals {
    double largest, sum;
    double square; /* sum of its square / (sum of w |grad C|^2 + alpha~): kg m^2 */
} pliant__residuals;

/* Walks blocks [first, first + count) of a batch. */
typedef void pliant__project_function(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count);

/* Rows of a batch one after another, for lanes that hold 16 states: slots and parameters of each, and its law where the batch has none. */
typedef struct pliant__rows {
    const uint32_t    *slot, *law;
    const pliant_real *parameter;
    uint32_t           count;
} pliant__rows;

/* Walks them; sweep->lanes has x y z w of 16 states for every slot, sweep->start likewise. */
typedef void pliant__project_rows_function(const pliant__sweep *sweep, const pliant__batch *batch, const pliant__rows *rows);

/* Walks pieces of batches of one kind, in lanes. */
typedef void pliant__block_runs_function(const pliant__sweep *sweep, const pliant__block_run *block_runs, uint32_t count);

/* Adds the residuals of blocks [first, first + count) of a batch. */
typedef void pliant__measure_function(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count,
                                      pliant__residuals *residuals);

/* The elastic energy, J, of the active rows of blocks [first, first + count) of a batch, each into its place of `energy`, which counts packed
 * rows; the others' places get 0. The sweep's laws are as solver/row_energy.h says. */
typedef void pliant__energy_function(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count,
                                     double *energy);

/* Value and gradients of blocks [first, first + count) of a batch, by lanes like everything of a batch: row r of a constraint has its C at
 * C[(block * rows + r) * 16 + lane], and coordinate c of its gradient with slot s at gradient[(((block * rows + r) * slots + s) * 3 + c) * 16
 * + lane]. Lanes past the batch's last row hold something finite. */
typedef void pliant__linearize_function(const pliant__sweep *sweep, const pliant__batch *batch, uint32_t first, uint32_t count,
                                        pliant_real *C, pliant_real *gradient);

/* What a body's particles do by themselves in a substep: v <- keep v + dv, x += h v, and velocities from where they went. */
typedef struct pliant__motion {
    pliant_real keep, h, per_h, limit2; /* limit2: square of a speed that is too high */
    pliant_vec3 dv, acceleration;       /* m/s in this substep; m/s^2, of uniform forces */
} pliant__motion;

/* The same for lanes that hold bodies of several states, or 16 times one motion. */
typedef struct pliant__lane_motion {
    pliant_real keep[PLIANT__BLOCK], dv[3][PLIANT__BLOCK], h, per_h, limit2;
} pliant__lane_motion;

static inline void pliant__set_lane(pliant__lane_motion *m, uint32_t lane, const pliant__motion *motion)
{
    m->keep[lane] = motion->keep;
    m->dv[0][lane] = motion->dv.x;
    m->dv[1][lane] = motion->dv.y;
    m->dv[2][lane] = motion->dv.z;
    m->h = motion->h;
    m->per_h = motion->per_h;
    m->limit2 = motion->limit2;
}

/* Moments of particles about a point: mass, m r, momentum, angular momentum, m r r^T. */
enum pliant__moment {
    PLIANT__M,
    PLIANT__MX,
    PLIANT__MY,
    PLIANT__MZ,
    PLIANT__PX,
    PLIANT__PY,
    PLIANT__PZ,
    PLIANT__LX,
    PLIANT__LY,
    PLIANT__LZ,
    PLIANT__XX,
    PLIANT__YY,
    PLIANT__ZZ,
    PLIANT__XY,
    PLIANT__YZ,
    PLIANT__ZX,
    PLIANT__MOMENTS
};

/* A rigid motion, its velocity that of the origin, and what share of the way to it velocities go. */
typedef struct pliant__rigid {
    pliant_vec3 origin, velocity, spin;
    pliant_real share;
} pliant__rigid;

/* What was seen of velocities on the way. */
typedef struct pliant__watch {
    pliant_real largest2; /* square of the highest speed */
    bool        bad;      /* a NaN, or above the limit */
} pliant__watch;

/* Kernels over runs of `count` slots of one body, 4 numbers per slot: X(name, parameters, what it does). Fixed particles (w = 0) stay. */
#define PLIANT__PARTICLE_KERNELS(X)                                                                                                        \
    X(forces, (const pliant_real *x, pliant_real *v, uint32_t count, const pliant__motion *m), "v <- keep v + dv")                         \
    X(predict, (pliant_real * x, pliant_real * start, const pliant_real *v, uint32_t count, const pliant__motion *m),                      \
      "start <- x, x += h v")                                                                                                              \
    X(velocities,                                                                                                                          \
      (const pliant_real *x, const pliant_real *start, pliant_real *v, uint32_t count, const pliant__motion *m, pliant__watch *watch),     \
      "v += (x - (start + h v)) / h")                                                                                                      \
    X(enter, (pliant_real * to, const pliant_real *x, const pliant_real *v, uint32_t count, const pliant__motion *m),                      \
      "to <- what forces and predict would make of x; x and v stay")                                                                       \
    X(leave,                                                                                                                               \
      (const pliant_real *from, pliant_real *x, pliant_real *v, pliant_real **path_start, const uint8_t *later, uint32_t first,            \
       uint32_t count, const pliant__motion *m, pliant__watch *watch),                                                                     \
      "x <- from, v as forces and velocities would make it; where bit first + i of `later` is set, v as forces leave it, and x as it was " \
      "is appended to `path_start`")                                                                                                       \
    X(enter_tile, (pliant_real * to, const pliant_real *x, const pliant_real *v, const pliant__patch *tile, const pliant__motion *m),      \
      "the same for a tile, into groups of 16 lanes: x y z w of each; x and v from its first slot on")                                     \
    X(leave_tile,                                                                                                                          \
      (const pliant_real *from, pliant_real *x, pliant_real *v, pliant_real **path_start, const uint8_t *later, const pliant__patch *tile, \
       const pliant__motion *m, pliant__watch *watch),                                                                                     \
      "leave for a tile")                                                                                                                  \
    X(move_on,                                                                                                                             \
      (pliant_real * x, pliant_real * v, pliant_real * aim, pliant_real * start, uint32_t count, const pliant__motion *m, bool ends,       \
       bool begins, pliant__watch *watch),                                                                                                 \
      "ends a substep: v as velocities make it; begins one: v as forces make it, start (if any) <- x, x and aim as predict makes x")       \
    X(move_lanes_on,                                                                                                                       \
      (pliant_real * x, pliant_real * v, pliant_real * aim, pliant_real * start, uint32_t groups, const pliant__lane_motion *m, bool ends, \
       bool begins, pliant__watch *watch),                                                                                                 \
      "the same in groups of lanes: x y z w of 16")                                                                                        \
    X(load_states, (pliant_real * to, const pliant_real *const *from, uint32_t states, size_t first, uint32_t count),                      \
      "slots [first, first + count) of up to 16 states into a group of lanes each; lanes without a state are 0")                           \
    X(store_states, (const pliant_real *from, pliant_real *const *to, uint32_t states, size_t first, uint32_t count), "and back")          \
    X(load_tile, (pliant_real * to, const pliant_real *x, const pliant__patch *tile), "x of a tile, from its first slot on, in lanes")     \
    X(store_tile, (const pliant_real *from, pliant_real *x, const pliant__patch *tile), "and back")                                        \
    X(late,                                                                                                                                \
      (const pliant_real *x, const pliant_real *path_start, pliant_real *v, const uint32_t *slots, uint32_t count,                         \
       const pliant__motion *m, pliant__watch *watch),                                                                                     \
      "velocities of these slots, which began there")                                                                                      \
    X(moments, (double *out, const pliant_real *x, const pliant_real *v, uint32_t count, const pliant_vec3 *origin),                       \
      "moments of what moves")                                                                                                             \
    X(approach, (const pliant_real *x, pliant_real *v, uint32_t count, const pliant__rigid *r), "v += share (rigid motion - v)")

#define PLIANT__OF_WIDTH(name) PLIANT__OF_WIDTH_(name, PLIANT_W)
#define PLIANT__OF_WIDTH_(name, W) PLIANT__OF_WIDTH__(name, W)
#ifdef PLIANT_DOUBLE /* double_internal_names.h sees no name that is pasted together */
#define PLIANT__OF_WIDTH__(name, W) pliantd__##name##_##W
#else
#define PLIANT__OF_WIDTH__(name, W) pliant__##name##_##W
#endif

/* The kernels of one kind of constraint. */
typedef struct pliant__kind_kernels {
    pliant__project_function      *project;            /* moves x */
    pliant__block_runs_function   *project_block_runs; /* moves groups of lanes, piece by piece; NULL: `project` does */
    pliant__project_rows_function *project_states;     /* the same rows of 16 states */
    pliant__project_function      *gather;             /* adds to `sum` */
    pliant__measure_function      *measure;
    pliant__linearize_function    *linearize;
    pliant__energy_function       *energy;
    pliant__project_function      *flow; /* changes parameters; NULL: rows of the kind do not flow */
} pliant__kind_kernels;

typedef struct pliant__kernels {
    uint32_t width; /* lanes */
#define X(name, parameters, text) void(*name) parameters;
    PLIANT__PARTICLE_KERNELS(X)
    PLIANT__PAIR_KERNELS(X)
    PLIANT__POINT_KERNELS(X)
    PLIANT__COLLIDER_KERNELS(X)
#undef X
    pliant__cell_kernels cells;
    void (*project_clusters)(const pliant__sweep *sweep,
                             const pliant__batch *first);       /* all members at once, where project_at_once allows it */
    const pliant__kind_kernels *kinds[PLIANT_CONSTRAINT_COUNT]; /* by kind */
} pliant__kernels;

#endif
