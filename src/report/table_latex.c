/* Writes tables as LaTeX: a tabular that needs no package, title and caption as comments. */
#include "report/table.h"

#include <string.h>

static void add_escaped(psb_text *out, const char *text) {
    for (; *text != '\0'; text++) {
        if (strchr("&%$#_{}", *text) != NULL) {
            psb_text_printf(out, "\\%c", *text);
        } else if (*text == '\\') {
            psb_text_add(out, "\\textbackslash{}");
        } else if (*text == '~' || *text == '^') {
            psb_text_printf(out, "\\%c{}", *text);
        } else if (*text == '<' || *text == '>') {
            psb_text_printf(out, "$%c$", *text);
        } else {
            psb_text_add_bytes(out, *text == '\n' || *text == '\r' ? " " : text, 1);
        }
    }
}

static void add_comment(psb_text *out, const char *text) {
    psb_text_add(out, "% ");
    for (; *text != '\0'; text++) {
        psb_text_add_bytes(out, *text == '\n' || *text == '\r' ? " " : text, 1);
    }
    psb_text_add(out, "\n");
}

static void add_groups(psb_text *out, const psb_table *table) {
    for (size_t j = 0, end; j < table->ncolumns; j = end) {
        const psb_column *column = &table->columns[j];
        end = psb_table_group_end(table, j);
        psb_text_add(out, j > 0 ? " & " : "");
        if (column->group != NULL) {
            psb_text_printf(out, "\\multicolumn{%zu}{c}{", end - j);
            add_escaped(out, column->group);
            psb_text_add(out, "}");
        }
    }
    psb_text_add(out, " \\\\\n");
}

static void add_cell(psb_text *out, const psb_table *table, size_t i, size_t j) {
    const psb_cell *cell = psb_table_cell(table, i, j);
    if (cell->kind == PSB_CELL_TEXT) {
        add_escaped(out, cell->text);
    } else if (cell->kind == PSB_CELL_NUMBER) {
        psb_text_add(out, "$"); /* a minus sign, not a hyphen */
        psb_table_add_cell(out, table, i, j);
        psb_text_add(out, "$");
    }
}

static void render(const psb_table *table, psb_text *out) {
    if (table->title != NULL) {
        add_comment(out, table->title);
    }
    if (table->caption != NULL) {
        add_comment(out, table->caption);
    }
    psb_text_add(out, "\\begin{tabular}{");
    for (size_t j = 0; j < table->ncolumns; j++) {
        psb_text_add(out, table->columns[j].align == PSB_RIGHT ? "r" : "l");
    }
    psb_text_add(out, "}\n\\hline\n");
    if (psb_table_is_grouped(table)) {
        add_groups(out, table);
    }
    for (size_t j = 0; j < table->ncolumns; j++) {
        psb_text_add(out, j > 0 ? " & " : "");
        add_escaped(out, table->columns[j].heading);
    }
    psb_text_add(out, " \\\\\n\\hline\n");
    for (size_t i = 0; i < table->nrows; i++) {
        for (size_t j = 0; j < table->ncolumns; j++) {
            psb_text_add(out, j > 0 ? " & " : "");
            add_cell(out, table, i, j);
        }
        psb_text_add(out, " \\\\\n");
    }
    psb_text_add(out, "\\hline\n\\end{tabular}\n");
}

const psb_table_format psb_format_latex = {
    .name = "tex",
    .help = "LaTeX",
    .for_programs = false,
    .render = render,
};
