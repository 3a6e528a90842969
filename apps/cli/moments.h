/* A scene's frames one after another, simulated or read from a cache. */
#ifndef PLIANT_CLI_MOMENTS_H
#define PLIANT_CLI_MOMENTS_H

#include "cli.h"

typedef struct cli_moments {
    pliant_model  *model; /* the file's */
    pliant_state  *state;
    pliant_solver *solver; /* of a simulation; NULL for a cache */
    pliant_inputs *inputs;
    pliant_cache  *cache;       /* NULL for a simulation */
    pliant_model  *poses_model; /* of a cache: the colliders alone, stepped so that those with keys move */
    pliant_state  *poses;
    pliant_solver *poses_solver;
    pliant_inputs *poses_inputs;
    double         fps;
    uint32_t       now;     /* the frame that `state` holds */
    bool           stepped; /* by the last call: the solver has its contacts */
    double         seconds; /* spent simulating */
} cli_moments;

/* Moments of a scene; `cache` is the path of a cache that pliant run wrote of it, or NULL. They begin at frame 0. Takes nothing over: the
 * file has to stay, and its scene has lost its bodies where there is a cache. */
bool cli_moments_begin(cli_moments *m, const pliant_model_file *file, uint32_t threads, const char *cache, pliant_error *error);
void cli_moments_end(cli_moments *m);

/* Back to frame 0. */
bool cli_moments_rewind(cli_moments *m, pliant_error *error);

/* To the next frame. */
bool cli_moments_next(cli_moments *m, pliant_error *error);

#endif
