/* Making and freeing a solver, and reading what the last step was like. */
#include "backends/backend.h"
#include "base/alloc.h"
#include "base/error.h"
#include "contact/contact_log.h"
#include "solver/interactions.h"
#include "solver/method.h"
#include "solver/off.h"
#include "solver/patch_schedule.h"
#include "solver/pieces.h"
#include "solver/solver.h"
#include "solver/tasks.h"
#include "state/inputs.h"
#include "state/state.h"
#include "step/energy.h"
#include "step/fields.h"
#include "step/lane_views.h"
#include "step/step.h"

#include <stdlib.h>
#include <string.h>

pliant_solver_def pliant_solver_def_default(void)
{
    pliant_solver_def d;
    memset(&d, 0, sizeof d);
    d.size = sizeof d;
    d.threads = 1;
    return d;
}

/* Into the fourth place of each slot of `sum`. */
static void count_rows(pliant_solver *s)
{
    const pliant_model *m = s->model;
    for (size_t i = 0; i < model_count(m, batches); i++) {
        const pliant__batch *b = &m->batches[i];
        const uint32_t       slots = pliant_constraint_describe((pliant_constraint_kind)b->kind)->slots;
        for (uint32_t row = 0; row < b->count; row++) {
            if (!pliant__has_row(m, b, row)) continue;
            uint32_t slot[PLIANT_MAX_SLOTS] = {0};
            pliant__row_slots(m, b, row, slots, slot);
            for (uint32_t k = 0; k < slots; k++) PLIANT__SLOT(s->sum, slot[k])[3] += 1;
        }
    }
}

static bool allocate(pliant_solver *s)
{
    const pliant_model     *m = s->model;
    const pliant_allocator *a = &s->allocator;
    const size_t            slots = m->header->slot_count, colliders = model_count(m, colliders);
    const bool              measured = s->def.measure || s->def.trace;
    pliant_solver          *own = s;
    const bool              made = pliant__make_part_views(s) SOLVER_SCRATCH(SCRATCH_MAKE);
    if (!made || !pliant__make_scratch(s) || !pliant__make_lane_states(s) || !pliant__make_interactions(s) || !pliant__make_lane_views(s) ||
        !pliant__make_off(s) || !pliant__make_energies(s))
        return false;
    if (s->sum) count_rows(s);
    return true;
}

/* What a solver takes, about. */
static uint64_t scratch_bytes(const pliant_solver *s)
{
    const uint64_t many = s->def.many ? pliant__lane_states_bytes(s->model) : 0, piece = s->scratch.bytes;
    return (uint64_t)s->model->header->slot_count * 32 + s->scratch.count * (many > piece ? many : piece);
}

/* Functions for users' constraints must be there before the first step. */
static bool check_users(const pliant_model *model, const pliant_solver_def *def, pliant_error *error)
{
    for (size_t i = 0; i < model_count(model, users); i++) {
        uint32_t f = model->users[i].function;
        if (f >= sizeof def->user / sizeof *def->user || !def->user[f])
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a user's constraint wants function %u: set user[%u] of the solver's def", f,
                                f);
    }
    return true;
}

/* With PLIANT_HAND_OUT=all in the environment whatever can be handed out is, so that small scenes try what threads do to each other. One thread has nothing to count.
 * A host may give its tasks to any thread. */
static uint64_t least_work(const pliant_solver *s)
{
    const char *text = getenv("PLIANT_HAND_OUT");
    const bool  all = text && strcmp(text, "all") == 0, own = !s->def.tasks.enqueue;
    if (all || (s->backend.threads <= 1 && own)) return 0;
    return own && s->model->header->slot_count >= PLIANT__SPREAD ? PLIANT__LEAST_SPREAD : PLIANT__LEAST_WORK;
}

/* A solver around a back-end, which it takes over; NULL with an error, the back-end destroyed. */
static pliant_solver *make(const pliant_model *model, const pliant_solver_def *def, pliant_allocator allocator, pliant__backend backend,
                           pliant_error *error)
{
    pliant_solver    *s = NULL;
    pliant_method_def method = def->method ? *def->method : pliant_model_settings(model).method;
    if (pliant__is_log_of(def->contacts, model, error) && check_users(model, def, error) && pliant_method_takes(model, &method, error) &&
        (def->linear || !pliant_method_wants_linear(model, &method, error))) {
        s = pliant__alloc(&allocator, sizeof *s);
        if (!s) pliant__fail_memory(error, sizeof *s, "a solver");
    }
    if (!s) {
        backend.destroy(backend.executor, &allocator);
        return NULL;
    }
    s->allocator = allocator;
    s->model = model;
    s->def = *def;
    s->def.method = NULL; /* the caller's */
    s->def.linear = NULL;
    if (def->linear) s->linear = *def->linear;
    s->method = method;
    s->method_row = pliant__method_of(method.method);
    s->backend = backend;
    s->least_work = least_work(s);
    s->interactions = pliant__interactions;
    if (!allocate(s)) {
        pliant__fail_memory(error, scratch_bytes(s), "a solver's scratch");
        pliant_solver_destroy(s);
        return NULL;
    }
    if (s->method_row->create && !s->method_row->create(s, error)) {
        pliant_solver_destroy(s);
        return NULL;
    }
    if (!pliant__make_room_ahead(s)) {
        pliant__fail_memory(error, scratch_bytes(s), "a solver's scratch");
        pliant_solver_destroy(s);
        return NULL;
    }
    for (uint32_t i = 0; i < model_count(model, colliders); i++) s->colliders[i].shape = pliant__shape_of(model, i);
    return s;
}

pliant_solver *pliant_solver_create(const pliant_model *model, const pliant_solver_def *def, pliant_error *error)
{
    const pliant_solver_def standard = pliant_solver_def_default();
    pliant__backend         backend;
    if (!def) def = &standard;
    const char *wrong = !model                                    ? "no model to make a solver of"
                        : def->size != sizeof *def                ? "fill pliant_solver_def with pliant_solver_def_default first"
                        : def->threads > 64                       ? "threads must be 0 to 64"
                        : def->tasks.enqueue && !def->tasks.wait  ? "tasks has enqueue but no wait"
                        : def->profile.begin && !def->profile.end ? "profile has begin but no end"
                                                                  : NULL;
    if (wrong) {
        pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s", wrong);
        return NULL;
    }
    const pliant_allocator allocator = def->allocator.alloc ? def->allocator : model->allocator;
    return pliant__cpu_backend(def, &allocator, &backend, error) ? make(model, def, allocator, backend, error) : NULL;
}

void pliant_solver_destroy(pliant_solver *solver)
{
    if (!solver) return;
    pliant_solver          *s = solver, *own = s;
    const pliant_allocator  allocator = s->allocator;
    const pliant_allocator *a = &allocator;
    if (s->method_row->destroy) s->method_row->destroy(s);
    if (s->backend.destroy) s->backend.destroy(s->backend.executor, a);
    pliant__free_off(s);
    pliant__free_lane_views(s);
    pliant__free_lane_states(s);
    pliant__free_interactions(s);
    pliant__free_energies(s);
    pliant__schedule_destroy(a, &s->schedule);
    pliant__free_part_views(s);
    pliant__free(a, s->watches);
    pliant__free(a, s->scratch.memory);
    pliant__free(a, s->late_start);
    pliant__free(a, s->start);
    pliant__free(a, s->lambda);
    SOLVER_SCRATCH(SCRATCH_FREE)
    pliant__free(a, s);
}

uint32_t pliant_solver_width(const pliant_solver *solver) { return solver ? solver->backend.kernels->width : 0; }

uint32_t pliant_solver_threads(const pliant_solver *solver) { return solver ? solver->backend.threads : 0; }

pliant_statistics pliant_solver_statistics(const pliant_solver *solver)
{
    pliant_statistics none;
    memset(&none, 0, sizeof none);
    return solver ? solver->statistics : none;
}

pliant_kind_statistics pliant_solver_kind_statistics(const pliant_solver *solver, pliant_constraint_kind kind)
{
    const pliant_kind_statistics none = {0, 0, 0};
    return solver && (unsigned)kind <= PLIANT_CONSTRAINT_COUNT ? solver->kinds[kind] : none;
}

pliant_divergence pliant_solver_divergence(const pliant_solver *solver)
{
    pliant_divergence none;
    memset(&none, 0, sizeof none);
    return solver ? solver->divergence : none;
}

uint32_t pliant_solver_force(const pliant_solver *solver, pliant_constraint constraint, pliant_real out[PLIANT_MAX_ROWS])
{
    if (!solver || !out) return 0;
    const pliant_model *m = solver->model;
    if (!solver->def.measure || !solver->statistics.substeps) return 0; /* multipliers are written by the first substep */
    const uint32_t packed = pliant__row_of(m, constraint);
    if (packed == PLIANT__NONE) return 0;
    const bool        on = pliant__is_active(solver->off.on_rows, packed); /* else its multiplier is of long ago, or was never written */
    const pliant_real per = (pliant_real)(1 / (solver->h * solver->h));
    if (packed >= m->header->packed_rows) {
        const pliant__model_user *u = &m->users[packed - m->header->packed_rows];
        for (uint32_t r = 0; r < u->row_count; r++) out[r] = on ? solver->lambda[u->lambda + r] * per : 0;
        return u->row_count;
    }
    const pliant__batch *b = pliant__batch_of(m, packed);
    uint32_t             rows = pliant_constraint_describe((pliant_constraint_kind)b->kind)->rows, row = packed - b->first_row;
    for (uint32_t r = 0; r < rows; r++)
        out[r] = on ? solver->lambda[b->lambda + (row / PLIANT__BLOCK * rows + r) * PLIANT__BLOCK + row % PLIANT__BLOCK] * per : 0;
    return rows;
}
