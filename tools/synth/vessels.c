/* Things to drink and eat from: turned on a lathe, in metres. */
#include "core/elementary.h"
#include "synth/objects.h"

#include <math.h>

void psb_make_bottle(psb_builder *b, psb_random *r) {
    double radius = psb_between(r, 0.030, 0.060);
    double height = psb_between(r, 0.20, 0.36);
    double shoulder = psb_between(r, 0.45, 0.75) * height;
    double slope = psb_between(r, 0.06, 0.22) * height;
    double neck = psb_between(r, 0.22, 0.45) * radius;
    double waist = psb_between(r, 0.85, 1.05) * radius;
    double lip = psb_between(r, 1.0, 1.3) * neck;
    const double profile[][2] = {
        {0, 0.01 * height},      {0.9 * radius, 0},
        {radius, 0.04 * height}, {waist, 0.5 * shoulder},
        {radius, shoulder},      {neck, fmin(shoulder + slope, 0.9 * height)},
        {neck, 0.94 * height},   {neck, 0.94 * height},
        {lip, 0.95 * height},    {lip, height},
        {lip, height},           {0.7 * neck, height},
        {0.7 * neck, height},    {0, 0.97 * height}};
    psb_add_turned(b, 14, profile);
}

void psb_make_mug(psb_builder *b, psb_random *r) {
    double radius = psb_between(r, 0.032, 0.055);
    double height = psb_between(r, 0.070, 0.130);
    double wall = psb_between(r, 0.003, 0.007);
    double flare = psb_between(r, 0.85, 1.15);
    double belly = psb_between(r, 0.95, 1.12);
    double top = radius * flare;
    const double profile[][2] = {{0, 0},
                                 {radius, 0},
                                 {radius, 0},
                                 {radius * (1 + flare) / 2 * belly, height / 2},
                                 {top, height},
                                 {top, height},
                                 {top - wall, height},
                                 {top - wall, height},
                                 {radius * (1 + flare) / 2 * belly - wall, height / 2},
                                 {radius - wall, wall},
                                 {radius - wall, wall},
                                 {0, wall}};
    psb_add_turned(b, 12, profile);
    enum { POINTS = 13 };
    double path[POINTS][3];
    double radii[POINTS];
    double reach = psb_between(r, 0.5, 0.9) * radius;
    double span = psb_between(r, 0.25, 0.38) * height;
    double thickness = psb_between(r, 0.004, 0.009);
    double square = psb_between(r, 0.6, 1.0);
    for (int i = 0; i < POINTS; i++) {
        double angle = M_PI * (i / (POINTS - 1.0) - 0.5);
        double x = radius * (1 + flare) / 2 * 0.97 + reach * psb_pow(psb_cos(angle) + 1e-9, square);
        psb_set_point(path[i], x, 0, 0.52 * height + span * psb_sin(angle));
        radii[i] = thickness;
    }
    psb_add_tube(b, POINTS, path, radii);
}

void psb_make_wine_glass(psb_builder *b, psb_random *r) {
    double height = psb_between(r, 0.14, 0.24);
    double foot = psb_between(r, 0.026, 0.042);
    double bowl = psb_between(r, 0.026, 0.048);
    double rim = psb_between(r, 0.7, 1.15) * bowl;
    double stem = psb_between(r, 0.003, 0.006);
    double start = psb_between(r, 0.30, 0.58) * height;
    double widest = start + psb_between(r, 0.3, 0.7) * (height - start);
    const double profile[][2] = {{0, 0},
                                 {foot, 0},
                                 {foot, 0},
                                 {foot, 0.002},
                                 {0.3 * foot, 0.006},
                                 {stem, 0.02},
                                 {stem, start - 0.01},
                                 {0.5 * bowl, start + 0.004},
                                 {bowl, widest},
                                 {rim, height},
                                 {rim, height},
                                 {rim - 0.0015, height},
                                 {bowl - 0.0015, widest},
                                 {0.45 * bowl, start + 0.007},
                                 {0, start + 0.004}};
    psb_add_turned(b, 15, profile);
}

void psb_make_bowl(psb_builder *b, psb_random *r) {
    double radius = psb_between(r, 0.07, 0.16);
    double height = psb_between(r, 0.30, 0.95) * radius;
    double foot = psb_between(r, 0.30, 0.55) * radius;
    double wall = psb_between(r, 0.02, 0.06) * radius;
    double belly = psb_between(r, 0.75, 0.98) * radius;
    double stand = psb_between(r, 0.04, 0.20) * height;
    const double profile[][2] = {{0, 0},
                                 {foot, 0},
                                 {foot, 0},
                                 {0.95 * foot, stand},
                                 {0.95 * foot, stand},
                                 {belly, stand + 0.45 * (height - stand)},
                                 {radius, height},
                                 {radius, height},
                                 {radius - wall, height},
                                 {radius - wall, height},
                                 {belly - wall, stand + 0.45 * (height - stand) + 0.3 * wall},
                                 {0.9 * foot, stand + wall},
                                 {0, stand + wall}};
    psb_add_turned(b, 13, profile);
}
