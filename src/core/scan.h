/* Reads words and numbers from a text in memory, one after the other, for readers whose messages
 * name the line. The hot functions are inline: a mesh has millions of numbers. */
#pragma once

#include "core/error.h"
#include "core/number.h"

#include <string.h>

/* A position in a text. Copies are cheap: look ahead with one. */
typedef struct psb_scan {
    const char *path;  /* for messages */
    const char *begin; /* NULL: binary data, which has no lines to name */
    const char *at, *end;
    char comment;   /* starts a comment that ends with the line; NUL: no comments */
    bool continued; /* a backslash at the end of a line joins it with the next */
    psb_error *error;
} psb_scan;

static inline bool psb_is_break(char c) {
    return c == '\n' || c == '\r';
}

static inline bool psb_is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

/* True at a backslash that joins this line with the next. */
static inline bool psb_scan_at_join(const psb_scan *s) {
    return s->continued && *s->at == '\\' && (s->at + 1 == s->end || psb_is_break(s->at[1]));
}

/* Moves past such a backslash and its line break; false if there is none. */
static inline bool psb_scan_join(psb_scan *s) {
    if (!psb_scan_at_join(s)) {
        return false;
    }
    s->at += s->end - s->at > 2 && s->at[1] == '\r' && s->at[2] == '\n' ? 3
             : s->end - s->at > 1                                       ? 2
                                                                        : 1;
    return true;
}

static inline bool psb_scan_at_comment(const psb_scan *s) {
    return s->comment != '\0' && *s->at == s->comment;
}

/* Moves to the line break, or the end of the text. */
static inline void psb_scan_skip_line(psb_scan *s) {
    while (s->at < s->end && !psb_is_break(*s->at)) {
        if (!psb_scan_join(s)) {
            s->at++;
        }
    }
}

/* Moves to the next token on this line; false if the line ends first. */
static inline bool psb_scan_next_on_line(psb_scan *s) {
    while (s->at < s->end && (psb_is_blank(*s->at) || psb_scan_at_join(s))) {
        if (!psb_scan_join(s)) {
            s->at++;
        }
    }
    if (s->at < s->end && psb_scan_at_comment(s)) {
        psb_scan_skip_line(s);
    }
    return s->at < s->end && !psb_is_break(*s->at);
}

/* Moves to the next token; false if the text ends first. */
static inline bool psb_scan_next(psb_scan *s) {
    while (!psb_scan_next_on_line(s)) {
        if (s->at == s->end) {
            return false;
        }
        s->at++;
    }
    return true;
}

static inline bool psb_scan_at_separator(const psb_scan *s) {
    return s->at == s->end || psb_is_blank(*s->at) || psb_is_break(*s->at) ||
           psb_scan_at_comment(s) || psb_scan_at_join(s);
}

static inline void psb_scan_skip_token(psb_scan *s) {
    while (!psb_scan_at_separator(s)) {
        s->at++;
    }
}

/* Reads the token as a number; if it is none, returns false and stays in front of it. */
static inline bool psb_scan_number(psb_scan *s, double *value) {
    const char *start = s->at;
    if (psb_scan_double(&s->at, s->end, value) && psb_scan_at_separator(s)) {
        return true;
    }
    s->at = start;
    return false;
}

static inline bool psb_scan_integer(psb_scan *s, int64_t *value) {
    const char *start = s->at;
    if (psb_scan_int64(&s->at, s->end, value) && psb_scan_at_separator(s)) {
        return true;
    }
    s->at = start;
    return false;
}

/*
 * Reads the next token on this line if it is a usual whole number (core/number.h) with one space in
 * front and a blank or a line break behind; false, and the position stays, at anything else. The
 * position is an argument of its own so that a loop keeps it in a register: in a psb_scan, each
 * token waits for the store of the one before.
 */
static inline bool psb_scan_usual_integer(const psb_scan *s, const char **at, int64_t *value) {
    const char *p = *at + 1;
    if (*at == s->end || **at != ' ' || !psb_scan_usual_int64(&p, s->end, value) ||
        !(psb_is_blank(*p) || psb_is_break(*p))) {
        return false;
    }
    *at = p;
    return true;
}

/* Reads up to `most` numbers alike, as many as are usual, and returns how many that were. */
static inline int psb_scan_usual_numbers(psb_scan *s, int most, double *values) {
    const char *at = s->at;
    int n = 0;
    for (; n < most; n++) {
        const char *p = at + 1;
        if (at == s->end || *at != ' ' || !psb_scan_usual_double(&p, s->end, &values[n]) ||
            !(psb_is_blank(*p) || psb_is_break(*p))) {
            break;
        }
        at = p;
    }
    s->at = at;
    return n;
}

/* Moves past `bytes` if they come next. */
static inline bool psb_scan_take(psb_scan *s, const char *bytes) {
    size_t length = strlen(bytes);
    if ((size_t)(s->end - s->at) < length || memcmp(s->at, bytes, length) != 0) {
        return false;
    }
    s->at += length;
    return true;
}

static inline char psb_in_lower_case(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

/* Moves past the token if it is this word, in upper or lower case. */
static inline bool psb_scan_word(psb_scan *s, const char *word) {
    const char *start = s->at;
    size_t length = strlen(word);
    if ((size_t)(s->end - start) < length) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (psb_in_lower_case(start[i]) != psb_in_lower_case(word[i])) {
            return false;
        }
    }
    s->at += length;
    if (psb_scan_at_separator(s)) {
        return true;
    }
    s->at = start;
    return false;
}

/* Line number of the position, from 1; at the end of the text, that of the last line with text; 0
 * if there are no lines. */
unsigned long psb_scan_line(const psb_scan *s);

typedef struct psb_quote {
    char text[32];
} psb_quote;

/* Quotes the token at this position for a message: shortened, with '?' for bytes that are not
 * ASCII. */
psb_quote psb_scan_quote(const psb_scan *s);
/* The same for the first token of a text; NULL as nothing. */
psb_quote psb_quote_text(const char *text);

/* Reports an input error at this position. */
#define PSB_SCAN_FAIL(s, ...)                                                                      \
    psb_fail_at((s)->error, PSB_ERROR_INPUT, (s)->path, psb_scan_line(s), __VA_ARGS__)

/* Reports "'x' is not <expected>" at this position. */
psb_status psb_scan_fail_token(const psb_scan *s, const char *expected);
