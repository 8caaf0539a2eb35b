/*
 * A descriptor's revision says which of its rows are still valid: if the numbers of a row changed
 * and the revision did not, rows of different programs would be mixed unnoticed. So this test
 * keeps, for each revision, a print of every descriptor's and metric's numbers on two generated
 * models.
 *
 * A print is a few random projections of the row, which change when the row does; other processors
 * and other builds of the libraries below change them by rounding only.
 */
#include "core/random.h"
#include "descriptors/descriptor.h"
#include "distance/cube.h"
#include "support/meshes.h"
#include "support/test.h"

enum { PRINTS = 4, LONGEST = 32768, ROW_BYTES = 4700 + 4 * (8 * 256 + 2 * 256) /* of T3 */ };

typedef struct print {
    const char *name;
    unsigned revision;
    double value[PRINTS];
} print;

static const print descriptor_prints[] = {
    {"LFD", 1, {-10.0103978, 2.72468442, 3.30237879, -7.23394526}},
    {"REXT", 5, {-0.547227646, 0.128312517, 0.386720654, 0.293263125}},
    {"SHD", 4, {-0.106956117, 0.350958264, 0.102012988, 0.218565883}},
    {"GEDT", 4, {0.392425322, 0.129146497, -0.147145384, -0.0300409971}},
    {"EXT", 5, {0.480907957, -0.700837439, 0.695910584, 0.864835156}},
    {"SECSHEL", 4, {-0.308304987, -0.215464111, -0.0514320459, -0.0178216964}},
    {"VOXEL", 3, {-0.452593594, 0.0206863253, -0.116704667, 0.106128859}},
    {"SECTORS", 4, {0.338288398, 0.0366036328, -0.426008295, 0.318417379}},
    {"CEGI", 5, {0.948221048, -0.802946597, 0.369244452, -0.090957296}},
    {"EGI", 5, {0.683552656, -0.864028638, 0.464901604, 0.0407053939}},
    {"D2", 1, {0.906088426, 0.25407809, -0.00120940349, -0.570472665}},
    {"SHELLS", 2, {0.575362792, 0.096574123, -0.164276991, -0.695601612}},
    {"DBUF", 4, {-0.21995017, -0.143560574, 0.18984864, -0.0712201378}},
    {"VIEWS", 2, {3.03411584, 8.98424385, 12.9613365, -10.8726802}},
    {"SPIN", 2, {4.83913086, -6.70274097, 4.23788587, 1.60862815}},
    {"POINTS", 2, {-5.07976325, -10.6583036, 3.37815755, -9.28002601}},
    {NULL, 0, {0}},
};

static const print metric_prints[] = {
    {"l1", 1, {22.6862359, 21.4154622, 19.9609325, 18.7886061}},
    {"l2", 2, {3.30007933, 3.26938606, 3.26453096, 2.82959751}},
    {"lfd", 1, {43432, 43204, 43431, 43499}},
    {"cosine", 2, {0.248989697, 0.248928576, 0.264916995, 0.192156076}},
    {"chi2", 1, {6.23574006, 5.5897843, 5.70903742, 4.58589302}},
    {"pose8", 1, {1.31157498, 1.29102721, 1.18299246, 1.27160921}},
    {"pose48", 2, {1.24047794, 1.24281672, 1.18299246, 1.22316354}},
    {"hamming", 1, {1.0234375, 0.99609375, 1.01953125, 0.90234375}},
    {"cube", 1, {0.621945288, 0.713913792, 0.667922376, 0.751521139}},
    {"cd", 1, {0.00890915192, 0.00857574292, 0.0091434216, 0.00882197901}},
    {"cd-l1", 1, {0.0621520015, 0.0613705076, 0.0632791567, 0.0623458298}},
    {"hausdorff", 1, {0.158193258, 0.177284258, 0.149259437, 0.145823341}},
    {"emd", 1, {0.0893541336, 0.0856511558, 0.0947813009, 0.0930448595}},
    {"emd-auction", 1, {0.0893623451, 0.0856558482, 0.0947845404, 0.0930487013}},
    {"sum", 1, {4.71166754, 4.85051346, 4.78212166, 4.76258326}},
    {NULL, 0, {0}},
};

static const double tolerance = 1e-5;

static void project(const float *row, size_t n, double value[PRINTS]) {
    psb_random random = psb_random_seeded(1, "print", "row");
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < PRINTS; k++) {
            value[k] += row[i] * (psb_random_unit(&random) - 0.5);
        }
    }
}

/* The row as float32; bytes become fractions. */
static size_t describe(const psb_descriptor *d, const psb_mesh *mesh, float row[LONGEST]) {
    static uint8_t bytes[4 * LONGEST];
    psb_spec *spec;
    psb_error error;
    assert_int_equal(psb_spec_parse(NULL, d->name, &spec, &error), PSB_OK);
    size_t length = psb_spec_length(spec);
    psb_spec_free(spec);
    assert_true(length <= LONGEST);
    test_describe(d->name, mesh, "model", (float *)(void *)bytes);
    for (size_t i = 0; i < length; i++) {
        row[i] =
            d->metric->element == PSB_UINT8 ? (float)bytes[i] / 255 : ((float *)(void *)bytes)[i];
    }
    return length;
}

/* Whether the print is the one that is kept; if not, shows the line that belongs into the table. */
static bool is_kept(const print *prints, const char *name, unsigned revision,
                    const double value[PRINTS]) {
    const print *known = prints;
    while (known->name != NULL && strcmp(known->name, name) != 0) {
        known++;
    }
    bool same = known->name != NULL && known->revision == revision;
    for (int k = 0; k < PRINTS && same; k++) {
        same = fabs(known->value[k] - value[k]) <= tolerance * (1 + fabs(value[k]));
    }
    if (!same) {
        print_message("    {\"%s\", %u, {%.9g, %.9g, %.9g, %.9g}},\n", name, revision, value[0],
                      value[1], value[2], value[3]);
    }
    return same;
}

static const char advice[] =
    "add the line of what is new; else numbers changed and the revision did not: raise it in the "
    "struct, then keep the new print";

static void numbers_are_of_the_revision(void **state) {
    (void)state;
    static float row[LONGEST];
    bool same = true;
    psb_mesh meshes[] = {test_blob(5, 120), test_box(1, 2, 3.5)};
    for (size_t d = 0; d < psb_descriptor_count(); d++) {
        const psb_descriptor *descriptor = psb_descriptor_at(d);
        double value[PRINTS] = {0};
        for (size_t m = 0; m < 2; m++) {
            size_t length = describe(descriptor, &meshes[m], row);
            project(row, length, value);
        }
        same &= is_kept(descriptor_prints, descriptor->name, descriptor->revision, value);
    }
    psb_mesh_free(&meshes[0]);
    psb_mesh_free(&meshes[1]);
    if (!same) {
        fail_msg("%s", advice);
    }
}

/* Distances of a few random rows of the metric's own kind. */
static void distances_are_of_the_revision(void **state) {
    (void)state;
    bool same = true;
    for (size_t m = 0; m < psb_metric_count(); m++) {
        const psb_metric *metric = psb_metric_at(m);
        static const size_t lengths[] = {64, 256, PSB_CUBE_LENGTH, 4700, ROW_BYTES};
        size_t l = 0;
        while (metric->accepts != NULL && !metric->accepts(lengths[l])) {
            assert_true(++l < sizeof lengths / sizeof lengths[0]);
        }
        size_t length = lengths[l];
        /* Bytes of a sum are numbers as well: none of them negative or not finite. */
        uint64_t below = length == ROW_BYTES ? 64 : 256;
        psb_random random = psb_random_seeded(2, "print", "metric");
        static union {
            float number[2 * PRINTS][4700];
            uint8_t byte[2 * PRINTS][ROW_BYTES];
        } row;
        double value[PRINTS];
        for (size_t r = 0; r < 2 * PRINTS; r++) {
            for (size_t i = 0; i < length; i++) {
                if (metric->element == PSB_UINT8) {
                    row.byte[r][i] = (uint8_t)psb_random_below(&random, below);
                } else {
                    double x = psb_random_unit(&random); /* signs matter to poses */
                    row.number[r][i] = (float)(metric->accepts != NULL ? x - 0.5 : x);
                }
            }
        }
        for (size_t k = 0; k < PRINTS; k++) {
            bool bytes = metric->element == PSB_UINT8;
            const void *a = bytes ? (void *)row.byte[2 * k] : (void *)row.number[2 * k];
            const void *b = bytes ? (void *)row.byte[2 * k + 1] : (void *)row.number[2 * k + 1];
            value[k] = metric->pair(a, b, length);
        }
        same &= is_kept(metric_prints, metric->name, metric->revision, value);
    }
    if (!same) {
        fail_msg("%s", advice);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_of_the_revision),
        cmocka_unit_test(distances_are_of_the_revision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
