/* The law: a cloth of triangles with strains along warp and weft has the stiffnesses of its fabric in any grid or mesh, however it is turned; and whatever it
 * is made to look like, however long substeps are, it comes back, and gains no energy. */
#include "statics.h"

/* ---- one triangle ---- */

static const double shape[3][2] = {{0.1, 0.2}, {1.2, -0.1}, {0.3, 1.1}}; /* along warp and weft, m */

static const pliant_constraint_kind kinds[] = {PLIANT_CONSTRAINT_TRIANGLE_STRAIN, PLIANT_CONSTRAINT_TRIANGLE_STVK};
#define KINDS (sizeof kinds / sizeof *kinds)

typedef struct weave {
    double weft, shear, poisson; /* numbers of the law; warp has a stiffness of 1 */
} weave;

static double area_at_rest(void)
{
    return ((shape[1][0] - shape[0][0]) * (shape[2][1] - shape[0][1]) - (shape[2][0] - shape[0][0]) * (shape[1][1] - shape[0][1])) / 2;
}

/* The triangle with its points X at rest taken to F X, F's columns being f1 and f2. */
static pliant_eval_output deformed(pliant_constraint_kind kind, const weave *of, const double f[2][3])
{
    pliant_eval_input  in;
    pliant_eval_output out;
    const double p = shape[1][0] - shape[0][0], q = shape[1][1] - shape[0][1], r = shape[2][0] - shape[0][0], s = shape[2][1] - shape[0][1],
                 det = p * s - r * q;
    memset(&in, 0, sizeof in);
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 3; a++) {
            in.x[k][a] = R(f[0][a] * shape[k][0] + f[1][a] * shape[k][1]);
            in.w[k] = 1;
        }
    in.parameters[0] = R(s / det);
    in.parameters[1] = R(-r / det);
    in.parameters[2] = R(-q / det);
    in.parameters[3] = R(p / det);
    in.dt = 1;
    in.law = pliant_law_default();
    in.law.compliance = 1;
    in.law.given = 7;
    in.law.numbers[0] = R(of->weft);
    in.law.numbers[1] = R(of->shear);
    in.law.numbers[2] = R(of->poisson);
    assert_int_equal(pliant_constraint_eval(kind, &in, &out), PLIANT_OK);
    return out;
}

/* Energy per area, and the stress that is given back by the gradients: force per length along f1 and f2, P[t] = sum_s force_s X_s[t] / A. */
static double energy_of(pliant_constraint_kind kind, const weave *of, const double f[2][3], double P[2][3])
{
    const pliant_eval_output out = deformed(kind, of, f);
    double                   sum = 0;
    memset(P, 0, 6 * sizeof(double));
    for (int r = 0; r < 3; r++) {
        sum += (double)out.C[r] * (double)out.C[r] / 2;
        for (int s = 0; s < 3; s++)
            for (int a = 0; a < 3; a++)
                for (int t = 0; t < 2; t++) P[t][a] += (double)out.C[r] * (double)out.gradient[r][s][a] * shape[s][t] / area_at_rest();
    }
    return sum / area_at_rest();
}

/* psi = 1/2 (k1 E1^2 + 2 c E1 E2 + k2 E2^2 + G g^2), with k1 = 1 / (1 - p^2), k2 = weft k1 and c = p sqrt(k1 k2), and its slopes. */
static void check_closed_form(pliant_constraint_kind kind, const weave *of, const double f[2][3], const char *what)
{
    const double k1 = 1 / (1 - of->poisson * of->poisson), k2 = of->weft * k1, c = of->poisson * sqrt(k1 * k2), g = dot3(f[0], f[1]);
    const bool   stvk = kind == PLIANT_CONSTRAINT_TRIANGLE_STVK;
    double       e[2], along[2], P[2][3];
    for (int t = 0; t < 2; t++) {
        const double l = length3(f[t]);
        e[t] = stvk ? (l * l - 1) / 2 : l - 1;
        along[t] = stvk ? 1 : 1 / l;
    }
    const double slope[2] = {k1 * e[0] + c * e[1], k2 * e[1] + c * e[0]}, bound = BOUND(1e-12, 1e-5);
    near_at(energy_of(kind, of, f, P), (k1 * e[0] * e[0] + 2 * c * e[0] * e[1] + k2 * e[1] * e[1] + of->shear * g * g) / 2,
            bound * (1 + of->weft), what, __FILE__, __LINE__);
    for (int t = 0; t < 2; t++)
        for (int a = 0; a < 3; a++)
            near_at(P[t][a], slope[t] * along[t] * f[t][a] + of->shear * g * f[1 - t][a], bound * (1 + of->weft) * 4, what, __FILE__,
                    __LINE__);
}

static const weave weaves[] = {{1, 0.5, 0}, {0.6, 0.012, 0}, {0.6, 0.05, 0.3}, {3, 0.2, 0.9}};
#define WEAVES (sizeof weaves / sizeof *weaves)

static void energy_and_stress_are_those_of_the_closed_form(void **unused)
{
    static const double sizes[] = {0.5, 0.9, 0.99, 1.01, 1.1, 2};
    (void)unused;
    for (size_t k = 0; k < KINDS; k++)
        for (size_t w = 0; w < WEAVES; w++)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                const double s = sizes[i], half = (s - 1) / 2; /* bias: pulled along 45 degrees */
                const double warp[2][3] = {{s, 0, 0}, {0, 1, 0}}, weft[2][3] = {{0, 1, 0}, {0, 0, s}},
                             bias[2][3] = {{1 + half, 0, half}, {half, 0, 1 + half}}, shear[2][3] = {{1, 0, 0}, {0, s - 1, 1}},
                             bent[2][3] = {{s, 0.1, 0.2}, {-0.3, 0.7, 0.4}};
                check_closed_form(kinds[k], &weaves[w], warp, "warp");
                check_closed_form(kinds[k], &weaves[w], weft, "weft");
                check_closed_form(kinds[k], &weaves[w], bias, "bias");
                check_closed_form(kinds[k], &weaves[w], shear, "shear");
                check_closed_form(kinds[k], &weaves[w], bent, "turned out of the plane");
            }
}

/* A strip with free sides, pulled along a thread: stress over strain is that thread's stiffness, the product of both ratios of narrowing that of the law's, and
 * pulled aslant by 45 degrees 4 / E = 1 / Y1 + 1 / Y2 + 1 / G - 2 nu1 / Y1, as an orthotropic sheet. */
static void small_strains_have_the_stiffness_and_the_ratio(void **unused)
{
    const double e = BOUND(1e-7, 4e-3);
    (void)unused;
    for (size_t k = 0; k < KINDS; k++)
        for (size_t w = 0; w < WEAVES; w++) {
            double ratio[2];
            for (int t = 0; t < 2; t++) {
                double low = -2 * e, high = 2 * e, P[2][3];
                for (int i = 0; i < 60; i++) {
                    const double across = (low + high) / 2, f[2][3] = {{1 + (t ? across : e), 0, 0}, {0, 1 + (t ? e : across), 0}};
                    energy_of(kinds[k], &weaves[w], f, P);
                    if (P[1 - t][1 - t] > 0)
                        high = across;
                    else
                        low = across;
                }
                ratio[t] = -low / e;
                near(P[t][t] / e / (t ? weaves[w].weft : 1), 1, BOUND(1e-6, 0.01));
            }
            near(sqrt(fabs(ratio[0] * ratio[1])), weaves[w].poisson, BOUND(1e-6, 0.01));
        }
}

/* Where a thread has no length nothing is thrown, and a point begins to unfold. Rows of lengths have S as it is; those of squares have no less
 * than a quarter of what it is at rest. */
static void what_is_crushed_is_not_thrown(void **unused)
{
    const double point[2][3] = {{0, 0, 0}, {0, 0, 0}}, line[2][3] = {{1, 0, 0}, {1e-4, 0, 0}}, rest[2][3] = {{1, 0, 0}, {0, 0, 1}};
    (void)unused;
    for (size_t k = 0; k < KINDS; k++) {
        const pliant_eval_output out = deformed(kinds[k], &weaves[1], point), flat = deformed(kinds[k], &weaves[1], line);
        assert_true(out.C[0] < 0 && out.C[1] < 0 && out.C[2] == 0);
        assert_true(out.dlambda[0] > 0 && out.dlambda[1] > 0 && fabs((double)out.dlambda[2]) < 1e-3); /* it unfolds */
        const pliant_eval_output at_rest = deformed(kinds[k], &weaves[1], rest);
        for (int r = 0; r < 2; r++) { /* alpha is 1 */
            const double square = (double)at_rest.denominator[r] - 1,
                         least = kinds[k] == PLIANT_CONSTRAINT_TRIANGLE_STVK ? square / 4 : square;
            near((double)out.denominator[r], 1 + least, BOUND(1e-12, 1e-5));
        }
        for (int s = 0; s < 3; s++)
            for (int a = 0; a < 3; a++) assert_true(fabs((double)flat.dx[s][a]) < 1);
        assert_true(flat.dlambda[1] > 0);
    }
}

/* ---- grids and meshes ---- */

static pliant_material fabric(double warp, double weft, double shear, double poisson)
{
    pliant_material m = pliant_material_default();
    m.density = R(0.2);
    m.stretch_warp = R(warp);
    m.stretch_weft = R(weft);
    m.shear_stiffness = R(shear);
    m.plane_poisson = R(poisson);
    m.bending_rigidity = R(1e-5);
    return m;
}

static pliant_cloth_def cloth_of(pliant_cloth_model model, uint32_t cells, const pliant_material *m)
{
    pliant_cloth_def def = pliant_cloth_def_default();
    def.model = model;
    def.cells_x = cells;
    def.cells_z = cells;
    def.material = *m;
    return def;
}

static statics balance_of(const pliant_cloth_def *def)
{
    pliant_error  error = {PLIANT_OK, 0, "", ""};
    pliant_scene *scene = pliant_scene_create(NULL, NULL);
    if (!pliant_scene_add_cloth(scene, def, &error).id) fail_msg("%s", error.message);
    return statics_of(scene);
}

/* Force per width and strain of a metre of sheet as a strip along an axis, its sides free; and by how much it narrows. */
static double pulled(statics *b, uint32_t axis, double *ratio)
{
    const double strain = 1e-3;
    double       load = 0, narrow = 0;
    memset(b->u, 0, 3 * b->count * sizeof *b->u);
    memset(b->force, 0, 3 * b->count * sizeof *b->force);
    for (uint32_t i = 0; i < b->count; i++) {
        const uint32_t at = 3 * i + axis;
        const bool     first = b->x[at]<-0.5 + 1e-5, last = b->x[at]> 0.5 - 1e-5;
        b->held[3 * i] = b->held[3 * i + 2] = false;
        b->held[3 * i + 1] = true;
        b->held[at] = first || last;
        b->u[at] = last ? strain : 0;
    }
    statics_balance(b);
    statics_multiply(b, b->u, b->q);
    for (uint32_t i = 0; i < b->count; i++) {
        const double side = b->x[3 * i + 2 - axis];
        if (b->held[3 * i + axis] && b->u[3 * i + axis] > 0) load += b->q[3 * i + axis];
        if (fabs(fabs(side) - 0.5) < 1e-5) narrow -= b->u[3 * i + 2 - axis] * (side > 0 ? 1 : -1);
    }
    *ratio = narrow / sqrt(b->count) / strain; /* of so many at either side */
    return load / strain;
}

static double sheared(statics *b)
{
    double sum = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        b->u[3 * i] = b->x[3 * i + 2];
        b->u[3 * i + 1] = b->u[3 * i + 2] = 0;
    }
    statics_multiply(b, b->u, b->q);
    for (uint32_t i = 0; i < 3 * b->count; i++) sum += b->u[i] * b->q[i];
    return sum;
}

/* The stiffness of an orthotropic sheet, threads turned by `angle` from the axis that it is pulled along. */
static double aslant(double warp, double weft, double shear, double poisson, double angle)
{
    const double c = pow(cos(angle), 2), s = pow(sin(angle), 2), nu = poisson * sqrt(warp / weft);
    return 1 / (c * c / warp + s * s / weft + (1 / shear - 2 * nu / warp) * c * s);
}

static const double fabrics[][4] = {{4000, 4000, 60, 0}, {10000, 6000, 120, 0.2}, {1500, 1500, 500, 0.5}, {500, 2000, 5, 0.3}};
#define FABRICS (sizeof fabrics / sizeof *fabrics)

static void a_grid_has_the_stiffness_of_its_fabric(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < FABRICS; k++)
        for (uint32_t cells = 1; cells <= 8; cells += 7)
            for (int model = PLIANT_CLOTH_STRAIN; model <= PLIANT_CLOTH_STVK; model++) {
                const double          *f = fabrics[k];
                double                 ratio[2];
                const pliant_material  m = fabric(f[0], f[1], f[2], f[3]);
                const pliant_cloth_def def = cloth_of((pliant_cloth_model)model, cells, &m);
                statics                b = balance_of(&def);
                near(pulled(&b, 0, &ratio[0]) / f[0], 1, BOUND(1e-6, 1e-4));
                near(pulled(&b, 2, &ratio[1]) / f[1], 1, BOUND(1e-6, 1e-4));
                near(sheared(&b) / f[2], 1, BOUND(1e-6, 1e-4));
                near(sqrt(fabs(ratio[0] * ratio[1])), f[3], 0.01 * f[3] + 1e-4);
                statics_end(&b);
            }
}

/* A square metre of triangles of all shapes: vertices of a grid, those inside moved about. */
enum { CELLS = 6, CORNERS = (CELLS + 1) * (CELLS + 1) };
typedef struct mesh {
    pliant_vec3 x[CORNERS];
    uint32_t    triangles[6 * CELLS * CELLS];
    float       uvs[12 * CELLS * CELLS];
} mesh;

static void make_mesh(mesh *m, double angle)
{
    uint64_t  seed = 3;
    uint32_t *c = m->triangles;
    for (uint32_t j = 0; j <= CELLS; j++)
        for (uint32_t i = 0; i <= CELLS; i++) {
            const bool   in_x = i > 0 && i<CELLS, in_z = j> 0 && j < CELLS;
            const double dx = 0.06 * (chance(&seed) - 0.5), dz = 0.06 * (chance(&seed) - 0.5);
            m->x[j * (CELLS + 1) + i] = vec((double)i / CELLS - 0.5 + (in_x ? dx : 0), 0, (double)j / CELLS - 0.5 + (in_z ? dz : 0));
        }
    for (uint32_t j = 0; j < CELLS; j++)
        for (uint32_t i = 0; i < CELLS; i++) {
            const uint32_t v = j * (CELLS + 1) + i,
                           cut[2][6] = {{0, CELLS + 1, CELLS + 2, 0, CELLS + 2, 1}, {CELLS + 1, CELLS + 2, 1, CELLS + 1, 1, 0}};
            const uint32_t which = chance(&seed) < 0.5;
            for (uint32_t k = 0; k < 6; k++) *c++ = v + cut[which][k];
        }
    for (uint32_t k = 0; k < 6 * CELLS * CELLS; k++) { /* u along `angle` from x towards z */
        const pliant_vec3 x = m->x[m->triangles[k]];
        m->uvs[2 * k] = (float)(cos(angle) * (double)x.x + sin(angle) * (double)x.z);
        m->uvs[2 * k + 1] = (float)(sin(angle) * (double)x.x - cos(angle) * (double)x.z);
    }
}

/* By a direction, or by texture coordinates: an even strain is one in any mesh, so the stiffness of a wide sheet that is strained evenly is exact. */
static void a_mesh_has_the_stiffness_of_its_fabric_aslant(void **unused)
{
    static mesh m;
    (void)unused;
    for (int k = 0; k < 7; k++)
        for (int way = 0; way < 2; way++) {
            const double          angle = k * TEST_PI / 12, nu = 0.3, warp = 3000, weft = 1000, shear = 200;
            const pliant_material material = fabric(warp, weft, shear, nu);
            pliant_cloth_def      def = cloth_of(PLIANT_CLOTH_STRAIN, 1, &material);
            make_mesh(&m, angle);
            def.mesh = pliant_mesh_view_of(m.x, sizeof *m.x, CORNERS, m.triangles, 2 * CELLS * CELLS);
            if (way)
                def.mesh.uvs = m.uvs;
            else
                def.warp = vec(7 * cos(angle), 3, 7 * sin(angle)); /* what is out of the plane does not count */
            statics b = balance_of(&def);
            /* the even strain that a free strip would have: along x 1, across and shear by balance; its energy is the stiffness */
            const double k1 = warp / (1 - nu * nu), k2 = weft / (1 - nu * nu), mixed = nu * sqrt(k1 * k2), c = cos(angle), s = sin(angle);
            double       best = DBL_MAX, e[2] = {0, 0}, step = 1;
            for (int i = 0; i < 400; i++, step *= 0.93) /* a search for the least energy over narrowing and shear */
                for (int d = 0; d < 8; d++) {
                    const double t[2] = {e[0] + step * cos(d * TEST_PI / 4), e[1] + step * sin(d * TEST_PI / 4)};
                    const double e1 = c * c + s * s * t[0] + 2 * c * s * t[1], e2 = s * s + c * c * t[0] - 2 * c * s * t[1],
                                 g = 2 * (c * s * (t[0] - 1) + (c * c - s * s) * t[1]);
                    const double energy = k1 * e1 * e1 + 2 * mixed * e1 * e2 + k2 * e2 * e2 + shear * g * g;
                    if (energy < best) best = energy, e[0] = t[0], e[1] = t[1], d = -1;
                }
            near(best / aslant(warp, weft, shear, nu, angle), 1, 1e-6);
            double sum = 0;
            for (uint32_t i = 0; i < b.count; i++) {
                b.u[3 * i] = b.x[3 * i] + e[1] * b.x[3 * i + 2];
                b.u[3 * i + 1] = 0;
                b.u[3 * i + 2] = e[0] * b.x[3 * i + 2] + e[1] * b.x[3 * i];
            }
            statics_multiply(&b, b.u, b.q);
            for (uint32_t i = 0; i < 3 * b.count; i++) sum += b.u[i] * b.q[i];
            near(sum / aslant(warp, weft, shear, nu, angle), 1, BOUND(1e-6, 1e-4));
            statics_end(&b);
        }
}

/* ---- what moves ---- */

static pliant_body add_cloth(trial *t, const pliant_cloth_def *def)
{
    pliant_error      error = {PLIANT_OK, 0, "", ""};
    const pliant_body body = pliant_scene_add_cloth(t->scene, def, &error);
    if (!body.id) fail_msg("%s", error.message);
    return body;
}

/* Without gravity: 10,000 substeps. */
static void what_is_at_rest_stays_there(void **unused)
{
    static const pliant_preset presets[] = {PLIANT_COTTON, PLIANT_RUBBER_SHEET};
    (void)unused;
    for (int i = 0; i < 4; i++) {
        const pliant_material m = pliant_material_preset(presets[i % 2]);
        pliant_cloth_def      def = cloth_of(i / 2 ? PLIANT_CLOTH_STVK : PLIANT_CLOTH_STRAIN, 8, &m);
        double                most = 0, was[81][3], x[3];
        trial                 t;
        trial_begin(&t, 0, 100, 1);
        const pliant_body body = add_cloth(&t, &def);
        trial_compile(&t);
        for (uint32_t k = 0; k < 81; k++) point_of(&t, body, k, was[k]);
        trial_run(&t, 1.0 / 60, 100);
        for (uint32_t k = 0; k < 81; k++) {
            point_of(&t, body, k, x);
            for (int a = 0; a < 3; a++) most = fmax(most, fabs(x[a] - was[k][a]));
        }
        print_message("%.3g m in 10,000 substeps, %.3g m/s as a whole\n", most, drift_of(&t, body));
        assert_true(most <= 1e-5);
        assert_true(drift_of(&t, body) <= EPSILON * 0.5 * 6000); /* one rounding of a coordinate of 0.5 m per substep */
        trial_end(&t);
    }
}

/* Let go a tenth wider than at rest, and bent, a free sheet rings for 10,000 substeps, and its centre of mass moves as far as roundings alone move it. */
static void what_rings_keeps_its_momentum(void **unused)
{
    static const pliant_bend bends[] = {PLIANT_BEND_ANGLE, PLIANT_BEND_ISOMETRIC};
    (void)unused;
    for (int i = 0; i < 4; i++) {
        const pliant_material m = pliant_material_preset(PLIANT_COTTON);
        pliant_cloth_def      def = cloth_of(i / 2 ? PLIANT_CLOTH_STVK : PLIANT_CLOTH_STRAIN, 8, &m);
        trial                 t;
        def.bend = bends[i % 2];
        trial_begin(&t, 0, 100, 1);
        const pliant_body body = add_cloth(&t, &def);
        trial_compile(&t);
        const double most = trial_ring(&t, body);
        print_message("%.3g m/s as a whole at the most\n", most);
        assert_true(most <= 500 * EPSILON * 0.5 * 6000); /* each row of each of 10,000 substeps rounds */
        trial_end(&t);
    }
}

/* A triangle without area, between two others, and one lower than a micrometre hold nothing, and do no harm. */
static void what_has_no_area_holds_nothing(void **unused)
{
    const pliant_vec3     x[6] = {vec(0, 0, 0), vec(1, 0, 0), vec(0, 0, 1), vec(0.5, 0, 0), vec(0.7, 0, -1), vec(0.5, 0, 1 / 2.0 + 4e-7)};
    const uint32_t        triangles[12] = {0, 2, 1, 0, 1, 3, 3, 1, 4, 1, 2, 5};
    const pliant_material m = pliant_material_preset(PLIANT_COTTON);
    (void)unused;
    for (int model = PLIANT_CLOTH_STRAIN; model <= PLIANT_CLOTH_STVK; model++) {
        pliant_cloth_def def = cloth_of((pliant_cloth_model)model, 1, &m);
        trial            t;
        double           at[3];
        def.mesh = pliant_mesh_view_of(x, sizeof *x, 6, triangles, 4);
        def.weld = false;
        def.warp = vec(1, 0, 0.3);
        trial_begin(&t, 9.81, 20, 1);
        const pliant_body body = add_cloth(&t, &def);
        trial_compile(&t);
        trial_run(&t, 1.0 / 60, 30);
        for (uint32_t i = 0; i < 5; i++) {
            point_of(&t, body, i, at);
            assert_true(fabs(at[1] + 9.81 * 0.125) < 0.05 && fabs(at[0]) < 1.1 && fabs(at[2]) < 1.1);
        }
        trial_end(&t);
    }
}

enum { LINE, MIRRORED, RANDOM, CRUSHED, FOLDED, POINT, HURTS, STRETCHED = HURTS, SQUEEZED, SHEARED, STRAINS };
static const char *const hurts[] = {"a line",    "mirrored", "random", "crushed to a millimetre", "folded onto itself", "a point",
                                    "stretched", "squeezed", "sheared"};

/* Of 9 x 9 vertices, a metre wide. */
static void hurt(const trial *t, pliant_body body, int how)
{
    uint64_t seed = 5;
    for (uint32_t i = 0; i < 81; i++) {
        double       x[3];
        pliant_vec3  to;
        const double noise[3] = {chance(&seed) - 0.5, chance(&seed) - 0.5, chance(&seed) - 0.5};
        point_of(t, body, i, x);
        if (how == LINE) x[2] = 1e-3 * noise[2], x[1] = 1e-3 * noise[1];
        if (how == MIRRORED) x[0] = -x[0];
        for (int k = 0; k < 3 && how == RANDOM; k++) x[k] = noise[k];
        for (int k = 0; k < 3 && how == CRUSHED; k++) x[k] = 1e-3 * noise[k];
        if (how == FOLDED) x[0] = fabs(x[0]);
        for (int k = 0; k < 3 && how == POINT; k++) x[k] = 0.3 - 0.1 * k;
        if (how == STRETCHED) x[0] *= 1.3;
        if (how == SQUEEZED) x[0] *= 0.9, x[2] *= 0.8;
        if (how == SHEARED) x[0] += 0.5 * x[2];
        to = vec(x[0], x[1], x[2]);
        assert_int_equal(pliant_state_set_positions(t->state, body, i, 1, &to), PLIANT_OK);
    }
}

/* The largest strain of warp or weft, and of shear, of a triangle: quads are cut by turns, and each triangle has its right angle at one of the two corners that
 * the cut leaves alone. (What is folded along a cut is not strained.) */
static void strains_of(const trial *t, pliant_body body, double *stretch, double *shear)
{
    *stretch = *shear = 0;
    for (uint32_t quad = 0; quad < 64; quad++)
        for (uint32_t k = 0; k < 2; k++) {
            const uint32_t i = quad % 8, j = quad / 8, right = (i + j) % 2 ? k : 1 - k; /* the corner's column; its row is k */
            double         x[3][3], d[2][3];
            point_of(t, body, 9 * (j + k) + i + right, x[0]);
            point_of(t, body, 9 * (j + k) + i + 1 - right, x[1]);
            point_of(t, body, 9 * (j + 1 - k) + i + right, x[2]);
            for (int e = 0; e < 2; e++)
                for (int a = 0; a < 3; a++) d[e][a] = 8 * (x[e + 1][a] - x[0][a]);
            *stretch = fmax(*stretch, fmax(fabs(length3(d[0]) - 1), fabs(length3(d[1]) - 1)));
            *shear = fmax(*shear, fabs(dot3(d[0], d[1])));
        }
}

/* Free, without gravity, for two seconds; drag takes what was stored. */
static void what_is_hurt_recovers(void **unused)
{
    static const pliant_preset presets[] = {PLIANT_COTTON, PLIANT_RUBBER_SHEET, PLIANT_DENIM};
    (void)unused;
    for (int model = PLIANT_CLOTH_STRAIN; model <= PLIANT_CLOTH_STVK; model++)
        for (int how = 0; how < HURTS; how++)
            for (size_t i = 0; i < sizeof presets / sizeof *presets; i++) {
                pliant_material m = pliant_material_preset(presets[i]);
                trial           t;
                double          stretch, shear;
                m.drag = 5;
                const pliant_cloth_def def = cloth_of((pliant_cloth_model)model, 8, &m);
                trial_begin(&t, 0, 20, 1);
                const pliant_body body = add_cloth(&t, &def);
                trial_compile(&t);
                hurt(&t, body, how);
                trial_run(&t, 1.0 / 60, 120);
                strains_of(&t, body, &stretch, &shear);
                print_message("model %d, %s, %s: strains to %.3g, shear to %.3g\n", model, hurts[how], pliant_preset_name(presets[i]),
                              stretch, shear);
                assert_true(stretch < 0.01 && shear < 0.1);
                trial_end(&t);
            }
}

/* Denim with the law of cotton in each step moves to the bit as cotton of its mass. */
static void moduli_that_change_live_are_those_of_a_scene(void **unused)
{
    (void)unused;
    for (int model = PLIANT_CLOTH_STRAIN; model <= PLIANT_CLOTH_STVK; model++) {
        pliant_vec3     x[3][81];
        pliant_material thin = pliant_material_preset(PLIANT_COTTON), denim = thin, none = pliant_material_default();
        denim.stretch_warp = R(5000);
        denim.stretch_weft = R(4000);
        denim.shear_stiffness = R(300);
        denim.plane_poisson = R(0.2);
        none.stretch_warp = 0;
        for (int k = 0; k < 3; k++) { /* as a scene has it, live, and a scene of other moduli */
            const pliant_constraint_kind kind =
                model == PLIANT_CLOTH_STRAIN ? PLIANT_CONSTRAINT_TRIANGLE_STRAIN : PLIANT_CONSTRAINT_TRIANGLE_STVK;
            const pliant_law       law = pliant_material_law(&thin, kind);
            const pliant_cloth_def def = cloth_of((pliant_cloth_model)model, 8, k ? &denim : &thin);
            uint32_t               sheet = UINT32_MAX;
            trial                  t;
            trial_begin(&t, 9.81, 10, 1);
            const pliant_body body = add_cloth(&t, &def);
            trial_compile(&t);
            for (uint32_t i = 0; i < pliant_model_law_count(t.model); i++)
                if (pliant_model_law(t.model, i).kind == kind) sheet = i;
            hurt(&t, body, STRETCHED);
            for (int f = 0; f < 20; f++) {
                assert_int_equal(pliant_inputs_reset(t.inputs, 1.0 / 60), PLIANT_OK);
                if (k == 1) assert_int_equal(pliant_inputs_law(t.inputs, sheet, &law), PLIANT_OK);
                trial_step(&t);
            }
            assert_int_equal(pliant_state_positions(t.state, body, 0, 81, x[k]), PLIANT_OK);
            trial_end(&t);
        }
        assert_memory_equal(x[1], x[0], sizeof x[0]);
        assert_memory_not_equal(x[2], x[0], sizeof x[0]);
        assert_int_equal(pliant_material_law(&none, PLIANT_CONSTRAINT_TRIANGLE_STRAIN).size, 0);
    }
}

/* A strained sheet, free and without gravity, in substeps of all lengths: as docs/energy.md has it, no frame has more energy than an earlier one had, by more
 * than 2 % of what was turned over until then. */
static void no_substep_is_so_long_that_energy_is_gained(void **unused)
{
    static const uint32_t substeps[] = {1, 4, 20, 100};
    (void)unused;
    for (int how = STRETCHED; how < STRAINS; how++)
        for (size_t i = 0; i < 4 * FABRICS * 2; i++) {
            const double   *f = fabrics[i % FABRICS];
            const uint32_t  count = substeps[i / FABRICS % 4];
            const int       model = i / FABRICS / 4 ? PLIANT_CLOTH_STVK : PLIANT_CLOTH_STRAIN;
            pliant_material m = fabric(f[0], f[1], f[2], f[3]);
            trial           t;
            trial_begin(&t, 0, count, 1);
            const pliant_cloth_def cloth = cloth_of((pliant_cloth_model)model, 8, &m);
            const pliant_body      body = add_cloth(&t, &cloth);
            trial_compile(&t);
            trial_measure(&t);
            hurt(&t, body, how);
            const double worst = trial_gain(&t, 1);
            if (worst > 0.02)
                fail_msg("%s, fabric %zu, model %d, %u substeps: gains %.3g of what it turned over", hurts[how], i % FABRICS, model, count,
                         worst);
            trial_end(&t);
        }
}

/* The bending length, m, of a strip that hangs over an edge, by the angle at which its end lies below the edge (Peirce 1930). An elastica with an overhang of
 * twice its bending length c = (B / w)^(1/3) has 41.487 degrees (B t'' = w (l - s) cos t, t(0) = t'(l) = 0, by SciPy), and from 38 to 44.4 degrees ln c falls by 0.01379
 * per degree. Rigidities are of warp and weft, along one of which the strip runs. */
static double bending_length(pliant_cloth_model model, bool weft, double overhang, double warp_rigidity, double weft_rigidity)
{
    const uint32_t   cells = 32, across = 4;
    const double     cell = overhang / cells;
    pliant_material  m = fabric(4000, 3000, 60, 0.2);
    pliant_cloth_def def = pliant_cloth_def_default();
    trial            t;
    double           edge[3], end[3];
    m.bending_rigidity = R(warp_rigidity);
    m.bending_weft = R(weft_rigidity);
    m.drag = 2;
    def.material = m;
    def.model = model;
    def.bend = PLIANT_BEND_ISOMETRIC;
    def.cells_x = weft ? across : cells + 1;
    def.cells_z = weft ? cells + 1 : across;
    def.size_x = R(def.cells_x * cell);
    def.size_z = R(def.cells_z * cell);
    trial_begin(&t, 9.81, 60, 8);
    const pliant_body body = add_cloth(&t, &def);
    const uint32_t    columns = def.cells_x + 1, step = weft ? columns : 1, side = weft ? 1 : columns; /* along the strip, and across */
    for (uint32_t i = 0; i <= across; i++)
        for (uint32_t k = 0; k < 2; k++) {
            const uint32_t vertex = i * side + k * step;
            assert_int_equal(pliant_scene_pin(t.scene, body, &vertex, 1, false, NULL), PLIANT_OK);
        }
    trial_compile(&t);
    trial_run(&t, 1.0 / 60, 240);
    point_of(&t, body, across / 2 * side + step, edge);
    point_of(&t, body, across / 2 * side + (cells + 1) * step, end);
    trial_end(&t);
    const double angle = atan2(edge[1] - end[1], hypot(end[0] - edge[0], end[2] - edge[2])) * 180 / TEST_PI;
    return overhang / 2 * exp(-(angle - 41.487) * 0.01379);
}

static void strips_of_warp_and_weft_hang_as_their_rigidity(void **unused)
{
    const double lengths[2] = {0.1, 0.07}, weight = 0.2 * 9.81; /* m, N/m^2 */
    (void)unused;
    for (int model = PLIANT_CLOTH_STRAIN; model <= PLIANT_CLOTH_STVK; model++)
        for (int k = 0; k < 2; k++) {
            const double c =
                bending_length((pliant_cloth_model)model, k, 2 * lengths[k], weight * pow(lengths[0], 3), weight * pow(lengths[1], 3));
            print_message("model %d, %s: a bending length of %.2f mm, asked %.0f\n", model, k ? "weft" : "warp", 1000 * c,
                          1000 * lengths[k]);
            near(c / lengths[k], 1, 0.05);
        }
}

/* ---- the drapemeter ---- */

enum { RINGS = 20, ROUND = 1 + 3 * RINGS * (RINGS + 1) };
typedef struct sample {
    pliant_vec3 x[ROUND];
    uint32_t    triangles[18 * RINGS * RINGS];
    uint32_t    vertices, count;
} sample;

/* Vertex `i` of ring `k`, which has 6 k. */
static uint32_t on_ring(uint32_t k, uint32_t i) { return k ? 1 + 3 * k * (k - 1) + i % (6 * k) : 0; }

/* A round sample of 30 cm; its heights differ a little, so that it finds its folds. */
static void make_sample(sample *s, uint32_t rings)
{
    uint64_t  seed = 1;
    uint32_t *c = s->triangles;
    s->vertices = 1 + 3 * rings * (rings + 1);
    s->x[0] = vec(0, 0, 0);
    for (uint32_t k = 1; k <= rings; k++)
        for (uint32_t i = 0; i < 6 * k; i++) {
            const double angle = 2 * TEST_PI * i / (6 * k), radius = 0.15 * k / rings;
            s->x[on_ring(k, i)] = vec(radius * cos(angle), 1e-5 * (chance(&seed) - 0.5), radius * sin(angle));
        }
    for (uint32_t k = 1; k <= rings; k++)
        for (uint32_t side = 0; side < 6; side++)
            for (uint32_t i = 0; i < k; i++) {
                const uint32_t out = on_ring(k, side * k + i), next = on_ring(k, side * k + i + 1), in = on_ring(k - 1, side * (k - 1) + i);
                *c++ = out, *c++ = in, *c++ = next;
                if (i + 1 < k) *c++ = next, *c++ = in, *c++ = on_ring(k - 1, side * (k - 1) + i + 1);
            }
    s->count = (uint32_t)(c - s->triangles) / 3;
}

/* The area of the sample's shadow, m^2, by points of a millimetre. */
static double shadow(const sample *s, uint32_t rings)
{
    static bool    dark[400][400];
    const uint32_t steps = 2 + 400 / rings;
    double         area = 0;
    memset(dark, 0, sizeof dark);
    for (uint32_t t = 0; t < s->count; t++)
        for (uint32_t u = 0; u <= steps; u++)
            for (uint32_t v = 0; u + v <= steps; v++) {
                const double of[3] = {1 - (double)(u + v) / steps, (double)u / steps, (double)v / steps};
                double       at[2] = {0.2, 0.2};
                for (int k = 0; k < 3; k++) {
                    at[0] += of[k] * (double)s->x[s->triangles[3 * t + (uint32_t)k]].x;
                    at[1] += of[k] * (double)s->x[s->triangles[3 * t + (uint32_t)k]].z;
                }
                dark[(int)(at[0] * 1000)][(int)(at[1] * 1000)] = true;
            }
    for (int i = 0; i < 160000; i++) area += dark[i / 400][i % 400] ? 1e-6 : 0;
    return area;
}

/* Cusick 1968, The Measurement of Fabric Drape: the sample is held between discs of 18 cm; the share of the ring around them that is in its shadow, %. */
static double drape_coefficient(pliant_preset preset, uint32_t rings, uint32_t substeps)
{
    static sample    s;
    trial            t;
    pliant_cloth_def def = pliant_cloth_def_default();
    const double     disc = TEST_PI * 0.09 * 0.09;
    make_sample(&s, rings);
    const double whole = shadow(&s, rings);
    def.material = pliant_material_preset(preset);
    def.material.damping = 0;
    def.material.drag = 3;
    def.model = PLIANT_CLOTH_STRAIN;
    def.warp = vec(1, 0, 0);
    def.mesh = pliant_mesh_view_of(s.x, sizeof *s.x, s.vertices, s.triangles, s.count);
    trial_begin(&t, 9.81, substeps, 1);
    const pliant_body body = add_cloth(&t, &def);
    for (uint32_t i = 0; i < s.vertices; i++)
        if (hypot((double)s.x[i].x, (double)s.x[i].z) < 0.0905)
            assert_int_equal(pliant_scene_pin(t.scene, body, &i, 1, false, NULL), PLIANT_OK);
    trial_compile(&t);
    trial_run(&t, 1.0 / 60, 150);
    assert_int_equal(pliant_state_positions(t.state, body, 0, s.vertices, s.x), PLIANT_OK);
    trial_end(&t);
    return 100 * (shadow(&s, rings) - disc) / (whole - disc);
}

/* Twice as fine, with 40 rings and 200 substeps a frame, samples have 30, 68, 75 and 87 %. */
static void fabrics_drape_as_in_a_mesh_twice_as_fine(void **unused)
{
    static const struct {
        pliant_preset preset;
        double        finer; /* % */
    } samples[] = {{PLIANT_SILK, 30}, {PLIANT_COTTON, 67.8}, {PLIANT_RUBBER_SHEET, 75.1}, {PLIANT_DENIM, 86.9}};
    (void)unused;
    for (int p = 0; p < 4; p++) {
        const double found = drape_coefficient(samples[p].preset, RINGS, 100);
        print_message("%s: %.1f %%, twice as fine %.1f\n", pliant_preset_name(samples[p].preset), found, samples[p].finer);
        near(found, samples[p].finer, 3);
    }
}

/* ---- the material ---- */

static void laws_follow_the_material(void **unused)
{
    pliant_material  m = fabric(4000, 2000, 60, 0.25);
    pliant_cloth_def def = cloth_of(PLIANT_CLOTH_STRAIN, 2, &m);
    pliant_scene    *scene = pliant_scene_create(NULL, NULL);
    pliant_error     error;
    (void)unused;
    const pliant_body body = pliant_scene_add_cloth(scene, &def, &error);
    for (int way = 0; way < 2; way++) {
        bool found = false;
        for (size_t i = 0; i < scene->laws.count; i++) {
            const pliant__draft_law *law = &scene->laws.data[i];
            if (strcmp(law->role, "sheet") != 0) continue;
            found = true;
            near((double)law->law.compliance * (way ? 1000 : 4000), 1, 4 * EPSILON);
            near((double)law->law.numbers[0], way ? 1 : 0.5, EPSILON);
            near((double)law->law.numbers[1], way ? 0.2 : 0.015, EPSILON);
            near((double)law->law.numbers[2], way ? 0 : 0.25, EPSILON);
        }
        assert_true(found);
        m = fabric(1000, 0, 200, 0);
        assert_int_equal(pliant_scene_set_material(scene, body, &m, &error), PLIANT_OK);
    }
    m.shear_stiffness = 0;
    assert_int_equal(pliant_scene_set_material(scene, body, &m, &error), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "needs stretch_warp and shear_stiffness"));
    pliant_scene_destroy(scene);
}

static void refuses(pliant_scene *scene, const pliant_cloth_def *def, const char *why)
{
    pliant_error error = {PLIANT_OK, 0, "", ""};
    assert_int_equal(pliant_scene_add_cloth(scene, def, &error).id, 0);
    if (!strstr(error.message, why)) fail_msg("\"%s\" instead of \"%s\"", error.message, why);
}

static void what_cannot_be_is_refused(void **unused)
{
    static mesh      m;
    pliant_scene    *scene = pliant_scene_create(NULL, NULL);
    pliant_material  bare = pliant_material_default(), cotton = pliant_material_preset(PLIANT_COTTON);
    pliant_cloth_def def = cloth_of(PLIANT_CLOTH_STRAIN, 2, &bare);
    (void)unused;
    refuses(scene, &def, "needs stretch_warp and shear_stiffness");
    def.material = pliant_material_preset(PLIANT_LEGACY_COTTON);
    refuses(scene, &def, "the laws stretch and shear are of the model distance");
    def.material = cotton;
    def.material.plane_poisson = 1;
    refuses(scene, &def, "plane_poisson must be from 0 to 0.99");
    def.material.plane_poisson = R(0.3);
    def.model = PLIANT_CLOTH_DISTANCE;
    refuses(scene, &def, "plane_poisson is of the models strain and stvk");
    def.model = PLIANT_CLOTH_COUNT;
    refuses(scene, &def, "model");
    def.model = PLIANT_CLOTH_STRAIN;
    def.material.stretch_weft = R(1e8);
    refuses(scene, &def, "stretch_weft is");
    def.material = cotton;
    def.material.shear_stiffness = R(1e8);
    refuses(scene, &def, "shear_stiffness is");
    def.material = cotton;
    def.warp = vec(1, 0, 0);
    refuses(scene, &def, "a grid's warp runs along its x");
    make_mesh(&m, 0);
    def.mesh = pliant_mesh_view_of(m.x, sizeof *m.x, CORNERS, m.triangles, 2 * CELLS * CELLS);
    def.warp = vec(0, 1, 0);
    refuses(scene, &def, "warp is at right angles to the triangle at vertex ");
    def.warp = vec(0, 0, 0);
    refuses(scene, &def, "without texture coordinates does not say where warp runs");
    memset(m.uvs, 0, sizeof m.uvs);
    def.mesh.uvs = m.uvs;
    refuses(scene, &def, "has texture coordinates in a line");
    pliant_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_and_stress_are_those_of_the_closed_form),
        cmocka_unit_test(small_strains_have_the_stiffness_and_the_ratio),
        cmocka_unit_test(what_is_crushed_is_not_thrown),
        cmocka_unit_test(a_grid_has_the_stiffness_of_its_fabric),
        cmocka_unit_test(a_mesh_has_the_stiffness_of_its_fabric_aslant),
        cmocka_unit_test(what_is_at_rest_stays_there),
        cmocka_unit_test(what_rings_keeps_its_momentum),
        cmocka_unit_test(what_has_no_area_holds_nothing),
        cmocka_unit_test(what_is_hurt_recovers),
        cmocka_unit_test(moduli_that_change_live_are_those_of_a_scene),
        cmocka_unit_test(no_substep_is_so_long_that_energy_is_gained),
        cmocka_unit_test(strips_of_warp_and_weft_hang_as_their_rigidity),
        cmocka_unit_test(fabrics_drape_as_in_a_mesh_twice_as_fine),
        cmocka_unit_test(laws_follow_the_material),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
