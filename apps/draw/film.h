/* Films as MP4 (H.264) or GIF, made by ffmpeg, which is started for each. */
#ifndef DRAW_FILM_H
#define DRAW_FILM_H

#include "pliant/base.h"

typedef struct draw_film draw_film;

/** Whether a path ends in .mp4 or .gif. */
bool draw_is_film(const char *path);

/** Begins a film of `fps` frames per second, up to 1000; more than 50 are thinned out in a GIF, which counts in hundredths of a second. An
 * odd size loses a column or a row in an MP4. ffmpeg keeps all frames of a GIF in memory until the end. NULL
 * with PLIANT_ERROR_UNAVAILABLE if ffmpeg is not installed; with PLIANT_ERROR_IO if the file cannot be made; with PLIANT_ERROR_ARGUMENT
 * for another ending, an impossible size or rate. */
draw_film *draw_film_open(const char *path, uint32_t width, uint32_t height, double fps, pliant_error *error);

/** Adds a frame: width * height * 3 bytes, the upper row first. After an error there is only closing and aborting. */
bool draw_film_frame(draw_film *film, const uint8_t *rgb, pliant_error *error);

/** Finishes the film, which appears under its name now, and frees it. False if it is not there: an error of this call or, once more, of an
 * earlier one. A film needs a frame. NULL is allowed. */
bool draw_film_close(draw_film *film, pliant_error *error);

/** Frees it and leaves nothing. NULL is allowed. */
void draw_film_abort(draw_film *film);

#endif
