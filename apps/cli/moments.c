/* A scene's frames one after another, simulated or read from a cache. */
#include "moments.h"

#include <stdio.h>
#include <string.h>

static bool make_solver(const pliant_model *model, uint32_t threads, pliant_solver **solver, pliant_error *error)
{
    pliant_solver_def def = pliant_solver_def_default();
    def.threads = threads ? threads : cli_default_threads();
    def.linear = cli_linear();
    *solver = pliant_solver_create(model, &def, error);
    return *solver != NULL;
}

static bool read_cached(cli_moments *m, uint32_t frame, pliant_error *error)
{
    if (pliant_cache_read(m->cache, frame, error) != PLIANT_OK) return false;
    pliant_code code = pliant_cache_to_state(m->cache, m->state);
    if (code == PLIANT_OK) return true;
    *error = (pliant_error){.code = code};
    snprintf(error->message, sizeof error->message, "the cache does not fit the scene");
    return false;
}

/* The scene without its bodies: colliders and their keys. */
static bool begin_cache(cli_moments *m, pliant_scene *scene, const char *path, pliant_error *error)
{
    m->cache = pliant_cache_open(path, m->model, error);
    if (!m->cache) return false;
    if (!scene) {
        *error = (pliant_error){.code = PLIANT_ERROR_INPUT};
        snprintf(error->message, sizeof error->message, "a cache is drawn with its scene file, not with a cooked model");
        return false;
    }
    for (uint32_t i = 0; i < pliant_model_body_count(m->model); i++)
        pliant_scene_remove_body(scene, pliant_model_body_at(m->model, i).body);
    m->poses_model = pliant_scene_compile(scene, error);
    m->poses = m->poses_model ? pliant_state_create(m->poses_model, error) : NULL;
    m->poses_inputs = m->poses ? pliant_inputs_create(m->poses_model, error) : NULL;
    return m->poses_inputs && make_solver(m->poses_model, 1, &m->poses_solver, error) && read_cached(m, 0, error);
}

bool cli_moments_begin(cli_moments *m, const pliant_model_file *file, uint32_t threads, const char *cache, pliant_error *error)
{
    *m = (cli_moments){.fps = file->fps, .model = file->model};
    m->state = pliant_state_create(m->model, error);
    if (!m->state) return false;
    if (cache) return begin_cache(m, file->scene, cache, error);
    m->inputs = pliant_inputs_create(m->model, error);
    return m->inputs && make_solver(m->model, threads, &m->solver, error);
}

void cli_moments_end(cli_moments *m)
{
    pliant_cache_close(m->cache);
    pliant_solver_destroy(m->poses_solver);
    pliant_inputs_destroy(m->poses_inputs);
    pliant_state_destroy(m->poses);
    pliant_model_destroy(m->poses_model);
    pliant_solver_destroy(m->solver);
    pliant_inputs_destroy(m->inputs);
    pliant_state_destroy(m->state);
    *m = (cli_moments){0};
}

bool cli_moments_rewind(cli_moments *m, pliant_error *error)
{
    m->now = 0;
    m->stepped = false;
    pliant_state_reset(m->state);
    if (!m->cache) return true;
    pliant_state_reset(m->poses);
    return read_cached(m, 0, error);
}

bool cli_moments_next(cli_moments *m, pliant_error *error)
{
    const double dt = 1 / m->fps;
    m->now++;
    m->stepped = true;
    if (m->cache) {
        pliant_code code = pliant_inputs_reset(m->poses_inputs, dt);
        if (code == PLIANT_OK) code = pliant_solver_step(m->poses_solver, m->poses, m->poses_inputs);
        if (code == PLIANT_OK) return read_cached(m, m->now, error);
        *error = (pliant_error){.code = code};
        return false;
    }
    double      start = cli_seconds();
    pliant_code code = pliant_inputs_reset(m->inputs, dt);
    if (code == PLIANT_OK) code = pliant_solver_step(m->solver, m->state, m->inputs);
    m->seconds += cli_seconds() - start;
    if (code != PLIANT_OK) cli_explain_step(error, code, m->model, m->solver, m->now);
    return code == PLIANT_OK;
}
