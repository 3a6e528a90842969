/* Meshes as a user might bring them: grids with their vertices and elements in no order. The same on every machine. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t next(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static void swap(uint32_t *a, uint32_t *b)
{
    uint32_t t = *a;
    *a = *b;
    *b = t;
}

/* Gives vertices and elements other places. */
static void shuffle(bench_mesh *m, uint32_t per)
{
    uint32_t     seed = 12345;
    pliant_vec3 *moved = malloc(m->vertex_count * sizeof *moved);
    m->place = malloc(m->vertex_count * sizeof *m->place);
    if (!moved || !m->place) {
        free(moved);
        bench_mesh_free(m);
        return;
    }
    for (size_t i = 0; i < m->vertex_count; i++) m->place[i] = (uint32_t)i;
    for (size_t i = m->vertex_count; i-- > 1;) swap(&m->place[i], &m->place[next(&seed) % (i + 1)]);
    for (size_t i = 0; i < m->vertex_count; i++) moved[m->place[i]] = m->positions[i];
    for (size_t i = 0; i < per * m->element_count; i++) m->corners[i] = m->place[m->corners[i]];
    for (size_t i = m->element_count; i-- > 1;) {
        size_t other = next(&seed) % (i + 1);
        for (uint32_t c = 0; c < per; c++) swap(&m->corners[per * i + c], &m->corners[per * other + c]);
    }
    free(m->positions);
    m->positions = moved;
}

static bench_mesh make(size_t vertices, size_t elements, uint32_t per)
{
    bench_mesh m = {malloc(vertices * sizeof(pliant_vec3)), malloc(per * elements * sizeof(uint32_t)), NULL, vertices, elements};
    if (!m.positions || !m.corners) bench_mesh_free(&m);
    return m;
}

void bench_mesh_free(bench_mesh *m)
{
    free(m->positions);
    free(m->corners);
    free(m->place);
    *m = (bench_mesh){0};
}

static uint32_t *add(uint32_t *to, uint32_t a, uint32_t b, uint32_t c)
{
    to[0] = a, to[1] = b, to[2] = c;
    return to + 3;
}

/* 2 m x 2 m, vertical, from y = 0 down; every quad cut along the same diagonal. */
bench_mesh bench_sheet(uint32_t n)
{
    bench_mesh m = make((size_t)n * n, 2 * (size_t)(n - 1) * (n - 1), 3);
    uint32_t  *to = m.corners;
    if (!m.positions) return m;
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++)
            m.positions[(size_t)j * n + i] = (pliant_vec3){(pliant_real)(2.0 * i / (n - 1) - 1), (pliant_real)(-2.0 * j / (n - 1)), 0};
    for (uint32_t j = 0; j + 1 < n; j++)
        for (uint32_t i = 0; i + 1 < n; i++) {
            const uint32_t v = j * n + i;
            to = add(to, v, v + n, v + n + 1);
            to = add(to, v, v + n + 1, v + 1);
        }
    shuffle(&m, 3);
    return m;
}

/* A cube of 1 m: each of its cells the six tetrahedra along its edges from one corner to the opposite one. */
bench_mesh bench_tetrahedra(uint32_t cells)
{
    static const uint8_t orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}}; /* even, then odd */
    const uint32_t       n = cells + 1, step[3] = {1, n, n * n};
    bench_mesh           m = make((size_t)n * n * n, 6 * (size_t)cells * cells * cells, 4);
    uint32_t            *to = m.corners;
    if (!m.positions) return m;
    for (uint32_t v = 0; v < n * n * n; v++) {
        const double x = v % n, y = v / n % n, z = v / (n * n);
        m.positions[v] = (pliant_vec3){(pliant_real)(x / cells - 0.5), (pliant_real)(y / cells - 0.5), (pliant_real)(z / cells - 0.5)};
    }
    for (uint32_t v = 0; v < n * n * n; v++) {
        if (v % n == cells || v / n % n == cells || v / (n * n) == cells) continue;
        for (uint32_t t = 0; t < 6; t++, to += 4) {
            to[0] = v;
            to[1] = v + step[orders[t][0]];
            to[2] = to[1] + step[orders[t][1]];
            to[3] = v + step[0] + step[1] + step[2];
            if (t >= 3) swap(&to[1], &to[2]); /* positive volume */
        }
    }
    shuffle(&m, 4);
    return m;
}

/* ---- a closed surface ---- */

/* Where a point of a cube's surface, each coordinate in [-1, 1], comes to lie: on a ball with two ears and a nose. */
static pliant_vec3 blob_point(double x, double y, double z)
{
    static const double lumps[3][5] = {
        {0.35, 0.92, 0.1, 0.9, 60}, {-0.35, 0.92, 0.1, 0.9, 60}, {0, 0.3, 0.95, 0.3, 20}}; /* x y z height how pointed */
    double length = sqrt(x * x + y * y + z * z), r = 0.25;
    x /= length, y /= length, z /= length;
    for (int i = 0; i < 3; i++) {
        const double dx = x - lumps[i][0], dy = y - lumps[i][1], dz = z - lumps[i][2];
        r += 0.25 * lumps[i][3] / (1 + lumps[i][4] * (dx * dx + dy * dy + dz * dz));
    }
    return (pliant_vec3){(pliant_real)(r * x), (pliant_real)(r * y), (pliant_real)(r * z)};
}

/* The vertices of a cube's surface of `cells` squares along each edge get numbers; those inside have none. */
static uint32_t number_surface(uint32_t cells, uint32_t *number, pliant_vec3 *positions)
{
    const uint32_t n = cells + 1;
    uint32_t       count = 0;
    for (uint32_t v = 0; v < n * n * n; v++) {
        const uint32_t c[3] = {v % n, v / n % n, v / (n * n)};
        bool           outside = false;
        for (int k = 0; k < 3; k++) outside |= c[k] == 0 || c[k] == cells;
        if (!outside) continue;
        number[v] = count;
        positions[count++] = blob_point(2.0 * c[0] / cells - 1, 2.0 * c[1] / cells - 1, 2.0 * c[2] / cells - 1);
    }
    return count;
}

bench_mesh bench_blob(uint32_t cells)
{
    const uint32_t n = cells + 1, step[3] = {1, n, n * n};
    bench_mesh     m = make(6 * (size_t)cells * cells + 2, 12 * (size_t)cells * cells, 3);
    uint32_t      *number = malloc(sizeof *number * n * n * n), *to = m.corners;
    if (!m.positions || !number) {
        free(number);
        bench_mesh_free(&m);
        return m;
    }
    number_surface(cells, number, m.positions);
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++)
            for (uint32_t j = 0; j < cells; j++)
                for (uint32_t i = 0; i < cells; i++) {
                    const uint32_t s = step[(axis + 1 + side) % 3], t = step[(axis + 2 - side) % 3]; /* s x t points outwards */
                    const uint32_t v = (uint32_t)side * cells * step[axis] + i * step[(axis + 1) % 3] + j * step[(axis + 2) % 3];
                    const uint32_t a = number[v], b = number[v + t], c = number[v + s + t], d = number[v + s];
                    to = add(to, a, b, c);
                    to = add(to, a, c, d);
                }
    free(number);
    shuffle(&m, 3);
    return m;
}
