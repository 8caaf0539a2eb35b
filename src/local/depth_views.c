/* Chooses directions by symmetry, turns a mesh into a view's axes, and rasterises it there. */
#include "local/depth_views.h"

#include "core/vector.h"

enum { SIDE = PSB_DEPTH_SIDE };

/* The least depth of the object, well above the background's 0. */
static const double shallowest = 0.02;

static void set(double out[3], double x, double y, double z) {
    out[0] = x;
    out[1] = y;
    out[2] = z;
    psb_normalize(out);
}

/* Chooses one of a direction and its opposite: true if its last nonzero coordinate is positive. */
static bool is_upper(const double d[3]) {
    const double least = 1e-9;
    for (int k = 2; k > 0; k--) {
        if (fabs(d[k]) > least) {
            return d[k] > 0;
        }
    }
    return d[0] > 0;
}

/* Appends the midpoint of each pair of points whose cosine is `cosine`, but only one of two
 * opposite midpoints; returns the new number of directions. */
static int add_midpoints(const double (*points)[3], int npoints, double cosine,
                         double (*directions)[3], int count) {
    for (int i = 0; i < npoints; i++) {
        for (int j = i + 1; j < npoints; j++) {
            double sum[3];
            for (int k = 0; k < 3; k++) {
                sum[k] = points[i][k] + points[j][k];
            }
            if (fabs(psb_dot(points[i], points[j]) - cosine) < 1e-6 && is_upper(sum)) {
                set(directions[count++], sum[0], sum[1], sum[2]);
            }
        }
    }
    return count;
}

/* Lists each of the directions, followed by its opposite. */
static void with_opposites(const double (*directions)[3], int count, double (*points)[3]) {
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            points[2 * i][k] = directions[i][k];
            points[2 * i + 1][k] = -directions[i][k];
        }
    }
}

void psb_view_directions(int views, double directions[PSB_FINE_VIEWS / 2][3]) {
    double points[PSB_CUBE_VIEWS][3];
    if (views == PSB_ICOSAHEDRON_VIEWS) {
        const double golden = (1.0 + sqrt(5.0)) / 2.0;
        int count = 0;
        for (int sign = -1; sign <= 1; sign += 2) {
            set(directions[count++], 0, sign, golden);
            set(directions[count++], sign, golden, 0);
            set(directions[count++], golden, 0, sign);
        }
        with_opposites((const double(*)[3])directions, count, points);
        add_midpoints((const double(*)[3])points, 2 * count, 1.0 / sqrt(5.0), directions, count);
        return;
    }
    for (int i = 0; i < PSB_CUBE_VIEWS / 2; i++) {
        set(directions[i], psb_cube_axes[i][0], psb_cube_axes[i][1], psb_cube_axes[i][2]);
    }
    if (views == PSB_FINE_VIEWS) {
        enum { COUNT = PSB_CUBE_VIEWS / 2 };
        with_opposites((const double(*)[3])directions, COUNT, points);
        /* An axis and the nearest diagonal are 45 degrees apart, two neighboring diagonals 60. */
        int count =
            add_midpoints((const double(*)[3])points, 2 * COUNT, sqrt(0.5), directions, COUNT);
        add_midpoints((const double(*)[3])points, 2 * COUNT, 0.5, directions, count);
    }
}

/* Computes the view's axes: rows u and v are the image's axes, w is the direction. */
static void view_axes(const double w[3], double axes[3][3]) {
    int least = 0;
    for (int k = 1; k < 3; k++) {
        least = fabs(w[k]) < fabs(w[least]) ? k : least;
    }
    double axis[3] = {least == 0, least == 1, least == 2};
    psb_cross(axis, w, axes[0]);
    psb_normalize(axes[0]);
    psb_cross(w, axes[0], axes[1]);
    memcpy(axes[2], w, sizeof axes[2]);
}

static float to_depth(double z) {
    return (float)psb_min(psb_max(0.5 * (z + 1.0), shallowest), 1.0);
}

psb_status psb_depth_images_fill(psb_depth_images *images, const psb_mesh *mesh,
                                 const double *points, const double direction[3],
                                 float image[2][PSB_DEPTH_PIXELS], psb_error *error) {
    double axes[3][3];
    psb_status status = psb_buffer_reserve(&images->turned, mesh->nvertices, 3 * sizeof(double),
                                           "turned vertices", error);
    if (status != PSB_OK) {
        return status;
    }
    double *turned = images->turned.data;
    view_axes(direction, axes);
    for (size_t i = 0; i < mesh->nvertices; i++) {
        for (int k = 0; k < 3; k++) {
            turned[3 * i + (size_t)k] = psb_dot(axes[k], points + 3 * i);
        }
    }
    psb_depth_buffer_fill(mesh, turned, 2, images->largest, images->least);
    for (size_t y = 0; y < SIDE; y++) {
        for (size_t x = 0; x < SIDE; x++) {
            size_t at = y * SIDE + x, mirrored = y * SIDE + (SIDE - 1 - x);
            bool seen = images->largest[at] >= images->least[at];
            image[0][at] = seen ? to_depth(images->largest[at]) : 0.0F;
            image[1][mirrored] = seen ? to_depth(-images->least[at]) : 0.0F;
        }
    }
    return PSB_OK;
}
