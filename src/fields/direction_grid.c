/* Computes angles by a polynomial for the arc tangent, for speed: once for each point. */
#include "fields/direction_grid.h"

#include "core/vector.h"

#include <float.h>
#include <math.h>

/* Returns the arc tangent for 0 <= t <= 1 to 2e-8 (Abramowitz and Stegun 1964, 4.4.49). */
PSB_INLINE double arc_tangent(double t) {
    double s = t * t;
    double p = 0.0028662257;
    p = p * s - 0.0161657367;
    p = p * s + 0.0429096138;
    p = p * s - 0.0752896400;
    p = p * s + 0.1065626393;
    p = p * s - 0.1420889944;
    p = p * s + 0.1999355085;
    p = p * s - 0.3333314528;
    return t + t * s * p;
}

PSB_INLINE double angle_of(double x, double y) {
    double width = fabs(x), height = fabs(y);
    double low = psb_min(width, height), high = psb_max(width, height);
    double a = arc_tangent(low / psb_max(high, DBL_TRUE_MIN)); /* 0 for the origin */
    a = width < height ? M_PI_2 - a : a;
    a = x < 0.0 ? M_PI - a : a;
    return y < 0.0 ? 2.0 * M_PI - a : a;
}

double psb_direction_angle(double x, double y) {
    return angle_of(x, y);
}

PSB_INLINE void find_angles(const double *x, const double *y, double *angle) {
    for (int i = 0; i < PSB_ANGLES; i++) {
        angle[i] = angle_of(x[i], y[i]);
    }
}

PSB_VARIANTS(psb_angle, find_angles, (const double *x, const double *y, double *angle),
             (x, y, angle))

void psb_direction_angles(const double *x, const double *y, double *angle) {
    PSB_RUN(psb_angle)(x, y, angle);
}
