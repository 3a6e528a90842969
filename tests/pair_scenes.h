/* Scenes of bodies that meet each other, and the few words that a test of contacts between bodies says them in. */
#ifndef PLIANT_TESTS_PAIR_SCENES_H
#define PLIANT_TESTS_PAIR_SCENES_H

#include "trial.h"

#define DT (1.0 / 60)

/* Every body meets all others; `itself`: itself too. */
void meets(pliant_body_def *body, bool itself);

/* 0.3 kg per square metre, that hardly resists bending. */
pliant_material fabric(double thickness);

/* A square sheet, flat in y, that meets itself. */
pliant_body add_sheet(trial *w, uint32_t cells, double size, double thickness, pliant_vec3 at, pliant_vec3 velocity);

/* A rigid cube. One that meets itself is not crushed so far that it crosses itself. */
pliant_body add_jelly(trial *w, uint32_t cells, double size, double thickness, pliant_vec3 at, pliant_vec3 velocity, bool itself);

/* Twelve segments; `rolling` below 0: with no friction of its own, and none of rolling. */
pliant_body add_rope(trial *w, pliant_vec3 from, pliant_vec3 to, double thickness, double rolling);

/* Pins the four corners of a sheet. */
void pin_corners(trial *w, pliant_body sheet, uint32_t cells);

/* What two bodies are to each other, or one to itself. */
void say_pair(trial *w, pliant_body a, pliant_body b, double friction, double restitution);
void say_ignored(trial *w, pliant_body a, pliant_body b);
void say_sticky(trial *w, pliant_body a, pliant_body b, double friction, double adhesion);

/* Scenes in which much meets. `steps` of DT: as long as something happens. */
enum { CRUMPLES, FALLS_IN_SHEETS, IS_SHOT, MEETS_JELLY, FLIES_TOGETHER, CLINGS, PAIR_SCENES };

typedef struct pair_scene {
    const char *name;
    void (*build)(trial *w);
    uint32_t steps;
} pair_scene;

extern const pair_scene pair_scenes[PAIR_SCENES];

/* A scene with gravity, ten substeps and a bound of what contacts may miss; nothing in it yet. */
void begin_bound(trial *w, pliant_contact_bound bound);

/* One of the scenes, compiled. */
void begin_pairs(trial *w, const pair_scene *scene, pliant_contact_bound bound);

#endif
