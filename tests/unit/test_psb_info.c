/*
 * Compares annotations with the _info.txt files of all models of the Princeton Shape Benchmark, in
 * the folder that PSB_DIR names. Prints how well the values agree that the benchmark only
 * estimated, by sampling or rendering; docs/annotations.md quotes these lines.
 */
#include "annotate/annotate.h"
#include "core/file.h"
#include "core/number.h"
#include "core/vector.h"
#include "normalize/triangle_integrals.h"
#include "support/test.h"

enum { FIRST = 0, LAST = 1814 };

/* How many numbers stand in each line that is compared. */
typedef struct published {
    double polygons[1], components[1], dihedral[1], box[6], depth[1];
    double centre[3], scale[1], axes[9], values[3];
} published;

typedef struct model {
    bool used;
    char problem[600]; /* empty if everything could be read */
    published info;
    psb_annotations ours;
    double area_ratio; /* exact area over its sum in single precision */
} model;

static model *models;

/* All numbers of the line that begins with `key`; false unless there are `count`. */
static bool line_numbers(const psb_input *input, const char *key, double *numbers, size_t count) {
    const char *p = input->data, *end = input->data + input->size;
    size_t length = strlen(key), found = 0;
    while (p < end && ((size_t)(end - p) <= length || memcmp(p, key, length) != 0)) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        p = newline != NULL ? newline + 1 : end;
    }
    for (p = p < end ? p + length : end; p < end && *p != '\n'; p++) {
        double value;
        if (!psb_scan_double(&p, end, &value)) {
            continue;
        }
        if (p < end && *p == '#') { /* "-1.#IND" */
            value = NAN;
        }
        if (found < count) {
            numbers[found] = value;
        }
        found++;
        p--;
    }
    return found == count;
}

static bool read_info(const char *path, published *info) {
    psb_input input;
    if (psb_input_open(path, &input, NULL) != PSB_OK) {
        return false;
    }
    bool ok = line_numbers(&input, "polygons:", info->polygons, 1) &&
              line_numbers(&input, "connected_components:", info->components, 1) &&
              line_numbers(&input, "average_dihedral_angle:", info->dihedral, 1) &&
              line_numbers(&input, "bounding_box:", info->box, 6) &&
              line_numbers(&input, "avg_depth:", info->depth, 1) &&
              line_numbers(&input, "center:", info->centre, 3) &&
              line_numbers(&input, "scale:", info->scale, 1) &&
              line_numbers(&input, "principle_axes:", info->axes, 9) &&
              line_numbers(&input, "principle_values:", info->values, 3);
    psb_input_close(&input);
    return ok;
}

/*
 * The published principal values are second moments divided by an area that was summed in single
 * precision, face after face: what that sum loses on large models they all have too much.
 */
static double area_ratio(const psb_mesh *mesh) {
    double exact = 0.0;
    float single = 0.0F;
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const uint32_t *v = mesh->triangles + 3 * t;
        double area =
            psb_triangle_area(mesh->vertices + 3 * (size_t)v[0], mesh->vertices + 3 * (size_t)v[1],
                              mesh->vertices + 3 * (size_t)v[2]);
        exact += area;
        single += (float)area;
    }
    return exact / (double)single;
}

static void read_model(const char *folder, int id, model *m) {
    char path[600];
    psb_error error;
    psb_mesh mesh;
    snprintf(path, sizeof path, "%s/db/%d/m%d/m%d.off", folder, id / 100, id, id);
    if (!psb_is_file(path)) {
        return;
    }
    m->used = true;
    if (psb_mesh_read(path, &mesh, &error) != PSB_OK) {
        snprintf(m->problem, sizeof m->problem, "%s", error.message);
        return;
    }
    if (psb_annotate(&mesh, &m->ours, &error) != PSB_OK) {
        snprintf(m->problem, sizeof m->problem, "m%d: %s", id, error.message);
    }
    m->area_ratio = area_ratio(&mesh);
    psb_mesh_free(&mesh);
    snprintf(path, sizeof path, "%s/db/%d/m%d/m%d_info.txt", folder, id / 100, id, id);
    if (!read_info(path, &m->info)) {
        snprintf(m->problem, sizeof m->problem, "%.500s is not as expected", path);
    }
}

static int read_all(void **state) {
    (void)state;
    const char *folder = getenv("PSB_DIR");
    if (folder == NULL) {
        return 0;
    }
    models = calloc(LAST + 1, sizeof *models);
    if (models == NULL) {
        return -1;
    }
#pragma omp parallel for schedule(dynamic)
    for (int id = FIRST; id <= LAST; id++) {
        read_model(folder, id, &models[id]);
    }
    return 0;
}

static int free_all(void **state) {
    (void)state;
    free(models);
    return 0;
}

static bool skipped(void) {
    if (models == NULL) {
        print_message("PSB_DIR is not set: the benchmark's annotations are not compared\n");
    }
    return models == NULL;
}

#define SKIP_WITHOUT_MODELS()                                                                      \
    do {                                                                                           \
        if (skipped()) {                                                                           \
            skip();                                                                                \
        }                                                                                          \
    } while (0)

static void all_models_were_read(void **state) {
    (void)state;
    SKIP_WITHOUT_MODELS();
    int used = 0;
    for (int id = FIRST; id <= LAST; id++) {
        if (models[id].used && models[id].problem[0] != '\0') {
            fail_msg("%s", models[id].problem);
        }
        used += models[id].used;
    }
    print_message("models: %d\n", used);
    assert_true(used > 0);
}

static void counts_and_boxes_are_equal(void **state) {
    (void)state;
    SKIP_WITHOUT_MODELS();
    for (int id = FIRST; id <= LAST; id++) {
        const model *m = &models[id];
        if (!m->used) {
            continue;
        }
        if ((double)m->ours.polygons != m->info.polygons[0]) {
            fail_msg("m%d: %zu polygons, published %g", id, m->ours.polygons, m->info.polygons[0]);
        }
        if ((double)m->ours.connected_components != m->info.components[0]) {
            fail_msg("m%d: %zu components, published %g", id, m->ours.connected_components,
                     m->info.components[0]);
        }
        for (int k = 0; k < 6; k++) {
            char text[32];
            double printed = NAN;
            snprintf(text, sizeof text, "%g", k < 3 ? m->ours.lowest[k] : m->ours.highest[k - 3]);
            if (!psb_parse_double(text, &printed) || printed != m->info.box[k]) {
                fail_msg("m%d: bounding box number %d is %s, published %g", id, k, text,
                         m->info.box[k]);
            }
        }
    }
}

/* How far three numbers are from published ones beyond the rounding of the latter's sixth digit. */
static double beyond_rounding(const double ours[3], const double theirs[3]) {
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        most = fmax(most, fabs(ours[k] - theirs[k]) - 0.5000001e-6);
    }
    return fmax(most, 0.0);
}

/*
 * Two models are known to differ: 442, whose published centre and values are off in the fifth
 * digit, and 268, whose published scale, an estimate from random samples like all of them, is
 * 2.03 % off.
 */
static void integrals_agree(void **state) {
    (void)state;
    SKIP_WITHOUT_MODELS();
    double worst_scale = 0.0;
    for (int id = FIRST; id <= LAST; id++) {
        const model *m = &models[id];
        if (!m->used) {
            continue;
        }
        double size = m->info.scale[0], values[3];
        for (int k = 0; k < 3; k++) {
            values[k] = m->ours.axes.values[k] * m->area_ratio;
        }
        double centre = beyond_rounding(m->ours.centre, m->info.centre) / size;
        double moments = beyond_rounding(values, m->info.values) / m->info.values[0];
        double scale = fabs(m->ours.scale / size - 1.0);
        double tolerance = id == 442 ? 4e-5 : 1e-5;
        if (!(centre <= tolerance) || !(moments <= tolerance)) {
            fail_msg("m%d: centre is off by %g, principal values by %g", id, centre, moments);
        }
        if (!(scale <= (id == 268 ? 0.0203 : 0.02))) {
            fail_msg("m%d: scale is %g, published %g", id, m->ours.scale, size);
        }
        worst_scale = fmax(worst_scale, scale);
    }
    print_message("centres and principal values: all within 1e-5 but 442; scale: largest "
                  "difference %.2f %%\n",
                  100.0 * worst_scale);
}

/* Axes whose value is at least a thousandth of the largest away from the others. */
static void axes_agree(void **state) {
    (void)state;
    SKIP_WITHOUT_MODELS();
    int distinct = 0, same_sign = 0;
    for (int id = FIRST; id <= LAST; id++) {
        const model *m = &models[id];
        for (int i = 0; i < 3 && m->used; i++) {
            const double *values = m->info.values;
            double above = i > 0 ? values[i - 1] - values[i] : values[0];
            double below = i < 2 ? values[i] - values[i + 1] : values[0];
            if (fmin(above, below) < 1e-3 * values[0]) {
                continue;
            }
            const double *ours = m->ours.axes.axis[i], *theirs = m->info.axes + 3 * i;
            double sign = psb_dot(ours, theirs) < 0.0 ? -1.0 : 1.0;
            for (int k = 0; k < 3; k++) {
                if (!(fabs(sign * ours[k] - theirs[k]) <= 1e-4)) {
                    fail_msg("m%d: component %d of axis %d is %g, published %g", id, k, i, ours[k],
                             theirs[k]);
                }
            }
            distinct++;
            same_sign += sign > 0.0;
        }
    }
    print_message("axes with distinct values: %d, of which %d have the published sign (%.2f %%)\n",
                  distinct, same_sign, 100.0 * same_sign / distinct);
    assert_true(same_sign > 0.97 * distinct);
}

typedef struct agreement {
    double errors[LAST + 1]; /* relative */
    int count;
    double sum[5]; /* ours, theirs, squares, product: for the correlation */
} agreement;

static void compare(agreement *a, double ours, double theirs) {
    a->errors[a->count++] = fabs(ours / theirs - 1.0);
    const double terms[5] = {ours, theirs, ours * ours, theirs * theirs, ours * theirs};
    for (int k = 0; k < 5; k++) {
        a->sum[k] += terms[k];
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double share_within(const agreement *a, double limit) {
    int n = 0;
    while (n < a->count && a->errors[n] <= limit) {
        n++;
    }
    return (double)n / a->count;
}

static void summarise(const char *what, agreement *a) {
    double n = a->count, x = a->sum[0] / n, y = a->sum[1] / n;
    double correlation =
        (a->sum[4] / n - x * y) / sqrt((a->sum[2] / n - x * x) * (a->sum[3] / n - y * y));
    qsort(a->errors, (size_t)a->count, sizeof *a->errors, ascending);
    print_message("%s: %d models, median relative error %.2g, largest %.2g, correlation %.6f; "
                  "within 1e-5: %.1f %%, 1e-4: %.1f %%, 1e-3: %.1f %%, 1e-2: %.1f %%\n",
                  what, a->count, a->errors[a->count / 2], a->errors[a->count - 1], correlation,
                  100 * share_within(a, 1e-5), 100 * share_within(a, 1e-4),
                  100 * share_within(a, 1e-3), 100 * share_within(a, 1e-2));
}

static void dihedral_angles_agree(void **state) {
    (void)state;
    SKIP_WITHOUT_MODELS();
    agreement a = {0};
    for (int id = FIRST; id <= LAST; id++) {
        const model *m = &models[id];
        if (!m->used) {
            continue;
        }
        if (isnan(m->info.dihedral[0]) != isnan(m->ours.average_dihedral_angle)) {
            fail_msg("m%d: angle %g, published %g", id, m->ours.average_dihedral_angle,
                     m->info.dihedral[0]);
        }
        if (!isnan(m->info.dihedral[0])) {
            compare(&a, m->ours.average_dihedral_angle, m->info.dihedral[0]);
        }
    }
    summarise("average dihedral angle", &a);
    assert_true(share_within(&a, 1e-4) > 0.6 && share_within(&a, 1e-3) > 0.9);
    assert_true(share_within(&a, 0.03) == 1.0);
}

/* 29 models have this depth; it stands where none was measured. */
#define NO_DEPTH 1.982054

static void depths_agree(void **state) {
    (void)state;
    SKIP_WITHOUT_MODELS();
    agreement a = {0};
    for (int id = FIRST; id <= LAST; id++) {
        const model *m = &models[id];
        if (m->used && m->info.depth[0] != NO_DEPTH) {
            compare(&a, m->ours.average_depth, m->info.depth[0]);
        }
    }
    summarise("average depth", &a);
    assert_true(share_within(&a, 1e-3) > 0.6 && share_within(&a, 1e-2) > 0.97);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_models_were_read),  cmocka_unit_test(counts_and_boxes_are_equal),
        cmocka_unit_test(integrals_agree),       cmocka_unit_test(axes_agree),
        cmocka_unit_test(dihedral_angles_agree), cmocka_unit_test(depths_agree),
    };
    return cmocka_run_group_tests(tests, read_all, free_all);
}
