/*
 * Checks before a command begins that no output is one of its inputs, and that no file of another
 * kind is replaced. An option's value has its kind of file by its name in the help ("FILE.npy").
 */
#include "cli/frame.h"
#include "io/mesh.h"
#include "io/neighbors.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char npy[] = "\x93NUMPY", png[] = "\x89PNG", pdf[] = "%PDF-", xml[] = "<?xml";

static bool begins_with(const psb_input *file, const char *bytes) {
    return file->size >= strlen(bytes) && memcmp(file->data, bytes, strlen(bytes)) == 0;
}

/* True for what `distance` makes of two files, which has the names of its columns beside it. */
static bool is_rectangle(const char *path, const psb_input *file) {
    PSB_AT_END(psb_text_free) psb_text names = {0};
    psb_text_printf(&names, "%s.columns.ids", path);
    return begins_with(file, npy) && !names.failed && psb_is_file(names.data);
}

/* True for N x N numbers of 4 bytes, which unlike text have zero bytes: the diagonal, or nearly. */
static bool is_matrix(const char *path, const psb_input *file) {
    size_t n = (size_t)sqrt((double)(file->size / 4));
    if (is_rectangle(path, file)) {
        return true;
    }
    return n > 0 && n * n * 4 == file->size && !begins_with(file, npy) && !begins_with(file, png) &&
           (n == 1 || memchr(file->data, '\0', file->size) != NULL);
}

static bool is_page(const char *path, const psb_input *file) {
    static const char mark[] = "Written by psbench";
    (void)path;
    return memmem(file->data, file->size, mark, sizeof mark - 1) != NULL;
}

static bool is_list(const char *path, const psb_input *file) {
    (void)file;
    return psb_neighbors_is_list(path);
}

static bool is_svg(const char *path, const psb_input *file) {
    (void)path;
    return memmem(file->data, file->size, "<svg", 4) != NULL;
}

/* True for lines of two numbers; if there are several curves, a line with # stands before each. */
static bool is_curve(const char *path, const psb_input *file) {
    (void)path;
    return begins_with(file, "#") || (file->size > 0 && isdigit((unsigned char)file->data[0]));
}

/* A line of the log begins with the year. */
static bool is_log(const char *path, const psb_input *file) {
    (void)path;
    return file->size > 4 && isdigit((unsigned char)file->data[0]) && file->data[4] == '-';
}

static bool is_mesh(const char *path, const psb_input *file) {
    PSB_AT_END(psb_mesh_buffer_free) psb_mesh_buffer buffer = {.max_faces = 0};
    psb_error error;
    return psb_mesh_parse(path, file->data, file->size, &buffer, &error) == PSB_OK;
}

static bool is_classes(const char *path, const psb_input *file) {
    (void)path;
    return begins_with(file, "PSB 1\n") || begins_with(file, "id,class") ||
           begins_with(file, "id\tclass");
}

/* A kind of file that is written, known by the name of the option's value. */
typedef struct kind {
    const char *argument;
    const char *ending; /* the only one a file may have, or NULL */
    const char *name;   /* NULL: a folder, or several files */
    const char *magic;  /* bytes that the file begins with, or NULL */
    bool (*matches)(const char *path, const psb_input *file); /* may be NULL */
    bool rows; /* names of its rows stand beside it */
} kind;

static const kind kinds[] = {
    {"FILE.npy", NULL, "features (.npy)", npy, NULL, true},
    {"FILE.matrix", NULL, "a matrix of distances", NULL, is_matrix, true},
    {"FILE.png", ".png", "a picture (.png)", png, NULL, false},
    {"FILE.html", ".html", "a page (.html)", NULL, is_page, false},
    {"FILE.zip", ".zip", "an archive (.zip)", "PK", NULL, false},
    {"CLASSES", NULL, "a classification or a table of labels", NULL, is_classes, false},
    {"MESH", NULL, "a mesh", NULL, is_mesh, false},
    {"LISTS", NULL, "lists of neighbors", NULL, is_list, false},
    {"DIRECTIONS", NULL, "directions of signatures", "psbsig1\n", NULL, false},
    {"LOG", NULL, "a log of this program", NULL, is_log, false},
    {.argument = "DIR"},
    {.argument = "RUN"},
    {.argument = "STEM"},
};

/* What the parts of a STEM are, by their endings. */
static const kind parts[] = {
    {NULL, ".svg", "a picture (.svg)", xml, is_svg, false},
    {NULL, ".pdf", "a picture (.pdf)", pdf, NULL, false},
    {NULL, ".png", "a picture (.png)", png, NULL, false},
    {NULL, ".plot", "a curve of this program", NULL, is_curve, false},
};

static bool is_of_kind(const kind *k, const char *path, const psb_input *file) {
    return (k->magic == NULL || begins_with(file, k->magic)) &&
           (k->matches == NULL || k->matches(path, file));
}

static const kind *kind_of(const cli_option *option) {
    for (size_t i = 0; option->argument != NULL && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].argument, option->argument) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

/* True if the option's file is replaced. A log, an output as well, is only appended to. */
static bool is_replaced(const cli_option *option) {
    static const char *const outputs[] = {"output", "picture", "single", "zip"};
    bool found = false;
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        found = found || strcmp(option->name, outputs[i]) == 0;
    }
    return found;
}

bool cli_is_output(const cli_option *option) {
    return is_replaced(option) || strcmp(option->name, "log") == 0;
}

bool cli_replaces(const cli_command *command) {
    bool found = false;
    for (const cli_option *o = command->options; o != NULL && o->name != NULL; o++) {
        const kind *k = is_replaced(o) ? kind_of(o) : NULL;
        found = found || (k != NULL && (k->name != NULL || strcmp(k->argument, "STEM") == 0));
    }
    return found;
}

/* ---- inputs ----------------------------------------------------------------------------- */

/* True if the file lies in the folder itself, not deeper. */
static bool lies_in(const char *file, const char *folder) {
    PSB_AT_END(psb_text_free) psb_text parent = {0};
    const char *slash = strrchr(file, '/');
    psb_text_printf(&parent, "%.*s", slash != NULL ? (int)(slash - file) + 1 : 1,
                    slash != NULL ? file : ".");
    return !parent.failed && psb_is_file(file) && psb_is_same_file(parent.data, folder);
}

static int check_input(const cli_values *values, const cli_option *option, const char *output,
                       const char *input) {
    bool folder = kind_of(option)->name == NULL;
    char file[PATH_MAX]; /* the archive that the input is a path into, or the input */
    snprintf(file, sizeof file, "%s", input);
    input = psb_cut_to_file(file) ? file : input;
    if (psb_is_same_file(input, output)) {
        return cli_usage(values->command->name, "--%s %s is the input %s, which would be lost",
                         option->name, output, input);
    }
    if (folder && lies_in(input, output)) {
        return cli_usage(values->command->name,
                         "--%s %s is the folder of the input %s, which could be replaced",
                         option->name, output, input);
    }
    return CLI_DONE;
}

/* Checks each of "A.npy,B.npy:METRIC", if the whole is no file. */
static int check_listed(const cli_values *values, const cli_option *option, const char *output,
                        const char *list) {
    int code = CLI_DONE;
    for (size_t length; code == CLI_DONE; list += length + 1) {
        char file[PATH_MAX];
        length = strcspn(list, ",");
        snprintf(file, sizeof file, "%.*s", (int)(length < sizeof file ? length : 0), list);
        char *colon = strrchr(file, ':');
        if (colon != NULL && !psb_is_file(file)) {
            *colon = '\0';
        }
        code = check_input(values, option, output, file);
        if (list[length] == '\0') {
            break;
        }
    }
    return code;
}

static int check_inputs(const cli_values *values, const cli_option *option, const char *output) {
    int code = CLI_DONE;
    for (int i = 0; i < cli_argument_count(values) && code == CLI_DONE; i++) {
        code = check_input(values, option, output, cli_argument(values, i));
    }
    for (int i = 0; cli_option_at(values->command, i) != NULL && code == CLI_DONE; i++) {
        const cli_option *other = cli_option_at(values->command, i);
        if (other->kind == CLI_KIND_PATH && !cli_is_output(other) && values->value[i] != NULL) {
            code = check_input(values, option, output, values->value[i]);
            code = code == CLI_DONE ? check_listed(values, option, output, values->value[i]) : code;
        }
    }
    return code;
}

/* ---- what is there ---------------------------------------------------------------------- */

static int check_ending(const cli_values *values, const cli_option *option, const kind *k,
                        const char *output) {
    static const char *const texts[] = {".csv", ".tsv", ".txt", ".json", ".mat"};
    const char *dot = strrchr(psb_last_part(output), '.');
    bool other = dot != NULL && k->ending != NULL && strcasecmp(dot, k->ending) != 0;
    for (size_t i = 0; dot != NULL && k->rows && i < sizeof texts / sizeof texts[0]; i++) {
        other = other || strcasecmp(dot, texts[i]) == 0;
    }
    return other ? cli_usage(values->command->name, "--%s %s: only %s is written, not %s",
                             option->name, output, k->name, dot)
                 : CLI_DONE;
}

/* Checks what is in the output's place. An empty file, or no file, has nothing to lose. */
static int check_replaced(const cli_values *values, const cli_option *option, const kind *k,
                          const char *output) {
    psb_input file;
    psb_error error;
    bool there = false;
    if (psb_is_written_in_place(output)) {
        return CLI_DONE;
    }
    psb_status status = psb_file_is_there(output, &there, &error);
    if (status == PSB_OK && !there) {
        return CLI_DONE;
    }
    if (PSB_THEN(status, psb_input_open(output, &file, &error)) != PSB_OK) {
        return cli_report(&error);
    }
    bool fine = file.size == 0 || is_of_kind(k, output, &file);
    psb_input_close(&file);
    bool forced = is_replaced(option) && cli_given(values, "force");
    return fine || forced
               ? CLI_DONE
               : cli_usage(values->command->name, "--%s %s is there, and not %s%s", option->name,
                           output, k->name, is_replaced(option) ? "; --force replaces it" : "");
}

/*
 * Checks FILE.ids, the names that stand beside rows. Names without their FILE are not this
 * program's, which writes them last.
 */
static int check_names(const cli_values *values, const cli_option *option, const char *output) {
    PSB_AT_END(psb_text_free) psb_text ids = {0};
    psb_error error;
    psb_text_printf(&ids, "%s.ids", output);
    int code = psb_text_status(&ids, &error) == PSB_OK ? check_inputs(values, option, ids.data)
                                                       : cli_report(&error);
    if (code == CLI_DONE && psb_is_file(ids.data) && !psb_is_file(output) &&
        !psb_is_written_in_place(output) && !cli_given(values, "force")) {
        code = cli_usage(values->command->name,
                         "--%s %s: %s exists, and may not hold names of rows; --force replaces it",
                         option->name, output, ids.data);
    }
    return code;
}

/* Tells that more than the last folder of a path is made, since the path may be mistyped. */
static void tell_of_folders(const char *output) {
    size_t length = strlen(output);
    while (length > 1 && output[length - 1] == '/') {
        length--;
    }
    const char *slash = memrchr(output, '/', length);
    size_t above = slash != NULL ? (size_t)(slash - output) : 0;
    PSB_FREED char *folder = above > 0 ? strndup(output, above) : NULL;
    if (folder != NULL && access(folder, F_OK) != 0 && cli_verbosity() >= 0) {
        cli_warn("%s did not exist and is made, with its parent folders", folder);
    }
}

/* Refuses a picture's ending for the beginning of several names. */
static int check_folder(const cli_values *values, const cli_option *option, const char *output) {
    const char *dot = strrchr(psb_last_part(output), '.');
    bool stem = strcmp(option->argument, "STEM") == 0;
    for (size_t i = 0; dot != NULL && stem && i < sizeof parts / sizeof parts[0]; i++) {
        if (strcasecmp(dot, parts[i].ending) == 0) {
            return cli_usage(values->command->name,
                             "--%s %s: each file gets its name and ending: leave %s out",
                             option->name, output, dot);
        }
    }
    tell_of_folders(output);
    return CLI_DONE;
}

int cli_check_outputs(cli_values *values) {
    int code = CLI_DONE;
    for (int i = 0; cli_option_at(values->command, i) != NULL && code == CLI_DONE; i++) {
        const cli_option *option = cli_option_at(values->command, i);
        const char *output = cli_value(values, option->name);
        const kind *k = kind_of(option);
        if (!cli_is_output(option) || output == NULL || k == NULL) {
            continue;
        }
        bool folder = k->name == NULL;
        if (strcmp(output, "-") == 0 && folder) {
            return cli_usage(values->command->name,
                             "--%s -: standard output cannot take more than one file",
                             option->name);
        }
        if (strcmp(output, "-") == 0) {
            values->value[i] = strcmp(option->name, "log") == 0 ? "/dev/stderr" : "/dev/stdout";
            continue;
        }
        code = check_inputs(values, option, output);
        if (code == CLI_DONE && folder) {
            code = check_folder(values, option, output);
        }
        if (code == CLI_DONE && !folder) {
            code = check_ending(values, option, k, output);
        }
        if (code == CLI_DONE && !folder) {
            code = check_replaced(values, option, k, output);
        }
        if (code == CLI_DONE && k->rows) {
            code = check_names(values, option, output);
        }
    }
    return code;
}

int cli_check_part(const cli_values *values, const char *output) {
    int i = 0;
    while (!is_replaced(cli_option_at(values->command, i))) {
        i++;
    }
    const cli_option *option = cli_option_at(values->command, i);
    const char *dot = strrchr(output, '.');
    size_t p = 0;
    while (strcmp(parts[p].ending, dot) != 0) {
        p++;
    }
    int code = check_inputs(values, option, output);
    return code == CLI_DONE ? check_replaced(values, option, &parts[p], output) : code;
}
