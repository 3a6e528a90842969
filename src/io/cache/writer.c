/* Caches that are written: opened, frame by frame, finished. */
#include "io/cache/parts.h"

#include "base/float_env.h"

#include <stdlib.h>

/* ---- opening ---- */

/* Checks frames that are there already: the cache is opened for reading, which fails if it is of another model or lacks them. */
static bool resume(pliant_writer *w, pliant_error *error)
{
    pliant_cache *cache = pliant__cache_open(w->place.path, w->place.model, w->def.exploded, w->def.there, error);
    bool          ok = cache != NULL, numbered = !w->place.format->parts || !w->place.format->parts->unnumbered;
    if (ok && numbered && cache->first != w->def.first_frame)
        ok = pliant__fail_at(error, PLIANT_ERROR_INPUT, w->place.path, 0,
                             "its first frame is number %u, and that of what goes on %u: it is not what was written before", cache->first,
                             w->def.first_frame);
    if (ok && cache->frames < w->def.there)
        ok =
            pliant__fail_at(error, PLIANT_ERROR_INPUT, w->place.path, 0,
                            "it has %u whole frames from number %u on, and going on needs %u from %u on: it is not what was written before",
                            cache->frames, cache->first, w->def.there, w->def.first_frame);
    if (ok && cache->every && cache->every != w->def.every)
        ok = pliant__fail_at(error, PLIANT_ERROR_INPUT, w->place.path, 0,
                             "its frames' numbers are %u apart, and those that go on %u: it is not what was written before", cache->every,
                             w->def.every);
    if (ok && cache->rate > 0 && cache->rate != pliant__def_rate(&w->def))
        ok = pliant__fail_at(error, PLIANT_ERROR_INPUT, w->place.path, 0, "it has %g frames per second, and %g are to follow",
                             cache->rate / w->def.every, w->def.fps);
    ok = ok && w->place.format->resume(w, cache, error);
    pliant_cache_close(cache);
    if (ok) w->frames = w->def.there;
    return ok;
}

/* Faces that change need a format with faces in each frame, or a vertex per corner of them. */
static bool takes_torn(const pliant_writer *w, pliant_error *error)
{
    const bool fixed = !w->place.format->torn && !w->def.exploded;
    if (w->def.exploded && w->place.format->simulated)
        return pliant__fail_at(error, PLIANT_ERROR_ARGUMENT, w->place.path, 0,
                               "a %s file has simulated vertices and no faces: it is not exploded", w->place.format->info.ending);
    for (uint32_t i = 0; i < w->place.body_count && fixed; i++) {
        const pliant_body_info b = pliant__place_body(&w->place, i);
        if (pliant__tears(&b))
            return pliant__fail_at(error, PLIANT_ERROR_ARGUMENT, w->place.path, 0,
                                   "a %s file has faces once for all frames, and those of %s change where it tears; take .obj, .ply, .pvd, "
                                   ".usda, .abc or .vtkhdf, or a vertex per "
                                   "corner of a face (--exploded)",
                                   w->place.format->info.ending, b.name);
    }
    return true;
}

/* Room for the largest body. */
static bool make_room(pliant_writer *w, pliant_error *error)
{
    uint32_t largest = 1;
    for (uint32_t i = 0; i < w->place.body_count; i++) {
        pliant_body_info b = pliant__place_body(&w->place, i);
        if (b.vertex_count > largest) largest = b.vertex_count;
        if (b.surface_vertex_count > largest) largest = b.surface_vertex_count;
    }
    w->x = pliant__alloc_array(NULL, 2 * (size_t)largest, sizeof *w->x);
    w->v = pliant__alloc_array(NULL, largest, sizeof *w->v);
    return (w->x && w->v) || pliant__fail_memory(error, largest * 2 * sizeof *w->x, "a frame");
}

/* Refuses a cache that will not fit on the disk, before anything is written, if the number of frames is known. */
static bool fits(const pliant_writer *w, pliant_error *error)
{
    const pliant__parts *parts = w->place.format->parts;
    return !parts || !parts->fits || !w->def.frames || parts->fits(&w->place, w->def.frames, error);
}

pliant_writer *pliant_writer_open(const char *path, const pliant_model *model, const pliant_write_def *def, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!path || !*path || !model || (def && (def->size != sizeof *def || !def->every))) {
        pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a writer needs a path, a model, and a def from pliant_write_def_default");
        return NULL;
    }
    if (def && !pliant__fps_fits(def->fps)) {
        pliant__fail_at(error, PLIANT_ERROR_ARGUMENT, path, 0, "frames per second go from 1e-12 to 1e12");
        return NULL;
    }
    pliant_writer *w = calloc(1, sizeof *w);
    if (!w) {
        pliant__fail_memory(error, sizeof *w, "a writer");
        return NULL;
    }
    w->def = def ? *def : pliant_write_def_default();
    if (pliant__place_make(&w->place, path, model, w->def.exploded, error) && takes_torn(w, error) && make_room(w, error) &&
        fits(w, error) && (!w->def.there || resume(w, error)))
        return w;
    w->failed = true;
    pliant_writer_close(w, NULL);
    return NULL;
}

static bool add_frame(pliant_writer *writer, const pliant_state *state, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!writer || !state || pliant_state_model(state) != writer->place.model)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a frame needs a writer and a state of its model");
    if (writer->failed) return pliant__fail_at(error, PLIANT_ERROR_IO, writer->place.path, 0, "writing has failed before");
    if (writer->finished) return pliant__fail_at(error, PLIANT_ERROR_ARGUMENT, writer->place.path, 0, "it is finished");
    if (pliant__def_number(&writer->def, writer->frames) > UINT32_MAX)
        return pliant__fail_at(error, PLIANT_ERROR_ARGUMENT, writer->place.path, 0, "a frame's number goes up to %u", UINT32_MAX);
    writer->text.count = 0;
    if (!writer->place.format->write(writer, state, error)) {
        writer->failed = true;
        return false;
    }
    writer->frames++;
    return true;
}

pliant_code pliant_writer_frame(pliant_writer *writer, const pliant_state *state, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(add_frame(writer, state, &why), &why, error);
}

static bool finish(pliant_writer *writer, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!writer) return true;
    if (writer->failed) return pliant__fail_at(error, PLIANT_ERROR_IO, writer->place.path, 0, "writing has failed before");
    if (!writer->finished && writer->frames && writer->place.format->finish && !writer->place.format->finish(writer, error))
        writer->failed = true;
    writer->finished = !writer->failed;
    return writer->finished;
}

pliant_code pliant_writer_finish(pliant_writer *writer, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(finish(writer, &why), &why, error);
}

static bool sync_files(pliant_writer *writer, pliant_error *error)
{
    if (!writer || writer->failed) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "there is no writer, or it has failed");
    const bool listed = writer->place.format->files != NULL;
    if (writer->file_count && !listed) writer->synced = 0; /* files that stay open have grown */
    if (listed && writer->frames && !pliant__file_sync(writer->place.path, error)) return false;
    for (; writer->synced < writer->path_count; writer->synced++)
        if (!pliant__file_sync(writer->paths[writer->synced], error)) return false;
    return true;
}

pliant_code pliant_writer_sync(pliant_writer *writer, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(sync_files(writer, &why), &why, error);
}

const char *pliant_writer_path(const pliant_writer *writer, uint32_t index)
{
    return writer && index < writer->path_count ? writer->paths[index] : NULL;
}

pliant_code pliant_writer_close(pliant_writer *writer, pliant_error *error)
{
    const pliant_code finished = writer && !writer->failed ? pliant_writer_finish(writer, error) : PLIANT_OK;
    const pliant_code left = pliant_writer_leave(writer, finished ? NULL : error);
    return finished ? finished : left;
}

static bool leave(pliant_writer *writer, pliant_error *error)
{
    if (!writer) return true;
    const pliant__format *format = writer->place.format;
    bool                  ok = true;
    if (format && format->release) format->release(writer);
    for (uint32_t i = 0; i < writer->file_count; i++)
        if (!pliant__file_close(&writer->files[i], ok ? error : NULL)) ok = false;
    for (size_t i = 0; i < writer->path_count; i++) free(writer->paths[i]);
    free(writer->paths);
    pliant__place_free(&writer->place);
    pliant__free(NULL, writer->files);
    pliant__free(NULL, writer->x);
    pliant__free(NULL, writer->v);
    pliant__free(NULL, writer->floats);
    pliant__free(NULL, writer->base);
    pliant__free(NULL, writer->corners);
    array_free(NULL, &writer->text);
    array_free(NULL, &writer->kept);
    free(writer->own);
    free(writer);
    return ok;
}

pliant_code pliant_writer_leave(pliant_writer *writer, pliant_error *error)
{
    pliant_error why = {PLIANT_OK, 0, "", ""};
    return pliant__answer(leave(writer, &why), &why, error);
}
