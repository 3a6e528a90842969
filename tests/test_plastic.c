/* The law: what is strained beyond the yield of its law flows until it no longer is, at once or at a rate, harder the more it has flowed, and no further than
 * the law's most. It keeps that shape, makes no energy, and has one result whatever steps it. Below the yield nothing differs from a law without one. */
#include "trial.h"

/* ---- one constraint ---- */

static const pliant_constraint_kind measured[] = {PLIANT_CONSTRAINT_DISTANCE, PLIANT_CONSTRAINT_DIHEDRAL_ANGLE};

/* Two particles, or a flat hinge, far from everything and so soft that they stay where they are put. */
typedef struct single {
    trial                  t;
    pliant_constraint_kind kind;
    pliant_body            body;
    pliant_constraint      constraint;
} single;

static const double flat[4][3] = {{0, 0, 0}, {0, 0, 2}, {1, 0, 1}, {-1, 0, 1}};

static void begin_single(single *s, pliant_constraint_kind kind, pliant_law law, uint32_t substeps)
{
    pliant_error error = {PLIANT_OK, 0, "", ""};
    s->kind = kind;
    trial_begin(&s->t, 0, substeps, 1);
    s->body = add_points(&s->t, 4, flat, NULL, NULL, NULL);
    pliant_constraint_def def = pliant_constraint_def_default(kind);
    for (uint32_t k = 0; k < pliant_constraint_describe(kind)->slots; k++) def.particles[k] = (pliant_particle){s->body, k};
    law.compliance = R(1e9);
    def.law = law;
    def.parameters[0] = kind == PLIANT_CONSTRAINT_DISTANCE ? 2 : 0;
    s->constraint = pliant_scene_add_constraint(s->t.scene, &def, &error);
    if (!s->constraint.id) fail_msg("%s", error.message);
    trial_compile(&s->t);
}

/* Puts it to where it is strained by so much from its rest in the scene, at rest. */
static void strain_to(single *s, double strain)
{
    pliant_vec3 x[4], still[4];
    for (int k = 0; k < 4; k++) x[k] = vec(flat[k][0], flat[k][1], flat[k][2]), still[k] = vec(0, 0, 0);
    if (s->kind == PLIANT_CONSTRAINT_DISTANCE)
        x[1].z = R(2 * (1 + strain));
    else
        x[3] = vec(-cos(strain), -sin(strain), 1);
    assert_int_equal(pliant_state_set_positions(s->t.state, s->body, 0, 4, x), PLIANT_OK);
    assert_int_equal(pliant_state_set_velocities(s->t.state, s->body, 0, 4, still), PLIANT_OK);
}

/* The sign that a hinge's angle has where strain_to turns its wing so. */
static double sign_of(const single *s)
{
    pliant_eval_input  in = {.dt = 1, .law = pliant_law_default()};
    pliant_eval_output out;
    if (s->kind == PLIANT_CONSTRAINT_DISTANCE) return 1;
    for (int k = 0; k < 4; k++)
        for (int c = 0; c < 3; c++) in.x[k][c] = R(flat[k][c]);
    in.x[3][0] = R(-cos(0.5));
    in.x[3][1] = R(-sin(0.5));
    assert_int_equal(pliant_constraint_eval(s->kind, &in, &out), PLIANT_OK);
    return out.C[0] > 0 ? 1 : -1;
}

static double plastic_strain(const single *s)
{
    pliant_real rest[PLIANT_MAX_PARAMETERS];
    assert_int_equal(pliant_state_rest(s->t.state, s->constraint, rest), PLIANT_OK);
    return s->kind == PLIANT_CONSTRAINT_DISTANCE ? (double)rest[0] / 2 - 1 : sign_of(s) * (double)rest[0];
}

static pliant_law plastic(double yield, double creep, double hardening, double most)
{
    pliant_law law = pliant_law_default();
    law.yield = R(yield);
    law.creep = R(creep);
    law.hardening = R(hardening);
    law.most = R(most);
    return law;
}

/* ---- how far it flows ---- */

static void it_flows_to_where_its_strain_is_its_yield(void **unused)
{
    static const struct {
        double strain, yield, hardening, most, expected;
    } cases[] = {
        {0.3, 0.1, 0, 0, 0.2},       {-0.3, 0.1, 0, 0, -0.2},   {0.0999, 0.1, 0, 0, 0},      {-0.0999, 0.1, 0, 0, 0},
        {0.3, 0.1, 1, 0, 0.1},       {-0.3, 0.1, 1, 0, -0.1},   {0.5, 0.1, 3, 0, 0.1},       {0.3, 0.1, 0, 0.05, 0.05},
        {-0.3, 0.1, 0, 0.05, -0.05}, {0.9, 0.001, 0, 0, 0.899}, {-0.9, 0.001, 0, 0, -0.899}, {0.5, 0.1, 1, 0.15, 0.15},
    };
    (void)unused;
    for (size_t k = 0; k < sizeof measured / sizeof *measured; k++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            single s;
            begin_single(&s, measured[k], plastic(cases[i].yield, 0, cases[i].hardening, cases[i].most), 4);
            strain_to(&s, cases[i].strain);
            trial_run(&s.t, 1.0 / 60, 3);
            near(plastic_strain(&s), cases[i].expected, BOUND(1e-10, 2e-6));
            trial_end(&s.t);
        }
}

/* dp/dt = creep (|e| - yield - hardening |p|), |e| + |p| held: p = (|e| - yield) / (1 + hardening) (1 - exp(-creep (1 + hardening) t)). */
static void it_creeps_at_its_rate_whatever_the_substeps(void **unused)
{
    static const uint32_t substeps[] = {1, 7, 60};
    (void)unused;
    for (size_t k = 0; k < sizeof measured / sizeof *measured; k++)
        for (size_t i = 0; i < sizeof substeps / sizeof *substeps; i++)
            for (int hard = 0; hard < 2; hard++) {
                single s;
                begin_single(&s, measured[k], plastic(0.1, 2, hard, 0), substeps[i]);
                strain_to(&s, 0.5);
                trial_run(&s.t, 1.0 / 60, 30);
                near(plastic_strain(&s), 0.4 / (1 + hard) * (1 - exp(-2 * (1 + hard) * 0.5)), BOUND(1e-8, 1e-5));
                trial_end(&s.t);
            }
}

/* Loaded, unloaded and loaded the other way: the strain that it keeps is what it was forced to, less the yield, each time. */
static void it_flows_back_as_it_flowed(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof measured / sizeof *measured; k++) {
        static const double to[] = {0.4, 0.4, 0.25, -0.2, 0.35}, kept[] = {0.3, 0.3, 0.3, -0.1, 0.25};
        single              s;
        begin_single(&s, measured[k], plastic(0.1, 0, 0, 0), 2);
        for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
            strain_to(&s, to[i]);
            trial_run(&s.t, 1.0 / 60, 2);
            near(plastic_strain(&s), kept[i], BOUND(1e-10, 2e-6));
        }
        trial_end(&s.t);
    }
}

/* A tether-like limit pulls where it is too long: slack is no strain. */
static void what_a_limit_lets_be_is_no_strain(void **unused)
{
    for (int most = 0; most < 2; most++) {
        single     s;
        pliant_law law = plastic(0.1, 0, 0, 0);
        law.limited = true;
        law.limit = most ? PLIANT_AT_MOST : PLIANT_AT_LEAST;
        begin_single(&s, PLIANT_CONSTRAINT_DISTANCE, law, 2);
        strain_to(&s, most ? -0.5 : 0.5);
        trial_run(&s.t, 1.0 / 60, 2);
        near(plastic_strain(&s), 0, 0);
        strain_to(&s, most ? 0.5 : -0.5);
        trial_run(&s.t, 1.0 / 60, 2);
        near(plastic_strain(&s), most ? 0.4 : -0.4, BOUND(1e-10, 2e-6));
        trial_end(&s.t);
    }
    (void)unused;
}

static void rests_are_read_and_set(void **unused)
{
    single      s;
    pliant_real rest[PLIANT_MAX_PARAMETERS] = {R(2.5)};
    (void)unused;
    begin_single(&s, PLIANT_CONSTRAINT_DISTANCE, plastic(0.1, 0, 0, 0), 2);
    assert_int_equal(pliant_state_set_rest(s.t.state, s.constraint, rest), PLIANT_OK);
    near(plastic_strain(&s), 0.25, 0);
    assert_int_equal(pliant_state_set_rest(s.t.state, s.constraint, NULL), PLIANT_OK);
    near(plastic_strain(&s), 0, 0);
    rest[0] = R(-1);
    assert_int_equal(pliant_state_set_rest(s.t.state, s.constraint, rest), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_set_rest(s.t.state, (pliant_constraint){77}, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_set_rest(NULL, s.constraint, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_rest(s.t.state, (pliant_constraint){77}, rest), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_state_rest(s.t.state, s.constraint, NULL), PLIANT_ERROR_ARGUMENT);
    trial_end(&s.t);
    begin_single(&s, PLIANT_CONSTRAINT_DISTANCE, pliant_law_default(), 2); /* without a yield it is read, and not set */
    assert_int_equal(pliant_state_rest(s.t.state, s.constraint, rest), PLIANT_OK);
    near((double)rest[0], 2, 0);
    assert_int_equal(pliant_state_set_rest(s.t.state, s.constraint, NULL), PLIANT_ERROR_ARGUMENT);
    trial_end(&s.t);
}

/* ---- bodies ---- */

/* A strip along x, `cells` by one, at a height; its law of stretch and of bending. All vertices have releasable pins. */
static pliant_body add_strip(trial *t, uint32_t cells, double height, const pliant_law *stretch, const pliant_law *bend, bool pinned)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    pliant_error     error = {PLIANT_OK, 0, "", ""};
    def.cells_x = cells;
    def.cells_z = 1;
    def.size_x = R(0.1 * cells);
    def.size_z = R(0.1);
    def.body.placement.position = vec(0, height, 0);
    def.material.density = 1;
    def.material.stretch = def.material.shear = *stretch;
    def.material.bend = *bend;
    def.material.drag = 200;
    def.material.has_stretch = def.material.has_shear = def.material.has_bend = true;
    const pliant_body body = pliant_scene_add_cloth(t->scene, &def, &error);
    if (!body.id) fail_msg("%s", error.message);
    for (uint32_t v = 0; pinned && v < 2 * (cells + 1); v++)
        assert_int_equal(pliant_scene_pin(t->scene, body, &v, 1, true, &error), PLIANT_OK);
    return body;
}

/* Puts a strip of n cells along a polygon that turns by `each` at each hinge. */
static void bend_strip(trial *t, pliant_body body, uint32_t n, double each)
{
    double x = 0, y = 0;
    for (uint32_t i = 0; i <= n; i++) {
        const pliant_vec3 at[2] = {vec(x, y, -0.05), vec(x, y, 0.05)};
        assert_int_equal(pliant_state_set_positions(t->state, body, i, 1, &at[0]), PLIANT_OK);
        assert_int_equal(pliant_state_set_positions(t->state, body, n + 1 + i, 1, &at[1]), PLIANT_OK);
        x += 0.1 * cos(each * i);
        y += 0.1 * sin(each * i);
    }
}

static double direction_at(const trial *t, pliant_body body, uint32_t cell)
{
    double p[3], q[3];
    point_of(t, body, cell, p);
    point_of(t, body, cell + 1, q);
    return atan2(q[1] - p[1], q[0] - p[0]);
}

/* A bar that is bent, held for two frames, and let go in syrup, so that it does not swing: it springs back by its yield, hinge by hinge. */
static void a_bent_bar_keeps_the_bend_less_its_yield(void **unused)
{
    static const double bends[][2] = {{0.25, 0.05}, {0.25, 0.2}, {-0.2, 0.1}, {0.2, 0.25}};
    const uint32_t      n = 10;
    (void)unused;
    for (size_t i = 0; i < sizeof bends / sizeof *bends; i++) {
        trial      t;
        pliant_law stretch = compliant(1e-6), bend = compliant(1);
        double     expected = 0;
        bend.yield = R(bends[i][1]);
        trial_begin(&t, 0, 20, 1);
        const pliant_body body = add_strip(&t, n, 0, &stretch, &bend, true);
        trial_compile(&t);
        bend_strip(&t, body, n, bends[i][0]);
        trial_run(&t, 1.0 / 60, 2);
        for (uint32_t v = 0; v < 2 * (n + 1); v++) assert_int_equal(pliant_state_set_pinned(t.state, body, v, false), PLIANT_OK);
        trial_run(&t, 1.0 / 60, 900);
        if (fabs(bends[i][0]) > bends[i][1]) expected = (n - 1) * (bends[i][0] > 0 ? bends[i][0] - bends[i][1] : bends[i][0] + bends[i][1]);
        const double found = remainder(direction_at(&t, body, n - 1) - direction_at(&t, body, 0), 2 * TEST_PI);
        near(found, expected, 0.02 * fabs(expected) + 2e-3);
        trial_end(&t);
    }
}

/* ---- solids ---- */

static const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0.2, 0.9, 0}, {0.1, 0.3, 0.8}};

/* A tetrahedron so soft that it stays where it is put. */
static pliant_constraint begin_solid(trial *t, pliant_law law, pliant_body *body)
{
    pliant_error error = {PLIANT_OK, 0, "", ""};
    trial_begin(t, 0, 4, 1);
    *body = add_points(t, 4, corner, NULL, NULL, NULL);
    pliant_constraint_def def = pliant_constraint_def_default(PLIANT_CONSTRAINT_TET_NEO_HOOKEAN);
    for (uint32_t k = 0; k < 4; k++) def.particles[k] = (pliant_particle){*body, k};
    law.compliance = R(1e9);
    def.law = law;
    def.measure = true;
    const pliant_constraint c = pliant_scene_add_constraint(t->scene, &def, &error);
    if (!c.id) fail_msg("%s", error.message);
    trial_compile(t);
    return c;
}

/* Puts it to A times its corners, row by row. */
static void deform(trial *t, pliant_body body, const double A[9])
{
    pliant_vec3 x[4], still[4];
    for (int k = 0; k < 4; k++) {
        double p[3] = {0, 0, 0};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) p[i] += A[3 * i + j] * corner[k][j];
        x[k] = vec(p[0], p[1], p[2]);
        still[k] = vec(0, 0, 0);
    }
    assert_int_equal(pliant_state_set_positions(t->state, body, 0, 4, x), PLIANT_OK);
    assert_int_equal(pliant_state_set_velocities(t->state, body, 0, 4, still), PLIANT_OK);
}

/* (C0^2 + C1^2) / 2 with the parameters that the state has. */
static double solid_energy(const trial *t, pliant_body body, pliant_constraint c)
{
    pliant_eval_input  in = {.dt = 1, .law = pliant_law_default()};
    pliant_eval_output out;
    assert_int_equal(pliant_state_rest(t->state, c, in.parameters), PLIANT_OK);
    for (uint32_t k = 0; k < 4; k++) {
        double x[3];
        point_of(t, body, k, x);
        for (int i = 0; i < 3; i++) in.x[k][i] = R(x[i]);
    }
    assert_int_equal(pliant_constraint_eval(PLIANT_CONSTRAINT_TET_NEO_HOOKEAN, &in, &out), PLIANT_OK);
    return ((double)out.C[0] * (double)out.C[0] + (double)out.C[1] * (double)out.C[1]) / 2;
}

/* The equivalent strain of a product of edges and B, by its definition. */
static double equivalent(const double F[9])
{
    double C[9], mean = 0, sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) C[3 * i + j] = F[i] * F[j] + F[3 + i] * F[3 + j] + F[6 + i] * F[6 + j];
    mean = (C[0] + C[4] + C[8]) / 3;
    for (int i = 0; i < 9; i++) sum += (C[i] - (i % 4 ? 0 : mean)) * (C[i] - (i % 4 ? 0 : mean)) / 4;
    return sqrt(2 * sum / 3);
}

/* [d1 d2 d3] B of parameters b. */
static void gradient_of(const trial *t, pliant_body body, const pliant_real *b, double F[9])
{
    double x[4][3];
    for (uint32_t k = 0; k < 4; k++) point_of(t, body, k, x[k]);
    for (int i = 0; i < 3; i++) {
        const double d[3] = {x[1][i] - x[0][i], x[2][i] - x[0][i], x[3][i] - x[0][i]};
        F[3 * i] = d[0] * (double)b[0];
        F[3 * i + 1] = d[0] * (double)b[1] + d[1] * (double)b[3];
        F[3 * i + 2] = d[0] * (double)b[2] + d[1] * (double)b[4] + d[2] * (double)b[5];
    }
}

/* What is pulled or pressed by l and keeps its volume has e = |l^2 - 1/l| / 3; what flows leaves it with its yield, and F = F_e F_p has p of l over that. */
static void a_solid_flows_to_where_its_strain_is_its_yield(void **unused)
{
    static const double cases[][2] = {{1.5, 0.1}, {0.7, 0.05}, {1.05, 0.1}, {2.5, 0.02}, {0.5, 0.2}};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double            l = cases[i][0], y = cases[i][1], side = 1 / sqrt(l), turn = 0.7;
        const double            A[9] = {cos(turn) * l, -sin(turn) * side, 0, sin(turn) * l, cos(turn) * side, 0, 0, 0, side};
        double                  F[9], own = l;
        trial                   t;
        pliant_body             body;
        pliant_real             b[PLIANT_MAX_PARAMETERS], first[PLIANT_MAX_PARAMETERS];
        const pliant_constraint c = begin_solid(&t, plastic(y, 0, 0, 0), &body);
        assert_int_equal(pliant_state_rest(t.state, c, first), PLIANT_OK);
        deform(&t, body, A);
        trial_run(&t, 1.0 / 60, 5);
        assert_int_equal(pliant_state_rest(t.state, c, b), PLIANT_OK);
        gradient_of(&t, body, b, F);
        if (fabs(l * l - 1 / l) / 3 > y) /* what is left: l_e with its yield, by bisection */
            for (double low = l > 1 ? 1 : l, high = l > 1 ? l : 1; high - low > 1e-13;) {
                own = (low + high) / 2;
                if ((fabs(own * own - 1 / own) / 3 > y) == (l > 1))
                    high = own;
                else
                    low = own;
            }
        near(equivalent(F), fabs(own * own - 1 / own) / 3, BOUND(1e-8, 1e-5));
        near((double)b[0] * (double)b[3] * (double)b[5] / ((double)first[0] * (double)first[3] * (double)first[5]), 1, BOUND(1e-12, 1e-5));
        if (own == l) assert_memory_equal(b, first, 6 * sizeof *b);
        near((F[0] * F[0] + F[3] * F[3] + F[6] * F[6]) + (F[1] * F[1] + F[4] * F[4] + F[7] * F[7]) +
                 (F[2] * F[2] + F[5] * F[5] + F[8] * F[8]),
             own * own + 2 / own, BOUND(1e-7, 3e-5));
        trial_end(&t);
    }
}

/* Of whatever it is forced into, mirrored and crushed shapes too, and again and again. */
static void flow_of_a_solid_takes_energy_and_keeps_its_volume(void **unused)
{
    uint64_t    seed = 5;
    trial       t;
    pliant_body body;
    pliant_real b[PLIANT_MAX_PARAMETERS];
    int         flowed = 0;
    (void)unused;
    const pliant_constraint c = begin_solid(&t, plastic(0.05, 20, 0.1, 3), &body);
    assert_int_equal(pliant_state_rest(t.state, c, b), PLIANT_OK);
    const double p = (double)b[0] * (double)b[3] * (double)b[5];
    for (int i = 0; i < 2000; i++) {
        double A[9];
        for (int k = 0; k < 9; k++) A[k] = (k % 4 ? 0 : 1) + (i % 10 + 1) * 0.2 * (chance(&seed) - 0.5);
        if (i % 50 == 0) pliant_state_reset(t.state);
        deform(&t, body, A);
        const double before = solid_energy(&t, body, c);
        trial_run(&t, 1.0 / 60, 1);
        const double after = solid_energy(&t, body, c);
        assert_int_equal(pliant_state_rest(t.state, c, b), PLIANT_OK);
        if (after > before + BOUND(1e-10, 1e-4) * (1 + before)) fail_msg("%d: %.9g after %.9g", i, after, before);
        near((double)b[0] * (double)b[3] * (double)b[5] / p, 1, BOUND(1e-10, 1e-3));
        flowed += after < 0.999 * before;
    }
    assert_true(flowed > 1000);
    trial_end(&t);
}

/* A block that is pressed without a change of its volume, held and let go in syrup: F_e of its yield comes back, F_p stays. */
static void a_pressed_block_stays_pressed(void **unused)
{
    for (int i = 0; i < 2; i++) {
        const double    yield = i ? 0.3 : 0.05, pressed = 0.6;
        trial           t;
        pliant_soft_def def = pliant_soft_def_default();
        pliant_error    error = {PLIANT_OK, 0, "", ""};
        double          low = pressed, high = 1, low_y = 1e9, high_y = -1e9;
        trial_begin(&t, 0, 20, 1);
        for (int k = 0; k < 3; k++) def.cells[k] = 2;
        def.extent = vec(0.3, 0.3, 0.3);
        def.model = PLIANT_SOLID_NEO_HOOKEAN;
        def.material.young = R(1e4);
        def.material.poisson = R(0.3);
        def.material.density = 1000;
        def.material.yield = R(yield);
        def.material.drag = 100;
        const pliant_body body = pliant_scene_add_soft(t.scene, &def, &error);
        if (!body.id) fail_msg("%s", error.message);
        for (uint32_t v = 0; v < 27; v++) assert_int_equal(pliant_scene_pin(t.scene, body, &v, 1, true, &error), PLIANT_OK);
        trial_compile(&t);
        for (uint32_t v = 0; v < 27; v++) {
            double x[3];
            point_of(&t, body, v, x);
            const pliant_vec3 to = vec(x[0] / sqrt(pressed), pressed * x[1], x[2] / sqrt(pressed));
            assert_int_equal(pliant_state_set_positions(t.state, body, v, 1, &to), PLIANT_OK);
        }
        trial_run(&t, 1.0 / 60, 3);
        for (uint32_t v = 0; v < 27; v++) assert_int_equal(pliant_state_set_pinned(t.state, body, v, false), PLIANT_OK);
        trial_run(&t, 1.0 / 60, 600);
        for (uint32_t v = 0; v < 27; v++) {
            double x[3];
            point_of(&t, body, v, x);
            low_y = x[1] < low_y ? x[1] : low_y;
            high_y = x[1] > high_y ? x[1] : high_y;
        }
        while (high - low > 1e-12) { /* F_e = diag(s, m, s) with s^2 m = 1 and (s^2 - m^2) / 3 the yield */
            const double m = (low + high) / 2;
            if ((1 / m - m * m) / 3 > yield)
                low = m;
            else
                high = m;
        }
        near((high_y - low_y) / 0.3, pressed / low, 0.02 * pressed / low);
        trial_end(&t);
    }
    (void)unused;
}

/* ---- what does not differ ---- */

/* A sheet that falls on a ball and the floor. */
typedef struct falling {
    double yield, bend_yield, bend, stretch; /* the last two: compliances */
    bool   several_laws;
} falling;

static pliant_body begin_falling(trial *t, falling f, double g, uint32_t substeps, uint32_t iterations)
{
    pliant_cloth_def    def = pliant_cloth_def_default();
    pliant_error        error = {PLIANT_OK, 0, "", ""};
    pliant_collider_def ball = pliant_collider_def_default(PLIANT_SHAPE_SPHERE), floor = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
    trial_begin(t, g, substeps, iterations);
    def.cells_x = def.cells_z = 9;
    def.body.placement.position = vec(0, 1, 0);
    def.material.density = R(0.5);
    def.material.stretch = def.material.shear = compliant(f.stretch);
    def.material.bend = compliant(f.bend);
    def.material.stretch.yield = def.material.shear.yield = R(f.yield);
    def.material.bend.yield = R(f.bend_yield);
    def.material.has_stretch = def.material.has_shear = def.material.has_bend = true;
    const pliant_body body = pliant_scene_add_cloth(t->scene, &def, &error);
    if (!body.id) fail_msg("%s", error.message);
    for (uint32_t i = 0; f.several_laws && i < 9; i++) { /* rows of several laws share batches: some yield, some do not */
        pliant_law law = compliant(1e-4 + 1e-5 * i);
        law.yield = i % 2 ? R(f.yield) : 0;
        add_distance(t, body, 11 * i, 11 * i + 5, 0.5, &law);
    }
    if (f.several_laws) { /* and a solid */
        pliant_soft_def block = pliant_soft_def_default();
        for (int k = 0; k < 3; k++) block.cells[k] = 3;
        block.extent = vec(0.3, 0.3, 0.3);
        block.body.placement.position = vec(1.5, 0.3, 0);
        block.model = PLIANT_SOLID_NEO_HOOKEAN;
        block.material.young = R(2e4);
        block.material.density = 1000;
        block.material.yield = R(0.01);
        if (!pliant_scene_add_soft(t->scene, &block, &error).id) fail_msg("%s", error.message);
    }
    ball.radius = R(0.3);
    ball.pose.position = vec(0.1, 0.5, 0.05);
    add_collider(t, &ball);
    add_collider(t, &floor);
    trial_compile(t);
    return body;
}

static uint64_t hash_after(trial *t, uint32_t width, uint32_t threads, const pliant_method_def *method, uint32_t frames, bool again)
{
    pliant_solver_def def = pliant_solver_def_default();
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    def.width = width;
    def.threads = threads;
    def.method = method;
    pliant_solver *solver = pliant_solver_create(t->model, &def, &error);
    if (!solver) fail_msg("%s", error.message);
    pliant_state_reset(t->state);
    for (uint32_t f = 0; f < frames; f++) {
        pliant_inputs_reset(t->inputs, 1.0 / 60);
        assert_int_equal(pliant_solver_step(solver, t->state, t->inputs), PLIANT_OK);
        if (!again) continue;
        pliant_solver_destroy(solver);
        solver = pliant_solver_create(t->model, &def, &error);
        assert_non_null(solver);
    }
    pliant_solver_destroy(solver);
    return pliant_state_hash(t->state);
}

/* Positions, reduced: of models with and without flow, which have other states. */
static double positions_of(const trial *t, pliant_body body)
{
    double sum = 0, x[3];
    for (uint32_t v = 0; v < vertex_count(t, body); v++) {
        point_of(t, body, v, x);
        sum += (v + 1) * x[0] + (v + 3) * x[1] + (v + 7) * x[2];
    }
    return sum;
}

static void below_the_yield_no_bit_differs(void **unused)
{
    double found[2];
    (void)unused;
    for (int k = 0; k < 2; k++) {
        trial             t;
        const pliant_body body = begin_falling(&t, (falling){k ? 500 : 0, k ? 500 : 0, 1e-2, 1e-5, false}, 10, 8, 2);
        hash_after(&t, 0, 1, NULL, 60, false);
        found[k] = positions_of(&t, body);
        trial_end(&t);
    }
    near(found[1], found[0], 0);
}

static void all_ways_have_one_result(void **unused)
{
    static const uint32_t widths[] = {1, 4, 8, 16};
    (void)unused;
    for (int several = 0; several < 2; several++)
        for (int m = 0; m < 3; m++) {
            trial                      t;
            pliant_method_def          method = pliant_method_def_default();
            static const pliant_method all[] = {PLIANT_METHOD_GAUSS_SEIDEL, PLIANT_METHOD_JACOBI, PLIANT_METHOD_CHEBYSHEV};
            const falling              f = {0.002, 0.05, 1e-2, 1e-5, several};
            method.method = all[m];
            method.base = PLIANT_BASE_JACOBI;
            const pliant_body body = begin_falling(&t, f, 10, 6, 3);
            const uint64_t    expected = hash_after(&t, 1, 1, &method, 50, false);
            pliant_real       rest[PLIANT_MAX_PARAMETERS];
            uint32_t          flowed = 0;
            for (uint32_t i = 0; i < pliant_model_solved_count(t.model); i++) {
                const pliant_solved_constraint c = pliant_model_solved(t.model, i);
                assert_int_equal(pliant_state_rest(t.state, c.constraint, rest), PLIANT_OK);
                flowed += rest[0] != c.parameters[0];
            }
            assert_true(flowed > 20);
            for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
                if (!pliant_constraint_has_width(PLIANT_CONSTRAINT_DISTANCE, widths[i])) continue;
                assert_true(hash_after(&t, widths[i], 1 + (uint32_t)i, &method, 50, i % 2) == expected);
            }
            (void)body;
            trial_end(&t);
        }
}

/* Many states at once have the results of each by itself. */
static void many_states_have_their_own_results(void **unused)
{
    enum { MANY = 20 };
    trial             t;
    pliant_state     *states[MANY];
    pliant_inputs    *inputs[MANY];
    pliant_solver_def def = pliant_solver_def_default();
    (void)unused;
    const pliant_body body = begin_falling(&t, (falling){0.002, 0.05, 1e-2, 1e-5, false}, 10, 6, 1);
    def.many = true;
    pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
    assert_non_null(solver);
    for (int i = 0; i < MANY; i++) {
        const pliant_vec3 v = vec(0.1 * i, 0, 0);
        states[i] = pliant_state_create(t.model, NULL);
        inputs[i] = pliant_inputs_create(t.model, NULL);
        assert_true(states[i] && inputs[i]);
        assert_int_equal(pliant_state_set_velocities(states[i], body, 3, 1, &v), PLIANT_OK);
    }
    for (int f = 0; f < 40; f++) {
        for (int i = 0; i < MANY; i++) pliant_inputs_reset(inputs[i], 1.0 / 60);
        assert_int_equal(pliant_solver_step_many(solver, states, (const pliant_inputs *const *)inputs, MANY, NULL), PLIANT_OK);
    }
    for (int i = 0; i < MANY; i += 7) {
        const pliant_vec3 v = vec(0.1 * i, 0, 0);
        pliant_state_reset(t.state);
        assert_int_equal(pliant_state_set_velocities(t.state, body, 3, 1, &v), PLIANT_OK);
        trial_run(&t, 1.0 / 60, 40);
        assert_true(pliant_state_hash(t.state) == pliant_state_hash(states[i]));
    }
    for (int i = 0; i < MANY; i++) {
        pliant_state_destroy(states[i]);
        pliant_inputs_destroy(inputs[i]);
    }
    pliant_solver_destroy(solver);
    trial_end(&t);
}

/* A state that is saved, copied or carried over an edit goes on with its rests. */
static void a_state_keeps_its_rests(void **unused)
{
    trial        t;
    size_t       size;
    const double at[1][3] = {{5, 5, 5}};
    pliant_real  rest[PLIANT_MAX_PARAMETERS], other[PLIANT_MAX_PARAMETERS];
    uint32_t     flowed = 0, solids = 0;
    (void)unused;
    begin_falling(&t, (falling){0.002, 0.05, 1e-2, 1e-5, true}, 10, 6, 1);
    trial_run(&t, 1.0 / 60, 40);
    const void    *data = pliant_state_data(t.state, &size);
    unsigned char *bytes = malloc(size);
    assert_non_null(bytes);
    memcpy(bytes, data, size);
    pliant_state *copy = pliant_state_create(t.model, NULL), *carried = NULL;
    assert_int_equal(pliant_state_copy(copy, t.state), PLIANT_OK);
    trial_run(&t, 1.0 / 60, 20);
    const uint64_t hash = pliant_state_hash(t.state);
    pliant_state_reset(t.state);
    assert_int_equal(pliant_state_load(t.state, bytes, size, NULL), PLIANT_OK);
    trial_run(&t, 1.0 / 60, 20);
    assert_true(pliant_state_hash(t.state) == hash);
    assert_int_equal(pliant_state_copy(t.state, copy), PLIANT_OK);
    trial_run(&t, 1.0 / 60, 20);
    assert_true(pliant_state_hash(t.state) == hash);
    add_points(&t, 1, at, NULL, NULL, NULL);
    pliant_model *edited = pliant_scene_recompile(t.scene, t.state, &carried, NULL);
    assert_non_null(carried);
    for (uint32_t i = 0; i < pliant_model_solved_count(t.model); i++) {
        const pliant_solved_constraint c = pliant_model_solved(t.model, i);
        assert_int_equal(pliant_state_rest(t.state, c.constraint, rest), PLIANT_OK);
        assert_int_equal(pliant_state_rest(carried, c.constraint, other), PLIANT_OK);
        assert_memory_equal(other, rest, pliant_constraint_describe(c.kind)->parameter_count * sizeof *rest);
        flowed += rest[0] != c.parameters[0];
        solids += rest[0] != c.parameters[0] && c.kind == PLIANT_CONSTRAINT_TET_NEO_HOOKEAN;
    }
    assert_true(flowed > 20 && solids > 20);
    pliant_state_destroy(carried);
    pliant_model_destroy(edited);
    pliant_state_destroy(copy);
    free(bytes);
    trial_end(&t);
}

/* ---- energy ---- */

/* What falls, is crushed or is stretched turns over energy, and never has more than before, whatever the substeps. */
static void flow_makes_no_energy(void **unused)
{
    static const uint32_t ways[][2] = {{1, 1}, {1, 4}, {3, 2}, {10, 1}, {60, 1}};
    static const double   yields[][2] = {{0.001, 0.01}, {0.05, 0.5}, {0.01, 0}, {0, 0.2}};
    static const double   crushed[] = {0.05, 0.3, 0.6, 1.3, 2};
    (void)unused;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (size_t y = 0; y < sizeof yields / sizeof *yields; y++)
            for (int how = 0; how < 6; how++) { /* dropped; crushed, or stretched */
                trial             t;
                pliant_solver_def def = pliant_solver_def_default();
                pliant_method_def method = pliant_method_def_default();
                double            total = 0, most = 0, turned = 0, last = 0;
                const falling     f = {yields[y][0], yields[y][1], 1e2, y % 2 ? 1e-5 : 1e-3, false};
                const pliant_body body = begin_falling(&t, f, how ? 0 : 10, ways[i][0], ways[i][1]);
                for (uint32_t v = 0; how && v < vertex_count(&t, body); v++) {
                    double x[3];
                    point_of(&t, body, v, x);
                    const pliant_vec3 to = vec(crushed[how - 1] * x[0], x[1] + (how < 4 ? 0.1 * sin(20 * x[0]) : 0), x[2]);
                    assert_int_equal(pliant_state_set_positions(t.state, body, v, 1, &to), PLIANT_OK);
                }
                method.method = how % 2 ? PLIANT_METHOD_JACOBI : PLIANT_METHOD_GAUSS_SEIDEL;
                def.method = &method;
                def.energy = true;
                pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
                assert_non_null(solver);
                for (int k = 0; k < 90; k++) {
                    pliant_inputs_reset(t.inputs, 1.0 / 60);
                    assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
                    const pliant_statistics now = pliant_solver_statistics(solver);
                    if (!k) most = last = now.energy_before.kinetic + now.energy_before.gravity + now.energy_before.elastic;
                    total = now.energy.kinetic + now.energy.gravity + now.energy.elastic - now.energy.unresolved;
                    turned += fabs(total - last);
                    last = total;
                    if (total > most + 0.02 * turned + 1e-3)
                        fail_msg("%u substeps of %u, yields %g and %g, way %d: %g J in frame %d, of %g", ways[i][0], ways[i][1],
                                 yields[y][0], yields[y][1], how, total, k, most);
                }
                pliant_solver_destroy(solver);
                trial_end(&t);
            }
}

/* A block that falls on the floor, or is let go pressed or pulled, with little and much of a yield. */
static void flow_of_solids_makes_no_energy(void **unused)
{
    static const uint32_t ways[][2] = {{3, 1}, {10, 1}, {20, 2}, {60, 1}};
    static const double   yields[] = {0.005, 0.1}, shapes[] = {1, 0.5, 1.8};
    (void)unused;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (size_t y = 0; y < 2; y++)
            for (int how = 0; how < 3; how++) {
                trial               t;
                pliant_soft_def     block = pliant_soft_def_default();
                pliant_solver_def   def = pliant_solver_def_default();
                pliant_collider_def floor = pliant_collider_def_default(PLIANT_SHAPE_PLANE);
                double              total = 0, most = 0, turned = 0, last = 0;
                trial_begin(&t, how ? 0 : 10, ways[i][0], ways[i][1]);
                for (int k = 0; k < 3; k++) block.cells[k] = 3;
                block.extent = vec(0.3, 0.3, 0.3);
                block.body.placement.position = vec(0, 0.6, 0);
                block.model = PLIANT_SOLID_NEO_HOOKEAN;
                block.material.young = R(1e5);
                block.material.density = 1000;
                block.material.yield = R(yields[y]);
                const pliant_body body = pliant_scene_add_soft(t.scene, &block, NULL);
                add_collider(&t, &floor);
                trial_compile(&t);
                for (uint32_t v = 0; v < vertex_count(&t, body); v++) {
                    double x[3];
                    point_of(&t, body, v, x);
                    const pliant_vec3 to = vec(x[0], 0.6 + shapes[how] * (x[1] - 0.6), x[2]);
                    assert_int_equal(pliant_state_set_positions(t.state, body, v, 1, &to), PLIANT_OK);
                }
                def.energy = true;
                pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
                assert_non_null(solver);
                for (int k = 0; k < 60; k++) {
                    pliant_inputs_reset(t.inputs, 1.0 / 60);
                    assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
                    const pliant_statistics now = pliant_solver_statistics(solver);
                    if (!k) most = last = now.energy_before.kinetic + now.energy_before.gravity + now.energy_before.elastic;
                    total = now.energy.kinetic + now.energy.gravity + now.energy.elastic - now.energy.unresolved;
                    turned += fabs(total - last);
                    last = total;
                    if (total > most + 0.02 * turned + 1e-3)
                        fail_msg("%u substeps of %u, yield %g, way %d: %g J in frame %d, of %g", ways[i][0], ways[i][1], yields[y], how,
                                 total, k, most);
                }
                pliant_solver_destroy(solver);
                trial_end(&t);
            }
}

/* A spring that is pulled beyond its yield, and held there: what it loses is counted as dissipated, to the joule. */
static void what_flows_is_dissipated(void **unused)
{
    trial             t;
    pliant_solver_def def = pliant_solver_def_default();
    pliant_law        law = compliant(1e-3);
    const double      x[2][3] = {{0, 0, 0}, {0, 0, 1}}, inverse[2] = {1e-6, 1e-6};
    pliant_energy     energy;
    (void)unused;
    law.yield = R(0.1);
    trial_begin(&t, 0, 4, 1);
    const pliant_body body = add_points(&t, 2, x, NULL, inverse, NULL);
    add_distance(&t, body, 0, 1, 1, &law);
    trial_compile(&t);
    const pliant_vec3 to = vec(0, 0, 1.5);
    assert_int_equal(pliant_state_set_positions(t.state, body, 1, 1, &to), PLIANT_OK);
    def.energy = true;
    pliant_solver *solver = pliant_solver_create(t.model, &def, NULL);
    assert_non_null(solver);
    pliant_inputs_reset(t.inputs, 1.0 / 60);
    assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
    assert_int_equal(pliant_solver_energy(solver, body, &energy), PLIANT_OK);
    near(energy.elastic, 0.5 * 0.1 * 0.1 / 1e-3, 0.05);
    near(energy.dissipated, 0.5 * (0.5 * 0.5 - 0.1 * 0.1) / 1e-3, 0.1);
    pliant_solver_destroy(solver);
    trial_end(&t);
}

/* ---- refusals ---- */

static void refuse_law(pliant_constraint_kind kind, pliant_law law, const char *word)
{
    trial        t;
    pliant_error error = {PLIANT_OK, 0, "", ""};
    trial_begin(&t, 0, 1, 1);
    const pliant_body     body = add_points(&t, 4, flat, NULL, NULL, NULL);
    pliant_constraint_def def = pliant_constraint_def_default(kind);
    for (uint32_t k = 0; k < pliant_constraint_describe(kind)->slots; k++) def.particles[k] = (pliant_particle){body, k};
    def.law = law;
    assert_int_equal(pliant_scene_add_constraint(t.scene, &def, &error).id, 0);
    if (!strstr(error.message, word)) fail_msg("\"%s\" says nothing of %s", error.message, word);
    trial_end(&t);
}

static void what_cannot_flow_is_refused(void **unused)
{
    pliant_law range = plastic(0.1, 0, 0, 0);
    (void)unused;
    for (int k = 0; k < PLIANT_CONSTRAINT_COUNT; k++)
        if (!(pliant_constraint_describe((pliant_constraint_kind)k)->flags & PLIANT_ROW_PLASTIC))
            refuse_law((pliant_constraint_kind)k, plastic(0.1, 0, 0, 0), "have no yield");
    range.limited = true;
    range.limit = PLIANT_RANGE;
    refuse_law(PLIANT_CONSTRAINT_DISTANCE, range, "range");
    refuse_law(PLIANT_CONSTRAINT_DISTANCE, plastic(-0.1, 0, 0, 0), "yield");
    refuse_law(PLIANT_CONSTRAINT_DISTANCE, plastic(2000, 0, 0, 0), "yield");
    refuse_law(PLIANT_CONSTRAINT_DISTANCE, plastic(NAN, 0, 0, 0), "yield");
    refuse_law(PLIANT_CONSTRAINT_DISTANCE, plastic(0.1, -1, 0, 0), "creep");
    refuse_law(PLIANT_CONSTRAINT_DISTANCE, plastic(0.1, 0, -1, 0), "hardening");
    refuse_law(PLIANT_CONSTRAINT_DISTANCE, plastic(0.1, 0, 0, -1), "most");
    refuse_law(PLIANT_CONSTRAINT_DISTANCE, plastic(0, 1, 0, 0), "yield above 0");
}

static void methods_say_which_of_them_let_rows_flow(void **unused)
{
    trial    t;
    uint32_t taken = 0;
    (void)unused;
    begin_falling(&t, (falling){0.01, 0.1, 1e-2, 1e-5, false}, 10, 4, 4);
    for (int m = 0; m < PLIANT_METHOD_COUNT; m++) {
        pliant_method_def method = pliant_method_def_default();
        pliant_error      error = {PLIANT_OK, 0, "", ""};
        method.method = (pliant_method)m;
        if (pliant_method_takes(t.model, &method, &error))
            taken++;
        else
            assert_non_null(strstr(error.message, "yield"));
    }
    assert_int_equal(taken, 3);
    trial_end(&t);
}

static void bdf2_refuses_a_yield(void **unused)
{
    pliant_law   law = plastic(0.1, 0, 0, 0);
    pliant_error error = {PLIANT_OK, 0, "", ""};
    trial        t;
    (void)unused;
    memset(&t, 0, sizeof t);
    t.def = pliant_scene_def_default();
    t.def.integration = PLIANT_INTEGRATION_BDF2;
    trial_begin_def(&t);
    const pliant_body body = add_points(&t, 4, flat, NULL, NULL, NULL);
    add_distance(&t, body, 0, 1, 2, &law);
    t.model = pliant_scene_compile(t.scene, &error);
    assert_non_null(t.model);
    assert_null(pliant_solver_create(t.model, NULL, &error));
    assert_non_null(strstr(error.message, "bdf2"));
    trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_flows_to_where_its_strain_is_its_yield),
        cmocka_unit_test(it_creeps_at_its_rate_whatever_the_substeps),
        cmocka_unit_test(it_flows_back_as_it_flowed),
        cmocka_unit_test(what_a_limit_lets_be_is_no_strain),
        cmocka_unit_test(rests_are_read_and_set),
        cmocka_unit_test(a_bent_bar_keeps_the_bend_less_its_yield),
        cmocka_unit_test(a_solid_flows_to_where_its_strain_is_its_yield),
        cmocka_unit_test(flow_of_a_solid_takes_energy_and_keeps_its_volume),
        cmocka_unit_test(a_pressed_block_stays_pressed),
        cmocka_unit_test(below_the_yield_no_bit_differs),
        cmocka_unit_test(all_ways_have_one_result),
        cmocka_unit_test(many_states_have_their_own_results),
        cmocka_unit_test(a_state_keeps_its_rests),
        cmocka_unit_test(flow_makes_no_energy),
        cmocka_unit_test(flow_of_solids_makes_no_energy),
        cmocka_unit_test(what_flows_is_dissipated),
        cmocka_unit_test(what_cannot_flow_is_refused),
        cmocka_unit_test(methods_say_which_of_them_let_rows_flow),
        cmocka_unit_test(bdf2_refuses_a_yield),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
