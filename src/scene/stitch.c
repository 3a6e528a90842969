/* Stitches: which points of two bodies are sewn to each other. */
#include "scene/builder.h"

#include "base/float_env.h"

#include <math.h>

pliant_stitches_def pliant_stitches_def_default(void)
{
    pliant_stitches_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.time = 1;
    return def;
}

/* ---- checks ---- */

static bool check_time(double value, const char *what, pliant_error *error)
{
    return (value >= 0 && value <= 1e9) || pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s must be from 0 to 1e9 s, not %g", what, value);
}

static bool check_lists(const pliant_stitches_def *def, pliant_error *error)
{
    const size_t least = def->way == PLIANT_STITCH_ALONG ? 2 : 1;
    if (!def->a_vertices || !def->b_vertices || def->a_count < least || def->b_count < least)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "each side of a seam needs %zu vertices at the least", least);
    return def->way != PLIANT_STITCH_ORDER || def->a_count == def->b_count ||
           pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a has %zu vertices and b %zu; in order as many are sewn to as many", def->a_count,
                        def->b_count);
}

static bool check_body(const pliant_scene *scene, pliant_body body, const uint32_t *vertices, size_t count, pliant_error *error)
{
    const pliant__draft_body *found = pliant__find_body(scene, body, error);
    if (!found) return false;
    if (found->type == PLIANT_BODY_PARTICLES)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "body \"%s\" is of loose particles, which cannot be sewn; take attachments",
                            found->name);
    for (size_t i = 0; i < count; i++)
        if (pliant__find_particle(scene, body, vertices[i], error) == PLIANT__NONE) return false;
    return true;
}

static bool check_def(const pliant_scene *scene, const pliant_stitches_def *def, pliant_error *error)
{
    if (!pliant__check_call(scene, def, error) ||
        !pliant__check_size(def->size, sizeof *def, "pliant_stitches_def", "pliant_stitches_def_default", error) ||
        !pliant__check_choice((int)def->way, PLIANT_STITCH_SURFACE + 1, "way", error) || !check_lists(def, error) ||
        !check_time(def->from, "from", error) || !check_time(def->time, "time", error) || !check_time(def->until, "until", error) ||
        !pliant__check_not_negative(def->length, "length", error) || !pliant__check_not_negative(def->compliance, "compliance", error) ||
        !pliant__check_not_negative(def->break_force, "break_force", error) ||
        !check_body(scene, def->a, def->a_vertices, def->a_count, error) ||
        !check_body(scene, def->b, def->b_vertices, def->b_count, error))
        return false;
    return def->until == 0 || def->until > def->from ||
           pliant__fail(error, PLIANT_ERROR_ARGUMENT, "stitches are undone at %g s, and begin at %g s only", def->until, def->from);
}

/* ---- points ---- */

typedef struct sewing {
    pliant_scene *scene;
    pliant_error *error;
    const char   *body; /* that the vertex below is of, for messages */
    uint32_t      vertex;
} sewing;

static pliant_vec3 place_of(const pliant_scene *scene, uint32_t particle) { return scene->particles.data[particle].x; }

static uint32_t particle_of(const pliant_scene *scene, pliant_body body, uint32_t vertex)
{
    return scene->vertex_particle.data[scene->bodies.data[body.id - 1].first_vertex + vertex];
}

/* Sews a particle to a point among others. */
static bool sew(const sewing *s, uint32_t particle, const uint32_t *others, const double *weights, uint32_t count)
{
    pliant__draft_stitch stitch = {{particle, others[0], others[0], others[0]}, {0, 0, 0}};
    for (uint32_t k = 0; k < count; k++) {
        if (others[k] == particle)
            return pliant__fail(s->error, PLIANT_ERROR_ARGUMENT, "vertex %u of body \"%s\" would be sewn to itself", s->vertex, s->body);
        stitch.particles[k + 1] = others[k];
        stitch.weights[k] = (pliant_real)weights[k];
    }
    return array_push(&s->scene->allocator, &s->scene->each_stitch, stitch) || pliant__fail_memory(s->error, sizeof stitch, "stitches");
}

static void name_vertex(sewing *s, pliant_body body, uint32_t vertex)
{
    s->body = s->scene->bodies.data[body.id - 1].name;
    s->vertex = vertex;
}

static bool sew_in_order(sewing *s, const pliant_stitches_def *def)
{
    const double one = 1;
    bool         ok = true;
    for (size_t i = 0; ok && i < def->a_count; i++) {
        const uint32_t other = particle_of(s->scene, def->b, def->b_vertices[i]);
        name_vertex(s, def->a, def->a_vertices[i]);
        ok = sew(s, particle_of(s->scene, def->a, def->a_vertices[i]), &other, &one, 1);
    }
    return ok;
}

/* ---- along paths ---- */

typedef struct path {
    pliant_body     body;
    const uint32_t *vertices;
    size_t          count;
    double          length; /* m */
} path;

static double length_between(const pliant_scene *scene, const path *p, size_t i)
{
    const pliant_vec3 a = place_of(scene, particle_of(scene, p->body, p->vertices[i])),
                      b = place_of(scene, particle_of(scene, p->body, p->vertices[i + 1]));
    const double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y, z = (double)b.z - (double)a.z;
    return sqrt(x * x + y * y + z * z);
}

static bool measure_path(const pliant_scene *scene, path *p, pliant_error *error)
{
    for (size_t i = 0; i + 1 < p->count; i++) p->length += length_between(scene, p, i);
    return p->length > 0 ||
           pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the path in body \"%s\" has no length", scene->bodies.data[p->body.id - 1].name);
}

#define AT_VERTEX 1e-6 /* of an edge: as near to its end, a point is the end */

/* Sews a vertex to the point of a path at a share of its length; `at`, `gone`: the edge that the search has come to, and the length before it. */
static bool sew_at(sewing *s, const path *fine, size_t i, const path *coarse, double share, size_t *at, double *gone)
{
    double step = length_between(s->scene, coarse, *at);
    while (*at + 2 < coarse->count && share * coarse->length > *gone + step) {
        *gone += step;
        step = length_between(s->scene, coarse, ++*at);
    }
    double on = step > 0 ? (share * coarse->length - *gone) / step : 0;
    on = on < AT_VERTEX ? 0 : on > 1 - AT_VERTEX ? 1 : on;
    const uint32_t ends[2] = {particle_of(s->scene, coarse->body, coarse->vertices[*at]),
                              particle_of(s->scene, coarse->body, coarse->vertices[*at + 1])};
    const double   weights[2] = {1 - on, on}, one = 1;
    name_vertex(s, fine->body, fine->vertices[i]);
    const uint32_t particle = particle_of(s->scene, fine->body, fine->vertices[i]);
    if (on > 0 && on < 1) return sew(s, particle, ends, weights, 2);
    return sew(s, particle, &ends[on > 0], &one, 1);
}

static bool sew_along(sewing *s, const pliant_stitches_def *def)
{
    path        a = {def->a, def->a_vertices, def->a_count, 0}, b = {def->b, def->b_vertices, def->b_count, 0};
    const path *fine = b.count > a.count ? &b : &a, *coarse = b.count > a.count ? &a : &b;
    size_t      at = 0;
    double      gone = 0, done = 0;
    if (!measure_path(s->scene, &a, s->error) || !measure_path(s->scene, &b, s->error)) return false;
    for (size_t i = 0; i < fine->count; i++) {
        if (!sew_at(s, fine, i, coarse, done / fine->length, &at, &gone)) return false;
        if (i + 1 < fine->count) done += length_between(s->scene, fine, i);
    }
    return true;
}

/* ---- to a surface ---- */

typedef struct vector {
    double x, y, z;
} vector;

static vector from_to(pliant_vec3 a, pliant_vec3 b)
{
    return (vector){(double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z};
}

static double dot(vector a, vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/* The weights of a triangle's corners at its point nearest to p: the regions around its corners and edges one after another (Ericson 2005, Real-Time
 * Collision Detection, 5.1.5). */
static void nearest_in(const pliant_vec3 *t, pliant_vec3 p, double *w)
{
    const vector ab = from_to(t[0], t[1]), ac = from_to(t[0], t[2]), ap = from_to(t[0], p), bp = from_to(t[1], p), cp = from_to(t[2], p);
    const double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp), d6 = dot(ac, cp);
    const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2, all = va + vb + vc;
    w[0] = w[1] = w[2] = 0;
    if (d1 <= 0 && d2 <= 0)
        w[0] = 1;
    else if (d3 >= 0 && d4 <= d3)
        w[1] = 1;
    else if (vc <= 0 && d1 >= 0 && d3 <= 0)
        w[1] = d1 / (d1 - d3), w[0] = 1 - w[1];
    else if (d6 >= 0 && d5 <= d6)
        w[2] = 1;
    else if (vb <= 0 && d2 >= 0 && d6 <= 0)
        w[2] = d2 / (d2 - d6), w[0] = 1 - w[2];
    else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        w[2] = (d4 - d3) / ((d4 - d3) + (d5 - d6)), w[1] = 1 - w[2];
    else if (all > 0)
        w[1] = vb / all, w[2] = vc / all, w[0] = 1 - w[1] - w[2];
    else
        w[0] = 1;
}

static double square_to(const pliant_vec3 *t, const double *w, pliant_vec3 p)
{
    const vector a = from_to(p, t[0]), b = from_to(p, t[1]), c = from_to(p, t[2]);
    const vector d = {w[0] * a.x + w[1] * b.x + w[2] * c.x, w[0] * a.y + w[1] * b.y + w[2] * c.y, w[0] * a.z + w[1] * b.z + w[2] * c.z};
    return dot(d, d);
}

/* Sews a particle to the nearest of a body's triangles with listed particles, of which it is none. */
static bool sew_to_nearest(sewing *s, uint32_t particle, const pliant__draft_body *body, const uint8_t *listed)
{
    const pliant_scene *scene = s->scene;
    double              least = INFINITY, weights[3] = {0, 0, 0}, w[3];
    const uint32_t     *nearest = NULL;
    for (uint32_t i = body->first_triangle; i < body->first_triangle + body->triangle_count; i++) {
        const uint32_t *c = scene->triangles.data + 3 * (size_t)i;
        if (c[0] == particle || c[1] == particle || c[2] == particle) continue;
        if (!listed[c[0] - body->first_particle] || !listed[c[1] - body->first_particle] || !listed[c[2] - body->first_particle]) continue;
        const pliant_vec3 t[3] = {place_of(scene, c[0]), place_of(scene, c[1]), place_of(scene, c[2])}, p = place_of(scene, particle);
        nearest_in(t, p, w);
        const double square = square_to(t, w, p);
        if (!(square < least)) continue;
        least = square;
        nearest = c;
        memcpy(weights, w, sizeof weights);
    }
    if (nearest) return sew(s, particle, nearest, weights, 3);
    return pliant__fail(s->error, PLIANT_ERROR_ARGUMENT, "body \"%s\" has no triangle, with all its vertices chosen, for vertex %u",
                        body->name, s->vertex);
}

static bool sew_to_surface(sewing *s, const pliant_stitches_def *def)
{
    const pliant__draft_body *body = &s->scene->bodies.data[def->b.id - 1];
    uint8_t                  *listed = pliant__alloc_array(&s->scene->allocator, body->particle_count, sizeof *listed);
    bool                      ok = listed || pliant__fail_memory(s->error, body->particle_count, "stitches");
    for (size_t i = 0; ok && i < def->b_count; i++) listed[particle_of(s->scene, def->b, def->b_vertices[i]) - body->first_particle] = 1;
    for (size_t i = 0; ok && i < def->a_count; i++) {
        name_vertex(s, def->a, def->a_vertices[i]);
        ok = sew_to_nearest(s, particle_of(s->scene, def->a, def->a_vertices[i]), body, listed);
    }
    pliant__free(&s->scene->allocator, listed);
    return ok;
}

/* ---- a call ---- */

pliant_stitches pliant_scene_add_stitches(pliant_scene *scene, const pliant_stitches_def *def, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    static bool (*const ways[])(sewing *, const pliant_stitches_def *) = {sew_in_order, sew_along, sew_to_surface};
    const pliant_stitches none = {0};
    if (!check_def(scene, def, error) ||
        !pliant__fits(scene->each_stitch.count, def->a_count > def->b_count ? def->a_count : def->b_count, "stitches", error))
        return none;
    const pliant__mark     mark = pliant__scene_mark(scene);
    sewing                 s = {scene, error, "", 0};
    pliant__draft_stitches all = {.def = *def, .first = (uint32_t)scene->each_stitch.count};
    bool                   ok = ways[def->way](&s, def);
    all.def.a_vertices = all.def.b_vertices = NULL;
    all.count = (uint32_t)scene->each_stitch.count - all.first;
    if (ok && !array_push(&scene->allocator, &scene->stitches, all)) ok = pliant__fail_memory(error, sizeof all, "stitches");
    if (ok) return (pliant_stitches){(uint32_t)scene->stitches.count};
    pliant__scene_rollback(scene, &mark);
    return none;
}
