/* The first bytes of a PNG file (ISO/IEC 15948). */
#ifndef PLIANT_BASE_PNG_H
#define PLIANT_BASE_PNG_H

#include "base/error.h"

#define PLIANT__PNG_MOST_SIDE 16384u
#define PLIANT__PNG_MOST_BYTES (64u << 20)

/* Whether these bytes begin as a PNG does that is not too large for a texture. Pixels are not looked at. */
bool pliant__png_check(const void *bytes, size_t size, pliant_error *error);

#endif
