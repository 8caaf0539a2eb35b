/*
 * Names of models and classes. A model's name is its path below the models' folder without the
 * ending. Files list names as words in fields, so a name is one word: blanks, control characters
 * and invalid UTF-8 are written like "%20", and so are a '#' that would begin a comment and a '%'
 * that would look like an escape. The benchmark's names have none of these.
 */
#pragma once

#include "core/beneath.h"
#include "core/text.h"

enum { PSB_NAME_MOST = 255 }; /* bytes of a name */

/* Appends these bytes as a model's name, in which '/' separates folders. `named`: the bytes may be
 * a name already, so '%' stays. */
void psb_name_add(psb_text *name, const char *bytes, size_t length, bool named);
/* Appends these bytes as a class, or one level of it; here '/' is escaped, and so is the class
 * "0". */
void psb_name_add_class(psb_text *name, const char *bytes, size_t length, bool named);

/* True if a name has no escapes. psb_name_decode appends the bytes that it stands for. */
bool psb_name_is_plain(const char *name);
void psb_name_decode(psb_text *bytes, const char *name);
/* Appends the name for people: decodes only printable ASCII, blanks included. */
void psb_name_show(psb_text *text, const char *name);

/* Converts a model's name to a file name, with '/' as "%2F", so that one folder holds all; and
 * back. */
void psb_name_add_file(psb_text *file, const char *name);
void psb_name_add_of_file(psb_text *name, const char *file, size_t length);

/* True if the folder that a model's name lies in is called so. */
bool psb_name_lies_in(const char *name, const char *folder);

/* True if the bytes are UTF-8. */
bool psb_name_is_utf8(const char *bytes, size_t length);
