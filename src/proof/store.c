/* Opens, judges, mends and extends chunk files and the tables beside them. */
#include "proof/store.h"

#include "core/beneath.h"
#include "core/clock.h"
#include "core/names.h"
#include "core/parallel.h"
#include "core/refused.h"
#include "proof/row_table.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

static const double sync_interval = 5; /* seconds that a loss of power may cost */

struct psb_store_file {
    char *path;
    int fd; /* for appending, -1 where it is not open */
    uint64_t end;
    psb_row_table table;
};

/*
 * Reasons why part of a chunk file is ignored: bytes of the file, rows of another program or other
 * parameters, or a row that the table does not have.
 */
typedef enum damage_kind { CUT, FOREIGN, LOST } damage_kind;

/* What opening one file needs beside the store. */
typedef struct opening {
    psb_store *store;
    size_t spec;
    const psb_observer *observer;
    const psb_names *ids;  /* of the data set's models */
    unsigned char *state;  /* per model: enum below */
    psb_input input, rows; /* the chunk file and the table */
    psb_row_table *table;
    psb_text made_by;
    size_t begin;  /* of the rows, behind the first record */
    size_t damage; /* first offset of what is ignored, or SIZE_MAX */
    damage_kind kind;
    size_t good; /* end of the last row that counts */
} opening;

/* Where a walk over a file's rows is. */
typedef struct walk {
    size_t offset, start; /* behind the row, and its own */
    bool foreign;         /* the last first record was another one */
} walk;

/* What is known of a model's file of today. */
enum {
    STATE_SAME = 1,    /* its bytes are those that a row was made from: models[].hash */
    STATE_OTHER = 2,   /* the chunk file in work has a row that was made from other bytes */
    STATE_CHANGED = 4, /* some chunk file has rows of other bytes only */
};

void psb_store_describe(const psb_spec *spec, const uint64_t *turn, psb_text *text) {
    psb_text_printf(text, "%s revision %u\n", spec->descriptor->name, spec->descriptor->revision);
    for (size_t p = 0; p < spec->descriptor->nparams; p++) {
        const psb_param *param = &spec->descriptor->params[p];
        if (param->provenance == PSB_BEYOND && spec->params.value[p] == param->default_value) {
            continue; /* rows from before there was such a choice are the same */
        }
        psb_text_printf(text, "%s=", param->name);
        psb_param_format(param, spec->params.value[p], text);
        psb_text_add(text, "\n");
    }
    if (turn != NULL) {
        psb_text_printf(text, "models turned by seed %" PRIu64 "\n", *turn);
    }
}

/* ---- what is there --------------------------------------------------------------------- */

/* Whether a record's file is the model's of today. */
static bool is_current(const opening *o, size_t model, const psb_stamp *then, bool verify) {
    const psb_store *store = o->store;
    if ((o->state[model] & STATE_SAME) != 0) {
        return store->models[model].hash == then->hash;
    }
    return psb_stamp_holds_model(store->dataset->archive, store->dataset->paths[model], then,
                                 verify);
}

static size_t model_of(const opening *o, const psb_chunk *chunk) {
    char id[256];
    memcpy(id, chunk->name, chunk->name_length);
    id[chunk->name_length] = '\0';
    return psb_names_find(o->ids, id);
}

/* Whether the row counts; then it is at `offset`, and where the model's row belongs, or not. */
static bool take_row(const opening *o, size_t model, const psb_chunk *chunk, uint64_t offset,
                     bool in_place, bool verify) {
    psb_store *store = o->store;
    /* Rows of zeros, which earlier versions left, are computed again, and refused. */
    if (model == PSB_NO_NAME || psb_row_is_empty(store->specs[o->spec], chunk->payload)) {
        return false;
    }
    if (!is_current(o, model, &chunk->stamp, verify)) {
        o->state[model] |= STATE_OTHER;
        return false;
    }
    o->state[model] |= STATE_SAME;
    store->models[model] = (psb_stored_model){chunk->stamp.hash, chunk->faces, chunk->read_seconds};
    *psb_store_at(store, o->spec, model) = (psb_stored){offset, in_place, chunk->cost};
    return true;
}

static bool is_own_head(const opening *o, const psb_chunk *chunk) {
    return chunk->payload_length == o->made_by.length &&
           memcmp(chunk->payload, o->made_by.data, o->made_by.length) == 0;
}

static void note_damage(opening *o, size_t offset, damage_kind kind) {
    if (offset < o->damage) {
        o->damage = offset;
        o->kind = kind;
    }
}

/* What was damaged, if anything was. */
static void say_damage(const opening *o, const char *path, bool joined) {
    static const struct {
        const char *what, *more, *then;
    } texts[] = {
        [CUT] = {"damaged or cut off at byte", "", "what was there is computed again"},
        [FOREIGN] = {"rows from byte", " on were made by another program or with other parameters",
                     "computed again"},
        [LOST] = {"the row that the record at byte",
                  " is about is damaged, or not in the table beside it", "computed again"}};
    if (o->damage != SIZE_MAX) {
        psb_observer_say(o->observer, PSB_WARNING, "%s: %s %zu%s: %s", path, texts[o->kind].what,
                         o->damage, texts[o->kind].more, joined ? "left out" : texts[o->kind].then);
    }
}

/* Makes the payload of a record of the file the row; returns false if there is none. */
static bool find_row(const psb_row_table *table, const psb_input *rows, psb_chunk *chunk) {
    return chunk->placed ? psb_row_table_find(table, rows, chunk)
                         : chunk->payload_length == psb_spec_row_bytes(table->spec);
}

/*
 * The next row that counts. Files may have been joined: a further first record is legal, and the
 * rows behind it count if it has the same text.
 */
static bool next_row(opening *o, walk *w, psb_chunk *chunk) {
    size_t skipped = SIZE_MAX;
    while (psb_chunk_next(o->input.data, o->input.size, &w->offset, &w->start, &skipped, chunk)) {
        note_damage(o, skipped, CUT);
        bool head = chunk->name_length == 0;
        w->foreign = head ? !is_own_head(o, chunk) : w->foreign;
        if (w->foreign) {
            note_damage(o, w->start, FOREIGN);
        } else if (!head && find_row(o->table, &o->rows, chunk)) {
            return true;
        } else if (!head) {
            note_damage(o, w->start, chunk->placed ? LOST : CUT);
        }
    }
    note_damage(o, skipped, CUT);
    return false;
}

/* Every row of the mapped file. */
static void take_rows(opening *o, bool verify) {
    psb_chunk chunk;
    walk w = {.offset = o->begin};
    o->good = o->begin;
    while (next_row(o, &w, &chunk)) {
        size_t model = model_of(o, &chunk);
        bool in_place = chunk.placed &&
                        psb_row_table_note(
                            o->table, (size_t)((const char *)chunk.payload - o->rows.data), model);
        take_row(o, model, &chunk, w.start, in_place, verify);
        o->good = w.offset;
    }
}

/* Whether the file's rows were made as this program would make them; if not, says why. */
static bool judge_file(opening *o, const char *path) {
    psb_chunk chunk;
    const char *label = o->store->specs[o->spec]->label.text;
    if (!psb_chunk_read(o->input.data, o->input.size, &o->begin, &chunk) ||
        chunk.name_length != 0) {
        psb_observer_say(
            o->observer, PSB_WARNING,
            "%s: damaged at byte 0, or of another version: %s of all models is computed again",
            path, label);
        return false;
    }
    if (is_own_head(o, &chunk)) {
        return true;
    }
    const char *line = memchr(chunk.payload, '\n', chunk.payload_length);
    size_t length = line != NULL ? (size_t)(line - (const char *)chunk.payload) : 0;
    bool same_program = length > 0 && length < o->made_by.length &&
                        memcmp(chunk.payload, o->made_by.data, length) == 0 &&
                        o->made_by.data[length] == '\n';
    if (same_program) {
        psb_observer_say(o->observer, PSB_NOTE, "%s: its parameters changed: computed again",
                         label);
    } else {
        psb_observer_say(o->observer, PSB_NOTE, "%s: made as %.*s, this is %.*s: computed again",
                         label, length < 64 ? (int)length : 64, (const char *)chunk.payload,
                         (int)strcspn(o->made_by.data, "\n"), o->made_by.data);
    }
    return false;
}

/* ---- mending --------------------------------------------------------------------------- */

/* A file with nothing but its first record. */
static psb_status start_file(opening *o, struct psb_store_file *file, psb_error *error) {
    psb_chunk chunk = {.name = "", .payload = o->made_by.data, .payload_length = o->made_by.length};
    size_t size = 0;
    psb_status status = psb_chunk_build(&chunk, &o->store->record, &size, error);
    o->store->dirty = true;
    return PSB_THEN(status, psb_write_one_of_many(file->path, o->store->record.data, size, error));
}

/* Writes the file anew without what is damaged. */
static psb_status rewrite_file(opening *o, const struct psb_store_file *file, psb_error *error) {
    psb_output output;
    psb_status status = psb_output_open(file->path, &output, error);
    if (status != PSB_OK) {
        return status;
    }
    fwrite(o->input.data, 1, o->begin, output.stream);
    psb_chunk chunk;
    walk w = {.offset = o->begin};
    uint64_t end = o->begin;
    while (next_row(o, &w, &chunk)) {
        size_t model = model_of(o, &chunk);
        psb_stored *row = model != PSB_NO_NAME ? psb_store_at(o->store, o->spec, model) : NULL;
        if (row != NULL && row->offset == w.start) {
            row->offset = end;
        }
        fwrite(o->input.data + w.start, 1, w.offset - w.start, output.stream);
        end += w.offset - w.start;
    }
    return psb_output_commit(&output, error);
}

static psb_status cut_off(const opening *o, const char *path, psb_error *error) {
    psb_status status = PSB_OK;
    int fd = psb_open_path(path, O_WRONLY, 0);
    if (fd < 0 || ftruncate(fd, (off_t)o->good) != 0) {
        status = fd >= 0 && psb_is_refused(PSB_REFUSED_RESIZE)
                     ? psb_write_one_of_many(path, o->input.data, o->good, error)
                     : psb_fail_path(error, path, "cut off the damage");
    }
    psb_close(fd);
    return status;
}

/* Maps a chunk file and its table. Close them also on failure. */
static psb_status open_rows(opening *o, const char *path, psb_row_table *table, psb_error *error) {
    o->table = table;
    o->begin = 0;
    o->damage = SIZE_MAX;
    o->rows = PSB_NO_INPUT;
    psb_status status = psb_input_open(path, &o->input, error);
    return PSB_THEN(status, psb_row_table_map(table, &o->rows, error));
}

static void close_rows(opening *o) {
    psb_input_close(&o->input);
    psb_input_close(&o->rows);
}

/* Takes the rows of an existing file; *fresh if none of them counts. */
static psb_status take_file(opening *o, struct psb_store_file *file, bool verify, bool *fresh,
                            psb_error *error) {
    psb_status status = open_rows(o, file->path, &file->table, error);
    if (status != PSB_OK) {
        close_rows(o);
        return status;
    }
    *fresh = !judge_file(o, file->path);
    if (!*fresh) {
        take_rows(o, verify);
    }
    if (!*fresh && o->damage != SIZE_MAX) {
        say_damage(o, file->path, false);
        /*
         * Removes the rest that a killed process left behind the last row, without copying the
         * rows.
         */
        if (o->damage < o->good) {
            status = rewrite_file(o, file, error);
        } else {
            status = cut_off(o, file->path, error);
        }
    }
    close_rows(o);
    return status;
}

static psb_status open_file(opening *o, struct psb_store_file *file, bool verify,
                            psb_error *error) {
    bool fresh = access(file->path, F_OK) != 0 && errno == ENOENT;
    psb_status status = fresh ? PSB_OK : take_file(o, file, verify, &fresh, error);
    PSB_THEN_IF(status, fresh, start_file(o, file, error));
    if (status == PSB_OK) {
        file->fd = psb_open_path(file->path, O_WRONLY | O_APPEND, 0);
        off_t end = file->fd >= 0 ? lseek(file->fd, 0, SEEK_END) : -1;
        if (end < 0) {
            status = psb_fail_path(error, file->path, "open");
        } else {
            file->end = (uint64_t)end;
        }
    }
    return status;
}

/* ---- the store ------------------------------------------------------------------------- */

static psb_status allocate(psb_store *store, psb_error *error) {
    size_t n = store->nmodels;
    static const char what[] = "finished rows";
    psb_status status = PSB_OK;
    store->files = psb_new_zero(&status, store->nspecs, sizeof *store->files, what, error);
    store->rows = psb_new_zero(&status, store->nspecs * n, sizeof *store->rows, what, error);
    store->models = psb_new_zero(&status, n, sizeof *store->models, what, error);
    for (size_t s = 0; s < store->nspecs && store->files != NULL; s++) {
        store->files[s].fd = store->files[s].table.fd = -1;
    }
    return status;
}

static psb_status open_spec(opening *o, const char *folder, bool verify, bool is_part,
                            psb_error *error) {
    const psb_spec *spec = o->store->specs[o->spec];
    struct psb_store_file *file = &o->store->files[o->spec];
    o->made_by = (psb_text){0};
    psb_store_describe(o->store->specs[o->spec], o->store->dataset->turn, &o->made_by);
    psb_status status = psb_text_status(&o->made_by, error);
    file->path = psb_new_format(&status, error, "%s/%s.rows", folder, spec->label.stem);
    PSB_THEN(status, psb_row_table_start(file->path, spec, o->store->nmodels, &file->table, error));
    PSB_THEN(status, open_file(o, file, verify, error));
    PSB_THEN(status, is_part ? PSB_OK : psb_row_table_begin(&file->table, error));
    psb_text_free(&o->made_by);
    return status;
}

/* After each chunk file: marks the models that it has with other bytes only. */
static void note_changed(const opening *o) {
    for (size_t i = 0; i < o->store->nmodels; i++) {
        if ((o->state[i] & STATE_OTHER) != 0 && psb_store_at(o->store, o->spec, i)->offset == 0) {
            o->state[i] |= STATE_CHANGED;
        }
        o->state[i] &= (unsigned char)~STATE_OTHER;
    }
}

static void report_changed(const opening *o) {
    const psb_store *store = o->store;
    size_t changed = 0, first = 0;
    for (size_t i = 0; i < store->nmodels; i++) {
        if ((o->state[i] & STATE_CHANGED) != 0) {
            first = changed++ == 0 ? i : first;
        }
    }
    if (changed > 0) {
        psb_observer_say(o->observer, PSB_NOTE, "%zu model%s changed since: computed again (%s%s)",
                         changed, changed == 1 ? "" : "s", store->dataset->cla.models[first],
                         changed > 1 ? ", ..." : "");
    }
}

psb_status psb_store_open(const char *folder, const psb_dataset *dataset, psb_spec *const *specs,
                          size_t nspecs, bool verify, bool is_part, const psb_observer *observer,
                          psb_store *store, psb_error *error) {
    *store = (psb_store){.nspecs = nspecs,
                         .nmodels = dataset->cla.nmodels,
                         .specs = specs,
                         .dataset = dataset,
                         .synced = psb_clock_wall()};
    PSB_AT_END(psb_names_free) psb_names ids = {0};
    psb_status status = allocate(store, error);
    store->folder = psb_new_copy(&status, folder, "a folder name", error);
    PSB_FREED void *state = psb_new_zero(&status, store->nmodels, 1, "models", error);
    PSB_THEN(status, psb_names_fill(&ids, dataset->cla.models, store->nmodels, error));
    PSB_THEN(status, psb_make_folder(folder, error));
    opening o = {.store = store, .observer = observer, .ids = &ids, .state = state};
    for (o.spec = 0; o.spec < nspecs && status == PSB_OK; o.spec++) {
        status = open_spec(&o, folder, verify, is_part, error);
        note_changed(&o);
    }
    if (status == PSB_OK) {
        report_changed(&o);
    }
    return status;
}

/* Whether a spec before this one has the field, too. */
static bool is_counted(const psb_store *store, size_t spec, size_t model, uint32_t key) {
    for (size_t s = 0; s < spec; s++) {
        const psb_cost *cost = &psb_store_at(store, s, model)->cost;
        for (int f = 0; f < PSB_COST_FIELDS; f++) {
            if (cost->fields[f].key == key) {
                return true;
            }
        }
    }
    return false;
}

double psb_store_seconds(const psb_store *store, size_t model) {
    double sum = store->models[model].read_seconds;
    for (size_t s = 0; s < store->nspecs; s++) {
        const psb_cost *cost = &psb_store_at(store, s, model)->cost;
        sum += cost->own;
        for (int f = 0; f < PSB_COST_FIELDS; f++) {
            bool known = is_counted(store, s, model, cost->fields[f].key);
            sum += known ? 0 : (double)cost->fields[f].seconds;
        }
    }
    return sum;
}

/*
 * Writes the row of a record, then the record behind the others, which a killed process may have
 * no time for: then nothing names the row. *in_place: the row is in the table, where it
 * belongs. `model` may be none of the data set.
 */
static psb_status keep_row(psb_store *store, size_t spec, size_t model, psb_chunk *chunk,
                           bool *in_place, psb_error *error) {
    struct psb_store_file *file = &store->files[spec];
    psb_place place;
    psb_status status = PSB_OK;
    store->dirty = true;
    *in_place = psb_row_table_has_room(&file->table, model);
    chunk->placed = *in_place;
    if (*in_place) {
        status = psb_row_table_write(&file->table, model, chunk->payload, &place, error);
        chunk->payload = &place;
        chunk->payload_length = sizeof place;
    }
    size_t size = 0;
    PSB_THEN(status, psb_chunk_build(chunk, &store->record, &size, error));
    PSB_THEN(status, psb_write_bytes(file->fd, file->path, "write", store->record.data, size,
                                     PSB_WHERE_IT_IS, error));
    file->end += status == PSB_OK ? size : 0;
    return status;
}

/* ---- rows of other folders --------------------------------------------------------------- */

static psb_status join_row(opening *o, psb_chunk *chunk, bool copy, bool verify, psb_error *error) {
    size_t model = model_of(o, chunk);
    psb_stored *row = model != PSB_NO_NAME ? psb_store_at(o->store, o->spec, model) : NULL;
    uint64_t offset = copy ? o->store->files[o->spec].end : PSB_STORED_ELSEWHERE;
    bool taken =
        row != NULL && row->offset == 0 && take_row(o, model, chunk, offset, false, verify);
    if (!copy || (row != NULL && !taken)) {
        return PSB_OK;
    }
    bool in_place;
    psb_status status = keep_row(o->store, o->spec, model, chunk, &in_place, error);
    if (row != NULL) {
        row->in_place = in_place;
    }
    return status;
}

static psb_status join_file(opening *o, const char *path, bool copy, bool verify,
                            psb_error *error) {
    PSB_AT_END(psb_row_table_end) psb_row_table table = {0};
    psb_chunk chunk;
    psb_status status = psb_row_table_start(path, o->store->specs[o->spec], 0, &table, error);
    o->input = PSB_NO_INPUT;
    PSB_THEN(status, open_rows(o, path, &table, error));
    bool counts = status == PSB_OK && judge_file(o, path);
    walk w = {.offset = o->begin};
    while (counts && status == PSB_OK && next_row(o, &w, &chunk)) {
        status = join_row(o, &chunk, copy, verify, error);
    }
    if (counts) {
        say_damage(o, path, true);
    }
    close_rows(o);
    return status;
}

static psb_status join_spec(opening *o, const psb_store_others *others, bool verify,
                            psb_error *error) {
    const psb_spec *spec = o->store->specs[o->spec];
    o->made_by = (psb_text){0};
    psb_store_describe(spec, o->store->dataset->turn, &o->made_by);
    psb_status status = psb_text_status(&o->made_by, error);
    for (size_t f = 0; f < others->count && status == PSB_OK; f++) {
        PSB_AT_END(psb_text_free) psb_text path = {0};
        psb_text_printf(&path, "%s/%s.rows", others->folders[f], spec->label.stem);
        status = psb_text_status(&path, error);
        bool there = false;
        PSB_THEN(status, psb_file_is_there(path.data, &there, error));
        if (there) {
            status = join_file(o, path.data, others->copy, verify, error);
        }
    }
    psb_text_free(&o->made_by);
    return status;
}

psb_status psb_store_join(psb_store *store, const psb_store_others *others, bool verify,
                          const psb_observer *observer, psb_error *error) {
    PSB_AT_END(psb_names_free) psb_names ids = {0};
    psb_status status = PSB_OK;
    PSB_FREED unsigned char *state = psb_new_zero(&status, store->nmodels, 1, "models", error);
    PSB_THEN(status, psb_names_fill(&ids, store->dataset->cla.models, store->nmodels, error));
    opening o = {.store = store, .observer = observer, .ids = &ids, .state = state};
    for (size_t i = 0; i < store->nspecs * store->nmodels && status == PSB_OK; i++) {
        state[i % store->nmodels] |= store->rows[i].offset != 0 ? STATE_SAME : 0;
    }
    for (o.spec = 0; o.spec < store->nspecs && status == PSB_OK; o.spec++) {
        status = join_spec(&o, others, verify, error);
        note_changed(&o);
    }
    if (status == PSB_OK) {
        report_changed(&o);
        status = psb_store_sync(store, error);
    }
    return status;
}

psb_status psb_store_append(psb_store *store, size_t spec, size_t model, const psb_stamp *stamp,
                            const psb_cost *cost, const void *row, psb_error *error) {
    uint64_t offset = store->files[spec].end;
    const psb_stored_model *known = &store->models[model];
    const char *id = store->dataset->cla.models[model];
    psb_chunk chunk = {.stamp = *stamp,
                       .faces = known->faces,
                       .read_seconds = known->read_seconds,
                       .cost = *cost,
                       .name = id,
                       .name_length = strlen(id),
                       .payload = row,
                       .payload_length = psb_spec_row_bytes(store->specs[spec])};
    bool in_place;
    psb_status status = keep_row(store, spec, model, &chunk, &in_place, error);
    if (status == PSB_OK) {
        *psb_store_at(store, spec, model) = (psb_stored){offset, in_place, *cost};
    }
    return status;
}

bool psb_store_is_due(psb_store *store) {
    double now = psb_clock_wall();
    bool due = store->dirty && now - store->synced > sync_interval;
    if (due) {
        store->dirty = false;
        store->synced = now;
    }
    return due;
}

psb_status psb_store_force(const psb_store *store, psb_error *error) {
    return psb_force_to_disk(store->folder, error);
}

psb_status psb_store_sync(psb_store *store, psb_error *error) {
    psb_status status = store->dirty ? psb_store_force(store, error) : PSB_OK;
    store->dirty = store->dirty && status != PSB_OK;
    store->synced = psb_clock_wall();
    return status;
}

/* Rows that are copied, by several threads. */
typedef struct loading {
    const struct psb_store_file *file;
    const psb_stored *stored; /* of the spec, by model */
    const size_t *models;
    char *const *ids;
    psb_input chunks, rows;
    char *out;
} loading;

static psb_status load_row(void *job, void *own PSB_UNUSED, size_t i, psb_error *error) {
    const loading *l = job;
    const psb_row_table *table = &l->file->table;
    psb_chunk chunk;
    const char *id = l->ids[i];
    uint64_t offset = l->stored[l->models[i]].offset;
    size_t at = (size_t)offset, row_bytes = psb_spec_row_bytes(table->spec);
    if (offset == 0 || offset >= l->chunks.size ||
        !psb_chunk_read(l->chunks.data, l->chunks.size, &at, &chunk) ||
        chunk.name_length != strlen(id) || memcmp(chunk.name, id, chunk.name_length) != 0 ||
        !find_row(table, &l->rows, &chunk)) {
        return psb_fail_at(
            error, PSB_ERROR_IO, l->file->path, 0,
            "the row of %s, at byte %llu, is damaged; the next run computes it again", id,
            (unsigned long long)offset);
    }
    memcpy(l->out + i * row_bytes, chunk.payload, row_bytes);
    return PSB_OK;
}

psb_status psb_store_load(const psb_store *store, size_t spec, const size_t *models,
                          char *const *ids, size_t count, int threads, void *out,
                          psb_error *error) {
    enum { CHUNK = 16 };
    const struct psb_store_file *file = &store->files[spec];
    loading l = {.file = file,
                 .stored = psb_store_at(store, spec, 0),
                 .models = models,
                 .ids = ids,
                 .rows = PSB_NO_INPUT,
                 .out = out};
    psb_status status = psb_input_open(file->path, &l.chunks, error);
    PSB_THEN(status, psb_row_table_map(&file->table, &l.rows, error));
    PSB_THEN(
        status,
        psb_parallel(
            &(psb_loop){
                .count = count, .threads = threads, .chunk = CHUNK, .item = load_row, .job = &l},
            error));
    psb_input_close(&l.chunks);
    psb_input_close(&l.rows);
    return status;
}

psb_status psb_store_link(const psb_store *store, size_t spec, const size_t *models, size_t count,
                          const char *path, bool *linked, psb_error *error) {
    const psb_row_table *table = &store->files[spec].table;
    *linked = table->fits && count == table->rows;
    for (size_t i = 0; i < count && *linked; i++) {
        *linked = models[i] == i && psb_store_at(store, spec, i)->in_place;
    }
    return *linked ? psb_link_file(table->path, path, linked, error) : PSB_OK;
}

void psb_store_close(psb_store *store) {
    for (size_t s = 0; store->files != NULL && s < store->nspecs; s++) {
        psb_close(store->files[s].fd);
        free(store->files[s].path);
        psb_row_table_end(&store->files[s].table);
    }
    free(store->files);
    free(store->folder);
    free(store->rows);
    free(store->models);
    psb_buffer_free(&store->record);
    *store = (psb_store){0};
}
