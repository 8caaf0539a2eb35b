/*
 * All that the pages of a run show, as structs: a run makes it while it works, and who comes later
 * reads it from the folder. Both end in the same evaluation and the same table.
 */
#ifndef PSB_RUN_RECORD_H
#define PSB_RUN_RECORD_H

#include "proof/results.h"
#include "run/plan.h"
#include "site/site.h"
#include "stream/feature_ranks.h"

/* Starts zeroed, and stays where it is: its parts refer to each other. */
typedef struct psb_run_record {
    psb_run_facts facts;
    const char **labels;
    char **given_labels; /* of descriptors that are not the run's */
    size_t ngiven;
    psb_chosen_measure figures[PSB_MAX_CHOSEN];
    psb_evaluation evaluation; /* of the five figures; the descriptors are its methods */
    psb_relevance relevance;   /* of two sets */
    psb_table4_row *rows;
    psb_table4 table;
    psb_classification cla; /* where it was read from the folder */
    bool *streamed;         /* descriptors of it without a matrix, or NULL */
    psb_report report;      /* the parts above, for the pages */
} psb_run_record;

/* Opens the evaluation of the facts' descriptors, which have their labels. One set: `targets` NULL.
 */
psb_status psb_run_record_open(psb_run_record *record, const psb_classification *cla,
                               const psb_classification *targets, bool keep_ranks,
                               psb_error *error);

/* Makes the table and the report from facts and evaluation; `run` is the folder. */
void psb_run_record_finish(psb_run_record *record, const char *run);

/* RUN/NAME.txt and its sisters, entered. *table is the caller's in any case. */
psb_status psb_run_record_tables(const psb_run_record *record, psb_ledger *ledger, const char *name,
                                 psb_table **table, psb_error *error);

/* Any table as RUN/NAME.txt and so on, entered where RUN has a ledger; `command_line` may be NULL.
 */
psb_status psb_run_save_table(const char *run, const char *name, const psb_table *table,
                              const char *command_line, psb_error *error);

/* "features/STEM.npy" or "matrices/STEM.matrix" as a step of psb_new's kind; free() it. */
char *psb_run_method_file(psb_status *status, bool features, const char *name, psb_error *error);
/* The path of that file, which has to be as the run left it; free() it in any case. */
psb_status psb_run_method_path(const psb_results *results, bool features, const char *name,
                               char **path, psb_error *error);
/* The path of features that somebody names: that of a file, or RUN/NAME. free() it in any case. Of
   RUN/NAME also the run's metric, where it is built in; else NULL. */
psb_status psb_features_path(const char *text, char **path, const psb_metric **metric,
                             psb_error *error);
/* Maps a matrix of `models` models, which has to be as the run left it. */
psb_status psb_run_method_matrix(const psb_results *results, size_t models, const char *name,
                                 psb_matrix *matrix, psb_error *error);

/* RUN/run.json and RUN/models.cla, which have to be as the run left them. The second is refused of
   a run whose queries and targets are two sets: it has all of them, without classes. */
psb_status psb_run_refuse_sides(const char *run, psb_error *error);
psb_status psb_run_read_facts(const psb_results *results, psb_run_facts *facts, psb_error *error);
psb_status psb_run_read_models(const psb_results *results, psb_classification *cla,
                               psb_error *error);

/* A label names files and stands in links: only what psb_spec_label writes is accepted. Fills in
   the stem. */
psb_status psb_run_check_descriptor(const char *run, psb_descriptor_facts *of, psb_error *error);

/*
 * PSB_ERROR_INPUT unless the run's rows of this spec were made by the revision of the descriptor
 * that this program has: others are not comparable with rows that it makes.
 */
psb_status psb_run_check_revision(const psb_results *results, const psb_run_facts *facts,
                                  const psb_spec *spec, psb_error *error);

/* A matrix of a method made of others that another revision of its kind made is stale: adds that to
   what a look at it found. `of` is what run.json says of it. */
void psb_run_judge(const psb_descriptor_facts *of, psb_finding *found);

/*
 * PSB_ERROR_INPUT where both are files of features of runs, of one descriptor or sum, whose rows
 * were made by different revisions of it or of a member: distances between them mean nothing. Of
 * files that no run knows nothing is known, and they pass.
 */
psb_status psb_run_check_alike(const char *one, const char *other, psb_error *error);

typedef struct psb_run_reader {
    int threads;
    /* Methods over the run's models that stand beside its own, with their labels and what their
       files are called. */
    const psb_matrix *given;
    const bool *given_streams; /* those without a matrix; NULL: there are none */
    const char *const *given_labels;
    const char *const *given_names;
    size_t ngiven;
    /* A descriptor of which the run kept features alone is in the record, without its figures. */
    bool streams;
    /* Told of each matrix (a name in the folder) that is not as the run left it: it is left out. */
    void (*left_out)(void *context, const char *name, const char *why);
    psb_progress *progress; /* over descriptors */
    void *context;          /* of both */
} psb_run_reader;

/*
 * Reads run.json and models.cla, and ranks every matrix that is as the run left it; features only
 * where they stream, by who asked for it. PSB_ERROR_INPUT where the two are not, or no descriptor
 * is left.
 */
psb_status psb_run_record_read(const psb_results *results, const psb_run_reader *reader,
                               psb_run_record *record, psb_error *error);

/*
 * The same of a set without a run: of the reader's given methods alone. `facts` say what is known
 * of the set; of descriptors they have none. The classification stays the caller's.
 */
psb_status psb_run_record_of_set(const psb_classification *cla, const psb_run_facts *facts,
                                 const psb_run_reader *reader, psb_run_record *record,
                                 psb_error *error);

/* The descriptor's figures into the table, when the evaluation has them. */
void psb_run_record_average(psb_run_record *record, size_t which);

/*
 * Opens the features of a run's descriptor, RUN/features/STEM.npy, with its own metric. `added` has
 * what is not built in, or is NULL.
 */
psb_status psb_run_features(const char *run, const psb_descriptor_facts *of, size_t n,
                            const psb_added *added, psb_feature_set *set, char **path,
                            psb_error *error);

void psb_run_record_free(psb_run_record *record);

#endif
