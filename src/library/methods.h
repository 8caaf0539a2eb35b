/* Methods to be evaluated, as the rooms below take them: matrices, features, ranked lists. */
#pragma once

#include "eval/chance.h"
#include "eval/neighbor_measures.h"
#include "library/parts.h"
#include "stream/query_parts.h"

/* What the user said about one method. */
typedef struct psb_asked {
    char *label;               /* the user's label, or NULL */
    const psb_metric *metric;  /* metric for its features; NULL: the common one, or that below */
    const psb_metric *of_rows; /* metric that its features were made for; or NULL */
    bool named;                /* features of a run, named by their method */
    bool own;                  /* it is a file of the run at hand */
    char *rival;               /* the run's file with the same name, or NULL */
} psb_asked;

struct psb_methods {
    psb_context *psb;
    psb_classification cla; /* classes of the queries */
    psb_classification other;
    const psb_classification *targets; /* &cla or &other */
    bool judged;                       /* relevance is not by one set's classes alone */
    psb_relevance relevance;
    size_t count;
    psb_matrix *matrices;
    char **paths;
    psb_asked *asked;
    size_t paths_room, asked_room; /* capacities of `paths` and `asked` */
    const char **labels; /* for messages and tables: file names without folder and ending, or paths
                            if equal */
    char **stems;
    /* Features that are measured without making a matrix; else empty. */
    psb_feature_set *features;
    char *first_name;      /* the path that the queries come from */
    bool of_run;           /* first_name is a run, and names of its methods stand for files */
    const char *ending;    /* ending of the run's matrices */
    size_t memory;         /* bytes for measuring without matrices */
    psb_query_parts parts; /* the part of the queries to measure; without a folder, all at once */
    size_t unnamed;        /* files without names of rows */
    psb_list_form *lists;  /* form of a ranked list; PSB_LISTS_NONE: a matrix or features */
    bool *selected;        /* queries that take part in averages */
    size_t queries;        /* number of selected queries */
    bool *listed;          /* queries in the query list; NULL: no list */
    int threads;
    const char *reference; /* reference of the features, or NULL; the caller's */
    bool streamed;         /* measure features without a matrix, if there is one set */
    psb_list_form form;    /* the form of all lists, if the user said it */
    bool whole;            /* check all bytes of large files */
    size_t left_out;       /* unsound matrices of a run, each of which was reported */
};

/* asked.c: paths, metrics and labels from what the user wrote. psb_methods_add_path takes over
 * `path`. */
psb_status psb_methods_add_path(psb_methods *all, char *path, const psb_metric *metric,
                                psb_error *error);
psb_status psb_methods_find(psb_methods *all, const psb_methods_options *options, psb_error *error);
psb_status psb_methods_label(psb_methods *all, psb_error *error);

/* contents.c: opens method k and warns of doubtful contents. */
psb_status psb_methods_check_metric(const psb_methods *all, const psb_metric *metric,
                                    psb_error *error);
psb_status psb_methods_open_one(psb_methods *all, size_t k, const psb_metric *metric,
                                psb_error *error);
void psb_methods_warn(const psb_methods *all, const psb_matrix *matrix, const char *name);

/* Warns if a method's nearest neighbors are relevant no more often than in a random order. */
void psb_methods_tell_chance(const psb_methods *all, const psb_chance *chance, const char *name);

/* Like psb_methods_tell_chance, for lists and features, which have no matrix: uses their values if
 * nearest neighbors are measured. */
void psb_methods_judge_chance(const psb_methods *all, size_t k, const psb_evaluation *e,
                              const double *values);

/* Fails if no query takes part in averages. */
psb_status psb_methods_need_queries(const psb_methods *all, psb_error *error);

/*
 * Evaluates all methods by the measures, units and keep_ranks of *e, which the caller set. Reports
 * queries without a list and leaves them out. If a list is too short for a measure, that is an
 * error or, with `known`, the value is NAN. Close *e in any case.
 */
psb_status psb_methods_evaluate(const psb_methods *all, bool known, psb_evaluation *e,
                                psb_error *error);
