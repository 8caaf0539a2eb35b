/* Files and folders for the tests of readers and writers. */
#ifndef PSB_TESTS_SUPPORT_FILES_H
#define PSB_TESTS_SUPPORT_FILES_H

#include <stddef.h>

/* A fresh folder below the system's one for temporary files; test_folder_remove ends it. */
const char *test_folder(void);
/* "folder/name", valid until the next call but three. */
const char *test_path(const char *name);
void test_folder_remove(void);

/* Writes a file into the folder and returns its path, as test_path does. */
const char *test_write(const char *name, const void *data, size_t size);
/* The whole file, with a NUL behind it; free() it. The test program ends where it cannot be read.
 */
char *test_read(const char *path, size_t *size);
/* Names in the folder, hidden ones too. */
size_t test_count_files(const char *folder);

/*
 * Calls `test` for every file of tests/data/<folder> that ends in `suffix`, in sorted order, with
 * its path and the contents of NAME.expected beside it. Returns how many there were.
 */
size_t test_each_file(const char *folder, const char *suffix,
                      void (*test)(const char *path, const char *expected));

/* The message without the folder at its start. */
const char *test_without_folder(const char *message, const char *path);

#endif
