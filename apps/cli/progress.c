/* How far a run is: a bar with the time left on a terminal, a line every tenth elsewhere. All on standard error. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

double cli_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cli_progress_start(cli_progress *p, bool quiet, uint32_t total)
{
    *p = (cli_progress){
        .shown = !quiet && total > 0, .what = "frame", .terminal = isatty(STDERR_FILENO) != 0, .total = total, .started = cli_seconds()};
}

static void draw_bar(const cli_progress *p, uint32_t done, double left)
{
    enum { WIDTH = 40 };
    char bar[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++) bar[i] = (uint64_t)i * p->total < (uint64_t)done * WIDTH ? '#' : '.';
    bar[WIDTH] = 0;
    uint32_t seconds = left < 4e9 ? (uint32_t)(left + 0.5) : UINT32_MAX;
    fprintf(stderr, "\r[%s] %s %u of %u, %u:%02u left ", bar, p->what, done, p->total, seconds / 60, seconds % 60);
    fflush(stderr);
}

void cli_progress_step(cli_progress *p, uint32_t done)
{
    if (!p->shown) return;
    double now = cli_seconds(), left = done ? (now - p->started) / done * (p->total - done) : 0;
    if (p->terminal) {
        if (now - p->drawn < 0.1 && done < p->total) return;
        p->drawn = now;
        draw_bar(p, done, left);
        return;
    }
    uint32_t tenth = (uint32_t)((uint64_t)done * 10 / p->total);
    if (tenth == p->last_tenth) return;
    p->last_tenth = tenth;
    fprintf(stderr, "%s %u of %u, %.0f s left\n", p->what, done, p->total, left);
}

void cli_progress_pause(const cli_progress *p)
{
    if (p->shown && p->terminal && p->drawn > 0) fputs("\n", stderr);
}

void cli_progress_end(cli_progress *p)
{
    if (p->shown && p->terminal) fputs("\n", stderr);
    p->shown = false;
}
