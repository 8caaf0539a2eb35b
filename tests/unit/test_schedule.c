/* Tests which model comes first. */
#include "run/features.h"
#include "support/files.h"
#include "support/test.h"

static void largest_first_and_ties_in_order(void **state) {
    (void)state;
    static const size_t sizes[] = {5, 0, 9, 5, 200, 9};
    static const size_t expected[] = {4, 2, 5, 0, 3, 1, 6};
    char names[7][256], *paths[7];
    for (size_t i = 0; i < 7; i++) {
        static const char data[200];
        char name[8];
        snprintf(name, sizeof name, "%zu", i);
        /* The last one does not exist. */
        snprintf(names[i], sizeof names[i], "%s",
                 i < 6 ? test_write(name, data, sizes[i]) : test_path(name));
        paths[i] = names[i];
    }
    size_t *order = NULL;
    psb_error error;
    assert_int_equal(psb_largest_first(NULL, paths, 7, &order, &error), PSB_OK);
    assert_memory_equal(order, expected, sizeof expected);
    free(order);
    assert_int_equal(psb_largest_first(NULL, paths, 0, &order, &error), PSB_OK);
    free(order);
    test_folder_remove();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(largest_first_and_ties_in_order),
    };
    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
