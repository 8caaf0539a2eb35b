/*
 * Makes and locks the folder of a run, so that one process works in it at a time, and removes the
 * temporary files of killed processes.
 */
#pragma once

#include "core/lock.h"
#include "core/observer.h"

/*
 * Makes the folder unless it is there, refuses one that holds files but no run (PSB_ERROR_USAGE),
 * takes RUN/.lock and removes temporary files of killed runs. If another process holds the lock,
 * PSB_ERROR_IO names process and host.
 */
psb_status psb_run_folder_open(const char *run, const psb_observer *observer, psb_lock *lock,
                               psb_error *error);

/* Does the same for one part of a run, which shares RUN/.lock with other parts, and removes
 * nothing.
 */
psb_status psb_run_folder_share(const char *run, const psb_observer *observer, psb_lock *lock,
                                psb_error *error);
