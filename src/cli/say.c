/* Prints messages on stderr and names on stdout, and makes exit codes of the library's statuses. */
#include "cli/frame.h"
#include "core/number.h"
#include "core/text.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int level;

size_t cli_terminal_columns(void) {
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    int64_t wanted;
    if (!isatty(STDOUT_FILENO)) {
        return 0;
    }
    if (columns != NULL && psb_parse_int64(columns, &wanted) && wanted > 0 && wanted < 10000) {
        return (size_t)wanted;
    }
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* True for terminals that have colors, unless the user wants none: no-color.org. */
static bool is_coloured(int descriptor) {
    const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");
    return isatty(descriptor) && (none == NULL || none[0] == '\0') && kind != NULL &&
           strcmp(kind, "dumb") != 0;
}

const char *cli_shown_format(const char *format, char shown[CLI_SHOWN_FORMAT]) {
    size_t columns = cli_terminal_columns();
    if (columns == 0 || (format != NULL && strcmp(format, "txt") != 0)) {
        return format;
    }
    snprintf(shown, CLI_SHOWN_FORMAT, "txt:%zu%s", columns,
             is_coloured(STDOUT_FILENO) ? ":best" : "");
    return shown;
}

int cli_verbosity(void) {
    return level;
}

void cli_set_verbosity(int verbosity) {
    level = verbosity;
}

/*
 * Writes a line by one write, so that lines of several threads or programs that share stderr do not
 * mix, and the same line to the log.
 */
PSB_PRINTF(3, 0)
static void say(cli_level severity, const char *command, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    char text[4096], line[sizeof text + 100];
    vsnprintf(text, sizeof text, format, again);
    va_end(again);
    psb_text_hide_controls(text); /* names of files may have any */
    const bool coloured = severity != CLI_INFO && is_coloured(STDERR_FILENO);
    const char *on = !coloured ? "" : severity == CLI_ERROR ? "\033[1;31m" : "\033[1;33m";
    snprintf(line, sizeof line, "%spsbench%s%.60s:%s%s%s\n", on, command != NULL ? " " : "",
             command != NULL ? command : "", severity == CLI_WARNING ? " warning:" : "",
             coloured ? "\033[m " : " ", text);
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
