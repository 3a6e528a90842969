/* Pliant: the table of constraints, one row each.
 *
 * Everything that is general about constraints (the enum below, dispatch, names in scene files, parameter checks, the pages in
 * docs/constraints, fuzz ranges, the tests that hold for all of them) comes from this table; what is particular about one (its value and
 * its gradients) is in src/constraints/kinds/NAME.h. To add a constraint, add such a file and a row here. */
#ifndef PLIANT_CONSTRAINTS_H
#define PLIANT_CONSTRAINTS_H

#include "pliant/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PLIANT_MAX_SLOTS 8      /**< particles that one constraint may touch */
#define PLIANT_MAX_ROWS 6       /**< rows (values, multipliers) that one constraint may have */
#define PLIANT_MAX_PARAMETERS 8 /**< numbers that one constraint may carry */
#define PLIANT_MAX_NUMBERS 4    /**< numbers that a law may have beside compliance, damping and stiffness */

/** What a row may and may not promise, and what its first parameter is. What is done to rows of some kinds only asks for a flag. Bits. */
typedef enum pliant_constraint_flags {
    PLIANT_ROW_MEASURED = 1,    /**< C = measure(x) - parameter 0, so the rest value can be measured from the initial shape */
    PLIANT_ROW_RATIO = 2,       /**< measure / parameter 0 is a stretch: a range [min, max] of it can be a limit */
    PLIANT_ROW_FRAME_BOUND = 4, /**< C changes under rigid motion: angular momentum is not kept */
    PLIANT_ROW_PIECEWISE = 8,   /**< C has seams where its gradient jumps: finite differences skip them */
    PLIANT_ROW_BULK = 16,       /**< its gradient vanishes where it is crushed: in a solver's substeps below 1/300 s it gets no stiffer */
    PLIANT_ROW_SHAPED =
        32, /**< NAME_rest of its file measures all its parameters from a shape at rest, where C = 0; of some kinds only if it is flat */
    PLIANT_ROW_LENGTH = 64,    /**< C = |x0 - x1| - parameter 0, of two particles */
    PLIANT_ROW_EDGE = 128,     /**< a length that bodies are made of: clusters, coarse levels, nets and the strain are of edges */
    PLIANT_ROW_LINK = 256,     /**< two particles, and C changes with x0 - x1 alone: trees may be made of it */
    PLIANT_ROW_VOLUME = 512,   /**< C = volume of the tetrahedron x0 x1 x2 x3 - parameter 0: of a solid, solved with its edges */
    PLIANT_ROW_IN_TURN = 1024, /**< its rows are projected one after another, and not as a block */
    PLIANT_ROW_SOLID = 2048,   /**< the energy of a tetrahedron of a material; extrapolated sweeps of them gained energy */
    PLIANT_ROW_PLASTIC =
        4096, /**< NAME_flow of its file moves its parameters where its law has a yield: it keeps the shape that it is forced into */
    PLIANT_ROW_TEARS = 8192 /**< the energy of an element alone, so that its body may come apart between elements: docs/tearing.md */
} pliant_constraint_flags;

/** When a constraint acts. An inequality keeps its multiplier and clamps it; it is not skipped. */
typedef enum pliant_limit {
    PLIANT_EQUAL,    /**< C = 0 */
    PLIANT_AT_MOST,  /**< C <= 0: tension only */
    PLIANT_AT_LEAST, /**< C >= 0: compression only */
    PLIANT_RANGE     /**< min <= measure / rest <= max: strain limit; rows with PLIANT_ROW_RATIO only */
} pliant_limit;

/* clang-format off */
#define PLIANT_P0() {{0, 0, 0, 0, 0, 0}}
#define PLIANT_P1(a) {a}
#define PLIANT_P2(a, b) {a, b}
#define PLIANT_P3(a, b, c) {a, b, c}
#define PLIANT_PN(...) {__VA_ARGS__} /* four and more */
#define PLIANT_P(name, unit, text, low, high) {name, unit, text, low, high, 0}
#define PLIANT_L(name, unit, text, low, high, usual) {name, unit, text, low, high, usual}
/* clang-format on */

/* How many numbers laws of a kind have: what its list of parameters has beyond the count. A kind without parameters has none. */
#define PLIANT_NUMBERS(count, ...) \
    ((count) ? (int)(sizeof((pliant_parameter_info[])__VA_ARGS__) / sizeof(pliant_parameter_info)) - (int)(count) : 0)

/* X(ENUMERATOR, name, slots, rows, parameter count, parameters, default limit, flags, unit of C, formula, source)
 * A parameter's low and high bound what a scene may say; tests draw from the same bounds, cut to [1e-3, 1e3]. Behind the parameters the list may have
 * numbers of the kind's laws, PLIANT_L, which are not counted: up to PLIANT_MAX_NUMBERS, with what they usually are. They can be changed live. */
#define PLIANT_CONSTRAINT_TABLE(X)                                                                                                      \
    X(DISTANCE, distance, 2, 1, 1, PLIANT_P1(PLIANT_P("rest", "m", "rest length", 0, 1e6)), PLIANT_EQUAL,                               \
      PLIANT_ROW_MEASURED | PLIANT_ROW_RATIO | PLIANT_ROW_LENGTH | PLIANT_ROW_EDGE | PLIANT_ROW_LINK | PLIANT_ROW_PLASTIC, "m",         \
      "C = |x0 - x1| - rest", "Müller et al. 2007, Position Based Dynamics, eq. 10 and 11")                                             \
    X(TRIANGLE_AREA, triangle_area, 3, 1, 1, PLIANT_P1(PLIANT_P("rest", "m^2", "rest area", 0, 1e12)), PLIANT_EQUAL,                    \
      PLIANT_ROW_MEASURED | PLIANT_ROW_RATIO, "m^2", "C = |(x1 - x0) x (x2 - x0)| / 2 - rest",                                          \
      "Bender, Müller, Macklin 2017, A Survey on Position Based Dynamics, section 5")                                                   \
    X(DIHEDRAL_ANGLE, dihedral_angle, 4, 1, 1, PLIANT_P1(PLIANT_P("rest", "rad", "rest angle, 0 is flat", -3.2, 3.2)), PLIANT_EQUAL,    \
      PLIANT_ROW_MEASURED | PLIANT_ROW_PIECEWISE | PLIANT_ROW_PLASTIC, "rad",                                                           \
      "C = atan2((n1 x n2).e, n1.n2) - rest, wrapped to (-pi, pi]",                                                                     \
      "Müller et al. 2007, section 4.1, with the signed angle of Bridson, Marino, Fedkiw 2003, Simulation of Clothing with Folds and " \
      "Wrinkles")                                                                                                                       \
    X(LINE_BENDING, line_bending, 3, 1, 2,                                                                                              \
      PLIANT_P2(PLIANT_P("c1", "1/m", "inverse of the distance of x1 from x0", -1e6, 1e6),                                              \
                PLIANT_P("c2", "1/m", "inverse of the distance of x2 from x0", -1e6, 1e6)),                                             \
      PLIANT_EQUAL, PLIANT_ROW_SHAPED, "rad", "C = |D| f(|D|), nearly 2 asin(|D| / 2); D = c1 (x1 - x0) + c2 (x2 - x0)",                \
      "Bergou et al. 2006, A Quadratic Bending Model for Inextensible Surfaces, of a line")                                             \
    X(ISOMETRIC_BENDING, isometric_bending, 4, 1, 3,                                                                                    \
      PLIANT_P3(PLIANT_P("c1", "1/m", "coefficient of x1, which follows from where the wings' feet lie", -1e6, 1e6),                    \
                PLIANT_P("c2", "1/m", "inverse of the height of x2 over the edge", -1e6, 1e6),                                          \
                PLIANT_P("c3", "1/m", "inverse of the height of x3 over the edge", -1e6, 1e6)),                                         \
      PLIANT_EQUAL, PLIANT_ROW_SHAPED, "rad", "C = |D| f(|D|), nearly 2 asin(|D| / 2); D = c1 (x1 - x0) + c2 (x2 - x0) + c3 (x3 - x0)", \
      "Bergou et al. 2006, A Quadratic Bending Model for Inextensible Surfaces")                                                        \
    X(TET_VOLUME, tet_volume, 4, 1, 1, PLIANT_P1(PLIANT_P("rest", "m^3", "rest volume", -1e18, 1e18)), PLIANT_EQUAL,                    \
      PLIANT_ROW_MEASURED | PLIANT_ROW_BULK | PLIANT_ROW_VOLUME, "m^3", "C = ((x1 - x0) x (x2 - x0)).(x3 - x0) / 6 - rest",             \
      "Müller et al. 2015, Strain Based Dynamics / Macklin et al. 2016, XPBD")                                                          \
    X(POINT_TRIANGLE, point_triangle, 4, 1, 1, PLIANT_P1(PLIANT_P("thickness", "m", "distance to keep", 0, 1e6)), PLIANT_AT_LEAST,      \
      PLIANT_ROW_PIECEWISE, "m", "C = n.(x0 - x1) - thickness while x0 projects inside the triangle x1 x2 x3",                          \
      "Müller et al. 2007, section 4.2, eq. 19")                                                                                        \
    X(TETHER, tether, 2, 1, 1, PLIANT_P1(PLIANT_P("rest", "m", "longest distance", 0, 1e6)), PLIANT_AT_MOST,                            \
      PLIANT_ROW_MEASURED | PLIANT_ROW_RATIO | PLIANT_ROW_LENGTH, "m", "C = |x0 - x1| - rest, acting only while C > 0",                 \
      "Kim, Chentanez, Müller 2012, Long Range Attachments")                                                                            \
    X(ATTACHMENT, attachment, 2, 3, 0, PLIANT_P0(), PLIANT_EQUAL, PLIANT_ROW_FRAME_BOUND | PLIANT_ROW_LINK, "m",                        \
      "C = x0 - x1, three rows", "Macklin et al. 2016, XPBD, with C linear")                                                            \
    X(TET_NEO_HOOKEAN, tet_neo_hookean, 4, 2, 6,                                                                                        \
      PLIANT_PN(PLIANT_P("b11", "1/m", "inverse of the length of x1 - x0 at rest", 1e-6, 1e6),                                          \
                PLIANT_P("b12", "1/m", "share of x1 - x0 in the second axis at rest", -1e6, 1e6),                                       \
                PLIANT_P("b13", "1/m", "share of x1 - x0 in the third axis at rest", -1e6, 1e6),                                        \
                PLIANT_P("b22", "1/m", "inverse of the height of x2 over x0 x1 at rest", 1e-6, 1e6),                                    \
                PLIANT_P("b23", "1/m", "share of x2 - x0 in the third axis at rest", -1e6, 1e6),                                        \
                PLIANT_P("b33", "1/m", "inverse of the height of x3 over x0 x1 x2 at rest", 1e-6, 1e6),                                 \
                PLIANT_L("poisson", "1", "Poisson's ratio", 0, 0.4999, 0.45)),                                                          \
      PLIANT_EQUAL, PLIANT_ROW_SHAPED | PLIANT_ROW_TEARS | PLIANT_ROW_IN_TURN | PLIANT_ROW_SOLID | PLIANT_ROW_PLASTIC, "m^1.5",         \
      "C0 = sqrt(V (I + J^2 - 4 J)), C1 = sqrt(2 V poisson / (1 - 2 poisson)) (J - 1); J = det F, I = |F|^2, V the volume at rest",     \
      "Macklin and Müller 2021, A Constraint-based Formulation of Stable Neo-Hookean Materials; rows that are 0 at rest")               \
    X(TET_COROTATED, tet_corotated, 4, 2, 6,                                                                                            \
      PLIANT_PN(PLIANT_P("b11", "1/m", "inverse of the length of x1 - x0 at rest", 1e-6, 1e6),                                          \
                PLIANT_P("b12", "1/m", "share of x1 - x0 in the second axis at rest", -1e6, 1e6),                                       \
                PLIANT_P("b13", "1/m", "share of x1 - x0 in the third axis at rest", -1e6, 1e6),                                        \
                PLIANT_P("b22", "1/m", "inverse of the height of x2 over x0 x1 at rest", 1e-6, 1e6),                                    \
                PLIANT_P("b23", "1/m", "share of x2 - x0 in the third axis at rest", -1e6, 1e6),                                        \
                PLIANT_P("b33", "1/m", "inverse of the height of x3 over x0 x1 x2 at rest", 1e-6, 1e6),                                 \
                PLIANT_L("poisson", "1", "Poisson's ratio", 0, 0.4999, 0.45)),                                                          \
      PLIANT_EQUAL, PLIANT_ROW_SHAPED | PLIANT_ROW_TEARS | PLIANT_ROW_IN_TURN | PLIANT_ROW_SOLID | PLIANT_ROW_PIECEWISE, "m^1.5",       \
      "C0 = sqrt(2 V) |E|, C1 = sqrt(2 V poisson / (1 - 2 poisson)) tr E; E = R^T F - 1, R the rotation nearest to F, V at rest",       \
      "Müller and Gross 2004, Interactive Virtual Materials, with Horn 1987, Closed-form Solution of Absolute Orientation")             \
    X(TET_STVK, tet_stvk, 4, 2, 6,                                                                                                      \
      PLIANT_PN(PLIANT_P("b11", "1/m", "inverse of the length of x1 - x0 at rest", 1e-6, 1e6),                                          \
                PLIANT_P("b12", "1/m", "share of x1 - x0 in the second axis at rest", -1e6, 1e6),                                       \
                PLIANT_P("b13", "1/m", "share of x1 - x0 in the third axis at rest", -1e6, 1e6),                                        \
                PLIANT_P("b22", "1/m", "inverse of the height of x2 over x0 x1 at rest", 1e-6, 1e6),                                    \
                PLIANT_P("b23", "1/m", "share of x2 - x0 in the third axis at rest", -1e6, 1e6),                                        \
                PLIANT_P("b33", "1/m", "inverse of the height of x3 over x0 x1 x2 at rest", 1e-6, 1e6),                                 \
                PLIANT_L("poisson", "1", "Poisson's ratio", 0, 0.4999, 0.45)),                                                          \
      PLIANT_EQUAL, PLIANT_ROW_SHAPED | PLIANT_ROW_TEARS | PLIANT_ROW_IN_TURN | PLIANT_ROW_SOLID, "m^1.5",                              \
      "C0 = sqrt(2 V) |E|, C1 = sqrt(2 V poisson / (1 - 2 poisson)) tr E; E = (F^T F - 1) / 2, V at rest; more where det F < 0.3",      \
      "Sifakis and Barbic 2012, FEM Simulation of 3D Deformable Solids, section 3.3; as constraints Bender et al. 2014")                \
    X(TET_STRAIN, tet_strain, 4, 2, 6,                                                                                                  \
      PLIANT_PN(PLIANT_P("b11", "1/m", "inverse of the length of x1 - x0 at rest", 1e-6, 1e6),                                          \
                PLIANT_P("b12", "1/m", "share of x1 - x0 in the second axis at rest", -1e6, 1e6),                                       \
                PLIANT_P("b13", "1/m", "share of x1 - x0 in the third axis at rest", -1e6, 1e6),                                        \
                PLIANT_P("b22", "1/m", "inverse of the height of x2 over x0 x1 at rest", 1e-6, 1e6),                                    \
                PLIANT_P("b23", "1/m", "share of x2 - x0 in the third axis at rest", -1e6, 1e6),                                        \
                PLIANT_P("b33", "1/m", "inverse of the height of x3 over x0 x1 x2 at rest", 1e-6, 1e6),                                 \
                PLIANT_L("poisson", "1", "Poisson's ratio", 0, 0.4999, 0.45)),                                                          \
      PLIANT_EQUAL, PLIANT_ROW_SHAPED | PLIANT_ROW_TEARS | PLIANT_ROW_IN_TURN | PLIANT_ROW_SOLID, "m^1.5",                              \
      "C0 = sqrt(V (2 |s|^2 + |h|^2)), C1 = sqrt(2 V poisson / (1 - 2 poisson)) tr s; s_i = |f_i| - 1, h_ij cosines; V at rest",        \
      "Müller, Chentanez, Kim, Macklin 2014, Strain Based Dynamics")                                                                    \
    X(TRIANGLE_STRAIN, triangle_strain, 3, 3, 4,                                                                                        \
      PLIANT_PN(PLIANT_P("b11", "1/m", "share of x1 - x0 in the axis of warp", -1e6, 1e6),                                              \
                PLIANT_P("b12", "1/m", "share of x1 - x0 in the axis of weft", -1e6, 1e6),                                              \
                PLIANT_P("b21", "1/m", "share of x2 - x0 in the axis of warp", -1e6, 1e6),                                              \
                PLIANT_P("b22", "1/m", "share of x2 - x0 in the axis of weft", -1e6, 1e6),                                              \
                PLIANT_L("weft", "1", "stiffness of a strip along weft, over that along warp", 1e-3, 1e3, 1),                           \
                PLIANT_L("shear", "1", "shear stiffness, over that of a strip along warp", 0, 1e3, 0.5),                                \
                PLIANT_L("poisson", "1", "geometric mean of the ratios by which strips along warp and weft narrow", 0, 0.99, 0)),       \
      PLIANT_EQUAL, PLIANT_ROW_SHAPED | PLIANT_ROW_TEARS | PLIANT_ROW_IN_TURN, "m",                                                     \
      "C0 = sqrt(A) E1, C1 = sqrt(A / (1 - poisson^2)) (sqrt(weft) E2 + poisson E1), C2 = sqrt(A shear) f1.f2; "                        \
      "E = |f| - 1, f1 and f2 the threads of warp and weft, A the area at rest",                                                        \
      "Müller, Chentanez, Kim and Macklin 2014, Strain Based Dynamics, as compliant rows of the threads' lengths")                      \
    X(TRIANGLE_STVK, triangle_stvk, 3, 3, 4,                                                                                            \
      PLIANT_PN(PLIANT_P("b11", "1/m", "share of x1 - x0 in the axis of warp", -1e6, 1e6),                                              \
                PLIANT_P("b12", "1/m", "share of x1 - x0 in the axis of weft", -1e6, 1e6),                                              \
                PLIANT_P("b21", "1/m", "share of x2 - x0 in the axis of warp", -1e6, 1e6),                                              \
                PLIANT_P("b22", "1/m", "share of x2 - x0 in the axis of weft", -1e6, 1e6),                                              \
                PLIANT_L("weft", "1", "stiffness of a strip along weft, over that along warp", 1e-3, 1e3, 1),                           \
                PLIANT_L("shear", "1", "shear stiffness, over that of a strip along warp", 0, 1e3, 0.5),                                \
                PLIANT_L("poisson", "1", "geometric mean of the ratios by which strips along warp and weft narrow", 0, 0.99, 0)),       \
      PLIANT_EQUAL, PLIANT_ROW_SHAPED | PLIANT_ROW_TEARS | PLIANT_ROW_IN_TURN, "m",                                                     \
      "C0 = sqrt(A) E1, C1 = sqrt(A / (1 - poisson^2)) (sqrt(weft) E2 + poisson E1), C2 = sqrt(A shear) f1.f2; "                        \
      "E = (|f|^2 - 1) / 2, f1 and f2 the threads of warp and weft, A the area at rest",                                                \
      "Müller, Chentanez, Kim and Macklin 2014, Strain Based Dynamics, section 3, as compliant rows")

/* clang-format off */
/** The kinds of constraint, in the order in which a sweep solves them. */
typedef enum pliant_constraint_kind {
#define PLIANT_ENUM(NAME, ...) PLIANT_CONSTRAINT_##NAME,
    PLIANT_CONSTRAINT_TABLE(PLIANT_ENUM)
#undef PLIANT_ENUM
    PLIANT_CONSTRAINT_COUNT
} pliant_constraint_kind;
/* clang-format on */

/** One number that a constraint carries, or its law. */
typedef struct pliant_parameter_info {
    const char *name, *unit, *text;
    double      low, high;
    double      usual; /**< of a law: what it is where the law does not say; else 0 */
} pliant_parameter_info;

/** One row of the table, as data. */
typedef struct pliant_constraint_info {
    pliant_constraint_kind kind;
    const char            *name;
    uint32_t               slots, rows, parameter_count;
    uint32_t               number_count; /**< numbers of its laws, which lie behind the parameters in the list */
    pliant_parameter_info  parameters[PLIANT_MAX_PARAMETERS + PLIANT_MAX_NUMBERS];
    pliant_limit           limit; /**< what a law with no limit of its own means */
    uint32_t               flags; /**< pliant_constraint_flags */
    const char            *unit, *formula, *source;
} pliant_constraint_info;

/** The row of a kind, or NULL if there is no such kind. */
PLIANT_API const pliant_constraint_info *pliant_constraint_describe(pliant_constraint_kind kind);

/** The row with this name, or NULL. */
PLIANT_API const pliant_constraint_info *pliant_constraint_find(const char *name);

/** How a constraint answers to its violation.
 * XPBD (Macklin et al. 2016, eq. 18 and 26) with `stiffness` 1, or PBD (Müller et al. 2007, section 3.3) with `compliance` 0.
 *
 * A law with a `yield` is plastic: a constraint that is strained by more than it flows, until it is strained by so much, and stays so when it is let go. Its
 * strain is C over what it rests at in the scene for lengths, C, rad, for angles, and the equivalent strain of what keeps its volume for tetrahedra. Kinds with
 * PLIANT_ROW_PLASTIC alone. docs/plasticity.md
 *
 * A law with a `break_force` breaks: a constraint that pulls with more when a substep ends does nothing from the next one on. Kinds with PLIANT_ROW_LENGTH, which
 * break when they are stretched and not when they are pushed together, and those with PLIANT_ROW_LINK. docs/breaking.md */
typedef struct pliant_law {
    size_t       size;       /**< set by pliant_law_default */
    pliant_real  compliance; /**< alpha, unit of C squared per joule: metres per newton for distances; 0 is rigid */
    pliant_real  damping;    /**< beta, XPBD damping, joule seconds per unit of C squared: newton seconds per metre for distances */
    pliant_real  stiffness;  /**< PBD stiffness k in [0, 1]; what is left after all iterations of a substep is 1 - k */
    bool         limited;    /**< false: the kind's own limit; true: `limit` */
    pliant_limit limit;
    pliant_real  range_min, range_max; /**< stretch kept by PLIANT_RANGE: 0 <= min <= max */
    pliant_real  yield;                /**< strain (1; rad of angles) from which it flows; 0: it never does */
    pliant_real  creep;                /**< 1/s, the rate at which strain beyond the yield flows; 0: at once, in the substep */
    pliant_real  hardening;            /**< by how much the yield grows per plastic strain */
    pliant_real  most;                 /**< the largest plastic strain (1; rad of angles); 0: any */
    pliant_real  break_force;          /**< N, of lengths, which break when they are pulled with more, and of attachments; 0: never */
    uint32_t     given;                /**< a bit for each of the numbers that is given; others are as usual */
    pliant_real  numbers[PLIANT_MAX_NUMBERS]; /**< as the kind's row names them, in its units */
} pliant_law;

/** A rigid law: compliance 0, stiffness 1, no damping, the kind's own limit, range [1, 1]. */
PLIANT_API pliant_law pliant_law_default(void);

/** One constraint taken by itself: what goes in. */
typedef struct pliant_eval_input {
    pliant_real x[PLIANT_MAX_SLOTS][3];     /**< positions */
    pliant_real start[PLIANT_MAX_SLOTS][3]; /**< positions at the start of the substep; only damping reads them */
    pliant_real w[PLIANT_MAX_SLOTS];        /**< inverse masses, 1/kg */
    pliant_real parameters[PLIANT_MAX_PARAMETERS];
    pliant_real lambda[PLIANT_MAX_ROWS];
    pliant_real dt; /**< substep, s; > 0 */
    pliant_law  law;
} pliant_eval_input;

/** One constraint taken by itself: what comes out. */
typedef struct pliant_eval_output {
    pliant_real C[PLIANT_MAX_ROWS];
    pliant_real gradient[PLIANT_MAX_ROWS][PLIANT_MAX_SLOTS][3];
    pliant_real denominator[PLIANT_MAX_ROWS]; /**< sum of w |gradient|^2, or what the kind takes at the least, plus alpha / dt^2 */
    pliant_real dlambda[PLIANT_MAX_ROWS];
    pliant_real dx[PLIANT_MAX_SLOTS][3];
} pliant_eval_output;

/** Evaluates and projects one constraint with the very text that the solver runs (one lane wide).
 * PLIANT_ERROR_ARGUMENT if the kind is unknown or dt is not positive. */
PLIANT_API pliant_code pliant_constraint_eval(pliant_constraint_kind kind, const pliant_eval_input *in, pliant_eval_output *out);

/** Writes what a constraint's parameters are where the shape `x` (m, one position per slot) is at rest: parameter 0 of a row with PLIANT_ROW_MEASURED, all of
 * them of one with PLIANT_ROW_SHAPED, by the text in its file. PLIANT_ERROR_ARGUMENT of a shape that has none (edges or triangles have no length or height;
 * what follows from those is 0), and of other rows, which have nothing to measure: then nothing is written. */
PLIANT_API pliant_code pliant_constraint_measure(pliant_constraint_kind kind, const pliant_real (*x)[3], pliant_real *parameters);

#ifdef __cplusplus
}
#endif
#endif
