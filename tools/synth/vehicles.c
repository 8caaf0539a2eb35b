/* Airplanes, cars, sailing boats and rockets. Noses point along +x, but a rocket's along +z. */
#include "core/elementary.h"
#include "synth/objects.h"

#include <math.h>

/* Adds a flat tapered wing from the root at (x, y, z) along `span`, swept back by `sweep`. */
static void add_wing(psb_builder *b, const double root[3], const double span[3], double sweep,
                     double chord, double tip, double thickness) {
    const double length = sqrt(span[1] * span[1] + span[2] * span[2]);
    /* Perpendicular to the span in y and z: the direction of the wing's thickness. */
    const double up[2] = {-span[2] / length, span[1] / length};
    double points[8][3];
    for (int end = 0; end < 2; end++) {
        double size = end == 0 ? chord : tip;
        double height = thickness * (end == 0 ? 1 : tip / chord);
        double middle = root[0] - end * sweep;
        static const double shape[4][2] = {{0.5, 0}, {0.15, -0.6}, {-0.5, 0}, {0.15, 1}};
        for (int k = 0; k < 4; k++) {
            psb_set_point(points[4 * end + k], middle + shape[k][0] * size,
                          root[1] + end * span[1] + shape[k][1] * height * up[0],
                          root[2] + end * span[2] + shape[k][1] * height * up[1]);
        }
    }
    psb_add_loft(b, 2, 4, (const double(*)[3])points);
}

/* Adds the same wing on both sides. */
static void add_wings(psb_builder *b, double x, double y, double z, double span, double rise,
                      double sweep, double chord, double tip, double thickness) {
    for (int side = -1; side <= 1; side += 2) {
        add_wing(b, (double[]){x, side * y, z}, (double[]){0, side * span, rise}, sweep, chord, tip,
                 thickness);
    }
}

/* Adds a closed turned body along +x, with the radius at given shares of the length. */
static void add_fuselage(psb_builder *b, double x, double y, double z, double length, double radius,
                         double nose, double tail) {
    psb_frame home = b->frame;
    psb_move(b, x, y, z);
    psb_turn(b, 1, M_PI / 2);
    const double profile[][2] = {{0, -length / 2},
                                 {0.25 * radius, (tail / 8 - 0.5) * length},
                                 {radius, (tail - 0.5) * length},
                                 {radius, (0.5 - nose) * length},
                                 {0.7 * radius, (0.5 - nose / 3) * length},
                                 {0, length / 2}};
    psb_add_turned(b, 6, profile);
    b->frame = home;
}

void psb_make_airplane(psb_builder *b, psb_random *r) {
    double length = psb_between(r, 8, 16);
    double radius = psb_between(r, 0.045, 0.08) * length;
    double nose = psb_between(r, 0.10, 0.30);
    double tail = psb_between(r, 0.25, 0.55);
    double span = psb_between(r, 0.30, 0.60) * length;
    double chord = psb_between(r, 0.13, 0.28) * length;
    double taper = psb_between(r, 0.25, 1.0);
    double sweep = psb_between(r, 0, 0.20) * length;
    double height = psb_between(r, -0.7, 0.8) * radius;
    double rise = psb_between(r, 0, 0.12) * span;
    double x = psb_between(r, 0, 0.10) * length;
    add_fuselage(b, 0, 0, 0, length, radius, nose, tail);
    add_wings(b, x, 0.5 * radius, height, span, rise, sweep, chord, taper * chord, 0.07 * chord);
    if (psb_chance(r, 0.15)) {
        add_wings(b, x, 0.5 * radius, height + 2.5 * radius, span, rise, sweep, chord,
                  taper * chord, 0.07 * chord);
    }
    double fin = psb_between(r, 0.10, 0.18) * length;
    double small = psb_between(r, 0.4, 0.6) * chord;
    bool high = psb_chance(r, 0.3);
    add_wing(b, (double[]){-0.42 * length, 0, 0.2 * radius}, (double[]){0, 0, fin}, 0.4 * small,
             1.2 * small, 0.7 * small, 0.08 * small);
    add_wings(b, -0.43 * length - (high ? 0.3 * small : 0), 0, high ? fin : 0.3 * radius,
              0.4 * span, 0, 0.3 * sweep, small, taper * small, 0.06 * small);
    int engines = psb_choose(r, 0, 2);
    double size = psb_between(r, 0.35, 0.55) * radius;
    for (int i = 1; i <= engines; i++) {
        double y = span * i / 3 + 0.5 * radius;
        double back = x - sweep * i / 3 + 0.2 * chord;
        add_fuselage(b, back, y, height - size, 0.8 * chord, size, 0.2, 0.3);
        add_fuselage(b, back, -y, height - size, 0.8 * chord, size, 0.2, 0.3);
    }
}

/* Adds a wheel at (x, y) that stands on z = 0. */
static void add_wheel(psb_builder *b, double x, double y, double radius, double width) {
    psb_frame home = b->frame;
    psb_move(b, x, y, radius);
    psb_turn(b, 0, M_PI / 2);
    psb_add_torus(b, 0.7 * radius, 0.3 * radius, width / 2);
    psb_add_cone(b, -0.3 * width, 0.5 * radius, 0.3 * width, 0.5 * radius);
    b->frame = home;
}

/* Extrudes an outline in x and z across y. */
static void add_profile_body(psb_builder *b, int n, const double outline[][2], double width) {
    psb_frame home = b->frame;
    psb_turn(b, 0, M_PI / 2);
    psb_add_prism(b, n, outline, -width / 2, width / 2);
    b->frame = home;
}

void psb_make_car(psb_builder *b, psb_random *r) {
    double length = psb_between(r, 3.2, 5.4);
    double width = psb_between(r, 1.5, 2.0);
    double wheel = psb_between(r, 0.28, 0.45);
    double floor_height = psb_between(r, 0.6, 1.0) * wheel;
    double belt = floor_height + psb_between(r, 0.40, 0.70);
    double roof = belt + psb_between(r, 0.40, 0.75);
    double front = psb_between(r, 0.05, 0.30) * length;
    double rear = psb_between(r, -0.48, -0.10) * length;
    double rake = psb_between(r, 0.15, 0.7);
    double x = length / 2;
    const double body[][2] = {{-x, floor_height + 0.1}, {0.1 - x, floor_height},
                              {x - 0.1, floor_height},  {x, floor_height + 0.15},
                              {0.97 * x, belt - 0.15},  {0.6 * x, belt},
                              {-0.9 * x, belt},         {-x, belt - 0.1}};
    const double cabin[][2] = {
        {rear, belt}, {front, belt}, {front - rake, roof}, {rear + 0.4 * rake, roof}};
    add_profile_body(b, 8, body, width);
    add_profile_body(b, 4, cabin, psb_between(r, 0.82, 0.97) * width);
    double base = psb_between(r, 0.30, 0.36) * length;
    for (int i = 0; i < 4; i++) {
        add_wheel(b, i & 1 ? base : -base, (i & 2 ? 0.46 : -0.46) * width, wheel, 0.22);
    }
    if (psb_chance(r, 0.3)) {
        psb_add_box(b, -0.46 * length, 0, belt + 0.15, 0.3, 0.9 * width, 0.05);
        psb_add_box(b, -0.46 * length, 0, belt - 0.05, 0.08, 0.6 * width, 0.2);
    }
}

/* Adds a hull of half-ellipses along x, closed by a flat deck at z = 0. */
static void add_hull(psb_builder *b, double length, double width, double depth, double stern) {
    enum { SECTIONS = 9, POINTS = 9 };
    double points[SECTIONS * POINTS][3];
    for (int i = 0; i < SECTIONS; i++) {
        double t = i / (SECTIONS - 1.0);
        double fullness = stern + (1 - stern) * psb_sin(M_PI / 2 * fmin(1, 2.2 * t));
        fullness *= t < 0.45 ? 1 : psb_cos(0.97 * M_PI / 2 * (t - 0.45) / 0.55);
        double sheer = 0.35 * depth * t * t;
        for (int k = 0; k < POINTS; k++) {
            double angle = M_PI * k / (POINTS - 1);
            psb_set_point(points[POINTS * i + k], (t - 0.5) * length,
                          -psb_cos(angle) * fullness * width / 2,
                          sheer - psb_sin(angle) * sqrt(fullness) * depth);
        }
    }
    psb_add_loft(b, SECTIONS, POINTS, (const double(*)[3])points);
}

/* Adds a triangle that bellies out to one side: tack, head and clew in x and z. */
static void add_sail(psb_builder *b, const double tack[2], const double head[2],
                     const double clew[2], double belly) {
    enum { N = 6 };
    double points[N * N][3];
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double up = i / (N - 1.0) * 0.995;
            double out = j / (N - 1.0) * (1 - up);
            psb_set_point(points[N * i + j],
                          tack[0] + up * (head[0] - tack[0]) + out * (clew[0] - tack[0]),
                          belly * psb_sin(M_PI * up) * psb_sin(M_PI * j / (N - 1.0)),
                          tack[1] + up * (head[1] - tack[1]) + out * (clew[1] - tack[1]));
        }
    }
    psb_add_sheet(b, N, N, (const double(*)[3])points);
}

void psb_make_sailboat(psb_builder *b, psb_random *r) {
    double length = psb_between(r, 4, 10);
    double width = psb_between(r, 0.22, 0.38) * length;
    double depth = psb_between(r, 0.10, 0.20) * length;
    double stern = psb_between(r, 0.3, 0.8);
    double mast = psb_between(r, 0.75, 1.40) * length;
    double x = psb_between(r, 0.0, 0.15) * length;
    double boom = psb_between(r, 0.06, 0.15) * length;
    double belly = psb_between(r, 0.02, 0.10) * length;
    add_hull(b, length, width, depth, stern);
    psb_add_stick(b, (double[]){x, 0, -0.3 * depth}, (double[]){x, 0, mast}, 0.012 * length,
                  0.006 * length);
    psb_add_stick(b, (double[]){x, 0, boom}, (double[]){-0.45 * length, 0, boom}, 0.008 * length,
                  0.006 * length);
    add_sail(b, (double[]){x, 1.05 * boom}, (double[]){x, 0.97 * mast},
             (double[]){-0.44 * length, 1.1 * boom}, belly);
    if (psb_chance(r, 0.7)) {
        double top = psb_between(r, 0.6, 0.9) * mast;
        add_sail(b, (double[]){0.48 * length, 0.05 * length}, (double[]){x, top},
                 (double[]){0.9 * x, boom}, -belly);
    }
    if (psb_chance(r, 0.4)) {
        psb_add_box(b, x - 0.15 * length, 0, 0, 0.25 * length, 0.5 * width, 0.06 * length);
    }
    if (psb_chance(r, 0.5)) {
        add_wing(b, (double[]){0, 0, -0.8 * depth}, (double[]){0, 0, -depth}, 0.05 * length,
                 0.2 * length, 0.12 * length, 0.01 * length);
    }
}

void psb_make_rocket(psb_builder *b, psb_random *r) {
    double length = psb_between(r, 6, 14);
    double radius = psb_between(r, 0.05, 0.11) * length;
    double nose = psb_between(r, 0.15, 0.35);
    double base = psb_between(r, 0.6, 1.0) * radius;
    psb_turn(b, 1, -M_PI / 2);
    psb_frame home = b->frame;
    psb_turn(b, 1, M_PI / 2);
    const double profile[][2] = {{0, 0},
                                 {base, 0},
                                 {base, 0},
                                 {radius, 0.3 * length},
                                 {radius, (1 - nose) * length},
                                 {0.6 * radius, (1 - nose / 3) * length},
                                 {0, length}};
    psb_add_turned(b, 7, profile);
    psb_add_cone(b, -0.06 * length, 0.8 * base, 0.01 * length, 0.4 * base);
    int fins = psb_choose(r, 3, 4);
    int boosters = psb_chance(r, 0.3) ? psb_choose(r, 2, 4) : 0;
    double span = psb_between(r, 0.8, 2.0) * radius;
    double chord = psb_between(r, 0.12, 0.25) * length;
    double sweep = psb_between(r, 0.2, 0.7) * chord;
    for (int i = 0; i < fins; i++) {
        b->frame = home;
        psb_turn(b, 0, 2 * M_PI * i / fins);
        add_wing(b, (double[]){0.6 * chord, 0.8 * base, 0}, (double[]){0, span, 0}, sweep, chord,
                 0.5 * chord, 0.05 * chord);
    }
    double small = psb_between(r, 0.35, 0.55) * radius;
    double tall = psb_between(r, 0.4, 0.7) * length;
    for (int i = 0; i < boosters; i++) {
        b->frame = home;
        psb_turn(b, 0, 2 * M_PI * (i + 0.5) / boosters);
        add_fuselage(b, tall / 2, radius + small, 0, tall, small, 0.2, 0.05);
    }
}
