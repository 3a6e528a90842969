/* The results of a comparison: as a table and as JSON on standard output, as CSV and as a picture in files. */
#include "compare.h"
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Its last point; it has none where it cannot. */
static uint32_t last_of(const compare_curve *c) { return c->count ? c->count - 1 : 0; }

static double ms_per_iteration(const compare_curve *c)
{
    const uint32_t last = last_of(c);
    return c->iteration[last] > 0 ? c->ms[last] / c->iteration[last] : 0;
}

/* ---- table ---- */

/* Residuals say how good the reference itself is. */
static void print_reference(const compare_job *job)
{
    const compare_curve *c = &job->reference;
    const uint32_t       last = last_of(c);
    printf("E0, the distance of the prediction from the end of %s: %.4g m\n", c->label, job->error_first);
    printf("%s ends after %.0f iterations, at %.3g R0 of the constraints and %.3g R0 of the motion\n", c->label, c->iteration[last],
           c->constraint[last] / job->first, c->primal[last] / job->first);
}

static void print_head(const compare_job *job, int width)
{
    const pliant_model *m = job->moments.model;
    char                wanted[32];
    printf("%s, frame %u: %u particles, %u constraints; one substep of %.6g ms\n", job->name, job->frame, pliant_model_particle_count(m),
           pliant_model_constraint_count(m, PLIANT_CONSTRAINT_COUNT), 1e3 * job->h);
    printf("%u thread%s, %u lanes, float%u; times are medians of %u\n", job->threads, job->threads == 1 ? "" : "s",
           pliant_solver_width(compare_any(job)->solver), 8 * pliant_build().real_bytes, job->repeat);
    printf("R0, the residual of the constraints before the first iteration: %.4g m sqrt(kg)\n", job->first);
    if (job->referred) print_reference(job);
    printf("\n");
    snprintf(wanted, sizeof wanted, "to %.6g R0:", job->until);
    printf("%-*s  %-22s  at the end:\n", width, "", wanted);
    printf("%-*s  iterations          ms  iterations  constraint/R0   primal/R0  ms/iteration%s\n", width, "method",
           job->referred ? "    error/E0" : "");
}

static void print_row(const compare_job *job, const compare_curve *c, int width)
{
    const uint32_t last = last_of(c);
    printf("%-*s  ", width, c->label);
    if (c->status == COMPARE_CANNOT) {
        printf("cannot: %s\n", c->reason);
        return;
    }
    if (c->status == COMPARE_REACHED)
        printf("%10.0f  %10.4g", c->iteration[c->reached], c->ms[c->reached]);
    else
        printf("%10s  %10s", c->status == COMPARE_DIVERGED ? "diverged" : "-", "-");
    printf("  %10.0f  %13.4g  %10.4g  %12.4g", c->iteration[last], c->relative[0][last], c->relative[1][last], ms_per_iteration(c));
    if (c->samples.count) printf("  %10.4g", compare_last_error(job, c));
    printf("\n");
}

static void print_verdict(const compare_job *job)
{
    const compare_curve *best = compare_fastest(job), *nearest = NULL;
    if (best) {
        printf("\nfastest to %g R0: %s, %.4g ms\n", job->until, best->label, best->ms[best->reached]);
        return;
    }
    for (uint32_t i = 0; i < job->count; i++) {
        const compare_curve *c = &job->curves[i];
        if (c->status == COMPARE_NOT_REACHED && (!nearest || c->relative[0][c->count - 1] < nearest->relative[0][nearest->count - 1]))
            nearest = c;
    }
    printf("\nnone came to %g R0", job->until);
    if (nearest) printf("; nearest is %s with %.4g R0", nearest->label, nearest->relative[0][nearest->count - 1]);
    printf("\n");
}

void compare_print_table(const compare_job *job)
{
    bool any = compare_any(job) != NULL;
    int  width = 12;
    for (uint32_t i = 0; i < job->count; i++) {
        int length = (int)strlen(job->curves[i].label);
        if (length > width) width = length;
    }
    if (any) print_head(job, width);
    for (uint32_t i = 0; i < job->count; i++) print_row(job, &job->curves[i], width);
    if (any) print_verdict(job);
    for (uint32_t i = 0; any && i < job->out_count; i++) printf("wrote %s\n", job->outs[i].path);
}

/* ---- JSON ---- */

static void print_number(const char *key, double value)
{
    printf(", \"%s\": ", key);
    cli_print_json_number(value, 9);
}

static void print_curve(const compare_job *job, const compare_curve *c)
{
    static const char *const words[] = {"reached", "not reached", "diverged", "cannot"};
    const uint32_t           last = last_of(c);
    printf("{\"method\": ");
    cli_print_json_text(c->label);
    printf(", \"name\": \"%s\", \"settings\": ", pliant_method_describe(c->method.method)->name);
    cli_print_json_settings(&c->method);
    printf(", \"status\": \"%s\"", words[c->status]);
    if (c->status == COMPARE_CANNOT) {
        printf(", \"reason\": ");
        cli_print_json_text(c->reason);
        printf("}");
        return;
    }
    if (c->status == COMPARE_REACHED) {
        print_number("iterations_to", c->iteration[c->reached]);
        print_number("ms_to", c->ms[c->reached]);
    } else {
        printf(", \"iterations_to\": null, \"ms_to\": null");
    }
    print_number("iterations", c->iteration[last]);
    print_number("ms", c->ms[last]);
    print_number("ms_per_iteration", ms_per_iteration(c));
    print_number("constraint", c->constraint[last]);
    print_number("primal", c->primal[last]);
    print_number("primal_max", c->primal_max[last]);
    if (job->referred) print_number("error", c->samples.count ? c->samples.error[c->samples.count - 1] : NAN);
    printf("}");
}

void compare_print_json(const compare_job *job)
{
    const compare_curve *best = compare_fastest(job), *any = compare_any(job);
    printf("{\"scene\": ");
    cli_print_json_text(job->name);
    printf(", \"frame\": %u", job->frame);
    print_number("substep", job->h);
    print_number("until", job->until);
    print_number("first", job->first);
    if (job->referred) {
        const compare_curve *c = &job->reference;
        printf(", \"reference\": {\"method\": ");
        cli_print_json_text(c->label);
        print_number("iterations", c->iteration[last_of(c)]);
        print_number("constraint", c->constraint[last_of(c)]);
        print_number("primal", c->primal[last_of(c)]);
        print_number("error_first", job->error_first);
        printf("}");
    }
    printf(", \"repeat\": %u, \"threads\": %u, \"width\": %u, \"real_bytes\": %u, \"particles\": %u, \"constraints\": %u, \"methods\": [",
           job->repeat, job->threads, any ? pliant_solver_width(any->solver) : 0, pliant_build().real_bytes,
           pliant_model_particle_count(job->moments.model), pliant_model_constraint_count(job->moments.model, PLIANT_CONSTRAINT_COUNT));
    for (uint32_t i = 0; i < job->count; i++) {
        printf("%s", i ? ", " : "");
        print_curve(job, &job->curves[i]);
    }
    printf("], \"fastest\": ");
    if (best)
        cli_print_json_text(best->label);
    else
        printf("null");
    printf(", \"files\": [");
    for (uint32_t i = 0; i < job->out_count; i++) {
        printf("%s", i ? ", " : "");
        cli_print_json_text(job->outs[i].path);
    }
    printf("]}\n");
}

/* ---- files ---- */

void compare_write_csv(FILE *to, const compare_job *job)
{
    fprintf(to, "method,iteration,ms,constraint,primal,constraint_relative,primal_relative,primal_max%s\n", job->referred ? ",error" : "");
    for (uint32_t k = 0; k < job->count; k++) {
        const compare_curve *c = &job->curves[k];
        for (uint32_t i = 0, s = 0; i < c->count; i++) {
            fprintf(to, "%s,%.0f,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", c->label, c->iteration[i], c->ms[i], c->constraint[i], c->primal[i],
                    c->relative[0][i], c->relative[1][i], c->primal_max[i]);
            if (s < c->samples.count && c->samples.point[s] == i)
                fprintf(to, ",%.9g", c->samples.error[s++]);
            else if (job->referred)
                fputs(",", to);
            fputs("\n", to);
        }
    }
}

/* The points of a curve where its distance from the reference was measured, in parts of E0. */
typedef struct sampled {
    double iteration[COMPARE_MOST_SAMPLES], ms[COMPARE_MOST_SAMPLES], constraint[COMPARE_MOST_SAMPLES], error[COMPARE_MOST_SAMPLES];
} sampled;

static cli_curve sample(const compare_job *job, const compare_curve *c, sampled *to)
{
    uint32_t count = 0;
    for (uint32_t s = 1; s < c->samples.count; s++, count++) {
        const uint32_t point = c->samples.point[s];
        to->iteration[count] = c->iteration[point];
        to->ms[count] = c->ms[point];
        to->constraint[count] = c->relative[0][point];
        to->error[count] = c->samples.error[s] / job->error_first;
    }
    return (cli_curve){c->label, {to->iteration, to->ms}, {to->constraint, to->error}, count};
}

void compare_write_svg(FILE *to, const compare_job *job)
{
    sampled    *samples = job->referred ? calloc(job->count, sizeof *samples) : NULL; /* without memory: the curves without errors */
    cli_curve   curves[COMPARE_MOST_METHODS];
    char        title[400], subtitle[300], against[100] = "";
    const char *slash = strrchr(job->name, '/');
    cli_plot    plot = {.title = title,
                        .subtitle = subtitle,
                        .x_label = {"iterations", "time, ms"},
                        .y_label = {"constraint residual, in R₀", "primal residual, in R₀"},
                        .line = {job->until, 0},
                        .curves = curves};
    if (samples) plot.y_label[1] = "distance from the reference, in E₀";
    for (uint32_t i = 0; i < job->count; i++) {
        const compare_curve *c = &job->curves[i];
        if (samples && c->samples.count > 1)
            curves[plot.curve_count++] = sample(job, c, &samples[i]);
        else if (!samples && c->count > 1) /* without the prediction, which took no time */
            curves[plot.curve_count++] =
                (cli_curve){c->label, {c->iteration + 1, c->ms + 1}, {c->relative[0] + 1, c->relative[1] + 1}, c->count - 1};
    }
    if (samples) snprintf(against, sizeof against, "; E₀ = %.3g m", job->error_first);
    snprintf(title, sizeof title, "%.300s, frame %u: one substep of %.4g ms", slash ? slash + 1 : job->name, job->frame, 1e3 * job->h);
    snprintf(subtitle, sizeof subtitle,
             "%u particles, %u constraints; R₀ = %.3g m √kg, the constraint residual before the first iteration%s",
             pliant_model_particle_count(job->moments.model), pliant_model_constraint_count(job->moments.model, PLIANT_CONSTRAINT_COUNT),
             job->first, against);
    cli_plot_write(to, &plot);
    free(samples);
}
