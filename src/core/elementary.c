/* Reduction to small arguments, then Taylor's series. Constants of two parts add up to more bits.
 */
#include "core/elementary.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* factor[0] + factor[1] x + ... */
static inline double polynomial(const double *factor, int count, double x) {
    double sum = factor[count - 1];
    for (int k = count - 2; k >= 0; k--) {
        sum = sum * x + factor[k];
    }
    return sum;
}

/* For |x| < 2^51: adding so large a number leaves no room for a fraction. */
static double nearest_whole(double x) {
    const double room = 0x1.8p52;
    return (x + room) - room;
}

/* sin(r + tail) for |r| < 0.8 */
static double sine(double r, double tail) {
    static const double factor[] = {-1.0 / 6.0,          1.0 / 120.0,         -1.0 / 5040.0,
                                    1.0 / 362880.0,      -1.0 / 39916800.0,   1.0 / 6227020800.0,
                                    -1.0 / 1307674368e3, 1.0 / 355687428096e3};
    double z = r * r;
    return r + (r * z * polynomial(factor, 8, z) + tail * (1.0 - 0.5 * z));
}

static double cosine(double r, double tail) {
    static const double factor[] = {
        1.0 / 24.0,        -1.0 / 720.0,         1.0 / 40320.0,       -1.0 / 3628800.0,
        1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888e3, -1.0 / 6402373705728e3};
    double z = r * r, half = 0.5 * z, first = 1.0 - half;
    return first + (((1.0 - first) - half) + (z * z * polynomial(factor, 8, z) - r * tail));
}

/* sin(x + quarters pi / 2) */
static double turned_sine(double x, int quarters) {
    /* The first two parts of pi / 2 have 33 bits, so that their products with n are exact. */
    static const double part[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
    if (!(fabs(x) < 0x1p20)) { /* where the products below would be rounded */
        x = fmod(x, 2.0 * M_PI);
    }
    double n = nearest_whole(x * 0x1.45f306dc9c883p-1); /* x / (pi / 2) */
    double most = x - n * part[0], rest = n * part[1];
    double r = most - rest, tail = ((most - r) - rest) - n * part[2];
    unsigned quadrant = (unsigned)((int)n + quarters) % 4;
    double value = quadrant % 2 == 0 ? sine(r, tail) : cosine(r, tail);
    return quadrant < 2 ? value : -value;
}

double psb_sin(double x) {
    return turned_sine(x, 0);
}

double psb_cos(double x) {
    return turned_sine(x, 1);
}

double psb_atan2(double y, double x) {
    /* of n / 8 */
    static const double angle[][2] = {{0.0, 0.0},
                                      {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                      {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                      {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                      {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                      {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                      {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                      {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                      {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};
    static const double factor[] = {-1.0 / 3.0, 1.0 / 5.0,   -1.0 / 7.0,
                                    1.0 / 9.0,  -1.0 / 11.0, 1.0 / 13.0};
    double across = fabs(y), along = fabs(x);
    double large = across > along ? across : along, small = across > along ? along : across;
    if (large == 0.0) {
        return copysign(0.0, y);
    }
    double slope = small / large;
    if (!(slope >= 0.0)) {
        return NAN;
    }
    int n = (int)(8.0 * slope + 0.5);
    double t = (small - 0.125 * n * large) / (large + 0.125 * n * small), z = t * t;
    /* angle = main + (t + rest), within the eighth of a turn next to the x axis */
    double main = angle[n][0], rest = angle[n][1] + t * z * polynomial(factor, 6, z);
    if (across > along) { /* pi / 2 less that; subtractions of halves of pi are exact or small */
        double difference = 2.0 * angle[8][0] - main;
        rest = ((2.0 * angle[8][0] - difference) - main) + (2.0 * angle[8][1] - rest);
        main = difference;
        t = -t;
    }
    if (x < 0.0) {
        double difference = 4.0 * angle[8][0] - main;
        rest = ((4.0 * angle[8][0] - difference) - main) + (4.0 * angle[8][1] - rest);
        main = difference;
        t = -t;
    }
    return copysign(main + (t + rest), y);
}

/* 2^n exp(high + low), low being small and |high| < 0.35 */
static double scaled_exp(double n, double high, double low) {
    static const double factor[] = {1.0 / 2.0,        1.0 / 6.0,         1.0 / 24.0,
                                    1.0 / 120.0,      1.0 / 720.0,       1.0 / 5040.0,
                                    1.0 / 40320.0,    1.0 / 362880.0,    1.0 / 3628800.0,
                                    1.0 / 39916800.0, 1.0 / 479001600.0, 1.0 / 6227020800.0};
    double r = high + low;
    double rest = ((high - r) + low) + r * r * polynomial(factor, 12, r);
    return ldexp(1.0 + (r + rest), (int)n);
}

/* log 2; the first part has 32 bits, so that products with exponents are exact. */
static const double log_of_two[2] = {0x1.62e42feep-1, 0x1.a39ef35793c76p-33};

double psb_exp(double x) {
    if (!(x > -800.0)) {
        return isnan(x) ? x : 0.0;
    }
    if (x > 800.0) {
        return INFINITY;
    }
    double n = nearest_whole(x * 0x1.71547652b82fep+0); /* x / log 2 */
    return scaled_exp(n, x - n * log_of_two[0], -n * log_of_two[1]);
}

double psb_exp2(double x) {
    if (!(fabs(x) < 1100.0)) {
        return isnan(x) ? x : x < 0.0 ? 0.0 : INFINITY;
    }
    double n = nearest_whole(x);
    return scaled_exp(n, (x - n) * M_LN2, 0.0);
}

/* log(1 + f) less f, for 1 + f between the root of 1/2 and that of 2: f - f^2 / 2 + ... */
static double log_rest(double f) {
    static const double factor[] = {2.0 / 3.0,  2.0 / 5.0,  2.0 / 7.0,  2.0 / 9.0,  2.0 / 11.0,
                                    2.0 / 13.0, 2.0 / 15.0, 2.0 / 17.0, 2.0 / 19.0, 2.0 / 21.0};
    double s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
    return s * (half + z * polynomial(factor, 10, z)) - half;
}

/*
 * Finds f and *exponent with x = 2^exponent (1 + f), 1 + f from the root of 1/2 up to below that of
 * 2; x > 0. The exponent's bits of a double say by how many powers of two x exceeds that root.
 */
static double split(double x, int *exponent) {
    const uint64_t root_of_half = 0x3fe6a09e667f3bcd;
    int shift = x < DBL_MIN ? 64 : 0; /* numbers below the normal ones have other bits */
    x = shift > 0 ? x * 0x1p64 : x;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int64_t power = ((int64_t)(bits - root_of_half)) >> 52;
    bits -= (uint64_t)power << 52;
    memcpy(&x, &bits, sizeof bits);
    *exponent = (int)power - shift;
    return x - 1.0;
}

double psb_log(double x) {
    if (!(x > 0.0) || isinf(x)) {
        return x == 0.0 ? -INFINITY : x > 0.0 ? x : NAN;
    }
    int n;
    double f = split(x, &n);
    return n * log_of_two[0] + (f + (log_rest(f) + n * log_of_two[1]));
}

double psb_log2(double x) {
    if (!(x > 0.0) || isinf(x)) {
        return psb_log(x);
    }
    int n;
    double f = split(x, &n);
    return n + (f + log_rest(f)) / M_LN2;
}

double psb_pow(double x, double y) {
    return y == 0.0 ? 1.0 : x == 0.0 ? (y > 0.0 ? 0.0 : INFINITY) : psb_exp(y * psb_log(x));
}

double psb_asinh(double x) {
    double a = fabs(x);
    if (a > 0x1p30) {
        return copysign(psb_log(a) + M_LN2, x);
    }
    /* log(1 + small), corrected for what rounding of the sum loses */
    double small = a + a * a / (1.0 + sqrt(1.0 + a * a)), sum = 1.0 + small;
    return copysign(sum == 1.0 ? small : psb_log(sum) * (small / (sum - 1.0)), x);
}
