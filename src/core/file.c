/* Input by mmap, output by temporary name and rename. */
#include "core/file.h"

#include "core/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *kind_of(mode_t mode) {
    return S_ISDIR(mode)                      ? "a folder"
           : S_ISFIFO(mode) || S_ISSOCK(mode) ? "a pipe: write what it gives to a file first"
                                              : "a device";
}

/* Opens a regular file; on failure there is nothing to close. */
static psb_status open_regular(const char *path, int *fd, size_t *size, psb_error *error) {
    /* O_NONBLOCK: opening a named pipe must not wait for a writer that never comes. */
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0) {
        return psb_fail_errno(error, path, "open");
    }
    psb_status status = PSB_OK;
    struct stat info;
    if (fstat(*fd, &info) != 0) {
        status = psb_fail_errno(error, path, "stat");
    } else if (!S_ISREG(info.st_mode)) {
        status = psb_fail_at(error, PSB_ERROR_IO, path, 0, "not a regular file but %s",
                             kind_of(info.st_mode));
    } else {
        *size = (size_t)info.st_size;
    }
    if (status != PSB_OK) {
        close(*fd);
    }
    return status;
}

psb_status psb_input_open(const char *path, psb_input *input, psb_error *error) {
    *input = PSB_NO_INPUT;
    int fd;
    size_t size = 0;
    psb_status status = open_regular(path, &fd, &size, error);
    if (status != PSB_OK) {
        return status;
    }
    if (size > 0) {
        void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data == MAP_FAILED) {
            status = psb_fail_errno(error, path, "map");
        } else {
            *input = (psb_input){data, size};
        }
    }
    close(fd);
    return status;
}

psb_status psb_input_read(const char *path, size_t most, psb_buffer *buffer, size_t *size,
                          psb_error *error) {
    int fd;
    size_t length = 0, done = 0;
    psb_status status = open_regular(path, &fd, &length, error);
    if (status != PSB_OK) {
        return status;
    }
    if (length > most) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                             "a file of %zu bytes, but at most %zu are allowed", length, most);
    } else {
        status = psb_buffer_reserve(buffer, length + 1, 1, "a file", error);
    }
    while (status == PSB_OK && done < length) {
        ssize_t n = read(fd, (char *)buffer->data + done, length - done);
        if (n < 0) {
            status = psb_fail_errno(error, path, "read");
        } else if (n == 0) {
            length = done; /* it was cut short meanwhile */
        } else {
            done += (size_t)n;
        }
    }
    close(fd);
    *size = done;
    return status;
}

void psb_input_close(psb_input *input) {
    if (input->size > 0) {
        munmap((void *)(uintptr_t)input->data, input->size);
    }
    *input = PSB_NO_INPUT;
}

void psb_input_release(const void *data, size_t size) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = ((uintptr_t)data + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)data + size) / page * page;
    if (end > begin) {
        madvise((void *)begin, end - begin, MADV_DONTNEED);
    }
}

static const char suffix[] = ".tmpXXXXXX";
enum { RANDOM_LETTERS = 6, ATTEMPTS = 100 };
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/* Random letters and digits; which of them come more often does not matter. */
static psb_status choose_letters(char *out, psb_error *error) {
    unsigned char bytes[RANDOM_LETTERS];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return psb_fail_errno(error, out, "find random letters for");
    }
    for (int i = 0; i < RANDOM_LETTERS; i++) {
        out[i] = letters[bytes[i] % (sizeof letters - 1)];
    }
    return PSB_OK;
}

/*
 * The names of temporary files, so that a signal handler can remove them. Who takes a name out of
 * its place has it: none is freed while the handler looks at it.
 */
enum { PLACES = 1024 };
static _Atomic(char *) temporaries[PLACES];

/* Puts `now` where `then` is; whether that was anywhere. */
static bool replace_temporary(char *then, char *now) {
    for (int i = 0; i < PLACES; i++) {
        char *expected = then;
        if (atomic_compare_exchange_strong(&temporaries[i], &expected, now)) {
            return true;
        }
    }
    return false;
}

static void free_temporary(psb_output *output) {
    if (output->temporary != NULL && replace_temporary(output->temporary, NULL)) {
        free(output->temporary);
    }
    output->temporary = NULL;
}

void psb_outputs_abandon(void) {
    for (int i = 0; i < PLACES; i++) {
        char *name = atomic_exchange(&temporaries[i], NULL);
        if (name != NULL) {
            unlink(name);
        }
    }
}

/*
 * Creates the temporary file beside output->path. mkstemp's would be private, and to make it as
 * public as the umask allows one would have to set the umask of all threads to read it.
 */
static psb_status create_temporary(psb_output *output, int *fd, psb_error *error) {
    size_t length = strlen(output->path);
    psb_status status = PSB_OK;
    char *temporary = psb_new(&status, length + sizeof suffix, 1, "a file name", error);
    if (status != PSB_OK) {
        return status;
    }
    memcpy(temporary, output->path, length);
    memcpy(temporary + length, suffix, sizeof suffix);
    errno = EEXIST;
    for (int i = 0; i < ATTEMPTS && *fd < 0 && errno == EEXIST && status == PSB_OK; i++) {
        status = choose_letters(temporary + length + sizeof suffix - 1 - RANDOM_LETTERS, error);
        if (status == PSB_OK) {
            *fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        }
    }
    if (status == PSB_OK && *fd < 0) {
        status = psb_fail_errno(error, output->path, "create");
    }
    if (status == PSB_OK && !replace_temporary(NULL, temporary)) {
        unlink(temporary);
        close(*fd);
        status = psb_fail_at(error, PSB_ERROR_IO, output->path, 0,
                             "more than %d files are being written", PLACES);
    }
    if (status == PSB_OK) {
        output->temporary = temporary;
    } else {
        free(temporary);
    }
    return status;
}

/* The descriptor of this process's output that `there` is; -1 where it is none. */
static int own_output(const struct stat *there) {
    struct stat mine;
    for (int own = STDOUT_FILENO; own <= STDERR_FILENO; own++) {
        if (fstat(own, &mine) == 0 && mine.st_dev == there->st_dev &&
            mine.st_ino == there->st_ino) {
            return own;
        }
    }
    return -1;
}

static bool is_link(const char *path) {
    struct stat link;
    return lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
}

bool psb_is_written_in_place(const char *path) {
    struct stat there;
    return stat(path, &there) == 0 &&
           (!S_ISREG(there.st_mode) || (is_link(path) && own_output(&there) >= 0));
}

/*
 * What must not be replaced by a file of that name: a device, a pipe, a folder, and a link such as
 * those in /dev to what this process writes to already. *fd is -1 where `path` is none of these.
 */
static psb_status open_in_place(const char *path, int *fd, psb_error *error) {
    struct stat there;
    *fd = -1;
    bool linked = is_link(path);
    if (stat(path, &there) != 0) {
        return linked ? psb_fail_errno(error, path, "follow the link") : PSB_OK;
    }
    int own = linked ? own_output(&there) : -1;
    if (own >= 0) {
        *fd = fcntl(own, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    } else if (!S_ISREG(there.st_mode)) {
        *fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    } else {
        return PSB_OK;
    }
    return *fd >= 0 ? PSB_OK : psb_fail_errno(error, path, "open");
}

static _Thread_local bool gathered;

void psb_outputs_gather(bool gather) {
    gathered = gather;
}

psb_status psb_output_open(const char *path, psb_output *output, psb_error *error) {
    *output = (psb_output){.one_of_many = gathered};
    size_t length = strlen(path);
    int fd = -1;
    if (length == 0) {
        return psb_fail(error, PSB_ERROR_IO, "a file without a name");
    }
    psb_status status = PSB_OK;
    output->path = psb_new_text(&status, path, length, "a file name", error);
    PSB_THEN(status, open_in_place(path, &fd, error));
    if (status == PSB_OK && fd < 0) {
        status = create_temporary(output, &fd, error);
    }
    if (status == PSB_OK) {
        output->stream = fdopen(fd, "wb");
        if (output->stream == NULL) {
            status = psb_fail_errno(error, path, "create");
            close(fd);
        }
    }
    if (status != PSB_OK) {
        psb_output_discard(output);
    }
    return status;
}

static psb_status sync_by(int (*sync)(int), const char *folder, psb_error *error) {
    psb_status status = PSB_OK;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        /* A folder that may be written to but not listed. */
        status = errno == EACCES ? PSB_OK : psb_fail_errno(error, folder, "open");
    } else if (sync(fd) != 0 && errno != EINVAL && errno != ENOTSUP) {
        /* The two mean that this file system has no such thing. */
        status = psb_fail_errno(error, folder, "force to the disk");
    }
    if (fd >= 0) {
        close(fd);
    }
    return status;
}

/* Forces the folder that holds `path` to the disk: only then is a renamed file there to stay. */
static psb_status sync_folder(const char *path, psb_error *error) {
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    psb_status status = folder != NULL ? sync_by(fsync, folder, error)
                                       : psb_fail_memory(error, "a folder name", strlen(path));
    free(folder);
    return status;
}

psb_status psb_force_to_disk(const char *folder, psb_error *error) {
    return sync_by(syncfs, folder, error);
}

/* Pipes and devices have no disk to be forced to. */
static bool force_to_disk(const psb_output *output) {
    return output->one_of_many || fsync(fileno(output->stream)) == 0 ||
           (output->temporary == NULL && (errno == EINVAL || errno == ENOTSUP));
}

psb_status psb_output_commit(psb_output *output, psb_error *error) {
    psb_status status = PSB_OK;
    if (ferror(output->stream) || fflush(output->stream) != 0 || !force_to_disk(output)) {
        status = psb_fail_errno(error, output->path, "write");
    }
    if (fclose(output->stream) != 0 && status == PSB_OK) {
        status = psb_fail_errno(error, output->path, "write");
    }
    output->stream = NULL;
    bool renames = output->temporary != NULL;
    if (status == PSB_OK && renames && rename(output->temporary, output->path) != 0) {
        status = psb_fail_errno(error, output->path, "rename into place");
    }
    if (status == PSB_OK && renames) {
        free_temporary(output);
        status = output->one_of_many ? PSB_OK : sync_folder(output->path, error);
    }
    psb_output_discard(output);
    return status;
}

void psb_output_discard(psb_output *output) {
    if (output->stream != NULL) {
        fclose(output->stream);
    }
    if (output->temporary != NULL) {
        unlink(output->temporary);
    }
    free_temporary(output);
    free(output->path);
    *output = (psb_output){.stream = NULL};
}

psb_status psb_write_file(const char *path, const void *data, size_t size, psb_error *error) {
    psb_output output;
    psb_status status = psb_output_open(path, &output, error);
    if (status != PSB_OK) {
        return status;
    }
    if (size > 0) { /* `data` of an empty text is NULL */
        fwrite(data, 1, size, output.stream);
    }
    return psb_output_commit(&output, error);
}

psb_status psb_write_one_of_many(const char *path, const void *data, size_t size,
                                 psb_error *error) {
    bool before = gathered; /* it may be written among others that are */
    psb_outputs_gather(true);
    psb_status status = psb_write_file(path, data, size, error);
    psb_outputs_gather(before);
    return status;
}

psb_status psb_write_bytes(int fd, const char *path, const char *verb, const void *data,
                           size_t size, psb_error *error) {
    for (const char *at = data; size > 0;) {
        ssize_t written = write(fd, at, size);
        if (written < 0 && errno != EINTR) {
            return psb_fail_errno(error, path, verb);
        }
        at += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return PSB_OK;
}

bool psb_holds(const char *path, const void *data, size_t size) {
    psb_input file = PSB_NO_INPUT;
    bool same = psb_is_file(path) && psb_input_open(path, &file, NULL) == PSB_OK &&
                file.size == size && (size == 0 || memcmp(file.data, data, size) == 0);
    psb_input_close(&file);
    return same;
}

static bool is_temporary(const char *name) {
    size_t length = strlen(name), ending = sizeof suffix - 1;
    if (length <= ending) {
        return false;
    }
    return memcmp(name + length - ending, suffix, ending - RANDOM_LETTERS) == 0 &&
           strspn(name + length - RANDOM_LETTERS, letters) == RANDOM_LETTERS;
}

psb_status psb_remove_temporaries(const char *folder, psb_error *error) {
    DIR *entries = opendir(folder);
    if (entries == NULL) {
        return errno == ENOENT ? PSB_OK : psb_fail_errno(error, folder, "list");
    }
    psb_status status = PSB_OK;
    const struct dirent *entry;
    while (status == PSB_OK && (entry = readdir(entries)) != NULL) {
        if (!is_temporary(entry->d_name)) {
            continue;
        }
        char *path;
        status = psb_path_join(&path, folder, entry->d_name, error);
        if (status == PSB_OK && psb_is_file(path) && unlink(path) != 0) {
            status = psb_fail_errno(error, path, "remove");
        }
        free(path);
    }
    closedir(entries);
    return status;
}

psb_status psb_make_folder(const char *path, psb_error *error) {
    size_t length = strlen(path);
    if (length == 0) {
        return psb_fail(error, PSB_ERROR_IO, "a folder without a name");
    }
    psb_status status = PSB_OK;
    char *partial = psb_new_text(&status, path, length, "a folder name", error);
    for (size_t i = 1; i <= length && status == PSB_OK; i++) {
        if (partial[i] != '/' && partial[i] != '\0') {
            continue;
        }
        char kept = partial[i];
        partial[i] = '\0';
        if (mkdir(partial, 0777) != 0) {
            int reason = errno;
            if (!psb_is_folder(partial)) {
                errno = reason;
                status = psb_fail_errno(error, partial, "make the folder");
            }
        }
        partial[i] = kept;
    }
    free(partial);
    return status;
}

bool psb_is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool psb_cut_to_file(char *path) {
    struct stat info;
    while (stat(path, &info) != 0) {
        char *slash = errno == ENOTDIR ? strrchr(path, '/') : NULL;
        if (slash == NULL) {
            return false;
        }
        *slash = '\0';
    }
    return S_ISREG(info.st_mode);
}

bool psb_is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool psb_is_empty(const char *folder) {
    DIR *entries = opendir(folder);
    if (entries == NULL) {
        return errno == ENOENT || errno == ENOTDIR;
    }
    bool empty = true;
    for (const struct dirent *entry; empty && (entry = readdir(entries)) != NULL;) {
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    }
    closedir(entries);
    return empty;
}

bool psb_is_same_file(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

char *psb_temporary_path(psb_status *status, psb_error *error) {
    const char *place = getenv("TMPDIR");
    return psb_new_format(status, error, "%s/psbench-XXXXXX",
                          place != NULL && place[0] != '\0' ? place : "/tmp");
}

psb_status psb_path_join(char **out, const char *folder, const char *name, psb_error *error) {
    size_t a = strlen(folder);
    size_t b = strlen(name);
    psb_status status = PSB_OK;
    *out = psb_new(&status, a + b + 2, 1, "a path", error);
    if (status == PSB_OK) {
        size_t slash = a > 0 && folder[a - 1] != '/' ? 1 : 0;
        memcpy(*out, folder, a);
        (*out)[a] = '/';
        memcpy(*out + a + slash, name, b + 1);
    }
    return status;
}
