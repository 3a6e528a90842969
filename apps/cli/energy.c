/* The energies of a run. A frame gains energy from nowhere if total - work, which can only fall, exceeds its lowest value so far, even with the
 * least elastic energy that it may have (pliant_energy.unresolved), by more than 2 % of what the run has turned over until then: the sum of how much kinetic, gravity and elastic energy changed from frame to frame, each
 * counted by its size. */
#define _POSIX_C_SOURCE 200809L
#include "energy.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_GAIN 0.02
#define LEAST_GAIN 1e-9 /* of the energies: rounding where nothing moves */

static bool fail(pliant_error *error, const char *path, int number)
{
    *error = (pliant_error){.code = number == ENOMEM ? PLIANT_ERROR_MEMORY : PLIANT_ERROR_IO};
    snprintf(error->path, sizeof error->path, "%.255s", path);
    snprintf(error->message, sizeof error->message, "%s", pliant_system_message(number));
    return false;
}

static bool is_plot(const cli_energies *e) { return e->out.path && cli_ends_with(e->out.path, ".svg"); }

/* ---- the law ---- */

static double total_of(const pliant_energy *e) { return e->kinetic + e->gravity + e->elastic; }

static uint32_t worst_body(const pliant_model *model, const pliant_solver *solver)
{
    uint32_t worst = 0;
    double   least = INFINITY;
    for (uint32_t i = 0; i < pliant_model_body_count(model); i++) {
        pliant_energy of;
        if (pliant_solver_energy(solver, pliant_model_body_at(model, i).body, &of) != PLIANT_OK || !(of.dissipated < least)) continue;
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

enum { COLUMNS = 9, OF_BODY = 6 }; /* behind the frame; of each body, behind those */

static void put_head(FILE *to, const cli_energies *e, const pliant_model *model)
{
    static const char *const of_body[OF_BODY] = {"kinetic", "gravity", "elastic", "work", "dissipated", "unresolved"};
    fputs("frame,time,kinetic,gravity,elastic,total,work,dissipated,lowest,unresolved", to);
    for (uint32_t i = 0; e->bodies && i < pliant_model_body_count(model); i++)
        for (size_t k = 0; k < OF_BODY; k++) {
            fputs(",\"", to);
            for (const char *c = pliant_model_body_at(model, i).name; *c; c++) fprintf(to, *c == '"' ? "\"\"" : "%c", *c);
            fprintf(to, ".%s\"", of_body[k]);
        }
    fputs("\n", to);
}

/* Of a plot all digits, since it is drawn from them. */
static void put_row(FILE *to, const cli_energies *e, const cli_energy_row *row, const pliant_model *model, const pliant_solver *solver)
{
    const double values[COLUMNS] = {row->time,     row->now.kinetic,    row->now.gravity, row->now.elastic,   row->total,
                                    row->now.work, row->now.dissipated, row->lowest,      row->now.unresolved};
    fprintf(to, "%u", row->frame);
    for (int i = 0; i < COLUMNS; i++) fprintf(to, ",%.*g", is_plot(e) ? 17 : 9, values[i]);
    for (uint32_t i = 0; e->bodies && i < pliant_model_body_count(model); i++) {
        pliant_energy b;
        pliant_solver_energy(solver, pliant_model_body_at(model, i).body, &b);
        fprintf(to, ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", b.kinetic, b.gravity, b.elastic, b.work, b.dissipated, b.unresolved);
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
    if (is_plot(e) && !make_room(e)) return *error = (pliant_error){.code = PLIANT_ERROR_MEMORY}, false;
    judge(e, model, solver, frame);
    const cli_energy_row row = {frame, pliant_state_time(state), e->last, total_of(&e->last), e->lowest};
    if (is_plot(e)) e->rows[e->count] = row;
    e->count++;
    if (!e->columns) return true;
    if (e->count == 1) put_head(e->columns, e, model);
    put_row(e->columns, e, &row, model, solver);
    return !e->grows || (fflush(e->columns) == 0 && !ferror(e->columns)) || fail(error, e->grows, errno);
}

/* ---- going on ---- */

pliant_energy_books cli_energies_books(const cli_energies *e, uint32_t frame)
{
    if (!e->asked || e->count != frame) return (pliant_energy_books){0};
    return (pliant_energy_books){.frames = e->count,
                                 .gained_frame = e->gained_frame,
                                 .gained_body = e->gained_body,
                                 .work = e->work,
                                 .dissipated = e->dissipated,
                                 .lowest = e->lowest,
                                 .turned = e->turned,
                                 .gained = e->gained,
                                 .gained_turned = e->gained_turned};
}

static void open_books(cli_energies *e, const pliant_energy_books *books)
{
    e->count = books->frames;
    e->gained_frame = books->gained_frame;
    e->gained_body = books->gained_body;
    e->work = books->work;
    e->dissipated = books->dissipated;
    e->lowest = books->lowest;
    e->turned = books->turned;
    e->gained = books->gained;
    e->gained_turned = books->gained_turned;
}

/* The row of a frame, as put_row wrote it; false if it is none. */
static bool read_row(const char *line, uint32_t frame, uint32_t bodies, cli_energy_row *row)
{
    double values[COLUMNS], value;
    char  *end;
    if (strtoul(line, &end, 10) != frame || end == line) return false;
    for (uint32_t i = 0; i < COLUMNS + OF_BODY * bodies; i++) {
        const char *from = end;
        if (*from != ',' || (value = strtod(from + 1, &end), end == from + 1)) return false;
        if (i < COLUMNS) values[i] = value;
    }
    *row = (cli_energy_row){.frame = frame, .time = values[0], .total = values[4], .lowest = values[7]};
    row->now.kinetic = values[1];
    row->now.gravity = values[2];
    row->now.elastic = values[3];
    return *end == '\n';
}

static bool read_head(FILE *from, const cli_energies *e, const pliant_model *model)
{
    char  *wanted = NULL, *line = NULL;
    size_t size = 0, room = 0;
    FILE  *to = open_memstream(&wanted, &size);
    if (to) put_head(to, e, model);
    const bool good = to && fclose(to) == 0 && getline(&line, &room, from) > 0 && strcmp(line, wanted) == 0;
    free(wanted);
    free(line);
    return good;
}

/* Rows that the checkpoint counts stay, those behind them go. The last one must say what the books say. */
static bool read_rows(cli_energies *e, const pliant_model *model, pliant_error *error)
{
    cli_energy_row row = {0};
    char          *line = NULL;
    size_t         room = 0;
    uint32_t       done = 0;
    const bool     ours = read_head(e->columns, e, model);
    bool           good = ours;
    const uint32_t bodies = e->bodies ? pliant_model_body_count(model) : 0, frames = e->count;
    while (good && done < frames) {
        good = getline(&line, &room, e->columns) > 0 && read_row(line, done + 1, bodies, &row);
        e->count = done; /* where the row goes */
        if (good && is_plot(e) && (good = make_room(e))) e->rows[done] = row;
        done += good;
    }
    e->count = frames;
    free(line);
    if (good && fabs(row.lowest - e->lowest) <= 1e-8 * fabs(e->lowest)) {
        const off_t here = ftello(e->columns);
        return (here >= 0 && ftruncate(fileno(e->columns), here) == 0 && fseeko(e->columns, here, SEEK_SET) == 0) ||
               fail(error, e->grows, errno);
    }
    fail(error, e->grows, 0);
    error->code = PLIANT_ERROR_INPUT;
    error->line = ours ? (int)(done + (done < frames ? 2 : 1)) : 1;
    if (!ours)
        snprintf(error->message, sizeof error->message, "not the columns of this run, which goes on from frame %u", frames);
    else
        snprintf(error->message, sizeof error->message, "damaged: not the energies of frame %u, of a run that goes on from frame %u",
                 done < frames ? done + 1 : frames, frames);
    return false;
}

/* Columns that grow in place: from the beginning, or from where the checkpoint is. */
static bool open_columns(cli_energies *e, const pliant_model *model, pliant_error *error)
{
    e->columns = fopen(e->grows, e->count ? "r+" : "w");
    if (e->columns) return !e->count || read_rows(e, model, error);
    const int number = errno;
    fail(error, e->grows, number);
    if (e->count && number == ENOENT) {
        error->code = PLIANT_ERROR_INPUT;
        snprintf(error->message, sizeof error->message,
                 "there is no such file, and energies go on from frame %u (leave --energy out, or begin anew)", e->count);
    }
    return false;
}

static bool open_file(cli_energies *e, const cli_job *job, pliant_error *error)
{
    const bool          plot = cli_ends_with(job->energy, ".svg");
    const pliant_output what = plot ? PLIANT_OUTPUT_CHART : PLIANT_OUTPUT_ENERGY;
    if (!cli_may_write(job->energy, what, job->force, error)) return false;
    if (!e->kept || plot) {
        if (!cli_out_open(&e->out, job->energy, error)) return false;
        if (!plot) e->columns = e->out.file;
    }
    if (!e->kept) return true;
    const size_t room = strlen(job->energy) + 8;
    e->grows = malloc(room);
    if (!e->grows) return fail(error, job->energy, ENOMEM);
    snprintf(e->grows, room, "%s%s", job->energy, plot ? ".part" : "");
    return (!plot || cli_may_write(e->grows, PLIANT_OUTPUT_ENERGY, job->force, error)) && open_columns(e, job->model, error);
}

bool cli_energies_start(cli_energies *e, const cli_job *job, const pliant_checkpoint *from, pliant_error *error)
{
    const bool wanted = job->energy || job->on_energy != PLIANT_ENERGY_IGNORED, there = from->energy.frames == from->frame;
    e->asked = wanted || (job->json && there);
    e->bodies = job->energy_bodies;
    e->kept = job->checkpoint || job->resume;
    e->name = job->name;
    if (wanted && !there) {
        fail(error, job->resume, 0);
        error->code = PLIANT_ERROR_INPUT;
        snprintf(error->message, sizeof error->message,
                 "the run up to its frame %u has reckoned no energies (leave --energy out, and say --on-energy ignore, to go on without)",
                 from->frame);
        return false;
    }
    if (e->asked) open_books(e, &from->energy);
    return !job->energy || open_file(e, job, error);
}

bool cli_energies_sync(cli_energies *e, pliant_error *error)
{
    if (!e->grows) return true;
    return (fflush(e->columns) == 0 && fsync(fileno(e->columns)) == 0) || fail(error, e->grows, errno);
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

bool cli_energies_finish(cli_energies *e, bool early, pliant_error *error)
{
    if (e->grows && !cli_energies_sync(e, error)) return false;
    if (!e->out.file || (early && e->kept)) return true;
    if (is_plot(e)) put_plot(e->out.file, e);
    if (!e->grows) e->columns = NULL; /* it is the output's */
    return cli_out_finish(&e->out, 1, error) && (!e->grows || unlink(e->grows) == 0 || fail(error, e->grows, errno));
}

void cli_energies_end(cli_energies *e)
{
    if (e->grows && e->columns) fclose(e->columns);
    cli_out_drop(&e->out);
    free(e->grows);
    free(e->rows);
}
