/* What holds for every row of the table of constraints, tested from the table; and the numbers that laws must give.
 *
 * A row that may not promise something says so by a flag; the tests print each such exception, and fail where a flag is not needed. A new
 * row is covered by being there: nothing here names one, but for rounding bounds (law_single.h) and worked examples (law_numbers.h).
 *
 *   law_draw.h        random cases of a row, and every law with every limit
 *   law_scene.h       the same in a scene
 *   law_single.h      one projection by itself: formula, momentum, gradients, rigid motion, pins
 *   law_solver.h      in the solver, over many sweeps: momentum, pins, rest, inequalities
 *   law_degenerate.h  what has no direction, area or volume
 *   law_wide.h        all widths and threads; orders replayed
 *   law_numbers.h     worked examples  */
#include "law_degenerate.h"
#include "law_numbers.h"
#include "law_single.h"
#include "law_solver.h"
#include "law_wide.h"

/* ---- the table itself ---- */

static const pliant_constraint_info *row_number(int kind) { return pliant_constraint_describe((pliant_constraint_kind)kind); }

static void says_something(const char *text, const char *what)
{
    require(text && *text && *text != ' ' && text[strlen(text) - 1] != ' ', what);
}

static void check_parameter_row(const pliant_constraint_info *row, uint32_t i)
{
    const pliant_parameter_info *p = &row->parameters[i];
    says_something(p->name, "a parameter's name");
    says_something(p->unit, "a parameter's unit");
    says_something(p->text, "a parameter's text");
    require(finite_number(p->low) && finite_number(p->high) && p->low <= p->high, "a parameter's bounds");
    require(p->high >= 1e-3, "a parameter's bounds leave tests nothing to draw");
    require(i < row->parameter_count ? p->usual == 0 : p->usual >= p->low && p->usual <= p->high,
            "a number is not usually within its bounds");
    for (uint32_t j = 0; j < i; j++) require(strcmp(p->name, row->parameters[j].name) != 0, "two parameters have one name");
}

/* As scene files need it: lower case, digits and underscores. */
static bool is_key(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!(*c == '_' || (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9'))) return false;
    return *name >= 'a' && *name <= 'z';
}

static void rows_are_described(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        const pliant_constraint_info *row = row_number(kind);
        snprintf(law_where, sizeof law_where, "row %d", kind);
        require(row && (int)row->kind == kind, "the row of a kind is another kind's");
        says_something(row->name, "name");
        snprintf(law_where, sizeof law_where, "%s", row->name);
        says_something(row->unit, "unit");
        says_something(row->formula, "formula");
        says_something(row->source, "source");
        require(is_key(row->name), "its name cannot be a key");
        require(row->slots >= 1 && row->slots <= PLIANT_MAX_SLOTS, "slots");
        require(row->rows >= 1 && row->rows <= PLIANT_MAX_ROWS, "rows");
        require(row->parameter_count <= PLIANT_MAX_PARAMETERS, "parameters");
        require(row->number_count <= PLIANT_MAX_NUMBERS, "numbers of a law");
        require(row->limit <= PLIANT_AT_LEAST && row_takes(row, row->limit), "its own limit");
        const bool measured = row->flags & PLIANT_ROW_MEASURED, ratio = row->flags & PLIANT_ROW_RATIO;
        require(!measured || (row->parameter_count && row->rows == 1), "what is measured is parameter 0 of a single row");
        const bool shaped = row->flags & PLIANT_ROW_SHAPED;
        require(!shaped || (row->parameter_count > 1 && !measured), "what is shaped has all of its parameters measured, not one");
        require(!ratio || measured, "a ratio is to a rest value that can be measured");
        const bool length = row->flags & PLIANT_ROW_LENGTH, edge = row->flags & PLIANT_ROW_EDGE;
        require(!length || (row->slots == 2 && ratio), "a length is of two particles, and its rest value one of a ratio");
        require(!edge || (length && row->limit == PLIANT_EQUAL), "an edge is a length, and kept");
        require(!(row->flags & PLIANT_ROW_LINK) || row->slots == 2, "a link is between two particles");
        require(!(row->flags & PLIANT_ROW_VOLUME) || (row->slots == 4 && measured), "a volume is of four particles, and can be measured");
        for (uint32_t i = 0; i < row->parameter_count + row->number_count; i++) check_parameter_row(row, i);
        require(pliant_constraint_find(row->name) == row, "it is not found by its name");
    }
}

/* C of a length or a volume, by their definition. */
static double defined_value(const pliant_constraint_info *row, const pliant_eval_input *in)
{
    const point a = minus(point_of(in->x[1]), point_of(in->x[0]));
    if (row->flags & PLIANT_ROW_LENGTH) return sqrt(a.c[0] * a.c[0] + a.c[1] * a.c[1] + a.c[2] * a.c[2]) - (double)in->parameters[0];
    const point  b = minus(point_of(in->x[2]), point_of(in->x[0])), c = minus(point_of(in->x[3]), point_of(in->x[0]));
    const double volume = (a.c[1] * b.c[2] - a.c[2] * b.c[1]) * c.c[0] + (a.c[2] * b.c[0] - a.c[0] * b.c[2]) * c.c[1] +
                          (a.c[0] * b.c[1] - a.c[1] * b.c[0]) * c.c[2];
    return volume / 6 - (double)in->parameters[0];
}

/* What is done with lengths, edges, links and volumes knows their C or their gradients. */
static void rows_are_what_their_flags_say(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        const pliant_constraint_info *row = row_number(kind);
        for (int i = 0; i < 100; i++) {
            pliant_eval_input  in;
            pliant_eval_output out;
            draw(row, &in);
            snprintf(law_where, sizeof law_where, "%s, case %d", row->name, i);
            assert_int_equal(pliant_constraint_eval(row->kind, &in, &out), PLIANT_OK);
            if (row->flags & (PLIANT_ROW_LENGTH | PLIANT_ROW_VOLUME)) {
                const double C = defined_value(row, &in), size = fabs(C) + fabs((double)in.parameters[0]);
                require(fabs((double)out.C[0] - C) <= 32 * EPSILON * (size + 1), "C is not what its flag says");
            }
            for (uint32_t r = 0; r < row->rows && row->flags & PLIANT_ROW_LINK; r++)
                for (int c = 0; c < 3; c++)
                    require(out.gradient[r][0][c] == -out.gradient[r][1][c], "a link's gradients are not each other's, turned round");
        }
    }
}

static void nonsense_is_not_found(void **unused)
{
    char longer[256];
    (void)unused;
    assert_null(pliant_constraint_find(NULL));
    assert_null(pliant_constraint_find(""));
    assert_null(pliant_constraint_find("nonsense"));
    assert_null(pliant_constraint_describe(PLIANT_CONSTRAINT_COUNT));
    assert_null(pliant_constraint_describe((pliant_constraint_kind)1000));
    assert_null(pliant_constraint_describe((pliant_constraint_kind)-1));
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        snprintf(longer, sizeof longer, "%ss", row_number(kind)->name);
        assert_null(pliant_constraint_find(longer));
        snprintf(longer, strlen(row_number(kind)->name), "%s", row_number(kind)->name); /* without its last letter */
        assert_null(pliant_constraint_find(longer));
        snprintf(longer, sizeof longer, "%s", row_number(kind)->name);
        longer[0] = (char)(longer[0] - 'a' + 'A');
        assert_null(pliant_constraint_find(longer));
    }
}

static void eval_refuses_what_it_cannot_do(void **unused)
{
    pliant_eval_input  in;
    pliant_eval_output out;
    (void)unused;
    draw(row_number(0), &in);
    assert_int_equal(pliant_constraint_eval((pliant_constraint_kind)0, &in, &out), PLIANT_OK);
    assert_int_equal(pliant_constraint_eval(PLIANT_CONSTRAINT_COUNT, &in, &out), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_constraint_eval((pliant_constraint_kind)-1, &in, &out), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_constraint_eval((pliant_constraint_kind)0, NULL, &out), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_constraint_eval((pliant_constraint_kind)0, &in, NULL), PLIANT_ERROR_ARGUMENT);
    const pliant_real steps[] = {0, -1, R(strtod("nan", NULL))};
    for (size_t i = 0; i < COUNT(steps); i++) {
        in.dt = steps[i];
        assert_int_equal(pliant_constraint_eval((pliant_constraint_kind)0, &in, &out), PLIANT_ERROR_ARGUMENT);
    }
}

/* A scene takes exactly the limits that the row's shape and flags promise, and the row's own where the law says none. */
static void scenes_take_the_limits_of_the_row(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < PLIANT_CONSTRAINT_COUNT; kind++) {
        const pliant_constraint_info *row = row_number(kind);
        pliant_eval_input             in;
        draw(row, &in);
        for (int limit = -1; limit <= PLIANT_RANGE; limit++) {
            snprintf(law_where, sizeof law_where, "%s, limit %d", row->name, limit);
            pliant_scene_def settings = bare_settings();
            in.law = pliant_law_default();
            law_world             w = world_of(&settings, row, &in, NULL); /* with its own limit */
            pliant_constraint_def def = pliant_constraint_def_default(row->kind);
            for (uint32_t s = 0; s < row->slots; s++) {
                def.particles[s].body = w.body;
                def.particles[s].vertex = s;
            }
            memcpy(def.parameters, in.parameters, sizeof def.parameters);
            def.law.limited = limit >= 0;
            def.law.limit = limit >= 0 ? (pliant_limit)limit : PLIANT_EQUAL;
            bool taken = pliant_scene_add_constraint(w.scene, &def, &w.error).id != 0;
            require(taken == (limit < 0 || row_takes(row, (pliant_limit)limit)), taken ? "it was taken" : w.error.message);
            if (!taken) print_message("    exception: %s cannot be \"%s\"\n", row->name, limit_names[limit]);
            world_end(&w);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_described),
        cmocka_unit_test(rows_are_what_their_flags_say),
        cmocka_unit_test(nonsense_is_not_found),
        cmocka_unit_test(eval_refuses_what_it_cannot_do),
        cmocka_unit_test(scenes_take_the_limits_of_the_row),
        cmocka_unit_test(one_projection_follows_the_formula),
        cmocka_unit_test(one_projection_keeps_momentum),
        cmocka_unit_test(gradients_are_slopes),
        cmocka_unit_test(rigid_motion_changes_nothing),
        cmocka_unit_test(pins_get_no_correction),
        cmocka_unit_test(sweeps_keep_momentum),
        cmocka_unit_test(nets_keep_momentum),
        cmocka_unit_test(pins_stay_bit_for_bit),
        cmocka_unit_test(rest_is_rest),
        cmocka_unit_test(inequalities_act_on_one_side_only),
        cmocka_unit_test(inactive_constraints_do_nothing),
        cmocka_unit_test(residuals_are_what_is_left),
        cmocka_unit_test(the_solver_moves_as_one_projection_says),
        cmocka_unit_test(distances_of_all_sizes_move_as_one_projection_says),
        cmocka_unit_test(degenerate_input_stays_finite),
        cmocka_unit_test(degenerate_runs_stay_finite),
        cmocka_unit_test(widths_and_threads_compute_the_same_bits),
        cmocka_unit_test(solved_orders_replay_bit_for_bit),
        cmocka_unit_test(rows_of_a_batch_do_not_know_each_other),
        cmocka_unit_test(laws_changed_live_act_as_if_compiled),
        cmocka_unit_test(stiffness_is_spread_over_iterations),
        cmocka_unit_test(pbd_stretch_depends_on_the_step_alone),
        cmocka_unit_test(a_distance_of_unequal_masses),
        cmocka_unit_test(a_tetrahedron_comes_to_its_volume),
        cmocka_unit_test(unequal_weights_leave_no_linear_residual),
        cmocka_unit_test(a_range_limits_strain),
        cmocka_unit_test(order_given_is_gauss_seidel),
        cmocka_unit_test(compliance_does_not_depend_on_iterations),
        cmocka_unit_test(xpbd_damping_follows_its_formula),
        cmocka_unit_test(a_block_of_rows_is_an_oscillator_on_each_axis),
        cmocka_unit_test(inequalities_give_multipliers_back),
        cmocka_unit_test(clamped_multipliers_never_change_sign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
