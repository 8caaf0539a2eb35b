/* Swords, hammers, axes and ladders. Long ones lie along z with the grip below. */
#include "core/elementary.h"
#include "synth/objects.h"

#include <math.h>

/* Adds a flat blade with two edges from z0 to z1, bent towards +x. */
static void add_blade(psb_builder *b, double z0, double z1, double width, double thickness,
                      double bend, double taper) {
    enum { SECTIONS = 9 };
    double points[SECTIONS * 4][3];
    const int point = SECTIONS - 1; /* the blade narrows to it over its last 4 % */
    for (int i = 0; i < SECTIONS; i++) {
        double t = (double)i / point;
        double half = width / 2 * (1 - taper * t) * (i < point ? 1 : 0.15);
        double x = bend * t * t;
        double z = z0 + (z1 - z0) * (i < point ? 0.96 * i / (point - 1) : 1);
        double(*section)[3] = points + 4 * i;
        for (int k = 0; k < 4; k++) {
            psb_set_point(section[k], x + (k % 2 == 0 ? (1 - k) * half : 0),
                          k % 2 == 1 ? (2 - k) * thickness / 2 : 0, z);
        }
    }
    psb_add_loft(b, SECTIONS, 4, (const double(*)[3])points);
}

void psb_make_sword(psb_builder *b, psb_random *r) {
    double length = psb_between(r, 0.50, 1.10);
    double width = psb_between(r, 0.03, 0.07);
    double grip = psb_between(r, 0.10, 0.28);
    double radius = psb_between(r, 0.011, 0.018);
    double guard = psb_between(r, 0.05, 0.14);
    double bend = psb_chance(r, 0.35) ? psb_between(r, 0.08, 0.22) * length : 0;
    double thickness = psb_between(r, 0.005, 0.010);
    double taper = psb_between(r, 0.1, 0.7);
    add_blade(b, 0, length, width, thickness, bend, taper);
    psb_add_cone(b, -grip, 0.85 * radius, 0, radius);
    double pommel = psb_between(r, 1.2, 2.2) * radius;
    psb_add_ball(b, 0, 0, -grip, pommel, pommel, pommel);
    if (psb_chance(r, 0.6)) {
        double droop = psb_between(r, -0.3, 0.4) * guard;
        const double path[5][3] = {{-guard, 0, droop},
                                   {-guard / 2, 0, droop / 4},
                                   {0, 0, 0},
                                   {guard / 2, 0, droop / 4},
                                   {guard, 0, droop}};
        psb_add_tube(b, 5, path, (double[]){0.008, 0.009, 0.012, 0.009, 0.008});
    } else if (psb_chance(r, 0.5)) {
        psb_add_cone(b, -0.004, guard / 2, 0.004, guard / 2);
    } else {
        psb_add_box(b, 0, 0, -0.01, 2 * guard, 0.02, 0.02);
    }
}

/* Adds a handle along z from 0 to `length`, thicker at the grip. */
static void add_handle(psb_builder *b, psb_random *r, double length) {
    double radius = psb_between(r, 0.010, 0.020);
    double slim = psb_between(r, 0.7, 1.0) * radius;
    const double profile[][2] = {{0, 0},
                                 {0.9 * radius, 0},
                                 {1.1 * radius, 0.1 * length},
                                 {radius, 0.3 * length},
                                 {slim, 0.6 * length},
                                 {slim, length},
                                 {slim, length},
                                 {0, length}};
    psb_add_turned(b, 8, profile);
}

void psb_make_hammer(psb_builder *b, psb_random *r) {
    double length = psb_between(r, 0.25, 0.60);
    double half = psb_between(r, 0.05, 0.11);
    double radius = psb_between(r, 0.016, 0.045);
    add_handle(b, r, length);
    psb_frame home = b->frame;
    psb_move(b, 0, 0, length - 0.5 * radius);
    psb_turn(b, 1, M_PI / 2);
    int style = psb_choose(r, 0, 2);
    if (style == 0) {
        psb_add_box(b, 0, 0, -half, 2 * radius, 2 * radius, 2 * half);
    } else {
        psb_add_cone(b, -0.25 * half, 0.8 * radius, 0.7 * half, 0.8 * radius);
        psb_add_cone(b, 0.7 * half, radius, half, radius);
    }
    if (style == 1) {
        psb_add_cone(b, -half, radius, -0.25 * half, 0.8 * radius);
    }
    if (style == 2) {
        double drop = psb_between(r, 0.2, 0.6) * half;
        for (int side = -1; side <= 1; side += 2) {
            double y = side * 0.55 * radius;
            const double path[4][3] = {{0, 0.4 * y, 0},
                                       {0, 0.7 * y, -0.5 * half},
                                       {0.3 * drop, y, -0.9 * half},
                                       {drop, 1.1 * y, -1.2 * half}};
            psb_add_tube(b, 4, path, (double[]){0.6 * radius, 0.5 * radius, 0.35 * radius, 0.004});
        }
    }
    b->frame = home;
}

/* Adds a wedge from the handle at x = 0 to an edge at x = reach that is `edge` long. */
static void add_axe_bit(psb_builder *b, double z, double reach, double edge, double eye,
                        double beard) {
    enum { SECTIONS = 6 };
    double points[SECTIONS * 4][3];
    for (int i = 0; i < SECTIONS; i++) {
        double t = i / (SECTIONS - 1.0);
        double up = eye + (edge / 2 - eye) * t * t;
        double down = eye + (edge / 2 + beard - eye) * t * t;
        double half = 0.016 * (1 - t) + 0.001;
        double(*section)[3] = points + 4 * i;
        for (int k = 0; k < 4; k++) {
            psb_set_point(section[k], reach * t, k == 0 || k == 3 ? -half : half,
                          z + (k < 2 ? -down : up));
        }
    }
    psb_add_loft(b, SECTIONS, 4, (const double(*)[3])points);
}

void psb_make_axe(psb_builder *b, psb_random *r) {
    double length = psb_between(r, 0.35, 0.90);
    double reach = psb_between(r, 0.09, 0.20);
    double edge = psb_between(r, 0.10, 0.26);
    double eye = psb_between(r, 0.020, 0.040);
    double beard = psb_between(r, 0, 0.06);
    add_handle(b, r, length);
    double z = length - edge / 2 - psb_between(r, 0, 0.03);
    add_axe_bit(b, z, reach, edge, eye, beard);
    psb_add_cone(b, z - eye, 0.024, z + eye, 0.024);
    if (psb_chance(r, 0.3)) {
        psb_frame home = b->frame;
        psb_turn(b, 2, M_PI);
        add_axe_bit(b, z, reach, edge, eye, beard);
        b->frame = home;
    } else {
        psb_add_box(b, -0.025, 0, z - eye, 0.05, 0.03, 2 * eye);
    }
}

/* Adds two rails and the rungs between them, leaning by `lean` radians about the x axis. */
static void add_ladder_side(psb_builder *b, psb_random *r, double width, double height, double lean,
                            int rungs) {
    psb_frame home = b->frame;
    double rail = psb_between(r, 0.02, 0.05);
    double narrow = psb_between(r, 0.7, 1.0);
    bool round = psb_chance(r, 0.5);
    psb_turn(b, 0, lean);
    for (int side = -1; side <= 1; side += 2) {
        psb_add_stick(b, (double[]){side * width / 2, 0, 0},
                      (double[]){side * width / 2 * narrow, 0, height}, rail, rail);
    }
    for (int i = 0; i < rungs; i++) {
        double t = (i + 0.7) / (rungs + 0.4);
        double z = t * height;
        double half = width / 2 * (1 + t * (narrow - 1));
        if (round) {
            psb_add_stick(b, (double[]){-half, 0, z}, (double[]){half, 0, z}, 0.6 * rail,
                          0.6 * rail);
        } else {
            psb_add_box(b, 0, 0, z, 2 * half, 2.5 * rail, 0.6 * rail);
        }
    }
    b->frame = home;
}

void psb_make_ladder(psb_builder *b, psb_random *r) {
    double width = psb_between(r, 0.35, 0.70);
    double height = psb_between(r, 1.20, 4.00);
    double spacing = psb_between(r, 0.22, 0.38);
    int rungs = (int)(height / spacing);
    if (psb_chance(r, 0.35)) {
        double lean = psb_between(r, 0.15, 0.35);
        psb_move(b, 0, 0, height * psb_cos(lean));
        psb_turn(b, 1, M_PI);
        add_ladder_side(b, r, 0.8 * width, height, lean, rungs);
        add_ladder_side(b, r, 0.8 * width, height, -lean, psb_choose(r, 1, 3));
    } else {
        add_ladder_side(b, r, width, height, 0, rungs);
    }
}
