/* How far long work has come: a bar on a terminal, else a line a minute. */
#include "cli/frame.h"
#include "core/clock.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double bar_interval = 1.0 / 6; /* seconds */
static const double line_interval = 60;
enum { BAR_WIDTH = 20 };

static bool bar_shown;

static bool on_terminal(void) {
    const char *kind = getenv("TERM");
    return isatty(STDERR_FILENO) && kind != NULL && strcmp(kind, "dumb") != 0;
}

void cli_hide_progress(void) {
    if (bar_shown) {
        fputs("\r\033[K", stderr);
        bar_shown = false;
    }
}

void cli_progress_start(cli_progress *progress, const char *label, size_t first) {
    double now = psb_clock_wall();
    *progress = (cli_progress){label, now, now, now, first};
}

typedef struct figures {
    char text[128];
} figures;

/* "412/907  45 %  38/s  0:13 left  2 failed" */
static figures figures_of(const cli_progress *progress, double elapsed, size_t done, size_t total,
                          size_t failures) {
    char rate_text[48] = "", failed_text[32] = "";
    double here = (double)(done - progress->first);
    if (here > 0 && elapsed > 0) {
        double rate = here / elapsed;
        double left = (double)(total - done) / rate;
        unsigned long seconds = left < 1e9 ? (unsigned long)(left + 0.5) : 1000000000UL;
        int n =
            snprintf(rate_text, sizeof rate_text, rate < 10 ? "  %.2g/s  " : "  %.0f/s  ", rate);
        if (seconds >= 3600) {
            snprintf(rate_text + n, sizeof rate_text - (size_t)n, "%lu:%02lu:%02lu left",
                     seconds / 3600, seconds / 60 % 60, seconds % 60);
        } else {
            snprintf(rate_text + n, sizeof rate_text - (size_t)n, "%lu:%02lu left", seconds / 60,
                     seconds % 60);
        }
    }
    if (failures > 0) {
        snprintf(failed_text, sizeof failed_text, "  %zu failed", failures);
    }
    figures f;
    snprintf(f.text, sizeof f.text, "%zu/%zu %3.0f %%%s%s", done, total,
             100.0 * (double)done / (double)total, rate_text, failed_text);
    return f;
}

static void draw_bar(const cli_progress *progress, const char *text, size_t done, size_t total) {
    char bar[BAR_WIDTH + 1];
    size_t filled = (size_t)(BAR_WIDTH * ((double)done / (double)total));
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', filled);
    bar[BAR_WIDTH] = '\0';
    cli_hide_progress();
    fprintf(stderr, "%s [%s] %s", progress->label, bar, text);
    if (done == total) {
        fputc('\n', stderr);
    } else {
        bar_shown = true;
    }
}

void cli_progress_update(cli_progress *progress, size_t done, size_t total, size_t failures) {
    if (total == 0) {
        return;
    }
    double now = psb_clock_wall();
    bool wanted = cli_status_wanted(), terminal = on_terminal();
    bool quiet = cli_verbosity() < 0;
    bool log = now - progress->last_logged >= line_interval;
    /* The end is always shown on a terminal; elsewhere only when the work took long. */
    bool ends = done == total && (terminal || now - progress->started >= line_interval);
    bool show =
        !quiet && (ends || now - progress->last >= (terminal ? bar_interval : line_interval));
    if (!wanted && !log && !show) {
        return;
    }
    figures f = figures_of(progress, now - progress->started, done, total, failures);
    if (wanted || (show && !terminal)) {
        cli_say("%s: %s", progress->label, f.text);
        progress->last = progress->last_logged = now;
    } else if (log) {
        cli_log(CLI_INFO, "%s: %s", progress->label, f.text);
        progress->last_logged = now;
    }
    if (show && terminal) {
        flockfile(stderr);
        draw_bar(progress, f.text, done, total);
        funlockfile(stderr);
        progress->last = now;
    }
}
