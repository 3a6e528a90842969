/* Laws of contacts between bodies: what is pushed keeps its momentum; surfaces rest as far apart as they are thick; friction, restitution, adhesion and
 * rolling friction are what was said. */
#include "pair_scenes.h"

#include "compile/model.h"
#include "scene/draft.h"
#include "solver/solver.h"
#include "state/state.h"

/* ---- momentum ---- */

static void sum_momentum(const trial *w, double linear[3], double angular[3])
{
    for (size_t k = 0; k < 3; k++) linear[k] = angular[k] = 0;
    for (size_t i = 0; i < w->model->header->slot_count; i++) {
        const double inverse = (double)w->model->free_w[i];
        double       x[3], p[3], l[3];
        if (!(inverse > 0)) continue;
        for (size_t k = 0; k < 3; k++) x[k] = (double)w->state->x[4 * i + k], p[k] = (double)w->state->v[4 * i + k] / inverse;
        cross3(x, p, l);
        for (size_t k = 0; k < 3; k++) linear[k] += p[k], angular[k] += l[k];
    }
}

/* How much of the angular momentum is lost when two jellies meet; linear momentum stays to rounding. */
static double lost_in_impact(uint32_t substeps)
{
    trial    w;
    double   linear[2][3], angular[2][3], size = 0, lost = 0;
    uint32_t held = 0;
    trial_begin(&w, 0, substeps, 1);
    const pliant_body first = add_jelly(&w, 3, 0.3, 0.01, vec(-0.4, 0, 0), vec(1, 0, 0), false);
    add_jelly(&w, 4, 0.3, 0.01, vec(0.05, 0.1, 0.05), vec(-0.5, 0, 0), false);
    trial_compile(&w);
    for (size_t i = 0; i < w.model->header->slot_count; i++)
        if (w.model->free_w[i] > 0) size += fabs((double)w.state->v[4 * i]) / (double)w.model->free_w[i];
    sum_momentum(&w, linear[0], angular[0]);
    for (uint32_t step = 0; step < 40; step++) {
        trial_run(&w, DT, 1);
        held += pliant_solver_statistics(w.solver).particles_held;
    }
    sum_momentum(&w, linear[1], angular[1]);
    double v[3];
    speed_of(&w, first, 0, v);
    assert_true(v[0] < 0.9); /* they met */
    assert_int_equal(held, 0);
    for (size_t k = 0; k < 3; k++) {
        near(linear[1][k], linear[0][k], BOUND(1e-11, 0.02) * size); /* float32 rounds a jelly's small corrections */
        lost = fmax(lost, fabs(angular[1][k] - angular[0][k]));
    }
    trial_end(&w);
    return lost;
}

/* A row keeps angular momentum where it is projected; a substep of backward Euler loses some in an impact, in proportion to its length. */
static void momentum_is_kept(void **unused)
{
    (void)unused;
    const double coarse = lost_in_impact(5), fine = lost_in_impact(40);
    near(coarse, 0, 0.03);
    near(fine, 0, BOUND(coarse / 6, coarse)); /* float32 rounds the corrections of short substeps */
}

/* ---- thickness, restitution, friction ---- */

/* Two particles head on: they part with the share of their speed that restitution says, or stay together, and come no nearer than they are thick.
 * What is said of the pair counts, whatever the material says. */
static void particles_bounce(void **unused)
{
    (void)unused;
    static const double restitution[] = {0, 0.5, 1, 0, 0.5, 1};
    for (size_t i = 0; i < 6; i++) {
        trial        w;
        const double x[2][3] = {{-0.5, 0, 0}, {0.5, 0, 0}}, v[2][3] = {{1, 0, 0}, {-2, 0, 0}}, inverse[2] = {1, 2};
        double       least = 1, a[3], b[3];
        trial_begin(&w, 0, 10, 1);
        pliant_particles_def d = pliant_particles_def_default();
        pliant_vec3          at[2], speed[2];
        pliant_real          mass[2];
        for (size_t k = 0; k < 2; k++) at[k] = vec(x[k][0], 0, 0), speed[k] = vec(v[k][0], 0, 0), mass[k] = R(inverse[k]);
        d.positions = at;
        d.velocities = speed;
        d.inverse_masses = mass;
        d.count = 2;
        d.material = plain_material();
        d.material.thickness = R(0.1);
        d.material.restitution = R(i < 3 ? restitution[i] : 1 - restitution[i]);
        meets(&d.body, true);
        const pliant_body body = pliant_scene_add_particles(w.scene, &d, NULL);
        assert_int_not_equal(body.id, 0);
        if (i >= 3) say_pair(&w, body, body, -1, restitution[i]);
        trial_compile(&w);
        for (uint32_t step = 0; step < 60; step++) {
            trial_run(&w, DT, 1);
            point_of(&w, body, 0, a);
            point_of(&w, body, 1, b);
            if (b[0] - a[0] < least) least = b[0] - a[0];
        }
        near(least, 0.2, 0.2 * (restitution[i] > 0 ? 0.05 : BOUND(1e-9, 1e-5)));
        speed_of(&w, body, 0, a);
        speed_of(&w, body, 1, b);
        near(b[0] - a[0], 3 * restitution[i], BOUND(1e-9, 1e-4));
        near(a[0] / inverse[0] + b[0] / inverse[1], 0, BOUND(1e-9, 1e-4));
        trial_end(&w);
    }
}

/* What is nearer than the thickness when nothing has moved is let be: a sheet as thick as its edges are long lies still, and so does a rope, of which such
 * neighbours are rows. */
static void rest_distances_are_let_be(void **unused)
{
    (void)unused;
    trial w;
    trial_begin(&w, 0, 10, 1);
    add_sheet(&w, 8, 0.8, 0.1, vec(0, 0, 0), vec(0, 0, 0));
    add_rope(&w, vec(0, 3, 0), vec(1, 3, 0), 0.1, -1);
    trial_compile(&w);
    trial_run(&w, DT, 10);
    assert_true(pliant_solver_statistics(w.solver).pairs > 0);
    assert_true(pliant_solver_statistics(w.solver).pair_candidates > 0);
    for (size_t i = 0; i < 4 * (size_t)w.model->header->slot_count; i++)
        near((double)w.state->x[i], (double)w.model->x[i], BOUND(1e-12, 1e-5));
    trial_end(&w);
}

/* Neighbours that touch at 60 mm and are 71 mm apart at rest are no rows there, nor at 67 mm; they are at 64 mm and 57 mm. */
static void neighbours_are_rows_when_pressed(void **unused)
{
    (void)unused;
    static const double size[] = {1, 0.95, 0.9, 0.8};
    for (size_t n = 0; n < sizeof size / sizeof *size; n++) {
        trial       w;
        pliant_vec3 x[81];
        trial_begin(&w, 0, 1, 1);
        const pliant_body sheet = add_sheet(&w, 8, 0.8, 0.03, vec(0, 0, 0), vec(0, 0, 0));
        trial_compile(&w);
        pliant_state_positions(w.state, sheet, 0, 81, x);
        for (size_t i = 0; i < 81; i++) x[i] = v3_scale(x[i], R(size[n]));
        pliant_state_set_positions(w.state, sheet, 0, 81, x);
        trial_run(&w, DT, 1);
        const pliant_statistics found = pliant_solver_statistics(w.solver);
        assert_true(found.pair_candidates > 0);
        assert_int_equal(found.pairs > 0, size[n] < 0.92);
        trial_end(&w);
    }
}

/* A slab of jelly on a slope of cloth that is pinned everywhere: it stays below the angle of friction, and slides above it as Coulomb has it.
 * What is said of the pair counts, whatever the materials say. */
static void slabs_on_a_slope(void **unused)
{
    (void)unused;
    static const double friction[] = {0.3, 0.6, 0.3, 0.6}, slopes[] = {-0.05, 0.1}; /* radians beside the angle of friction */
    for (size_t f = 0; f < 4; f++)
        for (size_t k = 0; k < 2; k++) {
            const double     material = f < 2 ? friction[f] : 0.9 - friction[f];
            const double     slope = atan(friction[f]) + slopes[k], g = 9.81, h = 0.01;
            trial            w;
            double           x[3], y[3];
            pliant_cloth_def sheet = pliant_cloth_def_default();
            pliant_soft_def  slab = pliant_soft_def_default();
            trial_begin(&w, 0, 10, 1);
            pliant_scene_destroy(w.scene);
            w.def.gravity = vec(g * sin(slope), -g * cos(slope), 0); /* the slope lies flat */
            trial_begin_def(&w);
            sheet.cells_x = sheet.cells_z = 6;
            sheet.size_x = 6;
            sheet.size_z = 1;
            sheet.material = fabric(h);
            sheet.material.friction_static = sheet.material.friction_dynamic = R(material);
            sheet.body.fixed = true;
            sheet.body.placement.position = vec(2, 0, 0);
            meets(&sheet.body, false);
            slab.cells[0] = slab.cells[2] = 3;
            slab.cells[1] = 1;
            slab.extent = vec(0.3, 0.1, 0.3);
            slab.material = fabric(h);
            slab.material.density = 300;
            slab.material.friction_static = slab.material.friction_dynamic = R(material);
            slab.body.placement.position = vec(0, 2 * h + 0.05, 0);
            meets(&slab.body, false);
            const pliant_body slope_body = pliant_scene_add_cloth(w.scene, &sheet, NULL),
                              body = pliant_scene_add_soft(w.scene, &slab, NULL);
            assert_true(slope_body.id && body.id);
            if (f >= 2) say_pair(&w, body, slope_body, friction[f], -1);
            trial_compile(&w);
            point_of(&w, body, 0, x);
            trial_run(&w, DT, 60);
            point_of(&w, body, 0, y);
            const double gone = y[0] - x[0], a = g * (sin(slope) - friction[f] * cos(slope));
            if (slopes[k] < 0)
                near(gone, 0, 1e-3);
            else
                near(gone, a / 2, 0.02 * a / 2);
            trial_end(&w);
        }
}

/* How fast a slab of jelly or of cloth is after half a second, which begins at 4 m/s on a flat sheet of many triangles: in a substep it goes a third of what both
 * are thick together, and a seventh of an edge. */
static double slides_on_edges(bool cloth, double friction)
{
    const double     h = 0.01;
    trial            w;
    double           v[3];
    pliant_cloth_def ground = pliant_cloth_def_default(), sheet = pliant_cloth_def_default();
    pliant_soft_def  slab = pliant_soft_def_default();
    trial_begin(&w, 9.81, 10, 1);
    ground.cells_x = 60;
    ground.cells_z = 12;
    ground.size_x = 3;
    ground.size_z = R(0.6);
    ground.material = fabric(h);
    ground.material.friction_static = ground.material.friction_dynamic = R(friction);
    ground.body.fixed = true;
    ground.body.placement.position = vec(1, 0, 0);
    meets(&ground.body, false);
    assert_int_not_equal(pliant_scene_add_cloth(w.scene, &ground, NULL).id, 0);
    slab.cells[0] = slab.cells[2] = 3;
    slab.cells[1] = 1;
    slab.extent = vec(0.3, 0.1, 0.3);
    slab.material = sheet.material = ground.material;
    slab.material.density = 300;
    slab.body.placement.position = vec(0, 2 * h + 0.05, 0);
    sheet.cells_x = sheet.cells_z = 6;
    sheet.size_x = sheet.size_z = R(0.3);
    sheet.body.placement.position = vec(0, 2 * h, 0);
    slab.body.velocity = sheet.body.velocity = vec(4, 0, 0);
    meets(&slab.body, false);
    meets(&sheet.body, false);
    const pliant_body body = cloth ? pliant_scene_add_cloth(w.scene, &sheet, NULL) : pliant_scene_add_soft(w.scene, &slab, NULL);
    assert_int_not_equal(body.id, 0);
    trial_compile(&w);
    trial_run(&w, DT, 30);
    speed_of(&w, body, 0, v);
    trial_end(&w);
    return v[0];
}

/* A body that slides fast over edges is not braked by them: without friction it keeps its speed, and with it it loses mu g in a second. */
static void edges_do_not_brake(void **unused)
{
    (void)unused;
    static const double friction[] = {0, 0.3};
    for (size_t f = 0; f < 2; f++)
        for (int cloth = 0; cloth < 2; cloth++) near(slides_on_edges(cloth, friction[f]), 4 - friction[f] * 9.81 / 2, 0.02);
}

/* ---- adhesion ---- */

/* A particle of 1 kg that touches the middle of a triangle of a wide sheet, which stays where it is, at y = 0: below it, or beside it, as `g` pulls. */
static pliant_body touch_sheet(trial *w, pliant_vec3 g, double friction, double adhesion)
{
    const pliant_vec3    at = vec(0.3, -0.02, -0.2);
    pliant_cloth_def     sheet = pliant_cloth_def_default();
    pliant_particles_def d = pliant_particles_def_default();
    trial_begin(w, 0, 10, 1);
    pliant_scene_destroy(w->scene);
    w->def.gravity = g;
    trial_begin_def(w);
    sheet.cells_x = sheet.cells_z = 1;
    sheet.size_x = sheet.size_z = 40;
    sheet.material = fabric(0.01);
    sheet.body.fixed = true;
    meets(&sheet.body, false);
    d.positions = &at;
    d.count = 1;
    d.material = plain_material();
    d.material.thickness = R(0.01);
    meets(&d.body, false);
    const pliant_body other = pliant_scene_add_cloth(w->scene, &sheet, NULL), body = pliant_scene_add_particles(w->scene, &d, NULL);
    assert_true(body.id && other.id);
    say_sticky(w, other, body, friction, adhesion);
    trial_compile(w);
    return body;
}

/* A weight hangs under a sheet as long as it is less than what the contact holds on with, and is told to pull by it; else it falls, and is held back
 * only as long as it is near. */
static void what_holds_on_carries_a_weight(void **unused)
{
    (void)unused;
    static const double share[] = {1.1, 0.9, 0.5};
    const double        g = 9.81, reach = 0.25 * 0.02;
    for (size_t i = 0; i < 3; i++) {
        trial                       w;
        double                      x[3];
        pliant_pair_contact         contact;
        const pliant_body           body = touch_sheet(&w, vec(0, -g, 0), 0, share[i] * g);
        pliant_solver_def           def = pliant_solver_def_default();
        const pliant_contact_event *event;
        def.contacts = pliant_contact_log_create(w.model, NULL, NULL);
        assert_non_null(def.contacts);
        pliant_solver_destroy(w.solver);
        w.solver = pliant_solver_create(w.model, &def, NULL);
        assert_non_null(w.solver);
        trial_run(&w, DT, 60);
        point_of(&w, body, 0, x);
        const uint32_t events = pliant_contact_log_events(def.contacts, &event);
        const uint32_t contacts = pliant_solver_pair_contacts(w.solver, &contact, 1);
        if (share[i] > 1) {
            near(x[1], -0.02, 1e-5);
            assert_int_equal(contacts, 1);
            near((double)contact.force, -g, 1e-2 * g);
            assert_int_equal(pliant_solver_statistics(w.solver).pair_contacts, 1);
            assert_int_equal(events, 1);
            assert_int_equal(event->change, PLIANT_CONTACT_PERSISTS);
            near((double)event->force, -g, 1e-2 * g);
            near((double)event->point.y, -0.01, 1e-4);
            near(fabs((double)event->normal.y), 1, 1e-5);
        } else { /* through the reach with what is left of gravity, then freely */
            const double a = g * (1 - share[i]), first = sqrt(2 * reach / a), rest = 1 - first;
            const double way = reach + a * first * rest + g * rest * rest / 2;
            near(x[1], -0.02 - way, 0.02 * way);
            assert_int_equal(contacts, 0);
            assert_int_equal(events, 0);
        }
        pliant_contact_log_destroy(def.contacts);
        trial_end(&w);
    }
}

/* It presses as well: on a wall that nothing else presses it on, friction carries mu times the adhesion, and no more. */
static void what_holds_on_has_friction(void **unused)
{
    (void)unused;
    static const double share[] = {1.2, 0.6, 0};
    const double        g = 9.81, mu = 0.5, h = DT / 10;
    for (size_t i = 0; i < 3; i++) {
        trial             w;
        double            x[3];
        const pliant_body body = touch_sheet(&w, vec(g, 0, 0), mu, share[i] * g / mu);
        trial_run(&w, DT, 60);
        point_of(&w, body, 0, x);
        const double a = share[i] < 1 ? g * (1 - share[i]) : 0;
        near(x[0] - 0.3, a * (1 + h) / 2, 0.01 * a + 1e-4);
        near(x[1], -0.02, 1e-5);
        trial_end(&w);
    }
}

/* Two that part stay together where their motion has less energy than adhesion takes on the way out of reach, and lose that much where it has more;
 * what one gives the other gets. */
static void what_holds_on_keeps_momentum(void **unused)
{
    (void)unused;
    static const double speed[] = {0.2, 1};
    const double        adhesion = 10, reach = 0.25 * 0.2, inverse[2] = {1, 2}, reduced = 1.0 / 3;
    for (size_t i = 0; i < 2; i++) {
        trial                w;
        double               a[3], b[3];
        pliant_particles_def d = pliant_particles_def_default();
        const pliant_vec3    at[2] = {vec(-0.1, 0, 0), vec(0.1, 0, 0)}, v[2] = {vec(-speed[i], 0, 0), vec(2 * speed[i], 0, 0)};
        const pliant_real    mass[2] = {R(inverse[0]), R(inverse[1])};
        trial_begin(&w, 0, 40, 1);
        d.positions = at;
        d.velocities = v;
        d.inverse_masses = mass;
        d.count = 2;
        d.material = plain_material();
        d.material.thickness = R(0.1);
        meets(&d.body, true);
        const pliant_body body = pliant_scene_add_particles(w.scene, &d, NULL);
        assert_int_not_equal(body.id, 0);
        say_sticky(&w, body, body, -1, adhesion);
        trial_compile(&w);
        trial_run(&w, DT, 120);
        speed_of(&w, body, 0, a);
        speed_of(&w, body, 1, b);
        const double before = 9 * speed[i] * speed[i] * reduced / 2, left = before - adhesion * reach;
        near(b[0] - a[0], left > 0 ? sqrt(2 * left / reduced) : 0, left > 0 ? 0.02 * 3 * speed[i] : 1e-3);
        near(a[0] / inverse[0] + b[0] / inverse[1], 0, BOUND(1e-9, 5e-3)); /* float32 rounds positions, far away and in short substeps */
        point_of(&w, body, 0, a);
        point_of(&w, body, 1, b);
        if (left > 0)
            assert_true(b[0] - a[0] > 1);
        else
            near(b[0] - a[0], 0.2, 1e-3);
        trial_end(&w);
    }
}

/* ---- what rolls ---- */

/* How far a straight rope, turned by `turn` from lying along z, has come in a second across itself and along itself, on a sheet that lies flat while
 * gravity falls towards +x by `slope`. */
static void rolled(double slope, double turn, double rolling, double out[2])
{
    const double     along[2] = {sin(turn), cos(turn)}, across[2] = {cos(turn), -sin(turn)}, h = 0.01;
    pliant_cloth_def sheet = pliant_cloth_def_default();
    pliant_rope_def  d = pliant_rope_def_default();
    trial            w;
    double           x[3], y[3];
    trial_begin(&w, 0, 20, 2);
    pliant_scene_destroy(w.scene);
    w.def.gravity = vec(9.81 * sin(slope), -9.81 * cos(slope), 0);
    trial_begin_def(&w);
    sheet.cells_x = 7;
    sheet.cells_z = 5;
    sheet.size_x = sheet.size_z = 8;
    sheet.material = fabric(h);
    sheet.material.friction_static = sheet.material.friction_dynamic = 2;
    sheet.body.fixed = true;
    sheet.body.placement.position = vec(1, 0, 0);
    meets(&sheet.body, false);
    d.from = vec(-along[0] / 2, 2 * h, -along[1] / 2);
    d.to = vec(along[0] / 2, 2 * h, along[1] / 2);
    d.segments = 5;
    d.material = sheet.material;
    d.material.rolling_friction = R(rolling);
    meets(&d.body, false);
    assert_int_not_equal(pliant_scene_add_cloth(w.scene, &sheet, NULL).id, 0);
    const pliant_body body = pliant_scene_add_rope(w.scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    trial_compile(&w);
    point_of(&w, body, 2, x);
    trial_run(&w, DT, 60);
    point_of(&w, body, 2, y);
    out[0] = (y[0] - x[0]) * across[0] + (y[2] - x[2]) * across[1];
    out[1] = (y[0] - x[0]) * along[0] + (y[2] - x[2]) * along[1];
    trial_end(&w);
}

/* A rope on a slope rolls across itself with g (sin - mu_r cos), and friction holds it along itself; where it cannot roll it sticks. */
static void ropes_roll_on_bodies(void **unused)
{
    (void)unused;
    static const double turns[] = {0, TEST_PI / 4, TEST_PI / 2}, rolling[] = {0, 0.1};
    const double        slope = atan(0.5), g = 9.81;
    double              way[2];
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 2; k++) {
            const double a = g * (sin(slope) * cos(turns[i]) - rolling[k] * cos(slope));
            rolled(slope, turns[i], rolling[k], way);
            near(way[0], a > 0 ? a / 2 : 0, 0.02 * fabs(a) + 1e-3);
            near(way[1], 0, 0.01);
        }
    rolled(slope, 0, -1, way);
    near(way[0], 0, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(particles_bounce),
        cmocka_unit_test(rest_distances_are_let_be),
        cmocka_unit_test(neighbours_are_rows_when_pressed),
        cmocka_unit_test(slabs_on_a_slope),
        cmocka_unit_test(edges_do_not_brake),
        cmocka_unit_test(what_holds_on_carries_a_weight),
        cmocka_unit_test(what_holds_on_has_friction),
        cmocka_unit_test(what_holds_on_keeps_momentum),
        cmocka_unit_test(ropes_roll_on_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
