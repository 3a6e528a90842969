/* A scene being simulated on a thread of its own, at the pace of the clock, with its past kept, for a window to show and to change. It does not
 * depend on windows. Neither side waits for the other: the window takes the newest frame there is, and leaves its wishes; the thread reads them
 * before its next step. */
#ifndef VIEW_SESSION_H
#define VIEW_SESSION_H

#include "draw/frame.h"

typedef struct view_session view_session;

enum { VIEW_CURVE = 240 }; /* points of a curve */
enum { VIEW_STAGES = 64 }; /* at the most, of pliant_solver_stage_times */

/* Energies, each with a curve. */
enum { VIEW_KINETIC, VIEW_GRAVITY, VIEW_ELASTIC, VIEW_TOTAL, VIEW_ENERGIES };

/* Settings of the user, which enter the steps as inputs. */
typedef struct view_controls {
    bool        gravity_set;
    pliant_vec3 gravity;
    uint32_t    substeps, iterations; /* 0: the scene's */
    double      speed;                /* of time; 1 is real; 0 as fast as can be */
    uint32_t    show;                 /* overlays */
    double      strain_range;
    bool        loop;   /* playing begins again where the scene ends; else it stops there */
    bool        energy; /* energies are reckoned, which takes time and changes nothing */
    bool        grabbing;
    pliant_body grab_body;
    uint32_t    grab_vertex;
    pliant_vec3 grab_target;
    pliant_real grab_compliance; /* m/N */
} view_controls;

typedef enum view_command {
    VIEW_PLAY, /* to the frame at which the scene ends; from there on for good */
    VIEW_PAUSE,
    VIEW_STEP,  /* one frame, then pause */
    VIEW_BACK,  /* one frame back, and pause */
    VIEW_RESET, /* to frame 0, and forget the rest */
    VIEW_SEEK   /* to a frame that was simulated, and pause; playing from there forgets what came after */
} view_command;

/* The state of the session, for the panel. */
typedef struct view_status {
    bool                   playing;
    uint32_t               frame, last;                        /* the one that is shown, and the newest that is kept */
    uint64_t               hash;                               /* of the state at `frame` */
    double                 time;                               /* s, simulated */
    pliant_statistics      statistics;                         /* of the step to the newest frame */
    pliant_kind_statistics kinds[PLIANT_CONSTRAINT_COUNT + 1]; /* likewise; users' last */
    pliant_stage_time      stage[VIEW_STAGES];                 /* where its time went */
    uint32_t               stage_count;
    uint32_t               curve_count;                             /* newest last */
    float                  curve_residual[VIEW_CURVE];              /* the largest of all kinds */
    float                  curve_ms[VIEW_CURVE];                    /* of a step */
    float                  curve_speed[VIEW_CURVE];                 /* m/s */
    uint32_t               energy_count;                            /* of steps with energies since they were asked for, newest last */
    float                  curve_energy[VIEW_ENERGIES][VIEW_CURVE]; /* J */
    char                   message[512];                            /* why it stopped, or empty */
} view_status;

/* Reads a scene, compiles it, and shows frame 0, paused. `text` NULL: from the file `path`. `threads` 0: one less than the processors.
 * `linear`: for methods that want one, or NULL. */
view_session *view_session_open(const char *path, const char *text, uint32_t threads, const pliant_linear_solver *linear,
                                pliant_error *error);
void          view_session_close(view_session *s);

const pliant_model  *view_session_model(const view_session *s);
const draw_subject  *view_session_subject(const view_session *s);
double               view_session_fps(const view_session *s);
const pliant_camera *view_session_camera(const view_session *s); /* the scene's own */

void view_session_command(view_session *s, view_command command, uint32_t frame);
void view_session_control(view_session *s, const view_controls *controls);

/* From the next step on: a law's numbers, the first number of the groups of a group's body over faces or members, a force's vector, a collider's place; NULL gives it back to the scene. */
void view_session_law(view_session *s, uint32_t law, const pliant_law *values);
void view_session_group(view_session *s, uint32_t group, const double *number);
void view_session_force(view_session *s, uint32_t force, const pliant_vec3 *vector);
void view_session_collider(view_session *s, uint32_t index, const pliant_pose *pose);

/* The newest frame; stays as it is until the next call. `fresh`: it is another one than last time. */
const draw_frame *view_session_frame(view_session *s, bool *fresh);
void              view_session_status(view_session *s, view_status *out);

/* How many frames of the past are kept at most; more than that, and every other one goes. At least 3. */
void view_session_limit(view_session *s, uint32_t frames);

/* Waits until every wish made before has been fulfilled: for tests. */
void view_session_settle(view_session *s);

#endif
