/* Running pliant-import. */
#ifndef PLIANT_IO_MESH_IMPORT_RUN_H
#define PLIANT_IO_MESH_IMPORT_RUN_H

#include "base/error.h"
#include "pliant/io.h"

/* Runs pliant-import on a mesh of the format `name`; returns its output, from malloc. NULL on error: it is not there, it crashed, it took too long,
 * it wrote more than the memory it may have. */
char *pliant__import_run(const pliant_import_def *def, const char *path, const char *name, size_t *length, pliant_error *error);

#endif
