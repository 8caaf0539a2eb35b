/* Models by the size of their files. */
#include "pipeline/schedule.h"

#include "core/memory.h"

#include <sys/stat.h>

typedef struct entry {
    off_t bytes;
    size_t model;
} entry;

static int larger_first(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->bytes != y->bytes) {
        return x->bytes < y->bytes ? 1 : -1;
    }
    return x->model < y->model ? -1 : 1;
}

psb_status psb_largest_first(char *const *paths, size_t n, size_t **order, psb_error *error) {
    psb_status status = PSB_OK;
    entry *entries = psb_new(&status, n, sizeof *entries, "the order of models", error);
    *order = psb_new(&status, n, sizeof **order, "the order of models", error);
    if (status == PSB_OK) {
        for (size_t i = 0; i < n; i++) {
            struct stat info;
            entries[i] = (entry){stat(paths[i], &info) == 0 ? info.st_size : -1, i};
        }
        qsort(entries, n, sizeof *entries, larger_first);
        for (size_t i = 0; i < n; i++) {
            (*order)[i] = entries[i].model;
        }
    }
    free(entries);
    return status;
}
