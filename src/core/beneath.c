/* Opens files by openat2 or, where the kernel has none, one folder after the other by openat. */
#include "core/beneath.h"

#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

void psb_close(int fd) {
    int reason = errno;
    if (fd >= 0) {
        close(fd);
    }
    errno = reason;
}

bool psb_name_stays_below(const char *path, size_t length) {
    if (length == 0) {
        return false;
    }
    for (const char *at = path, *end = path + length; at <= end; at++) {
        const char *slash = memchr(at, '/', (size_t)(end - at));
        size_t part = (size_t)((slash != NULL ? slash : end) - at);
        if (part == 0 || (part <= 2 && memcmp(at, "..", part) == 0)) {
            return false;
        }
        at += part;
    }
    return true;
}

/* Opens each folder of the name relative to the folder before it, then the file in the last one. */
static int open_step_by_step(int folder, const char *name, int flags, mode_t mode) {
    char part[256];
    int here = folder, next;
    for (const char *slash; (slash = strchr(name, '/')) != NULL; name = slash + 1) {
        size_t length = (size_t)(slash - name);
        if (length < sizeof part) {
            memcpy(part, name, length);
            part[length] = '\0';
            next = openat(here, part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        } else {
            next = -1;
            errno = ENAMETOOLONG;
        }
        psb_close(here != folder ? here : -1);
        if (next < 0) {
            return -1;
        }
        here = next;
    }
    int file = openat(here, name, flags | O_NOFOLLOW | O_CLOEXEC, mode);
    psb_close(here != folder ? here : -1);
    return file;
}

int psb_open_beneath(int folder, const char *name, int flags, mode_t mode) {
    if (!psb_name_stays_below(name, strlen(name))) {
        errno = EXDEV;
        return -1;
    }
    struct open_how how = {.flags = (unsigned)flags | O_CLOEXEC,
                           .mode = mode,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    int file;
    do { /* EAGAIN: a folder on the way was renamed at the same moment */
        file = (int)syscall(__NR_openat2, folder, name, &how, sizeof how);
    } while (file < 0 && (errno == EINTR || errno == EAGAIN));
    /* Kernels before 5.6 do not have openat2; some containers forbid calls that they do not know.
     */
    return file < 0 && (errno == ENOSYS || errno == EPERM)
               ? open_step_by_step(folder, name, flags, mode)
               : file;
}

/* ---- held folders -------------------------------------------------------------------------- */

enum { HELD_MOST = 64 };
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static struct {
    char *path; /* NULL: this entry is free */
    size_t length;
    int folder;
} held_folders[HELD_MOST];

psb_status psb_hold_folder(const char *folder, int *held, psb_error *error) {
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/') {
        length--;
    }
    *held = 0;
    psb_status status = PSB_OK;
    char *path = psb_new_text(&status, folder, length, "a folder name", error);
    int fd = status == PSB_OK ? open(path, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    PSB_THEN_IF(status, fd < 0, psb_fail_errno(error, folder, "open"));
    pthread_mutex_lock(&one_at_a_time);
    for (int i = 0; i < HELD_MOST && fd >= 0 && *held == 0; i++) {
        if (held_folders[i].path == NULL) {
            held_folders[i].path = path;
            held_folders[i].length = length;
            held_folders[i].folder = fd;
            *held = i + 1;
        }
    }
    pthread_mutex_unlock(&one_at_a_time);
    if (fd >= 0 && *held == 0) {
        close(fd);
        status = psb_fail_at(error, PSB_ERROR_MEMORY, folder, 0,
                             "more than %d folders are worked in", HELD_MOST);
    }
    if (*held == 0) {
        free(path);
    }
    return status;
}

void psb_let_go(int held) {
    if (held > 0) {
        pthread_mutex_lock(&one_at_a_time);
        close(held_folders[held - 1].folder);
        free(held_folders[held - 1].path);
        held_folders[held - 1].path = NULL;
        pthread_mutex_unlock(&one_at_a_time);
    }
}

/* Copies `path`, which is relative to a held folder, without empty and "." parts. Returns false for
 * a path with "..", which only a user writes, and for a path that is too long. */
static bool tidy(const char *path, char below[PATH_MAX]) {
    size_t used = 0;
    for (size_t part; path += strspn(path, "/"), (part = strcspn(path, "/")) > 0; path += part) {
        bool here = part == 1 && path[0] == '.', up = part == 2 && memcmp(path, "..", part) == 0;
        if (up || used + part + 2 > PATH_MAX) {
            return false;
        }
        if (!here && used > 0) {
            below[used++] = '/';
        }
        if (!here) {
            memcpy(below + used, path, part);
            used += part;
        }
    }
    below[used] = '\0';
    return used > 0;
}

/* Returns the topmost held folder above `path`, or -1; `below` gets the path relative to it. */
static int find_held(const char *path, char below[PATH_MAX]) {
    int found = -1;
    size_t shortest = SIZE_MAX;
    pthread_mutex_lock(&one_at_a_time);
    for (int i = 0; i < HELD_MOST; i++) {
        const char *folder = held_folders[i].path;
        size_t length = held_folders[i].length;
        if (folder != NULL && length < shortest && strncmp(path, folder, length) == 0 &&
            (path[length] == '/' || folder[length - 1] == '/')) {
            found = held_folders[i].folder;
            shortest = length;
        }
    }
    pthread_mutex_unlock(&one_at_a_time);
    return found >= 0 && tidy(path + shortest, below) ? found : -1;
}

bool psb_is_held(const char *path) {
    char below[PATH_MAX];
    return find_held(path, below) >= 0;
}

int psb_open_path(const char *path, int flags, mode_t mode) {
    char below[PATH_MAX];
    int above = find_held(path, below);
    return above >= 0 ? psb_open_beneath(above, below, flags, mode)
                      : open(path, flags | O_CLOEXEC, mode);
}

int psb_open_folder_of(const char *path, const char **name) {
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL || slash == path ? 1 : (size_t)(slash - path);
    char folder[PATH_MAX];
    *name = slash != NULL ? slash + 1 : path;
    if (length >= sizeof folder) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(folder, slash != NULL ? path : ".", length);
    folder[length] = '\0';
    return psb_open_path(folder, O_PATH | O_DIRECTORY, 0);
}
