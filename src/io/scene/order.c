/* The order in which a model is solved, as a scene file's "constraints". */
#include "base/error.h"
#include "io/files/number.h"
#include "pliant/io.h"
#include "scene/draft.h"

#include <string.h>

/* Text that is measured to its end and kept as far as there is room. */
typedef struct measured {
    char  *out;
    size_t size, length;
} measured;

static void put(measured *m, const char *text)
{
    for (; *text; text++, m->length++)
        if (m->length + 1 < m->size) m->out[m->length] = *text;
}

static void put_number(measured *m, double value)
{
    char number[PLIANT__NUMBER_SIZE];
    pliant__format_number(number, value, PLIANT__REAL_DIGITS);
    put(m, number);
}

static void put_count(measured *m, uint64_t value)
{
    char number[PLIANT__NUMBER_SIZE];
    pliant__format_number(number, (double)value, 17);
    put(m, number);
}

static void put_point(measured *m, pliant_vec3 p)
{
    put(m, "[");
    put_number(m, p.x);
    put(m, ", ");
    put_number(m, p.y);
    put(m, ", ");
    put_number(m, p.z);
    put(m, "]");
}

static void put_field(measured *m, const char *key, double value)
{
    put(m, ", \"");
    put(m, key);
    put(m, "\": ");
    put_number(m, value);
}

/* Vertices of all bodies are counted through, in the order in which the bodies were added; removed ones do not count. */
static uint64_t global_vertex(const pliant_model *model, pliant_particle p)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < pliant_model_body_count(model); i++) {
        pliant_body_info b = pliant_model_body_at(model, i);
        if (b.body.id == p.body.id) break;
        before += b.vertex_count;
    }
    return before + p.vertex;
}

/* Target number `number` of a model: those of removed bodies do not count. */
static const pliant__draft_target *find_target(const pliant_scene *scene, uint32_t number)
{
    for (size_t t = 0; t < scene->targets.count; t++)
        if (!scene->bodies.data[scene->targets.data[t].body].removed && number-- == 0) return &scene->targets.data[t];
    return NULL;
}

static void put_target(measured *m, const pliant_scene *scene, uint32_t number)
{
    const pliant__draft_target *t = find_target(scene, number);
    if (!t) return;
    put(m, ", \"target\": ");
    put_point(m, t->x);
    if (t->key_count == 0) return;
    put(m, ", \"keys\": [");
    for (uint32_t k = 0; k < t->key_count; k++) {
        char time[PLIANT__NUMBER_SIZE];
        pliant__format_shortest(time, scene->target_key_times.data[t->time_first + k]);
        put(m, k ? ", {\"time\": " : "{\"time\": ");
        put(m, time);
        put(m, ", \"positions\": [");
        put_point(m, scene->target_key_positions.data[t->key_first + k]);
        put(m, "]}");
    }
    put(m, "]");
}

static void put_law(measured *m, const pliant_constraint_info *info, const pliant_law *law)
{
    static const char *const limits[] = {"equal", "at_most", "at_least", "range"};
    put_field(m, "compliance", law->compliance);
    if (law->stiffness < 1) put_field(m, "stiffness", law->stiffness);
    if (law->damping > 0) put_field(m, "damping", law->damping);
    for (uint32_t i = 0; i < info->number_count; i++) put_field(m, info->parameters[info->parameter_count + i].name, law->numbers[i]);
    if (law->yield > 0) put_field(m, "yield", law->yield);
    if (law->creep > 0) put_field(m, "creep", law->creep);
    if (law->hardening > 0) put_field(m, "hardening", law->hardening);
    if (law->most > 0) put_field(m, "most", law->most);
    if (law->break_force > 0) put_field(m, "break", law->break_force);
    if (!law->limited) return;
    put(m, ", \"limit\": \"");
    put(m, limits[law->limit]);
    put(m, "\"");
    if (law->limit != PLIANT_RANGE) return;
    put(m, ", \"range\": [");
    put_number(m, law->range_min);
    put(m, ", ");
    put_number(m, law->range_max);
    put(m, "]");
}

size_t pliant_order_entry(const pliant_scene *scene, const pliant_model *model, uint32_t position, char *out, size_t size)
{
    if (!scene || !model || position >= pliant_model_solved_count(model)) return 0;
    pliant_solved_constraint      c = pliant_model_solved(model, position);
    const pliant_constraint_info *info = pliant_constraint_describe(c.kind);
    pliant_law                    law = pliant_model_law(model, c.law).law;
    measured                      m = {out, size, 0};
    put(&m, "{\"kind\": \"");
    put(&m, info->name);
    put(&m, "\", \"ids\": [");
    for (uint32_t s = 0, n = 0; s < info->slots; s++) {
        if (!c.particles[s].body.id) continue;
        put(&m, n++ ? ", " : "");
        put_count(&m, global_vertex(model, c.particles[s]));
    }
    put(&m, "]");
    for (uint32_t s = 0; s < info->slots; s++)
        if (!c.particles[s].body.id) put_target(&m, scene, c.particles[s].vertex);
    for (uint32_t i = 0; i < info->parameter_count; i++) put_field(&m, info->parameters[i].name, c.parameters[i]);
    put_law(&m, info, &law);
    put(&m, "}");
    if (size) out[m.length < size ? m.length : size - 1] = 0;
    return m.length;
}
