/* Holds the tables of facts, and writes them to JSON and reads them from it. */
#include "report/run_facts.h"

#include "report/json.h"

#include <math.h>

#define RUN(member)        offsetof(psb_run_facts, member)
#define DESCRIPTOR(member) offsetof(psb_descriptor_facts, member)
#define TEXT               PSB_FACT_TEXT
#define NUMBER             PSB_FACT_NUMBER

static const psb_fact of_run[] = {
    {NULL, "program", TEXT, RUN(program), "Program", 0, 0, NULL},
    {NULL, "command_line", TEXT, RUN(command_line), "Command", 0, 0, NULL},
    {"table", "title", TEXT, RUN(title), NULL, 0, 0, NULL},
    {"table", "generate_together_s", NUMBER, RUN(together_seconds), NULL, 0, 0, NULL},
    {"inputs", "classification", TEXT, RUN(classification), "Classification", 0, 0, NULL},
    {"inputs", "classification_xxh64", TEXT, RUN(classification_xxh64), "Classification XXH64", 0,
     0, NULL},
    {"inputs", "targets", TEXT, RUN(targets), "Targets", 0, 0, NULL},
    {"inputs", "targets_xxh64", TEXT, RUN(targets_xxh64), "Targets XXH64", 0, 0, NULL},
    {"inputs", "models_folder", TEXT, RUN(models_folder), "Models", 0, 0, NULL},
    {"inputs", "models_xxh64", TEXT, RUN(models_xxh64), "Models XXH64", 0, 0, NULL},
    {"inputs", "turned_by_seed", NUMBER, RUN(turned), "Turned at random by seed", 1, 0, ""},
    {"inputs", "models_listed", NUMBER, RUN(models_listed), "Models listed", 1, 0, ""},
    {"inputs", "models_used", NUMBER, RUN(models_used), "Models used", 1, 0, ""},
    {"inputs", "models_missing", PSB_FACT_IDS, RUN(missing), "Models without a file", 0, 0, NULL},
    {"inputs", "models_failed", PSB_FACT_REASONS, RUN(failed), "Models that could not be used", 0,
     0, NULL},
    {NULL, "descriptors", PSB_FACT_DESCRIPTORS, 0, NULL, 0, 0, NULL},
    {NULL, "chosen", TEXT, RUN(chosen), "Chosen variant", 0, 0, NULL},
    {NULL, "chosen_by", TEXT, RUN(chosen_by), "Chosen by", 0, 0, NULL},
    {NULL, "chosen_at", TEXT, RUN(chosen_at), "Chosen at", 0, 0, NULL},
    {"machine", "system", TEXT, RUN(system), "System", 0, 0, NULL},
    {"machine", "architecture", TEXT, RUN(architecture), "Architecture", 0, 0, NULL},
    {"machine", "processors", NUMBER, RUN(processors), "Processors", 1, 0, ""},
    {"machine", "threads", NUMBER, RUN(threads), "Threads", 1, 0, ""},
    {"costs", "wall_seconds", NUMBER, RUN(wall_seconds), "Wall time", 1, 1, " s"},
    {"costs", "cpu_seconds", NUMBER, RUN(cpu_seconds), "CPU time", 1, 1, " s"},
    {"costs", "features_wall_seconds", NUMBER, RUN(features_wall_seconds), NULL, 0, 0, NULL},
    {"costs", "read_cpu_seconds", NUMBER, RUN(read_cpu_seconds), NULL, 0, 0, NULL},
    {"costs", "generate_together_cpu_seconds", NUMBER, RUN(generate_together_cpu_seconds), NULL, 0,
     0, NULL},
    {"costs", "peak_memory_bytes", NUMBER, RUN(peak_memory_bytes), "Peak memory", 1 << 20, 0,
     " MiB"},
};
const psb_fact_table psb_facts_of_run = {of_run, sizeof of_run / sizeof of_run[0]};

static const psb_fact of_descriptor[] = {
    {NULL, "label", TEXT, DESCRIPTOR(label), NULL, 0, 0, NULL},
    {NULL, "title", TEXT, DESCRIPTOR(title), NULL, 0, 0, NULL},
    {NULL, "formula", TEXT, DESCRIPTOR(formula), "Formula", 0, 0, NULL},
    {NULL, "source", TEXT, DESCRIPTOR(source), "Source", 0, 0, NULL},
    {NULL, "metric", TEXT, DESCRIPTOR(metric), "Metric", 0, 0, NULL},
    {NULL, "uses", TEXT, DESCRIPTOR(uses), "Uses", 0, 0, NULL},
    {NULL, "length", NUMBER, DESCRIPTOR(length), "Dimensions", 1, 0, ""},
    {NULL, "revision", NUMBER, DESCRIPTOR(revision), NULL, 1, 0, ""},
    {NULL, "parameters", PSB_FACT_PARAMETERS, DESCRIPTOR(parameters), "Parameters", 0, 0, NULL},
    {NULL, "published_name", TEXT, DESCRIPTOR(published_name), NULL, 0, 0, NULL},
    {NULL, "storage_bytes", NUMBER, DESCRIPTOR(storage_bytes), NULL, 0, 0, NULL},
    {NULL, "generate_s", NUMBER, DESCRIPTOR(generate_seconds), NULL, 0, 0, NULL},
    {NULL, "compare_s", NUMBER, DESCRIPTOR(compare_seconds), NULL, 0, 0, NULL},
    {NULL, "generate_alone_cpu_seconds", NUMBER, DESCRIPTOR(generate_alone_cpu_seconds), NULL, 0, 0,
     NULL},
    {NULL, "matrix_wall_seconds", NUMBER, DESCRIPTOR(matrix_wall_seconds), NULL, 0, 0, NULL},
};
const psb_fact_table psb_facts_of_descriptor = {of_descriptor,
                                                sizeof of_descriptor / sizeof of_descriptor[0]};

psb_status psb_left_out_alloc(psb_left_out_list *list, size_t count, psb_error *error) {
    psb_status status = PSB_OK;
    list->entries = psb_new_zero(&status, count, sizeof *list->entries, "models left out", error);
    list->count = status == PSB_OK ? count : 0;
    return status;
}

psb_status psb_run_facts_alloc(psb_run_facts *facts, size_t count, psb_error *error) {
    psb_status status = PSB_OK;
    facts->descriptors =
        psb_new_zero(&status, count, sizeof *facts->descriptors, "descriptors", error);
    facts->ndescriptors = status == PSB_OK ? count : 0;
    return status;
}

void psb_run_facts_free(psb_run_facts *facts) {
    free(facts->missing.entries);
    free(facts->failed.entries);
    free(facts->descriptors);
    cJSON_Delete(facts->read);
    *facts = (psb_run_facts){0};
}

void psb_facts_forget(const psb_fact_table *table, void *facts) {
    for (size_t f = 0; f < table->count; f++) {
        if (table->facts[f].kind == PSB_FACT_NUMBER) {
            *(double *)(void *)((char *)facts + table->facts[f].offset) = NAN;
        }
    }
}

/* ---- writing --------------------------------------------------------------------------- */

static void add_text(psb_json *json, cJSON *parent, const char *name, const char *text) {
    if (text != NULL) {
        psb_json_add_string(json, parent, name, text);
    }
}

static void add_number(psb_json *json, cJSON *parent, const char *name, double number) {
    if (!isnan(number)) {
        psb_json_add_number(json, parent, name, number);
    }
}

static void add_left_out(psb_json *json, cJSON *parent, const psb_fact *fact,
                         const psb_left_out_list *list) {
    cJSON *array = psb_json_add_array(json, parent, fact->name);
    for (size_t i = 0; i < list->count; i++) {
        if (fact->kind == PSB_FACT_IDS) {
            psb_json_add_string(json, array, NULL, list->entries[i].id);
        } else {
            cJSON *entry = psb_json_add_object(json, array, NULL);
            psb_json_add_string(json, entry, "id", list->entries[i].id);
            psb_json_add_string(json, entry, "reason", list->entries[i].reason);
        }
    }
}

static void add_parameters(psb_json *json, cJSON *parent, const psb_fact *fact,
                           const psb_parameter_facts *parameters) {
    cJSON *object = psb_json_add_object(json, parent, fact->name);
    for (size_t p = 0; p < parameters->count; p++) {
        add_text(json, object, parameters->list[p].name, parameters->list[p].choice);
        add_number(json, object, parameters->list[p].name, parameters->list[p].number);
    }
}

static void add_descriptors(psb_json *json, cJSON *parent, const psb_fact *fact,
                            const psb_run_facts *facts);

/* Adds a table's facts. Members of one object follow each other in the table. */
static void add_facts(psb_json *json, cJSON *parent, const psb_fact_table *table,
                      const void *facts) {
    const char *last = "";
    cJSON *object = NULL;
    for (size_t f = 0; f < table->count; f++) {
        const psb_fact *fact = &table->facts[f];
        const void *value = (const char *)facts + fact->offset;
        if (fact->object == NULL) {
            object = parent;
        } else if (strcmp(fact->object, last) != 0) {
            object = psb_json_add_object(json, parent, fact->object);
        }
        last = fact->object != NULL ? fact->object : "";
        switch (fact->kind) {
        case PSB_FACT_TEXT:
            add_text(json, object, fact->name, *(const char *const *)value);
            break;
        case PSB_FACT_NUMBER:
            add_number(json, object, fact->name, *(const double *)value);
            break;
        case PSB_FACT_IDS:
        case PSB_FACT_REASONS:
            add_left_out(json, object, fact, value);
            break;
        case PSB_FACT_PARAMETERS:
            add_parameters(json, object, fact, value);
            break;
        case PSB_FACT_DESCRIPTORS:
            add_descriptors(json, object, fact, facts);
            break;
        }
    }
}

static void add_descriptors(psb_json *json, cJSON *parent, const psb_fact *fact,
                            const psb_run_facts *facts) {
    cJSON *array = psb_json_add_array(json, parent, fact->name);
    for (size_t d = 0; d < facts->ndescriptors; d++) {
        add_facts(json, psb_json_add_object(json, array, NULL), &psb_facts_of_descriptor,
                  &facts->descriptors[d]);
    }
}

psb_status psb_run_facts_render(const psb_run_facts *facts, psb_text *out, psb_error *error) {
    psb_json json = {0};
    add_facts(&json, psb_json_add_object(&json, NULL, NULL), &psb_facts_of_run, facts);
    psb_json_finish(&json, out);
    return psb_text_status(out, error);
}

/* ---- reading --------------------------------------------------------------------------- */

typedef struct reader {
    const char *path;
    psb_run_facts *facts;
} reader;

static psb_status refuse(const reader *r, const char *name, const char *wanted, psb_error *error) {
    return psb_fail_at(error, PSB_ERROR_INPUT, r->path, 0, "%.60s is not %s", name, wanted);
}

static psb_status take_text(const reader *r, const cJSON *item, const char *name, const char **text,
                            psb_error *error) {
    *text = cJSON_GetStringValue(item);
    return *text != NULL || item == NULL ? PSB_OK : refuse(r, name, "a text", error);
}

static psb_status take_number(const reader *r, const cJSON *item, const char *name, double *number,
                              psb_error *error) {
    *number = item != NULL ? cJSON_GetNumberValue(item) : (double)NAN;
    return item == NULL || isfinite(*number) ? PSB_OK : refuse(r, name, "a number", error);
}

static psb_status take_left_out(const reader *r, const cJSON *item, const psb_fact *fact,
                                psb_left_out_list *list, psb_error *error) {
    if (item != NULL && !cJSON_IsArray(item)) {
        return refuse(r, fact->name, "a list", error);
    }
    psb_status status = psb_left_out_alloc(list, (size_t)cJSON_GetArraySize(item), error);
    psb_left_out *entry = list->entries;
    const cJSON *child;
    cJSON_ArrayForEach(child, item) {
        bool plain = fact->kind == PSB_FACT_IDS;
        const cJSON *id = plain ? child : cJSON_GetObjectItemCaseSensitive(child, "id");
        const cJSON *reason = cJSON_GetObjectItemCaseSensitive(child, "reason");
        PSB_THEN(status, take_text(r, id, fact->name, &entry->id, error));
        PSB_THEN(status, take_text(r, reason, fact->name, &entry->reason, error));
        PSB_THEN_IF(status, entry->id == NULL || (!plain && entry->reason == NULL),
                    refuse(r, fact->name, "a list of models", error));
        entry++;
    }
    return status;
}

static psb_status take_parameters(const reader *r, const cJSON *item, const psb_fact *fact,
                                  psb_parameter_facts *parameters, psb_error *error) {
    if (cJSON_GetArraySize(item) > PSB_PARAMETERS_KNOWN) {
        return refuse(r, fact->name, "a list of so few", error);
    }
    const cJSON *child;
    cJSON_ArrayForEach(child, item) {
        size_t p = parameters->count;
        if (child->string == NULL) {
            return refuse(r, fact->name, "a list with names", error);
        }
        parameters->list[p].name = child->string;
        parameters->list[p].choice = cJSON_GetStringValue(child);
        parameters->list[p].number = cJSON_GetNumberValue(child);
        if (parameters->list[p].choice == NULL && !isfinite(parameters->list[p].number)) {
            return refuse(r, child->string, "a number", error);
        }
        parameters->count++;
    }
    return PSB_OK;
}

static psb_status take_descriptors(const reader *r, const cJSON *item, const psb_fact *fact,
                                   psb_error *error);

static psb_status take_facts(const reader *r, const cJSON *whole, const psb_fact_table *table,
                             void *facts, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t f = 0; f < table->count && status == PSB_OK; f++) {
        const psb_fact *fact = &table->facts[f];
        const cJSON *object =
            fact->object != NULL ? cJSON_GetObjectItemCaseSensitive(whole, fact->object) : whole;
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, fact->name);
        void *value = (char *)facts + fact->offset;
        switch (fact->kind) {
        case PSB_FACT_TEXT:
            status = take_text(r, item, fact->name, value, error);
            break;
        case PSB_FACT_NUMBER:
            status = take_number(r, item, fact->name, value, error);
            break;
        case PSB_FACT_IDS:
        case PSB_FACT_REASONS:
            status = take_left_out(r, item, fact, value, error);
            break;
        case PSB_FACT_PARAMETERS:
            status = take_parameters(r, item, fact, value, error);
            break;
        case PSB_FACT_DESCRIPTORS:
            status = take_descriptors(r, item, fact, error);
            break;
        }
    }
    return status;
}

static psb_status take_descriptors(const reader *r, const cJSON *item, const psb_fact *fact,
                                   psb_error *error) {
    if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) == 0) {
        return refuse(r, fact->name, "a list of descriptors", error);
    }
    psb_status status = psb_run_facts_alloc(r->facts, (size_t)cJSON_GetArraySize(item), error);
    size_t d = 0;
    const cJSON *child;
    cJSON_ArrayForEach(child, item) {
        PSB_THEN(status, take_facts(r, child, &psb_facts_of_descriptor, &r->facts->descriptors[d++],
                                    error));
    }
    return status;
}

psb_status psb_run_facts_parse(const char *path, const char *data, size_t size,
                               psb_run_facts *facts, psb_error *error) {
    reader r = {path, facts};
    *facts = (psb_run_facts){.read = cJSON_ParseWithLength(data, size)};
    if (!cJSON_IsObject(facts->read)) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "not a JSON object");
    }
    return take_facts(&r, facts->read, &psb_facts_of_run, facts, error);
}

psb_status psb_run_facts_matrix(const char *run, const psb_descriptor_facts *of, size_t models,
                                psb_matrix *matrix, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *path = psb_new_format(&status, error, "%s/matrices/%s.matrix", run, of->stem);
    return PSB_THEN(status, psb_matrix_read(path, models, matrix, error));
}
