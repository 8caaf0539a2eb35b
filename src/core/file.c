/* Input by mmap, output by temporary name and rename. */
#include "core/file.h"

#include "core/error.h"
#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

psb_status psb_input_open(const char *path, psb_input *input, psb_error *error) {
    *input = (psb_input){NULL, 0};
    /* O_NONBLOCK: opening a named pipe must not wait for a writer that never comes. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return psb_fail_errno(error, path, "open");
    }
    psb_status status = PSB_OK;
    struct stat info;
    if (fstat(fd, &info) != 0) {
        status = psb_fail_errno(error, path, "stat");
    } else if (!S_ISREG(info.st_mode)) {
        status = psb_fail_at(error, PSB_ERROR_IO, path, 0, "not a regular file");
    } else if (info.st_size > 0) {
        void *data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data == MAP_FAILED) {
            status = psb_fail_errno(error, path, "map");
        } else {
            *input = (psb_input){data, (size_t)info.st_size};
        }
    }
    close(fd);
    return status;
}

void psb_input_close(psb_input *input) {
    if (input->data != NULL) {
        munmap((void *)(uintptr_t)input->data, input->size);
    }
    *input = (psb_input){NULL, 0};
}

psb_status psb_output_open(const char *path, psb_output *output, psb_error *error) {
    *output = (psb_output){NULL, NULL, NULL};
    static const char suffix[] = ".tmpXXXXXX";
    size_t length = strlen(path);
    void *memory;
    psb_status status = psb_alloc(&memory, length + 1, 1, "a file name", error);
    if (status != PSB_OK) {
        return status;
    }
    output->path = memory;
    memcpy(output->path, path, length + 1);
    status = psb_alloc(&memory, length + sizeof suffix, 1, "a file name", error);
    if (status != PSB_OK) {
        psb_output_discard(output);
        return status;
    }
    output->temporary = memory;
    memcpy(output->temporary, path, length);
    memcpy(output->temporary + length, suffix, sizeof suffix);
    int fd = mkstemp(output->temporary);
    if (fd < 0) {
        status = psb_fail_errno(error, path, "create");
        free(output->temporary);
        output->temporary = NULL;
        psb_output_discard(output);
        return status;
    }
    /* mkstemp makes private files; results are for reading by others as the umask allows. */
    mode_t mask = umask(0);
    umask(mask);
    output->stream = fchmod(fd, 0666 & ~mask) == 0 ? fdopen(fd, "wb") : NULL;
    if (output->stream == NULL) {
        status = psb_fail_errno(error, path, "create");
        close(fd);
        psb_output_discard(output);
    }
    return status;
}

psb_status psb_output_commit(psb_output *output, psb_error *error) {
    psb_status status = PSB_OK;
    if (ferror(output->stream) || fflush(output->stream) != 0 ||
        fsync(fileno(output->stream)) != 0) {
        status = psb_fail_errno(error, output->path, "write");
    }
    if (fclose(output->stream) != 0 && status == PSB_OK) {
        status = psb_fail_errno(error, output->path, "write");
    }
    output->stream = NULL;
    if (status == PSB_OK && rename(output->temporary, output->path) != 0) {
        status = psb_fail_errno(error, output->path, "rename into place");
    }
    if (status == PSB_OK) {
        free(output->temporary);
        output->temporary = NULL;
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
