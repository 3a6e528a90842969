/* A cache being written: fields and functions that the formats share. */
#ifndef PLIANT_IO_CACHE_WRITER_H
#define PLIANT_IO_CACHE_WRITER_H

#include "io/files/file.h"
#include "io/cache/format.h"

struct pliant_writer {
    pliant__place    place;
    pliant_write_def def;
    uint32_t         frames; /* written so far */
    bool             failed;
    pliant__file    *files; /* files that stay open: one, or one per body */
    uint32_t         file_count;
    char           **paths; /* of files that are there now */
    size_t           path_count, path_room, synced;
    pliant__bytes    text;          /* of the frame being written */
    pliant_vec3     *x, *v;         /* vertices of the largest body; x has room for two numbers each */
    pliant__bytes    kept;          /* bytes that a format keeps from frame to frame */
    void            *own;           /* data of the format's own, kept likewise; from malloc, with `release` of the format for its parts */
    float           *floats, *base; /* of formats that are put together at the end: a frame, and frame 0 */
    uint32_t        *corners;       /* likewise: of faces that are kept in a frame */
    bool             finished;
};

/* Makes room for files, none of them open. */
bool pliant__writer_make_files(pliant_writer *writer, uint32_t count, pliant_error *error);

/* Opens `count` files; `path_of` makes the path of number i, from malloc. */
bool pliant__writer_open_files(pliant_writer *writer, uint32_t count, char *(*path_of)(const pliant__place *place, uint32_t i),
                               pliant_error *error);

/* Opens the same files where they are there; file i goes on behind its first size_of(...) bytes. Nothing is cut off yet. */
bool pliant__writer_reopen_files(pliant_writer *writer, uint32_t count, char *(*path_of)(const pliant__place *place, uint32_t i),
                                 uint64_t (*size_of)(const pliant_writer *writer, const pliant_cache *cache, uint32_t i),
                                 const pliant_cache *cache, pliant_error *error);

/* The number of the frame that is being written. */
uint32_t pliant__writer_number(const pliant_writer *writer);

/* The number and the time of frame `frame`, s: numbers go up by def->every, and def->fps frames are written per second. */
uint64_t pliant__def_number(const pliant_write_def *def, uint64_t frame);
double   pliant__def_time(const pliant_write_def *def, uint64_t frame);

/* Whether there may be so many frames per second: every frame then has a time that a float holds. */
bool pliant__fps_fits(double fps);

/* Numbers per second. */
double pliant__def_rate(const pliant_write_def *def);

/* Adds to the list of files that are there. */
bool pliant__writer_note(pliant_writer *writer, const char *path, pliant_error *error);

#endif
