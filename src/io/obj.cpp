/* tinyobjloader, behind a C face. Its callback interface is used because it hands over faces as the file has them: no triangulation, no
 * limit of 255 corners, and no merging of vertices. No exception leaves this file. */
#include "io/obj.h"

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

/* Reads the caller's bytes in place. */
struct memory_buffer : std::streambuf {
    memory_buffer(const char *text, size_t length)
    {
        char *start = const_cast<char *>(text);
        setg(start, start, start + length);
    }
};

struct walk {
    const pliant__obj_sink *sink;
    std::vector<int>        indices;
};

void on_vertex(void *user, tinyobj::real_t, tinyobj::real_t, tinyobj::real_t, tinyobj::real_t)
{
    const walk *w = static_cast<const walk *>(user);
    if (!w->sink->vertex(w->sink->context)) throw stopped();
}

void on_face(void *user, tinyobj::index_t *corners, int count)
{
    walk *w = static_cast<walk *>(user);
    w->indices.clear();
    for (int i = 0; i < count; i++) w->indices.push_back(corners[i].vertex_index);
    if (!w->sink->face(w->sink->context, w->indices.data(), w->indices.size())) throw stopped();
}

} // namespace

extern "C" bool pliant__obj_parse(const char *text, size_t length, const pliant__obj_sink *sink, bool *out_of_memory)
{
    *out_of_memory = false;
    try {
        memory_buffer       buffer(text, length);
        std::istream        stream(&buffer);
        walk                w = {sink, {}};
        tinyobj::callback_t calls;
        calls.vertex_cb = on_vertex;
        calls.index_cb = on_face;
        return tinyobj::LoadObjWithCallback(stream, calls, &w);
    } catch (const stopped &) {
        return false;
    } catch (...) {
        *out_of_memory = true;
        return false;
    }
}
