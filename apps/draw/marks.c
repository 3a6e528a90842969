/* Reading contacts and pairs from the solver, and laying them out as lines. */
#include "draw/marks.h"

#include <stdlib.h>
#include <string.h>

#define CROSS 6u /* ends of a contact's lines: two across, and its normal */

/* ---- reading ---- */

static void find_largest(draw_marks *m)
{
    for (uint32_t i = 0; i < m->contact_count; i++) m->force_most = fmaxf(m->force_most, (float)m->contacts[i].force);
    for (uint32_t i = 0; i < m->pushing_count; i++) m->force_most = fmaxf(m->force_most, (float)m->pushing[i].force);
}

static bool read_contacts(draw_marks *m, const pliant_solver *solver)
{
    m->contact_count = pliant_solver_contacts(solver, NULL, 0);
    m->pushing_count = pliant_solver_pair_contacts(solver, NULL, 0);
    m->contacts = malloc((m->contact_count + 1u) * sizeof *m->contacts);
    m->pushing = malloc((m->pushing_count + 1u) * sizeof *m->pushing);
    if (!m->contacts || !m->pushing) return false;
    pliant_solver_contacts(solver, m->contacts, m->contact_count);
    pliant_solver_pair_contacts(solver, m->pushing, m->pushing_count);
    find_largest(m);
    return true;
}

static bool read_pairs(draw_marks *m, const draw_source *source)
{
    m->pair_count = pliant_solver_near_pairs(source->solver, source->state, NULL, 0);
    m->pairs = malloc((m->pair_count + 1u) * sizeof *m->pairs);
    if (m->pairs) pliant_solver_near_pairs(source->solver, source->state, m->pairs, m->pair_count);
    return m->pairs != NULL;
}

bool draw_marks_read(draw_marks *marks, const draw_source *source)
{
    marks->show = source->solver ? source->show : 0;
    if ((marks->show & (DRAW_CONTACTS | DRAW_NORMALS)) && !read_contacts(marks, source->solver)) return false;
    return !(marks->show & DRAW_PAIRS) || read_pairs(marks, source);
}

void draw_marks_free(draw_marks *marks)
{
    free(marks->contacts);
    free(marks->pushing);
    free(marks->pairs);
    memset(marks, 0, sizeof *marks);
}

/* ---- lines ---- */

uint64_t draw_marks_line_ends(const draw_marks *m)
{
    uint64_t n = 2 * (uint64_t)m->pair_count;
    if (m->show & DRAW_CONTACTS) n += CROSS * ((uint64_t)m->contact_count + m->pushing_count);
    if (m->show & DRAW_NORMALS) n += 2 * (uint64_t)m->contact_count + 4 * (uint64_t)m->pushing_count;
    return n;
}

/* Where lines go. */
typedef struct sheet {
    draw_line_end *out;
    uint32_t       count, room;
    float          scale;
} sheet;

static void put_line(sheet *s, f3 from, f3 to, draw_colour a, draw_colour b)
{
    if (s->count + 2 > s->room) return;
    s->out[s->count++] = (draw_line_end){from, a};
    s->out[s->count++] = (draw_line_end){to, b};
}

static void put_cross(sheet *s, f3 x, f3 n, draw_colour colour)
{
    const draw_colour dark = {40, 40, 40, 255};
    const float       length = 0.05f * s->scale, arm = 0.008f * s->scale;
    const f3          a = f3_across(n), b = f3_cross(n, a);
    put_line(s, x, f3_add(x, f3_scale(n, length)), colour, dark);
    put_line(s, f3_sub(x, f3_scale(a, arm)), f3_add(x, f3_scale(a, arm)), colour, colour);
    put_line(s, f3_sub(x, f3_scale(b, arm)), f3_add(x, f3_scale(b, arm)), colour, colour);
}

static void put_contacts(const draw_marks *m, sheet *s)
{
    const draw_colour yellow = {250, 200, 20, 255}, violet = {190, 80, 230, 255};
    for (uint32_t i = 0; i < m->contact_count; i++) put_cross(s, f3_from(m->contacts[i].point), f3_from(m->contacts[i].normal), yellow);
    for (uint32_t i = 0; i < m->pushing_count; i++) put_cross(s, f3_from(m->pushing[i].point), f3_from(m->pushing[i].normal), violet);
}

/* Longer with the root of the force, and never so short that it is not seen; a collider pushes one side, a body both. */
static void put_force(const draw_marks *m, sheet *s, pliant_vec3 point, pliant_vec3 normal, pliant_real force, float side)
{
    const draw_colour foot = {255, 255, 255, 255}, tip = {150, 0, 110, 255};
    const f3          x = f3_from(point);
    const float       length = s->scale * (0.025f + 0.1f * (m->force_most > 0 ? sqrtf((float)force / m->force_most) : 0));
    put_line(s, x, f3_add(x, f3_scale(f3_from(normal), side * length)), foot, tip);
}

static void put_forces(const draw_marks *m, sheet *s)
{
    for (uint32_t i = 0; i < m->contact_count; i++) put_force(m, s, m->contacts[i].point, m->contacts[i].normal, m->contacts[i].force, 1);
    for (uint32_t i = 0; i < m->pushing_count; i++) {
        const pliant_pair_contact *c = &m->pushing[i];
        put_force(m, s, c->point, c->normal, c->force, 1);
        put_force(m, s, c->point, c->normal, c->force, -1);
    }
}

static void put_pairs(const draw_marks *m, sheet *s)
{
    const draw_colour apart = {60, 120, 200, 255}, touching = {220, 50, 40, 255};
    for (uint32_t i = 0; i < m->pair_count; i++) {
        const pliant_near_pair *p = &m->pairs[i];
        const draw_colour       colour = p->distance <= p->touching * (pliant_real)1.02 ? touching : apart;
        put_line(s, f3_from(p->points[0]), f3_from(p->points[1]), colour, colour);
    }
}

uint32_t draw_marks_put(const draw_marks *marks, float scale, draw_line_end *out, uint32_t room)
{
    sheet s = {.out = out, .room = room, .scale = scale};
    if (marks->show & DRAW_PAIRS) put_pairs(marks, &s);
    if (marks->show & DRAW_CONTACTS) put_contacts(marks, &s);
    if (marks->show & DRAW_NORMALS) put_forces(marks, &s);
    return s.count;
}
