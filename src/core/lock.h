/* A lock file lets one process at a time work in a folder. */
#pragma once

#include "psbench.h"

/* Initialize with PSB_LOCK_NONE. */
typedef struct psb_lock {
    int fd;
    int held;         /* the held folder of the lock, see core/beneath.h */
    bool stale;       /* the last holder ended without releasing the lock */
    bool unsupported; /* the file system has no locks: nothing keeps a second process out */
    char holder[128]; /* who left a stale lock: "process 4711 on host" */
} psb_lock;

#define PSB_LOCK_NONE ((psb_lock){-1, 0, false, false, ""})

/*
 * Takes the lock `path` by flock, which the system releases when the process ends in any way. The
 * file is made and stays; process number and host are written into it for people. If another
 * process holds the lock: PSB_ERROR_IO, and the message names process and host. Text in a free lock
 * file was left by a killed process: `stale` and `holder` report it. A link, and a file with any
 * other contents, are refused and not changed. While the lock is held, its folder is held too
 * (core/beneath.h): nothing below it is written through a link.
 */
psb_status psb_lock_take(const char *path, psb_lock *lock, psb_error *error);

/* Like psb_lock_take, but several processes may share the lock while nobody holds it alone. */
psb_status psb_lock_share(const char *path, psb_lock *lock, psb_error *error);

/* True if a process holds the lock exclusively; then sets `holder` to its name, else leaves it. */
bool psb_lock_is_taken(const char *path, char holder[128]);

/*
 * Checks that the folder may be written to: it is new, empty, or holds one of the files `marks`
 * (ends with NULL), which show who wrote it. Else PSB_ERROR_USAGE.
 */
psb_status psb_lock_check_folder(const char *folder, const char *const *marks, psb_error *error);

/* Checks the folder as psb_lock_check_folder does, makes it, and takes the lock marks[0] in it. */
psb_status psb_lock_take_folder(const char *folder, const char *const *marks, psb_lock *lock,
                                psb_error *error);

/* Empties the file and releases the lock. */
void psb_lock_release(psb_lock *lock);
