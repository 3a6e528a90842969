/* Filling a pliant_error. */
#ifndef PLIANT_BASE_ERROR_H
#define PLIANT_BASE_ERROR_H

#include "pliant/base.h"

#ifdef __GNUC__
#ifdef __MINGW32__ /* %zu is known there too, by the definition of __USE_MINGW_ANSI_STDIO */
#define PLIANT_PRINTF(f, a) __attribute__((format(gnu_printf, f, a)))
#else
#define PLIANT_PRINTF(f, a) __attribute__((format(printf, f, a)))
#endif
#else
#define PLIANT_PRINTF(f, a)
#endif

/* Fills `error` (may be NULL) and returns false, so that a check reads `return pliant__fail(error, ...)`. */
PLIANT_PRINTF(3, 4) bool pliant__fail(pliant_error *error, pliant_code code, const char *format, ...);

/* Likewise, with a file and a line. */
PLIANT_PRINTF(5, 6)
bool pliant__fail_at(pliant_error *error, pliant_code code, const char *path, int line, const char *format, ...);

/* What a public function returns that was done by one of the library's own, which fills `mine` where it has failed: PLIANT_OK, or the code of `mine`,
 * which the caller's `error` (may be NULL) gets whole. So the code is known where the caller wants no pliant_error. */
pliant_code pliant__answer(bool done, const pliant_error *mine, pliant_error *error);

/* Fails with "out of memory" and the purpose of the memory. */
bool pliant__fail_memory(pliant_error *error, uint64_t bytes, const char *what);

#endif
