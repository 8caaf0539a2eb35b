/* Sets a psb_error: the only way in which this library reports a failure. */
#ifndef PSB_CORE_ERROR_H
#define PSB_CORE_ERROR_H

#include "psbench.h"

#include <stdbool.h>

#if defined(__GNUC__)
#define PSB_PRINTF(format_index, first_arg) __attribute__((format(printf, format_index, first_arg)))
#else
#define PSB_PRINTF(format_index, first_arg)
#endif

/* Each returns `status` so that a caller can write `return psb_fail(...)`. `error` may be NULL. */
psb_status psb_fail(psb_error *error, psb_status status, const char *format, ...) PSB_PRINTF(3, 4);

/* The same for an input file: the message becomes "path:line: ...", or "path: ..." for line 0. */
psb_status psb_fail_at(psb_error *error, psb_status status, const char *path, unsigned long line,
                       const char *format, ...) PSB_PRINTF(5, 6);

/*
 * The part of a path that messages show, so that the reason behind it is not cut off: all of it or,
 * for a long path, PSB_PATH_DOTS and its end.
 */
#define PSB_PATH_DOTS "..."
const char *psb_path_shown(const char *path);

/*
 * "path: cannot <action>: <strerror>", from the errno at the call: status PSB_ERROR_IO, or
 * PSB_ERROR_MEMORY where memory, file descriptors or processes ran out.
 */
psb_status psb_fail_errno(psb_error *error, const char *path, const char *action);

/*
 * Whether a failure follows from the bytes that were read, and so is the same on every machine.
 * Only such a failure leaves a model out of a set. Failures by memory, disks, permissions or
 * interruption say nothing about a model and end the work; otherwise results would depend on them.
 */
static inline bool psb_is_of_bytes(psb_status status) {
    return status == PSB_ERROR_INPUT || status == PSB_ERROR_INTERNAL;
}

/*
 * Chains steps that may fail: takes a step only if all went well so far; `status` keeps the first
 * failure. The code behind the last step frees what must be freed.
 */
#define PSB_THEN(status, step) ((status) = (status) == PSB_OK ? (step) : (status))

/*
 * For a step that does not know its file: if it failed, puts "place: " before its message in
 * `error`. The place is the file's path, or whatever else the reader should know first. Returns the
 * status.
 */
psb_status psb_within(const char *place, psb_status step, psb_error *error);

psb_status psb_fail_memory(psb_error *error, const char *what, size_t bytes);

#endif
