/* Text files that the command writes: under another name until all of them are whole. */
#ifndef PLIANT_CLI_OUT_H
#define PLIANT_CLI_OUT_H

#include "cli.h"

#include <stdio.h>

typedef struct cli_out {
    const char *path;
    char       *temporary; /* NULL: not there, or renamed */
    FILE       *file;
} cli_out;

/* Makes the temporary file, so that a folder that cannot be written to is known early. After an error it still has to be dropped. */
bool cli_out_open(cli_out *out, const char *path, pliant_error *error);

/* Ends all files, then gives all of them their names. */
bool cli_out_finish(cli_out *outs, uint32_t count, pliant_error *error);

/* Closes, and removes what has not got its name. */
void cli_out_drop(cli_out *out);

#endif
