/* What the organiser of a track runs on lists that were handed in. */
#include "cli/evaluate.h"
#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>

typedef struct checked {
    size_t faults;
    size_t *length; /* of each query's list */
} checked;

static void count(void *context, size_t query, size_t rank, size_t target) {
    (void)target;
    ((checked *)context)->length[query] = rank;
}

static void show(void *context, const psb_error *fault) {
    ((checked *)context)->faults++;
    cli_print_plain(fault->message);
    putchar('\n');
}

/* Queries without a list are wrong; short lists are allowed, and said. */
static void show_missing(const cli_matrices *all, const char *path, checked *c) {
    size_t lists = 0, shorter = 0, shortest = SIZE_MAX;
    for (size_t i = 0; i < all->cla.nmodels; i++) {
        psb_error fault;
        if (c->length[i] == 0 && all->selected[i]) {
            psb_fail_at(&fault, PSB_ERROR_INPUT, path, 0, "no list for query %.40s",
                        all->cla.models[i]);
            show(c, &fault);
        } else if (c->length[i] > 0) {
            size_t whole = all->targets->nmodels;
            lists++;
            shorter += c->length[i] + 1 < whole; /* the query itself may be one of the targets */
            shortest = c->length[i] < shortest ? c->length[i] : shortest;
        }
    }
    cli_print_plain(path);
    printf(": %zu lists, %zu shorter than the %zu targets", lists, shorter, all->targets->nmodels);
    if (shorter > 0) {
        printf(", the shortest has %zu", shortest);
    }
    printf("; %zu %s wrong\n", c->faults, c->faults == 1 ? "thing is" : "things are");
}

static psb_status check(const cli_matrices *all, size_t k, size_t *faults, psb_error *error) {
    const char *path = all->paths[k];
    checked c = {0};
    psb_status status = PSB_OK;
    if (all->lists[k] == PSB_LISTS_NONE) {
        return psb_fail_at(error, PSB_ERROR_USAGE, path, 0,
                           "--check is about ranked lists; --lists says of which form they are");
    }
    c.length = psb_new_zero(&status, all->cla.nmodels, sizeof *c.length, "lists", error);
    psb_lists lists = {.form = all->lists[k],
                       .queries = &all->cla,
                       .targets = all->targets,
                       .with_query = all->relevance.with_query,
                       .take = count,
                       .fault = show,
                       .context = &c};
    PSB_THEN(status, psb_lists_read(&lists, path, error));
    if (status == PSB_OK) {
        show_missing(all, path, &c);
    }
    free(c.length);
    *faults += c.faults;
    return status;
}

int cli_check_lists(const cli_matrices *all) {
    psb_error error;
    psb_status status = PSB_OK;
    size_t faults = 0;
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        status = check(all, k, &faults, &error);
    }
    return status != PSB_OK ? cli_report(&error) : faults > 0 ? CLI_PARTIAL : CLI_DONE;
}
