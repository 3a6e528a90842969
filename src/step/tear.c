/* Tearing: after each substep particles are split where elements around them are stretched too far.
 *
 * An element tears at a particle where its largest stretch is beyond the body's and the particle's strength. Of its corners at which it does, the one comes first
 * around which the elements are stretched farthest in the mean, beside its strength; it is split across the direction in which the element is
 * longest. In one substep an element has at most one of its particles split: what lies beside a new gap feels it first. Elements are asked in parallel, and
 * particles are split one after another, in the order of elements.
 *
 * A step in which no element begins beyond four fifths of what it bears asks none of them again: it goes on as if nothing could tear. What is stretched
 * beyond that within it tears in the first substep of the next one. */
#include "step/tear.h"

#include "scene/draft.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/tear.h"

#include <string.h>

#define ROW_WORK 1u              /* of a row that is asked, in the count of tasks.h */
#define NEAR ((pliant_real)0.64) /* of the square of what an element bears: from there on it is asked in every substep */

/* ---- asking ---- */

/* Sixteen elements, coordinate by coordinate. */
typedef struct block {
    pliant_real x[4][3][PLIANT__BLOCK]; /* m: corner, coordinate, lane */
    pliant_real stretch2[PLIANT__BLOCK];
    pliant_real least[3][PLIANT__BLOCK]; /* of limit^2 1 - C of a tetrahedron: the minors */
} block;

static void load_block(const pliant_state *s, const pliant__batch *b, uint32_t number, uint32_t corners, block *out)
{
    const pliant_model  *m = s->model;
    const pliant__patch *p = &m->patches[b->patch];
    const uint16_t      *index = s->row_index + b->index + (size_t)number * PLIANT__BLOCK * b->index_slots;
    for (uint32_t corner = 0; corner < corners; corner++)
        for (uint32_t lane = 0; lane < PLIANT__BLOCK; lane++) {
            const uint32_t     slot = pliant__patch_slot(m, p, index[b->place[corner] * PLIANT__BLOCK + lane] / PLIANT__NUMBER);
            const pliant_real *at = PLIANT__SLOT(s->x, slot);
            for (int a = 0; a < 3; a++) out->x[corner][a][lane] = at[a];
        }
}

/* pliant__sheet_stretch2 of constraints/element.h, lane by lane. */
static void stretch_block(block *k, const pliant_real *b)
{
    for (uint32_t i = 0; i < PLIANT__BLOCK; i++) {
        pliant_real p = 0, q = 0, off = 0;
        for (int a = 0; a < 3; a++) {
            const pliant_real d1 = k->x[1][a][i] - k->x[0][a][i], d2 = k->x[2][a][i] - k->x[0][a][i];
            const pliant_real f1 = d1 * b[i] + d2 * b[2 * PLIANT__BLOCK + i],
                              f2 = d1 * b[PLIANT__BLOCK + i] + d2 * b[3 * PLIANT__BLOCK + i];
            p += f1 * f1;
            q += f2 * f2;
            off += f1 * f2;
        }
        const pliant_real half = (p - q) / 2;
        k->stretch2[i] = (p + q) / 2 + r_sqrt(half * half + off * off);
    }
}

/* The bits of triangles that are stretched beyond a share of the limits. */
static uint32_t ask_triangles(block *k, const pliant_real *b, const pliant_real *limit, pliant_real share)
{
    uint32_t bits = 0;
    stretch_block(k, b);
    for (uint32_t i = 0; i < PLIANT__BLOCK; i++) bits |= (uint32_t)(limit[i] > 0 && k->stretch2[i] > share * limit[i]) << i;
    return bits;
}

/* The same of tetrahedra: L - C has a leading minor that is not above 0. */
static uint32_t ask_tetrahedra(block *k, const pliant_real *b, const pliant_real *limit, pliant_real share)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < PLIANT__BLOCK; i++) {
        const pliant_real *at = b + i;
        const pliant_real  L = share * limit[i];
        pliant_real        m11 = L, m22 = L, m33 = L, m12 = 0, m13 = 0, m23 = 0;
        for (int a = 0; a < 3; a++) {
            const pliant_real d1 = k->x[1][a][i] - k->x[0][a][i], d2 = k->x[2][a][i] - k->x[0][a][i], d3 = k->x[3][a][i] - k->x[0][a][i];
            const pliant_real f1 = d1 * at[0], f2 = d1 * at[PLIANT__BLOCK] + d2 * at[3 * PLIANT__BLOCK],
                              f3 = d1 * at[2 * PLIANT__BLOCK] + d2 * at[4 * PLIANT__BLOCK] + d3 * at[5 * PLIANT__BLOCK];
            m11 -= f1 * f1;
            m22 -= f2 * f2;
            m33 -= f3 * f3;
            m12 -= f1 * f2;
            m13 -= f1 * f3;
            m23 -= f2 * f3;
        }
        const pliant_real two = m11 * m22 - m12 * m12;
        k->least[0][i] = m11;
        k->least[1][i] = two;
        k->least[2][i] = m33 * two - m11 * (m23 * m23) + 2 * (m12 * m13) * m23 - m22 * (m13 * m13);
    }
    for (uint32_t i = 0; i < PLIANT__BLOCK; i++)
        bits |= (uint32_t)(limit[i] > 0 && !(k->least[0][i] > 0 && k->least[1][i] > 0 && k->least[2][i] > 0)) << i;
    return bits;
}

/* Marks the elements of a batch that are stretched beyond `share` of what their weakest corner bears. */
static void ask_batch(pliant_solver *s, const pliant__batch *b, pliant_real share)
{
    const pliant_model *m = s->model;
    const uint32_t      corners = pliant__kind_slots(b->kind);
    block               k;
    if (!pliant__kind_has(b->kind, PLIANT_ROW_TEARS)) return;
    for (uint32_t number = 0; number < pliant__blocks(b); number++) {
        const uint32_t     row = b->first_row + number * PLIANT__BLOCK;
        const pliant_real *limit = m->torn_limits + row;
        const pliant_real *parameter = pliant__parameters_now(m, s->state->flow, b, number);
        load_block(s->state, b, number, corners, &k);
        s->torn[row / PLIANT__BLOCK] = (uint16_t)(corners == 3 ? ask_triangles : ask_tetrahedra)(&k, parameter, limit, share);
    }
}

static void ask_torn(void *solver, uint32_t index) { ask_batch(solver, &((pliant_solver *)solver)->model->batches[index], 1); }
static void ask_near(void *solver, uint32_t index) { ask_batch(solver, &((pliant_solver *)solver)->model->batches[index], NEAR); }

static void ask(pliant_solver *s, void (*task)(void *solver, uint32_t index))
{
    pliant__run_light_counted(s, task, (uint32_t)model_count(s->model, batches), ROW_WORK * (uint64_t)model_count(s->model, torn_elements));
}

void pliant__begin_tears(pliant_solver *s)
{
    s->tears = false;
    if (!pliant__may_tear(s->model)) return;
    ask(s, ask_near);
    for (uint32_t i = 0; i < s->model->header->packed_rows / PLIANT__BLOCK && !s->tears; i++) s->tears = s->torn[i] != 0;
}

/* ---- tearing ---- */

static bool is_torn(const pliant_state *s, const pliant__model_torn *e, pliant_real stretch2, uint32_t slot)
{
    const pliant_real most = pliant__tears_at(s, &s->model->bodies[e->body], slot);
    return stretch2 > most * most;
}

static void forget_stretches(pliant_solver *s)
{
    for (size_t i = 0; i < model_count(s->model, torn_elements); i++) s->torn_stretch2[i] = -1;
    for (uint32_t i = 0; i < s->model->header->slot_count; i++) s->torn_mean[i] = -1;
}

/* Of element number `element`, asked once in a substep: splits move no particle. */
static pliant_real stretch2_of(pliant_solver *s, uint32_t element)
{
    pliant_real *kept = &s->torn_stretch2[element];
    if (*kept < 0) *kept = pliant__stretch2(s->state, &s->model->torn_elements[element], NULL);
    return *kept;
}

/* The mean of the squares of how far elements around a particle are stretched. Elements around it change by splits, near which no other is made in this substep. */
static pliant_real mean_at(pliant_solver *s, uint32_t slot)
{
    pliant__fan a;
    pliant_real sum = 0;
    if (s->torn_mean[slot] >= 0) return s->torn_mean[slot];
    if (!pliant__elements_around(s->state, slot, &a) || !a.count) return s->torn_mean[slot] = 0;
    for (uint32_t i = 0; i < a.count; i++) sum += stretch2_of(s, a.element[i]);
    return s->torn_mean[slot] = sum / (pliant_real)a.count;
}

/* That mean, beside what the particle bears. */
static pliant_real strain_at(pliant_solver *s, const pliant__model_torn *e, uint32_t slot)
{
    const pliant_real most = pliant__tears_at(s->state, &s->model->bodies[e->body], slot);
    return mean_at(s, slot) / (most * most);
}

static void mark_near(pliant_solver *s, uint32_t slot)
{
    pliant__fan a;
    if (!pliant__elements_around(s->state, slot, &a)) return;
    for (uint32_t i = 0; i < a.count; i++) {
        uint32_t       at[4];
        const uint32_t count = pliant__element_slots(s->state, &s->model->torn_elements[a.element[i]], at);
        for (uint32_t k = 0; k < count; k++) s->torn_near[at[k]] = 1;
    }
}

/* Splits the first of an element's particles that can be; true if one is. */
static bool tear(pliant_solver *s, const pliant__model_torn *e)
{
    pliant_vec3       direction;
    pliant_real       strain[4];
    uint32_t          slot[4];
    const pliant_real stretch2 = pliant__stretch2(s->state, e, &direction);
    const uint32_t    count = pliant__element_slots(s->state, e, slot);
    for (uint32_t k = 0; k < count; k++)
        if (s->torn_near[slot[k]]) return false;
    for (uint32_t k = 0; k < count; k++) strain[k] = is_torn(s->state, e, stretch2, slot[k]) ? strain_at(s, e, slot[k]) : 0;
    for (uint32_t turn = 0; turn < count; turn++) {
        uint32_t best = 0;
        for (uint32_t k = 1; k < count; k++)
            if (strain[k] > strain[best] || (!(strain[k] < strain[best]) && slot[k] < slot[best])) best = k;
        if (!(strain[best] > 0)) return false;
        pliant__fan before;
        if (pliant__elements_around(s->state, slot[best], &before) &&
            pliant__split(s->state, slot[best], pliant__slot_x(s->state->x, slot[best]), direction)) {
            for (uint32_t i = 0; i < before.count; i++) {
                uint32_t       at[4];
                const uint32_t corners = pliant__element_slots(s->state, &s->model->torn_elements[before.element[i]], at);
                for (uint32_t k = 0; k < corners; k++) mark_near(s, at[k]);
            }
            return true;
        }
        strain[best] = 0;
    }
    return false;
}

/* The element of a packed row; there is one. */
static const pliant__model_torn *element_at(const pliant_model *m, uint32_t row)
{
    size_t low = 0, high = model_count(m, torn_elements);
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (m->torn_elements[middle].row <= row)
            low = middle;
        else
            high = middle;
    }
    return &m->torn_elements[low];
}

void pliant__stage_tear(pliant_solver *s)
{
    const pliant_model *m = s->model;
    bool                any = false, asked = false;
    ask(s, ask_torn);
    for (uint32_t i = 0; i < m->header->packed_rows / PLIANT__BLOCK; i++)
        for (uint32_t bits = s->torn[i], row = i * PLIANT__BLOCK; bits; bits >>= 1, row++) {
            if (!(bits & 1)) continue;
            if (!asked) forget_stretches(s);
            asked = true;
            const pliant__model_torn *e = element_at(m, row);
            if (!s->off.bodies[e->body]) any |= tear(s, e);
        }
    if (any) memset(s->torn_near, 0, m->header->slot_count);
}
