/* Spans of a run, thread by thread, and the file that they go to. */
#include "profile.h"
#include "out.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define MOST_THREADS 64u
#define MOST_ROOM (1u << 20)  /* events of a thread in a frame; more are dropped */
#define LEAST_ROOM (1u << 17) /* unused room costs nothing */
#define MOST_DEPTH 8
#define NOWHERE UINT64_MAX

/* An event of the command's own has a file or none, for a step its frame, and no kind. */
typedef struct event {
    pliant_span span;
    const char *of;
    bool        own;
} event;

/* Events of a thread in a frame, by the time at which they began. */
typedef struct row {
    event   *events;
    uint32_t count, room;
    uint64_t dropped;
    char     apart[64]; /* keeps the rows of two threads in different cache lines */
} row;

struct cli_profile {
    cli_out          out;
    row              rows[MOST_THREADS];
    uint32_t         threads; /* rows that there are */
    _Atomic uint32_t taken;   /* by a solver's threads */
    _Atomic uint64_t strange; /* spans of threads without a row */
    uint64_t         open[MOST_DEPTH];
    uint32_t         depth, frame, last, frames; /* frame that is running, and was written last; how many were */
    double           zero;
    uint64_t         written, dropped;

    const char         *name;
    const pliant_model *model;
    uint32_t            substeps, iterations, lanes;
    pliant_method       method;
};

/* The row of this thread and one; 0: none yet. */
static _Thread_local uint32_t own_row;

/* ---- coming together ---- */

static bool grow(row *r, uint32_t room)
{
    event *more = room > r->room ? realloc(r->events, room * sizeof *more) : r->events;
    if (!more) return false;
    r->events = more;
    r->room = room > r->room ? room : r->room;
    return true;
}

cli_profile *cli_profile_start(void)
{
    cli_profile *p = calloc(1, sizeof *p);
    if (!p || !grow(&p->rows[0], LEAST_ROOM)) {
        free(p);
        return NULL;
    }
    atomic_init(&p->taken, 1);
    atomic_init(&p->strange, 0);
    own_row = 1;
    p->threads = 1;
    p->zero = cli_seconds();
    return p;
}

static row *row_of_thread(cli_profile *p)
{
    if (!own_row) own_row = atomic_fetch_add_explicit(&p->taken, 1, memory_order_relaxed) + 1;
    return own_row <= p->threads ? &p->rows[own_row - 1] : NULL;
}

/* The place is taken when a span begins, so that what lies in another comes after it. */
static void on_begin(pliant_span *span, void *context)
{
    cli_profile *p = context;
    row         *r = row_of_thread(p);
    span->host = r && r->count < r->room ? r->count++ : NOWHERE;
    if (span->host != NOWHERE) return;
    if (r)
        r->dropped++;
    else
        atomic_fetch_add_explicit(&p->strange, 1, memory_order_relaxed);
}

static void on_end(const pliant_span *span, void *context)
{
    cli_profile *p = context;
    if (span->host != NOWHERE) p->rows[own_row - 1].events[span->host] = (event){.span = *span};
}

pliant_profile cli_profile_hook(cli_profile *p)
{
    if (!p) return (pliant_profile){0};
    atomic_store(&p->taken, 1);
    return (pliant_profile){on_begin, on_end, p};
}

void cli_profile_enter(cli_profile *p, const char *name, const char *of)
{
    if (!p || p->depth == MOST_DEPTH) return;
    pliant_span span = {.name = name, .begin = cli_seconds(), .step = p->frame};
    row        *r = &p->rows[0];
    span.host = r->count < r->room ? r->count++ : NOWHERE;
    if (span.host == NOWHERE)
        r->dropped++;
    else
        r->events[span.host] = (event){span, of, true};
    p->open[p->depth++] = span.host;
}

void cli_profile_leave(cli_profile *p)
{
    if (!p || !p->depth) return;
    const uint64_t at = p->open[--p->depth];
    if (at != NOWHERE) p->rows[0].events[at].span.end = cli_seconds();
}

void cli_profile_frame(cli_profile *p, uint32_t frame)
{
    if (!p) return;
    p->frame = frame;
}

/* ---- the file ---- */

bool cli_profile_open(cli_profile *p, const char *path, bool force, pliant_error *error)
{
    if (!p) return true;
    if (!cli_may_write(path, PLIANT_OUTPUT_PROFILE, force, error) || !cli_out_open(&p->out, path, error)) return false;
    fputs("{\"pliant_profile\": 1, \"displayTimeUnit\": \"ms\", \"traceEvents\": [\n", p->out.file);
    return true;
}

static bool fail_memory(pliant_error *error)
{
    *error = (pliant_error){.code = PLIANT_ERROR_MEMORY};
    return false;
}

bool cli_profile_ready(cli_profile *p, const char *name, const pliant_model *model, const pliant_solver *solver, uint32_t substeps,
                       uint32_t iterations, const pliant_method_def *method, pliant_error *error)
{
    if (!p) return true;
    const pliant_scene_def settings = pliant_model_settings(model);
    p->name = name;
    p->model = model;
    p->substeps = substeps;
    p->iterations = iterations ? iterations : settings.iterations;
    p->method = method->method;
    p->lanes = pliant_solver_width(solver);
    p->threads = pliant_solver_threads(solver);
    for (uint32_t i = 0; i < p->threads; i++)
        if (!grow(&p->rows[i], LEAST_ROOM)) return fail_memory(error);
    return true;
}

static void write_text(FILE *to, const char *key, const char *text)
{
    fprintf(to, "\"%s\":", key);
    cli_write_json_text(to, text);
}

static void write_name(FILE *to, const event *e)
{
    char name[4200];
    if (e->own && strcmp(e->span.name, "frame") == 0)
        snprintf(name, sizeof name, "frame %u", (uint32_t)e->span.step);
    else
        snprintf(name, sizeof name, "%s%s%s", e->span.name, e->of ? " " : "", e->of ? e->of : "");
    write_text(to, "name", name);
}

static const char *category_of(const event *e)
{
    static const char *const names[PLIANT_SPAN_COUNT] = {"step", "substep", "stage", "patch", "tasks"};
    return e->own ? "command" : names[e->span.kind];
}

/* The numbers of a span. */
static void write_args(FILE *to, const cli_profile *p, const event *e)
{
    const pliant_span *s = &e->span;
    fprintf(to, "{\"frame\":%u", e->own ? (uint32_t)s->step : p->frame);
    if (e->own) {
        if (e->of) {
            fputs(",", to);
            write_text(to, "file", e->of);
        }
    } else if (s->kind == PLIANT_SPAN_STEP) {
        fprintf(to, ",\"step\":%llu,\"substeps\":%u,\"particles\":%u,\"constraints\":%u", (unsigned long long)s->step, s->substep,
                s->particles, s->constraints);
    } else {
        const char *stage = s->stage >= PLIANT_STAGE_COUNT ? NULL
                            : s->kind == PLIANT_SPAN_TASKS ? s->name /* with the interaction, in stages that these act in */
                                                           : pliant_stage_name((pliant_stage)s->stage);
        if (stage || s->kind == PLIANT_SPAN_SUBSTEP)
            fprintf(to, ",\"substep\":%u", s->substep);
        else if (s->kind == PLIANT_SPAN_PATCH)
            fprintf(to, ",\"substeps\":%u", s->count);
        if (s->kind >= PLIANT_SPAN_PATCH && stage) fprintf(to, ",\"stage\":\"%s\",\"iteration\":%u", stage, s->iteration);
        if (s->kind == PLIANT_SPAN_PATCH)
            fprintf(to, ",\"round\":%u,\"patch\":%u,\"particles\":%u,\"constraints\":%u", s->round, s->first, s->particles, s->constraints);
        if (s->kind == PLIANT_SPAN_TASKS) fprintf(to, ",\"first\":%u,\"tasks\":%u", s->first, s->count);
    }
    putc('}', to);
}

/* Times are rounded to nanoseconds before they are subtracted: so spans that nest still do. */
static unsigned long long nanoseconds(const cli_profile *p, double seconds)
{
    return (unsigned long long)llround(fmax(seconds - p->zero, 0) * 1e9);
}

static void write_event(cli_profile *p, uint32_t thread, const event *e)
{
    FILE                    *to = p->out.file;
    const unsigned long long begin = nanoseconds(p, e->span.begin), length = nanoseconds(p, e->span.end) - begin;
    fputs(p->written++ ? ",\n{" : "{", to);
    write_name(to, e);
    fprintf(to, ",\"cat\":\"%s\",\"ph\":\"X\",\"ts\":%llu.%03llu,\"dur\":%llu.%03llu,\"pid\":1,\"tid\":%u,\"args\":", category_of(e),
            begin / 1000, begin % 1000, length / 1000, length % 1000, thread + 1);
    write_args(to, p, e);
    putc('}', to);
}

/* A frame for which there was no room: the next has more than it would have taken. */
static bool make_room(row *r, pliant_error *error)
{
    const double   took = 1.25 * ((double)r->count + (double)r->dropped);
    const uint32_t room = took < MOST_ROOM ? (uint32_t)took : MOST_ROOM;
    const bool     enough = !r->dropped || grow(r, room);
    r->count = 0;
    r->dropped = 0;
    return enough || fail_memory(error);
}

bool cli_profile_write(cli_profile *p, pliant_error *error)
{
    if (!p || !p->out.file) return true;
    const double begun = cli_seconds();
    for (uint32_t i = 0; i < p->threads; i++) {
        row *r = &p->rows[i];
        for (uint32_t k = 0; k < r->count; k++) write_event(p, i, &r->events[k]);
        p->dropped += r->dropped;
        if (!make_room(r, error)) return false;
    }
    p->frames += p->frame != p->last;
    p->last = p->frame;
    if (ferror(p->out.file)) return cli_out_finish(&p->out, 1, error);
    p->rows[0].events[p->rows[0].count++] =
        (event){{.name = "write", .begin = begun, .end = cli_seconds(), .step = p->frame}, p->out.path, true};
    return true;
}

static void write_thread(cli_profile *p, uint32_t thread)
{
    char name[32] = "main";
    if (thread) snprintf(name, sizeof name, "thread %u", thread + 1);
    fprintf(p->out.file,
            "%s{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"args\":{\"name\":\"%s\"}},\n"
            "{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"args\":{\"sort_index\":%u}}",
            p->written || thread ? ",\n" : "", thread + 1, name, thread + 1, thread);
}

/* Names of the rows, and their order in viewers. */
static void write_end(cli_profile *p)
{
    FILE *to = p->out.file;
    char  name[4200];
    for (uint32_t i = 0; i < p->threads; i++) write_thread(p, i);
    snprintf(name, sizeof name, "pliant run %s", p->name);
    fputs(",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{", to);
    write_text(to, "name", name);
    fputs("}}\n],\"otherData\":{", to);
    write_text(to, "version", pliant_build().version);
    fputs(",", to);
    write_text(to, "scene", p->name);
    fprintf(to,
            ",\"frames\":%u,\"particles\":%u,\"constraints\":%u,\"substeps\":%u,\"iterations\":%u,\"method\":\"%s\", "
            "\"threads\":%u,\"lanes\":%u,\"real_bytes\":%u,\"spans\":%llu,\"dropped\":%llu}}\n",
            p->frames, pliant_model_particle_count(p->model), pliant_model_constraint_count(p->model, PLIANT_CONSTRAINT_COUNT), p->substeps,
            p->iterations, pliant_method_describe(p->method)->name, p->threads, p->lanes, pliant_build().real_bytes,
            (unsigned long long)p->written, (unsigned long long)(p->dropped + atomic_load(&p->strange)));
}

bool cli_profile_finish(cli_profile *p, pliant_error *error)
{
    if (!p || !p->out.file) return true;
    write_end(p);
    return cli_out_finish(&p->out, 1, error);
}

uint64_t cli_profile_count(const cli_profile *p, uint64_t *dropped)
{
    *dropped = p->dropped + atomic_load(&p->strange);
    return p->written;
}

void cli_profile_end(cli_profile *p)
{
    if (!p) return;
    cli_out_drop(&p->out);
    for (uint32_t i = 0; i < MOST_THREADS; i++) free(p->rows[i].events);
    free(p);
}
