/* A folder of files: finding, writing and removing its frames. */
#define _POSIX_C_SOURCE 200809L
#include "io/cache/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The path of a body's file, from malloc. */
static char *path_of(const pliant__place *place, uint32_t body, uint32_t frame)
{
    size_t room = strlen(place->folder) + strlen(place->names[body]) + strlen(place->ending) + 32;
    char  *path = malloc(room);
    if (path) snprintf(path, room, "%s/%s.%04u%s", place->folder, place->names[body], frame, place->ending);
    return path;
}

/* ---- writing ---- */

static bool make_folder(const char *path, pliant_error *error)
{
    struct stat s;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &s) == 0 && S_ISDIR(s.st_mode))) return true;
    return pliant__fail_at(error, PLIANT_ERROR_IO, path, 0, "%s", strerror(errno));
}

/* Two runs would mix their frames and remove each other's, so the writer of a folder holds its lock; with a list beside it, the list's. */
static bool hold(pliant_writer *w, pliant_error *error)
{
    if (w->own || w->place.format->files) return true;
    int *handle = w->own = malloc(sizeof *handle);
    return handle ? pliant__file_hold(handle, w->place.folder, error) : pliant__fail_memory(error, sizeof *handle, "a folder");
}

void pliant__folder_release(pliant_writer *w)
{
    if (w->own) pliant__file_let_go(*(int *)w->own);
}

static bool keep_only(const pliant_writer *w, uint64_t begin, uint64_t end, pliant_error *error);

static bool write_whole(pliant_writer *w, const char *path, pliant_error *error)
{
    pliant__file file;
    if (!pliant__file_open(&file, path, error)) return false;
    bool ok = pliant__file_append(&file, w->text.data, w->text.count, error) && pliant__file_commit(&file, error);
    return pliant__file_close(&file, ok ? error : NULL) && ok && pliant__writer_note(w, path, error);
}

bool pliant__folder_write(pliant_writer *w, const pliant_state                                                       *state,
                          bool (*put)(pliant_writer *, const pliant_body_info *, const pliant_state *), pliant_error *error)
{
    const bool first = w->frames == 0;
    if (first && !(make_folder(w->place.folder, error) && hold(w, error))) return false;
    for (uint32_t i = 0; i < w->place.body_count; i++) {
        pliant_body_info b = pliant__place_body(&w->place, i);
        w->text.count = 0;
        if (!put(w, &b, state)) return pliant__fail_memory(error, w->text.count, "a frame");
        char *path = path_of(&w->place, i, pliant__writer_number(w));
        if (!path) return pliant__fail_memory(error, 64, "a path");
        bool ok = write_whole(w, path, error);
        free(path);
        if (!ok) return false;
    }
    return !first || w->place.format->files || pliant__folder_clear(w, error);
}

/* ---- reading: finding the frames ---- */

/* A body's frames among the names in the folder. */
typedef struct span {
    uint32_t first, last;
    uint32_t apart; /* the largest number that all distances are multiples of; 0: there is but one */
    uint64_t count;
} span;

typedef struct spans {
    const pliant__place *place;
    span                *of;
} spans;

/* Of "0012.obj", 12; only what a writer writes. */
static bool number_of(const char *text, const char *ending, uint32_t *number)
{
    uint64_t value = 0;
    size_t   digits = 0;
    for (; text[digits] >= '0' && text[digits] <= '9' && digits < 11; digits++) value = value * 10 + (uint64_t)(text[digits] - '0');
    *number = (uint32_t)value;
    return digits >= 4 && (digits == 4 || *text != '0') && value <= UINT32_MAX && strcmp(text + digits, ending) == 0;
}

/* Whether a name is one that a writer gives: which body's, of which frame. */
static bool is_frame(const pliant__place *place, const char *name, uint32_t *body, uint32_t *number)
{
    for (*body = 0; *body < place->body_count; ++*body) {
        size_t length = strlen(place->names[*body]);
        if (strncmp(name, place->names[*body], length) == 0 && name[length] == '.' && number_of(name + length + 1, place->ending, number))
            return true;
    }
    return false;
}

/* ---- frames that are there ---- */

typedef struct tour {
    const pliant__place *place;
    pliant__visit        visit;
    void                *context;
    pliant_error        *error;
    bool                 failed;
} tour;

static void visit_name(void *context, const char *name)
{
    tour    *t = context;
    uint32_t number, body;
    if (t->failed || !is_frame(t->place, name, &body, &number)) return;
    char *path = path_of(t->place, body, number);
    t->failed =
        path ? !t->visit(t->context, t->place, body, path, t->place->format->own, t->error) : !pliant__fail_memory(t->error, 64, "a path");
    free(path);
}

/* Only files with a frame's name count: other files of the folder are not touched. */
bool pliant__folder_visit(const pliant__place *place, pliant__visit visit, void *context, pliant_error *error)
{
    struct stat s;
    tour        t = {place, visit, context, error, false};
    if (stat(place->folder, &s) != 0 && errno == ENOENT) return true;
    if (stat(place->folder, &s) == 0 && !S_ISDIR(s.st_mode))
        return pliant__fail_at(error, PLIANT_ERROR_IO, place->folder, 0, "there is a file, and a folder is to be written");
    return pliant__folder_walk(place->folder, visit_name, &t, error) && !t.failed;
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void note_name(void *context, const char *name)
{
    spans   *all = context;
    uint32_t number, body;
    if (!is_frame(all->place, name, &body, &number)) return;
    span *s = &all->of[body];
    if (s->count) s->apart = common_divisor(s->apart, number > s->first ? number - s->first : s->first - number);
    if (s->count == 0 || number < s->first) s->first = number;
    if (s->count == 0 || number > s->last) s->last = number;
    s->count++;
}

/* The first number after `number` that a body has no file of, at most one past `last`; that too where memory runs out. */
static uint64_t next_missing(const pliant__place *place, uint32_t body, uint32_t number, uint32_t last, uint32_t every)
{
    uint64_t at = number;
    bool     there = true;
    while (there && at < last) {
        at += every;
        char *path = path_of(place, body, (uint32_t)at);
        there = !path || pliant__file_is_there(path);
        free(path);
    }
    return there ? (uint64_t)last + every : at;
}

static bool fail_missing(const pliant__place *place, uint32_t body, uint32_t number, uint32_t seen, pliant_error *error)
{
    char *path = path_of(place, body, number);
    pliant__fail_at(error, PLIANT_ERROR_INPUT, path ? path : place->path, 0, "this file is missing, and there are files of frame %u", seen);
    free(path);
    return false;
}

/* A frame counts if all bodies have it. Where one ends before the others, the frame after may be one that is being written; but nothing may
 * be missing in between, as far as frames are looked for: behind that, one that was going on may have been stopped while it took them away. */
static bool join_spans(pliant_cache *c, const span *of, pliant_error *error)
{
    const pliant__place *place = &c->place;
    uint32_t             bodies = place->body_count, earliest = bodies;
    for (uint32_t i = 0; i < bodies; i++)
        if (of[i].count && (earliest == bodies || of[i].first < of[earliest].first)) earliest = i;
    if (earliest == bodies)
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, place->path, 0, "no file %s.FRAME%s", place->names[0], place->ending);
    c->first = of[earliest].first;
    c->frames = UINT32_MAX;
    for (uint32_t i = 0; i < bodies; i++) c->every = common_divisor(c->every, of[i].count ? of[i].apart : 0);
    uint32_t every = pliant_cache_every(c);
    for (uint32_t i = 0; i < bodies; i++) {
        if (!of[i].count || of[i].first > c->first) return fail_missing(place, i, c->first, c->first, error);
        uint64_t end = (uint64_t)of[i].last + every;
        if (of[i].count != (end - c->first) / every) end = next_missing(place, i, c->first, of[i].last, every);
        if (end <= of[i].last && (end - c->first) / every < c->most) return fail_missing(place, i, (uint32_t)end, of[i].last, error);
        if ((end - c->first) / every < c->frames) c->frames = (uint32_t)((end - c->first) / every);
    }
    if (c->most == 1) c->every = 0; /* frames behind the only one that counts may be gone in part */
    return true;
}

static bool find_frames(pliant_cache *c, pliant_error *error)
{
    spans all = {&c->place, calloc(c->place.body_count, sizeof *all.of)};
    if (!all.of) return pliant__fail_memory(error, c->place.body_count * sizeof *all.of, "frames");
    bool ok = pliant__folder_walk(c->place.folder, note_name, &all, error) && join_spans(c, all.of, error);
    free(all.of);
    return ok;
}

/* ---- going on ---- */

typedef struct excess {
    const pliant__place *place;
    uint64_t             begin, end; /* frames that stay, [begin, end) */
    pliant_error        *error;
    bool                 failed;
} excess;

/* Removes frames behind those that stay, and the rest of a frame that was being written. */
static void remove_excess(void *context, const char *name)
{
    excess  *e = context;
    uint32_t body, number;
    size_t   length, room = strlen(e->place->folder) + strlen(name) + 2;
    char     whole[512];
    bool     leftover = pliant__file_is_leftover(name, &length) && length < sizeof whole;
    snprintf(whole, sizeof whole, "%.*s", leftover ? (int)length : (int)sizeof whole - 1, name);
    if (e->failed || !is_frame(e->place, whole, &body, &number) || (!leftover && number >= e->begin && number < e->end)) return;
    char *path = malloc(room);
    if (path) snprintf(path, room, "%s/%s", e->place->folder, name);
    if (!path) e->failed = !pliant__fail_memory(e->error, room, "a path");
    if (path && !(leftover ? pliant__file_remove_leftover(path) : unlink(path) == 0))
        e->failed = !pliant__fail_at(e->error, PLIANT_ERROR_IO, path, 0, "%s", strerror(errno));
    free(path);
}

/* Removes frames of an earlier cache: those with other numbers would be mixed with the new ones. */
static bool keep_only(const pliant_writer *w, uint64_t begin, uint64_t end, pliant_error *error)
{
    excess e = {&w->place, begin, end, error, false};
    return pliant__folder_walk(w->place.folder, remove_excess, &e, error) && !e.failed;
}

bool pliant__folder_clear(const pliant_writer *w, pliant_error *error)
{
    return keep_only(w, w->def.first_frame, w->def.first_frame + 1ull, error);
}

bool pliant__folder_resume(pliant_writer *w, pliant_cache *cache, pliant_error *error)
{
    if (!hold(w, error) || !keep_only(w, cache->first, cache->first + (uint64_t)w->def.there * w->def.every, error)) return false;
    for (uint32_t frame = 0; frame < w->def.there; frame++)
        for (uint32_t i = 0; i < w->place.body_count; i++) {
            char *path = path_of(&w->place, i, (uint32_t)(cache->first + (uint64_t)frame * w->def.every));
            bool  ok = path ? pliant__writer_note(w, path, error) : pliant__fail_memory(error, 64, "a path");
            free(path);
            if (!ok) return false;
        }
    return true;
}

/* ---- reading: a frame ---- */

static pliant__verdict read_file(pliant_cache *c, const char *path, uint32_t body, pliant__folder_take take, pliant__folder_largest largest,
                                 pliant_error *error)
{
    pliant_body_info b = pliant__place_body(&c->place, body);
    pliant__source   file;
    pliant__verdict  result = PLIANT__WRONG;
    bool             ok = pliant__source_open(&file, path, error);
    if (ok && file.size > largest(&b))
        ok = pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "%llu bytes are more than a frame of %s of this model takes",
                             (unsigned long long)file.size, b.name);
    if (ok && pliant__cache_load(c, &file, 0, (size_t)file.size, error)) result = take(c, path, body, error);
    pliant__source_close(&file);
    return result;
}

static pliant__verdict read_frame(pliant_cache *c, uint32_t index, pliant__folder_take take, pliant__folder_largest largest,
                                  pliant_error *error)
{
    pliant__verdict result = PLIANT__WHOLE;
    for (uint32_t i = 0; result == PLIANT__WHOLE && i < c->place.body_count; i++) {
        char *path = path_of(&c->place, i, (uint32_t)pliant__cache_number(c, index));
        if (!path) return pliant__fail_memory(error, 64, "a path"), PLIANT__WRONG;
        result = read_file(c, path, i, take, largest, error);
        free(path);
    }
    return result;
}

bool pliant__folder_read(pliant_cache *cache, uint32_t index, pliant__folder_take take, pliant__folder_largest largest, pliant_error *error)
{
    return read_frame(cache, index, take, largest, error) == PLIANT__WHOLE;
}

/* The last frame may have been cut when the folder was copied. A writer that goes on behind a number of frames needs each of them whole, so they are
 * all read. */
bool pliant__folder_open(pliant_cache *cache, pliant__folder_take take, pliant__folder_largest largest, pliant_error *error)
{
    if (!cache->place.format->files && !find_frames(cache, error)) return false;
    if (cache->frames > cache->most) cache->frames = cache->most;
    if (cache->frames > 1 && read_frame(cache, cache->frames - 1, take, largest, NULL) == PLIANT__CUT) cache->frames--;
    for (uint32_t i = 0; cache->most < UINT32_MAX && i < cache->frames; i++)
        if (read_frame(cache, i, take, largest, error) != PLIANT__WHOLE) return false;
    return true;
}
