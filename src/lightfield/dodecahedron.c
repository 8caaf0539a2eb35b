/* Vertices by their cylindrical coordinates; rotations by where they carry one edge. */
#include "lightfield/dodecahedron.h"

#include "core/elementary.h"
#include "core/vector.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

void psb_dodecahedron_vertices(double vertex[PSB_AXES][3]) {
    const double golden = (1.0 + sqrt(5.0)) / 2.0;
    const double edge = 3.0 - sqrt(5.0);
    const double top_radius = edge / (2.0 * psb_sin(PI / 5.0));
    const double top_height = edge * golden * golden / (2.0 * sqrt(3.0 - golden));
    const double middle_radius = golden * top_radius;
    const double middle_height = top_height / (golden * golden * golden);
    /* The top face, then one end of each axis that touches neither top nor bottom. */
    static const int azimuth[PSB_AXES] = {36, 108, 180, 252, 324, -36, 0, 36, 72, 108};
    static const int side[5] = {1, -1, 1, -1, 1};
    for (int m = 0; m < PSB_AXES; m++) {
        double angle = azimuth[m] * PI / 180.0;
        double radius = m < 5 ? top_radius : middle_radius;
        vertex[m][0] = radius * psb_cos(angle);
        vertex[m][1] = radius * psb_sin(angle);
        vertex[m][2] = m < 5 ? top_height : side[m - 5] * middle_height;
    }
}

/* An orthonormal frame with its first axis along p and its second in the plane of p and q. */
static void frame_of(const double p[3], const double q[3], double frame[3][3]) {
    double along = psb_dot(p, q) / psb_dot(p, p);
    for (int i = 0; i < 3; i++) {
        frame[0][i] = p[i];
        frame[1][i] = q[i] - along * p[i];
    }
    psb_normalize(frame[0]);
    psb_normalize(frame[1]);
    psb_cross(frame[0], frame[1], frame[2]);
}

/* The axis nearest to the direction p. */
static uint8_t axis_near(const double vertex[PSB_AXES][3], const double p[3]) {
    uint8_t best = 0;
    for (uint8_t m = 1; m < PSB_AXES; m++) {
        if (fabs(psb_dot(vertex[m], p)) > fabs(psb_dot(vertex[best], p))) {
            best = m;
        }
    }
    return best;
}

/* The permutation that turning the frame `from` into the frame `to` makes of the axes. */
static void permute(const double vertex[PSB_AXES][3], const double from[3][3],
                    const double to[3][3], uint8_t permutation[PSB_AXES]) {
    for (int m = 0; m < PSB_AXES; m++) {
        double turned[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < 3; k++) {
            double along = psb_dot(from[k], vertex[m]);
            for (int i = 0; i < 3; i++) {
                turned[i] += along * to[k][i];
            }
        }
        permutation[m] = axis_near(vertex, turned);
    }
}

/* Neighbors on the dodecahedron enclose the smallest angle, with cosine sqrt(5)/3 = 0.745. */
static bool adjacent(const double p[3], const double q[3]) {
    double cosine = psb_dot(p, q) / psb_dot(p, p);
    return cosine > 0.5 && cosine < 0.9;
}

/*
 * A rotation is known by the directed edge to which it carries one chosen directed edge; there
 * are 20 x 3 directed edges, hence sixty rotations. The first is the identity.
 */
static void find_rotations(uint8_t rotation[PSB_ROTATIONS][PSB_AXES]) {
    double vertex[2 * PSB_AXES][3];
    psb_dodecahedron_vertices(vertex);
    for (int m = 0; m < PSB_AXES; m++) {
        for (int i = 0; i < 3; i++) {
            vertex[PSB_AXES + m][i] = -vertex[m][i];
        }
    }
    double from[3][3], to[3][3];
    int count = 0;
    for (int p = 0; p < 2 * PSB_AXES; p++) {
        for (int q = 0; q < 2 * PSB_AXES; q++) {
            if (adjacent(vertex[p], vertex[q])) {
                frame_of(vertex[p], vertex[q], to);
                if (count == 0) {
                    memcpy(from, to, sizeof from);
                }
                permute(vertex, from, to, rotation[count++]);
            }
        }
    }
}

void psb_dodecahedron_rotations(uint8_t rotation[PSB_ROTATIONS][PSB_AXES]) {
    uint8_t found[PSB_ROTATIONS][PSB_AXES];
    find_rotations(found);
    int count = 0;
    for (int r = 0; r < PSB_ROTATIONS; r++) {
        bool known = false;
        for (int k = 0; k < count && !known; k++) {
            known = memcmp(rotation[k], found[r], PSB_AXES) == 0;
        }
        for (int k = 0; k < PSB_TETRAHEDRAL && !known; k++, count++) {
            for (int m = 0; m < PSB_AXES; m++) {
                rotation[count][m] = found[r][psb_tetrahedral[k][m]];
            }
        }
    }
}
