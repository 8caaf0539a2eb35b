/* A small table, read and written as a whole. */
#include "pipeline/ledger.h"

#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { NAME, KEY, SIZE, TIME, HASH, WALL, CPU, CHECKSUM, FIELDS };
enum { HEX_DIGITS = 16, LINE_MOST = 1024 };

/* ---- lines ----------------------------------------------------------------------------- */

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

/* A line without its end, in memory that may be changed. */
static bool parse_line(char *line, size_t length, psb_ledger_entry *entry) {
    char *fields[FIELDS];
    size_t n = 0;
    char *at = line;
    for (; n < FIELDS && at != NULL; n++) {
        fields[n] = at;
        at = strchr(at, '\t');
        if (at != NULL && n < CHECKSUM) {
            *at++ = '\0';
        }
    }
    uint64_t checksum;
    if (n != FIELDS || at != NULL || strlen(fields[CHECKSUM]) != HEX_DIGITS ||
        !parse_hex(fields[CHECKSUM], &checksum)) {
        return false;
    }
    for (size_t f = KEY; f < FIELDS; f++) {
        fields[f][-1] = '\t';
    }
    if (XXH64(line, length - HEX_DIGITS, 0) != checksum) {
        return false;
    }
    for (size_t f = KEY; f < FIELDS; f++) {
        fields[f][-1] = '\0';
    }
    int64_t size;
    *entry = (psb_ledger_entry){.name = fields[NAME]};
    if (!parse_hex(fields[KEY], &entry->key) || !psb_parse_int64(fields[SIZE], &size) || size < 0 ||
        !psb_parse_int64(fields[TIME], &entry->stamp.time) ||
        !parse_hex(fields[HASH], &entry->stamp.hash) ||
        !psb_parse_double(fields[WALL], &entry->wall_seconds) ||
        !psb_parse_double(fields[CPU], &entry->cpu_seconds)) {
        return false;
    }
    entry->stamp.size = (uint64_t)size;
    return true;
}

static void add_line(psb_text *text, const psb_ledger_entry *e) {
    size_t begin = text->length;
    psb_text_printf(text,
                    "%s\t%016" PRIx64 "\t%" PRIu64 "\t%" PRId64 "\t%016" PRIx64 "\t%.17g\t"
                    "%.17g\t",
                    e->name, e->key, e->stamp.size, e->stamp.time, e->stamp.hash, e->wall_seconds,
                    e->cpu_seconds);
    if (!text->failed) {
        uint64_t checksum = XXH64(text->data + begin, text->length - begin, 0);
        psb_text_printf(text, "%016" PRIx64 "\n", checksum);
    }
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

/* Keeps the entry under a copy of the name. */
static psb_status put(psb_ledger *ledger, const char *name, const psb_ledger_entry *entry,
                      psb_error *error) {
    psb_ledger_entry *old = find(ledger, name);
    if (old != NULL) {
        char *kept = old->name;
        *old = *entry;
        old->name = kept;
        return PSB_OK;
    }
    psb_buffer entries = {ledger->entries, ledger->capacity * sizeof *entry};
    psb_status status =
        psb_buffer_grow(&entries, ledger->count + 1, sizeof *entry, "the ledger", error);
    ledger->entries = entries.data;
    ledger->capacity = entries.bytes / sizeof *entry;
    char *copy = status == PSB_OK ? strdup(name) : NULL;
    if (status == PSB_OK && copy == NULL) {
        status = psb_fail_memory(error, "the ledger", strlen(name));
    }
    if (status == PSB_OK) {
        ledger->entries[ledger->count] = *entry;
        ledger->entries[ledger->count++].name = copy;
    }
    return status;
}

psb_status psb_ledger_parse(const char *data, size_t size, psb_ledger *ledger, psb_error *error) {
    psb_status status = PSB_OK;
    const char *at = data, *end = data + size;
    while (at < end && status == PSB_OK) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop != NULL ? stop : end) - at);
        char line[LINE_MOST + 1];
        psb_ledger_entry entry;
        memcpy(line, at, length < LINE_MOST ? length : LINE_MOST);
        line[length < LINE_MOST ? length : LINE_MOST] = '\0';
        if (stop != NULL && length <= LINE_MOST && strlen(line) == length &&
            parse_line(line, length, &entry)) {
            status = put(ledger, entry.name, &entry, error);
        } else {
            ledger->damaged++;
        }
        at += length + (stop != NULL);
    }
    return status;
}

psb_status psb_ledger_open(const char *run, bool verify, psb_ledger *ledger, psb_error *error) {
    *ledger = (psb_ledger){.run = strdup(run), .verify = verify};
    if (ledger->run == NULL) {
        return psb_fail_memory(error, "a path", strlen(run));
    }
    psb_status status = psb_path_join(&ledger->path, run, "work/ledger", error);
    psb_input input;
    if (status == PSB_OK && psb_is_file(ledger->path)) {
        status = psb_input_open(ledger->path, &input, error);
        if (status == PSB_OK) {
            status = psb_ledger_parse(input.data, input.size, ledger, error);
            psb_input_close(&input);
        }
    }
    return status;
}

const psb_ledger_entry *psb_ledger_current(const psb_ledger *ledger, const char *name, uint64_t key,
                                           bool *altered) {
    *altered = false;
    const psb_ledger_entry *entry = find(ledger, name);
    char *path;
    if (entry == NULL || entry->key != key ||
        psb_path_join(&path, ledger->run, name, NULL) != PSB_OK) {
        return NULL;
    }
    bool holds = psb_stamp_holds(path, &entry->stamp, ledger->verify);
    *altered = !holds && psb_is_file(path);
    free(path);
    return holds ? entry : NULL;
}

psb_status psb_ledger_enter(psb_ledger *ledger, const char *name, uint64_t key, double wall_seconds,
                            double cpu_seconds, psb_error *error) {
    char *path;
    psb_ledger_entry entry = {.key = key, .wall_seconds = wall_seconds, .cpu_seconds = cpu_seconds};
    psb_status status = psb_path_join(&path, ledger->run, name, error);
    if (status == PSB_OK) {
        status = psb_stamp_read(path, &entry.stamp, error);
    }
    free(path);
    ledger->changed = true;
    return status == PSB_OK ? put(ledger, name, &entry, error) : status;
}

psb_status psb_ledger_write(psb_ledger *ledger, psb_error *error) {
    psb_text text = {0};
    if (!ledger->changed) {
        return PSB_OK;
    }
    for (size_t i = 0; i < ledger->count; i++) {
        add_line(&text, &ledger->entries[i]);
    }
    psb_status status = psb_text_status(&text, error);
    if (status == PSB_OK) {
        status = psb_write_file(ledger->path, text.data, text.length, error);
    }
    ledger->changed = status != PSB_OK;
    psb_text_free(&text);
    return status;
}

void psb_ledger_free(psb_ledger *ledger) {
    for (size_t i = 0; i < ledger->count; i++) {
        free(ledger->entries[i].name);
    }
    free(ledger->entries);
    free(ledger->run);
    free(ledger->path);
    *ledger = (psb_ledger){0};
}
