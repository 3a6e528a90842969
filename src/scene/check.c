#include "scene/check.h"

#include "base/bounds.h"
#include "base/vec.h"

#include <string.h>

bool pliant__check_size(size_t size, size_t want, const char *def, const char *function, pliant_error *error)
{
    if (size == want) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "this %s was not filled by %s; call it first, then change what differs", def,
                        function);
}

bool pliant__check_positive(pliant_real value, const char *what, pliant_error *error)
{
    if (r_finite(value) && value > 0) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s must be > 0 and finite", what);
}

bool pliant__check_not_negative(pliant_real value, const char *what, pliant_error *error)
{
    if (r_finite(value) && value >= 0) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s must be >= 0 and finite", what);
}

bool pliant__check_between(pliant_real value, double low, double high, const char *what, pliant_error *error)
{
    if (r_finite(value) && (double)value >= low && (double)value <= high) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s must be from %g to %g", what, low, high);
}

bool pliant__check_share(pliant_real value, const char *what, pliant_error *error)
{
    return pliant__check_between(value, 0, 1, what, error);
}

bool pliant__check_vector(pliant_vec3 value, const char *what, pliant_error *error)
{
    const pliant_real c[3] = {value.x, value.y, value.z};
    for (int i = 0; i < 3; i++)
        if (!r_finite(c[i])) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s: %c is not a finite number", what, "xyz"[i]);
    return true;
}

bool pliant__check_rotation(pliant_quat q, const char *what, pliant_error *error)
{
    pliant_real square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (r_finite(square) && square > 0) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s must be a quaternion that is finite and not zero; no rotation is (0, 0, 0, 1)",
                        what);
}

bool pliant__check_name(const char *name, size_t size, const char *what, pliant_error *error)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)name[i];
        if (!c) return true;
        if (c < 32 || c == 127) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s has a control character", what);
    }
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s is not ended by a zero; it has room for %zu characters", what, size - 1);
}

bool pliant__check_choice(int value, int count, const char *what, pliant_error *error)
{
    if (value >= 0 && value < count) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s is %d, which is none of its enumerators", what, value);
}

static bool check_limit(const pliant_law *law, pliant_constraint_kind kind, const char *what, const char *stop, pliant_error *error)
{
    if (!law->limited) return true;
    if (!pliant__check_choice((int)law->limit, PLIANT_RANGE + 1, "limit", error)) return false;
    const pliant_constraint_info *info = kind == PLIANT_CONSTRAINT_COUNT ? NULL : pliant_constraint_describe(kind);
    const char                   *name = info ? info->name : "user's";
    if (info && info->rows > 1 && law->limit != PLIANT_EQUAL)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s%s%s has several rows and no other limit than equality", what, stop, name);
    if (law->limit != PLIANT_RANGE) return true;
    if (!info || !(info->flags & PLIANT_ROW_RATIO))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s%sa %s constraint has no range, as it is no ratio to a rest value", what, stop,
                            name);
    if (r_finite(law->range_min) && r_finite(law->range_max) && law->range_min >= 0 && law->range_min <= law->range_max) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s%sa range needs 0 <= range_min <= range_max, both finite", what, stop);
}

static bool check_numbers(const pliant_law *law, pliant_constraint_kind kind, const char *what, const char *stop, pliant_error *error)
{
    const pliant_constraint_info *info = pliant_constraint_describe(kind); /* none for users' constraints */
    const uint32_t                count = info ? info->number_count : 0;
    if (law->given >> count)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s%slaws of %s have %u numbers, and given has a bit of another one", what, stop,
                            info ? info->name : "users' constraints", count);
    for (uint32_t i = 0; i < count; i++) {
        const pliant_parameter_info *p = &info->parameters[info->parameter_count + i];
        if (!(law->given >> i & 1) || pliant__is_within(p, law->numbers[i])) continue;
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s%s%s is %g, but must be from %g to %g%s%s", what, stop, p->name,
                            (double)law->numbers[i], p->low, p->high, strcmp(p->unit, "1") ? " " : "", strcmp(p->unit, "1") ? p->unit : "");
    }
    return true;
}

/* Whether a number of plastic flow is from 0 to `high`; 0 stands for "none". */
static bool check_flow_number(pliant_real value, double high, const char *name, const char *what, const char *stop, pliant_error *error)
{
    if (value >= 0 && (double)value <= high) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s%s%s must be from 0 to %g", what, stop, name, high);
}

/* Whether numbers of plastic flow have their ranges, and none is said without a yield. */
static bool check_flow_numbers(pliant_real yield, pliant_real creep, pliant_real hardening, pliant_real most, const char *what,
                               const char *stop, pliant_error *error)
{
    if (!check_flow_number(yield, 1e3, "yield", what, stop, error) || !check_flow_number(creep, 1e9, "creep", what, stop, error) ||
        !check_flow_number(hardening, 1e6, "hardening", what, stop, error) || !check_flow_number(most, 1e6, "most", what, stop, error))
        return false;
    return yield > 0 || !(creep > 0 || hardening > 0 || most > 0) ||
           pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s%screep, hardening and most are those of what yields; say a yield above 0", what,
                        stop);
}

static bool check_flow(const pliant_law *law, pliant_constraint_kind kind, const char *what, const char *stop, pliant_error *error)
{
    const pliant_constraint_info *info = pliant_constraint_describe(kind); /* none for users' constraints */
    if (!check_flow_numbers(law->yield, law->creep, law->hardening, law->most, what, stop, error)) return false;
    if (!(law->yield > 0)) return true;
    if (!info || !(info->flags & PLIANT_ROW_PLASTIC))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s%slaws of %s have no yield; leave it out", what, stop,
                            info ? info->name : "users' constraints");
    if (law->limited && law->limit == PLIANT_RANGE)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s%sa yield and the limit \"range\" do not go together; say one of them", what,
                            stop);
    return true;
}

static bool check_break(const pliant_law *law, pliant_constraint_kind kind, const char *what, const char *stop, pliant_error *error)
{
    const pliant_constraint_info *info = pliant_constraint_describe(kind); /* none for users' constraints */
    if (!(law->break_force >= 0 && r_finite(law->break_force)))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s%sbreak_force must be >= 0 and finite", what, stop);
    if (law->break_force > 0 && law->stiffness < 1)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                            "%s%sa stiffness below 1 (PBD) has no force to break at; say a compliance, or leave break_force out", what,
                            stop);
    return !(law->break_force > 0) || (info && (info->flags & (PLIANT_ROW_LENGTH | PLIANT_ROW_LINK))) ||
           pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s%slaws of %s do not break, as lengths and attachments do; leave it out", what,
                        stop, info ? info->name : "users' constraints");
}

bool pliant__check_law(const pliant_law *law, pliant_constraint_kind kind, const char *what, pliant_error *error)
{
    const char *stop = *what ? ": " : "";
    if (law->size != sizeof *law)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s%sthis pliant_law was not filled by pliant_law_default; call it first", what,
                            stop);
    if (!r_finite(law->compliance) || law->compliance < 0)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s%scompliance must be >= 0 and finite", what, stop);
    if (!r_finite(law->damping) || law->damping < 0)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s%sdamping must be >= 0 and finite", what, stop);
    if (!(law->stiffness >= 0 && law->stiffness <= 1))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s%sstiffness must be from 0 to 1", what, stop);
    if (law->compliance > 0 && law->stiffness < 1)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                            "%s%scompliance (XPBD) and stiffness below 1 (PBD) do not go together; say one of them", what, stop);
    return check_numbers(law, kind, what, stop, error) && check_limit(law, kind, what, stop, error) &&
           check_flow(law, kind, what, stop, error) && check_break(law, kind, what, stop, error);
}

/* -1 stands for "whatever the collider has". */
static bool check_surface(pliant_real value, double high, const char *what, pliant_error *error)
{
    if (value == -1 || (r_finite(value) && value >= 0 && (double)value <= high)) return true;
    if (high == 1) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s must be from 0 to 1, or -1 for the collider's", what);
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s must be >= 0 and finite, or -1 for the collider's", what);
}

static bool check_elastic(const pliant_material *m, pliant_error *error)
{
    if (!pliant__check_not_negative(m->young, "young", error)) return false;
    if (m->young == 0 || (m->poisson >= 0 && (double)m->poisson < 0.5)) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                        "poisson must be from 0 and below 0.5, where nothing could be pressed together, not %g", (double)m->poisson);
}

/* Whether a law says something of plastic flow. */
static bool says_flow(const pliant_law *law) { return law->yield > 0 || law->creep > 0 || law->hardening > 0 || law->most > 0; }

bool pliant__check_solid(const pliant_material *m, pliant_solid_model model, pliant_error *error)
{
    if ((model == PLIANT_SOLID_DISTANCE || model == PLIANT_SOLID_SHAPE) && m->yield > 0)
        return pliant__fail(
            error, PLIANT_ERROR_ARGUMENT,
            "a material's yield is of elastic models; a body of distances has one in its law stretch, one of clusters in its shape");
    if (model == PLIANT_SOLID_DISTANCE) /* springs along edges alone have a ratio of 1/4, and volumes can only add to it: elastic.c */
        return m->young == 0 || (double)m->poisson > 0.25 ||
               pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                            "poisson must be above 0.25, not %g: edges alone make 0.25; other models have less", (double)m->poisson);
    if (model != PLIANT_SOLID_SHAPE && (says_flow(&m->stretch) || says_flow(&m->volume)))
        return pliant__fail(
            error, PLIANT_ERROR_ARGUMENT,
            "of solids with laws of energy, those of the model neo_hookean yield, by the material's own yield; a yield of the "
            "law stretch goes with the model distance");
    if (pliant__says_distances(m))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                            "the laws stretch and volume are of the model distance: leave them out and say young, or take that model");
    if (m->young > 0 && m->poisson > (pliant_real)0.4999)
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "poisson must be at most 0.4999 in a solid of this model, not %g",
                            (double)m->poisson);
    return m->young > 0 || model == PLIANT_SOLID_SHAPE ||
           pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a solid of this model needs Young's modulus: say young, or take the model distance");
}

static bool check_part(double part, double low, const char *what, pliant_error *error)
{
    if (part >= low && part <= 1e3) return true;
    return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "%s is %g times stretch_warp; in a cloth of this model it is from %g to 1000 times",
                        what, part, low);
}

/* What clusters hold in shape has no stiffness of a cloth. */
static bool check_shape(const pliant_material *m, pliant_error *error)
{
    const bool says = pliant__says_law(&m->stretch, m->has_stretch) || pliant__says_law(&m->shear, m->has_shear) ||
                      pliant__says_law(&m->bend, m->has_bend) || m->stretch.damping > 0 || m->shear.damping > 0 || m->bend.damping > 0 ||
                      m->stretch_warp > 0 || m->shear_stiffness > 0 || m->bending_rigidity > 0 || m->has_area || m->plane_poisson > 0 ||
                      m->stretch.yield > 0 || m->shear.yield > 0 || m->bend.yield > 0;
    return !says || pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                                 "a cloth of the model shape_matching has the stiffness of its clusters alone: leave out what the "
                                 "material says of stretch, shear, bend and area");
}

bool pliant__check_cloth(const pliant_material *m, pliant_cloth_model model, pliant_error *error)
{
    const double warp = (double)m->stretch_warp;
    if (model == PLIANT_CLOTH_SHAPE) return check_shape(m, error);
    if (model == PLIANT_CLOTH_DISTANCE)
        return m->plane_poisson == 0 || pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                                                     "plane_poisson is of the models strain and stvk: leave it out, or take one of them");
    if (pliant__says_law(&m->stretch, m->has_stretch) || pliant__says_law(&m->shear, m->has_shear) || m->stretch.damping > 0 ||
        m->shear.damping > 0 || says_flow(&m->stretch) || says_flow(&m->shear))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                            "the laws stretch and shear are of the model distance: leave them out and say stretch_warp and "
                            "shear_stiffness, or take that model");
    if (!(warp > 0) || !(m->shear_stiffness > 0))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                            "a cloth of this model needs stretch_warp and shear_stiffness: say both, or take the model distance");
    return check_part(m->stretch_weft > 0 ? (double)m->stretch_weft / warp : 1, 1e-3, "stretch_weft", error) &&
           check_part((double)m->shear_stiffness / warp, 0, "shear_stiffness", error);
}

static bool check_fabric(const pliant_material *m, pliant_error *error)
{
    if (!pliant__check_not_negative(m->stretch_warp, "stretch_warp", error) ||
        !pliant__check_not_negative(m->stretch_weft, "stretch_weft", error) ||
        !pliant__check_not_negative(m->shear_stiffness, "shear_stiffness", error) ||
        !pliant__check_not_negative(m->bending_rigidity, "bending_rigidity", error) ||
        !pliant__check_not_negative(m->bending_weft, "bending_weft", error))
        return false;
    if (!((double)m->plane_poisson >= 0 && (double)m->plane_poisson <= (double)(pliant_real)0.99))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "plane_poisson must be from 0 to 0.99, not %g", (double)m->plane_poisson);
    if (m->bending_weft > 0 && !(m->bending_rigidity > 0))
        return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "bending_weft goes with bending_rigidity; say that too");
    return m->stretch_warp > 0 || m->stretch_weft == 0 ||
           pliant__fail(error, PLIANT_ERROR_ARGUMENT, "stretch_weft goes with stretch_warp; say that too");
}

bool pliant__check_material(const pliant_material *m, pliant_error *error)
{
    return pliant__check_size(m->size, sizeof *m, "pliant_material", "pliant_material_default", error) &&
           pliant__check_name(m->name, sizeof m->name, "the material's name", error) &&
           pliant__check_positive(m->density, "density", error) && check_elastic(m, error) && check_fabric(m, error) &&
           check_flow_numbers(m->yield, m->creep, m->hardening, m->most, "", "", error) &&
           pliant__check_not_negative(m->thickness, "thickness", error) &&
           check_surface(m->friction_static, HUGE_VAL, "friction_static", error) &&
           check_surface(m->friction_dynamic, HUGE_VAL, "friction_dynamic", error) &&
           check_surface(m->restitution, 1, "restitution", error) &&
           (m->rolling_friction == -1 || pliant__check_not_negative(m->rolling_friction, "rolling_friction", error)) &&
           pliant__check_not_negative(m->damping, "damping", error) && pliant__check_not_negative(m->damping_time, "damping_time", error) &&
           pliant__check_not_negative(m->drag, "drag", error) && pliant__check_not_negative(m->air_drag, "air_drag", error) &&
           pliant__check_not_negative(m->air_lift, "air_lift", error);
}

bool pliant__check_yield(const pliant_material *m, pliant_body_type type, pliant_error *error)
{
    return type == PLIANT_BODY_SOFT || !(m->yield > 0) ||
           pliant__fail(error, PLIANT_ERROR_ARGUMENT,
                        "a material's yield is of soft bodies; others have one in their laws, stretch and bend");
}

bool pliant__snaps(pliant_body_type type, const pliant_material *m) { return type == PLIANT_BODY_ROPE && m->stretch.break_force > 0; }

bool pliant__check_break(const pliant_material *m, pliant_body_type type, pliant_error *error)
{
    const bool others = m->shear.break_force > 0 || m->bend.break_force > 0 || m->area.break_force > 0 || m->volume.break_force > 0;
    const bool said = others || m->stretch.break_force > 0;
    return !said || (pliant__snaps(type, m) && !others) ||
           pliant__fail(
               error, PLIANT_ERROR_ARGUMENT,
               "of a material's laws, stretch breaks, and that of ropes alone: leave break out of others; cloth tears by \"tear\"");
}

bool pliant__check_snap_tether(pliant_body_type type, const pliant_material *m, pliant_real tether, pliant_error *error)
{
    return !(tether > 0) || !pliant__snaps(type, m) ||
           pliant__fail(error, PLIANT_ERROR_ARGUMENT, "a rope that breaks has no tethers, which would hold what is broken off");
}

bool pliant__check_impact(bool meets, const pliant_material *m, pliant_error *error)
{
    return !meets || m->thickness > 0 ||
           pliant__fail(error, PLIANT_ERROR_ARGUMENT, "what meets bodies needs a thickness: set the material's to more than 0");
}

bool pliant__check_times(const double *times, size_t count, pliant_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (times[i] - times[i] != 0) return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "key %zu: its time is not a finite number", i);
        if (i && times[i] <= times[i - 1])
            return pliant__fail(error, PLIANT_ERROR_ARGUMENT, "key %zu: its time %g is not after that of the key before", i, times[i]);
    }
    return true;
}
