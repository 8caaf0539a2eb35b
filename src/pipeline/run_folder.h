/* The folder of a run: one process at a time, no leftovers, paths. */
#ifndef PSB_PIPELINE_RUN_FOLDER_H
#define PSB_PIPELINE_RUN_FOLDER_H

#include "core/lock.h"
#include "core/text.h"
#include "pipeline/observer.h"

/*
 * Makes the folder, or refuses one that holds other things than a run (PSB_ERROR_USAGE), takes
 * RUN/.lock and removes temporary files of killed runs. PSB_ERROR_IO that names process and host
 * where another process works in it.
 */
psb_status psb_run_folder_open(const char *run, const psb_observer *observer, psb_lock *lock,
                               psb_error *error);

/* The same for a part of a run, which shares RUN/.lock with others and removes nothing. */
psb_status psb_run_folder_share(const char *run, const psb_observer *observer, psb_lock *lock,
                                psb_error *error);

/* Appends RUN/folder/name.suffix to `path` and makes the folder; `folder` may be NULL. */
psb_status psb_run_folder_path(const char *run, const char *folder, const char *name,
                               const char *suffix, psb_text *path, psb_error *error);

/* Writes the text there. */
psb_status psb_run_folder_write(const char *run, const char *folder, const char *name,
                                const char *suffix, const psb_text *content, psb_error *error);

#endif
