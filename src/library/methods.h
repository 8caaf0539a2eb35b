/* Defines methods to be judged as the rooms below see them: matrices, features, ranked lists. */
#ifndef PSB_LIBRARY_METHODS_H
#define PSB_LIBRARY_METHODS_H

#include "eval/chance.h"
#include "eval/neighbor_measures.h"
#include "library/parts.h"
#include "stream/query_parts.h"

/* What was said of one method. */
typedef struct psb_asked {
    char *label;              /* that the user gave it, or NULL */
    const psb_metric *metric; /* of features; NULL: that of all, or none */
    bool named;               /* features of a run, by the name of their method */
    bool own;                 /* a file of the run at hand */
    char *rival;              /* the file that the run at hand has of the same name, or NULL */
} psb_asked;

struct psb_methods {
    psb_context *psb;
    psb_classification cla; /* of the queries */
    psb_classification other;
    const psb_classification *targets; /* one of the two */
    bool judged;                       /* `relevance` may say more than the classes of one set */
    psb_relevance relevance;
    size_t count;
    psb_matrix *matrices;
    char **paths;
    psb_asked *asked;
    size_t paths_room, asked_room; /* how many the two have memory for */
    const char *
        *labels; /* for people: file names without folder and ending, or paths where equal */
    char **stems;
    /* Of matrices whose measures are to be taken straight from features; else empty. */
    psb_feature_set *features;
    char *first_name;      /* of what says the queries */
    bool of_run;           /* that is a run, and files are names of its methods */
    const char *ending;    /* of a run's matrices */
    size_t memory;         /* bytes for that */
    psb_query_parts parts; /* of that; without a folder all is counted at once */
    size_t unnamed;        /* files that do not say which models their rows are */
    psb_list_form *lists;  /* where the path has ranked lists instead of a matrix */
    bool *selected;        /* queries that take part in averages */
    size_t queries;        /* how many */
    bool *listed;          /* those of a query list, or NULL */
    int threads;
    const char *reference; /* of the features, or NULL; the caller's */
    bool streamed;         /* features stay features, where one set allows that */
    psb_list_form form;    /* what all are, where that is said */
    bool whole;            /* all bytes of large files are checked */
    size_t left_out;       /* matrices of a run that are not as they should be; each was named */
};

/* asked.c: paths, metrics and labels of what a user wrote; the first takes over `path`. */
psb_status psb_methods_add_path(psb_methods *all, char *path, const psb_metric *metric,
                                psb_error *error);
psb_status psb_methods_find(psb_methods *all, const psb_methods_options *options, psb_error *error);
psb_status psb_methods_label(psb_methods *all, psb_error *error);

/* contents.c: opens method k; what is doubtful is warned of. */
psb_status psb_methods_check_metric(const psb_methods *all, const psb_metric *metric,
                                    psb_error *error);
psb_status psb_methods_open_one(psb_methods *all, size_t k, const psb_metric *metric,
                                psb_error *error);
void psb_methods_warn(const psb_methods *all, const psb_matrix *matrix, const char *name);

/* Warns where a method's nearest neighbors are those of a random order. */
void psb_methods_tell_chance(const psb_methods *all, const psb_chance *chance, const char *name);

/* The same of lists and features, which have no matrix, by their values where nearest neighbors are
   measured. */
void psb_methods_judge_chance(const psb_methods *all, size_t k, const psb_evaluation *e,
                              const double *values);

/* The error that nothing can be averaged, where that is so. */
psb_status psb_methods_need_queries(const psb_methods *all, psb_error *error);

/*
 * Evaluates all methods by the measures, units and keep_ranks of *e, which the caller set. Queries
 * without a list are told and left out. Where a list is too short for a measure that is an error,
 * unless `known` asks for NAN instead. Close *e in any case.
 */
psb_status psb_methods_evaluate(const psb_methods *all, bool known, psb_evaluation *e,
                                psb_error *error);

#endif
