/* Reports how far a run is, and whether its files are as written, for clients. */
#include "core/file.h"
#include "library/parts.h"
#include "report/table.h"
#include "run/record.h"
#include "run/status.h"

#define COLUMN(name, align)                                                                        \
    { name, name, NULL, align, 0, PSB_PLAIN }

/* Appends a state such as "at work: process 4711 on host, 3 of another revision". */
static void add_state(psb_text *text, const psb_status_line *line) {
    static const char *const states[] = {"whole", "at work", "stopped", "never begun"};
    psb_text_printf(text, "%s%s%s", states[line->state], line->holder[0] != '\0' ? ": " : "",
                    line->holder);
    if (line->missing > 0 && line->older > 0) {
        psb_text_printf(text, ", %zu of another revision", line->older);
    }
}

static psb_status add_line(psb_table *table, const psb_status_line *line, psb_error *error) {
    PSB_AT_END(psb_text_free) psb_text part = {0}, state = {0};
    psb_text_printf(&part, line->part.count > 0 ? "%zu/%zu" : "all", line->part.index,
                    line->part.count);
    add_state(&state, line);
    psb_status status = psb_table_add_row(table, error);
    PSB_THEN(status, psb_text_status(&part, error));
    PSB_THEN(status, psb_text_status(&state, error));
    if (status == PSB_OK) {
        size_t row = table->nrows - 1;
        psb_table_set_text(table, row, 0, line->descriptor);
        psb_table_copy_text(table, row, 1, part.data);
        psb_table_copy_text(table, row, 5, state.data);
        if (line->state != PSB_PART_NEVER_BEGUN) {
            psb_table_set_number(table, row, 2, (double)line->there);
            psb_table_set_number(table, row, 3, (double)line->failed);
            psb_table_set_number(table, row, 4, (double)line->missing);
        }
    }
    return status;
}

/* Says "RUN: 3 models failed: a, b, c". */
static void say_named(const psb_context *psb, const char *run, const char *what, char *const *names,
                      size_t count) {
    enum { NAMED = 10 };
    PSB_AT_END(psb_text_free) psb_text text = {0};
    psb_text_printf(&text, "%s: %zu model%s %s", run, count, count == 1 ? "" : "s", what);
    for (size_t k = 0; k < count && k < NAMED; k++) {
        psb_text_printf(&text, "%s%.80s", k > 0 ? ", " : ": ", names[k]);
    }
    psb_text_add(&text, count > NAMED ? ", ..." : "");
    if (count > 0 && !text.failed) {
        psb_observer_say(&psb->observer, PSB_NOTE, "%s", text.data);
    }
}

/* Tells the observer how far the run is, and which models have no rows. */
static void sum_up(const psb_context *psb, const char *run, const psb_run_status *found,
                   bool whole) {
    psb_observer_say(&psb->observer, PSB_NOTE, "%s: %zu models, %zu descriptor%s, %s", run,
                     found->listed, found->ndescriptors, found->ndescriptors == 1 ? "" : "s",
                     whole ? "no row is missing" : "rows are missing");
    say_named(psb, run, "failed", found->failed, found->nfailed);
    say_named(psb, run, "without a file", found->without_file, found->nwithout_file);
}

psb_status psb_run_state(psb_context *psb, const char *run, bool all, psb_table **given,
                         psb_error *error) {
    static const psb_column columns[] = {
        COLUMN("descriptor", PSB_LEFT), COLUMN("part", PSB_LEFT),     COLUMN("there", PSB_RIGHT),
        COLUMN("failed", PSB_RIGHT),    COLUMN("missing", PSB_RIGHT), COLUMN("state", PSB_LEFT),
    };
    PSB_AT_END(psb_run_status_free) psb_run_status found = {0};
    psb_results results = {.whole = false};
    psb_table table;
    bool open = true;
    *given = NULL;
    if (!psb_is_folder(run)) {
        return psb_results_open(run, false, &results, error);
    }
    psb_status status = psb_run_status_read(&psb->added, run, &found, error);
    if (status != PSB_OK) {
        return status;
    }
    status = psb_table_new(&table, columns, sizeof columns / sizeof columns[0], 0, error);
    table.gaps = found.listed == 0 || found.ndescriptors == 0;
    for (size_t i = 0; i < found.nlines && status == PSB_OK; i++) {
        const psb_status_line *line = &found.lines[i];
        bool first = line->part.count == 0; /* the whole run; its parts follow */
        open = first ? line->missing > 0 : open;
        table.gaps = table.gaps || open;
        if (first || all || (open && line->state != PSB_PART_WHOLE)) {
            status = add_line(&table, line, error);
        }
    }
    if (status == PSB_OK) {
        sum_up(psb, run, &found, !table.gaps);
    }
    status = psb_table_keep(status, &table, &(psb_text){0}, given, error);
    return status;
}

typedef struct findings {
    psb_table table;
    const psb_added *added;
    psb_run_facts facts; /* none without a sound run.json */
    psb_status status;
    psb_error error; /* a failure to fill the table */
} findings;

static void add_file(void *context, const char *name, psb_output_state state, const char *command) {
    findings *f = context;
    if (state == PSB_OUTPUT_OK && psb_run_is_older(f->added, &f->facts, name)) {
        state = PSB_OUTPUT_STALE;
    }
    PSB_THEN(f->status, psb_table_add_row(&f->table, &f->error));
    if (f->status == PSB_OK) {
        size_t row = f->table.nrows - 1;
        psb_table_set_text(&f->table, row, 0, psb_output_state_name(state));
        psb_table_copy_text(&f->table, row, 1, name);
        psb_table_copy_text(&f->table, row, 2, command);
    }
    f->table.gaps = f->table.gaps || state != PSB_OUTPUT_OK;
}

psb_status psb_verify(psb_context *psb, const char *run, psb_table **given, psb_error *error) {
    static const psb_column columns[] = {COLUMN("state", PSB_LEFT), COLUMN("file", PSB_LEFT),
                                         COLUMN("command", PSB_LEFT)};
    PSB_AT_END(psb_results_free) psb_results results = {.whole = true};
    findings found = {.status = PSB_OK, .added = &psb->added};
    *given = NULL;
    psb_status status = psb_table_new(&found.table, columns, 3, 0, error);
    PSB_THEN(status, psb_results_open(run, true, &results, error));
    /* Without a manifest nothing is known of revisions; that it is damaged has a row. */
    if (status == PSB_OK && psb_ledger_find(&results.ledger, "run.json") != NULL) {
        (void)psb_run_read_facts(&results, &found.facts, NULL);
    }
    PSB_THEN(status, psb_results_each(&results, psb->threads, add_file, &found, error));
    if (status == PSB_OK && found.status != PSB_OK) {
        status = found.status;
        *error = found.error;
    }
    size_t damaged = results.ledger.damaged;
    if (status == PSB_OK && damaged > 0) {
        psb_observer_fail(&psb->observer, "%s: %zu damaged line%s", results.ledger.path, damaged,
                          damaged == 1 ? "" : "s");
    }
    found.table.gaps = found.table.gaps || damaged > 0;
    psb_run_facts_free(&found.facts);
    return psb_table_keep(status, &found.table, &(psb_text){0}, given, error);
}
