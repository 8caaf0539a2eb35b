/*
 * The ledger of a run, RUN/provenance.tsv, says which set of models the folder is for and, for each
 * file in it, from which inputs, by which command and with which bytes it was made. A run skips a
 * stage whose outputs have the same key; a reader tells good results from stale and damaged ones.
 *
 * Runs may be killed at any byte and folders edited by anybody. So each line ends in a tab and the
 * XXH64 of the line so far, and a line with a wrong hash counts as absent. Fields are separated by
 * tabs:
 *
 *   list     hash of the models listed, their number, the set in use, the classification's path
 *   model    hash of the name of a model in use, XXH64 of its file; for a sample of them
 *   command  hash of a command line, the command line
 *   file     name below RUN, hash of all that the file depends on, size, time of last change,
 *            XXH64, two costs, set of models, hash of its command line, hash of a sample of its
 *            bytes
 *   next     name of a file that is being replaced, XXH64 of its new bytes
 *   part     name of a file, name of another that it was made of, XXH64 the other then had
 *
 * A set is the hash of the models in use with their classes, order and files.
 */
#pragma once

#include "core/text.h"
#include "proof/stamp.h"

typedef struct psb_ledger_entry {
    char *name; /* "matrices/SHD.matrix" */
    uint64_t key;
    psb_stamp stamp;
    double wall_seconds, cpu_seconds; /* spent on computing the file */
    uint64_t set, command;
    uint64_t sample; /* hash of a sample, if the file is too large to read for a check; else 0 */
    uint64_t next;   /* XXH64 of the bytes that will replace the file's; 0: none */
} psb_ledger_entry;

/* The list of models that a folder is for. */
typedef struct psb_ledger_list {
    uint64_t hash;  /* psb_dataset.list */
    uint64_t count; /* models listed; 0: unknown */
    uint64_t set;   /* the set in use in the last run */
    char *classification;
} psb_ledger_list;

/* A model in use, as hashes of its name and of its file. */
typedef struct psb_ledger_model {
    uint64_t name, file;
} psb_ledger_model;
enum { PSB_LEDGER_MODELS = 16 };

/* A file `whole` was made from the run's file `name`, which then had this hash. */
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
    bool changed;                    /* the table differs from provenance.tsv */
    double written;                  /* psb_clock_wall() of the last write; 0: none yet */
    size_t count, capacity, damaged; /* damaged: lines with a wrong hash or form */
    psb_ledger_entry *entries;
    psb_ledger_list list;
    psb_ledger_model models[PSB_LEDGER_MODELS]; /* a sample of the set, which tells its files from
                                                   another data set's */
    size_t nmodels;
    uint64_t command; /* hash of the command line for files entered from now on */
    size_t ncommands, commands_capacity;
    psb_ledger_command *commands;
    size_t nparts, parts_capacity;
    psb_ledger_part *parts;
} psb_ledger;

/*
 * Reads the ledger of a folder; a folder may have none. PSB_ERROR_INPUT for a folder of version
 * 0.1.0. Free the ledger also on failure.
 */
psb_status psb_ledger_open(const char *run, bool verify, psb_ledger *ledger, psb_error *error);

/*
 * Adds the entries of a ledger's text to the ledger. Takes any bytes; fails only with
 * PSB_ERROR_MEMORY. Names that lead out of the folder are ignored.
 */
psb_status psb_ledger_parse(const char *data, size_t size, psb_ledger *ledger, psb_error *error);

/*
 * Makes this list, which is copied, the folder's, and this command that of all files entered from
 * now on.
 */
psb_status psb_ledger_begin(psb_ledger *ledger, const psb_ledger_list *list,
                            const char *command_line, psb_error *error);

/* Makes `set` the set of all files entered from now on. */
void psb_ledger_use(psb_ledger *ledger, uint64_t set);

/*
 * Sets *current to the entry of a file that was made for this key and still has its bytes, and
 * enters it for the present set and command; else to NULL. *altered becomes whether the file was
 * made for this key but has other bytes now. A file that cannot be examined is an error.
 */
psb_status psb_ledger_current(psb_ledger *ledger, const char *name, uint64_t key,
                              const psb_ledger_entry **current, bool *altered, psb_error *error);

/* Enters a file that was just written, replacing an older entry. */
psb_status psb_ledger_enter(psb_ledger *ledger, const char *name, uint64_t key, double wall_seconds,
                            double cpu_seconds, psb_error *error);

/*
 * Notes that the file `whole` was made from the file `name` as entered now, and from the parts of
 * `name`.
 */
psb_status psb_ledger_enter_part(psb_ledger *ledger, const char *whole, const char *name,
                                 psb_error *error);
/* Return whether a file has parts, and whether all of them are still entered, for the set in use,
 * with the bytes that the file was made from. */
bool psb_ledger_has_parts(const psb_ledger *ledger, const char *whole);
bool psb_ledger_parts_hold(const psb_ledger *ledger, const char *whole);

/* Makes the folder of RUN/name and returns the path, to be freed; does nothing, as psb_new does,
 * if *status is an error. */
char *psb_ledger_file(psb_status *status, const psb_ledger *ledger, const char *name,
                      psb_error *error);

/* Writes a text to RUN/name and enters it. */
psb_status psb_ledger_save(psb_ledger *ledger, const char *name, const psb_text *text,
                           psb_error *error);

/*
 * Replaces a file that is already entered and that a later command needs if this one is killed. The
 * ledger is written first with both hashes, so at every moment it proves either the old bytes or
 * the new ones.
 */
psb_status psb_ledger_replace(psb_ledger *ledger, const char *name, const psb_text *text,
                              psb_error *error);

/* Returns the entry of a file, or NULL. */
const psb_ledger_entry *psb_ledger_find(const psb_ledger *ledger, const char *name);

/* Returns the command line that made an entry; NULL: unknown. */
const char *psb_ledger_command_of(const psb_ledger *ledger, const psb_ledger_entry *entry);

/*
 * Checks whether the entry's file has the bytes that were entered. A large file with its old time
 * is checked by size and a sample, unless `whole`. PSB_ERROR_IO and PSB_ERROR_MEMORY mean that the
 * file could not be examined, and say nothing about it.
 */
typedef enum psb_kept { PSB_KEPT_ABSENT, PSB_KEPT_SAME, PSB_KEPT_CHANGED } psb_kept;
psb_status psb_ledger_look(const psb_ledger *ledger, const psb_ledger_entry *entry, bool whole,
                           psb_kept *kept, psb_error *error);

/*
 * Checks whether a model's file is the one that results were made from. Only the sample
 * psb_ledger.models is known. PSB_ERROR_IO or PSB_ERROR_MEMORY if the file cannot be examined.
 */
typedef enum psb_model_state { PSB_MODEL_UNKNOWN, PSB_MODEL_SAME, PSB_MODEL_OTHER } psb_model_state;
psb_status psb_ledger_model_state(const psb_ledger *ledger, const psb_archive *archive,
                                  const char *id, const char *path, psb_model_state *state,
                                  psb_error *error);

/* Returns a hash of the bytes that pages are made from: models.cla, matrices, the tables. */
uint64_t psb_ledger_digest(const psb_ledger *ledger);

/* Removes the entry of a file that was removed. */
void psb_ledger_forget(psb_ledger *ledger, const char *name);

/* Removes all entered files and their entries. */
psb_status psb_ledger_remove_files(psb_ledger *ledger, psb_error *error);

/*
 * Writes RUN/provenance.tsv if anything changed, after forcing the entered files, which may be
 * gathered (core/file.h), to the disk. psb_ledger_write_in_time writes only if the last write is
 * more than PSB_LEDGER_SECONDS ago, so that a killed process loses no more than the files of that
 * time.
 */
enum { PSB_LEDGER_SECONDS = 5 };
psb_status psb_ledger_write(psb_ledger *ledger, psb_error *error);
psb_status psb_ledger_write_in_time(psb_ledger *ledger, psb_error *error);
void psb_ledger_free(psb_ledger *ledger);
