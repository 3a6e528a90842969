/* What the formats of caches share. A format is a file and a row in writer.c. */
#ifndef PLIANT_IO_WRITER_H
#define PLIANT_IO_WRITER_H

#include "base/array.h"
#include "io/file.h"
#include "pliant/io.h"

typedef struct pliant__format pliant__format;

typedef ARRAY(char) pliant__bytes;

struct pliant_writer {
    const pliant__format *format;
    const pliant_model   *model;
    pliant_write_def      def;
    char                 *path;   /* as given, without a trailing slash */
    uint32_t              frames; /* written so far */
    bool                  failed;
    char                **names; /* one per body, fit for file names; no two alike */
    uint32_t              body_count;
    pliant__file         *files; /* what stays open: one, or one per body */
    uint32_t              file_count;
    char                **paths; /* of files that are there now */
    size_t                path_count, path_room;
    pliant__bytes         text;  /* of the frame being written */
    pliant_vec3          *x, *v; /* vertices of the largest body */
};

struct pliant__format {
    pliant_format_info info;
    /* Frame number `writer->frames`, complete or not at all. */
    bool (*frame)(pliant_writer *writer, const pliant_state *state, pliant_error *error);
};

bool pliant__csv_frame(pliant_writer *writer, const pliant_state *state, pliant_error *error);
bool pliant__pc2_frame(pliant_writer *writer, const pliant_state *state, pliant_error *error);
bool pliant__objs_frame(pliant_writer *writer, const pliant_state *state, pliant_error *error);

/* Opens `count` files; `path_of` makes the path of number i, from malloc. */
bool pliant__writer_open_files(pliant_writer *writer, uint32_t count, char *(*path_of)(const pliant_writer *writer, uint32_t i),
                               pliant_error *error);

/* Adds to the list of files that are there. */
bool pliant__writer_note(pliant_writer *writer, const char *path, pliant_error *error);

/* Appends to writer->text. False if out of memory. */
bool pliant__writer_put(pliant_writer *writer, const void *data, size_t size);
bool pliant__writer_put_number(pliant_writer *writer, double value, char after);
bool pliant__writer_put_count(pliant_writer *writer, uint64_t value, char after);

#endif
