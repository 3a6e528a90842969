/* The law: a soft body of solid tetrahedra has the energy of its material, and so its Young's modulus and Poisson's ratio, in any mesh; and
 * whatever it is made to look like, however long substeps are, it comes back, and gains no energy. A material is a row of the table below. */
#include "trial.h"

/* Energy per volume and its slope at F, where mu is 1. */
typedef double energy_law(const double F[3][3], double lambda, double P[3][3]);

static double neo_hookean(const double F[3][3], double lambda, double P[3][3]);
static double corotated(const double F[3][3], double lambda, double P[3][3]);
static double stvk(const double F[3][3], double lambda, double P[3][3]);
static double axes(const double F[3][3], double lambda, double P[3][3]);

/* `drop`: how far the beam below sinks where its forces balance, m, by Newton's method on the energy (NumPy, residual below 1e-6 N of a weight of 98 N), for
 * ratios of 0.3 and 0.45; `within`: of it with 60 substeps. `frames`: how many a hurt block gets to
 * recover, and `least` what J of each of its tetrahedra is above after a tangle: energies that give way when pressed may leave slivers. */
static const struct solid {
    const char            *name;
    pliant_constraint_kind kind;
    pliant_solid_model     model;
    energy_law            *energy;
    double                 mirrored; /* how large the mirrored axis is, of what is said of it */
    double                 drop[2], within[2];
    uint32_t               frames;
    double                 least;
} solids[] = {
    {"neo_hookean",
     PLIANT_CONSTRAINT_TET_NEO_HOOKEAN,
     PLIANT_SOLID_NEO_HOOKEAN,
     neo_hookean,
     1,
     {0.504502475, 0.479371704},
     {0.006, 0.04},
     30,
     0.1},
    {"corotated",
     PLIANT_CONSTRAINT_TET_COROTATED,
     PLIANT_SOLID_COROTATED,
     corotated,
     0.15,
     {0.503624861, 0.478366819},
     {0.006, 0.04},
     60,
     0.1},
    {"stvk", PLIANT_CONSTRAINT_TET_STVK, PLIANT_SOLID_STVK, stvk, 1, {0.504950795, 0.478808439}, {0.006, 0.04}, 120, -0.2},
    {"strain", PLIANT_CONSTRAINT_TET_STRAIN, PLIANT_SOLID_STRAIN, axes, 1, {0.503848663, 0.478352302}, {0.006, 0.04}, 60, 0},
};

static const struct solid *solid; /* the one that is tried */

/* Every solid. */
#define EACH_SOLID for (solid = solids; solid < solids + sizeof solids / sizeof *solids; solid++)

/* ---- one tetrahedron ---- */

#define NU 0.3

static const double shape[4][3] = {{0.1, 0.2, -0.3}, {1.2, 0.1, 0.1}, {0.3, 1.1, 0.2}, {0.2, 0.4, 0.9}};

static double det3(const double F[3][3])
{
    double c[3];
    cross3(F[1], F[2], c);
    return dot3(F[0], c);
}

/* The tetrahedron, deformed by F, as one evaluation has it; mu is 1. */
static pliant_eval_output deformed(const double F[3][3], double nu)
{
    pliant_eval_input  in;
    pliant_eval_output out;
    pliant_real        at_rest[4][3];
    memset(&in, 0, sizeof in);
    for (int s = 0; s < 4; s++)
        for (int k = 0; k < 3; k++) {
            at_rest[s][k] = R(shape[s][k]);
            in.x[s][k] = R(dot3(F[k], shape[s]));
            in.w[s] = 1;
        }
    in.dt = 1;
    in.law = pliant_law_default();
    in.law.compliance = 1;
    in.law.given = 1;
    in.law.numbers[0] = R(nu);
    assert_int_equal(pliant_constraint_measure(solid->kind, (const pliant_real(*)[3])at_rest, in.parameters), PLIANT_OK);
    assert_int_equal(pliant_constraint_eval(solid->kind, &in, &out), PLIANT_OK);
    return out;
}

static double volume_at_rest(void)
{
    double d[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) d[i][k] = shape[i + 1][k] - shape[0][k];
    return det3((const double(*)[3])d) / 6;
}

/* Energy per volume, and the stress of F as it is given back by the gradients: P = sum_s force_s (x) X_s / V, X places at rest. */
static double energy_of(const double F[3][3], double nu, double P[3][3])
{
    const pliant_eval_output out = deformed(F, nu);
    const double             V = volume_at_rest();
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            P[a][b] = 0;
            for (int r = 0; r < 2; r++)
                for (int s = 0; s < 4; s++) P[a][b] += (double)out.C[r] * (double)out.gradient[r][s][a] * shape[s][b] / V;
        }
    return ((double)out.C[0] * (double)out.C[0] + (double)out.C[1] * (double)out.C[1]) / 2 / V;
}

/* Cofactors: what det F changes by. */
static void cofactors(const double F[3][3], double c[3][3])
{
    for (int k = 0; k < 3; k++) cross3(F[(k + 1) % 3], F[(k + 2) % 3], c[k]);
}

/* psi = mu/2 (I - 3) - mu (J - 1) + (lambda + mu)/2 (J - 1)^2 and its slope, mu F + ((lambda + mu) (J - 1) - mu) cof F. */
static double neo_hookean(const double F[3][3], double lambda, double P[3][3])
{
    const double J = det3(F);
    double       I = 0, c[3][3];
    cofactors(F, c);
    for (int a = 0; a < 3; a++) {
        I += dot3(F[a], F[a]);
        for (int b = 0; b < 3; b++) P[a][b] = F[a][b] + ((lambda + 1) * (J - 1) - 1) * c[a][b];
    }
    return (I - 3) / 2 - (J - 1) + (lambda + 1) / 2 * (J - 1) * (J - 1);
}

/* The nearest orthogonal matrix, by Newton's method (Higham 1986); of a mirrored F, which has one without determinant 1, turned round along the axis of
 * F^T F that is the shortest: of inverse iteration the limit. */
static void nearest_rotation(const double F[3][3], double R[3][3])
{
    double c[3][3], v[3] = {0.3, 0.5, 0.7}, to[3];
    memcpy(R, F, 9 * sizeof R[0][0]);
    for (int n = 0; n < 60; n++) {
        cofactors((const double(*)[3])R, c);
        const double J = det3((const double(*)[3])R);
        for (int k = 0; k < 9; k++) R[k / 3][k % 3] = (R[k / 3][k % 3] + c[k / 3][k % 3] / J) / 2;
    }
    if (det3(F) > 0) return;
    cofactors(F, c);
    for (int n = 0; n < 200; n++) { /* C^T C v, C the cofactors, is F^-1 F^-T v but for its length */
        double half[3];
        for (int k = 0; k < 3; k++) half[k] = dot3(c[k], v);
        for (int k = 0; k < 3; k++) to[k] = c[0][k] * half[0] + c[1][k] * half[1] + c[2][k] * half[2];
        for (int k = 0; k < 3; k++) v[k] = to[k] / length3(to);
    }
    for (int a = 0; a < 3; a++) {
        const double along = dot3(R[a], v);
        for (int b = 0; b < 3; b++) R[a][b] -= 2 * along * v[b];
    }
}

/* psi = mu |F - R|^2 + lambda/2 (tr(R^T F) - 3)^2 and its slope, 2 mu (F - R) + lambda (tr(R^T F) - 3) R. */
static double corotated(const double F[3][3], double lambda, double P[3][3])
{
    double R[3][3], square = 0, trace = -3;
    nearest_rotation(F, R);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            square += (F[a][b] - R[a][b]) * (F[a][b] - R[a][b]);
            trace += F[a][b] * R[a][b];
        }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) P[a][b] = 2 * (F[a][b] - R[a][b]) + lambda * trace * R[a][b];
    return square + lambda / 2 * trace * trace;
}

/* What stands up for volume where less than 0.3 of it is left: mu/2 T^2, T = 2 t^2 / (1 + t), t = 1 - J / 0.3. */
static double unfolding(const double F[3][3], double P[3][3])
{
    const double t = fmax(1 - det3(F) / 0.3, 0), T = 2 * t * t / (1 + t), slope = (4 * t + 2 * t * t) / (1 + t) / (1 + t);
    double       c[3][3];
    cofactors(F, c);
    for (int k = 0; k < 9; k++) P[k / 3][k % 3] -= T * slope / 0.3 * c[k / 3][k % 3];
    return T * T / 2;
}

/* psi = mu |E|^2 + lambda/2 tr(E)^2 and its slope, F (2 mu E + lambda tr E), E = (F^T F - 1) / 2; and the unfolding. */
static double stvk(const double F[3][3], double lambda, double P[3][3])
{
    double E[3][3], square = 0, trace = 0;
    for (int k = 0; k < 9; k++) {
        E[k / 3][k % 3] = -(k % 4 == 0) / 2.0;
        for (int a = 0; a < 3; a++) E[k / 3][k % 3] += F[a][k / 3] * F[a][k % 3] / 2;
        square += E[k / 3][k % 3] * E[k / 3][k % 3];
        if (k % 4 == 0) trace += E[k / 3][k % 3];
    }
    for (int k = 0; k < 9; k++) P[k / 3][k % 3] = 2 * dot3(F[k / 3], E[k % 3]) + lambda * trace * F[k / 3][k % 3];
    return square + lambda / 2 * trace * trace + unfolding(F, P);
}

/* psi = mu (|s|^2 + |h|^2 / 2) + lambda/2 (s1 + s2 + s3)^2, of the axes that the shape has, and its slope; and the unfolding. */
static double axes(const double F[3][3], double lambda, double P[3][3])
{
    double N[3][3], f[3][3], u[3][3], p[3][3] = {{0}}, d[2][3], length[3], sum = 0, square = 0;
    for (int k = 0; k < 3; k++) d[0][k] = shape[1][k] - shape[0][k], d[1][k] = shape[2][k] - shape[0][k];
    cross3(d[0], d[1], N[2]);
    cross3(N[2], d[0], N[1]);
    memcpy(N[0], d[0], sizeof N[0]);
    for (int i = 0; i < 3; i++) {
        const double size = length3(N[i]);
        for (int k = 0; k < 3; k++) N[i][k] /= size;
        for (int k = 0; k < 3; k++) f[i][k] = dot3(F[k], N[i]);
        length[i] = length3(f[i]);
        for (int k = 0; k < 3; k++) u[i][k] = f[i][k] / length[i];
        sum += length[i] - 1;
        square += (length[i] - 1) * (length[i] - 1);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double h = i == j ? 0 : dot3(u[i], u[j]);
            square += h * h / 4; /* each twice */
            for (int k = 0; k < 3; k++)
                p[i][k] += i == j ? (2 * (length[i] - 1) + lambda * sum) * u[i][k] : h * (u[j][k] - h * u[i][k]) / length[i];
        }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) P[a][b] = p[0][a] * N[0][b] + p[1][a] * N[1][b] + p[2][a] * N[2][b];
    return square + lambda / 2 * sum * sum + unfolding(F, P);
}

static void check_closed_form(const double F[3][3], const char *what)
{
    double       P[3][3], p[3][3];
    const double expected = solid->energy(F, 2 * NU / (1 - 2 * NU), p), found = energy_of(F, NU, P), bound = BOUND(1e-9, 2e-4);
    if (fabs(found - expected) > bound * expected) fail_msg("%s, %s: the energy is %.12g, not %.12g", solid->name, what, found, expected);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            if (fabs(P[a][b] - p[a][b]) > BOUND(1e-9, 2e-4))
                fail_msg("%s, %s: stress %d %d is %.12g, not %.12g", solid->name, what, a, b, P[a][b], p[a][b]);
}

static void energy_and_stress_are_those_of_the_closed_form(void **unused)
{
    static const double sizes[] = {0.6, 0.9, 0.99, 1.01, 1.1, 2};
    (void)unused;
    EACH_SOLID for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    {
        const double s = sizes[i], uniaxial[3][3] = {{s, 0, 0}, {0, 1, 0}, {0, 0, 1}}, shear[3][3] = {{1, s - 1, 0}, {0, 1, 0}, {0, 0, 1}},
                     volume[3][3] = {{s, 0, 0}, {0, s, 0}, {0, 0, s}},
                     mirrored[3][3] = {{-s * solid->mirrored, 0.1, 0}, {0, 1, 0.2}, {0, 0, 1}};
        check_closed_form(uniaxial, "uniaxial");
        check_closed_form(shear, "shear");
        check_closed_form(volume, "volume");
        check_closed_form(mirrored, "mirrored");
    }
}

/* Pulled by a strain e along x and free across: how it narrows is Poisson's ratio, and stress over strain Young's modulus, to first order. */
static void small_strains_have_the_modulus_and_the_ratio(void **unused)
{
    static const double ratios[] = {0, 0.1, 0.25, 0.3, 0.45, 0.49};
    const double        e = BOUND(1e-6, 2e-3);
    (void)unused;
    EACH_SOLID for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
    {
        const double nu = ratios[i], modulus = 2 * (1 + nu);
        double       low = -e, high = e, P[3][3];
        for (int k = 0; k < 60; k++) { /* the strain across at which no stress is left there */
            const double t = (low + high) / 2, F[3][3] = {{1 + e, 0, 0}, {0, 1 + t, 0}, {0, 0, 1 + t}};
            energy_of(F, nu, P);
            if (P[1][1] + P[2][2] > 0)
                high = t;
            else
                low = t;
        }
        near(-low / e, nu, BOUND(1e-5, 0.01));
        near(P[0][0] / e, modulus, modulus * BOUND(1e-5, 0.01));
    }
}

/* S, the sum of w |grad C|^2, is no less than a quarter of what J has at rest, V sum_i w_i / height_i^2, of the volume's row five sixteenths of it times lambda / mu. A point begins to
 * unfold by the first row alone. */
static void what_is_crushed_is_not_thrown(void **unused)
{
    const double       point[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, line[3][3] = {{1, 0, 0}, {0, 1e-4, 0}, {0, 0, 1e-4}};
    pliant_eval_output out;
    double             sum = 0, d[3][3], normal[3], least;
    (void)unused;
    solid = solids; /* the first, of which gradients vanish */
    out = deformed(point, NU);
    for (int i = 0; i < 4; i++) { /* the height over the face of the other three is 3 V over its area */
        for (int k = 0; k < 2; k++)
            for (int a = 0; a < 3; a++) d[k][a] = shape[(i + 2 + k) % 4][a] - shape[(i + 1) % 4][a];
        cross3(d[0], d[1], normal);
        sum += pow(length3(normal) / 6 / volume_at_rest(), 2);
    }
    least = volume_at_rest() * sum / 16;
    near((double)out.denominator[0], 1 + 4 * least, BOUND(1e-12, 1e-5)); /* and alpha, which is 1 */
    near((double)out.denominator[1], 1 + 5 * least * 2 * NU / (1 - 2 * NU), BOUND(1e-12, 1e-5));
    assert_true(out.C[0] > 0 && out.dlambda[0] < 0); /* it unfolds */
    assert_true(out.C[1] < 0 && out.dlambda[1] == 0);
    out = deformed(line, NU);
    near((double)out.denominator[1], 1 + 5 * least * 2 * NU / (1 - 2 * NU), BOUND(1e-12, 1e-5));
    assert_true(out.dlambda[1] > 0);
}

/* The second row's slope is sqrt(V lambda / mu) R: R is a rotation, whatever F is, and no other one among many is nearer. */
static void the_frame_of_what_is_corotated_is_a_rotation(void **unused)
{
    uint64_t seed = 3;
    double   worst = 0, farthest = 0;
    (void)unused;
    EACH_SOLID if (solid->kind == PLIANT_CONSTRAINT_TET_COROTATED) for (int n = 0; n < 400; n++)
    {
        double F[3][3], R[3][3], Q[3][3], turned[3][3];
        for (int k = 0; k < 9; k++) F[k / 3][k % 3] = n ? 2 * chance(&seed) - 1 : 0;
        if (n % 4 == 1) memcpy(F[2], F[1], sizeof F[2]);                                  /* flat */
        if (n % 8 == 2) memcpy(F[2], F[1], sizeof F[2]), memcpy(F[0], F[1], sizeof F[0]); /* a line */
        if (n % 8 == 6)
            for (int k = 0; k < 9; k++) F[k / 3][k % 3] = (k % 4 == 0) * (k == 4 * (n % 3) ? -1 : 1); /* mirrored, and nothing else */
        const pliant_eval_output out = deformed((const double(*)[3])F, NU);
        for (int k = 0; k < 9; k++) {
            R[k / 3][k % 3] = 0;
            for (int s = 0; s < 4; s++)
                R[k / 3][k % 3] += (double)out.gradient[1][s][k / 3] * shape[s][k % 3] / sqrt(volume_at_rest() * 2 * NU / (1 - 2 * NU));
        }
        worst = fmax(worst, fabs(det3((const double(*)[3])R) - 1));
        for (int k = 0; k < 9; k++) worst = fmax(worst, fabs(dot3(R[k / 3], R[k % 3]) - (k % 4 == 0)));
        double here = 0;
        for (int k = 0; k < 9; k++) here += R[k / 3][k % 3] * F[k / 3][k % 3];
        for (int i = 0; i < 200; i++) {
            for (int k = 0; k < 9; k++) turned[k / 3][k % 3] = R[k / 3][k % 3] + (i % 2 ? 2 : 0.1) * (chance(&seed) - 0.5);
            nearest_rotation((const double(*)[3])turned, Q);
            double there = 0;
            for (int k = 0; k < 9; k++) there += Q[k / 3][k % 3] * F[k / 3][k % 3];
            farthest = fmax(farthest, there - here);
        }
    }
    print_message("a rotation to %.2g; another one is nearer by %.2g at most\n", worst, farthest);
    assert_true(worst < BOUND(1e-13, 1e-4));
    assert_true(farthest < BOUND(1e-9, 1e-5));
}

/* ---- bodies ---- */

static pliant_body add_block(trial *t, uint32_t x, uint32_t y, uint32_t z, pliant_vec3 extent, double young, double nu)
{
    pliant_soft_def def = pliant_soft_def_default();
    pliant_error    error = {PLIANT_OK, 0, "", ""};
    def.cells[0] = x;
    def.cells[1] = y;
    def.cells[2] = z;
    def.extent = extent;
    def.model = solid->model;
    def.material.density = 1000;
    def.material.young = R(young);
    def.material.poisson = R(nu);
    const pliant_body body = pliant_scene_add_soft(t->scene, &def, &error);
    if (!body.id) print_error("%s\n", error.message);
    assert_int_not_equal(body.id, 0);
    return body;
}

/* A beam of 10 x 2 x 2 cells, 1 m long and 0.1 m thick, held at one end: how far the other end has sunk, m, after so many frames of a 60th, when it hangs still.
 * `method` NULL: gauss_seidel. */
static double beam_drop_by(const pliant_method_def *method, double nu, uint32_t substeps, uint32_t iterations, double drag, uint32_t frames)
{
    uint32_t held[9];
    trial    t;
    double   drop = 0;
    trial_begin(&t, 9.81, substeps, iterations);
    pliant_scene_destroy(t.scene);
    t.def.drag = R(drag);
    trial_begin_def(&t);
    const pliant_body body = add_block(&t, 10, 2, 2, vec(1, 0.1, 0.1), 1e6, nu);
    for (uint32_t i = 0; i < 9; i++) held[i] = 11 * i;
    assert_int_equal(pliant_scene_pin(t.scene, body, held, 9, false, NULL), PLIANT_OK);
    trial_compile(&t);
    pliant_solver_def def = pliant_solver_def_default();
    def.method = method;
    pliant_solver_destroy(t.solver);
    t.solver = pliant_solver_create(t.model, &def, NULL);
    assert_non_null(t.solver);
    trial_run(&t, 1.0 / 60, frames);
    for (uint32_t i = 0; i < 9; i++) {
        double x[3];
        point_of(&t, body, 11 * i + 10, x);
        drop += ((i % 3) * 0.05 - 0.05 - x[1]) / 9;
    }
    trial_end(&t);
    return drop;
}

static double beam_drop(double nu, uint32_t substeps) { return beam_drop_by(NULL, nu, substeps, 1, 4, 600); }

/* Against the balance of forces of the same tetrahedra. */
static void a_beam_sinks_as_its_balance_of_forces_says(void **unused)
{
    static const double ratios[2] = {0.3, 0.45};
    (void)unused;
    EACH_SOLID for (size_t i = 0; i < 2; i++)
    {
        const double drop = solid->drop[i], coarse = beam_drop(ratios[i], 20) / drop - 1, fine = beam_drop(ratios[i], 60) / drop - 1;
        print_message("%s, ratio %g: %+.2f %% with 20 substeps, %+.2f %% with 60\n", solid->name, ratios[i], 100 * coarse, 100 * fine);
        assert_true(fabs(fine) <= solid->within[i]);
        assert_true(fabs(fine) < fabs(coarse));
    }
}

/* Where one sweep of a substep is 5 % off, 20 substeps of two iterations of multigrid are within 0.1 %. */
static void multigrid_sinks_a_beam_as_its_balance_of_forces_says(void **unused)
{
    pliant_method_def method = pliant_method_def_default();
    (void)unused;
    method.method = PLIANT_METHOD_MULTIGRID;
    solid = solids; /* the first, neo_hookean */
    const double off = beam_drop_by(&method, 0.3, 20, 2, 8, 240) / solid->drop[0] - 1;
    print_message("%+.3f %%\n", 100 * off);
    assert_true(fabs(off) <= 1e-3);
}

/* Without gravity: 10,000 substeps. */
static void what_is_at_rest_stays_there(void **unused)
{
    (void)unused;
    EACH_SOLID
    {
        trial  t;
        double most = 0, was[125][3];
        trial_begin(&t, 0, 100, 1);
        const pliant_body body = add_block(&t, 4, 4, 4, vec(1, 1, 1), 1e6, 0.45);
        trial_compile(&t);
        for (uint32_t i = 0; i < 125; i++) point_of(&t, body, i, was[i]);
        trial_run(&t, 1.0 / 60, 100);
        for (uint32_t i = 0; i < 125; i++) {
            double x[3];
            point_of(&t, body, i, x);
            for (int k = 0; k < 3; k++) most = fmax(most, fabs(x[k] - was[i][k]));
        }
        print_message("%s: %.3g m in 10,000 substeps, %.3g m/s as a whole\n", solid->name, most, drift_of(&t, body));
        assert_true(most <= 1e-7);
        assert_true(drift_of(&t, body) <=
                    0.01 * EPSILON * 0.5 * 6000); /* of one rounding of a coordinate of 0.5 m per substep a hundredth */
        trial_end(&t);
    }
}

/* Let go a tenth longer than at rest, a free block rings for 10,000 substeps, and its centre of mass moves as far as roundings alone move it. */
static void what_rings_keeps_its_momentum(void **unused)
{
    (void)unused;
    EACH_SOLID
    {
        trial t;
        trial_begin(&t, 0, 100, 1);
        const pliant_body body = add_block(&t, 4, 4, 4, vec(1, 1, 1), 1e6, 0.45);
        trial_compile(&t);
        const double most = trial_ring(&t, body);
        print_message("%s: %.3g m/s as a whole at the most\n", solid->name, most);
        assert_true(most <= 500 * EPSILON * 0.5 * 6000); /* each row of each of 10,000 substeps rounds */
        trial_end(&t);
    }
}

/* Corner s of tetrahedron c of cube n of a lattice of cells^3 cubes. */
static uint32_t corner_of(uint32_t cells, uint32_t n, uint32_t c, uint32_t s)
{
    static const uint8_t cuts[2][5][4] = {{{0, 1, 2, 4}, {3, 1, 7, 2}, {5, 1, 4, 7}, {6, 2, 7, 4}, {1, 2, 4, 7}},
                                          {{1, 0, 5, 3}, {2, 0, 3, 6}, {4, 0, 6, 5}, {7, 3, 5, 6}, {0, 3, 6, 5}}};
    const uint32_t       i = n % cells, j = n / cells % cells, k = n / cells / cells, corner = cuts[(i + j + k) & 1][c][s];
    return ((k + (corner >> 2)) * (cells + 1) + j + (corner >> 1 & 1)) * (cells + 1) + i + (corner & 1);
}

/* What a lattice's tetrahedra are by its positions: the least and the largest J, and the energy that is stored, J. */
typedef struct strains {
    double least, largest, energy;
} strains;

static strains strains_of(const trial *t, pliant_body body, const double (*rest)[3], uint32_t cells, double young, double nu)
{
    strains           v = {DBL_MAX, -DBL_MAX, 0};
    pliant_eval_input in;
    memset(&in, 0, sizeof in);
    in.dt = 1;
    in.law = pliant_law_default();
    in.law.given = 1;
    in.law.numbers[0] = R(nu);
    for (uint32_t tet = 0; tet < 5 * cells * cells * cells; tet++) {
        pliant_real        at_rest[4][3];
        double             x[4][3], d[2][3][3];
        pliant_eval_output out;
        for (uint32_t s = 0; s < 4; s++) {
            const uint32_t vertex = corner_of(cells, tet / 5, tet % 5, s);
            point_of(t, body, vertex, x[s]);
            for (int a = 0; a < 3; a++) {
                in.x[s][a] = R(x[s][a]);
                at_rest[s][a] = R(rest[vertex][a]);
                if (s) d[0][s - 1][a] = x[s][a] - x[0][a];
                if (s) d[1][s - 1][a] = rest[vertex][a] - (double)at_rest[0][a];
            }
        }
        const double J = det3((const double(*)[3])d[0]) / det3((const double(*)[3])d[1]);
        v.least = fmin(v.least, J);
        v.largest = fmax(v.largest, J);
        assert_int_equal(pliant_constraint_measure(solid->kind, (const pliant_real(*)[3])at_rest, in.parameters), PLIANT_OK);
        assert_int_equal(pliant_constraint_eval(solid->kind, &in, &out), PLIANT_OK);
        v.energy += ((double)out.C[0] * (double)out.C[0] + (double)out.C[1] * (double)out.C[1]) / 2 * young / 2 / (1 + nu);
    }
    return v;
}

#define SIDE 0.2 /* m */

enum { FLAT, MIRRORED, INSIDE_OUT, RANDOM, CRUSHED, POINT, HURTS, STRETCHED = HURTS, SQUEEZED, TWISTED, STRAINS };
static const char *const hurts[] = {"flat",    "mirrored",  "inside out", "random", "crushed to a millimetre",
                                    "a point", "stretched", "squeezed",   "twisted"};

static void hurt(const trial *t, pliant_body body, int how, uint32_t count)
{
    uint64_t seed = 5;
    for (uint32_t i = 0; i < count; i++) {
        double      x[3];
        pliant_vec3 to;
        point_of(t, body, i, x);
        if (how == FLAT) x[1] = 0;
        if (how == MIRRORED) x[0] = -x[0];
        if (how == INSIDE_OUT)
            for (int k = 0; k < 3; k++) x[k] = -x[k];
        if (how == RANDOM)
            for (int k = 0; k < 3; k++) x[k] = SIDE * (chance(&seed) - 0.5);
        if (how == CRUSHED)
            for (int k = 0; k < 3; k++) x[k] = 1e-3 * (chance(&seed) - 0.5);
        if (how == POINT)
            for (int k = 0; k < 3; k++) x[k] = 0.3 - 0.1 * k;
        if (how == STRETCHED) x[1] *= 1.5;
        if (how == SQUEEZED)
            for (int k = 0; k < 3; k++) x[k] *= 0.8;
        if (how == TWISTED) {
            const double angle = x[1] / SIDE, c = cos(angle), d = sin(angle), was = x[0];
            x[0] = c * was + d * x[2];
            x[2] = c * x[2] - d * was;
        }
        to = vec(x[0], x[1], x[2]);
        assert_int_equal(pliant_state_set_positions(t->state, body, i, 1, &to), PLIANT_OK);
    }
}

/* Free, without gravity. */
static void what_is_hurt_recovers(void **unused)
{
    static const double youngs[] = {1e4, 1e5, 1e6, 1e7};
    (void)unused;
    EACH_SOLID for (int how = 0; how < HURTS; how++) for (size_t i = 0; i < sizeof youngs / sizeof *youngs; i++)
    {
        trial t;
        trial_begin(&t, 0, 20, 1);
        const pliant_body body = add_block(&t, 4, 4, 4, vec(SIDE, SIDE, SIDE), youngs[i], 0.45);
        trial_compile(&t);
        double rest[125][3];
        for (uint32_t k = 0; k < 125; k++) point_of(&t, body, k, rest[k]);
        hurt(&t, body, how, 125);
        trial_run(&t, 1.0 / 60, solid->frames * (how == POINT ? 2 : 1));
        const strains v = strains_of(&t, body, (const double(*)[3])rest, 4, youngs[i], 0.45);
        print_message("%s, %s, %g Pa: J from %.3f to %.3f\n", solid->name, hurts[how], youngs[i], v.least, v.largest);
        assert_true(v.least > (how <= INSIDE_OUT ? 0.1 : solid->least) && v.largest < 2);
        trial_end(&t);
    }
}

/* A strained body, free and without gravity, in substeps of all lengths: as docs/energy.md has it, no frame has more energy than an earlier one had, by more
 * than 2 % of what was turned over until then. */
static void no_substep_is_so_long_that_energy_is_gained(void **unused)
{
    static const double   youngs[] = {1e4, 1e5, 1e7}, ratios[] = {0, 0.45, 0.499};
    static const uint32_t substeps[] = {1, 4, 20, 100};
    (void)unused;
    EACH_SOLID for (int how = STRETCHED; how < STRAINS; how++) for (size_t i = 0; i < 36; i++)
    {
        trial t;
        trial_begin(&t, 0, substeps[i / 9], 1);
        const pliant_body body = add_block(&t, 3, 3, 3, vec(SIDE, SIDE, SIDE), youngs[i % 3], ratios[i / 3 % 3]);
        trial_compile(&t);
        trial_measure(&t);
        hurt(&t, body, how, 64);
        const double worst = trial_gain(&t, 1);
        if (worst > 0.02)
            fail_msg("%s, %s, %g Pa, ratio %g, %u substeps: gains %.3g of what it turned over", solid->name, hurts[how], youngs[i % 3],
                     ratios[i / 3 % 3], substeps[i / 9], worst);
        trial_end(&t);
    }
}

/* Fine and stiff blocks in few substeps for that, hurt and let go: a wave takes less than a quarter of a substep from edge to edge. */
static void what_is_hurt_does_not_explode(void **unused)
{
    static const uint32_t substeps[] = {4, 10, 20};
    (void)unused;
    EACH_SOLID
    {
        if (solid->kind == PLIANT_CONSTRAINT_TET_STRAIN) continue; /* docs/known-limits.md */
        for (int how = 0; how < STRAINS; how++)
            for (size_t i = 0; i < 3; i++) {
                trial t;
                trial_begin(&t, 0, substeps[i], 1);
                const pliant_body body = add_block(&t, 8, 8, 8, vec(SIDE, SIDE, SIDE), 1.5e6, 0.49);
                trial_compile(&t);
                hurt(&t, body, how, 729);
                assert_int_equal(pliant_inputs_reset(t.inputs, 1.0 / 60), PLIANT_OK);
                for (int f = 0; f < 40; f++)
                    if (pliant_solver_step(t.solver, t.state, t.inputs) != PLIANT_OK)
                        fail_msg("%s, %s, %u substeps: diverges in frame %d", solid->name, hurts[how], substeps[i], f + 1);
                trial_end(&t);
            }
    }
}

/* A block of 1 MPa with the law of 0.2 MPa and another ratio in each step moves to the bit as one that is of these. */
static void moduli_that_change_live_are_those_of_a_scene(void **unused)
{
    pliant_material m = pliant_material_default();
    (void)unused;
    m.young = R(2e5);
    m.poisson = R(0.3);
    EACH_SOLID
    {
        pliant_vec3 x[3][64];
        for (int k = 0; k < 3; k++) { /* as a scene has it, live, and a scene of other moduli */
            const pliant_law law = pliant_material_law(&m, solid->kind);
            trial            t;
            trial_begin(&t, 9.81, 10, 1);
            const pliant_body body = add_block(&t, 3, 3, 3, vec(SIDE, SIDE, SIDE), k ? 1e6 : 2e5, k ? 0.45 : 0.3);
            trial_compile(&t);
            assert_int_equal(pliant_model_law_count(t.model), 1);
            hurt(&t, body, STRETCHED, 64);
            for (int f = 0; f < 20; f++) {
                assert_int_equal(pliant_inputs_reset(t.inputs, 1.0 / 60), PLIANT_OK);
                if (k == 1) assert_int_equal(pliant_inputs_law(t.inputs, 0, &law), PLIANT_OK);
                trial_step(&t);
            }
            assert_int_equal(pliant_state_positions(t.state, body, 0, 64, x[k]), PLIANT_OK);
            trial_end(&t);
        }
        assert_memory_equal(x[1], x[0], sizeof x[0]);
        assert_memory_not_equal(x[2], x[0], sizeof x[0]);
    }
    assert_int_equal(pliant_material_law(&m, PLIANT_CONSTRAINT_DISTANCE).size, 0);
    assert_int_equal(pliant_material_law(NULL, PLIANT_CONSTRAINT_TET_STVK).size, 0);
}

/* Of pressure: sqrt((lambda + 2 mu) / density); edges are those of regular tetrahedra of the same volumes. */
static void the_fastest_wave_follows_from_the_material(void **unused)
{
    (void)unused;
    EACH_SOLID for (int i = 0; i < 3; i++)
    {
        const double young = 1e5, nu = 0.2 * i, speed = sqrt(young * (1 - nu) / ((1 + nu) * (1 - 2 * nu)) / 1000);
        trial        t;
        trial_begin(&t, 0, 10, 1);
        const pliant_body body = add_block(&t, 3, 3, 3, vec(0.3, 0.3, 0.3), young, nu);
        const uint32_t    held[3] = {0, 1, 2}; /* what is pinned has no mass */
        assert_int_equal(pliant_scene_pin(t.scene, body, held, 3, false, NULL), PLIANT_OK);
        trial_compile(&t);
        pliant_wave wave;
        assert_int_equal(pliant_model_waves(t.model, &wave), PLIANT_OK);
        assert_true(fabs(wave.speed / speed - 1) < BOUND(1e-9, 1e-4));
        assert_true(wave.edge > 0.1 && wave.edge < 0.15);
        assert_int_equal(pliant_model_waves(NULL, &wave), PLIANT_ERROR_ARGUMENT);
        trial_end(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_and_stress_are_those_of_the_closed_form),
        cmocka_unit_test(small_strains_have_the_modulus_and_the_ratio),
        cmocka_unit_test(what_is_crushed_is_not_thrown),
        cmocka_unit_test(the_frame_of_what_is_corotated_is_a_rotation),
        cmocka_unit_test(a_beam_sinks_as_its_balance_of_forces_says),
        cmocka_unit_test(multigrid_sinks_a_beam_as_its_balance_of_forces_says),
        cmocka_unit_test(what_is_at_rest_stays_there),
        cmocka_unit_test(what_rings_keeps_its_momentum),
        cmocka_unit_test(what_is_hurt_recovers),
        cmocka_unit_test(what_is_hurt_does_not_explode),
        cmocka_unit_test(moduli_that_change_live_are_those_of_a_scene),
        cmocka_unit_test(the_fastest_wave_follows_from_the_material),
        cmocka_unit_test(no_substep_is_so_long_that_energy_is_gained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
