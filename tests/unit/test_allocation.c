/*
 * Tests that the steady state allocates nothing: once a shape has seen its models, describing them
 * again calls neither malloc nor its relatives, in this library or in those below it. OpenBLAS does
 * not count: its kernels for some processors take memory in every product, and those for others do
 * not.
 *
 * This program's own malloc counts and passes on to the C library's. A sanitizer brings a malloc of
 * its own, and other C libraries have no second name for theirs: there the test is skipped.
 */
#include "descriptors/descriptor.h"
#include "support/meshes.h"
#include "support/test.h"

#include <dlfcn.h>
#include <errno.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#if defined(__GLIBC__) && !defined(HAS_SANITIZER)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

// Volatile, since a compiler may take it that malloc leaves a program's own variables as they were.
static volatile size_t allocations;

static void note_caller(const void *caller) {
    Dl_info object;
    if (dladdr(caller, &object) == 0 || strstr(object.dli_fname, "openblas") == NULL) {
        allocations++;
    }
}

void *malloc(size_t size) {
    note_caller(__builtin_return_address(0));
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    note_caller(__builtin_return_address(0));
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    note_caller(__builtin_return_address(0));
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size) {
    note_caller(__builtin_return_address(0));
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note_caller(__builtin_return_address(0));
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    note_caller(__builtin_return_address(0));
    void *memory = __libc_memalign(alignment, size);
    if (memory == NULL) {
        return ENOMEM;
    }
    *out = memory;
    return 0;
}

static void counter_counts(void **state) {
    (void)state;
    size_t before = allocations;
    void *volatile memory = malloc(10);
    free(memory);
    assert_true(allocations == before + 1);
}

static void steady_state_allocates_nothing(void **state) {
    (void)state;
    psb_mesh meshes[] = {test_blob(1, 300), test_box(1, 2, 3), test_sphere(1.0, 12, 20)};
    psb_error error;
    psb_tables *tables;
    psb_shape *shape;
    psb_spec **specs;
    size_t count, largest = 0;
    assert_int_equal(psb_tables_new(&tables, &error), PSB_OK);
    assert_int_equal(psb_shape_new(tables, &shape, &error), PSB_OK);
    assert_int_equal(psb_spec_parse_list(NULL, "all", &specs, &count, &error), PSB_OK);
    for (size_t s = 0; s < count; s++) {
        size_t bytes = psb_spec_row_bytes(specs[s]);
        largest = bytes > largest ? bytes : largest;
    }
    void *row = malloc(largest);
    for (int round = 0; round < 2; round++) {
        for (int m = 0; m < 3; m++) {
            size_t before = allocations;
            assert_int_equal(psb_shape_load(shape, &meshes[m], "model", &error), PSB_OK);
            assert_true(round == 0 || allocations == before);
            for (size_t s = 0; s < count; s++) {
                before = allocations;
                assert_int_equal(psb_shape_describe(shape, specs[s], row, &error), PSB_OK);
                if (round > 0 && allocations != before) {
                    fail_msg("%s allocates %zu times", psb_spec_label(specs[s]),
                             allocations - before);
                }
            }
        }
    }
    for (size_t s = 0; s < count; s++) {
        psb_spec_free(specs[s]);
    }
    free(specs);
    free(row);
    psb_shape_free(shape);
    psb_tables_free(tables);
    for (int m = 0; m < 3; m++) {
        psb_mesh_free(&meshes[m]);
    }
}

#else

static void counter_counts(void **state) {
    (void)state;
    skip();
}

static void steady_state_allocates_nothing(void **state) {
    (void)state;
    skip();
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counter_counts),
        cmocka_unit_test(steady_state_allocates_nothing),
    };
    return cmocka_run_group_tests_name("allocation", tests, NULL, NULL);
}
