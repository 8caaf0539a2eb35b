/*
 * Makes one failure on demand, for tests/cli/fault_once.sh: preloaded into the program, it counts
 * the allocations, or the calls that ask the system for files, folders, maps and threads, and fails
 * number ONCE_AT. All others are made.
 *
 *   ONCE_KIND=memory|call   what is counted; named: nothing, but no file can be made without a name
 *   ONCE_AT=N               the number that fails, from 1; 0: none
 *   ONCE_COUNT=FILE         the count is written there when the program ends
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* The C library's own function of this name. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The C library's allocations, by names that need no dlsym. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

/*
 * The settings, read before main. Earlier calls of the loader and the libraries are not counted: if
 * one failed, the loader would end the program in its own manner.
 */
static bool memory_counts, calls_count, named;
static long at;
static atomic_long done;

__attribute__((constructor)) static void read_settings(void) {
    const char *kind = getenv("ONCE_KIND"), *number = getenv("ONCE_AT");
    for (; number != NULL && *number >= '0' && *number <= '9'; number++) {
        at = 10 * at + (*number - '0');
    }
    memory_counts = kind != NULL && strcmp(kind, "memory") == 0;
    calls_count = kind != NULL && strcmp(kind, "call") == 0;
    named = kind != NULL && strcmp(kind, "named") == 0;
}

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("ONCE_COUNT");
    memory_counts = calls_count = false;
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fprintf(file, "%ld\n", atomic_load(&done));
        fclose(file);
    }
}

/* A place for a debugger's breakpoint: the failing call's caller is above it on the stack. */
__attribute__((noinline)) void once_fails(int reason);
void once_fails(int reason) {
    errno = reason;
}

static bool fails(bool counts, int reason) {
    bool now = counts && atomic_fetch_add(&done, 1) + 1 == at;
    if (now) {
        once_fails(reason);
    }
    return now;
}

void *malloc(size_t size) {
    return fails(memory_counts, ENOMEM) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails(memory_counts, ENOMEM) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    return fails(memory_counts, ENOMEM) ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return fails(memory_counts, ENOMEM) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    void *made = fails(memory_counts, ENOMEM) ? NULL : __libc_memalign(alignment, size);
    if (made != NULL) {
        *out = made;
    }
    return made != NULL ? 0 : ENOMEM;
}

/* Defines a call to the system that, if it is to fail, returns -1 or NULL and sets errno. */
#define CALL(type, name, parameters, arguments, reason, failure)                                   \
    type name parameters {                                                                         \
        return fails(calls_count, reason) ? failure : REAL(name) arguments;                        \
    }
CALL(ssize_t, read, (int fd, void *to, size_t size), (fd, to, size), EIO, -1)
CALL(ssize_t, pread, (int fd, void *to, size_t size, off_t from), (fd, to, size, from), EIO, -1)
CALL(int, stat, (const char *path, struct stat *out), (path, out), EIO, -1)
CALL(int, lstat, (const char *path, struct stat *out), (path, out), EIO, -1)
CALL(int, fstat, (int fd, struct stat *out), (fd, out), EIO, -1)
CALL(int, access, (const char *path, int mode), (path, mode), EIO, -1)
CALL(int, mkdir, (const char *path, mode_t mode), (path, mode), EIO, -1)
CALL(int, unlink, (const char *path), (path), EIO, -1)
CALL(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to), EIO, -1)
CALL(int, flock, (int fd, int operation), (fd, operation), ENOLCK, -1)
CALL(int, ftruncate, (int fd, off_t size), (fd, size), EIO, -1)
CALL(off_t, lseek, (int fd, off_t offset, int whence), (fd, offset, whence), EIO, -1)
CALL(DIR *, opendir, (const char *path), (path), EIO, NULL)
CALL(struct dirent *, readdir, (DIR * entries), (entries), EIO, NULL)
CALL(FILE *, fopen, (const char *path, const char *mode), (path, mode), EMFILE, NULL)
CALL(FILE *, fdopen, (int fd, const char *mode), (fd, mode), ENOMEM, NULL)
CALL(void *, mmap, (void *wish, size_t size, int how, int kind, int fd, off_t from),
     (wish, size, how, kind, fd, from), ENOMEM, MAP_FAILED)
CALL(int, poll, (struct pollfd * of, nfds_t count, int patience), (of, count, patience), ENOMEM, -1)
CALL(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags), EIO, -1)
CALL(int, socketpair, (int kind, int how, int protocol, int fds[2]), (kind, how, protocol, fds),
     EMFILE, -1)
CALL(ssize_t, readlink, (const char *path, char *out, size_t size), (path, out, size), EIO, -1)
CALL(char *, realpath, (const char *path, char *out), (path, out), EIO, NULL)

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*begin)(void *), void *of) {
    return fails(calls_count, EAGAIN) ? EAGAIN : REAL(pthread_create)(thread, how, begin, of);
}

int posix_spawnp(pid_t *child, const char *program, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *how, char *const words[], char *const environment[]) {
    return fails(calls_count, EAGAIN)
               ? EAGAIN
               : REAL(posix_spawnp)(child, program, actions, how, words, environment);
}

int scandir(const char *path, struct dirent ***entries, int (*wanted)(const struct dirent *),
            int (*order)(const struct dirent **, const struct dirent **)) {
    return fails(calls_count, EIO) ? -1 : REAL(scandir)(path, entries, wanted, order);
}

/* The program uses syscall only for openat2, with four arguments; libraries pass up to six. */
long syscall(long number, ...) {
    va_list more;
    va_start(more, number);
    long first = va_arg(more, long), second = va_arg(more, long), third = va_arg(more, long),
         fourth = va_arg(more, long), fifth = va_arg(more, long), sixth = va_arg(more, long);
    va_end(more);
    return fails(calls_count, EIO)
               ? -1
               : REAL(syscall)(number, first, second, third, fourth, fifth, sixth);
}

/* The argument `mode` is passed only if the call may make a file. */
#define MODE(flags, mode)                                                                          \
    if (((flags) & (O_CREAT | O_TMPFILE)) != 0) {                                                  \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        (mode) = va_arg(more, mode_t);                                                             \
        va_end(more);                                                                              \
    }

int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    MODE(flags, mode)
    return fails(calls_count, EMFILE) ? -1 : REAL(open)(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    mode_t mode = 0;
    MODE(flags, mode)
    if (named && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return fails(calls_count, EMFILE) ? -1 : REAL(openat)(folder, path, flags, mode);
}
