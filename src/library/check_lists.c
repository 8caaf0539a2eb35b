/* Reports what is wrong with ranked lists, for the organizer of a track. */
#include "core/memory.h"
#include "library/methods.h"

typedef struct checked {
    void (*line)(void *context, const char *text);
    void *context;
    size_t faults;
    size_t *length; /* 1 + length of each query's list; 0: no list */
} checked;

/* Notes that the query has a list, which may be empty. */
static void begin(void *context, size_t query) {
    ((checked *)context)->length[query] = 1;
}

static void count(void *context, size_t query, size_t rank, size_t target PSB_UNUSED,
                  double distance PSB_UNUSED) {
    ((checked *)context)->length[query] = rank + 1;
}

static void show(void *context, const psb_error *fault) {
    checked *c = context;
    c->faults++;
    c->line(c->context, fault->message);
}

/* Reports queries without a list, which is wrong; counts short lists, which are allowed. */
static void show_missing(const psb_methods *all, const char *path, checked *c) {
    size_t lists = 0, shorter = 0, shortest = SIZE_MAX;
    for (size_t i = 0; i < all->cla.nmodels; i++) {
        psb_error fault;
        if (c->length[i] == 0 && all->selected[i]) {
            psb_fail_at(&fault, PSB_ERROR_INPUT, path, 0, "no list for query %.40s",
                        all->cla.models[i]);
            show(c, &fault);
        } else if (c->length[i] > 0) {
            size_t length = c->length[i] - 1;
            lists++;
            shorter += length + 1 < all->targets->nmodels; /* the query itself may be one */
            shortest = length < shortest ? length : shortest;
        }
    }
    PSB_AT_END(psb_text_free) psb_text text = {.data = NULL};
    psb_text_printf(&text, "%s: %zu lists, %zu shorter than the %zu targets", path, lists, shorter,
                    all->targets->nmodels);
    if (shorter > 0) {
        psb_text_printf(&text, ", the shortest has %zu", shortest);
    }
    psb_text_printf(&text, "; %zu %s wrong", c->faults, c->faults == 1 ? "thing is" : "things are");
    if (!text.failed) {
        c->line(c->context, text.data);
    }
}

static psb_status check(const psb_methods *all, size_t k, const checked *how, size_t *faults,
                        psb_error *error) {
    const char *path = all->paths[k];
    checked c = *how;
    psb_status status = PSB_OK;
    if (all->lists[k] == PSB_LISTS_NONE) {
        return psb_fail_at(error, PSB_ERROR_USAGE, path, 0,
                           "not recognized as ranked lists: name their form, as --lists trec");
    }
    c.length = psb_new_zero(&status, all->cla.nmodels, sizeof *c.length, "lists", error);
    psb_lists lists = {.form = all->lists[k],
                       .queries = &all->cla,
                       .targets = all->targets,
                       .with_query = all->relevance.with_query,
                       .begin = begin,
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

psb_status psb_check_lists(const psb_methods *methods,
                           void (*line)(void *context, const char *text), void *context,
                           size_t *faults, psb_error *error) {
    const checked how = {.line = line, .context = context};
    psb_status status = PSB_OK;
    *faults = 0;
    for (size_t k = 0; k < methods->count && status == PSB_OK; k++) {
        status = check(methods, k, &how, faults, error);
    }
    return status;
}
