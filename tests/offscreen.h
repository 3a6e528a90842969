/* A place to draw without a screen, which the tests of a program share: set up and torn down with its group. */
#ifndef PLIANT_TESTS_OFFSCREEN_H
#define PLIANT_TESTS_OFFSCREEN_H

#include "draw/offscreen.h"

static draw_offscreen *offscreen;

static int open_offscreen(void **state)
{
    pliant_error error = {0};
    (void)state;
    offscreen = draw_offscreen_create(NULL, &error);
    if (!offscreen) print_error("%s\n", error.message);
    return offscreen ? 0 : -1;
}

static int close_offscreen(void **state)
{
    (void)state;
    draw_offscreen_destroy(offscreen);
    offscreen = NULL;
    return 0;
}

#endif
