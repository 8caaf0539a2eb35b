/*
 * The methods of a run: what stands in its table as a line, and has a matrix of distances.
 *
 * A method is described (a descriptor's rows, compared by a metric), made of the distances of
 * other methods, its parts: a sum of them, or one of them normalised by a cohort or re-ranked, or
 * given: distances that somebody brought. A plan lists the methods that a command was asked for and
 * all that these are made of, each once, parts before wholes.
 */
#ifndef PSB_RUN_PLAN_H
#define PSB_RUN_PLAN_H

#include "descriptors/descriptor.h"
#include "distance/recipe.h"
#include "eval/rerank.h"
#include "proof/results.h"

typedef struct psb_run_method psb_run_method;
typedef struct psb_reference psb_reference; /* run/reference.h */

/* What a method is made from: distances of its parts, n x n each, and for some what else there is.
 */
typedef struct psb_run_method_inputs {
    const psb_matrix *parts;
    const psb_results *results; /* of the run's folder, with the features of its methods */
    const psb_classification *cla;
    const psb_reference *reference; /* NULL where the run has none */
    int threads;
} psb_run_method_inputs;

/* How methods of one kind are made of their parts. */
typedef struct psb_run_method_kind {
    const char *title, *metric; /* of its line, for run.json and pages */
    unsigned revision;          /* raised by hand when its numbers change, as a descriptor's */
    /* A hash of what the distances depend on beside the parts. */
    uint64_t (*key)(const psb_run_method *method);
    bool needs_reference;
    bool of_rows; /* its only part is features of the run, named as the method is */
    /* From the parts' distances to the method's own, n x n. */
    psb_status (*distances)(const psb_run_method *method, const psb_run_method_inputs *inputs,
                            float *out, psb_error *error);
} psb_run_method_kind;

struct psb_run_method {
    psb_label label;
    bool named; /* in the list, not only as a part of what is named there */

    psb_spec *spec; /* of a described method, which has none of what follows; else NULL */

    const psb_run_method_kind *kind;
    /* "pair", "learned": by labels of other models; "reference": a fixed set of models as well;
     * "context": the other models of the set; "given": nobody knows */
    const char *uses;
    char *formula, *source;
    psb_label part[PSB_MEMBERS_MOST];
    size_t nparts;
    psb_recipe sum;
    psb_reranking rerank;
    size_t numbers; /* of a signature: those of a row */
    psb_run_method
        *of; /* of a normalised method: its only part, a spec or a sum, its own; else NULL */
    const psb_matrix *given; /* of a given method; the caller's */
};

typedef struct psb_plan {
    psb_run_method **methods; /* nmethods, the described ones first */
    size_t nmethods;
    psb_spec **specs; /* of those */
    size_t nspecs;
} psb_plan;

/*
 * Makes the plan of a list as psb_spec_each takes it, whose items are descriptors with parameters,
 * sums of the table ("T3"), these normalised by a cohort ("SHD+co", "T3+co"), and any of them
 * re-ranked ("SHD+kr", "T3+kr-20-2-0.5", "T3+co+kr"). `added` may be NULL.
 * PSB_ERROR_USAGE for what is none of these, and where a method is named twice. Free the plan in
 * any case.
 */
psb_status psb_plan_make(const psb_added *added, const char *list, psb_plan *plan,
                         psb_error *error);
void psb_plan_free(psb_plan *plan);
/* The first method of a plan that needs a reference; NULL where none does. */
const psb_run_method *psb_plan_referring(const psb_plan *plan);

/*
 * Single methods, for runs whose folder has the parts already: a sum, whose label is the recipe's;
 * a recipe of the table; and the method of the name `name`, re-ranked. What the recipe refers to
 * has to outlive the method. On error *method becomes NULL.
 */
psb_status psb_run_method_sum(const psb_recipe *recipe, const char *source, const char *uses,
                              psb_run_method **method, psb_error *error);
psb_status psb_run_method_recipe(const psb_recipe *recipe, psb_run_method **method,
                                 psb_error *error);
/* Distances by cosine between signatures (run/signature.h), of which the run has features.
   `numbers`: the length of one. */
psb_status psb_run_method_signature(const char *label, size_t numbers, bool learned,
                                    psb_run_method **method, psb_error *error);
/* `of`, described, a sum or a signature, normalised by a cohort; takes `of` over in any case. */
psb_status psb_run_method_normalised(psb_run_method *of, psb_run_method **method, psb_error *error);
/* As an item of the list of psb_plan_make, without its parts. */
psb_status psb_run_method_named(const char *text, psb_run_method **method, psb_error *error);
psb_status psb_run_method_reranked(const char *name, const psb_reranking *options,
                                   psb_run_method **method, psb_error *error);
/* Distances of the run's models in the order of its file of classes, which come from `path`. */
psb_status psb_run_method_given(const char *label, const char *path, const psb_matrix *distances,
                                psb_run_method **method, psb_error *error);
void psb_run_method_free(psb_run_method *method);
/* Frees `methods`, too; it and any of them may be NULL. */
void psb_run_method_free_all(psb_run_method **methods, size_t count);

/* The revision of the kind with this metric's name; 0 where no kind has it. */
unsigned psb_run_method_revision(const char *metric);

/* The label of a method by its name: that of a spec, written in any way, or another. */
psb_status psb_run_method_label(const char *name, psb_label *label, psb_error *error);

#endif
