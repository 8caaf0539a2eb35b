/* Tests text to numbers: the same double as from strtod, int64 limits, and strictness. */
#include "core/number.h"
#include "core/random.h"
#include "psbench.h"
#include "support/files.h"
#include "support/test.h"

#include <locale.h>

static const char *const not_numbers[] = {
    "",    " ",    "+",        "-",   ".",   "-.",  "e5", ".e5", "x", "nan", "NaN", "inf",
    "INF", "-inf", "infinity", "--1", "+-1", "- 1", " 1", ",5",  "#", "\n",  "_1",
};

static void is_double(const char *text, double expected, size_t used) {
    const char *p = text;
    double value = -77.0;
    if (!psb_scan_double(&p, text + strlen(text), &value) || p != text + used ||
        memcmp(&value, &expected, sizeof value) != 0) {
        fail_msg("'%.60s' scans as %.17g up to byte %td, expected %.17g up to %zu", text, value,
                 p - text, expected, used);
    }
    char *within; /* where more text follows, numbers are read eight bytes at a time */
    assert_true(asprintf(&within, "%s 12345678", text) > 0);
    p = within;
    if (!psb_scan_double(&p, within + strlen(within), &value) || p != within + used ||
        memcmp(&value, &expected, sizeof value) != 0) {
        fail_msg("'%.60s' within a text scans as %.17g up to byte %td", within, value, p - within);
    }
    free(within);
}

/* Appends up to `most` random digits. */
static char *digits(char *p, psb_random *random, uint64_t most) {
    for (uint64_t n = psb_random_below(random, most + 1); n > 0; n--) {
        *p++ = (char)('0' + psb_random_below(random, 10));
    }
    return p;
}

/* Decimals of many shapes: short and long, with and without point and exponent, near the limits. */
static void random_decimal(psb_random *random, char *text) {
    static const uint64_t lengths[] = {1, 3, 9, 17, 19, 22, 40, 330};
    static const int spreads[] = {3, 22, 40, 330};
    char *p = text;
    if (psb_random_below(random, 3) == 0) {
        *p++ = psb_random_below(random, 2) ? '-' : '+';
    }
    uint64_t kind = psb_random_below(random, 8);
    p = digits(p, random, lengths[psb_random_below(random, kind == 0 ? 8 : 5)]);
    if (psb_random_below(random, 2)) {
        *p++ = '.';
        p = digits(p, random, lengths[psb_random_below(random, kind == 1 ? 8 : 5)]);
    }
    *p++ = (char)('0' + psb_random_below(random, 10));
    if (psb_random_below(random, 2)) {
        int spread = spreads[psb_random_below(random, 4)];
        int exponent = (int)psb_random_below(random, (uint64_t)(2 * spread + 1)) - spread;
        *p++ = psb_random_below(random, 2) ? 'e' : 'E';
        p += psb_random_below(random, 2) ? snprintf(p, 16, "%d", exponent)
                                         : snprintf(p, 16, "%+05d", exponent);
    }
    *p = '\0';
}

static void random_decimals_are_rounded_as_strtod_does(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(1, "number", "test");
    for (int i = 0; i < 200000; i++) {
        char text[1024];
        random_decimal(&random, text);
        is_double(text, strtod(text, NULL), strlen(text));
    }
}

/* Up to 19 digits with powers of ten from -27 to 27: quotients and products of whole numbers. */
static void long_decimals_are_rounded_as_strtod_does(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(4, "number", "long");
    for (int i = 0; i < 200000; i++) {
        char text[64];
        int exponent = (int)psb_random_below(&random, 57) - 28;
        uint64_t mantissa = psb_random_u64(&random) >> psb_random_below(&random, 20);
        if (psb_random_below(&random, 4) == 0) { /* half way between two doubles */
            exponent = 0;
            mantissa = (((psb_random_u64(&random) >> 11) | 1) << psb_random_below(&random, 11)) |
                       (psb_random_below(&random, 8) == 0);
        }
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)mantissa, exponent);
        is_double(text, strtod(text, NULL), strlen(text));
    }
}

static void every_double_reads_back(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(2, "number", "test");
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = psb_random_u64(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) {
            char text[64];
            int n = i % 2 ? snprintf(text, sizeof text, "%.17g", value)
                          : snprintf(text, sizeof text, "%.16e", value);
            is_double(text, value, (size_t)n);
        }
    }
}

/* Halfway between two doubles, and one digit to either side of it, however far behind. */
static void halfway_cases(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(3, "number", "test");
    for (int i = 0; i < 500; i++) {
        uint64_t whole = (UINT64_C(1) << 53) + 2 * psb_random_below(&random, UINT64_C(1) << 51);
        char text[1200];
        int n = snprintf(text, sizeof text, "%llu", (unsigned long long)whole + 1);
        double even = whole % 4 == 0 ? (double)whole : (double)(whole + 2);
        is_double(text, even, (size_t)n);
        int zeros = (int)psb_random_below(&random, 1000);
        n += snprintf(text + n, sizeof text - (size_t)n, ".%0*d1", zeros + 1, 0);
        is_double(text, (double)(whole + 2), (size_t)n);
        n = snprintf(text, sizeof text, "%llu.", (unsigned long long)whole);
        memset(text + n, '9', (size_t)zeros + 1);
        text[n + zeros + 1] = '\0';
        is_double(text, (double)whole, (size_t)(n + zeros + 1));
    }
}

static void limits_of_double(void **state) {
    (void)state;
    is_double("1.7976931348623157e308", 1.7976931348623157e308, 22);
    is_double("1e309", INFINITY, 5);
    is_double("-1e309", -INFINITY, 6);
    is_double("1e999999999999999999999", INFINITY, 23);
    is_double("1e-999999999999999999999", 0.0, 24);
    is_double("-1e-999999999999999999999", -0.0, 25);
    is_double("0e999999999999999999999", 0.0, 23);
    is_double("4.9406564584124654e-324", 4.9406564584124654e-324, 23);
    is_double("2.4703282292062327e-324", 0.0, 23);
    is_double("2.2250738585072011e-308", 2.2250738585072011e-308, 23);
    is_double("-0", -0.0, 2);
    is_double("9007199254740993", 9007199254740992.0, 16);
    is_double("1e22", 1e22, 4);
    is_double("1e23", 1e23, 4);
}

/* Zeros in front of, behind and around the point move the exponent, not the value. */
static void zeros_do_not_count(void **state) {
    (void)state;
    static char text[5000];
    const size_t many = 3000;
    memset(text, '0', many);
    snprintf(text + many, 100, "12.5");
    is_double(text, 12.5, many + 4);
    snprintf(text, 3, "0.");
    memset(text + 2, '0', many);
    snprintf(text + 2 + many, 100, "125e%zu", many + 2);
    is_double(text, 12.5, strlen(text));
    snprintf(text, 4, "125");
    memset(text + 3, '0', many);
    snprintf(text + 3 + many, 100, "e-%zu", many + 1);
    is_double(text, 12.5, strlen(text));
}

static void scanning_stops_where_the_number_ends(void **state) {
    (void)state;
    is_double("12x", 12.0, 2);
    is_double("12.5.1", 12.5, 4);
    is_double("1e", 1.0, 1);
    is_double("1e+", 1.0, 1);
    is_double("1e+x", 1.0, 1);
    is_double("1.e2", 100.0, 4);
    is_double("1.", 1.0, 2);
    is_double(".5", 0.5, 2);
    is_double("0x10", 0.0, 1);
    is_double("1,5", 1.0, 1);
    is_double("1 2", 1.0, 1);
    is_double("1_000", 1.0, 1);
    is_double("1d5", 1.0, 1);
    /* The end is where the caller says, whatever stands behind it. */
    const char text[] = "123e5";
    const char *p = text;
    double value;
    assert_true(psb_scan_double(&p, text + 2, &value));
    assert_true(value == 12.0 && p == text + 2);
    p = text;
    assert_true(psb_scan_double(&p, text + 4, &value));
    assert_true(value == 123.0 && p == text + 3);
    assert_false(psb_scan_double(&p, p, &value));
}

static void what_is_no_number_leaves_the_text(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof not_numbers / sizeof *not_numbers; i++) {
        const char *p = not_numbers[i];
        double real = 7.0;
        int64_t whole = 7;
        assert_false(psb_scan_double(&p, p + strlen(p), &real));
        assert_false(psb_scan_int64(&p, p + strlen(p), &whole));
        assert_ptr_equal(p, not_numbers[i]);
        assert_true(real == 7.0 && whole == 7);
        assert_false(psb_parse_double(p, &real));
        assert_false(psb_parse_int64(p, &whole));
    }
}

static void is_int64(const char *text, int64_t expected, size_t used) {
    const char *p = text;
    int64_t value = -77;
    assert_true(psb_scan_int64(&p, text + strlen(text), &value));
    assert_int_equal(p - text, used);
    assert_true(value == expected);
    char within[2048];
    snprintf(within, sizeof within, "%s 12345678", text);
    p = within;
    assert_true(psb_scan_int64(&p, within + strlen(within), &value));
    assert_true(value == expected && p == within + used);
}

static void limits_of_int64(void **state) {
    (void)state;
    is_int64("0", 0, 1);
    is_int64("-0", 0, 2);
    is_int64("+12", 12, 3);
    is_int64("12x", 12, 2);
    is_int64("1.5", 1, 1);
    is_int64("1e3", 1, 1);
    is_int64("9223372036854775807", INT64_MAX, 19);
    is_int64("-9223372036854775808", INT64_MIN, 20);
    is_int64("0000000000000000000000000000009223372036854775807", INT64_MAX, 49);
    static const char *const beyond[] = {
        "9223372036854775808",  "-9223372036854775809", "9999999999999999999",
        "18446744073709551616", "18446744073709551617", "100000000000000000000000",
    };
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        const char *p = beyond[i];
        int64_t value = 7;
        assert_false(psb_scan_int64(&p, p + strlen(p), &value));
        assert_false(psb_parse_int64(beyond[i], &value));
        assert_ptr_equal(p, beyond[i]);
        assert_true(value == 7);
    }
}

static void parsing_takes_the_whole_text(void **state) {
    (void)state;
    double real = 7.0;
    int64_t whole = 7;
    assert_false(psb_parse_double("12x", &real));
    assert_false(psb_parse_double("12 ", &real));
    assert_false(psb_parse_double("1e999", &real));
    assert_false(psb_parse_int64("8x", &whole));
    assert_false(psb_parse_int64("8 ", &whole));
    assert_false(psb_parse_int64("8.0", &whole));
    assert_true(real == 7.0 && whole == 7);
    assert_true(psb_parse_double("-1.25e1", &real) && real == -12.5);
    assert_true(psb_parse_int64("-8", &whole) && whole == -8);
}

/* Compiles the locale "comma" into test_folder(): a decimal comma, and ASCII. The C library's
 * programs have localedef; what it makes locales and alphabets from may not be there, so both are
 * written here. */
static void compile_locale(void) {
    static const char source[] = "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\n"
                                 "grouping -1\nEND LC_NUMERIC\n";
    char ascii[4096] = "<code_set_name> ASCII\n<comment_char> %\n<escape_char> /\nCHARMAP\n";
    size_t used = strlen(ascii);
    for (int c = 0; c < 128; c++) {
        used += (size_t)snprintf(ascii + used, sizeof ascii - used, "<U%04X> /x%02x x\n", c, c);
    }
    used += (size_t)snprintf(ascii + used, sizeof ascii - used, "END CHARMAP\n");
    char compile[2048];
    snprintf(compile, sizeof compile, "localedef -c -i '%s' -f '%s' '%s' >/dev/null 2>&1",
             test_write("comma.src", source, sizeof source - 1), test_write("ascii", ascii, used),
             test_path("comma"));
    int code = system(compile); /* never 0: most of a locale is missing, and need not be there */
    assert_int_not_equal(code, -1);
}

/* Where the locale writes 1,5, a file's 1.5 must still be 1.5, on the slow path too. */
static void the_locale_does_not_matter(void **state) {
    (void)state;
    compile_locale();
    setenv("LOCPATH", test_folder(), 1);
    if (setlocale(LC_NUMERIC, "comma") == NULL) {
        print_message("localedef makes no locale with a decimal comma\n");
        skip();
    }
    assert_string_equal(localeconv()->decimal_point, ",");
    is_double("1.5", 1.5, 3);
    is_double("1,5", 1.0, 1);
    is_double("0.1234567890123456789012345", 0.1234567890123456789012345, 27);
    is_double("1.5e300", 1.5e300, 7);
    /* The numbers of glTF's JSON are cJSON's. */
    psb_mesh mesh;
    assert_int_equal(psb_mesh_read("tests/data/gltf_good/fractions.gltf", &mesh, NULL), PSB_OK);
    assert_true(mesh.vertices[0] == 0.5 && mesh.vertices[1] == 0.125);
    psb_mesh_free(&mesh);
    setlocale(LC_NUMERIC, "C");
    test_folder_remove();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_decimals_are_rounded_as_strtod_does),
        cmocka_unit_test(long_decimals_are_rounded_as_strtod_does),
        cmocka_unit_test(every_double_reads_back),
        cmocka_unit_test(halfway_cases),
        cmocka_unit_test(limits_of_double),
        cmocka_unit_test(zeros_do_not_count),
        cmocka_unit_test(scanning_stops_where_the_number_ends),
        cmocka_unit_test(what_is_no_number_leaves_the_text),
        cmocka_unit_test(limits_of_int64),
        cmocka_unit_test(parsing_takes_the_whole_text),
        cmocka_unit_test(the_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
