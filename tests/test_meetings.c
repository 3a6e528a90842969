/* Meetings of a mesh in motion: every one is found, each once; and pairs that did not meet have not crossed. */
#include "collide/impact_times.h"
#include "crossings.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 5, VERTICES = 2 * SIDE * SIDE, TRIANGLES = 4 * (SIDE - 1) * (SIDE - 1) };

static uint64_t seed = 1;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

/* Two sheets, one above the other; the upper one comes down by `fall`, all of them tremble by up to `each`. */
typedef struct sheets {
    double              from[3 * VERTICES], to[3 * VERTICES];
    uint32_t            triangles[3 * TRIANGLES];
    pliant__moving_mesh mesh;
} sheets;

static void make(sheets *s, double gap, double fall, double each)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < VERTICES; i++) {
        const uint32_t upper = i / (SIDE * SIDE), at = i % (SIDE * SIDE);
        const double   place[3] = {at % SIDE, gap * upper, at / SIDE};
        for (uint32_t k = 0; k < 3; k++) {
            s->from[3 * i + k] = place[k] + uniform(-0.01, 0.01);
            s->to[3 * i + k] = s->from[3 * i + k] + uniform(-each, each) - (k == 1 && upper ? fall : 0);
        }
        if (at % SIDE == SIDE - 1 || at / SIDE == SIDE - 1) continue;
        const uint32_t quad[6] = {i, i + 1, i + SIDE, i + 1, i + SIDE + 1, i + SIDE};
        memcpy(s->triangles + n, quad, sizeof quad);
        n += 6;
    }
    assert_int_equal(n, 3 * TRIANGLES);
    s->mesh = (pliant__moving_mesh){s->from, s->to, s->triangles, VERTICES, TRIANGLES, NULL, NULL};
}

static pliant__straight_motion motion_of(const sheets *s, const uint32_t v[4])
{
    pliant__straight_motion m;
    for (uint32_t i = 0; i < 4; i++) {
        memcpy(m.from[i], s->from + 3 * (size_t)v[i], sizeof m.from[i]);
        memcpy(m.to[i], s->to + 3 * (size_t)v[i], sizeof m.to[i]);
    }
    return m;
}

static size_t find(const sheets *s, double distance, pliant__mesh_impacts *out)
{
    assert_true(pliant__find_impacts(NULL, &s->mesh, distance, 1e-9, SIZE_MAX, out));
    return out->count;
}

/* Every corner against every triangle. */
static size_t corners_one_by_one(const sheets *s, double distance)
{
    size_t found = 0;
    for (uint32_t i = 0; i < VERTICES; i++)
        for (uint32_t t = 0; t < TRIANGLES; t++) {
            const uint32_t *c = s->triangles + 3 * (size_t)t, v[4] = {i, c[0], c[1], c[2]};
            if (i == c[0] || i == c[1] || i == c[2]) continue;
            const pliant__straight_motion m = motion_of(s, v);
            found += pliant__corner_meets_triangle(&m, distance, 1e-9).meets;
        }
    return found;
}

static bool is_edge(const sheets *s, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) {
        const uint32_t one = s->triangles[i], other = s->triangles[i - i % 3 + (i + 1) % 3];
        if ((one == a && other == b) || (one == b && other == a)) return true;
    }
    return false;
}

static size_t edges_one_by_one(const sheets *s, double distance)
{
    size_t   found = 0, count = 0;
    uint32_t edge[3 * TRIANGLES][2];
    for (uint32_t a = 0; a < VERTICES; a++)
        for (uint32_t b = a + 1; b < VERTICES; b++)
            if (is_edge(s, a, b)) edge[count][0] = a, edge[count++][1] = b;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            const uint32_t v[4] = {edge[i][0], edge[i][1], edge[j][0], edge[j][1]};
            if (v[0] == v[2] || v[0] == v[3] || v[1] == v[2] || v[1] == v[3]) continue;
            const pliant__straight_motion m = motion_of(s, v);
            found += pliant__edges_meet(&m, distance, 1e-9).meets;
        }
    return found;
}

static void all_meetings_are_found_once(void **state)
{
    (void)state;
    pliant__mesh_impacts out = {0};
    size_t               all = 0;
    for (int i = 0; i < 12; i++) {
        sheets       s;
        const double distance = i % 2 ? 0.02 : 0;
        make(&s, 0.3, i % 3 ? 0.3 : 0.1, i % 4 ? 0.1 : 0.4);
        find(&s, distance, &out);
        size_t corners = 0;
        for (size_t k = 0; k < out.count; k++) corners += !out.data[k].edges;
        assert_int_equal(corners, corners_one_by_one(&s, distance));
        assert_int_equal(out.count - corners, edges_one_by_one(&s, distance));
        for (size_t k = 0; k < out.count; k++) assert_true(out.data[k].settled && out.data[k].time >= 0 && out.data[k].time <= 1);
        all += out.count;
    }
    assert_true(all > 1000);
    array_free(NULL, &out);
}

/* The first meeting is where a path has to end: up to it nothing has crossed, and a way on shows that something would have. */
static void up_to_the_first_meeting_nothing_crosses(void **state)
{
    (void)state;
    pliant__mesh_impacts out = {0};
    size_t               crossed = 0, stopped = 0;
    for (int i = 0; i < 200; i++) {
        sheets s;
        make(&s, 0.1, uniform(0, 0.2), uniform(0, 0.1));
        assert_int_equal(crossings(s.from, s.triangles, TRIANGLES, NULL, 0), 0);
        const size_t after = crossings(s.to, s.triangles, TRIANGLES, NULL, 0);
        find(&s, 0, &out);
        if (after) assert_true(out.count > 0);
        double first = 1;
        for (size_t k = 0; k < out.count; k++) first = fmin(first, out.data[k].time);
        for (int k = 0; k < 3 * VERTICES; k++) s.to[k] = (1 - first) * s.from[k] + first * s.to[k];
        assert_int_equal(crossings(s.to, s.triangles, TRIANGLES, NULL, 0), 0);
        crossed += after > 0;
        stopped += first < 1;
    }
    assert_true(crossed > 50 && stopped >= crossed && stopped < 200);
    array_free(NULL, &out);
}

static void what_goes_together_does_not_meet(void **state)
{
    (void)state;
    pliant__mesh_impacts out = {0};
    sheets               s;
    make(&s, 0.1, 0, 0);
    for (int k = 0; k < 3 * VERTICES; k++) s.to[k] += 0.5;
    assert_int_equal(find(&s, 0, &out), 0);
    assert_int_equal(find(&s, 0.05, &out), 0);
    assert_true(find(&s, 0.11, &out) > 0);
    array_free(NULL, &out);
}

static void too_many_pairs_and_no_triangles_are_answers_too(void **state)
{
    (void)state;
    pliant__mesh_impacts out = {0};
    sheets               s;
    make(&s, 0.1, 0.2, 0);
    assert_false(pliant__find_impacts(NULL, &s.mesh, 0, 1e-9, 10, &out));
    s.mesh.count = 0;
    assert_true(pliant__find_impacts(NULL, &s.mesh, 0, 1e-9, 10, &out));
    assert_int_equal(out.count, 0);
    array_free(NULL, &out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_meetings_are_found_once), cmocka_unit_test(up_to_the_first_meeting_nothing_crosses),
        cmocka_unit_test(what_goes_together_does_not_meet), cmocka_unit_test(too_many_pairs_and_no_triangles_are_answers_too)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
