/* Curves on logarithmic axes as an SVG. Lengths are CSS pixels; y points down. */
#include "plot.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 960, PANEL_WIDTH = 370, PANEL_HEIGHT = 230, LEFT = 84, GAP_X = 94, GAP_Y = 66, LINE = 20, LONGEST_LABEL = 64 };

/* Each has a contrast of at least 3 to 1 with white and with near black. */
static const char *const colours[] = {"#2a7fc4", "#d1701a", "#0f9a72", "#c0609a", "#8a6fd1", "#a98a1c", "#c9504f", "#4a9aa5"};
static const char        grey[] = "#7a7a7a";
static const char *const dashes[] = {"", "7 3", "2 3", "9 3 2 3"};
#define COLOUR_COUNT (sizeof colours / sizeof *colours)
#define DASH_COUNT (sizeof dashes / sizeof *dashes)

/* ---- text ---- */

/* Bytes of the UTF-8 character at `text`, or 0 if there is none that XML may have. */
static size_t character(const unsigned char *text)
{
    static const uint32_t least[] = {0, 0x20, 0x80, 0x800, 0x10000};
    size_t   length = text[0] < 0x80 ? 1 : text[0] < 0xc0 ? 0 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : text[0] < 0xf8 ? 4 : 0;
    uint32_t code = length > 1 ? text[0] & (0x7fu >> length) : text[0];
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (text[i] & 0x3f);
    }
    if (!length || code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || (code | 1) == 0xffff) return 0;
    return length;
}

/* Text between tags, of at most `most` characters. */
static void put_text(FILE *to, const char *text, size_t most)
{
    const unsigned char *t = (const unsigned char *)text;
    for (size_t count = 0; *t; count++) {
        size_t length = character(t);
        if (count == most) {
            fputs("…", to);
            return;
        }
        if (*t == '<' || *t == '>' || *t == '&')
            fputs(*t == '<' ? "&lt;" : *t == '>' ? "&gt;" : "&amp;", to);
        else if (length)
            fwrite(t, 1, length, to);
        else
            fputc('?', to);
        t += length ? length : 1;
    }
}

static void put_label(FILE *to, double x, double y, const char *anchor, const char *text)
{
    fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    put_text(to, text, SIZE_MAX);
    fputs("</text>\n", to);
}

/* ---- scales ---- */

/* A range of values, and where its ends are on the page. */
typedef struct scale {
    double low, high, from, to;
} scale;

static bool shows(double value) { return value > 0 && value < HUGE_VAL; }

static double place(const scale *s, double value) { return s->from + (s->to - s->from) * log10(value / s->low) / log10(s->high / s->low); }

static bool inside(const scale *s, double value) { return value >= s->low * (1 - 1e-9) && value <= s->high * (1 + 1e-9); }

static void include(scale *s, double value)
{
    if (!shows(value)) return;
    if (!(s->high > 0) || value > s->high) s->high = value;
    if (!(s->low > 0) || value < s->low) s->low = value;
}

/* At least a decade, at most 14 of them. */
static void settle(scale *s)
{
    if (!(s->high > 0)) *s = (scale){0.1, 1, s->from, s->to};
    if (s->low < 1e-14 * s->high) s->low = 1e-14 * s->high;
    double missing = sqrt(10 * s->low / s->high);
    if (missing > 1) {
        s->low /= missing;
        s->high *= missing;
    }
}

static scale x_scale(const cli_plot *p, int column)
{
    scale s = {0, 0, 0, PANEL_WIDTH};
    for (uint32_t c = 0; c < p->curve_count; c++)
        for (uint32_t i = 0; i < p->curves[c].count; i++) include(&s, p->curves[c].x[column][i]);
    settle(&s);
    return s;
}

static scale y_scale(const cli_plot *p, int row)
{
    scale s = {0, 0, PANEL_HEIGHT, 0};
    for (uint32_t c = 0; c < p->curve_count; c++)
        for (uint32_t i = 0; i < p->curves[c].count; i++) include(&s, p->curves[c].y[row][i]);
    include(&s, p->line[row]);
    settle(&s);
    double margin = pow(s.high / s.low, 0.04); /* so that no curve runs along the frame */
    s.high *= margin;
    s.low /= margin;
    return s;
}

/* ---- ticks ---- */

/* "0.001", "200", "2·10⁻⁷" */
static void print_value(int digit, int decade, char out[64])
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char                     plain[16];
    if (decade >= -3 && decade <= 4) {
        snprintf(out, 64, "%.*f", decade < 0 ? -decade : 0, digit * pow(10, decade));
        return;
    }
    snprintf(plain, sizeof plain, "%d", decade < 0 ? -decade : decade);
    snprintf(out, 64, "%.*s10%s", digit > 1 ? 3 : 0, (const char *[]){"", "", "2·", "", "", "5·"}[digit], decade < 0 ? "⁻" : "");
    for (const char *c = plain; *c; c++) strcat(out, raised[*c - '0']);
}

/* Draws the ticks of one axis, `vertical` for y, each with its line across the panel and its value. */
static void put_ticks(FILE *to, const scale *s, bool vertical)
{
    double decades = log10(s->high / s->low);
    int    step = decades > 13 ? 3 : decades > 7 ? 2 : 1;
    for (int d = (int)floor(log10(s->low)); d <= (int)ceil(log10(s->high)); d++)
        for (int digit = 1; digit <= 5; digit += digit == 1 ? 1 : 3) {
            double value = digit * pow(10, d), at = inside(s, value) ? place(s, value) : 0;
            char   text[64];
            if (!inside(s, value) || d % step || (digit > 1 && decades > 2.5)) continue;
            fprintf(to, vertical ? "<path class=\"g\" d=\"M0 %.1fh%d\"/>\n" : "<path class=\"g\" d=\"M%.1f 0v%d\"/>\n", at,
                    vertical ? PANEL_WIDTH : PANEL_HEIGHT);
            print_value(digit, d, text);
            put_label(to, vertical ? -7 : at, vertical ? at + 4 : PANEL_HEIGHT + 18, vertical ? "end" : "middle", text);
        }
}

/* ---- curves ---- */

#define TOLERANCE 0.25 /* pixels */

/* A straight piece of a curve that is being drawn: it begins where the last one ended, and its slope may be anything between two bounds, so
 * that no point it passes over is further off than TOLERANCE. `x`, `y`: the last of these points. */
typedef struct piece {
    double from_x, from_y, x, y, least, most;
    bool   begun, any; /* it has a start; it passes over a point */
} piece;

static void end_piece(FILE *to, piece *p)
{
    if (p->any) fprintf(to, "L%.1f %.1f", p->x, p->y);
    p->any = false;
}

static void begin_piece(piece *p, double x, double y) { *p = (piece){x, y, x, y, -HUGE_VAL, HUGE_VAL, true, false}; }

static double slope_to(const piece *p, double x, double y) { return (y - p->from_y) / (x - p->from_x); }

/* x does not fall along a curve; where it stands still, every point counts. */
static void pass_over(FILE *to, piece *p, double x, double y)
{
    if (p->any && !(x > p->from_x && slope_to(p, x, y) >= p->least && slope_to(p, x, y) <= p->most)) {
        end_piece(to, p);
        begin_piece(p, p->x, p->y);
    }
    if (x > p->from_x) {
        p->least = fmax(p->least, slope_to(p, x, y) - TOLERANCE / (x - p->from_x));
        p->most = fmin(p->most, slope_to(p, x, y) + TOLERANCE / (x - p->from_x));
    }
    p->x = x;
    p->y = y;
    p->any = true;
}

/* One curve, of as few straight pieces as look the same. */
static void put_curve(FILE *to, const cli_curve *c, uint32_t number, int column, int row, const scale *sx, const scale *sy)
{
    piece p = {.begun = false};
    fprintf(to, "<path class=\"c%u\" d=\"", number);
    for (uint32_t i = 0; i < c->count; i++) {
        double x = c->x[column][i], y = c->y[row][i];
        if (!shows(x) || !shows(y) || !inside(sx, x) || !inside(sy, y)) {
            end_piece(to, &p);
            p.begun = false; /* a gap */
            continue;
        }
        x = place(sx, x);
        y = place(sy, y);
        if (p.begun) {
            pass_over(to, &p, x, y);
        } else {
            fprintf(to, "M%.1f %.1fh0", x, y); /* h0, so that a point by itself is seen */
            begin_piece(&p, x, y);
        }
    }
    end_piece(to, &p);
    fputs("\"/>\n", to);
}

static void put_panel(FILE *to, const cli_plot *p, int column, int row, double top)
{
    scale  x = x_scale(p, column), y = y_scale(p, row);
    double left = LEFT + column * (PANEL_WIDTH + GAP_X);
    top += row * (PANEL_HEIGHT + GAP_Y);
    fprintf(to, "<g transform=\"translate(%.0f %.0f)\">\n", left, top);
    put_ticks(to, &x, false);
    put_ticks(to, &y, true);
    fprintf(to, "<path class=\"f\" d=\"M0 0V%dH%d\"/>\n", PANEL_HEIGHT, PANEL_WIDTH);
    if (p->line[row] > 0 && inside(&y, p->line[row]))
        fprintf(to, "<path class=\"u\" d=\"M0 %.1fh%d\"/>\n", place(&y, p->line[row]), PANEL_WIDTH);
    for (uint32_t c = 0; c < p->curve_count; c++) put_curve(to, &p->curves[c], c, column, row, &x, &y);
    put_label(to, PANEL_WIDTH / 2.0, PANEL_HEIGHT + 38, "middle", p->x_label[column]);
    fprintf(to, "<text transform=\"translate(-62 %d) rotate(-90)\" text-anchor=\"middle\">", PANEL_HEIGHT / 2);
    put_text(to, p->y_label[row], SIZE_MAX);
    fputs("</text>\n</g>\n", to);
}

/* ---- the page ---- */

static uint32_t legend_columns(const cli_plot *p)
{
    size_t longest = 1;
    for (uint32_t c = 0; c < p->curve_count; c++) {
        size_t length = strlen(p->curves[c].label);
        if (length > longest) longest = length;
    }
    if (longest > LONGEST_LABEL) longest = LONGEST_LABEL;
    uint32_t columns = (uint32_t)((WIDTH - LEFT - 20) / (50 + 7.6 * (double)longest));
    return columns ? columns : 1;
}

static void put_legend(FILE *to, const cli_plot *p, uint32_t columns, double top)
{
    double width = (WIDTH - LEFT - 20) / (double)columns;
    for (uint32_t c = 0; c < p->curve_count; c++) {
        double x = LEFT + width * (c % columns), y = top + LINE * (double)(c / columns);
        fprintf(to, "<path class=\"c%u\" d=\"M%.0f %.0fh26\"/>\n<text x=\"%.0f\" y=\"%.0f\">", c, x, y - 4, x + 33, y);
        put_text(to, p->curves[c].label, LONGEST_LABEL);
        fputs("</text>\n", to);
    }
}

static void put_style(FILE *to, uint32_t curves)
{
    fprintf(to,
            "<style>text{font:13px system-ui,'DejaVu Sans',sans-serif;fill:%s}.t{font-size:16px;font-weight:600}path{fill:none;stroke:%s}"
            ".g{stroke-opacity:.22}.u{stroke-dasharray:3 4}",
            grey, grey);
    for (uint32_t c = 0; c < curves; c++)
        fprintf(to, ".c%u{stroke:%s;stroke-width:2;stroke-linejoin:round;stroke-linecap:round;stroke-dasharray:%s}", c,
                colours[c % COLOUR_COUNT], c < COLOUR_COUNT ? "none" : dashes[c / COLOUR_COUNT % DASH_COUNT]);
    fputs("</style>\n", to);
}

void cli_plot_write(FILE *to, const cli_plot *p)
{
    uint32_t columns = legend_columns(p), lines = (p->curve_count + columns - 1) / columns;
    double   legend = 74, top = legend + LINE * (double)lines + 6;
    double   height = top + CLI_PLOT_ROWS * (PANEL_HEIGHT + GAP_Y) - 16;
    fprintf(to,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
            "viewBox=\"0 0 %d %.0f\" role=\"img\">\n<title>",
            WIDTH, height, WIDTH, height);
    put_text(to, p->title, SIZE_MAX);
    fputs("</title>\n", to);
    put_style(to, p->curve_count);
    fprintf(to, "<text class=\"t\" x=\"%d\" y=\"24\">", LEFT);
    put_text(to, p->title, 90);
    fputs("</text>\n", to);
    put_label(to, LEFT, 46, "start", p->subtitle);
    put_legend(to, p, columns, legend);
    for (int row = 0; row < CLI_PLOT_ROWS; row++)
        for (int column = 0; column < CLI_PLOT_COLUMNS; column++) put_panel(to, p, column, row, top);
    fputs("</svg>\n", to);
}
