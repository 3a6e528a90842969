/* The most stretched distance at the end of a run: its place, its reason, and remedies with numbers. */
#ifndef PLIANT_CLI_STRETCH_H
#define PLIANT_CLI_STRETCH_H

#include "cli.h"

/* A stretch beyond this is printed with remedies; these aim lower than it, for the next run does not end in the same pose. */
#define CLI_STRETCH_MUCH 0.10
#define CLI_STRETCH_AIM 0.05

/* The run that ended, and how it was solved. */
typedef struct cli_stretch_run {
    const pliant_model      *model;
    const pliant_state      *state;
    const pliant_method_def *method;
    double                   fps;
    uint32_t                 said_substeps; /* 0: the scene's */
    uint32_t                 substeps;      /* of the last step; 0: there was none */
    uint32_t                 iterations;    /* 0: the scene's */
} cli_stretch_run;

/* The most stretched distance. A remedy is 0 where it does not help, or where there is no need. */
typedef struct cli_stretch {
    pliant_strain strain;
    pliant_vec3   at;       /* m, between its particles */
    double        elastic;  /* its law's compliance times the force in it, over its rest length */
    uint32_t      substeps; /* a frame */
    double        substep;  /* s; instead of substeps, where the scene says how long they are */
    double        tether;
    double        apart, between; /* m, of two held vertices that are further apart than the way from one to the other over distances at
                                     rest */
    uint32_t      held[2];
    bool          set_by_pbd; /* its law has a PBD stiffness below 1 */
} cli_stretch;

/* Looks for it. Steps a copy of the state by a frame where a compliance may be the reason. */
cli_stretch cli_stretch_of(const cli_stretch_run *run);

/* A line, and above CLI_STRETCH_MUCH another one. */
void cli_stretch_print(const cli_stretch *stretch, const pliant_model *model);

/* , "stretched": {...} or null. */
void cli_stretch_print_json(const cli_stretch *stretch, const pliant_model *model);

#endif
