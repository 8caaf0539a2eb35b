/*
 * The label of a method: its name in tables and in its files' names. Only psb_label_make makes
 * labels, and it refuses texts that could not be a file's name, so no file gets an unchecked name.
 */
#pragma once

#include "core/error.h"

enum { PSB_LABEL_MOST = 200 }; /* bytes; file names add their endings */

typedef struct psb_label {
    char text[PSB_LABEL_MOST + 1]; /* "GEDT:width=3" */
    char stem[PSB_LABEL_MOST + 1]; /* for file names: "GEDT-width=3" */
} psb_label;

/*
 * PSB_ERROR_USAGE unless the text has 1 to PSB_LABEL_MOST letters, digits and characters of
 * "_=:,.+-@", begins and ends with a letter or a digit, and is no name of the report's own pages.
 */
psb_status psb_label_make(const char *text, psb_label *label, psb_error *error);
