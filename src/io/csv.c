/* CSV (RFC 4180, with \n): one line per frame and simulated vertex. A frame is put together in memory and appended in one piece. */
#include "io/writer.h"

#include "io/number.h"

#include <stdlib.h>
#include <string.h>

static const char header[] = "frame,time,body,particle,x,y,z,vx,vy,vz\n";

static char *path_of(const pliant_writer *writer, uint32_t i)
{
    (void)i;
    size_t size = strlen(writer->path) + 1;
    char  *path = malloc(size);
    if (path) memcpy(path, writer->path, size);
    return path;
}

/* A name as a field: in quotes if it needs them. */
static bool put_name(pliant_writer *w, const char *name)
{
    if (!strpbrk(name, ",\"\n\r")) return pliant__writer_put(w, name, strlen(name));
    bool ok = pliant__writer_put(w, "\"", 1);
    for (; ok && *name; name++) ok = pliant__writer_put(w, name, 1) && (*name != '"' || pliant__writer_put(w, "\"", 1));
    return ok && pliant__writer_put(w, "\"", 1);
}

/* What every line of a body begins with: frame,time,body, */
static bool put_head(pliant_writer *w, const pliant_state *state, const char *name)
{
    char   time[PLIANT__NUMBER_SIZE];
    size_t length = pliant__format_shortest(time, pliant_state_time(state));
    return pliant__writer_put_count(w, (uint64_t)w->def.first_frame + w->frames, ',') && pliant__writer_put(w, time, length) &&
           pliant__writer_put(w, ",", 1) && put_name(w, name) && pliant__writer_put(w, ",", 1);
}

static bool put_vec3(pliant_writer *w, pliant_vec3 a, char after)
{
    return pliant__writer_put_number(w, a.x, ',') && pliant__writer_put_number(w, a.y, ',') && pliant__writer_put_number(w, a.z, after);
}

static bool put_body(pliant_writer *w, const pliant_state *state, uint32_t index)
{
    pliant_body_info b = pliant_model_body_at(w->model, index);
    if (pliant_state_positions(state, b.body, 0, b.vertex_count, w->x) != PLIANT_OK ||
        pliant_state_velocities(state, b.body, 0, b.vertex_count, w->v) != PLIANT_OK)
        return false;
    size_t at = w->text.count;
    if (!put_head(w, state, b.name)) return false;
    size_t length = w->text.count - at;
    char   head[512];
    if (length > sizeof head) return false; /* names have at most 63 bytes */
    memcpy(head, w->text.data + at, length);
    w->text.count = at;
    for (uint32_t v = 0; v < b.vertex_count; v++)
        if (!pliant__writer_put(w, head, length) || !pliant__writer_put_count(w, v, ',') || !put_vec3(w, w->x[v], ',') ||
            !put_vec3(w, w->v[v], '\n'))
            return false;
    return true;
}

bool pliant__csv_frame(pliant_writer *w, const pliant_state *state, pliant_error *error)
{
    bool first = w->frames == 0, ok = true;
    if (first) ok = pliant__writer_put(w, header, sizeof header - 1);
    for (uint32_t i = 0; ok && i < w->body_count; i++) ok = put_body(w, state, i);
    if (!ok) return pliant__fail_memory(error, w->text.count, "a frame");
    if (first && !pliant__writer_open_files(w, 1, path_of, error)) return false;
    if (!pliant__file_append(&w->files[0], w->text.data, w->text.count, error) || !pliant__file_commit(&w->files[0], error)) return false;
    return !first || pliant__writer_note(w, w->path, error);
}
