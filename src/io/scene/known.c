/* The objects of a scene file that know a key which is unknown where it stands. */
#include "io/scene/keys.h"

#include <stdio.h>
#include <string.h>

static bool has(const pliant__object *object, const char *key)
{
    for (size_t i = 0; i < object->count; i++)
        if (strcmp(object->keys[i].name, key) == 0) return true;
    return false;
}

enum { MOST = 3 };

/* Objects that have the key themselves, not by their base, each once; as many as are to be named, and one more. */
static size_t find(const char *key, const pliant__object *found[MOST + 1])
{
    size_t count = 0;
    for (size_t i = 0; pliant__schema_object(i); i++)
        for (const pliant__object *o = pliant__schema_object(i); o && count <= MOST; o = o->base) {
            bool again = !has(o, key);
            for (size_t k = 0; k < count; k++) again = again || found[k] == o;
            if (!again) found[count++] = o;
        }
    return count;
}

bool pliant__known_elsewhere(const char *key, char *out, size_t size)
{
    const pliant__object *found[MOST + 1];
    const size_t          count = find(key, found), named = count < MOST ? count : MOST;
    size_t                at = 0;
    for (size_t i = 0; i < named && at < size; i++) {
        char        noun[80];
        const char *between = !i ? "" : i + 1 == named && count <= MOST ? " and " : ", ";
        at += (size_t)snprintf(out + at, size - at, "%s%s", between, pliant__object_noun(found[i], noun, sizeof noun));
    }
    if (at < size) snprintf(out + at, size - at, "%s ha%s it", count > MOST ? " and others" : "", count > 1 ? "ve" : "s");
    return count > 0;
}
