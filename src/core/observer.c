/* Sends lines of text and the stages of a run to an observer. */
#include "core/observer.h"

#include <stdarg.h>
#include <stdio.h>

int psb_stage_progress(size_t done, size_t total, void *context) {
    psb_stage *stage = context;
    const psb_observer *o = stage->observer;
    stage->done = stage->before + done;
    return o != NULL && o->progress != NULL ? o->progress(o->context, stage->name, stage->done,
                                                          stage->before + total, stage->failures)
                                            : 0;
}

void psb_observer_say(const psb_observer *observer, psb_level level, const char *format, ...) {
    if (observer == NULL || observer->say == NULL) {
        return;
    }
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    observer->say(observer->context, level, line);
}

void psb_observer_fail(const psb_observer *observer, const char *format, ...) {
    psb_error error = {.status = PSB_ERROR_INPUT};
    if (observer == NULL || observer->failed == NULL) {
        return;
    }
    va_list args;
    va_start(args, format);
    vsnprintf(error.message, sizeof error.message, format, args);
    va_end(args);
    observer->failed(observer->context, &error);
}

void psb_observer_left_out(const psb_observer *observer, const char *folder, const char *name,
                           const char *why) {
    psb_observer_fail(observer, "%s/%s: left out: %s", psb_path_shown(folder), name, why);
}

void psb_alike_add(psb_alike *alike, size_t item, const psb_error *error) {
    if (alike->count++ == 0 || item < alike->first) {
        alike->first = item;
        alike->error = *error;
    }
}

void psb_alike_say(const psb_alike *alike, const psb_observer *observer, const char *what) {
    if (alike->count > 0 && observer != NULL && observer->failed != NULL) {
        observer->failed(observer->context, &alike->error);
    }
    if (alike->count > 1) {
        psb_observer_say(observer, PSB_WARNING, "and %zu more %s failed likewise", alike->count - 1,
                         what);
    }
}
