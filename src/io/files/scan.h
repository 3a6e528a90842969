/* A file of words and numbers being walked: numbers as text, or as bytes of either order. Readers of meshes share it. */
#ifndef PLIANT_IO_FILES_SCAN_H
#define PLIANT_IO_FILES_SCAN_H

#include "base/error.h"

/* How a number lies in a binary file. */
typedef enum pliant__scan_type {
    PLIANT__SCAN_I8,
    PLIANT__SCAN_U8,
    PLIANT__SCAN_I16,
    PLIANT__SCAN_U16,
    PLIANT__SCAN_I32,
    PLIANT__SCAN_U32,
    PLIANT__SCAN_I64,
    PLIANT__SCAN_U64,
    PLIANT__SCAN_F32,
    PLIANT__SCAN_F64
} pliant__scan_type;

typedef struct pliant__scan {
    const char   *path, *text, *at, *end;
    int           line;   /* of `at` */
    bool          binary; /* numbers are bytes */
    bool          bytes;  /* errors have a byte: lines mean nothing in a file that is binary in parts */
    bool          big;    /* the first byte of a number weighs most */
    pliant_error *error;
} pliant__scan;

void pliant__scan_start(pliant__scan *s, const char *path, const char *text, size_t length, pliant_error *error);

/* Always false. */
PLIANT_PRINTF(2, 3) bool pliant__scan_fail(const pliant__scan *s, const char *format, ...);

/* The next word, over line ends; false at the end of the file, without an error. */
bool pliant__scan_word(pliant__scan *s, const char **word, size_t *length);

/* The rest of the line, without blanks around it; moves to the next one. */
void pliant__scan_line(pliant__scan *s, const char **line, size_t *length);

bool pliant__scan_is(const char *word, size_t length, const char *what);

/* The next number, which is finite. */
bool pliant__scan_number(pliant__scan *s, pliant__scan_type type, double *out);

/* The next three numbers, which are coordinates: not too large either. */
bool pliant__scan_point(pliant__scan *s, pliant__scan_type type, double x[3]);

/* The next number, which is whole and in [low, high], between -2^53 and 2^53; `what` for errors. */
bool pliant__scan_whole(pliant__scan *s, pliant__scan_type type, double low, double high, const char *what, int64_t *out);

/* Passes over numbers. */
bool pliant__scan_skip(pliant__scan *s, pliant__scan_type type, uint64_t count);

/* Whether a number of things, `least` bytes each at the least, fits into the rest of the file; else an error. Called before memory is allocated. */
bool pliant__scan_holds(const pliant__scan *s, uint64_t count, size_t least);

/* Bytes of a number as text at the least, or as it lies. */
size_t pliant__scan_size(const pliant__scan *s, pliant__scan_type type);

#endif
