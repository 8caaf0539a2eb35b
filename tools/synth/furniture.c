/* Chairs, stools, tables, shelves and beds; in metres, standing on z = 0. */
#include "core/elementary.h"
#include "synth/objects.h"

#include <math.h>

/* Adds a leg from the floor to `height`, square or round. */
static void add_leg(psb_builder *b, double x, double y, double height, double thickness,
                    bool round) {
    if (round) {
        psb_add_stick(b, (double[]){x, y, 0}, (double[]){0.94 * x, 0.94 * y, height},
                      0.35 * thickness, thickness / 2);
    } else {
        psb_add_box(b, x, y, 0, thickness, thickness, height);
    }
}

/* Adds four legs in the corners of a width x depth rectangle. */
static void add_legs(psb_builder *b, double width, double depth, double height, double thickness,
                     bool round) {
    double x = (width - thickness) / 2;
    double y = (depth - thickness) / 2;
    for (int i = 0; i < 4; i++) {
        add_leg(b, i & 1 ? x : -x, i & 2 ? y : -y, height, thickness, round);
    }
}

/* Adds a column on a disc, or on four feet. */
static void add_pedestal(psb_builder *b, psb_random *r, double height, double reach,
                         double thickness) {
    double foot = psb_between(r, 0.02, 0.05);
    if (psb_chance(r, 0.6)) {
        const double profile[][2] = {{0, 0},
                                     {reach, 0},
                                     {reach, 0},
                                     {0.9 * reach, foot},
                                     {0.6 * thickness, 2 * foot},
                                     {0.5 * thickness, 0.5 * height},
                                     {0.7 * thickness, height},
                                     {0.7 * thickness, height},
                                     {0, height}};
        psb_add_turned(b, 9, profile);
        return;
    }
    psb_add_cone(b, foot, thickness / 2, height, thickness / 2);
    int feet = psb_choose(r, 3, 5);
    for (int i = 0; i < feet; i++) {
        double angle = 2 * M_PI * i / feet;
        psb_add_stick(b, (double[]){reach * psb_cos(angle), reach * psb_sin(angle), foot},
                      (double[]){0, 0, psb_between(r, 2, 4) * foot}, foot / 2, foot);
    }
}

/* Adds the back of a chair: a panel, slats or rails between two posts. */
static void add_back(psb_builder *b, psb_random *r, double width, double y, double z, double height,
                     double thickness) {
    int style = psb_choose(r, 0, 2);
    if (style == 0) {
        psb_add_box(b, 0, y, z, width, thickness, height);
        return;
    }
    int bars = psb_choose(r, 2, 5);
    double x = (width - thickness) / 2;
    psb_add_box(b, -x, y, z, thickness, thickness, height);
    psb_add_box(b, x, y, z, thickness, thickness, height);
    psb_add_box(b, 0, y, z + height, width, thickness, 1.5 * thickness);
    for (int i = 0; i < bars; i++) {
        double t = (i + 1.0) / (bars + 1);
        if (style == 1) {
            psb_add_box(b, (2 * t - 1) * x, y, z, 0.6 * thickness, 0.5 * thickness, height);
        } else {
            psb_add_box(b, 0, y, z + t * height, width, 0.5 * thickness, 0.08 * height);
        }
    }
}

void psb_make_chair(psb_builder *b, psb_random *r) {
    double width = psb_between(r, 0.36, 0.60);
    double depth = psb_between(r, 0.36, 0.58);
    double height = psb_between(r, 0.36, 0.56);
    double thickness = psb_between(r, 0.025, 0.06);
    double back = psb_between(r, 0.25, 0.70);
    bool round = psb_chance(r, 0.4);
    psb_add_box(b, 0, 0, height, width, depth, psb_between(r, 0.02, 0.10));
    if (psb_chance(r, 0.2)) {
        add_pedestal(b, r, height, 0.45 * width, 1.5 * thickness);
    } else {
        add_legs(b, width, depth, height, thickness, round);
    }
    psb_frame home = b->frame;
    psb_move(b, 0, (depth - thickness) / 2, height);
    psb_turn(b, 0, -psb_between(r, 0, 0.25));
    add_back(b, r, width, 0, 0, back, thickness);
    b->frame = home;
    if (psb_chance(r, 0.3)) {
        double rest = psb_between(r, 0.15, 0.25);
        for (int side = -1; side <= 1; side += 2) {
            double x = side * (width + thickness) / 2;
            psb_add_box(b, x, 0, height + rest, thickness, depth, 0.8 * thickness);
            psb_add_box(b, x, thickness - depth / 2, height, thickness, thickness, rest);
        }
    }
}

void psb_make_stool(psb_builder *b, psb_random *r) {
    double radius = psb_between(r, 0.15, 0.26);
    double height = psb_between(r, 0.30, 0.80);
    double thickness = psb_between(r, 0.025, 0.06);
    double seat = psb_between(r, 0.03, 0.09);
    bool round = psb_chance(r, 0.65);
    if (round) {
        psb_add_cone(b, height, 0.95 * radius, height + seat, radius);
    } else {
        psb_add_box(b, 0, 0, height, 2 * radius, 2 * radius, seat);
    }
    if (psb_chance(r, 0.3)) {
        add_pedestal(b, r, height, radius, 1.2 * thickness);
        return;
    }
    int legs = psb_choose(r, 3, 4);
    double splay = psb_between(r, 1.0, 1.35);
    double ring = psb_between(r, 0.2, 0.5);
    for (int i = 0; i < legs; i++) {
        double c = 0.8 * radius * psb_cos(2 * M_PI * (i + 0.5) / legs);
        double s = 0.8 * radius * psb_sin(2 * M_PI * (i + 0.5) / legs);
        psb_add_stick(b, (double[]){splay * c, splay * s, 0}, (double[]){c, s, height},
                      0.4 * thickness, thickness / 2);
    }
    if (psb_chance(r, 0.6)) {
        psb_frame home = b->frame;
        psb_move(b, 0, 0, ring * height);
        psb_add_torus(b, 0.8 * radius * (splay + ring * (1 - splay)), 0.3 * thickness,
                      0.3 * thickness);
        b->frame = home;
    }
}

void psb_make_round_table(psb_builder *b, psb_random *r) {
    double radius = psb_between(r, 0.35, 0.85);
    double height = psb_between(r, 0.40, 0.85);
    double top = psb_between(r, 0.02, 0.07);
    double thickness = psb_between(r, 0.04, 0.10);
    bool round = psb_chance(r, 0.5);
    psb_frame home = b->frame;
    psb_stretch(b, psb_between(r, 1.0, 1.3), 1, 1);
    psb_add_cone(b, height, 0.97 * radius, height + top, radius);
    b->frame = home;
    if (psb_chance(r, 0.5)) {
        add_pedestal(b, r, height, psb_between(r, 0.4, 0.8) * radius, 1.3 * thickness);
    } else {
        add_legs(b, 1.35 * radius, 1.35 * radius, height, thickness, round);
        psb_add_cone(b, height - 0.06, 0.8 * radius, height, 0.8 * radius);
    }
}

void psb_make_long_table(psb_builder *b, psb_random *r) {
    double width = psb_between(r, 0.80, 2.00);
    double depth = psb_between(r, 0.50, 1.00);
    double height = psb_between(r, 0.40, 0.85);
    double top = psb_between(r, 0.02, 0.07);
    double thickness = psb_between(r, 0.04, 0.11);
    double apron = psb_between(r, 0.05, 0.14);
    bool round = psb_chance(r, 0.35);
    psb_add_box(b, 0, 0, height, width, depth, top);
    if (psb_chance(r, 0.2)) {
        double x = psb_between(r, 0.3, 0.45) * width;
        psb_add_box(b, -x, 0, 0, thickness, 0.85 * depth, height);
        psb_add_box(b, x, 0, 0, thickness, 0.85 * depth, height);
        psb_add_box(b, 0, 0, 0.3 * height, 2 * x, 0.5 * thickness, apron);
        return;
    }
    add_legs(b, 0.94 * width, 0.92 * depth, height, thickness, round);
    if (psb_chance(r, 0.5)) {
        for (int side = -1; side <= 1; side += 2) {
            psb_add_box(b, 0, side * 0.42 * depth, height - apron, 0.85 * width, 0.02, apron);
            psb_add_box(b, side * 0.43 * width, 0, height - apron, 0.02, 0.8 * depth, apron);
        }
    }
    if (psb_chance(r, 0.2)) {
        psb_add_box(b, 0, 0, psb_between(r, 0.2, 0.5) * height, 0.9 * width, 0.85 * depth, 0.025);
    }
}

void psb_make_shelf(psb_builder *b, psb_random *r) {
    double width = psb_between(r, 0.50, 1.30);
    double depth = psb_between(r, 0.22, 0.45);
    double height = psb_between(r, 0.90, 2.10);
    double board = psb_between(r, 0.015, 0.04);
    int boards = psb_choose(r, 3, 7);
    double base = psb_between(r, 0, 0.12);
    for (int i = 0; i < boards; i++) {
        double z = base + (height - board - base) * i / (boards - 1);
        psb_add_box(b, 0, 0, z, width, depth, board);
    }
    if (psb_chance(r, 0.25)) {
        add_legs(b, width, depth, height, 1.5 * board, false);
    } else {
        double x = (width + board) / 2;
        psb_add_box(b, -x, 0, 0, board, depth, height);
        psb_add_box(b, x, 0, 0, board, depth, height);
    }
    if (psb_chance(r, 0.5)) {
        psb_add_box(b, 0, depth / 2, base, width, 0.01, height - base);
    }
    if (psb_chance(r, 0.3)) {
        psb_add_box(b, psb_between(r, -0.2, 0.2) * width, 0, base, board, depth, height - base);
    }
}

void psb_make_bed(psb_builder *b, psb_random *r) {
    double width = psb_between(r, 0.80, 1.90);
    double length = psb_between(r, 1.80, 2.20);
    double under = psb_between(r, 0.15, 0.35);
    double mattress = psb_between(r, 0.12, 0.28);
    double head = psb_between(r, 0.20, 0.70);
    double post = psb_between(r, 0.04, 0.09);
    double top = under + 0.08 + mattress;
    psb_add_box(b, 0, 0, under, width, length, 0.08);
    psb_add_box(b, 0, 0, under + 0.08, 0.95 * width, 0.97 * length, mattress);
    add_legs(b, width, length, under, post, false);
    psb_add_box(b, 0, length / 2, under / 2, width, post, top - under / 2 + head);
    if (psb_chance(r, 0.55)) {
        double foot = psb_between(r, 0.05, 0.35);
        psb_add_box(b, 0, -length / 2, under / 2, width, post, top - under / 2 + foot);
    }
    int pillows = width > 1.2 ? 2 : 1;
    for (int i = 0; i < pillows; i++) {
        double x = (i - (pillows - 1) / 2.0) * width / 2;
        psb_add_ball(b, x, 0.37 * length, top + 0.04, 0.4 * width / pillows, 0.2, 0.09);
    }
}
