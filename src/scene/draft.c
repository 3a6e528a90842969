/* Building bodies into a draft: marks and roll back, scratch, particles, laws and constraints. */
#include "scene/builder.h"

#include "base/bounds.h"
#include "base/float_env.h"
#include "base/png.h"

#include <stdio.h>

/* ---- marks ---- */

pliant__mark pliant__scene_mark(const pliant_scene *scene)
{
    pliant__mark mark;
#define NOTE(name) mark.name = scene->name.count;
    PLIANT__SCENE_ARRAYS(NOTE)
#undef NOTE
    return mark;
}

/* The elements that are cut off are zeroed, since array_extend promises zeroed room. */
static void cut(void *data, size_t size, size_t *count, size_t to)
{
    if (*count > to) memset((char *)data + to * size, 0, (*count - to) * size);
    *count = to;
}

void pliant__scene_rollback(pliant_scene *scene, const pliant__mark *mark)
{
    for (size_t i = mark->bodies; i < scene->bodies.count; i++) {
        array_free(&scene->allocator, &scene->bodies.data[i].edges);
        array_free(&scene->allocator, &scene->bodies.data[i].targets);
    }
#define CUT(name) cut(scene->name.data, sizeof *scene->name.data, &scene->name.count, mark->name);
    PLIANT__SCENE_ARRAYS(CUT)
#undef CUT
}

/* ---- begin and end ---- */

pliant_body_def pliant__body_def_default(void)
{
    pliant_body_def def;
    memset(&def, 0, sizeof def);
    def.placement.rotation.w = 1;
    def.placement.scale = v3(1, 1, 1);
    def.contact_group = 1;
    def.collider_mask = UINT32_MAX;
    def.look.color = PLIANT_COLOR_CHOSEN;
    def.look.roughness = -1;
    return def;
}

bool pliant__check_call(const pliant_scene *scene, const void *def, pliant_error *error)
{
    if (scene && def) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s is NULL", scene ? "the def, law or material" : "the scene");
}

static bool name_taken(const pliant_scene *scene, const char *name)
{
    for (size_t i = 0; i < scene->bodies.count; i++)
        if (!scene->bodies.data[i].removed && !strcmp(scene->bodies.data[i].name, name)) return true;
    return false;
}

static bool choose_name(pliant__builder *b)
{
    if (!pliant__check_name(b->def->name, sizeof b->def->name, "the body's name", b->error)) return false;
    memcpy(b->body.name, b->def->name, sizeof b->body.name);
    if (b->body.name[0]) {
        if (!name_taken(b->scene, b->body.name)) return true;
        return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "there is a body named \"%s\" already; names are unique", b->body.name);
    }
    for (unsigned long number = b->index + 1ul;; number++) {
        snprintf(b->body.name, sizeof b->body.name, "body%lu", number);
        if (!name_taken(b->scene, b->body.name)) return true;
    }
}

static bool check_look(const pliant_look *look, pliant_error *error)
{
    if (look->color != PLIANT_COLOR_CHOSEN && look->color > 0xffffff)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "look.color must be 0xRRGGBB, or PLIANT_COLOR_CHOSEN");
    if ((uint32_t)look->pattern >= PLIANT_PATTERN_COUNT)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "look.pattern is none that there is");
    if (!(look->roughness <= 1 && (look->roughness >= 0 || look->roughness == -1)))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "look.roughness must be 0 to 1, or -1");
    return pliant__check_not_negative(look->pattern_size, "look.pattern_size", error);
}

/* Equal pictures are kept once. */
static bool take_picture(pliant__builder *b)
{
    pliant_scene      *s = b->scene;
    const pliant_look *look = &b->def->look;
    b->body.picture = PLIANT__NONE;
    b->body.look.texture = NULL;
    b->body.look.texture_bytes = 0;
    b->body.first_uv = (uint32_t)s->face_uvs.count;
    if (!look->texture) return true;
    if (look->pattern != PLIANT_PATTERN_PLAIN) return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "look has a texture and a pattern");
    if (!pliant__png_check(look->texture, look->texture_bytes, b->error)) return false;
    for (b->body.picture = 0; b->body.picture < s->pictures.count; b->body.picture++) {
        const pliant__picture *p = &s->pictures.data[b->body.picture];
        if (p->size == look->texture_bytes && !memcmp(s->picture_bytes.data + p->first, look->texture, p->size)) return true;
    }
    if (!pliant__fits(s->picture_bytes.count, look->texture_bytes, "bytes of textures", b->error)) return false;
    const pliant__picture p = {(uint32_t)s->picture_bytes.count, (uint32_t)look->texture_bytes};
    uint8_t              *bytes = array_extend(&s->allocator, &s->picture_bytes, p.size);
    if (!bytes || !array_push(&s->allocator, &s->pictures, p)) return pliant__fail_memory(b->error, p.size, "a texture");
    memcpy(bytes, look->texture, p.size);
    return true;
}

static bool check_body_def(pliant__builder *b)
{
    const pliant_body_def *def = b->def;
    const pliant_vec3      s = def->placement.scale;
    if (!pliant__check_vector(def->placement.position, "placement.position", b->error) ||
        !pliant__check_rotation(def->placement.rotation, "placement.rotation", b->error) ||
        !pliant__check_vector(s, "placement.scale", b->error) || !pliant__check_vector(def->velocity, "velocity", b->error) ||
        !pliant__check_vector(def->spin, "spin", b->error))
        return false;
    if (s.x == 0 || s.y == 0 || s.z == 0)
        return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "placement.scale must not be 0; a negative one mirrors");
    return check_look(&def->look, b->error);
}

bool pliant__builder_begin(pliant__builder *b, pliant_scene *scene, const pliant_body_def *def, const pliant_material *material,
                           pliant_body_type type, pliant_error *error)
{
    memset(b, 0, sizeof *b);
    b->scene = scene;
    b->error = error;
    b->def = def;
    b->mark = pliant__scene_mark(scene);
    b->index = (uint32_t)scene->bodies.count;
    if (!pliant__fits(scene->bodies.count, 1, "bodies", error) || !check_body_def(b) || !pliant__check_material(material, error))
        return false;
    if (!pliant__check_yield(material, type, error) || !pliant__check_break(material, type, error)) return false;
    if (!pliant__check_impact(def->self_contact || def->contact_mask, material, error)) return false;
    b->placement = def->placement;
    b->placement.rotation = quat_normalize(def->placement.rotation);
    b->body.type = type;
    b->body.material = *material;
    b->body.spin = def->spin;
    b->body.self_contact = def->self_contact;
    b->body.contact_group = def->contact_group;
    b->body.contact_mask = def->contact_mask;
    b->body.collider_mask = def->collider_mask;
    b->body.look = def->look;
    b->body.first_particle = (uint32_t)scene->particles.count;
    b->body.first_vertex = (uint32_t)scene->vertex_particle.count;
    b->body.first_triangle = (uint32_t)(scene->triangles.count / 3);
    b->body.first_face = (uint32_t)scene->face_sizes.count;
    b->body.first_face_index = (uint32_t)scene->face_indices.count;
    b->body.first_embedding = (uint32_t)scene->embeddings.count;
    return take_picture(b) && choose_name(b);
}

pliant_body pliant__builder_end(pliant__builder *b, bool ok)
{
    while (b->scratch) {
        void *next;
        memcpy(&next, b->scratch, sizeof next);
        pliant__free(&b->scene->allocator, b->scratch);
        b->scratch = next;
    }
    if (ok && b->body.picture != PLIANT__NONE && b->body.first_uv == b->scene->face_uvs.count)
        ok = pliant__fail(b->error, PLIANT_ERROR_ARGUMENT,
                          b->body.type == PLIANT_BODY_CLOTH || b->body.embedding_count
                              ? "the mesh has no texture coordinates (uvs), and look.texture needs some"
                              : "only a cloth, or a soft body with a visual surface, has a texture");
    if (ok && !array_push(&b->scene->allocator, &b->scene->bodies, b->body)) ok = pliant__fail_memory(b->error, sizeof b->body, "a body");
    if (!ok) {
        array_free(&b->scene->allocator, &b->body.edges);
        pliant__scene_rollback(b->scene, &b->mark);
    }
    pliant_body body = {ok ? b->index + 1 : 0};
    return body;
}

void *pliant__take(pliant__builder *b, uint64_t count, size_t size, const char *what)
{
    uint64_t bytes = count * size + PLIANT_ALIGN; /* count < 2^36 and size < 2^10 */
    char    *block = bytes > SIZE_MAX ? NULL : pliant__alloc(&b->scene->allocator, (size_t)bytes);
    if (!block) {
        pliant__fail_memory(b->error, bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes, what);
        return NULL;
    }
    memcpy(block, &b->scratch, sizeof b->scratch);
    b->scratch = block;
    return block + PLIANT_ALIGN;
}

void pliant__give_back(pliant__builder *b, void *taken)
{
    char *block = (char *)taken - PLIANT_ALIGN, *before = NULL, *at = b->scratch, *next;
    for (; at != block; before = at, at = next) memcpy(&next, at, sizeof next); /* there are a dozen or two */
    memcpy(before ? (void *)before : (void *)&b->scratch, block, sizeof b->scratch);
    pliant__free(&b->scene->allocator, block);
}

/* Bytes that a draft, its model and a state take at the least, with the memory that compiling takes for a while. */
enum { BYTES_PER_PARTICLE = 58 + 8 * sizeof(pliant_real), BYTES_PER_CONSTRAINT = 64 + 5 * sizeof(pliant_real) };

bool pliant__has_room(const pliant__builder *b, uint64_t particles, uint64_t constraints)
{
    const pliant_allocator *from = &b->scene->allocator;
    const uint64_t          bytes = BYTES_PER_PARTICLE * particles + BYTES_PER_CONSTRAINT * constraints; /* both are below 2^36 */
    char                    what[96];
    if (!from->room || from->room(bytes, from->context)) return true;
    snprintf(what, sizeof what, "%llu particles and %llu constraints, at the least", (unsigned long long)particles,
             (unsigned long long)constraints);
    return pliant__fail_memory(b->error, bytes, what);
}

bool pliant__fits(uint64_t count, uint64_t extra, const char *what, pliant_error *error)
{
    if (count <= PLIANT__LIMIT && extra <= PLIANT__LIMIT - count) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "too many %s: a scene holds %u", what, PLIANT__LIMIT);
}

/* ---- positions ---- */

bool pliant__read_positions(pliant__builder *b, const void *positions, size_t stride, size_t count, const char *what, pliant_vec3 *out)
{
    if (stride < sizeof(pliant_vec3))
        return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "%s: a stride of %zu bytes is too small for a position, which has %zu", what,
                            stride, sizeof(pliant_vec3));
    for (size_t v = 0; v < count; v++) {
        pliant_real c[3];
        memcpy(c, (const char *)positions + v * stride, sizeof c);
        for (int i = 0; i < 3; i++)
            if (!r_finite(c[i])) return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "vertex %zu: %c is not a finite number", v, "xyz"[i]);
        out[v] = v3(c[0] + 0, c[1] + 0, c[2] + 0);
    }
    return true;
}

bool pliant__place(pliant__builder *b, pliant_vec3 *x, size_t count)
{
    const pliant_placement *p = &b->placement;
    for (size_t v = 0; v < count; v++) {
        x[v] = v3_add(quat_rotate(p->rotation, v3_mul(x[v], p->scale)), p->position);
        if (!v3_finite(x[v]))
            return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT,
                                "vertex %zu: the placement moves it out of all numbers; check scale and position", v);
    }
    return true;
}

/* ---- particles ---- */

static bool check_mass(pliant__builder *b, uint32_t vertex, double mass)
{
    if (mass == 0)
        return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT,
                            "vertex %u has no mass, as nothing of any size uses it; take it out of the mesh, or give masses", vertex);
    pliant_real w = (pliant_real)(1 / mass);
    if (mass > 0 && r_finite((pliant_real)mass) && r_finite(w) && w > 0) return true;
    return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "vertex %u: a mass of %g kg is out of range; check density and size", vertex,
                        mass);
}

/* An inverse mass of 0 makes an anchor, which weighs nothing that counts. */
static bool take_inverse_masses(pliant__builder *b, pliant__draft_particle *out)
{
    for (uint32_t i = 0; i < b->particle_count; i++) {
        pliant_real w = b->w[i];
        if (!r_finite(w) || w < 0)
            return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "particle %u: its inverse mass must be >= 0 and finite", i);
        out[i].given_w = 1;
        out[i].w = w;
        out[i].mass = w > 0 ? 1 / (double)w : 0;
        if (w == 0) out[i].pin = PLIANT__ANCHOR;
    }
    return true;
}

static bool sum_masses(pliant__builder *b, pliant__draft_particle *out, const uint32_t *particle_of, uint32_t vertex_count)
{
    if (b->w) return take_inverse_masses(b, out);
    for (uint32_t v = 0; v < vertex_count && b->def->masses; v++) {
        pliant_real mass = b->def->masses[v];
        if (!r_finite(mass) || mass <= 0)
            return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "vertex %u: its mass must be > 0 and finite", v);
        out[particle_of ? particle_of[v] : v].mass += (double)mass;
    }
    for (uint32_t i = 0; i < b->particle_count; i++) {
        if (b->loose && b->loose[i]) {
            out[i].given_w = 1;
            out[i].mass = 0;
            out[i].pin = PLIANT__ANCHOR;
            continue;
        }
        if (!b->def->masses) {
            out[i].extent = b->extent ? b->extent[i] : 0;
            out[i].mass = b->extent ? b->extent[i] * (double)b->body.material.density : 1;
        }
        if (!check_mass(b, b->first_vertex ? b->first_vertex[i] : i, out[i].mass)) return false;
    }
    return true;
}

/* Centre of the particles with mass; of all particles alike where all are anchors. */
static void centre_of_mass(const pliant__draft_particle *p, uint32_t count, double centre[3])
{
    double total = 0, sum[3] = {0, 0, 0}, plain[3] = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        const double x[3] = {(double)p[i].x.x, (double)p[i].x.y, (double)p[i].x.z};
        total += p[i].mass;
        for (int k = 0; k < 3; k++) sum[k] += p[i].mass * x[k], plain[k] += x[k];
    }
    for (int k = 0; k < 3; k++) centre[k] = total > 0 ? sum[k] / total : plain[k] / count;
}

/* velocity + spin x (x - centre of mass); anchors rest. */
static bool set_velocities(pliant__builder *b, pliant__draft_particle *out)
{
    const double s[3] = {(double)b->def->spin.x, (double)b->def->spin.y, (double)b->def->spin.z};
    double       c[3];
    centre_of_mass(out, b->particle_count, c);
    for (uint32_t i = 0; i < b->particle_count; i++) {
        const pliant_vec3 given = b->v ? b->v[i] : b->def->velocity;
        const double      r[3] = {(double)out[i].x.x - c[0], (double)out[i].x.y - c[1], (double)out[i].x.z - c[2]};
        if (!v3_finite(given)) return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "particle %u: its velocity is not finite", i);
        if (b->def->fixed) out[i].pin = PLIANT__ANCHOR;
        if (out[i].pin == PLIANT__ANCHOR) continue;
        out[i].v.x = (pliant_real)((double)given.x + (s[1] * r[2] - s[2] * r[1]));
        out[i].v.y = (pliant_real)((double)given.y + (s[2] * r[0] - s[0] * r[2]));
        out[i].v.z = (pliant_real)((double)given.z + (s[0] * r[1] - s[1] * r[0]));
        if (!v3_finite(out[i].v))
            return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "spin is too large: the speed of particle %u is not finite", i);
    }
    return true;
}

static bool sum_of_vertices(const pliant_scene *scene, pliant_body body, const uint32_t *vertices, const pliant_real *masses, size_t count,
                            double *sum, pliant_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t particle = pliant__find_particle(scene, body, vertices[i], error);
        if (particle == PLIANT__NONE) return false;
        if (!r_finite(masses[i]) || masses[i] <= 0)
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "vertex %u: its mass must be > 0 and finite", vertices[i]);
        double *one = &sum[particle - scene->bodies.data[body.id - 1].first_particle];
        *one += (double)masses[i];
        if (!(r_finite((pliant_real)*one) && (pliant_real)(1 / *one) > 0 && r_finite((pliant_real)(1 / *one))))
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "vertex %u: a mass of %g kg is out of range", vertices[i], *one);
    }
    return true;
}

static void weigh(pliant__draft_particle *p, const pliant__draft_body *b, const double *sum)
{
    double before[3], after[3];
    centre_of_mass(p, b->particle_count, before);
    for (uint32_t i = 0; i < b->particle_count; i++) {
        if (!(sum[i] > 0) || (p[i].given_w && p[i].pin == PLIANT__ANCHOR)) continue;
        p[i].mass = sum[i];
        p[i].extent = 0;
        if (p[i].given_w) p[i].w = (pliant_real)(1 / sum[i]);
    }
    centre_of_mass(p, b->particle_count, after);
    const pliant_vec3 moved =
        v3((pliant_real)(before[0] - after[0]), (pliant_real)(before[1] - after[1]), (pliant_real)(before[2] - after[2]));
    for (uint32_t i = 0; i < b->particle_count; i++)
        if (p[i].pin != PLIANT__ANCHOR) p[i].v = v3_add(p[i].v, v3_cross(b->spin, moved));
}

pliant_code pliant_scene_set_masses(pliant_scene *scene, pliant_body body, const uint32_t *vertices, const pliant_real *masses,
                                    size_t count, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!pliant__check_call(scene, vertices, error) || !pliant__check_call(scene, masses, error)) return PLIANT_ERROR_ARGUMENT;
    const pliant__draft_body *b = pliant__find_body(scene, body, error);
    if (!b) return PLIANT_ERROR_ARGUMENT;
    double *sum = pliant__alloc_array(&scene->allocator, b->particle_count, sizeof *sum);
    if (!sum) return pliant__fail_memory(error, b->particle_count * sizeof *sum, "masses"), PLIANT_ERROR_MEMORY;
    const bool ok = sum_of_vertices(scene, body, vertices, masses, count, sum, error);
    if (ok) weigh(scene->particles.data + b->first_particle, b, sum);
    pliant__free(&scene->allocator, sum);
    return ok ? PLIANT_OK : PLIANT_ERROR_ARGUMENT;
}

bool pliant__build_particles(pliant__builder *b, const uint32_t *particle_of, uint32_t vertex_count)
{
    pliant_scene *scene = b->scene;
    if (!pliant__fits(scene->particles.count + scene->targets.count, b->particle_count, "particles", b->error) ||
        !pliant__fits(scene->vertex_particle.count, vertex_count, "vertices", b->error))
        return false;
    pliant__draft_particle *out = array_extend(&scene->allocator, &scene->particles, b->particle_count);
    if (!out) return pliant__fail_memory(b->error, b->particle_count * sizeof *out, "particles");
    uint32_t *map = array_extend(&scene->allocator, &scene->vertex_particle, vertex_count);
    if (!map) return pliant__fail_memory(b->error, vertex_count * sizeof *map, "vertices");
    b->body.particle_count = b->particle_count;
    b->body.vertex_count = vertex_count;
    for (uint32_t i = 0; i < b->particle_count; i++) out[i].x = b->x[i];
    for (uint32_t v = 0; v < vertex_count; v++) map[v] = b->body.first_particle + (particle_of ? particle_of[v] : v);
    return sum_masses(b, out, particle_of, vertex_count) && set_velocities(b, out);
}

#define FACES_PER_SPARE 16u /* a split through the middle of a lattice opens up to 24, one that goes on from another some 4 */

bool pliant__check_tear(const pliant_tear *tear, const pliant_body_def *body, pliant_error *error)
{
    const double stretch = (double)tear->stretch, spare = (double)tear->spare;
    if (!(stretch > 0 || stretch < 0)) return stretch == 0 || pliant__fail(error, PLIANT_ERROR_ARGUMENT, "tear.stretch is not a number");
    if (!(stretch > 1 && stretch <= 1000))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "tear.stretch must be above 1 and at most 1000, or 0, not %g", stretch);
    if (!(spare > 0 && spare <= 4))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "tear.spare must be above 0 and at most 4, not %g", spare);
    if (body->self_contact || body->contact_mask)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                            "a body that tears meets colliders, and no bodies yet: leave self_contact and contact_mask");
    return true;
}

bool pliant__build_spares(pliant__builder *b, const pliant_tear *tear)
{
    pliant_scene  *scene = b->scene;
    const double   wanted = (double)tear->spare * b->particle_count;
    const uint32_t count = wanted < 1 ? 1 : wanted < PLIANT__LIMIT ? (uint32_t)wanted : PLIANT__LIMIT;
    if (!(tear->stretch > 0)) return true;
    if (!pliant__fits(scene->particles.count + scene->targets.count, count, "particles", b->error) ||
        !pliant__fits(scene->vertex_particle.count, (uint64_t)b->body.vertex_count + count, "vertices", b->error) ||
        !pliant__has_room(b, count, 0))
        return false;
    pliant__draft_particle *out = array_extend(&scene->allocator, &scene->particles, count);
    if (!out) return pliant__fail_memory(b->error, count * sizeof *out, "particles");
    b->body.tear = tear->stretch;
    b->body.spare_count = count;
    b->body.particle_count += count;
    for (uint32_t i = 0; i < count; i++) {
        out[i].x = b->x[pliant__spare_home(&b->body, i)];
        out[i].given_w = 1;
        out[i].pin = PLIANT__ANCHOR;
    }
    return true;
}

bool pliant__build_spare_faces(pliant__builder *b, uint64_t inner)
{
    pliant_scene  *scene = b->scene;
    const uint64_t most = (uint64_t)FACES_PER_SPARE * b->body.spare_count, count = most < inner ? most : inner;
    if (!count) return true;
    if (!pliant__fits(scene->face_indices.count, 3 * count, "corners of faces", b->error)) return false;
    const uint32_t vertex = scene->face_indices.data[b->body.first_face_index];
    uint32_t      *sizes = array_extend(&scene->allocator, &scene->face_sizes, (size_t)count);
    uint32_t      *indices = sizes ? array_extend(&scene->allocator, &scene->face_indices, 3 * (size_t)count) : NULL;
    if (!indices || !array_extend(&scene->allocator, &scene->face_cuts, (size_t)count))
        return pliant__fail_memory(b->error, 4 * count * sizeof *sizes + count, "faces");
    for (size_t i = 0; i < count; i++) sizes[i] = 3;
    for (size_t i = 0; i < 3 * count; i++) indices[i] = vertex;
    b->body.spare_face_count = (uint32_t)count;
    b->body.face_count += (uint32_t)count;
    b->body.face_index_count += 3 * (uint32_t)count;
    return true;
}

pliant_code pliant_scene_set_strengths(pliant_scene *scene, pliant_body body, const uint32_t *vertices, const pliant_real *strengths,
                                       size_t count, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!pliant__check_call(scene, vertices, error) || !pliant__check_call(scene, strengths, error)) return PLIANT_ERROR_ARGUMENT;
    const pliant__draft_body *b = pliant__find_body(scene, body, error);
    if (!b) return PLIANT_ERROR_ARGUMENT;
    if (!(b->tear > 0)) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "body \"%s\" does not tear", b->name), PLIANT_ERROR_ARGUMENT;
    for (size_t i = 0; i < count; i++) {
        if (!(strengths[i] > 0 && strengths[i] <= 1000))
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a strength must be above 0 and at most 1000, not %g", (double)strengths[i]),
                   PLIANT_ERROR_ARGUMENT;
        if (pliant__find_particle(scene, body, vertices[i], error) == PLIANT__NONE) return PLIANT_ERROR_ARGUMENT;
    }
    if (!array_reserve(&scene->allocator, &scene->strengths, count)) {
        pliant__fail_memory(error, count * sizeof *scene->strengths.data, "strengths");
        return PLIANT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < count; i++)
        scene->strengths.data[scene->strengths.count++] =
            (pliant__draft_strength){pliant__find_particle(scene, body, vertices[i], error), strengths[i]};
    return PLIANT_OK;
}

/* ---- constraints ---- */

static void copy_positions(pliant_constraint_kind kind, const pliant_vec3 *x, pliant_real out[PLIANT_MAX_SLOTS][3])
{
    memset(out, 0, PLIANT_MAX_SLOTS * sizeof *out);
    for (uint32_t s = 0; s < pliant_constraint_describe(kind)->slots; s++) {
        const pliant_real c[3] = {x[s].x, x[s].y, x[s].z};
        memcpy(out[s], c, sizeof c);
    }
}

void pliant__measure(pliant_constraint_kind kind, const pliant_vec3 *x, pliant_real *parameter)
{
    pliant_real positions[PLIANT_MAX_SLOTS][3];
    copy_positions(kind, x, positions);
    pliant_constraint_measure(kind, (const pliant_real(*)[3])positions, parameter);
}

#define NEARLY 1e-3 /* C of a shape that counts as one at rest: radians, where kinds take it for flat */

bool pliant__can_rest(pliant_constraint_kind kind, const pliant_vec3 *x)
{
    const pliant_constraint_info *info = pliant_constraint_describe(kind);
    pliant_eval_input             in;
    pliant_eval_output            out;
    memset(&in, 0, sizeof in);
    memset(&out, 0, sizeof out);
    copy_positions(kind, x, in.x);
    for (uint32_t s = 0; s < info->slots; s++) in.w[s] = 1;
    in.dt = 1;
    in.law = pliant_law_default();
    if (pliant_constraint_measure(kind, (const pliant_real(*)[3])in.x, in.parameters) != PLIANT_OK) return false;
    for (uint32_t i = 0; i < info->parameter_count; i++)
        if (!pliant__is_within(&info->parameters[i], in.parameters[i])) return false;
    bool good = pliant_constraint_eval(kind, &in, &out) == PLIANT_OK;
    for (uint32_t r = 0; r < info->rows; r++) good = good && fabs((double)out.C[r]) <= NEARLY;
    return good;
}

static uint32_t add_law(pliant_scene *scene, pliant_constraint_kind kind, const char *role, uint32_t body, const char *material,
                        const pliant_law *law)
{
    pliant__draft_law entry;
    memset(&entry, 0, sizeof entry);
    entry.kind = kind;
    entry.role = role;
    entry.body = body;
    entry.law = *law;
    memcpy(entry.material, material, strlen(material)); /* checked names end before the array does */
    if (scene->laws.count >= PLIANT__LIMIT || !array_push(&scene->allocator, &scene->laws, entry)) return PLIANT__NONE;
    return (uint32_t)(scene->laws.count - 1);
}

static bool same_law(const pliant_law *a, const pliant_law *b)
{
    return a->compliance == b->compliance && a->damping == b->damping && a->stiffness == b->stiffness && a->limited == b->limited &&
           (!a->limited || (a->limit == b->limit && a->range_min == b->range_min && a->range_max == b->range_max)) &&
           a->yield == b->yield && a->creep == b->creep && a->hardening == b->hardening && a->most == b->most &&
           a->break_force == b->break_force && a->given == b->given && !memcmp(a->numbers, b->numbers, sizeof a->numbers);
}

uint32_t pliant__loose_law(pliant_scene *scene, pliant_constraint_kind kind, const char *role, const pliant_law *law)
{
    if (scene->laws.count) {
        const pliant__draft_law *last = &scene->laws.data[scene->laws.count - 1];
        if (last->body == PLIANT__NONE && last->kind == kind && !strcmp(last->role, role) && same_law(&last->law, law))
            return (uint32_t)(scene->laws.count - 1);
    }
    return add_law(scene, kind, role, PLIANT__NONE, "", law);
}

static bool check_rest(pliant__builder *b, const pliant_constraint_info *info, const char *role, const uint32_t *ids, uint32_t number,
                       pliant_real rest)
{
    const pliant_parameter_info *p = &info->parameters[number];
    if (pliant__is_within(p, rest)) return true;
    uint32_t vertex = b->first_vertex ? b->first_vertex[ids[0]] : ids[0];
    return pliant__fail(b->error, PLIANT_ERROR_ARGUMENT, "%s at vertex %u: its %s is %g %s, not from %g to %g; check the units of the mesh",
                        role, vertex, p->text, (double)rest, p->unit, p->low, p->high);
}

void pliant__rest_positions(const pliant__builder *b, const uint32_t *ids, uint32_t slots, pliant_vec3 *x)
{
    const uint32_t *n = b->body.grid;
    const bool      made = b->cell[0] != 0;
    for (uint32_t s = 0; s < slots; s++) {
        double at[3] = {0, 0, 0};
        for (uint32_t k = 0, step = 1; made && k < 3; step *= n[k++])
            at[k] = ((double)(ids[s] / step % n[k]) - (double)(ids[0] / step % n[k])) * b->cell[k];
        x[s] = made ? v3((pliant_real)at[0], (pliant_real)at[1], (pliant_real)at[2]) : b->x[ids[s]];
    }
}

bool pliant__reserve_constraints(pliant__builder *b, size_t count)
{
    pliant_scene *scene = b->scene;
    return array_reserve(&scene->allocator, &scene->constraints, count) ||
           pliant__fail_memory(b->error, count * sizeof *scene->constraints.data, "constraints");
}

bool pliant__fill_constraint(pliant_scene *scene, pliant__draft_constraint *c, const uint32_t *particles, const pliant_real *parameters,
                             pliant_error *error)
{
    const uint32_t slots = pliant__kind_slots(c->kind), count = pliant__kind_parameters(c->kind);
    const bool     far_slots = slots > PLIANT__OWN_SLOTS, far_parameters = count > PLIANT__OWN_PARAMETERS;
    if ((far_slots && !pliant__fits(scene->constraint_particles.count, slots, "particles of constraints", error)) ||
        (far_parameters && !pliant__fits(scene->constraint_parameters.count, count, "parameters of constraints", error)))
        return false;
    for (uint32_t s = 0; s < PLIANT__OWN_SLOTS; s++) c->particles[s] = s < slots ? particles[s] : PLIANT__NONE;
    for (uint32_t i = 0; i < PLIANT__OWN_PARAMETERS; i++) c->parameters[i] = i < count ? parameters[i] : 0;
    uint32_t    *to = far_slots ? array_extend(&scene->allocator, &scene->constraint_particles, slots) : NULL;
    pliant_real *numbers = far_parameters ? array_extend(&scene->allocator, &scene->constraint_parameters, count) : NULL;
    if ((far_slots && !to) || (far_parameters && !numbers)) return pliant__fail_memory(error, count * sizeof *numbers, "a constraint");
    if (to) {
        c->first_particle = (uint32_t)(to - scene->constraint_particles.data);
        memcpy(to, particles, slots * sizeof *to);
    }
    if (numbers) {
        c->first_parameter = (uint32_t)(numbers - scene->constraint_parameters.data);
        memcpy(numbers, parameters, count * sizeof *numbers);
    }
    return true;
}

/* Appends a constraint of its law with its parameters. */
static bool append_said(pliant__builder *b, const pliant_constraint_info *info, uint32_t law, const uint32_t *ids,
                        const pliant_real *parameters, pliant__draft_constraint *out)
{
    uint32_t particles[PLIANT_MAX_SLOTS];
    out->kind = (uint16_t)info->kind;
    out->law = law;
    out->body = b->index;
    for (uint32_t s = 0; s < info->slots; s++) particles[s] = b->body.first_particle + ids[s];
    for (uint32_t i = 0; i < info->parameter_count; i++)
        if (!check_rest(b, info, b->scene->laws.data[law].role, ids, i, parameters[i])) return false;
    return pliant__fill_constraint(b->scene, out, particles, parameters, b->error);
}

/* The same; the parameters are measured. */
static bool append(pliant__builder *b, const pliant_constraint_info *info, uint32_t law, const uint32_t *ids, pliant__draft_constraint *out)
{
    pliant_vec3 x[PLIANT_MAX_SLOTS];
    pliant_real parameters[PLIANT_MAX_PARAMETERS] = {0};
    pliant__rest_positions(b, ids, info->slots, x);
    pliant__measure(info->kind, x, parameters);
    return append_said(b, info, law, ids, parameters, out);
}

bool pliant__build_constraints_said(pliant__builder *b, pliant_constraint_kind kind, uint32_t law, const uint32_t *ids,
                                    const pliant_real *parameters, size_t count)
{
    pliant_scene                 *scene = b->scene;
    const pliant_constraint_info *info = pliant_constraint_describe(kind);
    if (!pliant__fits(scene->constraints.count, count, "constraints", b->error)) return false;
    pliant__draft_constraint *out = array_extend(&scene->allocator, &scene->constraints, count);
    if (!out) return pliant__fail_memory(b->error, count * sizeof *out, "constraints");
    for (size_t c = 0; c < count; c++)
        if (!append_said(b, info, law, ids + c * info->slots, parameters + c * info->parameter_count, &out[c])) return false;
    return true;
}

bool pliant__build_constraints_of(pliant__builder *b, pliant_constraint_kind kind, const uint32_t *laws, const uint32_t *ids, size_t count)
{
    pliant_scene                 *scene = b->scene;
    const pliant_constraint_info *info = pliant_constraint_describe(kind);
    if (!pliant__fits(scene->constraints.count, count, "constraints", b->error)) return false;
    pliant__draft_constraint *out = array_extend(&scene->allocator, &scene->constraints, count);
    if (!out) return pliant__fail_memory(b->error, count * sizeof *out, "constraints");
    for (size_t c = 0; c < count; c++)
        if (!append(b, info, laws[c], ids + c * info->slots, &out[c])) return false;
    return true;
}

uint32_t pliant__build_law(pliant__builder *b, pliant_constraint_kind kind, const char *role, const pliant_law *law,
                           const pliant__share *share)
{
    const pliant_law damped = pliant__law_in_time(&b->body.material, law);
    if (!pliant__check_law(&damped, kind, role, b->error)) return PLIANT__NONE;
    const uint32_t number = add_law(b->scene, kind, role, b->index, b->body.material.name, &damped);
    if (number == PLIANT__NONE)
        pliant__fail_memory(b->error, sizeof(pliant__draft_law), "laws");
    else if (share)
        b->scene->laws.data[number].share = *share;
    return number;
}

bool pliant__build_constraints(pliant__builder *b, pliant_constraint_kind kind, const char *role, const pliant_law *law,
                               const uint32_t *ids, size_t count)
{
    if (!count) return true;
    pliant_scene                 *scene = b->scene;
    const pliant_constraint_info *info = pliant_constraint_describe(kind);
    if (!pliant__check_law(law, kind, role, b->error) || !pliant__fits(scene->constraints.count, count, "constraints", b->error))
        return false;
    const uint32_t number = pliant__build_law(b, kind, role, law, NULL);
    if (number == PLIANT__NONE) return false;
    pliant__draft_constraint *out = array_extend(&scene->allocator, &scene->constraints, count);
    if (!out) return pliant__fail_memory(b->error, count * sizeof *out, "constraints");
    for (size_t c = 0; c < count; c++)
        if (!append(b, info, number, ids + c * info->slots, &out[c])) return false;
    return true;
}

bool pliant__build_tether_edges(pliant__builder *b, pliant_real factor, const uint32_t *edges, size_t count)
{
    b->body.tether = factor;
    if (factor < 0 || (factor == 0 && b->scene->settings.quality == PLIANT_QUALITY_GIVEN) || !count) return true;
    uint32_t *out = array_extend(&b->scene->allocator, &b->body.edges, 2 * count);
    if (!out) return pliant__fail_memory(b->error, 2 * count * sizeof *out, "edges of tethers");
    for (size_t i = 0; i < 2 * count; i++) out[i] = b->body.first_particle + edges[i];
    return true;
}

pliant_mended pliant_scene_body_mended(const pliant_scene *scene, pliant_body body)
{
    static const pliant_mended nothing = {0};
    const bool                 known = scene && body.id && body.id <= scene->bodies.count && !scene->bodies.data[body.id - 1].removed;
    return known ? scene->bodies.data[body.id - 1].mended : nothing;
}

/* ---- looking up ---- */

pliant__draft_body *pliant__find_body(const pliant_scene *scene, pliant_body body, pliant_error *error)
{
    if (body.id && body.id <= scene->bodies.count && !scene->bodies.data[body.id - 1].removed) return &scene->bodies.data[body.id - 1];
    pliant__fail(error, PLIANT_ERROR_ARGUMENT, "the scene has no body %u%s", body.id,
                 body.id && body.id <= scene->bodies.count ? " any more: it was removed" : "");
    return NULL;
}

uint32_t pliant__find_particle(const pliant_scene *scene, pliant_body body, uint32_t vertex, pliant_error *error)
{
    const pliant__draft_body *found = pliant__find_body(scene, body, error);
    if (!found) return PLIANT__NONE;
    if (vertex < found->vertex_count) return scene->vertex_particle.data[found->first_vertex + vertex];
    pliant__fail(error, PLIANT_ERROR_ARGUMENT, "there is no vertex %u in body \"%s\", which has %u", vertex, found->name,
                 found->vertex_count);
    return PLIANT__NONE;
}
