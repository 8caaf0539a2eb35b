/* Multiplies the matrices of placements. */
#include "io/placement.h"

const psb_placement psb_placement_none = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

psb_placement psb_placement_within(const psb_placement *outer, const psb_placement *inner) {
    psb_placement p = {{{0}}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            for (int k = 0; k < 3; k++) {
                p.m[i][j] += outer->m[i][k] * inner->m[k][j];
            }
            p.m[i][j] += j == 3 ? outer->m[i][3] : 0;
        }
    }
    return p;
}

psb_placement psb_placement_of_parts(const double t[3], const double q[4], const double scale[3]) {
    double x = q[0], y = q[1], z = q[2], w = q[3], square = x * x + y * y + z * z + w * w;
    double s = square > 0 ? 2 / square : 0;
    const double turn[3][3] = {
        {1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
        {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
        {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)},
    };
    psb_placement p;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            p.m[i][j] = turn[i][j] * scale[j];
        }
        p.m[i][3] = t[i];
    }
    return p;
}

void psb_placement_apply(const psb_placement *p, const double from[3], double to[3]) {
    for (int i = 0; i < 3; i++) {
        const double *m = p->m[i];
        to[i] = m[0] * from[0] + m[1] * from[1] + m[2] * from[2] + m[3];
    }
}

bool psb_placement_mirrors(const psb_placement *p) {
    const double(*m)[4] = p->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
           0;
}
