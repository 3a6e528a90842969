/* pliant selftest: small problems with known answers, solved by this copy on this machine.
 *
 * Each row is a number: the expected value, the result, how far apart they may be in float32 and in float64, and the source of the number.
 * The tolerances of float32 are rounding bounds: a position near 1 m is known to 6e-8, so a stretch of a millimetre to some 1e-4 of itself,
 * and a velocity (a difference of positions over a step) to 6e-8 / h. */
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- a scene of a few particles, run in one piece ---- */

typedef struct world {
    pliant_scene  *scene;
    pliant_model  *model;
    pliant_state  *state;
    pliant_inputs *inputs;
    pliant_solver *solver;
    pliant_body    body;
    double         dt;
    pliant_error   error;
    bool           failed;
} world;

static pliant_vec3 vec(double x, double y, double z) { return (pliant_vec3){(pliant_real)x, (pliant_real)y, (pliant_real)z}; }

static void must(world *w, bool good)
{
    if (!good) w->failed = true;
}

static pliant_scene_def plain(uint32_t substeps, uint32_t iterations, double gravity)
{
    pliant_scene_def def = pliant_scene_def_default();
    def.substeps = substeps;
    def.iterations = iterations;
    def.gravity = vec(0, -gravity, 0);
    def.order = PLIANT_ORDER_GIVEN;
    return def;
}

static world start_with(const pliant_scene_def *def)
{
    world w = {.dt = 1};
    w.scene = pliant_scene_create(def, &w.error);
    must(&w, w.scene != NULL);
    return w;
}

/* `drag`: 1/s, to bring the particles to rest. */
static world start_slowed(uint32_t substeps, uint32_t iterations, double gravity, double drag)
{
    pliant_scene_def def = plain(substeps, iterations, gravity);
    def.drag = (pliant_real)drag;
    return start_with(&def);
}

static world start(uint32_t substeps, uint32_t iterations, double gravity) { return start_slowed(substeps, iterations, gravity, 0); }

/* Particles with inverse masses; velocities may be NULL. */
static void add_particles(world *w, const pliant_vec3 *x, const pliant_vec3 *v, const pliant_real *inverse_masses, size_t count,
                          double damping)
{
    if (w->failed) return;
    pliant_particles_def def = pliant_particles_def_default();
    def.positions = x;
    def.velocities = v;
    def.inverse_masses = inverse_masses;
    def.count = count;
    def.material.damping = (pliant_real)damping;
    w->body = pliant_scene_add_particles(w->scene, &def, &w->error);
    must(w, w->body.id != 0);
}

static void add_constraint(world *w, pliant_constraint_kind kind, const uint32_t *ids, double rest, const pliant_law *law)
{
    if (w->failed) return;
    pliant_constraint_def def = pliant_constraint_def_default(kind);
    for (uint32_t i = 0; i < pliant_constraint_describe(kind)->slots; i++) def.particles[i] = (pliant_particle){w->body, ids[i]};
    def.parameters[0] = (pliant_real)rest;
    if (law) def.law = *law;
    must(w, pliant_scene_add_constraint(w->scene, &def, &w->error).id != 0);
}

static void add_distance(world *w, uint32_t a, uint32_t b, double rest, const pliant_law *law)
{
    uint32_t ids[2] = {a, b};
    add_constraint(w, PLIANT_CONSTRAINT_DISTANCE, ids, rest, law);
}

/* `steps` steps of dt seconds. */
static void run_steps(world *w, uint32_t steps, double dt)
{
    if (w->failed) return;
    pliant_solver_def def = pliant_solver_def_default();
    w->dt = dt;
    if (!w->model) w->model = pliant_scene_compile(w->scene, &w->error);
    if (w->model && !w->state) w->state = pliant_state_create(w->model, &w->error);
    if (w->model && !w->inputs) w->inputs = pliant_inputs_create(w->model, &w->error);
    if (w->model && !w->solver) w->solver = pliant_solver_create(w->model, &def, &w->error);
    must(w, w->state && w->inputs && w->solver);
    for (uint32_t i = 0; i < steps && !w->failed; i++)
        must(w, pliant_inputs_reset(w->inputs, dt) == PLIANT_OK && pliant_solver_step(w->solver, w->state, w->inputs) == PLIANT_OK);
}

static pliant_vec3 position(world *w, uint32_t vertex)
{
    pliant_vec3 x = {0, 0, 0};
    if (!w->failed) must(w, pliant_state_positions(w->state, w->body, vertex, 1, &x) == PLIANT_OK);
    return x;
}

static pliant_vec3 velocity(world *w, uint32_t vertex)
{
    pliant_vec3 v = {0, 0, 0};
    if (!w->failed) must(w, pliant_state_velocities(w->state, w->body, vertex, 1, &v) == PLIANT_OK);
    return v;
}

static double finish(world *w, double found)
{
    bool failed = w->failed;
    pliant_solver_destroy(w->solver);
    pliant_inputs_destroy(w->inputs);
    pliant_state_destroy(w->state);
    pliant_model_destroy(w->model);
    pliant_scene_destroy(w->scene);
    return failed ? NAN : found;
}

static pliant_law law_of(double compliance, double stiffness, double damping)
{
    pliant_law law = pliant_law_default();
    law.compliance = (pliant_real)compliance;
    law.stiffness = (pliant_real)stiffness;
    law.damping = (pliant_real)damping;
    return law;
}

/* ---- the problems; `which` picks a variant or one number of several ---- */

/* Two particles 2 m apart, one held, rest 1: after n iterations (1 - k')^n is left of the stretch. */
static double effective_stiffness(int which)
{
    static const struct {
        double   k;
        uint32_t n;
    } cases[] = {{0.5, 10}, {0.9, 4}, {0.9, 20}};
    pliant_vec3 x[2] = {vec(0, 0, 0), vec(2, 0, 0)};
    pliant_real m[2] = {0, 1};
    pliant_law  law = law_of(0, cases[which].k, 0);
    world       w = start(1, cases[which].n, 0);
    add_particles(&w, x, NULL, m, 2, 0);
    add_distance(&w, 0, 1, 1, &law);
    run_steps(&w, 1, 1.0 / 60);
    double left = (double)position(&w, 1).x - 1;
    return finish(&w, 1 - pow(left, 1.0 / cases[which].n));
}

/* A mass hanging on one PBD constraint of stiffness 0.5. */
static double pbd_sag(int which)
{
    pliant_vec3 x[2] = {vec(0, 0, 0), vec(0, -1, 0)};
    pliant_real m[2] = {0, 1};
    pliant_law  law = law_of(0, 0.5, 0);
    world       w = start(1, which == 1 ? 10 : 1, 10);
    add_particles(&w, x, NULL, m, 2, 0);
    add_distance(&w, 0, 1, 1, &law);
    run_steps(&w, 2000, which == 2 ? 1.0 / 120 : 1.0 / 60);
    return finish(&w, -1 - (double)position(&w, 1).y);
}

static double two_masses(int which)
{
    pliant_vec3 x[2] = {vec(0, 0, 0), vec(3, 0, 0)};
    pliant_real m[2] = {1, (pliant_real)0.5};
    world       w = start(1, 1, 0);
    add_particles(&w, x, NULL, m, 2, 0);
    add_distance(&w, 0, 1, 1, NULL);
    run_steps(&w, 1, 1.0 / 60);
    double a = (double)position(&w, 0).x, b = (double)position(&w, 1).x;
    return finish(&w, which == 0 ? a : which == 1 ? b : (a + 2 * b) / 3);
}

/* Six volumes of the tetrahedron (0,0,0) (1,0,0) (0,1,0) (0,0,2), rest 1/6, after which + 1 projections; or, from 10, coordinates
 * after one. */
static double tetrahedron(int which)
{
    pliant_vec3    x[4] = {vec(0, 0, 0), vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 2)};
    pliant_real    m[4] = {1, 1, 1, 1};
    const uint32_t ids[4] = {0, 1, 2, 3};
    world          w = start(1, which < 10 ? (uint32_t)which + 1 : 1, 0);
    add_particles(&w, x, NULL, m, 4, 0);
    add_constraint(&w, PLIANT_CONSTRAINT_TET_VOLUME, ids, 1.0 / 6, NULL);
    run_steps(&w, 1, 1.0 / 60);
    double p[4][3];
    for (uint32_t i = 0; i < 4; i++) {
        pliant_vec3 q = position(&w, i);
        p[i][0] = (double)q.x, p[i][1] = (double)q.y, p[i][2] = (double)q.z;
    }
    if (which == 10) return finish(&w, p[0][0]);
    if (which == 11) return finish(&w, p[0][2]);
    if (which == 12) return finish(&w, p[1][0]);
    if (which == 13) return finish(&w, p[3][2]);
    double e[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) e[i][k] = p[i + 1][k] - p[0][k];
    return finish(&w, e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
                          e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]));
}

/* The rest of C, to first order, with one heavy corner; in units of 6V. */
static double heavy_corner(int which)
{
    (void)which;
    static const double x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 2}}, m[4] = {1, 1, 1, 0.1};
    pliant_eval_input   in;
    pliant_eval_output  out;
    memset(&in, 0, sizeof in);
    in.law = pliant_law_default();
    in.dt = 1;
    in.parameters[0] = (pliant_real)(1.0 / 6);
    for (int i = 0; i < 4; i++) {
        in.w[i] = (pliant_real)m[i];
        for (int k = 0; k < 3; k++) in.x[i][k] = in.start[i][k] = (pliant_real)x[i][k];
    }
    if (pliant_constraint_eval(PLIANT_CONSTRAINT_TET_VOLUME, &in, &out) != PLIANT_OK) return NAN;
    double left = (double)out.C[0];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) left += (double)out.gradient[0][i][k] * (double)out.dx[i][k];
    return 6 * left;
}

static double strain_limit(int which)
{
    pliant_vec3 x[2] = {vec(0, 0, 0), vec(which == 2 ? 1.05 : 1.5, 0, 0)};
    pliant_real m[2] = {1, 1};
    pliant_law  law = pliant_law_default();
    law.limited = true;
    law.limit = PLIANT_RANGE;
    law.range_min = (pliant_real)0.9;
    law.range_max = (pliant_real)1.1;
    world w = start(1, 1, 0);
    add_particles(&w, x, NULL, m, 2, 0);
    add_distance(&w, 0, 1, 1, &law);
    run_steps(&w, 1, 1.0 / 60);
    double a = (double)position(&w, 0).x, b = (double)position(&w, 1).x;
    return finish(&w, which == 1 ? a : b - a);
}

/* One Gauss-Seidel sweep over the chain 0, 1.5, 3 with rest 1; from 3: the other way round. */
static double sweep(int which)
{
    pliant_vec3 x[3] = {vec(0, 0, 0), vec(1.5, 0, 0), vec(3, 0, 0)};
    pliant_real m[3] = {1, 1, 1};
    world       w = start(1, 1, 0);
    add_particles(&w, x, NULL, m, 3, 0);
    for (int i = 0; i < 2; i++) {
        uint32_t first = (uint32_t)(which < 3 ? i : 1 - i);
        add_distance(&w, first, first + 1, 1, NULL);
    }
    run_steps(&w, 1, 1.0 / 60);
    return finish(&w, (double)position(&w, (uint32_t)which % 3).x);
}

/* A square that turns and grows, damped for one step by a quarter of the motion that is not rigid. */
static double damped_square(int which)
{
    pliant_vec3 x[4] = {vec(1, 0, 0), vec(-1, 0, 0), vec(0, 1, 0), vec(0, -1, 0)}, v[4];
    pliant_real m[4] = {1, 1, 1, 1};
    double      h = 1.0 / 64;
    for (int i = 0; i < 4; i++) v[i] = vec(-2 * (double)x[i].y + 0.3 * (double)x[i].x, 2 * (double)x[i].x + 0.3 * (double)x[i].y, 0);
    world w = start(1, 1, 0);
    add_particles(&w, x, v, m, 4, -log(0.75) / h);
    run_steps(&w, 1, h);
    pliant_vec3 after = velocity(&w, 0);
    return finish(&w, which == 0 ? (double)after.x : (double)after.y);
}

/* A mass hanging on one XPBD constraint. */
static double xpbd_sag(int which)
{
    pliant_vec3 x[2] = {vec(0, 0, 0), vec(0, -1, 0)};
    pliant_real m[2] = {0, 1};
    pliant_law  law = law_of(1e-3, 1, 0);
    world       w = start(1, which == 1 ? 10 : 1, 10);
    add_particles(&w, x, NULL, m, 2, 0);
    add_distance(&w, 0, 1, 1, &law);
    run_steps(&w, which == 2 ? 30000 : 3000, which == 2 ? 1.0 / 600 : 1.0 / 60);
    return finish(&w, -1 - (double)position(&w, 1).y);
}

/* A tangle of internal constraints with unequal masses, violated: a step of 20 sweeps keeps its linear momentum. */
static const double tangle_w[5] = {1, 0.5, 2, 0.25, 4};
static const double tangle_x[5][3] = {{0, 0, 0}, {1.2, 0.1, 0}, {0.2, 0.9, 0.1}, {0.1, -0.2, 1.3}, {1.1, 1, 0.8}};
static const struct tangle {
    pliant_constraint_kind kind;
    uint32_t               ids[4];
    double                 rest, compliance;
} tangle[] = {
    {PLIANT_CONSTRAINT_DISTANCE, {0, 1}, 1, 0},
    {PLIANT_CONSTRAINT_DISTANCE, {1, 2}, 1, 1e-4},
    {PLIANT_CONSTRAINT_DISTANCE, {2, 3}, 1, 0},
    {PLIANT_CONSTRAINT_DISTANCE, {3, 4}, 1, 1e-4},
    {PLIANT_CONSTRAINT_DISTANCE, {4, 0}, 1.5, 0},
    {PLIANT_CONSTRAINT_TET_VOLUME, {0, 1, 2, 3}, 0.2, 0},
    {PLIANT_CONSTRAINT_TRIANGLE_AREA, {1, 2, 4}, 0.4, 1e-4},
    {PLIANT_CONSTRAINT_DIHEDRAL_ANGLE, {0, 4, 1, 2}, 0.3, 1e-4},
    {PLIANT_CONSTRAINT_TETHER, {3, 1}, 1, 0},
};
enum { TANGLE = sizeof tangle / sizeof *tangle };

static double linear_momentum(int which)
{
    (void)which;
    pliant_vec3 x[5], v[5];
    pliant_real m[5];
    double      change[3] = {0, 0, 0};
    world       w = start(1, 20, 0);
    for (int i = 0; i < 5; i++) {
        x[i] = vec(tangle_x[i][0], tangle_x[i][1], tangle_x[i][2]);
        v[i] = vec(0.1 * i - 0.2, 0.3 - 0.05 * i * i, 0.2 * (i % 2));
        m[i] = (pliant_real)tangle_w[i];
    }
    add_particles(&w, x, v, m, 5, 0);
    for (int c = 0; c < TANGLE; c++) {
        pliant_law law = law_of(tangle[c].compliance, 1, 0);
        add_constraint(&w, tangle[c].kind, tangle[c].ids, tangle[c].rest, &law);
    }
    run_steps(&w, 1, 1.0 / 60);
    for (uint32_t i = 0; i < 5; i++) {
        pliant_vec3 u = velocity(&w, i);
        change[0] += ((double)u.x - (double)v[i].x) / tangle_w[i];
        change[1] += ((double)u.y - (double)v[i].y) / tangle_w[i];
        change[2] += ((double)u.z - (double)v[i].z) / tangle_w[i];
    }
    return finish(&w, sqrt(change[0] * change[0] + change[1] * change[1] + change[2] * change[2]));
}

/* Projects one constraint of the tangle at x, and adds up the moment m x X dx of its corrections. */
static bool project(const struct tangle *t, double x[5][3], double moment[3])
{
    pliant_eval_input  in;
    pliant_eval_output out;
    uint32_t           slots = pliant_constraint_describe(t->kind)->slots;
    memset(&in, 0, sizeof in);
    in.law = law_of(t->compliance, 1, 0);
    in.dt = (pliant_real)(1.0 / 60);
    in.parameters[0] = (pliant_real)t->rest;
    for (uint32_t i = 0; i < slots; i++) {
        in.w[i] = (pliant_real)tangle_w[t->ids[i]];
        for (int k = 0; k < 3; k++) in.x[i][k] = in.start[i][k] = (pliant_real)x[t->ids[i]][k];
    }
    if (pliant_constraint_eval(t->kind, &in, &out) != PLIANT_OK) return false;
    for (uint32_t i = 0; i < slots; i++) {
        double *p = x[t->ids[i]], d[3] = {(double)out.dx[i][0], (double)out.dx[i][1], (double)out.dx[i][2]};
        for (int k = 0; k < 3; k++) moment[k] += (p[(k + 1) % 3] * d[(k + 2) % 3] - p[(k + 2) % 3] * d[(k + 1) % 3]) / tangle_w[t->ids[i]];
        for (int k = 0; k < 3; k++) p[k] += d[k];
    }
    return true;
}

/* Corrections have no moment about any point, at the positions at which they are made. */
static double angular_momentum(int which)
{
    (void)which;
    double x[5][3], moment[3] = {0, 0, 0};
    memcpy(x, tangle_x, sizeof x);
    for (int i = 0; i < 20 * TANGLE; i++)
        if (!project(&tangle[i % TANGLE], x, moment)) return NAN;
    return sqrt(moment[0] * moment[0] + moment[1] * moment[1] + moment[2] * moment[2]);
}

/* A block of eight particles on a plane through the origin that rises towards +x; `slope` is the tangent of the angle. */
static world block_on_slope(double tangent, double friction_static, double friction_dynamic, pliant_soft_def *def)
{
    world               w = start(10, 1, 10);
    double              c = 1 / sqrt(1 + tangent * tangent), s = tangent * c, half = sqrt((1 + c) / 2);
    pliant_collider_def plane = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    plane.pose.rotation = (pliant_quat){0, 0, (pliant_real)(s / (2 * half)), (pliant_real)half};
    plane.friction_static = (pliant_real)friction_static;
    plane.friction_dynamic = (pliant_real)friction_dynamic;
    *def = pliant_soft_def_default();
    def->cells[0] = def->cells[1] = def->cells[2] = 1;
    def->extent = vec(0.2, 0.2, 0.2);
    def->body.placement.rotation = plane.pose.rotation;
    def->body.placement.position = vec(-0.1 * s, 0.1 * c, 0);
    def->material.density = 1000;
    def->material.young = 0; /* a rigid block */
    def->material.friction_static = -1;
    must(&w, pliant_scene_add_collider(w.scene, &plane, &w.error).id != 0);
    w.body = pliant_scene_add_soft(w.scene, def, &w.error);
    must(&w, w.body.id != 0);
    return w;
}

/* Mean distance that the block has gone down the slope. */
static double gone_down(world *w, double tangent, const pliant_vec3 *from)
{
    double c = 1 / sqrt(1 + tangent * tangent), s = tangent * c, sum = 0;
    for (uint32_t i = 0; i < 8; i++) {
        pliant_vec3 p = position(w, i);
        sum += -((double)p.x - (double)from[i].x) * c - ((double)p.y - (double)from[i].y) * s;
    }
    return sum / 8;
}

static double slope(int which)
{
    pliant_soft_def def;
    double          tangent = which == 0 ? 0.3 : 0.5;
    world           w = which == 0 ? block_on_slope(tangent, 0.6, 0.6, &def) : block_on_slope(tangent, 0.2, 0.2, &def);
    pliant_vec3     from[8];
    run_steps(&w, 0, 1.0 / 60);
    for (uint32_t i = 0; i < 8; i++) from[i] = position(&w, i);
    run_steps(&w, which == 0 ? 600 : 60, 1.0 / 60);
    double gone = gone_down(&w, tangent, from);
    return finish(&w, which == 0 ? fabs(gone) : 2 * gone); /* a = 2 s / t^2, t = 1 s */
}

/* How high a ball dropped from 1 m rises. */
static double bounce(int which)
{
    (void)which;
    pliant_vec3         x[1] = {vec(0, 1, 0)};
    pliant_real         m[1] = {1};
    world               w = start(20, 1, 10);
    pliant_collider_def plane = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    plane.restitution = (pliant_real)0.5;
    must(&w, pliant_scene_add_collider(w.scene, &plane, &w.error).id != 0);
    add_particles(&w, x, NULL, m, 1, 0);
    double highest = 0;
    run_steps(&w, 36, 1.0 / 60); /* falls for 0.447 s, rises for 0.224 s */
    for (int i = 0; i < 12; i++) {
        run_steps(&w, 1, 1.0 / 60);
        double y = (double)position(&w, 0).y;
        if (y > highest) highest = y;
    }
    return finish(&w, highest);
}

/* x_n = x_0 + n v_0 h + g h^2 n (n + 1) / 2 */
static double flight(int which)
{
    pliant_vec3 x[1] = {vec(0, 10, 0)}, v[1] = {vec(2, 3, 0)};
    pliant_real m[1] = {1};
    world       w = start(1, 1, 10);
    add_particles(&w, x, v, m, 1, 0);
    run_steps(&w, 60, 1.0 / 60);
    pliant_vec3 p = position(&w, 0);
    return finish(&w, which == 0 ? (double)p.x : (double)p.y);
}

/* A damped XPBD spring after 60 steps: position, then velocity; from 2 with ten iterations. */
static double damped_spring(int which)
{
    pliant_vec3 x[2] = {vec(0, 0, 0), vec(1.5, 0, 0)};
    pliant_real m[2] = {0, 1};
    pliant_law  law = law_of(1e-3, 1, 10);
    world       w = start(1, which < 2 ? 1 : 10, 0);
    add_particles(&w, x, NULL, m, 2, 0);
    add_distance(&w, 0, 1, 1, &law);
    run_steps(&w, 60, 1.0 / 60);
    return finish(&w, which % 2 == 0 ? (double)position(&w, 1).x - 1 : (double)velocity(&w, 1).x);
}

/* A mass on a rod, one step of 0.1 s from (1, -1): predicted at (1, -1.1), then drawn back to the length of the rod, towards the other end. */
static double rod(int which)
{
    pliant_vec3 x[2] = {vec(0, 0, 0), vec(1, -1, 0)};
    pliant_real m[2] = {0, 1};
    world       w = start(1, 1, 10);
    add_particles(&w, x, NULL, m, 2, 0);
    add_distance(&w, 0, 1, sqrt(2), NULL);
    run_steps(&w, 1, 0.1);
    pliant_vec3 p = position(&w, 1);
    return finish(&w, which == 0 ? (double)p.x : (double)p.y);
}

/* The same rod by newton with the gradient at the start: x and y after one step of 0.1, 1/60 and 1/1000 s, then lambda of the last one for
 * C = |d|^2 - 2, from the force along a gradient of length 2 sqrt 2. */
static double exact_rod(int which)
{
    static const double     steps[] = {0.1, 1.0 / 60, 1e-3, 1e-3};
    const pliant_constraint only = {1};
    const double            h = steps[which / 2];
    pliant_vec3             x[2] = {vec(0, 0, 0), vec(1, -1, 0)};
    pliant_real             m[2] = {0, 1}, force[PLIANT_MAX_ROWS];
    pliant_method_def       method = pliant_method_def_default();
    pliant_solver_def       def = pliant_solver_def_default();
    world                   w = start(1, 1, 10);
    add_particles(&w, x, NULL, m, 2, 0);
    add_distance(&w, 0, 1, sqrt(2), NULL);
    method.method = PLIANT_METHOD_NEWTON;
    def.method = &method;
    def.measure = true;
    if (!w.failed) w.model = pliant_scene_compile(w.scene, &w.error);
    if (w.model) w.solver = pliant_solver_create(w.model, &def, &w.error);
    run_steps(&w, 1, h);
    if (which == 6) {
        must(&w, pliant_solver_force(w.solver, only, force) == 1);
        return finish(&w, w.failed ? 0 : (double)force[0] * h * h / sqrt(8));
    }
    pliant_vec3 p = position(&w, 1);
    return finish(&w, which % 2 == 0 ? (double)p.x : (double)p.y);
}

/* A spring of 1 Hz, let go at amplitude 1: the amplitude after 60 steps of 1, 5 or 10 substeps. */
#define OMEGA (2 * 3.14159265358979323846)

static world spring(uint32_t substeps, pliant_integration integration)
{
    pliant_vec3      x[2] = {vec(0, 0, 0), vec(4, 0, 0)};
    pliant_real      m[2] = {0, 1};
    pliant_law       law = law_of(1 / (OMEGA * OMEGA), 1, 0);
    pliant_scene_def def = plain(substeps, 1, 0);
    def.integration = integration;
    world w = start_with(&def);
    add_particles(&w, x, NULL, m, 2, 0);
    add_distance(&w, 0, 1, 3, &law);
    return w;
}

static double amplitude(world *w)
{
    double stretch = (double)position(w, 1).x - 3, speed = (double)velocity(w, 1).x;
    return sqrt(stretch * stretch + speed * speed / (OMEGA * OMEGA));
}

static double oscillator(int which)
{
    static const uint32_t substeps[] = {1, 5, 10};
    world                 w = spring(substeps[which], PLIANT_INTEGRATION_FIRST_ORDER);
    run_steps(&w, 60, 1.0 / 60);
    return finish(&w, amplitude(&w));
}

/* Likewise with BDF2, one substep: 0 the amplitude after the first second, 1 its share left a second later; from 2 with an exact second value. */
static double oscillator_bdf2(int which)
{
    const double h = 1.0 / 60;
    pliant_vec3  x = vec(3 + cos(OMEGA * h), 0, 0), v = vec(OMEGA * sin(OMEGA * h), 0, 0);
    world        w = spring(1, PLIANT_INTEGRATION_BDF2);
    run_steps(&w, 0, h);
    if (which >= 2 && !w.failed) must(&w, pliant_state_set_previous(w.state, w.body, 1, 1, h, &x, &v) == PLIANT_OK);
    run_steps(&w, 60, h);
    double first = amplitude(&w);
    run_steps(&w, which % 2 ? 60 : 0, h);
    return finish(&w, which % 2 ? amplitude(&w) / first : first);
}

/* Ten links of 0.15 m between pins one metre apart, from a V of that length, brought to rest. Nodes of the equilibrium: from 0, x of the
 * first one; 1, y of the first one; 2, y of the lowest one. */
static double chain(int which)
{
    enum { N = 10 };
    pliant_vec3 x[N + 1];
    pliant_real m[N + 1];
    for (int i = 0; i <= N; i++) {
        x[i] = vec(0.1 * i, -sqrt(0.15 * 0.15 - 0.1 * 0.1) * (i < N - i ? i : N - i), 0);
        m[i] = i % N ? 1 : 0;
    }
    world w = start_slowed(20, 1, 10, 3);
    add_particles(&w, x, NULL, m, N + 1, 0);
    for (uint32_t i = 0; i < N; i++) add_distance(&w, i, i + 1, 0.15, NULL);
    run_steps(&w, 900, 1.0 / 60);
    pliant_vec3 p = position(&w, which == 2 ? N / 2 : 1);
    return finish(&w, which == 0 ? (double)p.x : (double)p.y);
}

/* ---- the table ---- */

#define PBD "Müller et al. 2007"
#define XPBD "Macklin et al. 2016"
#define ARITHMETIC "closed form"
#define EXACT "closed form, G = g h^2: x, y = -G/2 +- sqrt(4 - G^2)/2"
#define BDF2 "Curtiss and Hirschfelder 1952"

static const struct row {
    const char *what;
    double      expected, float_tolerance, double_tolerance;
    double (*measure)(int which);
    int         which;
    const char *source;
} rows[] = {
    {"k' of k = 0.5, 10 iterations", 0.06696700846319259, 1e-6, 1e-13, effective_stiffness, 0, PBD ", 3.3"},
    {"k' of k = 0.9, 4 iterations", 0.43765867481, 1e-6, 1e-11, effective_stiffness, 1, PBD ", 3.3"},
    {"k' of k = 0.9, 20 iterations", 0.108749061866, 1e-6, 1e-12, effective_stiffness, 2, PBD ", 3.3"},
    {"stretch of a PBD hang, h = 1/60, 1 iteration", 10.0 / 3600, 3e-6, 1e-9, pbd_sag, 0, ARITHMETIC ": g h^2 (1 - k) / k"},
    {"stretch of a PBD hang, h = 1/60, 10 iterations", 10.0 / 3600, 3e-6, 1e-9, pbd_sag, 1, ARITHMETIC ": g h^2 (1 - k) / k"},
    {"stretch of a PBD hang, h = 1/120", 10.0 / 14400, 3e-6, 1e-9, pbd_sag, 2, ARITHMETIC ": g h^2 (1 - k) / k"},
    {"two masses, x1", 4.0 / 3, 5e-7, 1e-14, two_masses, 0, PBD ", eq. 10"},
    {"two masses, x2", 7.0 / 3, 5e-7, 1e-14, two_masses, 1, PBD ", eq. 11"},
    {"two masses, their centre", 2, 5e-7, 1e-14, two_masses, 2, PBD ", 3.3"},
    {"tetrahedron, x1 after a projection", 1.0 / 9, 1e-7, 1e-14, tetrahedron, 10, ARITHMETIC},
    {"tetrahedron, z1 after a projection", 1.0 / 18, 1e-7, 1e-14, tetrahedron, 11, ARITHMETIC},
    {"tetrahedron, x2 after a projection", 8.0 / 9, 2e-7, 1e-14, tetrahedron, 12, ARITHMETIC},
    {"tetrahedron, z4 after a projection", 35.0 / 18, 4e-7, 1e-14, tetrahedron, 13, ARITHMETIC},
    {"tetrahedron, 6V after 1 projection", 1.108367626886, 2e-6, 1e-12, tetrahedron, 0, "Newton's iteration, by hand"},
    {"tetrahedron, 6V after 2", 1.001567883937, 2e-6, 1e-12, tetrahedron, 1, "Newton's iteration, by hand"},
    {"tetrahedron, 6V after 3", 1.000000328534, 2e-6, 1e-12, tetrahedron, 2, "Newton's iteration, by hand"},
    {"tetrahedron, 6V after 4", 1, 2e-6, 1e-12, tetrahedron, 3, "Newton's iteration, by hand"},
    {"tetrahedron with a heavy corner, linear residual", 0, 1e-6, 1e-14, heavy_corner, 0, PBD ", eq. 8, with w outside the sum"},
    {"strain limit [0.9, 1.1] from 1.5: length", 1.1, 3e-7, 1e-14, strain_limit, 0, "Bender et al. 2017, 5.1"},
    {"strain limit [0.9, 1.1] from 1.5: each end", 0.2, 3e-7, 1e-14, strain_limit, 1, "Bender et al. 2017, 5.1"},
    {"strain limit [0.9, 1.1] from 1.05: length", 1.05, 2e-7, 1e-15, strain_limit, 2, "Bender et al. 2017, 5.1"},
    {"sweep of a chain, x1", 0.25, 3e-7, 1e-14, sweep, 0, PBD ", Gauss-Seidel"},
    {"sweep of a chain, x2", 1.625, 3e-7, 1e-14, sweep, 1, PBD ", Gauss-Seidel"},
    {"sweep of a chain, x3", 2.625, 3e-7, 1e-14, sweep, 2, PBD ", Gauss-Seidel"},
    {"sweep reversed, x1", 0.375, 3e-7, 1e-14, sweep, 3, PBD ", Gauss-Seidel"},
    {"sweep reversed, x2", 1.375, 3e-7, 1e-14, sweep, 4, PBD ", Gauss-Seidel"},
    {"sweep reversed, x3", 2.75, 3e-7, 1e-14, sweep, 5, PBD ", Gauss-Seidel"},
    {"damped square, radial speed", 0.225, 1e-5, 1e-12, damped_square, 0, PBD ", 3.5"},
    {"damped square, speed of turning", 2, 1e-5, 1e-12, damped_square, 1, PBD ", 3.5"},
    {"stretch of an XPBD hang, h = 1/60, 1 iteration", 0.01, 1e-5, 1e-10, xpbd_sag, 0, XPBD ": m g alpha"},
    {"stretch of an XPBD hang, h = 1/60, 10 iterations", 0.01, 1e-5, 1e-10, xpbd_sag, 1, XPBD ": m g alpha"},
    {"stretch of an XPBD hang, h = 1/600", 0.01, 1e-4, 1e-8, xpbd_sag, 2, XPBD ": m g alpha"},
    {"momentum of a closed system after 20 sweeps, change", 0, 1e-3, 1e-12, linear_momentum, 0, PBD ", 3.2"},
    {"moment of all corrections of 20 sweeps", 0, 1e-5, 1e-13, angular_momentum, 0, PBD ", 3.2"},
    {"block on tan 0.3, mu 0.6: creep in 10 s", 0, 1e-3, 1e-3, slope, 0, "Coulomb"},
    {"block on tan 0.5, mu 0.2: acceleration", 2.683281572999748, 0.06, 0.06, slope, 1, "Coulomb: g (sin - mu cos)"},
    {"ball dropped from 1 m, e = 0.5: rises to", 0.25, 0.0075, 0.0075, bounce, 0, "Newton: e^2 H, 3 %"},
    {"free flight, x after 60 steps", 2, 1e-4, 1e-12, flight, 0, ARITHMETIC ": x0 + n v0 h"},
    {"free flight, y after 60 steps", 10 + 3 - 10.0 / 3600 * 60 * 61 / 2, 1e-3, 1e-12, flight, 1, ARITHMETIC ": + g h^2 n (n + 1) / 2"},
    {"damped XPBD spring, x - 1 after 60 steps", -6.24795e-8, 3e-7, 1e-12, damped_spring, 0, XPBD ", eq. 26"},
    {"damped XPBD spring, v after 60 steps", -2.5550619e-4, 2e-5, 1e-10, damped_spring, 1, XPBD ", eq. 26"},
    {"the same with 10 iterations, x - 1", -6.24795e-8, 3e-7, 1e-12, damped_spring, 2, XPBD ", eq. 26"},
    {"the same with 10 iterations, v", -2.5550619e-4, 2e-5, 1e-10, damped_spring, 3, XPBD ", eq. 26"},
    {"mass on a rod, h = 0.1, x", 0.9513029883089882, 5e-7, 1e-14, rod, 0, PBD ", 3.3: sqrt 2 (1, -1.1) / |(1, -1.1)|"},
    {"mass on a rod, h = 0.1, y", -1.0464332871398871, 5e-7, 1e-14, rod, 1, PBD ", 3.3: sqrt 2 (1, -1.1) / |(1, -1.1)|"},
    {"exact rod, gradient at the start, h = 0.1, x", 0.9487492177719089, 3e-7, 1e-13, exact_rod, 0, EXACT},
    {"exact rod, h = 0.1, y", -1.0487492177719089, 3e-7, 1e-13, exact_rod, 1, EXACT},
    {"exact rod, h = 1/60, x", 0.9986101466044731, 3e-7, 1e-13, exact_rod, 2, EXACT},
    {"exact rod, h = 1/60, y", -1.001387924382251, 3e-7, 1e-13, exact_rod, 3, EXACT},
    {"exact rod, h = 1/1000, x", 0.9999949999875, 3e-7, 1e-13, exact_rod, 4, EXACT},
    {"exact rod, h = 1/1000, y", -1.0000049999875, 3e-7, 1e-13, exact_rod, 5, EXACT},
    {"exact rod, h = 1/1000, lambda of |d|^2 - 2", -2.50000625e-6, 3e-7, 1e-15, exact_rod, 6, EXACT},
    {"spring of 1 Hz, amplitude after 1 s, 1 substep", 0.7209424089106987, 5e-4, 1e-12, oscillator, 0,
     "backward Euler: (1 + (2 pi h)^2)^(-n / 2)"},
    {"spring of 1 Hz, 5 substeps", 0.9363340867353764, 5e-4, 1e-12, oscillator, 1, "backward Euler: (1 + (2 pi h)^2)^(-n / 2)"},
    {"spring of 1 Hz, 10 substeps", 0.9676383396352051, 5e-4, 1e-12, oscillator, 2, "backward Euler: (1 + (2 pi h)^2)^(-n / 2)"},
    {"spring of 1 Hz, BDF2, after 1 s, 1 substep", 0.9902319209786137, 1e-3, 1e-12, oscillator_bdf2, 0,
     BDF2 " after a step of backward Euler"},
    {"the same, what is left of that a second later", 0.9982457421269941, 1e-3, 1e-9, oscillator_bdf2, 1, BDF2 ": |z|^60"},
    {"the same from an exact second value", 0.9982457421269941, 1e-3, 1e-9, oscillator_bdf2, 3, BDF2 ": |z|^60"},
    {"hanging chain of ten links, x of its first node", 0.0622110905191137, 4e-4, 4e-4, chain, 0,
     "discrete catenary; 20 substeps leave some stretch"},
    {"hanging chain of ten links, y of its first node", -0.13649095287389065, 4e-4, 4e-4, chain, 1,
     "discrete catenary; 20 substeps leave some stretch"},
    {"hanging chain of ten links, its sag", -0.5059459315710845, 4e-4, 4e-4, chain, 2, "discrete catenary; 20 substeps leave some stretch"},
};

typedef struct selftest_options {
    cli_operands operands;
    bool         json;
} selftest_options;

static const cli_option options[] = {
    {.name = "json", .type = CLI_FLAG, .offset = offsetof(selftest_options, json), .text = "print one line of JSON per row"},
};

static void print_row(const struct row *row, double found, double tolerance, bool good, bool json)
{
    if (!json) {
        printf("%-4s  %-52s %19.12g %19.12g %9.2g %9.2g  %s\n", good ? "ok" : "FAIL", row->what, row->expected, found,
               fabs(found - row->expected), tolerance, row->source);
        return;
    }
    printf("{\"what\": ");
    cli_print_json_text(row->what);
    printf(", \"expected\": ");
    cli_print_json_number(row->expected, 17);
    printf(", \"found\": ");
    cli_print_json_number(found, 17);
    printf(", \"tolerance\": ");
    cli_print_json_number(tolerance, 17);
    printf(", \"good\": %s, \"source\": ", good ? "true" : "false");
    cli_print_json_text(row->source);
    printf("}\n");
}

static int run(const void *given)
{
    const selftest_options *o = given;
    size_t                  count = sizeof rows / sizeof *rows, failed = 0;
    bool                    is_double = pliant_build().real_bytes == 8;
    pliant_error            error = {0};
    if (!cli_can_simulate(&error)) return cli_fail(&error);
    if (!o->json) printf("%-4s  %-52s %19s %19s %9s %9s  %s\n", "", "what", "expected", "found", "error", "allowed", "source");
    for (size_t i = 0; i < count; i++) {
        double tolerance = is_double ? rows[i].double_tolerance : rows[i].float_tolerance;
        double found = rows[i].measure(rows[i].which);
        bool   good = fabs(found - rows[i].expected) <= tolerance;
        failed += !good;
        print_row(&rows[i], found, tolerance, good, o->json);
    }
    if (!o->json) printf("%zu of %zu numbers are right (%s)\n", count - failed, count, is_double ? "float64" : "float32");
    return failed ? CLI_CHECK_FAILED : CLI_GOOD;
}

const cli_verb cli_selftest = {
    "selftest",
    "",
    0,
    0,
    "check this copy against published numbers",
    "Solves small problems with known answers, and prints what was expected, what was found, how far apart they are, how far\n"
    "they may be, and where the number is from. Exit code 1 if one is wrong.",
    CLI_OPTIONS(options),
    sizeof(selftest_options),
    run};
