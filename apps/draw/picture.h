/* Pictures as PNG. */
#ifndef DRAW_PICTURE_H
#define DRAW_PICTURE_H

#include "pliant/base.h"

/** Writes a PNG in sRGB. `rgb` has width * height * 3 bytes, the upper row first. The file appears whole or not at all. */
bool draw_picture_write(const char *path, const uint8_t *rgb, uint32_t width, uint32_t height, pliant_error *error);

/** Reads any PNG as `width * height * 3` bytes, the upper row first, for free(); transparency is dropped. NULL with
 * PLIANT_ERROR_INPUT for bytes that are not a whole PNG, or one of more than 16384 pixels along a side. */
uint8_t *draw_picture_read(const char *path, uint32_t *width, uint32_t *height, pliant_error *error);

/** Likewise from the bytes of a file. */
uint8_t *draw_picture_decode(const void *bytes, size_t size, uint32_t *width, uint32_t *height, pliant_error *error);

#endif
