#include "base/png.h"

#include <string.h>

/* The signature and the first chunk, IHDR; the rest is checked where the picture is drawn. */
bool pliant__png_check(const void *bytes, size_t size, pliant_error *error)
{
    static const unsigned char head[] = {137, 'P', 'N', 'G', '\r', '\n', 26, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R'};
    const unsigned char       *at = (const unsigned char *)bytes + sizeof head;
    if (size < sizeof head + 8 || memcmp(bytes, head, sizeof head) != 0) return pliant__fail(error, PLIANT_ERROR_INPUT, "not a PNG");
    if (size > PLIANT__PNG_MOST_BYTES)
        return pliant__fail(error, PLIANT_ERROR_INPUT, "a PNG of %zu bytes is too large: the most are %u", size, PLIANT__PNG_MOST_BYTES);
    for (int i = 0; i < 2; i++, at += 4) {
        const uint32_t side = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
        if (!side || side > PLIANT__PNG_MOST_SIDE)
            return pliant__fail(error, PLIANT_ERROR_INPUT, "a PNG of %u pixels along a side: a texture has 1 to %u", side,
                                PLIANT__PNG_MOST_SIDE);
    }
    return true;
}
