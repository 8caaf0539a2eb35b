/* Tests the public header: wrong use returns a status, right use the results of lower rooms. */
#include "core/file.h"
#include "library/parts.h"
#include "psbench.h"
#include "studies/generative.h"
#include "support/files.h"
#include "support/test.h"

#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <sys/stat.h>

static psb_context *psb;

static int start(void **state) {
    (void)state;
    psb_context_options options = {.threads = 2};
    test_folder();
    return psb_context_new(&options, &psb, NULL) != PSB_OK;
}

static int finish(void **state) {
    (void)state;
    psb_context_free(psb);
    test_folder_remove();
    return 0;
}

static double corners[] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
static uint32_t sides[] = {0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3};
static const psb_mesh tetrahedron = {4, corners, 4, sides, 4};

static psb_spec *spec_of(const char *text) {
    psb_spec *spec;
    assert_int_equal(psb_spec_open(psb, text, &spec, NULL), PSB_OK);
    return spec;
}

static void wants(psb_status got, psb_status wanted, const psb_error *error, const char *word) {
    assert_int_equal(got, wanted);
    if (strstr(error->message, word) == NULL) {
        fail_msg("no '%s' in '%s'", word, error->message);
    }
}

/* ---- contexts, specs, shapes ------------------------------------------------------------- */

static void contexts_and_specs_that_cannot_be(void **state) {
    (void)state;
    psb_error error;
    psb_context *none;
    psb_spec *spec;
    for (int threads = -1; threads <= PSB_MOST_THREADS + 1; threads += PSB_MOST_THREADS + 2) {
        psb_context_options options = {.threads = threads};
        wants(psb_context_new(&options, &none, &error), PSB_ERROR_USAGE, &error, "0 ... 1024");
        assert_null(none);
    }
    wants(psb_spec_open(psb, NULL, &spec, &error), PSB_ERROR_USAGE, &error, "no spec");
    wants(psb_spec_open(psb, "", &spec, &error), PSB_ERROR_USAGE, &error, "there is no descriptor");
    wants(psb_spec_open(psb, "D2:points=nan", &spec, &error), PSB_ERROR_USAGE, &error, "points");
    assert_null(spec);
    assert_null(psb_descriptor_at(psb_descriptor_count()));
    assert_string_equal(psb_version(), PSB_VERSION);
    psb_spec_free(NULL);
    psb_context_free(NULL);
}

static void shapes_without_a_model(void **state) {
    (void)state;
    psb_error error;
    psb_shape *shape;
    psb_spec *spec = spec_of("SHELLS");
    float row[64];
    assert_int_equal(psb_spec_row_bytes(spec), sizeof row);
    assert_int_equal(psb_shape_open(psb, &shape, &error), PSB_OK);
    wants(psb_describe(shape, spec, row, sizeof row, &error), PSB_ERROR_USAGE, &error,
          "no model is loaded");
    assert_null(psb_shape_mesh(shape));
    assert_null(psb_shape_id(shape));

    static uint32_t beyond[] = {0, 1, 4};
    static double flat[] = {0, 0, 0, 1, 0, 0, 2, 0, 0}, open[] = {0, 0, 0, 1, 0, 0, 0, NAN, 0};
    const struct {
        psb_mesh mesh;
        const char *word;
    } bad[] = {{{4, corners, 1, beyond, 1}, "triangle 0 names vertex 4, but there are 4"},
               {{3, open, 1, sides, 1}, "coordinate 1 of vertex 2 is not finite"},
               {{3, flat, 1, sides, 1}, "area"},
               {{0, NULL, 0, NULL, 0}, "no triangles"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(psb_shape_load(shape, &tetrahedron, "t", &error), PSB_OK);
        assert_int_equal(psb_describe(shape, spec, row, sizeof row, &error), PSB_OK);
        wants(psb_shape_load(shape, &bad[i].mesh, "t", &error), PSB_ERROR_INPUT, &error,
              bad[i].word);
        wants(psb_describe(shape, spec, row, sizeof row, &error), PSB_ERROR_USAGE, &error,
              "no model is loaded");
    }
    assert_int_equal(psb_shape_load(shape, &tetrahedron, "t", NULL), PSB_OK);
    wants(psb_describe(shape, spec, row, sizeof row - 1, &error), PSB_ERROR_USAGE, &error,
          "a row of 255 bytes, but one of SHELLS has 256");
    psb_mesh none = tetrahedron;
    none.triangles = NULL;
    wants(psb_shape_load(shape, &none, "t", &error), PSB_ERROR_USAGE, &error, "4 triangles");
    none.vertices = NULL;
    wants(psb_mesh_check(&none, &error), PSB_ERROR_USAGE, &error, "no array of its 4 vertices");
    psb_shape_free(shape);
    psb_spec_free(spec);
}

static void openblas_has_as_many_threads_as_before(void **state) {
    (void)state;
    float values[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    psb_rows *rows;
    psb_matrix *matrix;
    psb_shape *shape;
    int before = openblas_get_num_threads();
    openblas_set_num_threads(2);
    int found = openblas_get_num_threads(); /* 1 where OpenBLAS has no threads at all */
    assert_int_equal(psb_shape_open(psb, &shape, NULL), PSB_OK);
    assert_int_equal(openblas_get_num_threads(), found);
    assert_int_equal(psb_rows_new(values, 4, 3, PSB_FLOAT32, NULL, &rows, NULL), PSB_OK);
    assert_int_equal(psb_distances(psb, rows, "l2", &matrix, NULL), PSB_OK);
    assert_int_equal(openblas_get_num_threads(), found);
    openblas_set_num_threads(before);
    psb_matrix_free(matrix);
    psb_rows_free(rows);
    psb_shape_free(shape);
}

/* ---- rows and matrices ------------------------------------------------------------------- */

static void wrapped_rows_are_the_callers(void **state) {
    (void)state;
    psb_error error;
    psb_rows *rows;
    float values[] = {1, 2, 3, 4};
    assert_int_equal(psb_rows_wrap(values, 2, 2, PSB_FLOAT32, NULL, &rows, &error), PSB_OK);
    assert_ptr_equal(psb_rows_at(rows, 1), values + 2);
    psb_rows_free(rows);
    values[3] = INFINITY;
    wants(psb_rows_wrap(values, 2, 2, PSB_FLOAT32, NULL, &rows, &error), PSB_ERROR_INPUT, &error,
          "row 1, column 1 is not finite");
    assert_null(rows);
}

/* Models by name alone, and distances of them that stand in another order. */
static void names_with_classes_are_a_collection(void **state) {
    (void)state;
    psb_error error;
    psb_collection *models;
    psb_matrix *matrix;
    const char *const names[] = {"a", "b", "c"}, *const classes[] = {"x/y", "z", "x"};
    const char *const turned[] = {"c", "a", "b"}, *const bad[] = {"a", "../b", NULL};
    psb_collection_options of = {.names = names, .nnames = 3};
    wants(psb_collection_open(psb, &of, &models, &error), PSB_ERROR_USAGE, &error, "class");
    of = (psb_collection_options){.names = bad, .classes = classes, .nnames = 2};
    wants(psb_collection_open(psb, &of, &models, &error), PSB_ERROR_USAGE, &error, "a name");
    of = (psb_collection_options){.names = names, .classes = bad, .nnames = 3};
    wants(psb_collection_open(psb, &of, &models, &error), PSB_ERROR_USAGE, &error, "a class");
    assert_null(models);
    of.classes = classes;
    assert_int_equal(psb_collection_open(psb, &of, &models, &error), PSB_OK);
    assert_int_equal(psb_collection_classes(models), 3);
    const char *const order[] = {"c", "a", "b"}, *const of_class[] = {"x", "x___y", "z"};
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(psb_collection_id(models, i), order[i]);
        assert_string_equal(psb_collection_class_name(models, psb_collection_class_of(models, i)),
                            of_class[i]);
    }
    assert_null(psb_collection_file(models, 0));

    const float distances[] = {0, 1, 2, 1, 0, 3, 2, 3, 0};
    assert_int_equal(psb_matrix_new(distances, 3, names, &matrix, &error), PSB_OK);
    assert_int_equal(psb_matrix_write(matrix, test_path("abc.matrix"), &error), PSB_OK);
    psb_matrix_free(matrix);
    assert_int_equal(psb_distances_read(psb, test_path("abc.matrix"), models, &matrix, &error),
                     PSB_OK);
    assert_string_equal(psb_matrix_name(matrix, 0), turned[0]);
    assert_int_equal(psb_matrix_columns(matrix), 3);
    assert_true(psb_matrix_at(matrix, 0)[1] == 2 && psb_matrix_at(matrix, 2)[0] == 3 &&
                psb_matrix_at(matrix, 1)[2] == 1);
    psb_matrix_free(matrix);
    wants(psb_distances_read(psb, test_path("absent"), models, &matrix, &error), PSB_ERROR_IO,
          &error, "absent");
    assert_null(matrix);
    psb_collection_free(models);
}

static void rows_that_cannot_be(void **state) {
    (void)state;
    psb_error error;
    psb_rows *rows;
    psb_matrix *matrix;
    float values[] = {1, -2, 3, NAN};
    const char *const names[] = {"a", "b"};
    wants(psb_rows_new(values, 2, 2, PSB_FLOAT32, NULL, &rows, &error), PSB_ERROR_INPUT, &error,
          "row 1, column 1 is not finite");
    assert_null(rows);
    wants(psb_rows_new(NULL, 2, 2, PSB_FLOAT32, NULL, &rows, &error), PSB_ERROR_USAGE, &error,
          "need data");
    wants(psb_rows_new(values, 0, 2, PSB_FLOAT32, NULL, &rows, &error), PSB_ERROR_USAGE, &error,
          "need data");
    wants(psb_rows_new(values, 2, SIZE_MAX, PSB_FLOAT32, NULL, &rows, &error), PSB_ERROR_MEMORY,
          &error, "memory");
    wants(psb_rows_read(psb, test_path("absent.npy"), NULL, &rows, &error), PSB_ERROR_IO, &error,
          "cannot open");
    assert_int_equal(psb_rows_new(values, 2, 1, PSB_FLOAT32, names, &rows, &error), PSB_OK);
    assert_null(psb_rows_at(rows, 2));
    assert_null(psb_rows_name(rows, 2));
    assert_string_equal(psb_rows_name(rows, 1), "b");
    assert_true(psb_rows_model(rows, 0) == PSB_NONE);
    wants(psb_distances(psb, rows, "l3", &matrix, &error), PSB_ERROR_USAGE, &error,
          "no metric 'l3' (did you mean l1?); there are l1, l2");
    wants(psb_distances(psb, rows, "lfd", &matrix, &error), PSB_ERROR_USAGE, &error, "uint8");
    wants(psb_distances(psb, rows, "chi2", &matrix, &error), PSB_ERROR_INPUT, &error, "negative");
    assert_null(matrix);
    wants(psb_distances(psb, rows, NULL, &matrix, &error), PSB_ERROR_USAGE, &error,
          "nothing says by which metric");
    const psb_search_options by_l2 = {.metric = "l2"};
    wants(psb_search(psb, rows, rows, &by_l2, test_path("no/lists"), &error), PSB_ERROR_IO, &error,
          "cannot");
    psb_rows_free(rows);
    psb_rows_free(NULL);
    const struct {
        const char *names[2], *word;
    } bad[] = {{{"a", "a"}, "the name a occurs twice: 0 and 1"},
               {{"a", "b\nc"}, "name 1 has a control character"},
               {{"\x7f", "b"}, "name 0 has a control character"},
               {{"a", NULL}, "name 1 is NULL"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        wants(psb_rows_new(values, 2, 1, PSB_FLOAT32, bad[i].names, &rows, &error), PSB_ERROR_USAGE,
              &error, bad[i].word);
        assert_null(rows);
        wants(psb_matrix_new((const float[]){0, 1, 1, 0}, 2, bad[i].names, &matrix, &error),
              PSB_ERROR_USAGE, &error, bad[i].word);
        assert_null(matrix);
    }
}

static void matrices_that_cannot_be(void **state) {
    (void)state;
    psb_error error;
    psb_matrix *matrix;
    const float bad[][4] = {{0, 1, NAN, 0}, {0, -1, 1, 0}, {0, 1, 1, INFINITY}};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(psb_matrix_new(bad[i], 2, NULL, &matrix, &error), PSB_ERROR_INPUT);
        assert_null(matrix);
    }
    wants(psb_matrix_new(NULL, 2, NULL, &matrix, &error), PSB_ERROR_USAGE, &error, "needs");
    wants(psb_matrix_new(bad[0], SIZE_MAX / 2, NULL, &matrix, &error), PSB_ERROR_MEMORY, &error,
          "memory");
    const float good[] = {0, 1, 1, 0};
    assert_int_equal(psb_matrix_new(good, 2, NULL, &matrix, &error), PSB_OK);
    assert_null(psb_matrix_at(matrix, 2));
    assert_null(psb_matrix_name(matrix, 0));
    psb_matrix_free(matrix);
    psb_matrix_free(NULL);
}

/* A pair alone has the bits that it has in a matrix, in every metric that descriptors have. */
static void one_distance_is_the_matrix_entry(void **state) {
    (void)state;
    enum { N = 3 };
    psb_error error;
    psb_shape *shape;
    assert_int_equal(psb_shape_open(psb, &shape, &error), PSB_OK);
    static const char *const specs[] = {"SHELLS", "D2", "LFD"};
    for (size_t s = 0; s < 3; s++) {
        psb_spec *spec = spec_of(specs[s]);
        size_t bytes = psb_spec_row_bytes(spec);
        char *data = malloc(N * bytes);
        for (size_t i = 0; i < N; i++) {
            corners[11] = 2.0 + (double)i;
            assert_int_equal(psb_shape_load(shape, &tetrahedron, "t", &error), PSB_OK);
            assert_int_equal(psb_describe(shape, spec, data + i * bytes, bytes, &error), PSB_OK);
        }
        corners[11] = 3;
        psb_rows *rows;
        psb_matrix *matrix;
        assert_int_equal(psb_rows_new(data, N, psb_spec_length(spec), psb_spec_element(spec), NULL,
                                      &rows, &error),
                         PSB_OK);
        const char *metric = strcmp(specs[s], "LFD") == 0 ? "lfd" : "l2";
        assert_int_equal(psb_distances(psb, rows, metric, &matrix, &error), PSB_OK);
        for (size_t i = 0; i < N * N; i++) {
            float d;
            assert_int_equal(
                psb_distance(spec, data + i / N * bytes, data + i % N * bytes, bytes, &d, &error),
                PSB_OK);
            assert_memory_equal(&d, &psb_matrix_at(matrix, i / N)[i % N], sizeof d);
        }
        float d;
        wants(psb_distance(spec, data, data, bytes + 1, &d, &error), PSB_ERROR_USAGE, &error,
              "those of");
        psb_matrix_free(matrix);
        psb_rows_free(rows);
        psb_spec_free(spec);
        free(data);
    }
    psb_shape_free(shape);
}

/* As one, and as strips of a tile's lines each: with names beside it, of one set and of two. */
static void a_matrix_written_in_strips_is_the_same_file(void **state) {
    (void)state;
    enum { N = 3 * 128 + 5, OTHERS = 140, LENGTH = 6 };
    static const char *const metrics[] = {"l1", "l2", "cosine", "chi2"};
    static float values[N * LENGTH];
    char letters[N][8];
    const char *names[N];
    psb_rows *rows, *others;
    for (size_t i = 0; i < (size_t)N * LENGTH; i++) {
        values[i] = (float)(i * 2654435761U % 1000 + 1) / 7.0F;
    }
    for (size_t i = 0; i < N; i++) {
        snprintf(letters[i], sizeof letters[i], "m%zu", i);
        names[i] = letters[i];
    }
    assert_int_equal(psb_rows_new(values, N, LENGTH, PSB_FLOAT32, names, &rows, NULL), PSB_OK);
    assert_int_equal(psb_rows_new(values + 7, OTHERS, LENGTH, PSB_FLOAT32, names, &others, NULL),
                     PSB_OK);
    for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++) {
        for (int two = 0; two < 2; two++) {
            static const char *const beside[] = {"", ".ids", ".columns.ids"};
            psb_rows *targets = two ? others : rows;
            psb_matrix *matrix;
            psb_status status =
                two ? psb_distances_between(psb, rows, targets, metrics[m], &matrix, NULL)
                    : psb_distances(psb, rows, metrics[m], &matrix, NULL);
            assert_int_equal(status, PSB_OK);
            assert_int_equal(psb_matrix_write(matrix, test_path("whole"), NULL), PSB_OK);
            psb_matrix_free(matrix);
            assert_int_equal(psb_distances_write_in(psb, rows, targets, metrics[m], 1,
                                                    test_path("strips"), NULL),
                             PSB_OK);
            for (int b = 0; b < (two ? 3 : 2); b++) {
                char name[2][32];
                psb_input whole;
                snprintf(name[0], sizeof name[0], "whole%s", beside[b]);
                snprintf(name[1], sizeof name[1], "strips%s", beside[b]);
                assert_int_equal(psb_input_open(test_path(name[0]), &whole, NULL), PSB_OK);
                assert_true(psb_holds(test_path(name[1]), whole.data, whole.size));
                psb_input_close(&whole);
            }
        }
    }
    psb_rows_free(others);
    psb_rows_free(rows);
}

/* ---- collections ------------------------------------------------------------------------- */

static const char off[] = "OFF\n4 4 6\n0 0 0\n1 0 0\n0 2 0\n0 0 3\n3 0 1 2\n3 0 1 3\n3 0 2 3\n"
                          "3 1 2 3\n";
static const char cla[] = "PSB 1\n2 3\nup 0 1\na\ndown up 2\nb\nc\n";

static size_t failures;
static void count_failure(void *context, const psb_error *error) {
    (void)context;
    assert_int_equal(error->status, PSB_ERROR_INPUT);
    failures++;
}

static void models_that_fail_are_left_out(void **state) {
    (void)state;
    psb_error error;
    psb_context *own;
    psb_context_options options = {.threads = 2, .observer = {.failed = count_failure}};
    assert_int_equal(psb_context_new(&options, &own, &error), PSB_OK);
    test_write("a.off", off, sizeof off - 1);
    test_write("b.off", "OFF\n", 4);
    test_write("m12.off", off, sizeof off - 1);
    char *files[3];
    static const char *const names[] = {"a.off", "b.off", "m12.off"};
    for (size_t i = 0; i < 3; i++) {
        files[i] = strdup(test_path(names[i]));
    }
    psb_collection *models;
    psb_rows *rows;
    psb_spec *spec = spec_of("SHELLS");
    psb_collection_options of = {.files = (const char *const *)files, .nfiles = 3};
    assert_int_equal(psb_collection_open(own, &of, &models, &error), PSB_OK);
    assert_int_equal(psb_describe_all(own, models, spec, &rows, &error), PSB_OK);
    assert_int_equal(failures, 1);
    assert_int_equal(psb_rows_count(rows), 2);
    assert_int_equal(psb_rows_model(rows, 1), 2);
    assert_string_equal(psb_rows_name(rows, 1), "12");
    assert_memory_equal(psb_rows_at(rows, 0), psb_rows_at(rows, 1), psb_spec_row_bytes(spec));
    assert_null(psb_collection_file(models, 3));
    assert_null(psb_collection_id(models, 3));
    psb_rows_free(rows);
    psb_collection_free(models);
    psb_spec_free(spec);
    psb_context_free(own);
    for (size_t i = 0; i < 3; i++) {
        free(files[i]);
    }
}

static void collections_name_rows(void **state) {
    (void)state;
    psb_error error;
    psb_collection *models;
    psb_rows *rows;
    psb_spec *spec = spec_of("SHELLS");
    psb_collection_options of = {.cla = "one.cla", .labels = "another.csv"};
    wants(psb_collection_open(psb, &of, &models, &error), PSB_ERROR_USAGE, &error, "collection");
    wants(psb_collection_open(psb, NULL, &models, &error), PSB_ERROR_USAGE, &error, "collection");
    test_write("set.cla", cla, sizeof cla - 1);
    of = (psb_collection_options){.cla = test_path("set.cla")};
    assert_int_equal(psb_collection_open(psb, &of, &models, &error), PSB_OK);
    assert_int_equal(psb_collection_count(models), 3);
    assert_int_equal(psb_collection_class_of(models, 2), 1);
    assert_true(psb_collection_class_of(models, 3) == PSB_NONE);
    assert_string_equal(psb_collection_class_name(models, 1), "up___down");
    assert_null(psb_collection_class_name(models, psb_collection_classes(models)));
    wants(psb_describe_all(psb, models, spec, &rows, &error), PSB_ERROR_USAGE, &error,
          "without the models' files");

    /* The names beside a file tell which row is whose. */
    const char *const turned[] = {"c", "a", "b"};
    float values[] = {1, 2, 3};
    assert_int_equal(psb_rows_new(values, 3, 1, PSB_FLOAT32, turned, &rows, &error), PSB_OK);
    assert_int_equal(psb_rows_write(rows, test_path("rows.npy"), &error), PSB_OK);
    psb_rows_free(rows);
    assert_int_equal(psb_rows_read(psb, test_path("rows.npy"), models, &rows, &error), PSB_OK);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(psb_rows_name(rows, i), turned[i]);
    }
    psb_rows_free(rows);
    assert_int_equal(psb_rows_new(values, 2, 1, PSB_FLOAT32, NULL, &rows, &error), PSB_OK);
    assert_int_equal(psb_rows_write(rows, test_path("two.npy"), &error), PSB_OK);
    psb_rows_free(rows);
    wants(psb_rows_read(psb, test_path("two.npy"), models, &rows, &error), PSB_ERROR_INPUT, &error,
          "rows of 2 models, but");
    psb_collection_free(models);
    psb_spec_free(spec);
}

/* ---- units of one's own ------------------------------------------------------------------ */

static size_t own_length(void *context, const double *parameters) {
    (void)context;
    return (size_t)parameters[0];
}

/* The number of vertices, `context`, then zeros; with the second parameter NAN or a failure. */
static psb_status own_compute(void *context, psb_shape *shape, const double *parameters, void *row,
                              psb_error *error) {
    float *to = row;
    memset(to, 0, (size_t)parameters[0] * sizeof *to);
    to[0] = (float)psb_shape_mesh(shape)->nvertices;
    to[1] = *(const float *)context;
    to[2] = parameters[1] > 0 ? NAN : 0;
    if (parameters[1] > 1) {
        snprintf(error->message, sizeof error->message, "as was asked for");
        return PSB_ERROR_INPUT;
    }
    return PSB_OK;
}

static double own_distance(void *context, const void *a, const void *b, size_t length) {
    (void)length;
    double d = fabs((double)((const float *)a)[1] - (double)((const float *)b)[1]);
    return *(const float *)context * d;
}

static void own_units_are_like_built_in_ones(void **state) {
    (void)state;
    float seven = 7, factor = 2;
    const psb_parameter parameters[] = {{"length", 3, 0, 10}, {"wrong", 0, 0, 2}};
    psb_own_metric metric = {"second", PSB_FLOAT32, 1, own_distance, &factor};
    psb_own_descriptor own = {.name = "Mine",
                              .parameters = parameters,
                              .nparameters = 2,
                              .metric = "second",
                              .length = own_length,
                              .compute = own_compute,
                              .context = &seven};
    psb_error error;
    wants(psb_add_descriptor(psb, &own, &error), PSB_ERROR_USAGE, &error, "no metric 'second'");
    assert_int_equal(psb_add_metric(psb, &metric, &error), PSB_OK);
    wants(psb_add_metric(psb, &metric, &error), PSB_ERROR_USAGE, &error, "exists already");
    own.element = PSB_UINT8;
    wants(psb_add_descriptor(psb, &own, &error), PSB_ERROR_USAGE, &error, "takes no uint8 rows");
    own.element = PSB_FLOAT32;
    own.metric = "lfd";
    wants(psb_add_descriptor(psb, &own, &error), PSB_ERROR_USAGE, &error, "takes no float32 rows");
    own.metric = "second";
    assert_int_equal(psb_add_descriptor(psb, &own, &error), PSB_OK);
    wants(psb_add_descriptor(psb, &own, &error), PSB_ERROR_USAGE, &error, "exists already");
    own.name = "shd";
    wants(psb_add_descriptor(psb, &own, &error), PSB_ERROR_USAGE, &error, "exists already");
    own.name = "a,b";
    wants(psb_add_descriptor(psb, &own, &error), PSB_ERROR_USAGE, &error, "no name");
    own.nparameters = PSB_MOST_PARAMETERS + 1;
    wants(psb_add_descriptor(psb, &own, &error), PSB_ERROR_USAGE, &error, "8 parameters");

    psb_spec *none, *spec = spec_of("mine:length=4");
    assert_string_equal(psb_spec_label(spec), "Mine:length=4");
    wants(psb_spec_open(psb, "Mine:length=0", &none, &error), PSB_ERROR_USAGE, &error, "0 numbers");
    wants(psb_spec_open(psb, "nobody", &none, &error), PSB_ERROR_USAGE, &error, ", Mine");
    psb_shape *shape;
    float row[2][4], d;
    assert_int_equal(psb_shape_open(psb, &shape, &error), PSB_OK);
    assert_int_equal(psb_shape_load(shape, &tetrahedron, "t", &error), PSB_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(psb_describe(shape, spec, row[i], sizeof row[i], &error), PSB_OK);
        seven = 9;
    }
    assert_float_equal(row[0][0], 4, 0);
    assert_int_equal(psb_distance(spec, row[0], row[1], sizeof row[0], &d, &error), PSB_OK);
    assert_float_equal(d, 4, 0);
    factor = -1;
    wants(psb_distance(spec, row[0], row[1], sizeof row[0], &d, &error), PSB_ERROR_INPUT, &error,
          "not finite");
    psb_spec_free(spec);
    spec = spec_of("Mine:wrong=1,length=4");
    wants(psb_describe(shape, spec, row[0], sizeof row[0], &error), PSB_ERROR_INPUT, &error,
          "number 2 of the row is not finite");
    psb_spec_free(spec);
    spec = spec_of("Mine:wrong=2,length=4");
    wants(psb_describe(shape, spec, row[0], sizeof row[0], &error), PSB_ERROR_INPUT, &error,
          "as was asked for");
    psb_spec_free(spec);
    psb_shape_free(shape);
}

static const char three[] = "PSB 1\n1 3\n\nany 0 3\na\nb\nc\n";

/* The rows of folder "revised" and those that the context's descriptor makes now, in every place
 * where both may be named. */
static void refuses_two_revisions(psb_context *context, psb_run_options run, const char *classes) {
    char older[PATH_MAX], newer[PATH_MAX], pair[2 * PATH_MAX];
    psb_rows *rows[2];
    psb_matrix *matrix;
    psb_methods *methods;
    psb_run_result result;
    psb_error error;
    const char *folder = run.folder;
    snprintf(newer, sizeof newer, "%s", test_path("renewed"));
    run.folder = newer;
    assert_int_equal(psb_run(context, &run, &result, &error), PSB_OK);
    psb_run_free(&result);
    snprintf(older, sizeof older, "%s/features/Mine.npy", folder);
    snprintf(newer, sizeof newer, "%s/features/Mine.npy", test_path("renewed"));
    assert_int_equal(psb_rows_read(context, older, NULL, &rows[0], &error), PSB_OK);
    assert_int_equal(psb_rows_read(context, newer, NULL, &rows[1], &error), PSB_OK);
    wants(psb_distances_between(context, rows[0], rows[1], NULL, &matrix, &error), PSB_ERROR_INPUT,
          &error, "revision 1");
    assert_int_equal(psb_distances_between(context, rows[1], rows[1], NULL, &matrix, &error),
                     PSB_OK);
    psb_matrix_free(matrix);
    wants(psb_search(context, rows[1], rows[0], NULL, test_path("found"), &error), PSB_ERROR_INPUT,
          &error, "revision 2");
    const psb_search_stage stage = {.queries = rows[0], .database = rows[1]};
    const psb_search_options short_rows = {.stages = &stage, .nstages = 1};
    wants(psb_search(context, rows[1], rows[1], &short_rows, test_path("found"), &error),
          PSB_ERROR_INPUT, &error, "revision 1");
    snprintf(pair, sizeof pair, "%s,%s", older, newer);
    const char *files[] = {pair};
    test_write("targets.cla", three, sizeof three - 1);
    const psb_methods_options of = {.queries = classes,
                                    .targets = test_path("targets.cla"),
                                    .files = files,
                                    .nfiles = 1,
                                    .metric = "l2"};
    wants(psb_methods_open(context, &of, &methods, &error), PSB_ERROR_INPUT, &error, "revision 2");
    psb_generative_row row;
    const psb_metric *l2 = psb_metric_find("l2");
    psb_generative_job generated = {.options = {.sets = {older, newer}, .memory = 1 << 28},
                                    .metrics = &l2,
                                    .nmetrics = 1,
                                    .threads = 1};
    wants(psb_generative_compare(&generated, &row, &failures, &error), PSB_ERROR_INPUT, &error,
          "revision 2");
    generated.options.sets[0] = newer;
    assert_int_equal(psb_generative_compare(&generated, &row, &failures, &error), PSB_OK);
    psb_rows_free(rows[0]);
    psb_rows_free(rows[1]);
}

/* A query's row and the run's are compared only where one revision made both. */
static void queries_are_of_the_revision_of_the_rows(void **state) {
    (void)state;
    float seven = 7;
    const psb_parameter parameters[] = {{"length", 3, 0, 10}, {"wrong", 0, 0, 2}};
    psb_own_descriptor own = {.name = "Mine",
                              .parameters = parameters,
                              .nparameters = 2,
                              .metric = "l2",
                              .length = own_length,
                              .compute = own_compute,
                              .context = &seven};
    char folder[512], classes[512], model[512], models[512];
    snprintf(folder, sizeof folder, "%s", test_path("revised"));
    snprintf(classes, sizeof classes, "%s", test_path("revised.cla"));
    snprintf(models, sizeof models, "%s", test_path("three"));
    snprintf(model, sizeof model, "%s", test_path("three/a.off"));
    assert_int_equal(mkdir(models, 0777), 0);
    test_write("revised.cla", three, sizeof three - 1);
    test_write("three/a.off", off, sizeof off - 1);
    test_write("three/b.off", off, sizeof off - 1);
    test_write("three/c.off", off, sizeof off - 1);
    for (own.revision = 1; own.revision <= 2; own.revision++) {
        psb_context_options options = {.threads = 1};
        psb_context *context;
        psb_error error;
        psb_run_result result;
        const psb_query_options query = {.run = folder, .model = model};
        char *text;
        assert_int_equal(psb_context_new(&options, &context, &error), PSB_OK);
        assert_int_equal(psb_add_descriptor(context, &own, &error), PSB_OK);
        const psb_run_options run = {.data = {.classes_of = classes, .models = models},
                                     .descriptors = "Mine",
                                     .folder = folder};
        if (own.revision == 1) {
            assert_int_equal(psb_run(context, &run, &result, &error), PSB_OK);
            psb_run_free(&result);
            assert_int_equal(psb_query(context, &query, &text, &error), PSB_OK);
            free(text);
        } else {
            wants(psb_query(context, &query, &text, &error), PSB_ERROR_INPUT, &error, "revision 2");
            refuses_two_revisions(context, run, classes);
        }
        psb_context_free(context);
    }
}

static void nothing_may_be_freed(void **state) {
    (void)state;
    psb_context_free(NULL);
    psb_mesh_free(NULL);
    psb_spec_free(NULL);
    psb_shape_free(NULL);
    psb_collection_free(NULL);
    psb_rows_free(NULL);
    psb_matrix_free(NULL);
    psb_methods_free(NULL);
    psb_evaluation_free(NULL);
}

/* Two classes of three, told apart by the one and by nothing in the other matrix. */
static psb_methods *two_methods(psb_collection **models, psb_matrix *matrices[2]) {
    static const char six[] = "PSB 1\n2 6\na 0 3\n1\n2\n3\nb 0 3\n4\n5\n6\n";
    float d[2][36];
    psb_methods *methods;
    psb_error error;
    for (int i = 0; i < 36; i++) {
        int a = i / 6, b = i % 6;
        d[0][i] = a == b ? 0.0F : a / 3 == b / 3 ? 1.0F : 2.0F;
        d[1][i] = a == b ? 0.0F : a % 2 == b % 2 ? 1.0F : 2.0F;
    }
    test_write("six.cla", six, sizeof six - 1);
    assert_int_equal(psb_collection_open(psb,
                                         &(psb_collection_options){.cla = test_path("six.cla")},
                                         models, &error),
                     PSB_OK);
    assert_int_equal(
        psb_methods_open(psb, &(psb_methods_options){.models = *models}, &methods, &error), PSB_OK);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(psb_matrix_new(d[k], 6, NULL, &matrices[k], &error), PSB_OK);
    }
    return methods;
}

static void evaluations_say_what_they_have_not(void **state) {
    (void)state;
    psb_collection *models;
    psb_matrix *matrices[2], *small;
    psb_error error;
    psb_evaluation *e;
    char *text;
    psb_methods *methods = two_methods(&models, matrices);
    wants(psb_evaluate(psb, methods, NULL, &e, &error), PSB_ERROR_USAGE, &error, "no method");
    assert_null(e);
    assert_int_equal(psb_matrix_new((float[]){0, 1, 1, 0}, 2, NULL, &small, &error), PSB_OK);
    wants(psb_methods_add_matrix(methods, small, "small", &error), PSB_ERROR_USAGE, &error, "2");
    psb_matrix_free(small);
    assert_int_equal(psb_methods_add_matrix(methods, matrices[0], "good", &error), PSB_OK);
    wants(psb_evaluate(psb, methods, &(psb_evaluate_options){.measures = "nonesuch"}, &e, &error),
          PSB_ERROR_USAGE, &error, "nonesuch");
    assert_int_equal(psb_methods_add_matrix(methods, matrices[1], "bad", &error), PSB_OK);
    assert_int_equal(
        psb_evaluate(psb, methods, &(psb_evaluate_options){.measures = "first_tier"}, &e, &error),
        PSB_OK);
    const psb_group all = {PSB_MICRO, 0};
    assert_true(psb_evaluation_mean(e, 0, 0, all).value == 1);
    assert_true(psb_evaluation_mean(e, 1, 0, all).value < 0.5);
    const psb_group wrong[] = {{PSB_PER_MODEL, 6},        {PSB_PER_CLASS, 3},
                               {PSB_SUBTREE, SIZE_MAX},   {(psb_grouping)17, 0},
                               {PSB_PER_CLASS, SIZE_MAX}, {(psb_grouping)-1, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_true(isnan(psb_evaluation_mean(e, 0, 0, wrong[i]).value));
        psb_group next = wrong[i];
        next.which -= next.which == SIZE_MAX; /* where a loop begins */
        assert_false(psb_group_next(e, &next));
    }
    assert_true(isnan(psb_evaluation_mean(e, 2, 0, all).value));
    assert_true(isnan(psb_evaluation_mean(e, 0, 1, all).value));
    assert_true(isnan(psb_evaluation_value(e, 0, 0, 6)));
    assert_null(psb_evaluation_label(e, 2));
    assert_null(psb_evaluation_measure(e, 1));
    assert_int_equal(psb_evaluation_find_measure(e, psb_evaluation_measure(e, 0)), 0);
    assert_int_equal(psb_evaluation_find_measure(e, "ERR"), SIZE_MAX);
    assert_int_equal(psb_evaluation_find_measure(e, "map"), SIZE_MAX);
    wants(psb_evaluation_text(e, PSB_MICRO, &text, &error), PSB_ERROR_USAGE, &error,
          "five figures");
    wants(psb_evaluation_table(e, PSB_MICRO, true, "docx", &text, &error), PSB_ERROR_USAGE, &error,
          "docx");
    wants(psb_evaluation_table(e, (psb_grouping)17, true, NULL, &text, &error), PSB_ERROR_USAGE,
          &error, "grouping");
    wants(psb_loss_table(e, PSB_MICRO, false, NULL, &text, &error), PSB_ERROR_USAGE, &error,
          "ranked lists");
    psb_comparison pair;
    assert_int_equal(psb_compare(psb, e, NULL, &pair, &error), PSB_OK);
    assert_true(pair.difference > 0 && pair.low <= pair.difference);
    psb_evaluation_free(e);
    assert_int_equal(psb_evaluate(psb, methods, NULL, &e, &error), PSB_OK);
    wants(psb_compare(psb, e, NULL, &pair, &error), PSB_ERROR_USAGE, &error, "one measure");
    psb_evaluation_free(e);
    psb_methods_free(methods);
    for (int k = 0; k < 2; k++) {
        psb_matrix_free(matrices[k]);
    }
    psb_collection_free(models);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_may_be_freed),
        cmocka_unit_test(evaluations_say_what_they_have_not),
        cmocka_unit_test(contexts_and_specs_that_cannot_be),
        cmocka_unit_test(shapes_without_a_model),
        cmocka_unit_test(openblas_has_as_many_threads_as_before),
        cmocka_unit_test(rows_that_cannot_be),
        cmocka_unit_test(wrapped_rows_are_the_callers),
        cmocka_unit_test(names_with_classes_are_a_collection),
        cmocka_unit_test(matrices_that_cannot_be),
        cmocka_unit_test(one_distance_is_the_matrix_entry),
        cmocka_unit_test(a_matrix_written_in_strips_is_the_same_file),
        cmocka_unit_test(models_that_fail_are_left_out),
        cmocka_unit_test(collections_name_rows),
        cmocka_unit_test(own_units_are_like_built_in_ones),
        cmocka_unit_test(queries_are_of_the_revision_of_the_rows),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
