/* Packs the files of a report into one archive: a plain zip, deflated, without times. */
#include "core/file.h"
#include "core/text.h"
#include "site/bundle.h"

#include <dirent.h>
#include <fnmatch.h>
#include <zlib.h>

typedef struct zip {
    psb_output out;
    psb_text directory; /* the entries' records, which stand behind the files */
    char *name;         /* name of the folder inside the archive */
    uint64_t at;        /* bytes written */
    size_t count;
} zip;

/* Appends a number in so many bytes, little-endian. */
static void add_number(psb_text *out, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++) {
        char byte = (char)(number >> (8 * i) & 0xff);
        psb_text_add_bytes(out, &byte, 1);
    }
}

/* What both records of a file have: its name, checksum and sizes. */
typedef struct entry {
    const char *name;
    uint32_t sum;
    size_t packed, size;
    bool deflated;
} entry;

static void add_head(psb_text *out, const entry *e) {
    enum { VERSION = 20, UTF8 = 0x800, DEFLATED = 8, DAY = 0x21 /* 1 January 1980 */ };
    add_number(out, VERSION, 2);
    add_number(out, UTF8, 2);
    add_number(out, e->deflated ? DEFLATED : 0, 2);
    add_number(out, 0, 2);
    add_number(out, DAY, 2);
    add_number(out, e->sum, 4);
    add_number(out, e->packed, 4);
    add_number(out, e->size, 4);
    add_number(out, strlen(e->name), 2);
    add_number(out, 0, 2); /* no more fields */
}

static psb_status write_text(zip *z, psb_text *text, psb_error *error) {
    psb_status status = psb_text_status(text, error);
    if (status == PSB_OK) {
        fwrite(text->data, 1, text->length, z->out.stream); /* checked by psb_output_commit */
        z->at += text->length;
    }
    psb_text_free(text);
    return status;
}

static psb_status check_size(const zip *z, size_t more, psb_error *error) {
    return z->count < UINT16_MAX && z->at + more < UINT32_MAX
               ? PSB_OK
               : psb_fail_at(error, PSB_ERROR_USAGE, z->out.path, 0,
                             "more than 65,535 files or 4 GiB, which a plain zip does not hold: "
                             "send the folder");
}

/* Deflates a file into fresh memory; *deflated is NULL if that is not shorter. */
static psb_status deflate_file(const psb_input *input, Bytef **deflated, size_t *size,
                               psb_error *error) {
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)input->data, .avail_in = (uInt)input->size};
    psb_status status = PSB_OK;
    *deflated = NULL;
    if (input->size == 0 || deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9,
                                         Z_DEFAULT_STRATEGY) != Z_OK) {
        return PSB_OK;
    }
    *deflated = psb_new(&status, input->size, 1, "an archive", error);
    stream.next_out = *deflated;
    stream.avail_out = (uInt)input->size;
    if (status == PSB_OK && deflate(&stream, Z_FINISH) != Z_STREAM_END) {
        free(*deflated);
        *deflated = NULL;
    }
    *size = input->size - stream.avail_out;
    deflateEnd(&stream);
    return status;
}

static psb_status add_file(zip *z, const char *path, const char *name, psb_error *error) {
    PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
    psb_text head = {0};
    PSB_FREED Bytef *deflated = NULL;
    psb_status status = PSB_OK;
    uint64_t begin = z->at;
    PSB_FREED char *inside = psb_new_format(&status, error, "%s/%s", z->name, name);
    entry e = {.name = inside};
    PSB_THEN(status, psb_input_open(path, &input, error));
    PSB_THEN(status, check_size(z, input.size + 1024, error));
    PSB_THEN(status, deflate_file(&input, &deflated, &e.packed, error));
    if (status == PSB_OK) {
        e.size = input.size;
        e.packed = deflated != NULL ? e.packed : e.size;
        e.deflated = deflated != NULL;
        e.sum = (uint32_t)crc32(0, (const Bytef *)input.data, (uInt)input.size);
        psb_text_add(&head, "PK\3\4");
        add_head(&head, &e);
        psb_text_add(&head, inside);
        status = write_text(z, &head, error);
    }
    if (status == PSB_OK) {
        fwrite(e.deflated ? (const char *)deflated : input.data, 1, e.packed, z->out.stream);
        z->at += e.packed;
        z->count++;
        psb_text_add(&z->directory, "PK\1\2");
        add_number(&z->directory, 20, 2);
        add_head(&z->directory, &e);
        add_number(&z->directory, 0, 2); /* no comment, disk 0, no attributes */
        add_number(&z->directory, 0, 8);
        add_number(&z->directory, begin, 4);
        psb_text_add(&z->directory, inside);
    }
    return status;
}

/* True for the names of a report's files; others in its folders are not sent. */
static int is_of_report(const struct dirent *file) {
    static const char *const patterns[] = {"*.html", "*.css", "*.js",     "*.png",
                                           "*.jpg",  "*.tsv", "table4.*", NULL};
    for (size_t p = 0; patterns[p] != NULL; p++) {
        if (fnmatch(patterns[p], file->d_name, FNM_PERIOD) == 0) {
            return true;
        }
    }
    return false;
}

static int is_folder(const struct dirent *file) {
    return file->d_name[0] != '.' && (file->d_type == DT_DIR || file->d_type == DT_UNKNOWN);
}

/* Adds the files of FOLDER/below, then those of its folders, down to `depth` levels. */
static psb_status add_folder(zip *z, const char *folder, const char *below, int depth,
                             psb_error *error) {
    struct dirent **files = NULL;
    psb_status status = PSB_OK;
    PSB_FREED char *path = psb_new_format(&status, error, "%s/%s", folder, below);
    int count = status == PSB_OK ? scandir(path, &files, is_of_report, alphasort) : 0;
    for (int i = 0; i < count; i++) {
        PSB_FREED char *file = psb_new_format(&status, error, "%s%s", path, files[i]->d_name);
        char *name = psb_new_format(&status, error, "%s%s", below, files[i]->d_name);
        PSB_THEN_IF(status, psb_is_file(file), add_file(z, file, name, error));
        free(name);
        free(files[i]);
    }
    free(files);
    files = NULL;
    count = status == PSB_OK && depth > 0 ? scandir(path, &files, is_folder, alphasort) : 0;
    for (int i = 0; i < count; i++) {
        char *name = psb_new_format(&status, error, "%s%s/", below, files[i]->d_name);
        PSB_THEN(status, add_folder(z, folder, name, depth - 1, error));
        free(name);
        free(files[i]);
    }
    free(files);
    return status;
}

static psb_status finish(zip *z, psb_error *error) {
    PSB_AT_END(psb_text_free) psb_text end = {0};
    uint64_t begin = z->at, size = z->directory.length;
    psb_status status = write_text(z, &z->directory, error);
    psb_text_add(&end, "PK\5\6");
    add_number(&end, 0, 4);
    add_number(&end, z->count, 2);
    add_number(&end, z->count, 2);
    add_number(&end, size, 4);
    add_number(&end, begin, 4);
    add_number(&end, 0, 2);
    PSB_THEN(status, write_text(z, &end, error));
    return PSB_THEN(status, psb_output_commit(&z->out, error));
}

psb_status psb_bundle_zip(const char *folder, const char *path, psb_error *error) {
    zip z = {.at = 0};
    psb_status status = PSB_OK;
    const char *name = psb_last_part(path), *dot = strrchr(name, '.');
    z.name = psb_new_text(&status, name, dot != NULL ? (size_t)(dot - name) : strlen(name),
                          "a name", error);
    PSB_THEN(status, psb_output_open(path, &z.out, error));
    if (status == PSB_OK) {
        enum { DEPTH = 2 }; /* data/SPEC/0.js */
        status = add_folder(&z, folder, "", DEPTH, error);
        PSB_THEN(status, finish(&z, error));
        psb_output_discard(&z.out);
    }
    psb_text_free(&z.directory);
    free(z.name);
    return status;
}
