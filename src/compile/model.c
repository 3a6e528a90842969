/* A model's handle: wrapping a block, checking a mapped one, and answering questions about it. */
#include "compile/model.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "scene/draft.h"
#include "scene/quality.h"

#include <assert.h>

const size_t pliant__model_element[PLIANT__MODEL_ARRAY_COUNT] = {
#define X(type, name, meaning) sizeof(type),
    MODEL_ARRAYS(X)
#undef X
};

uint32_t pliant__model_version(void)
{
#define X(type, name, ...) #type " " #name ";"
    static const char arrays[] = MODEL_ARRAYS(X);
    static const char settings[] = PLIANT_METHOD_SETTINGS(X);
    static const char choices[] = SCENE_CHOICES(X);
#undef X
#define X(name, ...) #name ";"
    static const char numbers[] = SCENE_NUMBERS(X) CONTACT_PAIR_NUMBERS(X);
#undef X
#define X(NAME, name, slots, rows, count, ...) #name " " #slots " " #rows " " #count ";"
    static const char constraints[] = PLIANT_CONSTRAINT_TABLE(X);
#undef X
#define X(NAME, name, over, ...) #name " " #over ";"
    static const char groups[] = PLIANT_GROUP_TABLE(X);
#undef X
    const size_t header[] = {PLIANT__MODEL_MEANING, sizeof(pliant__model_header), PLIANT__BLOCK, PLIANT__PATCH, PLIANT__LIST,
                             PLIANT__CHUNK};
    uint64_t     h = 0;
    for (size_t i = 0; i < sizeof header / sizeof *header; i++) h = pliant__hash_mix(h ^ header[i]);
    for (int i = 0; i < PLIANT__MODEL_ARRAY_COUNT; i++) h = pliant__hash_mix(h ^ pliant__model_element[i]);
    for (int k = 0; k < PLIANT_CONSTRAINT_COUNT; k++)
        h = pliant__hash_mix(h ^ pliant_constraint_describe((pliant_constraint_kind)k)->number_count);
    h = pliant__hash(arrays, sizeof arrays, h);
    h = pliant__hash(settings, sizeof settings, h);
    h = pliant__hash(choices, sizeof choices, h);
    h = pliant__hash(numbers, sizeof numbers, h);
    for (int k = 0; k < PLIANT_GROUP_COUNT; k++) h = pliant__hash_mix(h ^ pliant_group_describe((pliant_group_kind)k)->number_count);
    h = pliant__hash(constraints, sizeof constraints, h);
    h = pliant__hash(groups, sizeof groups, h);
    return (uint32_t)(h ^ h >> 32);
}

pliant_model *pliant__model_wrap(const pliant_allocator *allocator, const void *block, bool owned)
{
    pliant_model *m = pliant__alloc(allocator, sizeof *m);
    if (!m) return NULL;
    if (allocator) m->allocator = *allocator;
    m->header = block;
    if (owned) memcpy(&m->owned, &block, sizeof block);
    const unsigned char *bytes = block;
#define X(type, name, meaning) m->name = (const type *)(const void *)(bytes + m->header->offset[PLIANT__MODEL_##name]);
    MODEL_ARRAYS(X)
#undef X
    return m;
}

void pliant_model_destroy(pliant_model *model)
{
    if (!model) return;
    pliant_allocator allocator = model->allocator;
    pliant__free(&allocator, model->owned);
    pliant__free(&allocator, model);
}

uint64_t pliant__model_block_hash(const pliant__model_header *header)
{
    pliant__model_header copy;
    memcpy(&copy, header, sizeof copy); /* padding too */
    copy.hash = 0;
    uint64_t h = pliant__hash(&copy, sizeof copy, 0);
    return pliant__hash((const unsigned char *)header + sizeof copy, (size_t)header->bytes - sizeof copy, h);
}

const void *pliant_model_data(const pliant_model *model, size_t *size)
{
    if (size) *size = model ? (size_t)model->header->bytes : 0;
    return model ? model->header : NULL;
}

static bool check_block(const pliant__model_header *h, size_t size, pliant_error *error)
{
    if (size < sizeof *h || memcmp(h->magic, "PLIANTM", 8) != 0)
        return pliant__fail(error, PLIANT_ERROR_INPUT, "these bytes are not a model");
    if (h->version != pliant__model_version())
        return pliant__fail(error, PLIANT_ERROR_INPUT,
                            "a model made by another version of this library (%08x, this one is %08x): make it anew from its scene",
                            h->version, pliant__model_version());
    if (h->real_bytes != sizeof(pliant_real))
        return pliant__fail(error, PLIANT_ERROR_INPUT, "model of %u-byte numbers; this library has %zu-byte ones", h->real_bytes,
                            sizeof(pliant_real));
    if (h->bytes != size) return pliant__fail(error, PLIANT_ERROR_INPUT, "model of %zu bytes cut to %zu", (size_t)h->bytes, size);
    if (pliant__model_block_hash(h) != h->hash) return pliant__fail(error, PLIANT_ERROR_INPUT, "damaged model: its checksum does not fit");
    for (int i = 0; i < PLIANT__MODEL_ARRAY_COUNT; i++)
        if (h->offset[i] % PLIANT_ALIGN || h->offset[i] > size || h->count[i] > (size - h->offset[i]) / pliant__model_element[i])
            return pliant__fail(error, PLIANT_ERROR_INPUT, "damaged model: array %d lies outside", i);
    return true;
}

pliant_model *pliant_model_map(const void *data, size_t size, const pliant_allocator *allocator, pliant_error *error)
{
    if (!data || (uintptr_t)data % PLIANT_ALIGN) {
        pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a model's bytes must be aligned to %u", PLIANT_ALIGN);
        return NULL;
    }
    if (!check_block(data, size, error)) return NULL;
    pliant_model *m = pliant__model_wrap(allocator, data, false);
    if (!m) pliant__fail_memory(error, sizeof *m, "a model's handle");
    return m;
}

uint64_t pliant_model_hash(const pliant_model *model) { return model ? model->header->hash : 0; }

pliant_scene_def pliant_model_settings(const pliant_model *model)
{
    pliant_scene_def d = pliant_scene_def_default();
    if (!model) return d;
    const pliant__model_header *h = model->header;
    d.gravity = v3(h->gravity[0], h->gravity[1], h->gravity[2]);
    d.substeps = h->substeps;
    d.substep = h->substep;
    d.frame = h->frame;
    d.iterations = h->iterations;
    d.method.method = h->method.method;
#define X(type, name, ...) d.method.name = h->method.name;
    PLIANT_METHOD_SETTINGS(X)
#undef X
#define X(type, name, ...) d.name = (type)h->name;
    SCENE_CHOICES(X)
#undef X
#define X(name, ...) d.name = h->name;
    SCENE_NUMBERS(X)
#undef X
    return d;
}

uint32_t pliant_model_edges_across(const pliant_model *model) { return model ? model->header->across : 0; }

const char *pliant_model_quality_reason(const pliant_model *model)
{
    const bool by_edges = model && model->header->quality == PLIANT_QUALITY_GOOD && !model->header->wave_substeps;
    return by_edges ? pliant__quality_reason(model->header->substeps) : "";
}

uint32_t pliant_model_wave_substeps(const pliant_model *model) { return model ? model->header->wave_substeps : 0; }

uint32_t pliant_model_substeps(const pliant_model *model, double dt)
{
    if (!model || !(dt >= 1e-6 && dt <= 1) || pliant__may_carry(model)) return 0;
    const double length = model->header->substep;
    if (!(length > 0)) return model->header->substeps;
    const double   exact = dt / length - PLIANT__SUBSTEP_FUZZ;
    const uint32_t whole = exact > 0 ? (uint32_t)exact : 0;
    return (double)whole < exact || !whole ? whole + 1 : whole;
}

/* ---- bodies ---- */

const pliant__model_body *pliant__model_body_of(const pliant_model *model, pliant_body body)
{
    if (!model || !body.id || body.id > model_count(model, body_of_id)) return NULL;
    uint32_t index = model->body_of_id[body.id - 1];
    return index == PLIANT__NONE ? NULL : &model->bodies[index];
}

uint32_t pliant_model_body_count(const pliant_model *model) { return model ? (uint32_t)model_count(model, bodies) : 0; }

static pliant_body_info describe(const pliant_model *model, const pliant__model_body *b)
{
    pliant_body_info info = {0};
    info.body.id = b->id;
    info.type = (pliant_body_type)b->type;
    info.name = b->name;
    info.material = b->material;
    info.vertex_count = b->vertex_count;
    info.spare_count = b->spare_count;
    info.particle_count = b->slot_count;
    info.surface_vertex_count = b->embedding_count ? b->embedding_count : b->vertex_count;
    info.visual = b->embedding_count > 0;
    info.face_count = b->face_count;
    info.face_index_count = b->face_index_count;
    info.spare_face_count = b->spare_face_count;
    info.target_count = b->target_count;
    info.skin_count = b->listed_skin_count;
    info.mass = b->mass;
    info.thickness = b->thickness;
    info.tether = b->tether;
    info.self_contact = b->self_contact;
    info.contact_group = b->contact_group;
    info.contact_mask = b->contact_mask;
    info.collider_mask = b->collider_mask;
    info.look =
        (pliant_look){.color = b->color, .pattern = (pliant_pattern)b->pattern, .pattern_size = b->pattern_size, .roughness = b->roughness};
    if (b->picture != PLIANT__NONE) {
        info.look.texture = model->picture_bytes + model->pictures[b->picture].first;
        info.look.texture_bytes = model->pictures[b->picture].size;
    }
    return info;
}

pliant_body_info pliant_model_body_at(const pliant_model *model, uint32_t index)
{
    pliant_body_info none = {0};
    return index < pliant_model_body_count(model) ? describe(model, &model->bodies[index]) : none;
}

pliant_body pliant_model_find_body(const pliant_model *model, const char *name)
{
    pliant_body found = {0};
    for (uint32_t i = 0; name && i < pliant_model_body_count(model); i++)
        if (!strcmp(model->bodies[i].name, name)) found.id = model->bodies[i].id;
    return found;
}

pliant_body_info pliant_model_body(const pliant_model *model, pliant_body body)
{
    pliant_body_info          none = {0};
    const pliant__model_body *b = pliant__model_body_of(model, body);
    return b ? describe(model, b) : none;
}

void pliant_model_faces(const pliant_model *model, pliant_body body, const uint32_t **sizes, const uint32_t **indices)
{
    const pliant__model_body *b = pliant__model_body_of(model, body);
    if (sizes) *sizes = b ? model->face_sizes + b->first_face : NULL;
    if (indices) *indices = b ? model->face_indices + b->first_face_index : NULL;
}

const float *pliant_model_uvs(const pliant_model *model, pliant_body body)
{
    const pliant__model_body *b = pliant__model_body_of(model, body);
    return b && b->picture != PLIANT__NONE ? model->face_uvs + b->first_uv : NULL;
}

uint32_t pliant_model_particle_count(const pliant_model *model) { return model ? model->header->particle_count : 0; }

pliant_particle pliant__model_particle(const pliant_model *model, uint32_t slot)
{
    assert(slot < model->header->slot_count);
    pliant_particle p = {{0}, 0};
    if (slot >= model->header->slot_count) return p;
    p.vertex = model->slot_vertex[slot];
    uint32_t low = 0, high = pliant_model_body_count(model);
    while (low < high) { /* the last body that begins at or before the slot */
        uint32_t middle = low + (high - low) / 2;
        if (model->bodies[middle].first_slot <= slot)
            low = middle + 1;
        else
            high = middle;
    }
    if (low && slot - model->bodies[low - 1].first_slot < model->bodies[low - 1].slot_count) p.body.id = model->bodies[low - 1].id;
    return p;
}

/* ---- constraints and laws ---- */

uint32_t pliant_model_constraint_count(const pliant_model *model, pliant_constraint_kind kind)
{
    if (!model) return 0;
    const uint32_t *count = model->header->constraint_count;
    if ((unsigned)kind < PLIANT_CONSTRAINT_COUNT) return count[kind];
    uint32_t sum = 0;
    for (int k = 0; k <= PLIANT_CONSTRAINT_COUNT; k++) sum += count[k];
    return sum;
}

uint32_t pliant_model_solved_count(const pliant_model *model) { return model ? model->header->solved_count : 0; }

uint32_t pliant_model_wave_count(const pliant_model *model) { return model ? model->header->wave_count : 0; }

/* Whether a number of row_constraint is that of a row or a user's constraint; padding and what lies behind have numbers of ids without a row. */
static bool is_row(const pliant_model *m, uint32_t row)
{
    if (row >= m->header->packed_rows) return row - m->header->packed_rows < model_count(m, users);
    const pliant__batch *b = pliant__batch_of(m, row);
    return pliant__has_row(m, b, row - b->first_row);
}

/* Round the cycle that the constraint is in, until what leads to it: from itself on to a marked number, and on from the marked one before that. */
uint32_t pliant__row_of(const pliant_model *model, pliant_constraint constraint)
{
    if (!constraint.id || constraint.id > model->header->id_count) return PLIANT__NONE;
    uint32_t row = constraint.id - 1, next = pliant__constraint_of(model, row);
    for (bool back = false; next != constraint.id; next = pliant__constraint_of(model, row)) {
        const bool jumps = !back && pliant__is_marked(row);
        row = jumps ? model->constraint_back[row / 8] : next - 1;
        back = back || jumps;
    }
    return is_row(model, row) ? row : PLIANT__NONE;
}

const pliant__batch *pliant__batch_of(const pliant_model *model, uint32_t packed_row)
{
    uint32_t low = 0, high = (uint32_t)model_count(model, batches);
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (model->batches[middle].first_row <= packed_row)
            low = middle;
        else
            high = middle;
    }
    return &model->batches[low];
}

/* Number of the n-th row of a batch. */
static uint32_t nth_row(const pliant_model *m, const pliant__batch *b, uint32_t n)
{
    if (!pliant__has_gaps(b)) return n;
    for (uint32_t block = 0; block < pliant__blocks(b); block++) {
        uint32_t rows = pliant__block_rows(m, b, block), lane = 0;
        for (uint32_t left = rows; left; left &= left - 1) lane++;
        if (n >= lane) {
            n -= lane;
            continue;
        }
        for (; n; n--) rows &= rows - 1;
        for (lane = 0; !(rows >> lane & 1);) lane++;
        return block * PLIANT__BLOCK + lane;
    }
    return 0;
}

pliant_solved_constraint pliant_model_solved(const pliant_model *model, uint32_t position)
{
    pliant_solved_constraint c = {0};
    if (!model || position >= model->header->solved_count) return c;
    uint32_t low = 0, high = (uint32_t)model_count(model, batches), slots[PLIANT_MAX_SLOTS];
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (model->batches[middle].first_solved <= position)
            low = middle;
        else
            high = middle;
    }
    const pliant__batch          *b = &model->batches[low];
    const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)b->kind);
    uint32_t row = nth_row(model, b, position - b->first_solved), block = row / PLIANT__BLOCK, lane = row % PLIANT__BLOCK;
    c.kind = info->kind;
    c.wave = b->wave;
    c.law = pliant__row_law(model, b, row);
    c.constraint.id = pliant__constraint_of(model, b->first_row + row);
    const pliant_real *parameter = pliant__parameters(model, b, block) + lane;
    pliant__row_slots(model, b, row, info->slots, slots);
    for (uint32_t s = 0; s < info->slots; s++) c.particles[s] = pliant__model_particle(model, slots[s]);
    for (uint32_t p = 0; p < info->parameter_count; p++) c.parameters[p] = parameter[p * PLIANT__BLOCK];
    return c;
}

uint32_t pliant_model_group_count(const pliant_model *model) { return model ? (uint32_t)model_count(model, groups) : 0; }

pliant_body_group pliant_model_group(const pliant_model *model, uint32_t index)
{
    pliant_body_group out = {0};
    if (index >= pliant_model_group_count(model)) return out;
    const pliant__model_group *g = &model->groups[index];
    out.kind = (pliant_group_kind)g->kind;
    out.body.id = model->bodies[g->body].id;
    memcpy(out.numbers, g->number, sizeof out.numbers);
    return out;
}

uint32_t pliant_model_law_count(const pliant_model *model) { return model ? (uint32_t)model_count(model, laws) : 0; }

pliant_law_info pliant_model_law(const pliant_model *model, uint32_t index)
{
    pliant_law_info info = {0};
    info.material = info.role = "";
    if (index >= pliant_model_law_count(model)) return info;
    const pliant__model_law *l = &model->laws[index];
    info.kind = (pliant_constraint_kind)l->kind;
    info.material = l->material;
    info.role = l->role;
    info.count = l->count;
    info.law = pliant_law_default();
    info.law.compliance = l->compliance;
    info.law.damping = l->damping;
    info.law.stiffness = l->stiffness;
    info.law.limited = l->limited;
    info.law.limit = (pliant_limit)l->limit;
    info.law.range_min = l->range_min;
    info.law.range_max = l->range_max;
    info.law.yield = l->yield;
    info.law.break_force = l->break_force;
    info.law.creep = l->creep;
    info.law.hardening = l->hardening;
    info.law.most = l->most;
    const pliant_constraint_info *row = pliant_constraint_describe(info.kind);
    info.law.given = row ? (1u << row->number_count) - 1 : 0;
    memcpy(info.law.numbers, l->number, sizeof l->number);
    return info;
}

pliant_parted pliant_model_parted(const pliant_model *model)
{
    pliant_parted   p = {0};
    const uint32_t *body = model ? model->header->parted_bodies : NULL;
    if (!model || !model->header->parted || body[0] >= model_count(model, bodies) || body[1] >= model_count(model, bodies)) return p;
    p.count = model->header->parted;
    p.body.id = model->bodies[body[0]].id;
    p.other.id = model->bodies[body[1]].id;
    p.by = model->header->parted_by;
    return p;
}

uint32_t pliant_model_stitch_count(const pliant_model *model) { return model ? (uint32_t)model_count(model, each_stitch) : 0; }

/* ---- colliders and forces ---- */

uint32_t pliant_model_collider_count(const pliant_model *model) { return model ? (uint32_t)model_count(model, colliders) : 0; }

bool pliant_model_meets_collider(const pliant_model *model, pliant_body body, pliant_collider collider)
{
    const pliant__model_body *b = pliant__model_body_of(model, body);
    if (!b || !collider.id || collider.id > model_count(model, colliders)) return false;
    return pliant__meets_collider(model, (uint32_t)(b - model->bodies), collider.id - 1);
}

pliant_collider_def pliant_model_collider_at(const pliant_model *model, uint32_t index, pliant_collider *collider)
{
    pliant_collider_def d = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
    if (collider) collider->id = 0;
    if (index >= pliant_model_collider_count(model)) return d;
    const pliant__model_collider *c = &model->colliders[index];
    if (collider) collider->id = c->id;
    memcpy(d.name, c->name, sizeof d.name);
    d.shape = (pliant_shape)c->shape;
    d.radius = c->radius;
    d.half_height = c->half_height;
    d.half_extent = c->half_extent;
    d.pose = c->pose;
    d.friction_static = c->friction_static;
    d.friction_dynamic = c->friction_dynamic;
    d.restitution = c->restitution;
    d.thickness = c->thickness;
    d.stick = c->stick != 0;
    d.yields = c->yields != 0;
    d.contact_group = c->contact_group;
    d.contact_mask = c->contact_mask;
    d.two_sided = c->facets.two_sided != 0;
    if (c->shape == PLIANT_SHAPE_FIELD) {
        d.field = (pliant_field_view){.origin = c->grid.origin, .cell = c->grid.cell, .distance = model->collider_distance + c->grid.first};
        memcpy(d.field.count, c->grid.count, sizeof d.field.count);
    }
    if (c->facets.point_count)
        d.mesh = pliant_mesh_view_of(model->collider_point + c->facets.first_point, sizeof *model->collider_point, c->facets.point_count,
                                     model->collider_corner + 3 * (size_t)c->facets.first_triangle, c->facets.triangle_count);
    d.cell = c->cell;
    d.columns = c->facets.columns;
    d.rows = c->facets.rows;
    if (d.columns) d.heights = model->collider_number + c->facets.first_number;
    return d;
}

pliant_collider pliant_model_find_collider(const pliant_model *model, const char *name)
{
    pliant_collider found = {0};
    for (uint32_t i = 0; name && i < pliant_model_collider_count(model); i++)
        if (!strcmp(model->colliders[i].name, name)) found.id = model->colliders[i].id;
    return found;
}

uint32_t pliant_model_force_count(const pliant_model *model) { return model ? (uint32_t)model_count(model, forces) : 0; }

pliant_force_def pliant_model_force_at(const pliant_model *model, uint32_t index, pliant_force *force)
{
    pliant_force_def d = pliant_force_def_default(PLIANT_FORCE_ACCELERATION);
    const bool       there = index < pliant_model_force_count(model);
    if (force) force->id = there ? index + 1 : 0;
    if (!there) return d;
    const pliant__model_force *f = &model->forces[index];
    d.type = (pliant_force_type)f->type;
    d.body.id = f->body < model_count(model, bodies) ? model->bodies[f->body].id : 0;
#define SAYS(name) d.name = f->name;
    PLIANT__FORCE_SAYS(SAYS)
#undef SAYS
    d.axis = f->axis;
    d.region = (pliant_region)f->region;
    d.key_count = f->key_count;
    if (!d.key_count) return d;
    d.key_times = model->force_time + f->first_key;
    d.key_vectors = model->force_vector + f->first_key;
    d.key_shares = model->force_share + f->first_key;
    return d;
}

/* ---- contact pairs ---- */

uint32_t pliant_model_contact_pair_count(const pliant_model *model) { return model ? (uint32_t)model_count(model, contact_pairs) : 0; }

pliant_contact_pair_def pliant_model_contact_pair_at(const pliant_model *model, uint32_t index)
{
    pliant_contact_pair_def d = pliant_contact_pair_def_default();
    if (index >= pliant_model_contact_pair_count(model)) return d;
    const pliant__model_contact_pair *p = &model->contact_pairs[index];
    const uint32_t                    bodies = pliant_model_body_count(model);
    d.body.id = model->bodies[p->body].id;
    if (p->other < bodies)
        d.other.id = model->bodies[p->other].id;
    else
        d.collider.id = model->colliders[p->other - bodies].id;
    d.ignore = p->ignore != 0;
#define X(name, ...) d.name = p->name;
    CONTACT_PAIR_NUMBERS(X)
#undef X
    return d;
}
