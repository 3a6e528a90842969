/* Bodies that begin inside of something: particles within a collider, or within a soft body that theirs does not pass through. Both are thrown out
 * at once, or never come out. */
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ASKED = 50000000 }; /* particles times colliders, beyond which it is not looked at */

typedef struct looking {
    const pliant_model *model;
    const pliant_state *state;
    const pliant_query *query;
    cli_inside         *out;
    uint32_t            count, room;
    pliant_body_info    body;
    pliant_query_filter filter;
    pliant_vec3        *x;
    double              rounding; /* m: what counts as touching */
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

/* One more particle of the body looked at that is in a collider or in another body, and how to get it out. */
static void note(looking *l, pliant_collider collider, pliant_body other, double depth, pliant_vec3 way)
{
    cli_inside *at = NULL;
    for (uint32_t i = 0; i < l->count && !at; i++)
        if (l->out[i].body.id == l->body.body.id && l->out[i].collider.id == collider.id && l->out[i].other.id == other.id) at = &l->out[i];
    if (!at && l->count == l->room) return;
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
    pliant_query_hit          hit;
    const pliant_body         none = {0};
    const pliant_query_filter filter = {.size = sizeof filter, .groups = 0, .colliders = true};
    if (pliant_query_closest(l->query, x, 0, &filter, &hit) != PLIANT_OK || !hit.collider.id) return;
    if ((double)hit.distance < -l->rounding && pliant_model_meets_collider(l->model, l->body.body, hit.collider))
        note(l, hit.collider, none, -(double)hit.distance, hit.normal);
}

/* Behind the nearest triangle of a soft body, which all look outwards. */
static void look_at_bodies(looking *l, pliant_vec3 x)
{
    pliant_query_hit      hit;
    pliant_vec3           p[3], foot = {0, 0, 0};
    const pliant_collider none = {0};
    if (pliant_query_closest(l->query, x, (pliant_real)1e6, &l->filter, &hit) != PLIANT_OK || !hit.body.id || !hit.particles[2].body.id)
        return;
    const pliant_body_info other = pliant_model_body(l->model, hit.body);
    if (other.type != PLIANT_BODY_SOFT || !(other.contact_mask & l->body.contact_group)) return;
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

static bool look_at_body(looking *l)
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
    for (uint32_t v = 0; ok && v < n; v++) {
        if (!(w[v] > 0)) continue;
        if (pliant_model_collider_count(l->model)) look_at_colliders(l, l->x[v]);
        if (l->body.contact_mask) look_at_bodies(l, l->x[v]);
    }
    free(w);
    free(l->x);
    return ok;
}

bool cli_find_inside(const pliant_model *model, cli_inside *out, uint32_t room, uint32_t *count, pliant_error *error)
{
    looking        l = {.model = model, .out = out, .room = room};
    const uint64_t colliders = pliant_model_collider_count(model), asked = colliders * pliant_model_particle_count(model);
    pliant_state  *state = asked > MOST_ASKED ? NULL : pliant_state_create(model, error);
    pliant_query  *query = state ? pliant_query_create(model, error) : NULL;
    bool           ok = asked > MOST_ASKED || query;
    *count = 0;
    if (query && pliant_query_update(query, state) == PLIANT_OK) {
        l.state = state;
        l.query = query;
        for (uint32_t i = 0; ok && i < pliant_model_body_count(model); i++) {
            l.body = pliant_model_body_at(model, i);
            l.filter = (pliant_query_filter){.size = sizeof l.filter, .groups = l.body.contact_mask, .except = l.body.body};
            ok = look_at_body(&l);
        }
        if (!ok) error->code = PLIANT_ERROR_MEMORY;
    }
    *count = l.count;
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

void cli_note_inside(const char *path, const pliant_model *model, const cli_inside *found, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const pliant_body_info b = pliant_model_body(model, found[i].body);
        char                   text[640], name[96] = "";
        const double           way = found[i].depth + (double)b.thickness;
        snprintf(
            text, sizeof text,
            "%.200s: %u of %u vertices of %s begin inside %s, %.3g m deep at the most, and are thrown out of it or stay there; move its "
            "position by [%.3g, %.3g, %.3g], or that away",
            path, found[i].count, b.vertex_count, b.name, name_of(model, &found[i], name, sizeof name), found[i].depth,
            way * (double)found[i].way.x, way * (double)found[i].way.y, way * (double)found[i].way.z);
        cli_print_notice(text, NULL);
    }
}
