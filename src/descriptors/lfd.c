/*
 * LFD: light field descriptor (Chen, Tian, Shen, Ouhyoung 2003; paper, section 2).
 *
 * Silhouettes seen from the vertices of ten dodecahedra, 47 bytes an image: 35 moments, 10 Fourier
 * coefficients of the contour, circularity, eccentricity. Opposite vertices see mirror images,
 * which no feature tells apart, so ten of the twenty are rendered: 100 records, by dodecahedron,
 * then image. Pose: the bounding box of the vertices in use, its centre at the origin, its largest
 * side 1; one unit is 128 pixels.
 *
 * The PSB paper gives 4,700 bytes but names only the moments and the Fourier coefficients; the
 * other two are in the authors' program. Its "Zernike moments" are the magnitudes of the angular
 * radial transform (settled by comparison with that program's output). The variant
 * moments=zernike has true Zernike moments.
 *
 * A view in which nothing covers a pixel's centre, as of a flat model seen edge-on, has 47 zeros.
 */
#include "descriptors/descriptor.h"
#include "descriptors/lfd_cameras.h"
#include "descriptors/lfd_moments.h"
#include "descriptors/silhouette.h"
#include "descriptors/silhouette_features.h"

#include <math.h>
#include <string.h>

enum { SIZES = 5 }; /* of triangles */

enum { RECORD = PSB_MOMENTS + PSB_FOURIER + 2 };

static const double pixels_per_unit = PSB_SIDE / 2;

/* Private buffers of the shape. */
enum { WORKSPACE_BUFFER, POINTS_BUFFER, TRIANGLES_BUFFER };

/* The images of some dodecahedra and what is computed of them. */
typedef struct workspace {
    psb_bitmap image[PSB_MOMENT_IMAGES];
    psb_silhouette_features features[PSB_MOMENT_IMAGES];
    double moment[PSB_MOMENT_IMAGES][PSB_MOMENTS];
    psb_moment_scratch moments;
    psb_contour contour;
} workspace;

/* The model in pixels about the origin. */
typedef struct model {
    psb_points points;
    psb_snapped *snapped;
    const uint32_t *triangles;
    size_t ntriangles;
} model;

static size_t length(const psb_params *params) {
    (void)params;
    return PSB_VIEWS * RECORD;
}

/* The box around the vertices in use: its middle and its largest side. */
static double bound(const psb_mesh *mesh, const psb_snapped *used, double middle[3]) {
    double low[3] = {INFINITY, INFINITY, INFINITY};
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t v = 0; v < mesh->nvertices; v++) {
        const double *p = mesh->vertices + 3 * v;
        for (int i = 0; i < 3 && used[v]; i++) {
            low[i] = p[i] < low[i] ? p[i] : low[i];
            high[i] = p[i] > high[i] ? p[i] : high[i];
        }
    }
    double side = 0.0;
    for (int i = 0; i < 3; i++) {
        middle[i] = low[i] + (high[i] - low[i]) / 2.0;
        side = fmax(side, high[i] - low[i]);
    }
    return side;
}

/* Vertices that no triangle uses may lie anywhere: they are put to the origin. */
static void place(const psb_mesh *mesh, const psb_snapped *used, double *x, double *y, double *z) {
    double middle[3];
    double side = bound(mesh, used, middle);
    for (size_t v = 0; v < mesh->nvertices; v++) {
        const double *p = used[v] ? mesh->vertices + 3 * v : middle;
        x[v] = (p[0] - middle[0]) / side * pixels_per_unit;
        y[v] = (p[1] - middle[1]) / side * pixels_per_unit;
        z[v] = (p[2] - middle[2]) / side * pixels_per_unit;
    }
}

/* 0 for a triangle whose longest edge is at least 32 pixels, then a number for each half of that.
 */
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
 * Copies the triangles, large ones first: of what comes after them much is found covered, which is
 * cheaper than to draw it. Otherwise the order of the file stays, where neighbours are close.
 */
static void order_by_size(const psb_mesh *mesh, const psb_points *points, uint32_t *triangles) {
    size_t start[SIZES + 1] = {0};
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        start[size_class(points, mesh->triangles + 3 * t) + 1]++;
    }
    for (int k = 1; k < SIZES; k++) {
        start[k] += start[k - 1];
    }
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const uint32_t *corner = mesh->triangles + 3 * t;
        memcpy(triangles + 3 * start[size_class(points, corner)]++, corner, 3 * sizeof *corner);
    }
}

static psb_status normalize(psb_shape *shape, model *placed, psb_error *error) {
    const psb_mesh *mesh = psb_shape_mesh(shape);
    psb_buffer *buffer = psb_shape_buffer(shape, POINTS_BUFFER);
    size_t n = mesh->nvertices;
    psb_status status = psb_buffer_reserve(buffer, n, 3 * sizeof(double) + sizeof(psb_snapped),
                                           "vertices of the light field", error);
    psb_buffer *triangles = psb_shape_buffer(shape, TRIANGLES_BUFFER);
    if (status == PSB_OK) {
        status = psb_buffer_reserve(triangles, mesh->ntriangles, 3 * sizeof(uint32_t),
                                    "triangles of the light field", error);
    }
    if (status == PSB_OK) {
        double *x = buffer->data;
        placed->points = (psb_points){n, x, x + n, x + 2 * n};
        placed->snapped = (psb_snapped *)(x + 3 * n);
        placed->triangles = triangles->data;
        placed->ntriangles = mesh->ntriangles;
        /* Until the first projection this array says which vertices are in use. */
        memset(placed->snapped, 0, n * sizeof *placed->snapped);
        for (size_t c = 0; c < 3 * mesh->ntriangles; c++) {
            placed->snapped[mesh->triangles[c]] = 1;
        }
        place(mesh, placed->snapped, x, x + n, x + 2 * n);
        order_by_size(mesh, &placed->points, triangles->data);
    }
    return status;
}

/*
 * Draws and measures the ten images of a dodecahedron, number `first` and those that follow, and
 * collects their moments, whose unit is the largest radius among them.
 */
static void render(const model *placed, const psb_camera camera[PSB_AXES], workspace *work,
                   int first) {
    double radius = 0.0;
    for (int m = 0; m < PSB_AXES; m++) {
        psb_bitmap *image = &work->image[first + m];
        psb_silhouette_project(&placed->points, camera[m].right, camera[m].up, placed->snapped);
        psb_silhouette_draw(placed->snapped, placed->triangles, placed->ntriangles, image);
        psb_silhouette_measure(image, &work->features[first + m]);
        radius = fmax(radius, work->features[first + m].radius);
    }
    for (int m = first; m < first + PSB_AXES; m++) {
        const psb_silhouette_features *features = &work->features[m];
        psb_moment_splat(&work->image[m], &features->box, features->centre, radius, &work->moments,
                         m);
    }
}

static uint8_t byte_of(double value) {
    return (uint8_t)(value < 255.0 ? value : 255.0);
}

static void store(const psb_silhouette_features *features, const double moment[PSB_MOMENTS],
                  const double fourier[PSB_FOURIER], uint8_t record[RECORD]) {
    for (int k = 0; k < PSB_MOMENTS; k++) {
        *record++ = byte_of(256.0 * moment[k] / (double)features->area);
    }
    for (int k = 0; k < PSB_FOURIER; k++) {
        *record++ = byte_of(512.0 * fourier[k]);
    }
    *record++ = byte_of(256.0 * features->circularity);
    *record = byte_of(256.0 * features->eccentricity);
}

/* The records of some dodecahedra. */
static void describe(const model *placed, const psb_camera (*camera)[PSB_AXES],
                     const psb_moment_basis *basis, workspace *work, uint8_t *record) {
    for (int d = 0; d < PSB_MOMENT_IMAGES / PSB_AXES; d++) {
        render(placed, camera[d], work, d * PSB_AXES);
    }
    psb_moment_magnitudes(basis, &work->moments, work->moment);
    for (int m = 0; m < PSB_MOMENT_IMAGES; m++, record += RECORD) {
        const psb_silhouette_features *features = &work->features[m];
        memset(record, 0, RECORD);
        if (features->area > 0) {
            double fourier[PSB_FOURIER];
            psb_contour_trace(&work->image[m], &features->box, &work->contour);
            psb_contour_fourier(&work->contour, features->centre, fourier);
            store(features, work->moment[m], fourier, record);
        }
    }
}

static psb_status compute(psb_shape *shape, const psb_params *params, void *row, psb_error *error) {
    const psb_tables *tables = psb_shape_tables(shape);
    psb_buffer *buffer = psb_shape_buffer(shape, WORKSPACE_BUFFER);
    model placed;
    psb_status status = psb_buffer_reserve(buffer, 1, sizeof(workspace), "the light field", error);
    if (status == PSB_OK) {
        status = normalize(shape, &placed, error);
    }
    if (status != PSB_OK) {
        return status;
    }
    psb_camera camera[PSB_DODECAHEDRA][PSB_AXES];
    psb_lfd_cameras(camera);
    uint8_t *record = row;
    for (int d = 0; d < PSB_DODECAHEDRA; d += PSB_MOMENT_IMAGES / PSB_AXES) {
        describe(&placed, (const psb_camera(*)[PSB_AXES]) & camera[d],
                 tables->moments[params->lfd.moments], buffer->data, record);
        record += PSB_MOMENT_IMAGES * RECORD;
    }
    return PSB_OK;
}

static const char *const moment_names[] = {"art", "zernike", NULL};

static const psb_param lfd_params[] = {
    {
        .name = "moments",
        .offset = offsetof(psb_params, lfd.moments),
        .type = PSB_PARAM_CHOICE,
        .preset = PSB_ART,
        .choices = moment_names,
        .provenance = PSB_SETTLED,
        .help = "region moments: angular radial transform, or Zernike",
    },
};

const psb_descriptor psb_lfd = {
    .name = "LFD",
    .title = "Light field descriptor",
    .source = "Chen, Tian, Shen, Ouhyoung 2003",
    .formula = "moments and contours of 100 silhouettes, by dodecahedra; the longest side of the "
               "bounding box is 1",
    .pose = PSB_POSE_SCALED,
    .element = PSB_UINT8,
    .metric = "lfd",
    .params = lfd_params,
    .nparams = 1,
    .length = length,
    .compute = compute,
};
