/* Tests that text from data files stays text in HTML, scripts and links. */
#include "report/markup.h"
#include "support/test.h"

static void expect(void (*markup)(psb_text *, const char *), const char *text, const char *wanted) {
    psb_text out = {0};
    markup(&out, text);
    assert_false(out.failed);
    assert_string_equal(out.data != NULL ? out.data : "", wanted);
    psb_text_free(&out);
}

#define REPLACED "\xef\xbf\xbd"

static void html(void **state) {
    (void)state;
    expect(psb_markup_text, "", "");
    expect(psb_markup_text, "<b a='1' c=\"2\">&amp;",
           "&#60;b a=&#39;1&#39; c=&#34;2&#34;&#62;&#38;amp;");
    expect(psb_markup_text, "St\xc3\xbchle \xf0\x9f\xaa\x91", "St\xc3\xbchle \xf0\x9f\xaa\x91");
}

static void bytes_that_are_no_text(void **state) {
    (void)state;
    expect(psb_markup_text,
           "a\xff"
           "b",
           "a" REPLACED "b");
    expect(psb_markup_text, "\xc3", REPLACED);                           /* ends too early */
    expect(psb_markup_text, "\xc3<", REPLACED "&#60;");                  /* swallows nothing */
    expect(psb_markup_text, "\xc0\xbc", REPLACED REPLACED);              /* '<' the long way */
    expect(psb_markup_text, "\xed\xa0\x80", REPLACED REPLACED REPLACED); /* half of a pair */
    expect(psb_markup_text, "\xf4\x8f\xbf\xbd", "\xf4\x8f\xbf\xbd");     /* of the last plane */
    expect(psb_markup_text, "\xf4\x90\x80\x80", REPLACED REPLACED REPLACED REPLACED);
    expect(psb_markup_text, "a\nb\x7f", "a\\u000ab\\u007f");
    expect(psb_markup_text, "\xc2\x85", "\\u0085"); /* a control character beyond ASCII */
}

static void directions(void **state) {
    (void)state;
    /* An override is shown, and turns nothing round. */
    expect(psb_markup_text, "\xe2\x80\xaelive", "\\u202elive");
    expect(psb_markup_text, "a\xe2\x80\x8f", "a\\u200f");
    expect(psb_markup_text, "\xef\xbb\xbfx", "\\ufeffx");
    /* Hebrew, Arabic and Adlam are isolated; what is written from left to right stays as it is. */
    expect(psb_markup_text, "\xd7\xa9", "\xe2\x81\xa8\xd7\xa9\xe2\x81\xa9");
    expect(psb_markup_string, "x \xd8\xb4", "\"\xe2\x81\xa8x \xd8\xb4\xe2\x81\xa9\"");
    expect(psb_markup_text, "\xf0\x9e\xa4\x80", "\xe2\x81\xa8\xf0\x9e\xa4\x80\xe2\x81\xa9");
    expect(psb_markup_text, "\xe6\xa4\x85\xe2\x80\x8d", "\xe6\xa4\x85\xe2\x80\x8d");
    /* Text that ends an isolate ends none of ours. */
    expect(psb_markup_text, "\xd7\xa9\xe2\x81\xa9", "\xe2\x81\xa8\xd7\xa9\\u2069\xe2\x81\xa9");
}

static void scripts(void **state) {
    (void)state;
    expect(psb_markup_string, "</script>", "\"\\u003c/script\\u003e\"");
    expect(psb_markup_string, "a\\\"b'", "\"a\\u005c\\u0022b\\u0027\"");
    expect(psb_markup_string, "\xe2\x80\xa8|\xe2\x80\xa9", "\"\\\\u2028|\\\\u2029\"");
    expect(psb_markup_string, "\n", "\"\\\\u000a\""); /* shown, not obeyed */
}

static void links(void **state) {
    (void)state;
    expect(psb_markup_link, "GEDT-width=2", "GEDT-width%3D2");
    expect(psb_markup_link, "a b/../c?d#e\xc3\xbc%", "a%20b%2F..%2Fc%3Fd%23e%C3%BC%25");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(html),       cmocka_unit_test(bytes_that_are_no_text),
        cmocka_unit_test(directions), cmocka_unit_test(scripts),
        cmocka_unit_test(links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
