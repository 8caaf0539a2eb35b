/* Finds models of a folder by any part of their names, for tables whose ids name no folders. */
#pragma once

#include "core/names.h"
#include "io/archive.h"
#include "io/listing.h"

typedef struct psb_model_index {
    psb_listing models; /* with names cut into their parts */
    psb_names names;
} psb_model_index;

/* The index must be zeroed; close it in every case. */
psb_status psb_model_index_open(const psb_archive *archive, const char *folder,
                                psb_model_index *index, psb_error *error);

/* Finds the one model whose name ends with the part `id`, or that is in a folder `id`: *path is a
 * copy of its path, or NULL if there is none. PSB_ERROR_INPUT if there are several. */
psb_status psb_model_index_find(const psb_model_index *index, const char *id, char **path,
                                psb_error *error);
void psb_model_index_close(psb_model_index *index);
