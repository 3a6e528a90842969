/* Everything of a model that is not a constraint: particles, bodies, surfaces, targets, frames, forces, cuts. */
#include "compile/compile.h"

#include "base/keys.h"

/* Whether a velocity is not 0. */
static bool has_velocities(const pliant__compiler *c)
{
    const pliant_vec3 rest = {0, 0, 0};
    for (size_t i = 0; i < c->scene->particles.count; i++)
        if (c->slot[i] != PLIANT__NONE && memcmp(&c->scene->particles.data[i].v, &rest, sizeof rest) != 0) return true;
    return false;
}

static bool lay_out_particles(pliant__compiler *c)
{
    const pliant_scene *s = c->scene;
    const uint32_t      n = c->header.slot_count;
    const bool          moves = has_velocities(c);
    if (!array_extend(c->allocator, &c->x, pliant__slot_numbers(n)) ||
        !array_extend(c->allocator, &c->v, moves ? pliant__slot_numbers(n) : 0) || !array_extend(c->allocator, &c->free_w, n) ||
        !array_extend(c->allocator, &c->pin, n) || !array_extend(c->allocator, &c->slot_vertex, n))
        return pliant__compile_memory(c);
    for (uint32_t i = 0; i < n; i++) {
        c->pin.data[i] = PLIANT__ANCHOR;
        c->slot_vertex.data[i] = PLIANT__NONE;
    }
    for (size_t i = 0; i < s->particles.count; i++) {
        const pliant__draft_particle *p = &s->particles.data[i];
        uint32_t                      slot = c->slot[i];
        if (slot == PLIANT__NONE) continue;
        pliant_real w = p->given_w ? p->w : (pliant_real)(1.0 / p->mass);
        uint8_t     pin = w > 0 ? p->pin : PLIANT__ANCHOR;
        pliant_real x[4] = {p->x.x, p->x.y, p->x.z, pin == PLIANT__FREE ? w : 0}, v[4] = {p->v.x, p->v.y, p->v.z, 0};
        memcpy(PLIANT__SLOT(c->x.data, slot), x, sizeof x);
        if (moves) memcpy(PLIANT__SLOT(c->v.data, slot), v, sizeof v);
        c->free_w.data[slot] = pin == PLIANT__ANCHOR ? 0 : w;
        c->pin.data[slot] = pin;
    }
    return true;
}

static bool lay_out_surface(pliant__compiler *c, const pliant__draft_body *b, pliant__model_body *m)
{
    const pliant_scene *s = c->scene;
    m->first_vertex = (uint32_t)c->vertex_slot.count;
    m->vertex_count = b->vertex_count;
    for (uint32_t v = 0; v < b->vertex_count; v++) {
        uint32_t slot = c->slot[s->vertex_particle.data[b->first_vertex + v]];
        if (!array_push(c->allocator, &c->vertex_slot, slot)) return pliant__compile_memory(c);
        if (c->slot_vertex.data[slot] == PLIANT__NONE) c->slot_vertex.data[slot] = v;
    }
    if (!pliant__lay_out_spares(c, b, m)) return pliant__compile_memory(c);
    m->first_embedding = (uint32_t)c->embeddings.count;
    m->embedding_count = b->embedding_count;
    for (uint32_t e = 0; e < b->embedding_count; e++) {
        const pliant__embedding *from = &s->embeddings.data[b->first_embedding + e];
        pliant__model_embedding  to;
        for (int k = 0; k < 4; k++) {
            to.slots[k] = c->slot[from->particles[k]];
            to.weights[k] = from->weights[k];
        }
        if (!array_push(c->allocator, &c->embeddings, to)) return pliant__compile_memory(c);
    }
    m->first_face = (uint32_t)c->face_sizes.count;
    m->face_count = b->face_count;
    m->first_face_index = (uint32_t)c->face_indices.count;
    m->face_index_count = b->face_index_count;
    m->spare_face_count = b->spare_face_count;
    uint32_t *sizes = array_extend(c->allocator, &c->face_sizes, b->face_count);
    uint32_t *indices = array_extend(c->allocator, &c->face_indices, b->face_index_count);
    uint8_t  *cuts = array_extend(c->allocator, &c->face_cuts, (c->face_sizes.count + 7) / 8 - c->face_cuts.count);
    if (!sizes || !indices || !cuts) return pliant__compile_memory(c);
    if (b->face_count) memcpy(sizes, s->face_sizes.data + b->first_face, 4 * (size_t)b->face_count);
    for (uint32_t f = 0; f < b->face_count; f++) {
        const uint32_t to = m->first_face + f;
        c->face_cuts.data[to / 8] |= (uint8_t)(s->face_cuts.data[b->first_face + f] << to % 8);
    }
    if (b->face_index_count) memcpy(indices, s->face_indices.data + b->first_face_index, 4 * (size_t)b->face_index_count);
    return true;
}

static void copy_material(pliant__model_body *m, const pliant_material *material)
{
    m->thickness = material->thickness;
    m->friction_static = material->friction_static;
    m->friction_dynamic = material->friction_dynamic;
    m->restitution = material->restitution;
    m->rolling_friction = m->type == PLIANT_BODY_ROPE ? material->rolling_friction : -1;
    m->damping = material->damping;
    m->drag = material->drag;
    m->air_drag = material->air_drag;
    m->air_lift = material->air_lift;
    memcpy(m->material, material->name, sizeof m->material);
}

/* Bodies come in the order of their slots, and so do patches. */
static bool add_chunks(pliant__compiler *c, uint32_t slot, uint32_t count, uint32_t body)
{
    while (count) {
        pliant__patch *p = &c->patches.data[c->chunk_patch];
        uint32_t       left = p->first_slot + p->slot_count - slot;
        if (!left) {
            c->chunk_patch++;
            continue;
        }
        if (left > count) left = count;
        if (left > PLIANT__CHUNK) left = PLIANT__CHUNK;
        if (!p->chunk_count++) p->first_chunk = (uint32_t)c->chunks.count;
        if (!array_push(c->allocator, &c->chunks, (pliant__chunk){slot, left, body})) return false;
        slot += left;
        count -= left;
    }
    return true;
}

/* Pictures of removed bodies are left out. */
static bool take_texture(pliant__compiler *c, const pliant__draft_body *b, pliant__model_body *m)
{
    const pliant_scene *s = c->scene;
    m->picture = b->picture;
    m->first_uv = (uint32_t)c->face_uvs.count;
    if (b->picture == PLIANT__NONE) return true;
    const pliant__picture *p = &s->pictures.data[b->picture];
    for (m->picture = 0; m->picture < c->pictures.count; m->picture++) {
        const pliant__model_picture *q = &c->pictures.data[m->picture];
        if (p->size == q->size && !memcmp(s->picture_bytes.data + p->first, c->picture_bytes.data + q->first, p->size)) break;
    }
    const pliant__model_picture q = {(uint32_t)c->picture_bytes.count, p->size};
    const size_t                numbers = 2 * (size_t)b->face_index_count;
    const bool new = m->picture == c->pictures.count;
    float   *uvs = array_extend(c->allocator, &c->face_uvs, numbers);
    uint8_t *bytes = array_extend(c->allocator, &c->picture_bytes, new ? p->size : 0);
    if (!uvs || (new && (!bytes || !array_push(c->allocator, &c->pictures, q)))) return pliant__compile_memory(c);
    memcpy(uvs, s->face_uvs.data + b->first_uv, numbers * sizeof *uvs);
    if (new) memcpy(bytes, s->picture_bytes.data + p->first, p->size);
    return true;
}

static bool lay_out_body(pliant__compiler *c, uint32_t index)
{
    const pliant_scene       *s = c->scene;
    const pliant__draft_body *b = &s->bodies.data[index];
    pliant__model_body        m;
    memset(&m, 0, sizeof m);
    m.id = index + 1;
    m.type = b->type;
    memcpy(m.name, b->name, sizeof m.name);
    copy_material(&m, &b->material);
    m.self_contact = b->self_contact;
    m.contact_group = b->contact_group;
    m.contact_mask = b->contact_mask;
    m.collider_mask = b->collider_mask;
    m.color = b->look.color;
    m.pattern = (uint32_t)b->look.pattern;
    m.pattern_size = b->look.pattern_size;
    m.roughness = b->look.roughness;
    if (!take_texture(c, b, &m)) return false;
    m.slot_count = b->particle_count;
    m.first_slot = PLIANT__NONE;
    for (uint32_t i = 0; i < b->particle_count; i++) {
        uint32_t slot = c->slot[b->first_particle + i];
        if (slot < m.first_slot) m.first_slot = slot;
        if (c->free_w.data[slot] > 0) m.mass += 1.0 / (double)c->free_w.data[slot];
    }
    if (!b->particle_count) m.first_slot = 0;
    if (!lay_out_surface(c, b, &m)) return false;
    if (!add_chunks(c, m.first_slot, m.slot_count, c->body[index])) return pliant__compile_memory(c);
    m.first_target = (uint32_t)c->body_target.count;
    m.target_count = (uint32_t)b->targets.count;
    for (size_t t = 0; t < b->targets.count; t++)
        if (!array_push(c->allocator, &c->body_target, b->targets.data[t])) return pliant__compile_memory(c);
    return array_push(c->allocator, &c->bodies, m) || pliant__compile_memory(c);
}

/* Keys say where a target is at time 0 too. A hard one is its particle, which starts where the body has it and goes to its keys in the first
 * step: moved at once, it would tear the body before anything has been solved. */
static pliant_vec3 target_start(const pliant_scene *s, const pliant__draft_target *d)
{
    if (!d->soft || !d->key_count) return d->x;
    return pliant__position_key(s->target_key_times.data + d->time_first, s->target_key_positions.data + d->key_first, d->key_count, 0);
}

/* Targets of removed bodies are left out; body_target holds draft numbers until here. */
static bool lay_out_targets(pliant__compiler *c)
{
    const pliant_scene *s = c->scene;
    uint32_t           *number = pliant__alloc_array(c->allocator, s->targets.count + 1, sizeof *number);
    uint32_t            times = PLIANT__NONE, first_time = 0; /* of the target before; those that were keyed together share them */
    bool                ok = number != NULL;
    for (size_t t = 0; ok && t < s->targets.count; t++) {
        const pliant__draft_target *d = &s->targets.data[t];
        uint32_t                    slot = c->target_slot[t];
        if (slot == PLIANT__NONE) continue;
        const bool again = d->key_count && d->time_first == times;
        if (!again) first_time = (uint32_t)c->target_time.count;
        times = d->key_count ? d->time_first : PLIANT__NONE;
        pliant__model_target m = {slot, c->body[d->body], d->soft, first_time, d->key_count, (uint32_t)c->target_position.count};
        number[t] = (uint32_t)c->targets.count;
        ok = array_push(c->allocator, &c->targets, m);
        for (uint32_t k = 0; ok && k < d->key_count; k++)
            ok = (again || array_push(c->allocator, &c->target_time, s->target_key_times.data[d->time_first + k])) &&
                 array_push(c->allocator, &c->target_position, s->target_key_positions.data[d->key_first + k]);
        if (ok && d->soft) {
            pliant_vec3 start = target_start(s, d);
            pliant_real x[4] = {start.x, start.y, start.z, 0};
            memcpy(PLIANT__SLOT(c->x.data, slot), x, sizeof x);
            c->slot_vertex.data[slot] = number[t];
        }
    }
    for (size_t i = 0; ok && i < c->body_target.count; i++) c->body_target.data[i] = number[c->body_target.data[i]];
    pliant__free(c->allocator, number);
    return ok || pliant__compile_memory(c);
}

static bool lay_out_frames(pliant__compiler *c)
{
    const pliant_scene *s = c->scene;
    for (size_t i = 0; i < s->frames.count; i++) {
        const pliant__draft_frame *d = &s->frames.data[i];
        const pliant__model_frame  m = {c->body[d->body], (uint32_t)c->frame_time.count, d->key_count, 0, d->felt};
        if (m.body == PLIANT__NONE) continue;
        bool ok = array_push(c->allocator, &c->frames, m);
        for (uint32_t k = 0; ok && k < d->key_count; k++)
            ok = array_push(c->allocator, &c->frame_time, s->frame_key_times.data[d->key_first + k]) &&
                 array_push(c->allocator, &c->frame_pose, s->frame_key_poses.data[d->key_first + k]);
        if (!ok) return pliant__compile_memory(c);
    }
    return true;
}

/* The axis scaled to length 1; y for an axis without length. */
static pliant_vec3 direction_of(pliant_vec3 a)
{
    const pliant_real largest = r_max(r_max(r_abs(a.x), r_abs(a.y)), r_abs(a.z));
    if (!(largest > 0)) return v3(0, 1, 0);
    const pliant_vec3 b = v3(a.x / largest, a.y / largest, a.z / largest);
    return v3_scale(b, 1 / v3_length(b));
}

static pliant__model_force describe_force(const pliant__compiler *c, const pliant_force_def *d)
{
    pliant__model_force m;
    memset(&m, 0, sizeof m);
    m.type = (uint32_t)d->type;
    m.body = d->body.id ? c->body[d->body.id - 1] : PLIANT__NONE;
#define SAYS(name) m.name = d->name;
    PLIANT__FORCE_SAYS(SAYS)
#undef SAYS
    m.axis = direction_of(d->axis);
    m.region = (uint32_t)d->region;
    m.first_key = (uint32_t)c->force_time.count;
    m.key_count = (uint32_t)d->key_count;
    return m;
}

static bool lay_out_forces(pliant__compiler *c, bool *wind)
{
    const pliant_scene *s = c->scene;
    for (size_t i = 0; i < s->forces.count; i++) {
        const pliant_force_def *d = &s->forces.data[i].def;
        const size_t            first = s->forces.data[i].key_first;
        bool                    gone = d->body.id && s->bodies.data[d->body.id - 1].removed;
        pliant__model_force     m = describe_force(c, d);
        if (gone) m.body = PLIANT__NOBODY; /* keeps its number */
        if (d->type == PLIANT_FORCE_WIND && !gone) *wind = true;
        bool ok = array_push(c->allocator, &c->forces, m);
        for (size_t k = first; k < first + d->key_count && ok; k++)
            ok = array_push(c->allocator, &c->force_time, s->force_key_times.data[k]) &&
                 array_push(c->allocator, &c->force_vector, s->force_key_vectors.data[k]) &&
                 array_push(c->allocator, &c->force_share, s->force_key_shares.data[k]);
        if (!ok) return pliant__compile_memory(c);
    }
    return true;
}

static bool add_cut(pliant__compiler *c, const pliant__draft_cut *d, uint32_t body)
{
    const pliant_scene     *s = c->scene;
    const pliant__model_cut m = {c->body[body], (uint32_t)c->cut_time.count, d->key_count, 0};
    bool                    ok = array_push(c->allocator, &c->cuts, m);
    for (uint32_t k = d->key_first; k < d->key_first + d->key_count && ok; k++)
        ok = array_push(c->allocator, &c->cut_time, s->cut_key_times.data[k]) &&
             array_push(c->allocator, &c->cut_edge, s->cut_key_edges.data[2 * (size_t)k]) &&
             array_push(c->allocator, &c->cut_edge, s->cut_key_edges.data[2 * (size_t)k + 1]);
    return ok;
}

static bool lay_out_cuts(pliant__compiler *c)
{
    const pliant_scene *s = c->scene;
    for (size_t i = 0; i < s->cuts.count; i++) {
        const pliant__draft_cut *d = &s->cuts.data[i];
        for (uint32_t b = 0; b < d->bodies; b++) {
            const pliant__draft_body *body = &s->bodies.data[b];
            if (body->removed || !(body->tear > 0) || (d->body != PLIANT__NONE && d->body != b)) continue;
            if (!add_cut(c, d, b)) return pliant__compile_memory(c);
        }
    }
    return true;
}

/* Triangles of bodies: of all bodies where wind blows; else only of bodies with a visual surface, as other bodies have them among the faces that are
 * written out. */
static bool lay_out_triangles(pliant__compiler *c, bool wind)
{
    const pliant_scene *s = c->scene;
    for (size_t b = 0; b < s->bodies.count; b++) {
        const pliant__draft_body *body = &s->bodies.data[b];
        if (body->removed) continue;
        pliant__model_body *m = &c->bodies.data[c->body[b]];
        if (!wind && !m->embedding_count) continue;
        m->first_triangle = (uint32_t)c->triangle_body.count;
        m->triangle_count = body->triangle_count;
        for (size_t i = 0; i < 3 * (size_t)body->triangle_count; i++) {
            uint32_t slot = c->slot[s->triangles.data[3 * (size_t)body->first_triangle + i]];
            if (!array_push(c->allocator, &c->triangles, slot)) return pliant__compile_memory(c);
            if (i % 3 == 0 && !array_push(c->allocator, &c->triangle_body, c->body[b])) return pliant__compile_memory(c);
        }
    }
    return true;
}

/* Triangles by corner, so that each particle can gather the forces on its triangles. */
static bool lay_out_wind(pliant__compiler *c)
{
    uint32_t *first = array_extend(c->allocator, &c->corner_first, (size_t)c->header.slot_count + 1);
    uint32_t *corners = array_extend(c->allocator, &c->corners, c->triangles.count);
    if (!first || !corners) return pliant__compile_memory(c);
    for (size_t i = 0; i < c->triangles.count; i++) first[c->triangles.data[i] + 1]++;
    for (uint32_t i = 0; i < c->header.slot_count; i++) first[i + 1] += first[i];
    for (size_t i = c->triangles.count; i-- > 0;) { /* fills each slot's list from its end */
        uint32_t slot = c->triangles.data[i];
        corners[--first[slot + 1]] = (uint32_t)(i / 3);
    }
    /* first[slot + 1] now is where slot begins; shift back */
    for (uint32_t i = 0; i < c->header.slot_count; i++) first[i] = first[i + 1];
    first[c->header.slot_count] = (uint32_t)c->triangles.count;
    return true;
}

bool pliant__lay_out_bodies(pliant__compiler *c)
{
    bool wind = false;
    if (!lay_out_particles(c)) return false;
    for (uint32_t b = 0; b < c->scene->bodies.count; b++) {
        if (!array_push(c->allocator, &c->body_of_id, c->body[b])) return pliant__compile_memory(c);
        if (c->body[b] != PLIANT__NONE && !lay_out_body(c, b)) return false;
    }
    return lay_out_targets(c) && pliant__lay_out_colliders(c) && lay_out_frames(c) && lay_out_forces(c, &wind) && lay_out_cuts(c) &&
           lay_out_triangles(c, wind) && (!wind || lay_out_wind(c));
}
