/* Laws of methods: what holds for every one of them, with every setting that changes what it does; and what each promises by itself. A method
 * that is added to the table is met here by itself; a setting wants a row in `ways`. */
#include "json_reader.h"
#include "more.h"
#include "scene_files.h"
#include "trial.h"

#include "pliant/io.h"

#define H60 (1.0 / 60)

/* ---- the ways to solve ---- */

enum {
    SHIFTS = 1, /* loses momentum */
    ACCELERATES = 2,
    ROOTLESS = 4,  /* may find no solution, and says so */
    BOTH = 8,      /* residuals */
    FOREIGN = 16,  /* wants sparse factors, which another library makes: one result to 1e-12, not to the bit */
    OWN_STEPS = 32 /* counts its steps itself */
};

typedef struct way {
    const char       *name;
    pliant_method_def def;
    unsigned          flags;
} way;

static way    ways[PLIANT_METHOD_COUNT + 16];
static size_t way_count;

static pliant_method_def *add_way(const char *name, pliant_method method, unsigned flags)
{
    way *w = &ways[way_count++];
    assert_true(way_count <= sizeof ways / sizeof *ways);
    *w = (way){name, pliant_method_def_default(), flags};
    w->def.method = method;
    return &w->def;
}

static int list_ways(void **unused)
{
    (void)unused;
    for (int m = 0; m < PLIANT_METHOD_COUNT; m++) {
        static const unsigned flags[PLIANT_METHOD_COUNT] = {[PLIANT_METHOD_CHEBYSHEV] = ACCELERATES,
                                                            [PLIANT_METHOD_NEWTON] = ACCELERATES | ROOTLESS | OWN_STEPS,
                                                            [PLIANT_METHOD_MULTIGRID] = ACCELERATES | BOTH};
        add_way(pliant_method_describe((pliant_method)m)->name, (pliant_method)m, flags[m]);
    }
    add_way("gauss_seidel, over-relaxed", PLIANT_METHOD_GAUSS_SEIDEL, 0)->relaxation = R(1.3);
    add_way("jacobi, classic", PLIANT_METHOD_JACOBI, SHIFTS)->averaging = PLIANT_AVERAGING_CLASSIC;
    add_way("chebyshev over jacobi", PLIANT_METHOD_CHEBYSHEV, ACCELERATES)->base = PLIANT_BASE_JACOBI;
    add_way("chebyshev, given", PLIANT_METHOD_CHEBYSHEV, ACCELERATES)->spectral_radius = R(0.95);
    add_way("newton, predicted", PLIANT_METHOD_NEWTON, ACCELERATES | ROOTLESS | OWN_STEPS)->gradients = PLIANT_GRADIENTS_PREDICTED;
    add_way("newton, implicit", PLIANT_METHOD_NEWTON, ACCELERATES | BOTH | OWN_STEPS)->gradients = PLIANT_GRADIENTS_IMPLICIT;
    for (int g = 0; g <= PLIANT_GRADIENTS_IMPLICIT; g++) {
        static const char *const names[] = {"newton by sparse factors", "newton by sparse factors, predicted",
                                            "newton by sparse factors, implicit"};
        const unsigned           flags = ACCELERATES | OWN_STEPS | FOREIGN | (g == PLIANT_GRADIENTS_IMPLICIT ? BOTH : ROOTLESS);
        pliant_method_def       *def = add_way(names[g], PLIANT_METHOD_NEWTON, flags);
        def->gradients = (pliant_gradients)g;
        def->linear = PLIANT_LINEAR_SPARSE;
    }
    add_way("multigrid, multipliers", PLIANT_METHOD_MULTIGRID, ACCELERATES | BOTH)->system = PLIANT_SYSTEM_MULTIPLIERS;
    return 0;
}

/* Whether a way takes a model here. What newton gives to sparse factors by itself is met by the ways that say so. */
static bool takes(const pliant_model *model, const way *w, pliant_error *error)
{
    if (!pliant_method_takes(model, &w->def, error)) return false;
    return w->flags & FOREIGN ? trial_linear() || !pliant_method_wants_linear(model, &w->def, error)
                              : !pliant_method_wants_linear(model, &w->def, error);
}

static pliant_solver *solver_of(const pliant_model *model, const way *w, uint32_t width, uint32_t threads)
{
    pliant_solver_def def = pliant_solver_def_default();
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    def.method = &w->def;
    def.width = width;
    def.threads = threads;
    def.linear = trial_linear();
    pliant_solver *solver = pliant_solver_create(model, &def, &error);
    if (!solver) print_error("%s: %s\n", w->name, error.message);
    assert_non_null(solver);
    return solver;
}

/* ---- the table ---- */

static void each_method_has_its_row_and_its_name(void **unused)
{
    (void)unused;
    for (int m = 0; m < PLIANT_METHOD_COUNT; m++) {
        const pliant_method_info *info = pliant_method_describe((pliant_method)m);
        assert_int_equal(info->method, m);
        assert_ptr_equal(pliant_method_find(info->name), info);
        assert_true(*info->text && *info->converges && *info->source);
    }
    assert_null(pliant_method_describe(PLIANT_METHOD_COUNT));
    assert_null(pliant_method_find("gauss"));
    assert_null(pliant_method_find(NULL));
}

static void what_a_scene_says_reaches_the_model(void **unused)
{
    static const struct {
        const char *solver, *error;
    } cases[] = {
        {"\"method\": \"jacobi\", \"averaging\": \"classic\", \"relaxation\": 0.5", NULL},
        {"\"method\": \"chebyshev\", \"base\": \"jacobi\", \"spectral_radius\": 0.75", NULL},
        {"\"averaging\": \"row\"", "averaging"},
        {"\"method\": \"jacobi\", \"spectral_radius\": 0.5", "chebyshev"},
        {"\"method\": \"jacoby\"", "jacobi"},
        {"\"method\": \"jacobi\", \"relaxation\": 2", "relaxation"},
        {"\"method\": \"chebyshev\", \"spectral_radius\": 1", "spectral_radius"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char              text[400];
        pliant_error      error = {PLIANT_OK, 0, "", ""};
        pliant_scene_file file;
        int               length = snprintf(text, sizeof text,
                                            "{\"pliant\": 1, \"solver\": {%s},\n\"bodies\": [{\"type\": \"rope\", \"from\": [0, 0, 0], \"to\": [1, 0, "
                                                          "0], \"segments\": 2}]}",
                                            cases[i].solver);
        bool              good = pliant_scene_read_text(text, (size_t)length, "text", NULL, NULL, &file, &error) == PLIANT_OK;
        if (cases[i].error) {
            assert_false(good);
            assert_int_equal(error.line, 1);
            if (!strstr(error.message, cases[i].error)) fail_msg("%s: %s", cases[i].solver, error.message);
            continue;
        }
        if (!good) fail_msg("%s", error.message);
        pliant_model    *model = pliant_scene_compile(file.scene, &error);
        pliant_scene_def d = pliant_model_settings(model);
        if (i == 0)
            assert_true(d.method.method == PLIANT_METHOD_JACOBI && d.method.averaging == PLIANT_AVERAGING_CLASSIC &&
                        d.method.relaxation == R(0.5));
        else
            assert_true(d.method.method == PLIANT_METHOD_CHEBYSHEV && d.method.base == PLIANT_BASE_JACOBI &&
                        d.method.spectral_radius == R(0.75));
        pliant_model_destroy(model);
        pliant_scene_destroy(file.scene);
    }
}

static void a_bad_setting_is_refused(void **unused)
{
    trial t;
    (void)unused;
    trial_begin(&t, 0, 1, 1);
    add_points(&t, 1, (const double[1][3]){{0}}, NULL, NULL, NULL);
    trial_compile(&t);
    pliant_method_def bad[6];
    for (int i = 0; i < 6; i++) bad[i] = pliant_method_def_default();
    bad[0].size = 1;
    bad[1].method = PLIANT_METHOD_COUNT;
    bad[2].relaxation = 0;
    bad[3].relaxation = R(NAN);
    bad[4].spectral_radius = 1;
    bad[5].averaging = (pliant_averaging)7;
    for (int i = 0; i < 6; i++) {
        pliant_solver_def def = pliant_solver_def_default();
        pliant_error      error = {PLIANT_OK, 0, "", ""};
        def.method = &bad[i];
        assert_null(pliant_solver_create(t.model, &def, &error));
        assert_int_equal(error.code, PLIANT_ERROR_ARGUMENT);
        assert_false(pliant_method_takes(t.model, &bad[i], NULL));
        t.def.method = bad[i];
        assert_null(pliant_scene_create(&t.def, NULL));
    }
    assert_false(pliant_method_takes(NULL, NULL, NULL));
    assert_true(pliant_method_takes(t.model, NULL, NULL));
    trial_end(&t);
}

/* ---- one result ---- */

enum { SHARED_FRAMES = 4, FOREIGN_PARTICLES = 600, MET = 40 }; /* in 40 frames all but six scenes have met everything */

/* From `start`: few substeps, several iterations, so that a method has something to do. */
static pliant_state *state_after(const pliant_model *model, const way *w, const pliant_state *start, uint32_t width, uint32_t threads,
                                 bool rebuilt)
{
    pliant_state  *state = pliant_state_create(model, NULL);
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    pliant_solver *solver = solver_of(model, w, width, threads);
    pliant_state_copy(state, start);
    for (int f = 0; f < (takes_its_time() ? SHARED_FRAMES : SHARED_FRAMES / 2); f++) {
        pliant_inputs_reset(inputs, 1.0 / 64);
        pliant_inputs_substeps(inputs, 2, 4);
        if (pliant_solver_step(solver, state, inputs) != PLIANT_OK) {
            if (!(w->flags & ROOTLESS)) fail_msg("%s diverges in frame %d", w->name, f);
            print_message("%s: no solution in frame %d\n", w->name, f);
            break;
        }
        if (rebuilt) {
            pliant_solver_destroy(solver);
            solver = solver_of(model, w, width, threads);
        }
    }
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    return state;
}

/* To the bit, or by the largest difference of positions. */
static bool agree(const pliant_model *model, const way *w, const pliant_state *a, const pliant_state *b)
{
    double most = 0;
    if (!(w->flags & FOREIGN)) return pliant_state_hash(a) == pliant_state_hash(b);
    for (uint32_t i = 0; i < pliant_model_body_count(model); i++) {
        const pliant_body_info body = pliant_model_body_at(model, i);
        for (uint32_t v = 0; v < body.vertex_count; v++) {
            pliant_vec3 p, q;
            assert_int_equal(pliant_state_positions(a, body.body, v, 1, &p), PLIANT_OK);
            assert_int_equal(pliant_state_positions(b, body.body, v, 1, &q), PLIANT_OK);
            most = fmax(most, fmax(fabs((double)(p.x - q.x)), fmax(fabs((double)(p.y - q.y)), fabs((double)(p.z - q.z)))));
        }
    }
    if (most > 0) print_message("%s: %g m apart\n", w->name, most);
    return most <= BOUND(1e-12, 1e-6);
}

/* The scene when it has met its contacts, keys and pins. */
static pliant_state *state_at(const pliant_model *model, uint32_t frames)
{
    pliant_state  *state = pliant_state_create(model, NULL);
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    pliant_solver *solver = pliant_solver_create(model, NULL, NULL);
    for (uint32_t f = 0; f < frames; f++) {
        pliant_inputs_reset(inputs, 1.0 / 64);
        assert_int_equal(pliant_solver_step(solver, state, inputs), PLIANT_OK);
    }
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    return state;
}

static void every_way_has_one_result_on_every_scene(void **unused)
{
    const bool all = takes_its_time();
    uint32_t   taken = 0;
    (void)unused;
    for (uint32_t f = 0; f < scene_file_count; f++) {
        if (!all && (f + this_turn()) % 2 != BOUND(1, 0)) continue; /* the other half in the other float */
        pliant_model *model = scene_file_model(&scene_files[f], NULL);
        pliant_state *start = state_at(model, all || scene_files[f].frames < MET ? scene_files[f].frames : MET);
        for (size_t i = 0; i < way_count; i++) {
            pliant_error error = {PLIANT_OK, 0, "", ""};
            if (!takes(model, &ways[i], &error)) {
                print_message("%s is not for %s: %s\n", scene_files[f].name, ways[i].name, error.message);
                assert_true(error.code != PLIANT_OK && *error.message);
                continue;
            }
            if (!all && (f / 2 + i + this_turn() / 2) % 4 != 0) continue; /* a quarter of these for each way */
            if (ways[i].flags & FOREIGN &&
                pliant_model_particle_count(model) > (uint32_t)(all ? FOREIGN_PARTICLES : FOREIGN_PARTICLES / 2)) {
                print_message("%s is left out for %s: it is large\n", scene_files[f].name, ways[i].name);
                continue;
            }
            pliant_state *one = state_after(model, &ways[i], start, 1, 1, false), *other = state_after(model, &ways[i], start, 0, 2, true);
            const bool    same = agree(model, &ways[i], one, other);
            pliant_state_destroy(one);
            pliant_state_destroy(other);
            if (!same)
                fail_msg("%s, %s: another result with more lanes and threads, and a new solver each frame", scene_files[f].name,
                         ways[i].name);
            taken++;
        }
        pliant_state_destroy(start);
        pliant_model_destroy(model);
    }
    assert_true((all ? 1 : 8) * taken >= 4 * scene_file_count);
}

/* ---- momentum ---- */

/* A closed net of unequal masses, pulled out of shape. */
static void build_net(trial *t, double alpha, double inverse[30])
{
    uint64_t seed = 7;
    double   x[30][3];
    for (int i = 0; i < 30; i++) {
        for (int c = 0; c < 3; c++) x[i][c] = chance(&seed);
        inverse[i] = 0.2 + 3 * chance(&seed);
    }
    pliant_law  law = compliant(alpha);
    pliant_body body = add_points(t, 30, (const double(*)[3])x, NULL, inverse, NULL);
    for (uint32_t i = 0; i < 30; i++)
        for (uint32_t k = 1; k < 4; k++) add_distance(t, body, i, (i + k * k) % 30, 0.3 + 0.5 * chance(&seed), &law);
}

static double momentum_gained(const way *w, double alpha)
{
    trial  t;
    double inverse[30];
    trial_begin(&t, 0, 2, 12);
    t.def.method = w->def;
    pliant_scene_destroy(t.scene);
    trial_begin_def(&t);
    build_net(&t, alpha, inverse);
    trial_compile(&t);
    trial_run(&t, w->flags & ROOTLESS ? H60 / 64 : H60, 4);
    double sum[3] = {0}, size = 0;
    for (uint32_t i = 0; i < 30; i++) {
        double v[3];
        speed_of(&t, (pliant_body){1}, i, v);
        for (int c = 0; c < 3; c++) sum[c] += v[c] / inverse[i];
        size += length3(v) / inverse[i];
    }
    trial_end(&t);
    return length3(sum) / size;
}

static void every_way_but_one_keeps_momentum(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < way_count; i++) {
        trial  t;
        double inverse[30];
        trial_begin(&t, 0, 1, 1);
        build_net(&t, 1e-4, inverse);
        trial_compile(&t);
        bool taken = takes(t.model, &ways[i], NULL);
        trial_end(&t);
        double lost = taken ? momentum_gained(&ways[i], 1e-4) : ways[i].flags & SHIFTS ? momentum_gained(&ways[i], 0) : 0;
        print_message("%s: %g of its momentum\n", ways[i].name, lost);
        if (ways[i].flags & SHIFTS)
            assert_true(lost > 1e-3);
        else
            near(lost, 0, 2000 * EPSILON);
    }
}

/* Free bodies, soft and stiff, alone and against each other, in no gravity. */
static const struct free_bodies {
    const char *name, *bodies;
    double      shaken;  /* metres that vertices are moved at random before */
    bool        elastic; /* newton, which leaves residuals of rows that are 0 at rest, does not keep its momentum to rounding */
} free_bodies[] = {
    {"a stiff soft body that spins",
     "{\"type\": \"soft\", \"model\": \"distance\", \"cells\": [2, 4, 3], \"size\": [0.5, 0.15, 0.45], \"material\": \"rubber\", "
     "\"spin\": [-5.7, "
     "3.7, -0.5]}",
     0, false},
    {"a soft body that is torn out of shape",
     "{\"type\": \"soft\", \"model\": \"distance\", \"cells\": [3, 3, 3], \"size\": [0.3, 0.3, 0.3], \"material\": \"rubber\", "
     "\"velocity\": [0.1, 0, 0]}",
     0.02, false},
    {"a neo-Hookean body that is torn out of shape",
     "{\"type\": \"soft\", \"cells\": [3, 3, 3], \"size\": [0.3, 0.3, 0.3], \"model\": \"neo_hookean\", \"material\": \"rubber\", "
     "\"velocity\": [0.1, 0, 0]}",
     0.02, true},
    {"a sheet that spins",
     "{\"type\": \"cloth\", \"cells\": [6, 6], \"size\": [0.5, 0.5], \"material\": \"denim\", \"spin\": [1, 4, 2], \"velocity\": [0, 0.3, "
     "0]}",
     0, false},
    {"a rope that spins",
     "{\"type\": \"rope\", \"from\": [0, 0, 0], \"to\": [1, 0, 0], \"segments\": 12, \"material\": \"rope\", \"spin\": [0, 3, 1]}", 0,
     false},
    {"two jellies that meet",
     "{\"type\": \"soft\", \"model\": \"distance\", \"cells\": [2, 2, 2], \"size\": [0.2, 0.2, 0.2], \"material\": \"jelly\", "
     "\"thickness\": 0.01, \"velocity\": "
     "[1, 0, 0]}, "
     "{\"type\": \"soft\", \"model\": \"distance\", \"cells\": [2, 2, 2], \"size\": [0.2, 0.2, 0.2], \"position\": [0.3, 0.05, 0.02], "
     "\"material\": \"rubber\", "
     "\"thickness\": 0.01}",
     0, false},
};

enum { FREE_VERTICES = 100, FREE_FRAMES = 30 };

static pliant_model *free_model(const char *bodies, const char *settings)
{
    char              text[1400];
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    pliant_scene_file file;
    int               length =
        snprintf(text, sizeof text, "{\"pliant\": 1, \"solver\": {\"gravity\": [0, 0, 0], %s}, \"bodies\": [%s]}", settings, bodies);
    if (pliant_scene_read_text(text, (size_t)length, "free", NULL, NULL, &file, &error) != PLIANT_OK) fail_msg("%s", error.message);
    pliant_model *model = pliant_scene_compile(file.scene, &error);
    if (!model) fail_msg("%s: %s", bodies, error.message);
    pliant_scene_destroy(file.scene);
    return model;
}

/* Sums over all bodies of m v, m x X v about the origin and m |v|; m of all particles and the largest |x|. */
typedef struct moving {
    double linear[3], angular[3], size, mass, reach;
} moving;

static moving moving_of(const pliant_state *state)
{
    const pliant_model *model = pliant_state_model(state);
    moving              out = {{0}, {0}, 0, 0, 0};
    for (uint32_t b = 0; b < pliant_model_body_count(model); b++) {
        const pliant_body_info body = pliant_model_body_at(model, b);
        for (uint32_t i = 0; i < body.vertex_count; i++) {
            pliant_vec3 x, v;
            pliant_real w;
            assert_int_equal(pliant_state_positions(state, body.body, i, 1, &x), PLIANT_OK);
            assert_int_equal(pliant_state_velocities(state, body.body, i, 1, &v), PLIANT_OK);
            assert_int_equal(pliant_state_inverse_masses(state, body.body, i, 1, &w), PLIANT_OK);
            const double at[3] = {(double)x.x, (double)x.y, (double)x.z}, speed[3] = {(double)v.x, (double)v.y, (double)v.z},
                         m = 1 / (double)w;
            for (int c = 0; c < 3; c++) {
                out.linear[c] += m * speed[c];
                out.angular[c] += m * (at[(c + 1) % 3] * speed[(c + 2) % 3] - at[(c + 2) % 3] * speed[(c + 1) % 3]);
            }
            out.size += m * length3(speed);
            out.mass += m;
            out.reach = fmax(out.reach, length3(at));
        }
    }
    return out;
}

static void shake(pliant_state *state, double metres)
{
    const pliant_body_info body = pliant_model_body_at(pliant_state_model(state), 0);
    pliant_vec3            x[FREE_VERTICES];
    uint64_t               seed = 11;
    assert_true(body.vertex_count <= FREE_VERTICES);
    assert_int_equal(pliant_state_positions(state, body.body, 0, body.vertex_count, x), PLIANT_OK);
    for (uint32_t i = 0; i < body.vertex_count; i++)
        x[i] = vec((double)x[i].x + metres * (chance(&seed) - 0.5), (double)x[i].y + metres * (chance(&seed) - 0.5),
                   (double)x[i].z + metres * (chance(&seed) - 0.5));
    assert_int_equal(pliant_state_set_positions(state, body.body, 0, body.vertex_count, x), PLIANT_OK);
}

/* A substep's rounding of a position, half of EPSILON of it, is a speed of that by h; as many of them as there are substeps add up at random, and
 * where few particles weigh most hardly cancel. */
static void way_keeps_linear_momentum(const pliant_model *model, const way *w, const struct free_bodies *f)
{
    const double   h = H60 / 2;
    pliant_state  *state = pliant_state_create(model, NULL);
    pliant_solver *solver = solver_of(model, w, 0, 1);
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    shake(state, f->shaken);
    const moving first = moving_of(state);
    double       reach = first.reach;
    for (int frame = 0; frame < FREE_FRAMES; frame++) {
        pliant_inputs_reset(inputs, H60);
        if (pliant_solver_step(solver, state, inputs) != PLIANT_OK) {
            assert_true(w->flags & ROOTLESS);
            break;
        }
        const moving now = moving_of(state);
        reach = fmax(reach, now.reach);
        for (int c = 0; c < 3; c++) {
            const double gained = fabs(now.linear[c] - first.linear[c]),
                         rounding = EPSILON * reach / h * sqrt(2.0 * FREE_FRAMES) * now.mass;
            if (!(gained <= rounding))
                fail_msg("%s, %s: %g of momentum in frame %d, %g is rounding", w->name, f->name, gained, frame + 1, rounding);
        }
    }
    pliant_inputs_destroy(inputs);
    pliant_solver_destroy(solver);
    pliant_state_destroy(state);
}

static void free_bodies_keep_linear_momentum_by_every_way(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof free_bodies / sizeof *free_bodies; k++) {
        pliant_model *model = free_model(free_bodies[k].bodies, "\"substeps\": 2");
        for (size_t i = 0; i < way_count; i++)
            if (!(ways[i].flags & SHIFTS) && !(free_bodies[k].elastic && ways[i].def.method == PLIANT_METHOD_NEWTON) &&
                takes(model, &ways[i], NULL))
                way_keeps_linear_momentum(model, &ways[i], &free_bodies[k]);
        pliant_model_destroy(model);
    }
}

/* ---- angular momentum ---- */

#define SPIN 5.3 /* rad/s, about the middle, where the origin is */
#define SPIN_FRAMES 14

static const char *const spinning[] = {
    ("{\"type\": \"soft\", \"cells\": [2, 4, 3], \"size\": [0.5, 0.15, 0.45], \"model\": \"distance\", \"material\": \"rubber\", "
     "\"spin\": [0, 5.3, 0]}"),
    "{\"type\": \"cloth\", \"cells\": [6, 6], \"size\": [0.5, 0.5], \"material\": \"denim\", \"spin\": [0, 5.3, 0]}",
    "{\"type\": \"rope\", \"from\": [-0.5, 0, 0], \"to\": [0.5, 0, 0], \"segments\": 12, \"spin\": [0, 5.3, 0]}"};

/* The share of its angular momentum that a body has lost in the end; -1: this way does not take it, or finds no solution. */
static double lost_by_spinning(const char *body, const char *settings, const way *w)
{
    pliant_model *model = free_model(body, settings);
    double        lost = -1;
    if (takes(model, w, NULL)) {
        pliant_state  *state = pliant_state_create(model, NULL);
        pliant_solver *solver = solver_of(model, w, 0, 1);
        pliant_inputs *inputs = pliant_inputs_create(model, NULL);
        const moving   first = moving_of(state);
        pliant_code    code = PLIANT_OK;
        for (int f = 0; f < SPIN_FRAMES && code == PLIANT_OK; f++) {
            pliant_inputs_reset(inputs, H60);
            code = pliant_solver_step(solver, state, inputs);
        }
        const moving last = moving_of(state);
        if (code == PLIANT_OK) lost = 1 - length3(last.angular) / length3(first.angular);
        pliant_inputs_destroy(inputs);
        pliant_solver_destroy(solver);
        pliant_state_destroy(state);
    }
    pliant_model_destroy(model);
    return lost;
}

/* Gradients of the start: what a substep begins with is turned, and not shortened. */
static bool keeps_spin(const way *w) { return w->def.method == PLIANT_METHOD_NEWTON && w->def.gradients == PLIANT_GRADIENTS_START; }

/* docs/methods/README.md, Angular momentum: first order leaves (1 + 2 s^2 h t)^(-1/2) of a spin s, whatever the method. */
static void a_spin_is_damped_as_first_order_says_by_every_way(void **unused)
{
    static const struct {
        const char *settings;
        double      substeps, within; /* few sweeps of long substeps leave lengths, too, which Jacobi's do most */
    } rows[] = {{"\"substeps\": 1, \"iterations\": 20", 1, 0.012}, {"\"substeps\": 10, \"iterations\": 4", 10, 0.0005}};
    (void)unused;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (size_t b = 0; b < sizeof spinning / sizeof *spinning; b++)
            for (size_t i = 0; i < way_count; i++) {
                const double h = H60 / rows[r].substeps, said = 1 - 1 / sqrt(1 + 2 * SPIN * SPIN * h * SPIN_FRAMES * H60);
                if (ways[i].flags & SHIFTS || ways[i].def.method == PLIANT_METHOD_HIERARCHICAL) continue;
                const double lost = lost_by_spinning(spinning[b], rows[r].settings, &ways[i]);
                print_message("%s, body %zu, %g substeps: %.4f lost, %.4f said\n", ways[i].name, b, rows[r].substeps, lost, said);
                if (lost == -1)
                    assert_true(ways[i].def.method == PLIANT_METHOD_NEWTON);
                else
                    near(lost, keeps_spin(&ways[i]) ? 0 : said, keeps_spin(&ways[i]) ? 2e-5 : rows[r].within);
            }
}

static void a_spin_is_hardly_damped_by_bdf2(void **unused)
{
    (void)unused;
    for (size_t b = 0; b < sizeof spinning / sizeof *spinning; b++)
        for (size_t i = 0; i < way_count; i++) {
            if (ways[i].flags & SHIFTS || ways[i].def.method == PLIANT_METHOD_HIERARCHICAL || ways[i].def.spectral_radius > 0)
                continue; /* given for others */
            const double one = lost_by_spinning(spinning[b], "\"integration\": \"bdf2\", \"substeps\": 1, \"iterations\": 20", &ways[i]),
                         ten = lost_by_spinning(spinning[b], "\"integration\": \"bdf2\", \"substeps\": 10, \"iterations\": 4", &ways[i]);
            print_message("%s, body %zu: %.4f lost, %.5f with 10 substeps\n", ways[i].name, b, one, ten);
            if (one == -1 || ten == -1)
                assert_true(ways[i].def.method == PLIANT_METHOD_NEWTON);
            else {
                near(one, 0.0105, 0.0015);
                near(ten, 0, 0.001);
            }
        }
}

/* ---- residuals ---- */

typedef struct followed {
    uint32_t        count, stop;
    pliant_progress first, last;
    bool            in_order;
} followed;

static bool follow(const pliant_progress *p, void *context)
{
    followed *f = context;
    if (p->iteration == 0) f->first = *p;
    f->in_order = (f->count == 0 || f->in_order) && p->iteration == f->count && p->seconds >= 0;
    f->count++;
    f->last = *p;
    return p->iteration < f->stop;
}

static void hanging_cloth(trial *t, double compliance)
{
    trial_begin(t, 10, 1, 300);
    hang_cloth(t, 0, compliance, 12);
    trial_compile(t);
}

static pliant_solver *following(const trial *t, const way *w, followed *f, bool measure)
{
    pliant_solver_def def = pliant_solver_def_default();
    def.method = &w->def;
    def.trace = follow;
    def.trace_context = f;
    def.measure = measure;
    def.linear = trial_linear();
    pliant_solver *solver = pliant_solver_create(t->model, &def, NULL);
    assert_non_null(solver);
    return solver;
}

static void every_way_lessens_the_residual_of_the_constraints(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < way_count; i++) {
        trial    t;
        followed f = {.stop = 300};
        hanging_cloth(&t, ways[i].flags & SHIFTS ? 0 : 1e-4);
        if (!takes(t.model, &ways[i], NULL)) {
            trial_end(&t);
            continue;
        }
        pliant_solver *solver = following(&t, &ways[i], &f, true);
        pliant_inputs_reset(t.inputs, H60);
        assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
        assert_true(f.in_order && f.count > 1 && f.count <= 301);
        print_message("%s: %g of the residual left after %u iterations\n", ways[i].name, f.last.constraint / f.first.constraint,
                      f.count - 1);
        near(f.first.primal, 0, 1e-12); /* nothing has moved yet */
        assert_true(f.first.constraint > 1e-4);
        assert_true(f.last.constraint < (ways[i].flags & ACCELERATES ? 0.01 : 0.6) * f.first.constraint);
        /* what the trace saw last is what the statistics say, but for the rounding of sums */
        pliant_statistics s = pliant_solver_statistics(solver);
        near(s.primal_residual, f.last.primal, 1e-12 * f.last.primal);
        near(s.constraint_residual, f.last.constraint, 1e-12 * f.first.constraint);
        pliant_solver_destroy(solver);
        trial_end(&t);
    }
}

static void a_trace_that_has_had_enough_ends_the_iterations(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < way_count; i++) {
        trial    t;
        followed f = {.stop = 3};
        hanging_cloth(&t, ways[i].flags & SHIFTS ? 0 : 1e-4);
        if (takes(t.model, &ways[i], NULL)) {
            pliant_solver *solver = following(&t, &ways[i], &f, false);
            pliant_state  *other = pliant_state_create(t.model, NULL);
            pliant_inputs_reset(t.inputs, H60);
            assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
            assert_int_equal(f.last.iteration, 3);
            assert_int_equal(f.count, 4);
            /* it leaves what as many iterations leave, where they are counted, and looking changes nothing */
            pliant_solver *plain = solver_of(t.model, &ways[i], 0, 1);
            pliant_inputs_substeps(t.inputs, 0, 3);
            assert_int_equal(pliant_solver_step(plain, other, t.inputs), PLIANT_OK);
            for (uint32_t v = 0; v < 13 * 13 && !(ways[i].flags & OWN_STEPS); v++) {
                double a[3], b[3];
                point_of(&t, (pliant_body){1}, v, a);
                pliant_state *mine = t.state;
                t.state = other;
                point_of(&t, (pliant_body){1}, v, b);
                t.state = mine;
                for (int c = 0; c < 3; c++) assert_true(a[c] == b[c]);
            }
            pliant_state_destroy(other);
            pliant_solver_destroy(plain);
            pliant_solver_destroy(solver);
        }
        trial_end(&t);
    }
}

/* A force with a direction that stays while its particle moves, an attachment's, leaves nothing of the motion's equation: XPBD is implicit Euler. Two
 * springs that turn each other leave something, however well the constraints are solved. */
static void the_motion_is_solved_where_gradients_do_not_turn(void **unused)
{
    (void)unused;
    for (int turning = 0; turning < 2; turning++)
        for (size_t i = 0; i < way_count; i++) {
            trial    t;
            followed f = {.stop = 1000};
            trial_begin(&t, 10, 1, 200);
            const double x[3][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, w[3] = {0, 1, 0};
            pliant_body  body = add_points(&t, 3, x, NULL, w, NULL);
            pliant_law   law = compliant(1e-4);
            if (turning)
                for (uint32_t k = 0; k < 2; k++) add_distance(&t, body, k, k + 1, 0.7, &law);
            else
                add_link(&t, body, PLIANT_CONSTRAINT_ATTACHMENT, (const uint32_t[]){0, 1}, 0, &law);
            trial_compile(&t);
            if (!(ways[i].flags & SHIFTS) && takes(t.model, &ways[i], NULL)) {
                pliant_solver *solver = following(&t, &ways[i], &f, false);
                pliant_inputs_reset(t.inputs, H60);
                assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
                print_message("%s: primal %g, constraint %g\n", ways[i].name, f.last.primal, f.last.constraint);
                near(f.last.constraint, 0, 20 * EPSILON);
                if (turning && !(ways[i].flags & BOTH))
                    assert_true(f.last.primal > 1e-3);
                else
                    near(f.last.primal, 0, 100 * EPSILON);
                pliant_solver_destroy(solver);
            }
            trial_end(&t);
        }
}

/* ---- Jacobi ---- */

static void sweep_three(const way *w, const double (*x)[3], double *out)
{
    trial t;
    trial_begin(&t, 0, 1, 1);
    pliant_body body = add_points(&t, 3, x, NULL, NULL, NULL);
    for (uint32_t i = 0; i < 2; i++) add_distance(&t, body, i, i + 1, 1, NULL);
    trial_compile(&t);
    pliant_solver *solver = solver_of(t.model, w, 0, 1);
    pliant_inputs_reset(t.inputs, H60);
    assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
    for (uint32_t i = 0; i < 3; i++) {
        double p[3];
        point_of(&t, body, i, p);
        out[i] = p[0];
    }
    pliant_solver_destroy(solver);
    trial_end(&t);
}

static void one_sweep_of_a_chain_is_what_it_is_by_hand(void **unused)
{
    const double even[3][3] = {{0, 0, 0}, {1.5, 0, 0}, {3, 0, 0}}, uneven[3][3] = {{0, 0, 0}, {1.5, 0, 0}, {2.6, 0, 0}};
    way          classic = {"classic", pliant_method_def_default(), 0}, row = classic;
    double       found[3];
    (void)unused;
    classic.def.method = row.def.method = PLIANT_METHOD_JACOBI;
    classic.def.averaging = PLIANT_AVERAGING_CLASSIC;
    sweep_three(&classic, even, found); /* x = (0.2 x + sum of x_e) / (0.2 + n) */
    near(found[0], 0.25 / 1.2, 2 * EPSILON);
    near(found[1], 1.5, 4 * EPSILON);
    near(found[2], 3 - 0.25 / 1.2, 4 * EPSILON);
    sweep_three(&classic, uneven, found); /* ends count once and the middle twice, so their sum shifts */
    near(found[0] + found[1] + found[2] - 4.1, 0.25 / 1.2 - 0.2 / 2.2 - 0.05 / 1.2, 8 * EPSILON);
    sweep_three(&row, even, found); /* the middle's mass is halved: its w counts twice, dlambda = 0.5 / (1 + 2) */
    near(found[0], 0.5 / 3, 2 * EPSILON);
    near(found[1], 1.5, 4 * EPSILON);
    sweep_three(&row, uneven, found);
    near(found[0] + found[1] + found[2], 4.1, 8 * EPSILON);
}

static void no_order_biases_jacobi(void **unused)
{
    (void)unused;
    for (int classic = 0; classic < 2; classic++) {
        double x[2][40];
        for (int reversed = 0; reversed < 2; reversed++) {
            trial             t;
            pliant_method_def d = pliant_method_def_default();
            double            start[40][3] = {{0}};
            trial_begin(&t, 10, 1, 7);
            pliant_scene_destroy(t.scene);
            d.method = PLIANT_METHOD_JACOBI;
            d.averaging = classic ? PLIANT_AVERAGING_CLASSIC : PLIANT_AVERAGING_ROW;
            t.def.method = d;
            t.def.order = PLIANT_ORDER_GIVEN;
            trial_begin_def(&t);
            for (int i = 0; i < 40; i++) start[i][0] = i;
            pliant_body body = add_points(&t, 40, (const double(*)[3])start, NULL, NULL, NULL);
            for (uint32_t i = 0; i < 39; i++) {
                uint32_t a = reversed ? 38 - i : i;
                add_distance(&t, body, a, a + 1, 0.5, NULL);
            }
            trial_compile(&t);
            trial_run(&t, H60, 3);
            for (uint32_t i = 0; i < 40; i++) {
                double p[3];
                point_of(&t, body, i, p);
                x[reversed][i] = p[0];
            }
            trial_end(&t);
        }
        for (int i = 0; i < 40; i++) near(x[0][i], x[1][i], 100 * EPSILON);
        for (int i = 0; i < 40; i++) near(x[0][i] + x[0][39 - i], 39, 4000 * EPSILON); /* and it is as symmetric as the chain */
    }
}

/* Numbers made elsewhere; see test_oracles.c. */
static void the_cloth_of_teaching_codes(void **unused)
{
    const char *folder = getenv("PLIANT_ORACLES");
    char        path[4096];
    (void)unused;
    if (!folder || !*folder) {
        print_message("skipped: analytic/jacobi_cloth.json (PLIANT_ORACLES is not set)\n");
        skip();
        return;
    }
    snprintf(path, sizeof path, "%s/analytic/jacobi_cloth.json", folder);
    json         *file = json_read(path);
    const json   *x0 = json_get(file, "x0"), *edges = json_get(file, "edges"), *frames = json_get(file, "frames");
    trial         t;
    static double x[MAX_POINTS][3], w[MAX_POINTS];
    for (size_t i = 0; i < x0->count; i++) {
        for (size_t c = 0; c < 3; c++) x[i][c] = json_number(json_at(json_at(x0, i), c));
        w[i] = i == 0 || i == 20 ? 0 : 1;
    }
    trial_begin(&t, 9.8, 1, 32);
    pliant_scene_destroy(t.scene);
    t.def.method.method = PLIANT_METHOD_JACOBI;
    t.def.method.averaging = PLIANT_AVERAGING_CLASSIC;
    t.def.drag = R(-log(0.99) / 0.0333);
    trial_begin_def(&t);
    pliant_body body = add_points(&t, x0->count, (const double(*)[3])x, NULL, w, NULL);
    for (size_t i = 0; i < edges->count; i++) {
        uint32_t a = (uint32_t)json_number(json_at(json_at(edges, i), 0)), b = (uint32_t)json_number(json_at(json_at(edges, i), 1));
        add_distance(&t, body, a, b, json_number(json_at(json_get(file, "rest"), i)), NULL);
    }
    trial_compile(&t);
    uint32_t at = 0;
    for (size_t k = 0; k < frames->count; k++) {
        const uint32_t frame = (uint32_t)strtoul(frames->keys[k], NULL, 10);
        double         largest = 0;
        if (frame > 10) continue;
        trial_run(&t, 0.0333, frame - at);
        at = frame;
        for (uint32_t i = 0; i < x0->count; i++) {
            double p[3];
            point_of(&t, body, i, p);
            for (size_t c = 0; c < 3; c++) largest = fmax(largest, fabs(p[c] - json_number(json_at(json_at(&frames->items[k], i), c))));
        }
        print_message("frame %u: %g\n", frame, largest);
        near(largest, 0, frame == 1 ? BOUND(1e-12, 2e-6) : BOUND(1e-9, 1e-3));
    }
    assert_true(at >= 1);
    trial_end(&t);
    json_free(file);
}

static void classic_knows_no_compliance(void **unused)
{
    trial             t;
    pliant_method_def d = pliant_method_def_default();
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    (void)unused;
    hanging_cloth(&t, 1e-4);
    d.method = PLIANT_METHOD_JACOBI;
    d.averaging = PLIANT_AVERAGING_CLASSIC;
    assert_false(pliant_method_takes(t.model, &d, &error));
    assert_non_null(strstr(error.message, "compliance"));
    trial_end(&t);
}

/* ---- Chebyshev ---- */

/* With one iteration there is nothing to extrapolate. */
static void a_single_sweep_is_its_base(void **unused)
{
    (void)unused;
    for (int base = 0; base < 2; base++) {
        trial t;
        way   plain = {"plain", pliant_method_def_default(), 0}, fast = plain;
        hanging_cloth(&t, 1e-4);
        pliant_state *start = pliant_state_create(t.model, NULL);
        plain.def.method = base ? PLIANT_METHOD_JACOBI : PLIANT_METHOD_GAUSS_SEIDEL;
        fast.def.method = PLIANT_METHOD_CHEBYSHEV;
        fast.def.base = base ? PLIANT_BASE_JACOBI : PLIANT_BASE_GAUSS_SEIDEL;
        pliant_inputs_reset(t.inputs, H60);
        pliant_inputs_substeps(t.inputs, 10, 1);
        uint64_t hash[2];
        for (int k = 0; k < 2; k++) {
            pliant_solver *solver = solver_of(t.model, k ? &fast : &plain, 0, 1);
            pliant_state_copy(t.state, start);
            for (int f = 0; f < 10; f++) assert_int_equal(pliant_solver_step(solver, t.state, t.inputs), PLIANT_OK);
            hash[k] = pliant_state_hash(t.state);
            pliant_solver_destroy(solver);
        }
        assert_true(hash[0] == hash[1]);
        pliant_state_destroy(start);
        trial_end(&t);
    }
}

typedef struct reach {
    double   part, first;
    uint32_t count;
} reach;

static bool until_reached(const pliant_progress *p, void *context)
{
    reach *r = context;
    if (p->iteration == 0) r->first = p->constraint;
    r->count = p->iteration;
    return p->constraint > r->part * r->first;
}

static uint32_t sweeps_to(const trial *t, pliant_method_def d, double part)
{
    reach             r = {.part = part};
    pliant_solver_def def = pliant_solver_def_default();
    pliant_state     *state = pliant_state_create(t->model, NULL);
    def.method = &d;
    def.trace = until_reached;
    def.trace_context = &r;
    pliant_solver *solver = pliant_solver_create(t->model, &def, NULL);
    pliant_inputs_reset(t->inputs, H60);
    pliant_inputs_substeps(t->inputs, 1, 10000);
    assert_int_equal(pliant_solver_step(solver, state, t->inputs), PLIANT_OK);
    pliant_solver_destroy(solver);
    pliant_state_destroy(state);
    return r.count;
}

/* A third of Gauss-Seidel's sweeps, and a tenth of Jacobi's: more so on finer meshes, which the benchmark has. */
static void acceleration_saves_sweeps(void **unused)
{
    trial             t;
    pliant_method_def d = pliant_method_def_default();
    (void)unused;
    trial_begin(&t, 10, 1, 1);
    hang_cloth(&t, 0, 0.002 * H60 * H60 * 24 * 24 / 0.2, 24);
    trial_compile(&t);
    uint32_t plain = sweeps_to(&t, d, 0.01);
    d.method = PLIANT_METHOD_JACOBI;
    uint32_t jacobi = sweeps_to(&t, d, 0.01);
    d.method = PLIANT_METHOD_CHEBYSHEV;
    uint32_t over_gauss_seidel = sweeps_to(&t, d, 0.01);
    d.base = PLIANT_BASE_JACOBI;
    uint32_t over_jacobi = sweeps_to(&t, d, 0.01);
    print_message("to 1 %%: gauss_seidel %u, chebyshev over it %u; jacobi %u, chebyshev over it %u\n", plain, over_gauss_seidel, jacobi,
                  over_jacobi);
    assert_true(over_gauss_seidel * 3 <= plain && over_jacobi * 10 <= jacobi);
    trial_end(&t);
}

static void chebyshev_refuses_what_is_not_to_converge(void **unused)
{
    trial             t;
    pliant_method_def d = pliant_method_def_default();
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    (void)unused;
    trial_begin(&t, 10, 1, 1);
    const double x[2][3] = {{0, 0, 0}, {1, 0, 0}};
    pliant_law   law = stiff(0.5);
    add_distance(&t, add_points(&t, 2, x, NULL, NULL, NULL), 0, 1, 1, &law);
    trial_compile(&t);
    d.method = PLIANT_METHOD_CHEBYSHEV;
    assert_false(pliant_method_takes(t.model, &d, &error));
    assert_non_null(strstr(error.message, "stiffness"));
    trial_end(&t);
}

/* Rows of solids converge along paths that turn, and extrapolated sweeps of them gained energy. */
static void chebyshev_takes_solids_over_jacobi_alone(void **unused)
{
    uint32_t kinds = 0;
    (void)unused;
    for (uint32_t k = 0; k < PLIANT_CONSTRAINT_COUNT; k++) {
        const pliant_constraint_info *row = pliant_constraint_describe((pliant_constraint_kind)k);
        const double                  x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        const uint32_t                ids[4] = {0, 1, 2, 3};
        trial                         t;
        pliant_method_def             d = pliant_method_def_default();
        pliant_error                  error = {PLIANT_OK, 0, "", ""};
        pliant_law                    law = pliant_law_default();
        law.compliance = 1;
        assert_true(row->slots <= 4);
        trial_begin(&t, 10, 1, 1);
        pliant_body body = add_points(&t, 4, x, NULL, NULL, NULL);
        add_link(&t, body, (pliant_constraint_kind)k, ids, 1, &law);
        trial_compile(&t);
        d.method = PLIANT_METHOD_CHEBYSHEV;
        assert_int_equal(pliant_method_takes(t.model, &d, &error), !(row->flags & PLIANT_ROW_SOLID));
        if (row->flags & PLIANT_ROW_SOLID) assert_non_null(strstr(error.message, row->name));
        d.base = PLIANT_BASE_JACOBI;
        assert_true(pliant_method_takes(t.model, &d, &error));
        trial_end(&t);
        kinds += row->flags & PLIANT_ROW_SOLID ? 1 : 0;
    }
    assert_true(kinds > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_method_has_its_row_and_its_name),
        cmocka_unit_test(what_a_scene_says_reaches_the_model),
        cmocka_unit_test(a_bad_setting_is_refused),
        cmocka_unit_test(every_way_has_one_result_on_every_scene),
        cmocka_unit_test(every_way_but_one_keeps_momentum),
        cmocka_unit_test(free_bodies_keep_linear_momentum_by_every_way),
        cmocka_unit_test(a_spin_is_damped_as_first_order_says_by_every_way),
        cmocka_unit_test(a_spin_is_hardly_damped_by_bdf2),
        cmocka_unit_test(every_way_lessens_the_residual_of_the_constraints),
        cmocka_unit_test(a_trace_that_has_had_enough_ends_the_iterations),
        cmocka_unit_test(the_motion_is_solved_where_gradients_do_not_turn),
        cmocka_unit_test(one_sweep_of_a_chain_is_what_it_is_by_hand),
        cmocka_unit_test(no_order_biases_jacobi),
        cmocka_unit_test(the_cloth_of_teaching_codes),
        cmocka_unit_test(classic_knows_no_compliance),
        cmocka_unit_test(a_single_sweep_is_its_base),
        cmocka_unit_test(acceleration_saves_sweeps),
        cmocka_unit_test(chebyshev_refuses_what_is_not_to_converge),
        cmocka_unit_test(chebyshev_takes_solids_over_jacobi_alone),
    };
    return cmocka_run_group_tests(tests, list_ways, NULL);
}
