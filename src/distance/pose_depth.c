/* Turns rows of depth buffers: another order of the axes is another order of the numbers. */
#include "distance/pose.h"

#include <string.h>

/* Returns the index of the frequencies (u, v) in a part. */
static int place_of(int u, int v) {
    return u * PSB_DEPTH_FREQUENCIES - u * (u - 1) / 2 + v;
}

/* Sets the axes of an image: all but the viewing axis, in their order. */
static void image_axes(int view, int axis[2]) {
    axis[0] = view == 0 ? 1 : 0;
    axis[1] = view == 2 ? 1 : 2;
}

/* Copies the image along axis k from the image along source[k], the axis that moves to k. */
static void turn(const psb_pose_kernel *kernel, int order, const double *from, double *to) {
    size_t rows = kernel != NULL ? PSB_POSE_PANEL : 1;
    int source[3];
    for (int k = 0; k < 3; k++) {
        source[psb_orders[order][k]] = k;
    }
    for (int view = 0; view < 3; view++) {
        int axis[2];
        image_axes(view, axis);
        bool crossed = source[axis[0]] > source[axis[1]];
        for (int part = 0; part < 2; part++, to += PSB_DEPTH_PART * rows) {
            const double *seen = from + (size_t)((2 * source[view] + part) * PSB_DEPTH_PART) * rows;
            for (int u = 0; u < PSB_DEPTH_FREQUENCIES; u++) {
                for (int v = 0; v < PSB_DEPTH_FREQUENCIES - u; v++) {
                    int at = crossed ? place_of(v, u) : place_of(u, v);
                    memcpy(to + (size_t)place_of(u, v) * rows, seen + (size_t)at * rows,
                           rows * sizeof *to);
                }
            }
        }
    }
}

/* Fills in the classes: a cosine of odd frequency is odd about the image's middle, the odd part odd
 * along the view. */
static void parity(unsigned char *parity) {
    for (int view = 0; view < 3; view++) {
        int axis[2];
        image_axes(view, axis);
        for (int part = 0; part < 2; part++) {
            for (int u = 0; u < PSB_DEPTH_FREQUENCIES; u++) {
                for (int v = 0; v < PSB_DEPTH_FREQUENCIES - u; v++) {
                    *parity++ = (unsigned char)(part << view | u % 2 << axis[0] | v % 2 << axis[1]);
                }
            }
        }
    }
}

const psb_pose_form psb_pose_depth = {
    .block = PSB_DEPTH_LENGTH,
    .most = 1,
    .keeps_l1 = true,
    .parity = parity,
    .turn = turn,
};
