/* A ParaView Data file, NAME.pvd, and the files that it lists: NAME/BODY.0001.vtp, one per body and frame. The list says when each is and
 * what its body is called.
 *
 * A frame is listed once its files are there. The list has a free place for every frame to come, blanks behind a comment, so that listing one more is
 * writing over some; where the number of frames is unknown, a full list is made anew, twice as long, and takes the place of the one before. A place
 * is a power of two, and begins at a multiple of it: it is written at once. */
#include "io/files/number.h"
#include "io/cache/vtp.h"

#include <stdlib.h>
#include <string.h>

static const char head[] =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n  <Collection>\n";
static const char tail[] = "  </Collection>\n</VTKFile>\n";
static const char unused[] = "<!---->"; /* beginning of a free place */

/* A body's line: this, the time, the file up to the frame's number, the number. */
static const char before_time[] = "<DataSet timestep=\"";

static bool put_file(pliant__bytes *to, const pliant__place *place, uint32_t body)
{
    const char *slash = strrchr(place->folder, '/');
    return pliant__put_text(to, "\" group=\"\" part=\"") && pliant__put_count(to, body, '"') && pliant__put_text(to, " name=\"") &&
           pliant__put_xml(to, place->names[body]) && pliant__put_text(to, "\" file=\"") &&
           pliant__put_xml(to, slash ? slash + 1 : place->folder) && pliant__put_text(to, "/") && pliant__put_xml(to, place->names[body]) &&
           pliant__put_text(to, ".");
}

/* At least four digits, as file names have them. */
static bool put_number(pliant__bytes *to, uint32_t frame)
{
    for (uint32_t least = 1000; least > 1 && frame < least; least /= 10)
        if (!pliant__put_text(to, "0")) return false;
    return pliant__put_count(to, frame, '.') && pliant__put_text(to, "vtp\"/>\n");
}

/* ---- writing ---- */

typedef struct list {
    uint64_t room;  /* frames that it has places for; 0: there is none yet */
    uint64_t place; /* how large one is, and where the first begins */
} list;

static bool put_lines(pliant__bytes *to, const pliant_writer *w, const char *time, size_t length, uint32_t number)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < w->place.body_count; i++)
        ok = pliant__put_text(to, before_time) && pliant__put(to, time, length) && put_file(to, &w->place, i) && put_number(to, number);
    return ok;
}

static bool put_blanks(pliant__bytes *to, size_t count)
{
    char *at = array_extend(NULL, to, count);
    if (!at) return false;
    memset(at, ' ', count);
    if (count) at[count - 1] = '\n';
    return true;
}

/* Large enough for the longest time and number, and for the head. */
static bool measure_place(pliant_writer *w, list *l)
{
    static const char longest_time[PLIANT__NUMBER_SIZE];
    const size_t      before = w->text.count;
    bool              ok = put_lines(&w->text, w, longest_time, sizeof longest_time, UINT32_MAX);
    const size_t      longest = w->text.count - before;
    w->text.count = before;
    for (l->place = 256; l->place <= longest || l->place < sizeof head;) l->place *= 2;
    return ok;
}

static bool put_frame(pliant_writer *w, const list *l, uint64_t frame)
{
    char         time[PLIANT__NUMBER_SIZE];
    const size_t before = w->text.count, length = pliant__format_shortest(time, pliant__def_time(&w->def, frame));
    return put_lines(&w->text, w, time, length, (uint32_t)pliant__def_number(&w->def, frame)) &&
           put_blanks(&w->text, (size_t)l->place - (w->text.count - before));
}

static bool put_list(pliant_writer *w, list *l, uint64_t frames)
{
    w->text.count = 0;
    bool ok = measure_place(w, l) && pliant__put_text(&w->text, head) && put_blanks(&w->text, (size_t)l->place - (sizeof head - 1));
    for (uint64_t i = 0; ok && i < l->room; i++)
        ok = i < frames ? put_frame(w, l, i)
                        : pliant__put_text(&w->text, unused) && put_blanks(&w->text, (size_t)l->place - (sizeof unused - 1));
    return ok && pliant__put_text(&w->text, tail);
}

/* Makes the list anew, with so many frames, and room for as many as are to come, or for twice as many. */
static bool make_list(pliant_writer *w, uint64_t frames, pliant_error *error)
{
    list         *l = w->own;
    pliant__file *file = w->files;
    for (l->room = w->def.frames ? w->def.frames : 64; l->room < frames;) l->room *= 2;
    if (!put_list(w, l, frames)) return pliant__fail_memory(error, w->text.count, "a list");
    return pliant__file_close(file, error) && pliant__file_open(file, w->place.path, error) &&
           pliant__file_append(file, w->text.data, w->text.count, error) && pliant__file_commit(file, error);
}

static bool add_frame(pliant_writer *w, uint64_t frame, pliant_error *error)
{
    const list *l = w->own;
    w->text.count = 0;
    if (!put_frame(w, l, frame)) return pliant__fail_memory(error, w->text.count, "a list");
    return pliant__file_patch(w->files, (frame + 1) * l->place, w->text.data, w->text.count, error) && pliant__file_commit(w->files, error);
}

static bool start(pliant_writer *w, pliant_error *error)
{
    pliant__file_sweep(w->place.path);
    w->own = calloc(1, sizeof(list));
    if (!w->own) return pliant__fail_memory(error, sizeof(list), "a list");
    return pliant__writer_make_files(w, 1, error) && pliant__writer_note(w, w->place.path, error);
}

bool pliant__pvd_write(pliant_writer *w, const pliant_state *state, pliant_error *error)
{
    if (w->frames == 0 && !start(w, error)) return false;
    if (!pliant__folder_write(w, state, pliant__vtp_put, error)) return false;
    const list *l = w->own;
    if (w->frames && w->frames < l->room) return add_frame(w, w->frames, error);
    return make_list(w, w->frames + 1ull, error) && (w->frames || pliant__folder_clear(w, error));
}

/* First the list is shortened, then the files go. */
bool pliant__pvd_resume(pliant_writer *w, pliant_cache *cache, pliant_error *error)
{
    return start(w, error) && make_list(w, w->def.there, error) && pliant__folder_resume(w, cache, error);
}

/* ---- before ---- */

bool pliant__pvd_bytes(const pliant__place *place, const pliant_write_def *def, uint64_t *bytes, pliant_error *error)
{
    pliant_writer w = {.place = *place, .def = *def};
    list          l = {0};
    uint64_t      frame = 0, body;
    bool          ok = measure_place(&w, &l);
    for (uint32_t i = 0; ok && i < place->body_count; i++, frame += body) {
        const pliant_body_info b = pliant__place_body(place, i);
        ok = pliant__vtp_size(&b, &body);
    }
    array_free(NULL, &w.text);
    *bytes = def->frames ? (1 + (uint64_t)def->frames) * l.place + sizeof tail - 1 + def->frames * frame : 0;
    return ok || pliant__fail_memory(error, 1024, "a header");
}

bool pliant__pvd_own(const pliant__place *place, uint32_t body, const char *text, size_t size, const pliant__source *file)
{
    (void)place, (void)body, (void)file;
    return pliant__vtp_own(text, size);
}

bool pliant__pvd_own_list(const pliant__place *place, uint32_t i, const char *text, size_t size, const pliant__source *file)
{
    (void)place, (void)i, (void)file;
    return pliant__begins(text, size, head);
}

/* ---- reading ---- */

typedef struct list_text {
    pliant_cache *cache;
    const char   *begin, *at, *end;
    pliant__bytes expected;
    pliant_error *error;
} list_text;

/* Whether `expected` comes next; the scan is then behind it. */
static bool take_expected(list_text *t)
{
    const size_t n = t->expected.count;
    if ((size_t)(t->end - t->at) < n || memcmp(t->at, t->expected.data, n) != 0) return false;
    t->at += n;
    return true;
}

/* Whether a text comes next, or as much of it as there is before the end. */
static bool comes(const list_text *t, const char *text)
{
    const size_t left = (size_t)(t->end - t->at), n = strlen(text);
    return memcmp(t->at, text, left < n ? left : n) == 0;
}

static void skip_blanks(list_text *t)
{
    while (t->at < t->end && (*t->at == ' ' || *t->at == '\n')) t->at++;
}

static bool take_time(list_text *t, const char *line_end)
{
    const char *quote = memchr(t->at, '"', (size_t)(line_end - t->at));
    double      time;
    if (!quote || pliant__parse_number(t->at, (size_t)(quote - t->at), &time) != PLIANT__NUMBER_OK) return false;
    t->at = quote;
    return true;
}

/* The number of a frame. The first sets cache->first, the second cache->every. */
static bool take_number(list_text *t, bool first)
{
    const char   *at = t->at;
    pliant_cache *c = t->cache;
    uint64_t      number = 0;
    if (first && c->frames < 2) {
        for (; at < t->end && *at >= '0' && *at <= '9' && at - t->at < 10; at++) number = number * 10 + (uint64_t)(*at - '0');
        if (number > UINT32_MAX || (c->frames && number <= c->first)) return false;
        if (c->frames)
            c->every = (uint32_t)number - c->first;
        else
            c->first = (uint32_t)number;
    }
    number = pliant__cache_number(c, c->frames);
    t->expected.count = 0;
    return number <= UINT32_MAX && put_number(&t->expected, (uint32_t)number) && take_expected(t);
}

/* A body's line, all of it. */
static bool take_line(list_text *t, const char *line_end, uint32_t body)
{
    t->expected.count = 0;
    if (!pliant__put_text(&t->expected, before_time) || !take_expected(t) || !take_time(t, line_end)) return false;
    t->expected.count = 0;
    return put_file(&t->expected, &t->cache->place, body) && take_expected(t) && take_number(t, body == 0);
}

static bool fail_line(const list_text *t, const char *at, const char *what)
{
    int line = 1;
    for (const char *p = t->begin; p < at; p++) line += *p == '\n';
    return pliant__fail_at(t->error, PLIANT_ERROR_INPUT, t->cache->place.path, line, "%s", what);
}

/* The frames that are listed, as many as count. One counts if all of its lines are there: a list that was cut has its frames up to there. */
static bool take_frames(list_text *t)
{
    const uint32_t bodies = t->cache->place.body_count;
    for (skip_blanks(t); t->cache->frames < t->cache->most && t->at < t->end && !comes(t, unused) && !comes(t, tail + 2);
         skip_blanks(t), t->cache->frames++)
        for (uint32_t i = 0; i < bodies; i++) {
            const char *line = t->at, *line_end = memchr(line, '\n', (size_t)(t->end - line));
            if (!line_end) return true;
            if (!take_line(t, line_end, i))
                return fail_line(t, line, "not a line of this frame and body that Pliant writes for this model");
        }
    return true;
}

/* Free places and the tail; or a line that was cut. Behind those that count, the list of many bodies may be killed within a place. */
static bool take_rest(list_text *t)
{
    if (t->cache->frames == t->cache->most) return true;
    for (; t->at < t->end && comes(t, unused); skip_blanks(t))
        t->at += (size_t)(t->end - t->at) < sizeof unused ? t->end - t->at : (ptrdiff_t)sizeof unused - 1;
    return t->at == t->end || comes(t, tail + 2) || !memchr(t->at, '\n', (size_t)(t->end - t->at)) ||
           fail_line(t, t->at, "not a list that Pliant writes");
}

static bool take_list(list_text *t)
{
    t->expected.count = 0;
    if (!pliant__put_text(&t->expected, head)) return pliant__fail_memory(t->error, sizeof head, "a list");
    if (!take_expected(t))
        return pliant__fail_at(t->error, PLIANT_ERROR_INPUT, t->cache->place.path, 0, "not a list that Pliant writes, or cut off");
    return take_frames(t) && take_rest(t);
}

bool pliant__pvd_open(pliant_cache *c, pliant_error *error)
{
    pliant__source file;
    bool           ok = pliant__source_open(&file, c->place.path, error) && pliant__cache_load(c, &file, 0, (size_t)file.size, error);
    if (ok) {
        list_text t = {.cache = c, .begin = c->text.data, .at = c->text.data, .end = c->text.data + c->text.count, .error = error};
        ok = take_list(&t);
        array_free(NULL, &t.expected);
    }
    pliant__source_close(&file);
    if (ok && !c->frames) ok = pliant__fail_at(error, PLIANT_ERROR_INPUT, c->place.path, 0, "no whole frame");
    return ok && pliant__folder_open(c, pliant__vtp_take, pliant__vtp_largest, error);
}

bool pliant__pvd_read(pliant_cache *c, uint32_t index, pliant_error *error)
{
    return pliant__folder_read(c, index, pliant__vtp_take, pliant__vtp_largest, error);
}
