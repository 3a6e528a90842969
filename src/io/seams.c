#include "io/seams.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64 }; /* seams of a vertex that are searched; one more finds none */

typedef struct seaming {
    pliant__seams *out;
    uint32_t      *next; /* per vertex and seam: the next seam of the same vertex; 0: none */
    bool          *has;  /* per vertex: its place is known */
    uint32_t       vertices;
} seaming;

static uint32_t find(seaming *s, uint32_t vertex, const float uv[2])
{
    float   *uvs = s->out->uvs;
    uint32_t at = vertex;
    if (!s->has[vertex]) {
        s->has[vertex] = true;
        memcpy(uvs + 2 * (size_t)vertex, uv, 2 * sizeof *uv);
    }
    for (int i = 0; i < MOST; i++, at = s->next[at]) {
        if (memcmp(uvs + 2 * (size_t)at, uv, 2 * sizeof *uv) == 0) return at;
        if (!s->next[at]) break;
    }
    const uint32_t seam = s->vertices + s->out->count;
    s->out->of[s->out->count++] = vertex;
    s->next[seam] = s->next[vertex];
    s->next[vertex] = seam;
    memcpy(uvs + 2 * (size_t)seam, uv, 2 * sizeof *uv);
    return seam;
}

bool pliant__seams_make(const pliant_model *model, pliant_body body, pliant__seams *out)
{
    const pliant_body_info b = pliant_model_body(model, body);
    const float           *uvs = pliant_model_uvs(model, body);
    const uint32_t        *indices;
    memset(out, 0, sizeof *out);
    if (!uvs || !b.face_count) return true;
    const size_t all = (size_t)b.surface_vertex_count + b.face_index_count;
    seaming      s = {out, calloc(all + 1, sizeof *s.next), calloc(b.surface_vertex_count + 1u, sizeof *s.has), b.surface_vertex_count};
    out->of = malloc((b.face_index_count + 1u) * sizeof *out->of);
    out->corners = malloc((b.face_index_count + 1u) * sizeof *out->corners);
    out->uvs = calloc(2 * all + 1, sizeof *out->uvs);
    const bool ok = s.next && s.has && out->of && out->corners && out->uvs;
    pliant_model_faces(model, body, NULL, &indices);
    for (uint32_t i = 0; ok && i < b.face_index_count; i++) out->corners[i] = find(&s, indices[i], uvs + 2 * (size_t)i);
    free(s.next);
    free(s.has);
    return ok;
}

void pliant__seams_free(pliant__seams *seams)
{
    free(seams->of);
    free(seams->corners);
    free(seams->uvs);
    memset(seams, 0, sizeof *seams);
}
