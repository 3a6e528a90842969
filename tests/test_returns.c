/* Law: what a public function returns that has failed, its pliant_error says too: the code is the error's, there is a sentence, and without an error
 * the answer is the same. Every public function that takes a pliant_error is here; tools/check_returns.py sees to that. */
#include "sample_scenes.h"

#include "pliant/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define NOWHERE "not/there/" /* a folder that is not there */

static pliant_error error, *e; /* `e` is what calls get: &error, or NULL */

static void said_why(const char *call)
{
    if (error.code == PLIANT_OK || (unsigned)error.code > PLIANT_ERROR_INTERRUPTED) fail_msg("%s: no code", call);
    if (!*error.message || !memchr(error.message, 0, sizeof error.message)) fail_msg("%s: no sentence", call);
}

#define WITH_AN_ERROR (error = (pliant_error){.code = PLIANT_OK}, e = &error)
#define WITHOUT_ONE (e = NULL)

/* A call that fails with the code `expected`. */
#define FAILS(expected, call)                   \
    do {                                        \
        WITH_AN_ERROR;                          \
        assert_int_equal(call, expected);       \
        said_why(#call);                        \
        assert_int_equal(error.code, expected); \
        WITHOUT_ONE;                            \
        assert_int_equal(call, expected);       \
    } while (0)

/* A call that makes nothing, or answers no: `nothing` is NULL, an id of 0, or false. */
#define MAKES_NOTHING(expected, call)           \
    do {                                        \
        WITH_AN_ERROR;                          \
        assert_true(!(call));                   \
        said_why(#call);                        \
        assert_int_equal(error.code, expected); \
        WITHOUT_ONE;                            \
        assert_true(!(call));                   \
    } while (0)

static void scenes_say_why(void **unused)
{
    (void)unused;
    pliant_scene                    *scene = pliant_scene_create(NULL, NULL);
    const pliant_scene_def           settings = {.size = 0};
    const pliant_cloth_def           cloth = {.size = 0};
    const pliant_soft_def            soft = {.size = 0};
    const pliant_rope_def            rope = {.size = 0};
    const pliant_particles_def       particles = {.size = 0};
    const pliant_constraint_def      constraint = {.size = 0};
    const pliant_user_constraint_def user = {.size = 0};
    const pliant_collider_def        collider = {.size = 0};
    const pliant_contact_pair_def    pair = {.size = 0};
    const pliant_force_def           force = {.size = 0};
    const pliant_skin_def            skin = pliant_skin_def_default();
    const pliant_frame_def           frame = pliant_frame_def_default();
    const pliant_group_def           group = pliant_group_def_default(PLIANT_GROUP_GAS);
    const pliant_cut_def             cut = pliant_cut_def_default();
    const pliant_stitches_def        stitches = pliant_stitches_def_default();
    const pliant_material            material = pliant_material_default();
    const pliant_law                 law = pliant_law_default();
    const pliant_body                none = {7};
    const uint32_t                   vertex = 0;
    const pliant_real                mass = 1;
    const double                     time = 0;
    const pliant_vec3                x = {0, 0, 0};
    pliant_method_def                method = pliant_method_def_default();
    uint32_t                         number;
    size_t                           count;
    assert_non_null(scene);
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_scene_create(&settings, e));
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_scene_add_cloth(scene, &cloth, e).id);
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_scene_add_soft(scene, &soft, e).id);
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_scene_add_rope(scene, &rope, e).id);
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_scene_add_particles(scene, &particles, e).id);
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_scene_add_constraint(scene, &constraint, e).id);
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_scene_add_user_constraint(scene, &user, e).id);
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_scene_add_stitches(scene, &stitches, e).id);
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_scene_add_collider(scene, &collider, e).id);
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_scene_add_capsule(scene, -1, 1, pliant_pose_identity(), e).id);
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_scene_add_sphere(scene, -1, pliant_pose_identity(), e).id);
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_scene_add_floor(NULL, 0, e).id);
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_scene_add_force(scene, &force, e).id);
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_scene_contact_pair(scene, &pair, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_scene_set_material(scene, none, &material, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_scene_set_masses(scene, none, &vertex, &mass, 1, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_scene_set_strengths(scene, none, &vertex, &mass, 1, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_scene_pin(scene, none, &vertex, 1, true, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_scene_attach(scene, none, &vertex, 1, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_scene_attach_soft(scene, none, &vertex, 1, &law, &x, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_scene_key_targets(scene, none, 0, 1, &time, 1, &x, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_scene_skin(scene, none, &skin, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_scene_key_skin(scene, none, &time, 1, &x, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_scene_frame(scene, none, &frame, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_scene_group(scene, none, &group, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_scene_cut(scene, &cut, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_mesh_weld(NULL, 0, &number, &count, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_method_set(&method, "none", 1, e));
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_scene_compile(NULL, e));
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_scene_recompile(scene, NULL, NULL, e));
    pliant_scene_destroy(scene);
}

static void models_states_and_solvers_say_why(void **unused)
{
    (void)unused;
    pliant_model                *model = sample_model(sample_named("curtain"));
    pliant_state                *state = pliant_state_create(model, NULL);
    pliant_inputs               *inputs = pliant_inputs_create(model, NULL);
    pliant_solver               *solver = pliant_solver_create(model, NULL, NULL);
    const pliant_contact_log_def log = {.size = 0};
    assert_true(state && inputs && solver);
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_model_map(NULL, 0, NULL, e));
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_state_create(NULL, e));
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_inputs_create(NULL, e));
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_solver_create(NULL, NULL, e));
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_query_create(NULL, e));
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_contact_log_create(model, &log, e));
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_method_takes(NULL, NULL, e));
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_solver_takes(solver, inputs, e)); /* they were never reset */
    assert_false(pliant_method_wants_linear(model, NULL, NULL));                  /* of this question a yes has the reason */
    FAILS(PLIANT_ERROR_INPUT, pliant_inputs_load(inputs, "", 0, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_inputs_load(NULL, "", 0, e));
    FAILS(PLIANT_ERROR_INPUT, pliant_state_load(state, "", 0, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_state_load(NULL, "", 0, e));
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
}

static void meshes_say_why(void **unused)
{
    (void)unused;
    static const uint32_t  corners[3] = {0, 1, 2};
    static pliant_real     x[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const pliant_mesh_view face = pliant_mesh_view_of(x, sizeof *x, 3, corners, 1), none = pliant_mesh_view_of(x, sizeof *x, 3, corners, 0);
    pliant_mesh            mesh = {.positions = NULL};
    pliant_tets            tets = {.positions = NULL};
    pliant_field           field = {.distance = NULL};
    pliant_examination     examination;
    pliant_real            far[3] = {(pliant_real)1e30, 0, 0};
    uint64_t               source;
    FAILS(PLIANT_ERROR_INPUT, pliant_mesh_load(NOWHERE "a.obj", &mesh, e));
    FAILS(PLIANT_ERROR_INPUT, pliant_mesh_import(NOWHERE "a.obj", NULL, &mesh, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_positions_convert(&x[0][0], 3, -1, 0, e));
    FAILS(PLIANT_ERROR_INPUT, pliant_positions_convert(far, 1, 1e30, 0, e));
    FAILS(PLIANT_ERROR_INPUT, pliant_tets_load(NOWHERE "a.msh", &tets, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_mesh_write(NOWHERE "a.obj", &mesh, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_tets_write(NOWHERE "a.msh", &tets, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_cage_make(NULL, NULL, &tets, NULL, e));
    FAILS(PLIANT_ERROR_INPUT, pliant_cage_make(&none, NULL, &tets, NULL, e));
    FAILS(PLIANT_ERROR_INPUT, pliant_mesh_examine(&none, &examination, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_tets_examine(NULL, &examination, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_mesh_mend(NULL, NULL, NULL, e));
    FAILS(PLIANT_ERROR_INPUT, pliant_mesh_mend(&mesh, NULL, NULL, e));
    FAILS(PLIANT_ERROR_INPUT, pliant_field_from_mesh(&face, (pliant_real)0.5, (pliant_real)0.5, &field, e)); /* it is open */
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_field_source(&face, -1, 1, &source, e));
    FAILS(PLIANT_ERROR_INPUT, pliant_field_load(NOWHERE "a.field", &field, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_field_write(NOWHERE "a.field", &field, e));
}

static void files_say_why(void **unused)
{
    (void)unused;
    pliant_model     *model = sample_model(sample_named("curtain"));
    pliant_state     *state = pliant_state_create(model, NULL);
    pliant_scene_file scene;
    pliant_model_file file;
    pliant_method_def method = pliant_method_def_default();
    pliant_checkpoint checkpoint = pliant_checkpoint_default();
    pliant_eval_input input;
    uint64_t          hash;
    assert_non_null(state);
    FAILS(PLIANT_ERROR_INPUT, pliant_scene_read(NOWHERE "a.json", NULL, &scene, e));
    FAILS(PLIANT_ERROR_INPUT, pliant_scene_read_text("{", 1, "a", NULL, NULL, &scene, e));
    FAILS(PLIANT_ERROR_INPUT, pliant_model_read(NOWHERE "a.json", NULL, &file, e));
    FAILS(PLIANT_ERROR_INPUT, pliant_model_read(NOWHERE "a.pliant", NULL, &file, e));
    FAILS(PLIANT_ERROR_INPUT, pliant_model_read_text("{", 1, "a", NULL, NULL, &file, e));
    FAILS(PLIANT_ERROR_IO, pliant_cooked_write(NOWHERE "a.pliant", model, 1, 60, e));
    FAILS(PLIANT_ERROR_INPUT, pliant_method_read("none", &method, e));
    FAILS(PLIANT_ERROR_INPUT, pliant_eval_read_text(PLIANT_CONSTRAINT_DISTANCE, "{", 1, "a", &input, e));
    FAILS(PLIANT_ERROR_IO, pliant_checkpoint_write(NOWHERE "a.check", state, &checkpoint, e));
    FAILS(PLIANT_ERROR_INPUT, pliant_checkpoint_read(NOWHERE "a.check", state, &checkpoint, e));
    MAKES_NOTHING(PLIANT_ERROR_INPUT, pliant_recording_open(NOWHERE "a.rec", e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_recording_begin(NULL, state, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_recording_frame(NULL, 0, NULL, &hash, e));
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_recorder_open(NULL, state, NULL, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_recorder_frame(NULL, NULL, state, e));
    assert_int_equal(pliant_recorder_close(NULL, NULL), PLIANT_OK);
    pliant_state_destroy(state);
    pliant_model_destroy(model);
}

static pliant_code interrupt(const char *path, void *context, pliant_error *why)
{
    (void)path, (void)context, (void)why;
    return PLIANT_ERROR_INTERRUPTED;
}

static void caches_say_why(void **unused)
{
    (void)unused;
    pliant_model    *model = sample_model(sample_named("curtain"));
    pliant_state    *state = pliant_state_create(model, NULL);
    pliant_write_def def = pliant_write_def_default();
    pliant_writer   *writer = pliant_writer_open(NOWHERE "a.csv", model, &def, NULL);
    uint64_t         bytes, system;
    assert_true(state && writer);
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_writer_frame(writer, NULL, e));
    FAILS(PLIANT_ERROR_IO, pliant_writer_frame(writer, state, e));
    FAILS(PLIANT_ERROR_IO, pliant_writer_finish(writer, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_writer_sync(NULL, e));
    assert_int_equal(pliant_writer_close(writer, NULL), PLIANT_OK); /* that it has failed was said */
    assert_int_equal(pliant_writer_leave(NULL, NULL), PLIANT_OK);
    MAKES_NOTHING(PLIANT_ERROR_ARGUMENT, pliant_writer_open("", model, &def, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_writer_check(NULL, model, NULL, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_writer_replaces(NOWHERE "a.csv", model, NULL, NULL, e));
    WITH_AN_ERROR;
    assert_int_equal(pliant_writer_replaces(NOWHERE "a.csv", model, interrupt, NULL, e),
                     PLIANT_ERROR_INTERRUPTED); /* the callback's code */
    assert_int_equal(error.code, PLIANT_ERROR_INTERRUPTED);
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_writer_estimate(NULL, model, &def, &bytes, NULL, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_output_check("a", PLIANT_OUTPUT_COUNT, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_output_space(NULL, &bytes, &system, e));
    MAKES_NOTHING(PLIANT_ERROR_INPUT, pliant_cache_open(NOWHERE "a.csv", model, e));
    FAILS(PLIANT_ERROR_ARGUMENT, pliant_cache_read(NULL, 0, e));
    pliant_state_destroy(state);
    pliant_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_say_why), cmocka_unit_test(models_states_and_solvers_say_why),
        cmocka_unit_test(meshes_say_why), cmocka_unit_test(files_say_why),
        cmocka_unit_test(caches_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
