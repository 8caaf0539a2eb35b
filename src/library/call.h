/* A call of a client that works long: what begins and ends every such call. */
#pragma once

#include "core/observer.h"
#include "core/watch.h"

typedef struct psb_call {
    psb_watch watch; /* the first member */
    psb_watch *before;
    psb_stage stage;
} psb_call;

/*
 * Prepares the libraries for exact products (core/linear.h). Until psb_call_end, in the same
 * thread, loops that count no steps ask `observer`, which may be NULL, whether to go on. Fails as
 * psb_linear_enter does. psb_call_end does nothing for a call that is zeroed, or did not begin.
 */
psb_status psb_call_begin(psb_call *call, const psb_observer *observer, psb_error *error);
void psb_call_end(psb_call *call);
