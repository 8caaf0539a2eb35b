/* Feature files: NumPy's own spelling is read and written, anything else refused by its name. */
#include "io/npy.h"
#include "support/files.h"
#include "support/test.h"

/* Writes prefix, header and data as a file of the given version. */
static const char *npy_file(int version, const char *header, const void *data, size_t size) {
    static char bytes[4096];
    size_t length = strlen(header);
    size_t used = version == 1 ? 10 : 12;
    memcpy(bytes, "\x93NUMPY\0\0\0\0\0\0", 12);
    bytes[6] = (char)version;
    bytes[8] = (char)(length & 255);
    bytes[9] = (char)(length >> 8);
    memcpy(bytes + used, header, length);
    memcpy(bytes + used + length, data, size);
    return test_write("t.npy", bytes, used + length + size);
}

static void writes_and_reads(psb_element element, const void *data, size_t rows, size_t columns) {
    size_t bytes = rows * columns * (element == PSB_UINT8 ? 1 : 4);
    const char *path = test_path("round.npy");
    assert_int_equal(psb_npy_write(path, data, rows, columns, element, NULL), PSB_OK);
    psb_npy npy;
    assert_int_equal(psb_npy_read(path, &npy, NULL), PSB_OK);
    assert_int_equal(npy.rows, rows);
    assert_int_equal(npy.columns, columns);
    assert_int_equal(npy.element, element);
    assert_memory_equal(npy.data, data, bytes);
    assert_int_equal(((const char *)npy.data - npy.input.data) % 64, 0);
    psb_npy_close(&npy);
    psb_npy_close(&npy);
    assert_null(npy.data);
}

static void round_trips(void **state) {
    (void)state;
    const float floats[6] = {0.0F, -1.5F, 3.4028235e38F, -3.4028235e38F, 1e-45F, -0.0F};
    const unsigned char whole[6] = {0, 1, 2, 127, 128, 255};
    writes_and_reads(PSB_FLOAT32, floats, 2, 3);
    writes_and_reads(PSB_FLOAT32, floats, 1, 1);
    writes_and_reads(PSB_FLOAT32, floats, 6, 1);
    writes_and_reads(PSB_UINT8, whole, 3, 2);
    writes_and_reads(PSB_UINT8, whole, 1, 5);
}

/* Byte for byte what numpy.save writes for a 2 x 3 array of float32. */
static void writes_what_numpy_writes(void **state) {
    (void)state;
    const float data[6] = {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F};
    const char *path = test_path("numpy.npy");
    assert_int_equal(psb_npy_write(path, data, 2, 3, PSB_FLOAT32, NULL), PSB_OK);
    size_t size;
    char *bytes = test_read(path, &size);
    char expected[152];
    memset(expected, ' ', 128);
    memcpy(expected, "\x93NUMPY\1\0\x76\0", 10);
    static const char header[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    memcpy(expected + 10, header, sizeof header - 1);
    expected[127] = '\n';
    memcpy(expected + 128, data, sizeof data);
    assert_int_equal(size, sizeof expected);
    assert_memory_equal(bytes, expected, size);
    free(bytes);
}

static void reads_other_spellings(void **state) {
    (void)state;
    static const char *const headers[] = {
        "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }\n",
        "{'shape': (2, 3), 'fortran_order': False, 'descr': '|u1'}",
        "{\"descr\":\"|u1\",\"fortran_order\":False,\"shape\":(2,3)}",
        "{ 'descr' : '|u1' , 'fortran_order' : False , 'shape' : ( 2 , 3 , ) , }     \n",
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        for (int version = 1; version <= 2; version++) {
            psb_npy npy;
            psb_error error;
            if (psb_npy_read(npy_file(version, headers[i], "abcdef", 6), &npy, &error) != PSB_OK) {
                fail_msg("%s: %s", headers[i], error.message);
            }
            assert_int_equal(npy.rows, 2);
            assert_int_equal(npy.columns, 3);
            assert_int_equal(npy.element, PSB_UINT8);
            assert_memory_equal(npy.data, "abcdef", 6);
            psb_npy_close(&npy);
        }
    }
}

static void refuses(const char *path, const char *message) {
    psb_npy npy;
    psb_error error = {0};
    if (psb_npy_read(path, &npy, &error) != PSB_ERROR_INPUT ||
        strcmp(test_without_folder(error.message, path), message) != 0) {
        fail_msg("'%s', expected '%s'", error.message, message);
    }
    assert_null(npy.data);
    assert_null(npy.input.data);
    assert_int_equal(psb_npy_read(path, &npy, NULL), PSB_ERROR_INPUT);
}

static void refuses_header(const char *header, const char *message) {
    refuses(npy_file(1, header, "abcdef", 6), message);
}

#define TYPE  "'descr': '|u1', "
#define ORDER "'fortran_order': False, "
#define SHAPE "'shape': (2, 3), "

static void damaged_headers_are_named(void **state) {
    (void)state;
    refuses(test_write("t.npy", "", 0), "t.npy: not a .npy file");
    refuses(test_write("t.npy", "\x93NUMPY\1", 7), "t.npy: not a .npy file");
    refuses(test_write("t.npy", "PK\3\4 numpy.savez writes this", 28), "t.npy: not a .npy file");
    refuses(test_write("t.npy", "\x93NUMPY\1\0\xff\xff{}", 12),
            "t.npy: a header of 65535 bytes, but only 2 bytes are left");
    refuses(test_write("t.npy", "\x93NUMPY\2\0\xff\xff\xff\xff", 12),
            "t.npy: a header of 4294967295 bytes, but only 0 bytes are left");
    refuses(test_write("t.npy", "\x93NUMPY\2\0\1\0\0", 11), "t.npy: the file ends in its header");
    refuses(npy_file(4, "{}", "", 0), "t.npy: version 4.0 of .npy, but only 1.0 and 2.0 are read");
    refuses_header("", "t.npy: damaged .npy header: no '{'");
    refuses_header("{", "t.npy: damaged .npy header: no key");
    refuses_header("{}", "t.npy: damaged .npy header: no key");
    refuses_header("{" TYPE ORDER "}", "t.npy: damaged .npy header: no key");
    refuses_header("{" TYPE TYPE SHAPE "}",
                   "t.npy: damaged .npy header: 'descr' is unknown or occurs twice");
    refuses_header("{" TYPE ORDER "'size': (2, 3)}",
                   "t.npy: damaged .npy header: 'size' is unknown or occurs twice");
    refuses_header("{" TYPE ORDER SHAPE "'more': 1}",
                   "t.npy: damaged .npy header: no '}' behind three entries");
    refuses_header("{" TYPE ORDER SHAPE "} x", "t.npy: damaged .npy header: no end behind '}'");
    refuses_header("{" TYPE ORDER SHAPE, "t.npy: damaged .npy header: no '}' behind three entries");
    refuses_header("{'descr': '|u1' " ORDER SHAPE "}",
                   "t.npy: damaged .npy header: no ',' between entries");
    refuses_header("{'descr", "t.npy: damaged .npy header: no key");
    refuses_header("{'\x1b[2J': 1}", "t.npy: damaged .npy header: no key");
}

static void other_arrays_are_named(void **state) {
    (void)state;
    refuses_header("{'descr': '<i8', " ORDER SHAPE "}",
                   "t.npy: elements of type '<i8', but only '<f4', '<f8' and '|u1' are read");
    refuses_header("{'descr': '>f4', " ORDER SHAPE "}",
                   "t.npy: elements of type '>f4', but only '<f4', '<f8' and '|u1' are read");
    refuses_header("{'descr': [('a', '<f4')], " ORDER SHAPE "}",
                   "t.npy: damaged .npy header: no plain element type");
    refuses_header("{'descr': '<f4\x1b[2J', " ORDER SHAPE "}",
                   "t.npy: damaged .npy header: no plain element type");
    refuses_header("{" TYPE "'fortran_order': True, " SHAPE "}",
                   "t.npy: the array is in Fortran order, but only C order is read");
    refuses_header("{" TYPE "'fortran_order': 0, " SHAPE "}",
                   "t.npy: damaged .npy header: no True or False behind 'fortran_order'");
    refuses_header("{" TYPE ORDER "'shape': (), }",
                   "t.npy: an array of 0 dimensions, but only 2 are read");
    refuses_header("{" TYPE ORDER "'shape': (6,), }",
                   "t.npy: an array of 1 dimensions, but only 2 are read");
    refuses_header("{" TYPE ORDER "'shape': (1, 2, 3), }",
                   "t.npy: an array of 3 dimensions, but only 2 are read");
    refuses_header("{" TYPE ORDER "'shape': 6, }",
                   "t.npy: damaged .npy header: no '(' behind 'shape'");
    refuses_header("{" TYPE ORDER "'shape': (2 3), }",
                   "t.npy: damaged .npy header: no ')' behind the sizes in 'shape'");
    refuses_header("{" TYPE ORDER "'shape': (-2, -3), }",
                   "t.npy: damaged .npy header: no sizes in 'shape'");
    refuses_header("{" TYPE ORDER "'shape': (2, 99999999999999999999), }",
                   "t.npy: damaged .npy header: no sizes in 'shape'");
    refuses_header("{" TYPE ORDER "'shape': (0, 3), }", "t.npy: an empty array: 0 x 3");
    refuses_header("{" TYPE ORDER "'shape': (2, 0), }", "t.npy: an empty array: 2 x 0");
}

static void sizes_have_to_fit(void **state) {
    (void)state;
    refuses_header("{" TYPE ORDER "'shape': (2, 4), }",
                   "t.npy: 2 x 4 elements of 1 bytes, but 6 bytes follow the header");
    refuses_header("{" TYPE ORDER "'shape': (1, 5), }",
                   "t.npy: 1 x 5 elements of 1 bytes, but 6 bytes follow the header");
    /* 6 modulo 2^64 */
    refuses_header("{" TYPE ORDER "'shape': (11, 1676976733973595602), }",
                   "t.npy: 11 x 1676976733973595602 elements of 1 bytes, but 6 bytes follow the "
                   "header");
    refuses_header("{'descr': '<f4', " ORDER "'shape': (4611686018427387904, 4), }",
                   "t.npy: 4611686018427387904 x 4 elements of 4 bytes, but 6 bytes follow the "
                   "header");
}

static void numbers_are_finite(void **state) {
    (void)state;
    static const char header[] =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }    \n";
    assert_int_equal((sizeof header - 1 + 10) % 4, 2);
    char padded[sizeof header + 2];
    snprintf(padded, sizeof padded, "%s  ", header);
    float data[6] = {0};
    data[4] = NAN;
    refuses(npy_file(1, padded, data, sizeof data),
            "t.npy: row 1, column 1 is nan, not a finite number");
    data[4] = -INFINITY;
    refuses(npy_file(1, padded, data, sizeof data),
            "t.npy: row 1, column 1 is -inf, not a finite number");
    data[4] = 0.0F;
    refuses(npy_file(1, header, data, sizeof data),
            "t.npy: the data begin at byte 74, which is no multiple of 4");
}

/* Cut anywhere, or with any byte of the header changed, it is refused or still two-dimensional. */
static void damage_is_survived(void **state) {
    (void)state;
    const unsigned char data[6] = {1, 2, 3, 4, 5, 6};
    assert_int_equal(psb_npy_write(test_path("whole.npy"), data, 2, 3, PSB_UINT8, NULL), PSB_OK);
    size_t size;
    char *bytes = test_read(test_path("whole.npy"), &size);
    psb_npy npy;
    for (size_t cut = 0; cut < size; cut++) {
        const char *path = test_write("cut.npy", bytes, cut);
        assert_int_equal(psb_npy_read(path, &npy, NULL), PSB_ERROR_INPUT);
    }
    for (size_t i = 0; i < 70; i++) {
        char kept = bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            bytes[i] = (char)(kept ^ (1 << bit));
            if (psb_npy_read(test_write("bit.npy", bytes, size), &npy, NULL) == PSB_OK) {
                assert_int_equal(
                    npy.rows * npy.columns * (npy.element == PSB_UINT8 ? 1 : 4),
                    (size_t)(npy.input.data + npy.input.size - (const char *)npy.data));
                psb_npy_close(&npy);
            }
        }
        bytes[i] = kept;
    }
    free(bytes);
}

static void what_is_no_file_is_refused(void **state) {
    (void)state;
    psb_npy npy;
    assert_int_equal(psb_npy_read(test_folder(), &npy, NULL), PSB_ERROR_IO);
    assert_int_equal(psb_npy_read(test_path("absent.npy"), &npy, NULL), PSB_ERROR_IO);
    assert_int_equal(psb_npy_write(test_path("no/folder"), "x", 1, 1, PSB_UINT8, NULL),
                     PSB_ERROR_IO);
}

static int clean_up(void **state) {
    (void)state;
    test_folder_remove();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(writes_what_numpy_writes),
        cmocka_unit_test(reads_other_spellings),
        cmocka_unit_test(damaged_headers_are_named),
        cmocka_unit_test(other_arrays_are_named),
        cmocka_unit_test(sizes_have_to_fit),
        cmocka_unit_test(numbers_are_finite),
        cmocka_unit_test(damage_is_survived),
        cmocka_unit_test(what_is_no_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, clean_up);
}
