/* Writes tables as values with a tab or a comma between: a line of column names, then the rows. */
#include "core/memory.h"
#include "report/table.h"

/* A separator inside a text would make two cells or lines of one. */
static void blank_separators(char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '\t' || *text == '\n' || *text == '\r') {
            *text = ' ';
        }
    }
}

/* Appends a text as RFC 4180 quotes it. */
static void add_quoted(psb_text *out, const char *text) {
    const char *quote = strpbrk(text, ",\"\r\n") != NULL ? "\"" : "";
    psb_text_add(out, quote);
    for (; *text != '\0'; text++) {
        psb_text_add(out, *text == '"' ? "\"" : "");
        psb_text_add_bytes(out, text, 1);
    }
    psb_text_add(out, quote);
}

static void add_cell(const psb_table *table, size_t row, size_t column, bool commas,
                     psb_text *out) {
    PSB_AT_END(psb_text_free) psb_text cell = {0};
    psb_table_add_cell(&cell, table, row, column);
    if (cell.length > 0 && commas) {
        add_quoted(out, cell.data);
    } else if (cell.length > 0) {
        blank_separators(cell.data);
        psb_text_add(out, cell.data);
    }
    out->failed = out->failed || cell.failed;
}

static void render(const psb_table *table, bool commas, psb_text *out) {
    const char *separator = commas ? "," : "\t";
    for (size_t j = 0; j < table->ncolumns; j++) {
        psb_text_add(out, j > 0 ? separator : "");
        psb_text_add(out, table->columns[j].name);
    }
    psb_text_add(out, "\n");
    for (size_t i = 0; i < table->nrows; i++) {
        for (size_t j = 0; j < table->ncolumns; j++) {
            psb_text_add(out, j > 0 ? separator : "");
            add_cell(table, i, j, commas, out);
        }
        psb_text_add(out, "\n");
    }
}

static void render_tabs(const psb_table *table, psb_text *out) {
    render(table, false, out);
}

static void render_commas(const psb_table *table, psb_text *out) {
    render(table, true, out);
}

const psb_table_format psb_format_tsv = {
    .name = "tsv",
    .help = "tab-separated values",
    .for_programs = true,
    .values = true,
    .render = render_tabs,
};

const psb_table_format psb_format_csv = {
    .name = "csv",
    .help = "comma-separated values",
    .for_programs = true,
    .values = true,
    .printed = true,
    .render = render_commas,
};
