/* Reads and writes the whole ledger at once, since it is a small table. */
#include "proof/ledger.h"

#include "core/clock.h"
#include "core/file.h"
#include "core/number.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>
#include <xxhash.h>

/* ---- lines ----------------------------------------------------------------------------- */

enum { HEX_DIGITS = 16, FIELDS_MOST = 12 };

static bool parse_hex(const char *text, uint64_t *value) {
    *value = 0;
    for (int i = 0; i < HEX_DIGITS; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *digit = text[i] != '\0' ? strchr(digits, text[i]) : NULL;
        if (digit == NULL) {
            return false;
        }
        *value = *value << 4 | (uint64_t)(digit - digits);
    }
    return text[HEX_DIGITS] == '\0';
}

static bool parse_size(const char *text, uint64_t *value) {
    int64_t number;
    bool fine = psb_parse_int64(text, &number) && number >= 0;
    *value = fine ? (uint64_t)number : 0;
    return fine;
}

/* Returns whether a name lies below RUN: entered files are read and removed, others must not be. */
static bool is_below(const char *name) {
    return name[0] != '\0' && name[0] != '/' && strstr(name, "..") == NULL;
}

static bool parse_file(char *const *f, psb_ledger_entry *entry) {
    *entry = (psb_ledger_entry){.name = f[0]};
    return is_below(f[0]) && parse_hex(f[1], &entry->key) && parse_size(f[2], &entry->stamp.size) &&
           psb_parse_int64(f[3], &entry->stamp.time) && parse_hex(f[4], &entry->stamp.hash) &&
           psb_parse_double(f[5], &entry->wall_seconds) &&
           psb_parse_double(f[6], &entry->cpu_seconds) && parse_hex(f[7], &entry->set) &&
           parse_hex(f[8], &entry->command) && parse_hex(f[9], &entry->sample);
}

/* Ends the line that begins at `begin` with its checksum. Returns where the next line begins. */
static size_t end_line(psb_text *text, size_t begin) {
    psb_text_add(text, "\t");
    if (!text->failed) {
        uint64_t checksum = XXH64(text->data + begin, text->length - begin, 0);
        psb_text_printf(text, "%016" PRIx64 "\n", checksum);
    }
    return text->length;
}

/* Appends the "file" line of an entry and, if it is being replaced, its "next" line. */
static size_t add_file(psb_text *text, const psb_ledger_entry *e, size_t begin) {
    psb_text_printf(text,
                    "file\t%s\t%016" PRIx64 "\t%" PRIu64 "\t%" PRId64 "\t%016" PRIx64 "\t%.17g\t"
                    "%.17g\t%016" PRIx64 "\t%016" PRIx64 "\t%016" PRIx64,
                    e->name, e->key, e->stamp.size, e->stamp.time, e->stamp.hash, e->wall_seconds,
                    e->cpu_seconds, e->set, e->command, e->sample);
    begin = end_line(text, begin);
    if (e->next == 0) {
        return begin;
    }
    psb_text_printf(text, "next\t%s\t%016" PRIx64, e->name, e->next);
    return end_line(text, begin);
}

/* ---- the table ------------------------------------------------------------------------- */

static psb_ledger_entry *find(const psb_ledger *ledger, const char *name) {
    for (size_t i = 0; i < ledger->count; i++) {
        if (strcmp(ledger->entries[i].name, name) == 0) {
            return &ledger->entries[i];
        }
    }
    return NULL;
}

const psb_ledger_entry *psb_ledger_find(const psb_ledger *ledger, const char *name) {
    return find(ledger, name);
}

/* Adds or replaces the entry of `name`, which is copied. */
static psb_status put(psb_ledger *ledger, const char *name, const psb_ledger_entry *entry,
                      psb_error *error) {
    psb_ledger_entry *old = find(ledger, name);
    if (old != NULL) {
        char *kept = old->name;
        *old = *entry;
        old->name = kept;
        return PSB_OK;
    }
    psb_status status = PSB_OK;
    PSB_ROOM(&status, ledger->entries, ledger->count, ledger->capacity, "the ledger", error);
    char *copy = psb_new_copy(&status, name, "the ledger", error);
    if (status == PSB_OK) {
        ledger->entries[ledger->count] = *entry;
        ledger->entries[ledger->count++].name = copy;
    }
    return status;
}

static const char *command_text(const psb_ledger *ledger, uint64_t hash) {
    for (size_t i = 0; i < ledger->ncommands; i++) {
        if (ledger->commands[i].hash == hash) {
            return ledger->commands[i].text;
        }
    }
    return NULL;
}

static psb_status put_command(psb_ledger *ledger, uint64_t hash, const char *text,
                              psb_error *error) {
    if (command_text(ledger, hash) != NULL) {
        return PSB_OK;
    }
    psb_status status = PSB_OK;
    PSB_ROOM(&status, ledger->commands, ledger->ncommands, ledger->commands_capacity, "the ledger",
             error);
    char *copy = psb_new_copy(&status, text, "the ledger", error);
    if (status == PSB_OK) {
        ledger->commands[ledger->ncommands++] = (psb_ledger_command){hash, copy};
    }
    return status;
}

static psb_status put_part(psb_ledger *ledger, const char *whole, const char *name, uint64_t hash,
                           psb_error *error) {
    psb_status status = PSB_OK;
    PSB_ROOM(&status, ledger->parts, ledger->nparts, ledger->parts_capacity, "the ledger", error);
    psb_ledger_part part = {.hash = hash};
    part.whole = psb_new_copy(&status, whole, "the ledger", error);
    part.name = psb_new_copy(&status, name, "the ledger", error);
    if (status == PSB_OK) {
        ledger->parts[ledger->nparts++] = part;
    } else {
        free(part.whole);
    }
    return status;
}

/* Removes the parts of the file `whole`, or all parts if it is NULL. */
static void forget_parts(psb_ledger *ledger, const char *whole) {
    size_t kept = 0;
    for (size_t i = 0; i < ledger->nparts; i++) {
        if (whole != NULL && strcmp(ledger->parts[i].whole, whole) != 0) {
            ledger->parts[kept++] = ledger->parts[i];
        } else {
            free(ledger->parts[i].whole);
            free(ledger->parts[i].name);
        }
    }
    ledger->nparts = kept;
}

static psb_status put_list(psb_ledger *ledger, const psb_ledger_list *list, psb_error *error) {
    char *copy = strdup(list->classification);
    if (copy == NULL) {
        return psb_fail_memory(error, "the ledger", strlen(list->classification));
    }
    free(ledger->list.classification);
    ledger->list = *list;
    ledger->list.classification = copy;
    return PSB_OK;
}

const char *psb_ledger_command_of(const psb_ledger *ledger, const psb_ledger_entry *entry) {
    return command_text(ledger, entry->command);
}

/* ---- reading --------------------------------------------------------------------------- */

/* Adds the fields of a line with a correct hash to the ledger; *understood becomes whether they
 * have a known form. */
static psb_status take_fields(psb_ledger *ledger, char *const *f, size_t n, bool *understood,
                              psb_error *error) {
    psb_ledger_entry entry;
    psb_ledger_list list;
    psb_ledger_model model;
    uint64_t hash;
    *understood = true;
    if (n == 11 && strcmp(f[0], "file") == 0 && parse_file(f + 1, &entry)) {
        return put(ledger, entry.name, &entry, error);
    }
    if (n == 5 && strcmp(f[0], "list") == 0 && parse_hex(f[1], &list.hash) &&
        parse_size(f[2], &list.count) && parse_hex(f[3], &list.set)) {
        list.classification = f[4];
        return put_list(ledger, &list, error);
    }
    if (n == 3 && strcmp(f[0], "model") == 0 && ledger->nmodels < PSB_LEDGER_MODELS &&
        parse_hex(f[1], &model.name) && parse_hex(f[2], &model.file)) {
        ledger->models[ledger->nmodels++] = model;
        return PSB_OK;
    }
    if (n == 3 && strcmp(f[0], "command") == 0 && parse_hex(f[1], &hash)) {
        return put_command(ledger, hash, f[2], error);
    }
    psb_ledger_entry *replaced = n == 3 && strcmp(f[0], "next") == 0 ? find(ledger, f[1]) : NULL;
    if (replaced != NULL && parse_hex(f[2], &hash)) {
        replaced->next = hash;
        return PSB_OK;
    }
    if (n == 4 && strcmp(f[0], "part") == 0 && parse_hex(f[3], &hash)) {
        return put_part(ledger, f[1], f[2], hash, error);
    }
    *understood = false;
    return PSB_OK;
}

/* Adds a NUL-terminated line without its line break to the ledger; overwrites the line. */
static psb_status take_line(psb_ledger *ledger, char *line, size_t length, psb_error *error) {
    uint64_t checksum;
    bool understood = strlen(line) == length && length > HEX_DIGITS &&
                      parse_hex(line + length - HEX_DIGITS, &checksum) &&
                      XXH64(line, length - HEX_DIGITS, 0) == checksum &&
                      line[length - HEX_DIGITS - 1] == '\t';
    psb_status status = PSB_OK;
    if (understood) {
        char *fields[FIELDS_MOST], *at = line;
        size_t n = 0;
        line[length - HEX_DIGITS - 1] = '\0';
        for (; n < FIELDS_MOST && at != NULL; n++) {
            fields[n] = at;
            at = strchr(at, '\t');
            if (at != NULL) {
                *at++ = '\0';
            }
        }
        status = take_fields(ledger, fields, n, &understood, error);
    }
    ledger->damaged += !understood;
    return status;
}

psb_status psb_ledger_parse(const char *data, size_t size, psb_ledger *ledger, psb_error *error) {
    psb_status status = PSB_OK;
    char *copy = psb_new_text(&status, data, size, "the ledger", error), *line = copy;
    const char *end = line + size;
    while (status == PSB_OK && line < end) {
        char *stop = memchr(line, '\n', (size_t)(end - line));
        if (stop == NULL) { /* the last line was cut off */
            ledger->damaged++;
            break;
        }
        *stop = '\0';
        status = take_line(ledger, line, (size_t)(stop - line), error);
        line = stop + 1;
    }
    free(copy);
    return status;
}

static psb_status read_file(psb_ledger *ledger, const char *path, psb_error *error) {
    PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
    psb_status status = psb_input_open(path, &input, error);
    return PSB_THEN(status, psb_ledger_parse(input.data, input.size, ledger, error));
}

/* Refuses a folder of version 0.1.0, which kept another ledger in RUN/work, without hashes of the
 * files. */
static psb_status refuse_oldest(const char *run, psb_error *error) {
    PSB_FREED char *oldest = NULL;
    bool there = false;
    psb_status status = psb_path_join(&oldest, run, "work/ledger", error);
    PSB_THEN(status, psb_file_is_there(oldest, &there, error));
    return status == PSB_OK && there
               ? psb_fail_at(error, PSB_ERROR_INPUT, run, 0,
                             "the folder of a run of psbench 0.1.0, which this version does not "
                             "read; give the run's command another folder")
               : status;
}

psb_status psb_ledger_open(const char *run, bool verify, psb_ledger *ledger, psb_error *error) {
    bool there = false;
    *ledger = (psb_ledger){.run = strdup(run), .verify = verify};
    if (ledger->run == NULL) {
        return psb_fail_memory(error, "a path", strlen(run));
    }
    psb_status status = psb_path_join(&ledger->path, run, "provenance.tsv", error);
    PSB_THEN(status, psb_file_is_there(ledger->path, &there, error));
    return PSB_THEN(status,
                    there ? read_file(ledger, ledger->path, error) : refuse_oldest(run, error));
}

/* ---- files ----------------------------------------------------------------------------- */

/* A file of fewer bytes is read whole whenever it is checked. */
static const uint64_t large = 64 << 20;

/* Hashes a sample of a large file: blocks from its beginning to its end. */
static uint64_t sample_of(const psb_input *input) {
    enum { BLOCKS = 64, BLOCK_BYTES = 1 << 16 };
    uint64_t hash = 0;
    for (size_t b = 0; b < BLOCKS && input->size >= large; b++) {
        size_t start = (input->size - BLOCK_BYTES) / (BLOCKS - 1) * b;
        start = b == BLOCKS - 1 ? input->size - BLOCK_BYTES : start;
        hash = XXH64(input->data + start, BLOCK_BYTES, hash);
    }
    return hash;
}

static psb_status read_sample(const char *path, uint64_t *sample, psb_error *error) {
    PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
    psb_status status = psb_input_open(path, &input, error);
    *sample = sample_of(&input);
    return status;
}

/* Compares a file with its entry; of a large file whose time has not changed only the sample. */
static psb_status compare(const char *path, const psb_ledger_entry *entry, bool whole, bool *same,
                          psb_error *error) {
    psb_stamp now;
    uint64_t sample = 0;
    if (entry->next != 0) { /* psb_ledger_replace was killed before or after it wrote the file */
        psb_status read = psb_stamp_read(NULL, path, &now, error);
        *same = read == PSB_OK && (now.hash == entry->stamp.hash || now.hash == entry->next);
        return read;
    }
    psb_status status = psb_stamp_look(NULL, path, &now, error);
    *same = status == PSB_OK && now.size == entry->stamp.size;
    if (status != PSB_OK || !*same) {
        return status;
    }
    if (whole || now.size < large || now.time != entry->stamp.time) {
        status = psb_stamp_read(NULL, path, &now, error);
        *same = status == PSB_OK && now.hash == entry->stamp.hash;
    } else {
        status = read_sample(path, &sample, error);
        *same = status == PSB_OK && sample == entry->sample;
    }
    return status;
}

psb_status psb_ledger_look(const psb_ledger *ledger, const psb_ledger_entry *entry, bool whole,
                           psb_kept *kept, psb_error *error) {
    PSB_FREED char *path = NULL;
    bool there = false, same = false;
    psb_status status = psb_path_join(&path, ledger->run, entry->name, error);
    PSB_THEN(status, psb_file_is_there(path, &there, error));
    PSB_THEN_IF(status, there, compare(path, entry, whole, &same, error));
    *kept = !there ? PSB_KEPT_ABSENT : same ? PSB_KEPT_SAME : PSB_KEPT_CHANGED;
    return status;
}

psb_status psb_ledger_model_state(const psb_ledger *ledger, const psb_archive *archive,
                                  const char *id, const char *path, psb_model_state *state,
                                  psb_error *error) {
    uint64_t name = XXH64(id, strlen(id), 0);
    psb_stamp now;
    *state = PSB_MODEL_UNKNOWN;
    for (size_t k = 0; k < ledger->nmodels; k++) {
        if (ledger->models[k].name == name) {
            psb_status status = psb_stamp_read_model(archive, path, &now, error);
            if (status == PSB_OK) {
                *state = now.hash == ledger->models[k].file ? PSB_MODEL_SAME : PSB_MODEL_OTHER;
            }
            return psb_is_of_bytes(status) ? PSB_OK : status;
        }
    }
    return PSB_OK;
}

psb_status psb_ledger_current(psb_ledger *ledger, const char *name, uint64_t key,
                              const psb_ledger_entry **current, bool *altered, psb_error *error) {
    psb_ledger_entry *entry = find(ledger, name);
    psb_kept kept = PSB_KEPT_ABSENT;
    psb_status status = PSB_OK;
    if (entry != NULL && entry->key == key) {
        status = psb_ledger_look(ledger, entry, ledger->verify, &kept, error);
    }
    bool same = status == PSB_OK && kept == PSB_KEPT_SAME;
    *altered = kept == PSB_KEPT_CHANGED;
    *current = same ? entry : NULL;
    if (same && (entry->set != ledger->list.set || entry->command != ledger->command)) {
        entry->set = ledger->list.set;
        entry->command = ledger->command;
        ledger->changed = true;
    }
    return status;
}

psb_status psb_ledger_enter(psb_ledger *ledger, const char *name, uint64_t key, double wall_seconds,
                            double cpu_seconds, psb_error *error) {
    PSB_FREED char *path = NULL;
    psb_ledger_entry entry = {.key = key,
                              .wall_seconds = wall_seconds,
                              .cpu_seconds = cpu_seconds,
                              .set = ledger->list.set,
                              .command = ledger->command};
    psb_status status = psb_path_join(&path, ledger->run, name, error);
    PSB_THEN(status, psb_stamp_read(NULL, path, &entry.stamp, error));
    PSB_THEN(status, read_sample(path, &entry.sample, error));
    ledger->changed = true;
    forget_parts(ledger, name);
    return status == PSB_OK ? put(ledger, name, &entry, error) : status;
}

psb_status psb_ledger_enter_part(psb_ledger *ledger, const char *whole, const char *name,
                                 psb_error *error) {
    const psb_ledger_entry *part = find(ledger, name);
    psb_status status = part == NULL
                            ? psb_fail(error, PSB_ERROR_INTERNAL, "%s is not entered", name)
                            : put_part(ledger, whole, name, part->stamp.hash, error);
    for (size_t i = 0, known = ledger->nparts; i < known && status == PSB_OK; i++) {
        if (strcmp(ledger->parts[i].whole, name) == 0) {
            status = put_part(ledger, whole, ledger->parts[i].name, ledger->parts[i].hash, error);
        }
    }
    return status;
}

bool psb_ledger_has_parts(const psb_ledger *ledger, const char *whole) {
    size_t i = 0;
    while (i < ledger->nparts && strcmp(ledger->parts[i].whole, whole) != 0) {
        i++;
    }
    return i < ledger->nparts;
}

bool psb_ledger_parts_hold(const psb_ledger *ledger, const char *whole) {
    bool hold = true;
    for (size_t i = 0; i < ledger->nparts && hold; i++) {
        const psb_ledger_part *part = &ledger->parts[i];
        if (strcmp(part->whole, whole) == 0) {
            const psb_ledger_entry *now = find(ledger, part->name);
            hold = now != NULL && now->stamp.hash == part->hash && now->set == ledger->list.set;
        }
    }
    return hold;
}

char *psb_ledger_file(psb_status *status, const psb_ledger *ledger, const char *name,
                      psb_error *error) {
    char *path = NULL;
    PSB_THEN(*status, psb_path_join(&path, ledger->run, name, error));
    char *slash = path != NULL ? strrchr(path, '/') : NULL;
    if (slash != NULL) {
        *slash = '\0';
        *status = psb_make_folder(path, error);
        *slash = '/';
    }
    return path;
}

psb_status psb_ledger_save(psb_ledger *ledger, const char *name, const psb_text *text,
                           psb_error *error) {
    psb_status status = psb_text_status(text, error);
    PSB_FREED char *path = psb_ledger_file(&status, ledger, name, error);
    PSB_THEN(status, psb_write_file(path, text->data, text->length, error));
    return PSB_THEN(status, psb_ledger_enter(ledger, name, 0, 0, 0, error));
}

psb_status psb_ledger_replace(psb_ledger *ledger, const char *name, const psb_text *text,
                              psb_error *error) {
    psb_status status = psb_text_status(text, error);
    PSB_THEN(status, psb_ledger_enter(ledger, name, 0, 0, 0, error));
    if (status == PSB_OK) {
        find(ledger, name)->next = XXH64(text->data, text->length, 0);
        status = psb_ledger_write(ledger, error);
    }
    return PSB_THEN(status, psb_ledger_save(ledger, name, text, error));
}

void psb_ledger_forget(psb_ledger *ledger, const char *name) {
    psb_ledger_entry *entry = find(ledger, name);
    if (entry != NULL) {
        forget_parts(ledger, name);
        free(entry->name);
        *entry = ledger->entries[--ledger->count];
        ledger->changed = true;
    }
}

uint64_t psb_ledger_digest(const psb_ledger *ledger) {
    uint64_t digest = 0;
    for (size_t i = 0; i < ledger->count; i++) {
        const psb_ledger_entry *e = &ledger->entries[i];
        if (strcmp(e->name, "models.cla") == 0 || strncmp(e->name, "matrices/", 9) == 0 ||
            strcmp(e->name, "table.json") == 0 || strcmp(e->name, "table4.json") == 0 ||
            strcmp(e->name, "beyond.json") == 0) {
            /* A sum, so that the order of the entries does not matter. */
            digest += XXH64(e->name, strlen(e->name), e->stamp.hash);
        }
    }
    return digest;
}

psb_status psb_ledger_remove_files(psb_ledger *ledger, psb_error *error) {
    for (; ledger->count > 0; ledger->count--) {
        char *name = ledger->entries[ledger->count - 1].name;
        psb_status status = psb_remove_beneath(ledger->run, name, error);
        if (status != PSB_OK) {
            return status;
        }
        free(name);
    }
    forget_parts(ledger, NULL);
    ledger->nmodels = 0;
    ledger->changed = true;
    return PSB_OK;
}

/* ---- writing --------------------------------------------------------------------------- */

static bool is_same_list(const psb_ledger_list *a, const psb_ledger_list *b) {
    return a->hash == b->hash && a->count == b->count && a->set == b->set &&
           a->classification != NULL && strcmp(a->classification, b->classification) == 0;
}

psb_status psb_ledger_begin(psb_ledger *ledger, const psb_ledger_list *list,
                            const char *command_line, psb_error *error) {
    psb_text plain[2] = {{0}, {0}};
    psb_text_add_plain(&plain[0], list->classification);
    psb_text_add_plain(&plain[1], command_line != NULL ? command_line : "");
    psb_status status = psb_text_status(&plain[0], error);
    PSB_THEN(status, psb_text_status(&plain[1], error));
    if (status == PSB_OK) {
        psb_ledger_list own = *list;
        own.classification = plain[0].data;
        ledger->changed = ledger->changed || !is_same_list(&ledger->list, &own);
        status = put_list(ledger, &own, error);
    }
    if (status == PSB_OK) {
        ledger->command = XXH64(plain[1].data, plain[1].length, 0);
        status = put_command(ledger, ledger->command, plain[1].data, error);
    }
    psb_text_free(&plain[0]);
    psb_text_free(&plain[1]);
    return status;
}

void psb_ledger_use(psb_ledger *ledger, uint64_t set) {
    ledger->changed = ledger->changed || ledger->list.set != set;
    ledger->list.set = set;
}

static bool is_used(const psb_ledger *ledger, uint64_t command) {
    bool used = command == ledger->command;
    for (size_t i = 0; i < ledger->count && !used; i++) {
        used = ledger->entries[i].command == command;
    }
    return used;
}

psb_status psb_ledger_write(psb_ledger *ledger, psb_error *error) {
    PSB_AT_END(psb_text_free) psb_text text = {0};
    size_t begin = 0;
    const psb_ledger_list *list = &ledger->list;
    if (!ledger->changed) {
        return PSB_OK;
    }
    if (list->classification != NULL) {
        psb_text_printf(&text, "list\t%016" PRIx64 "\t%" PRIu64 "\t%016" PRIx64 "\t%s", list->hash,
                        list->count, list->set, list->classification);
        begin = end_line(&text, begin);
    }
    for (size_t i = 0; i < ledger->nmodels; i++) {
        const psb_ledger_model *model = &ledger->models[i];
        psb_text_printf(&text, "model\t%016" PRIx64 "\t%016" PRIx64, model->name, model->file);
        begin = end_line(&text, begin);
    }
    for (size_t i = 0; i < ledger->ncommands; i++) {
        const psb_ledger_command *command = &ledger->commands[i];
        if (is_used(ledger, command->hash)) {
            psb_text_printf(&text, "command\t%016" PRIx64 "\t%s", command->hash, command->text);
            begin = end_line(&text, begin);
        }
    }
    for (size_t i = 0; i < ledger->count; i++) {
        begin = add_file(&text, &ledger->entries[i], begin);
    }
    for (size_t i = 0; i < ledger->nparts; i++) {
        const psb_ledger_part *part = &ledger->parts[i];
        psb_text_printf(&text, "part\t%s\t%s\t%016" PRIx64, part->whole, part->name, part->hash);
        begin = end_line(&text, begin);
    }
    psb_status status = psb_text_status(&text, error);
    PSB_THEN(status, psb_force_to_disk(ledger->run, error));
    bool gathered = psb_outputs_gather(false);
    PSB_THEN(status, psb_write_file(ledger->path, text.data, text.length, error));
    psb_outputs_gather(gathered);
    ledger->changed = status != PSB_OK;
    ledger->written = psb_clock_wall();
    return status;
}

psb_status psb_ledger_write_in_time(psb_ledger *ledger, psb_error *error) {
    return psb_clock_wall() - ledger->written > PSB_LEDGER_SECONDS ? psb_ledger_write(ledger, error)
                                                                   : PSB_OK;
}

void psb_ledger_free(psb_ledger *ledger) {
    for (size_t i = 0; i < ledger->count; i++) {
        free(ledger->entries[i].name);
    }
    for (size_t i = 0; i < ledger->ncommands; i++) {
        free(ledger->commands[i].text);
    }
    forget_parts(ledger, NULL);
    free(ledger->parts);
    free(ledger->entries);
    free(ledger->commands);
    free(ledger->list.classification);
    free(ledger->run);
    free(ledger->path);
    *ledger = (psb_ledger){0};
}
