/* Marks of a mesh's vertices: groups by name, and colours. Pairs of group and vertex are kept as they are read, and sorted at
 * the end, so that a group that a file opens a thousand times costs no more than one that it opens once. */
#include "base/hash.h"
#include "io/mesh/surface.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_GROUPS = 1024 };

static bool fail_memory(const pliant__surface *s, size_t bytes) { return pliant__fail_memory(s->error, bytes, s->path); }

bool pliant__surface_group(pliant__surface *s, const char *name, size_t length, uint32_t *number)
{
    pliant__group_name g = {.text = {0}};
    memcpy(g.text, name, length < sizeof g.text ? length : sizeof g.text - 1);
    for (char *c = g.text; *c; c++) /* it may be printed */
        if ((unsigned char)*c < 32 || *c == 127) *c = '?';
    g.hash = pliant__hash(g.text, sizeof g.text, 0);
    for (*number = 0; *number < s->groups.count; (*number)++)
        if (s->groups.data[*number].hash == g.hash && strcmp(s->groups.data[*number].text, g.text) == 0) return true;
    if (*number == MOST_GROUPS) return true;
    return array_push(NULL, &s->groups, g) || fail_memory(s, s->groups.count * sizeof g);
}

bool pliant__surface_member(pliant__surface *s, uint32_t group, uint32_t vertex)
{
    if (group >= s->groups.count) return true; /* one too many */
    return array_push(NULL, &s->members, (uint64_t)group << 32 | vertex) || fail_memory(s, s->members.count * sizeof(uint64_t));
}

static bool fill_colors(pliant__surface *s, size_t vertices)
{
    while (s->colors.count < 4 * vertices)
        if (!array_push(NULL, &s->colors, 1.0F)) return fail_memory(s, s->colors.count * sizeof(float));
    return true;
}

bool pliant__surface_color(pliant__surface *s, const double rgba[4])
{
    if (!fill_colors(s, s->positions.count / 3 - 1)) return false;
    for (int k = 0; k < 4; k++)
        if (!array_push(NULL, &s->colors, (float)(rgba[k] > 0 ? rgba[k] < 1 ? rgba[k] : 1 : 0)))
            return fail_memory(s, s->colors.count * sizeof(float));
    return true;
}

static int by_group(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* All groups' vertices lie in the memory of the first. */
static bool make_groups(pliant__surface *s, pliant_mesh *mesh)
{
    size_t left = 0;
    if (s->members.count) qsort(s->members.data, s->members.count, sizeof *s->members.data, by_group);
    for (size_t i = 0; i < s->members.count; i++)
        if (!i || s->members.data[i] != s->members.data[i - 1]) s->members.data[left++] = s->members.data[i];
    mesh->groups = pliant__alloc_array(NULL, s->groups.count, sizeof *mesh->groups);
    uint32_t *vertex = pliant__alloc_array(NULL, left + 1, sizeof *vertex);
    if (!mesh->groups || !vertex) {
        pliant__free(NULL, vertex);
        return fail_memory(s, left * sizeof *vertex);
    }
    mesh->group_count = s->groups.count;
    for (size_t g = 0, i = 0; g < s->groups.count; g++) {
        pliant_mesh_group *to = &mesh->groups[g];
        memcpy(to->name, s->groups.data[g].text, sizeof to->name);
        to->vertices = vertex + i;
        for (to->vertex_count = 0; i < left && s->members.data[i] >> 32 == g; i++, to->vertex_count++)
            vertex[i] = (uint32_t)s->members.data[i];
    }
    return true;
}

bool pliant__surface_marks(pliant__surface *s, pliant_mesh *mesh)
{
    if (s->colors.count && !fill_colors(s, s->positions.count / 3)) return false;
    mesh->colors = s->colors.data;
    s->colors.data = NULL;
    return !s->groups.count || make_groups(s, mesh);
}

void pliant__surface_forget_marks(pliant__surface *s)
{
    array_free(NULL, &s->groups);
    array_free(NULL, &s->members);
    array_free(NULL, &s->colors);
}
