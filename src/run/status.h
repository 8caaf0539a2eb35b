/* How far a run is: which rows are in RUN/work and in the folders of parts. Only reads, even while
 * they are at work. */
#pragma once

#include "run/parts.h"

typedef enum psb_part_state {
    PSB_PART_WHOLE,       /* every row exists, or its model is listed as failed */
    PSB_PART_AT_WORK,     /* a process holds the part's lock */
    PSB_PART_STOPPED,     /* rows are missing, and no process is at work */
    PSB_PART_NEVER_BEGUN, /* left nothing, although another part of the same division did */
} psb_part_state;

/* One descriptor in the whole run (part.count is 0), or in one part. */
typedef struct psb_status_line {
    const char *descriptor; /* as in its file names; text of psb_run_status */
    psb_part part;
    size_t there, failed, missing;
    size_t older; /* rows that another revision of the descriptor made; not in `there` */
    psb_part_state state;
    char holder[128]; /* the process at work: "process 4711 on host" */
} psb_status_line;

typedef struct psb_run_status {
    size_t listed; /* number of models; 0: unknown */
    size_t nlines;
    psb_status_line *lines; /* for each descriptor the whole run, then its parts */
    char **failed;          /* models that could not be used, by name */
    size_t nfailed, failed_room;
    char **without_file; /* models that were listed, but have no file */
    size_t nwithout_file, without_file_room;
    char **descriptors; /* sorted by name */
    size_t ndescriptors, descriptors_room;
} psb_run_status;

/* PSB_ERROR_IO if `run` has no folder of rows. Rows of another revision do not count; `added` has
 * descriptors that are not built in, or is NULL. */
psb_status psb_run_status_read(const psb_added *added, const char *run, psb_run_status *status,
                               psb_error *error);
void psb_run_status_free(psb_run_status *status);
