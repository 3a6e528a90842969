/* Pliant: the solver, which steps states: scratch memory and threads. It can be destroyed after any step and made anew; results stay the same to the
 * bit. */
#ifndef PLIANT_SOLVER_H
#define PLIANT_SOLVER_H

#include "pliant/state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pliant_solver      pliant_solver;
typedef struct pliant_inputs      pliant_inputs;
typedef struct pliant_contact_log pliant_contact_log;

/* ---- inputs: what a user does while it runs ---- */

/** Inputs for a model. NULL on error. */
PLIANT_API pliant_inputs *pliant_inputs_create(const pliant_model *model, pliant_error *error);

/** Frees inputs. NULL is allowed. */
PLIANT_API void pliant_inputs_destroy(pliant_inputs *inputs);

/** Forgets all inputs and sets the length of the next step: `dt` seconds, 1e-6 to 1, and at most 10000 times pliant_scene_def.substep. What is
 * not said before a step stays as the model has it: targets and colliders follow their keys, or rest; gravity, wind, substeps, iterations and laws
 * are the model's. Colliders and bodies are on or off as the state has them.
 *
 * What an engine does about dt. What a substep leaves unsolved comes back as C / h of speed when the next one is shorter, so it is the length of
 * a substep that has to stay the same, not their number. Where frames are uneven, give the scene `substep` and PLIANT_SUBSTEP_CARRY and pass the
 * frame's own dt, or keep a sum of time and step by one and the same dt while there is as much. Clamp dt first, to some twentieth of a second: a
 * frame that takes long asks for many substeps, which take long again, and what is moved by inputs goes all its way in that one step. docs/time.md. */
PLIANT_API pliant_code pliant_inputs_reset(pliant_inputs *inputs, double dt);

/** Where the attached vertices of a body shall be at the end of the step: target_count positions, `stride` bytes apart. On the way
 * there, straight, substep by substep. */
PLIANT_API pliant_code pliant_inputs_targets(pliant_inputs *inputs, pliant_body body, const void *positions, size_t stride);

/** Where the skinned targets of a body shall be at the end of the step: skin_count positions, `stride` bytes apart, in the order of
 * pliant_skin_def.vertices; and their normals, outwards, `normal_stride` bytes apart, of any length ((0, 0, 0): no backstop there). `normals` NULL: they
 * are made, at these positions, of those triangles of the body that have three skinned corners. On the way both go straight, substep by substep. */
PLIANT_API pliant_code pliant_inputs_skin(pliant_inputs *inputs, pliant_body body, const void *positions, size_t stride,
                                          const void *normals, size_t normal_stride);

/** Young's modulus (Pa) of the clusters that hold a body in shape at the end of the step: the first number of its group over members. On the way there
 * straight, substep by substep; keys go on from there. PLIANT_ERROR_ARGUMENT: the body has no clusters, or no such number may be. */
PLIANT_API pliant_code pliant_inputs_shape(pliant_inputs *inputs, pliant_body body, double young);

/** What fills a body's closed surface at the end of the step: the first number of its group, a gauge pressure at rest (Pa) or a volume (in volumes at
 * rest). On the way there straight, substep by substep; keys go on from there. */
PLIANT_API pliant_code pliant_inputs_group(pliant_inputs *inputs, pliant_body body, double number);

/** Where a collider shall be at the end of the step. */
PLIANT_API pliant_code pliant_inputs_collider(pliant_inputs *inputs, pliant_collider collider, const pliant_pose *pose);

/** Puts a body elsewhere before the step begins, without a way between: what is at x is then at motion.position + motion.rotation x, its
 * velocity, its targets and its skin turned and moved with it, and what comes next is as if it had always been there. Of several for one body
 * the last one counts. What pliant_inputs_targets and pliant_inputs_skin say is where targets are at the end of the step, so after it; keys
 * do not know of it. */
PLIANT_API pliant_code pliant_inputs_teleport(pliant_inputs *inputs, pliant_body body, const pliant_pose *motion);

/** Puts a collider elsewhere before the step begins, without a way between, so that it drags nothing along. From there it goes where
 * pliant_inputs_collider or its keys say, else it stays. */
PLIANT_API pliant_code pliant_inputs_teleport_collider(pliant_inputs *inputs, pliant_collider collider, const pliant_pose *pose);

/** Switches a collider off or on before the step begins. While it is off nothing meets it: contacts, cut paths, queries of the state and yielding leave it
 * out; it goes on where keys and inputs say, and takes next to no time. It stays as it was switched last until it is switched again: the state holds that, as
 * it holds pins. Switched on, it appears where pliant_inputs_teleport_collider says, else where pliant_inputs_collider does, else where its keys have it as
 * the step begins, else where it was: nothing is swept on a way there, and what is inside is pushed out as slowly as what begins inside. */
PLIANT_API pliant_code pliant_inputs_collider_active(pliant_inputs *inputs, pliant_collider collider, bool active);

/** Switches a body off or on before the step begins: a pool of bodies, of which some are there. One that is off lies still, at rest, and nothing meets it:
 * contacts, queries of the state, forces and constraints between bodies leave it out; its rows are not solved, and it takes next to no time. It stays as it was switched
 * last until it is switched again: the state holds that. While it is off, pliant_state_set_positions, pliant_state_set_velocities and
 * pliant_inputs_teleport say where and how it begins when it is switched on, in this step or a later one; so does pliant_state_set_pinned. Attached
 * vertices go from there to their targets. What is inside something else then is pushed out as slowly as what begins inside. */
PLIANT_API pliant_code pliant_inputs_body_active(pliant_inputs *inputs, pliant_body body, bool active);

/** The motion of a body's moving frame in the step: its poses when the step begins and when it ends, and the shares of this motion that the body
 * feels, each from 0 to 1. The rest of the motion carries the body's vertices along that are not pinned; targets, skins and colliders stay where they are
 * said to be in the world. Between the poses the frame goes straight and turns the shorter way, substep by substep. docs/frames.md. */
PLIANT_API pliant_code pliant_inputs_frame(pliant_inputs *inputs, pliant_body body, const pliant_pose *before, const pliant_pose *after,
                                           pliant_inertia felt);

/** Drags a vertex towards a place during the step, by a spring of `compliance` m/N. At most 64 a step. */
PLIANT_API pliant_code pliant_inputs_grab(pliant_inputs *inputs, pliant_body body, uint32_t vertex, pliant_vec3 target,
                                          pliant_real compliance);

/** Another gravity for this step. */
PLIANT_API pliant_code pliant_inputs_gravity(pliant_inputs *inputs, pliant_vec3 gravity);

/** Another vector for a force for this step, also in place of what its keys say. */
PLIANT_API pliant_code pliant_inputs_force(pliant_inputs *inputs, pliant_force force, pliant_vec3 vector);

/** Other substeps and iterations for this step; 0 means the model's. A number of substeps fills the step, also where the model has
 * pliant_scene_def.substep; what the state carries over stays as it is. */
PLIANT_API pliant_code pliant_inputs_substeps(pliant_inputs *inputs, uint32_t substeps, uint32_t iterations);

/** Another compliance, damping and stiffness for law number `law` for this step, and other numbers of its kind: those that are not given are as usual, whatever
 * the model has, so begin with pliant_model_law to keep them. Its limit stays. A method that knows no damping or stiffness
 * of constraints (newton) refuses to step with them: pliant_solver_takes says so. */
PLIANT_API pliant_code pliant_inputs_law(pliant_inputs *inputs, uint32_t law, const pliant_law *values);

/** Writes inputs as bytes, the same on every machine, at most `size` of them; returns their full number, which is the same for all inputs of a model.
 * 0 for inputs that were never reset. */
PLIANT_API size_t pliant_inputs_save(const pliant_inputs *inputs, void *out, size_t size);

/** Takes bytes that pliant_inputs_save gave for the same model. Others are refused, and the inputs are then as they were reset last. */
PLIANT_API pliant_code pliant_inputs_load(pliant_inputs *inputs, const void *data, size_t size, pliant_error *error);

/* ---- the solver ---- */

/** A user's constraint: fills `C[row_count]` and `gradient[row_count][particle_count]` (rows first) at positions `x`. Must depend on
 * nothing else that changes within a step, or determinism is the user's to keep. */
typedef void (*pliant_user_function)(const pliant_vec3 *x, uint32_t particle_count, uint32_t row_count, uint64_t tag, pliant_real *C,
                                     pliant_vec3 *gradient, void *context);

/** How far the iterations of a substep have come. Norms weigh by mass and have one unit for all kinds, m sqrt(kg): that of the constraints is
 * the square root of the sum of (C + alpha~ lambda)^2 / (sum of w |grad C|^2 + alpha~), that of the motion of w |M (x - x~) - J^T lambda -
 * contacts|^2 with x~ the prediction. XPBD's methods drive the first to 0 and neglect the second. */
typedef struct pliant_progress {
    uint32_t      substep, iteration; /**< iterations done; 0: the prediction */
    double        seconds;            /**< wall time of this substep's iterations so far, without what the measuring took */
    double        constraint, primal; /**< m sqrt(kg) */
    double        primal_max;         /**< N */
    const double *largest;            /**< of |C + alpha~ lambda|, by kind; users' at PLIANT_CONSTRAINT_COUNT. Valid during the call */
} pliant_progress;

/** A callback after every iteration; false: no more iterations in this substep. */
typedef bool (*pliant_trace_function)(const pliant_progress *progress, void *context);

/** A solver of sparse symmetric linear systems, for methods that want one and scenes where they do: newton on nets, cloth, solids. libpliant
 * has none of its own; libpliant_cholmod has one (pliant/cholmod.h). Several systems may be used at once by several threads, each by one thread at a time.
 * What it answers must depend on nothing but the system, or determinism is the host's to keep. */
typedef struct pliant_linear_solver {
    /** A system of `count` unknowns with a sparse matrix. Its lower triangle has an entry at each place of a list, column by column: those of column c are in
     * the rows row[first[c]] to row[first[c + 1] - 1], which ascend from c. The arrays are the caller's, to be read during the call only. NULL: out of
     * memory. */
    void *(*analyse)(uint32_t count, const uint32_t *first, const uint32_t *row, void *context);
    /** Factors A = L D L^T, D a diagonal of either sign; `value` has the entry of each place. The matrices are quasi-definite, so any order of
     * elimination will do. `negative` gets how many entries of D are negative. PLIANT_ERROR_DIVERGED: it cannot be factored;
     * PLIANT_ERROR_MEMORY: out of memory. */
    pliant_code (*factor)(void *system, const double *value, uint32_t *negative);
    /** Solves A x = b, A as it was factored last; b comes in `x`. PLIANT_ERROR_MEMORY: out of memory. */
    pliant_code (*solve)(void *system, double *x);
    void (*release)(void *system);
    void *context;
} pliant_linear_solver;

/** What a span of time is the time of. */
typedef enum pliant_span_kind {
    PLIANT_SPAN_STEP,
    PLIANT_SPAN_SUBSTEP,
    PLIANT_SPAN_STAGE,
    PLIANT_SPAN_PATCH, /**< a patch is walked, on any thread */
    PLIANT_SPAN_TASKS, /**< tasks over other things than patches, particles for example, one after another on any thread */
    PLIANT_SPAN_COUNT
} pliant_span_kind;

/** What a thread did for a while. Those of one thread nest: patches and tasks in a stage, stages in a substep, substeps in a step, where the
 * thread is the one that steps; a host's thread that waits for tasks and runs some meanwhile has them where it waits. Numbers count from 0. */
typedef struct pliant_span {
    pliant_span_kind kind;
    const char      *
        name; /**< "step", "substep"; the stage's, or where interactions act what one does, "find contacts"; of a patch "tile", "range" or "list"; of tasks their stage's, or "tasks". It lasts */
    double   begin, end; /**< s, of the clock that does not run back (CLOCK_MONOTONIC, QueryPerformanceCounter); known to `end` */
    uint64_t step;       /**< steps that the state had taken; of many at once, the first that could step */
    uint32_t substep; /**< its number in the step; of a whole step, and of what comes after its last substep, how many substeps there are */
    uint32_t stage;   /**< pliant_stage; PLIANT_STAGE_COUNT outside of one */
    uint32_t iteration; /**< while projecting: iterations of the substep that were done; what is measured comes after the last */
    uint32_t round;     /**< of a patch */
    uint32_t first;     /**< number of the patch, in the order solved; of the first task */
    uint32_t
             count; /**< of tasks how many; of a patch how many substeps it goes through in this span: 1, or outside of a stage all of the step's; else 1 */
    uint32_t particles;   /**< of the patch; of a step, of the model; else 0 */
    uint32_t constraints; /**< likewise; without users' */
    uint64_t host;        /**< the host's: what `begin` leaves here, `end` finds */
} pliant_span;

/** A host's profiler, or a file that it writes: told what each thread does, on that thread, while it does it. Two calls and not a list to be read
 * after the step, since profilers that show a program as a whole (Tracy, Optick, Superluminal) want to be called where and when something
 * begins and ends, and since a list would have to be made as long as the longest step. They come from several threads at once, and hold up the
 * one that they come from, so they should take no lock and allocate nothing. A step without a profile asks once per walk over patches or tasks whether there
 * is one. With a profile tasks are handed out in up to 16 pieces per thread, so that two calls cost little beside a piece; results are the same to the
 * bit. `begin` may be NULL. */
typedef struct pliant_profile {
    void (*begin)(pliant_span *span, void *context);
    void (*end)(const pliant_span *span, void *context);
    void *context;
} pliant_profile;

/** What makes a solver. */
typedef struct pliant_solver_def {
    size_t               size;
    pliant_allocator     allocator;
    uint32_t             threads; /**< threads of Pliant's own, the caller's included: 1 to 64; 0: one. Ignored with `tasks` */
    pliant_tasks         tasks;
    uint32_t             width; /**< lanes: 0 (PLIANT_WIDTH in the environment, else the widest that runs), or a width of pliant_build */
    pliant_user_function user[16];
    void                *user_context[16];
    bool                 measure; /**< fill residuals and forces after each step, at the price of about one sweep */
    bool                 timing;  /**< measure stages: pliant_solver_stage_times */
    bool                 energy;  /**< fill energies, at the price of about two sweeps a step, and one walk over contacts a substep */
    bool                 loads;   /**< sum up what contacts push colliders with, at the price of one walk over contacts a substep */
    bool                 lean;    /**< make room for the model's own steps only: for a rigid cloth 40 bytes (double: 80) per particle less.
                                                    The first step that wants the rest, since its inputs grab, damp or soften what the model
                                                    does not, or have more iterations of a soft law, allocates it */
    const pliant_method_def    *method; /**< another method than the model's; NULL: the model's. Read during the call only */
    const pliant_linear_solver *linear; /**< for methods that want one; NULL: there is none. Read during the call only */
    bool                        many;   /**< make room for pliant_solver_step_many to take 16 states at once: about 1 kB (double: 2 kB) per
                                             particle and thread. Of models with colliders or attachments 1.75 kB (3.5), and 4.4 kB (8.4) for
                                             contacts, which are touched as far as there are contacts. With `tasks` for 64 threads, and contacts
                                             for 16, touched by those that run */
    pliant_trace_function       trace;  /**< follow the iterations, at the price of about two sweeps each; NULL: do not */
    void                       *trace_context;
    pliant_profile              profile; /**< where the time goes, at the price of some 0.1 us per span; zeroed: none */
    pliant_contact_log *contacts; /**< gets the events of steps, contacts that begin and end: pliant/contact_log.h. It must outlive the
                                       solver; NULL: none */
} pliant_solver_def;

PLIANT_API pliant_solver_def pliant_solver_def_default(void);

/** Makes a solver. NULL on error; PLIANT_ERROR_UNAVAILABLE for a width that this build or processor has not got. */
PLIANT_API pliant_solver *pliant_solver_create(const pliant_model *model, const pliant_solver_def *def, pliant_error *error);

/** Whether a method (NULL: the model's) can solve a model; the error says why not. pliant_solver_create asks the same. */
PLIANT_API bool pliant_method_takes(const pliant_model *model, const pliant_method_def *method, pliant_error *error);

/** The largest relaxation with which a rigid row alone settles in so many iterations of gauss_seidel, hierarchical, or chebyshev on gauss_seidel: 1 +
 * b^(1 / iterations), b being 1/3, with BDF2 9/55. With a larger one the row's violation grows from substep to substep. 2 for jacobi, which takes a part of
 * each correction only and has no such bound; 1 for 0 iterations. docs/methods/gauss_seidel.md derives it. */
PLIANT_API double pliant_relaxation_most(pliant_method method, uint32_t iterations, pliant_integration integration);

/** Whether a method (NULL: the model's) that takes the model wants pliant_solver_def.linear for it; the error says why. Without one
 * pliant_solver_create fails with PLIANT_ERROR_UNAVAILABLE and the same sentence. */
PLIANT_API bool pliant_method_wants_linear(const pliant_model *model, const pliant_method_def *method, pliant_error *error);

/** Frees a solver. NULL is allowed. */
PLIANT_API void pliant_solver_destroy(pliant_solver *solver);

/** One step. PLIANT_OK; PLIANT_ERROR_DIVERGED (pliant_solver_divergence says where; the state is as the step left it);
 * PLIANT_ERROR_ARGUMENT, and nothing is done, if the three are not of one model or the solver does not take the inputs; PLIANT_ERROR_MEMORY if
 * there is no room for contacts between bodies, or for what a lean solver has put off: the state is then within the step, so go back to a copy.
 * Once warm it allocates nothing, but for more such contacts than it ever had, and for what a lean one has put off; what pliant_solver_def.linear
 * does is its own. */
PLIANT_API pliant_code pliant_solver_step(pliant_solver *solver, pliant_state *state, const pliant_inputs *inputs);

/** One step as pliant_solver_step does it, to the bit, which stops `parts` - 1 times on the way, after equal parts of its substeps, and calls
 * `look` with what there is then: positions, velocities and poses of colliders, and the time. That state is for looking at and for copying, not
 * for going on from. PLIANT_ERROR_ARGUMENT, too, if the substeps of the inputs are no multiple of `parts`, or follow from what the state carries. */
PLIANT_API pliant_code pliant_solver_step_parts(pliant_solver *solver, pliant_state *state, const pliant_inputs *inputs, uint32_t parts,
                                                void (*look)(void *context, const pliant_state *state, uint32_t part), void *context);

/** One step for each of `count` states of one model, each listed once, with inputs of its own (one may serve several). Every state is then as
 * pliant_solver_step would leave it, to the bit, and `codes` (or NULL) says what that would have returned. The first of these that is not
 * PLIANT_OK is returned; the others were stepped nevertheless. With pliant_solver_def.many a solver takes 16 states at once, one in each lane,
 * which costs less for small models; each may have gravity, forces, targets and colliders of its own. It takes states one by one without, and
 *   - a model in which bodies meet each other or themselves, colliders yield, bodies are damped, sleep or have skins, keyed frames or filled surfaces, wind blows or
 *     users' constraints act; with BDF2, several iterations or a method that does not walk once over the rows; with more than 64 colliders, or with
 *     colliders or attachments and more than 8,192 particles;
 *   - with a def that measures, or asks for energies or loads;
 *   - states with inputs that teleport, switch, grab, or say frames, and with substeps, laws or a dt that differ from the others', with constraints
 *     or bodies that are off, or with substeps that follow from what the state carries;
 *   - all of the 16 if one diverges, or if colliders are near more than twice as many particles of a chunk as it has;
 *   - a last group of fewer than 3 states, or 12 where there are colliders or attachments.
 * Statistics are of all: the highest speed, the sums of contacts, of particles in contact, of contacts without room and of restored bodies, the
 * seconds; pliant_solver_divergence tells of the first state that diverged, by its particle; pliant_solver_contacts and pliant_solver_stage_times
 * tell of states that went one by one. A solver with a log of contacts steps one state at a time: PLIANT_ERROR_ARGUMENT. */
PLIANT_API pliant_code pliant_solver_step_many(pliant_solver *solver, pliant_state *const *states, const pliant_inputs *const *inputs,
                                               uint32_t count, pliant_code *codes);

/** Whether a solver can do a step with these inputs; the error says why not. pliant_solver_step asks the same. */
PLIANT_API bool pliant_solver_takes(const pliant_solver *solver, const pliant_inputs *inputs, pliant_error *error);

/** The lane width it runs. */
PLIANT_API uint32_t pliant_solver_width(const pliant_solver *solver);

/** Whether this build has a kernel of `width` lanes for a kind of constraint. */
PLIANT_API bool pliant_constraint_has_width(pliant_constraint_kind kind, uint32_t width);

/** How many threads it runs; 1 with a host's job system. */
PLIANT_API uint32_t pliant_solver_threads(const pliant_solver *solver);

/* ---- what the last step was like ---- */

/** The stages of a step, in order. src/step/stages.h has a row for each. */
typedef enum pliant_stage {
    PLIANT_STAGE_KINEMATIC, /**< targets and colliders move to where the substep ends */
    PLIANT_STAGE_HISTORY,   /**< BDF2: the last two substeps become the one that this one starts from */
    PLIANT_STAGE_FORCES,
    PLIANT_STAGE_DAMPING,
    PLIANT_STAGE_PREDICT,
    PLIANT_STAGE_FIND,      /**< interactions find what they act on: pairs of bodies' parts, contacts with colliders */
    PLIANT_STAGE_PROJECT,   /**< iterations over constraints and contacts */
    PLIANT_STAGE_NOTE,      /**< interactions keep positions for reports */
    PLIANT_STAGE_SLEEPERS,  /**< what sleeps is put back to where it lay */
    PLIANT_STAGE_HOLD,      /**< interactions take back what must not be: paths that lead through a body are cut */
    PLIANT_STAGE_WORK,      /**< the work of the substep is added up: pliant_solver_def.energy */
    PLIANT_STAGE_RESIDUALS, /**< how far the last substep's end is from a solution: pliant_solver_def.measure */
    PLIANT_STAGE_VELOCITIES,
    PLIANT_STAGE_LIMITS,  /**< BDF2: velocities of what a limit holds */
    PLIANT_STAGE_SETTLE,  /**< interactions change velocities: restitution and its friction */
    PLIANT_STAGE_REST,    /**< what has stayed in one place is at rest */
    PLIANT_STAGE_GUARD,   /**< a NaN or a runaway speed is noticed */
    PLIANT_STAGE_FLOW,    /**< constraints of laws with a yield go after the shape that they are forced into */
    PLIANT_STAGE_TEAR,    /**< particles are split where elements around them are stretched too far */
    PLIANT_STAGE_BREAK,   /**< constraints that pull with more than they bear are broken */
    PLIANT_STAGE_LOG,     /**< the log of contacts is told: pliant_solver_def.contacts */
    PLIANT_STAGE_LOADS,   /**< what colliders are pushed with is added up: pliant_solver_def.loads */
    PLIANT_STAGE_MEASURE, /**< once per step: pliant_solver_def.measure */
    PLIANT_STAGE_ENERGY,  /**< twice per step, before and after its substeps: pliant_solver_def.energy */
    PLIANT_STAGE_COUNT
} pliant_stage;

/** Name of a stage, or NULL. */
PLIANT_API const char *pliant_stage_name(pliant_stage stage);

/** Time that the last step spent in a stage, or in what one interaction did in it; of all threads together where bodies went through the step by themselves
 * (docs/speed.md). */
typedef struct pliant_stage_time {
    pliant_stage stage;
    const char  *name;        /**< of the stage */
    const char  *interaction; /**< its name in stages in which interactions act (find, note, hold, settle), else NULL */
    double       seconds;
} pliant_stage_time;

/** Writes up to `capacity` times of the last step, in the order of its stages, and returns how many there are; `out` may be NULL. Seconds are 0 without
 * pliant_solver_def.timing. */
PLIANT_API uint32_t pliant_solver_stage_times(const pliant_solver *solver, pliant_stage_time *out, uint32_t capacity);

/** Seconds that the last step spent in a stage: in what one interaction did in it, by its name, or, with NULL, in all of it. */
PLIANT_API double pliant_solver_stage_seconds(const pliant_solver *solver, pliant_stage stage, const char *interaction);

/** Energies of a state as the step had it at its end, and what changed them, J.
 *
 * Elastic is C^2 / (2 max(alpha, h^2 S)) of each row, with S = sum of w |grad C|^2: one sweep does to a row what a spring of compliance h^2 S does,
 * however stiff its law, and a rigid row (compliance 0) counts as such a spring. h is the longest substep of late, and for volumes 1/300 s at the
 * least, with an S no less than that of a regular tetrahedron; n iterations make such springs n times as stiff, with relaxation or PBD's stiffness k
 * k times. newton and multigrid are exact: alpha alone counts, but of rigid rows. Inequalities and ranges count as far as they are violated, users'
 * constraints by their C and gradients. Rows that are switched off, grabs, and contacts count nothing; a constraint is of the body of its first
 * particle. Pinned particles have neither kinetic energy nor weight. Laws and gravity are those of the step, also for its beginning.
 *
 * Rows that share particles cannot all release the energy that is counted for them, since the motion that relaxes one may stretch another. The least that
 * they hold is counted with each particle's mass split among its rows, which makes S larger, and with the sweep's compliance added to the law's: C^2 /
 * (2 (alpha + h^2 S)); of newton and multigrid with the larger of the two again. The elastic energy lies between elastic - unresolved and elastic.
 *
 * Work is that of what moves by command: impulses of contacts times the motion of colliders, forces of constraints on pinned particles and targets
 * times their way, of skins times that of their targets, of wind times the air's way, of grabs and uniform forces times particles' way. dissipated =
 * energy before + work - energy after; of one body it includes the energy that the body gave to others. Below 0: energy came from nowhere, or, of one
 * body, from others. */
typedef struct pliant_energy {
    double kinetic, gravity, elastic; /**< at the end; gravity: -g.x m, 0 at the origin */
    double work, dissipated;          /**< in the step */
    double unresolved;                /**< how much less elastic may be, at the end */
} pliant_energy;

/** Statistics of the last step. Times are wall times; everything else is deterministic. */
typedef struct pliant_statistics {
    double   seconds;                              /**< of the whole step */
    uint32_t substeps, iterations;                 /**< 0 substeps, and 0 all else: the time carried did not fill one */
    double   constraint_residual, primal_residual; /**< norms in the last substep, as in pliant_progress, with `measure` */
    double   primal_max;                           /**< N */
    uint32_t contacts;                             /**< in the last substep: those that pushed, as
                                                                 pliant_solver_contacts lists them */
    uint32_t particles_in_contact;                 /**< of those, each particle once */
    uint32_t contacts_dropped;                     /**< contacts without room; 0 unless very many colliders overlap */
    uint32_t pairs;                                /**< pairs of parts of bodies near enough to touch, in the last substep */
    uint32_t pair_contacts;                        /**< of these pairs, the ones that push or hold on */
    uint32_t
        pair_searches; /**< broad-phase searches for all particles, in the whole step; a solver keeps its candidates while they hold, so a
                            new one searches more */
    uint32_t    pair_partial_searches; /**< searches for the few particles that had left the place foreseen for them, in the whole step;
                                            likewise */
    uint32_t    pair_candidates;       /**< candidates: pairs that are kept because they might touch; at the end of the step, likewise */
    uint32_t    particles_held;        /**< particles with a path that was cut, lest it lead through something, in all substeps */
    double      momentum_held;         /**< kg m/s, the momentum that cut paths took from particles */
    uint32_t    sleeping;              /**< particles, at the end: pliant_scene_def.sleep_speed */
    pliant_real max_speed;             /**< m/s, at the end */
    uint32_t    restored_bodies;       /**< put back by PLIANT_DIVERGENCE_RESTORES */
    uint32_t particles_limited; /**< particles with a velocity that PLIANT_CONTACT_BOUND_SPEED limited, in all substeps; momentum_held has
                                     the momentum that this took */
    uint32_t
        colliders_held;   /**< those with pliant_collider_def.yields that had no room in this step, and are behind their keys or inputs */
    pliant_energy energy; /**< with pliant_solver_def.energy; else 0 */
    pliant_energy energy_before;     /**< likewise: kinetic, gravity and elastic as the step began; work and dissipated 0 */
    bool          work_known;        /**< false: moving frames carried bodies, and what they did is not in energy.work */
    uint32_t      fallback_substeps; /**< of newton: substeps in which constraints had no solution with its gradients and were solved with
                                          those of the end; pliant_method_def.fallback */
    pliant_real   collider_lag;      /**< m, the farthest that a point of a held collider may be behind */
} pliant_statistics;

/** Statistics of the last step. */
PLIANT_API pliant_statistics pliant_solver_statistics(const pliant_solver *solver);

/** What a step made of the constraints of one kind. */
typedef struct pliant_kind_statistics {
    uint32_t constraints;   /**< solved */
    double   residual_max;  /**< of |C + alpha lambda / dt^2|, unit of C, with `measure`; inequalities only as far as they are violated */
    double   residual_mean; /**< over the rows of all constraints that are solved, inactive rows counting as 0 */
} pliant_kind_statistics;

/** What the last step made of the constraints of a kind; of users' constraints for PLIANT_CONSTRAINT_COUNT. Zeros for another kind, and before the first step. */
PLIANT_API pliant_kind_statistics pliant_solver_kind_statistics(const pliant_solver *solver, pliant_constraint_kind kind);

/** Energies of a body in the last step. PLIANT_ERROR_ARGUMENT, and all 0, without pliant_solver_def.energy, before the first step, and after one of many states. */
PLIANT_API pliant_code pliant_solver_energy(const pliant_solver *solver, pliant_body body, pliant_energy *out);

/** Where a run diverged. */
typedef struct pliant_divergence {
    bool            diverged;
    pliant_particle particle;
    bool            not_a_number; /**< a NaN appeared */
    bool            unsolved;     /**< the method found no positions that satisfy the constraints near the particle; its body, or what hangs
                                       together with the particle, is back where the substep began. Neither: a runaway speed */
    double          speed;        /**< m/s, what was too fast */
    uint32_t        substep;
    pliant_vec3     position; /**< m, where the particle was then */
} pliant_divergence;

/** The divergence of the last step: the first particle of the first substep that went wrong. */
PLIANT_API pliant_divergence pliant_solver_divergence(const pliant_solver *solver);

/** A particle touching a collider. */
typedef struct pliant_contact {
    pliant_particle particle;
    pliant_collider collider;
    pliant_vec3     point;    /**< on the collider */
    pliant_vec3     normal;   /**< out of the collider */
    pliant_real     force;    /**< N, normal, in the last substep; below 0 where adhesion holds it; 0 for a pinned particle */
    pliant_real     friction; /**< N, along the surface */
} pliant_contact;

/** Copies up to `capacity` contacts of the last substep, by particle and collider; returns how many there are. Only those that pushed or
 * pulled. */
PLIANT_API uint32_t pliant_solver_contacts(const pliant_solver *solver, pliant_contact *out, uint32_t capacity);

/** What a collider was pushed with by everything it touched in the last step, for a host that has it on a rigid body: force in N, and torque in N m about where
 * the collider's pose has its position, both summed over its substeps by their share of dt, so that force times dt is the impulse that the host's body gets. Contacts'
 * normal forces, friction, adhesion and what bounces; to rounding they are what bodies lost. A collider with `stick` gets nothing, and what cut paths hold back
 * (pliant_statistics.momentum_held) is in no load. Either pointer may be NULL. PLIANT_ERROR_ARGUMENT, and 0, without pliant_solver_def.loads, before the first step, and for a
 * collider that there is not. */
PLIANT_API pliant_code pliant_solver_collider_load(const pliant_solver *solver, pliant_collider collider, pliant_vec3 *force,
                                                   pliant_vec3 *torque);

/** Parts of bodies that push each other, or hold on to each other: a corner and a triangle, or two edges. */
typedef struct pliant_pair_contact {
    pliant_body     bodies[2];    /**< of the first side and of the second; the same twice where a body touches itself */
    pliant_particle particles[4]; /**< the corners of both sides; places that are not needed have body id 0 */
    pliant_real     weights[4];   /**< of each in the distance: above 0 on the first side, below on the second, 1 and -1 in sum */
    pliant_vec3     point;        /**< midway between the nearest points of both sides */
    pliant_vec3     normal;       /**< from the second side to the first */
    pliant_real     distance;     /**< m, between the sides along the normal; their thicknesses together, where they rest */
    pliant_real     force;    /**< N, normal, in the last substep: the first side gets it along the normal, the second against it; below 0
                                       where adhesion holds them */
    pliant_real     friction; /**< N, along the surface */
} pliant_pair_contact;

/** Copies up to `capacity` contacts of bodies with each other, and with themselves, in the last substep: those that pushed or pulled, in the order in which
 * they were solved; returns how many there are. Positions are those after constraints and contacts. */
PLIANT_API uint32_t pliant_solver_pair_contacts(const pliant_solver *solver, pliant_pair_contact *out, uint32_t capacity);

/** Parts of bodies that are near each other: a corner and a triangle, or two edges. */
typedef struct pliant_near_pair {
    pliant_body bodies[2]; /**< of the first side and of the second */
    pliant_vec3 points[2]; /**< the nearest points of the two sides */
    pliant_real distance;  /**< m, between them */
    pliant_real touching;  /**< m, the distance at which they touch */
} pliant_near_pair;

/** Copies up to `capacity` of the pairs that the last search found, pushing or not, with their nearest points in `state`; returns how many there
 * are, 0 for a state of another model. How far around a search looks, and when it was, depends on the solver's age; no result does. */
PLIANT_API uint32_t pliant_solver_near_pairs(const pliant_solver *solver, const pliant_state *state, pliant_near_pair *out,
                                             uint32_t capacity);

/** The multipliers of a constraint in the last substep, one per row, over dt^2: a force in newtons along the gradient. Needs
 * pliant_solver_def.measure. Returns the number of rows, 0 if it is not to be had. */
PLIANT_API uint32_t pliant_solver_force(const pliant_solver *solver, pliant_constraint constraint, pliant_real out[PLIANT_MAX_ROWS]);

#ifdef __cplusplus
}
#endif
#endif
