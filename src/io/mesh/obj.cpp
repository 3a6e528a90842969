/* tinyobjloader, behind a C face. Its callback interface is used because it hands over faces as the file has them: no triangulation, no
 * limit of 255 corners, and no merging of vertices. No exception leaves this file. */
#include "io/mesh/obj.h"

#include <new>
#include <streambuf>
#include <vector>

/* The reader's names become this library's own, so that the float and the double one fit into one program. */
#ifdef PLIANT_DOUBLE
#define tinyobj pliantd__tinyobj
#else
#define tinyobj pliant__tinyobj
#endif
#define TINYOBJLOADER_IMPLEMENTATION
#include <tiny_obj_loader.h>

namespace
{

struct stopped {
};

/* Reads the caller's lines in place, each with an end behind it. */
struct line_buffer : std::streambuf {
    explicit line_buffer(const pliant__obj_sink *from) : sink(from) {}

    int_type underflow() override
    {
        static char newline = '\n';
        const char *start = &newline, *end = start + 1;
        if (ended && !sink->line(sink->context, &start, &end)) return traits_type::eof();
        ended = !ended || start == end;
        if (start == end) start = &newline, end = start + 1;
        setg(const_cast<char *>(start), const_cast<char *>(start), const_cast<char *>(end));
        return traits_type::to_int_type(*start);
    }

    const pliant__obj_sink *sink;
    bool                    ended = true; /* the line before */
};

struct walk {
    const pliant__obj_sink *sink;
    std::vector<int>        indices, textures;
};

void on_vertex(void *user, tinyobj::real_t, tinyobj::real_t, tinyobj::real_t, tinyobj::real_t)
{
    const walk *w = static_cast<const walk *>(user);
    if (!w->sink->vertex(w->sink->context)) throw stopped();
}

void on_texture(void *user, tinyobj::real_t, tinyobj::real_t, tinyobj::real_t)
{
    const walk *w = static_cast<const walk *>(user);
    if (!w->sink->texture(w->sink->context)) throw stopped();
}

void on_face(void *user, tinyobj::index_t *corners, int count)
{
    walk *w = static_cast<walk *>(user);
    w->indices.clear();
    w->textures.clear();
    for (int i = 0; i < count; i++) {
        w->indices.push_back(corners[i].vertex_index);
        w->textures.push_back(corners[i].texcoord_index);
    }
    if (!w->sink->face(w->sink->context, w->indices.data(), w->textures.data(), w->indices.size())) throw stopped();
}

} // namespace

extern "C" bool pliant__obj_parse(const pliant__obj_sink *sink, bool *out_of_memory)
{
    *out_of_memory = false;
    try {
        line_buffer         buffer(sink);
        std::istream        stream(&buffer);
        walk                w = {sink, {}, {}};
        tinyobj::callback_t calls;
        calls.vertex_cb = on_vertex;
        calls.texcoord_cb = on_texture;
        calls.index_cb = on_face;
        return tinyobj::LoadObjWithCallback(stream, calls, &w);
    } catch (const stopped &) {
        return false;
    } catch (...) {
        *out_of_memory = true;
        return false;
    }
}
