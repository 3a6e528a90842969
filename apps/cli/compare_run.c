/* One substep from one state by each method, again and again: the residuals are the same every time, the times are not. So methods take turns,
 * each iteration's time is the median over the repetitions, and a curve's time is the sum of these: a disturbance of the machine in one repetition
 * does not count. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

static double *numbers(size_t count) { return calloc(count, sizeof(double)); }

static bool make_room(compare_curve *c, const compare_job *job)
{
    size_t   points = (size_t)job->iterations + 1;
    double **all[] = {&c->iteration, &c->ms, &c->constraint, &c->primal, &c->relative[0], &c->relative[1], &c->primal_max};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(*all[i] = numbers(points))) return false;
    return (c->times = numbers(points * job->repeat)) != NULL;
}

/* ---- one run ---- */

/* Whether two residuals are the same, be they no numbers. */
static bool same(double a, double b) { return a == b || (a != a && b != b); }

static bool is_far(const compare_curve *c, uint32_t point)
{
    return !(c->constraint[point] <= COMPARE_FAR * c->constraint[0]) || c->primal[point] - c->primal[point] != 0;
}

static bool trace(const pliant_progress *p, void *context)
{
    compare_tracing *t = context;
    compare_curve   *c = t->curve;
    uint32_t         i = t->count;
    if (i > t->most || cli_interrupted()) return false;
    if (t->again) {
        t->differs = t->differs || i >= c->count || !same(c->constraint[i], p->constraint) || !same(c->primal[i], p->primal);
    } else {
        c->iteration[i] = p->iteration;
        c->constraint[i] = p->constraint;
        c->primal[i] = p->primal;
        c->primal_max[i] = p->primal_max;
    }
    t->times[i] = 1e3 * p->seconds;
    t->count++;
    return !t->differs && i < t->stop && !(i && is_far(c, i));
}

static bool make_solver(const compare_job *job, compare_curve *c, pliant_error *error)
{
    pliant_solver_def def = pliant_solver_def_default();
    def.threads = job->threads;
    def.method = &c->method;
    def.linear = cli_linear();
    def.trace = trace;
    def.trace_context = &c->tracing;
    c->solver = pliant_solver_create(job->moments.model, &def, error);
    return c->solver != NULL;
}

int compare_run_once(compare_job *job, compare_curve *c, uint32_t repetition, uint32_t stop, bool again, pliant_state *state)
{
    compare_tracing *t = &c->tracing;
    *t = (compare_tracing){
        .curve = c, .times = c->times + repetition * ((size_t)job->iterations + 1), .most = job->iterations, .stop = stop, .again = again};
    pliant_code code = pliant_state_copy(state, job->moments.state);
    if (code == PLIANT_OK) code = pliant_inputs_reset(job->moments.inputs, job->h);
    if (code == PLIANT_OK) code = pliant_inputs_substeps(job->moments.inputs, 1, job->iterations);
    if (code == PLIANT_OK) code = pliant_solver_step(c->solver, state, job->moments.inputs);
    if (code != PLIANT_OK && code != PLIANT_ERROR_DIVERGED) /* the end of the substep is not compared */
        return cli_usage_error("%s: a substep of %g s cannot be taken", job->name, job->h);
    if (stop == UINT32_MAX) {
        c->failed = code == PLIANT_ERROR_DIVERGED;
        c->unsolved = (c->failed && pliant_solver_divergence(c->solver).unsolved) ||
                      pliant_solver_statistics(c->solver).fallback_substeps > 0; /* after a fallback the curve is another method's */
    }
    if (cli_interrupted()) return CLI_INTERRUPTED;
    if (!t->again) c->count = t->count;
    if (!t->differs && t->count && (t->count == c->count || t->count == (uint64_t)stop + 1)) return CLI_GOOD;
    fprintf(stderr, "pliant: %s has other residuals in repetition %u than in the first\n", c->label, repetition + 1);
    return CLI_CHECK_FAILED;
}

/* ---- results ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, uint32_t count)
{
    qsort(values, count, sizeof *values, ascending);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

/* The time of an iteration by itself, the median over the repetitions. */
static double own_time(const compare_job *job, const compare_curve *c, uint32_t point)
{
    double values[COMPARE_MOST_REPETITIONS];
    for (uint32_t r = 0; r < job->repeat; r++) {
        const double *times = c->times + r * ((size_t)job->iterations + 1);
        values[r] = times[point] - (point ? times[point - 1] : 0);
    }
    return median(values, job->repeat);
}

static void judge(const compare_job *job, compare_curve *c)
{
    double ms = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        c->ms[i] = ms += own_time(job, c, i);
        c->relative[0][i] = c->constraint[i] / job->first;
        c->relative[1][i] = c->primal[i] / job->first;
    }
    c->status = c->unsolved || is_far(c, c->count - 1) ? COMPARE_DIVERGED : COMPARE_NOT_REACHED;
    for (uint32_t i = 0; i < c->count && c->status == COMPARE_NOT_REACHED; i++)
        if (c->relative[0][i] <= job->until) {
            c->status = COMPARE_REACHED;
            c->reached = i;
        }
}

const compare_curve *compare_any(const compare_job *job)
{
    for (uint32_t i = 0; i < job->count; i++)
        if (job->curves[i].solver) return &job->curves[i];
    return NULL;
}

const compare_curve *compare_fastest(const compare_job *job)
{
    const compare_curve *best = NULL;
    for (uint32_t i = 0; i < job->count; i++) {
        const compare_curve *c = &job->curves[i];
        if (c->status == COMPARE_REACHED && (!best || c->ms[c->reached] < best->ms[best->reached])) best = c;
    }
    return best;
}

/* ---- all of it ---- */

static int prepare(compare_job *job, compare_curve *c)
{
    pliant_error error = {0};
    if (!pliant_method_takes(job->moments.model, &c->method, &error) ||
        (!cli_linear() && pliant_method_wants_linear(job->moments.model, &c->method, &error))) {
        c->status = COMPARE_CANNOT;
        snprintf(c->reason, sizeof c->reason, "%s", error.message);
        return CLI_GOOD;
    }
    if (!make_room(c, job)) return cli_fail(&(pliant_error){.code = PLIANT_ERROR_MEMORY});
    return make_solver(job, c, &error) ? CLI_GOOD : cli_fail(&error);
}

int compare_prepare(compare_job *job)
{
    int code = job->referred ? prepare(job, &job->reference) : CLI_GOOD;
    if (code == CLI_GOOD && job->referred) code = prepare(job, &job->prediction);
    if (code == CLI_GOOD && job->referred && job->reference.status == COMPARE_CANNOT)
        return cli_usage_error("--reference: %s", job->reference.reason);
    for (uint32_t i = 0; i < job->count && code == CLI_GOOD; i++) code = prepare(job, &job->curves[i]);
    return code;
}

static int run_all(compare_job *job, pliant_state *state)
{
    cli_progress progress;
    uint32_t     done = 0;
    int          code = CLI_GOOD;
    cli_progress_start(&progress, job->quiet, job->repeat * job->count);
    progress.what = "run";
    for (uint32_t r = 0; r < job->repeat && code == CLI_GOOD; r++)
        for (uint32_t i = 0; i < job->count && code == CLI_GOOD; i++) {
            if (job->curves[i].status != COMPARE_CANNOT) code = compare_run_once(job, &job->curves[i], r, UINT32_MAX, r > 0, state);
            cli_progress_step(&progress, ++done);
        }
    cli_progress_end(&progress);
    return code;
}

int compare_measure(compare_job *job)
{
    pliant_error  error = {0};
    pliant_state *state = pliant_state_create(job->moments.model, &error);
    int           code = state ? run_all(job, state) : cli_fail(&error);
    pliant_state_destroy(state);
    if (code != CLI_GOOD) return code;
    for (uint32_t i = 0; i < job->count; i++)
        if (job->curves[i].count && job->curves[i].constraint[0] > job->first) job->first = job->curves[i].constraint[0];
    if (!(job->first > 0)) {
        error.code = PLIANT_ERROR_INPUT;
        snprintf(error.path, sizeof error.path, "%.255s", job->name);
        snprintf(error.message, sizeof error.message,
                 "in frame %u the constraints are met before the first iteration, so there is nothing to compare (try another --frame)",
                 job->frame);
        return cli_fail(&error);
    }
    for (uint32_t i = 0; i < job->count; i++)
        if (job->curves[i].status != COMPARE_CANNOT) judge(job, &job->curves[i]);
    return CLI_GOOD;
}
