/*
 * Calls that file systems, containers and old kernels refuse although nothing is wrong, and the
 * errno values by which they do. The one list of them: whoever makes such a call asks here, and
 * then goes the other way that stands beside it.
 */
#pragma once

#include <stdbool.h>

typedef enum psb_refusable {
    PSB_REFUSED_LINK,   /* linkat: the file is written under a temporary name, or copied */
    PSB_REFUSED_RENAME, /* renameat: rename, through the folder's name in /proc */
    PSB_REFUSED_SYNC,   /* fsync, syncfs: the system writes when it likes */
    PSB_REFUSED_RESIZE, /* ftruncate: the last byte is written, or the file is made anew */
    PSB_REFUSED_LOCK,   /* flock: no lock */
    PSB_REFUSED_MAP,    /* mmap of a file: it is read */
    PSB_REFUSED_RANDOM, /* getrandom: names are drawn from clock and process */
} psb_refusable;

/* Says whether errno is such a refusal of the call; leaves errno as it is. */
bool psb_is_refused(psb_refusable call);
