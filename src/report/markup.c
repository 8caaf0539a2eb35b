/* Escapes text, one Unicode character at a time. */
#include "report/markup.h"

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

/* Returns the bytes of the UTF-8 character at `text`, and sets its code; 0 if there is none. */
static size_t decode(const char *text, uint32_t *code) {
    const unsigned char *p = (const unsigned char *)text;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = p[0] < 0x80 ? 1 : p[0] < 0xc0 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    if (length == 0 || p[0] > 0xf4) {
        return 0;
    }
    *code = length == 1 ? p[0] : p[0] & (0x7FU >> length);
    for (size_t i = 1; i < length; i++) { /* a NUL is no continuation, so this stops at the end */
        if ((p[i] & 0xc0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (p[i] & 0x3FU);
    }
    bool surrogate = *code >= 0xd800 && *code < 0xe000;
    return *code < least[length] || *code > 0x10ffff || surrogate ? 0 : length;
}

/* Characters that nobody sees, or that change what stands beside them; joiners belong to words. */
static bool is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x180e ||
           code == 0x200b || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
           code == 0xfeff;
}

/* Letters that are written from right to left (Unicode's bidirectional classes R and AL). */
static bool is_right_to_left(uint32_t code) {
    return (code >= 0x590 && code < 0x900) || (code >= 0xfb1d && code < 0xfe00) ||
           (code >= 0xfe70 && code < 0xfeff) || (code >= 0x10800 && code < 0x11000) ||
           (code >= 0x1e800 && code < 0x1f000);
}

static bool has_right_to_left(const char *text) {
    uint32_t code = 0;
    for (size_t length; *text != '\0'; text += length == 0 ? 1 : length) {
        length = decode(text, &code);
        if (length > 0 && is_right_to_left(code)) {
            return true;
        }
    }
    return false;
}

/*
 * Appends the text. Characters in `special` go through `escape`, controls become a backslash and
 * their code. A text with letters from right to left stands between the marks of an isolate (UAX
 * 9), so that it leaves the order of its neighbors alone wherever it is put: `bdi` has no place in
 * attributes, titles and drawings.
 */
static void add_escaped(psb_text *out, const char *text, const char *special, const char *backslash,
                        void (*escape)(psb_text *out, uint32_t code)) {
    bool isolate = has_right_to_left(text);
    psb_text_add(out, isolate ? "\xe2\x81\xa8" : "");
    while (*text != '\0') {
        uint32_t code = 0;
        size_t length = decode(text, &code);
        if (length == 0) {
            psb_text_add(out, replacement);
            length = 1;
        } else if (is_control(code)) {
            psb_text_printf(out, "%su%04x", backslash, (unsigned)code);
        } else if (length == 1 && strchr(special, *text) != NULL) {
            escape(out, code);
        } else {
            psb_text_add_bytes(out, text, length);
        }
        text += length;
    }
    psb_text_add(out, isolate ? "\xe2\x81\xa9" : "");
}

static void escape_html(psb_text *out, uint32_t code) {
    psb_text_printf(out, "&#%u;", (unsigned)code);
}

static void escape_script(psb_text *out, uint32_t code) {
    psb_text_printf(out, "\\u%04x", (unsigned)code);
}

void psb_markup_text(psb_text *out, const char *text) {
    add_escaped(out, text, "<>&\"'", "\\", escape_html);
}

void psb_markup_within(psb_text *out, const char *before, const char *text, const char *after) {
    psb_text_add(out, before);
    psb_markup_text(out, text);
    psb_text_add(out, after);
}

void psb_markup_string(psb_text *out, const char *text) {
    psb_text_add(out, "\"");
    add_escaped(out, text, "<>&\"'\\", "\\\\", escape_script);
    psb_text_add(out, "\"");
}

void psb_markup_link(psb_text *out, const char *text) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    for (; *text != '\0'; text++) {
        if (strchr(plain, *text) != NULL) {
            psb_text_add_bytes(out, text, 1);
        } else {
            psb_text_printf(out, "%%%02X", (unsigned)(unsigned char)*text);
        }
    }
}
