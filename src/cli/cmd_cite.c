/* psbench cite [DESCRIPTOR...] prints what to cite, as BibTeX. */
#include "cli/commands.h"
#include "cli/context.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 64 };

/* Adds an entry unless it is there: several descriptors may come from one publication. */
static size_t add_entry(const char *entries[MOST], size_t count, const char *entry) {
    for (size_t i = 0; i < count; i++) {
        if (entries[i] == entry) {
            return count;
        }
    }
    entries[count] = entry;
    return count + (count + 1 < MOST);
}

static psb_status find_entry(const psb_context *psb, const char *text, const char **entry,
                             psb_error *error) {
    psb_spec *spec;
    psb_status status = psb_spec_open(psb, text, &spec, error);
    *entry = status == PSB_OK ? psb_descriptor_bibtex(psb_spec_descriptor(spec)) : NULL;
    psb_spec_free(spec);
    return status;
}

static int run(const cli_values *values, void *options) {
    (void)options;
    psb_error error;
    const char *entries[MOST] = {psb_benchmark_bibtex(), psb_bibtex()}, *entry;
    int asked = cli_argument_count(values);
    bool all = asked == 1 && strcmp(cli_argument(values, 0), "all") == 0;
    size_t count = all || asked == 0 ? 2 : 0;
    psb_status status = PSB_OK;
    for (size_t i = 0; all && i < psb_descriptor_count(); i++) {
        count = add_entry(entries, count, psb_descriptor_bibtex(psb_descriptor_at(i)));
    }
    for (int i = 0; !all && i < asked && status == PSB_OK; i++) {
        if (cli_is_recipe(cli_argument(values, i))) {
            return cli_usage("cite", "%s is a sum of descriptors: name these (docs/beyond.md)",
                             cli_argument(values, i));
        }
        status = find_entry(cli_psb(values), cli_argument(values, i), &entry, &error);
        count = add_entry(entries, count, entry);
    }
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        printf("%s%s", i > 0 ? "\n" : "", entries[i]);
    }
    return status == PSB_OK ? CLI_DONE : cli_fail(values, &error);
}

const cli_command cmd_cite = {
    .name = "cite",
    .summary = "Print BibTeX of the benchmark, psbench or descriptors.",
    .usage = "[DESCRIPTOR...|all]",
    .details = "Examples:\n"
               "  psbench cite            # the benchmark's paper, and psbench\n"
               "  psbench cite LFD SHD    # the papers that these descriptors come from\n"
               "  psbench cite all >psbench.bib",
    .most = CLI_ANY_NUMBER,
    .alone = true,
    .run = run,
};
