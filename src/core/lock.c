/* flock decides; the text in the file only says who. */
#include "core/lock.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The file's one line, fit for a terminal; empty where there is none. */
static void read_holder(psb_lock *lock) {
    ssize_t n = pread(lock->fd, lock->holder, sizeof lock->holder - 1, 0);
    size_t length = n > 0 ? (size_t)n : 0;
    lock->holder[length] = '\0';
    lock->holder[strcspn(lock->holder, "\n")] = '\0';
    for (char *c = lock->holder; *c != '\0'; c++) {
        *c = *c >= ' ' && *c <= '~' ? *c : '?';
    }
}

static psb_status write_holder(const psb_lock *lock, const char *path, psb_error *error) {
    struct utsname system;
    char text[sizeof lock->holder];
    const char *host = uname(&system) == 0 ? system.nodename : "an unknown host";
    int length = snprintf(text, sizeof text - 1, "process %ld on %s", (long)getpid(), host);
    size_t size = length < (int)sizeof text - 1 ? (size_t)length : sizeof text - 2;
    text[size++] = '\n';
    errno = ENOSPC; /* for a write that is cut short */
    if (ftruncate(lock->fd, 0) != 0 || pwrite(lock->fd, text, size, 0) != (ssize_t)size) {
        return psb_fail_errno(error, path, "write");
    }
    return PSB_OK;
}

psb_status psb_lock_take(const char *path, psb_lock *lock, psb_error *error) {
    *lock = PSB_LOCK_NONE;
    lock->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (lock->fd < 0) {
        return psb_fail_errno(error, path, "open");
    }
    psb_status status = PSB_OK;
    if (flock(lock->fd, LOCK_EX | LOCK_NB) != 0) {
        int reason = errno;
        if (reason == EWOULDBLOCK) {
            read_holder(lock);
            status = psb_fail_at(error, PSB_ERROR_IO, path, 0, "%s is at work in this folder",
                                 lock->holder[0] != '\0' ? lock->holder : "another process");
        } else if (reason == ENOSYS || reason == EOPNOTSUPP || reason == ENOLCK) {
            lock->unsupported = true;
        } else {
            status = psb_fail_errno(error, path, "lock");
        }
    }
    if (status == PSB_OK) {
        read_holder(lock);
        lock->stale = lock->holder[0] != '\0';
        status = write_holder(lock, path, error);
    }
    if (status != PSB_OK) {
        close(lock->fd);
        lock->fd = -1;
    }
    return status;
}

void psb_lock_release(psb_lock *lock) {
    if (lock->fd >= 0) {
        /* Should this fail, the next process takes the text for a killed one's: no harm. */
        int ignored = ftruncate(lock->fd, 0);
        (void)ignored;
        close(lock->fd);
        lock->fd = -1;
    }
}
