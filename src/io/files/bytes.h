/* Numbers as bytes of files, little-endian unless the name says otherwise. */
#ifndef PLIANT_IO_FILES_BYTES_H
#define PLIANT_IO_FILES_BYTES_H

#include <stdint.h>
#include <string.h>

static inline void pliant__set_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> (8 * i));
}

static inline void pliant__set_u64(unsigned char *to, uint64_t value)
{
    for (int i = 0; i < 8; i++) to[i] = (unsigned char)(value >> (8 * i));
}

static inline uint32_t pliant__get_u32(const unsigned char *from)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) value |= (uint32_t)from[i] << (8 * i);
    return value;
}

static inline uint64_t pliant__get_u64(const unsigned char *from)
{
    return pliant__get_u32(from) | (uint64_t)pliant__get_u32(from + 4) << 32;
}

static inline void pliant__set_big_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> (24 - 8 * i));
}

static inline uint32_t pliant__get_big_u32(const unsigned char *from)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) value = value << 8 | from[i];
    return value;
}

/* ---- the same bits as a number with a point ---- */

static inline uint32_t pliant__float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}

static inline float pliant__bits_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static inline void  pliant__set_float(unsigned char *to, float value) { pliant__set_u32(to, pliant__float_bits(value)); }
static inline float pliant__get_float(const unsigned char *from) { return pliant__bits_float(pliant__get_u32(from)); }
static inline void  pliant__set_big_float(unsigned char *to, float value) { pliant__set_big_u32(to, pliant__float_bits(value)); }
static inline float pliant__get_big_float(const unsigned char *from) { return pliant__bits_float(pliant__get_big_u32(from)); }

static inline double pliant__get_double(const unsigned char *from)
{
    uint64_t bits = pliant__get_u64(from);
    double   value;
    memcpy(&value, &bits, 8);
    return value;
}

#endif
