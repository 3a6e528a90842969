/* What the tests of physics share. */
#include "trial.h"

#include "sample_scenes.h"

#ifdef PLIANT_CHOLMOD
#include "pliant/cholmod.h"
#endif

/* ---- running ---- */

void trial_begin_def(trial *w)
{
    pliant_error error = {PLIANT_OK, 0, "", ""};
    w->scene = pliant_scene_create(&w->def, &error);
    if (!w->scene) print_error("%s\n", error.message);
    assert_non_null(w->scene);
}

void trial_begin(trial *w, double g, uint32_t substeps, uint32_t iterations)
{
    memset(w, 0, sizeof *w);
    w->def = pliant_scene_def_default();
    w->def.gravity = vec(0, -g, 0);
    w->def.substeps = substeps;
    w->def.iterations = iterations;
    trial_begin_def(w);
}

const pliant_linear_solver *trial_linear(void)
{
#ifdef PLIANT_CHOLMOD
    return pliant_cholmod();
#else
    return NULL;
#endif
}

void trial_compile(trial *w)
{
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    pliant_solver_def def = pliant_solver_def_default();
    def.measure = true;
    def.linear = trial_linear();
    w->model = pliant_scene_compile(w->scene, &error);
    if (!w->model) print_error("%s\n", error.message);
    assert_non_null(w->model);
    w->state = pliant_state_create(w->model, &error);
    w->solver = pliant_solver_create(w->model, &def, &error);
    w->inputs = pliant_inputs_create(w->model, &error);
    assert_non_null(w->state);
    assert_non_null(w->solver);
    assert_non_null(w->inputs);
}

void trial_end(trial *w)
{
    pliant_inputs_destroy(w->inputs);
    pliant_solver_destroy(w->solver);
    pliant_state_destroy(w->state);
    pliant_model_destroy(w->model);
    pliant_scene_destroy(w->scene);
}

void trial_step(trial *w) { assert_int_equal(pliant_solver_step(w->solver, w->state, w->inputs), PLIANT_OK); }

void trial_run(trial *w, double dt, uint32_t count)
{
    assert_int_equal(pliant_inputs_reset(w->inputs, dt), PLIANT_OK);
    for (uint32_t i = 0; i < count; i++) trial_step(w);
}

/* ---- building ---- */

pliant_vec3 vec(double x, double y, double z)
{
    pliant_vec3 v = {R(x), R(y), R(z)};
    return v;
}

pliant_material plain_material(void) { return pliant_material_default(); }

pliant_body add_points(trial *w, size_t count, const double (*x)[3], const double (*v)[3], const double *inverse,
                       const pliant_material *material)
{
    static pliant_vec3   at[MAX_POINTS], moving[MAX_POINTS];
    static pliant_real   inverse_masses[MAX_POINTS];
    pliant_particles_def def = pliant_particles_def_default();
    pliant_error         error = {PLIANT_OK, 0, "", ""};
    assert_true(count <= MAX_POINTS);
    for (size_t i = 0; i < count; i++) {
        at[i] = vec(x[i][0], x[i][1], x[i][2]);
        moving[i] = v ? vec(v[i][0], v[i][1], v[i][2]) : vec(0, 0, 0);
        inverse_masses[i] = inverse ? R(inverse[i]) : 1;
    }
    def.positions = at;
    def.velocities = moving;
    def.inverse_masses = inverse_masses;
    def.count = count;
    if (material) def.material = *material;
    pliant_body body = pliant_scene_add_particles(w->scene, &def, &error);
    if (!body.id) print_error("%s\n", error.message);
    assert_int_not_equal(body.id, 0);
    return body;
}

pliant_law rigid(void) { return pliant_law_default(); }

pliant_law compliant(double alpha)
{
    pliant_law law = pliant_law_default();
    law.compliance = R(alpha);
    return law;
}

pliant_law stiff(double k)
{
    pliant_law law = pliant_law_default();
    law.stiffness = R(k);
    return law;
}

pliant_constraint add_link(trial *w, pliant_body body, pliant_constraint_kind kind, const uint32_t *ids, double parameter,
                           const pliant_law *law)
{
    pliant_constraint_def def = pliant_constraint_def_default(kind);
    pliant_error          error = {PLIANT_OK, 0, "", ""};
    for (uint32_t i = 0; i < pliant_constraint_describe(kind)->slots; i++) def.particles[i] = (pliant_particle){body, ids[i]};
    for (int i = 0; i < PLIANT_MAX_PARAMETERS; i++) def.parameters[i] = R(parameter);
    solid_parameters(kind, parameter, def.parameters);
    if (law) def.law = *law;
    pliant_constraint c = pliant_scene_add_constraint(w->scene, &def, &error);
    if (!c.id) print_error("%s\n", error.message);
    assert_int_not_equal(c.id, 0);
    return c;
}

pliant_constraint add_distance(trial *w, pliant_body body, uint32_t a, uint32_t b, double rest, const pliant_law *law)
{
    const uint32_t ids[2] = {a, b};
    return add_link(w, body, PLIANT_CONSTRAINT_DISTANCE, ids, rest, law);
}

pliant_body hang_cloth(trial *t, double tether, double compliance, uint32_t cells)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    uint32_t         top[64];
    def.cells_x = def.cells_z = cells;
    def.size_x = def.size_z = 1;
    def.body.placement.rotation = (pliant_quat){R(sqrt(0.5)), 0, 0, R(sqrt(0.5))}; /* z becomes -y: row 0 is the upper one */
    def.material.density = R(0.2);
    def.material.stretch = def.material.shear = compliant(compliance);
    def.material.drag = 2;
    def.bend = PLIANT_BEND_NONE;
    def.tether = R(tether);
    pliant_body body = pliant_scene_add_cloth(t->scene, &def, NULL);
    assert_int_not_equal(body.id, 0);
    for (uint32_t i = 0; i <= cells; i++) top[i] = i;
    assert_int_equal(pliant_scene_pin(t->scene, body, top, cells + 1, false, NULL), PLIANT_OK);
    return body;
}

pliant_collider_def plane_def(double slope, double friction_static, double friction_dynamic, double restitution)
{
    pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    def.pose.rotation = (pliant_quat){0, 0, R(-sin(slope / 2)), R(cos(slope / 2))};
    def.friction_static = R(friction_static);
    def.friction_dynamic = R(friction_dynamic);
    def.restitution = R(restitution);
    return def;
}

pliant_collider add_collider(trial *w, const pliant_collider_def *def)
{
    pliant_error    error = {PLIANT_OK, 0, "", ""};
    pliant_collider c = pliant_scene_add_collider(w->scene, def, &error);
    if (!c.id) print_error("%s\n", error.message);
    assert_int_not_equal(c.id, 0);
    return c;
}

/* ---- looking ---- */

void point_of(const trial *w, pliant_body body, uint32_t vertex, double x[3])
{
    pliant_vec3 p;
    assert_int_equal(pliant_state_positions(w->state, body, vertex, 1, &p), PLIANT_OK);
    x[0] = (double)p.x;
    x[1] = (double)p.y;
    x[2] = (double)p.z;
}

void speed_of(const trial *w, pliant_body body, uint32_t vertex, double v[3])
{
    pliant_vec3 p;
    assert_int_equal(pliant_state_velocities(w->state, body, vertex, 1, &p), PLIANT_OK);
    v[0] = (double)p.x;
    v[1] = (double)p.y;
    v[2] = (double)p.z;
}

uint32_t vertex_count(const trial *w, pliant_body body) { return pliant_model_body(w->model, body).vertex_count; }

double dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

void cross3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

double drift_of(const trial *w, pliant_body body)
{
    double momentum[3] = {0, 0, 0}, mass = 0;
    for (uint32_t i = 0; i < vertex_count(w, body); i++) {
        double      v[3];
        pliant_real inverse;
        speed_of(w, body, i, v);
        assert_int_equal(pliant_state_inverse_masses(w->state, body, i, 1, &inverse), PLIANT_OK);
        for (int k = 0; k < 3; k++) momentum[k] += v[k] / (double)inverse;
        mass += 1 / (double)inverse;
    }
    return length3(momentum) / mass;
}

double trial_ring(trial *w, pliant_body body)
{
    double most = 0;
    for (uint32_t i = 0; i < vertex_count(w, body); i++) {
        double x[3];
        point_of(w, body, i, x);
        const pliant_vec3 at = vec(1.1 * x[0], x[1] + 0.1 * x[0] * x[0], x[2]);
        assert_int_equal(pliant_state_set_positions(w->state, body, i, 1, &at), PLIANT_OK);
    }
    for (int step = 0; step < 100; step++) {
        trial_run(w, 1.0 / 60, 1);
        most = fmax(most, drift_of(w, body));
    }
    return most;
}

void trial_measure(trial *w)
{
    pliant_solver_def def = pliant_solver_def_default();
    def.energy = true;
    pliant_solver_destroy(w->solver);
    w->solver = pliant_solver_create(w->model, &def, NULL);
    assert_non_null(w->solver);
}

double trial_gain(trial *w, uint32_t steps)
{
    double        lowest = 0, worst = 0, turned = 0;
    pliant_energy before = {0};
    for (int frame = 0; frame < 60; frame++) {
        trial_run(w, 1.0 / 60 / steps, steps);
        const pliant_statistics s = pliant_solver_statistics(w->solver);
        if (frame == 0) before = s.energy_before;
        if (frame == 0) lowest = before.kinetic + before.elastic;
        turned += fabs(s.energy.kinetic - before.kinetic) + fabs(s.energy.elastic - before.elastic);
        worst = fmax(worst, (s.energy.kinetic + s.energy.elastic - s.energy.unresolved - lowest) / turned);
        lowest = fmin(lowest, s.energy.kinetic + s.energy.elastic);
        before = s.energy;
    }
    return worst;
}

double length3(const double a[3]) { return sqrt(dot3(a, a)); }

void near_at(double found, double expected, double bound, const char *what, const char *file, int line)
{
    if (fabs(found - expected) <= bound) return;
    print_error("%s: found %.17g, expected %.17g within %g (off by %g)\n", what, found, expected, bound, found - expected);
    _fail(file, line);
}

double chance(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 9007199254740992.0;
}
