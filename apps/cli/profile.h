/* Where the time of a run goes, as a file for chrome://tracing and Perfetto (Trace Event Format, JSON): run --profile.
 *
 * Each thread has a row of its own and puts what it does there into memory that was allocated before; between frames the thread that steps
 * writes the events so far. All functions take NULL for "no profile" and do nothing then. */
#ifndef PLIANT_CLI_PROFILE_H
#define PLIANT_CLI_PROFILE_H

#include "cli.h"

typedef struct cli_profile cli_profile;

/* Begins; the calling thread is the one that steps and writes. NULL if there is no memory. */
cli_profile *cli_profile_start(void);

/* Opens the file, under another name until it is whole; false with the error filled. From here on there can be something to write. */
bool cli_profile_open(cli_profile *p, const char *path, bool force, pliant_error *error);

/* For pliant_solver_def.profile. A new solver's threads take the place of the last one's. */
pliant_profile cli_profile_hook(cli_profile *p);

/* Makes rows for a solver's threads, with room for a frame. */
bool cli_profile_ready(cli_profile *p, const char *name, const pliant_model *model, const pliant_solver *solver, uint32_t substeps,
                       uint32_t iterations, const pliant_method_def *method, pliant_error *error);

/* Begins and ends a span of the command itself; spans nest. `of`: a file, or NULL. Both texts must last. */
void cli_profile_enter(cli_profile *p, const char *name, const char *of);
void cli_profile_leave(cli_profile *p);

/* Sets the frame of all later events. */
void cli_profile_frame(cli_profile *p, uint32_t frame);

/* Writes the events so far; no span may be open. */
bool cli_profile_write(cli_profile *p, pliant_error *error);

/* Writes the end and gives the file its name. Events not written by cli_profile_write are left out. */
bool cli_profile_finish(cli_profile *p, pliant_error *error);

/* Spans in the file, and those for which there was no room. */
uint64_t cli_profile_count(const cli_profile *p, uint64_t *dropped);

/* Frees; a file that was not finished is removed. */
void cli_profile_end(cli_profile *p);

#endif
