/*
 * The ledger of a run: what the folder is for, and which output was made from what, by which
 * command, with which bytes. By it a run skips a stage whose outputs are there for the same inputs,
 * and a reader tells results from what is stale or damaged.
 *
 * RUN/provenance.tsv is text; each line ends in a tab and the XXH64 of the line so far, and one
 * that does not fit its own hash counts as absent. Fields, separated by tabs:
 *
 *   list     hash of the models listed, their number, the set in use, the classification's path
 *   model    hash of the name of a model in use, XXH64 of its file; for a few of them
 *   command  hash of a command line, the command line
 *   file     name below RUN, hash of all that it depends on, size, time of last change, XXH64, two
 *            costs, the set that it is about, hash of its command line, hash of a sample
 *   next     name of a file that is being replaced, XXH64 of what it becomes
 *   part     name of a file, name of another one that it was made of, XXH64 of that one then
 *
 * A set is the models in use with their classes, order and files, as a hash.
 */
#ifndef PSB_PROOF_LEDGER_H
#define PSB_PROOF_LEDGER_H

#include "core/text.h"
#include "proof/stamp.h"

typedef struct psb_ledger_entry {
    char *name; /* "matrices/SHD.matrix" */
    uint64_t key;
    psb_stamp stamp;
    double wall_seconds, cpu_seconds; /* that it took to compute */
    uint64_t set, command;
    uint64_t sample; /* of files that are not read whole to check them; else 0 */
    uint64_t next;   /* XXH64 of the bytes that are about to replace it; else 0 */
} psb_ledger_entry;

/* What a folder is for. */
typedef struct psb_ledger_list {
    uint64_t hash;  /* psb_dataset.list */
    uint64_t count; /* models listed; 0 where it is not known */
    uint64_t set;   /* in use, of the last run */
    char *classification;
} psb_ledger_list;

/* A model in use, as hashes of its name and of its file. */
typedef struct psb_ledger_model {
    uint64_t name, file;
} psb_ledger_model;
enum { PSB_LEDGER_MODELS = 16 };

/* What a file was made of, where that are other files of the run. */
typedef struct psb_ledger_part {
    char *whole, *name;
    uint64_t hash;
} psb_ledger_part;

typedef struct psb_ledger_command {
    uint64_t hash;
    char *text;
} psb_ledger_command;

typedef struct psb_ledger {
    char *run, *path;
    bool verify;
    bool changed;                    /* anything came since it was read or written */
    size_t count, capacity, damaged; /* damaged: lines that were not understood */
    psb_ledger_entry *entries;
    psb_ledger_list list;
    psb_ledger_model models[PSB_LEDGER_MODELS]; /* some of the set, to tell its files from others */
    size_t nmodels;
    uint64_t command; /* of what is entered from now on */
    size_t ncommands, commands_capacity;
    psb_ledger_command *commands;
    size_t nparts, parts_capacity;
    psb_ledger_part *parts;
} psb_ledger;

/* Reads the ledger of a folder, which may have none. PSB_ERROR_INPUT for one of version 0.1.0. Free
   it also on failure. */
psb_status psb_ledger_open(const char *run, bool verify, psb_ledger *ledger, psb_error *error);

/*
 * What a ledger's text says, added to the ledger. Takes any bytes; PSB_ERROR_MEMORY is its only
 * failure. No name leads out of the folder.
 */
psb_status psb_ledger_parse(const char *data, size_t size, psb_ledger *ledger, psb_error *error);

/* From now on the folder is for this list, of which copies are made, and work is this command's. */
psb_status psb_ledger_begin(psb_ledger *ledger, const psb_ledger_list *list,
                            const char *command_line, psb_error *error);

/* From now on entries are about this set. */
void psb_ledger_use(psb_ledger *ledger, uint64_t set);

/*
 * *current becomes the entry of a file that was made for this key and is as it was then; else NULL.
 * *altered says that it was made for this key but is there with other bytes. A file that cannot be
 * looked at is an error, and neither.
 */
psb_status psb_ledger_current(psb_ledger *ledger, const char *name, uint64_t key,
                              const psb_ledger_entry **current, bool *altered, psb_error *error);

/* Enters a file that was just written, in the place of an older entry. */
psb_status psb_ledger_enter(psb_ledger *ledger, const char *name, uint64_t key, double wall_seconds,
                            double cpu_seconds, psb_error *error);

/* The file `whole` was made of the file `name` as it is entered now, and of that one's parts. */
psb_status psb_ledger_enter_part(psb_ledger *ledger, const char *whole, const char *name,
                                 psb_error *error);
/* Whether a file has such parts, and whether all of them are entered as they were. */
bool psb_ledger_has_parts(const psb_ledger *ledger, const char *whole);
bool psb_ledger_parts_hold(const psb_ledger *ledger, const char *whole);

/* The path of RUN/name, whose folder is made, as a step of psb_new's kind; free() it. */
char *psb_ledger_file(psb_status *status, const psb_ledger *ledger, const char *name,
                      psb_error *error);

/* Writes a text to RUN/name and enters it. */
psb_status psb_ledger_save(psb_ledger *ledger, const char *name, const psb_text *text,
                           psb_error *error);

/*
 * The same for a file that is entered, was proved, and is needed by whoever goes on behind a killed
 * command: the ledger is written before, so that at no moment it has neither the old bytes nor the
 * new.
 */
psb_status psb_ledger_replace(psb_ledger *ledger, const char *name, const psb_text *text,
                              psb_error *error);

/* NULL where there is none. */
const psb_ledger_entry *psb_ledger_find(const psb_ledger *ledger, const char *name);

/* The command line that made an entry; NULL where it is not known. */
const char *psb_ledger_command_of(const psb_ledger *ledger, const psb_ledger_entry *entry);

/*
 * Whether RUN/name is there with the bytes that were entered: larger files by size and a sample, or
 * whole. PSB_ERROR_IO and PSB_ERROR_MEMORY where the machine does not let it be seen, which says
 * nothing of the file.
 */
typedef enum psb_kept { PSB_KEPT_ABSENT, PSB_KEPT_SAME, PSB_KEPT_CHANGED } psb_kept;
psb_status psb_ledger_look(const psb_ledger *ledger, const psb_ledger_entry *entry, bool whole,
                           psb_kept *kept, psb_error *error);

/*
 * Whether a model's file is the one that results were made from; only some models are known, see
 * psb_ledger.models. PSB_ERROR_IO or PSB_ERROR_MEMORY where the file cannot be looked at.
 */
typedef enum psb_model_state { PSB_MODEL_UNKNOWN, PSB_MODEL_SAME, PSB_MODEL_OTHER } psb_model_state;
psb_status psb_ledger_model_state(const psb_ledger *ledger, const psb_archive *archive,
                                  const char *id, const char *path, psb_model_state *state,
                                  psb_error *error);

/* A hash of the bytes of all that pages are made from: models.cla, matrices, the table. */
uint64_t psb_ledger_digest(const psb_ledger *ledger);

/* Forgets a file that was removed. */
void psb_ledger_forget(psb_ledger *ledger, const char *name);

/* Removes every file that is entered, and the entries. */
psb_status psb_ledger_remove_files(psb_ledger *ledger, psb_error *error);

/* Writes RUN/provenance.tsv where anything changed. */
psb_status psb_ledger_write(psb_ledger *ledger, psb_error *error);
void psb_ledger_free(psb_ledger *ledger);

#endif
