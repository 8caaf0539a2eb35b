/*
 * What a run was made of and what it cost, so that its figures can be traced: as run.json, and on
 * the pages. A table of facts says where each member stands in the file and what the pages call it.
 *
 * Texts belong to whoever filled in the facts, or to `read`.
 */
#pragma once

#include "core/text.h"
#include "io/matrix.h"

#include <cJSON.h>

typedef struct psb_left_out {
    const char *id, *reason; /* reason NULL: the model has no file */
} psb_left_out;

typedef struct psb_left_out_list {
    psb_left_out *entries; /* owned */
    size_t count;
} psb_left_out_list;

enum { PSB_PARAMETERS_KNOWN = 16 }; /* parameters of a descriptor, at most */
typedef struct psb_parameter_facts {
    size_t count;
    struct {
        const char *name, *choice; /* choice NULL: a number */
        double number;
    } list[PSB_PARAMETERS_KNOWN];
} psb_parameter_facts;

/* NULL and NAN stand for what is not known. */
typedef struct psb_descriptor_facts {
    const char *label, *title, *formula, *source, *metric;
    const char *uses; /* what a method that is no descriptor uses: "pair", "context" ... */
    char stem[256];   /* what stands for the label in file names */
    double length;
    double revision; /* the descriptor's revision; rows of another are not comparable */
    psb_parameter_facts parameters;
    const char *published_name; /* see psb_table4_row for this line and the next */
    double storage_bytes, generate_seconds, compare_seconds;
    double generate_alone_cpu_seconds, matrix_wall_seconds; /* time of all rows; of all distances */
} psb_descriptor_facts;

typedef struct psb_run_facts {
    const char *program, *command_line;
    const char *title;       /* title of the table */
    double together_seconds; /* see psb_table4 */
    const char *classification, *classification_xxh64, *models_folder, *models_xxh64;
    const char *targets, *targets_xxh64; /* the targets, if they are not the queries */
    double turned;                       /* seed of the random rotations of models */
    double models_listed, models_used;
    psb_left_out_list missing, failed;
    psb_descriptor_facts *descriptors; /* owned */
    size_t ndescriptors;
    /* What a sweep chose on the training list: the variant, by which measure, and when. */
    const char *chosen, *chosen_by, *chosen_at;
    const char *system, *architecture;
    double processors, threads;
    double wall_seconds, cpu_seconds, features_wall_seconds, read_cpu_seconds;
    double generate_together_cpu_seconds, peak_memory_bytes;
    cJSON *read; /* the JSON that was read, or NULL */
} psb_run_facts;

typedef enum psb_fact_kind {
    PSB_FACT_TEXT,
    PSB_FACT_NUMBER,
    PSB_FACT_IDS,     /* psb_left_out_list without reasons */
    PSB_FACT_REASONS, /* psb_left_out_list */
    PSB_FACT_PARAMETERS,
    PSB_FACT_DESCRIPTORS,
} psb_fact_kind;

typedef struct psb_fact {
    const char *object, *name; /* place in the file; object NULL: at the top */
    psb_fact_kind kind;
    size_t offset;    /* place of the member in its struct */
    const char *term; /* what pages call it; NULL: they do not show it */
    double unit;      /* pages show the number over this */
    int decimals;
    const char *suffix;
} psb_fact;

typedef struct psb_fact_table {
    const psb_fact *facts;
    size_t count;
} psb_fact_table;

extern const psb_fact_table psb_facts_of_run;        /* members of psb_run_facts */
extern const psb_fact_table psb_facts_of_descriptor; /* members of psb_descriptor_facts */

/* Allocate the facts of `descriptors` descriptors, and a list of `count` models. */
psb_status psb_run_facts_alloc(psb_run_facts *facts, size_t descriptors, psb_error *error);
psb_status psb_left_out_alloc(psb_left_out_list *list, size_t count, psb_error *error);

/* Appends the facts as JSON. */
/* Sets all numbers of a table's facts to NAN, which means that they are not known. */
void psb_facts_forget(const psb_fact_table *table, void *facts);

psb_status psb_run_facts_render(const psb_run_facts *facts, psb_text *out, psb_error *error);

/*
 * Reads what psb_run_facts_render wrote; `path` is for messages. PSB_ERROR_INPUT if a member is not
 * of its kind. A member that is missing is not known. Stems are left empty. Free the facts in
 * either case.
 */
psb_status psb_run_facts_parse(const char *path, const char *data, size_t size,
                               psb_run_facts *facts, psb_error *error);

void psb_run_facts_free(psb_run_facts *facts);

/* Maps RUN/matrices/STEM.matrix, a descriptor's distances between the run's `models` models. */
psb_status psb_run_facts_matrix(const char *run, const psb_descriptor_facts *of, size_t models,
                                psb_matrix *matrix, psb_error *error);
