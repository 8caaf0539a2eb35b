/*
 * LFD: light field descriptor (Chen, Tian, Shen, Ouhyoung 2003; paper, section 2).
 *
 * Silhouettes from the vertices of ten dodecahedra, 47 bytes an image: 35 moments, 10 Fourier
 * coefficients of the contour, circularity, eccentricity. Opposite vertices see mirror images with
 * equal features, so ten of the twenty are rendered: 100 records, by dodecahedron, then image.
 * Pose: the bounding box of all triangles with area has its center at the origin and a largest side
 * of 1; one unit is 128 pixels. Triangles without area that reach beyond the box are left out: they
 * cover no pixel, and a far one would otherwise shrink the model below a pixel.
 *
 * The PSB paper gives 4,700 bytes but names only the moments and the Fourier coefficients; the
 * other two are in the authors' program. Its "Zernike moments" are the magnitudes of the angular
 * radial transform (settled by comparison with that program's output). The variant moments=zernike
 * has true Zernike moments.
 *
 * The variant root=yes, ours, takes roots of the bytes: see take_roots.
 *
 * A view that covers no pixel's center, such as a flat model seen edge-on, has 47 zeros.
 */
#include "core/error.h"
#include "core/vector.h"
#include "core/watch.h"
#include "descriptors/descriptor.h"
#include "lightfield/cameras.h"
#include "lightfield/moments.h"
#include "lightfield/silhouette.h"
#include "lightfield/silhouette_features.h"

#include <math.h>
#include <string.h>

enum { SIZES = 5 }; /* classes of triangles by size */

static const double pixels_per_unit = PSB_SIDE / 2;

static const char *const moment_names[] = {"art", "zernike", NULL};
static const char *const root_names[] = {"no", "yes", NULL};

/* Indices of the parameters in the table below. */
enum { MOMENTS, ROOT };

static const psb_param lfd_params[] = {
    {
        .name = "moments",
        .type = PSB_PARAM_CHOICE,
        .default_value = PSB_ART,
        .choices = moment_names,
        .provenance = PSB_SETTLED,
        .help = "region moments: angular radial transform, or Zernike",
    },
    {
        .name = "root",
        .type = PSB_PARAM_CHOICE,
        .default_value = false,
        .choices = root_names,
        .provenance = PSB_BEYOND,
        .help = "square roots of moments and Fourier coefficients, and no eccentricity",
    },
};

/* Indices of the shape's private buffers. */
enum { WORKSPACE_BUFFER, POINTS_BUFFER, TRIANGLES_BUFFER };

/* The images of the dodecahedra that are worked on together, and what is computed from them. */
typedef struct workspace {
    psb_bitmap image[PSB_MOMENT_IMAGES];
    psb_silhouette_features features[PSB_MOMENT_IMAGES];
    double radius[PSB_MOMENT_IMAGES]; /* the unit of the moments */
    double moment[PSB_MOMENT_IMAGES][PSB_MOMENTS];
    psb_moment_scratch moments;
    psb_contour contour;
} workspace;

static size_t length(const psb_params *params PSB_UNUSED) {
    return PSB_LFD_LENGTH;
}

typedef struct box {
    double low[3], high[3];
} box;

static void extend(box *around, const double p[3]) {
    for (int i = 0; i < 3; i++) {
        around->low[i] = psb_min(around->low[i], p[i]);
        around->high[i] = psb_max(around->high[i], p[i]);
    }
}

static bool is_inside(const box *around, const double p[3]) {
    bool inside = true;
    for (int i = 0; i < 3; i++) {
        inside &= p[i] >= around->low[i] && p[i] <= around->high[i];
    }
    return inside;
}

static bool is_within(const psb_mesh *mesh, const box *around, const uint32_t corner[3]) {
    bool within = true;
    for (int k = 0; k < 3; k++) {
        within &= is_inside(around, mesh->vertices + 3 * (size_t)corner[k]);
    }
    return within;
}

/* Returns whether the triangle's area is more than rounding alone can give. */
static bool has_area(const psb_mesh *mesh, const uint32_t corner[3]) {
    static const double rounding = 1e-12; /* relative to the longest edge's square */
    const double *p[3];
    double edge[3][3], normal[3], longest2 = 0.0;
    for (int k = 0; k < 3; k++) {
        p[k] = mesh->vertices + 3 * (size_t)corner[k];
    }
    for (int k = 0; k < 3; k++) {
        psb_subtract(p[(k + 1) % 3], p[k], edge[k]);
        longest2 = psb_max(longest2, psb_dot(edge[k], edge[k]));
    }
    psb_cross(edge[0], edge[1], normal);
    return psb_norm(normal) > rounding * longest2;
}

/* Finds the bounding box of the triangles with area, or of all if none has. */
static void bound(const psb_mesh *mesh, box *around) {
    *around = (box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int all = 0; all < 2 && around->low[0] > around->high[0]; all++) {
        for (size_t t = 0; t < mesh->ntriangles; t++) {
            const uint32_t *corner = mesh->triangles + 3 * t;
            if (!is_within(mesh, around, corner) && (all != 0 || has_area(mesh, corner))) {
                for (int k = 0; k < 3; k++) {
                    extend(around, mesh->vertices + 3 * (size_t)corner[k]);
                }
            }
        }
    }
}

/* Writes vertices in pixels; puts those outside of the box, which no triangle with area uses, to
 * the origin. */
static void place(const psb_mesh *mesh, const box *around, double *x, double *y, double *z) {
    double middle[3], side = 0.0;
    for (int i = 0; i < 3; i++) {
        middle[i] = around->low[i] + (around->high[i] - around->low[i]) / 2.0;
        side = fmax(side, around->high[i] - around->low[i]);
    }
    for (size_t v = 0; v < mesh->nvertices; v++) {
        const double *p = mesh->vertices + 3 * v;
        p = is_inside(around, p) ? p : middle;
        x[v] = (p[0] - middle[0]) / side * pixels_per_unit;
        y[v] = (p[1] - middle[1]) / side * pixels_per_unit;
        z[v] = (p[2] - middle[2]) / side * pixels_per_unit;
    }
}

/* Returns 0 for a longest edge of at least 32 pixels, 1 for 16, and so on to SIZES - 1. */
static int size_class(const psb_points *points, const uint32_t corner[3]) {
    double longest2 = 0.0;
    for (int k = 0; k < 3; k++) {
        uint32_t a = corner[k], b = corner[(k + 1) % 3];
        double x = points->x[b] - points->x[a], y = points->y[b] - points->y[a];
        double z = points->z[b] - points->z[a], length2 = x * x + y * y + z * z;
        longest2 = length2 > longest2 ? length2 : longest2;
    }
    int class = 0;
    for (double limit2 = 32.0 * 32.0; class + 1 < SIZES && longest2 < limit2; class ++) {
        limit2 /= 4.0;
    }
    return class;
}

/*
 * Copies the triangles that lie within the box, large ones first: many of the later triangles are
 * then covered already, and skipping is cheaper than drawing. Otherwise keeps the order of the
 * file, in which neighbors are close. `class` is scratch memory of a byte for each triangle of the
 * mesh.
 */
static void order_by_size(const psb_mesh *mesh, const box *around, psb_drawing *drawing,
                          uint8_t *class) {
    size_t start[SIZES + 2] = {0};
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const uint32_t *corner = mesh->triangles + 3 * t;
        class[t] = (uint8_t)(is_within(mesh, around, corner) ? size_class(&drawing->points, corner)
                                                             : SIZES);
        start[class[t] + 1]++;
    }
    for (int k = 1; k <= SIZES; k++) {
        start[k] += start[k - 1];
    }
    size_t count = start[SIZES];
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        if (class[t] < SIZES) {
            psb_drawing_put(drawing, start[class[t]]++, mesh->triangles + 3 * t);
        }
    }
    psb_drawing_close(drawing, count);
}

static psb_status normalize(psb_shape *shape, psb_drawing *placed, psb_error *error) {
    const psb_mesh *mesh = psb_shape_mesh(shape);
    psb_buffer *buffer = psb_shape_buffer(shape, POINTS_BUFFER);
    size_t n = mesh->nvertices;
    psb_status status = psb_buffer_reserve(buffer, n, 3 * sizeof(double) + sizeof(psb_snapped_pair),
                                           "vertices of the light field", error);
    psb_buffer *triangles = psb_shape_buffer(shape, TRIANGLES_BUFFER);
    const size_t nblocks = psb_draw_blocks(mesh->ntriangles);
    PSB_THEN(status, psb_buffer_reserve(triangles, nblocks, sizeof(psb_draw_block) + PSB_DRAW_BLOCK,
                                        "triangles of the light field", error));
    if (status == PSB_OK) {
        double *x = buffer->data;
        placed->points = (psb_points){n, x, x + n, x + 2 * n};
        placed->snapped = (psb_snapped_pair *)(x + 3 * n);
        placed->block = triangles->data;
        box around;
        bound(mesh, &around);
        place(mesh, &around, x, x + n, x + 2 * n);
        order_by_size(mesh, &around, placed, (uint8_t *)(placed->block + nblocks));
    }
    return status;
}

/* Adds image m to the batch whose moments are computed together. */
static void splat(workspace *work, int m) {
    psb_moment_splat(&work->image[m], &work->features[m].box, work->features[m].centre,
                     work->radius[m], &work->moments, m);
}

/*
 * Draws and measures the ten images of a dodecahedron, from number `first` on, and adds them to
 * the batch for moments; the unit of length is the largest radius of the ten.
 */
static psb_status render(const psb_drawing *placed, const psb_camera camera[PSB_AXES],
                         workspace *work, int first, psb_error *error) {
    double radius = 0.0;
    for (int m = 0; m < PSB_AXES; m += PSB_PAIR) {
        if (psb_go_on(error) != PSB_OK) {
            return PSB_ERROR_INTERRUPTED;
        }
        psb_silhouette_draw(placed, &camera[m], &work->image[first + m]);
    }
    for (int m = 0; m < PSB_AXES; m++) {
        psb_silhouette_measure(&work->image[first + m], &work->features[first + m]);
        radius = fmax(radius, work->features[first + m].radius);
    }
    for (int m = first; m < first + PSB_AXES; m++) {
        work->radius[m] = radius;
        splat(work, m);
    }
    return PSB_OK;
}

static uint8_t byte_of(double value) {
    return (uint8_t)(value < 255.0 ? value : 255.0);
}

static uint8_t moment_byte(double moment, const psb_silhouette_features *features) {
    return byte_of(256.0 * moment / (double)features->area);
}

/*
 * Writes the bytes of image m's moments; computes a moment again in double if the float32 bound
 * leaves its byte open.
 */
static void store_moments(const psb_moment_basis *basis, workspace *work, int m, uint8_t *record) {
    const psb_silhouette_features *features = &work->features[m];
    double slack = psb_moment_slack * (double)features->area;
    bool again = false;
    for (int k = 0; k < PSB_MOMENTS; k++) {
        double moment = work->moment[m][k];
        if (moment_byte(moment - slack, features) != moment_byte(moment + slack, features)) {
            if (!again) {
                splat(work, m);
            }
            again = true;
            moment = psb_moment_exact(basis, &work->moments, k);
        }
        record[k] = moment_byte(moment, features);
    }
}

static void store(const psb_silhouette_features *features, const double fourier[PSB_FOURIER],
                  uint8_t *record) {
    for (int k = 0; k < PSB_FOURIER; k++) {
        *record++ = byte_of(512.0 * fourier[k]);
    }
    *record++ = byte_of(256.0 * features->circularity);
    *record = byte_of(256.0 * features->eccentricity);
}

/*
 * Takes roots of the bytes: small bytes vary more than large ones, their roots vary alike. The
 * factor 0.5 keeps the size of sums of differences. Removes the eccentricity.
 */
static void take_roots(uint8_t record[PSB_LFD_RECORD]) {
    for (int k = 0; k < PSB_CIRCULARITY; k++) {
        record[k] = (uint8_t)(0.5 * sqrt(255.0 * record[k]) + 0.5);
    }
    record[PSB_ECCENTRICITY] = 0;
}

/* Computes the records of as many dodecahedra as the workspace has room for. */
static psb_status describe(const psb_drawing *placed, const psb_camera (*camera)[PSB_AXES],
                           const psb_moment_basis *basis, workspace *work, uint8_t *record,
                           psb_error *error) {
    for (int d = 0; d < PSB_MOMENT_IMAGES / PSB_AXES; d++) {
        if (render(placed, camera[d], work, d * PSB_AXES, error) != PSB_OK) {
            return PSB_ERROR_INTERRUPTED;
        }
    }
    psb_moment_magnitudes(basis, &work->moments, work->moment);
    for (int m = 0; m < PSB_MOMENT_IMAGES; m++, record += PSB_LFD_RECORD) {
        const psb_silhouette_features *features = &work->features[m];
        memset(record, 0, PSB_LFD_RECORD);
        if (features->area > 0) {
            double fourier[PSB_FOURIER];
            psb_contour_trace(&work->image[m], &features->box, features->area, &work->contour);
            psb_contour_fourier(&work->contour, features->centre, fourier);
            store_moments(basis, work, m, record);
            store(features, fourier, record + PSB_MOMENTS);
        }
    }
    return PSB_OK;
}

static psb_status compute(psb_shape *shape, const psb_params *params, void *row, psb_error *error) {
    const psb_moment_basis *basis;
    psb_buffer *buffer = psb_shape_buffer(shape, WORKSPACE_BUFFER);
    psb_drawing placed;
    psb_status status = psb_buffer_reserve(buffer, 1, sizeof(workspace), "the light field", error);
    PSB_THEN(status, normalize(shape, &placed, error));
    PSB_THEN(status,
             psb_shape_moment_basis(shape, (psb_moment_kind)params->value[MOMENTS], &basis, error));
    if (status != PSB_OK) {
        return status;
    }
    psb_camera camera[PSB_DODECAHEDRA][PSB_AXES];
    psb_lfd_cameras(camera);
    psb_contour_begin(&((workspace *)buffer->data)->contour);
    uint8_t *record = row;
    for (int d = 0; d < PSB_DODECAHEDRA && status == PSB_OK; d += PSB_MOMENT_IMAGES / PSB_AXES) {
        status = describe(&placed, (const psb_camera(*)[PSB_AXES]) & camera[d], basis, buffer->data,
                          record, error);
        record += PSB_MOMENT_IMAGES * PSB_LFD_RECORD;
    }
    for (int view = 0; view < PSB_VIEWS && params->value[ROOT] != 0.0; view++) {
        take_roots((uint8_t *)row + view * PSB_LFD_RECORD);
    }
    return status;
}

const psb_descriptor psb_lfd = {
    .name = "LFD",
    .title = "Light field descriptor",
    .source = "Chen, Tian, Shen, Ouhyoung 2003",
    .bibtex = "@article{chen2003visual,\n"
              "  author = {Ding-Yun Chen and Xiao-Pei Tian and Yu-Te Shen and Ming Ouhyoung},\n"
              "  title = {On Visual Similarity Based {3D} Model Retrieval},\n"
              "  journal = {Computer Graphics Forum},\n"
              "  volume = {22},\n"
              "  number = {3},\n"
              "  pages = {223--232},\n"
              "  year = {2003},\n"
              "  doi = {10.1111/1467-8659.00669},\n"
              "}\n",
    .formula = "moments and contours of 100 silhouettes, by dodecahedra; the longest side of the "
               "bounding box is 1",
    .pose = PSB_POSE_SCALED,
    .invariant = PSB_UNDER_TRANSLATION | PSB_UNDER_SCALE,
    .nearly = PSB_UNDER_ROTATION | PSB_UNDER_REFLECTION,
    .metric = &psb_lfd_metric,
    .revision = 1,
    PSB_PARAMS(lfd_params),
    .row_kind = PSB_ROW_LINES,
    .lines = PSB_VIEWS,
    .lines_title = "A line for each of 100 silhouettes; from left to right 35 moments, 10 Fourier "
                   "coefficients of the contour, circularity and eccentricity.",
    .length = length,
    .compute = compute,
};
