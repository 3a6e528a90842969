/* Sparse symmetric systems by CHOLMOD.
 *
 * A system is analysed once: an order of elimination by approximate minimum degree (a function of the pattern alone; the nested dissection that
 * CHOLMOD can do besides takes random numbers from the C library), and the pattern of its factor. The matrix is then kept in that order, upper
 * triangle by column, so that a new set of values is scattered and factored in place. Simplicial, since only that has an L D L^T; up-looking,
 * one thread, without BLAS, so the same values give the same bits.
 *
 * Memory is the C library's. A system is factored once when it is analysed, so that whatever has to be allocated is there then. */
#include "pliant/cholmod.h"

#include "cholmod/cholmod_late.h"

#include <stdlib.h>
#include <string.h>

typedef struct cholmod_system {
    cholmod_common  common;
    cholmod_sparse *matrix; /* in the order of elimination */
    cholmod_factor *factor;
    double         *vector;
    uint32_t       *order; /* per place in the order: the unknown */
    uint32_t       *place; /* per value: where it is in the matrix */
    uint32_t        count;
} cholmod_system;

/* ---- analysis ---- */

static cholmod_sparse *pattern_of(uint32_t count, const uint32_t *first, const uint32_t *row, cholmod_common *common)
{
    cholmod_sparse *a = cholmod_allocate_sparse(count, count, first[count], 1, 1, -1, CHOLMOD_PATTERN, common);
    if (!a) return NULL;
    for (uint32_t i = 0; i <= count; i++) ((int *)a->p)[i] = (int)first[i];
    for (uint32_t i = 0; i < first[count]; i++) ((int *)a->i)[i] = (int)row[i];
    return a;
}

/* Approximate minimum degree, with its elimination tree walked in postorder. */
static bool find_order(cholmod_system *s, const uint32_t *first, const uint32_t *row)
{
    cholmod_sparse *pattern = pattern_of(s->count, first, row, &s->common);
    cholmod_factor *found = pattern ? cholmod_analyze(pattern, &s->common) : NULL;
    s->order = malloc((s->count + 1) * sizeof *s->order);
    const bool good = found && s->order;
    for (uint32_t i = 0; i < s->count && good; i++) s->order[i] = (uint32_t)((const int *)found->Perm)[i];
    cholmod_free_factor(&found, &s->common);
    cholmod_free_sparse(&pattern, &s->common);
    return good;
}

/* The matrix in that order: entry (r, c) goes to the later one's column. Columns are filled by walking the earlier ones in their order, so they
 * ascend. */
static bool make_matrix(cholmod_system *s, const uint32_t *first, const uint32_t *row)
{
    const uint32_t n = s->count, entries = first[n];
    uint32_t *at = malloc((n + 1) * sizeof *at), *by_row = malloc((n + 2) * sizeof *by_row), *list = malloc((entries + 1) * sizeof *list);
    uint32_t *column = malloc((entries + 1) * sizeof *column);
    s->place = malloc((entries + 1) * sizeof *s->place);
    s->matrix = cholmod_allocate_sparse(n, n, entries, 1, 1, 1, CHOLMOD_REAL, &s->common);
    const bool good = at && by_row && list && column && s->place && s->matrix;
    if (good) {
        int *p = s->matrix->p, *i = s->matrix->i;
        for (uint32_t k = 0; k < n; k++) at[s->order[k]] = k;
        memset(by_row, 0, (n + 2) * sizeof *by_row);
        memset(p, 0, (n + 1) * sizeof *p);
        for (uint32_t c = 0; c < n; c++)
            for (uint32_t k = first[c]; k < first[c + 1]; k++) {
                const uint32_t a = at[c], b = at[row[k]];
                by_row[(a < b ? a : b) + 2]++;
                p[(a < b ? b : a) + 1]++;
                column[k] = c;
            }
        for (uint32_t k = 0; k < n; k++) by_row[k + 2] += by_row[k + 1], p[k + 1] += p[k];
        for (uint32_t k = 0; k < entries; k++) {
            const uint32_t a = at[column[k]], b = at[row[k]];
            list[by_row[(a < b ? a : b) + 1]++] = k;
        }
        for (uint32_t q = 0; q < entries; q++) {
            const uint32_t k = list[q], a = at[column[k]], b = at[row[k]];
            int           *next = &p[a < b ? b : a];
            i[*next] = (int)(a < b ? a : b);
            s->place[k] = (uint32_t)(*next)++;
        }
        for (uint32_t k = n; k > 0; k--) p[k] = p[k - 1];
        p[0] = 0;
    }
    free(at);
    free(by_row);
    free(list);
    free(column);
    return good;
}

static void release(void *system)
{
    cholmod_system *s = system;
    if (!s) return;
    cholmod_free_factor(&s->factor, &s->common);
    cholmod_free_sparse(&s->matrix, &s->common);
    cholmod_finish(&s->common);
    free(s->order);
    free(s->place);
    free(s->vector);
    free(s);
}

static void settings(cholmod_common *common)
{
    cholmod_start(common);
    common->print = 0;
    common->try_catch = 1; /* CHOLMOD prints no errors */
    common->supernodal = CHOLMOD_SIMPLICIAL;
    common->final_ll = 0;
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_AMD;
    common->postorder = 1;
}

/* Factors the identity: its factor has the places that the factors of all other values have. */
static bool factor_once(cholmod_system *s)
{
    const int *p = s->matrix->p, *i = s->matrix->i;
    double    *x = s->matrix->x;
    for (uint32_t c = 0; c < s->count; c++)
        for (int k = p[c]; k < p[c + 1]; k++) x[k] = i[k] == (int)c;
    return cholmod_factorize(s->matrix, s->factor, &s->common) && s->common.status == CHOLMOD_OK;
}

static void *analyse(uint32_t count, const uint32_t *first, const uint32_t *row, void *context)
{
    (void)context;
    cholmod_system *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    settings(&s->common);
    s->count = count;
    if (find_order(s, first, row) && make_matrix(s, first, row)) {
        s->common.method[0].ordering = CHOLMOD_NATURAL; /* the matrix is in the order of elimination now */
        s->common.postorder = 0;
        s->factor = cholmod_analyze(s->matrix, &s->common);
        s->vector = malloc((count + 1) * sizeof *s->vector);
        if (s->factor && s->vector && factor_once(s)) return s;
    }
    release(s);
    return NULL;
}

/* ---- values ---- */

static pliant_code factor(void *system, const double *value, uint32_t *negative)
{
    cholmod_system *s = system;
    const uint32_t  entries = (uint32_t)((const int *)s->matrix->p)[s->count];
    double         *to = s->matrix->x;
    for (uint32_t i = 0; i < entries; i++) to[s->place[i]] = value[i];
    s->common.status = CHOLMOD_OK;
    *negative = 0;
    if (!cholmod_factorize(s->matrix, s->factor, &s->common) || s->common.status != CHOLMOD_OK || s->factor->minor < s->count)
        return s->common.status == CHOLMOD_OUT_OF_MEMORY ? PLIANT_ERROR_MEMORY : PLIANT_ERROR_DIVERGED;
    for (uint32_t i = 0; i < s->count; i++) { /* D is where L has its diagonal */
        const double d = ((const double *)s->factor->x)[((const int *)s->factor->p)[i]];
        if (!(d > 0) && !(d < 0)) return PLIANT_ERROR_DIVERGED;
        *negative += d < 0;
    }
    return PLIANT_OK;
}

/* Columns of L begin with D's entry. cholmod_solve2 does the same, and allocates each time. */
static pliant_code solve(void *system, double *x)
{
    cholmod_system *s = system;
    const int      *p = s->factor->p, *i = s->factor->i, *count = s->factor->nz;
    const double   *L = s->factor->x;
    double         *b = s->vector;
    for (uint32_t k = 0; k < s->count; k++) b[k] = x[s->order[k]];
    for (uint32_t k = 0; k < s->count; k++)
        for (int at = p[k] + 1; at < p[k] + count[k]; at++) b[i[at]] -= L[at] * b[k];
    for (uint32_t k = s->count; k-- > 0;) {
        b[k] /= L[p[k]];
        for (int at = p[k] + 1; at < p[k] + count[k]; at++) b[k] -= L[at] * b[i[at]];
    }
    for (uint32_t k = 0; k < s->count; k++) x[s->order[k]] = b[k];
    return PLIANT_OK;
}

const pliant_linear_solver *pliant_cholmod(void)
{
    static const pliant_linear_solver solver = {analyse, factor, solve, release, NULL};
    char                              why[200];
    return open_cholmod(why, sizeof why) ? &solver : NULL;
}

size_t pliant_cholmod_entries(const void *system)
{
    const cholmod_system *s = system;
    size_t                sum = 0;
    for (uint32_t i = 0; i < s->count; i++) sum += (size_t)((const int *)s->factor->ColCount)[i];
    return sum;
}
