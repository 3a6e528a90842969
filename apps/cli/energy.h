/* The energies of a run, frame by frame: into a file of columns or a plot, and whether energy comes from nowhere. Where checkpoints are kept, columns
 * grow in place, and a plot's in a work file beside it, FILE.svg.part, so that a run that was stopped goes on with them. */
#ifndef PLIANT_CLI_ENERGY_H
#define PLIANT_CLI_ENERGY_H

#include "out.h"

/* Energies at the end of a frame, J; work and dissipated since the start. */
typedef struct cli_energy_row {
    uint32_t      frame;
    double        time;
    pliant_energy now;
    double        total, lowest;
} cli_energy_row;

typedef struct cli_energies {
    bool            asked, bodies; /* columns per body, too */
    bool            kept;          /* checkpoints are kept: columns grow in place */
    const char     *name;
    cli_out         out;              /* the plot; columns where no checkpoints are kept */
    FILE           *columns;          /* or NULL */
    char           *grows;            /* path of columns that grow in place; NULL: `out` has them */
    cli_energy_row *rows;             /* of a plot */
    uint32_t        count, room;      /* frames so far, and room for rows */
    double          work, dissipated; /* since the start, J */
    double          lowest;           /* of total - work */
    double          turned;           /* sum of the changes of kinetic, gravity and elastic energy, each by its size */
    pliant_energy   last;
    uint32_t        gained_frame, gained_body; /* the first frame that gained, 0: none; the model's body that gained most in it */
    double          gained, gained_turned;
} cli_energies;

/* Before the first frame: opens the file of energies, if they are reckoned. `from`: the checkpoint that the run goes on from, of frame 0 where it
 * begins. */
bool cli_energies_start(cli_energies *e, const cli_job *job, const pliant_checkpoint *from, pliant_error *error);

/* The energies in a checkpoint of a frame. */
pliant_energy_books cli_energies_books(const cli_energies *e, uint32_t frame);

/* Brings columns that grow in place to the disk. */
bool cli_energies_sync(cli_energies *e, pliant_error *error);

/* After a frame. */
bool cli_energies_frame(cli_energies *e, const pliant_model *model, const pliant_solver *solver, const pliant_state *state, uint32_t frame,
                        pliant_error *error);

/* "gains energy: ...", if a frame did. */
bool cli_energies_gained(const cli_energies *e, const pliant_model *model, char *out, size_t size);

/* Writes the plot, and gives the file its name. `early`: the run goes on some day, if checkpoints are kept. */
bool cli_energies_finish(cli_energies *e, bool early, pliant_error *error);

void cli_energies_end(cli_energies *e);

#endif
