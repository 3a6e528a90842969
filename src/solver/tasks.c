/* Tasks: what a stage does in pieces, with spans for the host's profiler where it has one. */
#include "solver/tasks.h"

#include "solver/profile.h"
#include "solver/solver.h"

void pliant__hand_out_counted(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count, uint64_t work)
{
    if (work >= s->least_work)
        pliant__hand_out(s, task, count);
    else
        for (uint32_t i = 0; i < count; i++) task(s, i);
}

void pliant__run_counted(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count, uint64_t work)
{
    if (s->def.profile.end)
        pliant__run_watched(s, task, count, work);
    else
        pliant__hand_out_counted(s, task, count, work);
}

void pliant__run(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count)
{
    pliant__run_counted(s, task, count, UINT64_MAX);
}

#define LIGHT_TASKS 8u

void pliant__run_light_counted(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count, uint64_t work)
{
    if (count >= LIGHT_TASKS && work >= s->least_work)
        pliant__run(s, task, count);
    else
        for (uint32_t i = 0; i < count; i++) task(s, i);
}

void pliant__run_light(pliant_solver *s, void (*task)(void *solver, uint32_t index), uint32_t count)
{
    pliant__run_light_counted(s, task, count, UINT64_MAX);
}

static void run_chunks_of_part(pliant_solver *s, void (*task)(void *solver, uint32_t chunk))
{
    for (uint32_t i = 0; i < s->part->range_count; i++) {
        const pliant__patch *p = &s->model->patches[s->part->patches[i]];
        for (uint32_t k = p->first_chunk; k < p->first_chunk + p->chunk_count; k++) task(s, k);
    }
}

void pliant__run_chunks(pliant_solver *s, void (*task)(void *solver, uint32_t chunk), uint32_t each)
{
    if (s->part)
        run_chunks_of_part(s, task);
    else
        pliant__run_counted(s, task, (uint32_t)model_count(s->model, chunks), pliant__work_of_particles(s, each));
}

void pliant__run_chunks_light(pliant_solver *s, void (*task)(void *solver, uint32_t chunk), uint32_t each)
{
    if (s->part)
        run_chunks_of_part(s, task);
    else
        pliant__run_light_counted(s, task, (uint32_t)model_count(s->model, chunks), pliant__work_of_particles(s, each));
}
