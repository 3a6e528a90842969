#include "io/cache/format.h"

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

bool pliant__seams_make(const pliant__place *place, uint32_t body, pliant__seams *out)
{
    const pliant_body_info b = pliant__place_body(place, body);
    const float           *uvs = pliant_model_uvs(place->model, b.body);
    const uint32_t        *indices;
    memset(out, 0, sizeof *out);
    if (!uvs || !b.face_count) return true;
    const size_t all = (size_t)b.surface_vertex_count + b.face_index_count;
    seaming      s = {out, calloc(all + 1, sizeof *s.next), calloc(b.surface_vertex_count + 1u, sizeof *s.has), b.surface_vertex_count};
    out->of = malloc((b.face_index_count + 1u) * sizeof *out->of);
    out->corners = malloc((b.face_index_count + 1u) * sizeof *out->corners);
    out->uvs = calloc(2 * all + 1, sizeof *out->uvs);
    const bool ok = s.next && s.has && out->of && out->corners && out->uvs;
    pliant__place_faces(place, &b, NULL, &indices);
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

/* ---- pictures ---- */

typedef struct holder {
    const void *picture;
    uint32_t    body;
} holder;

/* Equal pictures lie in a model once. Addresses decide only in which order pictures are gone through; of the bodies with one picture the first is first. */
static int compare(const void *a, const void *b)
{
    const holder   *x = a, *y = b;
    const uintptr_t p = (uintptr_t)x->picture, q = (uintptr_t)y->picture;
    return p != q ? (p > q) - (p < q) : (x->body > y->body) - (x->body < y->body);
}

bool pliant__pictures_make(const pliant_model *model, const pliant__seams *seams, uint32_t bodies, pliant__pictures *out)
{
    uint32_t count = 0;
    holder  *holders = malloc((bodies + 1u) * sizeof *holders);
    out->count = 0;
    out->of = malloc((bodies + 1u) * sizeof *out->of);
    out->first = malloc((bodies + 1u) * sizeof *out->first);
    const bool ok = holders && out->of && out->first;
    for (uint32_t i = 0; ok && i < bodies; i++) {
        const void *picture = seams[i].corners ? pliant_model_body_at(model, i).look.texture : NULL;
        if (picture) holders[count++] = (holder){picture, i};
        out->of[i] = PLIANT__NO_PICTURE;
    }
    if (ok) qsort(holders, count, sizeof *holders, compare);
    for (uint32_t i = 0, first = 0; ok && i < count; i++) { /* for now: of the first body, which is its own */
        if (holders[i].picture != holders[first].picture) first = i;
        out->of[holders[i].body] = holders[first].body;
    }
    for (uint32_t i = 0; ok && i < bodies; i++) {
        const uint32_t first = out->of[i];
        if (first == i) out->first[out->count] = i;
        if (first != PLIANT__NO_PICTURE) out->of[i] = first == i ? out->count++ : out->of[first];
    }
    free(holders);
    return ok;
}

void pliant__pictures_free(pliant__pictures *pictures)
{
    free(pictures->of);
    free(pictures->first);
    memset(pictures, 0, sizeof *pictures);
}
