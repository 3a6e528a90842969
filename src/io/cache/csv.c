/* CSV (RFC 4180, with \n): one line per frame and simulated vertex. A frame is put together in memory and appended in one piece.
 *
 * A model's frames have all the same number of lines, so a reader finds them by counting: one pass over the file when it is opened, which
 * looks at the line ends, and at the head of each frame. All else is looked at when a frame is read. */
#include "io/cache/cache.h"
#include "io/cache/writer.h"

#include "io/files/number.h"

#include <stdlib.h>
#include <string.h>

static const char header[] = "frame,time,body,particle,x,y,z,vx,vy,vz\n";

/* The longest line that a reader takes. Of a writer's, a name is at most 128 bytes, the numbers are 250. */
enum { HEADER = sizeof header - 1, LONGEST_LINE = 1024 };

/* The beginning of every line of a frame: frame,time, */
static bool put_frame(pliant__bytes *to, uint64_t frame, const char *time, size_t length)
{
    return pliant__put_count(to, frame, ',') && pliant__put(to, time, length) && pliant__put(to, ",", 1);
}

/* The next part of every line of a body: its name, in quotes if it needs them. */
static bool put_name(pliant__bytes *to, const char *name)
{
    if (!strpbrk(name, ",\"\n\r")) return pliant__put(to, name, strlen(name)) && pliant__put(to, ",", 1);
    bool ok = pliant__put(to, "\"", 1);
    for (; ok && *name; name++) ok = pliant__put(to, name, 1) && (*name != '"' || pliant__put(to, "\"", 1));
    return ok && pliant__put(to, "\",", 2);
}

/* ---- writing ---- */

static bool put_vec3(pliant__bytes *to, pliant_vec3 a, char after)
{
    return pliant__put_number(to, a.x, ',') && pliant__put_number(to, a.y, ',') && pliant__put_number(to, a.z, after);
}

static bool put_body(pliant_writer *w, const pliant_state *state, uint32_t index)
{
    pliant_body_info b = pliant_model_body_at(w->place.model, index);
    if (pliant_state_positions(state, b.body, 0, b.vertex_count, w->x) != PLIANT_OK ||
        pliant_state_velocities(state, b.body, 0, b.vertex_count, w->v) != PLIANT_OK)
        return false;
    char   time[PLIANT__NUMBER_SIZE], head[512];
    size_t at = w->text.count, time_length = pliant__format_shortest(time, pliant_state_time(state));
    if (!put_frame(&w->text, pliant__writer_number(w), time, time_length) || !put_name(&w->text, b.name)) return false;
    size_t length = w->text.count - at;
    if (length > sizeof head) return false; /* names have at most 63 bytes */
    memcpy(head, w->text.data + at, length);
    w->text.count = at;
    for (uint32_t v = 0; v < b.vertex_count; v++)
        if (!pliant__put(&w->text, head, length) || !pliant__put_count(&w->text, v, ',') || !put_vec3(&w->text, w->x[v], ',') ||
            !put_vec3(&w->text, w->v[v], '\n'))
            return false;
    return true;
}

bool pliant__csv_write(pliant_writer *w, const pliant_state *state, pliant_error *error)
{
    bool first = w->frames == 0, ok = true;
    if (first) ok = pliant__put(&w->text, header, HEADER);
    for (uint32_t i = 0; ok && i < w->place.body_count; i++) ok = put_body(w, state, i);
    if (!ok) return pliant__fail_memory(error, w->text.count, "a frame");
    if (first && !pliant__writer_open_files(w, 1, pliant__place_path, error)) return false;
    if (!pliant__file_append(&w->files[0], w->text.data, w->text.count, error) || !pliant__file_commit(&w->files[0], error)) return false;
    return !first || pliant__writer_note(w, w->place.path, error);
}

/* Rows up to which the lengths of frames' times are measured; they differ by a few digits. */
enum { MEASURED = 256 };

/* The average length of the beginning of a row: the frame's number and its time. */
static double head_length(const pliant_write_def *def)
{
    const uint32_t step = def->frames / MEASURED + 1;
    uint64_t       sum = 0, count = 0;
    char           time[PLIANT__NUMBER_SIZE];
    for (uint64_t i = 0; i < def->frames; i += step, count++)
        sum += pliant__digits(def->first_frame + i * def->every) + pliant__format_shortest(time, (double)i / def->fps) + 2;
    return count ? (double)sum / (double)count : 0;
}

bool pliant__csv_bytes(const pliant__place *place, const pliant_write_def *def, uint64_t *bytes, pliant_error *error)
{
    const double  head = head_length(def);
    double        sum = 0;
    pliant__bytes name = {0};
    for (uint32_t i = 0; i < place->body_count; i++) {
        pliant_body_info b = pliant_model_body_at(place->model, i);
        name.count = 0;
        if (!put_name(&name, b.name)) return pliant__fail_memory(error, 64, "a name");
        for (uint32_t v = 0; v < b.vertex_count; v++) sum += pliant__digits(v) + 1;
        sum += (head + (double)name.count + 6 * (PLIANT__NUMBER_LENGTH + 1)) * b.vertex_count;
    }
    array_free(NULL, &name);
    *bytes = HEADER + (uint64_t)(sum * def->frames);
    return true;
}

/* As far as it goes, where it was cut. */
bool pliant__csv_own(const pliant__place *place, uint32_t body, const char *head, size_t size, const pliant__source *file)
{
    (void)place, (void)body, (void)file;
    return memcmp(head, header, size < HEADER ? size : HEADER) == 0;
}

static uint64_t size_of(const pliant_writer *w, const pliant_cache *cache, uint32_t i)
{
    (void)i;
    return cache->begins.data[w->def.there];
}

bool pliant__csv_resume(pliant_writer *w, pliant_cache *cache, pliant_error *error)
{
    return pliant__writer_reopen_files(w, 1, pliant__place_path, size_of, cache, error) && pliant__file_cut(&w->files[0], error);
}

/* ---- reading ---- */

/* Where reading is. `line` counts from 1, in the file. */
typedef struct cursor {
    const char      *at, *end;
    uint64_t         line;
    pliant_body_info body;
} cursor;

static bool fail_line(const pliant_cache *c, uint64_t line, const char *what, pliant_error *error)
{
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, c->place.path, pliant__line(line), "%s", what);
}

static uint64_t line_of_frame(const pliant_cache *c, uint32_t index) { return 2 + (uint64_t)index * c->offset[c->place.body_count]; }

static size_t least(uint64_t a, size_t b) { return a < b ? (size_t)a : b; }

/* Makes c->head, "frame,time,", from the first line of frame `index`, at the cursor: the number has to be the right one, the time is as it
 * is there. The first frame's number is the one that others count from. */
static bool take_frame_head(pliant_cache *c, const cursor *k, uint32_t index, pliant_error *error)
{
    const char *at = k->at, *time, *comma;
    uint64_t    number;
    double      seconds;
    if (!pliant__take_count(&at, k->end, &number) || at == k->end || *at != ',' || number > UINT32_MAX)
        return fail_line(c, k->line, "a line begins with the frame's number", error);
    if (index == 0) c->first = (uint32_t)number;
    if (index == 1 && number > c->first) c->every = (uint32_t)number - c->first;
    if (number != pliant__cache_number(c, index))
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, c->place.path, pliant__line(k->line),
                               "frame %u where frame %llu of this model would begin", (unsigned)number,
                               (unsigned long long)pliant__cache_number(c, index));
    time = at + 1;
    comma = memchr(time, ',', (size_t)(k->end - time));
    if (!comma || pliant__parse_number(time, (size_t)(comma - time), &seconds) != PLIANT__NUMBER_OK)
        return fail_line(c, k->line, "behind the frame's number stands the time", error);
    c->head.count = 0;
    return put_frame(&c->head, number, time, (size_t)(comma - time)) || pliant__fail_memory(error, c->head.count, "a line");
}

/* Goes on to body `index`: its name comes behind the first `common` bytes of c->head. */
static bool begin_body(pliant_cache *c, cursor *k, size_t common, uint32_t index, pliant_error *error)
{
    k->body = pliant_model_body_at(c->place.model, index);
    c->head.count = common;
    return put_name(&c->head, k->body.name) || pliant__fail_memory(error, c->head.count, "a line");
}

/* The line's head and the vertex's number. */
static bool take_head(const pliant_cache *c, cursor *k, uint32_t vertex, pliant_error *error)
{
    const char *at = k->at, *line_end = memchr(k->at, '\n', (size_t)(k->end - k->at));
    size_t      there = (size_t)((line_end ? line_end : k->end) - k->at);
    uint64_t    number;
    bool        alike = there > c->head.count && memcmp(at, c->head.data, c->head.count) == 0;
    if (alike) at += c->head.count;
    if (alike && pliant__take_count(&at, k->end, &number) && number == vertex && at < k->end && *at == ',') {
        k->at = at + 1;
        return true;
    }
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, c->place.path, pliant__line(k->line),
                           "\"%.*s\" where \"%.*s%u,\" is expected: damaged, or not of this model, where %s has %u vertices",
                           (int)least(there, 60), k->at, (int)least(c->head.count, 200), c->head.data, vertex, k->body.name,
                           k->body.vertex_count);
}

/* One line. */
static bool take_vertex(const pliant_cache *c, cursor *k, uint32_t vertex, pliant_vec3 *x, pliant_vec3 *v, pliant_error *error)
{
    pliant_real *to[6] = {&x->x, &x->y, &x->z, &v->x, &v->y, &v->z};
    if (!take_head(c, k, vertex, error)) return false;
    const char *line_end = memchr(k->at, '\n', (size_t)(k->end - k->at));
    if (!line_end) return fail_line(c, k->line, "the file has changed since it was opened", error);
    for (int i = 0; i < 6; i++) {
        const char *end = i < 5 ? memchr(k->at, ',', (size_t)(line_end - k->at)) : line_end;
        if (!end) return fail_line(c, k->line, "a line has ten fields", error);
        if (!pliant__take_real(k->at, (size_t)(end - k->at), to[i]))
            return pliant__fail_at(error, PLIANT_ERROR_INPUT, c->place.path, pliant__line(k->line), "%.*s is not a finite number",
                                   (int)least((size_t)(end - k->at), 40), k->at);
        k->at = end + 1;
    }
    k->line++;
    return true;
}

bool pliant__csv_read(pliant_cache *c, uint32_t index, pliant_error *error)
{
    uint64_t begin = c->begins.data[index], size = c->begins.data[index + 1] - begin;
    if (!pliant__cache_load(c, &c->files[0], begin, (size_t)size, error)) return false;
    cursor k = {.at = c->text.data, .end = c->text.data + size, .line = line_of_frame(c, index)};
    if (!take_frame_head(c, &k, index, error)) return false;
    size_t common = c->head.count;
    for (uint32_t i = 0; i < c->place.body_count; i++) {
        if (!begin_body(c, &k, common, i, error)) return false;
        for (size_t j = c->offset[i]; j < c->offset[i + 1]; j++)
            if (!take_vertex(c, &k, (uint32_t)(j - c->offset[i]), &c->x[j], &c->v[j], error)) return false;
    }
    return true;
}

/* Line ends among the bytes in c->text, which lie at `offset` of the file. */
static bool count_lines(pliant_cache *c, uint64_t offset, uint64_t *lines, uint64_t *line_begin, pliant_error *error)
{
    const char *at = c->text.data, *end = at + c->text.count, *found;
    uint64_t    per_frame = c->offset[c->place.body_count];
    for (; c->begins.count <= c->most && (found = memchr(at, '\n', (size_t)(end - at))) != NULL; at = found + 1) {
        uint64_t next = offset + (uint64_t)(found - c->text.data) + 1;
        if (next - *line_begin > LONGEST_LINE) break;
        *line_begin = next;
        if (++*lines % per_frame == 0 && !array_push(NULL, &c->begins, next))
            return pliant__fail_memory(error, c->begins.count * sizeof next, "the frames' places");
    }
    return c->begins.count > c->most || offset + c->text.count - *line_begin <= LONGEST_LINE ||
           fail_line(c, *lines + 2, "the line is too long", error);
}

static bool find_frames(pliant_cache *c, uint64_t *lines, pliant_error *error)
{
    const pliant__source *file = &c->files[0];
    uint64_t              line_begin = HEADER;
    if (!array_push(NULL, &c->begins, line_begin)) return pliant__fail_memory(error, sizeof line_begin, "the frames' places");
    for (uint64_t at = HEADER; at < file->size && c->begins.count <= c->most; at += c->text.count)
        if (!pliant__cache_load(c, file, at, least(file->size - at, 1 << 16), error) || !count_lines(c, at, lines, &line_begin, error))
            return false;
    c->frames = (uint32_t)(c->begins.count - 1);
    return true;
}

/* A cache of another model shows when the second frame does not begin where it should. The last one looked at may be one that is not whole,
 * if it has a line. */
static bool check_heads(pliant_cache *c, bool more, pliant_error *error)
{
    const pliant__source *file = &c->files[0];
    for (uint32_t i = 0; i < c->frames + more; i++) {
        uint64_t at = c->begins.data[i];
        size_t   size = least(file->size - at, LONGEST_LINE);
        if (!pliant__cache_load(c, file, at, size, error)) return false;
        cursor k = {.at = c->text.data, .end = c->text.data + size, .line = line_of_frame(c, i)};
        if (!take_frame_head(c, &k, i, error) || !begin_body(c, &k, c->head.count, 0, error) || !take_head(c, &k, 0, error)) return false;
    }
    return true;
}

bool pliant__csv_open(pliant_cache *c, pliant_error *error)
{
    uint64_t per_frame = c->offset[c->place.body_count], lines = 0;
    if (!pliant__cache_open_files(c, 1, pliant__place_path, error)) return false;
    size_t there = least(c->files[0].size, HEADER);
    if (!pliant__cache_load(c, &c->files[0], 0, there, error)) return false;
    if (there < HEADER || memcmp(c->text.data, header, HEADER) != 0)
        return pliant__fail_at(error, PLIANT_ERROR_INPUT, c->place.path, 1, "the first line is not \"%.*s\"", HEADER - 1, header);
    if (!find_frames(c, &lines, error) || !check_heads(c, lines % per_frame > 0, error)) return false;
    return c->frames > 0 ||
           pliant__fail_at(error, PLIANT_ERROR_INPUT, c->place.path, 0, "no whole frame: %llu lines where the model has %llu",
                           (unsigned long long)lines, (unsigned long long)per_frame);
}
