/* Sets limits by setrlimit, forbids files by Landlock and most system calls by seccomp. */
#include "import-box.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef PSB_SECCOMP
#include <seccomp.h>
#endif

/* ---- limits ------------------------------------------------------------------------------ */

static bool limit(double seconds, unsigned long memory) {
    const struct {
        enum __rlimit_resource what;
        rlim_t most;
    } limits[] = {
        {RLIMIT_AS, memory},  {RLIMIT_CPU, (rlim_t)ceil(seconds)},
        {RLIMIT_CORE, 0},     {RLIMIT_FSIZE, 0},
        {RLIMIT_NPROC, 0},    {RLIMIT_NOFILE, STDERR_FILENO + 1},
        {RLIMIT_MSGQUEUE, 0}, {RLIMIT_MEMLOCK, 0},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct rlimit now;
        if (getrlimit(limits[i].what, &now) != 0) {
            return false;
        }
        /*
         * A lower limit that the user set stays. When CPU time runs out, the kernel sends
         * SIGXCPU only if the hard limit is above the soft one.
         */
        rlim_t spare = limits[i].what == RLIMIT_CPU ? 1 : 0;
        now.rlim_cur = limits[i].most < now.rlim_cur ? limits[i].most : now.rlim_cur;
        now.rlim_max =
            limits[i].most + spare < now.rlim_max ? limits[i].most + spare : now.rlim_max;
        if (setrlimit(limits[i].what, &now) != 0) {
            return false;
        }
    }
    return true;
}

/* ---- Landlock ---------------------------------------------------------------------------- */

/* The struct of the newest linux/landlock.h; older kernels know only its first members. */
typedef struct ruleset {
    uint64_t files, network, scopes;
} ruleset;

/*
 * Forbids all that this kernel's Landlock can forbid, since no rule allows anything. Each version
 * of Landlock knows more rights than the one before.
 */
static bool close_files(void) {
    enum { CREATE = 444, RESTRICT_SELF = 446, ASK_VERSION = 1 };
    static const int file_rights[] = {0, 13, 14, 15, 15, 16};
    const long newest = sizeof file_rights / sizeof file_rights[0] - 1;
    long version = syscall(CREATE, NULL, 0, ASK_VERSION);
    if (version < 1) {
        return false;
    }
    ruleset rules = {.files = ((uint64_t)1 << file_rights[version < newest ? version : newest]) - 1,
                     .network = version >= 4 ? 3 : 0,
                     .scopes = version >= 6 ? 3 : 0};
    size_t members = version >= 6 ? 3 : version >= 4 ? 2 : 1;
    int fd = (int)syscall(CREATE, &rules, members * sizeof rules.files, 0);
    bool closed = fd >= 0 && syscall(RESTRICT_SELF, fd, 0) == 0;
    if (fd >= 0) {
        close(fd);
    }
    return closed;
}

/* ---- seccomp ----------------------------------------------------------------------------- */

#ifdef PSB_SECCOMP

/* Calls that compute, allocate memory, read and write open files, and end the process. */
static const int allowed[] = {
    SCMP_SYS(read),      SCMP_SYS(write),         SCMP_SYS(readv),
    SCMP_SYS(writev),    SCMP_SYS(close),         SCMP_SYS(lseek),
    SCMP_SYS(fstat),     SCMP_SYS(munmap),        SCMP_SYS(mremap),
    SCMP_SYS(madvise),   SCMP_SYS(brk),           SCMP_SYS(futex),
    SCMP_SYS(exit),      SCMP_SYS(exit_group),    SCMP_SYS(sched_yield),
    SCMP_SYS(getrandom), SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres),
    SCMP_SYS(time),      SCMP_SYS(gettimeofday),  SCMP_SYS(getpid),
    SCMP_SYS(gettid),    SCMP_SYS(getrusage),     SCMP_SYS(rt_sigprocmask),
};

/*
 * Calls by which libraries look for a file, such as one with a time zone; they go on without it if
 * there is none. These calls return an error; calls in neither list end the process.
 */
static const int denied[] = {
    SCMP_SYS(open),       SCMP_SYS(openat),     SCMP_SYS(stat),       SCMP_SYS(lstat),
    SCMP_SYS(statx),      SCMP_SYS(access),     SCMP_SYS(faccessat),  SCMP_SYS(readlink),
    SCMP_SYS(readlinkat), SCMP_SYS(newfstatat), SCMP_SYS(getcwd),     SCMP_SYS(sysinfo),
    SCMP_SYS(ioctl),      SCMP_SYS(uname),      SCMP_SYS(faccessat2), SCMP_SYS(openat2),
};

static bool add_rules(scmp_filter_ctx filter) {
    bool fine = true;
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++) {
        fine = fine && seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0) == 0;
    }
    for (size_t i = 0; i < sizeof denied / sizeof denied[0]; i++) {
        fine = fine && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), denied[i], 0) == 0;
    }
    /* The process may map memory, but none that can be executed. */
    const struct scmp_arg_cmp not_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    fine = fine && seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, not_code) == 0;
    fine = fine && seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, not_code) == 0;
    /* The process may send itself a signal, as abort() of the C library does. */
    const struct scmp_arg_cmp itself = {
        .arg = 0, .op = SCMP_CMP_EQ, .datum_a = (scmp_datum_t)getpid()};
    return fine && seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, itself) == 0;
}

static bool close_calls(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    bool closed = filter != NULL && add_rules(filter) && seccomp_load(filter) == 0;
    if (filter != NULL) {
        seccomp_release(filter);
    }
    return closed;
}

#else

static bool close_calls(void) {
    return false;
}

#endif

unsigned box_close(unsigned wanted, double seconds, unsigned long memory) {
    unsigned walls = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* end with psbench, as nobody else waits for the answer */
    /* Without this only root may use Landlock or seccomp. */
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    walls |= (wanted & BOX_LANDLOCK) != 0 && close_files() ? BOX_LANDLOCK : 0;
    walls |= (wanted & BOX_LIMITS) != 0 && limit(seconds, memory) ? BOX_LIMITS : 0;
    walls |= (wanted & BOX_SECCOMP) != 0 && close_calls() ? BOX_SECCOMP : 0;
    return walls;
}
