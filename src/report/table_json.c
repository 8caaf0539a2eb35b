/* Writes tables as JSON: title, caption, and the rows as objects whose members are the columns. */
#include "report/json.h"
#include "report/table.h"

static void add_cell(psb_json *json, cJSON *row, const char *name, const psb_cell *cell) {
    switch (cell->kind) {
    case PSB_CELL_NUMBER:
        psb_json_add_number(json, row, name, cell->number);
        break;
    case PSB_CELL_TEXT:
        psb_json_add_string(json, row, name, cell->text);
        break;
    case PSB_CELL_EMPTY:
        psb_json_add_null(json, row, name);
        break;
    }
}

static void render(const psb_table *table, psb_text *out) {
    psb_json json = {0};
    cJSON *root = psb_json_add_object(&json, NULL, NULL);
    if (table->title != NULL) {
        psb_json_add_string(&json, root, "title", table->title);
    }
    if (table->caption != NULL) {
        psb_json_add_string(&json, root, "caption", table->caption);
    }
    cJSON *rows = psb_json_add_array(&json, root, "rows");
    for (size_t i = 0; i < table->nrows; i++) {
        cJSON *row = psb_json_add_object(&json, rows, NULL);
        for (size_t j = 0; j < table->ncolumns; j++) {
            add_cell(&json, row, table->columns[j].name, psb_table_cell(table, i, j));
        }
    }
    psb_json_finish(&json, out);
}

const psb_table_format psb_format_json = {
    .name = "json",
    .help = "one JSON object",
    .for_programs = true,
    .render = render,
};
