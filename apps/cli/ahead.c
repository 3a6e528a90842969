/* Before a bake starts: whether its files may be written, and whether they fit. */
#define _POSIX_C_SOURCE 200809L /* dev_t, ino_t */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool fail(pliant_error *error, pliant_code code, const char *path, const char *message)
{
    *error = (pliant_error){.code = code};
    snprintf(error->path, sizeof error->path, "%.255s", path);
    snprintf(error->message, sizeof error->message, "%s", message);
    return false;
}

/* ---- files that the scene reads ---- */

typedef struct file_id {
    dev_t device;
    ino_t number;
} file_id;

static struct {
    file_id *files;
    size_t   count;
    bool     incomplete; /* there was no memory for one */
} noted;

static bool find_id(const char *path, file_id *id)
{
    struct stat s;
    if (stat(path, &s) != 0) return false;
    *id = (file_id){s.st_dev, s.st_ino};
    return true;
}

void cli_note_read(const char *path, void *context)
{
    file_id id;
    (void)context;
    if (!find_id(path, &id)) return;
    file_id *more = realloc(noted.files, (noted.count + 1) * sizeof *more);
    if (!more) {
        noted.incomplete = true;
        return;
    }
    noted.files = more;
    noted.files[noted.count++] = id;
}

static bool is_not_read(const char *path, pliant_error *error)
{
    file_id id;
    if (noted.incomplete) return fail(error, PLIANT_ERROR_MEMORY, path, "out of memory: which files the scene reads");
    if (!find_id(path, &id)) return true;
    for (size_t i = 0; i < noted.count; i++)
        if (noted.files[i].device == id.device && noted.files[i].number == id.number)
            return fail(error, PLIANT_ERROR_INPUT, path, "the scene reads this file; it is not written over, --force or not");
    return true;
}

static pliant_code refuse_what_is_read(const char *path, void *context, pliant_error *error)
{
    (void)context;
    return is_not_read(path, error) ? PLIANT_OK : error->code;
}

/* ---- how much room there is ---- */

/* "1.5 GB" */
static void describe(uint64_t bytes, char out[32])
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    double                   value = (double)bytes;
    int                      unit = 0;
    for (; value >= 1000 && unit < 6; unit++) value /= 1000;
    snprintf(out, 32, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

/* The bytes that one output still takes, and its file system; bytes that it has now are kept, or replaced. */
typedef struct need {
    const char *path;
    uint64_t    bytes, free, file_system;
} need;

static bool find_need(need *n, const char *path, uint64_t bytes, uint64_t there, pliant_error *error)
{
    n->path = path;
    n->bytes = bytes > there ? bytes - there : 0;
    return pliant_output_space(path, &n->free, &n->file_system, error) == PLIANT_OK;
}

/* Of all outputs on one file system together. */
static bool check_space(const need *needs, uint32_t count, pliant_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        double sum = 0;
        for (uint32_t j = 0; j < count; j++)
            if (needs[j].file_system == needs[i].file_system) sum += (double)needs[j].bytes;
        if (sum <= (double)needs[i].free) continue;
        char wanted[32], have[32], text[160];
        describe(sum < 1.8e19 ? (uint64_t)sum : UINT64_MAX, wanted);
        describe(needs[i].free, have);
        snprintf(text, sizeof text, "no space: about %s are to be written, and %s are free there (--force goes on regardless)", wanted,
                 have);
        return fail(error, PLIANT_ERROR_IO, needs[i].path, text);
    }
    return true;
}

bool cli_look_ahead(const cli_job *job, const cli_planned *outputs, uint32_t count, pliant_error *error)
{
    need        needs[CLI_MAX_PATHS + 2];
    uint32_t    needed = 0;
    const char *kept = job->checkpoint ? job->checkpoint : job->resume;
    for (uint32_t i = 0; i < count; i++)
        if (!is_not_read(outputs[i].path, error) ||
            pliant_writer_replaces(outputs[i].path, job->model, refuse_what_is_read, NULL, error) != PLIANT_OK)
            return false;
    if (kept && !is_not_read(kept, error)) return false;
    if (job->force) return true;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bytes, work, there;
        if (pliant_writer_check(outputs[i].path, job->model, &there, error) != PLIANT_OK ||
            pliant_writer_estimate(outputs[i].path, job->model, &outputs[i].def, &bytes, &work, error) != PLIANT_OK ||
            !find_need(&needs[needed++], outputs[i].path, bytes + work, there, error))
            return false;
    }
    if (kept) { /* twice: a new one is whole before it takes the place of the old one */
        if (pliant_output_check(kept, PLIANT_OUTPUT_CHECKPOINT, error) != PLIANT_OK ||
            !find_need(&needs[needed++], kept, 2 * (uint64_t)pliant_model_state_size(job->model), 0, error))
            return false;
    }
    return check_space(needs, needed, error);
}

bool cli_may_write(const char *path, pliant_output what, bool force, pliant_error *error)
{
    return is_not_read(path, error) && (force || pliant_output_check(path, what, error) == PLIANT_OK);
}
