/* Visits all pairs of keys and points twice: to choose the side of the normal, then to count. */
#include "local/spin_features.h"

#include "core/cpu.h"

#include <math.h>

enum {
    RADII = 2,
    AROUND = 8, /* bins by distance from the axis */
    ALONG = 6,  /* bins by height */
    APART = 4,  /* bins by distance */
    BENT = 4,   /* bins by the cosine of the normals */
    IMAGE = AROUND * ALONG,
    COUNTS = IMAGE + APART * BENT,
};
_Static_assert(RADII *COUNTS == PSB_FEATURE_SHARES, "a feature is the counts at all radii");

static const float radius[RADII] = {0.5F, 1.0F};

void psb_spin_points_take(const psb_cloud *cloud, psb_spin_points *out) {
    for (int i = 0; i < 3 * PSB_SPIN_POINTS; i++) {
        out->at[i % 3][i / 3] = (float)cloud->at[i];
        out->normal[i % 3][i / 3] = cloud->normals[i];
    }
}

/* The other points relative to a key, up to the largest radius. */
typedef struct neighbours {
    int count;
    float square[PSB_SPIN_POINTS]; /* squared distance */
    float height[PSB_SPIN_POINTS]; /* height along the key's normal */
    float cosine[PSB_SPIN_POINTS]; /* absolute cosine between the normals */
} neighbours;

PSB_INLINE void look_around(const psb_spin_points *p, int key, neighbours *near) {
    float square[PSB_SPIN_POINTS], height[PSB_SPIN_POINTS], cosine[PSB_SPIN_POINTS];
    float x = p->at[0][key], y = p->at[1][key], z = p->at[2][key];
    float nx = p->normal[0][key], ny = p->normal[1][key], nz = p->normal[2][key];
    for (int i = 0; i < PSB_SPIN_POINTS; i++) {
        float dx = p->at[0][i] - x, dy = p->at[1][i] - y, dz = p->at[2][i] - z;
        square[i] = dx * dx + dy * dy + dz * dz;
        height[i] = dx * nx + dy * ny + dz * nz;
        cosine[i] = fabsf(p->normal[0][i] * nx + p->normal[1][i] * ny + p->normal[2][i] * nz);
    }
    near->count = 0;
    for (int i = 0; i < PSB_SPIN_POINTS; i++) {
        if (i != key && square[i] < radius[RADII - 1] * radius[RADII - 1]) {
            near->square[near->count] = square[i];
            near->height[near->count] = height[i];
            near->cosine[near->count++] = cosine[i];
        }
    }
}

/* Finds the two bins whose centers are next to `place` (0 ... 1); returns the share of the
 * second. */
PSB_INLINE float between(float place, int bins, int *first, int *second) {
    float at = place * (float)bins - 0.5F;
    at = at < 0 ? 0 : at > (float)(bins - 1) ? (float)(bins - 1) : at;
    *first = (int)at;
    *second = *first + 1 < bins ? *first + 1 : *first;
    return at - (float)*first;
}

/* Adds 1 to a table, divided among the four nearest bins. */
PSB_INLINE void count_pair(float *table, int rows, int columns, float row, float column) {
    int r0, r1, c0, c1;
    float below = between(row, rows, &r0, &r1), right = between(column, columns, &c0, &c1);
    table[r0 * columns + c0] += (1.0F - below) * (1.0F - right);
    table[r0 * columns + c1] += (1.0F - below) * right;
    table[r1 * columns + c0] += below * (1.0F - right);
    table[r1 * columns + c1] += below * right;
}

/* Computes the square roots of the shares within one radius; 0 if it contains no other point. */
PSB_INLINE void describe(const neighbours *near, float within, float *out) {
    float counts[COUNTS] = {0}, balance = 0, most = within * within;
    int count = 0;
    for (int i = 0; i < near->count; i++) {
        if (near->square[i] < most) {
            balance += near->height[i] * (1.0F - near->square[i] / most);
        }
    }
    float side = balance > 0 ? -1.0F : 1.0F;
    for (int i = 0; i < near->count; i++) {
        if (near->square[i] < most) {
            float h = side * near->height[i], beside = near->square[i] - h * h;
            float around = beside > 0 ? sqrtf(beside) / within : 0;
            count_pair(counts, AROUND, ALONG, around, 0.5F + 0.5F * h / within);
            count_pair(counts + IMAGE, APART, BENT, sqrtf(near->square[i]) / within,
                       near->cosine[i]);
            count++;
        }
    }
    for (int k = 0; k < COUNTS; k++) {
        out[k] = count > 0 ? sqrtf(counts[k] / (2.0F * (float)count)) : 0;
    }
}

void psb_spin_features(const psb_spin_points *p, psb_feature features[PSB_SPIN_FEATURES]) {
    neighbours near;
    for (int f = 0; f < PSB_SPIN_FEATURES; f++) {
        int key = 2 * f;
        float *out = features[f];
        look_around(p, key, &near);
        for (int r = 0; r < RADII; r++) {
            describe(&near, radius[r], out + r * COUNTS);
        }
        float x = p->at[0][key], y = p->at[1][key], z = p->at[2][key];
        float along = x * p->normal[0][key] + y * p->normal[1][key] + z * p->normal[2][key];
        float away = sqrtf(x * x + y * y + z * z);
        out[PSB_FEATURE_SHARES] = away;
        out[PSB_FEATURE_SHARES + 1] = away > 0 ? fabsf(along) / away : 0;
    }
}
