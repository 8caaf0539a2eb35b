/*
 * When the archive is opened, one pass over a tar's headers, or a ZIP's directory
 * (io/zip.h), notes where each file is. Later each file gets a reader of its own that
 * starts at the file's header. libarchive's ZIP reader is the streaming one, which can start
 * anywhere.
 */
#include "io/archive.h"

#include "core/file.h"
#include "io/gzip.h"
#include "io/mesh.h"
#include "io/name.h"
#include "io/zip.h"

#ifdef PSB_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    NAME_MOST = 1024,    /* bytes; a file with a longer name is left out */
    FREE_FILES = 100000, /* files in any archive; one more for each BYTES_PER_FILE of it */
    BYTES_PER_FILE = 16,
};

typedef struct file {
    char *name;
    int64_t position;      /* where its header begins */
    uint64_t size, packed; /* packed: bytes in the archive, header included */
    uint64_t hash;         /* in a ZIP: of the name as it is in the archive */
} file;

/* Sorted by name, without duplicates. */
typedef PSB_ARRAY(file) files;

struct psb_archive {
    char *path;
    int handle; /* the archive, or the file with the unpacked tar */
    struct stat info;
    bool zip;
    files meshes;
    files others; /* files that a mesh may refer to */
};

static void free_files(const files *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].name);
    }
    free(list->items);
}

void psb_archive_close(psb_archive *archive) {
    if (archive != NULL) {
        free_files(&archive->meshes);
        free_files(&archive->others);
        if (archive->handle >= 0) {
            close(archive->handle);
        }
        free(archive->path);
        free(archive);
    }
}

/* ---- names ----------------------------------------------------------------------------- */

/* Like strcmp, but several '/' in the path count as one. With `folder`, the path gets a '/' at its
 * end. */
static int compare(const char *path, const char *name, bool folder) {
    for (; *path != '\0' && *path == *name; path++, name++) {
        while (path[0] == '/' && path[1] == '/') {
            path++;
        }
    }
    char next = *path == '\0' && folder ? '/' : *path;
    return (int)(unsigned char)next - (int)(unsigned char)*name;
}

/* Returns the part of the path after the archive's own path; NULL if the path is not in this
 * archive. */
static const char *name_in(const psb_archive *archive, const char *path) {
    size_t length = strlen(archive->path);
    if (strncmp(path, archive->path, length) != 0 ||
        (path[length] != '/' && path[length] != '\0')) {
        return NULL;
    }
    return path + length + strspn(path + length, "/");
}

/* Finds the first file that does not sort before the name, or (with `folder`) before the folder's
 * files. */
static size_t first_from(const files *list, const char *name, bool folder) {
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(name, list->items[middle].name, folder) > 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static const file *find_in(const files *list, const char *name) {
    size_t at = first_from(list, name, false);
    return at < list->count && compare(name, list->items[at].name, false) == 0 ? &list->items[at]
                                                                               : NULL;
}

static const file *find(const psb_archive *archive, const char *path) {
    const char *name = name_in(archive, path);
    if (name == NULL) {
        return NULL;
    }
    const file *mesh = find_in(&archive->meshes, name);
    return mesh != NULL ? mesh : find_in(&archive->others, name);
}

size_t psb_archive_first(const psb_archive *archive, const char *folder) {
    const char *name = name_in(archive, folder);
    return name == NULL      ? archive->meshes.count
           : name[0] == '\0' ? 0
                             : first_from(&archive->meshes, name, true);
}

const char *psb_archive_below(const psb_archive *archive, const char *folder, size_t number) {
    const char *top = name_in(archive, folder);
    if (top == NULL || number >= archive->meshes.count) {
        return NULL;
    }
    const char *name = archive->meshes.items[number].name;
    size_t length = strlen(top);
    if (length == 0) {
        return name;
    }
    return strncmp(name, top, length) == 0 && name[length] == '/' ? name + length + 1 : NULL;
}

bool psb_archive_look(const psb_archive *archive, const char *path, uint64_t *size, int64_t *time) {
    struct stat info;
    const file *f = archive != NULL ? find(archive, path) : NULL;
    if (archive != NULL ? f == NULL : stat(path, &info) != 0) {
        return false;
    }
    const struct timespec *changed = archive != NULL ? &archive->info.st_mtim : &info.st_mtim;
    *size = archive != NULL ? f->size : (uint64_t)info.st_size;
    *time = (int64_t)changed->tv_sec * 1000000000 + changed->tv_nsec;
    return true;
}

psb_status psb_archive_find(const psb_archive *archive, const char *path, bool *there,
                            psb_error *error) {
    *there = archive != NULL && find(archive, path) != NULL;
    /* The file system has no file whose name is too long for it. */
    bool long_name = archive == NULL && access(path, F_OK) != 0 && errno == ENAMETOOLONG;
    return archive != NULL || long_name ? PSB_OK : psb_file_is_there(path, there, error);
}

/* Checks that there is memory for as much as any small file may unpack to. */
static psb_status ask_for_memory(psb_error *error) {
    return psb_ask_for_memory(psb_unpack_most(0, SIZE_MAX), "an archive", error);
}

#ifdef PSB_LIBARCHIVE

const char *psb_archive_version(void) {
    return ARCHIVE_VERSION_ONLY_STRING;
}

/* ---- bytes ----------------------------------------------------------------------------- */

/* The position of a reader in the archive's bytes. */
typedef struct feed {
    int handle;
    int64_t at, end;
    int failed; /* errno of a failed disk read, or 0 */
    char block[1 << 16];
} feed;

static la_ssize_t feed_block(struct archive *a, void *context, const void **block) {
    feed *f = context;
    *block = f->block;
    ssize_t got = pread(f->handle, f->block, sizeof f->block, f->at);
    f->at += got > 0 ? got : 0;
    if (got < 0) {
        f->failed = errno;
        archive_set_error(a, errno, "it cannot be read: %s", strerror(errno));
    }
    return got;
}

static la_int64_t skip_bytes(struct archive *a PSB_UNUSED, void *context, la_int64_t request) {
    feed *f = context;
    int64_t left = f->end > f->at ? f->end - f->at : 0, step = request < left ? request : left;
    f->at += step;
    return step;
}

/* Reports a failure of memory or disk. If neither failed, returns PSB_ERROR_INPUT without a
 * message. */
static psb_status fail_of_machine(const char *path, struct archive *a, const feed *f,
                                  psb_error *error) {
    if (f->failed != 0) {
        errno = f->failed;
        return psb_fail_errno(error, path, "read");
    }
    return archive_errno(a) == ENOMEM ? psb_fail_memory(error, "an archive", sizeof *f)
                                      : PSB_ERROR_INPUT;
}

/* Starts a reader at `position`: of a packed stream of bytes if `packed`, else of files. Free *a in
 * any case. */
static psb_status start(const psb_archive *archive, int64_t position, bool packed, feed *f,
                        struct archive **a, psb_error *error) {
    struct stat info;
    *a = archive_read_new();
    if (*a == NULL) {
        return psb_fail_memory(error, "an archive", sizeof *f);
    }
    f->handle = archive->handle;
    f->at = position;
    f->failed = 0;
    f->end = fstat(f->handle, &info) == 0 ? info.st_size : 0;
    /* Fails if a format is not registered: an archive of that format would seem to be none. */
    bool known = packed ? archive_read_support_filter_gzip(*a) >= ARCHIVE_WARN &&
                              archive_read_support_filter_xz(*a) >= ARCHIVE_WARN &&
                              archive_read_support_filter_zstd(*a) >= ARCHIVE_WARN &&
                              archive_read_support_format_raw(*a) >= ARCHIVE_WARN
                        : archive_read_support_format_tar(*a) >= ARCHIVE_WARN &&
                              archive_read_support_format_zip_streamable(*a) >= ARCHIVE_WARN;
    known = known && archive_read_set_read_callback(*a, feed_block) == ARCHIVE_OK &&
            archive_read_set_skip_callback(*a, skip_bytes) == ARCHIVE_OK &&
            archive_read_set_callback_data(*a, f) == ARCHIVE_OK;
    if (!known) {
        return psb_fail_memory(error, "an archive", sizeof *f);
    }
    psb_status status = archive_read_open1(*a) == ARCHIVE_OK
                            ? PSB_OK
                            : fail_of_machine(archive->path, *a, f, error);
    return status != PSB_ERROR_INPUT ? status
                                     : psb_fail_at(error, PSB_ERROR_INPUT, archive->path, 0,
                                                   "neither a folder of models nor an archive "
                                                   "(tar, tar.gz, tar.xz, tar.zst or zip)");
}

static psb_status fail_damaged(const char *path, struct archive *a, const feed *f,
                               psb_error *error) {
    psb_status status = fail_of_machine(path, a, f, error);
    if (status != PSB_ERROR_INPUT) {
        return status;
    }
    const char *why = archive_error_string(a);
    char text[160];
    snprintf(text, sizeof text, "%.150s", why != NULL ? why : "it is damaged");
    psb_text_hide_controls(text);
    return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "the archive cannot be read: %s", text);
}

/* Gets the next bytes of a file, which must follow the `done` bytes before; *length is 0 at its
 * end. */
static psb_status next_bytes(struct archive *a, const feed *f, const char *path, uint64_t done,
                             const void **bytes, size_t *length, psb_error *error) {
    la_int64_t offset = (la_int64_t)done;
    *length = 0;
    int result = archive_read_data_block(a, bytes, length, &offset);
    if (result == ARCHIVE_EOF) {
        *length = 0;
        return PSB_OK;
    }
    if (result < ARCHIVE_WARN) {
        return fail_damaged(path, a, f, error);
    }
    return offset == (la_int64_t)done ? PSB_OK
                                      : psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                                                    "a sparse file: pack it without --sparse");
}

/* Reads the next header into an entry of ours, because libarchive uses its own without checking
 * that memory for it was there. Free *entry with archive_entry_free. */
static int next_header(struct archive *a, struct archive_entry **entry) {
    *entry = *entry != NULL ? archive_entry_clear(*entry) : archive_entry_new2(a);
    if (*entry == NULL) {
        archive_set_error(a, ENOMEM, "out of memory");
        return ARCHIVE_FATAL;
    }
    return archive_read_next_header2(a, *entry);
}

/* ---- packed tars ----------------------------------------------------------------------- */

static psb_status open_temporary(int *handle, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *path = psb_temporary_path(&status, error);
    if (status == PSB_OK && (*handle = mkostemp(path, O_CLOEXEC)) < 0) {
        status = psb_fail_errno(error, path, "create, to unpack an archive into it,");
    } else if (status == PSB_OK) {
        unlink(path);
    }
    return status;
}

static psb_status unpack(psb_archive *archive, struct archive *a, const feed *f, psb_error *error) {
    size_t most = psb_unpack_most((size_t)archive->info.st_size, SIZE_MAX), length = 1;
    int handle = -1;
    psb_status status = open_temporary(&handle, error);
    for (uint64_t done = 0; status == PSB_OK && length > 0; done += length) {
        const void *bytes;
        status = next_bytes(a, f, archive->path, done, &bytes, &length, error);
        PSB_THEN_IF(status, length > most - done,
                    psb_fail_at(error, PSB_ERROR_INPUT, archive->path, 0,
                                "unpacks to more than the %zu bytes that are allowed", most));
        PSB_THEN(status, psb_write_bytes(handle, archive->path, "unpack (TMPDIR names where to)",
                                         bytes, length, PSB_WHERE_IT_IS, error));
    }
    if (handle >= 0) {
        close(archive->handle);
        archive->handle = handle;
    }
    return status;
}

/* If the whole archive is packed, unpacks it into a temporary file, which becomes the archive. */
static psb_status unpack_packed(psb_archive *archive, psb_error *error) {
    feed f;
    struct archive *a = NULL;
    struct archive_entry *entry = NULL;
    /* Without memory the xz reader of libarchive 3.6 follows a null pointer. */
    psb_status status = ask_for_memory(error);
    PSB_THEN(status, start(archive, 0, true, &f, &a, error));
    PSB_THEN_IF(status, next_header(a, &entry) < ARCHIVE_WARN,
                fail_damaged(archive->path, a, &f, error));
    PSB_THEN_IF(status, archive_filter_count(a) > 1, unpack(archive, a, &f, error));
    archive_entry_free(entry);
    archive_read_free(a);
    return status;
}

/* ---- the headers ----------------------------------------------------------------------- */

/* Reasons to leave a file out. */
typedef enum reason { KEPT, NAMELESS, NO_FILE, OUTSIDE, ENCRYPTED, REPLACED, REASONS } reason;

typedef struct pass {
    psb_archive *archive;
    struct archive *a;
    const feed *feed;
    size_t most;
    size_t left_out[REASONS];
    psb_text first[REASONS];
    psb_error *error;
} pass;

static void leave_out(pass *p, reason why, const char *name) {
    if (p->left_out[why]++ == 0) {
        psb_text_printf(&p->first[why], "%.200s", name);
    }
}

/* Returns the name without "./" in front. */
static const char *without_dot(const char *name) {
    while (name != NULL && name[0] == '.' && name[1] == '/') {
        name += 2 + strspn(name + 2, "/");
    }
    return name;
}

/* Returns the name of a file in a tar; NULL if it has none. */
static const char *name_of(struct archive_entry *entry) {
    /* The first name is in the locale's characters, which may not have some of UTF-8's. */
    const char *name = archive_entry_pathname(entry);
    name = name != NULL ? name : archive_entry_pathname_utf8(entry);
    return name != NULL ? without_dot(name) : NULL;
}

static reason judge_name(const char *name, bool encrypted) {
    size_t length = strlen(name);
    return length > NAME_MOST || !psb_name_stays_below(name, length) ? OUTSIDE
           : encrypted                                               ? ENCRYPTED
                                                                     : KEPT;
}

static reason judge(struct archive_entry *entry, const char *name) {
    bool special = archive_entry_filetype(entry) != AE_IFREG ||
                   archive_entry_hardlink(entry) != NULL || archive_entry_sparse_count(entry) > 0;
    return special        ? NO_FILE
           : name == NULL ? NAMELESS
                          : judge_name(name, archive_entry_is_data_encrypted(entry) != 0);
}

/* Finds the size of a file that states it only after its bytes. */
static psb_status count_bytes(const pass *p, uint64_t *size) {
    psb_status status = PSB_OK;
    const void *bytes;
    for (size_t length = 1; status == PSB_OK && length > 0; *size += length) {
        status = next_bytes(p->a, p->feed, p->archive->path, *size, &bytes, &length, p->error);
    }
    return status;
}

/* Adds a file to the archive's meshes or others; *kept is where it is. */
static psb_status keep(pass *p, const file *f, const char *name, file **kept) {
    psb_archive *archive = p->archive;
    files *list = psb_mesh_ending_of(name) != SIZE_MAX ? &archive->meshes : &archive->others;
    psb_status status = PSB_OK;
    if (archive->meshes.count + archive->others.count >= p->most) {
        return psb_fail_at(p->error, PSB_ERROR_INPUT, archive->path, 0,
                           "more than %zu files, but an archive of its size may have no more",
                           p->most);
    }
    PSB_ARRAY_ROOM(&status, list, "an archive", p->error);
    char *own = psb_new_copy(&status, name, "a file's name", p->error);
    if (status == PSB_OK) {
        *kept = &list->items[list->count++];
        **kept = *f;
        (*kept)->name = own;
    }
    return status;
}

static psb_status keep_of_tar(pass *p, struct archive_entry *entry, const char *name, file **kept) {
    file f = {.position = archive_read_header_position(p->a)};
    psb_status status = PSB_OK;
    if (archive_entry_size_is_set(entry)) {
        la_int64_t size = archive_entry_size(entry);
        f.size = size > 0 ? (uint64_t)size : 0;
    } else {
        status = count_bytes(p, &f.size);
    }
    return PSB_THEN(status, keep(p, &f, name, kept));
}

static psb_status read_headers(pass *p) {
    psb_archive *archive = p->archive;
    struct archive_entry *entry = NULL;
    psb_status status = PSB_OK;
    file *open = NULL;
    int result;
    while (status == PSB_OK && (result = next_header(p->a, &entry)) != ARCHIVE_EOF) {
        if (result < ARCHIVE_WARN) {
            status = fail_damaged(archive->path, p->a, p->feed, p->error);
            break;
        }
        int64_t position = archive_read_header_position(p->a);
        const char *name = name_of(entry);
        if (open != NULL) {
            open->packed = (uint64_t)(position - open->position);
            open = NULL;
        }
        reason why = judge(entry, name);
        if (why == KEPT) {
            status = keep_of_tar(p, entry, name, &open);
        } else if (archive_entry_filetype(entry) != AE_IFDIR) {
            leave_out(p, why, name != NULL ? name : "?");
        }
    }
    if (open != NULL) {
        open->packed = (uint64_t)archive->info.st_size;
    }
    archive_entry_free(entry);
    return status;
}

/* The same for a ZIP, by its directory. */
static psb_status read_directory(pass *p) {
    psb_archive *archive = p->archive;
    PSB_AT_END(psb_zip_close) psb_zip zip = {0};
    bool more = true;
    psb_status status = psb_zip_open(&zip, archive->path, archive->handle, NULL,
                                     (uint64_t)archive->info.st_size, p->error);
    while (status == PSB_OK && more) {
        status = psb_zip_next(&zip, &more, p->error);
        if (status != PSB_OK || !more || zip.file.folder) {
            continue;
        }
        const char *name = without_dot(zip.file.name.data);
        file *kept, f = {.position = zip.file.position,
                         .size = zip.file.size,
                         .packed = zip.file.packed,
                         .hash = zip.file.hash};
        reason why = strlen(zip.file.name.data) < zip.file.name.length ? OUTSIDE
                     : name[0] == '\0'                                 ? NAMELESS
                     : zip.file.special                                ? NO_FILE
                                        : judge_name(name, zip.file.encrypted);
        if (why == KEPT) {
            status = keep(p, &f, name, &kept);
        } else {
            leave_out(p, why, name);
        }
    }
    return status;
}

static int by_name(const void *a, const void *b) {
    const file *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->position > y->position) - (x->position < y->position);
}

/* Of several files with one name keeps the last, as programs that unpack them do. */
static void sort_files(pass *p, files *list) {
    size_t kept = 0;
    psb_sort(list->items, list->count, sizeof *list->items, by_name);
    for (size_t i = 0; i < list->count; i++) {
        if (kept > 0 && strcmp(list->items[kept - 1].name, list->items[i].name) == 0) {
            leave_out(p, REPLACED, list->items[i].name);
            free(list->items[--kept].name);
        }
        list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

/* Writes notes on what was left out, if the whole archive could be read. */
static void tell(pass *p, psb_status status, psb_text *notes) {
    static const char *const whys[REASONS] = {
        [NAMELESS] = "files without a name",
        [NO_FILE] = "links, devices and files with holes",
        [OUTSIDE] = "files whose names lead out of it, or are too long,",
        [ENCRYPTED] = "encrypted files",
        [REPLACED] = "files with a later file of the same name",
    };
    for (reason why = NAMELESS; why < REASONS; why++) {
        if (status == PSB_OK && p->left_out[why] > 0) {
            psb_text_add_plain(notes, p->archive->path);
            psb_text_printf(notes, ": %s are left out: %zu, the first is ", whys[why],
                            p->left_out[why]);
            psb_text_add_plain(notes, p->first[why].failed ? "" : p->first[why].data);
            psb_text_add(notes, "\n");
        }
        psb_text_free(&p->first[why]);
    }
}

/* Notes where each file is. */
static psb_status open_bytes(psb_archive *archive, psb_text *notes, psb_error *error) {
    feed f;
    pass p = {.archive = archive, .feed = &f, .error = error};
    p.most = FREE_FILES + (size_t)archive->info.st_size / BYTES_PER_FILE;
    psb_status status = PSB_OK;
    if (archive->zip) {
        status = read_directory(&p);
    } else {
        status = unpack_packed(archive, error);
        PSB_THEN(status, start(archive, 0, false, &f, &p.a, error));
        PSB_THEN(status, read_headers(&p));
        archive_read_free(p.a);
    }
    sort_files(&p, &archive->meshes);
    sort_files(&p, &archive->others);
    tell(&p, status, notes);
    return status;
}

/* ---- one file -------------------------------------------------------------------------- */

static psb_status find_header(const psb_archive *archive, const file *f, struct archive *a,
                              const feed *from, const char *path, psb_error *error) {
    struct archive_entry *entry = NULL;
    int result = next_header(a, &entry);
    psb_status status =
        result < ARCHIVE_WARN ? fail_of_machine(path, a, from, error) : PSB_ERROR_INPUT;
    if (status == PSB_ERROR_INPUT) {
        bool there = result >= ARCHIVE_WARN && result != ARCHIVE_EOF;
        const char *name = there && !archive->zip ? name_of(entry) : NULL;
        bool same = archive->zip ? psb_zip_hash_at(archive->handle, f->position) == f->hash
                                 : name != NULL && strcmp(name, f->name) == 0;
        status = there && same ? PSB_OK
                               : psb_fail_at(error, PSB_ERROR_IO, path, 0,
                                             "is not where it was when the archive was opened");
    }
    archive_entry_free(entry);
    return status;
}

static psb_status read_file(const psb_archive *archive, const file *f, struct archive *a,
                            const feed *from, const char *path, psb_buffer *buffer,
                            psb_error *error) {
    uint64_t done = 0;
    size_t length = 1;
    psb_status status = find_header(archive, f, a, from, path, error);
    PSB_THEN(status, psb_buffer_reserve(buffer, 1, 1, "a file", error));
    while (status == PSB_OK && length > 0) {
        const void *bytes;
        status = next_bytes(a, from, path, done, &bytes, &length, error);
        PSB_THEN_IF(status, length > f->size - done || (length == 0 && done < f->size),
                    psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                                "has not the %zu bytes that the archive says", (size_t)f->size));
        PSB_THEN(status, psb_buffer_grow(buffer, done + length + 1, 1, "a file", error));
        if (status == PSB_OK && length > 0) {
            memcpy((char *)buffer->data + done, bytes, length);
            done += length;
        }
    }
    return status;
}

static psb_status read_packed(const psb_archive *archive, const char *path, size_t most,
                              psb_buffer *buffer, size_t *size, psb_error *error) {
    const file *found = find(archive, path);
    if (found == NULL) {
        return psb_fail_at(error, PSB_ERROR_IO, path, 0, "no such file in the archive");
    }
    size_t limit = psb_unpack_most(found->packed, most);
    if (found->size > limit) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "a file of %zu bytes, but at most %zu are allowed", (size_t)found->size,
                           limit);
    }
    feed f;
    struct archive *a = NULL;
    *size = (size_t)found->size;
    psb_status status = start(archive, found->position, false, &f, &a, error);
    if (status == PSB_ERROR_INPUT) { /* these bytes could be read before */
        status = psb_fail_at(error, PSB_ERROR_IO, path, 0, "the archive cannot be opened again");
    }
    PSB_THEN(status, read_file(archive, found, a, &f, path, buffer, error));
    archive_read_free(a);
    return status;
}

#else /* without libarchive */

const char *psb_archive_version(void) {
    return NULL;
}

static psb_status open_bytes(psb_archive *archive, psb_text *notes PSB_UNUSED, psb_error *error) {
    return psb_fail_at(error, PSB_ERROR_INPUT, archive->path, 0,
                       "not a folder of models, and this psbench was built without libarchive, "
                       "which reads archives");
}

static psb_status read_packed(const psb_archive *archive, const char *path, size_t most,
                              psb_buffer *buffer, size_t *size, psb_error *error) {
    (void)path, (void)most, (void)buffer, (void)size;
    return open_bytes((psb_archive *)(uintptr_t)archive, NULL, error);
}

#endif

/*
 * True if the step should be tried again. Not every error of libarchive tells missing memory from
 * damage: if zlib gets no memory, libarchive says only "can't initialize". So the bytes are at
 * fault only if the step fails twice and memory is available after each attempt.
 */
static bool is_worth_another(psb_status *status, int *attempts, psb_error *error) {
    if (*status != PSB_ERROR_INPUT) {
        return false;
    }
    psb_status there = ask_for_memory(error);
    *status = there == PSB_OK ? *status : there;
    return there == PSB_OK && ++*attempts == 1;
}

psb_status psb_archive_read(const psb_archive *archive, const char *path, size_t most,
                            psb_buffer *buffer, size_t *size, psb_error *error) {
    if (archive == NULL) {
        return psb_input_read(path, most, buffer, size, error);
    }
    psb_status status;
    int attempts = 0;
    do {
        status = read_packed(archive, path, most, buffer, size, error);
    } while (is_worth_another(&status, &attempts, error));
    return status;
}

static psb_status open_archive(const char *models, psb_archive **archive, bool *zip,
                               psb_text *notes, psb_error *error) {
    psb_status status = PSB_OK;
    *archive = NULL;
    *zip = false;
    psb_archive *own = psb_new_zero(&status, 1, sizeof *own, "an archive", error);
    if (status != PSB_OK || psb_is_folder(models)) {
        free(own);
        return status;
    }
    own->handle = -1;
    own->path = psb_new_copy(&status, models, "a path", error);
    if (status == PSB_OK && !psb_cut_to_file(own->path)) {
        status = psb_fail_at(error, PSB_ERROR_IO, models, 0, "not a folder of models");
    } else if (status == PSB_OK) {
        own->handle = open(own->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        status = own->handle >= 0 && fstat(own->handle, &own->info) == 0
                     ? PSB_OK
                     : psb_fail_errno(error, own->path, "open");
    }
    *zip = own->zip = status == PSB_OK && psb_zip_is(own->handle);
    PSB_THEN(status, open_bytes(own, notes, error));
    if (status == PSB_OK) {
        *archive = own;
    } else {
        psb_archive_close(own);
    }
    return status;
}

psb_status psb_archive_open(const char *models, psb_archive **archive, psb_text *notes,
                            psb_error *error) {
    psb_status status;
    int attempts = 0;
    bool zip; /* libarchive does not read its directory */
    do {
        status = open_archive(models, archive, &zip, notes, error);
    } while (!zip && is_worth_another(&status, &attempts, error));
    return status;
}
