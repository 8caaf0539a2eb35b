/*
 * Prints what changed between two runs of the benchmark, beyond noise.
 *
 *   compare OLD.json NEW.json
 *
 * A change counts if the runs' quartiles do not overlap and the medians differ by more than five
 * per cent. Exit code: 0 if nothing became slower, 1 if something did, 2 for wrong usage or files.
 */
#include "core/file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cJSON *read_figures(const char *path) {
    psb_input input;
    psb_error error;
    if (psb_input_open(path, &input, &error) != PSB_OK) {
        fprintf(stderr, "compare: %s\n", error.message);
        exit(2);
    }
    cJSON *figures = cJSON_ParseWithLength(input.data, input.size);
    psb_input_close(&input);
    if (!cJSON_IsArray(figures)) {
        fprintf(stderr, "compare: %s: not a benchmark's figures\n", path);
        exit(2);
    }
    return figures;
}

static const char *text_of(const cJSON *figure, const char *key) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(figure, key));
    return text != NULL ? text : "";
}

static double number_of(const cJSON *figure, const char *key) {
    return cJSON_GetNumberValue(cJSON_GetObjectItem(figure, key));
}

static const cJSON *find(const cJSON *figures, const cJSON *like) {
    const cJSON *figure;
    cJSON_ArrayForEach(figure, figures) {
        if (strcmp(text_of(figure, "name"), text_of(like, "name")) == 0 &&
            strcmp(text_of(figure, "where"), text_of(like, "where")) == 0 &&
            strcmp(text_of(figure, "unit"), text_of(like, "unit")) == 0) {
            return figure;
        }
    }
    return NULL;
}

/* Prints the figure if it changed; returns 1 for slower, -1 for faster, 0 for neither. */
static int compare_figure(const cJSON *old, const cJSON *new) {
    double a = number_of(old, "median"), b = number_of(new, "median");
    bool apart = number_of(old, "high") < number_of(new, "low") ||
                 number_of(new, "high") < number_of(old, "low");
    if (!apart || !(fabs(b - a) > 0.05 * a)) {
        return 0;
    }
    bool rate = strstr(text_of(new, "unit"), "/s") != NULL;
    bool slower = rate ? b < a : b > a;
    double factor = fmax(a, b) / fmin(a, b);
    printf("%-26s %-16s %10.4g -> %-10.4g %-5s %.2f times as %s\n", text_of(new, "name"),
           text_of(new, "where"), a, b, text_of(new, "unit"), factor, slower ? "slow" : "fast");
    return slower ? 1 : -1;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: compare OLD.json NEW.json\n");
        return 2;
    }
    cJSON *old = read_figures(argv[1]), *new = read_figures(argv[2]);
    size_t compared = 0, slower = 0, faster = 0, alone = 0;
    const cJSON *figure;
    cJSON_ArrayForEach(figure, new) {
        const cJSON *before = find(old, figure);
        if (before == NULL) {
            alone++;
            continue;
        }
        int change = compare_figure(before, figure);
        compared++;
        slower += change > 0;
        faster += change < 0;
    }
    printf("%zu figures: %zu faster, %zu slower, the others within noise", compared, faster,
           slower);
    if (alone > 0) {
        printf("; %zu are new", alone);
    }
    printf("\n");
    cJSON_Delete(old);
    cJSON_Delete(new);
    return slower > 0;
}
