/* Energies of a state and the work that is done to it: closed forms, the balance, and that neither widths nor threads change a bit. */
#include "trial.h"

#include <math.h>
#include <string.h>

/* What is not what, of positions and laws, may be float's; everything that is added up is double. */
static void is_near(double a, double b, double relative) { assert_true(fabs(a - b) <= relative * fabs(b) + 1e-12); }

typedef struct run {
    pliant_scene  *scene;
    pliant_model  *model;
    pliant_solver *solver;
    pliant_state  *state;
    pliant_inputs *inputs;
} run;

static void begin(run *r, pliant_vec3 gravity, uint32_t substeps)
{
    pliant_scene_def def = pliant_scene_def_default();
    def.gravity = gravity;
    def.substeps = substeps;
    r->scene = pliant_scene_create(&def, NULL);
    assert_non_null(r->scene);
}

/* Whether this processor has it. */
static bool runs(uint32_t width)
{
    const pliant_vec3    x = {0, 0, 0};
    pliant_particles_def def = pliant_particles_def_default();
    pliant_solver_def    of = pliant_solver_def_default();
    def.positions = &x;
    def.count = 1;
    of.width = width;
    pliant_scene *scene = pliant_scene_create(NULL, NULL);
    pliant_scene_add_particles(scene, &def, NULL);
    pliant_model  *model = pliant_scene_compile(scene, NULL);
    pliant_solver *solver = pliant_solver_create(model, &of, NULL);
    const bool     can = solver != NULL;
    pliant_solver_destroy(solver);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
    return can;
}

static void ready(run *r, uint32_t width, uint32_t threads)
{
    pliant_error      error = {0};
    pliant_solver_def def = pliant_solver_def_default();
    def.energy = true;
    def.width = width;
    def.threads = threads;
    r->model = pliant_scene_compile(r->scene, &error);
    assert_non_null(r->model);
    r->solver = pliant_solver_create(r->model, &def, &error);
    r->state = pliant_state_create(r->model, &error);
    r->inputs = pliant_inputs_create(r->model, &error);
    assert_true(r->solver && r->state && r->inputs);
}

static pliant_energy step(run *r, double dt)
{
    assert_int_equal(pliant_inputs_reset(r->inputs, dt), PLIANT_OK);
    assert_int_equal(pliant_solver_step(r->solver, r->state, r->inputs), PLIANT_OK);
    return pliant_solver_statistics(r->solver).energy;
}

static void end(run *r)
{
    pliant_inputs_destroy(r->inputs);
    pliant_state_destroy(r->state);
    pliant_solver_destroy(r->solver);
    pliant_model_destroy(r->model);
    pliant_scene_destroy(r->scene);
}

static pliant_body add_masses(run *r, const pliant_vec3 *x, uint32_t count, double mass)
{
    pliant_particles_def def = pliant_particles_def_default();
    pliant_real          masses[2] = {(pliant_real)mass, (pliant_real)mass};
    def.positions = x;
    def.count = count;
    def.body.masses = masses;
    pliant_body body = pliant_scene_add_particles(r->scene, &def, NULL);
    assert_true(body.id != 0);
    return body;
}

/* m g y falls by what m v^2 / 2 gains, but for symplectic Euler's m g^2 h t / 2. */
static void free_fall(void **unused)
{
    (void)unused;
    const pliant_vec3 x = {0, 2, 0};
    run               r;
    pliant_energy     e = {0};
    begin(&r, (pliant_vec3){0, -10, 0}, 10);
    add_masses(&r, &x, 1, 3);
    ready(&r, 0, 1);
    for (int i = 0; i < 30; i++) e = step(&r, 1.0 / 60);
    is_near(e.kinetic, 0.5 * 3 * 25, 1e-5);
    is_near(e.gravity, 30 * (2 - 0.5 * 10 * 0.25 - 0.5 * 10 * 0.5 / 600), 1e-5);
    assert_true(e.elastic == 0 && e.work == 0);
    is_near(e.dissipated, 3 * 10 * 10 * (1.0 / 60) / 600 / 2, 0.05);
    end(&r);
}

/* What a distance of 1 m between two masses of 1e9 kg has at the start, J, where they are `length` m apart. */
static double energy_of_distance(double compliance, double stiffness, pliant_limit limit, double length)
{
    const pliant_vec3     x[2] = {{0, 0, 0}, {(pliant_real)length, 0, 0}};
    pliant_constraint_def def = pliant_constraint_def_default(PLIANT_CONSTRAINT_DISTANCE);
    run                   r;
    begin(&r, (pliant_vec3){0, 0, 0}, 1);
    const pliant_body body = add_masses(&r, x, 2, 1e9);
    for (uint32_t i = 0; i < 2; i++) def.particles[i] = (pliant_particle){body, i};
    def.parameters[0] = 1;
    def.law.compliance = (pliant_real)compliance;
    def.law.stiffness = (pliant_real)stiffness;
    def.law.limit = limit;
    def.law.limited = limit != PLIANT_EQUAL;
    if (limit == PLIANT_RANGE) {
        def.law.range_min = (pliant_real)0.95;
        def.law.range_max = (pliant_real)1.05;
    }
    assert_true(pliant_scene_add_constraint(r.scene, &def, NULL).id != 0);
    ready(&r, 0, 1);
    pliant_inputs_reset(r.inputs, 1.0 / 60);
    pliant_solver_step(r.solver, r.state, r.inputs); /* it may diverge: only where it began counts */
    const double begun = pliant_solver_statistics(r.solver).energy_before.elastic;
    end(&r);
    return begun;
}

static void rows_count_as_the_header_says(void **unused)
{
    (void)unused;
    const double rounding = sizeof(pliant_real) == 4 ? 1e-5 : 1e-12, h = 1.0 / 60; /* one substep a step */
    is_near(energy_of_distance(1e-3, 1, PLIANT_EQUAL, 1.25), 0.5 * 0.0625 / 1e-3, rounding);
    is_near(energy_of_distance(0, 1, PLIANT_EQUAL, 1.25), 0.5 * 0.0625 / (h * h * 2e-9), rounding);
    is_near(energy_of_distance(0, 0.25, PLIANT_EQUAL, 1.25), 0.25 * 0.5 * 0.0625 / (h * h * 2e-9), rounding);
    is_near(energy_of_distance(1e-13, 1, PLIANT_EQUAL, 1.25), 0.5 * 0.0625 / (h * h * 2e-9), rounding); /* stiffer than substeps make it */
    is_near(energy_of_distance(1e-3, 1, PLIANT_AT_MOST, 1.25), 0.5 * 0.0625 / 1e-3, rounding);
    assert_true(energy_of_distance(1e-3, 1, PLIANT_AT_MOST, 0.75) == 0);
    is_near(energy_of_distance(1e-3, 1, PLIANT_AT_LEAST, 0.75), 0.5 * 0.0625 / 1e-3, rounding);
    assert_true(energy_of_distance(1e-3, 1, PLIANT_AT_LEAST, 1.25) == 0);
    is_near(energy_of_distance(1e-3, 1, PLIANT_RANGE, 1.25), 0.5 * 0.04 / 1e-3, rounding * 10);
    is_near(energy_of_distance(1e-3, 1, PLIANT_RANGE, 0.75), 0.5 * 0.04 / 1e-3, rounding * 10);
    assert_true(energy_of_distance(1e-3, 1, PLIANT_RANGE, 1.04) == 0);
}

/* Three masses in a row: with the middle one split among two rows S is 3 w, not 2 w, so a third of rigid rows' energy is unresolved; of soft ones as
 * much as a sweep is beside them. */
static void rows_that_share_a_mass_may_have_less(void **unused)
{
    const double sweep = 1e-9 / 60 / 60, compliances[] = {0, 2 * sweep, 1e-3}; /* m/N: h^2 w */
    (void)unused;
    for (int soft = 0; soft < 3; soft++) {
        const double alpha = compliances[soft], most = alpha > 2 * sweep ? alpha : 2 * sweep, least = alpha + 3 * sweep;
        run          r;
        pliant_body  body[3];
        begin(&r, (pliant_vec3){0, 0, 0}, 1);
        for (int i = 0; i < 3; i++) {
            const pliant_vec3 x = {(pliant_real)(1.25 * i), 0, 0};
            body[i] = add_masses(&r, &x, 1, 1e9);
        }
        for (uint32_t i = 0; i < 2; i++) {
            pliant_constraint_def def = pliant_constraint_def_default(PLIANT_CONSTRAINT_DISTANCE);
            def.particles[0] = (pliant_particle){body[i], 0};
            def.particles[1] = (pliant_particle){body[i + 1], 0};
            def.parameters[0] = 1;
            def.law.compliance = (pliant_real)alpha;
            assert_true(pliant_scene_add_constraint(r.scene, &def, NULL).id != 0);
        }
        ready(&r, 0, 1);
        pliant_inputs_reset(r.inputs, 1.0 / 60);
        pliant_solver_step(r.solver, r.state, r.inputs);
        const pliant_energy e = pliant_solver_statistics(r.solver).energy_before;
        assert_true(e.elastic > 0);
        is_near(e.elastic, 2 * 0.5 * 0.0625 / most, 1e-5);
        is_near(e.elastic - e.unresolved, e.elastic * most / least, 1e-5);
        end(&r);
    }
}

static pliant_body add_block(run *r, double y)
{
    pliant_soft_def def = pliant_soft_def_default();
    def.cells[0] = def.cells[1] = def.cells[2] = 3;
    def.extent = (pliant_vec3){(pliant_real)0.3, (pliant_real)0.3, (pliant_real)0.3};
    def.body.placement.position = (pliant_vec3){0, (pliant_real)y, 0};
    def.material = pliant_material_preset(PLIANT_RUBBER);
    pliant_body body = pliant_scene_add_soft(r->scene, &def, NULL);
    assert_true(body.id != 0);
    return body;
}

/* A plane that comes at u gives the block momentum p and so does work u p, in however many impulses; what the block has no more is dissipated. */
static void a_plane_does_work_by_its_impulse(void **unused)
{
    (void)unused;
    run    r;
    double work = 0, dissipated = 0, kinetic = 0, mass = 0;
    begin(&r, (pliant_vec3){0, 0, 0}, 10);
    pliant_collider_def plane = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    plane.pose.position = (pliant_vec3){0, (pliant_real)-0.1, 0};
    pliant_collider c = pliant_scene_add_collider(r.scene, &plane, NULL);
    pliant_body     body = add_block(&r, 0.16);
    ready(&r, 0, 1);
    mass = pliant_model_body(r.model, body).mass;
    for (int i = 1; i <= 40; i++) {
        plane.pose.position.y = (pliant_real)(-0.1 + (i < 30 ? i : 29) / 60.0);
        pliant_inputs_reset(r.inputs, 1.0 / 60);
        pliant_inputs_collider(r.inputs, c, &plane.pose);
        assert_int_equal(pliant_solver_step(r.solver, r.state, r.inputs), PLIANT_OK);
        const pliant_energy e = pliant_solver_statistics(r.solver).energy;
        work += e.work;
        dissipated += e.dissipated;
        kinetic = e.kinetic + e.elastic;
    }
    assert_true(work > 0 && dissipated > 0);
    is_near(work, kinetic + dissipated, 1e-6);
    is_near(sqrt(2 * mass * kinetic), work, 0.02); /* p, u = 1 m/s; it moves all but rigidly then */
    end(&r);
}

/* A block and a plane, a block that falls on it: what each width and number of threads says. */
static pliant_energy energies_of_fall(uint32_t width, uint32_t threads, bool check)
{
    run           r;
    pliant_energy e = {0}, sum = {0};
    pliant_body   bodies[2];
    begin(&r, (pliant_vec3){0, (pliant_real)-9.81, 0}, 10);
    pliant_collider_def plane = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    pliant_scene_add_collider(r.scene, &plane, NULL);
    bodies[0] = add_block(&r, 0.3);
    bodies[1] = add_block(&r, 0.9);
    ready(&r, width, threads);
    for (int i = 0; i < 20; i++) e = step(&r, 1.0 / 60);
    for (int i = 0; i < 2; i++) {
        pliant_energy b;
        assert_int_equal(pliant_solver_energy(r.solver, bodies[i], &b), PLIANT_OK);
        sum.kinetic += b.kinetic;
        sum.gravity += b.gravity;
        sum.elastic += b.elastic;
        sum.unresolved += b.unresolved;
        sum.work += b.work;
        sum.dissipated += b.dissipated;
    }
    if (check) assert_memory_equal(&e, &sum, sizeof e);
    end(&r);
    return e;
}

static void bodies_add_up_and_bits_are_the_same(void **unused)
{
    (void)unused;
    const pliant_energy     e = energies_of_fall(1, 1, true);
    const pliant_build_info build = pliant_build();
    assert_true(e.elastic > 0);
    for (uint32_t i = 0; i < build.width_count; i++)
        for (uint32_t threads = 1; threads <= 3 && runs(build.widths[i]); threads += 2) {
            const pliant_energy other = energies_of_fall(build.widths[i], threads, true);
            assert_memory_equal(&other, &e, sizeof e);
        }
}

static void nothing_is_there_unless_asked_for(void **unused)
{
    (void)unused;
    const pliant_vec3 x = {0, 2, 0};
    run               r;
    pliant_energy     e;
    begin(&r, (pliant_vec3){0, -10, 0}, 10);
    pliant_body body = add_masses(&r, &x, 1, 3);
    ready(&r, 0, 1);
    pliant_solver_destroy(r.solver);
    r.solver = pliant_solver_create(r.model, NULL, NULL);
    e = step(&r, 1.0 / 60);
    assert_true(e.kinetic == 0 && e.gravity == 0 && e.dissipated == 0);
    assert_int_not_equal(pliant_solver_energy(r.solver, body, &e), PLIANT_OK);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(free_fall),
                                       cmocka_unit_test(rows_count_as_the_header_says),
                                       cmocka_unit_test(rows_that_share_a_mass_may_have_less),
                                       cmocka_unit_test(a_plane_does_work_by_its_impulse),
                                       cmocka_unit_test(bodies_add_up_and_bits_are_the_same),
                                       cmocka_unit_test(nothing_is_there_unless_asked_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
