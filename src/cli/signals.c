/*
 * SIGINT and SIGTERM become a flag, so that long work ends in order; so does SIGUSR1. Work that
 * does not look at the flag in time is given up: files are written under another name and renamed,
 * rows of a run are appended, so nothing that was finished is lost, and nothing half-written stays.
 */
#include "cli/frame.h"
#include "core/file.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <unistd.h>

/* Microseconds from the first signal until what is still at work is given up. */
enum { PATIENCE = 800000 };

static volatile sig_atomic_t interrupted, status_wanted;

static void note(int signal) {
    (void)signal;
    static const struct itimerval patience = {.it_value = {.tv_usec = PATIENCE}};
    interrupted = 1;
    setitimer(ITIMER_REAL, &patience, NULL);
}

/* `text` is an array, not a pointer. */
#define SAY_AND_EXIT(text, code)                                                                   \
    do {                                                                                           \
        psb_outputs_abandon();                                                                     \
        ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);                             \
        (void)ignored;                                                                             \
        _exit(code);                                                                               \
    } while (0)

static void give_up(int signal) {
    (void)signal;
    static const char text[] =
        "psbench: interrupted: unfinished work is dropped, finished work is kept\n";
    SAY_AND_EXIT(text, CLI_INTERRUPTED);
}

static void note_status(int signal) {
    (void)signal;
    status_wanted = 1;
}

/*
 * Ends the program on SIGBUS. Files are mapped: if one is cut short meanwhile, or its disk fails,
 * reading it raises this signal. There is no way back to where the work could end in order.
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
        SAY_AND_EXIT(text, CLI_IO);
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
    struct sigaction late = {.sa_handler = give_up};
    sigemptyset(&late.sa_mask);
    sigaction(SIGALRM, &late, NULL);
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
    /* A limit of a file's length is met like a full disk: by an error that names the file. */
    signal(SIGXFSZ, SIG_IGN);
}
