/* The camera of a scene file. No result of a simulation depends on it. */
#include "io/scene/keys.h"

#include <math.h>

#define FARTHEST 1e9 /* m, from the origin */
#define NEAREST 1e-6 /* m, between eye and target */

static const char *const from_words[] = {"auto", "front", "side", "top", NULL}; /* in the order of pliant_camera_from */

typedef struct camera_spec {
    const pliant__node *eye, *target, *from, *follow;
    double              fov; /* degrees */
} camera_spec;

#define FIELD(f) .offset = offsetof(camera_spec, f)
#define PLACE_SCHEMA "{\"type\": \"array\", \"items\": {\"type\": \"number\"}, \"minItems\": 3, \"maxItems\": 3}"

static const pliant__key camera_keys[] = {
    {.name = "eye", .type = PLIANT__KEY_NODE, FIELD(eye), .schema = PLACE_SCHEMA, .text = "m; where the eye is, with target"},
    {.name = "target", .type = PLIANT__KEY_NODE, FIELD(target), .schema = PLACE_SCHEMA, .text = "m; what the eye looks at, with eye"},
    {.name = "fov",
     .type = PLIANT__KEY_DOUBLE,
     .low = 1,
     .high = 150,
     FIELD(fov),
     .text = "Degrees that the picture's height spans, with eye and target; default 35"},
    {.name = "from",
     .type = PLIANT__KEY_NODE,
     FIELD(from),
     .schema = "{\"enum\": [\"auto\", \"front\", \"side\", \"top\"]}",
     .text = "Instead of eye and target: the side from which all is shown; default auto"},
    {.name = "follow",
     .type = PLIANT__KEY_NODE,
     FIELD(follow),
     .schema = "{\"type\": [\"string\", \"integer\"]}",
     .text = "The body that the camera goes with, by name or number"},
};
const pliant__object pliant__camera_object = {
    "camera", "From where pictures and the window show the scene, if they are not told otherwise; it changes no result",
    PLIANT__KEYS(camera_keys), NULL, 0};

static bool read_place(pliant__reader *r, const pliant__node *node, double out[3])
{
    pliant_vec3 v;
    if (!pliant__read_vec3(r, node, &v)) return false;
    out[0] = (double)v.x, out[1] = (double)v.y, out[2] = (double)v.z;
    for (int a = 0; a < 3; a++)
        if (!(fabs(out[a]) <= FARTHEST)) return pliant__complain(r, node, "%g is too far away: at most %g m", out[a], FARTHEST);
    return true;
}

static bool read_view(pliant__reader *r, const pliant__node *node, const camera_spec *s, pliant_camera *out)
{
    uint32_t            from = PLIANT_CAMERA_AUTO;
    const pliant__node *fov = pliant__node_get(node, "fov");
    if ((s->eye != NULL) != (s->target != NULL)) return pliant__complain(r, node, "eye and target come together");
    if (s->eye && s->from) return pliant__complain(r, s->from, "beside eye and target, which say it already");
    if (fov && !s->eye) return pliant__complain(r, fov, "only with eye and target: another camera is as far away as it has to be");
    if (s->from && !pliant__read_word(r, s->from, from_words, &from)) return false;
    out->from = (pliant_camera_from)from;
    out->placed = s->eye != NULL;
    out->fov = s->fov;
    if (!s->eye) return true;
    if (!read_place(r, s->eye, out->eye) || !read_place(r, s->target, out->target)) return false;
    double apart = 0;
    for (int a = 0; a < 3; a++) apart += (out->eye[a] - out->target[a]) * (out->eye[a] - out->target[a]);
    return apart >= NEAREST * NEAREST || pliant__complain(r, s->target, "the eye is there already: it would look nowhere");
}

bool pliant__read_camera(pliant__reader *r, const pliant__node *node, pliant_camera *out)
{
    camera_spec   s = {.fov = 35};
    uint32_t      body = 0;
    pliant_camera c = {.given = true};
    if (!pliant__read_object(r, node, &pliant__camera_object, &s) || !read_view(r, node, &s, &c)) return false;
    if (s.follow && !pliant__read_body_name(r, s.follow, &body)) return false;
    c.follows = s.follow != NULL;
    if (c.follows) c.body = r->bodies[body];
    *out = c;
    return true;
}
