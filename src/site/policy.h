/*
 * The Content-Security-Policy of the pages: nothing is loaded or run but the page's own files and,
 * in a page that is one file, the scripts and styles whose SHA-256 stands in its policy.
 */
#pragma once

#include "core/text.h"

/* The element for pages with files beside them. Browsers differ in whether 'self' covers files that
 * were opened from disk, so `file:` stands beside it. */
#define SITE_POLICY                                                                                \
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "       \
    "'self' "                                                                                      \
    "file:; style-src 'self' file:; img-src 'self' file: data:; base-uri 'none'; form-action "     \
    "'none'\">\n"

/* Appends the source expression of an inline script or style: " 'sha256-...'" (FIPS 180-4). */
void psb_policy_add_hash(psb_text *out, const void *data, size_t size);

/* Appends the element for a page that is one file, from such expressions. */
void psb_policy_add_inline(psb_text *out, const psb_text *scripts, const psb_text *styles);
