#define _POSIX_C_SOURCE 200809L
#include "readers.h"

#include "base/alloc.h"
#include "pliant/pliant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void target_broken(const char *file, int line, const char *promise)
{
    fprintf(stderr, "%s:%d: a promise is broken: %s\n", file, line, promise);
    abort();
}

/* Nothing that is as small as what is thrown here takes more memory than there is. */
bool target_refused(const pliant_error *error)
{
    PROMISE(error->code == PLIANT_ERROR_INPUT || error->code == PLIANT_ERROR_ARGUMENT);
    PROMISE(error->message[0] && strlen(error->message) < sizeof error->message);
    return false;
}

static void write_bytes(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0) abort();
}

/* ---- what the targets share ---- */

/* Small, so that what is found is small. */
static const char cache_scene[] =
    "{\"pliant\": 1, \"fps\": 30, \"solver\": {\"substeps\": 2, \"integration\": \"bdf2\"}, \"bodies\": [{\"type\": \"cloth\", \"name\": "
    "\"c\","
    " \"cells\": [2, 1], \"size\": [1, 1], \"pins\": [0]}], \"colliders\": [{\"type\": \"plane\", \"offset\": -1}]}";
static const char obj_text[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
static const char face_node_text[] = "4 3 0 1\n1 0 0 0 1\n2 1 0 0 1\n3 0 1 0 1\n4 0 0 1 1\n";
static const char node_text[] = "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n", ele_text[] = "1 4 0\n0 0 1 2 3\n";

static pliant_model_file fixed;
static pliant_state     *first;

void targets_begin(void)
{
    pliant_error error = {0};
    if (pliant_model_read_text(cache_scene, strlen(cache_scene), "shared", NULL, NULL, &fixed, &error) != PLIANT_OK) abort();
    first = pliant_state_create(fixed.model, NULL);
    if (!first) abort();
    write_bytes("m.obj", obj_text, strlen(obj_text));
    write_bytes("m.node", node_text, strlen(node_text));
    write_bytes("m.ele", ele_text, strlen(ele_text));
    write_bytes("fixed.node", node_text, strlen(node_text));
    write_bytes("x.node", face_node_text, strlen(face_node_text));
    write_bytes("other.ele", ele_text, strlen(ele_text));
    mkdir("c.obj", 0777);
    mkdir("c.ply", 0777);
    mkdir("q", 0777);
}

void targets_end(void)
{
    pliant_state_destroy(first);
    pliant_model_close(&fixed);
}

/* Memory that ends: a scene may ask for a grid of billions. */
enum { MEMORY = 24 << 20 };
static size_t in_use;

static void *some(size_t bytes, size_t align, void *context)
{
    (void)context;
    if (bytes > MEMORY - in_use) return NULL;
    size_t *memory = aligned_alloc(align, bytes + align);
    if (!memory) return NULL;
    memory[0] = bytes;
    in_use += bytes;
    return (unsigned char *)memory + align;
}

static void none(void *memory, void *context)
{
    size_t *start = (void *)((unsigned char *)memory - PLIANT_ALIGN);
    (void)context;
    in_use -= start[0];
    free(start);
}

/* ---- scenes ---- */

/* A step of one sweep of what is small enough: whatever a scene says, numbers that are none are noticed, not stored. */
static void step(const pliant_model *model)
{
    pliant_solver_def def = pliant_solver_def_default();
    def.allocator = (pliant_allocator){some, none, NULL, NULL};
    def.threads = 1;
    pliant_state  *state = pliant_state_create(model, NULL);
    pliant_solver *solver = state ? pliant_solver_create(model, &def, NULL) : NULL;
    pliant_inputs *inputs = solver ? pliant_inputs_create(model, NULL) : NULL;
    if (inputs && pliant_inputs_reset(inputs, 1.0 / 60) == PLIANT_OK && pliant_inputs_substeps(inputs, 1, 1) == PLIANT_OK) {
        const pliant_code code = pliant_solver_step(solver, state, inputs);
        PROMISE(code == PLIANT_OK || code == PLIANT_ERROR_DIVERGED || code == PLIANT_ERROR_MEMORY); /* a crowd has no room */
        PROMISE(code != PLIANT_ERROR_DIVERGED || pliant_solver_divergence(solver).diverged);
    }
    pliant_inputs_destroy(inputs);
    pliant_solver_destroy(solver);
    pliant_state_destroy(state);
}

static bool read_scene(const target *t, const unsigned char *data, size_t size)
{
    pliant_error      error = {0};
    pliant_model_file file = {0};
    pliant_read_def   def = pliant_read_def_default();
    (void)t;
    def.allocator = (pliant_allocator){some, none, NULL, NULL};
    def.mend = size % 2;
    const bool ok = pliant_model_read_text((const char *)data, size, "scene", NULL, &def, &file, &error) == PLIANT_OK;
    if (ok && pliant_model_particle_count(file.model) < 2000 && pliant_model_solved_count(file.model) < 20000) step(file.model);
    pliant_model_close(&file);
    PROMISE(in_use == 0);
    return ok || (error.code != PLIANT_ERROR_MEMORY && target_refused(&error)); /* here the memory is little */
}

/* A list of constraints to solve instead of a scene's own. */
static bool read_replay(const target *t, const unsigned char *data, size_t size)
{
    static const char text[] =
        "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"c\", \"cells\": [1, 1], \"size\": [1, 1]}, {\"type\": \"rope\","
        " \"name\": \"r\", \"from\": [0, 0, 0], \"to\": [1, 0, 0], \"segments\": 2}]}";
    pliant_error      error = {0};
    pliant_model_file file = {0};
    pliant_read_def   def = pliant_read_def_default();
    (void)data, (void)size;
    def.replay = t->file;
    const bool ok = pliant_model_read_text(text, sizeof text - 1, "scene", NULL, &def, &file, &error) == PLIANT_OK;
    if (ok) step(file.model);
    pliant_model_close(&file);
    return ok || target_refused(&error);
}

/* ---- caches ---- */

static bool is_written(const char *path)
{
    for (uint32_t i = 0; pliant_format_at(i); i++) {
        const char *ending = pliant_format_at(i)->ending;
        if (strlen(path) > strlen(ending) && !strcmp(path + strlen(path) - strlen(ending), ending)) return pliant_format_is_written(i);
    }
    return false;
}

/* A folder without its second frame is refused; where a list says which frames there are, it is noticed when that one is read. */
static void miss_second(const char *path)
{
    pliant_error  error = {0};
    pliant_cache *cache = pliant_cache_open(path, fixed.model, &error);
    if (!strstr(path, ".pvd")) PROMISE(!cache && !target_refused(&error));
    if (cache) PROMISE(pliant_cache_read(cache, 1, &error) != PLIANT_OK && error.message[0]);
    pliant_cache_close(cache);
}

/* Behind its first frame: then it has four, or stays as it was. */
static void go_on(const target *t, uint32_t begins)
{
    const char      *path = t->path;
    pliant_error     error = {0};
    pliant_write_def def = pliant_write_def_default();
    def.first_frame = begins;
    def.there = 1;
    def.frames = 4;
    if (begins >= UINT32_MAX - 2 || !is_written(path)) return; /* there are no numbers for others */
    pliant_writer *writer = pliant_writer_open(path, fixed.model, &def, &error);
    if (!writer) {
        target_refused(&error);
        return;
    }
    for (int i = 1; i < 4; i++) PROMISE(pliant_writer_frame(writer, first, &error) == PLIANT_OK);
    PROMISE(pliant_writer_close(writer, &error) == PLIANT_OK);
    pliant_cache *cache = pliant_cache_open(path, fixed.model, &error);
    PROMISE(cache && pliant_cache_frames(cache) == 4);
    PROMISE(pliant_cache_first(cache) == (strstr(path, ".mdd") ? 0 : begins)); /* an .mdd does not say */
    PROMISE(pliant_cache_read(cache, 3, &error) == PLIANT_OK);
    pliant_cache_close(cache);
    char other[64];
    snprintf(other, sizeof other, "%s", t->file);
    char *number = strstr(other, "0000");
    if (!number) return;
    for (number[3] = '1'; number[3] < '4'; number[3]++) {
        PROMISE(remove(other) == 0);
        if (number[3] == '1') miss_second(path);
    }
}

/* What is a cache, another one may be written over, and how much it takes is known; where the format says so at all. */
static void may_be_replaced(const char *path)
{
    pliant_error     error = {0};
    pliant_write_def def = pliant_write_def_default();
    uint64_t         there, bytes;
    def.frames = 3;
    if (pliant_writer_estimate(path, fixed.model, &def, &bytes, NULL, &error) != PLIANT_OK) return;
    PROMISE(bytes > 0 && pliant_writer_check(path, fixed.model, &there, &error) == PLIANT_OK && there > 0);
}

static bool read_cache(const target *t, const unsigned char *data, size_t size)
{
    pliant_error      error = {0};
    pliant_state     *state = pliant_state_create(fixed.model, NULL);
    pliant_cache     *cache = pliant_cache_open(t->path, fixed.model, &error);
    bool              ok = cache || target_refused(&error);
    pliant_vec3       x[6]; /* the vertices of its only body */
    const pliant_body body = pliant_model_body_at(fixed.model, 0).body;
    if (cache) PROMISE(pliant_cache_read(cache, pliant_cache_frames(cache), NULL) != PLIANT_OK);
    (void)data;
    (void)size;
    for (uint32_t i = 0; cache && i < pliant_cache_frames(cache) && i < 4; i++) {
        const bool read = pliant_cache_read(cache, i, &error) == PLIANT_OK || target_refused(&error);
        PROMISE(pliant_cache_to_state(cache, state) == (read ? PLIANT_OK : PLIANT_ERROR_ARGUMENT));
        PROMISE(pliant_cache_write_positions(cache, body, x, sizeof *x) == (read ? PLIANT_OK : PLIANT_ERROR_ARGUMENT));
        for (uint32_t k = 0; k < 6 && read; k++) PROMISE(x[k].x - x[k].x == 0 && x[k].y - x[k].y == 0 && x[k].z - x[k].z == 0);
        ok = ok && read;
    }
    const uint32_t begins = pliant_cache_first(cache);
    if (cache) may_be_replaced(t->path);
    pliant_cache_close(cache);
    pliant_state_destroy(state);
    if (ok) go_on(t, begins);
    return ok;
}

static bool write_cache(const char *path)
{
    pliant_write_def def = pliant_write_def_default();
    def.frames = 2;
    pliant_writer *writer = pliant_writer_open(path, fixed.model, &def, NULL);
    const bool     ok =
        writer && pliant_writer_frame(writer, first, NULL) == PLIANT_OK && pliant_writer_frame(writer, first, NULL) == PLIANT_OK;
    return pliant_writer_close(writer, NULL) == PLIANT_OK && ok;
}

/* A list and the files that it lists: one of them is what is read, the others are good. */
static bool read_listed(const target *t, const unsigned char *data, size_t size)
{
    PROMISE(write_cache(t->path));
    write_bytes(t->file, data, size);
    return read_cache(t, data, size);
}

/* Where HDF5 is not there, corpus/vtkhdf/ has what would be written. */
static bool write_vtkhdf(const char *path) { return !is_written(path) || write_cache(path); }

/* What a writer that was killed leaves: the work file, and no other. */
static bool write_part(const char *path)
{
    char   part[64], data[4096];
    size_t size = 0;
    snprintf(part, sizeof part, "%s.part", path);
    pliant_writer *writer = pliant_writer_open(path, fixed.model, NULL, NULL);
    bool  ok = writer && pliant_writer_frame(writer, first, NULL) == PLIANT_OK && pliant_writer_frame(writer, first, NULL) == PLIANT_OK;
    FILE *f = ok ? fopen(part, "rb") : NULL;
    if (f) size = fread(data, 1, sizeof data, f);
    ok = f && fclose(f) == 0 && size < sizeof data && pliant_writer_close(writer, NULL) == PLIANT_OK && remove(path) == 0;
    if (ok) write_bytes(part, data, size);
    return ok;
}

/* ---- own files ---- */

static bool read_checkpoint(const target *t, const unsigned char *data, size_t size)
{
    pliant_error      error = {0};
    pliant_checkpoint checkpoint = pliant_checkpoint_default();
    pliant_state     *state = pliant_state_create(fixed.model, NULL);
    const uint64_t    before = pliant_state_hash(state);
    const bool        ok = pliant_checkpoint_read(t->file, state, &checkpoint, &error) == PLIANT_OK || target_refused(&error);
    (void)data;
    (void)size;
    if (!ok) PROMISE(pliant_state_hash(state) == before);
    pliant_state_destroy(state);
    return ok;
}

static bool write_checkpoint(const char *path)
{
    const pliant_checkpoint c = pliant_checkpoint_default();
    return pliant_checkpoint_write(path, first, &c, NULL) == PLIANT_OK;
}

static bool read_cooked(const target *t, const unsigned char *data, size_t size)
{
    pliant_error      error = {0};
    pliant_model_file file;
    (void)data;
    (void)size;
    if (pliant_model_read(t->file, NULL, &file, &error) != PLIANT_OK) return target_refused(&error);
    step(file.model);
    pliant_model_close(&file);
    return true;
}

/* A file of either kind, told by its first bytes. */
static bool read_file(const target *t, const unsigned char *data, size_t size)
{
    pliant_error      error = {0};
    pliant_model_file file = {0};
    pliant_read_def   def = pliant_read_def_default();
    (void)data;
    def.allocator = (pliant_allocator){some, none, NULL, NULL};
    def.mend = size % 2;
    const bool ok = pliant_model_read(t->file, &def, &file, &error) == PLIANT_OK;
    if (ok && pliant_model_particle_count(file.model) < 2000 && pliant_model_solved_count(file.model) < 20000) step(file.model);
    pliant_model_close(&file);
    PROMISE(in_use == 0);
    if (!ok) PROMISE(error.code == PLIANT_ERROR_MEMORY || error.path[0]);
    return ok || (error.code != PLIANT_ERROR_MEMORY && target_refused(&error));
}

static bool write_cooked(const char *path) { return pliant_cooked_write(path, fixed.model, 7, 30, NULL) == PLIANT_OK; }

static bool read_recording(const target *t, const unsigned char *data, size_t size)
{
    pliant_error      error = {0};
    pliant_recording *r = pliant_recording_open(t->file, &error);
    (void)data;
    (void)size;
    if (!r) return target_refused(&error);
    const pliant_model *model = pliant_recording_model(r);
    pliant_state       *state = pliant_state_create(model, NULL);
    pliant_inputs      *inputs = pliant_inputs_create(model, NULL);
    bool                ok = pliant_recording_begin(r, state, &error) == PLIANT_OK || target_refused(&error);
    uint64_t            hash;
    for (uint32_t i = 0; i < pliant_recording_frames(r); i++)
        ok = (pliant_recording_frame(r, i, inputs, &hash, &error) == PLIANT_OK || target_refused(&error)) && ok;
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_recording_close(r);
    return ok;
}

static bool write_recording(const char *path)
{
    pliant_inputs   *inputs = pliant_inputs_create(fixed.model, NULL);
    pliant_recorder *recorder = pliant_recorder_open(path, first, NULL, NULL);
    bool             ok = recorder && pliant_inputs_reset(inputs, 1.0 / 30) == PLIANT_OK;
    ok = ok && pliant_recorder_frame(recorder, inputs, first, NULL) == PLIANT_OK &&
         pliant_recorder_frame(recorder, inputs, first, NULL) == PLIANT_OK;
    ok = ok && pliant_inputs_gravity(inputs, (pliant_vec3){0, 1, 0}) == PLIANT_OK &&
         pliant_recorder_frame(recorder, inputs, first, NULL) == PLIANT_OK;
    ok = pliant_recorder_close(recorder, NULL) == PLIANT_OK && ok;
    pliant_inputs_destroy(inputs);
    return ok;
}

/* A field of distances that is read is written, and reads back; and a scene takes it or says why not. */
static bool read_field(const target *t, const unsigned char *data, size_t size)
{
    static const char text[] = "{\"pliant\": 1, \"bodies\": [{\"type\": \"cloth\", \"name\": \"c\", \"cells\": [1, 1], \"size\": [1, 1]}], "
                               "\"colliders\": [{\"type\": \"distance_field\", \"file\": \"x.field\"}]}";
    pliant_error      error = {0};
    pliant_field      field, again;
    pliant_model_file file = {0};
    (void)data, (void)size;
    if (pliant_field_load(t->file, &field, &error) != PLIANT_OK) return PROMISE(!field.distance), target_refused(&error);
    PROMISE(pliant_field_write("again.field", &field, &error) == PLIANT_OK &&
            pliant_field_load("again.field", &again, &error) == PLIANT_OK);
    const size_t bytes = sizeof *field.distance * field.count[0] * field.count[1] * field.count[2];
    PROMISE(memcmp(field.count, again.count, sizeof field.count) == 0 && memcmp(field.distance, again.distance, bytes) == 0);
    PROMISE(memcmp(&field.origin, &again.origin, sizeof field.origin) == 0 && field.cell == again.cell && field.source == again.source);
    pliant_field_free(&field);
    pliant_field_free(&again);
    const bool ok = pliant_model_read_text(text, sizeof text - 1, "scene", NULL, NULL, &file, &error) == PLIANT_OK;
    if (ok) step(file.model);
    pliant_model_close(&file);
    return ok || target_refused(&error);
}

/* A ball around the origin, where the cloth of read_field is. */
static bool write_field(const char *path)
{
    float              distance[27];
    const pliant_field field = {.origin = {-1, -1, -1}, .cell = 1, .count = {3, 3, 3}, .distance = distance, .source = 7};
    for (int i = 0; i < 27; i++) distance[i] = i == 13 ? -0.5F : 0.5F;
    return pliant_field_write(path, &field, NULL) == PLIANT_OK;
}

/* ---- texts ---- */

static bool read_method(const target *t, const unsigned char *data, size_t size)
{
    pliant_error      error = {0};
    pliant_method_def def = pliant_method_def_default(), before = def;
    char             *text = malloc(size + 1), again[2048];
    (void)t;
    if (!text) abort();
    memcpy(text, data, size);
    text[size] = 0;
    const bool ok = pliant_method_read(text, &def, &error) == PLIANT_OK || target_refused(&error);
    free(text);
    if (!ok) return PROMISE(memcmp(&def, &before, sizeof def) == 0), false;
    PROMISE(pliant_method_write(&def, again, sizeof again) < sizeof again); /* what was read is written, and reads back */
    before = def;
    PROMISE(pliant_method_read(again, &def, NULL) == PLIANT_OK && memcmp(&def, &before, sizeof def) == 0);
    return true;
}

/* The first byte says which constraint. */
static bool read_eval(const target *t, const unsigned char *data, size_t size)
{
    pliant_error       error = {0};
    pliant_eval_input  in;
    pliant_eval_output out;
    (void)t;
    const pliant_constraint_kind kind = (pliant_constraint_kind)(size ? data[0] % PLIANT_CONSTRAINT_COUNT : 0);
    if (size) data++, size--;
    if (pliant_eval_read_text(kind, (const char *)data, size, "case", &in, &error) != PLIANT_OK) return target_refused(&error);
    pliant_constraint_eval(kind, &in, &out);
    return true;
}

/* ---- the table ---- */

const target targets[] = {
    {.name = "scene", .read = read_scene},
    {.name = "replay", .file = "x.json", .read = read_replay},
    {.name = "eval", .read = read_eval},
    {.name = "method", .read = read_method},
    {.name = "obj", .file = "x.obj", .read = read_mesh},
    {.name = "ply", .file = "x.ply", .read = read_mesh},
    {.name = "node", .file = "other.node", .path = "other.node", .read = read_tets},
    {.name = "ele", .file = "fixed.ele", .path = "fixed.ele", .read = read_tets},
    {.name = "pc2", .file = "c.pc2", .path = "c.pc2", .read = read_cache, .write = write_cache},
    {.name = "csv", .file = "c.csv", .path = "c.csv", .read = read_cache, .write = write_cache},
    {.name = "frame_obj", .file = "c.obj/c.0000.obj", .path = "c.obj", .read = read_cache, .write = write_cache},
    {.name = "frame_ply", .file = "c.ply/c.0000.ply", .path = "c.ply", .read = read_cache, .write = write_cache},
    {.name = "checkpoint", .file = "x.check", .read = read_checkpoint, .write = write_checkpoint, .seal = seal_checkpoint},
    {.name = "cooked", .file = "x.pliant", .read = read_cooked, .write = write_cooked, .seal = seal_cooked},
    {.name = "file", .file = "x.any", .read = read_file, .write = write_cooked},
    {.name = "recording", .file = "x.rec", .read = read_recording, .write = write_recording, .seal = seal_recording},
    {.name = "field", .file = "x.field", .read = read_field, .write = write_field, .seal = seal_field},
    {.name = "msh", .file = "x.msh", .path = "x.msh", .read = read_tets},
    {.name = "vtk", .file = "x.vtk", .path = "x.vtk", .read = read_tets},
    {.name = "face", .file = "x.face", .read = read_mesh},
    {.name = "answer", .read = read_answer},
    {.name = "points_pc2", .file = "x.pc2", .read = read_points},
    {.name = "points_mdd", .file = "x.mdd", .read = read_points},
    {.name = "points_glb", .file = "x.glb", .read = read_points},
    {.name = "points_gltf", .file = "x.gltf", .read = read_points},
    {.name = "points_usda", .file = "x.usda", .read = read_points},
    {.name = "points_abc", .file = "x.abc", .read = read_points},
    {.name = "mdd", .file = "c.mdd", .path = "c.mdd", .read = read_cache, .write = write_cache},
    {.name = "part", .file = "w.mdd.part", .path = "w.mdd", .read = read_cache, .write = write_part, .seal = seal_part},
    {.name = "glb", .file = "c.glb", .path = "c.glb", .read = read_cache, .write = write_cache},
    {.name = "usda", .file = "c.usda", .path = "c.usda", .read = read_cache, .write = write_cache},
    {.name = "pvd", .file = "p.pvd", .path = "p.pvd", .read = read_listed, .write = write_cache},
    {.name = "vtp", .file = "q/c.0000.vtp", .path = "q.pvd", .read = read_listed, .write = write_cache},
    {.name = "vtkhdf", .file = "c.vtkhdf", .path = "c.vtkhdf", .read = read_cache, .write = write_vtkhdf, .seal = seal_vtkhdf},
    {.name = "abc", .file = "c.abc", .path = "c.abc", .read = read_cache, .write = write_cache, .seal = seal_abc},
};
const size_t target_count = sizeof targets / sizeof *targets;

const target *target_find(const char *name)
{
    for (size_t i = 0; name && i < target_count; i++)
        if (!strcmp(targets[i].name, name)) return &targets[i];
    return NULL;
}

bool target_run(const target *t, const unsigned char *data, size_t size)
{
    unsigned char *sealed = t->seal ? malloc(size + 1) : NULL;
    if (t->seal && !sealed) abort();
    if (sealed) {
        memcpy(sealed, data, size);
        t->seal(sealed, size);
        data = sealed;
    }
    if (t->file) write_bytes(t->file, data, size);
    const bool ok = t->read(t, data, size);
    free(sealed);
    return ok;
}

unsigned char *target_good(const target *t, size_t *size)
{
    *size = 0;
    if (!t->write) return NULL;
    PROMISE(t->write(t->path ? t->path : t->file));
    FILE *f = fopen(t->file, "rb");
    if (!f && !is_written(t->file)) return NULL;
    if (!f || fseek(f, 0, SEEK_END) != 0) abort();
    *size = (size_t)ftell(f);
    rewind(f);
    unsigned char *data = malloc(*size + 1);
    if (!data || fread(data, 1, *size, f) != *size) abort();
    fclose(f);
    return data;
}
