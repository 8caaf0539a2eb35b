/* Makes labels from texts, which no other code does. */
#include "io/label.h"

#include <stdio.h>
#include <string.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_=:,.+-@";
static const char marks[] = "_=:,.+-@";

/* True if the report has a page of this name, which a method's page would replace. */
static bool is_page(const char *text) {
    static const char *const pages[] = {"index",   "methods", "class", "compare",
                                        "matches", "since",   "solids"};
    static const char numbered[] = "models"; /* as in models-2.html */
    for (size_t p = 0; p < sizeof pages / sizeof pages[0]; p++) {
        if (strcmp(text, pages[p]) == 0) {
            return true;
        }
    }
    return strncmp(text, numbered, sizeof numbered - 1) == 0;
}

psb_status psb_label_make(const char *text, psb_label *label, psb_error *error) {
    *label = (psb_label){.text = ""};
    size_t length = strlen(text);
    if (length == 0 || length > PSB_LABEL_MOST || text[strspn(text, letters)] != '\0' ||
        strchr(marks, text[0]) != NULL || strchr(marks, text[length - 1]) != NULL) {
        return psb_fail(error, PSB_ERROR_USAGE,
                        "'%.40s' is no label of a method: want 1 to %d letters, digits and "
                        "characters of %s, none of these first or last",
                        text, PSB_LABEL_MOST, marks);
    }
    if (is_page(text)) {
        return psb_fail(error, PSB_ERROR_USAGE,
                        "'%.40s' is no label of a method: a page of reports has that name", text);
    }
    memcpy(label->text, text, length + 1);
    memcpy(label->stem, text, length + 1);
    for (char *c = label->stem; *c != '\0'; c++) {
        *c = *c == ':' || *c == ',' ? '-' : *c;
    }
    return PSB_OK;
}
