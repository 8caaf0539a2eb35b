/* Finds the nearest node by rounding or, if that is outside of the ball, by searching around it. */
#include "eval/occupancy.h"

#include "core/elementary.h"

#include <math.h>

enum { SIDE = 28, NODES = SIDE * SIDE * SIDE };

/* The coordinate of node i, from -1 to 1. */
static double coordinate(int i) {
    return 2 * (double)i / (SIDE - 1) - 1;
}

static bool is_inside(const int at[3]) {
    double x = coordinate(at[0]), y = coordinate(at[1]), z = coordinate(at[2]);
    return x * x + y * y + z * z <= 1;
}

static int number_of(const int at[3]) {
    return (at[0] * SIDE + at[1]) * SIDE + at[2];
}

/* The ball's node nearest to p among those up to `reach` from `around`, or -1; its distance. */
static int look_around(const float p[3], const int around[3], int reach, double *distance) {
    int first[3], end[3], found = -1;
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        first[k] = around[k] > reach ? around[k] - reach : 0;
        end[k] = around[k] + reach < SIDE - 1 ? around[k] + reach : SIDE - 1;
    }
    for (int x = end[0]; x >= first[0]; x--) {
        for (int y = end[1]; y >= first[1]; y--) {
            for (int z = end[2]; z >= first[2]; z--) {
                const int at[3] = {x, y, z};
                double square = 0;
                for (int k = 0; k < 3; k++) {
                    double d = (double)p[k] - coordinate(at[k]);
                    square += d * d;
                }
                if (square < least && is_inside(at)) {
                    least = square;
                    found = number_of(at);
                }
            }
        }
    }
    *distance = sqrt(least);
    return found;
}

static int node_of(const float p[3]) {
    int at[3], found;
    double distance;
    bool within = true;
    for (int k = 0; k < 3; k++) {
        double place = floor(((double)p[k] + 1) * (SIDE - 1) / 2 + 0.5);
        within = within && place >= 0 && place < SIDE;
        at[k] = place < 0 ? 0 : place < SIDE ? (int)place : SIDE - 1;
    }
    if (within && is_inside(at)) {
        return number_of(at);
    }
    for (int reach = 3;; reach *= 2) { /* until all nodes beyond the reach are farther */
        found = look_around(p, at, reach, &distance);
        if (reach >= SIDE || (found >= 0 && distance <= 2 * (double)reach / (SIDE - 1))) {
            return found;
        }
    }
}

static void count(const psb_npy *rows, double *share) {
    const float *at = rows->data;
    size_t points = rows->rows * (rows->columns / 3);
    for (size_t i = 0; i < NODES; i++) {
        share[i] = 0;
    }
    for (size_t i = 0; i < points; i++) {
        share[node_of(at + 3 * i)] += 1 / (double)points;
    }
}

static double term(double p) {
    return p > 0 ? -p * psb_log2(p) : 0;
}

psb_status psb_occupancy_divergence(const psb_npy *a, const psb_npy *b, double *divergence,
                                    psb_error *error) {
    psb_status status = PSB_OK;
    double *p = psb_new(&status, 2 * NODES, sizeof *p, "an occupancy", error), sum = 0;
    if (status == PSB_OK) {
        double *q = p + NODES;
        count(a, p);
        count(b, q);
        for (size_t i = 0; i < NODES; i++) {
            sum += term((p[i] + q[i]) / 2) - (term(p[i]) + term(q[i])) / 2;
        }
        *divergence = sum > 0 ? sum : 0;
    }
    free(p);
    return status;
}
