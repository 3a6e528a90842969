/* Cooked models, read; and files of Pliant's that are told from scene files by how they begin. */
#ifndef PLIANT_IO_KEPT_COOKED_H
#define PLIANT_IO_KEPT_COOKED_H

#include "base/error.h"
#include "pliant/io.h"

bool pliant__is_cooked(const char *path);

/* Whether a file is a recording or a checkpoint: an error says so, by its name. */
bool pliant__is_no_scene(const char *path, pliant_error *error);

/* Maps a cooked model, and checks all of it. After an error the file still has to be closed. */
bool pliant__cooked_read(const char *path, pliant_model_file *file, pliant_error *error);

#endif
