/* Builds JSON with cJSON and remembers whether anything failed. */
#include "report/json.h"

/* Adds the item, or deletes it and returns NULL if that fails; `item` NULL is a failure. */
static cJSON *add(psb_json *json, cJSON *parent, const char *name, cJSON *item) {
    bool added;
    if (json->root == NULL) {
        json->root = item;
        added = item != NULL;
    } else {
        added = name != NULL ? cJSON_AddItemToObject(parent, name, item) != 0
                             : cJSON_AddItemToArray(parent, item) != 0;
    }
    if (!added) {
        json->failed = true;
        cJSON_Delete(item);
    }
    return added ? item : NULL;
}

cJSON *psb_json_add_object(psb_json *json, cJSON *parent, const char *name) {
    return add(json, parent, name, cJSON_CreateObject());
}

cJSON *psb_json_add_array(psb_json *json, cJSON *parent, const char *name) {
    return add(json, parent, name, cJSON_CreateArray());
}

void psb_json_add_number(psb_json *json, cJSON *parent, const char *name, double number) {
    add(json, parent, name, cJSON_CreateNumber(number));
}

void psb_json_add_string(psb_json *json, cJSON *parent, const char *name, const char *text) {
    add(json, parent, name, cJSON_CreateString(text));
}

void psb_json_add_null(psb_json *json, cJSON *parent, const char *name) {
    add(json, parent, name, cJSON_CreateNull());
}

void psb_json_finish(psb_json *json, psb_text *out) {
    char *printed = json->failed ? NULL : cJSON_Print(json->root);
    if (printed != NULL) {
        psb_text_add(out, printed);
        psb_text_add(out, "\n");
    } else {
        out->failed = true;
    }
    cJSON_free(printed);
    cJSON_Delete(json->root);
    *json = (psb_json){0};
}
