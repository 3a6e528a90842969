/* The text of a file, put or taken by the same lines of code: the code that writes a format also compares, byte for byte, the file that is read.
 *
 * A sheet either puts the text of each call into a file, or compares it with one. Numbers go both ways: they are put from where they lie, or taken to
 * there, and a number that is not written as Pliant writes it is not taken. After the first failure a sheet does nothing more, so a page is a row of
 * calls, and `ok` is looked at in the end. */
#ifndef PLIANT_IO_FILES_SHEET_H
#define PLIANT_IO_FILES_SHEET_H

#include "io/files/file.h"

typedef struct pliant__sheet {
    pliant__file         *to;   /* puts; or NULL: only counts, in `at` */
    const pliant__source *from; /* takes; or NULL */
    uint64_t              at;   /* bytes put or taken */
    bool                  ok;
    pliant_error         *error;
    size_t                begin, end; /* of the bytes in the buffer */
    char                  bytes[1 << 14];
} pliant__sheet;

/* Puts at the end of a file, or nowhere if it is NULL; or takes from byte `at` on. */
void pliant__sheet_put(pliant__sheet *sheet, pliant__file *to, pliant_error *error);
void pliant__sheet_take(pliant__sheet *sheet, const pliant__source *from, uint64_t at, pliant_error *error);

void pliant__sheet_bytes(pliant__sheet *sheet, const void *data, size_t size);
void pliant__sheet_text(pliant__sheet *sheet, const char *text);
void pliant__sheet_count(pliant__sheet *sheet, uint64_t *value);
void pliant__sheet_float(pliant__sheet *sheet, float *value);   /* as few digits as read back exactly */
void pliant__sheet_double(pliant__sheet *sheet, double *value); /* likewise */
void pliant__sheet_u32(pliant__sheet *sheet, uint32_t value);   /* four bytes, little-endian */

/* Numbers that writer and reader know. */
void pliant__sheet_fixed(pliant__sheet *sheet, uint64_t value);
void pliant__sheet_fixed_float(pliant__sheet *sheet, float value);

/* In quotes, quotes and backslashes escaped by a backslash, control characters by `hex` and two digits. */
void pliant__sheet_string(pliant__sheet *sheet, const char *text, const char *hex);

/* Takes any bytes up to the end of the line, and the end. Puts nothing. */
void pliant__sheet_skip_line(pliant__sheet *sheet);

/* Fails with "byte N: MESSAGE". */
void pliant__sheet_fail(pliant__sheet *sheet, const char *what);

/* Writes the bytes left in the buffer. True if no call has failed. */
bool pliant__sheet_end(pliant__sheet *sheet);

#endif
