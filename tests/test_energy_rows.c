/* The energy of every row of the table of constraints, tested from the table: it is C^2 / (2 alpha) of its value, as far as its limit is violated;
 * it falls along its force, by the force; and no lane width or number of threads changes a bit of it. */
#include "law_scene.h"

static const double substep = LAW_STEP;

static void energetic_solver(law_world *w, uint32_t width, uint32_t threads)
{
    pliant_solver_def def = pliant_solver_def_default();
    def.width = width;
    def.threads = threads;
    def.energy = true;
    pliant_solver_destroy(w->solver);
    w->solver = pliant_solver_create(w->model, &def, &w->error);
    assert_non_null(w->solver);
}

/* Of a world's state, moved to `x`: what the next step says that it began with. */
static double elastic_at(law_world *w, const pliant_real x[][3])
{
    pliant_vec3 at[PLIANT_MAX_SLOTS];
    for (uint32_t s = 0; s < w->particles; s++) at[s] = (pliant_vec3){x[s][0], x[s][1], x[s][2]};
    assert_int_equal(pliant_state_set_positions(w->state, w->body, 0, w->particles, at), PLIANT_OK);
    world_step(w, substep); /* it may diverge: only where it began counts */
    return pliant_solver_statistics(w->solver).energy_before.elastic;
}

/* How far a row is violated, by what evaluates it alone. */
static double violation_of(const pliant_constraint_info *row, const pliant_eval_input *in, double C)
{
    const double rest = row->parameter_count ? (double)in->parameters[0] : 0;
    if (in->law.limit == PLIANT_AT_MOST) return C > 0 ? C : 0;
    if (in->law.limit == PLIANT_AT_LEAST) return C < 0 ? C : 0;
    if (in->law.limit != PLIANT_RANGE) return C;
    const double above = C - ((double)in->law.range_max - 1) * rest, below = C - ((double)in->law.range_min - 1) * rest;
    return above > 0 ? above : below < 0 ? below : 0;
}

static double expected_energy(const pliant_constraint_info *row, const pliant_eval_input *in)
{
    const pliant_eval_output out = evaluate(row, in);
    double                   sum = 0;
    for (uint32_t r = 0; r < row->rows; r++) {
        const double c = violation_of(row, in, (double)out.C[r]);
        sum += c * c / (2 * (double)in->law.compliance);
    }
    return sum;
}

/* Far softer than a substep makes it, so that it is its compliance that counts. */
static void soften(const pliant_constraint_info *row, pliant_eval_input *in, pliant_limit limit)
{
    const pliant_eval_output out = evaluate(row, in);
    const law_case           soft = {"compliant", 1, 0, 1};
    double                   most = 0;
    for (uint32_t r = 0; r < row->rows; r++) {
        double S = 0;
        for (uint32_t s = 0; s < row->slots; s++) {
            const point g = point_of(out.gradient[r][s]);
            S += (double)in->w[s] * dot(g, g);
        }
        most = fmax(most, S);
    }
    in->law = law_of(&soft, limit);
    in->law.compliance = R(1e-2 * most * uniform(1, 10)); /* h^2 S is 1e-4 S here */
}

static void each_row(uint32_t seeds, void (*check)(const pliant_constraint_info *row, pliant_eval_input *in, law_world *w))
{
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++)
        for (int limit = PLIANT_EQUAL; limit <= PLIANT_RANGE; limit++) {
            const pliant_constraint_info *row = pliant_constraint_describe((pliant_constraint_kind)kind);
            const pliant_scene_def        settings = bare_settings();
            if (!row_takes(row, (pliant_limit)limit)) continue;
            for (uint32_t seed = 0; seed < seeds; seed++) {
                pliant_eval_input in;
                law_seed = 77 + seed + 1000u * (unsigned)kind + 100000u * (unsigned)limit;
                draw(row, &in);
                soften(row, &in, (pliant_limit)limit);
                snprintf(law_where, sizeof law_where, "%s, %s, seed %u", row->name, limit_names[limit], seed);
                law_world w = world_of(&settings, row, &in, NULL);
                world_compile(&w);
                energetic_solver(&w, 0, 1);
                check(row, &in, &w);
                world_end(&w);
            }
        }
}

static void check_value(const pliant_constraint_info *row, pliant_eval_input *in, law_world *w)
{
    const double expected = expected_energy(row, in), found = elastic_at(w, (const pliant_real(*)[3])in->x);
    const double C = fabs((double)evaluate(row, in).C[0]), rest = row->parameter_count ? fabs((double)in->parameters[0]) : 0;
    within(found, expected, 64 * EPSILON * (expected + (C + rest + 3) * (C + 1e-6) / (double)in->law.compliance), "its energy");
}

static void a_row_has_what_its_compliance_says(void **unused)
{
    (void)unused;
    each_row(20, check_value);
}

static int seams, points;

/* Central differences of the energy against C / alpha grad C. Of a piecewise row those across a seam, where its gradient jumps, are left out. */
static void check_force(const pliant_constraint_info *row, pliant_eval_input *in, law_world *w)
{
    const double             d = 1.0 / 512, a = (double)in->law.compliance;
    const pliant_eval_output out = evaluate(row, in);
    for (uint32_t s = 0; s < row->slots; s++)
        for (int c = 0; c < 3; c++) {
            const pliant_real at = in->x[s][c];
            double            force = 0, scale = 0, rounding = 0, energy[2];
            bool              seam = false;
            for (uint32_t r = 0; r < row->rows; r++) {
                const double slope = length(point_of(out.gradient[r][s]));
                force += violation_of(row, in, (double)out.C[r]) * (double)out.gradient[r][s][c] / a;
                scale += (fabs((double)out.C[r]) + d) * (slope + 0.1) / a;
                rounding +=
                    EPSILON * (fabs((double)out.C[r]) + d) * (fabs((double)out.C[r]) + fabs((double)in->parameters[0]) + 3) / (a * d);
            }
            for (int side = 0; side < 2; side++) {
                in->x[s][c] = at + R(side ? d : -d);
                const pliant_eval_output there = evaluate(row, in);
                const point              change = minus(point_of(there.gradient[0][s]), point_of(out.gradient[0][s]));
                seam = seam || length(change) > 0.05 * (length(point_of(out.gradient[0][s])) + 0.1);
                energy[side] = elastic_at(w, (const pliant_real(*)[3])in->x);
            }
            in->x[s][c] = at;
            points++;
            seams += seam;
            if (!seam || !(row->flags & PLIANT_ROW_PIECEWISE))
                within((energy[1] - energy[0]) / (2 * d), force, 0.02 * scale + 4 * rounding, "its force");
        }
}

static void energy_falls_by_the_force(void **unused)
{
    (void)unused;
    each_row(8, check_force);
    assert_true(seams < points / 4);
}

/* ---- widths and threads ---- */

enum { MANY = 150 };

static pliant_energy energy_of_many(const pliant_constraint_info *row, uint32_t width, uint32_t threads)
{
    static pliant_vec3       x[MANY * PLIANT_MAX_SLOTS];
    static pliant_real       masses[MANY * PLIANT_MAX_SLOTS];
    static pliant_eval_input in[MANY];
    const pliant_scene_def   settings = bare_settings();
    law_seed = 5 + row->kind;
    for (uint32_t i = 0; i < MANY; i++) {
        draw(row, &in[i]);
        for (uint32_t s = 0; s < row->slots; s++) {
            x[i * row->slots + s] = (pliant_vec3){in[i].x[s][0], in[i].x[s][1], in[i].x[s][2]};
            masses[i * row->slots + s] = in[i].w[s];
        }
    }
    law_world w = world_begin(&settings, MANY * row->slots, x, NULL, masses);
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t   ids[PLIANT_MAX_SLOTS];
        pliant_law law = law_of(&law_cases[i % COUNT(law_cases)], row->limit);
        for (uint32_t s = 0; s < row->slots; s++) ids[s] = i * row->slots + s;
        if (i % 5 == 1) ids[0] = (i - 1) * row->slots; /* some share a particle */
        world_constrain(&w, row, ids, in[i].parameters, &law);
    }
    world_compile(&w);
    energetic_solver(&w, width, threads);
    world_step(&w, substep);
    const pliant_energy before = pliant_solver_statistics(w.solver).energy_before;
    world_end(&w);
    return before;
}

static void neither_widths_nor_threads_change_a_bit(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        const pliant_constraint_info *row = pliant_constraint_describe((pliant_constraint_kind)kind);
        const pliant_build_info       build = pliant_build();
        snprintf(law_where, sizeof law_where, "%s", row->name);
        const pliant_energy wanted = energy_of_many(row, 1, 1);
        require(wanted.elastic > 0, "none of its rows has energy");
        for (uint32_t i = 0; i < build.width_count; i++) {
            if (!build.runs[i]) continue;
            for (uint32_t threads = 1; threads <= 3; threads += 2) {
                const pliant_energy found = energy_of_many(row, build.widths[i], threads);
                snprintf(law_where, sizeof law_where, "%s, %u lanes, %u threads", row->name, build.widths[i], threads);
                require(memcmp(&found, &wanted, sizeof found) == 0, "its energy has other bits");
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_has_what_its_compliance_says),
        cmocka_unit_test(energy_falls_by_the_force),
        cmocka_unit_test(neither_widths_nor_threads_change_a_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
