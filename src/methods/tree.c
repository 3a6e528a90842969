/* Linear systems on trees, in linear time, without cancellation.
 *
 * The system of a Newton step with multipliers has the graph of the constraints as its pattern, so on a tree elimination from the leaves to the
 * root makes no new entries (Baraff 1996, Linear-Time Dynamics using Lagrange Multipliers; for position-based rods Deul, Kugelstadt, Weiler,
 * Bender 2018, Direct Position-Based Solver for Stiff Rods). What is eliminated is described by what a node can do then: a force f at it makes
 * the step u + P f, P being its mobility (Featherstone 1983 has its inverse, the articulated inertia; P exists for pins and rigid links
 * too, where the inverse does not). A free particle has P = w, one that is held 0. A link between child c and parent p with rows L
 * (left), R (right), compliance A and residual F says L (d_c - d_p) + A y = -F with force R^T y on c, hence
 *
 *   T = A + L (P_c + P_p) R^T,   y = T^-1 (-F - L u_c + L u_p + L P_p f),   u_p -= P_p R^T T^-1 (-F - L u_c + L u_p),
 *   P_p <- (1 - K L) P_p (1 - R^T K') + K S K'   with K = P_p R^T T^-1, K' = T^-1 L P_p and S = A + L P_c R^T,
 *
 * the last one instead of P_p - K T K', which subtracts nearly equal numbers where a light particle holds a heavy chain (Joseph's form, known
 * from Kalman filters: Bucy, Joseph 1968). Back from the root, the forces on each node are known one after another. */
#include "methods/tree.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

/* ---- three by three ---- */

static void times_transposed(double A[3][3], double B[3][3], uint32_t rows, double out[3][3]) /* A B^T, `rows` rows of B */
{
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < rows; k++) out[i][k] = A[i][0] * B[k][0] + A[i][1] * B[k][1] + A[i][2] * B[k][2];
}

/* A pivot that is this small a share of what it was made of is rounding. */
#define DEPENDENT 1e-14

/* Inverse of the leading `n` rows and columns by Gauss and Jordan with the largest pivot of those that are left; 0 in the rows and columns of
 * pivots that are rounding. `magnitude`: the size of what each diagonal entry was added up of, by which rows and columns are made alike. */
static void invert(double T[3][3], const double *magnitude, uint32_t n, double out[3][3])
{
    double   a[3][6] = {{0}};
    uint32_t row_of[3] = {0, 1, 2}, column_of[3] = {0, 1, 2}, rank = 0;
    if (n == 1) {
        out[0][0] = fabs(T[0][0]) > DEPENDENT * magnitude[0] ? 1 / T[0][0] : 0;
        return;
    }
    double scale[3] = {0, 0, 0};
    for (uint32_t i = 0; i < n; i++) scale[i] = magnitude[i] > 0 ? 1 / sqrt(magnitude[i]) : 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < n; k++) a[i][k] = T[i][k] * (scale[i] * scale[k]);
        a[i][n + i] = 1;
    }
    for (; rank < n; rank++) {
        uint32_t r = rank, c = rank;
        for (uint32_t i = rank; i < n; i++)
            for (uint32_t k = rank; k < n; k++)
                if (fabs(a[row_of[i]][column_of[k]]) > fabs(a[row_of[r]][column_of[c]])) r = i, c = k;
        uint32_t swap = row_of[r], swapped = column_of[c];
        row_of[r] = row_of[rank], row_of[rank] = swap;
        column_of[c] = column_of[rank], column_of[rank] = swapped;
        double *pivot = a[swap], p = pivot[swapped];
        if (!(fabs(p) > DEPENDENT)) break;
        for (uint32_t k = 0; k < 2 * n; k++) pivot[k] /= p;
        for (uint32_t i = 0; i < n; i++) {
            double by = a[i][swapped];
            for (uint32_t k = 0; i != swap && k < 2 * n; k++) a[i][k] -= by * pivot[k];
        }
    }
    memset(out, 0, 9 * sizeof out[0][0]);
    for (uint32_t i = 0; i < rank; i++)
        for (uint32_t k = 0; k < rank; k++)
            out[column_of[i]][row_of[k]] = a[row_of[i]][n + row_of[k]] * (scale[column_of[i]] * scale[row_of[k]]);
}

/* ---- elimination ---- */

/* What a link leaves of its parent. */
static void eliminate(pliant__link *e, const pliant__node *child, pliant__node *parent)
{
    const uint32_t n = e->used;
    double PR[3][3], CR[3][3] = {{0}}, S[3][3], T[3][3], inverse[3][3], magnitude[3], b[3], K[3][3], LP[3][3], part[3][3], next[3][3];
    times_transposed(parent->mobility, e->right, n, PR);
    if (child) times_transposed((double(*)[3])child->mobility, e->right, n, CR);
    for (uint32_t i = 0; i < n; i++) {
        const double *L = e->left[i];
        for (uint32_t k = 0; k < n; k++) {
            S[i][k] = L[0] * CR[0][k] + L[1] * CR[1][k] + L[2] * CR[2][k] + (i == k ? e->soft[i] : 0);
            T[i][k] = S[i][k] + L[0] * PR[0][k] + L[1] * PR[1][k] + L[2] * PR[2][k];
        }
        double left = L[0] * L[0] + L[1] * L[1] + L[2] * L[2];
        double right = e->right[i][0] * e->right[i][0] + e->right[i][1] * e->right[i][1] + e->right[i][2] * e->right[i][2];
        magnitude[i] = e->soft[i] + ((child ? child->w : 0) + parent->w) * sqrt(left * right);
        b[i] = -e->residual[i];
        for (uint32_t k = 0; k < 3; k++) b[i] += L[k] * (parent->u[k] - (child ? child->u[k] : 0));
        for (uint32_t k = 0; k < 3; k++)
            LP[i][k] = L[0] * parent->mobility[0][k] + L[1] * parent->mobility[1][k] + L[2] * parent->mobility[2][k];
    }
    invert(T, magnitude, n, inverse);
    for (uint32_t i = 0; i < n; i++) {
        e->answer[i] = 0;
        for (uint32_t k = 0; k < n; k++) e->answer[i] += inverse[i][k] * b[k];
        for (uint32_t k = 0; k < 3; k++) {
            K[k][i] = e->gain[i][k] = 0;
            for (uint32_t j = 0; j < n; j++) {
                K[k][i] += PR[k][j] * inverse[j][i];
                e->gain[i][k] += inverse[i][j] * LP[j][k];
            }
        }
    }
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < n; k++) parent->u[i] -= PR[i][k] * e->answer[k];
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 3; k++) {
            part[i][k] = parent->mobility[i][k];
            for (uint32_t j = 0; j < n; j++) part[i][k] -= K[i][j] * LP[j][k];
        }
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 3; k++) {
            next[i][k] = part[i][k];
            for (uint32_t j = 0; j < n; j++) {
                double through = part[i][0] * e->right[j][0] + part[i][1] * e->right[j][1] + part[i][2] * e->right[j][2];
                double kept = 0;
                for (uint32_t q = 0; q < n; q++) kept += K[i][q] * S[q][j];
                next[i][k] += (kept - through) * e->gain[j][k];
            }
        }
    memcpy(parent->mobility, next, sizeof next);
}

void pliant__tree_solve(const pliant__trees *trees, const pliant__tree *tree)
{
    pliant__node *nodes = trees->nodes;
    pliant__link *links = trees->links + tree->first_link;
    for (uint32_t i = tree->first_node; i < tree->first_node + tree->node_count; i++) {
        pliant__node *p = &nodes[i];
        memset(p->mobility, 0, sizeof p->mobility);
        for (int k = 0; k < 3; k++) {
            p->mobility[k][k] = p->w;
            p->u[k] = p->w * p->force[k];
            p->step[k] = 0; /* the force that comes from the links, until all of it has */
        }
    }
    for (uint32_t i = 0; i < tree->link_count; i++)
        eliminate(&links[i], links[i].child == PLIANT__NONE ? NULL : &nodes[links[i].child], &nodes[links[i].parent]);
    for (uint32_t i = tree->link_count; i-- > 0;) {
        pliant__link *e = &links[i];
        double       *at_parent = nodes[e->parent].step, *at_child = e->child == PLIANT__NONE ? NULL : nodes[e->child].step;
        for (uint32_t r = 0; r < e->used; r++) {
            const double *g = e->gain[r];
            e->change[r] = e->answer[r] + (g[0] * at_parent[0] + g[1] * at_parent[1] + g[2] * at_parent[2]);
        }
        for (uint32_t k = 0; k < 3; k++) {
            double pull = 0;
            for (uint32_t r = 0; r < e->used; r++) pull += e->right[r][k] * e->change[r];
            at_parent[k] -= pull;
            if (at_child) at_child[k] += pull;
        }
    }
    for (uint32_t i = tree->first_node; i < tree->first_node + tree->node_count; i++)
        for (int k = 0; k < 3; k++) {
            nodes[i].force[k] += nodes[i].step[k];
            nodes[i].step[k] = nodes[i].w * nodes[i].force[k];
        }
}

/* ---- the graph ---- */

static uint32_t find(uint32_t *above, uint32_t slot)
{
    while (above[slot] != slot) slot = above[slot] = above[above[slot]];
    return slot;
}

static bool refuse_cycle(const pliant_model *m, const char *method, const uint32_t slot[2], pliant_error *error)
{
    const pliant_particle  a = pliant__model_particle(m, slot[0]), b = pliant__model_particle(m, slot[1]);
    const pliant_body_info body = pliant_model_body(m, a.body);
    return pliant__fail(error, PLIANT_ERROR_INPUT,
                        "%s solves chains and trees by itself, and the constraint between vertices %u and %u of %s closes a cycle; take "
                        "\"linear\": \"sparse\", or gauss_seidel%s",
                        method, a.vertex, b.vertex, body.name ? body.name : "a body",
                        body.type == PLIANT_BODY_ROPE ? ", or \"bend\": \"none\" in the rope" : "");
}

static bool take_batch(const pliant_model *m, const pliant__batch *b, const char *method, uint32_t *above, pliant_error *error)
{
    if (!pliant__kind_has(b->kind, PLIANT_ROW_LINK))
        return pliant__fail(
            error, PLIANT_ERROR_INPUT,
            "%s solves trees of constraints that link two particles by itself, and this scene has a %s; take \"linear\": \"sparse\", "
            "or gauss_seidel",
            method, pliant_constraint_describe((pliant_constraint_kind)b->kind)->name);
    for (uint32_t row = 0; row < b->count; row++) {
        if (!pliant__has_row(m, b, row)) continue;
        uint32_t slot[2];
        pliant__row_slots(m, b, row, 2, slot);
        if (!(m->free_w[slot[0]] > 0) || !(m->free_w[slot[1]] > 0)) continue;
        uint32_t p = find(above, slot[0]), q = find(above, slot[1]);
        if (p == q) return refuse_cycle(m, method, slot, error);
        above[p > q ? p : q] = p > q ? q : p;
    }
    return true;
}

static bool take_laws(const pliant_model *m, const char *method, pliant_error *error)
{
    for (size_t i = 0; i < model_count(m, laws); i++) {
        const pliant__model_law *l = &m->laws[i];
        const char              *in = *l->material ? " in material " : "";
        if (!l->count) continue;
        if (l->damping > 0)
            return pliant__fail(error, PLIANT_ERROR_INPUT,
                                "%s knows no damping of constraints, and this scene has some%s%s; take gauss_seidel, or leave it out",
                                method, in, l->material);
        if (l->stiffness < 1)
            return pliant__fail(error, PLIANT_ERROR_INPUT,
                                "%s knows no stiffness, and this scene has some%s%s; take compliance instead, or gauss_seidel", method, in,
                                l->material);
    }
    return true;
}

bool pliant__equalities_take(const pliant_model *m, const char *method, pliant_error *error)
{
    if (model_count(m, users))
        return pliant__fail(error, PLIANT_ERROR_INPUT, "%s solves no users' constraints, and this scene has some; take gauss_seidel",
                            method);
    for (size_t i = 0; i < model_count(m, batches); i++) {
        const pliant__batch          *b = &m->batches[i];
        const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)b->kind);
        if (b->limit != PLIANT_EQUAL)
            return pliant__fail(error, PLIANT_ERROR_INPUT,
                                "%s solves equalities, and this scene has a %s%s; take gauss_seidel or multigrid, or leave it out%s",
                                method, info->name, info->limit == PLIANT_EQUAL ? " with a limit" : "",
                                strcmp(m->laws[pliant__row_law(m, b, 0)].role, "tether") == 0
                                    ? " (\"tether\": 0 of a body keeps quality from choosing one)"
                                    : "");
    }
    return take_laws(m, method, error);
}

bool pliant__trees_take(const pliant_model *m, const char *method, pliant_error *error)
{
    const size_t slots = m->header->slot_count;
    uint32_t    *above = pliant__alloc_array(&m->allocator, slots, sizeof *above);
    if (!above) return pliant__fail_memory(error, slots * sizeof *above, "a graph");
    for (uint32_t i = 0; i < slots; i++) above[i] = i;
    bool good = true;
    for (size_t i = 0; i < model_count(m, batches) && good; i++) good = take_batch(m, &m->batches[i], method, above, error);
    pliant__free(&m->allocator, above);
    return good;
}

/* What is needed while the graph is made: the rows at each slot, and where the walk has been. */
typedef struct maker {
    const pliant_model        *m;
    pliant__trees             *trees;
    const pliant__linear_rows *at;
    uint32_t                  *first; /* per slot + 1: where its ends begin */
    uint32_t                  *end;   /* packed rows */
    uint32_t                  *node;  /* per slot, or PLIANT__NONE */
    uint32_t                  *batch; /* per packed row */
    uint8_t                   *seen;  /* per packed row */
} maker;

static void free_maker(maker *k, const pliant_allocator *a)
{
    void *all[] = {k->first, k->end, k->node, k->batch, k->seen};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(a, all[i]);
}

static bool is_free(const maker *k, uint32_t slot) { return k->m->free_w[slot] > 0; }

static bool list_rows(maker *k, const pliant_allocator *a)
{
    const pliant_model *m = k->m;
    const uint32_t      slots = m->header->slot_count, rows = m->header->packed_rows;
    uint32_t            slot[2], links = 0, nodes = 0;
    k->first = pliant__alloc_array(a, (size_t)slots + 1, sizeof *k->first);
    k->node = pliant__alloc_array(a, slots, sizeof *k->node);
    k->batch = pliant__alloc_array(a, rows, sizeof *k->batch);
    k->seen = pliant__alloc_array(a, rows, sizeof *k->seen);
    if (!k->first || !k->node || !k->batch || !k->seen) return false;
    memset(k->node, 0xff, slots * sizeof *k->node);
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < (uint32_t)model_count(m, batches); i++)
            for (uint32_t row = 0; row < m->batches[i].count; row++) {
                if (!pliant__has_row(m, &m->batches[i], row)) continue;
                pliant__row_slots(m, &m->batches[i], row, 2, slot);
                k->batch[m->batches[i].first_row + row] = i;
                links += !pass && (is_free(k, slot[0]) || is_free(k, slot[1]));
                for (int s = 0; s < 2; s++)
                    if (is_free(k, slot[s])) {
                        if (!pass)
                            k->first[slot[s] + 1]++;
                        else
                            k->end[k->first[slot[s]]++] = m->batches[i].first_row + row;
                    }
            }
        if (!pass) {
            for (uint32_t i = 0; i < slots; i++) nodes += k->first[i + 1] > 0, k->first[i + 1] += k->first[i];
            k->end = pliant__alloc_array(a, k->first[slots], sizeof *k->end);
            if (!k->end) return false;
        }
    }
    for (uint32_t i = slots; i > 0; i--) k->first[i] = k->first[i - 1];
    k->first[0] = 0;
    k->trees->nodes = pliant__alloc_array(a, nodes, sizeof *k->trees->nodes);
    k->trees->links = pliant__alloc_array(a, links, sizeof *k->trees->links);
    k->trees->trees = pliant__alloc_array(a, nodes, sizeof *k->trees->trees);
    return k->trees->nodes && k->trees->links && k->trees->trees;
}

static uint32_t add_node(maker *k, uint32_t slot)
{
    k->node[slot] = k->trees->node_count;
    k->trees->nodes[k->trees->node_count].slot = slot;
    return k->trees->node_count++;
}

static void add_link(maker *k, uint32_t packed, uint32_t parent_slot)
{
    const pliant_model           *m = k->m;
    const pliant__batch          *b = &m->batches[k->batch[packed]];
    const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)b->kind);
    const uint32_t                row = packed - b->first_row, rows = info->rows;
    pliant__link                 *e = &k->trees->links[k->trees->link_count++];
    uint32_t                      slot[2];
    pliant__row_slots(m, b, row, 2, slot);
    const uint32_t child = slot[slot[0] == parent_slot];
    e->child = is_free(k, child) ? add_node(k, child) : PLIANT__NONE;
    e->parent = k->node[parent_slot];
    e->row = packed;
    e->law = pliant__row_law(m, b, row);
    e->rows = e->used = rows;
    e->sign = child == slot[0] ? 1 : -1;
    const size_t block = b->lambda + (size_t)(row / PLIANT__BLOCK) * rows * PLIANT__BLOCK;
    e->value = block + row % PLIANT__BLOCK;
    e->gradient = pliant__gradient_at(k->at, k->batch[packed], info, row);
    e->rest = rows == 1 ? (double)pliant__parameters(m, b, row / PLIANT__BLOCK)[row % PLIANT__BLOCK] : 0;
    e->size = e->rest > 0 ? e->rest : 1;
}

/* Breadth first from a slot; then the links are turned round, so that children come before parents. */
static void grow(maker *k, uint32_t root)
{
    pliant__trees *t = k->trees;
    pliant__tree  *tree = &t->trees[t->tree_count++];
    tree->first_node = t->node_count;
    tree->first_link = t->link_count;
    add_node(k, root);
    for (uint32_t i = tree->first_node; i < t->node_count; i++)
        for (uint32_t j = k->first[t->nodes[i].slot]; j < k->first[t->nodes[i].slot + 1]; j++)
            if (!k->seen[k->end[j]]) {
                k->seen[k->end[j]] = 1;
                add_link(k, k->end[j], t->nodes[i].slot);
            }
    tree->node_count = t->node_count - tree->first_node;
    tree->link_count = t->link_count - tree->first_link;
    tree->size = t->links[tree->first_link].size;
    for (uint32_t i = tree->first_link; i < t->link_count; i++) tree->size = fmin(tree->size, t->links[i].size);
    for (uint32_t i = tree->first_link, j = t->link_count; i + 1 < j; i++, j--) {
        pliant__link swap = t->links[i];
        t->links[i] = t->links[j - 1];
        t->links[j - 1] = swap;
    }
}

bool pliant__trees_make(pliant__trees *trees, const pliant_model *model, const pliant__linear_rows *at, const pliant_allocator *allocator)
{
    maker k = {.m = model, .trees = trees, .at = at};
    bool  good = list_rows(&k, allocator);
    for (uint32_t slot = 0; good && slot < model->header->slot_count; slot++)
        if (k.first[slot + 1] > k.first[slot] && k.node[slot] == PLIANT__NONE) grow(&k, slot);
    free_maker(&k, allocator);
    return good;
}

void pliant__trees_free(pliant__trees *trees, const pliant_allocator *allocator)
{
    pliant__free(allocator, trees->nodes);
    pliant__free(allocator, trees->links);
    pliant__free(allocator, trees->trees);
}
