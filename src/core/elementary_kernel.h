/* Elementary functions without branches, so that loops over arrays in kernels become vector
 * instructions. The functions in core/elementary.h call these, so both give the same bits. */
#pragma once

#include "core/cpu.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* factor[0] + factor[1] x + ... */
PSB_INLINE double psb_polynomial(const double *factor, int count, double x) {
    double sum = factor[count - 1];
    for (int k = count - 2; k >= 0; k--) {
        sum = sum * x + factor[k];
    }
    return sum;
}

/* Angles below that are split exactly. */
#define PSB_MOST_RADIANS 0x1p20

/* Splits x into n quarters of a turn and r + tail, |r| < 0.8, and returns the last bits of n. */
PSB_INLINE uint64_t psb_quarters(double x, double *r, double *tail) {
    /* The first two parts of pi / 2 have 33 bits, so that their products with n are exact. */
    static const double part[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
    const double room = 0x1.8p52; /* its last bits count in whole numbers */
    double shifted = x * 0x1.45f306dc9c883p-1 + room, n = shifted - room; /* x / (pi / 2) */
    double most = x - n * part[0], rest = n * part[1];
    *r = most - rest;
    *tail = ((most - *r) - rest) - n * part[2];
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return bits;
}

/* sin(r + tail) for |r| < 0.8 */
PSB_INLINE double psb_sine_rest(double r, double tail) {
    static const double factor[] = {-1.0 / 6.0,          1.0 / 120.0,         -1.0 / 5040.0,
                                    1.0 / 362880.0,      -1.0 / 39916800.0,   1.0 / 6227020800.0,
                                    -1.0 / 1307674368e3, 1.0 / 355687428096e3};
    double z = r * r;
    return r + (r * z * psb_polynomial(factor, 8, z) + tail * (1.0 - 0.5 * z));
}

PSB_INLINE double psb_cosine_rest(double r, double tail) {
    static const double factor[] = {
        1.0 / 24.0,        -1.0 / 720.0,         1.0 / 40320.0,       -1.0 / 3628800.0,
        1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888e3, -1.0 / 6402373705728e3};
    double z = r * r, half = 0.5 * z, first = 1.0 - half;
    return first + (((1.0 - first) - half) + (z * z * psb_polynomial(factor, 8, z) - r * tail));
}

/* Sine and cosine of x, |x| < PSB_MOST_RADIANS */
PSB_INLINE void psb_sine_cosine_of(double x, double *sine, double *cosine) {
    double r, tail;
    uint64_t quadrant = psb_quarters(x, &r, &tail);
    double s = psb_sine_rest(r, tail), c = psb_cosine_rest(r, tail);
    bool odd = (quadrant & 1) != 0;
    double up = odd ? c : s, along = odd ? s : c;
    *sine = (quadrant & 2) != 0 ? -up : up;
    *cosine = ((quadrant + 1) & 2) != 0 ? -along : along;
}

PSB_INLINE double psb_atan2_of(double y, double x) {
    /* atan(n / 8), as angle + angle_rest: two doubles have more bits than one */
    static const double angle[] = {0.0,
                                   0x1.fd5ba9aac2f6ep-4,
                                   0x1.f5b75f92c80ddp-3,
                                   0x1.6f61941e4def1p-2,
                                   0x1.dac670561bb4fp-2,
                                   0x1.1e00babdefeb4p-1,
                                   0x1.4978fa3269ee1p-1,
                                   0x1.700a7c5784634p-1,
                                   0x1.921fb54442d18p-1};
    static const double angle_rest[] = {0.0,
                                        -0x1.cd37686760c17p-59,
                                        0x1.8ab6e3cf7afbdp-57,
                                        -0x1.c63aae6f6e918p-56,
                                        0x1.a2b7f222f65e2p-56,
                                        -0x1.928df287a668fp-58,
                                        0x1.2419a87f2a458p-56,
                                        -0x1.8c34d25aadef6p-56,
                                        0x1.1a62633145c07p-55};
    static const double factor[] = {-1.0 / 3.0, 1.0 / 5.0,   -1.0 / 7.0,
                                    1.0 / 9.0,  -1.0 / 11.0, 1.0 / 13.0};
    double across = fabs(y), along = fabs(x);
    double large = across > along ? across : along, small = across > along ? along : across;
    large = large == 0.0 ? 1.0 : large;
    double slope = small / large;
    bool number = slope >= 0.0;
    /* n: the slope in eighths, rounded. The last bits of n + 2^52 are the tables' index. */
    const double room = 0x1p52;
    double eighths = 8.0 * (number ? slope : 0.0) + 0.5, n = (eighths + room) - room;
    n -= n > eighths ? 1.0 : 0.0;
    double shifted = n + room;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    size_t place = bits & 15;
    double t = (small - 0.125 * n * large) / (large + 0.125 * n * small), z = t * t;
    /* angle = main + (t + rest), within the eighth of a turn next to the x axis */
    double main = angle[place], rest = angle_rest[place] + t * z * psb_polynomial(factor, 6, z);
    /* Reflects the angle to pi / 2 - angle and pi - angle; the subtractions are exact or small. */
    for (int half = 1; half <= 2; half++) {
        bool turn = half == 1 ? across > along : x < 0.0;
        double difference = 2.0 * half * angle[8] - main;
        double other =
            ((2.0 * half * angle[8] - difference) - main) + (2.0 * half * angle_rest[8] - rest);
        main = turn ? difference : main;
        rest = turn ? other : rest;
        t = turn ? -t : t;
    }
    return copysign(number ? main + (t + rest) : NAN, y);
}

/* log 2 as a sum; its first part has 32 bits, so that products with exponents are exact. */
static const double psb_log_of_two[2] = {0x1.62e42feep-1, 0x1.a39ef35793c76p-33};

/* log(1 + f) - f = -f^2 / 2 + f^3 / 3 - ..., for 1 + f between sqrt(1/2) and sqrt(2) */
PSB_INLINE double psb_log_rest(double f) {
    static const double factor[] = {2.0 / 3.0,  2.0 / 5.0,  2.0 / 7.0,  2.0 / 9.0,  2.0 / 11.0,
                                    2.0 / 13.0, 2.0 / 15.0, 2.0 / 17.0, 2.0 / 19.0, 2.0 / 21.0};
    double s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
    return s * (half + z * psb_polynomial(factor, 10, z)) - half;
}

/* Splits x > 0 into 2^exponent (1 + f) and returns f, with sqrt(1/2) <= 1 + f < sqrt(2). The
 * exponent bits of x, less those of sqrt(1/2), are the exponent. */
PSB_INLINE double psb_split(double x, double *exponent) {
    const uint64_t root_of_half = 0x3fe6a09e667f3bcd, room_bits = 0x4338000000000000;
    const double room = 0x1.8p52; /* its last bits count in whole numbers */
    bool subnormal = x < DBL_MIN; /* subnormal numbers have no exponent bits: scale them */
    x = subnormal ? x * 0x1p64 : x;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int64_t power = ((int64_t)(bits - root_of_half)) >> 52;
    bits -= (uint64_t)power << 52;
    memcpy(&x, &bits, sizeof bits);
    bits = room_bits + (uint64_t)power;
    double whole;
    memcpy(&whole, &bits, sizeof whole);
    *exponent = (whole - room) - (subnormal ? 64.0 : 0.0);
    return x - 1.0;
}

/* log(x) for finite x > 0 */
PSB_INLINE double psb_log_of(double x) {
    double n, f = psb_split(x, &n);
    return n * psb_log_of_two[0] + (f + (psb_log_rest(f) + n * psb_log_of_two[1]));
}

PSB_INLINE double psb_asinh_of(double x) {
    double a = fabs(x);
    bool large = a > 0x1p30;
    /* log(1 + small), corrected for what rounding 1 + small loses */
    double small = a + a * a / (1.0 + sqrt(1.0 + a * a)), sum = 1.0 + small;
    double log = psb_log_of(large ? a : sum);
    bool tiny = sum == 1.0;
    double corrected = tiny ? small : log * (small / (tiny ? 1.0 : sum - 1.0));
    return copysign(large ? log + M_LN2 : corrected, x);
}
