/* Making a net of constraints: islands, members, and the pattern of each island's matrix.
 *
 * The unknowns of an island are its vertices' coordinates, then its strands. Of the lower triangle, the column of a vertex's coordinate has
 * first what is left of the diagonal block, then three rows for each adjacent vertex that comes after it (only where the forces' turning has
 * room), then the strands of its members, ascending. The column of a strand has its diagonal alone. */
#include "methods/net.h"

#include "base/alloc.h"
#include "solver/solver.h"

#include <math.h>
#include <string.h>

/* What is needed while the net is made. */
typedef struct maker {
    const pliant_model        *m;
    const pliant__linear_rows *at;
    pliant__net               *g;
    uint32_t                  *above;  /* per slot: union and find; then the slot's vertex */
    uint32_t                  *island; /* per slot that is its island's least: the island */
    uint32_t                  *first;  /* per vertex and one more: its ends among `end` */
    uint32_t                  *end;    /* members by vertex, ascending */
    uint32_t                  *near;   /* vertices after each vertex: those adjacent, ascending */
    uint32_t                  *near_first;
    uint32_t                  *row;      /* the pattern of one island */
    pliant__member            *unsorted; /* members by row */
} maker;

static void free_maker(maker *k, const pliant_allocator *a)
{
    void *all[] = {k->above, k->island, k->first, k->end, k->near, k->near_first, k->row, k->unsorted};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(a, all[i]);
}

static bool is_free(const pliant_model *m, uint32_t slot) { return m->free_w[slot] > 0; }

/* ---- members ---- */

static double distance_of(const pliant_model *m, uint32_t a, uint32_t b)
{
    double square = 0;
    for (size_t c = 0; c < 3; c++) {
        const double d = (double)PLIANT__SLOT(m->x, a)[c] - (double)PLIANT__SLOT(m->x, b)[c];
        square += d * d;
    }
    return sqrt(square);
}

/* A row of a batch. */
static pliant__member member_of(const pliant_model *m, const pliant__linear_rows *at, uint32_t batch, uint32_t row)
{
    const pliant__batch          *b = &m->batches[batch];
    const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)b->kind);
    pliant__member                e = {.kind = b->kind, .slots = info->slots, .rows = info->rows, .row = b->first_row + row};
    e.law = pliant__row_law(m, b, row);
    e.edge = (info->flags & PLIANT_ROW_EDGE) != 0;
    pliant__row_slots(m, b, row, info->slots, e.slot);
    const size_t block = row / PLIANT__BLOCK, lane = row % PLIANT__BLOCK;
    e.value = b->lambda + block * info->rows * PLIANT__BLOCK + lane;
    e.gradient = pliant__gradient_at(at, batch, info, row);
    e.parameter = b->parameter + block * b->parameter_step + lane;
    for (uint32_t i = 0; i < info->slots; i++) {
        for (uint32_t j = 0; j < i; j++) {
            const double d = distance_of(m, e.slot[i], e.slot[j]);
            if (d > 0 && (e.size == 0 || d < e.size)) e.size = d;
        }
    }
    if (info->flags & PLIANT_ROW_MEASURED) e.rest = fabs((double)m->row_parameter[e.parameter]);
    if (e.edge && e.rest > 0) e.size = e.rest;
    if (!(e.size > 0)) e.size = 1;
    e.unit = e.rest > 0 ? e.rest : 1;
    return e;
}

static uint32_t find(uint32_t *above, uint32_t slot)
{
    while (above[slot] != slot) slot = above[slot] = above[above[slot]];
    return slot;
}

/* Slots that share a member get the same least slot above them. */
static void join(maker *k, const pliant__member *e)
{
    uint32_t one = PLIANT__NONE;
    for (uint32_t i = 0; i < e->slots; i++) {
        if (!is_free(k->m, e->slot[i])) continue;
        uint32_t p = find(k->above, e->slot[i]);
        if (one != PLIANT__NONE && p != one) k->above[p > one ? p : one] = p > one ? one : p;
        one = one == PLIANT__NONE || p < one ? p : one;
    }
}

static bool list_members(maker *k, const pliant_allocator *a)
{
    const pliant_model *m = k->m;
    k->above = pliant__alloc_array(a, m->header->slot_count, sizeof *k->above);
    k->island = pliant__alloc_array(a, m->header->slot_count, sizeof *k->island);
    k->unsorted = pliant__alloc_array(a, m->header->packed_rows, sizeof *k->unsorted);
    if (!k->above || !k->island || !k->unsorted) return false;
    for (uint32_t i = 0; i < m->header->slot_count; i++) k->above[i] = i;
    for (uint32_t i = 0; i < model_count(m, batches); i++) {
        const pliant__batch *b = &m->batches[i];
        for (uint32_t row = 0; row < b->count; row++) {
            if (!pliant__has_row(m, b, row)) continue;
            const pliant__member e = member_of(m, k->at, i, row);
            bool                 moves = false;
            for (uint32_t s = 0; s < e.slots; s++) moves = moves || is_free(m, e.slot[s]);
            if (!moves) continue;
            k->unsorted[k->g->member_count++] = e;
            join(k, &e);
        }
    }
    return true;
}

/* ---- islands ---- */

static uint32_t island_of(maker *k, const pliant__member *e)
{
    for (uint32_t i = 0; i < e->slots; i++)
        if (is_free(k->m, e->slot[i])) return k->island[find(k->above, e->slot[i])];
    return 0;
}

static bool count_islands(maker *k, const pliant_allocator *a)
{
    pliant__net *g = k->g;
    memset(k->island, 0xff, k->m->header->slot_count * sizeof *k->island);
    for (uint32_t i = 0; i < g->member_count; i++)
        for (uint32_t s = 0; s < k->unsorted[i].slots; s++)
            if (is_free(k->m, k->unsorted[i].slot[s])) k->island[find(k->above, k->unsorted[i].slot[s])] = 0;
    for (uint32_t slot = 0; slot < k->m->header->slot_count; slot++)
        if (k->island[slot] == 0) k->island[slot] = g->island_count++;
    g->islands = pliant__alloc_array(a, g->island_count, sizeof *g->islands);
    if (!g->islands) return false;
    for (uint32_t slot = 0; slot < k->m->header->slot_count; slot++) {
        const uint32_t top = find(k->above, slot);
        if (is_free(k->m, slot) && k->island[top] != PLIANT__NONE) g->islands[k->island[top]].vertex_count++, g->vertex_count++;
    }
    for (uint32_t i = 0; i < g->member_count; i++) {
        pliant__island *island = &g->islands[island_of(k, &k->unsorted[i])];
        island->member_count++;
        island->strand_count += k->unsorted[i].rows;
        g->strand_count += k->unsorted[i].rows;
    }
    return true;
}

/* Vertices and members, island by island. */
static bool sort(maker *k, const pliant_allocator *a)
{
    pliant__net *g = k->g;
    g->vertices = pliant__alloc_array(a, g->vertex_count, sizeof *g->vertices);
    g->members = pliant__alloc_array(a, g->member_count, sizeof *g->members);
    g->strands = pliant__alloc_array(a, g->strand_count, sizeof *g->strands);
    if (!g->vertices || !g->members || !g->strands) return false;
    uint32_t vertices = 0, members = 0, strands = 0;
    for (uint32_t i = 0; i < g->island_count; i++) {
        pliant__island *island = &g->islands[i];
        island->first_vertex = vertices, island->first_member = members, island->first_strand = strands;
        vertices += island->vertex_count, members += island->member_count, strands += island->strand_count;
        island->vertex_count = island->member_count = island->strand_count = 0;
    }
    for (uint32_t i = 0; i < g->member_count; i++) {
        pliant__island *island = &g->islands[island_of(k, &k->unsorted[i])];
        pliant__member *e = &g->members[island->first_member + island->member_count++];
        *e = k->unsorted[i];
        e->first_strand = island->first_strand + island->strand_count;
        island->strand_count += e->rows;
        if (island->size == 0 || e->size < island->size) island->size = e->size;
    }
    for (uint32_t slot = 0; slot < k->m->header->slot_count; slot++) {
        const uint32_t at = k->island[find(k->above, slot)];
        if (!is_free(k->m, slot) || at == PLIANT__NONE) continue;
        g->vertices[g->islands[at].first_vertex + g->islands[at].vertex_count++].slot = slot;
    }
    for (uint32_t i = 0; i < k->m->header->slot_count; i++) k->above[i] = PLIANT__NONE;
    for (uint32_t i = 0; i < g->vertex_count; i++) k->above[g->vertices[i].slot] = i;
    for (uint32_t i = 0; i < g->member_count; i++) {
        pliant__member *e = &g->members[i];
        for (uint32_t s = 0; s < e->slots; s++) e->vertex[s] = k->above[e->slot[s]];
        e->coefficient = g->coefficient_count;
        e->pair = g->pair_count;
        g->coefficient_count += (size_t)e->rows * e->slots * 3;
        g->pair_count += (size_t)e->slots * e->slots + e->slots;
    }
    return true;
}

/* ---- the pattern ---- */

static void insert(uint32_t *list, uint32_t *count, uint32_t value)
{
    uint32_t at = *count;
    for (uint32_t i = 0; i < *count; i++)
        if (list[i] == value) return;
    for (; at > 0 && list[at - 1] > value; at--) list[at] = list[at - 1];
    list[at] = value;
    (*count)++;
}

/* Members by vertex, and for each vertex those adjacent that come after it. */
static bool list_ends(maker *k, const pliant_allocator *a)
{
    pliant__net *g = k->g;
    size_t       most = 0;
    k->first = pliant__alloc_array(a, (size_t)g->vertex_count + 2, sizeof *k->first);
    k->near_first = pliant__alloc_array(a, (size_t)g->vertex_count + 1, sizeof *k->near_first);
    if (!k->first || !k->near_first) return false;
    for (uint32_t i = 0; i < g->member_count; i++)
        for (uint32_t s = 0; s < g->members[i].slots; s++)
            if (g->members[i].vertex[s] != PLIANT__NONE) k->first[g->members[i].vertex[s] + 2]++;
    for (uint32_t i = 0; i <= g->vertex_count; i++) k->first[i + 1] += k->first[i];
    k->end = pliant__alloc_array(a, k->first[g->vertex_count + 1], sizeof *k->end);
    if (!k->end) return false;
    for (uint32_t i = 0; i < g->member_count; i++)
        for (uint32_t s = 0; s < g->members[i].slots; s++)
            if (g->members[i].vertex[s] != PLIANT__NONE) k->end[k->first[g->members[i].vertex[s] + 1]++] = i;
    for (uint32_t i = 0; i < g->member_count && g->curved; i++) most += (size_t)g->members[i].slots * (g->members[i].slots - 1);
    k->near = pliant__alloc_array(a, most, sizeof *k->near);
    if (!k->near) return false;
    for (uint32_t v = 0; v < g->vertex_count; v++) {
        uint32_t *list = k->near + k->near_first[v];
        for (uint32_t j = k->first[v]; j < k->first[v + 1] && g->curved; j++)
            for (uint32_t s = 0; s < g->members[k->end[j]].slots; s++) {
                const uint32_t other = g->members[k->end[j]].vertex[s];
                if (other != PLIANT__NONE && other > v) insert(list, &g->vertices[v].adjacent, other);
            }
        k->near_first[v + 1] = k->near_first[v] + g->vertices[v].adjacent;
    }
    return true;
}

/* Strands at a vertex: a member's once, though it may have the vertex twice. */
static uint32_t strands_at(const maker *k, uint32_t vertex)
{
    uint32_t count = 0;
    for (uint32_t j = k->first[vertex]; j < k->first[vertex + 1]; j++)
        if (j == k->first[vertex] || k->end[j] != k->end[j - 1]) count += k->g->members[k->end[j]].rows;
    return count;
}

static bool count_entries(maker *k, const pliant_allocator *a)
{
    pliant__net *g = k->g;
    size_t       most = 0;
    for (uint32_t i = 0; i < g->island_count; i++) {
        pliant__island *island = &g->islands[i];
        size_t          entries = island->strand_count;
        for (uint32_t v = island->first_vertex; v < island->first_vertex + island->vertex_count; v++)
            entries += 6 + 3 * (3 * (size_t)g->vertices[v].adjacent + strands_at(k, v));
        if (entries > UINT32_MAX / 2) return false;
        island->first_column = g->column_count;
        island->first_entry = g->entry_count;
        island->entry_count = (uint32_t)entries;
        g->column_count += 3 * (size_t)island->vertex_count + island->strand_count + 1;
        g->entry_count += entries;
        most = entries > most ? entries : most;
    }
    g->column = pliant__alloc_array(a, g->column_count, sizeof *g->column);
    g->entry = pliant__alloc_array(a, g->entry_count, sizeof *g->entry);
    g->pair_at = pliant__alloc_array(a, g->pair_count, sizeof *g->pair_at);
    k->row = pliant__alloc_array(a, most, sizeof *k->row);
    return g->column && g->entry && g->pair_at && k->row;
}

/* One column; returns where the next one begins. */
static uint32_t fill_column(maker *k, const pliant__island *island, uint32_t vertex, uint32_t c, uint32_t at)
{
    const pliant__net *g = k->g;
    const uint32_t     rows = 3 * island->vertex_count;
    for (uint32_t d = c; d < 3; d++) k->row[at++] = 3 * (vertex - island->first_vertex) + d;
    for (uint32_t j = k->near_first[vertex]; j < k->near_first[vertex + 1]; j++)
        for (uint32_t d = 0; d < 3; d++) k->row[at++] = 3 * (k->near[j] - island->first_vertex) + d;
    for (uint32_t j = k->first[vertex]; j < k->first[vertex + 1]; j++) {
        const pliant__member *e = &g->members[k->end[j]];
        if (j > k->first[vertex] && k->end[j] == k->end[j - 1]) continue;
        for (uint32_t r = 0; r < e->rows; r++) k->row[at++] = rows + e->first_strand - island->first_strand + r;
    }
    return at;
}

static bool analyse(maker *k, pliant__island *island)
{
    pliant__net *g = k->g;
    uint32_t    *column = g->column + island->first_column, at = 0, count = 0;
    for (uint32_t v = island->first_vertex; v < island->first_vertex + island->vertex_count; v++)
        for (uint32_t c = 0; c < 3; c++) {
            column[count++] = at;
            at = fill_column(k, island, v, c, at);
        }
    for (uint32_t i = 0; i < island->strand_count; i++) {
        column[count] = at;
        k->row[at++] = count++;
    }
    column[count] = at;
    island->system = g->linear->analyse(count, column, k->row, g->linear->context);
    return island->system != NULL;
}

/* Where each member's pairs and rows are: a pair as the number of the later vertex among those adjacent to the earlier one, a row as its
 * number among those of the vertex. */
static void place_members(maker *k)
{
    pliant__net *g = k->g;
    for (uint32_t v = 0; v < g->vertex_count; v++)
        for (uint32_t j = k->first[v], rows = 0; j < k->first[v + 1]; j++) {
            const pliant__member *e = &g->members[k->end[j]];
            if (j > k->first[v] && k->end[j] == k->end[j - 1]) continue;
            for (uint32_t s = 0; s < e->slots; s++) {
                if (e->vertex[s] != v) continue;
                g->pair_at[e->pair + (size_t)e->slots * e->slots + s] = rows;
                for (uint32_t t = 0; t < e->slots && g->curved; t++)
                    for (uint32_t i = k->near_first[v]; e->vertex[t] != PLIANT__NONE && i < k->near_first[v + 1]; i++)
                        if (k->near[i] == e->vertex[t]) g->pair_at[e->pair + (size_t)s * e->slots + t] = i - k->near_first[v];
            }
            rows += e->rows;
        }
}

/* ---- all of it ---- */

static bool allocate(pliant__net *g, const pliant_allocator *a)
{
    const size_t unknowns = 3 * (size_t)g->vertex_count + g->strand_count;
    g->jacobian = pliant__alloc_array(a, g->coefficient_count, sizeof *g->jacobian);
    g->fixed = pliant__alloc_array(a, g->coefficient_count, sizeof *g->fixed);
    g->vector = pliant__alloc_array(a, unknowns, sizeof *g->vector);
    g->second = pliant__alloc_array(a, unknowns, sizeof *g->second);
    g->basis = pliant__alloc_array(a, g->curved ? 0 : g->strand_count, (PLIANT__GMRES_MOST + 1) * sizeof *g->basis);
    return g->jacobian && g->fixed && g->vector && g->second && g->basis;
}

bool pliant__net_make(pliant_solver *s, pliant__net *net, const pliant__linear_rows *at, bool curved, pliant_error *error)
{
    const pliant_allocator *a = &s->allocator;
    maker                   k = {.m = s->model, .at = at, .g = net};
    net->linear = &s->linear;
    net->curved = curved;
    bool good = list_members(&k, a) && count_islands(&k, a) && sort(&k, a) && list_ends(&k, a) && count_entries(&k, a) && allocate(net, a);
    if (good) place_members(&k);
    for (uint32_t i = 0; i < net->island_count && good; i++) good = analyse(&k, &net->islands[i]);
    free_maker(&k, a);
    return good || pliant__fail_memory(error, s->model->header->packed_rows * sizeof *net->members, "a net of constraints");
}

void pliant__net_free(pliant_solver *s, pliant__net *net)
{
    void *all[] = {net->vertices, net->members, net->strands, net->islands, net->jacobian, net->fixed,
                   net->pair_at,  net->column,  net->entry,   net->vector,  net->second,   net->basis};
    for (uint32_t i = 0; i < net->island_count && net->islands; i++)
        if (net->islands[i].system) net->linear->release(net->islands[i].system);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pliant__free(&s->allocator, all[i]);
}
