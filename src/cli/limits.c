/* Finds out how much address space and how many threads the system leaves to the program. */
#include "cli/frame.h"
#include "core/number.h"

#include <malloc.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Address space that OpenBLAS maps for each of its threads when it is loaded. */
static const size_t buffer_bytes = (size_t)128 << 20;

static bool is_limited(struct rlimit *limit) {
    return getrlimit(RLIMIT_AS, limit) == 0 && limit->rlim_cur != RLIM_INFINITY;
}

/* OpenBLAS has a thread for each processor that the process may use, or fewer by environment. */
static size_t threads_of_openblas(char *const *environment) {
    static const char name[] = "OMP_NUM_THREADS=";
    cpu_set_t set;
    size_t threads = sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
    for (; *environment != NULL; environment++) {
        const char *at = *environment + sizeof name - 1;
        int64_t asked;
        if (strncmp(*environment, name, sizeof name - 1) == 0 &&
            psb_scan_int64(&at, at + strlen(at), &asked) && asked > 0 && (size_t)asked < threads) {
            threads = (size_t)asked;
        }
    }
    return threads;
}

/*
 * Without room for its buffers OpenBLAS tries for ever when it is loaded, before main. So this
 * looks for room before that, and before a sanitizer begins, and ends the program if there is none.
 */
__attribute__((no_sanitize("address", "thread", "undefined"))) static void
check_room(int argc, char **argv, char **environment) {
    (void)argc;
    (void)argv;
    struct rlimit limit;
    if (!is_limited(&limit)) {
        return;
    }
    size_t threads = threads_of_openblas(environment);
    void *room = mmap(NULL, threads * buffer_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room != MAP_FAILED) {
        munmap(room, threads * buffer_bytes);
        return;
    }
    char text[256];
    int n = snprintf(text, sizeof text,
                     "psbench: out of memory: OpenBLAS needs %zu MiB of address space to begin "
                     "with (128 for each of OMP_NUM_THREADS), which is limited to %zu MiB\n",
                     threads * buffer_bytes >> 20, (size_t)limit.rlim_cur >> 20);
    ssize_t ignored = write(STDERR_FILENO, text, (size_t)n);
    (void)ignored;
    _exit(CLI_INTERNAL);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const before_libraries)(int, char **, char **) = check_room;

/*
 * Larger blocks go back to the system when they are freed. By default the C library raises this
 * limit with every such block, and then rows and matrices of descriptors leave holes.
 */
enum { MAPPED_BYTES = 1 << 20 };

void cli_heed_limits(void) {
    mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES);
    struct rlimit limit;
    if (is_limited(&limit)) {
        mallopt(M_ARENA_MAX, 1); /* each thread's own would take 64 MiB of address space */
    }
}

static void *wait_for_all(void *all_made) {
    pthread_mutex_lock(all_made);
    pthread_mutex_unlock(all_made);
    return NULL;
}

/* The least stack of a thread: with less, which OMP_STACKSIZE can ask for, it would crash. */
enum { LEAST_STACK = 768 << 10 };

/* Bytes of the stack of the calling thread; SIZE_MAX if they are not known. */
static size_t stack_of_thread(void) {
    pthread_attr_t attributes;
    size_t bytes = SIZE_MAX;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstacksize(&attributes, &bytes);
        pthread_attr_destroy(&attributes);
    }
    return bytes;
}

/* Tries threads first, as OpenMP ends the program with exit code 1 if it cannot make one. */
int cli_threads_possible(int wanted) {
    pthread_mutex_t all_made = PTHREAD_MUTEX_INITIALIZER;
    pthread_t *made = calloc((size_t)wanted, sizeof *made);
    int count = 0, problem = 0;
    pthread_mutex_lock(&all_made);
    while (made != NULL && problem == 0 && count + 1 < wanted) {
        problem = pthread_create(&made[count], NULL, wait_for_all, &all_made);
        count += problem == 0;
    }
    pthread_mutex_unlock(&all_made);
    for (int t = 0; t < count; t++) {
        pthread_join(made[t], NULL);
    }
    free(made);
    if (count + 1 < wanted) {
        cli_warn("only %d of %d threads can be made", count + 1, wanted);
    }
    /* OpenMP makes its threads now, while there is room for them, and keeps them. */
    int there = 0;
    size_t least = SIZE_MAX;
#pragma omp parallel num_threads(count + 1) reduction(+ : there) reduction(min : least)
    {
        size_t stack = stack_of_thread();
        there++;
        least = stack < least ? stack : least;
    }
    if (least < LEAST_STACK) {
        cli_error("threads have stacks of %zu KiB, as OMP_STACKSIZE or ulimit -s says, but need %d",
                  least >> 10, LEAST_STACK >> 10);
        _exit(cli_finish(CLI_INTERNAL));
    }
    return there;
}
