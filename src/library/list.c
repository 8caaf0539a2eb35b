/* Lists descriptors, their parameters and the versions of libraries, for clients. */
#include "core/cpu.h"
#include "core/memory.h"
#include "io/archive.h"
#include "io/foreign.h"
#include "library/parts.h"
#include "report/table.h"

#include <cJSON.h>
#include <cblas.h>
#include <png.h>
#include <xxhash.h>
#include <zlib.h>

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

psb_status psb_descriptors_table(psb_table **given, psb_error *error) {
    static const psb_column columns[] = {
        {"name", "name", NULL, PSB_LEFT, 0, PSB_PLAIN},
        {"numbers", "numbers", NULL, PSB_RIGHT, 0, PSB_PLAIN},
        {"type", "type", NULL, PSB_LEFT, 0, PSB_PLAIN},
        {"distance", "distance", NULL, PSB_LEFT, 0, PSB_PLAIN},
        {"pose", "pose", NULL, PSB_LEFT, 0, PSB_PLAIN},
        {"title", "title", NULL, PSB_LEFT, 0, PSB_PLAIN},
        {"source", "source", NULL, PSB_LEFT, 0, PSB_PLAIN},
    };
    psb_table table;
    *given = NULL;
    psb_status status = psb_table_new(&table, columns, sizeof columns / sizeof columns[0],
                                      psb_descriptor_count(), error);
    for (size_t i = 0; i < table.nrows && status == PSB_OK; i++) {
        const psb_descriptor *d = psb_descriptor_at(i);
        psb_spec *spec;
        status = psb_spec_parse(NULL, d->name, &spec, error);
        if (status == PSB_OK) {
            psb_table_set_text(&table, i, 0, d->name);
            psb_table_set_number(&table, i, 1, (double)psb_spec_length(spec));
            psb_table_set_text(&table, i, 2, element_name(psb_spec_element(spec)));
            psb_table_set_text(&table, i, 3, psb_spec_metric(spec)->name);
            psb_table_set_text(&table, i, 4, pose_names[d->pose]);
            psb_table_set_text(&table, i, 5, d->title);
            psb_table_set_text(&table, i, 6, d->beyond ? d->source : NULL);
        }
        psb_spec_free(spec);
    }
    return psb_table_keep(status, &table, &(psb_text){0}, given, error);
}

/* Appends "0.1 ... 64" or "full, magnitude". */
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

static void add_param(psb_text *text, const psb_param *param, double value) {
    psb_text_printf(text, "  %s=", param->name);
    psb_param_format(param, value, text);
    psb_text_printf(text, "\n      %s\n      ", param->help);
    add_range(text, param);
    psb_text_add(text, "; default ");
    psb_param_format(param, param->default_value, text);
    psb_text_printf(text, ", %s\n", psb_provenance_text(param->provenance));
}

/* Appends "translation, scale". */
static void add_invariances(psb_text *text, const char *title, unsigned under) {
    static const char *const names[] = {"translation", "scale", "rotation", "reflection"};
    PSB_AT_END(psb_text_free) psb_text list = {0};
    for (int k = 0; k < 4; k++) {
        if (under >> k & 1) {
            psb_text_list(&list, names[k]);
        }
    }
    if (under != 0) {
        psb_text_printf(text, "%-9s under %s\n", title, list.data);
    }
}

static void add_details(psb_text *text, const psb_spec *spec) {
    const psb_descriptor *d = spec->descriptor;
    psb_text_printf(text, "%s: %s\n\n", psb_spec_label(spec), d->title);
    psb_text_printf(text, "source    %s\n", d->source);
    psb_text_printf(text, "formula   %s\n", d->formula);
    psb_text_printf(text, "pose      %s\n", pose_texts[d->pose]);
    psb_text_printf(text, "row       %zu numbers, %s\n", psb_spec_length(spec),
                    element_name(psb_spec_element(spec)));
    psb_text_printf(text, "distance  %s\n", psb_spec_metric(spec)->name);
    add_invariances(text, "invariant", d->invariant);
    add_invariances(text, "nearly", d->nearly);
    psb_text_printf(text, "\nParameters:%s\n", d->nparams == 0 ? " none" : "");
    for (size_t i = 0; i < d->nparams; i++) {
        add_param(text, &d->params[i], spec->params.value[i]);
    }
}

psb_status psb_descriptors_text(const psb_context *psb, const char *list, char **text,
                                psb_error *error) {
    PSB_FREED psb_spec **specs = NULL;
    size_t count = 0;
    psb_text out = {0};
    psb_status status =
        psb_spec_parse_list(psb != NULL ? &psb->added : NULL, list, &specs, &count, error);
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        psb_text_add(&out, i > 0 ? "\n" : "");
        add_details(&out, specs[i]);
        psb_spec_free(specs[i]);
    }
    return psb_give_text(status, &out, text, error);
}

/* ---- versions --------------------------------------------------------------------------- */

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static void add_version(psb_table *table, const char *name, const char *version, psb_status *status,
                        psb_error *error) {
    PSB_THEN(*status, psb_table_add_row(table, error));
    if (*status == PSB_OK) {
        psb_table_set_text(table, table->nrows - 1, 0, name);
        psb_table_set_text(table, table->nrows - 1, 1, version);
    }
}

/* Appends assimp's version, or the endings that cannot be read without it. */
static void add_import(psb_text *text) {
    char version[400];
    psb_foreign_version(version, sizeof version);
    psb_text_add(text, version);
    if (version[0] == '\0') {
        psb_text_add(text, "none (no " PSB_FOREIGN_PROGRAM "), so these cannot be read:");
        for (size_t i = 0; psb_foreign_ending_at(i) != NULL; i++) {
            psb_text_printf(text, " %s", psb_foreign_ending_at(i));
        }
    }
}

psb_status psb_versions(psb_table **given, psb_error *error) {
    static const psb_column columns[] = {
        {"name", "name", NULL, PSB_LEFT, 0, PSB_PLAIN},
        {"version", "version", NULL, PSB_LEFT, 0, PSB_PLAIN},
    };
    *given = NULL;
    unsigned xxhash = XXH_versionNumber();
    const char *archive = psb_archive_version();
    psb_table table;
    PSB_AT_END(psb_text_free) psb_text import = {0};
    psb_status status = psb_table_new(&table, columns, 2, 0, error);
    PSB_FREED char *openmp = psb_new_format(&status, error, "%d", _OPENMP);
    PSB_FREED char *hash = psb_new_format(&status, error, "%u.%u.%u", xxhash / 10000,
                                          xxhash / 100 % 100, xxhash % 100);
    PSB_FREED char *archives = psb_new_format(
        &status, error, "%s%s", archive != NULL ? "libarchive " : "none (no libarchive)",
        archive != NULL ? archive : "");
    add_import(&import);
    PSB_THEN(status, psb_text_status(&import, error));
    const char *const rows[][2] = {{"psbench", PSB_VERSION},
                                   {"compiler", COMPILER},
                                   {"CPU", psb_cpu_name()},
                                   {"OpenMP", openmp},
                                   {"OpenBLAS", openblas_get_config()},
                                   {"cJSON", cJSON_Version()},
                                   {"xxHash", hash},
                                   {"libpng", png_get_libpng_ver(NULL)},
                                   {"zlib", zlibVersion()},
                                   {"archives", archives},
                                   {"assimp", import.data}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        add_version(&table, rows[i][0], rows[i][1], &status, error);
    }
    status = psb_table_keep(status, &table, &(psb_text){0}, given, error);
    return status;
}
