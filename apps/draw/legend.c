/* The legend. Its letters are stb_easy_font's: rectangles. */
#include "draw/legend.h"

#include <stdio.h>
#include <string.h>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#endif
#include <stb/stb_easy_font.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

static void put_rectangle(draw_legend *l, float x0, float y0, float x1, float y1, draw_colour left, draw_colour right)
{
    const draw_line_end c[4] = {{f3_of(x0, y0, 0), left}, {f3_of(x1, y0, 0), right}, {f3_of(x1, y1, 0), right}, {f3_of(x0, y1, 0), left}};
    const int           order[6] = {0, 1, 2, 0, 2, 3};
    if (l->count + 6 > DRAW_LEGEND_ROOM) return;
    for (int i = 0; i < 6; i++) l->corners[l->count++] = c[order[i]];
}

/* A rectangle of the font: four corners of 16 bytes, x and y first. */
static void put_words(draw_legend *l, float x, float y, float scale, const char *words, draw_colour colour)
{
    char buffer[64 * 900]; /* a word's letters are some four rectangles each */
    char copy[200];
    snprintf(copy, sizeof copy, "%.199s", words);
    int count = stb_easy_font_print(0, 0, copy, NULL, buffer, sizeof buffer);
    for (int i = 0; i < count; i++) {
        float a[2], b[2];
        memcpy(a, buffer + i * 64, sizeof a);
        memcpy(b, buffer + i * 64 + 32, sizeof b);
        put_rectangle(l, x + scale * a[0], y + scale * a[1], x + scale * b[0], y + scale * b[1], colour, colour);
    }
}

static float words_width(const char *words, float scale)
{
    char copy[200];
    snprintf(copy, sizeof copy, "%.199s", words);
    return scale * (float)stb_easy_font_width(copy);
}

static void put_strain(draw_legend *l, const draw_frame *f, float x, float y, float scale, float range)
{
    const draw_colour ink = {24, 26, 30, 255};
    const float       width = 160 * scale, height = 9 * scale;
    char              words[160];
    for (int i = 0; i < 16; i++)
        put_rectangle(l, x + width * (float)i / 16, y, x + width * (float)(i + 1) / 16, y + height, draw_strain_colour((float)i / 8 - 1),
                      draw_strain_colour((float)(i + 1) / 8 - 1));
    for (int i = 0; i < 3; i++) {
        snprintf(words, sizeof words, "%+g %%", (double)(range * 100 * (float)(i - 1)));
        if (i == 1) snprintf(words, sizeof words, "0");
        float at = x + width * (float)i / 2 - words_width(words, scale) * (float)i / 2;
        put_words(l, at, y + height + 3 * scale, scale, words, ink);
    }
    snprintf(words, sizeof words, "strain (%+.3g to %+.3g %%)", (double)f->strain_least * 100, (double)f->strain_most * 100);
    put_words(l, x, y - 12 * scale, scale, words, ink);
}

void draw_legend_make(draw_legend *l, const draw_frame *f, uint32_t left, uint32_t height, float strain_range)
{
    const draw_colour paper = {250, 250, 250, 200}, ink = {24, 26, 30, 255};
    const float       scale = height >= 1200  ? 3
                              : height >= 600 ? 2
                                              : 1,
                margin = 8 * scale, x = (float)left + margin, bottom = (float)height - margin;
    char words[6][160];
    int  lines = 0;
    bool strain = f->show & DRAW_STRAIN;
    l->count = 0;
    if (f->show & DRAW_VELOCITIES) snprintf(words[lines++], 160, "velocities: the way of 0.05 s (fastest %.3g m/s)", (double)f->speed_most);
    if (f->show & DRAW_CONTACTS) snprintf(words[lines++], 160, "contacts and their normals");
    if (f->show & DRAW_NORMALS)
        snprintf(words[lines++], 160, "normals of contacts, longer with force (largest %.3g N)", (double)f->force_most);
    if (f->show & DRAW_PAIRS) snprintf(words[lines++], 160, "%u pairs; red ones touch", f->pair_count);
    if (f->show & DRAW_CONSTRAINT_COLOURS) snprintf(words[lines++], 160, "constraints: one colour is solved at once");
    if (!lines && !strain) return;
    float top = bottom - (float)lines * 12 * scale - (strain ? 38 * scale : 0), most = strain ? 168 * scale : 0;
    for (int i = 0; i < lines; i++) most = fmaxf(most, words_width(words[i], scale));
    put_rectangle(l, x - 4 * scale, top - 5 * scale, x + most + 6 * scale, bottom + 2 * scale, paper, paper);
    if (strain) put_strain(l, f, x, top + 12 * scale, scale, strain_range > 0 ? strain_range : 0.05f);
    for (int i = 0; i < lines; i++) put_words(l, x, bottom - (float)(lines - i) * 12 * scale + 2 * scale, scale, words[i], ink);
}
