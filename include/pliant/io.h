/* Pliant, second library (libpliant_io): scene files, meshes and caches. The only part of Pliant that opens files. */
#ifndef PLIANT_IO_H
#define PLIANT_IO_H

#include "pliant/pliant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- meshes ---- */

/** Vertices of a mesh that go by a name: of an OBJ those of the faces after `g` and `o`; of a PLY those with a property of this name above 0; of what
 * pliant-import reads those of a node or a mesh. */
typedef struct pliant_mesh_group {
    char      name[64];
    uint32_t *vertices; /**< ascending */
    size_t    vertex_count;
} pliant_mesh_group;

/** A surface read from a file. */
typedef struct pliant_mesh {
    pliant_real *positions; /**< 3 per vertex */
    size_t       vertex_count;
    uint32_t    *triangles; /**< 3 each; faces with more than four corners are cut into fans */
    size_t       triangle_count;
    uint32_t    *quads; /**< 4 each */
    size_t       quad_count;
    bool         in_order; /**< the vertices are the file's, in the file's order; false: as its reader makes them */
    bool         loose;    /**< no two faces share a vertex, as the format has none to share (STL): weld it */
    double       unit;     /**< metres that one unit of the positions is, where file or format say so; else 0 */
    char         up;       /**< 'y' or 'z', where file or format say so; 'x' where they say another axis, or one downwards; else 0 */
    size_t       left_out; /**< points and lines, and faces with a vertex twice, that a reader other than Pliant's own left out */

    float             *colors; /**< 4 per vertex: red, green, blue, alpha, 0 to 1 as the file has them; NULL: it has none */
    pliant_mesh_group *groups; /**< with at most 1024 different names */
    size_t             group_count;
    float *
        uvs; /**< texture coordinates, where they were asked for and the file has some: 2 per corner of the triangles, then of the quads, u to the
                                 right and v up; (0, 0) at the corners of faces that have none. NULL: none */
} pliant_mesh;

/** One format of meshes, as `pliant info` lists it. */
typedef struct pliant_mesh_format_info {
    const char *ending; /**< ".obj" */
    const char *name;
    bool        tetrahedra; /**< for pliant_tets_load; else a surface, for pliant_mesh_load */
    bool        imported;   /**< read by the program pliant-import, which may be missing */
} pliant_mesh_format_info;

/** Format number `index`, or NULL past the last. */
PLIANT_API const pliant_mesh_format_info *pliant_mesh_format_at(uint32_t index);

/** Reads positions and faces, by the path's ending: Wavefront OBJ, PLY (ASCII or binary) and TetGen's .face (with its .node beside it), vertices
 * in the file's order; and what pliant-import reads, as pliant_mesh_import does. Nothing is scaled or turned. */
PLIANT_API pliant_code pliant_mesh_load(const char *path, pliant_mesh *mesh, pliant_error *error);

/** How to read a surface, and how to run pliant-import, the program that reads STL, glTF, FBX and other meshes by Assimp. It is a program of its own, with limits on time
 * and memory, because files can make that reader crash, hang, or take all memory. */
typedef struct pliant_import_def {
    size_t      size;
    const char *program; /**< its path; NULL: the environment's PLIANT_IMPORT, else where it was built or installed with this library */
    const char *root;    /**< files that a mesh names (buffers of a .gltf) have to lie in this folder or below; NULL: in the mesh's own */
    double      seconds; /**< that it may take; default 30 */
    uint64_t    memory;  /**< bytes that it may take; default 4 GiB */
    bool        as_is;   /**< take faces that have a vertex twice as they are; default false: they are an error */
    bool        uvs;     /**< read texture coordinates; what is wrong with them is an error then. Default false: they are passed over */
} pliant_import_def;

PLIANT_API pliant_import_def pliant_import_def_default(void);

/** pliant_mesh_load with a say in how; `def` may be NULL. PLIANT_ERROR_UNAVAILABLE where a format needs it and it is not
 * there. However that program ends, the caller gets a mesh with all of its numbers checked, or an error. */
PLIANT_API pliant_code pliant_mesh_import(const char *path, const pliant_import_def *def, pliant_mesh *mesh, pliant_error *error);

/** Writes where pliant-import is, at most `size` bytes with a 0 at the end. PLIANT_ERROR_UNAVAILABLE if it is not there, PLIANT_ERROR_ARGUMENT if its path
 * is longer; `path` is then empty. `def` may be NULL. */
PLIANT_API pliant_code pliant_import_find(const pliant_import_def *def, char *path, size_t size);

/** Turns positions, three numbers each, to metres and y up, in place: `unit` is how many metres one of theirs is (0: 1), `up` their axis that
 * points up: 'z' turns (x, y, z) to (x, z, -y), what else a pliant_mesh has (0, 'x', 'y') turns nothing. PLIANT_ERROR_INPUT if a number becomes
 * too large, PLIANT_ERROR_ARGUMENT if an argument is none of these. */
PLIANT_API pliant_code pliant_positions_convert(pliant_real *positions, size_t vertex_count, double unit, char up, pliant_error *error);

/** Frees what pliant_mesh_load and pliant_mesh_import made. */
PLIANT_API void pliant_mesh_free(pliant_mesh *mesh);

/** A view of a mesh, for defs. Of NULL an empty one. */
PLIANT_API pliant_mesh_view pliant_mesh_view_from(const pliant_mesh *mesh);

/** Tetrahedra read from a file. */
typedef struct pliant_tets {
    pliant_real *positions;
    size_t       vertex_count;
    uint32_t    *tetrahedra; /**< 4 each, indices from 0 whatever the file had */
    size_t       tetrahedron_count;
    size_t       other_count;  /**< elements of the file that are no tetrahedra, left out */
    size_t       curved_count; /**< tetrahedra of higher order, of which the corners were taken */
} pliant_tets;

/** Reads tetrahedra, by the path's ending: TetGen's NAME.node and NAME.ele (`path` is either), Gmsh's .msh 2.2 and 4.1, and unstructured grids
 * in VTK's legacy .vtk, text or binary. All vertices are kept, in the file's order, used or not. Both ways of turning a tetrahedron are
 * taken: if every one of the file is negative, all are turned; if only some are, they stay as they are for pliant_scene_add_soft to refuse or
 * mend. */
PLIANT_API pliant_code pliant_tets_load(const char *path, pliant_tets *tets, pliant_error *error);

/** Frees what pliant_tets_load made. */
PLIANT_API void pliant_tets_free(pliant_tets *tets);

/** A view of tetrahedra, for defs. Of NULL an empty one. */
PLIANT_API pliant_tet_view pliant_tet_view_from(const pliant_tets *tets);

/* ---- scene files ---- */

/** How to read a scene file. */
typedef struct pliant_read_def {
    size_t           size;
    pliant_allocator allocator;
    bool             mend;        /**< turn inverted tetrahedra round, of meshes and of tet_volume constraints that measure their rest */
    bool             order_given; /**< as if the file said "order": "given" */
    /** A file with a list of constraints as pliant_order_entry writes them: they take the place of the scene's constraints, and are solved serially
     * in their order. NULL: none. */
    const char *replay;
    /** Files that the scene names have to lie in this folder or below; NULL: in the scene's own. Where links lead counts. */
    const char              *root;
    const pliant_import_def *import; /**< how meshes are read that need pliant-import; NULL: by default. Its `root` may be NULL */
    /** Called for what is odd but not wrong, one sentence each; may be NULL. */
    void (*notice)(const char *text, void *context);
    void *notice_context;
    /** Called with each file before it is read: the scene or the cooked model, and what they name; may be NULL. */
    void (*reads)(const char *path, void *context);
    void *reads_context;
    /** Called by pliant_model_read and _text when all of a scene is read, before it is compiled; may be NULL. */
    void (*compiles)(void *context);
    void *compiles_context;
} pliant_read_def;

PLIANT_API pliant_read_def pliant_read_def_default(void);

/** The side from which a camera shows all there is. */
typedef enum pliant_camera_from {
    PLIANT_CAMERA_AUTO, /**< three quarters from the front and a little from above */
    PLIANT_CAMERA_FRONT,
    PLIANT_CAMERA_SIDE, /**< from +x */
    PLIANT_CAMERA_TOP
} pliant_camera_from;

/** From where a scene file asks to be seen. It is no part of a model and changes no result. */
typedef struct pliant_camera {
    bool               given;  /**< the file has a "camera"; all else is 0 where it has none */
    bool               placed; /**< by `eye`, `target` and `fov`; else by `from` */
    pliant_camera_from from;
    double             eye[3], target[3]; /**< m */
    double             fov;               /**< degrees that the picture's height spans */
    bool               follows;           /**< it goes with `body`, as the mean of the body's vertices moves */
    pliant_body        body;
} pliant_camera;

/** What a scene file says. */
typedef struct pliant_scene_file {
    pliant_scene *scene;
    uint32_t      frames; /**< default 240 */
    double        fps;    /**< default 60 */
    pliant_camera camera;
} pliant_scene_file;

/** Reads a scene from a JSON or YAML file; meshes are looked for beside it. `def` may be NULL. The error has file, line, the place
 * inside the file ("bodies[0].stretch.complaince") and what to do; nothing is left to free then. */
PLIANT_API pliant_code pliant_scene_read(const char *path, const pliant_read_def *def, pliant_scene_file *file, pliant_error *error);

/** The same from memory; `name` stands for the path in errors, `folder` is where meshes are looked for (NULL: the working folder). */
PLIANT_API pliant_code pliant_scene_read_text(const char *text, size_t length, const char *name, const char *folder,
                                              const pliant_read_def *def, pliant_scene_file *file, pliant_error *error);

/* ---- cooked models ---- */

/** A model and how it is to be played. */
typedef struct pliant_model_file {
    pliant_model *model;
    pliant_scene *scene; /**< what it was compiled from; NULL where it was cooked */
    uint32_t      frames;
    double        fps;
    pliant_camera camera; /**< of the scene file; a cooked model has none */
    const void   *bytes;  /**< of a cooked model: the file, mapped; the model lies in it */
    size_t        byte_count;
} pliant_model_file;

/** Reads a model: a scene file, which is compiled, or a cooked model, which is mapped and needs no mesh and no other file. What `def` says
 * of how to read scenes (`mend`, `order_given`, `replay`) is refused for a cooked one, which is as it was cooked. On error nothing
 * is left to close. As long as a cooked model is in use, its file must not be cut or written over; to replace it, rename another one there. */
PLIANT_API pliant_code pliant_model_read(const char *path, const pliant_read_def *def, pliant_model_file *file, pliant_error *error);

/** The same of a scene in memory, as pliant_scene_read_text reads it. */
PLIANT_API pliant_code pliant_model_read_text(const char *text, size_t length, const char *name, const char *folder,
                                              const pliant_read_def *def, pliant_model_file *file, pliant_error *error);

/** Frees the model, its scene and the mapping. */
PLIANT_API void pliant_model_close(pliant_model_file *file);

/** Writes a cooked model, whole or not at all. It fits this version of Pliant, and its precision: pliant_model_read refuses others. */
PLIANT_API pliant_code pliant_cooked_write(const char *path, const pliant_model *model, uint32_t frames, double fps, pliant_error *error);

/** The line in which the file that a scene was read from says how it is solved: that of its "method", else of its "solver", else its first one. 0 for a
 * scene that was not read from a file, and for NULL. For messages of what refuses a method. */
PLIANT_API int pliant_scene_method_line(const pliant_scene *scene);

/** Writes the JSON Schema of scene files, at most `size` bytes with a 0 at the end; returns its full length without the 0. */
PLIANT_API size_t pliant_scene_schema(char *out, size_t size);

/** Writes constraint number `position` of a model, in the order solved, as a scene file has it: {"kind": ..., "ids": [...], ...} with all its
 * numbers, its ids those of the vertices of the model's bodies, counted through. `scene` is what the model was compiled from. At most `size` bytes
 * with a 0 at the end; returns the full length without the 0; 0 if there is no such constraint. */
PLIANT_API size_t pliant_order_entry(const pliant_scene *scene, const pliant_model *model, uint32_t position, char *out, size_t size);

/** Reads a method as options of the command say it: NAME[:SETTING=VALUE]..., for example "jacobi:averaging=row:relaxation=1.2". What `text`
 * does not say stays as it is in `def` if that is of the same method, and is at its default if not. The error says what there is
 * instead; the def is then as it was. */
PLIANT_API pliant_code pliant_method_read(const char *text, pliant_method_def *def, pliant_error *error);

/** Writes a method as pliant_method_read takes it, with all its settings, at most `size` bytes with a 0 at the end; returns its full length
 * without the 0. */
PLIANT_API size_t pliant_method_write(const pliant_method_def *def, char *out, size_t size);

/** Reads one constraint taken by itself from JSON: {"x": [[x, y, z], ...], "w": [...], "params": {name: number}, "alpha", "dt", "lambda"}
 * and, if wanted, "beta", "start", "stiffness", "limit", "range"; "at_rest", positions of a shape at rest, in the place of "params". `name` stands for
 * the path in errors. */
PLIANT_API pliant_code pliant_eval_read_text(pliant_constraint_kind kind, const char *text, size_t length, const char *name,
                                             pliant_eval_input *input, pliant_error *error);

/** The default scene, as JSON. */
PLIANT_API const char *pliant_demo_scene(size_t *length);

/* ---- caches ---- */

/** A cache being written. */
typedef struct pliant_writer pliant_writer;

/** How to write. */
typedef struct pliant_write_def {
    size_t   size;
    double   fps;         /**< frames that are written per second, from 1e-12 to 1e12; default 60 */
    uint32_t first_frame; /**< number of the first frame written; default 0 */
    uint32_t there; /**< frames of the cache to keep, and to go on behind; default 0: it is made anew. What it has more is cut off; an error
                               if it has fewer, or is of another model or first frame */
    uint32_t frames; /**< frames it is going to have, where that is known; default 0: it is not. A format that has to know it says so */
    uint32_t every;  /**< numbers go up by so many from one frame to the next; default 1 */
    /** Bodies that tear get a vertex per corner of their faces, in the order of the faces, which then never change: corner i is vertex i. For formats that
     * have faces once for all frames; a .csv, which has none, refuses it. Other bodies are as ever. Default false. */
    bool exploded;
} pliant_write_def;

PLIANT_API pliant_write_def pliant_write_def_default(void);

/** One format, as `pliant info` lists it. */
typedef struct pliant_format_info {
    const char *ending; /**< ".pc2"; a path that ends in "/" is ".obj" in a folder */
    const char *name, *text;
} pliant_format_info;

/** Format number `index`, or NULL past the last. */
PLIANT_API const pliant_format_info *pliant_format_at(uint32_t index);

/** Whether this build can write format number `index`, or wants a library for that. All can be read. */
PLIANT_API bool pliant_format_is_written(uint32_t index);

/** Opens a cache; the format by the path's ending: FILE.csv, FILE.pc2 or FILE.mdd (one per body, FILE.BODY.pc2, if there are several), FILE.abc,
 * FILE.glb, FILE.usda, NAME.pvd with a folder NAME/ beside it, NAME.vtkhdf with NAME.xmf beside it (which have to know
 * pliant_write_def.frames), or a folder "NAME/", "NAME.obj" or "NAME.ply" that gets one file per body and frame. Nothing is written under the
 * final name before the first frame is complete; after every frame all files are valid. Those that cannot grow frame by frame (.mdd, .glb,
 * .usda) are a work file, FILE.mdd.part, until pliant_writer_finish. NULL on error. */
PLIANT_API pliant_writer *pliant_writer_open(const char *path, const pliant_model *model, const pliant_write_def *def, pliant_error *error);

/** Checks that a cache may be written there: nothing is there yet, or what would be replaced is empty, or begins as such a cache does. Else
 * PLIANT_ERROR_INPUT, with the file and what it is not. A writer does not check. `there` (may be NULL): how many bytes those files have. */
PLIANT_API pliant_code pliant_writer_check(const char *path, const pliant_model *model, uint64_t *there, pliant_error *error);

/** A callback that gets a file's path; a code other than PLIANT_OK refuses the file, with the error filled, which is never NULL. */
typedef pliant_code pliant_show_function(const char *path, void *context, pliant_error *error);

/** Shows the files that a cache there replaces or takes away: its own, there or not, and of a folder every file that is there and has a name of its
 * frames. Ends where `show` refuses one, with the code that it returned, or where the folder cannot be read. */
PLIANT_API pliant_code pliant_writer_replaces(const char *path, const pliant_model *model, pliant_show_function *show, void *context,
                                              pliant_error *error);

/** How many bytes a cache of `def->frames` frames takes: exactly for .pc2, .ply, .mdd, .pvd and .abc, about for the others. What is put together at
 * the end (.mdd, .glb, .usda) has a work file besides until then; `work` (may be NULL): how many bytes that has, 0 where there is none. */
PLIANT_API pliant_code pliant_writer_estimate(const char *path, const pliant_model *model, const pliant_write_def *def, uint64_t *bytes,
                                              uint64_t *work, pliant_error *error);

/** Adds a frame. After an error only pliant_writer_close may follow; frames before it are intact. */
PLIANT_API pliant_code pliant_writer_frame(pliant_writer *writer, const pliant_state *state, pliant_error *error);

/** Waits until what was written so far is on the disk. */
PLIANT_API pliant_code pliant_writer_sync(pliant_writer *writer, pliant_error *error);

/** The files written so far: number `index`, or NULL past the last. A work file until pliant_writer_finish, and then what it was for. */
PLIANT_API const char *pliant_writer_path(const pliant_writer *writer, uint32_t index);

/** Puts together the files of formats that cannot grow frame by frame (.mdd, .glb, .usda); of the others they are there already. No frame
 * may follow. If it fails, what was written stays as NAME.part, from which a writer goes on (`there`). pliant_writer_close does it if it was
 * not done, so this is for a caller that asks pliant_writer_path afterwards, or goes on without closing. NULL is allowed. */
PLIANT_API pliant_code pliant_writer_finish(pliant_writer *writer, pliant_error *error);

/** Frees, and puts nothing together: of formats that cannot grow frame by frame the work file is left, from which a writer goes on (`there`).
 * The others are as pliant_writer_close leaves them. PLIANT_ERROR_IO if the last bytes could not be written. NULL is allowed. */
PLIANT_API pliant_code pliant_writer_leave(pliant_writer *writer, pliant_error *error);

/** Finishes and frees. PLIANT_ERROR_IO if the last bytes could not be written. NULL is allowed. */
PLIANT_API pliant_code pliant_writer_close(pliant_writer *writer, pliant_error *error);

/** What else is written than caches. */
typedef enum pliant_output {
    PLIANT_OUTPUT_CHECKPOINT,
    PLIANT_OUTPUT_COOKED,
    PLIANT_OUTPUT_RECORDING,
    PLIANT_OUTPUT_PNG,
    PLIANT_OUTPUT_MP4,
    PLIANT_OUTPUT_GIF,
    PLIANT_OUTPUT_CURVES, /**< .csv of pliant compare */
    PLIANT_OUTPUT_CHART,  /**< .svg of pliant compare */
    PLIANT_OUTPUT_SCENE,  /**< of pliant demo */
    PLIANT_OUTPUT_MESH,   /**< of pliant mesh: .node, .ele and .obj */
    PLIANT_OUTPUT_MESH_PLY,
    PLIANT_OUTPUT_MESH_GMSH,
    PLIANT_OUTPUT_MESH_VTK,
    PLIANT_OUTPUT_MESH_SCENE,
    PLIANT_OUTPUT_PROFILE, /**< of pliant run */
    PLIANT_OUTPUT_ENERGY,  /**< .csv of pliant run --energy; its .svg is a PLIANT_OUTPUT_CHART */
    PLIANT_OUTPUT_COUNT
} pliant_output;

/** pliant_writer_check for one file of another kind. */
PLIANT_API pliant_code pliant_output_check(const char *path, pliant_output what, pliant_error *error);

/** Why a call of the system failed, by its errno, as messages have it: strerror's words, and of a file that has come to a limit of its size
 * that there is no space for it. */
PLIANT_API const char *pliant_system_message(int number);

/** How many bytes are free for a file that is going to be written, and a number of the file system that it will be on. */
PLIANT_API pliant_code pliant_output_space(const char *path, uint64_t *bytes, uint64_t *file_system, pliant_error *error);

/** A cache being read. */
typedef struct pliant_cache pliant_cache;

/** Opens what a pliant_writer wrote for this model, by the same path: FILE.csv, FILE.pc2 (also where there are several FILE.BODY.pc2), or a
 * folder, and so on, `exploded` or not; where there is a work file FILE.mdd.part, that is what is read. Only frames that are whole count, so a cache that is still being
 * written, or was cut, can be opened; frames that are written later are there when it is opened again. Frame 0 is read at once. NULL on error: not
 * there, no whole frame, or not of this model, with what was found and what was expected. The model must outlive it. */
PLIANT_API pliant_cache *pliant_cache_open(const char *path, const pliant_model *model, pliant_error *error);

/** How many frames there are, at least 1. */
PLIANT_API uint32_t pliant_cache_frames(const pliant_cache *cache);

/** The number of the first frame: pliant_write_def.first_frame. Of an .mdd, which does not say, 0. */
PLIANT_API uint32_t pliant_cache_first(const pliant_cache *cache);

/** How far apart the numbers of two frames are: pliant_write_def.every. 1 where there is but one frame, and its format does not say. */
PLIANT_API uint32_t pliant_cache_every(const pliant_cache *cache);

/** Reads frame `index` from 0, in any order. The error has file and line; the cache then holds no frame until one is read, and the
 * others are as good as before. */
PLIANT_API pliant_code pliant_cache_read(pliant_cache *cache, uint32_t index, pliant_error *error);

/** How many positions of a body a frame has: its surface_vertex_count, or, where the cache was written `exploded` and the body tears, its
 * face_index_count. 0 if there is no such body. */
PLIANT_API uint32_t pliant_cache_vertex_count(const pliant_cache *cache, pliant_body body);

/** The corners of a body's faces in the frame read last, in the order of pliant_model_faces and with its sizes: which of the frame's positions they are at.
 * They are the cache's, and change with the next frame that is read. Of a body that does not tear they are the model's; of one that was written `exploded`, corners
 * at one place are taken for one. NULL if the cache holds no frame or there is no such body. */
PLIANT_API const uint32_t *pliant_cache_faces(const pliant_cache *cache, pliant_body body);

/** Writes `pliant_cache_vertex_count` positions of the frame read last, as pliant_state_write_positions does. PLIANT_ERROR_ARGUMENT if the cache
 * holds no frame or the model has no such body. */
PLIANT_API pliant_code pliant_cache_write_positions(const pliant_cache *cache, pliant_body body, void *out, size_t stride);

/** Whether the frames have velocities: those of .csv, .ply, .usda, .pvd, .vtkhdf and .abc do. */
PLIANT_API bool pliant_cache_has_velocities(const pliant_cache *cache);

/** Whether the frames say all of a body that a state has to know. They do not for a soft body with a visual surface, except in a .csv:
 * it can be drawn, but where its tetrahedra are is not known; and not for a body that tears: which of its elements come apart is not known. */
PLIANT_API bool pliant_cache_has_vertices(const pliant_cache *cache, pliant_body body);

/** Puts the frame read last into a state of the model: positions, and velocities (zero where there are none), of every body that
 * pliant_cache_has_vertices. All else stays as it is: other bodies, pins, poses, time. PLIANT_ERROR_ARGUMENT if the cache holds no frame or
 * the state is of another model. */
PLIANT_API pliant_code pliant_cache_to_state(const pliant_cache *cache, pliant_state *state);

/** Closes and frees. NULL is allowed. */
PLIANT_API void pliant_cache_close(pliant_cache *cache);

/* ---- checkpoints ---- */

/** Sums of a run's energies since its first frame, by which it finds a frame that gains energy: docs/energy.md. All but counts in J. */
typedef struct pliant_energy_books {
    uint32_t frames;           /**< frames summed up; 0: none */
    uint32_t gained_frame;     /**< the first that gained energy; 0: none did */
    uint32_t gained_body;      /**< and the model's body that gained most in it */
    uint32_t unused;           /**< 0 */
    double   work, dissipated; /**< of all frames */
    double   lowest;           /**< of total less work, so far */
    double   turned;           /**< how much kinetic, gravity and elastic energy have changed, frame by frame, each by its size */
    double   gained;           /**< how far above `lowest` that frame was, */
    double   gained_turned;    /**< `turned` as it was then */
} pliant_energy_books;

/** What a checkpoint has besides a state. */
typedef struct pliant_checkpoint {
    size_t              size;
    uint32_t            frame;   /**< the state is of this frame, from 0 */
    uint32_t            written; /**< frames that outputs had then: frame + 1, or 0 where nothing had been written yet */
    double              fps;
    uint32_t            substeps, iterations; /**< as pliant_inputs_substeps was told; 0: the model's */
    uint32_t            subframes;            /**< states that outputs get per frame; default 1 */
    pliant_method_def   method;               /**< what it was solved with */
    pliant_energy_books energy;               /**< default: none were kept */
} pliant_checkpoint;

PLIANT_API pliant_checkpoint pliant_checkpoint_default(void);

/** Writes a checkpoint, with everything that is needed to go on from a state of a model to the bit, on another machine too. It is on the disk before
 * it takes the place of the checkpoint that was there, so one of both is always whole. */
PLIANT_API pliant_code pliant_checkpoint_write(const char *path, const pliant_state *state, const pliant_checkpoint *checkpoint,
                                               pliant_error *error);

/** Reads a checkpoint into a state of the same model. On error, which has file and offset, the state is as it was: not a checkpoint, of
 * another version, precision or model, or damaged: every part has a checksum. */
PLIANT_API pliant_code pliant_checkpoint_read(const char *path, pliant_state *state, pliant_checkpoint *checkpoint, pliant_error *error);

/* ---- recordings ---- */

/** What a user did, as it is being written: the model, the state that it began with, and of every step its inputs and the hash of the state
 * after it. Enough to do it all again, anywhere, and to see whether it is the same. */
typedef struct pliant_recorder pliant_recorder;

/** Begins a recording, before the first step. `method`: what the solver solves with; NULL: the model's. Nothing is written under the final
 * name before the first frame; after every frame the file is valid. The model must outlive it. NULL on error. */
PLIANT_API pliant_recorder *pliant_recorder_open(const char *path, const pliant_state *first, const pliant_method_def *method,
                                                 pliant_error *error);

/** Adds a step: what it was told, and the state that it led to. After an error only pliant_recorder_close may follow. */
PLIANT_API pliant_code pliant_recorder_frame(pliant_recorder *recorder, const pliant_inputs *inputs, const pliant_state *after,
                                             pliant_error *error);

/** Finishes and frees. PLIANT_ERROR_IO if the last bytes could not be written. NULL is allowed. */
PLIANT_API pliant_code pliant_recorder_close(pliant_recorder *recorder, pliant_error *error);

/** A recording being read. */
typedef struct pliant_recording pliant_recording;

/** Opens a recording: every byte is looked at. NULL on error, with file and offset: cut off, damaged, of another version or precision. */
PLIANT_API pliant_recording *pliant_recording_open(const char *path, pliant_error *error);

/** The model; it lives as long as the recording. */
PLIANT_API const pliant_model *pliant_recording_model(const pliant_recording *recording);

/** What it was solved with. */
PLIANT_API pliant_method_def pliant_recording_method(const pliant_recording *recording);

/** Steps that were recorded. */
PLIANT_API uint32_t pliant_recording_frames(const pliant_recording *recording);

/** Puts a state of the recording's model to where the recording begins. */
PLIANT_API pliant_code pliant_recording_begin(const pliant_recording *recording, pliant_state *state, pliant_error *error);

/** The inputs of step `frame` from 0, and the hash of the state that it led to. */
PLIANT_API pliant_code pliant_recording_frame(const pliant_recording *recording, uint32_t frame, pliant_inputs *inputs, uint64_t *hash,
                                              pliant_error *error);

/** Closes and frees. NULL is allowed. */
PLIANT_API void pliant_recording_close(pliant_recording *recording);

/* ---- cages ---- */

/** How to put tetrahedra around a surface. */
typedef struct pliant_cage_def {
    size_t      size;
    uint32_t    cells;  /**< along the surface's longest side; default 16 */
    pliant_real cell;   /**< m, the size of a cell instead; default 0: by `cells` */
    pliant_real margin; /**< m around the surface that the cage reaches at least; default 0 */
    bool        fit;    /**< draw outer vertices towards the surface; default true. Without it every cell is whole */
    uint64_t    memory; /**< bytes that it may take, refused beforehand otherwise; default 4 GiB */
} pliant_cage_def;

PLIANT_API pliant_cage_def pliant_cage_def_default(void);

/** What a cage is like. */
typedef struct pliant_cage_info {
    double   cell;                        /**< m */
    uint32_t cells[3];                    /**< of the lattice, along x, y, z */
    uint32_t parts;                       /**< of the cage: they share no vertex */
    uint64_t inside;                      /**< tetrahedra that the surface does not touch */
    uint64_t open_edges;                  /**< of the surface */
    uint64_t turned;                      /**< triangles of the surface that were taken the other way round, to fit their neighbours */
    double   volume;                      /**< m^3 */
    double   surface_volume;              /**< m^3, as if its holes were closed by cones; of a surface that is not closed only a hint */
    double   least_angle, greatest_angle; /**< degrees, of all dihedral angles */
} pliant_cage_info;

/** Makes tetrahedra around a surface: those cells of a body-centred lattice that it touches or that are inside. Every vertex that a face uses is
 * then in a tetrahedron, so the surface can ride on them (pliant_soft_def.visual). The surface need not be closed: inside are the points
 * around which it winds by more than a half (Jacobson, Kavan and Sorkine-Hornung 2013); where there are none, the cage is a layer around the surface. Neighbours share a
 * face, and nothing hangs by a vertex or an edge alone. `def` and `info` may be NULL. The same input gives the same bits everywhere. To be
 * freed by pliant_tets_free. */
PLIANT_API pliant_code pliant_cage_make(const pliant_mesh_view *surface, const pliant_cage_def *def, pliant_tets *tets,
                                        pliant_cage_info *info, pliant_error *error);

/** Writes tetrahedra, whole or not at all, by the path's ending: NAME.node and NAME.ele of TetGen's (either names both), Gmsh's .msh (4.1,
 * ASCII), or legacy .vtk. Numbers read back exactly. */
PLIANT_API pliant_code pliant_tets_write(const char *path, const pliant_tets *tets, pliant_error *error);

/* ---- what is wrong with a mesh ---- */

/** What may be found in a surface or in tetrahedra. */
typedef enum pliant_finding {
    PLIANT_FINDING_OPEN_EDGES,
    PLIANT_FINDING_CROWDED_EDGES,
    PLIANT_FINDING_PINCHED_VERTICES,
    PLIANT_FINDING_TURNED_FACES,
    PLIANT_FINDING_INSIDE_OUT,
    PLIANT_FINDING_DEGENERATE_FACES,
    PLIANT_FINDING_SLIVERS,
    PLIANT_FINDING_DUPLICATE_FACES,
    PLIANT_FINDING_DUPLICATE_VERTICES,
    PLIANT_FINDING_NEAR_VERTICES,
    PLIANT_FINDING_UNUSED_VERTICES,
    PLIANT_FINDING_FOLDS,
    PLIANT_FINDING_CROSSINGS,
    PLIANT_FINDING_SIZE,
    PLIANT_FINDING_FAR,
    PLIANT_FINDING_INVERTED_TETS,
    PLIANT_FINDING_FLAT_TETS,
    PLIANT_FINDING_SLIVER_TETS,
    PLIANT_FINDING_DUPLICATE_TETS,
    PLIANT_FINDING_CROWDED_FACES,
    PLIANT_FINDING_HINGES,
    PLIANT_FINDING_COUNT
} pliant_finding;

/** What a finding means. */
typedef struct pliant_finding_info {
    const char *name;   /**< "open edges" */
    const char *text;   /**< what it means, and what to do */
    const char *mended; /**< what pliant_mesh_mend does about it, NULL: nothing */
    bool        note;   /**< odd, but not wrong */
} pliant_finding_info;

/** Describes a finding; NULL past the last. */
PLIANT_API const pliant_finding_info *pliant_finding_describe(pliant_finding finding);

/** What was found. Lengths in the units of the mesh, metres to Pliant. */
typedef struct pliant_examination {
    uint64_t count[PLIANT_FINDING_COUNT];        /**< how many of each */
    uint32_t vertices[PLIANT_FINDING_COUNT][4];  /**< those of the first of each, counted from 0 */
    uint32_t vertex_count[PLIANT_FINDING_COUNT]; /**< how many of these there are: 0 to 4 */
    uint32_t parts;                              /**< of the surface, by shared places; of tetrahedra, by shared faces */
    uint32_t loops;                              /**< rims that open edges make */
    double   low[3], high[3];                    /**< m, the box around what is used */
    double   area, volume;                       /**< m^2, m^3 */
    double   least_angle, greatest_angle;        /**< degrees, of the dihedral angles of tetrahedra */
} pliant_examination;

/** Whether nothing is wrong; notes do not count. */
PLIANT_API bool pliant_examination_good(const pliant_examination *examination);

/** Says what is wrong with a surface. Vertices of exactly one place count as one, so seams of textures are no open edges. Faces may have a vertex
 * twice. An error: out of memory, or not a mesh at all. */
PLIANT_API pliant_code pliant_mesh_examine(const pliant_mesh_view *mesh, pliant_examination *out, pliant_error *error);

/** The same of tetrahedra. */
PLIANT_API pliant_code pliant_tets_examine(const pliant_tet_view *tets, pliant_examination *out, pliant_error *error);

/** Writes a surface, whole or not at all: OBJ or PLY (ASCII), by the path's ending. Triangles come first, then quads. Numbers read back exactly. */
PLIANT_API pliant_code pliant_mesh_write(const char *path, const pliant_mesh *mesh, pliant_error *error);

/** How to mend. */
typedef struct pliant_mend_def {
    size_t   size;
    double   scale;      /**< lengths are multiplied by it; default 1 */
    uint32_t hole_edges; /**< holes with up to so many edges are filled, at most 1000; default 64 */
} pliant_mend_def;

PLIANT_API pliant_mend_def pliant_mend_def_default(void);

/** What was mended, in numbers. */
typedef struct pliant_mending {
    uint64_t welded;     /**< vertices that became another one */
    uint64_t removed;    /**< faces without area */
    uint64_t duplicates; /**< faces that were there twice */
    uint64_t moved;      /**< edges that now go across between the other two corners */
    uint64_t turned;     /**< faces */
    uint64_t parts;      /**< turned right side out */
    uint64_t holes;      /**< filled, */
    uint64_t added;      /**< with so many triangles */
    uint64_t unused;     /**< vertices taken out, that no face has */
} pliant_mending;

/** Mends a surface in place, as far as that can be done without asking: vertices at one place are welded, faces without area and faces that are
 * there twice are taken out, slivers lose their long edge, faces are turned like their neighbours and outwards, small holes are filled with the least
 * area (Barequet and Sharir 1995), unused vertices go. The order of the vertices that remain is kept. What was done goes to `done`, which may
 * be NULL; pliant_mesh_examine says what is left. On error the mesh is as it was. */
PLIANT_API pliant_code pliant_mesh_mend(pliant_mesh *mesh, const pliant_mend_def *def, pliant_mending *done, pliant_error *error);

/** Signed distances to a closed surface, on a grid: what a collider of the shape PLIANT_SHAPE_FIELD is made of. */
typedef struct pliant_field {
    pliant_vec3 origin; /**< as in pliant_field_view */
    pliant_real cell;
    uint32_t    count[3];
    float      *distance;
    uint64_t    source; /**< a hash of what it was computed from (pliant_field_source); 0: it is not known */
} pliant_field;

/** Computes the distances to a closed surface with faces that are turned outwards: exact ones, at all points of a grid with cubic cells of `cell` (m)
 * that goes `margin` (m, at least a cell) beyond the surface. The same everywhere, bit for bit. It takes some microseconds per value. A surface that
 * is open, inside out, or has more than two faces at an edge is refused (pliant_mesh_mend can help). Where the surface crosses itself, inside is
 * where it winds around. To be freed. */
PLIANT_API pliant_code pliant_field_from_mesh(const pliant_mesh_view *mesh, pliant_real cell, pliant_real margin, pliant_field *field,
                                              pliant_error *error);

/** The hash that pliant_field_from_mesh leaves in its field, without computing that. */
PLIANT_API pliant_code pliant_field_source(const pliant_mesh_view *mesh, pliant_real cell, pliant_real margin, uint64_t *source,
                                           pliant_error *error);

/** Reads a field from a file (docs/colliders.md has the format). To be freed. */
PLIANT_API pliant_code pliant_field_load(const char *path, pliant_field *field, pliant_error *error);

/** Writes one, whole or not at all. */
PLIANT_API pliant_code pliant_field_write(const char *path, const pliant_field *field, pliant_error *error);

/** Frees what pliant_field_from_mesh and pliant_field_load made. */
PLIANT_API void pliant_field_free(pliant_field *field);

/** A view of a field, for defs. Of NULL an empty one. */
PLIANT_API pliant_field_view pliant_field_view_from(const pliant_field *field);

#ifdef __cplusplus
}
#endif
#endif
