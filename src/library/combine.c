/* Adds sums of a run's distances to the run, as further methods. */
#include "core/memory.h"
#include "core/number.h"
#include "library/derive.h"
#include "run/derived_rows.h"
#include "run/manifest.h"
#include "studies/sweep.h"
#include "studies/tune.h"

#include <inttypes.h>

/* ---- own sums ---------------------------------------------------------------------------- */

/* The sum of option --sum, and its members' names. */
typedef struct own_sum {
    psb_recipe recipe;
    char *names[PSB_TERMS_MOST];
} own_sum;

static psb_status take_term(void *context, const char *text, psb_error *error) {
    own_sum *sum = context;
    psb_status status = PSB_OK;
    size_t t = sum->recipe.nterms;
    const char *equal = strrchr(text, '=');
    double weight;
    if (t == PSB_TERMS_MOST || equal == NULL || equal == text ||
        !psb_parse_double(equal + 1, &weight) || weight < 0) {
        return psb_fail(error, PSB_ERROR_USAGE,
                        "--sum %.80s: want NAME=WEIGHT,..., %d at most, as LFD=1,GEDT=0.5", text,
                        PSB_TERMS_MOST);
    }
    sum->names[t] = psb_new_text(&status, text, (size_t)(equal - text), "--sum", error);
    sum->recipe.terms[t] =
        (psb_term){.member = {sum->names[t], NULL}, .weight = weight, .scale = 1};
    sum->recipe.nterms += status == PSB_OK;
    for (size_t before = 0; before < t && status == PSB_OK; before++) {
        PSB_THEN_IF(status, strcmp(sum->names[before], sum->names[t]) == 0,
                    psb_fail(error, PSB_ERROR_USAGE, "--sum names %s twice: give it one weight",
                             sum->names[t]));
    }
    return status;
}

/* Sets the scales for `mean`, and with `tune` also the weights, from the members' distances. */
static psb_status learn(const psb_methods *from, bool mean, bool tune, psb_recipe *recipe,
                        psb_error *error) {
    psb_status status = PSB_OK;
    double dcg = 0;
    for (size_t t = 0; t < recipe->nterms && status == PSB_OK; t++) {
        psb_term *term = &recipe->terms[t];
        term->scale = mean ? psb_matrix_mean(&from->matrices[t]) : term->scale;
        PSB_THEN_IF(status, !(term->scale > 0),
                    psb_fail(error, PSB_ERROR_INPUT,
                             "%s: all distances of %s are 0 and cannot be scaled: leave it out",
                             from->first_name, from->labels[t]));
    }
    if (status == PSB_OK && tune) {
        status = psb_tune_weights(recipe, from->matrices, &from->cla, from->threads, &dcg, error);
        psb_observer_say(&from->psb->observer, PSB_NOTE, "%s: DCG %.2f %%", from->first_name,
                         100 * dcg);
    }
    return status;
}

/* Learns from `training`, a run over other models than `own` that has methods of the same names. */
static psb_status learn_from(const psb_run_parts *own, const char *training, bool mean,
                             psb_recipe *recipe, psb_error *error) {
    PSB_AT_END(psb_results_free) psb_results results = {.whole = false};
    psb_methods *all = NULL;
    const psb_methods_options of = {.queries = training,
                                    .files = (const char *const *)own->names,
                                    .nfiles = recipe->nterms,
                                    .sources = PSB_MATRICES};
    psb_status status = psb_results_open(training, false, &results, error);
    PSB_THEN(status, psb_methods_open(own->all->psb, &of, &all, error));
    PSB_THEN(status, psb_check_apart(&all->cla, training, &own->all->cla, error));
    PSB_THEN(status, learn(all, mean, true, recipe, error));
    recipe->training_list = results.ledger.list.hash;
    psb_methods_free(all);
    return status;
}

/* ---- the methods ------------------------------------------------------------------------- */

static psb_status make_own(const psb_combine_options *o, const psb_run_parts *parts,
                           psb_recipe *recipe, psb_run_method **method, psb_error *error) {
    const char *training = o->tune;
    bool mean = o->scale == PSB_SUM_MEANS;
    PSB_AT_END(psb_text_free) psb_text source = {0};
    psb_status status = training != NULL ? learn_from(parts, training, mean, recipe, error)
                                         : learn(parts->all, mean, false, recipe, error);
    psb_text_add(&source, "given on the command line");
    if (training != NULL) {
        psb_text_printf(&source, "; tuned on the training list %016" PRIx64, recipe->training_list);
    } else if (mean) {
        psb_text_add(&source, "; scales: mean distances of these models");
    }
    PSB_THEN(status, psb_text_status(&source, error));
    /* The mean distances of this set are not known to a pair alone. */
    const char *uses = mean && training == NULL ? "context" : "pair";
    return PSB_THEN(status, psb_run_method_sum(recipe, source.data, uses, method, error));
}

/* Adds a sum, whose members may be any methods. */
static psb_status add_sum(psb_context *psb, const psb_combine_options *o, psb_recipe *recipe,
                          psb_table **table, psb_error *error) {
    PSB_AT_END(psb_run_parts_close) psb_run_parts parts = {.nmethods = 0};
    const char *texts[PSB_TERMS_MOST];
    for (size_t t = 0; t < recipe->nterms; t++) {
        texts[t] = recipe->terms[t].member[0];
    }
    psb_status status = psb_run_parts_open(psb, o->run, texts, recipe->nterms, &parts, error);
    if (status == PSB_OK && parts.all->count != recipe->nterms) {
        status = psb_fail(error, PSB_ERROR_USAGE,
                          "--sum is of methods, and one of these is a run; write RUN/NAME");
    }
    for (size_t t = 0; t < recipe->nterms && status == PSB_OK; t++) {
        recipe->terms[t].member[0] = parts.names[t];
    }
    PSB_THEN(status, make_own(o, &parts, recipe, &parts.methods[parts.nmethods], error));
    parts.nmethods += status == PSB_OK;
    return PSB_THEN(status, psb_derive(psb, o->run, o->command_line, NULL, parts.methods,
                                       parts.nmethods, table, error));
}

static const char cohort[] = "+co";

/* Returns the length of NAME in "NAME+co"; 0 for other texts. */
static size_t normalised_length(const char *text) {
    size_t length = strlen(text), behind = strlen(cohort);
    return length > behind && strcmp(text + length - behind, cohort) == 0 ? length - behind : 0;
}

/* Makes a recipe of the table, or NAME+co; NAME is a recipe, a descriptor, or a signature of the
 * run. */
static psb_status make_method(const char *text, const psb_run_facts *facts, psb_run_method **method,
                              psb_error *error) {
    size_t length = normalised_length(text);
    psb_status status = PSB_OK;
    psb_label label;
    psb_run_method *of = NULL;
    if (length == 0) {
        return psb_run_method_recipe(psb_recipe_find(text), method, error);
    }
    PSB_FREED char *name = psb_new_text(&status, text, length, "a name", error);
    PSB_THEN(status, psb_run_method_label(name, &label, error));
    const psb_descriptor_facts *had = status == PSB_OK ? psb_manifest_find(facts, &label) : NULL;
    if (had != NULL && had->uses != NULL && had->title != NULL &&
        strcmp(had->title, "Signature") == 0) {
        status = psb_run_method_signature(label.text, (size_t)had->length,
                                          strcmp(had->uses, "learned") == 0, &of, error);
        PSB_THEN(status, psb_run_method_normalised(of, method, error));
    } else {
        PSB_THEN(status, psb_run_method_named(text, method, error));
    }
    return status;
}

/* PSB_ERROR_INPUT if members of a recipe are missing in the run: the message names all of them. */
static psb_status check_members(const psb_results *results, const psb_recipe *recipe, bool features,
                                psb_error *error) {
    const char *members[PSB_MEMBERS_MOST];
    size_t count = recipe != NULL ? psb_recipe_members(recipe, members) : 0;
    PSB_AT_END(psb_text_free) psb_text missing = {0};
    psb_status status = PSB_OK;
    for (size_t m = 0; m < count && status == PSB_OK; m++) {
        PSB_FREED char *file = psb_run_method_file(&status, features, members[m], error);
        if (status == PSB_OK && psb_ledger_find(&results->ledger, file) == NULL) {
            psb_text_list(&missing, members[m]);
        }
    }
    PSB_THEN(status, psb_text_status(&missing, error));
    if (status == PSB_OK && missing.length > 0) {
        status =
            psb_fail_at(error, PSB_ERROR_INPUT, results->ledger.run, 0,
                        "members of %s are missing: %s; the run's command with -d %s makes them",
                        recipe->label, missing.data, recipe->label);
    }
    return status;
}

static psb_status add_recipes(psb_context *psb, const psb_combine_options *o, psb_table **table,
                              psb_error *error) {
    psb_status status = PSB_OK;
    psb_run_method **methods =
        psb_new_zero(&status, o->nrecipes, sizeof *methods, "methods", error);
    psb_results results = {.whole = false};
    PSB_AT_END(psb_run_facts_free) psb_run_facts facts = {0};
    PSB_THEN(status, psb_results_open(o->run, false, &results, error));
    PSB_THEN(status, psb_run_read_facts(&results, &facts, error));
    for (size_t m = 0; m < o->nrecipes && status == PSB_OK; m++) {
        status = check_members(&results, psb_recipe_find(o->recipes[m]), false, error);
        PSB_THEN(status, make_method(o->recipes[m], &facts, &methods[m], error));
    }
    PSB_THEN(status, psb_derive(psb, o->run, o->command_line, o->reference, methods, o->nrecipes,
                                table, error));
    psb_results_free(&results);
    psb_run_method_free_all(methods, o->nrecipes);
    return status;
}

/* Writes each recipe's features, the members' rows side by side, without a matrix. */
static psb_status add_features(psb_context *psb, const psb_combine_options *o, psb_error *error) {
    PSB_AT_END(psb_derived_close) psb_derived d = {0};
    psb_status status = psb_derive_open(psb, o->run, o->command_line, &d, error);
    for (size_t i = 0; i < o->nrecipes && status == PSB_OK; i++) {
        const psb_recipe *recipe = psb_recipe_find(o->recipes[i]);
        status = check_members(&d.results, recipe, true, error);
        PSB_THEN(status, psb_derived_recipe_rows(&d, recipe, error));
    }
    return status;
}

static psb_status refuse_recipe(const char *name, psb_error *error) {
    psb_text known = {0};
    for (size_t i = 0; psb_recipe_at(i) != NULL; i++) {
        psb_text_list(&known, psb_recipe_at(i)->name);
    }
    return psb_fail_unknown(error, "recipe", name, &known);
}

static psb_status check(const psb_combine_options *o, psb_error *error) {
    for (size_t i = 0; i < o->nrecipes; i++) {
        bool normalised = normalised_length(o->recipes[i]) > 0 && !o->features;
        if (!normalised && psb_recipe_find(o->recipes[i]) == NULL) {
            return refuse_recipe(o->recipes[i], error);
        }
    }
    bool own = o->sum != NULL;
    const char *wrong =
        own == (o->nrecipes > 0) ? "needs the folder of a run, and recipes or --sum"
        : !own && (o->scale != PSB_SUM_PLAIN || o->tune != NULL)
            ? "--scale and --tune are for --sum: recipes are frozen"
        : own && o->reference != NULL ? "--reference is for methods NAME+co, not for --sum"
        : own && o->features ? "--features is for recipes: scales of --sum need the matrices"
                             : NULL;
    return wrong == NULL ? PSB_OK : psb_misuse(error, wrong);
}

psb_status psb_combine(psb_context *psb, const psb_combine_options *o, psb_table **table,
                       psb_error *error) {
    *table = NULL;
    if (o == NULL || o->run == NULL) {
        return psb_misuse(error, "methods are added to the folder of a run");
    }
    own_sum own = {.recipe = {.label = o->name != NULL ? o->name : "SUM"}};
    psb_status status = check(o, error);
    PSB_THEN_IF(status, o->sum != NULL, psb_term_each(o->sum, take_term, &own, error));
    PSB_THEN(status, o->features      ? add_features(psb, o, error)
                     : o->sum != NULL ? add_sum(psb, o, &own.recipe, table, error)
                                      : add_recipes(psb, o, table, error));
    for (size_t t = 0; t < own.recipe.nterms; t++) {
        free(own.names[t]);
    }
    return status;
}
