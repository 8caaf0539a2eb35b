/* Tests that feature files in NumPy's own spelling are read and written, and others refused by
 * name. */
#include "io/npy.h"
#include "io/npz.h"
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
        "{'descr': '|u1', 'fortran_order': False, 'shape': (2L, 3L), }\n", /* Python 2 */
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

#define NOT_NPY "t.npy: not a .npy file, as NumPy and `psbench describe -o` write it"

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
    refuses(test_write("t.npy", "", 0), NOT_NPY);
    refuses(test_write("t.npy", "\x93NUMPY\1", 7), NOT_NPY);
    refuses(test_write("t.npy", "PK\3\4 numpy.savez writes this", 28), NOT_NPY);
    refuses(test_write("t.npy", "\x93NUMPY\1\0\xff\xff{}", 12),
            "t.npy: a header of 65535 bytes, but only 2 bytes are left");
    refuses(test_write("t.npy", "\x93NUMPY\2\0\xff\xff\xff\xff", 12),
            "t.npy: a header of 4294967295 bytes, but only 0 bytes are left");
    refuses(test_write("t.npy", "\x93NUMPY\2\0\1\0\0", 11), "t.npy: the file ends in its header");
    refuses(npy_file(4, "{}", "", 0), "t.npy: version 4.0 of .npy, but only 1.0 to 3.0 are read");
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
    static const char *const types[] = {"<c8", "<U5", "|O", "<f16", "<f1", "<M8", "?"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        char header[128], message[128];
        snprintf(header, sizeof header, "{'descr': '%s', " ORDER SHAPE "}", types[i]);
        snprintf(message, sizeof message,
                 "t.npy: elements of type '%s', but only numbers of at most 8 bytes are read",
                 types[i]);
        refuses_header(header, message);
    }
    refuses_header("{'descr': [('a', '<f4')], " ORDER SHAPE "}",
                   "t.npy: damaged .npy header: no plain element type");
    refuses_header("{'descr': '<f4\x1b[2J', " ORDER SHAPE "}",
                   "t.npy: damaged .npy header: no plain element type");
    refuses_header("{" TYPE "'fortran_order': 0, " SHAPE "}",
                   "t.npy: damaged .npy header: no True or False behind 'fortran_order'");
    refuses_header("{" TYPE ORDER "'shape': (), }",
                   "t.npy: an array of 0 dimensions, but only 1, 2 and N x K x 3 are read");
    refuses_header("{" TYPE ORDER "'shape': (1, 3, 2), }",
                   "t.npy: an array of 3 dimensions, but only 1, 2 and N x K x 3 are read");
    refuses_header("{" TYPE ORDER "'shape': 6, }",
                   "t.npy: damaged .npy header: no '(' behind 'shape'");
    refuses_header("{" TYPE ORDER "'shape': (2 3), }",
                   "t.npy: damaged .npy header: no ')' behind the sizes in 'shape'");
    refuses_header("{" TYPE ORDER "'shape': (-2, -3), }",
                   "t.npy: damaged .npy header: no sizes in 'shape'");
    refuses_header("{" TYPE ORDER "'shape': (2, -1), }",
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
    const unsigned char half[] = {0, 0x7c}; /* infinity */
    refuses(npy_file(1, "{'descr': '<f2', 'fortran_order': False, 'shape': (1, 1)}", half, 2),
            "t.npy: row 0, column 0 is inf, not a finite number");
}

/* 2 x 3 numbers in a type, in both byte orders, both orders of axes and at any byte of the file. */
static void every_type_is_read(void **state) {
    (void)state;
    static const float expected[2][6] = {{1, 0, 5, 0, 3, 127}, {-1.5F, 0, 0.25F, 1024, -3, 0.5F}};
    static const struct {
        const char *type;
        size_t bytes;
        bool fractions; /* the second numbers, else the first */
        uint64_t bits[6];
    } types[] = {
        {"i1", 1, false, {1, 0, 5, 0, 3, 127}},
        {"i2", 2, false, {1, 0, 5, 0, 3, 127}},
        {"i8", 8, false, {1, 0, 5, 0, 3, 127}},
        {"u4", 4, false, {1, 0, 5, 0, 3, 127}},
        {"f2", 2, true, {0xbe00, 0, 0x3400, 0x6400, 0xc200, 0x3800}},
        {"f4", 4, true, {0xbfc00000, 0, 0x3e800000, 0x44800000, 0xc0400000, 0x3f000000}},
        {"f8",
         8,
         true,
         {0xbff8000000000000, 0, 0x3fd0000000000000, 0x4090000000000000, 0xc008000000000000,
          0x3fe0000000000000}},
    };
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        for (unsigned how = 0; how < 8; how++) {
            bool big = how & 1, fortran = how & 2;
            unsigned char data[48];
            char header[128];
            for (size_t i = 0; i < 6; i++) {
                uint64_t bits = types[t].bits[fortran ? i % 2 * 3 + i / 2 : i];
                for (size_t k = 0; k < types[t].bytes; k++) {
                    size_t at = big ? types[t].bytes - 1 - k : k;
                    data[i * types[t].bytes + at] = (unsigned char)(bits >> 8 * k);
                }
            }
            snprintf(header, sizeof header, "{'descr': '%c%s', 'fortran_order': %s, " SHAPE "}%s",
                     big ? '>' : '<', types[t].type, fortran ? "True" : "False",
                     how & 4 ? " " : "");
            psb_npy npy;
            psb_error error;
            if (psb_npy_read(npy_file(1, header, data, 6 * types[t].bytes), &npy, &error) !=
                PSB_OK) {
                fail_msg("%s: %s", header, error.message);
            }
            assert_int_equal(npy.element, PSB_FLOAT32);
            assert_memory_equal(npy.data, expected[types[t].fractions], sizeof expected[0]);
            psb_npy_close(&npy);
        }
    }
    psb_npy npy; /* bytes stay bytes, and one dimension is one row */
    const char *path = npy_file(1, "{" TYPE "'fortran_order': True, " SHAPE "}", "adbecf", 6);
    assert_int_equal(psb_npy_read(path, &npy, NULL), PSB_OK);
    assert_memory_equal(npy.data, "abcdef", 6);
    psb_npy_close(&npy);
    path = npy_file(1, "{" TYPE ORDER "'shape': (6,), }", "abcdef", 6);
    assert_int_equal(psb_npy_read(path, &npy, NULL), PSB_OK);
    assert_true(npy.rows == 1 && npy.columns == 6);
    psb_npy_close(&npy);
    const unsigned char minus[] = {0x80, 0xff};
    path = npy_file(1, "{'descr': '|i1', " ORDER "'shape': (1, 2), }", minus, 2);
    assert_int_equal(psb_npy_read(path, &npy, NULL), PSB_OK);
    assert_memory_equal(npy.data, ((const float[]){-128, -1}), 2 * sizeof(float));
    psb_npy_close(&npy);
}

/* What zipfile.writestr("a.npy", ...) leaves: a stored member with b"hello", and the same twice. */
static void archives_are_read(void **state) {
    (void)state;
    static const unsigned char one[] =
        "PK\3\4\x14\0\0\0\0\0\0\0\x21\0\x86\xa6\x10\x36\5\0\0\0\5\0\0\0\5\0\0\0a.npyhello"
        "PK\1\2\x14\3\x14\0\0\0\0\0\0\0\x21\0\x86\xa6\x10\x36\5\0\0\0\5\0\0\0\5\0\0\0\0\0\0\0\0"
        "\0\0\0\x80\1\0\0\0\0a.npy"
        "PK\5\6\0\0\0\0\1\0\1\0\x33\0\0\0\x28\0\0\0\0";
    size_t size, length = sizeof one;
    void *bytes;
    psb_error error;
    assert_int_equal(psb_npz_parse("a.npz", one, length, NULL, &bytes, &size, &error), PSB_OK);
    assert_int_equal(size, 5);
    assert_memory_equal(bytes, "hello", 5);
    free(bytes);
    assert_int_equal(psb_npz_parse("a.npz", one, length, "a", &bytes, &size, &error), PSB_OK);
    free(bytes);
    assert_int_equal(psb_npz_parse("a.npz", one, length, "b", &bytes, &size, &error),
                     PSB_ERROR_USAGE);
    assert_non_null(strstr(error.message, "has no array 'b'; it has a"));
    unsigned char damaged[sizeof one];
    for (size_t i = 0; i < length; i++) { /* any byte changed: another text is never given */
        memcpy(damaged, one, length);
        damaged[i] ^= 0x11;
        if (psb_npz_parse("a.npz", damaged, length, NULL, &bytes, &size, NULL) == PSB_OK) {
            assert_int_equal(size, 5);
            assert_memory_equal(bytes, "hello", 5);
            free(bytes);
        }
        assert_int_not_equal(psb_npz_parse("a.npz", one, length - 1 - i, NULL, &bytes, &size, NULL),
                             PSB_OK);
    }
    assert_true(psb_npz_is("x/rows.npz"));
    assert_false(psb_npz_is("absent.npz/rows"));
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
                assert_true(npy.rows * npy.columns <= 6);
                assert_true(npy.converted != NULL ||
                            (const char *)npy.data + npy.rows * npy.columns ==
                                npy.input.data + npy.input.size);
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

/* Each text is the rows 1 -2.5 3 and 0.25 5e3 6, with these names. */
static void texts_of_rows_are_read(void **state) {
    (void)state;
    static const float expected[] = {1, -2.5F, 3, 0.25F, 5000, 6};
    static const struct {
        const char *text, *names;
    } texts[] = {
        {"1 -2.5 3\n0.25 5e3 6\n", ""},
        {"# x y z\n 1.000e+00  -2.5 3 \r\n\r\n.25 5000 6", ""},
        {"1\t-2.5\t3\n0.25\t5e3\t6\n", ""},
        {"\xef\xbb\xbf"
         "1,-2.5,3\n0.25,5e3,6\n",
         ""},
        {"1;-2.5;3\n0.25;5e3;6\n", ""},
        {"sep=;\na;b;c\n1;-2.5;3\n0.25;5e3;6\n", ""},
        {"a|b|c\n1|-2.5|3\n0.25|5e3|6\n", ""},
        {"0,1,2\n1,-2.5,3\n0.25,5e3,6\n", ""},            /* pandas, without its index */
        {",0,1,2\n0,1,-2.5,3\n1,0.25,5e3,6\n", "0\n1\n"}, /* with it */
        {",f0,f1,f2\nm1,1,-2.5,3\nm2,0.25,5e3,6\n", "m1\nm2\n"},
        {"id,f0,f1,f2\n7,1,-2.5,3\n8,0.25,5e3,6\n", "7\n8\n"},
        {"shape,0,1,2\nx,1,-2.5,3\ny,0.25,5e3,6\n", "x\ny\n"}, /* pandas, its index named */
        {"shape,f0,f1,f2\nx,1,-2.5,3\ny,0.25,5e3,6\n", "x\ny\n"},
        {"a 1 -2.5 3\nb 0.25 5e3 6\n", "a\nb\n"},
        {"\"V1\" \"V2\" \"V3\"\n\"1\" 1 -2.5 3\n\"2\" 0.25 5e3 6\n", "1\n2\n"}, /* R */
        {"id,x,y,z\n\"a b\",1,-2.5,3\nc,0.25,5e3,6\n", "a%20b\nc\n"},
    };
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        psb_npy npy;
        const char *path = test_write("rows.txt", texts[t].text, strlen(texts[t].text));
        assert_int_equal(psb_npy_read(path, &npy, NULL), PSB_OK);
        assert_int_equal(npy.rows, 2);
        assert_int_equal(npy.columns, 3);
        assert_memory_equal(npy.data, expected, sizeof expected);
        assert_string_equal(npy.names.length > 0 ? npy.names.data : "", texts[t].names);
        psb_npy_close(&npy);
    }
}

static void faults_of_texts_are_named(void **state) {
    (void)state;
    static const char *const texts[][2] = {
        {"1,2\n3,4,5\n", ":2: row 1 has 3 fields, expected 2"},
        {"1,2\n3,nan\n", ":2: row 1, column 1 is 'nan', not a finite number"},
        {"nan,nan,nan\n1,2,3\n", ":1: row 0, column 0 is 'nan', not a finite number"},
        {"1,2\n3,1e39\n", ":2: row 1, column 1 is '1e39', beyond the range of float32"},
        {"id,a,b\nx,1,\n", ":2: row 0, column 1 is '', not a finite number"},
        {"id,class,a\nx,chair,1\n", ":1: column 'class' is of classes, not a feature"},
        {",0.5,1\n2,3,4\n", ":1: row 0, column 0 is '', not a finite number"},
        {"a,b,c\n1,2\n", ":2: 2 fields, but the first row names 3 columns"},
        {"a,b\n", ": no rows of numbers"},
        {"# psbench search: k=1\n1 2 3\n", ": lists of `psbench search`"},
        {"0.5;1,5\n2;3,5\n", "write decimals with a point"},
        {"0,7\n1,3\n2,4\n", ": column 0 is 0, 1, ..., the numbers of the rows"},
        {"7,1,3\n3,2,5\n4,3,8\n5,4,2\n", ": column 1 is 1, 2, ..., the numbers of the rows"},
        {"7,1\n3,9\n4,2\n5,8\n6,3\n7,7\n8,4\n9,6\n5,5\n1,20\n2,10\n1,19\n"
         "4,11\n4,18\n4,12\n4,17\n4,13\n4,16\n4,14\n4,15\n4,21\n",
         ": column 1 is 1, 2, ... in another order, the numbers of the rows"},
    };
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        psb_npy npy;
        psb_error error;
        const char *path = test_write("rows.csv", texts[t][0], strlen(texts[t][0]));
        assert_int_equal(psb_npy_read(path, &npy, &error), PSB_ERROR_INPUT);
        assert_non_null(strstr(error.message, texts[t][1]));
        assert_null(npy.data);
    }
}

/* Numbers of rows are refused in arrays as in texts, but a few in another order may be counts. */
static void numbers_of_rows(void **state) {
    (void)state;
    static const struct {
        size_t rows;
        float first[21];
        const char *words;
    } all[] = {
        {3, {0, 1, 2}, NULL},
        {9, {0, 1, 2, 3, 4, 5, 6, 7, 8}, ": column 1 is 0, 1, ..., the numbers"},
        {10, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, ": column 1 is 1, 2, ..., the numbers"},
        {21,
         {3, 1, 4, 0, 5, 9, 2, 6, 8, 7, 20, 10, 19, 11, 18, 12, 17, 13, 16, 14, 15},
         ": column 1 is 0, 1, ... in another order, the n"},
        {10, {3, 1, 4, 0, 5, 9, 2, 6, 8, 7}, NULL},
        {21, {3, 1, 4, 0, 5, 9, 2, 6, 8, 8, 20, 10, 19, 11, 18, 12, 17, 13, 16, 14, 15}, NULL},
        {21, {3, 1, 4, 0, 5, 9, 2, 6, 8, 22, 20, 10, 19, 11, 18, 12, 17, 13, 16, 14, 15}, NULL},
        {21, {3, 1, 4, 0, 5, 9, 2, 6, 8, 7.5F, 20, 10, 19, 11, 18, 12, 17, 13, 16, 14, 15}, NULL},
        {10, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, NULL},
    };
    for (size_t t = 0; t < 2 * (sizeof all / sizeof all[0]); t++) {
        const size_t n = all[t / 2].rows;
        const bool bytes = t % 2 == 1;
        float rows[42] = {0};
        unsigned char small[42] = {0};
        for (size_t i = 0; i < n; i++) {
            rows[2 * i + 1] = all[t / 2].first[i];
            small[2 * i + 1] = (unsigned char)rows[2 * i + 1];
        }
        psb_npy npy;
        psb_error error = {0};
        const char *path = test_path("places.npy");
        const psb_element element = bytes ? PSB_UINT8 : PSB_FLOAT32;
        const void *data = bytes ? (const void *)small : rows;
        assert_int_equal(psb_npy_write(path, data, n, 2, element, NULL), PSB_OK);
        if (all[t / 2].words == NULL || bytes) {
            assert_int_equal(psb_npy_read(path, &npy, &error), PSB_OK);
            psb_npy_close(&npy);
        } else {
            assert_int_equal(psb_npy_read(path, &npy, &error), PSB_ERROR_INPUT);
            assert_non_null(strstr(error.message, all[t / 2].words));
        }
    }
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
        cmocka_unit_test(every_type_is_read),
        cmocka_unit_test(archives_are_read),
        cmocka_unit_test(damage_is_survived),
        cmocka_unit_test(what_is_no_file_is_refused),
        cmocka_unit_test(texts_of_rows_are_read),
        cmocka_unit_test(faults_of_texts_are_named),
        cmocka_unit_test(numbers_of_rows),
    };
    return cmocka_run_group_tests(tests, NULL, clean_up);
}
