/* Makes and reads files and folders for the tests of readers and writers. */
#pragma once

#include <stddef.h>

/* Returns a fresh folder in $TMPDIR or /tmp, the same one until test_folder_remove removes it. */
const char *test_folder(void);
/* Returns "folder/name", valid for the next three calls. */
const char *test_path(const char *name);
void test_folder_remove(void);

/* Writes a file into the folder and returns its path, as test_path does. */
const char *test_write(const char *name, const void *data, size_t size);
/* Returns the whole file, NUL behind it, to be freed; ends the program if it cannot be read. */
char *test_read(const char *path, size_t *size);
/* Returns the number of names in the folder, hidden ones included. */
size_t test_count_files(const char *folder);

/*
 * Calls `test` for every file of tests/data/<folder> that ends in `suffix`, in sorted order, with
 * its path and the contents of NAME.expected beside it. Returns how many there were.
 */
size_t test_each_file(const char *folder, const char *suffix,
                      void (*test)(const char *path, const char *expected));

/* Returns the text with `from`, which it must have, replaced once; free() it. */
char *test_replaced(const char *text, const char *from, const char *to);

/* Returns the message without the folder of `path` at its start. */
const char *test_without_folder(const char *message, const char *path);
