/* Reduces arguments to a small range, then sums Taylor's series. A constant that needs more bits
 * than a double has is stored as two or three doubles, which are added. */
#include "core/elementary.h"

#include "core/elementary_kernel.h"

/* Rounds x, |x| < 2^51, to a whole number: the sum x + room has no bits left for a fraction. */
static double nearest_whole(double x) {
    const double room = 0x1.8p52;
    return (x + room) - room;
}

/* sin(x + quarters pi / 2) */
static double turned_sine(double x, int quarters) {
    if (!(fabs(x) < PSB_MOST_RADIANS)) {
        x = fmod(x, 2.0 * M_PI);
    }
    double r, tail;
    unsigned quadrant = (unsigned)(psb_quarters(x, &r, &tail) + (uint64_t)quarters) % 4;
    double value = quadrant % 2 == 0 ? psb_sine_rest(r, tail) : psb_cosine_rest(r, tail);
    return quadrant < 2 ? value : -value;
}

double psb_sin(double x) {
    return turned_sine(x, 0);
}

double psb_cos(double x) {
    return turned_sine(x, 1);
}

double psb_atan2(double y, double x) {
    return psb_atan2_of(y, x);
}

/* Returns 2^n by writing n into a double's exponent bits; 2^n must be a normal double. */
static double power_of_two(int n) {
    uint64_t bits = (uint64_t)(n + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* 2^n exp(high + low), for |high| < 0.35 and a small `low` */
static double scaled_exp(double n, double high, double low) {
    static const double factor[] = {1.0 / 2.0,        1.0 / 6.0,         1.0 / 24.0,
                                    1.0 / 120.0,      1.0 / 720.0,       1.0 / 5040.0,
                                    1.0 / 40320.0,    1.0 / 362880.0,    1.0 / 3628800.0,
                                    1.0 / 39916800.0, 1.0 / 479001600.0, 1.0 / 6227020800.0};
    double r = high + low;
    double rest = ((high - r) + low) + r * r * psb_polynomial(factor, 12, r);
    int half = (int)n / 2; /* two factors reach subnormals and infinity, with one rounding */
    return (1.0 + (r + rest)) * power_of_two(half) * power_of_two((int)n - half);
}

double psb_exp(double x) {
    if (!(x > -800.0)) {
        return isnan(x) ? x : 0.0;
    }
    if (x > 800.0) {
        return INFINITY;
    }
    double n = nearest_whole(x * 0x1.71547652b82fep+0); /* x / log 2 */
    return scaled_exp(n, x - n * psb_log_of_two[0], -n * psb_log_of_two[1]);
}

double psb_exp2(double x) {
    if (!(fabs(x) < 1100.0)) {
        return isnan(x) ? x : x < 0.0 ? 0.0 : INFINITY;
    }
    double n = nearest_whole(x);
    return scaled_exp(n, (x - n) * M_LN2, 0.0);
}

double psb_log(double x) {
    if (!(x > 0.0) || isinf(x)) {
        return x == 0.0 ? -INFINITY : x > 0.0 ? x : NAN;
    }
    return psb_log_of(x);
}

double psb_log2(double x) {
    if (!(x > 0.0) || isinf(x)) {
        return psb_log(x);
    }
    double n, f = psb_split(x, &n);
    return n + (f + psb_log_rest(f)) / M_LN2;
}

double psb_pow(double x, double y) {
    return y == 0.0 ? 1.0 : x == 0.0 ? (y > 0.0 ? 0.0 : INFINITY) : psb_exp(y * psb_log(x));
}

double psb_asinh(double x) {
    return isinf(x) ? x : psb_asinh_of(x);
}
