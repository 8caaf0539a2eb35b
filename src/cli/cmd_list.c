/* psbench list [NAMES]: the descriptors, and all that can be set about them. */
#include "cli/commands.h"
#include "core/error.h"
#include "core/text.h"
#include "descriptors/descriptor.h"

#include <stdio.h>

static const char *const pose_names[] = {
    [PSB_POSE_SCALED] = "scaled",
    [PSB_POSE_CENTERED] = "centered",
    [PSB_POSE_ALIGNED] = "aligned",
};

static const char *const pose_texts[] = {
    [PSB_POSE_SCALED] = "scaled",
    [PSB_POSE_CENTERED] = "scaled and centered",
    [PSB_POSE_ALIGNED] = "scaled, centered, turned to the principal axes",
};

static const char *element_name(psb_element element) {
    return element == PSB_FLOAT32 ? "float32" : "uint8";
}

static void print_row(const psb_spec *spec) {
    const psb_descriptor *d = spec->descriptor;
    printf("%-8s %8zu  %-8s %-11s %-9s %s", d->name, psb_spec_length(spec),
           element_name(psb_spec_element(spec)), psb_spec_metric(spec)->name, pose_names[d->pose],
           d->title);
    if (d->beyond) {
        printf(" (%s)", d->source);
    }
    putchar('\n');
}

/* "0.1 ... 64" or "full, magnitude" */
static void add_range(psb_text *text, const psb_param *param) {
    if (param->type != PSB_PARAM_CHOICE) {
        psb_text_printf(text, "%.10g ... %.10g", param->low, param->high);
        const char *instead = psb_param_word(param, PSB_PARAM_INSTEAD);
        if (instead != NULL) {
            psb_text_printf(text, ", or %s", instead);
        }
        return;
    }
    for (int i = 0; param->choices[i] != NULL; i++) {
        psb_text_printf(text, "%s%s", i > 0 ? ", " : "", param->choices[i]);
    }
}

static psb_status print_param(const psb_param *param, double value, psb_error *error) {
    psb_text text = {0};
    psb_text_printf(&text, "  %s=", param->name);
    psb_param_format(param, value, &text);
    psb_text_printf(&text, "\n      %s\n      ", param->help);
    add_range(&text, param);
    psb_text_add(&text, "; preset ");
    psb_param_format(param, param->preset, &text);
    psb_text_printf(&text, ", %s\n", psb_provenance_text(param->provenance));
    psb_status status = psb_text_status(&text, error);
    if (status == PSB_OK) {
        fputs(text.data, stdout);
    }
    psb_text_free(&text);
    return status;
}

static psb_status print_details(const psb_spec *spec, psb_error *error) {
    const psb_descriptor *d = spec->descriptor;
    printf("%s: %s\n\n", psb_spec_label(spec), d->title);
    printf("source    %s\n", d->source);
    printf("formula   %s\n", d->formula);
    printf("pose      %s\n", pose_texts[d->pose]);
    printf("row       %zu numbers, %s\n", psb_spec_length(spec),
           element_name(psb_spec_element(spec)));
    printf("distance  %s\n", psb_spec_metric(spec)->name);
    printf("\nParameters:%s\n", d->nparams == 0 ? " none" : "");
    psb_status status = PSB_OK;
    for (size_t i = 0; i < d->nparams && status == PSB_OK; i++) {
        status = print_param(&d->params[i], spec->params.value[i], error);
    }
    return status;
}

/* Every descriptor's name, which "all" is not. */
static psb_status add_names(psb_text *names, psb_error *error) {
    for (size_t d = 0; d < psb_descriptor_count(); d++) {
        psb_text_printf(names, "%s%s", d > 0 ? "," : "", psb_descriptor_at(d)->name);
    }
    return psb_text_status(names, error);
}

static int run(const cli_values *values, void *options) {
    (void)options;
    bool details = cli_argument_count(values) == 1;
    psb_spec **specs;
    size_t count;
    psb_error error;
    psb_text names = {0};
    psb_status status = add_names(&names, &error);
    PSB_THEN(status, psb_spec_parse_list(NULL, details ? cli_argument(values, 0) : names.data,
                                         &specs, &count, &error));
    psb_text_free(&names);
    if (status != PSB_OK) {
        return cli_report(&error);
    }
    if (!details) {
        printf("%-8s %8s  %-8s %-11s %-9s %s\n", "name", "numbers", "type", "distance", "pose",
               "title");
    }
    for (size_t i = 0; i < count; i++) {
        if (details && status == PSB_OK) {
            fputs(i > 0 ? "\n" : "", stdout);
            status = print_details(specs[i], &error);
        } else if (!details) {
            print_row(specs[i]);
        }
        psb_spec_free(specs[i]);
    }
    free(specs);
    return status == PSB_OK ? CLI_DONE : cli_report(&error);
}

const cli_command cmd_list = {
    .name = "list",
    .summary = "Show the descriptors, or the parameters of some.",
    .usage = "[NAME[:PARAMETER=VALUE,...],...]",
    .details = "A line for each descriptor: the paper's twelve, which 'all' stands for, and ours. "
               "With names, their sources, formulas and parameters.\n\n"
               "Examples:\n"
               "  psbench list\n"
               "  psbench list GEDT\n"
               "  psbench list GEDT:width=2,SHD   # two, one not as Table 4 has it",
    .most = 1,
    .arguments = "one list of names, with commas between them",
    .run = run,
};
