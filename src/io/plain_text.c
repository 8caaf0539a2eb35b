/* Converts texts to UTF-8 with line feeds, and recognizes formats that are not read. */
#include "io/plain_text.h"

#include "core/scan.h"
#include "core/text.h"

/* ---- formats that are not read ------------------------------------------------------------ */

static const struct {
    const char *magic;
    size_t length;
    const char *name, *advice;
} formats[] = {
    {"\x89HDF\r\n\x1a\n", 8, "HDF5",
     "in Python, numpy.save('rows.npy', h5py.File('FILE')['NAME'][:])"},
    {"PAR1", 4, "Parquet", "in Python, pandas.read_parquet('FILE').to_csv('table.csv')"},
    {"ARROW1", 6, "Arrow", "in Python, pandas.read_feather('FILE').to_csv('table.csv')"},
    {"MATLAB 5.0", 10, "a MATLAB file",
     "in Python, numpy.save('rows.npy', scipy.io.loadmat('FILE')['NAME'])"},
    {"\x80\x02", 2, "a pickle or PyTorch's old format",
     "in Python, numpy.save('rows.npy', ...) of the array in it"},
    {"\x80\x03", 2, "a pickle", "in Python, numpy.save('rows.npy', ...) of the array in it"},
    {"\x80\x04", 2, "a pickle", "in Python, numpy.save('rows.npy', ...) of the array in it"},
    {"\x80\x05", 2, "a pickle", "in Python, numpy.save('rows.npy', ...) of the array in it"},
    {"\xd0\xcf\x11\xe0", 4, "an Excel workbook", "save it as CSV"},
};

static bool holds(const char *data, size_t size, const char *word) {
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; i++) {
        if (memcmp(data + i, word, length) == 0) {
            return true;
        }
    }
    return false;
}

static psb_status refuse(const char *path, const char *name, const char *advice, psb_error *error) {
    return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "is %s, which is not read: %s", name,
                       advice);
}

/* True where a JSON value begins behind '[' or '{'; a line like "[1.0 2.0]" is none. */
static bool is_json(const char *at, const char *end) {
    char first = *at++;
    while (at < end && (psb_is_blank(*at) || *at == '\n' || *at == '\r')) {
        at++;
    }
    return first == '{' ? at == end || *at == '"' || *at == '}'
                        : first == '[' && at < end && strchr("{[\"]", *at) != NULL;
}

psb_status psb_refuse_format(const char *path, const char *data, size_t size, psb_error *error) {
    enum { FRONT = 512 }; /* bytes in which an archive's first name lies */
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (size > formats[i].length && memcmp(data, formats[i].magic, formats[i].length) == 0) {
            return refuse(path, formats[i].name, formats[i].advice, error);
        }
    }
    size_t front = size < FRONT ? size : FRONT;
    if (size > 4 && memcmp(data, "PK\3\4", 4) == 0) {
        return holds(data, front, "data.pkl")
                   ? refuse(path, "PyTorch's format",
                            "in Python, numpy.save('rows.npy', torch.load('FILE').numpy())", error)
               : holds(data, front, "[Content_Types].xml")
                   ? refuse(path, "an Excel workbook", "save it as CSV", error)
                   : PSB_OK;
    }
    size_t at = psb_text_mark(data, size);
    while (at < size && (psb_is_blank(data[at]) || data[at] == '\n' || data[at] == '\r')) {
        at++;
    }
    return at < size && is_json(data + at, data + size)
               ? refuse(path, "JSON",
                        "write features as .npy or .csv, labels as .csv, a run as TREC's text "
                        "(ranx: Run.from_file('FILE').save('FILE.trec'))",
                        error)
               : PSB_OK;
}

/* ---- UTF-16 and line ends ----------------------------------------------------------------- */

static unsigned unit_at(const char *at, bool big) {
    unsigned char first = (unsigned char)at[0], second = (unsigned char)at[1];
    return big ? (unsigned)first << 8 | second : (unsigned)second << 8 | first;
}

size_t psb_utf8_put(unsigned code, char *to) {
    static const unsigned char heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; code >>= 6) {
        to[i] = (char)(0x80 | (code & 0x3f));
    }
    to[0] = (char)(heads[length] | code);
    return length;
}

/* Converts UTF-16 behind its mark; 0 bytes for a lone half of a pair. */
static size_t convert(const char *data, size_t size, bool big, char *to) {
    size_t written = 0;
    for (size_t i = 2; i + 1 < size; i += 2) {
        unsigned unit = unit_at(data + i, big);
        if (unit >= 0xd800 && unit < 0xe000) {
            unsigned low = i + 3 < size ? unit_at(data + i + 2, big) : 0;
            if (unit >= 0xdc00 || low < 0xdc00 || low >= 0xe000) {
                return 0;
            }
            unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            i += 2;
        }
        written += psb_utf8_put(unit, to + written);
    }
    return written;
}

static psb_status read_wide(const char *path, const char *data, size_t size, psb_plain_text *text,
                            psb_error *error) {
    psb_status status = PSB_OK;
    text->owned = psb_new(&status, size / 2, 3, "a text", error);
    if (status == PSB_OK) {
        text->size = size % 2 == 0 ? convert(data, size, data[0] == '\xfe', text->owned) : 0;
        text->data = text->owned;
        status = text->size > 0
                     ? PSB_OK
                     : psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                                   "begins with the mark of UTF-16 and is no text in it");
    }
    return status;
}

/* True if a CR ends a line without an LF behind it. */
static bool has_lone_return(const psb_plain_text *text) {
    const char *end = text->data + text->size, *at = text->data;
    while (at < end && (at = memchr(at, '\r', (size_t)(end - at))) != NULL) {
        if (++at == end || *at != '\n') {
            return true;
        }
    }
    return false;
}

static psb_status end_lines(psb_plain_text *text, psb_error *error) {
    psb_status status = PSB_OK;
    if (text->owned == NULL) {
        text->owned = psb_new(&status, text->size, 1, "a text", error);
        if (status != PSB_OK) {
            return status;
        }
        memcpy(text->owned, text->data, text->size);
        text->data = text->owned;
    }
    for (size_t i = 0; i < text->size; i++) {
        bool lone = text->owned[i] == '\r' && (i + 1 == text->size || text->owned[i + 1] != '\n');
        text->owned[i] = lone ? '\n' : text->owned[i];
    }
    return PSB_OK;
}

psb_status psb_plain_open(const char *path, const char *data, size_t size, psb_plain_text *text,
                          psb_error *error) {
    size_t mark = psb_text_mark(data, size);
    *text = (psb_plain_text){data + mark, size - mark, NULL};
    bool wide = size >= 2 && ((data[0] == '\xff' && data[1] == '\xfe') ||
                              (data[0] == '\xfe' && data[1] == '\xff'));
    psb_status status = wide ? read_wide(path, data, size, text, error)
                             : psb_refuse_format(path, data, size, error);
    PSB_THEN_IF(status, text->size > 0 && memchr(text->data, '\0', text->size) != NULL,
                psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                            "is not text, as classifications, tables and lists are"));
    return status == PSB_OK && has_lone_return(text) ? end_lines(text, error) : status;
}

void psb_plain_close(psb_plain_text *text) {
    free(text->owned);
    *text = (psb_plain_text){0};
}
