/* psbench combine: sums of a run's distances, as further rows of the run. */
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/matrices.h"
#include "cli/run_job.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "descriptors/descriptor.h"
#include "run/derived_rows.h"
#include "run/manifest.h"
#include "studies/sweep.h"
#include "studies/tune.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *sum, *scale, *tune, *name, *reference;
    bool features;
    int threads;
} request;

/* ---- own sums ---------------------------------------------------------------------------- */

/* The sum of --sum, whose members are the names. */
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
        return psb_fail(error, PSB_ERROR_USAGE, "--sum is NAME=WEIGHT,..., %d at most; '%.80s'",
                        PSB_TERMS_MOST, text);
    }
    sum->names[t] = psb_new_text(&status, text, (size_t)(equal - text), "--sum", error);
    sum->recipe.terms[t] =
        (psb_term){.member = {sum->names[t], NULL}, .weight = weight, .scale = 1};
    sum->recipe.nterms += status == PSB_OK;
    return status;
}

/* Scales of `mean`, and with `tune` the weights, from distances of the members. */
static psb_status learn(const psb_methods *from, bool mean, bool tune, psb_recipe *recipe,
                        psb_error *error) {
    psb_status status = PSB_OK;
    double dcg = 0;
    for (size_t t = 0; t < recipe->nterms && status == PSB_OK; t++) {
        psb_term *term = &recipe->terms[t];
        term->scale = mean ? psb_matrix_mean(&from->matrices[t]) : term->scale;
        if (!(term->scale > 0)) {
            status = psb_fail(error, PSB_ERROR_INPUT, "%s: all distances of %s are 0",
                              from->first_name, from->labels[t]);
        }
    }
    if (status == PSB_OK && tune) {
        status = psb_tune_weights(recipe, from->matrices, &from->cla, from->threads, &dcg, error);
        if (cli_verbosity() >= 0) {
            cli_say("%s: DCG %.2f %%", from->first_name, 100 * dcg);
        }
    }
    return status;
}

/* From `training`, a run over other models than `own`, which has the members by the same names. */
static psb_status learn_from(const cli_parts *own, const char *training, bool mean,
                             psb_recipe *recipe, psb_error *error) {
    psb_results results = {.whole = false};
    psb_methods *all = NULL;
    const psb_methods_options of = {.queries = training,
                                    .files = (const char *const *)own->names,
                                    .nfiles = recipe->nterms,
                                    .sources = PSB_MATRICES};
    psb_status status = psb_results_open(training, false, &results, error);
    PSB_THEN(status, psb_methods_open(own->psb, &of, &all, error));
    PSB_THEN(status, psb_check_apart(&all->cla, training, &own->all->cla, error));
    PSB_THEN(status, learn(all, mean, true, recipe, error));
    recipe->training_list = results.ledger.list.hash;
    psb_methods_free(all);
    psb_results_free(&results);
    return status;
}

/* ---- the methods ------------------------------------------------------------------------- */

static psb_status make_own(const request *r, const cli_parts *parts, psb_recipe *recipe,
                           psb_run_method **method, psb_error *error) {
    const char *training = r->tune;
    bool mean = r->scale != NULL;
    psb_text source = {0};
    psb_status status = training != NULL ? learn_from(parts, training, mean, recipe, error)
                                         : learn(parts->all, mean, false, recipe, error);
    psb_text_add(&source, "given on the command line");
    if (training != NULL) {
        psb_text_printf(&source, "; tuned on the training list %016" PRIx64, recipe->training_list);
    } else if (mean) {
        psb_text_add(&source, "; scales: mean distances of these models");
    }
    PSB_THEN(status, psb_text_status(&source, error));
    /* Means of this very set are not known to a pair alone. */
    const char *uses = mean && training == NULL ? "context" : "pair";
    PSB_THEN(status, psb_run_method_sum(recipe, source.data, uses, method, error));
    psb_text_free(&source);
    return status;
}

/* A sum of members from anywhere. */
static psb_status add_sum(const cli_values *values, const request *r, psb_recipe *recipe,
                          psb_text *table, psb_error *error) {
    cli_parts parts = {.nmethods = 0};
    const char *texts[PSB_TERMS_MOST];
    for (size_t t = 0; t < recipe->nterms; t++) {
        texts[t] = recipe->terms[t].member[0];
    }
    psb_status status = cli_parts_open(values, r->threads, texts, recipe->nterms, &parts, error);
    if (status == PSB_OK && parts.all->count != recipe->nterms) {
        status = psb_fail(error, PSB_ERROR_USAGE,
                          "--sum is of methods, and one of these is a run; write RUN/NAME");
    }
    for (size_t t = 0; t < recipe->nterms && status == PSB_OK; t++) {
        recipe->terms[t].member[0] = parts.names[t];
    }
    PSB_THEN(status, make_own(r, &parts, recipe, &parts.methods[parts.nmethods], error));
    parts.nmethods += status == PSB_OK;
    PSB_THEN(status,
             cli_derive(values, r->threads, NULL, parts.methods, parts.nmethods, table, error));
    cli_parts_close(&parts);
    return status;
}

static const char cohort[] = "+co";

/* Bytes of NAME in "NAME+co"; 0 where the text is none. */
static size_t normalised_length(const char *text) {
    size_t length = strlen(text), behind = strlen(cohort);
    return length > behind && strcmp(text + length - behind, cohort) == 0 ? length - behind : 0;
}

/* A recipe of the table, or NAME+co: NAME a recipe, a descriptor, or a signature that the run has.
 */
static psb_status make_method(const char *text, const psb_run_facts *facts, psb_run_method **method,
                              psb_error *error) {
    size_t length = normalised_length(text);
    psb_status status = PSB_OK;
    psb_label label;
    psb_run_method *of = NULL;
    if (length == 0) {
        return psb_run_method_recipe(psb_recipe_find(text), method, error);
    }
    char *name = psb_new_text(&status, text, length, "a name", error);
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
    free(name);
    return status;
}

static psb_status add_recipes(const cli_values *values, const request *r, psb_text *table,
                              psb_error *error) {
    size_t count = (size_t)cli_argument_count(values) - 1;
    psb_status status = PSB_OK;
    psb_run_method **methods = psb_new_zero(&status, count, sizeof *methods, "methods", error);
    psb_results results = {.whole = false};
    psb_run_facts facts = {0};
    PSB_THEN(status, psb_results_open(cli_argument(values, 0), false, &results, error));
    PSB_THEN(status, psb_run_read_facts(&results, &facts, error));
    for (size_t m = 0; m < count && status == PSB_OK; m++) {
        status = make_method(cli_argument(values, (int)m + 1), &facts, &methods[m], error);
    }
    PSB_THEN(status, cli_derive(values, r->threads, r->reference, methods, count, table, error));
    psb_run_facts_free(&facts);
    psb_results_free(&results);
    psb_run_method_free_all(methods, count);
    return status;
}

/* The members' rows side by side, and no matrix. */
static psb_status add_features(const cli_values *values, int threads, psb_error *error) {
    psb_derived d;
    psb_status status =
        psb_derived_open(&d, cli_argument(values, 0), cli_command_line(values), threads, error);
    for (int i = 1; i < cli_argument_count(values) && status == PSB_OK; i++) {
        status = psb_derived_recipe_rows(&d, psb_recipe_find(cli_argument(values, i)), error);
    }
    psb_derived_close(&d);
    return status;
}

static int refuse_recipe(const char *name) {
    psb_text known = {0};
    psb_error error;
    for (size_t i = 0; psb_recipe_at(i) != NULL; i++) {
        psb_text_list(&known, psb_recipe_at(i)->name);
    }
    psb_fail_unknown(&error, "recipe", name, &known);
    return cli_usage("combine", "%s", error.message);
}

static int check_usage(const cli_values *values, const request *r, own_sum *own) {
    const char *sum = r->sum;
    psb_error error;
    for (int i = 1; i < cli_argument_count(values); i++) {
        bool normalised = normalised_length(cli_argument(values, i)) > 0 && !r->features;
        if (!normalised && psb_recipe_find(cli_argument(values, i)) == NULL) {
            return refuse_recipe(cli_argument(values, i));
        }
    }
    if ((sum == NULL) == (cli_argument_count(values) == 1)) {
        return cli_usage("combine", "needs the folder of a run, and recipes or --sum");
    }
    if (sum == NULL && (r->scale != NULL || r->tune != NULL)) {
        return cli_usage("combine", "--scale and --tune are for --sum: recipes are frozen");
    }
    if (sum != NULL && r->reference != NULL) {
        return cli_usage("combine", "--reference is for rows NAME+co, not for --sum");
    }
    if (sum != NULL && r->features) {
        return cli_usage("combine", "--features is for recipes: scales of --sum need the matrices");
    }
    if (sum == NULL || psb_term_each(sum, take_term, own, &error) == PSB_OK) {
        return CLI_DONE;
    }
    return cli_fail(values, &error);
}

static int run(const cli_values *values, void *options) {
    const request *r = options;
    own_sum own = {.recipe = {.label = r->name}};
    psb_status status = PSB_OK;
    psb_error error;
    psb_text table = {0};
    int code = check_usage(values, r, &own);
    if (code == CLI_DONE) {
        status = r->features      ? add_features(values, r->threads, &error)
                 : r->sum != NULL ? add_sum(values, r, &own.recipe, &table, &error)
                                  : add_recipes(values, r, &table, &error);
        code = cli_print(status, &table, &error);
    }
    for (size_t t = 0; t < own.recipe.nterms; t++) {
        free(own.names[t]);
    }
    return code;
}

static const cli_word scales[] = {{"mean", 0, "divide each row of --sum by its mean distance"},
                                  {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_TEXT(0, "sum", sum, NULL, "LIST",
             "A=1,B=2: methods, of the run or any others, and their weights"),
    CLI_NAME(0, "scale", scale, scales, NULL, NULL, "HOW", "of the rows"),
    CLI_PATH(0, "tune", tune, NULL, "RUN",
             "a run over other models, which gives weights and scales"),
    CLI_TEXT(0, "name", name, "SUM", "NAME", "what the row of --sum is called"),
    CLI_TEXT(0, "reference", reference, NULL, "RUN2",
             "a finished run whose models are the cohort of rows like P5+co"),
    CLI_FLAG(0, "features", features,
             "RUN/features/T3.npy, rows for the metric sum, instead of a matrix"),
    CLI_THREADS_OPTION,
    CLI_END,
};

const cli_command cmd_combine = {
    .name = "combine",
    .summary = "Add sums of a run's distances to it, as further rows.",
    .usage = "RUN [--features] RECIPE... | RUN --reference RUN2 NAME+co... | RUN --sum A=1,B=2 "
             "[--scale mean] [--tune TRAIN] [--name "
             "NAME]",
    .details =
        "A recipe is a sum whose members and scales were chosen on the benchmark's training set "
        "and are frozen: t3 (silhouettes, volume, normals), t4 (and depth buffers), t4n (the same, "
        "every aligned member as the least over two frames); p2 (VIEWS and SPIN), p4 (VIEWS and "
        "T4n), p5 (VIEWS with both codes, T4n, SPIN); l6 (VIEWS, F256L, T4n, SPIN), which is "
        "learned: "
        "'psbench signature' makes F256L, and not of the models whose labels it knows. The run has "
        "to have the members among "
        "its methods; where one lacks, the message names it. 'psbench run -d T3' makes members and "
        "sum at once.\n\n"
        "The new row is one like any other in 'psbench eval', 'compare' and 'report', and in the "
        "run's table, which says which rows use nothing but a pair of models and which use the "
        "context, the other models of the set. With --scale mean alone the scales are this set's "
        "own means: context. With --tune they, and the weights, are those with the best DCG of "
        "another run, none of whose models may be among these.\n\n"
        "NAME+co, of a recipe, a descriptor or a signature of the run, is NAME normalised by the "
        "models of --reference, as in 'psbench help run'; the run has to have NAME.\n\n"
        "A method in --sum that is not the run's, [LABEL=]WHAT[:METRIC] as 'psbench help eval' has "
        "it, becomes one: its distances are written into the run's folder, beside their sum.\n\n"
        "With --features no matrix is read or made, however many models there are: the members' "
        "features are put side by side into RUN/features/T3.npy, whose rows the metric sum "
        "compares "
        "in 'psbench eval', 'search' and 'distance', with the bits that the matrix would have.\n\n"
        "Examples:\n"
        "  psbench combine beyond/test t3 t4\n"
        "  psbench combine beyond/test t3 --features\n"
        "  psbench eval beyond/test/models.cla beyond/test/features/T3.npy --metric sum\n"
        "  psbench combine beyond/test E256+co --reference beyond/train\n"
        "  psbench combine run-psb --sum LFD=1,GEDT=1 --scale mean --name LG\n"
        "  psbench combine run-psb --sum LFD=1,mine.npy:cosine=1 --scale mean --name mixed\n"
        "  psbench combine run-psb --sum LFD=1,GEDT=1 --scale mean --tune train-run \\\n"
        "      --name tuned",
    .options = options,
    .size = sizeof(struct request),
    .least = 1,
    .most = CLI_ANY_NUMBER,
    .of_run = true,
    .arguments = "the folder of a run, and recipes or --sum",
    .run = run,
};
