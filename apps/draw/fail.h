/* Filling a pliant_error in the drawing code, which sees the public headers only. */
#ifndef DRAW_FAIL_H
#define DRAW_FAIL_H

#include "pliant/base.h"

/* Fills `error` (which may be NULL) and returns false. `path`: the file it is about, or NULL. */
__attribute__((format(printf, 4, 5))) bool draw_fail(pliant_error *error, pliant_code code, const char *path, const char *format, ...);

/* Likewise, with the text of an errno. */
bool draw_fail_system(pliant_error *error, const char *path, int number);

#endif
