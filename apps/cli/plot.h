/* Curves on logarithmic axes as an SVG: four panels in two columns and two rows, one legend. */
#ifndef PLIANT_CLI_PLOT_H
#define PLIANT_CLI_PLOT_H

#include "cli.h"

#include <stdio.h>

#define CLI_PLOT_COLUMNS 2
#define CLI_PLOT_ROWS 2

/* Points of a curve, as they come; those that a logarithm cannot show are left out. */
typedef struct cli_curve {
    const char   *label;
    const double *x[CLI_PLOT_COLUMNS], *y[CLI_PLOT_ROWS];
    uint32_t      count;
} cli_curve;

/* Panel (column, row) has x[column] against y[row] of every curve; axes are shared along columns and rows. */
typedef struct cli_plot {
    const char      *title, *subtitle;
    const char      *x_label[CLI_PLOT_COLUMNS], *y_label[CLI_PLOT_ROWS];
    double           line[CLI_PLOT_ROWS]; /* a value to mark; 0: none */
    const cli_curve *curves;
    uint32_t         curve_count;
} cli_plot;

/* Writes it; whether all arrived is the stream's to say. Its background is clear and its colours show on white and on black. */
void cli_plot_write(FILE *to, const cli_plot *plot);

#endif
