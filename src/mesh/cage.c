/* A cage: tetrahedra of a body-centred lattice around a surface, as many as touch it or lie inside.
 *
 *   1. patches of the surface are turned one way, so that a few turned faces do no harm
 *   2. tetrahedra that the surface comes near are taken: all of the surface is then in one of them, whatever is wrong with it
 *   3. so are tetrahedra with a middle around which the surface winds more than half: a hole is closed by the surface of one half
 *   4. where tetrahedra meet in a vertex or an edge only, each side gets a vertex of its own: nothing hangs by less than a face
 *   5. outer vertices are drawn towards the surface (fit.c)
 *
 * All of it serial, in the order of the lattice, in double. */
#include "mesh/cage.h"

#include "base/float_env.h"
#include "mesh/lattice.h"
#include "mesh/tet.h"
#include "mesh/touch.h"
#include "mesh/tree.h"

#define ALL 0xfffu         /* tetrahedra of a cube */
#define LATTICE_BYTES 10.0 /* per cube */
#define TET_BYTES 112.0    /* per tetrahedron, at most */
#define SPARE (1.0 / 64)   /* of a cube: how far around the surface tetrahedra are taken at least, so that rounding leaves none of it out */
#define SLACK (1.0 / 256)  /* of a tetrahedron: what fitting leaves around each vertex of the surface */
#define DEFAULT_MEMORY ((uint64_t)4 << 30)

pliant_cage_def pliant_cage_def_default(void)
{
    pliant_cage_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.cells = 16;
    def.fit = true;
    def.memory = DEFAULT_MEMORY;
    return def;
}

typedef struct cage {
    pliant__scratch        s;
    const pliant_cage_def *def;
    pliant_error          *error;
    pliant__triangles      t;
    pliant__patches        patches;
    double                 origin[3], cell; /* m */
    uint32_t               n[3];            /* cubes along each axis, one more all around than the surface reaches */
    size_t                 cube_count;
    uint16_t              *taken;  /* per cube: a bit per tetrahedron that begins there */
    uint32_t              *before; /* per cube: tetrahedra that begin at cubes before it */
    size_t                 tet_count;
    double                 margin;   /* in cubes */
    uint32_t              *vertices; /* 4 per tetrahedron */
    pliant__lattice_point *points;   /* per vertex */
    uint32_t               vertex_count;
    bool                  *outer;  /* per vertex: on a face of one tetrahedron only */
    uint32_t              *holder; /* per vertex of the surface: the tetrahedron that it is in */
} cage;

/* ---- the lattice ---- */

static size_t cube_index(const cage *c, const int32_t at[3]) { return ((size_t)at[2] * c->n[1] + (size_t)at[1]) * c->n[0] + (size_t)at[0]; }

static bool in_lattice(const cage *c, const int32_t at[3])
{
    for (int k = 0; k < 3; k++)
        if (at[k] < 0 || (uint32_t)at[k] >= c->n[k]) return false;
    return true;
}

/* The two cubes that a tetrahedron lies in. */
static bool tet_in_lattice(const cage *c, const pliant__lattice_tet *t)
{
    return in_lattice(c, t->at) && (uint32_t)t->at[t->axis] + 1 < c->n[t->axis];
}

static uint16_t bit_of(const pliant__lattice_tet *t) { return (uint16_t)(1u << (4 * t->axis + t->edge)); }

static bool is_taken(const cage *c, const pliant__lattice_tet *t)
{
    return in_lattice(c, t->at) && (c->taken[cube_index(c, t->at)] & bit_of(t));
}

static void corners_of(const pliant__lattice_tet *t, pliant__point x[4])
{
    for (int i = 0; i < 4; i++) x[i] = pliant__lattice_at(pliant__lattice_corner(t, i));
}

static uint32_t ones(uint32_t bits)
{
    uint32_t n = 0;
    for (; bits; bits &= bits - 1) n++;
    return n;
}

static uint32_t number_of(const cage *c, const pliant__lattice_tet *t)
{
    const size_t cube = cube_index(c, t->at);
    return c->before[cube] + ones(c->taken[cube] & (bit_of(t) - 1u));
}

static pliant__lattice_tet tet_at(const cage *c, size_t cube, uint32_t bit)
{
    const pliant__lattice_tet t = {{(int32_t)(cube % c->n[0]), (int32_t)(cube / c->n[0] % c->n[1]), (int32_t)(cube / c->n[0] / c->n[1])},
                                   (int)(bit / 4),
                                   (int)(bit % 4)};
    return t;
}

/* Calls `visit` for every tetrahedron that was taken, in order. */
static void each_taken(const cage *c, void (*visit)(void *context, const pliant__lattice_tet *t, uint32_t number), void *context)
{
    uint32_t number = 0;
    for (size_t cube = 0; cube < c->cube_count; cube++)
        for (uint32_t bits = c->taken[cube], bit = 0; bits; bits >>= 1, bit++) {
            if (!(bits & 1)) continue;
            const pliant__lattice_tet t = tet_at(c, cube, bit);
            visit(context, &t, number++);
        }
}

/* A memory that is asked for, in words. */
static bool check_memory(const cage *c, double bytes, const char *what)
{
    if (bytes <= (double)c->def->memory) return true;
    return pliant__fail(c->error, PLIANT_ERROR_ARGUMENT,
                        "a cage of %u x %u x %u cells needs %.3g bytes for %s, and may take %.3g; take fewer cells", c->n[0] - 2,
                        c->n[1] - 2, c->n[2] - 2, bytes, what, (double)c->def->memory);
}

/* So wide that the surface, its margin and the spare fit in, and one cube more on each side. */
static bool lay_lattice(cage *c, pliant_cage_info *info)
{
    pliant__box around = pliant__box_empty();
    double      longest = 0, largest = 0, cubes = 1;
    for (uint32_t i = 0; i < c->t.vertex_count; i++)
        if (c->t.used[i]) pliant__box_take(&around, c->t.x[i]);
    for (int k = 0; k < 3; k++) {
        longest = p_max(longest, around.high[k] - around.low[k]);
        largest = p_max(largest, p_max(-around.low[k], around.high[k]));
    }
    if (!(longest > 0)) return pliant__fail(c->error, PLIANT_ERROR_INPUT, "all of the surface is in one point");
    const double margin = (double)c->def->margin;
    c->cell = c->def->cell > 0 ? (double)c->def->cell : (longest + 2 * margin) / ((double)c->def->cells - 2 * SPARE);
    c->margin = margin / c->cell + SPARE;
    if (!(c->cell > (sizeof(pliant_real) == 4 ? 1e-5 : 1e-13) * largest))
        return pliant__fail(c->error, PLIANT_ERROR_ARGUMENT,
                            "cells of %.3g m are too small for numbers as large as %.3g m; take fewer, or move the surface to the origin",
                            c->cell, largest);
    for (int k = 0; k < 3; k++) {
        const double want = (around.high[k] - around.low[k]) / c->cell + 2 * c->margin;
        const double count = want < 1e9 ? (double)(uint32_t)want + ((double)(uint32_t)want < want - 1e-9) : 1e9;
        c->n[k] = (uint32_t)count + 2;
        c->origin[k] = 0.5 * (around.low[k] + around.high[k]) - 0.5 * c->cell * (count + 2);
        cubes *= count + 2;
    }
    if (!check_memory(c, cubes * LATTICE_BYTES, "its lattice") ||
        (cubes * PLIANT__LATTICE_TETS > 4e9 &&
         !pliant__fail(c->error, PLIANT_ERROR_ARGUMENT, "a lattice of %.3g cells is too large; take fewer", cubes)))
        return false;
    c->cube_count = (size_t)c->n[0] * c->n[1] * c->n[2];
    c->taken = pliant__scratch_take(&c->s, c->cube_count, sizeof *c->taken, "the lattice");
    c->before = pliant__scratch_take(&c->s, c->cube_count, sizeof *c->before, "the lattice");
    info->cell = c->cell;
    for (int k = 0; k < 3; k++) info->cells[k] = c->n[k] - 2;
    return c->taken && c->before;
}

/* The surface is put into the lattice's frame, in cubes. */
static void enter_lattice(cage *c)
{
    for (uint32_t i = 0; i < c->t.vertex_count; i++)
        for (int k = 0; k < 3; k++) c->t.x[i].c[k] = (c->t.x[i].c[k] - c->origin[k]) / c->cell;
}

/* ---- tetrahedra that the surface touches ---- */

static int32_t floor_cell(double a) { return (int32_t)(a + 8) - 8; } /* downwards, above -8 */

static void touch_square(cage *c, const pliant__point x[3], const pliant__box *box, pliant__lattice_tet t)
{
    for (t.edge = 0; t.edge < 4; t.edge++) {
        pliant__point tet[4];
        pliant__box   own = pliant__box_empty();
        if (is_taken(c, &t)) continue;
        corners_of(&t, tet);
        for (int i = 0; i < 4; i++) pliant__box_take(&own, tet[i]);
        if (pliant__boxes_meet(&own, box) && pliant__touch(x, tet, c->margin)) c->taken[cube_index(c, t.at)] |= bit_of(&t);
    }
}

/* Whether the plane of a triangle is farther than `reach` from a point. */
static bool is_off(pliant__point normal, pliant__point on, pliant__point p, double reach)
{
    const double off = p_dot(normal, p_sub(p, on));
    return off * off > reach * reach * p_dot(normal, normal);
}

static void touch_triangle(cage *c, uint32_t i)
{
    const pliant__point x[3] = {pliant__corner(&c->t, i, 0), pliant__corner(&c->t, i, 1), pliant__corner(&c->t, i, 2)};
    const pliant__point u = p_sub(x[1], x[0]), v = p_sub(x[2], x[0]);
    pliant__point       normal = p_cross(u, v);
    if (!(p_dot(normal, normal) > 1e-16 * p_dot(u, u) * p_dot(v, v))) normal = p_of(0, 0, 0); /* a needle has no plane */
    pliant__box box = pliant__box_empty();
    for (int k = 0; k < 3; k++) pliant__box_take(&box, x[k]);
    for (int k = 0; k < 3; k++) box.low[k] -= c->margin, box.high[k] += c->margin;
    for (int axis = 0; axis < 3; axis++) {
        int32_t low[3], high[3];
        for (int k = 0; k < 3; k++) {
            low[k] = floor_cell(box.low[k] - (k == axis ? 1.5 : 1));
            high[k] = floor_cell(box.high[k] - (k == axis ? 0.5 : 0));
        }
        pliant__lattice_tet t = {.axis = axis};
        for (t.at[2] = low[2]; t.at[2] <= high[2]; t.at[2]++)
            for (t.at[1] = low[1]; t.at[1] <= high[1]; t.at[1]++)
                for (t.at[0] = low[0]; t.at[0] <= high[0]; t.at[0]++) {
                    pliant__point middle = p_of(t.at[0] + 0.5, t.at[1] + 0.5, t.at[2] + 0.5);
                    middle.c[axis] += 0.5;
                    if (tet_in_lattice(c, &t) && !is_off(normal, x[0], middle, 0.75 + c->margin)) touch_square(c, x, &box, t);
                }
    }
}

/* ---- tetrahedra inside the surface ---- */

typedef struct inside {
    pliant__tree tree;
    bool         balanced; /* every edge has as many sides one way as the other: between two pieces of surface the number does not change */
    uint16_t    *known;    /* per cube: a bit per tetrahedron of which it is decided, */
    uint16_t    *inside;   /* and whether it is inside */
} inside;

static bool is_inside(const inside *in, pliant__point p)
{
    const double w = pliant__winding(&in->tree, p);
    return w > 0.5 || w < -0.5;
}

/* Edges that the surface ends at, or on both sides of which it is turned differently. */
static bool count_open(cage *c, pliant_cage_info *info, bool *balanced)
{
    const int    mark = c->s.count;
    size_t       count = 0;
    pliant__key *sides = pliant__find_mesh_sides(&c->s, &c->t, NULL, &count);
    if (!sides) return false;
    *balanced = true;
    for (size_t i = 0, end; i < count; i = end) {
        int sum = 0;
        end = pliant__run_end(sides, i, count);
        for (size_t j = i; j < end; j++) sum += pliant__runs_up(&c->t, sides[j].value) == c->patches.turned[sides[j].value / 3] ? -1 : 1;
        info->open_edges += end - i == 1;
        if (sum) *balanced = false;
    }
    pliant__scratch_drop(&c->s, mark);
    return true;
}

/* Cubes with tetrahedra that the surface does not touch: they lie on one side of it. Where the winding number changes only at the surface, such a
 * cube is like the one before it; else the winding number is computed for each. */
static void decide_cubes(const cage *c, inside *in)
{
    size_t cube = 0;
    for (int32_t k = 0; (uint32_t)k < c->n[2]; k++)
        for (int32_t j = 0; (uint32_t)j < c->n[1]; j++) {
            bool last = false, copied = false;
            for (int32_t i = 0; (uint32_t)i < c->n[0]; i++, cube++) {
                const bool rim = !i || !j || !k || (uint32_t)i + 1 == c->n[0] || (uint32_t)j + 1 == c->n[1] || (uint32_t)k + 1 == c->n[2];
                if (c->taken[cube] && !rim) continue;
                copied = !rim && in->known[cube - 1] == ALL && (in->balanced || !copied);
                if (!copied) last = !rim && is_inside(in, p_of(i + 0.75, j + 0.75, k + 0.75));
                in->known[cube] = ALL;
                in->inside[cube] = last ? ALL : 0;
            }
        }
}

/* Whether a neighbour has been decided that no surface parts from this tetrahedron; beyond the lattice is outside. */
static bool ask_neighbours(const cage *c, const inside *in, const pliant__lattice_tet *t, bool *found)
{
    for (int face = 0; face < 4; face++) {
        const pliant__lattice_tet other = pliant__lattice_neighbour(t, face);
        *found = false;
        if (!in_lattice(c, other.at)) return true;
        const size_t   cube = cube_index(c, other.at);
        const uint16_t bit = bit_of(&other);
        *found = in->inside[cube] & bit;
        if ((in->known[cube] & bit) && !(c->taken[cube] & bit)) return true;
    }
    return false;
}

static pliant__point middle_of(const pliant__lattice_tet *t)
{
    pliant__point x[4];
    corners_of(t, x);
    return p_scale(p_add(p_add(x[0], x[1]), p_add(x[2], x[3])), 0.25);
}

typedef struct open_tet {
    pliant__lattice_tet at;
    bool                decided, inside;
} open_tet;

/* The undecided tetrahedra lie at cubes that the surface touches; each is like its nearest decided neighbour, found in rounds of growing distance.
 * For a tetrahedron without such a neighbour the winding number is computed. */
static void decide_rest(const cage *c, inside *in, open_tet *list, size_t count)
{
    while (count) {
        size_t left = 0, decided = 0;
        for (size_t i = 0; i < count; i++) decided += list[i].decided = ask_neighbours(c, in, &list[i].at, &list[i].inside);
        if (!decided) {
            list[0].decided = true;
            list[0].inside = is_inside(in, middle_of(&list[0].at));
        }
        for (size_t i = 0; i < count; i++) {
            const size_t cube = cube_index(c, list[i].at.at);
            if (list[i].decided) {
                in->known[cube] |= bit_of(&list[i].at);
                if (list[i].inside) in->inside[cube] |= bit_of(&list[i].at);
            } else {
                list[left++] = list[i];
            }
        }
        count = left;
    }
}

static bool list_rest(cage *c, const inside *in, open_tet **list, size_t *count)
{
    size_t n = 0;
    for (size_t cube = 0; cube < c->cube_count; cube++) n += ones(ALL & ~((uint32_t)in->known[cube] | c->taken[cube]));
    *list = pliant__scratch_take(&c->s, n, sizeof **list, "the lattice");
    if (!*list) return false;
    *count = 0;
    for (size_t cube = 0; cube < c->cube_count; cube++)
        for (uint32_t bit = 0; bit < PLIANT__LATTICE_TETS; bit++)
            if (!((in->known[cube] | c->taken[cube]) >> bit & 1)) (*list)[(*count)++].at = tet_at(c, cube, bit);
    return true;
}

static bool fill(cage *c, pliant_cage_info *info)
{
    const int mark = c->s.count;
    inside    in;
    open_tet *list;
    size_t    count;
    in.known = pliant__scratch_take(&c->s, c->cube_count, sizeof *in.known, "the lattice");
    in.inside = pliant__scratch_take(&c->s, c->cube_count, sizeof *in.inside, "the lattice");
    if (!in.known || !in.inside || !count_open(c, info, &in.balanced) ||
        !pliant__tree_build(&c->s, &c->t, NULL, c->patches.turned, true, &in.tree))
        return false;
    decide_cubes(c, &in);
    if (!list_rest(c, &in, &list, &count)) return false;
    decide_rest(c, &in, list, count);
    for (size_t cube = 0; cube < c->cube_count; cube++) {
        in.inside[cube] &= (uint16_t)~c->taken[cube];
        info->inside += ones(in.inside[cube]);
        c->taken[cube] |= in.inside[cube];
    }
    pliant__scratch_drop(&c->s, mark);
    return true;
}

/* ---- parts ---- */

static bool count_tets(cage *c)
{
    uint64_t count = 0;
    for (size_t cube = 0; cube < c->cube_count; cube++) {
        c->before[cube] = (uint32_t)count;
        count += ones(c->taken[cube]);
    }
    c->tet_count = (size_t)count;
    if (count > INT32_MAX / 6)
        return pliant__fail(c->error, PLIANT_ERROR_ARGUMENT, "a cage of %.3g tetrahedra is too large; take fewer cells", (double)count);
    return check_memory(c, (double)c->cube_count * LATTICE_BYTES + (double)count * TET_BYTES, "its tetrahedra");
}

static double least_weight(const pliant__point x[4], pliant__point p)
{
    const double volume = p_volume6(x);
    double       least = 1;
    for (int k = 0; k < 4; k++) {
        pliant__point y[4] = {x[0], x[1], x[2], x[3]};
        y[k] = p;
        least = p_min(least, p_volume6(y) / volume);
    }
    return least;
}

/* The tetrahedron that a vertex of the surface is deepest in: one around the squares of its cube. */
static uint32_t find_holder(const cage *c, pliant__point p)
{
    double              best = -HUGE_VAL;
    uint32_t            holder = UINT32_MAX;
    pliant__lattice_tet t;
    for (t.axis = 0; t.axis < 3; t.axis++)
        for (int32_t side = -1; side < 1; side++)
            for (t.edge = 0; t.edge < 4; t.edge++) {
                pliant__point x[4];
                for (int k = 0; k < 3; k++) t.at[k] = floor_cell(p.c[k]) + (k == t.axis ? side : 0);
                if (!is_taken(c, &t)) continue;
                corners_of(&t, x);
                const double weight = least_weight(x, p);
                if (weight > best) best = weight, holder = number_of(c, &t);
            }
    return holder;
}

typedef struct parting {
    cage     *c;
    uint32_t *part; /* per tetrahedron: those that share faces are one tree */
    bool     *kept; /* per root */
} parting;

static void join_parts(void *context, const pliant__lattice_tet *t, uint32_t number)
{
    parting *p = context;
    for (int face = 0; face < 4; face++) {
        const pliant__lattice_tet other = pliant__lattice_neighbour(t, face);
        if (is_taken(p->c, &other)) pliant__join(p->part, number, number_of(p->c, &other));
    }
}

static void drop_stray(void *context, const pliant__lattice_tet *t, uint32_t number)
{
    parting *p = context;
    if (!p->kept[pliant__root(p->part, number)]) p->c->taken[cube_index(p->c, t->at)] &= (uint16_t)~bit_of(t);
}

/* Parts of the cage without a vertex of the surface were only near it: they are left out. */
static bool find_parts(cage *c, pliant_cage_info *info)
{
    if (!count_tets(c)) return false;
    const int mark = c->s.count;
    parting   p = {.c = c};
    p.part = pliant__scratch_take(&c->s, c->tet_count, sizeof *p.part, "the cage");
    p.kept = pliant__scratch_take(&c->s, c->tet_count, sizeof *p.kept, "the cage");
    if (!p.part || !p.kept) return false;
    for (uint32_t i = 0; i < c->tet_count; i++) p.part[i] = i;
    each_taken(c, join_parts, &p);
    for (uint32_t i = 0; i < c->t.vertex_count; i++) {
        const uint32_t holder = c->t.used[i] ? find_holder(c, c->t.x[i]) : UINT32_MAX;
        if (holder != UINT32_MAX) p.kept[pliant__root(p.part, holder)] = true;
    }
    for (uint32_t i = 0; i < c->tet_count; i++) info->parts += p.kept[i];
    each_taken(c, drop_stray, &p);
    pliant__scratch_drop(&c->s, mark);
    return count_tets(c);
}

/* ---- vertices ---- */

typedef struct joining {
    cage     *c;
    uint32_t *corner; /* per corner of a tetrahedron: those that are one vertex are one tree */
    uint32_t *number; /* per corner that is a root: the vertex */
} joining;

static bool same_point(pliant__lattice_point a, pliant__lattice_point b) { return memcmp(&a, &b, sizeof a) == 0; }

static void join_neighbours(void *context, const pliant__lattice_tet *t, uint32_t number)
{
    joining *j = context;
    for (int face = 0; face < 4; face++) {
        const pliant__lattice_tet other = pliant__lattice_neighbour(t, face);
        if (!is_taken(j->c, &other)) continue;
        const uint32_t neighbour = number_of(j->c, &other);
        if (neighbour > number) continue;
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < 4 && a != face; b++)
                if (same_point(pliant__lattice_corner(t, a), pliant__lattice_corner(&other, b)))
                    pliant__join(j->corner, 4 * number + (uint32_t)a, 4 * neighbour + (uint32_t)b);
    }
}

static void number_corners(void *context, const pliant__lattice_tet *t, uint32_t number)
{
    joining *j = context;
    for (uint32_t a = 0; a < 4; a++) {
        const uint32_t corner = 4 * number + a, root = pliant__root(j->corner, corner);
        if (root == corner) {
            j->number[corner] = j->c->vertex_count;
            j->c->points[j->c->vertex_count++] = pliant__lattice_corner(t, (int)a);
        }
        j->c->vertices[corner] = j->number[root];
    }
}

static void mark_outer(void *context, const pliant__lattice_tet *t, uint32_t number)
{
    cage *c = context;
    for (uint32_t face = 0; face < 4; face++) {
        const pliant__lattice_tet other = pliant__lattice_neighbour(t, (int)face);
        for (uint32_t a = 0; a < 4 && !is_taken(c, &other); a++)
            if (a != face) c->outer[c->vertices[4 * number + a]] = true;
    }
}

/* Corners are one vertex if faces that tetrahedra share lead from one to the other, around the point of the lattice. */
static bool number_vertices(cage *c)
{
    joining j = {.c = c};
    c->vertices = pliant__scratch_take(&c->s, 4 * c->tet_count, sizeof *c->vertices, "the cage");
    c->points = pliant__scratch_take(&c->s, 4 * c->tet_count, sizeof *c->points, "the cage");
    j.corner = pliant__scratch_take(&c->s, 4 * c->tet_count, sizeof *j.corner, "the cage");
    j.number = pliant__scratch_take(&c->s, 4 * c->tet_count, sizeof *j.number, "the cage");
    if (!c->vertices || !c->points || !j.corner || !j.number) return false;
    for (uint32_t i = 0; i < 4 * c->tet_count; i++) j.corner[i] = i;
    each_taken(c, join_neighbours, &j);
    each_taken(c, number_corners, &j);
    return true;
}

/* ---- fitting ---- */

static bool prepare_fit(cage *c)
{
    c->outer = pliant__scratch_take(&c->s, c->vertex_count, sizeof *c->outer, "the cage");
    c->holder = pliant__scratch_take(&c->s, c->t.vertex_count, sizeof *c->holder, "the cage");
    if (!c->outer || !c->holder) return false;
    each_taken(c, mark_outer, c);
    for (uint32_t i = 0; i < c->t.vertex_count; i++) c->holder[i] = c->t.used[i] ? find_holder(c, c->t.x[i]) : UINT32_MAX;
    return true;
}

/* ---- the result ---- */

/* A point as it is after rounding to pliant_real. */
static bool measure(const pliant_tets *tets, pliant_cage_info *info, pliant_error *error)
{
    double least = 1, greatest = -1;
    for (size_t i = 0; i < tets->tetrahedron_count; i++) {
        pliant__point x[4];
        for (int k = 0; k < 4; k++) {
            const pliant_real *v = tets->positions + 3 * (size_t)tets->tetrahedra[4 * i + (size_t)k];
            x[k] = p_of((double)v[0], (double)v[1], (double)v[2]);
        }
        const double volume = p_volume6(x) / 6;
        if (!(volume > 0))
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "cells of %.3g m are lost in rounding; take fewer", info->cell);
        pliant__take_cosines(x, &least, &greatest);
        info->volume += volume;
    }
    info->least_angle = pliant__degrees(greatest);
    info->greatest_angle = pliant__degrees(least);
    return true;
}

static void measure_surface(const cage *c, pliant_cage_info *info)
{
    double sum = 0;
    for (uint32_t i = 0; i < c->patches.count; i++) sum += c->patches.volume[i];
    info->surface_volume = sum < 0 ? -sum : sum;
    info->turned = c->patches.turns;
}

static bool write_tets(cage *c, const pliant__point *x, pliant_tets *tets)
{
    tets->positions = pliant__alloc_array(NULL, 3 * (size_t)c->vertex_count, sizeof *tets->positions);
    tets->tetrahedra = pliant__alloc_array(NULL, 4 * c->tet_count, sizeof *tets->tetrahedra);
    tets->vertex_count = c->vertex_count;
    tets->tetrahedron_count = c->tet_count;
    if (!tets->positions || !tets->tetrahedra)
        return pliant__fail_memory(c->error, 4 * c->tet_count * sizeof *tets->tetrahedra, "the cage");
    for (size_t i = 0; i < c->vertex_count; i++)
        for (int k = 0; k < 3; k++) tets->positions[3 * i + (size_t)k] = (pliant_real)(c->origin[k] + c->cell * x[i].c[k]);
    memcpy(tets->tetrahedra, c->vertices, 4 * c->tet_count * sizeof *tets->tetrahedra);
    return true;
}

static bool place_vertices(cage *c, pliant_tets *tets)
{
    pliant__point *x = pliant__scratch_take(&c->s, c->vertex_count, sizeof *x, "the cage");
    if (!x) return false;
    for (uint32_t i = 0; i < c->vertex_count; i++) x[i] = pliant__lattice_at(c->points[i]);
    if (c->def->fit) {
        if (!prepare_fit(c)) return false;
        pliant__fit fit = {&c->t, x, c->vertex_count, c->vertices, c->tet_count, c->outer, c->holder, SLACK};
        if (!pliant__fit_cage(&c->s, &fit)) return false;
    }
    return write_tets(c, x, tets);
}

static bool make(cage *c, const pliant_mesh_view *surface, pliant_tets *tets, pliant_cage_info *info)
{
    if (!pliant__triangles_take(&c->s, surface, &c->t) || !pliant__find_patches(&c->s, &c->t, NULL, &c->patches)) return false;
    measure_surface(c, info);
    if (!lay_lattice(c, info)) return false;
    enter_lattice(c);
    for (uint32_t i = 0; i < c->t.count; i++) touch_triangle(c, i);
    return fill(c, info) && find_parts(c, info) && number_vertices(c) && place_vertices(c, tets) && measure(tets, info, c->error);
}

static bool check_def(const pliant_cage_def *def, pliant_error *error)
{
    if (def->size != sizeof *def) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a cage wants a def from pliant_cage_def_default");
    if (!(def->cell >= 0) || !(def->cell < 1e30) || !(def->margin >= 0) || !(def->margin < 1e30))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the size and the margin of a cage are lengths, 0 or more");
    if (!(def->cell > 0) && (def->cells < 1 || def->cells > 65536))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a cage has from 1 to 65536 cells along its longest side, not %u", def->cells);
    return true;
}

static bool make_cage(const pliant_mesh_view *surface, const pliant_cage_def *given, pliant_tets *tets, pliant_cage_info *info,
                      pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    pliant_cage_info      found = {0};
    const pliant_cage_def def = given ? *given : pliant_cage_def_default();
    if (!surface || !tets) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a cage needs a surface and a place to go");
    memset(tets, 0, sizeof *tets);
    cage c = {.s = {.error = error}, .def = &def, .error = error};
    bool ok = check_def(&def, error) && make(&c, surface, tets, &found);
    pliant__scratch_drop(&c.s, 0);
    if (!ok) pliant_tets_free(tets);
    if (info) *info = found;
    return ok;
}

pliant_code pliant_cage_make(const pliant_mesh_view *surface, const pliant_cage_def *given, pliant_tets *tets, pliant_cage_info *info,
                             pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(make_cage(surface, given, tets, info, &why), &why, error);
}
