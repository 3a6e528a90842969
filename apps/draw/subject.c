/* From a model to its surfaces, links and colours. */
#include "draw/subject.h"

#include "draw/camera.h"
#include "draw/facets.h"
#include "draw/fail.h"
#include "draw/smooth.h"

#include <stdlib.h>
#include <string.h>

#define MANY_ROPES 4u
#define COARSE_FROM 20000u /* triangles: below, shadows are cast by the surface itself */

draw_colour draw_palette(uint32_t index)
{
    static const draw_colour colours[] = {{205, 92, 62, 255},  {52, 118, 190, 255}, {226, 168, 58, 255}, {60, 150, 116, 255},
                                          {132, 76, 178, 255}, {214, 96, 146, 255}, {92, 170, 200, 255}, {150, 150, 56, 255},
                                          {156, 106, 78, 255}, {110, 122, 196, 255}};
    return colours[index % (sizeof colours / sizeof *colours)];
}

/* ---- faces ---- */

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Fans over the faces; every edge once. `out` has room for 3 per corner and 2 per corner. */
static void read_faces(draw_subject *s, draw_body *b, const uint32_t *sizes, const uint32_t *corners, uint64_t *edges)
{
    uint32_t *out = s->indices + s->index_count, edge_count = 0;
    b->triangles.first = s->index_count;
    for (uint32_t f = 0, at = 0; f < b->info.face_count; at += sizes[f++]) {
        for (uint32_t k = 2; k < sizes[f]; k++) {
            *out++ = b->first_vertex + corners[at];
            *out++ = b->first_vertex + corners[at + k - 1];
            *out++ = b->first_vertex + corners[at + k];
        }
        for (uint32_t k = 0; k < sizes[f]; k++) {
            uint32_t p = corners[at + k], q = corners[at + (k + 1) % sizes[f]];
            edges[edge_count++] = p < q ? (uint64_t)p << 32 | q : (uint64_t)q << 32 | p;
        }
    }
    b->triangles.count = (uint32_t)(out - s->indices) - b->triangles.first;
    b->edges.first = b->triangles.first + b->triangles.count;
    qsort(edges, edge_count, sizeof *edges, by_value);
    for (uint32_t e = 0; e < edge_count; e++) {
        if (e && edges[e] == edges[e - 1]) continue;
        *out++ = b->first_vertex + (uint32_t)(edges[e] >> 32);
        *out++ = b->first_vertex + (uint32_t)edges[e];
    }
    b->edges.count = (uint32_t)(out - s->indices) - b->edges.first;
    s->index_count = (uint32_t)(out - s->indices);
}

/* ---- coarser surfaces ---- */

typedef struct cell {
    uint64_t key;
    uint32_t vertex;
} cell;

static int by_cell(const void *a, const void *b)
{
    const cell *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
}

static double area_of(const draw_subject *s, const draw_body *b, const f3 *x)
{
    double sum = 0;
    for (uint32_t i = 0; i < b->triangles.count; i += 3) {
        const uint32_t *t = s->indices + b->triangles.first + i;
        f3              p = x[t[0] - b->first_vertex], q = x[t[1] - b->first_vertex], r = x[t[2] - b->first_vertex];
        sum += 0.5 * (double)f3_length(f3_cross(f3_sub(q, p), f3_sub(r, p)));
    }
    return sum;
}

/* Vertices that share a cell of a cubic grid become the first of them; triangles that thereby lose their area drop out. */
static void make_coarse(draw_subject *s, draw_body *b, const f3 *x)
{
    b->coarse = b->triangles;
    if (b->triangles.count < 3 * COARSE_FROM || b->info.spare_count) return;
    cell     *cells = malloc(b->vertex_count * sizeof *cells);
    uint32_t *to = malloc(b->vertex_count * sizeof *to);
    float     size = (float)sqrt(area_of(s, b, x) / (COARSE_FROM / 8));
    bool      ok = cells && to && size > 0;
    f3        low = ok ? x[0] : f3_of(0, 0, 0);
    for (uint32_t v = 0; ok && v < b->vertex_count; v++) low = f3_min(low, x[v]);
    for (uint32_t v = 0; ok && v < b->vertex_count; v++) {
        f3 at = f3_scale(f3_sub(x[v], low), 1 / size);
        cells[v].key = (uint64_t)at.x << 42 | (uint64_t)at.y << 21 | (uint64_t)at.z;
        cells[v].vertex = v;
    }
    if (ok) qsort(cells, b->vertex_count, sizeof *cells, by_cell);
    for (uint32_t i = 0, first = 0; ok && i < b->vertex_count; i++) {
        if (cells[i].key != cells[first].key) first = i;
        to[cells[i].vertex] = cells[first].vertex;
    }
    if (ok) b->coarse.first = s->index_count;
    for (uint32_t i = 0; ok && i < b->triangles.count; i += 3) {
        uint32_t t[3];
        for (int k = 0; k < 3; k++) t[k] = to[s->indices[b->triangles.first + i + (uint32_t)k] - b->first_vertex];
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
        for (int k = 0; k < 3; k++) s->indices[s->index_count++] = b->first_vertex + t[k];
    }
    if (ok) {
        b->coarse.count = s->index_count - b->coarse.first;
        b->coarseness = size;
    } else {
        b->coarse = b->triangles; /* flat to a point, or no memory for better */
    }
    free(cells);
    free(to);
}

/* Vertices at edges get copies. Triangles name them by their numbers behind those of all bodies. */
static bool make_edges(draw_subject *s, draw_body *b, const f3 *x)
{
    if (b->info.spare_count) return true; /* which vertices are at an edge changes where it tears */
    const uint32_t triangles = b->triangles.count / 3;
    uint32_t      *corners = malloc((b->triangles.count + 1u) * sizeof *corners), *list = s->indices + b->triangles.first;
    uint32_t      *more = realloc(s->copies, (s->copy_count + b->triangles.count + 1u) * sizeof *more);
    if (more) s->copies = more;
    uint32_t made = UINT32_MAX;
    for (uint32_t i = 0; corners && i < b->triangles.count; i++) corners[i] = list[i] - b->first_vertex;
    if (corners && more) made = draw_smooth_split(x, b->vertex_count, corners, triangles, s->copies + s->copy_count);
    for (uint32_t i = 0; made != UINT32_MAX && i < b->triangles.count; i++)
        if (corners[i] >= b->vertex_count) list[i] = s->vertex_count + s->copy_count + corners[i] - b->vertex_count;
    free(corners);
    if (made == UINT32_MAX) return false;
    b->copies = (draw_range){s->copy_count, made};
    for (uint32_t i = 0; i < made; i++) s->copies[s->copy_count + i] += b->first_vertex;
    s->copy_count += made;
    return true;
}

/* Where the vertices of a body with a pattern are at the start, in repeats of it from the middle. Copies follow when all bodies are known. */
static bool put_places(draw_subject *s, const draw_body *b, const f3 *x)
{
    draw_bounds bounds = draw_bounds_empty();
    if (!s->places) s->places = calloc(s->vertex_count + 1u, sizeof *s->places);
    for (uint32_t v = 0; v < b->vertex_count; v++) draw_bounds_add(&bounds, x[v], 0);
    const f3    size = f3_sub(bounds.high, bounds.low), middle = draw_bounds_center(&bounds);
    const float side = fmaxf(size.x, fmaxf(size.y, size.z)), given = (float)b->info.look.pattern_size,
                repeat = given > 0 ? given : side / 5;
    for (uint32_t v = 0; s->places && v < b->vertex_count; v++)
        s->places[b->first_vertex + v] = f3_scale(f3_sub(x[v], middle), repeat > 0 ? 1 / repeat : 0);
    return s->places != NULL;
}

static bool copy_places(draw_subject *s)
{
    if (!s->places) return true;
    f3 *more = realloc(s->places, ((size_t)s->vertex_count + s->copy_count + 1) * sizeof *more);
    if (!more) return false;
    s->places = more;
    for (uint32_t i = 0; i < s->copy_count; i++) more[s->vertex_count + i] = more[s->copies[i]];
    return true;
}

/* ---- textures ---- */

enum { MOST_SEAMS = 64 }; /* that one vertex is searched for; one more finds none */

typedef struct seaming {
    draw_subject *s;
    uint32_t     *next; /* per vertex, copy and seam: the next seam that is of the same one; 0: none */
    bool         *has;  /* per vertex and copy: its place is known */
    uint32_t      first_seam;
} seaming;

/* The vertex that is where `vertex` is and has this place on the texture: itself, one of its seams, or a new one. */
static uint32_t seam_of(seaming *w, uint32_t vertex, const float uv[2])
{
    draw_subject *s = w->s;
    uint32_t      at = vertex;
    if (!w->has[vertex]) {
        w->has[vertex] = true;
        memcpy(s->uvs + 2 * (size_t)vertex, uv, 2 * sizeof *uv);
    }
    for (int i = 0; i < MOST_SEAMS; i++, at = w->next[at]) {
        if (memcmp(s->uvs + 2 * (size_t)at, uv, 2 * sizeof *uv) == 0) return at;
        if (!w->next[at]) break;
    }
    const uint32_t seam = w->first_seam + s->seam_count;
    s->seams[s->seam_count++] = vertex;
    w->next[seam] = w->next[vertex];
    w->next[vertex] = seam;
    memcpy(s->uvs + 2 * (size_t)seam, uv, 2 * sizeof *uv);
    return seam;
}

/* Corners of a fan, in the order of read_faces. */
static void seam_body(seaming *w, const draw_body *b)
{
    const float    *uvs = pliant_model_uvs(w->s->model, b->info.body);
    const uint32_t *sizes;
    uint32_t       *corner = w->s->indices + b->triangles.first;
    pliant_model_faces(w->s->model, b->info.body, &sizes, NULL);
    for (uint32_t f = 0; f < b->info.face_count; uvs += 2 * (size_t)sizes[f++])
        for (uint32_t k = 2; k < sizes[f]; k++) {
            const uint32_t at[3] = {0, k - 1, k};
            for (int i = 0; i < 3; i++, corner++) *corner = seam_of(w, *corner, uvs + 2 * (size_t)at[i]);
        }
}

/* Of a body that tears every corner of a triangle is a seam: which vertex that is of changes. Sides of triangles go from seam to seam, then. */
static void seam_torn(seaming *w, draw_body *b)
{
    draw_subject *s = w->s;
    const float  *uvs = pliant_model_uvs(s->model, b->info.body);
    uint32_t     *corner = s->indices + b->triangles.first, *side = s->indices + b->edges.first;
    b->torn = (draw_range){s->seam_count, b->triangles.count};
    for (uint32_t i = 0; i < b->triangles.count; i++) {
        const uint32_t seam = w->first_seam + s->seam_count;
        if (uvs) memcpy(s->uvs + 2 * (size_t)seam, uvs + 2 * (size_t)i, 2 * sizeof *uvs);
        s->seams[s->seam_count++] = corner[i];
        corner[i] = seam;
    }
    b->edges.count = 2 * b->triangles.count;
    for (uint32_t i = 0; i < b->triangles.count; i++) {
        *side++ = corner[i];
        *side++ = corner[i % 3 == 2 ? i - 2 : i + 1];
    }
}

static bool has_seams(const draw_body *b) { return b->textured || b->info.spare_count; }

/* Where the vertices of bodies with a texture are on it. */
static bool make_seams(draw_subject *s)
{
    size_t corners = 0;
    for (uint32_t i = 0; i < s->body_count; i++) corners += has_seams(&s->bodies[i]) ? s->bodies[i].triangles.count : 0;
    if (!corners) return true;
    const size_t first = (size_t)s->vertex_count + s->copy_count, all = first + corners;
    seaming      w = {s, calloc(all + 1, sizeof *w.next), calloc(first + 1, sizeof *w.has), (uint32_t)first};
    bool         ok = w.next && w.has && all < UINT32_MAX;
    s->seams = ok ? malloc((corners + 1) * sizeof *s->seams) : NULL;
    s->uvs = ok ? calloc(2 * all + 1, sizeof *s->uvs) : NULL;
    ok = s->seams && s->uvs;
    for (uint32_t i = 0; ok && i < s->body_count; i++) {
        if (s->bodies[i].info.spare_count)
            seam_torn(&w, &s->bodies[i]);
        else if (s->bodies[i].textured)
            seam_body(&w, &s->bodies[i]);
    }
    free(w.next);
    free(w.has);
    return ok;
}

/* A seam has the place on a pattern that its vertex had at the start. */
static bool seam_places(draw_subject *s)
{
    const size_t first = (size_t)s->vertex_count + s->copy_count;
    f3          *more = s->places ? realloc(s->places, (first + s->seam_count + 1) * sizeof *more) : NULL;
    if (!s->places) return true;
    if (!more) return false;
    s->places = more;
    for (uint32_t i = 0; i < s->seam_count; i++) more[first + i] = more[s->seams[i]];
    return true;
}

static bool surface_positions(const draw_body *b, const pliant_state *start, f3 *out)
{
    pliant_vec3 *x = malloc((b->vertex_count + 1u) * sizeof *x);
    bool         ok = x && pliant_state_write_positions(start, b->info.body, x, sizeof *x) == PLIANT_OK;
    for (uint32_t v = 0; ok && v < b->vertex_count; v++) out[v] = f3_from(x[v]);
    free(x);
    return ok;
}

static bool read_surfaces(draw_subject *s, const pliant_state *start)
{
    size_t corners = 0;
    for (uint32_t i = 0; i < s->body_count; i++) corners += s->bodies[i].info.face_index_count;
    s->indices = malloc((corners * 8 + 1) * sizeof *s->indices); /* 3 for a fan's triangles, 2 for edges, 3 for coarser triangles */
    bool ok = s->indices != NULL && corners * 8 < UINT32_MAX;
    for (uint32_t i = 0; ok && i < s->body_count; i++) {
        draw_body      *b = &s->bodies[i];
        const uint32_t *sizes, *list;
        if (!b->info.face_count) continue;
        uint64_t *edges = malloc(b->info.face_index_count * sizeof *edges);
        f3       *x = malloc((b->vertex_count + 1u) * sizeof *x);
        pliant_model_faces(s->model, b->info.body, &sizes, &list);
        ok = edges && x && surface_positions(b, start, x);
        if (ok) {
            read_faces(s, b, sizes, list, edges);
            make_coarse(s, b, x);
            ok = make_edges(s, b, x) && (b->pattern == PLIANT_PATTERN_PLAIN || put_places(s, b, x));
        }
        free(edges);
        free(x);
    }
    return ok;
}

/* ---- constraints ---- */

static uint32_t body_index(const draw_subject *s, pliant_body body)
{
    uint32_t i = 0;
    while (i + 1 < s->body_count && s->bodies[i].info.body.id != body.id) i++;
    return i;
}

bool draw_is_element(pliant_constraint_kind kind)
{
    return (pliant_constraint_describe(kind)->flags & (PLIANT_ROW_SOLID | PLIANT_ROW_TEARS)) != 0;
}

uint32_t draw_point_of(const draw_subject *s, pliant_particle particle)
{
    return s->bodies[body_index(s, particle.body)].first_point + particle.vertex;
}

static void read_constraint(draw_subject *s, uint32_t position)
{
    pliant_solved_constraint      c = pliant_model_solved(s->model, position);
    const pliant_constraint_info *info = pliant_constraint_describe(c.kind);
    draw_row                     *row = &s->rows[s->row_count++];
    uint32_t                      body = 0, last = 0;
    row->count = 0;
    row->wave = c.wave;
    for (uint32_t k = 0; k < info->slots; k++) {
        if (!c.particles[k].body.id) continue; /* a target */
        uint32_t of = body_index(s, c.particles[k].body);
        if (row->count == 0) body = of;
        last = of;
        row->point[row->count++] = s->bodies[of].first_point + c.particles[k].vertex;
    }
    if (c.wave >= s->wave_count) s->wave_count = c.wave + 1;
    s->element_count += draw_is_element(c.kind);
    if (!(info->flags & PLIANT_ROW_EDGE)) return;
    draw_link      *link = &s->links[s->link_count++];
    pliant_law_info law = pliant_model_law(s->model, c.law);
    *link = (draw_link){.body = body, .point = {row->point[0], row->point[1]}, .rest = (float)c.parameters[0], .constraint = c.constraint};
    link->strains = strcmp(law.role, "bend") != 0;
    link->between = last != body;
    link->tube = link->strains && (link->between || !s->bodies[body].info.face_count);
    s->tube_count += link->tube;
}

static bool read_constraints(draw_subject *s)
{
    uint32_t count = pliant_model_solved_count(s->model);
    s->rows = malloc((count + 1u) * sizeof *s->rows);
    s->links = malloc((count + 1u) * sizeof *s->links);
    if (!s->rows || !s->links) return false;
    for (uint32_t i = 0; i < count; i++) read_constraint(s, i);
    return true;
}

/* ---- points ---- */

typedef struct spot {
    pliant_vec3 x;
    uint32_t    point;
} spot;

static int by_place(const void *a, const void *b)
{
    const spot *p = a, *q = b;
    if (p->x.x != q->x.x) return p->x.x < q->x.x ? -1 : 1;
    if (p->x.y != q->x.y) return p->x.y < q->x.y ? -1 : 1;
    if (p->x.z != q->x.z) return p->x.z < q->x.z ? -1 : 1;
    return p->point < q->point ? -1 : p->point > q->point;
}

/* Welded vertices are at one place for ever, and constraints name only the first of them. */
static bool find_twins(draw_subject *s, const draw_body *b, const pliant_vec3 *x)
{
    const uint32_t count = b->info.vertex_count - b->info.spare_count; /* those that stand by lie beside others, and are none of them */
    spot          *spots = malloc((count + 1u) * sizeof *spots);
    if (!spots) return false;
    for (uint32_t v = count; v < b->info.vertex_count; v++) s->twin[b->first_point + v] = b->first_point + v;
    for (uint32_t v = 0; v < count; v++) spots[v] = (spot){x[v], b->first_point + v};
    qsort(spots, count, sizeof *spots, by_place);
    for (uint32_t v = 0, first = 0; v < count; v++) {
        if (memcmp(&spots[v].x, &spots[first].x, sizeof spots->x) != 0) first = v;
        s->twin[spots[v].point] = spots[first].point;
    }
    free(spots);
    return true;
}

/* How far along its rope each point is at the start. */
static bool put_along(draw_subject *s, draw_body *b, const pliant_vec3 *x)
{
    const float given = (float)b->info.look.pattern_size;
    float       sum = 0;
    if (!s->along) s->along = calloc(s->point_count + 1u, sizeof *s->along);
    for (uint32_t v = 0; s->along && v < b->info.vertex_count; v++) {
        if (v) sum += f3_length(f3_sub(f3_from(x[v]), f3_from(x[v - 1])));
        s->along[b->first_point + v] = sum;
    }
    b->repeat = given > 0 ? given : fmaxf(sum / 5, 1e-6f);
    return s->along != NULL;
}

static bool read_points(draw_subject *s, const pliant_state *start)
{
    draw_bounds bounds = draw_bounds_empty();
    s->twin = malloc((s->point_count + 1u) * sizeof *s->twin);
    bool ok = s->twin != NULL;
    for (uint32_t i = 0; ok && i < s->body_count; i++) {
        draw_body   *b = &s->bodies[i];
        pliant_vec3 *x = malloc((b->info.vertex_count + 1u) * sizeof *x);
        ok = x && pliant_state_positions(start, b->info.body, 0, b->info.vertex_count, x) == PLIANT_OK;
        for (uint32_t v = 0; ok && v < b->info.vertex_count; v++) draw_bounds_add(&bounds, f3_from(x[v]), 0);
        ok = ok && (b->info.particle_count < b->info.vertex_count ? find_twins(s, b, x) : true);
        for (uint32_t v = 0; ok && b->info.particle_count >= b->info.vertex_count && v < b->info.vertex_count; v++)
            s->twin[b->first_point + v] = b->first_point + v;
        if (ok && b->info.type == PLIANT_BODY_ROPE && b->pattern != PLIANT_PATTERN_PLAIN) ok = put_along(s, b, x);
        free(x);
    }
    s->scale = draw_bounds_radius(&bounds);
    return ok;
}

/* A rope or a particle as thick as it is; where it has no thickness, as can be seen, but not so that neighbours run together. */
static void choose_radii(draw_subject *s)
{
    for (uint32_t i = 0; i < s->body_count; i++) {
        draw_body *b = &s->bodies[i];
        float      part = b->info.type == PLIANT_BODY_PARTICLES ? 0.02f : 0.008f;
        b->radius = (float)b->info.thickness > 0 ? (float)b->info.thickness : part * s->scale;
        for (uint32_t k = 0; k < s->link_count && !((float)b->info.thickness > 0); k++)
            if (s->links[k].body == i && s->links[k].tube && s->links[k].rest > 0) b->radius = fminf(b->radius, 0.35f * s->links[k].rest);
    }
}

/* ---- colliders ---- */

static bool read_colliders(draw_subject *s)
{
    const uint32_t count = pliant_model_collider_count(s->model);
    s->facet_normals = calloc(count + 1u, sizeof *s->facet_normals);
    bool ok = s->facet_normals != NULL;
    for (uint32_t i = 0; ok && i < count; i++) {
        pliant_collider           id;
        const pliant_collider_def d = pliant_model_collider_at(s->model, i, &id);
        ok = draw_facets_normals(&d, &s->facet_normals[i]);
    }
    return ok;
}

/* ---- all of it ---- */

/* Hair, or a heap of ropes: of one hue, each a little lighter or darker than its neighbours. */
static draw_colour strand_colour(uint32_t index)
{
    const float       part = 0.78f + 0.3f * fmodf((float)index * 0.618034f, 1);
    const draw_colour c = draw_palette(0);
    return (draw_colour){(uint8_t)((float)c.r * part), (uint8_t)((float)c.g * part), (uint8_t)((float)c.b * part), 255};
}

/* Colour, roughness and sheen of a body from its look. */
static void take_look(draw_body *b)
{
    const pliant_look *look = &b->info.look;
    const uint32_t     c = look->color;
    if (c != PLIANT_COLOR_CHOSEN) b->colour = (draw_colour){(uint8_t)(c >> 16 & 255), (uint8_t)(c >> 8 & 255), (uint8_t)(c & 255), 255};
    if (look->roughness >= 0) b->roughness = (float)look->roughness;
    b->pattern = look->pattern;
    b->textured = look->texture && b->info.face_count;
    if (b->textured && c == PLIANT_COLOR_CHOSEN) b->colour = (draw_colour){255, 255, 255, 255};
}

static void list_bodies(draw_subject *s)
{
    uint32_t ropes = 0;
    for (uint32_t i = 0; i < s->body_count; i++) ropes += pliant_model_body_at(s->model, i).type == PLIANT_BODY_ROPE;
    for (uint32_t i = 0; i < s->body_count; i++) {
        draw_body *b = &s->bodies[i];
        b->info = pliant_model_body_at(s->model, i);
        b->colour = ropes > MANY_ROPES && b->info.type == PLIANT_BODY_ROPE ? strand_colour(i) : draw_palette(i);
        b->roughness = b->info.type == PLIANT_BODY_SOFT ? 0.45f : 0.7f;
        take_look(b);
        b->sheen = b->info.type == PLIANT_BODY_CLOTH ? 0.35f : 0;
        b->first_point = s->point_count;
        s->point_count += b->info.vertex_count;
        b->first_vertex = s->vertex_count;
        b->vertex_count = b->info.face_count ? b->info.surface_vertex_count : 0;
        s->vertex_count += b->vertex_count;
        if (b->info.type == PLIANT_BODY_PARTICLES) s->ball_count += b->info.vertex_count;
    }
}

draw_subject *draw_subject_create(const pliant_model *model, pliant_error *error)
{
    draw_subject *s = calloc(1, sizeof *s);
    pliant_state *start = s ? pliant_state_create(model, error) : NULL;
    bool          ok = start != NULL;
    if (ok) {
        s->model = model;
        s->body_count = pliant_model_body_count(model);
        s->bodies = calloc(s->body_count + 1u, sizeof *s->bodies);
        ok = s->bodies != NULL;
    }
    if (ok) list_bodies(s);
    ok = ok && read_surfaces(s, start) && copy_places(s) && make_seams(s) && seam_places(s) && read_points(s, start) &&
         read_constraints(s) && read_colliders(s);
    if (ok) choose_radii(s);
    pliant_state_destroy(start);
    if (ok) return s;
    draw_subject_destroy(s);
    draw_fail(error, PLIANT_ERROR_MEMORY, NULL, "out of memory for what is to be drawn");
    return NULL;
}

void draw_subject_destroy(draw_subject *s)
{
    if (!s) return;
    for (uint32_t i = 0; s->facet_normals && i < pliant_model_collider_count(s->model); i++) free(s->facet_normals[i]);
    free(s->facet_normals);
    free(s->copies);
    free(s->places);
    free(s->seams);
    free(s->uvs);
    free(s->along);
    free(s->bodies);
    free(s->indices);
    free(s->links);
    free(s->rows);
    free(s->twin);
    free(s);
}
