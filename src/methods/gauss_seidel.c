/* Gauss-Seidel: constraint after constraint, each seeing what those before it moved (Müller 2007, section 3.3; with compliance Macklin 2016,
 * algorithm 1). By colours, rows of a wave share no particle that moves, so a wave is one Gauss-Seidel pass over its rows in any order. With
 * a relaxation omega other than 1 it is successive over- or under-relaxation (Young 1954). */
#include "solver/method.h"

static void solve(pliant_solver *s)
{
    for (uint32_t i = 0; i < s->iterations && pliant__go_on(s, i); i++) pliant__sweep_gauss_seidel(s, i == 0);
    pliant__go_on(s, s->iterations);
}

const pliant__method pliant__method_gauss_seidel = {.walks_once = true,
                                                    .takes_groups = PLIANT__TAKES_FACES | PLIANT__TAKES_MEMBERS,
                                                    .takes_flow = true,
                                                    .takes_stitches = true,
                                                    .takes_tears = true,
                                                    .takes_breaks = true,
                                                    .solve = solve};
