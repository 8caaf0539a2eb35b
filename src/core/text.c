/* Implements the growing string in which every table is built. */
#include "core/text.h"

#include "core/file.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <strings.h>

static bool reserve(psb_text *text, size_t more) {
    if (text->failed || more >= SIZE_MAX / 2 - text->length) {
        text->failed = true;
        return false;
    }
    size_t needed = text->length + more + 1;
    if (needed <= text->capacity) {
        return true;
    }
    size_t capacity = text->capacity * 2 > needed ? text->capacity * 2 : needed + 256;
    char *data = realloc(text->data, capacity);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void psb_text_add_bytes(psb_text *text, const char *bytes, size_t count) {
    if (reserve(text, count)) {
        memcpy(text->data + text->length, bytes, count);
        text->length += count;
        text->data[text->length] = '\0';
    }
}

void psb_text_add(psb_text *text, const char *string) {
    psb_text_add_bytes(text, string, strlen(string));
}

void psb_text_take(psb_text *text, psb_text *part) {
    psb_text_add_bytes(text, part->length > 0 ? part->data : "", part->length);
    text->failed = text->failed || part->failed;
    psb_text_free(part);
}

void psb_text_list(psb_text *list, const char *name) {
    psb_text_add(list, list->length > 0 ? ", " : "");
    psb_text_add(list, name);
}

/* Names are short; only the beginning of a longer word is compared. */
enum { LONGEST = PSB_NAME_NEAREST - 1 };

static int least(int a, int b) {
    return a < b ? a : b;
}

static bool is_like(char a, char b) {
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * Counts the insertions, deletions, replacements and swaps of neighbors that turn one word into
 * the other: Damerau's distance, restricted to swaps of letters that stay neighbors. Ignores case.
 */
static int edits(const char *a, const char *b) {
    int rows = (int)strnlen(a, LONGEST), columns = (int)strnlen(b, LONGEST);
    int cost[LONGEST + 1][LONGEST + 1];
    for (int j = 0; j <= columns; j++) {
        cost[0][j] = j;
    }
    for (int i = 1; i <= rows; i++) {
        cost[i][0] = i;
        for (int j = 1; j <= columns; j++) {
            int replaced = cost[i - 1][j - 1] + !is_like(a[i - 1], b[j - 1]);
            cost[i][j] = least(replaced, least(cost[i - 1][j], cost[i][j - 1]) + 1);
            if (i > 1 && j > 1 && is_like(a[i - 1], b[j - 2]) && is_like(a[i - 2], b[j - 1])) {
                cost[i][j] = least(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[rows][columns];
}

bool psb_nearest_name(const char *word, const char *list, char nearest[PSB_NAME_NEAREST]) {
    int fewest = 1 + (int)(strlen(word) + 1) / 3; /* one edit in three letters is still a typo */
    bool found = false;
    for (const char *at = list; at != NULL && *at != '\0'; at += strspn(at, ", ")) {
        char name[PSB_NAME_NEAREST];
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        at += length;
        size_t common = strlen(word) < length ? strlen(word) : length;
        bool begins = common >= 3 && strncasecmp(word, name, common) == 0;
        int count = begins ? 1 : edits(word, name);
        if (count < fewest && strchr(name, ' ') == NULL && count < (int)strlen(name)) {
            fewest = count;
            found = true;
            memcpy(nearest, name, sizeof name);
        }
    }
    return found;
}

psb_status psb_fail_unknown(psb_error *error, const char *what, const char *name, psb_text *list) {
    char nearest[PSB_NAME_NEAREST];
    const char *known = list->failed || list->length == 0 ? "others" : list->data;
    psb_status status = !list->failed && psb_nearest_name(name, list->data, nearest)
                            ? psb_fail(error, PSB_ERROR_USAGE,
                                       "there is no %s '%.80s' (did you mean %s?); there are %s",
                                       what, name, nearest, known)
                            : psb_fail(error, PSB_ERROR_USAGE,
                                       "there is no %s '%.80s'; there are %s", what, name, known);
    psb_text_free(list);
    return status;
}

PSB_PRINTF(2, 0)
static void add_formatted(psb_text *text, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    /* Nearly every text fits into the room that is left and is formatted only once. */
    size_t room = text->failed ? 0 : text->capacity - text->length;
    int n = vsnprintf(room > 0 ? text->data + text->length : NULL, room, format, args);
    if (n < 0) {
        text->failed = true;
    } else if ((size_t)n < room) {
        text->length += (size_t)n;
    } else if (reserve(text, (size_t)n)) {
        vsnprintf(text->data + text->length, (size_t)n + 1, format, again);
        text->length += (size_t)n;
    } else if (room > 0) {
        text->data[text->length] = '\0';
    }
    va_end(again);
}

void psb_text_printf(psb_text *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_formatted(text, format, args);
    va_end(args);
}

void psb_text_add_short(psb_text *text, double number, int digits) {
    static const double power[] = {1.0, 1e1, 1e2, 1e3,  1e4,  1e5, 1e6,
                                   1e7, 1e8, 1e9, 1e10, 1e11, 1e12};
    const double size = fabs(number), least = power[digits - 1], most = power[digits] - 0.6;
    int decimals = 0;
    while (decimals < digits + 3 && size * power[decimals] < least) {
        decimals++;
    }
    double scaled = size * power[decimals];
    if (!(scaled >= least && scaled < most) || fabs(scaled - floor(scaled) - 0.5) < 1e-6) {
        psb_text_printf(text, "%.*g", digits, number); /* also for a possible tie */
        return;
    }
    unsigned shown = (unsigned)(scaled + 0.5);
    for (; decimals > 0 && shown % 10 == 0; decimals--) {
        shown /= 10;
    }
    char out[16], *begin = out + sizeof out;
    for (int n = 0; shown > 0 || n <= decimals; shown /= 10) {
        *--begin = (char)('0' + shown % 10);
        if (++n == decimals) {
            *--begin = '.';
        }
    }
    if (number < 0) {
        *--begin = '-';
    }
    psb_text_add_bytes(text, begin, (size_t)(out + sizeof out - begin));
}

void psb_text_add_numbers(psb_text *text, const uint32_t *numbers, size_t count, char separator) {
    for (size_t i = 0; i < count; i++) {
        char out[12], *begin = out + sizeof out;
        uint32_t number = numbers[i];
        do {
            *--begin = (char)('0' + number % 10);
            number /= 10;
        } while (number > 0);
        if (i > 0) {
            *--begin = separator;
        }
        psb_text_add_bytes(text, begin, (size_t)(out + sizeof out - begin));
    }
}

char *psb_new_format(psb_status *status, psb_error *error, const char *format, ...) {
    psb_text text = {0};
    if (*status == PSB_OK) {
        va_list args;
        va_start(args, format);
        add_formatted(&text, format, args);
        va_end(args);
        *status = psb_text_status(&text, error);
    }
    if (*status != PSB_OK) {
        psb_text_free(&text);
    }
    return text.data;
}

size_t psb_text_mark(const char *data, size_t size) {
    return size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

bool psb_next_line(const char **at, const char *end, const char **line, const char **stop) {
    if (*at >= end) {
        return false;
    }
    const char *feed = memchr(*at, '\n', (size_t)(end - *at));
    *line = *at;
    *stop = feed != NULL ? feed : end;
    *at = feed != NULL ? feed + 1 : end;
    return true;
}

void psb_text_hide_controls(char *string) {
    for (unsigned char *c = (unsigned char *)string; *c != '\0'; c++) {
        if (c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0) {
            *c++ = '?';
            *c = '?';
        } else if (*c < ' ' || *c == 0x7f) {
            *c = '?';
        }
    }
}

void psb_text_add_plain(psb_text *text, const char *string) {
    size_t before = text->length;
    psb_text_add(text, string);
    if (!text->failed) {
        psb_text_hide_controls(text->data + before);
    }
}

void psb_text_add_base64(psb_text *text, const void *data, size_t count) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *bytes = data;
    for (size_t i = 0; i < count; i += 3) {
        uint32_t three = (uint32_t)bytes[i] << 16;
        three |= i + 1 < count ? (uint32_t)bytes[i + 1] << 8 : 0;
        three |= i + 2 < count ? bytes[i + 2] : 0;
        char four[4] = {digits[three >> 18], digits[three >> 12 & 63],
                        i + 1 < count ? digits[three >> 6 & 63] : '=',
                        i + 2 < count ? digits[three & 63] : '='};
        psb_text_add_bytes(text, four, sizeof four);
    }
}

psb_status psb_text_status(const psb_text *text, psb_error *error) {
    return text->failed ? psb_fail_memory(error, "a text", text->length) : PSB_OK;
}

psb_status psb_write_text(psb_status status, const char *path, psb_text *text, psb_error *error) {
    PSB_THEN(status, psb_text_status(text, error));
    PSB_THEN(status, psb_write_file(path, text->data, text->length, error));
    psb_text_free(text);
    return status;
}

psb_status psb_give_text(psb_status status, psb_text *text, char **out, psb_error *error) {
    PSB_THEN(status, psb_text_status(text, error));
    *out = NULL;
    if (status == PSB_OK) {
        *out = text->data;
    } else {
        psb_text_free(text);
    }
    return status;
}

void psb_text_free(psb_text *text) {
    free(text->data);
    *text = (psb_text){NULL, 0, 0, false};
}
