/* Bodies as the files of a cache have them.
 *
 * Faces of a body that tears change from frame to frame. A format either has the faces of each frame, or it has the body exploded: a vertex per corner of
 * its faces, which then never change. Formats ask here for counts, faces and vertices of bodies, and need not know of which kind one is. */
#include "io/cache/format.h"

#include <string.h>

bool pliant__tears(const pliant_body_info *b) { return b->spare_count > 0 && !b->visual; }

bool pliant__explodes(const pliant__place *place, const pliant_body_info *b) { return place->exploded && pliant__tears(b); }

bool pliant__reshapes(const pliant__place *place, const pliant_body_info *b) { return !place->exploded && pliant__tears(b); }

pliant_body_info pliant__place_body(const pliant__place *place, uint32_t index)
{
    pliant_body_info b = pliant_model_body_at(place->model, index);
    if (pliant__explodes(place, &b)) b.surface_vertex_count = b.face_index_count;
    return b;
}

bool pliant__place_explode(pliant__place *place)
{
    uint32_t corners = 0, vertices = 0;
    for (uint32_t i = 0; i < place->body_count; i++) {
        const pliant_body_info b = pliant_model_body_at(place->model, i);
        if (!pliant__explodes(place, &b)) continue;
        if (b.face_index_count > corners) corners = b.face_index_count;
        if (b.surface_vertex_count > vertices) vertices = b.surface_vertex_count;
    }
    if (!corners) return true;
    place->corners = pliant__alloc_array(NULL, corners, sizeof *place->corners);
    place->vertices = pliant__alloc_array(NULL, 2 * (size_t)vertices, sizeof *place->vertices);
    for (uint32_t i = 0; place->corners && i < corners; i++) place->corners[i] = i;
    return place->corners && place->vertices;
}

/* ---- faces ---- */

void pliant__place_faces(const pliant__place *place, const pliant_body_info *b, const uint32_t **sizes, const uint32_t **corners)
{
    pliant_model_faces(place->model, b->body, sizes, corners);
    if (pliant__explodes(place, b) && corners) *corners = place->corners;
}

const uint32_t *pliant__faces_now(const pliant__place *place, const pliant_body_info *b, const pliant_state *state)
{
    return pliant__explodes(place, b) ? place->corners : pliant_state_faces(state, b->body);
}

/* ---- vertices ---- */

uint32_t pliant__origin_now(const pliant__place *place, const pliant_body_info *b, const pliant_state *state, uint32_t vertex)
{
    if (!pliant__tears(b)) return vertex;
    return pliant_state_origin(state, b->body, pliant__explodes(place, b) ? pliant_state_faces(state, b->body)[vertex] : vertex);
}

/* `width` vectors per vertex, by a function of the library, to the head of every `stride` vectors. */
static bool put(const pliant__place *place, const pliant_body_info *b, const pliant_state *state,
                pliant_code (*write)(const pliant_state *, pliant_body, void *, size_t), size_t width, pliant_vec3 *out, size_t stride)
{
    if (!pliant__explodes(place, b)) return write(state, b->body, out, stride * sizeof *out) == PLIANT_OK;
    const uint32_t *corner = pliant_state_faces(state, b->body);
    if (!corner || write(state, b->body, place->vertices, width * sizeof *out) != PLIANT_OK) return false;
    for (uint32_t i = 0; i < b->face_index_count; i++, out += stride) memcpy(out, place->vertices + width * corner[i], width * sizeof *out);
    return true;
}

bool pliant__put_positions(const pliant__place *place, const pliant_body_info *b, const pliant_state *state, pliant_vec3 *out,
                           size_t stride)
{
    return put(place, b, state, pliant_state_write_positions, 1, out, stride);
}

bool pliant__put_velocities(const pliant__place *place, const pliant_body_info *b, const pliant_state *state, pliant_vec3 *out)
{
    return put(place, b, state, pliant_state_write_velocities, 1, out, 1);
}

bool pliant__put_vertices(const pliant__place *place, const pliant_body_info *b, const pliant_state *state, pliant_vec3 *out)
{
    return put(place, b, state, pliant_state_write_vertices, 2, out, 2);
}
