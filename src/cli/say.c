/* What the program tells people, all of it on stderr, and the exit codes that go with it. */
#include "cli/frame.h"
#include "core/text.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int level;

size_t cli_terminal_columns(void) {
    struct winsize size;
    return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int cli_verbosity(void) {
    return level;
}

void cli_set_verbosity(int verbosity) {
    level = verbosity;
}

/*
 * One line by one write, so that lines of several threads or programs that share stderr do not mix;
 * the same line in the log.
 */
PSB_PRINTF(3, 0)
static void say(cli_level severity, const char *command, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    char text[4096], line[sizeof text + 100];
    vsnprintf(text, sizeof text, format, again);
    va_end(again);
    psb_text_hide_controls(text); /* names of files may have any */
    snprintf(line, sizeof line, "psbench%s%.60s: %s%s\n", command != NULL ? " " : "",
             command != NULL ? command : "", severity == CLI_WARNING ? "warning: " : "", text);
    flockfile(stderr);
    cli_log_args(severity, format, args);
    cli_hide_progress();
    fputs(line, stderr);
    funlockfile(stderr);
}

void cli_say(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(CLI_INFO, NULL, format, args);
    va_end(args);
}

void cli_warn(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(CLI_WARNING, NULL, format, args);
    va_end(args);
}

void cli_error(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(CLI_ERROR, NULL, format, args);
    va_end(args);
}

int cli_usage(const char *command, const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(CLI_ERROR, command, format, args);
    va_end(args);
    fprintf(stderr, "See 'psbench help%s%s'.\n", command != NULL ? " " : "",
            command != NULL ? command : "");
    return CLI_USAGE;
}

void cli_print_plain(const char *text) {
    char piece[256];
    while (*text != '\0') {
        size_t length = strnlen(text, sizeof piece - 1);
        /* A control character of two bytes begins with 0xC2: it is not cut in two. */
        length -= text[length] != '\0' && text[length - 1] == '\xC2';
        snprintf(piece, sizeof piece, "%.*s", (int)length, text);
        psb_text_hide_controls(piece);
        fputs(piece, stdout);
        text += length;
    }
}

static int exit_code(psb_status status) {
    switch (status) {
    case PSB_OK:
        return CLI_DONE;
    case PSB_ERROR_USAGE:
        return CLI_USAGE;
    case PSB_ERROR_INPUT:
    case PSB_ERROR_IO:
        return CLI_IO;
    case PSB_ERROR_INTERRUPTED:
        return CLI_INTERRUPTED;
    case PSB_ERROR_MEMORY:
    case PSB_ERROR_INTERNAL:
        break;
    }
    return CLI_INTERNAL;
}

int cli_report(const psb_error *error) {
    cli_error("%s", error->message);
    return exit_code(error->status);
}

int cli_finish(int code) {
    errno = 0;
    bool failed = ferror(stdout) != 0;
    failed = fflush(stdout) != 0 || failed;
    if (!failed) {
        cli_log_close(code);
        return code;
    }
    cli_error("cannot write to standard output%s%s", errno != 0 ? ": " : "",
              errno != 0 ? strerror(errno) : "");
    code = code > CLI_IO ? code : CLI_IO;
    cli_log_close(code);
    return code;
}
