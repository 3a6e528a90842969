/* Pliant inside an engine: a cape on two bones, stepped by the engine's own job system, with a ring of states to roll back to.
 *
 *     cc embed.c $(pkg-config --cflags --libs pliant) -o embed && ./embed
 *
 * It compiles as C and as C++. Code that an engine would have anyway stands first; the part that is about Pliant is marked. */
#include "pliant/pliant.h"

#include <stdio.h>

enum { COLUMNS = 24, ROWS = 32, BONES = 2, TICKS = 120, PINS = COLUMNS };

typedef struct Vertex {
    pliant_real position[3], normal[3], uv[2];
} Vertex;

static Vertex      verts[COLUMNS * ROWS], mapped[COLUMNS * ROWS];
static uint32_t    idx[(COLUMNS - 1) * (ROWS - 1) * 6], pins[PINS];
static pliant_vec3 skinned[PINS];
static pliant_pose bone[BONES];

/* The cape's mesh hangs behind the shoulders, row 0 at the top. */
static void load_cape(void)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < COLUMNS * ROWS; v++) {
        verts[v].position[0] = (pliant_real)0.03 * ((pliant_real)(v % COLUMNS) - (pliant_real)(COLUMNS - 1) / 2);
        verts[v].position[1] = (pliant_real)1.5 - (pliant_real)0.03 * (pliant_real)(v / COLUMNS);
        verts[v].position[2] = (pliant_real)-0.2;
    }
    for (uint32_t v = 0; v + COLUMNS < COLUMNS * ROWS; v++) {
        if (v % COLUMNS == COLUMNS - 1) continue;
        const uint32_t corners[6] = {v, v + COLUMNS, v + 1, v + 1, v + COLUMNS, v + COLUMNS + 1};
        for (int i = 0; i < 6; i++) idx[n++] = corners[i];
    }
    for (uint32_t i = 0; i < PINS; i++) pins[i] = i;
}

/* Skinning: where bones and attached vertices are at a tick. The character sways, a parabola to each side, and walks. */
static void pose_character(int tick)
{
    double phase = (tick % 30) / 30.0, side = tick / 30 % 2 ? -1 : 1, x = side * 0.6 * phase * (1 - phase), z = 0.02 * tick;
    for (int i = 0; i < BONES; i++) {
        bone[i] = pliant_pose_identity();
        bone[i].position.x = (pliant_real)x;
        bone[i].position.y = (pliant_real)(i ? 0.5 : 1.1);
        bone[i].position.z = (pliant_real)z;
    }
    for (int i = 0; i < PINS; i++) {
        skinned[i].x = verts[i].position[0] + (pliant_real)x;
        skinned[i].y = verts[i].position[1];
        skinned[i].z = verts[i].position[2] + (pliant_real)z;
    }
}

/* The engine's job system. This one runs every job at once on the calling thread; a real one hands them to its workers. */
static void job_enqueue(void (*task)(void *data, uint32_t index), void *data, uint32_t count, void *jobs)
{
    *(uint64_t *)jobs += count;
    for (uint32_t i = 0; i < count; i++) task(data, i);
}
static void job_wait(void *jobs) { (void)jobs; }

static uint64_t           jobs_run = 0;
static const pliant_tasks job_system = {job_enqueue, job_wait, &jobs_run};

/* ---- Pliant ---- */

typedef struct Cape {
    pliant_body     body;
    pliant_collider cap[BONES];
    pliant_model   *m;
    pliant_solver  *k;
    pliant_state   *s, *ring[8];
    pliant_inputs  *in;
} Cape;

static bool cape_create(Cape *c, pliant_scene *scene, pliant_error *err)
{
    const pliant_real r[BONES] = {(pliant_real)0.15, (pliant_real)0.12}, h[BONES] = {(pliant_real)0.25, (pliant_real)0.3};

    pliant_cloth_def cd = pliant_cloth_def_default();
    cd.mesh = pliant_mesh_view_of(verts, sizeof(Vertex), COLUMNS * ROWS, idx, sizeof idx / sizeof idx[0] / 3); /* the engine's own arrays */
    cd.material = pliant_material_preset(PLIANT_COTTON);
    c->body = pliant_scene_add_cloth(scene, &cd, err);
    if (pliant_scene_attach(scene, c->body, pins, PINS, err)) return false; /* targets move with the skeleton */
    for (int i = 0; i < BONES; i++) c->cap[i] = pliant_scene_add_capsule(scene, r[i], h[i], bone[i], err);
    if (!(c->m = pliant_scene_compile(scene, err))) return false; /* or pliant_model_map(blob, size, NULL, err) */
    pliant_solver_def sd = pliant_solver_def_default();
    sd.tasks = job_system; /* or threads of Pliant's own: sd.threads = 4 */
    c->k = pliant_solver_create(c->m, &sd, err);
    c->s = pliant_state_create(c->m, err);
    c->in = pliant_inputs_create(c->m, err);
    for (int i = 0; i < 8; i++) c->ring[i] = pliant_state_create(c->m, err);
    return c->k && c->s && c->in && c->ring[7];
}

static pliant_code cape_tick(Cape *c, double dt, int tick)
{
    pliant_inputs_reset(c->in, dt);
    pliant_inputs_targets(c->in, c->body, skinned, sizeof skinned[0]);
    for (int i = 0; i < BONES; i++) pliant_inputs_collider(c->in, c->cap[i], &bone[i]);
    pliant_code code = pliant_solver_step(c->k, c->s, c->in);
    pliant_state_write_vertices(c->s, c->body, mapped, sizeof(Vertex)); /* the engine's vertex order, positions and normals */
    pliant_state_copy(c->ring[tick & 7], c->s);                         /* save; copy back to roll back */
    return code;
}

static void cape_destroy(Cape *c)
{
    for (int i = 0; i < 8; i++) pliant_state_destroy(c->ring[i]);
    pliant_inputs_destroy(c->in);
    pliant_state_destroy(c->s);
    pliant_solver_destroy(c->k);
    pliant_model_destroy(c->m);
}

/* ---- the engine's loop ---- */

static bool run_ticks(Cape *c, int first, int last)
{
    for (int tick = first; tick <= last; tick++) {
        pose_character(tick);
        if (cape_tick(c, 1.0 / 60, tick) != PLIANT_OK) return false;
    }
    return true;
}

int main(void)
{
    static pliant_error err;
    static Cape         cape;
    load_cape();
    pose_character(0);
    pliant_scene *scene = pliant_scene_create(NULL, &err);
    if (!scene || !cape_create(&cape, scene, &err)) {
        fprintf(stderr, "embed: %s\n", err.message);
        return 1;
    }
    pliant_scene_destroy(scene); /* the model does not need it */

    bool     good = run_ticks(&cape, 1, TICKS);
    uint64_t hash = pliant_state_hash(cape.s);
    printf("%d ticks, %llu jobs, hash %016llx\n", TICKS, (unsigned long long)jobs_run, (unsigned long long)hash);
    printf("the hem's first vertex is at (%.3f, %.3f, %.3f)\n", (double)mapped[COLUMNS * (ROWS - 1)].position[0],
           (double)mapped[COLUMNS * (ROWS - 1)].position[1], (double)mapped[COLUMNS * (ROWS - 1)].position[2]);

    pliant_state_copy(cape.s, cape.ring[(TICKS - 5) & 7]); /* news from the network: five ticks back, and forward again */
    good = good && run_ticks(&cape, TICKS - 4, TICKS) && pliant_state_hash(cape.s) == hash;
    puts(good ? "rolled back five ticks and came out the same" : "something went wrong");
    cape_destroy(&cape);
    return good ? 0 : 1;
}
