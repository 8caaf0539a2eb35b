/* Tells RUN, RUN/NAME and files apart, proves what is read, and finds ids and metric. */
#include "run/subject.h"

#include "core/file.h"
#include "io/dataset.h"

psb_status psb_subject_split(const char *text, char **run, const char **name, psb_error *error) {
    const char *slash = strrchr(text, '/');
    psb_status status = PSB_OK;
    size_t length = slash != NULL && slash[1] != '\0' ? (size_t)(slash - text) : 0;
    *run = psb_new_text(&status, text, length, "a run", error);
    *name = length > 0 ? slash + 1 : NULL;
    if (status == PSB_OK &&
        (length == 0 || psb_is_file(text) || psb_is_folder(text) || !psb_is_run(*run))) {
        free(*run);
        *run = NULL;
        *name = NULL;
    }
    return status;
}

/* Finds the metric beside the rows or, of a descriptor's rows, in run.json. */
static psb_status find_metric(psb_subject *s, psb_error *error) {
    psb_label label;
    psb_status status = psb_ids_read_metric(s->path, &s->metric, error);
    for (size_t d = 0; d < s->facts.ndescriptors && status == PSB_OK && s->metric == NULL; d++) {
        const psb_descriptor_facts *of = &s->facts.descriptors[d];
        bool described = of->uses == NULL && of->label != NULL && of->metric != NULL;
        if (described && s->name != NULL && psb_label_make(of->label, &label, NULL) == PSB_OK &&
            (strcmp(label.text, s->name) == 0 || strcmp(label.stem, s->name) == 0)) {
            free(s->name);
            s->name = psb_new_copy(&status, of->label, "a name", error);
            s->metric = psb_new_copy(&status, of->metric, "a metric", error);
        }
    }
    return status;
}

static const char *choose(const psb_run_facts *facts) {
    const char *first = NULL;
    for (size_t d = 0; d < facts->ndescriptors; d++) {
        const psb_descriptor_facts *of = &facts->descriptors[d];
        if (of->uses == NULL && of->label != NULL && strcmp(of->label, "LFD") == 0) {
            return of->label;
        }
        first = first == NULL && of->uses == NULL ? of->label : first;
    }
    return first != NULL ? first : "LFD";
}

static psb_status find_in_run(const char *run, const char *name, bool whole, psb_subject *s,
                              psb_error *error) {
    psb_label label;
    psb_status status = psb_results_open(run, whole, &s->results, error);
    PSB_THEN(status, psb_run_read_facts(&s->results, &s->facts, error));
    s->chosen = name == NULL;
    name = name != NULL ? name : choose(&s->facts);
    PSB_THEN(status, psb_run_method_path(&s->results, true, name, &s->path, error));
    PSB_THEN(status, psb_run_method_label(name, &label, error));
    s->name = psb_new_text(&status, label.text, status == PSB_OK ? strlen(label.text) : 0, "a name",
                           error);
    return status;
}

/* A file by its path, which may be that of a run's features. */
static psb_status find_file(const char *path, bool whole, psb_subject *s, psb_error *error) {
    static const char folder[] = "features/", ending[] = ".npy";
    const size_t begin = sizeof folder - 1, end = sizeof ending - 1;
    PSB_FREED char *file = NULL;
    psb_status status = PSB_OK;
    s->path = psb_new_copy(&status, path, "a path", error);
    s->results.whole = whole;
    PSB_THEN(status, psb_results_check_file(path, whole, error));
    PSB_THEN(status, psb_results_of_file(path, &s->results, &file, error));
    size_t length = file != NULL ? strlen(file) : 0;
    if (status == PSB_OK && length > begin + end && strncmp(file, folder, begin) == 0 &&
        strcmp(file + length - end, ending) == 0) {
        s->name = psb_new_text(&status, file + begin, length - begin - end, "a name", error);
        PSB_THEN(status, psb_run_read_facts(&s->results, &s->facts, error));
        /* Without a manifest nothing is known of the metric; the features have their own proof. */
        status = status == PSB_ERROR_INPUT ? PSB_OK : status;
    }
    return status;
}

psb_status psb_subject_find(const char *text, const char *name, bool whole, psb_subject *subject,
                            psb_error *error) {
    const char *part;
    PSB_FREED char *run = NULL;
    bool folder = false;
    *subject = (psb_subject){.path = NULL};
    psb_status status = psb_folder_is_there(text, &folder, error);
    if (status == PSB_OK && folder) {
        status = find_in_run(text, name, whole, subject, error);
    } else {
        PSB_THEN(status, psb_subject_split(text, &run, &part, error));
        PSB_THEN_IF(status, run != NULL && name != NULL && strcmp(name, part) != 0,
                    psb_fail(error, PSB_ERROR_USAGE, "%s names %s, and the descriptor is %s", text,
                             part, name));
        PSB_THEN(status, run != NULL ? find_in_run(run, part, whole, subject, error)
                                     : find_file(text, whole, subject, error));
    }
    return PSB_THEN(status, find_metric(subject, error));
}

psb_status psb_subject_open(const char *text, const char *name, bool whole, psb_subject *subject,
                            psb_error *error) {
    psb_status status = psb_subject_find(text, name, whole, subject, error);
    PSB_THEN(status, psb_npy_read(subject->path, &subject->rows, error));
    return PSB_THEN(status, psb_ids_of_rows(subject->path, &subject->rows, &subject->ids, error));
}

void psb_subject_close(psb_subject *subject) {
    psb_npy_close(&subject->rows);
    psb_ids_free(&subject->ids);
    psb_results_free(&subject->results);
    psb_run_facts_free(&subject->facts);
    free(subject->metric);
    free(subject->name);
    free(subject->path);
}
