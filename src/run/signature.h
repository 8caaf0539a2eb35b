/*
 * A signature: few numbers of a model, compared by cosine, for sets in which comparing everything
 * takes too long. Blocks of a model's rows, each of a weight's L2 norm, one behind the other, less
 * their mean over the models of a training list, projected on the principal directions of that
 * list; the coordinate along a direction is divided by the root of the standard deviation along it.
 *
 * With labels of the training list (within-class covariance normalisation, Hatch, Kajarekar,
 * Stolcke 2006): Sw is the covariance of these coordinates within classes, over the number of
 * models less that of classes, S = 0.7 Sw + 0.3 trace(Sw)/n I, n the directions; the coordinates
 * are multiplied by S^(-1/2), which the directions in the file have taken up, with divisors of 1.
 *
 * The directions are kept in a file, in the frame of core/seal.h: "psbsig1\n"; bytes of the text
 * below, hash of the training list (psb_list_hash), its models, numbers before the projection,
 * directions (8 bytes each); the text that says what makes the rows (psb_store_describe of each
 * block, "labels" where they were used, line feeds behind it up to a multiple of 8 bytes); the
 * mean, the divisors, the directions (double); with labels XXH64 of each model's name; XXH64 of all
 * that.
 */
#ifndef PSB_RUN_SIGNATURE_H
#define PSB_RUN_SIGNATURE_H

#include "run/derived_rows.h"

typedef struct psb_basis {
    psb_signature_blocks blocks;
    bool labels;
    uint64_t list;        /* hash of the training list */
    size_t models;        /* that the directions were found from */
    size_t count, length; /* directions, numbers in each */
    const double *mean, *divisor, *direction;
    const uint64_t *names; /* with labels: hashes of the models' names */
    void *memory;          /* that these are parts of */
    uint64_t hash;         /* of the file */
} psb_basis;

/*
 * Finds the directions from those models of a run that stand in the training list, and writes them
 * to `path`. *used: how many those were.
 */
psb_status psb_signature_learn(const psb_derived *d, const psb_classification *training,
                               const psb_signature_options *options, const char *path, size_t *used,
                               psb_error *error);

/*
 * PSB_ERROR_INPUT for what is no such file, is damaged, or was made by other revisions or
 * parameters of the descriptors than this program's.
 */
psb_status psb_basis_read(const char *path, psb_basis *directions, psb_error *error);
psb_status psb_basis_parse(const char *path, const char *data, size_t size, psb_basis *directions,
                           psb_error *error);
void psb_basis_free(psb_basis *directions);

/*
 * Makes RUN/features/LABEL.npy. psb_signature_label gives SIGNATURE; of all blocks E256.npy, or as
 * many directions as there are, and of the Fisher vector F256.npy, with labels E256L.npy and
 * F256L.npy. PSB_ERROR_INPUT where a model of the run is one of those whose labels the directions
 * know.
 */
psb_status psb_signature_add(psb_derived *d, const psb_basis *directions, const char *label,
                             psb_error *error);

/*
 * The same for a run that is a reference and not scored (run/reference.h): RUN/features/
 * LABEL+reference.npy, whatever labels the directions know.
 */
#define PSB_SIGNATURE_REFERENCE "+reference"
psb_status psb_signature_add_reference(psb_derived *d, const psb_basis *directions,
                                       const char *label, psb_error *error);

/* The names above. */
enum { PSB_SIGNATURE_LABEL = 32 };
void psb_signature_label(const psb_basis *directions, char label[PSB_SIGNATURE_LABEL]);

#endif
