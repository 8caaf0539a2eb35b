/* SIGINT and SIGTERM become a flag, so that no output file is left half written. */
#include "cli/frame.h"

#include <signal.h>

static volatile sig_atomic_t interrupted;

static void note(int signal) {
    (void)signal;
    interrupted = 1;
}

bool cli_interrupted(void) {
    return interrupted != 0;
}

void cli_catch_signals(void) {
    /* A second signal ends the program at once. Writing goes on where the first one found it. */
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    const int caught[] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++) {
        struct sigaction before;
        /* A signal that the parent chose to ignore (a job in the background) stays ignored. */
        if (sigaction(caught[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(caught[i], &action, NULL);
        }
    }
    /* `psbench list | head -1` ends quietly, whatever the parent did about SIGPIPE. */
    signal(SIGPIPE, SIG_DFL);
}
