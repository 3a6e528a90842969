/* Loose particles find each other by cells: every pair that is near, once, wherever particles are and however many are in one place. */
#include "trial.h"

#include "compile/model.h"
#include "solver/solver.h"
#include "contact/pairs.h"
#include "solver/pair_kernels.h"
#include "state/state.h"

#include <string.h>

#define DT (1.0 / 60)

#define MOST 6000u

/* A body of grains at random in a box; every `pinned` of them stays for ever, if any. */
static pliant_body add_grains(trial *w, uint32_t count, double thickness, pliant_vec3 low, pliant_vec3 size, uint32_t pinned, uint64_t seed)
{
    static pliant_vec3   x[MOST];
    static pliant_real   inverse[MOST];
    pliant_particles_def d = pliant_particles_def_default();
    assert_true(count <= MOST);
    for (uint32_t i = 0; i < count; i++) {
        const double a = chance(&seed), b = chance(&seed), c = chance(&seed);
        x[i] = v3_add(low, vec((double)size.x * a, (double)size.y * b, (double)size.z * c));
        inverse[i] = pinned && i % pinned == 0 ? 0 : R(20);
    }
    d.positions = x;
    d.inverse_masses = inverse;
    d.count = count;
    d.material = plain_material();
    d.material.thickness = R(thickness);
    d.material.friction_static = d.material.friction_dynamic = R(0.3);
    d.body.contact_group = d.body.contact_mask = 1;
    d.body.self_contact = true;
    const pliant_body body = pliant_scene_add_particles(w->scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

static void fill_a_heap(trial *w) { add_grains(w, 700, 0.01, vec(0, 0.02, 0), vec(0.2, 0.5, 0.2), 0, 1); }

/* Some are three times as thick as the others, some are pinned, one is a kilometre away, and the bodies lie within each other. */
static void mix_sizes(trial *w)
{
    add_grains(w, 500, 0.01, vec(0, 0.02, 0), vec(0.25, 0.3, 0.25), 7, 2);
    add_grains(w, 40, 0.03, vec(0, 0.1, 0), vec(0.25, 0.4, 0.25), 0, 3);
    add_grains(w, 1, 0.01, vec(1000, 0.5, 0), vec(0, 0, 0), 0, 4);
}

/* With a sheet under them, which trees look for, and which the last body ignores. */
static void pour_on_a_sheet(trial *w)
{
    pliant_cloth_def d = pliant_cloth_def_default();
    d.cells_x = d.cells_z = 10;
    d.size_x = d.size_z = R(0.4);
    d.material = plain_material();
    d.material.thickness = R(0.01);
    d.body.placement.position = vec(0.1, 0.1, 0.1);
    d.body.contact_group = d.body.contact_mask = 1;
    const pliant_body sheet = pliant_scene_add_cloth(w->scene, &d, NULL);
    assert_int_not_equal(sheet.id, 0);
    add_grains(w, 300, 0.01, vec(0, 0.14, 0), vec(0.2, 0.3, 0.2), 0, 5);
    pliant_contact_pair_def pair = pliant_contact_pair_def_default();
    pair.body = add_grains(w, 100, 0.015, vec(0, 0.14, 0), vec(0.2, 0.3, 0.2), 0, 6);
    pair.other = sheet;
    pair.ignore = true;
    assert_int_equal(pliant_scene_contact_pair(w->scene, &pair, NULL), PLIANT_OK);
}

/* Grains meet at 60 m/s: their boxes are much longer than those of the many that lie still. */
static void shoot(trial *w)
{
    add_grains(w, 600, 0.01, vec(0, 0.02, 0), vec(0.3, 0.1, 0.3), 0, 7);
    pliant_particles_def d = pliant_particles_def_default();
    pliant_vec3          x[5], v[5];
    for (int i = 0; i < 5; i++) x[i] = vec(-1 - 0.1 * i, 0.05, 0.1 + 0.01 * i), v[i] = vec(60, 0, 0);
    d.positions = x;
    d.velocities = v;
    d.count = 5;
    d.material = plain_material();
    d.material.thickness = R(0.01);
    d.body.contact_group = d.body.contact_mask = 1;
    d.body.self_contact = true;
    assert_int_not_equal(pliant_scene_add_particles(w->scene, &d, NULL).id, 0);
}

/* Some have gone so far that cells between have no numbers. */
static void lose_some(trial *w)
{
    add_grains(w, 600, 0.01, vec(0, 0.02, 0), vec(0.2, 0.4, 0.2), 0, 8);
    add_grains(w, 2, 0.01, vec(-1e6, 0.5, 0), vec(0, 0.1, 0), 0, 9);
    add_grains(w, 1, 0.01, vec(0, 3e8, -2e5), vec(0, 0, 0), 0, 10);
}

static const struct scene {
    const char *name;
    void (*build)(trial *w);
} scenes[] = {{"a heap", fill_a_heap}, {"sizes", mix_sizes}, {"on a sheet", pour_on_a_sheet}, {"shot", shoot}, {"lost", lose_some}};

#define SCENES (sizeof scenes / sizeof *scenes)

static void begin(trial *w, const struct scene *scene)
{
    pliant_collider_def floor = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    trial_begin(w, 9.81, 10, 1);
    scene->build(w);
    assert_int_not_equal(pliant_scene_add_collider(w->scene, &floor, NULL).id, 0);
    trial_compile(w);
}

/* ---- none is missed, none is found twice ---- */

static bool is_loose(const trial *w, uint32_t element)
{
    return w->model->bodies[w->model->element_body[element]].type == PLIANT_BODY_PARTICLES;
}

static uint32_t slot_of(const trial *w, uint32_t element) { return w->model->elements[3 * (size_t)element]; }

static double apart(const pliant_real *x, uint32_t a, uint32_t b)
{
    return (double)v3_length(v3_sub(pliant__slot_x(x, a), pliant__slot_x(x, b)));
}

/* At which distance two loose particles touch; 0: never. */
static double touching(const trial *w, uint32_t a, uint32_t b)
{
    const pliant_model *m = w->model;
    const uint32_t      body = m->element_body[a], other = m->element_body[b], p = slot_of(w, a), q = slot_of(w, b);
    if (!pliant__bodies_meet(m, body, other) || (m->free_w[p] == 0 && m->free_w[q] == 0)) return 0;
    const double sum = (double)m->bodies[body].thickness + (double)m->bodies[other].thickness;
    return body == other ? fmin(sum, apart(m->x, p, q)) : sum;
}

/* How often two loose particles are a candidate. */
static void count_candidates(const trial *w, uint8_t *of, uint32_t elements)
{
    const pliant__loose    *c = &w->solver->pairs->loose;
    const pliant__features *corners = &w->solver->pairs->features[PLIANT__CORNERS];
    memset(of, 0, (size_t)elements * elements);
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t k = 0, last = 0; k < c->lists.length[i]; k++) {
            const uint32_t slot = c->cells.packed.tag[i] >> c->cells.packed.bits,
                           other = c->lists.near.data[c->lists.begin[i] + k] >> c->cells.packed.bits, a = c->element[c->of_slot[slot]],
                           b = c->element[c->of_slot[other]];
            assert_true(slot < other && last < other);
            last = other;
            of[(size_t)(a < b ? a : b) * elements + (a < b ? b : a)]++;
        }
    for (size_t i = 0; i < w->solver->pairs->corner_pairs; i++) { /* others are of a surface */
        const uint32_t *feature = w->solver->pairs->pair.data[i].feature;
        assert_false(is_loose(w, feature[1]) && c->of_slot[corners->slot[3 * (size_t)feature[0]]] != PLIANT__NOT_LOOSE);
    }
}

/* A particle that goes where it was not foreseen, so that its pairs are sought and no others. */
static void throw_one(trial *w, uint32_t seed)
{
    uint32_t element = seed;
    while (!is_loose(w, element % w->solver->pairs->elements)) element++;
    pliant__set_slot_x(w->state->v, slot_of(w, element % w->solver->pairs->elements), vec(3, 2, -1));
}

/* A pair that is near enough to be a row is a candidate, and none is one twice: while particles fall, lie, and are hit, and whether all are sought
 * anew or some. */
static void each_pair_is_found_once(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < SCENES; i++) {
        trial    w;
        size_t   near = 0;
        uint32_t some = 0;
        begin(&w, &scenes[i]);
        const uint32_t elements = w.solver->pairs->elements;
        uint8_t       *of = malloc((size_t)elements * elements);
        assert_non_null(of);
        for (uint32_t step = 0; step < 240; step++) {
            w.inputs->substeps = step % 4 ? 1 : 4; /* what is foreseen is foreseen for a step: within one, some may go astray */
            if (step % 12 == 4) throw_one(&w, step);
            trial_run(&w, DT / 10 * w.inputs->substeps, 1);
            some += pliant_solver_statistics(w.solver).pair_partial_searches;
            if (step % 12) continue;
            count_candidates(&w, of, elements);
            for (uint32_t a = 0; a < elements; a++)
                for (uint32_t b = a + 1; b < elements; b++) {
                    if (!is_loose(&w, a) || !is_loose(&w, b)) continue;
                    const double touch = touching(&w, a, b);
                    const bool   is_near =
                        touch > 0 && apart(w.state->x, slot_of(&w, a), slot_of(&w, b)) < (double)PLIANT__PAIR_REACH * touch;
                    const uint8_t often = of[(size_t)a * elements + b];
                    if (often > (touch > 0) || (is_near && !often))
                        fail_msg("%s: %u and %u are %u times there", scenes[i].name, a, b, often);
                    near += is_near;
                }
        }
        print_message("    %s: %zu near, %u searches for some\n", scenes[i].name, near, some);
        assert_true(near > 300 && some > 3);
        free(of);
        trial_end(&w);
    }
}

/* Whether two, by their slots, are listed as near in this substep. */
static bool is_listed(const pliant__loose *c, uint32_t a, uint32_t b)
{
    for (uint32_t k = 0; k < c->pairs[a]; k++)
        if (c->side[1].data[c->first_pair[a] + k] == b) return c->side[0].data[c->first_pair[a] + k] == a;
    return false;
}

/* The pairs that a kernel accepts, of all pairs that may meet: whether just these are listed. */
static size_t count_listed(trial *w, bool passes)
{
    const pliant__loose *c = &w->solver->pairs->loose;
    size_t               count = 0;
    w->solver->state = w->state; /* as in a step */
    assert_true(pliant__list_points(w->solver, passes));
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t k = i + 1; k < c->count; k++) {
            uint32_t    a[2 * PLIANT__BLOCK] = {c->slot[i]}, b[2 * PLIANT__BLOCK] = {c->slot[k]}, some;
            pliant_real distance[2 * PLIANT__BLOCK];
            if (!(touching(w, c->element[i], c->element[k]) > 0)) continue;
            w->solver->backend.kernels->ask_points(&c->asked, a, b, 1, distance, &some);
            if ((some == 1) != is_listed(c, c->slot[i], c->slot[k]))
                fail_msg("%u and %u are%s listed", c->slot[i], c->slot[k], some ? " not" : "");
            count += some;
        }
    return count;
}

/* Two bodies within each other, much nearer than they are thick. */
static void press(trial *w)
{
    add_grains(w, 100, 0.01, vec(0, 0.02, 0), vec(0.001, 0.001, 0.001), 0, 14);
    add_grains(w, 100, 0.01, vec(0, 0.02, 0), vec(0.001, 0.001, 0.001), 0, 15);
}

/* All go somewhere else from where they began, as if nothing held them. */
static void jostle(trial *w, uint64_t *seed)
{
    pliant__pairs *p = w->solver->pairs;
    for (uint32_t i = 0; i < p->slots; i++)
        for (uint32_t k = 0; k < 3; k++)
            w->state->x[4 * (size_t)p->slot[i] + k] = p->path_start[4 * (size_t)p->slot[i] + k] + R(0.002 * (chance(seed) - 0.5));
    w->solver->state = w->state;
    p->foreseen.path_start = p->path_start, p->foreseen.x = w->state->x;
    w->solver->backend.kernels->stray(&p->foreseen, w->model->header->slot_count, &p->strayed);
}

/* Which pairs are rows, or might pass through each other, follows from positions now, and not from the candidates. */
static void what_is_listed_follows_from_positions(void **unused)
{
    (void)unused;
    const struct scene pressed = {"pressed", press};
    size_t             rows = 0, passes = 0;
    uint64_t           seed = 16;
    for (size_t i = 0; i <= SCENES; i++) {
        trial w;
        begin(&w, i < SCENES ? &scenes[i] : &pressed);
        w.inputs->substeps = 1;
        for (uint32_t step = 0; step < 240; step++) {
            trial_run(&w, DT / 10, 1);
            if (step % 20) continue;
            rows += count_listed(&w, false);
            if (i == SCENES) jostle(&w, &seed);
            passes += count_listed(&w, true);
        }
        trial_end(&w);
    }
    print_message("    %zu rows, %zu that may pass\n", rows, passes);
    assert_true(rows > 10000 && passes > 10);
}

/* What width, how many threads, and a solver that is thrown away after every step: the same bits. */
static void widths_threads_and_solvers_do_not_matter(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t width, threads;
        bool     anew;
    } ways[] = {{1, 1, false}, {0, 2, false}, {4, 1, true}, {8, 1, false}};
    for (size_t i = 0; i < SCENES; i++) {
        uint64_t hash = 0;
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
            trial             w;
            pliant_solver_def def = pliant_solver_def_default();
            pliant_error      error = {.code = PLIANT_OK};
            def.width = ways[k].width;
            def.threads = ways[k].threads;
            begin(&w, &scenes[i]);
            pliant_solver_destroy(w.solver);
            w.solver = pliant_solver_create(w.model, &def, &error);
            const bool unavailable = error.code == PLIANT_ERROR_UNAVAILABLE; /* a build of one width */
            for (uint32_t step = 0; step < 24 && !unavailable; step++) {
                trial_run(&w, DT, 1);
                if (!ways[k].anew) continue;
                pliant_solver_destroy(w.solver);
                w.solver = pliant_solver_create(w.model, &def, NULL);
            }
            const uint64_t now = unavailable ? hash : pliant_state_hash(w.state);
            if (k && now != hash) fail_msg("%s: another hash with %u lanes and %u threads", scenes[i].name, ways[k].width, ways[k].threads);
            hash = now;
            trial_end(&w);
        }
    }
}

/* Momentum: each pair is one row, and what one gets the other gives. */
static void momentum_is_kept(void **unused)
{
    (void)unused;
    trial w;
    trial_begin(&w, 0, 10, 1);
    add_grains(&w, 300, 0.01, vec(0, 0, 0), vec(0.15, 0.15, 0.15), 0, 8);
    add_grains(&w, 300, 0.01, vec(0.003, 0, 0), vec(0.15, 0.15, 0.15), 0, 9);
    trial_compile(&w);
    double   sum[3] = {0, 0, 0}, most = 0;
    uint32_t rows = 0;
    for (uint32_t step = 0; step < 20; step++) {
        trial_run(&w, DT, 1);
        rows += pliant_solver_statistics(w.solver).pair_contacts;
    }
    for (uint32_t i = 0; i < w.model->header->slot_count; i++)
        for (uint32_t k = 0; k < 3 && w.state->x[4 * (size_t)i + 3] > 0; k++) {
            sum[k] += (double)w.state->v[4 * (size_t)i + k] / 20;
            most += fabs((double)w.state->v[4 * (size_t)i + k]) / 20;
        }
    assert_true(rows > 200 && most > 0.01);
    for (uint32_t k = 0; k < 3; k++) assert_true(fabs(sum[k]) < most * BOUND(1e-12, 1e-4));
    trial_end(&w);
}

/* ---- crowds ---- */

/* So many in one place that there is no room for all their pairs: that is an error, and no crash; all of them are still somewhere. */
static void a_pile_in_one_cell_is_an_error(void **unused)
{
    (void)unused;
    trial w;
    trial_begin(&w, 0, 1, 1);
    add_grains(&w, 3000, 0.01, vec(0, 0, 0), vec(1e-3, 1e-3, 1e-3), 0, 10);
    add_grains(&w, 3000, 0.01, vec(0, 0, 0), vec(1e-3, 1e-3, 1e-3), 0, 11);
    trial_compile(&w);
    pliant_inputs_reset(w.inputs, DT);
    assert_int_equal(pliant_solver_step(w.solver, w.state, w.inputs), PLIANT_ERROR_MEMORY);
    for (uint32_t k = 0; k < 4 * w.model->header->slot_count; k++) assert_true(isfinite((double)w.state->x[k]));
    trial_end(&w);
}

/* A row of grains, each of which is near to the next alone, and some so far away that cells on the way there have no numbers. */
static void who_is_lost_disturbs_nobody(void **unused)
{
    (void)unused;
    for (uint32_t lost = 0; lost < 4; lost++) {
        trial w;
        trial_begin(&w, 0, 1, 1);
        for (uint32_t i = 0; i < 2000; i += 100) add_grains(&w, 100, 0.01, vec(0.021 * i, 0, 0), vec(2.1, 0, 0), 0, i + 1);
        if (lost) add_grains(&w, 1, 0.01, vec(lost == 2 ? 3e8 : -1e6, lost == 3 ? -4e5 : 0, 0), vec(0, 0, 0), 0, 10);
        trial_compile(&w);
        trial_run(&w, 1e-3, 1);
        static uint32_t candidates;
        const uint32_t  now = pliant_solver_statistics(w.solver).pair_candidates;
        if (!lost) candidates = now;
        print_message("    %u candidates, %u in cells\n", now, w.solver->pairs->loose.cells.inside);
        assert_int_equal(w.solver->pairs->loose.cells.inside, 2000);
        assert_true(now > 1000 && now < candidates + candidates / 10);
        trial_end(&w);
    }
}

/* Grains far apart: one is so fast at first that it is in no cell, and stops; then another is brought near to a third that will be in none once substeps are
 * longer, while a fourth has left its place. */
static uint64_t come_and_go(uint32_t one, bool anew, double *between)
{
    static pliant_vec3   x[200];
    pliant_particles_def d = pliant_particles_def_default();
    const uint32_t       fast = (one + 50) % 200, other = (one + 100) % 200, left = (one + 150) % 200;
    const pliant_vec3    still = vec(0, 0, 0), goes = vec(2, 0, 0), shot = vec(20, 0, 0), comes = vec(0, -0.022, 0);
    trial                w;
    trial_begin(&w, 0, 1, 1);
    for (uint32_t i = 0; i < 200; i++) x[i] = vec(0.3 * (i % 10), 0.3 * (i / 10 % 10), 0.3 * (i / 100));
    d.positions = x;
    d.count = 200;
    d.material = plain_material();
    d.material.thickness = R(0.01);
    d.body.self_contact = true;
    const pliant_body body = pliant_scene_add_particles(w.scene, &d, NULL);
    trial_compile(&w);
    pliant_state_set_velocities(w.state, body, fast, 1, &shot);
    pliant_state_set_velocities(w.state, body, one, 1, &goes);
    trial_run(&w, 1e-3, 1);
    pliant_vec3 at;
    pliant_state_positions(w.state, body, one, 1, &at);
    at.y += R(0.0202);
    pliant_state_set_velocities(w.state, body, fast, 1, &still);
    pliant_state_set_velocities(w.state, body, one, 1, &still);
    pliant_state_set_positions(w.state, body, other, 1, &at);
    at = vec(-1, -1, -1);
    pliant_state_set_positions(w.state, body, fast, 1, &at);
    trial_run(&w, 1e-3, 1);
    at = x[left];
    at.y += R(0.05);
    pliant_state_set_positions(w.state, body, left, 1, &at);
    pliant_state_set_velocities(w.state, body, other, 1, &comes);
    if (anew) {
        pliant_solver_destroy(w.solver);
        w.solver = pliant_solver_create(w.model, NULL, NULL);
        assert_non_null(w.solver);
    }
    trial_run(&w, 0.05, 6);
    pliant_vec3 both[2];
    pliant_state_positions(w.state, body, one, 1, &both[0]);
    pliant_state_positions(w.state, body, other, 1, &both[1]);
    *between = (double)v3_length(v3_sub(both[0], both[1]));
    const uint64_t hash = pliant_state_hash(w.state);
    trial_end(&w);
    return hash;
}

/* The particles in cells change from search to search, and so do those left to trees: trees see every particle where it is now. */
static void who_comes_and_goes_is_seen(void **unused)
{
    (void)unused;
    for (uint32_t one = 1; one < 200; one += 6) {
        double kept, anew;
        assert_int_equal(come_and_go(one, false, &kept), come_and_go(one, true, &anew));
        if (kept < 0.02 - 1e-5) fail_msg("grains %u and %u are %g m apart", one, (one + 100) % 200, kept);
    }
}

/* Where there is room for them it is only slow; so it is with many in exactly one point, of which none knows where to go. */
static void a_smaller_pile_is_not(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        trial        w;
        const double size = i ? 0 : 1e-3;
        trial_begin(&w, 0, 4, 1);
        add_grains(&w, 300, 0.01, vec(0, 0, 0), vec(size, size, size), 0, 12);
        add_grains(&w, 300, 0.01, vec(0, 0, 0), vec(size, size, size), 0, 13);
        trial_compile(&w);
        trial_run(&w, DT, 5);
        for (uint32_t k = 0; k < 4 * w.model->header->slot_count; k++) assert_true(isfinite((double)w.state->x[k]));
        trial_end(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pair_is_found_once),
        cmocka_unit_test(what_is_listed_follows_from_positions),
        cmocka_unit_test(widths_threads_and_solvers_do_not_matter),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(who_is_lost_disturbs_nobody),
        cmocka_unit_test(who_comes_and_goes_is_seen),
        cmocka_unit_test(a_pile_in_one_cell_is_an_error),
        cmocka_unit_test(a_smaller_pile_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
