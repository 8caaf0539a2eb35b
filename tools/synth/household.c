/* Lamps and chess pieces. */
#include "core/elementary.h"
#include "synth/objects.h"

#include <math.h>
#include <string.h>

/* Adds an open lampshade with its narrow end at the origin and its wide end at z = -height. */
static void add_shade(psb_builder *b, double narrow, double wide, double height) {
    const double profile[][2] = {{wide, -height},
                                 {narrow, 0},
                                 {0.2 * narrow, 0.1 * height},
                                 {0.2 * narrow, 0.05 * height},
                                 {0.95 * narrow, -0.02 * height},
                                 {0.96 * wide, -height}};
    psb_add_lathe(b, 6, profile);
}

static void add_base(psb_builder *b, psb_random *r, double radius, double height) {
    if (psb_chance(r, 0.75)) {
        psb_add_cone(b, 0, radius, height, psb_between(r, 0.3, 0.95) * radius);
    } else {
        psb_add_box(b, 0, 0, 0, 1.8 * radius, 1.8 * radius, height);
    }
}

void psb_make_desk_lamp(psb_builder *b, psb_random *r) {
    double base = psb_between(r, 0.07, 0.13);
    double lower = psb_between(r, 0.15, 0.40);
    double upper = psb_between(r, 0.15, 0.40);
    double thickness = psb_between(r, 0.006, 0.014);
    double lean = psb_between(r, -0.7, 0.2);
    double reach = psb_between(r, 0.5, 1.5);
    double wide = psb_between(r, 0.06, 0.12);
    double tilt = psb_between(r, -0.2, 0.8);
    double narrow = psb_between(r, 0.3, 0.7) * wide;
    const double elbow[3] = {lower * psb_sin(lean), 0, lower * psb_cos(lean)};
    const double end[3] = {elbow[0] + upper * psb_sin(reach), 0, elbow[2] + upper * psb_cos(reach)};
    add_base(b, r, base, 0.025);
    psb_add_stick(b, (double[]){0, 0, 0}, elbow, thickness, thickness);
    psb_add_stick(b, elbow, end, thickness, thickness);
    psb_add_ball(b, elbow[0], 0, elbow[2], 2 * thickness, 2 * thickness, 2 * thickness);
    psb_move(b, end[0], 0, end[2]);
    psb_turn(b, 1, -tilt);
    add_shade(b, narrow, wide, psb_between(r, 0.9, 1.7) * wide);
    psb_add_ball(b, 0, 0, -0.5 * wide, 0.35 * wide, 0.35 * wide, 0.45 * wide);
}

void psb_make_floor_lamp(psb_builder *b, psb_random *r) {
    double height = psb_between(r, 1.2, 1.9);
    double base = psb_between(r, 0.11, 0.22);
    double wide = psb_between(r, 0.14, 0.30);
    double narrow = psb_between(r, 0.4, 0.95) * wide;
    double shade = psb_between(r, 0.6, 1.6) * wide;
    double thickness = psb_between(r, 0.010, 0.022);
    add_base(b, r, base, 0.03);
    psb_add_stick(b, (double[]){0, 0, 0}, (double[]){0, 0, height}, thickness, thickness);
    psb_move(b, 0, 0, height);
    if (psb_chance(r, 0.25)) {
        enum { POINTS = 9 };
        double path[POINTS][3];
        double radii[POINTS];
        double arc = psb_between(r, 0.15, 0.40);
        for (int i = 0; i < POINTS; i++) {
            double angle = M_PI * i / (POINTS - 1);
            psb_set_point(path[i], arc * (1 - psb_cos(angle)), 0, arc * psb_sin(angle));
            radii[i] = thickness;
        }
        psb_add_tube(b, POINTS, path, radii);
        psb_move(b, 2 * arc, 0, 0);
    } else if (psb_chance(r, 0.25)) {
        psb_turn(b, 0, M_PI);
    } else {
        psb_move(b, 0, 0, 0.6 * shade);
    }
    add_shade(b, narrow, wide, shade);
}

/* Base and stem that chess pieces share, up to the collar at `height`. */
enum { STEM_POINTS = 10 };
static void chess_stem(psb_random *r, double base, double height, double waist,
                       double out[STEM_POINTS][2]) {
    double foot = psb_between(r, 0.08, 0.15) * height;
    double collar = psb_between(r, 1.4, 2.0) * waist;
    const double profile[STEM_POINTS][2] = {{0, 0},
                                            {base, 0},
                                            {base, 0},
                                            {base, foot},
                                            {0.75 * base, 1.6 * foot},
                                            {0.7 * base, 2.2 * foot},
                                            {waist, 0.6 * height},
                                            {0.9 * waist, 0.92 * height},
                                            {collar, 0.95 * height},
                                            {collar, height}};
    memcpy(out, profile, sizeof profile);
}

void psb_make_pawn(psb_builder *b, psb_random *r) {
    double base = psb_between(r, 0.011, 0.016);
    double height = psb_between(r, 0.020, 0.034);
    double waist = psb_between(r, 0.35, 0.55) * base;
    double head = psb_between(r, 0.50, 0.75) * base;
    double profile[STEM_POINTS + 2][2];
    chess_stem(r, base, height, waist, profile);
    const double top[2][2] = {{0.6 * waist, 1.02 * height}, {0, 1.05 * height}};
    memcpy(profile[STEM_POINTS], top, sizeof top);
    psb_add_turned(b, STEM_POINTS + 2, (const double(*)[2])profile);
    psb_add_ball(b, 0, 0, height + 0.85 * head, head, head, head);
}

void psb_make_bishop(psb_builder *b, psb_random *r) {
    double base = psb_between(r, 0.012, 0.018);
    double height = psb_between(r, 0.030, 0.050);
    double waist = psb_between(r, 0.32, 0.50) * base;
    double mitre = psb_between(r, 0.45, 0.65) * base;
    double tall = psb_between(r, 0.35, 0.60) * height;
    double profile[STEM_POINTS + 5][2];
    chess_stem(r, base, height, waist, profile);
    const double top[5][2] = {{0.8 * waist, 1.04 * height},
                              {mitre, height + 0.4 * tall},
                              {0.6 * mitre, height + 0.8 * tall},
                              {0.1 * mitre, height + tall},
                              {0, height + tall}};
    memcpy(profile[STEM_POINTS], top, sizeof top);
    psb_add_turned(b, STEM_POINTS + 5, (const double(*)[2])profile);
    double ball = psb_between(r, 0.2, 0.35) * mitre;
    psb_add_ball(b, 0, 0, height + tall + 0.8 * ball, ball, ball, ball);
}
