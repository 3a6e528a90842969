/* What a user does while it runs. */
#include "state/inputs.h"

#include "base/alloc.h"
#include "base/bounds.h"
#include "base/error.h"
#include "base/float_env.h"
#include "base/keys.h"
#include "constraints/eval.h"

#include <string.h>

pliant_inputs *pliant_inputs_create(const pliant_model *model, pliant_error *error)
{
    if (!model) {
        pliant__fail(error, PLIANT_ERROR_ARGUMENT, "no model to make inputs of");
        return NULL;
    }
    const pliant_allocator *a = &model->allocator;
    pliant_inputs          *in = pliant__alloc(a, sizeof *in);
    if (in) {
        in->allocator = *a;
        in->model = model;
        in->force = pliant__alloc_array(a, model_count(model, forces), sizeof *in->force);
        in->force_set = pliant__alloc_array(a, model_count(model, forces), 1);
        in->target = pliant__alloc_array(a, model_count(model, targets), sizeof *in->target);
        in->target_set = pliant__alloc_array(a, model_count(model, targets), 1);
        in->skin = pliant__alloc_array(a, model_count(model, skins), sizeof *in->skin);
        in->skin_set = pliant__alloc_array(a, model_count(model, skins), 1);
        in->group = pliant__alloc_array(a, model_count(model, groups), sizeof *in->group);
        in->group_set = pliant__alloc_array(a, model_count(model, groups), 1);
        in->collider = pliant__alloc_array(a, model_count(model, colliders), sizeof *in->collider);
        in->collider_set = pliant__alloc_array(a, model_count(model, colliders), 1);
        in->teleport = pliant__alloc_array(a, model_count(model, bodies), sizeof *in->teleport);
        in->teleport_set = pliant__alloc_array(a, model_count(model, bodies), 1);
        in->collider_teleport = pliant__alloc_array(a, model_count(model, colliders), sizeof *in->collider_teleport);
        in->collider_teleport_set = pliant__alloc_array(a, model_count(model, colliders), 1);
        in->collider_switch = pliant__alloc_array(a, model_count(model, colliders), 1);
        in->body_switch = pliant__alloc_array(a, model_count(model, bodies), 1);
        in->frame = pliant__alloc_array(a, model_count(model, bodies), sizeof *in->frame);
        in->frame_set = pliant__alloc_array(a, model_count(model, bodies), 1);
        in->law = pliant__alloc_array(a, model_count(model, laws), sizeof *in->law);
        if (in->force && in->force_set && in->target && in->target_set && in->skin && in->skin_set && in->group && in->group_set &&
            in->collider && in->collider_set && in->teleport && in->teleport_set && in->collider_teleport && in->collider_teleport_set &&
            in->collider_switch && in->body_switch && in->frame && in->frame_set && in->law)
            return in;
    }
    pliant_inputs_destroy(in);
    pliant__fail_memory(error, sizeof *in, "inputs");
    return NULL;
}

void pliant_inputs_destroy(pliant_inputs *inputs)
{
    if (!inputs) return;
    pliant_allocator a = inputs->allocator;
    pliant__free(&a, inputs->force);
    pliant__free(&a, inputs->force_set);
    pliant__free(&a, inputs->target);
    pliant__free(&a, inputs->target_set);
    pliant__free(&a, inputs->skin);
    pliant__free(&a, inputs->skin_set);
    pliant__free(&a, inputs->group);
    pliant__free(&a, inputs->group_set);
    pliant__free(&a, inputs->collider);
    pliant__free(&a, inputs->collider_set);
    pliant__free(&a, inputs->teleport);
    pliant__free(&a, inputs->teleport_set);
    pliant__free(&a, inputs->collider_teleport);
    pliant__free(&a, inputs->collider_teleport_set);
    pliant__free(&a, inputs->collider_switch);
    pliant__free(&a, inputs->body_switch);
    pliant__free(&a, inputs->frame);
    pliant__free(&a, inputs->frame_set);
    pliant__free(&a, inputs->law);
    pliant__free(&a, inputs);
}

pliant_code pliant_inputs_reset(pliant_inputs *inputs, double dt)
{
    if (!inputs) return PLIANT_ERROR_ARGUMENT;
    const pliant_model *m = inputs->model;
    if (!(dt >= 1e-6 && dt <= 1)) return PLIANT_ERROR_ARGUMENT;
    if (m->header->substep > 0 && dt / m->header->substep > PLIANT__MAX_SUBSTEPS) return PLIANT_ERROR_ARGUMENT;
    inputs->dt = dt;
    inputs->substeps = pliant_model_substeps(m, dt);
    inputs->iterations = m->header->iterations;
    inputs->gravity = v3(m->header->gravity[0], m->header->gravity[1], m->header->gravity[2]);
    inputs->grab_count = 0;
    for (size_t i = 0; i < model_count(m, forces); i++) inputs->force[i] = m->forces[i].vector;
    memset(inputs->force_set, 0, model_count(m, forces));
    memset(inputs->target_set, 0, model_count(m, targets));
    memset(inputs->skin_set, PLIANT__SKIN_UNSAID, model_count(m, skins));
    memset(inputs->group_set, 0, model_count(m, groups));
    memset(inputs->collider_set, 0, model_count(m, colliders));
    inputs->teleports = inputs->framed = inputs->switches = inputs->body_switches = false;
    memset(inputs->body_switch, PLIANT__SWITCH_UNSAID, model_count(m, bodies));
    memset(inputs->collider_switch, PLIANT__SWITCH_UNSAID, model_count(m, colliders));
    memset(inputs->frame_set, 0, model_count(m, bodies));
    memset(inputs->teleport_set, 0, model_count(m, bodies));
    memset(inputs->collider_teleport_set, 0, model_count(m, colliders));
    memcpy(inputs->law, m->laws, model_count(m, laws) * sizeof *inputs->law);
    return PLIANT_OK;
}

pliant_code pliant_inputs_targets(pliant_inputs *inputs, pliant_body body, const void *positions, size_t stride)
{
    if (!inputs) return PLIANT_ERROR_ARGUMENT;
    const pliant_model       *m = inputs->model;
    const pliant__model_body *b = pliant__model_body_of(m, body);
    if (!b || !positions || stride < sizeof(pliant_vec3)) return PLIANT_ERROR_ARGUMENT;
    const unsigned char *at = positions;
    for (uint32_t i = 0; i < b->target_count; i++) {
        pliant_vec3 p;
        memcpy(&p, at + i * stride, sizeof p);
        if (!v3_finite(p)) return PLIANT_ERROR_ARGUMENT;
    }
    for (uint32_t i = 0; i < b->target_count; i++) {
        uint32_t number = m->body_target[b->first_target + i];
        memcpy(&inputs->target[number], at + i * stride, sizeof(pliant_vec3));
        inputs->target_set[number] = 1;
    }
    return PLIANT_OK;
}

static pliant_vec3 vector_at(const void *vectors, size_t stride, uint32_t i)
{
    pliant_vec3 v;
    memcpy(&v, (const unsigned char *)vectors + i * stride, sizeof v);
    return v;
}

pliant_code pliant_inputs_skin(pliant_inputs *inputs, pliant_body body, const void *positions, size_t stride, const void *normals,
                               size_t normal_stride)
{
    PLIANT_FLOAT_SCOPE;
    if (!inputs) return PLIANT_ERROR_ARGUMENT;
    const pliant_model       *m = inputs->model;
    const pliant__model_body *b = pliant__model_body_of(m, body);
    if (!b || !b->listed_skin_count || !positions || stride < sizeof(pliant_vec3) || (normals && normal_stride < sizeof(pliant_vec3)))
        return PLIANT_ERROR_ARGUMENT;
    for (uint32_t i = 0; i < b->listed_skin_count; i++)
        if (!v3_finite(vector_at(positions, stride, i)) || (normals && !v3_finite(vector_at(normals, normal_stride, i))))
            return PLIANT_ERROR_ARGUMENT;
    for (uint32_t i = 0; i < b->listed_skin_count; i++) {
        const uint32_t number = m->listed_skins[b->first_listed_skin + i];
        inputs->skin[number].x = vector_at(positions, stride, i);
        inputs->skin[number].normal = normals ? v3_unit(vector_at(normals, normal_stride, i)) : v3(0, 0, 0);
        inputs->skin_set[number] = normals ? PLIANT__SKIN_NORMAL : PLIANT__SKIN_POSITION;
    }
    return PLIANT_OK;
}

static pliant_code set_group(pliant_inputs *inputs, pliant_body body, pliant_group_over over, double number)
{
    const pliant__model_body *b = inputs ? pliant__model_body_of(inputs->model, body) : NULL;
    bool                      any = false;
    for (size_t i = 0; b && i < model_count(inputs->model, groups); i++) {
        const pliant__model_group *g = &inputs->model->groups[i];
        const pliant_group_info   *info = pliant_group_describe((pliant_group_kind)g->kind);
        if (&inputs->model->bodies[g->body] != b || info->over != over) continue;
        if (!(number >= info->numbers->low && number <= info->numbers->high)) return PLIANT_ERROR_ARGUMENT;
        inputs->group[i] = number;
        inputs->group_set[i] = 1;
        any = true;
    }
    return any ? PLIANT_OK : PLIANT_ERROR_ARGUMENT;
}

pliant_code pliant_inputs_group(pliant_inputs *inputs, pliant_body body, double number)
{
    return set_group(inputs, body, PLIANT_OVER_FACES, number);
}

pliant_code pliant_inputs_shape(pliant_inputs *inputs, pliant_body body, double young)
{
    return set_group(inputs, body, PLIANT_OVER_MEMBERS, young);
}

/* A pose as said, its rotation of length 1; false if it is none. */
static bool read_pose(const pliant_pose *pose, pliant_pose *out)
{
    if (!pose) return false;
    const pliant_quat q = pose->rotation;
    const pliant_real norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!v3_finite(pose->position) || !r_finite(norm) || !(norm > 0)) return false;
    out->position = pose->position;
    out->rotation = quat_normalize(q);
    return true;
}

pliant_code pliant_inputs_collider(pliant_inputs *inputs, pliant_collider collider, const pliant_pose *pose)
{
    PLIANT_FLOAT_SCOPE;
    if (!inputs || !collider.id || collider.id > model_count(inputs->model, colliders)) return PLIANT_ERROR_ARGUMENT;
    if (!read_pose(pose, &inputs->collider[collider.id - 1])) return PLIANT_ERROR_ARGUMENT;
    inputs->collider_set[collider.id - 1] = 1;
    return PLIANT_OK;
}

pliant_code pliant_inputs_teleport(pliant_inputs *inputs, pliant_body body, const pliant_pose *motion)
{
    PLIANT_FLOAT_SCOPE;
    const pliant__model_body *b = inputs ? pliant__model_body_of(inputs->model, body) : NULL;
    if (!b || !read_pose(motion, &inputs->teleport[b - inputs->model->bodies])) return PLIANT_ERROR_ARGUMENT;
    inputs->teleport_set[b - inputs->model->bodies] = 1;
    inputs->teleports = true;
    return PLIANT_OK;
}

pliant_code pliant_inputs_teleport_collider(pliant_inputs *inputs, pliant_collider collider, const pliant_pose *pose)
{
    PLIANT_FLOAT_SCOPE;
    if (!inputs || !collider.id || collider.id > model_count(inputs->model, colliders)) return PLIANT_ERROR_ARGUMENT;
    if (!read_pose(pose, &inputs->collider_teleport[collider.id - 1])) return PLIANT_ERROR_ARGUMENT;
    inputs->collider_teleport_set[collider.id - 1] = 1;
    inputs->teleports = true;
    return PLIANT_OK;
}

pliant_code pliant_inputs_collider_active(pliant_inputs *inputs, pliant_collider collider, bool active)
{
    if (!inputs || !collider.id || collider.id > model_count(inputs->model, colliders)) return PLIANT_ERROR_ARGUMENT;
    inputs->collider_switch[collider.id - 1] = active ? PLIANT__SWITCH_ON : PLIANT__SWITCH_OFF;
    inputs->switches = true;
    return PLIANT_OK;
}

pliant_code pliant_inputs_body_active(pliant_inputs *inputs, pliant_body body, bool active)
{
    const pliant__model_body *b = inputs ? pliant__model_body_of(inputs->model, body) : NULL;
    if (!b) return PLIANT_ERROR_ARGUMENT;
    inputs->body_switch[b - inputs->model->bodies] = active ? PLIANT__SWITCH_ON : PLIANT__SWITCH_OFF;
    inputs->body_switches = true;
    return PLIANT_OK;
}

static bool is_share(pliant_real share) { return share >= 0 && share <= 1; }

pliant_code pliant_inputs_frame(pliant_inputs *inputs, pliant_body body, const pliant_pose *before, const pliant_pose *after,
                                pliant_inertia felt)
{
    PLIANT_FLOAT_SCOPE;
    const pliant__model_body *b = inputs ? pliant__model_body_of(inputs->model, body) : NULL;
    pliant__frame_input       frame = {.felt = felt};
    if (!b || !read_pose(before, &frame.before) || !read_pose(after, &frame.after) || !is_share(felt.linear) || !is_share(felt.angular) ||
        !is_share(felt.centrifugal))
        return PLIANT_ERROR_ARGUMENT;
    inputs->frame[b - inputs->model->bodies] = frame;
    inputs->frame_set[b - inputs->model->bodies] = 1;
    inputs->framed = true;
    return PLIANT_OK;
}

pliant_code pliant_inputs_grab(pliant_inputs *inputs, pliant_body body, uint32_t vertex, pliant_vec3 target, pliant_real compliance)
{
    if (!inputs) return PLIANT_ERROR_ARGUMENT;
    const pliant__model_body *b = pliant__model_body_of(inputs->model, body);
    if (!b || vertex >= b->vertex_count || inputs->grab_count == PLIANT__MAX_GRABS || !v3_finite(target) || !(compliance >= 0) ||
        !r_finite(compliance))
        return PLIANT_ERROR_ARGUMENT;
    inputs->grab[inputs->grab_count++] = (pliant__grab){inputs->model->vertex_slot[b->first_vertex + vertex], target, compliance};
    return PLIANT_OK;
}

pliant_code pliant_inputs_gravity(pliant_inputs *inputs, pliant_vec3 gravity)
{
    if (!inputs) return PLIANT_ERROR_ARGUMENT;
    if (!v3_finite(gravity)) return PLIANT_ERROR_ARGUMENT;
    inputs->gravity = gravity;
    return PLIANT_OK;
}

pliant_code pliant_inputs_force(pliant_inputs *inputs, pliant_force force, pliant_vec3 vector)
{
    if (!inputs) return PLIANT_ERROR_ARGUMENT;
    if (!force.id || force.id > model_count(inputs->model, forces) || !v3_finite(vector)) return PLIANT_ERROR_ARGUMENT;
    inputs->force[force.id - 1] = vector;
    inputs->force_set[force.id - 1] = 1;
    return PLIANT_OK;
}

pliant_code pliant_inputs_substeps(pliant_inputs *inputs, uint32_t substeps, uint32_t iterations)
{
    if (!inputs) return PLIANT_ERROR_ARGUMENT;
    if (substeps > 10000 || iterations > 10000) return PLIANT_ERROR_ARGUMENT;
    inputs->substeps = substeps ? substeps : pliant_model_substeps(inputs->model, inputs->dt);
    inputs->iterations = iterations ? iterations : inputs->model->header->iterations;
    return PLIANT_OK;
}

/* Whether the numbers that a law says are numbers of its kind, within their bounds. */
static bool has_numbers(pliant_constraint_kind kind, const pliant_law *law)
{
    const pliant_constraint_info *info = pliant_constraint_describe(kind);
    bool                          good = !(law->given >> (info ? info->number_count : 0));
    for (uint32_t i = 0; good && info && i < info->number_count; i++) {
        const pliant_parameter_info *p = &info->parameters[info->parameter_count + i];
        good = !(law->given >> i & 1) || pliant__is_within(p, law->numbers[i]);
    }
    return good;
}

pliant_code pliant_inputs_law(pliant_inputs *inputs, uint32_t law, const pliant_law *values)
{
    if (!inputs) return PLIANT_ERROR_ARGUMENT;
    if (law >= model_count(inputs->model, laws) || !values || values->size != sizeof *values) return PLIANT_ERROR_ARGUMENT;
    if (!(values->compliance >= 0) || !r_finite(values->compliance) || !(values->damping >= 0) || !r_finite(values->damping) ||
        !(values->stiffness >= 0 && values->stiffness <= 1) || (values->compliance > 0 && values->stiffness < 1) ||
        !has_numbers((pliant_constraint_kind)inputs->law[law].kind, values))
        return PLIANT_ERROR_ARGUMENT;
    inputs->law[law].compliance = values->compliance;
    inputs->law[law].damping = values->damping;
    inputs->law[law].stiffness = values->stiffness;
    pliant__law_numbers((pliant_constraint_kind)inputs->law[law].kind, values, inputs->law[law].number);
    return PLIANT_OK;
}

/* ---- keys ---- */

pliant_vec3 pliant__target_at(const pliant_model *model, const pliant__model_target *target, double time, pliant_vec3 now)
{
    if (!target->key_count) return now;
    return pliant__position_key(model->target_time + target->first_key, model->target_position + target->first_position, target->key_count,
                                time);
}

pliant_vec3 pliant__skin_at(const pliant_model *model, const pliant__model_skin *skin, double time, pliant_vec3 now)
{
    if (!skin->key_count) return now;
    return pliant__position_key(model->target_time + skin->first_key, model->target_position + skin->first_position, skin->key_count, time);
}

double pliant__group_at(const pliant_model *model, const pliant__model_group *group, double time, double now)
{
    if (!group->key_count) return now;
    return pliant__number_key(model->group_time + group->first_key, model->group_value + group->first_key, group->key_count, time);
}

pliant_pose pliant__collider_at(const pliant_model *model, const pliant__model_collider *collider, double time, pliant_pose now)
{
    if (!collider->key_count) return now;
    return pliant__pose_key(model->collider_time + collider->first_key, model->collider_pose + collider->first_key, collider->key_count,
                            time);
}
