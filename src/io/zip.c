/* Goes through the archive's directory, which libarchive reads with that of ZIP64. */
#include "io/zip.h"

#include <errno.h>
#include <stdio.h>
#include <strings.h>
#ifdef PSB_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

/* Leaves `count` members. */
static void forget(psb_zip *zip, size_t count) {
    while (zip->members.count > count) {
        psb_zip_member *m = &zip->members.items[--zip->members.count];
        free(m->name);
        psb_buffer_free(&m->bytes);
    }
}

void psb_zip_free(psb_zip *zip) {
    forget(zip, 0);
    free(zip->members.items);
    *zip = (psb_zip){0};
}

const psb_zip_member *psb_zip_find(const psb_zip *zip, const char *name) {
    size_t low = 0, high = zip->members.count;
    name += strspn(name, "/");
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool before = strcasecmp(zip->members.items[middle].name, name) < 0;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low < zip->members.count && strcasecmp(zip->members.items[low].name, name) == 0
               ? &zip->members.items[low]
               : NULL;
}

#ifdef PSB_LIBARCHIVE

static psb_status fail_damaged(const psb_scan *scan, struct archive *a) {
    const char *why = archive_error_string(a);
    char text[160];
    if (archive_errno(a) == ENOMEM) {
        return psb_fail_memory(scan->error, "a ZIP archive", 0);
    }
    snprintf(text, sizeof text, "%.150s", why != NULL ? why : "it is damaged");
    psb_text_hide_controls(text);
    return psb_fail_at(scan->error, PSB_ERROR_INPUT, scan->path, 0,
                       "its ZIP archive cannot be read: %s", text);
}

/* Reads the entry's bytes to its end, so that what it says of its size does not matter. */
static psb_status read_member(psb_zip *zip, const psb_scan *scan, size_t most, struct archive *a,
                              psb_zip_member *m) {
    char piece[1 << 14];
    psb_status status = PSB_OK;
    la_ssize_t got = 1;
    while (status == PSB_OK && got > 0) {
        got = archive_read_data(a, piece, sizeof piece);
        if (got < 0) {
            zip->damaged = true;
            return fail_damaged(scan, a);
        }
        if ((size_t)got > most - zip->size) {
            return psb_fail_at(scan->error, PSB_ERROR_INPUT, scan->path, 0,
                               "unpacks to more than the %zu bytes that are allowed", most);
        }
        status = psb_buffer_grow(&m->bytes, m->size + (size_t)got, 1, "a member", scan->error);
        if (status == PSB_OK && got > 0) {
            memcpy((char *)m->bytes.data + m->size, piece, (size_t)got);
            m->size += (size_t)got;
            zip->size += (size_t)got;
        }
    }
    return status;
}

static int by_name(const void *a, const void *b) {
    const psb_zip_member *x = a, *y = b;
    int order = strcasecmp(x->name, y->name);
    return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

static psb_status read_members(psb_zip *zip, const psb_scan *scan, size_t most, struct archive *a,
                               bool (*wanted)(const void *, const char *), const void *context) {
    psb_status status = PSB_OK;
    struct archive_entry *entry = archive_entry_new2(a);
    if (entry == NULL) {
        return psb_fail_memory(scan->error, "a ZIP archive", 0);
    }
    for (int result; status == PSB_OK;) {
        archive_entry_clear(entry);
        result = archive_read_next_header2(a, entry);
        if (result < ARCHIVE_WARN || result == ARCHIVE_EOF) {
            zip->damaged = result != ARCHIVE_EOF;
            status = zip->damaged ? fail_damaged(scan, a) : PSB_OK;
            break;
        }
        const char *name = archive_entry_pathname(entry);
        name = name != NULL ? name : archive_entry_pathname_utf8(entry);
        if (name == NULL || !wanted(context, name)) {
            continue;
        }
        psb_zip_member m = {.number = zip->members.count};
        name += strspn(name, "/");
        m.name = psb_new_text(&status, name, strlen(name), "a member's name", scan->error);
        PSB_ARRAY_ROOM(&status, &zip->members, "members", scan->error);
        PSB_THEN(status, read_member(zip, scan, most, a, &m));
        if (status == PSB_OK) {
            zip->members.items[zip->members.count++] = m;
        } else {
            free(m.name);
            psb_buffer_free(&m.bytes);
        }
    }
    archive_entry_free(entry);
    return status;
}

/* The archive's bytes, for libarchive: archive_read_open_memory does not look whether it got
 * memory. */
typedef struct feed {
    const char *bytes;
    int64_t size, at;
} feed;

static la_ssize_t give_rest(struct archive *a, void *context, const void **bytes) {
    (void)a;
    feed *f = context;
    int64_t rest = f->size - f->at;
    *bytes = f->bytes + f->at;
    f->at = f->size;
    return (la_ssize_t)rest;
}

static la_int64_t seek(struct archive *a, void *context, la_int64_t offset, int whence) {
    (void)a;
    feed *f = context;
    int64_t from = whence == SEEK_CUR ? f->at : whence == SEEK_END ? f->size : 0;
    f->at = offset < -from ? 0 : offset > f->size - from ? f->size : from + offset;
    return f->at;
}

static psb_status attempt(psb_zip *zip, const psb_scan *archive, size_t most,
                          bool (*wanted)(const void *, const char *), const void *context) {
    feed f = {.bytes = archive->at, .size = archive->end - archive->at};
    struct archive *a = archive_read_new();
    psb_status status = PSB_OK;
    if (a == NULL || archive_read_support_format_zip_seekable(a) < ARCHIVE_WARN ||
        archive_read_set_read_callback(a, give_rest) != ARCHIVE_OK ||
        archive_read_set_seek_callback(a, seek) != ARCHIVE_OK ||
        archive_read_set_callback_data(a, &f) != ARCHIVE_OK) {
        status = psb_fail_memory(archive->error, "a ZIP archive", sizeof f);
    } else if (archive_read_open1(a) != ARCHIVE_OK) {
        status = fail_damaged(archive, a);
        zip->damaged = true;
    }
    PSB_THEN(status, read_members(zip, archive, most, a, wanted, context));
    archive_read_free(a);
    return status;
}

psb_status psb_zip_read(psb_zip *zip, const psb_scan *archive, size_t most,
                        bool (*wanted)(const void *, const char *), const void *context) {
    size_t count = zip->members.count, size = zip->size;
    psb_status status = attempt(zip, archive, most, wanted, context);
    /* libarchive calls it damage, too, where zlib got no memory: bytes are at fault if they are so
     * twice, and memory is there. */
    if (status == PSB_ERROR_INPUT && zip->damaged) {
        status = psb_ask_for_memory((size_t)1 << 20, "a ZIP archive", archive->error);
        forget(zip, count);
        zip->size = size;
        PSB_THEN(status, attempt(zip, archive, most, wanted, context));
    }
    if (zip->members.count > 0) {
        qsort(zip->members.items, zip->members.count, sizeof *zip->members.items, by_name);
    }
    return status;
}

#else /* without libarchive */

psb_status psb_zip_read(psb_zip *zip, const psb_scan *archive, size_t most,
                        bool (*wanted)(const void *, const char *), const void *context) {
    (void)zip, (void)most, (void)wanted, (void)context;
    return psb_fail_at(archive->error, PSB_ERROR_INPUT, archive->path, 0,
                       "cannot be read: this psbench was built without libarchive, which reads ZIP "
                       "archives");
}

#endif
