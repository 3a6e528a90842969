/* Questions of a game: which bodies touch, how hard, what lies under the mouse, and which bodies are in a room. A sheet falls on a jelly that falls
 * on a floor.
 *
 *     cc touch.c $(pkg-config --cflags --libs pliant) -o touch && ./touch */
#include "pliant/pliant.h"

#include <stdio.h>
#include <stdlib.h>

static void *need(void *made, const pliant_error *error)
{
    if (made) return made;
    fprintf(stderr, "touch: %s\n", error->message);
    exit(1);
}

static pliant_scene *build(pliant_error *error)
{
    pliant_scene    *scene = (pliant_scene *)need(pliant_scene_create(NULL, error), error);
    pliant_cloth_def sheet = pliant_cloth_def_default();
    pliant_soft_def  jelly = pliant_soft_def_default();
    snprintf(sheet.body.name, sizeof sheet.body.name, "sheet");
    sheet.cells_x = sheet.cells_z = 24;
    sheet.size_x = sheet.size_z = 1;
    sheet.material = pliant_material_preset(PLIANT_COTTON);
    sheet.material.thickness = (pliant_real)0.005;
    sheet.body.placement.position.y = (pliant_real)0.9;
    sheet.body.contact_mask = 1; /* it meets bodies of group 1, in which all are by default */
    snprintf(jelly.body.name, sizeof jelly.body.name, "jelly");
    jelly.cells[0] = jelly.cells[1] = jelly.cells[2] = 4;
    jelly.extent.x = jelly.extent.y = jelly.extent.z = (pliant_real)0.4;
    jelly.material = pliant_material_preset(PLIANT_JELLY);
    jelly.material.thickness = (pliant_real)0.01;
    jelly.body.placement.position.y = (pliant_real)0.5;
    jelly.body.contact_mask = 1;
    if (!pliant_scene_add_cloth(scene, &sheet, error).id || !pliant_scene_add_soft(scene, &jelly, error).id ||
        !pliant_scene_add_floor(scene, 0, error).id)
        need(NULL, error);
    return scene;
}

static const char *name_of(const pliant_model *model, pliant_body body) { return body.id ? pliant_model_body(model, body).name : "floor"; }

/* Begins and ends, and how hard it was. */
static void tell(const pliant_model *model, const pliant_contact_log *log, double time)
{
    const pliant_contact_event *event;
    const uint32_t              count = pliant_contact_log_events(log, &event);
    for (uint32_t i = 0; i < count; i++) {
        if (event[i].change == PLIANT_CONTACT_PERSISTS) continue;
        printf("%.2f s: %s %s %s", time, name_of(model, event[i].bodies[0]),
               event[i].change == PLIANT_CONTACT_BEGINS ? "touches" : "leaves", name_of(model, event[i].bodies[1]));
        if (event[i].change == PLIANT_CONTACT_BEGINS) printf(" at %.1f m/s, %.0f N", (double)event[i].speed, (double)event[i].force);
        printf("\n");
    }
}

int main(void)
{
    pliant_error        error;
    pliant_scene       *scene = build(&error);
    pliant_model       *model = (pliant_model *)need(pliant_scene_compile(scene, &error), &error);
    pliant_contact_log *log = (pliant_contact_log *)need(pliant_contact_log_create(model, NULL, &error), &error);
    pliant_solver_def   def = pliant_solver_def_default();
    def.contacts = log; /* it writes down contacts, in every substep */
    pliant_solver *solver = (pliant_solver *)need(pliant_solver_create(model, &def, &error), &error);
    pliant_state  *state = (pliant_state *)need(pliant_state_create(model, &error), &error);
    pliant_inputs *inputs = (pliant_inputs *)need(pliant_inputs_create(model, &error), &error);
    pliant_query  *query = (pliant_query *)need(pliant_query_create(model, &error), &error);

    for (int tick = 1; tick <= 90; tick++) {
        pliant_inputs_reset(inputs, 1.0 / 60);
        if (pliant_solver_step(solver, state, inputs) != PLIANT_OK) return 1;
        tell(model, log, tick / 60.0);
    }

    /* All contacts of the last substep, one by one. */
    static pliant_pair_contact contacts[1000];
    const uint32_t             count = pliant_solver_pair_contacts(solver, contacts, 1000);
    double                     force = 0;
    for (uint32_t i = 0; i < count && i < 1000; i++) force += (double)contacts[i].force;
    printf("%u pairs of the sheet and the jelly push each other, with %.1f N in all\n", count, force);

    /* The first body that a ray from above meets, the nearest one to a place, and the bodies in a room. */
    const pliant_vec3    above = {0, 3, 0}, down = {0, -1, 0}, place = {(pliant_real)0.6, (pliant_real)0.1, 0};
    const pliant_pose    room = pliant_pose_identity();
    const pliant_vec3    half = {(pliant_real)0.1, (pliant_real)0.1, (pliant_real)0.1};
    pliant_query_hit     hit;
    pliant_query_overlap who[8];
    pliant_query_filter  filter = pliant_query_filter_default();
    uint32_t             in = 0;
    filter.bodies_once = true;
    pliant_query_update(query, state);
    pliant_query_ray(query, above, down, 10, NULL, &hit);
    printf("a ray from above meets the %s, between vertices %u, %u and %u\n", name_of(model, hit.body), hit.particles[0].vertex,
           hit.particles[1].vertex, hit.particles[2].vertex);
    pliant_query_closest(query, place, 1, NULL, &hit);
    printf("nearest to the place beside it is the %s\n", name_of(model, hit.body));
    pliant_query_overlap_box(query, &room, half, &filter, who, 8, &in);
    for (uint32_t i = 0; i < in && i < 8; i++) printf("in the room: the %s\n", name_of(model, who[i].body));

    pliant_query_destroy(query);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    pliant_solver_destroy(solver);
    pliant_contact_log_destroy(log);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
    return 0;
}
