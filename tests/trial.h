/* A scene, its model, and what runs it, in as few words as a test of physics should need. Numbers are doubles whatever pliant_real is. */
#ifndef PLIANT_TESTS_TRIAL_H
#define PLIANT_TESTS_TRIAL_H

#include "pliant/pliant.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define R(a) ((pliant_real)(a))

/* What a row may be off by: in the float64 library, and in the float32 one. */
#ifdef PLIANT_DOUBLE
#define EPSILON DBL_EPSILON
#define BOUND(in_double, in_float) (in_double)
#else
#define EPSILON ((double)FLT_EPSILON)
#define BOUND(in_double, in_float) (in_float)
#endif

#define TEST_PI 3.14159265358979323846
#define MAX_POINTS 4096

typedef struct trial {
    pliant_scene_def def;
    pliant_scene    *scene;
    pliant_model    *model;
    pliant_state    *state;
    pliant_solver   *solver;
    pliant_inputs   *inputs;
} trial;

/* Begins a scene with gravity (0, -g, 0). The def can still be changed in between: see trial_begin_def. */
void trial_begin(trial *w, double g, uint32_t substeps, uint32_t iterations);

/* Begins a scene with w->def as it is. */
void trial_begin_def(trial *w);

/* For methods that want sparse factors: CHOLMOD's, or NULL where that is not built in. */
const pliant_linear_solver *trial_linear(void);

/* Compiles, and makes a state, a solver that measures, and inputs. */
void trial_compile(trial *w);

void trial_end(trial *w);

/* `count` steps of dt seconds with no inputs but the model's. */
void trial_run(trial *w, double dt, uint32_t count);

/* One step with the inputs as they are. */
void trial_step(trial *w);

pliant_vec3     vec(double x, double y, double z);
pliant_material plain_material(void);

/* Loose particles. v NULL: at rest; inverse NULL: 1. */
pliant_body add_points(trial *w, size_t count, const double (*x)[3], const double (*v)[3], const double *inverse,
                       const pliant_material *material);

pliant_law rigid(void);
pliant_law compliant(double alpha);
pliant_law stiff(double k);

/* A constraint of a kind between vertices of one body with its first parameter. */
pliant_constraint add_link(trial *w, pliant_body body, pliant_constraint_kind kind, const uint32_t *ids, double parameter,
                           const pliant_law *law);
pliant_constraint add_distance(trial *w, pliant_body body, uint32_t a, uint32_t b, double rest, const pliant_law *law);

/* A square metre of cloth of 0.2 kg that hangs from its upper edge, along x; pins for ever. Its stretch and shear have `compliance`. */
pliant_body hang_cloth(trial *t, double tether, double compliance, uint32_t cells);

/* A plane through `point` with its solid below it, tilted about z so that it falls towards +x by `slope` radians. */
pliant_collider_def plane_def(double slope, double friction_static, double friction_dynamic, double restitution);
pliant_collider     add_collider(trial *w, const pliant_collider_def *def);

void     point_of(const trial *w, pliant_body body, uint32_t vertex, double x[3]);
void     speed_of(const trial *w, pliant_body body, uint32_t vertex, double v[3]);
uint32_t vertex_count(const trial *w, pliant_body body);

/* How fast the centre of mass of a body without pins moves, m/s: its momentum over its mass. */
double drift_of(const trial *w, pliant_body body);

/* Lets a free body go a tenth wider than it is, and bent. The most that its centre of mass moves at the end of any of 100 steps, m/s. */
double trial_ring(trial *w, pliant_body body);

/* The most energy that any of 60 frames of so many steps ends with above the least before it, as a share of what was turned over until then; what the step says is unresolved aside. Its
 * solver has to measure energy: trial_measure. */
double trial_gain(trial *w, uint32_t steps);

/* The trial's solver anew, with energy measured. */
void trial_measure(trial *w);

double dot3(const double a[3], const double b[3]);
void   cross3(const double a[3], const double b[3], double out[3]);
double length3(const double a[3]);

/* Fails with both numbers unless |found - expected| <= bound. */
void near_at(double found, double expected, double bound, const char *what, const char *file, int line);
#define near(found, expected, bound) near_at(found, expected, bound, #found, __FILE__, __LINE__)

/* A random number in [0, 1), the same everywhere. */
double chance(uint64_t *seed);

#endif
