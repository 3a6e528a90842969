/* From a state to a frame. */
#include "draw/frame.h"

#include "draw/fail.h"
#include "draw/facets.h"
#include "draw/marks.h"
#include "draw/strain.h"

#include <stdlib.h>
#include <string.h>

#define ARROW_SECONDS 0.05f /* s, of travel along the velocity: the length of a velocity's line */
#define MOST_ARROWS 20000u

const char *draw_overlay_name(uint32_t index)
{
    static const char *const names[] = {"wireframe", "strain", "contacts", "velocities", "colours", "normals", "pairs"};
    return index < sizeof names / sizeof *names ? names[index] : NULL;
}

draw_colour draw_strain_colour(float value)
{
    float       t = fmaxf(-1, fminf(1, value)), a = fabsf(t);
    draw_colour far = t < 0 ? (draw_colour){33, 86, 178, 255} : (draw_colour){196, 30, 36, 255}, near = {236, 236, 232, 255};
    near.r = (uint8_t)((float)near.r + ((float)far.r - (float)near.r) * a);
    near.g = (uint8_t)((float)near.g + ((float)far.g - (float)near.g) * a);
    near.b = (uint8_t)((float)near.b + ((float)far.b - (float)near.b) * a);
    return near;
}

/* ---- while a frame is made ---- */

typedef struct maker {
    draw_frame         *frame;
    const draw_subject *subject;
    const draw_source  *source;
    pliant_vec3        *points;  /* simulated vertices of all bodies */
    draw_strains        strain;  /* where shown */
    const float        *strains; /* its numbers per point; NULL: not shown */
    draw_marks          marks;
    uint32_t            lines; /* written */
} maker;

static draw_line_end *line_ends(const maker *m) { return (draw_line_end *)(void *)(m->frame->block + m->frame->lines_at); }

static void put_line(maker *m, f3 from, f3 to, draw_colour a, draw_colour b)
{
    draw_line_end *out = line_ends(m) + m->lines;
    if (m->lines + 2 > m->frame->line_count) return;
    out[0] = (draw_line_end){from, a};
    out[1] = (draw_line_end){to, b};
    m->lines += 2;
}

/* ---- points ---- */

static bool read_points(maker *m)
{
    const draw_subject *s = m->subject;
    m->points = malloc((s->point_count + 1u) * sizeof *m->points);
    bool ok = m->points != NULL;
    for (uint32_t i = 0; ok && i < s->body_count; i++) {
        const draw_body *b = &s->bodies[i];
        ok = pliant_state_positions(m->source->state, b->info.body, 0, b->info.vertex_count, m->points + b->first_point) == PLIANT_OK;
    }
    return ok;
}

static bool measure_strain(maker *m)
{
    if (!draw_strains_make(&m->strain, m->subject, m->source->state, m->points)) return false;
    m->strains = m->strain.of_point;
    m->frame->strain_least = m->strain.least;
    m->frame->strain_most = m->strain.most;
    return true;
}

static draw_colour strain_colour(const maker *m, float strain)
{
    float range = m->source->strain_range > 0 ? m->source->strain_range : 0.05f;
    return draw_strain_colour(strain / range);
}

/* ---- surfaces ---- */

/* The normal at a seam is that of both its sides. */
static draw_vertex *across_seam(const draw_subject *s, draw_vertex *all, uint32_t vertex)
{
    const uint32_t first = s->vertex_count + s->copy_count;
    return &all[vertex < first ? vertex : s->seams[vertex - first]];
}

/* Weighted by area, as the library has them. */
static void make_normals(const draw_subject *s, const draw_body *b, draw_vertex *all)
{
    draw_vertex *v = all + b->first_vertex;
    for (uint32_t i = 0; i < b->vertex_count; i++) v[i].normal = f3_of(0, 0, 0);
    for (uint32_t i = 0; i < b->copies.count; i++) {
        draw_vertex *copy = all + s->vertex_count + b->copies.first + i;
        *copy = all[s->copies[b->copies.first + i]];
        copy->normal = f3_of(0, 0, 0);
    }
    for (uint32_t i = 0; i < b->triangles.count; i += 3) {
        const uint32_t *t = s->indices + b->triangles.first + i;
        draw_vertex    *at[3];
        for (int k = 0; k < 3; k++) at[k] = across_seam(s, all, t[k]);
        const f3 n = f3_cross(f3_sub(at[1]->x, at[0]->x), f3_sub(at[2]->x, at[0]->x));
        for (int k = 0; k < 3; k++) at[k]->normal = f3_add(at[k]->normal, n);
    }
    for (uint32_t i = 0; i < b->vertex_count; i++) v[i].normal = f3_unit(v[i].normal);
    for (uint32_t i = 0; i < b->copies.count; i++) {
        draw_vertex *copy = all + s->vertex_count + b->copies.first + i;
        copy->normal = f3_unit(copy->normal);
    }
}

static bool read_surface(const maker *m, const draw_body *b, draw_vertex *out)
{
    const draw_source *from = m->source;
    bool               cached = from->cache && b->info.visual;
    pliant_code        code;
    if (cached) {
        pliant_vec3 *x = malloc((b->vertex_count + 1u) * sizeof *x);
        code = x ? pliant_cache_write_positions(from->cache, b->info.body, x, sizeof *x) : PLIANT_ERROR_MEMORY;
        for (uint32_t v = 0; code == PLIANT_OK && v < b->vertex_count; v++) out[v].x = f3_from(x[v]);
        free(x);
    } else if (sizeof(pliant_real) == sizeof(float)) {
        code = pliant_state_write_vertices(from->state, b->info.body, out, sizeof *out);
    } else {
        struct wide {
            pliant_vec3 x, normal;
        } *x = malloc((b->vertex_count + 1u) * sizeof *x);
        code = x ? pliant_state_write_vertices(from->state, b->info.body, x, sizeof *x) : PLIANT_ERROR_MEMORY;
        for (uint32_t v = 0; code == PLIANT_OK && v < b->vertex_count; v++) {
            out[v].x = f3_from(x[v].x);
            out[v].normal = f3_from(x[v].normal);
        }
        free(x);
    }
    return code == PLIANT_OK;
}

#define SMOOTH 0.8f /* the least cosine between a face and a normal of its vertex that it is shaded with */

/* Corners of the faces of a body that tears each have a vertex. Where a solid's face lies across what its vertices have for a normal, at an edge of it, the face's
 * own is taken; faces that stand by have one corner and are drawn as nothing. */
static void sharpen(const draw_body *b, draw_vertex *out)
{
    for (uint32_t k = 0; b->info.spare_face_count && k + 2 < b->torn.count; k += 3) {
        const f3 normal = f3_unit(f3_cross(f3_sub(out[k + 1].x, out[k].x), f3_sub(out[k + 2].x, out[k].x)));
        for (uint32_t i = k; i < k + 3; i++)
            if (f3_dot(out[i].normal, normal) < SMOOTH) out[i].normal = normal;
    }
}

static void put_torn(const draw_body *b, const uint32_t *corner, const draw_vertex *of, draw_vertex *out)
{
    for (uint32_t k = 0; k < b->torn.count; k++) out[k] = of[corner[k]];
    sharpen(b, out);
}

static bool is_torn_cached(const maker *m, const draw_body *b) { return m->source->cache && b->info.spare_count; }

/* The corners of a body that tears from a cache, which has faces of its own: positions and normals. Its vertices are drawn by no triangle. */
static bool put_cached_corners(maker *m, const draw_body *b, draw_vertex *seams)
{
    const uint32_t count = pliant_cache_vertex_count(m->source->cache, b->info.body),
                   *corner = pliant_cache_faces(m->source->cache, b->info.body);
    pliant_vec3 *x = malloc((count + 1u) * sizeof *x);
    f3          *normals = calloc(count + 1u, sizeof *normals);
    bool         ok = x && normals && corner && pliant_cache_write_positions(m->source->cache, b->info.body, x, sizeof *x) == PLIANT_OK;
    for (uint32_t k = 0; ok && k + 2 < b->torn.count; k += 3) {
        const f3 p = f3_from(x[corner[k]]), n = f3_cross(f3_sub(f3_from(x[corner[k + 1]]), p), f3_sub(f3_from(x[corner[k + 2]]), p));
        for (uint32_t i = 0; i < 3; i++) normals[corner[k + i]] = f3_add(normals[corner[k + i]], n);
    }
    for (uint32_t k = 0; ok && k < b->torn.count; k++) {
        seams[b->torn.first + k] = (draw_vertex){.x = f3_from(x[corner[k]]), .normal = f3_unit(normals[corner[k]])};
        draw_bounds_add(&m->frame->bodies, seams[b->torn.first + k].x, 0);
    }
    if (ok) sharpen(b, seams + b->torn.first);
    free(x);
    free(normals);
    return ok;
}

static bool put_surfaces(maker *m)
{
    const draw_subject *s = m->subject;
    draw_vertex        *vertices = (draw_vertex *)(void *)(m->frame->block + m->frame->vertices_at);
    for (uint32_t i = 0; i < s->body_count; i++) {
        const draw_body *b = &s->bodies[i];
        draw_vertex     *out = vertices + b->first_vertex;
        if (!b->vertex_count) continue;
        if (is_torn_cached(m, b)) {
            memset(out, 0, b->vertex_count * sizeof *out);
            continue;
        }
        if (!read_surface(m, b, out)) return false;
        for (uint32_t v = 0; v < b->vertex_count; v++) {
            out[v].tint =
                m->strains && !b->info.visual ? strain_colour(m, m->strains[s->twin[b->first_point + v]]) : (draw_colour){0, 0, 0, 0};
            draw_bounds_add(&m->frame->bodies, out[v].x, 0);
        }
        if (b->copies.count || (m->source->cache && b->info.visual)) make_normals(s, b, vertices);
    }
    draw_vertex *seams = vertices + s->vertex_count + s->copy_count;
    for (uint32_t i = 0; i < s->seam_count; i++) seams[i] = vertices[s->seams[i]];
    for (uint32_t i = 0; i < s->body_count; i++) {
        const draw_body *b = &s->bodies[i];
        if (is_torn_cached(m, b)) {
            if (!put_cached_corners(m, b, seams)) return false;
            continue;
        }
        put_torn(b, pliant_state_faces(m->source->state, b->info.body), vertices + b->first_vertex, seams + b->torn.first);
    }
    return true;
}

/* ---- ropes and particles ---- */

/* Around a rope there is an even number of repeats, so that a checker closes. */
static void put_pattern(const draw_subject *s, const draw_link *l, const draw_body *b, draw_tube *out)
{
    if (b->info.type != PLIANT_BODY_ROPE || b->pattern == PLIANT_PATTERN_PLAIN) return;
    const float pairs = floorf(3.14159265f * b->radius / b->repeat + 0.5f);
    out->pattern = (float)b->pattern;
    out->around = 2 * fmaxf(pairs, 1);
    for (int k = 0; k < 2; k++) out->along[k] = s->along[l->point[k]] / b->repeat;
}

static void put_tubes(maker *m)
{
    const draw_subject *s = m->subject;
    draw_tube          *out = (draw_tube *)(void *)(m->frame->block + m->frame->tubes_at);
    for (uint32_t i = 0; i < s->body_count; i++) {
        const draw_body *b = &s->bodies[i];
        for (uint32_t v = 0; b->info.type == PLIANT_BODY_PARTICLES && v < b->info.vertex_count; v++) {
            f3 x = f3_from(m->points[b->first_point + v]);
            *out++ = (draw_tube){.ends = {x, x}, .radius = b->radius, .colour = b->colour};
        }
        for (uint32_t v = 0; !b->vertex_count && v < b->info.vertex_count; v++)
            draw_bounds_add(&m->frame->bodies, f3_from(m->points[b->first_point + v]), b->radius);
    }
    for (uint32_t i = 0; i < s->link_count; i++) {
        const draw_link *l = &s->links[i];
        const draw_body *b = &s->bodies[l->body];
        if (!l->tube) continue;
        *out = (draw_tube){
            .ends = {f3_from(m->points[l->point[0]]), f3_from(m->points[l->point[1]])}, .radius = b->radius, .colour = b->colour};
        if (pliant_state_broken(m->source->state, l->constraint)) out->ends[1] = out->ends[0]; /* what is broken ends round */
        put_pattern(s, l, b, out);
        if (b->info.type == PLIANT_BODY_PARTICLES) out->radius *= 0.4f;
        if (l->between) out->colour = (draw_colour){96, 96, 102, 255};
        if (m->strains) out->colour = strain_colour(m, draw_link_strain(l, m->source->state, m->points));
        if (m->strains || l->between) out->pattern = 0;
        out++;
    }
}

/* ---- colliders ---- */

/* Where colliders are, and which are on. */
static const pliant_state *poses_of(const maker *m) { return m->source->poses ? m->source->poses : m->source->state; }

static void put_round(maker *m, draw_tube *out, const pliant_collider_def *d, pliant_pose pose)
{
    const float r = (float)d->radius + (float)d->thickness, h = d->shape == PLIANT_SHAPE_CAPSULE ? (float)d->half_height : 0;
    *out = (draw_tube){{f3_place(pose, f3_of(0, -h, 0)), f3_place(pose, f3_of(0, h, 0))}, r, {168, 168, 172, 255}, {0, 0}, 0, 0};
    for (int k = 0; k < 2; k++) draw_bounds_add(&m->frame->all, out->ends[k], r);
}

static void put_colliders(maker *m)
{
    const draw_subject *s = m->subject;
    draw_frame         *f = m->frame;
    draw_vertex        *facets = (draw_vertex *)(void *)(f->block + f->boxes_at);
    draw_tube          *round = (draw_tube *)(void *)(f->block + f->rounds_at);
    f->plane_count = 0;
    for (uint32_t i = 0; i < pliant_model_collider_count(s->model); i++) {
        pliant_collider     id;
        pliant_collider_def d = pliant_model_collider_at(s->model, i, &id);
        if (!pliant_state_collider_active(poses_of(m), id)) continue;
        const pliant_pose pose = pliant_state_collider_pose(poses_of(m), id);
        if (d.shape == PLIANT_SHAPE_PLANE) {
            f->planes[f->plane_count++] =
                (draw_plane){f3_place(pose, f3_of(0, (float)d.thickness, 0)), f3_turn(pose.rotation, f3_of(0, 1, 0))};
        } else if (draw_facets_count(&d)) {
            draw_vertex *end = draw_facets_put(&d, pose, s->facet_normals[i], facets);
            for (; facets < end; facets++) draw_bounds_add(&f->all, facets->x, 0);
        } else {
            put_round(m, round++, &d, pose);
        }
    }
}

/* ---- overlays that are lines ---- */

static uint32_t arrow_stride(const draw_subject *s) { return s->point_count / MOST_ARROWS + 1; }

static bool put_velocities(maker *m)
{
    const draw_subject *s = m->subject;
    const draw_colour   tail = {20, 90, 60, 255}, head = {60, 230, 140, 255};
    pliant_vec3        *v = malloc((s->point_count + 1u) * sizeof *v);
    bool                ok = v != NULL;
    for (uint32_t i = 0; ok && i < s->body_count; i++) {
        const draw_body *b = &s->bodies[i];
        ok = pliant_state_velocities(m->source->state, b->info.body, 0, b->info.vertex_count, v + b->first_point) == PLIANT_OK;
    }
    for (uint32_t p = 0; ok && p < s->point_count; p++) m->frame->speed_most = fmaxf(m->frame->speed_most, f3_length(f3_from(v[p])));
    for (uint32_t p = 0; ok && p < s->point_count; p += arrow_stride(s)) {
        f3 x = f3_from(m->points[p]);
        put_line(m, x, f3_add(x, f3_scale(f3_from(v[p]), ARROW_SECONDS)), tail, head);
    }
    free(v);
    return ok;
}

/* Waves by hues that lie far apart for neighbours. */
static draw_colour wave_colour(uint32_t wave)
{
    float h = fmodf((float)wave * 0.618034f, 1) * 6, x = 1 - fabsf(fmodf(h, 2) - 1);
    float rgb[6][3] = {{1, x, 0}, {x, 1, 0}, {0, 1, x}, {0, x, 1}, {x, 0, 1}, {1, 0, x}};
    int   k = (int)h % 6;
    return (draw_colour){(uint8_t)(40 + 200 * rgb[k][0]), (uint8_t)(40 + 200 * rgb[k][1]), (uint8_t)(40 + 200 * rgb[k][2]), 255};
}

/* A distance is a line; of more points, all edges between them, a little shrunk so that neighbours can be told apart. */
static void put_rows(maker *m)
{
    const draw_subject *s = m->subject;
    for (uint32_t i = 0; i < s->row_count; i++) {
        const draw_row *row = &s->rows[i];
        f3              x[PLIANT_MAX_SLOTS], middle = {0, 0, 0};
        for (uint32_t k = 0; k < row->count; k++) {
            x[k] = f3_from(m->points[row->point[k]]);
            middle = f3_add(middle, f3_scale(x[k], 1 / (float)row->count));
        }
        for (uint32_t k = 0; k < row->count; k++) x[k] = f3_add(middle, f3_scale(f3_sub(x[k], middle), row->count > 2 ? 0.85f : 1));
        for (uint32_t k = 1; k < row->count; k++)
            for (uint32_t j = 0; j < k; j++) put_line(m, x[j], x[k], wave_colour(row->wave), wave_colour(row->wave));
    }
}

/* Strain of bodies with a visual surface: lines of their links. */
static void put_hidden_strain(maker *m)
{
    const draw_subject *s = m->subject;
    for (uint32_t i = 0; i < s->link_count; i++) {
        const draw_link *l = &s->links[i];
        if (!l->strains || !s->bodies[l->body].info.visual) continue;
        draw_colour c = strain_colour(m, draw_link_strain(l, m->source->state, m->points));
        put_line(m, f3_from(m->points[l->point[0]]), f3_from(m->points[l->point[1]]), c, c);
    }
}

static uint64_t count_lines(const maker *m)
{
    const draw_subject *s = m->subject;
    uint64_t            n = draw_marks_line_ends(&m->marks);
    if (m->source->show & DRAW_VELOCITIES) n += 2 * ((uint64_t)s->point_count / arrow_stride(s) + 1);
    for (uint32_t i = 0; (m->source->show & DRAW_CONSTRAINT_COLOURS) && i < s->row_count; i++)
        n += (uint64_t)s->rows[i].count * (s->rows[i].count - 1u);
    for (uint32_t i = 0; (m->source->show & DRAW_STRAIN) && i < s->link_count; i++)
        n += s->links[i].strains && s->bodies[s->links[i].body].info.visual ? 2 : 0;
    return n;
}

/* ---- the block ---- */

static void count_colliders(maker *m, uint32_t *planes)
{
    draw_frame *f = m->frame;
    f->box_count = f->round_count = 0;
    *planes = 0;
    for (uint32_t i = 0; i < pliant_model_collider_count(m->subject->model); i++) {
        pliant_collider           id;
        const pliant_collider_def d = pliant_model_collider_at(m->subject->model, i, &id);
        const uint32_t            facets = draw_facets_count(&d);
        if (!pliant_state_collider_active(poses_of(m), id)) continue;
        if (d.shape == PLIANT_SHAPE_PLANE)
            ++*planes;
        else if (facets)
            f->box_count += facets;
        else
            f->round_count++;
    }
}

static bool make_room(maker *m)
{
    draw_frame *f = m->frame;
    uint64_t    lines = count_lines(m);
    uint32_t    planes;
    count_colliders(m, &planes);
    if (lines > INT32_MAX) lines = INT32_MAX;
    f->vertex_count = m->subject->vertex_count + m->subject->copy_count + m->subject->seam_count;
    f->tube_count = m->subject->ball_count + m->subject->tube_count;
    f->line_count = (uint32_t)lines;
    f->vertices_at = 0;
    f->boxes_at = f->vertices_at + f->vertex_count * sizeof(draw_vertex);
    f->tubes_at = f->boxes_at + f->box_count * sizeof(draw_vertex);
    f->rounds_at = f->tubes_at + f->tube_count * sizeof(draw_tube);
    f->lines_at = f->rounds_at + f->round_count * sizeof(draw_tube);
    f->size = f->lines_at + f->line_count * sizeof(draw_line_end);
    if (f->size > f->room) {
        unsigned char *more = realloc(f->block, f->size + f->size / 4);
        if (!more) return false;
        f->block = more;
        f->room = f->size + f->size / 4;
    }
    if (planes > f->plane_room) {
        draw_plane *more = realloc(f->planes, planes * sizeof *more);
        if (!more) return false;
        f->planes = more;
        f->plane_room = planes;
    }
    return true;
}

static bool copy_points(maker *m)
{
    draw_frame *f = m->frame;
    uint32_t    count = m->subject->point_count;
    if (!m->source->points) return true;
    if (count > f->point_room) {
        f3 *more = realloc(f->points, count * sizeof *more);
        if (!more) return false;
        f->points = more;
        f->point_room = count;
    }
    for (uint32_t i = 0; i < count; i++) f->points[i] = f3_from(m->points[i]);
    return true;
}

static bool fill(maker *m)
{
    draw_frame *f = m->frame;
    if (!read_points(m) || !draw_marks_read(&m->marks, m->source) || ((f->show & DRAW_STRAIN) && !measure_strain(m)) || !make_room(m))
        return false;
    if (!copy_points(m) || !put_surfaces(m)) return false;
    put_tubes(m);
    put_colliders(m);
    m->lines = draw_marks_put(&m->marks, m->subject->scale, line_ends(m), f->line_count);
    f->force_most = m->marks.force_most;
    f->pair_count = m->marks.pair_count;
    if (f->show & DRAW_STRAIN) put_hidden_strain(m);
    if (f->show & DRAW_CONSTRAINT_COLOURS) put_rows(m);
    if ((f->show & DRAW_VELOCITIES) && !put_velocities(m)) return false;
    f->line_count = m->lines;
    draw_bounds_join(&f->all, &f->bodies);
    return true;
}

bool draw_frame_fill(draw_frame *frame, const draw_subject *subject, const draw_source *source, pliant_error *error)
{
    maker m = {.frame = frame, .subject = subject, .source = source};
    frame->bodies = frame->all = draw_bounds_empty();
    frame->show = source->show;
    frame->time = pliant_state_time(source->state);
    frame->number = source->number;
    frame->strain_least = frame->strain_most = frame->speed_most = frame->force_most = 0;
    frame->pair_count = 0;
    bool ok = fill(&m);
    free(m.points);
    free(m.strain.of_point);
    draw_marks_free(&m.marks);
    return ok || draw_fail(error, PLIANT_ERROR_MEMORY, NULL, "out of memory for a frame to draw");
}

void draw_frame_free(draw_frame *frame)
{
    free(frame->block);
    free(frame->planes);
    free(frame->points);
    memset(frame, 0, sizeof *frame);
}
