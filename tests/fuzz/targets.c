/* The table of targets; each reads its bytes and then believes nothing of the result. */
#include "fuzz/targets.h"

#include "core/memory.h"
#include "descriptors/descriptor.h"
#include "io/archive.h"
#include "io/cla.h"
#include "io/format.h"
#include "io/ids.h"
#include "io/labels.h"
#include "io/lists.h"
#include "io/matrix.h"
#include "io/name.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/off.h"
#include "io/qrels.h"
#include "io/query_list.h"
#include "io/zip.h"
#include "proof/chunk.h"
#include "proof/ledger.h"
#include "report/run_facts.h"
#include "run/signature.h"
#include "support/zip.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* Not assert: it has to hold in every configuration. */
#define promise(kept) promise_that(kept, #kept)

static void promise_that(bool kept, const char *what) {
    if (!kept) {
        fprintf(stderr, "broken promise: %s\n", what);
        abort();
    }
}

/* A failure has a status and a message that names the file. */
static void promise_error(psb_status status, const psb_error *error) {
    promise(error->status == status && strlen(error->message) < sizeof error->message);
    promise(strstr(error->message, "input") != NULL || status != PSB_ERROR_INPUT);
}

static bool is_finite(double value) {
    return value - value == 0.0;
}

/* ---- readers --------------------------------------------------------------------------- */

static void check_mesh(psb_status status, const psb_error *error, const psb_mesh *mesh) {
    if (status != PSB_OK) {
        promise_error(status, error);
        promise(mesh->nvertices == 0 && mesh->ntriangles == 0);
    }
    for (size_t i = 0; i < 3 * mesh->nvertices; i++) {
        promise(is_finite(mesh->vertices[i]));
    }
    for (size_t i = 0; i < 3 * mesh->ntriangles; i++) {
        promise(mesh->triangles[i] < mesh->nvertices);
    }
}

static void run_format(const psb_mesh_format *format, const unsigned char *data, size_t size) {
    bool repeats =
        format == &psb_format_gltf || format == &psb_format_3mf || format == &psb_format_collada;
    psb_mesh_buffer buffer = {.max_faces = repeats ? 1000 : 0};
    psb_error error;
    psb_status status =
        psb_format_parse(format, "input", (const char *)data, size, &buffer, &error);
    check_mesh(status, &error, &buffer.mesh);
    /* Nodes may place a mesh again and again. */
    promise(buffer.max_faces > 0 ? psb_mesh_faces(&buffer.mesh) <= buffer.max_faces
                                 : buffer.mesh.ntriangles <= size && buffer.mesh.nvertices <= size);
    psb_mesh_buffer_free(&buffer);
}

/* The bytes as a file; what it says of itself is what its files have. */
static void run_archive(const unsigned char *data, size_t size) {
    char path[64];
    psb_archive *archive = NULL;
    psb_text notes = {0};
    psb_error error;
    int handle = memfd_create("input", MFD_CLOEXEC);
    promise(handle >= 0 && write(handle, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", handle);
    psb_status status = psb_archive_open(path, &archive, &notes, &error);
    promise(status == PSB_OK ? archive != NULL : error.status == status && archive == NULL);
    const char *name;
    for (size_t i = 0; status == PSB_OK && (name = psb_archive_below(archive, path, i)) != NULL;
         i++) {
        psb_text whole = {0};
        psb_buffer bytes = {0};
        size_t length = 0;
        psb_text_printf(&whole, "%s/%s", path, name);
        bool there = false;
        promise(psb_name_stays_below(name, strlen(name)) &&
                psb_archive_find(archive, whole.data, &there, &error) == PSB_OK && there);
        promise(psb_archive_read(archive, whole.data, 1 << 20, &bytes, &length, &error) != PSB_OK ||
                (length <= 1 << 20 && bytes.bytes >= length));
        psb_buffer_free(&bytes);
        psb_text_free(&whole);
    }
    psb_archive_close(archive);
    psb_text_free(&notes);
    close(handle);
}

static void run_off(const unsigned char *data, size_t size) {
    run_format(&psb_format_off, data, size);
}

static void run_obj(const unsigned char *data, size_t size) {
    run_format(&psb_format_obj, data, size);
}

static void run_ply(const unsigned char *data, size_t size) {
    run_format(&psb_format_ply, data, size);
}

static void run_stl(const unsigned char *data, size_t size) {
    run_format(&psb_format_stl, data, size);
}

static void run_gltf(const unsigned char *data, size_t size) {
    run_format(&psb_format_gltf, data, size);
}

static void run_collada(const unsigned char *data, size_t size) {
    run_format(&psb_format_collada, data, size);
}

/* A package, or the XML of a package's model. */
static void run_threemf(const unsigned char *data, size_t size) {
    const test_member model = {"3D/3dmodel.model", (const char *)data, size};
    psb_text zip = {0};
    if (size < 2 || data[0] != 'P') {
        test_zip_add(&zip, &model, 1, false);
        data = (const unsigned char *)zip.data;
        size = zip.length;
    }
    run_format(&psb_format_3mf, data, size);
    psb_text_free(&zip);
}

/* Points alone, which have to be asked for. */
static void run_points(const psb_mesh_format *format, const unsigned char *data, size_t size) {
    psb_mesh_buffer buffer = {.clouds = true};
    psb_error error;
    psb_status status =
        psb_format_parse(format, "input", (const char *)data, size, &buffer, &error);
    check_mesh(status, &error, &buffer.mesh);
    promise(buffer.mesh.nvertices <= size + 2);
    for (size_t i = 0; i < 3 * buffer.mesh.nvertices && buffer.normals; i++) {
        promise(fabs(((const double *)buffer.directions.data)[i]) <= 1);
    }
    psb_mesh_buffer_free(&buffer);
}

static void run_pcd(const unsigned char *data, size_t size) {
    run_points(&psb_format_pcd, data, size);
}

static void run_points_text(const unsigned char *data, size_t size) {
    run_points(&psb_format_points_text, data, size);
}

static void run_points_npy(const unsigned char *data, size_t size) {
    run_points(&psb_format_points_npy, data, size);
}

static void run_points_ply(const unsigned char *data, size_t size) {
    run_points(&psb_format_ply, data, size);
}

/* Any of these, or packed. */
static void run_mesh(const unsigned char *data, size_t size) {
    psb_mesh_buffer buffer = {.max_faces = 1000};
    psb_error error;
    psb_status status = psb_mesh_parse("input", (const char *)data, size, &buffer, &error);
    check_mesh(status, &error, &buffer.mesh);
    promise(psb_mesh_faces(&buffer.mesh) <= buffer.max_faces);
    psb_mesh_buffer_free(&buffer);
}

static void run_cla(const unsigned char *data, size_t size) {
    psb_classification cla;
    psb_error error;
    psb_status status = psb_cla_parse("input", (const char *)data, size, &cla, &error);
    if (status != PSB_OK) {
        promise_error(status, &error);
        promise(cla.nclasses == 0 && cla.nmodels == 0);
        return;
    }
    size_t models = 0;
    for (size_t c = 0; c < cla.nclasses; c++) {
        const psb_class *entry = &cla.classes[c];
        promise(entry->first == models && entry->count <= cla.nmodels - models);
        promise(entry->parent == PSB_NO_CLASS || entry->parent < c);
        models += entry->count;
    }
    promise(models == cla.nmodels);
    for (size_t i = 0; i < cla.nmodels; i++) {
        promise(psb_name_stays_below(cla.models[i], strlen(cla.models[i])));
    }
    psb_cla_free(&cla);
}

/* Names stay names, and what was read is written and read as the same. */
static void run_labels(const unsigned char *data, size_t size) {
    psb_listing first = {0}, again = {0};
    psb_classification cla;
    psb_error error;
    psb_text text = {0};
    const char *split = size > 0 && data[0] == 's' ? "test" : NULL;
    psb_status status = psb_labels_parse("input", (const char *)data, size,
                                         &(psb_labels_options){.split = split}, &first, &error);
    if (status == PSB_OK) {
        promise(first.count > 0 && first.count <= size);
        psb_labels_render(&first, size % 2 == 0 ? PSB_LABELS_CSV : PSB_LABELS_TSV, &text);
        if (psb_listing_classify(&first, "input", size % 3, &cla, &error) == PSB_OK) {
            promise(cla.nmodels == first.count);
            psb_cla_free(&cla);
        }
    }
    for (size_t i = 0; i < first.count; i++) {
        const char *name = first.models[i].name;
        promise(psb_name_stays_below(name, strlen(name)) && strlen(name) <= PSB_NAME_MOST);
        promise(strpbrk(name, " \t\r\n") == NULL &&
                strpbrk(first.models[i].classes, " \n") == NULL);
    }
    if (status == PSB_OK && text.length > 0 && first.models[0].classes[0] != '\0') {
        promise(psb_labels_parse("output", text.data, text.length, NULL, &again, &error) == PSB_OK);
        promise(again.count == first.count);
    }
    psb_text_free(&text);
    psb_listing_free(&first);
    psb_listing_free(&again);
}

/* A name is one word and stands for what it was made of. */
static void run_name(const unsigned char *data, size_t size) {
    psb_text name = {0}, back = {0}, again = {0};
    psb_name_add(&name, (const char *)data, size, false);
    if (size > 0 && memchr(data, '\0', size) == NULL) {
        promise(strpbrk(name.data, " \t\r\n\v\f\x7f") == NULL && name.data[0] != '#');
        psb_name_decode(&back, name.data);
        promise(back.length == size && memcmp(back.data, data, size) == 0);
        psb_name_add(&again, name.data, name.length, true);
        promise(strcmp(again.data, name.data) == 0);
        promise(psb_name_is_plain(name.data) == (strcmp(back.data, name.data) == 0));
    }
    psb_text_free(&name);
    psb_text_free(&back);
    psb_text_free(&again);
}

/* The first byte says how many models the classification has. */
static void run_matrix_of(const unsigned char *data, size_t size,
                          psb_status (*parse)(const char *, const void *, size_t, size_t,
                                              psb_matrix *, psb_error *)) {
    if (size == 0) {
        return;
    }
    size_t n = data[0];
    psb_status status = PSB_OK;
    void *copy = psb_new(&status, size, 1, "a copy", NULL);
    if (copy == NULL) {
        return;
    }
    memcpy(copy, data + 1, size - 1);
    psb_matrix matrix;
    psb_error error;
    status = parse("input", copy, size - 1, n, &matrix, &error);
    if (status != PSB_OK) {
        promise_error(status, &error);
    } else {
        for (size_t i = 0; i < n * n; i++) {
            promise(is_finite((double)matrix.data[i]) && matrix.data[i] >= 0.0F);
        }
    }
    psb_matrix_close(&matrix);
    free(copy);
}

static void run_matrix(const unsigned char *data, size_t size) {
    run_matrix_of(data, size, psb_matrix_parse);
}

static psb_status parse_text(const char *path, const void *data, size_t size, size_t n,
                             psb_matrix *matrix, psb_error *error) {
    return psb_matrix_parse_text(path, data, size, n, n, matrix, error);
}

static void run_matrix_text(const unsigned char *data, size_t size) {
    run_matrix_of(data, size, parse_text);
}

/* Asked for any member, and for one. */
static void run_npz(const unsigned char *data, size_t size) {
    static const char *const members[] = {NULL, "arr_1"};
    for (size_t m = 0; m < LENGTH(members); m++) {
        void *bytes;
        size_t length;
        psb_error error;
        psb_status status = psb_npz_parse("input", data, size, members[m], &bytes, &length, &error);
        if (status != PSB_OK && status != PSB_ERROR_USAGE) {
            promise_error(status, &error);
        }
        promise((status == PSB_OK) == (bytes != NULL));
        free(bytes);
    }
}

/* Every file of the directory, unpacked: what comes out is as long as the directory says. */
static void run_zip(const unsigned char *data, size_t size) {
    psb_zip zip;
    psb_error error;
    psb_buffer bytes = {0};
    bool more = true;
    psb_status status = psb_zip_open(&zip, "input", -1, (const char *)data, size, &error);
    PSB_THEN(status, psb_zip_next(&zip, &more, &error));
    for (; status == PSB_OK && more; status = psb_zip_next(&zip, &more, &error)) {
        psb_error own;
        psb_status unpacked = psb_zip_unpack(&zip, &zip.file, &bytes, &own);
        promise(unpacked == PSB_OK ? bytes.bytes >= zip.file.size : own.status == unpacked);
    }
    if (status != PSB_OK) {
        promise_error(status, &error);
    }
    psb_buffer_free(&bytes);
    psb_zip_close(&zip);
}

static void check_rows(psb_status status, psb_npy *npy, size_t most, const psb_error *error) {
    if (status != PSB_OK) {
        promise_error(status, error);
    } else if (npy->element == PSB_FLOAT32) {
        promise(npy->rows * npy->columns <= most);
        for (size_t i = 0; i < npy->rows * npy->columns; i++) {
            promise(is_finite((double)((const float *)npy->data)[i]));
        }
    } else {
        promise(npy->rows * npy->columns <= most && npy->element == PSB_UINT8);
    }
    psb_npy_close(npy);
}

static void run_rows_text(const unsigned char *data, size_t size) {
    psb_npy npy;
    psb_error error;
    psb_status status = psb_npy_parse_text("input", (const char *)data, size, &npy, &error);
    size_t names = 0;
    for (size_t i = 0; i < npy.names.length; i++) {
        names += npy.names.data[i] == '\n';
    }
    promise(names == 0 || names == npy.rows);
    check_rows(status, &npy, size, &error);
}

static void run_npy(const unsigned char *data, size_t size) {
    psb_status status = PSB_OK;
    void *copy = psb_new(&status, size, 1, "a copy", NULL); /* as aligned as a mapped file */
    if (copy == NULL) {
        return;
    }
    memcpy(copy, data, size);
    psb_npy npy;
    psb_error error;
    status = psb_npy_parse("input", copy, size, &npy, &error);
    check_rows(status, &npy, size, &error);
    free(copy);
}

/* What was read is written, and that is read as the same. */
static void run_run_facts(const unsigned char *data, size_t size) {
    psb_run_facts facts, again = {0};
    psb_error error;
    psb_text first = {0}, second = {0};
    psb_status status = psb_run_facts_parse("input", (const char *)data, size, &facts, &error);
    if (status == PSB_OK) {
        promise(psb_run_facts_render(&facts, &first, NULL) == PSB_OK);
        promise(psb_run_facts_parse("input", first.data, first.length, &again, NULL) == PSB_OK);
        promise(psb_run_facts_render(&again, &second, NULL) == PSB_OK);
        promise(strcmp(first.data, second.data) == 0);
    } else {
        promise_error(status, &error);
    }
    psb_run_facts_free(&facts);
    psb_run_facts_free(&again);
    psb_text_free(&first);
    psb_text_free(&second);
}

/* Whatever order comes out is one of all rows. */
static void run_ids(const unsigned char *data, size_t size) {
    static const char text[] = "PSB 1\n1 3\na 0 3\n1\nm2\nx\n";
    psb_classification cla;
    psb_ids ids;
    size_t *order = NULL;
    promise(psb_cla_parse("three", text, sizeof text - 1, &cla, NULL) == PSB_OK);
    if (psb_ids_parse("input.ids", (const char *)data, size, &ids, NULL) == PSB_OK &&
        psb_ids_order("input", &ids, &cla, &order, NULL) == PSB_OK) {
        promise(ids.count == 0 || ids.count == 3);
        promise(order == NULL || order[0] + order[1] + order[2] == 3);
    }
    free(order);
    psb_ids_free(&ids);
    psb_cla_free(&cla);
}

static void run_query_list(const unsigned char *data, size_t size) {
    static const char models[] = "PSB 1\n1 3\na 0 3\nm1\nm2\n3\n";
    psb_classification cla;
    promise(psb_cla_parse("models", models, sizeof models - 1, &cla, NULL) == PSB_OK);
    bool listed[3];
    psb_error error;
    psb_status status =
        psb_query_list_parse("input", (const char *)data, size, &cla, listed, &error);
    if (status != PSB_OK) {
        promise_error(status, &error);
    }
    psb_cla_free(&cla);
}

/* Numbers that were taken are finite, and of one size. */
static void run_directions(const unsigned char *data, size_t size) {
    psb_basis basis;
    psb_error error;
    psb_status status = psb_basis_parse("input", (const char *)data, size, &basis, &error);
    if (status != PSB_OK) {
        promise_error(status, &error);
    }
    promise((status == PSB_OK) == (basis.count > 0 && basis.count <= PSB_SIGNATURE_LENGTH));
    for (size_t i = 0; i < basis.count * basis.length; i++) {
        promise(isfinite(basis.direction[i]) != 0);
    }
    psb_basis_free(&basis);
}

/* What is taken is within bounds, and a query's ranks follow one another. */
static void take_neighbor(void *context, size_t query, size_t rank, size_t neighbor,
                          double distance) {
    (void)distance;
    size_t *ranks = context;
    promise(query < 3 && neighbor < 3 && neighbor != query && rank == ++ranks[query] && rank < 3);
}

static void run_neighbors(const unsigned char *data, size_t size) {
    static const char models[] = "PSB 1\n1 3\na 0 3\nm1\nm2\n3\n";
    psb_classification cla;
    promise(psb_cla_parse("models", models, sizeof models - 1, &cla, NULL) == PSB_OK);
    size_t ranks[3] = {0};
    psb_error error;
    const psb_lists lists = {.form = PSB_LISTS_SEARCH,
                             .queries = &cla,
                             .targets = &cla,
                             .take = take_neighbor,
                             .context = ranks};
    psb_status status = psb_lists_parse(&lists, "input", (const char *)data, size, &error);
    if (status != PSB_OK) {
        promise_error(status, &error);
    }
    psb_cla_free(&cla);
}

/* Lists of others, of one set or two; the first byte says which and how. */

static void count_fault(void *context, const psb_error *fault) {
    (void)context;
    promise_error(PSB_ERROR_INPUT, fault);
}

static void take_target(void *context, size_t query, size_t rank, size_t target, double distance) {
    (void)distance;
    size_t *ranks = context;
    promise(query < 3 && target < 3 && rank == ++ranks[query] && rank <= 3);
}

static void run_lists_of(psb_list_form form, const unsigned char *data, size_t size) {
    static const char one[] = "PSB 1\n1 3\na 0 3\n1\nm2\n000003\n";
    static const char two[] = "PSB 1\n1 3\na 0 3\n000003\nx\nm4\n";
    if (size == 0) {
        return;
    }
    psb_classification queries, targets;
    promise(psb_cla_parse("one", one, sizeof one - 1, &queries, NULL) == PSB_OK);
    promise(psb_cla_parse("two", two, sizeof two - 1, &targets, NULL) == PSB_OK);
    size_t ranks[3] = {0};
    psb_error error;
    psb_lists lists = {.form = form,
                       .queries = &queries,
                       .targets = data[0] & 1 ? &queries : &targets,
                       .with_query = (data[0] & 2) != 0,
                       .take = take_target,
                       .fault = data[0] & 4 ? count_fault : NULL,
                       .context = ranks};
    psb_status status =
        psb_lists_parse(&lists, "input/1", (const char *)data + 1, size - 1, &error);
    if (status != PSB_OK) {
        promise_error(status, &error);
        promise(lists.fault == NULL);
    }
    psb_cla_free(&queries);
    psb_cla_free(&targets);
}

static void run_trec(const unsigned char *data, size_t size) {
    run_lists_of(PSB_LISTS_TREC, data, size);
}

static void run_shrec(const unsigned char *data, size_t size) {
    run_lists_of(PSB_LISTS_SHREC, data, size);
}

static void run_shapenet(const unsigned char *data, size_t size) {
    run_lists_of(PSB_LISTS_SHAPENET, data, size);
}

static void run_list_rows(const unsigned char *data, size_t size) {
    run_lists_of(PSB_LISTS_ROWS, data, size);
}

/* Pairs come once, in order, with grades of 1 or more; bytes bound how many there can be. */
static void run_qrels(const unsigned char *data, size_t size) {
    static const char models[] = "PSB 1\n1 3\na 0 3\nm1\nm2\n3\n";
    psb_classification cla;
    psb_judgement *entries = NULL;
    size_t count = 0;
    psb_error error;
    promise(psb_cla_parse("models", models, sizeof models - 1, &cla, NULL) == PSB_OK);
    psb_status status =
        psb_qrels_parse("input", (const char *)data, size, &cla, &cla, &entries, &count, &error);
    if (status != PSB_OK) {
        promise_error(status, &error);
        promise(entries == NULL && count == 0);
    }
    promise(count <= 9);
    for (size_t i = 0; i < count; i++) {
        promise(entries[i].query < 3 && entries[i].target < 3 && entries[i].grade > 0);
        promise(i == 0 || 3 * entries[i - 1].query + entries[i - 1].target <
                              3 * entries[i].query + entries[i].target);
    }
    free(entries);
    psb_cla_free(&cla);
}

/* ---- what a run left for the next one ------------------------------------------------------- */

/* Both kinds of file are checked by hashes that no fuzzer guesses: these are set right first. */

enum { RECORD_HEAD = 112, HASH_BYTES = 8, HASH_DIGITS = 16 };

static void mend_records(char *bytes, size_t size) {
    for (size_t at = 0; at + RECORD_HEAD + HASH_BYTES <= size; at++) {
        uint32_t lengths[2];
        memcpy(lengths, bytes + at + 8, sizeof lengths);
        size_t length = (size_t)lengths[0] + lengths[1] + RECORD_HEAD;
        if (memcmp(bytes + at, "psbrow2\n", 8) == 0 && length <= size - at - HASH_BYTES) {
            uint64_t hash = XXH64(bytes + at, length, 0);
            memcpy(bytes + at + length, &hash, sizeof hash);
            at += length + HASH_BYTES - 1;
        }
    }
}

static void mend_lines(char *bytes, size_t size) {
    char *end = bytes + size;
    for (char *line = bytes; line < end;) {
        char *feed = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((feed != NULL ? feed : end) - line);
        if (length > HASH_DIGITS) {
            char hash[HASH_DIGITS + 1];
            snprintf(hash, sizeof hash, "%016" PRIx64, XXH64(line, length - HASH_DIGITS, 0));
            memcpy(line + length - HASH_DIGITS, hash, HASH_DIGITS);
        }
        line += length + 1;
    }
}

/* As it came, and mended. */
static void run_mended(const unsigned char *data, size_t size, void (*mend)(char *, size_t),
                       void (*run)(const char *, size_t)) {
    run((const char *)data, size);
    psb_status status = PSB_OK;
    char *copy = psb_new(&status, size, 1, "a copy", NULL);
    if (size > 0 && copy != NULL) {
        memcpy(copy, data, size);
        mend(copy, size);
        run(copy, size);
    }
    free(copy);
}

static void read_chunks(const char *bytes, size_t size) {
    size_t offset = 0, start = 0, damage = SIZE_MAX, end = 0;
    psb_chunk chunk;
    psb_buffer copy = {0};
    while (psb_chunk_next(bytes, size, &offset, &start, &damage, &chunk)) {
        promise(start >= end && start < offset && offset <= size);
        promise(damage == SIZE_MAX || damage < start);
        end = offset;
        /* What was read is what writing it gives. */
        size_t length = 0;
        promise(psb_chunk_build(&chunk, &copy, &length, NULL) == PSB_OK);
        promise(length == offset - start && memcmp(copy.data, bytes + start, length) == 0);
    }
    promise(offset == size && (end == size || damage < size));
    psb_buffer_free(&copy);
}

static void run_chunk(const unsigned char *data, size_t size) {
    run_mended(data, size, mend_records, read_chunks);
}

static void read_ledger(const char *bytes, size_t size) {
    psb_ledger ledger = {0};
    promise(psb_ledger_parse(bytes, size, &ledger, NULL) == PSB_OK);
    promise(ledger.count + ledger.ncommands + ledger.damaged <= size + 1);
    for (size_t i = 0; i < ledger.count; i++) {
        const psb_ledger_entry *entry = &ledger.entries[i];
        promise(is_finite(entry->wall_seconds) && is_finite(entry->cpu_seconds));
        promise(strlen(entry->name) <= size);
        promise(entry->name[0] != '/' && strstr(entry->name, "..") == NULL);
        promise(psb_ledger_find(&ledger, entry->name) == entry);
    }
    psb_ledger_free(&ledger);
}

static void run_ledger(const unsigned char *data, size_t size) {
    run_mended(data, size, mend_lines, read_ledger);
}

/* ---- whatever a mesh holds, its descriptors are finite -------------------------------------- */

/* Made once for the process: tables take longer than a small model. */
typedef struct descriptors {
    psb_tables *tables;
    psb_shape *shape;
    psb_spec **specs;
    size_t count;
} descriptors;

static const descriptors *all_descriptors(void) {
    static descriptors d;
    if (d.shape == NULL) {
        promise(psb_tables_new(&d.tables, NULL) == PSB_OK);
        promise(psb_shape_new(d.tables, &d.shape, NULL) == PSB_OK);
        promise(psb_spec_parse_list(NULL, "all,DBUF,VIEWS,SPIN", &d.specs, &d.count, NULL) ==
                PSB_OK);
    }
    return &d;
}

static void describe(const descriptors *d, const psb_mesh *mesh) {
    psb_error error;
    psb_status status = psb_shape_load(d->shape, mesh, "input", &error);
    for (size_t s = 0; s < d->count && status == PSB_OK; s++) {
        static float row[16384];
        promise(psb_spec_row_bytes(d->specs[s]) <= sizeof row);
        status = psb_shape_describe(d->shape, d->specs[s], row, &error);
        size_t numbers = psb_spec_element(d->specs[s]) == PSB_FLOAT32
                             ? psb_spec_row_bytes(d->specs[s]) / sizeof(float)
                             : 0;
        for (size_t i = 0; i < numbers && status == PSB_OK; i++) {
            promise(is_finite((double)row[i]));
        }
    }
    promise(status == PSB_OK || status == PSB_ERROR_INPUT);
}

static void run_describe(const unsigned char *data, size_t size) {
    psb_mesh_buffer buffer = {0};
    if (psb_off_parse("input", (const char *)data, size, &buffer, NULL) == PSB_OK) {
        describe(all_descriptors(), &buffer.mesh);
    }
    psb_mesh_buffer_free(&buffer);
}

/* ---- the table ------------------------------------------------------------------------------ */

/* The slowest first: others are fuzzed beside it. */
static const fuzz_target targets[] = {
    {"describe", {"off_good", "off_bad"}, 512, run_describe},
    {"off", {"off_good", "off_bad"}, 4096, run_off},
    {"obj", {"obj_good", "obj_bad"}, 1024, run_obj},
    {"ply", {"ply_good", "ply_bad"}, 1024, run_ply},
    {"stl", {"stl_good", "stl_bad"}, 1024, run_stl},
    {"gltf", {"gltf_good", "gltf_bad"}, 4096, run_gltf},
    {"collada", {NULL, NULL}, 4096, run_collada},
    {"threemf", {NULL, NULL}, 4096, run_threemf},
    {"mesh", {"ply_good", "stl_good"}, 1024, run_mesh},
    {"pcd", {NULL}, 1024, run_pcd},
    {"points_text", {NULL}, 512, run_points_text},
    {"points_npy", {NULL}, 512, run_points_npy},
    {"points_ply", {"ply_good"}, 1024, run_points_ply},
    {"archive", {NULL, NULL}, 4096, run_archive},
    {"cla", {"cla_bad", NULL}, 4096, run_cla},
    {"labels", {"labels_good", "labels_bad"}, 1024, run_labels},
    {"name", {NULL, NULL}, 256, run_name},
    {"matrix", {NULL, NULL}, 1024, run_matrix},
    {"matrix_text", {NULL, NULL}, 1024, run_matrix_text},
    {"npy", {NULL, NULL}, 1024, run_npy},
    {"rows_text", {NULL, NULL}, 1024, run_rows_text},
    {"npz", {NULL, NULL}, 1024, run_npz},
    {"zip", {NULL, NULL}, 1024, run_zip},
    {"facts", {NULL, NULL}, 2048, run_run_facts},
    {"query_list", {NULL, NULL}, 256, run_query_list},
    {"ids", {NULL, NULL}, 256, run_ids},
    {"chunk", {NULL, NULL}, 4096, run_chunk},
    {"ledger", {NULL, NULL}, 4096, run_ledger},
    {"directions", {NULL, NULL}, 1024, run_directions},
    {"neighbors", {NULL, NULL}, 512, run_neighbors},
    {"qrels", {NULL, NULL}, 128, run_qrels},
    {"trec", {NULL, NULL}, 256, run_trec},
    {"shrec", {NULL, NULL}, 128, run_shrec},
    {"shapenet", {NULL, NULL}, 128, run_shapenet},
    {"list_rows", {NULL, NULL}, 128, run_list_rows},
};

size_t fuzz_target_count(void) {
    return LENGTH(targets);
}

const fuzz_target *fuzz_target_at(size_t index) {
    return &targets[index];
}

const fuzz_target *fuzz_target_find(const char *name) {
    for (size_t i = 0; i < LENGTH(targets); i++) {
        if (strcmp(targets[i].name, name) == 0) {
            return &targets[i];
        }
    }
    return NULL;
}
