/* Writes lists of neighbors, and recognizes them. */
#include "io/neighbors.h"

static bool by_id(const psb_neighbors_header *header) {
    return header->query_ids != NULL && header->database_ids != NULL;
}

void psb_neighbors_write_head(psb_output *output, const psb_neighbors_header *header) {
    fprintf(output->stream, PSB_NEIGHBORS_MARK " k=%zu metric=%s queries=%zu database=%zu\n%s\n",
            header->k, header->metric, header->queries, header->database,
            by_id(header) ? PSB_NEIGHBORS_BY_ID : PSB_NEIGHBORS_BY_ROW);
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

/* True if the file's first line or, with `names`, the first behind its comments begins so. */
static bool begins(const char *path, bool names, const char *words) {
    PSB_AT_END(psb_input_close) psb_input input = {0};
    if (psb_input_open(path, &input, NULL) != PSB_OK) {
        return false;
    }
    const char *at = input.data, *end = at + input.size, *line = at, *stop = at;
    while (psb_next_line(&at, end, &line, &stop) && names && *line == '#') {
    }
    size_t length = strlen(words);
    bool found = (size_t)(stop - line) >= length && memcmp(line, words, length) == 0;
    return found;
}

bool psb_neighbors_is_list(const char *path) {
    return begins(path, false, PSB_NEIGHBORS_MARK);
}

bool psb_neighbors_by_row(const char *path) {
    return begins(path, true, PSB_NEIGHBORS_BY_ROW);
}
