/* Steps that go part by part, and states of one model that go in lanes, each by itself: they come out to the bit as those that go stage by stage over the whole model, in whatever scene, and where parts do not suffice a
 * step goes another way. */
#include "more.h"
#include "sample_scenes.h"

#include "base/vec.h"
#include "compile/model.h"
#include "pliant/contact_log.h"
#include "scene/draft.h"
#include "solver/solver.h"
#include "state/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DT 0.015625
#define FRAMES 8

/* ---- scenes, drawn at random ---- */

typedef struct draw {
    uint64_t seed;
} draw;

static uint32_t below(draw *d, uint32_t count)
{
    d->seed = d->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(d->seed >> 33) % count;
}

static bool chance(draw *d, uint32_t in) { return below(d, in) == 0; }

/* From 0 to 1, in steps that are exact. */
static double part(draw *d) { return below(d, 1024) / 1024.0; }

static pliant_vec3 vec(double x, double y, double z) { return v3(R(x), R(y), R(z)); }

enum { SIDE = 18, CELLS = SIDE - 1, APART = 2, ACROSS = 9 };

/* Where body `i` is. */
static pliant_vec3 place_of(uint32_t i) { return vec(APART * (i % ACROSS), 1, APART * (i / ACROSS)); }

/* The same sheet as triangles. */
static pliant_mesh_view sheet(void)
{
    static pliant_vec3 x[SIDE * SIDE];
    static uint32_t    triangles[2 * CELLS * CELLS][3];
    for (uint32_t i = 0; i < SIDE * SIDE; i++) x[i] = vec((double)(i % SIDE) / CELLS - 0.5, 0, (double)(i / SIDE) / CELLS - 0.5);
    for (uint32_t i = 0; i < CELLS * CELLS; i++) {
        const uint32_t a = i / CELLS * SIDE + i % CELLS, corners[6] = {a, a + SIDE, a + 1, a + 1, a + SIDE, a + SIDE + 1};
        memcpy(triangles[2 * i], corners, sizeof corners);
    }
    return pliant_mesh_view_of(x, sizeof *x, SIDE * SIDE, &triangles[0][0], 2 * CELLS * CELLS);
}

static pliant_body add_cloth(draw *d, pliant_scene *scene, uint32_t i)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    def.cells_x = def.cells_z = CELLS;
    def.bend = PLIANT_BEND_DISTANCE;
    def.material.thickness = R(i % 3 ? 0.005 : 0.0125);
    def.material.friction_static = def.material.friction_dynamic = R(i % 4 ? 0.5 : 0.25);
    if (i % 4 == 2) def.mesh = sheet();
    if (i % 4 == 0) def.tether = 1;
    if (i % 8 == 6 && chance(d, 2)) {
        def.material.bend.compliance = R(1e-3);
        def.material.bend.damping = R(0.5);
        def.material.has_bend = true;
    }
    def.body.placement.position = place_of(i);
    return pliant_scene_add_cloth(scene, &def, NULL);
}

static pliant_body add_soft(pliant_scene *scene, uint32_t i)
{
    pliant_soft_def def = pliant_soft_def_default();
    def.cells[0] = def.cells[1] = def.cells[2] = 6;
    def.body.placement.position = place_of(i);
    return pliant_scene_add_soft(scene, &def, NULL);
}

static pliant_body add_rope(pliant_scene *scene, uint32_t i)
{
    pliant_rope_def def = pliant_rope_def_default();
    def.segments = 60;
    def.material.rolling_friction = R(0.1);
    def.from = place_of(i);
    def.to = v3_add(def.from, vec(1, 0.125, 0));
    return pliant_scene_add_rope(scene, &def, NULL);
}

/* Pins, targets with keys; of one body springs to targets: rows to these lie in lists, which bodies share. */
static void hold(draw *d, pliant_scene *scene, pliant_body body, uint32_t i)
{
    static const double times[3] = {0, 0.0625, 0.125};
    const uint32_t      some[3] = {0, 3, 17};
    pliant_vec3         to[9];
    pliant_law          spring = pliant_law_default();
    spring.compliance = R(1e-3);
    spring.damping = chance(d, 2) ? R(0.5) : 0;
    for (uint32_t k = 0; k < 9; k++) to[k] = v3_add(place_of(i), vec(part(d) - 0.5, part(d) / 4, part(d) / 4));
    switch (i == 40 ? 3 : below(d, 3)) {
    case 0: assert_int_equal(pliant_scene_pin(scene, body, some, 3, false, NULL), PLIANT_OK); break;
    case 1: assert_int_equal(pliant_scene_pin(scene, body, some, 3, true, NULL), PLIANT_OK); break;
    case 2:
        assert_int_equal(pliant_scene_attach(scene, body, some, 3, NULL), PLIANT_OK);
        assert_int_equal(pliant_scene_key_targets(scene, body, 0, 3, times, 3, to, NULL), PLIANT_OK);
        break;
    default:
        assert_int_equal(pliant_scene_attach_soft(scene, body, some, 3, &spring, NULL, NULL), PLIANT_OK);
        assert_int_equal(pliant_scene_key_targets(scene, body, 0, 3, times, 3, to, NULL), PLIANT_OK);
    }
}

/* A distance between two bodies, which makes one part of them. */
static void tie(draw *d, pliant_scene *scene, pliant_body one, pliant_body other)
{
    pliant_constraint_def def = pliant_constraint_def_default(PLIANT_CONSTRAINT_DISTANCE);
    def.particles[0] = (pliant_particle){one, 5 + below(d, 40)};
    def.particles[1] = (pliant_particle){other, 5 + below(d, 40)};
    def.measure = true;
    def.law.compliance = chance(d, 2) ? R(1e-4) : 0;
    def.law.damping = def.law.compliance > 0 && chance(d, 2) ? R(0.25) : 0;
    assert_int_not_equal(pliant_scene_add_constraint(scene, &def, NULL).id, 0);
}

/* The corners of a wedge. */
static pliant_mesh_view wedge(void)
{
    static const pliant_vec3 x[6] = {{R(-0.125), 0, R(-0.25)}, {R(0.125), 0, R(-0.25)}, {R(-0.125), 0, R(0.25)},
                                     {R(0.125), 0, R(0.25)},   {0, R(0.25), R(-0.25)},  {0, R(0.25), R(0.25)}};
    return pliant_mesh_view_of(x, sizeof *x, 6, NULL, 0);
}

/* Capsules, balls, boxes and wedges about the bodies, which go by keys, and a floor. */
static void add_colliders_about(draw *d, pliant_scene *scene, uint32_t first, uint32_t bodies)
{
    static const pliant_shape shapes[] = {PLIANT_SHAPE_SPHERE, PLIANT_SHAPE_CAPSULE, PLIANT_SHAPE_BOX, PLIANT_SHAPE_HULL};
    static const double       times[3] = {0, 0.0625, 0.125};
    pliant_collider_def       floor = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    floor.pose.position.y = R(0.75);
    floor.thickness = R(0.005);
    assert_int_not_equal(pliant_scene_add_collider(scene, &floor, NULL).id, 0);
    for (uint32_t i = first; i < first + bodies; i++) {
        pliant_collider_def def = pliant_collider_def_default(shapes[below(d, 4)]);
        pliant_pose         keys[3];
        if (i % 8 == 5) continue; /* a body that meets the floor alone */
        def.radius = R(0.125);
        def.half_height = R(0.25);
        def.half_extent = vec(0.125, 0.25, 0.125);
        if (def.shape == PLIANT_SHAPE_HULL) def.mesh = wedge();
        def.restitution = chance(d, 4) ? R(0.5) : 0;
        def.stick = chance(d, 8);
        def.pose.position = v3_add(place_of(i), vec(part(d) - 0.5, -0.25 + 0.25 * part(d), part(d) - 0.5));
        for (uint32_t k = 0; k < 3; k++) {
            keys[k] = def.pose;
            if (k) keys[k].position = v3_add(keys[k].position, vec(part(d) - 0.5, part(d) - 0.5, part(d) - 0.5));
            if (k && chance(d, 2)) keys[k].rotation = (pliant_quat){0, R(0.6), 0, R(0.8)};
        }
        if (chance(d, 2)) {
            def.key_times = times;
            def.key_poses = keys;
            def.key_count = 3;
        }
        assert_int_not_equal(pliant_scene_add_collider(scene, &def, NULL).id, 0);
    }
}

enum { BODIES = 80 };

/* So many bodies that a host's threads, too, have enough parts. */
static pliant_model *drawn(uint64_t seed, pliant_on_divergence policy)
{
    draw             d = {seed};
    pliant_scene_def settings = pliant_scene_def_default();
    pliant_error     error = {PLIANT_OK, 0, "", ""};
    pliant_body      body[BODIES];
    settings.substeps = 4;
    settings.iterations = 1 + below(&d, 2);
    settings.on_divergence = policy;
    settings.max_speed = 1000;
    pliant_scene *scene = pliant_scene_create(&settings, NULL);
    for (uint32_t i = 0; i < BODIES; i++) {
        body[i] = i % 16 == 3 ? add_rope(scene, i) : i % 8 == 1 ? add_soft(scene, i) : add_cloth(&d, scene, i);
        assert_int_not_equal(body[i].id, 0);
        hold(&d, scene, body[i], i);
    }
    tie(&d, scene, body[40], body[41]);
    if (seed % 2) tie(&d, scene, body[20], body[22]);
    add_colliders_about(&d, scene, 0, BODIES);
    pliant_model *m = pliant_scene_compile(scene, &error);
    if (!m) fail_msg("%s", error.message);
    pliant_scene_destroy(scene);
    return m;
}

/* ---- what belongs to a part ---- */

/* Every range, list, target and anchor is one part's, and rows of a part have slots of it alone, but for anchors that nothing moves. */
static void parts_share_nothing(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed < 4; seed++) {
        pliant_model           *m = drawn(seed, PLIANT_DIVERGENCE_STOPS);
        const pliant_allocator *a = &m->allocator;
        pliant__parts           parts = {0};
        assert_true(pliant__parts_create(a, m, &parts));
        uint32_t *of_slot = malloc(m->header->slot_count * sizeof *of_slot), patches = 0, targets = 0, anchors = 0, ranges = 0, lists = 0;
        memset(of_slot, 0xff, m->header->slot_count * sizeof *of_slot);
        for (uint32_t i = 0; i < parts.count; i++)
            for (uint32_t k = 0; k < parts.data[i].range_count; k++) {
                const pliant__patch *p = &m->patches[parts.data[i].patches[k]];
                assert_int_equal(p->first_listed, PLIANT__NONE);
                for (uint32_t slot = p->first_slot; slot < p->first_slot + p->slot_count; slot++) {
                    assert_int_equal(of_slot[slot], PLIANT__NONE);
                    of_slot[slot] = i;
                }
            }
        for (uint32_t slot = 0; slot < m->header->particle_count; slot++) assert_int_not_equal(of_slot[slot], PLIANT__NONE);
        for (uint32_t i = 0; i < parts.count; i++) {
            const pliant__model_part *p = &parts.data[i];
            for (uint32_t k = 0; k < p->target_count; k++) {
                const uint32_t slot = m->targets[p->targets[k]].slot;
                if (slot >= m->header->particle_count) of_slot[slot] = i;
                assert_int_equal(of_slot[slot], i);
            }
            for (uint32_t k = 0; k < p->anchor_count; k++) assert_int_equal(of_slot[m->anchors[p->anchors[k]]], i);
            for (uint32_t k = 0; k < p->patch_count; k++) {
                const pliant__patch *patch = &m->patches[p->patches[k]];
                assert_true(!k || p->patches[k] > p->patches[k - 1]);
                lists += k >= p->range_count;
                for (uint32_t b = patch->first_batch; b < patch->first_batch + patch->batch_count; b++)
                    for (uint32_t row = 0; row < m->batches[b].count; row++) {
                        const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)m->batches[b].kind);
                        uint32_t                      slots[PLIANT_MAX_SLOTS];
                        if (!pliant__has_row(m, &m->batches[b], row)) continue;
                        pliant__row_slots(m, &m->batches[b], row, info->slots, slots);
                        for (uint32_t s = 0; s < info->slots; s++) assert_int_equal(of_slot[slots[s]], i);
                    }
            }
            patches += p->patch_count;
            ranges += p->range_count;
            targets += p->target_count;
            anchors += p->anchor_count;
        }
        assert_int_equal(patches, model_count(m, patches));
        assert_int_equal(ranges, m->rounds[0].patch_count);
        assert_int_equal(targets, model_count(m, targets));
        assert_int_equal(anchors, model_count(m, anchors));
        assert_true(parts.count > BODIES / 2 && parts.count < ranges && lists > 0 && targets > 0 && anchors > 0);
        pliant__parts_destroy(a, &parts);
        free(of_slot);
        pliant_model_destroy(m);
    }
}

/* ---- part by part, or all of the model stage by stage ---- */

typedef struct way {
    uint32_t  width, threads;
    host_kind host;
    bool      plain; /* a caller looks at the state between substeps, so that all parts go together */
} way;

enum { MOST_CONTACTS = 4096 };

typedef struct record {
    uint64_t          hash[FRAMES];
    pliant_statistics statistics[FRAMES];
    pliant_divergence divergence[FRAMES];
    pliant_code       code[FRAMES];
    uint32_t          contacts;
    pliant_contact    contact[MOST_CONTACTS]; /* of the last frame */
    size_t            allocated;              /* after the first frame */
    uint64_t          met;
} record;

static void look_away(void *context, const pliant_state *state, uint32_t at)
{
    (void)context;
    (void)state;
    (void)at;
}

/* Bodies and colliders are switched off and on, some are put elsewhere, inputs lead targets and colliders, pins are let go. */
static void drive(const pliant_model *m, pliant_inputs *inputs, pliant_state *state, uint64_t seed, uint32_t frame)
{
    draw           d = {seed * 100 + frame};
    const uint32_t colliders = (uint32_t)model_count(m, colliders), bodies = (uint32_t)model_count(m, bodies);
    for (uint32_t k = 0; k < 6; k++) {
        const pliant_collider c = {2 + below(&d, colliders - 1)};
        const pliant_body     b = {1 + below(&d, bodies)};
        pliant_pose           to = pliant_state_collider_pose(state, c), by = pliant_pose_identity();
        to.position = v3_add(to.position, vec(part(&d) / 4, part(&d) / 4, 0));
        by.position = vec(0, part(&d) / 8, 0);
        switch (k) {
        case 0: assert_int_equal(pliant_inputs_collider(inputs, c, &to), PLIANT_OK); break;
        case 1: assert_int_equal(pliant_inputs_collider_active(inputs, c, frame % 2), PLIANT_OK); break;
        case 2: assert_int_equal(pliant_inputs_body_active(inputs, b, frame % 3), PLIANT_OK); break;
        case 3: assert_int_equal(pliant_inputs_teleport(inputs, b, &by), PLIANT_OK); break;
        case 4: assert_int_equal(pliant_inputs_teleport_collider(inputs, c, &to), PLIANT_OK); break;
        default:
            for (uint32_t slot = 0; slot < m->header->particle_count; slot++) {
                const pliant_particle p = pliant__model_particle(m, slot);
                if (m->pin[slot] == PLIANT__RELEASABLE && slot % 3 == frame % 3)
                    assert_int_equal(pliant_state_set_pinned(state, p.body, p.vertex, frame % 2), PLIANT_OK);
            }
        }
    }
}

/* `push`: a particle of this slot gets `speed` in frame 3, unless that is 0. */
static void run(const pliant_model *m, uint64_t seed, way how, uint32_t push, double speed, record *out)
{
    tally             memory;
    pliant_solver_def def = pliant_solver_def_default();
    pliant_state     *state = pliant_state_create(m, NULL);
    pliant_inputs    *inputs = pliant_inputs_create(m, NULL);
    memset(out, 0, sizeof *out);
    def.allocator = tally_allocator(&memory);
    def.width = how.width;
    def.threads = how.threads;
    def.tasks = host_tasks(how.host);
    pliant_solver *solver = pliant_solver_create(m, &def, NULL);
    assert_non_null(solver);
    const bool divided = how.host == HOST_NONE || seed % 2 == 0; /* for as many threads as a host may have parts must be small */
    for (uint32_t f = 0; f < FRAMES; f++) {
        const pliant_particle pushed = pliant__model_particle(m, push);
        const pliant_vec3     v = vec(0, speed, 0);
        assert_int_equal(pliant_inputs_reset(inputs, DT), PLIANT_OK);
        drive(m, inputs, state, seed, f);
        if (speed != 0 && f == 3) assert_int_equal(pliant_state_set_velocities(state, pushed.body, pushed.vertex, 1, &v), PLIANT_OK);
        const size_t calls = memory.calls;
        out->code[f] =
            how.plain ? pliant_solver_step_parts(solver, state, inputs, 2, look_away, NULL) : pliant_solver_step(solver, state, inputs);
        if (f) out->allocated += memory.calls - calls;
        out->hash[f] = pliant_state_hash(state);
        out->statistics[f] = pliant_solver_statistics(solver);
        out->statistics[f].seconds = 0;
        out->divergence[f] = pliant_solver_divergence(solver);
        out->met += out->statistics[f].contacts;
        assert_int_equal(solver->way == PLIANT__WAY_PARTS, divided && !how.plain && !out->divergence[f].diverged);
        if (out->code[f] != PLIANT_OK) break;
    }
    out->contacts = pliant_solver_contacts(solver, out->contact, MOST_CONTACTS);
    assert_true(out->contacts <= MOST_CONTACTS);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
}

static void same(uint64_t seed, way how, const record *found, const record *expected)
{
    for (uint32_t f = 0; f < FRAMES; f++) {
        const pliant_statistics *p = &found->statistics[f], *q = &expected->statistics[f];
        if (found->hash[f] != expected->hash[f] || found->code[f] != expected->code[f])
            fail_msg("scene %u, width %u, %u threads, host %d: frame %u differs", (unsigned)seed, how.width, how.threads, (int)how.host, f);
        assert_int_equal(p->contacts, q->contacts);
        assert_int_equal(p->contacts_dropped, q->contacts_dropped);
        assert_int_equal(p->particles_in_contact, q->particles_in_contact);
        assert_int_equal(p->restored_bodies, q->restored_bodies);
        assert_int_equal(p->substeps, q->substeps);
        assert_true(p->max_speed == q->max_speed || p->max_speed != p->max_speed);
        assert_int_equal(found->divergence[f].diverged, expected->divergence[f].diverged);
        assert_int_equal(found->divergence[f].substep, expected->divergence[f].substep);
        assert_int_equal(found->divergence[f].particle.vertex, expected->divergence[f].particle.vertex);
    }
    assert_int_equal(found->contacts, expected->contacts);
    for (uint32_t i = 0; i < found->contacts; i++) {
        const pliant_contact *p = &found->contact[i], *q = &expected->contact[i];
        assert_true(p->particle.body.id == q->particle.body.id && p->particle.vertex == q->particle.vertex &&
                    p->collider.id == q->collider.id && p->force == q->force && p->friction == q->friction && p->point.x == q->point.x);
    }
    assert_int_equal(found->allocated, 0);
}

/* Widths, threads and hosts in turn, each against stages on one thread and one lane. */
static void same_every_way(const pliant_model *m, uint64_t seed, uint32_t push, double speed, record *expected)
{
    static record           found;
    const pliant_build_info build = pliant_build();
    run(m, seed, (way){.width = 1, .threads = 1, .plain = true}, push, speed, expected);
    for (uint32_t i = 0; i < build.width_count; i++) {
        const way how = {.width = build.widths[i], .threads = 1 + (uint32_t)(i + seed) % 4};
        if (!build.runs[i] || (!takes_its_time() && (i + seed + this_turn()) % 2)) continue;
        run(m, seed, how, push, speed, &found);
        same(seed, how, &found, expected);
    }
    const way host = {.host = (host_kind)(HOST_ONE_AT_A_TIME + (seed + this_turn()) % (HOST_COUNT - HOST_ONE_AT_A_TIME))};
    run(m, seed, host, push, speed, &found);
    found.allocated = 0; /* a host's tasks may be kept in memory of the host */
    same(seed, host, &found, expected);
}

static void a_part_by_itself_is_as_all_together(void **unused)
{
    static record  expected;
    const uint64_t scenes = takes_its_time() ? 40 : 6;
    (void)unused;
    for (uint64_t seed = 1 + scenes * this_turn(); seed < 1 + scenes * (this_turn() + 1); seed++) {
        pliant_model *m = drawn(seed, PLIANT_DIVERGENCE_STOPS);
        same_every_way(m, seed, 0, 0, &expected);
        assert_true(expected.met > 1000);
        for (uint32_t f = 0; f < FRAMES; f++) assert_int_equal(expected.code[f], PLIANT_OK);
        pliant_model_destroy(m);
    }
}

/* A particle that is far too fast is found in the same substep, whatever the scene does about it. */
static void runaways_are_seen(void **unused)
{
    static const pliant_on_divergence policies[] = {PLIANT_DIVERGENCE_STOPS, PLIANT_DIVERGENCE_RESTORES};
    static record                     expected;
    (void)unused;
    for (uint32_t k = 0; k < 2; k++) {
        pliant_model *m = drawn(100 + 2 * k, policies[k]);
        uint32_t      push = m->header->particle_count / 3 * (k + 1) - 7;
        while (m->pin[push] != PLIANT__FREE) push--;
        same_every_way(m, 100 + 2 * k, push, k ? 1e5 : 1e30, &expected);
        assert_true(expected.divergence[3].diverged);
        assert_int_equal(expected.code[3], k ? PLIANT_OK : PLIANT_ERROR_DIVERGED);
        assert_int_equal(expected.statistics[3].restored_bodies > 0, k);
        pliant_model_destroy(m);
    }
}

/* ---- what needs the whole ---- */

enum whole {
    NOTHING,
    MEASURED,
    ENERGY,
    LOADS,
    LOGGED,
    TRACED,
    GRABBED,
    CARRIED,
    SECOND_ORDER,
    SLEEPS,
    YIELDS,
    MEETS_ITSELF,
    WIND,
    DAMPED,
    FRAMED,
    CHEBYSHEV,
    WHOLES
};

static const char *const whole_names[WHOLES] = {"nothing", "measured", "energy", "loads",    "logged", "traced",
                                                "grabbed", "carried",  "BDF2",   "sleeps",   "yields", "meets itself",
                                                "wind",    "damped",   "framed", "chebyshev"};

static bool go_on(const pliant_progress *progress, void *context)
{
    (void)progress;
    (void)context;
    return true;
}

/* Four cloths over four balls; `of`: what in the scene needs all of it. */
static pliant_model *four(enum whole of)
{
    pliant_scene_def settings = pliant_scene_def_default();
    pliant_error     error = {PLIANT_OK, 0, "", ""};
    settings.substeps = 4;
    if (of == CARRIED) {
        settings.substep = DT / 4;
        settings.substep_rest = PLIANT_SUBSTEP_CARRY;
    }
    if (of == SECOND_ORDER) settings.integration = PLIANT_INTEGRATION_BDF2;
    if (of == SLEEPS) settings.sleep_speed = R(0.01);
    if (of == CHEBYSHEV) settings.method.method = PLIANT_METHOD_CHEBYSHEV;
    pliant_scene *scene = pliant_scene_create(&settings, &error);
    if (!scene) fail_msg("%s: %s", whole_names[of], error.message);
    for (uint32_t i = 0; i < 4; i++) {
        pliant_cloth_def    def = pliant_cloth_def_default();
        pliant_collider_def ball = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
        def.cells_x = def.cells_z = CELLS;
        def.material.thickness = R(0.01);
        if (of == DAMPED && !i) def.material.damping = 1;
        def.body.self_contact = of == MEETS_ITSELF && !i;
        def.body.placement.position = place_of(i);
        assert_int_not_equal(pliant_scene_add_cloth(scene, &def, NULL).id, 0);
        ball.radius = R(0.25);
        ball.yields = of == YIELDS && !i;
        ball.pose.position = v3_sub(place_of(i), vec(0, 0.3, 0));
        assert_int_not_equal(pliant_scene_add_collider(scene, &ball, NULL).id, 0);
    }
    if (of == WIND) {
        pliant_force_def wind = pliant_force_def_default(PLIANT_FORCE_WIND);
        wind.vector = vec(1, 0, 0);
        assert_int_not_equal(pliant_scene_add_force(scene, &wind, NULL).id, 0);
    }
    pliant_model *m = pliant_scene_compile(scene, &error);
    if (!m) fail_msg("%s: %s", whole_names[of], error.message);
    pliant_scene_destroy(scene);
    return m;
}

/* Where a stage of the step looks at all of the model, parts wait for each other; and where nothing does they need not. */
static void what_needs_the_whole_goes_another_way(void **unused)
{
    (void)unused;
    for (int of = 0; of < WHOLES; of++) {
        pliant_model                *m = four((enum whole)of);
        pliant_state                *state = pliant_state_create(m, NULL);
        pliant_inputs               *inputs = pliant_inputs_create(m, NULL);
        const pliant_contact_log_def logs = pliant_contact_log_def_default();
        pliant_contact_log          *log = of == LOGGED ? pliant_contact_log_create(m, &logs, NULL) : NULL;
        pliant_solver_def            def = pliant_solver_def_default();
        def.measure = of == MEASURED;
        def.energy = of == ENERGY;
        def.loads = of == LOADS;
        def.contacts = log;
        def.trace = of == TRACED ? go_on : NULL;
        pliant_solver *solver = pliant_solver_create(m, &def, NULL);
        assert_int_equal(log != NULL, of == LOGGED);
        for (uint32_t f = 0; f < 2; f++) {
            const pliant_pose before = pliant_pose_identity(), after = {vec(0.125, 0, 0), before.rotation};
            assert_int_equal(pliant_inputs_reset(inputs, DT), PLIANT_OK);
            if (of == GRABBED && f) assert_int_equal(pliant_inputs_grab(inputs, (pliant_body){1}, 7, vec(0, 1, 0), R(1e-4)), PLIANT_OK);
            if (of == FRAMED && f)
                assert_int_equal(pliant_inputs_frame(inputs, (pliant_body){1}, &before, &after, pliant_inertia_of(0)), PLIANT_OK);
            assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
            const bool by_parts = of == NOTHING || (!f && (of == GRABBED || of == FRAMED)); /* inputs of another step say nothing */
            if ((solver->way == PLIANT__WAY_PARTS) != by_parts)
                fail_msg("%s: step %u goes the way %d", whole_names[of], f, (int)solver->way);
        }
        pliant_solver_destroy(solver);
        pliant_contact_log_destroy(log);
        pliant_inputs_destroy(inputs);
        pliant_state_destroy(state);
        pliant_model_destroy(m);
    }
}

/* ---- sizes ---- */

/* Square cloths over balls of their own, each with so many vertices along an edge. */
static pliant_model *cloths_of(const uint32_t *sides, uint32_t count)
{
    pliant_error     error = {PLIANT_OK, 0, "", ""};
    pliant_scene_def settings = pliant_scene_def_default();
    settings.substeps = 2;
    pliant_scene *scene = pliant_scene_create(&settings, &error);
    for (uint32_t i = 0; i < count; i++) {
        pliant_cloth_def    def = pliant_cloth_def_default();
        pliant_collider_def ball = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
        def.cells_x = def.cells_z = sides[i] - 1;
        def.material.thickness = R(0.01);
        def.body.placement.position = place_of(i);
        assert_int_not_equal(pliant_scene_add_cloth(scene, &def, NULL).id, 0);
        ball.radius = R(0.25);
        ball.pose.position = v3_sub(place_of(i), vec(0, 0.25, 0));
        assert_int_not_equal(pliant_scene_add_collider(scene, &ball, NULL).id, 0);
    }
    pliant_model *m = pliant_scene_compile(scene, &error);
    if (!m) fail_msg("%s", error.message);
    pliant_scene_destroy(scene);
    return m;
}

/* A part that no cache holds, or one that others would wait for, keeps parts together: twice as many alike as threads, each of a patch
 * at most, go apart. */
static void parts_too_large_or_too_few_stay_together(void **unused)
{
    (void)unused;
    static const struct {
        const char *what;
        uint32_t    sides[6], count, threads;
        bool        apart;
    } cases[] = {
        {"four on one thread", {18, 18, 18, 18}, 4, 1, true},
        {"four on two threads", {18, 18, 18, 18}, 4, 2, true},
        {"four on three threads", {18, 18, 18, 18}, 4, 3, false},
        {"two on one thread", {40, 40}, 2, 1, true},
        {"two on two threads", {40, 40}, 2, 2, false},
        {"one", {40}, 1, 1, false},
        {"one and a smaller one", {44, 40}, 2, 1, false},
        {"one and as many particles in others", {44, 40, 38}, 3, 1, true},
        {"one of a patch, and as many particles in others", {128, 60, 60, 60, 60, 60}, 6, 1, true},
        {"one larger than a patch", {129, 60, 60, 60, 60, 60}, 6, 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pliant_model     *m = cloths_of(cases[i].sides, cases[i].count);
        pliant_state     *state = pliant_state_create(m, NULL);
        pliant_inputs    *inputs = pliant_inputs_create(m, NULL);
        pliant_solver_def def = pliant_solver_def_default();
        def.threads = cases[i].threads;
        pliant_solver *solver = pliant_solver_create(m, &def, NULL);
        assert_int_equal(pliant_inputs_reset(inputs, DT), PLIANT_OK);
        assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
        assert_int_equal(solver->parts.count, cases[i].count);
        if ((solver->way == PLIANT__WAY_PARTS) != cases[i].apart) fail_msg("%s: the step goes the way %d", cases[i].what, (int)solver->way);
        pliant_solver_destroy(solver);
        pliant_inputs_destroy(inputs);
        pliant_state_destroy(state);
        pliant_model_destroy(m);
    }
}

/* ---- states of a model in lanes, each a part ---- */

enum { STATES = 2 * PLIANT__BLOCK + 7, MOST_BODIES = 3 };

/* A few bodies, from `first` of the many on, with colliders. */
static pliant_model *a_few(uint64_t seed, double adhesion)
{
    draw             d = {seed};
    pliant_scene_def settings = pliant_scene_def_default();
    pliant_error     error = {PLIANT_OK, 0, "", ""};
    const uint32_t   count = 1 + below(&d, MOST_BODIES), first = 38 + below(&d, 16);
    settings.substeps = 4;
    settings.max_speed = 1000;
    pliant_scene *scene = pliant_scene_create(&settings, NULL);
    for (uint32_t i = first; i < first + count; i++) {
        const pliant_body body = i % 16 == 3 ? add_rope(scene, i) : i % 8 == 1 ? add_soft(scene, i) : add_cloth(&d, scene, i);
        hold(&d, scene, body, i);
    }
    const bool meets = adhesion > 0 || !chance(&d, 4);
    if (meets) add_colliders_about(&d, scene, first, count);
    if (adhesion > 0) {
        pliant_contact_pair_def pair = pliant_contact_pair_def_default();
        pair.body = (pliant_body){1};
        pair.collider = (pliant_collider){1};
        pair.adhesion = R(adhesion);
        if (pliant_scene_contact_pair(scene, &pair, &error) != PLIANT_OK) fail_msg("%s", error.message);
    }
    pliant_model *m = pliant_scene_compile(scene, &error);
    if (!m) fail_msg("%s", error.message);
    pliant_scene_destroy(scene);
    return m;
}

/* Each state has a gravity of its own; colliders and targets go where inputs of some states say; pins are let go, and colliders switched off, in some. */
static void drive_state(const pliant_model *m, pliant_inputs *inputs, pliant_state *state, uint32_t i, uint32_t frame)
{
    draw                  d = {1000 * i + frame};
    const uint32_t        colliders = (uint32_t)model_count(m, colliders);
    const pliant_collider c = {1 + below(&d, colliders + !colliders)};
    pliant_pose           to = pliant_state_collider_pose(state, c);
    to.position = v3_add(to.position, vec(part(&d) / 8, part(&d) / 8, part(&d) / 8));
    assert_int_equal(pliant_inputs_reset(inputs, DT), PLIANT_OK);
    assert_int_equal(pliant_inputs_gravity(inputs, vec(i / 16.0, -8, frame / 4.0)), PLIANT_OK);
    if (i % 3 == 1 && colliders) assert_int_equal(pliant_inputs_collider(inputs, c, &to), PLIANT_OK);
    if (i % 8 == 5 && !frame && colliders) assert_int_equal(pliant_inputs_collider_active(inputs, c, false), PLIANT_OK);
    for (uint32_t slot = 0; slot < m->header->particle_count && i % 4 == 2; slot++) {
        const pliant_particle p = pliant__model_particle(m, slot);
        if (m->pin[slot] == PLIANT__RELEASABLE) assert_int_equal(pliant_state_set_pinned(state, p.body, p.vertex, frame % 2), PLIANT_OK);
    }
    for (uint32_t b = 0; b < model_count(m, bodies) && i % 5 == 3; b++) {
        pliant_vec3 led[3];
        uint32_t    count = 0;
        for (size_t k = 0; k < model_count(m, targets); k++)
            if (m->targets[k].body == b)
                led[count++] = v3_add(pliant__slot_x(state->x, m->targets[k].slot), vec(part(&d) / 32, 0, part(&d) / 32));
        if (count) assert_int_equal(pliant_inputs_targets(inputs, (pliant_body){b + 1}, led, sizeof *led), PLIANT_OK);
    }
}

/* `full`: particles have more touches than lanes have room for. */
static void states_alone_and_in_lanes(const pliant_model *m, uint64_t seed, way how, bool full)
{
    pliant_solver_def def = pliant_solver_def_default();
    pliant_state     *one[STATES], *many[STATES];
    pliant_inputs    *inputs[STATES];
    uint32_t          good = 0;
    def.width = how.width;
    def.threads = how.threads;
    def.tasks = host_tasks(how.host);
    pliant_solver *alone = pliant_solver_create(m, &def, NULL);
    def.many = true;
    pliant_solver *all = pliant_solver_create(m, &def, NULL);
    assert_true(alone && all);
    for (uint32_t i = 0; i < STATES; i++) {
        assert_non_null(one[i] = pliant_state_create(m, NULL));
        assert_non_null(many[i] = pliant_state_create(m, NULL));
        assert_non_null(inputs[i] = pliant_inputs_create(m, NULL));
        assert_int_equal(pliant_inputs_reset(inputs[i], DT), PLIANT_OK);
        for (uint32_t f = 0; f < i % 4; f++) { /* so each has its own time */
            assert_int_equal(pliant_solver_step(alone, one[i], inputs[i]), PLIANT_OK);
            assert_int_equal(pliant_solver_step(alone, many[i], inputs[i]), PLIANT_OK);
        }
    }
    for (uint32_t f = 0; f < FRAMES; f++) {
        pliant_code codes[STATES], first = PLIANT_OK;
        uint32_t    contacts = 0, touching = 0;
        pliant_real speed = 0;
        for (uint32_t i = 0; i < STATES; i++) drive_state(m, inputs[i], many[i], i, f);
        const pliant_code code = pliant_solver_step_many(all, many, (const pliant_inputs *const *)inputs, STATES, codes);
        assert_true(all->lane_states.count > STATES / 2);
        for (uint32_t i = 0; i < (all->lane_states.count + PLIANT__BLOCK - 1) / PLIANT__BLOCK; i++) good += all->lane_states.groups[i].good;
        for (uint32_t i = 0; i < STATES; i++) {
            drive_state(m, inputs[i], one[i], i, f);
            assert_int_equal(pliant_solver_step(alone, one[i], inputs[i]), codes[i]);
            if (first == PLIANT_OK) first = codes[i];
            const pliant_statistics s = pliant_solver_statistics(alone);
            contacts += s.contacts;
            touching += s.particles_in_contact;
            speed = r_max(speed, s.max_speed);
            if (pliant_state_hash(many[i]) != pliant_state_hash(one[i]) || pliant_state_time(many[i]) != pliant_state_time(one[i]))
                fail_msg("scene %u, width %u, %u threads, host %d: state %u is another one in frame %u", (unsigned)seed, how.width,
                         how.threads, (int)how.host, i, f);
        }
        const pliant_statistics s = pliant_solver_statistics(all);
        assert_int_equal(code, first);
        assert_int_equal(s.contacts, contacts);
        assert_int_equal(s.particles_in_contact, touching);
        assert_true(s.max_speed == speed);
    }
    if (full)
        assert_int_equal(good, 0);
    else if (good < FRAMES)
        fail_msg("scene %u: %u groups went in lanes, width %u host %d", (unsigned)seed, good, how.width, (int)how.host);
    for (uint32_t i = 0; i < STATES; i++) {
        pliant_state_destroy(one[i]);
        pliant_state_destroy(many[i]);
        pliant_inputs_destroy(inputs[i]);
    }
    pliant_solver_destroy(alone);
    pliant_solver_destroy(all);
}

/* States with colliders and targets of their own come out of lanes as each would alone. */
static void states_in_lanes_meet_their_own_colliders(void **unused)
{
    const uint64_t          scenes = takes_its_time() ? 60 : 6;
    const pliant_build_info build = pliant_build();
    (void)unused;
    for (uint64_t seed = 1 + scenes * this_turn(); seed < 1 + scenes * (this_turn() + 1); seed++) {
        pliant_model *m = a_few(seed, seed % 4 == 1 ? 0.5 : 0);
        for (uint32_t i = 0; i < build.width_count; i++)
            if (build.runs[i] && (takes_its_time() || (i + seed + this_turn()) % 2))
                states_alone_and_in_lanes(m, seed, (way){.width = build.widths[i], .threads = 1 + (uint32_t)(i + seed) % 3}, false);
        if (seed % 4 == 0) states_alone_and_in_lanes(m, seed, (way){.host = HOST_RANDOM}, false);
        pliant_model_destroy(m);
    }
}

/* A rope of so many chunks that rolls and begins in a ball: no chunk looks at particles that another one eases out at the same time. */
static void a_long_rope_rolls_the_same_in_any_order(void **unused)
{
    static const way    ways[] = {{.threads = 1}, {.threads = 3}, {.host = HOST_REVERSE}, {.host = HOST_RANDOM}, {.host = HOST_THREADS}};
    pliant_scene_def    settings = pliant_scene_def_default();
    pliant_rope_def     rope = pliant_rope_def_default();
    pliant_collider_def ball = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
    uint64_t            expected = 0;
    (void)unused;
    settings.substeps = 4;
    pliant_scene *scene = pliant_scene_create(&settings, NULL);
    rope.segments = 4 * PLIANT__CHUNK;
    rope.from = vec(0, -0.01, 0);
    rope.to = vec(4, -0.03, 0.3);
    rope.material.thickness = R(0.005);
    rope.material.rolling_friction = R(0.05);
    rope.body.velocity = vec(0.5, 0, 1);
    assert_int_not_equal(pliant_scene_add_rope(scene, &rope, NULL).id, 0);
    ball.radius = 3;
    ball.pose.position = vec(2, -1.5, 0.2);
    assert_int_not_equal(pliant_scene_add_collider(scene, &ball, NULL).id, 0);
    pliant_model *m = pliant_scene_compile(scene, NULL);
    assert_true(model_count(m, chunks) > 3);
    for (uint32_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        pliant_solver_def def = pliant_solver_def_default();
        pliant_state     *state = pliant_state_create(m, NULL);
        pliant_inputs    *inputs = pliant_inputs_create(m, NULL);
        def.threads = ways[i].threads;
        def.tasks = host_tasks(ways[i].host);
        pliant_solver *solver = pliant_solver_create(m, &def, NULL);
        for (uint32_t f = 0; f < 3; f++) {
            assert_int_equal(pliant_inputs_reset(inputs, DT), PLIANT_OK);
            assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
        }
        assert_true(pliant_solver_statistics(solver).contacts > PLIANT__CHUNK);
        if (!i) expected = pliant_state_hash(state);
        if (pliant_state_hash(state) != expected) fail_msg("%u threads, host %d: another state", ways[i].threads, (int)ways[i].host);
        pliant_solver_destroy(solver);
        pliant_inputs_destroy(inputs);
        pliant_state_destroy(state);
    }
    states_alone_and_in_lanes(m, 0, ways[0], false);
    pliant_model_destroy(m);
    pliant_scene_destroy(scene);
}

/* A sheet under which seven planes lie: more touches than particles. Its states go one by one. */
static void states_with_too_many_touches_go_one_by_one(void **unused)
{
    pliant_scene_def settings = pliant_scene_def_default();
    pliant_cloth_def cloth = pliant_cloth_def_default();
    (void)unused;
    settings.substeps = 4;
    pliant_scene *scene = pliant_scene_create(&settings, NULL);
    cloth.cells_x = cloth.cells_z = CELLS;
    assert_int_not_equal(pliant_scene_add_cloth(scene, &cloth, NULL).id, 0);
    for (uint32_t i = 0; i < 7; i++) {
        pliant_collider_def floor = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
        assert_int_not_equal(pliant_scene_add_collider(scene, &floor, NULL).id, 0);
    }
    pliant_model *m = pliant_scene_compile(scene, NULL);
    states_alone_and_in_lanes(m, 0, (way){.threads = 1}, true);
    pliant_model_destroy(m);
    pliant_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_share_nothing),
                                       cmocka_unit_test(a_part_by_itself_is_as_all_together),
                                       cmocka_unit_test(runaways_are_seen),
                                       cmocka_unit_test(what_needs_the_whole_goes_another_way),
                                       cmocka_unit_test(parts_too_large_or_too_few_stay_together),
                                       cmocka_unit_test(states_in_lanes_meet_their_own_colliders),
                                       cmocka_unit_test(a_long_rope_rolls_the_same_in_any_order),
                                       cmocka_unit_test(states_with_too_many_touches_go_one_by_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
