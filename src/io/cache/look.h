/* Colours of bodies in files that have some. */
#ifndef PLIANT_IO_CACHE_LOOK_H
#define PLIANT_IO_CACHE_LOOK_H

#include "io/files/sheet.h"

/* Three numbers of 0xRRGGBB: from what screens have to light, to three digits behind the point, so that every machine writes the same. */
void pliant__put_color(pliant__sheet *sheet, uint32_t color, const char *between);

#endif
