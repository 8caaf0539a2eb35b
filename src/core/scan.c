/* The rare steps of a scan: lines, and texts for messages. */
#include "core/scan.h"

unsigned long psb_scan_line(const psb_scan *s) {
    if (s->begin == NULL) {
        return 0;
    }
    const char *at = s->at;
    if (at == s->end) {
        while (at > s->begin && (psb_is_blank(at[-1]) || psb_is_break(at[-1]))) {
            at--;
        }
    }
    unsigned long line = 1;
    for (const char *p = s->begin; p < at; p++) {
        /* Counts a CRLF as one line break. */
        if (*p == '\n' || (*p == '\r' && (p + 1 == s->end || p[1] != '\n'))) {
            line++;
        }
    }
    return line;
}

psb_quote psb_scan_quote(const psb_scan *s) {
    psb_quote q;
    size_t n = 0;
    psb_scan token = *s;
    for (; !psb_scan_at_separator(&token) && n < sizeof q.text - 4; token.at++) {
        q.text[n++] = *token.at > ' ' && *token.at <= '~' ? *token.at : '?';
    }
    if (!psb_scan_at_separator(&token)) {
        memcpy(q.text + n, "...", 3);
        n += 3;
    }
    q.text[n] = '\0';
    return q;
}

psb_quote psb_quote_text(const char *text) {
    text = text != NULL ? text : "";
    const psb_scan s = {.at = text, .end = text + strlen(text)};
    return psb_scan_quote(&s);
}

psb_status psb_scan_fail_token(const psb_scan *s, const char *expected) {
    return PSB_SCAN_FAIL(s, "'%s' is not %s", psb_scan_quote(s).text, expected);
}
