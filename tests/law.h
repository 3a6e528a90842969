/* The law of energy: a passive scene never has more than it had. A generator of such scenes, what holds for each method, and a shrinker that makes
 * a scene that breaks the law as plain as it can be. Scenes are told by numbers alone, which a failure prints as C. */
#ifndef PLIANT_TESTS_LAW_H
#define PLIANT_TESTS_LAW_H

#include "trial.h"

enum law_body { LAW_LATTICE, LAW_TETRAHEDRA, LAW_CLOTH, LAW_ROPE, LAW_BODIES };
enum law_start { LAW_BUILT, LAW_FLAT, LAW_PRESSED, LAW_STRETCHED, LAW_INVERTED, LAW_RANDOM, LAW_STARTS };
enum law_steps { LAW_EVEN, LAW_UNEVEN, LAW_BY_TURNS, LAW_ONE_LONG, LAW_STEPS };
enum law_pins { LAW_FREE, LAW_CORNER, LAW_CORNERS, LAW_SIDE, LAW_PINS };
enum law_collider { LAW_NOTHING, LAW_PLANE, LAW_SPHERE, LAW_BOX, LAW_COLLIDERS };

/* X(type, field, its plainest value; -1: it stays as it is) */
#define LAW_FIELDS(X)                                                                                              \
    X(uint32_t, seed, -1)     /* of what is random in it */                                                        \
    X(uint32_t, body, -1)     /* enum law_body */                                                                  \
    X(uint32_t, preset, -1)   /* pliant_preset */                                                                  \
    X(double, edge, 1)        /* m; of a rope its length */                                                        \
    X(uint32_t, cells_x, 1)   /* of a rope its segments, of tetrahedra how many */                                 \
    X(uint32_t, cells_y, 1)   /* of lattices */                                                                    \
    X(uint32_t, cells_z, 1)   /* of lattices and cloth */                                                          \
    X(uint32_t, bodies, 1)    /* one above the other; two meet */                                                  \
    X(double, drop, 0)        /* m that it has fallen when it begins, just above what it falls on; without pins */ \
    X(uint32_t, turned, 0)    /* 1: at random */                                                                   \
    X(uint32_t, start, 0)     /* enum law_start */                                                                 \
    X(double, share, 0.5)     /* of its height that it is pressed to; of what it is more, stretched */             \
    X(uint32_t, undamped, 1)  /* 0: with the preset's damping */                                                   \
    X(uint32_t, tethered, 0)  /* with tethers of 1.02, where pins are */                                           \
    X(uint32_t, lines, 0)     /* 1: cloth bends by lines, and not by angles */                                     \
    X(uint32_t, model, -1)    /* pliant_solid_model, of cloth pliant_cloth_model */                                \
    X(uint32_t, pins, 0)      /* enum law_pins */                                                                  \
    X(uint32_t, collider, 0)  /* enum law_collider */                                                              \
    X(uint32_t, bouncy, 0)    /* 1: restitution 0.5 */                                                             \
    X(uint32_t, touches, 0)   /* 1: it meets itself */                                                             \
    X(uint32_t, method, 0)    /* pliant_method */                                                                  \
    X(uint32_t, setting, 0)   /* which of the method's settings: law.c */                                          \
    X(uint32_t, bdf2, 0)      /* 1: second order */                                                                \
    X(uint32_t, given, 0)     /* 1: constraints in the order given */                                              \
    X(uint32_t, substeps, 10) /* per step; of uneven ones, too */                                                  \
    X(uint32_t, carries, 0)   /* 1: substeps are of one length, and what is left is carried over */                \
    X(uint32_t, iterations, 1)                                                                                     \
    X(double, rate, 60)     /* Hz */                                                                               \
    X(uint32_t, steps, 0)   /* enum law_steps */                                                                   \
    X(double, seconds, 0.1) /* simulated */

typedef struct law_scene {
#define LAW_FIELD(type, name, plainest) type name;
    LAW_FIELDS(LAW_FIELD)
#undef LAW_FIELD
} law_scene;

/* Scene `number` of all possible ones; its rows, substeps and iterations take about `most` projections. */
law_scene law_random(uint32_t number, double most);

/* The same for newton alone, and of what a user would ask of it: a body that begins as it is built, at 60 Hz with 5 to 40 substeps, falls 2 m at the most. */
law_scene law_moderate(uint32_t number, double most);

/* The same with tetrahedra and triangles of elastic laws in the place of distances, by gauss_seidel in first order, and of what a scene may begin with neither inside out nor at random. */
law_scene law_elastic(uint32_t number, double most);

typedef struct law_result {
    double share;        /* the most that it had more than its lowest before, of what was turned over until then */
    double start_share;  /* the same of the start */
    double stretch;      /* the largest of any distance in any frame, as a share of its length */
    bool   diverged;     /* and said so */
    bool   unsolved;     /* newton: for want of a solution, back where the substep began */
    int    frame;        /* of the largest gain, from 1 */
    double substeps;     /* of all steps that went to their end */
    double fallbacks;    /* of these, newton: in which something had no solution with its gradients */
    char   refused[512]; /* why it could not be run at all; that is a mistake of the generator's */
} law_result;

/* Runs a scene to its end. `trace`: every frame's energies are printed. */
law_result law_run(const law_scene *scene, bool trace);

/* Whether the law holds: never more than its lowest energy before by more than the method's bound, nor than at the start by more than half of that. */
bool law_holds(const law_scene *scene, const law_result *result);

/* The bound of a scene's method, a share of what was turned over. */
double law_bound(const law_scene *scene);

/* As plain a scene as can be found that breaks the law, in at most `runs` runs. */
law_scene law_shrink(law_scene scene, int runs);

/* The scene as an initializer. */
void law_print(const law_scene *scene);

/* A scene that is known to break the law, and by how much at the most: what is still to be put right. */
typedef struct law_known {
    uint32_t number;
    double   share;
    bool     diverges; /* or is put back, or said to diverge, before its end */
} law_known;

/* Runs scenes of law_random, or law_elastic, and fails, after all of them, if any breaks the law; the first few are shrunk and printed. The number of a known one
 * is its seed, or its place in the list. */
void law_check(law_scene (*draw)(uint32_t number, double most), uint32_t first, uint32_t count, double most, const law_known *known,
               size_t known_count);
void law_check_scenes(const law_scene *scenes, size_t count, const law_known *known, size_t known_count);

/* Runs moderate scenes and fails if any ends unsolved, or if more than one substep in a hundred falls back (float64: 2.5). */
void law_check_solved(uint32_t first, uint32_t count, double most);

#endif
