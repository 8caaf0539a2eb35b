/* Counts models, and makes three tables of the counts. */
#include "report/class_table.h"

#include "core/names.h"

#include <math.h>

/* How many models each class has in each set; a name has all levels of its class. */
typedef struct counts {
    size_t nsets, nclasses;
    const char **names;
    size_t *models;  /* nclasses x nsets */
    size_t *counted; /* models counted in each set */
} counts;

static const psb_class *shown(const psb_classification *cla, size_t model, bool tops) {
    const psb_class *class = &cla->classes[cla->class_of[model]];
    while (tops && class->parent != PSB_NO_CLASS) {
        class = &cla->classes[class->parent];
    }
    return class;
}

static void count_set(counts *c, const psb_class_set *sets, size_t set, bool tops,
                      psb_names *known) {
    const psb_classification *cla = &sets[set].cla;
    for (size_t i = 0; i < cla->nmodels; i++) {
        const psb_class *class = shown(cla, i, tops);
        if (class->miscellaneous && !tops) {
            continue;
        }
        size_t number = psb_names_find(known, class->full_name);
        if (number == PSB_NO_NAME) {
            number = c->nclasses++;
            c->names[number] = class->full_name;
            psb_names_add(known, class->full_name, number);
        }
        c->models[number * c->nsets + set]++;
        c->counted[set]++;
    }
}

static psb_status count(counts *c, const psb_class_set *sets, size_t nsets, bool tops,
                        psb_error *error) {
    PSB_AT_END(psb_names_free) psb_names known = {0};
    size_t most = 0;
    for (size_t s = 0; s < nsets; s++) {
        most += sets[s].cla.nclasses;
    }
    psb_status status = PSB_OK;
    *c =
        (counts){.nsets = nsets,
                 .names = psb_new(&status, most, sizeof *c->names, "classes", error),
                 .models = psb_new_zero(&status, most, nsets * sizeof *c->models, "classes", error),
                 .counted = psb_new_zero(&status, nsets, sizeof *c->counted, "sets", error)};
    PSB_THEN(status, psb_names_reserve(&known, most, error));
    for (size_t s = 0; s < nsets && status == PSB_OK; s++) {
        count_set(c, sets, s, tops, &known);
    }
    return status;
}

static void free_counts(counts *c) {
    free((void *)(uintptr_t)c->names);
    free(c->models);
    free(c->counted);
}

/* The share of `models` in all models counted in the set, in percent or as a fraction. */
static double share(const counts *c, size_t set, size_t models, bool fraction) {
    double of = (double)c->counted[set];
    return of > 0 ? (fraction ? 1.0 : 100.0) * (double)models / of : (double)NAN;
}

/* ---- Table 1 --------------------------------------------------------------------------- */

enum { SET_COLUMNS = 6 };

static psb_status fill_sets(const counts *c, const psb_class_set *sets, bool for_programs,
                            psb_column *columns, psb_table *table, psb_error *error) {
    static const psb_column all[SET_COLUMNS] = {
        {"set", "set", NULL, PSB_LEFT, 0, PSB_PLAIN},
        {"models", "models", NULL, PSB_RIGHT, 0, PSB_PLAIN},
        {"classes", "classes", NULL, PSB_RIGHT, 0, PSB_PLAIN},
        {"classified", "classified", NULL, PSB_RIGHT, 0, PSB_PLAIN},
        {"largest_share", "largest, %", NULL, PSB_RIGHT, 1, PSB_PLAIN},
        {"largest_class", "largest class", NULL, PSB_LEFT, 0, PSB_PLAIN},
    };
    memcpy(columns, all, sizeof all);
    columns[4].decimals = for_programs ? 6 : 1;
    psb_status status = psb_table_new(table, columns, SET_COLUMNS, c->nsets, error);
    for (size_t s = 0; s < c->nsets && status == PSB_OK; s++) {
        size_t classes = 0, largest = 0, most = 0;
        for (size_t k = 0; k < c->nclasses; k++) {
            size_t models = c->models[k * c->nsets + s];
            classes += models > 0;
            largest = models > most ? k : largest;
            most = models > most ? models : most;
        }
        psb_table_set_text(table, s, 0, sets[s].label);
        psb_table_set_number(table, s, 1, (double)sets[s].cla.nmodels);
        psb_table_set_number(table, s, 2, (double)classes);
        psb_table_set_number(table, s, 3, (double)c->counted[s]);
        psb_table_set_number(table, s, 4, share(c, s, most, for_programs));
        psb_table_set_name(table, s, 5, most > 0 ? c->names[largest] : NULL);
    }
    return status;
}

/* ---- Tables 2 and 3 -------------------------------------------------------------------- */

/*
 * Makes a column for each set and, with `shares`, a second one of percents. Programs get columns by
 * the labels of the sets.
 */
static psb_status fill_classes(const counts *c, const psb_class_set *sets, bool shares,
                               psb_column *columns, psb_table *table, psb_error *error) {
    size_t each = shares ? 2 : 1;
    columns[0] = (psb_column){"class", "class", NULL, PSB_LEFT, 0, PSB_PLAIN};
    for (size_t s = 0; s < c->nsets; s++) {
        psb_column *column = &columns[1 + each * s];
        column[0] = (psb_column){sets[s].label, "models", sets[s].label, PSB_RIGHT, 0, PSB_PLAIN};
        if (shares) {
            column[1] = (psb_column){"share", "%", sets[s].label, PSB_RIGHT, 1, PSB_PLAIN};
        }
    }
    psb_status status = psb_table_new(table, columns, 1 + each * c->nsets, c->nclasses, error);
    for (size_t k = 0; k < c->nclasses && status == PSB_OK; k++) {
        psb_table_set_name(table, k, 0, c->names[k]);
        for (size_t s = 0; s < c->nsets; s++) {
            size_t models = c->models[k * c->nsets + s];
            psb_table_set_number(table, k, 1 + each * s, models > 0 ? (double)models : (double)NAN);
            if (shares && models > 0) {
                psb_table_set_number(table, k, 2 + each * s, share(c, s, models, false));
            }
        }
    }
    return status;
}

psb_status psb_class_table_make(const psb_class_set *sets, size_t nsets, psb_class_rows rows,
                                psb_table **made, psb_error *error) {
    counts c;
    *made = NULL;
    psb_status status = count(&c, sets, nsets, rows == PSB_ROWS_TOPS, error);
    PSB_FREED psb_column *columns =
        psb_new(&status, SET_COLUMNS + 2 * nsets, sizeof *columns, "a table", error);
    for (int form = 0; form < 2 && status == PSB_OK; form++) {
        psb_table table = {0};
        bool for_programs = form == 1;
        status = rows == PSB_ROWS_SETS
                     ? fill_sets(&c, sets, for_programs, columns, &table, error)
                     : fill_classes(&c, sets, rows == PSB_ROWS_TOPS && !for_programs, columns,
                                    &table, error);
        status = psb_table_keep(status, &table, &(psb_text){0}, made, error);
    }
    free_counts(&c);
    return status;
}
