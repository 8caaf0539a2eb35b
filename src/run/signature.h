/*
 * A signature: few numbers of a model, compared by cosine, for sets in which comparing everything
 * takes too long. Blocks of a model's rows, each of L2 norm 1, one behind the other, less their
 * mean over the models of a training list, projected on the principal directions of that list; the
 * coordinate along a direction is divided by the root of the standard deviation along it.
 *
 * The directions are kept in a file, little-endian: "psbsig1\n"; bytes of the text below, hash of
 * the training list (psb_list_hash), its models, numbers before the projection, directions (8 bytes
 * each); the text that says what makes the rows (psb_store_describe of each block, line feeds
 * behind it up to a multiple of 8 bytes); the mean, the divisors, the directions (double); XXH64 of
 * all that.
 */
#ifndef PSB_RUN_SIGNATURE_H
#define PSB_RUN_SIGNATURE_H

#include "run/derived_rows.h"

enum { PSB_SIGNATURE_LENGTH = 100 };

typedef struct psb_basis {
    uint64_t list;        /* hash of the training list */
    size_t models;        /* that the directions were found from */
    size_t count, length; /* directions, numbers in each */
    const double *mean, *divisor, *direction;
    void *memory;  /* that these are parts of */
    uint64_t hash; /* of the file */
} psb_basis;

/*
 * Finds the directions, at most PSB_SIGNATURE_LENGTH, from those models of a run that stand in the
 * training list, and writes them to `path`. *used: how many those were.
 */
psb_status psb_signature_learn(const psb_derived *d, const psb_classification *training,
                               const char *path, size_t *used, psb_error *error);

/*
 * PSB_ERROR_INPUT for what is no such file, is damaged, or was made by other revisions or
 * parameters of the descriptors than this program's.
 */
psb_status psb_basis_read(const char *path, psb_basis *directions, psb_error *error);
psb_status psb_basis_parse(const char *path, const char *data, size_t size, psb_basis *directions,
                           psb_error *error);
void psb_basis_free(psb_basis *directions);

/* Makes RUN/features/SIGNATURE.npy. */
psb_status psb_signature_add(psb_derived *d, const psb_basis *directions, psb_error *error);

#endif
