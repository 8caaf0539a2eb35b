/* SIGINT and SIGTERM become a flag, so that no output file is left half written; so does SIGUSR1.
 */
#include "cli/frame.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted, status_wanted;

static void note(int signal) {
    (void)signal;
    interrupted = 1;
}

static void note_status(int signal) {
    (void)signal;
    status_wanted = 1;
}

/*
 * Files are mapped: where one is cut short meanwhile, or its disk fails, looking at it is this
 * signal. There is no way back to where the work could be ended in order.
 */
static void lose_input(int signal, siginfo_t *info, void *context) {
    (void)context;
    static const char text[] = "psbench: an input file was cut short, or its disk failed, while it "
                               "was read\n";
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (info->si_code == BUS_ADRERR) {
        while (atomic_flag_test_and_set(&said)) {
            pause(); /* another thread met the same and ends the program */
        }
        ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
        (void)ignored;
        _exit(CLI_IO);
    }
    /* Returning meets the same fault again, and then the program ends as by any such signal. */
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(signal, &action, NULL);
}

bool cli_status_wanted(void) {
    bool wanted = status_wanted != 0;
    status_wanted = 0;
    return wanted;
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
    struct sigaction status = {.sa_handler = note_status, .sa_flags = SA_RESTART};
    sigemptyset(&status.sa_mask);
    sigaction(SIGUSR1, &status, NULL);
    struct sigaction lost = {.sa_sigaction = lose_input, .sa_flags = SA_SIGINFO};
    sigemptyset(&lost.sa_mask);
    sigaction(SIGBUS, &lost, NULL);
    /* `psbench list | head -1` ends quietly, whatever the parent did about SIGPIPE. */
    signal(SIGPIPE, SIG_DFL);
}
