/* IEC 61966-2-1, sRGB. */
#include "io/cache/look.h"

#include <math.h>

static float light_of(uint32_t byte)
{
    const double c = byte / 255.0, light = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
    return (float)(floor(light * 1000 + 0.5) / 1000);
}

void pliant__put_color(pliant__sheet *sheet, uint32_t color, const char *between)
{
    for (int shift = 16; shift >= 0; shift -= 8) {
        if (shift < 16) pliant__sheet_text(sheet, between);
        pliant__sheet_fixed_float(sheet, light_of(color >> shift & 255));
    }
}
