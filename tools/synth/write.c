/* Writes the benchmark: models, classifications, and a note that marks the folder as ours. */
#include "core/file.h"
#include "synth/classes.h"
#include "synth/synth.h"

#include <stdio.h>
#include <string.h>

static const char note_name[] = "README.txt";
static const char note_title[] = "Built-in benchmark of psbench\n";

/*
 * Writes folder/name, and makes the folders in between. Does not touch a file that already has this
 * text, so that programs that use the folder see that nothing changed.
 */
static psb_status write_text(const char *folder, const char *name, const psb_text *text,
                             psb_error *error) {
    char *path = NULL;
    psb_status status = psb_text_status(text, error);
    PSB_THEN(status, psb_path_join(&path, folder, name, error));
    if (status == PSB_OK) {
        char *slash = strrchr(path, '/');
        *slash = '\0';
        status = psb_make_folder(path, error);
        *slash = '/';
    }
    if (status == PSB_OK && !psb_holds(path, text->data, text->length)) {
        status = psb_write_file(path, text->data, text->length, error);
    }
    free(path);
    return status;
}

/* Refuses a folder that exists unless it is empty or holds our note. */
static psb_status check_folder(const char *folder, psb_error *error) {
    if (folder[0] == '\0') {
        return psb_fail(error, PSB_ERROR_USAGE, "the name of the folder to write to is empty");
    }
    bool empty = true;
    char *path = NULL;
    psb_status status = psb_folder_is_empty(folder, &empty, error);
    PSB_THEN(status, psb_path_join(&path, folder, note_name, error));
    if (status == PSB_OK && !empty) {
        psb_input note = PSB_NO_INPUT;
        size_t length = strlen(note_title);
        if (!psb_is_file(path) || psb_input_open(path, &note, NULL) != PSB_OK ||
            note.size < length || memcmp(note.data, note_title, length) != 0) {
            status = psb_fail_at(error, PSB_ERROR_USAGE, folder, 0,
                                 "the folder is not empty and holds no earlier built-in benchmark");
        }
        psb_input_close(&note);
    }
    free(path);
    return status;
}

static psb_status write_note(const char *folder, uint64_t seed, psb_error *error) {
    psb_text text = {NULL, 0, 0, false};
    psb_text_add(&text, note_title);
    psb_text_printf(&text,
                    "\n%zu generated models in %zu classes, seed %llu. They are not the models of"
                    "\nthe Princeton Shape Benchmark, only laid out like it: models in db/,"
                    "\nclassifications in classification/v1/. `psbench synth` writes this folder"
                    "\nanew as long as this file is in it.\n",
                    psb_synth_model_count(), psb_synth_class_count(), (unsigned long long)seed);
    psb_status status = write_text(folder, note_name, &text, error);
    psb_text_free(&text);
    return status;
}

static psb_status write_models(const char *folder, uint64_t seed, psb_error *error) {
    psb_text off = {NULL, 0, 0, false};
    psb_status status = PSB_OK;
    for (size_t id = 0; id < psb_synth_model_count() && status == PSB_OK; id++) {
        char name[96];
        snprintf(name, sizeof name, "db/%zu/m%zu/m%zu.off", id / 100, id, id);
        off.length = 0;
        status = psb_synth_model(seed, id, &off, error);
        PSB_THEN(status, write_text(folder, name, &off, error));
    }
    psb_text_free(&off);
    return status;
}

/* Levels 0 ... 2 are the columns `coarse` of the table of classes; BASE is its rows. */
enum { BASE = -1, LEVELS = 3 };

/* Returns whether two rows of the table belong to one class at this level. */
static bool same_class(const psb_synth_class *a, const psb_synth_class *b, int level) {
    if (level == BASE) {
        return a == b;
    }
    return a->members > 0 && b->members > 0 && strcmp(a->coarse[level], b->coarse[level]) == 0;
}

/* Returns whether a row is the first of its class at this level, and so stands for the class. */
static bool stands_for_class(const psb_synth_class *kind, int level) {
    const psb_synth_class *first = psb_synth_classes;
    while (first < kind && !same_class(first, kind, level)) {
        first++;
    }
    return first == kind && (level == BASE || kind->members > 0);
}

/* Appends a class of a .cla file: its head, then the ids of its models. */
static void add_class(psb_text *text, const psb_synth_class *kind, int level) {
    size_t count = 0;
    for (const psb_synth_class *row = psb_synth_classes; row->name != NULL; row++) {
        count += same_class(row, kind, level) ? row->members : 0;
    }
    psb_text_printf(text, "\n%s %s %zu\n", level == BASE ? kind->name : kind->coarse[level],
                    level == BASE ? kind->parent : "0", count);
    for (const psb_synth_class *row = psb_synth_classes; row->name != NULL; row++) {
        for (size_t i = 0; same_class(row, kind, level) && i < row->members; i++) {
            psb_text_printf(text, "%zu\n", psb_synth_id_of(row, i));
        }
    }
}

static psb_status write_classification(const char *folder, int level, psb_error *error) {
    size_t nclasses = 0;
    for (const psb_synth_class *kind = psb_synth_classes; kind->name != NULL; kind++) {
        nclasses += stands_for_class(kind, level);
    }
    psb_text text = {NULL, 0, 0, false};
    psb_text_printf(&text, "PSB 1\n%zu %zu\n", nclasses, psb_synth_model_count());
    for (const psb_synth_class *kind = psb_synth_classes; kind->name != NULL; kind++) {
        if (stands_for_class(kind, level)) {
            add_class(&text, kind, level);
        }
    }
    char name[64] = "classification/v1/base/test.cla";
    if (level != BASE) {
        snprintf(name, sizeof name, "classification/v1/coarse%d/coarse%dTest.cla", level + 1,
                 level + 1);
    }
    psb_status status = write_text(folder, name, &text, error);
    psb_text_free(&text);
    return status;
}

psb_status psb_synth_write(const char *folder, uint64_t seed, psb_error *error) {
    psb_status status = check_folder(folder, error);
    PSB_THEN(status, write_note(folder, seed, error));
    bool gathered = psb_outputs_gather(true); /* each is compared before it is used again */
    PSB_THEN(status, write_models(folder, seed, error));
    for (int level = BASE; level < LEVELS && status == PSB_OK; level++) {
        status = write_classification(folder, level, error);
    }
    psb_outputs_gather(gathered);
    return PSB_THEN(status, psb_force_to_disk(folder, error));
}
