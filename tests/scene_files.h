/* The scenes in scenes/ as samples: run by the same code, with a program that lets go of pins while they run, and with a table of what each
 * must meet, since hashes that agree because nothing happened would prove nothing. */
#ifndef PLIANT_TESTS_SCENE_FILES_H
#define PLIANT_TESTS_SCENE_FILES_H

#include "sample_scenes.h"

enum { SCENE_TOUCHES = 1, SCENE_STICKS = 2, SCENE_FOLLOWS_KEYS = 4, SCENE_RELEASES = 8, SCENE_MEETS = 16 }; /* MEETS: bodies, or itself */

/* What a scene keeps within when any method solves it to its end (long_methods.c). */
typedef struct scene_bounds {
    double work;    /* m g l, that movers and wind may give to a body */
    double stretch; /* the largest |x0 - x1| / rest - 1 at the end of any frame */
    double speed;   /* m/s, of any particle */
    double rest;    /* m/s, root mean square of a body at the end; 0: it does not come to rest */
    bool   no_bdf2; /* trembles with BDF2, however many iterations: docs/integration.md */
} scene_bounds;

typedef struct scene_file {
    const char  *name;
    uint32_t     frames; /* of 1/64 s, until it has met everything that it will meet */
    unsigned     meets;  /* in these frames: this and no more */
    scene_bounds bounds;
} scene_file;

extern const scene_file scene_files[];
extern const uint32_t   scene_file_count;

/* Fails the test unless scene_files has each .json file of scenes/, with bounds, and no other. */
void scene_files_are_all(void);

/* Reads and compiles; fails the test on error. `frames`, unless NULL, gets the number that the file asks for. */
pliant_model *scene_file_model(const scene_file *which, uint32_t *frames);

/* Lets go of the first pin or hard attachment of each body that can be let go, at frame SCENE_RELEASE. */
#define SCENE_RELEASE 20
extern const sample scene_file_program;

/* What is met within the scene's `frames`. */
unsigned scene_file_meets(const scene_file *which, const pliant_model *model);

#endif
