/*
 * Builds JSON that is whole or fails: the caller need not check the calls that add values, since
 * psb_json_finish says whether memory ran out in any of them.
 */
#pragma once

#include "core/text.h"

#include <cJSON.h>

/* Starts zeroed; the first object added to NULL is the root. */
typedef struct psb_json {
    cJSON *root;
    bool failed;
} psb_json;

/*
 * `parent` is an object or, if `name` is NULL, an array. It may be the NULL of a call that failed.
 */
cJSON *psb_json_add_object(psb_json *json, cJSON *parent, const char *name);
cJSON *psb_json_add_array(psb_json *json, cJSON *parent, const char *name);
void psb_json_add_number(psb_json *json, cJSON *parent, const char *name, double number);
void psb_json_add_string(psb_json *json, cJSON *parent, const char *name, const char *text);
void psb_json_add_null(psb_json *json, cJSON *parent, const char *name);

/*
 * Appends the text and a line's end to `out`, or has `out` fail (core/text.h) if any call failed,
 * and frees all.
 */
void psb_json_finish(psb_json *json, psb_text *out);
