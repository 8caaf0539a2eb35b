/* Lines of text for an observer. */
#include "pipeline/observer.h"

#include <stdarg.h>
#include <stdio.h>

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
