/*
 * Tables as aligned text for terminals:
 *
 *                nearest neighbor       DCG
 *                ----------------  -------------
 *     descriptor here  pub.   diff here     pub.
 *     ---------- ...
 */
#include "core/memory.h"
#include "report/table.h"

#include <string.h>

enum { CAPTION_WIDTH = 100, NARROW = 80, MARGIN = 2 };

/* Columns that a text takes on a terminal: bytes that do not continue a UTF-8 character. */
static size_t width_of(const char *text) {
    size_t width = 0;
    for (; *text != '\0'; text++) {
        width += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return width;
}

static void add_repeated(psb_text *out, const char *what, size_t count) {
    for (size_t i = 0; i < count; i++) {
        psb_text_add(out, what);
    }
}

static void add_aligned(psb_text *out, const char *text, size_t width, psb_align align) {
    size_t taken = width_of(text);
    size_t space = width > taken ? width - taken : 0;
    add_repeated(out, " ", align == PSB_RIGHT ? space : 0);
    psb_text_add(out, text);
    add_repeated(out, " ", align == PSB_LEFT ? space : 0);
}

static void end_line(psb_text *out) {
    while (!out->failed && out->length > 0 && out->data[out->length - 1] == ' ') {
        out->data[--out->length] = '\0';
    }
    psb_text_add(out, "\n");
}

/* Space in front of a column. */
static size_t gap(const psb_table *table, size_t column) {
    if (column == 0) {
        return 0;
    }
    return psb_table_group_end(table, column - 1) > column ? 1 : MARGIN;
}

static size_t group_width(const psb_table *table, const size_t *widths, size_t first, size_t end) {
    size_t width = widths[first];
    for (size_t j = first + 1; j < end; j++) {
        width += gap(table, j) + widths[j];
    }
    return width;
}

/* `cell` is a text to work in. */
static void measure(const psb_table *table, psb_text *cell, size_t *widths) {
    for (size_t j = 0; j < table->ncolumns; j++) {
        widths[j] = width_of(table->columns[j].heading);
        for (size_t i = 0; i < table->nrows; i++) {
            cell->length = 0;
            psb_text_add(cell, "");
            psb_table_add_cell(cell, table, i, j);
            if (!cell->failed && width_of(cell->data) > widths[j]) {
                widths[j] = width_of(cell->data);
            }
        }
    }
    /* A group's heading wider than its columns widens the first of them. */
    for (size_t j = 0; j < table->ncolumns; j = psb_table_group_end(table, j)) {
        if (table->columns[j].group != NULL) {
            size_t wanted = width_of(table->columns[j].group);
            size_t width = group_width(table, widths, j, psb_table_group_end(table, j));
            widths[j] += wanted > width ? wanted - width : 0;
        }
    }
}

static void add_group_headings(psb_text *out, const psb_table *table, const size_t *widths) {
    for (size_t j = 0; j < table->ncolumns; j = psb_table_group_end(table, j)) {
        const char *group = table->columns[j].group != NULL ? table->columns[j].group : "";
        size_t width = group_width(table, widths, j, psb_table_group_end(table, j));
        size_t left = (width - width_of(group)) / 2;
        add_repeated(out, " ", gap(table, j) + left);
        add_aligned(out, group, width - left, PSB_LEFT);
    }
    end_line(out);
}

static void add_headings(psb_text *out, const psb_table *table, const size_t *widths) {
    if (psb_table_is_grouped(table)) {
        add_group_headings(out, table, widths);
    }
    for (size_t j = 0; j < table->ncolumns; j++) {
        add_repeated(out, " ", gap(table, j));
        add_aligned(out, table->columns[j].heading, widths[j], table->columns[j].align);
    }
    end_line(out);
    for (size_t j = 0; j < table->ncolumns; j = psb_table_group_end(table, j)) {
        add_repeated(out, " ", gap(table, j));
        add_repeated(out, "-", group_width(table, widths, j, psb_table_group_end(table, j)));
    }
    end_line(out);
}

static void add_rows(psb_text *out, const psb_table *table, const size_t *widths, psb_text *cell) {
    for (size_t i = 0; i < table->nrows; i++) {
        for (size_t j = 0; j < table->ncolumns; j++) {
            cell->length = 0;
            psb_text_add(cell, "");
            psb_table_add_cell(cell, table, i, j);
            if (!cell->failed) {
                add_repeated(out, " ", gap(table, j));
                add_aligned(out, cell->data, widths[j], table->columns[j].align);
            }
        }
        end_line(out);
    }
}

/* Words in lines. */
static void add_wrapped(psb_text *out, const char *text, size_t width) {
    size_t column = 0;
    for (text += strspn(text, " \n"); *text != '\0'; text += strspn(text, " \n")) {
        size_t length = strcspn(text, " \n");
        if (column > 0 && column + 1 + length > width) {
            psb_text_add(out, "\n");
            column = 0;
        }
        psb_text_add(out, column > 0 ? " " : "");
        column += (column > 0) + length;
        psb_text_add_bytes(out, text, length);
        text += length;
    }
    psb_text_add(out, "\n");
}

static void render(const psb_table *table, psb_text *out) {
    psb_status status = PSB_OK;
    size_t *widths = psb_new(&status, table->ncolumns, sizeof *widths, "column widths", NULL);
    psb_text cell = {.data = NULL};
    if (status != PSB_OK) {
        out->failed = true;
        return;
    }
    measure(table, &cell, widths);
    size_t width = table->width > 0 ? (size_t)table->width : CAPTION_WIDTH;
    if (table->title != NULL) {
        psb_text title = {.data = NULL};
        psb_text_add_plain(&title, table->title);
        if (!title.failed) {
            add_wrapped(out, title.data, width);
        }
        out->failed = out->failed || title.failed;
        psb_text_free(&title);
        psb_text_add(out, "\n");
    }
    add_headings(out, table, widths);
    add_rows(out, table, widths, &cell);
    if (table->caption != NULL) {
        psb_text_add(out, "\n");
        add_wrapped(out, table->caption, width);
    }
    out->failed = out->failed || cell.failed;
    psb_text_free(&cell);
    free(widths);
}

const psb_table_format psb_format_text = {
    .name = "txt",
    .help = "aligned text",
    .for_programs = false,
    .render = render,
};

const psb_table_format psb_format_narrow = {
    .name = "txt",
    .help = "aligned text, narrow",
    .width = NARROW,
    .render = render,
};
