/* A folder of Wavefront OBJ: BODY.0000.obj, BODY.0001.obj, ... Each file is complete before it has its name. Faces are the
 * mesh's own, ropes are a line, particles are points.
 *
 * A reader finds the frames by the names in the folder. Of a file it takes the vertices; faces, lines and points are only counted. */
#define _POSIX_C_SOURCE 200809L
#include "io/cache.h"
#include "io/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The path of a body's file, from malloc. */
static char *path_of(const pliant__place *place, uint32_t body, uint32_t frame)
{
    size_t room = strlen(place->path) + strlen(place->names[body]) + 32;
    char  *path = malloc(room);
    if (path) snprintf(path, room, "%s/%s.%04u.obj", place->path, place->names[body], frame);
    return path;
}

/* ---- writing ---- */

static bool make_folder(const char *path, pliant_error *error)
{
    struct stat s;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &s) == 0 && S_ISDIR(s.st_mode))) return true;
    return pliant__fail_at(error, PLIANT_ERROR_IO, path, 0, "%s", strerror(errno));
}

static bool put_indices(pliant_writer *w, const char *letter, const uint32_t *indices, uint32_t first, uint32_t count)
{
    bool ok = pliant__put(&w->text, letter, 1) && pliant__put(&w->text, " ", 1);
    for (uint32_t i = 0; ok && i < count; i++)
        ok = pliant__put_count(&w->text, (indices ? indices[i] : first + i) + 1ull, i + 1 < count ? ' ' : '\n');
    return ok;
}

static bool put_elements(pliant_writer *w, const pliant_body_info *b)
{
    const uint32_t *sizes, *indices;
    bool            ok = true;
    if (b->type == PLIANT_BODY_ROPE) return put_indices(w, "l", NULL, 0, b->surface_vertex_count);
    if (b->type == PLIANT_BODY_PARTICLES) {
        for (uint32_t i = 0; ok && i < b->surface_vertex_count; i++) ok = put_indices(w, "p", NULL, i, 1);
        return ok;
    }
    pliant_model_faces(w->place.model, b->body, &sizes, &indices);
    for (uint32_t f = 0; ok && f < b->face_count; indices += sizes[f], f++) ok = put_indices(w, "f", indices, 0, sizes[f]);
    return ok;
}

static bool put_body(pliant_writer *w, const pliant_body_info *b, const pliant_state *state)
{
    bool ok = pliant_state_write_positions(state, b->body, w->x, sizeof *w->x) == PLIANT_OK && pliant__put(&w->text, "o ", 2) &&
              pliant__put(&w->text, b->name, strlen(b->name)) && pliant__put(&w->text, "\n", 1);
    for (uint32_t v = 0; ok && v < b->surface_vertex_count; v++)
        ok = pliant__put(&w->text, "v ", 2) && pliant__put_number(&w->text, w->x[v].x, ' ') &&
             pliant__put_number(&w->text, w->x[v].y, ' ') && pliant__put_number(&w->text, w->x[v].z, '\n');
    return ok && put_elements(w, b);
}

static bool write_whole(pliant_writer *w, const char *path, pliant_error *error)
{
    pliant__file file;
    if (!pliant__file_open(&file, path, error)) return false;
    bool ok = pliant__file_append(&file, w->text.data, w->text.count, error) && pliant__file_commit(&file, error);
    return pliant__file_close(&file, ok ? error : NULL) && ok && pliant__writer_note(w, path, error);
}

bool pliant__objs_write(pliant_writer *w, const pliant_state *state, pliant_error *error)
{
    if (w->frames == 0 && !make_folder(w->place.path, error)) return false;
    for (uint32_t i = 0; i < w->place.body_count; i++) {
        pliant_body_info b = pliant_model_body_at(w->place.model, i);
        w->text.count = 0;
        if (!put_body(w, &b, state)) return pliant__fail_memory(error, w->text.count, "a frame");
        char *path = path_of(&w->place, i, w->def.first_frame + w->frames);
        if (!path) return pliant__fail_memory(error, 64, "a path");
        bool ok = write_whole(w, path, error);
        free(path);
        if (!ok) return false;
    }
    return true;
}

/* ---- reading: which frames there are ---- */

/* A body's frames among the names in the folder. */
typedef struct span {
    size_t   length; /* of the body's name */
    uint32_t first, last;
    uint64_t count;
} span;

typedef struct spans {
    const pliant__place *place;
    span                *of;
} spans;

/* Of "0012.obj", 12; only what a writer writes. */
static bool number_of(const char *text, uint32_t *number)
{
    uint64_t value = 0;
    size_t   digits = 0;
    for (; text[digits] >= '0' && text[digits] <= '9' && digits < 11; digits++) value = value * 10 + (uint64_t)(text[digits] - '0');
    *number = (uint32_t)value;
    return digits >= 4 && (digits == 4 || *text != '0') && value <= UINT32_MAX && strcmp(text + digits, ".obj") == 0;
}

static void note_name(void *context, const char *name)
{
    spans   *all = context;
    uint32_t number;
    for (uint32_t i = 0; i < all->place->body_count; i++) {
        span *s = &all->of[i];
        if (strncmp(name, all->place->names[i], s->length) != 0 || name[s->length] != '.' || !number_of(name + s->length + 1, &number))
            continue;
        if (s->count == 0 || number < s->first) s->first = number;
        if (s->count == 0 || number > s->last) s->last = number;
        s->count++;
        return;
    }
}

/* The first number after `number` that a body has no file of, at most `last` + 1; `last` + 1 also where memory runs out. */
static uint64_t next_missing(const pliant__place *place, uint32_t body, uint32_t number, uint32_t last)
{
    bool there = true;
    while (there && number < last) {
        char *path = path_of(place, body, ++number);
        there = !path || pliant__file_is_there(path);
        free(path);
    }
    return there ? last + 1ull : number;
}

static bool fail_missing(const pliant__place *place, uint32_t body, uint32_t number, uint32_t seen, pliant_error *error)
{
    char *path = path_of(place, body, number);
    pliant__fail_at(error, PLIANT_ERROR_INPUT, path ? path : place->path, 0, "this file is missing, and there are files of frame %u", seen);
    free(path);
    return false;
}

/* A frame counts if all bodies have it. Where one ends before the others, the frame after may be one that is being written; but nothing may
 * be missing in between. */
static bool join_spans(pliant_cache *c, const span *of, pliant_error *error)
{
    const pliant__place *place = &c->place;
    uint32_t             bodies = place->body_count, earliest = bodies;
    for (uint32_t i = 0; i < bodies; i++)
        if (of[i].count && (earliest == bodies || of[i].first < of[earliest].first)) earliest = i;
    if (earliest == bodies) return pliant__fail_at(error, PLIANT_ERROR_INPUT, place->path, 0, "no file %s.FRAME.obj", place->names[0]);
    c->first = of[earliest].first;
    c->frames = UINT32_MAX;
    for (uint32_t i = 0; i < bodies; i++) {
        if (!of[i].count || of[i].first > c->first) return fail_missing(place, i, c->first, c->first, error);
        uint64_t end = of[i].last + 1ull;
        if (of[i].count != end - c->first) end = next_missing(place, i, c->first, of[i].last);
        if (end <= of[i].last) return fail_missing(place, i, (uint32_t)end, of[i].last, error);
        if (end - c->first < c->frames) c->frames = (uint32_t)(end - c->first);
    }
    return true;
}

static bool find_frames(pliant_cache *c, pliant_error *error)
{
    spans all = {&c->place, calloc(c->place.body_count, sizeof *all.of)};
    if (!all.of) return pliant__fail_memory(error, c->place.body_count * sizeof *all.of, "frames");
    for (uint32_t i = 0; i < c->place.body_count; i++) all.of[i].length = strlen(c->place.names[i]);
    bool ok = pliant__folder_walk(c->place.path, note_name, &all, error) && join_spans(c, all.of, error);
    free(all.of);
    return ok;
}

/* ---- reading: a frame ---- */

typedef enum verdict { WHOLE, CUT, WRONG } verdict; /* cut: good as far as it goes */

typedef struct obj_text {
    const char             *path, *at, *end;
    const pliant_body_info *body;
    uint64_t                line;
    uint64_t                vertices, elements; /* taken */
    pliant_vec3            *x;
    pliant_error           *error;
} obj_text;

static uint64_t element_count(const pliant_body_info *b)
{
    if (b->type == PLIANT_BODY_ROPE) return 1;
    return b->type == PLIANT_BODY_PARTICLES ? b->surface_vertex_count : b->face_count;
}

static bool fail_text(const obj_text *t, const char *what)
{
    return pliant__fail_at(t->error, PLIANT_ERROR_INPUT, t->path, pliant__line(t->line), "%s", what);
}

/* Three numbers, a space between them. */
static bool take_vertex(obj_text *t, const char *line_end)
{
    pliant_real xyz[3];
    if (t->vertices == t->body->surface_vertex_count)
        return pliant__fail_at(t->error, PLIANT_ERROR_INPUT, t->path, pliant__line(t->line),
                               "more than the %u vertices that %s of this model has", t->body->surface_vertex_count, t->body->name);
    for (int i = 0; i < 3; i++) {
        const char *end = i < 2 ? memchr(t->at, ' ', (size_t)(line_end - t->at)) : line_end;
        if (!end) return fail_text(t, "a vertex has three coordinates");
        if (!pliant__take_real(t->at, (size_t)(end - t->at), &xyz[i]))
            return pliant__fail_at(t->error, PLIANT_ERROR_INPUT, t->path, pliant__line(t->line), "%.*s is not a finite number",
                                   end - t->at < 40 ? (int)(end - t->at) : 40, t->at);
        t->at = end + 1;
    }
    t->x[t->vertices++] = (pliant_vec3){xyz[0], xyz[1], xyz[2]};
    return true;
}

static verdict take_lines(obj_text *t)
{
    const char *line_end;
    for (t->line = 1; t->at < t->end && (line_end = memchr(t->at, '\n', (size_t)(t->end - t->at))) != NULL; t->line++) {
        bool two = line_end - t->at >= 2 && t->at[1] == ' ';
        if (two && *t->at == 'v') {
            t->at += 2;
            if (!take_vertex(t, line_end)) return WRONG;
        } else {
            t->elements += two && (*t->at == 'f' || *t->at == 'l' || *t->at == 'p');
        }
        t->at = line_end + 1;
    }
    return t->at < t->end ? (fail_text(t, "the line has no end: cut off"), CUT) : WHOLE;
}

static verdict take_text(obj_text *t)
{
    const pliant_body_info *b = t->body;
    verdict                 result = take_lines(t);
    if (result != WHOLE || (t->vertices == b->surface_vertex_count && t->elements == element_count(b))) return result;
    pliant__fail_at(t->error, PLIANT_ERROR_INPUT, t->path, 0,
                    "%llu vertices and %llu faces, lines and points where %s of this model has %u and %llu",
                    (unsigned long long)t->vertices, (unsigned long long)t->elements, b->name, b->surface_vertex_count,
                    (unsigned long long)element_count(b));
    return t->elements > element_count(b) ? WRONG : CUT;
}

/* What a frame of a body may take at most, with room to spare: three numbers per vertex, and every element's indices. */
static uint64_t largest_file(const pliant_body_info *b)
{
    return 4096 + 256ull * b->surface_vertex_count + 16ull * b->face_index_count + 16ull * b->face_count;
}

static verdict read_file(pliant_cache *c, const char *path, uint32_t body, pliant_error *error)
{
    pliant_body_info b = pliant_model_body_at(c->place.model, body);
    obj_text         t = {.path = path, .body = &b, .x = c->x + c->offset[body], .error = error};
    pliant__source   file;
    verdict          result = WRONG;
    bool             ok = pliant__source_open(&file, path, error);
    if (ok && file.size > largest_file(&b))
        ok = pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 0, "%llu bytes are more than a frame of %s of this model takes",
                             (unsigned long long)file.size, b.name);
    if (ok && pliant__cache_load(c, &file, 0, (size_t)file.size, error)) {
        t.at = c->text.data;
        t.end = t.at + c->text.count;
        result = take_text(&t);
    }
    pliant__source_close(&file);
    return result;
}

static verdict read_frame(pliant_cache *c, uint32_t index, pliant_error *error)
{
    verdict result = WHOLE;
    for (uint32_t i = 0; result == WHOLE && i < c->place.body_count; i++) {
        char *path = path_of(&c->place, i, c->first + index);
        if (!path) return pliant__fail_memory(error, 64, "a path"), WRONG;
        result = read_file(c, path, i, error);
        free(path);
    }
    return result;
}

bool pliant__objs_read(pliant_cache *c, uint32_t index, pliant_error *error) { return read_frame(c, index, error) == WHOLE; }

/* The last frame may have been cut when the folder was copied. */
bool pliant__objs_open(pliant_cache *c, pliant_error *error)
{
    if (!find_frames(c, error)) return false;
    if (c->frames > 1 && read_frame(c, c->frames - 1, NULL) == CUT) c->frames--;
    return true;
}
