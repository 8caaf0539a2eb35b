/* The folder of a run: one process at a time, no leftovers. */
#ifndef PSB_PROOF_FOLDER_H
#define PSB_PROOF_FOLDER_H

#include "core/lock.h"
#include "core/observer.h"

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

#endif
