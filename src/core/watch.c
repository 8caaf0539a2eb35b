/* Which work a thread is at, and when it last asked whether to go on. */
#include "core/watch.h"

#include "core/clock.h"
#include "core/error.h"

static _Thread_local psb_watch *current;
static _Thread_local double asked; /* when the thread last asked */

psb_watch *psb_watch_begin(psb_watch *watch) {
    psb_watch *before = current;
    if (before == NULL) {
        asked = psb_clock_wall();
    }
    current = watch;
    return before;
}

psb_watch *psb_watch_current(void) {
    return current;
}

psb_status psb_go_on(psb_error *error) {
    const double pause = 0.1;
    psb_watch *asks = NULL;
    bool stopped = false;
    for (psb_watch *w = current; w != NULL; w = w->outer) {
        stopped = stopped || w->stopped;
        asks = asks == NULL && w->ask != NULL ? w : asks;
    }
    if (asks != NULL && !stopped && psb_clock_wall() - asked > pause) {
        asked = psb_clock_wall();
        asks->ask(asks);
        stopped = asks->stopped;
    }
    return stopped ? psb_fail(error, PSB_ERROR_INTERRUPTED, "interrupted") : PSB_OK;
}
