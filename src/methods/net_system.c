/* The linear systems of islands: filled, factored and solved.
 *
 * With W = M^-1 and R the responses, alpha~ + diag J W J^T, the unknowns are W^-1/2 dx and -R^1/2 dlambda, and the matrix is
 *
 *   1 + W^1/2 K W^1/2     W^1/2 J^T R^-1/2
 *   R^-1/2 J W^1/2        -(alpha~ / R + lent + REGULAR)
 *
 * with entries of size 1 whatever the masses, and in which a particle that is pinned now, w = 0, has a row and a column of 1 by itself.
 * Where 1 + K is positive definite it is quasi-definite, and any order of elimination has an L D L^T (Vanderbei 1995). Where K is not, the
 * number of negative entries in D, which must be that of the strands, says whether it still is where it counts, along the constraints (Gould
 * 1985); if not, what is negative in K is left out, constraint by constraint.
 *
 * REGULAR keeps rows that depend on others from a pivot of 0. What it does to the answer is taken back by refinement.
 *
 * K = -sum of lambda d2C/dx2. That of a distance d is -lambda (1 - n n^T) / d; those of other kinds are differences of the gradients in their
 * files, so a new kind needs nothing here. */
#include "constraints/eval.h"
#include "methods/net.h"
#include "solver/solver.h"
#include "state/state.h"

#include <float.h>
#include <math.h>
#include <string.h>

#ifdef PLIANT_DOUBLE
#define REGULAR 1e-10
#define GMRES_ENOUGH 1e-9 /* of what is left at its beginning */
#define DIFFERENCE 1e-5   /* of a member's size */
#else
#define REGULAR 1e-7
#define GMRES_ENOUGH 1e-5
#define DIFFERENCE 5e-3
#endif
#define REFINEMENTS 2u
#define SIDE (3 * PLIANT_MAX_SLOTS)

/* ---- the forces' turning ---- */

typedef double side_matrix[SIDE][SIDE];

static void add_distance(const pliant__net *g, const pliant__member *e, bool clamped, side_matrix K)
{
    const double *n = g->jacobian + e->coefficient, lambda = g->strands[e->first_strand].lambda;
    const double  length = g->strands[e->first_strand].C + e->rest, k = length > 0 ? -lambda / length : 0;
    if (clamped && k < 0) return;
    for (uint32_t c = 0; c < 3; c++)
        for (uint32_t d = 0; d < 3; d++) {
            const double entry = k * ((c == d) - n[c] * n[d]);
            K[c][d] += entry, K[3 + c][3 + d] += entry;
            K[c][3 + d] -= entry, K[3 + c][d] -= entry;
        }
}

/* Where a member's particles are from its first one, so that float has all its digits for what counts. */
static void places_of(const pliant_solver *s, const pliant__net *g, const pliant__member *e, vvec out[PLIANT_MAX_SLOTS])
{
    double x[PLIANT_MAX_SLOTS][3];
    for (uint32_t i = 0; i < e->slots; i++)
        for (uint32_t c = 0; c < 3; c++)
            x[i][c] = e->vertex[i] == PLIANT__NONE ? (double)PLIANT__SLOT(s->state->x, e->slot[i])[c] : g->vertices[e->vertex[i]].x[c];
    for (uint32_t i = e->slots; i-- > 0;)
        out[i] = vvec_of((pliant_real)(x[i][0] - x[0][0]), (pliant_real)(x[i][1] - x[0][1]), (pliant_real)(x[i][2] - x[0][2]));
}

/* Central differences of a member's gradients, one coordinate of one particle after another. */
static void add_differences(const pliant_solver *s, const pliant__net *g, const pliant__member *e, side_matrix K)
{
    const uint32_t count = pliant_constraint_describe((pliant_constraint_kind)e->kind)->parameter_count;
    pliant_real    C[PLIANT_MAX_ROWS], parameter[PLIANT_MAX_PARAMETERS + PLIANT_MAX_NUMBERS] = {0};
    vvec           x[PLIANT_MAX_SLOTS], moved[PLIANT_MAX_SLOTS], gradient[2][PLIANT_MAX_ROWS * PLIANT_MAX_SLOTS];
    bool           pulls = false;
    for (uint32_t r = 0; r < e->rows; r++) pulls = pulls || g->strands[e->first_strand + r].lambda != 0;
    if (!pulls) return;
    for (uint32_t i = 0; i < count; i++) parameter[i] = s->model->row_parameter[e->parameter + (size_t)i * PLIANT__BLOCK];
    memcpy(parameter + count, s->inputs->law[e->law].number, sizeof s->inputs->law->number);
    places_of(s, g, e, x);
    for (uint32_t i = 0; i < 3 * e->slots; i++) {
        const pliant_real by = (pliant_real)(DIFFERENCE * e->size);
        if (e->vertex[i / 3] == PLIANT__NONE) continue;
        for (int side = 0; side < 2; side++) {
            const pliant_real d = side ? by : -by;
            memcpy(moved, x, sizeof moved);
            moved[i / 3] = vadd(x[i / 3], i % 3 == 0 ? vvec_of(d, 0, 0) : i % 3 == 1 ? vvec_of(0, d, 0) : vvec_of(0, 0, d));
            pliant__constraint_value((pliant_constraint_kind)e->kind, moved, parameter, C, gradient[side]);
        }
        for (uint32_t r = 0; r < e->rows; r++) {
            const double per = -g->strands[e->first_strand + r].lambda / (4 * (double)by); /* half to each of K and its transpose */
            for (uint32_t k = 0; k < e->slots; k++) {
                const vvec   a = gradient[0][r * e->slots + k], b = gradient[1][r * e->slots + k];
                const double d[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z};
                for (uint32_t c = 0; c < 3; c++) K[3 * k + c][i] += per * d[c], K[i][3 * k + c] += per * d[c];
            }
        }
    }
}

/* One of Jacobi's rotations: makes A[p][q] 0; V gathers them. */
static void rotate(side_matrix A, side_matrix V, uint32_t n, uint32_t p, uint32_t q)
{
    const double half = (A[q][q] - A[p][p]) / (2 * A[p][q]);
    const double t = (half >= 0 ? 1 : -1) / (fabs(half) + sqrt(1 + half * half)), c = 1 / sqrt(1 + t * t), s = t * c;
    for (uint32_t i = 0; i < n; i++) {
        const double a = A[i][p], b = A[i][q];
        A[i][p] = c * a - s * b, A[i][q] = s * a + c * b;
    }
    for (uint32_t i = 0; i < n; i++) {
        const double a = A[p][i], b = A[q][i], v = V[i][p], u = V[i][q];
        A[p][i] = c * a - s * b, A[q][i] = s * a + c * b;
        V[i][p] = c * v - s * u, V[i][q] = s * v + c * u;
    }
}

/* Leaves out what a symmetric matrix has of negative eigenvalues. */
static void clamp(side_matrix K, uint32_t n)
{
    static const uint32_t sweeps = 12;
    side_matrix           A, V = {{0}};
    double                size = 0;
    memcpy(A, K, sizeof A);
    for (uint32_t i = 0; i < n; i++) {
        V[i][i] = 1;
        for (uint32_t k = 0; k < n; k++) size = fmax(size, fabs(A[i][k]));
    }
    for (uint32_t sweep = 0; sweep < sweeps; sweep++)
        for (uint32_t p = 0; p < n; p++)
            for (uint32_t q = p + 1; q < n; q++)
                if (fabs(A[p][q]) > 1e-12 * size) rotate(A, V, n, p, q);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++) {
            K[i][k] = 0;
            for (uint32_t j = 0; j < n; j++) K[i][k] += A[j][j] > 0 ? A[j][j] * V[i][j] * V[k][j] : 0;
        }
}

static void curvature_of(const pliant_solver *s, const pliant__net *g, const pliant__member *e, bool clamped, side_matrix K)
{
    memset(K, 0, sizeof(side_matrix));
    if (e->edge) {
        add_distance(g, e, clamped, K);
        return;
    }
    add_differences(s, g, e, K);
    if (clamped) clamp(K, 3 * e->slots);
}

/* ---- the matrix ---- */

static double *at_column(pliant__net *g, const pliant__island *island, uint32_t vertex, uint32_t c)
{
    const size_t unknown = 3 * (size_t)(vertex - island->first_vertex) + c;
    return g->entry + island->first_entry + g->column[island->first_column + unknown];
}

static void add_curvature(pliant__net *g, const pliant__island *island, const pliant__member *e, side_matrix K)
{
    for (uint32_t a = 0; a < e->slots; a++)
        for (uint32_t b = 0; b < e->slots; b++) {
            const uint32_t p = e->vertex[a], q = e->vertex[b];
            if (p == PLIANT__NONE || q == PLIANT__NONE || p > q) continue;
            const double   root = g->vertices[p].root * g->vertices[q].root;
            const uint32_t near = p == q ? 0 : 3 * g->pair_at[e->pair + (size_t)a * e->slots + b];
            for (uint32_t d = 0; d < 3; d++) {
                double *column = at_column(g, island, p, d);
                for (uint32_t c = p == q ? d : 0; c < 3; c++) column[p == q ? c - d : 3 - d + near + c] += root * K[3 * b + c][3 * a + d];
            }
        }
}

static void add_rows(pliant__net *g, const pliant__island *island, const pliant__member *e, const double *jacobian)
{
    for (uint32_t a = 0; a < e->slots; a++) {
        if (e->vertex[a] == PLIANT__NONE) continue;
        const pliant__vertex *v = &g->vertices[e->vertex[a]];
        const uint32_t        row = g->pair_at[e->pair + (size_t)e->slots * e->slots + a];
        for (uint32_t d = 0; d < 3; d++) {
            double *column = at_column(g, island, e->vertex[a], d) + 3 - d + 3 * v->adjacent + row;
            for (uint32_t r = 0; r < e->rows; r++)
                column[r] += v->root * jacobian[e->coefficient + ((size_t)r * e->slots + a) * 3 + d] /
                             sqrt(g->strands[e->first_strand + r].response);
        }
    }
}

bool pliant__island_factor(const pliant_solver *s, pliant__net *net, const pliant__island *island, double lent, pliant__curvature curvature)
{
    side_matrix K;
    uint32_t    negative = 0;
    double     *entry = net->entry + island->first_entry;
    memset(entry, 0, island->entry_count * sizeof *entry);
    for (uint32_t v = island->first_vertex; v < island->first_vertex + island->vertex_count; v++)
        for (uint32_t c = 0; c < 3; c++) *at_column(net, island, v, c) = 1;
    for (uint32_t i = island->first_member; i < island->first_member + island->member_count; i++) {
        const pliant__member *e = &net->members[i];
        add_rows(net, island, e, curvature == PLIANT__FIXED ? net->fixed : net->jacobian);
        if (curvature <= PLIANT__STRAIGHT || net->strands[e->first_strand].idle) continue;
        curvature_of(s, net, e, curvature == PLIANT__CLAMPED, K);
        add_curvature(net, island, e, K);
    }
    const pliant__strand *strand = net->strands + island->first_strand;
    for (uint32_t i = 0; i < island->strand_count; i++)
        entry[island->entry_count - island->strand_count + i] = -(strand[i].alpha / strand[i].response + lent + REGULAR);
    return net->linear->factor(island->system, entry, &negative) == PLIANT_OK && negative == island->strand_count;
}

/* ---- by the factors ---- */

static double *vector_of(const pliant__net *g, const pliant__island *island, double *vector)
{
    (void)g;
    return vector + 3 * (size_t)island->first_vertex + island->first_strand;
}

bool pliant__island_solve(pliant__net *net, const pliant__island *island)
{
    const uint32_t  places = 3 * island->vertex_count, count = places + island->strand_count;
    double         *x = vector_of(net, island, net->second), *d = vector_of(net, island, net->vector);
    pliant__vertex *v = net->vertices + island->first_vertex;
    pliant__strand *strand = net->strands + island->first_strand;
    for (uint32_t i = 0; i < places; i++) d[i] = v[i / 3].root * v[i / 3].force[i % 3];
    for (uint32_t i = 0; i < island->strand_count; i++) d[places + i] = -strand[i].left / sqrt(strand[i].response);
    memset(x, 0, count * sizeof *x);
    for (uint32_t round = 0; round <= REFINEMENTS + 1; round++) {
        if (net->linear->solve(island->system, d) != PLIANT_OK) return false;
        for (uint32_t i = 0; i < count; i++) x[i] += d[i];
        /* What REGULAR has left; and last, what it has let rows that depend on others have without any force. */
        for (uint32_t i = 0; i < count; i++) d[i] = i < places ? 0 : round < REFINEMENTS ? -REGULAR * d[i] : REGULAR * x[i];
    }
    for (uint32_t i = 0; i < places; i++) v[i / 3].step[i % 3] = v[i / 3].root * x[i];
    for (uint32_t i = 0; i < island->strand_count; i++) strand[i].change = -x[places + i] / sqrt(strand[i].response);
    return true;
}

/* ---- GMRES (Saad, Schultz 1986), preconditioned from the right ---- */

#define GMRES_ROUNDS 4u

/* R^-1/2 (J W fixed^T + alpha~) R^-1/2 in. */
static void product(pliant__net *g, const pliant__island *island, const double *jacobian, const double *in, double *out)
{
    pliant__strand *strand = g->strands + island->first_strand;
    for (uint32_t i = island->first_vertex; i < island->first_vertex + island->vertex_count; i++)
        memset(g->vertices[i].step, 0, sizeof g->vertices[i].step);
    for (uint32_t i = island->first_member; i < island->first_member + island->member_count; i++) {
        const pliant__member *e = &g->members[i];
        for (uint32_t r = 0; r < e->rows; r++) {
            const double by = in[e->first_strand - island->first_strand + r] / sqrt(g->strands[e->first_strand + r].response);
            for (uint32_t a = 0; a < e->slots; a++)
                for (uint32_t c = 0; c < 3 && e->vertex[a] != PLIANT__NONE; c++)
                    g->vertices[e->vertex[a]].step[c] += g->fixed[e->coefficient + ((size_t)r * e->slots + a) * 3 + c] * by;
        }
    }
    for (uint32_t i = 0; i < island->strand_count; i++) out[i] = strand[i].alpha / strand[i].response * in[i];
    for (uint32_t i = island->first_member; i < island->first_member + island->member_count; i++) {
        const pliant__member *e = &g->members[i];
        for (uint32_t r = 0; r < e->rows; r++) {
            double sum = 0;
            for (uint32_t a = 0; a < e->slots; a++)
                for (uint32_t c = 0; c < 3 && e->vertex[a] != PLIANT__NONE; c++)
                    sum += jacobian[e->coefficient + ((size_t)r * e->slots + a) * 3 + c] * g->vertices[e->vertex[a]].w *
                           g->vertices[e->vertex[a]].step[c];
            out[e->first_strand - island->first_strand + r] += sum / sqrt(g->strands[e->first_strand + r].response);
        }
    }
}

/* By the factors, (fixed W fixed^T + alpha~)^-1 in, scaled likewise. The answer is behind the places in g->vector. */
static const double *precondition(pliant__net *g, const pliant__island *island, const double *in)
{
    const uint32_t places = 3 * island->vertex_count;
    double        *x = vector_of(g, island, g->vector);
    memset(x, 0, places * sizeof *x);
    for (uint32_t i = 0; i < island->strand_count; i++) x[places + i] = -in[i];
    return g->linear->solve(island->system, x) == PLIANT_OK ? x + places : NULL;
}

static double dot(const double *a, const double *b, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Takes away what no particle can mend: in = fixed W fixed^T (...)^-1 in. */
static bool project(pliant__net *g, const pliant__island *island, double *in)
{
    const double *z = precondition(g, island, in);
    for (uint32_t i = 0; i < island->strand_count && z; i++) in[i] -= REGULAR * z[i];
    return z != NULL;
}

typedef struct gmres {
    double   H[PLIANT__GMRES_MOST + 1][PLIANT__GMRES_MOST], cosine[PLIANT__GMRES_MOST], sine[PLIANT__GMRES_MOST];
    double   g[PLIANT__GMRES_MOST + 1];
    uint32_t count;
    bool     projects;
} gmres;

/* The next direction: A P^-1 v made orthogonal to those before it, and the rotations that keep H triangular. */
static bool widen(pliant__net *g, const pliant__island *island, gmres *k)
{
    const uint32_t n = island->strand_count, j = k->count;
    double        *basis = g->basis + (size_t)island->first_strand * (PLIANT__GMRES_MOST + 1), *next = basis + (size_t)(j + 1) * n;
    const double  *z = precondition(g, island, basis + (size_t)j * n);
    if (!z) return false;
    product(g, island, g->jacobian, z, next);
    if (k->projects && !project(g, island, next)) return false;
    for (uint32_t i = 0; i <= j; i++) {
        k->H[i][j] = dot(next, basis + (size_t)i * n, n);
        for (uint32_t q = 0; q < n; q++) next[q] -= k->H[i][j] * basis[(size_t)i * n + q];
    }
    k->H[j + 1][j] = sqrt(dot(next, next, n));
    for (uint32_t q = 0; q < n && k->H[j + 1][j] > 0; q++) next[q] /= k->H[j + 1][j];
    for (uint32_t i = 0; i < j; i++) {
        const double a = k->H[i][j], b = k->H[i + 1][j];
        k->H[i][j] = k->cosine[i] * a + k->sine[i] * b;
        k->H[i + 1][j] = k->cosine[i] * b - k->sine[i] * a;
    }
    const double a = k->H[j][j], b = k->H[j + 1][j], length = sqrt(a * a + b * b);
    k->cosine[j] = length > 0 ? a / length : 1;
    k->sine[j] = length > 0 ? b / length : 0;
    k->H[j][j] = length;
    k->g[j + 1] = -k->sine[j] * k->g[j];
    k->g[j] *= k->cosine[j];
    k->count++;
    return true;
}

/* Adds what the directions make to the answer, x += P^-1 V y with H y = g. */
static bool narrow(pliant__net *g, const pliant__island *island, gmres *k, double *x)
{
    const uint32_t n = island->strand_count;
    double        *basis = g->basis + (size_t)island->first_strand * (PLIANT__GMRES_MOST + 1), y[PLIANT__GMRES_MOST];
    for (uint32_t i = k->count; i-- > 0;) {
        y[i] = k->g[i];
        for (uint32_t j = i + 1; j < k->count; j++) y[i] -= k->H[i][j] * y[j];
        y[i] = k->H[i][i] != 0 ? y[i] / k->H[i][i] : 0;
    }
    for (uint32_t q = 0; q < n; q++) {
        basis[q] *= k->count ? y[0] : 0;
        for (uint32_t i = 1; i < k->count; i++) basis[q] += y[i] * basis[(size_t)i * n + q];
    }
    const double *z = precondition(g, island, basis);
    for (uint32_t q = 0; q < n && z; q++) x[q] += z[q];
    return z != NULL;
}

/* Multipliers of rows that depend on others may be anything as far as forces go; takes away what no force has. Without it they would grow by as
 * much as REGULAR is small, and rounding with them. */
static bool take_idle_part(pliant__net *g, const pliant__island *island, double *x)
{
    double *forced = g->basis + (size_t)island->first_strand * (PLIANT__GMRES_MOST + 1);
    for (uint32_t round = 0; round < REFINEMENTS; round++) {
        product(g, island, g->fixed, x, forced);
        const double *z = precondition(g, island, forced);
        if (!z) return false;
        memcpy(x, z, island->strand_count * sizeof *x);
    }
    return true;
}

/* Four rounds at the most. False: no memory. `reached` says whether it got there. */
static bool run_gmres(pliant__net *net, const pliant__island *island, bool projects, double *x, bool *reached)
{
    const uint32_t        n = island->strand_count;
    double               *basis = net->basis + (size_t)island->first_strand * (PLIANT__GMRES_MOST + 1), enough = 0;
    const pliant__strand *strand = net->strands + island->first_strand;
    memset(x, 0, n * sizeof *x);
    *reached = false;
    for (uint32_t round = 0; round < GMRES_ROUNDS; round++) {
        gmres k = {.projects = projects};
        product(net, island, net->jacobian, x, basis);
        for (uint32_t i = 0; i < n; i++) basis[i] = -strand[i].left / sqrt(strand[i].response) - basis[i];
        if (projects && !project(net, island, basis)) return false;
        k.g[0] = sqrt(dot(basis, basis, n));
        if (round == 0) enough = GMRES_ENOUGH * k.g[0];
        *reached = !(k.g[0] > 2 * enough);
        if (*reached) break;
        for (uint32_t i = 0; i < n; i++) basis[i] /= k.g[0];
        while (k.count < PLIANT__GMRES_MOST && fabs(k.g[k.count]) > enough)
            if (!widen(net, island, &k)) return false;
        *reached = fabs(k.g[k.count]) <= enough;
        if (!narrow(net, island, &k, x)) return false;
        if (*reached) break;
    }
    return true;
}

/* Whether x leaves no more than half of what was left. */
static bool helps(pliant__net *g, const pliant__island *island, const double *x)
{
    double               *out = g->basis + (size_t)island->first_strand * (PLIANT__GMRES_MOST + 1), before = 0, after = 0;
    const pliant__strand *strand = g->strands + island->first_strand;
    product(g, island, g->jacobian, x, out);
    for (uint32_t i = 0; i < island->strand_count; i++) {
        const double left = strand[i].left / sqrt(strand[i].response);
        before += left * left;
        after += (left + out[i]) * (left + out[i]);
    }
    return after <= before / 4;
}

/* By the factors alone, as if nothing turned. */
static bool solve_roughly(pliant__net *net, const pliant__island *island, double *x)
{
    const pliant__strand *strand = net->strands + island->first_strand;
    for (uint32_t i = 0; i < island->strand_count; i++) x[i] = -strand[i].left / sqrt(strand[i].response);
    const double *z = precondition(net, island, x);
    if (z) memcpy(x, z, island->strand_count * sizeof *x);
    return z != NULL;
}

/* Where rows depend on others, something may be left that no multipliers mend: GMRES does not get anywhere, or by rounding alone, which is no help.
 * That part is taken away then. */
bool pliant__island_solve_fixed(pliant__net *net, const pliant__island *island, bool rounding, bool *depends)
{
    const uint32_t  n = island->strand_count;
    double         *x = vector_of(net, island, net->second);
    pliant__strand *strand = net->strands + island->first_strand;
    bool            reached = false;
    if (rounding) {
        if (!solve_roughly(net, island, x) || !take_idle_part(net, island, x)) return false;
    } else if (!*depends) {
        if (!run_gmres(net, island, false, x, &reached) || !take_idle_part(net, island, x)) return false;
        *depends = !reached || !helps(net, island, x);
    }
    if (*depends && !rounding && (!run_gmres(net, island, true, x, &reached) || !take_idle_part(net, island, x))) return false;
    for (uint32_t i = 0; i < n; i++) strand[i].change = x[i] / sqrt(strand[i].response);
    for (uint32_t i = island->first_vertex; i < island->first_vertex + island->vertex_count; i++)
        memset(net->vertices[i].step, 0, sizeof net->vertices[i].step);
    return true;
}
