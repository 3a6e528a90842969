/* What tests of the solver, the state and the model share: scenes built in C that together have every kind of constraint, contact and force;
 * hosts' job systems of all sorts; an allocator that counts and can run dry; and a run, reduced to hashes. */
#ifndef PLIANT_TESTS_SAMPLE_SCENES_H
#define PLIANT_TESTS_SAMPLE_SCENES_H

#include "pliant/pliant.h"

#define R(a) ((pliant_real)(a))

/* ---- memory ---- */

typedef struct tally {
    size_t left;  /* allocations that still succeed */
    size_t live;  /* blocks not yet given back */
    size_t calls; /* allocations asked for */
} tally;

/* An allocator over `t`, which is set to: never runs dry, nothing counted. */
pliant_allocator tally_allocator(tally *t);

/* ---- scenes ---- */

/* Parameters of a kind that has several rows, all 0 in one shape, as the corner of a cube with edges of that length (m). False: of other kinds they stay. */
bool solid_parameters(pliant_constraint_kind kind, double edge, pliant_real *parameters);

typedef struct sample {
    const char *name;
    uint32_t    frames;
    pliant_scene *(*build)(const pliant_allocator *allocator); /* `allocator` NULL: the C library's */
    /* What the user does before frame `frame`: inputs and changes of the state. Only exact numbers, so that it is the same in whatever
     * floating-point environment it runs. NULL: nothing. */
    void (*drive)(const pliant_model *model, pliant_inputs *inputs, pliant_state *state, uint32_t frame);
} sample;

extern const sample   samples[];
extern const uint32_t sample_count;

const sample *sample_named(const char *name);

/* Builds and compiles; fails the test on error. */
pliant_model *sample_model(const sample *which);

/* Functions of users' constraints that the samples have. SAMPLE_DISTANCE: |x0 - x1| - tag / 1024. SAMPLE_FRAME: 6 rows, x0 - x1 + e_x / 4 and
 * x1 - x2 + e_x / 4. SAMPLE_WALLS: two rows, y - tag / 1024 and x. */
enum { SAMPLE_DISTANCE, SAMPLE_FRAME, SAMPLE_WALLS };
pliant_solver_def sample_solver_def(void);

/* ---- hosts ---- */

typedef enum host_kind {
    HOST_NONE,
    HOST_ONE_AT_A_TIME,
    HOST_REVERSE,
    HOST_LATE,    /* nothing runs before wait */
    HOST_RANDOM,  /* in wait, shuffled */
    HOST_FRESH,   /* three threads, made for each batch of tasks: slow */
    HOST_THREADS, /* three threads that stay */
    HOST_ODD,     /* the same, with flush-to-zero, denormals-are-zero and rounding up; each task must leave that as it was */
    HOST_COUNT
} host_kind;

/* Callbacks of a host; there is one of each, for one solver at a time. */
pliant_tasks host_tasks(host_kind which);

/* Tasks that did not leave their thread's floating-point environment as it was. */
uint32_t host_disturbed(void);

/* Sets flush-to-zero, denormals-are-zero and rounding up on this thread and returns what was; does nothing where we do not know how. */
unsigned odd_environment(void);
void     set_environment(unsigned environment);
unsigned environment_now(void);

/* ---- runs ---- */

typedef struct run_way {
    uint32_t  width, threads; /* 0: the default */
    host_kind host;
    bool      rebuild; /* the solver is thrown away after every frame */
    bool      measure;
    bool      odd_step; /* the caller's thread has an odd environment while it steps */
    bool      odd_tick; /* ... and while it says its inputs and reads vertices */
} run_way;

typedef struct outcome {
    uint64_t state;    /* of the states after each frame */
    uint64_t report;   /* statistics, contacts and forces after each frame; times left out */
    uint64_t searches; /* for pairs: as many whatever the way; a new solver in each frame, which has found nothing yet, seeks in each */
    uint32_t frames;
    bool     rebuilt;
} outcome;

outcome sample_run(const pliant_model *model, const sample *which, uint32_t frames, run_way how);

/* Says which run of which scene is another one than expected. */
bool outcomes_agree(const char *scene, const char *what, uint32_t number, outcome found, outcome expected);

/* The same with the given objects, from frame `first` on; the outcome of the state alone. */
void sample_frames(const sample *which, pliant_solver *solver, pliant_state *state, pliant_inputs *inputs, uint32_t first, uint32_t count);

#endif
