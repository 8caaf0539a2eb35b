/* Makes tables, writes rows to their places, and finds them again. */
#include "proof/row_table.h"

#include "core/beneath.h"
#include "io/npy.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static size_t head_of(const psb_row_table *table, char text[PSB_NPY_HEAD_MOST]) {
    return psb_npy_head(table->rows, psb_spec_length(table->spec), psb_spec_element(table->spec),
                        text);
}

static size_t place_of(const psb_row_table *table, size_t row) {
    return table->begin + row * psb_spec_row_bytes(table->spec);
}

psb_status psb_row_table_start(const char *chunks, const psb_spec *spec, size_t rows,
                               psb_row_table *table, psb_error *error) {
    char head[PSB_NPY_HEAD_MOST];
    psb_status status = PSB_OK;
    int stem = (int)(strlen(chunks) - strlen(".rows"));
    *table = (psb_row_table){.spec = spec, .rows = rows, .fd = -1};
    table->begin = head_of(table, head);
    table->path = psb_new_format(&status, error, "%.*s.npy", stem, chunks);
    table->taken = psb_new_zero(&status, rows, sizeof *table->taken, "finished rows", error);
    return status;
}

void psb_row_table_end(psb_row_table *table) {
    psb_close(table->fd);
    free(table->path);
    free(table->taken);
    *table = (psb_row_table){.fd = -1};
}

psb_status psb_row_table_map(const psb_row_table *table, psb_input *file, psb_error *error) {
    return psb_input_open_if_there(table->path, file, error);
}

bool psb_row_table_find(const psb_row_table *table, const psb_input *file, psb_chunk *chunk) {
    psb_place place;
    size_t bytes = psb_spec_row_bytes(table->spec);
    if (chunk->payload_length != sizeof place) {
        return false;
    }
    memcpy(&place, chunk->payload, sizeof place);
    if (bytes > file->size || place.offset > file->size - bytes ||
        XXH64(file->data + place.offset, bytes, 0) != place.hash) {
        return false;
    }
    chunk->payload = file->data + place.offset;
    chunk->payload_length = bytes;
    return true;
}

bool psb_row_table_note(psb_row_table *table, size_t offset, size_t row) {
    size_t bytes = psb_spec_row_bytes(table->spec);
    size_t at = offset >= table->begin ? (offset - table->begin) / bytes : SIZE_MAX;
    table->is_used = true;
    if (at < table->rows) {
        table->taken[at] = true;
    }
    return row < table->rows && offset == place_of(table, row);
}

/* Looks at the open file: whether it has the places, and no second name. */
static psb_status look(psb_row_table *table, bool *own, psb_error *error) {
    char head[PSB_NPY_HEAD_MOST], there[PSB_NPY_HEAD_MOST];
    size_t length = head_of(table, head);
    struct stat info;
    if (fstat(table->fd, &info) != 0) {
        return psb_fail_errno(error, table->path, "look at the file");
    }
    ssize_t got = S_ISREG(info.st_mode) ? pread(table->fd, there, length, 0) : 0;
    if (got < 0) {
        return psb_fail_errno(error, table->path, "read");
    }
    table->fits = (size_t)got == length && memcmp(head, there, length) == 0 &&
                  (size_t)info.st_size == place_of(table, table->rows);
    *own = table->fits && info.st_nlink == 1;
    return PSB_OK;
}

/* *own: it may be written to. */
static psb_status open_file(psb_row_table *table, bool *own, psb_error *error) {
    *own = false;
    table->fd = psb_open_path(table->path, O_RDWR | O_NONBLOCK, 0);
    if (table->fd < 0) {
        return errno == ENOENT ? PSB_OK : psb_fail_path(error, table->path, "open");
    }
    psb_status status = look(table, own, error);
    if (!*own) {
        close(table->fd);
        table->fd = -1;
    }
    return status;
}

/* A file with nothing but its head, and with its full size. */
static psb_status make_file(const psb_row_table *table, psb_error *error) {
    psb_output output;
    bool gathered = psb_outputs_gather(true);
    psb_status status = psb_output_open(table->path, &output, error);
    psb_outputs_gather(gathered);
    if (status != PSB_OK) {
        return status;
    }
    psb_npy_write_head(&output, table->rows, psb_spec_length(table->spec),
                       psb_spec_element(table->spec));
    if (fflush(output.stream) == 0) {
        status = psb_lengthen(fileno(output.stream), table->path, "make room in",
                              place_of(table, table->rows), error);
    }
    if (status != PSB_OK) {
        psb_output_discard(&output);
    }
    return PSB_THEN(status, psb_output_commit(&output, error));
}

psb_status psb_row_table_begin(psb_row_table *table, psb_error *error) {
    bool own;
    psb_status status = open_file(table, &own, error);
    if (status == PSB_OK && !own && !table->is_used) {
        status = make_file(table, error);
        PSB_THEN(status, open_file(table, &own, error));
    }
    return status;
}

bool psb_row_table_has_room(const psb_row_table *table, size_t row) {
    return table->fd >= 0 && row < table->rows && !table->taken[row];
}

psb_status psb_row_table_write(psb_row_table *table, size_t row, const void *data, psb_place *place,
                               psb_error *error) {
    size_t bytes = psb_spec_row_bytes(table->spec);
    *place = (psb_place){place_of(table, row), XXH64(data, bytes, 0)};
    psb_status status =
        psb_write_bytes(table->fd, table->path, "write", data, bytes, place->offset, error);
    table->taken[row] = status == PSB_OK;
    return status;
}
