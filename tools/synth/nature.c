/* Plants and animals. */
#include "core/elementary.h"
#include "synth/objects.h"

#include <math.h>

void psb_make_conifer(psb_builder *b, psb_random *r) {
    double height = psb_between(r, 4, 12);
    double trunk = psb_between(r, 0.08, 0.25) * height;
    double radius = psb_between(r, 0.16, 0.34) * height;
    int tiers = psb_choose(r, 3, 7);
    double overlap = psb_between(r, 0.3, 0.8);
    psb_add_cone(b, 0, 0.03 * height, trunk + 0.1 * height, 0.02 * height);
    double step = (height - trunk) / (tiers + overlap);
    for (int i = 0; i < tiers; i++) {
        double z = trunk + step * i;
        double size = radius * (1 - 0.75 * i / tiers) * psb_between(r, 0.9, 1.1);
        double tip = fmin(z + step * (1 + 2 * overlap), height);
        const double profile[][2] = {{0, z + 0.3 * step},
                                     {size, z},
                                     {0.75 * size, z + 0.17 * (tip - z)},
                                     {0.5 * size, z + 0.4 * (tip - z)},
                                     {0, tip}};
        psb_add_lathe(b, 5, profile);
    }
}

void psb_make_leafy_tree(psb_builder *b, psb_random *r) {
    double height = psb_between(r, 2, 5);
    double thickness = psb_between(r, 0.04, 0.09) * height;
    double crown = psb_between(r, 0.25, 0.60) * height;
    int branches = psb_choose(r, 3, 6);
    double bend = psb_between(r, -0.1, 0.1) * height;
    const double trunk[4][3] = {{0, 0, 0},
                                {0.3 * bend, 0, 0.35 * height},
                                {0.7 * bend, 0.2 * bend, 0.7 * height},
                                {bend, 0, height}};
    psb_add_tube(b, 4, trunk,
                 (double[]){1.3 * thickness, thickness, 0.8 * thickness, 0.5 * thickness});
    for (int i = 0; i < branches; i++) {
        double angle = 2 * M_PI * i / branches + psb_between(r, -0.4, 0.4);
        double reach = psb_between(r, 0.4, 1.0) * crown;
        double z = psb_between(r, 0.9, 1.3) * height;
        double size = psb_between(r, 0.45, 0.85) * crown;
        double x = bend + reach * psb_cos(angle);
        double y = reach * psb_sin(angle);
        psb_add_stick(b, (double[]){0.7 * bend, 0.2 * bend, 0.7 * height}, (double[]){x, y, z},
                      0.5 * thickness, 0.2 * thickness);
        psb_add_ball(b, x, y, z + 0.3 * size, size, size, 0.8 * size);
    }
    psb_add_ball(b, bend, 0, height + 0.9 * crown, 0.8 * crown, 0.8 * crown, 0.7 * crown);
}

/* Adds a pointed leaf that rises from the z axis at height z and bends outward. */
static void add_leaf(psb_builder *b, double angle, double z, double length, double width,
                     double elevation, double droop) {
    enum { ROWS = 9, COLUMNS = 3 };
    double points[ROWS * COLUMNS][3];
    double x = 0;
    for (int i = 0; i < ROWS; i++) {
        double t = i / (ROWS - 1.0);
        double half = width / 2 * (0.15 + psb_sin(M_PI * t * 0.95)) * (t < 1 ? 1 : 0.2);
        for (int j = 0; j < COLUMNS; j++) {
            double side = (j - 1) * half;
            psb_set_point(points[COLUMNS * i + j], x * psb_cos(angle) - side * psb_sin(angle),
                          x * psb_sin(angle) + side * psb_cos(angle),
                          z + (j == 1 ? 0 : 0.3 * half));
        }
        double slope = elevation - droop * t;
        x += length / (ROWS - 1) * psb_cos(slope);
        z += length / (ROWS - 1) * psb_sin(slope);
    }
    psb_add_sheet(b, ROWS, COLUMNS, (const double(*)[3])points);
}

void psb_make_potted_plant(psb_builder *b, psb_random *r) {
    double height = psb_between(r, 0.12, 0.35);
    double top = psb_between(r, 0.35, 0.65) * height;
    double base = psb_between(r, 0.6, 0.9) * top;
    double wall = 0.08 * top;
    const double pot[][2] = {{0, 0},
                             {base, 0},
                             {top, 0.85 * height},
                             {1.1 * top, 0.85 * height},
                             {1.1 * top, height},
                             {top - wall, height},
                             {top - wall, 0.9 * height},
                             {0, 0.9 * height}};
    psb_add_lathe(b, 8, pot);
    int leaves = psb_choose(r, 7, 20);
    double length = psb_between(r, 0.8, 2.2) * height;
    double width = psb_between(r, 0.12, 0.35) * length;
    double droop = psb_between(r, 0.2, 2.0);
    double stem = psb_between(r, 0, 0.8) * height;
    psb_add_stick(b, (double[]){0, 0, 0.85 * height}, (double[]){0, 0, height + stem}, 0.1 * top,
                  0.05 * top);
    for (int i = 0; i < leaves; i++) {
        double part = (double)i / leaves;
        double angle = 2.4 * i + psb_between(r, -0.3, 0.3);
        double elevation = 0.5 + 0.9 * part + psb_between(r, -0.2, 0.2);
        double size = length * psb_between(r, 0.75, 1.1);
        add_leaf(b, angle, 0.9 * height + stem * part, size, width, elevation, droop);
    }
}

void psb_make_snake(psb_builder *b, psb_random *r) {
    enum { POINTS = 60 };
    double path[POINTS][3];
    double radii[POINTS];
    double radius = psb_between(r, 0.018, 0.035);
    double waves = psb_between(r, 1.0, 3.2);
    double swing = psb_between(r, 0.06, 0.20);
    bool coiled = psb_chance(r, 0.35);
    double lift = psb_between(r, 0, 0.15);
    for (int i = 0; i < POINTS; i++) {
        double t = i / (POINTS - 1.0);
        double angle = 2 * M_PI * waves * t;
        double reach = 0.12 + 0.3 * (1 - t);
        path[i][0] = coiled ? reach * psb_cos(angle) : t - 0.5;
        path[i][1] = coiled ? reach * psb_sin(angle) : swing * psb_sin(angle);
        path[i][2] = radius + (coiled ? 1.5 * lift * t : lift * fmax(0, 6 * t - 5));
        radii[i] = radius * sqrt(fmin(1, 1.6 * t)) * (t > 0.92 ? 0.75 : 1);
    }
    psb_add_tube(b, POINTS, path, radii);
    const double *neck = path[POINTS - 2];
    const double *end = path[POINTS - 1];
    psb_move(b, end[0], end[1], end[2]);
    psb_turn(b, 2, psb_atan2(end[1] - neck[1], end[0] - neck[0]));
    psb_add_ball(b, radius, 0, 0, 2.2 * radius, 1.25 * radius, 0.85 * radius);
}

void psb_make_quadruped(psb_builder *b, psb_random *r) {
    double length = psb_between(r, 0.8, 1.5);
    double girth = psb_between(r, 0.16, 0.30) * length;
    double leg = psb_between(r, 0.30, 0.80) * length;
    double thickness = psb_between(r, 0.18, 0.32) * girth;
    double neck = psb_between(r, 0.15, 0.60) * length;
    double rise = psb_between(r, 0.2, 1.2);
    double head = psb_between(r, 0.45, 0.70) * girth;
    double z = leg + 0.7 * girth;
    psb_add_ball(b, 0, 0, z, length / 2, 0.85 * girth, girth);
    for (int i = 0; i < 4; i++) {
        double x = (i & 1 ? 0.33 : -0.33) * length;
        double y = (i & 2 ? 0.5 : -0.5) * girth;
        double stride = psb_between(r, -0.12, 0.12) * leg;
        const double path[3][3] = {{x, y, z}, {x + stride, y, 0.5 * leg}, {x + stride / 2, y, 0}};
        psb_add_tube(b, 3, path, (double[]){1.6 * thickness, thickness, 0.9 * thickness});
    }
    double x = 0.40 * length + neck * psb_cos(rise);
    double top = z + 0.3 * girth + neck * psb_sin(rise);
    psb_add_stick(b, (double[]){0.38 * length, 0, z + 0.2 * girth}, (double[]){x, 0, top},
                  0.6 * girth, 0.6 * head);
    psb_add_ball(b, x + 0.4 * head, 0, top, 1.5 * head, 0.8 * head, 0.85 * head);
    double ear = psb_between(r, 0.5, 1.3) * head;
    for (int side = -1; side <= 1; side += 2) {
        double y = side * 0.5 * head;
        psb_add_stick(b, (double[]){x, y, top + 0.4 * head},
                      (double[]){x - 0.1 * head, 1.4 * y, top + 0.5 * head + ear}, 0.25 * head, 0);
    }
    double tail = psb_between(r, 0.15, 0.5) * length;
    double hang = psb_between(r, -0.9, 0.5);
    psb_add_stick(b, (double[]){-0.48 * length, 0, z + 0.2 * girth},
                  (double[]){-0.48 * length - tail * psb_cos(hang), 0,
                             z + 0.2 * girth + tail * psb_sin(hang)},
                  0.5 * thickness, 0.2 * thickness);
}
