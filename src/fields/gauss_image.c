/*
 * Adds faces in batches. Equal areas at n and at -n have equal coefficients in even degrees and
 * opposite ones in odd degrees, so weights by parity serve all three conventions of psb_normals.
 */
#include "fields/gauss_image.h"

#include "core/elementary.h"
#include "core/elementary_kernel.h"
#include "core/vector.h"
#include "core/watch.h"

#include <string.h>

const char *const psb_normals_names[] = {"both", "oriented", "outward", NULL};
const char *const psb_gauss_windows[] = {"fejer", NULL};

/* A plane that is closer to the center of mass, in units of the pose, passes through it. */
static const double through_centre = 1e-12;

typedef struct batch {
    size_t n;
    psb_directions directions;
    double area[PSB_BATCH], distance[PSB_BATCH];
    /* The share of the face at n minus that at -n, by which odd degrees are weighted. */
    double share[PSB_BATCH];
    double real[2][PSB_BATCH], imaginary[2][PSB_BATCH]; /* weights in even and odd degrees */
} batch;

typedef struct image {
    psb_normals normals;
    double phase;
    double turn; /* -1 if the pose mirrors, which reverses normals; else 1 */
    const psb_harmonics *harmonics;
    psb_direction_weights measures[PSB_MEASURES];
    size_t nmeasures;
    batch batch;
} image;

/* Weights face i by its area, turned by an angle. At -n the distance is negated, so for the
 * imaginary part the share weights even degrees. */
PSB_INLINE void weigh(batch *b, size_t i, double sine, double cosine) {
    double real = b->area[i] * cosine, imaginary = b->area[i] * sine;
    b->real[0][i] = real;
    b->real[1][i] = real * b->share[i];
    b->imaginary[0][i] = imaginary * b->share[i];
    b->imaginary[1][i] = imaginary;
}

static void weigh_batch(batch *b, double phase) {
    for (size_t i = 0; i < PSB_BATCH; i++) {
        double sine = 0.0, cosine = 1.0;
        if (phase != 0.0) { /* the same for all */
            psb_sine_cosine_of(phase * b->distance[i], &sine, &cosine);
        }
        weigh(b, i, sine, cosine);
    }
}

static void flush(image *g) {
    batch *b = &g->batch;
    for (size_t i = b->n; i < PSB_BATCH; i++) {
        for (int k = 0; k < 3; k++) {
            b->directions.at[k][i] = 0.0;
        }
        b->area[i] = b->distance[i] = b->share[i] = 0.0;
    }
    weigh_batch(b, g->phase);
    for (size_t i = 0; i < b->n; i++) {
        double angle = g->phase * b->distance[i];
        if (!(fabs(angle) < PSB_MOST_RADIANS)) {
            weigh(b, i, psb_sin(angle), psb_cos(angle));
        }
    }
    psb_harmonics_add(g->harmonics, &b->directions, g->measures, g->nmeasures);
    b->n = 0;
}

static void add_face(image *g, const double *p, const double *q, const double *r) {
    double normal[3];
    psb_normal(p, q, r, normal);
    double twice = psb_norm(normal);
    if (twice == 0.0) {
        return;
    }
    batch *b = &g->batch;
    size_t i = b->n++;
    for (int k = 0; k < 3; k++) {
        b->directions.at[k][i] = g->turn * normal[k] / twice;
    }
    bool needs_distance = g->phase != 0.0 || g->normals == PSB_NORMALS_OUTWARD;
    double d = 0.0;
    for (int k = 0; k < 3 && needs_distance; k++) {
        d += b->directions.at[k][i] * (p[k] + q[k] + r[k]) / 3.0;
    }
    b->area[i] = 0.5 * twice;
    b->distance[i] = d;
    b->share[i] = 0.0;
    if (g->normals == PSB_NORMALS_ORIENTED) {
        b->share[i] = 1.0;
    } else if (g->normals == PSB_NORMALS_OUTWARD && fabs(d) > through_centre) {
        b->share[i] = d > 0.0 ? 1.0 : -1.0;
    }
    if (b->n == PSB_BATCH) {
        flush(g);
    }
}

static void start(image *g, psb_shape *shape, const psb_axes *axes, psb_coefficients *real,
                  psb_coefficients *imaginary) {
    double across[3];
    psb_cross(axes->axis[0], axes->axis[1], across);
    g->turn = psb_dot(across, axes->axis[2]) < 0.0 ? -1.0 : 1.0;
    g->harmonics = psb_shape_harmonics(shape);
    bool parts = g->normals != PSB_NORMALS_BOTH; /* else one parity of each part is 0 */
    batch *b = &g->batch;
    b->n = 0;
    g->measures[0] = (psb_direction_weights){b->real[0], parts ? b->real[1] : NULL, real};
    g->measures[1] =
        (psb_direction_weights){parts ? b->imaginary[0] : NULL, b->imaginary[1], imaginary};
    g->nmeasures = imaginary != NULL ? 2 : 1;
    for (size_t i = 0; i < g->nmeasures; i++) {
        memset(*g->measures[i].sum, 0, sizeof *g->measures[i].sum);
    }
}

psb_status psb_gauss_image(psb_shape *shape, psb_normals normals, double phase,
                           psb_coefficients *real, psb_coefficients *imaginary, psb_error *error) {
    const psb_mesh *mesh = psb_shape_mesh(shape);
    const psb_axes *axes;
    const double *points;
    psb_status status = psb_shape_axes(shape, &axes, error);
    PSB_THEN(status, psb_shape_points(shape, PSB_POSE_ALIGNED, PSB_SCALE_MEAN, &points, error));
    if (status != PSB_OK) {
        return status;
    }
    image g;
    g.normals = normals;
    g.phase = phase;
    start(&g, shape, axes, real, imaginary);
    for (size_t t = 0; t < mesh->ntriangles && psb_goes_on(t); t++) {
        const uint32_t *v = mesh->triangles + 3 * t;
        add_face(&g, points + 3 * (size_t)v[0], points + 3 * (size_t)v[1],
                 points + 3 * (size_t)v[2]);
    }
    if (g.batch.n > 0) {
        flush(&g);
    }
    return PSB_OK;
}

void psb_gauss_smooth(psb_coefficients a, double t) {
    if (t < 0.0) {
        psb_harmonics_fejer(a);
    } else {
        psb_harmonics_smooth(a, t);
    }
}
