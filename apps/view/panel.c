/* The panel: buttons, sliders, figures. Each widget shows a setting and, when moved, tells the session. */
#include "view/window.h"

#include "view/ui.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool panel_make(window *w)
{
    const pliant_model *m = view_session_model(w->session);
    pliant_scene_def    d = pliant_model_settings(m);
    panel              *p = &w->panel;
    panel_free(w);
    p->gravity[0] = (float)d.gravity.x, p->gravity[1] = (float)d.gravity.y, p->gravity[2] = (float)d.gravity.z;
    const double   fps = view_session_fps(w->session);
    const uint32_t substeps = pliant_model_substeps(m, 1 / fps);
    p->substeps = substeps ? (int)substeps : (int)(1 / fps / d.substep + 0.5); /* about as many, where they do not fill a frame */
    p->iterations = (int)d.iterations;
    p->speed = 1;
    p->strain_range = w->controls.strain_range > 0 ? (float)w->controls.strain_range : 0.05f;
    w->view.strain_range = p->strain_range;
    p->grab = 1e-3f;
    p->laws = calloc(LAW_NUMBERS * pliant_model_law_count(m) + 1u, sizeof *p->laws);
    p->groups = calloc(pliant_model_group_count(m) + 1u, sizeof *p->groups);
    p->forces = calloc(3 * pliant_model_force_count(m) + 1u, sizeof *p->forces);
    p->colliders = calloc(3 * pliant_model_collider_count(m) + 1u, sizeof *p->colliders);
    if (!p->laws || !p->groups || !p->forces || !p->colliders) return false;
    panel_begin_laws(p, m);
    for (uint32_t i = 0; i < pliant_model_force_count(m); i++) {
        f3 v = f3_from(pliant_model_force_at(m, i, NULL).vector);
        memcpy(p->forces + 3 * i, &v, sizeof v);
    }
    for (uint32_t i = 0; i < pliant_model_collider_count(m); i++) {
        pliant_collider id;
        f3              x = f3_from(pliant_model_collider_at(m, i, &id).pose.position);
        memcpy(p->colliders + 3 * i, &x, sizeof x);
    }
    return true;
}

void panel_free(window *w)
{
    free(w->panel.laws);
    free(w->panel.groups);
    free(w->panel.forces);
    free(w->panel.colliders);
    bool hidden = w->panel.hidden, folded = w->panel.folded, energy = w->panel.energy, loop = w->panel.loop, show[8];
    memcpy(show, w->panel.show, sizeof show);
    w->panel = (panel){.hidden = hidden, .folded = folded, .energy = energy, .loop = loop};
    memcpy(w->panel.show, show, sizeof show);
}

static void send(window *w) { view_session_control(w->session, &w->controls); }

static pliant_vec3 vector_of(const float *v)
{
    pliant_vec3 out = {(pliant_real)v[0], (pliant_real)v[1], (pliant_real)v[2]};
    return out;
}

/* ---- parts ---- */

static void draw_time(window *w)
{
    char text[160];
    if (ui_button(w->status.playing ? "Pause" : "Play")) view_session_command(w->session, w->status.playing ? VIEW_PAUSE : VIEW_PLAY, 0);
    ui_same_line();
    if (ui_button("Back")) view_session_command(w->session, VIEW_BACK, 0);
    ui_same_line();
    if (ui_button("Step")) view_session_command(w->session, VIEW_STEP, 0);
    ui_same_line();
    if (ui_button("Reset")) view_session_command(w->session, VIEW_RESET, 0);
    ui_same_line();
    if (ui_check("loop", &w->panel.loop)) {
        w->controls.loop = w->panel.loop;
        send(w);
    }
    w->panel.frame = (int)w->status.frame;
    if (ui_slider_count("frame", &w->panel.frame, 0, w->status.last > 0 ? (int)w->status.last : 1))
        view_session_command(w->session, VIEW_SEEK, (uint32_t)w->panel.frame);
    if (ui_slider("speed", &w->panel.speed, 0, 2, w->panel.speed > 0 ? "%.2f x real" : "as fast as can be")) {
        w->controls.speed = (double)w->panel.speed;
        send(w);
    }
    snprintf(text, sizeof text, "%.3f s   %016llx", w->status.time, (unsigned long long)w->status.hash);
    ui_text_grey(text);
}

static void draw_overlays(window *w)
{
    bool changed = false;
    for (uint32_t i = 0; draw_overlay_name(i); i++) {
        changed |= ui_check(draw_overlay_name(i), &w->panel.show[i]);
        w->controls.show = (w->controls.show & ~(1u << i)) | (w->panel.show[i] ? 1u << i : 0);
    }
    if (w->panel.show[1]) changed |= ui_slider_log("strain range", &w->panel.strain_range, 1e-4f, 1, "%.4f");
    w->controls.strain_range = w->view.strain_range = w->panel.strain_range;
    if (changed) send(w);
}

static void draw_solver(window *w)
{
    bool changed = ui_drag3("gravity", w->panel.gravity, 0.05f);
    if (changed) w->controls.gravity_set = true;
    w->controls.gravity = vector_of(w->panel.gravity);
    if (ui_slider_count("substeps", &w->panel.substeps, 1, 100)) w->controls.substeps = (uint32_t)w->panel.substeps, changed = true;
    if (ui_slider_count("iterations", &w->panel.iterations, 1, 100)) w->controls.iterations = (uint32_t)w->panel.iterations, changed = true;
    if (ui_slider_log("grab, m/N", &w->panel.grab, 1e-7f, 1, "%.1e"))
        w->controls.grab_compliance = (pliant_real)w->panel.grab, changed = true;
    if (changed) send(w);
}

static void draw_forces(window *w)
{
    static const char *const types[] = {"acceleration", "force", "wind"};
    const pliant_model      *m = view_session_model(w->session);
    for (uint32_t i = 0; i < pliant_model_force_count(m); i++) {
        pliant_force_def f = pliant_model_force_at(m, i, NULL);
        ui_push_id((int)i);
        if (ui_drag3((unsigned)f.type < 3 ? types[f.type] : "force", w->panel.forces + 3 * i, 0.05f)) {
            pliant_vec3 v = vector_of(w->panel.forces + 3 * i);
            view_session_force(w->session, i, &v);
        }
        ui_pop_id();
    }
}

static void draw_colliders(window *w)
{
    const pliant_model *m = view_session_model(w->session);
    for (uint32_t i = 0; i < pliant_model_collider_count(m); i++) {
        pliant_collider     id;
        pliant_collider_def d = pliant_model_collider_at(m, i, &id);
        pliant_pose         pose = d.pose;
        ui_push_id((int)i);
        if (ui_drag3(*d.name ? d.name : pliant_shape_name(d.shape), w->panel.colliders + 3 * i, 0.01f)) {
            pose.position = vector_of(w->panel.colliders + 3 * i);
            view_session_collider(w->session, i, &pose);
        }
        ui_pop_id();
    }
    if (pliant_model_collider_count(m) && ui_button("As the scene has them"))
        for (uint32_t i = 0; i < pliant_model_collider_count(m); i++) view_session_collider(w->session, i, NULL);
}

/* Everything that was set, given back to the scene. */
static void give_back(window *w)
{
    const pliant_model *m = view_session_model(w->session);
    for (uint32_t i = 0; i < pliant_model_law_count(m); i++) view_session_law(w->session, i, NULL);
    for (uint32_t i = 0; i < pliant_model_group_count(m); i++) view_session_group(w->session, i, NULL);
    for (uint32_t i = 0; i < pliant_model_force_count(m); i++) view_session_force(w->session, i, NULL);
    for (uint32_t i = 0; i < pliant_model_collider_count(m); i++) view_session_collider(w->session, i, NULL);
    w->controls = (view_controls){.speed = 1,
                                  .grab_compliance = (pliant_real)1e-3,
                                  .show = w->controls.show,
                                  .strain_range = w->controls.strain_range,
                                  .loop = w->controls.loop,
                                  .energy = w->controls.energy};
    send(w);
    panel_make(w);
}

static void draw_figures(window *w)
{
    const pliant_statistics *t = &w->status.statistics;
    const pliant_model      *m = view_session_model(w->session);
    char                     text[160];
    snprintf(text, sizeof text, "%u particles, %u constraints", pliant_model_particle_count(m),
             pliant_model_constraint_count(m, PLIANT_CONSTRAINT_COUNT));
    ui_text(text);
    snprintf(text, sizeof text, "%u contacts, fastest %.3g m/s", t->contacts, (double)t->max_speed);
    ui_text(text);
    if (t->pairs || t->pair_searches) { /* candidates are kept: a step without a search has pairs */
        const bool limits = pliant_model_settings(m).contact_bound == PLIANT_CONTACT_BOUND_SPEED;
        snprintf(text, sizeof text, "%u pairs of bodies of %u near, %u push, %u %s", t->pairs, t->pair_candidates, t->pair_contacts,
                 limits ? t->particles_limited : t->particles_held, limits ? "limited" : "paths cut");
        ui_text(text);
    }
    if (t->colliders_held) {
        snprintf(text, sizeof text, "%u colliders held, %.3g m behind", t->colliders_held, (double)t->collider_lag);
        ui_text(text);
    }
    for (int k = 0; k < PLIANT_CONSTRAINT_COUNT; k++) {
        const pliant_kind_statistics *of = &w->status.kinds[k];
        if (!of->constraints) continue;
        snprintf(text, sizeof text, "%s: %u, residual %.2e", pliant_constraint_describe((pliant_constraint_kind)k)->name, of->constraints,
                 of->residual_max);
        ui_text_grey(text);
    }
    ui_curve("ms", w->status.curve_ms, (int)w->status.curve_count, NULL);
    ui_curve("residual", w->status.curve_residual, (int)w->status.curve_count, NULL);
    ui_curve("speed", w->status.curve_speed, (int)w->status.curve_count, NULL);
}

static void draw_energies(window *w)
{
    static const char *const names[VIEW_ENERGIES] = {"kinetic", "gravity", "elastic", "total"};
    const view_status       *v = &w->status;
    const pliant_energy     *e = &v->statistics.energy;
    const float             *curves[VIEW_ENERGIES];
    char                     text[160];
    if (ui_check("reckon energies", &w->panel.energy)) {
        w->controls.energy = w->panel.energy;
        send(w);
    }
    if (!w->panel.energy || !v->energy_count) return;
    for (int i = 0; i < VIEW_ENERGIES; i++) curves[i] = v->curve_energy[i];
    ui_plot("J", names, curves, VIEW_ENERGIES, (int)v->energy_count);
    snprintf(text, sizeof text, "done %.3g J, dissipated %.3g J%s", e->work, e->dissipated,
             v->statistics.work_known ? "" : " (frames move)");
    ui_text_grey(text);
}

static void draw_stages(window *w)
{
    const pliant_statistics *t = &w->status.statistics;
    for (uint32_t i = 0; i < w->status.stage_count; i++) {
        const pliant_stage_time *s = &w->status.stage[i];
        char                     text[80];
        if (!(s->seconds > 0)) continue;
        snprintf(text, sizeof text, "%s%s%s %.2f ms", s->name, s->interaction ? " " : "", s->interaction ? s->interaction : "",
                 1e3 * s->seconds);
        ui_bar(text, t->seconds > 0 ? (float)(s->seconds / t->seconds) : 0);
    }
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void draw_scenes(window *w)
{
    const char *chosen = NULL;
    if (ui_choice("the demo", !*w->path)) chosen = "";
    for (uint32_t i = 0; w->options->examples && w->options->examples[i]; i++) {
        ui_push_id((int)i);
        if (ui_choice(name_of(w->options->examples[i]), strcmp(w->path, w->options->examples[i]) == 0)) chosen = w->options->examples[i];
        ui_pop_id();
    }
    w->chosen = chosen;
}

static void draw_help(void)
{
    static const char *const lines[] = {"Space  play, pause",    "Right  one frame on", "Left   one frame back",
                                        "R      reset",          "1 ... 7 overlays",    "F      fit the camera",
                                        "H      hide the panel", "F12    screenshot",   "left mouse    grab, orbit",
                                        "right mouse   pan",     "wheel         zoom",  "drop a file   open it"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) ui_text_grey(lines[i]);
}

static float panel_width(const window *w, int width) { return (float)width < 700 * w->scale ? (float)width * 0.4f : 290 * w->scale; }

float panel_part(const window *w, int width)
{
    return w->panel.hidden || w->panel.folded || width < 1 ? 0 : fminf(0.6f, (panel_width(w, width) + 8) / (float)width);
}

void panel_draw(window *w, int width, int height)
{
    static const struct {
        const char *title;
        bool        open;
        void (*draw)(window *w);
    } sections[] = {{"Time", true, draw_time},
                    {"Show", true, draw_overlays},
                    {"Solver", true, draw_solver},
                    {"Materials", false, panel_draw_laws},
                    {"Forces", false, draw_forces},
                    {"Colliders", false, draw_colliders},
                    {"Groups", false, panel_draw_groups},
                    {"Figures", true, draw_figures},
                    {"Energies", false, draw_energies},
                    {"Time per stage", false, draw_stages},
                    {"Scenes", false, draw_scenes}};
    if (w->panel.hidden) return;
    const bool folded = !ui_panel_begin("Pliant", 8, 8, panel_width(w, width), (float)height - 16);
    if (folded != w->panel.folded) w->dirty = VIEW_SETTLE; /* the legend goes to the edge */
    w->panel.folded = folded;
    if (folded) {
        ui_panel_end();
        return;
    }
    if (*w->notice) ui_text(w->notice);
    if (*w->status.message) ui_text(w->status.message);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (ui_section(sections[i].title, sections[i].open)) sections[i].draw(w);
    if (ui_button("As the scene has it")) give_back(w);
    if (ui_section("Keys and mouse", false)) draw_help();
    ui_panel_end();
}
