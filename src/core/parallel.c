/* Runs an OpenMP loop; when an item fails, the loop's end moves back to that item. */
#include "core/parallel.h"

#include "core/memory.h"
#include "core/watch.h"

#include <unistd.h>

typedef struct state {
    psb_watch watch; /* over the items; the first member */
    const psb_loop *loop;
    atomic_size_t end; /* items from this one on are not started */
    size_t done;
    psb_error error; /* the error of the item at `end`; PSB_OK: none failed */
} state;

static void fail(state *s, size_t i, const psb_error *error) {
    if (s->error.status == PSB_OK || i < s->end) {
        s->error = *error;
        s->end = i;
    }
}

static void tell(state *s) {
    const psb_loop *loop = s->loop;
    if (loop->progress(s->done, loop->count, loop->context) != 0 && !s->watch.stopped) {
        s->watch.stopped = true;
        if (s->error.status == PSB_OK) {
            s->end = 0;
        }
    }
}

static void ask(psb_watch *watch) {
#pragma omp critical(psb_parallel)
    tell((state *)watch);
}

static void work(state *s, void *own, size_t i) {
    psb_error error;
    const psb_loop *loop = s->loop;
    psb_watch *before = psb_watch_begin(&s->watch);
    psb_status status = loop->progress == NULL ? psb_go_on(&error) : PSB_OK;
    PSB_THEN(status, loop->item(loop->job, own, i, &error));
    psb_watch_begin(before);
    if (status == PSB_OK && loop->progress == NULL) {
        return;
    }
#pragma omp critical(psb_parallel)
    {
        error.status = status;
        if (status != PSB_OK && status != PSB_ERROR_INTERRUPTED && loop->failed != NULL) {
            status = loop->failed(loop->job, own, i, &error);
        }
        if (status != PSB_OK) {
            fail(s, i, &error);
        } else if (loop->progress != NULL) {
            s->done++;
            tell(s);
        }
    }
}

/* Makes a thread's own state. If that fails in any thread, no further item starts. */
static psb_status begin(state *s, void **own) {
    psb_error error;
    const psb_loop *loop = s->loop;
    psb_status status = PSB_OK;
    *own = loop->bytes > 0 ? psb_new(&status, 1, loop->bytes, loop->name, &error) : NULL;
    if (loop->begin != NULL) {
        PSB_THEN(status, loop->begin(loop->job, own, &error));
    }
    if (status != PSB_OK) {
        error.status = status;
#pragma omp critical(psb_parallel)
        fail(s, 0, &error);
    }
    return status;
}

static void end(const psb_loop *loop, void *own) {
    if (loop->end != NULL && own != NULL) {
        loop->end(loop->job, own);
    }
    if (loop->bytes > 0) {
        free(own);
    }
}

/* OpenMP keeps its threads, which are missing in a forked process: its next parallel region would
 * wait for ever. */
static psb_status check_process(psb_error *error) {
    static atomic_int first;
    int none = 0, own = getpid();
    return atomic_compare_exchange_strong(&first, &none, own) || none == own
               ? PSB_OK
               : psb_fail(error, PSB_ERROR_USAGE,
                          "this process was forked from one that had worked with several threads: "
                          "start it anew (\"spawn\"), or let it work with one thread");
}

psb_status psb_parallel(const psb_loop *loop, psb_error *error) {
    state s = {.watch = {.outer = psb_watch_current(), .ask = loop->progress != NULL ? ask : NULL},
               .loop = loop,
               .end = loop->count};
    int chunk = loop->chunk > 0 ? (int)loop->chunk : 1;
    int threads = loop->threads > 1 && loop->count > 1 ? loop->threads : 1;
    threads = (size_t)threads < loop->count ? threads : (int)loop->count;
    psb_status status = threads > 1 ? check_process(error) : PSB_OK;
    if (status != PSB_OK) {
        return status;
    }
#pragma omp parallel num_threads(threads > 1 ? threads : 1)
    {
        void *own;
        psb_status ready = begin(&s, &own);
#pragma omp for schedule(monotonic : dynamic, chunk)
        for (size_t i = 0; i < loop->count; i++) {
            if (ready == PSB_OK && i < s.end) {
                work(&s, own, i);
            }
        }
        end(loop, own);
    }
    if (s.error.status != PSB_OK) {
        if (error != NULL) {
            *error = s.error;
        }
        return s.error.status;
    }
    return s.watch.stopped ? psb_fail(error, PSB_ERROR_INTERRUPTED, "interrupted")
                           : psb_go_on(error);
}
