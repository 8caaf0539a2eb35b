/* Begins and ends a client's call. */
#include "library/call.h"

#include "core/linear.h"

static void ask(psb_watch *watch) {
    psb_call *call = (psb_call *)watch;
#pragma omp critical(psb_parallel)
    if (psb_stage_progress(0, 0, &call->stage) != 0) {
        watch->stopped = true;
    }
}

psb_status psb_call_begin(psb_call *call, const psb_observer *observer, psb_error *error) {
    psb_status status = psb_linear_enter(error);
    if (status == PSB_OK) {
        *call = (psb_call){.watch = {.outer = psb_watch_current(), .ask = ask},
                           .stage = {.observer = observer, .name = "work"}};
        call->before = psb_watch_begin(&call->watch);
    }
    return status;
}

void psb_call_end(psb_call *call) {
    if (call->stage.name != NULL) {
        psb_watch_begin(call->before);
        psb_linear_leave();
    }
}
