/* Cleans names, then opens them below the model's folder or finds them in the archive. */
#include "io/siblings.h"

#include "core/beneath.h"
#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

/* Appends the name without "." and doubled slashes, which do not change the file that it leads
 * to. */
static void add_clean(psb_text *text, const char *name) {
    const char *between = "";
    while (*name != '\0') {
        size_t part = strcspn(name, "/");
        if (part > 0 && !(part == 1 && name[0] == '.')) {
            psb_text_add(text, between);
            psb_text_add_bytes(text, name, part);
            between = "/";
        }
        name += part;
        name += *name == '/';
    }
}

/* True if this errno means that the file does not exist, false if something failed. */
static bool means_absent(int reason) {
    return reason == ENOENT || reason == ENOTDIR || reason == ELOOP || reason == EXDEV ||
           reason == ENAMETOOLONG || reason == ENXIO || reason == ENODEV || reason == EISDIR;
}

static psb_status read_in_folder(psb_siblings *s, size_t folder_length, const char *name,
                                 size_t most, bool *there, size_t *size, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *folder =
        psb_new_text(&status, folder_length > 0 ? s->path : ".",
                     folder_length > 0 ? folder_length : 1, "a folder's name", error);
    int beside = status == PSB_OK ? open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    PSB_THEN_IF(status, beside < 0,
                means_absent(errno) ? PSB_OK : psb_fail_errno(error, folder, "open"));
    int file = -1;
    if (beside >= 0) {
        file = psb_open_beneath(beside, name, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
        status = file >= 0 || means_absent(errno) ? PSB_OK : psb_fail_errno(error, name, "open");
        close(beside);
    }
    *there = file >= 0 && psb_is_regular(file);
    if (*there) {
        return psb_input_read_open(file, name, most, &s->memory, size, error);
    }
    psb_close(file);
    return status;
}

static psb_status read_in_archive(psb_siblings *s, size_t folder_length, const char *name,
                                  size_t most, bool *there, size_t *size, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *path =
        psb_new_format(&status, error, "%.*s%s", (int)folder_length, s->path, name);
    *there = false;
    PSB_THEN(status, psb_archive_find(s->archive, path, there, error));
    if (*there) {
        status = psb_archive_read(s->archive, path, most, &s->memory, size, error);
    }
    return status;
}

psb_status psb_siblings_read(psb_siblings *s, const char *name, const char **data, size_t *size,
                             psb_error *error) {
    const size_t most = (size_t)PSB_SIBLINGS_MIB << 20;
    const char *slash = strrchr(s->path, '/');
    size_t folder_length = slash != NULL ? (size_t)(slash - s->path) + 1 : 0;
    PSB_AT_END(psb_text_free) psb_text clean = {0};
    bool there = false;
    *data = NULL;
    *size = 0;
    if (++s->count > PSB_SIBLINGS_MOST) {
        return psb_fail_at(error, PSB_ERROR_INPUT, s->path, 0,
                           "refers to more than the %d other files that are allowed",
                           PSB_SIBLINGS_MOST);
    }
    add_clean(&clean, name);
    psb_status status = psb_text_status(&clean, error);
    PSB_THEN_IF(status, name[0] != '/' && psb_name_stays_below(clean.data, clean.length),
                (s->archive != NULL ? read_in_archive : read_in_folder)(
                    s, folder_length, clean.data, most - s->bytes, &there, size, error));
    const uint64_t seen[] = {there, *size};
    s->hash = XXH64(name, strlen(name) + 1, s->hash);
    s->hash = XXH64(seen, sizeof seen, s->hash);
    if (status == PSB_OK && there) {
        s->hash = XXH64(s->memory.data, *size, s->hash);
        s->bytes += *size;
        *data = s->memory.data;
    }
    return status;
}

void psb_siblings_free(psb_siblings *siblings) {
    psb_buffer_free(&siblings->memory);
}
