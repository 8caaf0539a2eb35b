/* Messages are built once, at the place that knows file, line, value and limit. */
#include "core/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *psb_path_shown(const char *path) {
    enum { MOST = 300 };
    size_t length = strlen(path);
    const char *shown = length > MOST ? path + (length - MOST) : path;
    while (shown != path && ((unsigned char)*shown & 0xC0) == 0x80) {
        shown++; /* do not begin within a UTF-8 character */
    }
    return shown;
}

psb_status psb_fail_at(psb_error *error, psb_status status, const char *path, unsigned long line,
                       const char *format, ...) {
    if (error == NULL) {
        return status;
    }
    error->status = status;
    error->line = line;
    size_t used = 0;
    if (path != NULL) {
        const char *shown = psb_path_shown(path), *dots = shown != path ? PSB_PATH_DOTS : "";
        int n = line > 0 ? snprintf(error->message, sizeof error->message, "%s%s:%lu: ", dots,
                                    shown, line)
                         : snprintf(error->message, sizeof error->message, "%s%s: ", dots, shown);
        used = n < 0 ? 0 : (size_t)n;
        if (used >= sizeof error->message) {
            used = sizeof error->message - 1;
        }
    }
    va_list args;
    va_start(args, format);
    vsnprintf(error->message + used, sizeof error->message - used, format, args);
    va_end(args);
    return status;
}

psb_status psb_fail_errno(psb_error *error, const char *path, const char *action) {
    /* A process that runs out of memory or descriptors proves nothing about the file. */
    bool lacking = errno == ENOMEM || errno == EMFILE || errno == ENFILE || errno == EAGAIN;
    psb_status status = lacking ? PSB_ERROR_MEMORY : PSB_ERROR_IO;
    return psb_fail_at(error, status, path, 0, "cannot %s: %s", action, strerror(errno));
}

psb_status psb_within(const char *place, psb_status step, psb_error *error) {
    if (step != PSB_OK && error != NULL) {
        psb_error inner = *error;
        psb_fail_at(error, step, place, 0, "%s", inner.message);
    }
    return step;
}

psb_status psb_fail_memory(psb_error *error, const char *what, size_t bytes) {
    return psb_fail(error, PSB_ERROR_MEMORY, "out of memory: %zu bytes for %s", bytes, what);
}
