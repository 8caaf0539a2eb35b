/*
 * The format (NumPy's "NEP 1"): a magic word, a version, the header's length, the header, the data.
 * The header is a Python dictionary with three known keys, read as just that and not as Python.
 */
#include "io/npy.h"

#include "core/element.h"
#include "core/number.h"
#include "io/npz.h"
#include "io/plain_text.h"
#include "io/scalar.h"

#include <float.h>
#include <math.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the formats .matrix and .npy are read and written as they lie in memory: little-endian"
#endif

enum {
    MAGIC_BYTES = 6,
    PREFIX_BYTES = 10,      /* magic, version, 16 bits of header length */
    PREFIX_BYTES_WIDE = 12, /* version 2: 32 bits */
    ALIGNMENT = 64,
    PIECE = 1 << 24, /* elements of a large file that are read before their pages are released */
};

static const char magic[] = "\x93NUMPY";

typedef struct header {
    const char *path;
    const char *at, *end;
    psb_error *error;
    char kind;     /* 'f', 'i', 'u' or 'b'; 'U' or 'S' for texts */
    size_t size;   /* bytes of an element */
    bool big;      /* big-endian */
    bool fortran;  /* column-major */
    bool texts;    /* texts are read, too */
    size_t points; /* K of an array N x K x 3; else 0 */
} header;

static const char *type_name(psb_element element) {
    return element == PSB_UINT8 ? "|u1" : "<f4";
}

/* ---- the dictionary -------------------------------------------------------------------- */

static psb_status fail(const header *h, const char *expected) {
    return psb_fail_at(h->error, PSB_ERROR_INPUT, h->path, 0, "damaged .npy header: no %s",
                       expected);
}

static void skip_space(header *h) {
    while (h->at < h->end && (*h->at == ' ' || *h->at == '\n')) {
        h->at++;
    }
}

/* Moves past the text, if it comes next. */
static bool take(header *h, const char *text) {
    skip_space(h);
    size_t length = strlen(text);
    bool there = (size_t)(h->end - h->at) >= length && memcmp(h->at, text, length) == 0;
    h->at += there ? length : 0;
    return there;
}

/* Reads a quoted text without escapes, cut off at `room`. */
static bool take_text(header *h, char *text, size_t room) {
    const char quote = take(h, "'") ? '\'' : '"', ending[] = {quote, '\0'};
    if (quote == '"' && !take(h, "\"")) {
        return false;
    }
    size_t length = 0;
    for (; h->at < h->end && *h->at != quote; h->at++) {
        if (*h->at < ' ' || *h->at > '~' || *h->at == '\\') {
            return false;
        }
        if (length + 1 < room) {
            text[length++] = *h->at;
        }
    }
    text[length] = '\0';
    return take(h, ending);
}

static psb_status read_type(header *h, psb_element *element) {
    char name[16];
    if (!take_text(h, name, sizeof name)) {
        return fail(h, "plain element type");
    }
    int64_t size = 0;
    h->kind = strlen(name) > 2 && psb_parse_int64(name + 2, &size) ? name[1] : '\0';
    h->big = name[0] == '>';
    bool text = (h->kind == 'U' || h->kind == 'S') && size > 0 && size < 1 << 20;
    bool whole = size == 1 || size == 2 || size == 4 || size == 8;
    bool number = whole && ((h->kind == 'f' && size > 1) || h->kind == 'i' || h->kind == 'u' ||
                            (h->kind == 'b' && size == 1));
    if (strchr("<>|=", name[0]) == NULL || !(h->texts ? text || number : number)) {
        return psb_fail_at(h->error, PSB_ERROR_INPUT, h->path, 0,
                           "elements of type '%s', but only %s are read%s", name,
                           h->texts ? "texts and numbers" : "numbers of at most 8 bytes",
                           h->texts ? ": save labels.astype(str)" : "");
    }
    h->size = (size_t)size * (h->kind == 'U' ? 4 : 1);
    *element = h->kind == 'u' && h->size == 1 ? PSB_UINT8 : PSB_FLOAT32;
    return PSB_OK;
}

static psb_status read_order(header *h) {
    if (take(h, "False")) {
        return PSB_OK;
    }
    h->fortran = take(h, "True");
    return h->fortran ? PSB_OK : fail(h, "True or False behind 'fortran_order'");
}

static psb_status read_shape(header *h, psb_npy *npy) {
    if (!take(h, "(")) {
        return fail(h, "'(' behind 'shape'");
    }
    int64_t size[3] = {0, 0, 0};
    size_t dimensions = 0;
    while (!take(h, ")")) {
        int64_t value;
        if (!psb_scan_int64(&h->at, h->end, &value) || value < 0) {
            return fail(h, "sizes in 'shape'");
        }
        if (dimensions < 3) {
            size[dimensions] = value;
        }
        dimensions++;
        h->at += h->at < h->end && *h->at == 'L'; /* Python 2 writes long integers so */
        bool last = !take(h, ",");
        skip_space(h);
        if (last && (h->at == h->end || *h->at != ')')) {
            return fail(h, "')' behind the sizes in 'shape'");
        }
    }
    if (dimensions == 3 && size[2] == 3 && size[1] <= PTRDIFF_MAX / 3) {
        h->points = (size_t)size[1];
        npy->rows = (size_t)size[0];
        npy->columns = 3 * h->points;
        return PSB_OK;
    }
    if (dimensions != 1 && dimensions != 2) {
        return psb_fail_at(h->error, PSB_ERROR_INPUT, h->path, 0,
                           "an array of %zu dimensions, but only 1, 2 and N x K x 3 are read",
                           dimensions);
    }
    npy->rows = dimensions == 2 ? (size_t)size[0] : 1;
    npy->columns = (size_t)size[dimensions - 1];
    return PSB_OK;
}

static psb_status read_header(header *h, psb_npy *npy) {
    if (!take(h, "{")) {
        return fail(h, "'{'");
    }
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    enum { DESCR, FORTRAN_ORDER, SHAPE, KEYS };
    bool seen[KEYS] = {false};
    for (int pairs = 0; pairs < KEYS; pairs++) {
        char name[16];
        if (!take_text(h, name, sizeof name) || !take(h, ":")) {
            return fail(h, "key");
        }
        int key = 0;
        while (key < KEYS && strcmp(name, keys[key]) != 0) {
            key++;
        }
        if (key == KEYS || seen[key]) {
            return psb_fail_at(h->error, PSB_ERROR_INPUT, h->path, 0,
                               "damaged .npy header: '%s' is unknown or occurs twice", name);
        }
        seen[key] = true;
        skip_space(h);
        psb_status status = key == DESCR           ? read_type(h, &npy->element)
                            : key == FORTRAN_ORDER ? read_order(h)
                                                   : read_shape(h, npy);
        if (status != PSB_OK) {
            return status;
        }
        if (!take(h, ",") && pairs + 1 < KEYS) {
            return fail(h, "',' between entries");
        }
    }
    if (!take(h, "}")) {
        return fail(h, "'}' behind three entries");
    }
    skip_space(h);
    return h->at == h->end ? PSB_OK : fail(h, "end behind '}'");
}

/* ---- the file -------------------------------------------------------------------------- */

/* Releases the pages of the elements first ... end - 1 after reading, as a mapped file may be
 * larger than memory. */
static void let_go(bool mapped, const void *data, size_t size, size_t first, size_t end) {
    if (mapped && (first > 0 || end == PIECE)) {
        psb_input_release((const char *)data + first * size, (end - first) * size);
    }
}

static size_t piece_end(size_t first, size_t count) {
    return count - first < PIECE ? count : first + PIECE;
}

/* Converts a float16: five bits of exponent, ten of mantissa. */
static float half(unsigned bits) {
    unsigned exponent = bits >> 10 & 31, mantissa = bits & 1023;
    float value = exponent == 0    ? ldexpf((float)mantissa, -24)
                  : exponent == 31 ? (mantissa == 0 ? INFINITY : NAN)
                                   : ldexpf((float)(mantissa + 1024), (int)exponent - 25);
    return bits >> 15 != 0 ? -value : value;
}

static double real_at(const header *h, const char *at) {
    return h->size == 2 ? (double)half((unsigned)psb_load_bits(at, 2, h->big))
                        : psb_load_real(at, h->size == 8 ? PSB_F64 : PSB_F32, h->big);
}

/* Returns the element as float32; too large values become infinite, which check_finite refuses. */
static float element_at(const header *h, const char *at) {
    if (h->kind == 'f') {
        return (float)real_at(h, at);
    }
    uint64_t bits = psb_load_bits(at, h->size, h->big);
    uint64_t sign = (uint64_t)1 << (8 * h->size - 1);
    return h->kind == 'i' && (bits & sign) != 0 ? -(float)((~bits & (sign | (sign - 1))) + 1)
                                                : (float)bits;
}

/* Returns where element i, in C order, lies in the file. */
static size_t place_of(const header *h, const psb_npy *npy, size_t i) {
    size_t column = i % npy->columns;
    column = h->points > 0 ? column / 3 + column % 3 * h->points : column;
    return h->fortran ? column * npy->rows + i / npy->columns : i;
}

/* Converts the array to float32, or uint8, in C order, in npy->converted. */
static psb_status convert(const header *h, psb_npy *npy, bool mapped, psb_error *error) {
    size_t count = npy->rows * npy->columns;
    psb_status status = PSB_OK;
    npy->converted = psb_new(&status, count, psb_element_bytes(npy->element), "an array", error);
    if (status != PSB_OK) {
        return status;
    }
    const char *from = npy->data;
    for (size_t first = 0; first < count; first = piece_end(first, count)) {
        size_t end = piece_end(first, count);
        for (size_t i = first; i < end; i++) {
            size_t at = place_of(h, npy, i);
            if (npy->element == PSB_UINT8) {
                ((char *)npy->converted)[i] = from[at];
            } else {
                ((float *)npy->converted)[i] = element_at(h, from + at * h->size);
            }
        }
        let_go(mapped && !h->fortran, from, h->size, first, end);
    }
    npy->data = npy->converted;
    return PSB_OK;
}

/* `from` are the elements in the file. */
static psb_status check_finite(const header *h, const psb_npy *npy, const char *from, bool mapped,
                               psb_error *error) {
    const float *values = npy->data;
    size_t count = npy->rows * npy->columns;
    for (size_t first = 0; first < count; first = piece_end(first, count)) {
        size_t end = piece_end(first, count);
        bool fine = psb_all_finite(values + first, end - first, -FLT_MAX);
        for (size_t i = first; i < end && !fine; i++) {
            if (!psb_all_finite(values + i, 1, -FLT_MAX)) {
                double value = real_at(h, from + place_of(h, npy, i) * h->size);
                return psb_fail_at(
                    error, PSB_ERROR_INPUT, h->path, 0, "row %zu, column %zu is %g, %s",
                    i / npy->columns, i % npy->columns, value,
                    isfinite(value) ? "beyond the range of float32" : "not a finite number");
            }
        }
        let_go(mapped, values, sizeof *values, first, end);
    }
    return PSB_OK;
}

/* Finds the start and end of the header from the prefix. */
static psb_status find_header(const char *path, const char *data, size_t size, header *h,
                              psb_error *error) {
    if (size < PREFIX_BYTES || memcmp(data, magic, MAGIC_BYTES) != 0) {
        psb_status status = psb_refuse_format(path, data, size, error);
        return status != PSB_OK
                   ? status
                   : psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                                 "not a .npy file, as NumPy and `psbench describe -o` write it");
    }
    unsigned major = (unsigned char)data[6], minor = (unsigned char)data[7];
    if (major < 1 || major > 3 || minor != 0) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "version %u.%u of .npy, but only 1.0 to 3.0 are read", major, minor);
    }
    size_t prefix = major == 1 ? PREFIX_BYTES : PREFIX_BYTES_WIDE;
    if (size < prefix) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "the file ends in its header");
    }
    size_t length = (size_t)psb_load_bits(data + 8, prefix - 8, false);
    if (length > size - prefix) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "a header of %zu bytes, but only %zu bytes are left", length,
                           size - prefix);
    }
    *h = (header){.path = path, .at = data + prefix, .end = data + prefix + length, .error = error};
    return PSB_OK;
}

/* Reads the header; the file's elements follow it. */
static psb_status parse_header(const char *path, const char *data, size_t size, bool texts,
                               header *h, psb_npy *npy, psb_error *error) {
    psb_status status = find_header(path, data, size, h, error);
    h->texts = texts;
    PSB_THEN(status, read_header(h, npy));
    if (status != PSB_OK) {
        return status;
    }
    size_t bytes = h->size, room = size - (size_t)(h->end - data);
    if (npy->rows == 0 || npy->columns == 0) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "an empty array: %zu x %zu", npy->rows,
                           npy->columns);
    }
    if (npy->columns > SIZE_MAX / npy->rows / bytes || npy->rows * npy->columns * bytes != room) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "%zu x %zu elements of %zu bytes, but %zu bytes follow the header",
                           npy->rows, npy->columns, bytes, room);
    }
    npy->data = h->end;
    return PSB_OK;
}

static psb_status parse(const char *path, const char *data, size_t size, bool mapped, psb_npy *npy,
                        psb_error *error) {
    header h;
    psb_status status = parse_header(path, data, size, false, &h, npy, error);
    if (status != PSB_OK) {
        return status;
    }
    size_t start = (size_t)(h.end - data);
    bool plain = (npy->element == PSB_UINT8 || (h.kind == 'f' && h.size == sizeof(float))) &&
                 !h.big &&
                 (!h.fortran || ((npy->rows == 1 || npy->columns == 1) && h.points == 0)) &&
                 start % h.size == 0;
    status = plain ? PSB_OK : convert(&h, npy, mapped, error);
    return status == PSB_OK && npy->element == PSB_FLOAT32
               ? check_finite(&h, npy, h.end, mapped && plain, error)
               : status;
}

psb_status psb_npy_parse(const char *path, const void *data, size_t size, psb_npy *npy,
                         psb_error *error) {
    *npy = (psb_npy){0};
    psb_status status = parse(path, data, size, false, npy, error);
    if (status != PSB_OK) {
        psb_npy_close(npy);
    }
    return status;
}

/* Reads an array of an .npz; npy->converted is the unpacked or converted data. */
static psb_status read_packed(const char *path, psb_npy *npy, psb_error *error) {
    PSB_FREED void *bytes = NULL;
    size_t size = 0;
    psb_status status = psb_npz_read(path, &bytes, &size, error);
    PSB_THEN(status, parse(path, bytes, size, false, npy, error));
    if (status == PSB_OK && npy->converted == NULL) {
        npy->converted = bytes;
        bytes = NULL;
    }
    return status;
}

static bool is_text_name(const char *path) {
    static const char *const endings[] = {".csv", ".tsv", ".txt"};
    const char *dot = strrchr(path, '.');
    size_t e = 0;
    while (e < 3 && (dot == NULL || strcmp(dot, endings[e]) != 0)) {
        e++;
    }
    return e < 3;
}

bool psb_npy_may_be(const char *path) {
    const char *dot = strrchr(path, '.');
    return psb_npz_is(path) || is_text_name(path) || (dot != NULL && strcmp(dot, ".npy") == 0);
}

/*
 * Fails for a column of the numbers of the rows, which programs write beside features: from so many
 * rows on that small whole numbers are none by chance. Bytes are no table that people made.
 */
static psb_status refuse_places(const char *path, const psb_npy *npy, bool text, psb_error *error) {
    enum { OF_TEXT = 2, OF_ARRAY = 8, IN_ANY_ORDER = 20 };
    const size_t n = npy->rows, columns = npy->columns;
    const bool table = n > (text ? OF_TEXT : OF_ARRAY) && columns > 1 && columns != n &&
                       npy->element == PSB_FLOAT32;
    if (!table) {
        return PSB_OK;
    }
    psb_status status = PSB_OK;
    PSB_FREED size_t *seen = psb_new_zero(&status, n + 1, sizeof *seen, "numbers of rows", error);
    for (size_t c = 0; c < columns && status == PSB_OK; c++) {
        size_t i = 0, ordered = 0;
        for (double v, last = 0; i < n; i++, last = v) {
            v = (double)((const float *)npy->data)[i * columns + c];
            if (!(v >= 0 && v <= (double)n && v == floor(v)) || seen[(size_t)v] == c + 1) {
                break;
            }
            seen[(size_t)v] = c + 1;
            ordered += i == 0 || v == last + 1;
        }
        const bool from_1 = seen[0] != c + 1, to_n = seen[n] == c + 1;
        PSB_THEN_IF(status, i == n && from_1 == to_n && (ordered == n || n > IN_ANY_ORDER),
                    psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                                "column %zu is %d, %d, ...%s, the numbers of the rows, not a "
                                "feature: leave it out (pandas: index=False)",
                                c, from_1, from_1 + 1, ordered < n ? " in another order" : ""));
    }
    return status;
}

psb_status psb_npy_read(const char *path, psb_npy *npy, psb_error *error) {
    *npy = (psb_npy){0};
    psb_input input;
    bool text = false;
    psb_status status = PSB_OK;
    if (psb_npz_is(path)) {
        status = read_packed(path, npy, error);
    } else if ((status = psb_input_open(path, &input, error)) == PSB_OK) {
        text = is_text_name(path) && !psb_npy_is(input.data, input.size);
        status = text ? psb_npy_parse_text(path, input.data, input.size, npy, error)
                      : parse(path, input.data, input.size, true, npy, error);
        npy->input = input;
    }
    PSB_THEN(status, refuse_places(path, npy, text, error));
    if (status != PSB_OK) {
        psb_npy_close(npy);
    }
    return status;
}

void psb_npy_close(psb_npy *npy) {
    if (npy != NULL) {
        psb_input_close(&npy->input);
        free(npy->converted);
        psb_text_free(&npy->names);
        *npy = (psb_npy){0};
    }
}

bool psb_npy_is(const void *data, size_t size) {
    return size >= MAGIC_BYTES && memcmp(data, magic, MAGIC_BYTES) == 0;
}

/* Appends a text of the array, without the NULs at its end. */
static bool add_text(const header *h, const char *at, psb_text *texts) {
    size_t unit = h->kind == 'U' ? 4 : 1;
    for (size_t i = 0; i < h->size; i += unit) {
        unsigned code = (unsigned)psb_load_bits(at + i, unit, h->big);
        char bytes[4] = {(char)code};
        if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
            return false;
        }
        if (code != 0) {
            psb_text_add_bytes(texts, bytes, unit == 4 ? psb_utf8_put(code, bytes) : 1);
        }
    }
    return true;
}

/* Appends a whole number, or a truth value. */
static bool add_number(const header *h, const char *at, psb_text *texts) {
    double value = element_at(h, at);
    if (value != floor(value) || fabs(value) >= 1 << 24) { /* float32 has all below */
        return false;
    }
    psb_text_printf(texts, "%.0f", value);
    return true;
}

psb_status psb_npy_texts(const char *path, const void *data, size_t size, psb_text *texts,
                         size_t *count, psb_error *error) {
    header h;
    psb_npy npy = {0};
    psb_status status = parse_header(path, data, size, true, &h, &npy, error);
    *count = npy.rows * npy.columns;
    PSB_THEN_IF(
        status, npy.rows != 1 && npy.columns != 1,
        psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                    "an array of %zu x %zu, where labels are one for each model: want N or N x 1",
                    npy.rows, npy.columns));
    for (size_t i = 0; i < *count && status == PSB_OK; i++) {
        const char *at = (const char *)npy.data + i * h.size;
        bool text = h.kind == 'U' || h.kind == 'S';
        if (!(text ? add_text(&h, at, texts) : add_number(&h, at, texts))) {
            status = psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "label %zu is %s", i,
                                 text ? "no text" : "no whole number below 16,777,216");
        }
        psb_text_add_bytes(texts, "", 1);
        PSB_THEN(status, psb_text_status(texts, error));
    }
    return status;
}

psb_status psb_npy_check_models(const char *path, const psb_npy *npy, size_t models,
                                psb_error *error) {
    return npy->rows == models ? PSB_OK
                               : psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                                             "rows of %zu models, but the classification has %zu; "
                                             "give the classes of these models",
                                             npy->rows, models);
}

psb_status psb_npy_check_alike(const char *path, const psb_npy *npy, const char *other_path,
                               const psb_npy *other, psb_error *error) {
    return npy->columns == other->columns && npy->element == other->element
               ? PSB_OK
               : psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                             "rows of %zu numbers, but those of %.200s have %zu or another type; "
                             "name two files of one descriptor",
                             npy->columns, other_path, other->columns);
}

psb_status psb_npy_widen(psb_npy *npy, psb_error *error) {
    const unsigned char *bytes = npy->data;
    psb_status status = PSB_OK;
    if (npy->element != PSB_UINT8) {
        return PSB_OK;
    }
    float *rows = psb_new(&status, npy->rows, npy->columns * sizeof *rows, "an array", error);
    for (size_t i = 0; status == PSB_OK && i < npy->rows * npy->columns; i++) {
        rows[i] = bytes[i];
    }
    if (status == PSB_OK) {
        psb_npy wide = {npy->rows, npy->columns, PSB_FLOAT32, rows, {NULL, 0}, rows, {0}};
        psb_npy_close(npy);
        *npy = wide;
    }
    return status;
}

psb_status psb_npy_reorder(psb_npy *npy, const size_t *order, psb_error *error) {
    size_t bytes = npy->columns * psb_element_bytes(npy->element);
    psb_status status = PSB_OK;
    char *rows = psb_new(&status, npy->rows, bytes, "an array in another order", error);
    if (status != PSB_OK) {
        return status;
    }
    for (size_t i = 0; i < npy->rows; i++) {
        memcpy(rows + i * bytes, (const char *)npy->data + order[i] * bytes, bytes);
    }
    psb_npy reordered = {npy->rows, npy->columns, npy->element, rows, {NULL, 0}, rows, {0}};
    psb_npy_close(npy);
    *npy = reordered;
    return PSB_OK;
}

size_t psb_npy_head(size_t rows, size_t columns, psb_element element,
                    char text[PSB_NPY_HEAD_MOST]) {
    memcpy(text, magic, MAGIC_BYTES);
    int n = snprintf(text + PREFIX_BYTES, PSB_NPY_HEAD_MOST - PREFIX_BYTES,
                     "{'descr': '%s', 'fortran_order': False, 'shape': (%zu, %zu), }",
                     type_name(element), rows, columns);
    /* Pads with spaces and a line feed, so that the data begin at a multiple of 64 bytes. */
    size_t used = PREFIX_BYTES + (size_t)n;
    size_t start = (used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memset(text + used, ' ', start - used);
    text[start - 1] = '\n';
    text[6] = 1;
    text[7] = 0;
    text[8] = (char)((start - PREFIX_BYTES) & 0xff);
    text[9] = (char)((start - PREFIX_BYTES) >> 8);
    return start;
}

void psb_npy_write_head(psb_output *output, size_t rows, size_t columns, psb_element element) {
    char text[PSB_NPY_HEAD_MOST];
    fwrite(text, 1, psb_npy_head(rows, columns, element, text), output->stream);
}

psb_status psb_npy_write(const char *path, const void *data, size_t rows, size_t columns,
                         psb_element element, psb_error *error) {
    psb_output output;
    psb_status status = psb_output_open(path, &output, error);
    if (status != PSB_OK) {
        return status;
    }
    psb_npy_write_head(&output, rows, columns, element);
    fwrite(data, psb_element_bytes(element), rows * columns, output.stream);
    return psb_output_commit(&output, error);
}
