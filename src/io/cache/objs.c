/* A folder of Wavefront OBJ: BODY.0000.obj, BODY.0001.obj, ... Faces are the mesh's own, ropes are a line, particles are points.
 *
 * Of a file a reader takes the vertices, and the faces of a body that tears; other faces, lines and points are only counted. */
#include "io/cache/folder.h"

#include <string.h>

/* ---- writing ---- */

static bool put_indices(pliant_writer *w, const char *letter, const uint32_t *indices, uint32_t first, uint32_t count)
{
    bool ok = pliant__put(&w->text, letter, 1) && pliant__put(&w->text, " ", 1);
    for (uint32_t i = 0; ok && i < count; i++)
        ok = pliant__put_count(&w->text, (indices ? indices[i] : first + i) + 1ull, i + 1 < count ? ' ' : '\n');
    return ok;
}

static bool put_elements(pliant_writer *w, const pliant_body_info *b, const pliant_state *state)
{
    const uint32_t *sizes, *indices = pliant__faces_now(&w->place, b, state);
    bool            ok = true;
    if (b->type == PLIANT_BODY_ROPE) return put_indices(w, "l", NULL, 0, b->surface_vertex_count);
    if (b->type == PLIANT_BODY_PARTICLES) {
        for (uint32_t i = 0; ok && i < b->surface_vertex_count; i++) ok = put_indices(w, "p", NULL, i, 1);
        return ok;
    }
    pliant_model_faces(w->place.model, b->body, &sizes, NULL);
    for (uint32_t f = 0; ok && f < b->face_count; indices += sizes[f], f++) ok = put_indices(w, "f", indices, 0, sizes[f]);
    return ok;
}

static bool put_body(pliant_writer *w, const pliant_body_info *b, const pliant_state *state)
{
    bool ok = pliant__put_positions(&w->place, b, state, w->x, 1) && pliant__put(&w->text, "o ", 2) &&
              pliant__put(&w->text, b->name, strlen(b->name)) && pliant__put(&w->text, "\n", 1);
    for (uint32_t v = 0; ok && v < b->surface_vertex_count; v++)
        ok = pliant__put(&w->text, "v ", 2) && pliant__put_number(&w->text, w->x[v].x, ' ') &&
             pliant__put_number(&w->text, w->x[v].y, ' ') && pliant__put_number(&w->text, w->x[v].z, '\n');
    return ok && put_elements(w, b, state);
}

/* The elements that put_elements writes. */
static uint64_t element_bytes(const pliant__place *place, const pliant_body_info *b)
{
    const uint32_t *sizes, *indices;
    uint64_t        sum = b->type == PLIANT_BODY_ROPE ? 2 : b->type == PLIANT_BODY_PARTICLES ? 2ull * b->surface_vertex_count : 0;
    if (sum) {
        for (uint32_t i = 0; i < b->surface_vertex_count; i++) sum += pliant__digits(i + 1ull) + 1;
        return sum;
    }
    pliant__place_faces(place, b, &sizes, &indices);
    for (uint32_t i = 0; i < b->face_index_count; i++) sum += pliant__digits(indices[i] + 1ull) + 1;
    return sum + 2ull * b->face_count;
}

bool pliant__objs_bytes(const pliant__place *place, const pliant_write_def *def, uint64_t *bytes, pliant_error *error)
{
    double sum = 0;
    (void)error;
    for (uint32_t i = 0; i < place->body_count; i++) {
        pliant_body_info b = pliant__place_body(place, i);
        sum +=
            3 + (double)strlen(b.name) + b.surface_vertex_count * (2 + 3 * (PLIANT__NUMBER_LENGTH + 1)) + (double)element_bytes(place, &b);
    }
    *bytes = (uint64_t)(sum * def->frames);
    return true;
}

bool pliant__objs_own(const pliant__place *place, uint32_t body, const char *head, size_t size, const pliant__source *file)
{
    const char *name = pliant__place_body(place, body).name;
    size_t      length = strlen(name);
    (void)file;
    return size >= length + 3 && memcmp(head, "o ", 2) == 0 && memcmp(head + 2, name, length) == 0 && head[length + 2] == '\n';
}

bool pliant__objs_write(pliant_writer *w, const pliant_state *state, pliant_error *error)
{
    return pliant__folder_write(w, state, put_body, error);
}

/* ---- reading ---- */

typedef struct obj_text {
    const char             *path, *at, *end;
    const pliant_body_info *body;
    uint64_t                line;
    uint64_t                vertices, elements; /* taken */
    pliant_vec3            *x;
    bool                    reshapes; /* faces are the frame's own: they are taken into the cache, as body number `number` */
    pliant_cache           *cache;
    uint32_t                number;
    size_t                  corners; /* taken */
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

/* Three whole numbers from 1, a space before each: vertices, which were counted before faces. */
static bool take_face(obj_text *t, const char *line_end)
{
    t->at++;
    for (int i = 0; i < 3; i++) {
        uint64_t number = 0;
        int      digits = 0;
        if (t->at == line_end || *t->at++ != ' ') return fail_text(t, "a face of a body that tears has three corners");
        for (; t->at < line_end && *t->at >= '0' && *t->at <= '9' && digits < 10; digits++)
            number = number * 10 + (uint64_t)(*t->at++ - '0');
        if (!number || t->corners == t->body->face_index_count || !pliant__cache_set_corner(t->cache, t->number, t->corners++, number - 1))
            return fail_text(t, "a face has a corner that is no vertex");
    }
    return t->at == line_end || fail_text(t, "a face of a body that tears has three corners");
}

static pliant__verdict take_lines(obj_text *t)
{
    const char *line_end;
    for (t->line = 1; t->at < t->end && (line_end = memchr(t->at, '\n', (size_t)(t->end - t->at))) != NULL; t->line++) {
        bool two = line_end - t->at >= 2 && t->at[1] == ' ';
        if (two && *t->at == 'v') {
            t->at += 2;
            if (!take_vertex(t, line_end)) return PLIANT__WRONG;
        } else if (two && (*t->at == 'f' || *t->at == 'l' || *t->at == 'p')) {
            t->elements++;
            if (t->reshapes && !take_face(t, line_end)) return PLIANT__WRONG;
        }
        t->at = line_end + 1;
    }
    return t->at < t->end ? (fail_text(t, "the line has no end: cut off"), PLIANT__CUT) : PLIANT__WHOLE;
}

static pliant__verdict take_text(obj_text *t)
{
    const pliant_body_info *b = t->body;
    pliant__verdict         result = take_lines(t);
    if (result != PLIANT__WHOLE || (t->vertices == b->surface_vertex_count && t->elements == element_count(b))) return result;
    pliant__fail_at(t->error, PLIANT_ERROR_INPUT, t->path, 0,
                    "%llu vertices and %llu faces, lines and points where %s of this model has %u and %llu",
                    (unsigned long long)t->vertices, (unsigned long long)t->elements, b->name, b->surface_vertex_count,
                    (unsigned long long)element_count(b));
    return t->elements > element_count(b) ? PLIANT__WRONG : PLIANT__CUT;
}

/* The most bytes that a frame of a body may take, with room to spare: three numbers per vertex, and every element's indices. */
static uint64_t largest_file(const pliant_body_info *b)
{
    return 4096 + 256ull * b->surface_vertex_count + 16ull * b->face_index_count + 16ull * b->face_count;
}

static pliant__verdict take(pliant_cache *c, const char *path, uint32_t body, pliant_error *error)
{
    pliant_body_info b = pliant__place_body(&c->place, body);
    obj_text         t = {.path = path, .body = &b, .x = c->x + c->offset[body], .error = error};
    t.reshapes = pliant__reshapes(&c->place, &b);
    t.cache = c;
    t.number = body;
    t.at = c->text.data;
    t.end = t.at + c->text.count;
    pliant__verdict result = take_text(&t);
    if (result != PLIANT__WHOLE || pliant__objs_own(&c->place, body, c->text.data, c->text.count, NULL)) return result;
    pliant__fail_at(error, PLIANT_ERROR_INPUT, path, 1, "it is not \"o %s\", with which a frame of that body begins", b.name);
    return PLIANT__WRONG;
}

bool pliant__objs_open(pliant_cache *c, pliant_error *error) { return pliant__folder_open(c, take, largest_file, error); }

bool pliant__objs_read(pliant_cache *c, uint32_t index, pliant_error *error)
{
    return pliant__folder_read(c, index, take, largest_file, error);
}
