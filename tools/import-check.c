/* Looks at the text of a file, which is XML, for attributes by their names. */
#include "import-check.h"

#include "core/error.h"
#include "core/text.h"
#include "io/npz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Parts of the names of extensions that leave triangles as they are. */
static const char *const harmless[] = {"/production/", "/material/", "/trianglesets/"};

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Copies a text without its bytes of 0, which UTF-16 has. */
static psb_text text_of(const char *bytes, size_t length) {
    psb_text out = {0};
    for (size_t i = 0, from = 0; i <= length; i++) {
        if (i == length || bytes[i] == '\0') {
            psb_text_add_bytes(&out, bytes + from, i - from);
            from = i + 1;
        }
    }
    return out;
}

/* Reads a member of the package by its name, with or without a slash in front; empty if there is
 * none. */
static psb_text read_part(const char *data, size_t size, const char *name) {
    void *bytes;
    size_t length;
    psb_error error;
    psb_text out = {0};
    if (psb_npz_parse("", (const unsigned char *)data, size, name + (name[0] == '/'), &bytes,
                      &length, &error) == PSB_OK) {
        out = text_of(bytes, length);
        free(bytes);
    }
    return out;
}

/*
 * Returns the value of the first attribute of that name between `at` and `end`, for free(); NULL if
 * there is none. A name that begins with ':' stands for all names with a prefix.
 */
static char *attribute(const char *at, const char *end, const char *name) {
    size_t length = strlen(name);
    while ((at = strstr(at, name)) != NULL && (end == NULL || at < end)) {
        const char *value = at + length;
        bool whole = name[0] == ':' || is_blank(at[-1]);
        at++;
        value += strspn(value, " \t\r\n");
        if (!whole || *value++ != '=') {
            continue;
        }
        value += strspn(value, " \t\r\n");
        const char *last = *value == '"' || *value == '\'' ? strchr(value + 1, *value) : NULL;
        if (last != NULL) {
            return strndup(value + 1, (size_t)(last - value - 1));
        }
    }
    return NULL;
}

/* Fails for an extension that the file requires by this prefix, unless it is harmless. */
static psb_status check_extension(const char *head, const char *end, const char *prefix,
                                  psb_error *error) {
    char name[64];
    bool known = false;
    snprintf(name, sizeof name, "xmlns:%s", prefix);
    char *meaning = attribute(head, end, name);
    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++) {
        known = known || (meaning != NULL && strstr(meaning, harmless[i]) != NULL);
    }
    psb_status status = known ? PSB_OK
                              : psb_fail(error, PSB_ERROR_INPUT,
                                         "3MF: requires the extension %.200s, which is not read",
                                         meaning != NULL ? meaning : prefix);
    free(meaning);
    return status;
}

static psb_status check_model(const char *text, psb_error *error) {
    psb_status status = PSB_OK;
    const char *head = strstr(text, "<model"), *end = head != NULL ? strchr(head, '>') : NULL;
    char *path = attribute(text, NULL, ":path"), *rest = NULL;
    char *required = end != NULL ? attribute(head, end, "requiredextensions") : NULL;
    if (path != NULL) {
        status = psb_fail(error, PSB_ERROR_INPUT,
                          "3MF: objects in other parts of the package (p:path, %.200s) are not "
                          "read; save it without the production extension",
                          path);
    }
    for (char *prefix = required != NULL ? strtok_r(required, " \t\r\n", &rest) : NULL;
         prefix != NULL && status == PSB_OK; prefix = strtok_r(NULL, " \t\r\n", &rest)) {
        status = check_extension(head, end, prefix, error);
    }
    free(required);
    free(path);
    return status;
}

static psb_status check_3mf(const char *data, size_t size, psb_error *error) {
    psb_text relations = read_part(data, size, "_rels/.rels");
    char *first = NULL;
    for (const char *at = relations.data; at != NULL && first == NULL;) {
        const char *end = strchr(at, '>');
        char *type = end != NULL ? attribute(at, end, "Type") : NULL;
        if (type != NULL && strstr(type, "/3dmodel") != NULL) {
            first = attribute(at, end, "Target");
        }
        free(type);
        at = end != NULL ? end + 1 : NULL;
    }
    psb_text model = read_part(data, size, first != NULL ? first : "3D/3dmodel.model");
    psb_status status = model.data != NULL ? check_model(model.data, error) : PSB_OK;
    psb_text_free(&model);
    psb_text_free(&relations);
    free(first);
    return status;
}

static psb_status check_collada(const char *data, size_t size, psb_error *error) {
    psb_status status = PSB_OK;
    psb_text text = text_of(data, size);
    const char *at = text.data;
    while (at != NULL && status == PSB_OK && (at = strstr(at, "<instance_node")) != NULL) {
        const char *end = strchr(at, '>');
        char *url = end != NULL ? attribute(at, end, "url") : NULL;
        if (url != NULL && url[0] != '#') {
            status =
                psb_fail(error, PSB_ERROR_INPUT,
                         "COLLADA: nodes of other files (instance_node, %.200s) are not read", url);
        }
        free(url);
        at = end;
    }
    psb_text_free(&text);
    return status;
}

psb_status import_check(const char *name, const char *data, size_t size, psb_error *error) {
    const char *ending = strrchr(name, '.');
    return ending != NULL && strcasecmp(ending, ".3mf") == 0   ? check_3mf(data, size, error)
           : ending != NULL && strcasecmp(ending, ".dae") == 0 ? check_collada(data, size, error)
                                                               : PSB_OK;
}
