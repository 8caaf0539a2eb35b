/* Input by mmap, output by temporary name and rename. */
#include "core/file.h"

#include "core/error.h"
#include "core/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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
        status = psb_fail_at(error, PSB_ERROR_IO, path, 0, "not a regular file");
    } else {
        *size = (size_t)info.st_size;
    }
    if (status != PSB_OK) {
        close(*fd);
    }
    return status;
}

psb_status psb_input_open(const char *path, psb_input *input, psb_error *error) {
    *input = (psb_input){NULL, 0};
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
    if (input->data != NULL) {
        munmap((void *)(uintptr_t)input->data, input->size);
    }
    *input = (psb_input){NULL, 0};
}

void psb_input_release(const void *data, size_t size) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = ((uintptr_t)data + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)data + size) / page * page;
    if (end > begin) {
        madvise((void *)begin, end - begin, MADV_DONTNEED);
    }
}

/* What mkstemp makes of the last six letters are letters and digits. */
static const char suffix[] = ".tmpXXXXXX";
enum { RANDOM_LETTERS = 6 };

/* Creates the temporary file beside output->path. */
static psb_status create_temporary(psb_output *output, int *fd, psb_error *error) {
    size_t length = strlen(output->path);
    void *memory;
    psb_status status = psb_alloc(&memory, length + sizeof suffix, 1, "a file name", error);
    if (status != PSB_OK) {
        return status;
    }
    output->temporary = memory;
    memcpy(output->temporary, output->path, length);
    memcpy(output->temporary + length, suffix, sizeof suffix);
    *fd = mkstemp(output->temporary);
    if (*fd < 0) {
        status = psb_fail_errno(error, output->path, "create");
        free(output->temporary);
        output->temporary = NULL;
        return status;
    }
    /* mkstemp makes private files; results are for reading by others as the umask allows. */
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(*fd, 0666 & ~mask) != 0) {
        status = psb_fail_errno(error, output->path, "create");
        close(*fd);
    }
    return status;
}

/*
 * What must not be replaced by a file of that name: a device, a pipe, a folder, and a link such as
 * those in /dev to what this process writes to already. *fd is -1 where `path` is none of these.
 */
static psb_status open_in_place(const char *path, int *fd, psb_error *error) {
    struct stat there, link, mine;
    *fd = -1;
    bool linked = lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
    if (stat(path, &there) != 0) {
        return linked ? psb_fail_errno(error, path, "follow the link") : PSB_OK;
    }
    for (int own = STDOUT_FILENO; own <= STDERR_FILENO && linked; own++) {
        if (fstat(own, &mine) == 0 && mine.st_dev == there.st_dev && mine.st_ino == there.st_ino) {
            *fd = fcntl(own, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
            return *fd >= 0 ? PSB_OK : psb_fail_errno(error, path, "open");
        }
    }
    if (!S_ISREG(there.st_mode)) {
        *fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        return *fd >= 0 ? PSB_OK : psb_fail_errno(error, path, "open");
    }
    return PSB_OK;
}

psb_status psb_output_open(const char *path, psb_output *output, psb_error *error) {
    *output = (psb_output){NULL, NULL, NULL};
    size_t length = strlen(path);
    void *memory;
    int fd = -1;
    if (length == 0) {
        return psb_fail(error, PSB_ERROR_IO, "a file without a name");
    }
    psb_status status = psb_alloc(&memory, length + 1, 1, "a file name", error);
    if (status != PSB_OK) {
        return status;
    }
    output->path = memory;
    memcpy(output->path, path, length + 1);
    status = open_in_place(path, &fd, error);
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

/* Forces the folder that holds `path` to the disk: only then is a renamed file there to stay. */
static psb_status sync_folder(const char *path, psb_error *error) {
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    if (folder == NULL) {
        return psb_fail_memory(error, "a folder name", strlen(path));
    }
    psb_status status = PSB_OK;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        /* A folder that may be written to but not listed. */
        status = errno == EACCES ? PSB_OK : psb_fail_errno(error, folder, "open");
    } else if (fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP) {
        /* The two mean that this file system has no such thing. */
        status = psb_fail_errno(error, folder, "force to the disk");
    }
    if (fd >= 0) {
        close(fd);
    }
    free(folder);
    return status;
}

/* Pipes and devices have no disk to be forced to. */
static bool force_to_disk(const psb_output *output) {
    return fsync(fileno(output->stream)) == 0 ||
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
        free(output->temporary);
        output->temporary = NULL;
        status = sync_folder(output->path, error);
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
    free(output->temporary);
    free(output->path);
    *output = (psb_output){NULL, NULL, NULL};
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

static bool is_temporary(const char *name) {
    size_t length = strlen(name), ending = sizeof suffix - 1;
    if (length <= ending) {
        return false;
    }
    const char *end = name + length - ending, *letters = name + length - RANDOM_LETTERS;
    return memcmp(end, suffix, ending - RANDOM_LETTERS) == 0 &&
           strspn(letters, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") ==
               RANDOM_LETTERS;
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
    void *memory;
    size_t length = strlen(path);
    if (length == 0) {
        return psb_fail(error, PSB_ERROR_IO, "a folder without a name");
    }
    psb_status status = psb_alloc(&memory, length + 1, 1, "a folder name", error);
    if (status != PSB_OK) {
        return status;
    }
    char *partial = memory;
    memcpy(partial, path, length + 1);
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

bool psb_is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool psb_is_same_file(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

psb_status psb_path_join(char **out, const char *folder, const char *name, psb_error *error) {
    size_t a = strlen(folder);
    size_t b = strlen(name);
    void *memory;
    psb_status status = psb_alloc(&memory, a + b + 2, 1, "a path", error);
    *out = memory;
    if (status == PSB_OK) {
        size_t slash = a > 0 && folder[a - 1] != '/' ? 1 : 0;
        memcpy(*out, folder, a);
        (*out)[a] = '/';
        memcpy(*out + a + slash, name, b + 1);
    }
    return status;
}
