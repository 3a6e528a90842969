/* Height fields: their triangles are made of heights when they are looked at, and they have walls below their sides. */
#include "collide/nearest_feature.h"

static double height_at(const pliant__facets *f, uint32_t column, uint32_t row)
{
    return d_widen(f->height[(size_t)row * f->columns + column]);
}

static pliant__d3 point_at(const pliant__facets *f, uint32_t column, uint32_t row)
{
    return d3(column * f->cell, height_at(f, column, row), row * f->cell);
}

pliant__facet pliant__field_facet(const pliant__facets *f, uint32_t number)
{
    const uint32_t   cell = number / 2, i = cell % (f->columns - 1), j = cell / (f->columns - 1);
    const pliant__d3 a = point_at(f, i, j), b = point_at(f, i + 1, j), c = point_at(f, i, j + 1), d = point_at(f, i + 1, j + 1);
    const bool       first = number % 2 == 0, even = (i + j) % 2 == 0;
    pliant__facet    t = {.number = number};
    t.x[0] = first ? a : even ? a : c;
    t.x[1] = first ? c : d;
    t.x[2] = first && even ? d : b;
    return t;
}

/* The cell's number of a coordinate along a side of so many heights. */
static uint32_t cell_of(const pliant__facets *f, double at, uint32_t heights)
{
    const double cell = at / f->cell;
    return cell >= heights - 1 ? heights - 2 : cell > 0 ? (uint32_t)cell : 0;
}

double pliant__field_height(const pliant__facets *f, double x, double z)
{
    const uint32_t i = cell_of(f, x, f->columns), j = cell_of(f, z, f->rows);
    const double   u = x / f->cell - i, v = z / f->cell - j;
    const double   a = height_at(f, i, j), b = height_at(f, i + 1, j), c = height_at(f, i, j + 1), d = height_at(f, i + 1, j + 1);
    if ((i + j) % 2 == 0) return v > u ? a + (c - a) * v + (d - c) * u : a + (b - a) * u + (d - b) * v;
    return u + v < 1 ? a + (b - a) * u + (c - a) * v : d + (c - d) * (1 - u) + (b - d) * (1 - v);
}

void pliant__field_sides(const pliant__facets *f, double *x, double *z)
{
    *x = (f->columns - 1) * f->cell;
    *z = (f->rows - 1) * f->cell;
}

static void take(pliant__nearest_feature *nearest, double distance, pliant__d3 point, pliant__d3 normal)
{
    if (!(distance < nearest->distance)) return;
    nearest->distance = distance;
    nearest->point = point;
    nearest->normal = normal;
    nearest->triangle = PLIANT__NONE;
    nearest->part = PLIANT__WITHIN;
    nearest->found = true;
}

bool pliant__field_is_inside(const pliant__facets *f, pliant__d3 p)
{
    double x, z;
    pliant__field_sides(f, &x, &z);
    return p.x >= 0 && p.x <= x && p.z >= 0 && p.z <= z && p.y < pliant__field_height(f, p.x, p.z);
}

/* Inside is below the surface, between the walls. There a wall's nearest point is straight across; a point above that on the wall is nearer to the
 * surface. */
void pliant__field_nearest_feature(const pliant__facets *f, pliant__d3 p, pliant__nearest_feature *nearest)
{
    double x, z;
    pliant__field_sides(f, &x, &z);
    const double     qx = d_clamp(p.x, 0, x), qz = d_clamp(p.z, 0, z);
    const bool       over = d_abs(p.x - qx) <= 0 && d_abs(p.z - qz) <= 0, below = p.y < pliant__field_height(f, qx, qz);
    const pliant__d3 at = d3(qx, p.y, qz);
    nearest->behind = over && below;
    if (!below) return;
    if (!over) {
        pliant__d3   out;
        const double away = d3_split(d3_sub(p, at), d3(0, 1, 0), &out);
        take(nearest, away, at, out);
        return;
    }
    take(nearest, p.x, d3(0, p.y, p.z), d3(-1, 0, 0));
    take(nearest, x - p.x, d3(x, p.y, p.z), d3(1, 0, 0));
    take(nearest, p.z, d3(p.x, p.y, 0), d3(0, 0, -1));
    take(nearest, z - p.z, d3(p.x, p.y, z), d3(0, 0, 1));
}

uint32_t pliant__field_leaf(const pliant__facets *f, uint32_t block, const double low[3], const double high[3], uint32_t *number)
{
    const uint32_t across = f->columns / 2, column = 2 * (block % across), row = 2 * (block / across);
    uint32_t       count = 0;
    for (uint32_t j = row; j < row + 2 && j + 1 < f->rows; j++)
        for (uint32_t i = column; i < column + 2 && i + 1 < f->columns; i++) {
            if (i * f->cell > high[0] || (i + 1) * f->cell < low[0] || j * f->cell > high[2] || (j + 1) * f->cell < low[2]) continue;
            number[count++] = 2 * (j * (f->columns - 1) + i);
            number[count] = number[count - 1] + 1;
            count++;
        }
    return count;
}
