/* One hash for all widths and threads, for each row of the table by itself and for all of them together; and any solved order, read back
 * from the model and replayed one constraint after another, gives the same positions bit for bit. */
#ifndef LAW_WIDE_H
#define LAW_WIDE_H

#include "law_scene.h"

enum { CROWD_APART, CROWD_SHARED, CROWD_STAR, CROWD_WAYS }; /* rows that share particles */
enum { LAWS_ONE, LAWS_FEW, LAWS_OWN, LAWS_WAYS };           /* how many laws there are */

enum { CROWD_CONSTRAINTS = 2200, CROWD_PARTICLES = CROWD_CONSTRAINTS * PLIANT_MAX_SLOTS };

/* What is put into a scene, kept so that it can be put in again in another order. */
typedef struct crowd {
    uint32_t          particles, constraints;
    pliant_vec3       x[CROWD_PARTICLES], v[CROWD_PARTICLES];
    pliant_real       w[CROWD_PARTICLES];
    uint32_t          ids[CROWD_CONSTRAINTS][PLIANT_MAX_SLOTS];
    pliant_eval_input in[CROWD_CONSTRAINTS]; /* parameters and law */
    int               kind[CROWD_CONSTRAINTS];
    uint32_t          id[CROWD_CONSTRAINTS]; /* in the scene that was made last */
} crowd;

static crowd the_crowd; /* too large for a stack */

static inline pliant_law crowd_law(const pliant_constraint_info *row, uint32_t number, int ways)
{
    pliant_law law = pliant_law_default();
    if (ways == LAWS_ONE) {
        law.stiffness = R(0.5);
        return law;
    }
    pliant_limit limit = (pliant_limit)(number / 4 % 4);
    law = law_of(&law_cases[number % 4], row_takes(row, limit) ? limit : PLIANT_EQUAL);
    if (ways == LAWS_OWN) {
        if (law.compliance > 0)
            law.compliance *= R(uniform(0.5, 2));
        else
            law.stiffness = R(uniform(0.1, 1));
        law.damping *= R(uniform(0.5, 2));
        law.range_max += R(uniform(0, 0.2));
        draw_numbers(row, &law);
    }
    return law;
}

static inline void crowd_particle(crowd *c, uint32_t i)
{
    pliant_real *x = &c->x[i].x, *v = &c->v[i].x;
    for (int k = 0; k < 3; k++) {
        x[k] = R(uniform(-1.5, 1.5));
        v[k] = R(uniform(-0.2, 0.2));
    }
    c->w[i] = R(log_uniform(0.2, 5));
}

/* Parameter 0, if the row has one, such that C is nearly 0 at in->x; false where that is out of bounds. */
static inline bool nearly_at_rest(const pliant_constraint_info *row, pliant_eval_input *in)
{
    if (!row->parameter_count || rests_by_shape(row, in)) return true;
    in->parameters[0] = R(measure_of(row, in) * uniform(0.95, 1.05));
    return (double)in->parameters[0] >= row->parameters[0].low && (double)in->parameters[0] <= row->parameters[0].high;
}

/* A constraint on particles of its own; every slot is an anchor in some, and a few have collapsed to a point. */
static inline void crowd_apart(crowd *c, const pliant_constraint_info *row, uint32_t i)
{
    uint32_t n = c->constraints, first = c->particles;
    int      tries = 0;
    do draw(row, &c->in[n]);
    while (!nearly_at_rest(row, &c->in[n]) && ++tries < 1000);
    require(tries < 1000, "parameter 0 cannot be what C measures");
    for (uint32_t s = 0; s < row->slots; s++) {
        crowd_particle(c, first + s);
        if (i % 11 == 10)
            c->x[first + s] = c->x[first];
        else {
            memcpy(&c->x[first + s], c->in[n].x[s], sizeof c->in[n].x[s]);
            if (i % (row->slots + 2) == s) c->w[first + s] = 0;
        }
        c->ids[n][s] = first + s;
    }
    c->particles += row->slots;
}

/* A constraint on some of the particles [first, first + pool). */
static inline void crowd_among(crowd *c, const pliant_constraint_info *row, uint32_t first, uint32_t pool, bool star)
{
    uint32_t           n = c->constraints;
    pliant_eval_input *in = &c->in[n];
    draw(row, in); /* for the parameters that are not measured */
    for (int tries = 0; tries < 1000; tries++) {
        for (uint32_t s = 0; s < row->slots; s++) {
            bool fresh;
            do {
                c->ids[n][s] = first + (star && s == 0 ? 0 : below(pool));
                fresh = true;
                for (uint32_t t = 0; t < s; t++) fresh = fresh && c->ids[n][t] != c->ids[n][s];
            } while (!fresh);
            memcpy(in->x[s], &c->x[c->ids[n][s]], sizeof in->x[s]);
        }
        if (nearly_at_rest(row, in)) return;
    }
    require(false, "parameter 0 cannot be what C measures");
}

static inline void crowd_add(crowd *c, const pliant_constraint_info *row, uint32_t count, int ways, int laws)
{
    uint32_t first = c->particles, pool = count / 2 + row->slots + 3;
    for (uint32_t i = 0; i < pool && ways != CROWD_APART; i++) {
        crowd_particle(c, c->particles++);
        if (i % 7 == 3) c->w[first + i] = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (ways == CROWD_APART)
            crowd_apart(c, row, i);
        else
            crowd_among(c, row, first, pool, ways == CROWD_STAR);
        c->kind[c->constraints] = (int)row->kind;
        c->in[c->constraints].law = crowd_law(row, i, laws);
        c->constraints++;
    }
    assert_true(c->particles <= CROWD_PARTICLES && c->constraints <= CROWD_CONSTRAINTS);
}

static inline pliant_scene_def crowd_settings(uint32_t iterations)
{
    pliant_scene_def d = pliant_scene_def_default();
    d.substeps = 2;
    d.iterations = iterations;
    d.max_speed = R(1e12);
    return d;
}

/* The crowd as a compiled scene; every fifth particle is a pin that could be released, every third constraint is switched off. */
static inline law_world crowd_world(crowd *c, uint32_t iterations)
{
    pliant_scene_def settings = crowd_settings(iterations);
    law_world        w = world_begin(&settings, c->particles, c->x, c->v, c->w);
    for (uint32_t i = 2; i < c->particles; i += 5)
        if (c->w[i] > 0) assert_int_equal(pliant_scene_pin(w.scene, w.body, &i, 1, true, &w.error), PLIANT_OK);
    for (uint32_t i = 0; i < c->constraints; i++)
        c->id[i] = world_constrain(&w, pliant_constraint_describe((pliant_constraint_kind)c->kind[i]), c->ids[i], c->in[i].parameters,
                                   &c->in[i].law)
                       .id;
    world_compile(&w);
    return w;
}

static inline void crowd_switch_off(const crowd *c, law_world *w, uint32_t modulus)
{
    for (uint32_t i = 2; i < c->constraints; i += modulus) {
        pliant_constraint constraint = {c->id[i]};
        pliant_state_set_active(w->state, constraint, false);
    }
}

/* ---- widths and threads ---- */

typedef struct outcome {
    uint64_t    hash;
    pliant_code code;
    double      residual, mean;
    pliant_real force[PLIANT_MAX_ROWS];
} outcome;

static inline outcome crowd_run(const crowd *c, law_world *w, uint32_t width, uint32_t threads, bool measure, bool switch_off)
{
    outcome o;
    memset(&o, 0, sizeof o);
    pliant_state_reset(w->state);
    if (switch_off) crowd_switch_off(c, w, 3);
    world_solver(w, width, threads, measure);
    for (int i = 0; i < 3 && o.code == PLIANT_OK; i++) o.code = world_step(w, LAW_STEP);
    o.hash = pliant_state_hash(w->state);
    for (int k = 0; k < PLIANT_CONSTRAINT_COUNT; k++) {
        const pliant_kind_statistics s = pliant_solver_kind_statistics(w->solver, (pliant_constraint_kind)k);
        o.residual += s.residual_max;
        o.mean += s.residual_mean;
    }
    pliant_constraint last = {c->id[c->constraints - 1]};
    pliant_solver_force(w->solver, last, o.force);
    return o;
}

static inline void same_outcome(const outcome *a, const outcome *b, uint32_t width, uint32_t threads)
{
    if (a->hash == b->hash && a->code == b->code && a->residual == b->residual && a->mean == b->mean &&
        !memcmp(a->force, b->force, sizeof a->force))
        return;
    print_error("%s: width %u on %u threads differs: hash %016llx, expected %016llx; residual %g, %g\n", law_where, width, threads,
                (unsigned long long)b->hash, (unsigned long long)a->hash, b->residual, a->residual);
    fail();
}

/* The first run is one lane wide, on one thread. */
static inline void crowd_same_in_all_widths(const crowd *c, law_world *w, bool switch_off)
{
    const pliant_build_info build = pliant_build();
    uint64_t                plain_hash = 0;
    for (int measure = 0; measure < 2; measure++) {
        pliant_state_reset(w->state);
        const uint64_t before = pliant_state_hash(w->state);
        const outcome  plain = crowd_run(c, w, 1, 1, measure, switch_off);
        require(plain.code == PLIANT_OK, "the crowd diverged");
        require(plain.hash != before, "nothing moved");
        require(!measure || plain.hash == plain_hash, "measuring changed the state");
        plain_hash = plain.hash;
        for (uint32_t i = 1; i < build.width_count; i++) {
            if (!build.runs[i]) continue;
            outcome o = crowd_run(c, w, build.widths[i], 1, measure, switch_off);
            same_outcome(&plain, &o, build.widths[i], 1);
        }
        for (uint32_t threads = 2; threads <= 3; threads++) {
            outcome o = crowd_run(c, w, 0, threads, measure, switch_off);
            same_outcome(&plain, &o, build.default_width, threads);
        }
    }
}

static inline void crowd_check(const pliant_constraint_info *row, uint32_t count, int ways, int laws, uint32_t iterations)
{
    static const char *const way_names[] = {"apart", "shared", "star"}, *const law_names[] = {"one law", "few laws", "own laws"};
    crowd *c = &the_crowd;
    snprintf(law_where, sizeof law_where, "%u %s, %s, %s, %u iterations", count, row->name, way_names[ways], law_names[laws], iterations);
    law_seed = count + 1000u * (unsigned)row->kind + 10000u * (unsigned)ways + 100000u * (unsigned)laws + iterations;
    c->particles = c->constraints = 0;
    crowd_add(c, row, count, ways, laws);
    law_world w = crowd_world(c, iterations);
    crowd_same_in_all_widths(c, &w, false);
    if (count > 15) crowd_same_in_all_widths(c, &w, true);
    world_end(&w);
}

static void widths_and_threads_compute_the_same_bits(void **unused)
{
    static const uint32_t counts[] = {1, 15, 16, 17, 40, 300};
    (void)unused;
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        const pliant_constraint_info *row = pliant_constraint_describe((pliant_constraint_kind)kind);
        for (size_t i = 0; i < COUNT(counts); i++)
            for (int ways = 0; ways < CROWD_WAYS; ways++)
                for (int laws = 0; laws < LAWS_WAYS; laws++) crowd_check(row, counts[i], ways, laws, i % 2 ? 3 : 1);
        crowd_check(row, 300, CROWD_SHARED, LAWS_ONE, 1);
        crowd_check(row, 16, CROWD_SHARED, LAWS_FEW, 3);
        crowd_check(row, 2100, CROWD_APART, LAWS_ONE, 1); /* more than one task a batch */
    }
}

/* ---- any order, replayed ---- */

/* Index in the crowd of a constraint of the scene that was made last. */
static inline uint32_t crowd_index(const crowd *c, uint32_t id)
{
    for (uint32_t i = 0; i < c->constraints; i++)
        if (c->id[i] == id) return i;
    fail();
    return 0;
}

/* The constraints that the model solves, in its order, as another scene would have to list them. Positions and parameters are what the
 * model says, not what the crowd remembers. */
static law_world replay_world(const crowd *c, const law_world *solved, uint32_t iterations, uint32_t *off, uint32_t *off_count)
{
    pliant_scene_def settings = crowd_settings(iterations);
    settings.order = PLIANT_ORDER_GIVEN;
    law_world w = world_begin(&settings, c->particles, c->x, c->v, c->w);
    for (uint32_t i = 2; i < c->particles; i += 5)
        if (c->w[i] > 0) assert_int_equal(pliant_scene_pin(w.scene, w.body, &i, 1, true, &w.error), PLIANT_OK);
    *off_count = 0;
    for (uint32_t i = 0; i < pliant_model_solved_count(solved->model); i++) {
        pliant_solved_constraint      s = pliant_model_solved(solved->model, i);
        const pliant_constraint_info *row = pliant_constraint_describe(s.kind);
        pliant_law                    law = pliant_model_law(solved->model, s.law).law;
        uint32_t                      ids[PLIANT_MAX_SLOTS], of = crowd_index(c, s.constraint.id);
        for (uint32_t k = 0; k < row->slots; k++) {
            ids[k] = s.particles[k].vertex;
            require(ids[k] == c->ids[of][k], "a solved constraint names other particles than it was added with");
        }
        require(!memcmp(s.parameters, c->in[of].parameters, row->parameter_count * sizeof *s.parameters), "its parameters changed");
        pliant_constraint again = world_constrain(&w, row, ids, s.parameters, &law);
        if (!pliant_state_active(solved->state, s.constraint)) off[(*off_count)++] = again.id;
    }
    world_compile(&w);
    return w;
}

static inline void same_positions(const law_world *a, const law_world *b)
{
    static pliant_vec3 x[2][CROWD_PARTICLES], v[2][CROWD_PARTICLES];
    world_positions(a, x[0]);
    world_positions(b, x[1]);
    world_velocities(a, v[0]);
    world_velocities(b, v[1]);
    require(!memcmp(x[0], x[1], a->particles * sizeof **x), "replayed positions differ");
    require(!memcmp(v[0], v[1], a->particles * sizeof **v), "replayed velocities differ");
}

/* The crowd in the order of its colours, then replayed one by one. Waves of the model share no particle that moves. */
static void crowd_replays(crowd *c, uint32_t iterations)
{
    static uint32_t off[CROWD_CONSTRAINTS];
    uint32_t        off_count;
    law_world       w = crowd_world(c, iterations);
    crowd_switch_off(c, &w, 3);
    law_world given = replay_world(c, &w, iterations, off, &off_count);
    assert_int_equal(pliant_model_solved_count(given.model), pliant_model_solved_count(w.model));
    for (uint32_t i = 0; i < off_count; i++) {
        pliant_constraint constraint = {off[i]};
        assert_int_equal(pliant_state_set_active(given.state, constraint, false), PLIANT_OK);
    }
    world_solver(&w, 0, 2, false);
    world_solver(&given, 0, 1, false);
    for (int i = 0; i < 4; i++) {
        require(world_step(&w, LAW_STEP) == PLIANT_OK && world_step(&given, LAW_STEP) == PLIANT_OK, "the crowd diverged");
        same_positions(&w, &given);
    }
    world_end(&w);
    world_end(&given);
}

static void solved_orders_replay_bit_for_bit(void **unused)
{
    crowd *c = &the_crowd;
    (void)unused;
    for (int laws = 0; laws < LAWS_WAYS; laws++)
        for (int ways = 0; ways < CROWD_WAYS; ways++)
            for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
                c->particles = c->constraints = 0;
                law_seed = 5 + iterations + 10u * (unsigned)laws + 100u * (unsigned)ways;
                snprintf(law_where, sizeof law_where, "all kinds, ways %d, laws %d, %u iterations", ways, laws, iterations);
                for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++)
                    crowd_add(c, pliant_constraint_describe((pliant_constraint_kind)kind), 70, ways, laws);
                crowd_replays(c, iterations);
                law_world w = crowd_world(c, iterations);
                crowd_same_in_all_widths(c, &w, true);
                world_end(&w);
            }
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) { /* more than one task a batch */
        const pliant_constraint_info *row = pliant_constraint_describe((pliant_constraint_kind)kind);
        c->particles = c->constraints = 0;
        law_seed = 5 + (unsigned)kind;
        snprintf(law_where, sizeof law_where, "2100 %s", row->name);
        crowd_add(c, row, 2100, CROWD_APART, LAWS_ONE);
        crowd_replays(c, 1);
    }
}

/* ---- batches against single rows ---- */

/* Whether particles [first, first + row->slots) of a world are, bit for bit, where those of a world with that constraint alone are. */
static inline void same_alone(const crowd *c, uint32_t i, const pliant_scene_def *settings, const law_world *all)
{
    const pliant_constraint_info *row = pliant_constraint_describe((pliant_constraint_kind)c->kind[i]);
    pliant_vec3                   x[PLIANT_MAX_SLOTS], together[PLIANT_MAX_SLOTS];
    uint32_t                      ids[PLIANT_MAX_SLOTS], first = c->ids[i][0];
    law_world                     w = world_begin(settings, row->slots, c->x + first, c->v + first, c->w + first);
    for (uint32_t s = 0; s < row->slots; s++) ids[s] = s;
    world_constrain(&w, row, ids, c->in[i].parameters, &c->in[i].law);
    world_compile(&w);
    world_solver(&w, 1, 1, false);
    for (int n = 0; n < 3; n++) require(world_step(&w, LAW_STEP) == PLIANT_OK, "a constraint alone diverged");
    world_positions(&w, x);
    assert_int_equal(pliant_state_positions(all->state, all->body, first, row->slots, together), PLIANT_OK);
    for (uint32_t s = 0; s < row->slots; s++)
        for (int k = 0; k < 3; k++) require((&x[s].x)[k] == (&together[s].x)[k], "a row in a batch is not what it is alone");
    world_end(&w);
}

/* Rows with laws of their own share batches; each must be solved as if it were the only one in the world. */
static void rows_of_a_batch_do_not_know_each_other(void **unused)
{
    crowd *c = &the_crowd;
    (void)unused;
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++)
        for (int laws = 0; laws < LAWS_WAYS; laws++) {
            const pliant_constraint_info *row = pliant_constraint_describe((pliant_constraint_kind)kind);
            pliant_scene_def              settings = crowd_settings(2);
            law_seed = 3 + 10u * (unsigned)kind + 1000u * (unsigned)laws;
            c->particles = c->constraints = 0;
            crowd_add(c, row, 70, CROWD_APART, laws);
            law_world w = world_begin(&settings, c->particles, c->x, c->v, c->w);
            for (uint32_t i = 0; i < c->constraints; i++) world_constrain(&w, row, c->ids[i], c->in[i].parameters, &c->in[i].law);
            world_compile(&w);
            world_solver(&w, 0, 1, false);
            for (int n = 0; n < 3; n++) assert_int_equal(world_step(&w, LAW_STEP), PLIANT_OK);
            for (uint32_t i = 0; i < c->constraints; i++) {
                snprintf(law_where, sizeof law_where, "%s %u of a batch, laws %d", row->name, i, laws);
                same_alone(c, i, &settings, &w);
            }
            world_end(&w);
        }
}

/* Inputs as a recording has them: saved, forgotten, and loaded. */
static inline void through_bytes(pliant_inputs *inputs)
{
    const size_t size = pliant_inputs_save(inputs, NULL, 0);
    void        *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(pliant_inputs_save(inputs, bytes, size), size);
    assert_int_equal(pliant_inputs_reset(inputs, 1), PLIANT_OK);
    assert_int_equal(pliant_inputs_load(inputs, bytes, size, NULL), PLIANT_OK);
    free(bytes);
}

/* A law that is changed live acts as if the scene had been compiled with it, whatever batch its rows lie in. */
static void laws_changed_live_act_as_if_compiled(void **unused)
{
    crowd *c = &the_crowd;
    (void)unused;
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++)
        for (size_t to = 0; to < COUNT(law_cases); to++) {
            const pliant_constraint_info *row = pliant_constraint_describe((pliant_constraint_kind)kind);
            law_seed = 3 + 10u * (unsigned)kind + 1000u * to;
            c->particles = c->constraints = 0;
            crowd_add(c, row, 240, CROWD_APART, LAWS_OWN);
            snprintf(law_where, sizeof law_where, "%s, laws changed live to %s", row->name, law_cases[to].name);
            law_world live = crowd_world(c, 2);
            for (uint32_t i = 0; i < c->constraints; i++) {
                c->in[i].law.compliance = R(law_cases[to].compliance * (1 + i));
                c->in[i].law.damping = R(law_cases[to].damping);
                c->in[i].law.stiffness = R(law_cases[to].stiffness);
                draw_numbers(row, &c->in[i].law);
            }
            law_world compiled = crowd_world(c, 2);
            world_solver(&live, 0, 1, false);
            world_solver(&compiled, 0, 1, false);
            for (int n = 0; n < 3; n++) {
                assert_int_equal(pliant_inputs_reset(live.inputs, LAW_STEP), PLIANT_OK);
                for (uint32_t i = 0; i < pliant_model_solved_count(live.model); i++) {
                    pliant_solved_constraint s = pliant_model_solved(live.model, i);
                    assert_int_equal(pliant_inputs_law(live.inputs, s.law, &c->in[crowd_index(c, s.constraint.id)].law), PLIANT_OK);
                }
                through_bytes(live.inputs);
                require(pliant_solver_step(live.solver, live.state, live.inputs) == PLIANT_OK &&
                            world_step(&compiled, LAW_STEP) == PLIANT_OK,
                        "the crowd diverged");
                same_positions(&live, &compiled); /* before they come to rest, which forgives much */
            }
            world_end(&live);
            world_end(&compiled);
        }
}

#endif
