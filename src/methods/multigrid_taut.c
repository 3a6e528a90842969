/* What taut rows resist across themselves.
 *
 * The second derivative of k C^2 / 2 is k grad C grad C^T + k C C''. Gauss and Newton leave out the second part, and H is positive definite for it. Of
 * a distance between two particles, C'' = (1 - n n^T) / l on either, n the direction from one to the other and l how far they are apart. Where the row
 * is taut, k C > 0, that part is positive, too: a taut string swings back. Nothing else in a sheet or a rope but mass resists what is across
 * it: without this part a particle that is pulled by f and held across by its mass alone goes f h^2 / m to the side, which
 * is three cells of cotton beside a pin. Steps were halved until they gained little, and what was left became speed (docs/decisions/0029). With it two
 * iterations are enough.
 *
 * So a taut distance is two rows more: along two directions across it, as stiff as its tension over its length. A row that is pressed gets none,
 * which would be negative. Rows within solids get none either: other rows are stiff across each. */
#include "methods/multigrid.h"
#include "solver/solver.h"
#include "state/inputs.h"
#include "state/state.h"

#include <math.h>

/* Two directions across `along`, of length 1. */
static void find_across(const double along[3], double length, double first[3], double second[3])
{
    uint32_t least = 0;
    for (uint32_t c = 1; c < 3; c++)
        if (fabs(along[c]) < fabs(along[least])) least = c;
    const double left = sqrt(length * length - along[least] * along[least]); /* at least two thirds of it, squared */
    for (uint32_t c = 0; c < 3; c++) first[c] = ((c == least ? length * length : 0) - along[least] * along[c]) / (length * left);
    for (uint32_t c = 0; c < 3; c++) {
        const uint32_t next = (c + 1) % 3, last = (c + 2) % 3;
        second[c] = (along[next] * first[last] - along[last] * first[next]) / length;
    }
}

double pliant__mg_find_taut(const pliant_solver *s, const pliant__mg_rows *in, uint32_t lane, pliant_real across[2][PLIANT__MG_PAIR])
{
    const pliant__mg *g = s->method_data;
    const uint32_t    a = in->slot[lane], b = in->slot[PLIANT__BLOCK + lane];
    const double      k = (double)g->k[in->lambda + lane], C = (double)g->linear.C[in->lambda + lane];
    double            along[3], square = 0, direction[2][3];
    if (!pliant__kind_has(in->batch->kind, PLIANT_ROW_LENGTH) || !(k * C > 0)) return 0;
    for (size_t c = 0; c < 3; c++) {
        along[c] = (double)PLIANT__SLOT(s->state->x, b)[c] - (double)PLIANT__SLOT(s->state->x, a)[c];
        square += along[c] * along[c];
    }
    if (!(square > 0) || (g->solid[a] && g->solid[b])) return 0;
    const double length = sqrt(square);
    find_across(along, length, direction[0], direction[1]);
    for (uint32_t r = 0; r < 2; r++)
        for (uint32_t c = 0; c < 3; c++) {
            across[r][c * PLIANT__BLOCK] = (pliant_real)-direction[r][c];
            across[r][(3 + c) * PLIANT__BLOCK] = (pliant_real)direction[r][c];
        }
    return k * C / length;
}
