/* Types and functions that the parts of pliant compare share: compare.c reads options, compare_run.c measures, compare_report.c prints the
 * results. */
#ifndef PLIANT_CLI_COMPARE_H
#define PLIANT_CLI_COMPARE_H

#include "moments.h"
#include "out.h"

#define COMPARE_MOST_METHODS 32
#define COMPARE_MOST_OUTPUTS CLI_MAX_PATHS
#define COMPARE_MOST_REPETITIONS 64

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
    bool                  again;       /* the curve is there already, and must come out the same */
    bool                  differs;
} compare_tracing;

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
} compare_curve;

typedef struct compare_job {
    const char   *name; /* of the scene */
    cli_moments   moments;
    uint32_t      frame, iterations, threads, repeat;
    double        until, h; /* h: length of the substep, s */
    bool          quiet;
    compare_curve curves[COMPARE_MOST_METHODS];
    uint32_t      count;
    double        first; /* the constraints' residual before the first iteration, m sqrt(kg) */
    cli_out       outs[COMPARE_MOST_OUTPUTS];
    uint32_t      out_count;
} compare_job;

/* Asks each method whether it can take the scene, and makes what it needs if so; returns the exit code. */
int compare_prepare(compare_job *job);

/* Measures every curve from the moments' state; returns the exit code. */
int compare_measure(compare_job *job);

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
