/* Escapes text, one Unicode character at a time. */
#include "report/markup.h"

#include <string.h>

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

static bool is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/*
 * Appends the text. Characters in `special`, and beyond ASCII the two line separators of scripts,
 * go through `escape`.
 */
static void add_escaped(psb_text *out, const char *text, const char *special,
                        void (*escape)(psb_text *out, uint32_t code)) {
    while (*text != '\0') {
        uint32_t code = 0;
        size_t length = decode(text, &code);
        if (length == 0 || is_control(code)) {
            psb_text_add(out, replacement);
            length = length == 0 ? 1 : length;
        } else if ((length == 1 && strchr(special, *text) != NULL) || code == 0x2028 ||
                   code == 0x2029) {
            escape(out, code);
        } else {
            psb_text_add_bytes(out, text, length);
        }
        text += length;
    }
}

static void escape_html(psb_text *out, uint32_t code) {
    psb_text_printf(out, "&#%u;", (unsigned)code);
}

static void escape_script(psb_text *out, uint32_t code) {
    psb_text_printf(out, "\\u%04x", (unsigned)code);
}

void psb_markup_text(psb_text *out, const char *text) {
    add_escaped(out, text, "<>&\"'", escape_html);
}

void psb_markup_within(psb_text *out, const char *before, const char *text, const char *after) {
    psb_text_add(out, before);
    psb_markup_text(out, text);
    psb_text_add(out, after);
}

void psb_markup_string(psb_text *out, const char *text) {
    psb_text_add(out, "\"");
    add_escaped(out, text, "<>&\"'\\", escape_script);
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
