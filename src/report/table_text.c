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

enum { CAPTION_WIDTH = 100, MARGIN = 2 };

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

/* Sets the width of each column; `cell` is scratch. */
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
                bool bold = psb_table_cell(table, i, j)->best;
                add_repeated(out, " ", gap(table, j));
                psb_text_add(out, bold ? "\033[1m" : "");
                add_aligned(out, cell->data, widths[j], table->columns[j].align);
                psb_text_add(out, bold ? "\033[22m" : "");
            }
        }
        end_line(out);
    }
}

/* Appends the words in lines of at most `width`. */
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

/* ---- tables that are wider than the terminal ---------------------------------------------- */

/* Marks the best numbers of rated columns, all of those that are equal. */
static void mark_best(const psb_table *table) {
    for (size_t j = 0; j < table->ncolumns && table->nrows > 1; j++) {
        const psb_cell *best = NULL;
        for (size_t i = 0; i < table->nrows && table->columns[j].numbers == PSB_RATED; i++) {
            const psb_cell *cell = psb_table_cell(table, i, j);
            bool better = best == NULL || cell->number > best->number;
            best = cell->kind == PSB_CELL_NUMBER && better ? cell : best;
        }
        for (size_t i = 0; i < table->nrows && best != NULL; i++) {
            psb_cell *cell = psb_table_cell(table, i, j);
            cell->best = cell->kind == PSB_CELL_NUMBER && cell->number == best->number;
        }
    }
}

static size_t total_width(const psb_table *table, const size_t *widths) {
    size_t width = 0;
    for (size_t j = 0; j < table->ncolumns; j++) {
        width += gap(table, j) + widths[j];
    }
    return width;
}

/* The cell as a text of its own, or NULL without memory; free() it. */
static char *cell_text(const psb_table *table, size_t row, size_t column) {
    psb_text text = {.data = NULL};
    psb_text_add(&text, "");
    psb_table_add_cell(&text, table, row, column);
    if (text.failed) {
        psb_text_free(&text);
    }
    return text.data;
}

/* Makes each column a row. Headings belong to `columns`; end_turned frees all. */
static psb_status turn(const psb_table *table, psb_column **columns, psb_table *turned) {
    psb_status status = PSB_OK;
    psb_column *c = psb_new_zero(&status, table->nrows + 1, sizeof *c, "a table", NULL);
    *columns = c;
    PSB_THEN(status, psb_table_new(turned, c, table->nrows + 1, table->ncolumns - 1, NULL));
    for (size_t i = 0; i < table->nrows && status == PSB_OK; i++) {
        c[i + 1] = (psb_column){.heading = cell_text(table, i, 0), .align = PSB_RIGHT};
        status = c[i + 1].heading != NULL ? PSB_OK : PSB_ERROR_MEMORY;
    }
    for (size_t j = 1; j < table->ncolumns && status == PSB_OK; j++) {
        const psb_column *from = &table->columns[j];
        psb_cell *name = psb_table_cell(turned, j - 1, 0);
        *name = (psb_cell){.kind = PSB_CELL_TEXT};
        name->own = psb_new_format(&status, NULL, "%s%s%s", from->group != NULL ? from->group : "",
                                   from->group != NULL && from->heading[0] != '\0' ? ", " : "",
                                   from->heading);
        name->text = name->own;
        for (size_t i = 0; i < table->nrows && status == PSB_OK; i++) {
            psb_cell *to = psb_table_cell(turned, j - 1, i + 1);
            *to = (psb_cell){.kind = PSB_CELL_TEXT,
                             .own = cell_text(table, i, j),
                             .best = psb_table_cell(table, i, j)->best};
            to->text = to->own;
            status = to->own != NULL ? PSB_OK : PSB_ERROR_MEMORY;
        }
    }
    if (c != NULL) {
        c[0].heading = table->columns[0].heading;
    }
    return status;
}

static void end_turned(const psb_table *table, psb_column *columns, psb_table *turned) {
    for (size_t i = 0; columns != NULL && i < table->nrows; i++) {
        free((char *)(uintptr_t)columns[i + 1].heading);
    }
    free(columns);
    psb_table_close(turned);
}

/* Appends column 0 and those from `first` to `end` - 1; cells keep their texts in `table`. */
static void add_part(psb_text *out, const psb_table *table, size_t first, size_t end,
                     const size_t *widths, psb_text *cell) {
    psb_status status = PSB_OK;
    size_t n = end - first + 1;
    psb_table part = {.nrows = table->nrows, .ncolumns = n, .stride = n};
    PSB_FREED psb_column *columns = psb_new(&status, n, sizeof *columns, "a table", NULL);
    part.cells = psb_new(&status, table->nrows * n + 1, sizeof *part.cells, "a table", NULL);
    PSB_FREED size_t *own = psb_new(&status, n, sizeof *own, "a table", NULL);
    for (size_t j = 0; j < n && status == PSB_OK; j++) {
        size_t from = j == 0 ? 0 : first + j - 1;
        columns[j] = table->columns[from];
        own[j] = widths[from];
        for (size_t i = 0; i < table->nrows; i++) {
            part.cells[i * n + j] = *psb_table_cell(table, i, from);
        }
    }
    if (status == PSB_OK) {
        part.columns = columns;
        add_headings(out, &part, own);
        add_rows(out, &part, own, cell);
    }
    out->failed = out->failed || status != PSB_OK;
    free(part.cells);
}

/*
 * Puts as many columns beside each other as there is room for, and the others below them. Columns
 * of a group stay together if the group has room.
 */
static void add_parts(psb_text *out, const psb_table *table, const size_t *widths, size_t width,
                      psb_text *cell) {
    for (size_t first = 1, end; first < table->ncolumns; first = end) {
        size_t taken = widths[0];
        for (end = first; end < table->ncolumns;) {
            size_t next = psb_table_group_end(table, end);
            if (widths[0] + MARGIN + group_width(table, widths, end, next) > width) {
                next = end + 1;
            }
            size_t more = MARGIN + group_width(table, widths, end, next);
            if (end > first && taken + more > width) {
                break;
            }
            taken += more;
            end = next;
        }
        psb_text_add(out, first > 1 ? "\n" : "");
        add_part(out, table, first, end, widths, cell);
    }
}

/* Keeps within the width if possible: the table as it is, else turned, else in parts. */
static void add_fitted(psb_text *out, const psb_table *table, size_t *widths, size_t width,
                       psb_text *cell) {
    psb_column *columns = NULL;
    psb_table turned = {.cells = NULL};
    if (width == 0 || total_width(table, widths) <= width || table->ncolumns < 3) {
        add_headings(out, table, widths);
        add_rows(out, table, widths, cell);
        return;
    }
    psb_status status = PSB_OK;
    PSB_FREED size_t *across =
        psb_new(&status, table->nrows + 1, sizeof *across, "column widths", NULL);
    PSB_THEN(status, turn(table, &columns, &turned));
    if (status == PSB_OK) {
        measure(&turned, cell, across);
    }
    if (status == PSB_OK && total_width(&turned, across) <= width) {
        add_headings(out, &turned, across);
        add_rows(out, &turned, across, cell);
    } else if (status == PSB_OK) {
        add_parts(out, table, widths, width, cell);
    }
    out->failed = out->failed || status != PSB_OK;
    end_turned(table, columns, &turned);
}

static void render(const psb_table *table, psb_text *out) {
    psb_status status = PSB_OK;
    PSB_FREED size_t *widths =
        psb_new(&status, table->ncolumns, sizeof *widths, "column widths", NULL);
    PSB_AT_END(psb_text_free) psb_text cell = {.data = NULL};
    if (status != PSB_OK) {
        out->failed = true;
        return;
    }
    if (table->marks) {
        mark_best(table);
    }
    measure(table, &cell, widths);
    size_t width = table->width > 0 ? (size_t)table->width : CAPTION_WIDTH;
    if (table->title != NULL) {
        PSB_AT_END(psb_text_free) psb_text title = {.data = NULL};
        psb_text_add_plain(&title, table->title);
        if (!title.failed) {
            add_wrapped(out, title.data, width);
        }
        out->failed = out->failed || title.failed;
        psb_text_add(out, "\n");
    }
    add_fitted(out, table, widths, (size_t)table->width, &cell);
    if (table->caption != NULL) {
        psb_text_add(out, "\n");
        add_wrapped(out, table->caption, width);
    }
    out->failed = out->failed || cell.failed;
}

const psb_table_format psb_format_text = {
    .name = "txt",
    .help = "aligned text",
    .for_programs = false,
    .render = render,
};
