/* Writes tables as tab-separated values: a line of column names, then the rows. */
#include "report/table.h"

/* A separator inside a text would make two cells or lines of one. */
static void blank_separators(char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '\t' || *text == '\n' || *text == '\r') {
            *text = ' ';
        }
    }
}

static void render(const psb_table *table, psb_text *out) {
    for (size_t j = 0; j < table->ncolumns; j++) {
        psb_text_add(out, j > 0 ? "\t" : "");
        psb_text_add(out, table->columns[j].name);
    }
    psb_text_add(out, "\n");
    for (size_t i = 0; i < table->nrows; i++) {
        for (size_t j = 0; j < table->ncolumns; j++) {
            psb_text_add(out, j > 0 ? "\t" : "");
            size_t start = out->length;
            psb_table_add_cell(out, table, i, j);
            if (!out->failed) {
                blank_separators(out->data + start);
            }
        }
        psb_text_add(out, "\n");
    }
}

const psb_table_format psb_format_tsv = {
    .name = "tsv",
    .help = "tab-separated values",
    .for_programs = true,
    .render = render,
};
