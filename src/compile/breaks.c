/* Ropes that snap: which rows are their segments, and which bend across two of these.
 *
 * Segments of a rope that is drawn out all pull alike, and while the first one that breaks unloads its neighbours, the others pull as hard as before: were they
 * all as strong, it would fall to pieces. As in a rope of fibres they are not: the weakest bears what the law says, and others up to a tenth more, by their
 * numbers. */
#include "compile/compile.h"
#include "scene/check.h"

#include "base/alloc.h"
#include "base/hash.h"

/* The rows of constraints by id, and their multipliers; PLIANT__NONE: there is none. */
typedef struct places {
    uint32_t *row, *lambda;
} places;

static bool find_places(const pliant__compiler *c, places *p)
{
    p->row = pliant__alloc_array(c->allocator, (size_t)c->header.id_count + 1, sizeof *p->row);
    p->lambda = pliant__alloc_array(c->allocator, (size_t)c->header.id_count + 1, sizeof *p->lambda);
    if (!p->row || !p->lambda) return false;
    for (size_t i = 0; i <= c->header.id_count; i++) p->row[i] = p->lambda[i] = PLIANT__NONE;
    for (size_t i = 0; i < c->batches.count; i++) {
        const pliant__batch *b = &c->batches.data[i];
        const uint32_t       rows = pliant_constraint_describe((pliant_constraint_kind)b->kind)->rows;
        for (uint32_t r = 0; r < b->count; r++) {
            const uint32_t id = c->row_id.data[b->first_row + r];
            p->row[id] = id ? b->first_row + r : PLIANT__NONE;
            p->lambda[id] = b->lambda + r / PLIANT__BLOCK * rows * PLIANT__BLOCK + r % PLIANT__BLOCK;
        }
    }
    return true;
}

static bool snaps(const pliant__draft_body *b) { return pliant__snaps(b->type, &b->material); }

#define UNEVEN 0.1 /* by how much more than the weakest segment of a rope the strongest may bear */

/* From 0 to 1, of a segment by its number. */
static double chance_of(uint32_t segment) { return (double)(pliant__hash_mix(segment + UINT64_C(1)) >> 40) / 16777216.0; }

static void give_strengths(pliant__model_segment *segments, uint32_t count)
{
    double least = 1;
    for (uint32_t i = 0; i < count; i++)
        if (segments[i].row != PLIANT__NONE && chance_of(i) < least) least = chance_of(i);
    for (uint32_t i = 0; i < count; i++) segments[i].strength = 1 + UNEVEN * (chance_of(i) - least);
}

/* Of a rope, its vertices' segments: for each that another particle follows, the rows that begin there. `at`: per draft particle of the rope. */
static bool lay_out_rope(pliant__compiler *c, const pliant__draft_body *b, const pliant__model_segment *at)
{
    const uint32_t        *particle = c->scene->vertex_particle.data + b->first_vertex;
    pliant__model_segment *to = array_extend(c->allocator, &c->segments, b->vertex_count);
    for (uint32_t v = 0; to && v < b->vertex_count; v++) {
        const bool last = v + 1 == b->vertex_count || particle[v + 1] == particle[v];
        to[v] = last ? (pliant__model_segment){PLIANT__NONE, PLIANT__NONE, 0, 0, 1} : at[particle[v] - b->first_particle];
    }
    if (to) give_strengths(to, b->vertex_count);
    return to;
}

/* Notes the row of a constraint of a rope with its first particle. */
static void note_row(const pliant__compiler *c, const pliant__draft_body *b, uint32_t constraint, const places *p,
                     pliant__model_segment *at)
{
    const pliant__draft_constraint *d = &c->scene->constraints.data[constraint];
    const uint32_t                  first = d->particles[0] < d->particles[1] ? d->particles[0] : d->particles[1];
    const uint32_t                  across = d->particles[0] + d->particles[1] - 2 * first, row = p->row[constraint + 1];
    if (!(pliant_constraint_describe((pliant_constraint_kind)d->kind)->flags & PLIANT_ROW_EDGE) || row == PLIANT__NONE) return;
    at += first - b->first_particle;
    if (across == 2) at->bend = row;
    if (across != 1) return;
    at->row = row;
    at->lambda = p->lambda[constraint + 1];
    at->law = c->law[d->law];
}

static bool lay_out_ropes(pliant__compiler *c, const places *p, pliant__model_segment *at)
{
    const pliant_scene *s = c->scene;
    for (size_t i = 0; i < s->particles.count; i++) at[i] = (pliant__model_segment){PLIANT__NONE, PLIANT__NONE, 0, 0, 1};
    for (uint32_t i = 0; i < s->constraints.count; i++) {
        const pliant__draft_constraint *d = &s->constraints.data[i];
        if (d->body == PLIANT__NONE || d->user || !snaps(&s->bodies.data[d->body]) || s->bodies.data[d->body].removed) continue;
        if (d->removed)
            return pliant__fail(
                c->error, PLIANT_ERROR_INPUT,
                "body \"%s\" is a rope that breaks, which needs its own segments: a list in their place, as of a replay, is not taken",
                s->bodies.data[d->body].name);
        note_row(c, &s->bodies.data[d->body], i, p, at + s->bodies.data[d->body].first_particle);
    }
    for (size_t m = 0; m < c->bodies.count; m++) {
        const pliant__draft_body *b = &s->bodies.data[c->bodies.data[m].id - 1];
        c->bodies.data[m].first_segment = snaps(b) ? (uint32_t)c->segments.count : PLIANT__NONE;
        if (snaps(b) && !lay_out_rope(c, b, at + b->first_particle)) return pliant__compile_memory(c);
    }
    return true;
}

bool pliant__lay_out_breaks(pliant__compiler *c)
{
    for (size_t i = 0; i < c->laws.count; i++) c->header.breaks |= c->laws.data[i].break_force > 0;
    if (!c->header.breaks) return true;
    places                 p = {NULL, NULL};
    pliant__model_segment *at = pliant__alloc_array(c->allocator, c->scene->particles.count + 1, sizeof *at);
    const bool             room = find_places(c, &p) && at, ok = room && lay_out_ropes(c, &p, at);
    pliant__free(c->allocator, p.row);
    pliant__free(c->allocator, p.lambda);
    pliant__free(c->allocator, at);
    return ok || (!room && pliant__compile_memory(c));
}
