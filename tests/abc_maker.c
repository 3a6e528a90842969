#include "abc_maker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define IS_DATA ((uint64_t)1 << 63)

static void put(abc_maker *m, const void *data, size_t size)
{
    assert_true(m->size + size <= sizeof m->bytes);
    memcpy(m->bytes + m->size, data, size);
    m->size += size;
}

static void put_number(abc_maker *m, uint64_t value, unsigned size)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < 8; i++) bytes[i] = (unsigned char)(value >> 8 * i);
    put(m, bytes, size);
}

void abc_begin(abc_maker *m)
{
    m->size = 0;
    put(m, "Ogawa\xff\0\1", 8);
    put_number(m, 0, 8);
}

uint64_t abc_data(abc_maker *m, const void *data, size_t size)
{
    const uint64_t place = m->size;
    if (!size) return IS_DATA;
    put_number(m, size, 8);
    put(m, data, size);
    return place | IS_DATA;
}

uint64_t abc_group(abc_maker *m, const uint64_t *children, size_t count)
{
    const uint64_t place = m->size;
    if (!count) return 0;
    put_number(m, count, 8);
    for (size_t i = 0; i < count; i++) put_number(m, children[i], 8);
    return place;
}

static uint64_t keyed(abc_maker *m, const void *values, size_t count, size_t each)
{
    const uint64_t place = m->size;
    put_number(m, 16 + count * each, 8);
    put(m, "a key of 16 byte", 16);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        memcpy(&bits, (const char *)values + i * each, each);
        put_number(m, bits, (unsigned)each);
    }
    return place | IS_DATA;
}

uint64_t abc_floats(abc_maker *m, const float *values, size_t count)
{
    uint32_t bits[256];
    assert_true(count <= 256);
    memcpy(bits, values, count * 4);
    return keyed(m, bits, count, 4);
}

uint64_t abc_doubles(abc_maker *m, const double *values, size_t count)
{
    uint64_t bits[256];
    assert_true(count <= 256);
    memcpy(bits, values, count * 8);
    return keyed(m, bits, count, 8);
}

uint64_t abc_samples(abc_maker *m, const uint64_t *samples, size_t count, unsigned type)
{
    uint64_t children[64];
    size_t   n = 0;
    assert_true(count <= 32);
    for (size_t i = 0; i < count; i++) {
        children[n++] = samples[i];
        if (type != 1) children[n++] = IS_DATA;
    }
    return abc_group(m, children, n);
}

/* Numbers of one byte, two or four, by turns: readers take each. */
static void put_head(abc_maker *m, const abc_property *p, unsigned hint)
{
    const unsigned size = 1u << hint;
    const int      stays = !p->first && !p->last, every = p->first == 1 && p->last + 1 == p->samples;
    put_number(m,
               p->type | hint << 2 | p->pod << 4 | (p->times ? 0x100u : 0) | (p->type && !stays && !every ? 0x200u : 0) |
                   (p->type && stays ? 0x800u : 0) | p->extent << 12 | 255u << 20,
               4);
    if (p->type) {
        put_number(m, p->samples, size);
        if (!stays && !every) put_number(m, p->first, size);
        if (!stays && !every) put_number(m, p->last, size);
        if (p->times) put_number(m, p->times, size);
    }
    put_number(m, strlen(p->name), size);
    put(m, p->name, strlen(p->name));
    put_number(m, 5, size);
    put(m, "a=b;c", 5);
}

uint64_t abc_compound(abc_maker *m, const abc_property *properties, size_t count)
{
    uint64_t children[16];
    assert_true(count < 16);
    if (!count) return 0;
    const uint64_t place = m->size;
    put_number(m, 0, 8);
    for (size_t i = 0; i < count; i++) put_head(m, &properties[i], (unsigned)(i % 3));
    const uint64_t size = m->size - place - 8;
    for (unsigned i = 0; i < 8; i++) m->bytes[place + i] = (unsigned char)(size >> 8 * i);
    for (size_t i = 0; i < count; i++) children[i] = properties[i].group;
    children[count] = place | IS_DATA;
    return abc_group(m, children, count + 1);
}

uint64_t abc_put_object(abc_maker *m, uint64_t properties, const abc_object *children, size_t count)
{
    uint64_t       list[16] = {properties};
    const uint64_t place = m->size;
    assert_true(count < 14);
    put_number(m, 0, 8);
    for (size_t i = 0; i < count; i++) {
        put_number(m, strlen(children[i].name), 4);
        put(m, children[i].name, strlen(children[i].name));
        put_number(m, i % 2 ? 0 : 255, 1);
        if (i % 2) continue;
        put_number(m, 5, 4);
        put(m, "d=e;f", 5);
    }
    put(m, "thirty-two bytes of two digests.", 32);
    const uint64_t size = m->size - place - 8;
    for (unsigned i = 0; i < 8; i++) m->bytes[place + i] = (unsigned char)(size >> 8 * i);
    for (size_t i = 0; i < count; i++) list[1 + i] = children[i].group;
    list[count + 1] = place | IS_DATA;
    return abc_group(m, list, count + 2);
}

size_t abc_times(unsigned char *out, double cycle, const double *times, uint32_t count)
{
    uint64_t bits;
    size_t   at = 0;
    for (int i = 0; i < 4; i++) out[at++] = 9;
    memcpy(&bits, &cycle, 8);
    for (int i = 0; i < 8; i++) out[at++] = (unsigned char)(bits >> 8 * i);
    for (int i = 0; i < 4; i++) out[at++] = (unsigned char)(count >> 8 * i);
    for (uint32_t k = 0; k < count; k++) {
        memcpy(&bits, &times[k], 8);
        for (int i = 0; i < 8; i++) out[at++] = (unsigned char)(bits >> 8 * i);
    }
    return at;
}

void abc_end(abc_maker *m, const char *about, const void *times, size_t times_size, uint64_t top)
{
    const uint64_t root[] = {abc_data(m, "\0\0\0\0", 4),        abc_data(m, "\x33\x2a\0\0", 4), top,
                             abc_data(m, about, strlen(about)), abc_data(m, times, times_size), abc_data(m, "\0", 1)};
    const uint64_t place = abc_group(m, root, 6);
    for (unsigned i = 0; i < 8; i++) m->bytes[8 + i] = (unsigned char)(place >> 8 * i);
}
