/* Makes methods from a list of names, with parts before the methods made from them. */
#include "run/plan.h"

#include "core/number.h"
#include "eval/cohort.h"
#include "run/record.h"
#include "run/reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

enum { METHODS_MOST = 256 };
static const char reranked_suffix[] = "+kr", manifold_suffix[] = "+mr", normalised_suffix[] = "+co";

/* ---- kinds ------------------------------------------------------------------------------- */

static uint64_t key_of_sum(const psb_run_method *method) {
    const psb_recipe *recipe = &method->sum;
    uint64_t key = recipe->nterms;
    for (size_t t = 0; t < recipe->nterms; t++) {
        const psb_term *term = &recipe->terms[t];
        const double numbers[] = {term->weight, term->scale};
        for (int k = 0; k < 2 && term->member[k] != NULL; k++) {
            key = XXH64(term->member[k], strlen(term->member[k]) + 1, key);
        }
        key = XXH64(numbers, sizeof numbers, key);
    }
    return key;
}

static psb_status add_up(const psb_run_method *method, const psb_run_method_inputs *in, float *out,
                         psb_error *error) {
    return psb_recipe_sum_matrices(&method->sum, in->parts, in->threads, out, error);
}

static const psb_run_method_kind sum = {
    "Sum of distances", "sum", 1, key_of_sum, false, false, add_up};

static uint64_t key_of_reranked(const psb_run_method *method) {
    const psb_reranking *o = &method->rerank;
    const double numbers[] = {(double)o->method, (double)o->k1, (double)o->k2, o->lambda};
    return XXH64(numbers, sizeof numbers, method->kind->revision);
}

static psb_status rerank(const psb_run_method *method, const psb_run_method_inputs *in, float *out,
                         psb_error *error) {
    psb_reranking options = method->rerank;
    options.threads = in->threads;
    return psb_rerank_matrix(in->parts, &options, out, error);
}

/* Indexed by psb_rerank_method; the metrics' names are those of psb_rerank_name. */
static const psb_run_method_kind reranked[] = {
    {"Re-ranked distances", "k-reciprocal", 2, key_of_reranked, false, false, rerank},
    {"Distances along a manifold", "manifold", 1, key_of_reranked, false, false, rerank},
    {"Re-ranked distances, and those along a manifold", "k-reciprocal+manifold", 1, key_of_reranked,
     false, false, rerank},
};

/* The levels of a sum depend on its scales; the key of reference and features is added
 * elsewhere. */
static uint64_t key_of_normalised(const psb_run_method *method) {
    return method->of->spec != NULL ? 0 : key_of_sum(method->of);
}

static psb_status normalise(const psb_run_method *method, const psb_run_method_inputs *in,
                            float *out, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED double *level = psb_new(&status, in->parts->n, sizeof *level, "a cohort", error);
    PSB_THEN(status, psb_reference_levels(in->reference, method->of, in, level, error));
    return PSB_THEN(status, psb_cohort_normalise(in->parts, level, in->threads, out, error));
}

static const psb_run_method_kind normalised = {
    "Distances normalized by a cohort", "cohort", 1, key_of_normalised, true, false, normalise};

static uint64_t key_of_signature(const psb_run_method *method PSB_UNUSED) {
    return psb_cosine.revision;
}

static psb_status compare_signatures(const psb_run_method *method, const psb_run_method_inputs *in,
                                     float *out, psb_error *error) {
    PSB_FREED char *path = NULL;
    PSB_AT_END(psb_npy_close) psb_npy npy = {0};
    psb_status status = psb_run_method_path(in->results, true, method->part[0].text, &path, error);
    PSB_THEN(status, psb_npy_read(path, &npy, error));
    const psb_row_view rows = psb_npy_rows(&npy);
    PSB_THEN(status, psb_npy_check_models(path, &npy, in->cla->nmodels, error));
    PSB_THEN(status, psb_metric_check(&psb_cosine, &rows, error));
    return PSB_THEN(status,
                    psb_distance_matrix(&psb_cosine, &rows, in->threads, out, NULL, NULL, error));
}

static const psb_run_method_kind signature = {
    "Signature", "cosine", 1, key_of_signature, false, true, compare_signatures};

static uint64_t key_of_given(const psb_run_method *method) {
    size_t n = method->given->n;
    return XXH64(method->given->data, n * n * sizeof *method->given->data, 0);
}

static psb_status copy_given(const psb_run_method *method, const psb_run_method_inputs *inputs,
                             float *out, psb_error *error) {
    (void)inputs, (void)error;
    size_t n = method->given->n;
    memcpy(out, method->given->data, n * n * sizeof *out);
    return PSB_OK;
}

static const psb_run_method_kind given = {
    "Distances from elsewhere", "given", 1, key_of_given, false, false, copy_given};

unsigned psb_run_method_revision(const char *metric) {
    static const psb_run_method_kind *const kinds[] = {
        &sum,  &reranked[PSB_KR], &reranked[PSB_MR], &reranked[PSB_KR_MR], &normalised, &signature,
        &given};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (strcmp(kinds[k]->metric, metric) == 0) {
            return kinds[k]->revision;
        }
    }
    return 0;
}

/* ---- single methods ---------------------------------------------------------------------- */

void psb_run_method_free(psb_run_method *method) {
    if (method != NULL) {
        psb_spec_free(method->spec);
        psb_run_method_free(method->of);
        free(method->formula);
        free(method->source);
        free(method);
    }
}

void psb_run_method_free_all(psb_run_method **methods, size_t count) {
    for (size_t m = 0; m < count && methods != NULL; m++) {
        psb_run_method_free(methods[m]);
    }
    free(methods);
}

psb_status psb_run_method_label(const char *name, psb_label *label, psb_error *error) {
    psb_spec *spec = NULL;
    const psb_recipe *recipe = psb_recipe_find(name);
    psb_status status = psb_spec_parse(NULL, name, &spec, error);
    if (status == PSB_OK) {
        *label = spec->label;
    } else if (status == PSB_ERROR_USAGE) {
        status = psb_label_make(recipe != NULL ? recipe->label : name, label, error);
    }
    psb_spec_free(spec);
    return status;
}

static psb_status new_method(const psb_run_method_kind *kind, const char *uses,
                             psb_run_method **method, psb_error *error) {
    psb_status status = PSB_OK;
    *method = psb_new_zero(&status, 1, sizeof **method, "a method", error);
    if (status == PSB_OK) {
        (*method)->kind = kind;
        (*method)->uses = uses;
    }
    return status;
}

/* Frees a method that could not be made, and sets *method to NULL. */
static psb_status finished(psb_status status, psb_run_method **method) {
    if (status != PSB_OK) {
        psb_run_method_free(*method);
        *method = NULL;
    }
    return status;
}

psb_status psb_run_method_sum(const psb_recipe *recipe, const char *source, const char *uses,
                              psb_run_method **method, psb_error *error) {
    psb_text formula = {0};
    psb_status status = new_method(&sum, uses, method, error);
    psb_run_method *m = *method;
    PSB_THEN(status, psb_run_method_label(recipe->label, &m->label, error));
    psb_recipe_formula(recipe, &formula);
    PSB_THEN(status, psb_text_status(&formula, error));
    const char *members[PSB_MEMBERS_MOST];
    size_t count = psb_recipe_members(recipe, members);
    for (size_t p = 0; p < count && status == PSB_OK; p++) {
        status = psb_run_method_label(members[p], &m->part[m->nparts++], error);
    }
    if (status == PSB_OK) {
        m->sum = *recipe;
        m->source = psb_new_copy(&status, source, "a method", error);
        m->formula = formula.data;
    } else {
        psb_text_free(&formula);
    }
    return finished(status, method);
}

psb_status psb_run_method_recipe(const psb_recipe *recipe, psb_run_method **method,
                                 psb_error *error) {
    psb_status status = PSB_OK;
    *method = NULL;
    PSB_FREED char *source = psb_new_format(
        &status, error, "ours, 2026; members and scales chosen on the training list %016" PRIx64,
        recipe->training_list);
    return PSB_THEN(status, psb_run_method_sum(recipe, source, recipe->learned ? "learned" : "pair",
                                               method, error));
}

psb_status psb_run_method_signature(const char *label, size_t numbers, bool learned,
                                    psb_run_method **method, psb_error *error) {
    psb_status status = new_method(&signature, learned ? "learned" : "pair", method, error);
    psb_run_method *m = *method;
    PSB_THEN(status, psb_label_make(label, &m->label, error));
    if (status == PSB_OK) {
        m->part[m->nparts++] = m->label;
        m->numbers = numbers;
        m->source = psb_new_format(&status, error, "ours, 2026");
        m->formula = psb_new_format(
            &status, error, "blocks of a model along principal directions of a training list%s",
            learned ? ", whose classes are drawn together" : "");
    }
    return finished(status, method);
}

/* Makes a label: "T3+kr", followed by options that are not the default; "T3+mr"; "T3+kr+mr". */
static char *label_reranked(psb_status *status, const char *name, const psb_reranking *o,
                            psb_error *error) {
    const psb_reranking defaults = PSB_RERANK_DEFAULTS;
    const char *manifold = o->method == PSB_KR ? "" : manifold_suffix;
    const char *reciprocal = o->method == PSB_MR ? "" : reranked_suffix;
    bool plain = o->method == PSB_MR ||
                 (o->k1 == defaults.k1 && o->k2 == defaults.k2 && o->lambda == defaults.lambda);
    return plain ? psb_new_format(status, error, "%s%s%s", name, reciprocal, manifold)
                 : psb_new_format(status, error, "%s%s-%zu-%zu-%g%s", name, reciprocal, o->k1,
                                  o->k2, o->lambda, manifold);
}

static char *describe_reranked(psb_status *status, const char *name, const psb_reranking *o,
                               psb_error *error) {
    return o->method == PSB_MR
               ? psb_new_format(status, error, "manifold ranking of %s", name)
               : psb_new_format(status, error,
                                "k-reciprocal re-ranking of %s: k1 = %zu, k2 = %zu, lambda = %g%s",
                                name, o->k1, o->k2, o->lambda,
                                o->method == PSB_KR
                                    ? ""
                                    : "; and manifold ranking of the same, each over its mean");
}

psb_status psb_run_method_reranked(const char *name, const psb_reranking *o,
                                   psb_run_method **method, psb_error *error) {
    static const char *const sources[] = {
        "Zhong, Zheng, Cao, Li 2017", "Zhou, Weston, Gretton, Bousquet, Schoelkopf 2004",
        "Zhong, Zheng, Cao, Li 2017; Zhou, Weston, Gretton, Bousquet, Schoelkopf 2004"};
    *method = NULL;
    if (strstr(name, "+kr") != NULL || strstr(name, "+mr") != NULL) {
        return psb_fail(error, PSB_ERROR_USAGE, "%.80s is re-ranked already", name);
    }
    psb_status status = new_method(&reranked[o->method], "context", method, error);
    psb_run_method *m = *method;
    PSB_THEN(status, psb_run_method_label(name, &m->part[0], error));
    const char *of = status == PSB_OK ? m->part[0].text : name;
    PSB_FREED char *label = label_reranked(&status, of, o, error);
    PSB_THEN(status, psb_label_make(label, &m->label, error));
    if (status == PSB_OK) {
        m->rerank = *o;
        m->nparts = 1;
        m->source = psb_new_format(&status, error, "%s", sources[o->method]);
        m->formula = describe_reranked(&status, of, o, error);
    }
    return finished(status, method);
}

psb_status psb_run_method_given(const char *label, const char *path, const psb_matrix *distances,
                                psb_run_method **method, psb_error *error) {
    psb_status status = new_method(&given, "given", method, error);
    PSB_THEN(status, psb_label_make(label, &(*method)->label, error));
    if (status == PSB_OK) {
        (*method)->given = distances;
        (*method)->source = psb_new_copy(&status, path, "a method", error);
    }
    return finished(status, method);
}

/* ---- lists ------------------------------------------------------------------------------- */

/* A plan while it is made. */
typedef struct maker {
    psb_plan *plan;
    const psb_added *added;
} maker;

static psb_run_method *find(const psb_plan *plan, const char *label) {
    for (size_t m = 0; m < plan->nmethods; m++) {
        if (strcmp(plan->methods[m]->label.text, label) == 0) {
            return plan->methods[m];
        }
    }
    return NULL;
}

/* Parses "-20-2-0.5", or "" for the default; false for other texts. */
static bool parse_options(const char *text, psb_reranking *o) {
    const psb_reranking defaults = PSB_RERANK_DEFAULTS;
    size_t *const numbers[] = {&o->k1, &o->k2};
    *o = defaults;
    if (*text == '\0') {
        return true;
    }
    for (int i = 0; i < 2; i++) {
        char word[8];
        size_t length = *text == '-' ? strcspn(text + 1, "-") : sizeof word;
        int64_t k = 0;
        if (length >= sizeof word) {
            return false;
        }
        memcpy(word, text + 1, length);
        word[length] = '\0';
        if (!psb_parse_int64(word, &k) || k < 1 || k > PSB_RERANK_K_MOST) {
            return false;
        }
        *numbers[i] = (size_t)k;
        text += 1 + length;
    }
    return *text == '-' && psb_parse_double(text + 1, &o->lambda) && o->lambda >= 0 &&
           o->lambda <= 1;
}

static psb_status fail_unknown(const psb_added *added, const char *text, psb_error *error) {
    char name[81];
    psb_text known = {0};
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    psb_spec_names(added, &known);
    for (size_t r = 0; psb_recipe_at(r) != NULL; r++) {
        psb_text_list(&known, psb_recipe_at(r)->label);
    }
    psb_text_printf(
        &known,
        ", and NAME%s of each, normalized by a cohort, and NAME%s, NAME%s and NAME%s%s, re-ranked",
        normalised_suffix, reranked_suffix, manifold_suffix, reranked_suffix, manifold_suffix);
    return psb_fail_unknown(error, "method", name, &known);
}

/* A suffix that turns a method's name into another method's. */
typedef struct suffix {
    const char *text;
    /* Makes NAME+xx...: *of is the method NAME, NULL if it was taken over; `rest` follows the
     * suffix. */
    psb_status (*make)(const char *text, const char *rest, psb_run_method **of,
                       psb_run_method **method, psb_error *error);
} suffix;

static psb_status make_reranked(const char *text, const char *rest, psb_run_method **of,
                                psb_run_method **method, psb_error *error) {
    psb_reranking options;
    if (!parse_options(rest, &options)) {
        return psb_fail(error, PSB_ERROR_USAGE,
                        "'%.80s': a re-ranked method is NAME%s, or NAME%s-K1-K2-LAMBDA with K1 and "
                        "K2 from 1 to %d and LAMBDA from 0 to 1",
                        text, reranked_suffix, reranked_suffix, PSB_RERANK_K_MOST);
    }
    return psb_run_method_reranked((*of)->label.text, &options, method, error);
}

/* After a k-reciprocal method: makes the sum of both, over the method that was re-ranked. */
static psb_status make_manifold(const char *text, const char *rest, psb_run_method **of,
                                psb_run_method **method, psb_error *error) {
    psb_reranking options = PSB_RERANK_DEFAULTS;
    bool both = (*of)->kind == &reranked[PSB_KR];
    if (*rest != '\0') {
        return psb_fail(error, PSB_ERROR_USAGE, "'%.80s': want NAME%s", text, manifold_suffix);
    }
    options = both ? (*of)->rerank : options;
    options.method = both ? PSB_KR_MR : PSB_MR;
    return psb_run_method_reranked(both ? (*of)->part[0].text : (*of)->label.text, &options, method,
                                   error);
}

psb_status psb_run_method_normalised(psb_run_method *of, psb_run_method **method,
                                     psb_error *error) {
    bool pair = of->spec != NULL || strcmp(of->uses, "pair") == 0;
    const char *uses = pair ? "reference" : of->uses;
    psb_status status = new_method(&normalised, uses, method, error);
    psb_run_method *m = *method;
    if (status != PSB_OK) {
        psb_run_method_free(of);
        return status;
    }
    m->of = of;
    PSB_FREED char *label =
        psb_new_format(&status, error, "%s%s", of->label.text, normalised_suffix);
    PSB_THEN(status, psb_label_make(label, &m->label, error));
    if (status == PSB_OK) {
        m->part[m->nparts++] = of->label;
        m->source = psb_new_format(
            &status, error,
            "ours, 2026, after cohort normalization of scores in speaker verification");
        m->formula = psb_new_format(&status, error,
                                    "D(a, b) / sqrt(m(a) m(b)) of D = %s, m the mean of the 11 %% "
                                    "smallest distances to the reference",
                                    of->label.text);
    }
    return finished(status, method);
}

/* Refuses methods other than descriptors and sums, which alone have distances to a cohort. */
static psb_status make_normalised(const char *text, const char *rest, psb_run_method **of,
                                  psb_run_method **method, psb_error *error) {
    if (*rest != '\0' || ((*of)->spec == NULL && (*of)->kind != &sum)) {
        return psb_fail(error, PSB_ERROR_USAGE,
                        "'%.80s': a normalized method is NAME%s, of a descriptor or a sum", text,
                        normalised_suffix);
    }
    psb_run_method *taken = *of;
    *of = NULL;
    return psb_run_method_normalised(taken, method, error);
}

static const suffix suffixes[] = {{reranked_suffix, make_reranked},
                                  {manifold_suffix, make_manifold},
                                  {normalised_suffix, make_normalised}};

/* Finds the last suffix of a text; *at is where it begins. */
static const suffix *find_suffix(const char *text, const char **at) {
    const suffix *found = NULL;
    for (const char *plus = strchr(text, '+'); plus != NULL; plus = strchr(plus + 1, '+')) {
        for (size_t s = 0; s < sizeof suffixes / sizeof suffixes[0]; s++) {
            if (strncmp(plus, suffixes[s].text, strlen(suffixes[s].text)) == 0) {
                found = &suffixes[s];
                *at = plus;
            }
        }
    }
    return found;
}

static psb_status make_method(const psb_added *added, const char *text, psb_run_method **method,
                              psb_error *error);

/* Makes a method from the name before the suffix, then applies the suffix. */
static psb_status make_suffixed(const psb_added *added, const char *text, const suffix *last,
                                const char *at, psb_run_method **method, psb_error *error) {
    psb_status status = PSB_OK;
    psb_run_method *of = NULL;
    PSB_FREED char *name = psb_new_text(&status, text, (size_t)(at - text), "a method", error);
    PSB_THEN_IF(status, at == text,
                psb_fail(error, PSB_ERROR_USAGE, "'%.80s': want NAME%s", text, last->text));
    PSB_THEN(status, make_method(added, name, &of, error));
    PSB_THEN(status, last->make(text, at + strlen(last->text), &of, method, error));
    psb_run_method_free(of);
    return status;
}

/* Makes the method that a text names. Its parts are only named, not made. */
static psb_status make_method(const psb_added *added, const char *text, psb_run_method **method,
                              psb_error *error) {
    const char *at = NULL;
    const suffix *last = find_suffix(text, &at);
    const psb_recipe *recipe = psb_recipe_find(text);
    *method = NULL;
    if (last != NULL) {
        return make_suffixed(added, text, last, at, method, error);
    }
    if (!psb_spec_is_known(added, text)) { /* a client's descriptor goes before a sum */
        return recipe != NULL ? psb_run_method_recipe(recipe, method, error)
                              : fail_unknown(added, text, error);
    }
    psb_status status = new_method(NULL, NULL, method, error);
    PSB_THEN(status, psb_spec_parse(added, text, &(*method)->spec, error));
    if (status == PSB_OK) {
        (*method)->label = (*method)->spec->label;
    }
    return status;
}

/* Inserts a method; described methods stand before all others. */
static void insert(psb_plan *plan, psb_run_method *method) {
    size_t at = method->spec != NULL ? plan->nspecs : plan->nmethods;
    memmove(plan->methods + at + 1, plan->methods + at,
            (plan->nmethods++ - at) * sizeof(psb_run_method *));
    plan->methods[at] = method;
    if (method->spec != NULL) {
        plan->specs[plan->nspecs++] = method->spec;
    }
}

static psb_status add(const maker *m, const char *text, bool named, psb_error *error) {
    psb_run_method *method;
    psb_status status = make_method(m->added, text, &method, error);
    psb_run_method *same = status == PSB_OK ? find(m->plan, method->label.text) : NULL;
    if (same != NULL) {
        psb_run_method_free(method);
        if (named && same->named) {
            return psb_fail(error, PSB_ERROR_USAGE, "%s is listed twice: name it once",
                            same->label.text);
        }
        same->named = same->named || named;
        return PSB_OK;
    }
    PSB_THEN_IF(status, method->kind == &sum && method->sum.learned,
                psb_fail(error, PSB_ERROR_USAGE,
                         "%s has a member learned with labels: 'psbench signature RUN --by "
                         "DIRECTIONS --row' makes it, then 'psbench combine RUN %s' the sum",
                         method->label.text, method->sum.name));
    for (size_t p = 0; status == PSB_OK && p < method->nparts; p++) {
        status = add(m, method->part[p].text, false, error);
    }
    PSB_THEN_IF(status, m->plan->nmethods == METHODS_MOST,
                psb_fail(error, PSB_ERROR_USAGE, "more than %d methods in one list", METHODS_MOST));
    if (status != PSB_OK) {
        psb_run_method_free(method);
        return status;
    }
    method->named = named;
    insert(m->plan, method);
    return PSB_OK;
}

psb_status psb_run_method_named(const char *text, psb_run_method **method, psb_error *error) {
    return make_method(NULL, text, method, error);
}

static psb_status add_named(void *context, const char *text, psb_error *error) {
    return add(context, text, true, error);
}

psb_status psb_plan_make(const psb_added *added, const char *list, psb_plan *plan,
                         psb_error *error) {
    psb_status status = PSB_OK;
    *plan = (psb_plan){.nspecs = 0};
    plan->methods = psb_new(&status, METHODS_MOST, sizeof *plan->methods, "methods", error);
    plan->specs = psb_new(&status, METHODS_MOST, sizeof *plan->specs, "methods", error);
    maker m = {plan, added};
    return PSB_THEN(status, psb_spec_each(list, add_named, &m, error));
}

void psb_plan_free(psb_plan *plan) {
    psb_run_method_free_all(plan->methods, plan->nmethods);
    free(plan->specs);
    *plan = (psb_plan){.nspecs = 0};
}

const psb_run_method *psb_plan_referring(const psb_plan *plan) {
    const psb_run_method *found = NULL;
    for (size_t m = 0; m < plan->nmethods && found == NULL; m++) {
        const psb_run_method *method = plan->methods[m];
        found = method->spec == NULL && method->kind->needs_reference ? method : NULL;
    }
    return found;
}
