/* Reads query lists: text files with a model's id on each line. */
#pragma once

#include "io/cla.h"

/*
 * Sets listed[i] if model i of the classification is in the file. Skips empty lines and lines that
 * begin with '#'. PSB_ERROR_INPUT, with the line, for an id that is not in the classification or
 * that occurs twice.
 */
psb_status psb_query_list_read(const char *path, const psb_classification *cla, bool *listed,
                               psb_error *error);

/* Like psb_query_list_read, for a file in memory. */
psb_status psb_query_list_parse(const char *path, const char *data, size_t size,
                                const psb_classification *cla, bool *listed, psb_error *error);
