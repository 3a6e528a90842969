/* Watching a run for bodies that cut through each other: in every frame the pairs that cut through each other, and from substep to substep those that
 * passed through each other, each particle taken to go straight. */
#include "crossings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PAIRS = 65536 }; /* of bodies */

const char *cli_two_bodies(const pliant_model *model, const pliant_body bodies[2], char *out, size_t size)
{
    const char *one = pliant_model_body(model, bodies[0]).name, *other = pliant_model_body(model, bodies[1]).name;
    snprintf(out, size, "%s and %s", one, bodies[0].id == bodies[1].id ? "itself" : other);
    return out;
}

static uint32_t room_for(const pliant_model *model)
{
    const uint64_t bodies = pliant_model_body_count(model), pairs = bodies * (bodies + 1) / 2;
    return pairs < MOST_PAIRS ? (uint32_t)pairs : MOST_PAIRS;
}

void cli_crossings_end(cli_crossings *c)
{
    pliant_state_destroy(c->before);
    free(c->found);
    free(c->crossed);
}

/* ---- counting pairs ---- */

static cli_crossed *find(cli_crossings *c, const pliant_crossing *of)
{
    for (uint32_t i = 0; i < c->crossed_count; i++)
        if (c->crossed[i].bodies[0].id == of->bodies[0].id && c->crossed[i].bodies[1].id == of->bodies[1].id) return &c->crossed[i];
    if (c->crossed_count == c->room) return NULL;
    cli_crossed *added = &c->crossed[c->crossed_count++];
    *added = (cli_crossed){.bodies = {of->bodies[0], of->bodies[1]}};
    return added;
}

static void note(cli_crossings *c, uint32_t count, bool passages, uint32_t frame)
{
    if (count && (!c->frames || c->last != frame)) {
        if (!c->frames++) c->first = frame;
        c->last = frame;
    }
    for (uint32_t i = 0; i < count && i < c->room; i++) {
        cli_crossed *to = find(c, &c->found[i]);
        *(passages ? &c->passages : &c->crossings) += c->found[i].count;
        if (!to) continue;
        *(passages ? &to->passages : &to->crossings) += c->found[i].count;
        if (to->frames && to->last == frame) continue;
        if (!to->frames++) to->first = frame;
        to->last = frame;
    }
}

static void look(cli_crossings *c, const pliant_state *state, bool passages, uint32_t frame)
{
    const double start = cli_seconds();
    uint32_t     count = 0;
    if (c->code == PLIANT_OK)
        c->code = passages ? pliant_state_passages(c->before, state, c->found, c->room, &count)
                           : pliant_state_crossings(state, c->found, c->room, &count);
    if (c->code == PLIANT_OK) note(c, count, passages, frame);
    if (passages) pliant_state_copy(c->before, state);
    c->seconds += cli_seconds() - start;
}

void cli_crossings_substep(cli_crossings *c, const pliant_state *state, uint32_t frame, bool put_back)
{
    if (put_back)
        pliant_state_copy(c->before, state);
    else
        look(c, state, true, frame);
}

/* ---- a frame ---- */

static void say_first(const cli_crossings *c, uint32_t frame, const cli_progress *progress)
{
    char bodies[160];
    for (uint32_t i = 0; i < c->crossed_count; i++) {
        const cli_crossed *of = &c->crossed[i];
        if (of->first != frame || of->last != frame) continue;
        if (progress) cli_progress_pause(progress);
        fprintf(stderr, "%s: frame %u: %s: %llu crossings, %llu passages\n", c->name, frame,
                cli_two_bodies(c->model, of->bodies, bodies, sizeof bodies), (unsigned long long)of->crossings,
                (unsigned long long)of->passages);
    }
}

static bool good(cli_crossings *c, pliant_error *error)
{
    if (c->code == PLIANT_OK) return true;
    *error = (pliant_error){.code = c->code};
    snprintf(error->message, sizeof error->message, "looking for crossings: %s",
             c->code == PLIANT_ERROR_MEMORY ? "out of memory; do without --crossings" : "a position is no finite number");
    return false;
}

bool cli_crossings_frame(cli_crossings *c, const pliant_state *state, uint32_t frame, bool put_back, const cli_progress *progress,
                         pliant_error *error)
{
    cli_crossings_substep(c, state, frame, put_back);
    look(c, state, false, frame);
    say_first(c, frame, progress);
    return good(c, error);
}

bool cli_crossings_start(cli_crossings *c, const char *name, const pliant_model *model, const pliant_state *state, uint32_t frame,
                         const cli_progress *progress, pliant_error *error)
{
    c->name = name;
    c->model = model;
    c->room = room_for(model);
    c->before = pliant_state_create(model, error);
    c->found = calloc(c->room + 1u, sizeof *c->found);
    c->crossed = calloc(c->room + 1u, sizeof *c->crossed);
    if (c->before && (!c->found || !c->crossed)) error->code = PLIANT_ERROR_MEMORY;
    if (!c->before || !c->found || !c->crossed) return false;
    return cli_crossings_frame(c, state, frame, true, progress, error);
}

/* ---- the end ---- */

bool cli_crossings_any(const cli_crossings *c, uint32_t frames)
{
    if (!c->name || !c->frames) return false;
    fprintf(
        stderr,
        "%s: %llu crossings and %llu passages in %u of %u frames, the first in frame %u: take more substeps, or begin without crossings "
        "(docs/contact.md)\n",
        c->name, (unsigned long long)c->crossings, (unsigned long long)c->passages, c->frames, frames + 1, c->first);
    return true;
}

void cli_crossings_print(const cli_crossings *c)
{
    if (!c->name) return;
    printf("\"crossings\": {\"crossings\": %llu, \"passages\": %llu, \"frames\": %u, \"seconds\": ", (unsigned long long)c->crossings,
           (unsigned long long)c->passages, c->frames);
    cli_print_json_number(c->seconds, 6);
    printf(", \"between\": [");
    for (uint32_t i = 0; i < c->crossed_count; i++) {
        const cli_crossed *of = &c->crossed[i];
        printf("%s{\"bodies\": [", i ? ", " : "");
        cli_print_json_text(pliant_model_body(c->model, of->bodies[0]).name);
        printf(", ");
        cli_print_json_text(pliant_model_body(c->model, of->bodies[1]).name);
        printf("], \"crossings\": %llu, \"passages\": %llu, \"frames\": %u, \"first\": %u}", (unsigned long long)of->crossings,
               (unsigned long long)of->passages, of->frames, of->first);
    }
    printf("]}, ");
}
