/* Computes the statistics of figures, prints the table and writes the file. */
#include "measure.h"

#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

void bench_check(psb_status status, const psb_error *error) {
    if (status != PSB_OK) {
        fprintf(stderr, "bench: %s\n", error->message);
        exit(1);
    }
}

void *bench_memory(size_t count, size_t size) {
    psb_status status = PSB_OK;
    psb_error error;
    void *memory = psb_new_zero(&status, count, size, "the benchmark", &error);
    bench_check(status, &error);
    return memory;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Interpolates linearly between the sorted values. */
static double quantile(const double *values, size_t n, double q) {
    double at = q * (double)(n - 1);
    size_t below = (size_t)at;
    double above = values[below + 1 < n ? below + 1 : below];
    return values[below] + (at - (double)below) * (above - values[below]);
}

void bench_add(bench_report *report, const char *name, const char *where, const char *unit,
               double *values, size_t n, double bound, const char *by) {
    if (report->count == BENCH_FIGURES) {
        fprintf(stderr, "bench: more than %d figures\n", BENCH_FIGURES);
        exit(1);
    }
    qsort(values, n, sizeof *values, ascending);
    bench_figure *f = &report->figure[report->count++];
    *f = (bench_figure){.unit = unit, .bound = bound, .by = by};
    snprintf(f->name, sizeof f->name, "%s", name);
    snprintf(f->where, sizeof f->where, "%s", where);
    f->median = quantile(values, n, 0.5);
    f->low = quantile(values, n, 0.25);
    f->high = quantile(values, n, 0.75);
}

static const bench_figure *find(const bench_report *report, size_t first, const char *name,
                                const char *where) {
    for (size_t i = first; i < report->count; i++) {
        const bench_figure *f = &report->figure[i];
        if (strcmp(f->name, name) == 0 && strcmp(f->where, where) == 0) {
            return f;
        }
    }
    return NULL;
}

double bench_median(const bench_report *report, const char *name, const char *where) {
    const bench_figure *f = find(report, 0, name, where);
    return f != NULL ? f->median : 0.0;
}

static bool is_rate(const char *unit) {
    return strstr(unit, "/s") != NULL;
}

double bench_share(const bench_figure *f) {
    if (f->bound <= 0.0 || f->median <= 0.0) {
        return 0.0;
    }
    return is_rate(f->unit) ? f->median / f->bound : f->bound / f->median;
}

/* Prints three digits or more, whatever the size of the value. */
static void print_value(double value) {
    printf("%8.*f",
           value < 0.1     ? 4
           : value < 1.0   ? 3
           : value < 10.0  ? 2
           : value < 100.0 ? 1
                           : 0,
           value);
}

static void print_line(const bench_report *report, size_t first, const bench_figure *of,
                       const char *const *columns) {
    const bench_figure *last = of;
    printf("%-26s %-6s", of->name, of->unit);
    for (size_t c = 0; columns[c] != NULL; c++) {
        const bench_figure *f = find(report, first, of->name, columns[c]);
        if (f == NULL) {
            printf("%15s", "");
            continue;
        }
        last = f;
        print_value(f->median);
        printf(" %+3.0f%+3.0f", 100.0 * (f->low / f->median - 1.0),
               100.0 * (f->high / f->median - 1.0));
    }
    if (last->bound > 0.0) {
        print_value(last->bound);
        printf(" %4.0f %%  %s", 100.0 * bench_share(last), last->by);
    }
    printf("\n");
}

void bench_print(const bench_report *report, size_t first, const char *title,
                 const char *const *columns) {
    printf("\n%s\n%33s", title, "");
    for (size_t c = 0; columns[c] != NULL; c++) {
        printf("%15s", columns[c]);
    }
    printf("%8s %6s\n", "bound", "share");
    for (size_t i = first; i < report->count; i++) {
        const bench_figure *f = &report->figure[i];
        bool seen = false;
        for (size_t j = first; j < i && !seen; j++) {
            seen = strcmp(report->figure[j].name, f->name) == 0;
        }
        if (!seen) {
            print_line(report, first, f, columns);
        }
    }
}

static cJSON *figure_json(const bench_figure *f) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", f->name);
    cJSON_AddStringToObject(object, "where", f->where);
    cJSON_AddStringToObject(object, "unit", f->unit);
    cJSON_AddNumberToObject(object, "median", f->median);
    cJSON_AddNumberToObject(object, "low", f->low);
    cJSON_AddNumberToObject(object, "high", f->high);
    if (f->bound > 0.0) {
        cJSON_AddNumberToObject(object, "bound", f->bound);
        cJSON_AddStringToObject(object, "by", f->by);
        cJSON_AddNumberToObject(object, "share", bench_share(f));
    }
    return object;
}

psb_status bench_write(const bench_report *report, const char *path, psb_error *error) {
    cJSON *all = cJSON_CreateArray();
    for (size_t i = 0; i < report->count; i++) {
        cJSON_AddItemToArray(all, figure_json(&report->figure[i]));
    }
    char *text = cJSON_Print(all);
    psb_status status = text != NULL ? psb_write_file(path, text, strlen(text), error)
                                     : psb_fail(error, PSB_ERROR_MEMORY, "out of memory");
    cJSON_free(text);
    cJSON_Delete(all);
    return status;
}
