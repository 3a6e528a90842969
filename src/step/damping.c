/* Damping that leaves rigid motion alone (Müller 2007, section 3.5): x_c, v_c, L = sum r x (m v), I = sum r~ r~^T m, omega = I^-1 L and
 * v += k (v_c + omega x r - v), per body and over the whole system. What is stated is a rate d per second; a substep applies
 * k = 1 - exp(-d h), so substeps do not change what is left after a second. (Plain drag is in forces.c.)
 *
 * Moments are summed in double, chunk by chunk in a fixed shape (backends/cpu_width_damping.c), and added in the order of chunks, so that neither
 * threads nor lanes change them. I is singular for one particle, two, or a line of them; its pseudo-inverse then leaves out the axes about
 * which nothing turns. */
#include "step/damping.h"

#include "base/trig.h"
#include "solver/solver.h"
#include "solver/sweep.h"
#include "solver/tasks.h"
#include "state/state.h"

static pliant_vec3 origin_of(const pliant_solver *s, uint32_t chunk)
{
    return pliant__slot_x(s->state->x, s->model->bodies[s->model->chunks[chunk].body].first_slot);
}

/* About the body's first particle, which keeps moments small far from the world's origin. */
static void sum_chunk(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant__chunk *c = &s->model->chunks[index];
    const size_t         at = pliant__slot_numbers(c->first);
    const pliant_vec3    o = origin_of(s, index);
    if (s->off.bodies[c->body]) return; /* its sums are 0 */
    s->backend.kernels->moments(s->chunks[index].sums, s->state->x + at, s->damped_v + at, c->count, &o);
}

/* Adds moments taken about a point that lies at d from where `sum` takes them. */
static void add_moved(double *sum, const double *from, double dx, double dy, double dz)
{
    double m = from[PLIANT__M], x = from[PLIANT__MX], y = from[PLIANT__MY], z = from[PLIANT__MZ];
    sum[PLIANT__M] += m;
    sum[PLIANT__MX] += x + m * dx;
    sum[PLIANT__MY] += y + m * dy;
    sum[PLIANT__MZ] += z + m * dz;
    for (int i = PLIANT__PX; i <= PLIANT__PZ; i++) sum[i] += from[i];
    sum[PLIANT__LX] += from[PLIANT__LX] + (dy * from[PLIANT__PZ] - dz * from[PLIANT__PY]);
    sum[PLIANT__LY] += from[PLIANT__LY] + (dz * from[PLIANT__PX] - dx * from[PLIANT__PZ]);
    sum[PLIANT__LZ] += from[PLIANT__LZ] + (dx * from[PLIANT__PY] - dy * from[PLIANT__PX]);
    sum[PLIANT__XX] += from[PLIANT__XX] + 2 * dx * x + m * dx * dx;
    sum[PLIANT__YY] += from[PLIANT__YY] + 2 * dy * y + m * dy * dy;
    sum[PLIANT__ZZ] += from[PLIANT__ZZ] + 2 * dz * z + m * dz * dz;
    sum[PLIANT__XY] += from[PLIANT__XY] + dx * y + dy * x + m * dx * dy;
    sum[PLIANT__YZ] += from[PLIANT__YZ] + dy * z + dz * y + m * dy * dz;
    sum[PLIANT__ZX] += from[PLIANT__ZX] + dz * x + dx * z + m * dz * dx;
}

/* Eigenvalues and eigenvectors (columns of q) of a symmetric 3 x 3 matrix, by Jacobi's rotations. */
static void eigen(double a[3][3], double q[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) q[i][j] = i == j;
    for (int turn = 0; turn < 24; turn++) {
        int    p = turn % 3, r = (p + 1) % 3;
        double off = a[p][r];
        if (off == 0 || off * off <= 1e-40 * a[p][p] * a[r][r]) continue; /* far below the rounding of what is on the diagonal */
        double theta = (a[r][r] - a[p][p]) / (2 * off), root = sqrt(1 + theta * theta);
        double t = (theta < 0 ? -1 : 1) / ((theta < 0 ? -theta : theta) + root), c = 1 / sqrt(1 + t * t), s = t * c;
        for (int k = 0; k < 3; k++) {
            double kp = a[k][p], kr = a[k][r];
            a[k][p] = c * kp - s * kr;
            a[k][r] = s * kp + c * kr;
        }
        for (int k = 0; k < 3; k++) {
            double pk = a[p][k], rk = a[r][k];
            a[p][k] = c * pk - s * rk;
            a[r][k] = s * pk + c * rk;
        }
        for (int k = 0; k < 3; k++) {
            double kp = q[k][p], kr = q[k][r];
            q[k][p] = c * kp - s * kr;
            q[k][r] = s * kp + c * kr;
        }
    }
}

/* The rigid motion with the same momentum and angular momentum about `o`; a share of 0 if nothing moves. */
static pliant__rigid rigid_part(const double *sum, pliant_vec3 o, double share)
{
    const double m = sum[PLIANT__M];
    if (!(m > 0)) return (pliant__rigid){.share = 0};
    const double centre[3] = {sum[PLIANT__MX] / m, sum[PLIANT__MY] / m, sum[PLIANT__MZ] / m};
    double       central[PLIANT__MOMENTS] = {0}, spin[3] = {0}, q[3][3], largest = 0;
    add_moved(central, sum, -centre[0], -centre[1], -centre[2]);
    const double *L = central + PLIANT__LX;
    double        I[3][3] = {{central[PLIANT__YY] + central[PLIANT__ZZ], -central[PLIANT__XY], -central[PLIANT__ZX]},
                             {-central[PLIANT__XY], central[PLIANT__XX] + central[PLIANT__ZZ], -central[PLIANT__YZ]},
                             {-central[PLIANT__ZX], -central[PLIANT__YZ], central[PLIANT__XX] + central[PLIANT__YY]}};
    eigen(I, q);
    for (int i = 0; i < 3; i++) largest = I[i][i] > largest ? I[i][i] : largest;
    for (int i = 0; i < 3; i++) {
        if (!(I[i][i] > 1e-9 * largest)) continue;
        const double along = (q[0][i] * L[0] + q[1][i] * L[1] + q[2][i] * L[2]) / I[i][i];
        for (int k = 0; k < 3; k++) spin[k] += q[k][i] * along;
    }
    const double at_o[3] = {sum[PLIANT__PX] / m - (spin[1] * centre[2] - spin[2] * centre[1]),
                            sum[PLIANT__PY] / m - (spin[2] * centre[0] - spin[0] * centre[2]),
                            sum[PLIANT__PZ] / m - (spin[0] * centre[1] - spin[1] * centre[0])};
    return (pliant__rigid){o, v3((pliant_real)at_o[0], (pliant_real)at_o[1], (pliant_real)at_o[2]),
                           v3((pliant_real)spin[0], (pliant_real)spin[1], (pliant_real)spin[2]), (pliant_real)share};
}

static void approach_chunk(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant__chunk *c = &s->model->chunks[index];
    const size_t         at = pliant__slot_numbers(c->first);
    if (s->rigid[c->body].share > 0 && !s->off.bodies[c->body])
        s->backend.kernels->approach(s->state->x + at, s->damped_v + at, c->count, &s->rigid[c->body]);
}

static double share_of(double rate, double h) { return 1 - pliant__exp(-rate * h); }

static void find_bodies(pliant_solver *s, double seconds)
{
    const pliant_model *m = s->model;
    uint32_t            count = (uint32_t)model_count(m, chunks);
    for (uint32_t first = 0, end; first < count; first = end) {
        const uint32_t body = m->chunks[first].body;
        const double   rate = s->off.bodies[body] ? 0 : (double)m->bodies[body].damping;
        double         sum[PLIANT__MOMENTS] = {0};
        for (end = first; end < count && m->chunks[end].body == body; end++)
            if (rate > 0) add_moved(sum, s->chunks[end].sums, 0, 0, 0);
        s->rigid[body] = rate > 0 ? rigid_part(sum, origin_of(s, first), share_of(rate, seconds)) : (pliant__rigid){.share = 0};
    }
}

static void find_system(pliant_solver *s, double seconds)
{
    const uint32_t    count = (uint32_t)model_count(s->model, chunks);
    const pliant_vec3 o = count ? origin_of(s, 0) : v3(0, 0, 0);
    double            sum[PLIANT__MOMENTS] = {0};
    for (uint32_t i = 0; i < count; i++) {
        const pliant_vec3 p = origin_of(s, i);
        add_moved(sum, s->chunks[i].sums, (double)p.x - (double)o.x, (double)p.y - (double)o.y, (double)p.z - (double)o.z);
    }
    const pliant__rigid r = rigid_part(sum, o, share_of((double)s->model->header->damping, seconds));
    for (size_t b = 0; b < model_count(s->model, bodies); b++) s->rigid[b] = r;
}

static void damp(pliant_solver *s, void (*find)(pliant_solver *s, double seconds), double seconds)
{
    const uint32_t count = (uint32_t)model_count(s->model, chunks);
    pliant__run_light_counted(s, sum_chunk, count, pliant__work_of_particles(s, PLIANT__SUM_WORK));
    find(s, seconds);
    pliant__run_light_counted(s, approach_chunk, count, pliant__work_of_particles(s, PLIANT__MOVE_WORK));
}

static bool any_body_is_damped(const pliant_model *m)
{
    bool any = false;
    for (size_t b = 0; b < model_count(m, bodies) && !any; b++) any = m->bodies[b].damping > 0;
    return any;
}

bool pliant__is_damped(const pliant_model *m) { return m->header->damping > 0 || any_body_is_damped(m); }

void pliant__damp(pliant_solver *s, pliant_real *velocities, double seconds)
{
    s->damped_v = velocities;
    if (any_body_is_damped(s->model)) damp(s, find_bodies, seconds);
    if (s->model->header->damping > 0) damp(s, find_system, seconds);
}

void pliant__stage_damping(pliant_solver *s) { pliant__damp(s, s->state->v, s->h); }
