/*
 * How far a run is: which rows are in RUN/work and in the folders of parts. Only looks, also while
 * they are at work.
 */
#ifndef PSB_RUN_STATUS_H
#define PSB_RUN_STATUS_H

#include "run/parts.h"

typedef enum psb_part_state {
    PSB_PART_WHOLE,       /* every row is there, or its model is listed as failed */
    PSB_PART_AT_WORK,     /* a process has its lock */
    PSB_PART_STOPPED,     /* rows are missing, and nobody is at work */
    PSB_PART_NEVER_BEGUN, /* another part of the same number has left something, this one nothing */
} psb_part_state;

/* One descriptor in the whole run (a count of parts of 0), or in one part. */
typedef struct psb_status_line {
    const char *descriptor; /* as its files are called; the status's */
    psb_part part;
    size_t there, failed, missing;
    size_t older; /* rows that another revision of the descriptor made: they are not there */
    psb_part_state state;
    char holder[128]; /* at work: "process 4711 on host" */
} psb_status_line;

typedef struct psb_run_status {
    size_t listed; /* models; 0: nothing says how many */
    size_t nlines;
    psb_status_line *lines; /* of each descriptor the whole run, then its parts */
    char **descriptors;     /* by name */
    size_t ndescriptors, descriptors_room;
} psb_run_status;

/* PSB_ERROR_IO where `run` has no folder of rows. Rows of another revision are not there. */
psb_status psb_run_status_read(const char *run, psb_run_status *status, psb_error *error);
void psb_run_status_free(psb_run_status *status);

#endif
