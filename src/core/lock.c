/* flock decides who holds the lock; the text in the file only names the holder. */
#include "core/lock.h"

#include "core/beneath.h"
#include "core/file.h"
#include "core/refused.h"
#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

static const char first_word[] = "process ";

/* Reads the file's first line into lock->holder, made safe for a terminal; empty if it names no
 * process. Returns false if the contents are not those of a lock file of this program. */
static bool read_holder(psb_lock *lock) {
    struct stat info;
    ssize_t n = pread(lock->fd, lock->holder, sizeof lock->holder - 1, 0);
    lock->holder[n > 0 ? n : 0] = '\0';
    lock->holder[strcspn(lock->holder, "\n")] = '\0';
    psb_text_hide_controls(lock->holder);
    size_t length = strlen(lock->holder), word = sizeof first_word - 1;
    bool own = fstat(lock->fd, &info) == 0 && S_ISREG(info.st_mode) &&
               info.st_size < (off_t)sizeof lock->holder && (length > 0 || n == 0) &&
               memcmp(lock->holder, first_word, length < word ? length : word) == 0;
    if (own && length < word) {
        lock->holder[0] = '\0';
    }
    return own;
}

static psb_status write_holder(const psb_lock *lock, const char *path, psb_error *error) {
    struct utsname system;
    char text[sizeof lock->holder];
    const char *host = uname(&system) == 0 ? system.nodename : "an unknown host";
    int length = snprintf(text, sizeof text - 1, "%s%ld on %s", first_word, (long)getpid(), host);
    size_t size = length < (int)sizeof text - 1 ? (size_t)length : sizeof text - 2;
    text[size++] = '\n';
    /* What cannot be cut off stands behind the end of the line, which is not read. */
    return ftruncate(lock->fd, 0) != 0 && !psb_is_refused(PSB_REFUSED_RESIZE)
               ? psb_fail_errno(error, path, "write")
               : psb_write_bytes(lock->fd, path, "write", text, size, 0, error);
}

static psb_status hold_folder_of(const char *path, psb_lock *lock, psb_error *error) {
    const char *slash = strrchr(path, '/');
    psb_status status = PSB_OK;
    PSB_FREED char *folder = psb_new_text(
        &status, slash != NULL ? path : ".",
        slash != NULL && slash > path ? (size_t)(slash - path) : 1, "a folder name", error);
    return PSB_THEN(status, psb_hold_folder(folder, &lock->held, error));
}

/* Takes the lock. With LOCK_EX the holder's name is written into the file; with LOCK_SH it is not,
 * since several processes share the lock. */
static psb_status take(const char *path, int operation, psb_lock *lock, psb_error *error) {
    *lock = PSB_LOCK_NONE;
    lock->fd = psb_open_path(path, O_RDWR | O_CREAT | O_NONBLOCK | O_NOFOLLOW, 0666);
    if (lock->fd < 0) {
        return errno == ELOOP ? psb_fail_at(error, PSB_ERROR_IO, path, 0,
                                            "a link, but a lock is a file of its own: remove it")
                              : psb_fail_errno(error, path, "open");
    }
    psb_status status = PSB_OK;
    if (flock(lock->fd, operation | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) {
            read_holder(lock);
            status = psb_fail_at(
                error, PSB_ERROR_IO, path, 0, "%s is at work in this folder: wait, or give another",
                lock->holder[0] != '\0' ? lock->holder : "another process or part of the run");
        } else if (psb_is_refused(PSB_REFUSED_LOCK)) {
            lock->unsupported = true;
        } else {
            status = psb_fail_errno(error, path, "lock");
        }
    }
    if (status == PSB_OK && !read_holder(lock)) {
        status = psb_fail_at(
            error, PSB_ERROR_IO, path, 0,
            "not a lock of this program: it holds something else, which is kept; move it away");
    }
    if (status == PSB_OK) {
        lock->stale = lock->holder[0] != '\0';
        status = operation == LOCK_EX ? write_holder(lock, path, error) : PSB_OK;
    }
    PSB_THEN(status, hold_folder_of(path, lock, error));
    if (status != PSB_OK) {
        close(lock->fd);
        lock->fd = -1;
    }
    return status;
}

psb_status psb_lock_take(const char *path, psb_lock *lock, psb_error *error) {
    return take(path, LOCK_EX, lock, error);
}

psb_status psb_lock_share(const char *path, psb_lock *lock, psb_error *error) {
    return take(path, LOCK_SH, lock, error);
}

bool psb_lock_is_taken(const char *path, char holder[128]) {
    psb_lock lock = PSB_LOCK_NONE;
    lock.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    bool taken = lock.fd >= 0 && flock(lock.fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (taken && read_holder(&lock)) {
        memcpy(holder, lock.holder, sizeof lock.holder);
    }
    psb_close(lock.fd);
    return taken;
}

void psb_lock_release(psb_lock *lock) {
    psb_let_go(lock->held);
    lock->held = 0;
    if (lock->fd >= 0) {
        /* If both fail, the next process takes the text for that of a killed process, which does
         * no harm. */
        if (ftruncate(lock->fd, 0) != 0) {
            psb_write_bytes(lock->fd, "", "write", "process\n", 8, 0, NULL);
        }
        close(lock->fd);
        lock->fd = -1;
    }
}

static psb_status check_marks(const char *folder, const char *const *marks, psb_error *error) {
    psb_status status = PSB_OK;
    bool there = false;
    for (; *marks != NULL && status == PSB_OK && !there; marks++) {
        PSB_FREED char *path = NULL;
        status = psb_path_join(&path, folder, *marks, error);
        PSB_THEN(status, psb_file_is_there(path, &there, error));
    }
    return status != PSB_OK || there ? status
                                     : psb_fail_at(error, PSB_ERROR_USAGE, folder, 0,
                                                   "the folder has other contents: give one that "
                                                   "is new, empty or of the same command");
}

psb_status psb_lock_check_folder(const char *folder, const char *const *marks, psb_error *error) {
    bool empty = true;
    psb_status status = psb_folder_is_empty(folder, &empty, error);
    return status != PSB_OK || empty ? status : check_marks(folder, marks, error);
}

psb_status psb_lock_take_folder(const char *folder, const char *const *marks, psb_lock *lock,
                                psb_error *error) {
    *lock = PSB_LOCK_NONE;
    PSB_FREED char *path = NULL;
    psb_status status = psb_lock_check_folder(folder, marks, error);
    PSB_THEN(status, psb_make_folder(folder, error));
    PSB_THEN(status, psb_path_join(&path, folder, marks[0], error));
    return PSB_THEN(status, psb_lock_take(path, lock, error));
}
