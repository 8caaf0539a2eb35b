/* Writes matrices as ranked lists, for trec_eval and for the scripts of SHREC tracks. */
#include "report/export.h"

#include "core/lock.h"
#include "core/memory.h"
#include "library/methods.h"

static char in_file_name(char c) {
    return c == '/' ? '_' : c;
}

static psb_status path_of(const char *folder, const char *name, const char *suffix, psb_text *path,
                          psb_error *error) {
    psb_text_printf(path, "%s/", folder);
    for (; *name != '\0'; name++) {
        char c = in_file_name(*name);
        psb_text_add_bytes(path, &c, 1);
    }
    psb_text_add(path, suffix);
    return psb_text_status(path, error);
}

/* Refuses labels that give the same file name, as the second file would replace the first. */
static psb_status need_own_files(const psb_methods *all, psb_error *error) {
    for (size_t k = 0; k < all->count; k++) {
        for (size_t other = 0; other < k; other++) {
            const char *a = all->labels[k], *b = all->labels[other];
            while (*a != '\0' && in_file_name(*a) == in_file_name(*b)) {
                a++;
                b++;
            }
            if (*a == *b) {
                return psb_fail(error, PSB_ERROR_INPUT,
                                "%s and %s would be written to one file: label one, as LABEL=FILE",
                                all->labels[other], all->labels[k]);
            }
        }
    }
    return PSB_OK;
}

static psb_status export_trec(const psb_methods *all, const char *folder, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *qrels = psb_new_format(&status, error, "%s/qrels.txt", folder);
    PSB_THEN(status, psb_export_qrels(qrels, &all->cla, all->selected, error));
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        PSB_AT_END(psb_text_free) psb_text path = {.data = NULL};
        status = path_of(folder, all->labels[k], ".run", &path, error);
        PSB_THEN(status, psb_export_trec(path.data, &all->cla, &all->matrices[k], all->selected,
                                         all->labels[k], error));
    }
    return status;
}

static psb_status export_shrec(const psb_methods *all, const char *folder, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        PSB_AT_END(psb_text_free) psb_text path = {.data = NULL};
        status = path_of(folder, all->labels[k], "", &path, error);
        PSB_THEN(status,
                 psb_export_shrec(path.data, &all->cla, &all->matrices[k], all->selected, error));
    }
    return status;
}

/* Files that show that a folder is an export's: its lock, or a file that earlier versions left. */
static const char *const marks[] = {".export.lock", "qrels.txt", NULL};

static psb_status export_all(const psb_methods *all, bool shrec, const char *folder,
                             psb_error *error) {
    PSB_AT_END(psb_lock_release) psb_lock lock = PSB_LOCK_NONE;
    psb_status status = psb_lock_take_folder(folder, marks, &lock, error);
    return PSB_THEN(status,
                    shrec ? export_shrec(all, folder, error) : export_trec(all, folder, error));
}

psb_status psb_export(const psb_methods *all, psb_export_form form, const char *folder,
                      psb_error *error) {
    for (size_t k = 0; k < all->count; k++) {
        if (all->matrices[k].data == NULL) {
            return psb_misuse(error, "lists are of matrices, not of features or lists");
        }
    }
    psb_status status = psb_methods_need_queries(all, error);
    PSB_THEN(status, need_own_files(all, error));
    return PSB_THEN(status, export_all(all, form == PSB_EXPORT_SHREC, folder, error));
}
