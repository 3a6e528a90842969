/* Damping that leaves rigid motion alone (Müller 2007, section 3.5): x_c, v_c, L = sum r x (m v), I = sum r~ r~^T m, omega = I^-1 L and
 * v += k (v_c + omega x r - v), per body and over the whole system. What is stated is a rate d per second; a substep applies
 * k = 1 - exp(-d h), so substeps do not change what is left after a second. (Plain drag is in forces.c.)
 *
 * Sums are taken per chunk in double and added chunk by chunk, so that threads do not change them. I is singular for one particle, two, or a
 * line of them; its pseudo-inverse then leaves out the axes about which nothing turns. */
#include "base/trig.h"
#include "step/solver.h"

#include <string.h>

enum { MASS, X, Y, Z, VX, VY, VZ, LX, LY, LZ, XX, YY, ZZ, XY, YZ, ZX };

static pliant_vec3 origin_of(const pliant_solver *s, uint32_t chunk)
{
    return pliant__slot_x(s->state->x, s->model->bodies[s->model->chunks[chunk].body].first_slot);
}

/* Moments about the body's first particle, which keeps them small far from the world's origin. */
static void sum_chunk(void *solver, uint32_t index)
{
    pliant_solver       *s = solver;
    const pliant__chunk *chunk = &s->model->chunks[index];
    double              *sum = s->chunks[index].sums;
    pliant_vec3          o = origin_of(s, index);
    memset(sum, 0, sizeof s->chunks[index].sums);
    for (uint32_t slot = chunk->first; slot < chunk->first + chunk->count; slot++) {
        const pliant_real *p = s->state->x + 4 * (size_t)slot, *q = s->damped_v + 4 * (size_t)slot;
        if (p[3] == 0) continue;
        double m = 1 / (double)p[3], v[3] = {(double)q[0], (double)q[1], (double)q[2]};
        double x = (double)p[0] - (double)o.x, y = (double)p[1] - (double)o.y, z = (double)p[2] - (double)o.z;
        sum[MASS] += m;
        sum[X] += m * x;
        sum[Y] += m * y;
        sum[Z] += m * z;
        sum[VX] += m * v[0];
        sum[VY] += m * v[1];
        sum[VZ] += m * v[2];
        sum[LX] += m * (y * v[2] - z * v[1]);
        sum[LY] += m * (z * v[0] - x * v[2]);
        sum[LZ] += m * (x * v[1] - y * v[0]);
        sum[XX] += m * x * x;
        sum[YY] += m * y * y;
        sum[ZZ] += m * z * z;
        sum[XY] += m * x * y;
        sum[YZ] += m * y * z;
        sum[ZX] += m * z * x;
    }
}

/* Adds moments taken about a point that lies at d from where `sum` takes them. */
static void add_moved(double *sum, const double *from, double dx, double dy, double dz)
{
    double m = from[MASS], x = from[X], y = from[Y], z = from[Z];
    sum[MASS] += m;
    sum[X] += x + m * dx;
    sum[Y] += y + m * dy;
    sum[Z] += z + m * dz;
    for (int i = VX; i <= VZ; i++) sum[i] += from[i];
    sum[LX] += from[LX] + (dy * from[VZ] - dz * from[VY]);
    sum[LY] += from[LY] + (dz * from[VX] - dx * from[VZ]);
    sum[LZ] += from[LZ] + (dx * from[VY] - dy * from[VX]);
    sum[XX] += from[XX] + 2 * dx * x + m * dx * dx;
    sum[YY] += from[YY] + 2 * dy * y + m * dy * dy;
    sum[ZZ] += from[ZZ] + 2 * dz * z + m * dz * dz;
    sum[XY] += from[XY] + dx * y + dy * x + m * dx * dy;
    sum[YZ] += from[YZ] + dy * z + dz * y + m * dy * dz;
    sum[ZX] += from[ZX] + dz * x + dx * z + m * dz * dx;
}

/* Eigenvalues and eigenvectors (columns of q) of a symmetric 3 x 3 matrix, by Jacobi's rotations. */
static void eigen(double a[3][3], double q[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) q[i][j] = i == j;
    for (int turn = 0; turn < 24; turn++) {
        int    p = turn % 3, r = (p + 1) % 3;
        double off = a[p][r];
        if (off == 0) continue;
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

typedef struct rigid_motion {
    double centre[3], velocity[3], spin[3];
} rigid_motion;

/* The rigid motion with the same momentum and angular momentum; false if nothing moves. */
static bool rigid_part(const double *sum, rigid_motion *out)
{
    double m = sum[MASS];
    if (!(m > 0)) return false;
    for (int i = 0; i < 3; i++) {
        out->centre[i] = sum[X + i] / m;
        out->velocity[i] = sum[VX + i] / m;
        out->spin[i] = 0;
    }
    double central[16] = {0};
    add_moved(central, sum, -out->centre[0], -out->centre[1], -out->centre[2]);
    double I[3][3] = {{central[YY] + central[ZZ], -central[XY], -central[ZX]},
                      {-central[XY], central[XX] + central[ZZ], -central[YZ]},
                      {-central[ZX], -central[YZ], central[XX] + central[YY]}};
    double q[3][3], largest = 0;
    eigen(I, q);
    for (int i = 0; i < 3; i++) largest = I[i][i] > largest ? I[i][i] : largest;
    for (int i = 0; i < 3; i++) {
        if (!(I[i][i] > 1e-9 * largest)) continue;
        double along = (q[0][i] * central[LX] + q[1][i] * central[LY] + q[2][i] * central[LZ]) / I[i][i];
        for (int k = 0; k < 3; k++) out->spin[k] += q[k][i] * along;
    }
    return true;
}

/* Moves the velocities of chunks [first, first + count) towards a rigid motion about `o`. */
static void towards_rigid(pliant_solver *s, uint32_t first, uint32_t count, const rigid_motion *r, pliant_vec3 o, double k)
{
    for (uint32_t i = first; i < first + count; i++) {
        const pliant__chunk *chunk = &s->model->chunks[i];
        for (uint32_t slot = chunk->first; slot < chunk->first + chunk->count; slot++) {
            const pliant_real *p = s->state->x + 4 * (size_t)slot;
            pliant_real       *v = s->damped_v + 4 * (size_t)slot;
            if (p[3] == 0) continue;
            double d[3] = {(double)p[0] - (double)o.x - r->centre[0], (double)p[1] - (double)o.y - r->centre[1],
                           (double)p[2] - (double)o.z - r->centre[2]};
            double rigid[3] = {r->velocity[0] + r->spin[1] * d[2] - r->spin[2] * d[1],
                               r->velocity[1] + r->spin[2] * d[0] - r->spin[0] * d[2],
                               r->velocity[2] + r->spin[0] * d[1] - r->spin[1] * d[0]};
            for (int c = 0; c < 3; c++) v[c] = (pliant_real)((double)v[c] + k * (rigid[c] - (double)v[c]));
        }
    }
}

static double share_of(double rate, double h) { return 1 - pliant__exp(-rate * h); }

static void damp_bodies(pliant_solver *s, double seconds)
{
    const pliant_model *m = s->model;
    uint32_t            count = (uint32_t)model_count(m, chunks);
    for (uint32_t first = 0, end; first < count; first = end) {
        const pliant__model_body *b = &m->bodies[m->chunks[first].body];
        for (end = first + 1; end < count && m->chunks[end].body == m->chunks[first].body;) end++;
        if (!(b->damping > 0)) continue;
        double       sum[16] = {0};
        rigid_motion r;
        for (uint32_t i = first; i < end; i++) add_moved(sum, s->chunks[i].sums, 0, 0, 0);
        if (rigid_part(sum, &r)) towards_rigid(s, first, end - first, &r, origin_of(s, first), share_of((double)b->damping, seconds));
    }
}

static void damp_system(pliant_solver *s, double seconds)
{
    uint32_t     count = (uint32_t)model_count(s->model, chunks);
    double       sum[16] = {0};
    rigid_motion r;
    pliant_vec3  o = count ? origin_of(s, 0) : v3(0, 0, 0);
    for (uint32_t i = 0; i < count; i++) {
        pliant_vec3 p = origin_of(s, i);
        add_moved(sum, s->chunks[i].sums, (double)p.x - (double)o.x, (double)p.y - (double)o.y, (double)p.z - (double)o.z);
    }
    if (rigid_part(sum, &r)) towards_rigid(s, 0, count, &r, o, share_of((double)s->model->header->damping, seconds));
}

void pliant__damp(pliant_solver *s, pliant_real *velocities, double seconds)
{
    const pliant_model *m = s->model;
    uint32_t            count = (uint32_t)model_count(m, chunks);
    bool                bodies = false;
    s->damped_v = velocities;
    for (size_t b = 0; b < model_count(m, bodies); b++) bodies = bodies || m->bodies[b].damping > 0;
    if (bodies) {
        pliant__run_light(s, sum_chunk, count);
        damp_bodies(s, seconds);
    }
    if (m->header->damping > 0) {
        pliant__run_light(s, sum_chunk, count);
        damp_system(s, seconds);
    }
}

void pliant__stage_damping(pliant_solver *s) { pliant__damp(s, s->state->v, s->h); }
