/* Finds the file of each model before any work starts. */
#include "io/dataset.h"

#include "core/file.h"
#include "core/number.h"
#include "io/labels.h"
#include "io/mesh.h"
#include "io/model_folder.h"
#include "io/model_index.h"
#include "io/name.h"

#include <ctype.h>
#include <strings.h>
#include <xxhash.h>

enum { NAMED_IN_ERROR = 5 };

/* How many forms of file names are tried for a model. */
enum { LAYOUTS = 3 };

/* Spellings of an ending: which of its first three letters are upper case, as bits. */
static const unsigned spellings[] = {0, 7, 1};
enum { SPELLINGS = sizeof spellings / sizeof spellings[0] };

static void spell(const char *ending, unsigned large, char out[16]) {
    snprintf(out, 16, "%s", ending);
    for (int k = 0; k < 3 && out[k] != '\0'; k++) {
        out[k] = large >> k & 1 ? (char)toupper((unsigned char)out[k]) : out[k];
    }
}

/* Appends the path of the model's file by this layout; false if the layout does not fit the id. */
static bool candidate(int layout, const char *folder, const char *id, const char *ending,
                      psb_text *path) {
    int64_t number;
    const char *slash = strrchr(id, '/');
    int above = slash != NULL ? (int)(slash - id) + 1 : 0;
    if (layout == 0 && (!psb_parse_int64(id, &number) || number < 0)) {
        return false;
    }
    psb_text_printf(path, "%s/", folder);
    switch (layout) {
    case 0: /* the benchmark's layout, for numeric ids */
        psb_text_printf(path, "%lld/m%s/m%s.%s", (long long)(number / 100), id, id, ending);
        break;
    case 1:
        psb_text_printf(path, "%.*sm%s.%s", above, id, id + above, ending);
        break;
    default:
        psb_text_printf(path, "%s.%s", id, ending);
        break;
    }
    return true;
}

static psb_status find_literally(const psb_archive *archive, const char *folder, const char *id,
                                 char **path, psb_error *error) {
    const char *ending;
    for (size_t i = 0; (ending = psb_mesh_ending_at(i / LAYOUTS / SPELLINGS)) != NULL; i++) {
        psb_text name = {0};
        char spelled[16];
        spell(ending, spellings[i % SPELLINGS], spelled);
        if (!candidate((int)(i / SPELLINGS % LAYOUTS), folder, id, spelled, &name)) {
            continue;
        }
        psb_status status = psb_text_status(&name, error);
        if (status != PSB_OK) {
            psb_text_free(&name);
            return status;
        }
        bool there = false;
        status = psb_archive_find(archive, name.data, &there, error);
        if (there) {
            *path = name.data;
            return PSB_OK;
        }
        psb_text_free(&name);
        if (status != PSB_OK) {
            return status;
        }
    }
    return PSB_OK;
}

psb_status psb_dataset_find(const psb_archive *archive, const char *folder, const char *id,
                            char **path, psb_error *error) {
    *path = NULL;
    psb_status status = find_literally(archive, folder, id, path, error);
    if (status == PSB_OK && *path == NULL && !psb_name_is_plain(id)) {
        PSB_AT_END(psb_text_free) psb_text bytes = {0};
        psb_name_decode(&bytes, id);
        status = psb_text_status(&bytes, error);
        PSB_THEN_IF(status, psb_name_stays_below(bytes.data, bytes.length),
                    find_literally(archive, folder, bytes.data, path, error));
    }
    return status;
}

/* Appends "2 of 907 models have no file below db: 12, 13". */
static void tell_missing(const psb_dataset *dataset, const char *folder, psb_text *text) {
    psb_text_printf(text, "%zu of %zu models have no file below %s", dataset->nmissing,
                    dataset->listed, folder);
    for (size_t i = 0; i < dataset->nmissing && i < NAMED_IN_ERROR; i++) {
        psb_text_printf(text, "%s%.40s", i > 0 ? ", " : ": ", dataset->missing[i]);
    }
    psb_text_add(text, dataset->nmissing > NAMED_IN_ERROR ? ", ..." : "");
}

static psb_status fail_missing(const psb_dataset *dataset, const char *cla_path, const char *folder,
                               psb_error *error) {
    PSB_AT_END(psb_text_free) psb_text text = {0};
    tell_missing(dataset, folder, &text);
    psb_status status = psb_text_status(&text, error);
    return PSB_THEN(status, psb_fail_at(error, PSB_ERROR_IO, cla_path, 0, "%s", text.data));
}

static psb_status fail_none(const psb_dataset *dataset, const char *cla_path, const char *folder,
                            psb_error *error) {
    PSB_AT_END(psb_text_free) psb_text tried = {0};
    for (int layout = 0; layout < LAYOUTS; layout++) {
        size_t before = tried.length;
        psb_text_add(&tried, before > 0 ? ", " : "");
        if (!candidate(layout, folder, dataset->missing[0], psb_mesh_ending_at(0), &tried)) {
            tried.length = before;
        }
    }
    psb_status status = psb_fail_at(error, PSB_ERROR_IO, cla_path, 0,
                                    "none of the %zu models has a file below %s; tried for the "
                                    "first: %s",
                                    dataset->listed, folder, tried.failed ? "" : tried.data);
    return status;
}

static psb_status note_missing(psb_dataset *dataset, size_t model, psb_error *error) {
    psb_status status = PSB_OK;
    const char *id = dataset->cla.models[model];
    dataset->missing[dataset->nmissing++] = psb_new_copy(&status, id, "a model's id", error);
    return status;
}

/*
 * Finds the path of every listed model, or notes it as missing. A listing of a folder knows its
 * files. Models of a .cla or a table are found by name; a table's models may be anywhere below the
 * folder.
 */
static psb_status find_all(psb_dataset *dataset, const psb_collection_options *options,
                           psb_listing *listing, psb_error *error) {
    psb_status status = PSB_OK;
    size_t n = dataset->listed;
    bool anywhere = false, by_name = options->cla != NULL || options->labels != NULL;
    PSB_AT_END(psb_model_index_close) psb_model_index index = {0};
    dataset->paths = psb_new_zero(&status, n, sizeof *dataset->paths, "model paths", error);
    dataset->missing = psb_new_zero(&status, n, sizeof *dataset->missing, "model ids", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        char **path = &dataset->paths[i];
        const char *id = dataset->cla.models[i];
        if (by_name) {
            status = psb_dataset_find(dataset->archive, options->models, id, path, error);
        } else {
            *path = listing->models[i].path;
            listing->models[i].path = NULL;
        }
        if (status == PSB_OK && *path == NULL && options->labels != NULL) {
            status = anywhere
                         ? PSB_OK
                         : psb_model_index_open(dataset->archive, options->models, &index, error);
            anywhere = true;
            PSB_THEN(status, psb_model_index_find(&index, id, path, error));
        }
        PSB_THEN_IF(status, *path == NULL, note_missing(dataset, i, error));
    }
    return status;
}

/* Leaves the models without a file out, and says so among the notes. */
static psb_status drop_missing(psb_dataset *dataset, const char *folder, psb_error *error) {
    psb_text notes = {0};
    psb_text_add(&notes, dataset->notes != NULL ? dataset->notes : "");
    tell_missing(dataset, folder, &notes);
    psb_text_add(&notes, ": left out\n");
    free(dataset->notes);
    dataset->notes = notes.data;
    psb_status status = psb_text_status(&notes, error);
    PSB_FREED bool *keep = psb_new(&status, dataset->listed, sizeof *keep, "models in use", error);
    for (size_t i = 0; i < dataset->listed && status == PSB_OK; i++) {
        keep[i] = dataset->paths[i] != NULL;
    }
    return PSB_THEN(status, psb_dataset_keep(dataset, keep, error));
}

uint64_t psb_list_hash(const psb_classification *cla, uint64_t hash) {
    for (size_t c = 0; c < cla->nclasses; c++) {
        const psb_class *class = &cla->classes[c];
        hash = XXH64(class->full_name, strlen(class->full_name) + 1, hash);
        hash = XXH64(&class->count, sizeof class->count, hash);
    }
    for (size_t i = 0; i < cla->nmodels; i++) {
        hash = XXH64(cla->models[i], strlen(cla->models[i]) + 1, hash);
    }
    return hash;
}

const char *psb_dataset_source(const psb_collection_options *options) {
    return options->classes_of != NULL ? options->classes_of
           : options->cla != NULL      ? options->cla
           : options->labels != NULL   ? options->labels
                                       : options->models;
}

bool psb_is_run(const char *path) {
    static const char *const marks[] = {"models.cla", "provenance.tsv", "run.json"};
    bool found = false;
    for (size_t m = 0; m < sizeof marks / sizeof marks[0] && !found; m++) {
        PSB_FREED char *mark = NULL;
        found = psb_path_join(&mark, path, marks[m], NULL) == PSB_OK && psb_is_file(mark);
    }
    return found;
}

/* Sets cla->other if RUN/SIDE.ids exists, which has the order of the run's list. */
static psb_status find_other(const char *run, const char *side, psb_classification *cla,
                             psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *ids = psb_new_format(&status, error, "%s/%s.ids", run, side);
    if (status == PSB_OK && psb_is_file(ids)) {
        cla->other = psb_new_format(&status, error, "%s/%s", run, side);
    }
    return status;
}

psb_status psb_run_fail_empty(const char *run, psb_error *error) {
    return psb_fail_at(error, PSB_ERROR_INPUT, run, 0,
                       "no results yet: repeat the run's command to continue");
}

/* Sets *path to RUN/SIDE.cla, which does not exist if the run was ended early. */
static psb_status find_list(const char *run, const char *side, char **path, psb_error *error) {
    psb_status status = PSB_OK;
    bool there = false;
    *path = psb_new_format(&status, error, "%s/%s.cla", run, side);
    PSB_THEN(status, psb_file_is_there(*path, &there, error));
    return status != PSB_OK || there ? status : psb_run_fail_empty(run, error);
}

psb_status psb_run_cla_read(const char *run, const char *side, psb_classification *cla,
                            psb_error *error) {
    PSB_FREED char *path = NULL;
    *cla = (psb_classification){0};
    psb_status status = find_list(run, side, &path, error);
    PSB_THEN(status, psb_cla_read(path, cla, error));
    return PSB_THEN(status, find_other(run, side, cla, error));
}

/* Recognizes a .cla by its ending or its first word, so that it may have another name. */
static bool is_classification(const char *path) {
    psb_input file;
    size_t length = strlen(path);
    bool found = length > 4 && strcasecmp(path + length - 4, ".cla") == 0;
    if (!found && psb_input_open(path, &file, NULL) == PSB_OK) {
        size_t mark = psb_text_mark(file.data, file.size);
        found = file.size - mark > 4 && memcmp((const char *)file.data + mark, "PSB ", 4) == 0;
        psb_input_close(&file);
    }
    return found;
}

/* Recognizes a table by its ending. */
static bool is_table(const char *path) {
    size_t length = strlen(path);
    const char *end = length > 4 ? path + length - 4 : path;
    return (strcasecmp(end, ".csv") == 0 || strcasecmp(end, ".tsv") == 0) &&
           !is_classification(path);
}

/* Sets o->cla, labels or models from o->classes_of, and o->labels from o->cla if that is a table.
 * free(*of_run). */
static psb_status resolve(psb_collection_options *o, char **of_run, psb_error *error) {
    const char *path = o->classes_of;
    psb_status status = PSB_OK;
    *of_run = NULL;
    o->classes_of = NULL;
    if (path == NULL && o->cla != NULL && o->targets == NULL && is_table(o->cla)) {
        o->labels = o->cla;
        o->cla = NULL;
    }
    if (path == NULL) {
        return PSB_OK;
    }
    if (psb_is_folder(path) && psb_is_run(path)) {
        status = find_list(path, "models", of_run, error);
        o->cla = *of_run;
    } else if (psb_is_folder(path)) {
        o->models = path;
    } else if (is_classification(path)) {
        o->cla = path;
    } else {
        o->labels = path;
    }
    return status;
}

/* Fails if no model was found in the folder, or none with a class, and says what was looked for. */
static psb_status check_folder(const psb_collection_options *options, const psb_listing *listing,
                               psb_error *error) {
    const char *folder = options->models;
    const char *part = options->split != NULL && strcmp(options->split, PSB_SPLIT_ALL) != 0
                           ? options->split
                           : NULL;
    if (listing->count == 0) {
        return psb_fail_at(error, PSB_ERROR_IO, folder, 0,
                           "no models%s%.40s: looked for %s/*.off, %s/*/*.off and so on, also "
                           ".obj, .ply, .stl, these with .gz, .glb and the others",
                           part != NULL ? " of part " : "", part != NULL ? part : "",
                           psb_path_shown(folder), psb_path_shown(folder));
    }
    for (size_t i = 0; i < listing->count; i++) {
        if (listing->models[i].classes[0] != '\0') {
            return PSB_OK;
        }
    }
    return psb_fail_at(error, PSB_ERROR_INPUT, folder, 0,
                       "none of its %zu models lies in the folder of a class (want %s/CLASS/%s)",
                       listing->count, psb_path_shown(folder), listing->models[0].name);
}

enum { ALONE_LEAST = 10 };

/* True if a name has the form of the benchmark's layout: "8/m812/m812", below any folder. */
static bool is_of_benchmark(const char *name) {
    const char *last = psb_last_part(name);
    return last[0] == 'm' && isdigit((unsigned char)last[1]) && psb_name_lies_in(name, last);
}

/* Counts the classes that have models after a cut at `level`. */
static size_t count_cut(const psb_listing *listing, size_t level, psb_error *error) {
    PSB_AT_END(psb_listing_free) psb_listing copy = {0};
    PSB_AT_END(psb_cla_free) psb_classification cla = {0};
    psb_status status = PSB_OK;
    for (size_t i = 0; i < listing->count && status == PSB_OK; i++) {
        const psb_listed *m = &listing->models[i];
        status = psb_listing_add(&copy, (psb_listed){strdup(m->name), NULL, strdup(m->classes), 0},
                                 error);
    }
    PSB_THEN(status, psb_listing_classify(&copy, "folders", level, &cla, error));
    size_t count = 0;
    for (size_t c = 0; c < cla.nclasses; c++) {
        count += cla.classes[c].count > 0;
    }
    return status == PSB_OK ? count : listing->count;
}

/* If each model is alone in its folder, the folders are no classes: a ShapeNet folder needs a
 * level, the benchmark's layout a classification. Says so before any work. */
static psb_status check_alone(const char *folder, const psb_classification *cla,
                              const psb_listing *listing, psb_error *error) {
    for (size_t c = 0; c < cla->nclasses; c++) {
        if (cla->classes[c].count > 1) {
            return PSB_OK;
        }
    }
    if (listing->count < ALONE_LEAST) {
        return PSB_OK;
    }
    if (is_of_benchmark(listing->models[0].name)) {
        return psb_fail_at(error, PSB_ERROR_USAGE, folder, 0,
                           "%zu models, each alone in its folder, which is the layout of the "
                           "benchmark: its classes are in a file (--cla FILE.cla, or --labels "
                           "TABLE.csv)",
                           listing->count);
    }
    size_t level = 1, count = listing->count;
    while (level < 8 && (count = count_cut(listing, level, NULL)) == 1) {
        level++;
    }
    char advice[64] = "";
    if (count > 1 && count < listing->count) {
        snprintf(advice, sizeof advice, " (--level %zu makes %zu classes)", level, count);
    }
    return psb_fail_at(error, PSB_ERROR_USAGE, folder, 0,
                       "%zu models, each alone in its folder: say at which level folders are "
                       "classes%s, or name the classes in a table (--labels TABLE.csv)",
                       listing->count, advice);
}

/* Puts all models into class -1, which means that they have none. */
static psb_status forget_classes(psb_listing *listing, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t i = 0; i < listing->count && status == PSB_OK; i++) {
        free(listing->models[i].classes);
        listing->models[i].classes = psb_new_text(&status, "-1", 2, "a class", error);
    }
    return status;
}

static psb_status list_folder(const psb_collection_options *options, psb_archive **archive,
                              psb_listing *listing, psb_error *error) {
    psb_collection_options o = *options;
    o.split = o.split == NULL && o.unlabelled ? PSB_SPLIT_ALL : o.split;
    psb_status status = psb_archive_open(o.models, archive, &listing->notes, error);
    PSB_THEN(status, (o.clouds ? psb_listing_add_clouds : psb_listing_add_folder)(
                         listing, *archive, o.models, o.split, error));
    PSB_THEN_IF(status, !o.unlabelled || listing->count == 0, check_folder(&o, listing, error));
    return status == PSB_OK && o.unlabelled ? forget_classes(listing, error) : status;
}

/* psb_dataset_list after resolve(). */
static psb_status list(const psb_collection_options *options, psb_archive **archive,
                       psb_classification *cla, psb_listing *listing, psb_error *error) {
    const char *source = psb_dataset_source(options);
    psb_status status = PSB_OK;
    if (options->cla != NULL && options->split != NULL) {
        return psb_fail_at(error, PSB_ERROR_USAGE, source, 0,
                           "a classification has no parts; leave out --split %.40s",
                           options->split);
    }
    if (options->cla != NULL) {
        status = psb_cla_read(options->cla, cla, error);
        PSB_THEN(status, psb_listing_add_cla(listing, cla, error));
    } else if (options->labels != NULL) {
        const psb_labels_options columns = {options->split, options->id_column,
                                            options->class_column};
        status = psb_labels_read(options->labels, &columns, listing, error);
    } else {
        status = list_folder(options, archive, listing, error);
    }
    /* A .cla without a cut keeps its order, and its classes without models. */
    if (status == PSB_OK && (options->cla == NULL || options->level > 0)) {
        psb_cla_free(cla);
        status = psb_listing_classify(listing, source, options->level, cla, error);
    }
    if (status == PSB_OK && options->cla == NULL && options->labels == NULL &&
        !options->unlabelled && options->level == 0) {
        status = check_alone(source, cla, listing, error);
    }
    return status;
}

psb_status psb_dataset_list(const psb_collection_options *options, psb_archive **archive,
                            psb_classification *cla, psb_listing *listing, psb_error *error) {
    psb_collection_options o = *options;
    PSB_FREED char *of_run = NULL;
    *cla = (psb_classification){0};
    *listing = (psb_listing){0};
    *archive = NULL;
    psb_status status = resolve(&o, &of_run, error);
    PSB_THEN(status, list(&o, archive, cla, listing, error));
    return PSB_THEN(status, of_run != NULL ? find_other(options->classes_of, "models", cla, error)
                                           : PSB_OK);
}

/* ---- two sets -------------------------------------------------------------------------- */

static psb_status read_side(const char *path, size_t level, psb_side *side, psb_error *error) {
    PSB_AT_END(psb_listing_free) psb_listing listing = {0};
    const psb_collection_options own = {.cla = path, .level = level};
    psb_archive *none; /* stays NULL: a classification is in no archive */
    psb_status status = psb_dataset_list(&own, &none, &side->cla, &listing, error);
    side->model = psb_new(&status, side->cla.nmodels, sizeof *side->model, "models", error);
    return status;
}

/* Adds the side's models that the pool does not have yet. */
static psb_status pool_side(psb_side *side, psb_names *names, psb_listing *pool, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t i = 0; i < side->cla.nmodels && status == PSB_OK; i++) {
        const char *id = side->cla.models[i];
        side->model[i] = psb_names_find(names, id);
        if (side->model[i] == PSB_NO_NAME) {
            side->model[i] = pool->count;
            psb_names_add(names, id, pool->count);
            status = psb_listing_add(pool, (psb_listed){strdup(id), NULL, strdup("-1"), 0}, error);
        }
    }
    return status;
}

/* Lists the models of both sides once each, so that each is described once, the queries' first. */
static psb_status list_sides(const psb_collection_options *options, psb_dataset *dataset,
                             psb_error *error) {
    psb_side *queries = &dataset->sides[PSB_QUERIES], *targets = &dataset->sides[PSB_TARGETS];
    PSB_AT_END(psb_listing_free) psb_listing pool = {0};
    PSB_AT_END(psb_names_free) psb_names names = {0};
    psb_status status =
        psb_is_same_file(options->cla, options->targets)
            ? psb_fail_at(error, PSB_ERROR_USAGE, options->cla, 0,
                          "queries and targets are the same file: a run of one set does that")
            : PSB_OK;
    dataset->nsides = PSB_SIDES;
    PSB_THEN(status, read_side(options->cla, options->level, queries, error));
    PSB_THEN(status, read_side(options->targets, options->level, targets, error));
    PSB_THEN(status, psb_names_reserve(&names, queries->cla.nmodels + targets->cla.nmodels, error));
    PSB_THEN(status, pool_side(queries, &names, &pool, error));
    PSB_THEN(status, pool_side(targets, &names, &pool, error));
    return PSB_THEN(status, psb_listing_classify(&pool, options->cla, 0, &dataset->cla, error));
}

static psb_status keep_of_side(psb_side *side, const bool *keep, const size_t *number,
                               psb_error *error) {
    psb_classification subset;
    psb_status status = PSB_OK;
    PSB_FREED bool *own = psb_new(&status, side->cla.nmodels, sizeof *own, "models in use", error);
    size_t used = 0;
    for (size_t i = 0; i < side->cla.nmodels && status == PSB_OK; i++) {
        own[i] = keep[side->model[i]];
    }
    PSB_THEN(status, psb_cla_subset(&side->cla, own, &subset, error));
    for (size_t i = 0; i < side->cla.nmodels && status == PSB_OK; i++) {
        if (own[i]) {
            side->model[used++] = number[side->model[i]];
        }
    }
    if (status == PSB_OK) {
        psb_cla_free(&side->cla);
        side->cla = subset;
    }
    return status;
}

/* ---- all of it ------------------------------------------------------------------------- */

static psb_status open(const psb_collection_options *options, psb_dataset *dataset,
                       psb_error *error) {
    const char *source = psb_dataset_source(options), *folder = options->models;
    PSB_AT_END(psb_listing_free) psb_listing listing = {0};
    psb_status status = options->targets != NULL ? list_sides(options, dataset, error)
                                                 : psb_dataset_list(options, &dataset->archive,
                                                                    &dataset->cla, &listing, error);
    PSB_THEN_IF(status, dataset->archive == NULL,
                psb_archive_open(folder, &dataset->archive, &listing.notes, error));
    dataset->notes = listing.notes.data;
    listing.notes = (psb_text){0};
    dataset->listed = dataset->cla.nmodels;
    dataset->list = psb_list_hash(&dataset->cla, 0);
    for (size_t s = 0; s < dataset->nsides; s++) {
        dataset->list = psb_list_hash(&dataset->sides[s].cla, dataset->list);
    }
    PSB_THEN(status, find_all(dataset, options, &listing, error));
    PSB_THEN_IF(status, dataset->nmissing == dataset->listed,
                fail_none(dataset, source, folder, error));
    return PSB_THEN_IF(status, dataset->nmissing > 0,
                       options->skip_missing ? drop_missing(dataset, folder, error)
                                             : fail_missing(dataset, source, folder, error));
}

psb_status psb_dataset_open(const psb_collection_options *options, psb_dataset *dataset,
                            psb_error *error) {
    psb_collection_options o = *options;
    PSB_FREED char *of_run = NULL;
    memset(dataset, 0, sizeof *dataset);
    psb_status status = resolve(&o, &of_run, error);
    return PSB_THEN(status, open(&o, dataset, error));
}

void psb_dataset_tell(const psb_dataset *dataset, const psb_observer *observer) {
    for (const char *at = dataset->notes; at != NULL && *at != '\0';) {
        size_t length = strcspn(at, "\n");
        psb_observer_say(observer, PSB_WARNING, "%.*s", (int)length, at);
        at += length + (at[length] != '\0');
    }
}

void psb_dataset_turn(psb_dataset *dataset, const uint64_t *seed) {
    dataset->turn = seed;
    dataset->list = XXH64(seed, sizeof *seed, dataset->list);
}

psb_status psb_dataset_keep(psb_dataset *dataset, const bool *keep, psb_error *error) {
    psb_classification subset;
    psb_status status = PSB_OK;
    size_t used = 0, n = dataset->cla.nmodels;
    size_t *number = psb_new(&status, n, sizeof *number, "models in use", error);
    PSB_THEN(status, psb_cla_subset(&dataset->cla, keep, &subset, error));
    if (status != PSB_OK) {
        free(number);
        return status;
    }
    for (size_t i = 0; i < n; i++) {
        number[i] = used;
        if (keep[i]) {
            dataset->paths[used++] = dataset->paths[i];
        } else {
            free(dataset->paths[i]);
        }
    }
    psb_cla_free(&dataset->cla);
    dataset->cla = subset;
    for (size_t s = 0; s < dataset->nsides && status == PSB_OK; s++) {
        status = keep_of_side(&dataset->sides[s], keep, number, error);
    }
    free(number);
    return status;
}

void psb_dataset_free(psb_dataset *dataset) {
    psb_free_texts(dataset->paths, dataset->cla.nmodels);
    psb_free_texts(dataset->missing, dataset->nmissing);
    for (size_t s = 0; s < PSB_SIDES; s++) {
        psb_cla_free(&dataset->sides[s].cla);
        free(dataset->sides[s].model);
    }
    free(dataset->notes);
    psb_archive_close(dataset->archive);
    psb_cla_free(&dataset->cla);
    memset(dataset, 0, sizeof *dataset);
}
