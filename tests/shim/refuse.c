/*
 * A file system or container that refuses some calls, for tests/cli/refused.sh: preloaded into the
 * program, it lets each call that REFUSE names fail with the error named there, every time.
 *
 *   REFUSE="linkat=EPERM fsync=EINVAL"
 *
 * mmap is refused for files alone, and only to the program, not to the loader; ftruncate, always.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

/* The C library's own function of this name. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static const struct {
    const char *name;
    int number;
} errors[] = {{"EPERM", EPERM},   {"ENOSYS", ENOSYS}, {"EINVAL", EINVAL}, {"ENOTSUP", ENOTSUP},
              {"ENODEV", ENODEV}, {"EXDEV", EXDEV},   {"EACCES", EACCES}, {"EIO", EIO}};

/* Says whether REFUSE names the call, and then sets errno. */
static bool refuses(const char *call) {
    const char *list = getenv("REFUSE");
    size_t length = strlen(call);
    for (const char *at = list; at != NULL && (at = strstr(at, call)) != NULL; at += length) {
        if ((at == list || at[-1] == ' ') && at[length] == '=') {
            for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
                size_t n = strlen(errors[i].name);
                if (strncmp(at + length + 1, errors[i].name, n) == 0) {
                    errno = errors[i].number;
                    return true;
                }
            }
            abort(); /* an error without a number */
        }
    }
    return false;
}

#define CALL(type, name, parameters, arguments)                                                    \
    type name parameters {                                                                         \
        return refuses(#name) ? -1 : REAL(name) arguments;                                         \
    }
CALL(int, linkat, (int a, const char *from, int b, const char *to, int how), (a, from, b, to, how))
CALL(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to))
CALL(int, fsync, (int fd), (fd))
CALL(int, syncfs, (int fd), (fd))
CALL(int, ftruncate, (int fd, off_t size), (fd, size))
CALL(int, flock, (int fd, int how), (fd, how))
CALL(ssize_t, getrandom, (void *to, size_t size, unsigned how), (to, size, how))

void *mmap(void *wish, size_t size, int how, int kind, int fd, off_t from) {
    return fd >= 0 && refuses("mmap") ? MAP_FAILED : REAL(mmap)(wish, size, how, kind, fd, from);
}
