/* Parts opened, blocks of rows made by several threads, written one after the other. */
#include "pipeline/derived_rows.h"

#include "core/element.h"
#include "core/error.h"
#include "core/memory.h"
#include "io/ids.h"

#include <string.h>

enum { BLOCKS = 16 }; /* that are made before they are written */

psb_status psb_row_parts_open(const psb_results *results, size_t models, const psb_row_part *parts,
                              size_t count, psb_npy *npy, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t p = 0; p < count && status == PSB_OK; p++) {
        char *path = NULL;
        status = psb_derived_path(results, true, parts[p].spec, &path, error);
        PSB_THEN(status, psb_npy_read(path, &npy[p], error));
        if (status == PSB_OK && (npy[p].rows != models || npy[p].columns != parts[p].length ||
                                 npy[p].element != parts[p].element)) {
            status = psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                                 "%zu rows of %zu numbers; want %zu of %zu", npy[p].rows,
                                 npy[p].columns, models, parts[p].length);
        }
        free(path);
    }
    return status;
}

typedef struct job {
    const psb_derived_rows *rows;
    const psb_npy *parts;
    size_t first, models, row_bytes;
    char *out;
} job;

static psb_status make_block(void *context, void *own, size_t block, psb_error *error) {
    (void)own;
    const job *work = context;
    size_t at = block * PSB_DERIVED_BLOCK, first = work->first + at, left = work->models - first;
    return work->rows->make(work->rows->context, work->parts, first,
                            left < PSB_DERIVED_BLOCK ? left : PSB_DERIVED_BLOCK,
                            work->out + at * work->row_bytes, error);
}

static psb_status write_rows(const psb_derived *d, const psb_derived_rows *rows,
                             const psb_npy *parts, const char *path, psb_error *error) {
    job work = {.rows = rows, .parts = parts, .models = d->cla.nmodels};
    size_t step = (size_t)BLOCKS * PSB_DERIVED_BLOCK;
    psb_output output = {0};
    psb_status status = PSB_OK;
    work.row_bytes = rows->length * psb_element_bytes(rows->element);
    work.out = psb_new(&status, step, work.row_bytes, "rows", error);
    PSB_THEN(status, psb_output_open(path, &output, error));
    if (status == PSB_OK) {
        psb_npy_write_head(&output, work.models, rows->length, rows->element);
    }
    for (; work.first < work.models && status == PSB_OK; work.first += step) {
        size_t left = work.models - work.first, n = left < step ? left : step;
        psb_loop loop = {.count = (n + PSB_DERIVED_BLOCK - 1) / PSB_DERIVED_BLOCK,
                         .threads = d->threads,
                         .item = make_block,
                         .job = &work};
        status = psb_parallel(&loop, error);
        if (status == PSB_OK) {
            fwrite(work.out, work.row_bytes, n, output.stream);
        }
    }
    PSB_THEN(status, psb_output_commit(&output, error));
    psb_output_discard(&output);
    free(work.out);
    return status;
}

static psb_status enter(psb_derived *d, const psb_derived_rows *rows, const char *file,
                        psb_error *error) {
    psb_ledger *ledger = &d->results.ledger;
    psb_status status = psb_ledger_enter(ledger, file, rows->key, 0, 0, error);
    for (size_t p = 0; p < rows->nparts && status == PSB_OK; p++) {
        char *part = psb_derived_name(&status, true, rows->parts[p].spec, error);
        PSB_THEN(status, psb_ledger_enter_part(ledger, file, part, error));
        free(part);
    }
    return status;
}

psb_status psb_derived_rows_add(psb_derived *d, const psb_derived_rows *rows, psb_error *error) {
    psb_npy parts[PSB_MEMBERS_MOST] = {{0}};
    psb_status status =
        psb_row_parts_open(&d->results, d->cla.nmodels, rows->parts, rows->nparts, parts, error);
    char *file = psb_derived_name(&status, true, rows->label, error);
    char *ids = psb_new_format(&status, error, "%s.ids", file);
    char *path = psb_ledger_file(&status, &d->results.ledger, file, error);
    PSB_THEN(status, psb_ids_write(path, NULL, 0, error)); /* never the names of others */
    PSB_THEN(status, write_rows(d, rows, parts, path, error));
    PSB_THEN(status, enter(d, rows, file, error));
    PSB_THEN(status, psb_ids_write(path, d->cla.models, d->cla.nmodels, error));
    PSB_THEN(status, psb_ledger_enter(&d->results.ledger, ids, 0, 0, 0, error));
    PSB_THEN(status, psb_ledger_write(&d->results.ledger, error));
    for (size_t p = 0; p < rows->nparts; p++) {
        psb_npy_close(&parts[p]);
    }
    free(path);
    free(ids);
    free(file);
    return status;
}

/* ---- sums ------------------------------------------------------------------------------ */

static psb_status join(const void *context, const psb_npy *parts, size_t first, size_t n, void *out,
                       psb_error *error) {
    (void)error;
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
                                   .make = join,
                                   .context = &count};
    return psb_derived_rows_add(d, &rows, error);
}
