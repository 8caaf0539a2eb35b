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

void cli_progress_start(cli_progress *progress, const char *label) {
    double now = psb_clock_wall();
    *progress = (cli_progress){.label = label, .started = now, .last = now};
}

/* "412/907  45 %  38.2/s  0:13 left  2 failed" */
static void print_figures(double elapsed, size_t done, size_t total, size_t failures) {
    fprintf(stderr, "%zu/%zu %3.0f %%", done, total, 100.0 * (double)done / (double)total);
    if (done > 0 && elapsed > 0) {
        double rate = (double)done / elapsed;
        double left = (double)(total - done) / rate;
        unsigned long seconds = left < 1e9 ? (unsigned long)(left + 0.5) : 1000000000UL;
        fprintf(stderr, rate < 10 ? "  %.2g/s  " : "  %.0f/s  ", rate);
        if (seconds >= 3600) {
            fprintf(stderr, "%lu:%02lu:%02lu left", seconds / 3600, seconds / 60 % 60,
                    seconds % 60);
        } else {
            fprintf(stderr, "%lu:%02lu left", seconds / 60, seconds % 60);
        }
    }
    if (failures > 0) {
        fprintf(stderr, "  %zu failed", failures);
    }
}

static void draw_bar(const cli_progress *progress, double elapsed, size_t done, size_t total,
                     size_t failures) {
    char bar[BAR_WIDTH + 1];
    size_t filled = (size_t)(BAR_WIDTH * ((double)done / (double)total));
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', filled);
    bar[BAR_WIDTH] = '\0';
    cli_hide_progress();
    fprintf(stderr, "%s [%s] ", progress->label, bar);
    print_figures(elapsed, done, total, failures);
    if (done == total) {
        fputc('\n', stderr);
    } else {
        bar_shown = true;
    }
}

void cli_progress_update(cli_progress *progress, size_t done, size_t total, size_t failures) {
    if (cli_verbosity() < 0 || total == 0) {
        return;
    }
    bool terminal = on_terminal();
    double now = psb_clock_wall();
    /* The end is always shown on a terminal; elsewhere only when the work took long. */
    bool ends = done == total && (terminal || now - progress->started >= line_interval);
    if (!ends && now - progress->last < (terminal ? bar_interval : line_interval)) {
        return;
    }
    progress->last = now;
    flockfile(stderr);
    if (terminal) {
        draw_bar(progress, now - progress->started, done, total, failures);
    } else {
        fprintf(stderr, "psbench: %s: ", progress->label);
        print_figures(now - progress->started, done, total, failures);
        fputc('\n', stderr);
    }
    funlockfile(stderr);
}
