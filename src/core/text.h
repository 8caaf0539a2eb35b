/* Growing text: tables, JSON and messages are built in memory, then written as a whole. This header
 * also provides core/memory.h. */
#pragma once

#include "core/memory.h"

/* Start with a zeroed struct. A failed append sets `failed`, and later appends do nothing: check
 * once, at the end, with psb_text_status. */
typedef struct psb_text {
    char *data; /* NUL-terminated after the first append */
    size_t length;
    size_t capacity;
    bool failed;
} psb_text;

void psb_text_add(psb_text *text, const char *string);
void psb_text_add_bytes(psb_text *text, const char *bytes, size_t count);
void psb_text_printf(psb_text *text, const char *format, ...) PSB_PRINTF(2, 3);
/* Appends the bytes of %.*g with 1 to 9 digits, several times as fast, for files full of
 * numbers. */
void psb_text_add_short(psb_text *text, double number, int digits);
/* Appends whole numbers with the separator between them. */
void psb_text_add_numbers(psb_text *text, const uint32_t *numbers, size_t count, char separator);
/* Appends `part` and frees it; if `part` has failed, `text` fails too. */
void psb_text_take(psb_text *text, psb_text *part);
/* Appends the string with its controls hidden, as psb_text_hide_controls does. */
void psb_text_add_plain(psb_text *text, const char *string);
/* Appends bytes in base64. */
void psb_text_add_base64(psb_text *text, const void *bytes, size_t count);
/* Returns a formatted text, such as a path, in new memory; free() it. Handles *status as psb_new
 * does (core/memory.h): returns NULL if it is already a failure. */
char *psb_new_format(psb_status *status, psb_error *error, const char *format, ...)
    PSB_PRINTF(3, 4);
/* Appends a name to a list, after ", " unless it is the first. */
void psb_text_list(psb_text *list, const char *name);
/* Finds the name in such a list that `word` misspells, abbreviates or extends; false if no name is
 * near enough. */
enum { PSB_NAME_NEAREST = 40 };
bool psb_nearest_name(const char *word, const char *list, char nearest[PSB_NAME_NEAREST]);
/* Fails with PSB_ERROR_USAGE: "there is no WHAT 'NAME'; there are LIST", and the nearest name.
 * Frees the list. */
psb_status psb_fail_unknown(psb_error *error, const char *what, const char *name, psb_text *list);
psb_status psb_text_status(const psb_text *text, psb_error *error);
/* Writes the text to a file (core/file.h), and frees it in any case. Handles `status` as
 * psb_give_text does. */
psb_status psb_write_text(psb_status status, const char *path, psb_text *text, psb_error *error);
/* Passes the text to a client: sets *out to it (free() it). If `status` or the text has failed,
 * frees the text and sets *out to NULL. */
psb_status psb_give_text(psb_status status, psb_text *text, char **out, psb_error *error);
void psb_text_free(psb_text *text);

/* Returns the length of the byte order mark at the start of a UTF-8 text: 3 or 0. */
size_t psb_text_mark(const char *data, size_t size);
/* Takes a line off the text from *at to `end`: *line to *stop, without its line feed; false at the
 * end of the text. */
bool psb_next_line(const char **at, const char *end, const char **line, const char **stop);

/*
 * Replaces by '?' the characters that would break a line of a message or table or control a
 * terminal: control characters, in UTF-8 those of U+0080 to U+009F too. File names may contain any.
 */
void psb_text_hide_controls(char *string);
