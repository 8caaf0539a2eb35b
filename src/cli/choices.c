/* Gives options the names of the library's tables: descriptors, metrics, measures, formats. */
#include "cli/command.h"
#include "distance/recipe.h"
#include "eval/measure.h"
#include "report/table.h"

#include <stdio.h>

const char *cli_metric_name(size_t index) {
    return psb_metric_word(index);
}

const char *cli_format_name(size_t index) {
    return index < psb_table_format_count() ? psb_table_format_at(index)->name : NULL;
}

const char *cli_recipe_name(size_t index) {
    return psb_recipe_at(index) != NULL ? psb_recipe_at(index)->name : NULL;
}

bool cli_is_recipe(const char *name) {
    return psb_recipe_find(name) != NULL;
}

const char *cli_measure_name(size_t index) {
    static char name[64];
    if (index >= psb_measure_count()) {
        return NULL;
    }
    const psb_measure *m = psb_measure_at(index);
    snprintf(name, sizeof name, "%.60s%s", m->name, m->at_length ? "@" : "");
    return name;
}

const char *cli_measure_list_name(size_t index) {
    static const char *const sets[] = {"all", "table4", "help"};
    size_t count = sizeof sets / sizeof sets[0];
    return index < count ? sets[index] : cli_measure_name(index - count);
}
