/* Loads numbers of binary mesh files, in either byte order, from unaligned memory. */
#pragma once

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef enum psb_scalar {
    PSB_I8,
    PSB_U8,
    PSB_I16,
    PSB_U16,
    PSB_I32,
    PSB_U32,
    PSB_F32,
    PSB_F64,
    PSB_SCALARS
} psb_scalar;

static inline size_t psb_scalar_bytes(psb_scalar type) {
    static const uint8_t bytes[PSB_SCALARS] = {1, 1, 2, 2, 4, 4, 4, 8};
    return bytes[type];
}

/* Returns the bytes as an unsigned integer on any host; `big`: they are big-endian. */
static inline uint64_t psb_load_bits(const char *at, size_t bytes, bool big) {
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (bytes) {
    case 1:
        return (unsigned char)*at;
    case 2:
        memcpy(&two, at, sizeof two);
        return big ? be16toh(two) : le16toh(two);
    case 4:
        memcpy(&four, at, sizeof four);
        return big ? be32toh(four) : le32toh(four);
    default:
        memcpy(&eight, at, sizeof eight);
        return big ? be64toh(eight) : le64toh(eight);
    }
}

static inline int64_t psb_load_integer(const char *at, psb_scalar type, bool big) {
    uint64_t bits = psb_load_bits(at, psb_scalar_bytes(type), big);
    switch (type) {
    case PSB_I8:
        return (int8_t)bits;
    case PSB_I16:
        return (int16_t)bits;
    case PSB_I32:
        return (int32_t)bits;
    default:
        return (int64_t)bits;
    }
}

static inline double psb_load_real(const char *at, psb_scalar type, bool big) {
    if (type < PSB_F32) {
        return (double)psb_load_integer(at, type, big);
    }
    uint64_t bits = psb_load_bits(at, psb_scalar_bytes(type), big);
    if (type == PSB_F64) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return (double)value;
}
