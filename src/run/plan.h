/*
 * The methods of a run. Each has a row in its table and a matrix of distances.
 *
 * A method is described (rows of a descriptor, compared by a metric), or made from the distances of
 * other methods, its parts (a sum of them, or one of them normalized by a cohort or re-ranked), or
 * given: distances from elsewhere. A plan lists the methods that a command was asked for and all
 * their parts, each once, parts first.
 */
#pragma once

#include "descriptors/descriptor.h"
#include "distance/recipe.h"
#include "eval/rerank.h"
#include "proof/results.h"

typedef struct psb_run_method psb_run_method;
typedef struct psb_reference psb_reference; /* run/reference.h */

/* What a method is made from: its parts' distances, n x n each, and for some kinds more. */
typedef struct psb_run_method_inputs {
    const psb_matrix *parts;
    const psb_results *results; /* the run's folder, with the features of its methods */
    const psb_classification *cla;
    const psb_reference *reference; /* NULL if the run has none */
    int threads;
} psb_run_method_inputs;

/* A kind of method made from parts. */
typedef struct psb_run_method_kind {
    const char *title, *metric; /* for run.json and pages */
    unsigned revision; /* raised by hand when the kind's numbers change, like a descriptor's */
    /* Computes a hash of everything but the parts that the distances depend on. */
    uint64_t (*key)(const psb_run_method *method);
    bool needs_reference;
    bool of_rows; /* the only part is features of the run with the method's name */
    /* Computes the method's distances, n x n, from its parts'. */
    psb_status (*distances)(const psb_run_method *method, const psb_run_method_inputs *inputs,
                            float *out, psb_error *error);
} psb_run_method_kind;

struct psb_run_method {
    psb_label label;
    bool named; /* the list names it, not only a method made from it */

    psb_spec *spec; /* described method: its spec, and nothing below; else NULL */

    const psb_run_method_kind *kind;
    /*
     * What the distances use beside the pair of models. "pair": nothing; "learned": labels of other
     * models; "reference": also a fixed set of models; "context": the other models of the set;
     * "given": unknown
     */
    const char *uses;
    char *formula, *source;
    psb_label part[PSB_MEMBERS_MOST];
    size_t nparts;
    psb_recipe sum;
    psb_reranking rerank;
    size_t numbers; /* signature: length of a row */
    psb_run_method
        *of; /* normalized method: its only part, a spec or a sum, which it owns; else NULL */
    const psb_matrix *given; /* given method: its distances, which belong to the caller */
};

typedef struct psb_plan {
    psb_run_method **methods; /* nmethods, described ones first */
    size_t nmethods;
    psb_spec **specs; /* specs of the described methods */
    size_t nspecs;
} psb_plan;

/*
 * Makes the plan of a list in the form of psb_spec_each. Its items are descriptors with parameters,
 * sums of the table ("T3"), these normalized by a cohort ("SHD+co", "T3+co"), and any of them
 * re-ranked ("SHD+kr", "T3+kr-20-2-0.5", "T3+co+kr"). `added` may be NULL. PSB_ERROR_USAGE for any
 * other item, and for a method that is named twice. Free the plan in any case.
 */
psb_status psb_plan_make(const psb_added *added, const char *list, psb_plan *plan,
                         psb_error *error);
void psb_plan_free(psb_plan *plan);
/* Returns the first method of a plan that needs a reference, or NULL. */
const psb_run_method *psb_plan_referring(const psb_plan *plan);

/* Make single methods, for runs whose folder has the parts already: a sum, with the recipe's label;
 * a recipe of the table. The recipe's texts must outlive the method. On error *method is NULL. */
psb_status psb_run_method_sum(const psb_recipe *recipe, const char *source, const char *uses,
                              psb_run_method **method, psb_error *error);
psb_status psb_run_method_recipe(const psb_recipe *recipe, psb_run_method **method,
                                 psb_error *error);
/* Makes a method of cosine distances between signatures (run/signature.h), whose features the run
 * has. `numbers` is the length of a signature. */
psb_status psb_run_method_signature(const char *label, size_t numbers, bool learned,
                                    psb_run_method **method, psb_error *error);
/* Makes `of` (described, a sum or a signature) normalized by a cohort; takes over `of` in any
 * case. */
psb_status psb_run_method_normalised(psb_run_method *of, psb_run_method **method, psb_error *error);
/* psb_run_method_named takes an item of psb_plan_make's list, psb_run_method_reranked the name of a
 * method to re-rank; both make it without its parts. */
psb_status psb_run_method_named(const char *text, psb_run_method **method, psb_error *error);
psb_status psb_run_method_reranked(const char *name, const psb_reranking *options,
                                   psb_run_method **method, psb_error *error);
/* Makes a method of given distances, which come from `path`, in the order of the run's classes
 * file. */
psb_status psb_run_method_given(const char *label, const char *path, const psb_matrix *distances,
                                psb_run_method **method, psb_error *error);
void psb_run_method_free(psb_run_method *method);
/* Frees the array and its methods; all of them may be NULL. */
void psb_run_method_free_all(psb_run_method **methods, size_t count);

/* Returns the revision of the kind with this metric's name, or 0. */
unsigned psb_run_method_revision(const char *metric);

/* Makes a method's label from its name: a spec, in any notation, or another method. */
psb_status psb_run_method_label(const char *name, psb_label *label, psb_error *error);
