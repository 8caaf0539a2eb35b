/* All that the pages of a run show, as structs. A run makes the record while it works; later
 * commands read it from the folder. Both get the same evaluation and the same table. */
#pragma once

#include "run/plan.h"
#include "site/site.h"
#include "stream/feature_ranks.h"

/* Starts zeroed, and must not move: its parts point to each other. */
typedef struct psb_run_record {
    psb_run_facts facts;
    const char **labels;
    char **given_labels; /* labels of methods that are not the run's */
    size_t ngiven;
    psb_chosen_measure figures[PSB_MAX_CHOSEN];
    psb_evaluation evaluation; /* the five figures; its methods are the descriptors */
    psb_relevance relevance;   /* for two sets */
    psb_table4_row *rows;
    psb_table4 table;
    psb_classification cla; /* if read from the folder */
    bool *streamed;         /* true for descriptors without a matrix; or NULL */
    psb_report report;      /* points to the parts above, for the pages */
} psb_run_record;

/* Opens the evaluation of the facts' descriptors, with their labels. `targets` is NULL for one
 * set. */
psb_status psb_run_record_open(psb_run_record *record, const psb_classification *cla,
                               const psb_classification *targets, bool keep_ranks,
                               psb_error *error);

/* Makes the table and the report from facts and evaluation; `run` is the folder. */
void psb_run_record_finish(psb_run_record *record, const char *run);

/* Writes RUN/NAME.txt and its sisters and enters them. *table belongs to the caller in any case. */
psb_status psb_run_record_tables(const psb_run_record *record, psb_ledger *ledger, const char *name,
                                 psb_table **table, psb_error *error);

/* Writes any table to RUN/NAME.txt and its sisters, and enters them if RUN has a ledger;
 * `command_line` may be NULL. */
psb_status psb_run_save_table(const char *run, const char *name, const psb_table *table,
                              const char *command_line, psb_error *error);

/* Returns "features/STEM.npy" or "matrices/STEM.matrix", allocated as by psb_new; free() it. */
char *psb_run_method_file(psb_status *status, bool features, const char *name, psb_error *error);
/* Returns the path of that file, which must be as the run left it; free() it in any case. */
psb_status psb_run_method_path(const psb_results *results, bool features, const char *name,
                               char **path, psb_error *error);
/* Maps a matrix of `models` models, which must be as the run left it. */
psb_status psb_run_method_matrix(const psb_results *results, size_t models, const char *name,
                                 psb_matrix *matrix, psb_error *error);

/* Read RUN/run.json and RUN/models.cla, which must be as the run left them. psb_run_refuse_sides
 * reports a run of two sets, whose models.cla has the models of both, without classes. */
psb_status psb_run_refuse_sides(const char *run, psb_error *error);
psb_status psb_run_read_facts(const psb_results *results, psb_run_facts *facts, psb_error *error);
psb_status psb_run_read_models(const psb_results *results, psb_classification *cla,
                               psb_error *error);

/* Checks a label, which names files and stands in links: it must be as psb_spec_label writes it.
 * Fills in the stem. */
psb_status psb_run_check_descriptor(const char *run, psb_descriptor_facts *of, psb_error *error);

/* PSB_ERROR_INPUT unless the run's rows of this spec were made by the descriptor's revision in this
 * program: other rows are not comparable with rows that it makes. */
psb_status psb_run_check_revision(const psb_results *results, const psb_run_facts *facts,
                                  const psb_spec *spec, psb_error *error);

/* Marks *found as stale if another revision of its kind made the matrix of a method made from
 * others. `of` is what run.json says of the method. */
void psb_run_judge(const psb_descriptor_facts *of, psb_finding *found);

/* True if another revision than that of this program, or of `added`, made the run's file `name`:
 * features or distances of one of its methods. Nothing is said of methods that are unknown here. */
bool psb_run_is_older(const psb_added *added, const psb_run_facts *facts, const char *name);

/*
 * PSB_ERROR_USAGE if both files are features of runs, but of different descriptors, PSB_ERROR_INPUT
 * if those of the same descriptor or sum were made by different revisions of it or of a member:
 * distances between them mean nothing. Files that no run knows pass.
 */
psb_status psb_run_check_alike(const char *one, const char *other, psb_error *error);

typedef struct psb_run_reader {
    int threads;
    /* Methods over the run's models that are shown beside its own, with their labels and file
     * names. */
    const psb_matrix *given;
    const bool *given_streams; /* true for those without a matrix; NULL: none */
    const char *const *given_labels;
    const char *const *given_names;
    size_t ngiven;
    /* Also record descriptors with features only, without their figures. */
    bool streams;
    /* Called for each matrix (a name in the folder) that is left out because it is not as the run
     * left it. */
    void (*left_out)(void *context, const char *name, const char *why);
    psb_progress *progress; /* counts descriptors */
    void *context;          /* passed to both functions */
} psb_run_reader;

/*
 * Reads run.json and models.cla, and ranks every matrix that is as the run left it; the caller
 * ranks features that stream. PSB_ERROR_INPUT if one of the two files is not as the run left it, or
 * if no descriptor is left.
 */
psb_status psb_run_record_read(const psb_results *results, const psb_run_reader *reader,
                               psb_run_record *record, psb_error *error);

/* Like psb_run_record_read, for a set without a run: uses the reader's given methods alone. `facts`
 * say what is known of the set and have no descriptors. The classification stays the caller's. */
psb_status psb_run_record_of_set(const psb_classification *cla, const psb_run_facts *facts,
                                 const psb_run_reader *reader, psb_run_record *record,
                                 psb_error *error);

/* Copies the descriptor's figures from the evaluation to the table. */
void psb_run_record_average(psb_run_record *record, size_t which);

/* Opens the features of a run's descriptor, RUN/features/STEM.npy, with its own metric. `added` has
 * descriptors and metrics that are not built in, or is NULL. */
psb_status psb_run_features(const char *run, const psb_descriptor_facts *of, size_t n,
                            const psb_added *added, psb_feature_set *set, char **path,
                            psb_error *error);

void psb_run_record_free(psb_run_record *record);
