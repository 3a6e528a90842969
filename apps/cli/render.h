/* Drawing a scene's frames: the job that render and demo share. */
#ifndef PLIANT_CLI_RENDER_H
#define PLIANT_CLI_RENDER_H

#include "cli.h"

typedef struct cli_render_job {
    const char              *name;  /* for messages */
    const pliant_model_file *file;  /* its scene loses its bodies where there is a cache */
    const char              *cache; /* path, or NULL: simulate */
    const cli_paths         *outputs;
    const char              *camera;      /* as --camera has it; NULL: auto */
    bool                     some_frames; /* `first` and `last` were asked for */
    uint32_t                 first, last, every;
    uint32_t                 width, height, threads;
    uint32_t                 show;         /* bits by the names below */
    double                   strain_range; /* 0: the default */
    bool                     quiet, json, force;
    bool                     bare; /* no summary, the progress only */
} cli_render_job;

/* Draws; returns the exit code. */
int cli_render_job_run(const cli_render_job *job);

/* Whether the command was built with drawing; where not, says so. */
bool cli_can_draw(void);

/* Overlays: the name of bit number `index`, or NULL past the last. */
const char *cli_overlay_name(uint32_t index);

#endif
