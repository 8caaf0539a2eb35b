/* Writes the log file of --log: a line for each message, with time and level. */
#include "cli/frame.h"
#include "core/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static FILE *stream;
static char part[48]; /* "[3/8] ", since parts may share a log; else empty */

int cli_log_open(const char *path, const char *command_line, size_t index, size_t count) {
    stream = fopen(path, "ae");
    if (stream == NULL) {
        cli_error("%s: cannot open the log: %s", path, strerror(errno));
        return CLI_IO;
    }
    if (count > 0) {
        snprintf(part, sizeof part, "[%zu/%zu] ", index, count);
    }
    setvbuf(stream, NULL, _IOLBF, 0); /* whoever looks sees whole lines, also of a killed run */
    struct utsname system;
    cli_log(CLI_INFO, "psbench " PSB_VERSION ", process %ld on %s: %s", (long)getpid(),
            uname(&system) == 0 ? system.nodename : "an unknown host", command_line);
    return CLI_DONE;
}

void cli_log_args(cli_level level, const char *format, va_list args) {
    static const char *const names[] = {
        [CLI_INFO] = "info", [CLI_WARNING] = "warning", [CLI_ERROR] = "error"};
    if (stream == NULL) {
        return;
    }
    char text[2048], stamp[32] = "";
    vsnprintf(text, sizeof text, format, args);
    /* A message is one line of the log, whatever the names of files have in them. */
    psb_text_hide_controls(text);
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) != NULL) {
        strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    /* A disk that is full must not end the run for its log. */
    fprintf(stream, "%s %-7s %s%s\n", stamp, names[level], part, text);
}

void cli_log(cli_level level, const char *format, ...) {
    va_list args;
    va_start(args, format);
    cli_log_args(level, format, args);
    va_end(args);
}

void cli_log_close(int code) {
    if (stream == NULL) {
        return;
    }
    cli_log(CLI_INFO, "exit code %d", code);
    bool failed = ferror(stream) != 0;
    failed = fclose(stream) != 0 || failed;
    stream = NULL;
    if (failed) {
        cli_say("the log is not complete: it could not be written");
    }
}
