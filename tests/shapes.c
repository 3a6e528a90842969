#include "shapes.h"

uint32_t shape_vertex(shape *s, double x, double y, double z)
{
    s->x = realloc(s->x, 3 * ((size_t)s->vertex_count + 1) * sizeof *s->x);
    s->x[3 * (size_t)s->vertex_count] = (pliant_real)x;
    s->x[3 * (size_t)s->vertex_count + 1] = (pliant_real)y;
    s->x[3 * (size_t)s->vertex_count + 2] = (pliant_real)z;
    return s->vertex_count++;
}

void shape_triangle(shape *s, uint32_t a, uint32_t b, uint32_t c)
{
    s->triangles = realloc(s->triangles, 3 * ((size_t)s->triangle_count + 1) * sizeof *s->triangles);
    s->triangles[3 * (size_t)s->triangle_count] = a;
    s->triangles[3 * (size_t)s->triangle_count + 1] = b;
    s->triangles[3 * (size_t)s->triangle_count + 2] = c;
    s->triangle_count++;
}

/* ---- a ball ---- */

typedef struct edge {
    uint32_t low, high, middle;
} edge;

typedef struct cutting {
    double (*x)[3];
    uint32_t vertex_count;
    edge    *edges;
    size_t   edge_count;
} cutting;

static uint32_t middle(cutting *c, uint32_t a, uint32_t b)
{
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    double         length = 0;
    for (size_t i = 0; i < c->edge_count; i++)
        if (c->edges[i].low == low && c->edges[i].high == high) return c->edges[i].middle;
    c->edges[c->edge_count++] = (edge){low, high, c->vertex_count};
    for (int k = 0; k < 3; k++) {
        c->x[c->vertex_count][k] = c->x[a][k] + c->x[b][k];
        length += c->x[c->vertex_count][k] * c->x[c->vertex_count][k];
    }
    for (int k = 0; k < 3; k++) c->x[c->vertex_count][k] /= sqrt(length);
    return c->vertex_count++;
}

shape ball(int cuts, double x, double y, double z, double radius)
{
    static const double   corners[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    static const uint32_t faces[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    shape                 s = {0};
    cutting               c = {.vertex_count = 6};
    const size_t          most = (size_t)12 << 2 * cuts;
    c.x = malloc((most + 6) * sizeof *c.x);
    c.edges = malloc((most + 6) * sizeof *c.edges);
    memcpy(c.x, corners, sizeof corners);
    for (int i = 0; i < 8; i++) shape_triangle(&s, faces[i][0], faces[i][1], faces[i][2]);
    for (int cut = 0; cut < cuts; cut++) {
        shape finer = {0};
        c.edge_count = 0;
        for (uint32_t i = 0; i < s.triangle_count; i++) {
            const uint32_t *t = s.triangles + 3 * (size_t)i, p = middle(&c, t[0], t[1]), q = middle(&c, t[1], t[2]),
                           r = middle(&c, t[2], t[0]);
            shape_triangle(&finer, t[0], p, r);
            shape_triangle(&finer, p, t[1], q);
            shape_triangle(&finer, r, q, t[2]);
            shape_triangle(&finer, p, q, r);
        }
        free(s.triangles);
        s = finer;
    }
    for (uint32_t i = 0; i < c.vertex_count; i++) shape_vertex(&s, x + radius * c.x[i][0], y + radius * c.x[i][1], z + radius * c.x[i][2]);
    free(c.x);
    free(c.edges);
    return s;
}

shape box(double x0, double y0, double z0, double x1, double y1, double z1)
{
    static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    shape                 s = {0};
    for (int i = 0; i < 8; i++) shape_vertex(&s, i & 1 ? x1 : x0, i & 2 ? y1 : y0, i & 4 ? z1 : z0);
    for (int i = 0; i < 12; i++) shape_triangle(&s, faces[i][0], faces[i][1], faces[i][2]);
    return s;
}

void shape_add(shape *s, const shape *other)
{
    const uint32_t base = s->vertex_count;
    for (size_t i = 0; i < other->vertex_count; i++)
        shape_vertex(s, (double)other->x[3 * i], (double)other->x[3 * i + 1], (double)other->x[3 * i + 2]);
    for (size_t i = 0; i < other->triangle_count; i++)
        shape_triangle(s, base + other->triangles[3 * i], base + other->triangles[3 * i + 1], base + other->triangles[3 * i + 2]);
}

void shape_turn(shape *s, uint32_t first, uint32_t count)
{
    for (size_t i = first; i < (size_t)first + count; i++) {
        const uint32_t swap = s->triangles[3 * i + 1];
        s->triangles[3 * i + 1] = s->triangles[3 * i + 2];
        s->triangles[3 * i + 2] = swap;
    }
}

pliant_mesh_view shape_view(const shape *s)
{
    return pliant_mesh_view_of(s->x, 3 * sizeof(pliant_real), s->vertex_count, s->triangles, s->triangle_count);
}

void shape_free(shape *s)
{
    free(s->x);
    free(s->triangles);
    *s = (shape){0};
}
