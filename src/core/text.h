/* Growing text: tables, JSON pieces and messages are built in memory, then written as a whole. */
#ifndef PSB_CORE_TEXT_H
#define PSB_CORE_TEXT_H

#include "core/memory.h"

#include <stdbool.h>

/*
 * Starts zeroed. A failed append sets `failed`, and later appends do nothing: check once, at the
 * end, with psb_text_status.
 */
typedef struct psb_text {
    char *data; /* NUL-terminated once anything was appended */
    size_t length;
    size_t capacity;
    bool failed;
} psb_text;

void psb_text_add(psb_text *text, const char *string);
void psb_text_add_bytes(psb_text *text, const char *bytes, size_t count);
void psb_text_printf(psb_text *text, const char *format, ...) PSB_PRINTF(2, 3);
/* The bytes of %.*g with 1 to 9 digits, several times as fast, for files full of numbers. */
void psb_text_add_short(psb_text *text, double number, int digits);
/* Whole numbers with the separator between. */
void psb_text_add_numbers(psb_text *text, const uint32_t *numbers, size_t count, char separator);
/* Appends another text and frees it; if that one failed, so has this. */
void psb_text_take(psb_text *text, psb_text *part);
/* The string after psb_text_hide_controls. */
void psb_text_add_plain(psb_text *text, const char *string);
/* Bytes as base64. */
void psb_text_add_base64(psb_text *text, const void *bytes, size_t count);
/*
 * A formatted text in fresh memory, such as a path, as a step of psb_new's kind (core/memory.h):
 * NULL if *status is already a failure. free() it.
 */
char *psb_new_format(psb_status *status, psb_error *error, const char *format, ...)
    PSB_PRINTF(3, 4);
/* Appends a name to a list, with ", " before all but the first. */
void psb_text_list(psb_text *list, const char *name);
/* The name of such a list that `word` is a misspelling, the beginning or more than the whole of;
   false where none is near enough. */
enum { PSB_NAME_NEAREST = 40 };
bool psb_nearest_name(const char *word, const char *list, char nearest[PSB_NAME_NEAREST]);
/* PSB_ERROR_USAGE: "there is no WHAT 'NAME'; there are LIST", and the nearest. Frees the list. */
psb_status psb_fail_unknown(psb_error *error, const char *what, const char *name, psb_text *list);
psb_status psb_text_status(const psb_text *text, psb_error *error);
/* For a client: *out becomes the text, which free() frees; NULL, and the text is freed, where
   `status` is a failure or the text has failed. */
psb_status psb_give_text(psb_status status, psb_text *text, char **out, psb_error *error);
void psb_text_free(psb_text *text);

/* Bytes of the byte order mark at the beginning of a UTF-8 text: 3 or 0. */
size_t psb_text_mark(const char *data, size_t size);

/*
 * Replaces by '?' whatever would break a line of a message or table, or control a terminal: control
 * characters, also those of UTF-8's second page. File names may contain any.
 */
void psb_text_hide_controls(char *string);

#endif
