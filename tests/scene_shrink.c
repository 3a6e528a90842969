/* See scene_shrink.h. */
#include "scene_shrink.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct shrinker {
    json        *scene;
    scene_shows *shows;
    void        *context;
    int          left, made;
} shrinker;

static bool still_shows(shrinker *s)
{
    if (s->left <= 0) return false;
    s->left--;
    s->made++;
    return s->shows(s->scene, s->context);
}

/* Whether the fault is there with another value in the place of `value`, which is put back if not. */
static bool takes(shrinker *s, json *value, json other)
{
    json before = *value;
    if (json_same(value, &other)) return json_clear(&other), false;
    *value = other;
    const bool shows = still_shows(s);
    json_clear(shows ? &before : value);
    if (!shows) *value = before;
    return shows;
}

/* Without the items from `first` on. */
static json without_items(const json *container, size_t first, size_t count)
{
    json copy = json_copy(container);
    for (size_t i = 0; i < count; i++) json_drop(&copy, first);
    return copy;
}

/* Halves of what is in a list or an object, then quarters, to single items. */
static bool drop_items(shrinker *s, json *container)
{
    bool any = false;
    for (size_t size = container->count; size > 0; size /= 2)
        for (size_t first = 0; first + size <= container->count && s->left > 0;)
            if (takes(s, container, without_items(container, first, size)))
                any = true;
            else
                first += size;
    return any;
}

/* 0, 1, a whole number, one with fewer digits. */
static bool make_plain(shrinker *s, json *value)
{
    const double x = value->number, size = fabs(x) > 0 && isfinite(x) ? pow(10, floor(log10(fabs(x)))) : 1;
    const double plainer[] = {
        0, 1, floor(x + 0.5), x > 8 ? floor(x / 2) : x, floor(x / size + 0.5) * size, floor(10 * x / size + 0.5) * size / 10};
    for (size_t i = 0; i < sizeof plainer / sizeof *plainer; i++) {
        if (x == plainer[i]) return false;
        if (takes(s, value, json_of_number(plainer[i]))) return true;
    }
    return false;
}

static bool make_plainer(shrinker *s, json *value)
{
    bool any = false;
    if (value->type == JSON_NUMBER) return make_plain(s, value);
    if (value->count) any = drop_items(s, value);
    for (size_t i = 0; i < value->count && s->left > 0; i++) any = make_plainer(s, &value->items[i]) || any;
    return any;
}

int scene_shrink(json *scene, scene_shows *shows, void *context, int trials)
{
    shrinker s = {scene, shows, context, trials, 0};
    while (s.left > 0 && make_plainer(&s, scene)) {
    }
    return s.made;
}
