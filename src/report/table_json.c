/* Tables as JSON: title, caption, and the rows as objects whose members are the columns. */
#include "report/table.h"

#include <cJSON.h>

static cJSON *cell_value(const psb_cell *cell) {
    switch (cell->kind) {
    case PSB_CELL_NUMBER:
        return cJSON_CreateNumber(cell->number);
    case PSB_CELL_TEXT:
        return cJSON_CreateString(cell->text);
    case PSB_CELL_EMPTY:
        break;
    }
    return cJSON_CreateNull();
}

/* Adds `item` to an object; false where either could not be made. */
static bool add_member(cJSON *object, const char *name, cJSON *item) {
    if (item == NULL || !cJSON_AddItemToObject(object, name, item)) {
        cJSON_Delete(item);
        return false;
    }
    return true;
}

static bool add_row(cJSON *rows, const psb_table *table, size_t i) {
    cJSON *row = cJSON_CreateObject();
    if (row == NULL || !cJSON_AddItemToArray(rows, row)) {
        cJSON_Delete(row);
        return false;
    }
    for (size_t j = 0; j < table->ncolumns; j++) {
        if (!add_member(row, table->columns[j].name, cell_value(psb_table_cell(table, i, j)))) {
            return false;
        }
    }
    return true;
}

static bool add_table(cJSON *root, const psb_table *table) {
    if (table->title != NULL && !add_member(root, "title", cJSON_CreateString(table->title))) {
        return false;
    }
    if (table->caption != NULL &&
        !add_member(root, "caption", cJSON_CreateString(table->caption))) {
        return false;
    }
    cJSON *rows = cJSON_CreateArray();
    if (!add_member(root, "rows", rows)) {
        return false;
    }
    for (size_t i = 0; i < table->nrows; i++) {
        if (!add_row(rows, table, i)) {
            return false;
        }
    }
    return true;
}

static void render(const psb_table *table, psb_text *out) {
    cJSON *root = cJSON_CreateObject();
    char *printed = root != NULL && add_table(root, table) ? cJSON_Print(root) : NULL;
    if (printed != NULL) {
        psb_text_add(out, printed);
        psb_text_add(out, "\n");
        cJSON_free(printed);
    } else {
        out->failed = true;
    }
    cJSON_Delete(root);
}

const psb_table_format psb_format_json = {
    .name = "json",
    .help = "one JSON object",
    .for_programs = true,
    .render = render,
};
