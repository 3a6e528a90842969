/* Numbers as text, both ways, the same in every locale and on every machine. */
#ifndef PLIANT_IO_FILES_NUMBER_H
#define PLIANT_IO_FILES_NUMBER_H

#include "pliant/base.h"

/* Significant digits after which a pliant_real reads back exactly. */
#ifdef PLIANT_DOUBLE
#define PLIANT__REAL_DIGITS 17
#else
#define PLIANT__REAL_DIGITS 9
#endif

#define PLIANT__NUMBER_SIZE 40 /* characters that any formatted number fits into, with its 0 */

typedef enum pliant__number_status {
    PLIANT__NUMBER_OK,
    PLIANT__NUMBER_NONE, /* not a number at all */
    PLIANT__NUMBER_HUGE  /* beyond the range of double */
} pliant__number_status;

/* The double nearest to the decimal number that `text` is, all of it: [+-]digits[.digits][e[+-]digits]. */
pliant__number_status pliant__parse_number(const char *text, size_t length, double *out);

/* Writes `value` with up to `digits` significant digits, as printf's %g does, with a point whatever the locale; returns the length. */
size_t pliant__format_number(char out[PLIANT__NUMBER_SIZE], double value, int digits);

/* Writes `value` with as few digits, up to 17, as read back exactly; returns the length. */
size_t pliant__format_shortest(char out[PLIANT__NUMBER_SIZE], double value);

/* Likewise for a float: up to 9 digits. Quick. */
size_t pliant__format_float(char out[PLIANT__NUMBER_SIZE], float value);

#endif
