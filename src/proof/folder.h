/*
 * The folder of a run at work: makes and locks it, so that one process works in it at a time, and
 * removes what killed ones left.
 */
#ifndef PSB_PROOF_FOLDER_H
#define PSB_PROOF_FOLDER_H

#include "core/lock.h"
#include "core/observer.h"

/*
 * Makes the folder, or refuses one that holds other things than a run (PSB_ERROR_USAGE), takes
 * RUN/.lock and removes temporary files of killed runs. If another process holds the lock,
 * PSB_ERROR_IO names process and host.
 */
psb_status psb_run_folder_open(const char *run, const psb_observer *observer, psb_lock *lock,
                               psb_error *error);

/* The same for one part of a run, which shares RUN/.lock with other parts and removes nothing. */
psb_status psb_run_folder_share(const char *run, const psb_observer *observer, psb_lock *lock,
                                psb_error *error);

#endif
