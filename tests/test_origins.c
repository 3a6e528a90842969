/* The law: files of bodies that tear say of each vertex which of the caller's it was split from, or is, as the state does; -1 of one that stands by. Files of other
 * bodies do not. */
#include "files.h"
#include "torn.h"

#include "pliant/io.h"

enum { FRAMES = 2 };

typedef struct torn_world {
    trial         t;
    pliant_body   body;           /* a block that tears, behind one that does not */
    pliant_state *frames[FRAMES]; /* whole, and cut */
} torn_world;

static void make_torn(torn_world *w)
{
    const block       whole = {{2, 2, 2}, 0, 0, 0, PLIANT_SOLID_NEO_HOOKEAN, 1}, b = {{2, 4, 2}, 1.3, 2, 0, PLIANT_SOLID_NEO_HOOKEAN, 1};
    const pliant_vec3 blade[3] = {vec(-9, 0, -9), vec(9, 0, -9), vec(0, 0, 9)};
    trial_begin(&w->t, 0, 5, 1);
    add_block(&w->t, &whole);
    w->body = add_block(&w->t, &b);
    trial_compile(&w->t);
    for (int f = 0; f < FRAMES; f++) {
        w->frames[f] = pliant_state_create(w->t.model, NULL);
        assert_non_null(w->frames[f]);
    }
    assert_int_equal(pliant_state_cut(w->frames[1], w->body, blade), 9);
}

static void write_torn(const torn_world *w, const char *path, bool exploded)
{
    pliant_error     error = {0};
    pliant_write_def def = pliant_write_def_default();
    def.frames = FRAMES;
    def.exploded = exploded;
    pliant_writer *writer = pliant_writer_open(path, w->t.model, &def, &error);
    if (!writer) fail_msg("%s", error.message);
    for (int f = 0; f < FRAMES; f++) assert_int_equal(pliant_writer_frame(writer, w->frames[f], &error), PLIANT_OK);
    assert_int_equal(pliant_writer_close(writer, &error), PLIANT_OK);
}

static void end_torn(torn_world *w)
{
    for (int f = 0; f < FRAMES; f++) pliant_state_destroy(w->frames[f]);
    trial_end(&w->t);
}

static bool is_written(const char *ending)
{
    bool found = false;
    for (uint32_t i = 0; pliant_format_at(i); i++)
        found = found || (strcmp(pliant_format_at(i)->ending, ending) == 0 && pliant_format_is_written(i));
    return found;
}

static uint32_t word_at(const char *from)
{
    uint32_t word = 0;
    for (int k = 0; k < 4; k++) word |= (uint32_t)(unsigned char)from[k] << 8 * k;
    return word;
}

/* Origins in a file: the first one, the bytes from one to the next, and how many. */
typedef struct origins {
    const char *first;
    size_t      stride, count;
} origins;

static void check_origins(const torn_world *w, int frame, origins of, bool exploded)
{
    const pliant_body_info b = pliant_model_body(w->t.model, w->body);
    const uint32_t        *corner = pliant_state_faces(w->frames[frame], w->body);
    uint32_t               born = 0, spare = 0;
    assert_int_equal(of.count, exploded ? b.face_index_count : b.vertex_count);
    for (uint32_t v = 0; v < of.count; v++) {
        const uint32_t vertex = exploded ? corner[v] : v, found = word_at(of.first + v * of.stride);
        assert_int_equal(found, pliant_state_origin(w->frames[frame], w->body, vertex));
        spare += found == UINT32_MAX;
        born += found != UINT32_MAX && vertex >= b.vertex_count - b.spare_count;
    }
    if (exploded) return;
    assert_int_equal(born, frame ? 9 : 0);
    assert_int_equal(spare, b.spare_count - born);
}

/* The bytes of a property of a vertex are the last of it. */
static origins in_ply(const char *text)
{
    const char *element = strstr(text, "element vertex "), *header = strstr(text, "end_header\n") + 11;
    const char *property = strstr(text, "property int origin\nelement face");
    origins     of = {.stride = 9 * sizeof(pliant_real) + 4};
    assert_true(element && property && property < header);
    of.count = strtoul(element + 15, NULL, 10);
    of.first = header + of.stride - 4;
    return of;
}

static origins in_vtp(const char *text, const char *end)
{
    const char *array = strstr(text, "<DataArray type=\"Int32\" Name=\"origin\" format=\"appended\" offset=\""),
               *raw = strstr(text, "encoding=\"raw\">\n_");
    assert_true(array && raw && array < strstr(text, "</PointData>"));
    raw += 17 + strtoul(strstr(array, "offset=\"") + 8, NULL, 10);
    const origins of = {.first = raw + 8, .stride = 4, .count = word_at(raw) / 4};
    assert_true(raw + 8 + 4 * of.count <= end);
    return of;
}

static void a_file_per_body_and_frame_has_its_origins(void **unused)
{
    (void)unused;
    torn_world w;
    make_torn(&w);
    for (int exploded = 0; exploded < 2; exploded++) {
        write_torn(&w, "torn.ply/", exploded);
        write_torn(&w, "torn.pvd", exploded);
        for (int k = 0; k < 2 * FRAMES; k++) {
            char   path[64];
            size_t size;
            for (int body = 1; body <= 2; body++) {
                snprintf(path, sizeof path, "torn%s/body%d.%04d.%s", k % 2 ? "" : ".ply", body, k / 2, k % 2 ? "vtp" : "ply");
                char *text = read_whole(path, &size);
                if (body == 1) assert_null(strstr(text, "origin")); /* of a header, which is text */
                if (body == 2) check_origins(&w, k / 2, k % 2 ? in_vtp(text, text + size) : in_ply(text), exploded);
                free(text);
            }
        }
    }
    end_torn(&w);
}

static uint64_t long_at(const char *from) { return word_at(from) | (uint64_t)word_at(from + 4) << 32; }

/* Of all bodies one behind the other; where they are is in the block behind the bytes of HDF5. Exploded, faces do not change, and there is no such array. */
static void a_vtkhdf_has_the_origins_of_each_frame(void **unused)
{
    (void)unused;
    enum { BLOCK = 168, FIELDS = 16, POINTS = 2, ORIGINS = 17 };
    torn_world w;
    size_t     size;
    if (!is_written(".vtkhdf")) skip();
    make_torn(&w);
    write_torn(&w, "torn.vtkhdf", true);
    char *bytes = read_whole("torn.vtkhdf", &size);
    assert_memory_equal(bytes + size - 128, "Pliant VTKHDF 2", 16);
    free(bytes);
    assert_int_equal(remove("torn.vtkhdf"), 0);
    write_torn(&w, "torn.vtkhdf", false);
    bytes = read_whole("torn.vtkhdf", &size);
    const char    *tail = bytes + size - BLOCK;
    const uint64_t points = long_at(tail + FIELDS + 8 * POINTS), at = long_at(tail + FIELDS + 8 * ORIGINS);
    const uint32_t before = 27, all = before + pliant_model_body(w.t.model, w.body).vertex_count;
    assert_memory_equal(tail, "Pliant VTKHDF 4", 16);
    assert_int_equal(points, all);
    assert_true(at + 4 * points * FRAMES <= size);
    for (int f = 0; f < FRAMES; f++) {
        const char *frame = bytes + at + 4 * points * (uint64_t)f;
        for (uint32_t v = 0; v < before; v++) assert_int_equal(word_at(frame + 4 * (size_t)v), v);
        check_origins(&w, f, (origins){frame + 4 * (size_t)before, 4, all - before}, false);
    }
    free(bytes);
    end_torn(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_file_per_body_and_frame_has_its_origins, clear_folder),
        cmocka_unit_test_teardown(a_vtkhdf_has_the_origins_of_each_frame, clear_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
