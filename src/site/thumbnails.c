/*
 * What pages show of models: pictures, in sheets of SITE_SHEET, and data files with what a model
 * looks like from all sides and what its info file says. Sheets are shared among threads. A sheet's
 * name has a hash of all that it was drawn from, and the kind of each model's picture: a sheet that
 * is there already is not drawn again.
 */
#include "core/linear.h"
#include "io/mesh.h"
#include "io/png.h"
#include "site/parts.h"

#include <dirent.h>
#include <unistd.h>
#include <xxhash.h>

enum {
    WIDTH = SITE_PICTURE_WIDTH,
    HEIGHT = SITE_PICTURE_WIDTH * PSB_PORTRAIT_HEIGHT / PSB_PORTRAIT_WIDTH,
    CHANNELS = 2,
    ROWS = SITE_SHEET / SITE_SHEET_COLUMNS,
    STRIDE = SITE_SHEET_COLUMNS * WIDTH * CHANNELS, /* bytes of a sheet's row */
    WAITING = 64, /* finished sheets that get their names together */
};

/* The memory of one thread. */
typedef struct worker {
    psb_portrait portrait;
    psb_mesh_buffer mesh;
    psb_text data;
    psb_buffer file;
    char *path[SITE_SHEET];    /* files of the sheet's models, or NULL */
    uint64_t hash[SITE_SHEET]; /* hashes of these files */
    uint8_t sheet[ROWS * HEIGHT * STRIDE];
} worker;

typedef struct pictures {
    site *s;
    const char *folder;   /* folder of the models */
    psb_archive *archive; /* the archive that they are in, or NULL */
    psb_portrait_kind kind;
    psb_output waiting[WAITING]; /* finished sheets that have no name yet */
    size_t nwaiting;
} pictures;

static size_t sheet_end(const site *s, size_t sheet) {
    size_t end = (sheet + 1) * SITE_SHEET;
    return end < s->cla->nmodels ? end : s->cla->nmodels;
}

/* ---- what a sheet is made of ------------------------------------------------------------ */

static char *info_beside(psb_status *status, const char *path, psb_error *error) {
    return psb_new_format(status, error, "%.*s_info.txt", (int)psb_mesh_stem(path), path);
}

/* Adds which file it is and the hash of its bytes to the key; both are 0 if it is not there. */
static psb_status add_file(XXH64_state_t *key, const pictures *all, uint64_t which,
                           const char *path, worker *w, uint64_t *hash, psb_error *error) {
    size_t size = 0;
    uint64_t seen[2] = {0, 0};
    bool there = false;
    psb_status status = psb_archive_find(all->archive, path, &there, error);
    if (there) {
        status = psb_archive_read(all->archive, path, SIZE_MAX, &w->file, &size, error);
        seen[0] = which;
        seen[1] = status == PSB_OK ? XXH64(w->file.data, size, 0) : 0;
    }
    XXH64_update(key, seen, sizeof seen);
    *hash = seen[1];
    return status;
}

/* Finds the files of a sheet's models and hashes them. What cannot be read has no picture. */
static psb_status look(const pictures *all, size_t sheet, worker *w, uint64_t *key,
                       psb_error *error) {
    site *s = all->s;
    uint64_t large = s->cla->nmodels > SITE_LARGE; /* its data files have other models */
    const uint64_t settings[] = {PSB_PORTRAIT_REVISION + large, SITE_PICTURE_WIDTH,
                                 all->kind.triangles, all->kind.found};
    XXH64_state_t *hash = XXH64_createState();
    if (hash == NULL) {
        return psb_fail(error, PSB_ERROR_MEMORY, "no memory for a hash");
    }
    psb_status status = PSB_OK;
    XXH64_reset(hash, 0);
    XXH64_update(hash, settings, sizeof settings);
    for (size_t m = sheet * SITE_SHEET; m < sheet_end(s, sheet) && status == PSB_OK; m++) {
        size_t place = m % SITE_SHEET;
        const char *id = s->cla->models[m];
        XXH64_update(hash, id, strlen(id) + 1);
        status = s->options->find(s->options->context, all->archive, all->folder, id,
                                  &w->path[place], error);
        const char *path = w->path[place];
        if (status == PSB_OK && path != NULL) {
            PSB_FREED char *info = info_beside(&status, path, error);
            PSB_FREED char *found = psb_portrait_found(&status, path, error);
            uint64_t beside;
            PSB_THEN(status, add_file(hash, all, 1, path, w, &w->hash[place], error));
            PSB_THEN(status, add_file(hash, all, 2, info, w, &beside, error));
            PSB_THEN(status, add_file(hash, all, 3, found, w, &beside, error));
        }
    }
    *key = XXH64_digest(hash);
    XXH64_freeState(hash);
    return status;
}

/* Takes the sheet of this key, if it is there; removes others of its number. */
static psb_status find_sheet(site *s, size_t sheet, uint64_t key, psb_error *error) {
    char *folder = NULL, begin[32], wanted[64];
    const struct dirent *entry;
    snprintf(begin, sizeof begin, "%zu-", sheet);
    snprintf(wanted, sizeof wanted, "%zu-%016llx-", sheet, (unsigned long long)key);
    size_t models = sheet_end(s, sheet) - sheet * SITE_SHEET;
    psb_status status = psb_path_join(&folder, s->options->folder, "thumbnails", error);
    DIR *dir = status == PSB_OK ? opendir(folder) : NULL;
    while (dir != NULL && (entry = readdir(dir)) != NULL && status == PSB_OK) {
        const char *name = entry->d_name, *kinds = name + strlen(wanted);
        if (strncmp(name, begin, strlen(begin)) != 0) {
            continue;
        }
        if (strncmp(name, wanted, strlen(wanted)) == 0 && strspn(kinds, "pj-") == models &&
            strcmp(kinds + models, ".png") == 0) {
            snprintf(s->sheet[sheet], sizeof s->sheet[sheet], "%.*s",
                     (int)(strlen(wanted) + models), name);
            memcpy(s->picture + sheet * SITE_SHEET, kinds, models);
            continue;
        }
        PSB_FREED char *path = NULL;
        status = psb_path_join(&path, folder, name, error);
        PSB_THEN(status, psb_remove(path, 0, error));
    }
    if (dir != NULL) {
        closedir(dir);
    }
    free(folder);
    return status;
}

/* ---- one model -------------------------------------------------------------------------- */

/* Copies NAME_thumb.jpg as it is. */
static psb_status copy_found(site *s, size_t model, const char *source, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
    PSB_FREED char *path =
        psb_new_format(&status, error, "%s/thumbnails/%zu.jpg", s->options->folder, model);
    PSB_THEN(status, psb_input_open(source, &input, error));
    return PSB_THEN_IF(status, !psb_holds(path, input.data, input.size),
                       psb_write_one_of_many(path, input.data, input.size, error));
}

/* Makes a pixel of a sheet: two are three of the portrait, one and a half each. */
static void shrink(const uint8_t *picture, size_t x, size_t y, uint8_t out[CHANNELS]) {
    unsigned gray = 0, alpha = 0;
    for (size_t j = 0; j < 2; j++) {
        for (size_t i = 0; i < 2; i++) {
            size_t column = x / 2 * 3 + x % 2 + i, row = y / 2 * 3 + y % 2 + j;
            const uint8_t *from = picture + (row * PSB_PORTRAIT_WIDTH + column) * CHANNELS;
            unsigned weight = (i == x % 2 ? 2U : 1U) * (j == y % 2 ? 2U : 1U);
            gray += weight * from[0] * from[1];
            alpha += weight * from[1];
        }
    }
    out[0] = (uint8_t)(alpha > 0 ? (gray + alpha / 2) / alpha : 0);
    out[1] = (uint8_t)((alpha + 4) / 9);
}

static void draw(site *s, size_t model, const uint8_t *picture, worker *w) {
    size_t place = model % SITE_SHEET;
    uint8_t *corner = w->sheet + place / SITE_SHEET_COLUMNS * HEIGHT * STRIDE +
                      place % SITE_SHEET_COLUMNS * WIDTH * CHANNELS;
    for (size_t y = 0; y < HEIGHT; y++) {
        for (size_t x = 0; x < WIDTH; x++) {
            shrink(picture, x, y, corner + y * STRIDE + x * CHANNELS);
        }
    }
    s->picture[model] = 'p';
}

/* Adds where the model came from: lines "url: ..." of the benchmark's info file, as members. */
static psb_status add_info(psb_text *out, const char *path, psb_error *error) {
    static const char *const keys[] = {"url", "ref_url", "format"};
    enum { LONGEST = 300 };
    PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
    psb_status status = psb_input_open_if_there(path, &input, error);
    const char *next = input.data, *end = next + input.size, *at, *stop, *separator = "";
    while (psb_next_line(&next, end, &at, &stop)) {
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            size_t length = strlen(keys[k]);
            if ((size_t)(stop - at) > length + 2 && memcmp(at, keys[k], length) == 0 &&
                memcmp(at + length, ": ", 2) == 0) {
                char value[LONGEST + 1];
                snprintf(value, sizeof value, "%.*s", (int)(stop - at - (ptrdiff_t)length - 2),
                         at + length + 2);
                psb_text_printf(out, "%s%s:", separator, keys[k]);
                psb_markup_string(out, value);
                separator = ",";
            }
        }
    }
    return status;
}

/* Gets a model's portrait as the run kept it, else makes it from the mesh. */
static psb_status portray(const pictures *all, size_t place, bool picture, worker *w,
                          psb_portrait_view *view, psb_error *error) {
    const psb_site_options *o = all->s->options;
    const char *path = w->path[place];
    psb_text *packed = &w->portrait.packed;
    bool kept = o->portrait != NULL && o->portrait(o->context, w->hash[place], packed) &&
                psb_portrait_unpack(packed->data, packed->length, view);
    if (kept && (!picture || view->picture != NULL)) {
        return PSB_OK;
    }
    if (w->hash[place] == 0) { /* the file is not there */
        *view = (psb_portrait_view){.solid = ""};
        return PSB_OK;
    }
    psb_status status = psb_mesh_load(all->archive, path, &w->mesh, error);
    PSB_THEN(status,
             psb_portrait_make(&w->portrait, &w->mesh.mesh, picture, all->kind.triangles, error));
    if (status != PSB_OK || !psb_portrait_unpack(packed->data, packed->length, view)) {
        *view = (psb_portrait_view){.solid = ""}; /* what cannot be read has no picture */
    }
    return psb_is_of_bytes(status) ? PSB_OK : status;
}

/* Adds a model's entry to the data file: what it looks like, and what is known of it. */
static psb_status add_model(const pictures *all, size_t model, worker *w, psb_error *error) {
    const char *path = w->path[model % SITE_SHEET];
    psb_status status = PSB_OK;
    psb_text_add(&w->data, "[\"");
    if (path == NULL) {
        psb_text_add(&w->data, "\",{}]");
        return PSB_OK;
    }
    PSB_FREED char *info = info_beside(&status, path, error);
    PSB_FREED char *found = psb_portrait_found(&status, path, error);
    bool copied = false;
    PSB_THEN_IF(status, all->kind.found, psb_file_is_there(found, &copied, error));
    if (copied) {
        status = copy_found(all->s, model, found, error);
        all->s->picture[model] = 'j';
    }
    if (status == PSB_OK && (!copied || all->kind.triangles > 0)) {
        psb_portrait_view view = {.solid = ""};
        status = portray(all, model % SITE_SHEET, !copied, w, &view, error);
        if (view.picture != NULL && !copied) {
            draw(all->s, model, view.picture, w);
        }
        psb_text_add_bytes(&w->data, view.solid, view.solid_length);
    }
    psb_text_add(&w->data, "\",{");
    PSB_THEN(status, add_info(&w->data, info, error));
    psb_text_add(&w->data, "}]");
    return status;
}

/* ---- a sheet ---------------------------------------------------------------------------- */

static psb_status draw_models(const pictures *all, size_t sheet, worker *w, psb_error *error) {
    psb_status status = PSB_OK;
    size_t end = sheet_end(all->s, sheet), together = psb_site_solids(all->s);
    memset(w->sheet, 0, sizeof w->sheet);
    for (size_t m = sheet * SITE_SHEET; m < end && status == PSB_OK; m++) {
        if (m % together == 0) {
            psb_text_printf(&w->data, "psb.solids(%zu,[\n", m / together);
        }
        status = add_model(all, m, w, error);
        bool last = m + 1 == end || (m + 1) % together == 0;
        psb_text_add(&w->data, last ? "]);\n" : ",\n");
        if (last && all->kind.triangles == 0) { /* no page would read it */
            psb_text_free(&w->data);
        } else if (last && status == PSB_OK) {
            char name[64];
            snprintf(name, sizeof name, "data/solids/%zu.js", m / together);
            status = psb_site_write(all->s, name, &w->data, error);
        }
    }
    return status;
}

/* Gives sheets their names, once the bytes of all of them were forced to the disk. */
static psb_status commit_sheets(const site *s, psb_output *sheets, size_t count, psb_error *error) {
    psb_status status = count > 0 ? psb_force_to_disk(s->options->folder, error) : PSB_OK;
    for (size_t i = 0; i < count; i++) {
        PSB_THEN(status, psb_output_commit(&sheets[i], error));
        psb_output_discard(&sheets[i]);
    }
    return status;
}

/* Writes a sheet, last: if it is there, so is its data. Rows without a picture are cut off. */
static psb_status write_sheet(pictures *all, size_t sheet, uint64_t key, const worker *w,
                              psb_error *error) {
    site *s = all->s;
    psb_output output = {.stream = NULL}, many[WAITING];
    size_t count = 0;
    size_t first = sheet * SITE_SHEET, end = sheet_end(s, sheet), behind = end;
    while (behind > first && s->picture[behind - 1] != 'p') {
        behind--;
    }
    size_t rows = (behind - first + SITE_SHEET_COLUMNS - 1) / SITE_SHEET_COLUMNS;
    psb_status status = PSB_OK;
    snprintf(s->sheet[sheet], sizeof s->sheet[sheet], "%zu-%016llx-%.*s", sheet,
             (unsigned long long)key, (int)(end - first), s->picture + first);
    PSB_FREED char *path =
        psb_new_format(&status, error, "%s/thumbnails/%s.png", s->options->folder, s->sheet[sheet]);
    bool gathered = psb_outputs_gather(true);
    PSB_THEN(status, psb_output_open(path, &output, error));
    psb_outputs_gather(gathered);
    PSB_THEN(status, psb_png_write_small(&output, rows > 0 ? SITE_SHEET_COLUMNS * WIDTH : 1,
                                         rows > 0 ? rows * HEIGHT : 1, w->sheet, error));
    if (status != PSB_OK) {
        psb_output_discard(&output);
        return status;
    }
#pragma omp critical(psb_sheets)
    {
        all->waiting[all->nwaiting++] = output;
        if (all->nwaiting == WAITING) {
            memcpy(many, all->waiting, sizeof many);
            count = WAITING;
            all->nwaiting = 0;
        }
    }
    return commit_sheets(s, many, count, error);
}

static psb_status make_sheet(void *job, void *own, size_t sheet, psb_error *error) {
    pictures *all = job;
    worker *w = own;
    uint64_t key = 0;
    psb_status status = look(all, sheet, w, &key, error);
    PSB_THEN(status, find_sheet(all->s, sheet, key, error));
    if (status == PSB_OK && all->s->sheet[sheet][0] == '\0') {
        status = draw_models(all, sheet, w, error);
        PSB_THEN(status, write_sheet(all, sheet, key, w, error));
    }
    for (size_t i = 0; i < SITE_SHEET; i++) {
        free(w->path[i]);
        w->path[i] = NULL;
    }
    return status;
}

/* ---- all of them ------------------------------------------------------------------------ */

static psb_status begin(void *job PSB_UNUSED, void **own, psb_error *error PSB_UNUSED) {
    memset(*own, 0, sizeof(worker));
    return PSB_OK;
}

static void end(void *job PSB_UNUSED, void *own) {
    worker *w = own;
    psb_portrait_free(&w->portrait);
    psb_mesh_buffer_free(&w->mesh);
    psb_text_free(&w->data);
    psb_buffer_free(&w->file);
}

psb_status psb_site_write_thumbnails(site *s, size_t *without_picture, psb_error *error) {
    size_t n = s->cla->nmodels, sheets = (n + SITE_SHEET - 1) / SITE_SHEET;
    psb_status status = PSB_OK;
    memset(s->picture, '-', n);
    s->sheet = psb_new_zero(&status, sheets, sizeof *s->sheet, "pictures", error);
    *without_picture = 0;
    if (status != PSB_OK || s->options->thumbnails == PSB_THUMBNAILS_NONE) {
        return status;
    }
    pictures all = {.s = s,
                    .folder = s->options->models,
                    .kind = psb_portrait_kind_of(s->options->thumbnails, n)};
    s->solids = all.kind.triangles > 0;
    psb_text notes = {0};
    status = psb_archive_open(all.folder, &all.archive, &notes, error);
    psb_text_free(&notes);
    site_stage stage = {s->options, "thumbnails"};
    PSB_THEN(status, psb_linear_setup(error));
    PSB_THEN(status, psb_parallel(&(psb_loop){.count = sheets,
                                              .threads = s->options->threads,
                                              .bytes = sizeof(worker),
                                              .name = "thumbnails",
                                              .begin = begin,
                                              .end = end,
                                              .item = make_sheet,
                                              .job = &all,
                                              .progress = psb_site_progress,
                                              .context = &stage},
                                  error));
    /* Sheets wait also if the loop did not come to its end. */
    psb_status kept = commit_sheets(s, all.waiting, all.nwaiting, status == PSB_OK ? error : NULL);
    status = status == PSB_OK ? kept : status;
    psb_archive_close(all.archive);
    for (size_t i = 0; i < n; i++) {
        *without_picture += s->picture[i] == '-';
    }
    return status;
}
