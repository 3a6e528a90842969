/* Bodies that begin inside a collider, or inside a soft body that they do not pass through. Their particles are thrown out at once, or never come
 * out. */
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ASKED = 50000000 }; /* particles times colliders, beyond which it is not looked at */
enum { MOST_SAID = 16 };        /* pairs that have a line */

typedef struct box {
    double low[3], high[3];
} box;

typedef struct looking {
    const pliant_model *model;
    const pliant_state *state;
    const pliant_query *query;
    cli_inside         *out;
    uint32_t            count, room;
    bool                failed; /* out of memory */
    box                *around; /* each body */
    pliant_body_info    body;
    pliant_vec3        *x;
    double              rounding; /* m: particles less deep than that only touch */
} looking;

static double dot_of(pliant_vec3 a, pliant_vec3 b)
{
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

static pliant_vec3 minus(pliant_vec3 a, pliant_vec3 b)
{
    const pliant_vec3 c = {a.x - b.x, a.y - b.y, a.z - b.z};
    return c;
}

/* Counts one more vertex of the body in a collider or in another body, `depth` metres deep, which comes out along `way`. */
static void note(looking *l, pliant_collider collider, pliant_body other, double depth, pliant_vec3 way)
{
    cli_inside *at = NULL;
    for (uint32_t i = 0; i < l->count && !at; i++)
        if (l->out[i].body.id == l->body.body.id && l->out[i].collider.id == collider.id && l->out[i].other.id == other.id) at = &l->out[i];
    if (!at && l->count == l->room) {
        cli_inside *more = realloc(l->out, (2 * (size_t)l->room + 16) * sizeof *more);
        l->failed = l->failed || !more;
        if (!more) return;
        l->out = more;
        l->room = 2 * l->room + 16;
    }
    if (!at) {
        at = &l->out[l->count++];
        *at = (cli_inside){.body = l->body.body, .collider = collider, .other = other};
    }
    at->count++;
    if (!(depth > at->depth)) return;
    at->depth = depth;
    at->way = way;
}

static void look_at_colliders(looking *l, pliant_vec3 x)
{
    pliant_query_hit    hit;
    const pliant_body   none = {0};
    pliant_query_filter filter = pliant_query_filter_default();
    filter.groups = 0;
    filter.met_by = l->body.body;
    if (pliant_query_closest(l->query, x, 0, &filter, &hit) != PLIANT_OK || !hit.collider.id) return;
    if ((double)hit.distance < -l->rounding) note(l, hit.collider, none, -(double)hit.distance, hit.normal);
}

/* A vertex is inside a soft body if it is behind the nearest of its triangles: they look outwards. */
static void look_at_soft(looking *l, pliant_vec3 x, pliant_body other)
{
    pliant_query_hit      hit;
    pliant_vec3           p[3], foot = {0, 0, 0};
    const pliant_collider none = {0};
    pliant_query_filter   filter = pliant_query_filter_default();
    filter.colliders = false;
    filter.only = other;
    filter.met_by = l->body.body;
    if (pliant_query_closest(l->query, x, (pliant_real)1e6, &filter, &hit) != PLIANT_OK || !hit.body.id || !hit.particles[2].body.id)
        return;
    for (int k = 0; k < 3; k++) {
        if (pliant_state_positions(l->state, hit.particles[k].body, hit.particles[k].vertex, 1, &p[k]) != PLIANT_OK) return;
        foot.x += hit.weights[k] * p[k].x, foot.y += hit.weights[k] * p[k].y, foot.z += hit.weights[k] * p[k].z;
    }
    const pliant_vec3 u = minus(p[1], p[0]), v = minus(p[2], p[0]), off = minus(foot, x);
    const pliant_vec3 n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    const double      depth = sqrt(dot_of(off, off)), length = sqrt(dot_of(n, n));
    if (!(depth > l->rounding) || !(dot_of(off, n) > 0.5 * depth * length)) return;
    note(l, none, hit.body, depth, (pliant_vec3){(pliant_real)(off.x / depth), (pliant_real)(off.y / depth), (pliant_real)(off.z / depth)});
}

static bool is_in(const box *b, pliant_vec3 x)
{
    return (double)x.x > b->low[0] && (double)x.x < b->high[0] && (double)x.y > b->low[1] && (double)x.y < b->high[1] &&
           (double)x.z > b->low[2] && (double)x.z < b->high[2];
}

static bool boxes_meet(const box *a, const box *b)
{
    for (int k = 0; k < 3; k++)
        if (!(a->low[k] <= b->high[k] && b->low[k] <= a->high[k])) return false;
    return true;
}

/* The free vertices of a body, as `w` says, in each soft body that it meets. */
static void look_at_bodies(looking *l, uint32_t body, const pliant_real *w)
{
    for (uint32_t i = 0; i < pliant_model_body_count(l->model) && l->body.contact_mask; i++) {
        if (i == body || !boxes_meet(&l->around[body], &l->around[i])) continue;
        const pliant_body_info other = pliant_model_body_at(l->model, i);
        if (other.type != PLIANT_BODY_SOFT) continue;
        for (uint32_t v = 0; v < l->body.vertex_count; v++)
            if (w[v] > 0 && is_in(&l->around[i], l->x[v])) look_at_soft(l, l->x[v], other.body);
    }
}

static bool find_box(looking *l, uint32_t i)
{
    const pliant_body_info b = pliant_model_body_at(l->model, i);
    pliant_vec3           *x = calloc(b.vertex_count, sizeof *x);
    const bool             ok = x && pliant_state_positions(l->state, b.body, 0, b.vertex_count, x) == PLIANT_OK;
    for (int k = 0; k < 3; k++) l->around[i].low[k] = HUGE_VAL, l->around[i].high[k] = -HUGE_VAL;
    for (uint32_t v = 0; ok && v < b.vertex_count; v++) {
        const double at[3] = {(double)x[v].x, (double)x[v].y, (double)x[v].z};
        for (int k = 0; k < 3; k++) {
            l->around[i].low[k] = fmin(l->around[i].low[k], at[k]);
            l->around[i].high[k] = fmax(l->around[i].high[k], at[k]);
        }
    }
    free(x);
    return ok;
}

static bool look_at_body(looking *l, uint32_t body)
{
    const uint32_t n = l->body.vertex_count;
    pliant_real   *w = calloc(n, sizeof *w);
    l->x = calloc(n, sizeof *l->x);
    bool ok = w && l->x && pliant_state_positions(l->state, l->body.body, 0, n, l->x) == PLIANT_OK &&
              pliant_state_inverse_masses(l->state, l->body.body, 0, n, w) == PLIANT_OK;
    double most = 0;
    for (uint32_t v = 0; ok && v < n; v++)
        most = fmax(most, fmax(fabs((double)l->x[v].x), fmax(fabs((double)l->x[v].y), fabs((double)l->x[v].z))));
    l->rounding = 1e-5 * most + 1e-9;
    for (uint32_t v = 0; ok && v < n && pliant_model_collider_count(l->model); v++)
        if (w[v] > 0) look_at_colliders(l, l->x[v]);
    if (ok) look_at_bodies(l, body, w);
    free(w);
    free(l->x);
    return ok && !l->failed;
}

bool cli_find_inside(const pliant_model *model, cli_inside **out, uint32_t *count, pliant_error *error)
{
    const uint32_t bodies = pliant_model_body_count(model);
    const uint64_t asked = (uint64_t)pliant_model_collider_count(model) * pliant_model_particle_count(model);
    looking        l = {.model = model};
    *out = NULL;
    *count = 0;
    if (asked > MOST_ASKED) return true;
    pliant_state *state = pliant_state_create(model, error);
    pliant_query *query = state ? pliant_query_create(model, error) : NULL;
    l.around = calloc(bodies ? bodies : 1, sizeof *l.around);
    l.state = state;
    l.query = query;
    bool ok = query && l.around && pliant_query_update(query, state) == PLIANT_OK;
    for (uint32_t i = 0; ok && i < bodies; i++) ok = find_box(&l, i);
    for (uint32_t i = 0; ok && i < bodies; i++) {
        l.body = pliant_model_body_at(model, i);
        ok = look_at_body(&l, i);
    }
    if (!ok && error->code == PLIANT_OK) error->code = PLIANT_ERROR_MEMORY;
    *out = l.out;
    *count = l.count;
    free(l.around);
    pliant_query_destroy(query);
    pliant_state_destroy(state);
    return ok;
}

/* "the collider floor", "collider 2, a mesh", "the body jelly" */
static const char *name_of(const pliant_model *model, const cli_inside *i, char *out, size_t size)
{
    if (i->other.id) snprintf(out, size, "the body %s", pliant_model_body(model, i->other).name);
    for (uint32_t k = 0; i->collider.id && k < pliant_model_collider_count(model); k++) {
        pliant_collider           id;
        const pliant_collider_def c = pliant_model_collider_at(model, k, &id);
        if (id.id != i->collider.id) continue;
        if (*c.name)
            snprintf(out, size, "the collider %s", c.name);
        else
            snprintf(out, size, "colliders[%u], a %s", k, pliant_shape_name(c.shape));
    }
    return out;
}

/* The number without digits that are rounding beside `size`. */
static double without_dust(double a, double size) { return fabs(a) < 1e-6 * size ? 0 : a; }

void cli_note_inside(const char *path, const pliant_model *model, const cli_inside *found, uint32_t count)
{
    for (uint32_t i = 0; i < count && i < MOST_SAID; i++) {
        const pliant_body_info b = pliant_model_body(model, found[i].body);
        char                   text[640], name[96] = "";
        const double           way = found[i].depth + (double)b.thickness;
        snprintf(
            text, sizeof text,
            "%.200s: %u of %u vertices of %s begin inside %s, %.3g m deep at the most, and are thrown out of it or stay there; the deepest "
            "one comes out by [%.3g, %.3g, %.3g]",
            path, found[i].count, b.vertex_count, b.name, name_of(model, &found[i], name, sizeof name), found[i].depth,
            without_dust(way * (double)found[i].way.x, way), without_dust(way * (double)found[i].way.y, way),
            without_dust(way * (double)found[i].way.z, way));
        cli_print_notice(text, NULL);
    }
    if (count > MOST_SAID) {
        char text[320];
        snprintf(text, sizeof text, "%.200s: and so begin %u more pairs of a body and what it is in; check --json lists them", path,
                 count - MOST_SAID);
        cli_print_notice(text, NULL);
    }
}
