/* Inputs as bytes, for recordings. What is loaded goes through what a user would call, so it is checked as that is. */
#include "base/error.h"
#include "base/float_env.h"
#include "state/inputs.h"

#include <string.h>

typedef struct saved {
    char     magic[8]; /* "PLIANTI" */
    uint64_t model, bytes;
    double   dt;
    uint32_t substeps, iterations, grab_count, unused;
} saved;

static const char magic[8] = "PLIANTI";

static size_t size_of(const pliant_model *m)
{
    size_t size = sizeof(saved);
#define X(type, name, count, lanes) size += sizeof(type) * (count);
    INPUT_PARTS(X)
#undef X
    return size;
}

static void put(unsigned char **to, const void *from, size_t size)
{
    memcpy(*to, from, size);
    *to += size;
}

static void put_poses(unsigned char **to, const pliant_pose *poses, const uint8_t *set, size_t count)
{
    for (size_t i = 0; i < count; i++, *to += sizeof *poses)
        if (set[i]) memcpy(*to, &poses[i], sizeof *poses);
    put(to, set, count);
}

/* What was not set, or is no grab, is 0: the same inputs are the same bytes. */
static void save(const pliant_inputs *in, unsigned char *to)
{
    const pliant_model *m = in->model;
    saved               h = {.model = m->header->hash, .bytes = size_of(m), .dt = in->dt};
    memcpy(h.magic, magic, sizeof magic);
    h.substeps = in->substeps;
    h.iterations = in->iterations;
    h.grab_count = in->grab_count;
    memset(to, 0, (size_t)h.bytes);
    put(&to, &h, sizeof h);
    put(&to, &in->gravity, sizeof in->gravity);
    put(&to, in->force, model_count(m, forces) * sizeof *in->force);
    put(&to, in->force_set, model_count(m, forces));
    for (size_t i = 0; i < model_count(m, targets); i++, to += sizeof *in->target)
        if (in->target_set[i]) memcpy(to, &in->target[i], sizeof *in->target);
    put(&to, in->target_set, model_count(m, targets));
    for (size_t i = 0; i < model_count(m, skins); i++, to += sizeof *in->skin)
        if (in->skin_set[i]) memcpy(to, &in->skin[i], sizeof *in->skin);
    put(&to, in->skin_set, model_count(m, skins));
    for (size_t i = 0; i < model_count(m, groups); i++, to += sizeof *in->group)
        if (in->group_set[i]) memcpy(to, &in->group[i], sizeof *in->group);
    put(&to, in->group_set, model_count(m, groups));
    put_poses(&to, in->collider, in->collider_set, model_count(m, colliders));
    put_poses(&to, in->teleport, in->teleport_set, model_count(m, bodies));
    put_poses(&to, in->collider_teleport, in->collider_teleport_set, model_count(m, colliders));
    put(&to, in->collider_switch, model_count(m, colliders));
    put(&to, in->body_switch, model_count(m, bodies));
    for (size_t i = 0; i < model_count(m, bodies); i++, to += sizeof *in->frame)
        if (in->frame_set[i]) memcpy(to, &in->frame[i], sizeof *in->frame);
    put(&to, in->frame_set, model_count(m, bodies));
    for (size_t i = 0; i < model_count(m, laws); i++) {
        const pliant_real law[3] = {in->law[i].compliance, in->law[i].damping, in->law[i].stiffness};
        put(&to, law, sizeof law);
    }
    for (size_t i = 0; i < model_count(m, laws); i++) put(&to, in->law[i].number, PLIANT__SAVED_NUMBERS * sizeof *in->law[i].number);
    for (uint32_t i = 0; i < in->grab_count; i++) {
        const pliant__saved_grab g = {in->grab[i].slot, in->grab[i].target, in->grab[i].compliance};
        put(&to, &g, sizeof g);
    }
}

size_t pliant_inputs_save(const pliant_inputs *inputs, void *out, size_t size)
{
    if (!inputs || !(inputs->dt > 0)) return 0;
    const size_t whole = size_of(inputs->model);
    if (out && size >= whole) save(inputs, out);
    return whole;
}

/* ---- loading ---- */

typedef struct parts {
#define X(type, name, count, lanes) const unsigned char *name;
    INPUT_PARTS(X)
#undef X
} parts;

static bool load_targets(pliant_inputs *in, const parts *p)
{
    for (size_t i = 0; i < model_count(in->model, targets); i++) {
        if (p->target_set[i] > 1) return false;
        if (!p->target_set[i]) continue;
        memcpy(&in->target[i], p->target + i * sizeof *in->target, sizeof *in->target);
        in->target_set[i] = 1;
        if (!v3_finite(in->target[i])) return false;
    }
    return true;
}

/* Of length 1, or of none. */
static bool is_normal(pliant_vec3 n)
{
    const pliant_real square = v3_dot(n, n);
    return square == 0 || (square > (pliant_real)0.999 && square < (pliant_real)1.001);
}

static bool load_skins(pliant_inputs *in, const parts *p)
{
    for (size_t i = 0; i < model_count(in->model, skins); i++) {
        if (p->skin_set[i] > PLIANT__SKIN_NORMAL) return false;
        if (p->skin_set[i] == PLIANT__SKIN_UNSAID) continue;
        memcpy(&in->skin[i], p->skin + i * sizeof *in->skin, sizeof *in->skin);
        in->skin_set[i] = p->skin_set[i];
        if (!v3_finite(in->skin[i].x) || !is_normal(in->skin[i].normal)) return false;
    }
    return true;
}

static bool load_groups(pliant_inputs *in, const parts *p)
{
    for (size_t i = 0; i < model_count(in->model, groups); i++) {
        const pliant_parameter_info *info = pliant_group_describe((pliant_group_kind)in->model->groups[i].kind)->numbers;
        if (p->group_set[i] > 1) return false;
        if (!p->group_set[i]) continue;
        memcpy(&in->group[i], p->group + i * sizeof *in->group, sizeof *in->group);
        in->group_set[i] = 1;
        if (!(in->group[i] >= info->low && in->group[i] <= info->high)) return false;
    }
    return true;
}

/* A pose that was set, or not; `say` tells the inputs. A rotation is of length 1 already, and would not be the same number if it were made so
 * once more, so that the pose is then put back as it was. */
static bool load_pose(pliant_inputs *in, const unsigned char *poses, uint8_t set, size_t i, pliant_pose *to,
                      pliant_code (*say)(pliant_inputs *in, size_t i, const pliant_pose *pose))
{
    pliant_pose pose;
    if (set > 1) return false;
    if (!set) return true;
    memcpy(&pose, poses + i * sizeof pose, sizeof pose);
    if (say(in, i, &pose) != PLIANT_OK) return false;
    *to = pose;
    return true;
}

static pliant_code say_collider(pliant_inputs *in, size_t i, const pliant_pose *pose)
{
    return pliant_inputs_collider(in, (pliant_collider){(uint32_t)i + 1}, pose);
}

static pliant_code say_teleport(pliant_inputs *in, size_t i, const pliant_pose *pose)
{
    return pliant_inputs_teleport(in, (pliant_body){in->model->bodies[i].id}, pose);
}

static pliant_code say_collider_teleport(pliant_inputs *in, size_t i, const pliant_pose *pose)
{
    return pliant_inputs_teleport_collider(in, (pliant_collider){(uint32_t)i + 1}, pose);
}

static bool load_poses(pliant_inputs *in, const parts *p)
{
    bool good = true;
    for (size_t i = 0; i < model_count(in->model, colliders) && good; i++)
        good = load_pose(in, p->collider, p->collider_set[i], i, &in->collider[i], say_collider) &&
               load_pose(in, p->collider_teleport, p->collider_teleport_set[i], i, &in->collider_teleport[i], say_collider_teleport);
    for (size_t i = 0; i < model_count(in->model, bodies) && good; i++)
        good = load_pose(in, p->teleport, p->teleport_set[i], i, &in->teleport[i], say_teleport);
    return good;
}

static bool load_switches(pliant_inputs *in, const parts *p)
{
    for (size_t i = 0; i < model_count(in->model, colliders); i++) {
        const pliant_collider c = {(uint32_t)i + 1};
        if (p->collider_switch[i] > PLIANT__SWITCH_OFF) return false;
        if (p->collider_switch[i] == PLIANT__SWITCH_UNSAID) continue;
        if (pliant_inputs_collider_active(in, c, p->collider_switch[i] == PLIANT__SWITCH_ON) != PLIANT_OK) return false;
    }
    return true;
}

static bool load_body_switches(pliant_inputs *in, const parts *p)
{
    for (size_t i = 0; i < model_count(in->model, bodies); i++) {
        const pliant_body body = {in->model->bodies[i].id};
        if (p->body_switch[i] > PLIANT__SWITCH_OFF) return false;
        if (p->body_switch[i] == PLIANT__SWITCH_UNSAID) continue;
        if (pliant_inputs_body_active(in, body, p->body_switch[i] == PLIANT__SWITCH_ON) != PLIANT_OK) return false;
    }
    return true;
}

static bool load_frames(pliant_inputs *in, const parts *p)
{
    for (size_t i = 0; i < model_count(in->model, bodies); i++) {
        pliant__frame_input f;
        if (p->frame_set[i] > 1) return false;
        if (!p->frame_set[i]) continue;
        memcpy(&f, p->frame + i * sizeof f, sizeof f);
        if (pliant_inputs_frame(in, (pliant_body){in->model->bodies[i].id}, &f.before, &f.after, f.felt) != PLIANT_OK) return false;
        in->frame[i] = f; /* as load_pose has it */
    }
    return true;
}

static bool load_laws(pliant_inputs *in, const parts *p)
{
    for (size_t i = 0; i < model_count(in->model, laws); i++) {
        pliant_real number[3];
        pliant_law  law = pliant_law_default();
        memcpy(number, p->law + i * sizeof number, sizeof number);
        law.compliance = number[0];
        law.damping = number[1];
        law.stiffness = number[2];
        if (PLIANT__SAVED_NUMBERS) {
            const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)in->law[i].kind);
            law.given = info ? (1u << info->number_count) - 1 : 0;
            memcpy(law.numbers, p->law_number + i * sizeof law.numbers, sizeof law.numbers);
        }
        if (pliant_inputs_law(in, (uint32_t)i, &law) != PLIANT_OK) return false;
    }
    return true;
}

static bool load_grabs(pliant_inputs *in, const parts *p, uint32_t count)
{
    if (count > PLIANT__MAX_GRABS) return false;
    for (uint32_t i = 0; i < count; i++) {
        pliant__saved_grab g;
        memcpy(&g, p->grab + i * sizeof g, sizeof g);
        if (g.slot >= in->model->header->particle_count || !v3_finite(g.target) || !(g.compliance >= 0) || !r_finite(g.compliance))
            return false;
        in->grab[i] = (pliant__grab){(uint32_t)g.slot, g.target, g.compliance};
    }
    in->grab_count = count;
    return true;
}

static bool load(pliant_inputs *in, const unsigned char *bytes)
{
    const pliant_model *m = in->model;
    saved               h;
    parts               p;
    pliant_vec3         vector;
    memcpy(&h, bytes, sizeof h);
    bytes += sizeof h;
#define X(type, name, count, lanes) \
    p.name = bytes;                 \
    bytes += sizeof(type) * (count);
    INPUT_PARTS(X)
#undef X
    if (pliant_inputs_reset(in, h.dt) != PLIANT_OK || !h.iterations) return false;
    if (!h.substeps && !pliant__may_carry(m)) return false;
    if (pliant_inputs_substeps(in, h.substeps, h.iterations) != PLIANT_OK) return false;
    memcpy(&vector, p.gravity, sizeof vector);
    bool good = pliant_inputs_gravity(in, vector) == PLIANT_OK;
    for (size_t i = 0; good && i < model_count(m, forces); i++) {
        memcpy(&vector, p.force + i * sizeof vector, sizeof vector);
        good = p.force_set[i] <= 1 && pliant_inputs_force(in, (pliant_force){(uint32_t)i + 1}, vector) == PLIANT_OK;
        in->force_set[i] = p.force_set[i];
    }
    return good && load_targets(in, &p) && load_skins(in, &p) && load_groups(in, &p) && load_poses(in, &p) && load_switches(in, &p) &&
           load_body_switches(in, &p) && load_frames(in, &p) && load_laws(in, &p) && load_grabs(in, &p, h.grab_count);
}

pliant_code pliant_inputs_load(pliant_inputs *inputs, const void *data, size_t size, pliant_error *error)
{
    PLIANT_FLOAT_SCOPE;
    saved       h;
    pliant_code bad = PLIANT_ERROR_INPUT;
    if (!inputs) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "no inputs to load into"), PLIANT_ERROR_ARGUMENT;
    if (!data || size < sizeof h) return pliant__fail(error, bad, "%zu bytes are too few for inputs", size), bad;
    memcpy(&h, data, sizeof h);
    if (memcmp(h.magic, magic, sizeof magic) != 0) return pliant__fail(error, bad, "these bytes are not inputs"), bad;
    if (h.model != inputs->model->header->hash) return pliant__fail(error, bad, "these inputs belong to another model"), bad;
    if (h.bytes != size || size != size_of(inputs->model))
        return pliant__fail(error, bad, "inputs of %zu bytes where the model's have %zu", size, size_of(inputs->model)), bad;
    const double dt = inputs->dt;
    if (load(inputs, data)) return PLIANT_OK;
    if (dt > 0) pliant_inputs_reset(inputs, dt);
    return pliant__fail(error, bad, "a number of these inputs is out of range"), bad;
}
