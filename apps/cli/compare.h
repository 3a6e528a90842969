/* Types and functions that the parts of pliant compare share: compare.c reads options, compare_run.c measures, compare_report.c prints the
 * results. */
#ifndef PLIANT_CLI_COMPARE_H
#define PLIANT_CLI_COMPARE_H

#include "moments.h"
#include "out.h"

#define COMPARE_MOST_METHODS 32
#define COMPARE_MOST_OUTPUTS CLI_MAX_PATHS
#define COMPARE_MOST_REPETITIONS 64
#define COMPARE_MOST_SAMPLES 64

typedef enum compare_status {
    COMPARE_REACHED,     /* the wanted residual */
    COMPARE_NOT_REACHED, /* within the iterations */
    COMPARE_DIVERGED,    /* its residual is no number, or COMPARE_FAR times the first one; or it says itself that it found no solution */
    COMPARE_CANNOT       /* take this scene */
} compare_status;

#define COMPARE_FAR 1000

/* The trace of one run: its times and residuals. */
typedef struct compare_tracing {
    struct compare_curve *curve;
    double               *times;       /* of this repetition */
    uint32_t              count, most; /* points so far, iterations at most */
    uint32_t              stop;        /* no more iterations after this one */
    bool                  again;       /* the curve is there already, and must come out the same */
    bool                  differs;
} compare_tracing;

/* Where a method is after some of its iterations: points of its curve, and the distance from the reference there. */
typedef struct compare_samples {
    uint32_t count;
    uint32_t point[COMPARE_MOST_SAMPLES]; /* of the curve, ascending; the last one is the curve's last */
    double   error[COMPARE_MOST_SAMPLES]; /* m, root mean square over the particles */
} compare_samples;

/* One method's iterations. Point 0 is the prediction, before the first of them. */
typedef struct compare_curve {
    char              label[128]; /* as it was asked for */
    pliant_method_def method;
    compare_status    status;
    char              reason[512]; /* CANNOT */
    pliant_solver    *solver;
    uint32_t          count;               /* points */
    double           *iteration, *ms;      /* ms: from the start, of medians over repetitions */
    double           *constraint, *primal; /* m sqrt(kg) */
    double           *relative[2];         /* both over the first residual */
    double           *primal_max;          /* N */
    compare_tracing   tracing;
    double           *times;    /* ms, repetition after repetition */
    uint32_t          reached;  /* point, if REACHED */
    bool              unsolved; /* the method says that it found no solution */
    bool              failed;   /* the step ended in an error: there are no positions at the end */
    compare_samples   samples;  /* with a reference; else none */
} compare_curve;

typedef struct compare_job {
    const char   *name; /* of the scene */
    cli_moments   moments;
    uint32_t      frame, iterations, threads, repeat;
    double        until, h; /* h: length of the substep, s */
    bool          quiet;
    compare_curve curves[COMPARE_MOST_METHODS];
    uint32_t      count;
    double        first;                 /* the constraints' residual before the first iteration, m sqrt(kg) */
    bool          referred;              /* errors are asked for: distances from where `reference` ends */
    compare_curve reference, prediction; /* the latter of gauss_seidel, stopped before its first iteration */
    double        error_first;           /* of the prediction, m */
    cli_out       outs[COMPARE_MOST_OUTPUTS];
    uint32_t      out_count;
} compare_job;

/* Asks each method whether it can take the scene, and makes what it needs if so; returns the exit code. */
int compare_prepare(compare_job *job);

/* Measures every curve from the moments' state; returns the exit code. */
int compare_measure(compare_job *job);

/* Takes the substep from the moments' state by a curve's method, up to point `stop` of the curve, and adds its points, or, `again`, checks that they are
 * the same as before; returns the exit code. */
int compare_run_once(compare_job *job, compare_curve *c, uint32_t repetition, uint32_t stop, bool again, pliant_state *state);

/* Measures how far from the reference each curve is after some of its iterations; returns the exit code. */
int compare_errors(compare_job *job);

/* The error after the last iteration, in parts of the prediction's; a NaN where it was not measured. */
double compare_last_error(const compare_job *job, const compare_curve *c);

/* The first method that can take the scene; NULL if none can. */
const compare_curve *compare_any(const compare_job *job);

/* The curve that reached the wanted residual in the least time; NULL if none did. */
const compare_curve *compare_fastest(const compare_job *job);

/* Table and JSON go to standard output, CSV and SVG to a file. */
void compare_print_table(const compare_job *job);
void compare_print_json(const compare_job *job);
void compare_write_csv(FILE *to, const compare_job *job);
void compare_write_svg(FILE *to, const compare_job *job);

#endif
