/* Tests words, numbers and lines of a text, and what messages show of it. */
#include "core/random.h"
#include "core/scan.h"
#include "support/test.h"

static psb_scan scan_of(const char *text) {
    return (psb_scan){.path = "t", .begin = text, .at = text, .end = text + strlen(text)};
}

static void words_and_numbers_follow_one_another(void **state) {
    (void)state;
    psb_scan s = scan_of("\n word  WORDY 12 -3.5e1\t\r\nlast");
    int64_t integer = 0;
    double number;
    assert_true(psb_scan_next(&s) && !psb_scan_word(&s, "wor") && psb_scan_word(&s, "Word"));
    assert_true(psb_scan_next_on_line(&s) && !psb_scan_word(&s, "word"));
    assert_false(psb_scan_number(&s, &number));
    psb_scan_skip_token(&s);
    assert_true(psb_scan_next_on_line(&s) && psb_scan_integer(&s, &integer) && integer == 12);
    assert_true(psb_scan_next_on_line(&s) && !psb_scan_integer(&s, &integer));
    assert_true(psb_scan_number(&s, &number) && number == -35.0);
    assert_false(psb_scan_next_on_line(&s));
    assert_true(psb_scan_next(&s) && psb_scan_take(&s, "la") && psb_scan_word(&s, "st"));
    assert_false(psb_scan_next(&s));
}

static void comments_reach_to_the_end_of_the_line(void **state) {
    (void)state;
    psb_scan s = scan_of("1#2\n#3 4\n5");
    int64_t value;
    s.comment = '#';
    assert_true(psb_scan_next(&s) && psb_scan_integer(&s, &value) && value == 1);
    assert_false(psb_scan_next_on_line(&s));
    assert_true(psb_scan_next(&s) && psb_scan_integer(&s, &value) && value == 5);
    /* Where nothing is a comment, NUL is a character like any other. */
    const char nul[] = "a\0b c";
    psb_scan t = {.begin = nul, .at = nul, .end = nul + 5};
    psb_scan_skip_token(&t);
    assert_ptr_equal(t.at, nul + 3);
}

static void lines_are_joined_by_a_backslash(void **state) {
    (void)state;
    static const char text[] = "1 \\\n2\\\r\n 3 \\4 \\";
    psb_scan s = scan_of(text);
    int64_t value;
    s.continued = true;
    for (int64_t i = 1; i <= 3; i++) {
        assert_true(psb_scan_next_on_line(&s) && psb_scan_integer(&s, &value) && value == i);
    }
    assert_true(psb_scan_next_on_line(&s) && *s.at == '\\');
    assert_int_equal(psb_scan_line(&s), 3);
    psb_scan_skip_token(&s);
    assert_false(psb_scan_next(&s));
    s = scan_of(text);
    s.continued = true;
    psb_scan_skip_line(&s);
    assert_ptr_equal(s.at, s.end);
    /* Elsewhere it is a character like any other. */
    s = scan_of("1 \\\n2");
    assert_true(psb_scan_next_on_line(&s) && psb_scan_integer(&s, &value));
    assert_true(psb_scan_next_on_line(&s));
}

/* What a loop over usual numbers reads, and where it stops, is what the general reader reads there.
 */
static void usual_numbers_are_read_as_any_are(void **state) {
    (void)state;
    static const char bytes[] = "00123456789..--+ee   \t\n\r#/\\";
    psb_random random = psb_random_seeded(1, "text", "usual numbers");
    size_t taken = 0;
    for (int round = 0; round < 200000; round++) {
        char text[40];
        size_t length = 1 + (size_t)psb_random_below(&random, sizeof text - 1);
        for (size_t i = 0; i < length; i++) {
            text[i] = bytes[psb_random_below(&random, sizeof bytes - 1)];
        }
        text[0] = ' ';
        psb_scan quick = {.begin = text, .at = text, .end = text + length, .comment = '#'};
        quick.continued = round % 2 == 0;
        psb_scan slow = quick;
        double numbers[3], number = 0;
        int n = psb_scan_usual_numbers(&quick, 3, numbers);
        for (int k = 0; k < n; k++) {
            assert_true(psb_scan_next_on_line(&slow) && psb_scan_number(&slow, &number));
            assert_memory_equal(&number, &numbers[k], sizeof number);
        }
        assert_ptr_equal(quick.at, slow.at);
        int64_t usual = 0, integer = 0;
        const char *at = slow.at;
        if (psb_scan_usual_integer(&slow, &at, &usual)) {
            assert_true(psb_scan_next_on_line(&slow) && psb_scan_integer(&slow, &integer));
            assert_int_equal(usual, integer);
            taken++;
        }
        assert_ptr_equal(at, slow.at);
        taken += (size_t)n;
    }
    assert_true(taken > 1000);
    psb_scan usual = scan_of(" 0.5 -1.25 3.0000001 17 8 8");
    double numbers[3];
    int64_t integer = 0;
    assert_int_equal(psb_scan_usual_numbers(&usual, 3, numbers), 3);
    assert_true(numbers[0] == 0.5 && numbers[1] == -1.25 && numbers[2] == 3.0000001);
    assert_true(psb_scan_next_on_line(&usual) && psb_scan_integer(&usual, &integer) &&
                integer == 17);
}

static void lines_are_counted_whatever_ends_them(void **state) {
    (void)state;
    psb_scan s = scan_of("1\n2\r\n3\r4\n\n \n");
    for (unsigned long line = 1; line <= 4; line++) {
        assert_true(psb_scan_next(&s));
        assert_int_equal(psb_scan_line(&s), line);
        psb_scan_skip_token(&s);
    }
    assert_false(psb_scan_next(&s));
    assert_int_equal(psb_scan_line(&s), 4);
    s.begin = NULL;
    assert_int_equal(psb_scan_line(&s), 0);
}

static void messages_show_what_a_terminal_bears(void **state) {
    (void)state;
    psb_error error;
    psb_scan s = scan_of("\n\x1b[2J\xc3\xa4 next");
    s.error = &error;
    psb_scan_next(&s);
    assert_int_equal(psb_scan_fail_token(&s, "good"), PSB_ERROR_INPUT);
    assert_string_equal(error.message, "t:2: '?[2J\?\?' is not good");
    s = scan_of("0123456789012345678901234567890123456789");
    assert_string_equal(psb_scan_quote(&s).text, "0123456789012345678901234567...");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_numbers_follow_one_another),
        cmocka_unit_test(comments_reach_to_the_end_of_the_line),
        cmocka_unit_test(lines_are_joined_by_a_backslash),
        cmocka_unit_test(usual_numbers_are_read_as_any_are),
        cmocka_unit_test(lines_are_counted_whatever_ends_them),
        cmocka_unit_test(messages_show_what_a_terminal_bears),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
