/* The command: types and functions that its verbs share. */
#ifndef PLIANT_CLI_H
#define PLIANT_CLI_H

#include "pliant/io.h"

#include <stdio.h>

/* Exit codes. */
enum {
    CLI_GOOD = 0,
    CLI_CHECK_FAILED = 1,
    CLI_BAD_INPUT = 2, /* usage, or the content of a file */
    CLI_IO_FAILED = 3,
    CLI_DIVERGED = 4,
    CLI_NO_MEMORY = 5,
    CLI_UNAVAILABLE = 6,
    CLI_INTERRUPTED = 130
};

/* The exit code that an error means. */
int cli_exit_code(pliant_code code);

/* Prints an error as one line, "file:12: message", and returns its exit code. */
int cli_fail(const pliant_error *error);

/* An allocator for a scene, its model, states and solver: memory as long as the machine has it, and then NULL. memory.c. */
pliant_allocator cli_memory(void);

/* Whether it was refused: how many bytes there would have been then, at least, and how many there are. */
bool cli_memory_refused(uint64_t *wanted, uint64_t *there);

/* Prints "pliant: note: text": for pliant_read_def.notice. */
void cli_print_notice(const char *text, void *context);

/* Prints "pliant: message" and returns CLI_BAD_INPUT. */
__attribute__((format(printf, 1, 2))) int cli_usage_error(const char *format, ...);

/* ---- options ---- */

typedef enum cli_option_type {
    CLI_FLAG,    /* bool */
    CLI_COUNT,   /* uint32_t in [low, high] */
    CLI_REAL,    /* double in (low, high) */
    CLI_TEXT,    /* const char * */
    CLI_WORD,    /* const char *, one of `words` */
    CLI_PATHS,   /* cli_paths; may be given several times */
    CLI_EVERY,   /* uint32_t as COUNT; of the path before it where there is one, and no option that `takes_every` came in between */
    CLI_EXPLODED /* bool; of the path before it where there is one */
} cli_option_type;

#define CLI_MAX_PATHS 16

typedef struct cli_paths {
    const char *path[CLI_MAX_PATHS];
    uint32_t    count;
    uint32_t    every[CLI_MAX_PATHS];    /* value of CLI_EVERY for each; 0: none */
    bool        exploded[CLI_MAX_PATHS]; /* whether CLI_EXPLODED is said of it */
} cli_paths;

#define CLI_UNSAID UINT32_MAX

/* One option. Usage, help, man page and completion are made from these rows. */
typedef struct cli_option {
    const char     *name;   /* without its dashes */
    char            letter; /* short form, or 0 */
    cli_option_type type;
    const char     *value; /* name of its value in usage, or NULL */
    const char     *text;
    size_t          offset; /* into the verb's struct */
    double          low, high;
    bool            from_low; /* REAL: [low, high) */
    double          initial;  /* COUNT, REAL: the value where the option is not given; CLI_UNSAID for a COUNT that may be 0 */
    const char     *words;    /* WORD: "given|colour" */
    bool            hidden;
    bool            takes_every; /* a CLI_EVERY behind it is not of a path before */
} cli_option;

/* Rows that verbs with a scene share: fields of the verb's struct. */
#define CLI_OPTION_MEND(T)                                                                                                               \
    {                                                                                                                                    \
        .name = "mend", .type = CLI_FLAG, .offset = offsetof(T, mend), .text = "turn inverted tetrahedra round instead of refusing them" \
    }
#define CLI_OPTION_ROOT(T)                                                             \
    {                                                                                  \
        .name = "root", .type = CLI_TEXT, .value = "DIR", .offset = offsetof(T, root), \
        .text = "meshes may lie anywhere in DIR, instead of beside the scene or below" \
    }

#define CLI_OPTION_FORCE(T)                                                                     \
    {                                                                                           \
        .name = "force", .type = CLI_FLAG, .offset = offsetof(T, force),                        \
        .text = "write over files that Pliant did not write, and on a disk that seems too full" \
    }

enum { CLI_MAX_OPERANDS = 1024 };

/* First member of every verb's struct: the operands. */
typedef struct cli_operands {
    const char *operand[CLI_MAX_OPERANDS];
    int         count;
} cli_operands;

typedef struct cli_verb {
    const char       *name;
    const char       *operands; /* as usage shows them, "SCENE" */
    int               least, most;
    const char       *summary;     /* one line */
    const char       *description; /* paragraphs, for help and the man page */
    const cli_option *options;
    size_t            option_count;
    size_t            size; /* of the verb's struct */
    int (*run)(const void *options);
} cli_verb;

#define CLI_OPTIONS(array) (array), sizeof(array) / sizeof *(array)

extern const cli_verb cli_run, cli_demo, cli_cook, cli_record, cli_replay, cli_check, cli_info, cli_selftest, cli_eval, cli_render,
    cli_view, cli_compare, cli_mesh, cli_bench;

/* Fills the verb's struct (zeroed) with defaults, and from the arguments behind the verb. False after an error was printed. */
bool cli_parse(const cli_verb *verb, int argc, char **argv, void *options, bool *help);

void cli_print_usage(const cli_verb *verb);
void cli_print_help(const cli_verb *verb);

/* Of all verbs, of which the last one is followed by NULL. */
void cli_print_man(const cli_verb *const *verbs);
void cli_print_bash(const cli_verb *const *verbs);

/* ---- progress ---- */

typedef struct cli_progress {
    bool        shown, terminal;
    const char *what; /* is counted: "frame" */
    uint32_t    total, last_tenth;
    double      started, drawn;
} cli_progress;

double cli_seconds(void);
void   cli_progress_start(cli_progress *progress, bool quiet, uint32_t total);
void   cli_progress_step(cli_progress *progress, uint32_t done);
void   cli_progress_pause(const cli_progress *progress); /* another message is about to be printed on standard error */
void   cli_progress_end(cli_progress *progress);

/* ---- simulating ---- */

/* The job of run and demo: a scene's frames into files. */
typedef struct cli_job {
    const char              *name; /* of the scene, for messages */
    pliant_model            *model;
    uint32_t                 frames;
    double                   fps;
    uint32_t                 substeps, iterations; /* 0: the scene's */
    uint32_t                 threads;              /* 0: as many as there are processors, up to 16 */
    const pliant_method_def *method;               /* NULL: the scene's */
    const cli_paths         *outputs;
    const char              *last; /* a path that gets the last frame only; may be NULL */
    bool                     quiet, json, new_solver, force, crossings;
    uint32_t                 hash_every;
    uint32_t                 start;               /* number of the first frame that outputs get */
    uint32_t                 subframes;           /* states that they get per frame; 0: one, or as the checkpoint has it */
    const char              *checkpoint, *resume; /* paths, or NULL */
    uint32_t                 checkpoint_every;    /* frames */
    struct cli_profile      *profile;             /* where the time goes, to a file `profile_path`; NULL: no profile */
    const char              *profile_path;
    const char              *energy;        /* a path that gets energies, .csv or .svg; or NULL */
    bool                     energy_bodies; /* columns per body, and with `json` energies of each */
    pliant_on_energy         on_energy;     /* the reaction to a gain of energy */
} cli_job;

/* Runs a job, from frame 0 to the summary; returns the exit code. */
int cli_simulate(const cli_job *job);

/* A cache that is going to be written. */
typedef struct cli_planned {
    const char      *path;
    pliant_write_def def;
} cli_planned;

/* Unless the job is forced: whether caches and the checkpoint may be written, and fit on their file systems. */
bool cli_look_ahead(const cli_job *job, const cli_planned *outputs, uint32_t count, pliant_error *error);

/* Likewise for one file of another kind, without a check of free space. */
/* Notes a file that the scene reads, for pliant_read_def.reads: nothing is written over it, --force or not. */
void cli_note_read(const char *path, void *context);

bool cli_may_write(const char *path, pliant_output what, bool force, pliant_error *error);

/* Ctrl-C: the first lets the frame end, the second ends the program. From now on, and whether the first has come. */
void cli_catch_signals(void);
bool cli_interrupted(void);

/* Fills the error with the failure of the step towards a frame. */
void cli_explain_step(pliant_error *error, pliant_code code, const pliant_model *model, const pliant_solver *solver, uint32_t frame);

/* If the last step, the one towards a frame, put bodies back, says so on standard error, unless `said`. Returns how many. */
uint32_t cli_note_restored(const char *name, const pliant_model *model, const pliant_solver *solver, uint32_t frame,
                           const cli_progress *progress, bool said);

/* Threads where no number is given: the processors, up to 16. */
uint32_t cli_default_threads(void);

/* A notice, if particles begin aside of where the scene has them: pliant_model_parted. */
void cli_note_parted(const char *name, const pliant_model *model);

/* A notice, if a quality has more substeps for the sake of soft bodies: pliant_model_wave_substeps. */
void cli_note_substeps(const char *name, const pliant_model *model);

/* A notice, if solids give way far more than their material says, for want of substeps: pliant_model_waves. */
void cli_note_soft(const char *name, const pliant_model *model, const pliant_method_def *method, double substep, uint32_t iterations);

/* Substeps that the fastest wave through each body takes to cross an edge, as many as count with so many iterations; 0: it has no such wave. From malloc; NULL
 * without memory. */
double *cli_crossing_substeps(const pliant_model *model, double substep, uint32_t iterations);

/* A notice, if the method's relaxation is more than rigid rows bear with so many iterations. */
void cli_note_relaxation(const char *name, const pliant_model *model, const pliant_method_def *method, uint32_t iterations);

/* Particles of a body that begin inside a collider, or inside a soft body that the body does not pass through. */
typedef struct cli_inside {
    pliant_body     body;
    pliant_collider collider; /* id 0: it is a body */
    pliant_body     other;
    uint32_t        count; /* vertices */
    double          depth; /* m, of the deepest one */
    pliant_vec3     way;   /* out of there, of that one */
} cli_inside;

/* Finds them, in memory that the caller frees; false with the error filled if out of it. And says so, in one line each of the first ones. */
bool cli_find_inside(const pliant_model *model, cli_inside **out, uint32_t *count, pliant_error *error);
void cli_note_inside(const char *path, const pliant_model *model, const cli_inside *found, uint32_t count);

/* How long a substep of a model is that is stepped frame by frame, s. */
double cli_substep_of(const pliant_model *model, double fps);

/* Whether a solver can be made here at all: PLIANT_WIDTH may ask for lanes that this machine has not got. */
bool cli_can_simulate(pliant_error *error);

/* The solver of sparse linear systems, or NULL: this build has none, or PLIANT_LINEAR=none in the environment hides it. */
const pliant_linear_solver *cli_linear(void);
const char                 *cli_lacks_cholmod(void); /* why CHOLMOD is not here, or NULL: it is */

/* Whether a model can be solved by its own method here; the error says why not, with the path and the line that says the method. */
bool cli_takes(const pliant_model_file *file, const char *path, pliant_error *error);

/* How many processors there are, at least 1. */
uint32_t cli_processors(void);

/* A method as --method and --methods say it, beginning with the model's own settings. False after an error was printed. */
bool cli_read_method(const char *text, const pliant_model *model, pliant_method_def *method);

/* Prints the settings of a method as a JSON object. */
void cli_print_json_settings(const pliant_method_def *method);

/* Whether a path ends so, in lower or upper case, and has something before it. */
bool cli_ends_with(const char *path, const char *ending);

/* Whether two paths are one file or folder, written in two ways. */
bool cli_same_place(const char *a, const char *b);

/* Writes text as a JSON string; bytes that are not UTF-8 become U+FFFD. The second writes to standard output. */
void cli_write_json_text(FILE *to, const char *text);
void cli_print_json_text(const char *text);

/* Prints a number as JSON, `digits` significant ones; null if it is not finite. */
void cli_print_json_number(double value, int digits);

#endif
