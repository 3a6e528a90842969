/* Pliant: the table of methods, one row each: how a substep's constraints are solved.
 *
 * Every method works on the same compiled model. Which one a scene wants is part of its settings; a solver may be told another one. What is
 * general about methods (the enum below, dispatch, names in scene files and options, which settings belong to which, the list in the
 * docs, the tests that hold for all of them) comes from this table; what is particular about one is in src/methods/NAME.c. */
#ifndef PLIANT_METHODS_H
#define PLIANT_METHODS_H

#include "pliant/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(ENUMERATOR, name, settings that belong to it, what it does, what it converges to, source) */
#define PLIANT_METHOD_TABLE(X)                                                                                                          \
    X(GAUSS_SEIDEL, gauss_seidel, "relaxation", "constraint after constraint, each seeing what those before it moved",                  \
      "C + alpha~ lambda = 0 along its own path", "Müller et al. 2007, Position Based Dynamics; Macklin et al. 2016, XPBD")             \
    X(JACOBI, jacobi, "averaging relaxation",                                                                                           \
      "all constraints from the same positions, each relaxed so that together they do not overshoot",                                   \
      "C + alpha~ lambda = 0 along its own path; averaging \"classic\": C = 0 only",                                                    \
      "Tonge, Benevolenski, Voroshilov 2012, Mass Splitting for Jitter-Free Parallel Rigid Body Simulation")                            \
    X(CHEBYSHEV, chebyshev, "base relaxation spectral_radius", "sweeps of Gauss-Seidel or Jacobi, extrapolated",                        \
      "C + alpha~ lambda = 0 along its own path",                                                                                       \
      "Wang 2015, A Chebyshev Semi-Iterative Approach for Accelerating Projective and Position-Based Dynamics")                         \
    X(HIERARCHICAL, hierarchical, "levels coarse_iterations relaxation",                                                                \
      "coarse levels of the distances first, which act where they are stretched, then all constraints one after another",               \
      "C + alpha~ lambda = 0 from where the coarse levels leave it", "Müller 2008, Hierarchical Position Based Dynamics")               \
    X(NEWTON, newton, "gradients linear tolerance fallback",                                                                            \
      "all constraints at once, exactly; chains and trees in linear time, what else there is by sparse factors",                        \
      "C + alpha~ lambda = 0 with x = x~ + M^-1 J^T lambda, J taken at the start of the substep, where it is predicted, or at the end", \
      "Goldenthal, Harmon, Fattal, Bercovier, Grinspun 2007, Efficient Simulation of Inextensible Cloth; Baraff 1996")                  \
    X(MULTIGRID, multigrid, "system cycles",                                                                                            \
      "all constraints at once: Newton steps by conjugate gradients, with a multigrid cycle before each",                               \
      "implicit Euler: C + alpha~ lambda = 0 and M (x - x~) = J^T lambda",                                                              \
      "Li et al. 2025, MGPBD: A Multigrid Accelerated Global XPBD Solver")

/* clang-format off */
/** How the constraints of a substep are solved. */
typedef enum pliant_method {
#define PLIANT_ENUM(NAME, ...) PLIANT_METHOD_##NAME,
    PLIANT_METHOD_TABLE(PLIANT_ENUM)
#undef PLIANT_ENUM
    PLIANT_METHOD_COUNT
} pliant_method;
/* clang-format on */

/** How the corrections that rows have for one particle become one, in jacobi. */
typedef enum pliant_averaging {
    PLIANT_AVERAGING_ROW,    /**< each row takes its particles' masses split among the constraints that touch them; keeps momentum */
    PLIANT_AVERAGING_CLASSIC /**< per particle, x = (0.2 x + sum of x_e) / (0.2 + n), equal halves whatever the masses, as teaching codes
                                  have it; loses momentum, knows no compliance */
} pliant_averaging;

/** The method with the sweeps that Chebyshev accelerates. */
typedef enum pliant_base { PLIANT_BASE_GAUSS_SEIDEL, PLIANT_BASE_JACOBI /**< relaxed per row */ } pliant_base;

/** Where Newton's forces point: at which positions the gradients are taken along which multipliers act. */
typedef enum pliant_gradients {
    PLIANT_GRADIENTS_START,     /**< the start of the substep: keeps the energy of a swing; a link may turn by less than a right angle */
    PLIANT_GRADIENTS_PREDICTED, /**< where the substep would end without constraints: for one link to a fixed point PBD's own projection */
    PLIANT_GRADIENTS_IMPLICIT   /**< the end of the substep: implicit Euler, both residuals 0; stable at any step, and it damps */
} pliant_gradients;

/** What Newton does in a substep where it finds no solution with the gradients of the start or of the prediction, or none to rounding with those of
 * the end. */
typedef enum pliant_fallback {
    PLIANT_FALLBACK_IMPLICIT, /**< what hangs together there is solved with those of the end, and by factors, where that does not reach rounding,
                                   with at most a twentieth of a rest value left; pliant_statistics.fallback_substeps counts both */
    PLIANT_FALLBACK_NONE      /**< the step ends with PLIANT_ERROR_DIVERGED and says so */
} pliant_fallback;

/** How the linear systems of Newton's steps are solved. */
typedef enum pliant_linear {
    PLIANT_LINEAR_AUTO,  /**< as a tree where the constraints are one, else by sparse factors */
    PLIANT_LINEAR_TREE,  /**< as a chain or tree of distances and attachments, in linear time; other scenes are refused */
    PLIANT_LINEAR_SPARSE /**< by sparse factors, pliant_solver_def.linear, whatever the constraints are */
} pliant_linear;

/** What multigrid solves for; both have the same solution. */
typedef enum pliant_system {
    PLIANT_SYSTEM_DISPLACEMENTS, /**< (M + J^T k J) dx = b: three unknowns per particle; coarse nodes are rigid bodies */
    PLIANT_SYSTEM_MULTIPLIERS    /**< (J W J^T + alpha~) dlambda = -(C + alpha~ lambda): one per row; coarse nodes are uniform stresses */
} pliant_system;

/* What a setting may be: a number in (low, high), a number in [low, high], a whole number in [low, high], or one of some words. The first
 * two are of kind REAL, the third of kind COUNT, the last of kind WORD. */
#define PLIANT_BETWEEN(LOW, HIGH) .low = (LOW), .high = (HIGH), .above = true, .below = true
#define PLIANT_FROM_TO(LOW, HIGH) .low = (LOW), .high = (HIGH)
#define PLIANT_ONE_OF(...) \
    .words = (const char *const[]) { __VA_ARGS__, NULL }

/* X(type, name, KIND, default, what it may be, text): the settings of all methods. A setting is one row and the field of pliant_method_def below:
 * checks, the keys of scene files, their schema, options of the command and tests come from here. A WORD has the values of its enumerators, words in
 * their order. */
#define PLIANT_METHOD_SETTINGS(X)                                                                                                          \
    X(pliant_averaging, averaging, WORD, PLIANT_AVERAGING_ROW, PLIANT_ONE_OF("row", "classic"),                                            \
      "Of jacobi: relaxed per row, which keeps momentum (default), or averaged per particle as teaching codes do")                         \
    X(pliant_real, relaxation, REAL, 1, PLIANT_BETWEEN(0, 2),                                                                              \
      "Of gauss_seidel, jacobi, chebyshev and hierarchical: each change is taken so many times; default 1")                                \
    X(pliant_base, base, WORD, PLIANT_BASE_GAUSS_SEIDEL, PLIANT_ONE_OF("gauss_seidel", "jacobi"),                                          \
      "Of chebyshev: the method with the sweeps that it accelerates; default gauss_seidel")                                                \
    X(pliant_real, spectral_radius, REAL, 0, PLIANT_FROM_TO(0, 0.999999),                                                                  \
      "Of chebyshev: that of the base's sweeps; 0, the default, finds it on the way and keeps it in the state")                            \
    X(pliant_gradients, gradients, WORD, PLIANT_GRADIENTS_START, PLIANT_ONE_OF("start", "predicted", "implicit"),                          \
      "Of newton: forces along the gradients at the start of the substep (default), where it is predicted to end, or, implicit, where it " \
      "ends")                                                                                                                              \
    X(pliant_linear, linear, WORD, PLIANT_LINEAR_AUTO, PLIANT_ONE_OF("auto", "tree", "sparse"),                                            \
      "Of newton: its linear systems are solved as those of a tree, by sparse factors, or, auto (default), as a tree where there is one")  \
    X(pliant_real, tolerance, REAL, 0, PLIANT_FROM_TO(0, 1),                                                                               \
      "Of newton: the share of a rest length that may be left; default 0, rounding")                                                       \
    X(pliant_fallback, fallback, WORD, PLIANT_FALLBACK_IMPLICIT, PLIANT_ONE_OF("implicit", "none"),                                        \
      "Of newton: where its gradients have no solution a substep takes \"implicit\" ones (default), or, none, ends unsolved")              \
    X(pliant_system, system, WORD, PLIANT_SYSTEM_DISPLACEMENTS, PLIANT_ONE_OF("displacements", "multipliers"),                             \
      "Of multigrid: what it solves for, displacements (default) or multipliers")                                                          \
    X(uint32_t, cycles, COUNT, 12, PLIANT_FROM_TO(1, 1000), "Of multigrid: conjugate gradients per iteration; default 12")                 \
    X(uint32_t, levels, COUNT, 0, PLIANT_FROM_TO(0, 24),                                                                                   \
      "Of hierarchical: coarse levels at the most; 0, the default: as many as make sense")                                                 \
    X(uint32_t, coarse_iterations, COUNT, 1, PLIANT_FROM_TO(1, 10000), "Of hierarchical: sweeps on each coarse level in a cycle; default 1")

/** A method and its settings. What does not belong to the method is ignored. */
typedef struct pliant_method_def {
    size_t           size;
    pliant_method    method;
    pliant_averaging averaging;
    pliant_system    system;     /**< of multigrid: what is solved for; default displacements */
    uint32_t         cycles;     /**< of multigrid: conjugate gradients per iteration, 1 to 1000; default 12 */
    pliant_real      relaxation; /**< omega, in (0, 2): each change of a multiplier is taken so many times; default 1 */
    pliant_base      base;
    pliant_real      spectral_radius; /**< of the base's sweeps, in [0, 1): 0, the default, is found on the way and kept in the state */
    pliant_gradients gradients;
    pliant_linear    linear;
    pliant_real      tolerance; /**< Newton stops when no |C + alpha~ lambda| is more than this share of its rest length (of a metre, where
                                     there is none); default 0: when only rounding is left */
    pliant_fallback  fallback;  /**< of Newton: where its gradients have no solution; default implicit */
    uint32_t         levels;    /**< coarse levels at the most; 0, the default: as many as make sense */
    uint32_t         coarse_iterations; /**< sweeps on each coarse level before each on the finest; default 1 */
} pliant_method_def;

/** Gauss-Seidel, and the default of every setting. */
PLIANT_API pliant_method_def pliant_method_def_default(void);

/** One row of the table, as data. */
typedef struct pliant_method_info {
    pliant_method method;
    const char   *name;
    const char   *settings; /**< names of the settings that belong to it, with spaces between */
    const char   *text, *converges, *source;
} pliant_method_info;

/** The row of a method, or NULL if there is no such method. */
PLIANT_API const pliant_method_info *pliant_method_describe(pliant_method method);

/** The row with this name, or NULL. */
PLIANT_API const pliant_method_info *pliant_method_find(const char *name);

/* ---- settings by name ---- */

/** What the value of a setting is. */
typedef enum pliant_setting_kind {
    PLIANT_SETTING_REAL,  /**< a number */
    PLIANT_SETTING_COUNT, /**< a whole number */
    PLIANT_SETTING_WORD   /**< one of `words`, by its number from 0 */
} pliant_setting_kind;

/** One row of the table of settings, as data. */
typedef struct pliant_setting_info {
    const char         *name;
    pliant_setting_kind kind;
    double              initial;      /**< the default, in the setting's own unit */
    double              low, high;    /**< the least and the most, of a number */
    bool                above, below; /**< `low`, `high` themselves are not allowed */
    const char *const  *words;        /**< of a WORD; ends with NULL */
    const char         *text;         /**< which methods it is of, what it does, and its default */
} pliant_setting_info;

/** Setting number `index`, or NULL past the last. */
PLIANT_API const pliant_setting_info *pliant_setting_at(uint32_t index);

/** The setting with this name, or NULL. */
PLIANT_API const pliant_setting_info *pliant_setting_find(const char *name);

/** Whether a setting belongs to a method. */
PLIANT_API bool pliant_method_has(pliant_method method, const char *setting);

/** The value of a setting; a NaN if there is no such setting. */
PLIANT_API double pliant_method_get(const pliant_method_def *def, const char *setting);

/** Sets a setting of the def's method. PLIANT_ERROR_ARGUMENT, and the def is as it was, if the method has no such setting or the value is out of range;
 * the error names what there is. */
PLIANT_API pliant_code pliant_method_set(pliant_method_def *def, const char *setting, double value, pliant_error *error);

#ifdef __cplusplus
}
#endif
#endif
