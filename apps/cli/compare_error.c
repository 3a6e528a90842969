/* How far from a reference each method is: the reference takes the same substep from the same state, to the end, and each method takes it again and again,
 * stopped after ever more iterations. The distance is the root mean square over all particles. A method that goes to the end of a residual and not of
 * this distance has a bias: it solves other equations than the reference does. */
#include "compare.h"

#include <math.h>
#include <stdlib.h>

/* Positions of the vertices of all bodies, body after body, m. */
typedef struct positions {
    pliant_vec3 *x;
    uint32_t     count;
} positions;

static bool read_positions(const pliant_model *m, const pliant_state *state, positions *p)
{
    p->count = 0;
    for (uint32_t b = 0; b < pliant_model_body_count(m); b++) {
        const pliant_body_info body = pliant_model_body_at(m, b);
        if (pliant_state_positions(state, body.body, 0, body.vertex_count, p->x + p->count) != PLIANT_OK) return false;
        p->count += body.vertex_count;
    }
    return true;
}

static double distance(const positions *a, const positions *b)
{
    double sum = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        const double d[3] = {(double)a->x[i].x - (double)b->x[i].x, (double)a->x[i].y - (double)b->x[i].y,
                             (double)a->x[i].z - (double)b->x[i].z};
        sum += d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    }
    return a->count ? sqrt(sum / a->count) : 0;
}

/* The iteration to look at after this one: ten for each decade, and each one at first. */
static uint32_t next_of(uint32_t iteration)
{
    const uint32_t next = (uint32_t)(iteration * 1.26);
    return next > iteration ? next : iteration + 1;
}

static void add_sample(compare_samples *s, uint32_t point, double error)
{
    s->point[s->count] = point;
    s->error[s->count++] = error;
}

/* The last iteration is looked at too. */
static int measure_curve(compare_job *job, compare_curve *c, const positions *reference, positions *now, pliant_state *state)
{
    const uint32_t last = c->count - 1;
    c->samples.count = 0;
    add_sample(&c->samples, 0, job->error_first);
    for (uint32_t n = 1; n <= last; n = n < last && next_of(n) > last ? last : next_of(n)) {
        const int code = compare_run_once(job, c, 0, n < last ? n : UINT32_MAX, true, state);
        if (code != CLI_GOOD) return code;
        if (!read_positions(job->moments.model, state, now)) return cli_fail(&(pliant_error){.code = PLIANT_ERROR_MEMORY});
        add_sample(&c->samples, n, distance(now, reference));
    }
    return CLI_GOOD;
}

/* Where the reference ends, and how far the prediction is from there. gauss_seidel alone is sure to leave a particle where it is predicted until its first
 * iteration. */
static int run_reference(compare_job *job, positions *to, positions *now, pliant_state *state)
{
    compare_curve *c = &job->reference;
    int            code = compare_run_once(job, c, 0, UINT32_MAX, false, state);
    if (code != CLI_GOOD) return code;
    if (c->failed)
        return cli_usage_error("%s: the reference %s found no solution of this substep (take a shorter one: --substeps)", job->name,
                               c->label);
    if (!read_positions(job->moments.model, state, to)) return cli_fail(&(pliant_error){.code = PLIANT_ERROR_MEMORY});
    code = compare_run_once(job, &job->prediction, 0, 0, false, state);
    if (code != CLI_GOOD) return code;
    if (!read_positions(job->moments.model, state, now)) return cli_fail(&(pliant_error){.code = PLIANT_ERROR_MEMORY});
    job->error_first = distance(now, to);
    return CLI_GOOD;
}

int compare_errors(compare_job *job)
{
    pliant_error  error = {.code = PLIANT_ERROR_MEMORY};
    pliant_state *state = pliant_state_create(job->moments.model, &error);
    size_t        count = 0;
    for (uint32_t b = 0; b < pliant_model_body_count(job->moments.model); b++)
        count += pliant_model_body_at(job->moments.model, b).vertex_count;
    positions reference = {calloc(count, sizeof(pliant_vec3)), 0}, now = {calloc(count, sizeof(pliant_vec3)), 0};
    int       code = state && reference.x && now.x ? run_reference(job, &reference, &now, state) : cli_fail(&error);
    for (uint32_t i = 0; i < job->count && code == CLI_GOOD; i++)
        if (job->curves[i].solver && !job->curves[i].failed) code = measure_curve(job, &job->curves[i], &reference, &now, state);
    free(reference.x);
    free(now.x);
    pliant_state_destroy(state);
    return code;
}

double compare_last_error(const compare_job *job, const compare_curve *c)
{
    return c->samples.count && job->error_first > 0 ? c->samples.error[c->samples.count - 1] / job->error_first : NAN;
}
