/* Names of the library's tables, as options take them, and texts, for commands that see its rooms.
 */
#include "cli/choices.h"

#include "distance/metric.h"
#include "distance/recipe.h"
#include "eval/measure.h"

#include <stdio.h>

const char *cli_metric_name(size_t index) {
    return index < psb_metric_count() ? psb_metric_at(index)->name : NULL;
}

const char *cli_format_name(size_t index) {
    return index < psb_table_format_count() ? psb_table_format_at(index)->name : NULL;
}

const char *cli_recipe_name(size_t index) {
    return psb_recipe_at(index) != NULL ? psb_recipe_at(index)->name : NULL;
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

psb_table_format cli_format(const char *name) {
    char shown[CLI_SHOWN_FORMAT];
    psb_table_format format;
    psb_table_format_read(cli_shown_format(name, shown), &format);
    return format;
}

int cli_print(psb_status status, psb_text *text, const psb_error *error) {
    if (status == PSB_OK && text->length > 0) {
        fwrite(text->data, 1, text->length, stdout);
    }
    psb_text_free(text);
    return status == PSB_OK ? CLI_DONE : cli_report(error);
}
