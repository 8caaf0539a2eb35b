/* Blocks of a model, the directions from a Gram matrix, their file, projections. */
#include "run/signature.h"

#include "core/element.h"
#include "core/elementary.h"
#include "core/error.h"
#include "core/file.h"
#include "core/linear.h"
#include "core/names.h"
#include "lightfield/record.h"
#include "proof/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Of the light field: mean, standard deviation and three quantiles of each byte over the views. */
enum { VIEWS = PSB_LFD_LENGTH / PSB_LFD_RECORD, STATISTICS = 5 };
enum { PARTS = 5, LENGTH = 4352 + 544 + 272 + 136 + STATISTICS * PSB_LFD_RECORD };

static const psb_row_part parts[PARTS] = {
    {"GEDT:form=magnitude", 4352, PSB_FLOAT32},
    {"SHD:scale=rms", 544, PSB_FLOAT32},
    {"CEGI:smooth=0.04,normals=outward,form=magnitude", 272, PSB_FLOAT32},
    {"EXT:form=magnitude", 136, PSB_FLOAT32},
    {"LFD:moments=zernike", PSB_LFD_LENGTH, PSB_UINT8},
};
/* Of the absolute values of the first four, where large ones would hide the others; 1: as they are.
 */
static const double power[] = {0.7, 1, 0.7, 0.7};

/* ---- blocks ---------------------------------------------------------------------------- */

static void scale(double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    for (size_t i = 0; i < n && sum > 0; i++) {
        x[i] /= sqrt(sum);
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, double share) {
    double at = share * (VIEWS - 1);
    size_t below = (size_t)at;
    return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

static void describe_views(const uint8_t *row, double *out) {
    for (size_t k = 0; k < PSB_LFD_RECORD; k++) {
        double value[VIEWS], sum = 0, squares = 0;
        for (size_t v = 0; v < VIEWS; v++) {
            value[v] = sqrt(row[v * PSB_LFD_RECORD + k] / 255.0);
            sum += value[v];
        }
        for (size_t v = 0; v < VIEWS; v++) {
            squares += (value[v] - sum / VIEWS) * (value[v] - sum / VIEWS);
        }
        qsort(value, VIEWS, sizeof *value, ascending);
        const double found[STATISTICS] = {sum / VIEWS, sqrt(squares / VIEWS), quantile(value, 0.1),
                                          quantile(value, 0.5), quantile(value, 0.9)};
        for (size_t s = 0; s < STATISTICS; s++) {
            out[s * PSB_LFD_RECORD + k] = found[s];
        }
    }
}

/* All blocks of model i. */
static void lay_out(const psb_npy *npy, size_t i, double *out) {
    for (size_t p = 0; p + 1 < PARTS; p++) {
        const float *row = (const float *)npy[p].data + i * parts[p].length;
        for (size_t k = 0; k < parts[p].length; k++) {
            out[k] = power[p] == 1 ? (double)row[k] : psb_pow(fabs((double)row[k]), power[p]);
        }
        scale(out, parts[p].length);
        out += parts[p].length;
    }
    describe_views((const uint8_t *)npy[PARTS - 1].data + i * PSB_LFD_LENGTH, out);
    scale(out, (size_t)STATISTICS * PSB_LFD_RECORD);
}

/* ---- what rows are made by --------------------------------------------------------------- */

/* Appends the text of all blocks; with a run its rows have to be of the same revisions. */
static psb_status describe_parts(const psb_results *results, psb_text *text, psb_error *error) {
    psb_run_facts facts = {0};
    psb_status status = results != NULL ? psb_run_read_facts(results, &facts, error) : PSB_OK;
    for (size_t p = 0; p < PARTS && status == PSB_OK; p++) {
        psb_spec *spec = NULL;
        status = psb_spec_parse(NULL, parts[p].spec, &spec, error);
        if (status == PSB_OK) {
            psb_store_describe(spec, NULL, text);
        }
        if (status == PSB_OK && results != NULL) {
            status = psb_run_check_revision(results, &facts, spec, error);
        }
        psb_spec_free(spec);
    }
    psb_run_facts_free(&facts);
    while (text->length % sizeof(double) != 0) {
        psb_text_add(text, "\n");
    }
    return status == PSB_OK ? psb_text_status(text, error) : status;
}

/* ---- the file -------------------------------------------------------------------------- */

typedef struct head {
    char magic[8];
    uint64_t text, list, models, length, count;
} head;
static const char magic[] = "psbsig1\n";

static size_t numbers_of(size_t count) {
    return LENGTH + count + count * LENGTH;
}

static void point(psb_basis *d, const double *numbers) {
    d->mean = numbers;
    d->divisor = numbers + LENGTH;
    d->direction = d->divisor + d->count;
}

static psb_status write_file(const psb_basis *d, const psb_text *text, const char *path,
                             psb_error *error) {
    head h = {.text = text->length,
              .list = d->list,
              .models = d->models,
              .length = LENGTH,
              .count = d->count};
    psb_text all = {0};
    memcpy(h.magic, magic, sizeof h.magic);
    psb_text_add_bytes(&all, (const char *)&h, sizeof h);
    psb_text_add_bytes(&all, text->data, text->length);
    psb_text_add_bytes(&all, (const char *)d->mean, numbers_of(d->count) * sizeof(double));
    if (!all.failed) {
        uint64_t hash = XXH64(all.data, all.length, 0);
        psb_text_add_bytes(&all, (const char *)&hash, sizeof hash);
    }
    psb_status status = psb_text_status(&all, error);
    PSB_THEN(status, psb_write_file(path, all.data, all.length, error));
    psb_text_free(&all);
    return status;
}

static psb_status check_numbers(const char *path, const psb_basis *d, psb_error *error) {
    for (size_t i = 0; i < numbers_of(d->count); i++) {
        bool divisor = i >= LENGTH && i < LENGTH + d->count;
        if (!isfinite(d->mean[i]) || (divisor && !(d->mean[i] > 0))) {
            return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "number %zu is %g", i, d->mean[i]);
        }
    }
    return PSB_OK;
}

static psb_status take(const char *path, const char *data, size_t size, const psb_text *text,
                       psb_basis *d, psb_error *error) {
    head h = {.text = 0};
    uint64_t hash = 0;
    if (size >= sizeof h + sizeof hash) {
        memcpy(&h, data, sizeof h);
        memcpy(&hash, data + size - sizeof hash, sizeof hash);
    }
    if (memcmp(h.magic, magic, sizeof h.magic) != 0) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "not a file of directions of signatures");
    }
    if (h.text != text->length || size < sizeof h + h.text ||
        memcmp(data + sizeof h, text->data, text->length) != 0) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "made from other revisions or parameters of descriptors than this "
                           "program's; make it anew");
    }
    size_t bytes = numbers_of(h.count) * sizeof(double);
    if (h.length != LENGTH || h.count == 0 || h.count > PSB_SIGNATURE_LENGTH ||
        size != sizeof h + h.text + bytes + sizeof hash) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "%zu bytes for %llu directions of %llu numbers", size,
                           (unsigned long long)h.count, (unsigned long long)h.length);
    }
    if (XXH64(data, size - sizeof hash, 0) != hash) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "damaged: it does not have its own checksum");
    }
    psb_status status = PSB_OK;
    *d = (psb_basis){.list = h.list, .models = h.models, .count = h.count, .hash = hash};
    d->length = LENGTH;
    d->memory = psb_new(&status, 1, bytes, "directions", error);
    if (status == PSB_OK) {
        memcpy(d->memory, data + sizeof h + h.text, bytes);
        point(d, d->memory);
        status = check_numbers(path, d, error);
    }
    return status;
}

psb_status psb_basis_parse(const char *path, const char *data, size_t size, psb_basis *directions,
                           psb_error *error) {
    psb_text text = {0};
    *directions = (psb_basis){0};
    psb_status status = describe_parts(NULL, &text, error);
    PSB_THEN(status, take(path, data, size, &text, directions, error));
    if (status != PSB_OK) {
        psb_basis_free(directions);
    }
    psb_text_free(&text);
    return status;
}

psb_status psb_basis_read(const char *path, psb_basis *directions, psb_error *error) {
    psb_input file;
    *directions = (psb_basis){0};
    psb_status status = psb_input_open(path, &file, error);
    if (status == PSB_OK) {
        status = psb_basis_parse(path, file.data, file.size, directions, error);
        psb_input_close(&file);
    }
    return status;
}

void psb_basis_free(psb_basis *directions) {
    free(directions->memory);
    *directions = (psb_basis){0};
}

/* ---- learning -------------------------------------------------------------------------- */

/* The models of the run that stand in the list, n of them; the rows behind x's first number. */
static psb_status gather(const psb_derived *d, const psb_classification *training, double **x,
                         size_t *n, psb_error *error) {
    psb_npy npy[PARTS] = {{0}};
    psb_names names = {0};
    size_t all = d->cla.nmodels < training->nmodels ? d->cla.nmodels : training->nmodels;
    psb_status status = psb_row_parts_open(&d->results, d->cla.nmodels, parts, PARTS, npy, error);
    PSB_THEN(status, psb_names_fill(&names, training->models, training->nmodels, error));
    *x = psb_new(&status, all, LENGTH * sizeof **x, "training rows", error);
    for (size_t i = 0; i < d->cla.nmodels && status == PSB_OK; i++) {
        if (psb_names_find(&names, d->cla.models[i]) != PSB_NO_NAME) {
            lay_out(npy, i, *x + (*n)++ * LENGTH);
        }
    }
    for (size_t p = 0; p < PARTS; p++) {
        psb_npy_close(&npy[p]);
    }
    psb_names_free(&names);
    return status;
}

static void centre(double *x, size_t n, double *mean) {
    memset(mean, 0, LENGTH * sizeof *mean);
    for (size_t i = 0; i < n * LENGTH; i++) {
        mean[i % LENGTH] += x[i] / (double)n;
    }
    for (size_t i = 0; i < n * LENGTH; i++) {
        x[i] -= mean[i % LENGTH];
    }
}

/* A direction and its opposite are the same: the largest number is positive. */
static void orient(double *direction) {
    size_t largest = 0;
    for (size_t k = 1; k < LENGTH; k++) {
        largest = fabs(direction[k]) > fabs(direction[largest]) ? k : largest;
    }
    for (size_t k = 0, turn = direction[largest] < 0; k < LENGTH && turn; k++) {
        direction[k] = -direction[k];
    }
}

/* Principal directions of the rows of x, by the eigenvectors of x x'. */
static psb_status find_directions(double *x, size_t n, psb_basis *d, psb_error *error) {
    size_t most = n - 1 < PSB_SIGNATURE_LENGTH ? n - 1 : PSB_SIGNATURE_LENGTH;
    double values[PSB_SIGNATURE_LENGTH];
    psb_status status = PSB_OK;
    double *gram = psb_new(&status, n, n * sizeof *gram, "products of rows", error);
    double *vectors = psb_new(&status, most, n * sizeof *vectors, "eigenvectors", error);
    double *numbers = psb_new(&status, numbers_of(most), sizeof *numbers, "directions", error);
    d->memory = numbers;
    if (status == PSB_OK) {
        centre(x, n, numbers);
        psb_matrix_product((int)n, (int)n, LENGTH, x, LENGTH, x, LENGTH, true, gram, (int)n);
        status = psb_eigen_largest((int)n, gram, (int)most, values, vectors, error);
    }
    while (status == PSB_OK && d->count < most &&
           values[most - 1 - d->count] > 1e-9 * values[most - 1]) {
        d->count++;
    }
    if (status == PSB_OK && !(d->count > 0 && values[most - 1] > 0)) {
        status = psb_fail(error, PSB_ERROR_INPUT, "the training models do not differ");
    }
    if (status == PSB_OK) {
        point(d, numbers);
    }
    for (size_t k = 0; k < d->count && status == PSB_OK; k++) {
        double value = values[most - 1 - k], *direction = numbers + numbers_of(0) + d->count;
        direction += k * LENGTH;
        double *vector = vectors + (most - 1 - k) * n;
        for (size_t i = 0; i < n; i++) {
            vector[i] /= sqrt(value);
        }
        psb_matrix_product(1, LENGTH, (int)n, vector, (int)n, x, LENGTH, false, direction, LENGTH);
        orient(direction);
        numbers[LENGTH + k] = sqrt(sqrt(value / (double)n));
    }
    free(gram);
    free(vectors);
    return status;
}

psb_status psb_signature_learn(const psb_derived *d, const psb_classification *training,
                               const char *path, size_t *used, psb_error *error) {
    enum { FEWEST = 3, MOST = 16384 };
    double *x = NULL;
    psb_text text = {0};
    psb_basis found = {.list = psb_list_hash(training, 0), .length = LENGTH};
    *used = 0;
    psb_status status = describe_parts(&d->results, &text, error);
    PSB_THEN(status, gather(d, training, &x, used, error));
    if (status == PSB_OK && (*used < FEWEST || *used > MOST)) {
        status =
            psb_fail_at(error, PSB_ERROR_INPUT, d->run, 0,
                        "has %zu models of the training list; want %d to %d", *used, FEWEST, MOST);
    }
    found.models = *used;
    PSB_THEN(status, find_directions(x, *used, &found, error));
    PSB_THEN(status, write_file(&found, &text, path, error));
    psb_basis_free(&found);
    psb_text_free(&text);
    free(x);
    return status;
}

/* ---- projecting ------------------------------------------------------------------------ */

static psb_status project(const void *context, const psb_npy *npy, size_t first, size_t n,
                          void *out, psb_error *error) {
    const psb_basis *d = context;
    float *row = out;
    psb_status status = PSB_OK;
    /* Always whole blocks, so that a row's bits do not depend on how many there are. */
    double *x = psb_new_zero(&status, PSB_DERIVED_BLOCK, LENGTH * sizeof *x, "rows", error);
    double *y = psb_new(&status, PSB_DERIVED_BLOCK, d->count * sizeof *y, "rows", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        lay_out(npy, first + i, x + i * LENGTH);
        for (size_t k = 0; k < LENGTH; k++) {
            x[i * LENGTH + k] -= d->mean[k];
        }
    }
    if (status == PSB_OK) {
        psb_matrix_product(PSB_DERIVED_BLOCK, (int)d->count, LENGTH, x, LENGTH, d->direction,
                           LENGTH, true, y, (int)d->count);
    }
    for (size_t i = 0; i < n * d->count && status == PSB_OK; i++) {
        row[i] = (float)(y[i] / d->divisor[i % d->count]);
    }
    free(x);
    free(y);
    return status;
}

psb_status psb_signature_add(psb_derived *d, const psb_basis *directions, psb_error *error) {
    const psb_derived_rows rows = {.label = "SIGNATURE",
                                   .parts = parts,
                                   .nparts = PARTS,
                                   .length = directions->count,
                                   .element = PSB_FLOAT32,
                                   .key = directions->hash,
                                   .make = project,
                                   .context = directions};
    psb_text text = {0};
    psb_status status = describe_parts(&d->results, &text, error);
    PSB_THEN(status, psb_derived_rows_add(d, &rows, error));
    psb_text_free(&text);
    return status;
}
