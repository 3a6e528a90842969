/* Sliders of materials: the moduli of solids and sheets in Pa and N/m, the compliances of other laws, and one for all laws of a fabric or a solid of distances that
 * differ by their place in the mesh. And of groups: what fills a body, and how stiff the clusters are that hold it in shape. */
#include "view/window.h"

#include "view/ui.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct slider {
    const char *label;
    float       low, high;
    bool        by_tens; /* by powers of ten; the low end means 0 */
    const char *format;
} slider;

/* What sliders of laws show, and the law that they say; `law` comes with what they leave as it is. */
typedef struct form {
    const char *role; /* NULL: any */
    slider      sliders[LAW_NUMBERS];
    void (*show)(const pliant_law *law, float *v);
    void (*take)(const float *v, pliant_law *law);
} form;

#define DAMPING                              \
    {                                        \
        "damping", 1e-6f, 1000, true, "%.2e" \
    }

/* The compliance is 1 / mu. */
static void show_solid(const pliant_law *law, float *v)
{
    v[0] = (float)(2 * (1 + (double)law->numbers[0]) / (double)law->compliance);
    v[2] = (float)law->numbers[0];
}

/* A slider's low end means 0, which is no modulus: 1 takes its place. */
static double modulus(float v) { return fmax((double)v, 1); }

static void take_solid(const float *v, pliant_law *law)
{
    pliant_material m = pliant_material_default();
    m.young = (pliant_real)modulus(v[0]);
    m.poisson = (pliant_real)v[2];
    const pliant_law of = pliant_material_law(&m, PLIANT_CONSTRAINT_TET_NEO_HOOKEAN);
    law->compliance = of.compliance;
    memcpy(law->numbers, of.numbers, sizeof law->numbers);
}

/* The compliance is 1 / warp, the others are parts of warp. */
static void show_sheet(const pliant_law *law, float *v)
{
    v[0] = (float)(1 / (double)law->compliance);
    v[2] = v[0] * (float)law->numbers[0];
    v[3] = v[0] * (float)law->numbers[1];
    v[4] = (float)law->numbers[2];
}

static void take_sheet(const float *v, pliant_law *law)
{
    pliant_material m = pliant_material_default();
    m.stretch_warp = (pliant_real)modulus(v[0]);
    m.stretch_weft = (pliant_real)modulus(v[2]);
    m.shear_stiffness = (pliant_real)v[3];
    m.plane_poisson = (pliant_real)v[4];
    const pliant_law of = pliant_material_law(&m, PLIANT_CONSTRAINT_TRIANGLE_STRAIN);
    law->compliance = of.compliance;
    memcpy(law->numbers, of.numbers, sizeof law->numbers);
}

static void show_law(const pliant_law *law, float *v) { v[0] = (float)law->compliance; }
static void take_law(const float *v, pliant_law *law) { law->compliance = (pliant_real)v[0]; }

static const form forms[] = {
    {"solid", {{"Young, Pa", 1, 1e12f, true, "%.3g"}, DAMPING, {"Poisson's ratio", 0, 0.4999f, false, "%.4f"}}, show_solid, take_solid},
    {"sheet",
     {{"warp, N/m", 1, 1e9f, true, "%.3g"},
      DAMPING,
      {"weft, N/m", 1, 1e9f, true, "%.3g"},
      {"shear, N/m", 1, 1e9f, true, "%.3g"},
      {"Poisson coupling", 0, 0.95f, false, "%.3f"}},
     show_sheet,
     take_sheet},
    {NULL, {{"compliance", 1e-12f, 10, true, "%.2e"}, DAMPING}, show_law, take_law},
};

/* Of several laws that are of one kind, material and role: times their stiffness, which is 1 at first. */
static const form many = {NULL, {{"stiffness, times", 1e-3f, 1000, true, "%.3g"}, DAMPING}, NULL, NULL};

static bool are_alike(const pliant_law_info *a, const pliant_law_info *b)
{
    return a->kind == b->kind && !strcmp(a->material, b->material) && !strcmp(a->role, b->role) && *a->role && *a->material;
}

static const form *form_of(const pliant_model *m, uint32_t index, uint32_t *laws, uint32_t *rows)
{
    const pliant_law_info info = pliant_model_law(m, index);
    const form           *f = forms;
    *laws = *rows = 0;
    for (uint32_t i = 0; i < pliant_model_law_count(m); i++) {
        const pliant_law_info other = pliant_model_law(m, i);
        if (i != index && !are_alike(&info, &other)) continue;
        if (i < index) return NULL; /* its sliders are those of that one */
        ++*laws;
        *rows += other.count;
    }
    if (*laws > 1) return &many;
    while (f->role && strcmp(f->role, info.role) != 0) f++;
    return f;
}

void panel_begin_laws(panel *p, const pliant_model *m)
{
    for (uint32_t i = 0; i < pliant_model_law_count(m); i++) {
        const pliant_law law = pliant_model_law(m, i).law;
        float           *v = p->laws + LAW_NUMBERS * (size_t)i;
        uint32_t         laws, rows;
        const form      *f = form_of(m, i, &laws, &rows);
        if (!f) continue;
        v[0] = 1;
        v[1] = (float)law.damping;
        for (int k = 0; k < PLIANT_MAX_NUMBERS; k++) v[2 + k] = (float)law.numbers[k];
        if (f->show) f->show(&law, v);
    }
    for (uint32_t i = 0; i < pliant_model_group_count(m); i++) p->groups[i] = (float)pliant_model_group(m, i).numbers[0];
}

static bool draw_slider(const slider *s, float *v)
{
    return s->by_tens ? ui_slider_log(s->label, v, s->low, s->high, s->format) : ui_slider(s->label, v, s->low, s->high, s->format);
}

/* Sliders for the numbers of a kind's laws; what spans decades goes by its logarithm. */
static bool draw_numbers(pliant_constraint_kind kind, float *v, pliant_law *law)
{
    const pliant_constraint_info *info = pliant_constraint_describe(kind);
    bool                          changed = false;
    for (uint32_t i = 0; info && i < info->number_count; i++) {
        const pliant_parameter_info *p = &info->parameters[info->parameter_count + i];
        changed |= p->high > 1 ? ui_slider_log(p->name, &v[i], 1e-3f, (float)p->high, "%.3g")
                               : ui_slider(p->name, &v[i], (float)p->low, (float)p->high, "%.4f");
        law->numbers[i] = (pliant_real)fmin(fmax((double)v[i], p->low), p->high);
    }
    return changed;
}

/* Tells the session of all laws of these sliders. Where the slider of damping stands as it stood first, laws keep theirs, which differ where a material is damped in time. */
static void send_laws(window *w, const form *f, uint32_t first, const float *v, const pliant_law *law)
{
    const pliant_model   *m = view_session_model(w->session);
    const pliant_law_info info = pliant_model_law(m, first);
    if (f != &many) {
        view_session_law(w->session, first, law);
        return;
    }
    for (uint32_t i = first; i < pliant_model_law_count(m); i++) {
        pliant_law_info other = pliant_model_law(m, i);
        if (!are_alike(&info, &other)) continue;
        other.law.compliance = (pliant_real)((double)other.law.compliance / fmax((double)v[0], (double)many.sliders[0].low));
        if (v[1] != (float)info.law.damping) other.law.damping = (pliant_real)v[1]; /* else each has its own */
        view_session_law(w->session, i, &other.law);
    }
}

void panel_draw_laws(window *w)
{
    const pliant_model *m = view_session_model(w->session);
    for (uint32_t i = 0; i < pliant_model_law_count(m); i++) {
        const pliant_law_info info = pliant_model_law(m, i);
        pliant_law            law = info.law;
        float                *v = w->panel.laws + LAW_NUMBERS * (size_t)i;
        uint32_t              laws, rows;
        const form           *f = form_of(m, i, &laws, &rows);
        char                  title[120];
        bool                  changed = false;
        if (!f) continue;
        snprintf(title, sizeof title, "%s %s (%u)", *info.material ? info.material : pliant_constraint_describe(info.kind)->name, info.role,
                 rows);
        ui_push_id((int)i);
        ui_text(title);
        for (int k = 0; k < LAW_NUMBERS && f->sliders[k].label; k++) changed |= draw_slider(&f->sliders[k], &v[k]);
        if (f->take == take_law) changed |= draw_numbers(info.kind, v + 2, &law);
        ui_pop_id();
        if (!changed) continue;
        law.damping = (pliant_real)v[1];
        if (f->take) f->take(v, &law);
        send_laws(w, f, i, v, &law);
    }
}

/* One slider for all groups of a body over faces, and one for those over members. */
void panel_draw_groups(window *w)
{
    const pliant_model *m = view_session_model(w->session);
    for (uint32_t i = 0; i < pliant_model_group_count(m); i++) {
        const pliant_body_group      g = pliant_model_group(m, i);
        const pliant_group_info     *kind = pliant_group_describe(g.kind);
        const pliant_parameter_info *p = &kind->numbers[0];
        float                       *v = &w->panel.groups[i];
        const double                 was = g.numbers[0];
        char                         label[120];
        bool                         said = false;
        for (uint32_t k = 0; k < i; k++) {
            const pliant_body_group before = pliant_model_group(m, k);
            said = said || (before.body.id == g.body.id && pliant_group_describe(before.kind)->over == kind->over);
        }
        if (said) continue;
        snprintf(label, sizeof label, "%s, %s", p->name, p->unit);
        ui_push_id((int)i);
        ui_text(pliant_model_body(m, g.body).name);
        const bool changed = kind->over == PLIANT_OVER_MEMBERS ? ui_slider_log(label, v, 1, (float)p->high, "%.3g")
                                                               : ui_slider(label, v, 0, was > 0 ? (float)(3 * was) : 1000, "%.3g");
        ui_pop_id();
        if (!changed) continue;
        const double number = fmin(fmax((double)*v, p->low), p->high);
        view_session_group(w->session, i, &number);
    }
}
