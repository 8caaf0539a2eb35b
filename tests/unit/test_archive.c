/* Tests archives in place of folders: their files are read, and no others. */
#include "io/archive.h"
#include "io/model_folder.h"
#include "support/files.h"
#include "support/test.h"

#ifdef PSB_LIBARCHIVE
#include "core/file.h"
#include "core/random.h"

#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

typedef struct item {
    const char *name;
    const char *text;
    const char *target; /* of a link */
    unsigned type;      /* 0: a regular file */
    size_t zeros;       /* in the place of a text */
    bool hard, holes;
} item;

static const item meshes[] = {
    {.name = "./db/b.off", .text = "second"},
    {.name = "db/", .type = AE_IFDIR},
    {.name = "db/a.off", .text = "the first"},
    {.name = "db/empty.off", .text = ""},
    {.name = "db/notes.txt", .text = "no mesh"},
    {.name = "db-2/a.off", .text = "of another folder"},
    {.name = "db/st\xC3\xBChle/c 1.off", .text = "third"},
    {.name =
         "db/st\xC3\xBChle/a_name_of_more_than_a_hundred_bytes_does_not_fit_into_the_header_of_a_"
         "tar_so_that_it_is_in_one_before_it.off",
     .text = "long"},
    {.name = "top.off.gz", .text = "packed, or not"},
};
enum { MESHES = sizeof meshes / sizeof meshes[0], FILES = MESHES - 2 };

static void add(struct archive *a, const item *it) {
    struct archive_entry *entry = archive_entry_new();
    size_t size = it->zeros > 0 ? it->zeros : it->text != NULL ? strlen(it->text) : 0;
    char *bytes = calloc(1, size + 1);
    assert_non_null(bytes);
    if (it->text != NULL) {
        memcpy(bytes, it->text, size);
    }
    archive_entry_copy_pathname(entry, it->name);
    archive_entry_set_perm(entry, 0644);
    if (it->hard) {
        archive_entry_copy_hardlink(entry, it->target);
    } else {
        archive_entry_set_filetype(entry, it->type != 0 ? it->type : AE_IFREG);
        archive_entry_copy_symlink(entry, it->type == AE_IFLNK ? it->target : NULL);
        archive_entry_set_size(entry, (la_int64_t)size);
    }
    if (it->holes) {
        archive_entry_sparse_add_entry(entry, 0, 1);
    }
    assert_true(archive_write_header(a, entry) >= ARCHIVE_WARN);
    assert_int_equal(archive_write_data(a, bytes, size), size);
    archive_entry_free(entry);
    free(bytes);
}

/* Writes an archive; `how` is format, filter and options, as libarchive names them. */
static const char *build(const char *name, const char *const how[3], const item *items, size_t n) {
    const char *path = test_path(name);
    struct archive *a = archive_write_new();
    assert_int_equal(archive_write_set_format_by_name(a, how[0]), ARCHIVE_OK);
    if (how[1] != NULL) {
        assert_true(archive_write_add_filter_by_name(a, how[1]) >= ARCHIVE_WARN);
    }
    if (how[2] != NULL) {
        assert_int_equal(archive_write_set_options(a, how[2]), ARCHIVE_OK);
        archive_write_set_passphrase(a, "secret");
    }
    assert_int_equal(archive_write_open_filename(a, path), ARCHIVE_OK);
    for (size_t i = 0; i < n; i++) {
        add(a, &items[i]);
    }
    assert_int_equal(archive_write_close(a), ARCHIVE_OK);
    archive_write_free(a);
    return path;
}

static const char *const plain_tar[3] = {"gnutar", NULL, NULL};
static const char *const zip[3] = {"zip", NULL, NULL};

static bool has(const psb_archive *archive, const char *path) {
    bool there = false;
    assert_int_equal(psb_archive_find(archive, path, &there, NULL), PSB_OK);
    return there;
}

static psb_archive *open_good(const char *path, const char *notes) {
    psb_archive *archive;
    psb_error error;
    psb_text text = {0};
    if (psb_archive_open(path, &archive, &text, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    assert_non_null(archive);
    if (notes != NULL) {
        assert_non_null(strstr(text.data != NULL ? text.data : "", notes));
    } else {
        assert_int_equal(text.length, 0);
    }
    psb_text_free(&text);
    return archive;
}

/* Refused, with a message that has these words. */
static void open_bad(const char *path, const char *words) {
    psb_archive *archive;
    psb_error error;
    psb_text notes = {0};
    assert_int_not_equal(psb_archive_open(path, &archive, &notes, &error), PSB_OK);
    assert_null(archive);
    if (strstr(error.message, words) == NULL) {
        fail_msg("%s", error.message);
    }
    psb_text_free(&notes);
}

static const char *in(const char *archive, const char *name) {
    static char path[8192];
    snprintf(path, sizeof path, "%s/%s", archive, name);
    return path;
}

static void holds(const psb_archive *archive, const char *path, const char *name,
                  const char *text) {
    psb_buffer buffer = {0};
    psb_error error;
    size_t size;
    uint64_t length;
    int64_t time;
    if (psb_archive_read(archive, in(path, name), SIZE_MAX, &buffer, &size, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(size, strlen(text));
    assert_memory_equal(buffer.data, text, size);
    assert_true(psb_archive_look(archive, in(path, name), &length, &time));
    assert_int_equal(length, size);
    psb_buffer_free(&buffer);
}

static void every_kind_gives_the_files(void **state) {
    (void)state;
    static const char *const kinds[][3] = {{"gnutar", NULL, NULL},
                                           {"gnutar", "gzip", NULL},
                                           {"pax", NULL, NULL},
                                           {"gnutar", "xz", NULL},
                                           {"pax", "zstd", NULL},
                                           {"zip", NULL, NULL},
                                           {"zip", NULL, "zip:compression=store"}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const char *path = build("kind", kinds[k], meshes, MESHES);
        psb_archive *archive = open_good(path, NULL);
        psb_random random = psb_random_seeded(k, "order", "");
        for (size_t i = 0; i < 3 * MESHES; i++) {
            const item *it = &meshes[psb_random_below(&random, MESHES)];
            const char *name = it->name + (it->name[0] == '.' ? 2 : 0);
            bool file = it->type == 0;
            assert_int_equal(has(archive, in(path, name)), file);
            if (file) {
                holds(archive, path, name, it->text);
            }
        }
        holds(archive, path, "/db//b.off", "second");
        assert_false(has(archive, in(path, "db")));
        assert_false(has(archive, in(path, "db/b.of")));
        assert_false(has(archive, in(path, "db/b.off/")));
        assert_false(has(archive, "elsewhere/db/b.off"));
        psb_archive_close(archive);
    }
}

static void threads_read_at_once(void **state) {
    (void)state;
    const char *path = build("threads.zip", zip, meshes, MESHES);
    psb_archive *archive = open_good(path, NULL);
    char name[512];
    snprintf(name, sizeof name, "%s/db/a.off", path);
    int wrong = 0;
#pragma omp parallel for num_threads(4) reduction(+ : wrong)
    for (int i = 0; i < 200; i++) {
        psb_buffer buffer = {0};
        size_t size = 0;
        wrong += psb_archive_read(archive, name, SIZE_MAX, &buffer, &size, NULL) != PSB_OK ||
                 size != 9 || memcmp(buffer.data, "the first", 9) != 0;
        psb_buffer_free(&buffer);
    }
    assert_int_equal(wrong, 0);
    psb_archive_close(archive);
}

static void a_folder_is_no_archive(void **state) {
    (void)state;
    psb_archive *archive;
    psb_error error;
    psb_text notes = {0};
    assert_int_equal(psb_archive_open(test_path(""), &archive, &notes, &error), PSB_OK);
    assert_null(archive);
    test_write("plain.off", "of a folder", 11);
    assert_true(has(NULL, test_path("plain.off")));
    open_bad(test_path("absent.tar"), "not a folder of models");
    open_bad(test_path("absent/db"), "not a folder of models");
    open_bad(test_write("text.tar", "These are words.\n", 17), "nor an archive");
    open_bad(test_write("nothing.tar", "", 0), "archive");
}

/* ---- listings -------------------------------------------------------------------------- */

static psb_listing list(const psb_archive *archive, const char *folder, const char *split) {
    psb_listing listing = {0};
    psb_error error;
    if (psb_listing_add_folder(&listing, archive, folder, split, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    return listing;
}

/* Both have the same models, in the same order, of the same classes. */
static void compare_listings(const char *folder, const psb_archive *archive, const char *packed,
                             const char *split) {
    psb_listing a = list(NULL, folder, split), b = list(archive, packed, split);
    assert_int_equal(a.count, b.count);
    for (size_t i = 0; i < a.count; i++) {
        assert_string_equal(a.models[i].name, b.models[i].name);
        assert_string_equal(a.models[i].classes, b.models[i].classes);
        assert_string_equal(a.models[i].path + strlen(folder), b.models[i].path + strlen(packed));
    }
    assert_int_equal(a.notes.length > 0, b.notes.length > 0);
    psb_listing_free(&a);
    psb_listing_free(&b);
}

static void it_lists_as_a_folder_does(void **state) {
    (void)state;
    static const item items[] = {{.name = "set/a-b/1.off"},     {.name = "set/a/2.off"},
                                 {.name = "set/a/x/3.off"},     {.name = "set/a0.off"},
                                 {.name = "set/a/.hid.off"},    {.name = "set/a/2.obj"},
                                 {.name = "set/.h/2.off"},      {.name = "set/z/test/1.off"},
                                 {.name = "set/z/train/1.off"}, {.name = "set!/4.off"}};
    enum { COUNT = sizeof items / sizeof items[0] };
    char folder[512], packed[512];
    snprintf(folder, sizeof folder, "%s", test_path("files/set"));
    for (size_t i = 0; i < COUNT; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", test_path("files"), items[i].name);
        *strrchr(path, '/') = '\0';
        assert_int_equal(psb_make_folder(path, NULL), PSB_OK);
        path[strlen(path)] = '/';
        assert_int_equal(psb_write_file(path, "", 0, NULL), PSB_OK);
    }
    const char *path = build("list.tar", plain_tar, items, COUNT);
    psb_archive *archive = open_good(path, NULL);
    snprintf(packed, sizeof packed, "%s/set", path);
    compare_listings(folder, archive, packed, "all");
    compare_listings(folder, archive, packed, "test");
    *strrchr(folder, '/') = '\0';
    *strrchr(packed, '/') = '\0';
    compare_listings(folder, archive, packed, "all");
    psb_archive_close(archive);
}

/* ---- strangers' archives --------------------------------------------------------------- */

static void what_is_no_file_is_left_out(void **state) {
    (void)state;
    char long_name[1100];
    memset(long_name, 'n', sizeof long_name);
    memcpy(long_name + sizeof long_name - 5, ".off", 5);
    const item items[] = {{.name = "link.off", .type = AE_IFLNK, .target = "/etc/passwd"},
                          {.name = "good.off", .text = "good"},
                          {.name = "hard.off", .hard = true, .target = "good.off"},
                          {.name = "pipe.off", .type = AE_IFIFO},
                          {.name = "device.off", .type = AE_IFCHR},
                          {.name = "holes.off", .zeros = 1 << 20, .holes = true},
                          {.name = "folder.off/", .type = AE_IFDIR},
                          {.name = "../out.off", .text = "out"},
                          {.name = "/absolute.off", .text = "out"},
                          {.name = "a/../../b.off", .text = "out"},
                          {.name = long_name, .text = "out"}};
    static const char *const pax[3] = {"pax", NULL, NULL};
    const char *path = build("strange.tar", pax, items, sizeof items / sizeof items[0]);
    psb_archive_close(open_good(path, "links, devices and files with holes are left out: 5, the "
                                      "first is link.off\n"));
    psb_archive *archive =
        open_good(path, "names lead out of it, or are too long, are left out: 4, the first is "
                        "../out.off\n");
    psb_listing models = list(archive, path, "all");
    assert_int_equal(models.count, 1);
    holds(archive, path, "good.off", "good");
    psb_listing_free(&models);
    psb_archive_close(archive);
}

static void of_two_of_a_name_the_last_counts(void **state) {
    (void)state;
    static const item items[] = {{.name = "a.off", .text = "old"},
                                 {.name = "b.off", .text = "b"},
                                 {.name = "./a.off", .text = "new one"}};
    const char *path = build("twice.tar", plain_tar, items, 3);
    psb_archive *archive =
        open_good(path, "a later file of the same name are left out: 1, the first is a.off");
    holds(archive, path, "a.off", "new one");
    holds(archive, path, "b.off", "b");
    psb_archive_close(archive);
}

static void what_is_encrypted_is_left_out(void **state) {
    (void)state;
    static const char *const secret[3] = {"zip", NULL, "zip:encryption=zipcrypt"};
    const char *path = build("secret.zip", secret, &meshes[2], 1);
    psb_archive *archive =
        open_good(path, "encrypted files are left out: 1, the first is db/a.off");
    assert_false(has(archive, in(path, "db/a.off")));
    psb_archive_close(archive);
}

/* ---- ZIP by its own records ------------------------------------------------------------- */

/* A file as the records of a ZIP have it; the content is the number of the file, one byte. */
typedef struct zipped {
    const char *name, *read; /* the bytes of the name, and the name under which it is read */
    unsigned host, flags, mode;
    const char *unicode; /* of the extra field 0x7075 */
    bool stale;          /* in the archive, not in its directory */
} zipped;

typedef struct blob {
    unsigned char data[4096];
    size_t size;
} blob;

static void put(blob *out, uint64_t value, int count) {
    for (int i = 0; i < count; i++) {
        out->data[out->size++] = (unsigned char)(value >> 8 * i);
    }
}

static void put_text(blob *out, const char *text) {
    memcpy(out->data + out->size, text, strlen(text));
    out->size += strlen(text);
}

/* What local and central records share, from the flags to the extra field's length. */
static void put_common(blob *out, const zipped *z, unsigned char content, size_t extra) {
    put(out, z->flags, 2);
    put(out, 0, 2 + 4); /* stored; no time */
    put(out, crc32(0, &content, 1), 4);
    put(out, 1, 4);
    put(out, 1, 4);
    put(out, strlen(z->name), 2);
    put(out, extra, 2);
}

static void put_extra(blob *out, const zipped *z) {
    if (z->unicode != NULL) {
        put(out, 0x7075, 2);
        put(out, 5 + strlen(z->unicode), 2);
        put(out, 1, 1);
        put(out, crc32(0, (const unsigned char *)z->name, (unsigned)strlen(z->name)), 4);
        put_text(out, z->unicode);
    }
}

/* `wide`: the directory's place in ZIP64's records alone. */
static const char *build_zip(const char *name, const zipped *files, size_t n, bool wide) {
    static blob out, directory;
    uint64_t count = 0;
    out.size = directory.size = 0;
    for (size_t i = 0; i < n; i++) {
        const zipped *z = &files[i];
        size_t extra = z->unicode != NULL ? 9 + strlen(z->unicode) : 0, at = out.size;
        unsigned char content = (unsigned char)('0' + i);
        put_text(&out, "PK\3\4\n");
        put(&out, 0, 1);
        put_common(&out, z, content, extra);
        put_text(&out, z->name);
        put_extra(&out, z);
        put(&out, content, 1);
        if (!z->stale) {
            put_text(&directory, "PK\1\2\n");
            put(&directory, z->host, 1);
            put(&directory, 10, 2);
            put_common(&directory, z, content, extra);
            put(&directory, 0, 2 + 2 + 2);
            put(&directory, (uint64_t)z->mode << 16, 4);
            put(&directory, at, 4);
            put_text(&directory, z->name);
            put_extra(&directory, z);
            count++;
        }
    }
    size_t begin = out.size;
    memcpy(out.data + out.size, directory.data, directory.size);
    out.size += directory.size;
    if (wide) {
        size_t end = out.size;
        put_text(&out, "PK\6\6");
        put(&out, 44, 8);
        put(&out, 45 | 45 << 16, 4);
        put(&out, 0, 8);
        put(&out, count, 8);
        put(&out, count, 8);
        put(&out, directory.size, 8);
        put(&out, begin, 8);
        put_text(&out, "PK\6\7");
        put(&out, 0, 4);
        put(&out, end, 8);
        put(&out, 1, 4);
    }
    put_text(&out, "PK\5\6");
    put(&out, 0, 4);
    put(&out, count << 16 | count, 4);
    put(&out, wide ? UINT32_MAX : directory.size, 4);
    put(&out, wide ? UINT32_MAX : begin, 4);
    put(&out, 2, 2);
    put_text(&out, "PK"); /* a comment */
    return test_write(name, out.data, out.size);
}

static void names_in_a_zip_are_decoded_by_their_flag(void **state) {
    (void)state;
    enum { UTF8 = 1 << 11, FAT = 0, NTFS = 10, UNIX = 3, MAC = 19 };
    static const zipped files[] = {
        {"chaises/fauteuil_\xC3\xA9.off", "chaises/fauteuil_\xC3\xA9.off", FAT, UTF8, 0, NULL,
         false},
        {"\xE6\xA4\x85/1.off", "\xE6\xA4\x85/1.off", UNIX, UTF8, 0100644, NULL, false},
        {"st\x81hle/\xE1.off", "st\xC3\xBChle/\xC3\x9F.off", FAT, 0, 0, NULL, false},
        {"b\xC3\xBCro.off", "b\xC3\xBCro.off", MAC, 0, 0100644, NULL, false},
        {"b_ro.off", "b\xC3\xBCro 2.off", UNIX, 0, 0100644, "b\xC3\xBCro 2.off", false},
        {"room\\desk.off", "room/desk.off", NTFS, 0, 0, NULL, false},
        {"./plain.off", "plain.off", UNIX, 0, 0100644, NULL, false},
        {"gone.off", NULL, UNIX, 0, 0100644, NULL, true},
        {"link.off", NULL, UNIX, 0, 0120777, NULL, false},
        {"folder.off/", NULL, UNIX, 0, 0040755, NULL, false},
    };
    enum { COUNT = sizeof files / sizeof files[0] };
    for (int wide = 0; wide < 2; wide++) {
        const char *path = build_zip("names.zip", files, COUNT, wide != 0);
        psb_archive *archive = open_good(
            path, "links, devices and files with holes are left out: 1, the first is link.off\n");
        for (size_t i = 0; i < COUNT; i++) {
            const char content[2] = {(char)('0' + i), '\0'};
            if (files[i].read != NULL) {
                assert_true(has(archive, in(path, files[i].read)));
                holds(archive, path, files[i].read, content);
            } else {
                assert_false(has(archive, in(path, files[i].name)));
            }
        }
        psb_archive_close(archive);
    }
}

static void cannot_read(const psb_archive *archive, const char *path, size_t most,
                        const char *words) {
    psb_buffer buffer = {0};
    psb_error error;
    size_t size;
    assert_int_not_equal(psb_archive_read(archive, path, most, &buffer, &size, &error), PSB_OK);
    if (strstr(error.message, words) == NULL || strstr(error.message, path) == NULL) {
        fail_msg("%s", error.message);
    }
    assert_in_range(buffer.bytes, 0, 1 << 20);
    psb_buffer_free(&buffer);
}

static void bombs_are_refused_before_memory_is_taken(void **state) {
    (void)state;
    static const char *const gz[3] = {"gnutar", "gzip", NULL};
    const item items[] = {{.name = "small.off", .text = "small"},
                          {.name = "bomb.off", .zeros = 80 << 20}};
    const char *path = build("bomb.zip", zip, items, 2);
    psb_archive *archive = open_good(path, NULL);
    cannot_read(archive, in(path, "bomb.off"), SIZE_MAX, "a file of 83886080 bytes, but at most");
    cannot_read(archive, in(path, "small.off"), 4, "a file of 5 bytes, but at most 4 are allowed");
    cannot_read(archive, in(path, "no.off"), 4, "no such file in the archive");
    holds(archive, path, "small.off", "small");
    psb_archive_close(archive);
    open_bad(build("bomb.tar.gz", gz, items, 2), "unpacks to more than the 67108864 bytes");
}

/* Nothing but headers, nearly all alike: they take more memory than they do in the archive. */
static void too_many_models_are_refused(void **state) {
    (void)state;
    enum { MANY = 125000 };
    static const char *const xz[3] = {"gnutar", "xz", "xz:compression-level=1"};
    item *items = calloc(MANY, sizeof *items);
    char(*names)[16] = calloc(MANY, sizeof *names);
    assert_true(items != NULL && names != NULL);
    for (size_t i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "%05x.off", (unsigned)i);
        items[i].name = names[i];
    }
    psb_archive_close(open_good(build("many.tar.xz", xz, items, 99999), NULL));
    open_bad(build("more.tar.xz", xz, items, MANY), "files, but an archive of its size may have");
    free(items);
    free(names);
}

/* Cut anywhere: refused, or what is there still has its bytes. */
static void cut_archives_give_no_wrong_bytes(void **state) {
    (void)state;
    static const char *const kinds[][3] = {
        {"gnutar", NULL, NULL}, {"gnutar", "gzip", NULL}, {"zip", NULL, NULL}};
    for (size_t k = 0; k < 3; k++) {
        size_t size, refused = 0;
        char *bytes = test_read(build("whole", kinds[k], meshes, MESHES), &size);
        for (size_t cut = 0; cut < 60; cut++) {
            const char *path = test_write("cut", bytes, size * cut / 60);
            psb_archive *archive;
            psb_text notes = {0};
            psb_error error;
            psb_status status = psb_archive_open(path, &archive, &notes, &error);
            refused += status != PSB_OK;
            assert_true(status == PSB_OK || status == PSB_ERROR_INPUT);
            for (size_t i = 0; i < MESHES && status == PSB_OK; i++) {
                psb_buffer buffer = {0};
                size_t length = 0;
                const char *name = in(path, meshes[i].name);
                if (has(archive, name) &&
                    psb_archive_read(archive, name, SIZE_MAX, &buffer, &length, &error) == PSB_OK) {
                    assert_int_equal(length, strlen(meshes[i].text));
                    assert_memory_equal(buffer.data, meshes[i].text, length);
                }
                psb_buffer_free(&buffer);
            }
            psb_archive_close(archive);
            psb_text_free(&notes);
        }
        assert_in_range(refused, 10, 60);
        free(bytes);
    }
}

/* Written over while it is open. */
static void another_archive_in_its_place_is_noticed(void **state) {
    (void)state;
    const char *path = build("over.tar", plain_tar, meshes, MESHES);
    psb_archive *archive = open_good(path, NULL);
    size_t size;
    char *bytes = test_read(build("other.tar", plain_tar, meshes + 3, 3), &size);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    cannot_read(archive, in(path, "db/a.off"), SIZE_MAX, "not where it was");
    psb_archive_close(archive);
    free(bytes);
}

static int begin(void **state) {
    (void)state;
    return test_folder() == NULL;
}

static int end(void **state) {
    (void)state;
    test_folder_remove();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_gives_the_files),
        cmocka_unit_test(threads_read_at_once),
        cmocka_unit_test(a_folder_is_no_archive),
        cmocka_unit_test(it_lists_as_a_folder_does),
        cmocka_unit_test(what_is_no_file_is_left_out),
        cmocka_unit_test(of_two_of_a_name_the_last_counts),
        cmocka_unit_test(what_is_encrypted_is_left_out),
        cmocka_unit_test(names_in_a_zip_are_decoded_by_their_flag),
        cmocka_unit_test(bombs_are_refused_before_memory_is_taken),
        cmocka_unit_test(too_many_models_are_refused),
        cmocka_unit_test(cut_archives_give_no_wrong_bytes),
        cmocka_unit_test(another_archive_in_its_place_is_noticed),
    };
    return cmocka_run_group_tests(tests, begin, end);
}

#else

static void it_says_that_it_cannot(void **state) {
    (void)state;
    psb_archive *archive;
    psb_error error;
    psb_text notes = {0};
    assert_int_equal(psb_archive_open(test_write("a.tar", "bytes", 5), &archive, &notes, &error),
                     PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "without libarchive"));
    test_folder_remove();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_says_that_it_cannot)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
