/*
 * Elementary functions whose bits depend on their arguments alone.
 *
 * A C library chooses versions by processor, with or without fused multiply-add, and their last
 * bits differ. Here each operation is rounded by itself. Sine, cosine, exp and log are within one
 * unit of the last place, atan2, exp2 and log2 within two. Arguments must be finite unless the
 * comment says otherwise.
 */
#pragma once

/* x is in radians. |x| beyond 2^20 is first reduced modulo the double nearest to 2 pi. */
double psb_sin(double x);
double psb_cos(double x);

/* Returns the angle of the point (x, y), from -pi to pi; 0 at the origin. */
double psb_atan2(double y, double x);

/* Return 0 or infinity if the result is out of range; x may be infinite. */
double psb_exp(double x);
double psb_exp2(double x);

/* Return minus infinity for x = 0 and NaN for x < 0. psb_log2 is exact for powers of two. */
double psb_log(double x);
double psb_log2(double x);

/* Returns x^y for x >= 0, with an error of at most 2 + |y log x| units of the last place. */
double psb_pow(double x, double y);

/* The error is at most 4 units of the last place. */
double psb_asinh(double x);
