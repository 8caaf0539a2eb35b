/* Writes tables as Markdown: pipes, with a column's group in front of its heading. */
#include "report/table.h"

/* A pipe or a line end inside a text would end the cell. */
static void add_escaped(psb_text *out, const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '|') {
            psb_text_add(out, "\\|");
        } else {
            psb_text_add_bytes(out, *text == '\n' || *text == '\r' ? " " : text, 1);
        }
    }
}

static void add_headings(psb_text *out, const psb_table *table) {
    for (size_t j = 0; j < table->ncolumns; j++) {
        const psb_column *column = &table->columns[j];
        psb_text_add(out, "| ");
        if (column->group != NULL) {
            add_escaped(out, column->group);
            psb_text_add(out, " ");
        }
        add_escaped(out, column->heading);
        psb_text_add(out, " ");
    }
    psb_text_add(out, "|\n");
    for (size_t j = 0; j < table->ncolumns; j++) {
        psb_text_add(out, table->columns[j].align == PSB_RIGHT ? "|---:" : "|:---");
    }
    psb_text_add(out, "|\n");
}

static void add_row(psb_text *out, const psb_table *table, size_t i) {
    for (size_t j = 0; j < table->ncolumns; j++) {
        const psb_cell *cell = psb_table_cell(table, i, j);
        psb_text_add(out, "| ");
        if (cell->kind == PSB_CELL_TEXT) {
            add_escaped(out, cell->text);
        } else {
            psb_table_add_cell(out, table, i, j);
        }
        psb_text_add(out, " ");
    }
    psb_text_add(out, "|\n");
}

static void render(const psb_table *table, psb_text *out) {
    if (table->title != NULL) {
        psb_text_printf(out, "**%s**\n\n", table->title);
    }
    add_headings(out, table);
    for (size_t i = 0; i < table->nrows; i++) {
        add_row(out, table, i);
    }
    if (table->caption != NULL) {
        psb_text_printf(out, "\n%s\n", table->caption);
    }
}

const psb_table_format psb_format_markdown = {
    .name = "md",
    .help = "Markdown",
    .for_programs = false,
    .render = render,
};
