/* Shells: triangles that hang together by their edges, turned alike. Sides of triangles are sorted by their edge, of which there must be two each; from the
 * lowest triangle on, each next one is turned as the one before it demands. */
#include "scene/closed.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/vec.h"

#include <string.h>

typedef struct finder {
    const pliant_scene       *scene;
    const pliant__draft_body *body;
    pliant_error             *error;
    const uint32_t           *corner; /* 3 draft particles per triangle */
    uint32_t                  count;
    pliant__key              *sides, *spare; /* 3 per triangle: its edge, and the number of the side */
    uint32_t                 *other;         /* per side: the side of another triangle at the same edge */
    uint32_t                 *shell, *queue; /* per triangle: number of its shell; triangles with neighbours that are to be looked at */
    uint8_t                  *turned;        /* per triangle: its corners go the other way round */
} finder;

static uint32_t side_begin(const finder *f, uint32_t side) { return f->corner[side]; }
static uint32_t side_end(const finder *f, uint32_t side) { return f->corner[side % 3 == 2 ? side - 2 : side + 1]; }

/* The first vertex of the body that is this particle. */
static uint32_t vertex_of(const finder *f, uint32_t particle)
{
    uint32_t v = 0;
    while (v < f->body->vertex_count && f->scene->vertex_particle.data[f->body->first_vertex + v] != particle) v++;
    return v;
}

static bool complain(const finder *f, uint32_t side, const char *what)
{
    return pliant__fail(f->error, PLIANT_ERROR_ARGUMENT, "the surface of body \"%s\" %s from vertex %u to vertex %u", f->body->name, what,
                        vertex_of(f, side_begin(f, side)), vertex_of(f, side_end(f, side)));
}

static bool find_neighbours(finder *f)
{
    for (uint32_t i = 0; i < 3 * f->count; i++) {
        const uint32_t a = side_begin(f, i), b = side_end(f, i);
        f->sides[i] = (pliant__key){(uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a), i};
    }
    const pliant__key *sorted = pliant__sort_keys(f->sides, f->spare, 3 * (size_t)f->count);
    for (size_t i = 0; i < 3 * (size_t)f->count;) {
        const size_t end = pliant__run_end(sorted, i, 3 * (size_t)f->count);
        if (end - i == 1) return complain(f, sorted[i].value, "is not closed, there is one triangle alone at the edge");
        if (end - i > 2) return complain(f, sorted[i].value, "has no inside, there are more than two triangles at the edge");
        f->other[sorted[i].value] = sorted[i + 1].value;
        f->other[sorted[i + 1].value] = sorted[i].value;
        i = end;
    }
    return true;
}

/* Marks the shell of a triangle, with it: those that are reached over edges. Two triangles at an edge are turned alike if they go along it in opposite
 * directions. */
static bool flood(finder *f, uint32_t first, uint32_t shell)
{
    uint32_t begin = 0, end = 0;
    f->shell[first] = shell;
    f->queue[end++] = first;
    while (begin < end) {
        const uint32_t triangle = f->queue[begin++];
        for (uint32_t side = 3 * triangle; side < 3 * triangle + 3; side++) {
            const uint32_t next = f->other[side] / 3;
            const uint8_t  turned = f->turned[triangle] ^ (side_begin(f, side) == side_begin(f, f->other[side]));
            if (f->shell[next] == PLIANT__NONE) {
                f->shell[next] = shell;
                f->turned[next] = turned;
                f->queue[end++] = next;
            } else if (f->turned[next] != turned)
                return complain(f, side, "has one side only, as is found at the edge");
        }
    }
    return true;
}

static void place(const finder *f, uint32_t particle, double out[3])
{
    const pliant_vec3 x = f->scene->particles.data[particle].x;
    out[0] = (double)x.x;
    out[1] = (double)x.y;
    out[2] = (double)x.z;
}

/* Six times the volume of the tetrahedron that a triangle makes with the point `from`. */
static double six_volumes(const finder *f, const uint32_t *corner, const double from[3])
{
    double x[3][3];
    for (int i = 0; i < 3; i++) {
        place(f, corner[i], x[i]);
        for (int k = 0; k < 3; k++) x[i][k] -= from[k];
    }
    return x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1]) + x[0][1] * (x[1][2] * x[2][0] - x[1][0] * x[2][2]) +
           x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0]);
}

static void turn(uint32_t *corner)
{
    const uint32_t last = corner[2];
    corner[2] = corner[1];
    corner[1] = last;
}

/* Lists triangles shell by shell, and turns shells outwards. */
static void list(const finder *f, pliant__shells *out)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < f->count; i++) out->shells[f->shell[i]].count++;
    for (uint32_t s = 0; s < out->count; s++) {
        out->shells[s].first = first;
        first += out->shells[s].count;
        out->shells[s].count = 0;
    }
    for (uint32_t i = 0; i < f->count; i++) {
        pliant__shell *s = &out->shells[f->shell[i]];
        uint32_t      *to = out->corners + 3 * (size_t)(s->first + s->count++);
        memcpy(to, f->corner + 3 * (size_t)i, 3 * sizeof *to);
        if (f->turned[i]) turn(to);
    }
    for (uint32_t k = 0; k < out->count; k++) {
        pliant__shell *s = &out->shells[k];
        uint32_t      *corner = out->corners + 3 * (size_t)s->first;
        double         from[3], sum = 0, size = 0;
        place(f, corner[0], from);
        for (uint32_t i = 0; i < s->count; i++) {
            const double part = six_volumes(f, corner + 3 * (size_t)i, from);
            sum += part;
            size += part < 0 ? -part : part;
        }
        const double inside = (sum < 0 ? -sum : sum) / 6;
        const bool   flat = !(inside > 1e-6 * size) || !(inside >= 1e-15);
        for (uint32_t i = 0; !flat && sum < 0 && i < s->count; i++) turn(corner + 3 * (size_t)i);
        s->volume = inside;
        s->flat_from = flat ? vertex_of(f, corner[0]) : PLIANT__NONE;
    }
}

bool pliant__find_shells(const pliant_scene *scene, const pliant__draft_body *body, pliant__shells *out, pliant_error *error)
{
    const pliant_allocator *a = &scene->allocator;
    finder                  f = {.scene = scene,
                                 .body = body,
                                 .error = error,
                                 .corner = scene->triangles.data + 3 * (size_t)body->first_triangle,
                                 .count = body->triangle_count};
    memset(out, 0, sizeof *out);
    if (!f.count) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "body \"%s\" has no surface that could be closed", body->name);
    f.sides = pliant__alloc_array(a, 3 * (size_t)f.count, sizeof *f.sides);
    f.spare = pliant__alloc_array(a, 3 * (size_t)f.count, sizeof *f.spare);
    f.other = pliant__alloc_array(a, 3 * (size_t)f.count, sizeof *f.other);
    f.shell = pliant__alloc_array(a, f.count, sizeof *f.shell);
    f.queue = pliant__alloc_array(a, f.count, sizeof *f.queue);
    f.turned = pliant__alloc_array(a, f.count, sizeof *f.turned);
    out->corners = pliant__alloc_array(a, 3 * (size_t)f.count, sizeof *out->corners);
    out->shells = pliant__alloc_array(a, f.count, sizeof *out->shells);
    bool ok = f.sides && f.spare && f.other && f.shell && f.queue && f.turned && out->corners && out->shells;
    if (!ok) pliant__fail_memory(error, 3 * (size_t)f.count * sizeof *f.sides, "a closed surface");
    ok = ok && find_neighbours(&f);
    if (ok) memset(f.shell, 0xff, f.count * sizeof *f.shell);
    for (uint32_t i = 0; ok && i < f.count; i++)
        if (f.shell[i] == PLIANT__NONE) ok = flood(&f, i, out->count++);
    if (ok) list(&f, out);
    void *all[] = {f.sides, f.spare, f.other, f.shell, f.queue, f.turned};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(a, all[i]);
    return ok;
}

void pliant__free_shells(const pliant_allocator *allocator, pliant__shells *shells)
{
    pliant__free(allocator, shells->corners);
    pliant__free(allocator, shells->shells);
}

double pliant__volume_said(const pliant_group_info *info, const double *numbers)
{
    for (uint32_t i = 0; i < info->number_count; i++)
        if (strcmp(info->numbers[i].name, "volume") == 0 && strcmp(info->numbers[i].unit, "m^3") == 0) return numbers[i];
    return 0;
}
