/*
 * POINTS: the surface as a set of points, for the distances between sets of points by which work on
 * generated and reconstructed shapes is judged; not one of the paper's descriptors.
 *
 * The points are uniform by area and stratified: for n points the surface is divided into n parts
 * of equal area, with one point in each. The row has x, y, z of each point. docs/generative.md
 * defines the distances (distance/chamfer.c, distance/emd.c), and says what other programs do
 * differently.
 */
#include "descriptors/points.h"

#include "core/error.h"
#include "core/vector.h"
#include "descriptors/citations.h"
#include "normalize/surface_points.h"

/* Indices of the shape's private buffers. */
enum { BUFFER_POSED, BUFFER_SUMS, BUFFER_POINTS };

/* Indices of the parameters in the table below. */
enum { POINTS, POSE, METRIC, SEED };

const char *const psb_points_poses[] = {"file", "sphere", "box", "aligned", NULL};

static const char *const metric_names[] = {"cd", "cd-l1", "hausdorff", "emd", "emd-auction", NULL};

static const psb_param params[] = {
    {"points", PSB_PARAM_INT, 2048, 1, 100000, NULL, PSB_BEYOND, "points on the surface"},
    {"pose", PSB_PARAM_CHOICE, PSB_POINTS_SPHERE, 0, 0, psb_points_poses, PSB_BEYOND,
     "as in the file; in the sphere of radius 1, or the box of side 1, about the box's center; "
     "in the frame of principal axes"},
    {"metric", PSB_PARAM_CHOICE, 0, 0, 0, metric_names, PSB_BEYOND, "distance between two rows"},
    {"seed", PSB_PARAM_INT, 1, 0, 2147483647, NULL, PSB_BEYOND,
     "seed of the points, mixed with what the mesh holds"},
};

static size_t length(const psb_params *p) {
    return 3 * (size_t)p->value[POINTS];
}

static const psb_metric *metric_of(const psb_params *p) {
    return psb_metric_find(metric_names[(int)p->value[METRIC]]);
}

/* Returns corner i of the triangles, or point i of a cloud. */
static const double *corner_at(const psb_mesh *mesh, size_t i) {
    return mesh->vertices + 3 * (mesh->ntriangles > 0 ? (size_t)mesh->triangles[i] : i);
}

/* Returns the map from the file to a frame that the bounding box determines, or to itself. */
static psb_pose pose_by_box(const psb_mesh *mesh, psb_points_pose kind) {
    psb_pose pose = {1, {0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    double low[3], high[3], square = 0, side = 0;
    const size_t n = mesh->ntriangles > 0 ? 3 * mesh->ntriangles : mesh->nvertices;
    for (size_t i = 0; i < n; i++) {
        const double *p = corner_at(mesh, i);
        for (int k = 0; k < 3; k++) {
            low[k] = i == 0 ? p[k] : psb_min(low[k], p[k]);
            high[k] = i == 0 ? p[k] : psb_max(high[k], p[k]);
        }
    }
    for (int k = 0; k < 3 && kind != PSB_POINTS_FILE; k++) {
        pose.origin[k] = low[k] / 2 + high[k] / 2;
        side = psb_max(side, high[k] - low[k]);
    }
    for (size_t i = 0; i < n && kind == PSB_POINTS_SPHERE; i++) {
        double from[3];
        psb_subtract(corner_at(mesh, i), pose.origin, from);
        square = psb_max(square, psb_dot(from, from));
    }
    pose.scale = kind == PSB_POINTS_SPHERE ? 1 / sqrt(square)
                 : kind == PSB_POINTS_BOX  ? 1 / side
                                           : 1;
    return pose;
}

psb_status psb_shape_posed_vertices(psb_shape *shape, psb_points_pose kind, const double **vertices,
                                    psb_error *error) {
    const psb_mesh *mesh = psb_shape_mesh(shape);
    psb_buffer *posed = psb_shape_buffer(shape, BUFFER_POSED);
    if (kind == PSB_POINTS_ALIGNED && mesh->ntriangles == 0) {
        return psb_fail(error, PSB_ERROR_INPUT,
                        "a point cloud has no surface axes: choose another frame");
    }
    if (kind == PSB_POINTS_ALIGNED) {
        return psb_shape_points(shape, PSB_POSE_ALIGNED, PSB_SCALE_MEAN, vertices, error);
    }
    psb_status status =
        psb_buffer_reserve(posed, mesh->nvertices, 3 * sizeof(double), "posed vertices", error);
    if (status == PSB_OK) {
        psb_pose pose = pose_by_box(mesh, kind);
        psb_pose_apply(&pose, mesh->vertices, mesh->nvertices, posed->data);
        *vertices = posed->data;
    }
    return status;
}

static psb_status compute(psb_shape *shape, const psb_params *p, void *row, psb_error *error) {
    const psb_mesh *mesh = psb_shape_mesh(shape);
    psb_buffer *sums = psb_shape_buffer(shape, BUFFER_SUMS);
    psb_buffer *at = psb_shape_buffer(shape, BUFFER_POINTS);
    size_t n = (size_t)p->value[POINTS];
    const double *vertices = NULL;
    psb_status status =
        psb_shape_posed_vertices(shape, (psb_points_pose)p->value[POSE], &vertices, error);
    if (status == PSB_OK && mesh->ntriangles == 0 && mesh->nvertices < n) {
        status =
            psb_fail(error, PSB_ERROR_INPUT,
                     "%zu points, but the row has %zu: POINTS:points=N has N", mesh->nvertices, n);
    }
    PSB_THEN(status,
             psb_buffer_reserve(sums, mesh->ntriangles + 1, sizeof(double), "areas", error));
    PSB_THEN(status, psb_buffer_reserve(at, n, 3 * sizeof(double), "surface points", error));
    if (status != PSB_OK) {
        return status;
    }
    psb_random random = psb_shape_random(shape, (uint64_t)p->value[SEED], "POINTS");
    psb_cloud cloud = {n, at->data, NULL};
    psb_surface_cloud(mesh, vertices, sums->data, &random, &cloud);
    return psb_cloud_row(&cloud, row, error);
}

const psb_descriptor psb_points = {
    .name = "POINTS",
    .title = "points on the surface",
    .source = "ours, 2026",
    .bibtex = psb_this_program,
    .formula = "x, y, z of points on the surface, uniform by area, one in each of as many parts",
    .pose = PSB_POSE_SCALED,
    .nearly = PSB_UNDER_TRANSLATION | PSB_UNDER_SCALE,
    .metric = &psb_cd,
    .metric_of = metric_of,
    .clouds = true,
    .beyond = true,
    .revision = 2,
    PSB_PARAMS(params),
    .length = length,
    .compute = compute,
};
