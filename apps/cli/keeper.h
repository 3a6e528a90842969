/* Checkpoints of a run: one every so many frames, and one at once when the user wants to stop. */
#ifndef PLIANT_CLI_KEEPER_H
#define PLIANT_CLI_KEEPER_H

#include "cli.h"

#include <pthread.h>

typedef struct cli_keeper {
    const char       *path; /* NULL: nothing is kept, and nothing below does anything */
    const char       *name; /* of the scene, for messages */
    uint32_t          every, frames;
    pliant_checkpoint at;     /* of the last frame that outputs have, if `before` is its state */
    pliant_state     *before; /* that state */
    pthread_t         thread;
    pthread_mutex_t   lock; /* held except while a step is computed: `before` and `at` are then the checkpoint to keep */
    pthread_cond_t    over;
    bool              started, ended;

    struct cli_profile *profile; /* written whole when the program ends; NULL: no profile */
} cli_keeper;

/* Begins with the lock held. `at`: fps and method of the run. */
bool cli_keeper_start(cli_keeper *k, const pliant_model *model, pliant_error *error);
void cli_keeper_end(cli_keeper *k);

/* Where a job begins: its checkpoint, read into a state; where there is none yet, frame 0, and the state as it was. `from` is set to the
 * checkpoint's; its method comes as the job's. False if it does not fit the job. */
bool cli_resume(const cli_job *job, pliant_state *state, pliant_checkpoint *from, pliant_error *error);

/* Around the step that goes on from a frame which all outputs have. If it takes longer than half a second after Ctrl-C, the state before it
 * is kept, and the program ends. */
void cli_keeper_before_step(cli_keeper *k, const pliant_state *state, uint32_t frame);
void cli_keeper_after_step(cli_keeper *k);

/* Writes a checkpoint of a frame. */
bool cli_keeper_write(cli_keeper *k, const pliant_state *state, uint32_t frame, uint32_t written, pliant_error *error);

/* Whether one is to be written after this frame. */
bool cli_keeper_wants(const cli_keeper *k, uint32_t frame);

#endif
