/* Laws of what a scene's material says: it acts, in whatever order it is said, or it is refused in one line that names the key and what to do. */
#include "io/scene/keys.h"
#include "pliant/io.h"
#include "scene/draft.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SOFT "\"type\": \"soft\", \"cells\": [1, 1, 1]"
#define CLOTH "\"type\": \"cloth\", \"cells\": [2, 2]"
#define ROPE "\"type\": \"rope\", \"from\": [0, 0, 0], \"to\": [1, 0, 0], \"segments\": 2"

static char all_notices[4096];

static void keep_notice(const char *message, void *context)
{
    (void)context;
    snprintf(all_notices + strlen(all_notices), sizeof all_notices - strlen(all_notices), "%s\n", message);
}

/* A scene of these materials and bodies; NULL where it is refused. */
static pliant_scene *read_scene(const char *materials, const char *bodies, pliant_error *error)
{
    char              text[2000];
    pliant_scene_file file;
    pliant_read_def   def = pliant_read_def_default();
    def.notice = keep_notice;
    all_notices[0] = 0;
    snprintf(text, sizeof text, "{\"pliant\": 1, \"materials\": {%s}, \"bodies\": [\n%s]}", materials, bodies);
    *error = (pliant_error){PLIANT_OK, 0, "", ""};
    return pliant_scene_read_text(text, strlen(text), "test", NULL, &def, &file, error) == PLIANT_OK ? file.scene : NULL;
}

static pliant_scene *read_body(const char *body)
{
    char         text[1000];
    pliant_error error;
    snprintf(text, sizeof text, "{%s}", body);
    pliant_scene *scene = read_scene("", text, &error);
    if (!scene) fail_msg("%s: line %d: %s", body, error.line, error.message);
    return scene;
}

typedef struct refusal {
    const char *body, *message;
} refusal;

static void check_refusals(const refusal *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char         text[1000];
        pliant_error error;
        snprintf(text, sizeof text, "{%s}", rows[i].body);
        pliant_scene *scene = read_scene("", text, &error);
        if (scene) fail_msg("%s is not refused", rows[i].body);
        assert_int_equal(error.code, PLIANT_ERROR_INPUT);
        assert_int_equal(error.line, 2);
        if (!strstr(error.message, rows[i].message)) fail_msg("%s: \"%s\" is not \"%s\"", rows[i].body, error.message, rows[i].message);
    }
}

/* The first law with a role. */
static const pliant__draft_law *law_of(const pliant_scene *scene, const char *role)
{
    for (size_t i = 0; i < scene->laws.count; i++)
        if (!strcmp(scene->laws.data[i].role, role)) return &scene->laws.data[i];
    fail_msg("no law is of %s", role);
    return NULL;
}

#define near(a, b) assert_true(fabs((double)(a) - (double)(b)) <= 1e-6 * fabs((double)(b)))

/* A law that says other things than how stiff it is goes with a stiffness by measure, whichever of them is said first, and in a material or over one. */
static void a_law_without_a_stiffness_goes_with_a_measured_one(void **state)
{
    (void)state;
    static const struct {
        const char *bodies[4], *role;
        double      compliance, yield; /* 0: above 0, the same in all */
        double      damping;
    } cases[] = {
        {{SOFT ", \"material\": {\"young\": 1e5, \"poisson\": 0.4, \"stretch\": {\"yield\": 0.1}}",
          SOFT ", \"material\": {\"stretch\": {\"yield\": 0.1}, \"poisson\": 0.4, \"young\": 1e5}",
          SOFT ", \"material\": {\"stretch\": {\"yield\": 0.1}}, \"poisson\": 0.4, \"young\": 1e5",
          SOFT ", \"material\": {\"poisson\": 0.4, \"young\": 1e5}, \"stretch\": {\"yield\": 0.1}"},
         "stretch",
         0,
         0.1,
         0},
        {{SOFT ", \"material\": {\"young\": 1e5, \"volume\": {\"damping\": 2}}", SOFT ", \"volume\": {\"damping\": 2}, \"young\": 1e5",
          SOFT ", \"material\": {\"volume\": {\"damping\": 2}}, \"young\": 1e5",
          SOFT ", \"material\": {\"preset\": \"legacy_jelly\", \"volume\": {\"damping\": 2}}, \"young\": 1e5"},
         "volume",
         0,
         0,
         2},
        {{CLOTH ", \"material\": {\"stretch_warp\": 1000, \"stretch\": {\"yield\": 0.1, \"damping\": 3}}",
          CLOTH ", \"material\": {\"stretch\": {\"yield\": 0.1, \"damping\": 3}, \"stretch_warp\": 1000}",
          CLOTH ", \"stretch\": {\"yield\": 0.1, \"damping\": 3}, \"stretch_warp\": 1000",
          CLOTH ", \"material\": {\"preset\": \"legacy_silk\", \"stretch\": {\"yield\": 0.1, \"damping\": 3}}, \"stretch_warp\": 1000"},
         "stretch",
         0,
         0.1,
         3},
        {{CLOTH ", \"material\": {\"shear_stiffness\": 20, \"shear\": {\"yield\": 0.1}}",
          CLOTH ", \"material\": {\"shear\": {\"yield\": 0.1}, \"shear_stiffness\": 20}",
          CLOTH ", \"shear\": {\"yield\": 0.1}, \"shear_stiffness\": 20",
          CLOTH ", \"material\": {\"shear\": {\"yield\": 0.1}}, \"shear_stiffness\": 20"},
         "shear",
         1.0 / 20,
         0.1,
         0},
        {{CLOTH ", \"material\": {\"bending_rigidity\": 1e-4, \"bend\": {\"yield\": 0.1}}",
          CLOTH ", \"material\": {\"bend\": {\"yield\": 0.1}, \"bending_rigidity\": 1e-4}",
          CLOTH ", \"bend\": {\"yield\": 0.1}, \"bending_rigidity\": 1e-4",
          CLOTH ", \"material\": {\"bending_rigidity\": 1e-4}, \"bend\": {\"yield\": 0.1, \"model\": \"angle\"}"},
         "bend",
         0,
         0.1,
         0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double compliance = cases[i].compliance;
        for (size_t k = 0; k < 4; k++) {
            pliant_scene     *scene = read_body(cases[i].bodies[k]);
            const pliant_law *law = &law_of(scene, cases[i].role)->law;
            compliance = compliance > 0 ? compliance : (double)law->compliance;
            assert_true(compliance > 0);
            near(law->compliance, compliance);
            near(law->yield, cases[i].yield);
            near(law->damping, cases[i].damping);
            pliant_scene_destroy(scene);
        }
    }
}

/* stretch_stiffness is stretch_warp and stretch_weft in one. */
static void both_threads_are_said_in_one_key(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        double      warp, weft;
    } cases[] = {
        {CLOTH ", \"stretch_stiffness\": [3000, 2000]", 3000, 2000},
        {CLOTH ", \"material\": {\"preset\": \"denim\", \"stretch_stiffness\": [3000, 2000]}", 3000, 2000},
        {CLOTH ", \"material\": \"denim\", \"stretch_stiffness\": 3000", 3000, 0},
        {CLOTH ", \"material\": {\"preset\": \"legacy_denim\", \"stretch_stiffness\": [3000, 2000]}", 3000, 2000},
        {CLOTH ", \"material\": {\"stretch_stiffness\": [1, 2], \"shear_stiffness\": 1}, \"stretch_weft\": 5, \"model\": \"strain\"", 1, 5},
    };
    static const refusal rows[] = {
        {CLOTH ", \"stretch_stiffness\": [3000, 2000], \"stretch_warp\": 3",
         "stretch_warp: stretch_stiffness says how stiff warp and weft are"},
        {CLOTH ", \"stretch_weft\": 3, \"stretch_stiffness\": 3",
         "stretch_weft: stretch_stiffness says how stiff warp and weft are already"},
        {CLOTH ", \"stretch_stiffness\": 3, \"stretch\": {\"compliance\": 1}", "stretch: stretch_stiffness says how stiff it is already"},
        {CLOTH ", \"stretch_stiffness\": [3]", "stretch_stiffness: must be a number, or a list of two: of warp and of weft"},
        {CLOTH ", \"stretch_stiffness\": [3, 0]", "stretch_stiffness[1]"},
        {SOFT ", \"stretch_stiffness\": [3, 3]", "stretch_stiffness: is of cloth, and has no effect on a soft body"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pliant_scene         *scene = read_body(cases[i].body);
        const pliant_material m = scene->bodies.data[0].material;
        near(m.stretch_warp, cases[i].warp);
        near(m.stretch_weft, cases[i].weft);
        assert_true(law_of(scene, scene->bodies.data[0].cloth_model ? "sheet" : "stretch")->law.compliance > 0);
        pliant_scene_destroy(scene);
    }
    check_refusals(rows, sizeof rows / sizeof *rows);
}

static void a_stiffness_that_is_said_twice_is_refused(void **state)
{
    (void)state;
    static const refusal rows[] = {
        {SOFT ", \"material\": {\"young\": 1e5, \"stretch\": {\"compliance\": 1e-3}}",
         "material.stretch: young says how stiff edges and volumes"},
        {SOFT ", \"volume\": {\"stiffness\": 0.5}, \"young\": 1e5", "bodies[0].volume: young says how stiff edges and volumes"},
        {SOFT ", \"young\": 1e5, \"stretch\": {\"limit\": \"at_most\"}",
         "bodies[0].stretch: a law with a limit is as stiff as its compliance"},
        {CLOTH ", \"stretch_warp\": 1e3, \"stretch\": {\"compliance\": 0}", "bodies[0].stretch: stretch_warp says how stiff it is already"},
        {CLOTH ", \"material\": {\"shear\": {\"compliance\": 1}, \"shear_stiffness\": 9}",
         "material.shear: shear_stiffness says how stiff"},
        {CLOTH ", \"bend\": {\"compliance\": 1}, \"bending_rigidity\": 9", "bodies[0].bend: bending_rigidity says how stiff it is already"},
        {SOFT ", \"material\": \"legacy_jelly\", \"poisson\": 0.3", "bodies[0].poisson: a ratio goes with Young's modulus"},
    };
    check_refusals(rows, sizeof rows / sizeof *rows);
}

/* What cannot yield says where a yield goes. */
static void a_yield_that_cannot_act_is_refused(void **state)
{
    (void)state;
    static const refusal rows[] = {
        {SOFT ", \"model\": \"neo_hookean\", \"material\": {\"young\": 1e5, \"stretch\": {\"yield\": 0.1}}",
         "stretch.yield: is of the edges of the model distance; say it beside young, as yield of the material"},
        {SOFT ", \"young\": 1e5, \"volume\": {\"yield\": 0.1, \"creep\": 1}", "volume.yield: is of the edges of the model distance"},
        {SOFT ", \"model\": \"stvk\", \"young\": 1e5, \"stretch\": {\"yield\": 0.1}",
         "stretch.yield: a solid of this model does not yield; take the model neo_hookean"},
        {SOFT ", \"model\": \"corotated\", \"young\": 1e5, \"yield\": 0.1", "yield"},
        {SOFT ", \"model\": \"distance\", \"young\": 1e5, \"volume\": {\"yield\": 0.1}", "volume: laws of tet_volume have no yield"},
        {CLOTH ", \"model\": \"strain\", \"material\": \"silk\", \"shear\": {\"yield\": 0.1}",
         "shear.yield: triangles with strains do not yield; leave it out, or take the model distance"},
    };
    check_refusals(rows, sizeof rows / sizeof *rows);
}

/* Damping in proportion to stiffness is a time over the compliance of each law that has one and says no damping itself. */
static void a_damping_time_is_of_all_that_gives_way(void **state)
{
    (void)state;
    static const struct {
        const char *body, *role;
        double      time; /* below 0: whatever it is, above 0 */
    } cases[] = {
        {SOFT ", \"material\": \"jelly\", \"damping_time\": 0.01", "solid", 0.01},
        {SOFT ", \"material\": {\"preset\": \"rubber\", \"damping_time\": 0.01}, \"model\": \"stvk\"", "solid", 0.01},
        {SOFT ", \"model\": \"distance\", \"damping_time\": 0.01", "volume", 0.01},
        {SOFT ", \"stretch\": {\"compliance\": 1e-3, \"damping\": 5}, \"material\": {\"damping_time\": 0.01}", "stretch", 5e-3},
        {CLOTH ", \"material\": \"silk\", \"damping_time\": 0.01, \"model\": \"strain\"", "sheet", 0.01},
        {CLOTH ", \"material\": \"silk\", \"damping_time\": 0.01", "stretch", 0.01},
        {CLOTH ", \"material\": \"silk\", \"damping_time\": 0.01", "bend", 0.01},
        {CLOTH ", \"material\": {\"preset\": \"legacy_silk\", \"damping_time\": 0.01}", "shear", 0.01},
        {ROPE ", \"material\": {\"preset\": \"rope\", \"damping_time\": 0.01}", "stretch", 0.01},
        {SOFT ", \"material\": {\"preset\": \"jelly\", \"damping_ratio\": 0.1}", "solid", -1},
        {SOFT ", \"material\": {\"preset\": \"jelly\", \"damping_time\": 9}, \"damping_ratio\": 0.1", "solid", -1},
        {SOFT ", \"material\": {\"preset\": \"jelly\", \"damping_ratio\": 9}, \"damping_time\": 0.01", "solid", 0.01},
        {CLOTH ", \"material\": {\"preset\": \"silk\", \"damping_ratio\": 0.1}, \"model\": \"stvk\"", "sheet", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pliant_scene     *scene = read_body(cases[i].body);
        const pliant_law *law = &law_of(scene, cases[i].role)->law;
        const double      time = (double)law->damping * (double)law->compliance;
        if (cases[i].time >= 0) near(time, cases[i].time);
        assert_true(time > 0 && time < 1);
        pliant_scene_destroy(scene);
    }
    static const refusal rows[] = {
        {SOFT ", \"damping_time\": 0.1, \"damping_ratio\": 0.1", "damping_ratio: damping_time and damping_ratio say the same thing"},
        {SOFT ", \"material\": {\"stretch\": {\"compliance\": 1e-3, \"damping\": 1}, \"damping_time\": 0.1}",
         "stretch.damping: the material's damping_time says how it is damped already; say one of them"},
        {CLOTH ", \"damping_ratio\": 0.1, \"bend\": {\"compliance\": 1, \"damping_time\": 1}",
         "bend.damping_time: the material's damping_ratio says"},
        {CLOTH ", \"damping_time\": 0.1", "nothing of this body gives way, and damping_time is of what does"},
        {CLOTH ", \"damping_ratio\": 0.1, \"bending_rigidity\": 1e-5", "no length, tetrahedron or triangle of this body gives way"},
        {ROPE ", \"damping_ratio\": 0.1", "no length, tetrahedron or triangle of this body gives way"},
        {CLOTH ", \"material\": \"silk\", \"stretch\": {\"damping_time\": 0.1}",
         "say the material's damping_time where its stiffness is said by measure"},
        {"\"type\": \"particles\", \"particles\": [{\"x\": [0, 0, 0]}], \"damping_time\": 1",
         "damping_time: is of cloth, soft bodies and ropes"},
        {SOFT ", \"damping_time\": -1", "damping_time: -1 is out of range"},
        {SOFT ", \"damping_ratio\": 1e4", "damping_ratio: 1e4 is out of range"},
    };
    check_refusals(rows, sizeof rows / sizeof *rows);
}

/* What a body says itself, or in a material of its own, acts on it. */
static void a_key_without_effect_on_its_body_is_refused(void **state)
{
    (void)state;
    static const refusal rows[] = {
        {CLOTH ", \"material\": {\"young\": 1e5}",
         "material.young: is of soft bodies, and has no effect on a cloth; leave it out, and say stretch_warp"},
        {CLOTH ", \"young\": 1e5, \"poisson\": 0.3", "bodies[0].young: is of soft bodies, and has no effect on a cloth"},
        {CLOTH ", \"volume\": {\"compliance\": 1}", "bodies[0].volume: is of soft bodies, and has no effect on a cloth"},
        {CLOTH ", \"bend\": \"none\", \"bending_rigidity\": 1e-5",
         "bending_rigidity: has no effect, as the body says that it has no bending"},
        {CLOTH ", \"bend\": \"none\", \"material\": {\"bend\": {\"compliance\": 1}}", "material.bend: has no effect, as the body says"},
        {CLOTH ", \"rolling_friction\": 1", "rolling_friction: is of ropes, and has no effect on a cloth; leave it out"},
        {ROPE ", \"poisson\": 0.3", "bodies[0].poisson: is of soft bodies, and has no effect on a rope; leave it out, and say its laws"},
        {ROPE ", \"material\": {\"stretch_warp\": 1e3}", "material.stretch_warp: is of cloth, and has no effect on a rope"},
        {ROPE ", \"bending_rigidity\": 1e-3", "bending_rigidity: is of cloth that bends, and has no effect on a rope"},
        {ROPE ", \"bend\": \"none\", \"material\": {\"bend\": {\"compliance\": 1}}", "material.bend: has no effect, as the body says"},
        {ROPE ", \"air_drag\": 1",
         "air_drag: is of cloth and soft bodies, which have triangles, and has no effect on a rope; leave it out"},
        {SOFT ", \"material\": {\"preset\": \"jelly\", \"shear_stiffness\": 10}",
         "material.shear_stiffness: is of cloth, and has no effect on a soft body; leave it out, and say young and poisson"},
        {SOFT ", \"stretch_warp\": 1e3, \"stretch_weft\": 1e3", "bodies[0].stretch_warp: is of cloth, and has no effect on a soft body"},
        {SOFT ", \"bending_rigidity\": 1", "bending_rigidity: is of cloth that bends, and has no effect on a soft body"},
        {SOFT ", \"bend\": {\"compliance\": 1}", "bend: is of cloth and ropes that bend, and has no effect on a soft body"},
        {SOFT ", \"plane_poisson\": 0.2", "plane_poisson: is of cloth, and has no effect on a soft body"},
        {"\"type\": \"particles\", \"particles\": [{\"x\": [0, 0, 0]}], \"young\": 1",
         "young: is of soft bodies, and has no effect on loose particles; leave it out, and say its constraints"},
    };
    check_refusals(rows, sizeof rows / sizeof *rows);
}

/* A body that clusters alone hold is as stiff as its shape or its material says; where both do, none of them is lost in silence. */
static void clusters_are_as_stiff_as_one_place_says(void **state)
{
    (void)state;
#define CLUSTERED SOFT ", \"model\": \"shape_matching\""
    static const refusal rows[] = {
        {CLUSTERED ", \"shape\": {\"linear\": {\"young\": 1e4}}, \"young\": 2e4", "bodies[0].young: the body's \"shape\" says it too"},
        {CLUSTERED ", \"shape\": {\"linear\": 1e4}, \"material\": {\"young\": 2e4}", "material.young: the body's \"shape\" says it too"},
        {CLUSTERED ", \"shape\": {\"quadratic\": {\"keys\": [{\"time\": 0, \"young\": 1}]}}, \"material\": {\"young\": 2e4}",
         "says it too"},
        {CLUSTERED ", \"shape\": {\"linear\": {\"poisson\": 0.3}}, \"young\": 2e4, \"poisson\": 0.4",
         "bodies[0].poisson: the body's \"shape\""},
        {CLUSTERED ", \"shape\": {\"rigid\": {}}, \"material\": {\"young\": 2e4}",
         "material.young: has no effect on a body that \"rigid\" clusters alone hold"},
    };
    static const struct {
        const char *body;
        double      young, poisson;
    } taken[] = {
        {CLUSTERED ", \"shape\": {\"linear\": {}}, \"material\": {\"young\": 2e4, \"poisson\": 0.3}", 2e4, 0.3},
        {CLUSTERED ", \"shape\": {\"linear\": {\"young\": 1e4}}, \"material\": \"jelly\"", 1e4, 0.49},
        {CLUSTERED ", \"shape\": {\"linear\": {\"young\": 1e4}}, \"material\": {\"preset\": \"jelly\", \"poisson\": 0.3}", 1e4, 0.3},
        {SOFT ", \"shape\": {\"linear\": {\"young\": 1e4}}, \"young\": 2e4, \"poisson\": 0.3", 1e4, 0.3}, /* clusters beside tetrahedra */
        {SOFT ", \"shape\": {\"linear\": {}}, \"young\": 2e4, \"poisson\": 0.3", 2e4, 0.3},
    };
    check_refusals(rows, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        pliant_scene              *scene = read_body(taken[i].body);
        const pliant__draft_group *g = &scene->groups.data[0];
        const pliant_group_info   *info = pliant_group_describe((pliant_group_kind)g->kind);
        for (uint32_t k = 0; k < info->number_count; k++) {
            if (!strcmp(info->numbers[k].name, "young")) near(g->number[k], taken[i].young);
            if (!strcmp(info->numbers[k].name, "poisson")) near(g->number[k], taken[i].poisson);
        }
        pliant_scene_destroy(scene);
    }
}

/* A material of the file may be that of bodies of several types. */
static void a_key_of_a_shared_material_acts_somewhere_or_is_noticed(void **state)
{
    (void)state;
    static const char materials[] =
        "\"both\": {\"young\": 1e5, \"stretch_warp\": 1e3, \"damping\": 1}, \"unused\": {\"shear_stiffness\": 1}";
    pliant_error  error;
    pliant_scene *scene = read_scene(materials, "{" SOFT ", \"material\": \"both\"}, {" CLOTH ", \"material\": \"both\"}", &error);
    assert_non_null(scene);
    assert_string_equal(all_notices, "");
    pliant_scene_destroy(scene);
    scene = read_scene(materials, "{" CLOTH ", \"material\": \"both\"}, {" ROPE ", \"material\": \"rope\"}", &error);
    assert_non_null(scene);
    assert_non_null(strstr(all_notices, "materials.both.young: is of soft bodies, and no body of this material is one: it has no effect"));
    assert_null(strchr(all_notices, '\n')[1] ? all_notices : NULL); /* one line */
    pliant_scene_destroy(scene);
    scene = read_scene(materials, "{" ROPE ", \"material\": \"both\"}", &error);
    assert_non_null(scene);
    assert_non_null(strstr(all_notices, "both.young"));
    assert_non_null(strstr(all_notices, "both.stretch_warp: is of cloth"));
    pliant_scene_destroy(scene);
    scene = read_scene("\"flat\": {\"bending_rigidity\": 1}", "{" CLOTH ", \"material\": \"flat\", \"bend\": \"none\"}", &error);
    assert_non_null(scene);
    assert_non_null(strstr(all_notices, "flat.bending_rigidity: is of cloth that bends"));
    pliant_scene_destroy(scene);
}

/* A key that is added to materials has a row that says on what it acts. */
static void every_key_of_a_material_acts_somewhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < pliant__material_object.count; i++)
        if (!pliant__acts_somewhere(pliant__material_object.keys[i].name)) fail_msg("%s has no row", pliant__material_object.keys[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_law_without_a_stiffness_goes_with_a_measured_one),
        cmocka_unit_test(both_threads_are_said_in_one_key),
        cmocka_unit_test(a_stiffness_that_is_said_twice_is_refused),
        cmocka_unit_test(a_yield_that_cannot_act_is_refused),
        cmocka_unit_test(a_damping_time_is_of_all_that_gives_way),
        cmocka_unit_test(a_key_without_effect_on_its_body_is_refused),
        cmocka_unit_test(clusters_are_as_stiff_as_one_place_says),
        cmocka_unit_test(a_key_of_a_shared_material_acts_somewhere_or_is_noticed),
        cmocka_unit_test(every_key_of_a_material_acts_somewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
