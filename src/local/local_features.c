/* Lets gradients vote into maps of orientations, and reads features from the maps. */
#include "local/local_features.h"

#include "core/vector.h"

#include <string.h>

enum { SIZES = 3, BINS = 8, STEP = 4, FIRST = 2, CELLS = 4 };

/* A steeper gradient is an outline, where the depth of the step means nothing. */
static const float steepest = 3.0F;
/* A feature whose votes sum to less is the noise of an almost flat spot. */
static const float faintest = 2.0F;
/* Distance between a feature's places in cells of the maps; the whole feature spans sixteen
 * pixels. */
#define SPACING (8.0F / 2.2F / 2.0F)

/* ---- maps of orientations --------------------------------------------------------------- */

/* Returns the angle of (x, y), not both 0, in eighths of a turn, 0 ... 8, to 1e-5, without libm. */
PSB_INLINE float eighths(float x, float y) {
    float ax = fabsf(x), ay = fabsf(y);
    float ratio = (ax < ay ? ax : ay) / (ax < ay ? ay : ax), square = ratio * ratio;
    /* atan(ratio) / (pi / 4): Abramowitz and Stegun 4.4.49, scaled. */
    float angle = ratio * (1.27323954F * 0.9998660F +
                           square * (1.27323954F * -0.3302995F +
                                     square * (1.27323954F * 0.1801410F +
                                               square * (1.27323954F * -0.0851330F +
                                                         square * (1.27323954F * 0.0208351F)))));
    angle = ax < ay ? 2.0F - angle : angle;
    angle = x < 0 ? 4.0F - angle : angle;
    return y < 0 ? 8.0F - angle : angle;
}

/* Returns the change of depth per pixel: central difference, one-sided at the border. */
PSB_INLINE float difference(const float *depth, int at, int position, int side, int step) {
    int before = position > 0 ? at - step : at, behind = position + 1 < side ? at + step : at;
    float change = depth[behind] - depth[before];
    return behind - before == 2 * step ? 0.5F * change : change;
}

/* Lets each pixel's gradient vote for the two orientations nearest to its own. */
PSB_INLINE void vote(const float *depth, int side, float (*votes)[BINS]) {
    float scale = (float)side / 2.0F;
    int half = side / 2;
    memset(votes, 0, (size_t)(half * half) * sizeof *votes);
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            int at = y * side + x;
            float dx = scale * difference(depth, at, x, side, 1);
            float dy = scale * difference(depth, at, y, side, side);
            if (dx == 0 && dy == 0) {
                continue;
            }
            float steep = sqrtf(dx * dx + dy * dy);
            float magnitude = steep < steepest ? steep : steepest;
            float angle = eighths(dx, dy);
            int bin = (int)angle;
            float share = angle - (float)bin, *cell = votes[y / 2 * half + x / 2];
            cell[bin % BINS] += magnitude * (1.0F - share);
            cell[(bin + 1) % BINS] += magnitude * share;
        }
    }
}

/* Smooths the votes by [1 2 1] / 4 in both directions; beyond the border there are none. */
PSB_INLINE void blur(const float (*votes)[BINS], int side, float (*smooth)[BINS]) {
    memset(smooth, 0, (size_t)(side * side) * sizeof *smooth);
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            float *cell = smooth[y * side + x];
            for (int j = y > 0 ? -1 : 0; j <= (y + 1 < side ? 1 : 0); j++) {
                for (int i = x > 0 ? -1 : 0; i <= (x + 1 < side ? 1 : 0); i++) {
                    const float *from = votes[(y + j) * side + x + i];
                    float weight = (j == 0 ? 0.5F : 0.25F) * (i == 0 ? 0.5F : 0.25F);
                    for (int b = 0; b < BINS; b++) {
                        cell[b] += weight * from[b];
                    }
                }
            }
        }
    }
}

/* ---- one feature ------------------------------------------------------------------------ */

/* Adds the maps' values at a place between four cells to sum[]. */
PSB_INLINE void sample(const float (*maps)[BINS], int side, float x, float y, float weight,
                       float sum[BINS]) {
    float fx = floorf(x), fy = floorf(y), right = x - fx, below = y - fy;
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < 2; i++) {
            int cx = (int)fx + i, cy = (int)fy + j;
            if (cx < 0 || cy < 0 || cx >= side || cy >= side) {
                continue;
            }
            float share =
                weight * (i == 0 ? 1.0F - right : right) * (j == 0 ? 1.0F - below : below);
            const float *cell = maps[cy * side + cx];
            for (int b = 0; b < BINS; b++) {
                sum[b] += share * cell[b];
            }
        }
    }
}

/* Returns the prevailing orientation within four cells of (x, y), in eighths of a turn: [0, 8). */
PSB_INLINE float orientation(const float (*maps)[BINS], int side, float x, float y) {
    enum { REACH = 4 };
    float sum[BINS] = {0};
    for (int cy = (int)y - REACH; cy <= (int)y + REACH + 1; cy++) {
        for (int cx = (int)x - REACH; cx <= (int)x + REACH + 1; cx++) {
            float dx = (float)cx - x, dy = (float)cy - y, square = dx * dx + dy * dy;
            if (cx < 0 || cy < 0 || cx >= side || cy >= side || square > REACH * REACH) {
                continue;
            }
            const float *cell = maps[cy * side + cx];
            float weight = 1.0F - square / ((REACH + 1) * (REACH + 1));
            for (int b = 0; b < BINS; b++) {
                sum[b] += weight * cell[b];
            }
        }
    }
    int peak = 0;
    for (int b = 1; b < BINS; b++) {
        peak = sum[b] > sum[peak] ? b : peak;
    }
    float before = sum[(peak + BINS - 1) % BINS], behind = sum[(peak + 1) % BINS];
    float curve = before - 2.0F * sum[peak] + behind;
    float angle = (float)peak + (curve < 0 ? 0.5F * (before - behind) / curve : 0.0F);
    return angle < 0 ? angle + (float)BINS : angle;
}

/* Computes cosine and sine of an angle in eighths of a turn, to 1e-6. */
PSB_INLINE void turn_of(float angle, float *cosine, float *sine) {
    float quarter = floorf(angle / 2.0F + 0.5F); /* nearest quarter turn */
    float x = (angle - 2.0F * quarter) * 0.785398163F, square = x * x;
    float c = 1.0F - square * (0.5F - square * (1.0F / 24.0F - square * (1.0F / 720.0F)));
    float s = x * (1.0F - square * (1.0F / 6.0F - square * (1.0F / 120.0F)));
    switch ((int)quarter % 4) {
    case 0:
        *cosine = c, *sine = s;
        break;
    case 1:
        *cosine = -s, *sine = c;
        break;
    case 2:
        *cosine = -c, *sine = -s;
        break;
    default:
        *cosine = s, *sine = -c;
        break;
    }
}

/* Weights of the sixteen places by their squared distance: exp(-square / 16). */
static const float place_weight[CELLS][CELLS] = {
    {0.394652F, 0.596588F, 0.596588F, 0.394652F},
    {0.596588F, 0.901851F, 0.901851F, 0.596588F},
    {0.596588F, 0.901851F, 0.901851F, 0.596588F},
    {0.394652F, 0.596588F, 0.596588F, 0.394652F},
};

/* Computes the 128 numbers at (x, y), in cells; false if there is next to nothing. */
PSB_INLINE bool describe(const float (*maps)[BINS], int side, float x, float y, float *out) {
    float angle = orientation(maps, side, x, y), cosine, sine, total = 0;
    int shift = (int)angle;
    float share = angle - (float)shift;
    turn_of(angle, &cosine, &sine);
    for (int j = 0; j < CELLS; j++) {
        for (int i = 0; i < CELLS; i++) {
            float right = ((float)i - 1.5F) * SPACING, below = ((float)j - 1.5F) * SPACING;
            float found[BINS] = {0}, *bins = out + (j * CELLS + i) * BINS;
            sample(maps, side, x + cosine * right - sine * below, y + sine * right + cosine * below,
                   place_weight[j][i], found);
            for (int b = 0; b < BINS; b++) {
                bins[b] = (1.0F - share) * found[(b + shift) % BINS] +
                          share * found[(b + shift + 1) % BINS];
                total += bins[b];
            }
        }
    }
    if (!(total >= faintest)) {
        return false;
    }
    for (int k = 0; k < PSB_FEATURE_SHARES; k++) {
        out[k] = sqrtf(out[k] / total);
    }
    return true;
}

/* ---- one image -------------------------------------------------------------------------- */

/* Halves the image in place: a pixel becomes the mean of those of its four that are not
 * background. */
static void halve(float *depth, int side) {
    int half = side / 2;
    for (int y = 0; y < half; y++) {
        for (int x = 0; x < half; x++) {
            float sum = 0;
            int count = 0;
            for (int k = 0; k < 4; k++) {
                float d = depth[(2 * y + k / 2) * side + 2 * x + k % 2];
                sum += d;
                count += d > 0;
            }
            depth[y * half + x] = count > 0 ? sum / (float)count : 0.0F;
        }
    }
}

/* True if the object is seen at the pixel or two pixels beside it. */
static bool is_near(const float *depth, int side, int x, int y) {
    for (int j = y - 2; j <= y + 2; j += 2) {
        for (int i = x - 2; i <= x + 2; i += 2) {
            if (j >= 0 && i >= 0 && j < side && i < side && depth[j * side + i] > 0) {
                return true;
            }
        }
    }
    return false;
}

static void place(const float *depth, int side, int x, int y, float *out) {
    float d = depth[y * side + x], z = d > 0 ? 2.0F * d - 1.0F : 0.0F;
    float px = (2.0F * (float)x + 1.0F) / (float)side - 1.0F;
    float py = (2.0F * (float)y + 1.0F) / (float)side - 1.0F;
    out[0] = sqrtf(px * px + py * py + z * z);
    out[1] = z;
}

static void fill(const float *image, psb_feature_work *work, psb_feature *features, size_t *count) {
    int side = PSB_DEPTH_SIDE;
    memcpy(work->depth, image, sizeof work->depth);
    *count = 0;
    for (int size = 0; size < SIZES; size++) {
        if (size > 0) {
            halve(work->depth, side);
            side /= 2;
        }
        vote(work->depth, side, work->votes);
        blur((const float(*)[BINS])work->votes, side / 2, work->smooth);
        for (int y = FIRST; y < side; y += STEP) {
            for (int x = FIRST; x < side; x += STEP) {
                /* The center of pixel x in cells, whose centers are whole numbers. */
                float cx = ((float)x + 0.5F) / 2.0F - 0.5F, cy = ((float)y + 0.5F) / 2.0F - 0.5F;
                float *out = features[*count];
                if (is_near(work->depth, side, x, y) &&
                    describe((const float(*)[BINS])work->smooth, side / 2, cx, cy, out)) {
                    place(work->depth, side, x, y, out + PSB_FEATURE_SHARES);
                    ++*count;
                }
            }
        }
    }
}

size_t psb_local_features(const float image[PSB_DEPTH_PIXELS], psb_feature_work *work,
                          psb_feature features[PSB_FEATURE_MOST]) {
    size_t count;
    fill(image, work, features, &count);
    return count;
}
