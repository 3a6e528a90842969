#include "moving.h"

#include "abc_maker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static FILE *begin(const char *path)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    return f;
}

static void put_u32(FILE *f, uint32_t value)
{
    for (int i = 0; i < 4; i++) fputc((int)(value >> 8 * i & 255), f);
}

static void put_float(FILE *f, double value)
{
    const float narrow = (float)value;
    uint32_t    bits;
    memcpy(&bits, &narrow, 4);
    put_u32(f, bits);
}

void write_moving_glb(const char *path, const moving *m)
{
    const uint32_t n = m->vertices, k = m->samples, size = 24 * n + 8 * k;
    char           text[2048];
    FILE          *f = begin(path);
    snprintf(text, sizeof text,
             "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"name\":\"moving\"}],"
             "\"meshes\":[{\"primitives\":[{\"mode\":0,\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":1}]}]}],"
             "\"animations\":[{\"name\":\"go\",\"samplers\":[{\"input\":2,\"output\":3}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":"
             "0,\"path\":\"weights\"}}]}],"
             "\"buffers\":[{\"byteLength\":%u}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%u}],\"accessors\":["
             "{\"bufferView\":0,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"},"
             "{\"bufferView\":0,\"byteOffset\":%u,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"},"
             "{\"bufferView\":0,\"byteOffset\":%u,\"componentType\":5126,\"count\":%u,\"type\":\"SCALAR\"},"
             "{\"bufferView\":0,\"byteOffset\":%u,\"componentType\":5126,\"count\":%u,\"type\":\"SCALAR\"}]}",
             size, size, n, 12 * n, n, 24 * n, k, 24 * n + 4 * k, k);
    while (strlen(text) % 4) strcat(text, " ");
    fwrite("glTF\2\0\0", 1, 8, f);
    put_u32(f, (uint32_t)(28 + strlen(text) + size));
    put_u32(f, (uint32_t)strlen(text));
    fwrite("JSON", 1, 4, f);
    fwrite(text, 1, strlen(text), f);
    put_u32(f, size);
    fwrite("BIN", 1, 4, f);
    for (uint32_t i = 0; i < 3 * n; i++) put_float(f, m->base[i]);
    for (uint32_t i = 0; i < 3 * n; i++) put_float(f, m->delta[i]);
    for (uint32_t i = 0; i < k; i++) put_float(f, i / m->rate);
    for (uint32_t i = 0; i < k; i++) put_float(f, i);
    assert_int_equal(fclose(f), 0);
}

void write_moving_usda(const char *path, const moving *m)
{
    FILE *f = begin(path);
    fprintf(f, "#usda 1.0\n(\n    timeCodesPerSecond = %.9g\n)\n\ndef Xform \"moving\"\n{\n    def Mesh \"mesh\"\n    {\n", m->rate);
    fprintf(f, "        point3f[] points.timeSamples = {\n");
    for (uint32_t k = 0; k < m->samples; k++) {
        fprintf(f, "            %u: [", k);
        for (uint32_t v = 0; v < m->vertices; v++) {
            const double *x = m->base + 3 * v, *d = m->delta + 3 * v;
            fprintf(f, "%s(%.9g, %.9g, %.9g)", v ? ", " : "", x[0] + k * d[0], x[1] + k * d[1], x[2] + k * d[2]);
        }
        fprintf(f, "],\n");
    }
    fprintf(f, "        }\n    }\n}\n");
    assert_int_equal(fclose(f), 0);
}

void write_moving_abc(const char *path, const moving *m)
{
    static abc_maker maker;
    unsigned char    times[64];
    const double     zero = 0;
    uint64_t         stored[32];
    float            x[256];
    assert_true(m->samples <= 32 && 3 * m->vertices <= 256);
    size_t size = abc_times(times, 1, &zero, 1);
    size += abc_times(times + size, 1 / m->rate, &zero, 1);
    abc_begin(&maker);
    for (uint32_t k = 0; k < m->samples; k++) {
        for (uint32_t i = 0; i < 3 * m->vertices; i++) x[i] = (float)(m->base[i] + k * m->delta[i]);
        stored[k] = abc_floats(&maker, x, 3 * m->vertices);
    }
    const abc_property geom = {"P", 2, 10, 3, m->samples, 1, m->samples - 1, 1, abc_samples(&maker, stored, m->samples, 2)},
                       all = {".geom", 0, 0, 0, 0, 0, 0, 0, abc_compound(&maker, &geom, 1)};
    const abc_object shape = {"movingShape", abc_put_object(&maker, abc_compound(&maker, &all, 1), NULL, 0)},
                     top = {"moving", abc_put_object(&maker, 0, &shape, 1)};
    abc_end(&maker, "", times, size, abc_put_object(&maker, 0, &top, 1));
    FILE *f = begin(path);
    assert_int_equal(fwrite(maker.bytes, 1, maker.size, f), maker.size);
    assert_int_equal(fclose(f), 0);
}
