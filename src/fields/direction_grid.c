/* Direction to grid with a polynomial for the arc tangent: it runs per point. */
#include "fields/direction_grid.h"

#include <math.h>

/* Arc tangent for 0 <= t <= 1 with an error below 2e-8 (Abramowitz and Stegun 1964, 4.4.49). */
static double arc_tangent(double t) {
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

double psb_direction_angle(double x, double y) {
    double width = fabs(x), height = fabs(y);
    double low = width < height ? width : height;
    double high = width < height ? height : width;
    double a = high > 0.0 ? arc_tangent(low / high) : 0.0;
    a = width < height ? M_PI_2 - a : a;
    a = x < 0.0 ? M_PI - a : a;
    return y < 0.0 ? 2.0 * M_PI - a : a;
}
