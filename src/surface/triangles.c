#include "surface/triangles.h"

#include "base/hash.h"

/* ---- taking ---- */

static bool take_points(pliant__scratch *s, const pliant_mesh_view *view, pliant__triangles *out)
{
    for (uint32_t i = 0; i < out->vertex_count; i++) {
        pliant_real xyz[3];
        memcpy(xyz, (const char *)view->positions + i * view->stride, sizeof xyz);
        for (int k = 0; k < 3; k++) {
            if (xyz[k] - xyz[k] != 0) return pliant__fail(s->error, PLIANT_ERROR_INPUT, "vertex %u is not finite", i);
            out->x[i].c[k] = (double)xyz[k] + 0.0; /* -0 becomes 0 */
        }
    }
    return true;
}

static bool take_corners(pliant__scratch *s, const pliant_mesh_view *view, pliant__triangles *out)
{
    uint32_t *to = out->corners;
    if (view->triangle_count) memcpy(to, view->triangles, 3 * view->triangle_count * sizeof *to);
    to += 3 * view->triangle_count;
    for (size_t q = 0; q < view->quad_count; q++)
        for (int k = 0; k < 6; k++) *to++ = view->quads[4 * q + (size_t)(k < 3 ? k : k == 3 ? 0 : k - 2)];
    for (size_t i = 0; i < 3 * (size_t)out->count; i++) {
        if (out->corners[i] >= out->vertex_count)
            return pliant__fail(s->error, PLIANT_ERROR_INPUT, "a face has vertex %u, and there are %u vertices", out->corners[i],
                                out->vertex_count);
        out->used[out->corners[i]] = true;
    }
    return true;
}

static bool same_place(pliant__point a, pliant__point b) { return memcmp(&a, &b, sizeof a) == 0; }

static bool find_places(pliant__scratch *s, pliant__triangles *out)
{
    const size_t n = out->vertex_count;
    const int    mark = s->count;
    pliant__key *keys = pliant__scratch_take(s, 2 * n, sizeof *keys, "vertices");
    if (!keys) return false;
    for (size_t i = 0; i < n; i++) {
        keys[i].key = pliant__hash(&out->x[i], sizeof out->x[i], 0);
        keys[i].value = (uint32_t)i;
        out->place[i] = (uint32_t)i;
    }
    keys = pliant__sort_keys(keys, keys + n, n);
    for (size_t i = 0, end; i < n; i = end) {
        end = pliant__run_end(keys, i, n);
        for (size_t j = i + 1; j < end; j++) {
            const uint32_t v = keys[j].value, w = keys[i].value;
            if (same_place(out->x[v], out->x[w])) out->place[v] = w;
        }
    }
    pliant__scratch_drop(s, mark);
    return true;
}

bool pliant__triangles_take(pliant__scratch *s, const pliant_mesh_view *view, pliant__triangles *out)
{
    const uint64_t count = (uint64_t)view->triangle_count + 2 * (uint64_t)view->quad_count;
    memset(out, 0, sizeof *out);
    if (!view->positions || !view->vertex_count || !count) return pliant__fail(s->error, PLIANT_ERROR_INPUT, "the surface has no faces");
    if (view->vertex_count > INT32_MAX || count > INT32_MAX / 3)
        return pliant__fail(s->error, PLIANT_ERROR_INPUT, "the surface is too large: %zu vertices, %llu triangles", view->vertex_count,
                            (unsigned long long)count);
    out->vertex_count = (uint32_t)view->vertex_count;
    out->count = (uint32_t)count;
    out->whole_count = (uint32_t)view->triangle_count;
    out->x = pliant__scratch_take(s, out->vertex_count, sizeof *out->x, "vertices");
    out->place = pliant__scratch_take(s, out->vertex_count, sizeof *out->place, "vertices");
    out->used = pliant__scratch_take(s, out->vertex_count, sizeof *out->used, "vertices");
    out->corners = pliant__scratch_take(s, 3 * (size_t)count, sizeof *out->corners, "triangles");
    return out->x && out->place && out->used && out->corners && take_points(s, view, out) && take_corners(s, view, out) &&
           find_places(s, out);
}

/* ---- sides ---- */

pliant__key *pliant__find_mesh_sides(pliant__scratch *s, const pliant__triangles *t, const bool *skip, size_t *count)
{
    const size_t most = 3 * (size_t)t->count;
    pliant__key *keys = pliant__scratch_take(s, 2 * most, sizeof *keys, "edges");
    size_t       n = 0;
    if (!keys) return NULL;
    for (uint32_t i = 0; i < t->count; i++) {
        if ((skip && skip[i]) || pliant__is_folded(t, i)) continue;
        for (uint32_t k = 0; k < 3; k++) {
            const uint64_t a = pliant__corner_place(t, i, k), b = pliant__corner_place(t, i, k + 1);
            keys[n].key = a < b ? a << 32 | b : b << 32 | a;
            keys[n++].value = 3 * i + k;
        }
    }
    *count = n;
    return pliant__sort_keys(keys, keys + most, n);
}

/* ---- patches ---- */

/* For each side the other one of its edge, or none where there is not exactly one. */
static uint32_t *find_partners(pliant__scratch *s, const pliant__triangles *t, const pliant__key *sides, size_t count)
{
    uint32_t *partner = pliant__scratch_take(s, 3 * (size_t)t->count, sizeof *partner, "edges");
    if (!partner) return NULL;
    memset(partner, 0xff, 3 * (size_t)t->count * sizeof *partner);
    for (size_t i = 0, end; i < count; i = end) {
        end = pliant__run_end(sides, i, count);
        if (end - i != 2) continue;
        partner[sides[i].value] = sides[i + 1].value;
        partner[sides[i + 1].value] = sides[i].value;
    }
    return partner;
}

typedef struct walk {
    const pliant__triangles *t;
    const uint32_t          *partner;
    uint32_t                *list; /* triangles of the patch, in the order in which they were reached */
    pliant__patches         *out;
} walk;

/* Reaches all of the patch that `first` belongs to; returns how many there are. Each is turned or not as `first` demands. */
static uint32_t reach(walk *w, uint32_t first, uint32_t patch)
{
    uint32_t count = 0;
    w->list[count++] = first;
    w->out->patch[first] = patch;
    for (uint32_t at = 0; at < count; at++) {
        const uint32_t i = w->list[at];
        for (uint32_t side = 3 * i; side < 3 * i + 3; side++) {
            const uint32_t other = w->partner[side];
            if (other == UINT32_MAX) {
                w->out->closed[patch] = false;
                continue;
            }
            const bool turned = w->out->turned[i] ^ (pliant__runs_up(w->t, side) == pliant__runs_up(w->t, other));
            if (w->out->patch[other / 3] == UINT32_MAX) {
                w->out->patch[other / 3] = patch;
                w->out->turned[other / 3] = turned;
                w->list[count++] = other / 3;
            } else {
                w->out->unorientable += side < other && w->out->turned[other / 3] != turned;
            }
        }
    }
    return count;
}

/* The larger share of the patch, by area, stays as it is. */
static void settle(walk *w, uint32_t count, uint32_t patch)
{
    double stay = 0, turn = 0;
    for (uint32_t k = 0; k < count; k++) {
        const double area = p_length(pliant__area2(w->t, w->list[k]));
        *(w->out->turned[w->list[k]] ? &turn : &stay) += area;
    }
    const pliant__point origin = pliant__corner(w->t, w->list[0], 0);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = w->list[k];
        if (turn > stay) w->out->turned[i] = !w->out->turned[i];
        const bool   turned = w->out->turned[i];
        const double volume = p_det(p_sub(pliant__corner(w->t, i, 0), origin), p_sub(pliant__corner(w->t, i, 1), origin),
                                    p_sub(pliant__corner(w->t, i, 2), origin)) /
                              6;
        w->out->volume[patch] += turned ? -volume : volume;
        if (turned && (!w->out->turns++ || i < w->out->first_turn)) w->out->first_turn = i;
    }
}

bool pliant__find_patches(pliant__scratch *s, const pliant__triangles *t, const bool *skip, pliant__patches *out)
{
    memset(out, 0, sizeof *out);
    out->turned = pliant__scratch_take(s, t->count, sizeof *out->turned, "patches");
    out->patch = pliant__scratch_take(s, t->count, sizeof *out->patch, "patches");
    out->closed = pliant__scratch_take(s, t->count, sizeof *out->closed, "patches");
    out->volume = pliant__scratch_take(s, t->count, sizeof *out->volume, "patches");
    if (!out->turned || !out->patch || !out->closed || !out->volume) return false;
    const int    mark = s->count;
    size_t       count;
    pliant__key *sides = pliant__find_mesh_sides(s, t, skip, &count);
    walk         w = {t, sides ? find_partners(s, t, sides, count) : NULL, NULL, out};
    if (!w.partner || !(w.list = pliant__scratch_take(s, t->count, sizeof *w.list, "patches"))) return false;
    memset(out->patch, 0xff, t->count * sizeof *out->patch);
    for (uint32_t i = 0; i < t->count; i++) {
        if (out->patch[i] != UINT32_MAX || (skip && skip[i]) || pliant__is_folded(t, i)) continue;
        out->closed[out->count] = true;
        settle(&w, reach(&w, i, out->count), out->count);
        out->count++;
    }
    for (uint32_t i = 0; i < t->count; i++)
        if (out->patch[i] == UINT32_MAX) out->patch[i] = out->count;
    pliant__scratch_drop(s, mark);
    return true;
}
