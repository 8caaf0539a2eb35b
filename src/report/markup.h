/*
 * Escapes text for HTML, scripts and links: class names and ids come from files that anyone may
 * have written.
 */
#pragma once

#include "core/text.h"

/*
 * Appends text for elements and quoted attributes. Bytes that are not UTF-8 become U+FFFD, controls
 * and marks of direction a backslash and their code. Text with letters from right to left stands
 * between U+2068 and U+2069, which isolate it from what is beside it.
 */
void psb_markup_text(psb_text *out, const char *text);

/* Appends text as above between two pieces of markup: "<b>", text, "</b>". */
void psb_markup_within(psb_text *out, const char *before, const char *text, const char *after);

/* Appends a string literal with its quotes, for a script file or element; otherwise as above. */
void psb_markup_string(psb_text *out, const char *text);

/* Appends one part of a relative link, percent-encoded. */
void psb_markup_link(psb_text *out, const char *text);
