/* Tests the hashes that allow inline scripts, against the examples of FIPS 180-4 and others. */
#include "site/policy.h"
#include "support/test.h"

static void expect(const char *data, size_t size, const char *wanted) {
    psb_text out = {0};
    psb_policy_add_hash(&out, data, size);
    assert_string_equal(out.data, wanted);
    psb_text_free(&out);
}

static void known_hashes(void **state) {
    (void)state;
    static char many[1000];
    memset(many, 'a', sizeof many);
    expect("", 0, " 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
    expect("abc", 3, " 'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='");
    expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
           " 'sha256-JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE='");
    expect(many, 55, " 'sha256-n0OQ+NMMLdkuyfCVtl4rmumwqSWlJY4kHJ8ekQ9zQxg='");
    expect(many, 63, " 'sha256-fT50oF19sVvOStnsBljqmOPwbu7PFrTG//LaRX3cLzQ='");
    expect(many, 64, " 'sha256-/+BU/nrgy23GXDr5th1SCfQ5hR20PQulmXM33xVGaOs='");
    expect(many, 65, " 'sha256-Y1NhxIu56rFBmOduqKt/GkFoXWrWKqkUbTAdTxfrCuA='");
    expect(many, 119, " 'sha256-MeulHDE6XAgiat8Y1KNZz9/Y0ugWsT9K+VL36mWE3Ps='");
    expect(many, 1000, " 'sha256-Qe3s5C1j6Nm/UVqbppMuHCDLyfWl0TRkWttdsblzfqM='");
}

static void policy(void **state) {
    (void)state;
    psb_text none = {0}, scripts = {0}, out = {0};
    psb_policy_add_hash(&scripts, "abc", 3);
    psb_policy_add_inline(&out, &scripts, &none);
    assert_non_null(strstr(out.data, "default-src 'none'; script-src 'sha256-ungW"));
    assert_non_null(strstr(out.data, "; style-src 'none'; "));
    psb_text_free(&scripts);
    psb_text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_hashes),
        cmocka_unit_test(policy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
