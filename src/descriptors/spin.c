/*
 * SPIN: local features of points on the surface. Ours, 2026, after the spin images of Johnson and
 * Hebert 1999, Using Spin Images for Efficient Object Recognition in Cluttered 3D Scenes; not one
 * of the paper's descriptors.
 *
 * The pose is aligned, with mean distance 0.45. The features of 512 of 1,024 points on the surface
 * (local/spin_features.h) are summed by the words of a vocabulary that was learned, without labels,
 * from the training set of the Princeton Shape Benchmark (local/vocabulary.h). The row has the
 * signs of the Fisher vector, a bit each. Turning or mirroring a model changes its row only by the
 * random choice of points.
 */
#include "descriptors/spin.h"

#include "descriptors/citations.h"
#include "descriptors/descriptor.h"
#include "normalize/surface_points.h"

enum { BYTES = 2 * PSB_WORD_LENGTH / 8 };

/* Indices of the shape's private buffers. */
enum { BUFFER_POINTS, BUFFER_SUMS, BUFFER_WORK };

typedef struct workspace {
    double at[3 * PSB_SPIN_POINTS];
    float normals[3 * PSB_SPIN_POINTS];
    psb_spin_points points;
    psb_feature features[PSB_SPIN_FEATURES];
} workspace;

/* Indices of the parameters in the table below. */
enum { SEED };

static const psb_param params[] = {
    {"seed", PSB_PARAM_INT, 1, 0, 2147483647, NULL, PSB_BEYOND,
     "seed of the points, mixed with what the mesh holds"},
};

psb_status psb_shape_spin_features(psb_shape *shape, uint64_t seed, const psb_feature **features,
                                   psb_error *error) {
    static const double scale = 0.45 / 0.5; /* this descriptor's mean distance / the pose's */
    const psb_mesh *mesh = psb_shape_mesh(shape);
    psb_buffer *scaled = psb_shape_buffer(shape, BUFFER_POINTS);
    psb_buffer *sums = psb_shape_buffer(shape, BUFFER_SUMS);
    psb_buffer *memory = psb_shape_buffer(shape, BUFFER_WORK);
    const double *points;
    psb_status status = psb_shape_points(shape, PSB_POSE_ALIGNED, PSB_SCALE_MEAN, &points, error);
    PSB_THEN(status, psb_buffer_reserve(scaled, mesh->nvertices, 3 * sizeof(double),
                                        "posed vertices", error));
    PSB_THEN(status, psb_buffer_reserve(sums, mesh->ntriangles, sizeof(double), "areas", error));
    PSB_THEN(status, psb_buffer_reserve(memory, 1, sizeof(workspace), "spin images", error));
    if (status != PSB_OK) {
        return status;
    }
    double *at = scaled->data;
    workspace *w = memory->data;
    for (size_t i = 0; i < 3 * mesh->nvertices; i++) {
        at[i] = scale * points[i];
    }
    psb_random random = psb_shape_random(shape, seed, "SPIN");
    psb_cloud cloud = {PSB_SPIN_POINTS, w->at, w->normals};
    psb_surface_cloud(mesh, at, sums->data, &random, &cloud);
    psb_spin_points_take(&cloud, &w->points);
    psb_spin_features(&w->points, w->features);
    *features = (const psb_feature *)w->features;
    return PSB_OK;
}

static psb_status compute(psb_shape *shape, const psb_params *p, void *row, psb_error *error) {
    const psb_vocabulary *vocabulary;
    const psb_feature *features;
    psb_status status = psb_shape_spin_features(shape, (uint64_t)p->value[SEED], &features, error);
    PSB_THEN(status, psb_shape_vocabulary(shape, PSB_VOCABULARY_SPIN, &vocabulary, error));
    if (status == PSB_OK) {
        psb_word_sums sums = {.count = 0};
        psb_words_add(vocabulary, features, PSB_SPIN_FEATURES, &sums, NULL);
        psb_words_store_signs(&vocabulary->words, &sums, row);
    }
    return status;
}

const psb_descriptor psb_spin = {
    .name = "SPIN",
    .title = "Spin images",
    .source = "ours, 2026, after Johnson, Hebert 1999",
    .bibtex = "@article{johnson1999using,\n"
              "  author = {Andrew E. Johnson and Martial Hebert},\n"
              "  title = {Using Spin Images for Efficient Object Recognition in Cluttered {3D} "
              "Scenes},\n"
              "  journal = {IEEE Transactions on Pattern Analysis and Machine Intelligence},\n"
              "  volume = {21},\n"
              "  number = {5},\n"
              "  pages = {433--449},\n"
              "  year = {1999},\n"
              "  doi = {10.1109/34.765655},\n"
              "}\n",
    .formula = "spin images of 512 points on the surface at two radii, summed by 64 Gaussians that "
               "were learned from the training set",
    .pose = PSB_POSE_ALIGNED,
    .nearly = PSB_UNDER_ALL,
    .metric = &psb_hamming,
    .beyond = true,
    .revision = 2,
    PSB_PARAMS(params),
    .size = BYTES,
    .compute = compute,
};
