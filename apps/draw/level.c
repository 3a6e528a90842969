/* Cells are cut into six tetrahedra about their diagonal; in each the level is a triangle, two, or nothing (marching tetrahedra; Doi and Koide 1991).
 * Tetrahedra of neighbours fit, so the surface is closed. */
#include "draw/level.h"

static const unsigned char tets[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};

typedef struct cutter {
    f3           x[8]; /* a cell's corners, and their values */
    float        v[8];
    pliant_pose  pose;
    draw_vertex *out; /* the next, or NULL */
    uint32_t     count;
} cutter;

static f3 cut_edge(const cutter *c, int in, int out)
{
    const float t = c->v[in] / (c->v[in] - c->v[out]);
    return f3_add(c->x[in], f3_scale(f3_sub(c->x[out], c->x[in]), t));
}

/* The gradient of the trilinear field in the cell. */
static f3 slope_at(const cutter *c, f3 p)
{
    const f3    from = f3_sub(p, c->x[0]), size = f3_sub(c->x[7], c->x[0]);
    const float u[3] = {from.x / size.x, from.y / size.y, from.z / size.z}, *v = c->v;
    float       slope[3] = {0, 0, 0};
    for (int n = 0; n < 8; n++)
        for (int k = 0; k < 3; k++) {
            const int   a = (k + 1) % 3, b = (k + 2) % 3;
            const float weight = (n >> a & 1 ? u[a] : 1 - u[a]) * (n >> b & 1 ? u[b] : 1 - u[b]);
            slope[k] += (n >> k & 1 ? weight : -weight) * v[n];
        }
    return f3_of(slope[0], slope[1], slope[2]);
}

/* Its corners turn left as seen from where the field is positive. */
static void put_triangle(cutter *c, f3 p, f3 q, f3 r)
{
    c->count += 3;
    if (!c->out) return;
    const bool left = f3_dot(f3_cross(f3_sub(q, p), f3_sub(r, p)), slope_at(c, p)) >= 0;
    const f3   corners[3] = {p, left ? q : r, left ? r : q};
    for (int k = 0; k < 3; k++)
        *c->out++ = (draw_vertex){f3_place(c->pose, corners[k]), f3_turn(c->pose.rotation, f3_unit(slope_at(c, corners[k]))), {0, 0, 0, 0}};
}

static void cut_tet(cutter *c, const unsigned char tet[4])
{
    int in[4], out[4], ins = 0, outs = 0;
    for (int k = 0; k < 4; k++) {
        if (c->v[tet[k]] < 0)
            in[ins++] = tet[k];
        else
            out[outs++] = tet[k];
    }
    if (ins == 1) put_triangle(c, cut_edge(c, in[0], out[0]), cut_edge(c, in[0], out[1]), cut_edge(c, in[0], out[2]));
    if (ins == 3) put_triangle(c, cut_edge(c, in[0], out[0]), cut_edge(c, in[1], out[0]), cut_edge(c, in[2], out[0]));
    if (ins != 2) return;
    const f3 p = cut_edge(c, in[0], out[0]), q = cut_edge(c, in[0], out[1]), r = cut_edge(c, in[1], out[1]), s = cut_edge(c, in[1], out[0]);
    put_triangle(c, p, q, r);
    put_triangle(c, p, r, s);
}

static void cut_cell(cutter *c, const pliant_field_view *f, const size_t at[3])
{
    const size_t nx = f->count[0], ny = f->count[1];
    const float *v = f->distance + at[0] + nx * (at[1] + ny * at[2]);
    int          inside = 0;
    for (size_t n = 0; n < 8; n++) {
        c->v[n] = v[(n & 1) + nx * ((n >> 1 & 1) + ny * (n >> 2))];
        inside += c->v[n] < 0;
    }
    if (inside % 8 == 0) return;
    for (size_t n = 0; n < 8; n++)
        c->x[n] =
            f3_add(f3_from(f->origin),
                   f3_scale(f3_of((float)(at[0] + (n & 1)), (float)(at[1] + (n >> 1 & 1)), (float)(at[2] + (n >> 2))), (float)f->cell));
    for (int t = 0; t < 6; t++) cut_tet(c, tets[t]);
}

uint32_t draw_level(const pliant_field_view *f, pliant_pose pose, draw_vertex *out)
{
    cutter c = {.pose = pose, .out = out};
    size_t at[3];
    for (at[2] = 0; at[2] + 1 < f->count[2]; at[2]++)
        for (at[1] = 0; at[1] + 1 < f->count[1]; at[1]++)
            for (at[0] = 0; at[0] + 1 < f->count[0]; at[0]++) cut_cell(&c, f, at);
    return c.count;
}
