/* Finds a member in the ZIP archive that np.savez writes. */
#include "io/npz.h"

#include "core/file.h"
#include "io/zip.h"

static const char ending[] = ".npz", inner[] = ".npy";

/* Returns the length of the archive's path; the whole length if no member is named, 0 for other
 * paths. */
static size_t archive_length(const char *path) {
    size_t length = strlen(path), tail = sizeof ending - 1;
    if (length > tail && strcmp(path + length - tail, ending) == 0) {
        return length;
    }
    for (const char *at = strstr(path, ".npz/"); at != NULL; at = strstr(at + 1, ".npz/")) {
        PSB_AT_END(psb_text_free) psb_text file = {0};
        psb_text_add_bytes(&file, path, (size_t)(at - path) + tail);
        bool found = !file.failed && psb_is_file(file.data);
        if (found) {
            return (size_t)(at - path) + tail;
        }
    }
    return 0;
}

bool psb_npz_is(const char *path) {
    return archive_length(path) > 0;
}

/* Finds the member of this name or, without a name, the only member. */
static psb_status find_member(psb_zip *zip, const char *name, psb_zip_entry *found,
                              psb_error *error) {
    PSB_AT_END(psb_text_free) psb_text names = {0};
    size_t count = 0;
    bool more = true;
    psb_status status = psb_zip_next(zip, &more, error);
    for (; status == PSB_OK && more; status = psb_zip_next(zip, &more, error)) {
        const psb_text *own = &zip->file.name;
        size_t tail = sizeof inner - 1, stem = own->length;
        if (stem > tail && strcmp(own->data + stem - tail, inner) == 0) {
            stem -= tail;
        }
        bool same = name == NULL || strcmp(own->data, name) == 0 ||
                    (strlen(name) == stem && strncmp(own->data, name, stem) == 0);
        if (same) {
            *found = zip->file;
            count++;
        }
        if (names.length < 200) {
            psb_text_printf(&names, "%s%.*s", names.length > 0 ? ", " : "",
                            (int)(stem < 64 ? stem : 64), own->data);
        }
    }
    const char *there = names.length > 0 ? names.data : "nothing";
    if (status == PSB_OK && count != 1) {
        status = name == NULL ? psb_fail_at(error, PSB_ERROR_USAGE, zip->path, 0,
                                            "holds %s: say which array, as %s/NAME", there,
                                            psb_path_shown(zip->path))
                              : psb_fail_at(error, PSB_ERROR_USAGE, zip->path, 0,
                                            "has no array '%.64s'; it has %s", name, there);
    }
    return status;
}

psb_status psb_npz_parse(const char *path, const unsigned char *data, size_t length,
                         const char *name, void **bytes, size_t *size, psb_error *error) {
    psb_zip zip;
    psb_zip_entry found = {.size = 0};
    psb_buffer unpacked = {0};
    psb_status status = psb_zip_open(&zip, path, -1, (const char *)data, length, error);
    PSB_THEN(status, find_member(&zip, name, &found, error));
    PSB_THEN(status, psb_zip_unpack(&zip, &found, &unpacked, error));
    psb_zip_close(&zip);
    if (status != PSB_OK) {
        psb_buffer_free(&unpacked);
    }
    *bytes = unpacked.data;
    *size = (size_t)found.size;
    return status;
}

psb_status psb_npz_read(const char *path, void **bytes, size_t *size, psb_error *error) {
    size_t length = archive_length(path);
    PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
    psb_status status = PSB_OK;
    *bytes = NULL;
    PSB_FREED char *archive = psb_new_text(&status, path, length, "a path", error);
    PSB_THEN(status, psb_input_open(archive, &input, error));
    return PSB_THEN(status, psb_npz_parse(archive, (const unsigned char *)input.data, input.size,
                                          path[length] == '/' ? path + length + 1 : NULL, bytes,
                                          size, error));
}
