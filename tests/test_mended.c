/* Meshes as they come: what says nothing, or the same twice, is left out and counted, and all else is as if it had not been there. */
#include "files.h"
#include "shapes.h"
#include "trial.h"

#include "pliant/io.h"
#include "scene/draft.h"

enum { SIDE = 4, VERTICES = SIDE * SIDE, QUADS = (SIDE - 1) * (SIDE - 1) };

/* A square of 3 x 3 quads in the xz plane, and room for more. */
typedef struct sheet {
    pliant_real x[2 * VERTICES][3];
    uint32_t    quads[4 * 4 * QUADS], triangles[3 * 8 * QUADS];
    size_t      vertex_count, quad_count, triangle_count;
} sheet;

static sheet square(void)
{
    sheet s;
    memset(&s, 0, sizeof s);
    for (uint32_t v = 0; v < VERTICES; v++) {
        s.x[v][0] = R(0.125) * R(v % SIDE);
        s.x[v][2] = R(0.125) * R(v / SIDE);
        s.x[v][1] = R(0.01) * R(v % 3);
    }
    s.vertex_count = VERTICES;
    for (uint32_t q = 0; q < QUADS; q++) {
        const uint32_t at = q / (SIDE - 1) * SIDE + q % (SIDE - 1), quad[4] = {at, at + SIDE, at + SIDE + 1, at + 1};
        memcpy(s.quads + 4 * s.quad_count++, quad, sizeof quad);
    }
    return s;
}

static sheet in_triangles(void)
{
    sheet s = square();
    for (size_t q = 0; q < s.quad_count; q++)
        for (int half = 0; half < 2; half++)
            for (int k = 0; k < 3; k++) s.triangles[3 * (2 * q + (size_t)half) + (size_t)k] = s.quads[4 * q + (size_t)(k ? k + half : 0)];
    s.triangle_count = 2 * s.quad_count;
    s.quad_count = 0;
    return s;
}

static void add_triangle(sheet *s, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t t[3] = {a, b, c};
    memcpy(s->triangles + 3 * s->triangle_count++, t, sizeof t);
}

static void add_quad(sheet *s, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t q[4] = {a, b, c, d};
    memcpy(s->quads + 4 * s->quad_count++, q, sizeof q);
}

static pliant_mesh_view view_of(const sheet *s)
{
    const pliant_mesh_view v = {s->x, sizeof *s->x, s->vertex_count, s->triangles, s->triangle_count, s->quads, s->quad_count, NULL};
    return v;
}

static pliant_scene *new_scene(void)
{
    pliant_scene *scene = pliant_scene_create(NULL, NULL);
    assert_non_null(scene);
    return scene;
}

/* The model's hash, with one vertex pinned by its number. */
static uint64_t cloth_hash(const sheet *s, pliant_bend bend, pliant_mended *mended, pliant_body_info *info)
{
    pliant_scene    *scene = new_scene();
    pliant_error     error = {0};
    pliant_cloth_def def = pliant_cloth_def_default();
    const uint32_t   pin = VERTICES - 1;
    def.mesh = view_of(s);
    def.bend = bend;
    def.material = pliant_material_preset(PLIANT_COTTON);
    const pliant_body body = pliant_scene_add_cloth(scene, &def, &error);
    if (!body.id) fail_msg("%s", error.message);
    assert_int_equal(pliant_scene_pin(scene, body, &pin, 1, false, NULL), PLIANT_OK);
    if (mended) *mended = pliant_scene_body_mended(scene, body);
    pliant_model *model = pliant_scene_compile(scene, &error);
    assert_non_null(model);
    if (info) *info = pliant_model_body(model, body);
    const uint64_t hash = pliant_model_hash(model);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
    return hash;
}

static void faces_without_three_places_are_left_out(void **unused)
{
    (void)unused;
    for (int bend = 0; bend <= PLIANT_BEND_ISOMETRIC; bend++) {
        sheet            clean = square(), spoilt;
        pliant_mended    mended;
        pliant_body_info info;
        memcpy(clean.x[clean.vertex_count++], clean.x[5], sizeof *clean.x); /* a vertex where there is one already */
        spoilt = clean;
        add_quad(&spoilt, 0, 1, 1, 0);         /* without length */
        add_quad(&spoilt, 4, 5, VERTICES, 4);  /* two places */
        add_quad(&spoilt, 1, 5, 6, VERTICES);  /* folded along its diagonal */
        add_triangle(&spoilt, 2, 3, 3);        /* a vertex twice */
        add_triangle(&spoilt, 5, 9, VERTICES); /* two vertices at one place */
        const uint64_t hash = cloth_hash(&clean, (pliant_bend)bend, &mended, NULL);
        assert_true(mended.flat == 0 && mended.doubled == 0);
        assert_true(hash == cloth_hash(&spoilt, (pliant_bend)bend, &mended, &info));
        assert_true(mended.flat == 5 && mended.doubled == 0);
        assert_true(info.vertex_count == VERTICES + 1 && info.particle_count == VERTICES && info.face_count == QUADS);
    }
}

/* Of a quad with three places, side by side, a triangle is left. */
static void quads_with_three_places_are_triangles(void **unused)
{
    (void)unused;
    sheet         clean = square(), spoilt;
    pliant_mended mended;
    clean.x[clean.vertex_count][0] = R(0.5);
    clean.vertex_count++;
    spoilt = clean;
    add_triangle(&clean, 3, 7, VERTICES);
    add_quad(&spoilt, 3, 7, 7, VERTICES);
    assert_true(cloth_hash(&clean, PLIANT_BEND_ANGLE, NULL, NULL) == cloth_hash(&spoilt, PLIANT_BEND_ANGLE, &mended, NULL));
    assert_true(mended.flat == 0);
}

/* A face without area that would leave a vertex without mass; one between others is what joins them, and stays. */
static void faces_without_area_leave_no_vertex_without_mass(void **unused)
{
    (void)unused;
    sheet            clean = in_triangles(), spoilt;
    pliant_mended    mended;
    pliant_body_info info;
    for (int k = 0; k < 3; k++) clean.x[VERTICES][k] = clean.x[0][k] + 4 * (clean.x[1][k] - clean.x[0][k]);
    clean.vertex_count++;
    spoilt = clean;
    add_triangle(&spoilt, 0, 1, VERTICES);
    assert_true(cloth_hash(&clean, PLIANT_BEND_ANGLE, NULL, NULL) == cloth_hash(&spoilt, PLIANT_BEND_ANGLE, &mended, &info));
    assert_true(mended.flat == 1 && info.vertex_count == VERTICES + 1);
    sheet joined = in_triangles();
    for (int k = 0; k < 3; k++) joined.x[1][k] = (joined.x[0][k] + joined.x[2][k]) / 2;
    add_triangle(&joined, 0, 1, 2);
    cloth_hash(&joined, PLIANT_BEND_ANGLE, &mended, &info);
    assert_true(mended.flat == 0 && info.face_count == 2 * QUADS + 1);
}

static void doubled_faces_bend_and_weigh_as_single_ones(void **unused)
{
    (void)unused;
    for (int bend = 0; bend <= PLIANT_BEND_ISOMETRIC; bend++)
        for (int kind = 0; kind < 2; kind++)
            for (int way = 0; way < 3; way++) {
                sheet            one = kind ? square() : in_triangles(), two = one;
                pliant_mended    mended;
                pliant_body_info single, info;
                if (way == 2) /* with vertices of their own, at the same places */
                    for (uint32_t v = 0; v < VERTICES; v++) {
                        memcpy(one.x[VERTICES + v], one.x[v], sizeof *one.x);
                        memcpy(two.x[VERTICES + v], one.x[v], sizeof *one.x);
                    }
                if (way == 2) one.vertex_count = two.vertex_count = 2 * VERTICES;
                const uint32_t more = way == 2 ? VERTICES : 0;
                for (size_t i = 0; i < one.triangle_count; i++) {
                    const uint32_t *t = one.triangles + 3 * i;
                    if (way == 0) add_triangle(&two, t[1], t[2], t[0]);                 /* twice */
                    if (way) add_triangle(&two, more + t[2], more + t[1], more + t[0]); /* back to back */
                }
                for (size_t i = 0; i < one.quad_count; i++) {
                    const uint32_t *q = one.quads + 4 * i;
                    if (way == 0) add_quad(&two, q[1], q[2], q[3], q[0]);
                    if (way) add_quad(&two, more + q[3], more + q[2], more + q[1], more + q[0]);
                }
                const uint64_t hash = cloth_hash(&one, (pliant_bend)bend, &mended, &single);
                assert_true(mended.doubled == 0);
                assert_true(hash == cloth_hash(&two, (pliant_bend)bend, &mended, &info));
                assert_true(mended.doubled == (kind ? QUADS : 2 * QUADS) && mended.flat == 0);
                assert_true(info.mass <= single.mass && single.mass <= info.mass);
            }
}

/* ---- tetrahedra ---- */

/* Two pyramids on one square, below cut along one diagonal, above along the other; between them is a flat tetrahedron. */
static const pliant_real pyramids[7][3] = {{0, 0, 0},           {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {R(0.5), R(0.5), -1},
                                           {R(0.5), R(0.5), 1}, {2, 0, 0}};
static const uint32_t    tets[] = {0,
                                   2,
                                   1,
                                   4,
                                   0,
                                   3,
                                   2,
                                   4,
                                   0,
                                   1,
                                   3,
                                   5,
                                   1,
                                   2,
                                   3,
                                   5,
                                   /* flat: */ 0,
                                   1,
                                   2,
                                   3,
                                   /* with a vertex of its own: */ 0,
                                   1,
                                   6,
                                   2,
                                   /* a vertex twice: */ 0,
                                   1,
                                   4,
                                   1,
                                   /* there already: */ 4,
                                   2,
                                   0,
                                   1,
                                   0,
                                   2,
                                   3,
                                   4};

static pliant_body_info soft_of(size_t tet_count, const uint32_t *from, pliant_mended *mended, uint64_t *hash, uint32_t *volumes)
{
    pliant_scene   *scene = new_scene();
    pliant_error    error = {0};
    pliant_soft_def def = pliant_soft_def_default();
    def.model = PLIANT_SOLID_DISTANCE;
    def.mesh = (pliant_tet_view){pyramids, sizeof *pyramids, 7, from, tet_count};
    def.mend = true;
    const pliant_body body = pliant_scene_add_soft(scene, &def, &error);
    if (!body.id) fail_msg("%s", error.message);
    *mended = pliant_scene_body_mended(scene, body);
    pliant_model *model = pliant_scene_compile(scene, &error);
    assert_non_null(model);
    const pliant_body_info info = pliant_model_body(model, body);
    *volumes = pliant_model_constraint_count(model, PLIANT_CONSTRAINT_TET_VOLUME);
    *hash = pliant_model_hash(model);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
    return info;
}

static void tetrahedra_without_volume_or_there_twice_are_left_out(void **unused)
{
    (void)unused;
    pliant_mended    mended;
    uint64_t         hash, same;
    uint32_t         volumes;
    pliant_body_info b = soft_of(5, tets, &mended, &hash, &volumes);
    assert_true(mended.flat == 1 && mended.doubled == 0 && volumes == 4);
    assert_int_equal(b.face_count, 8); /* the square inside is no boundary */
    b = soft_of(9, tets, &mended, &same, &volumes);
    assert_true(mended.flat == 3 && mended.doubled == 2 && volumes == 4 && b.face_count == 8 && b.vertex_count == 7);
    assert_true(same == hash);
}

/* ---- ropes ---- */

static void rope_segments_without_length_are_left_out(void **unused)
{
    (void)unused;
    static const pliant_vec3 points[] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 1, 0}};
    static const pliant_real masses[] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int given = 0; given < 2; given++) {
        pliant_scene   *scene = new_scene();
        pliant_error    error = {0};
        pliant_rope_def def = pliant_rope_def_default();
        const uint32_t  last = 7;
        def.points = points;
        def.point_count = 8;
        if (given) def.body.masses = masses;
        const pliant_body body = pliant_scene_add_rope(scene, &def, &error);
        if (!body.id) fail_msg("%s", error.message);
        assert_int_equal(pliant_scene_body_mended(scene, body).flat, 4);
        assert_int_equal(pliant_scene_pin(scene, body, &last, 1, false, NULL), PLIANT_OK);
        pliant_model *model = pliant_scene_compile(scene, &error);
        assert_non_null(model);
        const pliant_body_info b = pliant_model_body(model, body);
        assert_true(b.vertex_count == 8 && b.particle_count == 4);
        near((double)b.mass, given ? 1 + 2 + 3 + 4 + 5 + 6 : 2.5, 1e-6); /* without what is pinned */
        assert_int_equal(pliant_model_constraint_count(model, PLIANT_CONSTRAINT_DISTANCE), 3 + 2);
        pliant_state *state = pliant_state_create(model, &error);
        pliant_real   x[8][3];
        pliant_state_write_positions(state, body, x, sizeof *x);
        assert_true(x[7][1] == 1 && x[4][0] == 1 && x[1][0] == 0);
        pliant_state_destroy(state);
        pliant_model_destroy(model);
        pliant_scene_destroy(scene);
    }
}

/* ---- seams ---- */

/* Not larger than `size`, the same in every run. */
static double noise(uint32_t n, double size) { return size * ((double)(n * 2654435761u >> 16 & 1023) / 512 - 1); }

/* A box of six sides of 3 x 3 quads, each with vertices of its own, off by as much as `off`. */
enum { BOX_VERTICES = 6 * VERTICES, BOX_PLACES = 56 };
typedef struct parted {
    pliant_real x[BOX_VERTICES][3];
    uint32_t    quads[4 * 6 * QUADS];
} parted;

static parted parted_box(double off, double size)
{
    parted   p;
    uint32_t n = 0, q = 0;
    for (uint32_t side = 0; side < 6; side++)
        for (uint32_t v = 0; v < VERTICES; v++, n++) {
            const uint32_t axis = side / 2, at[3] = {side % 2 ? SIDE - 1 : 0, v % SIDE, v / SIDE};
            for (uint32_t k = 0; k < 3; k++) p.x[n][(axis + k) % 3] = R(size * ((double)at[k] / (SIDE - 1) - 0.5) + noise(3 * n + k, off));
        }
    for (uint32_t side = 0; side < 6; side++)
        for (uint32_t i = 0; i < QUADS; i++) {
            const uint32_t at = side * VERTICES + i / (SIDE - 1) * SIDE + i % (SIDE - 1), turn = side % 2 ? 0 : 1;
            const uint32_t quad[4] = {at, turn ? at + SIDE : at + 1, at + SIDE + 1, turn ? at + 1 : at + SIDE};
            memcpy(p.quads + 4 * q++, quad, sizeof quad);
        }
    return p;
}

static pliant_mesh_view parted_view(const parted *p)
{
    const pliant_mesh_view v = {p->x, sizeof *p->x, BOX_VERTICES, NULL, 0, p->quads, (size_t)6 * QUADS, NULL};
    return v;
}

static pliant_mended cloth_of(const pliant_mesh_view *mesh, bool exactly, uint32_t *particles)
{
    pliant_scene    *scene = new_scene();
    pliant_error     error = {0};
    pliant_cloth_def def = pliant_cloth_def_default();
    def.mesh = *mesh;
    def.weld_exactly = exactly;
    const pliant_body body = pliant_scene_add_cloth(scene, &def, &error);
    if (!body.id) fail_msg("%s", error.message);
    const pliant_mended mended = pliant_scene_body_mended(scene, body);
    pliant_model       *model = pliant_scene_compile(scene, &error);
    *particles = pliant_model_particle_count(model);
    assert_int_equal(pliant_model_body(model, body).vertex_count, mesh->vertex_count);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
    return mended;
}

/* Off by a millionth of their size, seams hold; off by more than could be rounding, they are left, and it is said how far they are apart. */
static void seams_that_rounding_parted_are_joined(void **unused)
{
    (void)unused;
    for (int size = -2; size <= 2; size++) {
        const double           metres = pow(10, size);
        const parted           close = parted_box(1e-6 * metres, metres), apart = parted_box(1e-4 * metres, metres);
        const pliant_mesh_view view = parted_view(&close), far = parted_view(&apart);
        uint32_t               particles;
        pliant_mended          m = cloth_of(&view, false, &particles);
        assert_true(particles == BOX_PLACES && m.joined == BOX_VERTICES - BOX_PLACES && m.near == 0 && m.flat == 0 && m.doubled == 0);
        assert_true((double)m.gap > 0 && (double)m.gap < 4e-6 * metres);
        m = cloth_of(&view, true, &particles);
        assert_true(particles == BOX_VERTICES && m.joined == 0 && m.near == 0);
        m = cloth_of(&far, false, &particles);
        assert_true(particles == BOX_VERTICES && m.joined == 0 && m.near == BOX_VERTICES - BOX_PLACES);
        assert_true((double)m.weld > 1e-4 * metres && (double)m.weld < 4e-4 * metres);
        pliant_scene       *scene = new_scene();
        pliant_collider_def def = pliant_collider_def_default(PLIANT_SHAPE_MESH);
        def.mesh = view;
        m = pliant_scene_collider_mended(scene, pliant_scene_add_collider(scene, &def, NULL));
        assert_true(m.joined == BOX_VERTICES - BOX_PLACES && m.near == 0);
        assert_int_equal(scene->collider_points.count, BOX_PLACES);
        pliant_scene_destroy(scene);
    }
}

/* A mesh with faces as small as that is left as it is, and so are two sheets on each other with a gap. */
static void gaps_that_were_meant_stay(void **unused)
{
    (void)unused;
    uint32_t particles;
    sheet    small = in_triangles(), two = square();
    for (int k = 0; k < 3; k++) { /* a triangle of a millionth of the size at a corner, and a seam there */
        for (uint32_t v = 0; v < 3; v++) small.x[VERTICES + v][k] = small.x[0][k] - R(v == 1 + (uint32_t)k / 2 && k != 1 ? 1e-6 : 0);
        small.x[VERTICES + 3][k] = small.x[3][k] + R(1e-7);
    }
    small.vertex_count += 4;
    add_triangle(&small, VERTICES, VERTICES + 1, VERTICES + 2);
    add_triangle(&small, VERTICES + 3, 7, 6);
    pliant_mesh_view view = view_of(&small);
    assert_int_equal(cloth_of(&view, false, &particles).joined, 0);
    for (uint32_t v = 0; v < VERTICES; v++)
        for (int k = 0; k < 3; k++) two.x[VERTICES + v][k] = two.x[v][k] + R(k == 1 ? 1e-4 : 0);
    two.vertex_count *= 2;
    for (size_t i = 0; i < QUADS; i++) {
        const uint32_t *q = two.quads + 4 * i;
        add_quad(&two, q[0] + VERTICES, q[1] + VERTICES, q[2] + VERTICES, q[3] + VERTICES);
    }
    view = view_of(&two);
    assert_int_equal(cloth_of(&view, false, &particles).joined, 0);
    assert_int_equal(particles, 2 * VERTICES);
}

/* ---- turned faces ---- */

static uint64_t collider_hash(const shape *s, pliant_mended *mended)
{
    pliant_scene         *scene = new_scene();
    pliant_error          error = {0};
    pliant_collider_def   def = pliant_collider_def_default(PLIANT_SHAPE_MESH);
    const pliant_rope_def rope = pliant_rope_def_default();
    def.mesh = shape_view(s);
    const pliant_collider c = pliant_scene_add_collider(scene, &def, &error);
    if (!c.id) fail_msg("%s", error.message);
    *mended = pliant_scene_collider_mended(scene, c);
    assert_int_not_equal(pliant_scene_add_rope(scene, &rope, NULL).id, 0);
    pliant_model  *model = pliant_scene_compile(scene, &error);
    const uint64_t hash = pliant_model_hash(model);
    pliant_model_destroy(model);
    pliant_scene_destroy(scene);
    return hash;
}

/* Whichever faces are turned, so long as they have less area than the others of their part; a part that looks inwards goes on to do so. */
static void turned_faces_of_a_collider_are_turned_back(void **unused)
{
    (void)unused;
    for (int inwards = 0; inwards < 2; inwards++)
        for (uint32_t turned = 0; turned < 5; turned++) {
            shape         s = box(0, 0, 0, 1, 1, 1), other = box(2, 0, 0, 3, 1, 1);
            pliant_mended m;
            shape_add(&s, &other);
            if (inwards) shape_turn(&s, 0, 12);
            const uint64_t hash = collider_hash(&s, &m);
            assert_int_equal(m.turned, 0);
            if (turned) shape_turn(&s, turned, turned);
            if (turned) shape_turn(&s, 12 + 2 * turned, 1);
            assert_true(hash == collider_hash(&s, &m));
            assert_int_equal(m.turned, turned ? turned + 1 : 0);
            shape_free(&s);
            shape_free(&other);
        }
}

/* On a Moebius strip there is no way round, and nothing is turned. */
static void what_has_one_side_is_left(void **unused)
{
    (void)unused;
    shape         s = {0};
    pliant_mended m;
    enum { PARTS = 9 };
    for (uint32_t i = 0; i < PARTS; i++)
        for (int k = -1; k < 2; k += 2) {
            const double a = 2 * TEST_PI * i / PARTS, r = 1 + 0.2 * k * cos(a / 2);
            shape_vertex(&s, r * cos(a), 0.2 * k * sin(a / 2), r * sin(a));
        }
    for (uint32_t i = 0; i < PARTS; i++) {
        const uint32_t last = i + 1 == PARTS, a = 2 * i, b = a + 1, c = last ? 1 : a + 2, d = last ? 0 : a + 3;
        shape_triangle(&s, a, b, c);
        shape_triangle(&s, c, b, d);
    }
    collider_hash(&s, &m);
    assert_int_equal(m.turned, 0);
    shape_free(&s);
}

/* ---- colliders and scene files ---- */

static char notices[4096];

static void note(const char *text, void *context)
{
    (void)context;
    snprintf(notices + strlen(notices), sizeof notices - strlen(notices), "%s\n", text);
}

static bool read_text(const char *text, pliant_error *error)
{
    pliant_scene_file file;
    pliant_read_def   def = pliant_read_def_default();
    def.notice = note;
    *notices = 0;
    const bool ok = pliant_scene_read_text(text, strlen(text), "s.json", "", &def, &file, error) == PLIANT_OK;
    if (ok) pliant_scene_destroy(file.scene);
    return ok;
}

static void reads(const char *text, const char *line)
{
    pliant_error error = {0};
    if (!read_text(text, &error)) fail_msg("%s", error.message);
    if (strcmp(notices, line) != 0) fail_msg("%s\nsays %s\nnot  %s", text, notices, line);
}

#define QUAD "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 4 3 2\n"
#define BODY(b) "{\"pliant\": 1,\n\"bodies\": [\n" b "]}"
#define COLLIDER(c) "{\"pliant\": 1, \"colliders\": [\n" c "],\n\"bodies\": [{\"type\": \"cloth\", \"cells\": [1, 1]}]}"

static void what_is_left_out_is_said_in_one_line(void **unused)
{
    (void)unused;
    write_text("flat.obj", QUAD "f 1 2 2\nf 1 2 2 1\n");
    write_text("twice.obj", QUAD "f 1 2 3 4\n");
    write_text("t.node", "5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 0\n");
    write_text("t.ele", "4 4 0\n0 0 1 2 3\n1 0 1 2 4\n2 0 1 1 3\n3 1 0 3 2\n");
    reads(BODY("{\"type\": \"cloth\", \"mesh\": \"flat.obj\"}"),
          "s.json:3: bodies[0].mesh: flat.obj: 2 faces have less than three places once welded, or no area, and are left out\n");
    reads(BODY("{\"type\": \"cloth\", \"mesh\": \"twice.obj\"}"),
          "s.json:3: bodies[0].mesh: twice.obj: 1 face has the vertices of another one, back to back or not, and is left out\n");
    reads(BODY("{\"type\": \"soft\", \"mend\": true, \"mesh\": \"t.ele\"}"),
          "s.json:3: bodies[0].mesh: t.ele: 2 tetrahedra have no volume, and are left out\n"
          "s.json:3: bodies[0].mesh: t.ele: 1 tetrahedron has the vertices of another one, and is left out\n"
          "s.json:3: bodies[0].mesh: 1 of 5 vertices are used by no tetrahedron; they stay where they are\n");
    reads(BODY("{\"type\": \"soft\", \"cells\": [1, 1, 1], \"visual\": \"flat.obj\"}"),
          "s.json:3: bodies[0].visual: flat.obj: 2 faces have a vertex twice, and are left out\n");
    reads(BODY("{\"type\": \"rope\",\n\"points\": [[0, 0, 0], [0, 0, 0], [1, 0, 0]]}"),
          "s.json:4: bodies[0].points: 1 segment has no length, and is left out; points at one place are one particle\n");
    reads(COLLIDER("{\"type\": \"mesh\",\n\"mesh\": \"flat.obj\"}"),
          "s.json:3: colliders[0].mesh: flat.obj: 2 faces have less than three places, and are left out\n");
    reads(COLLIDER("{\"type\": \"hull\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1]]}"), "");
    reads(COLLIDER("{\"type\": \"mesh\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0]], \"triangles\": [[0, 1, 2], [0, 1, 3]]}"),
          "s.json:2: colliders[0]: 1 face has less than three places, and is left out\n");
    reads(COLLIDER("{\"type\": \"mesh\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],\n\"triangles\": [[0, 2, 1], [0, 1, 3], "
                   "[0, 2, 3], "
                   "[1, 2, 3]]}"),
          "s.json:2: colliders[0]: 1 face looks the other way than its neighbours, and is turned\n");
}

static void seams_are_said_with_what_joins_them(void **unused)
{
    (void)unused;
    write_text("near.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 1.000001 0 0\nv 1 0 0.999999\nv 2 0 0\nf 1 4 3 2\nf 5 6 7\n");
    write_text("apart.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 1.0003 0 0\nv 1 0 0.999\nv 2 0 0\nf 1 4 3 2\nf 5 6 7\n");
    reads(BODY("{\"type\": \"cloth\", \"mesh\": \"near.obj\"}"),
          "s.json:3: bodies[0].mesh: near.obj: 2 vertices coincide with another one nearly, 1e-06 m apart at the most, and are joined "
          "(\"weld\": 0 leaves them apart)\n");
    reads(BODY("{\"type\": \"cloth\", \"mesh\": \"near.obj\", \"weld\": 0}"), "");
    reads(BODY("{\"type\": \"cloth\", \"mesh\": \"apart.obj\"}"),
          "s.json:3: bodies[0].mesh: apart.obj: 2 vertices at open edges nearly coincide with another one, and are left apart; "
          "\"weld\": 0.0011 joins them\n");
    reads(BODY("{\"type\": \"cloth\", \"mesh\": \"apart.obj\", \"weld\": 0.0011}"),
          "s.json:3: bodies[0].mesh: apart.obj: 7 vertices at 5 places are welded; all 7 are written out\n");
    reads(
        COLLIDER("{\"type\": \"mesh\",\n\"mesh\": \"near.obj\"}"),
        "s.json:3: colliders[0].mesh: near.obj: 2 vertices coincide with another one nearly, 1e-06 m apart at the most, and are joined\n");
    reads(COLLIDER("{\"type\": \"mesh\",\n\"mesh\": \"apart.obj\"}"),
          "s.json:3: colliders[0].mesh: apart.obj: 2 vertices at open edges nearly coincide with another one, and are left apart; they are "
          "0.001 m apart at the most: join them where the mesh was made\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_without_three_places_are_left_out),
        cmocka_unit_test(quads_with_three_places_are_triangles),
        cmocka_unit_test(faces_without_area_leave_no_vertex_without_mass),
        cmocka_unit_test(doubled_faces_bend_and_weigh_as_single_ones),
        cmocka_unit_test(tetrahedra_without_volume_or_there_twice_are_left_out),
        cmocka_unit_test(rope_segments_without_length_are_left_out),
        cmocka_unit_test(seams_that_rounding_parted_are_joined),
        cmocka_unit_test(gaps_that_were_meant_stay),
        cmocka_unit_test(turned_faces_of_a_collider_are_turned_back),
        cmocka_unit_test(what_has_one_side_is_left),
        cmocka_unit_test(what_is_left_out_is_said_in_one_line),
        cmocka_unit_test(seams_are_said_with_what_joins_them),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
