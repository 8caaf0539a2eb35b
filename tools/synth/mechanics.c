/* Gears, rings and springs. */
#include "core/elementary.h"
#include "synth/objects.h"

#include <math.h>

void psb_make_gear(psb_builder *b, psb_random *r) {
    enum { MOST_TEETH = 36, PER_TOOTH = 4 };
    double outer[MOST_TEETH * PER_TOOTH][2];
    double web[MOST_TEETH * PER_TOOTH][2];
    double hub[MOST_TEETH * PER_TOOTH][2];
    double hole[MOST_TEETH * PER_TOOTH][2];
    int teeth = psb_choose(r, 9, MOST_TEETH);
    int n = teeth * PER_TOOTH;
    double depth = psb_between(r, 0.08, 0.22);
    double bore = psb_between(r, 0.10, 0.35);
    double boss = bore + psb_between(r, 0.08, 0.20);
    double thickness = psb_between(r, 0.08, 0.40);
    static const double phase[PER_TOOTH] = {-0.36, -0.17, 0.17, 0.36};
    for (int i = 0; i < n; i++) {
        int corner = i % PER_TOOTH;
        double angle = 2 * M_PI * (i / PER_TOOTH + phase[corner]) / teeth;
        double radius = corner == 1 || corner == 2 ? 1 : 1 - depth;
        for (int k = 0; k < 2; k++) {
            double unit = k == 0 ? psb_cos(angle) : psb_sin(angle);
            outer[i][k] = radius * unit;
            web[i][k] = 0.95 * (1 - depth) * unit;
            hub[i][k] = boss * unit;
            hole[i][k] = bore * unit;
        }
    }
    double thin = psb_between(r, 0.3, 1.0) * thickness;
    double tall = psb_between(r, 1.0, 1.8) * thickness;
    psb_add_band(b, n, (const double(*)[2])web, (const double(*)[2])outer, -thickness / 2,
                 thickness / 2);
    psb_add_band(b, n, (const double(*)[2])hub, (const double(*)[2])web, -thin / 2, thin / 2);
    psb_add_band(b, n, (const double(*)[2])hole, (const double(*)[2])hub, -tall / 2, tall / 2);
}

void psb_make_ring(psb_builder *b, psb_random *r) {
    double thickness = psb_between(r, 0.08, 0.25);
    double height = psb_between(r, 0.5, 2.5) * thickness;
    psb_add_torus(b, 1, thickness, height);
    if (psb_chance(r, 0.5)) {
        double stone = psb_between(r, 1.0, 1.8) * thickness;
        psb_move(b, 1 + thickness, 0, 0);
        psb_turn(b, 1, M_PI / 2);
        psb_add_cone(b, -0.5 * thickness, 0.5 * stone, 0.5 * thickness, 0.9 * stone);
        const double gem[][2] = {
            {0, 0.2 * thickness}, {stone, stone}, {0.6 * stone, 1.5 * stone}, {0, 1.5 * stone}};
        psb_add_lathe(b, 4, gem);
    }
}

void psb_make_spring(psb_builder *b, psb_random *r) {
    enum { TURNS = 9, STEPS = 24, POINTS = TURNS * STEPS };
    double path[POINTS][3];
    double radii[POINTS];
    double turns = psb_between(r, 3, TURNS);
    double rise = psb_between(r, 0.8, 4.0);
    double top = psb_chance(r, 0.3) ? psb_between(r, 0.4, 0.9) : 1;
    double wire = psb_between(r, 0.05, 0.09);
    double flat = fmin(0.30, 1.0 / turns);
    int n = (int)(turns * STEPS);
    for (int i = 0; i < n; i++) {
        double t = i / (n - 1.0);
        double angle = 2 * M_PI * turns * t;
        double radius = 1 + t * (top - 1);
        double u = fmin(1, fmax(0, (t - flat / 2) / (1 - flat)));
        psb_set_point(path[i], radius * psb_cos(angle), radius * psb_sin(angle), rise * u);
        radii[i] = wire;
    }
    psb_add_tube(b, n, (const double(*)[3])path, radii);
}
