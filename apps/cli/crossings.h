/* run --crossings: bodies that cut or pass through each other in the frames of a run. */
#ifndef PLIANT_CLI_CROSSINGS_H
#define PLIANT_CLI_CROSSINGS_H

#include "cli.h"

/* Two bodies, or one with itself. */
typedef struct cli_crossed {
    pliant_body bodies[2];
    uint64_t    crossings, passages;
    uint32_t    frames, first, last; /* number of frames with such pairs; the first, and the last */
} cli_crossed;

typedef struct cli_crossings {
    const char         *name; /* of the scene; NULL: no watch */
    const pliant_model *model;
    pliant_state       *before; /* the last state that was seen */
    pliant_crossing    *found;
    uint32_t            room;
    cli_crossed        *crossed;
    uint32_t            crossed_count;
    uint64_t            crossings, passages;
    uint32_t            frames, first, last;
    double              seconds; /* s, spent on this watch */
    pliant_code         code;
} cli_crossings;

/* Begins the watch at a state. */
bool cli_crossings_start(cli_crossings *c, const char *name, const pliant_model *model, const pliant_state *state, uint32_t frame,
                         const cli_progress *progress, pliant_error *error);
void cli_crossings_end(cli_crossings *c);

/* After a substep on the way to a frame: counts bodies that passed through each other. Not if bodies were `put_back` in this frame: a jump is no
 * path. */
void cli_crossings_substep(cli_crossings *c, const pliant_state *state, uint32_t frame, bool put_back);

/* After the last substep: also counts bodies that cut through each other. The first time of two bodies is noted on standard error. False if out of
 * memory. */
bool cli_crossings_frame(cli_crossings *c, const pliant_state *state, uint32_t frame, bool put_back, const cli_progress *progress,
                         pliant_error *error);

/* Whether there was any pair; prints a summary of them. */
bool cli_crossings_any(const cli_crossings *c, uint32_t frames);

/* "crossings": {...}, */
void cli_crossings_print(const cli_crossings *c);

/* "skirt and cape", "skirt and itself" */
const char *cli_two_bodies(const pliant_model *model, const pliant_body bodies[2], char *out, size_t size);

#endif
