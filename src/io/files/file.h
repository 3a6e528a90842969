/* Files: read whole or in pieces, or written so that the file under its name is always whole. */
#ifndef PLIANT_IO_FILES_FILE_H
#define PLIANT_IO_FILES_FILE_H

#include "base/error.h"

/* All bytes of a file, with a 0 behind them, from malloc. NULL on error: a file that is not there is bad input, another trouble is IO. */
char *pliant__file_read(const char *path, size_t *length, pliant_error *error);

/* A file being read in any order. Only a regular file is opened: it has a size, and reading it does not wait. */
typedef struct pliant__source {
    char    *path;
    int      handle; /* -1: not open */
    uint64_t size;   /* when it was opened */
} pliant__source;

/* After an error it still has to be closed. */
bool pliant__source_open(pliant__source *source, const char *path, pliant_error *error);

/* All of the `size` bytes at `offset`. */
bool pliant__source_read(const pliant__source *source, uint64_t offset, void *to, size_t size, pliant_error *error);
void pliant__source_close(pliant__source *source);

/* Whether a file that a scene names may be read: it lies in a folder (of no name: the working one) or below, wherever links lead, and is no
 * pipe or device. A file that is not there may be: opening it fails with a message. */
typedef enum pliant__where { PLIANT__INSIDE, PLIANT__OUTSIDE, PLIANT__NO_FILE, PLIANT__NO_MEMORY } pliant__where;
pliant__where pliant__file_where(const char *path, const char *folder);

/* A regular file as memory that can be read; *data is NULL where it is empty. False on error. */
bool pliant__file_map(const char *path, const void **data, size_t *size, pliant_error *error);
void pliant__file_unmap(const void *data, size_t size);

/* Calls `visit` for every name in a folder, in no order. */
bool pliant__folder_walk(const char *path, void (*visit)(void *context, const char *name), void *context, pliant_error *error);

/* Whether there is something of this name. */
bool pliant__file_is_there(const char *path);

/* Whether a path ends so, in lower or upper case, and has something before it. */
bool pliant__path_ends(const char *path, const char *ending);

/* A path with another ending in the place of its last `length` bytes, in capitals if these begin so. From malloc; NULL without memory. */
char *pliant__path_beside(const char *path, size_t length, const char *ending);

/* A file being written. It is a temporary file in the same folder until pliant__file_commit, and always ends with the last byte that was
 * committed: bytes of a failed write are cut off. */
typedef struct pliant__file {
    char    *path, *temporary; /* temporary: NULL once renamed */
    int      handle;           /* -1: not open */
    uint64_t good;             /* bytes committed */
    uint64_t end;              /* bytes written */
} pliant__file;

bool pliant__file_open(pliant__file *file, const char *path, pliant_error *error);

/* Holds the lock of a folder's writer, until it is let go; *handle is below 0 if there is none to let go. */
bool pliant__file_hold(int *handle, const char *folder, pliant_error *error);
void pliant__file_let_go(int handle);

/* Lets readers lock the file too, as libhdf5 does; other writers stay locked out. */
void pliant__file_share(const pliant__file *file);

/* Free bytes of the file system of a path; UINT64_MAX if that cannot be told. */
uint64_t pliant__file_room(const char *path);

/* Opens one that is there, to go on behind its first `size` bytes; what is behind them stays until pliant__file_cut. */
bool pliant__file_reopen(pliant__file *file, const char *path, uint64_t size, pliant_error *error);
bool pliant__file_cut(pliant__file *file, pliant_error *error);

/* Waits until a file is on the disk, under its name. */
bool pliant__file_sync(const char *path, pliant_error *error);

/* Writes a file whole: `count` pieces, one after another. It is on the disk before it has its name. */
typedef struct pliant__piece {
    const void *data;
    size_t      size;
} pliant__piece;
bool pliant__file_write(const char *path, const pliant__piece *pieces, size_t count, pliant_error *error);

/* Whether a name is a temporary one of pliant__file_open, of a process that is no more; `*length` gets the length of the file's final name. */
bool pliant__file_is_leftover(const char *name, size_t *length);

/* Removes such a file, unless another process holds its lock; false if that fails, with errno. */
bool pliant__file_remove_leftover(const char *path);

/* Removes such files of one path. */
void pliant__file_sweep(const char *path);

bool pliant__file_append(pliant__file *file, const void *data, size_t size, pliant_error *error);
bool pliant__file_patch(pliant__file *file, uint64_t offset, const void *data, size_t size, pliant_error *error);

/* Commits the bytes appended so far; the first time, the file takes its final name. */
bool pliant__file_commit(pliant__file *file, pliant_error *error);

/* Gives a file its name when all its bytes are on the disk, and waits until the name is too. */
bool pliant__file_settle(pliant__file *file, pliant_error *error);

/* Removes a file that has its name, and closes it. */
bool pliant__file_remove(pliant__file *file, pliant_error *error);

/* Closes; bytes that were not committed are cut off, a file that was never committed is removed. */
bool pliant__file_close(pliant__file *file, pliant_error *error);

#endif
