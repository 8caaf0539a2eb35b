/* Walks through folders and collects the mesh files. */
#include "io/model_folder.h"

#include "io/mesh.h"
#include "io/name.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <xxhash.h>

/* Files left out for one reason: their number, and the first of them. */
typedef struct left_out {
    size_t count;
    psb_text first;
} left_out;

typedef struct place {
    dev_t device;
    ino_t number; /* 0: a free slot */
} place;

/* Which files are models: meshes, also .pcd, .xyz and .pts, or .npy and .txt alone. */
typedef enum kinds { MESHES, WITH_CLOUDS, TABLES } kinds;

typedef struct walk {
    kinds kinds;
    psb_listing *listing;
    const psb_archive *archive; /* the archive that holds the folders, or NULL */
    const char *split;
    size_t root;     /* length of the part of `path` that is not in models' names */
    psb_text path;   /* the current folder */
    psb_text levels; /* classes of the current folder */
    place *visited;  /* hash table, at most half full; slots is a power of two */
    size_t nvisited, slots;
    left_out twins, again, undivided;
    psb_error *error;
} walk;

static void cut(psb_text *text, size_t length) {
    if (!text->failed && text->data != NULL) {
        text->length = length;
        text->data[length] = '\0';
    }
}

static void note(left_out *what, const char *path, const char *name) {
    if (what->count++ == 0) {
        psb_text_add_plain(&what->first, path);
        psb_text_add(&what->first, "/");
        psb_text_add_plain(&what->first, name);
    }
}

/* ---- folders that were visited --------------------------------------------------------- */

static place *slot_of(place *table, size_t slots, place at) {
    size_t slot = (size_t)XXH64(&at.number, sizeof at.number, at.device) & (slots - 1);
    while (table[slot].number != 0 &&
           (table[slot].number != at.number || table[slot].device != at.device)) {
        slot = (slot + 1) & (slots - 1);
    }
    return &table[slot];
}

/* Notes the folder as visited; *fresh is false if it was visited before. */
static psb_status visit(walk *w, const struct stat *info, bool *fresh) {
    place at = {info->st_dev, info->st_ino};
    psb_status status = PSB_OK;
    if (w->nvisited * 2 >= w->slots) {
        size_t slots = w->slots > 0 ? 2 * w->slots : 64;
        place *table = psb_new_zero(&status, slots, sizeof *table, "folders", w->error);
        for (size_t i = 0; i < w->slots && status == PSB_OK; i++) {
            *slot_of(table, slots, w->visited[i]) = w->visited[i];
        }
        if (status != PSB_OK) {
            return status;
        }
        free(w->visited);
        w->visited = table;
        w->slots = slots;
    }
    place *slot = slot_of(w->visited, w->slots, at);
    *fresh = slot->number == 0;
    w->nvisited += *fresh;
    *slot = at;
    return PSB_OK;
}

/* ---- models ---------------------------------------------------------------------------- */

typedef struct file {
    const char *name;
    size_t stem, ending;
    bool lost; /* the file is a link that leads nowhere */
} file;

static int compare_files(const void *a, const void *b) {
    const file *x = a, *y = b;
    size_t shorter = x->stem < y->stem ? x->stem : y->stem;
    int order = memcmp(x->name, y->name, shorter);
    order = order != 0 ? order : (x->stem > y->stem) - (x->stem < y->stem);
    order = order != 0 ? order : (x->ending > y->ending) - (x->ending < y->ending);
    return order != 0 ? order : strcmp(x->name, y->name);
}

static psb_status add_model(walk *w, const file *f) {
    PSB_AT_END(psb_text_free) psb_text path = {0}, name = {0};
    psb_text_printf(&path, "%s/%s", w->path.data, f->name);
    psb_status status = psb_text_status(&path, w->error);
    if (status == PSB_OK) {
        psb_name_add(&name, path.data + w->root, path.length - w->root - strlen(f->name) + f->stem,
                     false);
        status = psb_text_status(&name, w->error);
    }
    PSB_THEN_IF(status, name.length > PSB_NAME_MOST,
                psb_fail_at(w->error, PSB_ERROR_INPUT, path.data, 0,
                            "a name of %zu bytes, but at most %d are allowed", name.length,
                            PSB_NAME_MOST));
    if (status == PSB_OK) {
        psb_listed model = {name.data, NULL, strdup(w->levels.data != NULL ? w->levels.data : ""),
                            0};
        name = (psb_text){0};
        if (!f->lost) {
            model.path = path.data;
            path = (psb_text){0};
        }
        status = psb_listing_add(w->listing, model, w->error);
    }
    return status;
}

static psb_status add_models(walk *w, file *files, size_t count, bool taken) {
    psb_status status = PSB_OK;
    qsort(files, count, sizeof *files, compare_files);
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        const file *f = &files[i], *before = i > 0 ? &files[i - 1] : NULL;
        if (!taken) {
            note(&w->undivided, w->path.data, f->name);
        } else if (before != NULL && before->stem == f->stem &&
                   memcmp(before->name, f->name, f->stem) == 0) {
            note(&w->twins, w->path.data, f->name);
        } else {
            status = add_model(w, f);
        }
    }
    return status;
}

/* ---- folders --------------------------------------------------------------------------- */

typedef struct content {
    struct dirent **entries;
    int nentries;
    file *files;
    const char **folders;
    size_t nfiles, nfolders;
} content;

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static int compare_names(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns the type of a directory entry, after following a link; *known is false if nothing is
 * there. *status fails if the disk cannot be read. */
static mode_t mode_of(const walk *w, const struct dirent *entry, bool *known, psb_status *status) {
    psb_text path = {0};
    struct stat info = {.st_mode = entry->d_type == DT_REG   ? S_IFREG
                                   : entry->d_type == DT_DIR ? S_IFDIR
                                                             : 0};
    *known = info.st_mode != 0;
    if (!*known) {
        psb_text_printf(&path, "%s/%s", w->path.data, entry->d_name);
        *status = psb_text_status(&path, w->error);
        *known = *status == PSB_OK && stat(path.data, &info) == 0;
        PSB_THEN_IF(*status, !*known && errno != ENOENT && errno != ENOTDIR && errno != ELOOP,
                    psb_fail_errno(w->error, path.data, "look at the file"));
        psb_text_free(&path);
    }
    return *known ? info.st_mode : 0;
}

/* Lists a folder in an archive, which has meshes only. */
static psb_status look_in_archive(walk *w, content *f) {
    const char *name, *folder = w->path.data;
    size_t first = psb_archive_first(w->archive, folder), count = 0;
    while (psb_archive_below(w->archive, folder, first + count) != NULL) {
        count++;
    }
    psb_status status = PSB_OK;
    f->files = psb_new(&status, count, sizeof *f->files, "a folder", w->error);
    f->folders = psb_new(&status, count, sizeof *f->folders, "a folder", w->error);
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        name = psb_archive_below(w->archive, folder, first + i);
        size_t length = strcspn(name, "/");
        const char *last = f->nfolders > 0 ? f->folders[f->nfolders - 1] : "";
        if (name[0] == '.' || (strncmp(last, name, length) == 0 && last[length] == '\0')) {
            continue;
        }
        if (name[length] == '\0') {
            f->files[f->nfiles++] =
                (file){name, psb_mesh_stem(name), psb_mesh_ending_of(name), false};
        } else {
            f->folders[f->nfolders] = psb_new_text(&status, name, length, "a folder", w->error);
            f->nfolders += status == PSB_OK;
        }
    }
    psb_sort(f->folders, f->nfolders, sizeof *f->folders, compare_texts);
    return status;
}

static size_t ending_of(const walk *w, const char *name) {
    size_t ending = w->kinds != TABLES ? psb_mesh_ending_of(name) : SIZE_MAX;
    return ending != SIZE_MAX || w->kinds == MESHES ? ending
                                                    : psb_cloud_ending_of(name, w->kinds == TABLES);
}

static psb_status look(walk *w, content *f) {
    if (w->archive != NULL) {
        return look_in_archive(w, f);
    }
    f->nentries = scandir(w->path.data, &f->entries, is_visible, compare_names);
    if (f->nentries < 0) {
        f->nentries = 0;
        return psb_fail_errno(w->error, w->path.data, "read the folder");
    }
    psb_status status = PSB_OK;
    size_t count = (size_t)f->nentries;
    f->files = psb_new(&status, count, sizeof *f->files, "a folder", w->error);
    f->folders = psb_new(&status, count, sizeof *f->folders, "a folder", w->error);
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        const char *name = f->entries[i]->d_name;
        bool known = false;
        mode_t mode = mode_of(w, f->entries[i], &known, &status);
        size_t ending = ending_of(w, name);
        if (S_ISDIR(mode)) {
            f->folders[f->nfolders++] = name;
        } else if (ending != SIZE_MAX && (S_ISREG(mode) || !known)) {
            f->files[f->nfiles++] = (file){name, psb_mesh_stem(name), ending, !known};
        }
    }
    return status;
}

static void free_content(content *f) {
    for (int i = 0; i < f->nentries; i++) {
        free(f->entries[i]);
    }
    for (size_t i = 0; f->entries == NULL && i < f->nfolders; i++) {
        free((void *)(uintptr_t)f->folders[i]);
    }
    free(f->entries);
    free(f->files);
    free((void *)(uintptr_t)f->folders);
}

static bool is_part(const char *name, const char *split) {
    static const char *const known[] = {"train", "test", "val", "valid", "validation", "dev"};
    bool found = split != NULL && strcmp(name, split) == 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        found = found || strcmp(name, known[i]) == 0;
    }
    return found;
}

/* Sets *divided if the folders in this one are parts of a divided set and w->split is given. */
static psb_status find_parts(const walk *w, const content *f, bool *divided) {
    *divided = f->nfolders > 0;
    for (size_t i = 0; i < f->nfolders; i++) {
        *divided = *divided && is_part(f->folders[i], w->split);
    }
    if (*divided && w->split == NULL && f->nfolders > 1) {
        return psb_fail_at(w->error, PSB_ERROR_USAGE, w->path.data, 0,
                           "holds %s and %s, which are no classes but parts of a divided set: say "
                           "which of them, or '" PSB_SPLIT_ALL "'",
                           f->folders[0], f->folders[1]);
    }
    *divided = *divided && w->split != NULL;
    return PSB_OK;
}

static void add_level(psb_text *levels, const char *name) {
    psb_text_add(levels, levels->length > 0 ? "/" : "");
    psb_name_add_class(levels, name, strlen(name), false);
}

static psb_status walk_folder(walk *w, bool taken);

static psb_status enter(walk *w, const char *name, bool is_class, bool taken) {
    size_t path = w->path.length, levels = w->levels.length;
    struct stat info;
    bool fresh = w->archive != NULL;
    psb_text_printf(&w->path, "/%s", name);
    if (is_class) {
        add_level(&w->levels, name);
    }
    psb_status status = psb_text_status(&w->path, w->error);
    PSB_THEN(status, psb_text_status(&w->levels, w->error));
    PSB_THEN_IF(status, !fresh,
                stat(w->path.data, &info) == 0 ? visit(w, &info, &fresh)
                                               : psb_fail_errno(w->error, w->path.data, "look at"));
    PSB_THEN(status, fresh ? walk_folder(w, taken) : PSB_OK);
    cut(&w->path, path);
    cut(&w->levels, levels);
    if (status == PSB_OK && !fresh) {
        note(&w->again, w->path.data, name);
    }
    return status;
}

static psb_status walk_folder(walk *w, bool taken) {
    content f = {0};
    bool divided = false;
    psb_status status = look(w, &f);
    PSB_THEN_IF(status, !taken || w->split == NULL || strcmp(w->split, PSB_SPLIT_ALL) == 0,
                find_parts(w, &f, &divided));
    PSB_THEN(status, add_models(w, f.files, f.nfiles, taken));
    for (size_t i = 0; i < f.nfolders && status == PSB_OK; i++) {
        bool all = taken && divided, wanted = divided && strcmp(f.folders[i], w->split) == 0;
        if (!divided || all || wanted) {
            status = enter(w, f.folders[i], !divided, taken || wanted);
        }
    }
    free_content(&f);
    return status;
}

static void add_note(walk *w, left_out *what, const char *why) {
    if (what->count > 0) {
        psb_text_printf(&w->listing->notes, "%s are left out: %zu, the first is %s\n", why,
                        what->count, what->first.failed ? "" : what->first.data);
    }
    psb_text_free(&what->first);
}

static psb_status add(psb_listing *listing, const psb_archive *archive, const char *folder,
                      const char *split, kinds which, psb_error *error) {
    walk w = {
        .kinds = which, .listing = listing, .archive = archive, .split = split, .error = error};
    struct stat info;
    bool fresh, all = split == NULL || strcmp(split, PSB_SPLIT_ALL) == 0;
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/') {
        length--;
    }
    psb_text_add_bytes(&w.path, folder, length);
    w.root = length + 1;
    psb_status status = psb_text_status(&w.path, error);
    PSB_THEN_IF(status, archive == NULL,
                stat(folder, &info) == 0 && S_ISDIR(info.st_mode)
                    ? visit(&w, &info, &fresh)
                    : psb_fail_at(error, PSB_ERROR_IO, folder, 0, "not a folder of models"));
    PSB_THEN(status, walk_folder(&w, all));
    add_note(&w, &w.twins, "files with the names of other models");
    add_note(&w, &w.again, "folders that links reach again");
    add_note(&w, &w.undivided, "files in no part of a divided set");
    psb_text_free(&w.path);
    psb_text_free(&w.levels);
    free(w.visited);
    return status;
}

psb_status psb_listing_add_folder(psb_listing *listing, const psb_archive *archive,
                                  const char *folder, const char *split, psb_error *error) {
    return add(listing, archive, folder, split, MESHES, error);
}

psb_status psb_listing_add_clouds(psb_listing *listing, const psb_archive *archive,
                                  const char *folder, const char *split, psb_error *error) {
    psb_status status = add(listing, archive, folder, split, WITH_CLOUDS, error);
    return status == PSB_OK && listing->count == 0
               ? add(listing, archive, folder, split, TABLES, error)
               : status;
}
