/* Tests distance matrices: the bytes of the benchmark's format, and which files are refused. */
#include "io/matrix.h"
#include "support/files.h"
#include "support/test.h"

static void writes_and_reads_the_same_bytes(void **state) {
    (void)state;
    const float data[9] = {0.0F, 1.0F, 2.5F, 1.0F, 0.0F, 3.4028235e38F, 1e-45F, 7.0F, -0.0F};
    const char *path = test_path("three.matrix");
    assert_int_equal(psb_matrix_write_data(path, data, 3, NULL), PSB_OK);
    psb_matrix matrix;
    assert_int_equal(psb_matrix_read(path, 3, &matrix, NULL), PSB_OK);
    assert_int_equal(matrix.n, 3);
    assert_memory_equal(matrix.data, data, sizeof data);
    psb_matrix_close(&matrix);
    psb_matrix_close(&matrix);
    assert_null(matrix.data);
}

/* 1.0 is 00 00 80 3f: little-endian, row after row, and nothing before. */
static void the_bytes_are_little_endian(void **state) {
    (void)state;
    const float data[4] = {0.0F, 1.0F, 2.0F, 0.0F};
    const char *path = test_path("two.matrix");
    assert_int_equal(psb_matrix_write_data(path, data, 2, NULL), PSB_OK);
    size_t size;
    char *bytes = test_read(path, &size);
    assert_int_equal(size, 16);
    assert_memory_equal(bytes, "\0\0\0\0\0\0\x80\x3f\0\0\0\x40\0\0\0\0", 16);
    free(bytes);
}

static void refuses(const void *data, size_t size, size_t n, const char *message) {
    const char *path = test_write("bad.matrix", data, size);
    psb_matrix matrix;
    psb_error error;
    assert_int_equal(psb_matrix_read(path, n, &matrix, &error), PSB_ERROR_INPUT);
    assert_string_equal(test_without_folder(error.message, path), message);
    assert_null(matrix.data);
    assert_int_equal(psb_matrix_read(path, n, &matrix, NULL), PSB_ERROR_INPUT);
}

#define OTHERS "; give a matrix of these models, or the classes of its own"
#define FORM   ": write it as .npy, or as little-endian float32, row after row"

static void wrong_sizes_are_named(void **state) {
    (void)state;
    static const char zeros[64] = {0};
    refuses(zeros, 64, 3, "bad.matrix: 64 bytes: a matrix of 4 x 4 models, expected 3 x 3" OTHERS);
    refuses(zeros, 36, 4, "bad.matrix: 36 bytes: a matrix of 3 x 3 models, expected 4 x 4" OTHERS);
    refuses(zeros, 35, 3,
            "bad.matrix: 35 bytes, not a square matrix of float32; expected 3 x 3" FORM);
    refuses(zeros, 37, 3,
            "bad.matrix: 37 bytes, not a square matrix of float32; expected 3 x 3" FORM);
    refuses(zeros, 8, 2,
            "bad.matrix: 8 bytes, not a square matrix of float32; expected 2 x 2" FORM);
    refuses(zeros, 0, 1,
            "bad.matrix: 0 bytes, not a square matrix of float32; expected 1 x 1" FORM);
    /* 4 n^2 is 0 modulo 2^64: the product must not be trusted. */
    refuses(zeros, 0, (size_t)1 << 31,
            "bad.matrix: 0 bytes, not a square matrix of float32; expected 2147483648 x "
            "2147483648" FORM);
    refuses(zeros, 64, SIZE_MAX,
            "bad.matrix: 64 bytes: a matrix of 4 x 4 models, expected 18446744073709551615 x "
            "18446744073709551615" OTHERS);
}

static void bad_entries_are_named(void **state) {
    (void)state;
    float data[9] = {0};
    data[5] = NAN;
    refuses(data, sizeof data, 3,
            "bad.matrix: row 1, column 2 is nan: a distance is finite and not negative");
    data[5] = INFINITY;
    refuses(data, sizeof data, 3,
            "bad.matrix: row 1, column 2 is inf: a distance is finite and not negative");
    data[5] = 0.0F;
    data[8] = -1e-45F;
    refuses(data, sizeof data, 3,
            "bad.matrix: row 2, column 2 is -1.4013e-45: a distance is finite and not negative; "
            "write similarities as 1 - s");
}

/* Distances like the light field's: whole numbers, which stay finite and positive when turned. */
static void the_other_byte_order_is_refused(void **state) {
    (void)state;
    float data[9];
    for (size_t i = 0; i < 9; i++) {
        float distance = (float)(100 * (i + 1) * (i % 4 != 0));
        unsigned char bytes[4];
        memcpy(bytes, &distance, 4);
        unsigned char turned[4] = {bytes[3], bytes[2], bytes[1], bytes[0]};
        memcpy(&data[i], turned, 4);
    }
    refuses(data, sizeof data, 3,
            "bad.matrix: 6 of 6 distances lie between 0 and 1.17549e-38, as whole numbers do in "
            "the other byte order; expected little-endian float32");
}

static void what_is_no_file_is_refused(void **state) {
    (void)state;
    psb_matrix matrix;
    assert_int_equal(psb_matrix_read(test_folder(), 1, &matrix, NULL), PSB_ERROR_IO);
    assert_int_equal(psb_matrix_read(test_path("absent"), 1, &matrix, NULL), PSB_ERROR_IO);
    float one = 0.0F;
    assert_int_equal(psb_matrix_write_data(test_path("no/folder"), &one, 1, NULL), PSB_ERROR_IO);
}

static int clean_up(void **state) {
    (void)state;
    test_folder_remove();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_and_reads_the_same_bytes),
        cmocka_unit_test(the_bytes_are_little_endian),
        cmocka_unit_test(wrong_sizes_are_named),
        cmocka_unit_test(bad_entries_are_named),
        cmocka_unit_test(the_other_byte_order_is_refused),
        cmocka_unit_test(what_is_no_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, clean_up);
}
