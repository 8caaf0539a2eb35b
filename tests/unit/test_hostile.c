/*
 * Feeds hostile bytes to all readers: runs every target of tests/fuzz over its seeds, over all
 * inputs that the fuzzers ever found, and over these cut short and damaged. `make fuzz` searches
 * further.
 */
#include "core/random.h"
#include "fuzz/targets.h"
#include "support/files.h"
#include "support/test.h"

#include <dirent.h>

enum {
    CUTS = 40,    /* of a file, evenly spread */
    DAMAGES = 60, /* of a file, each of up to four bytes */
    COSTLY = 4,   /* as many times less for the target that computes */
};

/* An exact copy on the heap, so that a sanitizer sees a read behind its end. */
static void run_copy(const fuzz_target *target, const char *data, size_t size) {
    unsigned char *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    if (size > 0) {
        memcpy(copy, data, size);
    }
    target->run(copy, size);
    free(copy);
}

static void damage(psb_random *random, char *data, size_t size) {
    static const char favourites[] = {'\0', '\n', ' ', '-', '0', '9', 'e', '.', '\x7f', '\xff'};
    uint64_t bytes = 1 + psb_random_below(random, 4);
    for (uint64_t i = 0; i < bytes; i++) {
        uint64_t place = psb_random_below(random, size);
        data[place] = psb_random_below(random, 2) == 0
                          ? favourites[psb_random_below(random, sizeof favourites)]
                          : (char)psb_random_below(random, 256);
    }
}

static void try_file(const fuzz_target *target, const char *path, size_t share) {
    size_t size;
    char *data = test_read(path, &size);
    size = size < target->longest ? size : target->longest;
    run_copy(target, data, size);
    for (size_t cut = 0; cut < CUTS / share; cut++) {
        run_copy(target, data, size * cut * share / CUTS);
    }
    psb_random random = psb_random_seeded(size, target->name, strrchr(path, '/'));
    char *damaged = malloc(size + 1);
    assert_non_null(damaged);
    for (size_t i = 0; i < DAMAGES / share && size > 0; i++) {
        memcpy(damaged, data, size);
        damage(&random, damaged, size);
        run_copy(target, damaged, size);
    }
    free(damaged);
    free(data);
}

static size_t try_folder(const fuzz_target *target, const char *folder, size_t share) {
    DIR *directory = opendir(folder);
    size_t files = 0;
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.') {
            try_file(target, path, share);
            files++;
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return files;
}

static void survives(void **state) {
    const fuzz_target *target = *state;
    size_t share = strcmp(target->name, "describe") == 0 ? COSTLY : 1;
    char folder[256];
    snprintf(folder, sizeof folder, "tests/fuzz/seeds/%s", target->name);
    size_t files = try_folder(target, folder, share);
    snprintf(folder, sizeof folder, "tests/fuzz/found/%s", target->name);
    try_folder(target, folder, share);
    for (size_t i = 0; i < 2 && target->data[i] != NULL && share == 1; i++) {
        snprintf(folder, sizeof folder, "tests/data/%s", target->data[i]);
        files += try_folder(target, folder, share);
    }
    assert_true(files > 0);
}

int main(void) {
    struct CMUnitTest tests[64];
    size_t count = fuzz_target_count();
    assert_true(count <= 64);
    for (size_t i = 0; i < count; i++) {
        const fuzz_target *target = fuzz_target_at(i);
        tests[i] =
            (struct CMUnitTest){target->name, survives, NULL, NULL, (void *)(uintptr_t)target};
    }
    return _cmocka_run_group_tests("hostile", tests, count, NULL, NULL);
}
