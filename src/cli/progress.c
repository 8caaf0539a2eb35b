/* Shows how far long work has come: by a bar on a terminal, else by a line a minute. */
#include "cli/frame.h"
#include "core/clock.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double bar_interval = 1.0 / 6; /* seconds */
static const double line_interval = 60;
enum { BAR_WIDTH = 20 };

static bool bar_shown;

/* The bars of one kind that ended last and left the line above. */
static struct {
    char kind[32]; /* first word of their labels */
    size_t bars;
    double started;
} finished;

static bool on_terminal(void) {
    const char *kind = getenv("TERM");
    return isatty(STDERR_FILENO) && kind != NULL && strcmp(kind, "dumb") != 0;
}

/* Writes a time as "0:13" or "1:02:07". */
static void format_time(double time, char *text, size_t size) {
    unsigned long seconds = time < 1e9 ? (unsigned long)(time + 0.5) : 1000000000UL;
    if (seconds >= 3600) {
        snprintf(text, size, "%lu:%02lu:%02lu", seconds / 3600, seconds / 60 % 60, seconds % 60);
    } else {
        snprintf(text, size, "%lu:%02lu", seconds / 60, seconds % 60);
    }
}

static void erase_bar(void) {
    fputs(bar_shown ? "\r\033[K" : "", stderr);
    bar_shown = false;
}

void cli_hide_progress(void) {
    erase_bar();
    finished.bars = 0;
}

/* Leaves a line in the bar's place; bars of one kind, with nothing between them, share it. */
static void leave_line(const cli_progress *progress, size_t total, size_t failures, double now) {
    int kind = (int)strcspn(progress->label, " ");
    bool more = finished.bars > 0 && strncmp(finished.kind, progress->label, (size_t)kind) == 0 &&
                finished.kind[kind] == '\0';
    char took[32];
    if (!more) {
        snprintf(finished.kind, sizeof finished.kind, "%.*s", kind, progress->label);
        finished.started = progress->started;
    }
    format_time(now - finished.started, took, sizeof took);
    erase_bar();
    finished.bars = more ? finished.bars + 1 : 1;
    fprintf(stderr, "%s%s: %zu in %s", more ? "\033[A\033[K" : "", finished.kind,
            more ? finished.bars : total, took);
    fprintf(stderr, failures > 0 ? ", %zu failed\n" : "\n", failures);
}

void cli_progress_start(cli_progress *progress, const char *label, size_t first) {
    double now = psb_clock_wall();
    *progress = (cli_progress){label, now, now, now, first, 0, on_terminal()};
}

typedef struct figures {
    char text[128];
} figures;

/* Makes "412/907  45 %  38/s  0:13 left  2 failed". */
static figures figures_of(const cli_progress *progress, double elapsed, size_t done, size_t total,
                          size_t failures) {
    char rate_text[64] = "", failed_text[32] = "";
    double here = (double)(done - progress->first);
    if (here > 0 && elapsed > 0) {
        double rate = here / elapsed;
        double share =
            progress->share > 0 ? progress->share : here / (here + (double)(total - done));
        char left[32];
        format_time(elapsed * (1 - share) / share, left, sizeof left);
        snprintf(rate_text, sizeof rate_text, rate < 10 ? "  %.2g/s  %s left" : "  %.0f/s  %s left",
                 rate, left);
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
    erase_bar();
    fprintf(stderr, "%s [%s] %s", progress->label, bar, text);
    bar_shown = true;
}

void cli_progress_update(cli_progress *progress, size_t done, size_t total, size_t failures) {
    if (total == 0) {
        return;
    }
    double now = psb_clock_wall();
    bool wanted = cli_status_wanted(), terminal = progress->terminal;
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
        if (done == total) {
            leave_line(progress, total, failures, now);
        } else {
            draw_bar(progress, f.text, done, total);
        }
        funlockfile(stderr);
        progress->last = now;
    }
}
