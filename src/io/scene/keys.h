/* Tables of keys that an object of a scene file may have. The reader fills structs by them, and the JSON Schema in docs/ is made from the
 * same rows, so the two cannot disagree.
 *
 * A row says where in the caller's struct its value goes (`offset`), or how to read it (`read`), or that it is looked at by other code
 * (type NODE keeps the node, type LATER keeps nothing). */
#ifndef PLIANT_IO_SCENE_KEYS_H
#define PLIANT_IO_SCENE_KEYS_H

#include "io/files/node.h"
#include "pliant/io.h"

typedef struct pliant__key    pliant__key;
typedef struct pliant__object pliant__object;
typedef struct pliant__reader pliant__reader;

typedef enum pliant__key_type {
    PLIANT__KEY_REAL,   /* pliant_real in [low, high] */
    PLIANT__KEY_DOUBLE, /* double in [low, high] */
    PLIANT__KEY_COUNT,  /* uint32_t in [low, high] */
    PLIANT__KEY_BOOL,   /* bool */
    PLIANT__KEY_TEXT,   /* const char *, not empty */
    PLIANT__KEY_NAME,   /* char[64], not empty */
    PLIANT__KEY_VEC3,   /* pliant_vec3 */
    PLIANT__KEY_WORD,   /* uint32_t: number of the word in `words` */
    PLIANT__KEY_CUSTOM, /* `read` fills it */
    PLIANT__KEY_NODE,   /* const pliant__node * */
    PLIANT__KEY_LIST,   /* const pliant__node *, a list of `object` */
    PLIANT__KEY_LATER   /* nothing */
} pliant__key_type;

struct pliant__key {
    const char           *name;
    pliant__key_type      type;
    double                low, high;
    size_t                offset;
    const char           *text;   /* for the schema and for people */
    const char *const    *words;  /* WORD: ends with NULL */
    const pliant__object *object; /* LIST: table of its elements */
    const char           *schema; /* CUSTOM, NODE, LATER: JSON Schema */
    bool (*read)(pliant__reader *reader, const pliant__node *node, const pliant__key *key, void *field);
    bool required;
    bool above, below; /* `low`, `high` themselves are not allowed */
};

struct pliant__object {
    const char           *name; /* of its definition in the schema */
    const char           *text;
    const pliant__key    *keys;
    size_t                count;
    const pliant__object *base; /* its keys count too, unless `keys` has one of the same name */
    size_t                base_offset;
};

#define PLIANT__KEYS(array) (array), sizeof(array) / sizeof *(array)

/* The state of reading a scene. */
struct pliant__reader {
    pliant__tree           tree;
    const char            *folder; /* meshes are looked for here; "" for the working folder */
    const pliant_read_def *def;
    pliant_error          *error;
    pliant_scene          *scene;
    const pliant__node    *root;
    const pliant__node    *body_nodes; /* list of bodies; body i of the scene is its element i */
    pliant_body           *bodies;
    const char           **body_names;
    uint32_t              *body_sizes; /* vertices */
    struct pliant__marks  *body_marks;
    uint32_t              *body_kinds;                       /* bits of acts.c */
    uint32_t               body_count;                       /* read so far */
    double                 fps;                              /* of the scene */
    uint32_t               frames;                           /* of the scene */
    double                 ratio_of_stretch, ratio_of_shear; /* of the body that is being read: damping ratios; below 0: not said */
    double                 ratio;                            /* likewise, of its material */
    struct pliant__guess  *guesses;                          /* about caches, the last one first: baked_axes.c */
    /* Which other objects have a key, in a sentence: pliant__known_elsewhere. NULL: that is not said. */
    bool (*elsewhere)(const char *key, char *out, size_t size);
};

/* Fills `out` from a map by the rows of `object`. Fields without a key in the file stay as they are in `out`. */
bool pliant__read_object(pliant__reader *r, const pliant__node *node, const pliant__object *object, void *out);

/* Parts of it, for values that are not alone: each checks and converts one node. */
bool pliant__read_number(pliant__reader *r, const pliant__node *node, double low, double high, bool above, double *out);
bool pliant__read_real(pliant__reader *r, const pliant__node *node, double low, double high, bool above, pliant_real *out);
bool pliant__read_count(pliant__reader *r, const pliant__node *node, double low, double high, uint32_t *out);
bool pliant__read_bool(pliant__reader *r, const pliant__node *node, bool *out);
bool pliant__read_text(pliant__reader *r, const pliant__node *node, const char **out);
bool pliant__read_vec3(pliant__reader *r, const pliant__node *node, pliant_vec3 *out);
bool pliant__read_rotation(pliant__reader *r, const pliant__node *node, pliant_quat *out);
bool pliant__read_word(pliant__reader *r, const pliant__node *node, const char *const *words, uint32_t *out);
bool pliant__read_list(pliant__reader *r, const pliant__node *node, size_t least, const char *of_what);

/* The row with this name, or NULL. Tells the offset of its struct inside the outer one. */
const pliant__key *pliant__key_find(const pliant__object *object, const char *name, size_t *offset);

/* The objects that scene files are made of, one after another; NULL behind the last. */
const pliant__object *pliant__schema_object(size_t index);

/* The name of an object in a sentence: "a wind", "the solver". May write it to `out`. */
const char *pliant__object_noun(const pliant__object *object, char *out, size_t size);

/* Which objects have a key, in a sentence: "a wind has it"; false: none has. */
bool pliant__known_elsewhere(const char *key, char *out, size_t size);

/* Complains that a node is of the wrong kind. */
bool pliant__expected(pliant__reader *r, const pliant__node *node, const char *what);

/* Complains about a node in the words of an error that a call returned. */
bool pliant__blame(pliant__reader *r, const pliant__node *node, const pliant_error *inner);

/* Complains about a node: file, line, place, and the message. */
PLIANT_PRINTF(3, 4)
bool pliant__complain(pliant__reader *r, const pliant__node *node, const char *format, ...);

/* Gives the caller's notice function, if there is one, a message on a node that is odd but not wrong: file, line, place, and the message. */
PLIANT_PRINTF(3, 4)
void pliant__notice(pliant__reader *r, const pliant__node *node, const char *format, ...);

/* Arena memory for `count` things; complains if there is none. */
void *pliant__read_memory(pliant__reader *r, size_t count, size_t size);

/* ---- the parts of a scene, each with its tables ---- */

extern const pliant__object pliant__file_object, pliant__solver_object, pliant__law_object, pliant__friction_object,
    pliant__material_object;
extern const pliant__object pliant__body_object, pliant__cloth_object, pliant__soft_object, pliant__rope_object, pliant__particles_object;
extern const pliant__object pliant__particle_object, pliant__bend_object;
extern const pliant__object pliant__selection_object, pliant__color_object, pliant__value_object, pliant__pin_object, pliant__tear_object,
    pliant__weak_object, pliant__target_key_object, pliant__attachment_object, pliant__skin_object, pliant__backstop_object,
    pliant__frame_object;
extern const pliant__object pliant__constraint_object, pliant__between_object, pliant__of_body_object;
extern const pliant__object pliant__plane_object, pliant__sphere_object, pliant__capsule_object, pliant__box_object, pliant__hull_object,
    pliant__mesh_object, pliant__height_field_object, pliant__distance_field_object, pliant__pose_key_object;
extern const pliant__object pliant__contact_pair_object, pliant__stitches_object, pliant__cut_object, pliant__cut_key_object;
extern const pliant__object pliant__look_object, pliant__camera_object;
extern const pliant__object pliant__baked_targets_object, pliant__baked_pose_object;
extern const pliant__object pliant__acceleration_object, pliant__body_force_object, pliant__wind_object, pliant__force_key_object,
    pliant__wind_key_object, pliant__ball_object;

/* Two corners of a box, the lower one first: selection.c. */
bool              pliant__read_corners(pliant__reader *r, const pliant__node *corners, pliant_vec3 *low, pliant_vec3 *high);
extern const char pliant__law_schema[], pliant__friction_schema[], pliant__rotation_schema[];

/* A law while it is read: filled by pliant__law_object, or by a table based on it, between start and finish. */
typedef struct pliant__law_spec {
    pliant_law          law;
    uint32_t            limit;
    const pliant__node *range;
    double              damping_time, damping_ratio;
    bool                takes_ratio; /* its rows are lengths, of which the ratio is known once their masses are; else a ratio is refused */
} pliant__law_spec;

void pliant__law_start(pliant__law_spec *spec, const pliant_law *law);
bool pliant__law_finish(pliant__reader *r, const pliant__node *node, pliant__law_spec *spec, pliant_law *out);

/* Gives the rows of a body with a role ("stretch") a damping ratio: damping.c. `node`: for complaints. Nothing where it is below 0. */
bool pliant__damp_by_ratio(pliant__reader *r, const pliant__node *node, pliant_body body, const char *role, double ratio);

/* Damps all of a body that has a compliance and no damping of its own by its material's ratio, and complains where a time or a ratio of the material is
 * of nothing. */
bool pliant__damp_body(pliant__reader *r, const pliant__node *node, pliant_body body);

/* The damping of a row of lengths with this ratio, N s/m, between particles that lists have; complains where the law is rigid. */
bool pliant__damping_of(pliant__reader *r, const pliant__node *node, const uint32_t *particles, uint32_t count, double ratio,
                        pliant_law *law);

/* Whether a law has a stiffness of its own, in place of the material's measured one. */
bool pliant__says_stiffness(const pliant__node *law);

/* A pliant_law, merged over the field's value. */
bool pliant__read_law(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field);

/* Friction: one number or {"static", "dynamic"}, into two pliant_real. */
bool pliant__read_friction(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field);
bool pliant__read_rotation_key(pliant__reader *r, const pliant__node *node, const pliant__key *key, void *field);

/* Before the keys of a material are read from an object, a material or a body, over what `m` has: refuses a stiffness that is said twice in it, and
 * takes the stiffness from laws in the place of which another one is said, so that the order of keys makes no difference. */
bool pliant__begin_material(pliant__reader *r, const pliant__node *node, pliant_material *m);

/* Keys of a material and the bodies that they act on: acts.c. Whether a key has a row there; whether all keys that the body read last says, itself or in a
 * material of its own, act on a body of this type ("type" as a number) that bends or not; notices about keys of the file's materials that act on no
 * body that has the material. */
bool pliant__acts_somewhere(const char *key);
bool pliant__check_acting(pliant__reader *r, const pliant__node *body, uint32_t type, bool bends);
void pliant__notice_idle(pliant__reader *r);

/* The material that a body's "material" means: a name, or an object. */
bool pliant__read_material(pliant__reader *r, const pliant__node *node, pliant_material *out);

/* Vertices of a body, as a selection says them: selection.c. */
typedef struct pliant__chosen {
    uint32_t *ids;
    size_t    count;
} pliant__chosen;

/* Whether an object has a way to choose. The vertices that it chooses, by exactly one way, and never none; `vertices` in the order of the list,
 * all else ascending. Every vertex. One vertex, by its number below `count`. */
bool pliant__says_choice(const pliant__node *node);
bool pliant__choose(pliant__reader *r, const pliant__node *node, pliant_body body, pliant__chosen *out);
bool pliant__choose_all(pliant__reader *r, pliant_body body, pliant__chosen *out);
bool pliant__read_vertex(pliant__reader *r, const pliant__node *node, uint32_t count, uint32_t *vertex);

/* One vertex, by its number or by a selection of nothing else. */
bool pliant__read_one(pliant__reader *r, const pliant__node *node, pliant_body body, uint32_t *vertex);

/* Whether a list is of selections with a value each; puts the values into an array of the body's vertices, later ones over earlier ones. */
bool pliant__are_values(const pliant__node *list);
bool pliant__read_values(pliant__reader *r, const pliant__node *list, pliant_body body, bool above, pliant_real *of_vertex);

/* Marks of a body's mesh, colours and groups of its vertices, copied to the reader's memory; none where there is no mesh. */
typedef struct pliant__marks {
    float             *colors; /* 4 per vertex, or NULL */
    pliant_mesh_group *groups;
    size_t             group_count;
} pliant__marks;
bool pliant__keep_marks(pliant__reader *r, const pliant_mesh *mesh, pliant__marks *out);

/* A ball in space: its middle and its radius, above 0: selection.c. */
bool pliant__read_ball(pliant__reader *r, const pliant__node *node, pliant_vec3 *center, pliant_real *radius);

/* All of a scene file. */
bool pliant__read_file(pliant__reader *r, pliant_scene_file *file);

bool pliant__read_body(pliant__reader *r, const pliant__node *node);
bool pliant__read_pins(pliant__reader *r, const pliant__node *list, pliant_body body, uint32_t vertex_count);

/* A body's "tear": where it tears, and, when the body is there, which of its vertices are weaker than others. */
bool pliant__read_tear(pliant__reader *r, const pliant__node *node, pliant_tear *out);
bool pliant__read_weak(pliant__reader *r, const pliant__node *tear, pliant_body body);
bool pliant__read_frame(pliant__reader *r, const pliant__node *node, pliant_body body);
/* What a body's closed surface is filled with. The keys of a kind of group: its numbers, and "keys". Returns how many. */
#define PLIANT__GROUP_KEYS (1 + PLIANT_GROUP_NUMBERS)
size_t pliant__group_keys(const pliant_group_info *info, pliant__key keys[PLIANT__GROUP_KEYS]);
bool   pliant__read_pressure(pliant__reader *r, const pliant__node *node, pliant_body body);

/* Clusters of a body that has so many vertices. `material`: of a soft body, which says Young's modulus and Poisson's ratio where "shape" does not; else NULL.
 * `alone`: the body, where it is a soft one that nothing else holds; else NULL. */
bool pliant__read_shape(pliant__reader *r, const pliant__node *node, pliant_body body, uint32_t vertices, const pliant_material *material,
                        const pliant__node *alone);

/* Of "shape", beside the kind. */
extern const pliant__object pliant__shape_object, pliant__mouth_object, pliant__pressure_object;

bool pliant__read_skin(pliant__reader *r, const pliant__node *node, pliant_body body, uint32_t vertex_count);
bool pliant__read_attachments(pliant__reader *r, const pliant__node *list, pliant_body body, uint32_t vertex_count);

/* Constraints of one body (`body` a body: "ids" are its vertices), of all (its id 0: "ids" count the vertices of all bodies through), or
 * between bodies (`body` NULL: "particles"). */
bool pliant__read_constraints(pliant__reader *r, const pliant__node *list, const pliant_body *body, uint32_t vertex_count);
/* Targets [first, first + count) of a body, or all of its skin: the vertices `ids` of its `vertex_count`, and where they begin. */
typedef struct pliant__followers {
    pliant_body        body;
    uint32_t           first, count, vertex_count;
    const uint32_t    *ids;
    const pliant_vec3 *start;
    bool               skin;
} pliant__followers;

bool pliant__read_target_keys(pliant__reader *r, const pliant__node *list, const pliant__followers *followers);

/* Gives them keys; complains about `node`. */
bool pliant__key_followers(pliant__reader *r, const pliant__node *node, const pliant__followers *followers, const double *times,
                           size_t key_count, const pliant_vec3 *positions);

/* Keys from a baked mesh: of targets; and of a collider, which is at def->pose at time 0, with def->mesh if it has one. */
bool pliant__read_baked_targets(pliant__reader *r, const pliant__node *node, const pliant__followers *followers);
bool pliant__read_baked_poses(pliant__reader *r, const pliant__node *node, pliant_collider_def *def);

/* Either keys one by one or those. */
bool pliant__read_pose_keys(pliant__reader *r, const pliant__node *keys, pliant_collider_def *def);

/* The path of a file that a scene names, in memory of the reader; NULL, after complaining, if it may not be read: it lies outside, or is no
 * file. */
char *pliant__read_path(pliant__reader *r, const pliant__node *node, const char *name);

/* Likewise for a path that is known; messages have `name`. */
bool pliant__may_read(pliant__reader *r, const pliant__node *node, const char *name, const char *path);

/* The keys of a kind of constraint: those of `object` and its parameters. Returns how many. */
#define PLIANT__CONSTRAINT_KEYS (8 + PLIANT_MAX_PARAMETERS + PLIANT_MAX_NUMBERS)
size_t pliant__constraint_keys(const pliant_constraint_info *info, const pliant__object *object, pliant__key keys[PLIANT__CONSTRAINT_KEYS]);

/* A body by its name, or by its number from 0. */
bool pliant__read_body_name(pliant__reader *r, const pliant__node *node, uint32_t *index);

bool pliant__read_collider(pliant__reader *r, const pliant__node *node);
bool pliant__read_force(pliant__reader *r, const pliant__node *node);
bool pliant__read_camera(pliant__reader *r, const pliant__node *node, pliant_camera *out);
bool pliant__read_stitches(pliant__reader *r, const pliant__node *node);
bool pliant__read_cut(pliant__reader *r, const pliant__node *node);
bool pliant__read_contact_pair(pliant__reader *r, const pliant__node *node);

/* Where vertex v of a body is in the draft; whether that is for ever; whether any vertex that tethers could reach is pinned; how many targets
 * the body has; what it is called, be it by default. */
const char *pliant__body_name(const pliant_scene *scene, pliant_body body);
pliant_vec3 pliant__vertex_position(const pliant_scene *scene, pliant_body body, uint32_t v);
bool        pliant__is_pinned_for_ever(const pliant_scene *scene, pliant_body body, uint32_t v);
bool        pliant__has_pins(const pliant_scene *scene, pliant_body body);
/* Where target `number` of a skin with keys is at time 0, and how far its vertex may be from there. */
pliant_vec3 pliant__skin_start(const pliant_scene *scene, pliant_body body, uint32_t number, pliant_real *most);
uint32_t    pliant__target_count(const pliant_scene *scene, pliant_body body);

#endif
