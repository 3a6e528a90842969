/* Directions are spread by the golden angle (Vogel 1979): any number of them lies evenly, on the disc and on the sphere. */
#include "draw/lights.h"

#define GOLDEN 2.39996323f
/* Of the disc, rad: a wide sun, so that shadows have soft edges; a smaller one where it has few points. */
#define SUN_RADIUS 0.028f
#define SMALL_SUN_RADIUS 0.014f

f3 draw_lights_sun(void) { return f3_unit(f3_of(0.42f, 0.85f, 0.38f)); }

/* As far out as the ball is large, everything in it between near and far; to [0, 1] in all three. */
static m4 map_of(f3 towards, f3 middle, float radius)
{
    static const m4 half = {{0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1}};
    const f3        side = f3_across(towards), up = f3_cross(towards, side);
    const m4        view = m4_view(f3_add(middle, f3_scale(towards, 2 * radius)), side, up, f3_scale(towards, -1));
    const m4        flat = m4_multiply(m4_orthographic(radius, radius, 0.5f * radius, 3.5f * radius), view);
    return m4_multiply(half, flat);
}

m4 draw_lights_drawn(const m4 *map)
{
    static const m4 twice = {{2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, -1, -1, -1, 1}};
    return m4_multiply(twice, *map);
}

uint32_t draw_lights_place(draw_lights *l, f3 middle, float radius, uint32_t pass, uint32_t passes)
{
    const f3       sun = draw_lights_sun(), side = f3_across(sun), up = f3_cross(sun, side);
    const float    part = ((float)pass + 0.5f) / (float)passes;
    const uint32_t suns = passes > 1 ? DRAW_SUNS : 3;
    for (uint32_t i = 0; i < suns; i++) {
        const float at = ((float)i + part) / (float)suns, out = (passes > 1 ? SUN_RADIUS : SMALL_SUN_RADIUS) * sqrtf(at);
        const float angle = GOLDEN * (float)(i * passes + pass);
        const f3    across = f3_add(f3_scale(side, out * cosf(angle)), f3_scale(up, out * sinf(angle)));
        l->suns[i] = map_of(f3_unit(f3_add(sun, across)), middle, radius);
    }
    for (int i = 0; i < DRAW_SKIES; i++) {
        const float y = 1 - 2 * ((float)i + 0.5f) / DRAW_SKIES, out = sqrtf(1 - y * y), angle = GOLDEN * (float)i;
        l->open[i].towards = f3_of(out * cosf(angle), y, out * sinf(angle));
        l->open[i].unused = 0;
        l->skies[i] = map_of(l->open[i].towards, middle, radius);
    }
    return suns;
}
