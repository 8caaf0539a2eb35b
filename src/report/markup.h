/*
 * Escapes text for HTML, scripts and links: class names and ids come from files that anyone may
 * have written.
 */
#ifndef PSB_REPORT_MARKUP_H
#define PSB_REPORT_MARKUP_H

#include "core/text.h"

/*
 * Appends text for elements and quoted attributes. Bytes that are not UTF-8, and control
 * characters, become U+FFFD.
 */
void psb_markup_text(psb_text *out, const char *text);

/* Appends text as above between two pieces of markup: "<b>", text, "</b>". */
void psb_markup_within(psb_text *out, const char *before, const char *text, const char *after);

/* Appends a string literal with its quotes, for a script file or element; otherwise as above. */
void psb_markup_string(psb_text *out, const char *text);

/* Appends one part of a relative link, percent-encoded. */
void psb_markup_link(psb_text *out, const char *text);

#endif
