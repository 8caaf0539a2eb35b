/*
 * The part of psbench.h about runs: how to make one, to add methods to it, to look at its folder
 * and to show it. A run is work on one set of models whose results are files in a folder; a verb
 * that reads the folder checks them. Include psbench.h instead of this file.
 */
#ifndef PSBENCH_RUNS_H
#define PSBENCH_RUNS_H

/* ---- runs -------------------------------------------------------------------------------- */

/* Whether matrices of distances, 4 N^2 bytes each, are kept; the figures are the same without. */
typedef enum psb_matrices_kept {
    PSB_MATRICES_AUTO, /* of at most 16384 models */
    PSB_MATRICES_YES,
    PSB_MATRICES_NO,
} psb_matrices_kept;

/* All texts have to stay until the result is freed. */
typedef struct psb_run_options {
    psb_collection_options data; /* models are needed, files do not go */
    const char *descriptors;     /* methods: "SHD,GEDT:width=3,T3,T3+kr", where what T3 is made of
                                    is made too; NULL or "all": the paper's twelve */
    const char *reference;       /* folder of the run that methods like T3+co need, see 'psbench
                                    help run'; may be `folder`; else NULL */
    const char *folder;          /* for the results; made where it does not exist */
    const char *title;           /* of the table; NULL: what says the classes */
    const char *command_line;    /* to be told in the manifest; may be NULL */
    const uint64_t *turn;        /* seed of a rotation for each model; NULL: as its file has it */
    size_t max_faces;            /* of a model; 0: ten million */
    size_t max_bytes;            /* of a model's file, also unpacked; 0: 256 for each such face */
    double max_seconds;          /* processor time of a model; 0: no limit */
    size_t part, parts;          /* with `parts`: only the rows of that part, from 0, of so many */
    bool complete;               /* what no part has left is an error (PSB_ERROR_IO), not work */
    psb_matrices_kept matrices;
    size_t memory;  /* bytes, while figures are counted without matrices; 0: 2 GiB */
    bool published; /* of the paper's own list of models and classes: its figures stand beside the
                       measured; any other list has neither these nor `title` */
    bool no_times;  /* no seconds in the table: two runs give the same bytes */
    bool pages;     /* psb_pages_write will be asked for the result's pages */
    bool replace;   /* remove what an earlier run over another list left */
    bool verify;    /* compare what an earlier run made by all its bytes */
} psb_run_options;

typedef struct psb_run_result {
    bool begun;      /* the folder is this run's: what it leaves is of use to the next */
    bool other_list; /* refused: the folder has the results of another list of models */
    size_t models_listed, models_used, models_missing, models_failed;
    size_t queries;            /* that the figures are averages of */
    const psb_table *table;    /* NULL of a part, or where the run failed */
    struct psb_run_kept *kept; /* the library's */
} psb_run_result;

/* PSB_ERROR_USAGE where a list of methods, psb_run_options.descriptors, cannot be read. */
psb_status psb_check_descriptors(const psb_context *psb, const char *list, psb_error *error);

/*
 * 'psbench run': every descriptor of every model, distances, scores and the table, as files in one
 * folder, where it goes on from what an earlier run finished. Models that fail are told to the
 * observer and counted. The result is filled, and is to be freed, also where the run failed.
 */
psb_status psb_run(psb_context *psb, const psb_run_options *options, psb_run_result *result,
                   psb_error *error);
void psb_run_free(psb_run_result *result);

/*
 * 'psbench sweep': a run of the variants that `descriptors` lists over data.cla, of which the best
 * is scored on the list `test`, where that is not NULL. The table is FOLDER/sweep.*; the result has
 * counts alone, also where the sweep failed, and need not be freed.
 */
psb_status psb_make_sweep(psb_context *psb, const psb_run_options *options, const char *test,
                          psb_run_result *result, psb_table **table, psb_error *error);
/* 'psbench beyond': runs below `folder` from the benchmark's own, and the table of them; as above.
 */
psb_status psb_make_beyond(psb_context *psb, const psb_run_options *options, const char *benchmark,
                           psb_run_result *result, psb_table **table, psb_error *error);

typedef struct psb_paper_options {
    int number;                /* 5 or 6 */
    const char *run;           /* the folder whose methods are measured */
    const char *benchmark;     /* its folder, with db/ and classification/ */
    const char *miscellaneous; /* of Table 6, see 'psbench help table6'; NULL: "swapped" */
    const char *command_line;  /* that makes the table again; may be NULL */
} psb_paper_options;

/* Table 5 or 6 of the paper, from methods of a run that are matrices; leaves RUN/table5.* too. */
psb_status psb_make_paper_table(psb_context *psb, const psb_methods *methods,
                                const psb_paper_options *options, psb_table **table,
                                psb_error *error);

/* ---- further methods of a finished run ---------------------------------------------------- */

/* By what each distance of a sum is divided: nothing, or the mean of its method's distances. */
typedef enum psb_sum_scale { PSB_SUM_PLAIN, PSB_SUM_MEANS } psb_sum_scale;

typedef struct psb_combine_options {
    const char *run;            /* the folder of a finished run */
    const char *const *recipes; /* "t3", or NAME+co of a recipe, a descriptor or a signature; */
    size_t nrecipes;
    const char *sum;       /* or "A=1,B=2": methods, of the run or any others, and their weights */
    psb_sum_scale scale;   /* of a sum, as are the next two */
    const char *tune;      /* a run over other models, which gives weights and scales; or NULL */
    const char *name;      /* NULL: "SUM" */
    const char *reference; /* of NAME+co: the run whose models are the cohort */
    bool features;         /* the recipes' rows in RUN/features, and no matrix */
    const char *command_line; /* that makes them again; may be NULL */
} psb_combine_options;

/* 'psbench combine': the table of the run with these methods; NULL where only rows were made. */
psb_status psb_combine(psb_context *psb, const psb_combine_options *options, psb_table **table,
                       psb_error *error);

/* k-reciprocal, manifold ranking, and the sum of both, each over its mean. */
typedef enum psb_rerank_method { PSB_KR, PSB_MR, PSB_KR_MR } psb_rerank_method;

enum { PSB_RERANK_K_MOST = 1000 };

typedef struct psb_rerank_options {
    const char *run;            /* the folder of a finished run, and */
    const char *const *methods; /* methods of it or any others; or */
    size_t nmethods;
    const char *classes;        /* of the models in */
    const char *lists, *output; /* a file of psb_search, and one for the same, re-ranked */
    double mean;                /* of the distances of two models; 0: of those in the lists */
    psb_rerank_method method;
    size_t k1, k2;            /* 1 ... PSB_RERANK_K_MOST; 0: 10 and 3 */
    double lambda;            /* weight of the distance, 0 ... 1 */
    const char *command_line; /* that makes them again; may be NULL */
} psb_rerank_options;

/* 'psbench rerank': the table of the run with the new methods; NULL of lists. */
psb_status psb_rerank(psb_context *psb, const psb_rerank_options *options, psb_table **table,
                      psb_error *error);

enum { PSB_SIGNATURE_LENGTH = 100, PSB_SIGNATURE_MOST = 256 }; /* directions: preset, limit */

/* Of what signatures are made: of five descriptors, few bytes a model; of the Fisher vector of 42
   views (VIEWS:code=fisher42) and four descriptors; of the Fisher vector alone. */
typedef enum psb_signature_blocks {
    PSB_BLOCKS_FEW,
    PSB_BLOCKS_ALL,
    PSB_BLOCKS_VIEWS,
    PSB_BLOCKS_KINDS
} psb_signature_blocks;

typedef struct psb_signature_options {
    psb_signature_blocks blocks;
    size_t size;       /* directions at most, 1 ... PSB_SIGNATURE_MOST; 0: PSB_SIGNATURE_LENGTH */
    bool labels;       /* little is made of directions in which models of a class differ */
    const char *run;   /* the folder of a finished run */
    const char *train; /* classes: the directions are found from its models, for the file */
    const char *output;
    const char *by;           /* or such a file: the run's models get signatures by it */
    bool row;                 /* and their distances, a method of the run */
    bool as_reference;        /* of a run that is not scored, whatever labels the directions know */
    const char *command_line; /* that makes them again; may be NULL */
} psb_signature_options;

/* 'psbench signature': the table of the run where it has a new method; else NULL. */
psb_status psb_make_signatures(psb_context *psb, const psb_signature_options *options,
                               psb_table **table, psb_error *error);

/* ---- the folder of a run ------------------------------------------------------------------ */

/*
 * 'psbench status': descriptor, part, there, failed, missing and state, for each descriptor and for
 * each of its parts that is not whole, with `all` for every part; of parts that never began the
 * counts are empty. Not whole where a row is missing. May be asked while parts are at work.
 */
psb_status psb_run_state(const char *run, bool all, psb_table **table, psb_error *error);
/*
 * 'psbench verify': state, file, and the command that makes the file again, for each file of a run;
 * all bytes are read. Damage of the ledger is told to the observer. Not whole where one is not ok.
 */
psb_status psb_verify(psb_context *psb, const char *run, psb_table **table, psb_error *error);

typedef enum psb_thumbnails {
    PSB_THUMBNAILS_FOUND,    /* NAME_thumb.jpg beside NAME.off; drawn where there is none, and of
                                more than 2,000 models */
    PSB_THUMBNAILS_RENDERED, /* drawn from the models */
    PSB_THUMBNAILS_NONE,
} psb_thumbnails;

typedef struct psb_pages_options {
    const char *run;              /* the folder of a finished run; or */
    const psb_methods *methods;   /* whatever was opened over one set, but ranked lists */
    const char *folder;           /* for the pages; NULL, of a run: RUN/report */
    const char *models;           /* folder of the models; NULL: the one that the run used, or of
                                     methods none, and then there are no pictures */
    const char *title;            /* of the pages of methods; NULL: the name of what has classes */
    const char *command_line;     /* that makes the pages again; may be NULL */
    const psb_run_result *result; /* of psb_run with `pages`; NULL: it is read from the folder */
    const char *const *with;      /* methods that stand beside the run's, as in
                                     psb_methods_options.files; not with a result */
    size_t nwith;
    const char *since;  /* of a run: another run's folder, for a page of what changed since */
    const char *single; /* a file for the front page with all that it shows inside, */
    const char *zip;    /* or for all pages as an archive; methods then need no folder */
    psb_thumbnails thumbnails;
    bool verify; /* check the run's large files by all their bytes, not by a sample */
    bool paths;  /* tell where files lie on this machine; else only what they are called */
} psb_pages_options;

typedef struct psb_pages_result {
    size_t without_picture; /* models without a file, or none that can be drawn */
    size_t left_out;        /* descriptors whose results are not as the run left them */
    bool no_models;         /* pictures were asked for, and the folder of models is not there */
} psb_pages_result;

/* 'psbench report': the pages of a run, or of methods. The result is filled also on failure. */
psb_status psb_pages_write(psb_context *psb, const psb_pages_options *options,
                           psb_pages_result *result, psb_error *error);

/* ---- a query that is not in the set ------------------------------------------------------- */

typedef struct psb_query_options {
    const char *run, *model; /* the folder of a finished run; a mesh file */
    const char *descriptor;  /* one of the run's; NULL: its first */
    size_t neighbors;        /* 0: 24 */
    const char *page;        /* file for a page with pictures; may be NULL */
} psb_query_options;

/*
 * 'psbench query': describes the model with the run's parameters and finds the nearest of its
 * models by the rows that the run left. The list is a text for free().
 */
psb_status psb_query(psb_context *psb, const psb_query_options *options, char **text,
                     psb_error *error);

#endif
