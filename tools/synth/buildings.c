/* Houses. */
#include "synth/objects.h"

#include <math.h>

/* Adds a wing of a house: walls and a gable or hip roof with its ridge along x. */
static void add_block(psb_builder *b, double width, double depth, double wall, double roof,
                      double eaves, double hip) {
    psb_add_box(b, 0, 0, 0, width, depth, wall);
    double x = width / 2 + eaves;
    double y = depth / 2 + eaves;
    const double points[8][3] = {{-x, -y, wall},
                                 {x, -y, wall},
                                 {x, y, wall},
                                 {-x, y, wall},
                                 {hip - x, -0.01, wall + roof},
                                 {x - hip, -0.01, wall + roof},
                                 {x - hip, 0.01, wall + roof},
                                 {hip - x, 0.01, wall + roof}};
    psb_add_loft(b, 2, 4, points);
}

/* Adds windows that stand out a little from the front wall at y. */
static void add_windows(psb_builder *b, int count, double width, double y, double z, double size) {
    for (int i = 0; i < count; i++) {
        double x = ((i + 0.5) / count - 0.5) * width;
        psb_add_box(b, x, y, z, size, 0.1, 1.2 * size);
    }
}

void psb_make_house(psb_builder *b, psb_random *r) {
    double width = psb_between(r, 6, 14);
    double depth = psb_between(r, 5, 9);
    int floors = psb_choose(r, 1, 2);
    double wall = floors * psb_between(r, 2.4, 3.0);
    double roof = psb_between(r, 0.25, 0.75) * depth;
    double eaves = psb_between(r, 0.1, 0.8);
    double hip = psb_chance(r, 0.35) ? psb_between(r, 0.2, 0.45) * width : 0;
    int windows = psb_choose(r, 2, 5);
    double size = psb_between(r, 0.8, 1.1);
    add_block(b, width, depth, wall, roof, eaves, hip);
    for (int i = 0; i < floors; i++) {
        add_windows(b, windows, width, -depth / 2, i * wall / floors + 0.9, size);
        add_windows(b, windows, width, depth / 2, i * wall / floors + 0.9, size);
    }
    psb_add_box(b, psb_between(r, -0.3, 0.3) * width, -depth / 2, 0, 1, 0.2, 2);
    if (psb_chance(r, 0.6)) {
        double x = psb_between(r, -0.35, 0.35) * width;
        psb_add_box(b, x, 0.15 * depth, wall, 0.7, 0.7, 1.2 * roof);
    }
    if (psb_chance(r, 0.4)) {
        double side = psb_between(r, 0.3, 0.5) * width;
        double part = psb_between(r, 0.5, 0.9);
        double length = psb_between(r, 0.4, 0.8) * depth;
        psb_move(b, (width - side) / 2, -depth / 2, 0);
        psb_turn(b, 2, M_PI / 2);
        add_block(b, 2 * length, side, part * wall, 0.6 * roof, eaves, 0);
    }
}
