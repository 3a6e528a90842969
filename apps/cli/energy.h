/* The energies of a run, frame by frame: into a file of columns or a plot, and whether any comes from nowhere. */
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
    const char     *name;
    cli_out         out;
    cli_energy_row *rows;
    uint32_t        count, room;
    double          work, dissipated; /* since the start, J */
    double          lowest;           /* of total - work */
    double          turned;           /* what kinetic, gravity and elastic energy have changed by, each counted */
    pliant_energy   last;
    uint32_t        gained_frame, gained_body; /* the first frame that gained, 0: none; the model's body that gained most in it */
    double          gained, gained_turned;
} cli_energies;

/* Before the first frame. `path` NULL: no file. */
bool cli_energies_start(cli_energies *e, const char *name, const char *path, bool force, pliant_error *error);

/* After a frame. */
bool cli_energies_frame(cli_energies *e, const pliant_model *model, const pliant_solver *solver, const pliant_state *state, uint32_t frame,
                        pliant_error *error);

/* "gains energy: ...", if a frame did. */
bool cli_energies_gained(const cli_energies *e, const pliant_model *model, char *out, size_t size);

/* Writes the plot, and gives the file its name. */
bool cli_energies_finish(cli_energies *e, pliant_error *error);

void cli_energies_end(cli_energies *e);

#endif
