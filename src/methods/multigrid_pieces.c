/* Pieces of the system of displacements: what rows link, and what moves freely as a rigid body, since its rows resist no rigid motion.
 *
 * The forces of such rows have no sum and no torque. So of H dx = b, forces and torques on a piece say by themselves how it moves as a whole: with
 * T the six rigid motions of its particles, T^T H T = T^T (own + taut) T, which knows masses, contacts, grabs and what taut rows resist of turns,
 * and T^T b the first three and no row. What conjugate gradients leave of that would be momentum from nowhere; a shift and a small turn of the whole
 * piece take it, exactly. H dx = b is then solved better, never worse: it is the last step of a descent, along six directions.
 *
 * A piece with a particle that does not move, or with a row that is bound to the frame, has none of this: its rows do resist rigid motions. Nor has
 * one on which a contact presses, or that is grabbed: its contacts are springs in H only for want of their forces, which are found when they are
 * projected, and to be exact about those springs made what collapses on a collider spring back with more than it had. */
#include "base/alloc.h"
#include "methods/multigrid.h"
#include "solver/solver.h"
#include "state/state.h"

#include <string.h>

/* ---- what hangs together ---- */

static uint32_t find(uint32_t *up, uint32_t i)
{
    for (; up[i] != i; i = up[i]) up[i] = up[up[i]];
    return i;
}

static void join(uint32_t *up, uint32_t a, uint32_t b)
{
    a = find(up, a);
    b = find(up, b);
    if (a < b)
        up[b] = a;
    else
        up[a] = b;
}

/* Links what rows link; of a row that resists rigid motions, what it links is bound. */
static void link_rows(const pliant_model *m, const pliant__mg *g, uint32_t *up, bool *bound)
{
    for (size_t i = 0; i < model_count(m, batches); i++) {
        const pliant__batch          *b = &m->batches[i];
        const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)b->kind);
        for (uint32_t row = 0; row < b->count; row++) {
            if (!pliant__has_row(m, b, row)) continue;
            const uint32_t *slot =
                g->slot + g->slot_first[i] + (size_t)(row / PLIANT__BLOCK) * PLIANT__BLOCK * info->slots + row % PLIANT__BLOCK;
            bool     binds = (info->flags & PLIANT_ROW_FRAME_BOUND) != 0;
            uint32_t first = PLIANT__NONE;
            for (uint32_t n = 0; n < info->slots; n++) binds = binds || !(m->free_w[slot[n * PLIANT__BLOCK]] > 0);
            for (uint32_t n = 0; n < info->slots; n++) {
                const uint32_t one = slot[n * PLIANT__BLOCK];
                if (!(m->free_w[one] > 0)) continue;
                bound[one] = bound[one] || binds;
                if (first == PLIANT__NONE)
                    first = one;
                else
                    join(up, first, one);
            }
        }
    }
}

/* The particles of pieces that are free, piece after piece. */
static void list_pieces(const pliant_model *m, pliant__mg *g, uint32_t *up, bool *bound, uint32_t *number)
{
    const uint32_t slots = m->header->slot_count;
    for (uint32_t i = 0; i < slots; i++)
        if (bound[i]) bound[find(up, i)] = true;
    for (uint32_t i = 0; i < slots; i++) {
        const uint32_t root = find(up, i); /* the lowest of its piece */
        number[i] = PLIANT__NONE;
        if (bound[root] || !(m->free_w[i] > 0)) continue;
        number[i] = root == i ? g->piece_count++ : number[root];
        g->piece[number[i]].count++;
    }
    for (uint32_t p = 0; p + 1 < g->piece_count; p++) g->piece[p + 1].first = g->piece[p].first + g->piece[p].count;
    for (uint32_t p = 0; p < g->piece_count; p++) g->piece[p].count = 0;
    for (uint32_t i = 0; i < slots; i++)
        if (number[i] != PLIANT__NONE) {
            pliant__mg_piece *p = &g->piece[number[i]];
            g->piece_slot[p->first + p->count++] = i;
        }
}

bool pliant__mg_create_pieces(pliant_solver *s, pliant__mg *g)
{
    const pliant_allocator *a = &s->allocator;
    const uint32_t          slots = s->model->header->slot_count;
    uint32_t               *up = pliant__alloc_array(a, slots, sizeof *up);
    bool                   *bound = pliant__alloc_array(a, slots, sizeof *bound);
    g->piece = pliant__alloc_array(a, slots, sizeof *g->piece);
    g->piece_slot = pliant__alloc_array(a, slots, sizeof *g->piece_slot);
    g->piece_of = pliant__alloc_array(a, slots, sizeof *g->piece_of);
    const bool made = up && bound && g->piece && g->piece_slot && g->piece_of;
    if (made) {
        for (uint32_t i = 0; i < slots; i++) up[i] = i;
        link_rows(s->model, g, up, bound);
        list_pieces(s->model, g, up, bound, g->piece_of);
    }
    pliant__free(a, up);
    pliant__free(a, bound);
    return made;
}

void pliant__mg_destroy_pieces(pliant_solver *s, pliant__mg *g)
{
    pliant__free(&s->allocator, g->piece);
    pliant__free(&s->allocator, g->piece_slot);
    pliant__free(&s->allocator, g->piece_of);
}

/* ---- how a piece moves as a whole ---- */

/* Runs through the particles of a piece. */
#define EACH_SLOT(g, p, i) for (uint32_t n_ = (p)->first, i = 0; n_ < (p)->first + (p)->count && (i = (g)->piece_slot[n_], true); n_++)

static void find_arm(const pliant__mg *g, const pliant__mg_piece *p, uint32_t i, double arm[3])
{
    for (uint32_t c = 0; c < 3; c++) arm[c] = (double)PLIANT__SLOT(g->old, i)[c] - p->middle[c];
}

/* What a particle's own resists of a change. */
static void push_back(const pliant__mg *g, uint32_t i, const double change[3], double force[3])
{
    double own[9];
    pliant__mg_own_matrix(g->own + 6 * (size_t)i, own);
    for (uint32_t c = 0; c < 3; c++) force[c] = own[3 * c] * change[0] + own[3 * c + 1] * change[1] + own[3 * c + 2] * change[2];
}

/* Where a shift and a turn move the end of an arm. */
static void move_rigidly(const double u[6], const double arm[3], double out[3])
{
    for (uint32_t c = 0; c < 3; c++) out[c] = u[c] + u[3 + (c + 1) % 3] * arm[(c + 2) % 3] - u[3 + (c + 2) % 3] * arm[(c + 1) % 3];
}

/* Whether a contact or a grab has a part in what a particle resists. */
static bool is_touched(const pliant_solver *s, const pliant__mg *g, uint32_t i)
{
    const double m = 1 / (double)PLIANT__SLOT(s->state->x, i)[3];
    return g->own[6 * (size_t)i] > m || g->own[6 * (size_t)i + 1] > m || g->own[6 * (size_t)i + 2] > m;
}

/* Whether all of it moves, and nothing touches it; its middle, by mass. */
static bool find_middle(const pliant_solver *s, const pliant__mg *g, pliant__mg_piece *p)
{
    double mass = 0;
    memset(p->middle, 0, sizeof p->middle);
    EACH_SLOT(g, p, i)
    {
        const double m = g->still[i] ? 0 : 1 / (double)PLIANT__SLOT(s->state->x, i)[3];
        if (g->still[i] || is_touched(s, g, i)) return false;
        mass += m;
        for (uint32_t c = 0; c < 3; c++) p->middle[c] += m * (double)PLIANT__SLOT(g->old, i)[c];
    }
    for (uint32_t c = 0; c < 3; c++) p->middle[c] /= mass;
    return true;
}

void pliant__mg_weigh_pieces(pliant_solver *s)
{
    pliant__mg *g = s->method_data;
    for (pliant__mg_piece *p = g->piece; p < g->piece + g->piece_count; p++) {
        memset(p->wrench, 0, sizeof p->wrench);
        memset(p->turning, 0, sizeof p->turning);
        p->moves = find_middle(s, g, p);
        if (!p->moves) continue;
        EACH_SLOT(g, p, i)
        {
            double       arm[3];
            const double r[3] = {(double)PLIANT__SLOT(g->r, i)[0], (double)PLIANT__SLOT(g->r, i)[1], (double)PLIANT__SLOT(g->r, i)[2]};
            find_arm(g, p, i, arm);
            pliant__mg_add_wrench(p->wrench, arm, r);
        }
    }
}

/* Torques of the taut rows of a batch: for a turn of the whole piece, and for dx. */
static void add_taut(const pliant_solver *s, uint32_t number)
{
    pliant__mg *g = s->method_data;
    for (uint32_t row = 0; row < s->model->batches[number].count; row++) {
        const pliant__mg_rows in = pliant__mg_rows_at(s, number, row / PLIANT__BLOCK);
        const uint32_t        lane = row % PLIANT__BLOCK, piece = g->piece_of[in.slot[lane]];
        pliant_real           across[2][PLIANT__MG_PAIR];
        if (piece == PLIANT__NONE || !g->piece[piece].moves) continue;
        const double k = pliant__mg_find_taut(s, &in, lane, across);
        for (uint32_t i = 0; i < 2 && k > 0; i++) {
            double change = 0, wrench[6] = {0};
            for (uint32_t n = 0; n < 2; n++) {
                const uint32_t     slot = in.slot[n * PLIANT__BLOCK + lane];
                const pliant_real *v = across[i] + (size_t)n * 3 * PLIANT__BLOCK;
                const double       f[3] = {(double)v[0], (double)v[PLIANT__BLOCK], (double)v[2 * PLIANT__BLOCK]};
                double             arm[3];
                find_arm(g, &g->piece[piece], slot, arm);
                pliant__mg_add_wrench(wrench, arm, f);
                for (uint32_t c = 0; c < 3; c++) change += f[c] * (double)PLIANT__SLOT(g->dx, slot)[c];
            }
            for (uint32_t r = 3; r < 6; r++) { /* the sum of its forces is 0 */
                g->piece[piece].wrench[r] -= k * change * wrench[r];
                for (uint32_t c = 3; c < 6; c++) g->piece[piece].turning[r * 6 + c] += k * wrench[r] * wrench[c];
            }
        }
    }
}

/* The rigid motion that dx lacks: a shift and a turn. */
static void find_missing(const pliant__mg *g, const pliant__mg_piece *p, double out[6])
{
    double own[36], inverse[36], left[6];
    memcpy(left, p->wrench, sizeof left);
    memcpy(own, p->turning, sizeof own);
    EACH_SLOT(g, p, i)
    {
        double       arm[3], force[3];
        const double back[3] = {-(double)PLIANT__SLOT(g->dx, i)[0], -(double)PLIANT__SLOT(g->dx, i)[1], -(double)PLIANT__SLOT(g->dx, i)[2]};
        find_arm(g, p, i, arm);
        push_back(g, i, back, force);
        pliant__mg_add_wrench(left, arm, force);
        for (uint32_t c = 0; c < 6; c++) { /* T^T own T, by its columns */
            double unit[6] = {0}, motion[3], column[6] = {0};
            unit[c] = 1;
            move_rigidly(unit, arm, motion);
            push_back(g, i, motion, force);
            pliant__mg_add_wrench(column, arm, force);
            for (uint32_t r = 0; r < 6; r++) own[r * 6 + c] += column[r];
        }
    }
    pliant__mg_invert(6, own, inverse);
    for (uint32_t r = 0; r < 6; r++) {
        out[r] = 0;
        for (uint32_t c = 0; c < 6; c++) out[r] += inverse[r * 6 + c] * left[c];
    }
}

void pliant__mg_move_pieces(pliant_solver *s)
{
    pliant__mg *g = s->method_data;
    for (uint32_t i = 0; g->piece_count && i < model_count(s->model, batches); i++) add_taut(s, i);
    for (const pliant__mg_piece *p = g->piece; p < g->piece + g->piece_count; p++) {
        double u[6];
        if (!p->moves) continue;
        find_missing(g, p, u);
        EACH_SLOT(g, p, i)
        {
            double arm[3], motion[3];
            find_arm(g, p, i, arm);
            move_rigidly(u, arm, motion);
            for (uint32_t c = 0; c < 3; c++) PLIANT__SLOT(g->dx, i)[c] += (pliant_real)motion[c];
        }
    }
}
