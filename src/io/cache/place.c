/* The places of a cache's files. */
#include "io/cache/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Empty, or the name of a body before. */
static bool is_taken(const pliant__place *place, uint32_t body, const char *name)
{
    bool taken = !*name;
    for (uint32_t i = 0; i < body; i++) taken |= strcmp(place->names[i], name) == 0;
    return taken;
}

/* A body's name with '_' for characters that a file name had better not have; where two become alike, their numbers are added. */
static char *file_name(const pliant__place *place, uint32_t body)
{
    const char *name = pliant_model_body_at(place->model, body).name;
    size_t      length = strlen(name);
    char       *out = malloc(length + 24);
    if (!out) return NULL;
    for (size_t i = 0; i <= length; i++) {
        unsigned char c = (unsigned char)name[i];
        bool          bad = c && (c < 33 || c == 127 || strchr("/\\:*?\"<>|", c) || (i == 0 && c == '.'));
        out[i] = bad ? '_' : (char)c;
    }
    for (uint32_t number = body + 1; is_taken(place, body, out); number++) snprintf(out + length, 24, "_%u", number);
    return out;
}

bool pliant__place_fill(pliant__place *place, const char *path, const pliant_model *model, pliant_error *error)
{
    size_t length = strlen(path);
    place->model = model;
    place->body_count = pliant_model_body_count(model);
    place->path = malloc(length + 1);
    place->folder = malloc(length + 1);
    place->names = calloc(place->body_count + 1u, sizeof *place->names);
    if (!place->path || !place->folder || !place->names) return pliant__fail_memory(error, length + 1, "a path");
    memcpy(place->path, path, length + 1);
    while (length > 1 && place->path[length - 1] == '/') place->path[--length] = 0;
    memcpy(place->folder, place->path, length + 1);
    place->ending = place->format->info.ending;
    if (place->format->files) place->folder[length - strlen(place->ending)] = 0;
    if (place->format->files) place->ending = place->format->files;
    for (uint32_t i = 0; i < place->body_count; i++) {
        place->names[i] = file_name(place, i);
        if (!place->names[i]) return pliant__fail_memory(error, 64, "a path");
    }
    if (!pliant__place_explode(place)) return pliant__fail_memory(error, 64, "corners of faces");
    if (!place->format->parts || !place->format->parts->seams) return true;
    place->seams = calloc(place->body_count + 1u, sizeof *place->seams);
    for (uint32_t i = 0; place->seams && i < place->body_count; i++)
        if (!pliant__seams_make(place, i, &place->seams[i])) return pliant__fail_memory(error, 64, "the seams of a texture");
    return (place->seams && pliant__pictures_make(model, place->seams, place->body_count, &place->pictures)) ||
           pliant__fail_memory(error, 64, "the seams of a texture");
}

void pliant__place_free(pliant__place *place)
{
    for (uint32_t i = 0; place->names && i < place->body_count; i++) free(place->names[i]);
    free(place->names);
    for (uint32_t i = 0; place->seams && i < place->body_count; i++) pliant__seams_free(&place->seams[i]);
    free(place->seams);
    pliant__pictures_free(&place->pictures);
    pliant__free(NULL, place->corners);
    pliant__free(NULL, place->vertices);
    free(place->path);
    free(place->folder);
}

char *pliant__place_path(const pliant__place *place, uint32_t i)
{
    size_t size = strlen(place->path) + 1;
    char  *path = malloc(size);
    (void)i;
    if (path) memcpy(path, place->path, size);
    return path;
}

char *pliant__place_body_path(const pliant__place *place, uint32_t body)
{
    const size_t ending = strlen(place->format->info.ending), head = strlen(place->path) - ending,
                 room = head + strlen(place->names[body]) + ending + 2;
    const bool several = place->body_count > 1;
    char      *path = malloc(room);
    /* The ending as it was given, in capitals perhaps. */
    if (path)
        snprintf(path, room, "%.*s%s%s%s", (int)head, place->path, several ? "." : "", several ? place->names[body] : "",
                 place->path + head);
    return path;
}
