/* Reads files by mmap. Writes files under a temporary name and then renames them. */
#include "core/file.h"

#include "core/beneath.h"
#include "core/clock.h"
#include "core/refused.h"
#include "core/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static const char *kind_of(mode_t mode) {
    return S_ISDIR(mode)                      ? "a folder"
           : S_ISFIFO(mode) || S_ISSOCK(mode) ? "a pipe (write it to a file first)"
                                              : "a device";
}

bool psb_is_regular(int fd) {
    struct stat info;
    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

/* Finds the size of an open regular file; closes `fd` on failure. */
static psb_status size_of(int fd, const char *path, size_t *size, psb_error *error) {
    psb_status status = PSB_OK;
    struct stat info;
    if (fstat(fd, &info) != 0) {
        status = psb_fail_errno(error, path, "stat");
    } else if (!S_ISREG(info.st_mode)) {
        status = psb_fail_at(error, PSB_ERROR_IO, path, 0, "%s, where a file is wanted",
                             kind_of(info.st_mode));
    } else {
        *size = (size_t)info.st_size;
    }
    if (status != PSB_OK) {
        close(fd);
    }
    return status;
}

/* Opens a regular file; on failure the caller has nothing to close. */
static psb_status open_regular(const char *path, int *fd, size_t *size, psb_error *error) {
    /* O_NONBLOCK: opening a named pipe must not wait for a writer that never comes. */
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    return *fd >= 0 ? size_of(*fd, path, size, error) : psb_fail_errno(error, path, "open");
}

/* Reads the file into a map of its own. A file that is shorter by now ends in zeros there, and the
 * size stays that of the map. */
static void *map_copy(int fd, size_t size) {
    char *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ssize_t n = 1;
    for (size_t done = 0; data != MAP_FAILED && n > 0 && done<size; done += n> 0 ? (size_t)n : 0) {
        n = pread(fd, data + done, size - done, (off_t)done);
    }
    if (data != MAP_FAILED && n < 0) {
        int reason = errno;
        munmap(data, size);
        errno = reason;
        data = MAP_FAILED;
    }
    return data;
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
        if (data == MAP_FAILED && psb_is_refused(PSB_REFUSED_MAP)) {
            data = map_copy(fd, size);
        }
        if (data == MAP_FAILED) {
            status = psb_fail_errno(error, path, "map");
        } else {
            *input = (psb_input){data, size};
        }
    }
    close(fd);
    return status;
}

psb_status psb_input_open_if_there(const char *path, psb_input *input, psb_error *error) {
    bool there = false;
    *input = PSB_NO_INPUT;
    psb_status status = psb_file_is_there(path, &there, error);
    return status == PSB_OK && there ? psb_input_open(path, input, error) : status;
}

/* Reads up to `length` bytes into the buffer and closes the file. */
static psb_status read_all(int fd, const char *path, size_t length, size_t most, psb_buffer *buffer,
                           size_t *size, psb_error *error) {
    psb_status status =
        length > most
            ? psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                          "a file of %zu bytes, but at most %zu are allowed", length, most)
            : psb_buffer_reserve(buffer, length + 1, 1, "a file", error);
    *size = 0;
    while (status == PSB_OK && *size < length) {
        ssize_t n = read(fd, (char *)buffer->data + *size, length - *size);
        if (n < 0) {
            status = psb_fail_errno(error, path, "read");
        } else if (n == 0) {
            length = *size; /* the file was cut short meanwhile */
        } else {
            *size += (size_t)n;
        }
    }
    close(fd);
    return status;
}

psb_status psb_input_read(const char *path, size_t most, psb_buffer *buffer, size_t *size,
                          psb_error *error) {
    int fd;
    size_t length = 0;
    psb_status status = open_regular(path, &fd, &length, error);
    return status == PSB_OK ? read_all(fd, path, length, most, buffer, size, error) : status;
}

psb_status psb_input_read_open(int fd, const char *path, size_t most, psb_buffer *buffer,
                               size_t *size, psb_error *error) {
    size_t length = 0;
    psb_status status = size_of(fd, path, &length, error);
    return status == PSB_OK ? read_all(fd, path, length, most, buffer, size, error) : status;
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

/* No other program uses such names: this one removes such files wherever it finds them. */
static const char temporary_name[] = ".psbench.tmpXXXXXX";
enum { RANDOM_LETTERS = 6, ATTEMPTS = 100 };
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/* Fills `out` with random letters and digits; that they are not equally likely does not matter, as
 * no file that exists is opened under them. */
static psb_status choose_letters(char *out, psb_error *error) {
    static atomic_ulong calls;
    unsigned char bytes[RANDOM_LETTERS];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        if (!psb_is_refused(PSB_REFUSED_RANDOM)) {
            return psb_fail_errno(error, out, "find random letters for");
        }
        const double now = psb_clock_wall();
        uint64_t mixed =
            XXH64(&now, sizeof now, (uint64_t)getpid() + (atomic_fetch_add(&calls, 1) << 32));
        memcpy(bytes, &mixed, sizeof bytes);
    }
    for (int i = 0; i < RANDOM_LETTERS; i++) {
        out[i] = letters[bytes[i] % (sizeof letters - 1)];
    }
    return PSB_OK;
}

/* The names of open temporary files, for the signal handler that removes them. Whoever swaps a name
 * out of its slot owns it, so no name is freed while the handler reads it. */
enum { PLACES = 1024 };
static _Atomic(char *) temporaries[PLACES];

/* Replaces `then` by `now` in the first slot that holds `then`; false if no slot does. */
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

/* Like psb_fail_errno; if a link below a held folder is the reason, says what the user can do. */
psb_status psb_fail_path(psb_error *error, const char *path, const char *action) {
    return errno == ELOOP && psb_is_held(path)
               ? psb_fail_at(error, PSB_ERROR_IO, path, 0,
                             "cannot %s: a link is on its way, and none is followed below a folder "
                             "of results; that folder itself may be one",
                             action)
               : psb_fail_errno(error, path, action);
}

/* Opens the folder of an output. */
static psb_status open_folder(const char *path, int *folder, const char **name, psb_error *error) {
    *folder = psb_open_folder_of(path, name);
    return *folder >= 0 ? PSB_OK : psb_fail_path(error, path, "create");
}

/* Writes the path under which linkat finds the open file. */
static void describe_open(int fd, char text[64]) {
    snprintf(text, 64, "/proc/self/fd/%d", fd);
}

/* Set when a nameless file could not be given a name: from then on files are made with one. */
static atomic_bool nameless_refused;

/* Opens a nameless file in the output's folder; *fd is -1 if the file system has none. */
static void create_nameless(psb_output *output, int *fd) {
    char link[64];
    *fd = nameless_refused ? -1 : openat(output->folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (*fd >= 0) {
        describe_open(*fd, link);
        output->nameless = access(link, F_OK) == 0;
        flock(*fd, LOCK_EX | LOCK_NB); /* as create_temporary gives it a name for a moment */
        if (!output->nameless) {       /* without /proc it could never get a name */
            close(*fd);
            *fd = -1;
        }
    }
}

/*
 * Chooses a free temporary name beside output->path; `make` creates the file of that name.
 * (mkstemp's file would be private, and making it as public as the umask allows would require
 * setting the umask of all threads to read it.)
 */
static psb_status create_temporary(psb_output *output, int *fd,
                                   int (*make)(int folder, const char *name, int fd),
                                   psb_error *error) {
    int made = -1;
    psb_status status = PSB_OK;
    int before = (int)(strlen(output->path) - strlen(output->name));
    char *temporary =
        psb_new_format(&status, error, "%.*s%s", before, output->path, temporary_name);
    if (status != PSB_OK) {
        return status;
    }
    char *chosen = temporary + strlen(temporary) - RANDOM_LETTERS;
    errno = EEXIST;
    for (int i = 0; i < ATTEMPTS && made < 0 && errno == EEXIST && status == PSB_OK; i++) {
        status = choose_letters(chosen, error);
        if (status == PSB_OK) {
            made = make(output->folder, temporary + before, *fd);
        }
    }
    PSB_THEN_IF(status, made < 0, psb_fail_errno(error, output->path, "create"));
    *fd = made >= 0 ? made : *fd;
    if (status == PSB_OK && !replace_temporary(NULL, temporary)) {
        unlinkat(output->folder, temporary + before, 0);
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

/* Creates a file and keeps it locked while it is written: an unlocked one was left by a killed
 * process. */
static int make_file(int folder, const char *name, int fd PSB_UNUSED) {
    int made = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (made >= 0) {
        flock(made, LOCK_EX | LOCK_NB);
    }
    return made;
}

/* Gives the open nameless file a name. */
static int make_name(int folder, const char *name, int fd) {
    char link[64];
    describe_open(fd, link);
    return linkat(AT_FDCWD, link, folder, name, AT_SYMLINK_FOLLOW) == 0 ? fd : -1;
}

/* Returns 1 or 2 if `there` is this process's standard output or error, else -1. */
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
 * Opens `path` itself, if it exists and must not be replaced: a device, a pipe, a folder, or a link
 * (as in /dev) to where this process already writes. *fd is -1 if `path` is none of these. Below a
 * held folder commands write only its files: a link there is replaced, whatever its target.
 */
static psb_status open_in_place(const psb_output *output, int *fd, psb_error *error) {
    struct stat there;
    const char *path = output->path;
    *fd = -1;
    if (psb_is_held(path)) {
        bool found = fstatat(output->folder, output->name, &there, AT_SYMLINK_NOFOLLOW) == 0;
        return !found || S_ISREG(there.st_mode) || S_ISLNK(there.st_mode)
                   ? PSB_OK
                   : psb_fail_at(error, PSB_ERROR_IO, path, 0, "not a regular file but %s",
                                 kind_of(there.st_mode));
    }
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

static bool is_temporary(const char *name) {
    const size_t before = sizeof temporary_name - 1 - RANDOM_LETTERS;
    return strncmp(name, temporary_name, before) == 0 && strlen(name + before) == RANDOM_LETTERS &&
           strspn(name + before, letters) == RANDOM_LETTERS;
}

/* Removes a temporary file unless a process still writes it. */
static psb_status remove_left(int folder, const char *name, const char *path, psb_error *error) {
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool left = fd >= 0 && psb_is_regular(fd) &&
                (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
    psb_status status = left && unlinkat(folder, name, 0) != 0 && errno != ENOENT
                            ? psb_fail_errno(error, path, "remove what was left in")
                            : PSB_OK;
    psb_close(fd);
    return status;
}

psb_status psb_remove_temporaries(const char *folder, psb_error *error) {
    int fd = psb_open_path(folder, O_RDONLY | O_DIRECTORY, 0);
    DIR *entries = fd >= 0 ? fdopendir(fd) : NULL;
    if (entries == NULL) {
        psb_status status = errno == ENOENT ? PSB_OK : psb_fail_path(error, folder, "list");
        psb_close(fd);
        return status;
    }
    psb_status status = PSB_OK;
    const struct dirent *entry;
    while (status == PSB_OK && (entry = readdir(entries)) != NULL) {
        if (is_temporary(entry->d_name)) {
            status = remove_left(fd, entry->d_name, folder, error);
        }
    }
    closedir(entries);
    return status;
}

/* Before the first output in a folder, removes the temporary files that killed processes left
 * there, so that any later command cleans up. Ignores files that cannot be removed. */
static void sweep_folder_of(const psb_output *output) {
    enum { FOLDERS = 64 };
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    static struct {
        dev_t device;
        ino_t number;
    } swept[FOLDERS];
    static size_t count;
    struct stat info;
    psb_status status = PSB_OK;
    size_t before = strlen(output->path) - strlen(output->name);
    PSB_FREED char *folder = psb_new_text(&status, before > 0 ? output->path : ".",
                                          before > 0 ? before : 1, "a folder name", NULL);
    if (status == PSB_OK && fstat(output->folder, &info) == 0) {
        bool known = false;
        pthread_mutex_lock(&one_at_a_time);
        for (size_t i = 0; i < count && !known; i++) {
            known = swept[i].device == info.st_dev && swept[i].number == info.st_ino;
        }
        known = known || count == FOLDERS;
        if (!known) {
            swept[count].device = info.st_dev;
            swept[count++].number = info.st_ino;
        }
        pthread_mutex_unlock(&one_at_a_time);
        if (!known) {
            psb_remove_temporaries(folder, NULL);
        }
    }
}

static _Thread_local bool gathered;

bool psb_outputs_gather(bool gather) {
    bool before = gathered;
    gathered = gather;
    return before;
}

psb_status psb_output_open(const char *path, psb_output *output, psb_error *error) {
    *output = (psb_output){.one_of_many = gathered, .folder = -1};
    size_t length = strlen(path);
    int fd = -1;
    if (length == 0) {
        return psb_fail(error, PSB_ERROR_IO, "a file without a name");
    }
    psb_status status = PSB_OK;
    output->path = psb_new_text(&status, path, length, "a file name", error);
    PSB_THEN(status, open_folder(output->path, &output->folder, &output->name, error));
    PSB_THEN(status, open_in_place(output, &fd, error));
    if (status == PSB_OK && fd < 0) {
        sweep_folder_of(output);
        create_nameless(output, &fd);
    }
    PSB_THEN_IF(status, fd < 0, create_temporary(output, &fd, make_file, error));
    if (status == PSB_OK) {
        output->stream = fdopen(fd, "wb");
        status = output->stream != NULL ? PSB_OK : psb_fail_errno(error, path, "create");
    }
    if (fd >= 0 && output->stream == NULL) {
        close(fd);
    }
    if (status != PSB_OK) {
        psb_output_discard(output);
    }
    return status;
}

static psb_status sync_by(int (*sync)(int), int at, const char *folder, psb_error *error) {
    psb_status status = PSB_OK;
    int fd = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        /* The folder may be written to but not listed. */
        status = errno == EACCES ? PSB_OK : psb_fail_errno(error, folder, "open");
    } else if (sync(fd) != 0 && !psb_is_refused(PSB_REFUSED_SYNC)) {
        status = psb_fail_errno(error, folder, "force to the disk");
    }
    psb_close(fd);
    return status;
}

psb_status psb_force_to_disk(const char *folder, psb_error *error) {
    int at = psb_open_path(folder, O_PATH | O_DIRECTORY, 0);
    psb_status status = at >= 0 ? sync_by(syncfs, at, folder, error)
                                : psb_fail_path(error, folder, "force to the disk");
    psb_close(at);
    return status;
}

/* Forces the data to the disk. Pipes, devices and file systems that cannot are no error. */
static bool force_to_disk(const psb_output *output) {
    return output->one_of_many || fsync(fileno(output->stream)) == 0 ||
           psb_is_refused(PSB_REFUSED_SYNC);
}

/* Copies the nameless file, which gets no name here, to one with a temporary name. */
static psb_status copy_to_temporary(psb_output *output, int from, psb_error *error) {
    enum { PIECE = 1 << 16 };
    int to = -1;
    psb_status status = create_temporary(output, &to, make_file, error);
    PSB_FREED char *piece = psb_new(&status, PIECE, 1, "a piece of a file", error);
    for (size_t done = 0, got = PIECE; status == PSB_OK && got > 0; done += got) {
        ssize_t n = pread(from, piece, PIECE, (off_t)done);
        got = n > 0 ? (size_t)n : 0;
        status =
            n < 0 ? psb_fail_errno(error, output->path, "read")
                  : psb_write_bytes(to, output->path, "write", piece, got, PSB_WHERE_IT_IS, error);
    }
    if (status == PSB_OK && !output->one_of_many && fsync(to) != 0 &&
        !psb_is_refused(PSB_REFUSED_SYNC)) {
        status = psb_fail_errno(error, output->path, "write");
    }
    if (to >= 0 && close(to) != 0 && status == PSB_OK) {
        status = psb_fail_errno(error, output->path, "write");
    }
    return status;
}

/* Links the nameless file to the output's name if that name is free. If it is taken, only a rename
 * can replace the old file, so the new one first gets a temporary name. */
static psb_status give_name(psb_output *output, psb_error *error) {
    int fd = fileno(output->stream);
    if (make_name(output->folder, output->name, fd) >= 0) {
        return PSB_OK;
    }
    if (errno == EEXIST) {
        return create_temporary(output, &fd, make_name, error);
    }
    if (!psb_is_refused(PSB_REFUSED_LINK)) {
        return psb_fail_errno(error, output->path, "create");
    }
    nameless_refused = true;
    return copy_to_temporary(output, fd, error);
}

/* Gives the temporary file the output's name, which another file may have had. */
static psb_status rename_into_place(const psb_output *output, psb_error *error) {
    const char *now = psb_last_part(output->temporary);
    bool renamed = renameat(output->folder, now, output->folder, output->name) == 0;
    if (!renamed && psb_is_refused(PSB_REFUSED_RENAME)) {
        char folder[64];
        psb_status status = PSB_OK;
        describe_open(output->folder, folder);
        PSB_FREED char *from = psb_new_format(&status, error, "%s/%s", folder, now);
        PSB_FREED char *to = psb_new_format(&status, error, "%s/%s", folder, output->name);
        renamed = status == PSB_OK && rename(from, to) == 0;
        if (status != PSB_OK) {
            return status;
        }
    }
    return renamed ? PSB_OK : psb_fail_errno(error, output->path, "rename into place");
}

psb_status psb_output_commit(psb_output *output, psb_error *error) {
    psb_status status = PSB_OK;
    bool failed = ferror(output->stream) != 0;
    if (failed) { /* errno is no longer that of the write that failed: the next one fails alike */
        errno = EIO;
        putc('\n', output->stream);
    }
    if (fflush(output->stream) != 0 || failed || !force_to_disk(output)) {
        status = psb_fail_errno(error, output->path, "write");
    }
    bool appears = output->nameless || output->temporary != NULL;
    PSB_THEN_IF(status, output->nameless, give_name(output, error));
    if (fclose(output->stream) != 0 && status == PSB_OK) {
        status = psb_fail_errno(error, output->path, "write");
    }
    output->stream = NULL;
    bool renames = output->temporary != NULL;
    PSB_THEN_IF(status, renames, rename_into_place(output, error));
    if (status == PSB_OK && renames) {
        free_temporary(output);
    }
    if (status == PSB_OK && appears && !output->one_of_many) { /* keeps the name after a crash */
        status = sync_by(fsync, output->folder, output->path, error);
    }
    psb_output_discard(output);
    return status;
}

void psb_output_discard(psb_output *output) {
    if (output->stream != NULL) {
        fclose(output->stream);
    }
    if (output->temporary != NULL) {
        unlinkat(output->folder, psb_last_part(output->temporary), 0);
    }
    free_temporary(output);
    psb_close(output->path != NULL ? output->folder : -1);
    free(output->path);
    *output = (psb_output){.stream = NULL};
}

/* Whether the output's name is a second name of the file that is open. */
static bool has_name(const psb_output *output, int fd) {
    struct stat named, open;
    return fstatat(output->folder, output->name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           fstat(fd, &open) == 0 && named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

/* As psb_link_file, of a file that is open, which does not have the name yet. */
static psb_status link_open(psb_output *output, int fd, bool *linked, psb_error *error) {
    *linked = make_name(output->folder, output->name, fd) >= 0;
    if (*linked || psb_is_refused(PSB_REFUSED_LINK)) {
        return PSB_OK;
    }
    psb_status status = errno == EEXIST ? create_temporary(output, &fd, make_name, error)
                                        : psb_fail_errno(error, output->path, "create");
    PSB_THEN(status, rename_into_place(output, error));
    if (status == PSB_OK) {
        *linked = true;
        free_temporary(output);
    }
    return status;
}

psb_status psb_link_file(const char *from, const char *path, bool *linked, psb_error *error) {
    PSB_AT_END(psb_output_discard) psb_output output = {.folder = -1};
    int in_place = -1;
    psb_status status = PSB_OK;
    *linked = false;
    output.path = psb_new_copy(&status, path, "a file name", error);
    PSB_THEN(status, open_folder(output.path, &output.folder, &output.name, error));
    PSB_THEN(status, open_in_place(&output, &in_place, error));
    int fd = status == PSB_OK && in_place < 0 ? psb_open_path(from, O_RDONLY, 0) : -1;
    if (fd >= 0) {
        sweep_folder_of(&output);
        *linked = has_name(&output, fd);
        status = *linked ? PSB_OK : link_open(&output, fd, linked, error);
        close(fd);
    } else if (status == PSB_OK && in_place < 0) {
        status = psb_fail_path(error, from, "open");
    }
    psb_close(in_place);
    return status;
}

psb_status psb_write_file(const char *path, const void *data, size_t size, psb_error *error) {
    psb_output output;
    psb_status status = psb_output_open(path, &output, error);
    if (status != PSB_OK) {
        return status;
    }
    if (size > 0) { /* `data` may be NULL if it is empty */
        fwrite(data, 1, size, output.stream);
    }
    return psb_output_commit(&output, error);
}

psb_status psb_write_one_of_many(const char *path, const void *data, size_t size,
                                 psb_error *error) {
    bool before = psb_outputs_gather(true);
    psb_status status = psb_write_file(path, data, size, error);
    psb_outputs_gather(before);
    return status;
}

psb_status psb_write_bytes(int fd, const char *path, const char *verb, const void *data,
                           size_t size, size_t at, psb_error *error) {
    const char *bytes = data;
    for (size_t done = 0; done < size;) {
        ssize_t written = at == PSB_WHERE_IT_IS
                              ? write(fd, bytes + done, size - done)
                              : pwrite(fd, bytes + done, size - done, (off_t)(at + done));
        if (written < 0 && errno != EINTR) {
            return psb_fail_errno(error, path, verb);
        }
        done += written > 0 ? (size_t)written : 0;
    }
    return PSB_OK;
}

psb_status psb_lengthen(int fd, const char *path, const char *verb, size_t size, psb_error *error) {
    if (ftruncate(fd, (off_t)size) == 0) {
        return PSB_OK;
    }
    return psb_is_refused(PSB_REFUSED_RESIZE)
               ? psb_write_bytes(fd, path, verb, "", 1, size - 1, error)
               : psb_fail_errno(error, path, verb);
}

bool psb_holds(const char *path, const void *data, size_t size) {
    PSB_AT_END(psb_input_close) psb_input file = PSB_NO_INPUT;
    return psb_is_file(path) && psb_input_open(path, &file, NULL) == PSB_OK && file.size == size &&
           (size == 0 || memcmp(file.data, data, size) == 0);
}

psb_status psb_remove(const char *path, int kind, psb_error *error) {
    const char *name;
    int folder = psb_open_folder_of(path, &name);
    psb_status status =
        (folder < 0 || unlinkat(folder, name, kind) != 0) && errno != ENOENT && errno != ENOTDIR
            ? psb_fail_path(error, path, "remove")
            : PSB_OK;
    psb_close(folder);
    return status;
}

psb_status psb_remove_beneath(const char *folder, const char *name, psb_error *error) {
    int held = 0;
    psb_status status = PSB_OK;
    PSB_FREED char *path = psb_new_format(&status, error, "%s/%s", folder, name);
    PSB_THEN(status, psb_hold_folder(folder, &held, error));
    PSB_THEN_IF(status, !psb_name_stays_below(name, strlen(name)),
                psb_fail_at(error, PSB_ERROR_IO, path, 0, "cannot remove: the name leads out"));
    PSB_THEN(status, psb_remove(path, 0, error));
    psb_let_go(held);
    return status;
}

/* Like mkdir, but follows no links below a held folder, and an existing folder is no error. */
static psb_status make_one(const char *path, psb_error *error) {
    const char *name;
    int folder = psb_open_folder_of(path, &name);
    bool fine = folder >= 0 && mkdirat(folder, name, 0777) == 0;
    psb_status status = PSB_OK;
    if (!fine) {
        int reason = errno;
        int there = psb_open_path(path, O_PATH | O_DIRECTORY, 0);
        bool is_file = reason == EEXIST && errno == ENOTDIR;
        errno = reason == EEXIST ? errno : reason; /* why `path` did not open */
        if (there < 0) {
            status = is_file ? psb_fail_at(error, PSB_ERROR_IO, path, 0,
                                           "cannot make the folder: a file has this name; give "
                                           "another name")
                             : psb_fail_path(error, path, "make the folder");
        }
        psb_close(there);
    }
    psb_close(folder);
    return status;
}

psb_status psb_make_folder(const char *path, psb_error *error) {
    size_t length = strlen(path);
    if (length == 0) {
        return psb_fail(error, PSB_ERROR_IO, "a folder without a name");
    }
    psb_status status = PSB_OK;
    PSB_FREED char *partial = psb_new_text(&status, path, length, "a folder name", error);
    for (size_t i = 1; i <= length && status == PSB_OK; i++) {
        if ((partial[i] == '/' || partial[i] == '\0') && partial[i - 1] != '/') {
            char kept = partial[i];
            partial[i] = '\0';
            status = make_one(partial, error);
            partial[i] = kept;
        }
    }
    return status;
}

bool psb_is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Sets *there if `path` is a file of that kind. */
static psb_status look_for(const char *path, mode_t kind, bool *there, psb_error *error) {
    struct stat info;
    bool found = stat(path, &info) == 0;
    *there = found && (info.st_mode & S_IFMT) == kind;
    return found || errno == ENOENT || errno == ENOTDIR
               ? PSB_OK
               : psb_fail_errno(error, path, "look at the file");
}

psb_status psb_file_is_there(const char *path, bool *there, psb_error *error) {
    return look_for(path, S_IFREG, there, error);
}

psb_status psb_folder_is_there(const char *path, bool *there, psb_error *error) {
    return look_for(path, S_IFDIR, there, error);
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

psb_status psb_folder_is_empty(const char *folder, bool *empty, psb_error *error) {
    DIR *entries = opendir(folder);
    *empty = true;
    if (entries == NULL) {
        return errno == ENOENT || errno == ENOTDIR ? PSB_OK : psb_fail_errno(error, folder, "list");
    }
    errno = 0;
    for (const struct dirent *entry; *empty && (entry = readdir(entries)) != NULL;) {
        *empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    }
    psb_status status = *empty && errno != 0 ? psb_fail_errno(error, folder, "list") : PSB_OK;
    closedir(entries);
    return status;
}

const char *psb_last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
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

psb_status psb_temporary_folder(char **folder, psb_error *error) {
    psb_status status = PSB_OK;
    *folder = psb_temporary_path(&status, error);
    return status == PSB_OK && mkdtemp(*folder) == NULL
               ? psb_fail_errno(error, *folder, "make the folder")
               : status;
}

static int remove_one(const char *path, const struct stat *info PSB_UNUSED, int kind PSB_UNUSED,
                      struct FTW *place PSB_UNUSED) {
    return remove(path);
}

void psb_temporary_remove(const char *folder) {
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

psb_status psb_path_join(char **out, const char *folder, const char *name, psb_error *error) {
    size_t length = strlen(folder);
    bool open = length > 0 && folder[length - 1] != '/';
    psb_status status = PSB_OK;
    *out = psb_new_format(&status, error, "%s%s%s", folder, open ? "/" : "", name);
    return status;
}
