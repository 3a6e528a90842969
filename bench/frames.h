/* The benchmark of whole frames with contacts: what its files share.
 *
 *     frames_scenes.c    the scenes: sheets, capes, folds and towels, as grids and as shuffled meshes
 *     frames_turns.c     frames taken by turns and timed; what they leave: stretch, penetration, crossings
 *     frames.c           the figures: bounds, the table, the file */
#ifndef PLIANT_BENCH_FRAMES_H
#define PLIANT_BENCH_FRAMES_H

#include "bench.h"
#include "bench/bench.h"

enum { FRAMES_MOST_ROUNDS = 9, FRAMES_CAPSULES = 5 };

/* ---- scenes: frames_scenes.c ---- */

typedef enum frames_kind {
    FRAMES_SHEET, /* a square metre that falls flat on a ball and a floor */
    FRAMES_CAPES, /* capes that hang by moving shoulders, each before five moving capsules */
    FRAMES_FOLD,  /* a square metre that falls from a small ball into folds; with a thickness of a fifth of an edge */
    FRAMES_TOWEL  /* 1.5 m x 1.5 m over a ball on a floor */
} frames_kind;

typedef struct frames_scene {
    frames_kind kind;
    uint32_t    side;         /* vertices along an edge */
    uint32_t    capes;        /* of FRAMES_CAPES, in the scene */
    double      thickness;    /* m; 0: the kind's own */
    bool        mesh;         /* a mesh of triangles, shuffled; else a grid */
    bool        self_contact; /* the cloth meets itself */
} frames_scene;

typedef struct frames_subject {
    bench_subject subject; /* constraints: those of one state */
    double        edge;    /* m, the rest length of structural edges */
    bool          self_contact;
} frames_subject;

/* Compiles a scene; `states` of the model are to take each step, 0: one, and not by pliant_solver_step_many. Ends the program where that fails. */
frames_subject frames_make(const frames_scene *scene, uint32_t states);

/* ---- timing: frames_turns.c ---- */

/* A solver on the states of a subject, and what its frames took. */
typedef struct frames_run {
    const frames_subject *of;
    bench_stepper         stepper;
    uint32_t              threads;
    double seconds[FRAMES_MOST_ROUNDS]; /* round -> s of a frame, the mean over the round's: of the processor, by the thread that steps */
    double wall[FRAMES_MOST_ROUNDS];    /* likewise by the clock, all threads */
    double least;                       /* s of a frame by the clock: of each frame the shortest of all rounds, then the mean */
    double contacts, pairs; /* of a frame's last substep, the mean over timed frames, all states together: particles that colliders pushed;
                               pairs of parts of cloth near enough to touch */
} frames_run;

/* A run at its subject's start. */
frames_run frames_begin(const frames_subject *subject, const bench_settings *settings, uint32_t threads);
void       frames_end(frames_run *run);

/* Takes frames from the run's start that are not timed. `eased`: each frame ends with nine tenths of its velocities, so that the cloth comes to lie. */
void frames_try(frames_run *run, uint32_t frames, bool eased);

/* The same, and makes their end the run's start. */
void frames_advance(frames_run *run, uint32_t frames, bool eased);

/* Starts a run where another one of the same model starts. */
void frames_start_as(frames_run *run, const frames_run *other);

/* Rounds of frames, each round from the runs' starts; runs take turns frame by frame. */
void frames_turns(frames_run *runs, uint32_t count, uint32_t frames, uint32_t rounds);

/* What a run has left at the end of its last round. */
typedef struct frames_quality {
    double   stretch;     /* %, of structural edges: the mean of |length / rest - 1| */
    double   penetration; /* mm, to hundredths: the deepest of particles in colliders, and of near pairs in each other's thickness */
    double   speed;       /* mm/s, the mean over particles */
    uint32_t crossings;   /* pairs of triangles that cut each other; 0 where cloth does not meet itself */
} frames_quality;

frames_quality frames_look(const frames_run *run);

double frames_stretch(const frames_run *run); /* that of frames_look alone */

#endif
