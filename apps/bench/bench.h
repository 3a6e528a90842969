/* The benchmark: types and functions that its parts share. The command's verb `pliant bench` and the comparison with Bullet are built on it.
 *
 *     machine.c          the machine: its name, its caches
 *     limits.c           the machine's limits: triad, slots through an index, square root, division; limits_width.c per width
 *     subjects.c         the subjects that are timed: cloths, bodies, made in memory, as generated or shuffled
 *     rounds.c           timing: variants take turns, medians, spreads
 *     cases.c            the table of cases; steps.c, frames.c, drop.c, huge.c what they measure
 *     table.c            the figures; kept.c reads and writes them as CSV; slower.c compares two runs
 *     report.c           prints them as text and JSON */
#ifndef PLIANT_BENCH_BENCH_H
#define PLIANT_BENCH_BENCH_H

#include "pliant/io.h"

#include <stdio.h>

#define BENCH_LEAST_SECONDS 2e-3 /* of one repetition: a clock is read to better than a thousandth of it */

enum { BENCH_MOST_LIST = 16, BENCH_MOST_ROUNDS = 101, BENCH_LEAST_ROUNDS = 5, BENCH_LEAST_OF_SLOW = 3, BENCH_SUBSTEPS = 10 };

/* ---- the machine: machine.c ---- */

enum { BENCH_L1, BENCH_L2, BENCH_L3, BENCH_DRAM, BENCH_LEVELS };

typedef struct bench_machine {
    char     processor[128];       /* "AMD EPYC" */
    char     name[96];             /* for a file: "amd-epyc-f26m2-2c" */
    uint32_t processors;           /* that this process may run on */
    size_t   caches[BENCH_LEVELS]; /* bytes; DRAM: 0 */
    bool     guessed;              /* the system does not say how large its caches are */
} bench_machine;

bench_machine bench_machine_here(void);

extern const char *const bench_level_names[BENCH_LEVELS]; /* "L1" */

double bench_now(void); /* s */

/* ---- settings ---- */

typedef struct bench_settings {
    bench_machine               machine;
    pliant_allocator            allocator;
    uint32_t                    widths[BENCH_MOST_LIST], width_count; /* ascending */
    uint32_t                    threads[BENCH_MOST_LIST], thread_count;
    uint32_t                    sizes[BENCH_MOST_LIST], size_count; /* none: each case has its own */
    uint32_t                    rounds;                             /* repetitions, at most */
    bool                        quick;
    bool                        lean;   /* solvers are (pliant_solver_def.lean) */
    const pliant_linear_solver *linear; /* may be NULL */
    bool (*interrupted)(void);
    void (*begins)(const char *what, uint32_t size); /* called before each case with its name; may be NULL */
} bench_settings;

/* ---- figures: table.c ---- */

/* One figure. Case, size, width, threads and unit name it. */
typedef struct bench_row {
    char     name[32]; /* of the case, perhaps with a suffix */
    uint32_t size;
    uint64_t particles, constraints;
    uint32_t width, threads; /* 0: does not apply */
    char     unit[12];       /* "ns": per constraint and sweep; "ms": per frame; "%"; "x"; "GB/s"; ... */
    double   value, spread;  /* spread: median absolute deviation over the repetitions */
    uint32_t rounds;
    double   limit; /* the same in the machine's limits; 0: there is none */
    char     limit_name[24];
} bench_row;

typedef struct bench_table {
    bench_row *rows;
    uint32_t   count, room;
} bench_table;

bool             bench_add(bench_table *table, const bench_row *row, pliant_error *error);
const bench_row *bench_find(const bench_table *table, const bench_row *like);
double           bench_ratio(const bench_row *row); /* to the limit; 0 where there is none */
bool             bench_larger_is_better(const bench_row *row);
void             bench_free(bench_table *table);
bool             bench_fail(pliant_error *error, pliant_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- the machine's limits: limits.c ---- */

/* Seconds. Widths and threads in the order of the settings. */
typedef struct bench_limits {
    double slot[BENCH_MOST_LIST];   /* to load a particle's x y z w through an index, transpose, and store it: per particle, data in L1 */
    double root[BENCH_MOST_LIST];   /* a square root, per lane */
    double ratio[BENCH_MOST_LIST];  /* a division, per lane */
    double strip[BENCH_MOST_LIST];  /* a distance in lanes, without an index */
    double volume[BENCH_MOST_LIST]; /* a tetrahedron's volume likewise */
    double byte[BENCH_MOST_LIST][BENCH_LEVELS]; /* per byte of a triad, all threads together */
} bench_limits;

/* Measures them and adds them to the table. */
bool bench_measure_limits(const bench_settings *settings, bench_limits *limits, bench_table *table, pliant_error *error);

/* The nearest cache that holds so many bytes; those of threads' own hold a share each. */
int bench_level_of(const bench_machine *machine, double bytes, uint32_t threads);

/* ---- subjects: subjects.c, shapes.c ---- */

typedef struct bench_subject {
    pliant_scene *scene; /* NULL once it is compiled */
    pliant_model *model;
    pliant_body   body;    /* the first */
    uint32_t      side;    /* vertices along an edge */
    uint32_t     *place;   /* of a shuffled body: vertex number of each place of the grid; NULL: as generated */
    bool          gathers; /* no order of its own: particles are read through an index */
    double        compile_seconds;
    uint64_t      constraints;
    double        dt;     /* of a frame, s */
    uint32_t      sweeps; /* in a frame */
    uint32_t      start;  /* frames before the one that is timed */
    bool          frames; /* ms per frame are wanted too */
    uint32_t      states; /* so many of the model take each step, by pliant_solver_step_many; 0: one. Constraints are those of all */
} bench_subject;

typedef enum bench_shape {
    BENCH_GRID_CLOTH,     /* size x size, vertical, 2 m, two corners pinned, rigid: structural, shear and bending distances */
    BENCH_ANGLES,         /* the same sheet of cotton, with dihedral angles */
    BENCH_PLASTIC,        /* the same, of which every edge and angle has a yield */
    BENCH_LINES,          /* of cotton, which bends by lines and quads */
    BENCH_MESH_CLOTH,     /* the same sheet as a shuffled triangle mesh: edges, and a distance across each */
    BENCH_TETHERED,       /* BENCH_GRID_CLOTH with a tether of 1 to either pin */
    BENCH_TETHERED_MESH,  /* BENCH_MESH_CLOTH with them */
    BENCH_LATTICE,        /* size^3 cubes of five tetrahedra, hanging from the top: edges with one compliance, rigid volumes */
    BENCH_TET_MESH,       /* the same as a shuffled mesh, of six tetrahedra to a cube */
    BENCH_SOLID,          /* that mesh by Young's modulus and Poisson's ratio: each row has a law of its own */
    BENCH_NEO_LATTICE,    /* the lattice, of neo-Hookean tetrahedra */
    BENCH_NEO_PLASTIC,    /* the lattice with a yield */
    BENCH_NEO_MESH,       /* the mesh, of neo-Hookean tetrahedra */
    BENCH_COROTATED,      /* the lattice, of corotated tetrahedra */
    BENCH_STVK,           /* the lattice, of Saint Venant-Kirchhoff tetrahedra */
    BENCH_TET_STRAIN,     /* the lattice, of strain-based tetrahedra */
    BENCH_COROTATED_MESH, /* the mesh, of each of the other laws */
    BENCH_STVK_MESH,
    BENCH_TET_STRAIN_MESH,
    BENCH_STRAIN,      /* the sheet of cotton, of triangle_strain that bend by lines and quads */
    BENCH_STRAIN_MESH, /* BENCH_MESH_CLOTH of cotton, of triangle_strain alone */
    BENCH_STVK_SHEET,  /* the same sheet of triangle_stvk */
    BENCH_TEAR_MESH,   /* that sheet, asked in each substep whether it tears, and never torn */
    BENCH_STITCHED,    /* the grid of cotton twice, sewn to each other vertex by vertex */
    BENCH_PRESSURE,    /* a closed mesh of cotton with gas in it */
    BENCH_SHAPE_RIGID, /* the lattice's particles in clusters of three cells across, which keep their shape: */
    BENCH_SHAPE_LINEAR,
    BENCH_SHAPE_QUADRATIC,
    BENCH_SMALL_CLOTHS, /* a thousand grid cloths, size x size each */
    BENCH_BLOB          /* a closed, shuffled triangle mesh of 6 size^2 + 2 vertices with ears like a bunny's, above a floor */
} bench_shape;

bool bench_subject_make(bench_subject *subject, bench_shape shape, uint32_t size, const bench_settings *settings, pliant_error *error);
/* Of a model from elsewhere, which stays the caller's. */
bench_subject bench_subject_of(pliant_model *model, double fps, uint32_t frames);
void          bench_subject_free(bench_subject *subject);

/* Meshes for them, from malloc: NULL positions where there is no memory. shapes.c. */
typedef struct bench_mesh {
    pliant_vec3 *positions;
    uint32_t    *corners; /* `per` for each element */
    uint32_t    *place;   /* vertex number of each vertex before shuffling */
    size_t       vertex_count, element_count;
} bench_mesh;

bench_mesh bench_sheet(uint32_t side);
bench_mesh bench_tetrahedra(uint32_t cells);
bench_mesh bench_blob(uint32_t cells);
void       bench_mesh_free(bench_mesh *mesh);

/* The least time of a row of the subject on so many threads by the machine's limits, in seconds, and which limit that is. */
double bench_bound(const bench_subject *subject, const bench_settings *settings, const bench_limits *limits, uint32_t width,
                   uint32_t thread, char name[24]);

/* ---- timing: rounds.c ---- */

/* A variant: variants take turns. */
typedef struct bench_variant {
    bool (*prepare)(void *context);             /* before each repetition, not timed; may be NULL */
    bool (*run)(void *context, uint32_t times); /* is timed; false: it failed */
    void    *context;
    uint32_t times; /* per repetition; 0: to be found out */
    double   seconds[BENCH_MOST_ROUNDS];
    double   median, spread; /* of one time, s */
} bench_variant;

/* Repetition after repetition, each variant in turn; at most settings->rounds, fewer when the seconds are over, but some. Returns how many;
 * 0: a variant failed, or it was interrupted. */
uint32_t bench_rounds(bench_variant *variants, uint32_t count, const bench_settings *settings, double seconds);

double bench_median(double *values, uint32_t count); /* sorts them */
double bench_spread(double *values, uint32_t count, double median);

/* A solver on a subject's state, as a variant: from the same state in each repetition. steps.c. */
typedef struct bench_stepper {
    pliant_solver        *solver;
    pliant_state         *state, *start; /* shared */
    pliant_inputs        *inputs;
    pliant_state        **many; /* begins with `state`; shared too. NULL: `state` alone */
    const pliant_inputs **each; /* theirs */
    uint32_t              states;
    double                dt;
    uint32_t              substeps, iterations; /* 0: the model's */
    pliant_code           code;                 /* of the last step */
} bench_stepper;

/* Of the structural edges of a square sheet with vertices x, all `rest` long at rest, m: the sum of |length / rest - 1|. frames.c */
double bench_stretch_of(const bench_subject *subject, const pliant_vec3 *x, double rest);

bool bench_step(void *stepper, uint32_t times);
bool bench_rewind(void *stepper);
bool bench_begin(bench_stepper *stepper, const bench_subject *subject, const bench_settings *settings, uint32_t width, uint32_t threads,
                 pliant_error *error);
void bench_end(bench_stepper *stepper);

/* Fills the error if a variant stopped: steps diverged, or the user interrupted it. */
bool bench_stopped(const bench_settings *settings, const char *name, uint32_t size, pliant_code code, pliant_error *error);

/* ---- cases: cases.c ---- */

typedef bool bench_measure(const bench_settings *settings, const bench_limits *limits, bench_table *table, pliant_error *error);

/* A case. Figures of it have its name, or its name with a suffix. */
typedef struct bench_case {
    const char    *name, *text;
    bool           asked; /* only when it is asked for */
    bench_shape    shape; /* steps of it are timed, in these sizes; 0 ends them */
    uint32_t       sizes[10], quick[10];
    bench_measure *measure; /* instead; NULL: steps */
} bench_case;

extern const bench_case bench_cases[]; /* ends with a NULL name */

const bench_case *bench_find_case(const char *name);
const bench_case *bench_case_of(const bench_row *row); /* NULL: of none; a limit's, or a file's */
bench_measure     bench_headline, bench_tethered, bench_accuracy, bench_drop, bench_small_cloths, bench_huge;

bool bench_run_case(const bench_case *c, const bench_settings *settings, const bench_limits *limits, bench_table *table,
                    pliant_error *error);

/* Times steps of a subject: every width, every number of threads. */
bool bench_time_steps(const char *name, uint32_t size, const bench_subject *subject, const bench_settings *settings,
                      const bench_limits *limits, bench_table *table, pliant_error *error);

/* Steps of a subject of so many substeps, every width, one thread: adds ms per frame. */
bool bench_time_frames(const char *name, const bench_subject *subject, uint32_t substeps, const bench_settings *settings,
                       const bench_limits *limits, bench_table *table, pliant_error *error);

/* A figure without value yet. */
bench_row bench_row_of(const char *name, uint32_t size, const bench_subject *subject, const char *unit);

/* Takes so many steps of a case that is timed by steps, in its smallest size or the first of settings->sizes, and nothing else, with the first
 * width and number of threads; `solved` gets how many constraints that solved, each sweep counted. For counters such as callgrind. */
bool bench_take_steps(const bench_case *c, uint32_t steps, const bench_settings *settings, uint64_t *solved, pliant_error *error);

/* ---- runs on disk: kept.c ---- */

/* Of one file: figures of its last run. */
typedef struct bench_kept {
    char        date[16], revision[64];
    uint32_t    run; /* its number, from 1; 0: the file is not there */
    bench_table table;
} bench_kept;

bool bench_kept_read(const char *path, bench_kept *kept, pliant_error *error);
void bench_write_head(FILE *to);
void bench_write_rows(FILE *to, const bench_table *table, uint32_t run, const char *date, const char *revision);
void bench_today(char date[16]);
/* Writes a file with one run of today, whole or not at all. */
bool bench_write_csv(const char *path, const bench_table *table, pliant_error *error);
/* Copies a kept file as it is; one that is not there is empty. False if it is none. */
bool bench_copy_kept(FILE *to, const char *path, pliant_error *error);

/* ---- slower figures: slower.c ---- */

/* By how much a figure is worse than a kept one, as a share, and how much of that may be noise. */
typedef struct bench_change {
    double share, noise;
    bool   slower;
} bench_change;

bench_change bench_compare(const bench_row *kept, const bench_row *now);

/* ---- printing: report.c ---- */

void bench_print_text(FILE *to, const bench_settings *settings, const bench_table *table);
void bench_print_json(FILE *to, const bench_settings *settings, const bench_table *table, const char *date, const char *revision);

#endif
