/* Sets a psb_error, which is the library's only way to report a failure. */
#pragma once

#include "psbench.h"

#define PSB_PRINTF(format_index, first_arg) __attribute__((format(printf, format_index, first_arg)))

/* Marks a parameter that a function has only because all of its kind have it. */
#define PSB_UNUSED __attribute__((unused))

/* Fails by an input file: the message is "path:line: ...", or "path: ..." for line 0. Returns
 * `status`, so that callers can write `return psb_fail_at(...)`. `error` may be NULL. */
psb_status psb_fail_at(psb_error *error, psb_status status, const char *path, unsigned long line,
                       const char *format, ...) PSB_PRINTF(5, 6);
/* The same without a file. */
#define psb_fail(error, status, ...) psb_fail_at((error), (status), NULL, 0, __VA_ARGS__)

/* Returns the part of a path that a message shows, so that the reason after it is not cut off: all
 * of it or, if it is long, its end. The message puts PSB_PATH_DOTS before a shortened path. */
#define PSB_PATH_DOTS "..."
const char *psb_path_shown(const char *path);

/* Reports "path: cannot <action>: <strerror>" for the errno at the call. The status is
 * PSB_ERROR_IO, or PSB_ERROR_MEMORY if memory, file descriptors or processes ran out. */
psb_status psb_fail_errno(psb_error *error, const char *path, const char *action);

/*
 * True if a failure follows from the bytes that were read, and so is the same on every machine.
 * Only such a failure leaves a model out of a set. Failures by memory, disks, permissions or
 * interruption say nothing about a model and end the work; otherwise results would depend on them.
 */
static inline bool psb_is_of_bytes(psb_status status) {
    return status == PSB_ERROR_INPUT || status == PSB_ERROR_INTERNAL;
}

/* Chains steps that may fail: evaluates `step` only if `status` is PSB_OK, so `status` keeps the
 * first failure. The code after the last step frees what must be freed. */
#define PSB_THEN(status, step) ((status) = (status) == PSB_OK ? (step) : (status))
/* The same for a step that is taken only if `condition` holds, which is looked at only if all went
 * well so far. */
#define PSB_THEN_IF(status, condition, step)                                                       \
    ((status) = (status) == PSB_OK && (condition) ? (step) : (status))

/*
 * Wraps a step that does not know its file: if the step failed, puts "place: " before the message
 * in `error` (`place`: the file's path, or whatever else the reader should know first). Returns
 * `step`.
 */
psb_status psb_within(const char *place, psb_status step, psb_error *error);

psb_status psb_fail_memory(psb_error *error, const char *what, size_t bytes);
