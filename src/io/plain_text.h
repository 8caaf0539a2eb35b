/*
 * The text of tables and lists as programs write it. UTF-16 with its mark, which Excel calls
 * Unicode text, becomes UTF-8; a line may end with LF, CR LF, or CR alone.
 */
#pragma once

#include "psbench.h"

typedef struct psb_plain_text {
    const char *data; /* in the file's own bytes, or in `owned`; without a mark */
    size_t size;
    char *owned;
} psb_plain_text;

/*
 * Sets `text` to UTF-8 with lines that end with LF or CR LF. PSB_ERROR_INPUT for what is no text,
 * with the name of the format where that is known (psb_refuse_format). Close it, also on failure;
 * `data` must outlive it.
 */
psb_status psb_plain_open(const char *path, const char *data, size_t size, psb_plain_text *text,
                          psb_error *error);
void psb_plain_close(psb_plain_text *text);

/* PSB_ERROR_INPUT if the file is of a format that holds tables or arrays and is not read here:
 * JSON, HDF5, PyTorch's, ...; the message names the format and a way to convert it. */
psb_status psb_refuse_format(const char *path, const char *data, size_t size, psb_error *error);

/* Writes a code point below 0x110000 as UTF-8 and returns its length, 1 to 4. */
size_t psb_utf8_put(unsigned code, char *to);
