/* Sources of values, and what is said where they do not cover all queries. */
#include "cli/evaluate.h"

#include "cli/choices.h"
#include "cli/context.h"
#include "core/error.h"
#include "core/memory.h"
#include "eval/neighbor_measures.h"

#include <stdlib.h>
#include <string.h>

enum { NAMED = 5 }; /* queries of those that are missing */

bool cli_units(const cli_values *values, const char *command, psb_units *units) {
    const char *name = cli_value(values, "units");
    *units = strcmp(name, "query") == 0 ? PSB_UNITS_QUERY : PSB_UNITS_CLASS;
    if (*units == PSB_UNITS_CLASS && strcmp(name, "class") != 0) {
        cli_usage(command, "--units is class or query, not '%s'", name);
        return false;
    }
    return true;
}

bool cli_grouping(const char *name, psb_grouping *grouping) {
    static const struct {
        const char *name;
        psb_grouping grouping;
    } groupings[] = {{"micro", PSB_MICRO},
                     {"macro", PSB_MACRO},
                     {"class", PSB_PER_CLASS},
                     {"model", PSB_PER_MODEL}};
    for (size_t g = 0; g < sizeof groupings / sizeof groupings[0]; g++) {
        if (strcmp(groupings[g].name, name) == 0) {
            *grouping = groupings[g].grouping;
            return true;
        }
    }
    return false;
}

static psb_status measure_features(const cli_matrices *all, size_t k, const psb_evaluation *e,
                                   psb_error *error) {
    cli_stages stages = {0};
    psb_observer observer = cli_observer(&stages);
    psb_memory_plan plan = {.passes = 0}; /* where parts have left everything */
    const psb_measuring of = {&all->cla,    &all->features[k], e->measures, e->nmeasures,
                              all->threads, all->memory,       &observer};
    psb_status status =
        psb_query_parts_measure(&all->parts, &of, psb_evaluation_values(e, k), &plan, error);
    if (status == PSB_OK && plan.passes > 0) {
        psb_memory_plan_say(&plan, &observer);
    }
    return status;
}

/* Names queries that have no list, by what the list alone covers. */
static void name_missing(const cli_matrices *all, size_t k, const bool *covered) {
    psb_text names = {.data = NULL};
    size_t missing = 0;
    for (size_t i = 0; i < all->cla.nmodels; i++) {
        if (all->selected[i] && !covered[i] && missing++ < NAMED) {
            psb_text_printf(&names, "%s%.40s", missing > 1 ? ", " : "", all->cla.models[i]);
        }
    }
    if (missing > 0) {
        cli_warn("%s: no list for %zu of %zu queries (%s%s): they are left out of all figures",
                 all->paths[k], missing, all->queries, names.data != NULL ? names.data : "",
                 missing > NAMED ? ", ..." : "");
    }
    psb_text_free(&names);
}

/* covered[i] stays true where the list has query i. */
static psb_status measure_lists(const cli_matrices *all, size_t k, psb_evaluation *e,
                                psb_error *error) {
    void *memory;
    psb_status status = psb_alloc(&memory, all->cla.nmodels, sizeof(bool), "queries", error);
    if (status != PSB_OK) {
        return status;
    }
    psb_coverage coverage = {.covered = memory};
    memset(memory, 1, all->cla.nmodels);
    status = psb_evaluation_lists(e, k, all->paths[k], all->lists[k], &coverage, error);
    if (status == PSB_OK) {
        name_missing(all, k, coverage.covered);
        psb_evaluation_narrow(e, coverage.covered);
    }
    if (status == PSB_OK && coverage.shorter > 0 && all->lists[k] != PSB_LISTS_SEARCH &&
        cli_verbosity() >= 0) {
        cli_say("%s: the lists of %zu queries are shorter than the targets are many, the shortest "
                "has %zu: what is not listed was not found",
                all->paths[k], coverage.shorter, coverage.shortest);
    }
    free(memory);
    return status;
}

static psb_status fill(const cli_matrices *all, psb_evaluation *e, psb_error *error) {
    psb_status status = psb_evaluation_open(e, error);
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        if (all->lists[k] != PSB_LISTS_NONE) {
            status = measure_lists(all, k, e, error);
        } else if (all->features[k].npy.rows > 0) {
            status = measure_features(all, k, e, error);
        } else {
            status = psb_evaluation_rank(e, k, &all->matrices[k], all->threads, error);
        }
    }
    return status;
}

int cli_evaluate(const cli_matrices *all, bool known, psb_evaluation *e) {
    psb_error error;
    e->cla = &all->cla;
    e->relevance = all->judged ? &all->relevance : NULL;
    e->labels = all->labels;
    e->nmethods = all->count;
    e->listed = all->listed;
    psb_status status = fill(all, e, &error);
    if (status == PSB_OK && e->without > 0 && psb_group_count(e, PSB_MICRO) == 0) {
        status = psb_fail_at(&error, PSB_ERROR_INPUT, all->first_name, 0,
                             "no query has a list: there are no figures");
    }
    for (size_t k = 0; k < all->count && !known && status == PSB_OK; k++) {
        status = psb_evaluation_need(e, k, all->paths[k], &error);
    }
    if (status != PSB_OK) {
        return cli_report(&error);
    }
    return e->without > 0 ? CLI_PARTIAL : CLI_DONE;
}
