/* A cage of whole cells stands off its surface by up to a cell, and what lies on the cage hovers over what lies on the floor. So its outer
 * vertices are drawn to the nearest point of the surface, one after another, each the whole way, half of it, a quarter or an eighth:
 * as far as surface vertices stay inside and angles stay within bounds. */
#include "mesh/cage.h"
#include "mesh/tet.h"
#include "mesh/tree.h"

#define PASSES 3
#define TRIES 4

typedef struct fitting {
    pliant__fit   *f;
    pliant__tree   tree;
    pliant__point *goal;  /* per vertex: the nearest point of the surface to where it was */
    uint32_t      *first; /* per vertex: where its tetrahedra begin in `around`; one more at the end */
    uint32_t      *around;
    uint32_t      *first_held; /* per tetrahedron: a vertex of the surface that it holds, + 1; 0: none */
    uint32_t      *next_held;  /* per vertex of the surface: another one of the same tetrahedron, + 1 */
} fitting;

/* ---- tetrahedra at a vertex, and surface vertices in a tetrahedron ---- */

static void corners(const fitting *w, uint32_t tet, pliant__point x[4])
{
    for (int k = 0; k < 4; k++) x[k] = w->f->x[w->f->tets[4 * (size_t)tet + (size_t)k]];
}

/* The least of the four weights of a point. */
static double least_weight(const pliant__point x[4], pliant__point p)
{
    const double volume = p_volume6(x);
    double       least = HUGE_VAL;
    for (int k = 0; k < 4; k++) {
        pliant__point y[4] = {x[0], x[1], x[2], x[3]};
        y[k] = p;
        least = p_min(least, p_volume6(y) / volume);
    }
    return least;
}

static bool list_around(pliant__scratch *s, fitting *w)
{
    const pliant__fit *f = w->f;
    w->first = pliant__scratch_take(s, (size_t)f->vertex_count + 2, sizeof *w->first, "the cage");
    w->around = pliant__scratch_take(s, 4 * f->tet_count, sizeof *w->around, "the cage");
    if (!w->first || !w->around) return false;
    for (size_t i = 0; i < 4 * f->tet_count; i++) w->first[f->tets[i] + 2]++;
    for (uint32_t v = 0; v < f->vertex_count; v++) w->first[v + 2] += w->first[v + 1];
    for (size_t i = 0; i < 4 * f->tet_count; i++) w->around[w->first[f->tets[i] + 1]++] = (uint32_t)(i / 4);
    return true;
}

static bool list_held(pliant__scratch *s, fitting *w)
{
    const pliant__fit *f = w->f;
    w->first_held = pliant__scratch_take(s, f->tet_count, sizeof *w->first_held, "the cage");
    w->next_held = pliant__scratch_take(s, f->surface->vertex_count, sizeof *w->next_held, "the cage");
    if (!w->first_held || !w->next_held) return false;
    for (uint32_t v = f->surface->vertex_count; v--;) {
        if (f->holder[v] == UINT32_MAX) continue;
        w->next_held[v] = w->first_held[f->holder[v]];
        w->first_held[f->holder[v]] = v + 1;
    }
    return true;
}

/* ---- one vertex ---- */

static bool is_good(const fitting *w, uint32_t tet)
{
    pliant__point x[4];
    double        least = 1, greatest = -1;
    corners(w, tet, x);
    if (!(p_volume6(x) > 0)) return false;
    pliant__take_cosines(x, &least, &greatest);
    return greatest <= PLIANT__FIT_LEAST && least >= PLIANT__FIT_GREATEST;
}

static bool holds(const fitting *w, uint32_t tet, uint32_t held)
{
    pliant__point x[4];
    corners(w, tet, x);
    return least_weight(x, w->f->surface->x[held]) >= w->f->slack;
}

/* The tetrahedron around a vertex that holds a vertex of the surface, or none. */
static uint32_t find_holder(const fitting *w, uint32_t vertex, uint32_t held)
{
    for (uint32_t i = w->first[vertex]; i < w->first[vertex + 1]; i++)
        if (holds(w, w->around[i], held)) return w->around[i];
    return UINT32_MAX;
}

/* Whether the tetrahedra around a vertex keep their bounds where it is now. */
static bool is_well(const fitting *w, uint32_t vertex)
{
    for (uint32_t i = w->first[vertex]; i < w->first[vertex + 1]; i++)
        if (!is_good(w, w->around[i])) return false;
    for (uint32_t i = w->first[vertex]; i < w->first[vertex + 1]; i++)
        for (uint32_t held = w->first_held[w->around[i]]; held; held = w->next_held[held - 1])
            if (!holds(w, w->around[i], held - 1) && find_holder(w, vertex, held - 1) == UINT32_MAX) return false;
    return true;
}

/* Gives surface vertices that left their tetrahedron around a vertex to the tetrahedron that they are in. */
static void hand_over(fitting *w, uint32_t vertex)
{
    for (uint32_t i = w->first[vertex]; i < w->first[vertex + 1]; i++) {
        const uint32_t tet = w->around[i];
        uint32_t      *link = &w->first_held[tet];
        while (*link) {
            const uint32_t held = *link - 1;
            if (holds(w, tet, held)) {
                link = &w->next_held[held];
                continue;
            }
            const uint32_t other = find_holder(w, vertex, held);
            *link = w->next_held[held];
            w->next_held[held] = w->first_held[other];
            w->first_held[other] = held + 1;
        }
    }
}

static bool pull(fitting *w, uint32_t vertex)
{
    pliant__point      *x = &w->f->x[vertex];
    const pliant__point from = *x, way = p_sub(w->goal[vertex], from);
    double              share = 1;
    for (int i = 0; i < TRIES; i++, share *= 0.5) {
        *x = p_add(from, p_scale(way, share));
        if (!is_well(w, vertex)) continue;
        hand_over(w, vertex);
        return share * share * p_dot(way, way) > 1e-6;
    }
    *x = from;
    return false;
}

bool pliant__fit_cage(pliant__scratch *s, pliant__fit *fit)
{
    const int mark = s->count;
    fitting   w = {.f = fit};
    if (!pliant__tree_build(s, fit->surface, NULL, NULL, false, &w.tree) || !list_around(s, &w) || !list_held(s, &w)) return false;
    w.goal = pliant__scratch_take(s, fit->vertex_count, sizeof *w.goal, "the cage");
    if (!w.goal) return false;
    for (uint32_t v = 0; v < fit->vertex_count; v++)
        if (fit->outer[v]) w.goal[v] = pliant__nearest(&w.tree, fit->x[v]);
    uint32_t moved = 1;
    for (int pass = 0; pass < PASSES && moved; pass++) {
        moved = 0;
        for (uint32_t v = 0; v < fit->vertex_count; v++)
            if (fit->outer[v]) moved += pull(&w, v);
    }
    pliant__scratch_drop(s, mark);
    return true;
}
