/* Makes and reads files and folders for the tests of readers and writers. */
#include "support/files.h"

#include "support/test.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder_name[256];

static void stop(const char *what) {
    perror(what);
    exit(1);
}

const char *test_folder(void) {
    if (folder_name[0] == '\0') {
        const char *parent = getenv("TMPDIR");
        snprintf(folder_name, sizeof folder_name, "%s/psb_test_XXXXXX",
                 parent != NULL && parent[0] != '\0' ? parent : "/tmp");
        if (mkdtemp(folder_name) == NULL) {
            stop(folder_name);
        }
    }
    return folder_name;
}

const char *test_path(const char *name) {
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", test_folder(), name);
    return path;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *place) {
    (void)info;
    (void)type;
    (void)place;
    return remove(path);
}

void test_folder_remove(void) {
    if (folder_name[0] != '\0') {
        nftw(folder_name, remove_one, 16, FTW_DEPTH | FTW_PHYS);
        folder_name[0] = '\0';
    }
}

const char *test_write(const char *name, const void *data, size_t size) {
    const char *path = test_path(name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
        stop(path);
    }
    return path;
}

char *test_read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        stop(path);
    }
    long length = ftell(file);
    rewind(file);
    char *data = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (data == NULL || fread(data, 1, (size_t)length, file) != (size_t)length) {
        stop(path);
    }
    fclose(file);
    data[length] = '\0';
    *size = (size_t)length;
    return data;
}

static int is_entry(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* Orders names by bytes, whatever the locale. */
static int compare(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static size_t list(const char *folder, struct dirent ***entries) {
    int n = scandir(folder, entries, is_entry, compare);
    if (n < 0) {
        stop(folder);
    }
    return (size_t)n;
}

size_t test_count_files(const char *folder) {
    struct dirent **entries;
    size_t n = list(folder, &entries);
    for (size_t i = 0; i < n; i++) {
        free(entries[i]);
    }
    free(entries);
    return n;
}

static void test_file(const char *folder, const char *name, size_t stem,
                      void (*test)(const char *path, const char *expected)) {
    char path[512], expected_path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(expected_path, sizeof expected_path, "%s/%.*s.expected", folder, (int)stem, name);
    size_t size;
    char *expected = test_read(expected_path, &size);
    test(path, expected);
    free(expected);
}

size_t test_each_file(const char *folder, const char *suffix,
                      void (*test)(const char *path, const char *expected)) {
    char full[256];
    snprintf(full, sizeof full, "tests/data/%s", folder);
    struct dirent **entries;
    size_t n = list(full, &entries), found = 0;
    for (size_t i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        size_t length = strlen(name), tail = strlen(suffix);
        if (length > tail && strcmp(name + length - tail, suffix) == 0) {
            test_file(full, name, length - tail, test);
            found++;
        }
        free(entries[i]);
    }
    free(entries);
    return found;
}

const char *test_without_folder(const char *message, const char *path) {
    const char *slash = strrchr(path, '/');
    size_t folder = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    return strncmp(message, path, folder) == 0 ? message + folder : message;
}

char *test_replaced(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    if (at == NULL) {
        fail_msg("no '%s' in the text", from);
    }
    size_t length = strlen(text) - strlen(from) + strlen(to);
    char *out = malloc(length + 1);
    assert_non_null(out);
    snprintf(out, length + 1, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}
