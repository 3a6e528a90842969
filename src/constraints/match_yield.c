/* A cluster is mapped by F A from its places at rest in the scene: the plastic map A leads to those at rest now, and F, the elastic map, is what its rows see.
 * With s_i the stretches of F, the eigenvalues of S = R^T F, and D the deviator of the strain S - 1, the strain is the equivalent one,
 *   e = sqrt(2/3) |D|,
 * which is that of a bar that is pulled by e and keeps its volume; the plastic strain p is that of A likewise. What is beyond the yield, b = e - yield -
 * hardening p, flows at the rate of flow.h, db/dt = -creep (1 + hardening) b, or at once, with the volume kept: the logarithms of the stretches go towards
 * their mean, s_i -> g (s_i / g)^(1 - t), g the geometric mean, until b, or p, is where it is to go, and A takes over what F gives up, A <- V diag(s_i / s_i') V^T A. Since S keeps its axes V, F keeps its rotation R. On that way the elastic energy
 *   k_L |S - 1|^2 / 2 + k_T tr(S - 1)^2 / 2
 * may begin to rise, where a cluster is pressed together and not only sheared: there it stops.
 *
 * Places in a plane keep their area. Those on a line cannot change their shape, nor do clusters that are mirrored or pressed flat.
 *
 * Source: the plastic map of a cluster: Müller et al. 2005, Meshless Deformations Based on Shape Matching, section 4.5; yield, creep and hardening as in flow.h. */
#include "constraints/match_yield.h"

#include "base/trig.h"

#include <math.h>

#define FLATTEST 0.01 /* stretch; what is pressed further does not flow */
#define LONGEST 1e3   /* stretch; what is pulled further is about to diverge, and does not flow */
#define ABSENT (-1.0) /* stands for a direction that places do not have, and is no stretch that flows */
#define HALVINGS 40   /* of the way: to rounding */

typedef struct way {
    int            count;                             /* of directions */
    int            axis[3];                           /* their columns in `vectors` */
    double         stretch[3], centre, off[3];        /* of each; the geometric mean, and the logarithms of these over it */
    double         vectors[9], stiffness[MATCH_ROWS]; /* axes in columns */
    pliant__square plastic;                           /* A at its beginning */
    double         now[3];                            /* stretches where it is looked at */
} way;

static double equivalent(const double *stretch, int count)
{
    double mean = 0, square = 0;
    for (int i = 0; i < count; i++) mean += (stretch[i] - 1) / count;
    for (int i = 0; i < count; i++) square += (stretch[i] - 1 - mean) * (stretch[i] - 1 - mean);
    return sqrt(square * (2.0 / 3));
}

static double energy_of(const way *w)
{
    double square = 0, trace = 0;
    for (int i = 0; i < w->count; i++) {
        square += (w->now[i] - 1) * (w->now[i] - 1);
        trace += w->now[i] - 1;
    }
    return 0.5 * (w->stiffness[MATCH_LENGTH] * square + w->stiffness[MATCH_TRACE] * trace * trace);
}

static void go_to(way *w, double t)
{
    for (int i = 0; i < w->count; i++) w->now[i] = w->centre * pliant__exp((1 - t) * w->off[i]);
}

/* Whether the energy falls further on; dE/dt = -sum of s_i off_i dE/ds_i. */
static bool falls(const way *w)
{
    double trace = 0, rise = 0;
    for (int i = 0; i < w->count; i++) trace += w->now[i] - 1;
    for (int i = 0; i < w->count; i++)
        rise += w->now[i] * w->off[i] * (w->stiffness[MATCH_LENGTH] * (w->now[i] - 1) + w->stiffness[MATCH_TRACE] * trace);
    return rise > 0;
}

/* The plastic map where the way is looked at. */
static pliant__square plastic_at(const way *w)
{
    pliant__square by;
    for (int k = 0; k < 9; k++) {
        const int i = k / 3, j = k % 3;
        double    rest = i == j;
        by.m[i][j] = 0;
        for (int a = 0; a < w->count; a++) {
            const double both = w->vectors[3 * i + w->axis[a]] * w->vectors[3 * j + w->axis[a]];
            by.m[i][j] += both * (w->stretch[a] / w->now[a]);
            rest -= both;
        }
        by.m[i][j] += rest;
    }
    return pliant__product(&by, &w->plastic);
}

/* p of a plastic map; directions that places do not have stay as they are. */
static double plastic_strain(const pliant__square *a, const double *range)
{
    const pliant__square square = pliant__transposed_product(a, a);
    double               c[9], value[3], vectors[9], stretch[3];
    int                  count = 0;
    for (int k = 0; k < 9; k++) c[k] = square.m[k / 3][k % 3];
    const pliant__square has = pliant__of_symmetric(range);
    for (int k = 0; k < 9; k++) c[k] += 2 * ABSENT * ((k % 4 == 0) - has.m[k / 3][k % 3]);
    pliant__eigen(3, c, value, vectors);
    for (int k = 0; k < 3; k++)
        if (value[k] > 0) stretch[count++] = sqrt(value[k]);
    return equivalent(stretch, count);
}

/* Finds the directions of a strain that can flow. */
static bool begin(way *w, const match_strained *of, const pliant__square *plastic)
{
    double               s[9], value[3], sum = 0;
    const pliant__square has = pliant__of_symmetric(of->range);
    for (int k = 0; k < 9; k++) s[k] = of->stretch->m[k / 3][k % 3] + ABSENT * ((k % 4 == 0) - has.m[k / 3][k % 3]);
    pliant__eigen(3, s, value, w->vectors);
    w->count = 0;
    w->plastic = *plastic;
    for (int r = 0; r < MATCH_ROWS; r++) w->stiffness[r] = of->stiffness[r];
    const double all = of->range[0] + of->range[1] + of->range[2];
    for (int k = 0; k < 3; k++) {
        if (!(value[k] > FLATTEST)) continue;
        if (!(value[k] < LONGEST)) return false;
        w->axis[w->count] = k;
        w->stretch[w->count] = w->now[w->count] = value[k];
        w->off[w->count++] = pliant__log(value[k]);
    }
    if (w->count < 2 || w->count + 0.5 < all) return false;
    for (int i = 0; i < w->count; i++) sum += w->off[i] / w->count;
    for (int i = 0; i < w->count; i++) w->off[i] -= sum;
    w->centre = pliant__exp(sum);
    return true;
}

typedef struct aim {
    const match_yield *law;
    double             beyond, most; /* e - yield - hardening p to go to; p that is not to be passed, or 0 */
    const double      *range;
} aim;

static bool may_be(way *w, double t, const aim *to)
{
    double p = 0;
    go_to(w, t);
    if (!falls(w)) return false;
    if (to->law->hardening > 0 || to->most > 0) {
        const pliant__square a = plastic_at(w);
        p = plastic_strain(&a, to->range);
    }
    if (to->most > 0 && p > to->most) return false;
    return equivalent(w->now, w->count) - to->law->yield - to->law->hardening * p >= to->beyond;
}

/* Takes what rounding has left of a change of volume from the directions that there are. */
static bool keep_volume(const way *w, const double *range, pliant__square *a)
{
    const double det = pliant__determinant(a);
    if (!(det > 0.5 && det < 2)) return false;
    const double         more = pliant__pow(det, -1.0 / w->count) - 1;
    const pliant__square has = pliant__of_symmetric(range), part = pliant__product(&has, a);
    for (int k = 0; k < 9; k++) a->m[k / 3][k % 3] += more * part.m[k / 3][k % 3];
    return true;
}

bool pliant__match_flow(const match_yield *law, const match_strained *of, double h, pliant__square *plastic)
{
    way w;
    if (!(law->yield > 0) || !begin(&w, of, plastic)) return false;
    const double p = plastic_strain(plastic, of->range), beyond = equivalent(w.stretch, w.count) - law->yield - law->hardening * p;
    if (!(beyond > 0)) return false;
    const double left = law->creep > 0 ? pliant__exp(-law->creep * (1 + law->hardening) * h) : 0, before = energy_of(&w);
    const aim    to = {law, left * beyond, law->most > 0 ? fmax(law->most, p) : 0, of->range};
    double       low = 0, high = 1;
    for (int i = 0; i < HALVINGS; i++) {
        const double t = 0.5 * (low + high);
        if (may_be(&w, t, &to))
            low = t;
        else
            high = t;
    }
    go_to(&w, low);
    if (!(low > 0) || !(energy_of(&w) < before)) return false;
    pliant__square a = plastic_at(&w);
    if (!keep_volume(&w, of->range, &a)) return false;
    *plastic = a;
    return true;
}
