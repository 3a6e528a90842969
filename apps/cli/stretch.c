/* The most stretched distance of a run, its reason, and remedies.
 *
 * A distance is longer than at rest for one of four reasons.
 *
 * 1. Its ends are pulled apart: two vertices that pins or keys hold are further apart than the shortest way along the distances between them. Nothing
 *    helps. One search from all held vertices at once (Dijkstra 1959) finds the way between neighbouring ones, over the edges at which two regions meet.
 * 2. Its law lets it: elastic = compliance * force / rest length, with the force of a step that a copy of the state takes. Substeps do not help.
 * 3. PBD stiffness lets it: the share that it leaves.
 * 4. The rest was not solved. With n substeps it falls as 1/n^2 where all is rigid (docs/mistakes.md: 19, 5, 0.3 % with 10, 20, 80), and as 1/n
 *    to 1/n^1.5 in fabrics with soft shear (denim by two corners: 32, 8, 8, 6 % with 10, 30, 60, 80), so n of them become
 *    n ((stretch - elastic) / (4/5 (aim - elastic)))^(3/4): a swinging cloth is stretched now more, now less. And cloth that hangs down from a whole
 *    edge is held by tethers. */
#include "stretch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SURE 0.8 /* of the stretch allowed, the share aimed at: a swinging cloth may be stretched more in a later frame */
#define TETHER 1.02
#define ROUND 5u /* substeps are advised in fives */
#define MOST_SUBSTEPS 10000.0

/* ---- held vertices ---- */

typedef struct edge {
    uint32_t ends[2];
    double   length;
} edge;

/* A vertex that was reached from a held one. */
typedef struct reached {
    double   distance;
    uint32_t vertex, from;
} reached;

typedef struct net {
    uint32_t     vertices, edge_count, held_count, heap_count;
    bool         tethered;
    edge        *edges;
    uint32_t    *first, *around; /* edges around vertex v: around[first[v]] to around[first[v + 1]] */
    pliant_real *w;
    pliant_vec3 *x;
    reached     *best, *heap;
} net;

static void drop_net(net *n) { free(n->edges), free(n->first), free(n->around), free(n->w), free(n->x), free(n->best), free(n->heap); }

static bool is_of(const pliant_solved_constraint *c, pliant_body body)
{
    return c->particles[0].body.id == body.id && c->particles[1].body.id == body.id;
}

/* The body's edges that are on, and whether it has tethers. */
static void collect(net *n, const cli_stretch_run *run, pliant_body body)
{
    for (uint32_t i = 0; i < pliant_model_solved_count(run->model); i++) {
        const pliant_solved_constraint c = pliant_model_solved(run->model, i);
        if (c.kind == PLIANT_CONSTRAINT_TETHER && (c.particles[0].body.id == body.id || c.particles[1].body.id == body.id))
            n->tethered = true;
        if (pliant_constraint_describe(c.kind)->flags & PLIANT_ROW_EDGE && is_of(&c, body) && pliant_state_active(run->state, c.constraint))
            n->edges[n->edge_count++] = (edge){{c.particles[0].vertex, c.particles[1].vertex}, (double)c.parameters[0]};
    }
}

static void list_around(net *n)
{
    for (uint32_t e = 0; e < n->edge_count; e++)
        for (int k = 0; k < 2; k++) n->first[n->edges[e].ends[k] + 1]++;
    for (uint32_t v = 0; v < n->vertices; v++) n->first[v + 1] += n->first[v];
    for (uint32_t i = 1; i <= n->edge_count; i++)
        for (int k = 0; k < 2; k++) n->around[--n->first[n->edges[n->edge_count - i].ends[k] + 1]] = n->edge_count - i;
    for (uint32_t v = 0; v < n->vertices; v++) n->first[v] = n->first[v + 1];
    n->first[n->vertices] = 2 * n->edge_count;
}

static bool make_net(net *n, const cli_stretch_run *run, pliant_body body)
{
    *n = (net){.vertices = pliant_model_body(run->model, body).vertex_count};
    const size_t most = (size_t)pliant_model_solved_count(run->model) + 1;
    n->edges = malloc(most * sizeof *n->edges);
    n->around = malloc(2 * most * sizeof *n->around);
    n->first = calloc(n->vertices + 2u, sizeof *n->first);
    n->w = calloc(n->vertices + 1u, sizeof *n->w);
    n->x = calloc(n->vertices + 1u, sizeof *n->x);
    n->best = malloc((n->vertices + 1u) * sizeof *n->best);
    n->heap = malloc((2 * most + n->vertices) * sizeof *n->heap);
    if (!n->edges || !n->around || !n->first || !n->w || !n->x || !n->best || !n->heap) return false;
    pliant_state_inverse_masses(run->state, body, 0, n->vertices, n->w);
    pliant_state_positions(run->state, body, 0, n->vertices, n->x);
    for (uint32_t v = 0; v < n->vertices; v++) n->held_count += n->w[v] == 0;
    collect(n, run, body);
    list_around(n);
    return true;
}

static void push(net *n, reached r)
{
    if (!(r.distance < n->best[r.vertex].distance)) return;
    uint32_t i = n->heap_count++;
    n->best[r.vertex] = r;
    for (; i && r.distance < n->heap[(i - 1) / 2].distance; i = (i - 1) / 2) n->heap[i] = n->heap[(i - 1) / 2];
    n->heap[i] = r;
}

static reached pop(net *n)
{
    const reached top = n->heap[0], last = n->heap[--n->heap_count];
    uint32_t      i = 0;
    for (uint32_t child; (child = 2 * i + 1) < n->heap_count; i = child) {
        if (child + 1 < n->heap_count && n->heap[child + 1].distance < n->heap[child].distance) child++;
        if (!(n->heap[child].distance < last.distance)) break;
        n->heap[i] = n->heap[child];
    }
    n->heap[i] = last;
    return top;
}

static void search(net *n)
{
    for (uint32_t v = 0; v < n->vertices; v++) n->best[v] = (reached){HUGE_VAL, v, v};
    for (uint32_t v = 0; v < n->vertices; v++)
        if (n->w[v] == 0) push(n, (reached){0, v, v});
    while (n->heap_count) {
        const reached r = pop(n);
        if (r.distance > n->best[r.vertex].distance) continue;
        for (uint32_t i = n->first[r.vertex]; i < n->first[r.vertex + 1]; i++) {
            const edge *e = &n->edges[n->around[i]];
            push(n, (reached){r.distance + e->length, e->ends[e->ends[0] == r.vertex], r.from});
        }
    }
}

static double apart(const pliant_vec3 *x, uint32_t a, uint32_t b)
{
    const double d[3] = {(double)x[a].x - (double)x[b].x, (double)x[a].y - (double)x[b].y, (double)x[a].z - (double)x[b].z};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* The two held vertices that are the farthest apart beside the way between them. */
static void find_pulled(net *n, cli_stretch *s)
{
    double most = 1 + CLI_STRETCH_AIM;
    search(n);
    for (uint32_t i = 0; i < n->edge_count; i++) {
        const reached *a = &n->best[n->edges[i].ends[0]], *b = &n->best[n->edges[i].ends[1]];
        const double   between = a->distance + n->edges[i].length + b->distance, is = apart(n->x, a->from, b->from);
        if (a->from == b->from || (n->w[a->vertex] == 0 && n->w[b->vertex] == 0) || !(is > most * between)) continue;
        most = is / between;
        s->apart = is;
        s->between = between;
        s->held[0] = a->from;
        s->held[1] = b->from;
    }
}

/* ---- the stretch of the law ---- */

/* N, in a step that a copy takes; 0 if it cannot. */
static double force_in(const cli_stretch_run *run, pliant_constraint constraint)
{
    pliant_real       force[PLIANT_MAX_ROWS] = {0};
    pliant_solver_def def = pliant_solver_def_default();
    def.measure = true;
    def.method = run->method;
    def.linear = cli_linear();
    pliant_state  *copy = pliant_state_create(run->model, NULL);
    pliant_inputs *inputs = pliant_inputs_create(run->model, NULL);
    pliant_solver *solver = pliant_solver_create(run->model, &def, NULL);
    if (copy && inputs && solver && pliant_state_copy(copy, run->state) == PLIANT_OK &&
        pliant_inputs_reset(inputs, 1 / run->fps) == PLIANT_OK &&
        pliant_inputs_substeps(inputs, run->said_substeps, run->iterations) == PLIANT_OK &&
        pliant_solver_step(solver, copy, inputs) == PLIANT_OK)
        pliant_solver_force(solver, constraint, force);
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(copy);
    return fabs((double)force[0]);
}

/* ---- remedies ---- */

static double depth_of(pliant_vec3 x, pliant_vec3 g)
{
    return (double)x.x * (double)g.x + (double)x.y * (double)g.y + (double)x.z * (double)g.z;
}

/* Whether a cloth hangs down from a held edge. Where few vertices are held, or from the side, tethers hold the lengths, and its soft
 * shear stretches; of a rope they hold the whole, and not each part. */
static bool tethers_help(const net *n, pliant_body_type type, pliant_vec3 g)
{
    double deepest = -HUGE_VAL, highest = HUGE_VAL;
    for (uint32_t v = 0; v < n->vertices; v++) {
        const double depth = depth_of(n->x[v], g);
        if (n->w[v] == 0)
            deepest = fmax(deepest, depth);
        else
            highest = fmin(highest, depth);
    }
    return !n->tethered && type == PLIANT_BODY_CLOTH && (double)n->held_count >= 0.5 * sqrt((double)n->vertices) && deepest <= highest;
}

static bool is_soft(const cli_stretch *s) { return s->elastic > 0.5 * s->strain.largest; }
static bool is_partly_soft(const cli_stretch *s) { return s->elastic > 0.75 * CLI_STRETCH_AIM; }

static void advise_substeps(cli_stretch *s, const cli_stretch_run *run)
{
    const double rest = is_partly_soft(s) ? CLI_STRETCH_AIM / 4 : CLI_STRETCH_AIM - s->elastic;
    const double wanted = run->substeps * pow((s->strain.largest - s->elastic) / (SURE * rest), 0.75);
    if (!(wanted <= MOST_SUBSTEPS)) return;
    s->substeps = ((uint32_t)wanted / ROUND + 1) * ROUND;
    if (pliant_model_settings(run->model).substep > 0 && !run->said_substeps) {
        s->substep = 1 / run->fps / s->substeps;
        s->substeps = 0;
    }
}

static void advise(cli_stretch *s, const cli_stretch_run *run)
{
    const pliant_law law = pliant_model_law(run->model, s->strain.law).law;
    net              n = {0};
    s->set_by_pbd = law.stiffness < 1;
    if (law.compliance > 0) s->elastic = (double)law.compliance * force_in(run, s->strain.constraint) / s->strain.rest;
    if (s->elastic > s->strain.largest) s->elastic = s->strain.largest;
    if (make_net(&n, run, s->strain.particles[0].body)) find_pulled(&n, s);
    const bool unsolved = !s->set_by_pbd && !is_soft(s) && !(s->apart > 0);
    if (unsolved) advise_substeps(s, run);
    const pliant_body_type type = pliant_model_body(run->model, s->strain.particles[0].body).type;
    if (unsolved && !is_partly_soft(s) && tethers_help(&n, type, pliant_model_settings(run->model).gravity)) s->tether = TETHER;
    drop_net(&n);
}

cli_stretch cli_stretch_of(const cli_stretch_run *run)
{
    cli_stretch s = {.strain = pliant_state_strain(run->state)};
    pliant_vec3 x[2] = {{0}};
    if (!s.strain.constraint.id) return s;
    for (int k = 0; k < 2; k++) pliant_state_positions(run->state, s.strain.particles[k].body, s.strain.particles[k].vertex, 1, &x[k]);
    s.at = (pliant_vec3){(x[0].x + x[1].x) / 2, (x[0].y + x[1].y) / 2, (x[0].z + x[1].z) / 2};
    if (s.strain.largest > CLI_STRETCH_MUCH && run->substeps) advise(&s, run);
    return s;
}

/* ---- telling ---- */

/* "60 substeps, or "tether": 1.02, would hold it"; nothing where there is nothing to say. */
static void put_advice(const cli_stretch *s, char *out, size_t size)
{
    char first[64] = "", second[64] = "";
    *out = 0;
    if (s->apart > 0)
        snprintf(out, size,
                 "vertices %u and %u are held %.3g m apart, and what is between them is %.3g m long: nothing helps but to hold them nearer",
                 s->held[0], s->held[1], s->apart, s->between);
    else if (s->set_by_pbd)
        snprintf(out, size, "its stiffness below 1 leaves that: a compliance does not depend on substeps");
    else if (is_soft(s))
        snprintf(out, size, "its material is that soft: of this its compliance makes %.3g %%", 100 * s->elastic);
    if (*out) return;
    if (s->substeps) snprintf(first, sizeof first, "%u substeps", s->substeps);
    if (s->substep > 0) snprintf(first, sizeof first, "\"substep\": %.2g", s->substep);
    if (s->tether > 0) snprintf(second, sizeof second, "%s\"tether\": %.3g", *first ? ", or " : "", s->tether);
    if (is_partly_soft(s) && *first)
        snprintf(out, size, "its compliance makes %.3g %% of this, and %s would hold the rest", 100 * s->elastic, first);
    else if (*first || *second)
        snprintf(out, size, "%s%s%s would hold it below %.0f %%", first, second, *first && *second ? "," : "", 100 * CLI_STRETCH_MUCH);
}

static const char *body_of(const cli_stretch *s, const pliant_model *model)
{
    const char *name = pliant_model_body(model, s->strain.particles[0].body).name;
    return name ? name : "";
}

void cli_stretch_print(const cli_stretch *s, const pliant_model *model)
{
    char advice[256];
    if (!s->strain.constraint.id) return;
    printf("largest stretch left %.3g %% in \"%s\" between vertices %u and %u at (%.3g, %.3g, %.3g)\n", 100 * s->strain.largest,
           body_of(s, model), s->strain.particles[0].vertex, s->strain.particles[1].vertex, (double)s->at.x, (double)s->at.y,
           (double)s->at.z);
    put_advice(s, advice, sizeof advice);
    if (s->strain.largest > CLI_STRETCH_MUCH && *advice) printf("  %s\n", advice);
}

void cli_stretch_print_json(const cli_stretch *s, const pliant_model *model)
{
    char advice[256];
    printf(", \"stretched\": ");
    if (!s->strain.constraint.id) {
        printf("null");
        return;
    }
    printf("{\"body\": ");
    cli_print_json_text(body_of(s, model));
    printf(", \"vertices\": [%u, %u], \"at\": [", s->strain.particles[0].vertex, s->strain.particles[1].vertex);
    cli_print_json_number((double)s->at.x, 9), printf(", ");
    cli_print_json_number((double)s->at.y, 9), printf(", ");
    cli_print_json_number((double)s->at.z, 9);
    printf("], \"elastic\": ");
    cli_print_json_number(s->elastic, 6);
    printf(", \"substeps\": %u, \"substep\": ", s->substeps);
    cli_print_json_number(s->substep, 6);
    printf(", \"tether\": ");
    cli_print_json_number(s->tether, 6);
    put_advice(s, advice, sizeof advice);
    printf(", \"advice\": ");
    cli_print_json_text(s->strain.largest > CLI_STRETCH_MUCH ? advice : "");
    printf("}");
}
