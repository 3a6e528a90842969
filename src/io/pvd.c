/* A ParaView Data file, NAME.pvd, and the files that it lists: NAME/BODY.0001.vtp, one per body and frame. The list says when each is and
 * what its body is called. It is written anew after every frame, behind the frame's files, and takes the place of the one before; so it
 * never lists what is not there. */
#include "base/vec.h"
#include "io/number.h"
#include "io/vtp.h"

#include <stdlib.h>
#include <string.h>

static const char head[] =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n  <Collection>\n";
static const char tail[] = "  </Collection>\n</VTKFile>\n";

/* A body's line: this, the time, the file up to the frame's number, the number. */
static const char before_time[] = "    <DataSet timestep=\"";

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

static bool put_frame(pliant_writer *w, uint32_t frame)
{
    char   time[PLIANT__NUMBER_SIZE];
    size_t length = pliant__format_shortest(time, ((double)w->def.first_frame + frame) / w->def.fps);
    bool   ok = true;
    for (uint32_t i = 0; ok && i < w->place.body_count; i++)
        ok = pliant__put_text(&w->kept, before_time) && pliant__put(&w->kept, time, length) && put_file(&w->kept, &w->place, i) &&
             put_number(&w->kept, w->def.first_frame + frame);
    return ok;
}

/* Writes the list, of what is in writer->kept. */
static bool write_list(pliant_writer *w, pliant_error *error)
{
    pliant__file file;
    if (!pliant__file_open(&file, w->place.path, error)) return false;
    bool ok = pliant__file_append(&file, head, sizeof head - 1, error) && pliant__file_append(&file, w->kept.data, w->kept.count, error) &&
              pliant__file_append(&file, tail, sizeof tail - 1, error) && pliant__file_commit(&file, error);
    return pliant__file_close(&file, ok ? error : NULL) && ok;
}

bool pliant__pvd_write(pliant_writer *w, const pliant_state *state, pliant_error *error)
{
    if (w->frames == 0) pliant__file_sweep(w->place.path);
    if (w->frames == 0 && !pliant__writer_note(w, w->place.path, error)) return false;
    if (!pliant__folder_write(w, state, pliant__vtp_put, error)) return false;
    if (!put_frame(w, w->frames)) return pliant__fail_memory(error, w->kept.count, "a list");
    return write_list(w, error);
}

/* First the list is shortened, then the files go. */
bool pliant__pvd_resume(pliant_writer *w, pliant_cache *cache, pliant_error *error)
{
    pliant__file_sweep(w->place.path);
    for (uint32_t i = 0; i < w->def.there; i++)
        if (!put_frame(w, i)) return pliant__fail_memory(error, w->kept.count, "a list");
    return write_list(w, error) && pliant__writer_note(w, w->place.path, error) && pliant__folder_resume(w, cache, error);
}

/* ---- reading ---- */

typedef struct list_text {
    pliant_cache *cache;
    const char   *at, *end;
    int           line;
    pliant__bytes expected;
    pliant_error *error;
} list_text;

/* Whether what comes next is `expected`; it is then behind it. */
static bool take_expected(list_text *t)
{
    const size_t n = t->expected.count;
    if ((size_t)(t->end - t->at) < n || memcmp(t->at, t->expected.data, n) != 0) return false;
    t->at += n;
    return true;
}

static bool take_time(list_text *t, const char *line_end)
{
    const char *quote = memchr(t->at, '"', (size_t)(line_end - t->at));
    double      time;
    if (!quote || pliant__parse_number(t->at, (size_t)(quote - t->at), &time) != PLIANT__NUMBER_OK) return false;
    t->at = quote;
    return true;
}

/* The number of a frame; `first` if that is still to be found out. */
static bool take_number(list_text *t, bool first)
{
    const char *at = t->at;
    uint64_t    number = 0;
    if (first) {
        for (; at < t->end && *at >= '0' && *at <= '9' && at - t->at < 10; at++) number = number * 10 + (uint64_t)(*at - '0');
        if (number > UINT32_MAX) return false;
        t->cache->first = (uint32_t)number;
    }
    t->expected.count = 0;
    return put_number(&t->expected, t->cache->first + t->cache->frames) && take_expected(t);
}

/* A body's line, all of it. */
static bool take_line(list_text *t, const char *line_end, uint32_t body)
{
    t->expected.count = 0;
    if (!pliant__put_text(&t->expected, before_time) || !take_expected(t) || !take_time(t, line_end)) return false;
    t->expected.count = 0;
    return put_file(&t->expected, &t->cache->place, body) && take_expected(t) && take_number(t, t->cache->frames == 0 && body == 0);
}

static bool is_tail(const list_text *t)
{
    const size_t left = (size_t)(t->end - t->at), most = sizeof tail - 1;
    return left <= most && memcmp(t->at, tail, left) == 0;
}

/* A frame counts if all of its lines are there. A list that was cut has its frames up to there. */
static bool take_list(list_text *t)
{
    const char *const path = t->cache->place.path;
    const uint32_t    bodies = t->cache->place.body_count;
    t->expected.count = 0;
    if (!pliant__put_text(&t->expected, head)) return pliant__fail_memory(t->error, sizeof head, "a list");
    if (!take_expected(t)) return pliant__fail_at(t->error, PLIANT_ERROR_INPUT, path, 0, "not a list that Pliant writes, or cut off");
    for (t->line = 4; t->at < t->end && !is_tail(t); t->cache->frames++)
        for (uint32_t i = 0; i < bodies; i++, t->line++) {
            const char *line_end = memchr(t->at, '\n', (size_t)(t->end - t->at));
            if (!line_end) return true;
            if (!take_line(t, line_end, i))
                return pliant__fail_at(t->error, PLIANT_ERROR_INPUT, path, t->line,
                                       "not the line of frame %u of %s that Pliant writes for this model",
                                       t->cache->first + t->cache->frames, pliant_model_body_at(t->cache->place.model, i).name);
        }
    return true;
}

bool pliant__pvd_open(pliant_cache *c, pliant_error *error)
{
    pliant__source file;
    bool           ok = pliant__source_open(&file, c->place.path, error) && pliant__cache_load(c, &file, 0, (size_t)file.size, error);
    if (ok) {
        list_text t = {.cache = c, .at = c->text.data, .end = c->text.data + c->text.count, .error = error};
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
