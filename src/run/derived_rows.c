/* Opens the parts, makes blocks of rows with several threads, and writes them one after the
 * other. */
#include "run/derived_rows.h"

#include "core/element.h"
#include "proof/output.h"

enum { BLOCKS = 16 }; /* blocks that are made before they are written */

psb_status psb_row_parts_open(const psb_results *results, size_t models, const psb_row_part *parts,
                              size_t count, psb_npy *npy, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t p = 0; p < count && status == PSB_OK; p++) {
        PSB_FREED char *path = NULL;
        status = psb_run_method_path(results, true, parts[p].spec, &path, error);
        PSB_THEN(status, psb_npy_read(path, &npy[p], error));
        if (status == PSB_OK && (npy[p].rows != models || npy[p].columns != parts[p].length ||
                                 npy[p].element != parts[p].element)) {
            status = psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                                 "%zu rows of %zu numbers; want %zu of %zu", npy[p].rows,
                                 npy[p].columns, models, parts[p].length);
        }
    }
    return status;
}

typedef struct job {
    const psb_derived_rows *rows;
    const psb_npy *parts;
    size_t first, models, row_bytes;
    char *out;
} job;

static psb_status make_block(void *context, void *own PSB_UNUSED, size_t block, psb_error *error) {
    const job *work = context;
    size_t at = block * PSB_DERIVED_BLOCK, first = work->first + at, left = work->models - first;
    return work->rows->make(work->rows->context, work->parts, first,
                            left < PSB_DERIVED_BLOCK ? left : PSB_DERIVED_BLOCK,
                            work->out + at * work->row_bytes, error);
}

/* New rows, and their parts, while they are written. */
typedef struct work {
    const psb_derived *d;
    const psb_derived_rows *rows;
    psb_npy parts[PSB_MEMBERS_MOST];
} work;

static psb_status open_parts(psb_output_of *o, const char *path PSB_UNUSED, psb_error *error) {
    work *w = o->context;
    return psb_row_parts_open(&w->d->results, w->d->cla.nmodels, w->rows->parts, w->rows->nparts,
                              w->parts, error);
}

static psb_status write_rows(psb_output_of *o, const char *path, psb_error *error) {
    const work *w = o->context;
    const psb_derived_rows *rows = w->rows;
    job made = {.rows = rows, .parts = w->parts, .models = w->d->cla.nmodels};
    size_t step = (size_t)BLOCKS * PSB_DERIVED_BLOCK;
    PSB_AT_END(psb_output_discard) psb_output output = {0};
    psb_status status = PSB_OK;
    made.row_bytes = rows->length * psb_element_bytes(rows->element);
    made.out = psb_new(&status, step, made.row_bytes, "rows", error);
    PSB_THEN(status, psb_output_open(path, &output, error));
    if (status == PSB_OK) {
        psb_npy_write_head(&output, made.models, rows->length, rows->element);
    }
    for (; made.first < made.models && status == PSB_OK; made.first += step) {
        size_t left = made.models - made.first, n = left < step ? left : step;
        psb_loop loop = {.count = (n + PSB_DERIVED_BLOCK - 1) / PSB_DERIVED_BLOCK,
                         .threads = w->d->threads,
                         .item = make_block,
                         .job = &made};
        status = psb_parallel(&loop, error);
        if (status == PSB_OK) {
            fwrite(made.out, made.row_bytes, n, output.stream);
        }
    }
    PSB_THEN(status, psb_output_commit(&output, error));
    free(made.out);
    return status;
}

psb_status psb_derived_rows_add(psb_derived *d, const psb_derived_rows *rows, psb_error *error) {
    work w = {.d = d, .rows = rows};
    char *parts[PSB_MEMBERS_MOST] = {NULL};
    psb_status status = PSB_OK;
    PSB_FREED char *file = psb_run_method_file(&status, true, rows->label, error);
    for (size_t p = 0; p < rows->nparts; p++) {
        parts[p] = psb_run_method_file(&status, true, rows->parts[p].spec, error);
    }
    psb_output_of o = {.name = file,
                       .key = rows->key,
                       .rows = &d->cla,
                       .metric = rows->metric,
                       .parts = (const char *const *)parts,
                       .nparts = rows->nparts,
                       .make = open_parts,
                       .write = write_rows,
                       .context = &w};
    PSB_THEN(status, psb_output_make(&d->results.ledger, NULL, &o, error));
    PSB_THEN(status, psb_ledger_write(&d->results.ledger, error));
    for (size_t p = 0; p < rows->nparts; p++) {
        psb_npy_close(&w.parts[p]);
        free(parts[p]);
    }
    return status;
}

/* ---- sums ------------------------------------------------------------------------------ */

static psb_status join(const void *context, const psb_npy *parts, size_t first, size_t n, void *out,
                       psb_error *error PSB_UNUSED) {
    size_t count = *(const size_t *)context;
    char *to = out;
    for (size_t i = first; i < first + n; i++) {
        for (size_t p = 0; p < count; p++) {
            size_t bytes = parts[p].columns * psb_element_bytes(parts[p].element);
            memcpy(to, (const char *)parts[p].data + i * bytes, bytes);
            to += bytes;
        }
    }
    return PSB_OK;
}

psb_status psb_derived_recipe_rows(psb_derived *d, const psb_recipe *recipe, psb_error *error) {
    psb_row_part parts[PSB_MEMBERS_MOST];
    size_t count = 0;
    for (size_t t = 0; t < recipe->nterms; t++) {
        const psb_term *term = &recipe->terms[t];
        for (int k = 0; k < 2 && term->member[k] != NULL; k++) {
            parts[count++] = (psb_row_part){term->member[k], term->length, term->metric->element};
        }
    }
    const psb_derived_rows rows = {.label = recipe->label,
                                   .parts = parts,
                                   .nparts = count,
                                   .length = psb_recipe_row_bytes(recipe),
                                   .element = PSB_UINT8,
                                   .metric = "sum",
                                   .make = join,
                                   .context = &count};
    return psb_derived_rows_add(d, &rows, error);
}
