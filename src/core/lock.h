/* A lock file: one process at a time works in a folder. */
#ifndef PSB_CORE_LOCK_H
#define PSB_CORE_LOCK_H

#include "psbench.h"

#include <stdbool.h>

/* Starts as PSB_LOCK_NONE. */
typedef struct psb_lock {
    int fd;
    int held;         /* its folder, core/beneath.h */
    bool stale;       /* the last holder ended without letting go */
    bool unsupported; /* the file system knows no locks: nothing keeps a second process out */
    char holder[128]; /* of a stale lock: "process 4711 on host" */
} psb_lock;

#define PSB_LOCK_NONE ((psb_lock){-1, 0, false, false, ""})

/*
 * Takes the lock `path` (the file is made and stays) by flock, which the system gives up when the
 * process ends in whatever way; process number and host are written into the file for people.
 * PSB_ERROR_IO that names both where another process has it. What is left in a free lock file was
 * written by a process that was killed: `stale` and `holder` tell. A link, and a file that holds
 * anything else, are refused and stay as they are. While the lock is there, its folder is held
 * (core/beneath.h): nothing below that is written through a link.
 */
psb_status psb_lock_take(const char *path, psb_lock *lock, psb_error *error);

/* As psb_lock_take, but several processes may share it, while nobody takes it alone. */
psb_status psb_lock_share(const char *path, psb_lock *lock, psb_error *error);

/* Whether a process has taken the lock alone; then its name is in `holder`, else that stays. */
bool psb_lock_is_taken(const char *path, char holder[128]);

/*
 * Whether the folder may be written to: it is new, empty, or holds one of the files `marks` (ends
 * with NULL) that tell who wrote it. Else PSB_ERROR_USAGE.
 */
psb_status psb_lock_check_folder(const char *folder, const char *const *marks, psb_error *error);

/* Checks that, makes the folder and takes the lock marks[0] in it. */
psb_status psb_lock_take_folder(const char *folder, const char *const *marks, psb_lock *lock,
                                psb_error *error);

/* Empties the file and lets go. */
void psb_lock_release(psb_lock *lock);

#endif
