/* A camera that goes with a body. */
#include "draw/follow.h"

#include <stdlib.h>
#include <string.h>

static const char before[] = "follow:";

bool draw_follow_asked(const char *words) { return words && strncmp(words, before, sizeof before - 1) == 0; }

/* Of names that the words begin with the longest, since a name may have colons. */
bool draw_follow_parse(const char *words, const draw_subject *subject, draw_follow *out)
{
    const char *name = words + sizeof before - 1;
    size_t      longest = 0;
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < subject->body_count; i++) {
        const size_t length = strlen(subject->bodies[i].info.name);
        if (strncmp(name, subject->bodies[i].info.name, length) != 0 || (name[length] && name[length] != ':')) continue;
        if (out->body && length <= longest) continue;
        longest = length;
        out->body = &subject->bodies[i];
        out->rest = name + length + (name[length] == ':');
    }
    return out->body != NULL;
}

void draw_follow_body(draw_follow *f, const draw_subject *subject, pliant_body body)
{
    *f = (draw_follow){.rest = ""};
    for (uint32_t i = 0; i < subject->body_count; i++)
        if (subject->bodies[i].info.body.id == body.id) f->body = &subject->bodies[i];
}

bool draw_follow_see(draw_follow *f, const pliant_state *state)
{
    const uint32_t n = f->body->info.vertex_count;
    pliant_vec3   *x = malloc((n + 1u) * sizeof *x);
    double         sum[3] = {0, 0, 0};
    if (!x || pliant_state_positions(state, f->body->info.body, 0, n, x) != PLIANT_OK) return free(x), false;
    for (uint32_t v = 0; v < n; v++) sum[0] += (double)x[v].x, sum[1] += (double)x[v].y, sum[2] += (double)x[v].z;
    f->now = f3_of((float)(sum[0] / n), (float)(sum[1] / n), (float)(sum[2] / n));
    if (!f->begun) f->first = f->now;
    f->begun = true;
    for (uint32_t v = 0; v < n; v++) {
        const f3 away = f3_sub(f3_from(x[v]), f->now);
        if (f3_finite(away)) f->half = f3_max(f->half, f3_of(fabsf(away.x), fabsf(away.y), fabsf(away.z)));
    }
    free(x);
    return true;
}

draw_bounds draw_follow_bounds(const draw_follow *f)
{
    const f3    r = f3_of(f->body->radius, f->body->radius, f->body->radius), half = f3_add(f->half, r);
    draw_bounds b = {f3_sub(f->first, half), f3_add(f->first, half)};
    return b;
}

draw_camera draw_follow_moved(const draw_follow *f, const draw_camera *first)
{
    const f3    by = f3_sub(f->now, f->first);
    draw_camera c = *first;
    if (!f3_finite(by)) return c;
    c.eye = f3_add(c.eye, by);
    c.target = f3_add(c.target, by);
    return c;
}
