/*
 * Makes faults on demand, for tests/cli/fault.sh: preloaded into the program, it counts the calls
 * that change files below one folder and, at call number FAULT_AT, fails the call or kills the
 * process.
 *
 *   FAULT_BELOW=DIR   only files whose path begins with DIR count
 *   FAULT_AT=N        the number of the call, from 1; 0 or unset: calls are only counted
 *   FAULT_KIND=...    enospc: this call and all later ones fail with ENOSPC
 *                     eio: this call fails with EIO
 *                     short: this call, if it is a write, writes half; all later ones fail (ENOSPC)
 *                     half: this call, if it is a write, writes half; later ones are made
 *                     kill: the process ends by SIGKILL before the call, or half of the write
 *                     int, term, usr1: the process gets that signal, and the call is made
 *                     away: FAULT_AWAY is renamed to FAULT_AWAY.away, and the call is made
 *   FAULT_COUNT=FILE  the number of calls is written there when the program ends
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* The C library's own function of this name. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static atomic_long calls;

static const char *setting(const char *name) {
    const char *value = getenv(name);
    return value != NULL ? value : "";
}

static long call_asked_for(void) {
    long number = 0;
    for (const char *digit = setting("FAULT_AT"); *digit >= '0' && *digit <= '9'; digit++) {
        number = 10 * number + (*digit - '0');
    }
    return number;
}

static int is_watched(const char *path) {
    const char *below = setting("FAULT_BELOW");
    return below[0] != '\0' && strncmp(path, below, strlen(below)) == 0;
}

static int is_watched_file(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    return is_watched(path);
}

/* What to do about a call: make it, do half of the write, or fail. */
enum verdict { GO_ON, HALF, FAIL };

/* Counts a call and decides about it. `half` does half of a write before a kill; NULL: no write. */
static enum verdict judge(void (*half)(void *), void *context) {
    long at = call_asked_for(), now = atomic_fetch_add(&calls, 1) + 1;
    const char *kind = setting("FAULT_KIND");
    if (at == 0 || now < at) {
        return GO_ON;
    }
    int number = strcmp(kind, "int") == 0    ? SIGINT
                 : strcmp(kind, "term") == 0 ? SIGTERM
                 : strcmp(kind, "usr1") == 0 ? SIGUSR1
                                             : 0;
    if (number != 0) {
        if (now == at) {
            kill(getpid(), number);
        }
        return GO_ON;
    }
    if (strcmp(kind, "away") == 0) {
        char gone[4096];
        snprintf(gone, sizeof gone, "%s.away", setting("FAULT_AWAY"));
        if (now == at && REAL(rename)(setting("FAULT_AWAY"), gone) != 0) {
            abort();
        }
        return GO_ON;
    }
    if (strcmp(kind, "kill") == 0) {
        if (half != NULL) {
            half(context);
        }
        raise(SIGKILL);
    }
    bool once = strcmp(kind, "eio") == 0 || strcmp(kind, "half") == 0;
    if (once && now > at) {
        return GO_ON;
    }
    bool in_part = strcmp(kind, "short") == 0 || strcmp(kind, "half") == 0;
    if (in_part && now == at && half != NULL) {
        return HALF;
    }
    errno = once ? EIO : ENOSPC;
    return strcmp(kind, "half") == 0 ? GO_ON : FAIL;
}

__attribute__((destructor)) static void tell(void) {
    const char *path = setting("FAULT_COUNT");
    FILE *file = path[0] != '\0' ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fprintf(file, "%ld\n", atomic_load(&calls));
        fclose(file);
    }
}

typedef struct piece {
    int fd;
    const void *data;
    size_t size;
    off_t place; /* -1: where the file is */
    ssize_t done;
} piece;

static void write_piece(piece *p, size_t size) {
    p->done = p->place < 0 ? REAL(write)(p->fd, p->data, size)
                           : REAL(pwrite)(p->fd, p->data, size, p->place);
}

static void write_half(void *context) {
    piece *p = context;
    write_piece(p, p->size / 2);
}

static ssize_t write_judged(piece *p) {
    enum verdict verdict =
        is_watched_file(p->fd) ? judge(p->size > 1 ? write_half : NULL, p) : GO_ON;
    if (verdict == FAIL) {
        return -1;
    }
    write_piece(p, verdict == HALF ? p->size / 2 : p->size);
    return p->done;
}

ssize_t write(int fd, const void *data, size_t size) {
    return write_judged(&(piece){fd, data, size, -1, 0});
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t place) {
    return write_judged(&(piece){fd, data, size, place, 0});
}

/* Returns whether a call that is no write() is to be made. */
static int allowed(int watched) {
    return !watched || judge(NULL, NULL) == GO_ON;
}

int fsync(int fd) {
    return allowed(is_watched_file(fd)) ? REAL(fsync)(fd) : -1;
}

int syncfs(int fd) {
    return allowed(is_watched_file(fd)) ? REAL(syncfs)(fd) : -1;
}

int fdatasync(int fd) {
    return allowed(is_watched_file(fd)) ? REAL(fdatasync)(fd) : -1;
}

/* Returns whether a name in an open folder is watched. */
static int is_watched_in(int folder, const char *name) {
    char link[64], path[4096 + 256];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t n = readlink(link, path, 4096);
    snprintf(path + (n > 0 ? n : 0), 256, "/%s", name);
    return is_watched(path);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    return allowed(is_watched_in(to_folder, to)) ? REAL(renameat)(from_folder, from, to_folder, to)
                                                 : -1;
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    return allowed(is_watched_in(to_folder, to))
               ? REAL(linkat)(from_folder, from, to_folder, to, flags)
               : -1;
}

/*
 * stdio does not call `write` by its name, so fdopen makes streams on watched files that write
 * through the function above. The program has one such stream at a time.
 */
static FILE *stream;
static int stream_fd;

static ssize_t stream_write(void *cookie, const char *data, size_t size) {
    size_t done = 0;
    (void)cookie;
    while (done < size) {
        ssize_t n = write(stream_fd, data + done, size - done);
        if (n <= 0) {
            return 0;
        }
        done += (size_t)n;
    }
    return (ssize_t)size;
}

static int stream_close(void *cookie) {
    (void)cookie;
    stream = NULL;
    return close(stream_fd);
}

FILE *fdopen(int fd, const char *mode) {
    if (!is_watched_file(fd) || stream != NULL) {
        return REAL(fdopen)(fd, mode);
    }
    cookie_io_functions_t functions = {.write = stream_write, .close = stream_close};
    stream_fd = fd;
    stream = fopencookie(NULL, mode, functions);
    return stream;
}

int fileno(FILE *of) {
    return of == stream ? stream_fd : REAL(fileno)(of);
}
