/* A pool of bodies of one kind: a step where all are on, where one is and the others are switched off, and of a model of one body alone. The cost of
 * a body that is off is the difference of the last two, shared by the bodies that are off. On one thread, in processor time; shortest of ROUNDS, by
 * turns. */
#include "bench.h"
#include "timing.h"

#include <string.h>

enum { POOL = 32, ROUNDS = 9, STEPS = 8 };

typedef struct kind {
    const char *name;
    bool        meets;
    pliant_body (*add)(pliant_scene *scene, uint32_t number, bool meets, pliant_error *error);
} kind;

static pliant_real aside(uint32_t number, int axis) { return (pliant_real)(0.5 * (double)(axis ? number / 8 : number % 8)); }

static pliant_body add_rope(pliant_scene *scene, uint32_t number, bool meets, pliant_error *error)
{
    pliant_rope_def d = pliant_rope_def_default();
    d.segments = 40;
    d.from = (pliant_vec3){aside(number, 0), meets ? (pliant_real)0.05 : 2, aside(number, 1)};
    d.to = d.from;
    d.to.x += (pliant_real)0.4;
    d.material = pliant_material_preset(PLIANT_ROPE);
    d.material.thickness = (pliant_real)0.008;
    d.body.contact_mask = meets;
    d.body.self_contact = meets;
    return pliant_scene_add_rope(scene, &d, error);
}

static pliant_body add_jelly(pliant_scene *scene, uint32_t number, bool meets, pliant_error *error)
{
    pliant_soft_def d = pliant_soft_def_default();
    d.cells[0] = d.cells[1] = d.cells[2] = 4;
    d.extent = (pliant_vec3){(pliant_real)0.4, (pliant_real)0.4, (pliant_real)0.4};
    d.material = pliant_material_preset(PLIANT_JELLY);
    d.material.thickness = (pliant_real)0.01;
    d.body.placement.position = (pliant_vec3){aside(number, 0), meets ? (pliant_real)0.21 : 2, aside(number, 1)};
    d.body.contact_mask = meets;
    return pliant_scene_add_soft(scene, &d, error);
}

static pliant_body add_sheet(pliant_scene *scene, uint32_t number, bool meets, pliant_error *error)
{
    pliant_cloth_def d = pliant_cloth_def_default();
    d.cells_x = d.cells_z = 20;
    d.size_x = d.size_z = (pliant_real)0.4;
    d.material = pliant_material_preset(PLIANT_COTTON);
    d.body.placement.position = (pliant_vec3){aside(number, 0), 2, aside(number, 1)};
    d.body.contact_mask = meets;
    return pliant_scene_add_cloth(scene, &d, error);
}

static const kind kinds[] = {{"ropes", false, add_rope},
                             {"jellies", false, add_jelly},
                             {"sheets", false, add_sheet},
                             {"ropes that meet", true, add_rope},
                             {"jellies that meet", true, add_jelly}};

typedef struct pool {
    pliant_model  *model;
    pliant_state  *state, *start;
    pliant_solver *solver;
    pliant_inputs *inputs;
    double         seconds; /* of STEPS steps, the shortest round */
} pool;

static void step(pool *p)
{
    pliant_inputs_reset(p->inputs, 1.0 / 60);
    if (pliant_solver_step(p->solver, p->state, p->inputs) != PLIANT_OK) stop(&(pliant_error){.message = "a pool does not step"});
}

/* `total` bodies of which `on` stay on. */
static void begin(pool *p, const kind *of, uint32_t total, uint32_t on)
{
    pliant_error      error = {0};
    pliant_scene_def  settings = pliant_scene_def_default();
    pliant_solver_def def = pliant_solver_def_default();
    pliant_scene     *scene;
    pliant_body       bodies[POOL];
    settings.substeps = 10;
    def.threads = 1;
    memset(p, 0, sizeof *p);
    scene = pliant_scene_create(&settings, &error);
    if (!scene) stop(&error);
    for (uint32_t i = 0; i < total; i++)
        if (!(bodies[i] = of->add(scene, i, of->meets, &error)).id) stop(&error);
    if (of->meets && !pliant_scene_add_floor(scene, 0, &error).id) stop(&error);
    p->model = pliant_scene_compile(scene, &error);
    p->solver = p->model ? pliant_solver_create(p->model, &def, &error) : NULL;
    p->state = p->solver ? pliant_state_create(p->model, &error) : NULL;
    p->start = p->state ? pliant_state_create(p->model, &error) : NULL;
    p->inputs = p->start ? pliant_inputs_create(p->model, &error) : NULL;
    if (!p->inputs) stop(&error);
    pliant_scene_destroy(scene);
    pliant_inputs_reset(p->inputs, 1.0 / 60);
    for (uint32_t i = on; i < total; i++) pliant_inputs_body_active(p->inputs, bodies[i], false);
    if (pliant_solver_step(p->solver, p->state, p->inputs) != PLIANT_OK) stop(&(pliant_error){.message = "a pool does not step"});
    for (int i = 0; i < 20; i++) step(p); /* bodies fall, and lie */
    pliant_state_copy(p->start, p->state);
}

static void end(pool *p)
{
    pliant_inputs_destroy(p->inputs);
    pliant_state_destroy(p->start);
    pliant_state_destroy(p->state);
    pliant_solver_destroy(p->solver);
    pliant_model_destroy(p->model);
}

static void measure(pool *p, bool first)
{
    pliant_state_copy(p->state, p->start);
    step(p);
    const double begun = processor_seconds();
    for (int i = 0; i < STEPS; i++) step(p);
    const double seconds = processor_seconds() - begun;
    if (first || seconds < p->seconds) p->seconds = seconds;
}

void bench_pools(bool quick)
{
    const int rounds = quick ? 2 : ROUNDS;
    printf("\na pool of %d bodies, ms of a step of 10 substeps\n%-20s %10s %12s %10s %26s\n", POOL, "", "one alone", "one of them", "all",
           "off, share of one that is on");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        pool alone, one, all;
        begin(&alone, &kinds[k], 1, 1);
        begin(&one, &kinds[k], POOL, 1);
        begin(&all, &kinds[k], POOL, POOL);
        for (int i = 0; i < rounds; i++) {
            measure(&alone, i == 0);
            measure(&one, i == 0);
            measure(&all, i == 0);
        }
        const double ms = 1e3 / STEPS, off = (one.seconds - alone.seconds) / (POOL - 1);
        printf("%-20s %10.3f %12.3f %10.3f %24.1f %%\n", kinds[k].name, ms * alone.seconds, ms * one.seconds, ms * all.seconds,
               100 * off / (all.seconds / POOL));
        end(&alone);
        end(&one);
        end(&all);
    }
}
