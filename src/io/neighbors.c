/* Writes and reads lists of neighbors. */
#include "io/neighbors.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/names.h"
#include "core/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char first_words[] = "# psbench search:";
static const char names_by_id[] = "query\trank\tneighbor\tdistance";
static const char names_by_row[] = "query_row\trank\tneighbor_row\tdistance";

enum { FIELDS = 4, SHOWN = 40 };

/* ---- writing ---------------------------------------------------------------------------- */

static bool by_id(const psb_neighbors_header *header) {
    return header->query_ids != NULL && header->database_ids != NULL;
}

void psb_neighbors_write_head(psb_output *output, const psb_neighbors_header *header) {
    fprintf(output->stream, "%s k=%zu metric=%s queries=%zu database=%zu\n%s\n", first_words,
            header->k, header->metric, header->queries, header->database,
            by_id(header) ? names_by_id : names_by_row);
}

/* Appends the id if there are ids, else the row. */
static void add_name(psb_text *lines, bool ids, char *const *id, size_t row) {
    if (ids) {
        psb_text_add(lines, id[row]);
    } else {
        const uint32_t number = (uint32_t)row;
        psb_text_add_numbers(lines, &number, 1, '\t');
    }
}

void psb_neighbors_add(psb_text *lines, const psb_neighbors_header *header, size_t query,
                       size_t rank, size_t neighbor, float distance) {
    const uint32_t number = (uint32_t)rank;
    bool ids = by_id(header);
    add_name(lines, ids, header->query_ids, query);
    psb_text_add_bytes(lines, "\t", 1);
    psb_text_add_numbers(lines, &number, 1, '\t');
    psb_text_add_bytes(lines, "\t", 1);
    add_name(lines, ids, header->database_ids, neighbor);
    psb_text_add_bytes(lines, "\t", 1);
    psb_text_add_short(lines, (double)distance, 9); /* nine digits tell any two floats apart */
    psb_text_add_bytes(lines, "\n", 1);
}

psb_status psb_neighbors_write(psb_output *output, psb_text *lines, psb_error *error) {
    psb_status status = psb_text_status(lines, error);
    if (status == PSB_OK && lines->length > 0) {
        fwrite(lines->data, 1, lines->length, output->stream);
        lines->length = 0;
    }
    return status;
}

/* ---- reading ---------------------------------------------------------------------------- */

typedef struct reader {
    const char *path;
    const psb_classification *queries, *targets;
    psb_names query_names, target_names; /* empty if the file has row numbers */
    bool rows;
    size_t *query_at, *target_at; /* the model of each row, if the file has row numbers */
    unsigned long line;
    size_t query, rank; /* those on the line before; rank 0: there is none */
    double distance;
    bool *begun;    /* true for queries whose list has begun */
    size_t *member; /* 1 + the last query with the model in its list */
    psb_neighbors_take *take;
    void *context;
    psb_error *error;
} reader;

typedef struct field {
    const char *begin, *end;
} field;

static psb_status fail(const reader *r, const char *what) {
    return psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line, "%s", what);
}

bool psb_neighbors_is_list(const char *path) {
    psb_input input;
    psb_error error;
    if (psb_input_open(path, &input, &error) != PSB_OK) {
        return false;
    }
    size_t length = sizeof first_words - 1;
    bool list = input.size >= length && memcmp(input.data, first_words, length) == 0;
    psb_input_close(&input);
    return list;
}

bool psb_neighbors_by_row(const char *path) {
    psb_input input;
    psb_error error;
    if (psb_input_open(path, &input, &error) != PSB_OK) {
        return false;
    }
    const char *at = input.data, *end = input.data + input.size;
    while (at < end && *at == '#') {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        at = feed != NULL ? feed + 1 : end;
    }
    size_t length = sizeof names_by_row - 1;
    bool rows = (size_t)(end - at) >= length && memcmp(at, names_by_row, length) == 0;
    psb_input_close(&input);
    return rows;
}

static bool split(const char *at, const char *end, field fields[FIELDS]) {
    for (int f = 0; f < FIELDS; f++) {
        const char *tab = f + 1 < FIELDS ? memchr(at, '\t', (size_t)(end - at)) : end;
        if (tab == NULL) {
            return false;
        }
        fields[f] = (field){at, tab};
        at = tab + 1;
    }
    return memchr(fields[FIELDS - 1].begin, '\t', (size_t)(end - fields[FIELDS - 1].begin)) == NULL;
}

static bool whole_number(field text, int64_t *number) {
    const char *at = text.begin;
    return psb_scan_int64(&at, text.end, number) && at == text.end && *number >= 0;
}

static psb_status find_model(const reader *r, field text, bool query, size_t *model) {
    size_t length = (size_t)(text.end - text.begin);
    size_t rows = query ? r->queries->nmodels : r->targets->nmodels;
    const size_t *at = query ? r->query_at : r->target_at;
    int64_t row;
    if (r->rows) {
        *model = whole_number(text, &row) && (uint64_t)row < rows ? at[row] : PSB_NO_NAME;
    } else {
        *model =
            psb_names_find_bytes(query ? &r->query_names : &r->target_names, text.begin, length);
    }
    return *model != PSB_NO_NAME
               ? PSB_OK
               : psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                             "%s '%.*s' is not in the classification", r->rows ? "row" : "model",
                             (int)(length < SHOWN ? length : SHOWN), text.begin);
}

/* Checks that the line may follow the line before. */
static psb_status check_order(reader *r, size_t query, int64_t rank, double distance) {
    bool first = r->rank == 0 || query != r->query;
    if (first && r->begun[query]) {
        return fail(r, "the lines of this query are not consecutive");
    }
    size_t expected = first ? 1 : r->rank + 1;
    if ((uint64_t)rank != expected) {
        return psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                           "rank %lld, but this is number %zu of the list", (long long)rank,
                           expected);
    }
    if (!first && distance < r->distance) {
        return psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                           "distance %.9g behind %.9g: a list is in ascending order", distance,
                           r->distance);
    }
    r->begun[query] = true;
    r->query = query;
    r->rank = expected;
    r->distance = distance;
    return PSB_OK;
}

static psb_status read_line(reader *r, const char *at, const char *end) {
    field fields[FIELDS];
    if (!split(at, end, fields)) {
        return fail(r, "want four fields with tabs between them: query, rank, neighbor, distance");
    }
    size_t query, neighbor;
    psb_status status = find_model(r, fields[0], true, &query);
    PSB_THEN(status, find_model(r, fields[2], false, &neighbor));
    if (status != PSB_OK) {
        return status;
    }
    int64_t rank;
    double distance;
    const char *number = fields[3].begin;
    if (!whole_number(fields[1], &rank) || !psb_scan_double(&number, fields[3].end, &distance) ||
        number != fields[3].end || !(distance >= 0 && distance < HUGE_VAL)) {
        return fail(r, "want a rank and a distance that is finite and not negative");
    }
    status = check_order(r, query, rank, distance);
    if (status != PSB_OK) {
        return status;
    }
    const char *name = r->targets->models[neighbor];
    bool itself = strcmp(name, r->queries->models[query]) == 0;
    if (itself || r->member[neighbor] == query + 1) {
        return psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                           itself ? "model '%.40s' is in its own list"
                                  : "model '%.40s' is twice in this list",
                           name);
    }
    r->member[neighbor] = query + 1;
    r->take(r->context, query, r->rank, neighbor, distance);
    return PSB_OK;
}

/* Reads the number after `word` ("k=") in the first line. */
static bool find_count(const char *at, const char *end, const char *word, int64_t *count) {
    size_t length = strlen(word);
    for (; at + length < end; at++) {
        if (memcmp(at, word, length) == 0) {
            at += length;
            return psb_scan_int64(&at, end, count) && (at == end || *at == ' ');
        }
    }
    return false;
}

static psb_status read_head(reader *r, const char *at, const char *end) {
    size_t length = sizeof first_words - 1;
    int64_t rows;
    if ((size_t)(end - at) < length || memcmp(at, first_words, length) != 0 ||
        !find_count(at, end, " database=", &rows)) {
        return fail(r, "want '# psbench search:' and 'database=' with the number of its rows");
    }
    return (uint64_t)rows == r->targets->nmodels
               ? PSB_OK
               : psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                             "lists from a database of %lld, but the classification has %zu models",
                             (long long)rows, r->targets->nmodels);
}

static bool is_line(const char *at, const char *end, const char *text) {
    return (size_t)(end - at) == strlen(text) && memcmp(at, text, strlen(text)) == 0;
}

static psb_status read_names(reader *r, const char *at, const char *end) {
    r->rows = is_line(at, end, names_by_row);
    if (!r->rows && !is_line(at, end, names_by_id)) {
        return fail(r, "want the names of the columns: query, rank, neighbor, distance");
    }
    const psb_classification *queries = r->queries, *targets = r->targets;
    if (r->rows) {
        psb_status status = psb_cla_one_order(queries, r->path, false, r->error);
        PSB_THEN(status, psb_cla_one_order(targets, r->path, false, r->error));
        PSB_THEN(status, psb_cla_listed(queries, &r->query_at, r->error));
        return PSB_THEN(status, psb_cla_listed(targets, &r->target_at, r->error));
    }
    psb_status status =
        psb_names_fill(&r->query_names, queries->models, queries->nmodels, r->error);
    return PSB_THEN(status,
                    psb_names_fill(&r->target_names, targets->models, targets->nmodels, r->error));
}

static psb_status read_all(reader *r, const char *data, size_t size) {
    const char *end = data + size;
    psb_status status = PSB_OK;
    bool named = false;
    for (const char *at = data; at < end && status == PSB_OK;) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        const char *stop = feed != NULL ? feed : end;
        r->line++;
        if (r->line == 1) {
            status = read_head(r, at, stop);
        } else if (*at == '#') {
            status = PSB_OK;
        } else if (!named) {
            status = read_names(r, at, stop);
            named = true;
        } else {
            status = read_line(r, at, stop);
        }
        at = feed != NULL ? feed + 1 : end;
    }
    return status == PSB_OK && !named ? fail(r, "the file ends in front of its lists") : status;
}

psb_status psb_neighbors_parse(const char *path, const char *data, size_t size,
                               const psb_classification *queries, const psb_classification *targets,
                               psb_neighbors_take *take, void *context, psb_error *error) {
    reader r = {.path = path,
                .queries = queries,
                .targets = targets,
                .take = take,
                .context = context,
                .error = error};
    psb_status status = PSB_OK;
    r.begun = psb_new_zero(&status, queries->nmodels, sizeof *r.begun, "lists", error);
    r.member = psb_new_zero(&status, targets->nmodels, sizeof *r.member, "lists", error);
    PSB_THEN(status, read_all(&r, data, size));
    psb_names_free(&r.query_names);
    psb_names_free(&r.target_names);
    free(r.query_at);
    free(r.target_at);
    free(r.begun);
    free(r.member);
    return status;
}
