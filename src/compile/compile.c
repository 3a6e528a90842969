/* From a scene to a model: the passes in their order, and the block in the end. */
#include "compile/compile.h"
#include "scene/quality.h"

#include "base/hash.h"
#include "base/float_env.h"

static void write_header(pliant__compiler *c)
{
    pliant__model_header   *h = &c->header;
    const pliant_scene_def *s = &c->scene->settings;
    memcpy(h->magic, "PLIANTM", 8);
    h->version = pliant__model_version();
    h->real_bytes = sizeof(pliant_real);
    h->substeps = pliant__scene_substeps(c->scene);
    h->substep = s->substep;
    h->frame = s->frame;
    h->iterations = s->iterations;
    h->across = pliant__scene_across(c->scene);
    h->gravity[0] = s->gravity.x;
    h->gravity[1] = s->gravity.y;
    h->gravity[2] = s->gravity.z;
#define X(type, name, ...) h->name = (uint32_t)s->name;
    SCENE_CHOICES(X)
#undef X
#define X(name, ...) h->name = s->name;
    SCENE_NUMBERS(X)
#undef X
    h->method.method = s->method.method;
#define X(type, name, ...) h->method.name = s->method.name;
    PLIANT_METHOD_SETTINGS(X)
#undef X
}

/* Copies bytes to a place of the block, and zeroes from `*end`, up to where it is filled, to there. */
static void put(unsigned char *block, uint64_t *end, const void *from, uint64_t at, size_t bytes)
{
    memset(block + *end, 0, (size_t)(at - *end));
    if (bytes) memcpy(block + at, from, bytes);
    *end = at + bytes;
}

/* Lays the arrays one after another, each at a multiple of PLIANT_ALIGN; what has been copied is freed. */
static pliant_model *assemble(pliant__compiler *c)
{
    pliant__model_header *h = &c->header;
    uint64_t              end = sizeof *h;
#define X(type, name, meaning)                                    \
    end = (end + PLIANT_ALIGN - 1) / PLIANT_ALIGN * PLIANT_ALIGN; \
    h->offset[PLIANT__MODEL_##name] = end;                        \
    h->count[PLIANT__MODEL_##name] = c->name.count;               \
    end += c->name.count * sizeof(type);
    MODEL_ARRAYS(X)
#undef X
    h->bytes = (end + PLIANT_ALIGN - 1) / PLIANT_ALIGN * PLIANT_ALIGN;
    unsigned char *block = h->bytes <= SIZE_MAX ? pliant__alloc_untouched(c->allocator, (size_t)h->bytes, 1) : NULL;
    if (!block) {
        pliant__fail_memory(c->error, h->bytes, "the model");
        return NULL;
    }
    end = 0;
    put(block, &end, h, 0, sizeof *h);
#define X(type, name, meaning)                                                                     \
    put(block, &end, c->name.data, h->offset[PLIANT__MODEL_##name], c->name.count * sizeof(type)); \
    array_free(c->allocator, &c->name);
    MODEL_ARRAYS(X)
#undef X
    put(block, &end, NULL, h->bytes, 0);
    pliant__model_header *final = (pliant__model_header *)(void *)block;
    pliant_model         *m = pliant__model_wrap(c->allocator, block, true);
    if (!m) {
        pliant__free(c->allocator, block);
        pliant__fail_memory(c->error, sizeof *m, "the model's handle");
        return NULL;
    }
    if (!pliant__choose_wave_substeps(m, final)) {
        pliant__fail_memory(c->error, model_count(m, bodies), "the speeds of waves");
        pliant_model_destroy(m);
        return NULL;
    }
    final->hash = pliant__model_block_hash(final);
    return m;
}

static void clean(pliant__compiler *c)
{
    pliant__free(c->allocator, c->slot);
    pliant__free(c->allocator, c->target_slot);
    pliant__free(c->allocator, c->body);
    pliant__free(c->allocator, c->law);
    pliant__free(c->allocator, c->local);
    array_free(c->allocator, &c->tethers);
    array_free(c->allocator, &c->rows);
    array_free(c->allocator, &c->row_slots);
    array_free(c->allocator, &c->merged);
    array_free(c->allocator, &c->row_id);
    array_free(c->allocator, &c->clusters);
    array_free(c->allocator, &c->member_laws);
#define X(type, name, meaning) array_free(c->allocator, &c->name);
    MODEL_ARRAYS(X)
#undef X
}

pliant_model *pliant_scene_compile(const pliant_scene *scene, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    if (!scene) {
        pliant__fail(error, PLIANT_ERROR_ARGUMENT, "no scene to compile");
        return NULL;
    }
    pliant__compiler c;
    memset(&c, 0, sizeof c);
    c.scene = scene;
    c.allocator = &scene->allocator;
    c.error = error;
    write_header(&c);
    pliant_model *model = NULL;
    bool          ok = true;
#define X(function, text) ok = ok && function(&c);
    COMPILE_PASSES(X)
#undef X
    if (ok) {
        pliant__check_promises(&c);
        array_free(c.allocator, &c.rows);
        array_free(c.allocator, &c.row_slots);
        array_free(c.allocator, &c.row_id);
        model = assemble(&c);
    }
    clean(&c);
    return model;
}
