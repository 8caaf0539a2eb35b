/* Weights a model's blocks, finds directions from a Gram matrix, stores them in files, projects. */
#include "run/signature.h"

#include "core/element.h"
#include "core/elementary.h"
#include "core/file.h"
#include "core/linear.h"
#include "core/names.h"
#include "core/number.h"
#include "core/seal.h"
#include "lightfield/record.h"
#include "local/vocabulary.h"
#include "proof/store.h"

#include <math.h>
#include <xxhash.h>

/* Statistics of the light field: mean, standard deviation and three quantiles of each byte over the
 * views. */
enum { VIEWS = PSB_LFD_LENGTH / PSB_LFD_RECORD, STATISTICS = 5 };
enum { POOLED_VIEWS = STATISTICS * PSB_LFD_RECORD };
enum { PARTS_MOST = 5, BLOCKS_MOST = 6, FISHER = PSB_WORD_LENGTH };

/* How numbers of a row are changed for a block. */
typedef enum rule { AS_THEY_ARE, MAGNITUDES, SIGNED, OF_VIEWS } rule;

/* `length` numbers of a part's row, starting at `first`: raised to `power`, then scaled to the L2
 * norm `weight`. */
typedef struct block {
    size_t part, first, length; /* for OF_VIEWS, the whole row */
    rule rule;
    double power, weight;
} block;

typedef struct blocks {
    const char *word; /* names the result: "E256" */
    size_t nparts, nblocks, length;
    psb_row_part parts[PARTS_MOST];
    block block[BLOCKS_MOST];
} blocks;

#define HALF 0.70710678118654752 /* squared: 1/2 */
/* The powers below 1 keep large magnitudes from hiding the others. */
static const blocks kinds[PSB_BLOCKS_KINDS] = {
    {"SIGNATURE",
     5,
     5,
     4352 + 544 + 272 + 136 + POOLED_VIEWS,
     {{"GEDT:form=magnitude", 4352, PSB_FLOAT32},
      {"SHD:scale=rms", 544, PSB_FLOAT32},
      {"CEGI:smooth=0.04,normals=outward,form=magnitude", 272, PSB_FLOAT32},
      {"EXT:form=magnitude", 136, PSB_FLOAT32},
      {"LFD:moments=zernike", PSB_LFD_LENGTH, PSB_UINT8}},
     {{0, 0, 4352, MAGNITUDES, 0.7, 1},
      {1, 0, 544, AS_THEY_ARE, 1, 1},
      {2, 0, 272, MAGNITUDES, 0.7, 1},
      {3, 0, 136, MAGNITUDES, 0.7, 1},
      {4, 0, POOLED_VIEWS, OF_VIEWS, 1, 1}}},
    {"E",
     5,
     6,
     2 * FISHER + 1088 + 272 + 816 + POOLED_VIEWS,
     {{"VIEWS:code=fisher42", 2 * (size_t)FISHER, PSB_FLOAT32},
      {"GEDT:form=magnitude,shells=8", 1088, PSB_FLOAT32},
      {"CEGI:smooth=0.04,normals=outward,form=magnitude", 272, PSB_FLOAT32},
      {"DBUF", 816, PSB_FLOAT32},
      {"LFD:moments=zernike", PSB_LFD_LENGTH, PSB_UINT8}},
     {{0, 0, FISHER, SIGNED, 0.2, 1},
      {0, FISHER, FISHER, SIGNED, 0.2, 1},
      {1, 0, 1088, MAGNITUDES, 0.7, HALF},
      {2, 0, 272, MAGNITUDES, 0.7, HALF},
      {3, 0, 816, MAGNITUDES, 0.7, HALF},
      {4, 0, POOLED_VIEWS, OF_VIEWS, 1, HALF}}},
    {"F",
     1,
     2,
     2 * (size_t)FISHER,
     {{"VIEWS:code=fisher42", 2 * (size_t)FISHER, PSB_FLOAT32}},
     {{0, 0, FISHER, SIGNED, 0.2, 1}, {0, FISHER, FISHER, SIGNED, 0.2, 1}}},
};

/* ---- blocks ---------------------------------------------------------------------------- */

static void scale(double *x, size_t n, double weight) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    for (size_t i = 0; i < n && sum > 0; i++) {
        x[i] = weight * x[i] / sqrt(sum);
    }
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
        qsort(value, VIEWS, sizeof *value, psb_by_double);
        const double found[STATISTICS] = {sum / VIEWS, sqrt(squares / VIEWS), quantile(value, 0.1),
                                          quantile(value, 0.5), quantile(value, 0.9)};
        for (size_t s = 0; s < STATISTICS; s++) {
            out[s * PSB_LFD_RECORD + k] = found[s];
        }
    }
}

static double shape_number(double x, const block *b) {
    double y = b->rule == AS_THEY_ARE ? x : psb_pow(fabs(x), b->power);
    return b->rule == SIGNED && x < 0 ? -y : y;
}

/* Writes all blocks of model i, one after the other. */
static void lay_out(const blocks *kind, const psb_npy *npy, size_t i, double *out) {
    for (size_t k = 0; k < kind->nblocks; k++) {
        const block *b = &kind->block[k];
        const psb_npy *of = &npy[b->part];
        if (b->rule == OF_VIEWS) {
            describe_views((const uint8_t *)of->data + i * PSB_LFD_LENGTH, out);
        } else {
            const float *row = (const float *)of->data + i * of->columns + b->first;
            for (size_t n = 0; n < b->length; n++) {
                out[n] = shape_number((double)row[n], b);
            }
        }
        scale(out, b->length, b->weight);
        out += b->length;
    }
}

/* ---- what rows are made by --------------------------------------------------------------- */

/* Appends the text of all blocks; with a run, checks that its rows are of the same revisions. */
static psb_status describe_parts(const blocks *kind, bool labels, const psb_results *results,
                                 psb_text *text, psb_error *error) {
    PSB_AT_END(psb_run_facts_free) psb_run_facts facts = {0};
    psb_status status = results != NULL ? psb_run_read_facts(results, &facts, error) : PSB_OK;
    for (size_t p = 0; p < kind->nparts && status == PSB_OK; p++) {
        psb_spec *spec = NULL;
        status = psb_spec_parse(NULL, kind->parts[p].spec, &spec, error);
        if (status == PSB_OK) {
            psb_store_describe(spec, NULL, text);
        }
        PSB_THEN_IF(status, results != NULL, psb_run_check_revision(results, &facts, spec, error));
        psb_spec_free(spec);
    }
    psb_text_add(text, labels ? "labels\n" : "");
    while (text->length % sizeof(double) != 0) {
        psb_text_add(text, "\n");
    }
    return status == PSB_OK ? psb_text_status(text, error) : status;
}

/* ---- the file -------------------------------------------------------------------------- */

typedef struct head {
    char kind[PSB_SEAL_KIND];
    uint64_t text, list, models, length, count;
} head;
static const char file_kind[] = "psbsig1\n";

static size_t numbers_of(size_t length, size_t count) {
    return length + count + count * length;
}

/* With labels, hashes of names follow the numbers. */
static size_t bytes_of(const psb_basis *d) {
    return numbers_of(d->length, d->count) * sizeof(double) +
           (d->labels ? d->models * sizeof(uint64_t) : 0);
}

static void point(psb_basis *d, const double *numbers) {
    d->mean = numbers;
    d->divisor = numbers + d->length;
    d->direction = d->divisor + d->count;
    d->names = (const uint64_t *)(const void *)(numbers + numbers_of(d->length, d->count));
}

static psb_status write_file(const psb_basis *d, const psb_text *text, const char *path,
                             psb_error *error) {
    head h = {.text = text->length,
              .list = d->list,
              .models = d->models,
              .length = d->length,
              .count = d->count};
    psb_text all = {0};
    psb_text_add_bytes(&all, (const char *)&h, sizeof h);
    psb_text_add_bytes(&all, text->data, text->length);
    psb_text_add_bytes(&all, (const char *)d->mean, bytes_of(d));
    psb_text_add_bytes(&all, (char[PSB_SEAL_BYTES]){0}, PSB_SEAL_BYTES);
    if (!all.failed) {
        psb_seal(all.data, all.length - PSB_SEAL_BYTES, file_kind);
    }
    return psb_write_text(PSB_OK, path, &all, error);
}

static psb_status check_numbers(const char *path, const psb_basis *d, psb_error *error) {
    for (size_t i = 0; i < numbers_of(d->length, d->count); i++) {
        bool divisor = i >= d->length && i < d->length + d->count;
        if (!isfinite(d->mean[i]) || (divisor && !(d->mean[i] > 0))) {
            return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "number %zu is %g", i, d->mean[i]);
        }
    }
    return PSB_OK;
}

/* Finds the blocks, with or without labels, whose text the file has; *found is false if there are
 * none. */
static psb_status find_kind(const head *h, const char *data, size_t size, psb_basis *d, bool *found,
                            psb_error *error) {
    psb_status status = PSB_OK;
    *found = false;
    for (int k = 0; k < 2 * PSB_BLOCKS_KINDS && status == PSB_OK && !*found; k++) {
        PSB_AT_END(psb_text_free) psb_text text = {0};
        d->blocks = (psb_signature_blocks)(k / 2);
        d->labels = k % 2 == 1;
        status = describe_parts(&kinds[d->blocks], d->labels, NULL, &text, error);
        *found = status == PSB_OK && h->text == text.length && size >= sizeof *h + h->text &&
                 memcmp(data + sizeof *h, text.data, text.length) == 0;
    }
    return status;
}

static psb_status take(const char *path, const char *data, size_t size, psb_basis *d,
                       psb_error *error) {
    head h = {.text = 0};
    bool known = false;
    if (!psb_seal_is_of(data, size, sizeof h, file_kind)) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "not a file of directions of signatures");
    }
    memcpy(&h, data, sizeof h);
    *d = (psb_basis){.list = h.list, .models = h.models, .count = h.count};
    bool whole = psb_seal_holds(data, size, &d->hash);
    psb_status status = find_kind(&h, data, size, d, &known, error);
    if (status == PSB_OK && !known) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "made from other revisions or parameters of descriptors than this "
                           "program's; make it anew");
    }
    d->length = kinds[d->blocks].length;
    if (status == PSB_OK &&
        (h.length != d->length || h.count == 0 || h.count > PSB_SIGNATURE_MOST || h.models > size ||
         size != sizeof h + h.text + bytes_of(d) + PSB_SEAL_BYTES)) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "%zu bytes for %llu directions of %llu numbers", size,
                           (unsigned long long)h.count, (unsigned long long)h.length);
    }
    if (status == PSB_OK && !whole) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "damaged: it does not have its own checksum");
    }
    d->memory = psb_new(&status, 1, bytes_of(d), "directions", error);
    if (status == PSB_OK) {
        memcpy(d->memory, data + sizeof h + h.text, bytes_of(d));
        point(d, d->memory);
        status = check_numbers(path, d, error);
    }
    return status;
}

psb_status psb_basis_parse(const char *path, const char *data, size_t size, psb_basis *directions,
                           psb_error *error) {
    *directions = (psb_basis){0};
    psb_status status = take(path, data, size, directions, error);
    if (status != PSB_OK) {
        psb_basis_free(directions);
    }
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

/* The rows from which directions are found, with their classes and names. */
typedef struct sample {
    double *x;
    size_t n;
    size_t *class_of, nclasses;
    uint64_t *names;
} sample;

static void free_sample(sample *s) {
    free(s->x);
    free(s->class_of);
    free(s->names);
}

/* Collects the run's models that are in the training list. */
static psb_status gather(const psb_derived *d, const psb_classification *training,
                         const blocks *kind, sample *s, psb_error *error) {
    psb_npy npy[PARTS_MOST] = {{0}};
    PSB_AT_END(psb_names_free) psb_names names = {0};
    size_t all = d->cla.nmodels < training->nmodels ? d->cla.nmodels : training->nmodels;
    psb_status status =
        psb_row_parts_open(&d->results, d->cla.nmodels, kind->parts, kind->nparts, npy, error);
    PSB_THEN(status, psb_names_fill(&names, training->models, training->nmodels, error));
    s->x = psb_new(&status, all, kind->length * sizeof *s->x, "training rows", error);
    s->class_of = psb_new(&status, all, sizeof *s->class_of, "training rows", error);
    s->names = psb_new(&status, all, sizeof *s->names, "training rows", error);
    s->nclasses = training->nclasses;
    for (size_t i = 0; i < d->cla.nmodels && status == PSB_OK; i++) {
        const char *id = d->cla.models[i];
        size_t at = psb_names_find(&names, id);
        if (at != PSB_NO_NAME) {
            lay_out(kind, npy, i, s->x + s->n * kind->length);
            s->class_of[s->n] = training->class_of[at];
            s->names[s->n++] = XXH64(id, strlen(id), 0);
        }
    }
    for (size_t p = 0; p < kind->nparts; p++) {
        psb_npy_close(&npy[p]);
    }
    return status;
}

static void centre(double *x, size_t n, size_t length, double *mean) {
    memset(mean, 0, length * sizeof *mean);
    for (size_t i = 0; i < n * length; i++) {
        mean[i % length] += x[i] / (double)n;
    }
    for (size_t i = 0; i < n * length; i++) {
        x[i] -= mean[i % length];
    }
}

/* Finds the principal directions of the rows of x by the eigenvectors of x x'. */
static psb_status find_directions(const sample *s, size_t size, psb_basis *d, psb_error *error) {
    size_t n = s->n, length = d->length, most = n - 1 < size ? n - 1 : size;
    double values[PSB_SIGNATURE_MOST], *x = s->x;
    psb_status status = PSB_OK;
    PSB_FREED double *gram = psb_new(&status, n, n * sizeof *gram, "products of rows", error);
    PSB_FREED double *vectors = psb_new(&status, most, n * sizeof *vectors, "eigenvectors", error);
    double *numbers =
        psb_new(&status, numbers_of(length, most) + n, sizeof *numbers, "directions", error);
    d->memory = numbers;
    if (status == PSB_OK) {
        centre(x, n, length, numbers);
        status = psb_packed_product(n, n, length, x, x, true, gram, error);
    }
    PSB_THEN(status, psb_eigen_largest((int)n, gram, (int)most, values, vectors, error));
    while (status == PSB_OK && d->count < most &&
           values[most - 1 - d->count] > 1e-9 * values[most - 1]) {
        d->count++;
    }
    PSB_THEN_IF(status, !(d->count > 0 && values[most - 1] > 0),
                psb_fail(error, PSB_ERROR_INPUT, "the training models do not differ"));
    for (size_t k = 0; k < d->count && status == PSB_OK; k++) {
        double value = values[most - 1 - k];
        for (size_t i = 0; i < n; i++) {
            gram[k * n + i] = vectors[(most - 1 - k) * n + i] / sqrt(value);
        }
        numbers[length + k] = sqrt(sqrt(value / (double)n));
    }
    double *directions = numbers + length + d->count;
    PSB_THEN(status, psb_packed_product(d->count, length, n, gram, x, false, directions, error));
    for (size_t k = 0; k < d->count && status == PSB_OK; k++) {
        psb_orient(directions + k * length, length);
    }
    if (status == PSB_OK) {
        point(d, numbers);
        memcpy(numbers + numbers_of(length, d->count), s->names, n * sizeof *s->names);
    }
    return status;
}

/* ---- labels ---------------------------------------------------------------------------- */

/* Computes the covariance within classes of the rows of y (n numbers each); y loses its class
 * means. */
static psb_status within_classes(const sample *s, double *y, size_t n, double *covariance,
                                 psb_error *error) {
    psb_status status = PSB_OK;
    size_t used = 0;
    PSB_FREED double *mean = psb_new_zero(&status, s->nclasses, n * sizeof *mean, "classes", error);
    PSB_FREED double *count = psb_new_zero(&status, s->nclasses, sizeof *count, "classes", error);
    for (size_t i = 0; i < s->n && status == PSB_OK; i++) {
        used += count[s->class_of[i]]++ == 0;
        for (size_t k = 0; k < n; k++) {
            mean[s->class_of[i] * n + k] += y[i * n + k];
        }
    }
    PSB_THEN_IF(status, used == s->n,
                psb_fail(error, PSB_ERROR_INPUT, "no two training models are of one class"));
    for (size_t i = 0; i < s->n && status == PSB_OK; i++) {
        for (size_t k = 0; k < n; k++) {
            y[i * n + k] -= mean[s->class_of[i] * n + k] / count[s->class_of[i]];
        }
    }
    memset(covariance, 0, n * n * sizeof *covariance);
    for (size_t i = 0; i < s->n && status == PSB_OK; i++) {
        for (size_t at = 0; at < n * n; at++) {
            covariance[at] += y[i * n + at / n] * y[i * n + at % n] / (double)(s->n - used);
        }
    }
    return status;
}

/* Replaces a (n x n, symmetric) by (0.7 a + 0.3 trace(a)/n I)^(-1/2). */
static psb_status inverse_root(double *a, size_t n, psb_error *error) {
    double values[PSB_SIGNATURE_MOST], trace = 0;
    psb_status status = PSB_OK;
    PSB_FREED double *vectors = psb_new(&status, n, n * sizeof *vectors, "eigenvectors", error);
    for (size_t k = 0; k < n; k++) {
        trace += a[k * n + k];
    }
    for (size_t at = 0; at < n * n; at++) {
        a[at] = 0.7 * a[at] + (at / n == at % n ? 0.3 * trace / (double)n : 0);
    }
    PSB_THEN(status, psb_eigen_largest((int)n, a, (int)n, values, vectors, error));
    PSB_THEN_IF(status, !(values[0] > 0),
                psb_fail(error, PSB_ERROR_INPUT, "the training models of a class do not differ"));
    memset(a, 0, n * n * sizeof *a);
    for (size_t v = 0; v < n && status == PSB_OK; v++) {
        for (size_t at = 0; at < n * n; at++) {
            a[at] += vectors[v * n + at / n] * vectors[v * n + at % n] / sqrt(values[v]);
        }
    }
    return status;
}

/* Multiplies the directions by S^(-1/2) and makes the divisors 1. */
static psb_status use_labels(const sample *s, psb_basis *d, psb_error *error) {
    size_t n = d->count, length = d->length;
    double *divisor = (double *)d->memory + d->length, *direction = divisor + d->count;
    psb_status status = PSB_OK;
    PSB_FREED double *y = psb_new(&status, s->n, d->count * sizeof *y, "training rows", error);
    PSB_FREED double *root =
        psb_new(&status, d->count, d->count * sizeof *root, "a covariance", error);
    PSB_FREED double *turned =
        psb_new(&status, d->count, d->length * sizeof *turned, "directions", error);
    if (status == PSB_OK) {
        for (size_t at = 0; at < d->count * d->length; at++) {
            direction[at] /= divisor[at / d->length];
        }
        status = psb_packed_product(s->n, n, length, s->x, direction, true, y, error);
    }
    PSB_THEN(status, within_classes(s, y, n, root, error));
    PSB_THEN(status, inverse_root(root, n, error));
    PSB_THEN(status, psb_packed_product(n, length, n, root, direction, false, turned, error));
    if (status == PSB_OK) {
        memcpy(direction, turned, d->count * d->length * sizeof *turned);
    }
    for (size_t k = 0; k < d->count; k++) {
        divisor[k] = 1;
    }
    return status;
}

psb_status psb_signature_learn(const psb_derived *d, const psb_classification *training,
                               const psb_signature_options *options, const char *path, size_t *used,
                               psb_error *error) {
    enum { FEWEST = 3, MOST = 16384 };
    const blocks *kind = &kinds[options->blocks];
    PSB_AT_END(psb_text_free) psb_text text = {0};
    sample s = {.n = 0};
    PSB_AT_END(psb_basis_free)
    psb_basis found = {.blocks = options->blocks,
                       .labels = options->labels,
                       .list = psb_list_hash(training, 0),
                       .length = kind->length};
    psb_status status = describe_parts(kind, options->labels, &d->results, &text, error);
    PSB_THEN(status, gather(d, training, kind, &s, error));
    if (status == PSB_OK && (s.n < FEWEST || s.n > MOST)) {
        status =
            psb_fail_at(error, PSB_ERROR_INPUT, d->run, 0,
                        "has %zu models of the training list; want %d to %d", s.n, FEWEST, MOST);
    }
    found.models = *used = s.n;
    PSB_THEN(status, find_directions(&s, options->size, &found, error));
    PSB_THEN_IF(status, options->labels, use_labels(&s, &found, error));
    PSB_THEN(status, write_file(&found, &text, path, error));
    free_sample(&s);
    return status;
}

/* ---- projecting ------------------------------------------------------------------------ */

static psb_status project(const void *context, const psb_npy *npy, size_t first, size_t n,
                          void *out, psb_error *error) {
    const psb_basis *d = context;
    size_t length = d->length;
    float *row = out;
    psb_status status = PSB_OK;
    PSB_FREED double *x = psb_new(&status, n, length * sizeof *x, "rows", error);
    PSB_FREED double *y = psb_new(&status, n, d->count * sizeof *y, "rows", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        lay_out(&kinds[d->blocks], npy, first + i, x + i * length);
        for (size_t k = 0; k < length; k++) {
            x[i * length + k] -= d->mean[k];
        }
    }
    PSB_THEN(status, psb_packed_product(n, d->count, length, x, d->direction, true, y, error));
    for (size_t i = 0; i < n * d->count && status == PSB_OK; i++) {
        row[i] = (float)(y[i] / d->divisor[i % d->count]);
    }
    return status;
}

/* Refuses models whose labels the directions know: scores on these say nothing about others. */
static psb_status check_apart(const psb_derived *d, const psb_basis *directions, psb_error *error) {
    size_t common = 0, first = 0;
    for (size_t i = 0; directions->labels && i < d->cla.nmodels; i++) {
        uint64_t name = XXH64(d->cla.models[i], strlen(d->cla.models[i]), 0);
        bool found = false;
        for (size_t k = 0; k < directions->models && !found; k++) {
            found = directions->names[k] == name;
        }
        first = found && common == 0 ? i : first;
        common += found;
    }
    return common == 0 ? PSB_OK
                       : psb_fail_at(error, PSB_ERROR_INPUT, d->run, 0,
                                     "%zu of its models, %.80s among them, are training models "
                                     "whose labels the directions know: its figures would mean "
                                     "nothing",
                                     common, d->cla.models[first]);
}

void psb_signature_label(const psb_basis *directions, char label[PSB_SIGNATURE_LABEL]) {
    char number[21] = "";
    if (directions->blocks != PSB_BLOCKS_FEW) {
        snprintf(number, sizeof number, "%zu", directions->count);
    }
    snprintf(label, PSB_SIGNATURE_LABEL, "%s%s%s", kinds[directions->blocks].word, number,
             directions->labels ? "L" : "");
}

static psb_status add_rows(psb_derived *d, const psb_basis *directions, const char *label,
                           psb_error *error) {
    const blocks *kind = &kinds[directions->blocks];
    const psb_derived_rows rows = {.label = label,
                                   .parts = kind->parts,
                                   .nparts = kind->nparts,
                                   .length = directions->count,
                                   .element = PSB_FLOAT32,
                                   .metric = "cosine",
                                   .key = directions->hash,
                                   .make = project,
                                   .context = directions};
    PSB_AT_END(psb_text_free) psb_text text = {0};
    psb_status status = describe_parts(kind, directions->labels, &d->results, &text, error);
    return PSB_THEN(status, psb_derived_rows_add(d, &rows, error));
}

psb_status psb_signature_add(psb_derived *d, const psb_basis *directions, const char *label,
                             psb_error *error) {
    psb_status status = check_apart(d, directions, error);
    return PSB_THEN(status, add_rows(d, directions, label, error));
}

psb_status psb_signature_add_reference(psb_derived *d, const psb_basis *directions,
                                       const char *label, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *name = psb_new_format(&status, error, "%s%s", label, PSB_SIGNATURE_REFERENCE);
    return PSB_THEN(status, add_rows(d, directions, name, error));
}
