/*
 * A signature describes a model by few numbers, compared by cosine, for sets that are too large to
 * compare whole descriptors. Blocks of the model's rows, each scaled to its weight as L2 norm, are
 * put one after the other; their mean over the models of a training list is subtracted, and the
 * result is projected on the principal directions of that list. The coordinate along a direction is
 * divided by the square root of the standard deviation along it.
 *
 * With labels of the training list (within-class covariance normalization, Hatch, Kajarekar,
 * Stolcke 2006): Sw is the covariance of these coordinates within classes, divided by the number of
 * models less that of classes; S = 0.7 Sw + 0.3 trace(Sw)/n I for n directions. The coordinates are
 * multiplied by S^(-1/2); the directions in the file include that factor, and the divisors are 1.
 *
 * The directions are stored in a file, in the frame of core/seal.h: "psbsig1\n"; length of the text
 * below, hash of the training list (psb_list_hash), number of its models, of numbers before the
 * projection, of directions (8 bytes each); the text that says what makes the rows
 * (psb_store_describe of each block, "labels" if they were used, line feeds up to a multiple of 8
 * bytes); the mean, the divisors, the directions (double); with labels the XXH64 of each model's
 * name; the XXH64 of all that.
 */
#pragma once

#include "run/derived_rows.h"

typedef struct psb_basis {
    psb_signature_blocks blocks;
    bool labels;
    uint64_t list;        /* hash of the training list */
    size_t models;        /* models from which the directions were found */
    size_t count, length; /* number of directions, length of each */
    const double *mean, *divisor, *direction;
    const uint64_t *names; /* with labels: hashes of the models' names */
    void *memory;          /* memory of the arrays */
    uint64_t hash;         /* hash of the file */
} psb_basis;

/* Finds the directions from the models of a run that are in the training list, and writes them to
 * `path`. *used is the number of these models. */
psb_status psb_signature_learn(const psb_derived *d, const psb_classification *training,
                               const psb_signature_options *options, const char *path, size_t *used,
                               psb_error *error);

/* PSB_ERROR_INPUT if the file is of another kind, is damaged, or was made with other revisions or
 * parameters of the descriptors than this program's. */
psb_status psb_basis_read(const char *path, psb_basis *directions, psb_error *error);
psb_status psb_basis_parse(const char *path, const char *data, size_t size, psb_basis *directions,
                           psb_error *error);
void psb_basis_free(psb_basis *directions);

/*
 * Makes RUN/features/LABEL.npy. psb_signature_label gives the label of SIGNATURE: E256 for all
 * blocks (256 is the number of directions), F256 for the Fisher vector, with labels E256L and
 * F256L. PSB_ERROR_INPUT if the directions know the labels of a model of the run.
 */
psb_status psb_signature_add(psb_derived *d, const psb_basis *directions, const char *label,
                             psb_error *error);

/* The same for a run that is a reference and is not scored (run/reference.h): makes
 * RUN/features/LABEL+reference.npy, whatever labels the directions know. */
#define PSB_SIGNATURE_REFERENCE "+reference"
psb_status psb_signature_add_reference(psb_derived *d, const psb_basis *directions,
                                       const char *label, psb_error *error);

/* Writes the labels above. */
enum { PSB_SIGNATURE_LABEL = 32 };
void psb_signature_label(const psb_basis *directions, char label[PSB_SIGNATURE_LABEL]);
