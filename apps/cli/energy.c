/* What a run has of energy. A frame gains some from nowhere if total - work, which can only fall, exceeds its lowest value so far, even with the
 * least elastic energy that it may have (pliant_energy.unresolved), by more than 2 % of what the run has turned over until then: the sum of how much kinetic, gravity and elastic energy changed from frame to frame, each
 * counted by its size. */
#include "energy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_GAIN 0.02
#define LEAST_GAIN 1e-9 /* of what there is: rounding where nothing moves */

static bool is_plot(const cli_energies *e) { return cli_ends_with(e->out.path, ".svg"); }

bool cli_energies_start(cli_energies *e, const char *name, const char *path, bool force, pliant_error *error)
{
    e->asked = true;
    e->name = name;
    if (!path) return true;
    const pliant_output what = cli_ends_with(path, ".svg") ? PLIANT_OUTPUT_CHART : PLIANT_OUTPUT_ENERGY;
    return cli_may_write(path, what, force, error) && cli_out_open(&e->out, path, error);
}

/* ---- the law ---- */

static double total_of(const pliant_energy *e) { return e->kinetic + e->gravity + e->elastic; }

static uint32_t worst_body(const pliant_model *model, const pliant_solver *solver)
{
    uint32_t worst = 0;
    double   least = INFINITY;
    for (uint32_t i = 0; i < pliant_model_body_count(model); i++) {
        pliant_energy of;
        if (!pliant_solver_energy(solver, pliant_model_body_at(model, i).body, &of) || !(of.dissipated < least)) continue;
        least = of.dissipated;
        worst = i;
    }
    return worst;
}

static void judge(cli_energies *e, const pliant_model *model, const pliant_solver *solver, uint32_t frame)
{
    const pliant_energy now = pliant_solver_statistics(solver).energy, was = pliant_solver_statistics(solver).energy_before;
    const double        total = total_of(&now);
    e->turned += fabs(now.kinetic - was.kinetic) + fabs(now.gravity - was.gravity) + fabs(now.elastic - was.elastic);
    e->work += now.work;
    e->dissipated += now.dissipated;
    e->last = now;
    const double excess = total - now.unresolved - e->work - e->lowest;
    if (total - e->work < e->lowest) e->lowest = total - e->work;
    if (e->gained_frame || !(excess > MOST_GAIN * e->turned + LEAST_GAIN * fabs(total))) return;
    e->gained_frame = frame;
    e->gained_body = worst_body(model, solver);
    e->gained = excess;
    e->gained_turned = e->turned;
}

bool cli_energies_gained(const cli_energies *e, const pliant_model *model, char *out, size_t size)
{
    if (!e->gained_frame) return false;
    snprintf(out, size, "gains energy from frame %u on: %.3g J more than it had before, beside %.3g J turned over, most of it in %s",
             e->gained_frame, e->gained, e->gained_turned, pliant_model_body_at(model, e->gained_body).name);
    return true;
}

/* ---- columns ---- */

static void put_head(FILE *to, const cli_energies *e, const pliant_model *model)
{
    static const char *const of_body[] = {"kinetic", "gravity", "elastic", "work", "dissipated"};
    fputs("frame,time,kinetic,gravity,elastic,total,work,dissipated,lowest", to);
    for (uint32_t i = 0; e->bodies && i < pliant_model_body_count(model); i++)
        for (size_t k = 0; k < sizeof of_body / sizeof *of_body; k++) {
            fputs(",\"", to);
            for (const char *c = pliant_model_body_at(model, i).name; *c; c++) fprintf(to, *c == '"' ? "\"\"" : "%c", *c);
            fprintf(to, ".%s\"", of_body[k]);
        }
    fputs("\n", to);
}

static void put_row(FILE *to, const cli_energies *e, const cli_energy_row *row, const pliant_model *model, const pliant_solver *solver)
{
    fprintf(to, "%u,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", row->frame, row->time, row->now.kinetic, row->now.gravity, row->now.elastic,
            row->total, row->now.work, row->now.dissipated, row->lowest);
    for (uint32_t i = 0; e->bodies && i < pliant_model_body_count(model); i++) {
        pliant_energy b;
        pliant_solver_energy(solver, pliant_model_body_at(model, i).body, &b);
        fprintf(to, ",%.9g,%.9g,%.9g,%.9g,%.9g", b.kinetic, b.gravity, b.elastic, b.work, b.dissipated);
    }
    fputs("\n", to);
}

static bool make_room(cli_energies *e)
{
    if (e->count < e->room) return true;
    const uint32_t  room = e->room ? 2 * e->room : 256;
    cli_energy_row *rows = realloc(e->rows, room * sizeof *rows);
    if (rows) e->rows = rows, e->room = room;
    return rows != NULL;
}

bool cli_energies_frame(cli_energies *e, const pliant_model *model, const pliant_solver *solver, const pliant_state *state, uint32_t frame,
                        pliant_error *error)
{
    if (!e->asked) return true;
    if (!e->count) {
        e->last = pliant_solver_statistics(solver).energy_before;
        e->lowest = total_of(&e->last);
    }
    if (!make_room(e)) return *error = (pliant_error){.code = PLIANT_ERROR_MEMORY}, false;
    judge(e, model, solver, frame);
    cli_energy_row *row = &e->rows[e->count++];
    *row = (cli_energy_row){frame, pliant_state_time(state), e->last, total_of(&e->last), e->lowest};
    if (e->out.file && !is_plot(e)) {
        if (e->count == 1) put_head(e->out.file, e, model);
        put_row(e->out.file, e, row, model, solver);
    }
    return true;
}

/* ---- the plot ---- */

enum { LEFT = 80, TOP = 70, WIDTH = 680, HEIGHT = 330, CURVES = 5 };

static double value_of(const cli_energy_row *row, int curve)
{
    const double values[CURVES] = {row->now.kinetic, row->now.gravity, row->now.elastic, row->total, row->lowest};
    return values[curve];
}

static void put_curves(FILE *to, const cli_energies *e, double low, double high)
{
    static const char *const labels[CURVES] = {"kinetic", "gravity", "elastic", "total", "lowest of total less work"};
    static const char *const colours[CURVES] = {"#3b82c4", "#5a9e4b", "#d98a2b", "#c0417b", "#7f7f7f"};
    const double             from = e->rows[0].time, span = e->rows[e->count - 1].time - from;
    for (int c = 0; c < CURVES; c++) {
        fprintf(to, "<text x=\"%d\" y=\"52\" fill=\"%s\">%s</text>\n<polyline stroke=\"%s\" points=\"", LEFT + c * 110, colours[c],
                labels[c], colours[c]);
        for (uint32_t i = 0; i < e->count; i++)
            fprintf(to, "%.1f,%.1f ", LEFT + WIDTH * (span > 0 ? (e->rows[i].time - from) / span : 0),
                    TOP + HEIGHT * (high - value_of(&e->rows[i], c)) / (high - low));
        fputs("\"/>\n", to);
    }
}

static void put_plot(FILE *to, const cli_energies *e)
{
    double low = 0, high = 0;
    for (uint32_t i = 0; i < e->count; i++)
        for (int c = 0; c < CURVES; c++) {
            const double v = value_of(&e->rows[i], c);
            if (v < low) low = v;
            if (v > high && v < HUGE_VAL) high = v;
        }
    if (!(high > low)) high = low + 1;
    fprintf(
        to,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 450\" role=\"img\">\n"
        "<style>text{font:13px system-ui,'DejaVu Sans',sans-serif}polyline{fill:none;stroke-width:2}</style>\n"
        "<g fill=\"#7f7f7f\"><text x=\"%d\" y=\"24\">Energy, J, over time, s</text>\n<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.3g"
        "</text>\n<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.3g</text>\n<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.3g</text></g>\n",
        LEFT, LEFT - 8, TOP + 8, high, LEFT - 8, TOP + HEIGHT, low, LEFT + WIDTH, TOP + HEIGHT + 22,
        e->count ? e->rows[e->count - 1].time : 0.0);
    if (e->count) put_curves(to, e, low, high);
    fputs("</svg>\n", to);
}

bool cli_energies_finish(cli_energies *e, pliant_error *error)
{
    if (!e->out.file) return true;
    if (is_plot(e)) put_plot(e->out.file, e);
    return cli_out_finish(&e->out, 1, error);
}

void cli_energies_end(cli_energies *e)
{
    cli_out_drop(&e->out);
    free(e->rows);
}
