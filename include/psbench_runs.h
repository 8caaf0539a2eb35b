/*
 * The part of psbench.h about runs: making a run, adding methods to it, checking its folder and
 * showing it. A run is work on one set of models whose results are files in a folder; a verb that
 * reads the folder checks them. Include psbench.h instead of this file.
 */
#ifndef PSBENCH_RUNS_H
#define PSBENCH_RUNS_H

/* ---- runs -------------------------------------------------------------------------------- */

/* Whether matrices of distances, 4 N^2 bytes each, are kept; figures are the same without them. */
typedef enum psb_matrices_kept {
    PSB_MATRICES_AUTO, /* for at most 16384 models */
    PSB_MATRICES_YES,
    PSB_MATRICES_NO,
} psb_matrices_kept;

/* All texts must stay valid until the result is freed. */
typedef struct psb_run_options {
    psb_collection_options data; /* needs models; files are not allowed */
    const char *descriptors;  /* methods: "SHD,GEDT:width=3,T3,T3+kr"; the parts of T3 are made too;
                                 NULL or "all": the paper's twelve */
    const char *reference;    /* folder of the run that methods like T3+co need, see 'psbench help
                                 run'; may be `folder`; else NULL */
    const char *folder;       /* for the results; made if it does not exist */
    const char *title;        /* title of the table; NULL: the source of the classes */
    const char *command_line; /* for the manifest; may be NULL */
    const uint64_t *turn;     /* seed of a rotation for each model; NULL: as its file has it */
    size_t max_faces;         /* limit of a model; 0: ten million */
    size_t max_bytes;   /* limit of a model's file, packed and unpacked; 0: 256 for each face of
                           max_faces */
    double max_seconds; /* limit of a model's CPU time; 0: none */
    size_t part, parts; /* if parts > 0: compute only the rows of part 0 ... parts - 1 */
    bool complete;      /* rows that no part has left are an error (PSB_ERROR_IO), not work */
    psb_matrices_kept matrices;
    size_t memory;  /* bytes for computing figures without matrices; 0: 2 GiB */
    bool published; /* if the list of models and classes is the paper's, show its figures beside the
                       measured ones; another list gets neither these nor `title` */
    bool no_times;  /* leave seconds out of the table, so that two runs give the same bytes */
    bool pages;     /* psb_pages_write will be called for the result */
    bool replace;   /* remove the results of an earlier run over another list */
    bool verify;    /* compare all bytes of earlier results */
} psb_run_options;

typedef struct psb_run_result {
    bool begun;      /* the folder is this run's, and the next run can use what is in it */
    bool other_list; /* the folder was refused: it has the results of another list of models */
    size_t models_listed, models_used, models_missing, models_failed;
    size_t queries;            /* number of queries in the averages */
    const psb_table *table;    /* NULL for a part, or if the run failed */
    struct psb_run_kept *kept; /* belongs to the library */
} psb_run_result;

/* PSB_ERROR_USAGE if a list of methods, psb_run_options.descriptors, cannot be parsed. */
psb_status psb_check_descriptors(const psb_context *psb, const char *list, psb_error *error);

/*
 * 'psbench run': makes every descriptor of every model, distances, scores and the table, as files
 * in one folder, and continues what an earlier run there has finished. Models that fail are
 * reported to the observer and counted. *result is set, and must be freed, even if the run failed.
 */
psb_status psb_run(psb_context *psb, const psb_run_options *options, psb_run_result *result,
                   psb_error *error);
void psb_run_free(psb_run_result *result);

/*
 * 'psbench sweep': runs the variants in `descriptors` over data.cla, and scores the best of them on
 * the list `test`, unless that is NULL. The table is FOLDER/sweep.*. *result only has counts, even
 * after a failure, and need not be freed.
 */
psb_status psb_make_sweep(psb_context *psb, const psb_run_options *options, const char *test,
                          psb_run_result *result, psb_table **table, psb_error *error);
/* 'psbench beyond': makes runs of the benchmark's own lists below `folder`, and a table of them;
 * *result is as above. */
psb_status psb_make_beyond(psb_context *psb, const psb_run_options *options, const char *benchmark,
                           psb_run_result *result, psb_table **table, psb_error *error);

typedef struct psb_paper_options {
    int number;                /* 5 or 6 */
    const char *run;           /* folder of the run whose methods are measured */
    const char *benchmark;     /* the benchmark's folder, with db/ and classification/ */
    const char *miscellaneous; /* for Table 6, see 'psbench help table6'; NULL: "swapped" */
    const char *command_line;  /* the command that makes the table again; may be NULL */
} psb_paper_options;

/* Makes Table 5 or 6 of the paper from methods of a run that are matrices; writes RUN/table5.*
 * too. */
psb_status psb_make_paper_table(psb_context *psb, const psb_methods *methods,
                                const psb_paper_options *options, psb_table **table,
                                psb_error *error);

/* ---- further methods of a finished run ---------------------------------------------------- */

/* The divisor of each distance in a sum: none, or the mean of its method's distances. */
typedef enum psb_sum_scale { PSB_SUM_PLAIN, PSB_SUM_MEANS } psb_sum_scale;

typedef struct psb_combine_options {
    const char *run;            /* the folder of a finished run */
    const char *const *recipes; /* "t3", or NAME+co for a recipe, a descriptor or a signature; or */
    size_t nrecipes;
    const char *sum;          /* "A=1,B=2": methods, of the run or any others, and their weights */
    psb_sum_scale scale;      /* for `sum`, as are the next two */
    const char *tune;         /* a run over other models, which gives weights and scales; or NULL */
    const char *name;         /* label of the sum; NULL: "SUM" */
    const char *reference;    /* for NAME+co: the run whose models are the cohort */
    bool features;            /* write the recipes' rows to RUN/features, and make no matrix */
    const char *command_line; /* the command that makes them again; may be NULL */
} psb_combine_options;

/* 'psbench combine': the run's table with these methods; NULL if only rows were made. */
psb_status psb_combine(psb_context *psb, const psb_combine_options *options, psb_table **table,
                       psb_error *error);

/* k-reciprocal re-ranking, manifold ranking, and the sum of both, each divided by its mean. */
typedef enum psb_rerank_method { PSB_KR, PSB_MR, PSB_KR_MR } psb_rerank_method;

enum { PSB_RERANK_K_MOST = 1000 };

typedef struct psb_rerank_options {
    const char *run;            /* the folder of a finished run, and */
    const char *const *methods; /* methods of the run or any others; or */
    size_t nmethods;
    const char *classes;        /* classes of the models in `lists`; and */
    const char *lists, *output; /* a file of psb_search, and a file for the re-ranked lists */
    double mean; /* mean distance of two models; 0: that of the distances in the lists */
    psb_rerank_method method;
    size_t k1, k2;            /* 1 ... PSB_RERANK_K_MOST; 0: 10 and 3 */
    double lambda;            /* weight of the distance, 0 ... 1 */
    const char *command_line; /* the command that makes them again; may be NULL */
} psb_rerank_options;

/* 'psbench rerank': the run's table with the new methods; NULL for lists. */
psb_status psb_rerank(psb_context *psb, const psb_rerank_options *options, psb_table **table,
                      psb_error *error);

enum { PSB_SIGNATURE_LENGTH = 100, PSB_SIGNATURE_MOST = 256 }; /* directions: default, limit */

/*
 * The rows that signatures are made from: of five descriptors, with few bytes a model; of the
 * Fisher vector of 42 views (VIEWS:code=fisher42) and four descriptors; of the Fisher vector alone.
 */
typedef enum psb_signature_blocks {
    PSB_BLOCKS_FEW,
    PSB_BLOCKS_ALL,
    PSB_BLOCKS_VIEWS,
    PSB_BLOCKS_KINDS
} psb_signature_blocks;

typedef struct psb_signature_options {
    psb_signature_blocks blocks;
    size_t size;       /* most directions, 1 ... PSB_SIGNATURE_MOST; 0: PSB_SIGNATURE_LENGTH */
    bool labels;       /* reduce directions in which models of the same class differ */
    const char *run;   /* the folder of a finished run */
    const char *train; /* classes: learn directions from their models into `output`; or */
    const char *output;
    const char *by;    /* such a file of directions, by which the run's models get signatures */
    bool row;          /* also make their distances, as a method of the run */
    bool as_reference; /* allow labeled models: the run is a reference and not scored */
    const char *command_line; /* the command that makes them again; may be NULL */
} psb_signature_options;

/* 'psbench signature': the run's table if it has a new method, else NULL. */
psb_status psb_make_signatures(psb_context *psb, const psb_signature_options *options,
                               psb_table **table, psb_error *error);

/* ---- the folder of a run ------------------------------------------------------------------ */

/*
 * 'psbench status': a row for each descriptor and for each of its parts that is not whole (with
 * `all`, for every part): descriptor, part, there, failed, missing and state. Counts of parts that
 * never began are empty. The table is not whole if a row is missing. The observer is told how many
 * models there are, and which failed or have no file. May be called while parts are at work.
 */
psb_status psb_run_state(psb_context *psb, const char *run, bool all, psb_table **table,
                         psb_error *error);
/*
 * 'psbench verify': reads all bytes of a run. The table has a row for each file: state, file, and
 * the command that makes the file again; it is not whole if a file is not ok. Damage of the ledger
 * is reported to the observer.
 */
psb_status psb_verify(psb_context *psb, const char *run, psb_table **table, psb_error *error);

typedef enum psb_thumbnails {
    PSB_THUMBNAILS_FOUND, /* NAME_thumb.jpg beside NAME.off; drawn if there is none, or if there are
                             more than 2,000 models */
    PSB_THUMBNAILS_RENDERED, /* always drawn from the models */
    PSB_THUMBNAILS_NONE,
} psb_thumbnails;

typedef struct psb_pages_options {
    const char *run;            /* the folder of a finished run; or */
    const psb_methods *methods; /* any methods over one set except ranked lists */
    const char *folder;         /* for the pages; NULL, for a run: RUN/report */
    const char *models; /* folder of the models; NULL: the run's; without one, as for methods, there
                           are no pictures */
    const char *title;  /* for pages of methods; NULL: the name of the source of classes */
    const char *command_line;     /* the command that makes the pages again; may be NULL */
    const psb_run_result *result; /* result of psb_run with `pages`; NULL: read the folder */
    const char *const *with; /* methods to show beside the run's, as in psb_methods_options.files;
                                not with a result */
    size_t nwith;
    const char *since;  /* for a run: an earlier run's folder, for a page of changes */
    const char *single; /* a file for the front page with all its contents embedded, */
    const char *zip;    /* or an archive for all pages; methods then need no folder */
    psb_thumbnails thumbnails;
    bool verify; /* check the run's large files by all their bytes, not by a sample */
    bool paths;  /* show where files lie on this machine; else only their names */
} psb_pages_options;

typedef struct psb_pages_result {
    size_t without_picture; /* models without a file, or that cannot be drawn */
    size_t left_out;        /* descriptors whose results are not as the run left them */
    bool no_models;         /* pictures were wanted, but the folder of models does not exist */
} psb_pages_result;

/* 'psbench report': writes the pages of a run, or of methods. *result is set even on failure. */
psb_status psb_pages_write(psb_context *psb, const psb_pages_options *options,
                           psb_pages_result *result, psb_error *error);

/* ---- a query that is not in the set ------------------------------------------------------- */

typedef struct psb_query_options {
    const char *run, *model; /* the folder of a finished run; a mesh file */
    const char *descriptor;  /* one of the run's descriptors; NULL: its first */
    size_t neighbors;        /* 0: 24 */
    const char *page;        /* file for a page with pictures; may be NULL */
} psb_query_options;

/* Sets *path (free it) to the file of the run's model `id`, below the folder that the run read its
 * models from. PSB_ERROR_INPUT for an id that the run does not have, with the nearest that it has.
 */
psb_status psb_run_model_file(const char *run, const char *id, char **path, psb_error *error);

/* 'psbench query': describes the model with the run's parameters and finds the nearest of the run's
 * models by the rows that the run left. *text (free it) is the list. */
psb_status psb_query(psb_context *psb, const psb_query_options *options, char **text,
                     psb_error *error);

#endif
